//! Samples for Rust, with reqwest.

use super::super::request::{Part, PartValue, SampleBody, SampleRequest};
use super::code::Code;
use super::literal::{self, BRACED};
use super::native::RUST;
use super::{native, parts};

pub(super) fn sample(request: &SampleRequest) -> String {
    let mut code = Code::new("    ");
    if matches!(request.body, SampleBody::Json(..)) {
        code.line("use serde_json::json;");
        code.blank();
    }
    code.line("#[tokio::main]");
    code.open("async fn main() -> Result<(), Box<dyn std::error::Error>> {");
    let body = body(&mut code, &request.body);
    code.open("let response = reqwest::Client::new()");
    code.line(match request.method.as_str() {
        method @ ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE") => {
            format!(".{}({})", method.to_lowercase(), text(&request.url))
        }
        method @ ("OPTIONS" | "TRACE") => format!(".request(reqwest::Method::{method}, {})", text(&request.url)),
        method => format!(".request({}.parse()?, {})", text(method), text(&request.url)),
    });
    if let Some((user, password)) = &request.basic {
        code.line(format!(".basic_auth({}, Some({}))", text(user), text(password)));
    }
    for (name, value) in &request.headers {
        code.line(format!(".header({}, {})", text(name), text(value)));
    }
    if !request.cookies.is_empty() {
        code.line(format!(".header(\"Cookie\", {})", text(&parts::cookie_header(&request.cookies))));
    }
    let own = match &request.body {
        SampleBody::Json(media, _) => media == "application/json",
        SampleBody::Form(_) => true,
        _ => false,
    };
    if let Some(media) = parts::content_type(&request.body).filter(|_| !own) {
        code.line(format!(".header(\"Content-Type\", {})", text(media)));
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

fn text(text: &str) -> String {
    BRACED.literal(text)
}

/// Writes what has to stand before the request. Returns the call that adds the body.
fn body(code: &mut Code, body: &SampleBody) -> Option<String> {
    Some(match body {
        SampleBody::Empty => return None,
        SampleBody::Json(_, value) => format!(".json(&json!({}))", RUST.literal(value, 2)),
        SampleBody::Form(pairs) => {
            let pairs: Vec<String> =
                pairs.iter().map(|(name, value)| format!("({}, {})", text(name), text(value))).collect();
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
                code.line(format!("{}{end}", form_part(part)));
            }
            code.close("");
            ".multipart(form)".to_owned()
        }
        SampleBody::Text(_, content) => format!(".body({})", literal::rust_block(content)),
        SampleBody::File(_, name) => format!(".body(std::fs::read({})?)", text(name)),
    })
}

fn form_part(part: &Part) -> String {
    let name = text(&part.name);
    match &part.value {
        PartValue::Text(value) => format!(".text({name}, {})", text(value)),
        PartValue::Json(value) => {
            let json = native::compact(value);
            let json = if json.contains("\"#") { text(&json) } else { format!("r#\"{json}\"#") };
            format!(".part({name}, reqwest::multipart::Part::text({json}).mime_str(\"application/json\")?)")
        }
        PartValue::File(file) => format!(".file({name}, {}).await?", text(file)),
    }
}
