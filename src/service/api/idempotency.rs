//! Step 9: requests that may be sent again (contract, section 9).

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

use crate::job::Service;
use crate::store::{Begun, OnceKey, Remember, StoredResponse};

use super::call::{KeyedCall, created_id, reply};
use super::error_response::{ErrorCode, ErrorResponse};
use super::fields;

/// Says that an answer was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A request with a key that was not used before.
#[derive(Clone, Debug)]
pub(super) struct Once {
    pub(super) key: OnceKey,
    pub(super) request: [u8; 32],
}

/// What to do now.
enum IdempotencyTurn {
    /// The effect, and store the answer with it if there is a key.
    First(Option<Once>),
    /// Nothing: this was the answer.
    Replay(StoredResponse),
}

/// Stores an answer under the key of a request whose effect does no harm when it is had twice, if there is a key.
pub(super) async fn remembered(
    jobs: &Service,
    once: Option<Once>,
    answer: StoredResponse,
) -> Result<StoredResponse, ErrorResponse> {
    if let Some(once) = once {
        jobs.ledger().remember(&once.key, once.request, answer.clone(), jobs.now()).await?;
    }
    Ok(answer)
}

/// Does something under the idempotency key, if the client gave one; what has begun comes to its end even if the client
/// disconnects.
pub(super) async fn perform_once<F>(
    call: &KeyedCall,
    effect: impl FnOnce(Option<Once>) -> F,
) -> Result<Response, ErrorResponse>
where
    F: Future<Output = Result<StoredResponse, ErrorResponse>> + Send + 'static,
{
    let once = match begin_turn(call).await? {
        IdempotencyTurn::First(once) => once,
        IdempotencyTurn::Replay(answer) => {
            let mut response = response_with_created(answer);
            response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
            return Ok(response);
        }
    };
    let effect = effect(once.clone());
    let jobs = call.api.0.jobs.clone();
    let whole = async move {
        let done = effect.await;
        if let (Err(_), Some(once)) = (&done, &once) {
            // a key that stays taken is free again after some seconds
            let _ = jobs.ledger().abandon(&once.key).await;
        }
        done
    };
    let done = tokio::spawn(whole).await.map_err(ErrorResponse::internal)??;
    Ok(response_with_created(done))
}

/// An answer with what has come to be, for the audit log.
fn response_with_created(answer: StoredResponse) -> Response {
    let created = created_id(&answer);
    let mut response = reply(answer);
    if let Some(created) = created {
        response.extensions_mut().insert(created);
    }
    response
}

/// What the client's key means for its request.
async fn begin_turn(call: &KeyedCall) -> Result<IdempotencyTurn, ErrorResponse> {
    let (head, request) = (&call.head, call.digest);
    let Some(key) = fields::idempotency_key(&head.headers)? else { return Ok(IdempotencyTurn::First(None)) };
    let key = OnceKey::new(call.organization(), head.method.as_str(), head.uri.path(), key);
    let jobs = &call.api.0.jobs;
    match jobs.ledger().begin(&key, request, jobs.now()).await? {
        Begun::First => Ok(IdempotencyTurn::First(Some(Once { key, request }))),
        Begun::Replay(answer) => Ok(IdempotencyTurn::Replay(answer)),
        Begun::Mismatch => {
            Err(ErrorResponse::new(ErrorCode::IdempotencyMismatch, "the Idempotency-Key was used for another request"))
        }
        Begun::InProgress => {
            Err(ErrorResponse::new(ErrorCode::Conflict, "a request with this Idempotency-Key is in progress")
                .retry_after(Duration::from_secs(1)))
        }
    }
}

impl Once {
    /// Has the answer stored with the effect.
    pub(super) fn remember<T>(self, answer: fn(&T) -> StoredResponse) -> Remember<T>
    where
        T: 'static,
    {
        Remember { key: self.key, request: self.request, answer: Arc::new(answer) }
    }
}
