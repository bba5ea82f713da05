use serde_json::json;

use super::sniff::{is_description, yaml_value};
use super::*;

#[test]
fn descriptions_are_told_by_their_own_keys() {
    assert!(is_description(br#"{"info": {"a": "\"}"}, "openapi" : "3.0.0"}"#, true));
    assert!(!is_description(br#"{"info": {"openapi": 1}, "a": "openapi"}"#, true));
    assert!(!is_description(b"{\"openapi", true));
    assert!(!is_description(b"{\"a\\", true));
    assert!(is_description(b"# x\r\nopenapi: 3.1.0\r\n", false) && is_description(b"'asyncapi' : 3.0.0", false));
    assert!(!is_description(b"info:\n  openapi: 3.1.0\nopenapis: 1", false));
    assert!(is_description(b"swagger: '2.0'", false) && is_description(br#"{"swagger": 2}"#, true));
    assert!(!is_description(b"swagger: true", false) && !is_description(br#"{"swagger": "1.2"}"#, true));
    assert_eq!(yaml_value(b"a: 1\nb: 2", &["b"]), Some(&b" 2"[..]));
}

#[test]
fn paths_may_refer_to_what_stands_elsewhere() {
    let document = json!({
        "paths": {
            "/a": {"$ref": "#/components/pathItems/A", "x-mint": {"groups": ["g"]}},
            "/b": {"$ref": "#/paths/~1c%7D"},
            "/c}": {"get": {"summary": "C"}},
            "/circle": {"$ref": "#/paths/~1circle"},
            "/gone": {"$ref": "#/components/pathItems/Gone"},
        },
        "components": {"pathItems": {"A": {"parameters": [1], "post": {"summary": "A"}}}},
    });
    let found: Vec<String> =
        operations(&document).iter().map(|operation| format!("{} {}", operation.method, operation.path)).collect();
    assert_eq!(found, ["post /a", "get /b", "get /c}"]);
    let endpoint = Endpoint::parse("POST /a").unwrap();
    let named = operation(&document, &endpoint).unwrap();
    assert_eq!(
        (named.text("summary"), named.groups(), named.shared_parameters()),
        (Some("A"), vec!["g".to_owned()], Some(&json!([1])))
    );
    let tree = SourceTree::default();
    let lost = dangling::lost_references(&document, &tree);
    let lost: Vec<(&str, &str)> =
        lost.iter().map(|problem| (problem.place.as_str(), problem.message.as_str())).collect();
    assert_eq!(
        lost,
        [
            (
                "/paths/~1gone/$ref",
                "`/gone` refers to `#/components/pathItems/Gone`, which the description does not have; its operations have no pages"
            ),
            (
                "/paths/~1circle/$ref",
                "`/circle` refers to `#/paths/~1circle`, which refers back to it; its operations have no pages"
            ),
        ]
    );
}

#[test]
fn sources_mean_the_description_that_they_name_best() {
    let paths = ["api/v1/beta.json", "api/v10.yaml", "old/v1.yaml", "v1.json"];
    let spec = |(file, path): (u32, &&str)| Spec::new(FileId(file), path, false, false);
    let specs = Specs { list: (0..).zip(&paths).map(spec).collect(), ..Specs::default() };
    let check = |source: &str, expect: &[&str]| {
        assert_eq!(
            specs.matches(source, "").into_iter().map(|number| paths[number]).collect::<Vec<_>>(),
            expect,
            "{source}"
        );
    };
    check("v1.json", &["v1.json"]);
    check("/old/v1", &["old/v1.yaml"]);
    check("old/v1.yaml", &["old/v1.yaml"]);
    check("v1.yaml", &["old/v1.yaml"]);
    check("v10", &["api/v10.yaml"]);
    check("v1", &["v1.json", "old/v1.yaml", "api/v1/beta.json", "api/v10.yaml"]);
    check("./beta", &["api/v1/beta.json"]);
    check("ap", &["api/v1/beta.json", "api/v10.yaml"]);
    check("specs/v10.yaml", &["api/v10.yaml"]);
    check("v2", &[]);
    check("", &[]);
}

#[test]
fn slug_parts() {
    for (text, slug) in [
        ("Get a User", "get-a-user"),
        ("/users/{id}/posts", "users-posts"),
        ("  List (all), v1.2 'x'  ", "list-all-v12-x"),
        ("a -- b//c", "a-b-c"),
        ("/{a}", ""),
        ("{open", "open"),
        ("Ünï", "ünï"),
    ] {
        assert_eq!(slug_part(text), slug, "{text}");
    }
}

#[test]
fn operations_are_found() {
    let document = json!({
        "paths": {
            "/users": {"get": {"summary": "List users", "tags": ["User data"]}, "post": {"x-excluded": true}},
            "/users/{id}/": {"delete": {"x-mint": {"href": "/x/y", "groups": ["b"]}}, "x-mint": {"groups": ["a"]}},
        },
        "webhooks": {"paid": {"post": {}}},
    });
    let found: Vec<String> = operations(&document)
        .iter()
        .map(|operation| format!("{} {} {}", operation.method, operation.path, operation.slug("/api/")))
        .collect();
    assert_eq!(
        found,
        ["get /users api/user-data/list-users", "delete /users/{id}/ x/y", "webhook paid api/webhook-paid"]
    );
    let by = |text: &str| {
        Endpoint::parse(text)
            .and_then(|endpoint| operation(&document, &endpoint).map(|operation| operation.path.to_owned()))
    };
    assert_eq!(by("DELETE /users/{id}").as_deref(), Some("/users/{id}/"));
    assert_eq!(by("PUT /users"), None);
    assert_eq!(by("webhook paid").as_deref(), Some("paid"));
    let endpoint = Endpoint::parse("DELETE /users/{id}/").unwrap();
    assert_eq!(operation(&document, &endpoint).unwrap().groups(), ["a", "b"]);
}
