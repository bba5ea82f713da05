//! Samples for JavaScript in browsers and in Node.js, and for TypeScript, with fetch.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, PLAIN};
use super::native::JAVASCRIPT;
use super::parts;

/// Where a sample runs.
#[derive(Clone, Copy, PartialEq)]
enum Flavor {
    /// In a page: files come from an `input` element, cookies from the browser.
    Browser,
    Node,
    /// In Node.js, with types.
    TypeScript,
}

pub(super) fn javascript(request: &SampleRequest) -> String {
    fetch(request, Flavor::Browser)
}

pub(super) fn node(request: &SampleRequest) -> String {
    fetch(request, Flavor::Node)
}

pub(super) fn typescript(request: &SampleRequest) -> String {
    fetch(request, Flavor::TypeScript)
}

fn javascript_string(text: &str) -> String {
    PLAIN.literal(text)
}

fn fetch(request: &SampleRequest, flavor: Flavor) -> String {
    let mut code = SampleCode::new("  ");
    if sends_file(&request.body) {
        code.line(match flavor {
            Flavor::Browser => "const input = document.querySelector(\"input[type=file]\");",
            Flavor::Node | Flavor::TypeScript => "import { readFile } from \"node:fs/promises\";",
        });
        code.blank();
    }
    let body = write_fetch_body(&mut code, &request.body, flavor);
    let headers = fetch_headers(request, flavor);
    let credentials = flavor == Flavor::Browser && !request.cookies.is_empty();
    let url = javascript_string(&request.url);
    let typed = flavor == Flavor::TypeScript;
    if body.is_none() && headers.is_empty() && !credentials && !typed {
        code.line(format!(
            "const response = await fetch({url}, {{ method: {} }});",
            javascript_string(&request.method)
        ));
    } else {
        code.open(match flavor {
            Flavor::TypeScript => "const options: RequestInit = {".to_owned(),
            _ => format!("const response = await fetch({url}, {{"),
        });
        code.line(format!("method: {},", javascript_string(&request.method)));
        if credentials {
            code.line("credentials: \"include\", // the cookies of the browser");
        }
        if !headers.is_empty() {
            code.open("headers: {");
            for (name, value) in headers {
                code.line(format!("{}{value},", (JAVASCRIPT.key)(&name)));
            }
            code.close("},");
        }
        if let Some(body) = body {
            code.line(format!("body: {body},"));
        }
        code.close(if typed { "};" } else { "});" });
        if typed {
            code.blank();
            code.line(format!("const response: Response = await fetch({url}, options);"));
        }
    }
    if !typed {
        code.blank();
    }
    match (parts::is_head(request), typed) {
        (true, _) => code.line("console.log(response.headers);"),
        (false, false) => code.line("console.log(await response.text());"),
        (false, true) => {
            code.line("const content: string = await response.text();");
            code.line("console.log(content);");
        }
    }
    code.finish()
}

fn sends_file(body: &SampleBody) -> bool {
    match body {
        SampleBody::File(..) => true,
        SampleBody::Multipart(parts) => parts.iter().any(|part| matches!(part.value, PartValue::File(_))),
        _ => false,
    }
}

/// Names and expressions.
fn fetch_headers(request: &SampleRequest, flavor: Flavor) -> Vec<(String, String)> {
    let mut headers: Vec<_> =
        request.headers.iter().map(|(name, value)| (name.clone(), javascript_string(value))).collect();
    if let Some((user, password)) = &request.basic {
        let pair = format!("{user}:{password}");
        let encoded = match flavor {
            // `btoa` takes what ISO 8859-1 has
            Flavor::Browser if !pair.is_ascii() => javascript_string(&BASE64_STANDARD.encode(&pair)),
            Flavor::Browser => format!("btoa({})", javascript_string(&pair)),
            Flavor::Node | Flavor::TypeScript => {
                format!("Buffer.from({}).toString(\"base64\")", javascript_string(&pair))
            }
        };
        headers.push(("Authorization".to_owned(), format!("\"Basic \" + {encoded}")));
    }
    if flavor != Flavor::Browser && !request.cookies.is_empty() {
        headers.push(("Cookie".to_owned(), javascript_string(&parts::cookie_header(&request.cookies))));
    }
    // the client knows the type of a form
    if let Some(media) = parts::content_type(&request.body).filter(|_| !matches!(request.body, SampleBody::Form(_))) {
        headers.push(("Content-Type".to_owned(), javascript_string(media)));
    }
    headers
}

/// Writes what has to stand before the call. Returns the expression of the body.
fn write_fetch_body(code: &mut SampleCode, body: &SampleBody, flavor: Flavor) -> Option<String> {
    Some(match body {
        SampleBody::Empty => return None,
        SampleBody::Json(_, value) => format!("JSON.stringify({})", JAVASCRIPT.literal(value, 1)),
        SampleBody::Form(pairs) if parts::has_repeated_name(parts::pair_names(pairs)) => {
            code.line("const form = new URLSearchParams();");
            for (name, value) in pairs {
                code.line(format!("form.append({}, {});", javascript_string(name), javascript_string(value)));
            }
            code.blank();
            "form".to_owned()
        }
        SampleBody::Form(pairs) => {
            let mut fields = SampleCode::new("  ");
            fields.open("new URLSearchParams({");
            for (name, value) in pairs {
                fields.line(format!("{}{},", (JAVASCRIPT.key)(name), javascript_string(value)));
            }
            fields.close("})");
            super::code::hang(fields.finish().trim_end(), "  ")
        }
        SampleBody::Multipart(parts) => {
            code.line("const form = new FormData();");
            let mut file_index = 0;
            for part in parts {
                code.line(fetch_form_part(part, flavor, &mut file_index));
            }
            code.blank();
            "form".to_owned()
        }
        SampleBody::Text(_, content) => literal::javascript_block(content),
        SampleBody::File(..) if flavor == Flavor::Browser => "input.files[0]".to_owned(),
        SampleBody::File(_, name) => format!("await readFile({})", javascript_string(name)),
    })
}

fn fetch_form_part(part: &MultipartPart, flavor: Flavor, file_index: &mut usize) -> String {
    let name = javascript_string(&part.name);
    match &part.value {
        PartValue::Text(value) => format!("form.append({name}, {});", javascript_string(value)),
        PartValue::Json(value) => format!("form.append({name}, JSON.stringify({}));", JAVASCRIPT.literal(value, 0)),
        PartValue::File(file) => {
            let content = if flavor == Flavor::Browser {
                *file_index += 1;
                format!("input.files[{}]", *file_index - 1)
            } else {
                format!("new Blob([await readFile({})])", javascript_string(file))
            };
            format!("form.append({name}, {content}, {});", javascript_string(parts::base_name(file)))
        }
    }
}
