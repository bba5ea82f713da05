//! The order of checks (contract, E-ORD): a request that fails several steps is answered by the first, and later ones
//! have no effect.

use crate::service::client::{Ask, ask};
use crate::service::server::{Server, folder_source, git_source, key, organization_with, repository, site};

/// What makes a request fail at a step, in the order of steps.
const TOO_LARGE: &str = "100000";

fn server() -> Server {
    Server::start(|folder| {
        let (docs, repository) = (site(folder), repository(&folder.join("git")));
        let all = "static_export = true, preview = true, agent = true";
        let mut text = "[git]\nallow_protocols = [\"file\"]\n\n[limits]\nauth_failures_per_minute = 0\n\n".to_owned();
        text += &organization_with("full", all, "previews_per_minute = 2", "", &git_source(&repository));
        text += &organization_with("folder", all, "", "", &folder_source(&docs));
        text += &organization_with(
            "bound",
            all,
            "",
            "scopes = [\"read\"]\nallow_ips = [\"203.0.113.1\"]",
            &git_source(&repository),
        );
        text += &organization_with("reader", "", "", "scopes = [\"read\"]", &git_source(&repository));
        text += &organization_with("poor", "", "previews_per_minute = 1", "", &git_source(&repository));
        text
    })
}

fn preview(project: &str, name: &str) -> Ask {
    ask("POST", format!("/v1/project/preview/{project}")).key(&key(name))
}

#[test]
fn e_ord_the_first_step_that_fails_answers() {
    let server = server();
    let mut client = server.client();
    let bad_key = key("nobody");
    // 1 before 2, 3: path and method
    client
        .send(&ask("POST", "/v1/nowhere").header("Content-Length", TOO_LARGE).key(&bad_key))
        .refuses(404, "not_found");
    client
        .send(&ask("PUT", "/v1/project/preview/full-docs").header("Content-Length", TOO_LARGE).key(&bad_key))
        .refuses(405, "method_not_allowed");
    // 2 before 3: declared size
    client
        .send(&ask("POST", "/v1/project/preview/full-docs").header("Content-Length", TOO_LARGE).key(&bad_key))
        .refuses(413, "body_too_large");
    // 3 before 4: credentials, then address, before the resource
    client.send(&ask("POST", "/v1/project/preview/nothing").key(&bad_key).json("{")).refuses(401, "unauthorized");
    client.send(&preview("nothing", "bound").json("{")).refuses(403, "ip_not_allowed");
    // 4 before 5: the resource before scope and plan
    client.send(&preview("nothing", "reader").json("{")).refuses(404, "not_found");
    client.send(&preview("full-docs", "reader").json("{")).refuses(404, "not_found");
    // 5 scope before plan, both before 6 to 8
    client.send(&preview("reader-docs", "reader").body("x")).refuses(403, "insufficient_scope");
    client.send(&preview("poor-docs", "poor").body("x")).refuses(403, "plan_required");
    client.send(&preview("poor-docs", "poor").body("x")).refuses(403, "plan_required");
    // 7 before 8: the type before what is in the body
    client.send(&preview("folder-docs", "folder").body("{")).refuses(415, "unsupported_media_type");
    client
        .send(&preview("folder-docs", "folder").header("Content-Type", "text/plain").body("{"))
        .refuses(415, "unsupported_media_type");
    // 8 before 9 and 10: the body before the key of repetition and the state
    client
        .send(&preview("folder-docs", "folder").header("Idempotency-Key", "a b").json("{"))
        .refuses(400, "invalid_request");
    client
        .send(&preview("folder-docs", "folder").header("Idempotency-Key", "k").json("{\"branch\":\"\"}"))
        .refuses(400, "invalid_request");
    // 10 the state
    client.send(&preview("folder-docs", "folder").json("{\"branch\":\"main\"}")).refuses(409, "no_git_source");
    // 9 before 10: an answer that was refused is not kept
    for _ in 0..2 {
        let server = &server;
        server.send(&preview("full-docs", "full").header("Idempotency-Key", "k").json("{\"branch\":\"main\"}")).is(202);
    }
}

#[test]
fn e_ord_only_what_passes_step_6_uses_the_budget() {
    let server = server();
    let mut client = server.client();
    // steps 1 to 5 use nothing
    for _ in 0..5 {
        client.send(&preview("nothing", "full").json("{}")).refuses(404, "not_found");
        client.send(&ask("POST", "/v1/project/preview/full-docs").json("{}")).refuses(401, "unauthorized");
    }
    // steps 7 and 8 do, whatever happens afterwards
    let first = client.send(&preview("full-docs", "full").body("x"));
    assert_eq!(first.refuses(415, "unsupported_media_type").header("ratelimit"), Some("\"preview\";r=1;t=60"));
    let second = client.send(&preview("full-docs", "full").json("{}"));
    assert!(
        second
            .refuses(400, "invalid_request")
            .header("ratelimit")
            .is_some_and(|left| left.starts_with("\"preview\";r=0;t="))
    );
    // 6 before 7 and 8, and 429 itself uses nothing
    for _ in 0..3 {
        let answer = client.send(&preview("full-docs", "full").body("x"));
        assert_eq!(answer.refuses(429, "rate_limited").header("ratelimit-policy"), Some("\"preview\";q=2;w=60"));
    }
}

#[test]
fn e_ord_bodies_without_length_are_counted_after_the_type() {
    let server = server();
    let chunk = format!("{:x}\r\n{}\r\n0\r\n\r\n", 70_000, "x".repeat(70_000));
    let chunked = |key: &str| {
        ask("POST", "/v1/static-export/jobs").key(key).header("Transfer-Encoding", "chunked").body(chunk.as_str())
    };
    server.send(&chunked(&key("nobody"))).refuses(401, "unauthorized");
    server.send(&chunked(&key("folder"))).refuses(415, "unsupported_media_type");
    server.send(&chunked(&key("folder")).header("Content-Type", "application/json")).refuses(413, "body_too_large");
    // nothing is an empty body, and an empty body is never of the wrong type
    server
        .send(&ask("POST", "/v1/static-export/jobs").key(&key("folder")).header("Content-Type", "text/plain"))
        .refuses(400, "invalid_request");
    server
        .send(
            &ask("POST", "/v1/static-export/jobs")
                .key(&key("folder"))
                .header("Transfer-Encoding", "chunked")
                .body("0\r\n\r\n"),
        )
        .refuses(400, "invalid_request");
}
