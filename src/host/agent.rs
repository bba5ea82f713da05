//! The endpoints of programs: `/-/search` queries the bundle's index, `/mcp` does so in the protocol that assistants
//! speak.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::poll_fn;
use hyper::body::{Body as _, Incoming};
use hyper::header::{ACCEPT, ALLOW, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::json;
use tokio::time::timeout;

use super::active_bundle::{ActiveBundle, LoadedBundle};
use super::json::json_response;
use super::mcp::{self, answer_mcp};
use super::site::{ALL_VERSIONS, ReplyBody};
use super::sites::HostedSites;

const SEARCH: &str = "/-/search";
const MCP: &str = "/mcp";
/// Largest body of a request, bytes, and longest time for all of it.
const BODY_BYTES: usize = 64 << 10;
const BODY_TIME: Duration = Duration::from_secs(30);
/// Longest time that a question waits for its turn.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(10);
/// Results of a question that does not say how many.
const DEFAULT_RESULTS: usize = 10;

fn error(status: StatusCode, text: &str) -> Response<ReplyBody> {
    json_response(status, &json!({"error": text}))
}

/// Whether a request belongs to these endpoints on this site. A page called `mcp` is for clients that do not speak the
/// protocol.
pub(super) fn is_requested<B>(active_bundle: &ActiveBundle, path: &str, request: &Request<B>) -> bool {
    path == SEARCH && active_bundle.options.search
        || path == MCP && active_bundle.options.mcp && !is_page_requested(request)
}

fn is_page_requested<B>(request: &Request<B>) -> bool {
    let takes_events = |accept: &HeaderValue| {
        accept.to_str().is_ok_and(|accept| accept.to_ascii_lowercase().contains("text/event-stream"))
    };
    matches!(*request.method(), Method::GET | Method::HEAD)
        && !request.headers().get_all(ACCEPT).into_iter().any(takes_events)
}

/// Answers a request to one of them.
pub(super) async fn answer_agent_request(
    sites: Arc<HostedSites>,
    active_bundle: Arc<ActiveBundle>,
    mut request: Request<Incoming>,
) -> Response<ReplyBody> {
    let Some(active) = active_bundle.loaded().as_ref().map(Arc::clone) else {
        return error(StatusCode::SERVICE_UNAVAILABLE, "there is no bundle yet");
    };
    if request.uri().path() == SEARCH {
        return search(&sites, active, &request).await;
    }
    if let Some(refused) = mcp::refuse(&request) {
        return refused;
    }
    let body = match timeout(BODY_TIME, read_agent_body(request.body_mut())).await {
        Ok(Ok(body)) => body,
        Ok(Err(answer)) => return answer,
        Err(_) => return error(StatusCode::REQUEST_TIMEOUT, "the request takes too long"),
    };
    let takes_batches = mcp::takes_batches(&request);
    in_turn(&sites, move || answer_mcp(&active, &body, takes_batches)).await
}

async fn search(sites: &HostedSites, active: Arc<LoadedBundle>, request: &Request<Incoming>) -> Response<ReplyBody> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut answer = error(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD are allowed here");
        answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return answer;
    }
    let mut question = None;
    let mut limit = Ok(DEFAULT_RESULTS);
    let mut version = None;
    for (name, value) in url::form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes()) {
        match &*name {
            "q" => question = Some(value.into_owned()),
            "limit" => limit = value.parse(),
            "version" => version = Some(value.into_owned()),
            _ => {}
        }
    }
    let Some(question) = question.filter(|question| !question.trim().is_empty()) else {
        return error(StatusCode::BAD_REQUEST, "`q` is missing");
    };
    let Ok(limit @ 1..) = limit else { return error(StatusCode::BAD_REQUEST, "`limit` is no number from 1 on") };
    if !active.site.has_search() {
        return error(StatusCode::NOT_FOUND, "the bundle has no search index");
    }
    in_turn(sites, move || match active.site.search(&question, limit, version.as_deref()) {
        Some(results) => json_response(StatusCode::OK, &json!({"query": question, "results": results})),
        None => error(
            StatusCode::BAD_REQUEST,
            &format!("`version` is none of `{ALL_VERSIONS}` and the versions of the bundle"),
        ),
    })
    .await
}

/// Does what keeps a thread busy: few at once, so that pages are served meanwhile.
async fn in_turn(
    sites: &HostedSites,
    work: impl FnOnce() -> Response<ReplyBody> + Send + 'static,
) -> Response<ReplyBody> {
    let Ok(Ok(turn)) = timeout(QUEUE_TIMEOUT, Arc::clone(&sites.questions).acquire_owned()).await else {
        return error(StatusCode::SERVICE_UNAVAILABLE, "too many requests at once");
    };
    let done = tokio::task::spawn_blocking(move || {
        let answer = work();
        drop(turn);
        answer
    });
    done.await.unwrap_or_else(|_| error(StatusCode::INTERNAL_SERVER_ERROR, "internal error"))
}

/// A whole request body, if it is not too large.
async fn read_agent_body(body: &mut Incoming) -> Result<Vec<u8>, Response<ReplyBody>> {
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await {
        let frame = frame.map_err(|_| error(StatusCode::BAD_REQUEST, "the request ended early"))?;
        let Ok(piece) = frame.into_data() else { continue };
        if bytes.len() + piece.len() > BODY_BYTES {
            return Err(error(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large"));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}
