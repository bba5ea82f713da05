//! Forgetting: bundles, records and answers that are past retention, a bounded part at a time.

use super::super::record::{AgentStatus, DeploymentStatus};
use super::super::rows::{Rows, Transaction, key, load, number, parse, part, range};
use super::{
    AgentJob, Deployment, Error, ExportJob, Horizon, RetentionOf, Swept, Time, agents, archives, deployments, due,
    events, exports, once,
};

/// Most records of each kind that one sweep deletes.
const MAX_SWEPT: usize = 256;
/// When to look again at a record that could not go yet.
const LATER: std::time::Duration = std::time::Duration::from_secs(24 * 3600);

/// Exports whose bundles are neither young nor among the last of their domain.
pub(super) fn expired(rows: &dyn Rows, horizon: &Horizon, retention: &RetentionOf) -> Result<Vec<String>, Error> {
    let (from, to) = range("kept", &[]);
    let (mut found, mut failed) = (Vec::new(), None);
    // the domain that is being walked: its rows come newest first
    let (mut current, mut newer) = (String::new(), 0);
    rows.scan(&from, &to, &mut |row, value| {
        let (organization, domain) = exports::kept_of(row);
        let name = key(organization, &[domain]);
        newer = if name == current { newer + 1 } else { 0 };
        current = name;
        match parse::<(String, Time)>(value) {
            Ok((id, ended)) => {
                let kept = retention(organization);
                if newer >= kept.keep_last && horizon.now.since(ended) >= kept.bundles {
                    found.push(id);
                }
            }
            Err(error) => failed = Some(error),
        }
        found.len() < MAX_SWEPT && failed.is_none()
    })?;
    failed.map_or(Ok(found), Err)
}

/// Forgets.
pub(super) fn sweep(
    rows: &mut Transaction<'_>,
    expired: &[String],
    horizon: &Horizon,
    now: Time,
) -> Result<Swept, Error> {
    let mut more = expired.len() == MAX_SWEPT;
    for id in expired {
        if let Some(job) = load::<ExportJob>(rows, &exports::record(id))? {
            drop_bundle(rows, job)?;
        }
    }
    more |= once::sweep(rows, now)?;
    let idle = older(rows, "idle", horizon.now.minus(horizon.agents))?;
    more |= idle.len() == MAX_SWEPT;
    for row in idle {
        match load::<AgentJob>(rows, &agents::record(part(&row, 0)))? {
            Some(job) if matches!(job.status, AgentStatus::Completed | AgentStatus::Failed) => {
                drop(agents::put_away(rows, job)?)
            }
            _ => {}
        }
        rows.remove(row);
    }
    let due = older(rows, "due", horizon.now.minus(horizon.records))?;
    more |= due.len() == MAX_SWEPT;
    for row in due {
        if !forget(rows, part(&row, 1), part(&row, 0))? {
            // as if it had begun that much later
            due::look_at(rows, part(&row, 1), part(&row, 0), horizon.now.minus(horizon.records).plus(LATER));
        }
        rows.remove(row);
    }
    let archives = archives::take_unreferenced(rows, MAX_SWEPT)?;
    more |= archives.len() == MAX_SWEPT;
    Ok(Swept { archives, more })
}

/// The bundle of an export goes; the record stays, and says so.
fn drop_bundle(rows: &mut Transaction<'_>, mut job: ExportJob) -> Result<(), Error> {
    rows.remove(exports::kept(&job));
    if let Some(bundle) = &job.bundle {
        archives::remove_reference(rows, &bundle.key, &job.id);
    }
    job.bundle_gone = true;
    exports::put(rows, &job)
}

/// Forgets a record, unless something needs it still.
fn forget(rows: &mut Transaction<'_>, kind: &str, id: &str) -> Result<bool, Error> {
    match kind {
        "export" => match load::<ExportJob>(rows, &exports::record(id))? {
            // a bundle that is kept is found by its record
            Some(job) if !job.status.is_terminal() || (job.bundle.is_some() && !job.bundle_gone) => Ok(false),
            Some(job) => {
                exports::remove(rows, &job);
                Ok(true)
            }
            None => Ok(true),
        },
        "deployment" => match load::<Deployment>(rows, &deployments::record(id))? {
            Some(deployment)
                if matches!(deployment.status, DeploymentStatus::Queued | DeploymentStatus::InProgress) =>
            {
                Ok(false)
            }
            Some(deployment) => {
                deployments::remove(rows, &deployment);
                Ok(true)
            }
            None => Ok(true),
        },
        "delivery" => events::forget(rows, id),
        _ => {
            if let Some(job) = load::<AgentJob>(rows, &agents::record(id))? {
                agents::remove(rows, &job);
            }
            Ok(true)
        }
    }
}

/// Rows of a table whose first part is a moment before another.
fn older(rows: &dyn Rows, table: &str, than: Time) -> Result<Vec<String>, Error> {
    let (from, _) = range(table, &[]);
    let (_, to) = range(table, &[&number(than.micros())]);
    let mut found = Vec::new();
    rows.scan(&from, &to, &mut |key, _| {
        found.push(key.to_owned());
        found.len() < MAX_SWEPT
    })?;
    Ok(found)
}
