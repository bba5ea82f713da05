//! Descriptions that explode: small files whose schemas could be unfolded to any size. Each gives a page of bounded size,
//! and a site that is as good as any other.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{description, page, site};

/// Most bytes of a page, whatever its description says.
const MAX_PAGE_BYTES: usize = 6 << 20;
/// Most fields of a page: their number is bounded, and parameters are never left out.
const MAX_FIELDS: usize = 2_100;

/// `n` schemas, each made of its number.
fn schemas(n: usize, one: impl Fn(usize) -> Value) -> Value {
    let all: serde_json::Map<String, Value> = (0..n).map(|at| (format!("S{at}"), one(at))).collect();
    json!({ "schemas": all })
}

fn reference(at: usize) -> Value {
    json!({ "$ref": format!("#/components/schemas/S{at}") })
}

/// Schemas that explode in one way, `size` of them.
fn explosion(kind: usize, size: usize) -> (Value, Value) {
    let next = |at: usize| reference((at + 1) % size);
    let all = |at: usize| (0..size).filter(|other| *other != at).map(reference).collect::<Vec<_>>();
    let properties = |at: usize, wide: usize| {
        let of = |field: usize| (format!("p{field}"), reference((at + 1 + field) % size));
        json!((0..wide).map(of).collect::<serde_json::Map<_, _>>())
    };
    let components = match kind {
        // every schema has a property for every other
        0 => schemas(size, |at| json!({ "type": "object", "properties": properties(at, size) })),
        // alternatives of alternatives
        1 => schemas(size, |at| json!({ "oneOf": all(at) })),
        2 => schemas(size, |at| json!({ "anyOf": all(at), "type": "object", "properties": properties(at, 3) })),
        // everything merged with everything
        3 => {
            schemas(size, |at| json!({ "allOf": all(at), "properties": { format!("own{at}"): { "type": "string" } } }))
        }
        // arrays in arrays
        4 => schemas(size, |at| json!({ "type": "array", "minItems": 1000, "items": next(at) })),
        // twice the same below each other: 2^n
        5 => schemas(size, |at| {
            if at + 1 == size {
                return json!({ "type": "string" });
            }
            json!({ "type": "object", "required": ["left", "right"], "properties": { "left": next(at), "right": next(at) } })
        }),
        // alternatives that each double
        6 => schemas(size, |at| {
            let side = |name: &str| json!({ "title": name, "type": "object", "properties": { name: next(at) } });
            json!({ "oneOf": [side("a"), side("b")] })
        }),
        // maps of maps
        7 => schemas(size, |at| json!({ "type": "object", "minProperties": 9, "additionalProperties": next(at) })),
        // references only
        8 => schemas(size, next),
        // tuples of tuples
        _ => schemas(size, |at| json!({ "type": "array", "prefixItems": all(at) })),
    };
    let content = json!({ "application/json": { "schema": reference(0) } });
    let operation = json!({
        "parameters": [{ "name": "q", "in": "query", "required": true, "schema": reference(0) }],
        "requestBody": { "content": content },
        "responses": { "200": { "description": "It.", "content": content }, "default": { "description": "No.", "content": content } },
    });
    (operation, components)
}

/// What is wrong with the page of a description.
fn problems(operation: &Value, components: &Value, name: &str) -> String {
    let mut wrong = String::new();
    let rows = [("it", operation.clone())];
    let site = site(&description(&rows, components), &json!({})).other_diagnostics().run();
    let bytes = site.text_of("api-reference/it.html").len();
    if bytes > MAX_PAGE_BYTES {
        let _ = writeln!(wrong, "{name}: a page of {bytes} bytes");
    }
    let it = page(&site, "it");
    let fields: usize = it.scopes.iter().map(super::read::Item::count).sum();
    if fields > MAX_FIELDS {
        let _ = writeln!(wrong, "{name}: {fields} fields");
    }
    let longest = it.requests.iter().chain(it.responses.iter().map(|(_, code)| code)).map(String::len).max();
    if longest.unwrap_or(0) > 256 << 10 {
        let _ = writeln!(wrong, "{name}: an example of {longest:?} bytes");
    }
    if it.root != "Operation POST /row-0" {
        let _ = writeln!(wrong, "{name}: no operation");
    }
    let total: usize = site.files.values().map(Vec::len).sum();
    if total > 4 * MAX_PAGE_BYTES {
        let _ = writeln!(wrong, "{name}: a bundle of {total} bytes");
    }
    wrong
}

#[test]
fn eighty_descriptions_that_explode_give_pages_of_bounded_size() {
    let mut wrong = String::new();
    for kind in 0..10 {
        for size in [2, 3, 5, 8, 13, 21, 34, 55] {
            let (operation, components) = explosion(kind, size);
            wrong.push_str(&problems(&operation, &components, &format!("kind {kind} of {size}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Long texts are said once for each field that has them: shared schemas must not multiply them without end.
#[test]
fn a_long_text_in_a_shared_schema_is_bounded() {
    let text = "A sentence about this field that goes on. ".repeat(500);
    let components = schemas(20, |at| {
        let fields = (0..20).map(|field| (format!("p{field}"), reference((at + field + 1) % 20)));
        json!({ "type": "object", "description": text, "properties": fields.collect::<serde_json::Map<_, _>>() })
    });
    let operation = json!({ "requestBody": { "content": { "application/json": { "schema": reference(0) } } } });
    let wrong = problems(&operation, &components, "long texts");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Values that stand where others belong.
#[test]
fn what_is_of_the_wrong_type_is_left_out() {
    let odd = [json!(null), json!(7), json!("text"), json!([]), json!({}), json!([null]), json!(true)];
    let mut rows = Vec::new();
    for (at, value) in odd.iter().enumerate() {
        rows.push((
            ["a", "b", "c", "d", "e", "f", "g"][at],
            json!({
                "parameters": [value, { "name": value, "in": "query" }, { "name": "q", "in": "query", "schema": value, "examples": value }],
                "requestBody": { "content": { "application/json": value, "text/plain": { "schema": value, "examples": value } } },
                "responses": { "200": value, "201": { "description": value, "headers": value, "links": value, "content": value } },
                "callbacks": value, "security": value, "servers": value, "x-codeSamples": value, "tags": value,
            }),
        ));
        for key in [
            "properties",
            "items",
            "allOf",
            "oneOf",
            "anyOf",
            "enum",
            "required",
            "type",
            "format",
            "examples",
            "default",
            "discriminator",
            "additionalProperties",
            "patternProperties",
            "prefixItems",
            "minimum",
            "pattern",
            "x-mint",
            "$ref",
            "const",
        ] {
            let name: &'static str = Box::leak(format!("{key}{at}").into_boxed_str());
            let schema = json!({ "type": "object", "properties": { "v": { key: value }, "w": { "type": "array", "items": { key: value } } }, key: value });
            rows.push((name, json!({ "requestBody": { "content": { "application/json": { "schema": schema } } } })));
        }
    }
    let site = site(&description(&rows, &json!({})), &json!({})).other_diagnostics().run();
    // with the page about all of it
    assert_eq!(site.html().filter(|path| path.starts_with("api-reference/")).count(), rows.len() + 1);
}
