//! Which words of a source a page lacks, and where they stand: found by counts, place by place only where something is
//! missing.

use std::ops::Range;

use memchr::memmem;
use rustc_hash::FxHashMap;

use base::cut::SliceText as _;
use search::scan_whole_words;

use super::page::{self, ReadPage};
use super::source::Source;

/// Bytes of pages that are looked through for missing words, letter by letter.
const MAX_LOOKED: usize = 1 << 26;
/// What a find costs, in bytes that are looked through.
const FIND_BYTES: usize = 1 << 8;

/// Counts of words by their hashes.
#[derive(Debug, Default)]
struct HashCounts(FxHashMap<u64, u32>);

impl HashCounts {
    fn add(&mut self, text: &str) {
        scan_whole_words(text, &mut |_, hash| *self.0.entry(hash).or_default() += 1);
    }

    fn take(&mut self, hash: u64) -> bool {
        self.0.get_mut(&hash).filter(|count| **count > 0).is_some_and(|count| {
            *count -= 1;
            true
        })
    }
}

/// A word of a source.
#[derive(Clone, Debug)]
struct Word {
    hash: u64,
    /// Where it stands in the text.
    range: Range<usize>,
}

/// Words that follow each other in a source and that the page lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LostRun {
    /// Where they stand in the text of the source.
    pub(super) range: Range<usize>,
    /// How many there are.
    pub(super) words: usize,
}

/// What a page lacks of the words of its source.
#[derive(Debug, Default)]
pub(super) struct LostWords {
    /// Words of the source.
    pub(super) written: usize,
    /// Runs of words in their order.
    pub(super) runs: Vec<LostRun>,
    /// Words that stand where something is reported as left out.
    pub(super) accounted: usize,
}

/// Finds what a page lacks. `later` is what its interactive components are made from; `is_accounted` says of a place in
/// the source whether it is reported as left out.
pub(super) fn lost_words(
    source: &Source,
    page: &ReadPage,
    later: &str,
    is_accounted: impl Fn(usize) -> bool,
) -> LostWords {
    let mut counts = HashCounts::default();
    counts.add(&page.text);
    counts.add(&page.aside);
    let mut words = words_of(source.text());
    let written = words.len();
    let mut missing: FxHashMap<u64, usize> = FxHashMap::default();
    for word in &words {
        if !counts.take(word.hash) {
            *missing.entry(word.hash).or_default() += 1;
        }
    }
    if missing.is_empty() {
        return LostWords { written, ..LostWords::default() };
    }
    let mut accounted = 0;
    // a word that is missing is that which is reported
    words.retain(|word| {
        let missing = missing.get_mut(&word.hash).filter(|count| **count > 0);
        let is_reported = missing.is_some() && is_accounted(source.place(word.range.start));
        if let Some(count) = missing.filter(|_| is_reported) {
            *count -= 1;
            accounted += 1;
        }
        !is_reported
    });
    let mut places = LetterPlaces::new(source, page, later);
    let is_missing = |at: usize| missing.get(&words[at].hash).is_some_and(|count| *count > 0);
    let absent: Vec<usize> = (0..words.len()).filter(|at| is_missing(*at) && places.lacks(&words, *at)).collect();
    let span = |run: Range<usize>| words[run.start].range.start..words[run.end - 1].range.end;
    let runs = runs(&words, &absent, missing);
    let runs = runs.into_iter().map(|run| LostRun { words: run.len(), range: span(run) }).collect();
    LostWords { written, runs, accounted }
}

/// Of the places where words are absent, as many as are missing, those first where most of them follow each other: as
/// ranges of words.
fn runs(words: &[Word], absent: &[usize], mut missing: FxHashMap<u64, usize>) -> Vec<Range<usize>> {
    let mut candidates: Vec<&[usize]> = absent.chunk_by(|one, next| one + 1 == *next).collect();
    candidates.sort_by_key(|run| (std::cmp::Reverse(run.len()), run[0]));
    let mut lost: Vec<usize> = candidates.into_iter().flatten().copied().collect();
    lost.retain(|at| {
        let left = missing.get_mut(&words[*at].hash).filter(|left| **left > 0);
        left.is_some_and(|left| {
            *left -= 1;
            true
        })
    });
    lost.sort_unstable();
    lost.chunk_by(|one, next| one + 1 == *next).map(|run| run[0]..run[0] + run.len()).collect()
}

/// Tells for each place where a missing word stands in a source whether the page lacks it there. Words may have other
/// borders on a page (`foo*bar*` is `foobar` there), so that is decided by the letters around.
struct LetterPlaces<'s> {
    source: &'s str,
    /// The letters of the source, and those of the page: with borders between blocks, and without.
    parted: [String; 4],
    joined: [String; 4],
    /// Bytes that may still be looked through.
    left: usize,
}

impl<'s> LetterPlaces<'s> {
    fn new(source: &'s Source, page: &ReadPage, later: &str) -> Self {
        let parted = [source.text(), &page.text, &page.aside, &page::text_of_islands(later)].map(condensed);
        let joined = parted.each_ref().map(|text| text.replace(BORDER, ""));
        Self { source: source.text(), parted, joined, left: MAX_LOOKED }
    }

    fn lacks(&mut self, words: &[Word], at: usize) -> bool {
        if is_sign(self.source, &words[at].range) {
            return false;
        }
        let before = at.checked_sub(1).filter(|before| self.is_one_block(words, *before, at));
        let after = Some(at + 1).filter(|after| *after < words.len() && self.is_one_block(words, at, *after));
        let (first, last) = (before.unwrap_or(at), after.unwrap_or(at));
        !(self.crosses_blocks(&words[at].range)
            || self.says(words, first, last)
            || first < at && at < last && self.says(words, first, at) && self.says(words, at, last))
    }

    /// Whether the page has a word as often, and parts it somewhere: `<b>a</b><i>b</i>` may stand in two blocks there.
    fn crosses_blocks(&mut self, word: &Range<usize>) -> bool {
        let letters = only_letters(self.source.slice(word.clone()));
        if letters.len() < 2 {
            return false;
        }
        let (said, written) = self.counts(&letters, &self.joined);
        let (whole, _) = self.counts(&letters, &self.parted);
        let found = said > whole && said >= written;
        self.spend(2, said + written + whole);
        found && self.left > 0
    }

    /// How often some letters stand in the page and in the source.
    fn counts(&self, letters: &str, texts: &[String; 4]) -> (usize, usize) {
        if self.left == 0 {
            return (0, 1);
        }
        let [written, said @ ..] = texts;
        (said.iter().map(|text| occurrences(text, letters)).sum(), occurrences(written, letters))
    }

    /// Notes that all texts were looked through, and how often something was found.
    fn spend(&mut self, times: usize, finds: usize) {
        let size: usize = self.parted.iter().map(String::len).sum();
        self.left = self.left.saturating_sub(size * times + finds * FIND_BYTES);
    }

    /// Whether nothing between two words of the source may part them on the page.
    fn is_one_block(&self, words: &[Word], one: usize, next: usize) -> bool {
        let between = self.source.get(words[one].range.start..words[next].range.start).unwrap_or_default();
        !between.contains(['\n', '|'])
    }

    /// Whether the page has the letters of some words as often as the source.
    fn says(&mut self, words: &[Word], first: usize, last: usize) -> bool {
        let letters = condensed(self.source.slice(words[first].range.start..words[last].range.end));
        let letters = letters.trim_matches(BORDER);
        if letters.is_empty() {
            // signs that are no letters have no place that can be found
            return true;
        }
        let (said, written) = self.counts(letters, &self.parted);
        self.spend(1, said + written);
        said >= written
    }
}

/// How often some letters stand in a text, also where they overlap.
fn occurrences(text: &str, letters: &str) -> usize {
    let finder = memmem::Finder::new(letters);
    let (mut count, mut rest) = (0, text.as_bytes());
    while let Some(at) = finder.find(rest) {
        count += 1;
        rest = rest.get(at + 1..).unwrap_or_default();
    }
    count
}

/// Whether a word is one that is written for a sign: `(c)`, `1/2`.
fn is_sign(text: &str, word: &Range<usize>) -> bool {
    let letters = text.slice(word.clone()).trim_end_matches(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric());
    let (before, after) = (text.slice(..word.start), text.slice(word.start + letters.len()..));
    let is_digit = letters.len() == 1 && letters.bytes().all(|byte| byte.is_ascii_digit());
    if is_digit {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        return before.ends_with('/') && digit(before.chars().rev().nth(1))
            || after.starts_with('/') && digit(after.chars().nth(1));
    }
    before.ends_with('(')
        && after.starts_with(')')
        && ["c", "p", "r", "tm"].iter().any(|sign| letters.eq_ignore_ascii_case(sign))
}

/// What parts blocks in condensed texts.
const BORDER: char = '\n';

/// The letters and digits of a text as small letters, with one border where there are line ends.
fn condensed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if c == '\n' && !out.ends_with(BORDER) {
            out.push(BORDER);
        }
    }
    out
}

/// The letters and digits of a text, as small letters.
pub(super) fn only_letters(text: &str) -> String {
    condensed(text).replace(BORDER, "")
}

/// The words of a text with their places.
fn words_of(text: &str) -> Vec<Word> {
    let mut out = Vec::new();
    let mut at = 0;
    for piece in text.split_inclusive(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric()) {
        scan_whole_words(piece, &mut |_, hash| out.push(Word { hash, range: at..at + piece.len() }));
        at += piece.len();
    }
    out
}
