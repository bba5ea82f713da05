//! The schemas of files: those that the documentation offers are those that the program prints, and they say of real
//! files what the readers say.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::suite::site::{SiteTest, fixture, offprint};

/// The schemas that the documentation offers: the name that the command takes, and the file.
const SCHEMAS: [(&str, &str); 4] = [
    ("docs.json", "docs/schemas/docs.schema.json"),
    ("host.toml", "docs/schemas/host.schema.json"),
    ("offprint.toml", "docs/schemas/offprint.schema.json"),
    ("report", "docs/schemas/report.schema.json"),
];

fn printed(name: &str) -> String {
    let output = offprint().args(["schema", name]).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn schema(name: &str) -> Value {
    serde_json::from_str(&printed(name)).expect("a schema is JSON")
}

#[test]
fn the_documentation_offers_what_the_program_prints() {
    for (name, file) in SCHEMAS {
        let expected = printed(name);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::create_dir_all(fixture("docs/schemas")).expect("a folder");
            std::fs::write(fixture(file), &expected).expect("the schema is written");
        }
        let found = std::fs::read_to_string(fixture(file)).unwrap_or_default();
        assert!(
            found == expected,
            "fixtures/{file} is not what the program prints: run `UPDATE_DOCS=1 cargo test --test all suite::schemas`"
        );
    }
}

/// What a schema refuses in a value: `path: why`. As much of JSON Schema as the schemas use.
fn refusals(root: &Value, schema: &Value, value: &Value, path: &str, out: &mut Vec<String>) {
    let Some(schema) = schema.as_object() else {
        if schema == &json!(false) {
            out.push(format!("{path}: not allowed"));
        }
        return;
    };
    if let Some(Value::String(reference)) = schema.get("$ref") {
        let target =
            root.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference} leads nowhere"));
        refusals(root, target, value, path, out);
    }
    for all in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        refusals(root, all, value, path, out);
    }
    for any in ["anyOf", "oneOf"] {
        if let Some(Value::Array(forms)) = schema.get(any) {
            let tried = forms.iter().map(|form| {
                let mut found = Vec::new();
                refusals(root, form, value, path, &mut found);
                found
            });
            out.extend(tried.min_by_key(Vec::len).unwrap_or_default());
        }
    }
    if let Some(Value::Array(words)) = schema.get("enum")
        && !words.contains(value)
    {
        out.push(format!("{path}: {value} is none of {words:?}"));
    }
    if schema.get("const").is_some_and(|only| only != value) {
        out.push(format!("{path}: {value} is not {}", schema["const"]));
    }
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        other => panic!("{other} is no type"),
    };
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is(name)) {
        out.push(format!("{path}: {value} is no {types:?}"));
    }
    if let Some(members) = value.as_object() {
        let properties = schema.get("properties").and_then(Value::as_object);
        for (key, member) in members {
            let own = properties.and_then(|properties| properties.get(key));
            if let Some(form) = own.or_else(|| schema.get("additionalProperties")) {
                refusals(root, form, member, &format!("{path}.{key}"), out);
            }
        }
        for key in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            if !members.contains_key(key) {
                out.push(format!("{path}.{key}: missing"));
            }
        }
    }
    if let (Some(items), Some(form)) = (value.as_array(), schema.get("items")) {
        for (number, item) in items.iter().enumerate() {
            refusals(root, form, item, &format!("{path}[{number}]"), out);
        }
    }
}

fn refused(schema: &Value, value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    refusals(schema, schema, value, "", &mut out);
    out
}

#[test]
fn configurations_of_all_fixtures_fit() {
    let schema = schema("docs.json");
    let mut fitting = Vec::new();
    for entry in std::fs::read_dir(fixture("")).expect("the fixtures").flatten() {
        let path: PathBuf = entry.path().join("docs.json");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        // what is wrong on purpose, or is put together of several files
        let Ok(config) = serde_json::from_str::<Value>(&text) else { continue };
        if text.contains("\"$ref\"") {
            continue;
        }
        let found = refused(&schema, &config);
        assert!(found.is_empty(), "{}: {found:#?}", path.display());
        fitting.push(path);
    }
    assert!(fitting.len() >= 4, "{fitting:?}");
}

/// One mistake each, and where it is.
#[test]
fn the_schema_refuses_what_the_reader_tells() {
    let schema = schema("docs.json");
    for (keys, path) in [
        (json!({ "favicn": "/a.svg" }), ".favicn"),
        (json!({ "theme": "minty" }), ".theme"),
        (json!({ "description": ["a"] }), ".description"),
        (json!({ "colors": { "primary": "#000", "ligt": "#fff" } }), ".colors.ligt"),
        (json!({ "navbar": { "links": [{ "label": "A", "href": "/a", "icn": "star" }] } }), ".navbar.links[0].icn"),
        (
            json!({ "navigation": { "tabs": [{ "tab": "A", "groups": [{ "group": "B", "pags": [] }] }] } }),
            ".navigation.tabs[0].groups[0].pags",
        ),
        (
            json!({ "navigation": { "pages": [{ "group": "B", "pages": ["a"], "expandd": true }] } }),
            ".navigation.pages[0]",
        ),
        (json!({ "integrations": { "ga5": {} } }), ".integrations.ga5"),
        (json!({ "styling": { "codeblocks": { "theme": 1 } } }), ".styling.codeblocks"),
        (json!({ "seo": { "paths": [{ "path": "/a", "tags": {} }] } }), ".seo.paths[0].tags"),
    ] {
        let found = refused(&schema, &keys);
        assert!(!found.is_empty() && found.iter().all(|refusal| refusal.starts_with(path)), "{keys}: {found:?}");
        let mut config = json!({
            "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["index"] },
        });
        config.as_object_mut().expect("an object").extend(keys.as_object().expect("an object").clone());
        let exported = SiteTest::inline("")
            .file("docs.json", config.to_string())
            .file("index.mdx", "Text.\n")
            .other_diagnostics()
            .run();
        let told = exported.report["diagnostics"].as_array().expect("diagnostics").iter();
        let told = told
            .filter(|told| ["config-value", "config-unknown-key"].contains(&told["code"].as_str().unwrap_or_default()));
        assert_eq!(told.count(), 1, "{keys}");
    }
}

#[test]
fn configurations_of_servers_fit() {
    let read = |path: &Path| -> Value {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        toml::from_str(&text).expect("TOML")
    };
    let service = schema("offprint.toml");
    let mut config = read(&fixture("service/offprint.toml"));
    assert_eq!(refused(&service, &config), Vec::<String>::new());
    config["server"]["lisen"] = "127.0.0.1:1".into();
    assert_eq!(refused(&service, &config), [".server.lisen: not allowed"]);

    let host = schema("host.toml");
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("host.toml");
    std::fs::write(&path, "listen = \"127.0.0.1:80\"\n[[sites]]\nhosts = [\"a.example.com\"]\nbundle = \"a.zip\"\nsearch = false\nkeep = 2\n")
        .expect("a file");
    let mut config = read(&path);
    assert_eq!(refused(&host, &config), Vec::<String>::new());
    config["sites"][0]["bundel"] = "a.zip".into();
    assert_eq!(refused(&host, &config), [".sites[0].bundel: not allowed"]);
    let keep = &host["definitions"]["SiteFlags"]["properties"]["keep"]["description"];
    assert!(keep.as_str().is_some_and(|text| text.len() > 12), "keys say what their flags say: {keep}");
}

#[test]
fn reports_fit() {
    let report = schema("report");
    for exported in
        [SiteTest::fixture("docs").other_diagnostics().run(), SiteTest::page("[A](/b)").other_diagnostics().run()]
    {
        let found = refused(&report, &exported.report);
        assert!(found.is_empty(), "{found:#?}");
        let described = report["properties"].as_object().expect("properties");
        for key in exported.report.as_object().expect("an object").keys() {
            assert!(described.contains_key(key), "{key} is not in the schema");
        }
    }
}
