//! Deployments and targets.

use super::super::work::{Deployed, Undeployed};
use super::*;

contract!(
    a_deployment_switches_its_target,
    deployments_of_one_target_run_one_at_a_time,
    a_preview_goes_with_its_branch,
    previews_are_removed_as_they_were_seen,
    a_host_may_become_another_project,
);

fn preview(branch: &str) -> DeploymentRecord {
    let host = format!("docs-{branch}");
    let url = format!("https://{host}.preview.example");
    DeploymentRecord::new("acme", "docs", &host, Some((branch.to_owned(), url)))
}

async fn deploy(store: &Ledger, deployment: DeploymentRecord) -> DeploymentRecord {
    store.start_deployment(deployment, CAPS, None, at(0)).await.unwrap()
}

fn deployed(name: char) -> WorkOutcome {
    let commit = DeployedCommit {
        sha: name.to_string().repeat(40),
        reference: "main".to_owned(),
        message: "m".to_owned(),
        files_changed: PathsChanged::default(),
    };
    let logs = vec!["line".to_owned(); 2000];
    WorkOutcome::Deployment(Box::new(Ok(Deployed {
        archive: archive(name),
        summary: "3 pages".to_owned(),
        logs,
        commit: Some(commit),
    })))
}

fn undeployed(branch_gone: bool) -> WorkOutcome {
    let logs = vec!["it is missing".to_owned()];
    WorkOutcome::Deployment(Box::new(Err(Undeployed {
        summary: "no `docs.json`".to_owned(),
        logs,
        commit: None,
        branch_gone,
    })))
}

async fn live(store: &Ledger, host: &str) -> Option<ArchiveRecord> {
    store.target(host).await.unwrap().and_then(|target| target.live).map(|live| live.archive)
}

async fn status(store: &Ledger, id: &str) -> DeploymentStatus {
    store.deployment("acme", id).await.unwrap().unwrap().status
}

async fn a_deployment_switches_its_target(store: Ledger) {
    let first = deploy(&store, preview("main")).await;
    assert_eq!((first.status, live(&store, "docs-main").await), (DeploymentStatus::Queued, None));
    assert_eq!(store.deployment("other", &first.id).await.unwrap(), None);
    let claimed = store.claim(Lane::Build, LEASE, at(0)).await.unwrap().unwrap();
    assert!(matches!(&claimed.work, WorkItem::Deployment(deployment, target)
            if deployment.id == first.id && target.live.is_none()));
    assert_eq!(status(&store, &first.id).await, DeploymentStatus::InProgress);
    store.finish(&claimed.lease, deployed('a')).await.unwrap();
    let done = store.deployment("acme", &first.id).await.unwrap().unwrap();
    assert_eq!(
        (done.status, done.summary.as_str(), done.logs.len()),
        (DeploymentStatus::Success, "3 pages", record::LOG_LINES)
    );
    assert!(done.ended_at.is_some() && done.commit.is_some());
    assert_eq!(live(&store, "docs-main").await, Some(archive('a')));
    // a failure leaves what is shown
    let second = deploy(&store, preview("main")).await;
    assert_ne!(second.id, first.id);
    let claimed = store.claim(Lane::Build, LEASE, at(0)).await.unwrap().unwrap();
    assert!(matches!(&claimed.work, WorkItem::Deployment(_, target)
            if target.live.as_ref().is_some_and(|live| live.deployment == first.id)));
    store.finish(&claimed.lease, undeployed(false)).await.unwrap();
    let failed = store.deployment("acme", &second.id).await.unwrap().unwrap();
    assert_eq!((failed.status, failed.summary.as_str()), (DeploymentStatus::Failure, "no `docs.json`"));
    assert_eq!(live(&store, "docs-main").await, Some(archive('a')));
    // one that finds no room says that it waits
    let waits = deploy(&store, preview("main")).await;
    let full = Release::Delayed("the disk is full".to_owned());
    store.release(&claim(&store, at(0)).await, full, at(0)).await.unwrap();
    let said = store.deployment("acme", &waits.id).await.unwrap().unwrap();
    assert_eq!(
        (said.status, said.summary.as_str()),
        (DeploymentStatus::InProgress, "waits: the disk is full; tried 1 of 1440 times, the next time in 2 s"),
        "a status only moves forward"
    );
    store.finish(&claim(&store, at(60)).await, undeployed(false)).await.unwrap();
    // a worker that dies twice leaves it, too
    let third = deploy(&store, preview("main")).await;
    for _ in 0..2 {
        store.release(&claim(&store, at(0)).await, Release::Crashed("it died".to_owned()), at(0)).await.unwrap();
    }
    assert_eq!(status(&store, &third.id).await, DeploymentStatus::Failure);
    assert_eq!(live(&store, "docs-main").await, Some(archive('a')));
}

async fn deployments_of_one_target_run_one_at_a_time(store: Ledger) {
    let first = deploy(&store, preview("main")).await;
    for _ in 0..3 {
        assert_eq!(deploy(&store, preview("main")).await.id, first.id, "one waits");
    }
    assert_ne!(deploy(&store, preview("other")).await.id, first.id);
    let running = claim(&store, at(0)).await;
    assert_eq!(running.id, first.id);
    let other = claim(&store, at(0)).await;
    let follow_up = deploy(&store, preview("main")).await;
    assert_ne!(follow_up.id, first.id);
    for _ in 0..3 {
        assert_eq!(deploy(&store, preview("main")).await.id, follow_up.id, "exactly one follows");
    }
    store.finish(&other, deployed('b')).await.unwrap();
    assert!(is_idle(&store, at(0)).await, "it waits for the one that runs");
    store.finish(&running, deployed('a')).await.unwrap();
    let next = claim(&store, at(0)).await;
    assert_eq!(next.id, follow_up.id);
    store.finish(&next, deployed('c')).await.unwrap();
    assert_eq!(
        (live(&store, "docs-main").await, live(&store, "docs-other").await),
        (Some(archive('c')), Some(archive('b')))
    );
    assert!(is_idle(&store, at(0)).await);
    assert_eq!(store.counts().await.unwrap(), StoreCounts::default());
}

async fn a_preview_goes_with_its_branch(store: Ledger) {
    deploy(&store, preview("main")).await;
    store.finish(&claim(&store, at(0)).await, deployed('a')).await.unwrap();
    deploy(&store, preview("main")).await;
    store.finish(&claim(&store, at(0)).await, undeployed(true)).await.unwrap();
    assert_eq!(store.target("docs-main").await.unwrap(), None);
    assert_eq!(store.add_tombstones(vec![archive('a').key], at(0)).await.unwrap(), [archive('a').key]);
}

async fn previews_are_removed_as_they_were_seen(store: Ledger) {
    for (branch, name) in [("main", 'a'), ("other", 'b'), ("busy", 'c')] {
        deploy(&store, preview(branch)).await;
        store.finish(&claim(&store, at(0)).await, deployed(name)).await.unwrap();
    }
    deploy(&store, DeploymentRecord::new("acme", "docs", "docs.example", None)).await;
    store.finish(&claim(&store, at(0)).await, deployed('d')).await.unwrap();
    deploy(&store, preview("busy")).await;
    let seen = store.previews("acme", "docs").await.unwrap();
    assert_eq!(
        seen.iter().map(|target| target.host.as_str()).collect::<Vec<_>>(),
        ["docs-main", "docs-other"],
        "neither what waits nor production"
    );
    assert!(
        store.previews("other", "docs").await.unwrap().is_empty()
            && store.previews("acme", "more").await.unwrap().is_empty()
    );
    // one of them is deployed again meanwhile
    store.finish(&claim(&store, at(0)).await, deployed('c')).await.unwrap();
    deploy(&store, preview("other")).await;
    store.finish(&claim(&store, at(0)).await, deployed('e')).await.unwrap();
    store.remove_previews(seen).await.unwrap();
    assert_eq!(
        (store.target("docs-main").await.unwrap(), live(&store, "docs-other").await),
        (None, Some(archive('e')))
    );
    assert_eq!(
        store.add_tombstones(vec![archive('a').key, archive('e').key], at(0)).await.unwrap(),
        [archive('a').key]
    );
}

async fn a_host_may_become_another_project(store: Ledger) {
    let production = |project| DeploymentRecord::new("acme", project, "docs.example", None);
    deploy(&store, production("old")).await;
    store.finish(&claim(&store, at(0)).await, deployed('a')).await.unwrap();
    deploy(&store, production("old")).await;
    let late = claim(&store, at(0)).await;
    deploy(&store, production("new")).await;
    assert_eq!(live(&store, "docs.example").await, None, "nothing of the old one is shown");
    store.finish(&claim(&store, at(0)).await, deployed('b')).await.unwrap();
    store.finish(&late, deployed('c')).await.unwrap();
    assert_eq!(live(&store, "docs.example").await, Some(archive('b')));
    let mut gone =
        store.add_tombstones(vec![archive('a').key, archive('b').key, archive('c').key], at(0)).await.unwrap();
    gone.sort();
    assert_eq!(gone, [archive('a').key, archive('c').key]);
}
