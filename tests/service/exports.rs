//! Section 6 of the contract.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::service::client::{Answer, ask};
use crate::service::server::{Server, folder_source, key, organization_with, shared, site, wait};

const JOBS: &str = "/v1/static-export/jobs";

fn start(name: &str, body: &str) -> Answer {
    shared().send(&ask("POST", JOBS).key(&key(name)).json(body))
}

fn bundle(name: &str, job: &str) -> Answer {
    shared().send(&ask("POST", format!("{JOBS}/{job}/bundle")).key(&key(name)))
}

#[test]
fn s_exp_1_to_9_from_start_to_archive() {
    let server = shared();
    // S-EXP-1: the answer has the job
    let started = start("exports", "{\"domain\":\"Exports.example\"}");
    let job = started.is(202).json();
    let id = job["jobId"].as_str().unwrap().to_owned();
    assert_eq!(started.header("location"), Some(format!("{JOBS}/{id}").as_str()));
    assert_eq!(
        (job["status"].as_str(), job["progress"].as_f64(), job["pageCount"].as_u64(), &job["error"], &job["version"]),
        (Some("queued"), Some(0.0), Some(0), &Value::Null, &Value::Null)
    );
    assert_eq!(job["domain"], "exports.example");

    // S-EXP-2 to S-EXP-5: it moves forward only, and tells how far it is
    let mut client = server.client();
    let (mut last, mut seen) = ((0, 0.0, 0), BTreeSet::new());
    let done = wait("the export to end", || {
        let answer = client.send(&ask("GET", format!("{JOBS}/{id}")).key(&key("exports")));
        let job = answer.is(200).json();
        let rank = ["queued", "running", "completed"]
            .iter()
            .position(|status| job["status"] == *status)
            .unwrap_or_else(|| panic!("{job}"));
        let now = (rank, job["progress"].as_f64().unwrap(), job["pageCount"].as_u64().unwrap());
        assert!(now.0 >= last.0 && now.1 >= last.1 && now.2 >= last.2, "{last:?} to {now:?}");
        assert_eq!(now.1 == 100.0, rank == 2);
        assert_eq!(answer.header("retry-after").is_some(), rank != 2);
        last = now;
        seen.insert(rank);
        (rank == 2).then_some(job)
    });
    assert_eq!(done["pageCount"], 3);
    assert_eq!(done["version"].as_str().map(str::len), Some(12));

    // S-EXP-6 to S-EXP-8: a link to one archive
    let answer = bundle("exports", &id);
    let body = answer.is(200).json();
    assert_eq!(body["jobId"], id.as_str());
    let archive = server.get_link(body["bundleUrl"].as_str().unwrap(), &[]);
    assert_eq!(archive.is(200).body.len() as u64, body["sizeBytes"].as_u64().unwrap());
    let digest: String = Sha256::digest(&archive.body).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(body["sha256"], digest.as_str());
    let expires = body["expiresAt"].as_str().unwrap();
    assert!(expires.len() == 20 && expires.ends_with('Z'), "{expires}");

    // S-EXP-9: again, as often as one likes
    assert_eq!(bundle("exports", &id).is(200).string("sha256"), digest);
    // E-ARC-1 and S-EXP-7: what is in it
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(archive.body)).unwrap();
    for file in ["index.html", "guides/start.html", "guides/next.html", "404.html", "_offprint/manifest.json"] {
        assert!(zip.by_name(file).is_ok(), "{file} is missing");
    }
    let mut manifest = String::new();
    zip.by_name("_offprint/manifest.json").unwrap().read_to_string(&mut manifest).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    // E-ARC-3
    assert_eq!(
        (manifest["domain"].as_str(), manifest["pageCount"].as_u64(), manifest["deployment"].as_str()),
        (Some("exports.example"), Some(3), Some("cloud"))
    );
    assert_eq!(manifest["version"], done["version"]);
    // S-FEA: the index inside the bundle is there unless somebody says otherwise, a service of elsewhere only if it has
    // an address
    assert_eq!(
        (&manifest["features"]["offlineSearch"], &manifest["features"]["search"]),
        (&Value::Bool(true), &Value::Bool(false))
    );
}

#[test]
fn e_arc_2_equal_sources_give_equal_archives() {
    let server = shared();
    let body = "{\"domain\":\"list.example\",\"version\":\"v2.1_rc-3\",\"paths\":[\"index\",\"guides/start\"]}";
    let digests: Vec<String> = (0..2)
        .map(|_| {
            let id = server.send(&ask("POST", JOBS).key(&key("list")).json(body)).is(202).string("jobId");
            let job = server.finished("list", &id);
            assert_eq!(
                (job["status"].as_str(), job["pageCount"].as_u64(), job["version"].as_str()),
                (Some("completed"), Some(2), Some("v2.1_rc-3")),
                "{job}"
            );
            bundle("list", &id).is(200).string("sha256")
        })
        .collect();
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn s_exp_start_says_what_is_wrong() {
    for body in [
        "{}",
        "{\"domain\":null}",
        "{\"domain\":\"\"}",
        "{\"domain\":\"https://exports.example\"}",
        "{\"domain\":\"exports.example/x\"}",
        "{\"domain\":\"exports.example:80\"}",
        "{\"domain\":\"exports.example.\"}",
        "{\"domain\":\"localhost\"}",
        "{\"domain\":\"127.0.0.1\"}",
        "{\"domain\":\"exports.example\",\"version\":\"a b\"}",
        "{\"domain\":\"exports.example\",\"paths\":[]}",
        "{\"domain\":\"exports.example\",\"paths\":[\"/index\"]}",
        "{\"domain\":\"exports.example\",\"paths\":[\"../index\"]}",
        "{\"domain\":\"exports.example\",\"paths\":[\"index.mdx\"]}",
    ] {
        start("exports", body).refuses(400, "invalid_request");
    }
    // a domain of nobody and one of another are the same
    let (nobody, other) =
        (start("exports", "{\"domain\":\"nobody.example\"}"), start("exports", "{\"domain\":\"globex.example\"}"));
    assert_eq!(nobody.refuses(400, "unknown_domain").clone().without_chance(), other.without_chance());
    let missing = shared()
        .send(&ask("POST", JOBS).key(&key("globex")).json("{\"domain\":\"globex.example\",\"paths\":[\"no/page\"]}"));
    let job = shared().finished("globex", &missing.is(202).string("jobId"));
    assert!(job["status"] == "failed" && job["error"].as_str().is_some_and(|error| error.contains("no/page")), "{job}");
    assert!(
        bundle("globex", job["jobId"].as_str().unwrap()).refuses(409, "not_completed").text().contains("has failed")
    );
    // no path is a pattern, and it is named as it was written
    let pattern = shared()
        .send(&ask("POST", JOBS).key(&key("globex")).json("{\"domain\":\"globex.example\",\"paths\":[\"**\"]}"));
    assert_eq!(shared().finished("globex", &pattern.is(202).string("jobId"))["error"], "`**` is not a page");
}

#[test]
fn e_can_cancel_ends_a_job() {
    // a queue that nothing leaves: the only worker's job takes longer than the test
    let server = Server::start(|folder| {
        let docs = site(folder);
        for number in 0..3000 {
            std::fs::write(
                docs.join(format!("page-{number}.mdx")),
                format!("---\ntitle: Page {number}\n---\n\n{}\n", "Some words. ".repeat(400)),
            )
            .unwrap();
        }
        let pages: Vec<String> = (0..3000).map(|number| format!("\"page-{number}\"")).collect();
        let config = format!(
            "{{\"theme\": \"mint\", \"name\": \"Test\", \"colors\": {{\"primary\": \"#123456\"}}, \"navigation\": {{\"pages\": [{}]}}}}",
            pages.join(",")
        );
        std::fs::write(docs.join("docs.json"), config).unwrap();
        organization_with(
            "acme",
            "static_export = true",
            "exports_running = 1, exports_queued = 2",
            "",
            &folder_source(&docs),
        )
    });
    let send = |method: &str, path: &str| {
        server.send(&ask(method, format!("{JOBS}{path}")).key(&key("acme")).json("{\"domain\":\"acme.example\"}"))
    };
    let first = send("POST", "").is(202).string("jobId");
    wait("the first job to run", || (send("GET", &format!("/{first}")).json()["status"] == "running").then_some(()));
    let (second, third) = (send("POST", "").is(202).string("jobId"), send("POST", "").is(202).string("jobId"));
    // E-EXP-19: one runs, two wait, the next one is too many
    assert!(send("POST", "").refuses(429, "queue_full").header("retry-after").is_some());
    // E-SSE: twenty streams of one organization, and no more
    let open: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
            stream
                .write_all(
                    format!(
                        "GET {JOBS}/{first}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\r\n",
                        key("acme")
                    )
                    .as_bytes(),
                )
                .unwrap();
            let mut line = [0; 15];
            stream.read_exact(&mut line).unwrap();
            assert_eq!(&line, b"HTTP/1.1 200 OK");
            stream
        })
        .collect();
    assert!(send("GET", &format!("/{first}/events")).refuses(429, "rate_limited").header("retry-after").is_some());
    drop(open);
    wait("the places of streams to be free", || {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
            .write_all(
                format!(
                    "GET {JOBS}/{second}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\r\n",
                    key("acme")
                )
                .as_bytes(),
            )
            .unwrap();
        let mut line = [0; 12];
        stream.read_exact(&mut line).unwrap();
        (&line == b"HTTP/1.1 200").then_some(())
    });
    for id in [&second, &first] {
        let canceled = send("DELETE", &format!("/{id}")).is(200).json();
        assert_eq!((canceled["status"].as_str(), canceled["error"].as_str()), (Some("failed"), Some("canceled")));
        assert_eq!(send("DELETE", &format!("/{id}")).is(200).json(), canceled);
        assert_eq!(send("GET", &format!("/{id}")).is(200).json(), canceled);
        assert!(send("POST", &format!("/{id}/bundle")).refuses(409, "not_completed").text().contains("was canceled"));
    }
    assert_eq!(send("GET", "?status=failed&limit=1").json()["jobs"][0]["jobId"], second.as_str());
    send("DELETE", &format!("/{third}")).is(200);
}

#[test]
fn e_can_a_completed_job_cannot_be_canceled() {
    let job = shared().export("globex");
    shared()
        .send(&ask("DELETE", format!("{JOBS}/{}", job["jobId"].as_str().unwrap())).key(&key("globex")))
        .refuses(409, "conflict");
}

#[test]
fn e_lst_lists_are_of_one_organization_newest_first() {
    let server = shared();
    let list = |query: &str| server.send(&ask("GET", format!("{JOBS}{query}")).key(&key("initech")));
    let ids: Vec<String> = (0..5)
        .map(|_| {
            server
                .send(&ask("POST", JOBS).key(&key("initech")).json("{\"domain\":\"initech.example\"}"))
                .is(202)
                .string("jobId")
        })
        .collect();
    let of = |answer: &Answer| -> Vec<String> {
        answer.is(200).json()["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|job| job["jobId"].as_str().unwrap().to_owned())
            .collect()
    };
    let newest: Vec<String> = ids.iter().rev().cloned().collect();
    assert_eq!(of(&list("")), newest);
    assert_eq!(of(&list("?domain=INITECH.example&limit=100")), newest);
    assert_eq!(of(&list("?domain=other.example")), [""; 0]);
    let (mut found, mut query) = (Vec::new(), "?limit=2".to_owned());
    loop {
        let page = list(&query);
        found.extend(of(&page));
        match page.json()["nextCursor"].as_str() {
            Some(cursor) => query = format!("?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(found, newest);
    for bad in [
        "?limit=0",
        "?limit=101",
        "?limit=x",
        "?status=done",
        "?cursor=",
        "?cursor=nonsense",
        "?domain=",
        "?limit=1&limit=2",
        "?domain=%ff",
    ] {
        list(bad).refuses(400, "invalid_request");
    }
    // a cursor of another organization is unknown
    let other = server.send(&ask("GET", format!("{JOBS}?cursor={}", newest[1])).key(&key("globex")));
    other.refuses(400, "invalid_request");
    ids.iter().for_each(|id| drop(server.finished("initech", id)));
}

#[test]
fn e_sse_a_job_can_be_followed() {
    let server = shared();
    let id = server
        .send(&ask("POST", JOBS).key(&key("events")).json("{\"domain\":\"events.example\"}"))
        .is(202)
        .string("jobId");
    let follow = |last: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let head = format!(
            "GET {JOBS}/{id}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n{last}Connection: close\r\n\r\n",
            key("events")
        );
        stream.write_all(head.as_bytes()).unwrap();
        let lines: Vec<String> = BufReader::new(stream).lines().map_while(Result::ok).collect();
        assert!(lines.iter().any(|line| line.eq_ignore_ascii_case("content-type: text/event-stream")), "{lines:#?}");
        assert!(lines.iter().any(|line| line.eq_ignore_ascii_case("cache-control: no-store")), "{lines:#?}");
        let values =
            |name: &str| lines.iter().filter_map(|line| line.strip_prefix(name)).map(str::to_owned).collect::<Vec<_>>();
        (values("id: "), values("event: "), values("data: "))
    };
    let (ids, events, data) = follow("");
    let numbers: Vec<u64> = ids.iter().map(|id| id.parse().unwrap()).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert_eq!(events.last().map(String::as_str), Some("completed"));
    assert!(events[..events.len() - 1].iter().all(|event| event == "progress"));
    let last: Value = serde_json::from_str(data.last().unwrap()).unwrap();
    assert_eq!(last, server.finished("events", &id));
    // on a job that is over the first event is the last
    let (ids, events, _) = follow("Last-Event-ID: 41\r\n");
    assert_eq!((ids, events), (vec!["42".to_owned()], vec!["completed".to_owned()]));
    server.send(&ask("HEAD", format!("{JOBS}/{id}/events")).key(&key("events"))).is(200);
}
