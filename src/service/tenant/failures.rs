//! Slows down addresses that keep presenting keys that are none (contract, E-AUT-8).

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::peer::client_network;

/// The window in which failures count.
const WINDOW: Duration = Duration::from_secs(60);
/// Most addresses that are remembered. An attacker with more of them than that is not one address.
const MAX_FAILURE_ADDRESSES: usize = 65_536;

/// The failures of each address within the last minute. They are of one process and end with it: what they protect is
/// its time.
#[derive(Debug)]
pub struct Failures {
    limit: usize,
    seen: Mutex<HashMap<IpAddr, VecDeque<Instant>>>,
}

impl Failures {
    /// At most `per_minute` failures of one address in a minute; 0: as many as it likes.
    pub fn new(per_minute: u32) -> Self {
        Self { limit: usize::try_from(per_minute).unwrap_or(usize::MAX), seen: Mutex::default() }
    }

    /// Counts a failure.
    ///
    /// # Errors
    /// It is one too many, and does not count: how long to wait.
    pub fn count(&self, address: IpAddr, now: Instant) -> Result<(), Duration> {
        if self.limit == 0 {
            return Ok(());
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= MAX_FAILURE_ADDRESSES {
            seen.retain(|_, times| times.back().is_some_and(|last| now.duration_since(*last) < WINDOW));
            if seen.len() >= MAX_FAILURE_ADDRESSES {
                seen.clear();
            }
        }
        let times = seen.entry(client_network(address)).or_default();
        while times.front().is_some_and(|first| now.duration_since(*first) >= WINDOW) {
            times.pop_front();
        }
        match times.front() {
            Some(first) if times.len() >= self.limit => Err(WINDOW - now.duration_since(*first)),
            _ => {
                times.push_back(now);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_slides() {
        let failures = Failures::new(3);
        let (here, there) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        for second in [0, 10, 20] {
            assert_eq!(failures.count(here, at(second)), Ok(()));
        }
        assert_eq!(failures.count(here, at(30)), Err(Duration::from_secs(30)));
        assert_eq!(failures.count(there, at(30)), Ok(()));
        assert_eq!(failures.count(here, at(60)), Ok(()));
        assert_eq!(failures.count(here, at(61)), Err(Duration::from_secs(9)));
        assert_eq!(Failures::new(0).count(here, start), Ok(()));
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let failures = Failures::new(1);
        let now = Instant::now();
        assert!(failures.count("2001:db8::1".parse().unwrap(), now).is_ok());
        assert!(failures.count("2001:db8::ffff:2".parse().unwrap(), now).is_err());
        assert!(failures.count("2001:db8:0:1::1".parse().unwrap(), now).is_ok());
    }

    #[test]
    fn memory_is_bounded() {
        let failures = Failures::new(1);
        let now = Instant::now();
        for number in 0..200_000_u32 {
            let _ = failures.count(IpAddr::from(number.to_be_bytes()), now);
        }
        assert!(failures.seen.lock().unwrap().len() <= MAX_FAILURE_ADDRESSES);
    }
}
