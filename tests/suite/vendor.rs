//! What pages load from elsewhere: from a server of the test into the bundle, the lock file and the cache, and out of
//! these without it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::suite::servers::{Server, png, reply};
use crate::suite::site::Exported;

/// A site that loads from elsewhere in every way there is, with its own cache.
struct Site {
    folder: TempDir,
    server: Server,
}

/// What the server of the tests gives.
fn answer(path: &str) -> (&'static str, String, Vec<u8>) {
    let text = |kind: &str, text: &str| ("200 OK", format!("Content-Type: {kind}\r\n"), text.as_bytes().to_vec());
    match path {
        "/a.png" | "/nested/e.png" => ("200 OK", "Content-Type: image/png\r\n".into(), png(40, 30)),
        "/b.png?v=1&w=2" => (
            "200 OK",
            "Content-Type: image/png\r\nLink: <https://example.org/license>; rel=\"license\"\r\n".into(),
            png(20, 10),
        ),
        "/icon.svg" => text(
            "image/svg+xml",
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8' onload='a()'><path d='M0 0h8v8z'/><script>b()</script></svg>",
        ),
        "/font.woff2" => {
            ("200 OK", "Content-Type: font/woff2\r\n".into(), b"wOF2 not a font, but marked as one".to_vec())
        }
        "/moved.css" => ("302 Found", "Location: /nested/sheet.css\r\n".into(), Vec::new()),
        "/nested/sheet.css" => text(
            "text/css",
            "@import 'other.css' print; @font-face{font-family:F;src:url(../font.woff2) format('woff2')} .n{background:url(e.png)}",
        ),
        "/nested/other.css" => text("text/css", "@import url(sheet.css); .o{background:url('missing.png')}"),
        "/film.mp4" => ("200 OK", "Content-Type: video/mp4\r\n".into(), b"\0\0\0\x18ftypisom\0\0\0\0isomiso2".to_vec()),
        "/large.mp4" => (
            "200 OK",
            "Content-Type: video/mp4\r\n".into(),
            [b"\0\0\0\x18ftypisom".to_vec(), vec![0; 26 << 20]].concat(),
        ),
        _ => ("404 Not Found", String::new(), Vec::new()),
    }
}

const PAGE: &str = r#"---
title: Home
---

![teal](S/a.png "Teal")

<img src="S/a.png" srcSet="S/b.png?v=1&amp;w=2 1x, S/a.png 2x" alt="half" width="20" />

<Frame>![again](S/a.png)</Frame>

<Card title="Card" img="S/a.png" icon="S/icon.svg" href="/two">text</Card>

<div style={{ backgroundImage: "url(S/b.png?v=1&w=2)" }}>styled</div>

<video src="S/film.mp4" poster="S/a.png" controls />

<video src="S/large.mp4" title="Large" controls />

<link rel="stylesheet" href="S/moved.css" />

<style>{`@import url("S/moved.css"); .z { background: url(S/a.png) }`}</style>

![Gone away](S/gone.png)

[a link](S/a.png) and <iframe src="S/frame.html" title="Frame" />
"#;

impl Site {
    fn new() -> Self {
        Self::with(|path, stream| {
            let (status, headers, body) = answer(path);
            reply(stream, status, &headers, &body);
        })
    }

    fn with(answer: impl Fn(&str, &mut std::net::TcpStream) + Send + Sync + 'static) -> Self {
        let site =
            Self { folder: TempDir::with_prefix("offprint-remote-").expect("a folder"), server: Server::start(answer) };
        let config = serde_json::json!({
            "theme": "mint", "name": "Remote", "colors": { "primary": "#0F766E" },
            "logo": site.server.url("/icon.svg"), "favicon": site.server.url("/a.png"),
            "fonts": { "family": "F", "source": site.server.url("/font.woff2"), "format": "woff2" },
            "background": { "image": site.server.url("/b.png?v=1&w=2") },
            "seo": { "metatags": { "og:image": site.server.url("/a.png") } },
            "navigation": { "pages": ["index", "two"] },
        });
        site.write("docs.json", &config.to_string());
        site.write("index.mdx", &PAGE.replace("S/", &site.server.url("/")));
        site.write("two.mdx", &format!("---\ntitle: Two\n---\n\n![teal]({})\n", site.server.url("/a.png")));
        site.write(
            "style.css",
            &format!(
                "@import '{}';\n@namespace svg url(http://www.w3.org/2000/svg);\n.y{{background:url({})}}",
                site.server.url("/moved.css"),
                site.server.url("/a.png")
            ),
        );
        site
    }

    fn source(&self) -> PathBuf {
        self.folder.path().join("docs")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.source().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn lock(&self) -> String {
        fs::read_to_string(self.source().join("offprint.lock")).unwrap_or_default()
    }

    /// Exports with the cache of the site and leave to ask its server.
    fn export(&self, args: &[&str]) -> Exported {
        self.export_with_cache("cache", args)
    }

    fn export_with_cache(&self, cache: &str, args: &[&str]) -> Exported {
        let cache = self.folder.path().join(cache);
        let allow = format!("--allow-private={}", self.server.address);
        let mode: &[&str] =
            if args.contains(&"--locked") || args.contains(&"--vendor") { &[] } else { &["--vendor", "on"] };
        let all: Vec<&str> = [&["--cache-dir", cache.to_str().expect("UTF-8"), allow.as_str()], mode, args].concat();
        Exported::of(&self.source(), &all)
    }
}

/// The HTML and CSS of a bundle, to look for addresses in.
fn texts(exported: &Exported) -> impl Iterator<Item = (&str, &str)> {
    let is_text = |path: &str| path.ends_with(".html") || path.ends_with(".css");
    exported
        .files
        .iter()
        .filter(move |(path, _)| is_text(path))
        .filter_map(|(path, bytes)| Some((path.as_str(), std::str::from_utf8(bytes).ok()?)))
}

fn codes(exported: &Exported) -> BTreeMap<String, usize> {
    let mut codes = BTreeMap::new();
    for diagnostic in &exported.diagnostics {
        *codes.entry(diagnostic.code.clone()).or_default() += 1;
    }
    codes
}

#[track_caller]
fn same_files(a: &Exported, b: &Exported) {
    let differ: Vec<_> =
        a.files.keys().chain(b.files.keys()).filter(|path| a.files.get(*path) != b.files.get(*path)).collect();
    assert!(differ.is_empty() && !a.files.is_empty(), "{differ:?}\n{}\n{}", a.stderr, b.stderr);
}

#[test]
fn everything_comes_into_the_bundle_once() {
    let site = Site::new();
    let exported = site.export(&["--domain", "docs.example.org"]);
    assert_eq!(exported.code, 0, "{}", exported.stderr);
    let mut requests = site.server.requests();
    let total = requests.len();
    requests.sort();
    requests.dedup();
    // one sheet is asked for as the address that it has moved from, and as itself
    assert_eq!(requests.len() + 1, total, "each address once: {:?}", site.server.requests());
    assert!(!requests.iter().any(|path| path.contains("frame")), "{requests:?}");

    let outside = format!("{}/", site.server.address);
    for (path, text) in texts(&exported) {
        for (at, _) in text.match_indices(&outside) {
            let before = &text[at.saturating_sub(60)..at];
            assert!(
                before.ends_with("href=\"http://"),
                "{path} still loads: {}",
                &text[at.saturating_sub(60)..at + 40]
            );
        }
    }
    let page = exported.page("index");
    assert_eq!(page.count("main img[width='40'][height='30'][src^='_offprint/remote/']"), 3);
    assert_eq!(page.count("main img[width='20'][height='15'][srcset]"), 1);
    assert_eq!(page.count("main .box-icon svg path"), 1, "a drawing as an icon takes the colors of the page");
    assert_eq!(page.count("video[src^='_offprint/remote/'][poster^='_offprint/remote/']"), 1);
    assert_eq!(page.count("a.media-placeholder[href$='/large.mp4']"), 1);
    assert_eq!(page.count("a.image-placeholder[href$='/gone.png']"), 1);
    assert_eq!(page.count("main link[rel='stylesheet'][href^='_offprint/remote/']"), 1);
    assert_eq!(page.count("meta[property='og:image'][content^='https://docs.example.org/_offprint/remote/']"), 1);
    assert_eq!(page.count("header img[src^='_offprint/remote/'], #navbar img[src^='_offprint/remote/']"), 1);
    assert_eq!(page.count("link[rel='icon'][href^='_offprint/remote/']"), 1);
    assert!(page.content_text().contains("Gone away"), "{}", page.content_text());
    assert_eq!(exported.page("two").count("main img[width='40']"), 1);

    let sheets: Vec<_> = exported
        .files
        .iter()
        .filter(|(path, _)| path.starts_with("_offprint/remote/") && path.ends_with(".css"))
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    assert!(
        sheets
            .iter()
            .any(|sheet| sheet.contains("@import url(\"") && sheet.contains(".woff2\")") && sheet.contains(".png\")")),
        "{sheets:?}"
    );
    assert!(
        exported.text_of("style.css").contains("@import url(\"_offprint/remote/")
            && exported.text_of("style.css").contains("@namespace svg url(http://www.w3.org/2000/svg)")
    );
    let drawings: Vec<_> = exported
        .files
        .iter()
        .filter(|(path, _)| path.starts_with("_offprint/remote/") && path.ends_with(".svg"))
        .collect();
    assert!(
        drawings.iter().all(|(_, bytes)| !String::from_utf8_lossy(bytes).contains("script")
            && !String::from_utf8_lossy(bytes).contains("onload"))
            && !drawings.is_empty()
    );

    assert_eq!(
        codes(&exported),
        BTreeMap::from([("remote-asset".into(), 3), ("svg-active".into(), 1)]),
        "{:?}",
        exported.diagnostics
    );
    let lock = site.lock();
    assert!(
        lock.contains(&format!("base = \"{}\"", site.server.url("/nested/sheet.css")))
            && lock.contains("license = \"https://example.org/license\""),
        "{lock}"
    );
    assert_eq!(lock.matches("[[asset]]").count(), 9, "{lock}");
    assert!(!lock.contains("gone") && !lock.contains("large"), "{lock}");
    assert_eq!(
        (
            &exported.report["remote"]["addresses"],
            &exported.report["remote"]["vendored"],
            &exported.report["remote"]["missing"]
        ),
        (&12.into(), &9.into(), &3.into())
    );
}

/// What the schema of the list that a bundle holds of others' works says is wrong with it, by the validator of those
/// who made the schema.
fn problems_of_the_list(list: &[u8]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let script =
        "import { Spec, Validation } from '@cyclonedx/cyclonedx-library'; import { readFileSync } from 'node:fs';
        const wrong = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(readFileSync(0, 'utf8'));
        process.stdout.write(JSON.stringify(wrong));";
    let mut node = Command::new("node")
        .args(["--input-type=module", "-e", script])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node");
    node.stdin.take().expect("its input").write_all(list).expect("it reads");
    let output = node.wait_with_output().expect("it ends");
    assert!(output.status.success(), "run `npm ci` in tests/browser first");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_list_of_others_works_follows_its_schema() {
    let site = Site::new();
    let exported = site.export(&["--version", "7"]);
    let list = &exported.files["_offprint/sbom.cdx.json"];
    assert_eq!(problems_of_the_list(list), "null");
    assert_ne!(
        problems_of_the_list(String::from_utf8_lossy(list).replace("SHA-256", "SHA-1024").as_bytes()),
        "null",
        "the validator is not asleep"
    );
    let list: serde_json::Value = serde_json::from_slice(list).expect("JSON");
    let parts = list["components"].as_array().expect("components");
    let picture = parts
        .iter()
        .find(|part| part["externalReferences"][0]["url"] == site.server.url("/b.png?v=1&w=2"))
        .expect("the picture");
    let license = "https://example.org/license";
    assert_eq!(picture["licenses"], serde_json::json!([{ "license": { "name": license, "url": license } }]));
}

#[test]
fn the_cache_and_the_lock_stand_in_for_the_server() {
    let site = Site::new();
    let first = site.export(&[]);
    let (lock, before) = (site.lock(), site.server.requests().len());
    // the gone ones are asked for again; nothing that is locked is
    let again = site.export(&[]);
    same_files(&first, &again);
    assert!(
        site.server.requests()[before..]
            .iter()
            .all(|path| ["/gone.png", "/nested/missing.png", "/large.mp4"].contains(&path.as_str())),
        "{:?}",
        site.server.requests()
    );
    assert_eq!(again.report["remote"]["fetched"], 0);

    let before = site.server.requests().len();
    for args in [&["--offline"][..], &["--locked", "--offline"], &["--locked"]] {
        let exported = site.export(args);
        same_files(&first, &exported);
        assert_eq!(exported.code, 0);
        let expect = if args[0] == "--locked" { "remote-not-locked" } else { "remote-offline" };
        assert_eq!(codes(&exported).get(expect), Some(&3), "{:?}", exported.diagnostics);
    }
    assert_eq!(site.server.requests().len(), before, "nobody was asked");
    assert_eq!(site.lock(), lock);
    assert_eq!(site.export(&["--locked", "--strict"]).code, 1, "what is not locked is an error");

    // with an empty cache `--locked` fetches what the lock file names, and only that
    let fresh = site.export_with_cache("other", &["--locked"]);
    same_files(&first, &fresh);
    assert!(!site.server.requests()[before..].iter().any(|path| path.contains("gone")));

    // without either, everything has a placeholder, and the bundle is whole
    let bare = site.export_with_cache("empty", &["--offline"]);
    assert_eq!((bare.code, &bare.report["remote"]["vendored"]), (0, &0.into()));
    assert_eq!(bare.page("index").count("main img"), 0);
    assert!(bare.page("index").count("main a.image-placeholder") >= 4);
    assert!(!bare.files.keys().any(|path| path.starts_with("_offprint/remote/")));
    assert_eq!(site.lock(), lock, "what is missing today is not forgotten");
}

#[test]
fn damage_is_noticed() {
    let site = Site::new();
    let first = site.export(&[]);
    let cached: Vec<_> = walkdir::WalkDir::new(site.folder.path().join("cache"))
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .collect();
    assert_eq!(cached.len(), 7, "nine addresses, two of the same picture, two of the same sheet");
    for file in &cached {
        fs::write(file.path(), "another file").expect("written");
    }
    let offline = site.export(&["--offline"]);
    assert_eq!(offline.report["remote"]["vendored"], 0);
    same_files(&first, &site.export(&[]));
    same_files(&first, &site.export(&["--offline"]));
}

#[test]
fn changed_bytes_are_accepted_or_refused() {
    let turn = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let seen = std::sync::Arc::clone(&turn);
    let site = Site::with(move |_, stream| {
        let size = 5 + seen.load(std::sync::atomic::Ordering::Relaxed);
        reply(stream, "200 OK", "Content-Type: image/png\r\n", &png(size, size));
    });
    site.write(
        "docs.json",
        r##"{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"navigation":{"pages":["two"]}}"##,
    );
    fs::remove_file(site.source().join("index.mdx")).expect("removed");
    fs::remove_file(site.source().join("style.css")).expect("removed");
    let first = site.export(&[]);
    assert_eq!(first.page("two").count("img[width='5']"), 1);
    turn.store(1, std::sync::atomic::Ordering::Relaxed);
    // locked bytes win while the cache has them
    same_files(&first, &site.export(&[]));
    let (lock, refused) = (site.lock(), site.export_with_cache("b", &["--locked"]));
    assert_eq!(
        (codes(&refused), refused.page("two").count("a.image-placeholder"), site.lock()),
        (BTreeMap::from([("remote-changed".into(), 1)]), 1, lock.clone())
    );
    assert_eq!(refused.diagnostics[0].severity, "error");
    assert!(!site.folder.path().join("b/sha256").exists(), "nothing of it is kept");
    let accepted = site.export_with_cache("b", &[]);
    assert_eq!(
        (codes(&accepted), accepted.page("two").count("img[width='6']")),
        (BTreeMap::from([("remote-changed".into(), 1)]), 1)
    );
    assert_eq!(accepted.diagnostics[0].severity, "warning");
    assert_ne!(site.lock(), lock);
    assert_eq!(codes(&site.export_with_cache("b", &["--locked", "--offline"])), BTreeMap::new());
}

/// The order of a bundle tells nothing of the network: servers that answer late or early, one thread or many.
#[test]
fn bundles_do_not_depend_on_timing() {
    let turn = std::sync::atomic::AtomicU64::new(0);
    let site = Site::with(move |path, stream| {
        let number = turn.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        sleep(Duration::from_millis(number * 7919 % 60));
        let (status, headers, body) = answer(path);
        reply(stream, status, &headers, &body);
    });
    for at in 0..60 {
        site.write(
            &format!("more/p{at}.mdx"),
            &format!(
                "---\ntitle: P{at}\n---\n\n![x]({})\n",
                site.server.url(if at % 3 == 0 { "/gone.png" } else { "/a.png" })
            ),
        );
    }
    let archive = |name: &str, cache: &str, args: &[&str]| {
        let out = site.folder.path().join(name);
        let status = crate::suite::site::offprint()
            .arg("export")
            .arg(site.source())
            .arg("-o")
            .arg(&out)
            .args(["--progress", "none", "--cache-dir"])
            .arg(site.folder.path().join(cache))
            .arg(format!("--allow-private={}", site.server.address))
            .args(args)
            .output()
            .expect("it starts");
        assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
        fs::read(out).expect("a bundle")
    };
    let first = archive("1.zip", "one", &["--jobs", "1"]);
    assert!(first == archive("2.zip", "two", &["--jobs", "8"]), "another cache, other threads");
    fs::remove_file(site.source().join("offprint.lock")).expect("a lock file");
    assert!(first == archive("3.zip", "three", &[]), "another lock file");
    assert!(first == archive("4.zip", "three", &["--offline"]), "nothing but the cache");
}

#[test]
fn vendoring_can_be_left() {
    let site = Site::new();
    let exported = site.export(&["--vendor", "off"]);
    assert_eq!((site.server.requests().len(), site.lock()), (0, String::new()));
    assert!(exported.page("index").count(&format!("main img[src='{}']", site.server.url("/a.png"))) > 0);
    // a partial export forgets nothing that is locked
    site.export(&[]);
    let lock = site.lock();
    site.export(&["--paths", "two"]);
    assert_eq!(site.lock(), lock);
}

#[test]
fn servers_of_ones_own_network_need_leave() {
    let site = Site::new();
    let exported = Exported::of(&site.source(), &["--vendor", "on"]);
    assert_eq!(site.server.requests(), Vec::<String>::new());
    assert_eq!((exported.code, &exported.report["remote"]["vendored"]), (0, &0.into()));
    let messages: Vec<_> = exported.diagnostics.iter().filter(|diagnostic| diagnostic.code == "remote-asset").collect();
    assert!(
        messages.len() > 5 && messages.iter().all(|diagnostic| diagnostic.message.contains("port")),
        "{messages:?}"
    );
}

/// The command in a network of its own, without a route; `None` where the system does not allow that.
fn alone(arguments: &[&Path], flags: &[&str]) -> Option<(Duration, std::process::Output)> {
    let possible = Command::new("unshare").args(["-rn", "true"]).output().is_ok_and(|output| output.status.success());
    if !possible {
        let _ = writeln!(std::io::stderr(), "skipped: this system makes no network namespaces (`unshare -rn`)");
        return None;
    }
    let started = Instant::now();
    let output = Command::new("unshare")
        .arg("-rn")
        .arg(env!("CARGO_BIN_EXE_offprint"))
        .arg("export")
        .args(arguments)
        .args(["--progress", "none"])
        .args(flags)
        .output()
        .expect("it starts");
    Some((started.elapsed(), output))
}

#[test]
fn an_export_without_a_route_equals_one_with_it() {
    let site = Site::new();
    let (inside, outside) = (site.folder.path().join("inside.zip"), site.folder.path().join("outside.zip"));
    let cache = site.folder.path().join("cache");
    let cache = cache.to_str().expect("UTF-8");
    site.export(&[]);
    let status = crate::suite::site::offprint()
        .arg("export")
        .arg(site.source())
        .arg("-o")
        .arg(&outside)
        .args(["--progress", "none", "--cache-dir", cache])
        .arg(format!("--allow-private={}", site.server.address))
        .status();
    assert!(status.expect("it starts").success());
    for flags in [&["--cache-dir", cache][..], &["--cache-dir", cache, "--locked", "--offline"]] {
        let Some((_, output)) = alone(&[&site.source(), Path::new("-o"), &inside], flags) else { return };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(fs::read(&inside).expect("a bundle") == fs::read(&outside).expect("a bundle"), "{flags:?}");
    }
    // a site that loads nothing from elsewhere needs neither lock file nor cache
    let plain = crate::suite::site::fixture("plain");
    let status = crate::suite::site::offprint()
        .arg("export")
        .arg(&plain)
        .arg("-o")
        .arg(&outside)
        .args(["--progress", "none"])
        .status();
    assert!(status.expect("it starts").success());
    let Some((_, output)) = alone(&[&plain, Path::new("-o"), &inside], &[]) else { return };
    assert!(output.status.success());
    assert!(fs::read(&inside).expect("a bundle") == fs::read(&outside).expect("a bundle"));
}

#[test]
fn a_thousand_pictures_without_a_network_cost_seconds() {
    let folder = TempDir::with_prefix("offprint-remote-").expect("a folder");
    let docs = folder.path().join("docs");
    fs::create_dir(&docs).expect("a folder");
    fs::write(
        docs.join("docs.json"),
        r##"{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"navigation":{"pages":["index"]}}"##,
    )
    .expect("a file");
    let pictures = |page: usize| {
        (0..20)
            .map(|at| {
                format!("![words of {at}](https://host-{}.example.com/{page}-{at}.png)\n\n", (page * 20 + at) % 97)
            })
            .collect::<String>()
    };
    for page in 0..50 {
        let name = if page == 0 { "index.mdx".to_owned() } else { format!("p{page}.mdx") };
        fs::write(docs.join(name), format!("---\ntitle: P{page}\n---\n\n{}", pictures(page))).expect("a file");
    }
    let (out, report) = (folder.path().join("site"), folder.path().join("report.json"));
    let Some((elapsed, output)) =
        alone(&[&docs, Path::new("-o"), &out, Path::new("--report"), &report], &["--format", "dir"])
    else {
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(elapsed < Duration::from_secs(60), "{elapsed:?}");
    let report: serde_json::Value = serde_json::from_slice(&fs::read(report).expect("a report")).expect("JSON");
    assert_eq!(report["remote"]["missing"], 1000);
    let codes: Vec<_> =
        report["diagnostics"].as_array().expect("a list").iter().map(|diagnostic| diagnostic["code"].clone()).collect();
    assert_eq!(codes, ["no-network"], "one warning says it all");
    let page = fs::read_to_string(out.join("index.html")).expect("a page");
    assert!(page.contains("words of 19") && !page.contains("<img"));
}

/// The style sheets of a font service, as Google's look: a variable family once for each weight, in parts by script.
fn font_service(path: &str) -> (&'static str, String, Vec<u8>) {
    let sheet = |family: &str| {
        let face = |style: &str, weight: u16, file: &str, range: &str| {
            format!(
                "/* x */\n@font-face {{ font-family: '{family}'; font-style: {style}; font-weight: {weight}; font-display: swap; src: url(/{family}/{file}.woff2) format('woff2'); unicode-range: {range}; }}\n"
            )
        };
        let faces = [
            ("cyrillic", "U+0301, U+0400-045F"),
            ("vietnamese", "U+0102-0103, U+1EA0-1EF9"),
            ("latin", "U+0000-00FF, U+0131"),
        ];
        let upright =
            [400, 700].into_iter().flat_map(|weight| faces.map(|(file, range)| face("normal", weight, file, range)));
        let text: String = upright.chain([face("italic", 400, "latin-italic", "U+0000-00FF")]).collect();
        ("200 OK", "Content-Type: text/css; charset=utf-8\r\n".to_owned(), text.into_bytes())
    };
    match path {
        "/css?family=Lato:400,500,600,700,400i&display=swap" => sheet("Lato"),
        "/css?family=Playfair+Display:400,500,600,700,800,400i&display=swap" => sheet("Playfair"),
        path if path.ends_with(".woff2") => (
            "200 OK",
            "Content-Type: font/woff2\r\nLink: <https://openfontlicense.org>; rel=\"license\"\r\n".into(),
            [b"wOF2 ".to_vec(), path.as_bytes().to_vec()].concat(),
        ),
        _ => ("400 Bad Request", String::new(), Vec::new()),
    }
}

/// A site that names its fonts and no more.
fn site_of_fonts(fonts: serde_json::Value) -> Site {
    let site = Site::with(|path, stream| {
        let (status, headers, body) = font_service(path);
        reply(stream, status, &headers, &body);
    });
    let config = serde_json::json!({ "theme": "mint", "name": "Fonts", "colors": { "primary": "#0F766E" }, "fonts": fonts, "navigation": { "pages": ["index"] } });
    site.write("docs.json", &config.to_string());
    site.write("index.mdx", "---\ntitle: Добро\n---\n\nText.\n");
    fs::remove_file(site.source().join("two.mdx")).expect("a file");
    fs::remove_file(site.source().join("style.css")).expect("a file");
    site
}

fn theme_sheet(exported: &Exported) -> &str {
    let path = exported
        .files
        .keys()
        .find(|path| path.starts_with("_offprint/theme-") && path.ends_with(".css"))
        .expect("a style sheet");
    exported.text_of(path)
}

#[test]
fn fonts_that_a_site_names_come_into_the_bundle() {
    let site = site_of_fonts(
        serde_json::json!({ "body": { "family": "Lato" }, "heading": { "family": "Playfair Display", "weight": 800 } }),
    );
    let service = format!("--fonts-from={}", site.server.url("/css"));
    let exported = site.export(&[&service]);
    assert_eq!((exported.code, codes(&exported)), (0, BTreeMap::new()), "{}", exported.stderr);
    let css = theme_sheet(&exported);
    let rules: Vec<&str> = css
        .split("@font-face{")
        .filter(|rule| rule.starts_with("font-family:\"Lato\"") || rule.starts_with("font-family:\"Playfair Display\""))
        .collect();
    assert_eq!(
        rules.len(),
        6,
        "each family upright in two scripts and italic in one, and nothing Vietnamese: {rules:?}"
    );
    assert_eq!(
        rules
            .iter()
            .filter(|rule| rule.contains("font-weight:400 700;font-display:swap;src:url(\"remote/")
                || rule.contains("font-weight:400 700;font-display:swap;src:url(\"../_offprint/remote/"))
            .count(),
        4,
        "{rules:?}"
    );
    assert!(
        css.contains("--op-font-body:\"Lato\",") && css.contains("--op-font-heading:\"Playfair Display\","),
        "{css:.600}"
    );
    let fonts = exported
        .files
        .iter()
        .filter(|(path, bytes)| path.starts_with("_offprint/remote/") && bytes.starts_with(b"wOF2"))
        .count();
    assert_eq!(fonts, 6, "{:?}", exported.files.keys());
    let bill = exported.text_of("_offprint/sbom.cdx.json");
    assert!(bill.contains("https://openfontlicense.org"), "{bill}");
    for (path, text) in texts(&exported) {
        assert!(!text.contains(&site.server.address.to_string()), "{path}");
    }
    // again, of what is there: nobody is asked, and the bytes are the same
    let before = site.server.requests().len();
    for again in [&["--vendor", "on"][..], &["--locked"], &["--offline"]] {
        same_files(&exported, &site.export(&[again, &[service.as_str()]].concat()));
    }
    assert_eq!(site.server.requests().len(), before);
}

#[test]
fn fonts_that_no_service_has_are_told() {
    let site = site_of_fonts(serde_json::json!({ "family": "Sohne" }));
    let service = format!("--fonts-from={}", site.server.url("/css"));
    let exported = site.export(&[&service]);
    assert_eq!(
        (exported.code, codes(&exported)),
        (0, BTreeMap::from([("font-not-bundled".to_owned(), 1)])),
        "{}",
        exported.stderr
    );
    let diagnostic = &exported.diagnostics[0];
    assert!(
        diagnostic.message.contains("`Sohne`")
            && diagnostic.message.contains("400")
            && diagnostic.file == "docs.json"
            && diagnostic.line == 1,
        "{diagnostic:?}"
    );
    assert!(
        theme_sheet(&exported).contains("--op-font-body:\"Sohne\",\"Inter\""),
        "readers who do not have it see what the program brings"
    );
    let offline = site.export(&[&service, "--offline"]);
    assert_eq!(codes(&offline), BTreeMap::from([("font-not-bundled".to_owned(), 1)]), "{}", offline.stderr);
    let locked = site.export(&[&service, "--locked", "--strict"]);
    assert_eq!(
        (locked.code, codes(&locked)),
        (1, BTreeMap::from([("font-not-bundled".to_owned(), 1)])),
        "{}",
        locked.stderr
    );
}

#[test]
fn fonts_of_the_program_are_not_asked_for() {
    let site = site_of_fonts(serde_json::json!({ "heading": { "family": "Inter" }, "body": { "family": "Geist" } }));
    let exported = site.export(&[&format!("--fonts-from={}", site.server.url("/css"))]);
    assert_eq!(
        (exported.code, codes(&exported), site.server.requests().len()),
        (0, BTreeMap::new(), 0),
        "{}",
        exported.stderr
    );
}
