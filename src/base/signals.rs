//! Signals that a server handles: to stop, or to reload its files.

use std::io;

/// What a signal means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalMeaning {
    /// SIGHUP: files have changed.
    Reload,
    /// SIGTERM or Ctrl-C.
    Stop,
}

/// Listens from when it is made: a signal that comes before [`Signals::next`] is not lost.
#[cfg(unix)]
#[derive(Debug)]
pub struct Signals {
    hang_up: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// The system does not let it.
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            hang_up: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// The next signal. May be dropped and called again.
    pub async fn next(&mut self) -> SignalMeaning {
        tokio::select! {
            _ = self.hang_up.recv() => SignalMeaning::Reload,
            _ = self.terminate.recv() => SignalMeaning::Stop,
            _ = self.interrupt.recv() => SignalMeaning::Stop,
        }
    }
}

/// Only Ctrl-C.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct Signals;

#[cfg(not(unix))]
impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// None, here.
    pub fn new() -> io::Result<Self> {
        Ok(Self)
    }

    /// The next signal. May be dropped and called again.
    pub async fn next(&mut self) -> SignalMeaning {
        let _ = tokio::signal::ctrl_c().await;
        SignalMeaning::Stop
    }
}
