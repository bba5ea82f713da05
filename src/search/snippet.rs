//! A page of the index to a result: the section that answers best, and the part of its text with most of the query.

use base::cut::SliceText as _;

use super::excerpt::{FIELD, PAGE};
use super::expand::QueryGroup;
use super::word::{WordParts, fold, is_paired, is_search_word_char, run_end, visit_words};

/// Characters of a snippet, and of what stands before its first match.
const SNIPPET_CHARS: usize = 170;
const LEAD_CHARS: usize = 40;

/// A page that answers a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hit {
    /// Its title.
    pub title: String,
    /// Its file from the bundle's root, percent-encoded, with the anchor of the section that answers best.
    pub url: String,
    /// Tab and groups that the page stands in.
    pub place: String,
    /// The version that it stands in; empty for pages of all or of several.
    pub version: String,
    /// The heading of that section; empty for the page's start.
    pub heading: String,
    /// Some of its text: pieces, and whether they match the query.
    pub snippet: Vec<(String, bool)>,
    /// Higher is better; comparable within one question only.
    pub score: f64,
}

/// What the index keeps of a page for results.
pub(super) struct IndexedText<'t> {
    title: &'t str,
    url: &'t str,
    place: &'t str,
    /// Anchor, heading, text.
    sections: Vec<[&'t str; 3]>,
}

impl<'t> IndexedText<'t> {
    /// The page at a place of a file of texts.
    pub(super) fn read(text: &'t str, at: usize) -> Option<Self> {
        let page = text.split(PAGE).nth(at).filter(|page| !page.is_empty())?;
        let mut fields = page.split(FIELD);
        let mut next = || fields.next();
        let (title, url, place) = (next()?, next()?, next()?);
        let sections = std::iter::from_fn(|| Some([next()?, next()?, next()?])).collect();
        Some(Self { title, url, place, sections })
    }

    /// Title, headings and running texts.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'t str> {
        std::iter::once(self.title).chain(self.sections.iter().flat_map(|[_, heading, text]| [*heading, *text]))
    }
}

/// The result for a page. `sections`: where the index says that each word matters most.
pub(super) fn hit(shown: &IndexedText<'_>, groups: &[QueryGroup], sections: &[Option<u32>], score: f64) -> Hit {
    let titled = query_words_said(shown.title, groups);
    let mut best = (f64::MIN, 0);
    for (at, [_, heading, text]) in shown.sections.iter().enumerate() {
        let (heading, text) = (query_words_said(heading, groups), query_words_said(text, groups));
        let worth = (0..groups.len()).map(|group| {
            let title = if at == 0 && titled[group] { 3.0 } else { 0.0 };
            let index = if sections.get(group).copied().flatten() == Some(at as u32) { 1.5 } else { 0.0 };
            title + index + if heading[group] { 3.0 } else { 0.0 } + if text[group] { 1.0 } else { 0.0 }
        });
        let worth: f64 = worth.sum();
        if worth > best.0 {
            best = (worth, at);
        }
    }
    let [anchor, heading, text] = shown.sections.get(best.1).copied().unwrap_or_default();
    let url = if anchor.is_empty() { shown.url.to_owned() } else { format!("{}#{anchor}", shown.url) };
    Hit {
        title: shown.title.to_owned(),
        url,
        place: shown.place.to_owned(),
        heading: heading.to_owned(),
        snippet: find_snippet(text, groups),
        score,
        ..Hit::default()
    }
}

/// Which words of the question a text says.
fn query_words_said(text: &str, groups: &[QueryGroup]) -> Vec<bool> {
    let mut out = vec![false; groups.len()];
    visit_words(text, WordParts::OfAny, &mut |word| {
        for (said, group) in out.iter_mut().zip(groups) {
            *said = *said || group.expansions.iter().any(|expansion| expansion.word == word);
        }
    });
    out
}

/// The matches of a query in a text: byte ranges with the number of the word.
fn find_query_matches(text: &str, groups: &[QueryGroup]) -> Vec<(usize, usize, usize)> {
    let find =
        |word: &str| groups.iter().position(|group| group.expansions.iter().any(|expansion| expansion.word == word));
    let mut out: Vec<(usize, usize, usize)> = Vec::new();
    let mut at = 0;
    while let Some(start) = text.slice(at..).find(is_search_word_char).map(|offset| at + offset) {
        let end = run_end(text, start);
        at = end;
        let run = text.slice(start..end);
        if !run.chars().any(is_paired) {
            let mut group = None;
            visit_words(run, WordParts::OfAny, &mut |word| group = group.or_else(|| find(word)));
            out.extend(group.map(|group| (start, end, group)));
            continue;
        }
        let chars: Vec<(usize, char)> = run.char_indices().map(|(offset, c)| (start + offset, c)).collect();
        for pair in chars.windows(2) {
            let to = pair[1].0 + pair[1].1.len_utf8();
            if let Some(group) = find(&fold(text.slice(pair[0].0..to))) {
                match out.last_mut().filter(|last| last.1 > pair[0].0) {
                    Some(last) => last.1 = to,
                    None => out.push((pair[0].0, to, group)),
                }
            }
        }
    }
    out
}

/// The part of a text with most of the words, in pieces.
fn find_snippet(text: &str, groups: &[QueryGroup]) -> Vec<(String, bool)> {
    let found = find_query_matches(text, groups);
    let kinds = |from: usize| {
        let near = found.iter().filter(|(start, ..)| *start >= from && *start < from + SNIPPET_CHARS - LEAD_CHARS);
        let mut kinds: Vec<usize> = near.map(|(_, _, group)| *group).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.len()
    };
    let mut best = (0, 0);
    for (start, ..) in &found {
        if kinds(*start) > best.0 {
            best = (kinds(*start), *start);
        }
    }
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let mut from = floor(best.1.saturating_sub(LEAD_CHARS));
    if from > 0 {
        from = text.slice(from..best.1).find(' ').map_or(from, |space| from + space + 1);
    }
    let mut to = floor(from + SNIPPET_CHARS);
    if to < text.len() {
        to = text.slice(from..to).rfind(' ').map_or(to, |space| from + space);
    }
    let mut out = Vec::new();
    let mut piece = |text: &str, marked: bool| {
        if !text.is_empty() {
            out.push((text.to_owned(), marked));
        }
    };
    piece(if from > 0 { "… " } else { "" }, false);
    let mut at = from;
    for (start, end, _) in found.into_iter().filter(|(start, end, _)| *start >= from && *end <= to) {
        piece(text.slice(at..start), false);
        piece(text.slice(start..end), true);
        at = end;
    }
    piece(text.slice(at..to.max(at)), false);
    piece(if to < text.len() { " …" } else { "" }, false);
    out
}
