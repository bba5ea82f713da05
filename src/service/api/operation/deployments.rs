//! Previews and production updates (contract, section 5).

use axum::response::Response;

use crate::api::call::{KeyedCall, reply, reply_about};
use crate::api::error_response::{ErrorCode, ErrorResponse, unlisted};
use crate::api::idempotency::{Once, perform_once};
use crate::api::views::{self, preview_view, previews_view};
use crate::api::{fields, preview_url};
use crate::job::PreviewRequest;
use crate::store::{DeploymentRecord, DeploymentStatus};
use crate::tenant::ProjectSource;

/// Creates or redeploys the preview of a branch.
pub(in crate::api) async fn trigger_preview(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let branch = fields::branch(&call.members)?;
    let project = call.project()?;
    let is_git = matches!(project.source, ProjectSource::Git { .. });
    let label = label_of(&call, &project.id, &branch).await?;
    let url = call.api.0.options.preview_url.url(&label);
    let preview = PreviewRequest {
        organization: call.organization().to_owned(),
        project: project.id.clone(),
        branch,
        label,
        url,
    };
    let (jobs, limits) = (call.api.0.jobs.clone(), call.limits());
    let effect = move |once: Option<Once>| async move {
        if !is_git {
            return Err(ErrorResponse::new(
                ErrorCode::NoGitSource,
                "the source of the project is not a Git repository",
            ));
        }
        let deployment =
            jobs.trigger_preview(preview, limits, once.map(|once| once.remember(views::triggered))).await?;
        Ok(views::triggered(&deployment))
    };
    perform_once(&call, effect).await
}

/// The label of a branch's preview: one that is there keeps its label of an earlier version.
async fn label_of(call: &KeyedCall, project: &str, branch: &str) -> Result<String, ErrorResponse> {
    let earlier = preview_url::unkeyed_label(project, branch);
    let target = call.api.0.jobs.ledger().target(&earlier).await?.filter(|target| {
        target.organization == call.organization()
            && target.project == project
            && target.branch.as_deref() == Some(branch)
    });
    Ok(target.map_or_else(|| call.api.0.options.preview_key.label(project, branch), |_| earlier))
}

/// Builds the site of production.
pub(in crate::api) async fn trigger_update(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let project = call.project()?;
    let (project, organization) = (project.clone(), call.organization().to_owned());
    let (jobs, limits) = (call.api.0.jobs.clone(), call.limits());
    let effect = move |once: Option<Once>| async move {
        let remember = once.map(|once| once.remember(views::triggered));
        let deployment = jobs.update_production(&organization, &project.id, &project.domain, limits, remember).await?;
        Ok(views::triggered(&deployment))
    };
    perform_once(&call, effect).await
}

/// Returns the status of a deployment.
pub(in crate::api) async fn show_deployment(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let known = call.known_deployment()?;
    let deployment = &known.record;
    let is_queued = deployment.status == DeploymentStatus::Queued;
    let view = match is_queued.then(|| call.api.0.jobs.why_nothing_begins()).flatten() {
        Some(why) => views::deployment(&DeploymentRecord { summary: why, ..deployment.clone() }),
        None => known.answer(views::deployment),
    };
    Ok(reply_about(view, deployment.status.is_terminal()))
}

/// Lists the deployments of a project.
pub(in crate::api) async fn list_deployments(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let filter = fields::deployment_filter(call.head.uri.query().unwrap_or_default())?;
    let (project, ledger) = (call.project()?, call.api.0.jobs.ledger());
    let page = ledger.deployments(call.organization(), &project.id, filter).await;
    Ok(reply(views::deployments(&page.map_err(unlisted)?)))
}

/// Cancels a deployment.
pub(in crate::api) async fn cancel_deployment(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let id = &call.deployment()?.id;
    let deployment = call.api.0.jobs.ledger().cancel_deployment(call.organization(), id).await?;
    Ok(reply(views::deployment(&deployment)))
}

/// Lists the previews of a project.
pub(in crate::api) async fn list_previews(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let slice = fields::slice(call.head.uri.query().unwrap_or_default())?;
    let (project, ledger) = (call.project()?, call.api.0.jobs.ledger());
    let page = ledger.list_previews(call.organization(), &project.id, slice).await;
    Ok(reply(previews_view(&page.map_err(unlisted)?, &call.api.0.options.preview_url)))
}

/// Returns a preview.
pub(in crate::api) async fn show_preview(call: KeyedCall) -> Result<Response, ErrorResponse> {
    Ok(reply(preview_view(call.preview()?, &call.api.0.options.preview_url)))
}

/// Removes a preview.
pub(in crate::api) async fn delete_preview(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let (target, _) = call.preview()?;
    let removed = call.api.0.jobs.ledger().delete_preview(call.organization(), &target.project, &target.host).await?;
    Ok(reply(preview_view(&removed, &call.api.0.options.preview_url)))
}
