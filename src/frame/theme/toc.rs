//! The table of contents of a page.

use std::fmt::Write as _;

use base::{html, url};
use render::TocEntry;

/// Most entries of the first level that a short one has.
const MAX_SHORT_ENTRIES: usize = 8;

/// A table of contents: headings of level 1 and 2 on top, each other one below the one before it that is larger.
#[derive(Debug, Default)]
pub(super) struct Toc {
    /// Empty where the page has no headings.
    pub(super) html: String,
    /// Entries of the first level.
    top: usize,
}

impl Toc {
    pub(super) fn of(entries: &[TocEntry]) -> Self {
        let mut toc = Self::default();
        if entries.is_empty() {
            return toc;
        }
        let out = &mut toc.html;
        out.reserve(entries.len() * 100);
        out.push_str("<ul class=\"toc-list\">");
        // levels of the items that are open, from the top down
        let mut open: Vec<u8> = Vec::new();
        for entry in entries {
            let level = entry.level.max(2);
            let is_below = open.last().is_some_and(|above| level > *above);
            while open.last().is_some_and(|above| level <= *above) {
                open.pop();
                out.push_str("</li>");
                if open.last().is_some_and(|above| level <= *above) {
                    out.push_str("</ul>");
                }
            }
            if is_below {
                out.push_str("<ul>");
            } else if open.is_empty() {
                toc.top += 1;
            }
            push_item(out, entry, open.len());
            open.push(level);
        }
        for depth in (0..open.len()).rev() {
            out.push_str(if depth > 0 { "</li></ul>" } else { "</li>" });
        }
        out.push_str("</ul>");
        toc
    }

    pub(super) fn is_short(&self) -> bool {
        self.top <= MAX_SHORT_ENTRIES
    }
}

/// An item without its end. `depth`: how many items it stands in.
fn push_item(out: &mut String, entry: &TocEntry, depth: usize) {
    let _ = write!(out, "<li data-depth=\"{depth}\"");
    if let Some(within) = entry.within.as_deref().filter(|within| !within.is_empty()) {
        out.push_str(" data-within=\"");
        html::push_attr(out, within);
        out.push('"');
    }
    out.push_str("><a class=\"toc-item\" href=\"#");
    html::push_attr(out, &url::encode_fragment(&entry.id));
    out.push_str("\">");
    html::push_attr(out, &entry.text);
    out.push_str("</a>");
}

#[cfg(test)]
mod tests {
    use super::Toc;
    use render::TocEntry;

    /// The levels of headings as lists: an item is its number, what is below it stands in brackets.
    fn shape(levels: &[u8]) -> String {
        let entries: Vec<TocEntry> = levels
            .iter()
            .map(|level| TocEntry { level: *level, text: level.to_string(), ..TocEntry::default() })
            .collect();
        let html =
            Toc::of(&entries).html.replace("<ul class=\"toc-list\">", "(").replace("<ul>", "(").replace("</ul>", ")");
        let html = (0..4).fold(html, |html, depth| {
            html.replace(&format!("<li data-depth=\"{depth}\"><a class=\"toc-item\" href=\"#\">"), "")
        });
        html.replace("</a>", "").replace("</li>", ",")
    }

    #[test]
    fn headings_stand_below_larger_ones() {
        assert_eq!(shape(&[2, 3, 4, 2]), "(2(3(4,),),2,)");
        assert_eq!(shape(&[2, 4, 3, 5]), "(2(4,3(5,),),)");
        assert_eq!(shape(&[3, 3, 2, 3]), "(3,3,2(3,),)");
        assert_eq!(shape(&[4, 3, 4, 3]), "(4,3(4,),3,)");
        assert_eq!(shape(&[1, 2, 3, 1]), "(1,2(3,),1,)");
        assert_eq!(shape(&[2]), "(2,)");
        assert_eq!(shape(&[]), "");
    }

    #[test]
    fn entries_are_escaped_and_say_what_they_are_within() {
        let entry =
            TocEntry { level: 2, id: "a b".to_owned(), text: "A \"<b>\"".to_owned(), within: Some("tab-1".to_owned()) };
        let expect = "<ul class=\"toc-list\"><li data-depth=\"0\" data-within=\"tab-1\"><a class=\"toc-item\" href=\"#a%20b\">A &quot;&lt;b&gt;&quot;</a></li></ul>";
        assert_eq!(Toc::of(&[entry]).html, expect);
    }

    #[test]
    fn few_entries_are_short() {
        let of = |count: usize| Toc::of(&vec![TocEntry { level: 2, ..TocEntry::default() }; count]).is_short();
        assert!(of(8) && !of(9));
    }
}
