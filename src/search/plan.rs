//! How an index is split: few files, because hosts limit their number, and small ones, because readers load them.

use super::postings::Term;
use super::word::{JOINT, NAME_MARK};

/// Up to so many pages an index is one file.
const SINGLE: usize = 24;
/// Pages for each file of an index, the client's own included.
const PAGES_PER_FILE: usize = 20;
/// Files of the smallest index that has several: its start, two of words, one of texts.
const LEAST_FILES: usize = 4;
/// Words that the client knows from the start, to complete short beginnings and to find misspelt ones.
const FREQUENT: usize = 7_000;

/// The cut of an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexPlan {
    /// Pages whose texts share a file.
    pub(super) pages_per_text: usize,
    /// Files of words.
    word_files: usize,
    /// Bytes of running text that are kept of a page, for snippets.
    pub(super) text_bytes: usize,
}

impl IndexPlan {
    /// The cut of an index of so many pages.
    pub(super) fn of(pages: usize) -> Self {
        if pages <= SINGLE {
            return Self { pages_per_text: SINGLE.max(1), word_files: 0, text_bytes: 6_000 };
        }
        // one is the start, one more is kept for the client
        let files = (pages / PAGES_PER_FILE).saturating_sub(1).max(LEAST_FILES) - 1;
        let word_files = (files * 36 / 100).max(2);
        let text_files = (files - word_files).max(1);
        // a result of a large site costs the file of its text: less text, the more of the budget goes elsewhere
        let text_bytes = match pages {
            ..=2_000 => 3_000,
            2_001..=6_000 => 2_400,
            _ => 1_800,
        };
        Self { pages_per_text: pages.div_ceil(text_files), word_files, text_bytes }
    }

    /// Everything in the first file.
    pub(super) fn is_single(&self) -> bool {
        self.word_files == 0
    }

    /// Sorted words as parts of about the same size.
    pub(super) fn split<'t>(&self, terms: &'t [Term]) -> Vec<&'t [Term]> {
        let size = |term: &Term| term.postings.len() + term.word.len() / 2 + 4;
        let total: usize = terms.iter().map(size).sum();
        let share = total / self.word_files.max(1) + 1;
        let mut out = Vec::with_capacity(self.word_files);
        let (mut from, mut sum) = (0, 0);
        for (at, term) in terms.iter().enumerate() {
            // a part ends where the sum of all parts is due
            if at > from && sum + size(term) / 2 > share * (out.len() + 1) && out.len() + 1 < self.word_files {
                out.push(&terms[from..at]);
                from = at;
            }
            sum += size(term);
        }
        if from < terms.len() {
            out.push(&terms[from..]);
        }
        out
    }

    /// The words that most pages say, in order. Pairs of characters, joined words, names and bare numbers are excluded:
    /// they are not misspelled.
    pub(super) fn frequent<'t>(&self, terms: &'t [Term]) -> Vec<&'t Term> {
        let is_word = |term: &&Term| {
            let mut chars = term.word.chars();
            term.word.len() > 2
                && chars.next().is_some_and(|c| !super::word::is_paired(c))
                && !term.word.bytes().all(|byte| byte.is_ascii_digit())
                && !term.word.contains([JOINT, NAME_MARK])
        };
        let mut out: Vec<(usize, &Term)> = terms.iter().filter(is_word).enumerate().collect();
        if out.len() > FREQUENT {
            out.sort_unstable_by_key(|(at, term)| (std::cmp::Reverse(term.pages), *at));
            out.truncate(FREQUENT);
            out.sort_unstable_by_key(|(at, _)| *at);
        }
        out.into_iter().map(|(_, term)| term).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_few() {
        for pages in [80, 100, 1_000, 10_000, 50_000] {
            let plan = IndexPlan::of(pages);
            let files = 1 + plan.word_files + pages.div_ceil(plan.pages_per_text);
            assert!(
                files < (pages / PAGES_PER_FILE).max(LEAST_FILES + 1),
                "{pages} pages: {files} files beside the client"
            );
        }
        assert!(
            IndexPlan::of(0).is_single() && IndexPlan::of(SINGLE).is_single() && !IndexPlan::of(SINGLE + 1).is_single()
        );
    }

    #[test]
    fn parts_are_even_and_whole() {
        let term = |n: usize| Term { word: format!("w{n:04}"), pages: 1, postings: vec![0; n % 90] };
        let terms: Vec<Term> = (0..5000).map(term).collect();
        let parts = IndexPlan::of(2_000).split(&terms);
        assert_eq!(parts.iter().map(|part| part.len()).sum::<usize>(), terms.len());
        assert_eq!(parts.len(), IndexPlan::of(2_000).word_files);
        let sizes: Vec<usize> =
            parts.iter().map(|part| part.iter().map(|term| term.postings.len() + 6).sum()).collect();
        assert!(sizes.iter().max().unwrap() < &(sizes.iter().min().unwrap() * 2), "{sizes:?}");
        assert!(IndexPlan::of(2_000).split(&[]).is_empty());
    }
}
