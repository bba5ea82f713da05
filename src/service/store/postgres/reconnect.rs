//! What `writer` and `flusher` have in common: how long a connection is replaced, and its id.

use std::time::Duration;

/// How long a broken connection is replaced, before callers are told.
pub(super) const RECONNECT_PATIENCE: Duration = Duration::from_secs(5);
/// Between two attempts.
pub(super) const RECONNECT_INTERVAL: Duration = Duration::from_millis(100);

/// Of a connection of a writer: a number of another connection says nothing about it.
pub(super) type ConnectionId = [u8; 16];

/// An id that no other connection has; `None` if the system has no random numbers.
pub(super) fn random_id() -> Option<ConnectionId> {
    let mut id = ConnectionId::default();
    if getrandom::fill(&mut id).is_err() {
        tracing::error!("the system has no random numbers: nothing can be written");
        return None;
    }
    Some(id)
}
