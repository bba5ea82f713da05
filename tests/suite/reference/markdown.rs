//! Markdown of API pages: the part of the description as JSON, or a list of its fields where a site wants no JSON.

use offprint::templates::words;
use serde_json::json;

use super::yaml;
use crate::suite::site::{Exported, SiteTest};

const DESCRIPTION: &str = r##"
openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets/{id}:
    patch:
      summary: Change a pet
      security: [{key: []}]
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, format: uuid}, description: "Which one.\n\nAs in the list."}
        - {name: dry, in: query, schema: {type: boolean, default: false}}
      requestBody:
        description: What changes.
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: {type: string, maxLength: 40, example: Rex}
                kind: {type: string, enum: [cat, dog], description: Its kind.}
                home: {$ref: '#/components/schemas/Home'}
                food:
                  oneOf:
                    - {title: Dry, type: object, properties: {grams: {type: integer}}}
                    - {title: Wet, type: object, properties: {cans: {type: integer}}}
      responses:
        '200': {description: The pet., headers: {ETag: {schema: {type: string}}}, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Home'}}}}}
        '404': {description: There is none.}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key, description: The key.}}
  schemas:
    Home: {type: object, properties: {city: {type: string}, next: {$ref: '#/components/schemas/Home'}}}
"##;

const LIST: &str = "# Change a pet

`PATCH /pets/{id}`

## Authorization

- `X-Key` (`string`, header): The key.

## Path parameters

- `id` (`string<uuid>`, required): Which one.

## Query parameters

- `dry` (`boolean`): Default: `false`.

## Body (`application/json`, required)

What changes.

- `name` (`string`, required): length ≤ 40. Example: `Rex`.
- `kind` (`enum<string>`): Its kind. Allowed values: `cat`, `dog`.
- `home` (`object`)
  - `city` (`string`)
  - `next` (`object`)
    - The attributes of `Home` are described above.
- `food` (`object`)
  - One of `Dry`
    - `grams` (`integer`)
  - or `Wet`
    - `cans` (`integer`)

## Response 200 (`application/json`)

The pet.

`object[]`

- `city` (`string`)
- `next` (`object`)
  - The attributes of `Home` are described above.

Headers:

- `ETag` (`string`)

## Response 404

There is none.
";

fn exported(has_schema: bool) -> Exported {
    let docs = json!({
        "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "markdown": { "schema": has_schema },
        "navigation": { "groups": [{ "group": "API", "openapi": "api.json", "pages": ["index", "home", "PATCH /pets/{id}"] }] },
    });
    SiteTest::inline(
        "//- index.mdx\n---\ntitle: Start\n---\n\nText.\n\n//- home.mdx\n---\ntitle: Home\nopenapi-schema: Home\n---\n",
    )
    .file("docs.json", docs.to_string())
    .file("api.json", yaml(DESCRIPTION).to_string())
    .run()
}

#[test]
fn without_json_it_is_a_list() {
    let site = exported(false);
    assert_eq!(site.text_of("api-reference/change-a-pet.md").trim_end(), LIST.trim_end());
    assert!(site.text_of("llms-full.txt").contains("- `kind` (`enum<string>`): Its kind."));
}

#[test]
fn the_list_is_in_the_language_of_its_page() {
    let docs = json!({
        "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "markdown": { "schema": false },
        "navigation": { "languages": [
            { "language": "en", "pages": ["index"] },
            { "language": "de", "groups": [{ "group": "API", "openapi": { "source": "api.json", "directory": "de" } }] },
        ] },
    });
    let site = SiteTest::inline("//- index.mdx\nText.\n")
        .file("docs.json", docs.to_string())
        .file("api.json", yaml(DESCRIPTION).to_string())
        .run();
    let list = site.text_of("de/change-a-pet.md");
    let words = words::for_language("de");
    for line in [
        format!("## {}\n", words.api.authorization),
        format!("- `id` (`string<uuid>`, {}): Which one.\n", words.content.required),
        format!("## {} (`application/json`, {})\n", words.api.body, words.content.required),
        format!("## {} 404\n", words.console.response),
        format!("- `kind` (`enum<string>`): Its kind. {}: `cat`, `dog`.\n", words.api.values),
    ] {
        assert!(list.contains(&line), "{line}: {list}");
    }
    let page = site.page("de/change-a-pet");
    let sidebar: String = page.select("#sidebar").iter().flat_map(|element| element.text()).collect();
    assert!(sidebar.contains(words.api.reference), "{sidebar}");
    assert_eq!(page.count(".api-heading > .field-required"), 1, "the body is required");
}

#[test]
fn with_json_an_operation_has_that_and_a_schema_the_list() {
    let site = exported(true);
    let operation = site.text_of("api-reference/change-a-pet.md");
    assert!(operation.contains("```json") && !operation.contains("- `kind`"), "{operation}");
    assert_eq!(
        site.text_of("home.md").trim_end(),
        "# Home\n\n- `city` (`string`)\n- `next` (`object`)\n  - The attributes of `Home` are described above."
    );
}

#[test]
fn the_description_is_a_file_of_the_bundle_and_pages_link_to_it() {
    let docs = json!({
        "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "contextual": { "options": ["copy", "download-spec"] },
        "navigation": { "groups": [{ "group": "API", "openapi": "api.json", "pages": ["PATCH /pets/{id}"] }] },
    });
    let text = yaml(DESCRIPTION).to_string();
    let site =
        SiteTest::inline("").file("docs.json", docs.to_string()).file("api.json", &text).other_diagnostics().run();
    assert_eq!(site.text_of("api.json"), text);
    let page = site.page("api-reference/change-a-pet");
    assert!(page.count("a[href='../api.json'][download]") > 0);
}
