//! Requests that are answered before their body was read: a refusal needs none. The HTTP library would then close the
//! connection unless the rest of the body is there already, without a word in the response, and a client that sends
//! head and body one after the other would lose its next request. Here the rest is read, within bounds, after the
//! response has been sent; where that is not possible the response says `Connection: close`.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{CONNECTION, EXPECT, HeaderValue};
use hyper::{Request, Response};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// How much of a body is read that no response needs: as much as any operation takes.
const UNREAD_BYTES: u64 = 64 << 10;

/// The body of a request, which comes back to its connection if it is dropped before its end.
pub struct RequestBody {
    body: Option<Incoming>,
    is_polled: bool,
    home: Option<oneshot::Sender<UnreadBody>>,
}

/// A body that was dropped before its end.
struct UnreadBody {
    body: Incoming,
    is_polled: bool,
}

impl RequestBody {
    /// The body, and where it comes back to; none if there is no body.
    fn new(body: Incoming) -> (Self, Option<oneshot::Receiver<UnreadBody>>) {
        if body.is_end_stream() {
            return (Self { body: Some(body), is_polled: false, home: None }, None);
        }
        let (home, back) = oneshot::channel();
        (Self { body: Some(body), is_polled: false, home: Some(home) }, Some(back))
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.is_polled = true;
        self.body.as_mut().map_or(Poll::Ready(None), |body| Pin::new(body).poll_frame(context))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(SizeHint::default, Body::size_hint)
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if let (Some(body), Some(home)) = (self.body.take(), self.home.take())
            && !body.is_end_stream()
        {
            // the connection may have ended before
            let _ = home.send(UnreadBody { body, is_polled: self.is_polled });
        }
    }
}

/// Answers a request, and sees to the rest of its body: it has until `time` after now to arrive.
///
/// # Errors
/// Never.
pub async fn answer_with_unread_body<F, B>(
    request: Request<Incoming>,
    time: Duration,
    respond: impl FnOnce(Request<RequestBody>) -> F,
) -> Result<Response<B>, Infallible>
where
    F: Future<Output = Response<B>>,
{
    let until = Instant::now() + time;
    let (head, body) = request.into_parts();
    // a client that waits to be told to send its body does not send it after a refusal
    let waits = head.headers.contains_key(EXPECT);
    let (body, back) = RequestBody::new(body);
    let mut response = respond(Request::from_parts(head, body)).await;
    let Some(Ok(UnreadBody { body, is_polled })) = back.map(|mut back| back.try_recv()) else { return Ok(response) };
    let is_large = body.size_hint().lower() > UNREAD_BYTES;
    if is_large || (waits && !is_polled) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    // the connection itself reads on for a while after a response that ends it
    if !response.headers().contains_key(CONNECTION) {
        tokio::spawn(async move { tokio::time::timeout_at(until, read_to_end(body)).await });
    }
    Ok(response)
}

/// Reads a body to its end or its bound. When it is dropped before its end, the connection closes.
async fn read_to_end(mut body: Incoming) {
    let mut bytes = 0;
    while let Some(Ok(frame)) = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
        if bytes > UNREAD_BYTES {
            return;
        }
    }
}
