//! Requests that mean harm (threats S18, S19, S25).

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::service::client::{Client, ask};
use crate::service::server::{Server, folder_source, git_source, key, organization, repository, shared, site, wait};

/// Names that are no branches, and many that are made of their parts.
fn branches(canary: &Path) -> Vec<String> {
    let canary = canary.display();
    let parts = [
        "-x",
        "--upload-pack=touch",
        "-oProxyCommand=touch",
        "refs/heads/main",
        "HEAD",
        "@",
        "@{-1}",
        "@{u}",
        "main@{1}",
        "main~1",
        "main^",
        "main^{commit}",
        ":/First",
        "main:docs.json",
        "..",
        "a..b",
        "../../x",
        ".hidden",
        "a/.b",
        "a.lock",
        "a/b.lock/c",
        "a//b",
        "/a",
        "a/",
        "a.",
        " ",
        "a b",
        "a\tb",
        "a\nb",
        "a\rb",
        "a\0b",
        "\u{7f}",
        "*",
        "a?",
        "[a]",
        "a\\b",
        "+main",
        "+refs/*:refs/*",
        "$(id)",
        "`id`",
        ";id",
        "|id",
        "&&id",
        "\u{202e}niam",
        "main\u{0}",
        "%2e%2e",
        "ext::sh",
        "pull/1/head",
        "tags/v1",
        "main;",
        "é",
        "日本",
        "🙂",
    ];
    let mut all: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
    all.extend([
        format!("$(touch {canary})"),
        format!("`touch {canary}`"),
        format!("--output={canary}"),
        format!("x;touch {canary}"),
        format!("ext::sh -c touch% {canary}"),
        "a".repeat(256),
        "a/".repeat(200),
    ]);
    'more: for first in &parts {
        for second in &parts {
            for between in ["", "/"] {
                all.push(format!("{first}{between}{second}"));
                if all.len() == 3_000 {
                    break 'more;
                }
            }
        }
    }
    all
}

#[test]
fn e_prv_3_and_s25_three_thousand_hostile_branch_names() {
    let server = Server::start(|folder| {
        let docs = repository(&folder.join("git"));
        format!(
            "[git]\nallow_protocols = [\"file\"]\n\n[limits]\npreviews_per_minute = 0\nexports_queued = 0\n\n{}",
            organization("acme", &git_source(&docs))
        )
    });
    let canary = server.folder.path().join("canary");
    let names = branches(&canary);
    assert_eq!(names.len(), 3_000);
    let folder = server.folder.path();
    let is_branch = |name: &str| {
        !name.contains('\0')
            && Command::new("git")
                .args(["check-ref-format", "--branch", name])
                .current_dir(folder)
                .output()
                .unwrap()
                .status
                .success()
    };
    let (mut client, mut accepted) = (server.client(), Vec::new());
    for name in &names {
        let answer = client.send(
            &ask("POST", "/v1/project/preview/acme-docs").key(&key("acme")).json(serde_json::json!({ "branch": name })),
        );
        match answer.status {
            202 => accepted.push((name, answer.string("statusId"))),
            _ => drop(answer.refuses(400, "invalid_request")),
        }
    }
    assert!(
        accepted.iter().any(|(name, _)| *name == "日本") && accepted.iter().any(|(name, _)| *name == "$(id)"),
        "branches may have any of these names"
    );
    for (name, _) in accepted.iter().step_by(7) {
        assert!(is_branch(name), "git refuses {name:?}");
    }
    for bad in ["HEAD", "@", "-x", "refs/heads/main", "@{-1}", "a..b", "a.lock", "a b", "a\nb", "+refs/*:refs/*"] {
        assert!(!accepted.iter().any(|(name, _)| *name == bad), "{bad} was accepted");
    }
    // none of them is there, whatever it says
    for (name, id) in accepted.iter().rev().take(12) {
        assert_eq!(server.deployed("acme", id)["status"], "failure", "{name}");
    }
    assert!(!canary.exists());
    client.send(&ask("GET", "/readyz")).is(200);
}

#[test]
fn s18_nothing_that_is_sent_becomes_a_header() {
    let server = shared();
    let mut client = server.client();
    let plain = client.send(&ask("GET", "/v1/static-export/jobs").key(&key("headers"))).headers.len();
    let poison = ["a%0d%0aX-Evil: 1", "a%0aX-Evil: 1", "a%00b", "%0d%0a%0d%0a", "a\u{85}X-Evil: 1"];
    for text in poison {
        for path in [
            format!("/v1/static-export/jobs/{text}"),
            format!("/v1/project/preview/{text}"),
            format!("/bundles/{text}/{text}?exp={text}"),
            format!("/{text}"),
        ] {
            let path = path.replace(' ', "%20");
            let answer = client.send(&ask("GET", path).key(&key("headers")));
            assert!(answer.status >= 400 && answer.header("x-evil").is_none(), "{answer:?}");
        }
        let decoded = text.replace("%0d", "\r").replace("%0a", "\n").replace("%00", "\0");
        for member in ["domain", "version"] {
            let body = serde_json::json!({ "domain": "headers.example", member: decoded });
            let answer = client.send(&ask("POST", "/v1/static-export/jobs").key(&key("headers")).json(body));
            assert!(answer.refuses(400, "invalid_request").header("x-evil").is_none());
        }
    }
    for index in 0..500_u32 {
        let noise: String = (0..24).map(|place| char::from(0x21 + ((index * 31 + place * 17) % 94) as u8)).collect();
        let answer = client.send(
            &ask("GET", "/v1/static-export/jobs")
                .key(&key("headers"))
                .header("X-Request-Id", noise.as_str())
                .header("X-Noise", noise.as_str()),
        );
        assert_eq!(answer.is(200).headers.len(), plain);
    }
    // over the bare wire
    for bytes in [
        &b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\rX-Evil: 1\r\n\r\n"[..],
        b"GET /livez HTTP/1.1\nHost: x\nX-Request-Id: a\0b\n\n",
    ] {
        if let Some(answer) = Client::raw(server.port, bytes) {
            assert!(answer.header("x-evil").is_none() && matches!(answer.status, 200 | 400));
        }
    }
}

/// Everything readable below a folder holds none of these.
fn search(folder: &Path, secrets: &[&str]) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            search(&path, secrets);
        } else if path.file_name().is_some_and(|name| name != "offprint.toml") {
            let bytes = fs::read(&path).unwrap_or_default();
            for secret in secrets {
                assert!(
                    !bytes.windows(secret.len()).any(|window| window == secret.as_bytes()),
                    "{secret} is in {}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn s19_keys_and_links_are_in_no_log_and_no_file() {
    let server = Server::start_with(
        |folder| {
            let docs = site(folder);
            let remote = "{ git = \"https://user:hunter2secret@127.0.0.1:9/docs.git\" }";
            let second = format!(
                "\n[[projects]]\nid = \"remote\"\norganization = \"acme\"\ndomain = \"remote.example\"\nsource = {remote}\n"
            );
            format!("[server]\ndata_dir = \"data\"\n\n{}{second}", organization("acme", &folder_source(&docs)))
        },
        "trace",
        &[],
    );
    let (key, mut client) = (key("acme"), server.client());
    let job = server.export("acme")["jobId"].as_str().unwrap().to_owned();
    let link =
        client.send(&ask("POST", format!("/v1/static-export/jobs/{job}/bundle")).key(&key)).is(200).string("bundleUrl");
    let signature = link.rsplit_once("sig=").unwrap().1.to_owned();
    server.get_link(&link, &[]).is(200);
    server.get_link(&format!("{link}x"), &[]).is(403);
    for path in [
        format!("/v1/static-export/jobs/{key}"),
        format!("/v1/project/preview/{key}"),
        format!("/{key}"),
        format!("/livez?key={key}"),
        format!("/v1/static-export/jobs?cursor={key}"),
    ] {
        client.send(&ask("GET", path).key(&key));
    }
    client.send(&ask("POST", "/v1/static-export/jobs").key(&key).json(format!("{{\"domain\":\"{key}\"}}")));
    client.send(&ask("GET", "/livez").header("X-Request-Id", key.as_str()));
    let failed = client
        .send(&ask("POST", "/v1/project/preview/remote").key(&key).json("{\"branch\":\"main\"}"))
        .is(202)
        .string("statusId");
    let status = server.deployed("acme", &failed);
    assert!(status["status"] == "failure" && !status.to_string().contains("hunter2secret"), "{status}");
    // the operator's log names the request as the client does: a client that names it after its key has told everybody
    let log = server.log().replace(&format!("\"request\":\"{key}\""), "");
    for secret in [key.as_str(), &signature, "hunter2secret"] {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret}");
    }
    search(&server.folder.path().join("data"), &[&key, &signature, "hunter2secret"]);
    let children = wait("the processes to be listed", || fs::read_dir("/proc").ok());
    for process in children.flatten() {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&line).contains(key.as_str()));
    }
}
