//! Short texts with inline Markdown: titles, descriptions, captions.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag};

use super::html::{is_html_tag, may_be_word, parts_words};
use super::{
    cjk::{self, mark_cjk},
    printable,
};

/// Stands before the text, so that nothing in it can start a block: a reference is punctuation to its neighbors, and
/// it decodes to a character that no text has a use for.
const GUARD: &str = "&#8288;";
const GUARD_CHAR: char = '\u{2060}';

/// Visits the events of a short text.
pub fn visit_short_text(text: &str, mut visit: impl FnMut(Event<'_>)) {
    let text = mark_cjk(text.trim());
    let has_marks = matches!(text, Cow::Owned(_));
    let mut guarded = String::with_capacity(GUARD.len() + text.len());
    guarded.push_str(GUARD);
    guarded.extend(text.chars().map(|c| if c == '\n' || c == '\r' { ' ' } else { c }));
    for event in Parser::new_ext(&guarded, Options::ENABLE_STRIKETHROUGH) {
        visit(match event {
            // a character reference is an event of its own
            event if has_marks => without_marks(event),
            Event::Text(text) if text.len() <= 4 && text.chars().any(printable::is_unprintable) => {
                Event::Text(printable::printable(&text).into_owned().into())
            }
            event => event,
        });
    }
}

fn without_marks(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Text(text) => Event::Text(unmarked(text)),
        Event::Code(code) => Event::Code(unmarked(code)),
        Event::InlineHtml(html) => Event::InlineHtml(unmarked(html)),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: unmarked(dest_url), title, id })
        }
        event => event,
    }
}

/// Text of an event without the marks that the parser was helped with, and without what no text shows.
fn unmarked(text: CowStr<'_>) -> CowStr<'_> {
    if !text.chars().any(printable::is_unprintable) {
        return text;
    }
    let shown = text
        .chars()
        .filter(|c| *c != cjk::MARK)
        .map(|c| if printable::is_unprintable(c) { printable::REPLACEMENT } else { c });
    shown.collect::<String>().into()
}

/// Text of an event without what [`visit_short_text`] put before it.
pub fn unguarded(text: &str) -> &str {
    text.strip_prefix(GUARD_CHAR).unwrap_or(text)
}

/// Whether a text has nothing that Markdown would read.
pub fn has_no_markdown(text: &str) -> bool {
    !text.bytes().any(|byte| matches!(byte, b'*' | b'_' | b'`' | b'~' | b'[' | b'\\' | b'&'))
}

/// Where the tags of HTML elements stand in a text, and the names of these; `List<String>` has none, and neither has
/// `<path>` that nothing closes: that is a word in angle brackets.
fn html_tags(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let mut ends: Option<BTreeSet<String>> = None;
    memchr::memchr_iter(b'<', text.as_bytes()).filter_map(move |start| {
        let rest = text.get(start + 1..)?;
        let name = tag_name(rest)?;
        let length = rest.find('>').filter(|at| !rest.get(..*at).is_some_and(|tag| tag.contains('<')))?;
        let is_bare = rest.get(..length).is_some_and(|inside| inside.len() == name.len());
        if is_bare && may_be_word(&name) && !ends.get_or_insert_with(|| end_tags(text)).contains(&name) {
            return None;
        }
        Some((start..start + 1 + length + 1, name))
    })
}

/// The name of an HTML element whose tag goes on with a text behind its `<`, in small letters.
fn tag_name(rest: &str) -> Option<String> {
    let named = rest.strip_prefix('/').unwrap_or(rest);
    let end = named.find(|c: char| !c.is_ascii_alphanumeric())?;
    let name = named.get(..end)?.to_ascii_lowercase();
    let is_tag = named.get(end..)?.starts_with(['>', '/', ' ', '\t', '\n', '\r']);
    (is_tag && is_html_tag(&name)).then_some(name)
}

/// The names of the elements that a text closes.
fn end_tags(text: &str) -> BTreeSet<String> {
    text.match_indices("</").filter_map(|(at, _)| tag_name(text.get(at + 1..)?)).collect()
}

/// Whether a text has elements of HTML.
pub fn has_html(text: &str) -> bool {
    html_tags(text).next().is_some()
}

/// A text without the tags of its HTML elements.
pub fn without_html(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut end = 0;
    for (tag, name) in html_tags(text) {
        out.push_str(text.get(end..tag.start).unwrap_or_default());
        if parts_words(&name) {
            out.push(' ');
        }
        end = tag.end;
    }
    if end == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(end..).unwrap_or_default());
    Cow::Owned(out)
}

/// What a short text says, for where no marks are read: link previews, names of windows, lists of pages.
pub fn short_text_words(text: &str) -> Cow<'_, str> {
    if has_no_markdown(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    visit_short_text(text, |event| match event {
        Event::Text(text) | Event::InlineHtml(text) | Event::Html(text) => out.push_str(unguarded(&text)),
        Event::Code(code) => out.push_str(&code),
        Event::SoftBreak | Event::HardBreak => out.push(' '),
        _ => {}
    });
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_html_are_told_from_words_in_angle_brackets() {
        for (text, words) in [
            ("A <b>bold</b> word<br/>and <a href=\"/x\">more</a>", "A bold word and more"),
            ("<P>One</P><p class='x'>two</p>", " One  two "),
            ("List<String> of <T>, a < b and <b", "List<String> of <T>, a < b and <b"),
            ("a<tt>b</tt>c <small>d</small><wbr>e", "abc de"),
            ("a<blockquote>b</blockquote>c<section>d</section>", "a b c d "),
            ("<details><summary>a</summary>b</details><figure>c</figure>", "  a b  c "),
            ("put /files/<path> and <title>, or <data>x</data>", "put /files/<path> and <title>, or x"),
        ] {
            assert_eq!(without_html(text), words);
            assert_eq!(has_html(text), words != text);
        }
    }

    #[test]
    fn words_have_no_marks() {
        for (text, expect) in [
            ("Plain \"text\" -- <T>", "Plain \"text\" -- <T>"),
            ("See [a](/a) and `code` & **bold**", "See a and code & bold"),
            ("B: $x$ & `a_b` *c* ~~d~~", "B: $x$ & a_b c d"),
            ("snake_case, 2 * 3, [x] and a &amp; b", "snake_case, 2 * 3, [x] and a & b"),
            ("`List<T>` of <T>", "List<T> of <T>"),
            ("# 1. no *block*", "# 1. no block"),
            ("![picture](/a.png) it", "picture it"),
            ("**「名」**です *(강)*조 `は**、`", "「名」です (강)조 は**、"),
            ("a&#1;b &#xFDD0;", "a\u{fffd}b \u{fffd}"),
        ] {
            assert_eq!(short_text_words(text), expect, "{text}");
        }
    }
}
