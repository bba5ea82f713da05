//! The pages of the console.

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::{Value, json};
use tera::{Context, Tera};

use crate::api::Api;
use crate::api::error_response::ErrorResponse;
use crate::api::id::job_id;
use crate::store::{
    AgentFilter, AgentJob, DeployTarget, DeployedCommit, DeploymentFilter, DeploymentRecord, ExportFilter, ExportJob,
    Finding, Slice, Time,
};
use crate::tenant::ProjectRecord;

use super::guard::add_console_headers;
use super::session::ConsoleSession;

/// Most entries of a table.
const ROWS: usize = 20;

static TEMPLATES: LazyLock<Tera> = LazyLock::new(|| {
    let mut tera = Tera::new();
    tera.autoescape_on([".html"]);
    let added = tera.add_raw_templates([
        ("layout.html", const { templates::text("console/layout.html") }),
        ("login.html", const { templates::text("console/login.html") }),
        ("overview.html", const { templates::text("console/overview.html") }),
        ("export.html", const { templates::text("console/export.html") }),
        ("exports.html", const { templates::text("console/exports.html") }),
        ("log.html", const { templates::text("console/log.html") }),
        ("project.html", const { templates::text("console/project.html") }),
        ("deployment.html", const { templates::text("console/deployment.html") }),
    ]);
    // the templates are constants, and a test renders each
    debug_assert!(added.is_ok(), "{added:?}");
    tera
});

fn console_page(template: &str, context: &Context, status: StatusCode) -> Result<Response, ErrorResponse> {
    let text = TEMPLATES.render(template, context).map_err(ErrorResponse::internal)?;
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    Ok(add_console_headers(response))
}

/// What every page of a session has.
fn context(session: &ConsoleSession) -> Context {
    let mut context = Context::new();
    context.insert("organization", &session.key.organization.id);
    context.insert("key", &session.key.id);
    context.insert("token", &session.token);
    context.insert("may_write", &session.key.scopes.write);
    context
}

/// The form for a key.
pub(super) fn login(message: Option<&str>, status: StatusCode) -> Result<Response, ErrorResponse> {
    let mut context = Context::new();
    context.insert("organization", "");
    context.insert("message", &message);
    console_page("login.html", &context, status)
}

/// All projects, and the newest exports.
pub(super) async fn overview(api: &Api, session: &ConsoleSession) -> Result<Response, ErrorResponse> {
    let organization = session.key.organization.id.as_str();
    let directory = api.0.directory.current();
    let projects: Vec<Value> =
        directory.projects_of(organization).iter().map(|project| project_view(project)).collect();
    let exports =
        api.0.jobs.ledger().exports(organization, ExportFilter { limit: ROWS, ..ExportFilter::default() }).await?;
    let mut context = context(session);
    context.insert("projects", &projects);
    context.insert("exports", &exports.items.iter().map(export_view).collect::<Vec<_>>());
    console_page("overview.html", &context, StatusCode::OK)
}

/// One project: previews, deployments, exports, agent jobs.
pub(super) async fn project(api: &Api, session: &ConsoleSession, id: &str) -> Result<Response, ErrorResponse> {
    let (organization, ledger) = (session.key.organization.id.as_str(), api.0.jobs.ledger());
    let directory = api.0.directory.current();
    let project = directory.project(organization, id).ok_or_else(ErrorResponse::not_found)?;
    let slice = Slice { limit: 100, cursor: None };
    let previews = ledger.list_previews(organization, id, slice).await?;
    let filter = DeploymentFilter { limit: ROWS, ..DeploymentFilter::default() };
    let deployments = ledger.deployments(organization, id, filter).await?;
    let filter = ExportFilter { domain: Some(project.domain.clone()), limit: ROWS, ..ExportFilter::default() };
    let exports = ledger.exports(organization, filter).await?;
    let agents = ledger.agents(organization, id, AgentFilter { limit: ROWS, ..AgentFilter::default() }).await?;
    let url = &api.0.options.preview_url;
    let preview = |(target, newest): &(DeployTarget, Option<DeploymentRecord>)| {
        json!({
            "label": target.host,
            "branch": target.branch,
            "url": url.url(&target.host),
            "is_live": target.live.is_some(),
            "commit": target.live.as_ref().and_then(|live| live.commit.as_ref()).map(commit_view),
            "newest": newest.as_ref().map(deployment_view),
        })
    };
    let mut context = context(session);
    context.insert("project", &project_view(project));
    context.insert("previews", &previews.items.iter().map(preview).collect::<Vec<_>>());
    context.insert("deployments", &deployments.items.iter().map(deployment_view).collect::<Vec<_>>());
    context.insert("exports", &exports.items.iter().map(export_view).collect::<Vec<_>>());
    context.insert("agents", &agents.items.iter().map(agent_view).collect::<Vec<_>>());
    console_page("project.html", &context, StatusCode::OK)
}

/// One export, with what was found and said.
pub(super) async fn console_export_page(
    api: &Api,
    session: &ConsoleSession,
    id: &str,
) -> Result<Response, ErrorResponse> {
    let (organization, ledger) = (session.key.organization.id.as_str(), api.0.jobs.ledger());
    let job = ledger.export(organization, job_id(id, "se_")?).await?.ok_or_else(ErrorResponse::not_found)?;
    let log = ledger.export_log(organization, &job.id).await?.unwrap_or_default();
    let findings = if log.findings.first.is_empty() { &job.findings.first } else { &log.findings.first };
    let mut context = context(session);
    context.insert("export", &export_view(&job));
    context.insert("findings", &findings.iter().map(finding_view).collect::<Vec<_>>());
    context.insert("lines", &log.lines);
    context.insert("paths", &job.paths);
    console_page("export.html", &context, StatusCode::OK)
}

/// One deployment with its log.
pub(super) async fn deployment(api: &Api, session: &ConsoleSession, id: &str) -> Result<Response, ErrorResponse> {
    let organization = session.key.organization.id.as_str();
    let found = api.0.jobs.ledger().deployment(organization, job_id(id, "upd_")?).await?;
    let deployment = found.ok_or_else(ErrorResponse::not_found)?;
    let mut context = context(session);
    context.insert("deployment", &deployment_view(&deployment));
    context.insert("lines", &deployment.logs);
    console_page("deployment.html", &context, StatusCode::OK)
}

fn project_view(project: &ProjectRecord) -> Value {
    json!({ "id": project.id, "domain": project.domain, "deployment": project.deployment.name() })
}

fn export_view(job: &ExportJob) -> Value {
    json!({
        "id": job.id,
        "domain": job.domain,
        "project": job.project,
        "version": job.version,
        "status": job.status.word(),
        "is_over": job.status.is_terminal(),
        "progress": job.progress,
        "pages": job.pages,
        "error": job.error,
        "errors": job.findings.errors,
        "warnings": job.findings.warnings,
        "created": moment(job.created_at),
        "seconds": job.started_at.zip(job.ended_at).map(|(from, to)| seconds(from, to)),
        "commit": job.commit.as_ref().map(commit_view),
        "has_bundle": job.bundle.is_some() && !job.bundle_gone,
        "signed_by": job.signed_by,
    })
}

fn deployment_view(deployment: &DeploymentRecord) -> Value {
    json!({
        "id": deployment.id,
        "project": deployment.project,
        "host": deployment.host,
        "branch": deployment.branch,
        "url": deployment.preview_url,
        "status": deployment.status.word(),
        "is_over": deployment.status.is_terminal(),
        "summary": deployment.summary,
        "created": moment(deployment.created_at),
        "seconds": deployment.ended_at.map(|ended| seconds(deployment.created_at, ended)),
        "commit": deployment.commit.as_ref().map(commit_view),
    })
}

fn agent_view(job: &AgentJob) -> Value {
    json!({
        "id": job.id,
        "status": job.status.word(),
        "prompt": job.messages.last().map(|prompt| prompt.chars().take(120).collect::<String>()),
        "link": job.pr_link,
        "created": moment(job.created_at),
    })
}

fn commit_view(commit: &DeployedCommit) -> Value {
    json!({ "sha": commit.sha.get(..7), "branch": commit.reference, "message": commit.message })
}

fn finding_view(finding: &Finding) -> Value {
    json!({
        "severity": if finding.is_error { "error" } else { "warning" },
        "code": finding.code,
        "message": finding.message,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
    })
}

/// A moment for people, and for programs.
fn moment(time: Time) -> Value {
    let text = time.to_string();
    let shown = text.get(..16).unwrap_or(&text).replace('T', " ");
    json!({ "text": format!("{shown} UTC"), "iso": text })
}

fn seconds(from: Time, to: Time) -> String {
    format!("{:.1} s", to.since(from).as_secs_f64())
}
