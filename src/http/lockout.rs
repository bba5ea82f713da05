//! Guessing of passwords: who fails too often waits, and while waiting is refused with the right password too.
//!
//! 1. Failures count for the address that they come from, and for the name that was given, over all addresses. Both are
//!    forgotten over an hour.
//! 2. From the fourth failure on the response is delayed; after [`LockoutRule::failures`] the address is locked, each
//!    time twice as long. A locked address costs no comparison, and is told when to come back.
//! 3. A name is locked after ten times as many failures, so that one address alone, which is locked before, never locks
//!    it for others. Addresses from which the name was used with its password within a day stay free: strangers with many
//!    addresses keep a reader neither from where the reader reads, nor from anywhere for longer than the lock.
//!
//! Names count alike whether a reader has them. All tables are bounded; they are of one process and end with it.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::peer::client_network;

/// Failures for which the response is not delayed: people mistype.
const UNDELAYED_FAILURES: f64 = 3.0;
/// The delay of the next one; it doubles up to the longest.
const FIRST_DELAY: Duration = Duration::from_millis(100);
const MAX_LOCKOUT_DELAY: Duration = Duration::from_secs(2);
/// How long it takes to forget as many failures as lock.
const MEMORY: Duration = Duration::from_secs(3600);
/// How often the lock of an address may double: an hour of one minute.
const MAX_DOUBLINGS: u32 = 6;
/// How many times more failures lock a name than an address, and how many times longer.
const NAME_FAILURES: u32 = 10;
const NAME_LOCK: u32 = 5;
/// How long an address is known to use a name.
const KNOWN_TIME: Duration = Duration::from_secs(24 * 3600);
/// Most addresses, names, and pairs of both that are remembered.
const MAX_LOCKOUT_ENTRIES: usize = 65_536;
/// Most messages of a minute; what others say is counted.
const MAX_MESSAGES: u32 = 20;
const MESSAGE_WINDOW: Duration = Duration::from_secs(60);

/// How many wrong passwords lock, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockoutRule {
    /// Wrong passwords of one address; 0: nothing locks.
    pub failures: u32,
    /// The first lock.
    pub lock: Duration,
}

impl Default for LockoutRule {
    fn default() -> Self {
        Self { failures: 10, lock: Duration::from_secs(60) }
    }
}

/// A try of a password.
#[derive(Clone, Copy, Debug)]
pub struct Guess<'a> {
    /// The address that counts.
    pub client: IpAddr,
    /// Which names belong together: those of one site.
    pub realm: usize,
    /// The name that was given; a token has none.
    pub name: Option<&'a str>,
    /// Whether a reader has that name: only then it stands in messages. People type passwords where names belong.
    pub is_known_name: bool,
    /// Whether the password is right.
    pub is_right: bool,
}

/// What a guess leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The password is right.
    Admitted,
    /// It is wrong: to be said after a delay. An operator has to know of some.
    Refused {
        /// How long the response waits.
        delay: Duration,
        /// What the operator is told.
        message: Option<LockoutMessage>,
    },
    /// Whether it is right is not looked at: how long that stays so.
    Locked {
        /// How long to wait.
        wait: Duration,
    },
}

/// What an operator is told of guesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockoutMessage {
    client: IpAddr,
    /// Whose failures these are: those of a name, which is given if a reader has it, or of the address.
    whose: Whose,
    failures: u32,
    /// How long it is locked, if it is.
    lock: Option<Duration>,
    /// Guesses that were refused while it was locked before.
    refused: u64,
    /// MessageBudget that were left out before this one.
    left_out: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Whose {
    Address,
    Name(Option<String>),
}

impl LockoutMessage {
    /// Whether something was locked.
    pub fn is_lock(&self) -> bool {
        self.lock.is_some()
    }
}

impl fmt::Display for LockoutMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { client, whose, failures, lock, refused, left_out } = self;
        match (whose, lock.map(|lock| lock.as_secs())) {
            (_, None) => write!(f, "wrong passwords from {client}: {failures} so far")?,
            (Whose::Address, Some(lock)) => {
                write!(f, "wrong passwords from {client}: {failures}, the address is locked for {lock} s")?;
            }
            (Whose::Name(name), Some(lock)) => {
                let name =
                    name.as_ref().map_or_else(|| "a name that no reader has".to_owned(), |name| format!("`{name}`"));
                write!(
                    f,
                    "wrong passwords for {name} from many addresses, at last from {client}: {failures}, it is locked for \
                     {lock} s for all addresses that have not used it"
                )?;
            }
        }
        if *refused > 0 {
            write!(f, "; {refused} more were refused during the lock before")?;
        }
        if *left_out > 0 {
            write!(f, "; {left_out} messages about others were left out")?;
        }
        Ok(())
    }
}

/// Who has failed how often.
#[derive(Debug)]
pub struct Lockout {
    rule: LockoutRule,
    /// Entries are found by hashes that strangers cannot compute.
    hasher: RandomState,
    state: Mutex<LockoutState>,
}

#[derive(Debug, Default)]
struct LockoutState {
    addresses: FailureTable,
    names: FailureTable,
    /// When an address has used a name with its password, last.
    known: FxHashMap<u64, Instant>,
    messages: MessageBudget,
}

impl Lockout {
    /// Without any failures so far.
    pub fn new(rule: LockoutRule) -> Self {
        Self { rule, hasher: RandomState::new(), state: Mutex::default() }
    }

    /// Forgets all failures and locks: an operator's way to let a reader in.
    pub fn clear(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.addresses, state.names) = (FailureTable::default(), FailureTable::default());
    }

    /// Judges a guess. The password has been compared before, so that both take as long.
    pub fn judge(&self, guess: &Guess<'_>, now: Instant) -> Judgement {
        let Guess { client, realm, name, is_right, .. } = *guess;
        if self.rule.failures == 0 {
            return if is_right {
                Judgement::Admitted
            } else {
                Judgement::Refused { delay: Duration::ZERO, message: None }
            };
        }
        let client = client_network(client);
        let address = self.hasher.hash_one(client);
        let name = name.map(|name| self.hasher.hash_one((realm, name)));
        let pair = name.map(|name| self.hasher.hash_one((name, client)));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *state;
        let is_known =
            pair.and_then(|pair| state.known.get(&pair)).is_some_and(|last| now.duration_since(*last) < KNOWN_TIME);
        let locked_name = name.filter(|_| !is_known).and_then(|name| state.names.wait(name, now));
        if let Some(wait) = state.addresses.wait(address, now).max(locked_name) {
            return Judgement::Locked { wait };
        }
        if is_right {
            if let Some(pair) = pair {
                remember(&mut state.known, pair, now);
            }
            return Judgement::Admitted;
        }
        let of_address = state.addresses.fail(address, self.of_addresses(), now);
        let of_name = name.map(|name| state.names.fail(name, self.of_names(), now));
        let crowd = of_name.as_ref().map_or(0.0, |failed| failed.failures / f64::from(NAME_FAILURES));
        Judgement::Refused {
            delay: delay(of_address.failures.max(crowd)),
            message: self
                .message(guess, &of_address, of_name.as_ref())
                .and_then(|message| state.messages.admit(message, now)),
        }
    }

    fn of_addresses(&self) -> LockBounds {
        LockBounds { failures: self.rule.failures, left: 0, lock: self.rule.lock, doublings: MAX_DOUBLINGS }
    }

    fn of_names(&self) -> LockBounds {
        let failures = self.rule.failures.saturating_mul(NAME_FAILURES);
        // after a lock a few failures more lock again
        LockBounds { failures, left: failures - self.rule.failures, lock: self.rule.lock * NAME_LOCK, doublings: 0 }
    }

    /// What an operator has to know of a failure: that a series of them has begun, and locks.
    fn message(
        &self,
        guess: &Guess<'_>,
        of_address: &CountedFailure,
        of_name: Option<&CountedFailure>,
    ) -> Option<LockoutMessage> {
        let shown_name = guess.name.filter(|_| guess.is_known_name).map(str::to_owned);
        let begins = of_address.lock.is_none() && of_address.is_first_delayed;
        let (whose, failed, failures) = match of_name.filter(|failed| failed.lock.is_some()) {
            Some(failed) => (Whose::Name(shown_name), failed, self.of_names().failures),
            None if of_address.lock.is_some() => (Whose::Address, of_address, self.rule.failures),
            None if begins => (Whose::Address, of_address, of_address.failures.ceil() as u32),
            None => return None,
        };
        let CountedFailure { lock, refused, .. } = *failed;
        Some(LockoutMessage { client: guess.client, whose, failures, lock, refused, left_out: 0 })
    }
}

/// A wait as `Retry-After` says it: whole seconds, at least one, never less than it is.
pub fn whole_seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

/// How long the response to a failure waits.
fn delay(failures: f64) -> Duration {
    let beyond = failures.ceil() - UNDELAYED_FAILURES;
    if beyond < 1.0 {
        Duration::ZERO
    } else {
        FIRST_DELAY.mul_f64((beyond - 1.0).min(10.0).exp2()).min(MAX_LOCKOUT_DELAY)
    }
}

/// Notes that an address has used a name with its password.
fn remember(known: &mut FxHashMap<u64, Instant>, pair: u64, now: Instant) {
    if known.len() >= MAX_LOCKOUT_ENTRIES && !known.contains_key(&pair) {
        known.retain(|_, last| now.duration_since(*last) < KNOWN_TIME);
        if known.len() >= MAX_LOCKOUT_ENTRIES {
            known.clear();
        }
    }
    known.insert(pair, now);
}

/// The bounds of a table.
#[derive(Clone, Copy)]
struct LockBounds {
    /// Failures that lock.
    failures: u32,
    /// Failures that are left when a lock ends.
    left: u32,
    lock: Duration,
    /// How often the lock may double.
    doublings: u32,
}

/// The failures of one address, or for one name.
#[derive(Clone, Copy, Debug)]
struct FailureCount {
    /// How many, as far as they are not forgotten.
    count: f64,
    at: Instant,
    locked_until: Option<Instant>,
    /// Locks so far.
    locks: u32,
    /// Guesses that were refused during the lock.
    refused: u64,
}

/// How one stands after one more failure.
struct CountedFailure {
    failures: f64,
    is_first_delayed: bool,
    lock: Option<Duration>,
    refused: u64,
}

#[derive(Debug, Default)]
struct FailureTable(FxHashMap<u64, FailureCount>);

impl FailureTable {
    /// How long one is still locked; counts the guess that is refused.
    fn wait(&mut self, key: u64, now: Instant) -> Option<Duration> {
        let found = self.0.get_mut(&key)?;
        let wait = found.locked_until?.checked_duration_since(now).filter(|wait| !wait.is_zero())?;
        found.refused += 1;
        Some(wait)
    }

    /// Counts a failure.
    fn fail(&mut self, key: u64, bounds: LockBounds, now: Instant) -> CountedFailure {
        if self.0.len() >= MAX_LOCKOUT_ENTRIES && !self.0.contains_key(&key) {
            self.make_room(now);
        }
        let most = f64::from(bounds.failures);
        let found =
            self.0.entry(key).or_insert(FailureCount { count: 0.0, at: now, locked_until: None, locks: 0, refused: 0 });
        if found.is_forgotten(now) {
            found.locks = 0;
        }
        let forgotten = now.duration_since(found.at).as_secs_f64() / MEMORY.as_secs_f64() * most;
        let before = (found.count - forgotten).max(0.0);
        (found.count, found.at) = (before + 1.0, now);
        let mut failed = CountedFailure {
            failures: found.count,
            is_first_delayed: before.ceil() <= UNDELAYED_FAILURES && found.count.ceil() > UNDELAYED_FAILURES,
            lock: None,
            refused: 0,
        };
        // what is forgotten within a series is less than one failure
        if found.count.ceil() >= most {
            let lock = bounds.lock * 2_u32.pow(found.locks.min(bounds.doublings));
            (failed.lock, failed.refused) = (Some(lock), std::mem::take(&mut found.refused));
            (found.locked_until, found.locks) = (now.checked_add(lock), found.locks.saturating_add(1));
            found.count = f64::from(bounds.left);
        }
        failed
    }

    /// Forgets what has been over for long; if that is too little, all that is not locked, and in the end everything.
    fn make_room(&mut self, now: Instant) {
        self.0.retain(|_, failures| !failures.is_forgotten(now));
        if self.0.len() > MAX_LOCKOUT_ENTRIES / 4 * 3 {
            self.0.retain(|_, failures| failures.locked_until.is_some_and(|until| until > now));
        }
        if self.0.len() > MAX_LOCKOUT_ENTRIES / 4 * 3 {
            self.0.clear();
        }
    }
}

impl FailureCount {
    /// Whether the last failure and the end of the last lock are so long ago that nothing of them is left.
    fn is_forgotten(&self, now: Instant) -> bool {
        let last = self.locked_until.map_or(self.at, |until| until.max(self.at));
        now.checked_duration_since(last).is_some_and(|since| since >= MEMORY)
    }
}

/// LockBounds what an operator is told.
#[derive(Debug, Default)]
struct MessageBudget {
    since: Option<Instant>,
    count: u32,
    left_out: u64,
}

impl MessageBudget {
    fn admit(&mut self, message: LockoutMessage, now: Instant) -> Option<LockoutMessage> {
        if self.since.is_none_or(|since| now.duration_since(since) >= MESSAGE_WINDOW) {
            (self.since, self.count) = (Some(now), 0);
        }
        if self.count >= MAX_MESSAGES {
            self.left_out += 1;
            return None;
        }
        self.count += 1;
        Some(LockoutMessage { left_out: std::mem::take(&mut self.left_out), ..message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: LockoutRule = LockoutRule { failures: 5, lock: Duration::from_secs(60) };

    struct Try {
        lockout: Lockout,
        start: Instant,
    }

    impl Try {
        fn new(rule: LockoutRule) -> Self {
            Self { lockout: Lockout::new(rule), start: Instant::now() }
        }

        fn judge(&self, seconds: u64, client: [u8; 4], name: &str, is_right: bool) -> Judgement {
            let guess =
                Guess { client: client.into(), realm: 0, name: Some(name), is_known_name: name == "ann", is_right };
            self.lockout.judge(&guess, self.start + Duration::from_secs(seconds))
        }

        fn wait(&self, seconds: u64, client: [u8; 4], name: &str, is_right: bool) -> Option<u64> {
            match self.judge(seconds, client, name, is_right) {
                Judgement::Locked { wait } => Some(wait.as_secs()),
                Judgement::Admitted | Judgement::Refused { .. } => None,
            }
        }

        fn messages(&self, seconds: u64, client: [u8; 4], name: &str, count: usize) -> Vec<String> {
            let judge = |_| match self.judge(seconds, client, name, false) {
                Judgement::Refused { message, .. } => message.map(|message| message.to_string()),
                _ => None,
            };
            (0..count).filter_map(judge).collect()
        }
    }

    const HERE: [u8; 4] = [192, 0, 2, 1];
    const THERE: [u8; 4] = [192, 0, 2, 2];

    #[test]
    fn an_address_is_locked_longer_each_time() {
        let tries = Try::new(RULE);
        for _ in 0..5 {
            assert_eq!(tries.wait(0, HERE, "ann", false), None);
        }
        assert_eq!(tries.wait(1, HERE, "ann", true), Some(59), "the right password too");
        assert_eq!(tries.wait(1, HERE, "bob", true), Some(59), "and any other name");
        assert_eq!(tries.judge(1, THERE, "ann", true), Judgement::Admitted);
        assert_eq!(tries.judge(60, HERE, "ann", true), Judgement::Admitted);
        for _ in 0..5 {
            assert_eq!(tries.wait(60, HERE, "ann", false), None);
        }
        assert_eq!(tries.wait(60, HERE, "ann", true), Some(120));
        // an hour after that all is forgotten
        for _ in 0..5 {
            assert_eq!(tries.wait(3780, HERE, "ann", false), None);
        }
        assert_eq!(tries.wait(3780, HERE, "ann", true), Some(60));
        tries.lockout.clear();
        assert_eq!(tries.judge(3780, HERE, "ann", true), Judgement::Admitted);
    }

    #[test]
    fn success_between_failures_gives_no_more_of_them() {
        let tries = Try::new(RULE);
        for _ in 0..5 {
            assert_eq!(tries.wait(0, HERE, "bob", false), None);
            if tries.judge(0, HERE, "ann", true) != Judgement::Admitted {
                break;
            }
        }
        assert_eq!(tries.wait(0, HERE, "ann", true), Some(60));
    }

    #[test]
    fn slow_guesses_are_locked_too() {
        let tries = Try::new(RULE);
        let locked = (0..60).filter(|minute| tries.wait(minute * 60, HERE, "ann", false).is_some()).count();
        assert!(locked > 25, "{locked}");
    }

    #[test]
    fn a_name_is_locked_for_strangers_and_not_for_its_reader() {
        let tries = Try::new(RULE);
        assert_eq!(tries.judge(0, THERE, "ann", true), Judgement::Admitted);
        let mut count = 0;
        for last in 10..=30 {
            for _ in 0..4 {
                if tries.wait(1, [198, 51, 100, last], "ann", false).is_some() {
                    break;
                }
                count += 1;
            }
        }
        assert_eq!(count, 50, "ten times as many as lock an address");
        assert_eq!(tries.wait(1, [198, 51, 100, 200], "ann", true), Some(300));
        assert_eq!(tries.judge(1, [198, 51, 100, 200], "bob", true), Judgement::Admitted);
        assert_eq!(tries.judge(1, THERE, "ann", true), Judgement::Admitted, "where its reader is known");
        assert_eq!(tries.judge(301, [198, 51, 100, 200], "ann", true), Judgement::Admitted, "and in the end anywhere");
    }

    #[test]
    fn one_address_never_locks_a_name() {
        let tries = Try::new(LockoutRule::default());
        for second in 0..7200 {
            let _ = tries.judge(second, HERE, "ann", false);
            assert_eq!(tries.judge(second, [198, 51, 100, (second % 250) as u8], "ann", true), Judgement::Admitted);
        }
        // those are known by now
        assert_eq!(tries.judge(7200, THERE, "ann", true), Judgement::Admitted);
    }

    #[test]
    fn responses_to_failures_are_delayed() {
        let tries = Try::new(RULE);
        let delays: Vec<u128> = (0..5)
            .map(|_| match tries.judge(0, HERE, "ann", false) {
                Judgement::Refused { delay, .. } => delay.as_millis(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(delays, [0, 0, 0, 100, 200]);
        assert_eq!(delay(1e9), MAX_LOCKOUT_DELAY);
    }

    #[test]
    fn messages_are_few_and_name_readers_only() {
        let tries = Try::new(RULE);
        assert_eq!(
            tries.messages(0, HERE, "my password", 8),
            [
                "wrong passwords from 192.0.2.1: 4 so far",
                "wrong passwords from 192.0.2.1: 5, the address is locked for 60 s",
            ]
        );
        let again = tries.messages(60, HERE, "ann", 5);
        assert_eq!(
            again.last().map(String::as_str),
            Some(
                "wrong passwords from 192.0.2.1: 5, the address is locked for 120 s; 3 more were refused during the lock before"
            )
        );
    }

    #[test]
    fn messages_are_bounded_and_what_is_left_out_is_counted() {
        let tries = Try::new(RULE);
        let begun: Vec<String> =
            (0..40).flat_map(|last| tries.messages(0, [198, 51, 100, last], &last.to_string(), 4)).collect();
        assert_eq!(begun.len(), MAX_MESSAGES as usize);
        let later = tries.messages(60, HERE, "bob", 4);
        assert_eq!(later, ["wrong passwords from 192.0.2.1: 4 so far; 20 messages about others were left out"]);
    }

    #[test]
    fn a_locked_name_is_told() {
        let tries = Try::new(RULE);
        let told = |name: &str| -> String {
            (0..60).flat_map(|last| tries.messages(0, [198, 51, 100, last], name, 1)).collect()
        };
        let ann =
            "wrong passwords for `ann` from many addresses, at last from 198.51.100.49: 50, it is locked for 300 s";
        assert!(told("ann").starts_with(ann));
        let tries = Try::new(RULE);
        let secret = (0..60).flat_map(|last| tries.messages(0, [198, 51, 100, last], "secret", 1)).collect::<String>();
        assert!(secret.starts_with("wrong passwords for a name that no reader has"), "{secret}");
    }

    #[test]
    fn memory_is_bounded() {
        let tries = Try::new(RULE);
        for number in 0..200_000_u32 {
            let _ = tries.judge(0, number.to_be_bytes(), &number.to_string(), number % 3 == 0);
        }
        let state = tries.lockout.state.lock().unwrap();
        assert!(state.addresses.0.len() <= MAX_LOCKOUT_ENTRIES && state.names.0.len() <= MAX_LOCKOUT_ENTRIES);
        assert!(state.known.len() <= MAX_LOCKOUT_ENTRIES);
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let tries = Try::new(RULE);
        let judge = |client: &str, is_right| {
            let guess = Guess { client: client.parse().unwrap(), realm: 0, name: None, is_known_name: false, is_right };
            tries.lockout.judge(&guess, tries.start)
        };
        for last in 0..5 {
            let _ = judge(&format!("2001:db8::{last}"), false);
        }
        assert!(matches!(judge("2001:db8::ffff:1", true), Judgement::Locked { .. }));
        assert_eq!(judge("2001:db8:0:1::1", true), Judgement::Admitted);
    }
}
