//! Static exports (contract, section 6).

use super::super::event::{EventKind, EventSubject};
use super::super::record::{ExportLog, ExportStatus, FIRST_FINDINGS};
use super::super::rows::{
    RecordVersion, Reread, StoreRows, Transaction, counter_key, downward, load_row, range, reread_row, row_key,
    row_key_part,
};
use super::super::work::{Exported, Unexported, WorkItem};
use super::lists::LedgerList;
use super::{
    CANCELED, Caps, ExportFilter, ExportJob, RecordPage, Remember, StoreError, Time, WorkKind, WorkReport, due, events,
    lists, once, queue, stamp,
};

/// Accepts an export.
pub(super) fn accept_export(
    rows: &mut Transaction<'_>,
    mut job: ExportJob,
    caps: Caps,
    remember: Option<&Remember<ExportJob>>,
    now: Time,
) -> Result<ExportJob, StoreError> {
    rows.expect(&export_record_key(&job.id));
    rows.expect(&counter_key("order"));
    once::expect(rows, remember);
    queue::room(rows, &job.organization, WorkKind::Export, caps)?;
    if rows.value(&export_record_key(&job.id))?.is_some() {
        return Err(StoreError::Conflict("the id is taken"));
    }
    job.order = rows.next("order")?;
    queue::cap(rows, &job.organization, WorkKind::Export, caps)?;
    queue::enqueue(rows, WorkKind::Export, &job.organization, &job.id, job.order)?;
    rows.put(row_key("list", &[&job.organization, &downward(job.order)]), &job.id)?;
    rows.put(row_key("domain", &[&job.organization, &job.domain, &downward(job.order)]), &job.id)?;
    due::look_at(rows, "export", &job.id, job.created_at);
    once::store_once_answer(rows, remember, &job, now)?;
    put_export(rows, &job)?;
    Ok(job)
}

/// An export of an organization.
pub(super) fn find_export(rows: &dyn StoreRows, organization: &str, id: &str) -> Result<Option<ExportJob>, StoreError> {
    Ok(load_row::<ExportJob>(rows, &export_record_key(id))?.filter(|job| job.organization == organization))
}

/// The same, unless it is what it was.
pub(super) fn reread_export(
    rows: &dyn StoreRows,
    organization: &str,
    id: &str,
    known: Option<&RecordVersion>,
) -> Result<Reread<ExportJob>, StoreError> {
    Ok(reread_row::<ExportJob>(rows, &export_record_key(id), known)?.filter(|job| job.organization == organization))
}

/// An export of any organization.
pub(super) fn linked(rows: &dyn StoreRows, id: &str) -> Result<Option<ExportJob>, StoreError> {
    load_row(rows, &export_record_key(id))
}

/// What is kept of how an export went, once it has ended.
pub(super) fn find_export_log(
    rows: &dyn StoreRows,
    organization: &str,
    id: &str,
) -> Result<Option<ExportLog>, StoreError> {
    if find_export(rows, organization, id)?.is_some() { load_row(rows, &log_of(id)) } else { Ok(None) }
}

/// A page of an organization's exports, newest first.
pub(super) fn page_of_exports(
    rows: &dyn StoreRows,
    organization: &str,
    filter: &ExportFilter,
) -> Result<RecordPage<ExportJob>, StoreError> {
    let range = match &filter.domain {
        Some(domain) => range("domain", &[organization, domain]),
        None => range("list", &[organization]),
    };
    let last = match &filter.cursor {
        Some(cursor) => Some(downward(find_export(rows, organization, cursor)?.ok_or(StoreError::Absent)?.order)),
        None => None,
    };
    let fits = |job: &ExportJob| filter.status.is_none_or(|status| status == job.status);
    let is_own = |job: &ExportJob| job.organization == organization;
    lists::page_of_list(
        rows,
        LedgerList { range, record: export_record_key },
        last.as_deref(),
        filter.limit,
        is_own,
        fits,
    )
}

/// Cancels an export.
pub(super) fn end_export(rows: &mut Transaction<'_>, organization: &str, id: &str) -> Result<ExportJob, StoreError> {
    rows.expect(&queue::task_key(WorkKind::Export, id));
    rows.expect(&queue::party_key(organization, WorkKind::Export));
    queue::expect_counts(rows);
    let job = find_export(rows, organization, id)?.ok_or(StoreError::Absent)?;
    match job.status {
        ExportStatus::Completed => Err(StoreError::Conflict("the export has completed")),
        ExportStatus::Failed => Ok(job),
        ExportStatus::Queued | ExportStatus::Running => {
            queue::withdraw(rows, WorkKind::Export, id)?;
            fail_export(rows, job, CANCELED)
        }
    }
}

/// A worker begins, perhaps not the first one.
pub(super) fn begin_export(rows: &mut Transaction<'_>, id: &str) -> Result<Option<WorkItem>, StoreError> {
    let Some(mut job) = load_row::<ExportJob>(rows, &export_record_key(id))? else { return Ok(None) };
    job.status = ExportStatus::Running;
    job.waiting = None;
    job.updated_at = stamp(job.updated_at);
    job.started_at = job.started_at.or(Some(job.updated_at));
    put_export(rows, &job)?;
    Ok(Some(WorkItem::Export(Box::new(job))))
}

/// How far a worker is.
pub(super) fn report_export_progress(
    rows: &mut Transaction<'_>,
    id: &str,
    report: &WorkReport,
) -> Result<(), StoreError> {
    let Some(mut job) = load_row::<ExportJob>(rows, &export_record_key(id))? else { return Ok(()) };
    job.progress = job.progress.max(report.progress.min(99));
    job.pages = job.pages.max(report.pages);
    if report.commit.is_some() {
        job.commit.clone_from(&report.commit);
    }
    job.updated_at = stamp(job.updated_at);
    put_export(rows, &job)
}

/// It waits to be tried again.
pub(super) fn wait(rows: &mut Transaction<'_>, id: &str, why: String) -> Result<(), StoreError> {
    let Some(mut job) = load_row::<ExportJob>(rows, &export_record_key(id))? else { return Ok(()) };
    job.waiting = Some(why);
    job.updated_at = stamp(job.updated_at);
    put_export(rows, &job)
}

/// It goes on, though nothing is new.
pub(super) fn live(rows: &mut Transaction<'_>, id: &str) -> Result<(), StoreError> {
    report_export_progress(rows, id, &WorkReport::default())
}

/// A worker has ended.
pub(super) fn end_export_work(
    rows: &mut Transaction<'_>,
    id: &str,
    outcome: Result<Exported, Unexported>,
) -> Result<(), StoreError> {
    let Some(mut job) = load_row::<ExportJob>(rows, &export_record_key(id))? else { return Ok(()) };
    let log = outcome.as_ref().map_or_else(|failed| &failed.log, |done| &done.log);
    job.commit = log.commit.clone().or(job.commit);
    job.signed_by.clone_from(&log.signed_by);
    job.findings.clone_from(&log.findings);
    job.findings.first.truncate(FIRST_FINDINGS);
    if *log != ExportLog::default() {
        rows.put(log_of(id), log)?;
    }
    match outcome {
        Err(failed) => fail_export(rows, job, &failed.cause).map(drop),
        Ok(done) => {
            let now = stamp(job.updated_at);
            (job.updated_at, job.ended_at, job.waiting) = (now, Some(now), None);
            (job.status, job.progress, job.pages) = (ExportStatus::Completed, 100, done.pages);
            job.version = Some(done.version);
            job.bundle = Some(done.archive);
            rows.put(retained_export_key(&job), &(&job.id, now))?;
            put_export(rows, &job)?;
            emit_export_event(rows, EventKind::ExportCompleted, &job)
        }
    }
}

fn fail_export(rows: &mut Transaction<'_>, mut job: ExportJob, cause: &str) -> Result<ExportJob, StoreError> {
    let now = stamp(job.updated_at);
    (job.updated_at, job.ended_at, job.waiting) = (now, Some(now), None);
    job.status = ExportStatus::Failed;
    job.error = Some(if cause.is_empty() { "the export failed".to_owned() } else { cause.to_owned() });
    put_export(rows, &job)?;
    emit_export_event(rows, EventKind::ExportFailed, &job)?;
    Ok(job)
}

fn emit_export_event(rows: &mut Transaction<'_>, kind: EventKind, job: &ExportJob) -> Result<(), StoreError> {
    // which pages were asked for may be long, and is known to those who asked
    let subject = ExportJob { paths: Vec::new(), ..job.clone() };
    events::emit_event(rows, kind, &job.organization, job.updated_at, EventSubject::Export(Box::new(subject)))
}

/// Writes a record that has changed.
pub(super) fn put_export(rows: &mut Transaction<'_>, job: &ExportJob) -> Result<(), StoreError> {
    rows.touch(&job.id);
    rows.put(export_record_key(&job.id), job)
}

/// Removes a record and what leads to it.
pub(super) fn remove_export(rows: &mut Transaction<'_>, job: &ExportJob) {
    rows.remove(export_record_key(&job.id));
    rows.remove(log_of(&job.id));
    rows.remove(row_key("list", &[&job.organization, &downward(job.order)]));
    rows.remove(row_key("domain", &[&job.organization, &job.domain, &downward(job.order)]));
}

/// The row of an export that has a bundle.
pub(super) fn retained_export_key(job: &ExportJob) -> String {
    row_key("kept", &[&job.organization, &job.domain, &downward(job.order)])
}

/// Organization and domain of such a row.
pub(super) fn parse_retained_export_key(row: &str) -> (&str, &str) {
    (row_key_part(row, 2), row_key_part(row, 1))
}

fn log_of(id: &str) -> String {
    row_key("log", &[id])
}

pub(super) fn export_record_key(id: &str) -> String {
    row_key("export", &[id])
}
