//! Leads a request to its site: by the path for what belongs to the server, by the host name for the rest.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use hyper::body::Incoming;
use hyper::header::{CONNECTION, HOST, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Request, Response, StatusCode, Version};
use rustc_hash::FxHashMap;
use tokio::sync::Semaphore;

use super::credentials::{Readers, Token};
use super::files::Files;
use super::holder::Holder;
use super::site::{self, Body};
use super::{Error, Options, Tell, agent, control, source};

/// Most questions to indexes that are worked on at once.
const QUESTIONS: usize = 4;

/// All sites, and who may do what.
pub(super) struct Front {
    holders: Vec<Arc<Holder>>,
    /// Certificates and secrets.
    pub(super) files: Files,
    by_host: FxHashMap<String, usize>,
    /// The site that answers to any name.
    any: Option<usize>,
    is_draining: AtomicBool,
    is_encrypted: bool,
    pub(super) questions: Arc<Semaphore>,
}

/// An answer that is there, or one that is worked on.
pub(super) enum Answer {
    /// Taken when it is asked for.
    Now(Option<Response<Body>>),
    Later(Pin<Box<dyn Future<Output = Response<Body>> + Send>>),
}

impl Future for Answer {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Self::Now(answer) => answer.take().map_or(Poll::Pending, |answer| Poll::Ready(Ok(answer))),
            Self::Later(work) => work.as_mut().poll(context).map(Ok),
        }
    }
}

impl Front {
    pub(super) fn new(options: &Options, tell: &Tell) -> Result<Self, Error> {
        let mut front = Self {
            holders: Vec::new(),
            files: Files::new(options),
            by_host: FxHashMap::default(),
            any: None,
            is_draining: AtomicBool::new(false),
            is_encrypted: options.tls.is_some(),
            questions: Arc::new(Semaphore::new(QUESTIONS)),
        };
        for (index, site) in options.sites.iter().enumerate() {
            front.any = front.any.or(site.hosts.is_empty().then_some(index));
            front.by_host.extend(site.hosts.iter().map(|host| (host.clone(), index)));
            site.authorities.as_deref().map(source::authorities).transpose().map_err(Error::Unusable)?;
            let holder = Holder::new(site.clone(), Arc::clone(tell))
                .map_err(|error| Error::Unusable(format!("the cache folder cannot be used: {error}")))?;
            front.holders.push(Arc::new(holder));
        }
        match front.files.read(true).into_iter().next() {
            Some(message) => Err(Error::Unusable(message)),
            None => Ok(front),
        }
    }

    /// The sites, in the order of the configuration.
    pub(super) fn holders(&self) -> &[Arc<Holder>] {
        &self.holders
    }

    /// From now on the server is not ready.
    pub(super) fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    /// Whether every site has a bundle and the server is not about to stop.
    pub(super) fn is_ready(&self) -> bool {
        !self.is_draining.load(Ordering::Relaxed) && self.holders.iter().all(|holder| holder.active().is_some())
    }

    /// The token of those who steer the server, if there is one.
    pub(super) fn token(&self) -> Option<Arc<Token>> {
        self.files.token.load_full()
    }

    /// Answers a request.
    pub(super) fn answer(self: &Arc<Self>, request: Request<Incoming>) -> Answer {
        let path = request.uri().path();
        if let Some(answer) = control::probe(self, path) {
            return now(answer);
        }
        if control::is_order(path) {
            return later(control::order(Arc::clone(self), request));
        }
        let index = match self.site_of(&request) {
            Ok(index) => index,
            Err(stray) => return now(stray.answer()),
        };
        let (Some(holder), Some(readers)) = (self.holders.get(index), self.files.readers.get(index)) else {
            return now(Stray::NoSuchHost.answer());
        };
        if holder.options.readers.is_some()
            && let Some(readers) = readers.load().as_ref().filter(|readers| !readers.admit(request.headers()))
        {
            return now(unauthorized(readers));
        }
        if agent::is_asked(holder, path, &request) {
            return later(agent::answer(Arc::clone(self), Arc::clone(holder), request));
        }
        let uri = request.uri();
        let mut answer = match holder.active().as_ref() {
            Some(active) => active.site.respond(request.method(), uri.path(), uri.query(), request.headers()),
            None => site::waiting(),
        };
        if self.is_encrypted {
            answer
                .headers_mut()
                .insert(hyper::header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
        }
        if self.is_draining.load(Ordering::Relaxed) {
            answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        now(answer)
    }

    /// The site that a request means. The name in the request line comes before the header, and a name that is given
    /// twice is none.
    pub(super) fn site_of<B>(&self, request: &Request<B>) -> Result<usize, Stray> {
        let headers = request.headers();
        // most requests give no header twice, and one look tells
        if headers.len() != headers.keys_len() && headers.get_all(HOST).into_iter().nth(1).is_some() {
            return Err(Stray::ManyHosts);
        }
        // nearly everybody names the host first
        if headers.keys().next() != Some(&HOST)
            && request.version() == Version::HTTP_11
            && request.uri().authority().is_none()
            && !headers.contains_key(HOST)
        {
            return Err(Stray::NoHost);
        }
        if self.by_host.is_empty() {
            return self.any.ok_or(Stray::NoSuchHost);
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
        found.copied().or(self.any).ok_or(Stray::NoSuchHost)
    }
}

fn now(answer: Response<Body>) -> Answer {
    Answer::Now(Some(answer))
}

fn later(answer: impl Future<Output = Response<Body>> + Send + 'static) -> Answer {
    Answer::Later(Box::pin(answer))
}

/// Why a request means no site.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stray {
    ManyHosts,
    NoHost,
    NoSuchHost,
}

impl Stray {
    pub(super) fn answer(self) -> Response<Body> {
        match self {
            Self::ManyHosts => site::message(StatusCode::BAD_REQUEST, "The request names more than one host."),
            Self::NoHost => site::message(StatusCode::BAD_REQUEST, "The request names no host."),
            Self::NoSuchHost => site::message(StatusCode::MISDIRECTED_REQUEST, "There is no site of this name here."),
        }
    }
}

fn unauthorized(readers: &Readers) -> Response<Body> {
    let mut answer = site::message(StatusCode::UNAUTHORIZED, "This site is private.");
    answer.headers_mut().insert(WWW_AUTHENTICATE, readers.challenge().clone());
    answer
}
