//! The description of an API page's operation as JSON, for its Markdown: the operation and what it refers to, cut out
//! of the file.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Map, Value, json};

use base::FileId;
use base::cut::cut;
use load::Site;
use site::page::Endpoint;
use spec::{DescriptionId, FILES, Operation, escape_pointer_segment, unquote_spelled_numbers};

/// Longest JSON of one page, bytes. What is longer is of no use to a model: its page lists the fields instead.
const MAX_OPERATION_JSON_BYTES: usize = 64_000;
/// Where parts of the description stand by their kinds and names.
const COMPONENTS: &str = "components";

/// The file of the description that has an operation.
pub(super) fn description_file(site: &Site, endpoint: &Endpoint) -> Option<FileId> {
    site.descriptions.operation(endpoint).map(|(id, ..)| site.descriptions.file(id))
}

/// The parts of the descriptions of a site as JSON. Each is written once, when the first page needs its description,
/// however many pages show it.
#[derive(Debug)]
pub struct Excerpts<'a> {
    site: &'a Site,
    parts: FxHashMap<DescriptionId, OnceLock<DescriptionParts>>,
}

impl<'a> Excerpts<'a> {
    /// The excerpts of a site's descriptions.
    pub fn new(site: &'a Site) -> Self {
        Self { site, parts: site.descriptions.ids().map(|id| (id, OnceLock::new())).collect() }
    }

    /// The JSON that describes an operation, unless it is too long or the site has none in its Markdown.
    pub(super) fn operation(&self, endpoint: &Endpoint) -> Option<String> {
        if !self.site.config.markdown.schema {
            return None;
        }
        let (id, document, operation) = self.site.descriptions.operation(endpoint)?;
        let parts = self.parts.get(&id)?.get_or_init(|| DescriptionParts::new(document));
        excerpt(document, &operation, parts)
    }
}

/// The parts of a description that others may refer to, in its order.
#[derive(Debug, Default)]
struct DescriptionParts {
    parts: Vec<ApiPart>,
    by_pointer: FxHashMap<String, usize>,
}

#[derive(Debug)]
struct ApiPart {
    /// `schemas` of `/components/schemas/Pet`; empty for a file.
    kind: String,
    /// Its name as a JSON string.
    name: String,
    /// Itself, indented for where it stands.
    json: String,
    /// The numbers of the parts that it refers to.
    references: Vec<usize>,
}

impl DescriptionParts {
    fn new(document: &Value) -> Self {
        let mut found = Self::default();
        let mut values = Vec::new();
        let components =
            spec_members(document, COMPONENTS).filter_map(|(kind, parts)| Some((kind, parts.as_object()?)));
        let components = components.flat_map(|(kind, parts)| parts.iter().map(move |part| (kind.as_str(), part)));
        let files = spec_members(document, FILES).map(|part| ("", part));
        for (kind, (name, value)) in components.chain(files) {
            let pointer = match kind {
                "" => format!("/{FILES}/{}", escape_pointer_segment(name)),
                kind => format!("/{COMPONENTS}/{}/{}", escape_pointer_segment(kind), escape_pointer_segment(name)),
            };
            found.by_pointer.insert(pointer, values.len());
            let json = if kind.is_empty() { nested_json::<2>(&[[value]]) } else { nested_json::<3>(&[[[value]]]) };
            let name = Value::from(name.as_str()).to_string();
            found.parts.push(ApiPart { kind: kind.to_owned(), name, json, references: Vec::new() });
            values.push(value);
        }
        for (number, value) in values.into_iter().enumerate() {
            found.parts[number].references = found.references(value);
        }
        found
    }

    /// The numbers of the parts that are referred to below a value. (Parsing has bounded how deep it is.)
    fn references(&self, value: &Value) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items),
                Value::Object(members) => {
                    let pointer = members.get("$ref").and_then(Value::as_str).and_then(spec::pointer);
                    found.extend(pointer.and_then(|pointer| self.number(&pointer)));
                    open.extend(members.values());
                }
                _ => {}
            }
        }
        found
    }

    /// The part that a pointer leads to or into.
    fn number(&self, pointer: &str) -> Option<usize> {
        let segments = match pointer.split('/').nth(1)? {
            COMPONENTS => 3,
            FILES => 2,
            _ => return None,
        };
        let end = pointer.match_indices('/').nth(segments).map_or(pointer.len(), |(at, _)| at);
        self.by_pointer.get(cut(pointer, end).0).copied()
    }
}

fn spec_members<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
    value.get(key).and_then(Value::as_object).into_iter().flatten()
}

/// JSON of what stands in this many arrays of one item, as it is indented there.
fn nested_json<const DEPTH: usize>(value: &impl Serialize) -> String {
    let text = indented_json(value);
    let around: usize = (0..DEPTH).map(|depth| "[\n".len() + 2 * (depth + 1)).sum();
    let behind: usize = (0..DEPTH).map(|depth| "\n]".len() + 2 * depth).sum();
    text.get(around..text.len().saturating_sub(behind)).unwrap_or_default().to_owned()
}

fn indented_json(value: &impl Serialize) -> String {
    unquote_spelled_numbers(serde_json::to_string_pretty(value).unwrap_or_default())
}

/// A description with one operation and the parts that it needs, unless it is too long.
fn excerpt(document: &Value, operation: &Operation<'_>, parts: &DescriptionParts) -> Option<String> {
    let mut head = Map::new();
    for key in ["openapi", "servers", "security"] {
        if let Some(value) = document.get(key) {
            head.insert(key.to_owned(), value.clone());
        }
    }
    let group = if operation.method == "webhook" { "webhooks" } else { "paths" };
    let mut item = Map::new();
    if let Some(parameters) = operation.shared_parameters() {
        item.insert("parameters".to_owned(), parameters.clone());
    }
    item.insert(operation.http_method.to_owned(), Value::Object(operation.about.clone()));
    head.insert(group.to_owned(), json!({ operation.path: item }));
    let head = Value::Object(head);

    let mut open = parts.references(&head);
    // schemes are named, not referred to
    let security = operation.about.get("security").or_else(|| document.get("security"));
    let names =
        security.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object).flat_map(Map::keys);
    open.extend(
        names.filter_map(|name| parts.number(&format!("/components/securitySchemes/{}", escape_pointer_segment(name)))),
    );
    let mut is_needed = vec![false; parts.parts.len()];
    while let Some(number) = open.pop() {
        if !std::mem::replace(&mut is_needed[number], true) {
            open.extend(&parts.parts[number].references);
        }
    }
    let head = indented_json(&head);
    let needed: Vec<&ApiPart> =
        parts.parts.iter().zip(is_needed).filter_map(|(part, is_needed)| is_needed.then_some(part)).collect();
    let bytes = head.len() + needed.iter().map(|part| part.name.len() + part.json.len()).sum::<usize>();
    (bytes <= MAX_OPERATION_JSON_BYTES).then(|| join_spec_parts(&head, &needed))
}

/// Puts parts behind the last member of an object.
fn join_spec_parts(head: &str, parts: &[&ApiPart]) -> String {
    let mut out = head.strip_suffix("\n}").unwrap_or(head).to_owned();
    let (components, files): (Vec<&ApiPart>, Vec<&ApiPart>) = parts.iter().partition(|part| !part.kind.is_empty());
    if !components.is_empty() {
        out.push_str(",\n  \"components\": {");
        for (at, same) in components.chunk_by(|a, b| a.kind == b.kind).enumerate() {
            let comma = if at > 0 { "," } else { "" };
            out.push_str(&format!("{comma}\n    {}: {{", Value::from(same[0].kind.as_str())));
            put_spec_parts(&mut out, same, "      ");
            out.push_str("\n    }");
        }
        out.push_str("\n  }");
    }
    if !files.is_empty() {
        out.push_str(",\n  \"x-files\": {");
        put_spec_parts(&mut out, &files, "    ");
        out.push_str("\n  }");
    }
    out.push_str("\n}");
    out
}

fn put_spec_parts(out: &mut String, parts: &[&ApiPart], indent: &str) {
    for (at, part) in parts.iter().enumerate() {
        out.push_str(if at > 0 { ",\n" } else { "\n" });
        for text in [indent, &part.name, ": ", &part.json] {
            out.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt_of(document: &Value, endpoint: &str) -> Option<String> {
        let operation = spec::operation(document, &Endpoint::parse(endpoint).unwrap())?;
        excerpt(document, &operation, &DescriptionParts::new(document))
    }

    #[test]
    fn an_operation_brings_what_it_refers_to() {
        let document = json!({
            "openapi": "3.1.0", "info": {"title": "T"},
            "paths": {
                "/pets/{id}": { "parameters": [{"$ref": "#/components/parameters/Id"}], "get": {"responses": {"200": {"$ref": "#/components/responses/Pet"}}}, "delete": {} },
                "/other": {"get": {}}
            },
            "security": [{"key": []}, {"a/b": []}],
            "components": {
                "parameters": {"Id": {"name": "id", "in": "path"}},
                "responses": {"Pet": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}},
                "securitySchemes": {"key": {"type": "apiKey"}, "a/b": {"type": "http"}, "unused": {}},
                "schemas": {
                    "Pet": {"properties": {"parent": {"$ref": "#/components/schemas/Pet"}, "gone": {"$ref": "#/components/schemas/Gone"},
                        "size": {"$ref": "#/components/schemas/Sizes/properties/small"}, "owner": {"$ref": "#/x-files/people~1owner.yaml"}}},
                    "Unused": {}, "Sizes": {"properties": {"small": {}}}
                }
            },
            "x-files": {"people/owner.yaml": {"type": "object"}, "other.yaml": {}}
        });
        let text = excerpt_of(&document, "GET /pets/{id}").unwrap();
        let found: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(text, indented_json(&found), "indented as the whole would be");
        assert_eq!(found["paths"].as_object().map(Map::len), Some(1));
        assert!(
            found["paths"]["/pets/{id}"]["delete"].is_null() && found["paths"]["/pets/{id}"]["parameters"].is_array()
        );
        let names = |parts: &Value| parts.as_object().map(|parts| parts.keys().cloned().collect::<Vec<_>>().join(" "));
        let components = ["parameters", "responses", "schemas", "securitySchemes"].map(|it| &found["components"][it]);
        assert_eq!(components.map(names), ["Id", "Pet", "Pet Sizes", "key a/b"].map(|names| Some(names.to_owned())));
        assert_eq!(names(&found["x-files"]).as_deref(), Some("people/owner.yaml"));
        assert!(excerpt_of(&document, "POST /none").is_none());
    }

    #[test]
    fn an_operation_that_refers_to_nothing_is_alone() {
        let document = json!({"openapi": "3.1.0", "paths": {"/a": {"get": {}}}, "components": {"schemas": {"S": {}}}});
        let expected = json!({"openapi": "3.1.0", "paths": {"/a": {"get": {}}}});
        assert_eq!(excerpt_of(&document, "GET /a"), Some(indented_json(&expected)));
    }

    #[test]
    fn what_is_too_long_has_no_json() {
        let with = |bytes: usize| {
            let body = json!({"$ref": "#/components/requestBodies/B"});
            let document = json!({"paths": {"/a": {"post": {"requestBody": body}}}, "components": {"requestBodies": {"B": {"x-long": "s".repeat(bytes)}}}});
            excerpt_of(&document, "POST /a").map(|text| text.len() > bytes)
        };
        assert_eq!((with(9), with(MAX_OPERATION_JSON_BYTES)), (Some(true), None));
    }
}
