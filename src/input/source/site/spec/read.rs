//! A JSON or YAML file to a document, within bounds.

use serde_json::Value;

use crate::base::isolate::catch_panic;
use crate::base::limits::{DESCRIPTION_BYTES, DESCRIPTION_NODES, NESTING};
use crate::base::printable::into_printable;
use crate::base::{Diagnostic, FileId};
use crate::source::site::tree::SourceTree;
use crate::source::site::yaml;

use super::sniff::{Format, estimate_json_values, format_of_extension, opens_object};

/// Why a description cannot be read, and where.
pub(in crate::source::site) struct Unreadable {
    pub(in crate::source::site) reason: String,
    pub(in crate::source::site) line: u32,
    pub(in crate::source::site) column: u32,
}

impl Unreadable {
    /// What is said of a file that cannot be read.
    pub(super) fn diagnostic(self, path: &str) -> Diagnostic {
        let message = format!("`{path}` is not used: {}", self.reason);
        Diagnostic::new("openapi-file", message).at(path, self.line, self.column)
    }
}

/// Reads a JSON or YAML file of the tree.
pub(in crate::source::site) fn parse_spec(file: FileId, tree: &SourceTree) -> Result<Value, Unreadable> {
    let failed = || Unreadable { reason: "an internal error stopped the reading of it".to_owned(), line: 0, column: 0 };
    let mut document = catch_panic(|| parse_as_written(file, tree)).ok_or_else(failed)??;
    strip_unprintable(&mut document);
    Ok(document)
}

/// Takes the characters out of all texts that no text shows.
fn strip_unprintable(value: &mut Value) {
    match value {
        Value::String(text) => *text = into_printable(std::mem::take(text)),
        Value::Array(items) => items.iter_mut().for_each(strip_unprintable),
        Value::Object(fields) => fields.values_mut().for_each(strip_unprintable),
        _ => {}
    }
}

fn parse_as_written(file: FileId, tree: &SourceTree) -> Result<Value, Unreadable> {
    let whole = |reason: String| Unreadable { reason, line: 0, column: 0 };
    let text = tree.read_text(file, DESCRIPTION_BYTES).map_err(|error| whole(format!("it cannot be read: {error}")))?;
    let bytes = text.as_bytes();
    // the name of an address says nothing
    let is_json = if tree.fetched_file(file).is_some() {
        opens_object(bytes)
    } else {
        format_of_extension(tree.path(file)) == Some(Format::Json)
    };
    if bytes.len() / 2 > DESCRIPTION_NODES
        && (is_json || opens_object(bytes))
        && estimate_json_values(bytes) > DESCRIPTION_NODES
    {
        return Err(whole(format!("it has more than {DESCRIPTION_NODES} values")));
    }
    if !is_json
        && opens_object(bytes)
        && let Ok(document) = serde_json::from_slice(bytes)
    {
        return Ok(document);
    }
    if is_json {
        return serde_json::from_slice(bytes).map_err(|error| {
            let message = error.to_string();
            let message = message.rfind(" at line ").map_or(message.as_str(), |place| &message[..place]);
            let place = |number: usize| u32::try_from(number).unwrap_or(0);
            Unreadable {
                reason: format!("it is not JSON: {message}"),
                line: place(error.line()),
                column: place(error.column()),
            }
        });
    }
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        budget: serde_saphyr::budget! { max_nodes: DESCRIPTION_NODES, max_events: 16_000_000, max_depth: NESTING },
    };
    serde_saphyr::from_slice_with_options(bytes, options).map_err(|error| {
        let place = error.location().map_or((0, 0), |location| (location.line(), location.column()));
        let (line, column) = (u32::try_from(place.0).unwrap_or(0), u32::try_from(place.1).unwrap_or(0));
        Unreadable { reason: format!("it is not YAML: {}", yaml::message_of(&error)), line, column }
    })
}
