//! A job as a stream of events (contract, section 6).

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use tokio::sync::mpsc;

use crate::service::store::{ExportJob, ExportStatus};

use super::Api;
use super::connection::stopped;
use super::dto::ExportView;
use super::operation::Call;
use super::order::Resource;
use super::refusal::Refusal;

/// Most streams of one organisation.
pub(super) const STREAMS: usize = 20;
/// Shortest time between two events.
const PACE: Duration = Duration::from_millis(250);
/// How often a job is looked at that another process may have changed.
const LOOK: Duration = Duration::from_secs(1);
/// How often a comment says that the stream is open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The open streams of each organisation.
#[derive(Debug, Default)]
pub(super) struct Streams(Mutex<HashMap<String, usize>>);

/// One of them; leaves when dropped.
#[derive(Debug)]
pub(super) struct Place {
    streams: Arc<Streams>,
    organisation: String,
}

impl Streams {
    /// Takes a place, if there is one.
    pub(super) fn enter(self: &Arc<Self>, organisation: &str) -> Option<Place> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(organisation.to_owned()).or_insert(0);
        if *count >= STREAMS {
            return None;
        }
        *count += 1;
        Some(Place { streams: Arc::clone(self), organisation: organisation.to_owned() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.organisation) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.organisation);
            }
        }
    }
}

/// The stream of a job.
pub(super) fn stream(call: Call, headers: &HeaderMap, is_head: bool) -> Result<Response, Refusal> {
    let Resource::Export(job) = call.resource else { return Err(Refusal::internal("the resource is of another kind")) };
    let (sender, receiver) = mpsc::channel(1);
    let last = headers
        .get("last-event-id")
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<u64>().ok())
        .unwrap_or(0);
    if let (Some(place), false) = (call.stream, is_head) {
        tokio::spawn(follow(call.api, *job, last, sender, place));
    }
    let events = stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|event: Event| (Ok::<_, Infallible>(event), receiver))
    });
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response();
    // as every answer of the interface
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Tells how a job stands whenever that changes, until it is over, the reader leaves or the service stops.
async fn follow(api: Api, mut job: ExportJob, last: u64, sender: mpsc::Sender<Event>, place: Place) {
    let mut stop = api.0.stop.subscribe();
    let mut watch = api.0.jobs.watch(&job.id);
    let mut number = last.saturating_add(1);
    let mut told: Option<String> = None;
    loop {
        let data = serde_json::to_string(&ExportView::from(&job)).unwrap_or_default();
        let is_over = job.status.is_terminal();
        if told.as_ref() != Some(&data) {
            let event = Event::default().id(number.to_string()).event(name(job.status)).data(&data);
            tokio::select! {
                sent = sender.send(event) => if sent.is_err() { break },
                () = stopped(&mut stop) => break,
            }
            number = number.saturating_add(1);
            told = Some(data);
        }
        if is_over {
            break;
        }
        tokio::time::sleep(PACE).await;
        tokio::select! {
            _ = tokio::time::timeout(LOOK, watch.changed()) => {}
            () = sender.closed() => break,
            () = stopped(&mut stop) => break,
        }
        match api.0.jobs.export(&job.organisation, &job.id).await {
            Ok(Some(now)) => job = now,
            // forgotten, or out of reach: the reader asks again and hears why
            Ok(None) | Err(_) => break,
        }
    }
    drop(place);
}

fn name(status: ExportStatus) -> &'static str {
    match status {
        ExportStatus::Queued | ExportStatus::Running => "progress",
        ExportStatus::Completed => "completed",
        ExportStatus::Failed => "failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_of_one_organisation_and_come_back() {
        let streams = Arc::new(Streams::default());
        let mut places: Vec<_> = (0..STREAMS).map(|_| streams.enter("a").unwrap()).collect();
        assert!(streams.enter("a").is_none() && streams.enter("b").is_some());
        places.pop();
        assert!(streams.enter("a").is_some());
        drop(places);
        assert!(streams.0.lock().unwrap().is_empty());
    }
}
