//! Sessions of the console that were ended before their time: all processes refuse their cookies until then.

use super::super::rows::{StoreRows, Transaction, range, row_key, sortable_number};
use super::{StoreError, Time};

/// Most sessions that are forgotten at once.
const MAX_FORGOTTEN: usize = 1000;

/// Notes that a session has ended that would have lasted longer; `id` is made of its cookie.
pub(super) fn end_session(rows: &mut Transaction<'_>, id: &str, until: Time) {
    rows.mark(ended_session_key(id, until));
}

/// Whether a session was ended.
pub(super) fn has_session_ended(rows: &dyn StoreRows, id: &str, until: Time) -> Result<bool, StoreError> {
    Ok(rows.value(&ended_session_key(id, until))?.is_some())
}

/// Forgets those whose time is over anyway.
pub(super) fn sweep_sessions(rows: &mut Transaction<'_>, now: Time) -> Result<bool, StoreError> {
    let (from, _) = range("signed_out", &[]);
    let (_, to) = range("signed_out", &[&sortable_number(now.micros())]);
    let mut ended = Vec::new();
    rows.scan(&from, &to, MAX_FORGOTTEN, &mut |key, _| {
        ended.push(key.to_owned());
        ended.len() < MAX_FORGOTTEN
    })?;
    let is_more = ended.len() == MAX_FORGOTTEN;
    ended.into_iter().for_each(|row| rows.remove(row));
    Ok(is_more)
}

fn ended_session_key(id: &str, until: Time) -> String {
    row_key("signed_out", &[&sortable_number(until.micros()), id])
}
