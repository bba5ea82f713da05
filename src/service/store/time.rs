//! Moments of the store. Two clocks: what people read is the wall's, what leases and windows are measured with never
//! jumps. Where several processes share a store, both follow that of the store.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use base::time::rfc3339_millis;

/// A moment: microseconds since 1970, UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(u64);

/// How far the wall clock of this machine is behind that of the store, microseconds. A process has one store; what it
/// signs and dates must mean the same to the others that share it.
static BEHIND: AtomicI64 = AtomicI64::new(0);

impl Time {
    /// By the wall clock: that of the store where several processes share one.
    pub fn now() -> Self {
        Self(Self::here().0.saturating_add_signed(BEHIND.load(Ordering::Relaxed)))
    }

    /// By the wall clock of this machine.
    fn here() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
    }

    /// Makes [`Time::now`] follow the wall clock of the store, which shows this now.
    pub(super) fn follow(now: Self) {
        let behind = i128::from(now.0) - i128::from(Self::here().0);
        BEHIND.store(i64::try_from(behind).unwrap_or_default(), Ordering::Relaxed);
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
        f.write_str(&rfc3339_millis(self.0 / 1000))
    }
}

/// A clock that is set once, by the wall's, and then only runs: leases and rate windows survive a wall clock that is
/// set back or forth. Where several processes share a store, it is compared with the store's now and then. Its clones
/// are the same clock.
#[derive(Clone, Debug)]
pub struct StoreClock {
    since: Instant,
    /// Microseconds since 1970 at `since`.
    start: Arc<AtomicU64>,
}

impl StoreClock {
    /// Set now.
    pub fn start() -> Self {
        Self { since: Instant::now(), start: Arc::new(AtomicU64::new(Time::now().micros())) }
    }

    /// What it shows.
    pub fn now(&self) -> Time {
        Time(self.start.load(Ordering::Relaxed)).plus(self.since.elapsed())
    }

    /// Sets it by another clock.
    pub(super) fn set(&self, now: Time) {
        self.start.store(now.minus(self.since.elapsed()).micros(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_as_people_read_them() {
        assert_eq!(Time::from_micros(1_795_168_992_417_999).to_string(), "2026-11-20T10:03:12.417Z");
        assert_eq!(Time::from_micros(u64::MAX).to_string(), "9999-12-30T22:00:00.999Z");
    }

    #[test]
    fn a_clock_follows_another_one() {
        let (clock, hour) = (StoreClock::start(), Duration::from_secs(3600));
        for other in [Time::now().plus(hour), Time::now().minus(hour)] {
            clock.set(other);
            let shown = clock.clone().now();
            assert!(shown >= other && shown.since(other) < Duration::from_secs(60), "{shown} instead of {other}");
        }
    }

    #[test]
    fn moments_never_overflow() {
        let (first, last) = (Time::from_micros(0), Time::from_micros(u64::MAX));
        assert_eq!((first.minus(Duration::MAX), last.plus(Duration::MAX)), (first, last));
        assert_eq!((first.since(last), last.since(first)), (Duration::ZERO, Duration::from_micros(u64::MAX)));
    }
}
