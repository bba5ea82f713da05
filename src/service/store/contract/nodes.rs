//! Processes that share a database.

use super::postgres::url;
use super::*;

#[tokio::test]
async fn work_of_a_process_that_died_is_taken_and_has_not_crashed() {
    let url = url("died");
    let other = process(&url).await;
    let job = start(&other, "acme").await;
    for round in 0..5 {
        let now = round * 20;
        let mortal = Ledger::connect(&url).await.unwrap();
        mortal.beat(LEASE / 2, at(now)).await.unwrap();
        let lease = claim(&mortal, at(now)).await;
        assert_eq!(lease.id, job.id, "however often its process died");
        assert!(is_idle(&other, at(now + 9)).await, "its lease has not ended");
    }
    let lease = claim(&other, at(200)).await;
    other.finish(&lease, exported('a')).await.unwrap();
    assert_eq!(read(&other, &job).await.status, ExportStatus::Completed);
}

#[tokio::test]
async fn work_that_is_silent_in_a_process_that_lives_has_crashed() {
    let url = url("silent");
    let (one, other) = (process(&url).await, process(&url).await);
    let job = start(&one, "acme").await;
    claim(&one, at(0)).await;
    claim(&other, at(10)).await;
    assert!(is_idle(&one, at(20)).await);
    assert_eq!(read(&other, &job).await.status, ExportStatus::Failed);
}

#[tokio::test]
async fn a_start_takes_nothing_from_others() {
    let url = url("start");
    let one = process(&url).await;
    let job = start(&one, "acme").await;
    let lease = claim(&one, at(0)).await;
    let other = process(&url).await;
    assert!(is_idle(&other, at(1)).await);
    one.renew(&lease, WorkReport { progress: 40, pages: 4, commit: None }, LEASE, at(2)).await.unwrap();
    assert_eq!(read(&other, &job).await.progress, 40, "what one has written another one reads at once");
    one.finish(&lease, exported('a')).await.unwrap();
    assert_eq!(other.finish(&lease, exported('b')).await, Err(StoreError::Lost));
}

#[tokio::test]
async fn what_others_change_wakes() {
    let url = url("wakes");
    let (one, other) = (process(&url).await, process(&url).await);
    let mut lane = other.watch_lane(Lane::Build);
    let job = start(&one, "acme").await;
    tokio::time::timeout(SECOND * 30, lane.changed()).await.expect("work has come");
    let mut watch = other.watch(&job.id);
    claim(&one, at(0)).await;
    tokio::time::timeout(SECOND * 30, watch.changed()).await.expect("the job has changed");
}

#[tokio::test]
async fn all_have_the_same_secrets() {
    let url = url("secrets");
    let (one, other) = (process(&url).await, process(&url).await);
    let (first, second) = tokio::join!(one.secret("links", [1; 32]), other.secret("links", [2; 32]));
    assert_eq!(first, second);
    assert_eq!(one.secret("previews", [3; 32]).await, Ok([3; 32]));
}

#[tokio::test]
async fn tombstones_of_a_process_that_died_end() {
    let url = url("tombstones");
    let (mortal, other) = (process(&url).await, process(&url).await);
    start(&other, "acme").await;
    let (lease, key) = (claim(&other, at(0)).await, archive('a').key);
    assert_eq!(mortal.add_tombstones(vec![key.clone()], at(0)).await.unwrap(), std::slice::from_ref(&key));
    assert!(!other.hold(&lease, &key, at(599)).await.unwrap());
    assert!(other.hold(&lease, &key, at(601)).await.unwrap());
}

#[tokio::test]
async fn clocks_follow_the_database() {
    let url = url("clocks");
    let (one, other) = (process(&url).await, process(&url).await);
    let (shown, expect) = (one.clock().now(), other.clock().now());
    assert!(shown.since(expect).max(expect.since(shown)) < SECOND, "{shown} and {expect}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_piece_of_work_is_taken_once_by_many() {
    let url = url("many");
    let mut processes = Vec::new();
    for _ in 0..5 {
        processes.push(process(&url).await);
    }
    let mut tasks = tokio::task::JoinSet::new();
    for (number, store) in processes.iter().cloned().enumerate() {
        tasks.spawn(async move {
            let mut orders = Vec::new();
            for n in 0..40 {
                let job = job(&format!("org-{}", (n + number) % 7));
                orders.push(store.start_export(job, Caps::default(), None, at(0)).await.unwrap().order);
            }
            orders
        });
    }
    let mut orders = tasks.join_all().await.concat();
    orders.sort_unstable();
    assert_eq!(orders, (1..=200).collect::<Vec<u64>>(), "each has a place of its own");
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..10 {
        let store = processes[number % processes.len()].clone();
        tasks.spawn(async move {
            let mut taken = Vec::new();
            while let Some(claimed) = store.claim(Lane::Build, LEASE, at(1)).await.unwrap() {
                store.finish(&claimed.lease, exported('a')).await.unwrap();
                taken.push(claimed.lease.id);
            }
            taken
        });
    }
    let mut taken = tasks.join_all().await.concat();
    taken.sort_unstable();
    taken.dedup();
    assert_eq!(taken.len(), 200);
    assert_eq!(processes[0].counts().await.unwrap(), StoreCounts::default());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_and_keys_hold_for_all_together() {
    let url = url("windows");
    let (one, other) = (process(&url).await, process(&url).await);
    let mut accepted = 0;
    for _ in 0..5 {
        let (first, second) =
            tokio::join!(one.take("acme", 5, SECOND * 60, at(0)), other.take("acme", 5, SECOND * 60, at(0)));
        accepted += u32::from(first.unwrap().accepted) + u32::from(second.unwrap().accepted);
    }
    assert_eq!(accepted, 5);
    let key = OnceKey::new("acme", "POST", "/v1/static-export/jobs", "key");
    let (first, second) = tokio::join!(one.begin(&key, [1; 32], at(0)), other.begin(&key, [1; 32], at(0)));
    let mut begun = [first.unwrap(), second.unwrap()];
    begun.sort_by_key(|begun| *begun != Begun::First);
    assert_eq!(begun, [Begun::First, Begun::InProgress]);
}

#[tokio::test]
async fn tables_of_a_newer_program_are_refused() {
    let url = url("newer");
    process(&url).await;
    let schema = url.rsplit("%3D").next().unwrap();
    postgres::sql(&format!("UPDATE \"{schema}\".offprint_schema SET version = 9"));
    process(&url).await;
    postgres::sql(&format!("UPDATE \"{schema}\".offprint_schema SET usable_from = 9"));
    let refused = Ledger::connect(&url).await.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("have version 9, this program knows versions up to 1"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_answered_survives_a_crash_of_the_database() {
    let mut server = postgres::durable();
    let url = server.url("crash");
    let processes = [process(&url).await, process(&url).await];
    let ends = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let mut tasks = tokio::task::JoinSet::new();
    for store in processes.iter().cycle().take(16) {
        let (store, ends) = (store.clone(), Arc::clone(&ends));
        tasks.spawn(async move {
            let mut answered = Vec::new();
            while !ends.load(std::sync::atomic::Ordering::Relaxed) {
                answered.extend(store.start_export(job("acme"), Caps::default(), None, at(0)).await);
            }
            answered
        });
    }
    tokio::time::sleep(SECOND / 2).await;
    tokio::task::block_in_place(|| server.kill());
    ends.store(true, std::sync::atomic::Ordering::Relaxed);
    tokio::task::block_in_place(|| server.up(&[]));
    let answered = tasks.join_all().await.concat();
    assert!(answered.len() > 50, "{}", answered.len());
    for job in answered {
        assert_eq!(read(&processes[0], &job).await, job);
    }
}
