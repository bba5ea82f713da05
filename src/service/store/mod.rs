//! What the service remembers: jobs, deployments, agent jobs, answers given once, rate windows. One trait, and two back
//! ends of it.
//!
//! 1. [`record`] and [`work`] are the nouns: what is kept, and what workers say about it.
//! 2. `ledger` holds the rules, once, as transactions over ordered rows (`rows`).
//! 3. `memory` and `durable` keep the rows; `contract` holds what both must do.
//! 4. `watch` wakes who waits for a change; [`time`] has the clocks.
//!
//! Invariants: an effect and the answer stored with it are one transaction. Work is done under a lease with a fencing
//! number, which others take when it ends. A status only moves forward. No rule relies on there being one process: what
//! is known of another's is a lease.

#[cfg(test)]
mod contract;
mod durable;
mod ledger;
mod memory;
pub mod objects;
pub mod once;
pub mod record;
mod rows;
pub mod time;
mod watch;
pub mod work;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;

use durable::Durable;
use ledger::Ledger;
use memory::Memory;

pub use once::{Answer, Begun, OnceKey, Rate, Remember};
pub use record::{
    AgentJob, AgentStatus, Archive, Commit, Deployment, DeploymentStatus, ExportJob, ExportStatus, FilesChanged, Live,
    Target,
};
pub use time::{Clock, Time};
pub use watch::Watch;
pub use work::{Caps, Claimed, Counts, Horizon, Kind, Lane, Lease, Outcome, Release, Report, Retention, Swept, Work};

/// Why the store does not do as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The organisation has as much of this kind as it may.
    #[error("too many jobs of this organization are queued")]
    QueueFull,
    /// All organisations together have.
    #[error("too many jobs wait")]
    Saturated,
    /// There is no such record of this organisation.
    #[error("there is no such record")]
    Absent,
    /// The record's status does not allow it.
    #[error("{0}")]
    Conflict(&'static str),
    /// The lease ended, and with it the right to do this.
    #[error("the lease has ended")]
    Lost,
    /// The disk, or what else is below, does not work.
    #[error("the store does not work: {0}")]
    Unavailable(String),
}

/// What a method of the store returns.
pub type Reply<'a, T> = BoxFuture<'a, Result<T, Error>>;

/// How a list of exports goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Newest first.
    pub jobs: Vec<ExportJob>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// Which exports to list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Of one domain.
    pub domain: Option<String>,
    /// In one status.
    pub status: Option<ExportStatus>,
    /// At most so many.
    pub limit: usize,
    /// Where the last page ended. An unknown one is [`Error::Absent`].
    pub cursor: Option<String>,
}

/// The settings of an organisation's retention, asked for at every sweep.
pub type RetentionOf = Arc<dyn Fn(&str) -> Retention + Send + Sync>;

/// The store. `now` is the time of a [`Clock`], which never jumps; every query takes the organisation, and finds
/// nothing of another one. An accepted effect is kept when the future is ready.
pub trait Store: Send + Sync {
    // -- exports --

    /// Accepts an export, if the organisation has room.
    fn start_export(
        &self,
        job: ExportJob,
        caps: Caps,
        remember: Option<Remember<ExportJob>>,
        now: Time,
    ) -> Reply<'_, ExportJob>;
    /// An export.
    fn export(&self, organisation: &str, id: &str) -> Reply<'_, Option<ExportJob>>;
    /// An export of anybody, for a link whose signature covers the organisation: nothing of it is told before that has
    /// been checked.
    fn linked_export(&self, id: &str) -> Reply<'_, Option<ExportJob>>;
    /// A page of exports, newest first. It may be shorter than asked for and yet not the last, when the filter leaves
    /// out much.
    fn exports(&self, organisation: &str, filter: Filter) -> Reply<'_, Page>;
    /// Fails an export with `canceled`; one that failed stays as it is, a completed one is a conflict.
    fn cancel_export(&self, organisation: &str, id: &str) -> Reply<'_, ExportJob>;

    // -- deployments --

    /// Accepts a deployment, or returns the one of the same target that waits already.
    fn start_deployment(
        &self,
        deployment: Deployment,
        caps: Caps,
        remember: Option<Remember<Deployment>>,
        now: Time,
    ) -> Reply<'_, Deployment>;
    /// A deployment.
    fn deployment(&self, organisation: &str, id: &str) -> Reply<'_, Option<Deployment>>;
    /// What a host name shows: the label of a preview, or a domain.
    fn target(&self, host: &str) -> Reply<'_, Option<Target>>;
    /// The previews of a project on which nothing is being done.
    fn previews(&self, organisation: &str, project: &str) -> Reply<'_, Vec<Target>>;
    /// Removes previews, unless anything has been done on them since they were looked at.
    fn remove_previews(&self, previews: Vec<Target>) -> Reply<'_, ()>;

    // -- agent jobs --

    /// Accepts an agent job, if the organisation has room.
    fn start_agent(
        &self,
        job: AgentJob,
        caps: Caps,
        remember: Option<Remember<AgentJob>>,
        now: Time,
    ) -> Reply<'_, AgentJob>;
    /// An agent job of a project.
    fn agent(&self, organisation: &str, project: &str, id: &str) -> Reply<'_, Option<AgentJob>>;
    /// Another prompt to a job that has ended; it is active again. To others it is a conflict.
    fn message_agent(
        &self,
        job: &AgentRef<'_>,
        prompt: String,
        caps: Caps,
        remember: Option<Remember<AgentJob>>,
        now: Time,
    ) -> Reply<'_, AgentJob>;
    /// Puts a job away that has ended; one that is put away stays as it is, an active one is a conflict.
    fn archive_agent(&self, job: &AgentRef<'_>, remember: Option<Remember<AgentJob>>, now: Time)
    -> Reply<'_, AgentJob>;

    // -- the queue --

    /// Whether one more piece of work would be accepted: [`Error::QueueFull`] or [`Error::Saturated`] if not.
    fn room(&self, organisation: &str, kind: Kind, caps: Caps) -> Reply<'_, ()>;
    /// Takes the next piece of work: first what lost its worker, then in turns between organisations.
    fn claim(&self, lane: Lane, lease: Duration, now: Time) -> Reply<'_, Option<Claimed>>;
    /// Says that the worker lives and how far it is; progress never goes back. [`Error::Lost`] ends the work.
    fn renew(&self, lease: &Lease, report: Report, length: Duration, now: Time) -> Reply<'_, ()>;
    /// Gives work back. Work that crashed too often has failed.
    fn release(&self, lease: &Lease, why: Release) -> Reply<'_, ()>;
    /// Ends the work and all that follows from it, in one transaction.
    fn finish(&self, lease: &Lease, outcome: Outcome) -> Reply<'_, ()>;
    /// How much there is.
    fn counts(&self) -> Reply<'_, Counts>;

    // -- answers and windows --

    /// What an idempotency key means for a request.
    fn begin(&self, key: &OnceKey, request: [u8; 32], now: Time) -> Reply<'_, Begun>;
    /// Stores the answer of a request that has no effect of its own.
    fn remember(&self, key: &OnceKey, request: [u8; 32], answer: Answer, now: Time) -> Reply<'_, ()>;
    /// Frees the key of a request that was refused.
    fn abandon(&self, key: &OnceKey) -> Reply<'_, ()>;
    /// Counts a request against a window: no interval of its length holds more than `limit` accepted ones, restarts
    /// included.
    fn take(&self, window: &str, limit: u32, length: Duration, now: Time) -> Reply<'_, Rate>;

    // -- upkeep --

    /// Forgets what is past retention, a bounded part at a time.
    fn sweep(&self, horizon: Horizon, retention: RetentionOf, now: Time) -> Reply<'_, Swept>;
    /// Says, before it is put, that work under way will name an archive. `false` while that very archive is being
    /// removed: try again.
    fn hold(&self, lease: &Lease, archive: &str) -> Reply<'_, bool>;
    /// Which of these archives nothing names: they can be removed, and cannot be held until [`Store::bury`].
    fn condemn(&self, archives: Vec<String>) -> Reply<'_, Vec<String>>;
    /// These archives have been removed.
    fn bury(&self, archives: Vec<String>) -> Reply<'_, ()>;
    /// Wakes when a record changes. Changes by other processes are not seen: look again now and then.
    fn watch(&self, id: &str) -> Watch;
}

/// A store in memory, whose content ends with the process.
pub fn memory() -> Arc<dyn Store> {
    Arc::new(Ledger::new(Memory::default()))
}

/// A store in a file, which this process has to itself: what was running when the last one died is taken back at once.
///
/// # Errors
/// The file cannot be made or read, or another process has it.
pub async fn durable(file: &Path, now: Time) -> Result<Arc<dyn Store>, Error> {
    let file = file.to_owned();
    let rows = tokio::task::spawn_blocking(move || Durable::open(&file))
        .await
        .map_err(|error| Error::Unavailable(error.to_string()))??;
    let ledger = Ledger::new(rows);
    ledger.reclaim(now).await?;
    Ok(Arc::new(ledger))
}

/// Which agent job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentRef<'a> {
    /// Whose.
    pub organisation: &'a str,
    /// Of which project.
    pub project: &'a str,
    /// Its id.
    pub id: &'a str,
}
