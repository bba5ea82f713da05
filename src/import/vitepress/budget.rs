//! What the scripts of one page may become: names of values make values that are larger than their text, and scripts
//! that import each other are read as often as they are named.

use std::cell::Cell;

use serde_json::Value;

/// Most bytes of all values of a page, about.
const MAX_BOUND_VALUES_BYTES: usize = 1 << 20;
/// Most files that the scripts of a page import, each as often as it is named.
const MAX_IMPORTS: usize = 64;
/// Lists and objects in each other.
const MAX_VALUE_DEPTH: usize = 32;
/// What a value takes beside its texts, bytes.
const NODE_BYTES: usize = 32;

/// What is left.
pub(super) struct RepeatBudget {
    bytes: Cell<usize>,
    imports: Cell<usize>,
}

impl Default for RepeatBudget {
    fn default() -> Self {
        Self { bytes: Cell::new(MAX_BOUND_VALUES_BYTES), imports: Cell::new(MAX_IMPORTS) }
    }
}

impl RepeatBudget {
    /// A value, if there is room for it.
    pub(super) fn keep(&self, value: Value) -> Option<Value> {
        self.take(&value).then_some(value)
    }

    /// A copy of a value, if there is room for it.
    pub(super) fn copy(&self, value: &Value) -> Option<Value> {
        self.take(value).then(|| value.clone())
    }

    /// Whether one more file may be imported.
    pub(super) fn takes_import(&self) -> bool {
        let left = self.imports.get().checked_sub(1);
        left.inspect(|left| self.imports.set(*left)).is_some()
    }

    fn take(&self, value: &Value) -> bool {
        let left = json_weight(value, 0).and_then(|bytes| self.bytes.get().checked_sub(bytes));
        left.inspect(|left| self.bytes.set(*left)).is_some()
    }
}

/// The bytes of a value, about; `None` if it is too deep.
fn json_weight(value: &Value, depth: usize) -> Option<usize> {
    if depth > MAX_VALUE_DEPTH {
        return None;
    }
    let inside = match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(|value| json_weight(value, depth + 1)).sum::<Option<usize>>()?,
        Value::Object(values) => values
            .iter()
            .map(|(name, value)| Some(name.len() + json_weight(value, depth + 1)?))
            .sum::<Option<usize>>()?,
        _ => 0,
    };
    Some(NODE_BYTES + inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_bounded_together() {
        let budget = RepeatBudget::default();
        let mut value = json!(["word"]);
        let mut doublings = 0;
        while let (Some(one), Some(other)) = (budget.copy(&value), budget.copy(&value)) {
            value = Value::Array([one, other].into_iter().flat_map(|half| half.as_array().unwrap().clone()).collect());
            doublings += 1;
        }
        assert!((5..20).contains(&doublings), "{doublings}");
        let budget = RepeatBudget::default();
        let deep = (0..100).fold(json!(1), |inside, _| json!([inside]));
        assert_eq!(budget.keep(deep), None);
        assert_eq!(budget.keep(json!({ "a": "b" })), Some(json!({ "a": "b" })));
        assert_eq!((0..1000).filter(|_| budget.takes_import()).count(), MAX_IMPORTS);
    }
}
