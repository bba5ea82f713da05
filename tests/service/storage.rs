//! Bundles in an object store: a real server of the S3 protocol runs beside the service, and signs the links.

use crate::service::bucket::Bucket;
use crate::service::client::{Client, ask};
use crate::service::server::{Server, folder_source, key, organization, site, split};

#[test]
fn e_lnk_bundles_in_an_object_store() {
    let root = tempfile::tempdir().unwrap();
    let store = Bucket::start(root.path());
    let (port, endpoint, variables) = (store.port, store.endpoint(), store.variables());
    let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let server = Server::start_with(
        |folder| {
            let docs = site(folder);
            format!("[storage]\nurl = \"s3://bundles/of/us\"\n\n{}", organization("acme", &folder_source(&docs)))
        },
        "info",
        &variables,
    );
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
