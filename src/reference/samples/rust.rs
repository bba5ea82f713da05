//! Samples for Rust, with reqwest.

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, BRACED};
use super::native::RUST;
use super::{native, parts};

pub(super) fn rust_sample(request: &SampleRequest) -> String {
    let mut code = SampleCode::new("    ");
    if matches!(request.body, SampleBody::Json(..)) {
        code.line("use serde_json::json;");
        code.blank();
    }
    code.line("#[tokio::main]");
    code.open("async fn main() -> Result<(), Box<dyn std::error::Error>> {");
    let body = write_rust_body(&mut code, &request.body);
    code.open("let response = reqwest::Client::new()");
    code.line(match request.method.as_str() {
        method @ ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE") => {
            format!(".{}({})", method.to_lowercase(), rust_string(&request.url))
        }
        method @ ("OPTIONS" | "TRACE") => format!(".request(reqwest::Method::{method}, {})", rust_string(&request.url)),
        method => format!(".request({}.parse()?, {})", rust_string(method), rust_string(&request.url)),
    });
    if let Some((user, password)) = &request.basic {
        code.line(format!(".basic_auth({}, Some({}))", rust_string(user), rust_string(password)));
    }
    for (name, value) in &request.headers {
        code.line(format!(".header({}, {})", rust_string(name), rust_string(value)));
    }
    if !request.cookies.is_empty() {
        code.line(format!(".header(\"Cookie\", {})", rust_string(&parts::cookie_header(&request.cookies))));
    }
    let own = match &request.body {
        SampleBody::Json(media, _) => media == "application/json",
        SampleBody::Form(_) => true,
        _ => false,
    };
    if let Some(media) = parts::content_type(&request.body).filter(|_| !own) {
        code.line(format!(".header(\"Content-Type\", {})", rust_string(media)));
    }
    if let Some(body) = body {
        code.line(body);
    }
    code.line(".send()");
    code.line(".await?;");
    code.close("");
    code.line(if parts::is_head(request) {
        "println!(\"{:#?}\", response.headers());"
    } else {
        "println!(\"{}\", response.text().await?);"
    });
    code.line("Ok(())");
    code.close("}");
    code.finish()
}

fn rust_string(text: &str) -> String {
    BRACED.literal(text)
}

/// Writes what has to stand before the request. Returns the call that adds the body.
fn write_rust_body(code: &mut SampleCode, body: &SampleBody) -> Option<String> {
    Some(match body {
        SampleBody::Empty => return None,
        SampleBody::Json(_, value) => format!(".json(&json!({}))", RUST.literal(value, 2)),
        SampleBody::Form(pairs) => {
            let pairs: Vec<String> =
                pairs.iter().map(|(name, value)| format!("({}, {})", rust_string(name), rust_string(value))).collect();
            match pairs.as_slice() {
                [] => ".form(&[(\"\", \"\"); 0])".to_owned(),
                [pair] => format!(".form(&[{pair}])"),
                _ => format!(".form(&[\n            {},\n        ])", pairs.join(",\n            ")),
            }
        }
        SampleBody::Multipart(parts) => {
            code.open("let form = reqwest::multipart::Form::new()");
            for (index, part) in parts.iter().enumerate() {
                let end = if index + 1 < parts.len() { "" } else { ";" };
                code.line(format!("{}{end}", rust_form_part(part)));
            }
            code.close("");
            ".multipart(form)".to_owned()
        }
        SampleBody::Text(_, content) => format!(".body({})", literal::rust_block(content)),
        SampleBody::File(_, name) => format!(".body(std::fs::read({})?)", rust_string(name)),
    })
}

fn rust_form_part(part: &MultipartPart) -> String {
    let name = rust_string(&part.name);
    match &part.value {
        PartValue::Text(value) => format!(".text({name}, {})", rust_string(value)),
        PartValue::Json(value) => {
            let json = native::compact(value);
            let json = if json.contains("\"#") { rust_string(&json) } else { format!("r#\"{json}\"#") };
            format!(".part({name}, reqwest::multipart::Part::text({json}).mime_str(\"application/json\")?)")
        }
        PartValue::File(file) => format!(".file({name}, {}).await?", rust_string(file)),
    }
}
