//! What other diagnostics of a page account for, and the words of those of the census.

use std::ops::Range;

use memchr::memmem;

use base::Diagnostic;
use base::cut::SliceText as _;

use super::CountedFile;

/// Codes of problems that say that a part of a page is left out.
const LEFT_OUT: [&str; 14] = [
    "component-browser",
    "component-framework",
    "element-dropped",
    "footnote-unused",
    "frame-content",
    "import-kind",
    "include-unread",
    "panel-suppressed",
    "reference-unread",
    "script-failed",
    "script-unclosed",
    "shortcode-unknown",
    "table-cells",
    "template-expression",
];

/// Codes of problems that say that a page, or the rest of it, is left out.
const ALL_LEFT_OUT: [&str; 5] = ["not-utf8", "page-failed", "page-too-large", "script-time", "snippet-depth"];

/// Most words that a diagnostic names.
const MAX_NAMED_WORDS: usize = 12;
/// Longest part of a word or an address that is looked at or named, characters.
const MAX_WORD_LETTERS: usize = 40;

/// Most problems of a page that each picture is compared with; beyond them, all is taken to be told.
const MAX_COMPARED: usize = 1_000;

/// Parts of a source that are reported as left out, in their order; none begins before the one before it ends.
#[derive(Debug, Default)]
pub(super) struct Accounted(Vec<Range<usize>>);

impl Accounted {
    /// By what is reported of a page.
    pub(super) fn of(written: &CountedFile<'_>, known: &[Diagnostic]) -> Self {
        if known.iter().any(|problem| ALL_LEFT_OUT.contains(&problem.code)) {
            return Self(std::iter::once(0..usize::MAX).collect());
        }
        let mut of_page: Vec<&Diagnostic> =
            known.iter().filter(|problem| LEFT_OUT.contains(&problem.code) && problem.file == written.path).collect();
        of_page.sort_by_key(|problem| (problem.line, problem.column));
        let lines: Vec<usize> = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', written.file.as_bytes()).map(|newline| newline + 1))
            .collect();
        let mut parts: Vec<Range<usize>> = Vec::new();
        for problem in of_page {
            let line = problem.line.checked_sub(1).map(|line| lines.get(line as usize).copied());
            let part = line.map_or(0..written.file.len(), |start| {
                region(written.file, start.unwrap_or(written.file.len()), problem)
            });
            match parts.last_mut() {
                Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
                _ => parts.push(part),
            }
        }
        Self(parts)
    }

    /// Whether a place of the source is in one of them.
    pub(super) fn holds(&self, at: usize) -> bool {
        let after = self.0.partition_point(|part| part.start <= at);
        self.0.get(..after).and_then(<[_]>::last).is_some_and(|part| part.contains(&at))
    }
}

/// Whether a problem of the page names an address: as far as messages name long ones.
pub(super) fn is_named(address: &str, known: &[Diagnostic]) -> bool {
    let end = address.char_indices().nth(MAX_WORD_LETTERS).map_or(address.len(), |(at, _)| at);
    let is_one = |problem: &Diagnostic| problem.message.contains(address.slice(..end));
    !address.is_empty() && (known.len() > MAX_COMPARED || known.iter().any(is_one))
}

/// What a problem in the line that begins at `start` is about: the element that begins at its place, or what stands there
/// up to an empty line, with the indented blocks that follow.
fn region(file: &str, start: usize, problem: &Diagnostic) -> Range<usize> {
    let rest = file.slice(start..);
    let column = rest.char_indices().nth(problem.column.saturating_sub(1) as usize).map_or(0, |(at, _)| at);
    let from = rest.slice(column..);
    let name_end =
        from.get(1..).and_then(|name| name.find(|c: char| !c.is_alphanumeric() && c != '.')).map_or(0, |at| at + 1);
    if from.starts_with('<') && name_end > 1 {
        let close = format!("</{}>", from.slice(1..name_end));
        if let Some(length) = memmem::find(from.as_bytes(), close.as_bytes()) {
            return start..start + column + length;
        }
    }
    let mut end = 0;
    let mut after_blank = false;
    for line in rest.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        if after_blank && !is_blank && !line.starts_with(' ') && !line.starts_with('\t') {
            break;
        }
        after_blank |= is_blank;
        end += line.len();
    }
    start..start + end
}

/// That a page lacks words. `texts` are the runs of them.
pub(super) fn lost_words<'t>(count: usize, texts: impl Iterator<Item = &'t str>) -> Diagnostic {
    let words = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric())).filter(|word| !word.is_empty());
    let mut named: Vec<String> =
        words.take(MAX_NAMED_WORDS + 1).map(|word| word.chars().take(MAX_WORD_LETTERS).collect()).collect();
    let more = if named.len() > MAX_NAMED_WORDS { " …" } else { "" };
    named.truncate(MAX_NAMED_WORDS);
    let what = if count == 1 { "a word".to_owned() } else { format!("{count} words") };
    Diagnostic::new("lost-words", format!("the page lacks {what} of its source: “{}{more}”", named.join(" ")))
        .hint("write this part in another way; where the text is right, report it: the export must not lose it")
}

/// That a page lacks a picture, a formula or a diagram.
pub(super) fn lost_medium(what: &str, name: &str) -> Diagnostic {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(120).collect();
    Diagnostic::new("lost-picture", format!("the page lacks {what} of its source: `{}`", name.trim()))
        .hint("write it in another way; where the text is right, report it: the export must not lose it")
}
