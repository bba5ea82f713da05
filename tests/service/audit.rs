//! The audit log.

use std::fs;

use serde_json::{Value, json};

use crate::service::client::ask;
use crate::service::server::{Server, folder_source, key, organization, site, wait};

const JOBS: &str = "/v1/static-export/jobs";

fn server(more: &str) -> Server {
    Server::start(|folder| {
        let organizations = ["acme", "globex"].map(|name| organization(name, &folder_source(&site(folder)))).concat();
        format!(
            "[server]\ndata_dir = \"data\"\ntrusted_proxies = [\"127.0.0.1\"]\n\n[audit]\nlog = \"audit.jsonl\"\n{more}\n\n{organizations}"
        )
    })
}

fn lines(server: &Server) -> Vec<Value> {
    let text = fs::read_to_string(server.folder.path().join("audit.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The members of an entry that do not differ from run to run.
fn stable_members(line: &Value) -> Value {
    let mut line = line.clone();
    let members = line.as_object_mut().unwrap();
    assert!(members.remove("time").unwrap().as_str().unwrap().ends_with('Z'));
    line
}

#[test]
fn e_aud_what_changes_something_is_written_down() {
    let server = server("");
    let started = server.send(
        &ask("POST", JOBS)
            .key(&key("acme"))
            .header("X-Request-Id", "one")
            .header("X-Forwarded-For", "203.0.113.7")
            .header("Idempotency-Key", "secret-of-a-client")
            .json(json!({"domain": "acme.example", "version": "v-of-a-client"})),
    );
    let id = started.is(202).string("jobId");
    let started = server.send(
        &ask("GET", format!("{JOBS}/{id}?token=query-of-a-client")).key(&key("acme")).header("X-Request-Id", "read"),
    );
    started.is(200);
    server.finished("acme", &id);
    server.send(&ask("DELETE", format!("{JOBS}/{id}")).key(&key("acme")).header("X-Request-Id", "two")).is(409);
    server.send(&ask("DELETE", format!("{JOBS}/{id}")).key(&key("globex")).header("X-Request-Id", "three")).is(404);
    let wrong = format!("opk_{}", "x".repeat(43));
    server.send(&ask("GET", JOBS).key(&wrong).header("X-Request-Id", "four")).is(401);
    server.send(&ask("GET", "/livez")).is(200);
    server.send(&ask("POST", "/path-of-a-client").key(&key("acme"))).is(404);
    let line = |request: &str,
                client: &str,
                who: Option<&str>,
                method: &str,
                route: &str,
                resource: Option<&str>,
                status: u16,
                error: Option<&str>| {
        json!({
            "request": request, "client": client, "organization": who, "key": who.map(|_| "main"), "method": method,
            "route": route, "resource": resource, "status": status, "error": error,
        })
    };
    let one = format!("{JOBS}/{{jobId}}");
    let expect = [
        line("one", "203.0.113.7", Some("acme"), "POST", JOBS, Some(&id), 202, None),
        line("two", "127.0.0.1", Some("acme"), "DELETE", &one, Some(&id), 409, Some("conflict")),
        line("three", "127.0.0.1", Some("globex"), "DELETE", &one, None, 404, Some("not_found")),
        line("four", "127.0.0.1", None, "GET", JOBS, None, 401, Some("unauthorized")),
    ];
    assert_eq!(lines(&server).iter().map(stable_members).collect::<Vec<_>>(), expect);
    let text = fs::read_to_string(server.folder.path().join("audit.jsonl")).unwrap();
    for secret in [key("acme").as_str(), &wrong, "of-a-client", "opk_"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

#[test]
fn e_aud_reading_is_written_down_if_that_is_configured() {
    let server = server("reads = true");
    server.send(&ask("GET", JOBS).key(&key("acme"))).is(200);
    let lines = lines(&server);
    assert_eq!((lines.len(), &lines[0]["route"], &lines[0]["status"]), (1, &json!(JOBS), &json!(200)));
}

#[test]
fn e_aud_a_file_that_was_put_away_is_begun_anew() {
    let server = server("");
    let update =
        || server.send(&ask("POST", "/v1/project/update/acme-docs").key(&key("acme"))).is(202).string("statusId");
    let first = update();
    let path = server.folder.path().join("audit.jsonl");
    fs::rename(&path, path.with_extension("1")).unwrap();
    server.signal("HUP");
    wait("the new file", || path.exists().then_some(()));
    server.deployed("acme", &first);
    let second = update();
    assert_eq!(lines(&server).iter().map(|line| line["resource"].clone()).collect::<Vec<_>>(), [json!(second)]);
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn e_aud_a_log_that_cannot_be_written_stops_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("offprint.toml");
    fs::write(&file, "[server]\nlisten = \"127.0.0.1:0\"\n[audit]\nlog = \"nowhere/audit.jsonl\"\n").unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_offprint"))
        .args(["serve", "--config"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the audit log cannot be written to") && said.contains("nowhere/audit.jsonl"), "{said}");
}
