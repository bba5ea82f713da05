//! Events, and their way to receivers.
//!
//! The end of a piece of work writes its event in the same transaction. Whoever delivers turns each event into one
//! delivery for every receiver, and takes deliveries that are due under a lease: it is the next time of the delivery, so
//! one whose node died is due again when it ends.
//!
//! | Table | Key → value |
//! |---|---|
//! | `event` | order → event that is not yet turned into deliveries |
//! | `delivery` | id → delivery |
//! | `delivery_due` | next time, id: deliveries that wait |
//! | `delivery_list` | organization, receiver, newest first → id |
//! | `webhook` | organization, receiver, address → how it stands |

use std::time::Duration;

use super::super::event::{
    Attempt, Delivery, DeliveryFilter, DeliveryStatus, EventKind, EventSubject, Receiver, TryVerdict, WebhookState,
    WorkEvent,
};
use super::super::record::new_id;
use super::super::rows::{
    StoreRows, Transaction, counter_key, downward, keys, load_row, parse_row, range, row_key, row_key_part,
    sortable_number,
};
use super::lists::LedgerList;
use super::{RecordPage, StoreError, Time, due, lists};

/// The counter of events.
const EVENTS: &str = "event";
/// Most deliveries that are looked at for one that is due.
const MAX_DUE: usize = 16;

/// Announces what [`emit_event`] reads.
pub(super) fn expect(rows: &dyn StoreRows) {
    rows.expect(&counter_key(EVENTS));
}

/// Writes an event.
pub(super) fn emit_event(
    rows: &mut Transaction<'_>,
    kind: EventKind,
    organization: &str,
    at: Time,
    subject: EventSubject,
) -> Result<(), StoreError> {
    let order = rows.next(EVENTS)?;
    rows.put(
        row_key("event", &[&sortable_number(order)]),
        &WorkEvent { kind, organization: organization.to_owned(), at, subject },
    )
}

/// Events that are not yet turned into deliveries, the first ones first, each with the key of its row.
pub(super) fn pending(rows: &dyn StoreRows, most: usize) -> Result<Vec<(String, WorkEvent)>, StoreError> {
    let (from, to) = range("event", &[]);
    let (mut found, mut failed) = (Vec::new(), None);
    rows.scan(&from, &to, most, &mut |row, value| {
        match parse_row(value) {
            Ok(event) => found.push((row.to_owned(), event)),
            Err(error) => failed = Some(error),
        }
        found.len() < most && failed.is_none()
    })?;
    failed.map_or(Ok(found), Err)
}

/// Turns an event into deliveries, unless another node has done it: one for each receiver. `now` is when they are due.
pub(super) fn expand_into_deliveries(
    rows: &mut Transaction<'_>,
    row: &str,
    receivers: &[Receiver],
    body: &str,
    now: Time,
) -> Result<(), StoreError> {
    rows.expect(&counter_key("order"));
    receivers.iter().for_each(|receiver| rows.expect(&state_key(receiver)));
    let Some(event) = load_row::<WorkEvent>(rows, row)? else { return Ok(()) };
    rows.remove(row.to_owned());
    for receiver in receivers {
        let mut delivery = Delivery {
            id: new_id("msg_"),
            organization: receiver.organization.clone(),
            webhook: receiver.webhook.clone(),
            kind: event.kind,
            body: body.to_owned(),
            status: DeliveryStatus::Waiting,
            created_at: event.at,
            since: now,
            attempts: 0,
            next: None,
            last: None,
            fence: 0,
            order: rows.next("order")?,
        };
        if state(rows, receiver)?.disabled_at.is_some() {
            delivery.status = DeliveryStatus::Failed;
        } else {
            schedule(rows, &mut delivery, now);
        }
        rows.put(delivery_list_key(&delivery), &delivery.id)?;
        due::look_at(rows, "delivery", &delivery.id, delivery.created_at);
        put_delivery(rows, &delivery)?;
    }
    Ok(())
}

/// Whether a delivery is due.
pub(super) fn has_due(rows: &dyn StoreRows, now: Time) -> Result<bool, StoreError> {
    Ok(!due_rows(rows, now, 1)?.is_empty())
}

/// Takes the delivery that has been due for longest.
pub(super) fn claim(rows: &mut Transaction<'_>, lease: Duration, now: Time) -> Result<Option<Delivery>, StoreError> {
    rows.expect(&counter_key("fence"));
    for row in due_rows(rows, now, MAX_DUE)? {
        rows.remove(row.clone());
        let Some(mut delivery) = load_row::<Delivery>(rows, &delivery_record_key(row_key_part(&row, 0)))? else {
            continue;
        };
        if delivery.status != DeliveryStatus::Waiting {
            continue;
        }
        delivery.fence = rows.next("fence")?;
        delivery.attempts += 1;
        schedule(rows, &mut delivery, now.plus(lease));
        put_delivery(rows, &delivery)?;
        return Ok(Some(delivery));
    }
    Ok(None)
}

/// Writes down how a try ended. A receiver whose tries have all failed for `disable_after` is disabled: `true` says that
/// it is from now on.
pub(super) fn settle(
    rows: &mut Transaction<'_>,
    tried: &Delivery,
    receiver: Option<&Receiver>,
    attempt: Attempt,
    verdict: TryVerdict,
    disable_after: Duration,
    now: Time,
) -> Result<bool, StoreError> {
    receiver.iter().for_each(|receiver| rows.expect(&state_key(receiver)));
    let found = load_row::<Delivery>(rows, &delivery_record_key(&tried.id))?;
    let mut delivery = found.filter(|found| found.fence == tried.fence).ok_or(StoreError::Lost)?;
    unschedule(rows, &mut delivery);
    delivery.last = Some(attempt);
    let mut is_disabled = false;
    if let Some(receiver) = receiver {
        let mut state = state(rows, receiver)?;
        let was_disabled = state.disabled_at.is_some();
        if verdict == TryVerdict::Delivered {
            state = WebhookState::default();
        } else {
            let since = *state.failing_since.get_or_insert(now);
            if verdict == TryVerdict::Disable || now.since(since) >= disable_after {
                state.disabled_at = state.disabled_at.or(Some(now));
            }
        }
        is_disabled = state.disabled_at.is_some();
        rows.put(state_key(receiver), &state)?;
        match verdict {
            TryVerdict::Delivered => delivery.status = DeliveryStatus::Delivered,
            TryVerdict::Retry(after) if !is_disabled => schedule(rows, &mut delivery, now.plus(after)),
            _ => delivery.status = DeliveryStatus::Failed,
        }
        is_disabled &= !was_disabled;
    } else {
        delivery.status = DeliveryStatus::Failed;
    }
    put_delivery(rows, &delivery)?;
    Ok(is_disabled)
}

/// How a receiver stands.
pub(super) fn state(rows: &dyn StoreRows, receiver: &Receiver) -> Result<WebhookState, StoreError> {
    Ok(load_row(rows, &state_key(receiver))?.unwrap_or_default())
}

/// Sends to a receiver again.
pub(super) fn enable(rows: &mut Transaction<'_>, receiver: &Receiver) -> Result<(), StoreError> {
    rows.remove(state_key(receiver));
    Ok(())
}

/// A delivery of a receiver.
pub(super) fn find_delivery(
    rows: &dyn StoreRows,
    organization: &str,
    webhook: &str,
    id: &str,
) -> Result<Option<Delivery>, StoreError> {
    let found = load_row::<Delivery>(rows, &delivery_record_key(id))?;
    Ok(found.filter(|delivery| delivery.organization == organization && delivery.webhook == webhook))
}

/// A page of a receiver's deliveries, newest first.
pub(super) fn page_of_deliveries(
    rows: &dyn StoreRows,
    organization: &str,
    webhook: &str,
    filter: &DeliveryFilter,
) -> Result<RecordPage<Delivery>, StoreError> {
    let last = match &filter.cursor {
        Some(cursor) => {
            Some(downward(find_delivery(rows, organization, webhook, cursor)?.ok_or(StoreError::Absent)?.order))
        }
        None => None,
    };
    let is_own = |delivery: &Delivery| delivery.organization == organization && delivery.webhook == webhook;
    let fits = |delivery: &Delivery| filter.status.is_none_or(|status| status == delivery.status);
    let list = LedgerList { range: range("delivery_list", &[organization, webhook]), record: delivery_record_key };
    lists::page_of_list(rows, list, last.as_deref(), filter.limit, is_own, fits)
}

/// Has a delivery tried anew, whatever became of it.
pub(super) fn redeliver(
    rows: &mut Transaction<'_>,
    organization: &str,
    webhook: &str,
    id: &str,
    now: Time,
) -> Result<Delivery, StoreError> {
    let mut delivery = find_delivery(rows, organization, webhook, id)?.ok_or(StoreError::Absent)?;
    unschedule(rows, &mut delivery);
    (delivery.status, delivery.attempts, delivery.since) = (DeliveryStatus::Waiting, 0, now);
    // a try that is under way has lost its claim
    delivery.fence = rows.next("fence")?;
    schedule(rows, &mut delivery, now);
    put_delivery(rows, &delivery)?;
    Ok(delivery)
}

/// Forgets a delivery that is past retention; `false` while it waits.
pub(super) fn forget_delivery(rows: &mut Transaction<'_>, id: &str) -> Result<bool, StoreError> {
    match load_row::<Delivery>(rows, &delivery_record_key(id))? {
        Some(delivery) if delivery.status == DeliveryStatus::Waiting => Ok(false),
        Some(delivery) => {
            rows.remove(delivery_list_key(&delivery));
            rows.remove(delivery_record_key(id));
            Ok(true)
        }
        None => Ok(true),
    }
}

/// Rows of deliveries that are due, the first ones first.
fn due_rows(rows: &dyn StoreRows, now: Time, most: usize) -> Result<Vec<String>, StoreError> {
    let first = keys(rows, "delivery_due", &[], most)?;
    Ok(first.into_iter().take_while(|row| row_key_part(row, 1) <= sortable_number(now.micros()).as_str()).collect())
}

fn schedule(rows: &mut Transaction<'_>, delivery: &mut Delivery, at: Time) {
    unschedule(rows, delivery);
    rows.mark(due_row(delivery, at));
    delivery.next = Some(at);
}

fn unschedule(rows: &mut Transaction<'_>, delivery: &mut Delivery) {
    if let Some(next) = delivery.next.take() {
        rows.remove(due_row(delivery, next));
    }
}

fn put_delivery(rows: &mut Transaction<'_>, delivery: &Delivery) -> Result<(), StoreError> {
    rows.put(delivery_record_key(&delivery.id), delivery)
}

fn due_row(delivery: &Delivery, at: Time) -> String {
    row_key("delivery_due", &[&sortable_number(at.micros()), &delivery.id])
}

fn delivery_list_key(delivery: &Delivery) -> String {
    row_key("delivery_list", &[&delivery.organization, &delivery.webhook, &downward(delivery.order)])
}

fn state_key(receiver: &Receiver) -> String {
    row_key("webhook", &[&receiver.organization, &receiver.webhook, &receiver.address])
}

fn delivery_record_key(id: &str) -> String {
    row_key("delivery", &[id])
}
