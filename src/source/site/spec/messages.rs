//! What is said of descriptions and operations that are not there.

use serde_json::Value;

use crate::base::limits::DESCRIPTION_BYTES;
use crate::base::{Diagnostic, FileId};
use crate::source::site::original::Values;
use crate::source::site::page::Endpoint;
use crate::source::site::tree::SourceTree;

use super::operation::{REFERENCE, items, operations, reference, referred};
use super::sniff::{extension, has_key};

/// Paths named in a message about an operation that does not exist.
const SUGGESTIONS: usize = 5;

/// Whether a source is on another server.
pub(crate) fn is_remote(source: &str) -> bool {
    source.starts_with("http://") || source.starts_with("https://")
}

/// What is said of a source on another server that is not fetched.
pub(crate) fn not_fetched(source: &str) -> Diagnostic {
    let message =
        format!("the API description `{source}` is on another server and is not fetched; its operations have no pages");
    Diagnostic::warning("openapi-remote", message)
        .hint("export without `--vendor off`, or put the description into the documentation folder")
}

/// What is said of a source that names no description.
pub(crate) fn missing_file(source: &str, tree: &SourceTree) -> Diagnostic {
    let message = match refusal(source, tree) {
        Some(why) => format!("`{source}` is not an API description: {why}"),
        None => format!("the API description `{source}` does not exist"),
    };
    let hint = "name a JSON or YAML file of the documentation folder with a top-level `openapi` or `asyncapi` key";
    Diagnostic::error("openapi-missing-file", message).hint(hint)
}

/// Why a file that a source names is no description; `None` if there is no such file.
fn refusal(source: &str, tree: &SourceTree) -> Option<String> {
    let id = tree.find_any(source.trim_start_matches("./").trim_start_matches('/'))?;
    let file = tree.file(id);
    let why = if file.ignored {
        "it is excluded by `.mintignore`".to_owned()
    } else if extension(&file.path).is_none() {
        "it is neither JSON nor YAML".to_owned()
    } else if file.size > DESCRIPTION_BYTES {
        format!("it has more than {} MiB", DESCRIPTION_BYTES >> 20)
    } else if has_key(tree, id, &["swagger"]) {
        "it is Swagger 2.0; only OpenAPI 3 is supported".to_owned()
    } else {
        "it has no top-level key `openapi` or `asyncapi`".to_owned()
    };
    Some(why)
}

/// What is said of an operation that a description does not have.
pub(crate) fn missing_operation(endpoint: &Endpoint, source: Option<&str>, document: &Value) -> Diagnostic {
    let what = format!("`{} {}`", endpoint.method, endpoint.path);
    let message =
        source.map_or_else(|| format!("no API description has {what}"), |source| format!("`{source}` has no {what}"));
    let diagnostic = Diagnostic::error("openapi-missing-operation", message);
    let operations = operations(document);
    if operations.is_empty() {
        return diagnostic;
    }
    let mut known: Vec<String> = operations
        .iter()
        .take(SUGGESTIONS)
        .map(|operation| format!("`{} {}`", operation.method.to_uppercase(), operation.path))
        .collect();
    if operations.len() > SUGGESTIONS {
        known.push("…".to_owned());
    }
    diagnostic.hint(format!("it has {}", known.join(", ")))
}

/// What is said of paths whose `$ref` leads nowhere: (what it says, problem).
pub(super) fn lost_items(document: &Value) -> Vec<(String, Diagnostic)> {
    let entries = ["paths", "webhooks"].into_iter().filter_map(|key| document.get(key)?.as_object()).flatten();
    let lost = entries.filter_map(|(path, entry)| {
        let reference = reference(items(document, entry).last()?)?;
        let why = match (reference.starts_with('#'), referred(document, reference)) {
            (false, _) => "is in another file, which is not read",
            (true, None) => "the description does not have",
            (true, Some(_)) => "refers back to it",
        };
        let message = format!("`{path}` refers to `{reference}`, which {why}; its operations have no pages");
        let problem = Diagnostic::new("openapi-ref", message);
        Some((
            reference.to_owned(),
            problem.hint("write the operations below the path, or in `components.pathItems` of the same file"),
        ))
    });
    lost.collect()
}

/// Shows problems at the references of a file that they are about.
pub(super) fn in_file(problems: Vec<(String, Diagnostic)>, file: FileId, tree: &SourceTree) -> Vec<Diagnostic> {
    if problems.is_empty() {
        return Vec::new();
    }
    let bytes = tree.read_at_most(file, DESCRIPTION_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let references = Values::of(&text, REFERENCE);
    let placed = problems.into_iter().map(|(reference, problem)| {
        let (line, column) = references.find(&text, &reference).unwrap_or_default();
        problem.at(tree.path(file), line, column)
    });
    placed.collect()
}
