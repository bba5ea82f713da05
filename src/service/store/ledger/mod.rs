//! The rules of the store, once for every back end: each method is one transaction over rows.
//!
//! | Table | Key → value |
//! |---|---|
//! | `export`, `deployment`, `agent` | id → record |
//! | `event`, `delivery`, `delivery_due`, `delivery_list`, `webhook` | ends of work, and who is told of them (`events`) |
//! | `log` | id of an export → how it went |
//! | `target` | host → target |
//! | `builds`, `runs`, `shown` | deployments, agent jobs and previews of a project (`lists`) |
//! | `list`, `domain`, `kept` | organization (domain), newest first → id of an export; `kept` has those with a bundle |
//! | `due`, `idle` | time, (kind,) id: when to look whether a record can go; agent jobs that ended |
//! | `task` | kind, id → place in the queue, lease |
//! | `waiting` | kind, organization, order → id |
//! | `party` | organization, kind → how many run and wait, last turn |
//! | `ready` | lane, last turn, kind, organization: parties that may run one more |
//! | `until` | lane, end of lease, kind, id: running tasks with a worker |
//! | `again`, `later` | lane, order or time of the next try, kind, id: running tasks without one |
//! | `once`, `once_until` | idempotency key → answer; when it ends |
//! | `rate` | window → moments |
//! | `named`, `loose`, `grave` | archive (, record): its references; lost one; until when its tombstone stands (`archives`) |
//! | `node`, `secret`, `storage` | process → until when it lives; name → a secret of the service; whose archives are |
//! | `signed_out` | end, session of the console: those that were ended before |

mod agents;
mod archives;
mod deployments;
mod due;
mod events;
mod exports;
mod lease;
mod lists;
mod nodes;
mod once;
mod open;
mod queue;
mod rate;
mod result_slot;
mod secrets;
mod sessions;
mod sweep;
mod upgrade;

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use base::traces;

use super::event::{Attempt, Delivery, DeliveryFilter, Receiver, TryVerdict, WebhookState, WorkEvent};
use super::once::{Begun, OnceKey, Rate, Remember, StoredResponse};
use super::record::{AgentJob, DeployTarget, DeploymentRecord, ExportJob, ExportLog};
use super::rows::{Backend, RecordVersion, Reread, StoreRows, Transaction, Write};
use super::time::{StoreClock, Time};
use super::watch::{RecordWatch, Watches};
use super::work::{
    Caps, Claimed, Horizon, Lane, Lease, Release, StoreCounts, Swept, WorkKind, WorkOutcome, WorkReport,
};
use super::{AgentFilter, AgentRef, DeploymentFilter, ExportFilter, RecordPage, RetentionOf, Slice, StoreError};
use lease::{Claim, Claimant, Silence};
use result_slot::ResultSlot;
use sweep::SweepWalk;

/// The cause of canceled work (contract).
const CANCELED: &str = "canceled";

/// How long after a failure of the back end leases may have ended because of it: they could not be renewed.
const FAILURE_TIME: Duration = Duration::from_secs(60);

/// The records of the service, over a back end. `now` is the time of a [`StoreClock`](super::StoreClock), which never
/// jumps; every query takes the organization, and finds nothing of another one. An accepted effect is kept when the
/// future is ready. Cheap to clone.
///
/// Any method fails with [`StoreError::Unavailable`] when the back end does not work.
#[derive(Clone)]
pub struct Ledger {
    rows: Arc<dyn Backend>,
    watches: Watches,
    /// When the back end did not work, last.
    failed: Arc<Mutex<Option<Instant>>>,
    /// This process, where others share the back end.
    node: Option<Arc<str>>,
}

impl Ledger {
    /// Whether other processes share the records.
    pub fn is_shared(&self) -> bool {
        self.rows.is_shared()
    }

    /// The clock of leases and windows.
    pub fn clock(&self) -> StoreClock {
        self.rows.clock()
    }

    /// Says that this process lives, for some time more. Its work is interrupted, not crashed, when that has ended.
    /// Where the back end belongs to one process, nothing has to be said.
    pub async fn beat(&self, length: Duration, now: Time) -> Result<(), StoreError> {
        let Some(node) = self.node.clone() else { return Ok(()) };
        self.write(move |rows| nodes::beat(rows, &node, now.plus(length))).await
    }

    /// A secret that all processes of the service have in common; `candidate` if there is none of this name yet.
    pub async fn secret(&self, name: &str, candidate: [u8; 32]) -> Result<[u8; 32], StoreError> {
        let name = name.to_owned();
        self.write(move |rows| secrets::secret_of_name(rows, &name, &candidate)).await
    }

    /// Ends a session of the console, which would have lasted until then, for all processes.
    pub async fn end_session(&self, id: &str, until: Time) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |rows| {
            sessions::end_session(rows, &id, until);
            Ok(())
        })
        .await
    }

    /// Whether a session of the console was ended.
    pub async fn has_session_ended(&self, id: &str, until: Time) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.read(move |rows| sessions::has_session_ended(rows, &id, until)).await
    }

    /// Takes back what was running when the process that had this ledger to itself died.
    async fn reclaim(&self, now: Time) -> Result<(), StoreError> {
        self.write(move |rows| {
            lease::reclaim_leases(rows)?;
            archives::reclaim_tombstones(rows)?;
            upgrade::lists(rows)?;
            once::reclaim_once_keys(rows, now)
        })
        .await
    }

    /// A few rows.
    async fn read<T: Send + 'static>(
        &self,
        mut read: impl FnMut(&dyn StoreRows) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let found = ResultSlot::default();
        let slot = found.clone();
        let read = self.rows.read(Box::new(move |rows| read(rows).map(|result| slot.put(result)))).await;
        self.note(&read);
        read?;
        found.take()
    }

    /// Many rows: read where it delays no other request.
    async fn read_aside<T: Send + 'static>(
        &self,
        read: impl FnMut(&dyn StoreRows) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (ledger, runtime) = (self.clone(), Handle::current());
        spawn_blocking(move || runtime.block_on(ledger.read(read))).await.map_err(ledger_unavailable)?
    }

    /// One transaction; watchers of a record that it changed are woken.
    fn write<T: Send + 'static>(
        &self,
        mut write: impl FnMut(&mut Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> impl Future<Output = Result<T, StoreError>> + Send {
        let done = ResultSlot::default();
        let slot = done.clone();
        let run: Write = Box::new(move |rows| write(rows).map(|result| slot.put(result)));
        async move {
            let written = self.rows.write(run).await;
            self.note(&written);
            let touched = written?;
            self.watches.wake(touched.iter().map(String::as_str));
            done.take()
        }
    }

    /// Notes when the back end does not work.
    fn note<T>(&self, result: &Result<T, StoreError>) {
        if let Err(StoreError::Unavailable(_)) = result {
            metrics::counter!("offprint_store_errors_total").increment(1);
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
    }

    /// What it means now that a lease has ended.
    fn silence(&self, lease: Duration) -> Silence {
        let failed = *self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        match failed.map(|failed| failed.elapsed()) {
            Some(since) if self.node.is_some() && since < lease / 2 => Silence::Awaited,
            Some(since) if since < FAILURE_TIME => Silence::Excused,
            _ => Silence::Crash,
        }
    }
}

/// Exports.
impl Ledger {
    /// Accepts an export, if the organization has room.
    pub async fn start_export(
        &self,
        job: ExportJob,
        caps: Caps,
        remember: Option<Remember<ExportJob>>,
        now: Time,
    ) -> Result<ExportJob, StoreError> {
        self.write(move |rows| exports::accept_export(rows, job.clone(), caps, remember.as_ref(), now)).await
    }

    /// An export.
    pub async fn export(&self, organization: &str, id: &str) -> Result<Option<ExportJob>, StoreError> {
        let (organization, id) = (organization.to_owned(), id.to_owned());
        self.read(move |rows| exports::find_export(rows, &organization, &id)).await
    }

    /// An export, unless it is what it was.
    pub async fn reread_export(
        &self,
        organization: &str,
        id: &str,
        known: Option<RecordVersion>,
    ) -> Result<Reread<ExportJob>, StoreError> {
        let (organization, id) = (organization.to_owned(), id.to_owned());
        self.read(move |rows| exports::reread_export(rows, &organization, &id, known.as_ref())).await
    }

    /// An export of any organization, for a link whose signature covers the organization: nothing of it is shown before
    /// that has been checked.
    pub async fn linked_export(&self, id: &str) -> Result<Option<ExportJob>, StoreError> {
        let id = id.to_owned();
        self.read(move |rows| exports::linked(rows, &id)).await
    }

    /// What is kept of how an export went; `None` before it has ended, and where nothing is known.
    pub async fn export_log(&self, organization: &str, id: &str) -> Result<Option<ExportLog>, StoreError> {
        let (organization, id) = (organization.to_owned(), id.to_owned());
        self.read(move |rows| exports::find_export_log(rows, &organization, &id)).await
    }

    /// A page of exports, newest first. It may be shorter than requested and yet not the last, when the filter leaves
    /// out much. An unknown cursor is [`StoreError::Absent`].
    pub async fn exports(&self, organization: &str, filter: ExportFilter) -> Result<RecordPage<ExportJob>, StoreError> {
        let organization = organization.to_owned();
        self.read_aside(move |rows| exports::page_of_exports(rows, &organization, &filter)).await
    }

    /// Fails an export with `canceled`; one that failed stays as it is, a completed one is a conflict.
    pub async fn cancel_export(&self, organization: &str, id: &str) -> Result<ExportJob, StoreError> {
        let (organization, id) = (organization.to_owned(), id.to_owned());
        self.write(move |rows| exports::end_export(rows, &organization, &id)).await
    }
}

/// Deployments.
impl Ledger {
    /// Accepts a deployment, or returns the one of the same target that waits already.
    pub async fn start_deployment(
        &self,
        deployment: DeploymentRecord,
        caps: Caps,
        remember: Option<Remember<DeploymentRecord>>,
        now: Time,
    ) -> Result<DeploymentRecord, StoreError> {
        self.write(move |rows| deployments::accept_deployment(rows, deployment.clone(), caps, remember.as_ref(), now))
            .await
    }

    /// A deployment.
    pub async fn deployment(&self, organization: &str, id: &str) -> Result<Option<DeploymentRecord>, StoreError> {
        let (organization, id) = (organization.to_owned(), id.to_owned());
        self.read(move |rows| deployments::find_deployment(rows, &organization, &id)).await
    }

    /// A deployment, unless it is what it was.
    pub async fn reread_deployment(
        &self,
        organization: &str,
        id: &str,
        known: Option<RecordVersion>,
    ) -> Result<Reread<DeploymentRecord>, StoreError> {
        let (organization, id) = (organization.to_owned(), id.to_owned());
        self.read(move |rows| deployments::reread_deployment(rows, &organization, &id, known.as_ref())).await
    }

    /// A page of a project's deployments, newest first; see [`Ledger::exports`].
    pub async fn deployments(
        &self,
        organization: &str,
        project: &str,
        filter: DeploymentFilter,
    ) -> Result<RecordPage<DeploymentRecord>, StoreError> {
        let (organization, project) = (organization.to_owned(), project.to_owned());
        self.read_aside(move |rows| deployments::page_of_deployments(rows, &organization, &project, &filter)).await
    }

    /// Fails a deployment with `canceled`; one that failed stays as it is, one that succeeded is a conflict.
    pub async fn cancel_deployment(&self, organization: &str, id: &str) -> Result<DeploymentRecord, StoreError> {
        let (organization, id) = (organization.to_owned(), id.to_owned());
        self.write(move |rows| deployments::end_deployment(rows, &organization, &id)).await
    }

    /// A page of a project's previews by host, each with its newest deployment; see [`Ledger::exports`].
    pub async fn list_previews(
        &self,
        organization: &str,
        project: &str,
        slice: Slice,
    ) -> Result<RecordPage<(DeployTarget, Option<DeploymentRecord>)>, StoreError> {
        let (organization, project) = (organization.to_owned(), project.to_owned());
        self.read_aside(move |rows| deployments::list_previews(rows, &organization, &project, &slice)).await
    }

    /// A preview of a project, with its newest deployment.
    pub async fn preview(
        &self,
        organization: &str,
        project: &str,
        host: &str,
    ) -> Result<Option<(DeployTarget, Option<DeploymentRecord>)>, StoreError> {
        let [organization, project, host] = [organization, project, host].map(str::to_owned);
        self.read(move |rows| match deployments::find_preview(rows, &organization, &project, &host)? {
            Some(target) => Ok(Some((target.clone(), deployments::newest(rows, &target)?))),
            None => Ok(None),
        })
        .await
    }

    /// Removes a preview, and cancels what is being done on it.
    pub async fn delete_preview(
        &self,
        organization: &str,
        project: &str,
        host: &str,
    ) -> Result<(DeployTarget, Option<DeploymentRecord>), StoreError> {
        let [organization, project, host] = [organization, project, host].map(str::to_owned);
        self.write(move |rows| deployments::delete_preview(rows, &organization, &project, &host)).await
    }

    /// What a host name shows: the label of a preview, or a domain.
    pub async fn target(&self, host: &str) -> Result<Option<DeployTarget>, StoreError> {
        let host = host.to_owned();
        self.read(move |rows| deployments::find_host_target(rows, &host)).await
    }

    /// The previews of a project on which nothing is being done.
    pub async fn previews(&self, organization: &str, project: &str) -> Result<Vec<DeployTarget>, StoreError> {
        let (mut previews, mut behind) = (Vec::new(), None);
        loop {
            let (organization, project) = (organization.to_owned(), project.to_owned());
            let step = move |rows: &dyn StoreRows| {
                deployments::page_of_previews(rows, &organization, &project, behind.as_deref())
            };
            let (found, last) = self.read_aside(step).await?;
            previews.extend(found);
            if last.is_none() {
                return Ok(previews);
            }
            behind = last;
        }
    }

    /// Removes previews, unless anything has been done on them since they were looked at.
    pub async fn remove_previews(&self, previews: Vec<DeployTarget>) -> Result<(), StoreError> {
        self.write(move |rows| previews.iter().try_for_each(|preview| deployments::remove_preview(rows, preview))).await
    }
}

/// Agent jobs.
impl Ledger {
    /// Accepts an agent job, if the organization has room.
    pub async fn start_agent(
        &self,
        job: AgentJob,
        caps: Caps,
        remember: Option<Remember<AgentJob>>,
        now: Time,
    ) -> Result<AgentJob, StoreError> {
        self.write(move |rows| agents::accept_agent_job(rows, job.clone(), caps, remember.as_ref(), now)).await
    }

    /// An agent job of a project.
    pub async fn agent(&self, organization: &str, project: &str, id: &str) -> Result<Option<AgentJob>, StoreError> {
        let [organization, project, id] = [organization, project, id].map(str::to_owned);
        self.read(move |rows| {
            agents::find_agent_job(rows, &AgentRef { organization: &organization, project: &project, id: &id })
        })
        .await
    }

    /// A page of a project's agent jobs, newest first; see [`Ledger::exports`].
    pub async fn agents(
        &self,
        organization: &str,
        project: &str,
        filter: AgentFilter,
    ) -> Result<RecordPage<AgentJob>, StoreError> {
        let (organization, project) = (organization.to_owned(), project.to_owned());
        self.read_aside(move |rows| agents::page_of_agent_jobs(rows, &organization, &project, &filter)).await
    }

    /// Fails a job that is active; one that failed stays as it is, others are a conflict.
    pub async fn cancel_agent(
        &self,
        job: &AgentRef<'_>,
        remember: Option<Remember<AgentJob>>,
        now: Time,
    ) -> Result<AgentJob, StoreError> {
        let [organization, project, id] = [job.organization, job.project, job.id].map(str::to_owned);
        self.write(move |rows| {
            let job = AgentRef { organization: &organization, project: &project, id: &id };
            let job = agents::end_agent_job(rows, &job)?;
            once::store_once_answer(rows, remember.as_ref(), &job, now)?;
            Ok(job)
        })
        .await
    }

    /// Forgets a job with its prompts; one that is active is canceled first. Gives it was.
    pub async fn delete_agent(&self, job: &AgentRef<'_>) -> Result<AgentJob, StoreError> {
        let [organization, project, id] = [job.organization, job.project, job.id].map(str::to_owned);
        self.write(move |rows| {
            agents::delete(rows, &AgentRef { organization: &organization, project: &project, id: &id })
        })
        .await
    }

    /// Another prompt to a job that has ended; it is active again. To others it is a conflict.
    pub async fn message_agent(
        &self,
        job: &AgentRef<'_>,
        prompt: String,
        caps: Caps,
        remember: Option<Remember<AgentJob>>,
        now: Time,
    ) -> Result<AgentJob, StoreError> {
        let [organization, project, id] = [job.organization, job.project, job.id].map(str::to_owned);
        let trace = traces::current();
        self.write(move |rows| {
            let job = AgentRef { organization: &organization, project: &project, id: &id };
            agents::add_agent_prompt(rows, &job, (prompt.clone(), trace.clone()), caps, remember.as_ref(), now)
        })
        .await
    }

    /// Archives a job that has ended; one that is archived stays as it is, an active one is a conflict.
    pub async fn archive_agent(
        &self,
        job: &AgentRef<'_>,
        remember: Option<Remember<AgentJob>>,
        now: Time,
    ) -> Result<AgentJob, StoreError> {
        let [organization, project, id] = [job.organization, job.project, job.id].map(str::to_owned);
        self.write(move |rows| {
            let job = AgentRef { organization: &organization, project: &project, id: &id };
            agents::archive(rows, &job, remember.as_ref(), now)
        })
        .await
    }
}

/// The queue.
impl Ledger {
    /// Whether one more piece of work would be accepted: [`StoreError::QueueFull`] or [`StoreError::Saturated`] if not.
    pub async fn room(&self, organization: &str, kind: WorkKind, caps: Caps) -> Result<(), StoreError> {
        let organization = organization.to_owned();
        self.read(move |rows| queue::room(rows, &organization, kind, caps)).await
    }

    /// Takes the next piece of work: first what lost its worker, then in turns between organizations.
    pub async fn claim(&self, lane: Lane, lease: Duration, now: Time) -> Result<Option<Claimed>, StoreError> {
        self.claim_by(lease::claim, lane, lease, now).await
    }

    /// Takes work that has begun and has lost its worker, or waits to be tried again; nothing is begun.
    pub async fn claim_begun(&self, lane: Lane, lease: Duration, now: Time) -> Result<Option<Claimed>, StoreError> {
        self.claim_by(lease::claim_begun, lane, lease, now).await
    }

    async fn claim_by(
        &self,
        claim: Claim,
        lane: Lane,
        lease: Duration,
        now: Time,
    ) -> Result<Option<Claimed>, StoreError> {
        // most claims find nothing, and need no transaction to say so
        if !self.read(move |rows| lease::has_work(rows, lane, now)).await? {
            return Ok(None);
        }
        let (silence, node) = (self.silence(lease), self.node.clone());
        let claim = move |rows: &mut Transaction<'_>| {
            let claimant = Claimant { node: node.as_deref(), now, until: now.plus(lease) };
            claim(rows, lane, &claimant, silence)
        };
        self.write(claim).await
    }

    /// Takes the next piece of work of an organization that has none running.
    pub async fn claim_relief(&self, lane: Lane, lease: Duration, now: Time) -> Result<Option<Claimed>, StoreError> {
        if !self.needs_relief(lane).await? {
            return Ok(None);
        }
        let node = self.node.clone();
        let claim = move |rows: &mut Transaction<'_>| {
            let claimant = Claimant { node: node.as_deref(), now, until: now.plus(lease) };
            lease::claim_relief(rows, lane, &claimant)
        };
        self.write(claim).await
    }

    /// Whether an organization waits that has nothing running.
    pub async fn needs_relief(&self, lane: Lane) -> Result<bool, StoreError> {
        self.read(move |rows| Ok(lease::relief(rows, lane)?.is_some())).await
    }

    /// Renews the lease and records progress, which never decreases. [`StoreError::Lost`] ends the work.
    pub async fn renew(
        &self,
        lease: &Lease,
        report: WorkReport,
        length: Duration,
        now: Time,
    ) -> Result<(), StoreError> {
        let taken = lease.clone();
        self.write(move |rows| lease::renew(rows, &taken, &report, length, now)).await
    }

    /// Says of exports that wait to be tried again that they live, if they have not said so for this long.
    pub async fn keep_alive(&self, length: Duration) -> Result<(), StoreError> {
        let silent = self.read(move |rows| lease::silent(rows, length)).await?;
        if silent.is_empty() {
            return Ok(());
        }
        self.write(move |rows| silent.iter().try_for_each(|id| exports::live(rows, id))).await
    }

    /// Gives work back. Work that crashed too often has failed.
    pub async fn release(&self, lease: &Lease, why: Release, now: Time) -> Result<(), StoreError> {
        let taken = lease.clone();
        self.write(move |rows| lease::release(rows, &taken, &why, now)).await
    }

    /// Ends the work and all that follows from it, in one transaction.
    pub async fn finish(&self, lease: &Lease, outcome: WorkOutcome) -> Result<(), StoreError> {
        let taken = lease.clone();
        self.write(move |rows| lease::finish_lease(rows, &taken, outcome.clone())).await
    }

    /// Whether work is still under its lease: it has neither been canceled nor taken by another worker.
    pub async fn is_leased(&self, lease: &Lease) -> Result<bool, StoreError> {
        let lease = lease.clone();
        self.read(move |rows| lease::is_leased(rows, &lease)).await
    }

    /// When the oldest work of each kind that waits has begun to wait.
    pub async fn oldest_waiting(&self) -> Result<Vec<(WorkKind, Time)>, StoreError> {
        self.read_aside(lease::oldest_waiting).await
    }

    /// How much there is.
    pub async fn counts(&self) -> Result<StoreCounts, StoreError> {
        self.read(queue::counts).await
    }
}

/// Answers and windows.
impl Ledger {
    /// What an idempotency key means for a request.
    pub async fn begin(&self, key: &OnceKey, request: [u8; 32], now: Time) -> Result<Begun, StoreError> {
        let key = key.clone();
        self.write(move |rows| once::begin_once(rows, &key, &request, now)).await
    }

    /// Stores the answer of a request that has no effect of its own.
    pub async fn remember(
        &self,
        key: &OnceKey,
        request: [u8; 32],
        answer: StoredResponse,
        now: Time,
    ) -> Result<(), StoreError> {
        let key = key.clone();
        self.write(move |rows| once::store(rows, &key, &request, answer.clone(), now)).await
    }

    /// Frees the key of a request that was refused.
    pub async fn abandon(&self, key: &OnceKey) -> Result<(), StoreError> {
        let key = key.clone();
        self.write(move |rows| once::abandon(rows, &key)).await
    }

    /// Counts a request against a window: no interval of its length holds more than `limit` accepted ones, restarts
    /// included.
    pub async fn take(&self, window: &str, limit: u32, length: Duration, now: Time) -> Result<Rate, StoreError> {
        let window = window.to_owned();
        self.write(move |rows| rate::count_request(rows, &window, limit, length, now)).await
    }
}

/// Events, and who is told of them.
impl Ledger {
    /// Events that are not yet turned into deliveries, each with what names it in [`Ledger::expand_event`].
    pub async fn pending_events(&self, most: usize) -> Result<Vec<(String, WorkEvent)>, StoreError> {
        self.read(move |rows| events::pending(rows, most)).await
    }

    /// Removes events that have no receivers.
    pub async fn drop_events(&self, events: Vec<String>) -> Result<(), StoreError> {
        self.write(move |rows| {
            events.iter().for_each(|event| rows.remove(event.clone()));
            Ok(())
        })
        .await
    }

    /// Turns an event into one delivery for each receiver, due now; what another node has done is not done again.
    pub async fn expand_event(
        &self,
        event: &str,
        receivers: Vec<Receiver>,
        body: String,
        now: Time,
    ) -> Result<(), StoreError> {
        let event = event.to_owned();
        self.write(move |rows| events::expand_into_deliveries(rows, &event, &receivers, &body, now)).await
    }

    /// Takes the delivery that has been due for longest. No other node has it until the lease ends.
    pub async fn claim_delivery(&self, lease: Duration, now: Time) -> Result<Option<Delivery>, StoreError> {
        // most claims find nothing, and need no transaction to say so
        if !self.read(move |rows| events::has_due(rows, now)).await? {
            return Ok(None);
        }
        self.write(move |rows| events::claim(rows, lease, now)).await
    }

    /// Writes down how a try of a delivery ended. A receiver whose tries have all failed for `disable_after` is
    /// disabled; `true` if it is from now on. Without a receiver the delivery has failed. [`StoreError::Lost`]: the
    /// lease has ended.
    pub async fn settle_delivery(
        &self,
        tried: &Delivery,
        receiver: Option<Receiver>,
        (attempt, verdict): (Attempt, TryVerdict),
        disable_after: Duration,
        now: Time,
    ) -> Result<bool, StoreError> {
        let tried = tried.clone();
        self.write(move |rows| {
            events::settle(rows, &tried, receiver.as_ref(), attempt.clone(), verdict, disable_after, now)
        })
        .await
    }

    /// How a receiver stands.
    pub async fn webhook_state(&self, receiver: Receiver) -> Result<WebhookState, StoreError> {
        self.read(move |rows| events::state(rows, &receiver)).await
    }

    /// Sends to a receiver again, as if nothing had failed.
    pub async fn enable_webhook(&self, receiver: Receiver) -> Result<(), StoreError> {
        self.write(move |rows| events::enable(rows, &receiver)).await
    }

    /// A delivery to a receiver.
    pub async fn delivery(&self, organization: &str, webhook: &str, id: &str) -> Result<Option<Delivery>, StoreError> {
        let [organization, webhook, id] = [organization, webhook, id].map(str::to_owned);
        self.read(move |rows| events::find_delivery(rows, &organization, &webhook, &id)).await
    }

    /// A page of the deliveries to a receiver, newest first; see [`Ledger::exports`].
    pub async fn deliveries(
        &self,
        organization: &str,
        webhook: &str,
        filter: DeliveryFilter,
    ) -> Result<RecordPage<Delivery>, StoreError> {
        let (organization, webhook) = (organization.to_owned(), webhook.to_owned());
        self.read_aside(move |rows| events::page_of_deliveries(rows, &organization, &webhook, &filter)).await
    }

    /// Has a delivery tried anew, whatever became of it.
    pub async fn redeliver(
        &self,
        organization: &str,
        webhook: &str,
        id: &str,
        now: Time,
    ) -> Result<Delivery, StoreError> {
        let [organization, webhook, id] = [organization, webhook, id].map(str::to_owned);
        self.write(move |rows| events::redeliver(rows, &organization, &webhook, &id, now)).await
    }
}

/// Upkeep.
impl Ledger {
    /// Forgets what is past retention, a bounded part at a time.
    pub async fn sweep(&self, horizon: Horizon, retention: RetentionOf, now: Time) -> Result<Swept, StoreError> {
        // the walk over all bundles is long, and only reads
        let mut walk = SweepWalk::default();
        let expired = loop {
            let (retention, at) = (Arc::clone(&retention), walk);
            let step = move |rows: &dyn StoreRows| sweep::expired(rows, &horizon, &retention, at.clone());
            match self.read_aside(step).await? {
                (_, Some(next)) => walk = next,
                (expired, None) => break expired,
            }
        };
        self.write(move |rows| sweep::sweep_expired(rows, &expired, &horizon, now)).await
    }

    /// Says, before it is put, that work under way will name an archive. `false` while that very archive is being
    /// removed: try again.
    pub async fn hold(&self, lease: &Lease, archive: &str, now: Time) -> Result<bool, StoreError> {
        let (taken, archive) = (lease.clone(), archive.to_owned());
        self.write(move |rows| lease::hold_archive(rows, &taken, &archive, now)).await
    }

    /// Whether archives in the storage that nothing names are left over, and not those of others.
    pub async fn owns_storage(&self, is_empty: bool) -> Result<bool, StoreError> {
        self.write(move |rows| archives::owns_storage(rows, is_empty)).await
    }

    /// Those of some archives that nothing names, each with a tombstone: they can be removed, and cannot be held until
    /// [`Ledger::remove_tombstones`], or [`TOMBSTONE_TIME`](super::work::TOMBSTONE_TIME) has passed.
    pub async fn add_tombstones(&self, archives: Vec<String>, now: Time) -> Result<Vec<String>, StoreError> {
        self.write(move |rows| archives::add_tombstones(rows, archives.clone(), now)).await
    }

    /// These archives have been removed.
    pub async fn remove_tombstones(&self, archives: Vec<String>) -> Result<(), StoreError> {
        self.write(move |rows| {
            archives.iter().for_each(|archive| archives::remove_tombstone(rows, archive));
            Ok(())
        })
        .await
    }

    /// Wakes when a record changes. Changes by other processes may not be heard: look again now and then.
    pub fn watch(&self, id: &str) -> RecordWatch {
        self.watches.watch(id)
    }

    /// Wakes when work has come into a lane, in the same way.
    pub fn watch_lane(&self, lane: Lane) -> RecordWatch {
        self.watches.watch(lane.word())
    }
}

fn ledger_unavailable(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

/// A moment that people read, never before the last one.
fn stamp(last: Time) -> Time {
    Time::now().max(last)
}
