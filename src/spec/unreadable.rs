//! What of a file cannot be read, and the bounds of what can.

use serde_json::Value;

use base::Diagnostic;

/// Levels of lists and objects that are read. What lies deeper is left out.
pub(super) const MAX_NESTING: usize = 512;

/// Why a description cannot be read, and where.
pub struct UnreadableDescription {
    pub reason: String,
    pub line: u32,
    pub column: u32,
}

impl UnreadableDescription {
    /// What is said of a file that cannot be read.
    pub(super) fn diagnostic(self, path: &str) -> Diagnostic {
        let message = format!("`{path}` is not used: {}", self.reason);
        Diagnostic::new("openapi-file", message).at(path, self.line, self.column)
    }
}

/// A value of a file that costs itself, and nothing around it.
#[derive(Debug)]
pub(super) struct Oddity {
    pub(super) message: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// The values of a value, itself included.
pub(super) fn count_values(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count_values).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(count_values).sum::<usize>(),
        _ => 1,
    }
}
