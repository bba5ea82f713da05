//! Idempotency: the first answer is stored with its effect, and given again (contract, section 9).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use base::digest::sha256_of_values;
use base::hex::to_hex;

/// How long an answer is given again.
pub const ANSWER_RETENTION: Duration = Duration::from_secs(24 * 3600);
/// How long a request may be in progress before its key is free again, because its process may have died. An effect that
/// takes longer does no harm: the one that comes second is refused in its transaction.
pub const IN_PROGRESS: Duration = Duration::from_secs(4);

/// What a client's key belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OnceKey(String);

impl OnceKey {
    /// The key of one client for one operation: `path` is the request's.
    pub fn new(organization: &str, method: &str, path: &str, key: &str) -> Self {
        Self(to_hex(&sha256_of_values(&[organization, method, path, key])))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// An answer as it was first given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredResponse {
    /// HTTP status.
    pub status: u16,
    /// `Location`, if it had one.
    pub location: Option<String>,
    /// The body, JSON.
    pub body: String,
}

/// What to store with an effect: the answer is made of the record as the store has accepted it. It may be made more
/// than once.
pub struct Remember<T> {
    /// Under which key.
    pub key: OnceKey,
    /// Digest of the request's JSON value: another value under the same key is a mistake.
    pub request: [u8; 32],
    /// The answer.
    pub answer: Arc<dyn Fn(&T) -> StoredResponse + Send + Sync>,
}

impl<T> fmt::Debug for Remember<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Remember({:?})", self.key)
    }
}

/// What a key means for a request that has just come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Begun {
    /// The first: go on, then store the answer or abandon the key.
    First,
    /// Answered before, like this.
    Replay(StoredResponse),
    /// Used before, for something else.
    Mismatch,
    /// The first one is still at work.
    InProgress,
}

/// How a rate window stands after a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// The request is within the limit, and counted.
    pub accepted: bool,
    /// How many more are, now.
    pub left: u32,
    /// Until the oldest counted request leaves the window: then one more is within the limit.
    pub reset: Duration,
}
