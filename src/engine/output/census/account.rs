//! What other diagnostics of a page account for, and the words of those of the census.

use std::ops::Range;

use memchr::memmem;

use crate::base::Diagnostic;
use crate::base::cut::SliceText as _;

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
const MAX_NAMED: usize = 12;
/// Longest part of a word or an address that is looked at or named, characters.
const MAX_LETTERS: usize = 40;

/// Parts of a source that are reported as left out.
#[derive(Debug, Default)]
pub(super) struct Accounted(Vec<Range<usize>>);

impl Accounted {
    /// By what is reported of a page.
    pub(super) fn of(written: &CountedFile<'_>, known: &[Diagnostic]) -> Self {
        if known.iter().any(|problem| ALL_LEFT_OUT.contains(&problem.code)) {
            return Self(std::iter::once(0..usize::MAX).collect());
        }
        let of_page = known.iter().filter(|problem| LEFT_OUT.contains(&problem.code) && problem.file == written.path);
        Self(of_page.map(|problem| region(written.file, problem)).collect())
    }

    /// Whether a place of the source is in one of them.
    pub(super) fn holds(&self, at: usize) -> bool {
        self.0.iter().any(|part| part.contains(&at))
    }
}

/// Whether a problem of the page names an address: as far as messages name long ones.
pub(super) fn is_named(address: &str, known: &[Diagnostic]) -> bool {
    let end = address.char_indices().nth(MAX_LETTERS).map_or(address.len(), |(at, _)| at);
    !address.is_empty() && known.iter().any(|problem| problem.message.contains(address.slice(..end)))
}

/// What a problem is about: the element that begins at its place, or what stands there up to an empty line, with the
/// indented blocks that follow. All of the text if the problem has no line.
fn region(file: &str, problem: &Diagnostic) -> Range<usize> {
    let Some(line) = problem.line.checked_sub(1) else { return 0..file.len() };
    let start: usize = file.split_inclusive('\n').take(line as usize).map(str::len).sum();
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
        words.take(MAX_NAMED + 1).map(|word| word.chars().take(MAX_LETTERS).collect()).collect();
    let more = if named.len() > MAX_NAMED { " …" } else { "" };
    named.truncate(MAX_NAMED);
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
