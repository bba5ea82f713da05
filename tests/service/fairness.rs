//! One organization's queue is not another's wait (threats S29).

use crate::service::client::ask;
use crate::service::server::{Server, folder_source, key, organization_with, site};

const JOBS: &str = "/v1/static-export/jobs";
/// Jobs that one organization queues.
const MANY: usize = 1_000;

#[test]
fn s29_a_thousand_exports_of_one_organization_do_not_delay_anothers_first() {
    let server = Server::start_with(
        |folder| {
            let source = folder_source(&site(folder));
            let all = "static_export = true";
            let limits = "exports_queued = 0, exports_running = 0";
            organization_with("greedy", all, limits, "", &source)
                + &organization_with("modest", all, limits, "", &source)
        },
        "warn",
        &[],
    );
    let mut client = server.client();
    for _ in 0..MANY {
        client.send(&ask("POST", JOBS).key(&key("greedy")).json("{\"domain\":\"greedy.example\"}")).is(202);
    }
    let mut done = || -> usize {
        let metrics = client.send(&ask("GET", "/metrics"));
        let line = metrics
            .text()
            .lines()
            .find_map(|line| line.strip_prefix("offprint_jobs_total{kind=\"export\",result=\"success\"} "));
        line.map_or(0, |count| count.parse().unwrap())
    };
    let id = server
        .send(&ask("POST", JOBS).key(&key("modest")).json("{\"domain\":\"modest.example\"}"))
        .is(202)
        .string("jobId");
    let before = done();
    assert_eq!(server.finished("modest", &id)["status"], "completed");
    let meanwhile = done() - before;
    // every worker ends what it does, and may do one more before it is the other's turn
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    assert!(meanwhile <= 2 * workers + 1, "{meanwhile} jobs were done meanwhile by {workers} workers");
    assert!(before + meanwhile < MANY, "there was no queue: {before} of {MANY} were done at once");
}
