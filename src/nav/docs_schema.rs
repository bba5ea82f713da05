//! The JSON schema of `docs.json`, found out from its readers: they are run on small documents, and what they ask of each
//! value is noted. There is no second list of keys that could differ from what is read.

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use site::docs_json::read_logged;
use site::fields::FieldPath;
use site::json::parse_json;
use site::problems::LoadProblems;
use site::read_log::{Asked, ReadLog};

use super::draft::NavDraft;

/// A name that objects with any names are given a member of.
const ANY_KEY: &str = "name";
/// Values go no deeper than this, except where objects hold each other.
const MAX_OBJECT_DEPTH: usize = 64;

/// A step from a value to one inside it.
#[derive(Clone, Debug)]
enum ValueStep {
    Key(&'static str),
    Item,
}

/// The schema, in the version of JSON Schema that editors know.
pub fn docs_json_schema() -> Value {
    let mut explorer = Explorer::default();
    let asked = Explorer::questions(&[]);
    let root = explorer.object(&mut Vec::new(), &asked);
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "docs.json",
        "description": "The configuration of a documentation site. Written by `offprint schema docs.json`.",
    });
    if let (Some(schema), Value::Object(root)) = (schema.as_object_mut(), root) {
        schema.extend(root);
        schema.insert("definitions".to_owned(), Value::Object(explorer.definitions));
    }
    schema
}

/// Walks from the root to every value that is read.
#[derive(Debug, Default)]
struct Explorer {
    /// Objects by what messages call them. Containers of the navigation hold each other.
    definitions: Map<String, Value>,
    /// What is asked of the members of each of these. Other objects of the same name may have other keys.
    asked: FxHashMap<String, Vec<Asked>>,
}

impl Explorer {
    /// What the readers ask of a value, whichever type it has.
    fn questions(place: &[ValueStep]) -> Vec<Asked> {
        let mut found: Vec<Asked> = Vec::new();
        for value in [json!("x"), json!(true), json!(1), json!({}), json!([])] {
            let log = ReadLog::default();
            read_probe(&document(place, value), &log);
            for asked in log.of(&path_of(place)) {
                if !found.contains(&asked) {
                    found.push(asked);
                }
            }
        }
        found
    }

    /// The schema of the value at a place. Ends, because an object that is known by its name is not entered again.
    fn value(&mut self, place: &mut Vec<ValueStep>) -> Value {
        let asked = Self::questions(place);
        let has = |one: &Asked| asked.contains(one);
        if has(&Asked::Anything) || place.len() > MAX_OBJECT_DEPTH {
            return json!(true);
        }
        let mut forms: Vec<Value> = Vec::new();
        let words: Vec<&String> = asked
            .iter()
            .filter_map(|asked| if let Asked::Words(words) = asked { Some(words) } else { None })
            .flatten()
            .collect();
        if !words.is_empty() {
            forms.push(json!({ "enum": words }));
        } else if has(&Asked::Color) {
            forms.push(json!({ "type": "string", "format": "color-hex" }));
        } else if has(&Asked::Text) {
            forms.push(json!({ "type": "string" }));
        }
        for (question, name) in [(Asked::Flag, "boolean"), (Asked::Number, "number")] {
            if has(&question) {
                forms.push(json!({ "type": name }));
            }
        }
        if has(&Asked::Object) {
            forms.push(self.object(place, &asked));
        }
        if has(&Asked::List) {
            place.push(ValueStep::Item);
            let item = self.value(place);
            place.pop();
            forms.push(json!({ "type": "array", "items": item }));
        }
        match forms.len() {
            0 => json!(true),
            1 => forms.remove(0),
            _ => json!({ "anyOf": forms }),
        }
    }

    /// The schema of an object, or a reference to it.
    fn object(&mut self, place: &mut Vec<ValueStep>, asked: &[Asked]) -> Value {
        let end = asked.iter().rev().find_map(|asked| if let Asked::End(kind) = asked { Some(*kind) } else { None });
        let name = end.filter(|_| !place.is_empty()).map(definition_name);
        // a value that may be an object is asked for more than its members
        let is_of_members = |asked: &&Asked| matches!(asked, Asked::Key(_) | Asked::AnyKey | Asked::End(_));
        let asked: Vec<Asked> = asked.iter().filter(is_of_members).cloned().collect();
        let name = name.filter(|name| self.asked.get(name).is_none_or(|known| *known == asked));
        let reference = name.as_ref().map(|name| json!({ "$ref": format!("#/definitions/{name}") }));
        if let (Some(name), Some(reference)) = (&name, &reference) {
            if self.definitions.contains_key(name) {
                return reference.clone();
            }
            // what is inside may refer to it
            self.definitions.insert(name.clone(), Value::Null);
            self.asked.insert(name.clone(), asked.clone());
        }
        let mut schema = Map::new();
        schema.insert("type".to_owned(), json!("object"));
        let mut properties = Map::new();
        for asked in &asked {
            if let Asked::Key(key) = asked {
                place.push(ValueStep::Key(key));
                properties.insert((*key).to_owned(), self.value(place));
                place.pop();
            }
        }
        if !properties.is_empty() {
            schema.insert("properties".to_owned(), Value::Object(properties));
        }
        if asked.contains(&Asked::AnyKey) {
            place.push(ValueStep::Key(ANY_KEY));
            schema.insert("additionalProperties".to_owned(), self.value(place));
            place.pop();
        } else if end.is_some() {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
        match (name, reference) {
            (Some(name), Some(reference)) => {
                self.definitions.insert(name, Value::Object(schema));
                reference
            }
            _ => Value::Object(schema),
        }
    }
}

/// Reads a document as a site does.
fn read_probe(document: &Value, log: &ReadLog) {
    let mut problems = LoadProblems::default();
    let text = document.to_string();
    let source = problems.add_source("docs.json", text.clone());
    let Ok(parsed) = parse_json(&text, source) else { return };
    read_logged(&parsed.json, Some(log), &mut problems);
    if let Some(json) = parsed.json.member("navigation") {
        NavDraft::read_field(&FieldPath { path: "navigation".to_owned(), json, log: Some(log) }, &mut problems);
    }
}

/// A document with this value at a place, and what else has to be there for some keys to be read.
fn document(place: &[ValueStep], value: Value) -> Value {
    let whole = place.iter().rev().fold(value, |value, step| match step {
        ValueStep::Key(key) => json!({ (*key): value }),
        ValueStep::Item => json!([value]),
    });
    let mut whole = if place.is_empty() { json!({}) } else { whole };
    add_missing(&mut whole, json!({ "theme": "willow", "fonts": { "family": "Inter" } }));
    whole
}

/// Adds the members that an object, and objects in it, do not have.
fn add_missing(whole: &mut Value, others: Value) {
    if let (Value::Object(whole), Value::Object(others)) = (whole, others) {
        for (key, other) in others {
            match whole.get_mut(&key) {
                Some(member) => add_missing(member, other),
                None => drop(whole.insert(key, other)),
            }
        }
    }
}

/// The path as messages write it.
fn path_of(place: &[ValueStep]) -> String {
    let mut path = String::new();
    for step in place {
        match step {
            ValueStep::Key(key) if path.is_empty() => path.push_str(key),
            ValueStep::Key(key) => path.extend([".", key]),
            ValueStep::Item => path.push_str("[0]"),
        }
    }
    path
}

/// "a link of `navbar`" as `link-of-navbar`.
fn definition_name(kind: &str) -> String {
    let kind = kind.strip_prefix("a ").or_else(|| kind.strip_prefix("an ")).unwrap_or(kind);
    kind.replace('`', "").replace([' ', '.'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_in_the_schema() {
        let schema = docs_json_schema();
        let of = |pointer: &str| schema.pointer(pointer).unwrap_or_else(|| panic!("{pointer}: {schema:#}"));
        assert_eq!(of("/properties/name/type"), "string");
        assert_eq!(of("/properties/theme/enum/0"), "mint");
        assert_eq!(of("/additionalProperties"), false);
        assert_eq!(of("/definitions/colors/properties/primary/format"), "color-hex");
        assert_eq!(of("/definitions/colors/additionalProperties"), false);
        assert_eq!(of("/definitions/group/properties/pages/items/anyOf/1/$ref"), "#/definitions/group");
        assert_eq!(of("/definitions/navigation/properties/tabs/items/$ref"), "#/definitions/tab");
        assert_eq!(of("/properties/variables/additionalProperties/type"), "string");
        assert_eq!(of("/definitions/font/properties/weight/anyOf/1/type"), "number");
        assert_eq!(of("/definitions/integrations/properties/ga4/properties/measurementId"), true);
        assert_eq!(of("/definitions/variation/properties/id/type"), "string");
        assert_eq!(of("/definitions/language/properties/navbar/$ref"), "#/definitions/navbar");
    }
}
