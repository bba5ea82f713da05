//! Where bundles come from: files, links, the cache; what is refused, and what happens to what is shown meanwhile.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::host::bundles::bundles;
use crate::host::faults::{Fault, Faulty};
use crate::host::program::{Host, run, token_file};
use crate::shared::zips;

fn folder() -> TempDir {
    TempDir::with_prefix("offprint-host-").expect("a temporary folder")
}

fn name(path: &Path) -> String {
    path.to_str().expect("a name").to_owned()
}

/// Which edition a host shows, by a page of it; every byte of the page counts.
fn edition(host: &Host) -> usize {
    let page = host.get("/guides/start");
    let shown = (1..=3)
        .find(|edition| page.text().contains(&format!("Edition-{edition} of this page")))
        .unwrap_or_else(|| panic!("{}: {}", page.status, host.printed()));
    assert_eq!((page.status, page.header("x-offprint-version")), (200, format!("v{shown}").as_str()));
    shown
}

#[test]
fn a_link_is_fetched_and_shown() {
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let host = Host::ready(&[
        "--bundle-url",
        &server.url("/b.zip?sig=abc"),
        "--sha256",
        &bundles().sha256(1),
        "--export-version",
        "v1",
    ]);
    assert_eq!(edition(&host), 1);
    assert_eq!(host.get("/readyz").header("x-offprint-digest"), bundles().sha256(1));
    let requests = server.state().requests.join("");
    assert!(
        requests.contains("GET /b.zip?sig=abc HTTP/1.1")
            && requests.to_ascii_lowercase().contains("accept-encoding: identity"),
        "{requests}"
    );
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
    host.says("next try in 1 s");
}

#[test]
fn what_is_not_the_bundle_that_was_asked_for_ends_the_program() {
    let path = bundles().name(1);
    for (arguments, expect) in [
        (vec!["--bundle", path.as_str(), "--export-version", "v2"], "its version is v1, not v2"),
        (vec!["--bundle", &path, "--sha256", &"0".repeat(64)], "its SHA-256 is"),
        (
            vec!["--bundle", &path, "--public-key", "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"],
            "not signed",
        ),
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
        (vec!["--bundle", &path, "--ca-file", &path], "cannot be used"),
        (vec!["--bundle", &path, "--ca-file", "/dev/null"], "holds no certificate"),
        (vec!["--bundle", &path, "--sha256", "abc"], "64 hexadecimal digits"),
    ] {
        let mut command = crate::host::program::offprint();
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
    let host = Host::ready(&[
        "--bundle-url",
        &server.url("/b.zip"),
        "--cache-dir",
        &cache,
        "--token-file",
        &token_file(folder.path()),
    ]);
    for (at, (what, bytes, _)) in all.into_iter().enumerate() {
        // an empty answer may be a broken one
        let (status, said) = if bytes.is_empty() { (502, "empty") } else { (409, "refused") };
        server.put(bytes, &format!("\"h{at}\""));
        let refused = host.order("/-/reload");
        assert_eq!(refused.status, status, "{what}: {}", refused.text());
        assert!(
            refused.json()["error"].as_str().is_some_and(|error| error.contains(said)),
            "{what}: {}",
            refused.text()
        );
        assert_eq!(edition(&host), 1, "{what}");
    }
    let cached = fs::read_dir(&cache).expect("a folder").count();
    assert_eq!(
        (cached, fs::read_dir(Path::new(&cache).join("parts")).expect("a folder").count()),
        (3, 0),
        "the bundle, the list, and an empty folder"
    );
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
    let host = Host::ready(&[
        "--bundle-url",
        &server.url("/b.zip"),
        "--allow-downgrade",
        "--token-file",
        &token_file(folder.path()),
    ]);
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
    let resumed =
        server.state().requests.iter().filter(|head| head.to_ascii_lowercase().contains("if-range: \"")).count();
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
        (Fault::Truncated(0, true), 502),
        (Fault::Length(1_000_000_000_000_000), 409),
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
    assert!(
        server.state().requests.last().is_some_and(|head| head.to_ascii_lowercase().contains("\r\nrange: bytes=")),
        "it was resumed"
    );
}

#[test]
fn a_download_goes_on_after_a_restart_and_with_a_fresh_link() {
    let folder = folder();
    let cache = name(&folder.path().join("cache"));
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    server.fail([vec![Fault::CutAt(5_000)], vec![Fault::Status(403); 3]].concat());
    let host = Host::start(&["--bundle-url", &server.url("/b.zip?sig=old"), "--cache-dir", &cache]);
    host.says("the answer is 403");
    drop(host);
    server.fail([]);
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip?sig=new"), "--cache-dir", &cache]);
    assert_eq!(edition(&host), 1);
    let last = server.state().requests.last().cloned().unwrap_or_default().to_ascii_lowercase();
    assert!(last.contains("range: bytes=5000-") && last.contains("sig=new"), "{last}");
}

#[test]
fn what_a_server_says_of_its_refusal_is_told() {
    let folder = folder();
    let cache = name(&folder.path().join("cache"));
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    server.fail(vec![Fault::Expired("the link has expired"); 100]);
    let host = Host::start(&["--bundle-url", &server.url("/b.zip?sig=s3cr3t-s3cr3t"), "--cache-dir", &cache]);
    host.says("the answer is 403: the link has expired");
    server.fail(vec![Fault::Expired("the signature s3cr3t-s3cr3t is wrong"); 100]);
    let host = Host::start(&["--bundle-url", &server.url("/c.zip?sig=s3cr3t-s3cr3t"), "--cache-dir", &cache]);
    host.says("the answer is 403");
    assert!(!host.printed().contains("s3cr3t"), "{}", host.printed());
}

#[test]
fn an_expired_link_with_the_pinned_version_in_the_cache_needs_no_network() {
    let folder = folder();
    let cache = name(&folder.path().join("cache"));
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    drop(Host::ready(&["--bundle-url", &server.url("/b.zip?exp=1"), "--export-version", "v1", "--cache-dir", &cache]));
    server.fail(vec![Fault::Status(403); 100]);
    let before = server.state().requests.len();
    for pin in [["--export-version", "v1"], ["--sha256", &bundles().sha256(1)]] {
        let host = Host::ready(&["--bundle-url", &server.url("/b.zip?exp=1"), pin[0], pin[1], "--cache-dir", &cache]);
        assert_eq!(edition(&host), 1);
        host.says("from the cache");
    }
    assert_eq!(server.state().requests.len(), before, "nobody was asked");
    // without a pin the server comes first; it refuses, and the last one is shown
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip?exp=1"), "--cache-dir", &cache]);
    assert_eq!(edition(&host), 1);
    host.says("until a new one is verified");
    // another version that cannot be had: the same
    let host =
        Host::ready(&["--bundle-url", &server.url("/b.zip?exp=1"), "--export-version", "v2", "--cache-dir", &cache]);
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
    host.says("not used any more");
    assert_eq!(fs::read(&path).expect("a bundle"), bundles().bytes(1));
}

#[test]
fn the_server_is_asked_whether_anything_is_new() {
    let folder = folder();
    let cache = name(&folder.path().join("cache"));
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let arguments = ["--bundle-url", &server.url("/b.zip"), "--cache-dir", &cache, "--watch-url", "1"];
    let host = Host::ready(&arguments);
    host.wait("a second look", || server.state().requests.len() > 1);
    assert!(server.state().requests[1].to_ascii_lowercase().contains("if-none-match: \"one\""));
    server.put(bundles().bytes(2), "\"two\"");
    host.wait("the new one", || edition(&host) == 2);
    // an older one does not follow a newer one
    server.put(bundles().bytes(1), "\"one again\"");
    host.says("--allow-downgrade");
    assert_eq!(edition(&host), 2);
    let before = server.state().requests.len();
    host.wait("more looks", || server.state().requests.len() > before + 1);
    let bodies = server
        .state()
        .requests
        .iter()
        .filter(|head| !head.to_ascii_lowercase().contains("if-none-match: \"one again\""))
        .count();
    assert!(bodies < server.state().requests.len(), "what was refused is not fetched again and again");
    drop(host);
    // after a restart one question is enough
    server.put(bundles().bytes(2), "\"two\"");
    let before = server.state().requests.len();
    let host = Host::ready(&arguments);
    assert_eq!(edition(&host), 2);
    let requests = server.state().requests[before..].join("").to_ascii_lowercase();
    assert!(requests.contains("if-none-match: \"two\""), "{requests}");
    host.says("from the cache");
}

#[test]
fn plain_http_to_other_hosts_has_to_be_wanted() {
    let (code, printed) = run(&["--bundle-url", "http://bundles.invalid/b.zip?sig=geheim"]);
    assert_eq!(code, Some(1));
    assert!(
        printed.contains("asked without encryption")
            && printed.contains("--allow-http bundles.invalid")
            && !printed.contains("geheim"),
        "{printed}"
    );
    let host = Host::start(&["--bundle-url", "http://bundles.invalid/b.zip", "--allow-http", "bundles.invalid"]);
    host.says("has no address");
}

#[test]
fn a_redirect_is_judged_like_the_link() {
    let folder = folder();
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let host = Host::ready(&["--bundle-url", &server.url("/b.zip"), "--token-file", &token_file(folder.path())]);
    server.put(bundles().bytes(2), "\"two\"");
    for to in ["http://bundles.invalid/b.zip?sig=geheim", "http://93.184.216.34/b.zip?sig=geheim"] {
        server.fail([Fault::Redirect(to.to_owned())]);
        let refused = host.order("/-/reload");
        assert!(
            refused.status == 502
                && refused.text().contains("it redirects to another host")
                && refused.text().contains("asked without encryption"),
            "{}",
            refused.text()
        );
        assert!(!host.printed().contains("geheim") && edition(&host) == 1, "{}", host.printed());
    }
    // to itself it may
    server.fail([Fault::Redirect(server.url("/c.zip"))]);
    assert_eq!(host.order("/-/reload").json()["version"], "v2");
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
    let host = Host::start(&[
        "--bundle-url-file",
        &name(&link),
        "--cache-dir",
        &name(&cache),
        "--token-file",
        &token_file(folder.path()),
    ]);
    host.wait_ready();
    let mut said = String::new();
    for fault in [
        Fault::Status(403),
        Fault::Page(true),
        Fault::Page(false),
        Fault::Noise,
        Fault::Truncated(9, true),
        Fault::Redirect("http://10.0.0.1/".to_owned()),
        Fault::CutAt(0),
    ] {
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

#[test]
fn a_download_that_drips_is_given_up() {
    let folder = folder();
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let host = Host::ready(&[
        "--bundle-url",
        &server.url("/b.zip"),
        "--token-file",
        &token_file(folder.path()),
        "--watch-url",
        "1",
    ]);
    server.put(bundles().bytes(2), "\"two\"");
    server.fail([Fault::Drip]);
    host.says("too slow: less than 64 KiB came in 30 seconds; the active bundle is kept; next try in 1 s");
    // and the next try goes on where it ended
    host.wait("the new one", || edition(&host) == 2);
    assert!(server.state().requests.join("").to_ascii_lowercase().contains("\r\nrange: bytes="), "it was resumed");
}

#[test]
fn bundles_larger_than_the_limit_are_refused_by_their_length() {
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let (code, printed) = run(&["--bundle-url", &server.url("/b.zip"), "--max-bytes", "1000"]);
    assert!(
        code == Some(1) && printed.contains("larger than 1000 bytes") && printed.contains("--max-bytes"),
        "{printed}"
    );
    assert_eq!(server.state().requests.len(), 1);
}

#[test]
fn flags_that_fit_no_bundle_of_the_cache_remove_none() {
    let folder = folder();
    let cache = name(&folder.path().join("cache"));
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let arguments = ["--bundle-url", &server.url("/b.zip"), "--cache-dir", &cache];
    drop(Host::ready(&arguments));
    server.put(bundles().bytes(2), "\"two\"");
    drop(Host::ready(&arguments));
    server.fail(vec![Fault::Status(403); 1_000]);
    for flags in [["--public-key", "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"], ["--max-bytes", "1000"]]
    {
        let host = Host::start(&[&arguments[..], &flags].concat());
        host.wait("two tries", || host.printed().matches("the answer is 403").count() >= 2);
        assert_eq!(host.get("/readyz").status, 503);
        host.wait("both are named", || host.printed().matches("passed over").count() >= 2);
        assert_eq!(host.printed().matches("passed over").count(), 2, "each is named once: {}", host.printed());
    }
    let host = Host::ready(&arguments);
    assert_eq!(edition(&host), 2);
    assert!(
        [1, 2].iter().all(|edition| Path::new(&cache).join(format!("{}.zip", bundles().sha256(*edition))).exists())
    );
}

#[test]
fn an_older_bundle_does_not_follow_a_newer_one_after_a_restart() {
    let folder = folder();
    let cache = name(&folder.path().join("cache"));
    let server = Faulty::start(bundles().bytes(3), "\"three\"");
    let token = token_file(folder.path());
    let url = server.url("/b.zip");
    let arguments = ["--bundle-url", url.as_str(), "--cache-dir", &cache, "--token-file", &token];
    drop(Host::ready(&arguments));
    server.put(bundles().bytes(1), "\"one\"");
    let host = Host::ready(&arguments);
    assert_eq!(edition(&host), 3);
    host.says("--allow-downgrade");
    drop(host);
    // wanted is wanted; and what is refused without that stays refused
    let host = Host::ready(&[&arguments[..], &["--allow-downgrade"]].concat());
    assert_eq!(edition(&host), 1);
    drop(host);
    server.put(bundles().bytes(2), "\"two\"");
    let host = Host::ready(&arguments);
    assert_eq!((edition(&host), host.order("/-/reload").status), (1, 409));
}

#[test]
fn parts_of_other_links_are_removed() {
    let folder = folder();
    let cache = folder.path().join("cache");
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let parts = || {
        fs::read_dir(cache.join("parts"))
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect::<Vec<_>>()
    };
    let mut seen = std::collections::BTreeSet::new();
    for link in ["/a.zip", "/b.zip", "/c.zip"] {
        server.fail([vec![Fault::CutAt(5_000)], vec![Fault::Status(403); 9]].concat());
        let host = Host::start(&["--bundle-url", &server.url(link), "--cache-dir", &name(&cache)]);
        host.says("the answer is 403");
        drop(host);
        assert_eq!(parts().len(), 2, "the part and its tag: {:?}", parts());
        seen.extend(parts());
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
    server.fail([]);
    drop(Host::ready(&["--bundle-url", &server.url("/d.zip"), "--cache-dir", &name(&cache)]));
    assert!(parts().is_empty(), "{:?}", parts());
}

#[test]
fn a_damaged_list_does_not_hide_the_bundles() {
    let folder = folder();
    let cache = folder.path().join("cache");
    let server = Faulty::start(bundles().bytes(1), "\"one\"");
    let url = server.url("/b.zip");
    let arguments = ["--bundle-url", url.as_str(), "--cache-dir", cache.to_str().expect("a name")];
    drop(Host::ready(&arguments));
    server.put(bundles().bytes(2), "\"two\"");
    drop(Host::ready(&arguments));
    server.fail(vec![Fault::Status(403); 1_000]);
    for (pin, expect) in [(&[][..], 2), (&["--export-version", "v1"], 1)] {
        fs::write(cache.join("bundles.json"), "{bad").expect("a file");
        let host = Host::ready(&[&arguments[..], pin].concat());
        assert_eq!(edition(&host), expect);
    }
}

#[test]
fn a_full_volume_gives_up_old_bundles_first() {
    let folder = folder();
    let small = folder.path().join("small");
    fs::create_dir(&small).expect("a folder");
    let bytes = bundles().bytes(1).len();
    let server = Faulty::start(bundles().bytes(1), "\"1\"");
    let url = server.url("/b.zip");
    let (token, cache) = (token_file(folder.path()), name(&small));
    let flags = |keep: &'static str| {
        [
            "--bundle-url",
            url.as_str(),
            "--cache-dir",
            &cache,
            "--token-file",
            &token,
            "--allow-downgrade",
            "--keep",
            keep,
        ]
        .map(str::to_owned)
    };
    // not every system lets a test have a volume of its own
    let Some(host) = Host::with_volume(&small, bytes * 7 / 2, &flags("9")) else { return };
    host.wait_ready();
    for edition in [2, 3] {
        server.put(bundles().bytes(edition), &format!("\"{edition}\""));
        assert_eq!(host.order("/-/reload").json()["changed"], true, "{}", host.printed());
    }
    // three and a half have room: the oldest goes, the one before stays
    let noisy = folder.path().join("noisy.zip");
    crate::host::bundles::export_other(&noisy);
    server.put(fs::read(&noisy).expect("a bundle"), "\"4\"");
    let done = host.order("/-/reload");
    assert_eq!((done.status, &done.json()["version"]), (200, &"v4".into()), "{}", done.text());
    host.says("the cache is full: 1 earlier bundle was removed");
    assert_eq!(host.order("/-/rollback").json()["version"], "v3");
    drop(host);
    // two do not have room beside a third: it says so, and leaves nothing behind
    let Some(host) = Host::with_volume(&small, bytes * 5 / 2, &flags("9")) else { return };
    host.wait_ready();
    server.put(bundles().bytes(1), "\"1\"");
    assert_eq!(host.order("/-/reload").json()["changed"], true);
    server.put(bundles().bytes(2), "\"2\"");
    let full = host.order("/-/reload");
    assert!(full.status == 502 && full.text().contains("has to be larger"), "{}", full.text());
    assert_eq!(edition(&host), 1);
    let parts = format!("/proc/{}/root{}/parts", host.id(), cache);
    assert_eq!(fs::read_dir(parts).expect("a folder").count(), 0);
}

#[test]
fn a_file_needs_no_folder_that_can_be_written() {
    let host = Host::start_with(&["--bundle", &bundles().name(1)], |command| {
        command.env("TMPDIR", "/proc/nothing");
    });
    host.wait_ready();
    assert_eq!(edition(&host), 1);
}
