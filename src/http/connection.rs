//! One HTTP/1.1 connection, from its first request to its last. When the server stops, it ends after the response under
//! way; one that waits for a request may still send one for a while, because its client cannot know.

use std::convert::Infallible;
use std::error::Error;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::watch;
use tokio::time::sleep;

/// The bounds of a connection.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Largest head of a request, bytes.
    pub head_bytes: usize,
    /// Most fields of a head; `None`: 100, as hyper has it. To say so again makes it clear a table for them with every
    /// request.
    pub head_fields: Option<usize>,
    /// Time for the head of a request, counted from the end of the response before it; after half a head the response
    /// is then 408. `None`: the stream has a timeout of its own. A timer for each request costs more than reading it.
    pub head_time: Option<Duration>,
    /// How long a connection that waits for a request may still send one when the server stops. The service says in the
    /// response that the connection ends.
    pub grace: Duration,
}

/// Answers the requests of a connection until it ends; after `stop` is true, until the response under way has ended.
pub async fn serve_connection<S, F, B>(stream: S, service: F, mut stop: watch::Receiver<bool>, limits: ConnectionLimits)
where
    S: AsyncRead + AsyncWrite + Unpin + 'static,
    F: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Unpin,
    B: Body + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut builder = http1::Builder::new();
    builder.header_read_timeout(limits.head_time).max_buf_size(limits.head_bytes);
    if limits.head_time.is_some() {
        builder.timer(TokioTimer::new());
    }
    if let Some(fields) = limits.head_fields {
        builder.max_headers(fields);
    }
    let mut connection = builder.serve_connection(TokioIo::new(stream), service);
    let stopped = stop.clone();
    let mut stopping = pin!(stop.wait_for(|stop| *stop));
    let mut is_heard = false;
    let ended = std::future::poll_fn(|context| {
        if let Poll::Ready(ended) = Pin::new(&mut connection).poll(context) {
            return Poll::Ready(Some(ended));
        }
        // polled once, the channel wakes this task when there is something new, which is cheap to see: polling again
        // costs more than routing a request
        if is_heard && matches!(stopped.has_changed(), Ok(false)) {
            return Poll::Pending;
        }
        is_heard = true;
        stopping.as_mut().poll(context).map(|_| None)
    });
    let ended = match ended.await {
        Some(ended) => ended,
        // in a place of its own: connections that go on need not be as large
        None => {
            Box::pin(async {
                // a client may be about to send a request, and would see a connection closed without a response
                if !limits.grace.is_zero() {
                    tokio::select! {
                        biased;
                        ended = Pin::new(&mut connection) => return ended,
                        () = sleep(limits.grace) => {}
                    }
                }
                Pin::new(&mut connection).graceful_shutdown();
                Pin::new(&mut connection).await
            })
            .await
        }
    };
    // how a client ends a connection is not reported, unless it was too slow
    if ended.is_err_and(|error| error.is_timeout()) {
        let parts = connection.into_parts();
        // half a head is a request that took too long; none is an idle connection
        if !parts.read_buf.is_empty() {
            let answer = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
            let _ = parts.io.into_inner().write_all(answer).await;
        }
    }
}
