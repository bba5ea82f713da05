//! Who names an archive. Archives lie under their digest, so several records may name one, and it goes with the last of
//! them: but not while new work is about to name it again. Who puts an archive names it first; who removes one digs a
//! grave first, which nobody can name until it is closed.

use super::super::rows::{Rows, Transaction, key, keys};
use super::Error;

/// A record, or work on its way to one, names an archive.
pub(super) fn name(rows: &mut Transaction<'_>, archive: &str, by: &str) {
    rows.mark(key("named", &[archive, by]));
}

/// It no longer does.
pub(super) fn let_go(rows: &mut Transaction<'_>, archive: &str, by: &str) {
    rows.remove(key("named", &[archive, by]));
    rows.mark(key("loose", &[archive]));
}

/// Whether an archive is being removed.
pub(super) fn is_condemned(rows: &dyn Rows, archive: &str) -> Result<bool, Error> {
    Ok(rows.value(&key("grave", &[archive]))?.is_some())
}

/// Those of some archives that nothing names, and that nobody can name from now on.
pub(super) fn condemn(rows: &mut Transaction<'_>, mut archives: Vec<String>) -> Result<Vec<String>, Error> {
    let mut failed = None;
    archives.retain(|archive| match keys(rows, "named", &[archive], 1) {
        Ok(names) => names.is_empty(),
        Err(error) => {
            failed = Some(error);
            false
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    for archive in &archives {
        rows.mark(key("grave", &[archive]));
    }
    Ok(archives)
}

/// Closes the graves of a process that died before it did: what it had not removed yet is found again in the storage.
pub(super) fn reclaim(rows: &mut Transaction<'_>) -> Result<(), Error> {
    for grave in keys(rows, "grave", &[], usize::MAX)? {
        rows.remove(grave);
    }
    Ok(())
}

/// An archive has been removed.
pub(super) fn bury(rows: &mut Transaction<'_>, archive: &str) {
    rows.remove(key("grave", &[archive]));
}
