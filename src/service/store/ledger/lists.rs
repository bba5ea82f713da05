//! Lists of records, page by page: rows of a table lead to them, in the order of the list.
//!
//! | Table | Key → value |
//! |---|---|
//! | `builds`, `runs` | organization, project, newest first → id of a deployment, of an agent job |
//! | `shown` | organization, project, host → host of a preview |

use serde::de::DeserializeOwned;

use super::super::rows::{StoreRows, load_row, parse_row};
use super::{RecordPage, StoreError};

/// Most rows that one page looks at: a filter that leaves out much costs more pages, not more time for one.
const MAX_SCANNED: usize = 1000;
/// Rows that are looked at together, at least.
const MIN_STEP: usize = 32;

/// The rows of a list, and what they lead to.
pub(super) struct LedgerList<R> {
    /// From, and up to but without.
    pub(super) range: (String, String),
    /// The key of the record that an id leads to.
    pub(super) record: R,
}

/// A page of the records that the rows of a list lead to. `after` is the last part of the row that the last page ended
/// with; `is_own` says whether a record may be seen at all, `fits` whether it belongs to the page.
pub(super) fn page_of_list<T: DeserializeOwned>(
    rows: &dyn StoreRows,
    list: LedgerList<impl Fn(&str) -> String>,
    after: Option<&str>,
    limit: usize,
    is_own: impl Fn(&T) -> bool,
    fits: impl Fn(&T) -> bool,
) -> Result<RecordPage<T>, StoreError> {
    let (mut from, to) = list.range;
    if let Some(after) = after {
        from = format!("{from}{after}\u{1}");
    }
    let limit = limit.max(1);
    let (mut items, mut last, mut left) = (Vec::new(), None, MAX_SCANNED);
    loop {
        let most = limit.max(MIN_STEP).min(left);
        let (mut ids, mut failed) = (Vec::new(), None);
        // one more, to know whether others follow
        rows.scan(&from, &to, most + 1, &mut |row, id| {
            match parse_row::<String>(id) {
                Ok(id) => ids.push((row.to_owned(), id)),
                Err(error) => failed = Some(error),
            }
            ids.len() <= most && failed.is_none()
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        let is_all = ids.len() <= most;
        ids.truncate(most);
        ids.iter().for_each(|(_, id)| rows.expect(&(list.record)(id)));
        for (at, (_, id)) in ids.iter().enumerate() {
            let Some(item) = load_row(rows, &(list.record)(id))?.filter(&is_own) else { continue };
            last = Some(id.clone());
            if fits(&item) {
                items.push(item);
            }
            if items.len() >= limit {
                let is_last = is_all && at + 1 == ids.len();
                return Ok(RecordPage { items, next: last.filter(|_| !is_last) });
            }
        }
        left = left.saturating_sub(most);
        match ids.pop() {
            Some((row, _)) if !is_all && left > 0 => from = format!("{row}\0"),
            _ => return Ok(RecordPage { items, next: last.filter(|_| !is_all) }),
        }
    }
}
