//! The console: what runs, what failed and why, and where previews are, for people with a browser. Off by default.
//!
//! 1. `session` knows who it is: a key is pasted into a form once, and a signed cookie stands for it for an hour, unless
//!    its holder signs out before: that is kept in the store, for all processes.
//! 2. `pages` writes the pages, from the same records as the interface, of the organization of the key alone.
//! 3. `live` streams how exports stand to pages that show some.
//!
//! Invariants: what a page can do is what the key can do. Requests that change something come from a form of the same
//! session: the cookie is not sent from elsewhere, the origin is checked, and so is a token in the form. No page holds a
//! key, and none loads or sends anything elsewhere.

mod guard;
mod live;
mod pages;
mod session;

use std::net::IpAddr;

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use tokio::time::Instant;

use crate::store::Time;
use crate::tenant::OrganizationKey;

use super::access::{self, AccessScope, Caller, PlanFeature, check_access};
use super::checked::RequestSummary;
use super::error_response::{ErrorCode, ErrorResponse};
use super::operation::exports;
use super::{
    Api,
    body::{self, read_request_body, require_whole_body},
};

use guard::add_console_headers;
use pages::console_export_page;
pub use session::ConsoleKey;
use session::{ConsoleSession, session_end_cookie};

/// Where it is.
const ROOT: &str = "/console";
const LOGIN: &str = "/console/login";

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether a path is one of the console.
pub(super) fn is_console_path(path: &str) -> bool {
    path == ROOT || path.strip_prefix(ROOT).is_some_and(|rest| rest.starts_with('/'))
}

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConsoleAction<'a> {
    Overview,
    Login,
    Logout,
    Events,
    Export(&'a str),
    CancelExport(&'a str),
    Download(&'a str),
    Project(&'a str),
    Deployment(&'a str),
    CancelDeployment(&'a str),
    DeletePreview(&'a str, &'a str),
}

impl<'a> ConsoleAction<'a> {
    /// What a path is for, whether it changes something, and what the log calls it.
    fn of(path: &'a str, method: &Method) -> Option<(Self, bool, &'static str)> {
        let parts: Vec<&str> = path.strip_prefix(ROOT)?.split('/').skip(1).collect();
        let is_post = *method == Method::POST;
        if !is_post && !matches!(*method, Method::GET | Method::HEAD) {
            return None;
        }
        let (action, route) = match (is_post, parts.as_slice()) {
            (false, &[] | &[""]) => (Self::Overview, "/console"),
            (_, &["login"]) => (Self::Login, "/console/login"),
            (true, &["logout"]) => (Self::Logout, "/console/logout"),
            (false, &["events"]) => (Self::Events, "/console/events"),
            (false, &["exports", id]) => (Self::Export(id), "/console/exports/{jobId}"),
            (true, &["exports", id, "cancel"]) => (Self::CancelExport(id), "/console/exports/{jobId}/cancel"),
            (false, &["exports", id, "download"]) => (Self::Download(id), "/console/exports/{jobId}/download"),
            (false, &["projects", id]) => (Self::Project(id), "/console/projects/{projectId}"),
            (false, &["deployments", id]) => (Self::Deployment(id), "/console/deployments/{statusId}"),
            (true, &["deployments", id, "cancel"]) => {
                (Self::CancelDeployment(id), "/console/deployments/{statusId}/cancel")
            }
            (true, &["previews", project, label, "delete"]) => {
                (Self::DeletePreview(project, label), "/console/previews/{projectId}/{subdomain}/delete")
            }
            _ => return None,
        };
        Some((action, is_post, route))
    }
}

/// Answers a request.
pub(super) async fn answer_console(
    api: &Api,
    head: &Parts,
    sent: Body,
    client: IpAddr,
    arrived: Instant,
    checked: &mut RequestSummary,
) -> Result<Response, ErrorResponse> {
    let (path, method) = (head.uri.path(), &head.method);
    checked.is_api = false;
    checked.route = ROOT;
    if let Some(file) = console_file(path).filter(|_| matches!(*method, Method::GET | Method::HEAD)) {
        return Ok(file);
    }
    let Some((action, is_post, route)) = ConsoleAction::of(path, method) else { return Err(ErrorResponse::no_route()) };
    let has_effect = is_post || matches!(action, ConsoleAction::Download(_));
    (checked.route, checked.is_keyed, checked.has_effect) = (route, has_effect, has_effect);
    body::check_declared(&head.headers)?;
    if is_post && !is_same_origin(&head.headers) {
        return Err(forbidden("the request comes from another site"));
    }
    let form = if is_post { FormFields::read(sent, arrived).await? } else { FormFields::default() };
    let Some(key) = &api.0.options.console else { return Err(ErrorResponse::no_route()) };
    let directory = api.0.directory.current();
    if action == ConsoleAction::Login {
        return if is_post { log_in(api, &form, client, checked) } else { pages::login(None, StatusCode::OK) };
    }
    let session = key.find(&head.headers, &directory, Time::now().seconds());
    let Some(session) = session.filter(|session| may_use(&session.key, client)) else { return Ok(to(LOGIN)) };
    if api.0.jobs.ledger().has_session_ended(&session.id, session.until).await? {
        return Ok(to(LOGIN));
    }
    checked.caller = Some(Caller { key: session.key.clone() });
    if is_post && !session.has_token(form.value("token")) {
        return Err(forbidden("the form is of another session: load the page again"));
    }
    let caller = Caller { key: session.key.clone() };
    let plan = match action {
        ConsoleAction::Export(_) | ConsoleAction::CancelExport(_) | ConsoleAction::Download(_) => {
            PlanFeature::StaticExport
        }
        _ => PlanFeature::Any,
    };
    let scope = if has_effect && action != ConsoleAction::Logout { AccessScope::Write } else { AccessScope::Read };
    check_access(&caller, scope, plan, true)?;
    perform_console_action(api, action, &session, checked).await
}

async fn perform_console_action(
    api: &Api,
    action: ConsoleAction<'_>,
    session: &ConsoleSession,
    checked: &mut RequestSummary,
) -> Result<Response, ErrorResponse> {
    let organization = session.key.organization.id.as_str();
    let ledger = api.0.jobs.ledger();
    let resource = match action {
        ConsoleAction::CancelExport(id) | ConsoleAction::Download(id) | ConsoleAction::CancelDeployment(id) => Some(id),
        ConsoleAction::DeletePreview(_, label) => Some(label),
        _ => None,
    };
    let done = match action {
        ConsoleAction::Overview => return pages::overview(api, session).await,
        ConsoleAction::Events => return live::stream(api, session),
        ConsoleAction::Export(id) => return console_export_page(api, session, id).await,
        ConsoleAction::Project(id) => return pages::project(api, session, id).await,
        ConsoleAction::Deployment(id) => return pages::deployment(api, session, id).await,
        ConsoleAction::Login | ConsoleAction::Logout => {
            ledger.end_session(&session.id, session.until).await?;
            let mut response = to(LOGIN);
            let cookie = session_end_cookie(is_secure(api));
            response.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
            return Ok(response);
        }
        ConsoleAction::CancelExport(id) => {
            ledger.cancel_export(organization, id).await?;
            to(&format!("{ROOT}/exports/{id}"))
        }
        ConsoleAction::Download(id) => {
            let job = ledger.export(organization, id).await?.ok_or_else(ErrorResponse::not_found)?;
            to(&exports::link_to(api, &job, session.key.organization.limits.link_ttl_seconds).await?)
        }
        ConsoleAction::CancelDeployment(id) => {
            ledger.cancel_deployment(organization, id).await?;
            to(&format!("{ROOT}/deployments/{id}"))
        }
        ConsoleAction::DeletePreview(project, label) => {
            ledger.delete_preview(organization, project, label).await?;
            to(&format!("{ROOT}/projects/{project}"))
        }
    };
    checked.resource = resource.map(str::to_owned);
    Ok(done)
}

/// A key was pasted.
fn log_in(
    api: &Api,
    form: &FormFields,
    client: IpAddr,
    checked: &mut RequestSummary,
) -> Result<Response, ErrorResponse> {
    let Some(console) = &api.0.options.console else { return Err(ErrorResponse::no_route()) };
    let (directory, now) = (api.0.directory.current(), Time::now().seconds());
    let key = directory.key(form.value("key").trim()).filter(|key| !key.has_expired(now));
    let Some(key) = key else {
        // counted like any other failed authentication
        let refused = access::refuse(&api.0.failures, client, HeaderValue::from_static("Bearer realm=\"offprint\""));
        let (message, status) = if refused.is_rate_limited() {
            ("Too many failed attempts from this address. Wait a minute.", StatusCode::TOO_MANY_REQUESTS)
        } else {
            ("This is no valid key.", StatusCode::UNAUTHORIZED)
        };
        return pages::login(Some(message), status);
    };
    if !may_use(key, client) {
        return pages::login(Some("This key cannot be used here."), StatusCode::FORBIDDEN);
    }
    checked.caller = Some(Caller { key: key.clone() });
    let mut response = to(ROOT);
    let cookie = console.begin(key, now, is_secure(api)).ok_or_else(|| ErrorResponse::internal("no random numbers"))?;
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Whether the holder of a key may read, from this address.
fn may_use(key: &OrganizationKey, client: IpAddr) -> bool {
    key.scopes.read && (key.allow.is_empty() || key.allow.contain(client))
}

fn is_secure(api: &Api) -> bool {
    api.0.options.base_url.starts_with("https://")
}

/// Whether a form was sent from a page of this host: browsers say so in one of two headers.
fn is_same_origin(headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get(FETCH_SITE) {
        return site == "same-origin";
    }
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = text(header::ORIGIN).and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    origin.is_some() && origin == text(header::HOST)
}

fn forbidden(message: &'static str) -> ErrorResponse {
    ErrorResponse::new(ErrorCode::InsufficientScope, message)
}

/// To another page.
fn to(location: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    if let Ok(location) = HeaderValue::try_from(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    add_console_headers(response)
}

/// The files of the pages.
fn console_file(path: &str) -> Option<Response> {
    let (media_type, text) = match path {
        "/console/console.css" => ("text/css; charset=utf-8", const { templates::text("console/console.css") }),
        "/console/console.js" => ("text/javascript; charset=utf-8", const { templates::text("console/console.js") }),
        _ => return None,
    };
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Some(add_console_headers(response))
}

/// The fields of a form.
#[derive(Default)]
struct FormFields(Vec<(String, String)>);

impl FormFields {
    async fn read(sent: Body, arrived: Instant) -> Result<Self, ErrorResponse> {
        let bytes = require_whole_body(read_request_body(sent, arrived).await)?;
        Ok(Self(url::form_urlencoded::parse(&bytes).into_owned().collect()))
    }

    /// A field; nothing if it is not there.
    fn value(&self, name: &str) -> &str {
        self.0.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
    }
}
