//! Front matter of pages.

use crate::source::site::config::Icon;
use crate::source::site::page::{Dialect, Mode};
use crate::source::site::tool::{PageFacts, PageSource};

use super::MkDocsSettings;
use super::blog;
use super::config::{flag_of, list_of, yaml_at_path, yaml_text};

/// Keys that mean what they mean in a plain folder.
pub(super) const KNOWN: [&str; 3] = ["title", "description", "robots"];

/// Reads what a page says of itself.
pub(super) fn read_mkdocs_front(settings: &MkDocsSettings, source: &PageSource<'_>, facts: &mut PageFacts) {
    let found = settings.options.inside(source.path).and_then(|path| settings.places.find(path));
    let Some(found) = found else {
        facts.address = Some(source.path.trim_end_matches(".md").to_owned());
        facts.is_part = true;
        return;
    };
    facts.dialect = Some(Dialect::Markdown);
    let address = settings.address(&found, source);
    if let Some(post) = settings.places.blogs.iter().find_map(|blog| blog.post(&found.stem, source)) {
        facts.meta.extra.push((blog::DATE, post.date));
    }
    let is_post = settings.places.blogs.iter().any(|blog| blog.has(&found.stem));
    facts.is_draft = is_post && blog::is_draft(source);
    if address != found.address {
        facts.aliases.push(found.address);
    }
    facts.address = Some(address);
    let hides = |name: &str| list_of(source.value("hide")).any(|entry| entry.as_text() == Some(name));
    facts.meta.mode = match (hides("navigation"), hides("toc")) {
        (true, true) => Mode::Center,
        (false, true) => Mode::Wide,
        _ => Mode::Default,
    };
    facts.meta.hide_pagination = hides("footer");
    facts.meta.icon = source.text("icon").map(|name| Icon { name: name.to_owned(), ..Icon::default() });
    if let Some(status) = source.text("status") {
        facts.meta.tag = Some(settings.status(status));
    }
    if source.value("search").and_then(|search| yaml_at_path(search, &["exclude"])).and_then(flag_of) == Some(true) {
        facts.meta.searchable = Some(false);
    }
    facts.meta.boost = source
        .value("search")
        .and_then(|search| yaml_at_path(search, &["boost"]))
        .and_then(yaml_text)
        .and_then(|boost| boost.parse().ok());
    facts.meta.keywords = list_of(source.value("tags")).filter_map(yaml_text).collect();
}
