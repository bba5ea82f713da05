//! What a result shows of a page, as one text: fields end with [`FIELD`], the page with [`PAGE`].
//!
//! `title, url, place, anchor, heading, text, anchor, heading, text …`, one triple per section. Anchors are
//! percent-encoded.

use std::borrow::Cow;

use base::cut::SliceText as _;
use base::url;

use super::html::{CODE, CODE_END, HtmlSection, collapsed};
use super::page::SearchPage;

/// Ends a field.
pub(super) const FIELD: char = '\u{1}';
/// Ends a page.
pub(super) const PAGE: char = '\u{2}';

/// Longest title, heading or place, characters.
const MAX_LABEL_CHARS: usize = 160;
/// Most bytes of one block of code.
const CODE_BYTES: usize = 140;
/// Least bytes of a section's text, however little is left for it.
const MIN_SECTION_BYTES: usize = 48;

/// A page's text for results; `budget` bounds the bytes of running text.
pub(super) fn page_excerpt(page: &SearchPage<'_>, sections: &[HtmlSection], budget: usize) -> String {
    let cap = level(sections.iter().map(|section| section.text.len()), budget);
    let mut out = String::with_capacity(budget + 64 * sections.len());
    let mut field = |text: &str| {
        out.push_str(text);
        out.push(FIELD);
    };
    field(&excerpt_label(page.title));
    field(page.url);
    field(&excerpt_label(&page.place.join(" › ")));
    let mut text = String::new();
    for (index, section) in sections.iter().enumerate() {
        field(&url::encode_fragment(&section.anchor));
        field(&excerpt_label(&section.heading));
        text.clear();
        if index == 0 {
            append_words(&mut text, page.description, cap);
        }
        running(&mut text, section, cap);
        field(cut_at_word(&text, cap));
    }
    out.pop();
    out.push(PAGE);
    out
}

/// Appends the text of a section on one line, long code shortened, until there is enough of it.
fn running(out: &mut String, section: &HtmlSection, enough: usize) {
    let mut rest = section.text.as_str();
    while out.len() <= enough {
        let begin = rest.find(CODE).unwrap_or(rest.len());
        append_words(out, rest.slice(..begin), enough);
        let Some(code) = rest.get(begin + 1..) else { return };
        let end = code.find(CODE_END).unwrap_or(code.len());
        append_words(out, cut_at_word(code.slice(..end), CODE_BYTES), enough);
        rest = code.get(end + 1..).unwrap_or_default();
    }
}

/// Appends the words of a text with single spaces between them, until there is enough.
fn append_words(out: &mut String, text: &str, enough: usize) {
    let bytes = text.as_bytes();
    let mut at = 0;
    // other spaces and controls stay: they show as what they are
    while out.len() <= enough
        && let Some(start) = bytes[at..].iter().position(|byte| *byte > b' ').map(|spaces| at + spaces)
    {
        // words that stand one space apart already are copied together
        let is_end = |end: &usize| {
            bytes[*end] <= b' ' && (bytes[*end] != b' ' || bytes.get(*end + 1).is_none_or(|next| *next <= b' '))
        };
        let most = text.ceil_char_boundary((start + 1).saturating_add(enough - out.len()));
        let end = (start..most).find(is_end).unwrap_or(most);
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(text.slice(start..end));
        at = end;
    }
}

fn excerpt_label(text: &str) -> Cow<'_, str> {
    let text = collapsed(text);
    match text.char_indices().nth(MAX_LABEL_CHARS) {
        Some((end, _)) => Cow::Owned(text.slice(..end).to_owned()),
        None => text,
    }
}

/// At most `most` bytes, ending with a whole word where there are spaces.
fn cut_at_word(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let end = text.slice(..end).rfind(' ').filter(|space| space * 2 > end).unwrap_or(end);
    text.slice(..end)
}

/// The length at which texts are cut so that together they keep to a budget: short ones stay whole.
fn level(lengths: impl Iterator<Item = usize>, budget: usize) -> usize {
    let mut lengths: Vec<usize> = lengths.collect();
    lengths.sort_unstable();
    let mut left = budget;
    for (index, length) in lengths.iter().enumerate() {
        let share = left / (lengths.len() - index);
        if *length > share {
            return share.max(MIN_SECTION_BYTES);
        }
        left -= length;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_sections_leave_room_for_long_ones() {
        assert_eq!(level([10, 20, 30].into_iter(), 100), usize::MAX);
        assert_eq!(level([10, 500, 1000].into_iter(), 410), 200);
        assert_eq!(level([1000; 100].into_iter(), 100), MIN_SECTION_BYTES);
        assert_eq!(level(std::iter::empty(), 5), usize::MAX);
    }

    #[test]
    fn cuts_end_with_words() {
        assert_eq!(cut_at_word("one two three", 9), "one two");
        assert_eq!(cut_at_word("ééé", 3), "é");
        assert_eq!(cut_at_word("unbroken", 4), "unbr");
    }

    #[test]
    fn a_page_is_one_line_of_fields() {
        let sections = [
            HtmlSection { text: " Intro\n \u{1}let  x;\u{2} more".into(), ..HtmlSection::default() },
            HtmlSection { anchor: "a b".into(), heading: "A  \u{1} b".into(), text: "\u{3}T\u{4} text".into() },
        ];
        let page = SearchPage {
            title: "Title",
            url: "x.html",
            place: &["Tab", "Group"],
            description: "What it is.",
            ..SearchPage::default()
        };
        let expect = "Title|x.html|Tab › Group|||What it is. Intro let x; more|a%20b|A b|T text\u{2}";
        assert_eq!(page_excerpt(&page, &sections, 1000).replace(FIELD, "|"), expect);
    }
}
