//! Rate windows: the moments of what was accepted, none older than the window.

use std::time::Duration;

use super::super::once::Rate;
use super::super::rows::{Transaction, load_row, row_key};
use super::{StoreError, Time};

/// Counts a request. A refused one changes nothing, so it costs no write.
pub(super) fn count_request(
    rows: &mut Transaction<'_>,
    window: &str,
    limit: u32,
    length: Duration,
    now: Time,
) -> Result<Rate, StoreError> {
    let at = row_key("rate", &[window]);
    let mut moments = load_row::<Vec<Time>>(rows, &at)?.unwrap_or_default();
    // after a restart with a clock that was set back, moments may lie ahead: they count from now on, which is never too
    // early and soon over
    moments.iter_mut().for_each(|moment| *moment = (*moment).min(now));
    moments.retain(|moment| now.since(*moment) < length);
    let limit = limit as usize;
    let accepted = moments.len() < limit;
    if accepted {
        moments.push(now);
        rows.put(at, &moments)?;
    }
    let left = limit.saturating_sub(moments.len());
    // with more than the limit, which was larger before, several must leave
    let leaves = moments.len().saturating_sub(limit.max(1));
    let reset = moments.get(leaves).map_or(Duration::ZERO, |moment| moment.plus(length).since(now));
    Ok(Rate { accepted, left: u32::try_from(left).unwrap_or(u32::MAX), reset })
}
