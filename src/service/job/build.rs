//! Exports and deployments: a child makes the archive, the storage keeps it under its digest.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::child::{self, Built, Cause, ChildProgress, ExportFailure, JobSource, LOG_LINES};
use super::paths::Paths;
use super::run::{Cancel, JobEnd, JobTurn, clear};
use super::{ExportProject, ServiceShared};
use crate::store::work::{Deployed, Exported, Undeployed, Unexported};
use crate::store::{
    ArchiveRecord, DeployTarget, DeployedCommit, DeploymentRecord, ExportJob, ExportLog, Lease, PathsChanged,
    StoreError, Time, WorkOutcome, WorkReport, objects,
};
use base::digest;
use base::hex::to_hex;
use base::traces::Stages;
use bundle::{ManifestFeatures, seal};

/// How long a worker waits for a store that does not work.
pub(super) const RETRY_DELAY: Duration = Duration::from_millis(500);
/// How long it goes on without the store: no other process can take its work either, unless only this one is cut off,
/// and then the fence keeps what is done twice from being kept twice. A run of the agent has effects elsewhere, and
/// ends with its lease.
pub(super) const STORE_PATIENCE: Duration = Duration::from_secs(90);
/// Between two tries to keep an archive whose last copy is just being removed.
const REMOVAL_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Longest time of a job where there is no limit, seconds: ten years.
const UNLIMITED_SECONDS: u64 = 315_360_000;

/// Reports the progress of an export.
pub(super) type TellProgress = Box<dyn Fn(ChildProgress) + Send + Sync>;

/// What exports: child processes, but for tests of the queue.
pub(super) trait Exporter: Send + Sync {
    /// Exports once.
    fn export(
        &self,
        work: child::ChildWork,
        limits: child::MachineLimits,
        tell: TellProgress,
        cancel: Cancel,
    ) -> BoxFuture<'_, Result<Built, ExportFailure>>;
}

/// One child process for each export.
pub(super) struct ChildProcess;

impl Exporter for ChildProcess {
    fn export(
        &self,
        work: child::ChildWork,
        limits: child::MachineLimits,
        tell: TellProgress,
        cancel: Cancel,
    ) -> BoxFuture<'_, Result<Built, ExportFailure>> {
        Box::pin(async move { child::run_child(&work, &limits, tell, cancel.canceled()).await })
    }
}

/// Why there is no archive: the work has failed, with what had been found of its source, or shall be tried again.
enum BuildTrouble {
    Failed(ExportFailure, Option<DeployedCommit>),
    Again(JobEnd),
}

/// What a child has said of its repository.
#[derive(Default)]
struct Heard {
    commit: Option<DeployedCommit>,
    /// Branches that are no longer there.
    gone: Vec<String>,
}

impl Heard {
    fn note(&mut self, progress: &ChildProgress) {
        match progress {
            ChildProgress::Source { commit, .. } => self.commit = commit.clone().map(commit_of),
            ChildProgress::Gone(branches) => self.gone.clone_from(branches),
            ChildProgress::Stage(_) | ChildProgress::Pages { .. } => {}
        }
    }
}

/// Does an export job.
pub(super) async fn run_export_job(
    shared: &ServiceShared,
    turn: &JobTurn,
    job: ExportJob,
    reporter: watch::Sender<WorkReport>,
    cancel: Cancel,
) -> JobEnd {
    let Some(project) = shared.projects.project(&job.organization, &job.project) else {
        return JobEnd::Done(unexported(Unexported::of("the project is no longer configured")));
    };
    let ExportJob { project: name, domain, version, paths, features, .. } = job;
    let what = ExportScope { project: name, domain, version, paths, features };
    match build_archive(shared, turn, project, what, reporter, cancel).await {
        Ok((built, archive)) => {
            let Built { pages, version, logs: lines, findings, commit, signed_by, .. } = built;
            let log = ExportLog { lines, findings, commit: commit.map(commit_of), signed_by };
            JobEnd::Done(WorkOutcome::Export(Box::new(Ok(Exported { archive, pages, version, log }))))
        }
        Err(BuildTrouble::Failed(failure, commit)) => {
            let log = ExportLog { lines: failure.logs, commit, ..ExportLog::default() };
            JobEnd::Done(unexported(Unexported { cause: failure.message, log }))
        }
        Err(BuildTrouble::Again(ended)) => ended,
    }
}

fn unexported(failed: Unexported) -> WorkOutcome {
    WorkOutcome::Export(Box::new(Err(failed)))
}

/// Does a deployment.
pub(super) async fn deploy(
    shared: &ServiceShared,
    turn: &JobTurn,
    deployment: DeploymentRecord,
    target: DeployTarget,
    reporter: watch::Sender<WorkReport>,
    cancel: Cancel,
) -> JobEnd {
    let failed = |summary: &str, logs: Vec<String>, commit, branch_gone| {
        let undeployed = Undeployed { summary: job_one_line(summary), logs, commit, branch_gone };
        JobEnd::Done(WorkOutcome::Deployment(Box::new(Err(undeployed))))
    };
    let Some(mut project) = shared.projects.project(&deployment.organization, &deployment.project) else {
        return failed("the project is no longer configured", Vec::new(), None, false);
    };
    match (&mut project.source, &deployment.branch) {
        (JobSource::Git { branch, since, .. }, requested) => {
            if requested.is_some() {
                branch.clone_from(requested);
            }
            *since = target.live.and_then(|live| live.commit).map(|commit| commit.sha);
        }
        (_, Some(_)) => return failed("the project's source is no Git repository any more", Vec::new(), None, false),
        (_, None) => {}
    }
    let what = ExportScope {
        project: deployment.project,
        domain: project.domain.clone(),
        version: None,
        paths: Vec::new(),
        features: None,
    };
    match build_archive(shared, turn, project, what, reporter, cancel).await {
        Ok((built, archive)) => {
            let summary = format!("{} pages", built.pages);
            let deployed = Deployed { archive, summary, logs: built.logs, commit: built.commit.map(commit_of) };
            JobEnd::Done(WorkOutcome::Deployment(Box::new(Ok(deployed))))
        }
        Err(BuildTrouble::Failed(failure, commit)) => {
            let branch_gone = failure.cause == Cause::NoBranch && deployment.branch.is_some();
            failed(&failure.message, failure.logs, commit, branch_gone)
        }
        Err(BuildTrouble::Again(ended)) => ended,
    }
}

/// What to export of a project.
struct ExportScope {
    project: String,
    domain: String,
    version: Option<String>,
    paths: Vec<String>,
    /// What the bundle has; `None`: what bundles of the project have.
    features: Option<ManifestFeatures>,
}

/// Has an archive made and kept, in a folder that is gone in the end.
async fn build_archive(
    shared: &ServiceShared,
    turn: &JobTurn,
    mut project: ExportProject,
    what: ExportScope,
    reporter: watch::Sender<WorkReport>,
    cancel: Cancel,
) -> Result<(Built, ArchiveRecord), BuildTrouble> {
    let lease = &turn.lease;
    // what cannot be kept need not be made
    shared.storage.check().await.map_err(|cause| BuildTrouble::Again(JobEnd::Unkept(cause)))?;
    let folder = shared.settings.scratch.join(format!("{}-{}", lease.id, lease.fence));
    let previews = other_previews(shared, lease, &what.project, &mut project.source).await;
    let features = what.features.unwrap_or(project.features);
    let work = child::ChildWork {
        source: project.source,
        folder: folder.clone(),
        domain: Some(what.domain),
        version: what.version,
        paths: what.paths,
        groups: project.groups,
        deployment: project.deployment,
        features,
        optimize_png: project.optimize_png,
        from: project.from.map(str::to_owned),
        search: project.search.filter(|_| features.search),
        assistant: project.assistant.filter(|_| features.assistant),
        allow_private: project.allow_private,
    };
    let heard = Arc::new(Mutex::new(Heard::default()));
    let listener = Arc::clone(&heard);
    let stages = Stages::of_job();
    let tell: TellProgress = Box::new(move |progress| {
        if let ChildProgress::Stage(name) = &progress {
            stages.begin(name);
        }
        listener.lock().unwrap_or_else(PoisonError::into_inner).note(&progress);
        note(&reporter, progress);
    });
    let paths = Paths::of(&work);
    let limits = child::MachineLimits { niceness: turn.niceness, ..limits(&shared.settings.child) };
    let exported = shared.exporter.export(work, limits, tell, cancel.clone()).await;
    let cause = exported.as_ref().map_or_else(|failure| failure.cause.word(), |_| "done");
    metrics::counter!("offprint_child_ends_total", "cause" => cause).increment(1);
    let Heard { commit, gone } = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
    remove_gone(shared, previews, &gone).await;
    if let (Err(failure), Some(commit)) = (&exported, &commit)
        && matches!(failure.cause, Cause::Crash | Cause::Full | Cause::System)
    {
        // whether the lease is still valid is checked when the work is released
        let report = WorkReport { commit: Some(commit.clone()), ..WorkReport::default() };
        let _ = shared.ledger.renew(lease, report, shared.settings.lease, shared.clock.now()).await;
    }
    let stored = match exported {
        Ok(built) => match signed(shared, built).await {
            Ok(built) => {
                let kept = tokio::select! {
                    // a storage that does not answer does not keep the service from stopping
                    biased;
                    () = cancel.canceled() => Err(BuildTrouble::Again(JobEnd::CalledOff)),
                    kept = keep_archive(shared, lease, &built) => kept,
                };
                kept.map(|archive| (built, archive))
            }
            Err(why) => Err(BuildTrouble::Again(JobEnd::Crashed(format!("the bundle cannot be signed: {why}")))),
        },
        Err(failure) => Err(trouble(failure, commit, lease, &paths)),
    };
    clear(&folder).await;
    stored
}

/// The other previews of a project, whose branches the child checks for when it fetches anyway.
async fn other_previews(
    shared: &ServiceShared,
    lease: &Lease,
    project: &str,
    source: &mut JobSource,
) -> Vec<DeployTarget> {
    let JobSource::Git { shown, .. } = source else { return Vec::new() };
    // without them this work goes on as well
    let previews = shared.ledger.previews(&lease.organization, project).await.unwrap_or_default();
    *shown = previews.iter().filter_map(|preview| preview.branch.clone()).collect();
    previews
}

/// A preview goes with its branch (contract, E-PRV-10).
async fn remove_gone(shared: &ServiceShared, mut previews: Vec<DeployTarget>, gone: &[String]) {
    previews.retain(|preview| preview.branch.as_ref().is_some_and(|branch| gone.contains(branch)));
    if previews.is_empty() {
        return;
    }
    tracing::info!(previews = previews.len(), "previews go with their branches");
    if let Err(error) = shared.ledger.remove_previews(previews).await {
        tracing::warn!(%error, "previews whose branches are gone cannot be removed");
    }
}

/// What a failure means; the log has it is, others without what they need not know.
fn trouble(failure: ExportFailure, commit: Option<DeployedCommit>, lease: &Lease, paths: &Paths) -> BuildTrouble {
    let message = paths.hide(&failure.message);
    if message != failure.message {
        tracing::warn!(id = lease.id, why = failure.message, "an export has failed");
    }
    match failure.cause {
        Cause::Canceled => BuildTrouble::Again(JobEnd::CalledOff),
        // a child may only say so: its work then waits, and has failed after a day
        Cause::Full => BuildTrouble::Again(JobEnd::Delayed(message)),
        Cause::Crash | Cause::System => BuildTrouble::Again(JobEnd::Crashed(message)),
        Cause::Content | Cause::NoBranch | Cause::Source | Cause::Limit => {
            let mut logs = failure.logs;
            logs.truncate(LOG_LINES - 1);
            logs.push(format!("{} failed: {message}", Time::now()));
            BuildTrouble::Failed(ExportFailure { message, logs, ..failure }, commit)
        }
    }
}

/// The limits of a child: no time limit is a very long one, and the limit of processor time grows with it.
fn limits(set: &child::MachineLimits) -> child::MachineLimits {
    let seconds = if set.seconds == 0 { UNLIMITED_SECONDS } else { set.seconds };
    child::MachineLimits { seconds, cpu_seconds: set.cpu_seconds.max(seconds.saturating_mul(2)), ..set.clone() }
}

/// Signs a bundle, if the service has a key. The exporter never has it: a source may have taken it over.
async fn signed(shared: &ServiceShared, mut built: Built) -> Result<Built, String> {
    let Some(signer) = shared.settings.signer.clone() else { return Ok(built) };
    let archive = built.archive.clone();
    let signing = tokio::task::spawn_blocking(move || {
        seal::seal_archive(&archive, &signer)?;
        let file = std::fs::File::open(&archive).and_then(|file| file.sync_all().map(|()| file));
        let counted = file.and_then(digest::sha256).map_err(|error| error.to_string())?;
        Ok::<_, String>((counted, signer.public_key().id()))
    });
    let ((sha256, size), key) = signing.await.map_err(|error| error.to_string())??;
    (built.sha256, built.size, built.signed_by) = (to_hex(&sha256), size, Some(key));
    Ok(built)
}

/// Keeps an archive under its digest. It is named before it is put, so that it is not removed as a stray.
async fn keep_archive(shared: &ServiceShared, lease: &Lease, built: &Built) -> Result<ArchiveRecord, BuildTrouble> {
    let until = Instant::now() + STORE_PATIENCE;
    let storage_failure = |error: &dyn std::fmt::Display| format!("the archive cannot be kept: {error}");
    loop {
        match shared.ledger.hold(lease, &built.sha256, shared.clock.now()).await {
            Ok(true) => break,
            Ok(false) => sleep(REMOVAL_RETRY_DELAY).await,
            Err(StoreError::Lost) => return Err(BuildTrouble::Again(JobEnd::CalledOff)),
            Err(StoreError::Unavailable(_)) if shared.ledger.is_shared() && Instant::now() < until => {
                sleep(RETRY_DELAY).await
            }
            // the disk, in most cases: the archive is made again
            Err(error @ StoreError::Unavailable(_)) => {
                return Err(BuildTrouble::Again(JobEnd::Delayed(error.to_string())));
            }
            Err(error) => return Err(BuildTrouble::Again(JobEnd::Crashed(storage_failure(&error)))),
        }
    }
    shared.storage.put(&built.sha256, &built.archive).await.map_err(|error| {
        BuildTrouble::Again(match error {
            objects::ObjectError::Full => JobEnd::Delayed(storage_failure(&error)),
            objects::ObjectError::Key(_) => JobEnd::Crashed(storage_failure(&error)),
            // it works again some time, as a disk has room again
            error => JobEnd::Unkept(error.to_string()),
        })
    })?;
    Ok(ArchiveRecord { key: built.sha256.clone(), sha256: built.sha256.clone(), size: built.size })
}

/// Notes how far a child is. The source is 5 % of the way, the pages bring it to 90.
fn note(reporter: &watch::Sender<WorkReport>, progress: ChildProgress) {
    reporter.send_modify(|report| match progress {
        ChildProgress::Stage(_) | ChildProgress::Gone(_) => {}
        ChildProgress::Source { commit, .. } => {
            report.progress = report.progress.max(5);
            report.commit = commit.map(commit_of);
        }
        ChildProgress::Pages { done, total } => {
            let share = done.min(total) * 85 / total.max(1);
            report.progress = report.progress.max(u8::try_from(5 + share).unwrap_or(90));
            report.pages = report.pages.max(done);
        }
    });
}

fn commit_of(commit: child::CommitRecord) -> DeployedCommit {
    let files = commit.files_changed;
    DeployedCommit {
        sha: commit.sha,
        reference: commit.reference,
        message: commit.message,
        files_changed: PathsChanged { added: files.added, modified: files.modified, removed: files.removed },
    }
}

fn job_one_line(text: &str) -> String {
    text.lines().next().filter(|line| !line.is_empty()).unwrap_or("the export failed").to_owned()
}
