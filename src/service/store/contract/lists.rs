//! Lists of deployments, previews and agent jobs, and what leaves them.

use super::super::work::Deployed;
use super::*;

contract!(
    deployments_are_listed_newest_first,
    a_removed_preview_leaves_its_deployments,
    what_is_canceled_ends_its_lease,
    deleted_agent_jobs_are_gone,
    the_oldest_of_each_kind_is_found,
    a_filter_that_leaves_out_much_leaves_out_nothing_else,
);

fn preview(project: &str, branch: &str) -> DeploymentRecord {
    let host = format!("{project}-{branch}");
    let url = format!("https://{host}.preview.example");
    DeploymentRecord::new("acme", project, &host, Some((branch.to_owned(), url)))
}

async fn deploy(store: &Ledger, deployment: DeploymentRecord) -> String {
    store.start_deployment(deployment, CAPS, None, at(0)).await.unwrap().id
}

async fn finish(store: &Ledger, name: char) {
    let deployed = Deployed { archive: archive(name), summary: String::new(), logs: Vec::new(), commit: None };
    store.finish(&claim(store, at(0)).await, WorkOutcome::Deployment(Box::new(Ok(deployed)))).await.unwrap();
}

async fn ids(store: &Ledger, project: &str, filter: DeploymentFilter) -> Vec<String> {
    let page = store.deployments("acme", project, filter).await.unwrap();
    page.items.into_iter().map(|deployment| deployment.id).collect()
}

async fn hosts(store: &Ledger, project: &str) -> Vec<String> {
    let page = store.list_previews("acme", project, Slice { limit: 10, cursor: None }).await.unwrap();
    page.items.into_iter().map(|(target, _)| target.host).collect()
}

async fn deployments_are_listed_newest_first(store: Ledger) {
    let mut newest_first = Vec::new();
    for branch in ["a", "b", "c"] {
        newest_first.insert(0, deploy(&store, preview("docs", branch)).await);
    }
    let other = deploy(&store, preview("more", "a")).await;
    finish(&store, 'a').await;
    let all = DeploymentFilter { limit: 10, ..DeploymentFilter::default() };
    assert_eq!(ids(&store, "docs", all.clone()).await, newest_first);
    assert_eq!(ids(&store, "more", all.clone()).await, std::slice::from_ref(&other));
    let done = DeploymentFilter { status: Some(DeploymentStatus::Success), ..all.clone() };
    assert_eq!(ids(&store, "docs", done).await, newest_first[2..]);
    let branch = DeploymentFilter { branch: Some("b".to_owned()), ..all.clone() };
    assert_eq!(ids(&store, "docs", branch).await, newest_first[1..2]);
    let behind = DeploymentFilter { cursor: Some(newest_first[0].clone()), ..all.clone() };
    assert_eq!(ids(&store, "docs", behind).await, newest_first[1..]);
    let foreign = DeploymentFilter { cursor: Some(other), ..all };
    assert_eq!(store.deployments("acme", "docs", foreign).await, Err(StoreError::Absent));
}

async fn a_removed_preview_leaves_its_deployments(store: Ledger) {
    for branch in ["a", "b"] {
        deploy(&store, preview("docs", branch)).await;
    }
    finish(&store, 'a').await;
    finish(&store, 'b').await;
    let second = deploy(&store, preview("docs", "a")).await;
    let running = claim(&store, at(0)).await;
    let third = deploy(&store, preview("docs", "a")).await;
    assert_eq!(hosts(&store, "docs").await, ["docs-a", "docs-b"]);
    assert_eq!(store.delete_preview("acme", "more", "docs-a").await, Err(StoreError::Absent));
    store.delete_preview("acme", "docs", "docs-a").await.unwrap();
    assert_eq!((hosts(&store, "docs").await, store.target("docs-a").await.unwrap()), (vec!["docs-b".to_owned()], None));
    for id in [&second, &third] {
        assert_eq!(store.deployment("acme", id).await.unwrap().unwrap().status, DeploymentStatus::Failure);
    }
    assert!(!store.is_leased(&running).await.unwrap() && is_idle(&store, at(0)).await);
    assert_eq!(store.counts().await.unwrap(), StoreCounts::default());
    assert_eq!(
        store.add_tombstones(vec![archive('a').key, archive('b').key], at(0)).await.unwrap(),
        [archive('a').key]
    );
}

async fn what_is_canceled_ends_its_lease(store: Ledger) {
    let first = deploy(&store, preview("docs", "a")).await;
    let lease = claim(&store, at(0)).await;
    let second = deploy(&store, preview("docs", "a")).await;
    assert!(store.is_leased(&lease).await.unwrap());
    // the one that runs ends, and the one behind it takes its place
    store.cancel_deployment("acme", &first).await.unwrap();
    assert!(!store.is_leased(&lease).await.unwrap());
    assert_eq!(store.renew(&lease, WorkReport::default(), LEASE, at(1)).await, Err(StoreError::Lost));
    assert_eq!(claim(&store, at(1)).await.id, second);
    store.cancel_deployment("acme", &second).await.unwrap();
    let third = deploy(&store, preview("docs", "a")).await;
    let canceled = store.cancel_deployment("acme", &third).await.unwrap();
    assert_eq!((canceled.status, canceled.summary.as_str()), (DeploymentStatus::Failure, "canceled"));
    assert!(is_idle(&store, at(1)).await);
    assert_eq!(store.counts().await.unwrap(), StoreCounts::default());
    deploy(&store, preview("docs", "a")).await;
    finish(&store, 'a').await;
    let last = ids(&store, "docs", DeploymentFilter { limit: 1, ..DeploymentFilter::default() }).await.remove(0);
    assert!(matches!(store.cancel_deployment("acme", &last).await, Err(StoreError::Conflict(_))));
}

async fn deleted_agent_jobs_are_gone(store: Ledger) {
    let job = AgentJob::new("acme", "docs", "", "", "default", "first".to_owned());
    let reference = AgentRef { organization: "acme", project: "docs", id: &job.id };
    store.start_agent(job.clone(), CAPS, None, at(0)).await.unwrap();
    let lease = store.claim(Lane::Agent, LEASE, at(0)).await.unwrap().unwrap().lease;
    assert_eq!(store.cancel_agent(&reference, None, at(1)).await.unwrap().status, AgentStatus::Failed);
    assert!(!store.is_leased(&lease).await.unwrap());
    store.message_agent(&reference, "more".to_owned(), CAPS, None, at(0)).await.unwrap();
    let all = || store.agents("acme", "docs", AgentFilter { limit: 10, ..AgentFilter::default() });
    assert_eq!(all().await.unwrap().items.len(), 1);
    assert_eq!(store.delete_agent(&reference).await.unwrap().status, AgentStatus::Failed);
    assert_eq!((all().await.unwrap().items, store.agent("acme", "docs", &job.id).await.unwrap()), (Vec::new(), None));
    assert_eq!(store.counts().await.unwrap(), StoreCounts::default());
    assert_eq!(store.delete_agent(&reference).await, Err(StoreError::Absent));
}

async fn the_oldest_of_each_kind_is_found(store: Ledger) {
    assert_eq!(store.oldest_waiting().await.unwrap(), []);
    let first = start(&store, "zeta").await;
    start(&store, "acme").await;
    assert_eq!(store.oldest_waiting().await.unwrap(), [(WorkKind::Export, first.created_at)]);
}

async fn a_filter_that_leaves_out_much_leaves_out_nothing_else(store: Ledger) {
    let mut waiting = Vec::new();
    for n in 0..81 {
        let job = store.start_export(job("acme"), Caps::default(), None, at(0)).await.unwrap();
        if n % 20 == 0 {
            waiting.insert(0, job.id);
        } else {
            store.cancel_export("acme", &job.id).await.unwrap();
        }
    }
    let queued = ExportFilter { status: Some(ExportStatus::Queued), limit: 3, ..ExportFilter::default() };
    let first = store.exports("acme", queued.clone()).await.unwrap();
    assert_eq!(first.items.iter().map(|job| &job.id).collect::<Vec<_>>(), waiting[..3].iter().collect::<Vec<_>>());
    let second = store.exports("acme", ExportFilter { cursor: first.next, ..queued }).await.unwrap();
    assert_eq!(second.items.iter().map(|job| &job.id).collect::<Vec<_>>(), waiting[3..].iter().collect::<Vec<_>>());
    assert_eq!(second.next, None);
}
