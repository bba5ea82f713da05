//! A program without traces: nothing is recorded, and futures stay as they are.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::{Collector, ENDPOINT_VARIABLE, JobOutcome, LOG_TARGET, LogLayer};

/// The export of spans: there is none.
#[derive(Debug)]
pub struct Traces;

/// Installs the log; a subscriber that was installed before stays. A warning says that there are no traces, if there is
/// a collector.
pub fn install_log(lines: LogLayer, filter: EnvFilter, collector: Option<&Collector>) -> Result<Traces, String> {
    let _ = tracing_subscriber::registry().with(lines).with(filter).try_init();
    if collector.is_some() {
        tracing::warn!(
            target: LOG_TARGET,
            variable = ENDPOINT_VARIABLE,
            "there are no traces: this program was built without the feature `opentelemetry`"
        );
    }
    Ok(Traces)
}

impl Traces {
    /// Ends it.
    pub fn end(self) {}
}

/// The span of a request.
pub struct RequestSpan;

impl RequestSpan {
    /// Begins it.
    pub fn begin<'a>(_method: &str, _header: impl Fn(&'static str) -> Option<&'a str>) -> Self {
        Self
    }

    /// Runs a future within it.
    pub fn run<F: Future>(&self, future: F) -> F {
        future
    }

    /// Ends it.
    pub fn end(self, _method: &str, _route: &str, _status: u16, _organization: Option<&str>, _job: Option<&str>) {}
}

/// The trace of the current span: there is none.
pub fn current() -> Option<String> {
    None
}

/// The span of a job.
pub struct JobSpan;

impl JobSpan {
    /// Begins it.
    pub fn begin(_id: &str, _kind: &str, _organization: &str, _request: Option<&str>) -> Self {
        Self
    }

    /// Runs a future within it.
    pub fn run<F: Future>(self, future: F) -> F {
        future
    }
}

/// The span of a try of a webhook.
pub struct DeliverySpan;

impl DeliverySpan {
    /// Begins it.
    pub fn begin(_id: &str, _organization: &str, _webhook: &str) -> Self {
        Self
    }

    /// Runs a future within it.
    pub fn run<F: Future>(self, future: F) -> F {
        future
    }
}

/// Notes how the current try has ended.
pub fn record_delivery(_result: &'static str, _status: Option<u16>) {}

/// Notes how the current job has ended.
pub fn record_outcome(_outcome: JobOutcome) {}

/// The stages of the current job.
pub struct Stages;

impl Stages {
    /// Of the current job.
    pub fn of_job() -> Self {
        Self
    }

    /// Notes that a stage of an export begins.
    pub fn begin(&self, _name: &str) {}
}
