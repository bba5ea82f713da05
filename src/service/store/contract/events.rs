//! Events, deliveries and their receivers, by the clock of the tests.

use super::super::event::{Attempt, TryVerdict};
use super::*;

contract!(
    an_end_is_told_once_to_each_receiver,
    a_delivery_is_tried_until_it_is_taken,
    a_lease_that_ends_gives_a_delivery_back,
    a_receiver_that_takes_nothing_for_days_is_disabled,
);

const DAY: Duration = Duration::from_secs(86_400);
const DISABLE: Duration = Duration::from_secs(5 * 86_400);

fn receiver(webhook: &str) -> Receiver {
    Receiver { organization: "acme".to_owned(), webhook: webhook.to_owned(), address: "a".to_owned() }
}

fn attempt(error: Option<&str>) -> Attempt {
    Attempt { at: Time::now(), millis: 1, status: None, error: error.map(str::to_owned) }
}

/// An export that has failed, and the row of its event.
async fn event(store: &Ledger) -> (String, WorkEvent) {
    start(store, "acme").await;
    store.finish(&claim(store, at(0)).await, unexported("it failed")).await.unwrap();
    store.pending_events(10).await.unwrap().pop().expect("there is an event")
}

/// A delivery to `ci`, due now.
async fn delivery(store: &Ledger, now: Time) -> Delivery {
    let (row, _) = event(store).await;
    store.expand_event(&row, vec![receiver("ci")], "{}".to_owned(), now).await.unwrap();
    store.claim_delivery(LEASE, now).await.unwrap().expect("it is due")
}

async fn settle(store: &Ledger, delivery: &Delivery, verdict: TryVerdict, now: Time) -> Result<bool, StoreError> {
    let error = if verdict == TryVerdict::Delivered { None } else { Some("refused") };
    store.settle_delivery(delivery, Some(receiver("ci")), (attempt(error), verdict), DISABLE, now).await
}

async fn read_delivery(store: &Ledger, id: &str) -> Delivery {
    store.delivery("acme", "ci", id).await.unwrap().expect("it is kept")
}

async fn an_end_is_told_once_to_each_receiver(store: Ledger) {
    let (row, emitted) = event(&store).await;
    assert!(matches!(&emitted.subject, EventSubject::Export(job) if job.error.as_deref() == Some("it failed")));
    assert_eq!((emitted.kind, emitted.organization.as_str()), (EventKind::ExportFailed, "acme"));
    // two nodes have seen it
    for _ in 0..2 {
        let receivers = vec![receiver("ci"), receiver("chat")];
        store.expand_event(&row, receivers, "{\"type\":\"x\"}".to_owned(), at(0)).await.unwrap();
    }
    assert_eq!(store.pending_events(10).await.unwrap(), []);
    let first = store.claim_delivery(LEASE, at(0)).await.unwrap().unwrap();
    let second = store.claim_delivery(LEASE, at(0)).await.unwrap().unwrap();
    assert_eq!(store.claim_delivery(LEASE, at(0)).await.unwrap(), None, "no delivery is claimed twice");
    let mut webhooks = [first.webhook.as_str(), second.webhook.as_str()];
    webhooks.sort_unstable();
    assert!(webhooks == ["chat", "ci"] && first.id != second.id && first.body == "{\"type\":\"x\"}");
    let all = DeliveryFilter { limit: 10, ..DeliveryFilter::default() };
    assert_eq!(store.deliveries("acme", "ci", all.clone()).await.unwrap().items.len(), 1);
    assert_eq!(store.deliveries("globex", "ci", all).await.unwrap().items, []);
}

async fn a_delivery_is_tried_until_it_is_taken(store: Ledger) {
    let first = delivery(&store, at(0)).await;
    assert_eq!(settle(&store, &first, TryVerdict::Retry(SECOND * 5), at(1)).await, Ok(false));
    assert_eq!(store.webhook_state(receiver("ci")).await.unwrap().failing_since, Some(at(1)));
    assert_eq!(store.claim_delivery(LEASE, at(5)).await.unwrap(), None, "not before its time");
    let second = store.claim_delivery(LEASE, at(6)).await.unwrap().unwrap();
    assert_eq!((second.id.as_str(), second.attempts), (first.id.as_str(), 2));
    assert_eq!(
        settle(&store, &first, TryVerdict::Delivered, at(6)).await,
        Err(StoreError::Lost),
        "of an earlier claim"
    );
    settle(&store, &second, TryVerdict::Delivered, at(7)).await.unwrap();
    let done = read_delivery(&store, &first.id).await;
    assert_eq!((done.status, done.next), (DeliveryStatus::Delivered, None));
    assert_eq!(store.webhook_state(receiver("ci")).await.unwrap(), WebhookState::default());
    assert_eq!(store.claim_delivery(LEASE, at(1_000_000)).await.unwrap(), None);
    // and once more when it is asked for
    let again = store.redeliver("acme", "ci", &first.id, at(8)).await.unwrap();
    assert_eq!((again.status, again.attempts), (DeliveryStatus::Waiting, 0));
    assert_eq!(store.redeliver("acme", "chat", &first.id, at(8)).await, Err(StoreError::Absent));
    let third = store.claim_delivery(LEASE, at(8)).await.unwrap().unwrap();
    settle(&store, &third, TryVerdict::GiveUp, at(9)).await.unwrap();
    assert_eq!(read_delivery(&store, &first.id).await.status, DeliveryStatus::Failed);
}

async fn a_lease_that_ends_gives_a_delivery_back(store: Ledger) {
    let first = delivery(&store, at(0)).await;
    assert_eq!(store.claim_delivery(LEASE, at(9)).await.unwrap(), None);
    let second = store.claim_delivery(LEASE, at(10)).await.unwrap().unwrap();
    assert_eq!(second.id, first.id);
    assert_eq!(settle(&store, &first, TryVerdict::GiveUp, at(11)).await, Err(StoreError::Lost));
    assert_eq!(settle(&store, &second, TryVerdict::Delivered, at(11)).await, Ok(false));
}

async fn a_receiver_that_takes_nothing_for_days_is_disabled(store: Ledger) {
    let mut now = at(0);
    let mut tried = delivery(&store, now).await;
    for _ in 0..4 {
        assert_eq!(settle(&store, &tried, TryVerdict::Retry(DAY), now).await, Ok(false));
        now = now.plus(DAY);
        tried = store.claim_delivery(LEASE, now).await.unwrap().unwrap();
    }
    now = at(0).plus(DISABLE);
    assert_eq!(settle(&store, &tried, TryVerdict::Retry(DAY), now).await, Ok(true));
    assert_eq!(read_delivery(&store, &tried.id).await.status, DeliveryStatus::Failed);
    let state = store.webhook_state(receiver("ci")).await.unwrap();
    assert_eq!((state.failing_since, state.disabled_at), (Some(at(0)), Some(now)));
    // what comes now is kept, and not sent
    let (row, _) = event(&store).await;
    store.expand_event(&row, vec![receiver("ci")], "{}".to_owned(), now).await.unwrap();
    assert_eq!(store.claim_delivery(LEASE, now.plus(DAY)).await.unwrap(), None);
    // another address is another receiver
    let moved = Receiver { address: "b".to_owned(), ..receiver("ci") };
    assert_eq!(store.webhook_state(moved).await.unwrap(), WebhookState::default());
    store.enable_webhook(receiver("ci")).await.unwrap();
    assert_eq!(store.webhook_state(receiver("ci")).await.unwrap(), WebhookState::default());
}
