//! Restricted pages and parts of API descriptions: an export has what the readers of its user groups may see, and no
//! trace of anything else.
//!
//! Every restricted part of the site here says `classified` and a number. Without a group, the bundle has to be that of
//! a site in which these parts were never written, byte for byte; with it, all of them are there.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::suite::site::{Exported, SiteTest, offprint};

/// What only staff may see, in a description.
fn staff() -> Value {
    json!({"groups": ["staff"]})
}

/// Puts a member into an object if it is to be written.
fn add(to: &mut Value, is_written: bool, key: &str, value: Value) {
    if is_written {
        to.as_object_mut().expect("an object").insert(key.to_owned(), value);
    }
}

/// Adds items to a list if they are to be written.
fn push(to: &mut Value, is_written: bool, items: impl IntoIterator<Item = Value>) {
    if is_written {
        to.as_array_mut().expect("a list").extend(items);
    }
}

/// The description of the site's API, perhaps with what only staff may see.
fn description(all: bool) -> String {
    let mut pet = json!({"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string"}, "plan": {"type": "string", "enum": ["free"]}, "toy": {"oneOf": [{"$ref": "#/components/schemas/Ball"}]},
    }, "example": {"name": "Rex"}});
    push(&mut pet["required"], all, [json!("classified-01")]);
    push(&mut pet["properties"]["plan"]["enum"], all, [json!("classified-02")]);
    add(&mut pet["properties"]["plan"], all, "x-mint-enum", json!({"classified-02": ["staff"]}));
    push(
        &mut pet["properties"]["toy"]["oneOf"],
        all,
        [json!({"$ref": "#/components/schemas/Classified-03", "x-mint": staff()})],
    );
    add(
        &mut pet["properties"],
        all,
        "classified-01",
        json!({"type": "string", "description": "classified-04", "x-mint": staff()}),
    );
    add(&mut pet["example"], all, "classified-01", json!("classified-05"));
    let mut schemas = json!({"Pet": pet, "Ball": {"properties": {"size": {"type": "integer"}}}});
    add(
        &mut schemas,
        all,
        "Classified-03",
        json!({"properties": {"x": {"$ref": "#/components/schemas/Classified-06"}}}),
    );
    add(&mut schemas, all, "Classified-06", json!({"type": "string"}));
    add(&mut schemas, all, "Classified-07", json!({"type": "string", "description": "only for an operation"}));

    let answer = |schema: &str| json!({"200": {"description": "OK", "content": {"application/json": {"schema": {"$ref": format!("#/components/schemas/{schema}")}}}}});
    let mut get = json!({"summary": "List pets", "tags": ["pets"], "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}], "responses": answer("Pet")});
    push(
        &mut get["parameters"],
        all,
        [json!({"name": "classified-08", "in": "query", "schema": {"type": "string"}, "x-mint": staff()})],
    );
    let mut paths = json!({"/pets": {"get": get}, "/shared": {"get": {"summary": "Same name", "tags": ["pets"], "responses": answer("Ball")}}});
    add(
        &mut paths["/pets"],
        all,
        "delete",
        json!({"summary": "classified-09", "description": "classified-10", "tags": ["classified-11"],
        "x-mint": {"groups": ["staff"], "content": "classified-12 <Note>x</Note>"}, "responses": answer("Classified-07")}),
    );
    add(
        &mut paths,
        all,
        "/classified-13",
        json!({"x-mint": staff(), "get": {"summary": "classified-14", "responses": {}}, "post": {"summary": "classified-15", "responses": {}}}),
    );
    add(
        &mut paths,
        all,
        "/classified-16",
        json!({"get": {"summary": "By its page", "x-mint": {"metadata": {"title": "classified-17", "groups": ["staff"]}}, "responses": {}}}),
    );
    let mut tags = json!([{"name": "pets"}]);
    push(
        &mut tags,
        all,
        [json!({"name": "classified-11", "description": "classified-18", "x-group": "classified-19"})],
    );
    let document = json!({"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "tags": tags, "paths": paths, "components": {"schemas": schemas}});
    serde_json::to_string_pretty(&document).expect("JSON") + "\n"
}

/// The site, perhaps with what only staff may see. Open pages link to it either way.
fn site(all: bool) -> SiteTest {
    let mut pages = json!(["index", "open", "api-page", {"group": "Mixed", "pages": ["more"]}]);
    push(
        &mut pages,
        all,
        [
            json!("classified-20"),
            json!("link"),
            json!("about-delete"),
            json!({"group": "classified-21", "pages": ["classified-22/index", "classified-22/page"]}),
        ],
    );
    let mut reference = json!(["GET /pets"]);
    push(&mut reference, all, [json!("DELETE /pets"), json!("GET /classified-13")]);
    let mut redirects =
        json!([{"source": "/old-open", "destination": "/open"}, {"source": "/both/:slug*", "destination": "/:slug*"}]);
    push(
        &mut redirects,
        all,
        [
            json!({"source": "/old-one", "destination": "/classified-20"}),
            json!({"source": "/old-two", "destination": "/old-one"}),
            json!({"source": "/old/:slug*", "destination": "/classified-22/:slug*"}),
            json!({"source": "/older/*", "destination": "/classified-20"}),
        ],
    );
    let docs = json!({"theme": "mint", "name": "Test", "colors": {"primary": "#0F766E"}, "redirects": redirects, "contextual": {"options": ["copy", "download-spec"]},
    "navigation": {"groups": [
        {"group": "Start", "pages": pages},
        {"group": "Picked", "pages": reference, "openapi": {"source": "openapi.json", "directory": "picked"}},
        {"group": "All of it", "openapi": {"source": "openapi.json", "directory": "whole"}},
    ]}});
    let mut site = SiteTest::inline("")
        .file("docs.json", docs.to_string())
        .file("openapi.json", description(all))
        .file("index.mdx", "---\ntitle: Start\n---\n\nSee [words](/classified-20), [more](classified-22), <a href=\"/classified-22/page#part\">a part</a>, [old](/old-two), [an operation](/whole/classified-11/classified-09) and [open](/open).\n\n<Card title=\"Card\" href=\"/classified-20\">Text</Card>\n")
        .file("open.mdx", "---\ntitle: Open\nrelated: [/more, /classified-20]\n---\n\nText.\n")
        .file("more.mdx", "---\ntitle: More\n---\n\nText.\n")
        .file("api-page.mdx", "---\ntitle: Written\nopenapi: GET /pets\n---\n\nText.\n")
        .arg("--domain=docs.example.com");
    if all {
        site = site
            .file("classified-20.mdx", "---\ntitle: classified-23\ndescription: classified-24\nkeywords: [classified-25]\ngroups: [staff]\nrss: true\n---\n\n## classified-26\n\n<Update label=\"2024-01-01\" description=\"classified-27\">classified-28</Update>\n")
            .file("classified-22/index.mdx", "---\ntitle: classified-29\ngroups: [{includes: [staff, admins]}]\n---\n\nText.\n")
            .file("classified-22/page.mdx", "---\ntitle: classified-30\ngroups: staff\n---\n\n## Part\n")
            .file("link.mdx", "---\ntitle: classified-31\nurl: https://classified-32.example/\ngroups: [staff]\n---\n")
            .file("about-delete.mdx", "---\ntitle: classified-33\nopenapi: DELETE /pets\n---\n\nclassified-34\n");
    }
    site.other_diagnostics()
}

/// The numbers of the restricted parts that are in the bundle.
fn found(site: &Exported) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, bytes) in &site.files {
        let text = format!("{path}\n{}", String::from_utf8_lossy(bytes)).to_lowercase();
        found.extend(
            text.match_indices("classified-")
                .filter_map(|(at, word)| text.get(at + word.len()..at + word.len() + 2).map(str::to_owned)),
        );
    }
    found
}

#[test]
fn a_bundle_for_everybody_has_no_trace_of_restricted_parts() {
    let (site, never_written) = (site(true).run(), site(false).run());
    assert_eq!(found(&site), BTreeSet::new());
    let names = |site: &Exported| site.files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&site), names(&never_written));
    for (path, bytes) in &site.files {
        assert!(
            *bytes == never_written.files[path],
            "{path} differs:\n{}\n{}",
            String::from_utf8_lossy(bytes),
            never_written.text_of(path)
        );
    }
    assert!(site.text_of("openapi.json").contains("List pets"));
}

#[test]
fn a_bundle_for_a_group_has_them_all() {
    let site = site(true).arg("--group=staff").run();
    let all: BTreeSet<String> = (1..=34).map(|number| format!("{number:02}")).collect();
    assert_eq!(found(&site), all);
    let manifest: Value = serde_json::from_str(site.text_of("_offprint/manifest.json")).expect("JSON");
    assert_eq!(manifest["options"]["groups"], json!(["staff"]));
    for page in [
        "classified-20",
        "classified-22/index",
        "classified-22/page",
        "about-delete",
        "whole/classified-11/classified-09",
        "whole/classified-14",
    ] {
        let slug = page.strip_suffix("/index").unwrap_or(page);
        assert!(site.files.contains_key(&format!("{page}.html")) && site.text_of("llms.txt").contains(page), "{page}");
        assert!(
            !site.text_of("sitemap.xml").contains(&format!("/{slug}<")),
            "{page}: search engines belong to no group"
        );
    }
    // in the navigation, a link, a link through redirects, and a card
    assert_eq!(site.page("index").count("a[href='classified-20.html']"), 4);
    assert!(site.text_of("_redirects").contains("/old/* /classified-22/:splat"));
    assert!(site.text_of("_redirects").contains("/old-one /classified-20"));
    assert!(!site.text_of("openapi.json").contains("x-mint-enum"), "it has been applied");
    assert!(!site.diagnostics.iter().any(|diagnostic| diagnostic.code == "restricted-link"));
}

#[test]
fn the_manifest_of_a_bundle_for_everybody_says_nothing_of_groups() {
    let site = site(false).run();
    let manifest: Value = serde_json::from_str(site.text_of("_offprint/manifest.json")).expect("JSON");
    assert!(manifest["options"].get("groups").is_none());
}

#[test]
fn links_to_restricted_pages_are_told_once_and_keep_their_words() {
    let site = site(true).run();
    let places = |code: &str| {
        site.diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.code == code)
            .map(|diagnostic| diagnostic.place())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        places("restricted-link").iter().filter(|place| place.starts_with("index.mdx:5")).count(),
        5,
        "{:?}",
        site.diagnostics
    );
    assert_eq!(
        places("restricted-link").iter().filter(|place| place.starts_with("index.mdx:7")).count(),
        1,
        "{:?}",
        site.diagnostics
    );
    assert_eq!(
        places("broken-link").len()
            + places("redirect-dangling").len()
            + places("nav-missing-page").len()
            + places("openapi-missing-operation").len(),
        0,
        "{:?}",
        site.diagnostics
    );
    assert!(site.page("index").content_text().contains("See words, more, a part, old, an operation and open."));
    assert!(site.text_of("index.md").contains("See words, more, a part, old, an operation and [open]"));
}

#[test]
fn groups_may_be_given_in_several_ways() {
    let pages = || {
        SiteTest::pages(&[("index", "Text.")])
            .file("a.mdx", "---\ngroups: [a]\n---\n")
            .file("b.mdx", "---\ngroups: [b]\n---\n")
            .file("c.mdx", "---\ngroups: [{includes: ['*'], excludes: [b]}]\n---\n")
            .file("d.mdx", "---\ngroups: {nonsense: true}\n---\n")
    };
    let slugs = |args: &[&str]| {
        let site = args.iter().fold(pages(), |site, arg| site.arg(arg)).run();
        site.html()
            .filter(|path| path.len() == "a.html".len())
            .map(|path| path.trim_end_matches(".html").to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(slugs(&[]), "");
    assert_eq!(slugs(&["-g", "a"]), "a c");
    assert_eq!(slugs(&["--group", "a", "--group", "b"]), "a b");
    assert_eq!(slugs(&["--groups", "b,a"]), "a b");
    assert_eq!(slugs(&["--groups=none"]), "c");
    for wrong in ["", "*", "!a"] {
        let output = offprint().args(["export", ".", "--group", wrong]).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn yaml_stays_yaml_and_files_that_cannot_be_read_stay_out() {
    let site = SiteTest::pages(&[("index", "[API](/api.yaml) [All](/all.yaml) [Part](/part.json)")])
        .file("api.yaml", "# classified\nopenapi: 3.1.0\npaths:\n  /a:\n    get: {summary: Open}\n    put:\n      summary: classified\n      x-mint: {groups: [staff]}\n")
        .file("all.yaml", "openapi: 3.1.0\npaths:\n  /a:\n    x-mint:\n      groups: [staff]\n    put: {summary: classified}\n")
        .file("broken.json", r#"{"openapi": "3.1.0", "paths": {"/a": {"get": {"summary": "classified", "x-mint": {"groups": ["staff"]}}}},}"#)
        .file("part.json", r#"{"properties": {"a": {"description": "classified", "x-mint": {"groups": ["staff"]}}, "b": {"type": "string"}}}"#)
        .file("open.json", "{ \"a\" :1,\n\"x-mint\": {\"href\": \"/x\"} }")
        .other_diagnostics()
        .diagnostic("restricted-link", "index.mdx:5:18")
        .no_file("all.yaml")
        .no_file("broken.json")
        .run();
    assert_eq!(site.text_of("api.yaml"), "openapi: \"3.1.0\"\npaths:\n  /a:\n    get:\n      summary: Open\n");
    assert_eq!(site.text_of("part.json"), r#"{"properties":{"b":{"type":"string"}}}"#);
    assert_eq!(
        site.text_of("open.json"),
        "{ \"a\" :1,\n\"x-mint\": {\"href\": \"/x\"} }",
        "what names no groups is copied as it is"
    );
    let named: Vec<&String> = site
        .files
        .iter()
        .filter(|(path, bytes)| !path.ends_with(".js") && String::from_utf8_lossy(bytes).contains("classified"))
        .map(|(path, _)| path)
        .collect();
    assert!(named.is_empty(), "{named:?}");
}

#[test]
fn a_check_tells_links_to_restricted_pages_unless_their_group_is_given() {
    let folder = tempfile::TempDir::with_prefix("offprint-groups-").expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write(
        "docs.json",
        r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "staff"]}}"##,
    );
    write("index.mdx", "---\ntitle: Start\n---\n\n[Staff](/staff)\n");
    write("staff.mdx", "---\ntitle: Staff\ngroups: [staff]\n---\n\n[Nowhere](/nowhere)\n");
    let codes = |args: &[&str]| {
        let output = offprint()
            .arg("check")
            .arg(folder.path())
            .args(["--format", "json"])
            .args(args)
            .output()
            .expect("the program starts");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        report["findings"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|finding| {
                format!(
                    "{} {}",
                    finding["code"].as_str().unwrap_or_default(),
                    finding["file"].as_str().unwrap_or_default()
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(&[]), ["restricted-link index.mdx"]);
    assert_eq!(codes(&["--group", "staff"]), ["broken-link staff.mdx"]);
}
