//! Moments as seconds since 1970, and how they are written.

use std::fmt::Display;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::rfc2822::DateTimePrinter;
use jiff::tz::Offset;

/// RFC 3339: `2026-11-20T10:03:12Z`. Moments after the year 9999 stay at its end.
pub fn rfc3339_seconds(seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX).min(Timestamp::MAX.as_second());
    Timestamp::from_second(seconds).unwrap_or_default().to_string()
}

/// RFC 3339: `2026-11-20T10:03:12.417Z`. Moments after the year 9999 stay at its end.
pub fn rfc3339_millis(millis: u64) -> String {
    let moment = i64::try_from(millis).ok().and_then(|millis| Timestamp::from_millisecond(millis).ok());
    format!("{:.3}", moment.unwrap_or(Timestamp::MAX))
}

/// A date as feeds write it: `Fri, 20 Nov 2026 10:03:12 GMT`; `None` if it is not within the years 0 to 9999.
pub fn rfc2822_seconds(seconds: i64) -> Option<String> {
    DateTimePrinter::new().timestamp_to_rfc9110_string(&Timestamp::from_second(seconds).ok()?).ok()
}

/// `June 4, 2025`. `month` is counted from 1; `None` if there is no such month.
pub fn format_long_date(year: impl Display, month: usize, day: impl Display) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let month = MONTHS.get(month.checked_sub(1)?)?;
    Some(format!("{month} {day}, {year}"))
}

/// Seconds from 1970 to a moment of RFC 3339, which says its offset; `None` before 1970.
pub fn seconds_of_moment(text: &str) -> Option<u64> {
    u64::try_from(text.parse::<Timestamp>().ok()?.as_second()).ok()
}

/// Seconds from 1970 to midnight UTC of a day; `None` before 1970, and for a day that its month does not have.
pub fn seconds_of_date(year: i16, month: i8, day: i8) -> Option<u64> {
    let day = Date::new(year, month, day).ok()?;
    u64::try_from(Offset::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok()?.as_second()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_rfc_3339() {
        for seconds in [0, 951_827_696, 1_793_181_792] {
            assert_eq!(seconds_of_moment(&rfc3339_seconds(seconds)), Some(seconds));
        }
        assert_eq!(seconds_of_moment("2026-11-20T11:03:12+01:00"), Some(1_795_168_992));
        for other in ["2026-11-20", "now", "1969-12-31T23:59:59Z"] {
            assert_eq!(seconds_of_moment(other), None, "{other}");
        }
        assert_eq!(rfc3339_seconds(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339_seconds(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339_seconds(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(rfc3339_seconds(1_795_168_992), "2026-11-20T10:03:12Z");
        assert_eq!(rfc3339_millis(1_795_168_992_417), "2026-11-20T10:03:12.417Z");
        assert_eq!(rfc2822_seconds(1_795_168_992).as_deref(), Some("Fri, 20 Nov 2026 10:03:12 GMT"));
        assert_eq!((rfc2822_seconds(i64::MAX), rfc2822_seconds(i64::MIN)), (None, None));
    }

    #[test]
    fn moments_end_with_the_year_9999() {
        assert_eq!(rfc3339_seconds(u64::MAX), "9999-12-30T22:00:00Z");
        assert_eq!(rfc3339_millis(u64::MAX), "9999-12-30T22:00:00.999Z");
    }

    #[test]
    fn dates_are_midnight() {
        assert_eq!(seconds_of_date(1970, 1, 1), Some(0));
        assert_eq!(seconds_of_date(2026, 11, 20), Some(1_795_132_800));
        for (year, month, day) in [(1969, 12, 31), (2026, 2, 29), (2000, 1, 0), (2026, 13, 1)] {
            assert_eq!(seconds_of_date(year, month, day), None, "{year}-{month}-{day}");
        }
    }
}
