//! Agent jobs (contract, section 8): a job is one conversation, each prompt of which is one run.

use super::super::record::{AGENT_MESSAGES, AgentStatus};
use super::super::rows::{Rows, Transaction, counter_key, key, load, number};
use super::super::work::Work;
use super::{AgentJob, AgentRef, Caps, Error, Kind, Remember, Time, once, queue, stamp};

/// Accepts a job.
pub(super) fn start(
    rows: &mut Transaction<'_>,
    mut job: AgentJob,
    caps: Caps,
    remember: Option<&Remember<AgentJob>>,
    now: Time,
) -> Result<AgentJob, Error> {
    rows.expect(&record(&job.id));
    rows.expect(&counter_key("order"));
    rows.expect(&queue::party_key(&job.organization, Kind::Agent));
    queue::expect_counts(rows);
    once::expect(rows, remember);
    if rows.value(&record(&job.id))?.is_some() {
        return Err(Error::Conflict("the id is taken"));
    }
    job.order = rows.next("order")?;
    run(rows, &job, job.order, caps)?;
    once::answer(rows, remember, &job, now)?;
    put(rows, &job)?;
    Ok(job)
}

/// A job of a project of an organization.
pub(super) fn find(rows: &dyn Rows, job: &AgentRef<'_>) -> Result<Option<AgentJob>, Error> {
    let found = load::<AgentJob>(rows, &record(job.id))?;
    Ok(found.filter(|found| found.organization == job.organization && found.project == job.project))
}

/// One more prompt to a job that has ended.
pub(super) fn message(
    rows: &mut Transaction<'_>,
    job: &AgentRef<'_>,
    prompt: String,
    caps: Caps,
    remember: Option<&Remember<AgentJob>>,
    now: Time,
) -> Result<AgentJob, Error> {
    let mut job = find(rows, job)?.ok_or(Error::Absent)?;
    match job.status {
        AgentStatus::Active => return Err(Error::Conflict("the agent is at work on this job")),
        AgentStatus::Archived => return Err(Error::Conflict("the job is archived")),
        AgentStatus::Completed | AgentStatus::Failed if job.messages.len() >= AGENT_MESSAGES => {
            return Err(Error::Conflict("the job has too many messages: start another one"));
        }
        AgentStatus::Completed | AgentStatus::Failed => {}
    }
    rows.remove(idle(&job));
    job.messages.push(prompt);
    (job.status, job.pr_link, job.updated_at) = (AgentStatus::Active, None, stamp(job.updated_at));
    let order = rows.next("order")?;
    run(rows, &job, order, caps)?;
    once::answer(rows, remember, &job, now)?;
    put(rows, &job)?;
    Ok(job)
}

/// Puts a job away that has ended.
pub(super) fn archive(
    rows: &mut Transaction<'_>,
    job: &AgentRef<'_>,
    remember: Option<&Remember<AgentJob>>,
    now: Time,
) -> Result<AgentJob, Error> {
    let job = find(rows, job)?.ok_or(Error::Absent)?;
    let job = match job.status {
        AgentStatus::Active => return Err(Error::Conflict("the agent is at work on this job")),
        AgentStatus::Archived => job,
        AgentStatus::Completed | AgentStatus::Failed => put_away(rows, job)?,
    };
    once::answer(rows, remember, &job, now)?;
    Ok(job)
}

/// Archives a job.
pub(super) fn put_away(rows: &mut Transaction<'_>, mut job: AgentJob) -> Result<AgentJob, Error> {
    rows.remove(idle(&job));
    let now = stamp(job.updated_at);
    (job.status, job.updated_at, job.archived_at) = (AgentStatus::Archived, now, Some(now));
    super::due::look_at(rows, "agent", &job.id, now);
    put(rows, &job)?;
    Ok(job)
}

/// A worker begins, perhaps not the first one.
pub(super) fn begin(rows: &mut Transaction<'_>, id: &str) -> Result<Option<Work>, Error> {
    Ok(load::<AgentJob>(rows, &record(id))?.map(Work::Agent))
}

/// The agent has ended, perhaps with a pull request.
pub(super) fn end(rows: &mut Transaction<'_>, id: &str, outcome: Result<Option<String>, String>) -> Result<(), Error> {
    let Some(mut job) = load::<AgentJob>(rows, &record(id))? else { return Ok(()) };
    job.updated_at = stamp(job.updated_at);
    (job.status, job.pr_link) = match outcome {
        Ok(link) => (AgentStatus::Completed, link),
        Err(_) => (AgentStatus::Failed, None),
    };
    rows.mark(idle(&job));
    put(rows, &job)
}

fn run(rows: &mut Transaction<'_>, job: &AgentJob, order: u64, caps: Caps) -> Result<(), Error> {
    queue::room(rows, &job.organization, Kind::Agent, caps)?;
    queue::cap(rows, &job.organization, Kind::Agent, caps)?;
    queue::enqueue(rows, Kind::Agent, &job.organization, &job.id, order)
}

fn put(rows: &mut Transaction<'_>, job: &AgentJob) -> Result<(), Error> {
    rows.touch(&job.id);
    rows.put(record(&job.id), job)
}

/// The row of a job that has ended and is not put away.
fn idle(job: &AgentJob) -> String {
    key("idle", &[&number(job.updated_at.micros()), &job.id])
}

pub(super) fn record(id: &str) -> String {
    key("agent", &[id])
}
