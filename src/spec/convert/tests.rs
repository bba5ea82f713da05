//! Documents of older formats, and what they say in the current ones.

use serde_json::{Value, json};

use super::to_current;

#[track_caller]
fn check(document: Value, pointer: &str, expect: &Value) {
    let converted = to_current(document).unwrap();
    let found = converted.pointer(pointer);
    assert_eq!(found, Some(expect), "{converted:#}");
}

/// A document of Swagger 2.0 with these members.
fn swagger(members: Value) -> Value {
    let mut document = json!({"swagger": "2.0", "info": {"title": "T"}});
    document.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    document
}

/// The operation that one of Swagger 2.0 becomes.
#[track_caller]
fn operation(operation: &Value, rest: Value) -> Value {
    let mut document = swagger(rest);
    document["paths"] = json!({"/a": {"post": operation}});
    to_current(document).unwrap()["paths"]["/a"]["post"].take()
}

#[test]
fn swagger_addresses_become_servers() {
    let servers = |members: Value| to_current(swagger(members)).unwrap()["servers"].take();
    assert_eq!(
        servers(json!({"host": "x.example", "basePath": "/v1/", "schemes": ["http", "https"]})),
        json!([{"url": "https://x.example/v1"}, {"url": "http://x.example/v1"}])
    );
    assert_eq!(servers(json!({"host": "x.example:8080"})), json!([{"url": "https://x.example:8080"}]));
    assert_eq!(servers(json!({"basePath": "v1"})), json!([{"url": "/v1"}]));
    assert_eq!(servers(json!({"basePath": "/"})), json!(null));
    let own = operation(&json!({"schemes": ["http"]}), json!({"host": "x.example"}));
    assert_eq!(own, json!({"servers": [{"url": "http://x.example"}]}));
}

#[test]
fn swagger_parameters_get_schemas() {
    let found = operation(
        &json!({"summary": "S", "deprecated": true, "x-own": 1, "parameters": [
            {"name": "n", "in": "query", "type": "integer", "format": "int32", "minimum": 1, "default": 2, "description": "D", "required": true},
            {"name": "list", "in": "query", "type": "array", "items": {"type": "string"}},
            {"name": "each", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"},
            {"name": "pipes", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "pipes"},
            {"name": "ids", "in": "path", "type": "array", "items": {"type": "string"}, "required": true},
            {"$ref": "#/parameters/Page"},
        ]}),
        json!({"parameters": {"Page": {"name": "page", "in": "query", "type": "string", "x-example": "p"}}}),
    );
    assert_eq!(
        found,
        json!({"summary": "S", "deprecated": true, "x-own": 1, "parameters": [
            {"name": "n", "in": "query", "description": "D", "required": true, "schema": {"type": "integer", "format": "int32", "minimum": 1, "default": 2}},
            {"name": "list", "in": "query", "style": "form", "explode": false, "schema": {"type": "array", "items": {"type": "string"}}},
            {"name": "each", "in": "query", "style": "form", "explode": true, "schema": {"type": "array", "items": {"type": "string"}}},
            {"name": "pipes", "in": "query", "style": "pipeDelimited", "explode": false, "schema": {"type": "array", "items": {"type": "string"}}},
            {"name": "ids", "in": "path", "required": true, "schema": {"type": "array", "items": {"type": "string"}}},
            {"name": "page", "in": "query", "example": "p", "schema": {"type": "string"}},
        ]})
    );
}

#[test]
fn swagger_bodies_and_forms_become_request_bodies() {
    let body = json!({"name": "b", "in": "body", "required": true, "description": "D", "schema": {"$ref": "#/definitions/Pet"}});
    let found = operation(
        &json!({"parameters": [{"$ref": "#/parameters/B"}]}),
        json!({"consumes": ["application/json", "application/xml"], "parameters": {"B": body}}),
    );
    let pet = json!({"schema": {"$ref": "#/components/schemas/Pet"}});
    assert_eq!(
        found,
        json!({"requestBody": {"description": "D", "required": true, "content": {"application/json": pet, "application/xml": pet}}})
    );
    let form = |consumes: Value, kind: &str| {
        operation(
            &json!({"consumes": consumes, "parameters": [
                {"name": "f", "in": "formData", "type": kind, "required": true, "description": "F"},
                {"name": "l", "in": "formData", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"},
            ]}),
            json!({}),
        )["requestBody"]
            .take()
    };
    assert_eq!(
        form(json!([]), "string"),
        json!({"required": true, "content": {"application/x-www-form-urlencoded": {
            "schema": {"type": "object", "required": ["f"], "properties": {"f": {"type": "string", "description": "F"}, "l": {"type": "array", "items": {"type": "string"}}}},
            "encoding": {"l": {"style": "form", "explode": true}},
        }}})
    );
    let upload = form(json!(["application/json"]), "file");
    assert_eq!(
        upload["content"]["multipart/form-data"]["schema"]["properties"]["f"],
        json!({"type": "string", "format": "binary", "description": "F"})
    );
}

#[test]
fn swagger_paths_share_parameters_of_both_kinds() {
    let document = swagger(json!({"paths": {"/a": {
        "x-mint": {"groups": ["g"]},
        "parameters": [{"name": "id", "in": "path", "type": "string"}, {"name": "b", "in": "body", "schema": {"type": "string"}}],
        "post": {"summary": "With the shared body"},
        "put": {"parameters": [{"name": "own", "in": "body", "schema": {"type": "integer"}}]},
    }}}));
    check(
        document,
        "/paths/~1a",
        &json!({
            "x-mint": {"groups": ["g"]},
            "parameters": [{"name": "id", "in": "path", "schema": {"type": "string"}}],
            "put": {"requestBody": {"content": {"application/json": {"schema": {"type": "integer"}}}}},
            "post": {"summary": "With the shared body", "requestBody": {"content": {"application/json": {"schema": {"type": "string"}}}}},
        }),
    );
}

#[test]
fn swagger_responses_get_content() {
    let found = operation(
        &json!({"produces": ["application/json"], "responses": {
            "200": {"description": "OK", "schema": {"$ref": "#/definitions/Pet"}, "examples": {"application/json": {"a": 1}, "text/plain": "x"},
                "headers": {"X-Rate": {"type": "integer", "description": "Left"}}},
            "204": {"description": "None"},
            "404": {"$ref": "#/responses/Gone"},
        }}),
        json!({"responses": {"Gone": {"description": "Gone", "schema": {"type": "string"}}}}),
    );
    let pet = json!({"$ref": "#/components/schemas/Pet"});
    assert_eq!(
        found["responses"],
        json!({
            "200": {"description": "OK", "headers": {"X-Rate": {"description": "Left", "schema": {"type": "integer"}}},
                "content": {"application/json": {"schema": pet, "example": {"a": 1}}, "text/plain": {"schema": pet, "example": "x"}}},
            "204": {"description": "None"},
            "404": {"description": "Gone", "content": {"application/json": {"schema": {"type": "string"}}}},
        })
    );
    let file = operation(&json!({"responses": {"200": {"description": "F", "schema": {"type": "file"}}}}), json!({}));
    assert_eq!(
        file["responses"]["200"]["content"],
        json!({"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}})
    );
}

#[test]
fn swagger_schemas_and_schemes_are_rewritten() {
    let document = swagger(json!({
        "definitions": {
            "Pet": {"discriminator": "kind", "properties": {"type": {"type": "string"}, "kind": {"type": "string", "x-nullable": true}, "owner": {"$ref": "#/definitions/Owner"}}, "example": {"type": "file"}},
            "discriminator": {"type": "string"},
        },
        "securityDefinitions": {
            "basic": {"type": "basic"}, "key": {"type": "apiKey", "name": "k", "in": "header"},
            "oauth": {"type": "oauth2", "flow": "accessCode", "authorizationUrl": "https://a", "tokenUrl": "https://t", "scopes": {"r": "Read"}},
        },
    }));
    check(
        document,
        "/components",
        &json!({
            "schemas": {
                "Pet": {"discriminator": {"propertyName": "kind"}, "properties": {"type": {"type": "string"}, "kind": {"type": "string", "x-nullable": true, "nullable": true}, "owner": {"$ref": "#/components/schemas/Owner"}}, "example": {"type": "file"}},
                "discriminator": {"type": "string"},
            },
            "securitySchemes": {
                "basic": {"type": "http", "scheme": "basic"}, "key": {"type": "apiKey", "name": "k", "in": "header"},
                "oauth": {"type": "oauth2", "flows": {"authorizationCode": {"authorizationUrl": "https://a", "tokenUrl": "https://t", "scopes": {"r": "Read"}}}},
            },
        }),
    );
}

#[test]
fn swagger_in_several_files() {
    let document = swagger(json!({
        "paths": {"/a": {"$ref": "#/x-files/a.yaml"}},
        "x-files": {
            "a.yaml": {"get": {"parameters": [{"$ref": "#/x-files/p.yaml/parameters/B"}], "responses": {"200": {"$ref": "#/responses/R"}}}},
            "p.yaml": {"parameters": {"B": {"in": "body", "name": "b", "schema": {"$ref": "#/x-files/p.yaml/definitions/S"}}}, "definitions": {"S": {"x-nullable": true}}},
        },
        "responses": {"R": {"description": "D"}},
    }));
    let converted = to_current(document).unwrap();
    let schema = json!({"$ref": "#/x-files/p.yaml/definitions/S"});
    assert_eq!(
        converted["paths"]["/a"]["get"],
        json!({"requestBody": {"content": {"application/json": {"schema": schema}}}, "responses": {"200": {"description": "D"}}})
    );
    assert_eq!(converted["x-files"]["p.yaml"]["definitions"]["S"]["nullable"], json!(true));
}

#[test]
fn versions_that_are_not_read_are_told() {
    let error = |document: Value| to_current(document).unwrap_err();
    assert_eq!(error(json!({"swagger": "1.2"})), "it is Swagger 1.2; Swagger 2.0 and OpenAPI 3 are supported");
    assert_eq!(error(json!({"asyncapi": "1.2.0"})), "it is AsyncAPI 1.2.0; AsyncAPI 2 and 3 are supported");
    assert_eq!(error(json!([])), "it is not an object");
    assert!(to_current(json!({"swagger": 2.0, "paths": [], "definitions": 1, "parameters": {"a": null}})).is_ok());
}

#[test]
fn items_of_streams_are_lists() {
    let document = json!({"openapi": "3.2.0", "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/jsonl": {"itemSchema": {"type": "string"}}}}}}}}});
    check(
        document,
        "/paths/~1a/get/responses/200/content/application~1jsonl/schema",
        &json!({"type": "array", "items": {"type": "string"}}),
    );
}

fn asyncapi2() -> Value {
    json!({
        "asyncapi": "2.6.0",
        "id": "urn:x",
        "info": {"title": "T"},
        "tags": [{"name": "t"}],
        "defaultContentType": "application/json",
        "servers": {"prod": {"url": "kafka://{env}.example:9092/base", "protocol": "kafka-secure", "variables": {"env": {"default": "a"}}, "security": [{"user": []}]}, "bare": {"url": "x.example", "protocol": "ws"}},
        "channels": {
            "user/{id}/in": {
                "description": "D", "servers": ["prod"],
                "parameters": {"id": {"description": "Who", "location": "$message.payload#/id", "schema": {"type": "string", "enum": ["a", "b"]}}},
                "publish": {"operationId": "receiveUser", "summary": "S", "message": {"$ref": "#/components/messages/User"}},
                "subscribe": {"traits": [{"$ref": "#/components/operationTraits/T"}], "message": {"oneOf": [{"name": "one", "payload": {"type": "string"}}, {"messageId": "two", "payload": {}}, {"payload": {"type": "integer"}}]}},
                "bindings": {"ws": {"method": "GET"}},
            },
        },
        "components": {
            "messages": {"User": {"messageId": "u", "title": "User", "schemaFormat": "application/vnd.apache.avro;version=1.9.0", "payload": {"type": "record"}, "traits": [{"headers": {"type": "object"}}]}},
            "operationTraits": {"T": {"description": "From the trait", "bindings": {"kafka": {}}}},
            "securitySchemes": {"user": {"type": "oauth2", "flows": {"implicit": {"scopes": {"r": "Read"}}}}},
        },
        "x-own": 1,
    })
}

#[test]
fn asyncapi_2_becomes_3() {
    let converted = to_current(asyncapi2()).unwrap();
    assert_eq!(converted["asyncapi"], json!("3.0.0"));
    assert_eq!(converted["info"], json!({"title": "T", "tags": [{"name": "t"}]}));
    assert_eq!(
        converted["servers"],
        json!({
            "prod": {"protocol": "kafka-secure", "variables": {"env": {"default": "a"}}, "host": "{env}.example:9092", "pathname": "/base", "security": [{"$ref": "#/components/securitySchemes/user"}]},
            "bare": {"protocol": "ws", "host": "x.example"},
        })
    );
    assert_eq!(
        converted["channels"],
        json!({"user/{id}/in": {
            "address": "user/{id}/in",
            "messages": {
                "User": {"$ref": "#/components/messages/User"},
                "one": {"name": "one", "payload": {"type": "string"}},
                "two": {"payload": {}},
                "subscribe.message": {"payload": {"type": "integer"}},
            },
            "parameters": {"id": {"description": "Who", "location": "$message.payload#/id", "enum": ["a", "b"], "type": "string"}},
            "servers": [{"$ref": "#/servers/prod"}],
            "description": "D",
            "bindings": {"ws": {"method": "GET"}},
        }})
    );
    let channel = "#/channels/user~1{id}~1in";
    let message = |name: &str| json!({"$ref": format!("{channel}/messages/{name}")});
    assert_eq!(
        converted["operations"],
        json!({
            "receiveUser": {"action": "receive", "channel": {"$ref": channel}, "summary": "S", "messages": [message("User")]},
            "user/{id}/in.subscribe": {"action": "send", "channel": {"$ref": channel}, "description": "From the trait", "bindings": {"kafka": {}}, "messages": [message("one"), message("two"), message("subscribe.message")]},
        })
    );
    assert_eq!(
        converted["components"]["messages"]["User"],
        json!({"title": "User", "payload": {"schemaFormat": "application/vnd.apache.avro;version=1.9.0", "schema": {"type": "record"}}, "headers": {"type": "object"}})
    );
    assert_eq!(
        converted["components"]["securitySchemes"]["user"]["flows"],
        json!({"implicit": {"availableScopes": {"r": "Read"}}})
    );
    assert_eq!((&converted["x-own"], &converted["id"]), (&json!(1), &json!("urn:x")));
}

#[test]
fn every_reference_of_what_was_asyncapi_2_leads_somewhere() {
    let converted = to_current(asyncapi2()).unwrap();
    for (place, reference) in crate::reference::document_references(&converted) {
        let pointer = crate::pointer(reference).unwrap();
        assert!(converted.pointer(&pointer).is_some(), "{place}: {reference}");
    }
}

#[test]
fn traits_of_asyncapi_3_add_what_is_not_said() {
    let document = json!({
        "asyncapi": "3.0.0",
        "operations": {"o": {"action": "send", "summary": "Own", "traits": [{"$ref": "#/components/operationTraits/T"}, {"tags": [{"name": "b"}]}]}},
        "channels": {"c": {"messages": {"m": {"traits": [{"headers": {"type": "object"}}], "payload": {}}}}},
        "components": {"operationTraits": {"T": {"summary": "Trait", "description": "D", "tags": [{"name": "a"}]}}},
    });
    check(
        document.clone(),
        "/operations/o",
        &json!({"action": "send", "summary": "Own", "description": "D", "tags": [{"name": "b"}]}),
    );
    check(document, "/channels/c/messages/m", &json!({"payload": {}, "headers": {"type": "object"}}));
}
