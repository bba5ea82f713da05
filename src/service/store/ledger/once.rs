//! Idempotency keys (contract, section 9).

use serde::{Deserialize, Serialize};

use super::super::once::{ANSWER_RETENTION, Begun, IN_PROGRESS, OnceKey, Remember, StoredResponse};
use super::super::rows::{StoreRows, Transaction, load_row, range, row_key, row_key_part, sortable_number};
use super::{StoreError, Time};
use base::hex::to_hex;

/// Most entries that are deleted at once.
const MAX_DELETED: usize = 1000;

/// What is known of a key.
#[derive(Serialize, Deserialize)]
struct OnceRecord {
    /// Digest of the request.
    request: String,
    until: Time,
    /// `None` while the request is in progress.
    answer: Option<StoredResponse>,
}

/// A request comes with a key.
pub(super) fn begin_once(
    rows: &mut Transaction<'_>,
    once: &OnceKey,
    request: &[u8; 32],
    now: Time,
) -> Result<Begun, StoreError> {
    match load_row::<OnceRecord>(rows, &entry_key(once.as_str()))?.filter(|entry| entry.until > now) {
        Some(entry) if entry.request != to_hex(request) => Ok(Begun::Mismatch),
        Some(OnceRecord { answer: Some(answer), .. }) => Ok(Begun::Replay(answer)),
        Some(_) => Ok(Begun::InProgress),
        None => {
            put_once_entry(
                rows,
                once,
                OnceRecord { request: to_hex(request), until: now.plus(IN_PROGRESS), answer: None },
            )?;
            Ok(Begun::First)
        }
    }
}

/// Stores an answer.
pub(super) fn store(
    rows: &mut Transaction<'_>,
    once: &OnceKey,
    request: &[u8; 32],
    answer: StoredResponse,
    now: Time,
) -> Result<(), StoreError> {
    put_once_entry(
        rows,
        once,
        OnceRecord { request: to_hex(request), until: now.plus(ANSWER_RETENTION), answer: Some(answer) },
    )
}

/// Announces what [`store_once_answer`] reads.
pub(super) fn expect<T>(rows: &dyn StoreRows, remember: Option<&Remember<T>>) {
    if let Some(remember) = remember {
        rows.expect(&entry_key(remember.key.as_str()));
    }
}

/// Stores the answer of an effect, within its transaction. Two effects under one key are one too many.
pub(super) fn store_once_answer<T>(
    rows: &mut Transaction<'_>,
    remember: Option<&Remember<T>>,
    record: &T,
    now: Time,
) -> Result<(), StoreError> {
    let Some(remember) = remember else { return Ok(()) };
    let last = load_row::<OnceRecord>(rows, &entry_key(remember.key.as_str()))?;
    if last.is_some_and(|last| last.until > now && last.answer.is_some()) {
        return Err(StoreError::Conflict("the idempotency key has been used meanwhile"));
    }
    store(rows, &remember.key, &remember.request, (remember.answer)(record), now)
}

/// Forgets a key that is in progress.
pub(super) fn abandon(rows: &mut Transaction<'_>, once: &OnceKey) -> Result<(), StoreError> {
    if let Some(entry) = load_row::<OnceRecord>(rows, &entry_key(once.as_str()))?.filter(|entry| entry.answer.is_none())
    {
        forget_once_key(rows, once.as_str(), entry.until);
    }
    Ok(())
}

/// Frees the keys of requests that were in progress when their process died: they end before all but the oldest answers
/// do.
pub(super) fn reclaim_once_keys(rows: &mut Transaction<'_>, now: Time) -> Result<(), StoreError> {
    for found in ending(rows, now.plus(IN_PROGRESS), usize::MAX)? {
        let once = row_key_part(&found, 0);
        if let Some(entry) = load_row::<OnceRecord>(rows, &entry_key(once))?.filter(|entry| entry.answer.is_none()) {
            forget_once_key(rows, once, entry.until);
        }
    }
    Ok(())
}

/// Forgets answers that have ended.
pub(super) fn sweep_once_answers(rows: &mut Transaction<'_>, now: Time) -> Result<bool, StoreError> {
    let ended = ending(rows, now, MAX_DELETED)?;
    ended.iter().for_each(|found| rows.expect(&entry_key(row_key_part(found, 0))));
    for found in &ended {
        let once = row_key_part(found, 0);
        if load_row::<OnceRecord>(rows, &entry_key(once))?.is_some_and(|entry| entry.until <= now) {
            rows.remove(entry_key(once));
        }
        rows.remove(found.clone());
    }
    Ok(ended.len() == MAX_DELETED)
}

/// Entries that end until a moment, the first ones first.
fn ending(rows: &dyn StoreRows, until: Time, most: usize) -> Result<Vec<String>, StoreError> {
    let (from, _) = range("once_until", &[]);
    let (_, to) = range("once_until", &[&sortable_number(until.micros())]);
    let mut found = Vec::new();
    rows.scan(&from, &to, most, &mut |key, _| {
        found.push(key.to_owned());
        found.len() < most
    })?;
    Ok(found)
}

fn put_once_entry(rows: &mut Transaction<'_>, once: &OnceKey, entry: OnceRecord) -> Result<(), StoreError> {
    if let Some(last) = load_row::<OnceRecord>(rows, &entry_key(once.as_str()))? {
        forget_once_key(rows, once.as_str(), last.until);
    }
    rows.mark(row_key("once_until", &[&sortable_number(entry.until.micros()), once.as_str()]));
    rows.put(entry_key(once.as_str()), &entry)
}

fn forget_once_key(rows: &mut Transaction<'_>, once: &str, until: Time) {
    rows.remove(row_key("once_until", &[&sortable_number(until.micros()), once]));
    rows.remove(entry_key(once));
}

fn entry_key(once: &str) -> String {
    row_key("once", &[once])
}
