//! Moments as the manifest has them.

use jiff::Timestamp;

/// Checks a moment, RFC 3339 in UTC to the second or seconds since 1970, and returns the former.
///
/// # Errors
/// A sentence that says what is right.
pub fn timestamp(text: &str) -> Result<String, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let moment: Option<Timestamp> = if is_number {
        text.parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok())
    } else {
        // other ways to write it, with an offset or a fraction, would be other bytes of the manifest
        text.parse().ok().filter(|moment: &Timestamp| format!("{moment:.0}") == text)
    };
    moment
        .filter(|moment| *moment >= Timestamp::UNIX_EPOCH)
        .map(|moment| moment.to_string())
        .ok_or_else(|| "a moment such as `2026-11-20T10:00:00Z`, or seconds since 1970".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        assert_eq!(timestamp(text).ok().as_deref(), expect);
    }

    #[test]
    fn moments() {
        check("2026-11-20T10:00:00Z", Some("2026-11-20T10:00:00Z"));
        check("0", Some("1970-01-01T00:00:00Z"));
        check("951782400", Some("2000-02-29T00:00:00Z"));
        check("4107542399", Some("2100-02-28T23:59:59Z"));
        check("4107542400", Some("2100-03-01T00:00:00Z"));
        check("253402207200", Some("9999-12-30T22:00:00Z"));
        check("2024-02-29T23:59:59Z", Some("2024-02-29T23:59:59Z"));
        for wrong in [
            "",
            "253402300800",
            "99999999999999999999",
            "1969-12-31T23:59:59Z",
            "2026-11-20T23:59:60Z",
            "2026-11-20T10:00:00.5Z",
            "2026-11-20t10:00:00z",
            "-1",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-11-20T24:00:00Z",
            "2026-11-20",
            "2026-11-20T10:00:00+01:00",
            "ä026-11-20T10:00:0Z",
        ] {
            check(wrong, None);
        }
    }
}
