//! `offprint dev`: the real program, real requests, real edits, and what a browser is told of them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::suite::site::{fixture, offprint};

/// How long something may take that takes milliseconds: other tests run beside.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long nothing is waited for.
const SILENCE: Duration = Duration::from_millis(400);

const DOCS: &str = r##"{"theme": "mint", "name": "Test", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "guides/start"]},
"redirects": [{"source": "/old", "destination": "/guides/start"}, {"source": "/away", "destination": "https://example.com/x"}]}"##;

const FILES: [(&str, &str); 9] = [
    ("docs.json", DOCS),
    ("index.mdx", "---\ntitle: Home\n---\n\nWelcome. See [how](/guides/start#install).\n"),
    (
        "guides/start.mdx",
        "---\ntitle: Start\n---\nimport Note from '/snippets/note.mdx'\n\n## Install\n\nFirst text.\n\n<Note />\n",
    ),
    ("snippets/note.mdx", "A shared note.\n"),
    ("style.css", ".x { color: red; }\n"),
    (
        "drawing.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"3\"><script>alert(1)</script></svg>",
    ),
    (".env", "SECRET=1"),
    (".mintignore", "drafts/\n"),
    ("drafts/later.mdx", "---\ntitle: Later\n---\n"),
];

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

fn site() -> TempDir {
    let folder = TempDir::with_prefix("offprint-dev-").expect("a temporary folder");
    FILES.iter().for_each(|(path, text)| write(folder.path(), path, text));
    folder
}

/// The program, serving a folder.
struct Server {
    child: Child,
    port: u16,
    printed: Arc<Mutex<String>>,
}

struct Response {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Response {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

impl Server {
    fn start(root: &Path) -> Self {
        Self::start_with(root, &["--port", "0"])
    }

    fn start_with(root: &Path, args: &[&str]) -> Self {
        let mut child = offprint()
            .arg("dev")
            .arg(root)
            .args(args)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let stderr = child.stderr.take().expect("standard error");
        let printed = Arc::new(Mutex::new(String::new()));
        let (ready, address) = mpsc::channel();
        let output = Arc::clone(&printed);
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if let Some(port) = line
                    .trim()
                    .strip_prefix("http://127.0.0.1:")
                    .and_then(|rest| rest.trim_end_matches('/').parse().ok())
                {
                    let _ = ready.send(port);
                }
                let mut output = output.lock().expect("a lock");
                output.push_str(&line);
                output.push('\n');
            }
        });
        let port = address.recv_timeout(PATIENCE).expect("it tells its address");
        Self { child, port, printed }
    }

    fn request(&self, head: &str) -> (BTreeMap<String, String>, u16, BufReader<TcpStream>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it answers");
        stream.set_read_timeout(Some(PATIENCE)).expect("a bound");
        stream.write_all(head.as_bytes()).expect("it listens");
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).expect("a status");
        let status =
            line.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("no status: {line:?}"));
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a header");
            let Some((name, value)) = line.trim_end().split_once(": ") else { return (headers, status, reader) };
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
    }

    fn send(&self, head: &str) -> Response {
        let (headers, status, mut reader) = self.request(head);
        let mut body = Vec::new();
        reader.read_to_end(&mut body).expect("a body");
        Response { status, headers, body }
    }

    /// HTTP 1.0, so that the connection ends with the answer.
    fn get(&self, path: &str) -> Response {
        self.send(&format!("GET {path} HTTP/1.0\r\nHost: localhost:{}\r\n\r\n", self.port))
    }

    fn page(&self, path: &str) -> String {
        let response = self.get(path);
        assert_eq!((response.status, response.header("content-type")), (200, "text/html; charset=utf-8"), "{path}");
        response.text()
    }

    /// A browser that shows a page and listens.
    fn browser(&self, path: &str) -> Browser {
        self.browser_with(path, &version(&self.get(path).text()))
    }

    fn browser_with(&self, path: &str, version: &str) -> Browser {
        let (headers, status, mut reader) = self
            .request(&format!("GET /-/dev/events?page={path}&version={version} HTTP/1.0\r\nHost: localhost\r\n\r\n"));
        assert_eq!((status, headers.get("content-type").map(String::as_str)), (200, Some("text/event-stream")));
        let (sender, events) = mpsc::channel();
        thread::spawn(move || {
            let mut name = String::new();
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
                if let Some(event) = line.trim_end().strip_prefix("event: ") {
                    event.clone_into(&mut name);
                } else if let Some(data) = line.trim_end().strip_prefix("data: ") {
                    let data = serde_json::from_str(data).expect("JSON");
                    if sender.send((name.clone(), data)).is_err() {
                        return;
                    }
                }
                line.clear();
            }
        });
        let mut browser = Browser { events, notes: Value::Null };
        browser.notes = browser.event("notes");
        browser
    }

    /// Waits until a text has been printed.
    #[track_caller]
    fn prints(&self, text: &str) {
        let start = Instant::now();
        loop {
            let printed = self.printed.lock().expect("a lock").clone();
            if printed.contains(text) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "not printed: {text}\n{printed}");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Browser {
    events: Receiver<(String, Value)>,
    notes: Value,
}

impl Browser {
    /// Waits for an event; others may come before it.
    #[track_caller]
    fn event(&self, expected: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok((name, data)) if name == expected => return data,
                Ok(_) => {}
                Err(error) => panic!("no event `{expected}`: {error}"),
            }
        }
    }

    /// Nothing comes.
    #[track_caller]
    fn nothing(&self) {
        match self.events.recv_timeout(SILENCE) {
            Err(RecvTimeoutError::Timeout) => {}
            other => panic!("{other:?}"),
        }
    }

    /// `code file:line` of all notes.
    fn codes(notes: &Value) -> Vec<String> {
        let items = notes["items"].as_array().cloned().unwrap_or_default();
        items
            .iter()
            .map(|item| {
                format!(
                    "{} {}:{}",
                    item["code"].as_str().unwrap_or_default(),
                    item["file"].as_str().unwrap_or_default(),
                    item["line"]
                )
            })
            .collect()
    }
}

fn version(html: &str) -> String {
    html.split_once("data-version=\"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(version, _)| version.to_owned())
        .expect("a version")
}

/// The files below a folder, relative to it.
fn files(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                open.push(entry);
            } else {
                found.push(entry.strip_prefix(root).expect("inside").to_str().expect("UTF-8").to_owned());
            }
        }
    }
    found
}

/// A page without the script of the server, which loads pictures from where they stand and has to allow that.
fn exported(html: &str) -> String {
    let html = html.replacen(
        "img-src * data: blob:; font-src * data:; media-src * data: blob:;",
        "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' data: blob:;",
        1,
    );
    let (before, rest) = html.split_once("<script src=\"/-/dev/client.js\"").expect("the script");
    before.to_owned() + rest.split_once("</script>\n").expect("its end").1
}

#[test]
fn every_page_is_that_of_the_export() {
    let folder = TempDir::with_prefix("offprint-dev-").expect("a temporary folder");
    let out = folder.path().join("out");
    let status = offprint()
        .arg("export")
        // writers see the console, which air-gapped bundles have only if it is asked for
        .args(["--feature", "playground=on"])
        .arg(fixture("docs"))
        .arg("-o")
        .arg(&out)
        .args(["--format", "dir", "--progress", "none"])
        .stderr(Stdio::null())
        .status();
    assert!(status.expect("an export").success());
    let server = Server::start(&fixture("docs"));
    let mut files = files(&out);
    // scripts of islands come with their pages
    files.sort_by_key(|path| !path.ends_with(".html"));
    // what is made of all pages together, or for other servers
    let site_wide = [
        "404.html",
        "_redirects",
        "llms-full.txt",
        "_offprint/manifest.json",
        "_offprint/redirects.json",
        "_offprint/sbom.cdx.json",
        "_offprint/NOTICES.txt",
    ];
    let of_all = |path: &str| site_wide.contains(&path) || path.starts_with("_offprint/utilities-");
    let mut compared = 0;
    for path in files.iter().filter(|path| !of_all(path)) {
        let response = server.get(&format!("/{path}"));
        // redirects of docs.json are pages of a bundle and answers of a server
        if response.status == 307 {
            assert!(
                fs::read_to_string(out.join(path)).is_ok_and(|page| page.contains("http-equiv=\"refresh\"")),
                "{path}"
            );
            continue;
        }
        assert_eq!(response.status, 200, "{path}");
        let expect = fs::read(out.join(path)).expect("a file");
        let same = if path.ends_with(".html") {
            exported(&response.text()).as_bytes() == expect
        } else {
            response.body == expect
        };
        assert!(same, "{path} differs from the export");
        compared += 1;
    }
    assert!(compared > 60, "{compared} files");
    let sheet = files.iter().find(|path| path.starts_with("_offprint/utilities-")).expect("a page with utilities");
    let sheet = server.get(&format!("/{sheet}"));
    assert_eq!((sheet.status, sheet.header("content-type")), (200, "text/css; charset=utf-8"));
    assert!(sheet.text().contains("@layer op.utilities"), "the classes of the pages so far");
}

#[test]
fn addresses() {
    let folder = site();
    write(folder.path(), "area/index.mdx", "---\ntitle: Area\n---\n");
    write(folder.path(), "levels:append.mdx", "---\ntitle: Levels\n---\n");
    let server = Server::start(folder.path());
    for path in ["/", "/index.html", "/index"] {
        assert!(server.page(path).contains("Welcome."), "{path}");
    }
    for path in ["/guides/start", "/guides/start.html"] {
        assert!(server.page(path).contains("First text."), "{path}");
    }
    for (path, to) in [
        ("/old", "/guides/start.html"),
        ("/away", "https://example.com/x"),
        ("/guides/start/", "/guides/start.html"),
        ("/area", "/area/index.html"),
        ("/Guides/Start", "/guides/start.html"),
        ("/levels:append", "/levels-append.html"),
    ] {
        let response = server.get(path);
        assert_eq!((response.status, response.header("location")), (307, to), "{path}");
    }
    let drawing = server.get("/drawing.svg");
    assert_eq!((drawing.status, drawing.header("content-type")), (200, "image/svg+xml"));
    assert!(!drawing.text().contains("alert"), "drawings are as still as in an export");
    let tag = drawing.header("etag");
    assert_eq!(
        server.send(&format!("GET /drawing.svg HTTP/1.0\r\nHost: localhost\r\nIf-None-Match: {tag}\r\n\r\n")).status,
        304
    );
    let part = server.send("GET /drawing.svg HTTP/1.0\r\nHost: localhost\r\nRange: bytes=0-3\r\n\r\n");
    assert_eq!((part.status, part.text().as_str()), (206, "<svg"));
}

#[test]
fn nothing_else_is_served() {
    let folder = site();
    let secret = folder.path().parent().expect("a folder").join("offprint-dev-secret.txt");
    fs::write(&secret, "secret").expect("a file");
    let server = Server::start(folder.path());
    for path in [
        "/../offprint-dev-secret.txt",
        "/..%2foffprint-dev-secret.txt",
        "/%2e%2e/offprint-dev-secret.txt",
        "//etc/passwd",
        "/%2Fetc/passwd",
        "/guides/../../offprint-dev-secret.txt",
        "/..%5coffprint-dev-secret.txt",
        "/.env",
        "/docs.json",
        "/.mintignore",
        "/guides/start.mdx.bak",
        "/drafts/later",
        "/drafts/later.mdx",
        "/snippets/note.mdx",
        "/%ff%fe",
        "/%00",
        "/-/dev/",
        "/-/dev/other",
    ] {
        let response = server.get(path);
        assert_eq!(response.status, 404, "{path}: {}", response.text());
        assert!(!response.text().contains("SECRET") && !response.text().contains("secret\n"), "{path}");
    }
    let _ = fs::remove_file(secret);
    for host in ["example.com", "localhost.example.com:80", ""] {
        assert_eq!(server.send(&format!("GET / HTTP/1.0\r\nHost: {host}\r\n\r\n")).status, 403, "{host}");
    }
    assert_eq!(server.send("GET / HTTP/1.0\r\n\r\n").status, 403);
    assert_eq!(server.send("GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n").status, 200);
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        assert_eq!(
            server.send(&format!("{method} / HTTP/1.0\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")).status,
            405,
            "{method}"
        );
    }
    let head = server.send("HEAD / HTTP/1.0\r\nHost: localhost\r\n\r\n");
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn an_edit_shows_in_its_page_only() {
    let folder = site();
    let server = Server::start(folder.path());
    let (start, home) = (server.browser("/guides/start"), server.browser("/"));
    let page = folder.path().join("guides/start.mdx");
    let text = fs::read_to_string(&page).expect("a page");
    let mut slowest = Duration::ZERO;
    for round in 0..5 {
        let text = text.replace("First text.", &format!("Text number {round}."));
        let saved = Instant::now();
        if round % 2 == 0 {
            fs::write(&page, text).expect("a save");
        } else {
            // as editors do: a new file takes the place of the old one
            fs::write(folder.path().join("guides/.start.mdx.tmp"), text).expect("a save");
            fs::rename(folder.path().join("guides/.start.mdx.tmp"), &page).expect("a save");
        }
        start.event("reload");
        slowest = slowest.max(saved.elapsed());
        assert!(server.page("/guides/start").contains(&format!("Text number {round}.")));
    }
    // measured elsewhere; here only that nothing waits for long
    assert!(slowest < Duration::from_secs(20), "{slowest:?}");
    home.nothing();
    // saved without a change
    let same = fs::read(&page).expect("a page");
    fs::write(&page, same).expect("a save");
    start.nothing();
}

#[test]
fn what_pages_share_shows_in_all() {
    let folder = site();
    let server = Server::start(folder.path());
    let (start, home) = (server.browser("/guides/start.html"), server.browser("/"));
    write(folder.path(), "snippets/note.mdx", "Another note.\n");
    start.event("reload");
    assert!(server.page("/guides/start").contains("Another note."));
    home.nothing();
    write(folder.path(), "guides/start.mdx", "---\ntitle: Begin\n---\n\n## Install\n");
    home.event("reload");
    start.event("reload");
    assert!(server.page("/").contains("Begin"), "the navigation tells the new title");
    write(folder.path(), "style.css", ".x { color: blue; }\n");
    home.event("styles");
    assert!(server.get("/style.css").text().contains("blue"));
    home.nothing();
    // what is no part of the site
    write(folder.path(), "drafts/later.mdx", "---\ntitle: Still later\n---\n");
    write(folder.path(), "node_modules/a/b.mdx", "Text.");
    write(folder.path(), ".git/index", "x");
    home.nothing();
}

#[test]
fn pages_come_and_go() {
    let folder = site();
    let server = Server::start(folder.path());
    let missing = server.get("/guides/new/first");
    assert_eq!(missing.status, 404);
    assert!(
        missing.text().contains("<html lang=\"en\" data-root=\"../../\""),
        "where the site begins: {}",
        missing.text()
    );
    let waiting = server.browser("/guides/new/first");
    write(folder.path(), "guides/new/first.mdx", "---\ntitle: First\n---\n\nIt is there.\n");
    waiting.event("reload");
    assert!(server.page("/guides/new/first").contains("It is there."));
    // the new folder is watched too
    let browser = server.browser("/guides/new/first");
    write(folder.path(), "guides/new/first.mdx", "---\ntitle: First\n---\n\nIt is there still.\n");
    browser.event("reload");
    fs::rename(folder.path().join("guides/new"), folder.path().join("guides/moved")).expect("a move");
    browser.event("reload");
    assert_eq!(server.get("/guides/new/first").status, 404);
    let moved = server.browser("/guides/moved/first");
    write(folder.path(), "guides/moved/first.mdx", "---\ntitle: First\n---\n\nMoved.\n");
    moved.event("reload");
    fs::remove_dir_all(folder.path().join("guides/moved")).expect("a removal");
    moved.event("reload");
    assert_eq!(server.get("/guides/moved/first").status, 404);
}

/// What stands for a missing page may be a file that is made of all pages, by all threads: none of them may wait for itself.
#[test]
fn many_can_ask_for_what_is_not_there() {
    let folder = TempDir::with_prefix("offprint-dev-").expect("a temporary folder");
    for number in 0..2_000 {
        write(folder.path(), &format!("pages/p{number}.md"), &format!("# Page {number}\n\nText.\n"));
    }
    let server = Server::start(folder.path());
    for edition in 0..5 {
        let name = format!("pages/new{edition}");
        let browser = server.browser(&format!("/{name}"));
        write(folder.path(), &format!("{name}.md"), "# New\n\nText.\n");
        browser.event("reload");
        thread::scope(|scope| {
            for number in 0..32 {
                let server = &server;
                scope.spawn(move || assert_eq!(server.get(&format!("/missing/{number}")).status, 404));
            }
        });
    }
}

#[test]
fn a_broken_configuration_leaves_the_last_good_site() {
    let folder = site();
    let server = Server::start(folder.path());
    let home = server.browser("/");
    assert_eq!(home.notes["errors"], 0, "{}", home.notes);
    write(folder.path(), "docs.json", "{\n  \"theme\": ]\n}");
    let notes = home.event("notes");
    assert_eq!(Browser::codes(&notes), ["config-file docs.json:2"]);
    assert_eq!(notes["items"][0]["source"], "  \"theme\": ]");
    assert!(notes["items"][0]["hint"].is_string() && notes["items"][0]["column"] == 12, "{notes}");
    server.prints("docs.json:2:12");
    assert!(server.page("/").contains("Welcome."));
    // pages are followed meanwhile
    write(folder.path(), "index.mdx", "---\ntitle: Home\n---\n\nWelcome all the same.\n");
    home.event("reload");
    write(folder.path(), "docs.json", DOCS);
    // a note may be taken while the file is being written
    while home.event("notes")["errors"] != 0 {}
}

#[test]
fn a_configuration_that_goes_is_missed() {
    let folder = site();
    let server = Server::start(folder.path());
    let home = server.browser("/");
    fs::remove_file(folder.path().join("docs.json")).expect("a removal");
    while !Browser::codes(&home.event("notes")).contains(&"no-config :0".to_owned()) {}
    server.prints("`docs.json` was removed");
    write(folder.path(), "docs.json", DOCS);
    while home.event("notes")["warnings"] != 0 {}
}

#[test]
fn a_folder_that_is_replaced_is_followed() {
    let outer = TempDir::with_prefix("offprint-dev-").expect("a temporary folder");
    let root = outer.path().join("in/docs");
    let fill = |words: &str| {
        FILES.iter().for_each(|(path, text)| write(&root, path, &text.replace("Welcome.", words)));
    };
    fill("Welcome.");
    let server = Server::start(&root);
    let home = server.browser("/");
    let shows = |words: &str| {
        while !server.page("/").contains(words) {
            home.event("reload");
        }
    };
    // another folder of the same name
    fs::remove_dir_all(&root).expect("a removal");
    while home.event("notes")["errors"] != 1 {}
    fill("Welcome anew.");
    shows("Welcome anew.");
    write(&root, "index.mdx", "---\ntitle: Home\n---\n\nWelcome after an edit.\n");
    shows("Welcome after an edit.");
    // the same folder, away for a while
    let away = outer.path().join("away");
    fs::rename(&root, &away).expect("a move");
    while home.event("notes")["errors"] != 1 {}
    write(&away, "index.mdx", "---\ntitle: Home\n---\n\nWelcome elsewhere.\n");
    fs::rename(&away, &root).expect("a move");
    shows("Welcome elsewhere.");
    write(&root, "guides/start.mdx", "---\ntitle: Begin anew\n---\n");
    shows("Begin anew");
    // at once, and together with the folder that it lies in
    fs::rename(outer.path().join("in"), &away)
        .and_then(|()| fs::rename(&away, outer.path().join("in")))
        .expect("moves");
    write(&root, "index.mdx", "---\ntitle: Home\n---\n\nWelcome at last.\n");
    shows("Welcome at last.");
    fs::remove_dir_all(outer.path().join("in")).expect("a removal");
    while home.event("notes")["errors"] != 1 {}
    fill("Welcome for good.");
    shows("Welcome for good.");
}

#[test]
fn each_problem_is_printed_once() {
    let folder = site();
    let server = Server::start(folder.path());
    let home = server.browser("/");
    let _also = (server.browser("/index"), server.browser("/index.html"));
    let broken = "---\ntitle: Home\n---\n\n[nowhere](/no/such/page)\n";
    for round in 1..=2 {
        write(folder.path(), "index.mdx", broken);
        assert_eq!(Browser::codes(&home.event("notes")), ["broken-link index.mdx:5"]);
        server.prints("index.mdx:5:1");
        // an edit of another page makes nothing of it new
        write(folder.path(), "guides/start.mdx", &format!("---\ntitle: Start {round}\n---\n\n## Install\n"));
        home.event("reload");
        thread::sleep(SILENCE);
        let printed = server.printed.lock().expect("a lock").matches("warning[broken-link]").count();
        assert_eq!(printed, round, "a problem that came back is new");
        write(folder.path(), "index.mdx", FILES[1].1);
        while home.event("notes")["warnings"] != 0 {}
    }
}

#[test]
fn a_site_that_begins_broken_appears_when_corrected() {
    let folder = site();
    write(folder.path(), "docs.json", "{");
    let server = Server::start(folder.path());
    let response = server.get("/guides/start");
    assert_eq!(response.status, 503);
    assert!(response.text().contains("cannot be loaded"));
    let browser = server.browser("/guides/start");
    assert_eq!(Browser::codes(&browser.notes), ["config-file docs.json:1"]);
    write(folder.path(), "docs.json", DOCS);
    browser.event("reload");
    assert!(server.page("/guides/start").contains("First text."));
}

#[test]
fn problems_of_a_page_come_and_go() {
    let folder = site();
    let server = Server::start(folder.path());
    let home = server.browser("/");
    assert_eq!(home.notes["warnings"], 0, "{}", home.notes);
    // an anchor that another page loses
    write(
        folder.path(),
        "guides/start.mdx",
        "---\ntitle: Start\n---\nimport Note from '/snippets/note.mdx'\n\n## Set up\n",
    );
    home.event("reload");
    let notes = home.event("notes");
    assert_eq!(Browser::codes(&notes), ["broken-anchor index.mdx:5"]);
    assert_eq!(notes["items"][0]["source"], "Welcome. See [how](/guides/start#install).");
    server.prints("index.mdx:5:");
    // and gets again
    write(
        folder.path(),
        "guides/start.mdx",
        "---\ntitle: Start\n---\nimport Note from '/snippets/note.mdx'\n\n## Install\n",
    );
    home.event("reload");
    assert_eq!(home.event("notes")["warnings"], 0);
    // a page that cannot be rendered at all
    write(folder.path(), "index.mdx", "---\ntitle: Home\n---\n\n[nowhere](/no/such/page)\n");
    home.event("reload");
    assert_eq!(Browser::codes(&home.event("notes")), ["broken-link index.mdx:5"]);
}

#[test]
fn a_browser_that_missed_a_change_hears_of_it() {
    let folder = site();
    let server = Server::start(folder.path());
    let before = version(&server.page("/"));
    let browser = server.browser("/");
    write(folder.path(), "index.mdx", "---\ntitle: Home\n---\n\nOther words.\n");
    browser.event("reload");
    // comes back from the background with what it showed
    let (sender, seen) = mpsc::channel();
    let late =
        server.request(&format!("GET /-/dev/events?page=/&version={before} HTTP/1.0\r\nHost: localhost\r\n\r\n")).2;
    thread::spawn(move || {
        let first = late.lines().map_while(Result::ok).find(|line| !line.is_empty());
        let _ = sender.send(first);
    });
    assert_eq!(seen.recv_timeout(PATIENCE).expect("an event").as_deref(), Some("event: reload"));
}

#[test]
fn a_taken_port_leads_to_the_next() {
    let folder = site();
    let first = Server::start(folder.path());
    let port = first.port.to_string();
    let second = Server::start_with(folder.path(), &["--port", &port]);
    assert!(second.port > first.port);
    second.prints(&format!("Port {port} is in use."));
    assert!(second.page("/").contains("Welcome."));
}

#[test]
fn unusable_sources_end_at_once() {
    let output = offprint().args(["dev", "no/such/folder"]).output().expect("an end");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read the source"));
    let output = offprint().arg("dev").arg(site().path()).args(["--host", "203.0.113.9"]).output().expect("an end");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot listen on 203.0.113.9:3000"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it() {
    let folder = site();
    let mut server = Server::start(folder.path());
    let _browser = server.browser("/");
    let since = Instant::now();
    Command::new("kill").arg("-INT").arg(server.child.id().to_string()).status().expect("kill");
    let status = server.child.wait().expect("an end");
    assert!(status.success() && since.elapsed() < Duration::from_secs(20), "{status} after {:?}", since.elapsed());
}
