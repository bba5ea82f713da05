//! Leads a request to its site: by the path for what belongs to the server, by the host name for the rest.

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::{Request, Response, StatusCode};
use tokio::time::sleep;

use http::forwarded::request_client_address;
use http::lockout::{Judgement, whole_seconds};

use super::credentials::SiteReaders;
use super::site::{self, ReplyBody};
use super::sites::{HostedSites, NoSite};
use super::{
    agent::{self, answer_agent_request},
    control,
};

/// An answer that is there, or one that is worked on.
pub(super) enum RouterReply {
    /// Available at once; taken by the first call.
    Now(Option<Response<ReplyBody>>),
    Later(Pin<Box<dyn Future<Output = Response<ReplyBody>> + Send>>),
}

impl Future for RouterReply {
    type Output = Result<Response<ReplyBody>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Self::Now(answer) => answer.take().map_or(Poll::Pending, |answer| Poll::Ready(Ok(answer))),
            Self::Later(work) => work.as_mut().poll(context).map(Ok),
        }
    }
}

/// Answers a request that has come from an address.
pub(super) fn respond(sites: &Arc<HostedSites>, peer: IpAddr, request: Request<Incoming>) -> RouterReply {
    let path = request.uri().path();
    if let Some(answer) = control::probe(sites, path) {
        return now(answer);
    }
    if control::is_command(path) {
        return later(control::run_command(Arc::clone(sites), peer, request));
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
        && let Some(readers) = readers.load().as_ref()
        && let Some(refusal) = refuse_stranger(sites, readers, index, peer, &request)
    {
        return refusal;
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

fn now(answer: Response<ReplyBody>) -> RouterReply {
    RouterReply::Now(Some(answer))
}

fn later(answer: impl Future<Output = Response<ReplyBody>> + Send + 'static) -> RouterReply {
    RouterReply::Later(Box::pin(answer))
}

/// The response to a request that does not come from a reader of a site.
fn refuse_stranger(
    sites: &HostedSites,
    readers: &SiteReaders,
    site: usize,
    peer: IpAddr,
    request: &Request<Incoming>,
) -> Option<RouterReply> {
    let client = request_client_address(request.headers(), peer, &sites.trusted_proxies);
    match readers.judge(request.headers(), client, site, &sites.lockout) {
        Some(Judgement::Admitted) => None,
        None => Some(now(unauthorized(readers))),
        Some(Judgement::Locked { wait }) => {
            let mut answer = site::message_response(
                StatusCode::TOO_MANY_REQUESTS,
                "There were too many wrong passwords. Try again later.",
            );
            answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
            Some(now(answer))
        }
        Some(Judgement::Refused { delay, message }) => {
            sites.tell_lockout(message, request.headers(), peer);
            let answer = unauthorized(readers);
            Some(if delay.is_zero() {
                now(answer)
            } else {
                later(async move {
                    sleep(delay).await;
                    answer
                })
            })
        }
    }
}

fn unauthorized(readers: &SiteReaders) -> Response<ReplyBody> {
    let mut answer = site::message_response(StatusCode::UNAUTHORIZED, "This site is private.");
    answer.headers_mut().insert(WWW_AUTHENTICATE, readers.challenge().clone());
    answer
}
