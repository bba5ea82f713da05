//! Leads a request to its site: by the path for what belongs to the server, by the host name for the rest.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Request, Response, StatusCode};

use super::credentials::Readers;
use super::site::{self, Body};
use super::sites::{NoSite, Sites};
use super::{
    agent::{self, answer_agent_request},
    control,
};

/// An answer that is there, or one that is worked on.
pub(super) enum Answer {
    /// Available at once; taken by the first call.
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

/// Answers a request.
pub(super) fn respond(sites: &Arc<Sites>, request: Request<Incoming>) -> Answer {
    let path = request.uri().path();
    if let Some(answer) = control::probe(sites, path) {
        return now(answer);
    }
    if control::is_command(path) {
        return later(control::run_command(Arc::clone(sites), request));
    }
    let index = match sites.site_of(&request) {
        Ok(index) => index,
        Err(none) => return now(none.response()),
    };
    let (Some(active_bundle), Some(readers)) = (sites.active_bundles().get(index), sites.files.readers.get(index))
    else {
        return now(NoSite::NoSuchHost.response());
    };
    if active_bundle.options.readers.is_some()
        && let Some(readers) = readers.load().as_ref().filter(|readers| !readers.admit(request.headers()))
    {
        return now(unauthorized(readers));
    }
    if agent::is_requested(active_bundle, path, &request) {
        return later(answer_agent_request(Arc::clone(sites), Arc::clone(active_bundle), request));
    }
    let uri = request.uri();
    let mut answer = match active_bundle.loaded().as_ref() {
        Some(active) => active.site.respond(request.method(), uri.path(), uri.query(), request.headers()),
        None => site::waiting(),
    };
    if sites.is_encrypted {
        answer
            .headers_mut()
            .insert(hyper::header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    if sites.is_draining() {
        answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    now(answer)
}

fn now(answer: Response<Body>) -> Answer {
    Answer::Now(Some(answer))
}

fn later(answer: impl Future<Output = Response<Body>> + Send + 'static) -> Answer {
    Answer::Later(Box::pin(answer))
}

fn unauthorized(readers: &Readers) -> Response<Body> {
    let mut answer = site::message_response(StatusCode::UNAUTHORIZED, "This site is private.");
    answer.headers_mut().insert(WWW_AUTHENTICATE, readers.challenge().clone());
    answer
}
