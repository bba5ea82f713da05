//! All sites of the server, and what their requests share: certificates and secrets, the readiness, the bound of
//! questions.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hyper::header::HOST;
use hyper::{HeaderMap, Request, Response, StatusCode, Version};
use rustc_hash::FxHashMap;
use tokio::sync::Semaphore;

use http::forwarded::is_forwarded_by_stranger;
use http::lockout::{Lockout, LockoutMessage};
use http::peer::NetworkList;

use super::active_bundle::ActiveBundle;
use super::credentials::OperatorToken;
use super::files::ReadFiles;
use super::site::{self, ContentCache, ReplyBody};
use super::{HostError, HostEvent, HostOptions, TellEvent, source};

/// Most questions to indexes that are worked on at once.
const MAX_QUERIES: usize = 4;

/// All sites, in the order of the configuration.
pub(super) struct HostedSites {
    active_bundles: Vec<Arc<ActiveBundle>>,
    /// Certificates and secrets.
    pub(super) files: ReadFiles,
    by_host: FxHashMap<String, usize>,
    /// The site that answers to any name.
    any: Option<usize>,
    is_draining: AtomicBool,
    pub(super) is_encrypted: bool,
    pub(super) questions: Arc<Semaphore>,
    /// Who guesses passwords of readers, or the token of operators.
    pub(super) lockout: Lockout,
    /// Whose `X-Forwarded-For` counts.
    pub(super) trusted_proxies: NetworkList,
    tell: TellEvent,
}

impl HostedSites {
    pub(super) fn new(options: &HostOptions, tell: &TellEvent) -> Result<Self, HostError> {
        let mut sites = Self {
            active_bundles: Vec::new(),
            files: ReadFiles::new(options),
            by_host: FxHashMap::default(),
            any: None,
            is_draining: AtomicBool::new(false),
            is_encrypted: options.tls.is_some(),
            questions: Arc::new(Semaphore::new(MAX_QUERIES)),
            lockout: Lockout::new(options.lockout),
            trusted_proxies: options.trusted_proxies.clone(),
            tell: Arc::clone(tell),
        };
        let contents = Arc::new(ContentCache::new(options.content_bytes));
        for (index, site) in options.sites.iter().enumerate() {
            sites.any = sites.any.or(site.hosts.is_empty().then_some(index));
            sites.by_host.extend(site.hosts.iter().map(|host| (host.clone(), index)));
            site.authorities.as_deref().map(source::authorities).transpose().map_err(HostError::Unusable)?;
            let active_bundle = ActiveBundle::new(site.clone(), Arc::clone(&contents), Arc::clone(tell))
                .map_err(|error| HostError::Unusable(format!("the cache folder cannot be used: {error}")))?;
            sites.active_bundles.push(Arc::new(active_bundle));
        }
        match sites.files.read(true).into_iter().next() {
            Some(message) => Err(HostError::Unusable(message)),
            None => Ok(sites),
        }
    }

    /// The sites, in the order of the configuration.
    pub(super) fn active_bundles(&self) -> &[Arc<ActiveBundle>] {
        &self.active_bundles
    }

    /// Tells the operator of guesses, and of a proxy whose clients count as one.
    pub(super) fn tell_lockout(&self, message: Option<LockoutMessage>, headers: &HeaderMap, peer: IpAddr) {
        let Some(message) = message else { return };
        let proxy = if message.is_lock() && is_forwarded_by_stranger(headers, peer, &self.trusted_proxies) {
            format!(
                "; requests from {peer} have X-Forwarded-For, but it is none of `--trusted-proxies`: all of its clients count as one"
            )
        } else {
            String::new()
        };
        (self.tell)(HostEvent::Trouble { message: format!("{message}{proxy}") });
    }

    /// From now on the server is not ready.
    pub(super) fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    /// Whether the server is about to stop.
    pub(super) fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Whether every site has a bundle and the server is not about to stop.
    pub(super) fn is_ready(&self) -> bool {
        !self.is_draining() && self.active_bundles.iter().all(|active_bundle| active_bundle.loaded().is_some())
    }

    /// The token for control endpoints, if there is one.
    pub(super) fn token(&self) -> Option<Arc<OperatorToken>> {
        self.files.token.load_full()
    }

    /// The site that a request means. The name in the request line comes before the header, and a name that is given
    /// twice is none.
    pub(super) fn site_of<B>(&self, request: &Request<B>) -> Result<usize, NoSite> {
        let headers = request.headers();
        // fast path: most requests repeat no header
        if headers.len() != headers.keys_len() && headers.get_all(HOST).into_iter().nth(1).is_some() {
            return Err(NoSite::ManyHosts);
        }
        // nearly all clients name the host first
        if headers.keys().next() != Some(&HOST)
            && request.version() == Version::HTTP_11
            && request.uri().authority().is_none()
            && !headers.contains_key(HOST)
        {
            return Err(NoSite::NoHost);
        }
        if self.by_host.is_empty() {
            return self.any.ok_or(NoSite::NoSuchHost);
        }
        let name = request
            .uri()
            .authority()
            .map(|authority| authority.as_str())
            .or_else(|| headers.get(HOST)?.to_str().ok())
            .unwrap_or_default();
        let name = match name.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => name,
        };
        let found = self
            .by_host
            .get(name.trim_end_matches('.'))
            .or_else(|| self.by_host.get(&name.trim_end_matches('.').to_ascii_lowercase()));
        found.copied().or(self.any).ok_or(NoSite::NoSuchHost)
    }
}

/// Why a request means no site.
#[derive(Clone, Copy, Debug)]
pub(super) enum NoSite {
    ManyHosts,
    NoHost,
    NoSuchHost,
}

impl NoSite {
    /// The error response.
    pub(super) fn response(self) -> Response<ReplyBody> {
        match self {
            Self::ManyHosts => site::message_response(StatusCode::BAD_REQUEST, "The request names more than one host."),
            Self::NoHost => site::message_response(StatusCode::BAD_REQUEST, "The request names no host."),
            Self::NoSuchHost => {
                site::message_response(StatusCode::MISDIRECTED_REQUEST, "There is no site of this name here.")
            }
        }
    }
}
