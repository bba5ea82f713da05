//! Deployments and what they lead to: one target for each host, on which one deployment runs at a time and at most one
//! waits (contract, section 5).

use super::super::record::{DeploymentStatus, LOG_LINES, Live};
use super::super::rows::{Rows, Transaction, counter_key, key, load, parse, part, range};
use super::super::work::{Deployed, Undeployed, Work};
use super::{Caps, Deployment, Error, Kind, Remember, Report, Target, Time, archives, due, once, queue, stamp};

/// Most targets that are looked at in one step.
const MAX_TARGETS: usize = 1000;

/// Accepts a deployment, or finds the one that waits already.
pub(super) fn start(
    rows: &mut Transaction<'_>,
    mut deployment: Deployment,
    caps: Caps,
    remember: Option<&Remember<Deployment>>,
    now: Time,
) -> Result<Deployment, Error> {
    rows.expect(&target_key(&deployment.host));
    rows.expect(&counter_key("order"));
    rows.expect(&queue::party_key(&deployment.organization, Kind::Deployment));
    queue::expect_counts(rows);
    once::expect(rows, remember);
    let mut target = own_target(rows, &deployment)?;
    if let Some(waiting) = target.queued.as_deref()
        && let Some(waiting) = load::<Deployment>(rows, &record(waiting))?
    {
        once::answer(rows, remember, &waiting, now)?;
        return Ok(waiting);
    }
    deployment.order = rows.next("order")?;
    // one that follows another waits outside the queue until that has ended
    if target.running.is_none() {
        queue::room(rows, &deployment.organization, Kind::Deployment, caps)?;
        queue::cap(rows, &deployment.organization, Kind::Deployment, caps)?;
        queue::enqueue(rows, Kind::Deployment, &deployment.organization, &deployment.id, deployment.order)?;
    }
    target.queued = Some(deployment.id.clone());
    put_target(rows, &target)?;
    due::look_at(rows, "deployment", &deployment.id, deployment.created_at);
    once::answer(rows, remember, &deployment, now)?;
    put(rows, &deployment)?;
    Ok(deployment)
}

/// The target of a deployment, new if there is none or if its host belonged to another project.
fn own_target(rows: &mut Transaction<'_>, deployment: &Deployment) -> Result<Target, Error> {
    let last = target(rows, &deployment.host)?;
    let is_own = |target: &Target| {
        target.organization == deployment.organization
            && target.project == deployment.project
            && target.branch == deployment.branch
    };
    match last {
        Some(target) if is_own(&target) => return Ok(target),
        Some(Target { live: Some(live), .. }) => archives::remove_reference(rows, &live.archive.key, &live.deployment),
        _ => {}
    }
    Ok(Target {
        host: deployment.host.clone(),
        organization: deployment.organization.clone(),
        project: deployment.project.clone(),
        branch: deployment.branch.clone(),
        live: None,
        queued: None,
        running: None,
    })
}

/// A deployment of an organization.
pub(super) fn find(rows: &dyn Rows, organization: &str, id: &str) -> Result<Option<Deployment>, Error> {
    Ok(load::<Deployment>(rows, &record(id))?.filter(|deployment| deployment.organization == organization))
}

/// What a host shows.
pub(super) fn target(rows: &dyn Rows, host: &str) -> Result<Option<Target>, Error> {
    load(rows, &target_key(host))
}

/// The previews of a project on which nothing is being done, among the first targets behind a host; and the last of
/// these, if there are more.
pub(super) fn previews(
    rows: &dyn Rows,
    organization: &str,
    project: &str,
    behind: Option<&str>,
) -> Result<(Vec<Target>, Option<String>), Error> {
    let (mut from, to) = range("target", &[]);
    if let Some(behind) = behind {
        from = format!("{}\0", target_key(behind));
    }
    let (mut found, mut failed, mut seen, mut last) = (Vec::new(), None, 0, None);
    let is_one =
        |target: &Target| target.organization == organization && target.project == project && target.branch.is_some();
    rows.scan(&from, &to, MAX_TARGETS, &mut |row, value| {
        seen += 1;
        if seen == MAX_TARGETS {
            last = Some(part(row, 0).to_owned());
        }
        match parse::<Target>(value) {
            Ok(target) if is_one(&target) && is_idle(&target) => found.push(target),
            Ok(_) => {}
            Err(error) => failed = Some(error),
        }
        failed.is_none() && last.is_none()
    })?;
    failed.map_or(Ok((found, last)), Err)
}

/// Removes a preview, if it is as it was when it was looked at.
pub(super) fn remove_preview(rows: &mut Transaction<'_>, seen: &Target) -> Result<(), Error> {
    if target(rows, &seen.host)?.is_none_or(|target| target != *seen || !is_idle(&target)) {
        return Ok(());
    }
    if let Some(live) = &seen.live {
        archives::remove_reference(rows, &live.archive.key, &live.deployment);
    }
    remove_target(rows, &seen.host);
    Ok(())
}

/// Its host is as unknown as before.
fn remove_target(rows: &mut Transaction<'_>, host: &str) {
    rows.touch(host);
    rows.remove(target_key(host));
}

const fn is_idle(target: &Target) -> bool {
    target.queued.is_none() && target.running.is_none()
}

/// A worker begins, perhaps not the first one.
pub(super) fn begin(rows: &mut Transaction<'_>, id: &str) -> Result<Option<Work>, Error> {
    let Some(mut deployment) = load::<Deployment>(rows, &record(id))? else { return Ok(None) };
    let mut target = own_target(rows, &deployment)?;
    if target.queued.as_deref() == Some(id) {
        target.queued = None;
    }
    target.running = Some(deployment.id.clone());
    put_target(rows, &target)?;
    deployment.status = DeploymentStatus::InProgress;
    deployment.summary = "in progress".to_owned();
    deployment.updated_at = stamp(deployment.updated_at);
    put(rows, &deployment)?;
    Ok(Some(Work::Deployment(Box::new(deployment), Box::new(target))))
}

/// How far a worker is.
pub(super) fn progress(rows: &mut Transaction<'_>, id: &str, report: &Report) -> Result<(), Error> {
    let Some(mut deployment) = load::<Deployment>(rows, &record(id))? else { return Ok(()) };
    deployment.updated_at = stamp(deployment.updated_at);
    if report.pages > 0 {
        deployment.summary = format!("{} pages so far", report.pages);
    }
    if report.commit.is_some() {
        deployment.commit.clone_from(&report.commit);
    }
    put(rows, &deployment)
}

/// A worker has ended; the next deployment of the target gets into the queue.
pub(super) fn end(rows: &mut Transaction<'_>, id: &str, outcome: Result<Deployed, Undeployed>) -> Result<(), Error> {
    let Some(mut deployment) = load::<Deployment>(rows, &record(id))? else { return Ok(()) };
    let now = stamp(deployment.updated_at);
    (deployment.updated_at, deployment.ended_at) = (now, Some(now));
    let mut target = target(rows, &deployment.host)?.filter(|target| target.running.as_deref() == Some(id));
    let branch_gone = matches!(&outcome, Err(done) if done.branch_gone);
    match outcome {
        Ok(done) => {
            deployment.status = DeploymentStatus::Success;
            describe(&mut deployment, done.summary, done.logs, done.commit);
            let live =
                Live { deployment: deployment.id.clone(), archive: done.archive, commit: deployment.commit.clone() };
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
            describe(&mut deployment, done.summary, done.logs, done.commit);
            let gone = target.as_mut().filter(|_| branch_gone).and_then(|target| target.live.take());
            if let Some(gone) = gone {
                archives::remove_reference(rows, &gone.archive.key, &gone.deployment);
            }
        }
    }
    put(rows, &deployment)?;
    let Some(mut target) = target else { return Ok(()) };
    target.running = None;
    if branch_gone && target.queued.is_none() {
        remove_target(rows, &target.host);
        return Ok(());
    }
    if let Some(next) = target.queued.as_deref()
        && let Some(next) = load::<Deployment>(rows, &record(next))?
    {
        queue::enqueue(rows, Kind::Deployment, &next.organization, &next.id, next.order)?;
    }
    put_target(rows, &target)
}

/// A deployment has failed without a word of its worker.
pub(super) fn fail(rows: &mut Transaction<'_>, id: &str, cause: &str) -> Result<(), Error> {
    end(
        rows,
        id,
        Err(Undeployed { summary: cause.to_owned(), logs: vec![cause.to_owned()], commit: None, branch_gone: false }),
    )
}

fn describe(deployment: &mut Deployment, summary: String, mut logs: Vec<String>, commit: Option<super::super::Commit>) {
    logs.truncate(LOG_LINES);
    (deployment.summary, deployment.logs) = (summary, logs);
    deployment.commit = commit.or_else(|| deployment.commit.take());
}

fn put(rows: &mut Transaction<'_>, deployment: &Deployment) -> Result<(), Error> {
    rows.touch(&deployment.id);
    rows.put(record(&deployment.id), deployment)
}

/// Targets are watched by their host.
fn put_target(rows: &mut Transaction<'_>, target: &Target) -> Result<(), Error> {
    rows.touch(&target.host);
    rows.put(target_key(&target.host), target)
}

fn target_key(host: &str) -> String {
    key("target", &[host])
}

pub(super) fn record(id: &str) -> String {
    key("deployment", &[id])
}
