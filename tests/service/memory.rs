//! Memory over many jobs: what is remembered of a job is on the disk. `OFFPRINT_JOBS` sets how many there are (60).

use std::collections::VecDeque;
use std::time::Instant;

use serde_json::json;

use crate::service::client::ask;
use crate::service::server::{Server, folder_source, key, organization_with, site, wait};

/// Jobs under way at the same time.
const AT_ONCE: usize = 8;
/// Growth that is allowed after the first third, kB: caches fill.
const GROWTH_KB: u64 = 24 << 10;

#[test]
#[expect(clippy::print_stdout, reason = "how it went is worth a line")]
fn memory_stays_flat() {
    let jobs: usize = std::env::var("OFFPRINT_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(60);
    let server = Server::start_with(
        |folder| {
            let limits = "exports_queued = 0, exports_running = 0, keep_last = 3, retention_seconds = 60";
            format!(
                "[server]\ndata_dir = \"data\"\n\n{}",
                organization_with("acme", "static_export = true", limits, "", &folder_source(&site(folder)))
            )
        },
        "warn",
        &[],
    );
    let (key, began) = (key("acme"), Instant::now());
    let (mut client, mut under_way, mut early) = (server.client(), VecDeque::new(), 0);
    for n in 0..jobs {
        let body = json!({"domain": "acme.example", "version": format!("v{}", n % 100)});
        let started = client.send(&ask("POST", "/v1/static-export/jobs").key(&key).json(&body)).is(202).string("jobId");
        under_way.push_back(started);
        if under_way.len() == AT_ONCE
            && let Some(first) = under_way.pop_front()
        {
            assert_eq!(server.finished("acme", &first)["status"], "completed");
        }
        if n == jobs / 3 {
            early = resident_kb(&server);
        }
    }
    for job in under_way {
        assert_eq!(server.finished("acme", &job)["status"], "completed");
    }
    let late = resident_kb(&server);
    println!("{jobs} jobs in {:?}: {early} kB after a third, {late} kB in the end", began.elapsed());
    assert!(late <= early + GROWTH_KB, "{early} kB became {late} kB over {jobs} jobs");
}

/// Memory that the service holds itself, without its children.
fn resident_kb(server: &Server) -> u64 {
    wait("its status", || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid)).ok()?;
        status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().trim_end_matches(" kB").parse().ok()
    })
}
