//! The records of the service: jobs, deployments, agent jobs, answers given once, rate windows.
//!
//! 1. [`record`] and [`work`] are the nouns: what is kept, and what workers say about it.
//! 2. [`Ledger`] holds the rules, once, as transactions over ordered rows.
//! 3. A back end keeps the rows and knows no rule (`rows::Backend`): `memory`, `durable` (a file) and `postgres` (for
//!    any number of processes, with `replay`); `contract` holds what each must do.
//! 4. `watch` wakes waiters for a change; [`time`] has the clocks.
//!
//! Invariants: an effect and the answer stored with it are one transaction. Work is done under a lease with a fencing
//! number, which others take when it ends. A status only moves forward. No rule relies on there being one process: what
//! is known of another's is a lease.

#[cfg(test)]
mod contract;
mod durable;
pub mod event;
mod ledger;
mod memory;
pub mod objects;
pub mod once;
mod postgres;
pub mod record;
mod replay;
mod rows;
pub mod time;
mod watch;
pub mod work;

use std::sync::Arc;

pub use event::{Delivery, DeliveryFilter, DeliveryStatus, EventKind, EventSubject, Receiver, WebhookState, WorkEvent};
pub use ledger::Ledger;
pub use once::{Begun, OnceKey, Rate, Remember, StoredResponse};
pub use record::{
    AgentJob, AgentStatus, ArchiveRecord, DeployTarget, DeployedCommit, DeploymentRecord, DeploymentStatus, ExportJob,
    ExportLog, ExportStatus, Finding, Findings, LiveSite, PathsChanged,
};
pub use rows::{RecordVersion, Reread};
pub use time::{StoreClock, Time};
pub use watch::RecordWatch;
pub use work::{
    Caps, Claimed, Horizon, Lane, Lease, Release, Retention, StoreCounts, Swept, WorkItem, WorkKind, WorkOutcome,
    WorkReport,
};

/// Why the store refuses or fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The organization has as much of this kind as it may.
    #[error("too many jobs of this organization are queued")]
    QueueFull,
    /// All organizations together have.
    #[error("too many jobs wait")]
    Saturated,
    /// There is no such record of this organization.
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

/// A page of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordPage<T> {
    /// In the order of the list.
    pub items: Vec<T>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// Which exports to list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExportFilter {
    /// Of one domain.
    pub domain: Option<String>,
    /// In one status.
    pub status: Option<ExportStatus>,
    /// At most so many.
    pub limit: usize,
    /// Where the last page ended. An unknown one is [`StoreError::Absent`].
    pub cursor: Option<String>,
}

/// Which deployments to list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeploymentFilter {
    /// Of previews of one branch.
    pub branch: Option<String>,
    /// In one status.
    pub status: Option<DeploymentStatus>,
    /// At most so many.
    pub limit: usize,
    /// As that of [`ExportFilter`].
    pub cursor: Option<String>,
}

/// Which agent jobs to list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AgentFilter {
    /// In one status.
    pub status: Option<AgentStatus>,
    /// At most so many.
    pub limit: usize,
    /// As that of [`ExportFilter`].
    pub cursor: Option<String>,
}

/// Which part of a list that has no filter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Slice {
    /// At most so many.
    pub limit: usize,
    /// As that of [`ExportFilter`].
    pub cursor: Option<String>,
}

/// The settings of an organization's retention, read at every sweep.
pub type RetentionOf = Arc<dyn Fn(&str) -> Retention + Send + Sync>;

/// Which agent job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentRef<'a> {
    /// Whose.
    pub organization: &'a str,
    /// Of which project.
    pub project: &'a str,
    /// Its id.
    pub id: &'a str,
}
