//! Sites on hosts of their own: previews by their label, production by the project's domain, and the pages about this
//! interface (contract, E-PRV-5 to E-PRV-8).
//!
//! 1. The host names a target; the store says which archive it shows now. A deployment that has just ended is therefore
//!    seen by the next request, whole.
//! 2. The archive is opened once, and stays open while it is requested often enough.
//! 3. What has no archive yet says so, as a page; so does what has one that cannot be served.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::store::objects::{ObjectCache, Objects};
use crate::store::{self, DeployTarget, LiveSite};
use crate::tenant::{ProjectSource, TenantDirectory};
use host::site::{ContentCache, HostedSite, ServeOptions};

use super::Api;
use super::error_response::{ErrorCode, ErrorResponse};
use super::host::RequestHost;
use super::preview_access::{self, Admitted};
use super::widget::{self, widget_file};

/// Where the pages about this interface are.
pub(super) const REFERENCE_ROOT: &str = "/docs";
/// Most sites that are open at a time.
const MAX_OPEN_SITES: usize = 256;
/// How long a site stays open that is not requested, such as one that was replaced: its archive takes space on the disk
/// as long as it is open.
const IDLE_SITE_TIME: Duration = Duration::from_secs(600);
/// Bytes of small files that each of them keeps in memory.
const CACHED_BYTES: usize = 1 << 20;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const LLMS: HeaderName = HeaderName::from_static("x-llms-txt");
const AGENT_CLUSTER: HeaderName = HeaderName::from_static("origin-agent-cluster");

/// The sites that are open.
pub(super) struct OpenSites {
    objects: Objects,
    /// Copies of archives that are kept elsewhere.
    cache: ObjectCache,
    open: Mutex<OpenBundles>,
    contents: Arc<ContentCache>,
    reference: ArcSwapOption<HostedSite>,
}

struct OpenBundles<S = HostedSite> {
    /// By digest of the archive and how it is served, with the time of the last request.
    sites: HashMap<SiteName, (Instant, Arc<S>)>,
}

impl<S> OpenBundles<S> {
    fn find(&mut self, name: &SiteName, now: Instant) -> Option<Arc<S>> {
        let (last, site) = self.sites.get_mut(name)?;
        *last = now;
        Some(Arc::clone(site))
    }

    /// Keeps a site open, and closes those that were not requested for long, and the least recently requested one if
    /// there are still too many.
    fn keep(&mut self, name: SiteName, site: &Arc<S>, now: Instant) {
        self.sites.retain(|_, (last, _)| now.duration_since(*last) < IDLE_SITE_TIME);
        self.sites.insert(name, (now, Arc::clone(site)));
        if self.sites.len() > MAX_OPEN_SITES
            && let Some(oldest) =
                self.sites.iter().min_by_key(|(name, (last, _))| (*last, *name)).map(|(name, _)| name.clone())
        {
            self.sites.remove(&oldest);
        }
    }
}

/// Digest of an archive, whether it is a preview, and whether only some may see it.
type SiteName = (String, bool, bool);

impl OpenSites {
    /// None is open.
    pub(super) fn new(objects: Objects, cache: ObjectCache) -> Self {
        Self {
            objects,
            cache,
            open: Mutex::new(OpenBundles { sites: HashMap::new() }),
            contents: Arc::default(),
            reference: ArcSwapOption::empty(),
        }
    }

    /// Shows an archive at `/docs`.
    pub(super) fn show_reference(&self, archive: &Path) -> Result<(), String> {
        let site =
            HostedSite::open(archive, self.serve_options(false, false), None).map_err(|error| error.to_string())?;
        self.reference.store(Some(Arc::new(site)));
        Ok(())
    }

    fn serve_options(&self, noindex: bool, private: bool) -> ServeOptions {
        ServeOptions { noindex, private, cached_bytes: CACHED_BYTES, contents: Arc::clone(&self.contents) }
    }

    /// The site of an archive.
    async fn of(
        &self,
        archive: &store::ArchiveRecord,
        is_preview: bool,
        is_private: bool,
    ) -> Result<Arc<HostedSite>, ErrorResponse> {
        let name = (archive.sha256.clone(), is_preview, is_private);
        if let Some(site) = self.opened().find(&name, Instant::now()) {
            return Ok(site);
        }
        let options = self.serve_options(is_preview, is_private);
        let opened = match self.reopen(archive, options.clone()).await? {
            // the copy may have made room for others before it was open
            Err(_) => self.reopen(archive, options).await?,
            opened => opened,
        };
        let site = Arc::new(opened.map_err(|why| Unserved::Damaged.response(archive, &why))?);
        self.opened().keep(name, &site, Instant::now());
        Ok(site)
    }

    async fn reopen(
        &self,
        archive: &store::ArchiveRecord,
        options: ServeOptions,
    ) -> Result<Result<HostedSite, String>, ErrorResponse> {
        let path = self.path(archive).await?;
        // our own archives, kept under their digest: their directory is enough
        let opened = tokio::task::spawn_blocking(move || HostedSite::reopen(&path, options)).await;
        Ok(opened.map_err(ErrorResponse::internal)?.map_err(|error| error.to_string()))
    }

    fn opened(&self) -> MutexGuard<'_, OpenBundles> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file of an archive: where it is kept, or a copy of it.
    async fn path(&self, archive: &store::ArchiveRecord) -> Result<PathBuf, ErrorResponse> {
        let unserved = |error: store::objects::ObjectError| match error {
            store::objects::ObjectError::Key(_) => ErrorResponse::internal(error),
            store::objects::ObjectError::Missing(_) => Unserved::Missing.response(archive, &error),
            store::objects::ObjectError::Damaged(_) => Unserved::Damaged.response(archive, &error),
            error => Unserved::Unreachable.response(archive, &error),
        };
        let Some(path) = self.objects.open(&archive.key).map_err(unserved)? else {
            return self.cache.copy(&self.objects, &archive.key, archive.size).await.map_err(unserved);
        };
        let about = tokio::fs::metadata(&path).await;
        let bytes = about.map_err(|error| Unserved::Unreachable.response(archive, &error))?.len();
        if bytes == archive.size {
            return Ok(path);
        }
        let why = format!("it has {bytes} bytes instead of {}", archive.size);
        Err(Unserved::Damaged.response(archive, &why))
    }
}

/// Why a site that is deployed cannot be served. It is again as soon as its bundle is there, whoever restores it.
#[derive(Clone, Copy, Debug)]
enum Unserved {
    /// The storage does not have the bundle.
    Missing,
    /// What the storage has is no bundle.
    Damaged,
    /// The storage does not work.
    Unreachable,
}

impl Unserved {
    /// Counts it, tells the operator why, and tells readers as much as is for them.
    fn response(self, archive: &store::ArchiveRecord, why: &dyn std::fmt::Display) -> ErrorResponse {
        let (cause, message) = match self {
            Self::Missing => ("missing", "the bundle of the site is missing from the storage"),
            Self::Damaged => ("damaged", "the bundle of the site is damaged in the storage"),
            Self::Unreachable => ("storage", "the storage of the site does not answer"),
        };
        metrics::counter!("offprint_site_errors_total", "cause" => cause).increment(1);
        tracing::error!(bundle = archive.key, cause, error = %why, "a site cannot be served");
        ErrorResponse::unavailable(message)
    }
}

/// Answers a request for the host of a preview or of a project: with a page whom wants one, also if there is no site to
/// show now. What is refused at a preview's host is for no search engine either.
pub(super) async fn answer_site(
    api: &Api,
    host: &RequestHost,
    request: Request,
    peer: IpAddr,
) -> Result<Response, ErrorResponse> {
    let is_page = widget::is_page_requested(request.method(), request.headers());
    let answered = match answer_shown_site(api, host, request, peer).await {
        Err(error) if is_page && error.is_unavailable() => Ok(unavailable_site_response(error)),
        answered => answered,
    };
    if matches!(host, RequestHost::Preview(_)) {
        answered.map_err(|error| error.with(ROBOTS, HeaderValue::from_static("noindex")))
    } else {
        answered
    }
}

async fn answer_shown_site(
    api: &Api,
    host: &RequestHost,
    request: Request,
    peer: IpAddr,
) -> Result<Response, ErrorResponse> {
    let (name, admitted) = match host {
        RequestHost::Preview(label) => (label, preview_access::admit(api, request.headers(), peer).await?),
        RequestHost::Site(domain) => (domain, Admitted::Everybody),
        RequestHost::Service => return Err(ErrorResponse::internal("the service has no site")),
    };
    let is_preview = matches!(host, RequestHost::Preview(_));
    let directory = api.0.directory.current();
    let is_shown = |target: &DeployTarget| {
        target.branch.is_some() == is_preview
            && admitted.may_see(&target.organization)
            && is_configured(&directory, target)
    };
    let target = api.0.jobs.ledger().target(name).await?.filter(is_shown).ok_or_else(ErrorResponse::not_found)?;
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(ErrorResponse::new(ErrorCode::MethodNotAllowed, "only GET, HEAD can be used here")
            .with(header::ALLOW, HeaderValue::from_static("GET, HEAD")));
    }
    let mut response = match &target.live {
        Some(live) => {
            let site = api.0.sites.of(&live.archive, is_preview, admitted.is_private()).await?;
            if is_preview {
                answer_preview(&site, live, &request.into_parts().0).await?
            } else {
                respond(&site, request.method(), request.uri().path(), request.uri().query(), request.headers())
            }
        }
        None if target.queued.is_some() || target.running.is_some() => waiting_site_response(is_preview),
        None => failed_site_response(),
    };
    let headers = response.headers_mut();
    if is_preview {
        headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
        // a preview shares neither process nor storage with others, even below the same domain
        headers.insert(AGENT_CLUSTER, HeaderValue::from_static("?1"));
    }
    Ok(response)
}

/// Whether a target is still what the configuration says: its project is there, with this domain, or with a repository
/// and a plan for previews.
fn is_configured(directory: &TenantDirectory, target: &DeployTarget) -> bool {
    let Some(project) = directory.project(&target.organization, &target.project) else { return false };
    match &target.branch {
        Some(_) => {
            matches!(project.source, ProjectSource::Git { .. })
                && directory.organization(&target.organization).is_some_and(|organization| organization.plan.preview)
        }
        None => project.domain == target.host,
    }
}

/// A file of a preview; pages that a browser requests show which ones have changed.
async fn answer_preview(site: &HostedSite, live: &LiveSite, head: &Parts) -> Result<Response, ErrorResponse> {
    let (path, query) = (head.uri.path(), head.uri.query());
    if let Some(response) = widget_file(path, site, live) {
        return Ok(response);
    }
    if !widget::is_page_requested(&head.method, &head.headers) {
        return Ok(respond(site, &head.method, path, query, &head.headers));
    }
    widget::put_into(respond(site, &Method::GET, path, query, &widget::as_it_is(&head.headers))).await
}

/// Answers a request for a page about this interface; `path` is what follows `/docs`.
pub(super) async fn answer_site_reference(api: &Api, path: &str, head: &Parts) -> Result<Response, ErrorResponse> {
    match api.0.sites.reference.load_full() {
        Some(site) => {
            let mut response = respond(&site, &head.method, path, head.uri.query(), &head.headers);
            move_addresses(response.headers_mut());
            Ok(response)
        }
        None => Err(ErrorResponse::unavailable("the pages are being generated")),
    }
}

/// A site believes that it is at the root of its host: addresses in its headers are those below `/docs`.
fn move_addresses(headers: &mut axum::http::HeaderMap) {
    let root = REFERENCE_ROOT;
    let moved = |value: &HeaderValue| {
        HeaderValue::try_from(format!(
            "{root}{}",
            value.to_str().ok().filter(|path| path.starts_with('/') && !path.starts_with("//"))?
        ))
        .ok()
    };
    for name in [header::LOCATION, LLMS] {
        if let Some(value) = headers.get(&name).and_then(moved) {
            headers.insert(name, value);
        }
    }
    if let Some(value) = headers
        .get(header::LINK)
        .and_then(|value| HeaderValue::try_from(value.to_str().ok()?.replace("</", &format!("<{root}/"))).ok())
    {
        headers.insert(header::LINK, value);
    }
}

fn respond(
    site: &HostedSite,
    method: &Method,
    path: &str,
    query: Option<&str>,
    headers: &axum::http::HeaderMap,
) -> Response {
    site.respond(method, path, query, headers).map(Body::new)
}

/// What readers see of a site until its first deployment has ended.
fn waiting_site_response(is_preview: bool) -> Response {
    let what = if is_preview { "This preview" } else { "This site" };
    let page = const { templates::text("service/waiting.html") }.replace("{what}", what);
    let mut response = placeholder(StatusCode::SERVICE_UNAVAILABLE, page);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    response
}

/// What readers see of a site whose first deployment failed.
fn failed_site_response() -> Response {
    placeholder(StatusCode::NOT_FOUND, const { templates::text("service/failed.html") })
}

/// What readers see of a site that cannot be served now.
fn unavailable_site_response(error: ErrorResponse) -> Response {
    let page = const { templates::text("service/unavailable.html") };
    let mut response = placeholder(StatusCode::SERVICE_UNAVAILABLE, page);
    // when to come again, and why for programs; what an error has in its body is for these alone
    let (about, _) = error.into_response().into_parts();
    for (name, value) in about.headers {
        if let Some(name) = name.filter(|name| !response.headers().contains_key(name)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// A page in the place of those of a site.
fn placeholder(status: StatusCode, page: impl Into<Body>) -> Response {
    let mut response = Response::new(page.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'"),
    );
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_that_are_not_requested_are_closed() {
        let (start, site) = (Instant::now(), Arc::new("site"));
        let mut open = OpenBundles { sites: HashMap::new() };
        let name = |number: usize| (format!("{number:04}"), false, false);
        (0..=MAX_OPEN_SITES).for_each(|number| open.keep(name(number), &site, start));
        assert_eq!(open.sites.len(), MAX_OPEN_SITES);
        assert!(open.find(&name(0), start).is_none());
        assert!(open.find(&name(7), start + IDLE_SITE_TIME / 2).is_some());
        open.keep(name(9_999), &site, start + IDLE_SITE_TIME);
        let mut left: Vec<_> = open.sites.keys().map(|(name, ..)| name.as_str()).collect();
        left.sort_unstable();
        assert_eq!(left, ["0007", "9999"]);
    }
}
