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

use serde::Serialize;

use crate::base::Diagnostic;
use crate::base::cut::SliceText as _;
use crate::output::search::{WordsSaid, scan_whole_words};
use crate::source::site::problems::line_column;

use account::Accounted;
use page::ReadPage;
pub use source::{Source, Syntax};

/// Words of pages: how many their sources have, and how many of these the pages say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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
    pub syntax: Syntax,
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

/// How many words a source has, and whether a page says all of them as often and has its pictures.
pub fn quick_count(
    written: &CountedFile<'_>,
    source: &Source,
    made: &Made<'_>,
    said: &mut WordsSaid<'_>,
) -> (u64, bool) {
    said.add(made.title);
    let (mut words, mut is_complete) = (0, true);
    scan_whole_words(source.text(), &mut |word, hash| {
        words += 1;
        is_complete &= said.take(hash, word);
    });
    (words, is_complete && media::missing_media(source, written.file, &made.html).is_empty())
}

/// Counts a page word by word. `known`: what is reported of it already.
pub fn full_count(written: &CountedFile<'_>, source: &Source, made: &Made<'_>, known: &[Diagnostic]) -> Census {
    let mut page = ReadPage::default();
    page.add_later(made.later);
    made.html.iter().for_each(|html| page.add(html));
    page.aside.push_str(made.title);
    let accounted = Accounted::of(written, known);
    let lost = lost::lost_words(source, &page, |at| accounted.holds(at));
    let count: usize = lost.runs.iter().map(|run| run.words).sum();
    let expected = lost.written.saturating_sub(lost.accounted) as u64;
    let words = WordCounts { written: expected, found: expected.saturating_sub(count as u64) };
    let mut problems = Vec::new();
    if let Some(first) = lost.runs.first() {
        let texts = lost.runs.iter().map(|run| source.text().slice(run.range.clone()));
        problems.push(written.place(account::lost_words(count, texts), source.place(first.range.start)));
    }
    let mut missing = media::missing_media(source, written.file, &made.html);
    missing.retain(|shown| {
        let address = written.file.get(shown.inside.clone()).unwrap_or_default();
        !accounted.holds(shown.at) && !account::is_named(address, known)
    });
    if let Some(shown) = media::lost_medium(&missing, written.file, &page) {
        let name = written.file.get(shown.inside.clone()).unwrap_or_default();
        problems.push(written.place(account::lost_medium(shown.medium.what(), name), shown.at));
    }
    Census { words, problems }
}

impl CountedFile<'_> {
    /// Puts a problem at an offset of the file.
    fn place(&self, problem: Diagnostic, at: usize) -> Diagnostic {
        let (line, column) = line_column(self.file, at);
        problem.at(self.path, line, column)
    }
}
