//! Section 8 of the contract.

use serde_json::Value;

use crate::service::client::{Answer, ask};
use crate::service::server::{Server, git_source, key, organization, repository, shared, wait};

fn post(name: &str, path: &str, prompt: &str) -> Answer {
    shared().send(
        &ask("POST", format!("/v2/agent/{name}-docs/job{path}"))
            .key(&key(name))
            .json(serde_json::json!({ "prompt": prompt })),
    )
}

fn get(name: &str, id: &str) -> Answer {
    shared().send(&ask("GET", format!("/v2/agent/{name}-docs/job/{id}")).key(&key(name)))
}

fn ended(name: &str, id: &str) -> Value {
    wait("an agent job to end", || {
        let job = get(name, id).is(200).json();
        (job["status"] != "active").then_some(job)
    })
}

#[test]
fn s_agt_1_to_4_a_job_from_prompt_to_pull_request() {
    let created = post("agents", "", "Fix the typos with a pull request");
    let job = created.is(201).json();
    let id = job["id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("aj_") && id.len() == 35);
    assert_eq!(
        (job["status"].as_str(), &job["prLink"], &job["archivedAt"], job["model"].as_str()),
        (Some("active"), &Value::Null, &Value::Null, Some("default"))
    );
    assert!(
        job["source"]["repository"].is_string() && job["source"]["ref"].is_string() && job["createdAt"].is_string()
    );
    assert_eq!(job.as_object().unwrap().len(), 7);
    let done = ended("agents", &id);
    assert_eq!(
        (done["status"].as_str(), done["prLink"].as_str()),
        (Some("completed"), Some("https://git.example/acme/docs/pull/12"))
    );
    // another prompt makes it active again, and the link waits for the end
    let again = post("agents", &format!("/{id}/message"), "nothing more").is(200).json();
    assert_eq!((again["status"].as_str(), &again["prLink"]), (Some("active"), &Value::Null));
    assert_eq!(ended("agents", &id)["status"], "completed");
    let failing = post("agents", &format!("/{id}/message"), "please fail").is(200).json();
    assert_eq!(failing["status"], "active");
    assert_eq!(ended("agents", &id)["status"], "failed");
    // archived: once, and for good
    let archive = || shared().send(&ask("POST", format!("/v2/agent/agents-docs/job/{id}/archive")).key(&key("agents")));
    let archived = archive().is(200).json();
    assert!(archived["status"] == "archived" && archived["archivedAt"].is_string());
    assert_eq!(archive().is(200).json(), archived);
    post("agents", &format!("/{id}/message"), "more").refuses(409, "conflict");
    assert_eq!(get("agents", &id).is(200).json(), archived);
}

#[test]
fn e_agt_active_jobs_take_neither_messages_nor_archiving() {
    let id = post("acme", "", "take long").is(201).string("id");
    post("acme", &format!("/{id}/message"), "more").refuses(409, "conflict");
    shared()
        .send(&ask("POST", format!("/v2/agent/acme-docs/job/{id}/archive")).key(&key("acme")))
        .refuses(409, "conflict");
}

#[test]
fn e_agt_a_link_that_is_none_fails_the_job() {
    let id = post("agents", "", "a bad link").is(201).string("id");
    let job = ended("agents", &id);
    assert_eq!((job["status"].as_str(), &job["prLink"]), (Some("failed"), &Value::Null));
}

#[test]
fn e_agt_prompts_have_bounds() {
    for body in ["{}", "{\"prompt\":\"\"}", "{\"prompt\":1}", "{\"prompt\":null}"] {
        shared()
            .send(&ask("POST", "/v2/agent/agents-docs/job").key(&key("agents")).json(body))
            .refuses(400, "invalid_request");
    }
    post("agents", "", &"x".repeat(32_769)).refuses(400, "invalid_request");
    post("agents", "", &"x".repeat(32_768)).is(201);
}

#[test]
fn s_agt_5_a_job_that_is_not_there() {
    let nobody = format!("aj_{}", "0".repeat(32));
    get("agents", &nobody).refuses(404, "not_found");
    // a job of another project of the same organization is not there either
    let id = post("acme", "", "nothing").is(201).string("id");
    let other = shared().send(&ask("GET", format!("/v2/agent/acme-folder/job/{id}")).key(&key("acme")));
    let absent = shared().send(&ask("GET", format!("/v2/agent/acme-folder/job/{nobody}")).key(&key("acme")));
    assert_eq!(other.refuses(404, "not_found").clone().without_chance(), absent.without_chance());
}

#[test]
fn e_ops_an_agent_ends_with_the_service() {
    let script = "read -r line; echo $$ >> \"$0\"; sleep 600 & echo $! >> \"$0\"; wait";
    let mut server = Server::start(|folder| {
        let docs = repository(&folder.join("git"));
        let command = ["/bin/sh", "-c", script, folder.join("pids").to_str().unwrap()].map(str::to_owned);
        format!(
            "[server]\ndata_dir = \"data\"\n\n[git]\nallow_protocols = [\"file\"]\n\n[agent]\ncommand = {command:?}\n\n{}",
            organization("acme", &git_source(&docs))
        )
    });
    server.send(&ask("POST", "/v2/agent/acme-docs/job").key(&key("acme")).json("{\"prompt\":\"Wait\"}")).is(201);
    let file = server.folder.path().join("pids");
    let pids = |count: usize| {
        wait("the agent to run", || {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            (text.lines().count() >= count)
                .then(|| text.lines().map(|line| line.parse::<u32>().unwrap()).collect::<Vec<_>>())
        })
    };
    let lives = |pid: &u32| {
        std::fs::read_to_string(format!("/proc/{pid}/stat"))
            .is_ok_and(|status| status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z')))
    };
    let first = pids(2);
    assert!(first.iter().all(lives));
    server.signal("KILL");
    wait("the agent to end", || (!first.iter().any(lives)).then_some(()));
    // the next service runs the job once more, and it ends with that
    server = Server::resume(server.into_folder(), "info", &[]);
    let second = pids(4).split_off(2);
    assert!(second.iter().all(lives) && !first.iter().any(lives));
    server.signal("TERM");
    wait("the agent to end", || (!second.iter().any(lives)).then_some(()));
}

#[test]
fn e_agt_a_hundred_calls_an_hour_for_each_project() {
    let mut client = shared().client();
    let id = post("agents-rate", "", "nothing").is(201).string("id");
    let mut limited = None;
    for used in 1..110 {
        let answer = client.send(
            &ask("POST", format!("/v2/agent/agents-rate-docs/job/{id}/message")).key(&key("agents-rate")).json("{}"),
        );
        if answer.status == 429 {
            limited = Some((used, answer));
            break;
        }
        answer.refuses(400, "invalid_request");
    }
    let (used, answer) = limited.expect("there is a limit");
    assert_eq!(used, 100);
    assert_eq!(answer.refuses(429, "rate_limited").header("ratelimit-policy"), Some("\"agent\";q=100;w=3600"));
    // reading is not limited
    get("agents-rate", &id).is(200);
}
