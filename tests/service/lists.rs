//! Lists, cancellation and removal of deployments, previews and agent jobs.

use std::net::TcpListener;

use serde_json::{Value, json};

use crate::service::client::{Answer, ask};
use crate::service::server::{
    Server, folder_source, git, git_source, key, organization, organization_with, repository, site, split, wait,
};

const ALL: &str = "static_export = true, preview = true, agent = true";

/// `acme` with a repository of three branches, `globex` with a folder, and an agent that does not end.
fn server() -> Server {
    Server::start(|folder| {
        let (docs, other) = (repository(&folder.join("git")), site(folder));
        for branch in ["feature/x", "old"] {
            git(&docs, &["branch", branch]);
        }
        let agent =
            ["/bin/sh", "-c", "read -r line; case $line in *quick*) echo '{\"prLink\":null}';; *) sleep 600;; esac"];
        format!(
            "[server]\ndata_dir = \"data\"\npreview_url = \"http://{{slug}}.preview.test\"\n\n[git]\nallow_protocols = [\"file\"]\n\n\
             [agent]\ncommand = {agent:?}\n\n{}{}[[projects]]\nid = \"more\"\norganization = \"acme\"\ndomain = \"more.example\"\nsource = {}\n",
            organization_with("acme", ALL, "previews_per_minute = 0", "", &git_source(&docs)),
            organization("globex", &folder_source(&other)),
            git_source(&docs)
        )
    })
}

fn get(server: &Server, path: &str) -> Answer {
    server.send(&ask("GET", path).key(&key("acme")))
}

fn delete(server: &Server, path: &str) -> Answer {
    server.send(&ask("DELETE", path).key(&key("acme")))
}

fn preview(server: &Server, branch: &str) -> String {
    let body = json!({ "branch": branch });
    server.send(&ask("POST", "/v1/project/preview/acme-docs").key(&key("acme")).json(body)).is(202).string("statusId")
}

/// One member of the records of a list.
fn members(list: &Value, records: &str, name: &str) -> Vec<String> {
    let records = list[records].as_array().unwrap_or_else(|| panic!("{list}"));
    records.iter().map(|record| record[name].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn e_dep_deployments_are_listed_page_by_page() {
    let server = server();
    const LIST: &str = "/v1/project/deployments/acme-docs";
    assert_eq!(get(&server, LIST).is(200).json(), json!({"deployments": [], "nextCursor": null}));
    let mut ids: Vec<String> = ["main", "feature/x", "gone"].iter().map(|branch| preview(&server, branch)).collect();
    let update = server.send(&ask("POST", "/v1/project/update/acme-docs").key(&key("acme"))).is(202).string("statusId");
    ids.push(update);
    ids.iter().for_each(|id| drop(server.deployed("acme", id)));
    ids.reverse();
    let all = get(&server, LIST).is(200).json();
    assert_eq!((members(&all, "deployments", "_id"), &all["nextCursor"]), (ids.clone(), &Value::Null));
    let first = all["deployments"][0].as_object().unwrap();
    assert!(!first.contains_key("logs") && first["status"] == "success" && first["commit"]["sha"].is_string());
    // by pages of one
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = get(&server, &format!("{LIST}?limit=1{cursor}")).is(200).json();
        found.extend(members(&page, "deployments", "_id"));
        let Some(next) = page["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(found, ids);
    for (query, expect) in
        [("status=failure", &ids[1..2]), ("branch=feature%2Fx", &ids[2..3]), ("branch=main&status=failure", &[])]
    {
        let list = get(&server, &format!("{LIST}?{query}")).is(200).json();
        assert_eq!(members(&list, "deployments", "_id"), expect, "{query}");
    }
    for wrong in ["status=running", "limit=0", "cursor=upd_0", "cursor=", "limit=1&limit=1"] {
        get(&server, &format!("{LIST}?{wrong}")).refuses(400, "invalid_request");
    }
    // what is another project's, or another organization's, is not in the list, and is no cursor of it
    assert_eq!(get(&server, "/v1/project/deployments/more").is(200).json()["deployments"], json!([]));
    get(&server, &format!("/v1/project/deployments/more?cursor={}", ids[0])).refuses(400, "invalid_request");
    server.send(&ask("GET", LIST).key(&key("globex"))).refuses(404, "not_found");
}

#[test]
fn e_prv_previews_are_listed_and_removed() {
    let server = server();
    const LIST: &str = "/v1/project/previews/acme-docs";
    for branch in ["feature/x", "main", "gone"] {
        server.deployed("acme", &preview(&server, branch));
    }
    let list = get(&server, LIST).is(200).json();
    let mut branches = members(&list, "previews", "branch");
    branches.sort();
    // the preview of a branch that is not there goes with its deployment
    assert_eq!(branches, ["feature/x", "main"]);
    let shown = list["previews"].as_array().unwrap().iter().find(|preview| preview["branch"] == "feature/x").unwrap();
    assert!(
        shown["isLive"] == true && shown["status"] == "success" && shown["commit"]["ref"] == "feature/x",
        "{shown}"
    );
    let url = shown["previewUrl"].as_str().unwrap();
    server.get_link(url, &[]).is(200);
    let page = get(&server, &format!("{LIST}?limit=1")).is(200).json();
    let rest = get(&server, &format!("{LIST}?cursor={}", page["nextCursor"].as_str().unwrap())).is(200).json();
    assert_eq!((rest["previews"].as_array().unwrap().len(), &rest["nextCursor"]), (1, &Value::Null));
    get(&server, &format!("{LIST}?cursor=nothing")).refuses(400, "invalid_request");

    let one = format!("{LIST}/{}", shown["subdomain"].as_str().unwrap());
    assert_eq!(&get(&server, &one).is(200).json(), shown);
    server.send(&ask("DELETE", one.as_str()).key(&key("globex"))).refuses(404, "not_found");
    delete(&server, &one.replace("acme-docs/", "more/")).refuses(404, "not_found");
    assert_eq!(&delete(&server, &one).is(200).json(), shown);
    server.get_link(url, &[]).is(404);
    get(&server, &one).refuses(404, "not_found");
    delete(&server, &one).refuses(404, "not_found");
    assert_eq!(members(&get(&server, LIST).json(), "previews", "branch"), ["main"]);
    // the record of its deployment stays, and the branch can have a preview again, at the same address
    let id = shown["statusId"].as_str().unwrap();
    get(&server, &format!("/v1/project/update-status/{id}")).is(200);
    server.deployed("acme", &preview(&server, "feature/x"));
    server.get_link(url, &[]).is(200);
    assert_eq!(split(url).0, format!("{}.preview.test", shown["subdomain"].as_str().unwrap()));
}

#[test]
fn e_dep_deployments_that_wait_or_run_are_canceled() {
    // a server that accepts and says nothing: deployments from it go on until they are canceled
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let server = Server::start(|folder| {
        let docs = repository(&folder.join("git"));
        format!(
            "[server]\ndata_dir = \"data\"\n\n{}[[projects]]\nid = \"slow\"\norganization = \"acme\"\ndomain = \"slow.example\"\nsource = {{ archive_url = \"http://127.0.0.1:{port}/docs.zip\" }}\n",
            organization("acme", &git_source(&docs)).replace(&git_source(&docs), &folder_source(&docs))
        )
    });
    let update = |project: &str| {
        let ask = ask("POST", format!("/v1/project/update/{project}"));
        server.send(&ask.key(&key("acme"))).is(202).string("statusId")
    };
    let status = |id: &str| get(&server, &format!("/v1/project/update-status/{id}")).is(200).json();
    let running = update("slow");
    wait("a deployment to run", || (status(&running)["status"] == "in_progress").then_some(()));
    let waiting = update("slow");
    assert_ne!(running, waiting);
    for id in [&waiting, &running] {
        for _ in 0..2 {
            let canceled = delete(&server, &format!("/v1/project/update-status/{id}")).is(200).json();
            assert_eq!(
                (canceled["status"].as_str(), canceled["summary"].as_str()),
                (Some("failure"), Some("canceled"))
            );
            assert!(canceled["endedAt"].is_string());
        }
    }
    // the next one runs, and its fetch is a new one: the process of the canceled one has ended
    let next = update("slow");
    wait("the next one to run", || (status(&next)["status"] == "in_progress").then_some(()));
    delete(&server, &format!("/v1/project/update-status/{next}")).is(200);
    // one that has succeeded stays
    let done = update("acme-docs");
    assert_eq!(server.deployed("acme", &done)["status"], "success");
    delete(&server, &format!("/v1/project/update-status/{done}")).refuses(409, "conflict");
    delete(&server, "/v1/project/update-status/upd_00000000000000000000000000000000").refuses(404, "not_found");
    drop(silent);
}

#[test]
fn e_agt_jobs_are_listed_canceled_and_deleted() {
    let server = server();
    const LIST: &str = "/v2/agent/acme-docs/jobs";
    let start = |prompt: &str| {
        let ask = ask("POST", "/v2/agent/acme-docs/job").key(&key("acme")).json(json!({ "prompt": prompt }));
        server.send(&ask).is(201).string("id")
    };
    let job = |id: &str| format!("/v2/agent/acme-docs/job/{id}");
    let quick = start("quick");
    wait("an agent job to end", || (get(&server, &job(&quick)).json()["status"] == "completed").then_some(()));
    let long = start("long");
    let list = get(&server, LIST).is(200).json();
    assert_eq!(members(&list, "jobs", "id"), [long.clone(), quick.clone()]);
    assert_eq!(list["jobs"][1], get(&server, &job(&quick)).json());
    assert_eq!(
        members(&get(&server, &format!("{LIST}?status=active")).json(), "jobs", "id"),
        std::slice::from_ref(&long)
    );
    assert_eq!(get(&server, "/v2/agent/more/jobs").is(200).json()["jobs"], json!([]));
    server.send(&ask("GET", LIST).key(&key("globex"))).refuses(404, "not_found");

    let cancel = |id: &str| server.send(&ask("POST", format!("{}/cancel", job(id))).key(&key("acme")));
    cancel(&quick).refuses(409, "conflict");
    for _ in 0..2 {
        assert_eq!(cancel(&long).is(200).string("status"), "failed");
    }
    // a canceled one goes on with another prompt
    let more = ask("POST", format!("{}/message", job(&long))).key(&key("acme")).json("{\"prompt\":\"quick\"}");
    server.send(&more).is(200);
    wait("the job to end", || (get(&server, &job(&long)).json()["status"] == "completed").then_some(()));

    assert_eq!(delete(&server, &job(&quick)).is(200).string("id"), quick);
    get(&server, &job(&quick)).refuses(404, "not_found");
    delete(&server, &job(&quick)).refuses(404, "not_found");
    // an active one is canceled first
    let active = start("long");
    assert_eq!(delete(&server, &job(&active)).is(200).string("status"), "failed");
    assert_eq!(members(&get(&server, LIST).json(), "jobs", "id"), [long]);
}

#[test]
fn e_ops_metrics_and_log_say_what_operators_ask() {
    let server = server();
    assert_eq!(server.export("acme")["status"], "completed");
    let metrics = server.send(&ask("GET", "/metrics")).is(200).text().to_owned();
    for line in [
        "offprint_queue_age_seconds{kind=\"export\"} 0",
        "offprint_queue_age_seconds{kind=\"agent\"} 0",
        "offprint_disk_bytes ",
        "offprint_disk_free_bytes ",
        "offprint_child_ends_total{cause=\"done\"} 1",
    ] {
        assert!(metrics.lines().any(|other| other.starts_with(line)), "{line} in {metrics}");
    }
    let lines = server.log();
    let request = lines.lines().rfind(|line| line.contains("/v1/static-export/jobs")).unwrap();
    let request: Value = serde_json::from_str(request).unwrap();
    assert_eq!(request["client"], "127.0.0.1", "{request}");
}
