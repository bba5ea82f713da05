//! Samples for Python, with requests.

use serde_json::Value;

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, PLAIN};
use super::native::PYTHON;
use super::parts;

/// Most letters of a line, as formatters have it.
const MAX_LINE_LETTERS: usize = 88;

pub(super) fn python_sample(request: &SampleRequest) -> String {
    let mut code = SampleCode::new("    ");
    if matches!(&request.body, SampleBody::Multipart(parts) if has_json(parts)) {
        code.line("import json");
        code.blank();
    }
    code.line("import requests");
    code.blank();
    code.line(format!("url = {}", python_string(&request.url)));
    code.blank();
    let (mut arguments, file) = write_python_body(&mut code, &request.body);
    write_python_headers(&mut code, request, &mut arguments);
    if let Some((user, password)) = &request.basic {
        arguments.push(format!("auth=({}, {})", python_string(user), python_string(password)));
    }
    if !arguments.is_empty()
        && arguments.iter().any(|argument| !argument.starts_with("auth=") && argument != "data=file")
    {
        code.blank();
    }
    if let Some(file) = &file {
        code.open(format!("with open({}, \"rb\") as file:", python_string(file)));
    }
    write_python_call(&mut code, request, &arguments, file.is_some());
    if file.is_some() {
        code.close("");
    } else {
        code.blank();
    }
    code.line(if parts::is_head(request) { "print(response.headers)" } else { "print(response.text)" });
    code.finish()
}

fn python_string(text: &str) -> String {
    PLAIN.literal(text)
}

/// Writes what the body consists of. Returns arguments of the call, and the file that has to be open.
fn write_python_body(code: &mut SampleCode, body: &SampleBody) -> (Vec<String>, Option<String>) {
    let mut arguments = Vec::new();
    match body {
        SampleBody::Empty => {}
        // `json=None` would send nothing
        SampleBody::Json(_, Value::Null) => arguments.push("data=\"null\"".to_owned()),
        SampleBody::Json(_, value) => {
            code.line(format!("payload = {}", PYTHON.literal(value, 0)));
            arguments.push("json=payload".to_owned());
        }
        SampleBody::Form(pairs) => {
            dictionary(code, "payload", pairs.iter().map(|(name, value)| (name.as_str(), python_string(value))));
            arguments.push("data=payload".to_owned());
        }
        SampleBody::Multipart(parts) => write_python_multipart(code, parts, &mut arguments),
        SampleBody::Text(_, content) => {
            code.line(format!("payload = {}", literal::python_block(content)));
            // text would be sent as ISO 8859-1
            arguments.push(if content.is_ascii() { "data=payload" } else { "data=payload.encode()" }.to_owned());
        }
        SampleBody::File(_, name) => return (vec!["data=file".to_owned()], Some(name.clone())),
    }
    (arguments, None)
}

fn has_json(parts: &[MultipartPart]) -> bool {
    parts.iter().any(|part| matches!(part.value, PartValue::Json(_)))
}

/// Fields go to `data`, and to `files` where that would be empty: without it, a form is not `multipart/form-data`.
fn write_python_multipart(code: &mut SampleCode, parts: &[MultipartPart], arguments: &mut Vec<String>) {
    let is_text = |part: &&MultipartPart| matches!(part.value, PartValue::Text(_));
    let only_text = parts.iter().all(|part| is_text(&part));
    let value = |part: &MultipartPart| match &part.value {
        PartValue::Text(value) if only_text => format!("(None, {})", python_string(value)),
        PartValue::Text(value) => python_string(value),
        PartValue::Json(value) => format!("(None, json.dumps({}), \"application/json\")", PYTHON.literal(value, 1)),
        PartValue::File(name) => format!("open({}, \"rb\")", python_string(name)),
    };
    let fields: Vec<_> = parts.iter().filter(|part| !only_text && is_text(part)).collect();
    let files: Vec<_> = parts.iter().filter(|part| only_text || !is_text(part)).collect();
    for (name, parts) in [("payload", fields), ("files", files)] {
        if !parts.is_empty() {
            dictionary(code, name, parts.iter().map(|part| (part.name.as_str(), value(part))));
            arguments.push(format!("{}={name}", if name == "payload" { "data" } else { name }));
        }
    }
}

/// A dict, or a list of pairs where a name occurs twice. The values are literals.
fn dictionary<'a>(code: &mut SampleCode, variable: &str, pairs: impl Iterator<Item = (&'a str, String)> + Clone) {
    let listed = parts::has_repeated_name(pairs.clone().map(|(name, _)| name));
    code.open(format!("{variable} = {}", if listed { "[" } else { "{" }));
    for (name, value) in pairs {
        let name = python_string(name);
        code.line(if listed { format!("({name}, {value}),") } else { format!("{name}: {value},") });
    }
    code.close(if listed { "]" } else { "}" });
}

fn write_python_headers(code: &mut SampleCode, request: &SampleRequest, arguments: &mut Vec<String>) {
    // the client sets those of its own arguments
    let known = match &request.body {
        SampleBody::Json(media, value) => media == "application/json" && !value.is_null(),
        SampleBody::Form(_) => true,
        _ => false,
    };
    let mut headers = parts::sample_headers(request);
    if known {
        headers.pop();
    }
    if !headers.is_empty() {
        dictionary(code, "headers", headers.into_iter().map(|(name, value)| (name, python_string(value))));
        arguments.push("headers=headers".to_owned());
    }
    if !request.cookies.is_empty() {
        dictionary(code, "cookies", request.cookies.iter().map(|(name, value)| (name.as_str(), python_string(value))));
        arguments.push("cookies=cookies".to_owned());
    }
}

fn write_python_call(code: &mut SampleCode, request: &SampleRequest, arguments: &[String], indented: bool) {
    let (function, first) = match request.method.as_str() {
        "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" => {
            (format!("requests.{}", request.method.to_lowercase()), "url".to_owned())
        }
        method => ("requests.request".to_owned(), format!("{}, url", python_string(method))),
    };
    let line = format!("response = {function}({})", [std::slice::from_ref(&first), arguments].concat().join(", "));
    if line.len() + if indented { 4 } else { 0 } <= MAX_LINE_LETTERS {
        code.line(line);
        return;
    }
    code.open(format!("response = {function}("));
    code.line(format!("{first},"));
    for argument in arguments {
        code.line(format!("{argument},"));
    }
    code.close(")");
}
