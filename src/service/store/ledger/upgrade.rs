//! Rows that earlier versions did not write, made once when a ledger is opened.

use super::super::rows::{StoreRows, Transaction, load_row, parse_row, range, row_key};
use super::{AgentJob, DeployTarget, DeploymentRecord, StoreError, agents, deployments};

/// Makes the lists of a ledger that was written before there were any.
pub(super) fn lists(rows: &mut Transaction<'_>) -> Result<(), StoreError> {
    let filled = row_key("counter", &["lists"]);
    if load_row::<u64>(rows, &filled)?.is_some() {
        return Ok(());
    }
    for deployment in all_values::<DeploymentRecord>(rows, "deployment")? {
        rows.put(deployments::deployment_list_key(&deployment), &deployment.id)?;
    }
    for job in all_values::<AgentJob>(rows, "agent")? {
        rows.put(agents::agent_list_key(&job), &job.id)?;
    }
    for target in all_values::<DeployTarget>(rows, "target")?.iter().filter(|target| target.branch.is_some()) {
        rows.put(deployments::preview_list_key(target), &target.host)?;
    }
    rows.put(filled, &1_u64)
}

/// All values of a table.
fn all_values<T: serde::de::DeserializeOwned>(rows: &dyn StoreRows, table: &str) -> Result<Vec<T>, StoreError> {
    let (from, to) = range(table, &[]);
    let (mut found, mut failed) = (Vec::new(), None);
    rows.scan(&from, &to, usize::MAX, &mut |_, value| {
        match parse_row(value) {
            Ok(value) => found.push(value),
            Err(error) => failed = Some(error),
        }
        failed.is_none()
    })?;
    failed.map_or(Ok(found), Err)
}
