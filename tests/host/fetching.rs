//! Where bundles come from: files, links, the cache; what is refused, and what happens to what is shown meanwhile.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::bundles::bundles;
use crate::faults::{Fault, Faulty};
use crate::program::{Host, run, token_file};
use crate::zips;

fn folder() -> TempDir {
    TempDir::with_prefix("offprint-host-").expect("a temporary folder")
}

fn name(path: &Path) -> String {
    path.to_str().expect("a name").to_owned()
}

/// Which edition a host shows, by a page of it; every byte of the page counts.
fn edition(host: &Host) -> usize {
    let page = host.get("/guides/start");
    let shown = (1..=3).find(|edition| page.text().contains(&format!("Edition-{edition} of this page"))).unwrap_or_else(|| panic!("{}: {}", page.status, host.printed()));
    assert_eq!((page.status, page.header("x-offprint-version")), (200, format!("v{shown}").as_str()));
    shown
}

#[test]
fn a_link_is_fetched_and_shown() {
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip?sig=abc"), "--sha256", &bundles().sha256(1), "--export-version", "v1"]);
    assert_eq!(edition(&host), 1);
    assert_eq!(host.get("/readyz").header("x-offprint-digest"), bundles().sha256(1));
    let asked = server.state().asked.join("");
    assert!(asked.contains("GET /b.zip?sig=abc HTTP/1.1") && asked.to_ascii_lowercase().contains("accept-encoding: identity"), "{asked}");
}

#[test]
fn before_there_is_a_bundle_pages_say_so() {
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    server.fail([Fault::Status(503), Fault::Status(503), Fault::Status(503), Fault::Status(503)]);
    let host = Host::start(&["--bundle-url", &server.url("/b.zip")]);
    assert_eq!(host.get("/livez").json()["status"], "ok");
    let (ready, page) = (host.get("/readyz"), host.get("/guides/start"));
    if ready.status == 503 {
        assert_eq!(ready.header("retry-after"), "2");
    }
    if page.status == 503 {
        assert!(page.header("retry-after") == "5" && page.text().contains("Not ready yet"));
    }
    // the failed fetch is repeated
    host.wait_ready();
    assert_eq!(edition(&host), 1);
    assert!(host.printed().contains("next try in 1 s"), "{}", host.printed());
}

#[test]
fn what_is_not_the_bundle_that_was_asked_for_ends_the_program() {
    let path = bundles().name(1);
    for (arguments, expect) in [
        (vec!["--bundle", path.as_str(), "--export-version", "v2"], "its version is v1, not v2"),
        (vec!["--bundle", &path, "--sha256", &"0".repeat(64)], "its SHA-256 is"),
        (vec!["--bundle", &path, "--public-key", "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"], "not signed"),
        (vec!["--bundle", &path, "--max-bytes", "1000"], "larger than 1000 bytes"),
    ] {
        let (code, printed) = run(&arguments);
        assert_eq!(code, Some(1), "{printed}");
        assert!(printed.contains(expect) && printed.contains("refused"), "{printed}");
    }
    for (arguments, expect) in [
        (vec![], "there is no bundle"),
        (vec!["--bundle-url", "ftp://a.b/c"], "no http or https address"),
        (vec!["--bundle", &path, "--listen", "256.0.0.1:1"], "cannot listen"),
        (vec!["--bundle", &path, "--tls-cert", "x"], "needs its key"),
        (vec!["--bundle", &path, "--sha256", "abc"], "64 hexadecimal digits"),
    ] {
        let mut command = crate::program::offprint();
        let output = command.arg("host").args(&arguments).output().expect("the program starts");
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.contains(expect), "{printed}");
    }
}

#[test]
fn hostile_archives_never_take_the_place_of_a_good_one() {
    let (folder, all) = (folder(), zips::all());
    assert!(all.len() >= 60, "{}", all.len());
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let cache = name(&folder.path().join("cache"));
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip"), "--cache-dir", &cache, "--token-file", &token_file(folder.path())]);
    for (at, (what, bytes, _)) in all.into_iter().enumerate() {
        server.put(bytes, &format!("\"h{at}\""));
        let refused = host.order("/-/reload");
        assert_eq!(refused.status, 409, "{what}: {}", refused.text());
        assert!(refused.json()["error"].as_str().is_some_and(|error| error.contains("refused")), "{what}: {}", refused.text());
        assert_eq!(edition(&host), 1, "{what}");
    }
    let kept = fs::read_dir(&cache).expect("a folder").count();
    assert_eq!((kept, fs::read_dir(Path::new(&cache).join("parts")).expect("a folder").count()), (3, 0), "the bundle, the list, and an empty folder");
    let memory = host.memory();
    assert!(memory < 200 << 20, "{memory}");
    // and the next good one is taken
    server.put(bundles().bytes(2), "\"two\"");
    assert_eq!(host.order("/-/reload").json()["changed"], true);
    assert_eq!(edition(&host), 2);
    // one of them alone ends the program
    let alone = folder.path().join("x.zip");
    fs::write(&alone, zips::named("../x")).expect("a file");
    assert_eq!(run(&["--bundle", &name(&alone)]).0, Some(1));
}

#[test]
fn a_damaged_bundle_is_never_shown() {
    let folder = folder();
    let (good, path) = (bundles().bytes(2), folder.path().join("x.zip"));
    fs::copy(bundles().path(1), &path).expect("a copy");
    let host = Host::ready(&["--bundle", &name(&path), "--token-file", &token_file(folder.path())]);
    for at in (0..good.len()).step_by(good.len() / 40) {
        let mut damaged = good.clone();
        damaged[at] ^= 0x10;
        let next = folder.path().join("next");
        fs::write(&next, damaged).expect("a file");
        fs::rename(&next, &path).expect("a new name");
        let refused = host.order("/-/reload");
        assert_eq!((refused.status, edition(&host)), (409, 1), "byte {at}: {}", refused.text());
    }
}

#[test]
fn downloads_cut_at_any_byte_end_with_the_whole() {
    let folder = folder();
    let editions = [bundles().bytes(1), bundles().bytes(2)];
    let server = Faulty::start(editions[0].clone(), "\"0\"");
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip"), "--allow-downgrade", "--token-file", &token_file(folder.path())]);
    for n in 1..=200 {
        let next = &editions[n % 2];
        let at = (next.len() - 1) * (n - 1) / 199;
        server.put(next.clone(), &format!("\"{n}\""));
        // every fourth time the server knows no parts
        server.fail(if n % 4 == 0 { vec![Fault::CutAt(at), Fault::NoRanges] } else { vec![Fault::CutAt(at)] });
        assert_eq!(edition(&host), 1 + (n + 1) % 2);
        let done = host.order("/-/reload");
        assert_eq!((done.status, &done.json()["changed"]), (200, &true.into()), "{at}: {}", done.text());
        assert_eq!(edition(&host), 1 + n % 2);
    }
    let resumed = server.state().asked.iter().filter(|head| head.to_ascii_lowercase().contains("if-range: \"")).count();
    assert!(resumed >= 190, "{resumed}");
}

#[test]
fn answers_that_are_no_bundle_leave_everything_as_it_was() {
    let folder = folder();
    let (one, two) = (bundles().bytes(1), bundles().bytes(2));
    let half = two.len() / 2;
    let server = Faulty::start(one.clone(), "\"one\"");
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip"), "--token-file", &token_file(folder.path())]);
    let many = |fault: &Fault| vec![fault.clone(); 12];
    for (fault, status) in [
        (Fault::Status(403), 502),
        (Fault::Status(404), 502),
        (Fault::Status(410), 502),
        (Fault::Status(500), 502),
        (Fault::Status(503), 502),
        (Fault::Page(true), 502),
        (Fault::Page(false), 409),
        (Fault::Truncated(half, true), 409),
        (Fault::Truncated(half, false), 502),
        (Fault::Truncated(0, true), 409),
        (Fault::CutAt(0), 502),
        (Fault::Noise, 502),
        (Fault::WrongPart, 502),
        (Fault::Redirect("http://169.254.169.254/latest/meta-data".to_owned()), 502),
        (Fault::Redirect("http://10.0.0.1/b.zip".to_owned()), 502),
        (Fault::Redirect("file:///etc/passwd".to_owned()), 502),
        (Fault::Redirect(server.url("/b.zip")), 502),
    ] {
        server.put(two.clone(), "\"two\"");
        server.fail(many(&fault));
        let refused = host.order("/-/reload");
        assert_eq!(refused.status, status, "{fault:?}: {}", refused.text());
        assert_eq!((edition(&host), &refused.json()["version"]), (1, &"v1".into()), "{fault:?}");
    }
    // the same in the middle of a download: the rest comes, or all of it again
    for fault in [Fault::Status(500), Fault::Noise, Fault::WrongPart, Fault::CutAt(100), Fault::NoRanges] {
        server.put(two.clone(), "\"two\"");
        server.fail([Fault::CutAt(half), fault.clone()]);
        assert_eq!(host.order("/-/reload").status, 200, "{fault:?}: {}", host.printed());
        assert_eq!(edition(&host), 2, "{fault:?}");
        assert_eq!(host.order("/-/rollback").status, 200);
        assert_eq!(edition(&host), 1);
    }
    // the bundle becomes another one in the middle: parts of the two are never mixed
    server.put(two, "\"two\"");
    server.fail([Fault::CutAt(half)]);
    let changed = std::thread::scope(|scope| {
        let order = scope.spawn(|| host.order("/-/reload"));
        while server.state().faults.len() == 1 {
            std::thread::yield_now();
        }
        server.put(bundles().bytes(3), "\"three\"");
        order.join().expect("no panic")
    });
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert_eq!(edition(&host), 3);
}

#[test]
fn a_download_that_stands_still_is_given_up_and_goes_on_later() {
    let folder = folder();
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip"), "--token-file", &token_file(folder.path())]);
    server.put(bundles().bytes(2), "\"two\"");
    server.fail([Fault::StallAt(bundles().bytes(2).len() / 3)]);
    let mut seen = Vec::new();
    std::thread::scope(|scope| {
        let order = scope.spawn(|| host.order("/-/reload"));
        while !order.is_finished() {
            seen.push(edition(&host));
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert_eq!(order.join().expect("no panic").status, 200);
    });
    assert!(seen.len() > 20 && seen.iter().rev().skip(1).all(|edition| *edition == 1), "{seen:?}");
    assert_eq!(edition(&host), 2);
    assert!(server.state().asked.last().is_some_and(|head| head.to_ascii_lowercase().contains("\r\nrange: bytes=")), "it was resumed");
}

#[test]
fn a_download_goes_on_after_a_restart_and_with_a_fresh_link() {
    let folder = folder();
    let cache = name(&folder.path().join("cache"));
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    server.fail([vec![Fault::CutAt(5_000)], vec![Fault::Status(403); 3]].concat());
    let host = Host::start(&["--bundle-url", &server.url("/b.zip?sig=old"), "--cache-dir", &cache]);
    host.wait("the first try", || host.printed().contains("the answer is 403"));
    drop(host);
    server.fail([]);
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip?sig=new"), "--cache-dir", &cache]);
    assert_eq!(edition(&host), 1);
    let last = server.state().asked.last().cloned().unwrap_or_default().to_ascii_lowercase();
    assert!(last.contains("range: bytes=5000-") && last.contains("sig=new"), "{last}");
}

#[test]
fn an_expired_link_with_the_pinned_version_in_the_cache_needs_no_network() {
    let folder = folder();
    let cache = name(&folder.path().join("cache"));
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    drop(Host::ready(&["--bundle-url", &server.url("/b.zip?exp=1"), "--export-version", "v1", "--cache-dir", &cache]));
    server.fail(vec![Fault::Status(403); 100]);
    let asked = server.state().asked.len();
    for pin in [["--export-version", "v1"], ["--sha256", &bundles().sha256(1)]] {
        let host = Host::ready(&["--bundle-url", &server.url("/b.zip?exp=1"), pin[0], pin[1], "--cache-dir", &cache]);
        assert_eq!(edition(&host), 1);
        host.wait("it says where it is from", || host.printed().contains("from the cache"));
    }
    assert_eq!(server.state().asked.len(), asked, "nobody was asked");
    // without a pin the server comes first; it refuses, and the last one is shown
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip?exp=1"), "--cache-dir", &cache]);
    assert_eq!(edition(&host), 1);
    host.wait("it says why", || host.printed().contains("until there is a new one"));
    // another version that cannot be had: the same
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip?exp=1"), "--export-version", "v2", "--cache-dir", &cache]);
    assert_eq!(edition(&host), 1);
    // and as soon as it can, it is shown
    server.put(bundles().bytes(2), "\"two\"");
    server.fail([]);
    host.wait("the new one", || edition(&host) == 2);
}

#[test]
fn a_cached_bundle_that_was_damaged_is_not_shown() {
    let folder = folder();
    let cache = folder.path().join("cache");
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let arguments = ["--bundle-url", &server.url("/b.zip"), "--export-version", "v1", "--cache-dir", &name(&cache)];
    drop(Host::ready(&arguments));
    let path = cache.join(format!("{}.zip", bundles().sha256(1)));
    let mut bytes = fs::read(&path).expect("a bundle");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("a file");
    let host = Host::ready(&arguments);
    assert_eq!(edition(&host), 1);
    assert!(host.printed().contains("not used any more"), "{}", host.printed());
    assert_eq!(fs::read(&path).expect("a bundle"), bundles().bytes(1));
}

#[test]
fn the_server_is_asked_whether_anything_is_new() {
    let folder = folder();
    let cache = name(&folder.path().join("cache"));
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let arguments = ["--bundle-url", &server.url("/b.zip"), "--cache-dir", &cache, "--watch-url", "1"];
    let host = Host::ready(&arguments);
    host.wait("a second look", || server.state().asked.len() > 1);
    assert!(server.state().asked[1].to_ascii_lowercase().contains("if-none-match: \"one\""));
    server.put(bundles().bytes(2), "\"two\"");
    host.wait("the new one", || edition(&host) == 2);
    // an older one does not follow a newer one
    server.put(bundles().bytes(1), "\"one again\"");
    host.wait("the older one", || host.printed().contains("--allow-downgrade"));
    assert_eq!(edition(&host), 2);
    let asked = server.state().asked.len();
    host.wait("more looks", || server.state().asked.len() > asked + 1);
    let bodies = server.state().asked.iter().filter(|head| !head.to_ascii_lowercase().contains("if-none-match: \"one again\"")).count();
    assert!(bodies < server.state().asked.len(), "what was refused is not fetched again and again");
    drop(host);
    // after a restart one question is enough
    server.put(bundles().bytes(2), "\"two\"");
    let asked = server.state().asked.len();
    let host = Host::ready(&arguments);
    assert_eq!(edition(&host), 2);
    let asked = server.state().asked[asked..].join("").to_ascii_lowercase();
    assert!(asked.contains("if-none-match: \"two\"") && host.printed().contains("from the cache"), "{asked}");
}

#[test]
fn plain_http_to_other_hosts_has_to_be_wanted() {
    let (code, printed) = run(&["--bundle-url", "http://bundles.invalid/b.zip?sig=geheim"]);
    assert_eq!(code, Some(1));
    assert!(printed.contains("asked without encryption") && printed.contains("--allow-http bundles.invalid") && !printed.contains("geheim"), "{printed}");
    let host = Host::start(&["--bundle-url", "http://bundles.invalid/b.zip", "--allow-http", "bundles.invalid"]);
    host.wait("a failure", || host.printed().contains("has no address"));
}

#[test]
fn links_are_in_no_message_and_no_answer() {
    const SECRET: &str = "VerySecretSignature";
    let folder = folder();
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let link = folder.path().join("link");
    fs::write(&link, server.url(&format!("/secret-path/b.zip?sig={SECRET}"))).expect("a file");
    let cache = folder.path().join("cache");
    server.fail(vec![Fault::Status(500); 4]);
    let host = Host::start(&["--bundle-url-file", &name(&link), "--cache-dir", &name(&cache), "--token-file", &token_file(folder.path())]);
    host.wait_ready();
    let mut said = String::new();
    for fault in [Fault::Status(403), Fault::Page(true), Fault::Page(false), Fault::Noise, Fault::Truncated(9, true), Fault::Redirect("http://10.0.0.1/".to_owned()), Fault::CutAt(0)] {
        server.put(bundles().bytes(2), "\"two\"");
        server.fail(vec![fault; 8]);
        said.push_str(&host.order("/-/reload").text());
    }
    fs::write(&link, format!("https://{SECRET} secret-path")).expect("a file");
    said.push_str(&host.order("/-/reload").text());
    said.push_str(&host.printed());
    for path in ["/", "/readyz", "/livez", "/nothing", "/_offprint/manifest.json"] {
        said.push_str(&format!("{:?}", host.get(path)));
    }
    for file in ["environ", "cmdline"] {
        said.push_str(&String::from_utf8_lossy(&fs::read(format!("/proc/{}/{file}", host.id())).unwrap_or_default()));
    }
    said.push_str(&fs::read_to_string(cache.join("bundles.json")).expect("a list"));
    for entry in walkdir::WalkDir::new(&cache).into_iter().flatten() {
        said.push_str(&entry.path().to_string_lossy());
    }
    assert!(said.len() > 2_000 && !said.contains(SECRET) && !said.contains("secret-path"), "{said}");
}
