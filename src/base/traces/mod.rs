//! Traces of the service: one span for each request, each job and each try of a webhook, for a collector of
//! OpenTelemetry. A job is a trace of its own, with a link to the request that has started it, perhaps on another node.
//!
//! Only a program built with the feature `opentelemetry` records them (`recorded`, `collector`). In any other the same
//! types are empty (`absent`), and no dependency is compiled.
//!
//! A span holds routes and the ids of organizations and jobs; no key, path, query or credential.

// Clippy reads it with the feature, too: one run of it covers all code.
#[cfg(any(not(feature = "opentelemetry"), clippy))]
#[cfg_attr(
    feature = "opentelemetry",
    expect(dead_code, unreachable_pub, reason = "`recorded` and `collector` stand for it")
)]
mod absent;
#[cfg(feature = "opentelemetry")]
mod collector;
#[cfg(feature = "opentelemetry")]
mod recorded;

use tracing_subscriber::Registry;
use tracing_subscriber::layer::Layer;

#[cfg(not(feature = "opentelemetry"))]
pub use absent::{
    DeliverySpan, JobSpan, RequestSpan, Stages, Traces, current, install_log, record_delivery, record_outcome,
};
#[cfg(feature = "opentelemetry")]
pub use recorded::{DeliverySpan, JobSpan, RequestSpan, Stages, current, record_delivery, record_outcome};

#[cfg(feature = "opentelemetry")]
pub use collector::{Traces, install_log};

/// What writes the lines of the log.
pub type LogLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// The target of lines about traces in the log. It does not depend on the crate that they are written from.
const LOG_TARGET: &str = "offprint::base::traces";

/// The base address of the collector, as the specification of OpenTelemetry names it.
pub const ENDPOINT_VARIABLE: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
/// The name of the service in its traces.
pub const SERVICE_VARIABLE: &str = "OTEL_SERVICE_NAME";
/// The name of a service that has none.
pub const DEFAULT_SERVICE: &str = "offprint";

/// Where traces are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collector {
    /// The base address, without `/v1/traces`.
    pub endpoint: String,
    /// The name of the service.
    pub service: String,
}

/// How a turn of a job on a worker ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// A bundle was made.
    Success,
    /// There is no bundle, and the job says why.
    Failure,
    /// Its process died.
    Crashed,
    /// The disk had no room for it.
    Delayed,
    /// The service stopped, or the worker was needed elsewhere.
    Stopped,
    /// It was canceled, or another worker has it.
    Lost,
}

impl JobOutcome {
    /// Its name in spans and in metrics.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Crashed => "crashed",
            Self::Delayed => "delayed",
            Self::Stopped => "stopped",
            Self::Lost => "lost",
        }
    }
}
