//! The endpoints of operators: probes that need no credentials, and commands that need the token.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{ALLOW, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::json;
use tokio::time::{sleep, timeout};

use http::forwarded::request_client_address;
use http::lockout::{Judgement, whole_seconds};

use super::active_bundle::{ActiveBundle, UpdateOutcome};
use super::credentials::OperatorToken;
use super::json::json_response;
use super::site::ReplyBody;
use super::sites::HostedSites;
use super::{HostEvent, UpdateFailure};

/// Longest time that a command is waited for; a check of the source that has begun goes on.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(25);

const VERSION: HeaderName = HeaderName::from_static("x-offprint-version");
const DIGEST: HeaderName = HeaderName::from_static("x-offprint-digest");

/// `/livez` while the process runs, `/readyz` when all sites have a bundle.
pub(super) fn probe(sites: &HostedSites, path: &str) -> Option<Response<ReplyBody>> {
    match path {
        "/livez" => Some(json_response(StatusCode::OK, &json!({"status": "ok"}))),
        "/readyz" if sites.is_ready() => {
            let mut answer = json_response(StatusCode::OK, &json!({"status": "ok"}));
            // distinguishes replicas that show different bundles
            if let [only] = sites.active_bundles()
                && let Some(active) = only.loaded().as_ref()
            {
                answer.headers_mut().insert(VERSION, active.site.shown_version().clone());
                answer.headers_mut().extend(HeaderValue::from_str(&active.sha256).ok().map(|digest| (DIGEST, digest)));
            }
            Some(answer)
        }
        "/readyz" => {
            let mut answer = json_response(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "unavailable"}));
            answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("2"));
            Some(answer)
        }
        _ => None,
    }
}

/// Whether a path is one of the commands.
pub(super) fn is_command(path: &str) -> bool {
    matches!(path, "/-/reload" | "/-/rollback")
}

/// `POST /-/reload`, `POST /-/rollback`.
pub(super) async fn run_command(
    sites: Arc<HostedSites>,
    peer: IpAddr,
    request: Request<Incoming>,
) -> Response<ReplyBody> {
    let error = |status: StatusCode, text: &str| json_response(status, &json!({"error": text}));
    let Some(token) = sites.token() else {
        return error(StatusCode::NOT_FOUND, "control requests need `--token-file`");
    };
    if request.method() != Method::POST {
        let mut answer = error(StatusCode::METHOD_NOT_ALLOWED, "only POST is allowed here");
        answer.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        return answer;
    }
    if let Err(refusal) = admit_operator(&sites, &token, peer, &request).await {
        return *refusal;
    }
    let active_bundle = match sites.site_of(&request) {
        Ok(index) => sites.active_bundles().get(index).cloned(),
        Err(none) => return none.response(),
    };
    let Some(active_bundle) = active_bundle else { return error(StatusCode::NOT_FOUND, "there is no such site") };
    // a client that disconnects cancels a command that has not begun
    let work = async {
        if request.uri().path() == "/-/rollback" {
            return report(&active_bundle, active_bundle.roll_back().await);
        }
        read_files(&sites, &active_bundle).await;
        report(&active_bundle, active_bundle.reload().await)
    };
    timeout(COMMAND_TIMEOUT, work).await.unwrap_or_else(|_| {
        error(
            StatusCode::GATEWAY_TIMEOUT,
            "the request timed out: a reload or rollback that has started continues, one that waits for another is dropped",
        )
    })
}

/// Checks the token; who guesses it is locked out as readers are.
async fn admit_operator(
    sites: &HostedSites,
    token: &OperatorToken,
    peer: IpAddr,
    request: &Request<Incoming>,
) -> Result<(), Box<Response<ReplyBody>>> {
    let client = request_client_address(request.headers(), peer, &sites.trusted_proxies);
    match token.judge(request.headers(), client, &sites.lockout) {
        Some(Judgement::Admitted) => return Ok(()),
        Some(Judgement::Locked { wait }) => {
            let mut answer =
                json_response(StatusCode::TOO_MANY_REQUESTS, &json!({"error": "too many failed authentications"}));
            answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
            return Err(Box::new(answer));
        }
        Some(Judgement::Refused { delay, message }) => {
            sites.tell_lockout(message, request.headers(), peer);
            sleep(delay).await;
        }
        None => {}
    }
    let mut answer = json_response(StatusCode::UNAUTHORIZED, &json!({"error": "authentication failed"}));
    answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"offprint host\""));
    Err(Box::new(answer))
}

/// Certificates and secrets are read again with every reload.
async fn read_files(sites: &Arc<HostedSites>, active_bundle: &ActiveBundle) {
    let sites = Arc::clone(sites);
    let wrong = tokio::task::spawn_blocking(move || sites.files.read(true)).await.unwrap_or_default();
    wrong.into_iter().for_each(|message| active_bundle.tell(HostEvent::Trouble { message }));
}

fn report(active_bundle: &ActiveBundle, done: Result<UpdateOutcome, UpdateFailure>) -> Response<ReplyBody> {
    let active = active_bundle.loaded();
    let version = active.as_ref().map(|active| active.site.shown_version().to_str().unwrap_or_default().to_owned());
    let sha256 = active.as_ref().map(|active| active.sha256.clone());
    match done {
        Ok(outcome) => json_response(
            StatusCode::OK,
            &json!({"changed": outcome == UpdateOutcome::Switched, "version": version, "sha256": sha256}),
        ),
        Err(failure) => {
            let status = if matches!(failure, UpdateFailure::Unavailable(_)) {
                StatusCode::BAD_GATEWAY
            } else {
                StatusCode::CONFLICT
            };
            json_response(status, &json!({"error": failure.to_string(), "version": version, "sha256": sha256}))
        }
    }
}
