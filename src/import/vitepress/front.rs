//! The front matter of VitePress: which layout a page has, and what stands beside it.

use load::tool::{PageFacts, PageSource};
use site::page::PageMode;
use site::yaml::Yaml;

/// Keys that mean the same everywhere.
pub(super) const KNOWN: [&str; 4] = ["title", "description", "keywords", "canonical"];

/// Enters what the front matter says.
pub(super) fn read_vitepress_front(source: &PageSource<'_>, facts: &mut PageFacts) {
    let meta = &mut facts.meta;
    facts.is_draft = false;
    let is_off = |key: &str| source.flag(key) == Some(false);
    let layout = source.text("layout").unwrap_or_default();
    meta.mode = if matches!(layout, "home" | "false") || is_off("sidebar") {
        PageMode::Center
    } else if layout == "page" || is_off("aside") || is_off("outline") {
        PageMode::Wide
    } else {
        PageMode::Default
    };
    // the name in the hero is the heading of the page
    meta.heading = meta.hero.as_ref().and_then(|hero| hero.name.clone());
    meta.hide_pagination = matches!(layout, "home" | "page" | "false") || (is_off("prev") && is_off("next"));
    if is_off("search") {
        meta.searchable = Some(false);
    }
    if let Some(Yaml::List(tags)) = source.value("head") {
        meta.metatags.extend(tags.iter().filter_map(meta_tag));
    }
}

/// `[meta, {name: …, content: …}]`
fn meta_tag(tag: &Yaml) -> Option<(String, String)> {
    let Yaml::List(parts) = tag else { return None };
    let [Yaml::Text(name), attributes] = parts.as_slice() else { return None };
    let value = |key: &str| attributes.member(key).and_then(Yaml::as_text);
    let of_name = value("name").or_else(|| value("property")).filter(|_| name == "meta")?;
    Some((of_name.to_owned(), value("content")?.to_owned()))
}
