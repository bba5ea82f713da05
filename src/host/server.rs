//! Connections: accepted, bounded, answered with HTTP/1.1, and let go of at the end.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use base::signals::{SignalMeaning, Signals};
use http::connection::{ConnectionLimits, serve_connection};
use http::idle_timeout::IdleTimeout;
use http::listener::{listen, waiting_connections};
use http::peer::{ConnectionPlace, NetworkList, OpenConnections};

use super::sites::HostedSites;
use super::{HostError, HostEvent, HostOptions, TellEvent, router};

/// Most connections at once; more wait to be accepted. Those of one address are bounded by the options.
const MAX_CONNECTIONS: usize = 32_768;
/// Longest time in which nothing is written on a connection: between two requests, to the end of a request's head,
/// while a client takes nothing. It may take twice as long to be noticed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// How often files with certificates and secrets are looked at, unless bundles are looked for more often.
const FILE_CHECK_INTERVAL: Duration = Duration::from_secs(60);
/// Longest time for the handshake of TLS.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest time for requests in progress when the server stops.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a connection that waits for a request may still send one then: the response says that it ends.
const STOP_GRACE: Duration = Duration::from_secs(1);
/// Largest head of a request, bytes.
const HEAD_BYTES: usize = 32 << 10;

/// Serves until a signal stops the process.
pub(super) async fn serve_host(options: HostOptions, tell: TellEvent) -> Result<(), HostError> {
    let sites = Arc::new(HostedSites::new(&options, &tell)?);
    let mut signals = Signals::new().map_err(HostError::Start)?;
    let listener = listen(&options.listen).await.map_err(|error| HostError::Listen(options.listen.clone(), error))?;
    let address = listener.local_addr().map_err(HostError::Start)?;
    tell(HostEvent::Listening { address, is_encrypted: options.tls.is_some() });
    let mut looking = JoinSet::new();
    sites.active_bundles().iter().for_each(|active_bundle| drop(looking.spawn(Arc::clone(active_bundle).run())));
    let is_only = sites.active_bundles().len() == 1;
    let (stop, stopping) = watch::channel(false);
    let session = ServerSession {
        sites: Arc::clone(&sites),
        is_encrypted: options.tls.is_some(),
        stopping,
        free_places: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
        bounds: Arc::new(ConnectionBounds {
            open: Arc::default(),
            of_address: options.address_connections,
            proxies: options.trusted_proxies.clone(),
        }),
    };
    let free_places = Arc::clone(&session.free_places);
    let accepting = tokio::spawn(accept(listener, session));
    let mut file_checks = tokio::time::interval(
        options.sites.iter().filter_map(|site| site.watch).fold(FILE_CHECK_INTERVAL, Duration::min),
    );
    file_checks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            Some(ended) = looking.join_next(), if !looking.is_empty() => match ended {
                Ok(Err(failure)) if is_only => return Err(HostError::Refused(failure)),
                _ => {}
            },
            signal = signals.next() => match signal {
                SignalMeaning::Reload => reload(&sites, &tell),
                SignalMeaning::Stop => break,
            },
            _ = file_checks.tick() => read_files(&sites, &tell, false),
        }
    }
    sites.drain();
    // one place is held for the next connection
    tell(HostEvent::Draining { connections: (MAX_CONNECTIONS - free_places.available_permits()).saturating_sub(1) });
    sleep(options.drain).await;
    // no connection is taken any more; those that there are end after their answer, without a request soon
    let _ = stop.send(true);
    let _ = accepting.await;
    let all = u32::try_from(MAX_CONNECTIONS).unwrap_or(u32::MAX);
    let _ = timeout(DRAIN_TIMEOUT, free_places.acquire_many(all)).await;
    Ok(())
}

/// Reads files again and looks for other bundles. What cannot be read any more stays as it was.
fn reload(sites: &Arc<HostedSites>, tell: &TellEvent) {
    sites.lockout.clear();
    read_files(sites, tell, true);
    sites.active_bundles().iter().for_each(|active_bundle| drop(tokio::spawn(active_bundle.reload())));
}

/// Reads certificates and secrets again, all of them or those that have changed.
fn read_files(sites: &Arc<HostedSites>, tell: &TellEvent, all: bool) {
    let (sites, tell) = (Arc::clone(sites), Arc::clone(tell));
    // a volume of the network may take its time
    tokio::task::spawn_blocking(move || {
        sites.files.read(all).into_iter().for_each(|message| tell(HostEvent::Trouble { message }))
    });
}

/// What connections share.
#[derive(Clone)]
struct ServerSession {
    sites: Arc<HostedSites>,
    is_encrypted: bool,
    stopping: watch::Receiver<bool>,
    free_places: Arc<Semaphore>,
    bounds: Arc<ConnectionBounds>,
}

/// How many connections an address may have open, so that one client cannot have all.
struct ConnectionBounds {
    open: Arc<OpenConnections>,
    of_address: usize,
    /// They carry requests of many clients, and have no bound.
    proxies: NetworkList,
}

impl ConnectionBounds {
    fn enter(&self, peer: SocketAddr) -> Option<ConnectionPlace> {
        let most = if self.proxies.contain(peer.ip()) { usize::MAX } else { self.of_address };
        self.open.enter(peer.ip(), usize::MAX, most)
    }
}

/// Takes connections until the server stops, and then those that wait.
async fn accept(listener: TcpListener, session: ServerSession) {
    let mut stopping = session.stopping.clone();
    tokio::select! {
        () = accept_all(&listener, &session) => {}
        // without a sender it counts as set
        _ = stopping.wait_for(|stop| *stop) => {}
    }
    for (stream, peer) in waiting_connections(listener) {
        let Ok(permit) = Arc::clone(&session.free_places).try_acquire_owned() else { return };
        session.take(stream, peer, permit);
    }
}

async fn accept_all(listener: &TcpListener, session: &ServerSession) {
    loop {
        let Ok(permit) = Arc::clone(&session.free_places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, peer)) => session.take(stream, peer, permit),
            // out of descriptors, or the client is gone already
            Err(_) => sleep(Duration::from_millis(20)).await,
        }
    }
}

impl ServerSession {
    /// Serves a connection if its address may have one more; else it is closed at once: an answer would cost more.
    fn take(&self, stream: TcpStream, peer: SocketAddr, permit: OwnedSemaphorePermit) {
        let Some(place) = self.bounds.enter(peer) else { return };
        let session = self.clone();
        tokio::spawn(async move {
            session.greet(stream, peer.ip()).await;
            drop((permit, place));
        });
    }

    async fn greet(self, stream: TcpStream, peer: IpAddr) {
        let _ = stream.set_nodelay(true);
        let certificates = if self.is_encrypted { self.sites.files.certificates.load_full() } else { None };
        match certificates {
            None if self.is_encrypted => {}
            None => serve_host_connection(stream, peer, Arc::clone(&self.sites), self.stopping).await,
            Some(certificates) => {
                let acceptor = TlsAcceptor::from(certificates);
                // in a place of its own: connections without encryption need not be as large
                let greeted = async {
                    if let Ok(Ok(stream)) = timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await {
                        serve_host_connection(stream, peer, Arc::clone(&self.sites), self.stopping).await;
                    }
                };
                Box::pin(greeted).await;
            }
        }
    }
}

/// Answers the requests of a connection.
async fn serve_host_connection(
    stream: impl AsyncRead + AsyncWrite + Unpin + 'static,
    peer: IpAddr,
    sites: Arc<HostedSites>,
    stopping: watch::Receiver<bool>,
) {
    let service = hyper::service::service_fn(move |request| router::respond(&sites, peer, request));
    let limits = ConnectionLimits { head_bytes: HEAD_BYTES, head_fields: None, head_time: None, grace: STOP_GRACE };
    serve_connection(IdleTimeout::new(stream, IDLE_TIMEOUT), service, stopping, limits).await;
}
