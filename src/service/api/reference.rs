//! `/docs`: the pages about this interface, made of its OpenAPI description by our own exporter.
//!
//! 1. [`pages`] writes a docs folder: the description, one page for each operation, and the configuration that lists
//!    them. Their content is that of any API page.
//! 2. The command that starts the service has it exported like any other source, and gives the archive back.
//! 3. The archive is served like any other site, below a path of its own: bundles work below any.

use std::fmt::Write as _;

use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::error_response::{ErrorCode, ErrorResponse};
use super::{
    Api,
    sites::{self, answer_site_reference},
};

/// The description; the file is a link to that from which the documentation makes its pages. The tests compare it with what the service does.
pub(super) const DESCRIPTION: &str = include_str!("openapi.json");
/// Its name in the docs folder.
const DESCRIPTION_FILE: &str = "openapi.json";
/// Methods of its operations, in the order of the pages.
const METHODS: [&str; 3] = ["get", "post", "delete"];

/// Whether a path is one of the pages.
pub(super) fn is_reference_path(path: &str) -> bool {
    path.strip_prefix(sites::REFERENCE_ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Answers with a page.
pub(super) async fn answer_reference(api: &Api, head: &Parts) -> Result<Response, ErrorResponse> {
    if !matches!(head.method, Method::GET | Method::HEAD) {
        return Err(ErrorResponse::new(ErrorCode::MethodNotAllowed, "only GET, HEAD can be used here")
            .with(header::ALLOW, HeaderValue::from_static("GET, HEAD")));
    }
    let path = head.uri.path().strip_prefix(sites::REFERENCE_ROOT).unwrap_or_default();
    if path.is_empty() {
        // links on a page are relative to its folder
        let mut response = Response::new(axum::body::Body::empty());
        *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
        response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/docs/"));
        return Ok(response);
    }
    answer_site_reference(api, path, head).await
}

/// The description of the interface at an address.
pub(super) fn described(base_url: &str) -> Value {
    // the description is part of the program, and a test reads it
    let mut description: Value = serde_json::from_str(DESCRIPTION).unwrap_or_default();
    description["servers"] = json!([{ "url": base_url }]);
    description
}

/// The files of the docs folder about the interface at an address: path and content.
pub fn pages(base_url: &str) -> Vec<(String, String)> {
    let description = described(base_url);
    let mut groups: Vec<(String, Vec<String>)> = description["tags"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|tag| (text_or_empty(&tag["name"]), Vec::new()))
        .collect();
    let mut files = vec![
        (DESCRIPTION_FILE.to_owned(), description.to_string()),
        ("index.mdx".to_owned(), front_page(&description, base_url)),
    ];
    for (path, item) in value_members(&description["paths"]) {
        for method in METHODS {
            let Some(operation) = item.get(method) else { continue };
            let (tag, name) = (text_or_empty(&operation["tags"][0]), text_or_empty(&operation["operationId"]));
            let page = format!("{tag}/{name}");
            let reference = yaml_quoted(&format!("{DESCRIPTION_FILE} {} {path}", method.to_uppercase()));
            let title = yaml_quoted(&text_or_empty(&operation["summary"]));
            files.push((format!("{page}.mdx"), format!("---\ntitle: {title}\nopenapi: {reference}\n---\n")));
            if let Some((_, pages)) = groups.iter_mut().find(|(other, _)| *other == tag) {
                pages.push(page);
            }
        }
    }
    let groups: Vec<Value> =
        groups.into_iter().map(|(tag, pages)| json!({ "group": tag_title(&tag), "pages": pages })).collect();
    let mut all = vec![json!({ "group": "Overview", "pages": ["index"] })];
    all.extend(groups);
    let configuration = json!({
        "$schema": "https://mintlify.com/docs.json",
        "theme": "mint",
        "name": description["info"]["title"],
        "colors": { "primary": "#0F766E", "light": "#5EEAD4", "dark": "#0F766E" },
        // keys of this service belong into programs, not into pages
        "api": { "playground": { "display": "none" } },
        "navigation": { "groups": all },
    });
    files.push(("docs.json".to_owned(), configuration.to_string()));
    files
}

fn front_page(description: &Value, base_url: &str) -> String {
    let info = &description["info"];
    let mut out = format!(
        "---\ntitle: {}\ndescription: {}\n---\n\n{}\n\n",
        yaml_quoted(&text_or_empty(&info["title"])),
        yaml_quoted(&text_or_empty(&info["summary"])),
        text_or_empty(&info["description"])
    );
    let _ = write!(
        out,
        "The service is at `{base_url}`, and its [OpenAPI document]({base_url}/openapi.json) too.\n\n```sh\ncurl -sS {base_url}/v1/static-export/jobs \\\n  \
         -H \"Authorization: Bearer $KEY\" -H \"Content-Type: application/json\" \\\n  -d '{{\"domain\": \"docs.example.com\"}}'\n```\n\n"
    );
    out.push_str("Every operation needs `Authorization: Bearer <key>`, but for links to bundles and for what machines ask about health. An error is ");
    out.push_str(
        "`{\"error\": \"…\"}`, with a code for programs in the header `X-Error-Code`.\n\n| Operation | |\n|---|---|\n",
    );
    for (path, item) in value_members(&description["paths"]) {
        for method in METHODS {
            let Some(operation) = item.get(method) else { continue };
            let page =
                format!("/{}/{}", text_or_empty(&operation["tags"][0]), text_or_empty(&operation["operationId"]));
            let _ = writeln!(
                out,
                "| [{}]({page}) | `{} {path}` |",
                text_or_empty(&operation["summary"]),
                method.to_uppercase()
            );
        }
    }
    out
}

fn value_members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn text_or_empty(value: &Value) -> String {
    value.as_str().map_or_else(|| if value.is_null() { String::new() } else { value.to_string() }, str::to_owned)
}

/// A scalar of YAML: JSON's strings are such.
fn yaml_quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn tag_title(tag: &str) -> String {
    let mut letters = tag.replace('-', " ").chars().collect::<Vec<_>>();
    if let Some(first) = letters.first_mut() {
        first.make_ascii_uppercase();
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_page() {
        let pages = pages("https://api.example");
        let description: Value = serde_json::from_str(DESCRIPTION).unwrap();
        let operations: Vec<String> = value_members(&description["paths"])
            .flat_map(|(_, item)| value_members(item).filter_map(|(_, operation)| operation["operationId"].as_str()))
            .map(str::to_owned)
            .collect();
        assert!(!operations.is_empty());
        for operation in operations {
            let (_, page) = pages
                .iter()
                .find(|(path, _)| path.ends_with(&format!("/{operation}.mdx")))
                .unwrap_or_else(|| panic!("{operation} has none"));
            assert!(page.contains("openapi: \"openapi.json "), "{operation} is about no operation");
        }
        let page = |name: &str| &pages.iter().find(|(path, _)| path == name).unwrap().1;
        assert!(page("index.mdx").contains("curl -sS https://api.example/v1/static-export/jobs"));
        let described: Value = serde_json::from_str(page("openapi.json")).unwrap();
        assert_eq!(described["servers"][0]["url"], "https://api.example");
        let start = &pages.iter().find(|(path, _)| path == "static-export/startExport.mdx").unwrap().1;
        assert!(start.contains("\nopenapi: \"openapi.json POST /v1/static-export/jobs\"\n"), "{start}");
    }
}
