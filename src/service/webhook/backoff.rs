//! When a delivery that was not taken is tried again.

use std::time::Duration;

/// How much longer each pause is than the one before.
const FACTOR: u32 = 3;
/// Longest pause.
const MAX_DELIVERY_DELAY: Duration = Duration::from_secs(8 * 3600);

/// The time from one try to the next: `first` after the first one, three times as long after each that follows. `chance`
/// takes away up to a half of it, so that deliveries that failed together do not come back together.
pub(super) fn delay(first: Duration, attempts: u32, chance: u32) -> Duration {
    let factor = FACTOR.saturating_pow(attempts.saturating_sub(1));
    let whole = first.saturating_mul(factor).min(MAX_DELIVERY_DELAY);
    whole - whole / 2 * (chance % 1024) / 1024
}

/// A number that receivers cannot foresee.
pub(super) fn chance() -> u32 {
    let mut bytes = [0; 4];
    // without random numbers there is no jitter, and that is all
    let _ = getrandom::fill(&mut bytes);
    u32::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Duration = Duration::from_secs(5);

    #[test]
    fn pauses_grow_to_a_bound() {
        let seconds: Vec<u64> = (1..=12).map(|attempts| delay(FIRST, attempts, 0).as_secs()).collect();
        assert_eq!(seconds, [5, 15, 45, 135, 405, 1215, 3645, 10_935, 28_800, 28_800, 28_800, 28_800]);
        assert_eq!(delay(FIRST, u32::MAX, 0), MAX_DELIVERY_DELAY);
        // three days of tries are some twenty
        let days: Duration = (1..=18).map(|attempts| delay(FIRST, attempts, 512)).sum();
        assert!(days > Duration::from_secs(2 * 86_400) && days < Duration::from_secs(3 * 86_400), "{days:?}");
    }

    proptest::proptest! {
        #[test]
        fn chance_takes_away_at_most_half(attempts in 0_u32..100, chance in proptest::num::u32::ANY) {
            let (whole, some) = (delay(FIRST, attempts, 0), delay(FIRST, attempts, chance));
            proptest::prop_assert!(some <= whole && some >= whole / 2);
        }
    }
}
