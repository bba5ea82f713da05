//! The console: who may use it, and that nothing is done for another site.

use crate::service::client::{Answer, Ask, ask};
use crate::service::server::{Server, folder_source, key, organization, organization_with, site};

const ALL: &str = "static_export = true, preview = true";

fn server() -> Server {
    Server::start(|folder| {
        let source = folder_source(&site(folder));
        format!(
            "[server]\ndata_dir = \"data\"\n\n[console]\nenabled = true\n\n[audit]\nlog = \"audit.jsonl\"\n\n{}{}{}{}{}",
            organization("acme", &source),
            organization("globex", &source),
            organization_with("reader", ALL, "", "scopes = [\"read\"]", &source),
            organization_with("writer", ALL, "", "scopes = [\"write\"]\nallow_ips = [\"203.0.113.0/24\"]", &source),
            organization_with("free", "", "", "", &source),
        )
    })
}

fn form(server: &Server, path: &str, fields: &str) -> Ask {
    ask("POST", path)
        .header("Origin", format!("http://127.0.0.1:{}", server.port))
        .header("Host", format!("127.0.0.1:{}", server.port))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(fields)
}

/// Signs in, and gives the cookie.
fn session(server: &Server, name: &str) -> String {
    let answer = server.send(&form(server, "/console/login", &format!("key={}", key(name))));
    assert_eq!(
        (answer.is(303).header("location"), answer.header("cache-control")),
        (Some("/console"), Some("no-store"))
    );
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.contains("; HttpOnly; SameSite=Strict") && !cookie.contains(&key(name)), "{cookie}");
    cookie.split(';').next().unwrap().to_owned()
}

fn page(server: &Server, cookie: &str, path: &str) -> Answer {
    server.send(&ask("GET", path).header("Cookie", cookie))
}

/// The token in the forms of a page.
fn token(page: &Answer) -> String {
    let text = page.text();
    let at = text.find("name=\"token\" value=\"").expect("the page has a form") + 20;
    text[at..].split('"').next().unwrap().to_owned()
}

#[test]
fn e_con_there_is_none_by_default() {
    let server = Server::start(|_| String::new());
    for path in ["/console", "/console/login", "/console/console.css"] {
        server.send(&ask("GET", path)).refuses(404, "not_found");
    }
}

#[test]
fn e_con_pages_need_a_session_and_keys_alone_are_none() {
    let server = server();
    for path in ["/console", "/console/projects/acme-docs", "/console/exports/se_1", "/console/events"] {
        for ask in [
            ask("GET", path),
            ask("GET", path).key(&key("acme")),
            ask("GET", path).header("Cookie", "offprint_console=x"),
        ] {
            assert_eq!(server.send(&ask).is(303).header("location"), Some("/console/login"), "{path}");
        }
    }
    let login = server.send(&ask("GET", "/console/login"));
    let policy = login.is(200).header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none';")
            && !policy.contains("unsafe")
            && policy.contains("frame-ancestors 'none'")
    );
    // a session of the console opens nothing of the interface
    let cookie = session(&server, "acme");
    server.send(&ask("GET", "/v1/static-export/jobs").header("Cookie", cookie.as_str())).refuses(401, "unauthorized");
    // a key that cannot read, or not from here, has no session; neither has one that is wrong
    for (sent, status) in [(key("writer"), 403), (format!("opk_{}", "x".repeat(43)), 401), (String::new(), 401)] {
        let answer = server.send(&form(&server, "/console/login", &format!("key={sent}")));
        assert!(answer.is(status).header("set-cookie").is_none() && answer.text().contains("role=\"alert\""));
    }
    server.send(&ask("PUT", "/console")).refuses(404, "not_found");
}

#[test]
fn e_con_pages_show_what_is_the_organizations_and_nothing_else() {
    let server = server();
    let job = server.export("acme");
    let id = job["jobId"].as_str().unwrap();
    let (acme, globex) = (session(&server, "acme"), session(&server, "globex"));
    let overview = page(&server, &acme, "/console");
    assert!(overview.is(200).text().contains(id) && overview.text().contains("acme-docs"));
    assert!(!overview.text().contains("globex") && !overview.text().contains("opk_"));
    assert!(page(&server, &acme, &format!("/console/exports/{id}")).is(200).text().contains("acme.example"));
    let update = server.send(&ask("POST", "/v1/project/update/acme-docs").key(&key("acme"))).is(202).string("statusId");
    server.deployed("acme", &update);
    let deployment = format!("/console/deployments/{update}");
    assert!(page(&server, &acme, &deployment).is(200).text().contains("<pre"));
    let project = page(&server, &acme, "/console/projects/acme-docs");
    assert!(project.is(200).text().contains(id) && project.text().contains(&update));
    for path in [format!("/console/exports/{id}"), "/console/projects/acme-docs".to_owned(), deployment] {
        page(&server, &globex, &path).refuses(404, "not_found");
    }
    assert!(!page(&server, &globex, "/console").is(200).text().contains(id));
    // as everywhere, exports need the plan
    let free = session(&server, "free");
    page(&server, &free, &format!("/console/exports/{id}")).refuses(403, "plan_required");
}

#[test]
fn e_con_forms_of_other_sites_do_nothing() {
    let server = server();
    let id = server.export("acme")["jobId"].as_str().unwrap().to_owned();
    let cookie = session(&server, "acme");
    let shown = page(&server, &cookie, "/console");
    let token = token(&shown);
    let cancel = format!("/console/exports/{id}/cancel");
    let fields = format!("token={token}");
    // from another origin, without one, without the token, with that of another session
    let other = ask("POST", cancel.as_str()).header("Cookie", cookie.as_str()).body(fields.as_str());
    server.send(&other.clone().header("Origin", "https://evil.example")).refuses(403, "insufficient_scope");
    server.send(&other.clone().header("Sec-Fetch-Site", "cross-site")).refuses(403, "insufficient_scope");
    server.send(&other).refuses(403, "insufficient_scope");
    let own = |fields: &str| form(&server, &cancel, fields).header("Cookie", cookie.as_str());
    server.send(&own("")).refuses(403, "insufficient_scope");
    let foreign = self::token(&page(&server, &session(&server, "acme"), "/console"));
    server.send(&own(&format!("token={foreign}"))).refuses(403, "insufficient_scope");
    // and the right one reaches the job, which has completed
    server.send(&own(&fields)).refuses(409, "conflict");
    // a key that can only read has no such forms, and its requests are refused
    let reader = session(&server, "reader");
    let shown = page(&server, &reader, "/console");
    let token = self::token(&shown);
    let ask = form(&server, &cancel, &format!("token={token}")).header("Cookie", reader.as_str());
    server.send(&ask).refuses(403, "insufficient_scope");
    let audit = std::fs::read_to_string(server.folder.path().join("audit.jsonl")).unwrap();
    assert!(
        audit.contains("\"route\":\"/console/login\"")
            && audit.contains("\"route\":\"/console/exports/{jobId}/cancel\"")
    );
    assert!(!audit.contains("opk_") && !audit.contains(&token));
}

#[test]
fn e_con_a_session_that_was_signed_out_of_is_over() {
    let server = server();
    let (cookie, other) = (session(&server, "acme"), session(&server, "acme"));
    let fields = format!("token={}", token(&page(&server, &cookie, "/console")));
    let out = form(&server, "/console/logout", &fields).header("Cookie", cookie.as_str());
    assert!(server.send(&out).is(303).header("set-cookie").unwrap().contains("Max-Age=0"));
    // whoever has kept the cookie has nothing; another session of the same key goes on
    let over = |server: &Server, cookie: &str| page(server, cookie, "/console").status == 303;
    assert!(over(&server, &cookie) && !over(&server, &other));
    for path in ["/console/projects/acme-docs", "/console/events"] {
        assert_eq!(page(&server, &cookie, path).is(303).header("location"), Some("/console/login"), "{path}");
    }
    assert_eq!(server.send(&out).is(303).header("location"), Some("/console/login"));
    // and it stays so
    server.signal("KILL");
    let again = Server::resume(server.into_folder(), "info", &[]);
    assert!(over(&again, &cookie) && !over(&again, &other));
}
