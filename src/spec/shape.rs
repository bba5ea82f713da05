//! Values of the wrong type. Words that should be text and are a number or a flag become text, as YAML writes them
//! without quotes, and flags in quotes become flags; what else is of no use is left out by all who read it, and is told.

use serde_json::Value;

use super::examples::{named_examples, read_example};
use super::operation::{DescriptionMembers, REFERENCE, escape_pointer_segment};
use super::places::PartProblem;
use super::reference::{FILES, has_names, is_looked_at, with_segment};
use super::words::{WordShape, members_of, shape_of};

/// Most problems of one description that are reported one by one.
const MAX_SHAPE_PROBLEMS: usize = 20;
/// Names of types, those that only some programs write among them.
const TYPES: [&str; 14] = [
    "array", "bool", "boolean", "date", "double", "file", "float", "int", "integer", "null", "number", "object",
    "string", "any",
];
/// Values of `in`: where a request has its parameters.
const PLACES: [&str; 5] = ["path", "query", "header", "cookie", "querystring"];

/// Makes text of what should be text, and says what is of no use.
pub(super) fn tidy(document: &mut Value) -> Vec<PartProblem> {
    let is_openapi = document.get("openapi").is_some();
    let mut tidy = Tidy { path: String::new(), problems: Vec::new(), more: 0, is_openapi };
    if let Some(members) = document.as_object_mut() {
        for (key, member) in members.iter_mut() {
            tidy.path = format!("/{}", escape_pointer_segment(key));
            if key == FILES {
                tidy.value(member, true);
            } else {
                tidy.member(key, member, false);
            }
        }
    }
    if tidy.more > 0 {
        let message = format!("{} more values of the wrong type are left out", tidy.more);
        tidy.problems.push(PartProblem::new("openapi-type", message, String::new()));
    }
    tidy.problems
}

struct Tidy {
    path: String,
    problems: Vec<PartProblem>,
    more: usize,
    is_openapi: bool,
}

impl Tidy {
    /// Recursion is bounded by the depth that the parsers allow.
    fn value(&mut self, value: &mut Value, is_map: bool) {
        match value {
            Value::Array(items) => {
                for (at, item) in items.iter_mut().enumerate() {
                    self.below(&at.to_string(), |tidy| tidy.value(item, false));
                }
            }
            Value::Object(members) => {
                if !is_map && self.is_openapi {
                    self.examples(members);
                }
                let is_flagged = has_flag(members);
                for (key, member) in members.iter_mut() {
                    self.below(&escape_pointer_segment(key), |tidy| match is_map && key != "x-mint" {
                        true => tidy.value(member, false),
                        false => tidy.member(key, member, is_flagged),
                    });
                }
            }
            _ => {}
        }
    }

    /// A member of an object whose keys are words of the format. `is_flagged`: `required` is a flag there.
    fn member(&mut self, key: &str, member: &mut Value, is_flagged: bool) {
        // what is left empty is not there
        if member.is_null() {
            return;
        }
        // authors choose the keys of a file with parts of descriptions, which may be words of the format
        let is_part = member.is_object() && self.path.strip_prefix('/').is_some_and(|path| path.starts_with(FILES));
        let shape = self.shape(key, is_flagged).filter(|shape| !is_part || shape.is_of_objects());
        if let Some(shape) = shape {
            self.judge(key, shape, member);
        }
        if key == "bindings" {
            // those of a protocol have words of their own
            if let Some(socket) = member.get_mut("ws") {
                self.below("ws", |tidy| tidy.value(socket, false));
            }
        } else if is_looked_at(key, member) && !shape.is_some_and(WordShape::is_plain) {
            let is_map = has_names(key, member);
            self.value(member, is_map);
        }
    }

    /// What stands behind the word that the path ends with.
    fn shape(&self, key: &str, is_flagged: bool) -> Option<WordShape> {
        let at = |back: usize| self.path.rsplit('/').nth(back).unwrap_or_default();
        let of_variable = at(2) == "variables" && at(4) == "servers";
        let special = match (key, self.is_openapi) {
            ("required", true) if is_flagged => WordShape::Flag,
            ("enum", _) if of_variable => WordShape::Names,
            ("default", _) if of_variable => WordShape::Text,
            ("parameters" | "examples", true) if at(1) == "components" => WordShape::Objects,
            ("parameters", true) if at(2) == "links" && at(3) != "webhooks" => WordShape::Object,
            ("type", true) if at(2) == "securitySchemes" => WordShape::Text,
            ("messages", false) if at(2) == "operations" => WordShape::ListOfObjects,
            ("servers", false) if at(2) == "channels" => WordShape::ListOfObjects,
            ("examples", false) if at(2) == "messages" && !self.path.contains("/payload/") => WordShape::ListOfObjects,
            (key, is_openapi) => return shape_of(key, is_openapi),
        };
        Some(special)
    }

    /// The examples of a parameter, a header or a media type, by their names.
    fn examples(&mut self, members: &mut serde_json::Map<String, Value>) {
        let has = |keys: &[&str]| keys.iter().any(|key| members.contains_key(*key));
        let (around, name) = self.path.rsplit_once('/').unwrap_or_default();
        let is_media_type = name.contains("~1") && around.ends_with("/content");
        if !is_media_type && !has(&["in", "schema", "content"]) {
            return;
        }
        let Some(examples) = members.get_mut("examples") else { return };
        let is_list = examples.is_array();
        if let Value::Array(items) = examples {
            *examples = named_examples(std::mem::take(items)).into();
            self.below("examples", |tidy| {
                tidy.report("`examples` is a list, not an object; its items are shown".to_owned())
            });
        }
        for (name, example) in
            examples.as_object_mut().into_iter().flatten().filter(|(name, _)| !name.starts_with("x-"))
        {
            let odd = read_example(example);
            if let Some(odd) = odd.filter(|odd| !is_list || odd.ends_with("left out")) {
                let segment = format!("examples/{}", escape_pointer_segment(name));
                self.below(&segment, |tidy| tidy.report(format!("the example `{name}` {odd}")));
            }
        }
    }

    fn judge(&mut self, key: &str, shape: WordShape, member: &mut Value) {
        let is_fine = match shape {
            WordShape::Text if member.is_number() || member.is_boolean() => {
                *member = member.to_string().into();
                true
            }
            WordShape::Flag => {
                if let Some(flag) =
                    member.as_str().and_then(|text| text.trim().to_ascii_lowercase().parse::<bool>().ok())
                {
                    *member = flag.into();
                }
                member.is_boolean()
            }
            WordShape::Reference | WordShape::Text => member.is_string(),
            WordShape::List
            | WordShape::ListOfObjects
            | WordShape::Names
            | WordShape::Parameters
            | WordShape::Samples
            | WordShape::Schemas
            | WordShape::Security => member.is_array(),
            WordShape::NamesByName | WordShape::Object | WordShape::Objects | WordShape::Texts => member.is_object(),
            WordShape::Schema => member.is_object() || member.is_boolean(),
            WordShape::Items => member.is_object() || member.is_boolean() || member.is_array(),
            WordShape::Number => member.is_number() || member.is_string(),
            WordShape::Bound => member.is_number() || member.is_string() || member.is_boolean(),
            WordShape::Examples => member.is_array() || member.is_object(),
            WordShape::Types => member.is_string() || member.is_array(),
        };
        if !is_fine {
            return self.tell(key, shape.expected(), member);
        }
        match member {
            Value::Object(members) => self.members(key, shape, members),
            Value::Array(items) => {
                for (at, item) in items.iter_mut().enumerate().filter(|(_, item)| !item.is_null()) {
                    self.below(&at.to_string(), |tidy| tidy.item(key, shape, item));
                }
            }
            Value::String(name) if shape == WordShape::Types => self.known_type(name),
            _ => {}
        }
    }

    /// The members of an object of this shape.
    fn members(&mut self, key: &str, shape: WordShape, members: &mut serde_json::Map<String, Value>) {
        for (name, shape) in members_of(key) {
            if let Some(member) = members.get_mut(*name).filter(|member| !member.is_null()) {
                self.below(name, |tidy| tidy.judge(name, *shape, member));
            }
        }
        let expected = match shape {
            WordShape::Objects => None,
            WordShape::Texts => Some(WordShape::Text),
            WordShape::NamesByName => Some(WordShape::Names),
            _ => return,
        };
        for (name, one) in members.iter_mut().filter(|(name, one)| !name.starts_with("x-") && !one.is_null()) {
            self.below(&escape_pointer_segment(name), |tidy| match expected {
                Some(shape) => tidy.judge(name, shape, one),
                None if one.is_object() || one.is_boolean() => {}
                None => tidy.tell(name, "an object", one),
            });
        }
    }

    /// An item of a list.
    fn item(&mut self, key: &str, shape: WordShape, item: &mut Value) {
        let name = format!("an item of `{key}`");
        match shape {
            WordShape::Schemas | WordShape::Items if !(item.is_object() || item.is_boolean()) => {
                self.say(&name, "an object", item)
            }
            WordShape::ListOfObjects | WordShape::Samples | WordShape::Security | WordShape::Parameters
                if !item.is_object() =>
            {
                self.say(&name, "an object", item);
            }
            WordShape::Names if key == "tags" && self.is_of_root() && item.is_object() => {}
            WordShape::Names if key == "tags" && self.is_of_root() => self.say(&name, "an object", item),
            WordShape::Names if item.is_number() || item.is_boolean() => *item = item.to_string().into(),
            WordShape::Names if !item.is_string() => self.say(&name, "text", item),
            WordShape::Types => match item {
                Value::String(name) => self.known_type(name),
                item => self.say(&name, "text", item),
            },
            WordShape::Parameters => self.parameter(item),
            WordShape::Samples if item.get("source").is_none_or(Value::is_null) => {
                self.report("a sample has no `source`; it is left out".to_owned());
            }
            WordShape::Samples => {
                for key in ["lang", "label", "source"] {
                    if let Some(text) = item.get_mut(key).filter(|text| !text.is_null()) {
                        self.below(key, |tidy| tidy.judge(key, WordShape::Text, text));
                    }
                }
            }
            WordShape::Security => {
                for (scheme, scopes) in item.as_object().into_iter().flatten() {
                    if !scopes.is_array() && !scopes.is_null() {
                        self.below(&escape_pointer_segment(scheme), |tidy| tidy.tell(scheme, "a list", scopes));
                    }
                }
            }
            _ => {}
        }
    }

    /// A parameter has to say what it is called and where it is sent.
    fn parameter(&mut self, parameter: &Value) {
        if parameter.get(REFERENCE).is_some() {
            return;
        }
        let has_name =
            parameter.get("name").is_some_and(|name| name.is_string() || name.is_number() || name.is_boolean());
        let place = parameter.get("in").and_then(Value::as_str);
        let message = match place {
            _ if !has_name => "a parameter has no `name`; it is left out".to_owned(),
            None => "a parameter does not say where it is sent (`in`); it is left out".to_owned(),
            Some(place) if !PLACES.contains(&place) => {
                format!("`in: {place}` is no place of a parameter ({}); it is left out", PLACES.join(", "))
            }
            Some(_) => return,
        };
        self.report(message);
    }

    fn known_type(&mut self, name: &str) {
        if self.is_openapi && !TYPES.contains(&name) && !self.path.contains("/securitySchemes/") {
            self.report(format!("`{name}` is no type ({}); it is left out", TYPES_OF_JSON.join(", ")));
        }
    }

    /// Whether it is a member of the description itself.
    fn is_of_root(&self) -> bool {
        self.path.matches('/').count() == 2
    }

    fn tell(&mut self, key: &str, expected: &str, found: &Value) {
        self.say(&format!("`{key}`"), expected, found);
    }

    fn say(&mut self, name: &str, expected: &str, found: &Value) {
        self.report(wrong_type(name, expected, found));
    }

    fn report(&mut self, message: String) {
        if self.problems.len() >= MAX_SHAPE_PROBLEMS {
            self.more += 1;
            return;
        }
        self.problems.push(PartProblem::new("openapi-type", message, self.path.clone()));
    }

    fn below(&mut self, segment: &str, with: impl FnOnce(&mut Self)) {
        let mut path = std::mem::take(&mut self.path);
        with_segment(&mut path, segment, |path| {
            self.path = std::mem::take(path);
            with(self);
            *path = std::mem::take(&mut self.path);
        });
        self.path = path;
    }
}

/// What is said of a value of the wrong type.
pub(super) fn wrong_type(name: &str, expected: &str, found: &Value) -> String {
    let is = match found {
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
        Value::String(_) => "text",
        _ => "a number or a flag",
    };
    format!("{name} is {is}, not {expected}; it is left out")
}

/// The types that JSON Schema has.
const TYPES_OF_JSON: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];

/// Whether `required` of an object is a flag, as it is of a parameter, a header and a body.
fn has_flag(members: DescriptionMembers<'_>) -> bool {
    const SCHEMA: [&str; 8] = ["type", "properties", "items", "enum", "allOf", "anyOf", "oneOf", "format"];
    let has = |keys: &[&str]| keys.iter().any(|key| members.contains_key(*key));
    has(&["in", "schema", "content"]) || !has(&SCHEMA) && !members.get("required").is_some_and(Value::is_array)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_are_text_and_the_rest_is_told() {
        let mut document = json!({
            "openapi": 3.1, "info": {"title": 2024, "version": 1.0}, "tags": {"name": "t"},
            "paths": {
                "/a": {"get": {"summary": true, "tags": "t", "responses": {"200": {"description": null}, "201": "Fine", "x-own": 1}}, "post": []},
                "/b": "text",
                "x-own": 1,
                "title": {"get": {"x-own": {"responses": 1}, "responses": {"200": {"content": {"a/b": {"schema": {"anyOf": "a", "properties": {"enum": true, "title": {}}, "example": {"tags": 1}}}}}}}},
            },
        });
        let reported: Vec<String> =
            tidy(&mut document).into_iter().map(|it| format!("{} {}", it.place, it.message)).collect();
        assert_eq!(
            reported,
            [
                "/tags `tags` is an object, not a list; it is left out",
                "/paths/~1b `/b` is text, not an object; it is left out",
                "/paths/~1a/get/tags `tags` is text, not a list; it is left out",
                "/paths/~1a/get/responses/201 `201` is text, not an object; it is left out",
                "/paths/~1a/post `post` is a list, not an object; it is left out",
                "/paths/title/get/responses/200/content/a~1b/schema/anyOf `anyOf` is text, not a list; it is left out",
            ]
        );
        assert_eq!(document["info"]["title"], json!("2024"));
        assert_eq!(document["paths"]["/a"]["get"]["summary"], json!("true"));
        let mut document = json!({"openapi": "3.1.0", "paths": {"/a": {"get": {
            "deprecated": "True", "tags": [7, null], "security": [{"key": []}, {}],
            "parameters": [{"name": 7, "in": "query", "required": "true", "schema": true}, {"$ref": "#/components/parameters/P"}],
            "requestBody": {"required": true},
            "responses": {"200": {"content": {"a/b": {"schema": {
                "type": ["string", "null"], "exclusiveMinimum": true, "minimum": "2", "required": ["a", 1], "items": [{}], "additionalProperties": false,
                "enum": [1], "discriminator": {"propertyName": "p", "mapping": {}}, "examples": [1], "properties": {"required": {"type": "array"}, "in": true},
            }}}, "links": {"next": {"parameters": {"id": 1}}}}},
        }}}, "tags": [{"name": "t"}], "components": {"parameters": {"P": {"name": "p", "in": "path", "required": true}}}});
        let reported: Vec<String> = tidy(&mut document).into_iter().map(|it| it.message).collect();
        assert_eq!(reported, Vec::<String>::new());
        let operation = &document["paths"]["/a"]["get"];
        assert_eq!((&operation["deprecated"], &operation["parameters"][0]["required"]), (&json!(true), &json!(true)));
        let mut chat = json!({"asyncapi": "3.0.0", "servers": {"a": {"security": [{"$ref": "#/x"}], "tags": [{"name": "t"}]}}, "channels": {"c": {"parameters": {"p": {}}, "messages": {"m": {"headers": {"type": "object"}, "payload": {"type": "record"}}}}}});
        assert!(tidy(&mut chat).is_empty());
    }
}
