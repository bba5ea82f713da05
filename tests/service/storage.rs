//! Bundles in an object store: a real server of the S3 protocol runs beside the service, and signs the links.

use std::fs;
use std::path::{Path, PathBuf};

use crate::service::bucket::{Bucket, Fault};
use crate::service::client::{Client, ask};
use crate::service::server::{Server, folder_source, key, organization, site, split, wait};

/// A server whose bundles are in a bucket.
fn server_on(store: &Bucket) -> Server {
    let variables = store.variables();
    let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Server::start_with(
        |folder| {
            let docs = site(folder);
            format!("[storage]\nurl = \"s3://bundles/of/us\"\n\n{}", organization("acme", &folder_source(&docs)))
        },
        "info",
        &variables,
    )
}

#[test]
fn e_lnk_bundles_in_an_object_store() {
    let root = tempfile::tempdir().unwrap();
    let store = Bucket::start(root.path());
    let (port, endpoint) = (store.port, store.endpoint());
    let server = server_on(&store);
    let job = server.export("acme");
    assert_eq!(job["status"], "completed", "{job}");
    let body = server
        .send(
            &ask("POST", format!("/v1/static-export/jobs/{}/bundle", job["jobId"].as_str().unwrap())).key(&key("acme")),
        )
        .is(200)
        .json();
    // E-LNK-1 and E-LNK-3 hold for the store's links, too
    let link = body["bundleUrl"].as_str().unwrap();
    assert!(
        link.starts_with(&endpoint)
            && link.len() <= 1024
            && link.chars().all(|c| c.is_ascii_alphanumeric() || "._~:/?&=%-".contains(c)),
        "{link}"
    );
    let (host, target) = split(link);
    let mut client = Client::new(port);
    let archive = client.send(&ask("GET", target.as_str()).header("Host", host.as_str()));
    assert_eq!(archive.is(200).body.len() as u64, body["sizeBytes"].as_u64().unwrap());
    // E-LNK-6
    let part = client.send(&ask("GET", target.as_str()).header("Host", host.as_str()).header("Range", "bytes=5-9"));
    assert_eq!(part.is(206).body, archive.body[5..10]);
    // what was changed is refused
    for changed in [
        target.replace("X-Amz-Expires=3600", "X-Amz-Expires=36000"),
        target.split("&X-Amz-Signature").next().unwrap().to_owned(),
    ] {
        assert_eq!(client.send(&ask("GET", changed).header("Host", host.as_str())).status, 403);
    }
    // sites are served from copies of what the store keeps
    let id = server.send(&ask("POST", "/v1/project/update/acme-docs").key(&key("acme"))).is(202).string("statusId");
    assert_eq!(server.deployed("acme", &id)["status"], "success");
    assert!(server.send(&ask("GET", "/").header("Host", "acme.example")).is(200).text().contains("Home"));
    // neither the credentials of the store nor its signatures are told
    let log = server.log();
    assert!(!log.contains("a-secret") && !log.contains("X-Amz-Signature"));
}

/// Deploys a project's site, which nobody has requested yet.
fn deploy(server: &Server) {
    let id = server.send(&ask("POST", "/v1/project/update/acme-docs").key(&key("acme"))).is(202).string("statusId");
    assert_eq!(server.deployed("acme", &id)["status"], "success");
}

/// The only archive below a folder.
fn archive_below(folder: &Path) -> PathBuf {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if fs::read(&path).is_ok_and(|bytes| bytes.starts_with(b"PK")) {
                return path;
            }
        }
    }
    panic!("no archive below {}", folder.display());
}

/// Programs are told why a site cannot be served, people see a page, operators a metric and a line in the log; the
/// service stays ready.
fn is_unserved(server: &Server, cause: &str, says: &str) {
    let site = |accept: &str| server.send(&ask("GET", "/").header("Host", "acme.example").header("Accept", accept));
    let told = site("*/*");
    let body = told.refuses(503, "unavailable").json();
    assert!(body["error"].as_str().unwrap().contains(says), "{cause}: {body}");
    let page = site("text/html,*/*;q=0.8");
    assert!(page.is(503).text().contains("<h1>This site cannot be shown right now</h1>"), "{}", page.text());
    for answer in [&told, &page] {
        assert!(answer.header("retry-after").is_some(), "{answer:?}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
    assert_eq!(page.header("x-error-code"), told.header("x-error-code"));
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    let metrics = server.send(&ask("GET", "/metrics"));
    let counter = format!("offprint_site_errors_total{{cause=\"{cause}\"}}");
    assert!(metrics.text().contains(&counter), "{}", metrics.text());
    let log = server.log();
    let is_told = |line: &str| line.contains("a site cannot be served") && line.contains(cause);
    assert!(log.lines().any(is_told), "{log}");
}

/// Whoever forgets the address of the database, or has lost the folder with the records, still has the bundles.
#[test]
fn new_records_remove_no_bundle_that_they_find() {
    let root = tempfile::tempdir().unwrap();
    let store = Bucket::start(root.path());
    let variables = store.variables();
    let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let start = |version: &str| {
        let configure = |folder: &Path| {
            let docs = site(folder);
            fs::write(docs.join("index.mdx"), format!("# {version}\n")).unwrap();
            let organization = organization("acme", &folder_source(&docs));
            format!("[server]\ndata_dir = \"data\"\n\n[storage]\nurl = \"s3://bundles/of/us\"\n\n{organization}")
        };
        Server::start_with(configure, "info", &variables)
    };
    let said = "the storage has bundles that these records have not put there";
    let first = start("First");
    assert_eq!(first.export("acme")["status"], "completed");
    assert!(!first.log().contains(said), "{}", first.log());
    drop(first);
    let kept = archive_below(root.path());
    let mut second = start("Second");
    wait("what is found to be told", || second.log().contains(said).then_some(()));
    // what they put there themselves changes nothing, also when they are new no more
    let job = second.export("acme");
    assert_eq!(job["status"], "completed");
    second.signal("KILL");
    wait("the end", || (!second.is_running()).then_some(()));
    second.start_again();
    wait("it to be told again", || (second.log().matches(said).count() == 2).then_some(()));
    assert!(kept.is_file(), "{}", second.log());
    let link = ask("POST", format!("/v1/static-export/jobs/{}/bundle", job["jobId"].as_str().unwrap()));
    second.send(&link.key(&key("acme"))).is(200);
}

#[test]
fn what_is_wrong_with_the_settings_of_a_bucket_is_said() {
    let root = tempfile::tempdir().unwrap();
    let store = Bucket::start(root.path());
    for (bucket, name, value, says) in [
        ("bundles", "AWS_SECRET_ACCESS_KEY", "another", "the credentials are not accepted (403 SignatureDoesNotMatch)"),
        ("bundles", "AWS_ENDPOINT", "http://127.0.0.1:1", "there is no connection to its server"),
        ("another", "AWS_REGION", "us-east-1", "there is no such bucket (404 NoSuchBucket)"),
    ] {
        let mut variables = store.variables();
        variables.retain(|(other, _)| *other != name);
        variables.push((name, value.to_owned()));
        let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let server = Server::start_with(|_| format!("[storage]\nurl = \"s3://{bucket}\"\n"), "info", &variables);
        let refused = server.send(&ask("GET", "/readyz"));
        assert!(refused.refuses(503, "unavailable").text().contains(says), "{}", refused.text());
        assert!(server.log().contains(says), "{}", server.log());
        assert!(!server.log().contains("a-secret"), "{}", server.log());
    }
}

#[test]
fn a_site_whose_bundle_is_missing_or_damaged_says_so() {
    let server = Server::start(|folder| {
        let docs = site(folder);
        format!("[server]\ndata_dir = \"data\"\n\n{}", organization("acme", &folder_source(&docs)))
    });
    deploy(&server);
    let place = archive_below(&server.folder.path().join("data/bundles"));
    let whole = fs::read(&place).unwrap();
    let link = {
        let job = server.export("acme")["jobId"].as_str().unwrap().to_owned();
        let link = server.send(&ask("POST", format!("/v1/static-export/jobs/{job}/bundle")).key(&key("acme")));
        link.is(200).string("bundleUrl")
    };
    let longer = [&whole[..], b"and more"].concat();
    let other = vec![b'x'; whole.len()];
    let truncated = &whole[..whole.len() / 2];
    for bytes in [truncated, &[][..], b"<html>", &longer, &other] {
        fs::write(&place, bytes).unwrap();
        is_unserved(&server, "damaged", "damaged");
        server.send(&ask("GET", "/readyz")).is(200);
        if bytes.len() != whole.len() {
            server.get_link(&link, &[]).refuses(503, "unavailable");
        }
    }
    fs::remove_file(&place).unwrap();
    is_unserved(&server, "missing", "missing");
    server.get_link(&link, &[]).refuses(410, "bundle_gone");
    server.send(&ask("GET", "/readyz")).is(200);
    // whoever restores it has to do nothing else
    fs::write(&place, &whole).unwrap();
    assert!(server.send(&ask("GET", "/").header("Host", "acme.example")).is(200).text().contains("Home"));
    server.get_link(&link, &[]).is(200);
}

#[test]
fn a_site_whose_bundle_a_bucket_does_not_return_says_so() {
    let root = tempfile::tempdir().unwrap();
    let store = Bucket::start(root.path());
    let server = server_on(&store);
    deploy(&server);
    for fault in [Fault::Refuses, Fault::Fails, Fault::Forbids] {
        store.set(fault);
        is_unserved(&server, "storage", "does not answer");
    }
    store.set(Fault::None);
    let place = archive_below(root.path());
    let whole = fs::read(&place).unwrap();
    for bytes in [&whole[..100], &[], b"<html>"] {
        fs::write(&place, bytes).unwrap();
        is_unserved(&server, "damaged", "damaged");
    }
    fs::remove_file(&place).unwrap();
    is_unserved(&server, "missing", "missing");
    fs::write(&place, &whole).unwrap();
    assert!(server.send(&ask("GET", "/").header("Host", "acme.example")).is(200).text().contains("Home"));
}
