//! Static exports (contract, section 6).

use super::super::record::ExportStatus;
use super::super::rows::{Rows, Transaction, counter_key, downward, key, load, part, range};
use super::super::work::{Exported, Work};
use super::{Caps, Error, ExportJob, Filter, Kind, Page, Remember, Report, Time, due, once, queue, stamp};

/// Most records that one page looks at: a filter that leaves out much costs more pages, not more time for one.
const MAX_SCANNED: usize = 1000;

/// The cause of a canceled job (contract).
const CANCELED: &str = "canceled";

/// Accepts an export.
pub(super) fn start(
    rows: &mut Transaction<'_>,
    mut job: ExportJob,
    caps: Caps,
    remember: Option<&Remember<ExportJob>>,
    now: Time,
) -> Result<ExportJob, Error> {
    rows.expect(&record(&job.id));
    rows.expect(&counter_key("order"));
    once::expect(rows, remember);
    queue::room(rows, &job.organization, Kind::Export, caps)?;
    if rows.value(&record(&job.id))?.is_some() {
        return Err(Error::Conflict("the id is taken"));
    }
    job.order = rows.next("order")?;
    queue::cap(rows, &job.organization, Kind::Export, caps)?;
    queue::enqueue(rows, Kind::Export, &job.organization, &job.id, job.order)?;
    rows.put(key("list", &[&job.organization, &downward(job.order)]), &job.id)?;
    rows.put(key("domain", &[&job.organization, &job.domain, &downward(job.order)]), &job.id)?;
    due::look_at(rows, "export", &job.id, job.created_at);
    once::answer(rows, remember, &job, now)?;
    put(rows, &job)?;
    Ok(job)
}

/// An export of an organization.
pub(super) fn find(rows: &dyn Rows, organization: &str, id: &str) -> Result<Option<ExportJob>, Error> {
    Ok(load::<ExportJob>(rows, &record(id))?.filter(|job| job.organization == organization))
}

/// An export of any organization.
pub(super) fn linked(rows: &dyn Rows, id: &str) -> Result<Option<ExportJob>, Error> {
    load(rows, &record(id))
}

/// A page of an organization's exports, newest first.
pub(super) fn list(rows: &dyn Rows, organization: &str, filter: &Filter) -> Result<Page, Error> {
    let (mut from, to) = match &filter.domain {
        Some(domain) => range("domain", &[organization, domain]),
        None => range("list", &[organization]),
    };
    if let Some(cursor) = &filter.cursor {
        let last = find(rows, organization, cursor)?.ok_or(Error::Absent)?;
        // behind the last one
        from = format!("{from}{}\u{1}", downward(last.order));
    }
    let mut ids = Vec::new();
    rows.scan(&from, &to, MAX_SCANNED + 1, &mut |_, id| {
        ids.push(String::from_utf8_lossy(id).trim_matches('"').to_owned());
        ids.len() <= MAX_SCANNED
    })?;
    let is_all = ids.len() <= MAX_SCANNED;
    ids.truncate(MAX_SCANNED);
    let (mut jobs, mut last) = (Vec::new(), None);
    for (at, id) in ids.iter().enumerate() {
        if at % filter.limit.max(1) == 0 {
            ids[at..].iter().take(filter.limit).for_each(|id| rows.expect(&record(id)));
        }
        let Some(job) = find(rows, organization, id)? else { continue };
        let fits = filter.status.is_none_or(|status| status == job.status);
        last = Some(id.clone());
        if fits {
            jobs.push(job);
        }
        if jobs.len() >= filter.limit.max(1) {
            let is_last = is_all && at + 1 == ids.len();
            return Ok(Page { jobs, next: last.filter(|_| !is_last) });
        }
    }
    Ok(Page { jobs, next: last.filter(|_| !is_all) })
}

/// Cancels an export.
pub(super) fn cancel(rows: &mut Transaction<'_>, organization: &str, id: &str) -> Result<ExportJob, Error> {
    rows.expect(&queue::task_key(Kind::Export, id));
    rows.expect(&queue::party_key(organization, Kind::Export));
    queue::expect_counts(rows);
    let job = find(rows, organization, id)?.ok_or(Error::Absent)?;
    match job.status {
        ExportStatus::Completed => Err(Error::Conflict("the export has completed")),
        ExportStatus::Failed => Ok(job),
        ExportStatus::Queued | ExportStatus::Running => {
            queue::withdraw(rows, Kind::Export, id)?;
            failed(rows, job, CANCELED)
        }
    }
}

/// A worker begins, perhaps not the first one.
pub(super) fn begin(rows: &mut Transaction<'_>, id: &str) -> Result<Option<Work>, Error> {
    let Some(mut job) = load::<ExportJob>(rows, &record(id))? else { return Ok(None) };
    job.status = ExportStatus::Running;
    job.updated_at = stamp(job.updated_at);
    put(rows, &job)?;
    Ok(Some(Work::Export(job)))
}

/// How far a worker is.
pub(super) fn progress(rows: &mut Transaction<'_>, id: &str, report: &Report) -> Result<(), Error> {
    let Some(mut job) = load::<ExportJob>(rows, &record(id))? else { return Ok(()) };
    job.progress = job.progress.max(report.progress.min(99));
    job.pages = job.pages.max(report.pages);
    job.updated_at = stamp(job.updated_at);
    put(rows, &job)
}

/// A worker has ended.
pub(super) fn end(rows: &mut Transaction<'_>, id: &str, outcome: Result<Exported, String>) -> Result<(), Error> {
    let Some(mut job) = load::<ExportJob>(rows, &record(id))? else { return Ok(()) };
    match outcome {
        Err(cause) => failed(rows, job, &cause).map(drop),
        Ok(done) => {
            let now = stamp(job.updated_at);
            (job.updated_at, job.ended_at) = (now, Some(now));
            (job.status, job.progress, job.pages) = (ExportStatus::Completed, 100, done.pages);
            job.version = Some(done.version);
            job.bundle = Some(done.archive);
            rows.put(kept(&job), &(&job.id, now))?;
            put(rows, &job)
        }
    }
}

fn failed(rows: &mut Transaction<'_>, mut job: ExportJob, cause: &str) -> Result<ExportJob, Error> {
    let now = stamp(job.updated_at);
    (job.updated_at, job.ended_at) = (now, Some(now));
    job.status = ExportStatus::Failed;
    job.error = Some(if cause.is_empty() { "the export failed".to_owned() } else { cause.to_owned() });
    put(rows, &job)?;
    Ok(job)
}

/// Writes a record that has changed.
pub(super) fn put(rows: &mut Transaction<'_>, job: &ExportJob) -> Result<(), Error> {
    rows.touch(&job.id);
    rows.put(record(&job.id), job)
}

/// Removes a record and what leads to it.
pub(super) fn remove(rows: &mut Transaction<'_>, job: &ExportJob) {
    rows.remove(record(&job.id));
    rows.remove(key("list", &[&job.organization, &downward(job.order)]));
    rows.remove(key("domain", &[&job.organization, &job.domain, &downward(job.order)]));
}

/// The row of an export that has a bundle.
pub(super) fn kept(job: &ExportJob) -> String {
    key("kept", &[&job.organization, &job.domain, &downward(job.order)])
}

/// Organization and domain of such a row.
pub(super) fn kept_of(row: &str) -> (&str, &str) {
    (part(row, 2), part(row, 1))
}

pub(super) fn record(id: &str) -> String {
    key("export", &[id])
}
