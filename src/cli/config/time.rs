//! Moments as the manifest has them.

/// Checks a moment, RFC 3339 in UTC to the second or seconds since 1970, and returns the former.
///
/// # Errors
/// A sentence that says what is right.
pub fn timestamp(text: &str) -> Result<String, String> {
    let wrong = || "a moment such as `2026-11-20T10:00:00Z`, or seconds since 1970".to_owned();
    if !text.is_empty() && text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok().and_then(from_seconds).ok_or_else(wrong);
    }
    let bytes = text.as_bytes();
    let shape = b"0000-00-00T00:00:00Z";
    let fits = |(byte, shape): (&u8, &u8)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == shape };
    if bytes.len() != shape.len() || !bytes.iter().zip(shape).all(fits) {
        return Err(wrong());
    }
    let number =
        |at: std::ops::Range<usize>| text.get(at).and_then(|digits| digits.parse::<u64>().ok()).unwrap_or(u64::MAX);
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let is_date = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    let is_time = number(11..13) < 24 && number(14..16) < 60 && number(17..19) < 60;
    if is_date && is_time && year >= 1970 { Ok(text.to_owned()) } else { Err(wrong()) }
}

/// A moment of the years 1970 to 9999.
fn from_seconds(seconds: u64) -> Option<String> {
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    while days >= days_of(year) {
        days -= days_of(year);
        year += 1;
        if year > 9999 {
            return None;
        }
    }
    let mut month = 1;
    while days >= days_in(year, month) {
        days -= days_in(year, month);
        month += 1;
    }
    Some(format!(
        "{year:04}-{month:02}-{:02}T{:02}:{:02}:{:02}Z",
        days + 1,
        second / 3600,
        second / 60 % 60,
        second % 60
    ))
}

fn days_of(year: u64) -> u64 {
    337 + days_in(year, 2)
}

fn days_in(year: u64, month: u64) -> u64 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
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
        check("253402300799", Some("9999-12-31T23:59:59Z"));
        check("2024-02-29T23:59:59Z", Some("2024-02-29T23:59:59Z"));
        for wrong in [
            "",
            "253402300800",
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
