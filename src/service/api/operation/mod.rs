//! Steps 6, 9 and 10, and what is done when all checks have passed.

mod agents;
mod deployments;
mod exports;
mod once;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::{Map, Value};

use crate::service::job::Limits;
use crate::service::store::{Answer, Kind};
use crate::service::tenant::Directory;

use super::access::Caller;
use super::events;
use super::order::Resource;
use super::refusal::{Code, Refusal, whole_seconds};
use super::route::{Operation, Row};
use super::{Api, dto, json};

use once::{Once, Turn};

pub(super) use exports::{gone, link_path};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// How soon it is worth asking for a job again.
const POLL: HeaderValue = HeaderValue::from_static("2");

/// A request that may be done.
pub(super) struct Call {
    pub(super) api: Api,
    pub(super) operation: Operation,
    pub(super) caller: Caller,
    pub(super) resource: Resource,
    pub(super) directory: Arc<Directory>,
    /// The place of a stream among those of its organisation.
    pub(super) stream: Option<events::Place>,
}

impl Call {
    fn organisation(&self) -> &str {
        &self.caller.organisation().id
    }

    /// How many jobs of a kind the organisation may have.
    fn limits(&self) -> Limits {
        limits(&self.caller)
    }
}

fn limits(caller: &Caller) -> Limits {
    let limits = caller.organisation().limits;
    Limits { running: limits.exports_running, queued: limits.exports_queued }
}

/// Whether an operation is about what its body says.
pub(super) fn has_body(operation: Operation) -> bool {
    use Operation::*;
    matches!(operation, TriggerPreview | StartExport | CreateAgentJob | MessageAgentJob)
}

/// What a request has used up of a window.
#[derive(Default)]
pub(super) struct Budget {
    window: Option<Window>,
    stream: Option<events::Place>,
}

struct Window {
    name: &'static str,
    limit: u32,
    length: Duration,
    left: u32,
    reset: Duration,
}

impl Budget {
    /// The place of a stream.
    pub(super) fn take_stream(&mut self) -> Option<events::Place> {
        self.stream.take()
    }

    /// Says in an answer what is left.
    pub(super) fn tell(self, answered: Result<Response, Refusal>) -> Result<Response, Refusal> {
        let Some(window) = self.window else { return answered };
        let headers = window.headers();
        match answered {
            Ok(mut response) => {
                response.headers_mut().extend(headers);
                Ok(response)
            }
            Err(refusal) => Err(headers.into_iter().fold(refusal, |refusal, (name, value)| refusal.with(name, value))),
        }
    }
}

impl Window {
    fn headers(&self) -> [(HeaderName, HeaderValue); 2] {
        let Self { name, limit, length, left, reset } = self;
        let value = |text: String| HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""));
        let policy = value(format!("\"{name}\";q={limit};w={}", length.as_secs()));
        let standing = value(format!("\"{name}\";r={left};t={}", whole_seconds(*reset).min(length.as_secs())));
        [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, standing)]
    }
}

/// Step 6: rate limit or queue cap.
pub(super) async fn spend(
    api: &Api,
    operation: Operation,
    caller: &Caller,
    resource: &Resource,
) -> Result<Budget, Refusal> {
    use Operation::*;
    if matches!(operation, StartExport | TriggerPreview | TriggerUpdate | CreateAgentJob | MessageAgentJob)
        && api.0.is_draining.load(Ordering::Relaxed)
    {
        return Err(Refusal::unavailable("the service is about to stop"));
    }
    let limits_of = caller.organisation().limits;
    let organisation = caller.organisation().id.as_str();
    match (operation, resource) {
        (TriggerPreview, _) => {
            let window = format!("preview/{organisation}");
            let message = |limit| format!("preview limit of {limit} requests per minute reached");
            take(api, "preview", &window, limits_of.previews_per_minute, Duration::from_secs(60), message).await
        }
        (CreateAgentJob | MessageAgentJob | ArchiveAgentJob, Resource::Project(_) | Resource::Agent(_)) => {
            let project =
                if let Resource::Project(project) = resource { project.id.as_str() } else { agent_project(resource) };
            let window = format!("agent/{project}");
            let message = |limit| format!("agent limit of {limit} requests per hour reached");
            take(api, "agent", &window, limits_of.agent_calls_per_hour, Duration::from_secs(3600), message).await
        }
        (StartExport, _) => {
            api.0.jobs.room(organisation, Kind::Export, limits(caller)).await?;
            Ok(Budget::default())
        }
        (TriggerUpdate, _) => {
            api.0.jobs.room(organisation, Kind::Deployment, limits(caller)).await?;
            Ok(Budget::default())
        }
        (StreamExport, _) => match api.0.streams.enter(organisation) {
            Some(place) => Ok(Budget { window: None, stream: Some(place) }),
            None => Err(Refusal::new(Code::RateLimited, format!("at most {} streams can be open", events::STREAMS))
                .retry_after(Duration::from_secs(5))),
        },
        _ => Ok(Budget::default()),
    }
}

fn agent_project(resource: &Resource) -> &str {
    if let Resource::Agent(job) = resource { &job.project } else { "" }
}

/// Counts a request against a window; 0 means no window.
async fn take(
    api: &Api,
    name: &'static str,
    window: &str,
    limit: u32,
    length: Duration,
    message: impl Fn(u32) -> String,
) -> Result<Budget, Refusal> {
    if limit == 0 {
        return Ok(Budget::default());
    }
    let rate = api.0.jobs.store().take(window, limit, length, api.0.jobs.now()).await?;
    let budget =
        Budget { window: Some(Window { name, limit, length, left: rate.left, reset: rate.reset }), stream: None };
    if rate.accepted {
        return Ok(budget);
    }
    let refused = Refusal::new(Code::RateLimited, message(limit)).retry_after(rate.reset.min(length));
    match budget.tell(Err(refused)) {
        Err(refusal) => Err(refusal),
        Ok(_) => Err(Refusal::internal("a refusal became an answer")),
    }
}

/// Steps 9 and 10, and the effect.
pub(super) async fn run(
    call: Call,
    body: Option<(Map<String, Value>, [u8; 32])>,
    row: &Row,
    head: &Parts,
) -> Result<Response, Refusal> {
    use Operation::*;
    // step 8 for each of those with a body: what its members say
    let empty = (Map::new(), json::digest(&Value::Null));
    let (members, digest) = body.unwrap_or(empty);
    match call.operation {
        GetExport => exports::one(&call),
        ListExports => exports::list(&call, head.uri.query().unwrap_or_default()).await,
        CancelExport => exports::cancel(call).await,
        StreamExport => events::stream(call, &head.headers, head.method == axum::http::Method::HEAD),
        UpdateStatus => deployments::one(&call),
        GetAgentJob => agents::one(&call),
        StartExport => exports::start(call, &members, digest, head).await,
        CreateBundle => exports::bundle(call, digest, head).await,
        TriggerPreview => deployments::preview(call, &members, digest, head).await,
        TriggerUpdate => deployments::production(call, digest, head).await,
        CreateAgentJob => agents::create(call, &members, digest, head).await,
        MessageAgentJob => agents::message(call, &members, digest, head).await,
        ArchiveAgentJob => agents::archive(call, digest, head).await,
        DownloadBundle | Live | Ready | Metrics => Err(Refusal::internal(format!("{} needs no key", row.template))),
    }
}

/// Does something under the key of repetition, if the client gave one; what has begun comes to its end even if the
/// client goes away.
async fn perform<F>(
    call: &Call,
    digest: [u8; 32],
    head: &Parts,
    effect: impl FnOnce(Option<Once>) -> F,
) -> Result<Response, Refusal>
where
    F: Future<Output = Result<Answer, Refusal>> + Send + 'static,
{
    let once = match once::begin(call, head, digest).await? {
        Turn::First(once) => once,
        Turn::Replay(answer) => {
            let mut response = reply(answer);
            response.headers_mut().insert(once::REPLAYED, HeaderValue::from_static("true"));
            return Ok(response);
        }
    };
    let effect = effect(once.clone());
    let jobs = call.api.0.jobs.clone();
    let whole = async move {
        let done = effect.await;
        if let (Err(_), Some(once)) = (&done, &once) {
            // a key that stays taken is free again after a minute
            let _ = jobs.store().abandon(&once.key).await;
        }
        done
    };
    let done = tokio::spawn(whole).await.map_err(Refusal::internal)??;
    Ok(reply(done))
}

/// An answer as the client gets it.
fn reply(answer: Answer) -> Response {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(location) = answer.location.and_then(|location| HeaderValue::try_from(location).ok()) {
        headers.insert(header::LOCATION, location);
    }
    response
}

/// An answer about something that may still change.
fn reply_about(answer: Answer, is_over: bool) -> Response {
    let mut response = reply(answer);
    if !is_over {
        response.headers_mut().insert(header::RETRY_AFTER, POLL);
    }
    response
}

/// The resource that step 4 must have found.
fn mismatched() -> Refusal {
    Refusal::internal("the resource is of another kind")
}
