//! The part of a file that a request selects (RFC 9110, section 14): one range of bytes is honored; several, other
//! units and malformed ones mean all of it, and so does a part of another version.

use hyper::HeaderMap;
use hyper::header::{IF_RANGE, RANGE};

/// What a request selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteRange {
    /// Everything.
    Whole,
    /// From the first to before the second byte.
    Part(u64, u64),
    /// Beyond the end.
    Unsatisfiable,
}

/// What a request selects of `size` bytes; `tag` is their strong entity tag, with its quotes.
pub fn of_request(headers: &HeaderMap, tag: &str, size: u64) -> ByteRange {
    let mut values = headers.get_all(RANGE).iter();
    let (Some(written), None) = (values.next().and_then(|value| value.to_str().ok()), values.next()) else {
        return ByteRange::Whole;
    };
    // a tag that is weak or a date says nothing about bytes
    if headers.get(IF_RANGE).is_some_and(|condition| condition.as_bytes() != tag.as_bytes()) {
        return ByteRange::Whole;
    }
    let Some((unit, spec)) = written.split_once('=') else { return ByteRange::Whole };
    let Some((first, last)) = spec.trim().split_once('-').filter(|_| unit.trim().eq_ignore_ascii_case("bytes")) else {
        return ByteRange::Whole;
    };
    let (first, last) = match (parse_range_number(first), parse_range_number(last)) {
        (Some(Some(first)), Some(Some(last))) if first <= last => (first, last),
        (Some(Some(first)), Some(None)) => (first, u64::MAX),
        (Some(None), Some(Some(0))) => return ByteRange::Unsatisfiable,
        (Some(None), Some(Some(count))) => (size.saturating_sub(count), u64::MAX),
        _ => return ByteRange::Whole,
    };
    if first >= size {
        return ByteRange::Unsatisfiable;
    }
    ByteRange::Part(first, last.saturating_add(1).min(size))
}

/// Nothing, or a number; what is larger than all files is as large as it gets. `None` if it is neither.
fn parse_range_number(text: &str) -> Option<Option<u64>> {
    let text = text.trim();
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((!text.is_empty()).then(|| text.parse().unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use hyper::header::{HeaderName, HeaderValue};

    use super::*;

    #[track_caller]
    fn check(fields: &[(HeaderName, &str)], size: u64, expect: ByteRange) {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(name, HeaderValue::from_str(value).unwrap());
        }
        assert_eq!(of_request(&headers, "\"tag\"", size), expect, "{fields:?} of {size}");
    }

    #[test]
    fn one_range_is_honored() {
        check(&[], 10, ByteRange::Whole);
        for (range, first, end) in [
            ("bytes=0-3", 0, 4),
            ("bytes=4-", 4, 10),
            ("Bytes=9-", 9, 10),
            ("bytes=-3", 7, 10),
            ("bytes=-30", 0, 10),
            ("bytes=5-100", 5, 10),
            ("bytes=9-18446744073709551615", 9, 10),
            ("bytes=5-18446744073709551616", 5, 10),
        ] {
            check(&[(RANGE, range)], 10, ByteRange::Part(first, end));
        }
        for unsatisfiable in ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-"] {
            check(&[(RANGE, unsatisfiable)], 10, ByteRange::Unsatisfiable);
        }
        check(&[(RANGE, "bytes=0-")], 0, ByteRange::Unsatisfiable);
        check(&[(RANGE, "bytes=-3")], 0, ByteRange::Unsatisfiable);
    }

    #[test]
    fn anything_else_means_all() {
        for other in [
            "bytes=0-1,3-4",
            "items=0-1",
            "bytes=4-2",
            "bytes=-",
            "bytes=a-b",
            "bytes=0x1-2",
            "bytes",
            "bytes=+1-2",
            "bytes=--1",
            "",
        ] {
            check(&[(RANGE, other)], 10, ByteRange::Whole);
        }
        check(&[(RANGE, "bytes=0-1"), (RANGE, "bytes=2-3")], 10, ByteRange::Whole);
    }

    #[test]
    fn parts_are_of_the_version_that_the_client_has() {
        check(&[(RANGE, "bytes=0-1"), (IF_RANGE, "\"tag\"")], 10, ByteRange::Part(0, 2));
        for other in ["\"other\"", "W/\"tag\"", "Fri, 20 Nov 2026 10:00:00 GMT"] {
            check(&[(RANGE, "bytes=0-1"), (IF_RANGE, other)], 10, ByteRange::Whole);
            check(&[(RANGE, "bytes=99-"), (IF_RANGE, other)], 10, ByteRange::Whole);
        }
    }

    proptest::proptest! {
        #[test]
        fn parts_lie_within_the_file(range in "(bytes=)?[0-9,= -]{0,24}", size in 0_u64..40) {
            let headers = HeaderMap::from_iter([(RANGE, HeaderValue::from_str(&range).unwrap())]);
            if let ByteRange::Part(first, end) = of_request(&headers, "\"tag\"", size) {
                proptest::prop_assert!(first < end && end <= size);
            }
        }
    }
}
