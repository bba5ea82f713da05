//! HTML that many pages share, with marked places that differ from page to page.
//!
//! A template writes `ROOT` where a path to the bundle's root goes and `slot(…)` where something depends on the page.
//! `Fragment::parse` takes the marks out once; `Fragment::write` then is little more than a copy. What follows `ROOT`
//! up to the next mark is read as an address, and written as short as it can be from where the page stands.

use std::borrow::Cow;

use tera::Value;

use super::own::Own;
use base::cut::SliceText as _;
use base::printable::{REPLACEMENT, is_unprintable};
use base::{html, url};
use nav::NodeId;

/// Stands for the path to the bundle's root (`../../`).
pub(super) const ROOT: char = '\u{1}';
const SLOT: char = '\u{2}';

/// What differs from page to page at a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FragmentGap {
    /// ` aria-current` if the node is the page.
    Current(NodeId),
    /// ` open` if the page is in this group.
    Open(NodeId),
    /// ` data-active` if the page is the node, or in it.
    Active(NodeId),
    /// Where the language or version leads from the page.
    Address(NodeId),
    /// A text that only this page has.
    Own(Own),
    /// A text that the page shares with the pages of its branch.
    Piece(BranchPiece),
}

/// What the pages of a branch share, but for marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum BranchPiece {
    Banner,
    Header,
    /// Dropdowns, anchors and inner tabs on top of the page tree.
    SidebarTop,
    /// The page tree.
    Sidebar,
    /// Top bar links for the drawer.
    SidebarEnd,
    Footer,
}

impl BranchPiece {
    pub(super) const ALL: [Self; 6] =
        [Self::Banner, Self::Header, Self::SidebarTop, Self::Sidebar, Self::SidebarEnd, Self::Footer];

    /// What templates call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Banner => "banner",
            Self::Header => "header",
            Self::SidebarTop => "sidebar_top",
            Self::Sidebar => "sidebar",
            Self::SidebarEnd => "sidebar_end",
            Self::Footer => "footer",
        }
    }
}

/// What stands at a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FragmentMark {
    /// The path to the root.
    Root,
    /// Something of the page's own.
    Page(FragmentGap),
}

/// A rendered piece of chrome.
#[derive(Clone, Debug, Default)]
pub(super) struct Fragment {
    text: String,
    /// Byte offsets into `text`, ascending.
    marks: Vec<(u32, FragmentMark)>,
}

/// A mark, for a template's value.
pub(super) fn slot(ask: FragmentGap) -> String {
    match ask {
        FragmentGap::Current(node) => format!("{SLOT}c{}{SLOT}", node.0),
        FragmentGap::Open(node) => format!("{SLOT}o{}{SLOT}", node.0),
        FragmentGap::Active(node) => format!("{SLOT}d{}{SLOT}", node.0),
        FragmentGap::Address(node) => format!("{SLOT}a{}{SLOT}", node.0),
        FragmentGap::Own(own) => format!("{SLOT}p{}{SLOT}", own as u8),
        FragmentGap::Piece(piece) => format!("{SLOT}s{}{SLOT}", piece as u8),
    }
}

fn read_slot(text: &str) -> Option<FragmentGap> {
    let number = text.get(1..)?.parse().ok()?;
    match text.as_bytes()[0] {
        b'c' => Some(FragmentGap::Current(NodeId(number))),
        b'o' => Some(FragmentGap::Open(NodeId(number))),
        b'd' => Some(FragmentGap::Active(NodeId(number))),
        b'a' => Some(FragmentGap::Address(NodeId(number))),
        b'p' => Own::of_number(number).map(FragmentGap::Own),
        b's' => BranchPiece::ALL.get(number as usize).copied().map(FragmentGap::Piece),
        _ => None,
    }
}

/// Tenant text as a template's value, in one line: control characters, and with them our marks, cannot come from
/// outside.
pub(super) fn clean_fragment(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|b| b < 0x20) {
        Cow::Owned(
            text.chars()
                .map(|c| {
                    if c.is_whitespace() {
                        ' '
                    } else if is_unprintable(c) {
                        REPLACEMENT
                    } else {
                        c
                    }
                })
                .collect(),
        )
    } else {
        Cow::Borrowed(text)
    }
}

/// Already escaped HTML as a template's value.
pub(super) fn safe(html: &str) -> Value {
    Value::safe_string(html)
}

/// Where a page stands in the bundle.
#[derive(Clone, Debug, Default)]
pub(super) struct PagePlace {
    /// The path to the root: `../../`.
    root: String,
    /// The path from there, percent-encoded: `guides/first/`.
    folder: String,
    /// The folder of the page, escaped as it stands in HTML.
    shown_folder: String,
}

impl PagePlace {
    /// The place of a file of the bundle, whose path is not encoded.
    pub(super) fn of(path: &str) -> Self {
        let folder = url::encode_path(path.rfind('/').map_or("", |slash| path.slice(..=slash)));
        Self { root: url::to_root(path), shown_folder: html::attr(&folder), folder }
    }

    /// The path to the root.
    pub(super) fn root(&self) -> &str {
        &self.root
    }

    /// The URL of a file whose percent-encoded path from the root is given.
    pub(super) fn to(&self, path: &str) -> String {
        let mut out = String::with_capacity(self.root.len() + path.len());
        let shared = self.push_way(&mut out, &self.folder, path);
        out.push_str(path.slice(shared..));
        out
    }

    /// Appends the way up to the last folder that the page's one shares with an address. Returns how much of the
    /// address says where that is.
    fn push_way(&self, out: &mut String, folder: &str, address: &str) -> usize {
        let shared = url::shared_folders(folder, address);
        let folders = folder.slice(..shared).bytes().filter(|byte| *byte == b'/').count();
        out.push_str(self.root.slice(UP.len() * folders..));
        shared
    }
}

/// The way to the folder around one.
const UP: &str = "../";

impl Fragment {
    /// Takes the marks out of rendered HTML.
    pub(super) fn parse(html: &str) -> Self {
        let mut fragment = Self { text: String::with_capacity(html.len()), marks: Vec::new() };
        let mut rest = html;
        while let Some(at) = rest.find([ROOT, SLOT]) {
            fragment.text.push_str(rest.slice(..at));
            let offset = u32::try_from(fragment.text.len()).unwrap_or(u32::MAX);
            let is_root = rest.slice(at..).starts_with(ROOT);
            rest = rest.slice(at + 1..);
            if is_root {
                fragment.marks.push((offset, FragmentMark::Root));
            } else if let Some((text, after)) = rest.split_once(SLOT) {
                fragment.marks.extend(read_slot(text).map(|ask| (offset, FragmentMark::Page(ask))));
                rest = after;
            }
        }
        fragment.text.push_str(rest);
        fragment
    }

    /// Bytes without what stands at its marks.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Appends the HTML for one page, which stands at a place; `fill` writes what it has to say.
    pub(super) fn write(&self, out: &mut String, place: &PagePlace, mut fill: impl FnMut(FragmentGap, &mut String)) {
        let mut from = 0;
        for (number, (at, mark)) in self.marks.iter().enumerate() {
            let at = *at as usize;
            out.push_str(self.text.slice(from..at));
            from = at;
            match mark {
                FragmentMark::Root => {
                    let end = self.marks.get(number + 1).map_or(self.text.len(), |(next, _)| *next as usize);
                    from += place.push_way(out, &place.shown_folder, self.text.slice(at..end));
                }
                FragmentMark::Page(ask) => fill(*ask, out),
            }
        }
        out.push_str(self.text.slice(from..));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(fragment: &Fragment, path: &str, fill: impl FnMut(FragmentGap, &mut String)) -> String {
        let mut out = String::new();
        fragment.write(&mut out, &PagePlace::of(path), fill);
        out
    }

    #[test]
    fn addresses_are_as_short_as_they_can_be() {
        let html = format!(
            "<a href=\"{ROOT}guides/first/a.html\"><a href=\"{ROOT}guides/b.html\"><a href=\"{ROOT}guide/c.html\"><p data-root=\"{ROOT}\">"
        );
        for (path, expect) in [
            ("guides/first/x.html", "a.html ../b.html ../../guide/c.html ../../"),
            ("guides/x.html", "first/a.html b.html ../guide/c.html ../"),
            ("x.html", "guides/first/a.html guides/b.html guide/c.html "),
            ("guides/fir/x.html", "../first/a.html ../b.html ../../guide/c.html ../../"),
        ] {
            let written = written(&Fragment::parse(&html), path, |_, _| {});
            let found: Vec<&str> = written.split('"').skip(1).step_by(2).collect();
            assert_eq!(found.join(" "), expect, "{path}");
        }
        assert_eq!(PagePlace::of("my docs/x.html").to("my%20docs/y.html"), "y.html");
        assert_eq!(PagePlace::of("R&D/x.html").to("R&D/y.html"), "y.html");
        let html = format!("<a href=\"{ROOT}R&amp;D/y.html\">");
        assert_eq!(written(&Fragment::parse(&html), "R&D/x.html", |_, _| {}), "<a href=\"y.html\">");
        assert_eq!(written(&Fragment::parse(&html), "R&amp;D/x.html", |_, _| {}), "<a href=\"../R&amp;D/y.html\">");
    }

    #[test]
    fn marks_are_filled() {
        let html = format!(
            "<a href=\"{ROOT}x.html\"{}>ü</a><a href=\"{ROOT}y.html\">y</a>",
            slot(FragmentGap::Current(NodeId(7)))
        );
        let fragment = Fragment::parse(&html);
        let written = written(&fragment, "a/b.html", |ask, out| {
            out.push_str(if ask == FragmentGap::Current(NodeId(7)) { " n7" } else { "?" })
        });
        assert_eq!(written, "<a href=\"../x.html\" n7>ü</a><a href=\"../y.html\">y</a>");
    }

    #[test]
    fn every_mark_is_read_as_it_was_written() {
        let nodes = [
            FragmentGap::Current(NodeId(0)),
            FragmentGap::Open(NodeId(31)),
            FragmentGap::Address(NodeId(7)),
            FragmentGap::Own(Own::Content),
        ];
        for ask in nodes.into_iter().chain(BranchPiece::ALL.map(FragmentGap::Piece)) {
            let mut found = Vec::new();
            Fragment::parse(&slot(ask)).write(&mut String::new(), &PagePlace::default(), |ask, _| found.push(ask));
            assert_eq!(found, [ask]);
        }
    }

    #[test]
    fn marks_cannot_come_from_outside() {
        assert_eq!(clean_fragment("a\u{1}b\u{2}9\u{2}\n"), "a\u{fffd}b\u{fffd}9\u{fffd} ");
        assert_eq!(Fragment::parse(&clean_fragment("a\u{2}c9\u{2}")).marks, []);
    }

    proptest::proptest! {
        #[test]
        fn any_text_survives(text in "[\u{1}\u{2}0-9aocß</]{0,40}", path in "([aß]/){0,2}x") {
            // unpaired and nonsensical marks vanish, all else stays
            let written = written(&Fragment::parse(&text), &path, |_, _| {});
            proptest::prop_assert!(!written.contains([ROOT, SLOT]));
        }
    }
}
