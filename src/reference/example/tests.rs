//! Examples by keyword, and that they are accepted by the schemas they are made of.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Direction, ExampleMaker, MAX_VALUES, SchemaReader, pattern, schema_example};

/// The example of a schema in a response.
fn of(schema: &Value) -> Value {
    schema_example(&json!({}), schema, Direction::Response, false)
}

/// The example of a schema of a document, in a response.
fn named(schemas: Value, name: &str) -> Value {
    let document = json!({ "components": { "schemas": schemas } });
    let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
    schema_example(&document, &schema, Direction::Response, false)
}

fn check(cases: &[(Value, Value)]) {
    for (schema, expected) in cases {
        assert_eq!(&of(schema), expected, "{schema}");
    }
}

#[test]
fn what_the_author_gives_comes_first() {
    check(&[
        (
            json!({ "type": "string", "example": "a", "examples": ["b"], "default": "c", "enum": ["c", "a"] }),
            json!("a"),
        ),
        (json!({ "type": "string", "examples": ["b"], "default": "c" }), json!("b")),
        (json!({ "const": "x" }), json!("x")),
        (json!({ "type": "string", "default": "c", "enum": ["b", "c"] }), json!("c")),
        (json!({ "type": "string", "enum": ["b", "c"] }), json!("b")),
        (
            json!({ "type": "object", "example": { "a": 1 }, "properties": { "a": { "type": "string" } } }),
            json!({ "a": 1 }),
        ),
        (json!({ "type": ["string", "null"], "default": null, "maxLength": 3 }), json!("str")),
        (json!({ "type": "string", "example": 12 }), json!("12")),
        (json!({ "type": "integer", "example": "12" }), json!(12)),
        (json!({ "type": "integer", "example": "many" }), json!(123)),
        (json!({ "type": "string", "example": "B", "enum": ["a", "b"] }), json!("a")),
        (json!({ "type": "array", "items": { "type": "string" }, "example": "a" }), json!(["<string>"])),
        (json!({ "type": "object", "example": "{\"a\": 1}" }), json!({ "a": 1 })),
    ]);
}

#[test]
fn types_have_plain_values() {
    check(&[
        (json!({ "type": "string" }), json!("<string>")),
        (json!({ "type": "integer" }), json!(123)),
        (json!({ "type": "number" }), json!(123)),
        (json!({ "type": "boolean" }), json!(true)),
        (json!({ "type": "null" }), Value::Null),
        (json!({ "type": ["null", "integer"] }), json!(123)),
        (json!({ "type": "array" }), json!([])),
        (json!({ "type": "object" }), json!({})),
        (json!({}), json!("<any>")),
        (json!(true), json!("<any>")),
        (json!({ "properties": { "a": { "minimum": 200 } } }), json!({ "a": 200 })),
        (json!({ "type": "something" }), json!("<any>")),
        (json!("nonsense"), json!("<any>")),
    ]);
}

#[test]
fn text_has_its_format_pattern_and_length() {
    check(&[
        (json!({ "type": "string", "format": "uuid" }), json!("3c90c3cc-0d44-4b50-8888-8dd25736052a")),
        (json!({ "type": "string", "format": "date-time" }), json!("2023-11-07T05:31:56Z")),
        (json!({ "type": "string", "format": "unheard-of" }), json!("<string>")),
        (json!({ "type": "string", "maxLength": 3 }), json!("str")),
        (json!({ "type": "string", "minLength": 12 }), json!("stringstring")),
        (json!({ "type": "string", "minLength": 2, "maxLength": 4, "format": "email" }), json!("stri")),
        (json!({ "type": "string", "pattern": "^[A-Z]{2}$" }), json!("AB")),
        (json!({ "type": "string", "pattern": "^ord_[A-Za-z0-9]{8}$" }), json!("ord_abcdefgh")),
    ]);
}

#[test]
fn patterns_give_text_that_they_match() {
    for (pattern, text) in [
        (r"^\d{4}-\d{2}$", "1234-56"),
        (r"^(draft|final)$", "draft"),
        (r"^[^\s]+@[a-z]+\.com$", "abcdefgh@ijklmnop.com"),
        (r"^\+?[1-9]\d{1,3}$", "+1234"),
        (r"^(?:[0-9a-f]{2}:){2}[0-9a-f]{2}$", "ab:cd:ef"),
        (r"^[a-z]+(-[a-z]+)*$", "abcdefgh-ijklmnop-qrstuvwx-yzabcdef-ghijklmn-opqrstuv-wxyzabcd-efghijkl-mnopqrst"),
        (r"^#[\dA-F]{6}$", "#123456"),
        (r"^\p{Lu}x*$", "axxxxxxxx"),
    ] {
        let length = text.chars().count();
        assert_eq!(pattern::text_matching_pattern(pattern, length, length).as_deref(), Some(text), "{pattern}");
    }
    for pattern in ["(?=a)b", "(", "[a", "a{2", "*", r"\k<a>", "a{9999}", "((((((((((((((((((((a))))))))))))))))))))"] {
        assert_eq!(pattern::text_matching_pattern(pattern, 0, usize::MAX), None, "{pattern}");
    }
    let nested = "(".repeat(15) + "a*" + &")*".repeat(15);
    assert!(pattern::text_matching_pattern(&nested, 300, 300).is_none());
}

#[test]
fn numbers_are_within_their_bounds() {
    check(&[
        (json!({ "type": "integer", "maximum": 10 }), json!(10)),
        (json!({ "type": "integer", "minimum": 500 }), json!(500)),
        (json!({ "type": "integer", "minimum": 500, "exclusiveMinimum": true }), json!(501)),
        (json!({ "type": "integer", "exclusiveMinimum": 500 }), json!(501)),
        (json!({ "type": "integer", "exclusiveMaximum": 0 }), json!(-1)),
        (json!({ "type": "integer", "multipleOf": 50 }), json!(100)),
        (json!({ "type": "integer", "multipleOf": 50, "minimum": 101 }), json!(150)),
        (json!({ "type": "integer", "multipleOf": 7, "maximum": 10 }), json!(7)),
        (json!({ "type": "number", "minimum": 0, "maximum": 1 }), json!(0)),
        (json!({ "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 }), json!(0.5)),
        (json!({ "type": "number", "multipleOf": 0.01, "maximum": 0.5 }), json!(0.5)),
        (json!({ "type": "number", "multipleOf": 0.01 }), json!(123)),
        (json!({ "type": "integer", "minimum": 0.5, "maximum": 1.5 }), json!(1)),
    ]);
}

#[test]
fn objects_have_their_properties_in_order() {
    let schema = json!({
        "type": "object",
        "required": ["name", "extra"],
        "properties": {
            "id": { "type": "string", "readOnly": true },
            "name": { "type": "string" },
            "secret": { "type": "string", "writeOnly": true },
            "note": { "type": "string", "nullable": true },
        },
    });
    let make = |direction, required_only| schema_example(&json!({}), &schema, direction, required_only).to_string();
    let response = r#"{"id":"<string>","name":"<string>","note":"<string>","extra":"<any>"}"#;
    assert_eq!(make(Direction::Response, false), response);
    let request = r#"{"name":"<string>","secret":"<string>","note":"<string>","extra":"<any>"}"#;
    assert_eq!(make(Direction::Request, false), request);
    assert_eq!(make(Direction::Request, true), r#"{"name":"<string>","extra":"<any>"}"#);
    let some = json!({ "minProperties": 1, "properties": { "a": { "const": 1 }, "b": { "const": 2 } } });
    assert_eq!(schema_example(&json!({}), &some, Direction::Request, true), json!({ "a": 1 }));
}

#[test]
fn maps_have_one_key() {
    check(&[
        (json!({ "additionalProperties": { "type": "integer" } }), json!({ "key": 123 })),
        (json!({ "type": "object", "additionalProperties": true }), json!({ "key": "<any>" })),
        (json!({ "type": "object", "additionalProperties": false }), json!({})),
        (json!({ "properties": { "a": { "const": 1 } }, "additionalProperties": true }), json!({ "a": 1 })),
        (json!({ "type": "object", "minProperties": 2 }), json!({ "key": "<any>", "key2": "<any>" })),
        (json!({ "patternProperties": { "^x-[a-z]{3}$": { "const": 1 } } }), json!({ "x-abc": 1 })),
        (
            json!({ "propertyNames": { "enum": ["a4", "a5"] }, "additionalProperties": { "type": "boolean" } }),
            json!({ "a4": true }),
        ),
    ]);
}

#[test]
fn arrays_have_one_item_or_as_many_as_they_need() {
    check(&[
        (json!({ "type": "array", "items": { "type": "string" } }), json!(["<string>"])),
        (json!({ "items": { "type": "integer" }, "minItems": 2 }), json!([123, 123])),
        (
            json!({ "items": { "type": "integer" }, "minItems": 5, "uniqueItems": true }),
            json!([123, 124, 125, 126, 127]),
        ),
        (json!({ "items": { "type": "object" }, "minItems": 9 }), json!([{}, {}, {}])),
        (json!({ "items": { "enum": ["a", "b"] }, "minItems": 2, "uniqueItems": true }), json!(["a", "b"])),
        (json!({ "items": { "type": "string" }, "maxItems": 0 }), json!([])),
        (
            json!({ "type": "array", "prefixItems": [{ "const": 1 }, { "type": "string" }], "items": false }),
            json!([1, "<string>"]),
        ),
        (json!({ "type": "array", "contains": { "const": 7 } }), json!([7])),
        (json!({ "type": "array", "minItems": 1 }), json!(["<any>"])),
    ]);
}

#[test]
fn of_alternatives_the_first_that_is_not_null_is_taken() {
    check(&[
        (json!({ "anyOf": [{ "type": "null" }, { "type": "integer" }] }), json!(123)),
        (json!({ "oneOf": [{ "type": "string", "enum": ["a"] }, { "type": "integer" }] }), json!("a")),
        (
            json!({ "type": "object", "properties": { "a": { "const": 1 } }, "oneOf": [{ "properties": { "b": { "const": 2 } } }] }),
            json!({ "a": 1, "b": 2 }),
        ),
        (json!({ "anyOf": [{ "type": "null" }] }), json!("<any>")),
    ]);
}

#[test]
fn parts_of_a_composition_are_one() {
    check(&[
        (
            json!({ "allOf": [
                { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } },
                { "properties": { "b": { "type": "integer" }, "a": { "const": "x" } } },
            ] }),
            json!({ "a": "x", "b": 123 }),
        ),
        (json!({ "allOf": [{ "type": "string", "example": "only" }] }), json!("only")),
        (json!({ "allOf": [{ "type": "number", "minimum": 5 }, { "type": "integer", "maximum": 9 }] }), json!(9)),
        (
            json!({ "allOf": [{ "properties": { "a": {} }, "example": { "a": 1 } }, { "properties": { "b": { "const": 2 } } }] }),
            json!({ "a": "<any>", "b": 2 }),
        ),
    ]);
}

#[test]
fn a_discriminator_names_the_alternative() {
    let pet = |mapping: Value| {
        json!({
            "Pet": {
                "oneOf": [{ "$ref": "#/components/schemas/Cat" }, { "$ref": "#/components/schemas/Dog" }],
                "discriminator": { "propertyName": "kind", "mapping": mapping },
            },
            "Cat": { "type": "object", "properties": { "kind": { "type": "string" }, "lives": { "const": 9 } } },
            "Dog": { "type": "object", "properties": { "kind": { "type": "string" } } },
            "Base": {
                "type": "object",
                "properties": { "kind": { "type": "string" } },
                "discriminator": { "propertyName": "kind", "mapping": { "a-bird": "#/components/schemas/Bird" } },
            },
            "Bird": { "allOf": [{ "$ref": "#/components/schemas/Base" }, { "properties": { "wings": { "const": 2 } } }] },
        })
    };
    let mapping = json!({ "a-cat": "Cat", "a-dog": "#/components/schemas/Dog" });
    assert_eq!(named(pet(mapping), "Pet"), json!({ "kind": "a-cat", "lives": 9 }));
    assert_eq!(named(pet(json!({})), "Pet"), json!({ "kind": "Cat", "lives": 9 }));
    assert_eq!(named(pet(json!({})), "Bird"), json!({ "kind": "a-bird", "wings": 2 }));
    // what extends a base stands where the base is used
    assert_eq!(named(pet(json!({})), "Base"), json!({ "kind": "a-bird", "wings": 2 }));
}

#[test]
fn what_contains_itself_ends() {
    let own = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let node = json!({ "Node": {
        "type": "object",
        "required": ["value", "children", "next"],
        "properties": {
            "value": { "type": "string" },
            "children": { "type": "array", "items": own("Node") },
            "parent": own("Node"),
            "next": { "anyOf": [own("Node"), { "type": "null" }] },
            "by_name": { "type": "object", "additionalProperties": own("Node") },
        },
    } });
    let expected = json!({ "value": "<string>", "children": [], "next": null, "by_name": {} });
    assert_eq!(named(node, "Node"), expected);
    assert_eq!(named(json!({ "A": own("A") }), "A"), json!("<any>"));
    assert_eq!(named(json!({ "A": own("B"), "B": own("A") }), "A"), json!("<any>"));
    assert_eq!(named(json!({ "A": { "type": "object", "allOf": [own("A")] } }), "A"), json!({}));
    assert_eq!(
        named(json!({ "A": { "type": "object", "required": ["a"], "properties": { "a": own("A") } } }), "A"),
        json!({ "a": {} })
    );
    let expression = json!({
        "Expression": { "oneOf": [own("Sum"), { "type": "integer" }] },
        "Sum": { "type": "object", "required": ["left"], "properties": { "left": own("Expression") } },
    });
    assert_eq!(named(expression, "Expression"), json!({ "left": 123 }));
}

#[test]
fn references_that_lead_nowhere_accept_anything() {
    check(&[
        (json!({ "$ref": "#/components/schemas/Missing" }), json!("<any>")),
        (json!({ "$ref": "other.yaml#/a" }), json!("<any>")),
        (json!({ "$ref": "#/%ff" }), json!("<any>")),
        (json!({ "type": "string", "$ref": "#/missing" }), json!("<string>")),
    ]);
    let document = json!({ "x-files": { "schemas/Pet.yaml": { "const": 1 }, "a b": { "const": 2 } } });
    let of = |reference: &str| schema_example(&document, &json!({ "$ref": reference }), Direction::Request, false);
    assert_eq!((of("#/x-files/schemas~1Pet.yaml"), of("#/x-files/a%20b")), (json!(1), json!(2)));
}

/// Schemas that grow without bounds where every reference is followed.
fn hostile(kind: usize, size: usize) -> Value {
    let name = |index: usize| json!({ "$ref": format!("#/components/schemas/S{index}") });
    let leaf = json!({ "type": "string" });
    let mut schemas = serde_json::Map::new();
    for index in 0..size {
        let next = name(index + 1);
        let schema = match kind {
            0 => json!({ "type": "object", "properties": { "a": next, "b": next, "c": next } }),
            1 => json!({ "type": "object", "required": ["a", "b"], "properties": { "a": next, "b": next } }),
            2 => json!({ "allOf": [next, next, { "properties": { "a": next } }] }),
            3 => json!({ "oneOf": [next, name(0), next], "anyOf": [next, name(index / 2)] }),
            4 => json!({ "type": "array", "minItems": 3, "items": next }),
            5 => json!({ "type": "array", "prefixItems": [next, next, next], "items": name(0) }),
            6 => {
                json!({ "type": "object", "additionalProperties": next, "minProperties": 3, "patternProperties": { "(((a*)*)*)*$": next } })
            }
            7 => next,
            8 => json!({ "allOf": (0..size).map(name).collect::<Vec<_>>() }),
            _ => {
                let properties: serde_json::Map<_, _> =
                    (0..size).map(|other| (format!("p{other}"), name(other))).collect();
                json!({ "type": "object", "required": properties.keys().collect::<Vec<_>>(), "properties": properties })
            }
        };
        schemas.insert(format!("S{index}"), schema);
    }
    schemas.insert(format!("S{size}"), leaf);
    json!({ "components": { "schemas": schemas } })
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

#[test]
fn eighty_hostile_schemas_are_bounded() {
    for kind in 0..10 {
        for size in [1, 2, 5, 10, 30, 60, 120, 300] {
            let document = hostile(kind, size);
            let schema = json!({ "$ref": "#/components/schemas/S0" });
            for direction in [Direction::Request, Direction::Response] {
                let reader = SchemaReader::new(&document);
                let mut maker = ExampleMaker { reader, ..ExampleMaker::new(&document, direction, false) };
                let value = maker.value(&[&schema], 0).unwrap_or_default();
                let (values, work) = (count(&value), maker.reader.work());
                assert!(values <= 2 * MAX_VALUES && work <= 60_000, "{kind} {size}: {values} values, {work} schemas");
                assert_eq!(value, maker_value(&document, &schema, direction), "{kind} {size}");
            }
        }
    }
}

fn maker_value(document: &Value, schema: &Value, direction: Direction) -> Value {
    schema_example(document, schema, direction, false)
}

#[test]
fn large_examples_are_not_multiplied() {
    let large: Vec<usize> = (0..900).collect();
    let document = json!({ "components": { "schemas": { "Large": { "type": "array", "example": large } } } });
    let large = json!({ "$ref": "#/components/schemas/Large" });
    let schema = json!({ "type": "object", "properties": { "a": large, "b": large, "c": large } });
    assert!(count(&schema_example(&document, &schema, Direction::Request, false)) < 1_200);
}

/// Small schemas that some value satisfies.
fn schema() -> impl Strategy<Value = Value> {
    let text = (0_u8..12, 0_u8..8)
        .prop_map(|(least, more)| json!({ "type": "string", "minLength": least, "maxLength": least + more }));
    let integer = (-200_i64..400, 0_i64..9)
        .prop_map(|(low, more)| json!({ "type": "integer", "minimum": low, "maximum": low + more }));
    let number = (-50_i64..50, 1_i64..9)
        .prop_map(|(low, more)| json!({ "type": "number", "exclusiveMinimum": low, "exclusiveMaximum": low + more }));
    let multiple = (1_i64..40, -100_i64..300).prop_map(
        |(step, low)| json!({ "type": "integer", "multipleOf": step, "minimum": low, "maximum": low + 2 * step }),
    );
    let listed = prop::collection::vec("[a-c]{1,2}", 1..4).prop_map(|list| json!({ "type": "string", "enum": list }));
    let leaf = prop_oneof![text, integer, number, multiple, listed, Just(json!({ "type": ["boolean", "null"] }))];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let property = ("[a-d]", inner.clone(), any::<bool>());
        let object = prop::collection::vec(property, 0..4).prop_map(|properties| {
            let required: Vec<_> =
                properties.iter().filter(|(_, _, required)| *required).map(|(name, ..)| name.clone()).collect();
            let properties: serde_json::Map<_, _> =
                properties.into_iter().map(|(name, schema, _)| (name, schema)).collect();
            json!({ "type": "object", "properties": properties, "required": required })
        });
        prop_oneof![
            object.clone(),
            (inner.clone(), 0_usize..4)
                .prop_map(|(items, least)| json!({ "type": "array", "items": items, "minItems": least })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|list| json!({ "anyOf": list })),
            object.prop_map(|object| json!({ "allOf": [object, { "type": "object", "required": ["z"] }] })),
            inner.prop_map(|values| json!({ "type": "object", "additionalProperties": values, "minProperties": 2 })),
        ]
    })
}

/// Whether a value is accepted, by the keywords of [`schema`].
fn accepts(schema: &Value, value: &Value) -> bool {
    let number = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let list = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
    let of_type = |kind: &Value| match kind.as_str().unwrap_or_default() {
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        _ => value.is_null(),
    };
    let typed = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(of_type),
        Some(kind) => of_type(kind),
        None => true,
    };
    let inside = match value {
        Value::String(text) => {
            let length = text.chars().count() as f64;
            number("minLength").is_none_or(|least| length >= least)
                && number("maxLength").is_none_or(|most| length <= most)
        }
        Value::Number(found) => {
            let found = found.as_f64().unwrap_or(f64::NAN);
            number("minimum").is_none_or(|low| found >= low)
                && number("maximum").is_none_or(|high| found <= high)
                && number("exclusiveMinimum").is_none_or(|low| found > low)
                && number("exclusiveMaximum").is_none_or(|high| found < high)
                && number("multipleOf").is_none_or(|step| found % step == 0.0)
        }
        Value::Array(items) => {
            number("minItems").is_none_or(|least| items.len() as f64 >= least)
                && schema.get("items").is_none_or(|schema| items.iter().all(|item| accepts(schema, item)))
        }
        Value::Object(members) => {
            let properties = schema.get("properties").and_then(Value::as_object);
            number("minProperties").is_none_or(|least| members.len() as f64 >= least)
                && list("required").is_none_or(|names| {
                    names.iter().all(|name| members.contains_key(name.as_str().unwrap_or_default()))
                })
                && members.iter().all(|(name, value)| match properties.and_then(|properties| properties.get(name)) {
                    Some(schema) => accepts(schema, value),
                    None => schema.get("additionalProperties").is_none_or(|schema| accepts(schema, value)),
                })
        }
        _ => true,
    };
    typed
        && inside
        && list("enum").is_none_or(|values| values.contains(value))
        && list("anyOf").is_none_or(|schemas| schemas.iter().any(|schema| accepts(schema, value)))
        && list("allOf").is_none_or(|schemas| schemas.iter().all(|schema| accepts(schema, value)))
}

/// Anything at all where a schema is expected.
fn nonsense() -> impl Strategy<Value = Value> {
    let keywords = [
        "type",
        "enum",
        "const",
        "items",
        "prefixItems",
        "properties",
        "required",
        "allOf",
        "oneOf",
        "anyOf",
        "example",
        "examples",
        "default",
        "format",
        "pattern",
        "minimum",
        "maximum",
        "multipleOf",
        "minLength",
        "maxItems",
        "minItems",
        "$ref",
        "nullable",
        "additionalProperties",
        "patternProperties",
        "discriminator",
        "propertyNames",
        "mapping",
        "propertyName",
        "readOnly",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<f64>().prop_map(|number| json!(number)),
        any::<i64>().prop_map(|number| json!(number)),
        prop::sample::select(vec!["string", "object", "array", "integer", "#", "#/a", "(a", "uuid", ""])
            .prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((prop::sample::select(keywords.to_vec()), inner), 0..6).prop_map(|members| {
                Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn examples_are_accepted(schema in schema()) {
        for (direction, required_only) in [(Direction::Request, false), (Direction::Response, true)] {
            let value = schema_example(&json!({}), &schema, direction, required_only);
            prop_assert!(accepts(&schema, &value), "{schema}: {value}");
        }
    }

    #[test]
    fn nothing_fails(schema in nonsense()) {
        let first = schema_example(&schema, &schema, Direction::Request, false);
        prop_assert_eq!(first, schema_example(&schema, &schema, Direction::Request, false));
    }
}

#[test]
fn long_examples_have_only_what_must_be_there() {
    let properties: serde_json::Map<String, Value> =
        (0..20).map(|at| (format!("p{at}"), json!({"type": "integer"}))).collect();
    let schema = json!({"type": "object", "required": ["p3"], "properties": properties});
    let members = |max_lines: usize| {
        let example = super::short_example(&Value::Null, &schema, Direction::Neither, max_lines);
        example.as_object().map(serde_json::Map::len)
    };
    // 20 members and two lines for the braces
    assert_eq!((members(22), members(21), members(5)), (Some(20), Some(1), Some(1)));
}
