//! The states of agent jobs.

use super::*;

contract!(states_and_transitions, runs_of_the_agent_have_caps, a_job_belongs_to_one_project);

async fn begin(store: &Ledger) -> AgentJob {
    let job = AgentJob::new("acme", "docs", "https://git.example/docs", "main", "default", "first".to_owned());
    store.start_agent(job, CAPS, None, at(0)).await.unwrap()
}

async fn run_agent(store: &Ledger, outcome: Result<Option<String>, String>) -> AgentJob {
    let claimed = store.claim(Lane::Agent, LEASE, at(0)).await.unwrap().unwrap();
    store.finish(&claimed.lease, WorkOutcome::Agent(outcome)).await.unwrap();
    store.agent("acme", "docs", &claimed.lease.id).await.unwrap().unwrap()
}

async fn message(store: &Ledger, id: &str) -> Result<AgentJob, StoreError> {
    store
        .message_agent(&AgentRef { organization: "acme", project: "docs", id }, "more".to_owned(), CAPS, None, at(0))
        .await
}

async fn put_away(store: &Ledger, id: &str) -> Result<AgentJob, StoreError> {
    store.archive_agent(&AgentRef { organization: "acme", project: "docs", id }, None, at(0)).await
}

async fn states_and_transitions(store: Ledger) {
    let job = begin(&store).await;
    assert_eq!((job.status, job.pr_link.as_deref()), (AgentStatus::Active, None));
    assert!(matches!(message(&store, &job.id).await, Err(StoreError::Conflict(_))));
    assert!(matches!(put_away(&store, &job.id).await, Err(StoreError::Conflict(_))));
    let link = Some("https://git.example/docs/pull/1".to_owned());
    let done = run_agent(&store, Ok(link.clone())).await;
    assert_eq!((done.status, done.pr_link), (AgentStatus::Completed, link.clone()));
    let again = message(&store, &job.id).await.unwrap();
    assert_eq!(
        (again.status, again.pr_link, again.messages),
        (AgentStatus::Active, None, vec!["first".to_owned(), "more".to_owned()])
    );
    let failed = run_agent(&store, Err("it failed".to_owned())).await;
    assert_eq!((failed.status, failed.pr_link), (AgentStatus::Failed, None));
    message(&store, &job.id).await.unwrap();
    run_agent(&store, Ok(link.clone())).await;
    let archived = put_away(&store, &job.id).await.unwrap();
    assert_eq!(
        (archived.status, archived.pr_link.clone(), archived.archived_at.is_some()),
        (AgentStatus::Archived, link, true)
    );
    assert_eq!(put_away(&store, &job.id).await.unwrap(), archived, "again: unchanged");
    assert!(matches!(message(&store, &job.id).await, Err(StoreError::Conflict(_))));
}

async fn runs_of_the_agent_have_caps(store: Ledger) {
    let caps = Caps { running: 1, waiting: 1 };
    for expect in [Ok(()), Ok(()), Err(StoreError::QueueFull)] {
        let job = AgentJob::new("acme", "docs", "https://git.example/docs", "main", "default", "first".to_owned());
        assert_eq!(store.start_agent(job, caps, None, at(0)).await.map(drop), expect);
    }
}

async fn a_job_belongs_to_one_project(store: Ledger) {
    let job = begin(&store).await;
    run_agent(&store, Ok(None)).await;
    for (organization, project) in [("other", "docs"), ("acme", "blog")] {
        let stranger = AgentRef { organization, project, id: &job.id };
        assert_eq!(store.agent(organization, project, &job.id).await.unwrap(), None);
        assert_eq!(store.message_agent(&stranger, String::new(), CAPS, None, at(0)).await, Err(StoreError::Absent));
        assert_eq!(store.archive_agent(&stranger, None, at(0)).await, Err(StoreError::Absent));
    }
}
