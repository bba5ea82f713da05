//! What a request says about the form of its answer: codings and types.

use hyper::HeaderMap;
use hyper::header::{ACCEPT, ACCEPT_ENCODING, AsHeaderName};

/// Most parts of a list in a header that are looked at.
const MAX_LIST_PARTS: usize = 64;

/// The parts of a list header (`a;q=0.5, b`), over all lines of it: name and weight in thousandths.
fn weighted(headers: &HeaderMap, name: impl AsHeaderName) -> impl Iterator<Item = (&str, u16)> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).take(MAX_LIST_PARTS).map(|part| {
        let mut fields = part.split(';').map(str::trim);
        let name = fields.next().unwrap_or_default();
        let weight = fields.find_map(|field| field.strip_prefix("q=").or_else(|| field.strip_prefix("Q=")));
        (name, weight.map_or(1000, thousandths))
    })
}

/// `0.8` as 800; what is no weight counts as none.
fn thousandths(weight: &str) -> u16 {
    weight
        .parse::<f32>()
        .ok()
        .filter(|weight| (0.0..=1.0).contains(weight))
        .map_or(0, |weight| (weight * 1000.0) as u16)
}

/// Whether the client takes gzip.
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let Some(first) = headers.get(ACCEPT_ENCODING) else { return false };
    // browsers name it first and without a weight; this spares them the rest
    if first.as_bytes().strip_prefix(b"gzip").is_some_and(|rest| matches!(rest, [] | [b',', ..])) {
        return true;
    }
    let mut any = 0;
    for (name, weight) in weighted(headers, ACCEPT_ENCODING) {
        if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
            return weight > 0;
        }
        if name == "*" {
            any = weight;
        }
    }
    any > 0
}

/// Whether the client would rather have a page as Markdown: it names Markdown or plain text, and HTML not before that.
pub(super) fn wants_markdown(headers: &HeaderMap) -> bool {
    let Some(first) = headers.get(ACCEPT) else { return false };
    // browsers never name either, and write in lower case; this spares them the rest
    let names = |kind: &[u8]| memchr::memmem::find(first.as_bytes(), kind).is_some();
    let is_lower = !first.as_bytes().iter().fold(false, |any, byte| any | byte.is_ascii_uppercase());
    if is_lower && !names(b"text/markdown") && !names(b"text/plain") {
        return false;
    }
    // the most specific name of a type decides
    let (mut markdown, mut html, mut text, mut any) = (0, None, None, None);
    for (name, weight) in weighted(headers, ACCEPT) {
        let more = |known: Option<u16>| Some(known.map_or(weight, |known| known.max(weight)));
        match name.to_ascii_lowercase().as_str() {
            "text/markdown" | "text/plain" => markdown = weight.max(markdown),
            "text/html" | "application/xhtml+xml" => html = more(html),
            "text/*" => text = more(text),
            "*/*" => any = more(any),
            _ => {}
        }
    }
    markdown > 0 && markdown >= html.or(text).or(any).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        lines
            .iter()
            .map(|(name, value)| (hyper::header::HeaderName::from_static(name), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn gzip_is_for_those_who_take_it() {
        for yes in ["gzip", "deflate, gzip;q=0.5", "GZIP", "br;q=1.0, gzip;q=0.001", "*", "x-gzip", "identity, *;q=0.1"]
        {
            assert!(takes_gzip(&headers(&[("accept-encoding", yes)])), "{yes}");
        }
        for no in ["", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *", "identity", "gzip;q=2", "gzipped"] {
            assert!(!takes_gzip(&headers(&[("accept-encoding", no)])), "{no}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
        assert!(takes_gzip(&headers(&[("accept-encoding", "br"), ("accept-encoding", "gzip")])));
    }

    #[test]
    fn markdown_is_for_those_who_name_it() {
        for yes in [
            "text/markdown",
            "text/markdown, text/html, */*",
            "text/html;q=0.5,text/markdown;q=0.6",
            "text/plain",
            "text/markdown;q=0.1",
            "Text/Markdown",
            "text/markdown, */*;q=0.1",
            "text/html;q=0.1, */*, text/markdown;q=0.2",
        ] {
            assert!(wants_markdown(&headers(&[("accept", yes)])), "{yes}");
        }
        for no in [
            "",
            "*/*",
            "text/html",
            "text/html,application/xhtml+xml,*/*;q=0.8",
            "text/html, text/markdown;q=0.9",
            "TEXT/HTML, TEXT/MARKDOWN;Q=0.9",
            "text/markdown;q=0",
            "text/*",
            "*/*, text/markdown;q=0.5",
            "text/*;q=0.9, text/markdown;q=0.5, */*;q=0.1",
        ] {
            assert!(!wants_markdown(&headers(&[("accept", no)])), "{no}");
        }
        assert!(!wants_markdown(&HeaderMap::new()));
    }
}
