//! The minimum rate of a download: one whose body only drips delays everything behind it.

use std::time::{Duration, Instant};

/// The bytes that have to come in each window.
pub(super) const MIN_BYTES: u64 = 64 << 10;
const WINDOW: Duration = Duration::from_secs(30);

/// Counts bytes and the time in which they were waited for, over all tries of a download.
#[derive(Debug)]
pub(super) struct MinimumRate {
    last: Instant,
    waited: Duration,
    bytes: u64,
}

impl MinimumRate {
    pub(super) fn new(now: Instant) -> Self {
        Self { last: now, waited: Duration::ZERO, bytes: 0 }
    }

    /// A body begins: what was before it does not count.
    pub(super) fn begin(&mut self, now: Instant) {
        self.last = now;
    }

    /// Bytes came, or none; whether it was too few in too long.
    pub(super) fn is_too_slow(&mut self, bytes: u64, now: Instant) -> bool {
        self.waited += now.saturating_duration_since(self.last);
        self.bytes += bytes;
        self.last = now;
        if self.waited < WINDOW {
            return false;
        }
        let is_too_slow = self.bytes < MIN_BYTES;
        *self = Self::new(now);
        is_too_slow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: u64, every: Duration, expect: Option<Duration>) {
        let start = Instant::now();
        let mut rate = MinimumRate::new(start);
        let times = (1..=2_000).map(|n| every * n).take_while(|time| *time < Duration::from_secs(600));
        let found = times.into_iter().find(|time| rate.is_too_slow(bytes, start + *time));
        assert_eq!(found, expect);
    }

    #[test]
    fn drips_are_too_slow() {
        let milliseconds = Duration::from_millis;
        check(1, milliseconds(500), Some(milliseconds(30_000)));
        check(1, milliseconds(9_000), Some(milliseconds(36_000)));
        check(2_000, milliseconds(1_000), Some(milliseconds(30_000)));
        check(2_200, milliseconds(1_000), None);
        check(64 << 10, milliseconds(29_000), None);
    }

    #[test]
    fn only_the_time_in_which_bytes_were_waited_for_counts() {
        let start = Instant::now();
        let mut rate = MinimumRate::new(start);
        let at = |seconds| start + Duration::from_secs(seconds);
        rate.begin(at(100));
        assert!(!rate.is_too_slow(1, at(110)));
        rate.begin(at(200));
        assert!(!rate.is_too_slow(1, at(219)));
        assert!(rate.is_too_slow(1, at(220)));
    }
}
