//! Static exports (contract, section 6).

use std::time::Duration;

use axum::response::Response;

use crate::api::Api;
use crate::api::call::{KeyedCall, reply, reply_about};
use crate::api::error_response::{ErrorCode, ErrorResponse, unlisted};
use crate::api::fields::{self, export_fields};
use crate::api::idempotency::{Once, perform_once, remembered};
use crate::api::views::{self, export_log_view, export_page_view, export_view};
use crate::store::objects::link;
use crate::store::{self, ArchiveRecord, ExportJob, ExportStatus, StoredResponse, Time};

use super::bundle_link::link_path;

/// Starts an export.
pub(in crate::api) async fn start_export(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let request = export_fields(&call.members)?;
    let unknown =
        || ErrorResponse::new(ErrorCode::UnknownDomain, "domain is not the domain of a project of this organization");
    let project = call.directory.project_of_domain(call.organization(), &request.domain).ok_or_else(unknown)?;
    let mut job = ExportJob::new(call.organization(), &project.id, &request.domain, request.version, request.paths);
    if !request.features.is_empty() {
        let features = project.features_with(&request.features);
        job.features = Some(features.map_err(|why| ErrorResponse::invalid(format!("features: {why}")))?);
    }
    let (jobs, limits) = (call.api.0.jobs.clone(), call.limits());
    let effect = |once: Option<Once>| async move {
        let job = jobs.start_export(job, limits, once.map(|once| once.remember(views::started))).await?;
        Ok(views::started(&job))
    };
    perform_once(&call, effect).await
}

/// Returns the status of an export.
pub(in crate::api) async fn show_export(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let known = call.known_export()?;
    let job = &known.record;
    let waiting = (job.status == ExportStatus::Queued).then(|| call.api.0.jobs.why_nothing_begins()).flatten();
    let view = match waiting {
        Some(why) => export_view(&ExportJob { waiting: Some(why), ..job.clone() }),
        None => known.answer(export_view),
    };
    Ok(reply_about(view, job.status.is_terminal()))
}

/// Returns the log of an export.
pub(in crate::api) async fn export_log(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let job = call.export()?;
    let log = call.api.0.jobs.ledger().export_log(call.organization(), &job.id).await?;
    Ok(reply_about(export_log_view(job, log.as_ref()), job.status.is_terminal()))
}

/// Lists exports.
pub(in crate::api) async fn list_exports(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let filter = fields::filter(call.head.uri.query().unwrap_or_default())?;
    let page = call.api.0.jobs.ledger().exports(call.organization(), filter).await;
    Ok(reply(export_page_view(&page.map_err(unlisted)?)))
}

/// Cancels an export.
pub(in crate::api) async fn cancel_export(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let job = call.export()?;
    match call.api.0.jobs.ledger().cancel_export(call.organization(), &job.id).await {
        Ok(job) => Ok(reply(export_view(&job))),
        Err(store::StoreError::Conflict(_)) => Err(ErrorResponse::new(ErrorCode::Conflict, "the job is completed")),
        Err(error) => Err(error.into()),
    }
}

/// Signs a link to the archive of a completed export.
pub(in crate::api) async fn create_bundle(call: KeyedCall) -> Result<Response, ErrorResponse> {
    let job = call.export()?;
    let (job, api, life) = (job.clone(), call.api.clone(), call.caller.organization().limits.link_ttl_seconds);
    let effect = move |once: Option<Once>| async move {
        let answer = sign(&api, &job, life).await?;
        remembered(&api.0.jobs, once, answer).await
    };
    perform_once(&call, effect).await
}

async fn sign(api: &Api, job: &ExportJob, life: u64) -> Result<StoredResponse, ErrorResponse> {
    let (url, archive, expires) = presigned(api, job, life).await?;
    Ok(views::bundle(&job.id, &url, archive.size, &archive.sha256, expires))
}

/// A link to the archive of a completed export.
pub(in crate::api) async fn link_to(api: &Api, job: &ExportJob, life: u64) -> Result<String, ErrorResponse> {
    Ok(presigned(api, job, life).await?.0)
}

/// A link to an archive, the archive, and when the link ends.
async fn presigned<'a>(
    api: &Api,
    job: &'a ExportJob,
    life: u64,
) -> Result<(String, &'a ArchiveRecord, u64), ErrorResponse> {
    if job.status != ExportStatus::Completed {
        return Err(ErrorResponse::new(ErrorCode::NotCompleted, why_none(job)));
    }
    let Some(archive) = job.bundle.as_ref().filter(|_| !job.bundle_gone) else {
        return Err(ErrorResponse::bundle_gone());
    };
    let now = Time::now().seconds();
    let name = link::archive_file_name(&job.domain, job.version.as_deref().unwrap_or_default());
    let signed_elsewhere = api.0.objects.presign(&archive.key, &name, Duration::from_secs(life)).await;
    let url = match signed_elsewhere.map_err(storage)? {
        Some(url) => url,
        None => {
            let path = link_path(job, &archive.sha256);
            let subject = link::LinkSubject {
                authority: &api.0.options.authority,
                path: &path,
                organization: &job.organization,
                digest: &archive.sha256,
            };
            format!("{}{path}?{}", api.0.options.base_url, link::sign(&api.0.links.load(), &subject, now, life))
        }
    };
    Ok((url, archive, now + life))
}

/// Why a job that is not completed has no bundle.
fn why_none(job: &ExportJob) -> &'static str {
    match (job.status, job.error.as_deref()) {
        (ExportStatus::Failed, Some("canceled")) => "the job was canceled: it has no bundle",
        (ExportStatus::Failed, _) => "the job has failed: it has no bundle",
        _ => "the job is not completed yet",
    }
}

fn storage(error: store::objects::ObjectError) -> ErrorResponse {
    match error {
        store::objects::ObjectError::Missing(_) => ErrorResponse::bundle_gone(),
        error => {
            tracing::error!(%error, "the storage of bundles does not work");
            ErrorResponse::unavailable("bundles cannot be reached now")
        }
    }
}
