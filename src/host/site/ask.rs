//! What a request says about the form of its answer: codings, types, versions that it has, parts that it wants.

use hyper::HeaderMap;
use hyper::header::{ACCEPT, ACCEPT_ENCODING, AsHeaderName, HeaderValue, IF_NONE_MATCH, IF_RANGE, RANGE};

/// Most parts of a list in a header that are looked at.
const PARTS: usize = 64;

/// The parts of a list header (`a;q=0.5, b`), over all lines of it: name and weight in thousandths.
fn weighted(headers: &HeaderMap, name: impl AsHeaderName) -> impl Iterator<Item = (&str, u16)> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).take(PARTS).map(|part| {
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

/// Whether the client has this version already.
pub(super) fn has_version(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    if !headers.contains_key(IF_NONE_MATCH) {
        return false;
    }
    let Ok(tag) = tag.to_str() else { return false };
    let lists = headers.get_all(IF_NONE_MATCH).into_iter().filter_map(|list| list.to_str().ok());
    lists
        .flat_map(|list| list.split(','))
        .take(PARTS)
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

/// The part that a client wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Everything.
    All,
    /// From the first to before the second byte.
    Of(u64, u64),
    /// Beyond the end.
    None,
}

/// Whether the request asks for a part at all.
pub(super) fn wants_part(headers: &HeaderMap) -> bool {
    headers.contains_key(RANGE)
}

/// The part of `size` bytes that the request asks for. Several parts, other units and what cannot be read mean all of
/// it, and so does a part of another version.
pub(super) fn part(headers: &HeaderMap, tag: &HeaderValue, size: u64) -> Part {
    let Some(range) = headers.get(RANGE).and_then(|range| range.to_str().ok()) else { return Part::All };
    if headers.get(IF_RANGE).is_some_and(|version| version != tag) {
        return Part::All;
    }
    range.strip_prefix("bytes=").and_then(|range| one_part(range, size)).unwrap_or(Part::All)
}

fn one_part(range: &str, size: u64) -> Option<Part> {
    let number =
        |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse::<u64>().ok())?;
    let (first, last) = range.split_once('-').map(|(first, last)| (first.trim(), last.trim()))?;
    if first.is_empty() {
        let count = number(last)?;
        return Some(if count == 0 || size == 0 { Part::None } else { Part::Of(size.saturating_sub(count), size) });
    }
    let first = number(first)?;
    let last = if last.is_empty() { u64::MAX } else { number(last)? };
    match () {
        () if last < first => None,
        () if first >= size => Some(Part::None),
        () => Some(Part::Of(first, last.saturating_add(1).min(size))),
    }
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

    #[test]
    fn known_versions_are_compared_weakly() {
        let tag = HeaderValue::from_static("\"a\"");
        for yes in ["\"a\"", "\"b\", \"a\"", "W/\"a\"", "*"] {
            assert!(has_version(&headers(&[("if-none-match", yes)]), &tag), "{yes}");
        }
        for no in ["", "a", "\"b\"", "\"a-gzip\""] {
            assert!(!has_version(&headers(&[("if-none-match", no)]), &tag), "{no}");
        }
    }

    #[track_caller]
    fn check(range: &str, size: u64, expect: Part) {
        assert_eq!(part(&headers(&[("range", range)]), &HeaderValue::from_static("\"a\""), size), expect, "{range}");
    }

    #[test]
    fn parts_are_one_range_of_bytes() {
        check("bytes=0-3", 10, Part::Of(0, 4));
        check("bytes=4-", 10, Part::Of(4, 10));
        check("bytes=-3", 10, Part::Of(7, 10));
        check("bytes=-30", 10, Part::Of(0, 10));
        check("bytes=5-100", 10, Part::Of(5, 10));
        check("bytes=9-18446744073709551615", 10, Part::Of(9, 10));
        check("bytes=10-", 10, Part::None);
        check("bytes=-0", 10, Part::None);
        check("bytes=0-", 0, Part::None);
        for all in [
            "bytes=4-2",
            "bytes=-",
            "bytes=0-1,3-4",
            "items=0-1",
            "bytes=a-b",
            "bytes=99999999999999999999-",
            "",
            "bytes=+1-2",
        ] {
            check(all, 10, Part::All);
        }
    }

    #[test]
    fn parts_are_of_the_version_that_the_client_has() {
        let tag = HeaderValue::from_static("\"a\"");
        assert_eq!(part(&headers(&[("range", "bytes=0-1"), ("if-range", "\"a\"")]), &tag, 10), Part::Of(0, 2));
        for other in ["\"b\"", "W/\"a\"", "Sat, 21 Nov 2026 10:00:00 GMT"] {
            assert_eq!(part(&headers(&[("range", "bytes=0-1"), ("if-range", other)]), &tag, 10), Part::All);
        }
    }
    proptest::proptest! {
        #[test]
        fn parts_lie_within_the_file(range in "(bytes=)?[0-9,= -]{0,24}", size in 0_u64..40) {
            match part(&headers(&[("range", &range)]), &HeaderValue::from_static("\"a\""), size) {
                Part::Of(first, end) => proptest::prop_assert!(first < end && end <= size),
                Part::All | Part::None => {}
            }
        }
    }
}
