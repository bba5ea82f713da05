//! Traces: what a collector of OpenTelemetry receives of requests and jobs, and that it holds up nothing.
//!
//! They are part of a program that is built with the feature `opentelemetry`; one without says that it has none.

use crate::service::server::{Server, git_source, organization, repository};

fn server(endpoint: &str) -> Server {
    let configure = |folder: &std::path::Path| {
        let docs = repository(&folder.join("git"));
        format!(
            "[server]\ndata_dir = \"data\"\n\n[git]\nallow_protocols = [\"file\"]\n\n{}",
            organization("acme", &git_source(&docs))
        )
    };
    let variables = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint),
        ("OTEL_SERVICE_NAME", "docs-exporter"),
        // what arrives has been sent at the end
        ("OTEL_BSP_SCHEDULE_DELAY", "600000"),
    ];
    Server::start_with(configure, "info", &variables)
}

#[cfg(not(feature = "opentelemetry"))]
#[test]
fn a_program_without_traces_says_so_once() {
    let server = server("http://127.0.0.1:9");
    assert_eq!(server.export("acme")["status"], "completed");
    let log = server.log();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("OTEL_EXPORTER_OTLP_ENDPOINT")).collect();
    assert!(lines.len() == 1 && lines[0].contains("built without the feature `opentelemetry`"), "{log}");
    assert!(lines[0].contains("\"WARN\""), "{log}");
}

#[cfg(feature = "opentelemetry")]
mod recorded {
    use std::net::TcpListener;
    use std::process::Command;
    use std::sync::{Arc, Mutex};

    use axum::body::Bytes;
    use axum::http::HeaderMap;
    use axum::routing::post;
    use serde_json::json;

    use super::*;
    use crate::service::client::ask;
    use crate::service::server::{key, program, wait};
    use crate::service::webhooks::{Receiver, configured};

    const JOBS: &str = "/v1/static-export/jobs";
    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const PARENT: &str = "b7ad6b7169203331";

    /// A collector: takes what is posted to where the protocol says.
    struct Collector {
        address: String,
        bodies: Arc<Mutex<Vec<Bytes>>>,
        _runtime: tokio::runtime::Runtime,
    }

    impl Collector {
        fn start() -> Self {
            let bodies = Arc::new(Mutex::new(Vec::new()));
            let received = Arc::clone(&bodies);
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
            let address = format!("http://{}", listener.local_addr().unwrap());
            let take = move |headers: HeaderMap, body: Bytes| async move {
                assert_eq!(headers["content-type"], "application/x-protobuf");
                received.lock().unwrap().push(body);
            };
            let router = axum::Router::new().route("/v1/traces", post(take));
            runtime.spawn(async move { axum::serve(listener, router).await });
            Self { address, bodies, _runtime: runtime }
        }

        fn bodies(&self) -> Vec<Bytes> {
            self.bodies.lock().unwrap().clone()
        }
    }

    /// The fields of a message of protobuf that have a length: numbers and bytes.
    fn fields(mut message: &[u8]) -> Vec<(u64, &[u8])> {
        fn number(message: &mut &[u8]) -> u64 {
            let (mut value, mut shift) = (0, 0);
            loop {
                let byte = message[0];
                *message = &message[1..];
                value |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    return value;
                }
            }
        }
        let mut out = Vec::new();
        while !message.is_empty() {
            let tag = number(&mut message);
            let length = match tag & 7 {
                0 => {
                    number(&mut message);
                    continue;
                }
                1 => 8,
                2 => number(&mut message) as usize,
                5 => 4,
                other => panic!("wire type {other}"),
            };
            let (value, rest) = message.split_at(length);
            if tag & 7 == 2 {
                out.push((tag >> 3, value));
            }
            message = rest;
        }
        out
    }

    fn within<'a>(messages: impl IntoIterator<Item = &'a [u8]>, field: u64) -> Vec<&'a [u8]> {
        let all = messages.into_iter().flat_map(fields);
        all.filter(|(number, _)| *number == field).map(|(_, value)| value).collect()
    }

    #[derive(Debug)]
    struct Span {
        name: String,
        trace: String,
        id: String,
        parent: String,
        /// The traces that it has links to.
        links: Vec<String>,
        text: String,
    }

    /// The spans of requests of `opentelemetry.proto.collector.trace.v1`.
    fn spans(bodies: &[Bytes]) -> Vec<Span> {
        let scopes = within(within(bodies.iter().map(|body| &body[..]), 1), 2);
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let span = |message: &[u8]| {
            let field = |number| within([message], number).first().copied().unwrap_or_default().to_vec();
            Span {
                name: String::from_utf8(field(5)).unwrap(),
                trace: hex(&field(1)),
                id: hex(&field(2)),
                parent: hex(&field(4)),
                links: within(within([message], 13), 1).into_iter().map(hex).collect(),
                text: String::from_utf8_lossy(message).into_owned(),
            }
        };
        within(scopes, 2).into_iter().map(span).collect()
    }

    #[test]
    fn requests_and_jobs_are_spans() {
        let collector = Collector::start();
        let server = server(&collector.address);
        let start = ask("POST", JOBS).key(&key("acme")).json(json!({"domain": "acme.example"}));
        let start = start.header("traceparent", format!("00-{TRACE}-{PARENT}-01"));
        let job = server.send(&start).is(202).string("jobId");
        assert_eq!(server.finished("acme", &job)["status"], "completed");
        assert_eq!(collector.bodies().len(), 0, "the end sends what is left");
        server.signal("TERM");
        let log = std::fs::read_to_string(server.into_folder().path().join("log")).unwrap();
        assert!(!log.contains("traces"), "{log}");

        let bodies = collector.bodies();
        let text: String = bodies.iter().map(|body| String::from_utf8_lossy(body)).collect();
        assert!(text.contains("docs-exporter") && !text.contains(&key("acme")));
        let spans = spans(&bodies);
        let find = |name: &str| spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{spans:#?}"));

        let request = find(&format!("POST {JOBS}"));
        assert_eq!((request.trace.as_str(), request.parent.as_str()), (TRACE, PARENT));
        for part in ["http.route", "http.response.status_code", "acme", &job] {
            assert!(request.text.contains(part), "{part}: {request:#?}");
        }
        // the route, not the path
        assert!(find(&format!("GET {JOBS}/{{jobId}}")).parent.is_empty());

        let work = find("job export");
        assert!(work.parent.is_empty() && work.trace != TRACE, "{work:#?}");
        assert_eq!(work.links, [TRACE], "it leads to the request");
        for part in ["acme", "success", &job] {
            assert!(work.text.contains(part), "{part}: {work:#?}");
        }
        for stage in ["fetch", "render"] {
            let stage = find(stage);
            assert_eq!((&stage.trace, &stage.parent), (&work.trace, &work.id), "{stage:#?}");
        }
    }

    #[test]
    fn each_try_of_a_webhook_is_a_span() {
        let (collector, receiver) = (Collector::start(), Receiver::start(&["500 Internal Server Error", "200 OK"]));
        let (tables, webhook) = configured(&receiver, "first_retry_seconds = 1", "");
        let acme = organization("acme", "{ path = \"/nothing\" }");
        let (before, projects) = acme.split_at_checked(acme.find("[[projects]]").unwrap()).unwrap();
        let configuration = format!("{tables}{before}{webhook}{projects}");
        let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", &*collector.address), ("OTEL_BSP_SCHEDULE_DELAY", "600000")];
        let server = Server::start_with(|_| configuration, "info", &variables);
        assert_eq!(server.export("acme")["status"], "failed");
        wait("both tries", || (receiver.messages().len() == 2).then_some(()));
        wait("the end of the second one", || server.log().contains("\"delivered\"").then_some(()));
        server.signal("TERM");
        drop(server.into_folder());
        let bodies = collector.bodies();
        let mut tries = spans(&bodies);
        tries.retain(|span| span.name == "webhook");
        let holds = |span: &Span, parts: &[&str]| parts.iter().all(|part| span.text.contains(part));
        assert_eq!(tries.len(), 2, "{tries:#?}");
        assert!(holds(&tries[0], &["acme", "ci", "retried"]) && holds(&tries[1], &["delivered"]), "{tries:#?}");
        assert!(!tries.iter().any(|span| holds(span, &["hidden"])), "no query: {tries:#?}");
    }

    #[test]
    fn a_collector_that_does_not_answer_holds_up_nothing() {
        // it accepts, and says nothing
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = server(&format!("http://{}", silent.local_addr().unwrap()));
        for _ in 0..3 {
            assert_eq!(server.export("acme")["status"], "completed");
        }
        server.signal("TERM");
        let log = std::fs::read_to_string(server.into_folder().path().join("log")).unwrap();
        assert!(log.contains("the last traces were not received"), "{log}");
    }

    #[test]
    fn the_log_says_once_that_traces_are_lost() {
        let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let variables =
            [("OTEL_EXPORTER_OTLP_ENDPOINT", &*format!("http://{gone}")), ("OTEL_BSP_SCHEDULE_DELAY", "50")];
        let server = Server::start_with(|_| organization("acme", "{ path = \"/nothing\" }"), "info", &variables);
        let lost = || server.log().matches("traces are not received").count();
        wait("the log to say so", || {
            server.send(&ask("GET", "/livez")).is(200);
            (lost() > 0).then_some(())
        });
        for _ in 0..5 {
            server.send(&ask("GET", "/livez")).is(200);
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        assert_eq!(lost(), 1, "{}", server.log());
    }

    #[test]
    fn an_address_that_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("offprint.toml"), organization("acme", "{ path = \"/nothing\" }")).unwrap();
        let output = Command::new(program())
            .args(["serve", "--config", "offprint.toml"])
            .current_dir(folder.path())
            .env("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("OTEL_EXPORTER_OTLP_ENDPOINT"), "{said}");
    }
}
