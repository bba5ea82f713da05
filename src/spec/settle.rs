//! Numbers that are not shown as they are written: text where a schema or the format says so, numbers elsewhere.

use serde_json::Value;

use super::number::{as_number, spelled_number};
use super::operation::{REFERENCE, escape_pointer_segment, pointer_target};
use super::reference::{has_names, with_segment};

/// Schemas that one value is looked up in.
const MAX_SCHEMAS: usize = 200;
/// Keys whose values are texts.
const TEXTS: [&str; 27] = [
    "$id",
    "$ref",
    "$schema",
    "contentEncoding",
    "contentMediaType",
    "contentType",
    "description",
    "email",
    "externalValue",
    "format",
    "identifier",
    "in",
    "label",
    "lang",
    "name",
    "openapi",
    "operationId",
    "operationRef",
    "parent",
    "pattern",
    "propertyName",
    "source",
    "summary",
    "title",
    "type",
    "url",
    "version",
];
/// Keys of lists and maps of texts.
const TEXT_LISTS: [&str; 5] = ["dependentRequired", "mapping", "required", "scopes", "tags"];
/// Keys whose values are of the schema that has them, or that stands beside them.
const DATA: [&str; 5] = ["const", "default", "example", "x-default", "x-example"];

/// Decides what the numbers of a document are that are kept as they are written.
pub(super) fn settle(document: &mut Value) {
    if !has_spelled(document) {
        return;
    }
    let mut finder = OperationFinder { root: document, path: String::new(), found: Vec::new() };
    finder.format(document, false);
    for (pointer, value) in finder.found {
        if let Some(place) = document.pointer_mut(&pointer) {
            *place = value;
        }
    }
}

fn has_spelled(value: &Value) -> bool {
    match value {
        Value::String(_) => spelled_number(value).is_some(),
        Value::Array(items) => items.iter().any(has_spelled),
        Value::Object(members) => members.values().any(has_spelled),
        _ => false,
    }
}

/// Finds them, and what each is.
struct OperationFinder<'a> {
    root: &'a Value,
    path: String,
    found: Vec<(String, Value)>,
}

impl<'a> OperationFinder<'a> {
    /// An object of the format. `of_texts`: what it says of values is said of texts.
    fn format(&mut self, value: &'a Value, of_texts: bool) {
        let Value::Object(members) = value else { return self.plain(value, false) };
        for (key, member) in members {
            self.below(key, |finder| match key.as_str() {
                key if DATA.contains(&key) => finder.data(member, &schemas_beside(value), of_texts),
                key if member.is_string() => finder.plain(member, TEXTS.binary_search(&key).is_ok()),
                "enum" => finder.each(member, |finder, one| finder.data(one, &schemas_beside(value), of_texts)),
                "examples" => finder.examples(value, member, of_texts),
                key if TEXT_LISTS.contains(&key) && !is_list_of_objects(member) => {
                    finder.each(member, |finder, one| finder.plain(one, true));
                }
                key if has_names(key, member) => {
                    finder.each(member, |finder, one| finder.format(one, names_texts(key, one)));
                }
                _ if member.is_array() => finder.each(member, |finder, one| finder.format(one, false)),
                _ => finder.format(member, false),
            });
        }
    }

    /// `examples` of a schema is a list of values; elsewhere of objects that have them.
    fn examples(&mut self, around: &'a Value, examples: &'a Value, of_texts: bool) {
        let schemas = schemas_beside(around);
        self.each(examples, |finder, example| match example {
            Value::Object(_) if examples.is_object() => finder.each(example, |finder, value| {
                finder.data(value, &schemas, of_texts);
            }),
            // of the messages of AsyncAPI
            Value::Object(_) if around.get("payload").is_some() => finder.each(example, |finder, value| {
                finder.data(value, &schemas, of_texts);
            }),
            example => finder.data(example, &schemas, of_texts),
        });
    }

    /// A value of these schemas.
    fn data(&mut self, value: &'a Value, schemas: &[&'a Value], of_texts: bool) {
        match value {
            Value::String(_) => {
                let is_text = || self.are_texts(schemas).unwrap_or(of_texts);
                let is_text = spelled_number(value).is_some() && is_text();
                self.plain(value, is_text);
            }
            Value::Array(items) if items.iter().any(has_spelled) => {
                let all = self.with_parts(schemas);
                for (at, item) in items.iter().enumerate() {
                    let of_item: Vec<&Value> = all.iter().filter_map(|schema| item_schema(schema, at)).collect();
                    self.below(&at.to_string(), |finder| finder.data(item, &of_item, false));
                }
            }
            Value::Object(members) if members.values().any(has_spelled) => {
                let all = self.with_parts(schemas);
                for (key, member) in members {
                    let of_member: Vec<&Value> = all.iter().filter_map(|schema| member_schema(schema, key)).collect();
                    self.below(key, |finder| finder.data(member, &of_member, false));
                }
            }
            _ => {}
        }
    }

    /// Whether values of these schemas are texts, if they say so.
    fn are_texts(&self, schemas: &[&'a Value]) -> Option<bool> {
        let mut is_text = None;
        for schema in self.with_parts(schemas) {
            for name in type_names(schema) {
                match name {
                    "integer" | "number" | "int" | "float" | "double" => return Some(false),
                    "string" | "date" => is_text = Some(true),
                    _ => {}
                }
            }
        }
        is_text
    }

    /// Schemas with what they refer to and consist of.
    fn with_parts(&self, schemas: &[&'a Value]) -> Vec<&'a Value> {
        let mut all: Vec<&'a Value> = schemas.to_vec();
        let mut at = 0;
        while let Some(schema) = all.get(at).copied().filter(|_| at < MAX_SCHEMAS) {
            at += 1;
            let target = schema.get(REFERENCE).and_then(Value::as_str).and_then(|it| pointer_target(self.root, it));
            let several =
                ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
            for part in target.into_iter().chain(several) {
                if all.len() < MAX_SCHEMAS && !all.iter().any(|known| std::ptr::eq(*known, part)) {
                    all.push(part);
                }
            }
        }
        all
    }

    fn plain(&mut self, value: &'a Value, is_text: bool) {
        if let Some(spelled) = spelled_number(value) {
            let value = if is_text { spelled.into() } else { as_number(spelled) };
            self.found.push((self.path.clone(), value));
        }
    }

    /// Does something with each item or member.
    fn each(&mut self, value: &'a Value, mut with: impl FnMut(&mut Self, &'a Value)) {
        match value {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.below(&at.to_string(), |finder| with(finder, item));
                }
            }
            Value::Object(members) => {
                for (key, member) in members {
                    self.below(key, |finder| with(finder, member));
                }
            }
            value => with(self, value),
        }
    }

    fn below(&mut self, key: &str, with: impl FnOnce(&mut Self)) {
        let mut path = std::mem::take(&mut self.path);
        with_segment(&mut path, &escape_pointer_segment(key), |path| {
            self.path = std::mem::take(path);
            with(self);
            *path = std::mem::take(&mut self.path);
        });
        self.path = path;
    }
}

/// The schemas of the values that an object gives: its `schema`, that of its content or payload, or itself.
fn schemas_beside(object: &Value) -> Vec<&Value> {
    let of_content = || object.get("content")?.as_object()?.values().next()?.get("schema");
    let beside = object.get("schema").or_else(|| object.get("payload")).or_else(of_content);
    vec![beside.unwrap_or(object)]
}

/// Whether a named object of the format describes texts, without a schema: a variable, a parameter of a channel.
fn names_texts(key: &str, named: &Value) -> bool {
    key == "variables" || key == "parameters" && ["in", "schema", "type"].iter().all(|word| named.get(word).is_none())
}

fn is_list_of_objects(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().any(Value::is_object))
}

fn type_names(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn item_schema(schema: &Value, at: usize) -> Option<&Value> {
    let first = schema.get("prefixItems").and_then(|items| items.get(at));
    first.or_else(|| schema.get("items").and_then(|items| if items.is_array() { items.get(at) } else { Some(items) }))
}

fn member_schema<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    let own = schema.get("properties").and_then(|properties| properties.get(name));
    let patterns = || schema.get("patternProperties")?.as_object()?.values().next();
    own.or_else(|| schema.get("additionalProperties").filter(|more| more.is_object())).or_else(patterns)
}

#[cfg(test)]
mod tests {
    use super::super::compose::compose_yaml;
    use super::*;

    #[track_caller]
    fn check(text: &str, pointer: &str, expect: &str) {
        let (mut document, _) = compose_yaml(text).unwrap();
        settle(&mut document);
        assert_eq!(document.pointer(pointer).unwrap().to_string(), expect, "{text}");
    }

    #[test]
    fn texts_are_told_by_their_schemas() {
        assert!(TEXTS.is_sorted());
        let schemas = "components: {schemas: {Zip: {type: string}, Crate: {type: object, properties: {zip: {$ref: '#/components/schemas/Zip'}, all: {type: array, items: {type: [string, 'null']}}, size: {type: number}}, additionalProperties: {type: string}}}}";
        for (schema, expect) in [
            ("{type: string, example: 02139}", "\"02139\""),
            ("{type: integer, example: 02139}", "2139"),
            ("{type: [string, integer], example: 02139}", "2139"),
            ("{$ref: '#/components/schemas/Zip', example: 3e2}", "\"3e2\""),
            ("{allOf: [{$ref: '#/components/schemas/Zip'}], example: 12_34}", "\"12_34\""),
            ("{anyOf: [{type: string}, {type: 'null'}], example: 1.10}", "\"1.10\""),
            ("{example: 1_000}", "1000"),
        ] {
            check(&format!("{schemas}\nx: {schema}"), "/x/example", expect);
        }
        let media = format!(
            "{schemas}\nx: {{schema: {{$ref: '#/components/schemas/Crate'}}, example: {{zip: 007, all: [01, 2], size: 1.50, more: 0x1F}}, examples: {{one: {{value: {{zip: 1e3}}}}}}}}"
        );
        check(&media, "/x/example", r#"{"zip":"007","all":["01",2],"size":1.5,"more":"0x1F"}"#);
        check(&media, "/x/examples/one/value/zip", "\"1e3\"");
    }

    #[test]
    fn texts_are_told_by_the_format() {
        check("info: {title: 007, version: 1.10}", "/info", r#"{"title":"007","version":"1.10"}"#);
        check("x: {type: string, enum: [01, 2_0, a], default: +3}", "/x/enum", r#"["01","2_0","a"]"#);
        check(
            "x: {mapping: {v1: 9e645618}, required: [01], tags: [0x1]}",
            "/x",
            r#"{"mapping":{"v1":"9e645618"},"required":["01"],"tags":["0x1"]}"#,
        );
        check(
            "servers: [{variables: {port: {default: 0443, enum: [0443, 8_443]}}}]",
            "/servers/0/variables/port",
            r#"{"default":"0443","enum":["0443","8_443"]}"#,
        );
        check(
            "x: {type: integer, minimum: 007, maximum: 1_000, multipleOf: 0x10}",
            "/x",
            r#"{"type":"integer","minimum":7,"maximum":1000,"multipleOf":16}"#,
        );
        check(
            "x: {parameters: [{name: 0x1, in: query, schema: {type: string}, example: 0o17}]}",
            "/x/parameters/0",
            r#"{"name":"0x1","in":"query","schema":{"type":"string"},"example":"0o17"}"#,
        );
        check(
            "x: {properties: {title: {type: integer, example: 01}, example: {type: string, example: 01}}}",
            "/x/properties",
            r#"{"title":{"type":"integer","example":1},"example":{"type":"string","example":"01"}}"#,
        );
        check(
            "x: {payload: {properties: {a: {type: string}}}, examples: [{payload: {a: 01}}]}",
            "/x/examples/0/payload/a",
            "\"01\"",
        );
    }
}
