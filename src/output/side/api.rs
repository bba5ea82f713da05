//! The description of an API page's operation, for its Markdown: the operation and what it refers to, cut out of the
//! file.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::base::{Diagnostic, FileId};
use crate::source::site::spec::{self, NAMES, Operation};
use crate::source::site::{Endpoint, Site};

/// Longest description of one page, bytes. Longer ones lose their line breaks, then examples, then what is said about
/// schemas, then what they refer to.
const MAX_BYTES: usize = 200_000;
/// Most parts that an operation may refer to.
const MAX_PARTS: usize = 500;
/// Where those stand: the parts of the description and of other files.
const PLACES: [&str; 2] = ["/components/", "/x-files/"];

/// The file of the description that has an operation.
pub(super) fn description_file(site: &Site, endpoint: &Endpoint) -> Option<FileId> {
    site.descriptions.operation(endpoint).map(|(id, ..)| site.descriptions.file(id))
}

/// The part of a description that describes an operation, for the Markdown of its page, if the site shows it there.
pub(super) fn operation_excerpt(site: &Site, endpoint: &Endpoint) -> Option<Excerpt> {
    if !site.config.markdown.schema {
        return None;
    }
    let (id, document, operation) = site.descriptions.operation(endpoint)?;
    let (excerpt, is_cut) = excerpt(document, &operation);
    let fitted = fitted(excerpt, is_cut);
    let problem = fitted.is_cut.then(|| too_long(endpoint, &fitted).at(site.descriptions.path(id), 0, 0));
    Some(Excerpt { problem, ..fitted })
}

/// What the Markdown of a page holds of a description.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    /// JSON; empty if even the operation alone is too long.
    pub(super) json: String,
    /// It lacks what it refers to.
    pub(super) is_cut: bool,
    /// The diagnostic for that.
    pub(super) problem: Option<Diagnostic>,
}

fn too_long(endpoint: &Endpoint, fitted: &Excerpt) -> Diagnostic {
    let has = if fitted.json.is_empty() { "nothing of it" } else { "it without all that it refers to" };
    let what = format!("`{} {}`", endpoint.method, endpoint.path);
    let message = format!("the description of {what} is too long: the Markdown version of its page has {has}");
    Diagnostic::new("openapi-too-long", message)
        .hint("the limit is 200,000 bytes without examples; shorten the schemas, or refer to fewer of them")
}

/// As much of an excerpt as a page can hold.
fn fitted(mut excerpt: Value, is_cut: bool) -> Excerpt {
    let found = |json: String| Excerpt { json, is_cut, problem: None };
    if let Some(json) = serde_json::to_string_pretty(&excerpt).ok().filter(|json| json.len() <= MAX_BYTES) {
        return found(json);
    }
    let compact = |excerpt: &Value| serde_json::to_string(excerpt).ok().filter(|json| json.len() <= MAX_BYTES);
    if let Some(json) = compact(&excerpt) {
        return found(json);
    }
    for (words, only_schemas) in [(&["example", "examples"][..], false), (&["description"][..], true)] {
        strip(&mut excerpt, words, only_schemas);
        if let Some(json) = compact(&excerpt) {
            return found(json);
        }
    }
    if let Some(members) = excerpt.as_object_mut() {
        members.remove("components");
    }
    Excerpt { json: compact(&excerpt).unwrap_or_default(), is_cut: true, problem: None }
}

/// Takes words of the format out, of all objects or only of schemas. What authors named so stays.
fn strip(value: &mut Value, words: &[&str], only_schemas: bool) {
    let mut open = vec![(value, false, false)];
    while let Some((value, has_names, in_schema)) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter_mut().map(|item| (item, false, in_schema))),
            Value::Object(members) => {
                if !has_names && (in_schema || !only_schemas) {
                    members.retain(|key, _| !words.contains(&key.as_str()));
                }
                for (key, member) in members.iter_mut() {
                    // these hold data, not words of the format
                    if has_names {
                        open.push((member, false, in_schema));
                    } else if !matches!(key.as_str(), "default" | "const" | "enum" | "example" | "examples") {
                        open.push((
                            member,
                            NAMES.contains(&key.as_str()),
                            in_schema || matches!(key.as_str(), "schema" | "schemas"),
                        ));
                    }
                }
            }
            _ => {}
        }
    }
}

/// A description with one operation, and the components that it needs; whether some of them had to be left out.
fn excerpt(document: &Value, operation: &Operation<'_>) -> (Value, bool) {
    let mut out = Map::new();
    for key in ["openapi", "servers", "security"] {
        if let Some(value) = document.get(key) {
            out.insert(key.to_owned(), value.clone());
        }
    }
    let group = if operation.method == "webhook" { "webhooks" } else { "paths" };
    let mut item = Map::new();
    if let Some(parameters) = operation.shared_parameters() {
        item.insert("parameters".to_owned(), parameters.clone());
    }
    item.insert(operation.http_method.to_owned(), Value::Object(operation.about.clone()));
    out.insert(group.to_owned(), json!({ operation.path: item }));
    let mut out = Value::Object(out);

    let mut open = references(&out);
    // schemes are named, not referred to
    let asked = operation.about.get("security").or_else(|| document.get("security"));
    let names = asked.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object).flat_map(Map::keys);
    open.extend(
        names.map(|name| format!("/components/securitySchemes/{}", name.replace('~', "~0").replace('/', "~1"))),
    );
    let mut known: BTreeSet<String> = open.iter().cloned().collect();
    let mut is_cut = false;
    while let Some(pointer) = open.pop() {
        let Some(part) = document.pointer(&pointer) else { continue };
        for reference in references(part) {
            if known.contains(&reference) {
                continue;
            }
            if known.len() > MAX_PARTS {
                is_cut = true;
                break;
            }
            known.insert(reference.clone());
            open.push(reference);
        }
        put(&mut out, &pointer, part.clone());
    }
    (out, is_cut)
}

/// The pointers of all local references below a value. (Parsing has bounded how deep it is.)
fn references(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                let reference = members.get("$ref").and_then(Value::as_str).and_then(spec::pointer);
                found.extend(
                    reference
                        .filter(|pointer| PLACES.iter().any(|place| pointer.starts_with(place)))
                        .map(Cow::into_owned),
                );
                open.extend(members.values());
            }
            _ => {}
        }
    }
    found
}

/// Puts a part where its pointer says: `/components/schemas/Pet`.
fn put(out: &mut Value, pointer: &str, part: Value) {
    let mut at = out;
    for segment in pointer.split('/').skip(1).take(8) {
        let name = segment.replace("~1", "/").replace("~0", "~");
        let Value::Object(members) = at else { return };
        at = members.entry(name).or_insert_with(|| Value::Object(Map::new()));
    }
    *at = part;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt_of(document: &Value, endpoint: &Endpoint) -> Option<(Value, bool)> {
        Some(excerpt(document, &spec::operation(document, endpoint)?))
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
                "schemas": {"Pet": {"properties": {"parent": {"$ref": "#/components/schemas/Pet"}, "gone": {"$ref": "#/components/schemas/Gone"}}}, "Unused": {}}
            }
        });
        let endpoint = Endpoint::parse("GET /pets/{id}").unwrap();
        let (found, is_cut) = excerpt_of(&document, &endpoint).unwrap();
        assert!(!is_cut);
        assert_eq!(found["paths"].as_object().map(Map::len), Some(1));
        assert!(
            found["paths"]["/pets/{id}"]["delete"].is_null() && found["paths"]["/pets/{id}"]["parameters"].is_array()
        );
        let names = |kind: &str| {
            found["components"][kind].as_object().map(|parts| parts.keys().cloned().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(
            [names("parameters"), names("responses"), names("schemas"), names("securitySchemes")],
            ["Id", "Pet", "Pet", "a/b key"].map(|names| Some(names.to_owned()))
        );
        assert!(excerpt_of(&document, &Endpoint::parse("POST /none").unwrap()).is_none());
    }

    /// A description whose operation refers to a schema with this much of each.
    fn long(lines: usize, examples: usize, words: usize, schemas: usize) -> Value {
        let properties: Map<String, Value> =
            (0..lines).map(|at| (format!("p{at}"), json!({"type": "string"}))).collect();
        let mut schema = json!({ "description": "w".repeat(words), "example": "e".repeat(examples), "properties": {"example": {"type": "string"}, "description": {}} });
        schema["properties"].as_object_mut().unwrap().extend(properties);
        schema["x-long"] = "s".repeat(schemas).into();
        let answer = json!({"description": "OK", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}, "examples": {"a": 1}}}});
        json!({"openapi": "3.1.0", "paths": {"/a": {"get": {"responses": {"200": answer}}}}, "components": {"schemas": {"S": schema}}})
    }

    #[track_caller]
    fn check(document: &Value, expect: [bool; 6]) {
        let (excerpt, is_cut) = excerpt_of(document, &Endpoint::parse("GET /a").unwrap()).unwrap();
        let fitted = fitted(excerpt, is_cut);
        assert!(fitted.json.len() <= MAX_BYTES);
        let has = |words: &str| fitted.json.contains(words);
        let found =
            [has("\n"), has("eeee") && has("\"examples\""), has("wwww"), has("x-long"), has("OK"), fitted.is_cut];
        assert_eq!(found, expect);
        if has("x-long") {
            assert!(has("\"properties\""));
            let names =
                serde_json::from_str::<Value>(&fitted.json).unwrap()["components"]["schemas"]["S"]["properties"]
                    .clone();
            assert!(names["example"].is_object() && names["description"].is_object());
        }
    }

    #[test]
    fn long_descriptions_lose_what_matters_least() {
        check(&long(1, 9, 9, 9), [true, true, true, true, true, false]);
        check(&long(4_000, 9, 9, 9), [false, true, true, true, true, false]);
        check(&long(1, MAX_BYTES, 9, 9), [false, false, true, true, true, false]);
        check(&long(1, MAX_BYTES, MAX_BYTES, 9), [false, false, false, true, true, false]);
        check(&long(1, 9, 9, MAX_BYTES), [false, false, false, false, true, true]);
    }

    #[test]
    fn what_is_left_out_is_told() {
        let mut document = long(1, 9, 9, 9);
        let schemas: Map<String, Value> = (0..2 * MAX_PARTS)
            .map(|at| (format!("S{at}"), json!({"items": {"$ref": format!("#/components/schemas/S{}", at + 1)}})))
            .collect();
        document["components"]["schemas"] = schemas.into();
        document["paths"]["/a"]["get"] = json!({"requestBody": {"$ref": "#/components/schemas/S0"}});
        let endpoint = Endpoint::parse("GET /a").unwrap();
        let (_, is_cut) = excerpt_of(&document, &endpoint).unwrap();
        assert!(is_cut);
        let told = too_long(&endpoint, &Excerpt { json: "{}".to_owned(), is_cut, problem: None });
        assert_eq!(
            told.message,
            "the description of `GET /a` is too long: the Markdown version of its page has it without all that it refers to"
        );
    }
}
