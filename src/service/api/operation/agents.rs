//! Agent jobs (contract, section 8).

use axum::http::request::Parts;
use axum::response::Response;
use serde_json::{Map, Value};

use crate::service::api::fields;
use crate::service::api::refusal::Refusal;
use crate::service::store::{AgentJob, AgentRef, Answer};
use crate::service::tenant::{Project, Source};
use crate::source::git;

use super::{Call, Resource, dto, mismatched, perform, reply};

fn created(job: &AgentJob) -> Answer {
    dto::agent(201, job)
}

fn changed(job: &AgentJob) -> Answer {
    dto::agent(200, job)
}

/// Tells how a job stands.
pub(super) fn one(call: &Call) -> Result<Response, Refusal> {
    let Resource::Agent(job) = &call.resource else { return Err(mismatched()) };
    Ok(reply(changed(job)))
}

/// Starts a job.
pub(super) async fn create(
    call: Call,
    members: &Map<String, Value>,
    digest: [u8; 32],
    head: &Parts,
) -> Result<Response, Refusal> {
    let prompt = fields::prompt(members)?;
    let Resource::Project(project) = &call.resource else { return Err(mismatched()) };
    let model = call.api.0.options.agent_model.clone().unwrap_or_default();
    let (repository, reference) = source(project);
    let job = AgentJob::new(call.organisation(), &project.id, &repository, &reference, &model, prompt);
    let (jobs, limits) = (call.api.0.jobs.clone(), call.limits());
    let effect = move |once: Option<super::Once>| async move {
        let job = jobs.start_agent(job, limits, once.map(|once| once.remember(created))).await?;
        Ok(created(&job))
    };
    perform(&call, digest, head, effect).await
}

/// Continues a job with another prompt.
pub(super) async fn message(
    call: Call,
    members: &Map<String, Value>,
    digest: [u8; 32],
    head: &Parts,
) -> Result<Response, Refusal> {
    let prompt = fields::prompt(members)?;
    let Resource::Agent(job) = &call.resource else { return Err(mismatched()) };
    let (job, jobs, limits) = (job.clone(), call.api.0.jobs.clone(), call.limits());
    let effect = move |once: Option<super::Once>| async move {
        let remember = once.map(|once| once.remember(changed));
        let job = jobs.message_agent(reference_of(&job), prompt, limits, remember).await?;
        Ok(changed(&job))
    };
    perform(&call, digest, head, effect).await
}

/// Puts a job away.
pub(super) async fn archive(call: Call, digest: [u8; 32], head: &Parts) -> Result<Response, Refusal> {
    let Resource::Agent(job) = &call.resource else { return Err(mismatched()) };
    let (job, jobs) = (job.clone(), call.api.0.jobs.clone());
    let effect = move |once: Option<super::Once>| async move {
        let job = jobs.archive_agent(reference_of(&job), once.map(|once| once.remember(changed))).await?;
        Ok(changed(&job))
    };
    perform(&call, digest, head, effect).await
}

fn reference_of(job: &AgentJob) -> AgentRef<'_> {
    AgentRef { organisation: &job.organisation, project: &job.project, id: &job.id }
}

/// Repository and branch, without credentials. Folders of this machine have no address that is anybody's business.
fn source(project: &Project) -> (String, String) {
    match &project.source {
        Source::Git { url, branch, .. } => (git::shown(url), branch.clone().unwrap_or_else(|| "HEAD".to_owned())),
        Source::Archive { url, .. } => (git::shown(url), String::new()),
        Source::Folder(_) => (String::new(), String::new()),
    }
}
