//! Spans of requests and jobs, recorded with `tracing`. Their target keeps them apart from the log.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TraceContextExt as _;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::field::Empty;
use tracing::instrument::{Instrument as _, Instrumented};
use tracing::{Span, info_span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::JobOutcome;

/// The target of all spans.
pub(super) const TARGET: &str = "offprint::traces";

/// Headers of the W3C's trace context.
const TRACE_PARENT: &str = "traceparent";
const TRACE_STATE: &str = "tracestate";

/// The trace context that a client has sent.
struct Sent<'a> {
    parent: &'a str,
    state: Option<&'a str>,
}

impl Extractor for Sent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        match key {
            TRACE_PARENT => Some(self.parent),
            TRACE_STATE => self.state,
            _ => None,
        }
    }

    fn keys(&self) -> Vec<&str> {
        vec![TRACE_PARENT, TRACE_STATE]
    }
}

/// The span of a request.
pub struct RequestSpan(Span);

impl RequestSpan {
    /// Begins it, within the trace that the client's headers name. `method` is a known one.
    pub fn begin<'a>(method: &str, header: impl Fn(&'static str) -> Option<&'a str>) -> Self {
        let span = info_span!(
            target: TARGET,
            parent: None,
            "request",
            otel.kind = "server",
            otel.status_code = Empty,
            http.request.method = method,
            http.route = Empty,
            http.response.status_code = Empty,
            offprint.job.id = Empty,
            offprint.organization = Empty,
        );
        if !span.is_disabled()
            && let Some(parent) = header(TRACE_PARENT)
        {
            let sent = Sent { parent, state: header(TRACE_STATE) };
            // it fails where spans are not exported
            let _ = span.set_parent(TraceContextPropagator::new().extract(&sent));
        }
        Self(span)
    }

    /// Runs a future within it.
    pub fn run<F: Future>(&self, future: F) -> Instrumented<F> {
        future.instrument(self.0.clone())
    }

    /// Ends it, with what was found out about the request. `job` is the one that it has started.
    pub fn end(self, method: &str, route: &str, status: u16, organization: Option<&str>, job: Option<&str>) {
        let Self(span) = self;
        if span.is_disabled() {
            return;
        }
        // a span that has been entered takes no name as a field
        span.context().span().update_name(format!("{method} {route}"));
        span.record("http.route", route);
        span.record("http.response.status_code", status);
        if let Some(organization) = organization {
            span.record("offprint.organization", organization);
        }
        if let Some(job) = job {
            span.record("offprint.job.id", job);
        }
        if status >= 500 {
            span.record("otel.status_code", "ERROR");
        }
    }
}

/// The trace of the current span, as a `traceparent`, if it is exported.
pub fn current() -> Option<String> {
    let mut headers = HashMap::new();
    TraceContextPropagator::new().inject_context(&Span::current().context(), &mut headers);
    headers.remove(TRACE_PARENT)
}

/// The span of a job.
pub struct JobSpan(Span);

impl JobSpan {
    /// Begins it: a trace of its own, with a link to that of the request.
    pub fn begin(id: &str, kind: &str, organization: &str, request: Option<&str>) -> Self {
        let span = info_span!(
            target: TARGET,
            parent: None,
            "job",
            otel.name = format!("job {kind}"),
            otel.kind = "consumer",
            otel.status_code = Empty,
            offprint.job.id = id,
            offprint.job.kind = kind,
            offprint.job.outcome = Empty,
            offprint.organization = organization,
        );
        if let Some(parent) = request {
            let context = TraceContextPropagator::new().extract(&Sent { parent, state: None });
            span.add_link(context.span().span_context().clone());
        }
        Self(span)
    }

    /// Runs a future within it; it ends with the future.
    pub fn run<F: Future>(self, future: F) -> Instrumented<F> {
        future.instrument(self.0)
    }
}

/// The span of a try of a webhook.
pub struct DeliverySpan(Span);

impl DeliverySpan {
    /// Begins it: a trace of its own.
    pub fn begin(id: &str, organization: &str, webhook: &str) -> Self {
        Self(info_span!(
            target: TARGET,
            parent: None,
            "webhook",
            otel.kind = "client",
            otel.status_code = Empty,
            http.response.status_code = Empty,
            offprint.delivery.id = id,
            offprint.delivery.result = Empty,
            offprint.organization = organization,
            offprint.webhook = webhook,
        ))
    }

    /// Runs a future within it; it ends with the future.
    pub fn run<F: Future>(self, future: F) -> Instrumented<F> {
        future.instrument(self.0)
    }
}

/// Notes how the current try has ended, and with which status of HTTP if there was an answer.
pub fn record_delivery(result: &'static str, status: Option<u16>) {
    let span = Span::current();
    span.record("offprint.delivery.result", result);
    if let Some(status) = status {
        span.record("http.response.status_code", status);
    }
    if result != "delivered" {
        span.record("otel.status_code", "ERROR");
    }
}

/// Notes how the current job has ended.
pub fn record_outcome(outcome: JobOutcome) {
    let span = Span::current();
    span.record("offprint.job.outcome", outcome.word());
    if matches!(outcome, JobOutcome::Failure | JobOutcome::Crashed) {
        span.record("otel.status_code", "ERROR");
    }
}

/// The stages of the current job that have spans: its source is fetched, then rendered. They end with this value.
pub struct Stages {
    job: Span,
    current: Mutex<CurrentStage>,
}

/// They follow each other in this order, whatever a child says.
enum CurrentStage {
    None,
    Fetch {
        /// Ends when it is dropped.
        _span: Span,
    },
    Render {
        /// Ends when it is dropped.
        _span: Span,
    },
}

impl Stages {
    /// Of the current job.
    pub fn of_job() -> Self {
        Self { job: Span::current(), current: Mutex::new(CurrentStage::None) }
    }

    /// Notes that a stage of an export begins.
    pub fn begin(&self, name: &str) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*current, name) {
            (CurrentStage::None, "fetch") => {
                *current = CurrentStage::Fetch { _span: info_span!(target: TARGET, parent: &self.job, "fetch") };
            }
            (CurrentStage::Fetch { .. }, "fetch") | (CurrentStage::Render { .. }, _) => {}
            (CurrentStage::None | CurrentStage::Fetch { .. }, _) => {
                // the fetch has ended before the render begins
                *current = CurrentStage::None;
                *current = CurrentStage::Render { _span: info_span!(target: TARGET, parent: &self.job, "render") };
            }
        }
    }
}
