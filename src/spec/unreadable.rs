//! What of a file cannot be read, and the bounds of what can.

use serde_json::Value;

use base::{Diagnostic, Problem};

/// Levels of lists and objects that are read. What lies deeper is left out.
pub(super) const MAX_NESTING: usize = 512;

/// Line and column, from 1; 0 if unknown.
pub(crate) type NodePosition = (u32, u32);

/// A document, and what of the text it does not have.
pub(super) type DocumentWithOddities = (Value, Vec<Oddity>);

/// A value of a text that costs itself, and nothing around it.
pub(super) type Oddity = Problem<NodePosition>;

/// What is said of a value that costs itself.
pub(super) fn oddity(message: impl Into<String>, position: NodePosition) -> Oddity {
    Problem::new("openapi-yaml", message, position)
}

/// Why a description cannot be read, and where.
#[derive(Debug)]
pub(crate) struct UnreadableDescription {
    pub(crate) reason: String,
    /// Line and column, from 1; 0 if unknown.
    pub(crate) position: NodePosition,
}

impl UnreadableDescription {
    /// One that cannot be read as a whole.
    pub(super) fn whole(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), position: (0, 0) }
    }

    /// What is said of a file that cannot be read.
    pub(super) fn diagnostic(self, path: &str) -> Diagnostic {
        let (line, column) = self.position;
        let message = format!("`{path}` is not used: {}", self.reason);
        Diagnostic::new("openapi-file", message).at(path, line, column)
    }
}

/// The values of a value, itself included.
pub(super) fn count_values(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(count_values).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(count_values).sum::<usize>(),
        _ => 1,
    }
}
