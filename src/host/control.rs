//! The endpoints of operators: probes that everybody may ask, and orders that need the token.

use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::front::Front;
use super::holder::{Holder, Outcome};
use super::site::Body;
use super::{Event, Failure};

/// Longest time that an order is waited for; a look at the source that has begun goes on.
const PATIENCE: Duration = Duration::from_secs(25);

const VERSION: HeaderName = HeaderName::from_static("x-offprint-version");
const DIGEST: HeaderName = HeaderName::from_static("x-offprint-digest");

/// An answer in JSON that nobody keeps.
pub(super) fn json_answer(status: StatusCode, value: &Value) -> Response<Body> {
    let mut answer = Response::new(Body::whole(value.to_string()));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}

/// `/livez` while the process runs, `/readyz` when all sites have a bundle.
pub(super) fn probe(front: &Front, path: &str) -> Option<Response<Body>> {
    match path {
        "/livez" => Some(json_answer(StatusCode::OK, &json!({"status": "ok"}))),
        "/readyz" if front.is_ready() => {
            let mut answer = json_answer(StatusCode::OK, &json!({"status": "ok"}));
            // replicas that show different bundles can be told apart
            if let [only] = front.holders()
                && let Some(active) = only.active().as_ref()
            {
                answer.headers_mut().insert(VERSION, active.site.shown_version().clone());
                answer.headers_mut().extend(HeaderValue::from_str(&active.sha256).ok().map(|digest| (DIGEST, digest)));
            }
            Some(answer)
        }
        "/readyz" => {
            let mut answer = json_answer(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "unavailable"}));
            answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("2"));
            Some(answer)
        }
        _ => None,
    }
}

/// Whether a path is one of the orders.
pub(super) fn is_order(path: &str) -> bool {
    matches!(path, "/-/reload" | "/-/rollback")
}

/// `POST /-/reload`, `POST /-/rollback`.
pub(super) async fn order(front: Arc<Front>, request: Request<Incoming>) -> Response<Body> {
    let error = |status: StatusCode, text: &str| json_answer(status, &json!({"error": text}));
    let Some(token) = front.token() else {
        return error(StatusCode::NOT_FOUND, "control requests need `--token-file`");
    };
    if request.method() != Method::POST {
        let mut answer = error(StatusCode::METHOD_NOT_ALLOWED, "only POST is allowed here");
        answer.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        return answer;
    }
    if !token.admits(request.headers()) {
        let mut answer = error(StatusCode::UNAUTHORIZED, "authentication failed");
        answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"offprint host\""));
        return answer;
    }
    let holder = match front.site_of(&request) {
        Ok(index) => front.holders().get(index).cloned(),
        Err(stray) => return stray.answer(),
    };
    let Some(holder) = holder else { return error(StatusCode::NOT_FOUND, "there is no such site") };
    // whoever goes away takes an order along that has not begun
    let work = async {
        if request.uri().path() == "/-/rollback" {
            return report(&holder, holder.roll_back().await);
        }
        read_files(&front, &holder).await;
        report(&holder, holder.reload().await)
    };
    timeout(PATIENCE, work).await.unwrap_or_else(|_| error(StatusCode::GATEWAY_TIMEOUT, "the request timed out: a reload or rollback that has started continues, one that waits for another is dropped"))
}

/// Certificates and secrets are read again with every reload.
async fn read_files(front: &Arc<Front>, holder: &Holder) {
    let front = Arc::clone(front);
    let wrong = tokio::task::spawn_blocking(move || front.files.read(true)).await.unwrap_or_default();
    wrong.into_iter().for_each(|message| holder.tell(Event::Trouble { message }));
}

fn report(holder: &Holder, done: Result<Outcome, Failure>) -> Response<Body> {
    let active = holder.active();
    let version = active.as_ref().map(|active| active.site.shown_version().to_str().unwrap_or_default().to_owned());
    let sha256 = active.as_ref().map(|active| active.sha256.clone());
    match done {
        Ok(outcome) => json_answer(
            StatusCode::OK,
            &json!({"changed": outcome == Outcome::Switched, "version": version, "sha256": sha256}),
        ),
        Err(failure) => {
            let status =
                if matches!(failure, Failure::Unavailable(_)) { StatusCode::BAD_GATEWAY } else { StatusCode::CONFLICT };
            json_answer(status, &json!({"error": failure.to_string(), "version": version, "sha256": sha256}))
        }
    }
}
