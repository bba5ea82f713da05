//! Section 5 of the contract.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::service::client::{Answer, ask};
use crate::service::server::{
    Server, folder_source, git, git_source, key, organization, repository, shared, site, split, wait,
};

fn trigger_at(server: &Server, name: &str, branch: &str) -> Answer {
    server.send(
        &ask("POST", format!("/v1/project/preview/{name}-docs"))
            .key(&key(name))
            .json(serde_json::json!({ "branch": branch })),
    )
}

fn trigger(name: &str, branch: &str) -> Answer {
    trigger_at(shared(), name, branch)
}

/// Deploys a branch's preview; what the trigger told.
fn deploy(server: &Server, branch: &str) -> Value {
    let deployment = trigger_at(server, "acme", branch).is(202).json();
    assert_eq!(server.deployed("acme", deployment["statusId"].as_str().unwrap())["status"], "success");
    deployment
}

/// A page of a preview, asked for as a browser would.
fn page(server: &Server, url: &str, path: &str) -> Answer {
    server.send(&ask("GET", path).header("Host", split(url).0))
}

/// A service for one organization whose source is a repository that the test changes.
fn own() -> (Server, PathBuf) {
    let server = Server::start(|folder| {
        let docs = repository(&folder.join("git"));
        let open = "[server]\npreview_url = \"http://{slug}.preview.test\"\n\n[git]\nallow_protocols = [\"file\"]\n\n[limits]\npreviews_per_minute = 0\n\n";
        format!("{open}{}", organization("acme", &git_source(&docs)))
    });
    let docs = server.folder.path().join("git/docs");
    (server, docs)
}

fn commit(docs: &std::path::Path, message: &str) {
    git(docs, &["add", "-A"]);
    git(docs, &["commit", "-q", "-m", message]);
}

#[test]
fn s_prv_1_and_5_a_branch_becomes_a_site() {
    let server = shared();
    let answer = trigger("previews", "main");
    let deployment = answer.is(202).json();
    let (id, url) = (deployment["statusId"].as_str().unwrap(), deployment["previewUrl"].as_str().unwrap());
    assert_eq!(deployment.as_object().unwrap().len(), 2);
    // E-PRV-5
    let label = split(url).0.strip_suffix(".preview.test").unwrap().to_owned();
    assert!(
        label.starts_with("previews-docs-main-")
            && label.len() <= 63
            && label.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')),
        "{label}"
    );
    let status = server.deployed("previews", id);
    assert_eq!(status["status"], "success", "{status}");
    let home = page(server, url, "/");
    assert!(home.is(200).text().contains("Home"));
    for path in ["/guides/start", "/guides/start.html"] {
        assert!(page(server, url, path).is(200).text().contains("Start"), "{path}");
    }
    // E-PRV-8
    let missing = page(server, url, "/no/such/page");
    assert!(missing.is(404).header("content-type").is_some_and(|value| value.starts_with("text/html")));
    for answer in [&home, &missing] {
        assert_eq!(
            (
                answer.header("x-robots-tag"),
                answer.header("x-content-type-options"),
                answer.header("origin-agent-cluster")
            ),
            (Some("noindex"), Some("nosniff"), Some("?1"))
        );
        assert!(answer.header("x-request-id").is_some() && answer.header("set-cookie").is_none());
    }
    assert!(home.header("etag").is_some() && missing.header("etag").is_some());
    let again = server
        .send(&ask("GET", "/").header("Host", split(url).0).header("If-None-Match", home.header("etag").unwrap()));
    again.is(304);
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let refused = server.send(&ask(method, "/").header("Host", split(url).0));
        assert_eq!(
            (refused.is(405).header("allow"), refused.header("x-robots-tag")),
            (Some("GET, HEAD"), Some("noindex"))
        );
    }
    assert!(server.send(&ask("HEAD", "/").header("Host", split(url).0)).is(200).body.is_empty());
    // the interface is not on the hosts of previews
    server.send(&ask("GET", "/v1/static-export/jobs").header("Host", split(url).0).key(&key("previews"))).is(404);
    server.send(&ask("GET", "/livez").header("Host", split(url).0)).is(404);
}

#[test]
fn e_sta_the_status_tells_what_was_deployed() {
    let server = shared();
    let id = trigger("hosts", "main").is(202).string("statusId");
    let status = server.deployed("hosts", &id);
    for (name, expect) in [("_id", id.as_str()), ("projectId", "hosts-docs"), ("source", "api")] {
        assert_eq!(status[name], expect);
    }
    assert_eq!(status["author"], Value::Null);
    assert!(
        status["endedAt"].is_string()
            && status["previewUrl"].as_str().unwrap().contains(status["subdomain"].as_str().unwrap())
    );
    assert!(
        status["logs"].as_array().unwrap().iter().all(Value::is_string)
            && !status["summary"].as_str().unwrap().is_empty()
    );
    // nobody gave a flag, and what every deployment in the cloud has is nothing to warn of
    assert!(!status["logs"].to_string().contains("analytics"), "{status}");
    let commit = &status["commit"];
    assert_eq!(
        (commit["sha"].as_str().map(str::len), commit["ref"].as_str(), commit["message"].as_str()),
        (Some(40), Some("main"), Some("First")),
        "{status}"
    );
    let done = server.send(&ask("GET", format!("/v1/project/update-status/{id}")).key(&key("hosts")));
    assert_eq!(done.header("retry-after"), None);
}

#[test]
fn s_prv_2_and_e_prv_6_and_7_redeploys_switch_at_once_and_files_changed_are_named() {
    let (server, docs) = own();
    let first = deploy(&server, "main");
    let url = first["previewUrl"].as_str().unwrap();
    fs::write(docs.join("guides/start.mdx"), "---\ntitle: Start\n---\n\nThe second edition.\n").unwrap();
    fs::write(docs.join("guides/more.mdx"), "---\ntitle: More\n---\n\nNew.\n").unwrap();
    fs::remove_file(docs.join("guides/next.mdx")).unwrap();
    commit(&docs, "Second");
    let second = trigger_at(&server, "acme", "main").is(202).json();
    assert_eq!(second["previewUrl"], url);
    assert_ne!(second["statusId"], first["statusId"]);
    // until the switch the old site stands there, whole
    let status = wait("the second deployment", || {
        assert_eq!(page(&server, url, "/").status, 200);
        let status = server
            .send(
                &ask("GET", format!("/v1/project/update-status/{}", second["statusId"].as_str().unwrap()))
                    .key(&key("acme")),
            )
            .json();
        matches!(status["status"].as_str(), Some("success" | "failure")).then_some(status)
    });
    assert_eq!(status["status"], "success", "{status}");
    assert!(page(&server, url, "/guides/start").text().contains("The second edition."));
    let changed = &status["commit"]["filesChanged"];
    assert_eq!(
        (&changed["added"], &changed["modified"], &changed["removed"]),
        (
            &serde_json::json!(["guides/more.mdx"]),
            &serde_json::json!(["guides/start.mdx"]),
            &serde_json::json!(["guides/next.mdx"])
        ),
        "{status}"
    );
    // the panel on pages that a browser asks for lists the pages among them
    let browser = server.send(
        &ask("GET", "/guides/start")
            .header("Host", split(url).0)
            .header("Accept", "text/html,*/*")
            .header("Accept-Encoding", "gzip"),
    );
    assert!(browser.is(200).text().contains("<script src=\"/-/preview/changes.js\" defer></script>\n</head>"));
    assert!(!page(&server, url, "/guides/start").text().contains("/-/preview/"));
    let panel = page(&server, url, "/-/preview/changes.json").is(200).json();
    assert_eq!(
        (&panel["added"], &panel["modified"]),
        (&serde_json::json!(["/guides/more"]), &serde_json::json!(["/guides/start"]))
    );
    assert!(
        page(&server, url, "/-/preview/changes.js")
            .is(200)
            .header("content-type")
            .is_some_and(|value| value.starts_with("text/javascript"))
    );
    // a redeploy that fails leaves the site in place
    fs::write(docs.join("docs.json"), "{ this is no configuration").unwrap();
    commit(&docs, "Broken");
    let third = trigger_at(&server, "acme", "main").is(202).string("statusId");
    let status = server.deployed("acme", &third);
    assert!(status["status"] == "failure" && !status["summary"].as_str().unwrap().is_empty(), "{status}");
    // the source was read: it is known what failed
    assert_eq!(
        (status["commit"]["message"].as_str(), &status["commit"]["filesChanged"]["modified"]),
        (Some("Broken"), &serde_json::json!(["docs.json"])),
        "{status}"
    );
    assert!(page(&server, url, "/guides/start").text().contains("The second edition."));
    // E-PRV-10: a preview goes with its branch
    git(&docs, &["checkout", "-q", "-b", "other"]);
    git(&docs, &["branch", "-q", "-D", "main"]);
    let fourth = trigger_at(&server, "acme", "main").is(202).string("statusId");
    assert_eq!(server.deployed("acme", &fourth)["status"], "failure");
    wait("the preview to go", || (page(&server, url, "/").status == 404).then_some(()));
}

#[test]
fn e_prv_10_a_preview_goes_with_its_branch_whatever_is_fetched() {
    let (server, docs) = own();
    for branch in ["one", "two", "three"] {
        git(&docs, &["branch", "-q", branch]);
    }
    let url_of = |branch: &str| deploy(&server, branch)["previewUrl"].as_str().unwrap().to_owned();
    let urls = ["one", "two", "three"].map(url_of);
    let are = |expect: [u16; 3]| {
        wait(&format!("{expect:?}"), || {
            (urls.each_ref().map(|url| page(&server, url, "/").status) == expect).then_some(())
        })
    };
    are([200, 200, 200]);
    // by another preview, by production, by an export
    git(&docs, &["branch", "-q", "-D", "one"]);
    url_of("two");
    are([404, 200, 200]);
    git(&docs, &["branch", "-q", "-D", "two"]);
    let id = server.send(&ask("POST", "/v1/project/update/acme-docs").key(&key("acme"))).is(202).string("statusId");
    assert_eq!(server.deployed("acme", &id)["status"], "success");
    are([404, 404, 200]);
    git(&docs, &["branch", "-q", "-D", "three"]);
    assert_eq!(server.export("acme")["status"], "completed");
    are([404, 404, 404]);
    // one that comes back is a new one
    git(&docs, &["branch", "-q", "one"]);
    assert_eq!(url_of("one"), urls[0]);
    are([200, 404, 404]);
}

#[test]
fn e_prv_8_a_preview_goes_with_what_it_is_of() {
    let (server, docs) = own();
    let deployment = deploy(&server, "main");
    let url = deployment["previewUrl"].as_str().unwrap();
    let id = server.send(&ask("POST", "/v1/project/update/acme-docs").key(&key("acme"))).is(202).string("statusId");
    assert_eq!(server.deployed("acme", &id)["status"], "success");
    let file = server.folder.path().join("offprint.toml");
    let whole = fs::read_to_string(&file).unwrap();
    let (organizations, project) = whole.split_once("[[projects]]").unwrap();
    let other = "[[organizations]]\nid = \"other\"\nplan = { preview = true }\n\n";
    let production = |server: &Server| server.send(&ask("GET", "/").header("Host", "acme.example")).status;
    let becomes = |text: &str, preview: u16, site: u16, what: &str| {
        fs::write(&file, text).unwrap();
        server.signal("HUP");
        wait(what, || ((page(&server, url, "/").status, production(&server)) == (preview, site)).then_some(()));
    };
    becomes(organizations, 404, 404, "no project");
    becomes(&whole, 200, 200, "the project again");
    becomes(&whole.replace(", preview = true", ""), 404, 200, "no plan for previews");
    becomes(&whole, 200, 200, "the plan again");
    becomes(&whole.replace(&git_source(&docs), &folder_source(&docs)), 404, 200, "a folder");
    becomes(&whole, 200, 200, "the repository again");
    becomes(
        &format!(
            "{organizations}{other}[[projects]]{}",
            project.replace("organization = \"acme\"", "organization = \"other\"")
        ),
        404,
        404,
        "another organization",
    );
    becomes(&format!("{other}[[projects]]{}", project.replace("organization = \"acme\"", "organization = \"other\"")).replace("[[organizations]]", "[git]\nallow_protocols = [\"file\"]\n\n[server]\npreview_url = \"http://{slug}.preview.test\"\n\n[[organizations]]"), 404, 404, "no organization");
}

#[test]
fn e_prv_6_a_trigger_while_one_waits_is_the_same_deployment() {
    let (server, _) = own();
    // one runs, one waits: all others join the one that waits
    let ids: Vec<String> = (0..8).map(|_| trigger_at(&server, "acme", "main").is(202).string("statusId")).collect();
    let mut distinct = ids.clone();
    distinct.dedup();
    assert!(distinct.len() < ids.len(), "{ids:?}");
    for id in &distinct {
        assert_eq!(server.deployed("acme", id)["status"], "success");
    }
}

#[test]
fn s_prv_3_bodies_without_a_branch_are_refused() {
    let (server, _) = own();
    let mut client = server.client();
    for body in [
        "{}",
        "{\"branch\":\"\"}",
        "{\"branch\":null}",
        "{\"branch\":7}",
        "{\"branch\":[\"main\"]}",
        "{\"Branch\":\"main\"}",
    ] {
        client
            .send(&ask("POST", "/v1/project/preview/acme-docs").key(&key("acme")).json(body))
            .refuses(400, "invalid_request");
    }
}

#[test]
fn s_prv_4_and_e_prv_1_and_2_five_a_minute() {
    let started = Instant::now();
    for left in (0..5).rev() {
        let answer = trigger("rates", &format!("branch-{left}"));
        assert_eq!(answer.is(202).header("ratelimit-policy"), Some("\"preview\";q=5;w=60"));
        let standing = answer.header("ratelimit").unwrap();
        let rest: u64 = standing
            .strip_prefix(&format!("\"preview\";r={left};t="))
            .unwrap_or_else(|| panic!("{standing}"))
            .parse()
            .unwrap();
        assert!((1..=60).contains(&rest));
    }
    let sixth = trigger("rates", "main");
    let wait: u64 = sixth.refuses(429, "rate_limited").header("retry-after").unwrap().parse().unwrap();
    assert!(wait <= 60 && wait + started.elapsed().as_secs() + 1 >= 60, "{wait}");
    assert!(sixth.header("ratelimit").is_some_and(|standing| standing.starts_with("\"preview\";r=0;t=")));
    // others are not affected
    trigger("broken", "main").is(202);
}

#[test]
fn s36_the_window_survives_a_restart() {
    let configure = |folder: &std::path::Path| {
        let docs = repository(&folder.join("git"));
        format!(
            "[server]\ndata_dir = \"data\"\n\n[git]\nallow_protocols = [\"file\"]\n\n{}",
            organization("acme", &git_source(&docs))
        )
    };
    let server = Server::start(configure);
    for _ in 0..5 {
        trigger_at(&server, "acme", "main").is(202);
    }
    server.signal("KILL");
    let server = Server::resume(server.into_folder(), "info", &[]);
    trigger_at(&server, "acme", "main").refuses(429, "rate_limited");
}

#[test]
fn e_prv_4_a_branch_that_is_not_there_is_found_out_later() {
    let deployment = trigger("redeploys", "no/such-branch").is(202).json();
    let status = shared().deployed("redeploys", deployment["statusId"].as_str().unwrap());
    assert!(
        status["status"] == "failure"
            && status["summary"].as_str().is_some_and(|summary| summary.starts_with("branch not found")),
        "{status}"
    );
}

#[test]
fn e_prv_7_a_first_deployment_that_fails_shows_nothing() {
    let (server, docs) = own();
    git(&docs, &["checkout", "-q", "-b", "bad"]);
    fs::write(docs.join("docs.json"), "{").unwrap();
    commit(&docs, "Broken");
    let deployment = trigger_at(&server, "acme", "bad").is(202).json();
    let url = deployment["previewUrl"].as_str().unwrap();
    // before it ends: not yet (see below); afterwards: nothing
    let early = page(&server, url, "/");
    assert!(matches!(early.status, 503 | 404), "{early:?}");
    if early.status == 503 {
        assert!(
            early.header("retry-after").is_some()
                && early.header("content-type").is_some_and(|value| value.starts_with("text/html"))
        );
    }
    assert_eq!(server.deployed("acme", deployment["statusId"].as_str().unwrap())["status"], "failure");
    assert!(page(&server, url, "/").is(404).header("content-type").is_some_and(|value| value.starts_with("text/html")));
}

#[test]
fn e_prv_8_and_s16_hosts_that_are_nobodys() {
    let server = shared();
    for host in ["nothing.preview.test", "a.b.preview.test", "www.preview.test", "x.preview.test:8080"] {
        assert_eq!(
            server.send(&ask("GET", "/").header("Host", host)).refuses(404, "not_found").header("x-robots-tag"),
            Some("noindex"),
            "{host}"
        );
    }
    let deployment = trigger("broken", "main").json();
    let Some(url) = deployment["previewUrl"].as_str() else { return };
    let host = split(url).0;
    server.deployed("broken", deployment["statusId"].as_str().unwrap());
    // what else a request says of hosts counts for nothing
    for (name, value) in [
        ("X-Forwarded-Host", host.as_str()),
        ("Forwarded", &format!("host={host}")),
        ("X-Host", &host),
        ("Referer", url),
    ] {
        server.send(&ask("GET", "/guides/start").header(name, value)).refuses(404, "not_found");
    }
    server.send(&ask("GET", format!("http://{host}/"))).refuses(400, "invalid_request");
    server.send(&ask("GET", "/").header("Host", host.as_str()).header("Host", "x")).refuses(400, "invalid_request");
    server.send(&ask("GET", format!("http://{host}/")).header("Host", host.as_str())).is(200);
}

#[test]
fn e_prv_9_and_e_upd_sources_that_are_no_repository() {
    let server = shared();
    server
        .send(&ask("POST", "/v1/project/preview/acme-folder").key(&key("acme")).json("{\"branch\":\"main\"}"))
        .refuses(409, "no_git_source");
    // production works for every kind of source; before the first one there is nothing
    server.send(&ask("GET", "/").header("Host", "folder.acme.example")).refuses(404, "not_found");
    let answer = server.send(&ask("POST", "/v1/project/update/acme-folder").key(&key("acme")));
    assert_eq!(answer.is(202).json().as_object().unwrap().len(), 1);
    let status = server.deployed("acme", &answer.string("statusId"));
    assert_eq!(
        (status["status"].as_str(), status["subdomain"].as_str()),
        (Some("success"), Some("folder.acme.example")),
        "{status}"
    );
    assert!(status.get("previewUrl").is_none() && status.get("commit").is_none());
    let home = server.send(&ask("GET", "/").header("Host", "FOLDER.acme.example:80"));
    assert!(home.is(200).text().contains("Home") && home.header("x-robots-tag").is_none());
}

#[test]
fn e_prv_5_labels_do_not_change_with_a_restart() {
    let server = Server::start(|folder| {
        let docs = site(folder);
        organization("acme", &folder_source(&docs))
    });
    // the pattern's default is below localhost
    server.send(&ask("GET", "/").header("Host", format!("x.localhost:{}", server.port))).refuses(404, "not_found");
    std::thread::sleep(Duration::ZERO);
}

#[test]
fn e_prv_7_a_preview_that_is_not_there_yet_says_so() {
    // a server that accepts and says nothing: the deployment goes on
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let source = format!("{{ git = \"https://127.0.0.1:{}/docs.git\" }}", silent.local_addr().unwrap().port());
    let server = Server::start(|_| {
        format!("[server]\npreview_url = \"http://{{slug}}.preview.test\"\n\n{}", organization("acme", &source))
    });
    let deployment = trigger_at(&server, "acme", "main").is(202).json();
    let waiting = page(&server, deployment["previewUrl"].as_str().unwrap(), "/guides/start");
    assert_eq!((waiting.is(503).header("retry-after"), waiting.header("x-robots-tag")), (Some("5"), Some("noindex")));
    assert!(waiting.text().contains("This preview is being built"), "{}", waiting.text());
    let update = ask("POST", "/v1/project/update/acme-docs").key(&key("acme"));
    server.send(&update).is(202);
    let waiting = server.send(&ask("GET", "/").header("Host", "acme.example"));
    assert!(waiting.is(503).text().contains("This site is being built"), "{}", waiting.text());
}
