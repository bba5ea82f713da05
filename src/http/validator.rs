//! Whether a client has a version of a file already (RFC 9110, section 13).

use hyper::HeaderMap;
use hyper::header::IF_NONE_MATCH;

/// Most parts of the header that are looked at.
const MAX_HEADER_PARTS: usize = 64;

/// Whether `If-None-Match` names an entity tag, which is given with its quotes. Tags are compared weakly.
pub fn has_version(headers: &HeaderMap, tag: &str) -> bool {
    // fast path: most requests have none
    if !headers.contains_key(IF_NONE_MATCH) {
        return false;
    }
    let lists = headers.get_all(IF_NONE_MATCH).into_iter().filter_map(|list| list.to_str().ok());
    lists
        .flat_map(|list| list.split(','))
        .take(MAX_HEADER_PARTS)
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn tags_are_compared_weakly() {
        let check = |value: &str| {
            has_version(&HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_str(value).unwrap())]), "\"a\"")
        };
        for yes in ["\"a\"", "\"b\", \"a\"", "W/\"a\"", "*"] {
            assert!(check(yes), "{yes}");
        }
        for no in ["", "a", "\"b\"", "\"a-gzip\""] {
            assert!(!check(no), "{no}");
        }
        assert!(!has_version(&HeaderMap::new(), "\"a\""));
    }
}
