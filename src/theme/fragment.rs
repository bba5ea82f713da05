//! HTML that many pages share, with marked places that differ from page to page.
//!
//! A template writes `ROOT` where a path to the bundle's root goes and `slot(…)` where something depends on the page. `Fragment::parse`
//! takes the marks out once; `Fragment::write` then is little more than a copy.

use std::borrow::Cow;

use tera::Value;

use crate::nav::NodeId;

/// Stands for the path to the bundle's root (`../../`).
pub(super) const ROOT: char = '\u{1}';
const SLOT: char = '\u{2}';

/// What a page says about a node at a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// ` aria-current` if the node is the page.
    Current(NodeId),
    /// ` open` if the page is in this group.
    Open(NodeId),
    /// Where the language or version leads from the page.
    Address(NodeId),
}

/// What stands at a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// The path to the root.
    Root,
    /// Something of the page's own.
    Page(Ask),
}

/// A rendered piece of chrome.
#[derive(Clone, Debug, Default)]
pub(super) struct Fragment {
    text: String,
    /// Byte offsets into `text`, ascending.
    marks: Vec<(u32, Mark)>,
}

/// A mark, for a template's value.
pub(super) fn slot(ask: Ask) -> String {
    match ask {
        Ask::Current(node) => format!("{SLOT}c{}{SLOT}", node.0),
        Ask::Open(node) => format!("{SLOT}o{}{SLOT}", node.0),
        Ask::Address(node) => format!("{SLOT}a{}{SLOT}", node.0),
    }
}

fn read_slot(text: &str) -> Option<Ask> {
    let node = NodeId(text.get(1..)?.parse().ok()?);
    match text.as_bytes()[0] {
        b'c' => Some(Ask::Current(node)),
        b'o' => Some(Ask::Open(node)),
        b'a' => Some(Ask::Address(node)),
        _ => None,
    }
}

/// Tenant text as a template's value: control characters, and with them our marks, cannot come from outside.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|b| b < 0x20) {
        Cow::Owned(text.chars().map(|c| if (c as u32) < 0x20 { ' ' } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Already escaped HTML as a template's value.
pub(super) fn safe(html: &str) -> Value {
    Value::safe_string(html)
}

impl Fragment {
    /// Takes the marks out of rendered HTML.
    pub(super) fn parse(html: &str) -> Self {
        let mut fragment = Self { text: String::with_capacity(html.len()), marks: Vec::new() };
        let mut rest = html;
        while let Some(at) = rest.find([ROOT, SLOT]) {
            fragment.text.push_str(&rest[..at]);
            let offset = u32::try_from(fragment.text.len()).unwrap_or(u32::MAX);
            let is_root = rest[at..].starts_with(ROOT);
            rest = &rest[at + 1..];
            if is_root {
                fragment.marks.push((offset, Mark::Root));
            } else if let Some((text, after)) = rest.split_once(SLOT) {
                fragment.marks.extend(read_slot(text).map(|ask| (offset, Mark::Page(ask))));
                rest = after;
            }
        }
        fragment.text.push_str(rest);
        fragment
    }

    /// The HTML for one page: `root` is its path to the root, `fill` writes what it has to say.
    pub(super) fn write(&self, root: &str, mut fill: impl FnMut(Ask, &mut String)) -> String {
        let mut out = String::with_capacity(self.text.len() + self.marks.len() * root.len() + 64);
        let mut from = 0;
        for (at, mark) in &self.marks {
            let at = *at as usize;
            out.push_str(&self.text[from..at]);
            from = at;
            match mark {
                Mark::Root => out.push_str(root),
                Mark::Page(ask) => fill(*ask, &mut out),
            }
        }
        out.push_str(&self.text[from..]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_filled() {
        let html = format!("<a href=\"{ROOT}x.html\"{}>ü</a><a href=\"{ROOT}y.html\">y</a>", slot(Ask::Current(NodeId(7))));
        let fragment = Fragment::parse(&html);
        let written = fragment.write("../", |ask, out| out.push_str(if ask == Ask::Current(NodeId(7)) { " n7" } else { "?" }));
        assert_eq!(written, "<a href=\"../x.html\" n7>ü</a><a href=\"../y.html\">y</a>");
    }

    #[test]
    fn marks_cannot_come_from_outside() {
        assert_eq!(clean("a\u{1}b\u{2}9\u{2}\n"), "a b 9  ");
        assert_eq!(Fragment::parse(&clean("a\u{2}c9\u{2}")).marks, []);
    }

    proptest::proptest! {
        #[test]
        fn any_text_survives(text in "[\u{1}\u{2}0-9aocß<]{0,40}") {
            // unpaired and nonsensical marks vanish, all else stays
            let written = Fragment::parse(&text).write("", |_, _| {});
            proptest::prop_assert!(!written.contains([ROOT, SLOT]));
        }
    }
}
