//! A census of every page: the words and pictures of its source against those of what is written for readers.
//!
//! Each word is counted: a page has to say it as often as its source does. What a page says in addition is no fault:
//! snippets, and what components and API descriptions add. `source` reads what the author wrote, with no parser that
//! makes pages; the words of the page are those that search counts anyway. Most pages lack nothing and that is the end
//! of it. Of the others all ways are read in which a page says something (`page`), missing words get their places
//! (`lost`), and what rules or other diagnostics account for is taken out (`account`).

mod account;
mod lost;
mod media;
mod page;
mod source;
#[cfg(test)]
mod tests;

use std::cell::LazyCell;

use schemars::JsonSchema;
use serde::Serialize;

use base::Diagnostic;
use base::cut::SliceText as _;
use search::{WordsSaid, scan_whole_words};
use site::problems::line_column;

use account::Accounted;
use lost::LostWords;
use page::ReadPage;
pub use source::{PageSyntax, Source};

/// Words of pages: how many their sources have, and how many of these the pages say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WordCounts {
    /// In sources, as far as pages have to say them.
    pub written: u64,
    /// Of these, on pages.
    pub found: u64,
}

impl std::ops::AddAssign for WordCounts {
    fn add_assign(&mut self, other: Self) {
        self.written += other.written;
        self.found += other.found;
    }
}

/// The source of a page that is counted.
#[derive(Clone, Copy, Debug)]
pub struct CountedFile<'a> {
    /// Its path.
    pub path: &'a str,
    /// All of its text.
    pub file: &'a str,
    /// What it is written in.
    pub syntax: PageSyntax,
}

/// A page that is made of it.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// Its content: what stands in the middle and beside it.
    pub html: [&'a str; 2],
    /// What stands elsewhere on the page though the source has it in its text: a title. Empty if there is nothing.
    pub title: &'a str,
    /// What its interactive components are made from: they may show some of it when they run.
    pub later: &'a str,
}

/// The result of a census.
#[derive(Debug, Default)]
pub struct Census {
    /// Words.
    pub words: WordCounts,
    /// What the page lacks.
    pub problems: Vec<Diagnostic>,
}

/// What the words that search has found on a page tell.
#[derive(Clone, Copy, Debug)]
pub struct QuickCount {
    /// Words of the source.
    pub written: u64,
    /// Whether the page says all of them as often.
    pub is_complete: bool,
}

/// Counts the words of a source against those that search has found on the page, and its title.
pub fn quick_count(source: &Source, title: &str, said: &mut WordsSaid<'_>) -> QuickCount {
    said.add(title);
    let mut count = QuickCount { written: 0, is_complete: true };
    scan_whole_words(source.text(), &mut |word, hash| {
        count.written += 1;
        count.is_complete &= said.take(hash, word);
    });
    count
}

/// Counts a page: word by word, unless a quick count has found all of them, and its pictures, formulas and diagrams.
/// `known`: what is reported of it already.
pub fn count_page(
    written: &CountedFile<'_>,
    source: &Source,
    made: &Made<'_>,
    known: &[Diagnostic],
    quick: Option<QuickCount>,
) -> Census {
    let page = LazyCell::new(|| ReadPage::of(made));
    let accounted = LazyCell::new(|| Accounted::of(written, known));
    let mut census = match quick {
        Some(QuickCount { written, is_complete: true }) => {
            Census { words: WordCounts { written, found: written }, problems: Vec::new() }
        }
        _ => {
            let lost = lost::lost_words(source, &page, made.later, |at| accounted.holds(at));
            words_census(written, source, &lost)
        }
    };
    let mut missing = media::missing_media(source, written.file, &made.html);
    missing.retain(|shown| {
        let address = written.file.get(shown.inside.clone()).unwrap_or_default();
        !accounted.holds(shown.at) && !account::is_named(address, known)
    });
    if let Some(shown) = media::lost_medium(&missing, written.file, || &*page) {
        let name = written.file.get(shown.inside.clone()).unwrap_or_default();
        census.problems.push(written.place(account::lost_medium(shown.medium.what(), name), shown.at));
    }
    census
}

/// What is told of words that a page lacks: all of them in one diagnostic, at the first.
fn words_census(written: &CountedFile<'_>, source: &Source, lost: &LostWords) -> Census {
    let count: usize = lost.runs.iter().map(|run| run.words).sum();
    let expected = lost.written.saturating_sub(lost.accounted) as u64;
    let words = WordCounts { written: expected, found: expected.saturating_sub(count as u64) };
    let problem = lost.runs.first().map(|first| {
        let texts = lost.runs.iter().map(|run| source.text().slice(run.range.clone()));
        written.place(account::lost_words(count, texts), source.place(first.range.start))
    });
    Census { words, problems: problem.into_iter().collect() }
}

impl CountedFile<'_> {
    /// Puts a problem at an offset of the file.
    fn place(&self, problem: Diagnostic, at: usize) -> Diagnostic {
        let (line, column) = line_column(self.file, at);
        problem.at(self.path, line, column)
    }
}
