//! Section 9 of the contract.

use std::sync::Barrier;

use crate::service::client::{Answer, ask};
use crate::service::server::{key, shared};

const JOBS: &str = "/v1/static-export/jobs";

fn start(once: &str, body: &str) -> Answer {
    shared().send(&ask("POST", JOBS).key(&key("once")).header("Idempotency-Key", once).json(body))
}

#[test]
fn e_idm_the_same_request_is_answered_the_same() {
    let first = start("release-1", "{\"domain\":\"once.example\",\"version\":\"v1\"}");
    assert_eq!(first.is(202).header("idempotent-replayed"), None);
    // the same JSON value, written in another way
    let again = start("release-1", " { \"version\" : \"v1\", \"domain\":\"once.example\" } ");
    assert_eq!(again.is(202).header("idempotent-replayed"), Some("true"));
    assert_eq!((again.text(), again.header("location")), (first.text(), first.header("location")));
    start("release-1", "{\"domain\":\"once.example\",\"version\":\"v2\"}").refuses(422, "idempotency_mismatch");
    // another key is another request, another organization another client
    assert_ne!(
        start("release-2", "{\"domain\":\"once.example\",\"version\":\"v1\"}").is(202).string("jobId"),
        first.string("jobId")
    );
    let other = shared().send(
        &ask("POST", JOBS)
            .key(&key("globex"))
            .header("Idempotency-Key", "release-1")
            .json("{\"domain\":\"globex.example\"}"),
    );
    assert_eq!(other.is(202).header("idempotent-replayed"), None);
    shared().finished("once", &first.string("jobId"));
}

#[test]
fn e_idm_refusals_are_not_kept() {
    start("later", "{\"domain\":\"nobody.example\"}").refuses(400, "unknown_domain");
    start("later", "{\"domain\":\"once.example\"}").is(202);
}

#[test]
fn e_idm_keys_are_visible_ascii() {
    for bad in ["", "a b", "ä", "a\tb", &"x".repeat(256)] {
        start(bad, "{\"domain\":\"once.example\"}").refuses(400, "invalid_request");
    }
    let two = ask("POST", JOBS)
        .key(&key("once"))
        .header("Idempotency-Key", "a")
        .header("Idempotency-Key", "b")
        .json("{\"domain\":\"once.example\"}");
    shared().send(&two).refuses(400, "invalid_request");
}

#[test]
fn e_idm_every_post_takes_one() {
    let server = shared();
    for (path, body) in [
        ("/v1/project/preview/production-docs", Some("{\"branch\":\"main\"}")),
        ("/v1/project/update/production-docs", None),
        ("/v2/agent/production-docs/job", Some("{\"prompt\":\"nothing\"}")),
    ] {
        let send = || {
            let ask = ask("POST", path).key(&key("production")).header("Idempotency-Key", "k");
            server.send(&body.map_or(ask.clone(), |body| ask.json(body)))
        };
        let (first, again) = (send(), send());
        assert!(first.status < 300, "{first:?}");
        assert_eq!((first.status, first.text()), (again.status, again.text()), "{path}");
        assert_eq!(again.header("idempotent-replayed"), Some("true"), "{path}");
    }
    let job = server.export("once")["jobId"].as_str().unwrap().to_owned();
    let bundle =
        || server.send(&ask("POST", format!("{JOBS}/{job}/bundle")).key(&key("once")).header("Idempotency-Key", "b"));
    let first = bundle();
    assert_eq!(bundle().is(200).text(), first.text());
}

#[test]
fn e_idm_of_many_at_once_one_is_done() {
    const MANY: usize = 8;
    let barrier = Barrier::new(MANY);
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let ask = || {
            let mut client = shared().client();
            client.send(&ask("GET", "/livez"));
            barrier.wait();
            client.send(
                &ask("POST", JOBS)
                    .key(&key("once"))
                    .header("Idempotency-Key", "together")
                    .json("{\"domain\":\"once.example\",\"version\":\"together\"}"),
            )
        };
        let threads: Vec<_> = (0..MANY).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut ids = Vec::new();
    for answer in &answers {
        match answer.status {
            202 => ids.push(answer.string("jobId")),
            _ => drop(answer.refuses(409, "conflict")),
        }
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "{answers:#?}");
}
