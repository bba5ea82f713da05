//! Caps, turns, leases.

use super::*;

contract!(
    an_organization_has_two_running_and_twenty_waiting,
    caps_may_change,
    organizations_take_turns,
    a_lease_that_ended_is_worth_nothing,
    what_kills_twice_has_failed,
    work_given_back_is_taken_first,
    work_that_found_no_room_is_tried_later,
    lanes_are_apart,
);

async fn an_organization_has_two_running_and_twenty_waiting(store: Ledger) {
    for n in 0..22 {
        // whether a worker was quick does not show
        if n % 7 == 0 {
            store.claim(Lane::Build, LEASE, at(0)).await.unwrap();
        }
        start(&store, "acme").await;
    }
    assert_eq!(store.start_export(job("acme"), CAPS, None, at(0)).await, Err(StoreError::QueueFull));
    assert_eq!(store.room("acme", WorkKind::Export, CAPS).await, Err(StoreError::QueueFull));
    assert_eq!(store.room("acme", WorkKind::Deployment, CAPS).await, Ok(()), "each kind has its own");
    start(&store, "other").await;
    // no third one runs
    let mut running = 0;
    while let Some(claimed) = store.claim(Lane::Build, LEASE, at(0)).await.unwrap() {
        running += usize::from(claimed.lease.organization == "acme");
    }
    assert!(running <= 2);
    assert_eq!(store.counts().await.unwrap(), StoreCounts { waiting: 20, running: 3 });
}

async fn caps_may_change(store: Ledger) {
    let none = Caps::default();
    for _ in 0..50 {
        store.start_export(job("acme"), none, None, at(0)).await.unwrap();
    }
    assert_eq!(store.room("acme", WorkKind::Export, CAPS).await, Err(StoreError::QueueFull));
    for _ in 0..40 {
        claim(&store, at(0)).await;
    }
    store.start_export(job("acme"), Caps { running: 41, waiting: 0 }, None, at(0)).await.unwrap();
    claim(&store, at(0)).await;
    assert!(is_idle(&store, at(0)).await);
}

async fn organizations_take_turns(store: Ledger) {
    let caps = Caps::default();
    for organization in ["a", "a", "a", "a", "b", "b", "c"] {
        store.start_export(job(organization), caps, None, at(0)).await.unwrap();
    }
    let mut order = String::new();
    for _ in 0..7 {
        order += &claim(&store, at(0)).await.organization;
    }
    assert_eq!(order, "abcabaa");
    // who was away has no turns to catch up on
    for organization in ["a", "a", "c", "c"] {
        store.start_export(job(organization), caps, None, at(0)).await.unwrap();
    }
    let mut order = String::new();
    for _ in 0..4 {
        order += &claim(&store, at(0)).await.organization;
    }
    assert_eq!(order, "caca");
}

async fn a_lease_that_ended_is_worth_nothing(store: Ledger) {
    let job = start(&store, "acme").await;
    let first = claim(&store, at(0)).await;
    store.renew(&first, WorkReport::default(), LEASE, at(9)).await.unwrap();
    assert!(is_idle(&store, at(18)).await, "it has been renewed");
    let second = claim(&store, at(19)).await;
    assert_eq!(second.id, job.id);
    assert!(second.fence > first.fence);
    let late = WorkReport { progress: 90, pages: 90, commit: None };
    assert_eq!(store.renew(&first, late, LEASE, at(20)).await, Err(StoreError::Lost));
    assert_eq!(store.hold(&first, &archive('a').key, at(0)).await, Err(StoreError::Lost));
    assert_eq!(store.finish(&first, exported('a')).await, Err(StoreError::Lost));
    assert_eq!(store.release(&first, Release::Stopped, at(0)).await, Err(StoreError::Lost));
    assert_eq!(read(&store, &job).await.progress, 0);
    store.finish(&second, exported('b')).await.unwrap();
    assert_eq!(read(&store, &job).await.bundle, Some(archive('b')));
}

async fn what_kills_twice_has_failed(store: Ledger) {
    // by its own process
    let job = start(&store, "acme").await;
    store.release(&claim(&store, at(0)).await, Release::Crashed("out of memory".to_owned()), at(0)).await.unwrap();
    assert_eq!(read(&store, &job).await.status, ExportStatus::Running, "a status only moves forward");
    store.release(&claim(&store, at(0)).await, Release::Crashed("out of memory".to_owned()), at(0)).await.unwrap();
    let failed = read(&store, &job).await;
    assert_eq!((failed.status, failed.error.as_deref()), (ExportStatus::Failed, Some("out of memory")));
    // by its worker's silence
    let job = start(&store, "acme").await;
    claim(&store, at(0)).await;
    claim(&store, at(10)).await;
    assert!(is_idle(&store, at(20)).await);
    assert_eq!(read(&store, &job).await.status, ExportStatus::Failed);
    assert_eq!(store.counts().await.unwrap(), StoreCounts::default());
}

async fn work_given_back_is_taken_first(store: Ledger) {
    let job = start(&store, "acme").await;
    start(&store, "acme").await;
    start(&store, "other").await;
    // stopping is no crash, however often
    for _ in 0..5 {
        let lease = claim(&store, at(0)).await;
        assert_eq!(lease.id, job.id);
        store.release(&lease, Release::Stopped, at(0)).await.unwrap();
    }
    assert_eq!(store.counts().await.unwrap(), StoreCounts { waiting: 2, running: 1 });
}

async fn work_that_found_no_room_is_tried_later(store: Ledger) {
    let full = || Release::Delayed("the disk is full".to_owned());
    let job = start(&store, "acme").await;
    store.release(&claim(&store, at(0)).await, full(), at(0)).await.unwrap();
    assert!(is_idle(&store, at(1)).await);
    let why = read(&store, &job).await.waiting.unwrap();
    assert_eq!(why, "waits: the disk is full; tried 1 of 1440 times, the next time in 2 s");
    store.release(&claim(&store, at(2)).await, full(), at(2)).await.unwrap();
    assert!(is_idle(&store, at(5)).await, "longer each time");
    let lease = claim(&store, at(6)).await;
    assert_eq!(read(&store, &job).await.waiting, None, "it goes on");
    store.finish(&lease, exported('a')).await.unwrap();
    assert_eq!(read(&store, &job).await.status, ExportStatus::Completed);
    // what has not begun does not begin, where that is asked for
    let job = start(&store, "acme").await;
    let queued = start(&store, "acme").await;
    store.release(&claim(&store, at(10)).await, full(), at(10)).await.unwrap();
    let claim_begun = async |now| store.claim_begun(Lane::Build, LEASE, now).await.unwrap();
    assert_eq!(claim_begun(at(11)).await.map(|claimed| claimed.lease.id), None);
    // it says that it lives
    let waits = read(&store, &job).await;
    assert_eq!(waits.status, ExportStatus::Running, "a status only moves forward");
    store.keep_alive(Duration::from_secs(60)).await.unwrap();
    assert_eq!(read(&store, &job).await.updated_at, waits.updated_at, "but not all the time");
    tokio::time::sleep(Duration::from_millis(2)).await;
    store.keep_alive(Duration::from_millis(1)).await.unwrap();
    assert!(read(&store, &job).await.updated_at > waits.updated_at);
    assert_eq!(read(&store, &queued).await.updated_at, queued.updated_at, "what has not begun has nothing to say");
    let lease = claim_begun(at(12)).await.unwrap().lease;
    assert_eq!(lease.id, job.id);
    store.finish(&lease, exported('a')).await.unwrap();
    store.cancel_export("acme", &queued.id).await.unwrap();
    // it may be canceled meanwhile
    let job = start(&store, "acme").await;
    store.release(&claim(&store, at(10)).await, full(), at(10)).await.unwrap();
    store.cancel_export("acme", &job.id).await.unwrap();
    assert!(is_idle(&store, at(100)).await);
    assert_eq!(store.counts().await.unwrap(), StoreCounts::default());
    // once a minute at least, but not for ever
    let job = start(&store, "acme").await;
    for minute in 1..=work::DELAYS {
        assert_eq!(read(&store, &job).await.error, None);
        let now = u64::from(minute) * 60 + 100;
        store.release(&claim(&store, at(now)).await, full(), at(now)).await.unwrap();
    }
    assert_eq!(read(&store, &job).await.error.as_deref(), Some("the disk is full"));
}

async fn lanes_are_apart(store: Ledger) {
    let agent = AgentJob::new("acme", "docs", "https://git.example/docs", "main", "default", "hello".to_owned());
    store.start_agent(agent, CAPS, None, at(0)).await.unwrap();
    assert!(is_idle(&store, at(0)).await);
    let claimed = store.claim(Lane::Agent, LEASE, at(0)).await.unwrap().unwrap();
    assert!(is_idle(&store, at(100)).await, "not even when its lease ends");
    assert_eq!(claimed.lease.kind, WorkKind::Agent);
}

#[tokio::test]
async fn all_together_have_a_cap() {
    let store = Ledger::in_memory();
    // one organization without a cap of its own gets half of all, and leaves the rest to others
    let mut greedy = 0;
    while store.start_export(job("greedy"), Caps::default(), None, at(0)).await.is_ok() {
        greedy += 1;
    }
    assert_eq!(greedy, work::WAITING / 2);
    assert_eq!(store.start_export(job("greedy"), Caps::default(), None, at(0)).await, Err(StoreError::QueueFull));
    for n in greedy..work::WAITING {
        let mut job = job(&format!("org-{n}"));
        job.id = format!("se_{n}");
        store.start_export(job, Caps::default(), None, at(0)).await.unwrap();
    }
    assert_eq!(store.start_export(job("acme"), Caps::default(), None, at(0)).await, Err(StoreError::Saturated));
    claim(&store, at(0)).await;
    start(&store, "acme").await;
}

#[tokio::test]
async fn what_ran_when_the_process_died_is_taken_back_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path()).await;
    let (running, waiting) = (start(&store, "acme").await, start(&store, "acme").await);
    let lease = claim(&store, at(0)).await;
    store.renew(&lease, WorkReport { progress: 40, pages: 4, commit: None }, LEASE, at(1)).await.unwrap();
    let key = OnceKey::new("acme", "POST", "/v1/static-export/jobs", "key");
    assert_eq!(store.begin(&key, [1; 32], at(1)).await.unwrap(), Begun::First);
    for _ in 0..20 {
        assert!(store.take("acme", 100, SECOND * 60, at(1)).await.unwrap().accepted);
    }
    assert!(Ledger::open(&folder.path().join("store"), at(2)).await.is_err(), "a store belongs to one process");
    drop(store);
    let store = Ledger::open(&folder.path().join("store"), at(2)).await.unwrap();
    let read_again = read(&store, &running).await;
    assert_eq!((read_again.status, read_again.progress, read_again.pages), (ExportStatus::Running, 40, 4));
    assert_eq!(read(&store, &waiting).await, waiting);
    assert_eq!(store.renew(&lease, WorkReport::default(), LEASE, at(2)).await, Err(StoreError::Lost));
    let again = claim(&store, at(2)).await;
    assert_eq!((again.id.as_str(), again.fence > lease.fence), (running.id.as_str(), true));
    assert_eq!(store.begin(&key, [1; 32], at(2)).await.unwrap(), Begun::First, "its request died, too");
    assert_eq!(store.take("acme", 100, SECOND * 60, at(2)).await.unwrap().left, 79);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_callers_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = opened(folder.path()).await;
    let mut callers = tokio::task::JoinSet::new();
    for n in 0..2000 {
        let store = store.clone();
        callers.spawn(async move {
            store.start_export(job(&format!("org-{}", n % 7)), Caps::default(), None, at(0)).await.unwrap().order
        });
    }
    let mut orders = Vec::new();
    while let Some(order) = callers.join_next().await {
        orders.push(order.unwrap());
    }
    orders.sort_unstable();
    assert_eq!(orders, (1..=2000).collect::<Vec<u64>>(), "each has a place of its own");
    assert_eq!(store.counts().await.unwrap().waiting, 2000);
}
