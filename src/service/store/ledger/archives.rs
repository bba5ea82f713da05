//! References of archives. Archives lie under their digest, so several records may refer to one, and it goes with the
//! last of them: but not while new work is about to refer to it again. An archive is referred to before it is put;
//! removal sets a tombstone first, and while that stands nothing can refer to the archive. A tombstone ends by itself,
//! long after its process has ceased to remove anything: that may have died.

use super::super::rows::{StoreRows, Transaction, keys, load_row, parse_row, range, row_key, row_key_part};
use super::super::work::TOMBSTONE_TIME;
use super::{StoreError, Time};

/// Tables. The names are those on disk.
const REFERENCES: &str = "named";
const UNREFERENCED: &str = "loose";
const TOMBSTONES: &str = "grave";
const OWNED: &str = "storage";

/// A record, or work on its way to one, refers to an archive.
pub(super) fn add_reference(rows: &mut Transaction<'_>, archive: &str, by: &str) {
    rows.mark(row_key(REFERENCES, &[archive, by]));
}

/// It no longer does.
pub(super) fn remove_reference(rows: &mut Transaction<'_>, archive: &str, by: &str) {
    rows.remove(row_key(REFERENCES, &[archive, by]));
    rows.mark(row_key(UNREFERENCED, &[archive]));
}

/// Whether an archive is being removed.
pub(super) fn has_tombstone(rows: &dyn StoreRows, archive: &str, now: Time) -> Result<bool, StoreError> {
    match rows.value(&tombstone(archive))? {
        None => Ok(false),
        // of a version that set none that ended
        Some(until) if until.is_empty() => Ok(true),
        Some(until) => Ok(parse_row::<Time>(&until)? > now),
    }
}

/// Whether the storage is that of these records alone, so that what they do not refer to is of no use. It is if it was
/// empty when they were new, or is empty now. Records that are new and find archives have taken the place of others, or
/// look into the storage of others; they stay strangers to it whatever they put there later.
pub(super) fn owns_storage(rows: &mut Transaction<'_>, is_empty: bool) -> Result<bool, StoreError> {
    let at = row_key(OWNED, &["archives"]);
    let (from, to) = range(REFERENCES, &[]);
    rows.expect(&at);
    rows.expect_scan(&from, &to, 1);
    let known = load_row::<bool>(rows, &at)?;
    // records of a version that did not ask refer to what they have put
    let has_references = !keys(rows, REFERENCES, &[], 1)?.is_empty();
    let is_owned = is_empty || known.unwrap_or(has_references);
    if known != Some(is_owned) {
        rows.put(at, &is_owned)?;
    }
    Ok(is_owned)
}

/// Those of some archives that nothing refers to; from now on nothing can.
pub(super) fn add_tombstones(
    rows: &mut Transaction<'_>,
    mut archives: Vec<String>,
    now: Time,
) -> Result<Vec<String>, StoreError> {
    for archive in &archives {
        let (from, to) = range(REFERENCES, &[archive]);
        rows.expect_scan(&from, &to, 1);
    }
    let mut failed = None;
    archives.retain(|archive| match keys(rows, REFERENCES, &[archive], 1) {
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
        rows.put(tombstone(archive), &now.plus(TOMBSTONE_TIME))?;
    }
    Ok(archives)
}

/// Removes the tombstones of a process that died before it did: what it had not removed yet is found again in the
/// storage.
pub(super) fn reclaim_tombstones(rows: &mut Transaction<'_>) -> Result<(), StoreError> {
    for tombstone in keys(rows, TOMBSTONES, &[], usize::MAX)? {
        rows.remove(tombstone);
    }
    Ok(())
}

/// An archive has been removed.
pub(super) fn remove_tombstone(rows: &mut Transaction<'_>, archive: &str) {
    rows.remove(tombstone(archive));
}

fn tombstone(archive: &str) -> String {
    row_key(TOMBSTONES, &[archive])
}

/// Archives that have lost a reference since the last call, at most so many.
pub(super) fn take_unreferenced(rows: &mut Transaction<'_>, most: usize) -> Result<Vec<String>, StoreError> {
    let found = keys(rows, UNREFERENCED, &[], most)?;
    let archives = found.iter().map(|row| row_key_part(row, 0).to_owned()).collect();
    found.into_iter().for_each(|row| rows.remove(row));
    Ok(archives)
}
