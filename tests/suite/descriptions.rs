//! API descriptions on other servers: fetched before the navigation is built, locked and cached like pictures, and
//! without them a site that says what it lacks.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::suite::servers::{Server, gzip, reply};
use crate::suite::site::{Exported, offprint};

const PETS: &str = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "tags": [{"name": "pets", "x-group": "Pet shop"}],
"paths": {"/pets": {"get": {"summary": "List pets", "tags": ["pets"], "description": "All of **them**."}, "post": {"summary": "Add a pet", "tags": ["pets"], "x-mint": {"content": "See [the guide](/index)."}}},
"/pets/{id}": {"get": {"summary": "Get a pet", "tags": ["pets"]}}}}"#;
const ORDERS: &str = "openapi: 3.1.0\ninfo: {title: Orders, version: '1'}\npaths:\n  /orders:\n    get: {summary: List orders}\n    post: {summary: Place an order}\n";
const CHAT: &str = "asyncapi: 3.0.0\nchannels:\n  room: {title: Chat room}\n";

/// A site that names descriptions of its server, and a folder for its caches.
struct Site {
    folder: TempDir,
    server: Server,
}

fn answer(path: &str, stream: &mut TcpStream) {
    let text = |stream: &mut TcpStream, kind: &str, text: &str| {
        reply(stream, "200 OK", &format!("Content-Type: {kind}\r\n"), text.as_bytes())
    };
    match path {
        "/moved.json" => reply(stream, "302 Found", "Location: /v2/pets.json\r\n", b""),
        "/v2/pets.json" | "/same.json" => text(stream, "application/json", PETS),
        "/orders.yaml?version=1" => {
            reply(stream, "200 OK", "Content-Type: text/plain\r\nContent-Encoding: gzip\r\n", &gzip(ORDERS.as_bytes()))
        }
        "/chat" => text(stream, "application/octet-stream", CHAT),
        "/page.json" => text(stream, "application/json", "<!doctype html><title>Sign in</title>"),
        "/swagger.json" => text(stream, "application/json", r#"{"swagger": "1.2", "apis": []}"#),
        "/other.json" => text(stream, "application/json", r#"{"name": "package"}"#),
        "/broken.json" => text(stream, "application/json", "{\"openapi\": \"3.1.0\",\n \"paths\": {"),
        "/empty.json" => text(stream, "application/json", ""),
        "/large.json" => text(
            stream,
            "application/json",
            &format!("{{\"openapi\": \"3.1.0\", \"x\": \"{}\"}}", "x".repeat(65 << 20)),
        ),
        "/loop.json" => reply(stream, "302 Found", "Location: /loop.json\r\n", b""),
        _ => reply(stream, "404 Not Found", "", b"{}"),
    }
}

impl Site {
    /// A site with this navigation, in which `S` stands for the server.
    fn new(navigation: &Value, pages: &[(&str, &str)]) -> Self {
        Self::with(navigation, &json!({}), pages, answer)
    }

    fn with(
        navigation: &Value,
        api: &Value,
        pages: &[(&str, &str)],
        answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static,
    ) -> Self {
        let site = Self {
            folder: TempDir::with_prefix("offprint-descriptions-").expect("a folder"),
            server: Server::start(answer),
        };
        let docs = json!({ "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "api": api, "navigation": navigation });
        site.write("docs.json", &serde_json::to_string_pretty(&docs).expect("JSON"));
        site.write("index.mdx", "---\ntitle: Start\n---\n\nText.\n");
        pages.iter().for_each(|(path, text)| site.write(path, text));
        site
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.source().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text.replace("S/", &self.server.url("/"))).expect("a file");
    }

    fn source(&self) -> PathBuf {
        self.folder.path().join("docs")
    }

    fn lock(&self) -> String {
        fs::read_to_string(self.source().join("offprint.lock")).unwrap_or_default()
    }

    fn export(&self, args: &[&str]) -> Exported {
        self.export_with_cache("cache", args)
    }

    fn export_with_cache(&self, cache: &str, args: &[&str]) -> Exported {
        let (cache, allow) = (self.cache(cache), self.allow());
        let mode: &[&str] =
            if args.contains(&"--locked") || args.contains(&"--vendor") { &[] } else { &["--vendor", "on"] };
        Exported::of(&self.source(), &[&["--cache-dir", cache.as_str(), allow.as_str()], mode, args].concat())
    }

    fn cache(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    fn allow(&self) -> String {
        format!("--allow-private={}", self.server.address)
    }

    /// Line of `docs.json`, from 1, that first has some words.
    fn line(&self, words: &str) -> u64 {
        let text = fs::read_to_string(self.source().join("docs.json")).expect("a file");
        text.lines().zip(1..).find(|(line, _)| line.contains(words)).map_or(0, |(_, number)| number)
    }
}

/// The pages of a bundle, without the start page and what the program adds.
fn pages(exported: &Exported) -> Vec<&str> {
    exported
        .html()
        .filter(|path| !matches!(*path, "index.html" | "404.html") && !path.starts_with("_offprint/"))
        .collect()
}

/// What stands above the content of a page.
fn title(exported: &Exported, page: &str) -> String {
    exported
        .page(page)
        .select("h1")
        .first()
        .map(|heading| heading.text().collect::<String>().trim().to_owned())
        .unwrap_or_default()
}

#[track_caller]
fn same_files(a: &Exported, b: &Exported) {
    let differ: Vec<_> =
        a.files.keys().chain(b.files.keys()).filter(|path| a.files.get(*path) != b.files.get(*path)).collect();
    assert!(differ.is_empty() && !a.files.is_empty(), "{differ:?}\n{}\n{}", a.stderr, b.stderr);
}

/// `code severity file:line` of all diagnostics.
fn reported(exported: &Exported) -> Vec<String> {
    exported.diagnostics.iter().map(|it| format!("{} {} {}:{}", it.code, it.severity, it.file, it.line)).collect()
}

/// Descriptions in every place that may name one.
fn everywhere() -> Site {
    let navigation = json!({ "tabs": [
        { "tab": "Guides", "pages": ["index", "own", "S/moved.json POST /pets"] },
        { "tab": "Orders", "groups": [{ "group": "All", "openapi": { "source": "S/orders.yaml?version=1", "directory": "shop", "overlays": [] } }] },
        { "tab": "Several", "openapi": ["local.json", "S/same.json"] },
        { "tab": "Chat", "asyncapi": "S/chat" },
    ] });
    let own = "---\nopenapi: S/moved.json GET /pets/{id}\n---\n\nWords of my own.\n";
    let local = r#"{"openapi": "3.1.0", "paths": {"/local": {"get": {"summary": "Stay here"}}}}"#;
    Site::new(&navigation, &[("own.mdx", own), ("local.json", local)])
}

#[test]
fn sections_have_their_pages() {
    let site = everywhere();
    let exported = site.export(&[]);
    assert_eq!((exported.code, reported(&exported)), (0, Vec::<String>::new()), "{}", exported.stderr);
    assert_eq!(
        pages(&exported),
        [
            "api-reference/chat-room.html",
            "api-reference/overview.html",
            "api-reference/pets/add-a-pet-1.html",
            "api-reference/pets/add-a-pet.html",
            "api-reference/pets/get-a-pet.html",
            "api-reference/pets/list-pets.html",
            "api-reference/stay-here.html",
            "own.html",
            "pets-overview.html",
            "shop/list-orders.html",
            "shop/overview.html",
            "shop/place-an-order.html",
        ]
    );
    // the page of a file is titled and described by the operation that its front matter names
    assert_eq!(title(&exported, "own"), "Get a pet");
    assert!(exported.page("api-reference/pets/list-pets").content_text().contains("All of them."));
    assert!(
        exported.page("api-reference/pets/add-a-pet").count("main a[href$='index.html']") > 0,
        "what the operation puts before its page has links"
    );
    assert!(exported.text_of("shop/list-orders.html").contains("Orders"), "the tab is in the navigation");

    let mut requests = site.server.requests();
    requests.sort();
    assert_eq!(
        requests,
        ["/chat", "/moved.json", "/orders.yaml?version=1", "/same.json", "/v2/pets.json"],
        "each address once"
    );

    // the bundle has the descriptions themselves, under the digest of their bytes, as it has pictures
    let held: Vec<&str> =
        exported.files.keys().map(String::as_str).filter(|path| path.starts_with("_offprint/remote/")).collect();
    assert_eq!(
        held.iter().filter(|path| path.ends_with(".json")).count(),
        1,
        "two addresses gave the same bytes: {held:?}"
    );
    assert_eq!(held.iter().filter(|path| path.ends_with(".yaml")).count(), 2, "{held:?}");
    assert!(
        held.iter().any(|path| exported.files[*path] == PETS.as_bytes())
            && held.iter().any(|path| exported.files[*path] == CHAT.as_bytes())
    );
    let list = exported.text_of("llms.txt");
    for name in
        ["local](local.json)", "moved](_offprint/remote/", "orders](_offprint/remote/", "chat](_offprint/remote/"]
    {
        assert!(list.contains(name), "{name} in {list}");
    }
    let parts: Value = serde_json::from_slice(&exported.files["_offprint/sbom.cdx.json"]).expect("JSON");
    let parts = parts["components"].as_array().expect("a list");
    for address in ["/moved.json", "/orders.yaml?version=1", "/chat"] {
        let url = site.server.url(address);
        assert!(
            parts.iter().any(|part| part["externalReferences"][0]["url"] == url),
            "{url} is in the list of others' works"
        );
    }

    let lock = site.lock();
    assert_eq!(lock.matches("[[asset]]").count(), 4, "{lock}");
    assert!(
        lock.contains("type = \"application/json\"")
            && lock.contains("type = \"application/yaml\"")
            && lock.contains(&format!("base = \"{}\"", site.server.url("/v2/pets.json"))),
        "{lock}"
    );
    assert_eq!((&exported.report["remote"]["vendored"], &exported.report["remote"]["missing"]), (&4.into(), &0.into()));
}

#[test]
fn the_lock_and_the_cache_stand_in_for_the_server() {
    let site = everywhere();
    let first = site.export(&[]);
    let (lock, before) = (site.lock(), site.server.requests().len());
    for args in [&[][..], &["--offline"], &["--locked"], &["--locked", "--offline"]] {
        let again = site.export(args);
        same_files(&first, &again);
        assert_eq!((again.code, reported(&again)), (0, Vec::<String>::new()), "{args:?}");
    }
    assert_eq!((site.server.requests().len(), site.lock()), (before, lock.clone()), "nobody was asked");
    // with an empty cache `--locked` fetches what the lock file names
    same_files(&first, &site.export_with_cache("other", &["--locked"]));
    assert_eq!(site.lock(), lock);
}

#[test]
fn without_a_network_the_section_is_left_out() {
    let site = everywhere();
    site.export(&[]);
    let lock = site.lock();
    let bare = site.export_with_cache("empty", &["--offline", "--strict"]);
    assert_eq!(bare.code, 0, "who asks for no network has asked for this: {}", bare.stderr);
    // pages that are written stay, and so do operations that the navigation names
    assert_eq!(pages(&bare), ["api-reference/post-pets.html", "api-reference/stay-here.html", "own.html"]);
    let found = reported(&bare);
    let line = |words| site.line(&site.server.url(words));
    let mut expect: Vec<String> = ["/same.json", "/chat", "/moved.json"]
        .map(|path| format!("openapi-remote warning docs.json:{}", line(path)))
        .into();
    // an object is named by its own line, the one before its address
    expect.push(format!("openapi-remote warning docs.json:{}", line("/orders.yaml") - 1));
    expect.sort();
    assert_eq!(
        {
            let mut found = found;
            found.sort();
            found
        },
        expect
    );
    assert!(
        bare.diagnostics
            .iter()
            .all(|it| it.message.contains("its operations have no pages: nothing is fetched with `--offline`")),
        "{:?}",
        bare.diagnostics
    );
    assert!(bare.stderr.contains("export once with a network and the same `--cache-dir`"), "{}", bare.stderr);
    assert!(!bare.files.keys().any(|path| path.starts_with("_offprint/remote/")));
    assert_eq!(site.lock(), lock, "what is missing today is not forgotten");

    // the same where no server may be asked that is not of the open internet
    let refused = Exported::of(&site.source(), &["--vendor", "on", "--cache-dir", &site.cache("third")]);
    assert_eq!((refused.code, site.server.requests().len()), (0, 5));
    assert!(
        refused.diagnostics.iter().all(|it| it.severity == "error" && it.message.contains("port")),
        "{:?}",
        refused.diagnostics
    );
    assert_eq!(
        Exported::of(&site.source(), &["--vendor", "on", "--strict", "--cache-dir", &site.cache("third")]).code,
        1
    );

    let off = site.export(&["--vendor", "off"]);
    assert_eq!((pages(&off), off.diagnostics.len()), (pages(&bare), 4));
    assert!(off.diagnostics.iter().all(|it| it.code == "openapi-remote" && it.severity == "warning"));
}

#[test]
fn what_is_no_description_is_told_with_its_place() {
    let cases = [
        ("/gone.json", "the answer is 404"),
        ("/page.json", "it is a web page, not a description of OpenAPI 3 or AsyncAPI"),
        ("/swagger.json", "it is Swagger 1.2, not"),
        ("/other.json", "it is a file without a top-level key `openapi`, `asyncapi` or `swagger`"),
        ("/empty.json", "it is empty"),
        ("/large.json", "it is larger than 64 MB"),
        ("/loop.json", "it redirects more than 5 times"),
    ];
    let groups = cases.iter().map(|(path, _)| json!({ "group": path, "openapi": format!("S{path}") }));
    let groups: Vec<Value> = std::iter::once(json!({ "group": "Start", "pages": ["index"] })).chain(groups).collect();
    let site = Site::new(&json!({ "groups": groups }), &[]);
    let exported = site.export(&[]);
    assert_eq!((exported.code, pages(&exported)), (0, Vec::new()), "{}", exported.stderr);
    for (path, why) in cases {
        let line = site.line(&site.server.url(path));
        let found: Vec<_> =
            exported.diagnostics.iter().filter(|it| it.file == "docs.json" && it.line == line).collect();
        assert!(
            matches!(found.as_slice(), [it] if it.code == "openapi-remote" && it.severity == "error" && it.message.contains(why)),
            "{path}: {found:?}"
        );
    }
    assert_eq!(exported.diagnostics.len(), cases.len(), "{:?}", exported.diagnostics);
    assert!(!exported.files.keys().any(|path| path.starts_with("_offprint/remote/")) && site.lock().is_empty());
    let start = exported.text_of("index.html");
    assert!(!start.contains("gone.json"), "a section without pages is not in the navigation");
}

#[test]
fn a_description_that_cannot_be_read_is_told_by_its_address() {
    let site = Site::new(
        &json!({ "groups": [{ "group": "Start", "pages": ["index"] }, { "group": "API", "openapi": "S/broken.json" }] }),
        &[],
    );
    let exported = site.export(&[]);
    assert_eq!(
        reported(&exported),
        [format!("openapi-file error {}:2", site.server.url("/broken.json"))],
        "{:?}",
        exported.diagnostics
    );
}

#[test]
fn changed_descriptions_are_accepted_or_refused() {
    let changed = Arc::new(AtomicBool::new(false));
    let is_changed = Arc::clone(&changed);
    let give = move |_: &str, stream: &mut TcpStream| {
        let text =
            if is_changed.load(Ordering::Relaxed) { PETS.replace("List pets", "Show pets") } else { PETS.to_owned() };
        reply(stream, "200 OK", "Content-Type: application/json\r\n", text.as_bytes());
    };
    let site = Site::with(&json!({ "groups": [{ "group": "API", "openapi": "S/a.json" }] }), &json!({}), &[], give);
    let first = site.export(&[]);
    assert!(first.files.contains_key("api-reference/pets/list-pets.html"));
    changed.store(true, Ordering::Relaxed);
    // locked bytes win while the cache has them
    same_files(&first, &site.export(&[]));
    let (lock, line) = (site.lock(), site.line("/a.json"));
    let refused = site.export_with_cache("b", &["--locked"]);
    assert_eq!(reported(&refused), [format!("openapi-remote error docs.json:{line}")]);
    assert!(
        refused.diagnostics[0].message.contains("its bytes are not those of the lock file"),
        "{:?}",
        refused.diagnostics
    );
    assert_eq!((pages(&refused), site.lock()), (Vec::new(), lock.clone()));
    assert!(!site.folder.path().join("b/sha256").exists(), "nothing of it is kept");
    let accepted = site.export_with_cache("b", &[]);
    assert_eq!(reported(&accepted), [format!("remote-changed warning docs.json:{line}")]);
    assert!(accepted.files.contains_key("api-reference/pets/show-pets.html"));
    assert_ne!(site.lock(), lock);
    assert_eq!(reported(&site.export_with_cache("b", &["--locked", "--offline"])), Vec::<String>::new());
    // what the lock file does not name is not accepted
    site.write(
        "docs.json",
        &fs::read_to_string(site.source().join("docs.json")).expect("a file").replace("/a.json", "/b.json"),
    );
    assert_eq!(
        reported(&site.export_with_cache("b", &["--locked"])),
        [format!("openapi-remote error docs.json:{line}")]
    );
}

#[test]
fn pages_are_about_operations_of_the_settings() {
    let page = "---\nopenapi: GET /pets\n---\n\nWords.\n";
    let api = json!({ "openapi": [{ "source": "S/moved.json" }], "asyncapi": "S/gone.yaml" });
    let site =
        Site::with(&json!({ "pages": ["index", "list", "GET /pets/{id}"] }), &api, &[("list.mdx", page)], answer);
    let exported = site.export(&[]);
    assert_eq!(pages(&exported), ["api-reference/pets/get-a-pet.html", "list.html", "pets-overview.html"]);
    assert_eq!(title(&exported, "list"), "List pets");
    // nothing in the navigation needs it: a warning
    assert_eq!(reported(&exported), [format!("openapi-remote warning docs.json:{}", site.line("gone.yaml"))]);
}

#[test]
fn front_matter_names_addresses_too() {
    let page = "---\ntitle: Own\ndescription: Words.\nopenapi: S/gone.json GET /pets\n---\n\nText.\n";
    let site = Site::new(&json!({ "pages": ["index", "own"] }), &[("own.mdx", page)]);
    let exported = site.export(&[]);
    assert_eq!(
        (reported(&exported), pages(&exported)),
        (vec!["openapi-remote warning own.mdx:4".to_owned()], vec!["own.html"])
    );
}

#[test]
fn an_older_configuration_names_addresses() {
    let site = Site::new(&json!({ "pages": ["index"] }), &[]);
    fs::remove_file(site.source().join("docs.json")).expect("removed");
    let old = r##"{"name": "Old", "colors": {"primary": "#123456"}, "openapi": "S/chat", "tabs": [{"name": "API", "url": "api", "openapi": "S/same.json"}], "navigation": [{"group": "Start", "pages": ["index"]}]}"##;
    site.write("mint.json", old);
    let exported = site.export(&[]);
    assert_eq!((exported.code, reported(&exported)), (0, Vec::<String>::new()));
    assert_eq!(
        pages(&exported),
        ["api/overview.html", "api/pets/add-a-pet.html", "api/pets/get-a-pet.html", "api/pets/list-pets.html"]
    );
    assert_eq!(site.server.requests().len(), 2);
}

#[test]
fn a_check_knows_the_pages_of_remote_descriptions() {
    let site = Site::new(
        &json!({ "groups": [{ "group": "Start", "pages": ["index"] }, { "group": "API", "openapi": "S/same.json" }] }),
        &[],
    );
    site.write(
        "index.mdx",
        "---\ntitle: Start\n---\n\n[Fine](/api-reference/pets/list-pets) and ![a picture](S/a.png)\n",
    );
    let check = |args: &[&str]| {
        let output = offprint()
            .arg("check")
            .arg(site.source())
            .args(["--format", "json", "--cache-dir", &site.cache("cache"), &site.allow()])
            .args(args)
            .output()
            .expect("it starts");
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let codes = answer["findings"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|finding| finding["code"].as_str().map(str::to_owned))
            .collect::<Vec<_>>();
        (output.status.code(), codes)
    };
    assert_eq!(check(&[]), (Some(0), vec!["outside-load".to_owned()]), "pictures stay where they are");
    assert_eq!(site.server.requests(), ["/same.json"]);
    assert!(site.lock().is_empty(), "a check writes nothing beside the source");
    let (code, codes) = check(&["--offline"]);
    assert_eq!(code, Some(1));
    assert!(
        codes.iter().any(|code| code == "openapi-remote") && codes.iter().any(|code| code == "broken-link"),
        "{codes:?}"
    );
}

#[test]
fn exports_do_not_depend_on_what_else_is_fetched() {
    let site = everywhere();
    site.write("index.mdx", "---\ntitle: Start\n---\n\n![A picture](S/gone.png)\n");
    let first = site.export(&["--jobs", "1"]);
    let again = site.export_with_cache("other", &["--jobs", "8"]);
    same_files(&first, &again);
    let only = site.export(&["--paths", "index"]);
    assert_eq!(pages(&only), Vec::<&str>::new());
    assert_eq!(site.lock().matches("[[asset]]").count(), 4, "a partial export forgets nothing");
    assert!(Path::new(&site.cache("cache")).join("sha256").is_dir());
}
