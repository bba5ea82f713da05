//! Examples that descriptions give.

use serde_json::Value;

use super::document::{DescriptionDocument, ResolvedObject};

/// An example that the description has.
#[derive(Clone, Debug)]
pub(crate) struct Example<'a> {
    /// `summary`, or its name; empty for an only one.
    pub(crate) label: &'a str,
    pub(crate) value: &'a Value,
}

/// The examples of an object that has `examples` or `example`.
pub(crate) fn read_examples<'a>(document: DescriptionDocument<'a>, holder: &ResolvedObject<'a>) -> Vec<Example<'a>> {
    let named = document.objects(holder.get("examples")).filter_map(|(name, example)| {
        let value = example.get("value").or_else(|| example.get("dataValue"))?;
        Some(Example { label: example.text("summary").unwrap_or(name), value })
    });
    let mut examples: Vec<Example<'a>> = named.collect();
    if examples.is_empty() {
        examples.extend(holder.get("example").map(|value| Example { label: "", value }));
    }
    examples
}
