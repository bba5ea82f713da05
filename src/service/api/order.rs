//! The order of checks (contract, E-ORD). The first step that fails answers; later steps have no effect and cannot be
//! noticed.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use tokio::time::Instant;

use crate::service::store::{AgentJob, Deployment, ExportJob};
use crate::service::tenant::{Directory, Project};

use super::access::{self, Caller};
use super::operation::{self, Call};
use super::refusal::{Code, Refusal};
use super::route::{self, Asked, Operation, Row};
use super::{Api, body, bundle_link, health, reference};

/// Longest target, bytes; longest head without it.
const TARGET_BYTES: usize = 8 << 10;
const HEAD_BYTES: usize = 32 << 10;

/// What is known of a request for the log, however far it came.
#[derive(Debug)]
pub(super) struct Checked {
    /// The contract's path, with names for what is of the client's making.
    pub(super) route: &'static str,
    /// Whether the answer is one of the interface's.
    pub(super) is_api: bool,
    /// Who asked.
    pub(super) caller: Option<Caller>,
}

impl Default for Checked {
    fn default() -> Self {
        Self { route: "unknown", is_api: true, caller: None }
    }
}

/// What a path names, found within the caller's organisation.
#[derive(Debug)]
pub(super) enum Resource {
    /// The operation is about none.
    None,
    Project(Arc<Project>),
    Export(Box<ExportJob>),
    Deployment(Box<Deployment>),
    Agent(Box<AgentJob>),
}

/// Answers a request for the service itself.
pub(super) async fn answer(
    api: &Api,
    request: Request,
    peer: IpAddr,
    arrived: Instant,
    checked: &mut Checked,
) -> Result<Response, Refusal> {
    let (head, sent) = request.into_parts();
    check_head(&head)?;
    if reference::covers(head.uri.path()) {
        (checked.route, checked.is_api) = ("/docs", false);
        return reference::answer(api, &head).await;
    }

    // 1 path and method
    let row = route::find(head.uri.path(), api.0.options.has_metrics)?;
    checked.route = row.template;
    let operation = match row.asked(&head.method)? {
        Asked::Operation(operation) => operation,
        Asked::Options => return Ok(options(&row)),
    };

    // 2 declared body size
    body::check_declared(&head.headers)?;
    if let Some(answer) = without_key(api, operation, &row, &head).await {
        return answer;
    }

    // 3 credentials, then the addresses that the key may be used from
    let directory = api.0.people.now();
    let client = access::client(&head.headers, peer, &api.0.options.trusted_proxies);
    let caller = access::authenticate(&head.headers, client, &directory, &api.0.failures)?;
    checked.caller = Some(caller.clone());

    // 4 the resource, within the caller's organisation
    let resource = look_up(api, operation, &row, &caller, &directory).await?;

    // 5 scope, then plan
    access::check(&caller, operation, &head.method, api.0.options.agent_model.is_some())?;

    // 6 rate limit or queue cap; from here on the answer tells what is left
    let mut budget = operation::spend(api, operation, &caller, &resource).await?;
    let call = Call { api: api.clone(), operation, caller, resource, directory, stream: budget.take_stream() };
    let answered = rest(call, &row, head, sent, arrived).await;
    budget.tell(answered)
}

/// Steps 7 to 10.
async fn rest(call: Call, row: &Row, head: Parts, sent: Body, arrived: Instant) -> Result<Response, Refusal> {
    if !operation::has_body(call.operation) {
        let bytes = if head.method == axum::http::Method::POST {
            body::whole(body::read(sent, arrived).await)?
        } else {
            Bytes::new()
        };
        drop(bytes);
        return operation::run(call, None, row, &head).await;
    }
    let read = body::read(sent, arrived).await;

    // 7 media type
    body::check_type(&head.headers, &read)?;

    // 8 body
    let bytes = body::whole(read)?;
    let (members, digest) = body::object(&bytes)?;

    // 9 idempotency key and 10 state, in one transaction where the effect is
    operation::run(call, Some((members, digest)), row, &head).await
}

/// Size of the head: what the connection lets through to be counted here.
fn check_head(head: &Parts) -> Result<(), Refusal> {
    let target = head.uri.path_and_query().map_or(0, |target| target.as_str().len());
    if target > TARGET_BYTES {
        return Err(Refusal::new(
            Code::TargetTooLong,
            format!("the request target is longer than {TARGET_BYTES} bytes"),
        ));
    }
    if head_bytes(&head.headers) > HEAD_BYTES {
        return Err(Refusal::new(
            Code::HeadersTooLarge,
            format!("the header section is larger than {HEAD_BYTES} bytes"),
        ));
    }
    Ok(())
}

fn head_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum()
}

/// Which methods a path has.
pub(super) fn options(row: &Row) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(header::ALLOW, row.allow_value());
    response
}

/// What nobody needs a key for.
async fn without_key(api: &Api, operation: Operation, row: &Row, head: &Parts) -> Option<Result<Response, Refusal>> {
    match operation {
        Operation::Live => Some(Ok(health::live())),
        Operation::Ready => Some(health::ready(api)),
        Operation::Metrics => Some(Ok(health::metrics(api).await)),
        Operation::DownloadBundle => Some(bundle_link::answer(api, row, head).await),
        _ => None,
    }
}

/// Step 4. What belongs to another organisation, or to another project, is not there.
async fn look_up(
    api: &Api,
    operation: Operation,
    row: &Row,
    caller: &Caller,
    directory: &Directory,
) -> Result<Resource, Refusal> {
    use Operation::*;
    let organisation = caller.organisation().id.as_str();
    let jobs = &api.0.jobs;
    match operation {
        StartExport | ListExports | DownloadBundle | Live | Ready | Metrics => Ok(Resource::None),
        GetExport | CancelExport | StreamExport | CreateBundle => {
            let id = job_id(row.parameter(0), "se_")?;
            let job = jobs.export(organisation, id).await?.ok_or_else(Refusal::not_found)?;
            Ok(Resource::Export(Box::new(job)))
        }
        UpdateStatus => {
            let id = job_id(row.parameter(0), "upd_")?;
            let deployment = jobs.deployment(organisation, id).await?.ok_or_else(Refusal::not_found)?;
            Ok(Resource::Deployment(Box::new(deployment)))
        }
        TriggerPreview | TriggerUpdate | CreateAgentJob => project(directory, organisation, row).map(Resource::Project),
        GetAgentJob | MessageAgentJob | ArchiveAgentJob => {
            let project = project(directory, organisation, row)?;
            let id = job_id(row.parameter(1), "aj_")?;
            let job = jobs.agent(organisation, &project.id, id).await?.ok_or_else(Refusal::not_found)?;
            Ok(Resource::Agent(Box::new(job)))
        }
    }
}

fn project(directory: &Directory, organisation: &str, row: &Row) -> Result<Arc<Project>, Refusal> {
    directory.project(organisation, row.parameter(0)).cloned().ok_or_else(Refusal::not_found)
}

/// An id of a kind: `prefix` and 32 lower-case hexadecimal digits. The store is asked for nothing else.
pub(super) fn job_id<'a>(text: &'a str, prefix: &str) -> Result<&'a str, Refusal> {
    let digits = text
        .strip_prefix(prefix)
        .filter(|digits| digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
    digits.map(|_| text).ok_or_else(Refusal::not_found)
}
