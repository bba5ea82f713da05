//! Runs of the agent: real processes of the system's shell.

use super::*;
use crate::store::{AgentJob, AgentRef, AgentStatus};

fn shell(script: &str, time: Duration) -> AgentSettings {
    let command = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
    AgentSettings {
        command,
        keeper: None,
        path: Some("/usr/bin:/bin".into()),
        model: "default".to_owned(),
        time,
        archive_after: Duration::from_secs(86_400),
    }
}

/// One job with one run of a script.
async fn outcome(script: &str, time: Duration) -> (AgentJob, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let running = run(service(&Ledger::in_memory(), folder.path(), &Quick::default(), Some(shell(script, time))));
    let job = begin(&running.service).await;
    let job = settled(&running.service, &job).await;
    running.stop().await;
    (job, folder)
}

async fn begin(service: &Service) -> AgentJob {
    let job = AgentJob::new(
        "acme",
        "docs",
        "https://git.example/docs",
        "main",
        "default",
        "Fix \"typos\"\nplease".to_owned(),
    );
    service.start_agent(job, LIMITS, None).await.unwrap()
}

async fn settled(service: &Service, job: &AgentJob) -> AgentJob {
    until("the end of a run", async || {
        let found = service.ledger().agent("acme", "docs", &job.id).await.unwrap();
        found.filter(|job| job.status != AgentStatus::Active)
    })
    .await
}

#[tokio::test]
async fn an_agent_that_makes_a_pull_request() {
    let script = r#"echo thinking; echo '{"prLink":"https://git.example/docs/pull/7"}'"#;
    let (job, folder) = outcome(script, PATIENCE).await;
    assert_eq!((job.status, job.pr_link.as_deref()), (AgentStatus::Completed, Some("https://git.example/docs/pull/7")));
    assert_eq!(std::fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0);
}

#[tokio::test]
async fn an_agent_that_changes_nothing() {
    let (job, _) = outcome(r#"cat > /dev/null; printf '{"prLink":null}'"#, PATIENCE).await;
    assert_eq!((job.status, job.pr_link), (AgentStatus::Completed, None));
}

#[tokio::test]
async fn an_agent_is_told_all_and_sees_nothing_else() {
    // it answers with what it was told, as the address of a pull request
    let script = r#"
        told=$(od -An -v -tx1 | tr -d ' \n'); seen=$(env | sort | grep -v -e ^_= -e ^PWD= -e ^SHLVL= -e ^OLDPWD= | tr '\n' ' ' | od -An -v -tx1 | tr -d ' \n')
        echo "{\"prLink\":\"https://git.example/$told/$seen/$(ls -A | wc -l | tr -d ' ')\"}""#;
    let (job, _) = outcome(script, PATIENCE).await;
    let link = job.pr_link.unwrap();
    let parts: Vec<&str> = link.trim_start_matches("https://git.example/").split('/').collect();
    let text = |digits: &str| -> String {
        let bytes =
            digits.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap());
        String::from_utf8(bytes.collect()).unwrap()
    };
    let request: serde_json::Value = serde_json::from_str(&text(parts[0])).unwrap();
    let expect = serde_json::json!({
        "id": job.id, "projectId": "docs", "source": {"repository": "https://git.example/docs", "ref": "main"},
        "model": "default", "messages": ["Fix \"typos\"\nplease"],
    });
    assert_eq!(request, expect);
    assert_eq!(
        (text(parts[1]).trim(), parts[2]),
        ("OFFPRINT_AGENT_FENCE=1 PATH=/usr/bin:/bin", "0"),
        "which claim it is, where programs are, and an empty folder"
    );
}

#[tokio::test]
async fn agents_that_fail() {
    for script in [
        "exit 3",
        "true",
        "echo done",
        r#"echo '{"prLink":null}'; exit 1"#,
        r#"echo '{"prLink":"http://git.example/1"}'"#,
        "kill -9 $$",
    ] {
        let (job, _) = outcome(script, PATIENCE).await;
        assert_eq!((job.status, job.pr_link), (AgentStatus::Failed, None), "{script}");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut agent = shell("", PATIENCE);
    agent.command = vec!["/no/such/program".to_owned()];
    for agent in [Some(agent), None] {
        let running = run(service(&Ledger::in_memory(), folder.path(), &Quick::default(), agent));
        let job = begin(&running.service).await;
        assert_eq!(settled(&running.service, &job).await.status, AgentStatus::Failed);
        running.stop().await;
    }
}

#[tokio::test]
async fn an_agent_whose_time_is_up_ends_with_all_it_started() {
    let (mark, began) = (tempfile::tempdir().unwrap(), Instant::now());
    let script = format!("(sleep 3; touch {}/late) & sleep 600", mark.path().display());
    let (job, _) = outcome(&script, Duration::from_millis(300)).await;
    assert_eq!(job.status, AgentStatus::Failed);
    assert!(began.elapsed() < PATIENCE);
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert!(!mark.path().join("late").exists());
}

#[tokio::test]
async fn what_an_agent_leaves_behind_does_not_hold_up_its_end() {
    let began = Instant::now();
    let (job, _) = outcome(r#"sleep 600 & echo '{"prLink":null}'"#, PATIENCE).await;
    assert_eq!(job.status, AgentStatus::Completed);
    assert!(began.elapsed() < PATIENCE / 2);
}

#[tokio::test]
async fn endless_output_costs_no_memory_and_ends() {
    let (job, _) = outcome("yes", Duration::from_millis(500)).await;
    assert_eq!(job.status, AgentStatus::Failed);
    let (job, _) = outcome(r#"head -c 50000000 /dev/zero | tr '\0' x; echo; echo '{"prLink":null}'"#, PATIENCE).await;
    assert_eq!(job.status, AgentStatus::Completed);
}

#[tokio::test]
async fn a_message_is_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"n=$(grep -o more | wc -l | tr -d ' '); echo "{\"prLink\":\"https://git.example/$n\"}""#;
    let running = run(service(&Ledger::in_memory(), folder.path(), &Quick::default(), Some(shell(script, PATIENCE))));
    let service = &running.service;
    let job = begin(service).await;
    assert_eq!(settled(service, &job).await.pr_link.as_deref(), Some("https://git.example/0"));
    for n in 1..3 {
        let reference = AgentRef { organization: "acme", project: "docs", id: &job.id };
        service.message_agent(reference, "more".to_owned(), LIMITS, None).await.unwrap();
        assert_eq!(settled(service, &job).await.pr_link, Some(format!("https://git.example/{n}")));
    }
    let archived = service
        .ledger()
        .archive_agent(&AgentRef { organization: "acme", project: "docs", id: &job.id }, None, service.now())
        .await
        .unwrap();
    assert_eq!((archived.status, archived.pr_link.as_deref()), (AgentStatus::Archived, Some("https://git.example/2")));
    running.stop().await;
}
