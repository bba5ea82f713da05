//! What is forgotten, and when.

use super::*;

contract!(
    bundles_go_by_age_and_number,
    an_archive_goes_with_its_last_name,
    records_go_after_their_time,
    agent_jobs_are_put_away
);

const DAY: Duration = Duration::from_secs(86_400);

async fn sweep(store: &Ledger, days: u32, keep_last: usize) -> Vec<String> {
    let horizon = Horizon { now: Time::now().plus(DAY * days), records: DAY * 90, agents: DAY * 30 };
    let mut archives = Vec::new();
    // what one sweep lets go, the next one tells
    for _ in 0..3 {
        let retention: RetentionOf = Arc::new(move |_| Retention { bundles: DAY * 30, keep_last });
        archives.extend(store.sweep(horizon, retention, at(u64::from(days) * 86_400)).await.unwrap().archives);
    }
    archives.sort();
    archives
}

async fn export(store: &Ledger, domain: &str, name: char) -> ExportJob {
    let mut job = job("acme");
    job.domain = domain.to_owned();
    let job = store.start_export(job, CAPS, None, at(0)).await.unwrap();
    let lease = claim(store, at(0)).await;
    assert!(store.hold(&lease, &archive(name).key, at(0)).await.unwrap());
    store.finish(&lease, exported(name)).await.unwrap();
    job
}

async fn bundles_go_by_age_and_number(store: Ledger) {
    let mut jobs = Vec::new();
    for name in ['a', 'b', 'c', 'd'] {
        jobs.push(export(&store, "one.example", name).await);
    }
    let other = export(&store, "two.example", 'e').await;
    assert_eq!(sweep(&store, 29, 2).await, [""; 0], "young");
    assert_eq!(
        sweep(&store, 31, 2).await,
        [archive('a').key, archive('b').key],
        "neither young nor among the last two"
    );
    for (job, is_gone) in jobs.iter().zip([true, true, false, false]) {
        let job = read(&store, job).await;
        assert_eq!((job.status, job.bundle_gone, job.bundle.is_some()), (ExportStatus::Completed, is_gone, true));
    }
    assert!(!read(&store, &other).await.bundle_gone);
    assert_eq!(sweep(&store, 31, 2).await, [""; 0]);
    assert_eq!(sweep(&store, 31, 0).await, [archive('c').key, archive('d').key, archive('e').key]);
}

async fn an_archive_goes_with_its_last_name(store: Ledger) {
    let key = archive('a').key;
    // two equal exports, and a third one on its way
    export(&store, "one.example", 'a').await;
    export(&store, "two.example", 'a').await;
    start(&store, "acme").await;
    let lease = claim(&store, at(0)).await;
    assert!(store.hold(&lease, &key, at(0)).await.unwrap());
    assert_eq!(sweep(&store, 31, 0).await, std::slice::from_ref(&key));
    assert_eq!(store.add_tombstones(vec![key.clone()], at(0)).await.unwrap(), [""; 0], "it is about to be named again");
    store.finish(&lease, unexported("it failed")).await.unwrap();
    assert_eq!(sweep(&store, 31, 0).await, std::slice::from_ref(&key));
    assert_eq!(store.add_tombstones(vec![key.clone()], at(0)).await.unwrap(), std::slice::from_ref(&key));
    // who comes now waits until it is gone, then puts it anew
    start(&store, "acme").await;
    let lease = claim(&store, at(0)).await;
    assert!(!store.hold(&lease, &key, at(0)).await.unwrap());
    store.remove_tombstones(vec![key.clone()]).await.unwrap();
    assert!(store.hold(&lease, &key, at(0)).await.unwrap());
    store.finish(&lease, exported('a')).await.unwrap();
    assert_eq!(store.add_tombstones(vec![key], at(0)).await.unwrap(), [""; 0]);
}

async fn records_go_after_their_time(store: Ledger) {
    let completed = export(&store, "one.example", 'a').await;
    let failed = start(&store, "acme").await;
    store.cancel_export("acme", &failed.id).await.unwrap();
    let waiting = start(&store, "acme").await;
    sweep(&store, 89, 1).await;
    assert!(store.export("acme", &failed.id).await.unwrap().is_some());
    sweep(&store, 91, 1).await;
    assert_eq!(store.export("acme", &failed.id).await.unwrap(), None);
    for job in [&completed, &waiting] {
        assert!(store.export("acme", &job.id).await.unwrap().is_some(), "its bundle is kept, or it has not ended");
    }
    // a bundle that goes takes its record along, a day later at the latest
    sweep(&store, 93, 0).await;
    sweep(&store, 95, 0).await;
    assert_eq!(store.export("acme", &completed.id).await.unwrap(), None);
    let list = store.exports("acme", ExportFilter { limit: 10, ..ExportFilter::default() }).await.unwrap().items;
    assert_eq!(list.into_iter().map(|job| job.id).collect::<Vec<_>>(), [waiting.id]);
}

async fn agent_jobs_are_put_away(store: Ledger) {
    let job = AgentJob::new("acme", "docs", "https://git.example/docs", "main", "default", "first".to_owned());
    let job = store.start_agent(job, CAPS, None, at(0)).await.unwrap();
    let lease = store.claim(Lane::Agent, LEASE, at(0)).await.unwrap().unwrap().lease;
    sweep(&store, 40, 0).await;
    let status = async || store.agent("acme", "docs", &job.id).await.unwrap().map(|job| job.status);
    assert_eq!(status().await, Some(AgentStatus::Active), "it works");
    store.finish(&lease, WorkOutcome::Agent(Ok(None))).await.unwrap();
    sweep(&store, 29, 0).await;
    assert_eq!(status().await, Some(AgentStatus::Completed));
    sweep(&store, 31, 0).await;
    assert_eq!(status().await, Some(AgentStatus::Archived));
    sweep(&store, 91, 0).await;
    assert_eq!(status().await, None);
}
