use serde_json::json;

use super::sniff::{json_has_key, yaml_has_key};
use super::*;
use crate::source::site::testing::site;

#[test]
fn descriptions_are_told_by_their_own_keys() {
    assert!(json_has_key(br#"{"info": {"a": "\"}"}, "openapi" : "3.0.0"}"#, &KEYS));
    assert!(!json_has_key(br#"{"info": {"openapi": 1}, "a": "openapi"}"#, &KEYS));
    assert!(!json_has_key(b"{\"openapi", &KEYS));
    assert!(!json_has_key(b"{\"a\\", &KEYS));
    assert!(yaml_has_key(b"# x\r\nopenapi: 3.1.0\r\n", &KEYS) && yaml_has_key(b"'asyncapi' : 3.0.0", &KEYS));
    assert!(!yaml_has_key(b"info:\n  openapi: 3.1.0\nopenapis: 1", &KEYS));
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
            "/out": {"$ref": "items.yaml#/x"},
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
    let lost: Vec<String> = lost_items(&document).into_iter().map(|(_, problem)| problem.message).collect();
    assert_eq!(
        lost,
        [
            "`/circle` refers to `#/paths/~1circle`, which refers back to it; its operations have no pages",
            "`/gone` refers to `#/components/pathItems/Gone`, which the description does not have; its operations have no pages",
            "`/out` refers to `items.yaml#/x`, which is in another file, which is not read; its operations have no pages",
        ]
    );
}

#[test]
fn json_is_yaml() {
    let it = site(&[
        (
            "docs.json",
            r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"groups": [{"group": "A", "openapi": "a.yaml"}, {"group": "B", "openapi": "b.yaml"}]}}"##,
        ),
        ("a.yaml", "\u{feff}\n{\n\t\"openapi\": \"3.1.0\", \"paths\": {\"/a\": {\"get\": {\"summary\": \"A\"}}}}"),
        ("b.yaml", "{\"openapi\": 3.1.0, paths: {/b: {get: {summary: B}}, /x: {$ref: \"x.yaml\"}}}"),
    ]);
    assert_eq!(it.slugs(), ["api-reference/a", "api-reference/b"]);
    assert_eq!(
        it.problems(),
        [
            "openapi-ref b.yaml:1:65 `/x` refers to `x.yaml`, which is in another file, which is not read; its operations have no pages"
        ]
    );
}

#[test]
fn sources_mean_the_description_that_they_name_best() {
    let paths = ["api/v1/beta.json", "api/v10.yaml", "old/v1.yaml", "v1.json"];
    let spec = |(file, path): (u32, &&str)| Spec::new(FileId(file), path, false);
    let specs = Specs { list: (0..).zip(&paths).map(spec).collect(), parts: Vec::new() };
    let check = |source: &str, expect: &[&str]| {
        assert_eq!(
            specs.matches(source).into_iter().map(|number| paths[number]).collect::<Vec<_>>(),
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

const DOCS: &str = r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"groups": [{"group": "A", "openapi": "a.yaml", "pages": ["index", "schema", "channel", "GET /a"]}]}}"##;

#[test]
fn a_site_keeps_the_descriptions_that_its_pages_need() {
    let it = site(&[
        ("docs.json", DOCS),
        ("a.yaml", "openapi: 3.1.0\npaths:\n  /a: {servers: [{url: /s}], get: {summary: A}}"),
        ("b/b.json", r#"{"openapi": "3.1.0", "components": {"schemas": {"a/b": {"type": "string"}}}}"#),
        ("c.yaml", "asyncapi: 3.0.0\nchannels: {my chat: {address: x}}"),
        ("d.yaml", "openapi: 3.1.0\npaths: {}"),
        ("index.mdx", ""),
        ("schema.mdx", "---\nopenapi-schema: b.json a/b\n---\n"),
        ("channel.mdx", "---\nasyncapi: c.yaml my chat\n---\n"),
    ]);
    assert!(it.diagnostics.is_empty(), "{:?}", it.problems());
    let descriptions = &it.site.descriptions;
    let kept: Vec<&str> =
        descriptions.ids().filter(|id| descriptions.document(*id).is_some()).map(|id| descriptions.path(id)).collect();
    assert_eq!(kept, ["a.yaml", "b/b.json", "c.yaml"]);

    let endpoint = it.site.page(it.page("api-reference/a")).endpoint.clone().unwrap();
    let (id, document, operation) = descriptions.operation(&endpoint).unwrap();
    assert_eq!((descriptions.path(id), document["openapi"].as_str()), ("a.yaml", Some("3.1.0")));
    assert_eq!((operation.http_method, operation.servers()), ("get", Some(&json!([{"url": "/s"}]))));
    let part = |slug: &str| {
        let (key, text) = it.site.page(it.page(slug)).meta.reference.as_ref()?;
        let part = descriptions.part(key, text)?;
        Some((descriptions.path(part.id), part.name, part.pointer.clone(), part.value.clone()))
    };
    let schema = ("b/b.json", "a/b", "/components/schemas/a~1b".to_owned(), json!({"type": "string"}));
    assert_eq!(part("schema"), Some(schema));
    let channel = ("c.yaml", "my chat", "/channels/my chat".to_owned(), json!({"address": "x"}));
    assert_eq!(part("channel"), Some(channel));
    assert_eq!(descriptions.part("openapi-schema", "a/b").map(|part| part.name), Some("a/b"));
    assert!(descriptions.part("openapi-schema", "none").is_none());
}
