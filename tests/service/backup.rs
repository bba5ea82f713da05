//! Backups as the documentation describes them (`service/operation`): what is in one is there again after a restore,
//! under the addresses that it had; what came later is not.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::service::bucket::Bucket;
use crate::service::client::{Ask, ask};
use crate::service::server::{Server, git_source, key, organization, repository, split, wait};
use crate::shared::postgres::Postgres;

const JOBS: &str = "/v1/static-export/jobs";
/// Names that stay while ports change.
const SERVER: &str = "public_url = \"http://api.test\"\npreview_url = \"http://{slug}.preview.test\"\n";

fn configuration(folder: &Path, tables: &str) -> String {
    let source = git_source(&repository(&folder.join("git")));
    format!("[server]\n{SERVER}{tables}\n[git]\nallow_protocols = [\"file\"]\n\n{}", organization("acme", &source))
}

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-a").args([from, to]).status().unwrap().success());
}

/// An export that a client repeats safely.
fn repeatable() -> Ask {
    let body = serde_json::json!({"domain": "acme.example"});
    ask("POST", JOBS).key(&key("acme")).header("Idempotency-Key", "release-1").json(body)
}

/// What clients and readers know of a service.
struct Known {
    /// A finished export, as its status was.
    job: Value,
    /// A link to its bundle, given out before the backup, and the digest of the bundle.
    link: String,
    sha256: String,
    /// The address of a preview.
    preview: String,
}

impl Known {
    fn make(server: &Server) -> Self {
        let id = server.send(&repeatable()).is(202).string("jobId");
        let job = server.finished("acme", &id);
        assert_eq!(job["status"], "completed");
        let bundle = server.send(&ask("POST", format!("{JOBS}/{id}/bundle")).key(&key("acme"))).is(200).json();
        let trigger = ask("POST", "/v1/project/preview/acme-docs").key(&key("acme"));
        let preview = server.send(&trigger.json(serde_json::json!({"branch": "main"}))).is(202).json();
        assert_eq!(server.deployed("acme", preview["statusId"].as_str().unwrap())["status"], "success");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            job,
            link: text(&bundle["bundleUrl"]),
            sha256: text(&bundle["sha256"]),
            preview: text(&preview["previewUrl"]),
        }
    }

    /// A restored service has all of it.
    fn is_served_by(&self, server: &Server, is_bucket: bool) {
        let id = self.job["jobId"].as_str().unwrap();
        let job = server.send(&ask("GET", format!("{JOBS}/{id}")).key(&key("acme"))).is(200).json();
        assert_eq!(job, self.job);
        let page = server.send(&ask("GET", "/guides/start").header("Host", split(&self.preview).0));
        assert!(page.is(200).text().contains("Start"));
        // a repetition of what was requested before the backup starts nothing
        assert_eq!(server.send(&repeatable()).is(202).string("jobId"), id);
        if !is_bucket {
            let archive = server.get_link(&self.link, &[]);
            let digest: String =
                Sha256::digest(&archive.is(200).body).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(digest, self.sha256);
        }
    }
}

fn is_absent(server: &Server, job: &Value) {
    let id = job["jobId"].as_str().unwrap();
    server.send(&ask("GET", format!("{JOBS}/{id}")).key(&key("acme"))).refuses(404, "not_found");
}

fn stop(server: &Server) {
    server.signal("TERM");
    wait("the service to end", || (!server.is_running()).then_some(()));
}

#[test]
fn a_copy_of_the_data_folder_is_a_backup() {
    let mut server = Server::start(|folder| configuration(folder, "data_dir = \"data\"\n"));
    let known = Known::make(&server);
    let (data, backup) = (server.folder.path().join("data"), server.folder.path().join("backup"));
    stop(&server);
    copy(&data, &backup);
    server.start_again();
    let later = server.export("acme");
    stop(&server);
    // the disk is lost
    std::fs::remove_dir_all(&data).unwrap();
    copy(&backup, &data);
    let folder = server.into_folder();
    let restored = Server::resume(folder, "info", &[]);
    known.is_served_by(&restored, false);
    is_absent(&restored, &later);
    assert_eq!(restored.export("acme")["status"], "completed");
}

#[test]
fn bundles_may_be_copied_after_the_records() {
    let mut server = Server::start(|folder| configuration(folder, "data_dir = \"data\"\n"));
    let known = Known::make(&server);
    let (data, backup) = (server.folder.path().join("data"), server.folder.path().join("backup"));
    std::fs::create_dir(&backup).unwrap();
    stop(&server);
    for name in ["store.redb", "signing-key", "preview-key"] {
        copy(&data.join(name), &backup);
    }
    server.start_again();
    let later = server.export("acme");
    copy(&data.join("bundles"), &backup);
    stop(&server);
    std::fs::remove_dir_all(&data).unwrap();
    copy(&backup, &data);
    let folder = server.into_folder();
    let restored = Server::resume(folder, "info", &[]);
    known.is_served_by(&restored, false);
    is_absent(&restored, &later);
}

#[test]
fn a_dump_of_the_database_and_then_a_copy_of_the_bucket_are_a_backup() {
    let (bucket_folder, backup) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let start = |database: &Postgres, bucket: &Bucket| {
        let tables = format!(
            "\n[store]\nurl = \"postgres://us@127.0.0.1:{}/postgres\"\n\n[storage]\nurl = \"s3://bundles/of/us\"\n",
            database.port
        );
        let variables = bucket.variables();
        let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Server::start_with(|folder| configuration(folder, &tables), "info", &variables)
    };
    let (dump, copied) = (backup.path().join("offprint.dump"), backup.path().join("bucket"));
    let (known, later) = {
        let (database, bucket) = (Postgres::start(&["fsync=off"]), Bucket::start(bucket_folder.path()));
        let server = start(&database, &bucket);
        let known = Known::make(&server);
        // nothing is stopped for it
        database.dump(&dump);
        copy(bucket_folder.path(), &copied);
        (known, server.export("acme"))
    };
    drop(bucket_folder);
    let (database, bucket) = (Postgres::start(&["fsync=off"]), Bucket::start(&copied));
    database.restore(&dump);
    let server = start(&database, &bucket);
    known.is_served_by(&server, true);
    is_absent(&server, &later);
    assert_eq!(server.export("acme")["status"], "completed");
}
