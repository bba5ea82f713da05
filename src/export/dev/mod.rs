//! The development server: shows a site on this machine, and every change of its files a moment later.
//!
//! 1. `edition` holds a loaded site on a thread of its own; pages are rendered when a browser requests them.
//! 2. `watch` reports which files changed, once an editor is done writing; `change` says what that means for the site.
//! 3. `session` drops cached pages that changed, or opens another edition, and notifies browsers and terminal.
//! 4. `server` answers requests and notifies each browser, by server-sent events, when the page that it shows has
//!    become another one.
//! 5. `notes` are the problems as the page's panel shows them (`templates/dev`).
//!
//! Invariants: addresses never become paths on the disk; nothing of this is ever part of an export.

mod change;
mod edition;
mod notes;
mod server;
mod session;
mod watch;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Diagnostic;

use session::DevSession;
use watch::FolderWatch;

/// What to show, and where.
#[derive(Clone, Debug)]
pub struct DevOptions {
    /// How the site is shown. The root is resolved: no part of it is a link.
    pub settings: crate::WorkspaceSettings,
    /// Address or name of this machine to listen on.
    pub host: String,
    /// The port, or the next free one; 0 for any.
    pub port: u16,
}

/// What happens, for people to read.
#[derive(Clone, Debug)]
pub enum DevEvent {
    /// The server answers.
    Listening {
        /// Where.
        address: SocketAddr,
        /// Pages of the site; `None` if it cannot be shown yet.
        pages: Option<usize>,
        /// Since the start.
        elapsed: Duration,
    },
    /// Files changed, and the site shows it.
    Changed {
        /// The files, relative to the source folder.
        files: Vec<String>,
        /// The pages were rendered again; else the site was loaded again.
        pages_only: bool,
        /// From the report of the change to the page in memory; what the watcher waits for is not in it.
        elapsed: Duration,
    },
    /// Problems that were not there before.
    Diagnostics(Vec<Diagnostic>),
    /// What the server itself cannot do; the rest goes on.
    Trouble(String),
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum DevError {
    /// No port is free, or the host is not this machine.
    #[error("cannot listen on {host}:{port}")]
    Listen {
        /// As given.
        host: String,
        /// As given.
        port: u16,
        /// Why.
        source: io::Error,
    },
    /// The system gives no threads.
    #[error("cannot start")]
    Start(#[source] io::Error),
}

/// Ports that are tried.
const MAX_PORTS: u16 = 100;

/// Shows a site until `stop` is ready.
///
/// # Errors
/// There is nothing to listen on.
pub fn serve_site(
    options: &DevOptions,
    tell: impl Fn(DevEvent) + Send + Sync + 'static,
    stop: impl Future<Output = ()>,
) -> Result<(), DevError> {
    let started = Instant::now();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(DevError::Start)?;
    let listener = runtime.block_on(listen(&options.host, options.port))?;
    let address = listener.local_addr().map_err(DevError::Start)?;
    let session = Arc::new(DevSession::new(options.settings.clone(), Box::new(tell)).map_err(DevError::Start)?);
    // watched before it is loaded, so that no change falls between
    let watch = FolderWatch::start(&options.settings.root);
    let pages = session.open(false);
    session.tell(DevEvent::Listening { address, pages, elapsed: started.elapsed() });
    session.tell_site();
    let watching = match watch {
        Ok((watch, stopper)) => {
            let session = Arc::clone(&session);
            let thread = std::thread::Builder::new().name("watch".to_owned()).spawn(move || session.follow(watch));
            Some((thread.map_err(DevError::Start)?, stopper))
        }
        Err(error) => {
            session.tell(DevEvent::Trouble(format!("changes are not watched: {error}")));
            None
        }
    };
    let served = runtime.block_on(async {
        tokio::select! {
            served = server::serve_dev(listener, Arc::clone(&session), options.host.clone()) => served,
            () = stop => Ok(()),
        }
    });
    if let Some((thread, stopper)) = watching {
        stopper.stop();
        // a thread that panicked has said so
        let _ = thread.join();
    }
    // open connections end with the runtime
    runtime.shutdown_timeout(Duration::from_millis(200));
    served.map_err(DevError::Start)
}

/// Listens on the port or the next free one.
async fn listen(host: &str, port: u16) -> Result<tokio::net::TcpListener, DevError> {
    let last = if port == 0 { 0 } else { port.saturating_add(MAX_PORTS - 1) };
    let mut failed = None;
    for tried in port..=last {
        match tokio::net::TcpListener::bind((host, tried)).await {
            Ok(listener) => return Ok(listener),
            Err(error) => {
                let taken = error.kind() == io::ErrorKind::AddrInUse;
                failed.get_or_insert(error);
                if !taken {
                    break;
                }
            }
        }
    }
    let source = failed.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into());
    Err(DevError::Listen { host: host.to_owned(), port, source })
}
