//! Forgetting: bundles, records and answers that are past retention, a bounded part at a time.

use super::super::record::{AgentStatus, DeploymentStatus};
use super::super::rows::{StoreRows, Transaction, load_row, parse_row, range, row_key, row_key_part, sortable_number};
use super::{
    AgentJob, DeploymentRecord, ExportJob, Horizon, RetentionOf, StoreError, Swept, Time, agents, archives,
    deployments, due, events, exports, nodes, once, sessions,
};

/// Most records of each kind that one sweep deletes.
const MAX_SWEPT: usize = 256;
/// Most bundles that one step of a walk looks at.
const MAX_WALKED: usize = 1000;
/// When to look again at a record that could not go yet.
const LATER: std::time::Duration = std::time::Duration::from_secs(24 * 3600);

/// How far a walk over all bundles has come.
#[derive(Clone, Default)]
pub(super) struct SweepWalk {
    /// The last row.
    last: Option<String>,
    /// Its domain, and how many newer ones that has: rows of a domain come newest first.
    domain: String,
    newer: usize,
    /// Exports whose bundles are neither young nor among the last of their domain.
    pub(super) found: Vec<String>,
}

/// One step of a walk; `None` behind it when it is over. What bundles do meanwhile makes it find too few at worst.
pub(super) fn expired(
    rows: &dyn StoreRows,
    horizon: &Horizon,
    retention: &RetentionOf,
    walk: SweepWalk,
) -> Result<(Vec<String>, Option<SweepWalk>), StoreError> {
    let (mut from, to) = range("kept", &[]);
    let SweepWalk { last, mut domain, mut newer, mut found } = walk;
    if let Some(last) = last {
        from = format!("{last}\0");
    }
    let (mut failed, mut seen, mut last) = (None, 0, None);
    rows.scan(&from, &to, MAX_WALKED, &mut |row, value| {
        let (organization, name) = exports::parse_retained_export_key(row);
        let name = row_key(organization, &[name]);
        newer = if name == domain { newer + 1 } else { 0 };
        domain = name;
        seen += 1;
        if seen == MAX_WALKED {
            last = Some(row.to_owned());
        }
        match parse_row::<(String, Time)>(value) {
            Ok((id, ended)) => {
                let policy = retention(organization);
                if newer >= policy.keep_last && horizon.now.since(ended) >= policy.bundles {
                    found.push(id);
                }
            }
            Err(error) => failed = Some(error),
        }
        found.len() < MAX_SWEPT && failed.is_none() && last.is_none()
    })?;
    match (failed, last) {
        (Some(error), _) => Err(error),
        (None, Some(last)) if found.len() < MAX_SWEPT => {
            Ok((Vec::new(), Some(SweepWalk { last: Some(last), domain, newer, found })))
        }
        (None, _) => Ok((found, None)),
    }
}

/// Forgets.
pub(super) fn sweep_expired(
    rows: &mut Transaction<'_>,
    expired: &[String],
    horizon: &Horizon,
    now: Time,
) -> Result<Swept, StoreError> {
    let mut more = expired.len() == MAX_SWEPT;
    expired.iter().for_each(|id| rows.expect(&exports::export_record_key(id)));
    for id in expired {
        if let Some(job) = load_row::<ExportJob>(rows, &exports::export_record_key(id))? {
            drop_bundle(rows, job)?;
        }
    }
    more |= once::sweep_once_answers(rows, now)?;
    more |= sessions::sweep_sessions(rows, now)?;
    let idle = older(rows, "idle", horizon.now.minus(horizon.agents))?;
    more |= idle.len() == MAX_SWEPT;
    for row in idle {
        match load_row::<AgentJob>(rows, &agents::agent_record_key(row_key_part(&row, 0)))? {
            Some(job) if matches!(job.status, AgentStatus::Completed | AgentStatus::Failed) => {
                drop(agents::put_away(rows, job)?)
            }
            _ => {}
        }
        rows.remove(row);
    }
    let due = older(rows, "due", horizon.now.minus(horizon.records))?;
    more |= due.len() == MAX_SWEPT;
    due.iter().for_each(|row| rows.expect(&row_key(row_key_part(row, 1), &[row_key_part(row, 0)])));
    for row in due {
        if !forget_record(rows, row_key_part(&row, 1), row_key_part(&row, 0))? {
            // as if it had begun that much later
            due::look_at(
                rows,
                row_key_part(&row, 1),
                row_key_part(&row, 0),
                horizon.now.minus(horizon.records).plus(LATER),
            );
        }
        rows.remove(row);
    }
    nodes::sweep_nodes(rows, now)?;
    let archives = archives::take_unreferenced(rows, MAX_SWEPT)?;
    more |= archives.len() == MAX_SWEPT;
    Ok(Swept { archives, more })
}

/// The bundle of an export goes; the record stays, and says so.
fn drop_bundle(rows: &mut Transaction<'_>, mut job: ExportJob) -> Result<(), StoreError> {
    rows.remove(exports::retained_export_key(&job));
    if let Some(bundle) = &job.bundle {
        archives::remove_reference(rows, &bundle.key, &job.id);
    }
    job.bundle_gone = true;
    exports::put_export(rows, &job)
}

/// Forgets a record, unless something needs it still.
fn forget_record(rows: &mut Transaction<'_>, kind: &str, id: &str) -> Result<bool, StoreError> {
    match kind {
        "export" => match load_row::<ExportJob>(rows, &exports::export_record_key(id))? {
            // a bundle that is kept is found by its record
            Some(job) if !job.status.is_terminal() || (job.bundle.is_some() && !job.bundle_gone) => Ok(false),
            Some(job) => {
                exports::remove_export(rows, &job);
                Ok(true)
            }
            None => Ok(true),
        },
        "deployment" => match load_row::<DeploymentRecord>(rows, &deployments::deployment_record_key(id))? {
            Some(deployment)
                if matches!(deployment.status, DeploymentStatus::Queued | DeploymentStatus::InProgress) =>
            {
                Ok(false)
            }
            Some(deployment) => {
                deployments::remove_deployment(rows, &deployment);
                Ok(true)
            }
            None => Ok(true),
        },
        "delivery" => events::forget_delivery(rows, id),
        _ => {
            if let Some(job) = load_row::<AgentJob>(rows, &agents::agent_record_key(id))? {
                agents::remove_agent_job(rows, &job);
            }
            Ok(true)
        }
    }
}

/// Rows of a table whose first part is a moment before another.
fn older(rows: &dyn StoreRows, table: &str, than: Time) -> Result<Vec<String>, StoreError> {
    let (from, _) = range(table, &[]);
    let (_, to) = range(table, &[&sortable_number(than.micros())]);
    let mut found = Vec::new();
    rows.scan(&from, &to, MAX_SWEPT, &mut |key, _| {
        found.push(key.to_owned());
        found.len() < MAX_SWEPT
    })?;
    Ok(found)
}
