//! Front matter and addresses of pages.

use base::cut::SliceText as _;
use load::tool::{PageFacts, PageSource};

use super::DocusaurusSettings;
use super::blog;
use super::plugins::{DocumentFolder, FolderKind, join_address};

/// What is kept of a page for the sidebars.
pub(super) const ID: &str = "docusaurus-id";
/// The page shows the pages of its category.
pub(super) const CARDS: &str = "docusaurus-cards";
/// Its pages are listed in the navigation of this sidebar.
pub(super) const SIDEBAR: &str = "docusaurus-sidebar";
/// Its name in the navigation bar of pages, before its own title.
pub(super) const FRONT_TITLE: &str = "docusaurus-title";

/// Reads what the front matter says of a page.
pub(super) fn read_docusaurus_front(settings: &DocusaurusSettings, source: &PageSource<'_>, facts: &mut PageFacts) {
    let Some(folder) = settings.folder_of(source.path) else {
        facts.is_part = true;
        return;
    };
    let Some(rest) = folder.rest(source.path) else { return };
    facts.is_part = !folder.files.has(rest);
    facts.is_draft = source.flag("draft") == Some(true);
    let format = source.value("mdx").and_then(|mdx| mdx.member("format")?.as_text());
    facts.dialect = Some(settings.dialect(source.path, format.filter(|format| *format != "detect")));
    if source.flag("unlisted") == Some(true) {
        facts.meta.hidden = Some(true);
        facts.meta.noindex = true;
    }
    facts.meta.sidebar_title = source.text("sidebar_label").map(str::to_owned);
    facts.meta.hide_pagination =
        ["pagination_next", "pagination_prev"].iter().all(|key| source.text(key) == Some("null"));
    facts.meta.extra.extend(source.text("title").map(|title| (FRONT_TITLE, title.to_owned())));
    if source.flag("hide_table_of_contents") == Some(true) {
        facts.meta.mode = site::page::PageMode::Wide;
    }
    if let Some(image) = source.text("image") {
        facts.meta.metatags.push(("og:image".to_owned(), image.to_owned()));
    }
    let address = match folder.kind {
        FolderKind::Docs(number, _) => {
            document_address(source, folder, rest, !settings.docs[number].keeps_numbers, facts)
        }
        FolderKind::Blog(_) => blog::post_address(source, rest, facts),
        FolderKind::Pages => standalone_page_address(source, rest, facts),
    };
    let whole = join_address(&[&folder.base, &address]);
    let is_folder = address.is_empty() || address.ends_with('/');
    facts.address = Some(if is_folder { join_address(&[&whole, "index"]) } else { whole });
}

/// The name of a file without its ending, and the folder that it lies in.
pub(super) fn split_file_path(rest: &str) -> (&str, &str) {
    let (folder, file) = rest.rsplit_once('/').unwrap_or(("", rest));
    (folder, file.rsplit_once('.').map_or(file, |(stem, _)| stem))
}

/// The address of a document below its version; its id, position and label are kept.
fn document_address(
    source: &PageSource<'_>,
    folder: &DocumentFolder,
    rest: &str,
    strips: bool,
    facts: &mut PageFacts,
) -> String {
    let (below, stem) = split_file_path(rest);
    let (number, name) = if strips { number_prefix(stem) } else { (None, stem) };
    let below_bare = bare_path(below, strips);
    let base = source.text("id").unwrap_or(name);
    let id = if below_bare.is_empty() { base.to_owned() } else { format!("{below_bare}/{base}") };
    facts.meta.position = source.number("sidebar_position").or(number);
    facts.meta.extra.push((ID, id.clone()));
    if !facts.meta.title_given && !has_title(source.body) {
        (facts.meta.title, facts.meta.title_given) = (base.to_owned(), true);
    }
    if source.body.contains("<DocCardList") {
        facts.meta.extra.push((CARDS, String::new()));
    }
    facts.meta.extra.extend(source.text("displayed_sidebar").map(|name| (SIDEBAR, name.to_owned())));
    // links name files
    let own = join_address(&[&folder.base, &id]);
    facts.aliases.push(own);
    match source.text("slug") {
        Some(slug) if slug.starts_with('/') => slug.trim_start_matches('/').to_owned(),
        Some(slug) => resolve_slug(&below_bare, slug),
        None if is_index(below, stem) => {
            if below_bare.is_empty() {
                String::new()
            } else {
                format!("{below_bare}/")
            }
        }
        None => resolve_slug(&below_bare, base),
    }
}

/// Whether a text begins with a heading of the first level, after imports.
fn has_title(body: &str) -> bool {
    let mut lines = body.lines().map(str::trim_start).filter(|line| !line.is_empty());
    let first =
        lines.find(|line| !line.starts_with("import ") && !line.starts_with("export ") && !line.starts_with("<!--"));
    first.is_some_and(|line| line.starts_with("# "))
        || body.lines().any(|line| line.len() > 3 && line.starts_with("# "))
}

/// Whether a file is the page of its folder: `index`, `README`, or of the folder's name.
pub(super) fn is_index(below: &str, stem: &str) -> bool {
    let name = stem.to_lowercase();
    let parent = below.rsplit('/').next().unwrap_or_default().to_lowercase();
    name == "index" || name == "readme" || !parent.is_empty() && name == parent
}

/// `slug` seen from a folder.
fn resolve_slug(below: &str, slug: &str) -> String {
    let ends = if slug.ends_with('/') { "/" } else { "" };
    let joined = site::tree::join_document_path(below, slug.trim_end_matches('/'));
    format!("{}{ends}", joined.unwrap_or_else(|| slug.to_owned()))
}

/// A path without the numbers before its names.
pub(super) fn bare_path(path: &str, strips: bool) -> String {
    if !strips {
        return path.to_owned();
    }
    path.split('/').map(|part| number_prefix(part).1).collect::<Vec<_>>().join("/")
}

/// The number before a name, and the name without it: `01-intro`, `2. Guides`. Dates and versions are names.
pub(super) fn number_prefix(name: &str) -> (Option<f64>, &str) {
    let none = (None, name);
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = name.slice(..name.len() - rest.len());
    if digits.is_empty() {
        return none;
    }
    let is_mark = |c: char| matches!(c, '-' | '_' | '.');
    let behind = rest.strip_prefix(is_mark).unwrap_or(rest);
    // `2024-01-02`, `1.2`
    if behind.len() < rest.len() && behind.starts_with(|c: char| c.is_ascii_digit()) {
        return none;
    }
    let spaced = rest.trim_start();
    let suffix = spaced.trim_start_matches(is_mark);
    if suffix.len() == spaced.len() || suffix.trim_start().is_empty() {
        return none;
    }
    (digits.parse().ok(), suffix.trim_start())
}

/// The address of a page beside the documents.
fn standalone_page_address(source: &PageSource<'_>, rest: &str, facts: &mut PageFacts) -> String {
    let (below, stem) = split_file_path(rest);
    if !facts.meta.title_given && !has_title(source.body) {
        (facts.meta.title, facts.meta.title_given) = (stem.to_owned(), true);
    }
    match source.text("slug") {
        Some(slug) => slug.trim_start_matches('/').to_owned(),
        None if stem == "index" => {
            if below.is_empty() {
                String::new()
            } else {
                format!("{below}/")
            }
        }
        None => join_address(&[below, stem]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_before_names() {
        let names = [
            ("01-intro", (Some(1.0), "intro")),
            ("2. Guides", (Some(2.0), "Guides")),
            ("3 - x", (Some(3.0), "x")),
            ("2024-01-02-x", (None, "2024-01-02-x")),
            ("1.2", (None, "1.2")),
            ("10", (None, "10")),
            ("404page", (None, "404page")),
            ("a-1", (None, "a-1")),
        ];
        for (name, expect) in names {
            assert_eq!(number_prefix(name), expect, "{name}");
        }
        assert_eq!(bare_path("01-a/02-b", true), "a/b");
        assert_eq!(bare_path("01-a", false), "01-a");
    }

    #[test]
    fn pages_of_folders() {
        assert!(is_index("a/Guides", "guides") && is_index("", "README") && is_index("a", "index"));
        assert!(!is_index("", "start") && !is_index("guides/a", "guides"));
        assert_eq!((resolve_slug("a/b", "../c").as_str(), resolve_slug("", "x/").as_str()), ("a/c", "x/"));
    }
}
