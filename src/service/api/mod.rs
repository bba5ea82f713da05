//! The HTTP service: the contract's operations, one order of checks for all of them, and the hosts of previews.
//!
//! 1. `connection` takes connections and bounds them; `Api::answer` gets each request.
//! 2. `host` says whom it is for: a preview, a project's site, or the service itself.
//! 3. `pipeline` sends what is for the service through the ten steps of the contract's order of checks; `access`,
//!    `window`, `body`, `fields` are its steps, `checked` is what they find out for the log, `known_records` what was
//!    requested lately. What it has to know of an
//!    operation is one row of `routes`.
//! 4. `operation` does what was requested with a `call`, under its idempotency key (`idempotency`); `views` writes
//!    the answer, `error_response` every error response.
//! 5. `console` shows the same to people with a browser, if that is configured.
//! 6. `sites` serves previews (with the panel of `widget`) and production, `reference` the pages about this interface.
//!
//! Invariants: the tenant of a request comes from its key or from its host, never from anything else it says. What
//! belongs to another is answered like what is not there. No key, query of a link or credential reaches a log: lines
//! name routes, not paths.

mod access;
mod body;
mod call;
mod checked;
mod connection;
mod console;
mod error_response;
mod fields;
mod file;
mod host;
mod id;
mod idempotency;
mod ignored;
mod json;
mod known_records;
mod live_directory;
mod operation;
mod pipeline;
mod preview_access;
mod preview_url;
mod process_metrics;
mod reference;
mod route;
mod routes;
mod sites;
mod streams;
mod views;
mod widget;
mod window;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arc_swap::ArcSwap;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::response::{IntoResponse as _, Response};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::audit::{AuditEntry, AuditWriter};
use crate::job::Service;
use crate::store::objects::link;
use crate::store::objects::{ObjectCache, Objects};
use crate::store::{DeploymentRecord, ExportJob};
use crate::tenant::{Failures, TenantDirectory};
use base::traces::RequestSpan;
use confine::Layers;
use http::forwarded::request_client_address;
use http::lockout::{Lockout, LockoutRule};
use http::peer::NetworkList;

use call::Created;
use checked::RequestSummary;
use error_response::{ERROR_CODE, ErrorResponse};
use ignored::KnownOperations;
use known_records::KnownRecords;
use sites::{OpenSites, answer_site};
use streams::Streams;

pub use console::ConsoleKey;
pub use live_directory::LiveDirectory;
pub use preview_access::PreviewAccess;
pub use preview_url::{PreviewKey, PreviewUrl};
use reference::described;
pub use reference::pages as reference_pages;

/// Names a request, in its answer and in the log.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Longest id that a client may choose.
const REQUEST_ID_BYTES: usize = 64;

/// The settings of the service; fixed while it runs.
#[derive(Clone, Debug)]
pub struct ApiOptions {
    /// Scheme and host by which clients reach it, without a slash at the end.
    pub base_url: String,
    /// Host and port of that: what links are signed for.
    pub authority: String,
    /// Where previews are.
    pub preview_url: PreviewUrl,
    /// Makes their labels.
    pub preview_key: PreviewKey,
    /// Whose `X-Forwarded-For` counts.
    pub trusted_proxies: NetworkList,
    /// Failed authentications of one address in a minute; 0: no limit.
    pub auth_failures_per_minute: u32,
    /// When wrong passwords of readers of previews lock.
    pub lockout: LockoutRule,
    /// The model of agent jobs; `None`: there are none.
    pub agent_model: Option<String>,
    /// Whether `/metrics` is here; else it has a listener of its own.
    pub has_metrics: bool,
    /// How exports are confined, for `/readyz?verbose`.
    pub layers: Layers,
    /// Whether a control group bounds their memory, for the same.
    pub has_group: bool,
    /// Signs sessions of the console; `None`: there is no console.
    pub console: Option<ConsoleKey>,
    /// Writes the audit log, if there is one.
    pub audit: Option<Arc<AuditWriter>>,
    /// Copies of archives that are kept elsewhere.
    pub cache: ObjectCache,
}

/// The service. Cheap to clone.
#[derive(Clone)]
pub struct Api(Arc<ApiInner>);

/// What all requests share.
struct ApiInner {
    options: ApiOptions,
    directory: Arc<LiveDirectory>,
    jobs: Service,
    objects: Objects,
    links: ArcSwap<link::Keys>,
    preview_access: ArcSwap<PreviewAccess>,
    failures: Failures,
    /// Who guesses passwords of readers of previews.
    lockout: Lockout,
    streams: Arc<Streams>,
    sites: OpenSites,
    /// What clients ask for again and again.
    exports: KnownRecords<ExportJob>,
    deployments: KnownRecords<DeploymentRecord>,
    /// The OpenAPI document: made once, as anybody may ask for it.
    description: Bytes,
    /// What its operations know: others are told.
    known_operations: KnownOperations,
    numbers: PrometheusHandle,
    /// Takes no more work.
    is_draining: AtomicBool,
    /// Ends connections and streams.
    stop: watch::Sender<bool>,
}

impl Api {
    /// A service for the organizations of a directory.
    pub fn new(
        options: ApiOptions,
        directory: Arc<LiveDirectory>,
        jobs: Service,
        objects: Objects,
        links: link::Keys,
        preview_access: PreviewAccess,
        numbers: PrometheusHandle,
    ) -> Self {
        let failures = Failures::new(options.auth_failures_per_minute);
        let lockout = Lockout::new(options.lockout);
        let sites = OpenSites::new(objects.clone(), options.cache.clone());
        let description = described(&options.base_url);
        let known_operations = KnownOperations::of(&description);
        Self(Arc::new(ApiInner {
            options,
            directory,
            jobs,
            objects,
            links: ArcSwap::from_pointee(links),
            preview_access: ArcSwap::from_pointee(preview_access),
            failures,
            lockout,
            streams: Arc::default(),
            sites,
            exports: KnownRecords::new(),
            deployments: KnownRecords::new(),
            description: description.to_string().into(),
            known_operations,
            numbers,
            is_draining: AtomicBool::new(false),
            stop: watch::Sender::new(false),
        }))
    }

    /// Another directory, other keys of links and other readers of previews, from the next request on. Readers who
    /// were locked out are let in again.
    pub fn reload(&self, directory: TenantDirectory, links: Option<link::Keys>, preview_access: PreviewAccess) {
        self.0.directory.replace(directory);
        self.0.preview_access.store(Arc::new(preview_access));
        self.0.lockout.clear();
        if let Some(audit) = &self.0.options.audit {
            audit.reopen();
        }
        if let Some(links) = links {
            self.0.links.store(Arc::new(links));
        }
    }

    /// Scheme and host by which clients reach it.
    pub fn base_url(&self) -> &str {
        &self.0.options.base_url
    }

    /// Shows a finished archive at `/docs`.
    ///
    /// # Errors
    /// It is no bundle.
    pub fn show_reference(&self, archive: &std::path::Path) -> Result<(), String> {
        self.0.sites.show_reference(archive)
    }

    /// Takes no more work, and ends connections after the answer under way.
    pub fn drain(&self) {
        self.0.is_draining.store(true, Ordering::Relaxed);
        self.0.stop.send_replace(true);
    }

    /// Answers requests until [`Self::drain`], and then until those under way are answered.
    pub async fn serve(&self, listener: TcpListener) {
        let api = self.clone();
        let answer: connection::ApiResponder = Arc::new(move |request, peer| {
            let api = api.clone();
            Box::pin(async move { api.answer(request, peer).await })
        });
        connection::serve_api(listener, answer, self.0.options.trusted_proxies.clone(), self.0.stop.subscribe()).await;
    }

    /// Serves metrics at an address of their own, until [`Self::drain`].
    pub async fn serve_metrics(&self, listener: TcpListener) {
        self.serve_public(listener, routes::find_metrics).await;
    }

    /// Says how this process is, and nothing else, until [`Self::drain`]: what one that only works has to say.
    pub async fn serve_health(&self, listener: TcpListener) {
        let has_metrics = self.0.options.has_metrics;
        let find = if has_metrics { routes::find_health_or_metrics } else { routes::find_health };
        self.serve_public(listener, find).await;
    }

    async fn serve_public(&self, listener: TcpListener, find: route::Find) {
        let api = self.clone();
        let answer: connection::ApiResponder = Arc::new(move |request, peer| {
            let (api, head) = (api.clone(), request.into_parts().0);
            Box::pin(async move {
                let id = request_id(&head.headers);
                let answered = pipeline::answer_public(&api, head, peer, find).await;
                let mut response = answered.unwrap_or_else(ErrorResponse::into_response);
                finish_response_headers(response.headers_mut(), &id, true);
                response
            })
        });
        connection::serve_api(listener, answer, NetworkList::default(), self.0.stop.subscribe()).await;
    }

    /// Answers one request.
    async fn answer(&self, request: Request, peer: IpAddr) -> Response {
        let arrived = Instant::now();
        let id = request_id(request.headers());
        let method = request.method().clone();
        let client = request_client_address(request.headers(), peer, &self.0.options.trusted_proxies);
        let headers = request.headers();
        let span = RequestSpan::begin(known(&method), |name| headers.get(name)?.to_str().ok());
        let (checked, mut response) = span.run(self.dispatch(request, peer, arrived)).await;
        finish_response_headers(response.headers_mut(), &id, checked.is_api);
        if method == Method::HEAD {
            // length and headers stay as they are; the connection sends no body
            let length = axum::body::HttpBody::size_hint(response.body()).exact();
            if let Some(length) = length.filter(|_| !response.headers().contains_key(header::CONTENT_LENGTH)) {
                response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
            }
            *response.body_mut() = axum::body::Body::empty();
        }
        let status = response.status().as_u16();
        let took = arrived.elapsed();
        metrics::counter!("offprint_http_requests_total", "operation" => checked.route, "status" => status_label(status)).increment(1);
        metrics::histogram!("offprint_http_request_seconds", "operation" => checked.route).record(took.as_secs_f64());
        let millis = took.as_micros() as f64 / 1000.0;
        let caller = checked.caller.as_ref().map(|caller| &caller.key);
        tracing::info!(
            request = %id.to_str().unwrap_or_default(),
            client = %client,
            method = %known(&method),
            route = checked.route,
            status,
            millis,
            organization = caller.map(|key| key.organization.id.as_str()),
            key = caller.map(|key| key.id.as_str()),
            "request"
        );
        let job = response.extensions().get::<Created>().map(|created| created.0.as_str());
        span.end(known(&method), checked.route, status, caller.map(|key| key.organization.id.as_str()), job);
        self.audit(&id, &client.to_string(), &method, &checked, &response);
        response
    }

    /// Writes a request into the audit log: what needs a key, if it changes something or was refused.
    fn audit(&self, id: &HeaderValue, client: &str, method: &Method, checked: &RequestSummary, response: &Response) {
        let Some(audit) = self.0.options.audit.as_ref().filter(|_| checked.is_keyed) else { return };
        let status = response.status().as_u16();
        if !checked.has_effect && !audit.has_reads() && !matches!(status, 401 | 403) {
            return;
        }
        let key = checked.caller.as_ref().map(|caller| &caller.key);
        let created = response.extensions().get::<Created>().map(|created| created.0.as_str());
        audit.write(&AuditEntry {
            request: id.to_str().unwrap_or_default(),
            client,
            organization: key.map(|key| key.organization.id.as_str()),
            key: key.map(|key| key.id.as_str()),
            method: known(method),
            route: checked.route,
            resource: created.or(checked.resource.as_deref()),
            status,
            error: response.headers().get(ERROR_CODE).and_then(|code| code.to_str().ok()),
        });
    }

    async fn dispatch(&self, request: Request, peer: IpAddr, arrived: Instant) -> (RequestSummary, Response) {
        let mut checked = RequestSummary::default();
        let answered = match host::of(&request, &self.0.options.preview_url, &self.0.directory.current()) {
            Err(error) => Err(error),
            Ok(host::RequestHost::Service) => {
                pipeline::answer_api_request(self, request, peer, arrived, &mut checked).await
            }
            Ok(host) => {
                checked.is_api = false;
                checked.route = host.route();
                answer_site(self, &host, request, peer).await
            }
        };
        let response = answered.unwrap_or_else(|error: ErrorResponse| {
            checked.is_api = true;
            error.into_response()
        });
        (checked, response)
    }
}

/// The client's own id if it is one, else a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let good = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let own = headers
        .get(REQUEST_ID)
        .filter(|value| (1..=REQUEST_ID_BYTES).contains(&value.len()) && value.as_bytes().iter().all(good));
    own.cloned().unwrap_or_else(|| {
        let mut bytes = [0; 16];
        // an id that is not random is still an id
        let _ = getrandom::fill(&mut bytes);
        HeaderValue::try_from(base::hex::to_hex(&bytes)).unwrap_or(HeaderValue::from_static("unknown"))
    })
}

/// What every answer has, and what every answer of the interface has unless it knows better.
fn finish_response_headers(headers: &mut HeaderMap, id: &HeaderValue, is_api: bool) {
    headers.insert(REQUEST_ID, id.clone());
    if is_api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
}

/// A method as it may stand in a log: others are of the client's making.
fn known(method: &Method) -> &str {
    match *method {
        Method::GET
        | Method::HEAD
        | Method::POST
        | Method::PUT
        | Method::DELETE
        | Method::OPTIONS
        | Method::PATCH
        | Method::TRACE
        | Method::CONNECT => method.as_str(),
        _ => "OTHER",
    }
}

/// A status as a label, without making a string for those that are common.
fn status_label(status: u16) -> std::borrow::Cow<'static, str> {
    match status {
        200 => "200".into(),
        202 => "202".into(),
        401 => "401".into(),
        404 => "404".into(),
        429 => "429".into(),
        other => other.to_string().into(),
    }
}
