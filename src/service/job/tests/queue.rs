//! Exports and deployments, from the queue to the storage.

use super::*;
use crate::store::DeploymentStatus;

fn preview(branch: &str) -> PreviewRequest {
    let (organization, project) = ("acme".to_owned(), "docs".to_owned());
    PreviewRequest {
        organization,
        project,
        branch: branch.to_owned(),
        label: format!("docs-{branch}"),
        url: format!("https://docs-{branch}.preview.example"),
    }
}

#[tokio::test]
async fn an_export_becomes_an_archive_in_the_storage() {
    let (folder, quick) = (tempfile::tempdir().unwrap(), Quick::default());
    let running = run(service(&Ledger::in_memory(), folder.path(), &quick, None));
    let service = &running.service;
    let done = ended(service, &start(service, "acme", "docs.example").await).await;
    assert_eq!(
        (done.status, done.progress, done.pages, done.version.as_deref()),
        (ExportStatus::Completed, 100, 2, Some("v1"))
    );
    let bundle = done.bundle.unwrap();
    assert_eq!(std::fs::read_to_string(service.objects().open(&bundle.key).unwrap().unwrap()).unwrap(), "docs.example");
    let gone = service
        .start_export(ExportJob::new("acme", "gone", "docs.example", None, Vec::new()), LIMITS, None)
        .await
        .unwrap();
    assert_eq!(ended(service, &gone).await.error.as_deref(), Some("the project is no longer configured"));
    running.stop().await;
    assert_eq!(std::fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0, "nothing temporary is left");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_exports_of_one_organization_do_not_hold_up_another() {
    let (folder, quick) = (tempfile::tempdir().unwrap(), Quick { time: Duration::from_millis(4), ..Quick::default() });
    let store = Ledger::in_memory();
    let running = run(service(&store, folder.path(), &quick, None));
    for _ in 0..1000 {
        running
            .service
            .start_export(job("many", "many.example"), QueueLimits { running: 2, queued: 0 }, None)
            .await
            .unwrap();
    }
    for n in 0..20 {
        let domain = format!("one-{n}.example");
        let before = quick.calls().len();
        let one = start(&running.service, &format!("one-{n}"), &domain).await;
        ended(&running.service, &one).await;
        let calls = quick.calls();
        let at = calls.iter().position(|call| call.domain == domain).unwrap();
        // two workers: in the time of two jobs four can begin
        assert!(
            at.saturating_sub(before) <= 4,
            "{} exports began before that of another organization",
            at.saturating_sub(before)
        );
    }
    assert!(quick.calls().len() < 1000, "the thousand still wait");
    assert!(running.service.ledger().counts().await.unwrap().waiting > 0);
    assert!(quick.running.lock().unwrap()["many.example"].1 <= 2, "no more than its share run");
    running.stop().await;
}

#[tokio::test]
async fn what_kills_its_process_is_tried_once_more_and_what_finds_no_room_until_there_is() {
    let quick = Quick::default()
        .fate("once.example", &[Cause::Crash])
        .fate("twice.example", &[Cause::Crash, Cause::System])
        .fate("full.example", &[Cause::Full, Cause::Full])
        .fate("content.example", &[Cause::Content]);
    let folder = tempfile::tempdir().unwrap();
    let running = run(service(&Ledger::in_memory(), folder.path(), &quick, None));
    for (domain, status, calls) in [
        ("full.example", ExportStatus::Completed, 3),
        ("once.example", ExportStatus::Completed, 2),
        ("twice.example", ExportStatus::Failed, 2),
        ("content.example", ExportStatus::Failed, 1),
    ] {
        let done = ended(&running.service, &start(&running.service, "acme", domain).await).await;
        assert_eq!(
            (done.status, done.error.as_deref()),
            (status, (status == ExportStatus::Failed).then_some("it did not work")),
            "{domain}"
        );
        assert_eq!(quick.calls().iter().filter(|call| call.domain == domain).count(), calls, "{domain}");
    }
    running.stop().await;
}

#[tokio::test]
async fn nothing_begins_on_a_full_disk() {
    let quick = Quick::default().fate("full.example", &[Cause::Full; 8]);
    let folder = tempfile::tempdir().unwrap();
    // in the place of the file that is written to see whether there is room
    let probe = folder.path().join("scratch.probe");
    std::fs::create_dir(&probe).unwrap();
    let running = run(service(&Ledger::in_memory(), folder.path(), &quick, None));
    let service = &running.service;
    let full = start(service, "acme", "full.example").await;
    until("the first try", async || service.0.is_full.load(Ordering::Relaxed).then_some(())).await;
    let waits = start(service, "other", "docs.example").await;
    let tries = || quick.calls().iter().filter(|call| call.domain == "full.example").count();
    until("another try of what has begun", async || (tries() == 2).then_some(())).await;
    let read = async |job: &ExportJob| service.ledger().export(&job.organization, &job.id).await.unwrap().unwrap();
    assert_eq!(read(&waits).await.status, ExportStatus::Queued);
    std::fs::remove_dir(&probe).unwrap();
    assert_eq!(ended(service, &waits).await.status, ExportStatus::Completed);
    assert_eq!(read(&full).await.status, ExportStatus::Running, "a status only moves forward");
    running.stop().await;
}

#[tokio::test]
async fn a_canceled_export_is_called_off() {
    let (folder, quick) = (tempfile::tempdir().unwrap(), Quick { time: PATIENCE, ..Quick::default() });
    let running = run(service(&Ledger::in_memory(), folder.path(), &quick, None));
    let service = &running.service;
    let job = start(service, "acme", "docs.example").await;
    until("the export", async || {
        service.ledger().export("acme", &job.id).await.unwrap().filter(|job| job.progress > 0)
    })
    .await;
    let canceled = service.ledger().cancel_export("acme", &job.id).await.unwrap();
    assert_eq!((canceled.status, canceled.error.as_deref()), (ExportStatus::Failed, Some("canceled")));
    until("the end of its work", async || (quick.running.lock().unwrap()["docs.example"].0 == 0).then_some(())).await;
    assert_eq!(ended(service, &job).await, canceled);
    running.stop().await;
}

#[tokio::test]
async fn no_organization_waits_for_long_work_of_others() {
    let (folder, quick) = (tempfile::tempdir().unwrap(), Quick::default());
    let running = run(service(&Ledger::in_memory(), folder.path(), &quick, None));
    let service = &running.service;
    // both workers
    let mut long = vec![start(service, "acme", "long.one").await, start(service, "acme", "long.two").await];
    until("both exports", async || (quick.calls().len() == 2).then_some(())).await;
    assert_eq!(ended(service, &start(service, "other", "short.one").await).await.status, ExportStatus::Completed);
    // and the places of those that have nothing running
    long.push(start(service, "third", "long.three").await);
    long.push(start(service, "fourth", "long.four").await);
    until("the other exports", async || (quick.calls().len() == 5).then_some(())).await;
    for name in ["other", "fifth", "sixth"] {
        assert_eq!(ended(service, &start(service, name, "short.one").await).await.status, ExportStatus::Completed);
    }
    for job in &long {
        let job = service.ledger().export(&job.organization, &job.id).await.unwrap().unwrap();
        assert_eq!(job.status, ExportStatus::Running, "it goes on, or waits for a worker: {}", job.domain);
    }
    let started = |domain: &str| quick.calls().iter().filter(|call| call.domain == domain).count();
    assert_eq!([started("long.one"), started("long.two")], [1, 1], "what has a worker keeps it");
    assert_eq!(started("long.three") + started("long.four"), 2, "one place is enough, and none of them begins anew");
    // with more of its own it waits, as before
    let second = start(service, "third", "short.one").await;
    tokio::time::sleep(SHORT).await;
    let second = service.ledger().export("third", &second.id).await.unwrap().unwrap();
    assert_eq!(second.status, ExportStatus::Queued);
    running.stop().await;
}

#[tokio::test]
async fn what_runs_when_the_service_stops_goes_back_to_the_queue() {
    let (folder, slow) = (tempfile::tempdir().unwrap(), Quick { time: PATIENCE, ..Quick::default() });
    let store = Ledger::in_memory();
    let running = run(service(&store, folder.path(), &slow, None));
    let jobs =
        [start(&running.service, "acme", "one.example").await, start(&running.service, "other", "two.example").await];
    until("both exports", async || (slow.calls().len() == 2).then_some(())).await;
    running.stop().await;
    for job in &jobs {
        let job = store.export(&job.organization, &job.id).await.unwrap().unwrap();
        assert_eq!(job.status, ExportStatus::Running, "a status only moves forward");
    }
    let running = run(service(&store, folder.path(), &Quick::default(), None));
    for job in &jobs {
        assert_eq!(ended(&running.service, job).await.status, ExportStatus::Completed);
    }
    running.stop().await;
}

#[tokio::test]
async fn work_of_a_service_that_fell_silent_is_taken_by_another() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = Ledger::in_memory();
    let slow = Quick { time: PATIENCE, ..Quick::default() };
    let mut silent = settings(folder.path(), None);
    silent.lease = Duration::from_millis(600);
    let objects = Objects::folder(&folder.path().join("objects")).unwrap();
    let silent = Service::with_exporter(store.clone(), objects, Arc::new(Everything), silent, Box::new(slow.clone()));
    let running = run(silent.clone());
    let job = start(&silent, "acme", "docs.example").await;
    until("the export", async || (!slow.calls().is_empty()).then_some(())).await;
    // as if its machine had gone
    running.task.abort();
    let second = run(service(&store, other.path(), &Quick::default(), None));
    assert_eq!(ended(&second.service, &job).await.status, ExportStatus::Completed);
    second.stop().await;
}

#[tokio::test]
async fn a_running_export_says_that_it_lives() {
    let (folder, quick) = (tempfile::tempdir().unwrap(), Quick { time: PATIENCE, ..Quick::default() });
    let running = run(service(&Ledger::in_memory(), folder.path(), &quick, None));
    let job = start(&running.service, "acme", "docs.example").await;
    let read = async || running.service.ledger().export("acme", &job.id).await.unwrap().unwrap();
    let first = until("the export", async || Some(read().await).filter(|job| job.progress > 0)).await;
    let second =
        until("a sign of life", async || Some(read().await).filter(|job| job.updated_at > first.updated_at)).await;
    let third =
        until("another one", async || Some(read().await).filter(|job| job.updated_at > second.updated_at)).await;
    assert!(third.updated_at.since(second.updated_at) >= Duration::from_millis(250), "but not all the time");
    running.stop().await;
}

#[tokio::test]
async fn a_preview_is_built_from_its_branch_and_shown() {
    let (folder, quick) = (tempfile::tempdir().unwrap(), Quick::default());
    let running = run(service(&Ledger::in_memory(), folder.path(), &quick, None));
    let service = &running.service;
    let first = service.trigger_preview(preview("main"), LIMITS, None).await.unwrap();
    assert_eq!(
        (first.preview_url.as_deref(), first.branch.as_deref()),
        (Some("https://docs-main.preview.example"), Some("main"))
    );
    let first = deployed(service, &first).await;
    assert_eq!((first.status, first.summary.as_str()), (DeploymentStatus::Success, "2 pages"));
    let second = deployed(service, &service.trigger_preview(preview("main"), LIMITS, None).await.unwrap()).await;
    let live = service.ledger().target("docs-main").await.unwrap().unwrap().live.unwrap();
    assert_eq!(live.deployment, second.id);
    let production = service.update_production("acme", "docs", "docs.example", LIMITS, None).await.unwrap();
    assert_eq!(deployed(service, &production).await.status, DeploymentStatus::Success);
    let call = |branch: Option<&str>, since: Option<String>| Call {
        domain: "docs.example".to_owned(),
        branch: branch.map(str::to_owned),
        since,
    };
    assert_eq!(quick.calls(), [call(Some("main"), None), call(Some("main"), Some("c".repeat(40))), call(None, None)]);
    running.stop().await;
}

#[tokio::test]
async fn a_preview_goes_when_its_branch_has_gone() {
    let (folder, quick) = (tempfile::tempdir().unwrap(), Quick::default());
    let running = run(service(&Ledger::in_memory(), folder.path(), &quick, None));
    let service = &running.service;
    deployed(service, &service.trigger_preview(preview("main"), LIMITS, None).await.unwrap()).await;
    let archive = service.ledger().target("docs-main").await.unwrap().unwrap().live.unwrap().archive;
    let quick = quick.fate("docs.example", &[Cause::Content, Cause::NoBranch]);
    for (status, is_shown) in [(DeploymentStatus::Failure, true), (DeploymentStatus::Failure, false)] {
        let done = deployed(service, &service.trigger_preview(preview("main"), LIMITS, None).await.unwrap()).await;
        assert_eq!((done.status, done.summary.as_str()), (status, "it did not work"));
        assert_eq!(service.ledger().target("docs-main").await.unwrap().is_some(), is_shown);
    }
    assert_eq!(quick.calls().len(), 3);
    until("the end of its files", async || {
        upkeep::sweep_retention(&service.0).await.unwrap();
        service.objects().open(&archive.key).is_err().then_some(())
    })
    .await;
    running.stop().await;
}

#[tokio::test]
async fn bundles_past_retention_and_strays_are_removed() {
    let (folder, quick) = (tempfile::tempdir().unwrap(), Quick::default());
    let running = run(service(&Ledger::in_memory(), folder.path(), &quick, None));
    let service = &running.service;
    // two of one domain have equal archives, one of which is kept
    let mut done = Vec::new();
    for domain in ["same.example", "same.example", "other.example"] {
        done.push(ended(service, &start(service, "acme", domain).await).await);
    }
    until("retention", async || {
        upkeep::sweep_retention(&service.0).await.unwrap();
        service.ledger().export("acme", &done[0].id).await.unwrap().filter(|job| job.bundle_gone)
    })
    .await;
    for job in &done[1..] {
        assert!(
            !service.ledger().export("acme", &job.id).await.unwrap().unwrap().bundle_gone,
            "the last of its domain"
        );
        assert!(service.objects().open(&job.bundle.as_ref().unwrap().key).is_ok());
    }
    let stray = folder.path().join("stray");
    std::fs::write(&stray, "stray").unwrap();
    let key = to_hex(&Sha256::digest("stray"));
    service.objects().put(&key, &stray).await.unwrap();
    upkeep::strays(&service.0).await.unwrap();
    assert!(service.objects().open(&key).is_err());
    assert!(service.objects().open(&done[2].bundle.as_ref().unwrap().key).is_ok());
    running.stop().await;
}

#[tokio::test]
async fn no_organization_gets_more_than_its_caps() {
    let folder = tempfile::tempdir().unwrap();
    let service = service(&Ledger::in_memory(), folder.path(), &Quick::default(), None);
    for _ in 0..22 {
        start(&service, "acme", "docs.example").await;
    }
    let refused = service.start_export(job("acme", "docs.example"), LIMITS, None).await;
    assert_eq!(refused, Err(store::StoreError::QueueFull));
    service.start_export(job("acme", "docs.example"), NO_LIMITS, None).await.unwrap();
}
