//! What records look like outside: the contract's names and no others.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::api::preview_url::PreviewUrl;
use crate::store::{
    AgentJob, Delivery, DeployTarget, DeployedCommit, DeploymentRecord, EventSubject, ExportJob, ExportLog, Finding,
    Findings, RecordPage, StoredResponse, WebhookState,
};
use crate::tenant::WebhookReceiver;
use base::time::rfc3339_seconds;

/// A static export (contract, section 6).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExportView<'a> {
    job_id: &'a str,
    status: &'a str,
    progress: u8,
    page_count: u64,
    created_at: String,
    updated_at: String,
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<&'a str>,
    domain: &'a str,
    version: Option<&'a str>,
    started_at: Option<String>,
    ended_at: Option<String>,
    commit: Option<CommitView<'a>>,
    diagnostics: DiagnosticsView<'a>,
    signed_by: Option<&'a str>,
    log: String,
}

/// The commit that an export was made of.
#[derive(Serialize)]
struct CommitView<'a> {
    sha: &'a str,
    #[serde(rename = "ref")]
    reference: &'a str,
    message: &'a str,
}

impl<'a> From<&'a DeployedCommit> for CommitView<'a> {
    fn from(commit: &'a DeployedCommit) -> Self {
        Self { sha: &commit.sha, reference: &commit.reference, message: &commit.message }
    }
}

/// What was found in the content.
#[derive(Serialize)]
struct DiagnosticsView<'a> {
    errors: u64,
    warnings: u64,
    first: Vec<DiagnosticView<'a>>,
}

/// One problem of the content.
#[derive(Serialize)]
struct DiagnosticView<'a> {
    severity: &'static str,
    code: &'a str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
}

impl<'a> From<&'a Findings> for DiagnosticsView<'a> {
    fn from(findings: &'a Findings) -> Self {
        let known = |number: u32| Some(number).filter(|number| *number > 0);
        let view = |finding: &'a Finding| DiagnosticView {
            severity: if finding.is_error { "error" } else { "warning" },
            code: &finding.code,
            message: &finding.message,
            file: Some(finding.file.as_str()).filter(|file| !file.is_empty()),
            line: known(finding.line),
            column: known(finding.column),
        };
        Self { errors: findings.errors, warnings: findings.warnings, first: findings.first.iter().map(view).collect() }
    }
}

/// How an export went: its status, what was asked for, and everything that was said and found on the way.
#[derive(Serialize)]
struct LogView<'a> {
    #[serde(flatten)]
    job: ExportView<'a>,
    paths: &'a [String],
    lines: &'a [String],
}

impl<'a> From<&'a ExportJob> for ExportView<'a> {
    fn from(job: &'a ExportJob) -> Self {
        Self {
            job_id: &job.id,
            status: job.status.word(),
            progress: job.progress,
            page_count: job.pages,
            created_at: job.created_at.to_string(),
            updated_at: job.updated_at.to_string(),
            error: job.error.as_deref(),
            waiting: job.waiting.as_deref(),
            domain: &job.domain,
            version: job.version.as_deref(),
            started_at: job.started_at.map(|time| time.to_string()),
            ended_at: job.ended_at.map(|time| time.to_string()),
            commit: job.commit.as_ref().map(CommitView::from),
            diagnostics: DiagnosticsView::from(&job.findings),
            signed_by: job.signed_by.as_deref(),
            log: format!("/v1/static-export/jobs/{}/log", job.id),
        }
    }
}

/// A page of the list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListView<'a> {
    jobs: Vec<ExportView<'a>>,
    next_cursor: Option<&'a str>,
}

/// A page of a project's deployments.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeploymentListView<'a> {
    deployments: Vec<DeploymentView<'a>>,
    next_cursor: Option<&'a str>,
}

/// A page of a project's previews.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PreviewListView<'a> {
    previews: Vec<PreviewView<'a>>,
    next_cursor: Option<&'a str>,
}

/// A page of a project's agent jobs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AgentListView<'a> {
    jobs: Vec<AgentView<'a>>,
    next_cursor: Option<&'a str>,
}

/// A link to a bundle.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BundleView<'a> {
    pub(super) job_id: &'a str,
    pub(super) bundle_url: &'a str,
    pub(super) size_bytes: u64,
    pub(super) sha256: &'a str,
    pub(super) expires_at: String,
}

/// A deployment (contract, section 5).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeploymentView<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    project_id: &'a str,
    status: &'a str,
    summary: &'a str,
    /// Left out of lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    logs: Option<&'a [String]>,
    subdomain: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    preview_url: Option<&'a str>,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<String>,
    /// Unknown: requests carry a key, not a person.
    author: Option<()>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a DeployedCommit>,
    source: &'static str,
}

/// The preview of a branch.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PreviewView<'a> {
    subdomain: &'a str,
    project_id: &'a str,
    branch: Option<&'a str>,
    preview_url: String,
    /// Whether a site is shown there.
    is_live: bool,
    /// The commit of that site.
    commit: Option<&'a DeployedCommit>,
    /// The newest deployment; `null` when its record is past retention.
    status: Option<&'a str>,
    status_id: Option<&'a str>,
    created_at: Option<String>,
    ended_at: Option<String>,
}

impl<'a> PreviewView<'a> {
    fn new((target, newest): &'a (DeployTarget, Option<DeploymentRecord>), url: &PreviewUrl) -> Self {
        let live = target.live.as_ref();
        let newest = newest.as_ref();
        Self {
            subdomain: &target.host,
            project_id: &target.project,
            branch: target.branch.as_deref(),
            preview_url: url.url(&target.host),
            is_live: live.is_some(),
            commit: live.and_then(|live| live.commit.as_ref()),
            status: newest.map(|newest| newest.status.word()),
            status_id: newest.map(|newest| newest.id.as_str()),
            created_at: newest.map(|newest| newest.created_at.to_string()),
            ended_at: newest.and_then(|newest| newest.ended_at).map(|time| time.to_string()),
        }
    }
}

/// What a trigger answers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TriggeredView<'a> {
    status_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    preview_url: Option<&'a str>,
}

/// An agent job (contract, section 8).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AgentView<'a> {
    id: &'a str,
    status: &'a str,
    source: SourceView<'a>,
    model: &'a str,
    pr_link: Option<&'a str>,
    created_at: String,
    archived_at: Option<String>,
}

#[derive(Serialize)]
struct SourceView<'a> {
    repository: &'a str,
    #[serde(rename = "ref")]
    reference: &'a str,
}

/// An answer with a value as its body.
pub(super) fn json_answer(status: u16, value: &impl Serialize) -> StoredResponse {
    // the shapes above have names for keys and nothing that fails
    StoredResponse { status, location: None, body: serde_json::to_string(value).unwrap_or_default() }
}

/// The answer to an accepted start: where the job is, too.
pub(super) fn started(job: &ExportJob) -> StoredResponse {
    StoredResponse {
        location: Some(format!("/v1/static-export/jobs/{}", job.id)),
        ..json_answer(202, &ExportView::from(job))
    }
}

pub(super) fn export_view(job: &ExportJob) -> StoredResponse {
    json_answer(200, &ExportView::from(job))
}

/// A job with its log, as far as there is one.
pub(super) fn export_log_view(job: &ExportJob, log: Option<&ExportLog>) -> StoredResponse {
    let whole = log.map(|log| DiagnosticsView::from(&log.findings));
    let view = ExportView::from(job);
    let job_view = ExportView { diagnostics: whole.unwrap_or(DiagnosticsView::from(&job.findings)), ..view };
    let lines = log.map_or(&[][..], |log| log.lines.as_slice());
    json_answer(200, &LogView { job: job_view, paths: &job.paths, lines })
}

pub(super) fn export_page_view(page: &RecordPage<ExportJob>) -> StoredResponse {
    json_answer(
        200,
        &ListView { jobs: page.items.iter().map(ExportView::from).collect(), next_cursor: page.next.as_deref() },
    )
}

pub(super) fn deployments(page: &RecordPage<DeploymentRecord>) -> StoredResponse {
    let listed = |deployment| DeploymentView { logs: None, ..DeploymentView::from(deployment) };
    json_answer(
        200,
        &DeploymentListView { deployments: page.items.iter().map(listed).collect(), next_cursor: page.next.as_deref() },
    )
}

pub(super) fn previews_view(
    page: &RecordPage<(DeployTarget, Option<DeploymentRecord>)>,
    url: &PreviewUrl,
) -> StoredResponse {
    let previews = page.items.iter().map(|preview| PreviewView::new(preview, url)).collect();
    json_answer(200, &PreviewListView { previews, next_cursor: page.next.as_deref() })
}

pub(super) fn preview_view(preview: &(DeployTarget, Option<DeploymentRecord>), url: &PreviewUrl) -> StoredResponse {
    json_answer(200, &PreviewView::new(preview, url))
}

pub(super) fn agents(page: &RecordPage<AgentJob>) -> StoredResponse {
    json_answer(
        200,
        &AgentListView { jobs: page.items.iter().map(AgentView::from).collect(), next_cursor: page.next.as_deref() },
    )
}

pub(super) fn bundle(job: &str, url: &str, size: u64, sha256: &str, expires: u64) -> StoredResponse {
    json_answer(
        200,
        &BundleView { job_id: job, bundle_url: url, size_bytes: size, sha256, expires_at: rfc3339_seconds(expires) },
    )
}

pub(super) fn triggered(deployment: &DeploymentRecord) -> StoredResponse {
    json_answer(202, &TriggeredView { status_id: &deployment.id, preview_url: deployment.preview_url.as_deref() })
}

pub(super) fn deployment(deployment: &DeploymentRecord) -> StoredResponse {
    json_answer(200, &DeploymentView::from(deployment))
}

pub(super) fn agent(status: u16, job: &AgentJob) -> StoredResponse {
    json_answer(status, &AgentView::from(job))
}

impl<'a> From<&'a DeploymentRecord> for DeploymentView<'a> {
    fn from(deployment: &'a DeploymentRecord) -> Self {
        Self {
            id: &deployment.id,
            project_id: &deployment.project,
            status: deployment.status.word(),
            summary: &deployment.summary,
            logs: Some(&deployment.logs),
            subdomain: &deployment.host,
            preview_url: deployment.preview_url.as_deref(),
            created_at: deployment.created_at.to_string(),
            ended_at: deployment.ended_at.map(|time| time.to_string()),
            author: None,
            commit: deployment.commit.as_ref(),
            source: "api",
        }
    }
}

impl<'a> From<&'a AgentJob> for AgentView<'a> {
    fn from(job: &'a AgentJob) -> Self {
        Self {
            id: &job.id,
            status: job.status.word(),
            source: SourceView { repository: &job.repository, reference: &job.reference },
            model: &job.model,
            pr_link: job.pr_link.as_deref(),
            created_at: job.created_at.to_string(),
            archived_at: job.archived_at.map(|time| time.to_string()),
        }
    }
}

/// The record of an event as it is shown elsewhere, without what is long.
pub(super) fn event_data(subject: &EventSubject) -> serde_json::Value {
    let shown = match subject {
        EventSubject::Export(job) => serde_json::to_value(ExportView::from(&**job)),
        EventSubject::Deployment(deployment) => {
            serde_json::to_value(DeploymentView { logs: None, ..DeploymentView::from(&**deployment) })
        }
        EventSubject::Agent(job) => {
            serde_json::to_value(AgentEventView { project_id: &job.project, job: AgentView::from(&**job) })
        }
    };
    shown.unwrap_or_default()
}

/// An agent job outside of its project.
#[derive(Serialize)]
struct AgentEventView<'a> {
    #[serde(rename = "projectId")]
    project_id: &'a str,
    #[serde(flatten)]
    job: AgentView<'a>,
}

/// A receiver of events. Neither its secret nor the path of its address is shown.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WebhookView<'a> {
    id: &'a str,
    origin: String,
    events: Vec<&'a str>,
    status: &'static str,
    failing_since: Option<String>,
    disabled_at: Option<String>,
}

impl<'a> WebhookView<'a> {
    fn new(webhook: &'a WebhookReceiver, state: &WebhookState) -> Self {
        Self {
            id: &webhook.id,
            origin: webhook.url.origin().ascii_serialization(),
            events: webhook.events.iter().map(|kind| kind.word()).collect(),
            status: if state.disabled_at.is_some() { "disabled" } else { "enabled" },
            failing_since: state.failing_since.map(|time| time.to_string()),
            disabled_at: state.disabled_at.map(|time| time.to_string()),
        }
    }
}

#[derive(Serialize)]
struct WebhookListView<'a> {
    webhooks: Vec<WebhookView<'a>>,
}

/// A message for a receiver.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeliveryView<'a> {
    id: &'a str,
    webhook_id: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    status: &'a str,
    created_at: String,
    attempts: u32,
    next_attempt_at: Option<String>,
    last_attempt: Option<AttemptView<'a>>,
    /// Left out of lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<Box<RawValue>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AttemptView<'a> {
    at: String,
    milliseconds: u64,
    status: Option<u16>,
    error: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeliveryListView<'a> {
    deliveries: Vec<DeliveryView<'a>>,
    next_cursor: Option<&'a str>,
}

impl<'a> From<&'a Delivery> for DeliveryView<'a> {
    fn from(delivery: &'a Delivery) -> Self {
        Self {
            id: &delivery.id,
            webhook_id: &delivery.webhook,
            kind: delivery.kind.word(),
            status: delivery.status.word(),
            created_at: delivery.created_at.to_string(),
            attempts: delivery.attempts,
            next_attempt_at: delivery.next.map(|time| time.to_string()),
            last_attempt: delivery.last.as_ref().map(|attempt| AttemptView {
                at: attempt.at.to_string(),
                milliseconds: attempt.millis,
                status: attempt.status,
                error: attempt.error.as_deref(),
            }),
            payload: None,
        }
    }
}

pub(super) fn webhooks(webhooks: &[(Arc<WebhookReceiver>, WebhookState)]) -> StoredResponse {
    json_answer(
        200,
        &WebhookListView {
            webhooks: webhooks.iter().map(|(webhook, state)| WebhookView::new(webhook, state)).collect(),
        },
    )
}

pub(super) fn webhook(webhook: &WebhookReceiver, state: &WebhookState) -> StoredResponse {
    json_answer(200, &WebhookView::new(webhook, state))
}

pub(super) fn deliveries(page: &RecordPage<Delivery>) -> StoredResponse {
    let deliveries = page.items.iter().map(DeliveryView::from).collect();
    json_answer(200, &DeliveryListView { deliveries, next_cursor: page.next.as_deref() })
}

/// A message with what is sent.
pub(super) fn delivery(status: u16, delivery: &Delivery) -> StoredResponse {
    let payload = RawValue::from_string(delivery.body.clone()).ok();
    json_answer(status, &DeliveryView { payload, ..DeliveryView::from(delivery) })
}
