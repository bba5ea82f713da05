//! Sections 2 and 4 of the contract.

use std::io::{BufReader, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::service::client::{Client, ask, read};
use crate::service::server::{key, shared};

const JOBS: &str = "/v1/static-export/jobs";
const NOBODY: &str = "se_00000000000000000000000000000000";

#[test]
fn s_ver_1_previews_and_exports_live_under_v1_agents_under_v2() {
    let mut client = shared().client();
    for (method, path) in [
        ("POST", "/v2/project/preview/acme-docs"),
        ("GET", "/v2/project/update-status/upd_1"),
        ("POST", "/v2/project/update/acme-docs"),
        ("POST", "/v2/static-export/jobs"),
        ("GET", "/v2/static-export/jobs/se_1"),
        ("POST", "/v2/static-export/jobs/se_1/bundle"),
        ("GET", "/v2/static-export/jobs/se_1/events"),
        ("GET", "/v1/agent/acme-docs/job/aj_1"),
        ("POST", "/v1/agent/acme-docs/job"),
        ("POST", "/v1/agent/acme-docs/job/aj_1/message"),
        ("POST", "/v3/static-export/jobs"),
    ] {
        client.send(&ask(method, path).key(&key("acme"))).refuses(404, "not_found");
        client.send(&ask(method, path)).refuses(404, "not_found");
    }
}

#[test]
fn s_json_answers_are_json() {
    let mut client = shared().client();
    let list = client.send(&ask("GET", format!("{JOBS}?domain=nobody.example")).key(&key("headers")));
    assert_eq!(list.is(200).header("content-type"), Some("application/json"));
    assert_eq!(list.text(), "{\"jobs\":[],\"nextCursor\":null}");
}

#[test]
fn e_http_1_paths_are_exact() {
    let mut client = shared().client();
    for path in [
        "/v1/static-export/jobs/",
        "/v1//static-export/jobs",
        "/V1/static-export/jobs",
        "/v1/Static-Export/jobs",
        "/",
        "/v1/static-export/jobs/a/b",
        "/v1/static-export/jobs/..",
        "/v1/static-export/jobs;x",
    ] {
        client.send(&ask("GET", path).key(&key("headers"))).refuses(404, "not_found");
    }
    for path in ["/v1/static-export/jobs/%zz", "/v1/static-export/jobs/%ff", "/v1/static-export/jobs/a%"] {
        client.send(&ask("GET", path).key(&key("headers"))).refuses(400, "invalid_request");
    }
    client.send(&ask("GET", "/v1/static%2Dexport/jobs").key(&key("headers"))).is(200);
    // decoded once, not twice
    client.send(&ask("GET", "/v1/static%252Dexport/jobs").key(&key("headers"))).refuses(404, "not_found");
    for id in [
        "x",
        "se_1",
        "SE_00000000000000000000000000000000",
        &NOBODY.replace('0', "A"),
        "..%2f..%2fetc",
        "%00",
        &"a".repeat(4000),
    ] {
        client.send(&ask("GET", format!("{JOBS}/{id}")).key(&key("headers"))).refuses(404, "not_found");
    }
}

#[test]
fn e_http_2_head_is_get_without_a_body() {
    let mut client = shared().client();
    for path in
        [JOBS.to_owned(), format!("{JOBS}/{NOBODY}"), "/livez".to_owned(), "/readyz".to_owned(), "/nowhere".to_owned()]
    {
        let get = client.send(&ask("GET", path.as_str()).key(&key("headers"))).without_chance();
        let head = client.send(&ask("HEAD", path.as_str()).key(&key("headers"))).without_chance();
        assert_eq!((head.status, &head.headers), (get.status, &get.headers), "{path}");
        assert!(head.body.is_empty() && !get.body.is_empty());
    }
    client.send(&ask("HEAD", "/v1/project/update/acme-docs")).is(405);
}

#[test]
fn e_http_3_options_tells_the_methods_and_needs_no_key() {
    let mut client = shared().client();
    for (path, allow) in [
        (JOBS, "GET, HEAD, POST, OPTIONS"),
        ("/v1/static-export/jobs/x", "GET, HEAD, DELETE, OPTIONS"),
        ("/v1/project/preview/x", "POST, OPTIONS"),
        ("/v2/agent/x/job/y", "GET, HEAD, DELETE, OPTIONS"),
        ("/v1/project/update-status/x", "GET, HEAD, DELETE, OPTIONS"),
        ("/v1/webhooks/x/deliveries", "GET, HEAD, OPTIONS"),
        ("/bundles/x/y", "GET, HEAD, OPTIONS"),
        ("/livez", "GET, HEAD, OPTIONS"),
    ] {
        let answer = client.send(
            &ask("OPTIONS", path)
                .header("Origin", "https://evil.example")
                .header("Access-Control-Request-Method", "POST"),
        );
        assert_eq!(answer.is(204).header("allow"), Some(allow), "{path}");
        assert!(answer.body.is_empty() && !answer.headers.iter().any(|(name, _)| name.starts_with("access-control")));
    }
    client.send(&ask("OPTIONS", "/nowhere")).refuses(404, "not_found");
}

#[test]
fn e_http_4_other_methods_and_unknown_paths_need_no_key() {
    let mut client = shared().client();
    for (method, path, allow) in [
        ("PUT", JOBS, "GET, HEAD, POST, OPTIONS"),
        ("PATCH", "/v1/static-export/jobs/x", "GET, HEAD, DELETE, OPTIONS"),
        ("GET", "/v1/project/preview/x", "POST, OPTIONS"),
        ("DELETE", "/v2/agent/x/job", "POST, OPTIONS"),
        ("TRACE", JOBS, "GET, HEAD, POST, OPTIONS"),
        ("BREW", JOBS, "GET, HEAD, POST, OPTIONS"),
        ("POST", "/bundles/x/y", "GET, HEAD, OPTIONS"),
        ("POST", "/metrics", "GET, HEAD, OPTIONS"),
    ] {
        assert_eq!(
            client.send(&ask(method, path)).refuses(405, "method_not_allowed").header("allow"),
            Some(allow),
            "{method} {path}"
        );
    }
    client.send(&ask("GET", "/favicon.ico")).refuses(404, "not_found");
}

#[test]
fn e_http_5_every_answer_has_its_id_and_is_kept_by_nobody() {
    let mut client = shared().client();
    let own = ["a", "A-b.c_9", &"x".repeat(64)];
    for id in own {
        let answer = client.send(&ask("GET", "/livez").header("X-Request-Id", id));
        assert_eq!(answer.header("x-request-id"), Some(id));
    }
    let mut generated = Vec::new();
    for id in ["", "a b", "ä", "a\"b", "<x>", &"x".repeat(65), "a,b"] {
        let answer = client.send(&ask("GET", "/nowhere").header("X-Request-Id", id));
        let given = answer.header("x-request-id").expect("there is an id").to_owned();
        assert!(given != id && given.len() == 32);
        generated.push(given);
    }
    generated.sort();
    generated.dedup();
    assert_eq!(generated.len(), 7);
    for path in [JOBS, "/nowhere", "/livez", "/readyz", "/metrics", "/bundles/x/y", "/v1/static-export/jobs/%ff"] {
        let answer = client.send(&ask("GET", path).key(&key("headers")));
        assert_eq!(
            (answer.header("cache-control"), answer.header("x-content-type-options")),
            (Some("no-store"), Some("nosniff")),
            "{path}"
        );
    }
}

#[test]
fn e_http_6_and_8_moments_and_ids_have_their_shape() {
    let job = shared().export("headers");
    for name in ["createdAt", "updatedAt"] {
        let moment = job[name].as_str().unwrap();
        assert!(
            moment.len() == 24
                && moment.ends_with('Z')
                && moment.as_bytes()[10] == b'T'
                && moment.as_bytes()[19] == b'.',
            "{moment}"
        );
    }
    let id = job["jobId"].as_str().unwrap();
    assert!(
        id.len() == 35
            && id.starts_with("se_")
            && id[3..].bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)),
        "{id}"
    );
}

#[test]
fn e_http_7_bodies_are_strict_json() {
    let mut client = shared().client();
    let mut send = |body: &[u8]| {
        client.send(&ask("POST", JOBS).key(&key("headers")).header("Content-Type", "application/json").body(body))
    };
    let nested = |depth: usize| format!("{{\"domain\":1,\"x\":{}1{}}}", "[".repeat(depth), "]".repeat(depth));
    for bad in [
        &b"{"[..],
        b"[]",
        b"\"x\"",
        b"null",
        b"1",
        b"{\"domain\":\"a.example\",\"domain\":\"a.example\"}",
        b"{\"x\":{\"a\":1,\"a\":2},\"domain\":\"a.example\"}",
        b"{\"domain\":\"\xff.example\"}",
        b"\xef\xbb\xbf{}",
        b"{} x",
        b"{\"domain\":\"a.example\",}",
        nested(128).as_bytes(),
        nested(30_000).as_bytes(),
        b" ",
    ] {
        send(bad).refuses(400, "invalid_request");
    }
    // what is not known is ignored: the domain is what is wrong here
    send(b"{\"domain\":\"nobody.example\",\"other\":{\"deep\":[1,2,{}]}}").refuses(400, "unknown_domain");
    let deep = format!("{{\"domain\":\"nobody.example\",\"x\":{}1{}}}", "[".repeat(127), "]".repeat(127));
    send(deep.as_bytes()).refuses(400, "unknown_domain");
}

#[test]
fn e_http_9_bodies_targets_and_heads_have_bounds() {
    let server = shared();
    let padded = |size: usize| {
        let start = "{\"domain\":\"nobody.example\",\"x\":\"";
        format!("{start}{}\"}}", "a".repeat(size - start.len() - 2))
    };
    let send = |ask: crate::service::client::Ask| server.send(&ask);
    send(ask("POST", JOBS).key(&key("headers")).json(padded(65_536))).refuses(400, "unknown_domain");
    send(ask("POST", JOBS).key(&key("headers")).json(padded(65_537))).refuses(413, "body_too_large");
    // the declared size counts before the key
    send(ask("POST", JOBS).header("Content-Length", "65537")).refuses(413, "body_too_large");
    send(ask("GET", "/livez").header("Content-Length", "9999999999")).refuses(413, "body_too_large");
    let chunk = |size: usize| format!("{size:x}\r\n{}\r\n0\r\n\r\n", padded(size));
    let chunked = |size: usize| {
        ask("POST", JOBS)
            .key(&key("headers"))
            .header("Content-Type", "application/json")
            .header("Transfer-Encoding", "chunked")
            .body(chunk(size))
    };
    send(chunked(65_536)).refuses(400, "unknown_domain");
    send(chunked(65_537)).refuses(413, "body_too_large");
    // S28: two lengths are one too many, whichever comes first
    for [first, second] in [["Content-Length", "Transfer-Encoding"], ["Transfer-Encoding", "Content-Length"]] {
        let value = |name: &str| if name == "Content-Length" { "5" } else { "chunked" };
        let doubled = ask("POST", JOBS)
            .key(&key("headers"))
            .json(padded(64))
            .header(first, value(first))
            .header(second, value(second));
        assert_eq!(send(doubled.clone()).is(400).header("connection"), Some("close"), "{first}");
    }

    assert_eq!(send(ask("GET", format!("/{}", "a".repeat(8191)))).status, 404);
    assert_eq!(send(ask("GET", format!("/{}", "a".repeat(8192)))).status, 414);
    assert_eq!(send(ask("GET", format!("/livez?{}", "a".repeat(9000)))).status, 414);
    assert_eq!(send(ask("GET", "/livez").header("X-Long", "a".repeat(32_000))).status, 200);
    assert_eq!(send(ask("GET", "/livez").header("X-Long", "a".repeat(33_000))).status, 431);
    let fields =
        |count: usize| (0..count).fold(ask("GET", "/livez"), |ask, index| ask.header(&format!("X-{index}"), "1"));
    assert_eq!(send(fields(99)).status, 200);
    assert_eq!(send(fields(100)).status, 431);
    assert_eq!(send(ask("GET", "/livez").header("X-Huge", "a".repeat(200_000))).status, 431);
}

#[test]
fn e_http_9_what_is_no_http_is_refused_and_the_connection_closed() {
    let port = shared().port;
    for bytes in [
        &b"NONSENSE\r\n\r\n"[..],
        b"GET /livez HTTP/1.1\r\nHost : x\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"GET /livez HTTP/2.0\r\nHost: x\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /livez HTTP/1.1\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ] {
        let shown = String::from_utf8_lossy(bytes).into_owned();
        // a connection that is closed at once is an answer, too
        if let Some(answer) = Client::raw(port, bytes) {
            assert_eq!(answer.status, 400, "{shown}: {answer:?}");
        }
    }
}

#[test]
fn e_http_9_a_request_has_thirty_seconds() {
    let port = shared().port;
    let slow = |head: &'static str, pieces: &'static str| {
        std::thread::spawn(move || {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(90))).unwrap();
            let started = Instant::now();
            stream.write_all(head.as_bytes()).unwrap();
            let mut writer = stream.try_clone().unwrap();
            std::thread::spawn(move || {
                for piece in pieces.bytes().cycle() {
                    std::thread::sleep(Duration::from_millis(500));
                    if writer.write_all(&[piece]).is_err() {
                        break;
                    }
                }
            });
            let answer = read(&mut BufReader::new(stream), false);
            (answer.map(|answer| answer.status), started.elapsed())
        })
    };
    let key = key("headers");
    let body_head = format!(
        "POST {JOBS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
    );
    let (head, body) = (slow("GET /livez HTTP/1.1\r\nX-Slow: ", "a"), slow(Box::leak(body_head.into_boxed_str()), " "));
    // meanwhile others are served
    assert_eq!(shared().send(&ask("GET", "/livez")).status, 200);
    for request in [head, body] {
        let (status, took) = request.join().unwrap();
        assert_eq!(status, Some(408));
        assert!((25..80).contains(&took.as_secs()), "{took:?}");
    }
}

#[test]
fn s28_no_address_takes_all_connections() {
    let server = crate::service::server::Server::start(|_| String::new());
    let open: Vec<TcpStream> = (0..400).filter_map(|_| TcpStream::connect(("127.0.0.1", server.port)).ok()).collect();
    // all stay open until all are counted: one that closes makes room for one that the server has not yet looked at
    let answered = open
        .iter()
        .filter(|stream| {
            let mut stream = stream.try_clone().unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            let sent = stream.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").is_ok();
            sent && read(&mut BufReader::new(stream), false).is_some()
        })
        .count();
    assert_eq!(answered, 256);
    drop(open);
    // those that were open are gone: there is room again
    crate::service::server::wait("room for a connection", || {
        Client::raw(server.port, b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
    });
}

#[test]
fn errors_say_where() {
    let send = |body: &str| {
        let answer = shared().send(&ask("POST", JOBS).key(&key("headers")).json(body));
        answer.refuses(400, "invalid_request").string("error")
    };
    assert_eq!(send("{\n \"domain\": docs}"), "the body is not JSON (expected value): line 2, column 12");
    let error = send("{\"domain\": \"headers.example\", \"paths\": [\"index\", \"guides/\"]}");
    assert!(error.starts_with("paths[1] must be a page path"), "{error}");
    let error = send("{\"domain\": \"headers.example\", \"paths\": [1]}");
    assert_eq!(error, "paths[0] must be a string");
    let answer = shared().send(&ask("GET", "/v3/nothing"));
    let error = answer.refuses(404, "not_found").string("error");
    assert!(error.starts_with("no operation has this path"), "{error}");
    assert_ne!(error, shared().send(&ask("GET", format!("{JOBS}/se_1")).key(&key("headers"))).string("error"));
}

#[test]
fn e_http_7_what_is_ignored_is_named() {
    const IGNORED: &str = "x-ignored-parameters";
    let send = |method: &str, target: &str, body: Option<&str>| {
        let ask = ask(method, target).key(&key("headers"));
        shared().send(&body.into_iter().fold(ask, |ask, body| ask.json(body)))
    };
    let body = "{\"domain\": \"headers.example\", \"versoin\": \"v1\", \"features\": {\"serach\": true}}";
    let started = send("POST", &format!("{JOBS}?dry-run=1"), Some(body));
    assert_eq!(started.is(202).header(IGNORED), Some("body.features.serach, body.versoin, query.dry-run"));
    let refused = send("POST", JOBS, Some("{\"domian\": \"headers.example\"}"));
    refused.refuses(400, "invalid_request");
    assert_eq!(refused.header(IGNORED), Some("body.domian"));
    assert_eq!(send("GET", &format!("{JOBS}?limit=1&offset=3"), None).is(200).header(IGNORED), Some("query.offset"));
    assert_eq!(send("GET", &format!("{JOBS}?limit=1"), None).is(200).header(IGNORED), None);
}

#[test]
fn e_aut_4_a_key_that_is_not_ascii_is_a_wrong_one() {
    let answer = shared().send(&ask("GET", JOBS).header("Authorization", "Bearer schl\u{fc}ssel"));
    let challenge = answer.refuses(401, "unauthorized").header("www-authenticate");
    assert_eq!(challenge, Some("Bearer realm=\"offprint\", error=\"invalid_token\""));
}

#[test]
fn the_description_and_its_pages_name_this_service() {
    let server = shared();
    let base = format!("http://127.0.0.1:{}", server.port);
    let document = server.send(&ask("GET", "/openapi.json")).is(200).json();
    assert_eq!(document["servers"][0]["url"], base.as_str());
    let page = |path: &str| {
        crate::service::server::wait("the pages about the interface", || {
            Some(server.send(&ask("GET", path))).filter(|answer| answer.status == 200)
        })
    };
    assert!(page("/docs/").text().contains(&format!("{base}/v1/static-export/jobs")));
    let bundle = page("/docs/static-export/createBundle");
    let start = page("/docs/static-export/startExport");
    assert!(bundle.text().contains(&base) && bundle.text().contains("the job is not completed yet"));
    assert!(start.text().contains("is not the domain of a project of this organization"));
    for (page, foreign) in
        [(&bundle, "branch is required"), (&start, "preview limit"), (&start, "preview deployments are not")]
    {
        assert!(!page.text().contains(foreign), "{foreign}");
    }
}
