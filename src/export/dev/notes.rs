//! Problems as the panel in the page shows them.

use std::path::Path;

use serde::Serialize;

use base::{Diagnostic, Severity};
use site::tree::read_below;

/// Most problems that the panel lists.
const MAX_LISTED_PROBLEMS: usize = 100;
/// Longest source line that is shown, bytes: longer ones are generated.
const LINE_BYTES: usize = 1000;

/// All that the panel says.
#[derive(Debug, Serialize)]
pub(super) struct Notes {
    errors: usize,
    warnings: usize,
    /// Errors first, then those of the page before those of the site.
    items: Vec<Note>,
}

#[derive(Debug, Serialize)]
struct Note {
    #[serde(flatten)]
    diagnostic: Diagnostic,
    /// The line of the source that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

impl Notes {
    /// Makes notes of what is wrong. `root` is where the files are.
    pub(super) fn new(root: &Path, found: impl IntoIterator<Item = Diagnostic>) -> Self {
        let mut all: Vec<Diagnostic> = found.into_iter().collect();
        all.sort_by_key(|diagnostic| std::cmp::Reverse(diagnostic.severity));
        let errors = all.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        let warnings = all.len() - errors;
        all.truncate(MAX_LISTED_PROBLEMS);
        let mut read: (String, Option<String>) = Default::default();
        let items = all.into_iter().map(|diagnostic| {
            if read.0 != diagnostic.file {
                read = (diagnostic.file.clone(), read_below(root, &diagnostic.file));
            }
            Note { source: read.1.as_deref().and_then(|text| line_at(text, diagnostic.line)), diagnostic }
        });
        Self { errors, warnings, items: items.collect() }
    }
}

/// A line of a text, from 1.
fn line_at(text: &str, number: u32) -> Option<String> {
    let line = text.split('\n').nth((number as usize).checked_sub(1)?)?.trim_end_matches('\r');
    (line.len() <= LINE_BYTES).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_first_and_lines_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.mdx"), "one\r\ntwo\n").unwrap();
        let found = [
            Diagnostic::warning("w", "m").at("a.mdx", 1, 1),
            Diagnostic::error("e", "m").at("a.mdx", 2, 0),
            Diagnostic::error("f", "m").at("../a.mdx", 1, 1),
        ];
        let notes = Notes::new(folder.path(), found);
        let shown: Vec<(&str, Option<&str>)> =
            notes.items.iter().map(|note| (note.diagnostic.code, note.source.as_deref())).collect();
        assert_eq!(shown, [("e", Some("two")), ("f", None), ("w", Some("one"))]);
        assert_eq!((notes.errors, notes.warnings), (2, 1));
        let flood = Notes::new(folder.path(), vec![Diagnostic::warning("w", "m"); 500]);
        assert_eq!((flood.items.len(), flood.warnings), (MAX_LISTED_PROBLEMS, 500));
    }
}
