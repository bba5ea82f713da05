//! API descriptions of a site.

use serde_json::{Value, json};

use crate::testing::site;
use spec::FILES;

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
        ["openapi-ref b.yaml:1:58 `/x` refers to `x.yaml`, and there is no such file; its operations have no pages"]
    );
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
    let retained: Vec<&str> =
        descriptions.ids().filter(|id| descriptions.document(*id).is_some()).map(|id| descriptions.path(id)).collect();
    assert_eq!(retained, ["a.yaml", "b/b.json", "c.yaml"]);

    let endpoint = it.site.page(it.page("api-reference/a")).endpoint.clone().unwrap();
    let (id, document, operation) = descriptions.operation(&endpoint).unwrap();
    assert_eq!((descriptions.path(id), document["openapi"].as_str()), ("a.yaml", Some("3.1.0")));
    assert_eq!(operation.http_method, "get");
    let part = |slug: &str| {
        let (key, text) = it.site.page(it.page(slug)).meta.reference.as_ref()?;
        let part = descriptions.part(key, text, "")?;
        Some((part.name, part.value.clone()))
    };
    assert_eq!(part("schema"), Some(("a/b", json!({"type": "string"}))));
    assert_eq!(part("channel"), Some(("my chat", json!({"address": "x"}))));
    assert_eq!(descriptions.part("openapi-schema", "a/b", "").map(|part| part.name), Some("a/b"));
    assert!(descriptions.part("openapi-schema", "none", "").is_none());
}

/// A site with these files and all operations of `api/api.yaml`.
fn api(files: &[(&str, &str)]) -> crate::testing::Fixture {
    let docs = r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"groups": [{"group": "A", "openapi": "api/api.yaml", "asyncapi": [], "pages": ["index"]}]}}"##;
    let mut all = vec![("docs.json", docs), ("index.mdx", "")];
    all.extend(files);
    site(&all)
}

/// Its document.
fn document(it: &crate::testing::Fixture) -> Value {
    let descriptions = &it.site.descriptions;
    let id = descriptions.ids().find(|id| descriptions.path(*id) == "api/api.yaml").unwrap();
    (**descriptions.document(id).unwrap()).clone()
}

#[test]
fn parts_of_other_files_are_brought_into_the_document() {
    let it = api(&[
        (
            "api/api.yaml",
            "openapi: 3.1.0
paths:
  /pets: {$ref: paths/pets.yaml}
  /own: {get: {$ref: 'paths/own%20one.json#/get'}}
components:
  schemas:
    Own: {type: string}
    Pet: {$ref: '../common/Pet.yaml'}
    Sizes: {oneOf: [{$ref: ./sizes.yml#/small}], discriminator: {propertyName: s, mapping: {x: ./sizes.yml#/small, y: Own}}}
",
        ),
        ("api/paths/pets.yaml", "get: {summary: Pets, responses: {'200': {$ref: ../../common/all.yaml#/responses/OK}}}"),
        ("api/paths/own one.json", r#"{"get": {"summary": "Own"}, "post": {"summary": "Not asked for"}}"#),
        ("api/sizes.yml", "small: {type: integer}\nlarge: {type: integer}"),
        (
            "common/Pet.yaml",
            "type: object\nproperties:\n  parent: {$ref: Pet.yaml}\n  owner: {$ref: all.yaml#/owner~1s}\n  own: {$ref: ../api/api.yaml#/components/schemas/Own}",
        ),
        (
            "common/all.yaml",
            "owner/s: {items: {$ref: '#/owner~1s'}}\nresponses: {OK: {description: Fine}, Other: {}}\nunused: {$ref: none.yaml}",
        ),
    ]);
    assert!(it.diagnostics.is_empty(), "{:?}", it.problems());
    assert_eq!(it.slugs(), ["api-reference/overview", "api-reference/own", "api-reference/pets", "index"]);
    let document = document(&it);
    assert_eq!(document["paths"]["/pets"], json!({"$ref": "#/x-files/api~1paths~1pets.yaml"}));
    assert_eq!(document["components"]["schemas"]["Pet"], json!({"$ref": "#/x-files/common~1Pet.yaml"}));
    assert_eq!(
        document["components"]["schemas"]["Sizes"]["discriminator"]["mapping"],
        json!({"x": "#/x-files/api~1sizes.yml/small", "y": "Own"})
    );
    assert_eq!(
        document[FILES],
        json!({
            "api/paths/pets.yaml": {"get": {"summary": "Pets", "responses": {"200": {"$ref": "#/x-files/common~1all.yaml/responses/OK"}}}},
            "api/paths/own one.json": {"get": {"summary": "Own"}},
            "api/sizes.yml": {"small": {"type": "integer"}},
            "common/Pet.yaml": {"type": "object", "properties": {
                "parent": {"$ref": "#/x-files/common~1Pet.yaml"},
                "owner": {"$ref": "#/x-files/common~1all.yaml/owner~1s"},
                "own": {"$ref": "#/components/schemas/Own"},
            }},
            "common/all.yaml": {
                "owner/s": {"items": {"$ref": "#/x-files/common~1all.yaml/owner~1s"}},
                "responses": {"OK": {"description": "Fine"}},
            },
        })
    );
}

#[test]
fn references_that_lead_nowhere_are_told_with_their_place() {
    let it = api(&[
        (
            "api/api.yaml",
            "openapi: 3.1.0
paths:
  /a:
    get:
      summary: A
      parameters: [{$ref: '#/components/parameters/None'}]
      responses:
        '200':
          $ref: other.yaml#/none
        '201':
          $ref: other.yaml#/deep
  /b: {$ref: none.yaml}
components:
  schemas:
    A: {$ref: 'https://x.example/schema.json#/A'}
    B: {$ref: 'file:///etc/passwd'}
    C: {$ref: '#anchor'}
    D: {$ref: '../../../etc/passwd'}
    E: {$ref: broken.yaml}
    F: {$ref: index.mdx}
    G: {example: {$ref: none.yaml}, x-other: {$ref: none.yaml}}
",
        ),
        ("api/other.yaml", "deep:\n  content:\n    a/b: {schema: {$ref: '#/x'}}\n"),
        ("api/broken.yaml", "a: [\n"),
        ("api/index.mdx", ""),
    ]);
    let problems: Vec<String> = it.problems();
    assert_eq!(
        problems,
        [
            "openapi-file api/broken.yaml:1:4 `api/broken.yaml` is not used: it is not YAML: unclosed bracket '['",
            "openapi-ref api/api.yaml:6:21 `$ref: #/components/parameters/None` leads to nothing, which the description does not have; what it stands for is left out",
            "openapi-ref api/api.yaml:9:11 `$ref: api/other.yaml#/none` leads to nothing, which that file does not have; what it stands for is left out",
            "openapi-ref api/api.yaml:12:8 `/b` refers to `api/none.yaml`, and there is no such file; its operations have no pages",
            "openapi-ref api/api.yaml:15:9 `$ref: https://x.example/schema.json#/A` leads to nothing, which is on another server and is not fetched; what it stands for is left out",
            "openapi-ref api/api.yaml:16:9 `$ref: file:///etc/passwd` leads to nothing, which is on another server and is not fetched; what it stands for is left out",
            "openapi-ref api/api.yaml:17:9 `$ref: #anchor` leads to nothing, which names an anchor that the description does not have; what it stands for is left out",
            "openapi-ref api/api.yaml:18:9 `$ref: ../../../etc/passwd` leads to nothing, which is outside of the documentation folder; what it stands for is left out",
            "openapi-ref api/api.yaml:20:9 `$ref: api/index.mdx` leads to nothing, which is neither JSON nor YAML; what it stands for is left out",
            "openapi-ref api/other.yaml:3:20 `$ref: api/other.yaml#/x` leads to nothing, which that file does not have; what it stands for is left out",
        ]
    );
    assert_eq!(it.slugs(), ["api-reference/a", "api/index", "index"]);
}

#[test]
fn parts_that_no_description_has_are_told() {
    let it = api(&[
        ("api/api.yaml", "openapi: 3.1.0\ncomponents: {schemas: {A: {}}}"),
        ("a.mdx", "---\ntitle: A\nopenapi-schema: api.yaml B\n---\n"),
        ("b.mdx", "---\nasyncapi: c\n---\n"),
        ("c.mdx", "---\nopenapi-schema: none.yaml A\n---\n"),
        ("d.mdx", "---\nopenapi-schema: A\n---\n"),
    ]);
    assert_eq!(
        it.problems(),
        [
            "openapi-missing-part a.mdx:3:1 `api.yaml` has no schema `B`",
            "openapi-missing-part b.mdx:2:1 no API description has the channel `c`",
            "openapi-missing-part c.mdx:2:1 the API description `none.yaml` does not exist",
        ]
    );
}
