//! Processes that share a store. Each says again and again that it lives, for a shorter time than a lease is long: a
//! lease that ended with its process is no crash of the work.

use super::super::rows::{StoreRows, Transaction, load_row, parse_row, range, row_key, row_key_part};
use super::{StoreError, Time};

/// How long a process is remembered that has ended.
const NODE_RETENTION: std::time::Duration = std::time::Duration::from_secs(24 * 3600);
/// Most processes that are looked at when old ones are forgotten.
const MAX_NODES: usize = 1000;

/// A process lives until then.
pub(super) fn beat(rows: &mut Transaction<'_>, node: &str, until: Time) -> Result<(), StoreError> {
    rows.put(node_key(node), &until)
}

/// Whether a process lives.
pub(super) fn is_alive(rows: &dyn StoreRows, node: &str, now: Time) -> Result<bool, StoreError> {
    Ok(load_row::<Time>(rows, &node_key(node))?.is_some_and(|until| until > now))
}

/// Forgets processes that ended long ago.
pub(super) fn sweep_nodes(rows: &mut Transaction<'_>, now: Time) -> Result<(), StoreError> {
    let (from, to) = range("node", &[]);
    let (mut ended, mut seen) = (Vec::new(), 0);
    rows.scan(&from, &to, MAX_NODES, &mut |row, value| {
        seen += 1;
        // what cannot be read is of no use either
        if parse_row::<Time>(value).unwrap_or_default().plus(NODE_RETENTION) < now {
            ended.push(node_key(row_key_part(row, 0)));
        }
        seen < MAX_NODES
    })?;
    ended.into_iter().for_each(|row| rows.remove(row));
    Ok(())
}

fn node_key(node: &str) -> String {
    row_key("node", &[node])
}
