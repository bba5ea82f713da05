//! Step 9: requests that may be sent again (contract, section 9).

use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderName;
use axum::http::request::Parts;

use crate::service::api::fields;
use crate::service::api::refusal::{Code, Refusal};
use crate::service::store::{Answer, Begun, OnceKey, Remember};

use super::Call;

/// Says that an answer was given before.
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A request with a key that nobody has used.
#[derive(Clone, Debug)]
pub(super) struct Once {
    pub(super) key: OnceKey,
    pub(super) request: [u8; 32],
}

/// What to do now.
pub(super) enum Turn {
    /// The effect, and store the answer with it if there is a key.
    First(Option<Once>),
    /// Nothing: this was the answer.
    Replay(Answer),
}

/// What the client's key means for its request.
pub(super) async fn begin(call: &Call, head: &Parts, request: [u8; 32]) -> Result<Turn, Refusal> {
    let Some(key) = fields::idempotency_key(&head.headers)? else { return Ok(Turn::First(None)) };
    let key = OnceKey::new(call.organisation(), head.method.as_str(), head.uri.path(), key);
    let jobs = &call.api.0.jobs;
    match jobs.store().begin(&key, request, jobs.now()).await? {
        Begun::First => Ok(Turn::First(Some(Once { key, request }))),
        Begun::Replay(answer) => Ok(Turn::Replay(answer)),
        Begun::Mismatch => {
            Err(Refusal::new(Code::IdempotencyMismatch, "the Idempotency-Key was used for another request"))
        }
        Begun::InProgress => Err(Refusal::new(Code::Conflict, "a request with this Idempotency-Key is in progress")
            .retry_after(Duration::from_secs(1))),
    }
}

impl Once {
    /// Has the answer stored with the effect.
    pub(super) fn remember<T>(self, answer: fn(&T) -> Answer) -> Remember<T>
    where
        T: 'static,
    {
        Remember { key: self.key, request: self.request, answer: Arc::new(answer) }
    }
}
