//! Sections 10 and 11 of the contract: what operators do.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::service::client::ask;
use crate::service::server::{Server, folder_source, hash, key, organization, shared, site, wait};
use crate::shared::queued::Queued;

fn offprint(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_offprint")).args(arguments).env_remove("OFFPRINT_CONFIG").output().unwrap()
}

#[test]
fn e_ops_health_and_metrics_need_no_key() {
    let mut client = shared().client();
    for path in ["/livez", "/readyz"] {
        let answer = client.send(&ask("GET", path));
        assert_eq!(
            (answer.is(200).text(), answer.header("content-type")),
            ("{\"status\":\"ok\"}", Some("application/json"))
        );
    }
    // how exports are confined here, and what is lacking, is said where it is asked for, and once in the log
    let verbose = client.send(&ask("GET", "/readyz?verbose")).is(200).json();
    let isolation = &verbose["isolation"];
    assert!(verbose["status"] == "ok" && isolation["landlock"].is_u64() && isolation["lacks"].is_array(), "{verbose}");
    assert_eq!(shared().log().matches("\"exports are confined\"").count(), 1);
    // it is for who is on this machine, or has a key; a proxy brings strangers
    let from = |key: Option<&str>| {
        let ask = ask("GET", "/readyz?verbose").header("X-Forwarded-For", "203.0.113.9");
        shared().send(&key.into_iter().fold(ask, |ask, key| ask.key(key))).is(200).text().to_owned()
    };
    for stranger in [None, Some("opk_x"), Some(&*key("expired")), Some(&*key("elsewhere"))] {
        assert_eq!(from(stranger), "{\"status\":\"ok\"}", "{stranger:?}");
    }
    assert!(from(Some(&key("reader"))).contains("\"isolation\""));
    shared().export("globex");
    let metrics = client.send(&ask("GET", "/metrics"));
    assert!(metrics.is(200).header("content-type").is_some_and(|value| value.starts_with("text/plain; version=0.0.4")));
    let text = metrics.text();
    assert!(
        text.contains("offprint_http_requests_total{operation=\"/v1/static-export/jobs/{jobId}\",status=\"200\"}"),
        "{text}"
    );
    assert!(text.contains("offprint_jobs_running") && text.contains("offprint_http_connections"));
    assert!(text.contains(&format!("offprint_build_info{{version=\"{}\"}} 1\n", env!("CARGO_PKG_VERSION"))), "{text}");
    let number = |name: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name}: {text}")).parse().unwrap()
    };
    for name in ["cpu_seconds_total", "resident_memory_bytes", "virtual_memory_bytes", "threads", "open_fds"] {
        assert!(number(&format!("process_{name}")) > 0.0, "{name}");
    }
    assert!((number("process_start_time_seconds") - jiff::Timestamp::now().as_second() as f64).abs() < 3600.0);
    for name in ["globex", "acme", "se_", "opk_", "example"] {
        assert!(!text.contains(name), "{name} is in the metrics");
    }
}

#[test]
fn e_ops_metrics_may_have_an_address_of_their_own() {
    let server = Server::start_with(|_| "[server]\nmetrics_listen = \"127.0.0.1:0\"\n".to_owned(), "info", &[]);
    server.send(&ask("GET", "/metrics")).refuses(404, "not_found");
    let port = wait("the second address", || {
        let log = server.log();
        let line = log.lines().find(|line| line.contains("the metrics are at"))?.to_owned();
        serde_json::from_str::<serde_json::Value>(&line).ok()?["address"]
            .as_str()?
            .rsplit(':')
            .next()?
            .parse::<u16>()
            .ok()
    });
    let mut client = crate::service::client::Client::new(port);
    client.send(&ask("GET", "/metrics")).is(200);
    client.send(&ask("GET", "/livez")).is(404);
    client.send(&ask("POST", "/metrics")).is(405);
}

#[test]
fn e_ops_sigterm_ends_the_service_and_loses_nothing() {
    let server = Server::start(|folder| {
        let docs = site(folder);
        format!("[server]\ndata_dir = \"data\"\n\n{}", organization("acme", &folder_source(&docs)))
    });
    let start = || {
        server
            .send(&ask("POST", "/v1/static-export/jobs").key(&key("acme")).json("{\"domain\":\"acme.example\"}"))
            .is(202)
            .string("jobId")
    };
    let ids: Vec<String> = (0..6).map(|_| start()).collect();
    let started = Instant::now();
    server.signal("TERM");
    // for a moment it still answers, and says that it takes nothing
    let status = wait("the service to say that it stops", || {
        let answer = crate::service::client::Client::raw(server.port, b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")?;
        (answer.status == 503).then_some(answer)
    });
    assert!(status.refuses(503, "unavailable").header("retry-after").is_some());
    let folder = server.into_folder();
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    let server = Server::resume(folder, "info", &[]);
    for id in ids {
        assert_eq!(server.finished("acme", &id)["status"], "completed", "{id}");
    }
}

#[test]
fn e_ops_who_comes_while_it_stops_is_answered() {
    let server = Server::start(|_| String::new());
    server.send(&ask("GET", "/livez")).is(200);
    // what was there before and is silent holds nobody up for long
    let silent = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    server.signal("TERM");
    let started = Instant::now();
    let mut answered = 0;
    while started.elapsed() < Duration::from_millis(1_000) {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        std::thread::sleep(Duration::from_millis(15));
        stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        assert!(
            said.starts_with("HTTP/1.1 "),
            "no answer after {:?}, the {answered}. before had one: {said:?}",
            started.elapsed()
        );
        if !said.starts_with("HTTP/1.1 200") {
            let lower = said.to_ascii_lowercase();
            assert!(
                lower.starts_with("http/1.1 503")
                    && lower.contains("\r\nretry-after: ")
                    && lower.contains("\r\nconnection: close\r\n"),
                "{said}"
            );
            answered += 1;
        }
    }
    assert!(answered > 10, "{answered}");
    drop(server.into_folder());
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    drop(silent);
}

#[test]
fn e_ops_requests_are_whole_while_it_stops_under_constant_load() {
    let server = Server::start(|_| String::new());
    server.send(&ask("GET", "/livez")).is(200);
    let port = server.port;
    // kept connections: each request is answered until an answer says that the connection ends
    let kept: Vec<_> = (0..4)
        .map(|_| {
            let mut reader = BufReader::new(TcpStream::connect(("127.0.0.1", port)).unwrap());
            reader.get_ref().set_read_timeout(Some(Duration::from_secs(60))).unwrap();
            std::thread::spawn(move || {
                for count in 0.. {
                    reader.get_ref().write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
                    let mut head = String::new();
                    while !head.ends_with("\r\n\r\n") {
                        assert!(reader.read_line(&mut head).unwrap() > 0, "request {count} was cut: {head:?}");
                    }
                    let mut body = [0; 15];
                    reader.read_exact(&mut body).unwrap();
                    assert_eq!(body, *b"{\"status\":\"ok\"}", "request {count}");
                    if head.to_ascii_lowercase().contains("connection: close") {
                        return count;
                    }
                    std::thread::sleep(Duration::from_millis(10));
                }
                0
            })
        })
        .collect();
    // new ones, again and again: taken ones are answered, and in the end they are refused
    let new: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(move || {
                while let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
                    let _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
                    let _ = stream.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                    let _ = stream.read_to_end(&mut Vec::new());
                }
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    server.signal("TERM");
    for kept in kept {
        assert!(kept.join().unwrap() > 0);
    }
    new.into_iter().for_each(|new| new.join().unwrap());
    wait("the service to end", || (!server.is_running()).then_some(()));
    assert!(!server.log().contains("connections are closed"), "{}", server.log());
}

/// The program is held up until the time in which it takes connections is over, so that it finds them all together.
#[test]
fn e_ops_what_the_system_has_taken_is_answered_at_the_end() {
    let server = Server::start(|_| String::new());
    let mut kept = server.client();
    kept.send(&ask("GET", "/livez")).is(200);
    server.signal("TERM");
    wait("the service to stop", || (kept.send(&ask("GET", "/readyz")).status == 503).then_some(()));
    server.signal("STOP");
    let queued = Queued::send(server.port, "/livez");
    std::thread::sleep(Duration::from_millis(1_700));
    server.signal("CONT");
    assert_eq!(queued.cut(), 0);
    drop(server.into_folder());
}

/// Shells begin with fewer descriptors than the system has.
#[test]
fn e_ops_more_connections_than_a_shell_gives_descriptors() {
    let few = ["sh", "-c", "ulimit -Sn 48; exec \"$@\"", "sh"].map(str::to_owned);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("offprint.toml"), "").unwrap();
    let server = Server::within(&few, folder, &[], "info", &[]);
    let mut clients: Vec<_> = (0..100).map(|_| server.client()).collect();
    for client in &mut clients {
        client.send(&ask("GET", "/livez")).is(200);
    }
}

#[test]
fn e_ops_too_few_descriptors_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("offprint.toml");
    fs::write(&file, "").unwrap();
    let program = env!("CARGO_BIN_EXE_offprint");
    let bundle = folder.path().join("x.zip");
    fs::write(&bundle, "").unwrap();
    for command in [
        format!("{program} serve --config {}", file.display()),
        format!("{program} host --bundle {}", bundle.display()),
    ] {
        let output = Command::new("sh").args(["-c", &format!("ulimit -n 8; exec {command}")]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains("`ulimit -n`"), "{said}");
    }
}

#[test]
fn e_ops_a_folder_has_one_service() {
    let server = Server::start(|_| "[server]\ndata_dir = \"data\"\n".to_owned());
    let file = server.folder.path().join("offprint.toml");
    let second = Command::new(env!("CARGO_BIN_EXE_offprint"))
        .args(["serve", "--config"])
        .arg(&file)
        .env("OFFPRINT_SERVER_LISTEN", "127.0.0.1:0")
        .output()
        .unwrap();
    let said = String::from_utf8(second.stderr).unwrap();
    let folder = server.folder.path().join("data").canonicalize().unwrap();
    assert!(
        second.status.code() == Some(2)
            && said.contains(folder.to_str().unwrap())
            && said.contains("another service uses it"),
        "{said}"
    );
}

#[test]
fn e_ops_kill_loses_no_accepted_job() {
    let mut server = Server::start(|folder| {
        let docs = site(folder);
        format!("[server]\ndata_dir = \"data\"\n\n{}", organization("acme", &folder_source(&docs)))
    });
    let mut ids = Vec::new();
    for round in 0..3_u64 {
        for _ in 0..4 {
            ids.push(
                server
                    .send(
                        &ask("POST", "/v1/static-export/jobs").key(&key("acme")).json("{\"domain\":\"acme.example\"}"),
                    )
                    .is(202)
                    .string("jobId"),
            );
        }
        std::thread::sleep(Duration::from_millis(150 * round));
        server.signal("KILL");
        server = Server::resume(server.into_folder(), "info", &[]);
    }
    for id in ids {
        let job = server.finished("acme", &id);
        assert_eq!(job["status"], "completed", "{job}");
        let link = server
            .send(&ask("POST", format!("/v1/static-export/jobs/{id}/bundle")).key(&key("acme")))
            .is(200)
            .string("bundleUrl");
        server.get_link(&link, &[]).is(200);
    }
}

#[test]
fn e_ops_what_a_killed_service_left_goes_with_the_next_start() {
    let killed = Server::start(|_| String::new());
    let temporary = killed.folder.path().to_owned();
    let living = Server::start_with(
        |folder| organization("acme", &folder_source(&site(folder))),
        "info",
        &[("TMPDIR", temporary.to_str().unwrap())],
    );
    let folder_of = |server: &Server| temporary.join(format!("offprint-serve-{}-0", server.pid));
    let gone = folder_of(&killed);
    assert!(gone.is_dir() && folder_of(&living).is_dir());
    killed.signal("KILL");
    let next = Server::resume(killed.into_folder(), "info", &[]);
    assert!(!gone.exists() && folder_of(&next).is_dir());
    // that of a service that runs is its own
    assert_eq!(living.export("acme")["status"], "completed");
    assert!(folder_of(&living).is_dir());
}

#[test]
fn e_cfg_check_says_what_is_wrong_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("offprint.toml");
    let check = |text: &str| {
        fs::write(&file, text).unwrap();
        let output = offprint(&["serve", "--check", "--config", file.to_str().unwrap()]);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let docs = site(folder.path());
    let (code, said) = check(&organization("acme", &folder_source(&docs)));
    assert!(code == Some(0) && said.contains("1 organization and 1 project"), "{said}");
    let (code, said) = check("[server]\nlistn = \"127.0.0.1:1\"\n");
    assert!(
        code == Some(2) && said.contains("offprint.toml:2:1: unknown field `listn`, expected one of `listen`"),
        "{said}"
    );
    let (code, said) = check("[limits]\njob_seconds = \"x\"\n[git]\nallow_protocols = [\"x\"]");
    assert!(code == Some(2) && said.contains("offprint.toml:2:15"), "{said}");
    let (code, said) = check("[server]\nisolation = \"strict\"");
    assert!(
        code == Some(2) && said.contains("offprint.toml:2:13") && said.contains("`best-effort`, `require`, `off`"),
        "{said}"
    );
    let previews = "[server]\npreview_url = \"https://{slug}.docs.example\"\n";
    for (text, expect) in [
        (
            format!("{previews}public_url = \"https://api.docs.example\""),
            "offprint.toml:2:15: the host of `public_url`",
        ),
        (
            format!("{previews}public_url = \"https://API.Docs.Example.\""),
            "offprint.toml:2:15: the host of `public_url`",
        ),
        ("[server]\npublic_url = \"http://api.localhost\"".to_owned(), "offprint.toml:2:14: the host of `public_url`"),
        (
            organization("acme", &folder_source(&docs)).replace("acme.example", "acme.localhost"),
            "`acme.localhost` is a host of the service itself",
        ),
        (
            format!(
                "{previews}{}",
                organization("acme", &folder_source(&docs)).replace("acme.example", "a.b.docs.example")
            ),
            "`a.b.docs.example` is a host of the service itself",
        ),
        (
            organization("acme", "{ archive_url = \"https://user:secret@files.example/docs.zip\" }"),
            "no user and no password",
        ),
        (
            organization("acme", "{ archive_url = \"http://[::ffff:169.254.169.254]/docs.zip\" }"),
            "nothing is fetched from",
        ),
        (organization("acme", "{ git = \"https://169.254.169.254/docs.git\" }"), "link-local"),
    ] {
        let (code, said) = check(&text);
        assert!(code == Some(2) && said.contains(expect) && !said.contains("secret"), "{text}: {said}");
    }
    let missing = offprint(&["serve", "--check", "--config", "/no/such/offprint.toml"]);
    assert_eq!(missing.status.code(), Some(2));
    assert_eq!(offprint(&["serve", "--check"]).status.code(), Some(2));
}

#[test]
fn e_cfg_check_looks_for_what_is_named_of_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("offprint.toml");
    let check = |text: &str| {
        fs::write(&file, text).unwrap();
        let output = offprint(&["serve", "--check", "--config", file.to_str().unwrap()]);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    fs::write(folder.path().join("plain"), "text").unwrap();
    let plain = folder.path().join("plain").to_str().unwrap().to_owned();
    let git = "[git]\nallow_protocols = [\"file\"]\n";
    for (text, expect) in [
        ("[server]\ndata_dir = \"none/data\"".to_owned(), ":2:12: the folder `"),
        ("[server]\ndata_dir = \"plain\"".to_owned(), "is not a folder"),
        ("[audit]\nlog = \"none/audit.jsonl\"".to_owned(), ":2:7: the folder `"),
        ("[agent]\ncommand = [\"/no/such/agent\"]".to_owned(), ":2:11: the program `/no/such/agent` is not there"),
        ("[agent]\ncommand = [\"no-such-agent\", \"-x\"]".to_owned(), "no folder of `PATH` has a program"),
        (format!("[agent]\ncommand = [{plain:?}]"), "`chmod +x` makes it so"),
        ("[bundles]\nsigning_key = { file = \"none\" }".to_owned(), "cannot be read"),
        ("[bundles]\nminisign_key = { file = \"none\" }".to_owned(), "cannot be read"),
        ("[previews]\naccess = \"basic\"\nreaders = \"none\"".to_owned(), "cannot read the readers"),
        (organization("acme", "{ path = \"none\" }"), "name a documentation folder, or its docs.json"),
        (format!("{git}{}", organization("acme", "{ git = \"none.git\" }")), "the repository `"),
        (
            format!("{git}{}", organization("acme", "{ git = \"file:///no/such.git\" }")),
            "the repository `/no/such.git`",
        ),
    ] {
        let (code, said) = check(&text);
        assert!(code == Some(2) && said.contains("offprint.toml:") && said.contains(expect), "{text}: {said}");
    }
    let (code, said) = check("[server]\ndata_dir = \"data\"\n[agent]\ncommand = [\"sh\", \"-c\", \"true\"]");
    assert_eq!((code, folder.path().join("data").exists()), (Some(0), false), "{said}");
}

#[test]
fn e_cfg_the_example_runs_as_it_is() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/service/offprint.toml");
    let output = offprint(&["serve", "--check", "--config", example]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn e_cfg_key_prints_a_key_and_its_hash() {
    let output = offprint(&["key", "--json"]);
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let key = printed["key"].as_str().unwrap();
    assert!(
        key.len() == 47 && key.starts_with("opk_") && key[4..].bytes().all(|byte| byte.is_ascii_alphanumeric()),
        "{key}"
    );
    assert_eq!(printed["hash"], hash(key).as_str());
    let text = String::from_utf8(offprint(&["key"]).stdout).unwrap();
    assert!(text.starts_with("key   opk_") && text.contains("\nhash  "), "{text}");
    for id in ["a\"b", "", "a b"] {
        let refused = offprint(&["key", "--id", id]);
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "{id}");
    }
}

#[test]
fn docs_are_made_by_the_exporter_itself() {
    let server = shared();
    let page = |path: &str| server.send(&ask("GET", path));
    assert_eq!(page("/docs").is(308).header("location"), Some("/docs/"));
    let front = wait("the pages to be made", || {
        let answer = page("/docs/");
        (answer.status == 200).then_some(answer)
    });
    assert!(front.text().contains("offprint API"));
    let operation = page("/docs/static-export/startExport");
    assert!(operation.is(200).text().contains("/v1/static-export/jobs") && operation.text().contains("domain"));
    page("/docs/no/such/page").is(404);
    // headers name addresses that are there
    assert_eq!(
        (front.header("x-llms-txt"), front.header("link")),
        (
            Some("/docs/llms.txt"),
            Some("</docs/llms.txt>; rel=\"llms-txt\", </docs/llms-full.txt>; rel=\"llms-full-txt\"")
        )
    );
    page("/docs/llms.txt").is(200);
    page("/docs/llms-full.txt").is(200);
    assert_eq!(
        page("/docs/static-export/startExport/").is(308).header("location"),
        Some("/docs/static-export/startExport")
    );
    server.send(&ask("POST", "/docs/")).refuses(405, "method_not_allowed");
}

#[test]
fn e_cfg_the_demo_is_a_service_to_try() {
    let folder = tempfile::tempdir().unwrap();
    let docs = site(folder.path());
    let mut demo = Command::new(env!("CARGO_BIN_EXE_offprint"))
        .args(["serve", "--demo"])
        .arg(&docs)
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(demo.stderr.take().unwrap()).lines();
    let mut after = |start: &str| loop {
        let line = lines.next().expect("the demo tells what to try").unwrap();
        if let Some(value) = line.trim().strip_prefix(start) {
            break value.to_owned();
        }
    };
    let (key, base, configuration) = (after("KEY="), after("BASE=http://127.0.0.1:"), after("The configuration is "));
    // whatever is told later must not fill the pipe
    std::thread::spawn(move || lines.for_each(drop));
    let mut client = crate::service::client::Client::new(base.parse().unwrap());
    let started =
        client.send(&ask("POST", "/v1/static-export/jobs").key(&key).json("{\"domain\":\"docs.demo.example\"}"));
    let id = started.is(202).string("jobId");
    wait("the demo's export", || {
        let job = client.send(&ask("GET", format!("/v1/static-export/jobs/{id}")).key(&key)).is(200).json();
        (job["status"] == "completed").then_some(())
    });
    let configuration = std::path::PathBuf::from(configuration.split(". ").next().unwrap());
    assert!(configuration.is_file());
    assert!(Command::new("kill").args(["-INT", &demo.id().to_string()]).status().unwrap().success());
    assert_eq!(demo.wait().unwrap().code(), Some(0));
    assert!(!configuration.exists());
}

#[cfg(unix)]
#[test]
fn what_the_service_keeps_is_for_its_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let readable = |root: &std::path::Path| -> Vec<String> {
        let all = walkdir::WalkDir::new(root).into_iter().flatten();
        let open = all.filter(|entry| entry.metadata().unwrap().permissions().mode() & 0o077 != 0);
        open.map(|entry| entry.path().display().to_string()).collect()
    };
    let server = Server::start(|folder| {
        let data = folder.join("data");
        // left by an earlier version, or made by hand
        std::fs::create_dir_all(data.join("bundles/ab")).unwrap();
        std::fs::write(data.join("bundles/ab/old.zip"), "PK").unwrap();
        for (path, mode) in [("", 0o755), ("bundles", 0o755), ("bundles/ab", 0o777), ("bundles/ab/old.zip", 0o644)] {
            std::fs::set_permissions(data.join(path), std::fs::Permissions::from_mode(mode)).unwrap();
        }
        format!("[server]\ndata_dir = \"data\"\n\n{}", organization("acme", &folder_source(&site(folder))))
    });
    let data = server.folder.path().join("data");
    assert_eq!(readable(&data), [""; 0], "from the start");
    assert_eq!(server.export("acme")["status"], "completed");
    assert_eq!(readable(&data), [""; 0], "and after work");
    assert!(data.join("store.redb").is_file() && data.join("preview-key").is_file());
}
