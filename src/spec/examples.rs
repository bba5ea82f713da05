//! `examples` of parameters, headers and media types, which are objects by their names. Authors often write a list, as a
//! schema has it, or the bare value: it is evident what they mean.

use serde_json::{Map, Value};

/// Members of an example that say what it shows.
const VALUES: [&str; 5] = ["$ref", "dataValue", "externalValue", "serializedValue", "value"];

/// Makes an object of a list: of examples, of examples below their names, or of values.
pub(super) fn named_examples(items: Vec<Value>) -> Map<String, Value> {
    let is_named = |item: &Value| {
        let members = item.as_object().filter(|members| members.len() == 1);
        members.and_then(|members| members.values().next()).is_some_and(is_example)
    };
    let are_named = items.iter().all(|item| is_named(item) && !is_example(item));
    let mut named = Map::new();
    for (at, mut item) in items.into_iter().enumerate() {
        let number = (at + 1).to_string();
        if are_named {
            named.extend(item.as_object_mut().map(std::mem::take).into_iter().flatten());
            continue;
        }
        let name = item.get("name").and_then(Value::as_str).filter(|_| is_example(&item)).map(str::to_owned);
        let name = name.filter(|name| !named.contains_key(name)).unwrap_or(number);
        named.insert(name, item);
    }
    named
}

/// Reads an example in place; what is odd about it, as it goes on behind its name.
pub(super) fn read_example(example: &mut Value) -> Option<&'static str> {
    if example.is_null() {
        return None;
    }
    let Some(members) = example.as_object_mut() else {
        *example = of_value(example.take());
        return Some("is no object with a `value`; it is taken for the value");
    };
    if members.contains_key("$ref") || members.contains_key("value") || members.contains_key("dataValue") {
        return None;
    }
    if let Some(text) = members.get("serializedValue").and_then(Value::as_str) {
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        members.insert("value".to_owned(), value);
        return None;
    }
    if members.contains_key("externalValue") {
        return Some("has its value elsewhere (`externalValue`), which is not read; it is left out");
    }
    if members.contains_key("serializedValue")
        || !members.is_empty() && members.keys().all(|key| matches!(key.as_str(), "summary" | "description" | "name"))
    {
        return Some("has no `value`; it is left out");
    }
    *example = of_value(example.take());
    Some("is no object with a `value`; it is taken for the value")
}

fn of_value(value: Value) -> Value {
    let mut example = Map::new();
    example.insert("value".to_owned(), value);
    example.into()
}

fn is_example(value: &Value) -> bool {
    value.as_object().is_some_and(|members| VALUES.iter().any(|key| members.contains_key(*key)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn named(items: Value, expect: Value) {
        let Value::Array(items) = items else { panic!("no list") };
        assert_eq!(Value::Object(named_examples(items)), expect);
    }

    #[test]
    fn lists_are_named() {
        named(
            json!([{"value": 1}, {"name": "two", "value": 2}, {"name": "two", "value": 3}]),
            json!({"1": {"value": 1}, "two": {"name": "two", "value": 2}, "3": {"name": "two", "value": 3}}),
        );
        named(json!([{"a": {"value": 1}}, {"b": {"$ref": "#/x"}}]), json!({"a": {"value": 1}, "b": {"$ref": "#/x"}}));
        named(json!([{"name": "n", "id": 1}, 2]), json!({"1": {"name": "n", "id": 1}, "2": 2}));
    }

    #[test]
    fn bare_values_are_taken() {
        for (example, expect, told) in [
            (json!({"id": 1}), json!({"value": {"id": 1}}), "taken"),
            (json!("text"), json!({"value": "text"}), "taken"),
            (json!({}), json!({"value": {}}), "taken"),
            (json!({"summary": "S"}), json!({"summary": "S"}), "left out"),
            (json!({"externalValue": "u"}), json!({"externalValue": "u"}), "left out"),
            (json!({"serializedValue": "[1]"}), json!({"serializedValue": "[1]", "value": [1]}), ""),
            (json!({"serializedValue": "a b"}), json!({"serializedValue": "a b", "value": "a b"}), ""),
            (json!({"value": 1}), json!({"value": 1}), ""),
        ] {
            let mut read = example.clone();
            let odd = read_example(&mut read).unwrap_or_default();
            assert!(odd.contains(told) && odd.is_empty() == told.is_empty(), "{example}: {odd}");
            assert_eq!(read, expect);
        }
    }
}
