//! The front matter of Starlight.

use load::tool::{PageFacts, PageSource};
use site::page::PageMode;
use site::yaml::Yaml;

/// Keys that mean the same everywhere.
pub(super) const KNOWN: [&str; 3] = ["title", "description", "keywords"];
/// The page stands in no generated list.
pub(super) const HIDDEN: &str = "sidebar-hidden";

/// Enters what the front matter says.
pub(super) fn read_starlight_front(source: &PageSource<'_>, facts: &mut PageFacts) {
    let meta = &mut facts.meta;
    let is_off = |key: &str| source.flag(key) == Some(false);
    meta.mode = match source.text("template") {
        Some("splash") => PageMode::Center,
        _ if is_off("tableOfContents") => PageMode::Wide,
        _ => PageMode::Default,
    };
    // the name in the hero is the heading of the page
    meta.heading = meta.hero.as_ref().and_then(|hero| hero.name.clone());
    meta.hide_pagination = is_off("prev") && is_off("next");
    if is_off("pagefind") {
        meta.searchable = Some(false);
    }
    if let Some(sidebar) = source.value("sidebar") {
        let text =
            |key: &str| sidebar.member(key).and_then(Yaml::as_text).map(str::trim).filter(|text| !text.is_empty());
        meta.sidebar_title = text("label").map(str::to_owned);
        meta.position = text("order").and_then(|order| order.parse().ok()).filter(|order: &f64| order.is_finite());
        let badge = sidebar.member("badge");
        let words = badge.and_then(|badge| badge.as_text().or_else(|| badge.member("text")?.as_text()));
        meta.tag = words.map(str::to_owned);
        if text("hidden") == Some("true") {
            meta.extra.push((HIDDEN, "true".to_owned()));
        }
    }
    if let Some(Yaml::List(tags)) = source.value("head") {
        meta.metatags.extend(tags.iter().filter_map(meta_tag));
    }
}

/// `{tag: meta, attrs: {name: …, content: …}}`
fn meta_tag(tag: &Yaml) -> Option<(String, String)> {
    let attributes = tag.member("attrs").filter(|_| tag.member("tag").and_then(Yaml::as_text) == Some("meta"))?;
    let value = |key: &str| attributes.member(key).and_then(Yaml::as_text);
    Some((value("name").or_else(|| value("property"))?.to_owned(), value("content")?.to_owned()))
}
