//! Descriptions, and what is wrong with them.

use serde_json::{Value, json};

use super::lint_document;

/// `code pointer message` of the problems of a document.
fn reported(document: &Value) -> Vec<String> {
    let problems = lint_document(document).into_iter();
    problems.map(|it| format!("{} {} {}", it.code, it.place, it.message)).collect()
}

#[test]
fn operations() {
    let document = json!({
        "openapi": "3.1.0",
        "security": [{"none": []}],
        "paths": {
            "/a/{id}/{more}": {
                "parameters": [{"$ref": "#/components/parameters/Id"}, {"name": "other", "in": "path"}],
                "get": {"operationId": "one", "security": [{"key": []}, {"gone": []}]},
                "put": {"operationId": "one", "parameters": [{"name": "more", "in": "path"}]},
            },
            "/b": {"$ref": "#/components/pathItems/B"},
            "/c": {"$ref": "#/components/pathItems/B"},
        },
        "components": {
            "parameters": {"Id": {"name": "id", "in": "path"}},
            "pathItems": {"B": {"post": {"operationId": "shared"}}},
            "securitySchemes": {"key": {}},
        },
    });
    assert_eq!(
        reported(&document),
        [
            "openapi-duplicate-id /paths/~1a~1{id}~1{more}/put/operationId `operationId: one` is that of `GET /a/{id}/{more}` too",
            "openapi-parameter /paths/~1a~1{id}~1{more}/parameters/1 the path parameter `other` is not in `/a/{id}/{more}`",
            "openapi-parameter /paths/~1a~1{id}~1{more}/get `{more}` of `/a/{id}/{more}` has no parameter that describes it",
            "openapi-security /paths/~1a~1{id}~1{more}/get/security/1/gone `security` asks for `gone`, which `components.securitySchemes` does not have",
            "openapi-security /security/0/none `security` asks for `none`, which `components.securitySchemes` does not have",
        ]
    );
}

#[track_caller]
fn check_schema(schema: Value, expect: &[&str]) {
    let document = json!({"openapi": "3.1.0", "components": {"schemas": {
        "S": schema,
        "Size": {"enum": ["s", "l"]},
        "Loop": {"properties": {"next": {"$ref": "#/components/schemas/Loop"}}, "required": ["next"]},
    }}});
    let found = reported(&document);
    let found: Vec<&str> = found
        .iter()
        .map(|it| {
            it.rsplit_once("schema: ").or_else(|| it.rsplit_once("S/required/")).map_or(it.as_str(), |(_, why)| why)
        })
        .collect();
    assert_eq!(found, expect, "{}", document["components"]["schemas"]["S"]);
}

#[test]
fn required_fields_exist() {
    check_schema(
        json!({"properties": {"a": {}}, "required": ["a", "b"]}),
        &["1 `required` names `b`, which `properties` does not have"],
    );
    for more in [
        json!({"additionalProperties": true}),
        json!({"allOf": [{"properties": {"a": {}}, "required": ["b"]}]}),
        json!({"patternProperties": {}}),
    ] {
        let mut schema = json!({"properties": {"a": {}}, "required": ["b"]});
        schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        check_schema(schema, &[]);
    }
}

#[test]
fn examples_and_defaults_fit() {
    check_schema(json!({"type": "integer", "example": "1"}), &["it is text, not `integer`"]);
    check_schema(
        json!({"type": ["integer", "null"], "default": null, "examples": [1, 1.0, 1.5]}),
        &["it is a number, not `integer` or `null`"],
    );
    check_schema(json!({"type": "string", "nullable": true, "default": null}), &[]);
    check_schema(json!({"type": "string", "format": "binary", "example": 1}), &[]);
    check_schema(
        json!({"enum": [1, "a"], "examples": [1.0, "b"]}),
        &["it is `\"b\"`, which is none of the values of `enum`"],
    );
    check_schema(json!({"const": 1, "default": 2}), &["it is `2`, not `1`"]);
    check_schema(
        json!({"type": "string", "maxLength": 2, "example": "abc"}),
        &["it has 3 characters, and `maxLength` is 2"],
    );
    check_schema(
        json!({"type": "number", "minimum": 1, "exclusiveMinimum": true, "example": 1}),
        &["it is 1, and `minimum` is 1"],
    );
    check_schema(
        json!({"type": "number", "exclusiveMaximum": 5, "example": 5}),
        &["it is 5, and `exclusiveMaximum` is 5"],
    );
    check_schema(
        json!({"type": "array", "items": {"$ref": "#/components/schemas/Size"}, "example": ["s", "x"]}),
        &["`/1` is `\"x\"`, which is none of the values of `enum`"],
    );
    check_schema(json!({"type": "array", "minItems": 1, "example": []}), &["it has 0 items, and `minItems` is 1"]);
    let object = json!({"type": "object", "required": ["a", "r"], "properties": {"a": {"type": "object", "properties": {"b": {"type": "boolean"}}}, "r": {"readOnly": true}}, "additionalProperties": false});
    let with = |example: Value| {
        let mut object = object.clone();
        object["example"] = example;
        object
    };
    check_schema(with(json!({"a": {"b": true}})), &[]);
    check_schema(with(json!({"a": {"b": 1}})), &["`/a/b` is a number, not `boolean`"]);
    check_schema(with(json!({})), &["it has no `a`, which is required"]);
    check_schema(with(json!({"a": {}, "c": 1})), &["it has `c`, and `additionalProperties` is `false`"]);
    check_schema(
        json!({"anyOf": [{"type": "string"}, {"type": "null"}], "example": 1}),
        &["it fits none of the 2 schemas of `anyOf`"],
    );
    check_schema(
        json!({"allOf": [{"$ref": "#/components/schemas/Size"}], "default": "m"}),
        &["it is `\"m\"`, which is none of the values of `enum`"],
    );
    check_schema(
        json!({"$ref": "#/components/schemas/Loop", "type": "object", "example": {"next": {"next": {}}}}),
        &["`/next/next` has no `next`, which is required"],
    );
    check_schema(
        json!({"type": "what", "properties": 1, "items": "x", "required": "y", "enum": 3, "example": []}),
        &[],
    );
}

#[test]
fn examples_of_media_types_and_parameters_fit() {
    let document = json!({"openapi": "3.1.0", "paths": {"/a": {"get": {
        "parameters": [{"name": "n", "in": "query", "schema": {"type": "integer"}, "example": "x"}],
        "responses": {"200": {"content": {
            "application/json": {"schema": {"type": "object"}, "examples": {"a": {"value": []}, "b": {"value": {}}, "c": {"$ref": "#/x"}}},
            "application/xml": {"schema": {"type": "object"}, "example": "<a/>"},
        }}},
    }}}, "servers": [{"variables": {"v": {"enum": ["a"], "default": "b"}}}]});
    assert_eq!(
        reported(&document),
        [
            "openapi-example /paths/~1a/get/parameters/0/example the example does not fit its schema: it is text, not `integer`",
            "openapi-example /paths/~1a/get/responses/200/content/application~1json/examples/a/value the example does not fit its schema: it is a list, not `object`",
            "openapi-example /servers/0/variables/v/default the default does not fit its schema: it is `\"b\"`, which is none of the values of `enum`",
        ]
    );
}

#[test]
fn only_so_many_problems_are_told() {
    let schemas: serde_json::Map<String, Value> =
        (0..500).map(|at| (format!("S{at}"), json!({"type": "string", "example": at}))).collect();
    let problems = reported(&json!({"openapi": "3.1.0", "components": {"schemas": schemas}}));
    assert_eq!(problems.len(), super::MAX_LINT_PROBLEMS + 1);
    assert!(problems.last().unwrap().contains("400 more problems"));
}
