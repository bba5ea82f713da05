//! What the program returns, and where it prints.

use std::fs;
use std::process::Output;

use tempfile::TempDir;

use crate::site::{SiteTest, fixture, offprint};

fn run(args: &[&str]) -> Output {
    offprint().args(args).output().expect("the program starts")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
fn help_and_version() {
    let help = run(&["export", "--help"]);
    assert_eq!(code(&help), Some(0));
    let text = String::from_utf8(help.stdout).expect("UTF-8");
    for flag in ["--format", "--domain", "--version", "--paths", "--jobs", "--strict", "--progress", "--report", "--include-js", "--no-highlight"] {
        assert!(text.contains(flag), "{flag} is not in --help");
        let documented = fs::read_to_string(fixture("docs/export/command.mdx")).expect("the page about the command");
        assert!(documented.contains(&format!("`{flag}")), "{flag} is not documented");
    }
    assert_eq!(code(&run(&["--version"])), Some(0));
}

#[test]
fn a_wrong_command_line() {
    for args in [
        &["frobnicate"][..],
        &["export"],
        &["export", ".", "--no-such-flag"],
        &["export", ".", "--jobs", "none"],
        &["export", ".", "--format", "tar"],
        &["export", ".", "--domain", "https://x.org/"],
    ] {
        let output = run(args);
        assert_eq!(code(&output), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn a_source_that_does_not_exist() {
    let work = TempDir::new().expect("a temporary folder");
    let out = work.path().join("site.zip");
    let output = run(&["export", "/no/such/folder", "-o", &out.to_string_lossy()]);
    assert_ne!(code(&output), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such/folder"));
    assert!(!out.exists());
}

#[test]
fn a_folder_of_somebody_else_is_not_touched() {
    let work = TempDir::new().expect("a temporary folder");
    fs::write(work.path().join("letter.txt"), "dear").expect("a file");
    let output = run(&["export", &fixture("plain").to_string_lossy(), "-o", &work.path().to_string_lossy(), "--format", "dir"]);
    assert_ne!(code(&output), Some(0));
    assert_eq!(fs::read_dir(work.path()).expect("a folder").count(), 1);
}

#[test]
fn an_earlier_export_is_replaced() {
    let work = TempDir::new().expect("a temporary folder");
    let out = work.path().join("site");
    for name in ["plain", "mint"] {
        let output = run(&["export", &fixture(name).to_string_lossy(), "-o", &out.to_string_lossy(), "--format", "dir"]);
        assert_eq!(code(&output), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(out.join("introduction.html").exists() && !out.join("guide").exists());
}

#[test]
fn strict_tells_of_errors_in_the_content() {
    let work = TempDir::new().expect("a temporary folder");
    let out = work.path().join("site.zip");
    let source = fixture("hostile");
    for (args, expected) in [(&[][..], 0), (&["--strict"], 1)] {
        let output = offprint().arg("export").arg(&source).arg("-o").arg(&out).args(args).output().expect("the program starts");
        assert_eq!(code(&output), Some(expected), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        fs::remove_file(&out).expect("the archive is complete all the same");
    }
}

#[test]
fn the_documentation_is_clean() {
    SiteTest::fixture("docs").arg("--strict").run();
}

#[test]
fn programs_read_standard_output_and_people_standard_error() {
    let work = TempDir::new().expect("a temporary folder");
    let out = work.path().join("site.zip").to_string_lossy().into_owned();
    let source = fixture("plain").to_string_lossy().into_owned();
    let json = run(&["export", &source, "-o", &out, "--progress", "json"]);
    let lines = String::from_utf8(json.stdout).expect("UTF-8");
    let events: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect("one JSON object on each line")).collect();
    let last = events.last().expect("an event");
    assert_eq!((&last["event"], &last["exitCode"]), (&"done".into(), &0.into()), "{lines}");
    assert!(events.iter().any(|event| event["event"] == "stage"), "{lines}");
    assert!(events.iter().any(|event| event["event"] == "diagnostic" && event["line"].as_u64() > Some(0)), "{lines}");
    for how in ["plain", "auto", "none"] {
        let plain = run(&["export", &source, "-o", &out, "--progress", how]);
        assert!(plain.stdout.is_empty(), "{how}: {}", String::from_utf8_lossy(&plain.stdout));
        assert!(!plain.stderr.contains(&0x1b), "no colours when nobody looks");
    }
}

#[test]
fn a_failure_is_an_event_too() {
    let output = run(&["export", "/no/such/folder", "--progress", "json"]);
    let event: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((&event["event"], &event["exitCode"]), (&"failed".into(), &2.into()));
}

#[test]
fn a_file_is_no_source_unless_it_is_the_configuration() {
    let work = TempDir::new().expect("a temporary folder");
    let at = |name: &str| work.path().join(name).to_string_lossy().into_owned();
    for (name, text) in [("index.md", "# Start\n"), ("secret.md", "# Secret\n"), ("x.txt", "x"), ("acme.zip", "PK"), ("docs.json", r##"{"theme": "mint", "name": "N", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index"]}}"##)] {
        fs::write(work.path().join(name), text).expect("a file");
    }
    for (name, hint) in [("x.txt", "no source"), ("index.md", "no source"), ("acme.zip", "`archive_url`")] {
        for args in [&["export", &at(name), "-o", &at("site.zip")][..], &["dev", &at(name), "--port", "0"]] {
            let output = run(args);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(code(&output) == Some(2) && said.contains(hint), "{args:?}: {said}");
        }
        assert!(!work.path().join("site.zip").exists());
    }
    assert_eq!(code(&run(&["check", &at("x.txt")])), Some(2));
    fs::write(work.path().join("other.json"), "{}").expect("a file");
    assert_eq!(code(&run(&["check", &at("other.json")])), Some(2));
    assert_eq!(code(&run(&["check", &at("docs.json")])), Some(0));
    let output = offprint().current_dir(work.path()).args(["export", "docs.json", "-o", "site.zip"]).output().expect("an end");
    assert_eq!(code(&output), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
