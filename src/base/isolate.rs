//! A panic that a file causes costs that file alone: what is made of it runs inside [`isolate`], which turns the panic
//! into a diagnostic.
//!
//! A panic is always a mistake of this program: what is wrong with a file, its reader reports.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Diagnostic;

/// What a diagnostic says of a file of which the bundle has nothing.
pub const LEFT_OUT: &str = "it is left out";

/// What `make` returns; `None` if it panics.
///
/// What `make` was changing when it panicked has to be thrown away, or be right after every step.
pub fn catch_panic<T>(make: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(make)).ok()
}

/// What `make` returns for the file at `path`. If it panics, there is a diagnostic, in which `outcome` says what
/// becomes of the file: "it is left out".
pub fn isolate<T>(
    path: &str,
    outcome: &str,
    diagnostics: &mut Vec<Diagnostic>,
    make: impl FnOnce(&mut Vec<Diagnostic>) -> T,
) -> Option<T> {
    let made = catch_panic(|| make(diagnostics));
    if made.is_none() {
        diagnostics.push(file_failed(path, outcome));
    }
    made
}

/// The diagnostic of a file that caused a panic.
pub fn file_failed(path: &str, outcome: &str) -> Diagnostic {
    let message = format!("an internal error stopped the reading or making of `{path}`: {outcome}");
    Diagnostic::new("file-failed", message).at(path, 0, 0).hint("report it with this file; all others are complete")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_diagnostic_that_names_the_file() {
        let mut diagnostics = Vec::new();
        let made = isolate("styles/kiln.css", LEFT_OUT, &mut diagnostics, |found| -> usize {
            found.push(Diagnostic::new("not-utf8", "before the panic"));
            panic!("made to fail")
        });
        assert_eq!(made, None);
        let found: Vec<_> = diagnostics.iter().map(|found| (found.code, found.file.as_str())).collect();
        assert_eq!(found, [("not-utf8", ""), ("file-failed", "styles/kiln.css")]);
        assert!(diagnostics[1].message.ends_with("`styles/kiln.css`: it is left out"), "{}", diagnostics[1].message);
    }

    #[test]
    fn what_ends_well_passes_through() {
        let mut diagnostics = Vec::new();
        assert_eq!(isolate("a.css", LEFT_OUT, &mut diagnostics, |_| 7), Some(7));
        assert_eq!(diagnostics, []);
    }
}
