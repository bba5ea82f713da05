//! Agent jobs (contract, section 8).

use axum::response::Response;

use crate::api::call::{KeyedCall, reply};
use crate::api::error_response::{ErrorResponse, unlisted};
use crate::api::idempotency::{Once, perform_once};
use crate::api::{fields, views};
use crate::store::{AgentJob, AgentRef, StoredResponse};
use crate::tenant::{ProjectRecord, ProjectSource};
use fetch::git;

fn agent_job_created(job: &AgentJob) -> StoredResponse {
    views::agent(201, job)
}

fn changed(job: &AgentJob) -> StoredResponse {
    views::agent(200, job)
}

/// Returns the status of a job.
pub(in crate::api) async fn show_agent_job(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let job = call.agent_job()?;
    Ok(reply(changed(job)))
}

/// Starts a job.
pub(in crate::api) async fn create_agent_job(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let prompt = fields::prompt(&call.members)?;
    let project = call.project()?;
    let model = call.api.0.options.agent_model.clone().unwrap_or_default();
    let (repository, reference) = agent_job_source(project);
    let job = AgentJob::new(call.organization(), &project.id, &repository, &reference, &model, prompt);
    let (jobs, limits) = (call.api.0.jobs.clone(), call.limits());
    let effect = move |once: Option<Once>| async move {
        let job = jobs.start_agent(job, limits, once.map(|once| once.remember(agent_job_created))).await?;
        Ok(agent_job_created(&job))
    };
    perform_once(&call, effect).await
}

/// Continues a job with another prompt.
pub(in crate::api) async fn message_agent_job(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let prompt = fields::prompt(&call.members)?;
    let job = call.agent_job()?;
    let (job, jobs, limits) = (job.clone(), call.api.0.jobs.clone(), call.limits());
    let effect = move |once: Option<Once>| async move {
        let remember = once.map(|once| once.remember(changed));
        let job = jobs.message_agent(reference_of(&job), prompt, limits, remember).await?;
        Ok(changed(&job))
    };
    perform_once(&call, effect).await
}

/// Puts a job away.
pub(in crate::api) async fn archive(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let job = call.agent_job()?;
    let (job, jobs) = (job.clone(), call.api.0.jobs.clone());
    let effect = move |once: Option<Once>| async move {
        let job = jobs
            .ledger()
            .archive_agent(&reference_of(&job), once.map(|once| once.remember(changed)), jobs.now())
            .await?;
        Ok(changed(&job))
    };
    perform_once(&call, effect).await
}

/// Lists the jobs of a project.
pub(in crate::api) async fn list_agent_jobs(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let filter = fields::agent_filter(call.head.uri.query().unwrap_or_default())?;
    let (project, ledger) = (call.project()?, call.api.0.jobs.ledger());
    let page = ledger.agents(call.organization(), &project.id, filter).await;
    Ok(reply(views::agents(&page.map_err(unlisted)?)))
}

/// Cancels a job.
pub(in crate::api) async fn cancel_agent_job(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let job = call.agent_job()?;
    let (job, jobs) = (job.clone(), call.api.0.jobs.clone());
    let effect = move |once: Option<Once>| async move {
        let remember = once.map(|once| once.remember(changed));
        Ok(changed(&jobs.ledger().cancel_agent(&reference_of(&job), remember, jobs.now()).await?))
    };
    perform_once(&call, effect).await
}

/// Forgets a job.
pub(in crate::api) async fn delete(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let job = call.agent_job()?;
    Ok(reply(changed(&call.api.0.jobs.ledger().delete_agent(&reference_of(job)).await?)))
}

fn reference_of(job: &AgentJob) -> AgentRef<'_> {
    AgentRef { organization: &job.organization, project: &job.project, id: &job.id }
}

/// Repository and branch, without credentials. Local folders have no address to show.
fn agent_job_source(project: &ProjectRecord) -> (String, String) {
    match &project.source {
        ProjectSource::Git { url, branch, .. } => {
            (git::public_address(url), branch.clone().unwrap_or_else(|| "HEAD".to_owned()))
        }
        ProjectSource::Archive { url, .. } => (git::public_address(url), String::new()),
        ProjectSource::Folder(_) => (String::new(), String::new()),
    }
}
