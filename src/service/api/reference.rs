//! `/docs`: the pages about this interface, made of its OpenAPI description by our own exporter.
//!
//! 1. [`pages`] writes a docs folder: one MDX page for each operation, and the configuration that lists them.
//! 2. The command that starts the service has it exported like any other source, and gives the archive back.
//! 3. The archive is served like any other site, below a path of its own: bundles work below any.

use std::fmt::Write as _;

use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::error_response::{ErrorCode, ErrorResponse};
use super::{Api, sites};

/// The description. The tests compare it with what the service does.
pub(super) const DESCRIPTION: &str = include_str!("openapi.json");
/// Deepest nesting of members that is written out.
const MAX_DEPTH: usize = 4;

/// Whether a path is one of the pages.
pub(super) fn covers(path: &str) -> bool {
    path.strip_prefix(sites::REFERENCE_ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Answers with a page.
pub(super) async fn answer(api: &Api, head: &Parts) -> Result<Response, ErrorResponse> {
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
    sites::reference(api, path, head).await
}

/// The files of the docs folder: path and content.
pub fn pages() -> Vec<(String, String)> {
    // the description is part of the program, and a test reads it
    let description: Value = serde_json::from_str(DESCRIPTION).unwrap_or_default();
    let description = Description(&description);
    let mut groups: Vec<(String, Vec<String>)> =
        description.0["tags"].as_array().into_iter().flatten().map(|tag| (text(&tag["name"]), Vec::new())).collect();
    let mut files = vec![("index.mdx".to_owned(), front_page(&description))];
    for (path, item) in members(&description.0["paths"]) {
        for method in ["get", "post", "delete"] {
            let Some(operation) = item.get(method) else { continue };
            let (tag, name) = (text(&operation["tags"][0]), text(&operation["operationId"]));
            let page = format!("{tag}/{name}");
            files.push((format!("{page}.mdx"), description.page(path, method, item, operation)));
            if let Some((_, pages)) = groups.iter_mut().find(|(other, _)| *other == tag) {
                pages.push(page);
            }
        }
    }
    let groups: Vec<Value> =
        groups.into_iter().map(|(tag, pages)| json!({ "group": title(&tag), "pages": pages })).collect();
    let mut all = vec![json!({ "group": "Overview", "pages": ["index"] })];
    all.extend(groups);
    let configuration = json!({
        "$schema": "https://mintlify.com/docs.json",
        "theme": "mint",
        "name": description.0["info"]["title"],
        "colors": { "primary": "#0F766E", "light": "#5EEAD4", "dark": "#0F766E" },
        "navigation": { "groups": all },
    });
    files.push(("docs.json".to_owned(), configuration.to_string()));
    files
}

fn front_page(description: &Description<'_>) -> String {
    let info = &description.0["info"];
    let mut out = format!(
        "---\ntitle: {}\ndescription: {}\n---\n\n{}\n\n",
        quoted(&text(&info["title"])),
        quoted(&text(&info["summary"])),
        text(&info["description"])
    );
    out.push_str("Every operation needs `Authorization: Bearer <key>`, but for links to bundles and for what machines ask about health. An error is ");
    out.push_str(
        "`{\"error\": \"…\"}`, with a code for programs in the header `X-Error-Code`.\n\n| Operation | |\n|---|---|\n",
    );
    for (path, item) in members(&description.0["paths"]) {
        for method in ["get", "post", "delete"] {
            let Some(operation) = item.get(method) else { continue };
            let page = format!("/{}/{}", text(&operation["tags"][0]), text(&operation["operationId"]));
            let _ = writeln!(out, "| [{}]({page}) | `{} {path}` |", text(&operation["summary"]), method.to_uppercase());
        }
    }
    out
}

struct Description<'a>(&'a Value);

impl Description<'_> {
    /// What a `$ref` stands for; anything else stands for itself.
    fn resolved<'b>(&'b self, value: &'b Value) -> &'b Value {
        let pointer = value.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
        pointer.and_then(|pointer| self.0.pointer(pointer)).unwrap_or(value)
    }

    fn page(&self, path: &str, method: &str, item: &Value, operation: &Value) -> String {
        let summary = text(&operation["summary"]);
        let mut out = format!(
            "---\ntitle: {}\napi: {}\n---\n\n",
            quoted(&summary),
            quoted(&format!("{} {path}", method.to_uppercase()))
        );
        self.example(&mut out, operation);
        let parameters = item["parameters"].as_array().into_iter().chain(operation["parameters"].as_array()).flatten();
        let parameters: Vec<&Value> = parameters.map(|parameter| self.resolved(parameter)).collect();
        for (place, heading) in [("path", "Path"), ("query", "Query"), ("header", "Headers")] {
            let here: Vec<&&Value> = parameters.iter().filter(|parameter| parameter["in"] == place).collect();
            if !here.is_empty() {
                let _ = writeln!(out, "## {heading}\n");
            }
            for parameter in here {
                let (name, schema) = (text(&parameter["name"]), self.resolved(&parameter["schema"]));
                let required = if parameter["required"] == true { " required" } else { "" };
                let _ = writeln!(
                    out,
                    "<ParamField {place}=\"{name}\" type=\"{}\"{required}>\n  {}\n</ParamField>\n",
                    kind(schema),
                    self.about(schema)
                );
            }
        }
        let body = self.resolved(&operation["requestBody"]);
        if let Some(schema) = body.pointer("/content/application~1json/schema") {
            out.push_str("## Body\n\n");
            self.fields(&mut out, self.resolved(schema), "ParamField body", 0);
        }
        for (status, response) in members(&operation["responses"]) {
            let response = self.resolved(response);
            let _ = writeln!(out, "## {status}\n\n{}\n", safe(&text(&response["description"])));
            if let Some(schema) =
                response.pointer("/content/application~1json/schema").filter(|_| status.starts_with('2'))
            {
                self.fields(&mut out, self.resolved(schema), "ResponseField name", 0);
            }
        }
        out
    }

    /// The examples of the answer, in the right column.
    fn example(&self, out: &mut String, operation: &Value) {
        let mut blocks = String::new();
        for (status, response) in members(&operation["responses"]) {
            let examples = self.resolved(response).pointer("/content/application~1json/examples");
            let first = examples
                .and_then(Value::as_object)
                .and_then(|examples| examples.values().next())
                .map(|example| &self.resolved(example)["value"]);
            if let Some(value) = first {
                let _ = writeln!(
                    blocks,
                    "  ```json {status}\n{}\n  ```\n",
                    indented(&serde_json::to_string_pretty(value).unwrap_or_default(), "  ")
                );
            }
        }
        if !blocks.is_empty() {
            let _ = writeln!(out, "<ResponseExample>\n{blocks}</ResponseExample>\n");
        }
    }

    fn fields(&self, out: &mut String, schema: &Value, element: &str, depth: usize) {
        let indent = "  ".repeat(depth * 2);
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, member) in members(&schema["properties"]) {
            let member = self.resolved(member);
            let mark = if required.contains(&name.as_str()) { " required" } else { "" };
            let _ = writeln!(
                out,
                "{indent}<{element}=\"{name}\" type=\"{}\"{mark}>\n{indent}  {}",
                kind(member),
                self.about(member)
            );
            let inner = self.resolved(if member["items"].is_object() { &member["items"] } else { member });
            if inner["properties"].is_object() && depth < MAX_DEPTH {
                let _ = writeln!(out, "\n{indent}  <Expandable title=\"members\">");
                self.fields(out, inner, element, depth + 1);
                let _ = writeln!(out, "{indent}  </Expandable>");
            }
            let name = element.split(' ').next().unwrap_or(element);
            let _ = writeln!(out, "{indent}</{name}>\n");
        }
    }

    /// What a schema says about its values.
    fn about(&self, schema: &Value) -> String {
        let mut parts = Vec::new();
        if let Some(description) = schema["description"].as_str() {
            parts.push(safe(description));
        }
        if let Some(values) = schema["enum"].as_array() {
            let values: Vec<String> = values.iter().map(|value| format!("`{}`", text(value))).collect();
            parts.push(format!("One of {}.", values.join(", ")));
        }
        for (key, words) in [
            ("minLength", "At least {} characters."),
            ("maxLength", "At most {} characters."),
            ("minimum", "At least {}."),
            ("maximum", "At most {}."),
            ("maxItems", "At most {} items."),
            ("default", "By default {}."),
        ] {
            if schema[key].is_number() {
                parts.push(words.replace("{}", &text(&schema[key])));
            }
        }
        if let Some(pattern) = schema["pattern"].as_str() {
            parts.push(format!("Pattern: `{}`", pattern.replace('`', "")));
        }
        parts.join(" ")
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| if value.is_null() { String::new() } else { value.to_string() }, str::to_owned)
}

/// The type of a schema, as people write it.
fn kind(schema: &Value) -> String {
    match &schema["type"] {
        Value::Array(types) => types.iter().map(text).collect::<Vec<_>>().join(" or "),
        Value::String(name) if name == "array" => format!(
            "{}[]",
            if schema["items"]["type"].is_string() { text(&schema["items"]["type"]) } else { "object".to_owned() }
        ),
        Value::String(name) => name.clone(),
        _ => "string or null".to_owned(),
    }
}

/// Prose that MDX must not read as markup. ErrorCode stays code.
fn safe(prose: &str) -> String {
    let part = |(index, part): (usize, &str)| {
        if index % 2 == 1 {
            format!("`{part}`")
        } else {
            part.replace('{', "\\{").replace('<', "\\<").replace('*', "\\*")
        }
    };
    prose.split('`').enumerate().map(part).collect()
}

/// A scalar of YAML: JSON's strings are such.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn title(tag: &str) -> String {
    let mut letters = tag.replace('-', " ").chars().collect::<Vec<_>>();
    if let Some(first) = letters.first_mut() {
        first.make_ascii_uppercase();
    }
    letters.into_iter().collect()
}

fn indented(text: &str, indent: &str) -> String {
    text.lines().map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_page() {
        let pages = pages();
        let description: Value = serde_json::from_str(DESCRIPTION).unwrap();
        let operations: Vec<String> = members(&description["paths"])
            .flat_map(|(_, item)| members(item).filter_map(|(_, operation)| operation["operationId"].as_str()))
            .map(str::to_owned)
            .collect();
        assert!(!operations.is_empty());
        for operation in operations {
            let (_, page) = pages
                .iter()
                .find(|(path, _)| path.ends_with(&format!("/{operation}.mdx")))
                .unwrap_or_else(|| panic!("{operation} has none"));
            assert!(page.contains("## 2"), "{operation} says nothing about its success");
        }
        let start = &pages.iter().find(|(path, _)| path == "static-export/startExport.mdx").unwrap().1;
        for part in [
            "api: \"POST /v1/static-export/jobs\"",
            "<ParamField body=\"domain\" type=\"string\" required>",
            "<ResponseField name=\"jobId\"",
            "```json 202",
        ] {
            assert!(start.contains(part), "{part} is missing in {start}");
        }
    }
}
