//! Who may see what, and descriptions before and after.

use serde_json::{Value, json};

use crate::groups::{ReaderGroups, list_access_groups};

use super::cut::{DescriptionCut, cut_restricted};

#[track_caller]
fn check(groups: &Value, readers: &[&str], expect: bool) {
    let readers: Vec<String> = readers.iter().map(|group| (*group).to_owned()).collect();
    assert_eq!(ReaderGroups(&readers).may_see(&list_access_groups(groups)), expect, "{groups} for {readers:?}");
}

#[test]
fn who_may_see() {
    check(&json!(null), &[], true);
    check(&json!([]), &[], true);
    check(&json!(["a", "b"]), &[], false);
    check(&json!(["a", "b"]), &["b"], true);
    check(&json!("a"), &["a"], true);
    check(&json!([{"includes": ["a"], "excludes": ["b"]}]), &["a"], true);
    check(&json!([{"includes": ["a"], "excludes": ["b"]}]), &["a", "b"], false);
    check(&json!([{"includes": ["*"]}]), &["x"], true);
    check(&json!([{"excludes": ["b"]}]), &["x"], true);
    check(&json!([{"excludes": ["b"]}]), &[], false);
}

#[test]
fn groups_that_cannot_be_read_close() {
    for groups in [
        json!([["a"]]),
        json!([{}]),
        json!([{"includes": []}]),
        json!([{"includes": [["a"]]}]),
        json!({"a": 1}),
        json!([""]),
        json!(""),
        json!(["!a"]),
        json!([{"includes": ["!a"]}]),
        json!([{"includes": ["b"], "excludes": [["a"]]}]),
    ] {
        check(&groups, &["b"], false);
        check(&groups, &[], false);
    }
    check(&json!([{"includes": ["a"], "excludes": []}]), &["b"], false);
    check(&json!([{"excludes": []}]), &[], false);
    check(&json!([{"excludes": []}]), &["b"], true);
    check(&json!([{"excludes": [["a"]]}]), &["b"], false);
    check(&json!(true), &[], false);
}

#[test]
fn names_of_other_groups_are_not_kept() {
    let readers = ["a".to_owned()];
    assert_eq!(ReaderGroups(&readers).own(&list_access_groups(&json!(["b", "a"]))), json!(["a"]));
    assert_eq!(ReaderGroups(&readers).own(&list_access_groups(&json!([{"excludes": ["b"]}]))), json!(["*"]));
}

/// What is left of a description for the readers of group `a`.
fn cut_for_a(document: &Value) -> Option<DescriptionCut> {
    cut_restricted(document, ReaderGroups(&["a".to_owned()]))
}

#[track_caller]
fn leaves(document: &Value, expect: &Value) {
    let cut = cut_for_a(document).expect("it names groups");
    assert_eq!(cut.document, *expect, "\n{:#}\nis not\n{expect:#}", cut.document);
}

fn closed() -> Value {
    json!({"groups": ["b"]})
}

#[test]
fn what_names_no_groups_is_left_alone() {
    assert!(cut_for_a(&json!({"openapi": "3.1.0", "x-mint": {"href": "/x"}, "paths": {}})).is_none());
    assert!(cut_for_a(&json!({"openapi": "3.1.0", "paths": {"/a": {"get": {"x-mint": {"groups": null}}}}})).is_none());
    assert!(
        cut_for_a(&json!({"properties": {"x-mint": {"properties": {"groups": {}}}}})).is_none(),
        "a schema of the extension itself"
    );
}

#[test]
fn operations_have_the_groups_of_their_path_and_page_too() {
    let document = json!({"openapi": "3.1.0",
        "paths": {
            "/own": {"get": {"x-mint": closed()}, "post": {"summary": "Open"}},
            "/path": {"x-mint": closed(), "get": {}, "post": {"x-mint": {"groups": ["a"]}}},
            "/page": {"get": {"x-mint": {"metadata": {"Groups": ["b"]}}}},
            "/gone": {"parameters": [], "get": {"x-mint": {"groups": 1}}},
            "/shared": {"$ref": "#/components/pathItems/S"},
            "/empty": {},
        },
        "webhooks": {"w": {"post": {"x-mint": closed()}}},
        "components": {"pathItems": {"S": {"get": {}, "put": {"x-mint": closed()}}}},
    });
    leaves(
        &document,
        &json!({"openapi": "3.1.0",
            "paths": {
                "/own": {"post": {"summary": "Open"}},
                // groups of other readers are not named
                "/path": {"x-mint": {"groups": ["*"]}, "post": {"x-mint": {"groups": ["a"]}}},
                "/shared": {"get": {}},
                "/empty": {},
            },
            "webhooks": {},
        }),
    );
    let closed = cut_for_a(&document).unwrap().closed;
    let names: Vec<String> = closed.iter().map(|closed| format!("{} {}", closed.method, closed.path)).collect();
    assert_eq!(names, ["get /own", "get /path", "get /page", "get /gone", "put /shared", "webhook w"]);
}

#[test]
fn a_description_of_which_nothing_is_left_is_withheld() {
    let is_empty = |document: Value| cut_for_a(&document).unwrap().is_empty;
    assert!(is_empty(json!({"openapi": "3.1.0", "x-mint": closed(), "paths": {"/a": {"get": {}}}})));
    assert!(is_empty(json!({"openapi": "3.1.0", "paths": {"x-mint": closed(), "/a": {"get": {}}}})));
    assert!(is_empty(
        json!({"openapi": "3.1.0", "paths": {"/a": {"get": {"x-mint": closed()}}}, "components": {"schemas": {}}})
    ));
    assert!(is_empty(json!({"asyncapi": "3.0.0", "channels": {"a": {"x-mint": closed()}}})));
    assert!(!is_empty(json!({"openapi": "3.1.0", "paths": {"/a": {"get": {"x-mint": closed()}}, "/b": {"get": {}}}})));
    assert!(!is_empty(json!({"openapi": "3.1.0", "paths": {"/a": {"get": {"x-mint": {"groups": ["a"]}}}}})));
}

#[test]
fn fields_go_with_all_that_names_them() {
    leaves(
        &json!({
            "type": "object",
            "required": ["id", "secret"],
            "properties": {
                "id": {"type": "string"},
                "secret": {"type": "string", "x-mint": closed()},
                "mine": {"type": "string", "x-mint": {"groups": ["a", "b"]}},
                "enum": {"type": "string"},
            },
            "allOf": [{"required": ["secret"], "properties": {"other": {"x-mint": closed()}}}, {"required": ["other", "id"]}],
            "dependentRequired": {"secret": ["id"], "id": ["secret", "mine"]},
            "example": {"id": "1", "secret": "2", "mine": "3", "other": 4, "enum": {"secret": 5}},
            "examples": [{"secret": "2"}, "text"],
            "discriminator": {"propertyName": "secret"},
        }),
        &json!({
            "type": "object",
            "required": ["id"],
            "properties": {"id": {"type": "string"}, "mine": {"type": "string", "x-mint": {"groups": ["a"]}}, "enum": {"type": "string"}},
            "allOf": [{"properties": {}}, {"required": ["id"]}],
            "dependentRequired": {"id": ["mine"]},
            "example": {"id": "1", "mine": "3", "enum": {"secret": 5}},
            "examples": [{}, "text"],
        }),
    );
}

#[test]
fn values_go_by_their_own_extension() {
    leaves(
        &json!({"properties": {
            "plan": {"enum": ["free", "pro", "own", 3], "x-mint-enum": {"pro": ["a"], "own": ["b"], "3": ["b"]}, "default": "own", "example": "pro", "examples": ["own", "free", 3]},
            "one": {"type": "string", "enum": ["own"], "x-mint-enum": {"own": ["b"]}},
            "lost": {"type": "string", "enum": ["own"], "x-mint-enum": ["own"]},
        }, "example": {"plan": "own", "one": "free"}}),
        &json!({"properties": {
            "plan": {"enum": ["free", "pro"], "example": "pro", "examples": ["free"]},
            "one": {"type": "string"},
            "lost": {"type": "string"},
        }, "example": {"one": "free"}}),
    );
}

#[test]
fn variants_go_with_their_fields() {
    leaves(
        &json!({"openapi": "3.1.0",
            "paths": {"/a": {"get": {"responses": {"default": {"content": {"application/json": {
                "schema": {"$ref": "#/components/schemas/Pet"},
                "example": {"kind": "cat", "fur": 1, "scales": 2},
                "examples": {"shown": {"value": {"scales": 2}}, "hidden": {"x-mint": closed(), "value": 1}, "elsewhere": {"$ref": "#/components/examples/E"}},
            }}}}}}},
            "components": {
                "examples": {"E": {"value": {"fur": 1, "scales": 2}}},
                "schemas": {
                    "Pet": {
                        "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dragon", "x-mint": closed()}, {"$ref": "#/components/schemas/Snake"}],
                        "discriminator": {"propertyName": "kind", "mapping": {"cat": "Cat", "dragon": "#/components/schemas/Dragon", "snake": "Snake"}},
                    },
                    "Cat": {"properties": {"fur": {}, "kind": {}}},
                    "Dragon": {"properties": {"scales": {}, "kind": {}, "egg": {"$ref": "#/components/schemas/Egg"}}},
                    "Snake": {"x-mint": closed(), "properties": {"fangs": {}}},
                    "Egg": {},
                    "Unused": {},
                },
            },
        }),
        &json!({"openapi": "3.1.0",
            "paths": {"/a": {"get": {"responses": {"default": {"content": {"application/json": {
                "schema": {"$ref": "#/components/schemas/Pet"},
                "example": {"kind": "cat", "fur": 1},
                "examples": {"shown": {"value": {}}, "elsewhere": {"$ref": "#/components/examples/E"}},
            }}}}}}},
            "components": {
                "examples": {"E": {"value": {"fur": 1}}},
                "schemas": {
                    "Pet": {
                        "oneOf": [{"$ref": "#/components/schemas/Cat"}],
                        "discriminator": {"propertyName": "kind", "mapping": {"cat": "Cat"}},
                    },
                    "Cat": {"properties": {"fur": {}, "kind": {}}},
                    "Unused": {},
                },
            },
        }),
    );
}

#[test]
fn what_only_closed_parts_needed_goes_too() {
    leaves(
        &json!({"openapi": "3.1.0",
            "tags": [{"name": "open"}, {"name": "staff"}, {"name": "unused"}],
            "x-tagGroups": [{"name": "All", "tags": ["open", "staff"]}, {"name": "Staff", "tags": ["staff"]}],
            "security": [{"key": []}],
            "paths": {
                "/a": {"get": {"tags": ["open"], "parameters": [{"$ref": "#/components/parameters/P"}, {"name": "debug", "x-mint": closed()}]}},
                "/b": {"get": {"tags": ["open", "staff"], "x-mint": closed(), "security": [{"staffKey": []}], "responses": {"200": {"$ref": "#/components/responses/R"}}}},
            },
            "components": {
                "parameters": {"P": {"schema": {"$ref": "#/components/schemas/Both"}}},
                "responses": {"R": {"content": {"x": {"schema": {"$ref": "#/components/schemas/One"}}}}},
                "schemas": {"Both": {}, "One": {"properties": {"both": {"$ref": "#/components/schemas/Both"}, "loop": {"$ref": "#/components/schemas/One"}}}, "Alone": {"$ref": "#/components/schemas/Needed"}, "Needed": {}},
                "securitySchemes": {"key": {}, "staffKey": {}},
            },
        }),
        &json!({"openapi": "3.1.0",
            "tags": [{"name": "open"}, {"name": "unused"}],
            "x-tagGroups": [{"name": "All", "tags": ["open"]}],
            "security": [{"key": []}],
            "paths": {"/a": {"get": {"tags": ["open"], "parameters": [{"$ref": "#/components/parameters/P"}]}}},
            "components": {
                "parameters": {"P": {"schema": {"$ref": "#/components/schemas/Both"}}},
                "schemas": {"Both": {}, "Alone": {"$ref": "#/components/schemas/Needed"}, "Needed": {}},
                "securitySchemes": {"key": {}},
            },
        }),
    );
}

#[test]
fn channels_go_with_their_operations() {
    let document = json!({"asyncapi": "3.0.0",
        "channels": {"default": {"title": "Open", "messages": {"example": {"payload": {"properties": {"s": {"x-mint": closed()}}}, "examples": [{"payload": {"s": 1, "t": 2}}]}}}, "staff": {"title": "Staff room", "x-mint": closed()}},
        "operations": {"one": {"channel": {"$ref": "#/channels/default"}}, "two": {"channel": {"$ref": "#/channels/staff"}}},
    });
    leaves(
        &document,
        &json!({"asyncapi": "3.0.0",
            "channels": {"default": {"title": "Open", "messages": {"example": {"payload": {"properties": {}}, "examples": [{"payload": {"t": 2}}]}}}},
            "operations": {"one": {"channel": {"$ref": "#/channels/default"}}},
        }),
    );
    assert_eq!(cut_for_a(&document).unwrap().closed[0].slug("api"), "api/staff-room");
}
