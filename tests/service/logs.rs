//! What a job says about itself: start, end, commit, problems of the content and its log; and bundles that the service
//! signs.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::process::Command;

use serde_json::{Value, json};

use crate::service::client::ask;
use crate::service::server::{Server, git, git_source, key, organization, repository, wait};

const JOBS: &str = "/v1/static-export/jobs";

/// A repository with one problem more than a status shows, and one of them with a place.
fn server(more: &str) -> Server {
    Server::start(|folder| {
        let docs = repository(&folder.join("git"));
        let links: String = (0..10).map(|n| format!("[{n}](/missing-{n})\n\n")).collect();
        fs::write(docs.join("guides/next.mdx"), format!("---\ntitle: Next\n---\n\n{links}")).unwrap();
        fs::write(docs.join("index.mdx"), "---\ntitle: Home\n---\n\nText.\n\nA [broken](/nothing) link.\n").unwrap();
        git(&docs, &["commit", "-q", "-a", "-m", "With problems"]);
        format!(
            "[server]\ndata_dir = \"data\"\n\n[git]\nallow_protocols = [\"file\"]\n\n{more}{}",
            organization("acme", &git_source(&docs))
        )
    })
}

fn get(server: &Server, path: &str) -> Value {
    server.send(&ask("GET", path).key(&key("acme"))).is(200).json()
}

#[test]
fn e_log_a_job_says_what_it_has_found() {
    let server = server("");
    let job = server.export("acme");
    let found = &job["diagnostics"];
    assert_eq!((&job["status"], &found["errors"], &found["warnings"]), (&json!("completed"), &json!(0), &json!(11)));
    let first = found["first"].as_array().unwrap();
    assert_eq!(first.len(), 10, "the status has the first ten");
    let expect =
        json!({"severity": "warning", "code": "broken-link", "file": "guides/next.mdx", "line": 5, "column": 1});
    for (name, value) in expect.as_object().unwrap() {
        assert_eq!(&first[0][name], value, "{name}");
    }
    assert!(
        job["startedAt"].as_str() >= job["createdAt"].as_str() && job["endedAt"].as_str() > job["startedAt"].as_str()
    );
    assert_eq!((&job["commit"]["message"], &job["signedBy"]), (&json!("With problems"), &Value::Null));

    let log = get(&server, job["log"].as_str().unwrap());
    assert_eq!(log["diagnostics"]["first"].as_array().unwrap().len(), 11, "the log has all of them");
    for name in ["jobId", "status", "startedAt", "endedAt", "commit", "version"] {
        assert_eq!(log[name], job[name], "{name}");
    }
    let lines: Vec<&str> = log["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    // each line has its time, in order, and says in words what happened
    let (times, words): (Vec<_>, Vec<_>) = lines.iter().map(|line| line.split_once(' ').unwrap()).unzip();
    assert!(times.is_sorted() && times.iter().all(|time| time.parse::<jiff::Timestamp>().is_ok()), "{lines:?}");
    assert!(job["startedAt"].as_str() <= times.first().copied() && times.last().copied() <= job["endedAt"].as_str());
    for expect in ["the source is fetched", "pages are rendered", "3 pages are rendered"] {
        assert!(words.contains(&expect), "{expect}: {lines:?}");
    }
    for start in ["the source is commit ", "warning[broken-link] index.mdx:7:3: ", "the bundle is made: 3 pages, "] {
        assert!(words.iter().any(|line| line.starts_with(start)), "{start}: {lines:?}");
    }
    assert_eq!(log["paths"], json!([]));
}

#[test]
fn e_log_a_failed_job_says_what_was_asked_for() {
    let server = server("");
    let body = json!({"domain": "acme.example", "paths": ["index", "nothing"]});
    let id = server.send(&ask("POST", JOBS).key(&key("acme")).json(body)).is(202).string("jobId");
    let job = server.finished("acme", &id);
    assert_eq!(job["status"], "failed");
    let log = get(&server, &format!("{JOBS}/{id}/log"));
    assert_eq!((&log["paths"], &log["error"]), (&json!(["index", "nothing"]), &job["error"]));
    assert_eq!(log["commit"]["ref"], "main");
    let lines = log["lines"].as_array().unwrap();
    let last = lines.last().and_then(Value::as_str).and_then(|line| line.split_once(' '));
    assert_eq!(last.map(|(_, words)| words), Some(&*format!("failed: {}", job["error"].as_str().unwrap())));
    assert!(lines[0].as_str().unwrap().ends_with(" the source is fetched"), "{lines:?}");
    // another organization's is not there, and neither is one without the plan
    let foreign = format!("{JOBS}/se_{}/log", "0".repeat(32));
    server.send(&ask("GET", foreign).key(&key("acme"))).refuses(404, "not_found");
}

#[test]
fn e_log_a_job_that_runs_has_no_lines_yet() {
    // a server that accepts and says nothing: an export from it goes on
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let source = format!("{{ archive_url = \"http://127.0.0.1:{port}/docs.zip\" }}");
    let server = Server::start(|_| organization("acme", &source));
    let start = ask("POST", JOBS).key(&key("acme")).json("{\"domain\":\"acme.example\"}");
    let path = format!("{JOBS}/{}/log", server.send(&start).is(202).string("jobId"));
    let log = wait("the job to run", || {
        let answer = server.send(&ask("GET", path.as_str()).key(&key("acme")));
        (answer.is(200).json()["status"] == "running").then_some(answer)
    });
    assert_eq!(
        (log.header("retry-after"), &log.json()["lines"], &log.json()["endedAt"]),
        (Some("2"), &json!([]), &Value::Null)
    );
    assert!(log.json()["startedAt"].is_string());
}

#[test]
fn e_arc_bundles_are_signed_by_the_service() {
    let pair = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    let public = pair.pk.to_base64();
    let key_file = tempfile::NamedTempFile::new().unwrap();
    key_file.as_file().write_all(pair.sk.to_box(None).unwrap().into_string().as_bytes()).unwrap();
    let server = server(&format!("[bundles]\nminisign_key = {{ file = {:?} }}\n\n", key_file.path().to_str().unwrap()));
    let job = server.export("acme");
    assert_eq!(job["status"], "completed", "{job}");
    let id = job["jobId"].as_str().unwrap();
    let bundle = server.send(&ask("POST", format!("{JOBS}/{id}/bundle")).key(&key("acme"))).is(200).json();
    let bytes = server.get_link(bundle["bundleUrl"].as_str().unwrap(), &[]).is(200).body.clone();
    let file = server.folder.path().join("bundle.zip");
    fs::write(&file, &bytes).unwrap();
    let verify = |key: &str| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_offprint")).args(["verify", "-p", key]).arg(&file).output().unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
        )
    };
    let (code, said) = verify(&public);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(job["signedBy"].as_str().unwrap()), "{said}");
    let other = minisign::KeyPair::generate_unencrypted_keypair().unwrap().pk.to_base64();
    assert_ne!(verify(&other).0, Some(0));
    // the same source gives the same bytes, and the exporter has not seen the key
    let again = server.export("acme");
    let id = again["jobId"].as_str().unwrap();
    let second = server.send(&ask("POST", format!("{JOBS}/{id}/bundle")).key(&key("acme"))).is(200).json();
    assert_eq!(second["sha256"], bundle["sha256"]);
    let secret = fs::read_to_string(key_file.path()).unwrap();
    assert!(!server.log().contains(secret.lines().nth(1).unwrap()) && server.log().contains(&public));
}

#[test]
fn e_cfg_a_key_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let check = |line: &str| {
        let file = folder.path().join("offprint.toml");
        fs::write(&file, format!("[bundles]\n{line}\n")).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_offprint"))
            .args(["serve", "--check", "--config"])
            .arg(&file)
            .env_remove("OFFPRINT_TEST_KEY")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    for (line, expect) in [
        ("minisign_key = \"x\"", "offprint.toml:2:16: the key is not a secret key of minisign"),
        ("minisign_key = { env = \"OFFPRINT_TEST_KEY\" }", "the environment has no variable `OFFPRINT_TEST_KEY`"),
        ("minisign_key = { file = \"nothing\" }", "nothing` cannot be read"),
        ("minisign_key = { path = \"x\" }", "expected a text, `{ env = \"NAME\" }` or `{ file = \"path\" }`"),
        ("minisign_key = 1", "expected a text"),
        ("minisign_password = \"x\"", "the password of `minisign_key`, which is not there"),
    ] {
        let said = check(line);
        assert!(said.contains(expect), "{said} instead of {expect}");
    }
}
