//! What belongs to another is answered like what is not there (contract, E-IDR; threats S22).

use crate::service::authentication::operations;
use crate::service::client::{Answer, Ask, ask};
use crate::service::server::{Server, git_source, key, organization, repository};

/// What one organization has.
struct Owned {
    name: &'static str,
    job: String,
    status: String,
    agent: String,
}

const NAMES: [&str; 3] = ["alpha", "beta", "gamma"];

#[test]
fn e_idr_and_s22_all_operations_on_all_ids_of_others() {
    let server = Server::start(|folder| {
        let repository = repository(&folder.join("git"));
        let open = "[git]\nallow_protocols = [\"file\"]\n\n[agent]\ncommand = [\"/bin/sh\", \"-c\", \"echo '{\\\"prLink\\\":null}'\"]\n\n[limits]\npreviews_per_minute = 0\nagent_calls_per_hour = 0\nexports_queued = 0\n\n";
        let organizations: String = NAMES.iter().map(|name| organization(name, &git_source(&repository))).collect();
        format!("{open}{organizations}")
    });
    let owned: Vec<Owned> = NAMES.into_iter().map(|name| own(&server, name)).collect();
    let nothing = "0".repeat(32);
    let absent =
        operations("no-project", &format!("se_{nothing}"), &format!("upd_{nothing}"), &format!("aj_{nothing}"));
    let methods = ["GET", "HEAD", "POST", "DELETE", "PUT", "PATCH"];
    let mut client = server.client();
    let mut compared = 0;
    for caller in NAMES {
        for other in owned.iter().filter(|other| other.name != caller) {
            let project = format!("{}-docs", other.name);
            let foreign = operations(&project, &other.job, &other.status, &other.agent);
            for (foreign, absent) in foreign.iter().zip(&absent) {
                for method in methods {
                    let answers: Vec<Answer> = [foreign, absent]
                        .map(|ask| client.send(&with_method(ask, method).key(&key(caller))).without_chance())
                        .into();
                    assert_eq!(answers[0], answers[1], "{caller}: {method} {foreign:?}");
                    assert!(
                        answers[0].status >= 400 || foreign_is_a_list(foreign),
                        "{caller}: {method} {foreign:?} {:?}",
                        answers[0]
                    );
                    compared += 1;
                }
            }
            // an id of another behind a project of one's own
            for (method, tail) in [("GET", ""), ("POST", "/message"), ("POST", "/archive")] {
                let of = |id: &str| {
                    ask(method, format!("/v2/agent/{caller}-docs/job/{id}{tail}"))
                        .key(&key(caller))
                        .json("{\"prompt\":\"x\"}")
                };
                let (foreign, absent) = (client.send(&of(&other.agent)), client.send(&of(&format!("aj_{nothing}"))));
                assert_eq!(foreign.refuses(404, "not_found").clone().without_chance(), absent.without_chance());
            }
            let list = client
                .send(&ask("GET", format!("/v1/static-export/jobs?domain={}.example", other.name)).key(&key(caller)));
            assert_eq!(list.is(200).text(), "{\"jobs\":[],\"nextCursor\":null}");
        }
    }
    assert!(compared >= 400, "{compared}");
    // and nothing of it has changed anything
    for owner in &owned {
        let job = client.send(&ask("GET", format!("/v1/static-export/jobs/{}", owner.job)).key(&key(owner.name)));
        assert_eq!(job.is(200).json()["status"], "completed");
    }
}

fn foreign_is_a_list(ask: &Ask) -> bool {
    format!("{ask:?}").contains("\"/v1/static-export/jobs\"")
}

/// The same target with another method, and without a body where there is none.
fn with_method(original: &Ask, method: &str) -> Ask {
    original.clone().method(method)
}

fn own(server: &Server, name: &'static str) -> Owned {
    let job = server.export(name)["jobId"].as_str().unwrap().to_owned();
    let post = |path: String, body: &str| server.send(&ask("POST", path).key(&key(name)).json(body));
    let status = post(format!("/v1/project/preview/{name}-docs"), "{\"branch\":\"main\"}").is(202).string("statusId");
    let agent = post(format!("/v2/agent/{name}-docs/job"), "{\"prompt\":\"nothing\"}").is(201).string("id");
    Owned { name, job, status, agent }
}
