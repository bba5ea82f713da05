//! HTML that many pages share, with marked places that differ from page to page.
//!
//! A template writes `ROOT` where a path to the bundle's root goes and `slot(node)` where something depends on the page. `Fragment::parse`
//! takes the marks out once; `Fragment::write` then is little more than a copy.

use std::borrow::Cow;

use tera::Value;

use crate::nav::NodeId;

/// Stands for the path to the bundle's root (`../../`).
pub(super) const ROOT: char = '\u{1}';
const SLOT: char = '\u{2}';

/// What stands at a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// The path to the root.
    Root,
    /// Something of the page's own about a node.
    Node(NodeId),
}

/// A rendered piece of chrome.
#[derive(Clone, Debug, Default)]
pub(super) struct Fragment {
    text: String,
    /// Byte offsets into `text`, ascending.
    marks: Vec<(u32, Mark)>,
}

/// The mark of a node, for a template's value.
pub(super) fn slot(node: NodeId) -> String {
    format!("{SLOT}{}{SLOT}", node.0)
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
            } else if let Some((number, after)) = rest.split_once(SLOT) {
                if let Ok(node) = number.parse() {
                    fragment.marks.push((offset, Mark::Node(NodeId(node))));
                }
                rest = after;
            }
        }
        fragment.text.push_str(rest);
        fragment
    }

    /// The HTML for one page: `root` is its path to the root, `fill` writes what it has to say about a node.
    pub(super) fn write(&self, root: &str, mut fill: impl FnMut(NodeId, &mut String)) -> String {
        let mut out = String::with_capacity(self.text.len() + self.marks.len() * root.len() + 64);
        let mut from = 0;
        for (at, mark) in &self.marks {
            let at = *at as usize;
            out.push_str(&self.text[from..at]);
            from = at;
            match mark {
                Mark::Root => out.push_str(root),
                Mark::Node(node) => fill(*node, &mut out),
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
        let html = format!("<a href=\"{ROOT}x.html\"{}>ü</a><a href=\"{ROOT}y.html\">y</a>", slot(NodeId(7)));
        let fragment = Fragment::parse(&html);
        let written = fragment.write("../", |node, out| out.push_str(&format!(" n{}", node.0)));
        assert_eq!(written, "<a href=\"../x.html\" n7>ü</a><a href=\"../y.html\">y</a>");
    }

    #[test]
    fn marks_cannot_come_from_outside() {
        assert_eq!(clean("a\u{1}b\u{2}9\u{2}\n"), "a b 9  ");
        assert_eq!(Fragment::parse(&clean("a\u{2}9\u{2}")).marks, []);
    }

    proptest::proptest! {
        #[test]
        fn any_text_survives(text in "[\u{1}\u{2}0-9a-zß<]{0,40}") {
            // unpaired and nonsensical marks vanish, all else stays
            let written = Fragment::parse(&text).write("", |_, _| {});
            proptest::prop_assert!(!written.contains([ROOT, SLOT]));
        }
    }
}
