//! Section 3 of the contract.

use crate::service::client::{Ask, ask};
use crate::service::server::{Server, folder_source, hash, key, organization, shared, site, wait};

/// Every operation that needs a key, for a project and ids of nobody.
pub(crate) fn operations(project: &str, job: &str, status: &str, agent: &str) -> Vec<Ask> {
    vec![
        ask("POST", format!("/v1/project/preview/{project}")).json("{\"branch\":\"main\"}"),
        ask("POST", format!("/v1/project/update/{project}")),
        ask("GET", format!("/v1/project/update-status/{status}")),
        ask("POST", "/v1/static-export/jobs").json("{\"domain\":\"nobody.example\"}"),
        ask("GET", "/v1/static-export/jobs"),
        ask("GET", format!("/v1/static-export/jobs/{job}")),
        ask("DELETE", format!("/v1/static-export/jobs/{job}")),
        ask("GET", format!("/v1/static-export/jobs/{job}/events")),
        ask("POST", format!("/v1/static-export/jobs/{job}/bundle")),
        ask("POST", format!("/v2/agent/{project}/job")).json("{\"prompt\":\"x\"}"),
        ask("GET", format!("/v2/agent/{project}/job/{agent}")),
        ask("POST", format!("/v2/agent/{project}/job/{agent}/message")).json("{\"prompt\":\"x\"}"),
        ask("POST", format!("/v2/agent/{project}/job/{agent}/archive")),
    ]
}

fn of_nobody() -> Vec<Ask> {
    let id = "0".repeat(32);
    operations("acme-docs", &format!("se_{id}"), &format!("upd_{id}"), &format!("aj_{id}"))
}

/// Failed authentications of this address would add up over all tests: these have a service of their own.
fn unlimited() -> Server {
    Server::start(|folder| {
        let docs = site(folder);
        format!("[limits]\nauth_failures_per_minute = 0\n\n{}", organization("acme", &folder_source(&docs)))
    })
}

#[test]
fn s_aut_1_and_e_aut_3_and_4_without_a_valid_key_nothing_is_told() {
    let server = unlimited();
    let mut client = server.client();
    let good = key("acme");
    for operation in of_nobody() {
        let answer = client.send(&operation);
        answer.refuses(401, "unauthorized");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer realm=\"offprint\""));
        assert_eq!(answer.text(), "{\"error\":\"authentication failed\"}");
        for value in ["Basic opk_x", "Bearer", "Bearer ", &good, "Token x"] {
            let answer = client.send(&operation.clone().header("Authorization", value));
            assert_eq!(
                answer.refuses(401, "unauthorized").header("www-authenticate"),
                Some("Bearer realm=\"offprint\""),
                "{value}"
            );
        }
        for token in [
            "x".to_owned(),
            key("nobody"),
            good[..46].to_owned(),
            format!("{good}a"),
            good.to_uppercase(),
            good.replacen("opk_", "key_", 1),
        ] {
            let answer = client.send(&operation.clone().key(&token));
            assert_eq!(
                answer.refuses(401, "unauthorized").header("www-authenticate"),
                Some("Bearer realm=\"offprint\", error=\"invalid_token\"")
            );
            assert_eq!(answer.text(), "{\"error\":\"authentication failed\"}");
        }
    }
}

#[test]
fn s_aut_2_and_e_aut_2_where_keys_are_read() {
    let server = unlimited();
    let mut client = server.client();
    let good = key("acme");
    for scheme in ["Bearer", "bearer", "BEARER"] {
        client.send(&ask("GET", "/v1/static-export/jobs").header("Authorization", format!("{scheme} {good}"))).is(200);
    }
    client
        .send(&ask("GET", format!("/v1/static-export/jobs?access_token={good}&key={good}")))
        .refuses(401, "unauthorized");
    client
        .send(&ask("GET", "/v1/static-export/jobs").header("Cookie", format!("key={good}")))
        .refuses(401, "unauthorized");
    client.send(&ask("GET", "/v1/static-export/jobs").header("X-Api-Key", good.as_str())).refuses(401, "unauthorized");
    // two headers are no key, be they equal
    client.send(&ask("GET", "/v1/static-export/jobs").key(&good).key(&good)).refuses(400, "invalid_request");
}

#[test]
fn s_aut_3_plans_open_operations() {
    let mut client = shared().client();
    let id = "0".repeat(32);
    let free = key("free");
    let preview = client.send(&ask("POST", "/v1/project/preview/free-docs").key(&free).json("{\"branch\":\"main\"}"));
    assert_eq!(
        preview.refuses(403, "plan_required").string("error"),
        "preview deployments are not available on the current plan"
    );
    for (method, path) in [("GET", ""), ("POST", "")] {
        let answer = client.send(
            &ask(method, format!("/v1/static-export/jobs{path}")).key(&free).json("{\"domain\":\"free.example\"}"),
        );
        assert_eq!(answer.refuses(403, "plan_required").string("error"), "static export requires the Enterprise plan");
    }
    let agent = client.send(&ask("POST", "/v2/agent/free-docs/job").key(&free).json("{\"prompt\":\"x\"}"));
    assert_eq!(agent.refuses(403, "plan_required").string("error"), "agent jobs are not available");
    // a plan is of no use where there is no agent
    let server = unlimited();
    server
        .send(&ask("POST", "/v2/agent/acme-docs/job").key(&key("acme")).json("{\"prompt\":\"x\"}"))
        .refuses(403, "plan_required");
    // no plan is needed to read an agent job, for a status, for production
    client.send(&ask("GET", format!("/v2/agent/free-docs/job/aj_{id}")).key(&free)).refuses(404, "not_found");
    client.send(&ask("GET", format!("/v1/project/update-status/upd_{id}")).key(&free)).refuses(404, "not_found");
    client.send(&ask("POST", "/v1/project/update/free-docs").key(&free)).is(202);
}

#[test]
fn e_aut_5_scopes_are_of_methods() {
    let mut client = shared().client();
    let reader = key("reader");
    client.send(&ask("GET", "/v1/static-export/jobs").key(&reader)).is(200);
    client.send(&ask("HEAD", "/v1/static-export/jobs").key(&reader)).is(200);
    for path in [
        "/v1/static-export/jobs",
        "/v1/project/preview/reader-docs",
        "/v1/project/update/reader-docs",
        "/v2/agent/reader-docs/job",
    ] {
        let answer = client.send(&ask("POST", path).key(&reader).json("{}"));
        assert_eq!(
            answer.refuses(403, "insufficient_scope").header("www-authenticate"),
            Some("Bearer realm=\"offprint\", error=\"insufficient_scope\", scope=\"write\"")
        );
    }
    // write implies read
    client.send(&ask("GET", "/v1/static-export/jobs").key(&key("writer"))).is(200);
}

#[test]
fn e_aut_6_expired_keys_are_no_keys() {
    let answer = shared().send(&ask("GET", "/v1/static-export/jobs").key(&key("expired")));
    assert_eq!(
        answer.refuses(401, "unauthorized").header("www-authenticate"),
        Some("Bearer realm=\"offprint\", error=\"invalid_token\"")
    );
}

#[test]
fn e_aut_7_keys_may_be_bound_to_addresses() {
    let mut client = shared().client();
    for path in ["/v1/static-export/jobs", "/v1/static-export/jobs/se_00000000000000000000000000000000"] {
        client.send(&ask("GET", path).key(&key("elsewhere"))).refuses(403, "ip_not_allowed");
        // nobody is trusted to say otherwise
        client
            .send(&ask("GET", path).key(&key("elsewhere")).header("X-Forwarded-For", "203.0.113.9"))
            .refuses(403, "ip_not_allowed");
    }
    let server = Server::start(|folder| {
        let docs = site(folder);
        let text = organization("acme", &folder_source(&docs));
        format!(
            "[server]\ntrusted_proxies = [\"127.0.0.1\"]\n\n{}",
            text.replace("id = \"main\"\n", "id = \"main\"\nallow_ips = [\"203.0.113.0/24\", \"2001:db8::/32\"]\n")
        )
    });
    let send = |forwarded: &str| {
        server.send(&ask("GET", "/v1/static-export/jobs").key(&key("acme")).header("X-Forwarded-For", forwarded)).status
    };
    assert_eq!((send("203.0.113.9"), send("2001:db8::1"), send("198.51.100.1, 203.0.113.9")), (200, 200, 200));
    assert_eq!((send("198.51.100.1"), send("203.0.113.9, 198.51.100.1"), send("nonsense")), (403, 403, 403));
}

#[test]
fn e_aut_8_addresses_that_keep_failing_are_slowed_down() {
    let server = Server::start(|folder| {
        let docs = site(folder);
        format!("[limits]\nauth_failures_per_minute = 5\n\n{}", organization("acme", &folder_source(&docs)))
    });
    let mut client = server.client();
    for _ in 0..5 {
        client.send(&ask("GET", "/v1/static-export/jobs")).refuses(401, "unauthorized");
    }
    let answer = client.send(&ask("GET", "/v1/static-export/jobs").key("opk_wrong"));
    let wait: u64 = answer.refuses(429, "rate_limited").header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait));
    // who has a key, and paths that need none, do not notice
    client.send(&ask("GET", "/v1/static-export/jobs").key(&key("acme"))).is(200);
    client.send(&ask("GET", "/livez")).is(200);
    client.send(&ask("GET", "/nowhere")).refuses(404, "not_found");
}

#[test]
fn e_aut_1_keys_can_be_withdrawn_without_a_restart() {
    let server = unlimited();
    let file = server.folder.path().join("offprint.toml");
    let old = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, old.replace(&hash(&key("acme")), &hash(&key("new")))).unwrap();
    server.signal("HUP");
    let mut client = server.client();
    let status = |client: &mut crate::service::client::Client, name: &str| {
        client.send(&ask("GET", "/v1/static-export/jobs").key(&key(name))).status
    };
    wait("the new key to work", || (status(&mut client, "new") == 200).then_some(()));
    assert_eq!(status(&mut client, "acme"), 401);
    // a file that is not valid changes nothing, and says so
    std::fs::write(&file, "[server]\nlissten = 1\n").unwrap();
    server.signal("HUP");
    wait("the log to say what is wrong", || server.log().contains("offprint.toml:2:1").then_some(()));
    assert_eq!(status(&mut client, "new"), 200);
}
