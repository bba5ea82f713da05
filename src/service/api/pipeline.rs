//! The pipeline of a request: the order of checks (contract, E-ORD). The first step that fails answers; later steps
//! have no effect and cannot be noticed.

use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::tenant::{TenantDirectory, WebhookReceiver};
use http::forwarded::request_client_address;

use super::access::{self, Caller};
use super::call::{KeyedCall, PublicCall, Resource};
use super::checked::RequestSummary;
use super::error_response::{ErrorCode, ErrorResponse};
use super::id::job_id;
use super::ignored::put_ignored;
use super::route::{self, MethodMatch, OperationRun, RouteLookup, RouteMatch};
use super::{Api, body, console, json, reference, routes, window};

/// The digest of a request without a body that counts.
static NO_BODY_DIGEST: LazyLock<[u8; 32]> = LazyLock::new(|| json::json_digest(&Value::Null));

/// Longest target, bytes; longest head without it.
const TARGET_BYTES: usize = 8 << 10;
const HEAD_BYTES: usize = 32 << 10;

/// Answers a request for the service itself.
pub(super) async fn answer_api_request(
    api: &Api,
    request: Request,
    peer: IpAddr,
    arrived: Instant,
    checked: &mut RequestSummary,
) -> Result<Response, ErrorResponse> {
    let (head, sent) = request.into_parts();
    check_head(&head)?;
    if reference::is_reference_path(head.uri.path()) {
        (checked.route, checked.is_api) = ("/docs", false);
        return reference::answer_reference(api, &head).await;
    }

    if api.0.options.console.is_some() && console::is_console_path(head.uri.path()) {
        let client = request_client_address(&head.headers, peer, &api.0.options.trusted_proxies);
        return console::answer_console(api, &head, sent, client, arrived, checked).await;
    }

    // 1 path and method
    let found = routes::find_route(head.uri.path(), api.0.options.has_metrics)?;
    checked.route = found.path;
    let route = match found.match_method(&head.method)? {
        MethodMatch::Operation(route) => route,
        MethodMatch::Options => return Ok(options_response(&found)),
    };

    // 2 declared body size
    body::check_declared(&head.headers)?;
    let (scope, run) = match route.run {
        OperationRun::Public(run) => {
            return run(PublicCall { api: api.clone(), head, peer, parameters: found.parameters }).await;
        }
        OperationRun::Keyed(scope, run) => (scope, run),
    };

    (checked.is_keyed, checked.has_effect) = (true, route.method != Method::GET);

    // 3 credentials, then the addresses that the key may be used from
    let directory = api.0.directory.current();
    let client = request_client_address(&head.headers, peer, &api.0.options.trusted_proxies);
    let caller = access::authenticate(&head.headers, client, &directory, &api.0.failures)?;
    checked.caller = Some(caller.clone());

    // 4 the resource, within the caller's organization
    let resource = look_up(api, route.resource, &found.parameters, &caller, &directory).await?;

    checked.resource = resource.name();

    // 5 scope, then plan
    access::check_access(&caller, scope, route.plan, api.0.options.agent_model.is_some())?;

    // 6 rate limit or queue cap; from here on the response states what is left
    let mut budget = window::spend(api, route, &caller, &resource).await?;
    let stream = budget.take_stream();
    let answered = async {
        // 7 media type, 8 body
        let (members, digest) = read_body(route.body, &head.headers, sent, arrived).await?;
        let ignored = api.0.known_operations.ignored(route.path, &head.method, head.uri.query(), &members);
        // 9 idempotency key and 10 state, in one transaction where the effect is
        let done =
            run(KeyedCall { api: api.clone(), head, caller, resource, directory, members, digest, stream }).await;
        // whoever is refused for what is missing may have misspelt it
        let mut response = done.unwrap_or_else(ErrorResponse::into_response);
        put_ignored(&mut response, ignored);
        Ok(response)
    };
    budget.write_headers(answered.await)
}

/// Answers a request to a listener that has only some operations, none of which takes a key.
pub(super) async fn answer_public(
    api: &Api,
    head: Parts,
    peer: IpAddr,
    find: route::Find,
) -> Result<Response, ErrorResponse> {
    let found = find(head.uri.path())?;
    match found.match_method(&head.method)? {
        MethodMatch::Options => Ok(options_response(&found)),
        MethodMatch::Operation(route) => match route.run {
            OperationRun::Public(run) => {
                run(PublicCall { api: api.clone(), head, peer, parameters: found.parameters }).await
            }
            OperationRun::Keyed(..) => Err(ErrorResponse::not_found()),
        },
    }
}

/// Steps 7 and 8: the members of the body, and the digest of its value.
async fn read_body(
    expected: route::BodyShape,
    headers: &HeaderMap,
    sent: Body,
    arrived: Instant,
) -> Result<(Map<String, Value>, [u8; 32]), ErrorResponse> {
    let nothing = || (Map::new(), *NO_BODY_DIGEST);
    match expected {
        route::BodyShape::None => Ok(nothing()),
        route::BodyShape::Ignored => {
            body::require_whole_body(body::read_request_body(sent, arrived).await)?;
            Ok(nothing())
        }
        route::BodyShape::Json => {
            let read = body::read_request_body(sent, arrived).await;
            body::check_type(headers, &read)?;
            body::read_body_object(&body::require_whole_body(read)?)
        }
    }
}

/// Size of the head: what the connection lets through to be counted here.
fn check_head(head: &Parts) -> Result<(), ErrorResponse> {
    let target = head.uri.path_and_query().map_or(0, |target| target.as_str().len());
    if target > TARGET_BYTES {
        return Err(ErrorResponse::new(
            ErrorCode::TargetTooLong,
            format!("the request target is longer than {TARGET_BYTES} bytes"),
        ));
    }
    if head_bytes(&head.headers) > HEAD_BYTES {
        return Err(ErrorResponse::new(
            ErrorCode::HeadersTooLarge,
            format!("the header section is larger than {HEAD_BYTES} bytes"),
        ));
    }
    Ok(())
}

fn head_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum()
}

/// Which methods a path has.
fn options_response(found: &RouteMatch) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(header::ALLOW, found.allow_value());
    response
}

/// A webhook of the caller's organization.
fn webhook(caller: &Caller, id: &str) -> Result<Arc<WebhookReceiver>, ErrorResponse> {
    let found = caller.organization().webhooks.iter().find(|webhook| webhook.id == id);
    found.cloned().ok_or_else(ErrorResponse::not_found)
}

/// Step 4. What belongs to another organization, or to another project, is not there.
async fn look_up(
    api: &Api,
    lookup: RouteLookup,
    parameters: &[String],
    caller: &Caller,
    directory: &TenantDirectory,
) -> Result<Resource, ErrorResponse> {
    let organization = caller.organization().id.as_str();
    let parameter = |index: usize| parameters.get(index).map_or("", String::as_str);
    let project = || directory.project(organization, parameter(0)).ok_or_else(ErrorResponse::not_found);
    let ledger = api.0.jobs.ledger();
    match lookup {
        RouteLookup::None => Ok(Resource::None),
        RouteLookup::Project => Ok(Resource::Project(project()?.clone())),
        RouteLookup::Export => {
            let id = job_id(parameter(0), "se_")?;
            let reread = |known| ledger.reread_export(organization, id, known);
            let job = api.0.exports.read(organization, id, reread).await?;
            Ok(Resource::Export(job.ok_or_else(ErrorResponse::not_found)?))
        }
        RouteLookup::Deployment => {
            let id = job_id(parameter(0), "upd_")?;
            let reread = |known| ledger.reread_deployment(organization, id, known);
            let deployment = api.0.deployments.read(organization, id, reread).await?;
            Ok(Resource::Deployment(deployment.ok_or_else(ErrorResponse::not_found)?))
        }
        RouteLookup::Preview => {
            let preview = ledger.preview(organization, &project()?.id, parameter(1)).await?;
            Ok(Resource::Preview(Box::new(preview.ok_or_else(ErrorResponse::not_found)?)))
        }
        RouteLookup::Webhook => Ok(Resource::Webhook(webhook(caller, parameter(0))?)),
        RouteLookup::Delivery => {
            let (webhook, id) = (webhook(caller, parameter(0))?, job_id(parameter(1), "msg_")?);
            let delivery = ledger.delivery(organization, &webhook.id, id).await?;
            Ok(Resource::Delivery(Box::new(delivery.ok_or_else(ErrorResponse::not_found)?)))
        }
        RouteLookup::AgentJob => {
            let job = ledger.agent(organization, &project()?.id, job_id(parameter(1), "aj_")?).await?;
            Ok(Resource::Agent(Box::new(job.ok_or_else(ErrorResponse::not_found)?)))
        }
    }
}
