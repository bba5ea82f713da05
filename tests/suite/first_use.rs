//! The first minutes: a new site, a command without arguments, a folder without documentation.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::suite::site::offprint;

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = offprint().current_dir(folder).args(args).output().expect("the program starts");
    (status.code(), String::from_utf8_lossy(&stderr).into_owned())
}

fn work() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

#[test]
fn a_new_site_is_exported_without_a_diagnostic() {
    let work = work();
    let (code, stderr) = run(work.path(), &["init", "my-product"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stderr.contains("offprint dev my-product --open") && stderr.contains("offprint export my-product"),
        "{stderr}"
    );
    let config = fs::read_to_string(work.path().join("my-product/docs.json")).expect("a configuration");
    assert!(config.contains("\"name\": \"My product\""), "{config}");
    // editors find the schema without a network
    let config: serde_json::Value = serde_json::from_str(&config).expect("JSON");
    let schema = work.path().join("my-product").join(config["$schema"].as_str().expect("a path"));
    let schema = fs::read_to_string(schema).expect("the schema");
    let printed = offprint().args(["schema", "docs.json"]).output().expect("the program starts");
    assert_eq!(schema, String::from_utf8_lossy(&printed.stdout));
    let (code, stderr) = run(work.path(), &["export", "my-product", "--strict"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stderr.contains("Exported 2 pages to my-product.zip")
            && !stderr.contains("warning")
            && !stderr.contains("error"),
        "{stderr}"
    );
    let (code, stderr) = run(work.path(), &["check", "my-product", "--strict"]);
    assert_eq!(code, Some(0), "{stderr}");
}

#[test]
fn a_new_site_overwrites_nothing() {
    for present in ["docs.json", "mint.json", "index.mdx", "index.md", "writing.mdx"] {
        let work = work();
        fs::write(work.path().join(present), "mine").expect("a file");
        let (code, stderr) = run(work.path(), &["init"]);
        assert_eq!(code, Some(2), "{present}: {stderr}");
        assert!(stderr.contains(present), "{stderr}");
        let left: Vec<_> =
            fs::read_dir(work.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left, [present], "{stderr}");
        assert_eq!(fs::read_to_string(work.path().join(present)).expect("the file"), "mine");
    }
    // files that have nothing to do with it stay where they are
    let work = work();
    fs::write(work.path().join("LICENSE"), "mine").expect("a file");
    assert_eq!(run(work.path(), &["init", "."]).0, Some(0));
    assert_eq!(fs::read_dir(work.path()).expect("a folder").count(), 5);
}

#[test]
fn the_source_is_this_folder_by_default() {
    let work = work();
    run(work.path(), &["init", "docs"]);
    let docs = work.path().join("docs");
    for round in 0..2 {
        let (code, stderr) = run(&docs, &["export"]);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(
            stderr.contains("Exported 2 pages to docs.zip") && stderr.contains("self-contained: yes"),
            "{round}: {stderr}"
        );
    }
    let first = fs::read(docs.join("docs.zip")).expect("the bundle");
    run(&docs, &["export"]);
    assert!(
        fs::read(docs.join("docs.zip")).expect("the bundle") == first,
        "an earlier bundle in the source is no part of the next one"
    );
    assert_eq!(run(&docs, &["check"]).0, Some(0));
}

#[test]
fn a_folder_without_documentation_says_what_was_looked_for() {
    let work = work();
    for folder in ["empty", "site/images", "code/packages/manual"] {
        fs::create_dir_all(work.path().join(folder)).expect("a folder");
    }
    run(work.path(), &["init", "site"]);
    let (code, stderr) = run(&work.path().join("empty"), &["export"]);
    assert_eq!(code, Some(2), "{stderr}");
    for words in ["docs.json", "mint.json", ".mdx", "offprint init DIR"] {
        assert!(stderr.contains(words), "{words}: {stderr}");
    }
    let (code, stderr) = run(&work.path().join("site/images"), &["export"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("offprint export ..\n"), "{stderr}");
    fs::write(work.path().join("code/packages/manual/docs.json"), "{}").expect("a file");
    let (code, stderr) = run(&work.path().join("code"), &["export"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("offprint export packages/manual\n"), "{stderr}");
}

#[test]
fn the_documentation_of_a_repository_is_found_from_its_root() {
    let work = work();
    run(work.path(), &["init", "docs"]);
    fs::write(work.path().join("README.md"), "# The program\n").expect("a file");
    let (code, stderr) = run(work.path(), &["export"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(
        stderr.contains("Using `docs`, where docs.json is") && stderr.contains("Exported 2 pages to docs.zip"),
        "{stderr}"
    );
    assert!(!stderr.contains("a second"), "a rate of two pages says nothing: {stderr}");
    assert_eq!(run(work.path(), &["check", "--strict"]).0, Some(0));
    // of two, none is meant
    run(work.path(), &["init", "website"]);
    let (_, stderr) = run(work.path(), &["export"]);
    assert!(!stderr.contains("Using"), "{stderr}");
    // a folder that is named is that folder
    let (_, stderr) = run(&work.path().join("docs"), &["export", "../docs"]);
    assert!(stderr.contains("Exported 2 pages"), "{stderr}");
}

#[test]
fn only_folders_are_opened() {
    let work = work();
    run(work.path(), &["init", "docs"]);
    let (code, stderr) = run(work.path(), &["export", "docs", "--open"]);
    assert!(code == Some(2) && stderr.contains("`-o site/`"), "{stderr}");
    assert!(!work.path().join("docs.zip").exists());
}
