//! Blocks that describe requests: `openapi` and `swagger` of today, `swagger` and `api-method` with parameters and
//! answers of former versions.

use crate::attribute::find_attribute;
use base::component_line;

/// What a block becomes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BlockOutput {
    /// Lines in its place; what is inside it stays.
    Lines(Vec<String>),
    /// A component around what is inside it.
    Component(String),
    /// Lines in the place of the block and of all that is inside it, up to its end: `inside` are those that may stay.
    Reference(Vec<String>),
}

/// Writes a block; `None` if it describes no request. `enclosing`: the names of the blocks around it, outermost first.
pub(super) fn written(name: &str, attributes: &str, enclosing: &[String]) -> Option<BlockOutput> {
    let value = |key: &str| find_attribute(attributes, key).filter(|value| !value.is_empty());
    let request = || {
        let method = value("method").unwrap_or_default().to_uppercase();
        let path = value("path").unwrap_or_default();
        let address = format!("{}{path}", value("baseUrl").or_else(|| value("host")).unwrap_or_default());
        let code = if address.is_empty() { String::new() } else { format!("`{address}`") };
        let method = if method.is_empty() { String::new() } else { format!("**{method}** ") };
        format!("{method}{code}").trim_end().to_owned()
    };
    match name {
        "openapi" | "openapi-operation" | "openapi-webhook" | "openapi-schemas" => {
            let names = value("schemas").map(|names| format!("`{}`", names.replace(',', "`, `")));
            let line = names.unwrap_or_else(request);
            Some(BlockOutput::Reference(vec![line].into_iter().filter(|line| !line.is_empty()).collect()))
        }
        "swagger" if value("src").is_some() => Some(BlockOutput::Reference(vec![request()])),
        "swagger" | "api-method" => {
            let title = value("summary").map(|summary| format!("### {summary}"));
            Some(BlockOutput::Lines(title.into_iter().chain([String::new(), request(), String::new()]).collect()))
        }
        "swagger-parameter" | "api-method-parameter" => {
            let around = enclosing.iter().rev().find_map(|name| name.strip_prefix("api-method-"));
            let place = value("in").unwrap_or_else(|| match around.unwrap_or_default() {
                "path-parameters" => "path".to_owned(),
                "query-parameters" => "query".to_owned(),
                "headers" => "header".to_owned(),
                _ => "body".to_owned(),
            });
            let place = if matches!(place.as_str(), "path" | "query" | "header") { place } else { "body".to_owned() };
            let (own, kind) = (value("name").unwrap_or_default(), value("type").unwrap_or_default());
            let mut props = vec![(place.as_str(), own.as_str())];
            if !kind.is_empty() {
                props.push(("type", kind.as_str()));
            }
            if value("required").as_deref() == Some("true") {
                props.push(("required", "true"));
            }
            Some(BlockOutput::Component(component_line::opening("ParamField", &props)))
        }
        "swagger-response" | "api-method-response-example" => {
            let status = value("status").or_else(|| value("httpCode")).unwrap_or_default();
            let title = value("description").map_or_else(|| status.clone(), |words| format!("{status} {words}"));
            Some(BlockOutput::Component(component_line::opening("Accordion", &[("title", title.trim())])))
        }
        name if name.starts_with("swagger-") || name.starts_with("api-method-") => Some(BlockOutput::Lines(Vec::new())),
        _ => None,
    }
}

/// Whether a line inside a block that refers to a description says something: copies of descriptions that GitBook keeps
/// for itself are not there for long.
pub(super) fn is_spec_reference(line: &str) -> bool {
    !line.trim().is_empty() && !line.contains("](broken-reference") && !line.contains("X-Amz-Signature")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_their_parts() {
        let lines = |lines: &[&str]| Some(BlockOutput::Lines(lines.iter().map(|line| (*line).to_owned()).collect()));
        let of = |name: &str, attributes: &str| written(name, attributes, &["api-method-path-parameters".to_owned()]);
        assert_eq!(
            of("openapi-operation", "spec=\"x\" path=\"/a\" method=\"post\""),
            Some(BlockOutput::Reference(vec!["**POST** `/a`".to_owned()]))
        );
        assert_eq!(
            of("swagger", "method=\"get\" path=\"/a\" baseUrl=\"https://x\" summary=\"Get A\""),
            lines(&["### Get A", "", "**GET** `https://x/a`", ""])
        );
        let component =
            |name, props: &[(&str, &str)]| Some(BlockOutput::Component(component_line::opening(name, props)));
        assert_eq!(
            of("swagger-parameter", "in=\"query\" name=\"q\" type=\"String\" required=\"true\""),
            component("ParamField", &[("query", "q"), ("type", "String"), ("required", "true")])
        );
        assert_eq!(of("api-method-parameter", "name=\"id\""), component("ParamField", &[("path", "id")]));
        assert_eq!(
            of("swagger-response", "status=\"200: OK\" description=\"Fine\""),
            component("Accordion", &[("title", "200: OK Fine")])
        );
        assert_eq!((of("swagger-description", ""), of("hint", "")), (lines(&[]), None));
        assert!(is_spec_reference("[a](b)") && !is_spec_reference("[a](broken-reference)") && !is_spec_reference(" "));
    }
}
