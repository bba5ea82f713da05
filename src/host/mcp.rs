//! The Model Context Protocol over streamable HTTP: one JSON-RPC message a request, or a few of old clients, one JSON
//! answer; no sessions, no streams.

use hyper::header::{ALLOW, CONTENT_TYPE, HOST, HeaderValue, ORIGIN};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use url::Url;

use super::active_bundle::LoadedBundle;
use super::json::json_response;
use super::site::{ALL_VERSIONS, ReplyBody};

/// Versions of the protocol that are spoken, the newest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// Most messages of a batch, and the versions that know batches: those before the header that names the version.
const MAX_BATCH_MESSAGES: usize = 20;
const BATCH_VERSIONS: [&str; 2] = ["2025-03-26", "2024-11-05"];
const VERSION: &str = "mcp-protocol-version";
/// Longest page that a tool gives, bytes.
const PAGE_BYTES: usize = 200_000;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const NO_SUCH_METHOD: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

/// Turns away what is no message: other methods, other types, and pages of other hosts in a reader's browser.
pub(super) fn refuse<B>(request: &Request<B>) -> Option<Response<ReplyBody>> {
    let error = |status: StatusCode, text: &str| json_response(status, &json!({"error": text}));
    if request.method() != Method::POST {
        let mut answer = error(StatusCode::METHOD_NOT_ALLOWED, "only POST is allowed here");
        answer.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        return Some(answer);
    }
    let text = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or_default());
    let kind = text(CONTENT_TYPE).unwrap_or_default().split(';').next().unwrap_or_default();
    if !kind.trim().eq_ignore_ascii_case("application/json") {
        return Some(error(StatusCode::UNSUPPORTED_MEDIA_TYPE, "a message is `application/json`"));
    }
    let host = request.uri().authority().map(|authority| authority.as_str()).or(text(HOST)).unwrap_or_default();
    let is_foreign = text(ORIGIN).is_some_and(|origin| {
        Url::parse(origin).is_ok_and(|origin| {
            Url::parse(&format!("{}://{host}", origin.scheme())).is_ok_and(|own| own.origin() != origin.origin())
        }) || origin == "null"
    });
    if is_foreign {
        return Some(error(StatusCode::FORBIDDEN, "pages of other hosts may not ask here"));
    }
    let is_spoken =
        request.headers().get(VERSION).is_none_or(|version| VERSIONS.iter().any(|spoken| version == spoken));
    (!is_spoken)
        .then(|| error(StatusCode::BAD_REQUEST, &format!("`MCP-Protocol-Version` is none of {}", VERSIONS.join(", "))))
}

/// Whether a request may hold several messages.
pub(super) fn takes_batches<B>(request: &Request<B>) -> bool {
    request.headers().get(VERSION).is_none_or(|version| BATCH_VERSIONS.iter().any(|known| version == known))
}

/// Answers a message, or several.
pub(super) fn answer_mcp(active: &LoadedBundle, body: &[u8], takes_batches: bool) -> Response<ReplyBody> {
    let Ok(message) = serde_json::from_slice::<Value>(body) else {
        return json_response(StatusCode::BAD_REQUEST, &mcp_error(&Value::Null, PARSE_ERROR, "the message is no JSON"));
    };
    let answer = match &message {
        Value::Array(batch) if takes_batches && (1..=MAX_BATCH_MESSAGES).contains(&batch.len()) => {
            let answers: Vec<Value> =
                batch.iter().filter_map(|message| answer_one(active, message).unwrap_or_else(Some)).collect();
            (!answers.is_empty()).then_some(Value::Array(answers))
        }
        one => match answer_one(active, one) {
            Ok(answer) => answer,
            Err(wrong) => return json_response(StatusCode::BAD_REQUEST, &wrong),
        },
    };
    answer.map_or_else(accepted, |answer| json_response(StatusCode::OK, &answer))
}

fn accepted() -> Response<ReplyBody> {
    let mut accepted = json_response(StatusCode::ACCEPTED, &Value::Null);
    *accepted.body_mut() = ReplyBody::empty();
    accepted.headers_mut().remove(CONTENT_TYPE);
    accepted
}

/// The answer to a message; none to notifications and answers, and an error to what is no message.
fn answer_one(active: &LoadedBundle, message: &Value) -> Result<Option<Value>, Value> {
    let wrong = |text: &str| mcp_error(&Value::Null, INVALID_REQUEST, text);
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") || !message.is_object() {
        return Err(wrong("the message is no single JSON-RPC 2.0 message"));
    }
    let (Some(id), Some(method)) = (message.get("id"), message.get("method").and_then(Value::as_str)) else {
        let is_answer = message.get("result").is_some() || message.get("error").is_some();
        return if is_answer || message.get("method").is_some_and(Value::is_string) {
            Ok(None)
        } else {
            Err(wrong("the message has no `method`"))
        };
    };
    if !id.is_string() && !id.is_number() {
        return Err(wrong("the `id` of a request is a text or a number"));
    }
    let params = message.get("params").unwrap_or(&Value::Null);
    let done = match method {
        "initialize" => Ok(initialize(active, params)),
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({"tools": tools(active)})),
        "tools/call" => call_tool(active, params),
        _ => Err((NO_SUCH_METHOD, format!("there is no method `{method}`"))),
    };
    Ok(Some(match done {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err((code, text)) => mcp_error(id, code, &text),
    }))
}

fn mcp_error(id: &Value, code: i64, text: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}})
}

fn initialize(active: &LoadedBundle, params: &Value) -> Value {
    let requested = params.get("protocolVersion").and_then(Value::as_str);
    let version = VERSIONS.iter().find(|version| Some(**version) == requested).unwrap_or(&VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "offprint", "title": "Documentation", "version": env!("CARGO_PKG_VERSION")},
        "instructions": format!("Searches and reads a documentation site of {} pages, version {}.", active.site.pages(), active.site.shown_version().to_str().unwrap_or_default()),
    })
}

fn tools(active: &LoadedBundle) -> Vec<Value> {
    let read_only = json!({"readOnlyHint": true, "openWorldHint": false});
    let mut tools = Vec::new();
    if active.site.has_search() {
        let mut tool = json!({
            "name": "search",
            "title": "Search the documentation",
            "description": "Finds pages by words of their titles, headings, text and code. Gives addresses that `read_page` takes.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "What to look for"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 8},
                },
                "required": ["query"],
            },
            "annotations": read_only,
        });
        let mut versions = active.site.search_versions();
        if !versions.is_empty() {
            versions.push(ALL_VERSIONS.to_owned());
            tool["inputSchema"]["properties"]["version"] = json!({"type": "string", "enum": versions, "description": "The version to look in; by default the current one"});
        }
        tools.push(tool);
    }
    tools.push(json!({
        "name": "read_page",
        "title": "Read a page",
        "description": "Gives a page of the documentation as Markdown.",
        "inputSchema": {
            "type": "object",
            "properties": {"path": {"type": "string", "description": "The page's path from the root of the site, such as `/guides/start`"}},
            "required": ["path"],
        },
        "annotations": read_only,
    }));
    tools
}

fn call_tool(active: &LoadedBundle, params: &Value) -> Result<Value, (i64, String)> {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    let given = |name: &str| params.get("arguments").and_then(|arguments| arguments.get(name));
    let text = |name: &str| {
        given(name).and_then(Value::as_str).ok_or_else(|| (INVALID_PARAMS, format!("`{name}` is missing or no text")))
    };
    let content =
        |text: String, is_error: bool| json!({"content": [{"type": "text", "text": text}], "isError": is_error});
    match name {
        "search" if active.site.has_search() => {
            let limit =
                given("limit").and_then(Value::as_u64).map_or(8, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
            let version = given("version").map(|version| version.as_str().unwrap_or_default());
            let found = active
                .site
                .search(text("query")?, limit, version)
                .ok_or_else(|| (INVALID_PARAMS, "there is no such `version`".to_owned()))?;
            let lines = found.iter().map(|page| {
                let heading = if page.heading.is_empty() { String::new() } else { format!(" › {}", page.heading) };
                let version = if page.version.is_empty() { String::new() } else { format!(" ({})", page.version) };
                format!("- {}{heading}{version}\n  {}\n  {}", page.title, page.url, page.snippet)
            });
            let shown =
                if found.is_empty() { "Nothing found.".to_owned() } else { lines.collect::<Vec<_>>().join("\n") };
            Ok(
                json!({"content": [{"type": "text", "text": shown}], "structuredContent": {"results": found}, "isError": false}),
            )
        }
        "read_page" => Ok(match active.site.markdown(text("path")?) {
            Some(page) => content(shorten_page(page), false),
            None => content("There is no such page.".to_owned(), true),
        }),
        _ => Err((INVALID_PARAMS, format!("there is no tool `{name}`"))),
    }
}

/// A page that is too long ends with a remark.
fn shorten_page(mut page: String) -> String {
    if page.len() > PAGE_BYTES {
        let end = (0..=PAGE_BYTES).rev().find(|end| page.is_char_boundary(*end)).unwrap_or(0);
        page.truncate(end);
        page.push_str("\n\n(The page is longer than this.)\n");
    }
    page
}
