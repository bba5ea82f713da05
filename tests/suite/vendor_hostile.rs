//! Servers and addresses that mean harm: whatever they answer, nothing of it is kept, and nothing else on this machine
//! is asked.

use std::collections::BTreeMap;
use std::future::ready;
use std::io::{self, Write};
use std::net::{IpAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::{Duration, Instant};

use offprint::base::LoadKind;
use offprint::fetch::resolve::Answers;
use offprint::fetch::{DownloadLimits, FetchPolicy, Resolve};
use offprint::frame::asset::remote::{AddressSpot, FoundAsset, LOCK_FILE, Remote, RemoteMode, RemoteOptions, Requests};

use crate::suite::servers::{Server, gzip, png, reply};

/// Names with the addresses that they have.
struct Table(BTreeMap<String, Vec<IpAddr>>);

impl Resolve for Table {
    fn resolve(&self, host: &str) -> Answers {
        let found = self.0.get(host).cloned();
        Box::pin(ready(found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))))
    }
}

/// An address, and what a page wants there.
struct Case {
    what: String,
    url: String,
    load: LoadKind,
}

/// Addresses of this machine and of networks around it, in all spellings. `{port}` is the port of the canary.
const LITERALS: [&str; 46] = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "0177.1",
    "127.0.0.1.",
    "0",
    "0.0.0.0",
    "0x0",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fd20:ce::254]",
    "[ff02::1]",
    "[2001:db8::1]",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "%31%32%37.0.0.1",
];

/// Addresses that a name may not have.
const ANSWERS: [&str; 30] = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
    "2001::1",
    "5f00::1",
];

/// Addresses that are refused for their form.
const FORMS: [&str; 12] = [
    "file:///etc/passwd",
    "ftp://example.com/a.png",
    "gopher://127.0.0.1:{port}/_GET",
    "dict://127.0.0.1:{port}/x",
    "javascript:alert(1)",
    "ws://127.0.0.1:{port}/",
    "http://user@public.test/a.png",
    "http://user:secret@public.test/a.png",
    "http://public.test:22/",
    "http://public.test:25/",
    "http://public.test:6379/",
    "http://public.test@127.0.0.1:{port}/",
];

const STATUSES: [&str; 16] = [
    "201 Created",
    "203 Non-Authoritative",
    "204 No Content",
    "206 Partial",
    "300 Choices",
    "304 Same",
    "400 Bad",
    "401 Who",
    "403 No",
    "404 None",
    "407 Proxy",
    "410 Gone",
    "418 Tea",
    "429 Many",
    "500 Broken",
    "503 Busy",
];

/// Bodies that are no asset, under names of assets.
fn wrong_types() -> Vec<(&'static str, &'static str, Vec<u8>, LoadKind)> {
    let page = b"<!doctype html><script>alert(1)</script>".to_vec();
    let bodies: [(&str, Vec<u8>); 9] = [
        ("page", page.clone()),
        ("json", b"{\"a\":1}".to_vec()),
        ("script", b"alert(1)".to_vec()),
        ("pdf", b"%PDF-1.7\n".to_vec()),
        ("zip", b"PK\x03\x04zip".to_vec()),
        ("program", b"\x7fELF\x02\x01\x01".to_vec()),
        ("empty", Vec::new()),
        ("heic", b"\0\0\0\x18ftypheic\0\0\0\0".to_vec()),
        ("zeros", vec![0; 4096]),
    ];
    let mut out = Vec::new();
    for (name, body) in &bodies {
        for (declared, load) in [
            ("image/png", LoadKind::Picture),
            ("image/svg+xml", LoadKind::Picture),
            ("font/woff2", LoadKind::Font),
            ("video/mp4", LoadKind::Film),
            ("audio/mpeg", LoadKind::Sound),
        ] {
            out.push((*name, declared, body.clone(), load));
        }
    }
    out.extend([
        ("page as a sheet", "text/css", page, LoadKind::Sheet),
        ("script as a sheet", "application/javascript", b"alert(1)".to_vec(), LoadKind::Sheet),
        ("picture as a sheet", "text/css", png(1, 1), LoadKind::Sheet),
        ("picture as a font", "font/woff2", png(1, 1), LoadKind::Font),
        ("picture as a film", "video/mp4", png(1, 1), LoadKind::Film),
        ("sheet as a picture", "text/css", b"a{}".to_vec(), LoadKind::Picture),
        ("film as a picture", "image/png", b"\0\0\0\x18ftypisom\0\0\0\0".to_vec(), LoadKind::Picture),
        ("drawing as a page", "text/html", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), LoadKind::Picture),
        ("page with a drawing", "image/svg+xml", b"<html><svg/></html>".to_vec(), LoadKind::Picture),
    ]);
    out
}

/// Answers that break the rules of the protocol, or their own word, or never end.
const FAULTS: [&str; 25] = [
    "endless-length",
    "endless-chunks",
    "endless-close",
    "huge-length",
    "gzip-bomb",
    "slow-head",
    "slow-body",
    "silent",
    "one-huge-header",
    "many-headers",
    "no-http",
    "http-0.9",
    "closes",
    "half-head",
    "truncated",
    "chunk-garbage",
    "chunk-truncated",
    "gzip-garbage",
    "gzip-truncated",
    "encoding-br",
    "encoding-zstd",
    "encoding-deflate",
    "encoding-twice",
    "two-lengths",
    "bad-status",
];

/// Redirects that lead in circles or nowhere.
const CIRCLES: [&str; 8] =
    ["loop", "chain-6", "chain-endless", "nowhere", "empty", "bytes", "bracket", "fragment-loop"];

fn fault(name: &str, stream: &mut TcpStream) -> io::Result<()> {
    let picture = png(2, 2);
    let plain = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n";
    let block = vec![b'a'; 64 << 10];
    match name {
        "endless-length" => {
            write!(stream, "{plain}Content-Length: 9999999999\r\n\r\n")?;
            loop {
                stream.write_all(&block)?;
            }
        }
        "endless-chunks" => {
            write!(stream, "{plain}Transfer-Encoding: chunked\r\n\r\n")?;
            stream.write_all(format!("{:x}\r\n", picture.len()).as_bytes())?;
            stream.write_all(&picture)?;
            loop {
                write!(stream, "\r\n{:x}\r\n", block.len())?;
                stream.write_all(&block)?;
            }
        }
        "endless-close" => {
            write!(stream, "{plain}Connection: close\r\n\r\n")?;
            stream.write_all(&picture)?;
            loop {
                stream.write_all(&block)?;
            }
        }
        "huge-length" => write!(stream, "{plain}Content-Length: 18446744073709551615\r\n\r\nabc"),
        "gzip-bomb" => {
            let bomb = gzip(&vec![0; 64 << 20]);
            write!(stream, "{plain}Content-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", bomb.len())?;
            stream.write_all(&bomb)
        }
        "slow-head" => drip(stream, plain.as_bytes()),
        "slow-body" => {
            write!(stream, "{plain}Content-Length: {}\r\n\r\n", picture.len())?;
            drip(stream, &picture)
        }
        "silent" => {
            sleep(Duration::from_secs(6));
            Ok(())
        }
        "one-huge-header" => {
            write!(stream, "{plain}X: ")?;
            for _ in 0..64 {
                stream.write_all(&block)?;
            }
            write!(stream, "\r\nContent-Length: 0\r\n\r\n")
        }
        "many-headers" => {
            write!(stream, "{plain}")?;
            for at in 0..5000 {
                write!(stream, "X-{at}: y\r\n")?;
            }
            write!(stream, "Content-Length: 0\r\n\r\n")
        }
        "no-http" => stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n"),
        "http-0.9" => stream.write_all(&picture),
        "closes" => Ok(()),
        "half-head" => stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Ty"),
        "truncated" => {
            write!(stream, "{plain}Content-Length: {}\r\n\r\n", picture.len() + 10)?;
            stream.write_all(&picture)
        }
        "chunk-garbage" => write!(stream, "{plain}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n"),
        "chunk-truncated" => write!(stream, "{plain}Transfer-Encoding: chunked\r\n\r\nff\r\nabc"),
        "gzip-garbage" => write!(stream, "{plain}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"),
        "gzip-truncated" => {
            let packed = gzip(&png(64, 64));
            let half = &packed[..packed.len() / 2];
            write!(stream, "{plain}Content-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", half.len())?;
            stream.write_all(half)
        }
        "two-lengths" => write!(stream, "{plain}Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"),
        "bad-status" => stream.write_all(b"HTTP/1.1 99999 What\r\n\r\n"),
        name => {
            let coding = if name == "encoding-twice" { "gzip, gzip" } else { name.trim_start_matches("encoding-") };
            write!(stream, "{plain}Content-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n", picture.len())?;
            stream.write_all(&picture)
        }
    }
}

fn drip(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    for byte in bytes.iter().cycle().take(60) {
        stream.write_all(&[*byte])?;
        sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn circle(name: &str, path: &str, stream: &mut TcpStream) {
    let number: u32 = path.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(0);
    let (status, location) = match name {
        "loop" => ("302 Found", path.to_owned()),
        "chain-6" if number >= 100 + 6 => return reply(stream, "200 OK", "Content-Type: image/png\r\n", &png(2, 2)),
        "chain-6" => ("307 Temporary", format!("/circle/chain-6?n-{}", number.max(100) + 1)),
        "chain-endless" => ("301 Moved", format!("/circle/chain-endless?n-{}", number + 1)),
        "empty" => ("308 Permanent", String::new()),
        "bytes" => ("302 Found", "\u{1}\u{2}".to_owned()),
        "bracket" => ("302 Found", "http://[".to_owned()),
        "fragment-loop" => ("303 Other", "#again".to_owned()),
        _ => return reply(stream, "302 Found", "", b""),
    };
    reply(stream, status, &format!("Location: {location}\r\n"), b"");
}

/// The badly behaved server. Redirects go where `targets` says.
fn server(targets: Vec<String>) -> Server {
    let wrong = wrong_types();
    Server::start(move |path, stream| {
        let (kind, name) = path[1..].split_once('/').unwrap_or((&path[1..], ""));
        let number: usize = name.parse().unwrap_or(0);
        match kind {
            "fault" => drop(fault(name, stream)),
            "status" => reply(
                stream,
                STATUSES[number],
                "Content-Type: image/png\r\n",
                if STATUSES[number].starts_with("204") || STATUSES[number].starts_with("304") {
                    b""
                } else {
                    b"\x89PNG\r\n\x1a\n"
                },
            ),
            "type" => reply(stream, "200 OK", &format!("Content-Type: {}\r\n", wrong[number].1), &wrong[number].2),
            "to" => reply(stream, "302 Found", &format!("Location: {}\r\n", targets[number]), b""),
            "circle" => circle(name.split('?').next().unwrap_or_default(), path, stream),
            _ => reply(stream, "200 OK", "Content-Type: image/png\r\n", &png(4, 3)),
        }
    })
}

/// All files below a folder.
fn files_in(folder: &Path) -> Vec<String> {
    let entries =
        walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    entries.map(|entry| entry.path().display().to_string()).collect()
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table of answers")]
fn hostile_answers_are_refused_and_nothing_is_kept() {
    let canary = Server::start(|_, stream| reply(stream, "200 OK", "Content-Type: image/png\r\n", &png(9, 9)));
    let fill = |text: &str| text.replace("{port}", &canary.port.to_string());
    let literal = |host: &str| format!("http://{host}:{}/canary.png", canary.port);
    let mut targets: Vec<String> = LITERALS.iter().filter(|host| host.is_ascii()).map(|host| literal(host)).collect();
    targets.extend(FORMS.iter().map(|form| fill(form)));
    let hostile = server(targets.clone());

    let mut names = BTreeMap::from([
        ("public.test".to_owned(), vec!["93.184.216.34".parse().unwrap()]),
        ("good.test".to_owned(), vec!["127.0.0.1".parse().unwrap()]),
    ]);
    let mut own = vec![format!("good.test:{}", hostile.port).parse().unwrap()];
    let mut cases = Vec::new();
    let mut case = |what: String, url: String, load: LoadKind| cases.push(Case { what, url, load });
    for host in LITERALS {
        case(format!("literal {host}"), literal(host), LoadKind::Picture);
    }
    for form in FORMS {
        case(format!("form {form}"), fill(form), LoadKind::Picture);
    }
    for (at, answer) in ANSWERS.iter().enumerate() {
        names.insert(format!("private-{at}.test"), vec![answer.parse().unwrap()]);
        names.insert(format!("mixed-{at}.test"), vec!["93.184.216.34".parse().unwrap(), answer.parse().unwrap()]);
        case(
            format!("name with {answer}"),
            format!("http://private-{at}.test:{}/canary.png", canary.port),
            LoadKind::Style,
        );
        case(
            format!("name with {answer} among others"),
            format!("http://mixed-{at}.test:{}/canary.png", canary.port),
            LoadKind::Font,
        );
    }
    case("name without an address".into(), "https://nowhere.test/a.png".into(), LoadKind::Picture);
    // one name for each fault, so that none is judged by the others
    let mut at_server = |what: String, path: String, load: LoadKind| {
        let name = format!("case-{}.test", own.len());
        names.insert(name.clone(), vec!["127.0.0.1".parse().unwrap()]);
        own.push(format!("{name}:{}", hostile.port).parse().unwrap());
        case(what, format!("http://{name}:{}{path}", hostile.port), load);
    };
    for fault in FAULTS {
        at_server(format!("fault {fault}"), format!("/fault/{fault}"), LoadKind::Picture);
    }
    for circle in CIRCLES {
        at_server(format!("circle {circle}"), format!("/circle/{circle}"), LoadKind::Picture);
    }
    for (at, status) in STATUSES.iter().enumerate() {
        at_server(format!("status {status}"), format!("/status/{at}"), LoadKind::Picture);
    }
    for (at, (name, declared, _, load)) in wrong_types().into_iter().enumerate() {
        at_server(format!("{name} as {declared}"), format!("/type/{at}"), load);
    }
    for (at, target) in targets.iter().enumerate() {
        at_server(format!("redirect to {target}"), format!("/to/{at}"), LoadKind::Picture);
    }
    assert!(cases.len() >= 250, "{}", cases.len());

    let folder = tempfile::tempdir().unwrap();
    let (site, cache) = (folder.path().join("site"), folder.path().join("cache"));
    std::fs::create_dir(&site).unwrap();
    let limits = DownloadLimits {
        total: Duration::from_secs(5),
        idle: Duration::from_secs(2),
        head: Duration::from_secs(3),
        connect: Duration::from_secs(2),
        ..DownloadLimits::default()
    };
    let policy = FetchPolicy { own, ports: vec![canary.port], ..FetchPolicy::default() };
    let options =
        RemoteOptions { mode: RemoteMode::On, policy, cache: Some(cache.clone()), limits, ..RemoteOptions::default() };
    let mut problems = Vec::new();
    let remote = Remote::with_resolver(&options, &site, &mut problems, Arc::new(Table(names)));

    let started = Instant::now();
    let mut requests = Requests::default();
    for case in &cases {
        remote.look_up(&case.url, case.load, AddressSpot::default(), &mut requests);
    }
    remote.wait(&requests.take_pending(), &AtomicBool::new(false)).unwrap();
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    let mut retained = Vec::new();
    for case in &cases {
        let found = remote.look_up(
            &case.url,
            case.load,
            AddressSpot { file: "index.mdx".into(), line: 1, column: 1 },
            &mut requests,
        );
        if found != FoundAsset::Absent {
            retained.push(format!("{}: {found:?}", case.what));
        }
    }
    remote.commit(requests);
    assert_eq!(retained, Vec::<String>::new());
    assert_eq!(canary.requests(), Vec::<String>::new(), "somebody knocked where nobody may");
    assert_eq!(remote.files().count(), 0);
    assert_eq!(files_in(&cache), Vec::<String>::new());
    assert_eq!(remote.write_lock(false), None);
    assert!(!site.join(LOCK_FILE).exists());
    let diagnostics = remote.diagnostics();
    assert!(
        diagnostics.iter().all(|diagnostic| diagnostic.code == "remote-asset" && diagnostic.hint.is_some()),
        "{diagnostics:?}"
    );
    // refused for what they are, not because this machine has no way there
    let by_chance = |message: &str| ["was canceled", "cannot be reached"].iter().any(|words| message.contains(words));
    assert!(!diagnostics.iter().any(|diagnostic| by_chance(&diagnostic.message)), "{diagnostics:?}");
    let slow = diagnostics.iter().filter(|diagnostic| diagnostic.message.contains("too long")).count();
    assert_eq!(slow, 3, "only those that are slow: {diagnostics:?}");

    // the same server serves well who asks for something good: the refusals above are not for want of a network
    let mut requests = Requests::default();
    let good = format!("http://good.test:{}/good.png", hostile.port);
    remote.look_up(&good, LoadKind::Picture, AddressSpot::default(), &mut requests);
    remote.wait(&requests.take_pending(), &AtomicBool::new(false)).unwrap();
    let found = remote.look_up(&good, LoadKind::Picture, AddressSpot::default(), &mut requests);
    assert!(matches!(found, FoundAsset::Here { size: Some((4, 3)), .. }), "{found:?}");
}
