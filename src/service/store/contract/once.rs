//! Answers given once, and rate windows.

use super::*;

contract!(
    the_first_answer_is_given_again,
    an_answer_comes_with_its_effect,
    an_effect_that_was_overtaken_is_refused,
    a_refused_request_frees_its_key,
    a_window_holds_no_more_than_its_limit,
    a_clock_set_back_locks_no_client_out,
);

fn key(name: &str) -> OnceKey {
    OnceKey::new("acme", "POST", "/v1/static-export/jobs", name)
}

fn answer(text: &str) -> StoredResponse {
    StoredResponse { status: 200, location: None, body: text.to_owned() }
}

async fn the_first_answer_is_given_again(store: Ledger) {
    let begin = async |name, request, seconds| store.begin(&key(name), [request; 32], at(seconds)).await.unwrap();
    assert_eq!(begin("a", 1, 0).await, Begun::First);
    assert_eq!(begin("a", 1, 1).await, Begun::InProgress);
    assert_eq!(begin("a", 2, 1).await, Begun::Mismatch);
    assert_eq!(begin("b", 1, 1).await, Begun::First);
    store.remember(&key("a"), [1; 32], answer("x"), at(2)).await.unwrap();
    assert_eq!(begin("a", 1, 3).await, Begun::Replay(answer("x")));
    assert_eq!(begin("a", 2, 3).await, Begun::Mismatch);
    let day = 24 * 3600;
    assert_eq!(begin("a", 1, 1 + day).await, Begun::Replay(answer("x")));
    assert_eq!(begin("a", 1, 2 + day).await, Begun::First, "after a day");
    // a request that was never answered blocks others for a short time only
    assert_eq!(begin("b", 1, 4).await, Begun::InProgress);
    assert_eq!(begin("b", 1, 5).await, Begun::First);
    for other in [
        OnceKey::new("other", "POST", "/v1/static-export/jobs", "a"),
        OnceKey::new("acme", "POST", "/v1/static-export/job", "sa"),
    ] {
        assert_eq!(store.begin(&other, [1; 32], at(3)).await.unwrap(), Begun::First);
    }
}

async fn an_answer_comes_with_its_effect(store: Ledger) {
    let remember = || Remember { key: key("a"), request: [1; 32], answer: Arc::new(|job: &ExportJob| answer(&job.id)) };
    assert_eq!(store.begin(&key("a"), [1; 32], at(0)).await.unwrap(), Begun::First);
    let job = store.start_export(job("acme"), CAPS, Some(remember()), at(0)).await.unwrap();
    assert_eq!(store.begin(&key("a"), [1; 32], at(0)).await.unwrap(), Begun::Replay(answer(&job.id)));
    // a second effect under one key leaves nothing
    let second = super::job("acme");
    assert!(matches!(
        store.start_export(second.clone(), CAPS, Some(remember()), at(1)).await,
        Err(StoreError::Conflict(_))
    ));
    assert_eq!(store.export("acme", &second.id).await.unwrap(), None);
    assert_eq!(store.counts().await.unwrap().waiting, 1);
}

async fn an_effect_that_was_overtaken_is_refused(store: Ledger) {
    let remember = || Remember { key: key("a"), request: [1; 32], answer: Arc::new(|job: &ExportJob| answer(&job.id)) };
    assert_eq!(store.begin(&key("a"), [1; 32], at(0)).await.unwrap(), Begun::First);
    // its process seems to have died, and the client asks again
    assert_eq!(store.begin(&key("a"), [1; 32], at(4)).await.unwrap(), Begun::First);
    let job = store.start_export(job("acme"), CAPS, Some(remember()), at(4)).await.unwrap();
    let late = super::job("acme");
    assert!(matches!(
        store.start_export(late.clone(), CAPS, Some(remember()), at(5)).await,
        Err(StoreError::Conflict(_))
    ));
    store.abandon(&key("a")).await.unwrap();
    assert_eq!(store.export("acme", &late.id).await.unwrap(), None);
    assert_eq!(store.begin(&key("a"), [1; 32], at(5)).await.unwrap(), Begun::Replay(answer(&job.id)));
}

async fn a_refused_request_frees_its_key(store: Ledger) {
    assert_eq!(store.begin(&key("a"), [1; 32], at(0)).await.unwrap(), Begun::First);
    store.abandon(&key("a")).await.unwrap();
    assert_eq!(store.begin(&key("a"), [2; 32], at(0)).await.unwrap(), Begun::First);
    store.remember(&key("a"), [2; 32], answer("x"), at(0)).await.unwrap();
    store.abandon(&key("a")).await.unwrap();
    assert_eq!(store.begin(&key("a"), [2; 32], at(0)).await.unwrap(), Begun::Replay(answer("x")), "an answer stays");
}

async fn a_window_holds_no_more_than_its_limit(store: Ledger) {
    let take = async |seconds| store.take("previews acme", 5, SECOND * 60, at(seconds)).await.unwrap();
    for (n, left) in [4, 3, 2, 1, 0].into_iter().enumerate() {
        let rate = take(n as u64 * 10).await;
        assert_eq!(
            (rate.accepted, rate.left, rate.reset),
            (true, left, SECOND * (60 - u32::try_from(n).unwrap() * 10))
        );
    }
    assert_eq!(take(50).await, Rate { accepted: false, left: 0, reset: SECOND * 10 });
    assert_eq!(take(59).await, Rate { accepted: false, left: 0, reset: SECOND });
    assert_eq!(take(60).await, Rate { accepted: true, left: 0, reset: SECOND * 10 });
    assert!(!take(60).await.accepted);
    assert!(store.take("previews other", 5, SECOND * 60, at(60)).await.unwrap().accepted);
    // a smaller limit holds at once
    assert_eq!(
        store.take("previews acme", 2, SECOND * 60, at(61)).await.unwrap(),
        Rate { accepted: false, left: 0, reset: SECOND * 39 }
    );
}

async fn a_clock_set_back_locks_no_client_out(store: Ledger) {
    for _ in 0..5 {
        assert!(store.take("acme", 5, SECOND * 60, at(90_000)).await.unwrap().accepted);
    }
    let rate = store.take("acme", 5, SECOND * 60, at(0)).await.unwrap();
    assert_eq!((rate.accepted, rate.reset), (false, SECOND * 60));
}
