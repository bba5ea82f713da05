//! What readers may not see of the API descriptions of a site.

use crate::LoadOptions;
use crate::testing::try_site;

#[test]
fn parts_of_other_files_stay_closed() {
    let docs = r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"groups": [{"group": "A", "openapi": "api.yaml"}]}}"##;
    let files = [
        ("docs.json", docs),
        ("secret-page.mdx", "---\nopenapi-schema: api.yaml Secret\n---\n"),
        (
            "api.yaml",
            "openapi: 3.1.0
paths:
  /open:
    get:
      summary: Open
      responses:
        '200':
          description: OK
          content:
            a/b:
              schema:
                required: [word, secret]
                properties: {word: {type: string}, secret: {$ref: 'parts/secret.yaml#/Secret'}}
              example: {word: w, secret: closed value}
  /closed: {$ref: parts/closed.yaml}
components:
  schemas:
    Secret: {$ref: 'parts/secret.yaml#/Secret'}
",
        ),
        (
            "parts/closed.yaml",
            "get: {summary: Closed, x-mint: {groups: [staff]}, responses: {'200': {$ref: only-closed.yaml}}}",
        ),
        ("parts/only-closed.yaml", "description: closed answer"),
        ("parts/secret.yaml", "Secret: {x-mint: {groups: [staff]}, description: closed words}\nOther: {type: string}"),
    ];
    let it = try_site(&files, &LoadOptions::default()).unwrap();
    assert_eq!(it.slugs(), ["api-reference/open"], "{:?}", it.problems());
    assert!(it.site.is_restricted("secret-page") && it.site.is_restricted("api-reference/closed"));
    let read = |path: &str| {
        let file = it.site.tree.find_any(path).unwrap();
        let text = it.site.tree.text(file).unwrap_or_default();
        (it.site.tree.is_withheld(file), text)
    };
    for (path, withheld) in [
        ("api.yaml", false),
        ("parts/closed.yaml", true),
        ("parts/only-closed.yaml", true),
        ("parts/secret.yaml", true),
    ] {
        let (is_withheld, text) = read(path);
        assert_eq!(is_withheld, withheld, "{path}: {text}");
        assert!(!text.to_lowercase().contains("closed") && !text.contains("ecret"), "{path}: {text}");
    }
    assert!(read("api.yaml").1.contains("word: w"), "{}", read("api.yaml").1);
    let endpoint = it.site.page(it.page("api-reference/open")).endpoint.clone().unwrap();
    let (_, document, _) = it.site.descriptions.operation(&endpoint).unwrap();
    assert!(!document.to_string().contains("losed") && !document.to_string().contains("ecret"), "{document:#}");

    let staff = ["staff".to_owned()];
    let it = try_site(&files, &LoadOptions { groups: &staff, ..LoadOptions::default() }).unwrap();
    assert_eq!(it.slugs(), ["api-reference/closed", "api-reference/open", "api-reference/overview", "secret-page"]);
}
