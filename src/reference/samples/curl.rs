//! Samples for a shell, with curl.

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::literal::shell;
use super::{native, parts};

pub(super) fn curl_sample(request: &SampleRequest) -> String {
    let mut options = Vec::new();
    // with `--request HEAD`, curl would wait for a body
    options.push(match request.method.as_str() {
        "HEAD" => "--head".to_owned(),
        method => format!("--request {}", shell(method)),
    });
    options.push(format!("--url {}", shell(&request.url)));
    if let Some((user, password)) = &request.basic {
        options.push(format!("--user {}", shell(&format!("{user}:{password}"))));
    }
    for (name, value) in &request.headers {
        // `Name:` would remove the header
        let header = if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") };
        options.push(format!("--header {}", shell(&header)));
    }
    if !request.cookies.is_empty() {
        options.push(format!("--cookie {}", shell(&parts::cookie_header(&request.cookies))));
    }
    match &request.body {
        SampleBody::Json(media, _) | SampleBody::Text(media, _) | SampleBody::File(media, _) => {
            options.push(format!("--header {}", shell(&format!("Content-Type: {media}"))));
        }
        SampleBody::Empty | SampleBody::Form(_) | SampleBody::Multipart(_) => {}
    }
    match &request.body {
        SampleBody::Empty => {}
        SampleBody::Json(_, value) => options.push(format!("--data {}", shell_quoted(&native::pretty_json(value)))),
        SampleBody::Form(pairs) if pairs.is_empty() => options.push("--data ''".to_owned()),
        SampleBody::Form(pairs) => options.extend(pairs.iter().map(form_field)),
        SampleBody::Multipart(parts) => options.extend(parts.iter().map(curl_form_part)),
        // `--data` takes what begins with an at sign for the name of a file
        SampleBody::Text(_, text) if text.starts_with('@') => {
            options.push(format!("--data-raw {}", shell_quoted(text)))
        }
        SampleBody::Text(_, text) => options.push(format!("--data {}", shell_quoted(text))),
        SampleBody::File(_, name) => options.push(format!("--data-binary {}", shell_quoted(&format!("@{name}")))),
    }
    format!("curl {}", options.join(" \\\n  "))
}

/// A word that is quoted even where it need not be.
fn shell_quoted(text: &str) -> String {
    let word = shell(text);
    if word.ends_with('\'') { word } else { format!("'{word}'") }
}

/// A field of a form: curl encodes the value, not the name.
fn form_field(field: &(String, String)) -> String {
    let (name, value) = field;
    let encoded = parts::encoded_form(std::slice::from_ref(field));
    if name.is_empty() || encoded == format!("{name}={value}") {
        return format!("--data {}", shell(&encoded));
    }
    let name = parts::encoded_form(&[(name.clone(), String::new())]);
    format!("--data-urlencode {}", shell(&format!("{name}{value}")))
}

fn curl_form_part(part: &MultipartPart) -> String {
    let name = &part.name;
    match &part.value {
        // these letters mean something at the start of a value, or end it
        PartValue::Text(text) if text.starts_with(['@', '<', '"', '(']) || text.contains(';') => {
            format!("--form-string {}", shell_quoted(&format!("{name}={text}")))
        }
        PartValue::Text(text) => format!("--form {}", shell_quoted(&format!("{name}={text}"))),
        PartValue::Json(value) => {
            let json = native::compact(value);
            let json = if json.contains(';') { in_quotes(&json) } else { json };
            format!("--form {}", shell_quoted(&format!("{name}={json};type=application/json")))
        }
        PartValue::File(file) => {
            let file = if file.contains([';', ',', '"']) { in_quotes(file) } else { file.clone() };
            format!("--form {}", shell_quoted(&format!("{name}=@{file}")))
        }
    }
}

/// A quoted value of `--form`.
fn in_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
