//! Logs and metrics of the service; `traces` are beside them.
//!
//! No line and no label holds a key, a link's query, a credential, or the id of an organization's thing: they name
//! routes, not paths.

use std::io::{self, IsTerminal as _};

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::Layer as _;

use super::traces::{self, Collector, Traces};

/// Sets what is logged, as `info`, `offprint=debug` or `warn,offprint::service::api=info`; the default is `info`. The crate
/// `offprint_service` may be written as `offprint::service`, and so with all of them.
pub const LOG_VARIABLE: &str = "OFFPRINT_LOG";

/// Seconds by which requests are counted.
const REQUEST_SECONDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];
/// Seconds by which jobs are counted.
const JOB_SECONDS: [f64; 10] = [0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 180.0, 600.0];

/// How lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TelemetryFormat {
    /// For people.
    Text,
    /// One object a line.
    Json,
}

impl TelemetryFormat {
    /// For people if people are watching.
    pub fn suited() -> Self {
        if io::stderr().is_terminal() { Self::Text } else { Self::Json }
    }
}

/// Starts the log, on standard error, and the export of traces, if there is a collector. `filter` is as
/// [`LOG_VARIABLE`] says.
///
/// # Errors
/// A sentence: the filter is none, or the collector has no address.
pub fn start_log(
    format: TelemetryFormat,
    filter: Option<&str>,
    collector: Option<&Collector>,
) -> Result<Traces, String> {
    let filter = filter.filter(|filter| !filter.is_empty()).unwrap_or("info");
    let filter = EnvFilter::builder().parse(filter.replace("offprint::", "offprint_")).map_err(|error| {
        format!("{LOG_VARIABLE}: `{filter}` is no filter ({error}): write one such as `info` or `warn,offprint=debug`")
    })?;
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_target(true);
    let lines = match format {
        TelemetryFormat::Json => {
            lines.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed()
        }
        TelemetryFormat::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
    };
    traces::install_log(lines, filter, collector)
}

/// Starts counting; the handle writes the numbers as Prometheus reads them.
///
/// # Errors
/// A recorder was installed before.
pub fn start_metrics() -> Result<PrometheusHandle, BuildError> {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("request_seconds".to_owned()), &REQUEST_SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("job_seconds".to_owned()), &JOB_SECONDS)?;
    let handle = builder.install_recorder()?;
    metrics::describe_counter!("offprint_http_requests_total", "Requests, by operation and status");
    metrics::describe_histogram!(
        "offprint_http_request_seconds",
        metrics::Unit::Seconds,
        "Time until the head of the answer, by operation"
    );
    metrics::describe_gauge!("offprint_http_connections", "Open connections");
    metrics::describe_counter!(
        "offprint_http_connections_refused_total",
        "Connections closed because there were too many"
    );
    metrics::describe_counter!(
        "offprint_auth_failures_total",
        "Requests with no key or password, or one that is not valid"
    );
    metrics::describe_counter!("offprint_bundle_downloads_total", "Uses of links to bundles, by result");
    metrics::describe_gauge!(
        "offprint_queue_age_seconds",
        metrics::Unit::Seconds,
        "How long the oldest job of a kind has waited"
    );
    metrics::describe_counter!("offprint_child_ends_total", "Ends of the processes of exports, by cause");
    metrics::describe_gauge!("offprint_disk_bytes", metrics::Unit::Bytes, "Size of the disk of the data");
    metrics::describe_gauge!("offprint_disk_free_bytes", metrics::Unit::Bytes, "What is free of it");
    metrics::describe_gauge!(
        "offprint_disk_floor_bytes",
        metrics::Unit::Bytes,
        "With less than this free, no jobs are accepted"
    );
    metrics::describe_counter!("offprint_webhook_deliveries_total", "Tries to deliver a webhook, by result");
    metrics::describe_counter!("offprint_webhooks_disabled_total", "Webhooks that were disabled");
    metrics::describe_counter!("offprint_audit_failures_total", "Lines of the audit log that could not be written");
    metrics::describe_counter!("offprint_reloads_total", "Reloads of the configuration, by result");
    Ok(handle)
}
