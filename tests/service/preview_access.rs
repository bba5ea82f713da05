//! Who finds previews (E-PRV-5), and who may see them.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use offprint::service::store::{Caps, DeploymentRecord, Ledger, Time};
use sha2::{Digest as _, Sha256};

use crate::service::client::{Answer, ask};
use crate::service::server::{Server, git_source, key, organization, organization_with, repository, split};

/// The label that earlier versions gave the preview of a branch: anybody can compute it.
fn guessed(project: &str, branch: &str) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let hash = Sha256::digest(format!("{project}\0{branch}"));
    let bits: String = hash.iter().map(|byte| format!("{byte:08b}")).collect();
    let letters = bits.as_bytes().chunks(5).take(16).map(|five| {
        let at = five.iter().fold(0, |at, bit| at * 2 + usize::from(*bit == b'1'));
        char::from(LETTERS[at])
    });
    format!("{project}-{branch}-{}", letters.collect::<String>())
}

fn configuration(folder: &std::path::Path, previews: &str) -> String {
    let docs = repository(&folder.join("git"));
    fs::write(folder.join("readers"), "ann:secret\n").unwrap();
    let open = "[server]\ndata_dir = \"data\"\npreview_url = \"http://{slug}.preview.test\"\n\n[git]\nallow_protocols = [\"file\"]\n\n";
    let expired = organization_with("gone", "", "", "expires_at = 2020-01-01T00:00:00Z", &git_source(&docs));
    let names = ["acme", "other"].map(|name| organization(name, &git_source(&docs))).concat();
    format!("{open}{previews}\n{names}{expired}")
}

/// Deploys a branch's preview; its host.
fn deploy(server: &Server, branch: &str) -> String {
    let trigger = ask("POST", "/v1/project/preview/acme-docs").key(&key("acme"));
    let answer = server.send(&trigger.json(serde_json::json!({ "branch": branch })));
    assert_eq!(server.deployed("acme", &answer.is(202).string("statusId"))["status"], "success");
    split(&answer.string("previewUrl")).0
}

fn get(server: &Server, host: &str, authorization: Option<&str>) -> Answer {
    let request = ask("GET", "/").header("Host", host);
    server.send(&authorization.into_iter().fold(request, |request, value| request.header("Authorization", value)))
}

#[test]
fn e_prv_5_nobody_can_compute_the_address_of_a_preview() {
    let [one, other] = [(); 2].map(|()| Server::start(|folder| configuration(folder, "")));
    let hosts = [&one, &other].map(|server| deploy(server, "main"));
    assert_ne!(hosts[0], hosts[1], "each installation has a key of its own");
    get(&one, &hosts[0], None).is(200);
    let computed = format!("{}.preview.test", guessed("acme-docs", "main"));
    get(&one, &computed, None).refuses(404, "not_found");
    // the key is kept
    one.signal("KILL");
    let again = Server::resume(one.into_folder(), "info", &[]);
    get(&again, &hosts[0], None).is(200);
    assert_eq!(deploy(&again, "main"), hosts[0]);
}

#[test]
fn e_prv_5_previews_of_earlier_versions_keep_their_address() {
    let label = guessed("acme-docs", "main");
    let server = Server::start(|folder| {
        fs::create_dir(folder.join("data")).unwrap();
        let url = format!("http://{label}.preview.test");
        let deployment = DeploymentRecord::new("acme", "acme-docs", &label, Some(("main".to_owned(), url)));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let store = Ledger::open(&folder.join("data/store.redb"), Time::now()).await.unwrap();
            store.start_deployment(deployment, Caps::default(), None, Time::now()).await.unwrap();
        });
        configuration(folder, "")
    });
    let host = format!("{label}.preview.test");
    assert_eq!(deploy(&server, "main"), host, "a preview has one address");
    get(&server, &host, None).is(200);
    git_branch(&server, "next");
    assert!(!deploy(&server, "next").starts_with(&guessed("acme-docs", "next")));
}

fn git_branch(server: &Server, name: &str) {
    crate::service::server::git(&server.folder.path().join("git/docs"), &["branch", name]);
}

#[test]
fn previews_may_need_a_key_of_their_organization() {
    let server = Server::start(|folder| configuration(folder, "[previews]\naccess = \"key\"\n"));
    let host = deploy(&server, "main");
    let bearer = |name: &str| format!("Bearer {}", key(name));
    let basic = |name: &str| format!("Basic {}", STANDARD.encode(format!("anybody:{}", key(name))));
    for good in [bearer("acme"), basic("acme")] {
        let answer = get(&server, &host, Some(&good));
        assert!(answer.is(200).header("cache-control").unwrap().starts_with("private"), "{answer:?}");
    }
    // before anything is said about what is there
    for host in [host.as_str(), "nothing.preview.test"] {
        for bad in [None, Some("Basic !"), Some("Bearer x"), Some(&*bearer("gone"))] {
            let answer = get(&server, host, bad);
            let challenge = answer.refuses(401, "unauthorized").header("www-authenticate");
            assert!(challenge.unwrap().starts_with("Basic "), "{answer:?}");
            assert_eq!(answer.header("x-robots-tag"), Some("noindex"));
        }
    }
    get(&server, &host, Some(&bearer("other"))).refuses(404, "not_found");
}

/// So says the metric: a browser that has not asked its reader yet has not failed.
fn failures(server: &Server) -> u64 {
    let metrics = server.send(&ask("GET", "/metrics"));
    let line = metrics.text().lines().find_map(|line| line.strip_prefix("offprint_auth_failures_total "));
    line.map_or(0, |count| count.parse().unwrap())
}

#[test]
fn failed_authentications_of_previews_are_counted() {
    for (access, good) in
        [("access = \"key\"", key("acme")), ("access = \"basic\"\nreaders = \"readers\"", "secret".to_owned())]
    {
        let server = Server::start(|folder| configuration(folder, &format!("[previews]\n{access}\n")));
        let basic = |password: &str| format!("Basic {}", STANDARD.encode(format!("ann:{password}")));
        let tries = [(None, 0), (Some(basic("wrong")), 1), (Some(basic(&good)), 1), (Some("Bearer x".to_owned()), 2)];
        for (authorization, expect) in tries {
            get(&server, "nothing.preview.test", authorization.as_deref());
            assert_eq!(failures(&server), expect, "{access}: {authorization:?}");
        }
    }
}

/// A service whose previews need the password of `ann`, behind a proxy.
fn guessable(lock: &str) -> (Server, String) {
    let previews = format!("[previews]\naccess = \"basic\"\nreaders = \"readers\"\n{lock}\n");
    let server = Server::start_with(
        |folder| configuration(folder, &previews),
        "info",
        &[("OFFPRINT_SERVER_TRUSTED_PROXIES", "127.0.0.1")],
    );
    let host = deploy(&server, "main");
    (server, host)
}

/// The answer to a password from an address.
fn guess(server: &Server, host: &str, client: &str, pair: &str) -> Answer {
    let basic = format!("Basic {}", STANDARD.encode(pair));
    server.send(&ask("GET", "/").header("Host", host).header("X-Forwarded-For", client).header("Authorization", basic))
}

#[test]
fn who_guesses_the_password_of_previews_is_locked_out_of_the_right_one_too() {
    let (server, host) = guessable("password_failures = 4\nlock_seconds = 600");
    let from = |client: &str, pair: &str| guess(&server, &host, client, pair);
    from("192.0.2.7", "ann:secret").is(200);
    for n in 0..4 {
        from("192.0.2.1", &format!("ann:{n}")).refuses(401, "unauthorized");
    }
    for pair in ["ann:more", "ann:secret", "nobody:x"] {
        let refused = from("192.0.2.1", pair);
        let wait: u64 = refused.refuses(429, "rate_limited").header("retry-after").unwrap().parse().unwrap();
        assert!((1..=600).contains(&wait) && refused.header("x-robots-tag") == Some("noindex"), "{refused:?}");
    }
    from("192.0.2.2", "ann:secret").is(200);
    assert!(
        server.log().contains("wrong passwords from 192.0.2.1: 4, the address is locked for 600 s"),
        "{}",
        server.log()
    );
    assert!(!server.log().contains("nobody"));
    // a name that many addresses guess is locked where it has not been used
    for last in 0..36 {
        from(&format!("198.51.100.{last}"), "ann:wrong").refuses(401, "unauthorized");
    }
    from("203.0.113.1", "ann:secret").refuses(429, "rate_limited");
    from("192.0.2.7", "ann:secret").is(200);
    // keys are nothing that can be guessed: they work from an address that is locked
    let key_of = ask("GET", "/v1/static-export/jobs").key(&key("acme")).header("X-Forwarded-For", "192.0.2.1");
    server.send(&key_of).is(200);
    server.signal("HUP");
    crate::service::server::wait("the locks to end", || (from("192.0.2.1", "ann:secret").status == 200).then_some(()));
}

#[test]
fn a_lock_of_previews_passes() {
    let (server, host) = guessable("password_failures = 2\nlock_seconds = 1");
    for _ in 0..2 {
        guess(&server, &host, "192.0.2.1", "ann:wrong").refuses(401, "unauthorized");
    }
    crate::service::server::wait("the lock to pass", || {
        (guess(&server, &host, "192.0.2.1", "ann:secret").status == 200).then_some(())
    });
}

#[test]
fn previews_may_need_a_password() {
    let previews = "[previews]\naccess = \"basic\"\nreaders = \"readers\"\n";
    let server = Server::start(|folder| configuration(folder, previews));
    let host = deploy(&server, "main");
    let basic = |pair: &str| format!("Basic {}", STANDARD.encode(pair));
    get(&server, &host, Some(&basic("ann:secret"))).is(200);
    for bad in [None, Some(basic("ann:wrong")), Some(format!("Bearer {}", key("acme")))] {
        get(&server, &host, bad.as_deref()).refuses(401, "unauthorized");
    }
    fs::write(server.folder.path().join("readers"), "bob:other\n").unwrap();
    server.signal("HUP");
    crate::service::server::wait("the readers to be read again", || {
        (get(&server, &host, Some(&basic("bob:other"))).status == 200).then_some(())
    });
    get(&server, &host, Some(&basic("ann:secret"))).refuses(401, "unauthorized");
}
