//! Several processes of the service over one PostgreSQL database and one object store: what they do together, and what
//! they do when the database, the store, the network or one of them fails.

use std::collections::BTreeMap;
use std::io::{BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::service::bucket::{Bucket, Fault};
use crate::service::client::{Answer, Client, ask, read};
use crate::service::server::{
    Server, folder_source, git_source, key, organization_with, program, repository, site, wait,
};
use crate::service::speed::rate_and_cost;
use crate::service::webhooks::{Receiver, configured};
use crate::shared::postgres::Postgres;

const JOBS: &str = "/v1/static-export/jobs";
const LIMITS: &str = "exports_queued = 0, exports_running = 0, keep_last = 1000000, bundle_links_per_minute = 0, previews_per_minute = 0";
/// Lines for each request would cost more than the requests.
const LOG: &str = "warn,offprint::service::job=info";

/// What the processes share.
pub(crate) struct Cluster {
    pub(crate) database: Postgres,
    url: String,
    store: Bucket,
    pub(crate) configuration: String,
    _folder: TempDir,
}

impl Cluster {
    /// A cluster with some organizations, whose site has three pages.
    pub(crate) fn start(organizations: &[&str]) -> Self {
        Self::over(Postgres::start(&[]), organizations)
    }

    fn over(database: Postgres, organizations: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Bucket::start(&folder.path().join("store"));
        let (docs, git) = (site(folder.path()), repository(&folder.path().join("git")));
        let mut configuration = "[server]\npreview_url = \"http://{slug}.preview.test\"\n\n[storage]\nurl = \"s3://bundles/of/us\"\n\n[git]\nallow_protocols = [\"file\"]\n\n".to_owned();
        for name in organizations {
            let source = if name.starts_with("git") { git_source(&git) } else { folder_source(&docs) };
            configuration += &organization_with(name, "static_export = true, preview = true", LIMITS, "", &source);
        }
        let url = database.url("cluster");
        // counts, beside the program, how often each export and each agent job ends
        let cluster = Self { database, url, store, configuration, _folder: folder };
        let first = cluster.node("api");
        drop(first);
        cluster.database.sql(
            "SET search_path = cluster;
             CREATE TABLE endings (id text, place bigserial);
             CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
             DECLARE
                 before text := NULL;
                 now text := convert_from(NEW.value, 'UTF8')::json ->> 'status';
             BEGIN
                 IF TG_OP = 'UPDATE' THEN before := convert_from(OLD.value, 'UTF8')::json ->> 'status'; END IF;
                 IF now IN ('completed', 'failed') AND before IS DISTINCT FROM now THEN
                     INSERT INTO cluster.endings (id) VALUES (convert_from(NEW.value, 'UTF8')::json ->> 'id');
                 END IF;
                 RETURN NEW;
             END $$;
             CREATE TRIGGER note AFTER INSERT OR UPDATE ON offprint_rows FOR EACH ROW
                 WHEN (substring(NEW.key FROM 1 FOR 7) = '\\x6578706f727400'::bytea
                     OR substring(NEW.key FROM 1 FOR 6) = '\\x6167656e7400'::bytea) EXECUTE FUNCTION note();",
        );
        cluster
    }

    /// A process; `role` is `all`, `api` or `worker`.
    pub(crate) fn node(&self, role: &str) -> Server {
        self.node_at(role, &self.url)
    }

    /// A process whose way to the database leads through a port.
    pub(crate) fn node_through(&self, port: u16, role: &str) -> Server {
        self.node_at(role, &self.url.replace(&self.database.port.to_string(), &port.to_string()))
    }

    fn node_at(&self, role: &str, url: &str) -> Server {
        self.with(role, url, &[])
    }

    fn resume(&self, role: &str, url: &str, folder: TempDir) -> Server {
        self.start_in(folder, role, url, &[])
    }

    /// Kills a process and starts it again where it was.
    pub(crate) fn replace(&self, role: &str, node: Server) -> Server {
        node.signal("KILL");
        self.resume(role, &self.url, node.into_folder())
    }

    /// A process with more variables.
    fn with(&self, role: &str, url: &str, variables: &[(&str, &str)]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("offprint.toml"), &self.configuration).unwrap();
        self.start_in(folder, role, url, variables)
    }

    fn start_in(&self, folder: TempDir, role: &str, url: &str, more: &[(&str, &str)]) -> Server {
        let store = self.store.variables();
        let mut variables: Vec<_> = store.iter().map(|(name, value)| (*name, value.as_str())).collect();
        variables.push(("OFFPRINT_STORE_URL", url));
        variables.extend_from_slice(more);
        Server::within(&[], folder, &["--role", role], LOG, &variables)
    }

    /// How many jobs have ended, and how many of these more than once.
    pub(crate) fn endings(&self) -> (usize, usize) {
        let count = |what: &str| {
            let counted = self
                .database
                .sql(&format!("SELECT count(*) FROM (SELECT id FROM cluster.endings GROUP BY id {what}) AS ids"));
            counted.parse().unwrap()
        };
        (count(""), count("HAVING count(*) > 1"))
    }
}

#[test]
fn tables_are_made_by_a_process_that_only_does_that() {
    let database = Postgres::start(&["fsync=off"]);
    let (url, folder) = (database.url("migrated"), tempfile::tempdir().unwrap());
    let file = folder.path().join("offprint.toml");
    std::fs::write(&file, "[storage]\nurl = \"s3://bundles\"\n").unwrap();
    let migrate = |url: Option<&str>, file: Option<&Path>| {
        let mut command = std::process::Command::new(program());
        command.args(["serve", "--migrate"]).env_remove("OFFPRINT_CONFIG");
        if let Some(file) = file {
            command.arg("--config").arg(file);
        }
        command.envs(url.map(|url| ("OFFPRINT_STORE_URL", url))).output().unwrap()
    };
    for file in [None, Some(file.as_path())] {
        let output = migrate(Some(&url), file);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(database.sql("SELECT version FROM migrated.offprint_schema"), "1");
    }
    for (url, file, cause) in [
        (None, Some(file.as_path()), "needs a database"),
        (None, None, "no configuration"),
        (Some("mysql://x"), None, "`[store] url`"),
    ] {
        let output = migrate(url, file);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(cause), "{output:?}");
    }
}

/// Starts an export, under a key so that it may be asked for again.
fn start(node: &Server, name: &str, once: &str) -> Answer {
    let body = json!({"domain": format!("{name}.example"), "version": once});
    node.send(&ask("POST", JOBS).key(&key(name)).header("Idempotency-Key", once).json(body))
}

fn started(node: &Server, name: &str, once: &str) -> String {
    start(node, name, once).is(202).string("jobId")
}

/// Opens a stream of events and reads until there is a word.
fn events(port: u16, name: &str, job: &str, last: Option<&str>, until: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let last = last.map_or(String::new(), |last| format!("Last-Event-ID: {last}\r\n"));
    let head =
        format!("GET {JOBS}/{job}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n{last}\r\n", key(name));
    stream.write_all(head.as_bytes()).unwrap();
    let (mut seen, mut piece) = (String::new(), [0; 4096]);
    while !seen.contains(until) {
        let length = stream.read(&mut piece).unwrap();
        assert!(length > 0, "the stream ended: {seen}");
        seen.push_str(&String::from_utf8_lossy(&piece[..length]));
    }
    seen
}

#[test]
fn processes_share_everything() {
    let cluster = Cluster::start(&["acme", "git"]);
    let (one, other) = (cluster.node("api"), cluster.node("api"));
    let id = started(&one, "acme", "first");
    assert_eq!(one.send(&ask("GET", format!("{JOBS}/{id}")).key(&key("acme"))).is(200).string("status"), "queued");
    let replayed = start(&other, "acme", "first");
    assert_eq!((replayed.is(202).string("jobId"), replayed.header("idempotent-replayed")), (id.clone(), Some("true")));
    // a stream that begins at one process goes on at another one
    let seen = events(one.port, "acme", &id, None, "event: progress");
    assert!(seen.contains("id: 1"), "{seen}");
    let worker = cluster.node("worker");
    assert_eq!(worker.send(&ask("GET", "/readyz")).status, 200);
    assert_eq!(worker.send(&ask("GET", format!("{JOBS}/{id}")).key(&key("acme"))).status, 404);
    let seen = events(other.port, "acme", &id, Some("1"), "event: completed");
    assert!(seen.contains("id: 2"), "{seen}");
    // so do links and sites
    let bundle = other.send(&ask("POST", format!("{JOBS}/{id}/bundle")).key(&key("acme"))).is(200).json();
    let (host, target) = crate::service::server::split(bundle["bundleUrl"].as_str().unwrap());
    let port = host.rsplit(':').next().unwrap().parse().unwrap();
    let archive = Client::new(port).send(&ask("GET", target).header("Host", host.as_str()));
    assert_eq!(archive.is(200).body.len() as u64, bundle["sizeBytes"].as_u64().unwrap());
    let preview =
        one.send(&ask("POST", "/v1/project/preview/git-docs").key(&key("git")).json(json!({"branch": "main"})));
    let preview = preview.is(202).json();
    assert_eq!(other.deployed("git", preview["statusId"].as_str().unwrap())["status"], "success");
    let host = preview["previewUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    for node in [&one, &other] {
        assert!(node.send(&ask("GET", "/").header("Host", host.as_str())).is(200).text().contains("Home"));
    }
    assert_eq!(cluster.endings(), (1, 0));
}

#[test]
fn sigterm_gives_work_to_others_at_once() {
    let cluster = Cluster::start(&["acme"]);
    let (api, mut worker) = (cluster.node("api"), cluster.node("worker"));
    let ids: Vec<String> = (0..12).map(|n| started(&api, "acme", &format!("v{n}"))).collect();
    // a rolling upgrade: each is replaced while it works
    for _ in 0..2 {
        std::thread::sleep(Duration::from_millis(700));
        let next = cluster.node("worker");
        worker.signal("TERM");
        drop(std::mem::replace(&mut worker, next).into_folder());
    }
    for id in &ids {
        assert_eq!(api.finished("acme", id)["status"], "completed");
    }
    assert_eq!(cluster.endings(), (ids.len(), 0));
}

#[test]
fn webhooks_of_all_processes_are_sent_once() {
    let mut cluster = Cluster::start(&["acme"]);
    let receiver = Receiver::start(&["204 No Content"]);
    let (tables, webhook) = configured(&receiver, "", "");
    cluster.configuration += &format!("{webhook}{tables}");
    let api = cluster.node("api");
    let mut ids: Vec<String> = (0..8).map(|n| started(&api, "acme", &format!("v{n}"))).collect();
    // its end is written by a process that sends nothing
    api.send(&ask("DELETE", format!("{JOBS}/{}", ids[0])).key(&key("acme"))).is(200);
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(receiver.messages().len(), 0);
    let _workers = [cluster.node("worker"), cluster.node("worker")];
    receiver.wait(ids.len());
    std::thread::sleep(Duration::from_secs(1));
    let messages = receiver.messages();
    let mut sent: Vec<String> =
        messages.iter().map(|message| message.json()["data"]["jobId"].as_str().unwrap().to_owned()).collect();
    sent.sort_unstable();
    ids.sort_unstable();
    assert_eq!(sent, ids);
    let seen = api.send(&ask("GET", "/v1/webhooks/ci/deliveries").key(&key("acme"))).is(200).json();
    assert_eq!(seen["deliveries"].as_array().unwrap().len(), ids.len(), "{seen}");
}

#[test]
fn work_of_a_killed_process_is_done_by_others() {
    let cluster = Cluster::start(&["acme"]);
    let (api, worker) = (cluster.node("api"), cluster.node("worker"));
    let ids: Vec<String> = (0..6).map(|n| started(&api, "acme", &format!("v{n}"))).collect();
    wait("work to be taken", || (running(&api, &ids) > 0).then_some(()));
    worker.signal("KILL");
    let _other = cluster.node("worker");
    for id in &ids {
        assert_eq!(api.finished("acme", id)["status"], "completed");
    }
    assert_eq!(cluster.endings(), (ids.len(), 0));
}

fn running(api: &Server, ids: &[String]) -> usize {
    let status = |id: &String| api.send(&ask("GET", format!("{JOBS}/{id}")).key(&key("acme"))).string("status");
    ids.iter().filter(|id| status(id) == "running").count()
}

#[test]
fn a_database_that_stops_for_a_while_loses_nothing() {
    let mut cluster = Cluster::start(&["acme"]);
    let (api, worker) = (cluster.node("api"), cluster.node("worker"));
    let ids: Vec<String> = (0..6).map(|n| started(&api, "acme", &format!("v{n}"))).collect();
    wait("work to be taken", || (running(&api, &ids) > 0).then_some(()));
    cluster.database.kill();
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        let refused = start(&api, "acme", "meanwhile");
        assert_eq!((refused.status, refused.header("retry-after").is_some()), (503, true), "{refused:?}");
        assert_eq!(api.send(&ask("GET", "/readyz")).status, 503);
        assert_eq!(api.send(&ask("GET", "/livez")).status, 200);
        std::thread::sleep(Duration::from_secs(1));
    }
    cluster.database.up(&[]);
    let late = wait("the database to be used again", || {
        let accepted = start(&api, "acme", "meanwhile");
        (accepted.status == 202).then(|| accepted.string("jobId"))
    });
    for id in ids.iter().chain([&late]) {
        assert_eq!(api.finished("acme", id)["status"], "completed");
    }
    assert_eq!(cluster.endings(), (ids.len() + 1, 0));
    assert!(worker.is_running());
    assert!(!worker.log().contains("work is called off"), "workers go on: {}", worker.log());
}

#[test]
fn a_failover_is_followed() {
    let settings = ["wal_level=replica", "max_wal_senders=4"];
    let mut cluster = Cluster::over(Postgres::start(&settings), &["acme"]);
    let replica = Postgres::replica(&cluster.database);
    cluster.database.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
    cluster.database.sql("SELECT pg_reload_conf()");
    let url = cluster.url.replace(
        &format!("127.0.0.1:{}", cluster.database.port),
        &format!("127.0.0.1:{},127.0.0.1:{}", cluster.database.port, replica.port),
    );
    let (api, _worker) = (cluster.node_at("api", &url), cluster.node_at("worker", &url));
    let mut ids: Vec<String> = (0..4).map(|n| started(&api, "acme", &format!("v{n}"))).collect();
    cluster.database.kill();
    replica.promote();
    ids.push(wait("the other server to be used", || {
        let accepted = start(&api, "acme", "after");
        (accepted.status == 202).then(|| accepted.string("jobId"))
    }));
    for id in &ids {
        assert_eq!(api.finished("acme", id)["status"], "completed");
    }
    let twice =
        replica.sql("SELECT count(*) FROM (SELECT id FROM cluster.endings GROUP BY id HAVING count(*) > 1) AS x");
    assert_eq!(twice, "0");
}

/// A way to the database that can be cut.
fn cuttable(to: u16) -> (u16, Arc<AtomicBool>) {
    let (listener, is_cut) = (TcpListener::bind("127.0.0.1:0").unwrap(), Arc::<AtomicBool>::default());
    let (port, cut) = (listener.local_addr().unwrap().port(), Arc::clone(&is_cut));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect(("127.0.0.1", to)) else { continue };
            for (mut from, mut into) in [(stream.try_clone().unwrap(), server.try_clone().unwrap()), (server, stream)] {
                let cut = Arc::clone(&cut);
                std::thread::spawn(move || {
                    let mut piece = [0; 16 << 10];
                    while let Ok(length @ 1..) = from.read(&mut piece) {
                        // nothing comes through, and neither side is told
                        while cut.load(Ordering::Relaxed) {
                            std::thread::sleep(Duration::from_millis(20));
                        }
                        if into.write_all(&piece[..length]).is_err() {
                            break;
                        }
                    }
                    let _ = into.shutdown(std::net::Shutdown::Both);
                });
            }
        }
    });
    (port, is_cut)
}

#[test]
fn a_process_that_is_cut_off_does_nothing_twice() {
    let cluster = Cluster::start(&["acme"]);
    let (port, is_cut) = cuttable(cluster.database.port);
    let (api, lonely) = (cluster.node("api"), cluster.node_through(port, "all"));
    let ids: Vec<String> = (0..8).map(|n| started(&api, "acme", &format!("v{n}"))).collect();
    wait("work to be taken", || (running(&api, &ids) > 0).then_some(()));
    is_cut.store(true, Ordering::Relaxed);
    let refused = start(&lonely, "acme", "meanwhile");
    assert_eq!((refused.status, refused.header("retry-after").is_some()), (503, true), "{refused:?}");
    // others are not held up by locks that it has, and do its work when its leases have ended
    let _worker = cluster.node("worker");
    for id in &ids {
        assert_eq!(api.finished("acme", id)["status"], "completed");
    }
    is_cut.store(false, Ordering::Relaxed);
    wait("it to be of use again", || (start(&lonely, "acme", "meanwhile").status == 202).then_some(()));
    wait("all work to end", || (cluster.endings().0 == ids.len() + 1).then_some(()));
    assert_eq!(cluster.endings(), (ids.len() + 1, 0));
}

#[test]
fn an_object_store_that_fails_loses_nothing() {
    let cluster = Cluster::start(&["acme"]);
    let (api, _worker) = (cluster.node("api"), cluster.node("worker"));
    let id = api.send(&ask("POST", "/v1/project/update/acme-docs").key(&key("acme"))).is(202).string("statusId");
    assert_eq!(api.deployed("acme", &id)["status"], "success");
    assert_eq!(api.send(&ask("GET", "/").header("Host", "acme.example")).status, 200);
    let other = cluster.node("api");
    cluster.store.set(Fault::Cuts);
    // what is here is served, what is not cannot be had now
    assert_eq!(api.send(&ask("GET", "/guides/start").header("Host", "acme.example")).status, 200);
    let job = started(&api, "acme", "meanwhile");
    std::thread::sleep(Duration::from_secs(2));
    cluster.store.set(Fault::None);
    assert_eq!(api.finished("acme", &job)["status"], "completed");
    assert_eq!(other.send(&ask("GET", "/").header("Host", "acme.example")).status, 200);
}

/// A library that shows another time than the clock of the machine does, for `LD_PRELOAD`.
fn wrong_clock(folder: &Path) -> String {
    let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
    let text = r#"#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *now) {
    int failed = syscall(SYS_clock_gettime, id, now);
    const char *ahead = getenv("SECONDS_AHEAD");
    if (!failed && id == CLOCK_REALTIME && ahead) now->tv_sec += atol(ahead);
    return failed;
}"#;
    std::fs::write(&source, text).unwrap();
    let built =
        std::process::Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status().unwrap();
    assert!(built.success());
    library.to_str().unwrap().to_owned()
}

#[test]
fn clocks_that_are_wrong_change_nothing() {
    let cluster = Cluster::start(&["acme"]);
    let folder = tempfile::tempdir().unwrap();
    let library = wrong_clock(folder.path());
    let at = |role: &str, ahead: &str| {
        cluster.with(role, &cluster.url, &[("LD_PRELOAD", library.as_str()), ("SECONDS_AHEAD", ahead)])
    };
    // much more than the 12 s that leases are long
    let (slow, fast) = (at("api", "-600"), at("api", "600"));
    let ids: Vec<String> = (0..12).map(|n| started([&slow, &fast][n % 2], "acme", &format!("v{n}"))).collect();
    for api in [&slow, &fast] {
        let metrics = api.send(&ask("GET", "/metrics"));
        let age = "offprint_queue_age_seconds{kind=\"export\"} ";
        let age: f64 = metrics.text().lines().find_map(|line| line.strip_prefix(age)?.parse().ok()).unwrap();
        assert!(age > 0.0 && age < 60.0, "{age}");
    }
    let workers = [at("worker", "-600"), at("worker", "600")];
    let moment = |job: &Value, name: &str| -> jiff::Timestamp { job[name].as_str().unwrap().parse().unwrap() };
    for id in &ids {
        let job = slow.finished("acme", id);
        assert_eq!(job["status"], "completed", "{job}");
        let [created, begun, ended] = ["createdAt", "startedAt", "endedAt"].map(|name| moment(&job, name));
        assert!(created <= begun && begun <= ended, "{job}");
        assert!((jiff::Timestamp::now() - ended).abs().as_secs() < 120, "{job}");
    }
    assert_eq!(cluster.endings(), (ids.len(), 0));
    for worker in &workers {
        assert!(!worker.log().contains("work is called off"), "{}", worker.log());
    }
}

/// Jobs of each organization from which on their order is looked at.
const FAIR_JOBS: usize = 30;

/// Jain's index of how evenly something is shared: 1 is even.
fn jain(shares: &[f64]) -> f64 {
    let (sum, squares) = (shares.iter().sum::<f64>(), shares.iter().map(|share| share * share).sum::<f64>());
    sum * sum / (shares.len() as f64 * squares)
}

/// The size of a run: `OFFPRINT_CLUSTER=jobs,organizations,seconds between kills`.
fn size() -> (usize, usize, f64) {
    let set = std::env::var("OFFPRINT_CLUSTER").unwrap_or_default();
    let mut parts = set.split(',').filter_map(|part| part.parse::<f64>().ok());
    let mut next = |default| parts.next().unwrap_or(default);
    (next(100.0) as usize, next(10.0) as usize, next(2.0))
}

#[test]
#[expect(clippy::print_stdout, reason = "how it went is worth a line")]
fn nothing_is_lost_or_done_twice_while_processes_are_killed() {
    let (jobs, organizations, interval) = size();
    let names: Vec<String> = (0..organizations).map(|n| format!("org-{n}")).collect();
    let cluster = Cluster::start(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let roles = ["api", "api", "worker", "worker", "worker"];
    // the workers begin when all is accepted: then the order of the endings is that of the queue
    let begin = |role: &&str| Mutex::new((**role == *"api").then(|| cluster.node(role)));
    let nodes: Vec<Mutex<Option<Server>>> = roles.iter().map(begin).collect();
    let (began, is_over, kills) = (Instant::now(), AtomicBool::new(false), Mutex::new(0));
    let accepted = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut chance = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(std::process::id());
            while !is_over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_secs_f64(interval));
                chance ^= chance << 13;
                chance ^= chance >> 7;
                chance ^= chance << 17;
                let at = chance as usize % nodes.len();
                let mut place = nodes[at].lock().unwrap();
                if let Some(node) = place.take() {
                    node.signal("KILL");
                    *place = Some(cluster.resume(roles[at], &cluster.url, node.into_folder()));
                    *kills.lock().unwrap() += 1;
                }
            }
        });
        let client = |client: usize| {
            let (names, nodes, accepted) = (&names, &nodes, &accepted);
            scope.spawn(move || {
                for n in (client..jobs).step_by(2) {
                    let (name, once) = (&names[n % names.len()], format!("once-{n}"));
                    let id = wait("a job to be accepted", || {
                        let port = nodes[(n / 2 + client) % 2].lock().unwrap().as_ref().map(|node| node.port)?;
                        tried(port, name, &once)
                    });
                    accepted.lock().unwrap().insert(once, (name.clone(), id));
                }
            })
        };
        let clients = [client(0), client(1)];
        let are_done = clients.map(|client| client.join().is_ok());
        for (place, role) in nodes.iter().zip(roles).filter(|_| are_done == [true; 2]) {
            place.lock().unwrap().get_or_insert_with(|| cluster.node(role));
        }
        let until = Instant::now() + Duration::from_secs(120) + Duration::from_secs(4) * jobs as u32;
        while are_done == [true; 2] && cluster.endings().0 < jobs && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(500));
        }
        is_over.store(true, Ordering::Relaxed);
    });
    let took = began.elapsed();
    let accepted = accepted.into_inner().unwrap();
    assert_eq!((accepted.len(), cluster.endings()), (jobs, (jobs, 0)));
    let api = cluster.node("api");
    for (name, id) in accepted.values() {
        let job = api.finished(name, id);
        assert_eq!(job["status"], "completed", "{job}");
    }
    let order = cluster.database.sql("SELECT id FROM cluster.endings ORDER BY place");
    let owners: BTreeMap<&str, &str> = accepted.values().map(|(name, id)| (id.as_str(), name.as_str())).collect();
    // in the first half of all endings, each organization has had the same share
    let mut shares = vec![0.0; names.len()];
    for id in order.lines().take(jobs / 2) {
        if let Some(at) = owners.get(id).and_then(|owner| names.iter().position(|name| name == owner)) {
            shares[at] += 1.0;
        }
    }
    let (kills, fairness) = (kills.into_inner().unwrap(), jain(&shares));
    println!("{jobs} jobs of {organizations} organizations, {kills} kills in {took:?}; Jain index {fairness:.3}");
    // with few jobs, those that a kill delays outweigh the order of the queue
    assert!(fairness >= 0.95 || jobs / organizations < FAIR_JOBS, "{shares:?}");
}

/// One request, which may find no process, or one that stops.
fn tried(port: u16, name: &str, once: &str) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let body = json!({"domain": format!("{name}.example"), "version": once}).to_string();
    let head = format!(
        "POST {JOBS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nIdempotency-Key: {once}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        key(name),
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    let answer = read(&mut BufReader::new(stream), false)?;
    let value: Value = serde_json::from_slice(&answer.body).ok()?;
    (answer.status == 202).then(|| value["jobId"].as_str().unwrap().to_owned())
}

/// Run by hand, as `service::speed` says.
#[test]
#[ignore = "a measurement: it needs wrk and a quiet machine"]
#[expect(clippy::print_stdout, reason = "it is what it is for")]
fn speed_of_a_status_in_a_database() {
    let cluster = Cluster::start(&["acme"]);
    let shared = cluster.node("all");
    let alone = Server::start_with(
        |folder| organization_with("acme", "static_export = true", LIMITS, "", &folder_source(&site(folder))),
        "warn",
        &[],
    );
    let bearer = [format!("Authorization: Bearer {}", key("acme"))];
    for _ in 0..3 {
        for (kind, server) in [("memory", &alone), ("database", &shared)] {
            let job = server.export("acme")["jobId"].as_str().unwrap().to_owned();
            let (status, cost) = rate_and_cost(server, &format!("{JOBS}/{job}"), &bearer);
            let (livez, least) = rate_and_cost(server, "/livez", &bearer);
            println!("{kind}: {status:.0} status requests a second, {livez:.0} of /livez: {:.2}", status / livez);
            println!("{kind}: {cost:.1} µs of a core for a status, {least:.1} for /livez: {:.2}", least / cost);
        }
    }
}

/// How far memory goes up and down by itself, kB: each upload has buffers, which the allocator keeps for a while.
const NOISE_KB: u64 = 96 << 10;

/// Memory that a process holds itself, without its children, kB.
fn resident_kb(pid: u32) -> u64 {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
#[expect(clippy::print_stdout, reason = "how it went is worth a line")]
fn memory_of_each_process_stays_flat() {
    let jobs: usize = std::env::var("OFFPRINT_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(40);
    let cluster = Cluster::start(&["acme"]);
    let nodes = [cluster.node("api"), cluster.node("worker")];
    let mut early = Vec::new();
    for n in 0..jobs {
        let id = started(&nodes[0], "acme", &format!("v{n}"));
        if n % 8 == 7 {
            nodes[0].finished("acme", &id);
        }
        if n == jobs / 3 {
            early = nodes.iter().map(|node| resident_kb(node.pid)).collect();
        }
    }
    wait("all work to end", || (cluster.endings().0 == jobs).then_some(()));
    for (node, early) in nodes.iter().zip(early) {
        let late = resident_kb(node.pid);
        println!("{jobs} jobs: {early} kB after a third, {late} kB in the end");
        assert!(late <= early + NOISE_KB, "{early} kB became {late} kB over {jobs} jobs");
    }
}
