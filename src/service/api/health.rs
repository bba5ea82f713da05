//! What operators and their machines ask (contract, section 10).

use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use super::refusal::Refusal;
use super::route::{self, Asked};
use super::{Api, finish, order, request_id};

/// The process runs.
pub(super) fn live() -> Response {
    ok()
}

/// The service takes work.
pub(super) fn ready(api: &Api) -> Result<Response, Refusal> {
    if api.0.is_draining.load(Ordering::Relaxed) {
        Err(Refusal::unavailable("the service is about to stop"))
    } else {
        Ok(ok())
    }
}

fn ok() -> Response {
    let mut response = Response::new(Body::from("{\"status\":\"ok\"}"));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The numbers, as Prometheus reads them.
pub(super) async fn metrics(api: &Api) -> Response {
    if let Ok(counts) = api.0.jobs.counts().await {
        metrics::gauge!("offprint_jobs_waiting").set(counts.waiting as f64);
        metrics::gauge!("offprint_jobs_running").set(counts.running as f64);
    }
    let mut response = Response::new(Body::from(api.0.numbers.render()));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8"));
    response
}

/// The listener that has nothing but metrics.
pub(super) async fn metrics_only(api: &Api, head: &Parts) -> Response {
    let id = request_id(&head.headers);
    let found = route::find(head.uri.path(), true)
        .and_then(|row| if row.template == "/metrics" { Ok(row) } else { Err(Refusal::not_found()) });
    let mut response = match found.and_then(|row| row.asked(&head.method).map(|asked| (row, asked))) {
        Ok((_, Asked::Operation(_))) => metrics(api).await,
        Ok((row, Asked::Options)) => order::options(&row),
        Err(refusal) => refusal.into_response(),
    };
    finish(response.headers_mut(), &id, true);
    response
}
