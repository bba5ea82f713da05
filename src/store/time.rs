//! Moments of the store. Two clocks: what people read is the wall's, what leases and windows are measured with never jumps.

use std::fmt;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A moment: microseconds since 1970, UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(u64);

impl Time {
    /// By the wall clock.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
    }

    /// A number of microseconds since 1970.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970.
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// Whole seconds since 1970.
    pub const fn seconds(self) -> u64 {
        self.0 / 1_000_000
    }

    /// Some time later.
    #[must_use]
    pub fn plus(self, time: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX)))
    }

    /// Some time earlier, not before 1970.
    #[must_use]
    pub fn minus(self, time: Duration) -> Self {
        Self(self.0.saturating_sub(u64::try_from(time.as_micros()).unwrap_or(u64::MAX)))
    }

    /// How long after another moment; nothing if before it.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }
}

/// RFC 3339 in UTC with milliseconds: `2026-11-20T10:03:12.417Z`. Years after 9999 stay at its end.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = (self.0 / 1000).min(253_402_300_799_999);
        let (days, second) = (millis / 86_400_000, millis / 1000 % 86_400);
        let (year, month, day) = date(days);
        write!(f, "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z", second / 3600, second / 60 % 60, second % 60, millis % 1000)
    }
}

/// Year, month and day of a day since 1970, by eras of 400 years that begin in March (after Howard Hinnant's `civil_from_days`).
const fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

/// A clock that is set once, by the wall's, and then only runs: leases and rate windows survive a wall clock that is set back or forth.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    wall: Time,
    since: Instant,
}

impl Clock {
    /// Set now.
    pub fn start() -> Self {
        Self { wall: Time::now(), since: Instant::now() }
    }

    /// What it shows.
    pub fn now(&self) -> Time {
        self.wall.plus(self.since.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_as_people_read_them() {
        let check = |seconds: u64, expect: &str| assert_eq!(Time::from_micros(seconds * 1_000_000 + 417_999).to_string(), expect);
        check(0, "1970-01-01T00:00:00.417Z");
        check(951_782_399, "2000-02-28T23:59:59.417Z");
        check(951_782_400, "2000-02-29T00:00:00.417Z");
        check(4_107_542_400, "2100-03-01T00:00:00.417Z");
        check(1_795_168_992, "2026-11-20T10:03:12.417Z");
        check(253_402_300_799, "9999-12-31T23:59:59.417Z");
        assert_eq!(Time::from_micros(u64::MAX).to_string(), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn moments_never_overflow() {
        let (first, last) = (Time::from_micros(0), Time::from_micros(u64::MAX));
        assert_eq!((first.minus(Duration::MAX), last.plus(Duration::MAX)), (first, last));
        assert_eq!((first.since(last), last.since(first)), (Duration::ZERO, Duration::from_micros(u64::MAX)));
    }
}
