//! What schemas say wrong: fields that are required and do not exist, examples and defaults that are none.

use serde_json::Value;

use crate::operation::{DescriptionMembers, escape_pointer_segment};
use crate::places::PartProblem;
use crate::reference::{FILES, has_names, is_looked_at, with_segment};

use super::validate::Validator;

/// Words that say what a value is: an object that has one is a schema.
const SCHEMA: [&str; 10] =
    ["type", "enum", "const", "format", "properties", "items", "allOf", "anyOf", "oneOf", "additionalProperties"];

pub(super) fn lint_schemas(document: &Value) -> Vec<PartProblem> {
    let mut walk = SchemaWalk { validator: Validator::new(document), problems: Vec::new(), path: String::new() };
    for (key, member) in document.as_object().into_iter().flatten() {
        walk.path = format!("/{}", escape_pointer_segment(key));
        if key == FILES {
            walk.value(member, true, false);
        } else if is_looked_at(key, member) {
            walk.value(member, has_names(key, member), false);
        }
    }
    walk.problems
}

struct SchemaWalk<'a> {
    validator: Validator<'a>,
    problems: Vec<PartProblem>,
    path: String,
}

impl<'a> SchemaWalk<'a> {
    /// Recursion is bounded by the depth that the parsers allow. `is_part`: others say more about the same value.
    fn value(&mut self, value: &'a Value, is_map: bool, is_part: bool) {
        match value {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.below(&at.to_string(), item, false, is_part);
                }
            }
            Value::Object(members) => {
                if !is_map {
                    self.object(members, is_part);
                }
                for (key, member) in members {
                    if is_map || is_looked_at(key, member) {
                        let is_part = !is_map
                            && matches!(key.as_str(), "allOf" | "anyOf" | "oneOf" | "if" | "then" | "else" | "not");
                        self.below(&escape_pointer_segment(key), member, !is_map && has_names(key, member), is_part);
                    }
                }
            }
            _ => {}
        }
    }

    fn below(&mut self, segment: &str, value: &'a Value, is_map: bool, is_part: bool) {
        let mut path = std::mem::take(&mut self.path);
        with_segment(&mut path, segment, |path| {
            self.path = std::mem::take(path);
            self.value(value, is_map, is_part);
            *path = std::mem::take(&mut self.path);
        });
        self.path = path;
    }

    fn object(&mut self, members: DescriptionMembers<'a>, is_part: bool) {
        if let Some(schema) = members.get("schema").filter(|schema| schema.is_object()) {
            self.examples_of_media(members, schema);
        } else if SCHEMA.iter().any(|key| members.contains_key(*key)) {
            self.schema(members, is_part);
        }
    }

    /// A media type, a parameter or a header.
    fn examples_of_media(&mut self, members: DescriptionMembers<'a>, schema: &'a Value) {
        let is_text = self.is_text_media();
        let is_judged = |example: &Value| !(is_text && example.is_string());
        if let Some(example) = members.get("example").filter(|example| is_judged(example)) {
            self.judge("/example", "example", schema, example);
        }
        for (name, example) in members.get("examples").and_then(Value::as_object).into_iter().flatten() {
            if let Some(value) = example.get("value").filter(|value| is_judged(value)) {
                self.judge(&format!("/examples/{}/value", escape_pointer_segment(name)), "example", schema, value);
            }
        }
    }

    /// Whether the path leads to a media type that is not JSON: its examples are texts.
    fn is_text_media(&self) -> bool {
        let mut segments = self.path.rsplit('/');
        let (media, around) = (segments.next().unwrap_or_default(), segments.next().unwrap_or_default());
        around == "content" && !media.contains("json")
    }

    fn schema(&mut self, members: DescriptionMembers<'a>, is_part: bool) {
        let Some(schema) = self.validator.document.pointer(&self.path) else { return };
        for key in ["default", "example"] {
            // tools write `default: null` where there is no default
            let is_judged = |value: &&Value| key != "default" || !value.is_null();
            if let Some(value) = members.get(key).filter(is_judged) {
                self.judge(&format!("/{key}"), key, schema, value);
            }
        }
        for (at, value) in members.get("examples").and_then(Value::as_array).into_iter().flatten().enumerate() {
            self.judge(&format!("/examples/{at}"), "example", schema, value);
        }
        const MORE: [&str; 7] = ["allOf", "anyOf", "oneOf", "$ref", "patternProperties", "if", "x-mint-enum"];
        let has_more = is_part || MORE.iter().any(|key| members.contains_key(*key));
        let Some(properties) = members.get("properties").and_then(Value::as_object).filter(|_| !has_more) else {
            return;
        };
        if members.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false)) {
            return;
        }
        for (at, name) in members.get("required").and_then(Value::as_array).into_iter().flatten().enumerate() {
            if let Some(name) = name.as_str().filter(|name| !properties.contains_key(*name)) {
                let message = format!("`required` names `{name}`, which `properties` does not have");
                self.problems.push(PartProblem::new(
                    "openapi-required",
                    message,
                    format!("{}/required/{at}", self.path),
                ));
            }
        }
    }

    fn judge(&mut self, place: &str, what: &str, schema: &'a Value, value: &Value) {
        if let Some(why) = self.validator.judge(schema, value) {
            let message = format!("the {what} does not fit its schema: {why}");
            self.problems.push(PartProblem::new("openapi-example", message, format!("{}{place}", self.path)));
        }
    }
}
