//! How the exports of an organization stand, as a stream of events for the pages that show some.

use std::convert::Infallible;
use std::time::Duration;

use axum::http::{HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use serde_json::json;
use tokio::sync::mpsc;

use crate::api::Api;
use crate::api::connection::stopped;
use crate::api::error_response::{ErrorCode, ErrorResponse};
use crate::api::streams::StreamGuard;
use crate::store::ExportFilter;

use super::guard::add_console_headers;
use super::session::ConsoleSession;

/// How often it is looked.
const INTERVAL: Duration = Duration::from_secs(1);
/// How often a comment says that the stream is open.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// Exports that are told of: the newest.
const EXPORTS: usize = 50;

/// Streams the newest exports whenever one of them changes.
pub(super) fn stream(api: &Api, session: &ConsoleSession) -> Result<Response, ErrorResponse> {
    let place = api.0.streams.enter(&session.key.organization.id).ok_or_else(|| {
        ErrorResponse::new(ErrorCode::RateLimited, "too many streams are open").retry_after(Duration::from_secs(5))
    })?;
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(follow_organization(api.clone(), session.clone(), sender, place));
    let events = stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|event: Event| (Ok::<_, Infallible>(event), receiver))
    });
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL)).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(add_console_headers(response))
}

/// Tells until the session was ended, among others.
async fn follow_organization(api: Api, session: ConsoleSession, sender: mpsc::Sender<Event>, place: StreamGuard) {
    let (organization, ledger) = (&session.key.organization.id, api.0.jobs.ledger());
    let mut stop = api.0.stop.subscribe();
    let mut last_sent = String::new();
    while matches!(ledger.has_session_ended(&session.id, session.until).await, Ok(false)) {
        let filter = ExportFilter { limit: EXPORTS, ..ExportFilter::default() };
        let Ok(page) = ledger.exports(organization, filter).await else { break };
        let jobs: Vec<_> = page
            .items
            .iter()
            .map(|job| {
                json!({ "id": job.id, "status": job.status.word(), "progress": job.progress, "pages": job.pages })
            })
            .collect();
        let data = json!(jobs).to_string();
        if data != last_sent {
            if sender.send(Event::default().event("exports").data(&data)).await.is_err() {
                break;
            }
            last_sent = data;
        }
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = sender.closed() => break,
            () = stopped(&mut stop) => break,
        }
    }
    drop(place);
}
