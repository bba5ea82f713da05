//! What the pipeline has to know of an operation, and how a request finds it.
//!
//! Paths are exact: no slash at the end, case counts, every segment is percent-decoded once. `GET` brings `HEAD` with
//! it, every path `OPTIONS`.

use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use futures_util::future::BoxFuture;
use percent_encoding::percent_decode_str;

use crate::store::WorkKind;

use super::access::{AccessScope, PlanFeature};
use super::call::{KeyedCall, PublicCall};
use super::error_response::{ErrorCode, ErrorResponse};

/// An operation: one row of the table in `routes`.
pub(super) struct Route {
    pub(super) method: Method,
    /// As the contract writes it. The version segment is part of it: the same path under another one is unknown
    /// (S-VER-1).
    pub(super) path: &'static str,
    pub(super) body: BodyShape,
    pub(super) plan: PlanFeature,
    pub(super) window: RateWindow,
    /// Whether it gives the service work, which a service that is about to stop does not take.
    pub(super) starts_work: bool,
    pub(super) resource: RouteLookup,
    pub(super) run: OperationRun,
}

/// What is sent to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyShape {
    /// Nothing that is read.
    None,
    /// Anything within the bounds; it has no meaning.
    Ignored,
    /// A JSON object.
    Json,
}

/// What a request uses up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RateWindow {
    /// Nothing that is counted.
    None,
    /// One of the organization's previews in a minute.
    Previews,
    /// One of the project's agent calls in an hour.
    AgentCalls,
    /// One of the organization's links to bundles in a minute.
    BundleLinks,
    /// A place in the queue.
    Queue(WorkKind),
    /// One of the organization's streams of events.
    Streams,
}

/// What the parameters of the path name, within the organization of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RouteLookup {
    None,
    /// `{projectId}`
    Project,
    /// `{jobId}`
    Export,
    /// `{statusId}`
    Deployment,
    /// `{projectId}` and `{subdomain}`
    Preview,
    /// `{projectId}` and `{id}`
    AgentJob,
    /// `{webhookId}`
    Webhook,
    /// `{webhookId}` and `{deliveryId}`
    Delivery,
}

/// What an operation becomes.
pub(super) type OperationReply = BoxFuture<'static, Result<Response, ErrorResponse>>;

/// Finds the operations of a path among some.
pub(super) type Find = fn(&str) -> Result<RouteMatch, ErrorResponse>;

/// What an operation does.
#[derive(Clone, Copy)]
pub(super) enum OperationRun {
    /// Without a key: none is looked at.
    Public(fn(PublicCall) -> OperationReply),
    /// With a key of this scope, after all checks.
    Keyed(AccessScope, fn(KeyedCall) -> OperationReply),
}

/// A path of the table, with what a request has in the places of its parameters, decoded.
pub(super) struct RouteMatch {
    /// As the contract writes it.
    pub(super) path: &'static str,
    /// Its operations, one for each method.
    routes: Vec<&'static Route>,
    /// Values of the placeholders of the path, in their order.
    pub(super) parameters: Vec<String>,
}

/// What a method means for a path.
pub(super) enum MethodMatch {
    /// To do this.
    Operation(&'static Route),
    /// Which methods there are.
    Options,
}

/// The operations of a path that is still percent-encoded.
pub(super) fn find_among_routes(
    routes: impl Iterator<Item = &'static Route>,
    path: &str,
) -> Result<RouteMatch, ErrorResponse> {
    let mut found: Option<(RouteMatch, Option<Vec<String>>)> = None;
    for route in routes {
        match &mut found {
            Some((found, _)) if found.path == route.path => found.routes.push(route),
            // the rows of a path stand one after another
            Some(_) => break,
            None => {
                if let Some(parameters) = parameters(route.path, path) {
                    let decoded = parameters.into_iter().map(decode_segment).collect();
                    found =
                        Some((RouteMatch { path: route.path, routes: vec![route], parameters: Vec::new() }, decoded));
                }
            }
        }
    }
    let (found, parameters) = found.ok_or_else(ErrorResponse::no_route)?;
    let parameters =
        parameters.ok_or_else(|| ErrorResponse::invalid("a part of the path is not valid percent-encoded UTF-8"))?;
    Ok(RouteMatch { parameters, ..found })
}

impl RouteMatch {
    /// What a method means.
    pub(super) fn match_method(&self, method: &Method) -> Result<MethodMatch, ErrorResponse> {
        let looked_up = if *method == Method::HEAD { &Method::GET } else { method };
        match self.routes.iter().find(|route| route.method == looked_up) {
            Some(route) => Ok(MethodMatch::Operation(route)),
            None if *method == Method::OPTIONS => Ok(MethodMatch::Options),
            None => {
                Err(ErrorResponse::new(ErrorCode::MethodNotAllowed, format!("only {} can be used here", self.allow()))
                    .with(header::ALLOW, self.allow_value()))
            }
        }
    }

    /// The value of `Allow`.
    pub(super) fn allow_value(&self) -> HeaderValue {
        HeaderValue::try_from(self.allow()).unwrap_or(HeaderValue::from_static("OPTIONS"))
    }

    pub(super) fn allow(&self) -> String {
        let mut names = Vec::new();
        for route in &self.routes {
            names.push(route.method.as_str());
            if route.method == Method::GET {
                names.push("HEAD");
            }
        }
        names.push("OPTIONS");
        names.join(", ")
    }
}

/// The segments of a path in the places of a template's parameters, if the rest is equal.
fn parameters<'a>(template: &str, path: &'a str) -> Option<Vec<&'a str>> {
    let mut found = Vec::new();
    let (mut expected, mut segments) = (template.split('/'), path.split('/'));
    loop {
        match (expected.next(), segments.next()) {
            (None, None) => return Some(found),
            (Some(expected), Some(segment)) if expected.starts_with('{') && !segment.is_empty() => found.push(segment),
            (Some(expected), Some(segment))
                if expected == segment
                    || (segment.contains('%') && decode_segment(segment).as_deref() == Some(expected)) => {}
            _ => return None,
        }
    }
}

/// A segment, percent-decoded. `None` where a `%` is not followed by two digits, or the bytes are no text.
pub(super) fn decode_segment(segment: &str) -> Option<String> {
    let well_formed = |rest: &str| rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    if !segment.split('%').skip(1).all(well_formed) {
        return None;
    }
    percent_decode_str(segment).decode_utf8().ok().map(|text| text.into_owned())
}
