//! The description of an API page's operation, for its Markdown: the operation and what it refers to, cut out of the file.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::site::spec::{self, Specs};
use crate::site::{Endpoint, Site};

/// Longest description of one page, bytes; longer ones come without what they refer to, or not at all.
const LONGEST: usize = 200_000;
/// Most parts that an operation may refer to.
const PARTS: usize = 500;

/// The descriptions of a site, parsed.
#[derive(Debug, Default)]
pub struct Descriptions {
    specs: Specs,
    documents: Vec<Arc<Value>>,
}

impl Descriptions {
    /// Reads them, if some page is about an operation and the site wants them in its Markdown.
    pub fn of(site: &Site) -> Self {
        if !site.config.markdown.schema || site.pages.iter().all(|page| page.endpoint.is_none()) {
            return Self::default();
        }
        let mut specs = Specs::of_files(&site.tree, &site.specs);
        // what is wrong with them was told when they were first read
        let documents = specs.numbers().map(|number| specs.document(number, &site.tree, &mut Vec::new())).collect();
        Self { specs, documents }
    }

    /// The part of a description that tells about an operation, as JSON.
    pub(super) fn operation(&self, endpoint: &Endpoint) -> Option<String> {
        let excerpt = self.specs.of_operation(endpoint).into_iter().find_map(|number| excerpt(self.documents.get(number)?, endpoint))?;
        let whole = serde_json::to_string_pretty(&excerpt).ok()?;
        if whole.len() <= LONGEST {
            return Some(whole);
        }
        let mut alone = excerpt;
        alone.as_object_mut()?.remove("components");
        serde_json::to_string_pretty(&alone).ok().filter(|text| text.len() <= LONGEST)
    }
}

/// A description with one operation, and the components that it needs.
fn excerpt(document: &Value, endpoint: &Endpoint) -> Option<Value> {
    let operation = spec::operation(document, endpoint)?;
    let mut out = Map::new();
    for key in ["openapi", "servers", "security"] {
        if let Some(value) = document.get(key) {
            out.insert(key.to_owned(), value.clone());
        }
    }
    let group = if operation.method == "webhook" { "webhooks" } else { "paths" };
    let method = if operation.method == "webhook" { "post" } else { operation.method };
    let mut item = Map::new();
    if let Some(parameters) = operation.shared_parameters() {
        item.insert("parameters".to_owned(), parameters.clone());
    }
    item.insert(method.to_owned(), Value::Object(operation.about.clone()));
    out.insert(group.to_owned(), json!({ operation.path: item }));
    let mut out = Value::Object(out);

    let mut open = references(&out);
    // schemes are named, not referred to
    let asked = operation.about.get("security").or_else(|| document.get("security"));
    let names = asked.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object).flat_map(Map::keys);
    open.extend(names.map(|name| format!("/components/securitySchemes/{}", name.replace('~', "~0").replace('/', "~1"))));
    let mut known: BTreeSet<String> = open.iter().cloned().collect();
    while let Some(pointer) = open.pop() {
        let Some(part) = document.pointer(&pointer) else { continue };
        if known.len() <= PARTS {
            for reference in references(part) {
                if known.insert(reference.clone()) {
                    open.push(reference);
                }
            }
        }
        put(&mut out, &pointer, part.clone());
    }
    Some(out)
}

/// The pointers of all local references below a value. (Parsing has bounded how deep it is.)
fn references(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                if let Some(pointer) = members.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix("#/components/")) {
                    found.push(format!("/components/{pointer}"));
                }
                open.extend(members.values());
            }
            _ => {}
        }
    }
    found
}

/// Puts a part of `components` where its pointer says: `/components/schemas/Pet`.
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
        let found = excerpt(&document, &endpoint).unwrap();
        assert_eq!(found["paths"].as_object().map(Map::len), Some(1));
        assert!(found["paths"]["/pets/{id}"]["delete"].is_null() && found["paths"]["/pets/{id}"]["parameters"].is_array());
        let names = |kind: &str| found["components"][kind].as_object().map(|parts| parts.keys().cloned().collect::<Vec<_>>().join(" "));
        assert_eq!([names("parameters"), names("responses"), names("schemas"), names("securitySchemes")], ["Id", "Pet", "Pet", "a/b key"].map(|names| Some(names.to_owned())));
        assert!(excerpt(&document, &Endpoint::parse("POST /none").unwrap()).is_none());
    }
}
