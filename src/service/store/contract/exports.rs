//! The life of an export job.

use super::*;

contract!(
    an_export_ends_with_a_bundle,
    an_export_ends_with_a_cause,
    progress_never_goes_back,
    nothing_is_found_in_another_organization,
    canceling_is_final,
    pages_of_a_list,
    watchers_are_woken,
    what_has_changed_is_read_again,
);

async fn an_export_ends_with_a_bundle(store: Ledger) {
    let job = start(&store, "acme").await;
    assert_eq!((job.status, job.progress, job.pages, job.version.as_deref()), (ExportStatus::Queued, 0, 0, None));
    let lease = claim(&store, at(0)).await;
    assert_eq!((lease.id.as_str(), read(&store, &job).await.status), (job.id.as_str(), ExportStatus::Running));
    assert!(store.hold(&lease, &archive('a').key, at(0)).await.unwrap());
    store.finish(&lease, exported('a')).await.unwrap();
    let done = read(&store, &job).await;
    assert_eq!((done.status, done.progress, done.pages), (ExportStatus::Completed, 100, 3));
    assert_eq!((done.version.as_deref(), done.bundle, done.error), (Some("v1"), Some(archive('a')), None));
    assert!(done.updated_at >= job.updated_at && done.ended_at.is_some());
    assert_eq!(store.finish(&lease, exported('b')).await, Err(StoreError::Lost), "nothing ends twice");
    assert!(is_idle(&store, at(100)).await);
    assert_eq!(store.counts().await.unwrap(), StoreCounts::default());
}

async fn an_export_ends_with_a_cause(store: Ledger) {
    let job = start(&store, "acme").await;
    let lease = claim(&store, at(0)).await;
    store.finish(&lease, unexported("`index.mdx` is missing")).await.unwrap();
    let done = read(&store, &job).await;
    assert_eq!(
        (done.status, done.error.as_deref(), done.bundle),
        (ExportStatus::Failed, Some("`index.mdx` is missing"), None)
    );
    // an error of a failed job is never empty
    let job = start(&store, "acme").await;
    let lease = claim(&store, at(0)).await;
    store.finish(&lease, unexported("")).await.unwrap();
    assert!(read(&store, &job).await.error.is_some_and(|error| !error.is_empty()));
}

async fn progress_never_goes_back(store: Ledger) {
    let job = start(&store, "acme").await;
    let lease = claim(&store, at(0)).await;
    for (progress, pages, expect) in [(10, 1, (10, 1)), (60, 4, (60, 4)), (20, 2, (60, 4)), (200, 5, (99, 5))] {
        let last = read(&store, &job).await.updated_at;
        store.renew(&lease, WorkReport { progress, pages, commit: None }, LEASE, at(1)).await.unwrap();
        let now = read(&store, &job).await;
        assert_eq!((now.progress, now.pages), expect);
        assert!(now.updated_at >= last);
    }
    store.release(&lease, Release::Stopped, at(0)).await.unwrap();
    let again = claim(&store, at(2)).await;
    store.renew(&again, WorkReport::default(), LEASE, at(3)).await.unwrap();
    let now = read(&store, &job).await;
    assert_eq!(
        (now.status, now.progress, now.pages),
        (ExportStatus::Running, 99, 5),
        "another worker begins from the start; the progress that is shown does not go back"
    );
}

async fn nothing_is_found_in_another_organization(store: Ledger) {
    let job = start(&store, "acme").await;
    for (organization, id) in [("other", job.id.as_str()), ("acme", "se_0"), ("", ""), ("acme", "\0"), ("acme", "")] {
        assert_eq!(store.export(organization, id).await.unwrap(), None);
        assert_eq!(store.cancel_export(organization, id).await, Err(StoreError::Absent));
    }
    assert_eq!(store.exports("other", ExportFilter { limit: 10, ..ExportFilter::default() }).await.unwrap().items, []);
    let foreign = ExportFilter { limit: 10, cursor: Some(job.id.clone()), ..ExportFilter::default() };
    assert_eq!(store.exports("other", foreign).await, Err(StoreError::Absent));
}

async fn canceling_is_final(store: Ledger) {
    let (running, waiting) = (start(&store, "acme").await, start(&store, "acme").await);
    let lease = claim(&store, at(0)).await;
    for job in [&running, &waiting] {
        let canceled = store.cancel_export("acme", &job.id).await.unwrap();
        assert_eq!((canceled.status, canceled.error.as_deref()), (ExportStatus::Failed, Some("canceled")));
        assert_eq!(store.cancel_export("acme", &job.id).await.unwrap(), canceled, "again: unchanged");
    }
    assert_eq!(store.renew(&lease, WorkReport::default(), LEASE, at(1)).await, Err(StoreError::Lost));
    assert_eq!(store.finish(&lease, exported('a')).await, Err(StoreError::Lost));
    assert_eq!(store.release(&lease, Release::Stopped, at(0)).await, Err(StoreError::Lost));
    assert!(is_idle(&store, at(100)).await);
    assert_eq!(store.counts().await.unwrap(), StoreCounts::default());
    let done = start(&store, "acme").await;
    let lease = claim(&store, at(0)).await;
    store.finish(&lease, exported('a')).await.unwrap();
    assert!(matches!(store.cancel_export("acme", &done.id).await, Err(StoreError::Conflict(_))));
}

async fn pages_of_a_list(store: Ledger) {
    let mut all = Vec::new();
    for n in 0..7 {
        let mut job = job("acme");
        job.domain = if n % 2 == 0 { "even.example" } else { "odd.example" }.to_owned();
        all.insert(0, store.start_export(job, Caps::default(), None, at(0)).await.unwrap().id);
    }
    start(&store, "other").await;
    let list = async |filter: ExportFilter| {
        let (mut ids, mut pages, mut cursor) = (Vec::new(), 0, None);
        loop {
            let page = store.exports("acme", ExportFilter { cursor, ..filter.clone() }).await.unwrap();
            assert!(page.items.len() <= filter.limit);
            ids.extend(page.items.into_iter().map(|job| job.id));
            pages += 1;
            cursor = page.next;
            if cursor.is_none() {
                return (ids, pages);
            }
        }
    };
    for (limit, pages) in [(1, 7), (2, 4), (3, 3), (7, 1), (100, 1)] {
        assert_eq!(list(ExportFilter { limit, ..ExportFilter::default() }).await, (all.clone(), pages), "{limit}");
    }
    let odd: Vec<String> = all.iter().enumerate().filter(|(at, _)| at % 2 == 1).map(|(_, id)| id.clone()).collect();
    assert_eq!(
        list(ExportFilter { domain: Some("odd.example".to_owned()), limit: 2, ..ExportFilter::default() }).await.0,
        odd
    );
    claim(&store, at(0)).await;
    let running = ExportFilter { status: Some(ExportStatus::Running), limit: 5, ..ExportFilter::default() };
    assert_eq!(list(running).await.0, all[6..], "the oldest runs first");
    let unknown = ExportFilter { cursor: Some("se_0".to_owned()), limit: 5, ..ExportFilter::default() };
    assert_eq!(store.exports("acme", unknown).await, Err(StoreError::Absent));
}

async fn watchers_are_woken(store: Ledger) {
    let job = start(&store, "acme").await;
    let (mut one, mut other) = (store.watch(&job.id), store.watch("se_0"));
    claim(&store, at(0)).await;
    tokio::time::timeout(SECOND * 30, one.changed()).await.expect("the job has changed");
    assert!(tokio::time::timeout(SECOND / 20, other.changed()).await.is_err());
}

async fn what_has_changed_is_read_again(store: Ledger) {
    let job = start(&store, "acme").await;
    let reread = async |organization: &str, known: Option<&RecordVersion>| {
        store.reread_export(organization, &job.id, known.cloned()).await.unwrap()
    };
    let Reread::Changed(found, queued) = reread("acme", None).await else { panic!("it was not known") };
    assert_eq!(found, job);
    assert_eq!(reread("acme", Some(&queued)).await, Reread::Unchanged);
    assert_eq!(reread("other", None).await, Reread::Absent);
    let lease = claim(&store, at(0)).await;
    let Reread::Changed(found, running) = reread("acme", Some(&queued)).await else { panic!("it has changed") };
    assert_eq!(found.status, ExportStatus::Running);
    store.finish(&lease, exported('a')).await.unwrap();
    let Reread::Changed(found, _) = reread("acme", Some(&running)).await else { panic!("it has changed") };
    assert_eq!(found, read(&store, &job).await);
    assert_eq!(store.reread_export("acme", "se_0", Some(running)).await.unwrap(), Reread::Absent);
}
