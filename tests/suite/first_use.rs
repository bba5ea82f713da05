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
    let (code, told) = run(work.path(), &["init", "my-product"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("offprint dev my-product --open") && told.contains("offprint export my-product"), "{told}");
    let config = fs::read_to_string(work.path().join("my-product/docs.json")).expect("a configuration");
    assert!(config.contains("\"name\": \"My product\""), "{config}");
    let (code, told) = run(work.path(), &["export", "my-product", "--strict"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains("Exported 2 pages to my-product.zip") && !told.contains("warning") && !told.contains("error"),
        "{told}"
    );
    let (code, told) = run(work.path(), &["check", "my-product", "--strict"]);
    assert_eq!(code, Some(0), "{told}");
}

#[test]
fn a_new_site_overwrites_nothing() {
    for present in ["docs.json", "mint.json", "index.mdx", "index.md", "writing.mdx"] {
        let work = work();
        fs::write(work.path().join(present), "mine").expect("a file");
        let (code, told) = run(work.path(), &["init"]);
        assert_eq!(code, Some(2), "{present}: {told}");
        assert!(told.contains(present), "{told}");
        let left: Vec<_> =
            fs::read_dir(work.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left, [present], "{told}");
        assert_eq!(fs::read_to_string(work.path().join(present)).expect("the file"), "mine");
    }
    // files that have nothing to do with it stay where they are
    let work = work();
    fs::write(work.path().join("LICENSE"), "mine").expect("a file");
    assert_eq!(run(work.path(), &["init", "."]).0, Some(0));
    assert_eq!(fs::read_dir(work.path()).expect("a folder").count(), 4);
}

#[test]
fn the_source_is_this_folder_by_default() {
    let work = work();
    run(work.path(), &["init", "docs"]);
    let docs = work.path().join("docs");
    for round in 0..2 {
        let (code, told) = run(&docs, &["export"]);
        assert_eq!(code, Some(0), "{told}");
        assert!(
            told.contains("Exported 2 pages to docs.zip") && told.contains("self-contained: yes"),
            "{round}: {told}"
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
    for folder in ["empty", "site/images", "code/packages/docs"] {
        fs::create_dir_all(work.path().join(folder)).expect("a folder");
    }
    run(work.path(), &["init", "site"]);
    let (code, told) = run(&work.path().join("empty"), &["export"]);
    assert_eq!(code, Some(2), "{told}");
    for words in ["docs.json", "mint.json", ".mdx", "offprint init DIR"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let (code, told) = run(&work.path().join("site/images"), &["export"]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("offprint export ..\n"), "{told}");
    fs::write(work.path().join("code/packages/docs/docs.json"), "{}").expect("a file");
    let (code, told) = run(&work.path().join("code"), &["export"]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("offprint export packages/docs\n"), "{told}");
}
