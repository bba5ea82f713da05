//! Lists of records, page by page: rows of a table lead to them, in the order of the list.
//!
//! | Table | Key → value |
//! |---|---|
//! | `builds`, `runs` | organization, project, newest first → id of a deployment, of an agent job |
//! | `shown` | organization, project, host → host of a preview |

use super::super::rows::{Rows, parse};
use super::{Error, Page};

/// Most rows that one page looks at: a filter that leaves out much costs more pages, not more time for one.
const MAX_SCANNED: usize = 1000;

/// A page of the records that the rows of a range lead to. `after` is the last part of the row that the last page ended
/// with; `find` gives what an id leads to, `fits` whether it belongs to the list.
pub(super) fn page<T>(
    rows: &dyn Rows,
    (mut from, to): (String, String),
    after: Option<&str>,
    limit: usize,
    find: impl Fn(&str) -> Result<Option<T>, Error>,
    fits: impl Fn(&T) -> bool,
) -> Result<Page<T>, Error> {
    if let Some(after) = after {
        from = format!("{from}{after}\u{1}");
    }
    let (mut ids, mut failed) = (Vec::new(), None);
    rows.scan(&from, &to, &mut |_, id| {
        match parse::<String>(id) {
            Ok(id) => ids.push(id),
            Err(error) => failed = Some(error),
        }
        ids.len() <= MAX_SCANNED && failed.is_none()
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    let is_all = ids.len() <= MAX_SCANNED;
    ids.truncate(MAX_SCANNED);
    let (mut items, mut last) = (Vec::new(), None);
    for (at, id) in ids.iter().enumerate() {
        let Some(item) = find(id)? else { continue };
        last = Some(id.clone());
        if fits(&item) {
            items.push(item);
        }
        if items.len() >= limit.max(1) {
            let is_last = is_all && at + 1 == ids.len();
            return Ok(Page { items, next: last.filter(|_| !is_last) });
        }
    }
    Ok(Page { items, next: last.filter(|_| !is_all) })
}
