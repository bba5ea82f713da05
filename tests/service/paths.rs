//! Failures as clients read them: they name files of the source, and nothing of the machine that the service runs on.

use std::fs;

use serde_json::{Value, json};

use crate::service::client::ask;
use crate::service::server::{Server, folder_source, git_source, key, organization, repository, site};

/// A service whose projects all fail, each in its own way.
fn start() -> Server {
    Server::start(|folder| {
        let (bad, empty, bent) = (site(&folder.join("bad")), folder.join("empty"), repository(&folder.join("bent")));
        fs::write(bad.join("docs.json"), "{ no json").unwrap();
        fs::create_dir(&empty).unwrap();
        // a commit whose objects are gone
        let objects = fs::read_dir(bent.join(".git/objects")).unwrap().map(|entry| entry.unwrap().path());
        objects.filter(|path| path.file_name().unwrap().len() == 2).for_each(|path| fs::remove_dir_all(path).unwrap());
        let none = folder.join("nowhere");
        let sources = [
            ("bad", folder_source(&bad)),
            ("empty", folder_source(&empty)),
            ("gone", folder_source(&none)),
            ("no-file", folder_source(&none.join("docs.json"))),
            ("bent", git_source(&bent)),
            ("no-repository", git_source(&none)),
            (
                "no-subdir",
                format!(
                    "{{ git = {:?}, subdir = \"elsewhere\" }}",
                    repository(&folder.join("whole")).to_str().unwrap()
                ),
            ),
        ];
        let projects: String = sources.iter().map(|(name, source)| organization(name, source)).collect();
        format!("[server]\ndata_dir = \"data\"\n\n[git]\nallow_protocols = [\"file\"]\n\n{projects}")
    })
}

#[test]
fn failures_name_no_path_of_the_machine() {
    let server = start();
    let folder = server.folder.path().to_str().unwrap();
    let tells_nothing = |value: &Value| {
        let text = value.to_string();
        assert!(!text.contains(folder) && !text.contains("/tmp") && !text.contains("scratch"), "{text}");
    };
    for (name, words) in [
        ("bad", "docs.json:1:"),
        ("empty", "no pages"),
        ("gone", "the source folder is not there"),
        ("no-file", "the source folder is not there"),
        ("bent", "the repository"),
        ("no-repository", "the repository"),
        ("no-subdir", "`elsewhere` is not in the repository"),
    ] {
        let job = server.export(name);
        assert_eq!(job["status"], "failed", "{name}: {job}");
        assert!(job["error"].as_str().unwrap().contains(words), "{name}: {job}");
        tells_nothing(&job);
    }
    for name in ["bent", "no-repository"] {
        let preview =
            ask("POST", format!("/v1/project/preview/{name}-docs")).key(&key(name)).json(json!({ "branch": "main" }));
        let status = server.deployed(name, &server.send(&preview).is(202).string("statusId"));
        assert_eq!(status["status"], "failure", "{name}: {status}");
        assert!(status["summary"].as_str().unwrap().contains("the repository"), "{status}");
        tells_nothing(&status);
    }
    // the operator learns where it was
    assert!(server.log().contains("nowhere"), "{}", server.log());
}
