//! What is wrong with the content: data that travels beside results, never an early return.

use schemars::JsonSchema;
use serde::Serialize;

use super::severity::Severity;

/// One problem, with its place and what to do about it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// Stable kebab-case name of the kind of problem, e.g. `broken-link`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence, without a full stop, that names the thing.
    pub message: String,
    /// Path relative to the source folder, `/`-separated; empty if it is about no file.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column in characters, from 1; 0 if unknown.
    pub column: u32,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// A value of the configuration that it is about. Where it has no line, that of the value is looked up.
    #[serde(skip)]
    pub about: Option<Box<str>>,
}

impl Diagnostic {
    /// A diagnostic without a place, with the severity that [`codes`](super::codes) gives to its code.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: super::codes::severity(code), ..Self::warning(code, message) }
    }
    /// A warning without a place. For codes whose severity depends on where they are found; all others use
    /// [`Diagnostic::new`].
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Warning,
            message: message.into(),
            file: String::new(),
            line: 0,
            column: 0,
            hint: None,
            about: None,
        }
    }
    /// An error without a place. For codes whose severity depends on where they are found; all others use
    /// [`Diagnostic::new`].
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, ..Self::warning(code, message) }
    }
    /// Adds the file and, if known, line and column (from 1; 0 if unknown).
    #[must_use]
    pub fn at(mut self, file: impl Into<String>, line: u32, column: u32) -> Self {
        (self.file, self.line, self.column) = (file.into(), line, column);
        self
    }
    /// Adds the value of the configuration that it is about, as it is written there.
    #[must_use]
    pub fn about(mut self, value: &str) -> Self {
        self.about = Some(value.into());
        self
    }
    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Words in a message: "`a`, `b`".
pub fn list_in_backticks<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// The order in which diagnostics are reported: by file (those without a file come first), line, column
/// and code, then by message, so that it never depends on threads. Equal ones of one place are reported once.
pub fn tidy(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| {
        (&a.file, a.line, a.column, a.code, &a.message).cmp(&(&b.file, b.line, b.column, b.code, &b.message))
    });
    diagnostics.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order() {
        let at = |code, file: &str, line, column| Diagnostic::warning(code, "m").at(file, line, column);
        let ordered = [
            at("z", "", 0, 0),
            at("a", "a", 2, 10),
            at("b", "a", 2, 10),
            at("a", "a", 10, 1),
            Diagnostic::warning("a", "n").at("a", 10, 1),
            at("a", "b", 1, 1),
        ];
        let mut diagnostics: Vec<Diagnostic> = ordered.iter().rev().chain(&ordered).cloned().collect();
        tidy(&mut diagnostics);
        assert_eq!(diagnostics, ordered);
    }
}
