//! A request that calls an operation, with values that its description gives or allows.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use spec::unquote_spelled_numbers;

use super::document::DescriptionDocument;
use super::example;
use super::fields::{Direction, FieldNode, type_text};
use super::limits::value_text;
use super::media::{self, Media};
use super::operation::{OperationPage, Parameter, QUERY_STRING};
use super::operation_source::OperationSource;
use super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::security::CredentialKind;
use super::settings::ReferenceSettings;

/// The host of APIs that name none.
const EXAMPLE_HOST: &str = "https://api.example.com";

/// What a query string leaves as it is.
const QUERY: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b',').remove(b':').remove(b'/');

/// What a value in a path leaves as it is.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b':').remove(b'@');

/// Lines of a body that a sample has; a longer one has only what must be sent.
const MAX_BODY_LINES: usize = 60;

/// Properties of a form that are sent.
const MAX_FORM_PROPERTIES: usize = 40;

/// Makes a request.
pub(crate) fn sample_request(
    document: DescriptionDocument<'_>,
    source: &OperationSource<'_>,
    page: &OperationPage<'_, '_>,
    settings: &ReferenceSettings,
) -> SampleRequest {
    let mut request = SampleRequest { method: source.method.clone(), ..SampleRequest::default() };
    let mut query: Vec<(String, String)> = Vec::new();
    if let Some(requirement) = page.requirements.first() {
        for credential in &requirement.credentials {
            let node = page.fields.node(credential.node);
            let place = node.parameter.as_ref().and_then(|it| it.place).unwrap_or_default();
            let prefix = credential.scheme.text("scheme").unwrap_or("Bearer");
            match (credential.kind, place) {
                (CredentialKind::Basic, _) => request.basic = Some(("<username>".to_owned(), "<password>".to_owned())),
                (CredentialKind::Bearer | CredentialKind::OAuth2 | CredentialKind::OpenIdConnect, _) => {
                    request.headers.push(("Authorization".to_owned(), "Bearer <token>".to_owned()))
                }
                (CredentialKind::Digest | CredentialKind::Http, _) => {
                    request.headers.push(("Authorization".to_owned(), format!("{prefix} <credentials>")))
                }
                (CredentialKind::ApiKey, "query") => query.push((node.name.to_owned(), "<api-key>".to_owned())),
                (CredentialKind::ApiKey, "cookie") => {
                    request.cookies.push((node.name.to_owned(), "<api-key>".to_owned()))
                }
                (CredentialKind::ApiKey, _) => request.headers.push((node.name.to_owned(), "<api-key>".to_owned())),
                (CredentialKind::MutualTls | CredentialKind::Other, _) => {}
            }
        }
    }
    let mut path = source.path.to_owned();
    for parameter in &page.exchange.described {
        let node = page.fields.node(parameter.node);
        if parameter.place == "path" {
            if let Some(text) = path_text(node) {
                path = path.replace(&format!("{{{}}}", node.name), &text);
            }
            continue;
        }
        if !is_sent(node, settings) {
            continue;
        }
        let value = parameter_value(document, node, parameter);
        match parameter.place {
            "query" => push_query(&mut query, node, &value),
            "header" => push_header(&mut request, node.name, join_value(&value)),
            _ => request.cookies.push((node.name.to_owned(), join_value(&value))),
        }
    }
    request.url = call_address(&path, page, &query);
    if let Some(media) = page.exchange.body.as_ref().and_then(|body| preferred(&body.media)) {
        request.body = call_body(document, page, media, settings);
    }
    request
}

/// Whether a sample has a parameter: it must be sent, or the description shows what is sent.
fn is_sent(node: &FieldNode<'_>, settings: &ReferenceSettings) -> bool {
    node.is_required || !settings.requires_only && !node.is_deprecated && node.example.is_some()
}

/// Adds a header, unless it is one that something else says.
fn push_header(request: &mut SampleRequest, name: &str, value: String) {
    let is_said = ["accept", "content-type", "authorization"].iter().any(|said| name.eq_ignore_ascii_case(said))
        || request.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
    if !is_said {
        request.headers.push((name.to_owned(), value));
    }
}

fn parameter_value(document: DescriptionDocument<'_>, node: &FieldNode<'_>, parameter: &Parameter<'_>) -> Value {
    if let Some(value) = node.example {
        return value.clone();
    }
    match parameter.about.get("schema").or(node.facts.source) {
        Some(schema) => example::schema_example(document.root(), schema, Direction::Request, false),
        None => Value::String(format!("<{}>", node.name)),
    }
}

/// Adds the parts of a query string that a parameter becomes, by its style.
fn push_query(query: &mut Vec<(String, String)>, node: &FieldNode<'_>, value: &Value) {
    let style = node.parameter.as_ref().and_then(|it| it.style).unwrap_or("form");
    let explodes = node.parameter.as_ref().and_then(|it| it.explode).unwrap_or(style == "form");
    let is_text = node.parameter.as_ref().is_some_and(|it| it.content.is_some());
    let name = node.name;
    match value {
        value if style == QUERY_STRING => query.push((String::new(), query_text(value))),
        value if is_text => query.push((name.to_owned(), value.to_string())),
        Value::Array(items) if explodes => query.extend(items.iter().map(|item| (name.to_owned(), value_text(item)))),
        Value::Array(items) => {
            let separator = match style {
                "spaceDelimited" => " ",
                "pipeDelimited" => "|",
                _ => ",",
            };
            query.push((name.to_owned(), items.iter().map(value_text).collect::<Vec<_>>().join(separator)));
        }
        Value::Object(members) if style == "deepObject" => {
            query.extend(members.iter().map(|(key, value)| (format!("{name}[{key}]"), value_text(value))))
        }
        Value::Object(members) if explodes => {
            query.extend(members.iter().map(|(key, value)| (key.clone(), value_text(value))))
        }
        value => query.push((name.to_owned(), join_value(value))),
    }
}

/// What stands in the place of the whole query string.
fn query_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => unquote_spelled_numbers(value.to_string()),
    }
}

/// A value in one text: items of arrays, names and values of objects with commas between.
fn join_value(value: &Value) -> String {
    match value {
        Value::Array(items) => items.iter().map(value_text).collect::<Vec<_>>().join(","),
        Value::Object(members) => {
            members.iter().map(|(key, value)| format!("{key},{}", value_text(value))).collect::<Vec<_>>().join(",")
        }
        value => value_text(value),
    }
}

/// What stands in the path for a parameter, by its style; `None` where the description gives no value: the placeholder
/// stays.
fn path_text(node: &FieldNode<'_>) -> Option<String> {
    let facts = &node.facts;
    let value = node.example.or(facts.example).or(facts.default).or(facts.values.first().copied())?;
    let parameter = node.parameter.as_ref();
    let explodes = parameter.and_then(|it| it.explode) == Some(true);
    let style = parameter.and_then(|it| it.style).unwrap_or("simple");
    let code = |text: &str| utf8_percent_encode(text, PATH).to_string();
    let name = code(node.name);
    let parts: Vec<String> = match value {
        _ if parameter.is_some_and(|it| it.content.is_some()) => vec![code(&query_text(value))],
        Value::Array(items) => items.iter().map(|item| code(&value_text(item))).collect(),
        Value::Object(members) => {
            let between = if explodes { "=" } else { "," };
            members.iter().map(|(key, value)| [&code(key), between, &code(&value_text(value))].concat()).collect()
        }
        value => vec![code(&value_text(value))],
    };
    let text = match (style, explodes) {
        ("label", true) => format!(".{}", parts.join(".")),
        ("label", false) => format!(".{}", parts.join(",")),
        ("matrix", true) if value.is_object() => format!(";{}", parts.join(";")),
        ("matrix", true) => parts.iter().map(|part| format!(";{name}={part}")).collect(),
        ("matrix", false) => format!(";{name}={}", parts.join(",")),
        _ => parts.join(","),
    };
    // an address without it, or one level up, is another one
    (!matches!(text.trim(), "" | "." | "..")).then_some(text)
}

/// Server, path and query string.
fn call_address(path: &str, page: &OperationPage<'_, '_>, query: &[(String, String)]) -> String {
    let server = page.servers.first().map(super::server::ApiServer::filled).unwrap_or_default();
    let server = server.trim_end_matches('/');
    let mut url = if server.contains("://") { server.to_owned() } else { format!("{EXAMPLE_HOST}{server}") };
    if !path.starts_with('/') && !path.is_empty() {
        url.push('/');
    }
    url.push_str(path);
    for (at, (name, value)) in query.iter().enumerate() {
        url.push(if at == 0 && !path.contains('?') { '?' } else { '&' });
        if !name.is_empty() {
            url.push_str(&encoded(name));
            url.push('=');
        }
        url.push_str(&encoded(value));
    }
    url
}

/// Percent-encoded, but placeholders stay as they are.
fn encoded(text: &str) -> String {
    if text.starts_with('<') && text.ends_with('>') {
        return text.to_owned();
    }
    utf8_percent_encode(text, QUERY).to_string()
}

/// The media type that a sample sends: JSON if there is a choice.
fn preferred<'p, 'a>(media: &'p [Media<'a>]) -> Option<&'p Media<'a>> {
    media.iter().find(|media| media::is_json(media.name)).or_else(|| media.first())
}

fn call_body(
    document: DescriptionDocument<'_>,
    page: &OperationPage<'_, '_>,
    media: &Media<'_>,
    settings: &ReferenceSettings,
) -> SampleBody {
    let name = media::essence(media.name);
    let value = match (media.examples.first(), media.schema) {
        (Some(example), _) => Some(example.value.clone()),
        (None, Some(schema)) => Some(example_body(document, schema, settings)),
        (None, None) => None,
    };
    let is_file = |name: &str| {
        let root = page.fields.node(media.root);
        root.children
            .iter()
            .map(|child| page.fields.node(*child))
            .any(|child| child.name == name && type_text(&child.facts, page.fields.schemas()).contains("file"))
    };
    match (name.as_str(), value) {
        (_, Some(Value::String(text))) if media::is_json(&name) => match serde_json::from_str(&text) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => SampleBody::Json(name, value),
            _ => SampleBody::Json(name, Value::String(text)),
        },
        (_, Some(value)) if media::is_json(&name) => SampleBody::Json(name, value),
        ("application/x-www-form-urlencoded", Some(Value::Object(members))) => SampleBody::Form(
            members.iter().take(MAX_FORM_PROPERTIES).map(|(key, value)| (key.clone(), join_value(value))).collect(),
        ),
        ("multipart/form-data", Some(Value::Object(members))) => SampleBody::Multipart(
            members
                .iter()
                .take(MAX_FORM_PROPERTIES)
                .map(|(key, value)| MultipartPart {
                    name: key.clone(),
                    value: match value {
                        _ if is_file(key) => PartValue::File("example-file".to_owned()),
                        Value::Object(_) | Value::Array(_) => PartValue::Json(value.clone()),
                        value => PartValue::Text(value_text(value)),
                    },
                })
                .collect(),
        ),
        (_, Some(Value::String(text))) if is_text_media(&name) => SampleBody::Text(name, text),
        (_, Some(value @ (Value::Object(_) | Value::Array(_)))) if is_text_media(&name) && !name.contains("xml") => {
            SampleBody::Text(name, value.to_string())
        }
        _ => SampleBody::File(name, "example-file".to_owned()),
    }
}

/// A body with all that may be sent; where that is long, with what must be.
fn example_body(document: DescriptionDocument<'_>, schema: &Value, settings: &ReferenceSettings) -> Value {
    match settings.requires_only {
        true => example::schema_example(document.root(), schema, Direction::Request, true),
        false => example::short_example(document.root(), schema, Direction::Request, MAX_BODY_LINES),
    }
}

/// Whether bodies of a media type are text.
fn is_text_media(name: &str) -> bool {
    name.starts_with("text/") || name.ends_with("xml") || name.ends_with("yaml") || name.ends_with("javascript")
}
