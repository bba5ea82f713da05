//! Webhooks, received by a real HTTP server that verifies what it gets as the specification says.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::service::client::{Answer, ask};
use crate::service::server::{Server, folder_source, git_source, key, organization, repository, site, wait};

/// 32 bytes each.
const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const EARLIER: &str = "whsec_/////////////////////////////////////////w4=";

/// What a receiver got.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) id: String,
    timestamp: u64,
    signatures: Vec<String>,
    body: String,
}

impl Message {
    /// Whether one of its signatures is right (Standard Webhooks).
    fn is_signed_by(&self, secret: &str) -> bool {
        let secret = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let mut mac = <Hmac<Sha256>>::new_from_slice(&secret).unwrap();
        mac.update(format!("{}.{}.{}", self.id, self.timestamp, self.body).as_bytes());
        let expect = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        self.signatures.contains(&expect)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// An HTTP server that answers with one status after the other; the last one stays.
pub(crate) struct Receiver {
    port: u16,
    got: Arc<Mutex<Vec<Message>>>,
    answers: Arc<Mutex<Vec<&'static str>>>,
}

impl Receiver {
    pub(crate) fn start(answers: &[&'static str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let receiver = Self {
            port: listener.local_addr().unwrap().port(),
            got: Arc::default(),
            answers: Arc::new(Mutex::new(answers.to_vec())),
        };
        let (got, answers) = (Arc::clone(&receiver.got), Arc::clone(&receiver.answers));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (got, answers) = (Arc::clone(&got), Arc::clone(&answers));
                std::thread::spawn(move || while answer(&stream, &got, &answers).is_some() {});
            }
        });
        receiver
    }

    pub(crate) fn messages(&self) -> Vec<Message> {
        self.got.lock().unwrap().clone()
    }

    /// Waits until there are so many.
    pub(crate) fn wait(&self, count: usize) -> Vec<Message> {
        wait("webhooks", || Some(self.messages()).filter(|messages| messages.len() >= count))
    }

    /// From now on it answers like this.
    fn answer(&self, status: &'static str) {
        *self.answers.lock().unwrap() = vec![status];
    }

    fn server(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

/// Reads one request, and answers it.
fn answer(stream: &TcpStream, got: &Mutex<Vec<Message>>, answers: &Mutex<Vec<&'static str>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let (mut line, mut headers) = (String::new(), Vec::new());
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    assert!(line.starts_with("POST /hook?token=hidden HTTP/1.1"), "{line}");
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let header = |name: &str| headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
    assert_eq!(header("content-type").as_deref(), Some("application/json"));
    let mut body = vec![0; header("content-length").unwrap().parse().unwrap()];
    reader.read_exact(&mut body).ok()?;
    let message = Message {
        id: header("webhook-id").unwrap(),
        timestamp: header("webhook-timestamp").unwrap().parse().unwrap(),
        signatures: header("webhook-signature").unwrap().split(' ').map(str::to_owned).collect(),
        body: String::from_utf8(body).unwrap(),
    };
    let status = {
        let mut answers = answers.lock().unwrap();
        if answers.len() > 1 { answers.remove(0) } else { answers[0] }
    };
    // counted before it is answered: who waits for it may look at once
    got.lock().unwrap().push(message);
    let more = if status.starts_with('3') { "Location: http://127.0.0.1:1/\r\n" } else { "" };
    let mut stream = stream;
    stream.write_all(format!("HTTP/1.1 {status}\r\n{more}Content-Length: 2\r\n\r\nok").as_bytes()).ok()
}

/// The lines of a webhook of `acme`, and what lets it be reached.
pub(crate) fn configured(receiver: &Receiver, settings: &str, more: &str) -> (String, String) {
    let tables = format!("[webhooks]\nallow_private = [{:?}]\n{settings}\n\n", receiver.server());
    let webhook = format!(
        "[[organizations.webhooks]]\nid = \"ci\"\nurl = \"http://{}/hook?token=hidden\"\nsecret = \"{SECRET}\"\n{more}\n\n",
        receiver.server()
    );
    (tables, webhook)
}

fn server(receiver: &Receiver, settings: &str, more: &str) -> Server {
    let (tables, webhook) = configured(receiver, settings, more);
    Server::start(|folder| {
        let acme = organization("acme", &folder_source(&site(folder)));
        let (before, projects) = acme.split_at_checked(acme.find("[[projects]]").unwrap()).unwrap();
        let other = organization("globex", &folder_source(&folder.join("docs")));
        format!("[server]\ndata_dir = \"data\"\n\n{tables}{before}{webhook}{projects}{other}")
    })
}

fn get(server: &Server, path: &str) -> Answer {
    server.send(&ask("GET", path).key(&key("acme")))
}

fn post(server: &Server, path: &str) -> Answer {
    server.send(&ask("POST", path).key(&key("acme")))
}

#[test]
fn e_whk_the_end_of_an_export_is_told_and_signed() {
    let receiver = Receiver::start(&["204 No Content"]);
    let server = server(&receiver, "", &format!("previous_secret = \"{EARLIER}\""));
    let job = server.export("acme");
    let message = receiver.wait(1).remove(0);
    assert!(message.id.starts_with("msg_") && message.is_signed_by(SECRET) && message.is_signed_by(EARLIER));
    assert!(!Message { body: format!("{} ", message.body), ..message.clone() }.is_signed_by(SECRET));
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    assert!(now.abs_diff(message.timestamp) < 300);
    let payload = message.json();
    assert_eq!((&payload["type"], &payload["data"]), (&json!("export.completed"), &job));
    assert_eq!(payload["timestamp"], job["endedAt"]);

    let path = format!("/v1/webhooks/ci/deliveries/{}", message.id);
    let shown = wait("the delivery to be written down", || {
        Some(get(&server, &path).is(200).json()).filter(|shown| shown["status"] == "delivered")
    });
    assert_eq!(
        (&shown["attempts"], &shown["lastAttempt"]["status"], &shown["payload"]),
        (&json!(1), &json!(204), &payload)
    );
    // other organizations see nothing of it, and have none
    server.send(&ask("GET", path.as_str()).key(&key("globex"))).refuses(404, "not_found");
    let list = server.send(&ask("GET", "/v1/webhooks").key(&key("globex"))).is(200).json();
    assert_eq!(list, json!({ "webhooks": [] }));
    server.export("globex");
    // neither secrets nor the address reach the log or an answer
    let listed = get(&server, "/v1/webhooks").is(200).json();
    let webhook = &listed["webhooks"][0];
    assert_eq!((&webhook["id"], &webhook["status"]), (&json!("ci"), &json!("enabled")));
    assert_eq!(webhook["origin"], json!(format!("http://{}", receiver.server())));
    for secret in [SECRET, "hidden"] {
        assert!(!server.log().contains(secret) && !listed.to_string().contains(secret));
    }
    assert_eq!(receiver.messages().len(), 1);
    let metrics = server.send(&ask("GET", "/metrics")).text().to_owned();
    assert!(metrics.contains("offprint_webhook_deliveries_total{result=\"delivered\"} 1"), "{metrics}");
}

#[test]
fn e_whk_deployments_and_agent_jobs_are_told_as_they_are_chosen() {
    let receiver = Receiver::start(&["200 OK"]);
    let events = "events = [\"deployment.succeeded\", \"deployment.failed\", \"agent.failed\", \"agent.completed\"]";
    let (tables, webhook) = configured(&receiver, "", events);
    let server = Server::start(|folder| {
        let acme = organization("acme", &git_source(&repository(folder)));
        let (before, projects) = acme.split_at_checked(acme.find("[[projects]]").unwrap()).unwrap();
        let agent = "[agent]\ncommand = [\"/bin/sh\", \"-c\", \"read line; echo '{\\\"prLink\\\":null}'\"]\n\n";
        format!("[git]\nallow_protocols = [\"file\"]\n\n{tables}{agent}{before}{webhook}{projects}")
    });
    server.export("acme");
    let preview = |branch: &str| {
        let body = json!({ "branch": branch });
        let ask = ask("POST", "/v1/project/preview/acme-docs").key(&key("acme")).json(body);
        server.deployed("acme", &server.send(&ask).is(202).string("statusId"))
    };
    let (good, bad) = (preview("main"), preview("nothing"));
    let ask = ask("POST", "/v2/agent/acme-docs/job").key(&key("acme")).json("{\"prompt\":\"quick\"}");
    let agent = server.send(&ask).is(201).string("id");
    let mut payloads: Vec<(String, Value)> = receiver
        .wait(3)
        .iter()
        .map(|message| (message.json()["type"].as_str().unwrap().to_owned(), message.json()["data"].clone()))
        .collect();
    payloads.sort_by(|a, b| a.0.cmp(&b.0));
    let kinds: Vec<&str> = payloads.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["agent.completed", "deployment.failed", "deployment.succeeded"]);
    assert_eq!((&payloads[0].1["id"], &payloads[0].1["projectId"]), (&json!(agent), &json!("acme-docs")));
    for (data, status) in [(&payloads[1].1, &bad), (&payloads[2].1, &good)] {
        assert_eq!((&data["_id"], &data["commit"], &data["logs"]), (&status["_id"], &status["commit"], &Value::Null));
    }
}

#[test]
fn e_whk_what_is_not_taken_is_sent_again_and_at_last_on_request() {
    let receiver = Receiver::start(&["500 Internal Server Error", "302 Found", "200 OK"]);
    let server = server(&receiver, "first_retry_seconds = 1", "");
    server.export("acme");
    let messages = receiver.wait(3);
    // the same message each time, with a signature of its own; a redirect is no answer
    assert!(
        messages.iter().all(|one| one.id == messages[0].id && one.body == messages[0].body && one.is_signed_by(SECRET))
    );
    let path = format!("/v1/webhooks/ci/deliveries/{}", messages[0].id);
    let delivered = || {
        wait("the delivery", || Some(get(&server, &path).is(200).json()).filter(|shown| shown["status"] == "delivered"))
    };
    assert_eq!(delivered()["attempts"], json!(3));
    assert_eq!(get(&server, "/v1/webhooks").json()["webhooks"][0]["failingSince"], Value::Null);
    let again = post(&server, &format!("{path}/redeliver")).is(202).json();
    assert_eq!((&again["status"], &again["attempts"]), (&json!("waiting"), &json!(0)));
    assert_eq!(receiver.wait(4)[3].id, messages[0].id);
    assert_eq!(delivered()["attempts"], json!(1));
    for (query, count) in [("", 1), ("?status=delivered", 1), ("?status=failed", 0)] {
        let list = get(&server, &format!("/v1/webhooks/ci/deliveries{query}")).is(200).json();
        assert_eq!(list["deliveries"].as_array().unwrap().len(), count, "{query}");
        assert!(list["deliveries"].as_array().unwrap().iter().all(|one| one["payload"].is_null()));
    }
    get(&server, "/v1/webhooks/ci/deliveries?status=sent").refuses(400, "invalid_request");
    get(&server, "/v1/webhooks/other/deliveries").refuses(404, "not_found");
    get(&server, &format!("/v1/webhooks/ci/deliveries/msg_{}", "0".repeat(32))).refuses(404, "not_found");
    post(&server, &format!("/v1/webhooks/ci/deliveries/msg_{}/redeliver", "0".repeat(32))).refuses(404, "not_found");
}

#[test]
fn e_whk_a_receiver_that_takes_nothing_is_disabled_and_enabled_again() {
    let receiver = Receiver::start(&["503 Service Unavailable"]);
    let server = server(&receiver, "first_retry_seconds = 1\ndisable_after_seconds = 1", "");
    server.export("acme");
    let webhook = || get(&server, "/v1/webhooks").is(200).json()["webhooks"][0].clone();
    let disabled = wait("the webhook to be disabled", || Some(webhook()).filter(|one| one["status"] == "disabled"));
    assert!(disabled["disabledAt"].as_str() > disabled["failingSince"].as_str());
    let count = receiver.messages().len();
    let failed = get(&server, "/v1/webhooks/ci/deliveries").json()["deliveries"][0].clone();
    assert_eq!((&failed["status"], &failed["lastAttempt"]["error"]), (&json!("failed"), &json!("the answer is 503")));
    // what happens meanwhile is listed, and not sent
    server.export("acme");
    let list = wait("the second delivery", || {
        let list = get(&server, "/v1/webhooks/ci/deliveries").json();
        (list["deliveries"].as_array().unwrap().len() == 2).then_some(list)
    });
    assert_eq!((&list["deliveries"][0]["status"], receiver.messages().len()), (&json!("failed"), count));
    assert!(server.log().contains("a webhook is disabled"));
    assert!(server.send(&ask("GET", "/metrics")).text().contains("offprint_webhooks_disabled_total 1"));

    receiver.answer("200 OK");
    assert_eq!(post(&server, "/v1/webhooks/ci/enable").is(200).string("status"), "enabled");
    assert_eq!(webhook()["disabledAt"], Value::Null);
    let id = list["deliveries"][0]["id"].as_str().unwrap();
    post(&server, &format!("/v1/webhooks/ci/deliveries/{id}/redeliver")).is(202);
    assert_eq!(receiver.wait(count + 1)[count].id, id);
}

#[test]
fn e_whk_a_receiver_that_is_gone_is_disabled_at_once() {
    let receiver = Receiver::start(&["410 Gone"]);
    let server = server(&receiver, "", "");
    server.export("acme");
    wait("the webhook to be disabled", || {
        (get(&server, "/v1/webhooks").json()["webhooks"][0]["status"] == "disabled").then_some(())
    });
    assert_eq!(receiver.messages().len(), 1);
}

#[test]
fn e_whk_deliveries_survive_a_killed_service() {
    let receiver = Receiver::start(&["500 Internal Server Error"]);
    let server = server(&receiver, "first_retry_seconds = 3", "");
    server.export("acme");
    let first = receiver.wait(1).remove(0);
    server.signal("KILL");
    let server = Server::resume(server.into_folder(), "info", &[]);
    receiver.answer("200 OK");
    let messages = wait("the delivery after the restart", || {
        let path = format!("/v1/webhooks/ci/deliveries/{}", first.id);
        (get(&server, &path).is(200).json()["status"] == "delivered").then(|| receiver.messages())
    });
    assert!(messages.len() >= 2 && messages.iter().all(|one| one.id == first.id && one.body == first.body));
}

#[test]
fn e_whk_addresses_and_secrets_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let check = |lines: &str| {
        let file = folder.path().join("offprint.toml");
        let text = format!("[[organizations]]\nid = \"acme\"\n[[organizations.webhooks]]\nid = \"ci\"\n{lines}\n");
        std::fs::write(&file, text).unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_offprint"))
            .args(["serve", "--check", "--config"])
            .arg(&file)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let secret = format!("secret = \"{SECRET}\"");
    assert_eq!(check(&format!("url = \"https://hooks.example/x\"\n{secret}")).0, Some(0));
    for (lines, expect) in [
        (format!("url = \"http://hooks.example/x\"\n{secret}"), "`https://` is needed"),
        (format!("url = \"https://127.0.0.1/x\"\n{secret}"), "`127.0.0.1` is"),
        (format!("url = \"https://169.254.169.254/x\"\n{secret}"), "`169.254.169.254` is"),
        (format!("url = \"https://me:pw@hooks.example/x\"\n{secret}"), "a user name or a password"),
        ("url = \"https://hooks.example/x\"\nsecret = \"abc\"".to_owned(), "`whsec_` and 24 to 64 bytes"),
        (
            format!("url = \"https://hooks.example/x\"\n{secret}\nevents = [\"export\"]"),
            "`export` is none of `export.completed`",
        ),
    ] {
        let (code, said) = check(&lines);
        assert!(code == Some(2) && said.contains(expect), "{said} instead of {expect}");
        assert!(!said.contains("pw@") && !said.contains("AAECAw"), "{said}");
    }
}

#[test]
fn e_whk_a_name_with_a_private_address_is_not_sent_to() {
    // the address is judged when the name is resolved, whatever the configuration says of the name
    let receiver = Receiver::start(&["200 OK"]);
    let server = Server::start(|folder| {
        let acme = organization("acme", &folder_source(&site(folder)));
        let (before, projects) = acme.split_at_checked(acme.find("[[projects]]").unwrap()).unwrap();
        let webhook = format!(
            "[[organizations.webhooks]]\nid = \"ci\"\nurl = \"https://localhost:{}/hook?token=hidden\"\nsecret = \"{SECRET}\"\n\n",
            receiver.port
        );
        format!("{before}{webhook}{projects}")
    });
    server.export("acme");
    let failed = wait("the first try", || {
        let list = get(&server, "/v1/webhooks/ci/deliveries").is(200).json();
        Some(list["deliveries"][0].clone()).filter(|one| one["lastAttempt"]["error"].is_string())
    });
    assert!(failed["lastAttempt"]["error"].as_str().unwrap().starts_with("`localhost` is "), "{failed}");
    assert_eq!((failed["status"].as_str(), receiver.messages().len()), (Some("waiting"), 0));
}
