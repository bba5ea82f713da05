//! Samples for C, with libcurl, and for C++, with C++ Requests.

use base::cut::SliceText as _;

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, C};
use super::{native, parts};

fn c_string(text: &str) -> String {
    C.literal(text)
}

pub(super) fn libcurl(request: &SampleRequest) -> String {
    let mut code = SampleCode::new("  ");
    if matches!(request.body, SampleBody::File(..)) {
        code.line("#include <stdio.h>");
    }
    code.line("#include <curl/curl.h>");
    code.blank();
    code.open("int main(void) {");
    code.line("CURL *curl = curl_easy_init();");
    code.line("if (!curl) return 1;");
    code.blank();
    if parts::is_head(request) {
        code.line("curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);");
        code.line("curl_easy_setopt(curl, CURLOPT_HEADER, 1L);");
    }
    option(&mut code, "CUSTOMREQUEST", &c_string(&request.method));
    option(&mut code, "URL", &c_string(&request.url));
    if let Some((user, password)) = &request.basic {
        option(&mut code, "USERNAME", &c_string(user));
        option(&mut code, "PASSWORD", &c_string(password));
    }
    if !request.cookies.is_empty() {
        option(&mut code, "COOKIE", &c_string(&parts::cookie_header(&request.cookies)));
    }
    let body = curl_body(&mut code, &request.body);
    let mut headers = parts::sample_headers(request);
    // the client's own
    if matches!(request.body, SampleBody::Form(_)) {
        headers.pop();
    }
    if !headers.is_empty() {
        code.blank();
        code.line("struct curl_slist *headers = NULL;");
        for (name, value) in &headers {
            // `Name:` would remove the header
            let header = if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") };
            code.line(format!("headers = curl_slist_append(headers, {});", c_string(&header)));
        }
        option(&mut code, "HTTPHEADER", "headers");
    }
    code.blank();
    code.line("CURLcode result = curl_easy_perform(curl);");
    code.blank();
    if !headers.is_empty() {
        code.line("curl_slist_free_all(headers);");
    }
    if let Some(line) = body {
        code.line(line);
    }
    code.line("curl_easy_cleanup(curl);");
    code.line("return result == CURLE_OK ? 0 : 1;");
    code.close("}");
    code.finish()
}

fn option(code: &mut SampleCode, name: &str, value: &str) {
    let space = if value.starts_with('\n') { "" } else { " " };
    code.line(format!("curl_easy_setopt(curl, CURLOPT_{name},{space}{value});"));
}

/// Writes the options of the body. Returns what has to be done at the end.
fn curl_body(code: &mut SampleCode, body: &SampleBody) -> Option<&'static str> {
    match body {
        SampleBody::Empty => {}
        SampleBody::Json(_, value) => post_fields(code, &native::pretty_json(value)),
        SampleBody::Text(_, content) => post_fields(code, content),
        SampleBody::Form(pairs) => post_fields(code, &parts::encoded_form(pairs)),
        SampleBody::Multipart(parts) => {
            code.blank();
            code.line("curl_mime *form = curl_mime_init(curl);");
            code.line("curl_mimepart *part;");
            for part in parts {
                write_c_part(code, part);
            }
            option(code, "MIMEPOST", "form");
            return Some("curl_mime_free(form);");
        }
        SampleBody::File(_, name) => {
            code.blank();
            code.line(format!("FILE *file = fopen({}, \"rb\");", c_string(name)));
            code.line("if (!file) return 1;");
            code.line("fseek(file, 0, SEEK_END);");
            option(code, "INFILESIZE_LARGE", "(curl_off_t)ftell(file)");
            code.line("rewind(file);");
            option(code, "UPLOAD", "1L");
            option(code, "READDATA", "file");
            return Some("fclose(file);");
        }
    }
    None
}

fn post_fields(code: &mut SampleCode, content: &str) {
    option(code, "POSTFIELDS", &literal::c_lines(content, "    "));
}

fn write_c_part(code: &mut SampleCode, part: &MultipartPart) {
    code.blank();
    code.line("part = curl_mime_addpart(form);");
    code.line(format!("curl_mime_name(part, {});", c_string(&part.name)));
    match &part.value {
        PartValue::Text(value) => {
            code.line(format!("curl_mime_data(part, {}, CURL_ZERO_TERMINATED);", c_string(value)))
        }
        PartValue::Json(value) => {
            let json = c_string(&native::compact(value));
            code.line(format!("curl_mime_data(part, {json}, CURL_ZERO_TERMINATED);"));
            code.line("curl_mime_type(part, \"application/json\");");
        }
        PartValue::File(name) => code.line(format!("curl_mime_filedata(part, {});", c_string(name))),
    }
}

pub(super) fn cpr(request: &SampleRequest) -> String {
    let function = match request.method.as_str() {
        method @ ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS") => {
            format!("{}{}", method.slice(..1), method.slice(1..).to_lowercase())
        }
        // not among those that the client knows; what is written for C is C++ too
        _ => return libcurl(request),
    };
    let mut arguments = vec![format!("cpr::Url{{{}}}", c_string(&request.url))];
    if let Some((user, password)) = &request.basic {
        let pair = format!("{}, {}", c_string(user), c_string(password));
        arguments.push(format!("cpr::Authentication{{{pair}, cpr::AuthMode::BASIC}}"));
    }
    let mut headers = parts::sample_headers(request);
    if matches!(request.body, SampleBody::Form(_)) {
        headers.pop();
    }
    if !headers.is_empty() {
        arguments.push(c_pairs("Header", headers.into_iter()));
    }
    if !request.cookies.is_empty() {
        arguments.push(c_pairs("Cookies", request.cookies.iter().map(|(name, value)| (name.as_str(), value.as_str()))));
    }
    match &request.body {
        SampleBody::Empty => {}
        SampleBody::Json(_, value) => {
            arguments.push(format!("cpr::Body{{{}}}", literal::cpp_block(&native::pretty_json(value))));
        }
        SampleBody::Text(_, content) => arguments.push(format!("cpr::Body{{{}}}", literal::cpp_block(content))),
        SampleBody::Form(fields) => {
            arguments.push(c_pairs("Payload", fields.iter().map(|(name, value)| (name.as_str(), value.as_str()))));
        }
        SampleBody::Multipart(parts) => {
            let parts: Vec<String> = parts.iter().map(cpr_part).collect();
            arguments.push(braced("Multipart", &parts));
        }
        SampleBody::File(_, name) => arguments.push(format!("cpr::Body{{cpr::File{{{}}}}}", c_string(name))),
    }
    let mut code = SampleCode::new("  ");
    code.line("#include <cpr/cpr.h>");
    code.line("#include <iostream>");
    code.blank();
    code.open("int main() {");
    code.open(format!("cpr::Response response = cpr::{function}("));
    code.line(format!("{});", arguments.join(",\n    ")));
    code.close("");
    code.line(if parts::is_head(request) {
        "std::cout << response.raw_header << '\\n';"
    } else {
        "std::cout << response.text << '\\n';"
    });
    code.close("}");
    code.finish()
}

fn c_pairs<'a>(kind: &str, pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let pairs: Vec<String> =
        pairs.map(|(name, value)| format!("{{{}, {}}}", c_string(name), c_string(value))).collect();
    braced(kind, &pairs)
}

/// One item on the line, more below it.
fn braced(kind: &str, items: &[String]) -> String {
    match items {
        // two braces: one pair of strings could be taken for the ends of a range
        [one] => format!("cpr::{kind}{{{one}}}"),
        _ => format!("cpr::{kind}{{\n        {}}}", items.join(",\n        ")),
    }
}

fn cpr_part(part: &MultipartPart) -> String {
    let name = c_string(&part.name);
    match &part.value {
        PartValue::Text(value) => format!("{{{name}, {}}}", c_string(value)),
        PartValue::Json(value) => format!("{{{name}, {}, \"application/json\"}}", c_string(&native::compact(value))),
        PartValue::File(file) => format!("{{{name}, cpr::File{{{}}}}}", c_string(file)),
    }
}
