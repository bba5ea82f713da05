//! Deployments and what they lead to: one target for each host, on which one deployment runs at a time and at most one
//! waits (contract, section 5).

use super::super::event::{EventKind, EventSubject};
use super::super::record::{DeploymentStatus, LOG_LINES, LiveSite};
use super::super::rows::{
    RecordVersion, Reread, StoreRows, Transaction, counter_key, downward, load_row, range, reread_row, row_key,
    row_key_part,
};
use super::super::work::{Deployed, Undeployed, WorkItem};
use super::lists::LedgerList;
use super::{
    CANCELED, Caps, DeployTarget, DeploymentFilter, DeploymentRecord, RecordPage, Remember, Slice, StoreError, Time,
    WorkKind, WorkReport, archives, due, events, lists, once, queue, stamp,
};

/// Most targets that are looked at in one step.
const MAX_TARGETS: usize = 1000;

/// Accepts a deployment, or finds the one that waits already.
pub(super) fn accept_deployment(
    rows: &mut Transaction<'_>,
    mut deployment: DeploymentRecord,
    caps: Caps,
    remember: Option<&Remember<DeploymentRecord>>,
    now: Time,
) -> Result<DeploymentRecord, StoreError> {
    rows.expect(&target_key(&deployment.host));
    rows.expect(&counter_key("order"));
    rows.expect(&queue::party_key(&deployment.organization, WorkKind::Deployment));
    queue::expect_counts(rows);
    once::expect(rows, remember);
    let mut target = own_target(rows, &deployment)?;
    if let Some(waiting) = target.queued.as_deref()
        && let Some(waiting) = load_row::<DeploymentRecord>(rows, &deployment_record_key(waiting))?
    {
        once::store_once_answer(rows, remember, &waiting, now)?;
        return Ok(waiting);
    }
    deployment.order = rows.next("order")?;
    // one that follows another waits outside the queue until that has ended
    if target.running.is_none() {
        queue::room(rows, &deployment.organization, WorkKind::Deployment, caps)?;
        queue::cap(rows, &deployment.organization, WorkKind::Deployment, caps)?;
        queue::enqueue(rows, WorkKind::Deployment, &deployment.organization, &deployment.id, deployment.order)?;
    }
    target.queued = Some(deployment.id.clone());
    target.last = Some(deployment.id.clone());
    put_target(rows, &target)?;
    rows.put(deployment_list_key(&deployment), &deployment.id)?;
    due::look_at(rows, "deployment", &deployment.id, deployment.created_at);
    once::store_once_answer(rows, remember, &deployment, now)?;
    put_deployment(rows, &deployment)?;
    Ok(deployment)
}

/// The target of a deployment, new if there is none or if its host belonged to another project.
fn own_target(rows: &mut Transaction<'_>, deployment: &DeploymentRecord) -> Result<DeployTarget, StoreError> {
    let last = find_host_target(rows, &deployment.host)?;
    let is_own = |target: &DeployTarget| {
        target.organization == deployment.organization
            && target.project == deployment.project
            && target.branch == deployment.branch
    };
    match last {
        Some(target) if is_own(&target) => return Ok(target),
        Some(target) => {
            rows.remove(preview_list_key(&target));
            if let Some(live) = target.live {
                archives::remove_reference(rows, &live.archive.key, &live.deployment);
            }
        }
        None => {}
    }
    Ok(DeployTarget {
        host: deployment.host.clone(),
        organization: deployment.organization.clone(),
        project: deployment.project.clone(),
        branch: deployment.branch.clone(),
        live: None,
        queued: None,
        running: None,
        last: None,
    })
}

/// A deployment of an organization.
pub(super) fn find_deployment(
    rows: &dyn StoreRows,
    organization: &str,
    id: &str,
) -> Result<Option<DeploymentRecord>, StoreError> {
    Ok(load_row::<DeploymentRecord>(rows, &deployment_record_key(id))?
        .filter(|deployment| deployment.organization == organization))
}

/// The same, unless it is what it was.
pub(super) fn reread_deployment(
    rows: &dyn StoreRows,
    organization: &str,
    id: &str,
    known: Option<&RecordVersion>,
) -> Result<Reread<DeploymentRecord>, StoreError> {
    Ok(reread_row::<DeploymentRecord>(rows, &deployment_record_key(id), known)?
        .filter(|deployment| deployment.organization == organization))
}

/// What a host shows.
pub(super) fn find_host_target(rows: &dyn StoreRows, host: &str) -> Result<Option<DeployTarget>, StoreError> {
    load_row(rows, &target_key(host))
}

/// A page of a project's deployments, newest first.
pub(super) fn page_of_deployments(
    rows: &dyn StoreRows,
    organization: &str,
    project: &str,
    filter: &DeploymentFilter,
) -> Result<RecordPage<DeploymentRecord>, StoreError> {
    let is_own =
        |deployment: &DeploymentRecord| deployment.organization == organization && deployment.project == project;
    let last = match &filter.cursor {
        Some(cursor) => {
            let last = load_row::<DeploymentRecord>(rows, &deployment_record_key(cursor))?
                .filter(is_own)
                .ok_or(StoreError::Absent)?;
            Some(downward(last.order))
        }
        None => None,
    };
    let fits = |deployment: &DeploymentRecord| {
        filter.status.is_none_or(|status| status == deployment.status)
            && filter.branch.as_ref().is_none_or(|branch| deployment.branch.as_ref() == Some(branch))
    };
    let list = LedgerList { range: range("builds", &[organization, project]), record: deployment_record_key };
    lists::page_of_list(rows, list, last.as_deref(), filter.limit, is_own, fits)
}

/// A page of a project's previews by host, each with its newest deployment, as far as its record is kept.
pub(super) fn list_previews(
    rows: &dyn StoreRows,
    organization: &str,
    project: &str,
    slice: &Slice,
) -> Result<RecordPage<(DeployTarget, Option<DeploymentRecord>)>, StoreError> {
    if let Some(cursor) = &slice.cursor {
        find_preview(rows, organization, project, cursor)?.ok_or(StoreError::Absent)?;
    }
    let list = LedgerList { range: range("shown", &[organization, project]), record: target_key };
    let is_own = |target: &DeployTarget| is_preview(target, organization, project);
    let RecordPage { items, next } =
        lists::page_of_list(rows, list, slice.cursor.as_deref(), slice.limit, is_own, |_| true)?;
    items.iter().filter_map(newest_id).for_each(|id| rows.expect(&deployment_record_key(id)));
    let with_newest = |target: DeployTarget| {
        let newest = newest(rows, &target)?;
        Ok((target, newest))
    };
    Ok(RecordPage { items: items.into_iter().map(with_newest).collect::<Result<_, StoreError>>()?, next })
}

/// A preview of a project.
pub(super) fn find_preview(
    rows: &dyn StoreRows,
    organization: &str,
    project: &str,
    host: &str,
) -> Result<Option<DeployTarget>, StoreError> {
    Ok(find_host_target(rows, host)?.filter(|target| is_preview(target, organization, project)))
}

fn is_preview(target: &DeployTarget, organization: &str, project: &str) -> bool {
    target.organization == organization && target.project == project && target.branch.is_some()
}

/// The newest deployment of a target.
pub(super) fn newest(rows: &dyn StoreRows, target: &DeployTarget) -> Result<Option<DeploymentRecord>, StoreError> {
    newest_id(target).map_or(Ok(None), |id| find_deployment(rows, &target.organization, id))
}

fn newest_id(target: &DeployTarget) -> Option<&String> {
    let live = target.live.as_ref().map(|live| &live.deployment);
    target.last.as_ref().or(target.queued.as_ref()).or(target.running.as_ref()).or(live)
}

/// The previews of a project on which nothing is being done, among the first ones behind a host; and the last host that
/// was looked at, if there may be more.
pub(super) fn page_of_previews(
    rows: &dyn StoreRows,
    organization: &str,
    project: &str,
    behind: Option<&str>,
) -> Result<(Vec<DeployTarget>, Option<String>), StoreError> {
    let (mut from, to) = range("shown", &[organization, project]);
    if let Some(behind) = behind {
        from = format!("{from}{behind}\0");
    }
    let mut hosts = Vec::new();
    rows.scan(&from, &to, MAX_TARGETS, &mut |row, _| {
        hosts.push(row_key_part(row, 0).to_owned());
        hosts.len() < MAX_TARGETS
    })?;
    hosts.iter().for_each(|host| rows.expect(&target_key(host)));
    let mut found = Vec::new();
    for host in &hosts {
        found.extend(find_preview(rows, organization, project, host)?.filter(is_idle));
    }
    Ok((found, if hosts.len() < MAX_TARGETS { None } else { hosts.pop() }))
}

/// Cancels a deployment that waits or runs.
pub(super) fn end_deployment(
    rows: &mut Transaction<'_>,
    organization: &str,
    id: &str,
) -> Result<DeploymentRecord, StoreError> {
    let deployment = find_deployment(rows, organization, id)?.ok_or(StoreError::Absent)?;
    match deployment.status {
        DeploymentStatus::Success => Err(StoreError::Conflict("the deployment has succeeded")),
        DeploymentStatus::Failure => Ok(deployment),
        DeploymentStatus::Queued | DeploymentStatus::InProgress => {
            if let Some(mut target) =
                find_host_target(rows, &deployment.host)?.filter(|target| target.queued.as_deref() == Some(id))
            {
                target.queued = None;
                put_target(rows, &target)?;
            }
            queue::withdraw(rows, WorkKind::Deployment, id)?;
            fail_deployment(rows, id, CANCELED)?;
            find_deployment(rows, organization, id)?.ok_or(StoreError::Absent)
        }
    }
}

/// Removes a preview, and cancels what is being done on it.
pub(super) fn delete_preview(
    rows: &mut Transaction<'_>,
    organization: &str,
    project: &str,
    host: &str,
) -> Result<(DeployTarget, Option<DeploymentRecord>), StoreError> {
    let target = find_preview(rows, organization, project, host)?.ok_or(StoreError::Absent)?;
    // nothing follows what is canceled
    put_target(rows, &DeployTarget { queued: None, running: None, ..target.clone() })?;
    for id in [&target.queued, &target.running].into_iter().flatten() {
        queue::withdraw(rows, WorkKind::Deployment, id)?;
        fail_deployment(rows, id, CANCELED)?;
    }
    if let Some(live) = &target.live {
        archives::remove_reference(rows, &live.archive.key, &live.deployment);
    }
    remove_target(rows, &target);
    let newest = newest(rows, &target)?;
    Ok((target, newest))
}

/// Removes a preview, if it is as it was when it was looked at.
pub(super) fn remove_preview(rows: &mut Transaction<'_>, seen: &DeployTarget) -> Result<(), StoreError> {
    if find_host_target(rows, &seen.host)?.is_none_or(|target| target != *seen || !is_idle(&target)) {
        return Ok(());
    }
    if let Some(live) = &seen.live {
        archives::remove_reference(rows, &live.archive.key, &live.deployment);
    }
    remove_target(rows, seen);
    Ok(())
}

/// Its host is as unknown as before.
fn remove_target(rows: &mut Transaction<'_>, target: &DeployTarget) {
    rows.touch(&target.host);
    rows.remove(preview_list_key(target));
    rows.remove(target_key(&target.host));
}

const fn is_idle(target: &DeployTarget) -> bool {
    target.queued.is_none() && target.running.is_none()
}

/// A worker begins, perhaps not the first one.
pub(super) fn begin_deployment(rows: &mut Transaction<'_>, id: &str) -> Result<Option<WorkItem>, StoreError> {
    let Some(mut deployment) = load_row::<DeploymentRecord>(rows, &deployment_record_key(id))? else { return Ok(None) };
    let mut target = own_target(rows, &deployment)?;
    if target.queued.as_deref() == Some(id) {
        target.queued = None;
    }
    target.running = Some(deployment.id.clone());
    put_target(rows, &target)?;
    deployment.status = DeploymentStatus::InProgress;
    deployment.summary = "in progress".to_owned();
    deployment.updated_at = stamp(deployment.updated_at);
    put_deployment(rows, &deployment)?;
    Ok(Some(WorkItem::Deployment(Box::new(deployment), Box::new(target))))
}

/// How far a worker is.
pub(super) fn report_deployment_progress(
    rows: &mut Transaction<'_>,
    id: &str,
    report: &WorkReport,
) -> Result<(), StoreError> {
    let Some(mut deployment) = load_row::<DeploymentRecord>(rows, &deployment_record_key(id))? else { return Ok(()) };
    deployment.updated_at = stamp(deployment.updated_at);
    if report.pages > 0 {
        deployment.summary = format!("{} pages so far", report.pages);
    }
    if report.commit.is_some() {
        deployment.commit.clone_from(&report.commit);
    }
    put_deployment(rows, &deployment)
}

/// There was no room for it on the disk; it is tried again.
pub(super) fn wait(rows: &mut Transaction<'_>, id: &str, why: String) -> Result<(), StoreError> {
    let Some(mut deployment) = load_row::<DeploymentRecord>(rows, &deployment_record_key(id))? else { return Ok(()) };
    deployment.updated_at = stamp(deployment.updated_at);
    deployment.summary = why;
    put_deployment(rows, &deployment)
}

/// A worker has ended; the next deployment of the target gets into the queue.
pub(super) fn end_deployment_work(
    rows: &mut Transaction<'_>,
    id: &str,
    outcome: Result<Deployed, Undeployed>,
) -> Result<(), StoreError> {
    let Some(mut deployment) = load_row::<DeploymentRecord>(rows, &deployment_record_key(id))? else { return Ok(()) };
    let now = stamp(deployment.updated_at);
    (deployment.updated_at, deployment.ended_at) = (now, Some(now));
    let mut target = find_host_target(rows, &deployment.host)?.filter(|target| target.running.as_deref() == Some(id));
    let branch_gone = matches!(&outcome, Err(done) if done.branch_gone);
    match outcome {
        Ok(done) => {
            deployment.status = DeploymentStatus::Success;
            describe_deployment(&mut deployment, done.summary, done.logs, done.commit);
            let live = LiveSite {
                deployment: deployment.id.clone(),
                archive: done.archive,
                commit: deployment.commit.clone(),
            };
            let goes = match &mut target {
                Some(target) => target.live.replace(live),
                // the host has become another project's
                None => Some(live),
            };
            if let Some(goes) = goes {
                archives::remove_reference(rows, &goes.archive.key, &goes.deployment);
            }
        }
        Err(done) => {
            deployment.status = DeploymentStatus::Failure;
            describe_deployment(&mut deployment, done.summary, done.logs, done.commit);
            let gone = target.as_mut().filter(|_| branch_gone).and_then(|target| target.live.take());
            if let Some(gone) = gone {
                archives::remove_reference(rows, &gone.archive.key, &gone.deployment);
            }
        }
    }
    put_deployment(rows, &deployment)?;
    let is_good = deployment.status == DeploymentStatus::Success;
    let kind = if is_good { EventKind::DeploymentSucceeded } else { EventKind::DeploymentFailed };
    let subject = DeploymentRecord { logs: Vec::new(), ..deployment.clone() };
    events::emit_event(rows, kind, &deployment.organization, now, EventSubject::Deployment(Box::new(subject)))?;
    let Some(mut target) = target else { return Ok(()) };
    target.running = None;
    if branch_gone && target.queued.is_none() {
        remove_target(rows, &target);
        return Ok(());
    }
    if let Some(next) = target.queued.as_deref()
        && let Some(next) = load_row::<DeploymentRecord>(rows, &deployment_record_key(next))?
    {
        queue::enqueue(rows, WorkKind::Deployment, &next.organization, &next.id, next.order)?;
    }
    put_target(rows, &target)
}

/// A deployment has failed without a word of its worker.
pub(super) fn fail_deployment(rows: &mut Transaction<'_>, id: &str, cause: &str) -> Result<(), StoreError> {
    end_deployment_work(
        rows,
        id,
        Err(Undeployed { summary: cause.to_owned(), logs: vec![cause.to_owned()], commit: None, branch_gone: false }),
    )
}

fn describe_deployment(
    deployment: &mut DeploymentRecord,
    summary: String,
    mut logs: Vec<String>,
    commit: Option<super::super::DeployedCommit>,
) {
    logs.truncate(LOG_LINES);
    (deployment.summary, deployment.logs) = (summary, logs);
    deployment.commit = commit.or_else(|| deployment.commit.take());
}

fn put_deployment(rows: &mut Transaction<'_>, deployment: &DeploymentRecord) -> Result<(), StoreError> {
    rows.touch(&deployment.id);
    rows.put(deployment_record_key(&deployment.id), deployment)
}

/// Targets are watched by their host.
fn put_target(rows: &mut Transaction<'_>, target: &DeployTarget) -> Result<(), StoreError> {
    rows.touch(&target.host);
    if target.branch.is_some() {
        rows.put(preview_list_key(target), &target.host)?;
    }
    rows.put(target_key(&target.host), target)
}

fn target_key(host: &str) -> String {
    row_key("target", &[host])
}

/// Removes a record and what leads to it.
pub(super) fn remove_deployment(rows: &mut Transaction<'_>, deployment: &DeploymentRecord) {
    rows.remove(deployment_list_key(deployment));
    rows.remove(deployment_record_key(&deployment.id));
}

/// The row of a deployment in the list of its project.
pub(super) fn deployment_list_key(deployment: &DeploymentRecord) -> String {
    row_key("builds", &[&deployment.organization, &deployment.project, &downward(deployment.order)])
}

/// The row of a preview in the list of its project.
pub(super) fn preview_list_key(target: &DeployTarget) -> String {
    row_key("shown", &[&target.organization, &target.project, &target.host])
}

pub(super) fn deployment_record_key(id: &str) -> String {
    row_key("deployment", &[id])
}
