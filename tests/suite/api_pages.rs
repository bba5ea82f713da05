//! What pages of operations show beside their fields: samples with the values of the description, examples with the
//! schema, servers, and the page about the whole description.

use serde_json::{Value, json};

use crate::suite::html::Page;
use crate::suite::site::{Exported, SiteTest, offprint};

/// A site with all operations of a description of these paths.
fn site(paths: Value, more: Value) -> SiteTest {
    let mut description =
        json!({ "openapi": "3.1.0", "info": { "title": "Tea API", "version": "3.1" }, "paths": paths });
    for (key, value) in more.as_object().into_iter().flatten() {
        description[key] = value.clone();
    }
    let navigation =
        json!({ "groups": [{ "group": "Start", "pages": ["index"] }, { "group": "API", "openapi": "tea.json" }] });
    let docs = json!({ "theme": "mint", "name": "Tea", "colors": { "primary": "#0F766E" }, "navigation": navigation });
    SiteTest::inline("")
        .file("docs.json", docs.to_string())
        .file("index.mdx", "---\ntitle: Home\n---\n\nText.\n")
        .file("tea.json", description.to_string())
}

fn texts(page: &Page, selector: &str) -> Vec<String> {
    let text = |element: scraper::ElementRef<'_>| element.text().collect::<String>();
    page.select(selector).into_iter().map(text).map(|text| text.trim().to_owned()).collect()
}

fn get(parameters: Value, more: Value) -> Value {
    let mut operation =
        json!({ "summary": "Pour", "parameters": parameters, "responses": { "200": { "description": "OK" } } });
    for (key, value) in more.as_object().into_iter().flatten() {
        operation[key] = value.clone();
    }
    operation
}

/// The address in the sample of cURL.
fn address(site: &Exported, page: &str) -> String {
    let sample = texts(&site.page(page), "#request-example pre code").swap_remove(0);
    let url = sample.lines().find_map(|line| line.trim().strip_prefix("--url ").map(str::to_owned));
    url.unwrap_or(sample).trim_end_matches(" \\").trim_matches('\'').to_owned()
}

#[test]
fn samples_have_the_values_that_path_parameters_are_given() {
    let text = json!({ "type": "string" });
    let of = |name: &str, schema: Value, more: Value| {
        let mut parameter = json!({ "name": name, "in": "path", "required": true, "schema": schema });
        for (key, value) in more.as_object().into_iter().flatten() {
            parameter[key] = value.clone();
        }
        parameter
    };
    let list = json!({ "type": "array", "items": text });
    let cases = [
        ("own", of("p", text.clone(), json!({ "example": "a b/c" })), "a%20b%2Fc"),
        (
            "named",
            of("p", text.clone(), json!({ "examples": { "x": { "value": "x1" }, "y": { "value": "y2" } } })),
            "x1",
        ),
        ("schema", of("p", json!({ "type": "integer", "example": 7 }), json!({})), "7"),
        ("several", of("p", json!({ "type": "string", "examples": ["one", "two"] }), json!({})), "one"),
        ("default", of("p", json!({ "type": "string", "default": "de" }), json!({})), "de"),
        ("listed", of("p", json!({ "type": "string", "enum": ["eu", "us"] }), json!({})), "eu"),
        ("array", of("p", list.clone(), json!({ "example": ["a", "b,c"] })), "a,b%2Cc"),
        ("label", of("p", list.clone(), json!({ "example": ["a", "b"], "style": "label", "explode": true })), ".a.b"),
        ("matrix", of("p", list, json!({ "example": ["a", "b"], "style": "matrix" })), ";p=a,b"),
        ("nothing", of("p", text.clone(), json!({})), "{p}"),
        ("up", of("p", text, json!({ "example": ".." })), "{p}"),
    ];
    let mut paths = json!({});
    for (name, parameter, _) in &cases {
        paths[format!("/{name}/{{p}}")] = json!({ "get": get(json!([parameter]), json!({ "summary": name })) });
    }
    let site = site(paths, json!({})).other_diagnostics().run();
    for (name, _, expect) in &cases {
        let found = address(&site, &format!("api-reference/{name}"));
        assert_eq!(found, format!("https://api.example.com/{name}/{expect}"));
    }
}

#[test]
fn every_example_of_a_parameter_stands_beside_it() {
    let named = json!({ "home": { "summary": "The main shop", "value": "ulm" }, "other": { "value": "bonn" } });
    let parameters = json!([
        { "name": "shop", "in": "query", "schema": { "type": "string" }, "examples": named },
        { "name": "size", "in": "query", "schema": { "type": "integer", "examples": [1, 2, 2] } },
    ]);
    let site = site(json!({ "/tea": { "get": get(parameters, json!({})) } }), json!({})).run();
    let page = site.page("api-reference/pour");
    assert_eq!(texts(&page, "[data-name=shop] [data-example]"), ["ulm", "bonn"]);
    assert_eq!(texts(&page, "[data-name=shop] .field-example"), ["Example: ulm The main shop, bonn other"]);
    assert_eq!(texts(&page, "[data-name=size] [data-example]"), ["1", "2"]);
}

#[test]
fn bodies_and_responses_offer_every_example_and_the_schema() {
    let schema = json!({ "type": "object", "required": ["leaf"], "properties": {
        "leaf": { "type": "string", "enum": ["green", "black"] },
        "minutes": { "type": "integer" },
        "milk kind": { "type": ["string", "null"] },
        "cups": { "type": "array", "items": { "type": "object", "properties": { "size": { "type": "number" } } } },
        "notes": { "type": "object", "additionalProperties": { "type": "string" } },
    } });
    let examples = json!({ "quick": { "summary": "A quick cup", "value": { "leaf": "green" } }, "long": { "value": { "leaf": "black", "minutes": 5 } } });
    let operation = get(
        json!([]),
        json!({
            "requestBody": { "content": { "application/json": { "schema": schema, "examples": examples } } },
            "responses": {
                "200": { "description": "OK", "content": { "application/json": { "schema": schema } } },
                "422": { "description": "No", "content": { "text/plain": { "example": "no tea" } } },
            },
        }),
    );
    let site = site(json!({ "/tea": { "post": operation } }), json!({})).run();
    let page = site.page("api-reference/pour");
    let outline = "type Body = {\n  leaf: \"green\" | \"black\"\n  minutes?: integer\n  \"milk kind\"?: string | null\n  cups?: {\n    size?: number\n  }[]\n  notes?: {\n    [key: string]: string\n  }\n}";
    let body = "#request-body-example";
    assert_eq!(texts(&page, &format!("{body} .api-faces > .tab-list [role=tab]")), ["A quick cup", "long", "Schema"]);
    assert_eq!(
        texts(&page, &format!("{body} [data-body-example=\"application/json\"] code")),
        ["{\n  \"leaf\": \"green\"\n}", "{\n  \"leaf\": \"black\",\n  \"minutes\": 5\n}"]
    );
    assert_eq!(texts(&page, &format!("{body} pre code")).pop().as_deref(), Some(outline));
    // one panel for each status, with the example first
    assert_eq!(page.count("#response-example [data-status]"), 2);
    assert_eq!(texts(&page, "#response-example [data-status=\"200\"] .api-faces [role=tab]"), ["Example", "Schema"]);
    let shown = texts(&page, "#response-example [data-status=\"200\"] pre code").pop();
    assert_eq!(shown, Some(outline.replace("type Body", "type Response")));
    assert_eq!(texts(&page, "#response-example [data-status=\"422\"] pre code"), ["no tea"]);
}

#[test]
fn servers_are_one_line_that_unfolds() {
    let servers = json!([
        { "url": "https://{region}.example.com", "variables": { "region": { "default": "eu" } } },
        { "url": "https://test.example.com", "description": "Tests" },
    ]);
    let paths = json!({ "/tea": { "get": get(json!([]), json!({})) } });
    let several = site(paths.clone(), json!({ "servers": servers })).run();
    let page = several.page("api-reference/pour");
    assert_eq!(texts(&page, "details.api-servers > summary > *"), ["Servers", "https://eu.example.com", "+1"]);
    assert_eq!(page.count("details.api-servers:not([open]) .api-server[data-server]"), 2);
    let one = site(paths, json!({ "servers": [{ "url": "https://a.example.com" }] })).run();
    assert_eq!(one.page("api-reference/pour").count("div.api-servers[hidden] .api-server"), 1);
}

#[test]
fn method_and_path_stand_at_the_top_of_the_right_column() {
    let site = site(json!({ "/tea": { "get": get(json!([]), json!({})) } }), json!({})).run();
    let page = site.page("api-reference/pour");
    assert_eq!(texts(&page, ".op-aside-column > .op-endpoint:first-child > code"), ["/tea"]);
    assert_eq!(page.count(".op-endpoint"), 1);
}

/// The description of the overview's tests.
fn whole() -> (Value, Value) {
    let operation = |summary: &str, tag: &str| get(json!([]), json!({ "summary": summary, "tags": [tag] }));
    let paths = json!({
        "/tea": { "get": operation("List teas", "Teas"), "post": operation("Add a tea", "Teas") },
        "/shops": { "get": operation("List shops", "Shops") },
        "/secret": { "get": { "summary": "Hidden", "tags": ["Shops"], "x-hidden": true, "responses": {} } },
    });
    let more = json!({
        "info": {
            "title": "Tea API", "version": "3.1", "description": "All about **tea**.", "termsOfService": "https://example.com/terms",
            "contact": { "name": "Tea team", "email": "tea@example.com" }, "license": { "name": "MIT", "url": "javascript:alert(1)" },
        },
        "servers": [{ "url": "https://tea.example.com" }],
        "tags": [{ "name": "Shops", "description": "Where to buy." }, { "name": "Teas" }, { "name": "Nothing" }],
        "components": {
            "securitySchemes": { "key": { "type": "apiKey", "in": "header", "name": "X-Tea" } },
            "schemas": { "Leaf": { "type": "object", "description": "A leaf.", "properties": { "age": { "type": "integer" } } } },
        },
    });
    (paths, more)
}

#[test]
fn a_description_has_a_page_about_all_of_it() {
    let (paths, more) = whole();
    let site = site(paths, more).run();
    let page = site.page("api-reference/overview");
    assert_eq!(texts(&page, "#page-title"), ["Tea API"]);
    let facts = ["3.1", "Tea team", "MIT", "https://example.com/terms", "tea.json"];
    assert_eq!(texts(&page, ".api-facts dd"), facts);
    assert_eq!(page.count(".api-facts a[href=\"mailto:tea@example.com\"]"), 1);
    assert_eq!(page.count(".api-facts a[href^=javascript]"), 0);
    assert_eq!(page.count(".api-facts a[download][href$=\"tea.json\"]"), 1);
    assert!(page.content_text().contains("All about tea. "), "{}", page.content_text());
    assert_eq!(texts(&page, ".api-server code"), ["https://tea.example.com"]);
    assert_eq!(texts(&page, "[data-section=authorization] .field-name"), ["X-Tea"]);
    // in the order of the tags, without those that have nothing and operations that are hidden
    assert_eq!(texts(&page, ".api-tag"), ["Shops", "Teas"]);
    assert_eq!(texts(&page, ".api-operation-title"), ["List shops", "List teas", "Add a tea"]);
    let links: Vec<_> = page.select(".api-operations a").iter().filter_map(|link| link.attr("href")).collect();
    assert_eq!(links, ["shops/list-shops.html", "teas/list-teas.html", "teas/add-a-tea.html"]);
    assert_eq!(texts(&page, ".api-schema > summary > code"), ["Leaf"]);
    assert_eq!(texts(&page, ".api-schema pre code"), ["type Leaf = {\n  age?: integer\n}"]);
    // reached from its operations, and no entry of the navigation
    let operation = site.page("api-reference/teas/list-teas");
    assert_eq!(operation.select(".api-about a")[0].attr("href"), Some("../overview.html"));
    assert_eq!(texts(&operation, ".api-about"), ["Tea API 3.1"]);
    assert_eq!(operation.count("#sidebar a[href$=\"overview.html\"]"), 0);
}

#[test]
fn an_overview_that_the_author_places_is_the_only_one() {
    let (paths, more) = whole();
    let docs = |pages: Value| json!({ "theme": "mint", "name": "Tea", "colors": { "primary": "#0F766E" }, "navigation": { "groups": [{ "group": "Start", "pages": pages }, { "group": "API", "openapi": "tea.json" }] } });
    let own = site(paths.clone(), more.clone())
        .file("docs.json", docs(json!(["index", "about"])).to_string())
        .file("about.mdx", "---\ntitle: About tea\nopenapi-overview: tea.json\n---\n\nWords before it.\n")
        .run();
    let page = own.page("about");
    assert_eq!(texts(&page, "#page-title"), ["About tea"]);
    assert!(page.content_text().contains("Words before it. All about tea."), "{}", page.content_text());
    assert_eq!(page.count(".api-operations a"), 3);
    assert!(own.html().all(|path| !path.ends_with("overview.html")));
    assert_eq!(
        own.page("api-reference/teas/list-teas").select(".api-about a")[0].attr("href"),
        Some("../../about.html")
    );
    // the generated one, named by the navigation
    let listed =
        site(paths, more).file("docs.json", docs(json!(["index", "api-reference/overview"])).to_string()).run();
    assert_eq!(listed.page("index").count("#sidebar a[href=\"api-reference/overview.html\"]"), 1);
}

#[test]
fn an_overview_needs_several_operations_and_takes_no_address() {
    let alone = site(json!({ "/tea": { "get": get(json!([]), json!({})) } }), json!({})).run();
    assert!(alone.html().all(|path| !path.contains("overview")));
    assert_eq!(alone.page("api-reference/pour").count(".api-about"), 0);
    let (paths, more) = whole();
    let taken = site(paths, more)
        .file("api-reference/overview.mdx", "---\ntitle: Mine\n---\n\nMine.\n")
        .other_diagnostics()
        .run();
    assert_eq!(texts(&taken.page("api-reference/overview"), "#page-title"), ["Mine"]);
    assert_eq!(texts(&taken.page("api-reference/tea-api-overview"), "#page-title"), ["Tea API"]);
    SiteTest::pages(&[("index", "Text.")])
        .file("lost.mdx", "---\ntitle: Lost\nopenapi-overview: nosuch.json\n---\n")
        .diagnostic("openapi-missing-part", "lost.mdx:3:1")
        .other_diagnostics()
        .run();
}

#[test]
fn the_summary_says_how_to_have_a_console() {
    let folder = tempfile::TempDir::with_prefix("offprint-console-").expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write(
        "docs.json",
        r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index"]}}"##,
    );
    write("index.mdx", "---\ntitle: Pour\nopenapi: GET /tea\n---\n");
    write(
        "tea.json",
        r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/tea": {"get": {"responses": {}}}}}"#,
    );
    let said = |args: &[&str]| {
        let out = folder.path().join(format!("out{}", args.len()));
        let output = offprint()
            .arg("export")
            .arg(folder.path())
            .args(["-o"])
            .arg(&out)
            .args(["--format", "dir", "--offline"])
            .args(args)
            .output();
        let output = output.expect("the program runs");
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    let without = said(&[]);
    assert!(without.contains("no console on 1 API page; `--feature playground=on` adds \"Try it\""), "{without}");
    let with = said(&["--feature", "playground=on"]);
    assert!(!with.contains("no console"), "{with}");
}
