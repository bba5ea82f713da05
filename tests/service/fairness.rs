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

/// Pages of a site whose export outlasts several of a small one.
const LARGE_PAGES: usize = 3_000;

#[test]
fn s29_long_exports_of_one_organization_do_not_delay_anothers_first() {
    let server = Server::start_with(
        |folder| {
            let small = folder_source(&site(folder));
            let large = site(&folder.join("large"));
            let names: Vec<String> = (0..LARGE_PAGES).map(|number| format!("\"many/page-{number}\"")).collect();
            let config = r##"{"theme": "mint", "name": "Large", "colors": {"primary": "#123456"}, "navigation": {"pages": [PAGES]}}"##;
            std::fs::write(large.join("docs.json"), config.replace("PAGES", &names.join(", "))).unwrap();
            std::fs::create_dir(large.join("many")).unwrap();
            for number in 0..LARGE_PAGES {
                let page = format!(
                    "---\ntitle: Page {number}\n---\n\n{}\n",
                    "A paragraph of text with `code` in it.\n\n".repeat(600)
                );
                std::fs::write(large.join(format!("many/page-{number}.mdx")), page).unwrap();
            }
            let all = "static_export = true";
            "[server]\nworkers = 2\n\n".to_owned()
                + &organization_with("greedy", all, "", "", &folder_source(&large))
                + &organization_with("modest", all, "", "", &small)
                + &organization_with("third", all, "", "", &small)
        },
        "warn",
        &[],
    );
    let start = |name: &str| {
        let start = ask("POST", JOBS).key(&key(name)).json(format!("{{\"domain\":\"{name}.example\"}}"));
        server.send(&start).is(202).string("jobId")
    };
    let status =
        |name: &str, id: &str| server.send(&ask("GET", format!("{JOBS}/{id}")).key(&key(name))).string("status");
    let long = [start("greedy"), start("greedy")];
    crate::service::server::wait("both workers to be busy", || {
        long.iter().all(|id| status("greedy", id) == "running").then_some(())
    });
    let short = ["modest", "third", "modest", "third"].map(|name| (name, start(name)));
    for (name, id) in &short {
        assert_eq!(server.finished(name, id)["status"], "completed");
    }
    let left = long.map(|id| status("greedy", &id));
    assert!(left.iter().any(|status| status == "running"), "they waited for the long ones: {left:?}");
}
