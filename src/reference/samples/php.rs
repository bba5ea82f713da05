//! Samples for PHP, with its curl extension.

use serde_json::Value;

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, php};
use super::native::PHP;
use super::parts;

pub(super) fn php_sample(request: &SampleRequest) -> String {
    let mut code = SampleCode::new("    ");
    code.line("<?php");
    code.blank();
    code.line(format!("$curl = curl_init({});", php(&request.url)));
    code.blank();
    code.open("curl_setopt_array($curl, [");
    if parts::is_head(request) {
        code.line("CURLOPT_NOBODY => true,");
        code.line("CURLOPT_HEADER => true,");
    } else {
        code.line(format!("CURLOPT_CUSTOMREQUEST => {},", php(&request.method)));
    }
    code.line("CURLOPT_RETURNTRANSFER => true,");
    if let Some((user, password)) = &request.basic {
        code.line(format!("CURLOPT_USERPWD => {},", php(&format!("{user}:{password}"))));
    }
    let mut headers = parts::sample_headers(request);
    // the client's own
    if matches!(request.body, SampleBody::Form(_)) {
        headers.pop();
    }
    if !headers.is_empty() {
        code.open("CURLOPT_HTTPHEADER => [");
        for (name, value) in headers {
            // `Name:` would remove the header
            let header = if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") };
            code.line(format!("{},", php(&header)));
        }
        code.close("],");
    }
    if !request.cookies.is_empty() {
        code.line(format!("CURLOPT_COOKIE => {},", php(&parts::cookie_header(&request.cookies))));
    }
    if let Some(body) = php_body(&request.body) {
        code.line(format!("CURLOPT_POSTFIELDS => {body},"));
    }
    code.close("]);");
    code.blank();
    code.line("echo curl_exec($curl);");
    code.finish()
}

fn php_body(body: &SampleBody) -> Option<String> {
    Some(match body {
        SampleBody::Empty => return None,
        SampleBody::Json(_, value @ (Value::Array(_) | Value::Object(_))) => {
            format!("json_encode({})", PHP.literal(value, 1))
        }
        SampleBody::Json(_, value) => php(&super::native::compact(value)),
        // an array has each name once
        SampleBody::Form(pairs) if pairs.is_empty() || parts::has_repeated_name(parts::pair_names(pairs)) => {
            php(&parts::encoded_form(pairs))
        }
        SampleBody::Form(pairs) => {
            let fields = pairs.iter().map(|(name, value)| (name.as_str(), php(value)));
            format!("http_build_query({})", array(fields))
        }
        SampleBody::Multipart(parts) => array(parts.iter().map(|part| (part.name.as_str(), part_value(part)))),
        SampleBody::Text(_, text) => literal::php_block(text),
        SampleBody::File(_, name) => format!("file_get_contents({})", php(name)),
    })
}

fn part_value(part: &MultipartPart) -> String {
    match &part.value {
        PartValue::Text(text) => php(text),
        PartValue::Json(value) => format!("json_encode({})", PHP.literal(value, 1)),
        PartValue::File(name) => format!("new CURLFile({})", php(name)),
    }
}

/// An array as the value of an option.
fn array<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut code = SampleCode::new("    ");
    code.open("[");
    for (name, value) in pairs {
        code.line(format!("{} => {value},", php(name)));
    }
    code.close("]");
    super::code::hang(code.finish().trim_end(), "    ")
}
