//! Samples for Java, with its standard library. They run in JShell as they stand.

use std::collections::BTreeSet;

use super::super::request::{MultipartPart, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, PLAIN};
use super::{native, parts};

/// The indentation of a text block.
const BLOCK_INDENT: &str = "        ";

pub(super) fn java_sample(request: &SampleRequest) -> String {
    let mut imports = BTreeSet::from(["java.net.URI", "java.net.http.HttpClient", "java.net.http.HttpRequest"]);
    imports.insert("java.net.http.HttpResponse.BodyHandlers");
    let mut code = SampleCode::new("    ");
    let body = write_java_body(&mut code, &request.body, &mut imports);
    code.line(format!("var request = HttpRequest.newBuilder(URI.create({}))", java_string(&request.url)));
    for line in builder(request, body.as_deref(), &mut imports) {
        code.line(format!("    {line}"));
    }
    code.line("    .build();");
    code.blank();
    code.line("var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());");
    code.line(if parts::is_head(request) {
        "System.out.println(response.headers());"
    } else {
        "System.out.println(response.body());"
    });
    let imports: String = imports.into_iter().map(|import| format!("import {import};\n")).collect();
    format!("{imports}\n{}", code.finish())
}

fn java_string(text: &str) -> String {
    PLAIN.literal(text)
}

/// The calls that make the request from its URL.
fn builder(request: &SampleRequest, body: Option<&str>, imports: &mut BTreeSet<&str>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut header = |name: &str, value: String| lines.push(format!(".header({}, {value})", java_string(name)));
    for (name, value) in &request.headers {
        header(name, java_string(value));
    }
    if let Some((user, password)) = &request.basic {
        imports.insert("java.util.Base64");
        let pair = java_string(&format!("{user}:{password}"));
        header("Authorization", format!("\"Basic \" + Base64.getEncoder().encodeToString({pair}.getBytes())"));
    }
    if !request.cookies.is_empty() {
        header("Cookie", java_string(&parts::cookie_header(&request.cookies)));
    }
    match &request.body {
        SampleBody::Multipart(_) => header("Content-Type", "\"multipart/form-data; boundary=\" + boundary".to_owned()),
        other => {
            if let Some(media) = parts::content_type(other) {
                header("Content-Type", java_string(media));
            }
        }
    }
    if body.is_some() || !matches!(request.method.as_str(), "GET" | "DELETE") {
        imports.insert("java.net.http.HttpRequest.BodyPublishers");
    }
    let publisher = body.unwrap_or("BodyPublishers.noBody()");
    lines.push(match (request.method.as_str(), body) {
        ("GET", None) => ".GET()".to_owned(),
        ("DELETE", None) => ".DELETE()".to_owned(),
        (method @ ("POST" | "PUT"), _) => format!(".{method}({publisher})"),
        (method, _) => format!(".method({}, {publisher})", java_string(method)),
    });
    lines
}

/// Writes what has to stand before the request. Returns the expression of the body.
fn write_java_body(code: &mut SampleCode, body: &SampleBody, imports: &mut BTreeSet<&str>) -> Option<String> {
    let content = match body {
        SampleBody::Empty => return None,
        SampleBody::Json(_, value) => literal::java_block(&native::pretty_json(value), BLOCK_INDENT),
        SampleBody::Form(pairs) => java_string(&parts::encoded_form(pairs)),
        SampleBody::Text(_, content) => literal::java_block(content, BLOCK_INDENT),
        SampleBody::File(_, name) => {
            imports.insert("java.nio.file.Path");
            return Some(format!("BodyPublishers.ofFile(Path.of({}))", java_string(name)));
        }
        SampleBody::Multipart(parts) => {
            write_java_multipart(code, parts, imports);
            return Some("BodyPublishers.concat(parts)".to_owned());
        }
    };
    if !content.starts_with("\"\"\"") {
        return Some(format!("BodyPublishers.ofString({content})"));
    }
    code.line(format!("var body = {content};"));
    code.blank();
    Some("BodyPublishers.ofString(body)".to_owned())
}

fn write_java_multipart(code: &mut SampleCode, list: &[MultipartPart], imports: &mut BTreeSet<&str>) {
    imports.extend(["java.net.http.HttpRequest.BodyPublisher", "java.util.UUID"]);
    code.line("var boundary = UUID.randomUUID().toString();");
    code.open("var parts = new BodyPublisher[] {");
    let mut lines: Vec<String> = Vec::new();
    let flush = |code: &mut SampleCode, lines: &mut Vec<String>| {
        if !lines.is_empty() {
            code.line(format!("BodyPublishers.ofString({}),", lines.join("\n        + ")));
            lines.clear();
        }
    };
    for piece in parts::multipart_pieces(list) {
        match piece {
            parts::MultipartPiece::Boundary => lines.push("\"--\" + boundary + \"\\r\\n\"".to_owned()),
            parts::MultipartPiece::End => lines.push("\"--\" + boundary + \"--\\r\\n\"".to_owned()),
            parts::MultipartPiece::Text(content) => lines.push(java_string(&content)),
            parts::MultipartPiece::File(name) => {
                flush(code, &mut lines);
                imports.insert("java.nio.file.Path");
                code.line(format!("BodyPublishers.ofFile(Path.of({})),", java_string(&name)));
            }
        }
    }
    flush(code, &mut lines);
    code.close("};");
    code.blank();
}
