//! A process that is killed, or held up, between taking an idempotency key and storing the answer under it: the same
//! request is answered by another one soon, and has one effect.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::service::client::{Answer, ask};
use crate::service::cluster::Cluster;
use crate::service::server::{Server, key, wait};

const JOBS: &str = "/v1/static-export/jobs";
/// How soon a client is told what has become of its request, however its process has ended.
const SOON: Duration = Duration::from_secs(5);

/// A way to the database on which nothing gets through any more once a text is on its way there. The database learns
/// that the process at this end is gone, as it does of any process that is killed.
struct Trap {
    port: u16,
    is_sprung: Arc<AtomicBool>,
    /// What is connected from now on gets through; what was caught does not.
    is_open: Arc<AtomicBool>,
}

impl Trap {
    fn set(to: u16, text: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let trap = Self { port, is_sprung: Arc::default(), is_open: Arc::default() };
        let (is_sprung, is_open) = (Arc::clone(&trap.is_sprung), Arc::clone(&trap.is_open));
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", to)) else { continue };
                let is_sprung = if is_open.load(Ordering::Relaxed) { Arc::default() } else { Arc::clone(&is_sprung) };
                let text = if is_open.load(Ordering::Relaxed) { "" } else { text };
                let ways = [(client.try_clone(), server.try_clone(), text), (Ok(server), Ok(client), "")];
                for (from, into, text) in ways {
                    let (from, into, is_sprung) = (from.unwrap(), into.unwrap(), Arc::clone(&is_sprung));
                    std::thread::spawn(move || pass(from, into, text.as_bytes(), &is_sprung));
                }
            }
        });
        trap
    }
}

fn pass(mut from: TcpStream, mut into: TcpStream, text: &[u8], is_sprung: &AtomicBool) {
    let mut piece = [0; 64 << 10];
    while let Ok(length @ 1..) = from.read(&mut piece) {
        let piece = &piece[..length];
        if !text.is_empty() && piece.windows(text.len()).any(|found| found == text) {
            is_sprung.store(true, Ordering::Relaxed);
        }
        if !is_sprung.load(Ordering::Relaxed) && into.write_all(piece).is_err() {
            break;
        }
    }
    let _ = into.shutdown(Shutdown::Both);
}

/// Sends a request under a key, until a process says what has become of it; how long that takes.
fn answered(node: &Server, path: &str, body: &Value) -> (Answer, Duration) {
    let begun = Instant::now();
    let answer = wait("an answer", || {
        let answer = node.send(&ask("POST", path).key(&key("acme")).header("Idempotency-Key", "once").json(body));
        if answer.status == 409 {
            answer.refuses(409, "conflict");
            assert!(answer.header("retry-after").is_some(), "{answer:?}");
            return None;
        }
        Some(answer)
    });
    (answer, begun.elapsed())
}

/// Sends the request over a connection of its own; what comes back, which may be nothing.
fn send_aside(port: u16, body: &Value) -> std::thread::JoinHandle<Vec<u8>> {
    let body = body.to_string();
    std::thread::spawn(move || {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let head = format!(
            "POST {JOBS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {}\r\nIdempotency-Key: once\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            key("acme"),
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
        said
    })
}

/// What is on its way when the key has been taken: its digest is stored with the key, its version with the job.
fn request() -> Value {
    json!({"domain": "acme.example", "version": "trapped"})
}

/// A request that its process has taken, and whose effect is held on the way to the database.
struct Caught {
    cluster: Cluster,
    /// Another process of the cluster.
    other: Server,
    trap: Trap,
    /// The process that has the request.
    first: Server,
    sent: std::thread::JoinHandle<Vec<u8>>,
}

impl Caught {
    fn request() -> Self {
        let cluster = Cluster::start(&["acme"]);
        let other = cluster.node("all");
        let trap = Trap::set(cluster.database.port, "\"trapped\"");
        let first = cluster.node_through(trap.port, "api");
        let sent = send_aside(first.port, &request());
        wait("the effect to be on its way", || trap.is_sprung.load(Ordering::Relaxed).then_some(()));
        Self { cluster, other, trap, first, sent }
    }
}

/// There is one job under the key, which ends once.
fn is_one_job(cluster: &Cluster, node: &Server, id: &str) {
    let again = node.send(&ask("POST", JOBS).key(&key("acme")).header("Idempotency-Key", "once").json(request()));
    assert_eq!((again.is(202).string("jobId"), again.header("idempotent-replayed")), (id.to_owned(), Some("true")));
    assert_eq!(node.finished("acme", id)["status"], "completed");
    let listed = node.send(&ask("GET", JOBS).key(&key("acme"))).is(200).json();
    assert_eq!(listed["jobs"].as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(cluster.endings(), (1, 0));
}

#[test]
fn e_idm_a_key_that_a_killed_process_holds_is_free_soon() {
    let Caught { cluster, other, trap: _trap, first, sent } = Caught::request();
    let held = other.send(&ask("POST", JOBS).key(&key("acme")).header("Idempotency-Key", "once").json(request()));
    held.refuses(409, "conflict");
    first.signal("KILL");
    let (answer, took) = answered(&other, JOBS, &request());
    let id = answer.is(202).string("jobId");
    assert!(sent.join().unwrap().is_empty(), "the first process has answered");
    // the bound is part of what is promised to clients
    assert!(took < SOON, "{took:?}");
    is_one_job(&cluster, &other, &id);
}

#[test]
fn e_idm_a_process_that_comes_back_late_has_no_second_effect() {
    let Caught { cluster, other, trap, first, sent } = Caught::request();
    let (answer, _) = answered(&other, JOBS, &request());
    let id = answer.is(202).string("jobId");
    trap.is_open.store(true, Ordering::Relaxed);
    let said = String::from_utf8(sent.join().unwrap()).unwrap();
    assert!(said.starts_with("HTTP/1.1 409 ") || said.starts_with("HTTP/1.1 503 ") || said.contains(&id), "{said}");
    is_one_job(&cluster, &other, &id);
    // and it says the same as soon as it reaches the database again
    let ask = ask("POST", JOBS).key(&key("acme")).header("Idempotency-Key", "once").json(request());
    let again = wait("the first process to answer", || Some(first.send(&ask)).filter(|answer| answer.status != 503));
    assert_eq!(again.is(202).string("jobId"), id);
}
