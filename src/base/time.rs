//! Moments: seconds since 1970 to RFC 3339 in UTC, and dates to seconds.

/// Seconds of a day.
const DAY: u64 = 86_400;

/// `2026-11-20T10:03:12Z`.
pub fn rfc3339_seconds(seconds: u64) -> String {
    let (year, month, day) = date(seconds / DAY);
    let second = seconds % DAY;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// Seconds from 1970 to midnight of a day of the Gregorian calendar; `None` before 1970.
pub fn seconds_of(year: u64, month: u64, day: u64) -> Option<u64> {
    // the count starts on 1 March of the year 0: then a leap day is the last of its year
    let (year, month) = if month <= 2 { (year.checked_sub(1)?, month + 9) } else { (year, month - 3) };
    let (era, year_of_era) = (year / 400, year % 400);
    let day_of_year = (153 * month + 2) / 5 + day.checked_sub(1)?;
    let days = era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    days.checked_sub(719_468).map(|days| days * DAY)
}

/// Seconds from 1970 to `2026-11-20T10:03:12Z`; `None` where its numbers are not. What stands between them is not
/// looked at.
pub fn seconds_of_moment(text: &str) -> Option<u64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
    let midnight = seconds_of(number(0, 4)?, number(5, 7)?, number(8, 10)?)?;
    Some(midnight + number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?)
}

/// Year, month and day of a day counted from 1970, after Howard Hinnant's `civil_from_days`.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let civil = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + u64::from(civil <= 2), civil, day_of_year - (153 * month + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_rfc_3339() {
        for seconds in [0, 951_827_696, 1_793_181_792] {
            assert_eq!(seconds_of_moment(&rfc3339_seconds(seconds)), Some(seconds));
        }
        assert_eq!((seconds_of_moment("2026-11-20"), seconds_of_moment("now")), (None, None));
        assert_eq!(rfc3339_seconds(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339_seconds(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339_seconds(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(rfc3339_seconds(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(rfc3339_seconds(1_795_168_992), "2026-11-20T10:03:12Z");
    }

    #[test]
    fn days_count_both_ways() {
        for days in (0..60_000).step_by(7) {
            let (year, month, day) = date(days);
            assert_eq!(seconds_of(year, month, day), Some(days * DAY), "{year}-{month}-{day}");
        }
        assert_eq!((seconds_of(1969, 12, 31), seconds_of(0, 1, 1), seconds_of(2000, 1, 0)), (None, None, None));
    }
}
