//! The words of the queue: kinds of work, caps, leases, and how work ends.

use serde::{Deserialize, Serialize};

use super::record::{AgentJob, ArchiveRecord, DeployTarget, DeployedCommit, DeploymentRecord, ExportJob, ExportLog};
use super::time::Time;

/// A kind of work; each has its own caps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkKind {
    /// A static export.
    Export,
    /// A preview or production update.
    Deployment,
    /// A run of the agent.
    Agent,
}

impl WorkKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Export, Self::Deployment, Self::Agent];

    /// Which workers take it.
    pub const fn lane(self) -> Lane {
        match self {
            Self::Export | Self::Deployment => Lane::Build,
            Self::Agent => Lane::Agent,
        }
    }

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Export => "export",
            Self::Deployment => "deployment",
            Self::Agent => "agent",
        }
    }

    pub(super) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// Workers take work from one lane, organization by organization.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// Exports and deployments: they keep a core busy.
    Build,
    /// Runs of the agent: they wait for other services.
    Agent,
}

impl Lane {
    /// The kinds of work in it.
    pub(super) const fn kinds(self) -> &'static [WorkKind] {
        match self {
            Self::Build => &[WorkKind::Export, WorkKind::Deployment],
            Self::Agent => &[WorkKind::Agent],
        }
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Agent => "agent",
        }
    }
}

/// How much of one kind one organization may have; 0 means no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Caps {
    /// At the same time.
    pub running: u32,
    /// Behind those.
    pub waiting: u32,
}

/// Most jobs that wait, of all organizations together.
pub const WAITING: u64 = 10_000;

/// The right to do one piece of work until a moment. The fence grows with every claim: a worker that slept through the
/// end of its lease cannot change what its successor does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lease {
    /// What kind of work.
    pub kind: WorkKind,
    /// Whose.
    pub organization: String,
    /// The record's id.
    pub id: String,
    /// Which claim this is.
    pub fence: u64,
}

/// Work that a worker has taken.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// The right to do it.
    pub lease: Lease,
    /// What it is.
    pub work: WorkItem,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub enum WorkItem {
    /// Export a project's source.
    Export(Box<ExportJob>),
    /// Build a site and show it.
    Deployment(Box<DeploymentRecord>, Box<DeployTarget>),
    /// Run the agent.
    Agent(Box<AgentJob>),
}

impl WorkItem {
    /// The trace of the request that has started it.
    pub(crate) fn trace(&self) -> Option<&str> {
        match self {
            Self::Export(job) => job.trace.as_deref(),
            Self::Deployment(deployment, _) => deployment.trace.as_deref(),
            Self::Agent(job) => job.trace.as_deref(),
        }
    }
}

/// What a worker says on its way.
#[derive(Clone, Debug, Default)]
pub struct WorkReport {
    /// 0–99.
    pub progress: u8,
    /// Pages exported so far.
    pub pages: u64,
    /// The commit that is exported.
    pub commit: Option<DeployedCommit>,
}

/// How work ended.
#[derive(Clone, Debug)]
pub enum WorkOutcome {
    /// The export has a bundle, or not.
    Export(Box<Result<Exported, Unexported>>),
    /// The target has a new site, or not.
    Deployment(Box<Result<Deployed, Undeployed>>),
    /// The agent is done, perhaps with a pull request, or has failed.
    Agent(Result<Option<String>, String>),
}

/// A finished export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// The bundle.
    pub archive: ArchiveRecord,
    /// Its pages.
    pub pages: u64,
    /// Its version label.
    pub version: String,
    /// What is to be kept of how it went.
    pub log: ExportLog,
}

/// A failed export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unexported {
    /// The cause.
    pub cause: String,
    /// What is to be kept of how it went.
    pub log: ExportLog,
}

impl Unexported {
    /// A failure of which nothing but its cause is known.
    pub fn of(cause: impl Into<String>) -> Self {
        Self { cause: cause.into(), log: ExportLog::default() }
    }
}

/// A finished deployment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deployed {
    /// The site.
    pub archive: ArchiveRecord,
    /// One line.
    pub summary: String,
    /// The whole log.
    pub logs: Vec<String>,
    /// What it was built from.
    pub commit: Option<DeployedCommit>,
}

/// A failed deployment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undeployed {
    /// The cause, one line.
    pub summary: String,
    /// The whole log.
    pub logs: Vec<String>,
    /// What was to be built, if it was found.
    pub commit: Option<DeployedCommit>,
    /// The branch is no longer there: its preview goes too.
    pub branch_gone: bool,
}

/// Why a worker gives work back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Release {
    /// The worker stops, or is needed elsewhere; the work is as good as before.
    Stopped,
    /// The process that did the work died, like this; see [`CRASHES`].
    Crashed(String),
    /// There is no room for it, or no storage for what it makes, and that is said like this: it is tried again later; see
    /// [`DELAYS`].
    Delayed(String),
}

/// Work that found no room or no storage this often has failed: at a minute between two tries, that is a day.
pub const DELAYS: u32 = 1_440;
/// Longest time between two tries.
const MAX_DELAY_SECONDS: u64 = 60;

/// Why work waits, for people: how often it was tried, when it is tried next, and when it is given up.
pub(super) fn waiting_in_words(cause: &str, delays: u32) -> String {
    let seconds = delay(delays).as_secs();
    format!("waits: {cause}; tried {delays} of {DELAYS} times, the next time in {seconds} s")
}

/// How long work waits that has found no room so often.
pub(super) fn delay(delays: u32) -> std::time::Duration {
    std::time::Duration::from_secs(1_u64.checked_shl(delays).unwrap_or(u64::MAX).min(MAX_DELAY_SECONDS))
}

/// Work that killed its process, or let its lease run out, this often has failed.
pub const CRASHES: u32 = 2;
/// Work that was running this often when the whole service died has failed. So many that it is no coincidence: work
/// that restarts a service again and again loses no work, and work that takes the whole machine down ends.
pub const INTERRUPTIONS: u32 = 100;

/// How long an archive that is being removed cannot be referred to. Who removes it must be done in half of that.
pub const TOMBSTONE_TIME: std::time::Duration = std::time::Duration::from_secs(600);

/// How much there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StoreCounts {
    /// Jobs that wait.
    pub waiting: u64,
    /// Jobs that run.
    pub running: u64,
}

/// What to delete, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retention {
    /// Bundles are kept this long.
    pub bundles: std::time::Duration,
    /// And this many of each domain, whatever their age.
    pub keep_last: usize,
}

/// What a sweep did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Swept {
    /// Archives that a record has ceased to name; another one may still.
    pub archives: Vec<String>,
    /// There is more to do.
    pub more: bool,
}

/// A moment before which records are deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Horizon {
    /// By the wall clock.
    pub now: Time,
    /// Ended records go after this long.
    pub records: std::time::Duration,
    /// Agent jobs that ended are put away after this long.
    pub agents: std::time::Duration,
}
