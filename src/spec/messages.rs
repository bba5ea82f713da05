//! What is said of descriptions and operations that are not there.

use serde_json::Value;

use base::Diagnostic;
use base::limits::DESCRIPTION_BYTES;
use site::page::Endpoint;
use site::tree::SourceTree;

use super::operation::operations;
use super::sniff::{format_of_extension, swagger_version};

/// Paths named in a message about an operation that does not exist.
const SUGGESTIONS: usize = 5;

/// Whether a source is on another server.
pub fn is_remote(source: &str) -> bool {
    source.starts_with("http://") || source.starts_with("https://")
}

/// What is said of a source on another server that is not fetched.
pub fn not_fetched(source: &str) -> Diagnostic {
    let message =
        format!("the API description `{source}` is on another server and is not fetched; its operations have no pages");
    Diagnostic::warning("openapi-remote", message)
        .hint("export without `--vendor off`, or put the description into the documentation folder")
}

/// What is said of a source that names no description.
pub fn missing_file(source: &str, tree: &SourceTree) -> Diagnostic {
    let message = match refusal(source, tree) {
        Some(why) => format!("`{source}` is not an API description: {why}"),
        None => format!("the API description `{source}` does not exist"),
    };
    let hint =
        "name a JSON or YAML file of the documentation folder with a top-level `openapi`, `asyncapi` or `swagger` key";
    Diagnostic::error("openapi-missing-file", message).hint(hint)
}

/// Why a file that a source names is no description; `None` if there is no such file.
fn refusal(source: &str, tree: &SourceTree) -> Option<String> {
    let id = tree.find_any(source.trim_start_matches("./").trim_start_matches('/'))?;
    let file = tree.file(id);
    let why = if file.ignored {
        "it is excluded by `.mintignore`".to_owned()
    } else if format_of_extension(&file.path).is_none() {
        "it is neither JSON nor YAML".to_owned()
    } else if file.size > DESCRIPTION_BYTES {
        format!("it has more than {} MiB", DESCRIPTION_BYTES >> 20)
    } else if let Some(version) = swagger_version(tree, id) {
        format!("it is Swagger {version}; Swagger 2.0 and OpenAPI 3 are supported")
    } else {
        "it has no top-level key `openapi`, `asyncapi` or `swagger`".to_owned()
    };
    Some(why)
}

/// What is said of an operation that a description does not have.
pub fn missing_operation(endpoint: &Endpoint, source: Option<&str>, document: &Value) -> Diagnostic {
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
