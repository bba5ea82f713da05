//! Health, readiness, metrics and the description of the interface (contract, section 10).

use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde_json::json;

use crate::api::call::PublicCall;
use crate::api::error_response::ErrorResponse;
use crate::api::process_metrics::process_metrics;
use crate::api::{ApiOptions, access};
use crate::store::{Time, WorkKind};
use confine::Layers;

/// The process runs.
pub(in crate::api) async fn live(_: PublicCall) -> Result<Response, ErrorResponse> {
    Ok(ok())
}

/// The service takes work.
pub(in crate::api) async fn ready(call: PublicCall) -> Result<Response, ErrorResponse> {
    if call.api.0.is_draining.load(Ordering::Relaxed) {
        return Err(ErrorResponse::unavailable("the service is about to stop"));
    }
    if let Err(error) = call.api.0.jobs.can_write().await {
        tracing::warn!(%error, "the service is not ready");
        return Err(ErrorResponse::unavailable("the service cannot store anything now"));
    }
    if let Err(cause) = call.api.0.jobs.can_keep_archives().await {
        tracing::warn!(cause, "the service is not ready");
        return Err(ErrorResponse::unavailable(format!("the service cannot keep bundles now: {cause}")));
    }
    let is_verbose = call.head.uri.query().is_some_and(|query| query.split('&').any(|key| key == "verbose"));
    // what the machine lacks is nothing for strangers
    Ok(if is_verbose && access::is_operator(&call.api, &call.head.headers, call.peer) {
        verbose(&call.api.0.options)
    } else {
        ok()
    })
}

/// What an operator asks for: what of the machine is missing, beside that all is well.
fn verbose(options: &ApiOptions) -> Response {
    let Layers { namespaces, landlock, system_calls } = options.layers;
    let isolation = json!({
        "namespaces": namespaces,
        "landlock": landlock,
        "systemCalls": system_calls,
        "controlGroup": options.has_group,
        "lacks": options.layers.lacks(),
    });
    health_response(json!({ "status": "ok", "isolation": isolation }).to_string())
}

/// The OpenAPI document of this interface.
pub(in crate::api) async fn describe_api(call: PublicCall) -> Result<Response, ErrorResponse> {
    Ok(health_response(call.api.0.description.clone()))
}

fn ok() -> Response {
    health_response("{\"status\":\"ok\"}")
}

fn health_response(text: impl Into<Body>) -> Response {
    let mut response = Response::new(text.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The numbers, as Prometheus reads them.
pub(in crate::api) async fn metrics(call: PublicCall) -> Result<Response, ErrorResponse> {
    let api = call.api;
    if let Ok(counts) = api.0.jobs.ledger().counts().await {
        metrics::gauge!("offprint_jobs_waiting").set(counts.waiting as f64);
        metrics::gauge!("offprint_jobs_running").set(counts.running as f64);
    }
    let oldest = api.0.jobs.ledger().oldest_waiting().await.unwrap_or_default();
    for kind in WorkKind::ALL {
        let since = oldest.iter().find(|(other, _)| *other == kind).map(|(_, since)| *since);
        let seconds = since.map_or(0.0, |since| Time::now().since(since).as_secs_f64());
        metrics::gauge!("offprint_queue_age_seconds", "kind" => kind.word()).set(seconds);
    }
    if let Some(disk) = api.0.jobs.disk() {
        metrics::gauge!("offprint_disk_bytes").set(disk.bytes as f64);
        metrics::gauge!("offprint_disk_free_bytes").set(disk.free_bytes as f64);
        metrics::gauge!("offprint_disk_floor_bytes").set(disk.floor_bytes as f64);
    }
    let text = api.0.numbers.render() + &process_metrics();
    let mut response = Response::new(Body::from(text));
    let media_type = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    Ok(response)
}
