//! From one bundle to the next: under load, back, and which of them stay.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use tempfile::TempDir;

use crate::bundles::bundles;
use crate::faults::Faulty;
use crate::program::{Answer, Host, token_file};

/// The edition that an answer says it is of, if all of it is.
fn edition_of(answer: &Answer) -> usize {
    let text = if answer.header("content-encoding") == "gzip" { answer.unpacked() } else { answer.body.clone() };
    let text = String::from_utf8_lossy(&text).into_owned();
    let said = answer.header("x-offprint-version").strip_prefix('v').and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let found: Vec<usize> = (1..=3).filter(|edition| text.contains(&format!("Edition-{edition} of this page"))).collect();
    assert_eq!((answer.status, found), (200, vec![said]), "{:?}", answer.headers);
    said
}

#[test]
fn a_hundred_switches_under_load_mix_and_drop_nothing() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("x.zip");
    fs::copy(bundles().path(1), &path).expect("a copy");
    let host = Host::ready(&["--bundle", path.to_str().expect("a name"), "--allow-downgrade", "--token-file", &token_file(folder.path())]);
    let (is_over, answers) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for reader in 0..4 {
            let (host, is_over, answers) = (&host, &is_over, &answers);
            scope.spawn(move || {
                let mut client = host.client();
                let mut tags: [Option<String>; 4] = Default::default();
                while !is_over.load(Ordering::Relaxed) {
                    for (path, lines) in [("/guides/start", &[][..]), ("/guides/long.html", &["Accept-Encoding: gzip"]), ("/index.html", &["Accept-Encoding: gzip"]), ("/guides/", &[])] {
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
            assert_eq!((done.status, &done.json()["changed"], &done.json()["version"]), (200, &true.into(), &format!("v{}", 1 + n % 2).into()), "{}", done.text());
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
    let arguments = ["--bundle-url", url.as_str(), "--cache-dir", cache.to_str().expect("a name"), "--token-file", &token, "--keep", "3", "--watch-url", "1"];
    let host = Host::ready(&arguments);
    let none = host.order("/-/rollback");
    assert_eq!((none.status, none.json()["error"].as_str()), (502, Some("there is no earlier bundle")));
    for edition in [2, 3] {
        server.put(bundles().bytes(edition), &format!("\"{edition}\""));
        host.wait("the new one", || edition_of(&host.get("/")) == edition);
    }
    for earlier in [2, 1] {
        let began = Instant::now();
        let back = host.order("/-/rollback");
        let took = began.elapsed();
        assert_eq!((back.status, &back.json()["version"], &back.json()["sha256"]), (200, &format!("v{earlier}").into(), &bundles().sha256(earlier).into()));
        assert!(took.as_millis() < 1_000, "{took:?}");
        assert_eq!(edition_of(&host.get("/guides/start")), earlier);
    }
    assert_eq!(host.order("/-/rollback").status, 502);
    // looking at the source does not bring back what was turned away from …
    let asked = server.state().asked.len();
    host.wait("two more looks", || server.state().asked.len() > asked + 1);
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
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip"), "--cache-dir", cache.to_str().expect("a name"), "--token-file", &token_file(folder.path()), "--keep", "2"]);
    for edition in [2, 3] {
        server.put(bundles().bytes(edition), &format!("\"{edition}\""));
        assert_eq!(host.order("/-/reload").json()["changed"], true);
    }
    let is_kept = |edition| cache.join(format!("{}.zip", bundles().sha256(edition))).exists();
    assert_eq!([1, 2, 3].map(is_kept), [false, true, true]);
}
