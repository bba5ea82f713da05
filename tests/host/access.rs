//! Who may read and who may steer; encrypted connections; several sites by name.

use std::fs;
use std::io::{BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tempfile::TempDir;

use crate::host::bundles::bundles;
use crate::host::program::{Answer, Host, PATIENCE, TOKEN, read_answer, token_file};

#[test]
fn private_sites_show_nothing_to_strangers() {
    let folder = TempDir::new().expect("a folder");
    let readers = folder.path().join("readers");
    fs::write(&readers, "# who may read\nann:secret word\nbearer robot-token-123\n").expect("a file");
    let host = Host::ready(&[
        "--bundle",
        &bundles().name(1),
        "--readers",
        readers.to_str().expect("a name"),
        "--mcp",
        // as many wrong ones as here would lock
        "--password-failures",
        "0",
    ]);
    let basic = |text: &str| format!("Authorization: Basic {}", STANDARD.encode(text));
    for path in
        ["/", "/guides/start", "/nothing", "/old", "/_offprint/manifest.json", "/-/search?q=page", "/mcp", "/noise.png"]
    {
        for lines in [
            vec![],
            vec![basic("ann:wrong")],
            vec![basic("bob:secret word")],
            vec!["Authorization: Bearer nope".to_owned()],
            vec![basic("ann:secret word"), basic("ann:secret word")],
        ] {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let refused = host.client().ask("GET", path, &lines, b"").expect("an answer");
            assert_eq!(refused.status, 401, "{path} {lines:?}");
            assert!(
                refused.header("www-authenticate").starts_with("Basic realm=")
                    && refused.text() == "This site is private.\n"
                    && refused.header("x-offprint-version").is_empty(),
                "{path}"
            );
        }
    }
    for line in [basic("ann:secret word"), "Authorization: Bearer robot-token-123".to_owned()] {
        let page = host.ask("GET", "/guides/start", &[&line]);
        assert!(page.status == 200 && page.header("cache-control").starts_with("private"), "{:?}", page.headers);
    }
    assert_eq!((host.get("/livez").status, host.get("/readyz").status), (200, 200));
    // another file counts from the signal on; one that cannot be read changes nothing
    fs::write(&readers, "bob:other").expect("a file");
    host.signal("HUP");
    host.wait("the new readers", || host.ask("GET", "/", &[&basic("bob:other")]).status == 200);
    assert_eq!(host.ask("GET", "/", &[&basic("ann:secret word")]).status, 401);
    fs::write(&readers, "nobody").expect("a file");
    host.signal("HUP");
    host.says("names no reader");
    assert_eq!(host.ask("GET", "/", &[&basic("bob:other")]).status, 200);
}

/// A host whose reader is `ann`.
fn private_host(folder: &Path, arguments: &[&str]) -> Host {
    let readers = folder.join("readers");
    fs::write(&readers, "ann:secret word\nbearer robot-token-123\n").expect("a file");
    let all = ["--bundle", &bundles().name(1), "--readers", readers.to_str().expect("a name")];
    Host::ready(&[&all, arguments].concat())
}

fn basic(pair: &str) -> String {
    format!("Authorization: Basic {}", STANDARD.encode(pair))
}

#[test]
fn who_guesses_passwords_is_locked_out_of_the_right_one_too() {
    let folder = TempDir::new().expect("a folder");
    let host = private_host(folder.path(), &["--password-failures", "5", "--lock-seconds", "600"]);
    // at once over many connections, for names that there are and others: only five are looked at
    let guesses: Vec<_> = (0..8)
        .map(|guesser| {
            let mut client = host.client();
            std::thread::spawn(move || {
                let name = if guesser % 2 == 0 { "ann" } else { "nobody" };
                let guess =
                    |n| client.ask("GET", "/", &[&basic(&format!("{name}:{guesser}-{n}"))], b"").expect("an answer");
                (0..10).map(guess).map(|answer| answer.status).collect::<Vec<u16>>()
            })
        })
        .collect();
    let statuses: Vec<u16> = guesses.into_iter().flat_map(|guesses| guesses.join().expect("a guesser")).collect();
    let count = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(401), count(429)), (5, 75), "{statuses:?}");
    for right in [basic("ann:secret word"), "Authorization: Bearer robot-token-123".to_owned()] {
        let refused = host.ask("GET", "/guides/start", &[&right]);
        assert_eq!(refused.status, 429);
        let wait: u64 = refused.header("retry-after").parse().expect("seconds");
        assert!((1..=600).contains(&wait) && !refused.text().contains("Edition"), "{wait}");
    }
    host.says("wrong passwords from 127.0.0.1: 5, the address is locked for 600 s");
    assert!(!host.printed().contains("nobody") && !host.printed().contains("secret"), "{}", host.printed());
    // without a password there is nothing to guess, and an operator lets everybody in again
    assert_eq!((host.get("/").status, host.get("/livez").status), (401, 200));
    host.signal("HUP");
    host.wait("the lock to end", || host.ask("GET", "/", &[&basic("ann:secret word")]).status == 200);
}

#[test]
fn a_lock_passes() {
    let folder = TempDir::new().expect("a folder");
    let host = private_host(folder.path(), &["--password-failures", "2", "--lock-seconds", "1"]);
    for _ in 0..2 {
        assert_eq!(host.ask("GET", "/", &[&basic("ann:wrong")]).status, 401);
    }
    host.wait("the lock to pass", || host.ask("GET", "/", &[&basic("ann:secret word")]).status == 200);
}

#[test]
fn guesses_count_for_the_client_of_a_trusted_proxy() {
    let folder = TempDir::new().expect("a folder");
    let lock = ["--password-failures", "2", "--lock-seconds", "600"];
    let host = private_host(folder.path(), &[&lock[..], &["--trusted-proxies", "127.0.0.1"]].concat());
    let from =
        |client: &str, pair: &str| host.ask("GET", "/", &[&format!("X-Forwarded-For: {client}"), &basic(pair)]).status;
    assert_eq!(from("192.0.2.7", "ann:secret word"), 200);
    assert_eq!([(); 3].map(|()| from("192.0.2.1", "ann:wrong")), [401, 401, 429]);
    assert_eq!((from("192.0.2.1", "ann:secret word"), from("192.0.2.2", "ann:secret word")), (429, 200));
    // many addresses for one name: it is locked where it was not used yet, and nowhere else
    for last in 0..18 {
        assert_eq!(from(&format!("198.51.100.{last}"), "ann:wrong"), 401, "{last}");
    }
    assert_eq!((from("203.0.113.1", "ann:secret word"), from("192.0.2.7", "ann:secret word")), (429, 200));
    host.says("wrong passwords for `ann` from many addresses");
    // what others write into the header is not believed
    let open = private_host(folder.path(), &lock);
    let ask =
        |n: u32, pair: &str| open.ask("GET", "/", &[&format!("X-Forwarded-For: 192.0.2.{n}"), &basic(pair)]).status;
    assert_eq!([0, 1, 2].map(|n| ask(n, "ann:wrong")), [401, 401, 429]);
    assert_eq!(ask(9, "ann:secret word"), 429);
    open.says("none of `--trusted-proxies`");
}

#[test]
fn who_guesses_the_token_of_operators_is_locked_out() {
    let folder = TempDir::new().expect("a folder");
    let token = token_file(folder.path());
    let host =
        private_host(folder.path(), &["--token-file", &token, "--password-failures", "3", "--lock-seconds", "600"]);
    for expect in [401, 401, 401, 429] {
        assert_eq!(host.ask("POST", "/-/reload", &["Authorization: Bearer guess"]).status, expect);
    }
    let refused = host.order("/-/reload");
    assert!(refused.status == 429 && !refused.header("retry-after").is_empty(), "{refused:?}");
    host.says("the address is locked for 600 s");
}

#[test]
fn files_are_read_again_without_a_signal() {
    let folder = TempDir::new().expect("a folder");
    let readers = folder.path().join("readers");
    let basic = |text: &str| format!("Authorization: Basic {}", STANDARD.encode(text));
    fs::write(&readers, "ann:one").expect("a file");
    let arguments = [
        "--bundle",
        &bundles().name(1),
        "--readers",
        readers.to_str().expect("a name"),
        "--token-file",
        &token_file(folder.path()),
    ];
    let host = Host::ready(&arguments);
    assert_eq!(host.ask("GET", "/", &[&basic("ann:one")]).status, 200);
    fs::write(&readers, "bob:two").expect("a file");
    assert_eq!(host.order("/-/reload").status, 200);
    assert_eq!([&basic("ann:one"), &basic("bob:two")].map(|line| host.ask("GET", "/", &[line]).status), [401, 200]);
    drop(host);
    // whoever looks for bundles looks at these too
    let (chain, key) = certificate(folder.path(), "one");
    let host = Host::start(&[&arguments[..], &["--watch-url", "1", "--tls-cert", &chain, "--tls-key", &key]].concat());
    host.wait("a connection", || ask_encrypted(host.port, &chain).is_ok());
    let (other, other_key) = certificate(folder.path(), "two");
    fs::copy(&other_key, &key).expect("a copy");
    fs::copy(&other, &chain).expect("a copy");
    host.wait("the new certificate", || ask_encrypted(host.port, &other).is_ok());
    fs::write(&chain, "no certificate").expect("a file");
    host.says("it holds no certificate");
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert_eq!(host.printed().matches("it holds no certificate").count(), 1, "{}", host.printed());
    assert!(ask_encrypted(host.port, &other).is_ok());
}

#[test]
fn orders_need_the_token() {
    let folder = TempDir::new().expect("a folder");
    let host = Host::ready(&["--bundle", &bundles().name(1), "--token-file", &token_file(folder.path())]);
    for path in ["/-/reload", "/-/rollback"] {
        for line in [
            "X: y",
            "Authorization: Bearer wrong",
            "Authorization: Bearer ",
            &format!("Authorization: Basic {TOKEN}"),
            &format!("Authorization: Bearer {TOKEN}x"),
        ] {
            let refused = host.ask("POST", path, &[line]);
            assert_eq!(
                (refused.status, &refused.json()["error"]),
                (401, &"authentication failed".into()),
                "{path} {line}"
            );
        }
        assert_eq!((host.get(path).status, host.get(path).header("allow")), (405, "POST"));
    }
    assert_eq!(host.order("/-/reload").status, 200);
    let without = Host::ready(&["--bundle", &bundles().name(1)]);
    assert_eq!(without.order("/-/reload").status, 404);
    fs::write(folder.path().join("short"), "short").expect("a file");
    let (code, printed) = crate::host::program::run(&[
        "--bundle",
        &bundles().name(1),
        "--token-file",
        folder.path().join("short").to_str().expect("a name"),
    ]);
    assert!(code == Some(2) && printed.contains("at least 16 characters"), "{printed}");
}

/// A certificate for `localhost` that trusts itself, made by openssl.
fn certificate(folder: &Path, name: &str) -> (String, String) {
    let path = |end: &str| folder.join(format!("{name}.{end}")).to_str().expect("a name").to_owned();
    let (chain, key) = (path("pem"), path("key"));
    let output = std::process::Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            &format!("/CN={name}"),
        ])
        .args([
            "-addext",
            "subjectAltName=DNS:localhost",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-keyout",
            &key,
            "-out",
            &chain,
        ])
        .output()
        .expect("openssl");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (chain, key)
}

/// One request over TLS, with trust in one certificate.
fn ask_encrypted(port: u16, trusted: &str) -> Result<Answer, String> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(trusted).map_err(|error| error.to_string())?)
        .map_err(|error| error.to_string())?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let connection = ClientConnection::new(Arc::new(config), ServerName::try_from("localhost").expect("a name"))
        .map_err(|error| error.to_string())?;
    let stream = TcpStream::connect(("127.0.0.1", port)).map_err(|error| error.to_string())?;
    stream.set_read_timeout(Some(PATIENCE)).expect("a bound");
    let mut stream = StreamOwned::new(connection, stream);
    stream.write_all(b"GET /guides/start HTTP/1.1\r\nHost: localhost\r\n\r\n").map_err(|error| error.to_string())?;
    read_answer(&mut BufReader::new(stream), false).map_err(|error| error.to_string())
}

#[test]
fn connections_are_encrypted_and_certificates_renewed() {
    let folder = TempDir::new().expect("a folder");
    let (chain, key) = certificate(folder.path(), "one");
    let host = Host::start(&["--bundle", &bundles().name(1), "--tls-cert", &chain, "--tls-key", &key]);
    host.wait("a page", || ask_encrypted(host.port, &chain).is_ok_and(|page| page.status == 200));
    let page = ask_encrypted(host.port, &chain).expect("a page");
    assert!(
        page.text().contains("Edition-1") && page.header("strict-transport-security").starts_with("max-age="),
        "{:?}",
        page.headers
    );
    host.says("Listening on https://");
    // without TLS there is nothing
    assert!(host.client().ask("GET", "/", &[], b"").is_err());
    let (other, other_key) = certificate(folder.path(), "two");
    assert!(ask_encrypted(host.port, &other).is_err());
    fs::copy(&other, &chain).expect("a copy");
    fs::copy(&other_key, &key).expect("a copy");
    host.signal("HUP");
    host.wait("the new certificate", || ask_encrypted(host.port, &other).is_ok());
    fs::write(&chain, "no certificate").expect("a file");
    host.signal("HUP");
    host.says("cannot be used for TLS");
    assert!(ask_encrypted(host.port, &other).is_ok());
}

#[test]
fn sites_are_told_apart_by_the_host_name_alone() {
    let folder = TempDir::new().expect("a folder");
    let config = folder.path().join("host.toml");
    let text = format!(
        "cache_dir = \"cache\"\n[[sites]]\nhosts = [\"One.example\", \"www.one.example\"]\nbundle = \"{}\"\nversion = \"v1\"\n\n[[sites]]\nhosts = [\"two.example\", \"bücher.example\"]\nbundle = \"{}\"\nsearch = false\nmcp = true\n",
        bundles().name(1),
        bundles().name(2)
    );
    fs::write(&config, text).expect("a file");
    let host = Host::ready(&["--config", config.to_str().expect("a name"), "--token-file", &token_file(folder.path())]);
    let version = |lines: &[&str]| host.ask("GET", "/guides/start", lines).header("x-offprint-version").to_owned();
    for (name, expect) in [
        ("one.example", "v1"),
        ("ONE.example", "v1"),
        ("www.one.example:8080", "v1"),
        ("one.example.", "v1"),
        ("two.example", "v2"),
        ("two.example:443", "v2"),
        ("xn--bcher-kva.example", "v2"),
    ] {
        assert_eq!(version(&[&format!("Host: {name}")]), expect, "{name}");
    }
    for name in [
        "localhost",
        "three.example",
        "",
        "one.example.evil",
        "two.example, one.example",
        "[::1]",
        "one.example@two.example",
    ] {
        let refused = host.ask("GET", "/guides/start", &[&format!("Host: {name}")]);
        assert!(
            matches!(refused.status, 400 | 421) && !refused.text().contains("Edition"),
            "{name}: {}",
            refused.status
        );
    }
    // other names of the host do not count
    assert_eq!(version(&["Host: one.example", "X-Forwarded-Host: two.example", "Forwarded: host=two.example"]), "v1");
    assert_eq!(host.ask("GET", "/guides/start", &["Host: one.example", "Host: two.example"]).status, 400);
    assert_eq!(
        host.ask("GET", "http://two.example/guides/start", &["Host: one.example"]).header("x-offprint-version"),
        "v2"
    );
    assert_eq!(
        (
            host.ask("GET", "/-/search?q=page", &["Host: one.example"]).status,
            host.ask("GET", "/-/search?q=page", &["Host: two.example"]).status
        ),
        (200, 404)
    );
    let reloaded = host.ask("POST", "/-/reload", &["Host: two.example", &format!("Authorization: Bearer {TOKEN}")]);
    assert_eq!((reloaded.status, &reloaded.json()["version"]), (200, &"v2".into()));
    assert!(folder.path().join("cache/one.example/bundles.json").is_file());
    // the newer edition of one is not that of the other
    let (code, printed) =
        crate::host::program::run(&["--config", config.to_str().expect("a name"), "--bundle", "x.zip"]);
    assert!(code == Some(2) && printed.contains("cannot be used with"), "{printed}");
}
