//! Bundles in an object store: a real server of the S3 protocol runs beside the service, and signs the links.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;

use crate::service::client::{Client, ask};
use crate::service::server::{Server, folder_source, key, organization, site, split};

/// Starts a store; it ends with the process of the tests.
fn store(root: &Path) -> u16 {
    failing_store(root, Arc::default())
}

/// The same of a store that answers nothing while it is told so.
pub(crate) fn failing_store(root: &Path, fails: Arc<AtomicBool>) -> u16 {
    std::fs::create_dir_all(root.join("bundles")).unwrap();
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(root).unwrap());
    service.set_auth(SimpleAuth::from_single("an-id", "a-secret"));
    let service = service.build();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            sender.send(listener.local_addr().unwrap().port()).unwrap();
            while let Ok((stream, _)) = listener.accept().await {
                let (service, fails) = (service.clone(), Arc::clone(&fails));
                let answer = hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
                    let (service, fails) = (service.clone(), fails.load(Ordering::Relaxed));
                    async move {
                        // an error closes the connection
                        if fails {
                            Err("out of order".into())
                        } else {
                            hyper::service::Service::call(&service, request)
                                .await
                                .map_err(Box::<dyn Error + Send + Sync>::from)
                        }
                    }
                });
                tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
            }
        });
    });
    receiver.recv().unwrap()
}

#[test]
fn e_lnk_bundles_in_an_object_store() {
    let root = tempfile::tempdir().unwrap();
    let port = store(root.path());
    let endpoint = format!("http://127.0.0.1:{port}");
    let variables = [
        ("AWS_ENDPOINT", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "an-id"),
        ("AWS_SECRET_ACCESS_KEY", "a-secret"),
    ];
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
