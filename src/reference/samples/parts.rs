//! What the samples of several languages need of a request.

use url::form_urlencoded;

use base::cut::SliceText as _;

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::native;

/// The media type that a body is sent with, where its length and a boundary need not be known.
pub(super) fn content_type(body: &SampleBody) -> Option<&str> {
    match body {
        SampleBody::Json(media, _) | SampleBody::Text(media, _) | SampleBody::File(media, _) => Some(media),
        SampleBody::Form(_) => Some("application/x-www-form-urlencoded"),
        SampleBody::Empty | SampleBody::Multipart(_) => None,
    }
}

/// The headers, and the `Content-Type` of the body.
pub(super) fn sample_headers(request: &SampleRequest) -> Vec<(&str, &str)> {
    let mut headers: Vec<_> = request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    headers.extend(content_type(&request.body).map(|media| ("Content-Type", media)));
    headers
}

/// The value of a `Cookie` header.
pub(super) fn cookie_header(cookies: &[(String, String)]) -> String {
    cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
}

/// `application/x-www-form-urlencoded` text.
pub(super) fn encoded_form(pairs: &[(String, String)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// Whether a name occurs twice, which a map cannot hold.
pub(super) fn has_repeated_name<'a>(names: impl IntoIterator<Item = &'a str>) -> bool {
    let mut seen = Vec::new();
    names.into_iter().any(|name| {
        // maps of PowerShell ignore case
        let name = name.to_lowercase();
        let known = seen.contains(&name);
        seen.push(name);
        known
    })
}

/// The names of pairs.
pub(super) fn pair_names(pairs: &[(String, String)]) -> impl Iterator<Item = &str> {
    pairs.iter().map(|(name, _)| name.as_str())
}

/// Whether the method says by itself that nothing but headers is answered.
pub(super) fn is_head(request: &SampleRequest) -> bool {
    request.method == "HEAD"
}

/// The text of a part that is no file, and whether it is JSON.
pub(super) fn part_text(part: &MultipartPart) -> Option<(String, bool)> {
    match &part.value {
        PartValue::Text(text) => Some((text.clone(), false)),
        PartValue::Json(value) => Some((native::compact(value), true)),
        PartValue::File(_) => None,
    }
}

/// A piece of a `multipart/form-data` body, for languages whose clients do not write one.
pub(super) enum MultipartPiece {
    /// Two hyphens, the boundary and a line end: before a part.
    Boundary,
    /// The same with two hyphens at its end: after the last part.
    End,
    /// This text.
    Text(String),
    /// The content of this file.
    File(String),
}

/// The pieces of a `multipart/form-data` body.
pub(super) fn multipart_pieces(parts: &[MultipartPart]) -> Vec<MultipartPiece> {
    let mut pieces = Vec::new();
    for part in parts {
        pieces.push(MultipartPiece::Boundary);
        let name = disposition_text(&part.name);
        let disposition = format!("Content-Disposition: form-data; name=\"{name}\"");
        match (&part.value, part_text(part)) {
            (PartValue::File(file), _) => {
                let file_name = disposition_text(base_name(file));
                pieces.push(MultipartPiece::Text(format!("{disposition}; filename=\"{file_name}\"\r\n")));
                pieces.push(MultipartPiece::Text("Content-Type: application/octet-stream\r\n\r\n".to_owned()));
                pieces.push(MultipartPiece::File(file.clone()));
                pieces.push(MultipartPiece::Text("\r\n".to_owned()));
            }
            (_, Some((text, true))) => {
                pieces.push(MultipartPiece::Text(format!("{disposition}\r\n")));
                pieces.push(MultipartPiece::Text("Content-Type: application/json\r\n\r\n".to_owned()));
                pieces.push(MultipartPiece::Text(format!("{text}\r\n")));
            }
            (_, text) => {
                pieces.push(MultipartPiece::Text(format!("{disposition}\r\n\r\n")));
                pieces.push(MultipartPiece::Text(format!("{}\r\n", text.map_or_else(String::new, |(text, _)| text))));
            }
        }
    }
    pieces.push(MultipartPiece::End);
    pieces
}

/// As browsers write names into `Content-Disposition`.
fn disposition_text(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

/// The name of a file without its folders.
pub(super) fn base_name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// Scheme, host and port, of a URL that may hold placeholders.
pub(super) fn url_origin(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url.slice(start..).find(['/', '?', '#']).map_or(url.len(), |at| start + at);
    url.slice(..end)
}

/// The host of a URL that may hold placeholders.
pub(super) fn host(url: &str) -> &str {
    let origin = url_origin(url);
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    // a port, not a part of an address in brackets
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}
