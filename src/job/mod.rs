//! What the service does on its own time: exports, deployments and runs of the agent, one after the other and organisation by organisation.
//!
//! 1. [`Service`] accepts: it makes a record, and the store keeps it and gives it a place in the queue.
//! 2. `worker` takes the next piece of work under a lease, says that it lives, and ends it; what kills its process is tried once more.
//! 3. `build` has a source exported by a child process (`child`) and keeps the archive; `agent` runs the operator's command.
//! 4. `upkeep` forgets what is past retention.
//!
//! Invariants: nothing that comes from a tenant is read in this process, only by children. What is accepted ends, whatever dies between.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::bundle::{Deployment as DeploymentType, Features};
use crate::store::{self, Caps, ExportJob, Filter, Page, Remember, Retention, Store, Target, Watch};
use crate::store::objects::Objects;

/// How much one organisation may have (contract, section 6); 0 means no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Exports that run at the same time; deployments and runs of the agent have as many of their own.
    pub running: u32,
    /// Those that wait behind them.
    pub queued: u32,
}

/// How the service works; fixed while it runs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Children at the same time; 0 means one for each core.
    pub workers: usize,
    /// Longest time of one export or deployment, zero means no limit.
    pub job_time: Duration,
    /// The agent; `None`: there is none.
    pub agent: Option<Agent>,
    /// A folder for temporary files, whose content is nobody else's: it is emptied at the start.
    pub scratch: PathBuf,
    /// How long work may be silent before another worker takes it.
    pub lease: Duration,
}

/// The operator's agent (contract, section 8).
#[derive(Clone, Debug)]
pub struct Agent {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The model that jobs name.
    pub model: String,
    /// Longest time of one run, zero means no limit.
    pub time: Duration,
    /// Jobs that ended are put away after this long.
    pub archive_after: Duration,
}

/// What the service asks of the configuration, at the moment when it needs it: projects may change while work waits.
pub trait Projects: Send + Sync {
    /// A project of an organisation.
    fn project(&self, organisation: &str, project: &str) -> Option<Project>;
    /// How long an organisation's bundles are kept.
    fn retention(&self, organisation: &str) -> Retention;
}

/// What is exported of a project.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its domain.
    pub domain: String,
    /// Where its files come from; of a repository, the branch of production.
    pub source: child::Source,
    /// Where bundles are going to be served.
    pub deployment: DeploymentType,
    /// What bundles may have.
    pub features: Features,
}

/// A preview that is asked for.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Whose.
    pub organisation: String,
    /// Of which project.
    pub project: String,
    /// The branch; the address says nothing of it.
    pub branch: String,
    /// The label of its host name.
    pub label: String,
    /// Its address.
    pub url: String,
}

/// Accepts work and tells how it stands. Cheap to clone.
#[derive(Clone)]
pub struct Service;

// Signatures; `Error` is `store::Error`. `now` is the service's own affair.
//
// impl Service {
//     pub fn new(store: Arc<dyn Store>, objects: Objects, projects: Arc<dyn Projects>, settings: Settings) -> Self;
//     pub fn store(&self) -> &Arc<dyn Store>;          // begin/remember/abandon/take/target/watch: used directly, with `service.now()`
//     pub fn now(&self) -> Time;                       // the clock that the store is asked with
//     pub async fn room(&self, organisation: &str, kind: Kind, limits: Limits) -> Result<(), Error>;     // step 6: QueueFull = 429, Saturated = 503
//     pub async fn start_export(&self, job: ExportJob, limits: Limits, remember: Option<Remember<ExportJob>>) -> Result<ExportJob, Error>;
//     pub async fn export(&self, organisation: &str, id: &str) -> Result<Option<ExportJob>, Error>;
//     pub async fn exports(&self, organisation: &str, filter: Filter) -> Result<Page, Error>;            // Absent = unknown cursor, 400
//     pub async fn cancel(&self, organisation: &str, id: &str) -> Result<ExportJob, Error>;              // Conflict = 409
//     pub async fn trigger_preview(&self, preview: Preview, limits: Limits, remember: Option<Remember<Deployment>>) -> Result<Deployment, Error>;
//     pub async fn update_production(&self, organisation: &str, project: &str, domain: &str, limits, remember) -> Result<Deployment, Error>;
//     pub async fn deployment(&self, organisation: &str, id: &str) -> Result<Option<Deployment>, Error>;
//     pub async fn target(&self, host: &str) -> Result<Option<Target>, Error>;                           // label or domain
//     pub async fn start_agent(&self, job: AgentJob, limits, remember: Option<Remember<AgentJob>>) -> Result<AgentJob, Error>;
//     pub async fn agent(&self, organisation: &str, project: &str, id: &str) -> Result<Option<AgentJob>, Error>;
//     pub async fn message_agent(&self, job: AgentRef<'_>, prompt: String, limits, remember) -> Result<AgentJob, Error>;
//     pub async fn archive_agent(&self, job: AgentRef<'_>, remember) -> Result<AgentJob, Error>;
//     pub async fn counts(&self) -> Result<Counts, Error>;
//     pub fn watch(&self, id: &str) -> Watch;
//     pub async fn run(&self, stop: impl Future<Output = ()>);   // works until `stop`; running jobs go back to the queue, then it returns
// }
