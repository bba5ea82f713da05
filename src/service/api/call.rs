//! A request that has passed its checks: what an operation is given, and the responses that it makes.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::{Map, Value};

use crate::job::QueueLimits;
use crate::store::{AgentJob, Delivery, DeployTarget, DeploymentRecord, ExportJob, StoredResponse};
use crate::tenant::{ProjectRecord, TenantDirectory, WebhookReceiver};

use super::Api;
use super::access::Caller;
use super::error_response::ErrorResponse;
use super::known_records::KnownRecord;
use super::streams::StreamGuard;

/// How soon it is worth asking for a job again.
const POLL: HeaderValue = HeaderValue::from_static("2");

/// A request that needs no key.
pub(super) struct PublicCall {
    pub(super) api: Api,
    pub(super) head: Parts,
    /// The other end of the connection.
    pub(super) peer: IpAddr,
    /// Those of the path, in its order.
    pub(super) parameters: Vec<String>,
}

/// A request with a key.
pub(super) struct KeyedCall {
    pub(super) api: Api,
    pub(super) head: Parts,
    pub(super) caller: Caller,
    pub(super) resource: Resource,
    pub(super) directory: Arc<TenantDirectory>,
    /// The members of the body; none if the operation has none.
    pub(super) members: Map<String, Value>,
    /// Digest of the body's value, for the idempotency key.
    pub(super) digest: [u8; 32],
    /// The place of a stream among those of its organization.
    pub(super) stream: Option<StreamGuard>,
}

/// What a path names, found within the caller's organization.
#[derive(Debug)]
pub(super) enum Resource {
    /// The operation is about none.
    None,
    Project(Arc<ProjectRecord>),
    Export(Arc<KnownRecord<ExportJob>>),
    Deployment(Arc<KnownRecord<DeploymentRecord>>),
    Preview(Box<(DeployTarget, Option<DeploymentRecord>)>),
    Agent(Box<AgentJob>),
    Webhook(Arc<WebhookReceiver>),
    Delivery(Box<Delivery>),
}

impl Resource {
    /// What it is called in the audit log.
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Project(project) => Some(project.id.clone()),
            Self::Export(job) => Some(job.record.id.clone()),
            Self::Deployment(deployment) => Some(deployment.record.id.clone()),
            Self::Preview(preview) => Some(preview.0.host.clone()),
            Self::Agent(job) => Some(job.id.clone()),
            Self::Webhook(webhook) => Some(webhook.id.clone()),
            Self::Delivery(delivery) => Some(delivery.id.clone()),
        }
    }
}

/// In an answer: what has come to be. It is not sent.
#[derive(Clone, Debug)]
pub(super) struct Created(pub(super) String);

/// The id in an answer to a request that starts something.
pub(super) fn created_id(answer: &StoredResponse) -> Option<Created> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct CallIds {
        job_id: Option<String>,
        status_id: Option<String>,
        id: Option<String>,
    }
    let CallIds { job_id, status_id, id } = serde_json::from_str(&answer.body).ok()?;
    job_id.or(status_id).or(id).map(Created)
}

impl KeyedCall {
    pub(super) fn organization(&self) -> &str {
        &self.caller.organization().id
    }

    /// How many jobs of a kind the organization may have.
    pub(super) fn limits(&self) -> QueueLimits {
        self.caller.limits()
    }

    pub(super) fn project(&self) -> Result<&Arc<ProjectRecord>, ErrorResponse> {
        if let Resource::Project(project) = &self.resource { Ok(project) } else { Err(mismatched()) }
    }

    pub(super) fn export(&self) -> Result<&ExportJob, ErrorResponse> {
        Ok(&self.known_export()?.record)
    }

    /// An export with the answer that shows it.
    pub(super) fn known_export(&self) -> Result<&KnownRecord<ExportJob>, ErrorResponse> {
        if let Resource::Export(job) = &self.resource { Ok(job) } else { Err(mismatched()) }
    }

    pub(super) fn deployment(&self) -> Result<&DeploymentRecord, ErrorResponse> {
        Ok(&self.known_deployment()?.record)
    }

    /// A deployment with the answer that shows it.
    pub(super) fn known_deployment(&self) -> Result<&KnownRecord<DeploymentRecord>, ErrorResponse> {
        if let Resource::Deployment(deployment) = &self.resource { Ok(deployment) } else { Err(mismatched()) }
    }

    pub(super) fn preview(&self) -> Result<&(DeployTarget, Option<DeploymentRecord>), ErrorResponse> {
        if let Resource::Preview(preview) = &self.resource { Ok(preview) } else { Err(mismatched()) }
    }

    pub(super) fn webhook(&self) -> Result<&Arc<WebhookReceiver>, ErrorResponse> {
        if let Resource::Webhook(webhook) = &self.resource { Ok(webhook) } else { Err(mismatched()) }
    }

    pub(super) fn delivery(&self) -> Result<&Delivery, ErrorResponse> {
        if let Resource::Delivery(delivery) = &self.resource { Ok(delivery) } else { Err(mismatched()) }
    }

    pub(super) fn agent_job(&self) -> Result<&AgentJob, ErrorResponse> {
        if let Resource::Agent(job) = &self.resource { Ok(job) } else { Err(mismatched()) }
    }
}

/// The table says that an operation is about another resource than its function takes.
fn mismatched() -> ErrorResponse {
    ErrorResponse::internal("the resource is of another kind")
}

/// An answer as the client gets it.
pub(super) fn reply(answer: StoredResponse) -> Response {
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
pub(super) fn reply_about(answer: StoredResponse, is_over: bool) -> Response {
    let mut response = reply(answer);
    if !is_over {
        response.headers_mut().insert(header::RETRY_AFTER, POLL);
    }
    response
}
