//! Signals, probes, limits of what a client may send, and what the environment says.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use tempfile::TempDir;

use crate::host::bundles::bundles;
use crate::host::faults::{Fault, Faulty};
use crate::host::program::{Host, PATIENCE, run};
use crate::shared::queued::Queued;

#[test]
fn a_hang_up_looks_for_another_bundle() {
    let server = Faulty::start(bundles().bytes(1), "\"1\"");
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip")]);
    host.signal("HUP");
    host.says("has not changed");
    server.put(bundles().bytes(2), "\"2\"");
    host.signal("HUP");
    host.wait("the new one", || host.get("/").header("x-offprint-version") == "v2");
    server.fail(vec![Fault::Status(500); 10]);
    server.put(bundles().bytes(3), "\"3\"");
    host.signal("HUP");
    host.says("the active bundle is kept");
    assert_eq!(host.get("/").header("x-offprint-version"), "v2");
}

#[test]
fn the_end_comes_after_what_is_under_way() {
    for signal in ["TERM", "INT"] {
        let mut host = Host::ready(&["--bundle", &bundles().name(1), "--drain", "2"]);
        let (mut busy, mut idle) = (host.client(), host.client());
        assert_eq!(idle.ask("GET", "/", &[], b"").expect("an answer").status, 200);
        host.signal(signal);
        host.wait("that it is not ready", || {
            busy.ask("GET", "/readyz", &[], b"").is_ok_and(|answer| answer.status == 503)
        });
        // pages still come for a while
        assert_eq!(host.client().ask("GET", "/guides/start", &[], b"").expect("an answer").status, 200);
        assert_eq!(host.ended().code(), Some(0), "{}", host.printed());
        host.says("Stopping");
    }
}

/// The program is held up while they come, so that it finds them together with the signal.
#[test]
fn what_the_system_has_taken_is_answered_at_the_end() {
    for _ in 0..3 {
        let mut host = Host::ready(&["--bundle", &bundles().name(1)]);
        host.signal("STOP");
        let queued = Queued::send(host.port, "/guides/start");
        host.signal("TERM");
        host.signal("CONT");
        assert_eq!(queued.cut(), 0, "{}", host.printed());
        assert_eq!(host.ended().code(), Some(0), "{}", host.printed());
    }
}

#[test]
fn a_slow_reader_gets_the_rest_at_the_end() {
    let mut host = Host::ready(&["--bundle", &bundles().name(1)]);
    let mut stream = TcpStream::connect(("127.0.0.1", host.port)).expect("it answers");
    stream.set_read_timeout(Some(PATIENCE)).expect("a bound");
    // more than any buffer holds, so that the answers are under way when the signal comes
    let requests = "GET /noise.png HTTP/1.1\r\nHost: a\r\n\r\n".repeat(40);
    stream.write_all(requests.as_bytes()).expect("it listens");
    let mut first = [0; 100_000];
    stream.read_exact(&mut first).expect("the beginning");
    host.signal("TERM");
    host.says("Stopping");
    std::thread::sleep(Duration::from_millis(200));
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).expect("the rest");
    let whole = [&first[..], &rest].concat();
    // the answer that had begun is complete, and nothing half follows
    let answers = whole.windows(15).filter(|window| window == b"HTTP/1.1 200 OK").count();
    let length = bundles_noise();
    assert!(
        answers >= 1 && whole.len() > length && whole.len() / answers >= length,
        "{answers} answers, {} bytes",
        whole.len()
    );
    assert_eq!(host.ended().code(), Some(0));
}

/// Bytes of the picture in the bundles.
fn bundles_noise() -> usize {
    300_000
}

fn raw(host: &Host, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", host.port)).expect("it answers");
    stream.set_read_timeout(Some(PATIENCE)).expect("a bound");
    // the server may have hung up already
    let _ = stream.write_all(bytes);
    let mut out = Vec::new();
    let _ = stream.read_to_end(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn requests_that_are_none_or_too_large_end_their_connection_only() {
    let host = Host::ready(&["--bundle", &bundles().name(1)]);
    let long = "x".repeat(100_000);
    let many = (0..200).map(|n| format!("X-{n}: y\r\n")).collect::<String>();
    for bytes in [
        "GET\r\n\r\n".to_owned(),
        "\u{16}\u{3}\u{1}\u{2}\u{0}".to_owned() + "\r\n\r\n",
        format!("GET /{long} HTTP/1.1\r\nHost: a\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: a\r\nX: {long}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: a\r\n{many}\r\n"),
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n".to_owned(),
        "GET / HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(),
        "GET /guides/start HTTP/1.1\r\nX: y\r\nConnection: close\r\n\r\n".to_owned(),
        "GET / HTTP/9.9\r\nHost: a\r\n\r\n".to_owned(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
    ] {
        let answer = raw(&host, bytes.as_bytes());
        let status = answer.split(' ').nth(1).unwrap_or_default();
        assert!(answer.is_empty() || matches!(status, "400" | "414" | "431" | "505"), "{answer}");
    }
    assert_eq!(host.get("/guides/start").status, 200);
    // the name need not come first, and old clients give none
    assert!(
        raw(&host, b"GET /guides/start HTTP/1.1\r\nX: y\r\nHost: a\r\nConnection: close\r\n\r\n")
            .starts_with("HTTP/1.1 200")
    );
    assert!(raw(&host, b"GET /guides/start HTTP/1.0\r\n\r\n").starts_with("HTTP/1.0 200"));
    // a body that nobody asked for is no reason to fail
    let answer = host.client().ask("GET", "/guides/start", &["Content-Length: 5"], b"hello").expect("an answer");
    assert_eq!(answer.status, 200);
}

#[test]
fn the_environment_says_what_flags_say() {
    let folder = TempDir::new().expect("a folder");
    let server = Faulty::start(bundles().bytes(1), "\"1\"");
    let host = Host::start_with(&[], |command| {
        command.env("OFFPRINT_HOST_BUNDLE_URL", server.url("/b.zip")).env("OFFPRINT_HOST_EXPORT_VERSION", "v1");
        command.env("OFFPRINT_HOST_SHA256", bundles().sha256(1)).env("OFFPRINT_HOST_CACHE_DIR", folder.path());
    });
    host.wait_ready();
    assert_eq!(host.get("/").header("x-offprint-version"), "v1");
    assert!(folder.path().join("bundles.json").is_file());
}

#[test]
fn a_signed_bundle_is_shown_only_with_its_key() {
    let folder = TempDir::new().expect("a folder");
    let docs = folder.path().join("docs");
    std::fs::create_dir(&docs).expect("a folder");
    std::fs::write(docs.join("index.mdx"), "---\ntitle: Home\n---\n\nSigned.\n").expect("a page");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    for name in ["one", "two"] {
        let output = std::process::Command::new("minisign")
            .args(["-G", "-W", "-p", &path(&format!("{name}.pub")), "-s", &path(&format!("{name}.key"))])
            .output()
            .expect("minisign");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let exported = crate::host::program::offprint()
        .args(["export", &path("docs"), "-o", &path("x.zip"), "--sign", &path("one.key"), "--progress", "none"])
        .output()
        .expect("the program starts");
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    let host = Host::ready(&["--bundle", &path("x.zip"), "--public-key", &path("one.pub")]);
    assert!(host.get("/").text().contains("Signed."));
    // without a label the digest of the manifest stands in for it
    assert_eq!(host.get("/").header("x-offprint-version").len(), 12);
    let (code, printed) = run(&["--bundle", &path("x.zip"), "--public-key", &path("two.pub")]);
    assert!(code == Some(1) && printed.contains("refused"), "{printed}");
}

/// How many of so many connections from this machine are answered.
fn answered_of(host: &Host, count: usize) -> usize {
    let open: Vec<TcpStream> = (0..count).filter_map(|_| TcpStream::connect(("127.0.0.1", host.port)).ok()).collect();
    let answered = open.iter().filter(|stream| {
        let mut stream = *stream;
        stream.set_read_timeout(Some(PATIENCE)).expect("a bound");
        let sent = stream.write_all(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").is_ok();
        sent && stream.read(&mut [0; 12]).is_ok_and(|count| count == 12)
    });
    answered.count()
}

#[test]
fn s28_no_address_takes_all_connections() {
    let host = Host::ready(&["--bundle", &bundles().name(1), "--address-connections", "20"]);
    assert!((15..=20).contains(&answered_of(&host, 60)), "the test itself has asked before");
    host.wait("room again", || answered_of(&host, 1) == 1);
    // what half requests of one address hold is no more
    let half: Vec<TcpStream> = (0..60)
        .filter_map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", host.port)).ok()?;
            stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nX-Half").ok()?;
            Some(stream)
        })
        .collect();
    host.wait("the bound", || TcpStream::connect(("127.0.0.1", host.port)).is_ok() && answered_of(&host, 1) == 0);
    drop(half);
    host.wait("room again", || answered_of(&host, 1) == 1);
    let proxied = Host::ready(&[
        "--bundle",
        &bundles().name(1),
        "--address-connections",
        "20",
        "--trusted-proxies",
        "10.0.0.0/8,127.0.0.1",
    ]);
    assert_eq!(answered_of(&proxied, 60), 60);
    let (code, said) = run(&["--bundle", &bundles().name(1), "--trusted-proxies", "0.0.0.0/0"]);
    assert!(code == Some(2) && said.contains("means every address"), "{said}");
}
