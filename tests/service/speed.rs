//! How fast a status is told, beside the least that the same library can do, and what it costs beside `/livez`. Run by hand, with an optimized program:
//! `OFFPRINT_PROGRAM=… cargo test --test all service::speed -- --ignored --nocapture`. Needs `wrk`.

use std::net::SocketAddr;
use std::process::Command;

use crate::service::server::{Server, folder_source, key, organization, site};

/// Requests a second of eight connections, for five seconds.
fn wrk(url: &str, headers: &[String]) -> f64 {
    let mut command = Command::new("wrk");
    command.args(["-t1", "-c32", "-d5s"]);
    for header in headers {
        command.args(["-H", header]);
    }
    let output = command.arg(url).output().expect("wrk is installed");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("Non-2xx"), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix("Requests/sec:")).unwrap_or_else(|| panic!("{text}"));
    line.trim().parse().unwrap()
}

/// Seconds of a core that a process has used.
fn processor_seconds(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    // hundredths of a second, on all machines that these tests know
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

/// Requests a second, and what each costs, microseconds of a core: the latter depends little on what else the machine
/// does.
pub(crate) fn rate_and_cost(server: &Server, path: &str, headers: &[String]) -> (f64, f64) {
    let before = processor_seconds(server.pid);
    let rate = wrk(&format!("http://127.0.0.1:{}{path}", server.port), headers);
    (rate, (processor_seconds(server.pid) - before) / (rate * 5.0) * 1e6)
}

/// A server that says hello and does nothing else.
fn hello() -> SocketAddr {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            sender.send(listener.local_addr().unwrap()).unwrap();
            let router = axum::Router::new().route("/", axum::routing::get(async || "hello"));
            axum::serve(listener, router).await.unwrap();
        });
    });
    receiver.recv().unwrap()
}

#[test]
#[ignore = "a measurement: it needs wrk and a quiet machine"]
#[expect(clippy::print_stdout, reason = "it is what it is for")]
fn speed_of_a_status() {
    for data_dir in ["", "[server]\ndata_dir = \"data\"\n\n"] {
        let server = Server::start_with(
            |folder| {
                let docs = site(folder);
                format!("{data_dir}{}", organization("acme", &folder_source(&docs)))
            },
            "warn",
            &[],
        );
        let job = server.export("acme")["jobId"].as_str().unwrap().to_owned();
        let bearer = [format!("Authorization: Bearer {}", key("acme"))];
        let (status, cost) = rate_and_cost(&server, &format!("/v1/static-export/jobs/{job}"), &bearer);
        let (_, least) = rate_and_cost(&server, "/livez", &bearer);
        let bare = wrk(&format!("http://{}/", hello()), &[]);
        let kind = if data_dir.is_empty() { "memory" } else { "durable" };
        println!("{kind}: {status:.0} status requests a second; a bare hello {bare:.0}; ratio {:.2}", status / bare);
        println!("{kind}: {cost:.1} µs of a core for a status, {least:.1} for /livez; ratio {:.2}", least / cost);
    }
}
