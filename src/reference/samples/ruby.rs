//! Samples for Ruby, with its standard library.

use base::cut::SliceText as _;

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, RUBY};
use super::native::RUBY_HASH;
use super::parts;

pub(super) fn ruby_sample(request: &SampleRequest) -> String {
    let mut code = SampleCode::new("  ");
    if uses_json(&request.body) {
        code.line("require \"json\"");
    }
    code.line("require \"net/http\"");
    code.blank();
    code.line(format!("uri = URI({})", ruby_string(&request.url)));
    code.line(match request.method.as_str() {
        method @ ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "TRACE") => {
            format!("request = Net::HTTP::{}{}.new(uri)", method.slice(..1), method.slice(1..).to_lowercase())
        }
        method => format!("request = Net::HTTPGenericRequest.new({}, true, true, uri)", ruby_string(method)),
    });
    for (name, value) in &request.headers {
        code.line(format!("request[{}] = {}", ruby_string(name), ruby_string(value)));
    }
    if let Some((user, password)) = &request.basic {
        code.line(format!("request.basic_auth({}, {})", ruby_string(user), ruby_string(password)));
    }
    if !request.cookies.is_empty() {
        code.line(format!("request[\"Cookie\"] = {}", ruby_string(&parts::cookie_header(&request.cookies))));
    }
    // `set_form` says it itself
    if let Some(media) = parts::content_type(&request.body).filter(|_| !matches!(request.body, SampleBody::Form(_))) {
        code.line(format!("request[\"Content-Type\"] = {}", ruby_string(media)));
    }
    write_ruby_body(&mut code, &request.body);
    code.blank();
    let secure = if request.url.starts_with("https://") {
        ", use_ssl: true"
    } else if request.url.starts_with("http://") {
        ""
    } else {
        ", use_ssl: uri.scheme == \"https\""
    };
    code.open(format!("response = Net::HTTP.start(uri.hostname, uri.port{secure}) do |http|"));
    code.line("http.request(request)");
    code.close("end");
    code.blank();
    code.line(if parts::is_head(request) { "puts response.to_hash" } else { "puts response.body" });
    code.finish()
}

fn ruby_string(text: &str) -> String {
    RUBY.literal(text)
}

fn uses_json(body: &SampleBody) -> bool {
    match body {
        SampleBody::Json(..) => true,
        SampleBody::Multipart(parts) => parts.iter().any(|part| matches!(part.value, PartValue::Json(_))),
        _ => false,
    }
}

fn write_ruby_body(code: &mut SampleCode, body: &SampleBody) {
    match body {
        SampleBody::Empty => {}
        SampleBody::Json(_, value) => {
            code.line(format!("request.body = JSON.generate({})", RUBY_HASH.literal(value, 0)));
        }
        SampleBody::Form(pairs) if pairs.is_empty() => code.line("request.set_form_data({})"),
        SampleBody::Form(pairs) => {
            let listed = parts::has_repeated_name(parts::pair_names(pairs));
            code.open(if listed { "request.set_form_data([" } else { "request.set_form_data(" });
            for (index, (name, value)) in pairs.iter().enumerate() {
                let comma = if index + 1 < pairs.len() { "," } else { "" };
                let (name, value) = (ruby_string(name), ruby_string(value));
                code.line(if listed {
                    format!("[{name}, {value}]{comma}")
                } else {
                    format!("{name} => {value}{comma}")
                });
            }
            code.close(if listed { "])" } else { ")" });
        }
        SampleBody::Multipart(parts) => {
            code.open("request.set_form([");
            for (index, part) in parts.iter().enumerate() {
                let comma = if index + 1 < parts.len() { "," } else { "" };
                code.line(format!("[{}]{comma}", part_items(part)));
            }
            code.close("], \"multipart/form-data\")");
        }
        SampleBody::Text(_, content) => {
            let (reference, lines) = literal::ruby_block(content);
            code.line(format!("request.body = {reference}"));
            if let Some(lines) = lines {
                code.line(lines);
            }
        }
        SampleBody::File(_, name) => code.line(format!("request.body = File.binread({})", ruby_string(name))),
    }
}

fn part_items(part: &MultipartPart) -> String {
    let name = ruby_string(&part.name);
    match &part.value {
        PartValue::Text(value) => format!("{name}, {}", ruby_string(value)),
        PartValue::Json(value) => {
            let json = format!("JSON.generate({})", RUBY_HASH.literal(value, 1));
            format!("{name}, {json}, {{ content_type: \"application/json\" }}")
        }
        PartValue::File(file) => format!("{name}, File.open({})", ruby_string(file)),
    }
}
