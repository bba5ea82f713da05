//! Previews and production updates (contract, section 5).

use axum::http::request::Parts;
use axum::response::Response;
use serde_json::{Map, Value};

use crate::service::api::refusal::{Code, Refusal};
use crate::service::api::{fields, place};
use crate::service::job::Preview;
use crate::service::tenant::Source;

use super::{Call, Resource, dto, mismatched, perform, reply_about};

/// Creates or redeploys the preview of a branch.
pub(super) async fn preview(
    call: Call,
    members: &Map<String, Value>,
    digest: [u8; 32],
    head: &Parts,
) -> Result<Response, Refusal> {
    let branch = fields::branch(members)?;
    let Resource::Project(project) = &call.resource else { return Err(mismatched()) };
    let is_git = matches!(project.source, Source::Git { .. });
    let label = place::label(&project.id, &branch);
    let url = call.api.0.options.preview_url.url(&label);
    let preview =
        Preview { organisation: call.organisation().to_owned(), project: project.id.clone(), branch, label, url };
    let (jobs, limits) = (call.api.0.jobs.clone(), call.limits());
    let effect = move |once: Option<super::Once>| async move {
        if !is_git {
            return Err(Refusal::new(Code::NoGitSource, "the source of the project is not a Git repository"));
        }
        let deployment = jobs.trigger_preview(preview, limits, once.map(|once| once.remember(dto::triggered))).await?;
        Ok(dto::triggered(&deployment))
    };
    perform(&call, digest, head, effect).await
}

/// Builds the site of production.
pub(super) async fn production(call: Call, digest: [u8; 32], head: &Parts) -> Result<Response, Refusal> {
    let Resource::Project(project) = &call.resource else { return Err(mismatched()) };
    let (project, organisation) = (project.clone(), call.organisation().to_owned());
    let (jobs, limits) = (call.api.0.jobs.clone(), call.limits());
    let effect = move |once: Option<super::Once>| async move {
        let remember = once.map(|once| once.remember(dto::triggered));
        let deployment = jobs.update_production(&organisation, &project.id, &project.domain, limits, remember).await?;
        Ok(dto::triggered(&deployment))
    };
    perform(&call, digest, head, effect).await
}

/// Tells how a deployment stands.
pub(super) fn one(call: &Call) -> Result<Response, Refusal> {
    let Resource::Deployment(deployment) = &call.resource else { return Err(mismatched()) };
    Ok(reply_about(dto::deployment(deployment), deployment.status.is_terminal()))
}
