//! The program is killed again and again while clients keep it busy: what it has accepted is there afterwards, once,
//! and whole. `OFFPRINT_KILLS` sets how often (20).

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::service::client::{Client, ask};
use crate::service::server::{Server, folder_source, key, organization_with, site};

/// Between two starts of one client: about as many as two cores can do.
const PACE: Duration = Duration::from_millis(250);
const CLIENTS: usize = 2;
/// Longest wait for what was accepted to end, for each job.
const PATIENCE: Duration = Duration::from_secs(5);

/// What clients know, whatever becomes of the service.
#[derive(Default)]
struct Known {
    /// The job of each idempotency key that was answered.
    jobs: Mutex<BTreeMap<String, String>>,
    /// The last that was seen of each job.
    seen: Mutex<BTreeMap<String, Value>>,
    port: AtomicU16,
    is_over: AtomicBool,
}

impl Known {
    /// A request to the service, if there is one now.
    async fn send(
        &self,
        client: &reqwest::Client,
        method: reqwest::Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Option<(u16, Value)> {
        let url = format!("http://127.0.0.1:{}{path}", self.port.load(Ordering::Relaxed));
        let mut request = client.request(method, url).bearer_auth(key("acme"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.header("Content-Type", "application/json").body(body.to_string());
        }
        let answer = request.send().await.ok()?;
        let status = answer.status().as_u16();
        let bytes = answer.bytes().await.ok()?;
        Some((status, serde_json::from_slice(&bytes).expect("every answer is JSON")))
    }

    /// Starts jobs, each under a key of its own until it is accepted.
    async fn start_jobs(self: Arc<Self>, name: usize) {
        offprint::base::tls::install_provider();
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(20)).build().unwrap();
        for n in 0.. {
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            let (once, body) =
                (format!("{name}-{n}"), json!({"domain": "acme.example", "version": format!("v{name}-{n}")}));
            let id = loop {
                match self
                    .send(
                        &client,
                        reqwest::Method::POST,
                        "/v1/static-export/jobs",
                        &[("Idempotency-Key", &once)],
                        Some(&body),
                    )
                    .await
                {
                    Some((202, job)) => break job["jobId"].as_str().unwrap().to_owned(),
                    // its first request is in progress, or the service stops
                    Some((409 | 503, _)) | None => tokio::time::sleep(Duration::from_millis(50)).await,
                    Some(other) => panic!("{other:?}"),
                }
            };
            self.jobs.lock().unwrap().insert(once, id);
            tokio::time::sleep(PACE).await;
        }
    }

    /// Looks at jobs: nothing goes back, and nothing that has ended changes.
    async fn look_at_jobs(self: Arc<Self>) {
        offprint::base::tls::install_provider();
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(20)).build().unwrap();
        while !self.is_over.load(Ordering::Relaxed) {
            let ids: Vec<String> = self.jobs.lock().unwrap().values().cloned().collect();
            for id in ids {
                let is_over = self.seen.lock().unwrap().get(&id).is_some_and(|job| job["status"] == "completed");
                if !is_over
                    && let Some((status, job)) = self
                        .send(&client, reqwest::Method::GET, &format!("/v1/static-export/jobs/{id}"), &[], None)
                        .await
                {
                    assert_eq!(status, 200, "an accepted job is lost: {job}");
                    self.see(&id, job);
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn see(&self, id: &str, job: Value) {
        let rank = |job: &Value| {
            ["queued", "running", "completed"]
                .iter()
                .position(|status| job["status"] == *status)
                .unwrap_or_else(|| panic!("{job}"))
        };
        let mut seen = self.seen.lock().unwrap();
        if let Some(last) = seen.get(id) {
            let number = |job: &Value, name: &str| job[name].as_u64().unwrap_or_else(|| panic!("{job}"));
            assert!(rank(last) <= rank(&job), "{last} became {job}");
            for name in ["progress", "pageCount"] {
                assert!(number(last, name) <= number(&job, name), "{last} became {job}");
            }
            assert!(last["status"] != "completed" || *last == job, "ended twice: {last} became {job}");
        }
        seen.insert(id.to_owned(), job);
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "how it went is worth a line")]
fn nothing_that_was_accepted_is_lost_or_done_twice_by_kills() {
    let rounds: u32 = std::env::var("OFFPRINT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(20);
    let mut chance = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    println!("seed {chance}");
    let mut server = Server::start_with(
        |folder| {
            let limits = "exports_queued = 0, exports_running = 0, keep_last = 1000000, bundle_links_per_minute = 0";
            let acme = organization_with("acme", "static_export = true", limits, "", &folder_source(&site(folder)));
            format!("[server]\ndata_dir = \"data\"\n\n{acme}")
        },
        "warn",
        &[],
    );
    let known = Arc::new(Known::default());
    known.port.store(server.port, Ordering::Relaxed);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut clients: Vec<_> = (0..CLIENTS).map(|name| runtime.spawn(Arc::clone(&known).start_jobs(name))).collect();
    clients.push(runtime.spawn(Arc::clone(&known).look_at_jobs()));
    let began = Instant::now();
    for _ in 0..rounds {
        // xorshift: any moment from the first request to well into several jobs
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        std::thread::sleep(Duration::from_millis(chance % 1500));
        server.signal("KILL");
        server = Server::resume(server.into_folder(), "warn", &[]);
        known.port.store(server.port, Ordering::Relaxed);
        assert!(clients.iter().all(|client| !client.is_finished()), "a client has seen what must not be");
    }
    // while the clients get their last answers, the service stays
    known.is_over.store(true, Ordering::Relaxed);
    for client in clients {
        runtime.block_on(client).unwrap();
    }
    let jobs = known.jobs.lock().unwrap().clone();
    println!("{rounds} kills in {:?}, {} jobs accepted", began.elapsed(), jobs.len());
    check(&server, &known, &jobs);
}

/// What is there in the end: every accepted job once, completed, with a whole bundle.
fn check(server: &Server, known: &Known, jobs: &BTreeMap<String, String>) {
    let (mut client, key) = (server.client(), key("acme"));
    let mut look = |id: &str| client.send(&ask("GET", format!("/v1/static-export/jobs/{id}")).key(&key)).is(200).json();
    let until = Instant::now() + Duration::from_secs(60) + PATIENCE * u32::try_from(jobs.len()).unwrap();
    for id in jobs.values() {
        loop {
            let job = look(id);
            known.see(id, job.clone());
            if job["status"] == "completed" {
                break;
            }
            assert!(Instant::now() < until, "an accepted job does not end: {job}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }
    let mut listed = listed(&mut server.client(), &key);
    let mut expected: Vec<String> = jobs.values().cloned().collect();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected, "one job for each key, and no other");
    for id in jobs.values() {
        let bundle = server.send(&ask("POST", format!("/v1/static-export/jobs/{id}/bundle")).key(&key)).is(200).json();
        let archive = server.get_link(bundle["bundleUrl"].as_str().unwrap(), &[]).is(200).body.clone();
        let digest: String = Sha256::digest(&archive).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            (bundle["sha256"].as_str(), bundle["sizeBytes"].as_u64()),
            (Some(digest.as_str()), Some(archive.len() as u64))
        );
        let mut archive = zip::ZipArchive::new(Cursor::new(archive)).expect("a bundle is a whole archive");
        for at in 0..archive.len() {
            // to its end: then its checksum is right
            archive.by_index(at).unwrap().read_to_end(&mut Vec::new()).unwrap();
        }
    }
}

/// The ids of all jobs.
fn listed(client: &mut Client, key: &str) -> Vec<String> {
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let page =
            client.send(&ask("GET", format!("/v1/static-export/jobs?limit=100{cursor}")).key(key)).is(200).json();
        ids.extend(page["jobs"].as_array().unwrap().iter().map(|job| job["jobId"].as_str().unwrap().to_owned()));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return ids,
        }
    }
}
