//! Whether the time of a refusal says how much of a key was right (threats S20): Welch's t-test between classes of
//! wrong keys, as dudect does it.
//!
//! Run by hand, optimized and on a quiet machine: `cargo test --release --lib speed_of_a_refused_key -- --ignored`. The
//! figures stand in the message of a failure.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use super::{KeyScopes, Organization, OrganizationKey, OrganizationPlan, PlanLimits, TenantDirectory, generate};
use http::peer::NetworkList;

/// Measurements of each class.
const PAIRS: usize = 1_000_000;
/// Keys that there are at a time.
const KEYS: usize = 2_048;
/// A larger value does not come about by chance.
const THRESHOLD: f64 = 4.5;
/// The slowest five of a hundred are left out: they are the machine's doing.
const RETAINED_PERCENT: usize = 95;

/// An unknown key is one that is in no directory, changed at the same places.
const CLASSES: [&str; 4] = ["unknown, first byte", "unknown, last byte", "wrong first byte", "wrong last byte"];
/// Which are compared.
const PAIRED: [(usize, usize); 3] = [(0, 2), (1, 3), (2, 3)];

/// A token with another letter at a place of its secret.
fn bent(token: &str, at: usize, step: usize) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut bytes = token.as_bytes().to_vec();
    let old = LETTERS.iter().position(|letter| *letter == bytes[at]).unwrap();
    bytes[at] = LETTERS[(old + 1 + step) % LETTERS.len()];
    String::from_utf8(bytes).unwrap()
}

/// Numbers in a fixed order that nothing here depends on.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % limit
    }
}

/// Mean and variance as they grow.
#[derive(Clone, Copy, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = u32>) -> Self {
        values.fold(Self::default(), |mut all, value| {
            let value = f64::from(value);
            all.count += 1.0;
            let away = value - all.mean;
            all.mean += away / all.count;
            all.squares += away * (value - all.mean);
            all
        })
    }

    /// Welch's t of two classes.
    fn t(self, other: Self) -> f64 {
        let error = |spread: Self| spread.squares / (spread.count - 1.0) / spread.count;
        (self.mean - other.mean) / (error(self) + error(other)).sqrt()
    }
}

/// A directory of keys, and wrong ones of each class; as many of each, in one shuffled list, so that nothing but their
/// letters differs.
fn prepared(chance: &mut Chance) -> (TenantDirectory, Vec<(usize, String)>) {
    let organization = Arc::new(Organization {
        id: "acme".into(),
        plan: OrganizationPlan::default(),
        limits: PlanLimits::default(),
        webhooks: Vec::new(),
    });
    let mut directory = TenantDirectory::default();
    let mut wrong = Vec::new();
    for number in 0..KEYS {
        let (token, hash) = generate().unwrap();
        let key = OrganizationKey {
            id: number.to_string(),
            hash,
            scopes: KeyScopes::ALL,
            expires_at: None,
            allow: NetworkList::default(),
            organization: Arc::clone(&organization),
        };
        directory.add_key(key).unwrap();
        for (class, token) in [(0, generate().unwrap().0), (2, token)] {
            wrong.push((class, bent(&token, "opk_".len(), chance.below(61))));
            wrong.push((class + 1, bent(&token, token.len() - 1, chance.below(61))));
        }
    }
    for at in (1..wrong.len()).rev() {
        wrong.swap(at, chance.below(at + 1));
    }
    (directory, wrong)
}

#[test]
#[ignore = "a measurement: it needs an optimized program and a quiet machine"]
fn speed_of_a_refused_key_says_nothing() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let mut times: [Vec<u32>; 4] = Default::default();
    // where it lies in memory is no part of the question
    let mut buffer = String::with_capacity(64);
    while times[0].len() < PAIRS {
        // each is measured once, and no two are alike: branch predictors adapt to repeated input
        let (directory, wrong) = prepared(&mut chance);
        for (class, token) in &wrong {
            buffer.clear();
            buffer.push_str(token);
            let begin = Instant::now();
            let found = black_box(directory.key(black_box(&buffer)));
            let time = begin.elapsed();
            assert!(found.is_none());
            times[*class].push(u32::try_from(time.as_nanos()).unwrap_or(u32::MAX));
        }
    }
    let mut all: Vec<u32> = times.iter().flatten().copied().collect();
    all.sort_unstable();
    let most = all[all.len() * RETAINED_PERCENT / 100];
    let spreads = times.map(|times| Spread::of(times.into_iter().filter(|time| *time <= most)));
    for (one, other) in PAIRED {
        let t = spreads[one].t(spreads[other]);
        assert!(
            t.abs() < THRESHOLD,
            "the time tells {} ({:.2} ns) from {} ({:.2} ns): t = {t:.2} of {PAIRS} pairs",
            CLASSES[one],
            spreads[one].mean,
            CLASSES[other],
            spreads[other].mean
        );
    }
}
