//! `SUMMARY.md` of mdBook and GitBook: a list of links that says which pages a book has, in which order and under which
//! names.

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

/// An entry of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookEntry {
    /// 0 for the entries of the book itself.
    pub depth: usize,
    /// The label that readers see.
    pub label: String,
    /// Where it leads, as written; empty for titles of parts and for chapters without a page.
    pub target: String,
    /// It stands in a list, and not beside the lists.
    pub in_list: bool,
}

/// Reads the entries, in order: links in lists by their depth, links beside lists, and headings as titles of the lists
/// below them.
pub fn parse_summary(text: &str) -> Vec<BookEntry> {
    let mut reader = SummaryReader::default();
    for event in Parser::new(text) {
        reader.event(event);
    }
    reader.items
}

#[derive(Default)]
struct SummaryReader {
    items: Vec<BookEntry>,
    /// Open lists: whether the item that is open in each has an entry, and its words so far.
    lists: Vec<(bool, String)>,
    /// A title stands above the lists.
    in_part: bool,
    heading: Option<String>,
    /// The link that is open.
    link: Option<(String, String)>,
    /// The first heading of the highest level is the title of the list itself.
    has_begun: bool,
    in_code: bool,
}

impl SummaryReader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            // what GitBook makes of descriptions of an API
            Event::Start(Tag::CodeBlock(_)) => self.in_code = true,
            Event::End(TagEnd::CodeBlock) => self.in_code = false,
            Event::Text(_) if self.in_code => {}
            Event::Start(Tag::Heading { level, .. }) => {
                let is_title = !self.has_begun && level == HeadingLevel::H1;
                self.heading = (!is_title).then(String::new);
                self.has_begun = true;
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some(label) = self.heading.take() {
                    self.in_part = true;
                    self.items.push(BookEntry { label: label.trim().to_owned(), ..BookEntry::default() });
                }
            }
            Event::Start(Tag::List(_)) => {
                self.end_words();
                self.lists.push((true, String::new()));
            }
            Event::End(TagEnd::List(_)) => {
                self.lists.pop();
            }
            Event::Start(Tag::Item) => {
                self.lists.last_mut().into_iter().for_each(|item| *item = (false, String::new()))
            }
            Event::End(TagEnd::Item) => self.end_words(),
            Event::Start(Tag::Link { dest_url, .. }) => self.link = Some((String::new(), dest_url.into_string())),
            Event::End(TagEnd::Link) => self.end_link(),
            Event::Text(text) | Event::Code(text) => self.words(&text),
            Event::SoftBreak | Event::HardBreak => self.words(" "),
            _ => {}
        }
    }

    fn words(&mut self, text: &str) {
        match (&mut self.link, &mut self.heading, self.lists.last_mut()) {
            (Some((label, _)), ..) | (None, Some(label), _) | (None, None, Some((_, label))) => label.push_str(text),
            _ => {}
        }
    }

    fn end_link(&mut self) {
        let Some((label, target)) = self.link.take() else { return };
        self.has_begun = true;
        if self.lists.is_empty() {
            // chapters before and after the parts
            self.in_part = false;
        }
        self.lists.last_mut().into_iter().for_each(|item| item.0 = true);
        self.push(label, target);
    }

    /// An item of nothing but words names the list in it.
    fn end_words(&mut self) {
        let Some((has_entry, words)) = self.lists.last_mut() else { return };
        let words = std::mem::take(words);
        if !std::mem::replace(has_entry, true) && !words.trim().is_empty() {
            self.push(words, String::new());
        }
    }

    fn push(&mut self, label: String, target: String) {
        let depth = self.lists.len().saturating_sub(1) + usize::from(self.in_part && !self.lists.is_empty());
        let in_list = !self.lists.is_empty();
        self.items.push(BookEntry { depth, label: label.trim().to_owned(), target, in_list });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let shown = |item: &BookEntry| {
            format!("{}{} -> {}", "  ".repeat(item.depth), item.label, item.target).trim_end_matches(" -> ").to_owned()
        };
        assert_eq!(parse_summary(text).iter().map(shown).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn books_have_parts_and_chapters() {
        check(
            "# Summary\n\n[Preface](preface.md)\n\n# Part *one*\n\n- [A `x`](a.md)\n  - [B](a/b.md)\n- [Draft]()\n\n---\n\n[End](end.md)\n",
            &["Preface -> preface.md", "Part one", "  A x -> a.md", "    B -> a/b.md", "  Draft", "End -> end.md"],
        );
        check(
            "# Table of contents\n\n* [Start](README.md)\n* More\n  * [C](c.md)\n\n## Group\n\n* [D](d.md \"t\")\n",
            &["Start -> README.md", "More", "  C -> c.md", "Group", "  D -> d.md"],
        );
        check("Nothing here.\n", &[]);
    }
}
