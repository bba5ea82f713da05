//! Agent jobs (contract, section 8): a job is one conversation, each prompt of which is one run.

use super::super::event::{EventKind, EventSubject};
use super::super::record::{AGENT_MESSAGES, AgentStatus};
use super::super::rows::{StoreRows, Transaction, counter_key, downward, load_row, range, row_key, sortable_number};
use super::super::work::WorkItem;
use super::lists::LedgerList;
use super::{
    AgentFilter, AgentJob, AgentRef, CANCELED, Caps, RecordPage, Remember, StoreError, Time, WorkKind, events, lists,
    once, queue, stamp,
};

/// Accepts a job.
pub(super) fn accept_agent_job(
    rows: &mut Transaction<'_>,
    mut job: AgentJob,
    caps: Caps,
    remember: Option<&Remember<AgentJob>>,
    now: Time,
) -> Result<AgentJob, StoreError> {
    rows.expect(&agent_record_key(&job.id));
    rows.expect(&counter_key("order"));
    rows.expect(&queue::party_key(&job.organization, WorkKind::Agent));
    queue::expect_counts(rows);
    once::expect(rows, remember);
    if rows.value(&agent_record_key(&job.id))?.is_some() {
        return Err(StoreError::Conflict("the id is taken"));
    }
    job.order = rows.next("order")?;
    enqueue_run(rows, &job, job.order, caps)?;
    rows.put(agent_list_key(&job), &job.id)?;
    once::store_once_answer(rows, remember, &job, now)?;
    put_agent_job(rows, &job)?;
    Ok(job)
}

/// A job of a project of an organization.
pub(super) fn find_agent_job(rows: &dyn StoreRows, job: &AgentRef<'_>) -> Result<Option<AgentJob>, StoreError> {
    let found = load_row::<AgentJob>(rows, &agent_record_key(job.id))?;
    Ok(found.filter(|found| found.organization == job.organization && found.project == job.project))
}

/// A page of a project's jobs, newest first.
pub(super) fn page_of_agent_jobs(
    rows: &dyn StoreRows,
    organization: &str,
    project: &str,
    filter: &AgentFilter,
) -> Result<RecordPage<AgentJob>, StoreError> {
    let last = match &filter.cursor {
        Some(id) => {
            let last = find_agent_job(rows, &AgentRef { organization, project, id })?.ok_or(StoreError::Absent)?;
            Some(downward(last.order))
        }
        None => None,
    };
    let is_own = |job: &AgentJob| job.organization == organization && job.project == project;
    let fits = |job: &AgentJob| filter.status.is_none_or(|status| status == job.status);
    let list = LedgerList { range: range("runs", &[organization, project]), record: agent_record_key };
    lists::page_of_list(rows, list, last.as_deref(), filter.limit, is_own, fits)
}

/// Ends a job that is active.
pub(super) fn end_agent_job(rows: &mut Transaction<'_>, job: &AgentRef<'_>) -> Result<AgentJob, StoreError> {
    let found = find_agent_job(rows, job)?.ok_or(StoreError::Absent)?;
    match found.status {
        AgentStatus::Failed => Ok(found),
        AgentStatus::Completed | AgentStatus::Archived => Err(StoreError::Conflict("the job has ended")),
        AgentStatus::Active => {
            queue::withdraw(rows, WorkKind::Agent, job.id)?;
            end_agent_work(rows, job.id, Err(CANCELED.to_owned()))?;
            find_agent_job(rows, job)?.ok_or(StoreError::Absent)
        }
    }
}

/// Forgets a job, its prompts and what is being done for it.
pub(super) fn delete(rows: &mut Transaction<'_>, job: &AgentRef<'_>) -> Result<AgentJob, StoreError> {
    let mut found = find_agent_job(rows, job)?.ok_or(StoreError::Absent)?;
    if found.status == AgentStatus::Active {
        found = end_agent_job(rows, job)?;
    }
    remove_agent_job(rows, &found);
    Ok(found)
}

/// One more prompt to a job that has ended, with the trace of its request.
pub(super) fn add_agent_prompt(
    rows: &mut Transaction<'_>,
    job: &AgentRef<'_>,
    (prompt, trace): (String, Option<String>),
    caps: Caps,
    remember: Option<&Remember<AgentJob>>,
    now: Time,
) -> Result<AgentJob, StoreError> {
    let mut job = find_agent_job(rows, job)?.ok_or(StoreError::Absent)?;
    match job.status {
        AgentStatus::Active => return Err(StoreError::Conflict("the agent is at work on this job")),
        AgentStatus::Archived => return Err(StoreError::Conflict("the job is archived")),
        AgentStatus::Completed | AgentStatus::Failed if job.messages.len() >= AGENT_MESSAGES => {
            return Err(StoreError::Conflict("the job has too many messages: start another one"));
        }
        AgentStatus::Completed | AgentStatus::Failed => {}
    }
    rows.remove(idle(&job));
    job.messages.push(prompt);
    job.trace = trace;
    (job.status, job.pr_link, job.updated_at) = (AgentStatus::Active, None, stamp(job.updated_at));
    let order = rows.next("order")?;
    enqueue_run(rows, &job, order, caps)?;
    once::store_once_answer(rows, remember, &job, now)?;
    put_agent_job(rows, &job)?;
    Ok(job)
}

/// Puts a job away that has ended.
pub(super) fn archive(
    rows: &mut Transaction<'_>,
    job: &AgentRef<'_>,
    remember: Option<&Remember<AgentJob>>,
    now: Time,
) -> Result<AgentJob, StoreError> {
    let job = find_agent_job(rows, job)?.ok_or(StoreError::Absent)?;
    let job = match job.status {
        AgentStatus::Active => return Err(StoreError::Conflict("the agent is at work on this job")),
        AgentStatus::Archived => job,
        AgentStatus::Completed | AgentStatus::Failed => put_away(rows, job)?,
    };
    once::store_once_answer(rows, remember, &job, now)?;
    Ok(job)
}

/// Archives a job.
pub(super) fn put_away(rows: &mut Transaction<'_>, mut job: AgentJob) -> Result<AgentJob, StoreError> {
    rows.remove(idle(&job));
    let now = stamp(job.updated_at);
    (job.status, job.updated_at, job.archived_at) = (AgentStatus::Archived, now, Some(now));
    super::due::look_at(rows, "agent", &job.id, now);
    put_agent_job(rows, &job)?;
    Ok(job)
}

/// A worker begins, perhaps not the first one.
pub(super) fn begin_agent_work(rows: &mut Transaction<'_>, id: &str) -> Result<Option<WorkItem>, StoreError> {
    Ok(load_row::<AgentJob>(rows, &agent_record_key(id))?.map(|job| WorkItem::Agent(Box::new(job))))
}

/// The agent has ended, perhaps with a pull request.
pub(super) fn end_agent_work(
    rows: &mut Transaction<'_>,
    id: &str,
    outcome: Result<Option<String>, String>,
) -> Result<(), StoreError> {
    let Some(mut job) = load_row::<AgentJob>(rows, &agent_record_key(id))? else { return Ok(()) };
    job.updated_at = stamp(job.updated_at);
    (job.status, job.pr_link) = match outcome {
        Ok(link) => (AgentStatus::Completed, link),
        Err(_) => (AgentStatus::Failed, None),
    };
    rows.mark(idle(&job));
    put_agent_job(rows, &job)?;
    let is_good = job.status == AgentStatus::Completed;
    let kind = if is_good { EventKind::AgentCompleted } else { EventKind::AgentFailed };
    let subject = AgentJob { messages: Vec::new(), ..job.clone() };
    events::emit_event(rows, kind, &job.organization, job.updated_at, EventSubject::Agent(Box::new(subject)))
}

fn enqueue_run(rows: &mut Transaction<'_>, job: &AgentJob, order: u64, caps: Caps) -> Result<(), StoreError> {
    queue::room(rows, &job.organization, WorkKind::Agent, caps)?;
    queue::cap(rows, &job.organization, WorkKind::Agent, caps)?;
    queue::enqueue(rows, WorkKind::Agent, &job.organization, &job.id, order)
}

fn put_agent_job(rows: &mut Transaction<'_>, job: &AgentJob) -> Result<(), StoreError> {
    rows.touch(&job.id);
    rows.put(agent_record_key(&job.id), job)
}

/// The row of a job that has ended and is not put away.
fn idle(job: &AgentJob) -> String {
    row_key("idle", &[&sortable_number(job.updated_at.micros()), &job.id])
}

/// Removes a record and what leads to it.
pub(super) fn remove_agent_job(rows: &mut Transaction<'_>, job: &AgentJob) {
    rows.touch(&job.id);
    rows.remove(idle(job));
    rows.remove(agent_list_key(job));
    rows.remove(agent_record_key(&job.id));
}

/// The row of a job in the list of its project.
pub(super) fn agent_list_key(job: &AgentJob) -> String {
    row_key("runs", &[&job.organization, &job.project, &downward(job.order)])
}

pub(super) fn agent_record_key(id: &str) -> String {
    row_key("agent", &[id])
}
