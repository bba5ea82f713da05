//! A worker: takes work under a lease, renews it, ends it. What it does is a future beside that; when the
//! lease is lost, the work is called off.
//!
//! Workers beyond those of the settings, the reliefs, work only when all others do, and only for organizations that
//! have nothing running: long work of others does not make their first job wait. What turns out to be long there goes
//! back to the queue as soon as the next such organization waits, from one relief at a time.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::{MutexGuard, Notify, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::build::{RETRY_DELAY, STORE_PATIENCE};
use super::run::{Cancel, JobEnd, JobTurn};
use super::{ServiceShared, agent, build, priority};
use crate::store::{Claimed, Lane, Lease, Release, StoreError, WorkItem, WorkOutcome, WorkReport};
use base::traces::{JobOutcome, JobSpan, record_outcome};

/// Progress is written down at most this often.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);
/// A running job renews its lease at least this often (contract: 5 s), and three times in a lease.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(4);
/// How long a worker waits for work that it was not woken for.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How often the relief looks whether an organization waits for it.
const RELIEF_INTERVAL: Duration = Duration::from_millis(250);

/// Which work a worker takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkerRole {
    /// All of its lane.
    Regular(Lane),
    /// Builds of organizations that have none running, while the regular workers are busy.
    Relief,
}

impl WorkerRole {
    /// The work of the relief comes first: it is short, and others have more workers.
    const fn niceness(self) -> i32 {
        match self {
            Self::Regular(_) => priority::NICENESS,
            Self::Relief => 0,
        }
    }

    async fn claim(self, shared: &Arc<ServiceShared>) -> Result<Option<Claimed>, StoreError> {
        let (length, now) = (shared.settings.lease, shared.clock.now());
        match self {
            Self::Regular(Lane::Build) if !shared.may_begin().await => {
                shared.ledger.claim_begun(Lane::Build, length, now).await
            }
            Self::Regular(lane) => shared.ledger.claim(lane, length, now).await,
            Self::Relief if shared.has_free_worker() || !shared.may_begin().await => Ok(None),
            Self::Relief => shared.ledger.claim_relief(Lane::Build, length, now).await,
        }
    }

    /// Tells when work has come.
    fn notify(self, shared: &ServiceShared) -> &Notify {
        match self {
            Self::Regular(Lane::Build) => &shared.build,
            Self::Regular(Lane::Agent) => &shared.agent,
            Self::Relief => &shared.relief,
        }
    }
}

/// Wakes a worker whenever work has come into a lane, from this process or another one.
pub(super) async fn wake(shared: Arc<ServiceShared>, lane: Lane, mut stopped: watch::Receiver<bool>) {
    let mut watch = shared.ledger.watch_lane(lane);
    loop {
        tokio::select! {
            () = watch.changed() => shared.wake(lane),
            _ = stopped.wait_for(|stopped| *stopped) => return,
        }
    }
}

/// Works until it is stopped.
pub(super) async fn run_worker(shared: Arc<ServiceShared>, role: WorkerRole, mut stopped: watch::Receiver<bool>) {
    while !*stopped.borrow() {
        match role.claim(&shared).await {
            Ok(Some(claimed)) => {
                let _busy = shared.begin_work(role);
                // work was found, so there may be more: another worker is woken
                match role {
                    WorkerRole::Regular(lane) => shared.wake(lane),
                    WorkerRole::Relief => shared.relief.notify_one(),
                }
                let Lease { id, kind, organization, .. } = claimed.lease.clone();
                let span = JobSpan::begin(&id, kind.word(), &organization, claimed.work.trace());
                let working = span.run(work(&shared, role, claimed, stopped.clone()));
                // a defect costs one job: its lease runs out, and after a second time it has failed
                if AssertUnwindSafe(working).catch_unwind().await.is_err() {
                    tracing::error!(id, "a worker has a defect");
                }
            }
            Ok(None) => {
                tokio::select! {
                    () = role.notify(&shared).notified() => {}
                    () = sleep(POLL_INTERVAL) => {}
                    _ = stopped.wait_for(|stopped| *stopped) => {}
                }
            }
            Err(error) => {
                tracing::error!(%error, "no work can be taken");
                sleep(RETRY_DELAY).await;
            }
        }
    }
}

/// Does one piece of work.
async fn work(shared: &ServiceShared, role: WorkerRole, claimed: Claimed, stopped: watch::Receiver<bool>) {
    let Claimed { lease, work } = claimed;
    let began = Instant::now();
    let (canceler, canceled) = watch::channel(false);
    let (reporter, reported) = watch::channel(WorkReport::default());
    let cancel = Cancel(canceled);
    let turn = JobTurn { lease: lease.clone(), niceness: role.niceness() };
    let doing = async {
        match work {
            WorkItem::Export(job) => build::run_export_job(shared, &turn, *job, reporter, cancel).await,
            WorkItem::Deployment(deployment, target) => {
                build::deploy(shared, &turn, *deployment, *target, reporter, cancel).await
            }
            WorkItem::Agent(job) => agent::run_agent(shared, &turn.lease, *job, cancel).await,
        }
    };
    tokio::pin!(doing);
    let mut giving_way = None;
    let called_off = tokio::select! {
        ended = &mut doing => return record_work_end(shared, &lease, ended, began).await,
        why = hold_lease(shared, &lease, reported, stopped) => why,
        guard = needed_elsewhere(shared, role) => {
            giving_way = Some(guard);
            CalledOff::Stopped
        }
    };
    // there is a receiver: the work has it
    let _ = canceler.send(true);
    let ended = doing.await;
    match (called_off, ended) {
        (CalledOff::Lost, _) => {
            record_outcome(JobOutcome::Lost);
            tracing::info!(id = lease.id, "work is called off: its lease has ended");
        }
        // it was done just then
        (CalledOff::Stopped, JobEnd::Done(outcome)) if is_good(&outcome) => {
            record_work_end(shared, &lease, JobEnd::Done(outcome), began).await
        }
        (CalledOff::Stopped, _) => give_back(shared, &lease, Release::Stopped).await,
    }
    drop(giving_way);
}

/// Why work does not go on.
enum CalledOff {
    /// The lease has ended: the job was canceled, or another worker has it.
    Lost,
    /// The service stops, or the worker is needed elsewhere.
    Stopped,
}

/// Ready when a relief has worked on one job for longer than a short one takes, and another organization waits; the
/// other reliefs go on while it gives way.
async fn needed_elsewhere(shared: &ServiceShared, role: WorkerRole) -> MutexGuard<'_, ()> {
    if role != WorkerRole::Relief {
        return std::future::pending().await;
    }
    sleep(shared.settings.short_job).await;
    loop {
        if let Ok(guard) = shared.gives_way.try_lock()
            && !shared.has_free_worker()
            && matches!(shared.ledger.needs_relief(Lane::Build).await, Ok(true))
        {
            return guard;
        }
        sleep(RELIEF_INTERVAL).await;
    }
}

/// Renews the lease and reports progress, until the lease is lost or the service stops.
async fn hold_lease(
    shared: &ServiceShared,
    lease: &Lease,
    mut reported: watch::Receiver<WorkReport>,
    mut stopped: watch::Receiver<bool>,
) -> CalledOff {
    let length = shared.settings.lease;
    let heartbeat = HEARTBEAT_INTERVAL.min(length / 3);
    let mut watch = shared.ledger.watch(&lease.id);
    // a run of the agent has effects elsewhere: it ends before another process can take the job
    let patience = if lease.kind.lane() == Lane::Agent { length * 3 / 4 } else { length.max(STORE_PATIENCE) };
    let mut lives_until = Instant::now() + patience;
    let (mut next, mut earliest) = (Instant::now() + heartbeat, Instant::now());
    let mut tells = true;
    loop {
        tokio::select! {
            // what it gives is a guard of a lock, which no future may hold while it waits
            () = async { drop(stopped.wait_for(|stopped| *stopped).await) } => return CalledOff::Stopped,
            () = watch.changed() => {
                if matches!(shared.ledger.is_leased(lease).await, Ok(false)) {
                    return CalledOff::Lost;
                }
            }
            change = reported.changed(), if tells => match change {
                Ok(()) => next = next.min(earliest),
                Err(_) => tells = false,
            },
            () = sleep_until(next) => {
                let report = reported.borrow_and_update().clone();
                // the new lease begins somewhen after this
                let began = Instant::now();
                let renewing = shared.ledger.renew(lease, report, length, shared.clock.now());
                let Ok(renewed) = timeout_at(lives_until, renewing).await else { return CalledOff::Lost };
                match renewed {
                    Ok(()) => {
                        lives_until = began + patience;
                        next = Instant::now() + heartbeat;
                    }
                    Err(StoreError::Lost) => return CalledOff::Lost,
                    Err(error) => {
                        tracing::error!(id = lease.id, %error, "a lease cannot be renewed");
                        // as soon as the store works again, and before others see that the lease has ended
                        next = Instant::now() + heartbeat.min(RETRY_DELAY);
                    }
                }
                if Instant::now() > lives_until {
                    return CalledOff::Lost;
                }
                earliest = Instant::now() + REPORT_INTERVAL;
            }
        }
    }
}

/// Writes down how work ended.
async fn record_work_end(shared: &ServiceShared, lease: &Lease, ended: JobEnd, began: Instant) {
    let outcome = match ended {
        JobEnd::Done(outcome) => outcome,
        JobEnd::Crashed(cause) => {
            let (kind, organization) = (lease.kind.word(), &lease.organization);
            tracing::warn!(id = lease.id, kind, organization, claim = lease.fence, cause, "the process of a job died");
            return give_back(shared, lease, Release::Crashed(cause)).await;
        }
        JobEnd::Delayed(cause) => {
            shared.is_full.store(true, Ordering::Relaxed);
            let (kind, organization) = (lease.kind.word(), &lease.organization);
            tracing::warn!(id = lease.id, kind, organization, cause, "a job has no room on the disk: it waits");
            return give_back(shared, lease, Release::Delayed(cause)).await;
        }
        JobEnd::Unkept(cause) => {
            let (kind, organization) = (lease.kind.word(), &lease.organization);
            tracing::warn!(id = lease.id, kind, organization, cause, "a job waits for the storage of archives");
            return give_back(shared, lease, Release::Delayed(cause)).await;
        }
        JobEnd::CalledOff => return give_back(shared, lease, Release::Stopped).await,
    };
    let kind = lease.kind.word();
    let result = if is_good(&outcome) { JobOutcome::Success } else { JobOutcome::Failure };
    if lease.kind.lane() == Lane::Build && result == JobOutcome::Success {
        shared.is_full.store(false, Ordering::Relaxed);
    }
    let seconds = began.elapsed();
    // counted once it is written: a job has one end, however often it was run
    if let Err(error) = write_end(shared, lease, outcome).await {
        record_outcome(JobOutcome::Lost);
        let (id, claim) = (&lease.id, lease.fence);
        tracing::warn!(id, kind, claim, %error, "the result of a job is discarded: it was canceled, or is done again");
        return;
    }
    record_outcome(result);
    let (result, claim) = (result.word(), lease.fence);
    metrics::counter!("offprint_jobs_total", "kind" => kind, "result" => result).increment(1);
    metrics::histogram!("offprint_job_seconds", "kind" => kind).record(seconds);
    tracing::info!(id = lease.id, kind, claim, result, seconds = seconds.as_secs_f32(), "a job has ended");
}

/// Writes down an end, as often as it takes until the store has answered. Only the claim that is current can: the store
/// compares it in the same transaction.
async fn write_end(shared: &ServiceShared, lease: &Lease, outcome: WorkOutcome) -> Result<(), StoreError> {
    let until = Instant::now() + STORE_PATIENCE;
    loop {
        match shared.ledger.finish(lease, outcome.clone()).await {
            Err(StoreError::Unavailable(error)) if Instant::now() < until => {
                tracing::error!(id = lease.id, %error, "the end of a job cannot be written");
                sleep(RETRY_DELAY).await;
            }
            written => return written,
        }
    }
}

fn is_good(outcome: &WorkOutcome) -> bool {
    match outcome {
        WorkOutcome::Export(outcome) => outcome.is_ok(),
        WorkOutcome::Deployment(outcome) => outcome.is_ok(),
        WorkOutcome::Agent(outcome) => outcome.is_ok(),
    }
}

async fn give_back(shared: &ServiceShared, lease: &Lease, why: Release) {
    record_outcome(match &why {
        Release::Stopped => JobOutcome::Stopped,
        Release::Crashed(_) => JobOutcome::Crashed,
        Release::Delayed(_) => JobOutcome::Delayed,
    });
    if let Err(error) = shared.ledger.release(lease, why, shared.clock.now()).await {
        tracing::info!(id = lease.id, %error, "work is not given back");
    }
}
