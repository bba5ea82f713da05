//! An object store that does not work for a while, in each way that it can: work waits, says why, and is done in the end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::service::bucket::{Bucket, Fault};
use crate::service::client::{Client, ask};
use crate::service::server::{Server, folder_source, key, organization_with, site, split, wait};

const JOBS: &str = "/v1/static-export/jobs";
const PLAN: &str = "static_export = true, preview = true";
const LIMITS: &str = "exports_queued = 0, exports_running = 4, bundle_links_per_minute = 0";

/// A service that keeps its bundles in a bucket.
struct Stored {
    bucket: Bucket,
    server: Server,
    _root: tempfile::TempDir,
}

impl Stored {
    fn start() -> Self {
        let root = tempfile::tempdir().unwrap();
        let bucket = Bucket::start(root.path());
        let variables = bucket.variables();
        let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let configure = |folder: &std::path::Path| {
            let organization = organization_with("acme", PLAN, LIMITS, "", &folder_source(&site(folder)));
            format!("[server]\ndata_dir = \"data\"\n\n[storage]\nurl = \"s3://bundles/of/us\"\n\n{organization}")
        };
        let server = Server::start_with(configure, "info", &variables);
        Self { bucket, server, _root: root }
    }

    fn start_export(&self) -> String {
        let body = json!({"domain": "acme.example"});
        self.server.send(&ask("POST", JOBS).key(&key("acme")).json(body)).is(202).string("jobId")
    }

    fn start_update(&self) -> String {
        let started = self.server.send(&ask("POST", "/v1/project/update/acme-docs").key(&key("acme")));
        started.is(202).string("statusId")
    }

    fn job(&self, id: &str) -> Value {
        self.server.send(&ask("GET", format!("{JOBS}/{id}")).key(&key("acme"))).is(200).json()
    }

    fn update(&self, id: &str) -> Value {
        let status = ask("GET", format!("/v1/project/update-status/{id}")).key(&key("acme"));
        self.server.send(&status).is(200).json()
    }

    /// An export ends with a bundle that is what its digest says.
    fn completes(&self, id: &str) {
        let job = self.server.finished("acme", id);
        assert_eq!((&job["status"], job.get("waiting")), (&json!("completed"), None), "{job}");
        let link = ask("POST", format!("{JOBS}/{id}/bundle")).key(&key("acme"));
        let bundle = self.server.send(&link).is(200).json();
        let (host, target) = split(bundle["bundleUrl"].as_str().unwrap());
        let archive = Client::new(self.bucket.port).send(&ask("GET", target).header("Host", host.as_str()));
        let digest: String = Sha256::digest(&archive.is(200).body).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(bundle["sha256"], digest);
    }
}

/// While something is wrong, nothing fails, the client is told why it waits, and the service is not ready.
fn outage(fault: Fault) {
    let stored = Stored::start();
    let early = stored.start_export();
    stored.completes(&early);
    stored.server.send(&ask("GET", "/readyz")).is(200);
    stored.bucket.set(fault);
    let jobs = [stored.start_export(), stored.start_export()];
    let update = stored.start_update();
    for id in &jobs {
        let said = wait("the job to say why it waits", || {
            let job = stored.job(id);
            assert!(matches!(job["status"].as_str(), Some("queued" | "running")), "{job}");
            job["waiting"].as_str().map(str::to_owned)
        });
        assert!(said.starts_with("waits: ") && said.contains("object storage"), "{said}");
    }
    wait("the deployment to say why it waits", || {
        let status = stored.update(&update);
        assert!(matches!(status["status"].as_str(), Some("queued" | "in_progress")), "{status}");
        status["summary"].as_str().filter(|summary| summary.contains("object storage")).map(drop)
    });
    let refused = wait("readiness to fail", || {
        Some(stored.server.send(&ask("GET", "/readyz"))).filter(|answer| answer.status != 200)
    });
    assert!(refused.refuses(503, "unavailable").text().contains("object storage"), "{}", refused.text());
    stored.server.send(&ask("GET", "/livez")).is(200);
    let metrics = stored.server.send(&ask("GET", "/metrics"));
    assert!(metrics.text().contains("\noffprint_storage_errors_total{operation=\""), "{}", metrics.text());
    stored.bucket.set(Fault::None);
    jobs.iter().for_each(|id| stored.completes(id));
    assert_eq!(stored.server.deployed("acme", &update)["status"], "success");
    assert!(stored.server.send(&ask("GET", "/").header("Host", "acme.example")).is(200).text().contains("Home"));
    wait("the service to be ready", || (stored.server.send(&ask("GET", "/readyz")).status == 200).then_some(()));
}

#[test]
fn a_store_that_refuses_delays_work() {
    outage(Fault::Refuses);
}

#[test]
fn a_store_that_hangs_delays_work() {
    outage(Fault::Hangs);
}

#[test]
fn a_store_that_fails_delays_work() {
    outage(Fault::Fails);
}

#[test]
fn a_store_that_forbids_delays_work() {
    outage(Fault::Forbids);
}

#[test]
fn a_store_that_is_another_server_delays_work() {
    outage(Fault::IsAnother);
}

#[test]
fn a_store_whose_answers_are_lost_delays_work() {
    outage(Fault::Truncates);
}

#[test]
fn a_slow_store_is_used() {
    let stored = Stored::start();
    stored.bucket.set(Fault::IsSlow);
    let (job, update) = (stored.start_export(), stored.start_update());
    stored.completes(&job);
    assert_eq!(stored.server.deployed("acme", &update)["status"], "success");
}

/// Stopping does not wait for a store that says nothing: what was being kept goes on after the next start.
#[test]
fn a_service_stops_while_its_store_hangs() {
    let mut stored = Stored::start();
    stored.completes(&stored.start_export());
    stored.bucket.set(Fault::Hangs);
    let job = stored.start_export();
    wait("it to be tried or to wait", || {
        let job = stored.job(&job);
        (job["status"] == "running" || job.get("waiting").is_some()).then_some(())
    });
    let began = Instant::now();
    stored.server.signal("TERM");
    wait("the service to end", || (!stored.server.is_running()).then_some(()));
    // the contract's longest time, within which the manager of services kills nothing
    assert!(began.elapsed() < Duration::from_secs(30), "it took {:?}", began.elapsed());
    stored.bucket.set(Fault::None);
    stored.server.start_again();
    stored.completes(&job);
}

/// Work comes all the time while the store is away, for as many seconds as `OFFPRINT_OUTAGE` says, in each way.
#[test]
#[expect(clippy::print_stdout, reason = "how it went is worth a line")]
fn an_outage_under_load_fails_and_loses_nothing() {
    let seconds = std::env::var("OFFPRINT_OUTAGE").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(5);
    let stored = Stored::start();
    for fault in [Fault::Refuses, Fault::Hangs, Fault::Fails, Fault::Cuts] {
        let (began, mut jobs, mut updates) = (Instant::now(), Vec::new(), Vec::new());
        stored.bucket.set(fault);
        while began.elapsed() < Duration::from_secs(seconds) {
            jobs.push(stored.start_export());
            updates.push(stored.start_update());
            std::thread::sleep(Duration::from_millis(500));
        }
        stored.bucket.set(Fault::None);
        let healed = Instant::now();
        updates.dedup();
        for id in &jobs {
            assert_eq!(stored.server.finished("acme", id)["status"], "completed");
        }
        for id in &updates {
            assert_eq!(stored.server.deployed("acme", id)["status"], "success");
        }
        let took = healed.elapsed();
        println!(
            "{fault:?} for {seconds} s: {} exports, {} updates, all done {took:?} later",
            jobs.len(),
            updates.len()
        );
    }
}
