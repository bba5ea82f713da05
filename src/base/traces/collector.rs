//! Sends spans to a collector: OTLP as protobuf over HTTP, in batches, by a thread of its own.
//!
//! The queue is bounded, and a span that finds it full is dropped: a collector that is slow or gone costs spans, never
//! work. The log says when spans begin to be lost and when they are received again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{Protocol, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{BatchSpanProcessor, SdkTracerProvider, SpanData, SpanExporter};
use tracing::Subscriber;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{FilterExt as _, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::tls;

use super::recorded::TARGET;
use super::{Collector, ENDPOINT_VARIABLE, LOG_TARGET, LogLayer};

/// Where a collector takes traces, below its base address.
const TRACES_PATH: &str = "/v1/traces";
/// How long the last spans may take to be sent when the service ends.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// Installs the log and the export of traces; a subscriber that was installed before stays.
///
/// # Errors
/// A sentence: the collector has no address.
pub fn install_log(lines: LogLayer, filter: EnvFilter, collector: Option<&Collector>) -> Result<Traces, String> {
    let traces = collector.map_or(Ok(Traces(None)), Traces::start)?;
    // spans of traces are not for the log, and its filter is not for them
    let outside_traces = filter_fn(|metadata| metadata.target() != TARGET);
    let lines = lines.with_filter(filter.and(outside_traces));
    let _ = tracing_subscriber::registry().with(lines).with(traces.layer()).try_init();
    Ok(traces)
}

/// The export of spans.
#[derive(Debug)]
#[must_use]
pub struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Starts the export.
    ///
    /// # Errors
    /// A sentence: the address is none.
    fn start(collector: &Collector) -> Result<Self, String> {
        let endpoint = format!("{}{TRACES_PATH}", collector.endpoint.trim_end_matches('/'));
        let address = url::Url::parse(&endpoint).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        if address.is_none() {
            return Err(format!("{ENDPOINT_VARIABLE}: no address: write one such as `http://127.0.0.1:4318`"));
        }
        tls::install_provider();
        let exporter = opentelemetry_otlp::SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(endpoint)
            .build()
            .map_err(|error| format!("{ENDPOINT_VARIABLE}: traces cannot be sent: {error}"))?;
        let exporter = Reported { exporter, is_failing: AtomicBool::new(false) };
        let resource = Resource::builder()
            .with_service_name(collector.service.clone())
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_resource(resource)
            .with_span_processor(BatchSpanProcessor::builder(exporter).build())
            .build();
        Ok(Self(Some(provider)))
    }

    /// The layer that hands spans over, and nothing else: not the events of the log, nor the spans of dependencies,
    /// among which are those of the export itself.
    fn layer<S>(&self) -> Option<impl Layer<S> + use<S>>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let tracer = self.0.as_ref()?.tracer("offprint");
        let layer = tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false);
        Some(layer.with_filter(filter_fn(|metadata| metadata.is_span() && metadata.target() == TARGET)))
    }

    /// Sends what is left, for a bounded time.
    pub fn end(self) {
        if let Some(provider) = self.0
            && let Err(error) = provider.shutdown_with_timeout(FLUSH_TIMEOUT)
        {
            tracing::warn!(target: LOG_TARGET, %error, "the last traces were not received");
        }
    }
}

/// An exporter that says in the log when it begins to fail and when it works again.
#[derive(Debug)]
struct Reported<E> {
    exporter: E,
    is_failing: AtomicBool,
}

impl<E: SpanExporter> SpanExporter for Reported<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let exported = self.exporter.export(batch).await;
        let was_failing = self.is_failing.swap(exported.is_err(), Ordering::Relaxed);
        match &exported {
            Err(error) if !was_failing => {
                tracing::warn!(target: LOG_TARGET, %error, "traces are not received, and lost for now")
            }
            Ok(()) if was_failing => tracing::info!(target: LOG_TARGET, "traces are received again"),
            _ => {}
        }
        exported
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}
