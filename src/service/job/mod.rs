//! What the service does on its own time: exports, deployments and runs of the agent, one after the other and
//! organization by organization.
//!
//! 1. [`Service`] accepts (`accept`): the ledger keeps a record and gives it a place in the queue.
//! 2. `worker` takes the next piece of work under a lease, renews it, and ends it; what kills its process is
//!    tried once more. An organization that has nothing running does not wait for long work of others.
//! 3. `build` has a source exported by a child process ([`child`]) and keeps the archive; `agent` runs the operator's
//!    command, watched by `keeper`.
//! 4. `upkeep` deletes what is past retention; `node` says that this process lives.
//!
//! Invariants: nothing that comes from a tenant is read in this process, only by children. What is accepted ends,
//! whatever dies between.

mod accept;
mod agent;
mod build;
pub mod child;
pub mod keeper;
mod node;
mod paths;
mod priority;
mod process;
mod run;
mod space;
mod storage;
mod upkeep;
mod worker;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, Notify, watch};
use tokio::task::JoinSet;

use crate::store::objects::Objects;
use crate::store::{Lane, Ledger, Retention, StoreClock, Time};
use bundle::sign::Signer;
use bundle::{BundleDeployment, ManifestFeatures};

use build::{ChildProcess, Exporter};
use space::Space;
use storage::ArchiveStorage;
use worker::WorkerRole;

pub use space::DiskSpace;

/// How much one organization may have (contract, section 6); 0 means no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueueLimits {
    /// Exports that run at the same time; deployments and runs of the agent have as many of their own.
    pub running: u32,
    /// Those that wait behind them.
    pub queued: u32,
}

/// How the service works; fixed while it runs.
#[derive(Clone, Debug)]
pub struct JobSettings {
    /// Children at the same time; 0 means one for each core. There may be two more, one for each organization that has
    /// none running.
    pub workers: usize,
    /// What a short job takes at most; [`SHORT_JOB`] if nothing speaks against it. Longer ones make room on the worker
    /// beside the others.
    pub short_job: Duration,
    /// How much of the machine a child may have; its `seconds` are the longest time of an export or deployment.
    pub child: child::MachineLimits,
    /// The agent; `None`: there is none.
    pub agent: Option<AgentSettings>,
    /// A folder for temporary files, of this process alone: it is emptied at the start.
    pub scratch: PathBuf,
    /// Signs bundles; `None`: they are not signed.
    pub signer: Option<Arc<Signer>>,
    /// How long work may be silent before another worker takes it; [`LEASE`] if nothing speaks against it.
    pub lease: Duration,
}

/// How long a lease lasts before another worker takes the work. A worker renews it three times within.
pub const LEASE: Duration = Duration::from_secs(12);
/// What a short job takes at most.
pub const SHORT_JOB: Duration = Duration::from_secs(5);
/// Children beside those of the workers, for organizations that have none running.
const RELIEFS: usize = 2;
/// Runs of the agent at the same time: they wait for other services, so more than there are cores.
const AGENT_RUNS: usize = 8;

/// The operator's agent (contract, section 8).
#[derive(Clone, Debug)]
pub struct AgentSettings {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// This program, which ends the agent when the service has ended ([`keeper`]); `None`: it is not ended.
    pub keeper: Option<PathBuf>,
    /// Where it finds other programs; all that it sees of the environment.
    pub path: Option<OsString>,
    /// The model that jobs name.
    pub model: String,
    /// Longest time of one run; zero means no limit.
    pub time: Duration,
    /// Jobs that ended are put away after this long.
    pub archive_after: Duration,
}

/// What the service reads from the configuration, when it needs it: projects may change while work waits.
pub trait Projects: Send + Sync {
    /// A project of an organization.
    fn project(&self, organization: &str, project: &str) -> Option<ExportProject>;
    /// How long an organization's bundles are kept.
    fn retention(&self, organization: &str) -> Retention;
}

/// What is exported of a project.
#[derive(Clone, Debug)]
pub struct ExportProject {
    /// Its domain.
    pub domain: String,
    /// Where its files come from; of a repository, the branch of production.
    pub source: child::JobSource,
    /// Where bundles are going to be served.
    pub deployment: BundleDeployment,
    /// User groups whose restricted pages bundles have.
    pub groups: Vec<String>,
    /// What bundles have.
    pub features: ManifestFeatures,
    /// Address of a search service.
    pub search: Option<String>,
    /// Address of an assistant.
    pub assistant: Option<String>,
    /// Whether large PNG files are recompressed.
    pub optimize_png: bool,
    /// The documentation tool whose repository the source is; `None`: its files say which.
    pub from: Option<&'static str>,
    /// Servers with a private address that its source may be fetched from.
    pub allow_private: Vec<String>,
}

/// A request for a preview.
#[derive(Clone, Debug)]
pub struct PreviewRequest {
    /// Whose.
    pub organization: String,
    /// Of which project.
    pub project: String,
    /// The branch; the address says nothing of it.
    pub branch: String,
    /// The label of its host name.
    pub label: String,
    /// Its address.
    pub url: String,
}

/// Accepts work, does it, and reports its status. Cheap to clone.
#[derive(Clone)]
pub struct Service(Arc<ServiceShared>);

/// What all parts of the service know.
struct ServiceShared {
    ledger: Ledger,
    storage: ArchiveStorage,
    projects: Arc<dyn Projects>,
    settings: JobSettings,
    exporter: Box<dyn Exporter>,
    clock: StoreClock,
    space: Space,
    /// The last build that ended has found no room: nothing is begun before there is some.
    is_full: AtomicBool,
    /// Work has come.
    build: Notify,
    agent: Notify,
    relief: Notify,
    /// Regular workers for builds, and those of them that work.
    workers: usize,
    busy: AtomicUsize,
    /// Held by the relief that gives way to other work, until it has ended its own.
    gives_way: Mutex<()>,
}

impl Service {
    /// A service that exports with child processes. Nothing is done before [`Service::run`].
    pub fn new(ledger: Ledger, objects: Objects, projects: Arc<dyn Projects>, settings: JobSettings) -> Self {
        Self::with_exporter(ledger, objects, projects, settings, Box::new(ChildProcess))
    }

    fn with_exporter(
        ledger: Ledger,
        objects: Objects,
        projects: Arc<dyn Projects>,
        settings: JobSettings,
        exporter: Box<dyn Exporter>,
    ) -> Self {
        let clock = ledger.clock();
        let space = Space::of(settings.scratch.clone());
        let cores = || std::thread::available_parallelism().map_or(2, usize::from);
        let workers = if settings.workers == 0 { cores() } else { settings.workers };
        Self(Arc::new(ServiceShared {
            ledger,
            storage: ArchiveStorage::of(objects),
            projects,
            settings,
            exporter,
            clock,
            space,
            is_full: AtomicBool::new(false),
            build: Notify::new(),
            agent: Notify::new(),
            relief: Notify::new(),
            workers,
            busy: AtomicUsize::new(0),
            gives_way: Mutex::new(()),
        }))
    }

    /// The ledger, for what concerns it alone: records, answers given once, windows. Its time is [`Service::now`].
    pub fn ledger(&self) -> &Ledger {
        &self.0.ledger
    }

    /// Where finished archives are.
    pub fn objects(&self) -> &Objects {
        self.0.storage.objects()
    }

    /// How full the disk of its data is, if the system reports it.
    pub fn disk(&self) -> Option<DiskSpace> {
        self.0.space.disk()
    }

    /// The time of leases and windows.
    pub fn now(&self) -> Time {
        self.0.clock.now()
    }

    /// Works until `stop` is ready; then running work goes back to the queue.
    ///
    /// # Errors
    /// The folder for temporary files cannot be made.
    pub async fn run(&self, stop: impl Future<Output = ()>) -> std::io::Result<()> {
        let shared = &self.0;
        upkeep::empty(&shared.settings.scratch).await?;
        let (stopper, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        // before anything is taken: work of a process that is not known to live counts as interrupted
        let _ = node::beat(shared).await;
        tasks.spawn(node::keep_alive(Arc::clone(shared), stopped.clone()));
        for lane in [Lane::Build, Lane::Agent] {
            tasks.spawn(worker::wake(Arc::clone(shared), lane, stopped.clone()));
        }
        for _ in 0..shared.workers {
            tasks.spawn(worker::run_worker(Arc::clone(shared), WorkerRole::Regular(Lane::Build), stopped.clone()));
        }
        for _ in 0..RELIEFS.min(shared.workers) {
            tasks.spawn(worker::run_worker(Arc::clone(shared), WorkerRole::Relief, stopped.clone()));
        }
        // jobs of an agent that is no longer configured must end, too
        for _ in 0..AGENT_RUNS {
            tasks.spawn(worker::run_worker(Arc::clone(shared), WorkerRole::Regular(Lane::Agent), stopped.clone()));
        }
        tasks.spawn(upkeep::run_upkeep(Arc::clone(shared), stopped));
        stop.await;
        // there are receivers: the tasks have them
        let _ = stopper.send(true);
        while tasks.join_next().await.is_some() {}
        Ok(())
    }
}

/// A regular worker that works; it is free again when this is dropped.
struct Busy<'a>(&'a AtomicUsize);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ServiceShared {
    /// Counts a regular worker for builds as busy; others are not counted.
    fn begin_work(&self, role: WorkerRole) -> Option<Busy<'_>> {
        (role == WorkerRole::Regular(Lane::Build)).then(|| {
            self.busy.fetch_add(1, Ordering::Relaxed);
            Busy(&self.busy)
        })
    }

    /// Whether a regular worker for builds is free.
    fn has_free_worker(&self) -> bool {
        self.busy.load(Ordering::Relaxed) < self.workers
    }

    /// Whether builds may begin, as there is a place for what they make: what has begun does not wait, and is tried
    /// again.
    async fn may_begin(self: &Arc<Self>) -> bool {
        if self.storage.check().await.is_err() {
            return false;
        }
        if !self.is_full.load(Ordering::Relaxed) {
            return true;
        }
        let shared = Arc::clone(self);
        let tried = tokio::task::spawn_blocking(move || shared.space.try_to_write());
        let has_room = matches!(tried.await, Ok(Ok(())));
        if has_room {
            self.is_full.store(false, Ordering::Relaxed);
        }
        has_room
    }

    /// Wakes a worker of a lane.
    fn wake(&self, lane: Lane) {
        match lane {
            Lane::Build => {
                self.build.notify_one();
                self.relief.notify_one();
            }
            Lane::Agent => self.agent.notify_one(),
        }
    }
}
