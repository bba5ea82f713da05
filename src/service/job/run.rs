//! What workers and their work say to each other: how it ended, and that it is to stop.

use std::path::Path;

use tokio::fs;
use tokio::sync::watch;

use crate::store::{Lease, WorkOutcome};

/// How a piece of work came to its end.
pub(super) enum JobEnd {
    /// As it should, well or badly.
    Done(WorkOutcome),
    /// Its process died; perhaps another one does not.
    Crashed(String),
    /// The disk has no room for it now.
    Delayed(String),
    /// The storage does not take what it makes now.
    Unkept(String),
    /// It was called off.
    CalledOff,
}

/// The right to do a piece of work, and how much of the processor it leaves to others.
pub(super) struct JobTurn {
    pub(super) lease: Lease,
    pub(super) niceness: i32,
}

/// Cancels work.
#[derive(Clone)]
pub(super) struct Cancel(pub(super) watch::Receiver<bool>);

impl Cancel {
    /// Ready when the work is called off.
    pub(super) async fn canceled(mut self) {
        // without a sender the worker has gone
        let _ = self.0.wait_for(|canceled| *canceled).await;
    }
}

/// Removes the folder of a job.
pub(super) async fn clear(folder: &Path) {
    match fs::remove_dir_all(&folder).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            tracing::warn!(%error, "a temporary folder cannot be removed")
        }
        _ => {}
    }
}
