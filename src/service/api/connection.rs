//! Connections: how many, how long, how large (contract, E-HTTP-9; threats S28). HTTP/1.1 only.
//!
//! 1. Too many connections, of all or of one address, are closed at once.
//! 2. The head of a request has a time, a size and a number of fields; what exceeds them is answered by the connection,
//!    without a body. A head that says in two ways how long its body is ends the connection.
//! 3. A reader that takes nothing for too long is dropped.
//! 4. What is answered before its body was read keeps its connection: the rest of the body is read afterwards.
//! 5. On the way down, new connections are taken for a moment, and none after that. Each connection ends after the answer
//!    under way or, if it waits for a request, after the next one, which says so; if none comes soon, it is closed. Those
//!    that are left when time is up are cut.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::future::BoxFuture;
use hyper::body::Incoming;
use hyper::service::service_fn;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use http::checked_stream::CheckedStream;
use http::connection::{ConnectionLimits, serve_connection};
use http::idle_timeout::IdleTimeout;
use http::listener::waiting_connections;
use http::peer::{ConnectionPlace, NetworkList, OpenConnections, unmapped_address};
use http::unread::{RequestBody, answer_with_unread_body};

use super::body::BODY_TIME;

/// Time for the head of a request, counted from the end of the answer before it: how long a connection may be idle,
/// too.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// How long a reader may take nothing; it may take twice as long to be noticed.
const STALL_TIME: Duration = Duration::from_secs(60);
/// Largest head of a request: 32 KiB of fields and 8 KiB of target (which the first check counts one by one).
const HEAD_BYTES: usize = 48 << 10;
/// Most fields of a head.
const MAX_HEADER_FIELDS: usize = 100;
/// Most connections, of all addresses and of one (of IPv6, of one network of 2^64).
const MAX_CONNECTIONS: usize = 15_000;
const MAX_CONNECTIONS_OF_ADDRESS: usize = 256;
/// How long to wait when the system has no more sockets.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);
/// How long new connections are still taken on the way down, so that load balancers that poll `/readyz` notice; and how
/// long one that waits for a request may still send it.
const DRAIN_NOTICE_TIME: Duration = Duration::from_millis(1500);
/// How long answers under way may take on the way down.
const DRAIN_TIME: Duration = Duration::from_secs(20);

/// Answers a request from an address.
pub(super) type ApiResponder = Arc<dyn Fn(Request, IpAddr) -> BoxFuture<'static, Response> + Send + Sync>;

/// Answers requests until `stop` is true, and then until those under way are answered.
pub(super) async fn serve_api(
    listener: TcpListener,
    answer: ApiResponder,
    proxies: NetworkList,
    mut stop: watch::Receiver<bool>,
) {
    let open = Arc::new(ConnectionTable { proxies, connections: Arc::default() });
    let still = stop.clone();
    let accepting = accept_all(&listener, &answer, &open, &still);
    tokio::select! {
        () = accepting => {}
        () = stopped(&mut stop) => {}
    }
    let _ = tokio::time::timeout(DRAIN_NOTICE_TIME, accept_all(&listener, &answer, &open, &still)).await;
    // others are refused by the system: their clients know that nothing was done
    waiting_connections(listener).for_each(|(stream, peer)| open.serve(stream, peer, &answer, &still));
    let ended = async {
        while open.connections.total() > 0 {
            tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
        }
    };
    if tokio::time::timeout(DRAIN_TIME, ended).await.is_err() {
        tracing::warn!(
            connections = open.connections.total(),
            "connections are closed: the time limit of the shutdown is over"
        );
    }
}

/// Ready when it is time to stop.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    // without a sender it counts as set
    let _ = stop.wait_for(|stop| *stop).await;
}

async fn accept_all(
    listener: &TcpListener,
    answer: &ApiResponder,
    open: &Arc<ConnectionTable>,
    stop: &watch::Receiver<bool>,
) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => open.serve(stream, peer, answer, stop),
            // the client has gone, or there are no more sockets: neither is a reason to stop
            Err(error) => {
                tracing::debug!(%error, "a connection was not accepted");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
}

/// One connection, from its first request to its last.
async fn serve_api_connection(
    stream: TcpStream,
    peer: SocketAddr,
    answer: ApiResponder,
    stop: watch::Receiver<bool>,
    place: ConnectionGuard,
) {
    // answers are written whole: waiting for more to send would only delay them
    let _ = stream.set_nodelay(true);
    let address = unmapped_address(peer.ip());
    let (stream, is_doubled) = CheckedStream::new(stream);
    let stopping = stop.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        let (answer, stopping) = (Arc::clone(&answer), stopping.clone());
        let is_doubled = is_doubled.load(Ordering::Relaxed);
        let respond = async move |request: hyper::Request<RequestBody>| {
            if is_doubled {
                return bad_request();
            }
            let mut answer = answer(request.map(Body::new), address).await;
            if *stopping.borrow() {
                answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            answer
        };
        answer_with_unread_body(request, BODY_TIME, respond)
    });
    let limits = ConnectionLimits {
        head_bytes: HEAD_BYTES,
        head_fields: Some(MAX_HEADER_FIELDS),
        head_time: Some(HEAD_TIME),
        grace: DRAIN_NOTICE_TIME,
    };
    serve_connection(IdleTimeout::of_writes(stream, STALL_TIME), service, stop, limits).await;
    drop(place);
}

/// The answer to a head that means two things: nothing that follows on its connection can be trusted.
fn bad_request() -> Response {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = StatusCode::BAD_REQUEST;
    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    answer
}

/// The connections that are open.
struct ConnectionTable {
    /// They carry requests of many clients, and have no bound of their own.
    proxies: NetworkList,
    connections: Arc<OpenConnections>,
}

/// One of them; leaves when dropped.
struct ConnectionGuard {
    place: Option<ConnectionPlace>,
    connections: Arc<OpenConnections>,
}

impl ConnectionTable {
    /// Serves a connection, if there is room for it.
    fn serve(&self, stream: TcpStream, peer: SocketAddr, answer: &ApiResponder, stop: &watch::Receiver<bool>) {
        match self.enter(peer) {
            Some(place) => {
                drop(tokio::spawn(serve_api_connection(stream, peer, Arc::clone(answer), stop.clone(), place)))
            }
            None => metrics::counter!("offprint_http_connections_refused_total").increment(1),
        }
    }

    fn enter(&self, peer: SocketAddr) -> Option<ConnectionGuard> {
        let address = peer.ip();
        let most = if self.proxies.contain(address) { MAX_CONNECTIONS } else { MAX_CONNECTIONS_OF_ADDRESS };
        let place = self.connections.enter(address, MAX_CONNECTIONS, most)?;
        metrics::gauge!("offprint_http_connections").set(self.connections.total() as f64);
        Some(ConnectionGuard { place: Some(place), connections: Arc::clone(&self.connections) })
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.place.take();
        metrics::gauge!("offprint_http_connections").set(self.connections.total() as f64);
    }
}
