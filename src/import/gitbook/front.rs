//! The front matter of a page.

use load::tool::{PageFacts, PageSource};
use site::page::PageMode;
use site::yaml::Yaml;

/// The key under which the picture above a page is kept.
const COVER: &str = "cover";

/// Takes what only GitBook has: `hidden`, `noIndex`, `cover` and `layout`.
pub(super) fn read_gitbook_front(source: &PageSource<'_>, facts: &mut PageFacts) {
    let meta = &mut facts.meta;
    if source.flag("hidden") == Some(true) {
        meta.hidden = Some(true);
    }
    if source.flag("noIndex") == Some(true) || source.flag("noRobotsIndex") == Some(true) {
        meta.noindex = true;
    }
    let layout = source.value("layout");
    let is_off = |part: &str| {
        let visible = layout.and_then(|layout| layout.member(part)).and_then(|part| part.member("visible"));
        visible.and_then(Yaml::as_text).is_some_and(|text| text.trim() == "false")
    };
    let is_wide = layout.and_then(|layout| layout.member("width")).and_then(Yaml::as_text) == Some("wide");
    meta.mode = match (is_off("tableOfContents"), is_off("outline") || is_wide) {
        (true, true) => PageMode::Center,
        (_, true) => PageMode::Wide,
        _ => meta.mode,
    };
    meta.hide_pagination |= is_off("pagination");
    if let Some(cover) = source.text("cover").filter(|_| !is_off("cover")) {
        meta.extra.push((COVER, cover.to_owned()));
    }
}

/// The picture above a page.
pub(super) fn cover<'e>(extra: &'e [(&'static str, String)]) -> Option<&'e str> {
    extra.iter().find(|(key, _)| *key == COVER).map(|(_, path)| path.as_str())
}
