//! When records are to be looked at again, because they may be old enough to go.

use super::super::rows::{Transaction, row_key, sortable_number};
use super::Time;

/// A record is to be looked at when it is old enough to go; `since` is when it began.
pub(super) fn look_at(rows: &mut Transaction<'_>, kind: &str, id: &str, since: Time) {
    rows.mark(row_key("due", &[&sortable_number(since.micros()), kind, id]));
}
