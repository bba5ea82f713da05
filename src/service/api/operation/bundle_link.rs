//! Archives by signed link: the link is all that is needed, and no key helps (contract, section 7).

use axum::http::request::Parts;
use axum::response::Response;

use crate::api::Api;
use crate::api::call::PublicCall;
use crate::api::error_response::{ErrorCode, ErrorResponse};
use crate::api::file::{self, ArchiveFile};
use crate::api::id::job_id;
use crate::store::objects::{LINK_SECONDS, link};
use crate::store::{ExportJob, ExportStatus, Time};

/// Digits of an archive's digest in the name of its link.
const NAME_DIGITS: usize = 16;
/// Stands for the organization and the digest where there is no job: then the signature is computed all the same, and
/// is wrong.
const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Sends an archive to a client with a link to it.
pub(in crate::api) async fn download(call: PublicCall) -> Result<Response, ErrorResponse> {
    let id = call.parameters.first().map_or("", String::as_str);
    let answered = checked(&call.api, id, &call.head).await;
    let result = match &answered {
        Ok(response) => response.status().as_u16().to_string(),
        Err(_) => "refused".to_owned(),
    };
    metrics::counter!("offprint_bundle_downloads_total", "result" => result).increment(1);
    answered
}

async fn checked(api: &Api, id: &str, head: &Parts) -> Result<Response, ErrorResponse> {
    // one error response for all that is wrong with a link: an id that is none, a job that is not there, a signature
    // that is not right
    let invalid = || ErrorResponse::new(ErrorCode::LinkInvalid, "the link is not valid");
    let job = match job_id(id, "se_") {
        Ok(id) => api.0.jobs.ledger().linked_export(id).await?,
        Err(_) => None,
    };
    let job = job.filter(|job| job.status == ExportStatus::Completed);
    let bundle = job.as_ref().and_then(|job| job.bundle.as_ref());
    let subject = link::LinkSubject {
        authority: &api.0.options.authority,
        // as it came: a path that is spelled in another way is another one
        path: head.uri.path(),
        organization: job.as_ref().map_or(NOTHING, |job| &job.organization),
        digest: bundle.map_or(NOTHING, |bundle| &bundle.sha256),
    };
    let granted = link::verify(
        &api.0.links.load(),
        &subject,
        head.uri.query().unwrap_or_default(),
        Time::now().seconds(),
        LINK_SECONDS,
    );
    granted.map_err(|refused| match refused {
        link::Refused::Invalid => invalid(),
        link::Refused::Expired => ErrorResponse::new(ErrorCode::LinkExpired, "the link has expired"),
    })?;
    let (Some(job), Some(bundle)) = (&job, bundle) else { return Err(invalid()) };
    if head.uri.path() != link_path(job, &bundle.sha256) {
        return Err(invalid());
    }
    if job.bundle_gone {
        return Err(ErrorResponse::bundle_gone());
    }
    // links of archives that are kept elsewhere are not ours to answer
    let path = api.0.objects.open(&bundle.key).ok().flatten().ok_or_else(ErrorResponse::bundle_gone)?;
    let name = link::archive_file_name(&job.domain, job.version.as_deref().unwrap_or_default());
    file::answer_with_archive(
        &path,
        &ArchiveFile { sha256: &bundle.sha256, size: bundle.size, name: &name },
        &head.headers,
    )
    .await
}

/// The path of an archive's link: named after its digest.
pub(super) fn link_path(job: &ExportJob, sha256: &str) -> String {
    link::link_path(&job.id, &format!("{}.zip", sha256.get(..NAME_DIGITS).unwrap_or(sha256)))
}
