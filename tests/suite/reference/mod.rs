//! API reference pages: what a description says is what its pages say. `fixture` walks over descriptions of every
//! version, `keywords` has a line for each keyword of schemas, `operations` one for each part of an operation,
//! `markdown` says what stands in Markdown pages, `hostile` has descriptions that explode.

mod fixture;
mod hostile;
mod keywords;
mod markdown;
mod operations;
mod read;

use serde_json::{Value, json};

use crate::suite::site::{Exported, SiteTest};
use read::ApiPage;

/// YAML, as people write descriptions.
#[track_caller]
fn yaml(text: &str) -> Value {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The site of a description, with these settings under `api`.
fn site(description: &Value, api: &Value) -> SiteTest {
    let docs = json!({
        "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "api": api,
        "navigation": { "groups": [{ "group": "Start", "pages": ["index"] }, { "group": "API", "openapi": "api.json" }] },
    });
    SiteTest::inline("//- index.mdx\n---\ntitle: Start\n---\n\nText.\n")
        .file("docs.json", docs.to_string())
        .file("api.json", description.to_string())
}

/// A description in which each row is an operation whose summary is the row's name, so that `page` finds it.
fn description(operations: &[(&str, Value)], components: &Value) -> Value {
    let mut paths = serde_json::Map::new();
    for (at, (name, operation)) in operations.iter().enumerate() {
        let mut operation = operation.clone();
        operation["summary"] = json!(name);
        let path = operation["x-path"].as_str().map_or_else(|| format!("/row-{at}"), str::to_owned);
        let method = operation["x-method"].as_str().unwrap_or("post").to_owned();
        paths.insert(path, json!({ method: operation }));
    }
    json!({
        "openapi": "3.1.0", "info": { "title": "Rows", "version": "1" }, "servers": [{ "url": "https://api.example.com" }],
        "paths": paths, "components": components,
    })
}

/// The page of a row.
#[track_caller]
fn page(exported: &Exported, name: &str) -> ApiPage {
    let slug: String = name
        .chars()
        .filter(|char| !"(),.'".contains(*char))
        .map(|char| if char == ' ' || char == '/' { '-' } else { char })
        .collect::<String>()
        .to_lowercase()
        .replace("--", "-");
    ApiPage::read(exported.text_of(&format!("api-reference/{slug}.html")))
}

/// Lines without their common indentation and without empty ones.
fn lines(text: &str) -> Vec<String> {
    let used: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let indent = used.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    used.iter().map(|line| line[indent..].trim_end().to_owned()).collect()
}
