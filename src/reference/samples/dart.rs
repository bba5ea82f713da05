//! Samples for Dart, with its http package.

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::{SampleCode, hang};
use super::literal::{self, DART as QUOTING};
use super::native::{self, DART};
use super::parts;

pub(super) fn dart_sample(request: &SampleRequest) -> String {
    let mut code = SampleCode::new("  ");
    if uses_convert(request) {
        code.line("import 'dart:convert';");
    }
    if matches!(request.body, SampleBody::File(..)) {
        code.line("import 'dart:io';");
    }
    if uses_convert(request) || matches!(request.body, SampleBody::File(..)) {
        code.blank();
    }
    code.line("import 'package:http/http.dart' as http;");
    code.blank();
    code.open("Future<void> main() async {");
    let headers = dart_headers(request);
    let body = dart_body(&request.body);
    if let SampleBody::Multipart(parts) = &request.body {
        write_dart_multipart(&mut code, request, parts, &headers);
    } else {
        match request.method.as_str() {
            method @ ("POST" | "PUT" | "PATCH" | "DELETE") => {
                write_dart_call(&mut code, method, request, &headers, body)
            }
            method @ ("GET" | "HEAD") if body.is_none() => write_dart_call(&mut code, method, request, &headers, None),
            _ => other_method(&mut code, request, &headers, body),
        }
    }
    code.blank();
    code.line(if parts::is_head(request) { "print(response.headers);" } else { "print(response.body);" });
    code.close("}");
    code.finish()
}

fn dart_string(text: &str) -> String {
    QUOTING.literal(text)
}

fn uri(request: &SampleRequest) -> String {
    format!("Uri.parse({})", dart_string(&request.url))
}

fn uses_convert(request: &SampleRequest) -> bool {
    request.basic.is_some() || matches!(request.body, SampleBody::Json(..))
}

/// The client says the type of a form itself where that is a map.
fn form_is_map(body: &SampleBody) -> bool {
    matches!(body, SampleBody::Form(pairs) if !parts::has_repeated_name(parts::pair_names(pairs)))
}

/// Names and expressions.
fn dart_headers(request: &SampleRequest) -> Vec<(&str, String)> {
    let mut headers: Vec<_> = request.headers.iter().map(|(name, value)| (name.as_str(), dart_string(value))).collect();
    if let Some((user, password)) = &request.basic {
        let pair = dart_string(&format!("{user}:{password}"));
        headers.push(("Authorization", format!("'Basic ${{base64Encode(utf8.encode({pair}))}}'")));
    }
    if !request.cookies.is_empty() {
        headers.push(("Cookie", dart_string(&parts::cookie_header(&request.cookies))));
    }
    if let Some(media) = parts::content_type(&request.body).filter(|_| !form_is_map(&request.body)) {
        headers.push(("Content-Type", dart_string(media)));
    }
    headers
}

/// The expression of the body.
fn dart_body(body: &SampleBody) -> Option<String> {
    Some(match body {
        SampleBody::Empty | SampleBody::Multipart(_) => return None,
        SampleBody::Json(_, value) => format!("jsonEncode({})", DART.literal(value, 0)),
        SampleBody::Form(pairs) if form_is_map(body) => {
            map(pairs.iter().map(|(name, value)| (name.as_str(), dart_string(value))))
        }
        SampleBody::Form(pairs) => dart_string(&parts::encoded_form(pairs)),
        SampleBody::Text(_, content) => literal::dart_block(content),
        SampleBody::File(_, name) => format!("await File({}).readAsBytes()", dart_string(name)),
    })
}

fn map<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut code = SampleCode::new("  ");
    code.open("{");
    for (name, value) in pairs {
        code.line(format!("{}: {value},", dart_string(name)));
    }
    code.close("}");
    code.finish().trim_end().to_owned()
}

/// What is not within a text of several lines is indented.
fn indent_dart(body: &str, indent: &str) -> String {
    if body.starts_with("'''") { body.to_owned() } else { hang(body, indent) }
}

fn write_dart_call(
    code: &mut SampleCode,
    method: &str,
    request: &SampleRequest,
    headers: &[(&str, String)],
    body: Option<String>,
) {
    let function = format!("http.{}", method.to_lowercase());
    if headers.is_empty() && body.is_none() {
        code.line(format!("final response = await {function}({});", uri(request)));
        return;
    }
    code.open(format!("final response = await {function}("));
    code.line(format!("{},", uri(request)));
    if !headers.is_empty() {
        code.line(format!("headers: {},", hang(&map(headers.iter().cloned()), "    ")));
    }
    if let Some(body) = body {
        code.line(format!("body: {},", indent_dart(&body, "    ")));
    }
    code.close(");");
}

fn other_method(code: &mut SampleCode, request: &SampleRequest, headers: &[(&str, String)], body: Option<String>) {
    code.line(format!("final request = http.Request({}, {});", dart_string(&request.method), uri(request)));
    for (name, value) in headers {
        code.line(format!("request.headers[{}] = {value};", dart_string(name)));
    }
    if let Some(body) = body {
        let field = match &request.body {
            SampleBody::File(..) => "bodyBytes",
            other if form_is_map(other) => "bodyFields",
            _ => "body",
        };
        code.line(format!("request.{field} = {};", indent_dart(&body, "  ")));
    }
    code.line("final response = await http.Response.fromStream(await request.send());");
}

fn write_dart_multipart(
    code: &mut SampleCode,
    request: &SampleRequest,
    list: &[MultipartPart],
    headers: &[(&str, String)],
) {
    code.line(format!("final request = http.MultipartRequest({}, {});", dart_string(&request.method), uri(request)));
    for (name, value) in headers {
        code.line(format!("request.headers[{}] = {value};", dart_string(name)));
    }
    for part in list {
        let name = dart_string(&part.name);
        code.line(match &part.value {
            PartValue::Text(value) => format!("request.fields[{name}] = {};", dart_string(value)),
            PartValue::Json(value) => format!("request.fields[{name}] = {};", dart_string(&native::compact(value))),
            PartValue::File(file) => {
                format!("request.files.add(await http.MultipartFile.fromPath({name}, {}));", dart_string(file))
            }
        });
    }
    code.line("final response = await http.Response.fromStream(await request.send());");
}
