//! Which description a page means and where its pages stand; links in what descriptions say, and the places of problems.

use serde_json::{Value, json};

use crate::suite::site::SiteTest;

fn docs(navigation: &Value) -> String {
    json!({ "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "navigation": navigation }).to_string()
}

/// A description of `GET /oven` with these words as its description, in YAML.
fn oven(description: &str) -> String {
    format!(
        "openapi: 3.1.0\ninfo: {{title: Ovens, version: '1'}}\npaths:\n  /oven:\n    get:\n      summary: Show\n      description: {description}\n      responses:\n        '200': {{description: Done}}\n"
    )
}

/// A site with a page of `GET /oven` and a guide.
fn site(pages: &[&str]) -> SiteTest {
    let names = [pages, &["guide"]].concat();
    let mut site = SiteTest::inline("").file("docs.json", docs(&json!({ "pages": names })));
    for page in pages {
        site = site.file(&format!("{page}.mdx"), "---\nopenapi: GET /oven\n---\n");
    }
    site.file("guide.mdx", "---\ntitle: Guide\n---\n\n## Heat\n\nText.\n")
}

#[test]
fn descriptions_of_one_paragraph_have_their_links() {
    site(&["op"])
        .file("openapi.yaml", oven("See [the guide](/guide#heat) or [here](https://ovens.example)."))
        .element("op", "main a[href=\"guide.html#heat\"]")
        .element("op", "main a[href=\"https://ovens.example\"]")
        .run();
    site(&["op"])
        .file("op.mdx", "---\ntitle: Show\ndescription: See [the guide](/guide).\n---\n\nText.\n")
        .element("op", "main a[href=\"guide.html\"]")
        .run();
}

#[test]
fn links_that_lead_nowhere_are_told_at_their_line() {
    for (description, code, place) in [
        ("See [it](/none).", "broken-link", "openapi.yaml:7"),
        ("See [it](#none).", "broken-anchor", "openapi.yaml:7"),
        ("'See [it](/guide#none).'", "broken-anchor", "openapi.yaml:7"),
        ("|\n        One paragraph.\n\n        See [it](/none).", "broken-link", "openapi.yaml:10"),
        ("|\n        One paragraph.\n\n        See [it](#none).", "broken-anchor", "openapi.yaml:10"),
        (">-\n        See [it\n        there](/none).", "broken-link", "openapi.yaml:8"),
    ] {
        site(&["op"])
            .file("LICENSE", "Free\n")
            .file("openapi.yaml", oven(description))
            .diagnostic(code, place)
            .no_element("op", "a[href=\"#none\"]")
            .run();
    }
    let json = json!({
        "openapi": "3.1.0", "info": {"title": "Ovens", "version": "1"},
        "paths": {"/oven": {"get": {"summary": "Show", "responses": {"200": {"description": "Done: [x](/none1)", "content": {"application/json": {"schema": {"type": "object", "properties": {"heat": {"type": "string", "description": "One.\n\nTwo [y](/none2)"}}}}}}}}}},
    });
    site(&["op"])
        .file("LICENSE", "Free\n")
        .file("openapi.json", serde_json::to_string_pretty(&json).expect("JSON"))
        .diagnostic("broken-link", "openapi.json:13")
        .diagnostic("broken-link", "openapi.json:21")
        .run();
    site(&["op"])
        .file("op.mdx", "---\ntitle: Show\ndescription: See [it](/none).\n---\n\nText.\n")
        .diagnostic("broken-link", "op.mdx:3")
        .run();
}

#[test]
fn problems_of_the_front_matter_of_an_operation_have_the_line_of_it() {
    let description = oven("Hot.").replace(
        "      summary: Show\n",
        "      summary: Show\n      x-mint:\n        metadata:\n          mode: large\n",
    );
    SiteTest::inline("")
        .file("docs.json", docs(&json!({"groups": [{"group": "A", "openapi": "openapi.yaml"}]})))
        .file("LICENSE", "Free\n")
        .file("openapi.yaml", description)
        .diagnostic("front-matter-value", "openapi.yaml:8")
        .run();
}

#[test]
fn a_page_means_the_description_of_its_language_and_folder() {
    let all = |site: SiteTest| {
        site.file("ar/openapi/oven.yaml", oven("Arabic."))
            .file("old/swagger.yaml", "swagger: '2.0'\ninfo: {title: Ovens, version: '0'}\npaths: {/oven: {get: {summary: Show, description: Outdated., responses: {'200': {description: Done}}}}}\n")
            .file("openapi/oven.yaml", oven("English."))
            .file("v2/oven.yaml", oven("Second."))
    };
    all(site(&["op", "ar/op", "v2/op", "old/op"]))
        .text("op", "English.")
        .text("ar/op", "Arabic.")
        .text("v2/op", "Second.")
        .text("old/op", "Outdated.")
        .run();
    site(&["op", "fr/op"])
        .file("specs/oven-ar.yaml", oven("Arabic."))
        .file("specs/oven.fr.yaml", oven("French."))
        .file("specs/oven.yaml", oven("English."))
        .text("op", "English.")
        .text("fr/op", "French.")
        .run();
    let named = all(site(&["op"]))
        .file("v2/a/op.mdx", "---\nopenapi: ../oven.yaml GET /oven\n---\n")
        .file("ar/op.mdx", "---\nopenapi: ./openapi/oven.yaml GET /oven\n---\n")
        .file("op.mdx", "---\nopenapi: oven.yaml GET /oven\n---\n");
    named.text("op", "English.").text("ar/op", "Arabic.").text("v2/a/op", "Second.").run();
    let languages = json!({"languages": [{"language": "en", "groups": [{"group": "A", "openapi": {"source": "oven.yaml", "directory": "en/api"}}]}, {"language": "ar", "groups": [{"group": "B", "openapi": {"source": "oven.yaml", "directory": "ar/api"}}]}]});
    all(SiteTest::inline("").file("docs.json", docs(&languages)).file("index.mdx", "Start.\n"))
        .text("en/api/show", "English.")
        .text("ar/api/show", "Arabic.")
        .other_diagnostics()
        .run();
}

#[test]
fn one_description_in_two_versions_has_its_pages_once() {
    let versions = json!({"versions": [{"version": "2", "groups": [{"group": "A", "openapi": "openapi.yaml"}]}, {"version": "1", "groups": [{"group": "B", "openapi": "openapi.yaml"}, {"group": "C", "pages": ["GET /oven"]}]}]});
    SiteTest::inline("")
        .file("docs.json", docs(&versions))
        .file("openapi.yaml", oven("Hot."))
        .has_file("api-reference/show.html")
        .no_file("api-reference/show-1.html")
        .run();
    let chat = "asyncapi: 3.0.0\ninfo: {title: Chat, version: '1'}\nchannels: {room: {address: room}}\n";
    let versions = json!({"versions": [{"version": "2", "groups": [{"group": "A", "asyncapi": "chat.yaml"}]}, {"version": "1", "groups": [{"group": "B", "asyncapi": "chat.yaml"}]}]});
    SiteTest::inline("")
        .file("docs.json", docs(&versions))
        .file("chat.yaml", chat)
        .has_file("api-reference/room.html")
        .no_file("api-reference/room-1.html")
        .run();
}

#[test]
fn what_has_no_place_in_the_navigation_makes_no_pages() {
    let navigation = json!({
        "versions": [{"version": "1", "pages": ["guide"]}],
        "tabs": [{"tab": "API", "groups": [{"group": "A", "openapi": "openapi.yaml"}]}, {"tab": "Picked", "openapi": "openapi.yaml", "pages": ["GET /oven"]}],
    });
    SiteTest::inline("")
        .file("docs.json", docs(&navigation))
        .file("guide.mdx", "---\ntitle: Guide\n---\n\nText.\n")
        .file("openapi.yaml", oven("Hot."))
        .diagnostic("nav-two-lists", "docs.json")
        .no_file("api-reference/show.html")
        .no_file("api-reference/show-1.html")
        .run();
}

#[test]
fn a_description_outside_of_what_is_served_is_not_published() {
    let mkdocs = |site: SiteTest| {
        site.file("mkdocs.yml", "site_name: Ovens\nnav:\n  - Home: index.md\n")
            .file("docs/index.md", "# Ovens\n\nText.\n")
    };
    mkdocs(SiteTest::inline(""))
        .file("staff/openapi.yaml", oven("Secret."))
        .file("openapi.json", r#"{"openapi": "3.1.0", "paths": {"/staff": {"get": {"summary": "Staff"}}}}"#)
        .diagnostic("openapi-outside", "staff/openapi.yaml")
        .diagnostic("openapi-outside", "openapi.json")
        .no_file("api-reference/show.html")
        .no_file("api-reference/staff.html")
        .run();
    mkdocs(SiteTest::inline("")).file("docs/openapi.yaml", oven("Open.")).has_file("api-reference/show.html").run();
    SiteTest::inline("")
        .file("book.toml", "[book]\ntitle = \"Ovens\"\n")
        .file("src/SUMMARY.md", "# Summary\n\n- [Ovens](index.md)\n")
        .file("src/index.md", "# Ovens\n\nText.\n")
        .file("tests/swagger.yaml", oven("Secret."))
        .diagnostic("openapi-outside", "tests/swagger.yaml")
        .no_file("api-reference/show.html")
        .run();
    SiteTest::inline("")
        .file("README.md", "# Ovens\n")
        .file("api/openapi.yaml", oven("Open."))
        .has_file("api-reference/show.html")
        .run();
}

#[test]
fn elements_of_html_in_a_description_are_elements() {
    let html = r#""Heats a <b>pan</b> or <a href=\"/guide\">a pot</a>.<br>Not List<Pan>.""#;
    let response = r#""Hot <code>now</code>, see <a href=\"/none\">it</a>""#;
    site(&["op"])
        .file("openapi.yaml", oven(html).replace("description: Done", &format!("description: {response}")))
        .element("op", ".page-description b")
        .element("op", ".page-description a[href=\"guide.html\"]")
        .element("op", "[data-status=\"200\"] code")
        .text("op", "Not List<Pan>.")
        .diagnostic("broken-link", "openapi.yaml:9")
        .run();
    let exported = site(&["op"]).file("openapi.yaml", oven(html)).run();
    assert!(exported.text_of("op.html").contains("content=\"Heats a pan or a pot. Not List&lt;Pan&gt;.\""));
}
