//! Features of deployments (S-FEA): what the configuration or a request says is in the manifest and in the pages.

use std::io::{Cursor, Read as _};

use serde_json::{Value, json};

use crate::service::client::{Answer, ask};
use crate::service::server::{Server, hash, key, site};

const JOBS: &str = "/v1/static-export/jobs";

fn server() -> Server {
    Server::start(|folder| {
        let docs = site(folder);
        // a bundle has the features that its site has a use for
        let config = r##"{"theme": "mint", "name": "Test", "colors": {"primary": "#123456"}, "integrations": {"plausible": {"domain": "docs.acme.example"}}, "navigation": {"pages": ["index", "api"]}}"##;
        let api = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://api.acme.example"}], "paths": {"/pets": {"get": {"summary": "Pets", "responses": {}}}}}"#;
        for (path, text) in [
            ("docs.json", config),
            ("api.json", api),
            ("api.mdx", "---\ntitle: Pets\nopenapi: api.json GET /pets\n---\n"),
        ] {
            std::fs::write(docs.join(path), text).unwrap();
        }
        let mut text = format!(
            "[[organizations]]\nid = \"acme\"\nplan = {{ static_export = true }}\nsearch_endpoint = \"https://search.acme.example/\"\n\n[[organizations.keys]]\nid = \"main\"\nhash = \"{}\"\n\n",
            hash(&key("acme"))
        );
        for (name, more) in [
            ("cloud", "deployment = \"cloud\"\nassistant_endpoint = \"https://assistant.acme.example/\""),
            ("hosted", "deployment = \"client-hosted\"\nfeatures = { search = true, analytics = true }"),
            ("sealed", "deployment = \"air-gapped\"\nfeatures = { playground = true, offline_search = false }"),
        ] {
            text += &format!(
                "[[projects]]\nid = \"{name}\"\norganization = \"acme\"\ndomain = \"{name}.example\"\nsource = {{ path = {:?} }}\n{more}\n\n",
                docs.to_str().unwrap()
            );
        }
        text
    })
}

fn start(server: &Server, name: &str, features: &Value) -> Answer {
    let mut body = json!({ "domain": format!("{name}.example") });
    if !features.is_null() {
        body["features"] = features.clone();
    }
    server.send(&ask("POST", JOBS).key(&key("acme")).json(body))
}

/// The features of a bundle's manifest that are on, and its first page.
fn built(server: &Server, name: &str, features: Value) -> (String, String) {
    let id = start(server, name, &features).is(202).string("jobId");
    assert_eq!(server.finished("acme", &id)["status"], "completed");
    let link = server.send(&ask("POST", format!("{JOBS}/{id}/bundle")).key(&key("acme"))).is(200).string("bundleUrl");
    let mut zip = zip::ZipArchive::new(Cursor::new(server.get_link(&link, &[]).body)).unwrap();
    let mut read = |path: &str| {
        let mut text = String::new();
        zip.by_name(path).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let manifest: Value = serde_json::from_str(&read("_offprint/manifest.json")).unwrap();
    let on = manifest["features"].as_object().unwrap().iter().filter(|(_, on)| **on == json!(true));
    (on.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" "), read("index.html"))
}

#[test]
fn s_fea_what_is_configured_is_in_the_bundle() {
    let server = server();
    let (on, page) = built(&server, "cloud", Value::Null);
    assert_eq!(on, "search assistant analytics playground offlineSearch");
    assert!(page.contains("https://search.acme.example/") && page.contains("https://assistant.acme.example/"));
    let (on, page) = built(&server, "hosted", Value::Null);
    assert_eq!(on, "search analytics playground offlineSearch");
    assert!(page.contains("https://search.acme.example/") && !page.contains("assistant.acme.example"));
    let (on, page) = built(&server, "sealed", Value::Null);
    assert_eq!(on, "playground");
    assert!(!page.contains("search.acme.example") && !page.contains("plausible"));
}

#[test]
fn s_fea_a_request_may_switch_what_is_configurable() {
    let server = server();
    let (on, page) = built(&server, "hosted", json!({"search": false, "offlineSearch": false, "unknown": 1}));
    assert_eq!(on, "analytics playground");
    assert!(!page.contains("search.acme.example"));
    for (name, features, message) in [
        (
            "sealed",
            json!({"search": true}),
            "features: search is not available to air-gapped deployments, only to `cloud` and `client-hosted`",
        ),
        ("cloud", json!({"analytics": false}), "features: analytics is part of every cloud deployment"),
        ("hosted", json!({"assistant": true}), "features: assistant needs an endpoint, the address of its service"),
        ("hosted", json!({"search": "on"}), "features.search must be true or false"),
        ("hosted", json!(["search"]), "features must be an object"),
    ] {
        let answer = start(&server, name, &features);
        assert_eq!(answer.refuses(400, "invalid_request").string("error"), message);
    }
}
