//! Rows that earlier versions did not write, made once when a ledger is opened.

use super::super::rows::{Rows, Transaction, key, load, parse, range};
use super::{AgentJob, Deployment, Error, Target, agents, deployments};

/// Makes the lists of a ledger that was written before there were any.
pub(super) fn lists(rows: &mut Transaction<'_>) -> Result<(), Error> {
    let filled = key("counter", &["lists"]);
    if load::<u64>(rows, &filled)?.is_some() {
        return Ok(());
    }
    for deployment in all::<Deployment>(rows, "deployment")? {
        rows.put(deployments::listed(&deployment), &deployment.id)?;
    }
    for job in all::<AgentJob>(rows, "agent")? {
        rows.put(agents::listed(&job), &job.id)?;
    }
    for target in all::<Target>(rows, "target")?.iter().filter(|target| target.branch.is_some()) {
        rows.put(deployments::shown(target), &target.host)?;
    }
    rows.put(filled, &1_u64)
}

/// All values of a table.
fn all<T: serde::de::DeserializeOwned>(rows: &dyn Rows, table: &str) -> Result<Vec<T>, Error> {
    let (from, to) = range(table, &[]);
    let (mut found, mut failed) = (Vec::new(), None);
    rows.scan(&from, &to, usize::MAX, &mut |_, value| {
        match parse(value) {
            Ok(value) => found.push(value),
            Err(error) => failed = Some(error),
        }
        failed.is_none()
    })?;
    failed.map_or(Ok(found), Err)
}
