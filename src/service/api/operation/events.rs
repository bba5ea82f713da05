//! A job as a stream of events (contract, section 6).

use std::convert::Infallible;
use std::time::Duration;

use axum::http::{HeaderValue, Method, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use tokio::sync::mpsc;

use crate::api::Api;
use crate::api::call::KeyedCall;
use crate::api::connection::stopped;
use crate::api::error_response::ErrorResponse;
use crate::api::streams::StreamGuard;
use crate::api::views::ExportView;
use crate::store::{ExportJob, ExportStatus};

/// Shortest time between two events.
const MIN_EVENT_INTERVAL: Duration = Duration::from_millis(250);
/// How often a job is looked at that another process may have changed.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often a comment says that the stream is open.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// Streams how a job stands.
pub(in crate::api) async fn stream(mut call: KeyedCall) -> Result<Response, ErrorResponse> {
    let job = call.export()?.clone();
    let (sender, receiver) = mpsc::channel(1);
    let last = call.head.headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let last = last.and_then(|value| value.parse::<u64>().ok()).unwrap_or(0);
    let is_head = call.head.method == Method::HEAD;
    if let (Some(place), false) = (call.stream.take(), is_head) {
        tokio::spawn(follow_export_job(call.api, job, last, sender, place));
    }
    let events = stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|event: Event| (Ok::<_, Infallible>(event), receiver))
    });
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL)).into_response();
    // as every answer of the interface
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Streams the status of a job whenever it changes, until the job ends, the client disconnects or the service stops.
async fn follow_export_job(api: Api, mut job: ExportJob, last: u64, sender: mpsc::Sender<Event>, place: StreamGuard) {
    let mut stop = api.0.stop.subscribe();
    let mut watch = api.0.jobs.ledger().watch(&job.id);
    let mut number = last.saturating_add(1);
    let mut last_sent: Option<String> = None;
    loop {
        let data = serde_json::to_string(&ExportView::from(&job)).unwrap_or_default();
        let is_over = job.status.is_terminal();
        if last_sent.as_ref() != Some(&data) {
            let event = Event::default().id(number.to_string()).event(export_status_name(job.status)).data(&data);
            tokio::select! {
                sent = sender.send(event) => if sent.is_err() { break },
                () = stopped(&mut stop) => break,
            }
            number = number.saturating_add(1);
            last_sent = Some(data);
        }
        if is_over {
            break;
        }
        tokio::time::sleep(MIN_EVENT_INTERVAL).await;
        tokio::select! {
            _ = tokio::time::timeout(POLL_INTERVAL, watch.changed()) => {}
            () = sender.closed() => break,
            () = stopped(&mut stop) => break,
        }
        match api.0.jobs.ledger().export(&job.organization, &job.id).await {
            Ok(Some(now)) => job = now,
            // deleted, or the store is unavailable: the client's next request gets the error
            Ok(None) | Err(_) => break,
        }
    }
    drop(place);
}

fn export_status_name(status: ExportStatus) -> &'static str {
    match status {
        ExportStatus::Queued | ExportStatus::Running => "progress",
        ExportStatus::Completed => "completed",
        ExportStatus::Failed => "failed",
    }
}
