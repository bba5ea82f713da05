//! From one bundle to the next: under load, back, and which of them stay.

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::host::bundles::bundles;
use crate::host::faults::{Fault, Faulty};
use crate::host::program::{Answer, Host, TOKEN, token_file};

/// The edition that an answer says it is of, if all of it is.
fn edition_of(answer: &Answer) -> usize {
    let text = if answer.header("content-encoding") == "gzip" { answer.unpacked() } else { answer.body.clone() };
    let text = String::from_utf8_lossy(&text).into_owned();
    let said =
        answer.header("x-offprint-version").strip_prefix('v').and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let found: Vec<usize> =
        (1..=3).filter(|edition| text.contains(&format!("Edition-{edition} of this page"))).collect();
    assert_eq!((answer.status, found), (200, vec![said]), "{:?}", answer.headers);
    said
}

#[test]
fn a_hundred_switches_under_load_mix_and_drop_nothing() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("x.zip");
    fs::copy(bundles().path(1), &path).expect("a copy");
    let host = Host::ready(&[
        "--bundle",
        path.to_str().expect("a name"),
        "--allow-downgrade",
        "--token-file",
        &token_file(folder.path()),
    ]);
    let (is_over, answers) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for reader in 0..4 {
            let (host, is_over, answers) = (&host, &is_over, &answers);
            scope.spawn(move || {
                let mut client = host.client();
                let mut tags: [Option<String>; 4] = Default::default();
                while !is_over.load(Ordering::Relaxed) {
                    for (path, lines) in [
                        ("/guides/start", &[][..]),
                        ("/guides/long.html", &["Accept-Encoding: gzip"]),
                        ("/index.html", &["Accept-Encoding: gzip"]),
                        ("/guides/", &[]),
                    ] {
                        let answer = client.ask("GET", path, lines, b"").expect("no connection is dropped");
                        let edition = edition_of(&answer);
                        // one version, one tag
                        if path == "/guides/start" && reader == 0 {
                            let tag = tags[edition].get_or_insert_with(|| answer.header("etag").to_owned());
                            assert_eq!(tag, answer.header("etag"));
                        }
                        answers.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        for n in 1..=100 {
            let next = folder.path().join("next.zip");
            fs::copy(bundles().path(1 + n % 2), &next).expect("a copy");
            fs::rename(&next, &path).expect("a new name");
            let done = host.order("/-/reload");
            assert_eq!(
                (done.status, &done.json()["changed"], &done.json()["version"]),
                (200, &true.into(), &format!("v{}", 1 + n % 2).into()),
                "{}",
                done.text()
            );
            assert_eq!(edition_of(&host.get("/guides/start")), 1 + n % 2);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    let answers = answers.into_inner();
    assert!(answers > 400, "{answers}");
}

#[test]
fn the_one_before_comes_back_at_once() {
    let folder = TempDir::new().expect("a folder");
    let cache = folder.path().join("cache");
    let server = Faulty::start(bundles().bytes(1), "\"1\"");
    let token = token_file(folder.path());
    let url = server.url("/b.zip");
    let arguments = [
        "--bundle-url",
        url.as_str(),
        "--cache-dir",
        cache.to_str().expect("a name"),
        "--token-file",
        &token,
        "--keep",
        "3",
        "--watch-url",
        "1",
    ];
    let host = Host::ready(&arguments);
    let none = host.order("/-/rollback");
    assert_eq!((none.status, none.json()["error"].as_str()), (409, Some("there is no earlier bundle")));
    for edition in [2, 3] {
        server.put(bundles().bytes(edition), &format!("\"{edition}\""));
        host.wait("the new one", || edition_of(&host.get("/")) == edition);
    }
    for earlier in [2, 1] {
        let began = Instant::now();
        let back = host.order("/-/rollback");
        let took = began.elapsed();
        assert_eq!(
            (back.status, &back.json()["version"], &back.json()["sha256"]),
            (200, &format!("v{earlier}").into(), &bundles().sha256(earlier).into())
        );
        assert!(took.as_millis() < 1_000, "{took:?}");
        assert_eq!(edition_of(&host.get("/guides/start")), earlier);
    }
    assert_eq!(host.order("/-/rollback").status, 409);
    // looking at the source does not bring back what was turned away from …
    let before = server.state().requests.len();
    host.wait("two more looks", || server.state().requests.len() > before + 1);
    assert_eq!(edition_of(&host.get("/guides/start")), 1);
    // … an order does
    assert_eq!(host.order("/-/reload").json()["version"], "v3");
}

#[test]
fn a_file_of_this_machine_rolls_back_too() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("x.zip");
    fs::copy(bundles().path(1), &path).expect("a copy");
    let host = Host::ready(&["--bundle", path.to_str().expect("a name"), "--token-file", &token_file(folder.path())]);
    assert_eq!(host.order("/-/reload").json()["changed"], false);
    for edition in [2, 3] {
        let next = folder.path().join("next.zip");
        fs::copy(bundles().path(edition), &next).expect("a copy");
        fs::rename(&next, &path).expect("a new name");
        assert_eq!(host.order("/-/reload").json()["changed"], true);
    }
    for earlier in [2, 1] {
        assert_eq!(host.order("/-/rollback").json()["version"], format!("v{earlier}"));
        assert_eq!(edition_of(&host.get("/guides/start")), earlier);
    }
}

#[test]
fn only_the_last_ones_stay() {
    let folder = TempDir::new().expect("a folder");
    let cache = folder.path().join("cache");
    let server = Faulty::start(bundles().bytes(1), "\"1\"");
    let host = Host::ready(&[
        "--bundle-url",
        &server.url("/b.zip"),
        "--cache-dir",
        cache.to_str().expect("a name"),
        "--token-file",
        &token_file(folder.path()),
        "--keep",
        "2",
    ]);
    for edition in [2, 3] {
        server.put(bundles().bytes(edition), &format!("\"{edition}\""));
        assert_eq!(host.order("/-/reload").json()["changed"], true);
    }
    let is_cached = |edition| cache.join(format!("{}.zip", bundles().sha256(edition))).exists();
    assert_eq!([1, 2, 3].map(is_cached), [false, true, true]);
}

/// A rollback, which waits for nothing.
fn roll_back(host: &Host) -> Answer {
    let began = Instant::now();
    let back = host.order("/-/rollback");
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    back
}

#[test]
fn a_rollback_waits_for_no_network() {
    let folder = TempDir::new().expect("a folder");
    let server = Faulty::start(bundles().bytes(1), "\"1\"");
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip"), "--token-file", &token_file(folder.path())]);
    server.put(bundles().bytes(2), "\"2\"");
    assert_eq!(host.order("/-/reload").json()["version"], "v2");
    std::thread::scope(|scope| {
        let late = |edition: usize, tag: &str| {
            server.put(bundles().bytes(edition), tag);
            server.fail([Fault::Late(4)]);
            let before = server.state().requests.len();
            let order = scope.spawn(|| host.order("/-/reload"));
            host.wait("the fetch", || server.state().requests.len() > before);
            order
        };
        // what was turned away from does not come back by a fetch that had begun before …
        let order = late(2, "\"2 again\"");
        assert_eq!(roll_back(&host).json()["version"], "v1");
        assert!(!order.is_finished());
        assert_eq!(order.join().expect("no panic").json()["changed"], false);
        assert_eq!(edition_of(&host.get("/guides/start")), 1);
        // … but another bundle comes
        let order = late(3, "\"3\"");
        let none = roll_back(&host);
        assert_eq!((none.status, &none.json()["version"]), (409, &"v1".into()));
        assert_eq!(order.join().expect("no panic").json()["version"], "v3");
        assert_eq!(roll_back(&host).json()["version"], "v1");
    });
}

#[test]
fn orders_of_clients_that_went_away_are_dropped_and_the_others_are_one() {
    let folder = TempDir::new().expect("a folder");
    let server = Faulty::start(bundles().bytes(1), "\"1\"");
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip"), "--token-file", &token_file(folder.path())]);
    let request_count = || server.state().requests.len();
    assert_eq!(request_count(), 1);
    std::thread::scope(|scope| {
        server.fail([Fault::Late(4)]);
        let first = scope.spawn(|| host.order("/-/reload"));
        host.wait("the fetch", || request_count() == 2);
        for _ in 0..5 {
            let mut gone = TcpStream::connect(("127.0.0.1", host.port)).expect("it answers");
            gone.write_all(
                format!(
                    "POST /-/reload HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 0\r\n\r\n"
                )
                .as_bytes(),
            )
            .expect("it listens");
            std::thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(first.join().expect("no panic").status, 200);
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(request_count(), 2, "nobody waits for the other five");
        server.fail([Fault::Late(4)]);
        let first = scope.spawn(|| host.order("/-/reload"));
        host.wait("the fetch", || request_count() == 3);
        let others = [(); 5].map(|()| scope.spawn(|| host.order("/-/reload")));
        assert!(others.into_iter().chain([first]).all(|order| order.join().expect("no panic").status == 200));
        assert_eq!(request_count(), 4, "five orders are one look");
    });
}

#[test]
fn a_rollback_outlives_a_restart() {
    let folder = TempDir::new().expect("a folder");
    let cache = folder.path().join("cache");
    let server = Faulty::start(bundles().bytes(1), "\"1\"");
    let (token, url) = (token_file(folder.path()), server.url("/b.zip"));
    let arguments = [
        "--bundle-url",
        url.as_str(),
        "--cache-dir",
        cache.to_str().expect("a name"),
        "--token-file",
        &token,
        "--watch-url",
        "1",
    ];
    let host = Host::ready(&arguments);
    server.put(bundles().bytes(2), "\"2\"");
    host.wait("the new one", || edition_of(&host.get("/")) == 2);
    assert_eq!(host.order("/-/rollback").json()["version"], "v1");
    drop(host);
    // neither the cache nor the link brings it back
    let before = server.state().requests.len();
    let host = Host::ready(&arguments);
    host.wait("three looks", || server.state().requests.len() > before + 2);
    assert_eq!(edition_of(&host.get("/guides/start")), 1);
    drop(host);
    server.fail(vec![Fault::Status(403); 100]);
    let host = Host::ready(&arguments);
    assert_eq!(edition_of(&host.get("/guides/start")), 1);
    drop(host);
    // to pin it is an order, as a reload is
    let host = Host::ready(&[&arguments[..], &["--export-version", "v2"]].concat());
    assert_eq!(edition_of(&host.get("/guides/start")), 2);
    assert_eq!(host.order("/-/rollback").json()["version"], "v1");
    drop(host);
    let host = Host::ready(&[&arguments[..], &["--export-version", "v2"]].concat());
    assert_eq!(edition_of(&host.get("/guides/start")), 1, "the same pin is no new order");
    drop(host);
    // another bundle is taken
    server.fail([]);
    server.put(bundles().bytes(3), "\"3\"");
    let host = Host::ready(&arguments);
    host.wait("another one", || edition_of(&host.get("/")) == 3);
    assert_eq!(host.order("/-/rollback").json()["version"], "v1", "not the one that was turned away from");
}

#[test]
fn a_file_that_is_written_into_is_not_served_any_more() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("x.zip");
    fs::copy(bundles().path(1), &path).expect("a copy");
    let host = Host::ready(&["--bundle", path.to_str().expect("a name"), "--token-file", &token_file(folder.path())]);
    assert_eq!(edition_of(&host.get("/guides/start")), 1);
    let good = bundles().bytes(1);
    fs::write(&path, vec![b'x'; good.len()]).expect("a file");
    host.wait("that it is not ready", || host.get("/readyz").status == 503);
    assert_eq!(host.get("/noise.png").status, 503);
    host.says("was changed while it was served");
    // as soon as there is a good one again, it is shown
    fs::write(&path, bundles().bytes(2)).expect("a file");
    host.wait_ready();
    assert_eq!(edition_of(&host.get("/guides/start")), 2);
    // the same once more, with a reload in between
    fs::write(&path, bundles().bytes(2)).expect("a file");
    assert_eq!(host.order("/-/reload").status, 200);
    host.wait("a second complaint", || host.printed().matches("was changed while it was served").count() == 2);
    host.wait_ready();
    assert_eq!(edition_of(&host.get("/guides/start")), 2);
}
