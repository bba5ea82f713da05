//! Leases: workers take tasks of the queue, renew their leases, and end or give back what they took. A lease that ends
//! without a word is a crash of its worker.

use std::time::Duration;

use super::super::rows::{
    StoreRows, Transaction, counter_key, keys, load_row, parse_row, range, row_key, row_key_part, sortable_number,
};
use super::super::work::{CRASHES, DELAYS, INTERRUPTIONS, Unexported, delay, waiting_in_words};
use super::queue::{Task, change_party, count_tasks, later_key, remove_running_task, running_of, task_key, until_key};
use super::{
    AgentJob, Claimed, DeploymentRecord, ExportJob, Lane, Lease, Release, StoreError, Time, WorkKind, WorkOutcome,
    WorkReport, agents, archives, deployments, events, exports, nodes, queue,
};

/// Most leases that are found to have ended at one claim.
const MAX_ENDED: usize = 16;
/// The cause of work that has failed with its processes.
const INTERRUPTED: &str = "the service stopped unexpectedly in each attempt";
/// Most exports that are said to live at one time.
const MAX_LIVE: usize = 256;
/// Most parties among which an organization without running work is looked for.
const MAX_READY: usize = 128;

/// What it means that a lease has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// Its worker has crashed, unless its whole process has gone.
    Crash,
    /// The store itself did not work lately: the lease could not be renewed.
    Excused,
    /// It works again, and who has the lease gets time to renew it.
    Awaited,
}

/// A way to take work.
pub(super) type Claim = fn(&mut Transaction<'_>, Lane, &Claimant<'_>, Silence) -> Result<Option<Claimed>, StoreError>;

/// Who claims, and how.
pub(super) struct Claimant<'a> {
    /// The process, where there are several.
    pub(super) node: Option<&'a str>,
    pub(super) now: Time,
    /// The end of the lease.
    pub(super) until: Time,
}

/// Whether a claim would find something.
pub(super) fn has_work(rows: &dyn StoreRows, lane: Lane, now: Time) -> Result<bool, StoreError> {
    expect_work(rows, lane, now);
    let has = |table| Ok::<_, StoreError>(!keys(rows, table, &[lane.word()], MAX_ENDED)?.is_empty());
    let has_ended = |table| Ok::<_, StoreError>(!ended_leases(rows, table, lane, now)?.is_empty());
    Ok(has("again")? || has("ready")? || has_ended("until")? || has_ended("later")?)
}

/// When the oldest work of each kind that waits has begun to wait. The queue is bounded, and so is this.
pub(super) fn oldest_waiting(rows: &dyn StoreRows) -> Result<Vec<(WorkKind, Time)>, StoreError> {
    let mut oldest = Vec::new();
    for kind in WorkKind::ALL {
        let (from, to) = range("waiting", &[kind.word()]);
        let (mut first, mut failed): (Option<(String, String)>, _) = (None, None);
        rows.scan(&from, &to, usize::MAX, &mut |row, id| {
            let order = row_key_part(row, 0);
            match parse_row::<String>(id) {
                Ok(id) if first.as_ref().is_none_or(|(least, _)| order < least.as_str()) => {
                    first = Some((order.to_owned(), id));
                }
                Ok(_) => {}
                Err(error) => failed = Some(error),
            }
            failed.is_none()
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        let Some((_, id)) = first else { continue };
        let since = match kind {
            WorkKind::Export => {
                load_row::<ExportJob>(rows, &exports::export_record_key(&id))?.map(|job| job.created_at)
            }
            WorkKind::Deployment => load_row::<DeploymentRecord>(rows, &deployments::deployment_record_key(&id))?
                .map(|record| record.created_at),
            // a job waits once for each of its prompts
            WorkKind::Agent => load_row::<AgentJob>(rows, &agents::agent_record_key(&id))?.map(|job| job.updated_at),
        };
        oldest.extend(since.map(|since| (kind, since)));
    }
    Ok(oldest)
}

/// Announces what [`has_work`] and [`claim`] look at first.
fn expect_work(rows: &dyn StoreRows, lane: Lane, now: Time) {
    for table in ["again", "ready"] {
        let (from, to) = range(table, &[lane.word()]);
        rows.expect_scan(&from, &to, MAX_ENDED);
    }
    for table in ["until", "later"] {
        let (from, to) = ended_range(table, lane, now);
        rows.expect_scan(&from, &to, MAX_ENDED);
    }
}

/// Takes the next piece of work.
pub(super) fn claim(
    rows: &mut Transaction<'_>,
    lane: Lane,
    claimant: &Claimant<'_>,
    silence: Silence,
) -> Result<Option<Claimed>, StoreError> {
    expect_work(rows, lane, claimant.now);
    queue::expect_counts(rows);
    for counter in ["turn", "fence"] {
        rows.expect(&counter_key(counter));
    }
    if let Some(claimed) = claim_begun(rows, lane, claimant, silence)? {
        return Ok(Some(claimed));
    }
    for found in keys(rows, "ready", &[lane.word()], MAX_ENDED)? {
        if let Some(claimed) = next_of(rows, &found, claimant)? {
            return Ok(Some(claimed));
        }
    }
    Ok(None)
}

/// Takes work that has begun and has no worker any more.
pub(super) fn claim_begun(
    rows: &mut Transaction<'_>,
    lane: Lane,
    claimant: &Claimant<'_>,
    silence: Silence,
) -> Result<Option<Claimed>, StoreError> {
    let now = claimant.now;
    for found in keys(rows, "again", &[lane.word()], MAX_ENDED)? {
        let task = task_of(rows, &found)?;
        rows.remove(found);
        if let Some(claimed) = task.map(|task| start_lease(rows, task, claimant)).transpose()?.flatten() {
            return Ok(Some(claimed));
        }
    }
    for found in ended_leases(rows, "later", lane, now)? {
        let task = task_of(rows, &found)?;
        rows.remove(found);
        let Some(mut task) = task else { continue };
        task.later = None;
        if let Some(claimed) = start_lease(rows, task, claimant)? {
            return Ok(Some(claimed));
        }
    }
    let silent = if silence == Silence::Awaited { Vec::new() } else { ended_leases(rows, "until", lane, now)? };
    for found in silent {
        let task = task_of(rows, &found)?;
        rows.remove(found);
        let Some(mut task) = task else { continue };
        // a process that has gone took all its work along: that says nothing about this one
        let has_gone = task.node.as_deref().map(|node| nodes::is_alive(rows, node, now)).transpose()? == Some(false);
        if has_gone || silence == Silence::Excused {
            task.interruptions += 1;
        } else {
            task.crashes += 1;
        }
        task.until = None;
        if task.crashes >= CRASHES {
            fail_task(rows, &task, "its worker stopped responding twice")?;
        } else if task.interruptions >= INTERRUPTIONS {
            fail_task(rows, &task, INTERRUPTED)?;
        } else if let Some(claimed) = start_lease(rows, task, claimant)? {
            return Ok(Some(claimed));
        }
    }
    Ok(None)
}

/// Takes work of an organization that has none running, though others have all workers.
pub(super) fn claim_relief(
    rows: &mut Transaction<'_>,
    lane: Lane,
    claimant: &Claimant<'_>,
) -> Result<Option<Claimed>, StoreError> {
    match relief(rows, lane)? {
        Some(found) => next_of(rows, &found, claimant),
        None => Ok(None),
    }
}

/// The `ready` row of the next organization that has nothing running in a lane.
pub(super) fn relief(rows: &dyn StoreRows, lane: Lane) -> Result<Option<String>, StoreError> {
    let ready = keys(rows, "ready", &[lane.word()], MAX_READY)?;
    for found in &ready {
        lane.kinds().iter().for_each(|kind| rows.expect(&queue::party_key(row_key_part(found, 0), *kind)));
    }
    for found in ready {
        let organization = row_key_part(&found, 0);
        let mut running = 0;
        for kind in lane.kinds() {
            running += running_of(rows, organization, *kind)?;
        }
        if running == 0 {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The first waiting task of a party that is ready.
fn next_of(rows: &mut Transaction<'_>, ready: &str, claimant: &Claimant<'_>) -> Result<Option<Claimed>, StoreError> {
    let (organization, Some(kind)) = (row_key_part(ready, 0), WorkKind::of(row_key_part(ready, 1))) else {
        return Ok(None);
    };
    rows.expect(&queue::party_key(organization, kind));
    let Some(first) = keys(rows, "waiting", &[kind.word(), organization], 1)?.pop() else { return Ok(None) };
    let id = load_row::<String>(rows, &first)?.unwrap_or_default();
    expect_task(rows, kind, &id);
    rows.remove(first);
    let turn = rows.next("turn")?;
    change_party(rows, organization, kind, |party| {
        party.waiting = party.waiting.saturating_sub(1);
        party.running += 1;
        party.turn = turn;
    })?;
    count_tasks(rows, -1, 1)?;
    let Some(mut task) = load_row::<Task>(rows, &task_key(kind, &id))? else { return Ok(None) };
    task.running = true;
    start_lease(rows, task, claimant)
}

/// Begins a lease, and the record with it.
fn start_lease(
    rows: &mut Transaction<'_>,
    mut task: Task,
    claimant: &Claimant<'_>,
) -> Result<Option<Claimed>, StoreError> {
    let until = claimant.until;
    task.fence = rows.next("fence")?;
    task.until = Some(until);
    task.node = claimant.node.map(str::to_owned);
    let work = match task.kind {
        WorkKind::Export => exports::begin_export(rows, &task.id)?,
        WorkKind::Deployment => deployments::begin_deployment(rows, &task.id)?,
        WorkKind::Agent => agents::begin_agent_work(rows, &task.id)?,
    };
    let Some(work) = work else {
        // the record has gone, and its work with it
        remove_running_task(rows, &task, None)?;
        return Ok(None);
    };
    rows.mark(until_key(&task, until));
    rows.put(task_key(task.kind, &task.id), &task)?;
    let lease = Lease { kind: task.kind, organization: task.organization, id: task.id, fence: task.fence };
    Ok(Some(Claimed { lease, work }))
}

/// Makes a lease longer, and writes down how far its work is.
pub(super) fn renew(
    rows: &mut Transaction<'_>,
    lease: &Lease,
    report: &WorkReport,
    length: Duration,
    now: Time,
) -> Result<(), StoreError> {
    expect_task(rows, lease.kind, &lease.id);
    let mut task = leased(rows, lease)?;
    let until = now.plus(length);
    if let Some(last) = task.until.replace(until) {
        rows.remove(until_key(&task, last));
    }
    rows.mark(until_key(&task, until));
    rows.put(task_key(task.kind, &task.id), &task)?;
    match lease.kind {
        WorkKind::Export => exports::report_export_progress(rows, &lease.id, report),
        WorkKind::Deployment => deployments::report_deployment_progress(rows, &lease.id, report),
        WorkKind::Agent => Ok(()),
    }
}

/// Gives work back.
pub(super) fn release(rows: &mut Transaction<'_>, lease: &Lease, why: &Release, now: Time) -> Result<(), StoreError> {
    let mut task = leased(rows, lease)?;
    match why {
        Release::Stopped => give_back(rows, task),
        Release::Crashed(cause) => {
            task.crashes += 1;
            if task.crashes >= CRASHES { fail_task(rows, &task, cause) } else { give_back(rows, task) }
        }
        Release::Delayed(cause) => {
            task.delays += 1;
            if task.delays >= DELAYS { fail_task(rows, &task, cause) } else { put_off(rows, task, cause, now) }
        }
    }
}

/// A running task without a worker, which is tried again later.
fn put_off(rows: &mut Transaction<'_>, mut task: Task, cause: &str, now: Time) -> Result<(), StoreError> {
    if let Some(until) = task.until.take() {
        rows.remove(until_key(&task, until));
    }
    let later = now.plus(delay(task.delays));
    task.later = Some(later);
    rows.mark(later_key(&task, later));
    rows.put(task_key(task.kind, &task.id), &task)?;
    let why = waiting_in_words(cause, task.delays);
    match task.kind {
        WorkKind::Export => exports::wait(rows, &task.id, why),
        WorkKind::Deployment => deployments::wait(rows, &task.id, why),
        WorkKind::Agent => Ok(()),
    }
}

/// Exports that wait to be tried again and have said nothing for so long.
pub(super) fn silent(rows: &dyn StoreRows, length: Duration) -> Result<Vec<String>, StoreError> {
    let mut silent = Vec::new();
    for found in keys(rows, "later", &[Lane::Build.word()], MAX_LIVE)? {
        let (Some(WorkKind::Export), id) = (WorkKind::of(row_key_part(&found, 1)), row_key_part(&found, 0)) else {
            continue;
        };
        let said = load_row::<ExportJob>(rows, &exports::export_record_key(id))?.map(|job| job.updated_at);
        if said.is_some_and(|said| Time::now().since(said) >= length) {
            silent.push(id.to_owned());
        }
    }
    Ok(silent)
}

/// Ends work.
pub(super) fn finish_lease(rows: &mut Transaction<'_>, lease: &Lease, outcome: WorkOutcome) -> Result<(), StoreError> {
    expect_task(rows, lease.kind, &lease.id);
    rows.expect(&queue::party_key(&lease.organization, lease.kind));
    queue::expect_counts(rows);
    events::expect(rows);
    let task = leased(rows, lease)?;
    let keeps = match &outcome {
        WorkOutcome::Export(done) => done.as_ref().as_ref().ok().map(|done| done.archive.key.clone()),
        WorkOutcome::Deployment(done) => done.as_ref().as_ref().ok().map(|done| done.archive.key.clone()),
        _ => None,
    };
    remove_running_task(rows, &task, keeps.as_deref())?;
    match outcome {
        WorkOutcome::Export(outcome) => exports::end_export_work(rows, &task.id, *outcome),
        WorkOutcome::Deployment(outcome) => deployments::end_deployment_work(rows, &task.id, *outcome),
        WorkOutcome::Agent(outcome) => agents::end_agent_work(rows, &task.id, outcome),
    }
}

/// Names an archive before it is there.
pub(super) fn hold_archive(
    rows: &mut Transaction<'_>,
    lease: &Lease,
    archive: &str,
    now: Time,
) -> Result<bool, StoreError> {
    let mut task = leased(rows, lease)?;
    if archives::has_tombstone(rows, archive, now)? {
        return Ok(false);
    }
    if let Some(last) = task.held.replace(archive.to_owned()).filter(|last| last != archive) {
        archives::remove_reference(rows, &last, &task.id);
    }
    archives::add_reference(rows, archive, &task.id);
    rows.put(task_key(task.kind, &task.id), &task)?;
    Ok(true)
}

/// Gives back all running work: its workers died with the process.
pub(super) fn reclaim_leases(rows: &mut Transaction<'_>) -> Result<(), StoreError> {
    for lane in [Lane::Build, Lane::Agent] {
        for found in keys(rows, "until", &[lane.word()], usize::MAX)? {
            let task = task_of(rows, &found)?;
            rows.remove(found);
            let Some(mut task) = task else { continue };
            task.interruptions += 1;
            if task.interruptions >= INTERRUPTIONS {
                fail_task(rows, &task, INTERRUPTED)?;
            } else {
                give_back(rows, task)?;
            }
        }
    }
    Ok(())
}

/// A running task without a worker: the first to be claimed.
fn give_back(rows: &mut Transaction<'_>, mut task: Task) -> Result<(), StoreError> {
    if let Some(until) = task.until.take() {
        rows.remove(until_key(&task, until));
    }
    rows.touch(task.kind.lane().word());
    rows.mark(row_key("again", &[task.kind.lane().word(), &sortable_number(task.order), task.kind.word(), &task.id]));
    rows.put(task_key(task.kind, &task.id), &task)
}

/// Ends work that killed too many.
fn fail_task(rows: &mut Transaction<'_>, task: &Task, cause: &str) -> Result<(), StoreError> {
    remove_running_task(rows, task, None)?;
    match task.kind {
        WorkKind::Export => exports::end_export_work(rows, &task.id, Err(Unexported::of(cause))),
        WorkKind::Deployment => deployments::fail_deployment(rows, &task.id, cause),
        WorkKind::Agent => agents::end_agent_work(rows, &task.id, Err(cause.to_owned())),
    }
}

/// The task of a lease that has not ended.
fn leased(rows: &dyn StoreRows, lease: &Lease) -> Result<Task, StoreError> {
    let task = load_row::<Task>(rows, &task_key(lease.kind, &lease.id))?;
    task.filter(|task| task.fence == lease.fence && task.until.is_some()).ok_or(StoreError::Lost)
}

/// Whether a lease has not ended.
pub(super) fn is_leased(rows: &dyn StoreRows, lease: &Lease) -> Result<bool, StoreError> {
    match leased(rows, lease) {
        Ok(_) => Ok(true),
        Err(StoreError::Lost) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Leases or delays that have ended: keys of a table whose third part from the end is not after now.
fn ended_leases(rows: &dyn StoreRows, table: &str, lane: Lane, now: Time) -> Result<Vec<String>, StoreError> {
    let (from, to) = ended_range(table, lane, now);
    let mut found = Vec::new();
    rows.scan(&from, &to, MAX_ENDED, &mut |key, _| {
        found.push(key.to_owned());
        found.len() < MAX_ENDED
    })?;
    Ok(found)
}

fn ended_range(table: &str, lane: Lane, now: Time) -> (String, String) {
    let (from, _) = range(table, &[lane.word()]);
    let (_, to) = range(table, &[lane.word(), &sortable_number(now.micros())]);
    (from, to)
}

/// Announces a task and its record.
fn expect_task(rows: &dyn StoreRows, kind: WorkKind, id: &str) {
    rows.expect(&task_key(kind, id));
    rows.expect(&match kind {
        WorkKind::Export => exports::export_record_key(id),
        WorkKind::Deployment => deployments::deployment_record_key(id),
        WorkKind::Agent => agents::agent_record_key(id),
    });
}

/// The task that an `again`, `later` or `until` row is of.
fn task_of(rows: &dyn StoreRows, row: &str) -> Result<Option<Task>, StoreError> {
    let Some(kind) = WorkKind::of(row_key_part(row, 1)) else { return Ok(None) };
    load_row(rows, &task_key(kind, row_key_part(row, 0)))
}
