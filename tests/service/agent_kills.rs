//! Agent jobs while processes are killed: an agent may be run more than once for a job, each time under a larger fence,
//! and the job ends once.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use serde_json::json;

use crate::service::client::ask;
use crate::service::cluster::Cluster;
use crate::service::server::{Server, key, wait};

const JOBS: usize = 12;
const KILLS: usize = 6;

/// An agent that writes down when it begins and when it is done, with its job and its fence.
fn agent(notes: &str) -> String {
    let script = format!(
        "read -r line; job=$(expr \"$line\" : '.*\"\\(aj_[0-9a-f]*\\)\"'); \
         echo \"$job $OFFPRINT_AGENT_FENCE begins\" >> {notes}; sleep 2; \
         echo \"$job $OFFPRINT_AGENT_FENCE ends\" >> {notes}; echo '{{\"prLink\":null}}'"
    );
    format!("[agent]\ncommand = {:?}\n", ["/bin/sh", "-c", &script])
}

/// The runs of each job in the order in which they began: their fences, and how many came to their end.
fn runs(notes: &str) -> BTreeMap<String, (Vec<u64>, usize)> {
    let mut runs = BTreeMap::<String, (Vec<u64>, usize)>::new();
    for line in notes.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (fences, ends) = runs.entry(words[0].to_owned()).or_default();
        match words[2] {
            "begins" => fences.push(words[1].parse().expect("a fence is a number")),
            _ => *ends += 1,
        }
    }
    runs
}

#[test]
#[expect(clippy::print_stdout, reason = "how it went is worth a line")]
fn agent_jobs_end_once_and_each_run_has_a_larger_fence() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes");
    let mut cluster = Cluster::start(&["git-acme"]);
    cluster.configuration = cluster.configuration.replace("preview = true", "preview = true, agent = true")
        + &agent(notes.to_str().unwrap());
    let api = cluster.node("api");
    let mut workers = ["worker", "worker"].map(|role| Some(cluster.node(role)));
    let start = |_| {
        let ask = ask("POST", "/v2/agent/git-acme-docs/job").key(&key("git-acme")).json(json!({"prompt": "Wait"}));
        api.send(&ask).is(201).string("id")
    };
    let ids: Vec<String> = (0..JOBS).map(start).collect();
    for kill in 0..KILLS {
        // some run is under way whenever one is killed
        let begun = fs::read_to_string(&notes).unwrap_or_default().matches("begins").count();
        wait("a run to begin", || {
            let now = fs::read_to_string(&notes).unwrap_or_default().matches("begins").count();
            (now > begun || cluster.endings().0 == JOBS).then_some(())
        });
        std::thread::sleep(Duration::from_millis(300));
        let at = kill % workers.len();
        let node: Server = workers[at].take().expect("a worker");
        workers[at] = Some(cluster.replace("worker", node));
    }
    for id in &ids {
        let job = wait("an agent job to end", || {
            let ask = ask("GET", format!("/v2/agent/git-acme-docs/job/{id}")).key(&key("git-acme"));
            let job = api.send(&ask).is(200).json();
            (job["status"] != "active").then_some(job)
        });
        assert_eq!(job["status"], "completed", "{job}");
    }
    assert_eq!(cluster.endings(), (JOBS, 0));
    let runs = runs(&fs::read_to_string(&notes).unwrap());
    assert_eq!(runs.len(), JOBS);
    for (job, (fences, ends)) in &runs {
        assert!(fences.is_sorted_by(|one, next| one < next), "{job}: {fences:?}");
        assert!((1..=fences.len()).contains(ends), "{job}: {ends} of {fences:?}");
    }
    let count = runs.values().map(|(fences, _)| fences.len()).sum::<usize>();
    println!("{count} runs of {JOBS} agent jobs, {KILLS} kills");
    assert!(count > JOBS, "no run was killed");
    // a process says that a job has ended when it has
    let said =
        workers.iter().flatten().map(|worker| worker.log().matches("\"a job has ended\"").count()).sum::<usize>();
    assert!(said <= JOBS, "{said}");
}
