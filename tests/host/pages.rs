//! What readers get: every file with its type, its version and its parts; addresses in every spelling; redirects;
//! Markdown.

use std::fs;

use base64::Engine as _;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::host::bundles::{bundles, hex};
use crate::host::program::{Answer, Host, offprint};

fn host() -> Host {
    Host::ready(&["--bundle", &bundles().name(1)])
}

/// Path, size and digest of every file in the manifest.
fn files(host: &Host) -> Vec<(String, u64, String)> {
    let manifest = host.get("/_offprint/manifest.json").json();
    let files = manifest["files"].as_object().expect("files").iter();
    files
        .map(|(path, file)| {
            (
                path.clone(),
                file["size"].as_u64().expect("a size"),
                file["sha256"].as_str().expect("a digest").to_owned(),
            )
        })
        .collect()
}

fn encoded(path: &str) -> String {
    path.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

#[test]
fn every_file_comes_as_it_is_and_as_gzip() {
    let host = host();
    let files = files(&host);
    assert!(files.len() > 30, "{}", files.len());
    let mut client = host.client();
    let (mut packed, mut lasting) = (0, 0);
    for (path, size, sha256) in files {
        let path = encoded(&path);
        let plain = client.ask("GET", &format!("/{path}"), &[], b"").expect("an answer");
        assert_eq!((plain.status, hex(&Sha256::digest(&plain.body))), (200, sha256.clone()), "{path}");
        assert_eq!((plain.header("etag"), plain.header("content-encoding")), (format!("\"{sha256}\"").as_str(), ""));
        assert_eq!(
            (plain.header("x-content-type-options"), plain.header("x-offprint-version"), plain.header("accept-ranges")),
            ("nosniff", "v1", "bytes"),
            "{path}"
        );
        assert!(!plain.header("referrer-policy").is_empty() && !plain.header("x-frame-options").is_empty(), "{path}");
        let zipped = client.ask("GET", &format!("/{path}"), &["Accept-Encoding: br, gzip"], b"").expect("an answer");
        assert_eq!(zipped.status, 200);
        if zipped.header("content-encoding") == "gzip" {
            packed += 1;
            assert_eq!(zipped.header("accept-ranges"), "", "{path}: no part of a gzip");
            assert_eq!(hex(&Sha256::digest(zipped.unpacked())), sha256, "{path}");
            assert_eq!(zipped.header("etag"), format!("\"{sha256}-gzip\""));
            assert!(
                zipped.header("vary").contains("accept-encoding") && plain.header("vary").contains("accept-encoding"),
                "{path}"
            );
        }
        lasting += u32::from(plain.header("cache-control").contains("immutable"));
        let is_named_after_its_content = path.contains(&format!("-{}.", &sha256[..8]));
        assert_eq!(plain.header("cache-control").contains("immutable"), is_named_after_its_content, "{path}");
        // HEAD says the same without a body
        for lines in [&[][..], &["Accept-Encoding: gzip"]] {
            let whole = client.ask("GET", &format!("/{path}"), lines, b"").expect("an answer");
            let head = client.ask("HEAD", &format!("/{path}"), lines, b"").expect("an answer");
            assert!(head.body.is_empty());
            let without_date = |answer: &Answer| {
                answer
                    .headers
                    .iter()
                    .filter(|(name, _)| *name != "date")
                    .map(|(name, value)| format!("{name}: {value}"))
                    .collect::<Vec<_>>()
            };
            assert_eq!((head.status, without_date(&head)), (whole.status, without_date(&whole)), "{path}");
        }
        let known = client
            .ask("GET", &format!("/{path}"), &[&format!("If-None-Match: \"x\", \"{sha256}\"")], b"")
            .expect("an answer");
        assert_eq!(
            (known.status, known.header("etag"), known.body.len()),
            (304, format!("\"{sha256}\"").as_str(), 0),
            "{path}"
        );
        if size > 3 {
            let part = client
                .ask("GET", &format!("/{path}"), &["Range: bytes=1-2", "Accept-Encoding: gzip"], b"")
                .expect("an answer");
            assert_eq!(
                (part.status, part.header("content-range"), &part.body[..]),
                (206, format!("bytes 1-2/{size}").as_str(), &plain.body[1..3]),
                "{path}"
            );
        }
    }
    assert!(packed > 20 && lasting > 3, "{packed} {lasting}");
}

#[test]
fn parts_of_large_files_are_the_right_ones() {
    let host = host();
    for path in ["/noise.png", "/guides/long.html"] {
        let whole = host.get(path).body;
        let size = whole.len();
        assert!(size > 256 << 10, "{path}: {size}");
        for (range, expect) in [
            (format!("bytes={}-", size - 70_000), Some(size - 70_000..size)),
            ("bytes=65530-65550".to_owned(), Some(65_530..65_551)),
            ("bytes=-1".to_owned(), Some(size - 1..size)),
            (format!("bytes=1-{}", size * 2), Some(1..size)),
            (format!("bytes={size}-"), None),
        ] {
            let part = host.ask("GET", path, &[&format!("Range: {range}")]);
            match expect {
                Some(expect) => {
                    assert_eq!(
                        (part.status, part.header("content-range")),
                        (206, format!("bytes {}-{}/{size}", expect.start, expect.end - 1).as_str())
                    );
                    assert!(part.body == whole[expect], "{path} {range}");
                }
                None => assert_eq!(
                    (part.status, part.header("content-range"), part.body.len()),
                    (416, format!("bytes */{size}").as_str(), 0)
                ),
            }
        }
        for all in ["bytes=0-1,3-4", "lines=1-2", "bytes=2-1"] {
            assert_eq!(host.ask("GET", path, &[&format!("Range: {all}")]).body.len(), size, "{all}");
        }
        let tag = host.get(path).header("etag").to_owned();
        let version = |tag: &str| host.ask("GET", path, &["Range: bytes=0-4", &format!("If-Range: {tag}")]).status;
        assert_eq!((version(&tag), version("\"other\"")), (206, 200));
    }
    let zipped = host.ask("GET", "/guides/long.html", &["Accept-Encoding: gzip"]);
    assert!(zipped.unpacked() == host.get("/guides/long.html").body);
}

/// Clients that take no gzip are sent the same, whether it is inflated for each of them or kept: all of it, much more
/// than there is room for, or nothing.
#[test]
fn contents_that_are_kept_are_those_of_the_bundle() {
    for bytes in ["", "1000000", "20000", "0"] {
        let bundle = bundles().name(1);
        let options = ["--bundle", bundle.as_str(), "--content-cache", bytes];
        let host = Host::ready(if bytes.is_empty() { &options[..2] } else { &options });
        let files = files(&host);
        let mut client = host.client();
        for round in 0..3 {
            for (path, size, sha256) in &files {
                let path = format!("/{}", encoded(path));
                let whole = client.ask("GET", &path, &[], b"").expect("an answer");
                assert_eq!((whole.status, hex(&Sha256::digest(&whole.body))), (200, sha256.clone()), "{path} {round}");
                let Some(last) = size.checked_sub(3) else { continue };
                let part = client.ask("GET", &path, &[&format!("Range: bytes={last}-")], b"").expect("an answer");
                assert!(part.status == 206 && part.body == whole.body[last as usize..], "{path} {round}");
            }
        }
    }
}

#[test]
fn types_are_those_of_the_table() {
    let host = host();
    for (path, expect) in [
        ("/", "text/html; charset=utf-8"),
        ("/guides/start", "text/html; charset=utf-8"),
        ("/guides/start.md", "text/markdown; charset=utf-8"),
        ("/llms.txt", "text/plain; charset=utf-8"),
        ("/sitemap.xml", "application/xml"),
        ("/picture.svg", "image/svg+xml"),
        ("/noise.png", "image/png"),
        ("/_offprint/manifest.json", "application/json"),
    ] {
        let answer = host.get(path);
        assert_eq!((answer.status, answer.header("content-type")), (200, expect), "{path}");
    }
    let scripts =
        files(&host).into_iter().filter(|(path, ..)| path.ends_with(".js")).map(|(path, ..)| path).collect::<Vec<_>>();
    assert!(!scripts.is_empty());
    scripts.iter().for_each(|path| {
        assert_eq!(host.get(&format!("/{path}")).header("content-type"), "text/javascript; charset=utf-8")
    });
}

#[test]
fn addresses_are_found_in_every_spelling() {
    let host = host();
    let start = host.get("/guides/start.html");
    for (path, same) in [
        ("/guides/start", "/guides/start.html"),
        ("/", "/index.html"),
        ("/index", "/index.html"),
        ("/guides/", "/guides/index.html"),
        ("/%C3%BCnicode", "/%c3%bcnicode.html"),
        ("/guides/start?x=%00&y", "/guides/start"),
    ] {
        let (one, other) = (host.get(path), host.get(same));
        assert_eq!((one.status, &one.body, one.header("etag")), (200, &other.body, other.header("etag")), "{path}");
    }
    assert!(start.text().contains("Edition-1 of this page"));
    for (path, to) in [
        ("/guides/start/", "/guides/start"),
        ("/guides/start/?a=b", "/guides/start?a=b"),
        ("/guides", "/guides/"),
        ("/%C3%BCnicode/", "/%C3%BCnicode"),
    ] {
        let moved = host.get(path);
        assert_eq!((moved.status, moved.header("location")), (308, to), "{path}");
    }
    for path in [
        "/nothing",
        "/guides/start.htm",
        "/guides//start",
        "//guides/start",
        "/../guides/start",
        "/guides/%2e%2e/index",
        "/guides/start.html/",
        "/GUIDES/START",
        "/%ff",
        "/%00",
        "/noise.png/",
        "/\\etc",
        "/guides/start%00.html",
    ] {
        let missing = host.get(path);
        assert_eq!((missing.status, missing.header("content-type")), (404, "text/html; charset=utf-8"), "{path}");
        assert!(
            missing.text().contains("404")
                && missing.header("x-offprint-version") == "v1"
                && missing.header("etag").is_empty(),
            "{path}"
        );
    }
    // the page is told how far up the site begins, whatever a proxy put before the address
    for (path, root) in [("/nothing", "./"), ("/guides/nothing", "../"), ("/a/b/", "../../")] {
        let tag = format!("<html lang=\"en\" data-root=\"{root}\"");
        let zipped = host.ask("GET", path, &["Accept-Encoding: gzip"]);
        assert!(
            host.get(path).text().contains(&tag) && String::from_utf8_lossy(&zipped.unpacked()).contains(&tag),
            "{path}"
        );
    }
    let zipped = host.ask("GET", "/nothing", &["Accept-Encoding: gzip"]);
    assert!(zipped.status == 404 && String::from_utf8_lossy(&zipped.unpacked()).contains("404"));
    assert_eq!(host.ask("HEAD", "/nothing", &[]).status, 404);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND"] {
        let refused = host.ask(method, "/guides/start", &[]);
        assert_eq!((refused.status, refused.header("allow")), (405, "GET, HEAD"), "{method}");
    }
}

#[test]
fn redirects_of_the_bundle_are_followed() {
    let host = host();
    for (path, status, to) in [
        ("/old", 308, "/guides/start#install"),
        ("/old?a=b", 308, "/guides/start?a=b#install"),
        ("/tab", 308, "/guides/start?tab=go#install"),
        ("/tab?a=b", 308, "/guides/start?tab=go&a=b#install"),
        ("/for-now", 307, "/guides/start"),
        ("/away", 308, "https://example.com/x"),
        ("/wiki/start", 308, "/guides/start"),
        ("/wiki/a/b?c=d", 308, "/guides/a/b?c=d"),
        ("/any//evil.example", 308, "/evil.example"),
        ("/any/%0d%0aSet-Cookie:x", 308, "/%0d%0aSet-Cookie:x"),
    ] {
        let moved = host.get(path);
        assert_eq!((moved.status, moved.header("location")), (status, to), "{path}");
    }
    // pages come first, and the page at the old address works for hosts that know no redirects
    assert_eq!(host.get("/guides/start").status, 200);
    assert!(host.get("/old.html").text().contains("has moved"));
}

#[test]
fn those_who_ask_for_markdown_get_it() {
    let host = host();
    let page = host.get("/guides/start.md");
    for accept in [
        "text/markdown",
        "text/markdown, text/html, */*",
        "text/plain",
        "Text/Markdown",
        "text/html;q=0.5, */*, text/markdown;q=0.6",
    ] {
        let answer = host.ask("GET", "/guides/start", &[&format!("Accept: {accept}")]);
        assert_eq!(
            (answer.status, answer.header("content-type"), &answer.body),
            (200, "text/markdown; charset=utf-8", &page.body),
            "{accept}"
        );
        assert!(answer.header("vary").contains("accept,"), "{}", answer.header("vary"));
        assert_eq!(answer.header("etag"), page.header("etag"));
    }
    for accept in [
        "text/html",
        "*/*",
        "*/*, text/markdown;q=0.5",
        "text/*, text/markdown;q=0.9",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    ] {
        assert!(
            host.ask("GET", "/guides/start", &[&format!("Accept: {accept}")]).text().starts_with("<!doctype html>"),
            "{accept}"
        );
    }
    // what is no page is what it is
    assert_eq!(host.ask("GET", "/picture.svg", &["Accept: text/markdown"]).header("content-type"), "image/svg+xml");
    let page = host.get("/guides/start");
    assert!(
        page.header("link").contains("</llms.txt>; rel=\"llms-txt\"") && page.header("x-llms-txt") == "/llms.txt",
        "{:?}",
        page.headers
    );
    assert!(host.get("/llms.txt").text().contains("guides/start"));
}

/// The digests that a directive of a policy allows.
fn allowed(policy: &str, directive: &str) -> String {
    policy.split("; ").find(|part| part.starts_with(&format!("{directive} "))).unwrap_or_default().to_owned()
}

fn source(text: &str) -> String {
    format!("'sha256-{}'", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text)))
}

#[test]
fn policies_allow_what_pages_hold_and_nothing_else() {
    let host = host();
    let (mut pages, mut attributes) = (0, 0);
    for (path, ..) in files(&host).into_iter().filter(|(path, ..)| path.ends_with(".html")) {
        let answer = host.get(&format!("/{}", encoded(&path)));
        let policy = answer.header("content-security-policy");
        assert!(
            !policy.is_empty() && !policy.contains("unsafe-inline") && !policy.contains("unsafe-eval"),
            "{path}: {policy}"
        );
        assert!(
            policy.starts_with("default-src 'none'")
                && policy.contains("frame-ancestors 'self'")
                && policy.contains("base-uri 'none'"),
            "{path}: {policy}"
        );
        let page = scraper::Html::parse_document(&answer.text());
        let select = |selector: &str| scraper::Selector::parse(selector).expect("a selector");
        for script in page.select(&select("script:not([src]):not([type])")) {
            assert!(
                allowed(policy, "script-src").contains(&source(&script.text().collect::<String>())),
                "{path}: {policy}"
            );
        }
        for style in page.select(&select("style")) {
            assert!(
                allowed(policy, "style-src").contains(&source(&style.text().collect::<String>())),
                "{path}: {policy}"
            );
        }
        for element in page.select(&select("[style]")) {
            attributes += 1;
            assert!(
                allowed(policy, "style-src-attr").contains(&source(element.attr("style").unwrap_or_default())),
                "{path}: {policy}"
            );
        }
        pages += 1;
    }
    assert!(pages >= 7 && attributes >= 1, "{pages} {attributes}");
    let drawing = host.get("/picture.svg");
    assert!(
        drawing.header("content-security-policy").ends_with("; sandbox")
            && drawing.header("content-security-policy").contains(&source("rect{fill:teal}"))
    );
}

#[test]
fn previews_ask_search_engines_to_stay_away() {
    let host = Host::ready(&["--bundle", &bundles().name(1), "--noindex"]);
    let page = host.get("/guides/start");
    assert_eq!((page.header("x-robots-tag"), page.header("origin-agent-cluster")), ("noindex", "?1"));
    assert_eq!(host.get("/nothing").header("x-robots-tag"), "noindex");
    assert_eq!(self::host().get("/guides/start").header("x-robots-tag"), "");
}

#[test]
fn programs_search_the_index_of_the_bundle() {
    let host = host();
    let found = host.get("/-/search?q=telescope").json();
    assert_eq!(found["query"], "telescope");
    assert_eq!(found["results"][0]["url"], "/guides/start.html#install", "{found}");
    assert!(found["results"][0]["snippet"].as_str().is_some_and(|text| text.contains("Telescopes")), "{found}");
    assert_eq!(host.get("/-/search?q=zzzzunheardof").json()["results"], Value::Array(Vec::new()));
    assert_eq!(host.get("/-/search?q=page&limit=1").json()["results"].as_array().map(Vec::len), Some(1));
    for bad in ["/-/search", "/-/search?q=", "/-/search?q=%20", "/-/search?q=a&limit=0", "/-/search?q=a&limit=x"] {
        let refused = host.get(bad);
        assert!(refused.status == 400 && refused.json()["error"].is_string(), "{bad}");
    }
    assert_eq!(host.ask("PUT", "/-/search?q=a", &[]).status, 405);
    assert_eq!(host.get(&format!("/-/search?q={}", "a%20".repeat(1_500))).status, 200);
    let without = Host::ready(&["--bundle", &bundles().name(1), "--no-search"]);
    assert_eq!(without.get("/-/search?q=telescope").status, 404);
}

/// Without a version programs look where readers of a start page do, and elsewhere if there is nothing.
#[test]
fn programs_search_the_version_that_they_name() {
    let folder = TempDir::with_prefix("offprint-host-").expect("a temporary folder");
    let bundle = folder.path().join("versions.zip");
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/versions");
    let exported = offprint()
        .args(["export", fixture, "--progress", "none", "-o"])
        .arg(&bundle)
        .output()
        .expect("the program starts");
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    let host = Host::ready(&["--bundle", bundle.to_str().expect("a name"), "--mcp"]);
    let found = |query: &str| {
        let answer = host.get(&format!("/-/search?q={query}")).json();
        let mut urls: Vec<String> = answer["results"]
            .as_array()
            .expect("results")
            .iter()
            .map(|page| page["url"].as_str().expect("an address").to_owned())
            .collect();
        urls.sort();
        urls
    };
    assert_eq!(found("sampling"), ["/sdk/2.0/client.html", "/spec/2.0/sampling.html"]);
    assert_eq!(found("sampling&version=1.0"), ["/sdk/1.0/client.html", "/spec/1.0/sampling.html"]);
    assert_eq!(found("sampling&version=all").len(), 5);
    assert_eq!(found("SEP-2243&version=Draft"), ["/seps/2243.html"]);
    assert_eq!(found("batching"), ["/spec/1.0/batching.html"], "no other version says it");
    assert_eq!(host.get("/-/search?q=batching").json()["results"][0]["version"], "1.0");
    assert_eq!(host.get("/-/search?q=batching&version=9").status, 400);
    let ask = |message: &Value| host.post("/mcp", &["Content-Type: application/json"], &message.to_string()).json();
    let tools = ask(&serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    assert_eq!(
        tools["result"]["tools"][0]["inputSchema"]["properties"]["version"]["enum"],
        serde_json::json!(["2.0 (latest)", "1.0", "Draft", "all"])
    );
    let call = |version: &str| {
        ask(
            &serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "tasks", "version": version}}}),
        )
    };
    assert!(
        call("Draft")["result"]["content"][0]["text"]
            .as_str()
            .is_some_and(|text| text.contains("/spec/draft/tasks.html"))
    );
    assert_eq!(call("9")["error"]["code"], -32602);
}

#[test]
fn assistants_search_and_read_pages() {
    let host = Host::ready(&["--bundle", &bundles().name(1), "--mcp"]);
    let json = "Content-Type: application/json";
    let call = |method: &str, params: Value| {
        let message = serde_json::json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let answer = host.post("/mcp", &[json, "Accept: application/json, text/event-stream"], &message.to_string());
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
        let answer = answer.json();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&"2.0".into(), &7.into()));
        answer
    };
    let begun = call(
        "initialize",
        serde_json::json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
    );
    assert_eq!(
        (&begun["result"]["protocolVersion"], &begun["result"]["capabilities"]["tools"]),
        (&"2025-06-18".into(), &serde_json::json!({}))
    );
    assert_eq!(
        call("initialize", serde_json::json!({"protocolVersion": "1999-01-01"}))["result"]["protocolVersion"],
        "2025-11-25"
    );
    let notified = host.post("/mcp", &[json], r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!((notified.status, notified.body.len()), (202, 0));
    assert_eq!(call("ping", Value::Null)["result"], serde_json::json!({}));
    let tools = call("tools/list", Value::Null);
    let names: Vec<_> = tools["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| tool["name"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(names, ["search", "read_page"]);
    let found = call("tools/call", serde_json::json!({"name": "search", "arguments": {"query": "telescope"}}));
    assert!(
        found["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("/guides/start.html#install")),
        "{found}"
    );
    for path in
        ["/guides/start", "guides/start.html#install", "/guides/start.md", "/old", "/wiki/start", "guides/start/"]
    {
        let page = call("tools/call", serde_json::json!({"name": "read_page", "arguments": {"path": path}}));
        assert_eq!(page["result"]["isError"], false, "{path}: {page}");
        assert!(
            page["result"]["content"][0]["text"]
                .as_str()
                .is_some_and(|text| text.contains("Edition-1 of this page") && !text.contains('<')),
            "{path}: {page}"
        );
    }
    let missing =
        call("tools/call", serde_json::json!({"name": "read_page", "arguments": {"path": "/../../etc/passwd"}}));
    assert_eq!(missing["result"]["isError"], true);
    assert_eq!(call("tools/call", serde_json::json!({"name": "read_page"}))["error"]["code"], -32602);
    assert_eq!(call("tools/call", serde_json::json!({"name": "rm"}))["error"]["code"], -32602);
    assert_eq!(call("resources/list", Value::Null)["error"]["code"], -32601);
    for (body, code) in [
        ("{", -32700),
        ("[]", -32600),
        ("3", -32600),
        ("{\"id\":1,\"method\":\"ping\"}", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0"}"#, -32600),
    ] {
        let answer = host.post("/mcp", &[json], body);
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &code.into()), "{body}");
    }
    assert_eq!(host.post("/mcp", &[json], &format!("\"{}\"", "x".repeat(70 << 10))).status, 413);
    assert_eq!(host.post("/mcp", &["Content-Type: text/plain"], "{}").status, 415);
    assert_eq!(
        (host.ask("GET", "/mcp", &["Accept: text/event-stream"]).status, host.ask("DELETE", "/mcp", &[]).status),
        (405, 405)
    );
    // a browser wants the page of this name, if there is one
    assert!(host.get("/mcp").status == 404 && host.get("/mcp").text().starts_with("<!doctype html>"));
    for (version, status) in [("2025-11-25", 200), ("2025-03-26", 200), ("1999-01-01", 400), ("", 400)] {
        let answer = host.post(
            "/mcp",
            &[json, &format!("MCP-Protocol-Version: {version}")],
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        );
        assert_eq!(answer.status, status, "{version}");
    }
    // old clients may send several messages at once
    let batch = r#"[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":2,"method":"rm"},3]"#;
    let answer = host.post("/mcp", &[json, "MCP-Protocol-Version: 2025-03-26"], batch).json();
    assert_eq!(
        (answer.as_array().map(Vec::len), &answer[0]["id"], &answer[1]["error"]["code"], &answer[2]["error"]["code"]),
        (Some(3), &"a".into(), &(-32601).into(), &(-32600).into()),
        "{answer}"
    );
    assert_eq!(host.post("/mcp", &[json], r#"[{"jsonrpc":"2.0","method":"notifications/x"}]"#).status, 202);
    assert_eq!(host.post("/mcp", &[json, "MCP-Protocol-Version: 2025-06-18"], batch).status, 400);
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(host.post("/mcp", &[json, "Origin: https://evil.example"], ping).status, 403);
    assert_eq!(host.post("/mcp", &[json, "Origin: http://localhost"], ping).status, 200);
    assert_eq!(self::host().get("/mcp").status, 404);
}

#[test]
fn nothing_is_unpacked() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    let host = Host::ready(&["--bundle", &bundles().name(1), "--cache-dir", cache.to_str().expect("a name")]);
    host.get("/guides/start");
    let mut names: Vec<_> = fs::read_dir(&cache)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    let mut expect = [format!("{}.zip", bundles().sha256(1)), "bundles.json".to_owned(), "parts".to_owned()];
    expect.sort();
    assert_eq!(names, expect);
    assert_eq!(fs::read_dir(cache.join("parts")).expect("a folder").count(), 0);
}
