//! Ctrl-C leaves nothing behind.

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::suite::site::offprint;

/// A site that takes some seconds: many pages of much code, each different.
fn large_site(pages: usize) -> TempDir {
    let folder = TempDir::with_prefix("offprint-large-").expect("a temporary folder");
    for page in 0..pages {
        let code: String = (0..120)
            .map(|line| format!("const value_{page}_{line} = await load(\"{page}\", {line}); // {}\n", page * line))
            .collect();
        fs::write(folder.path().join(format!("page-{page}.md")), format!("# Page {page}\n\n```js\n{code}```\n"))
            .expect("a page");
    }
    folder
}

#[cfg(unix)]
#[track_caller]
fn check(format: &str, signal: &str) {
    let source = large_site(1500);
    let work = TempDir::with_prefix("offprint-interrupt-").expect("a temporary folder");
    let out = work.path().join("out");
    let mut child = offprint()
        .arg("export")
        .arg(source.path())
        .arg("-o")
        .arg(&out)
        .args(["--format", format, "--progress", "none", "--jobs", "1"])
        .spawn()
        .expect("the program starts");
    // wait until it has begun to write, so that there is something to leave behind
    let start = Instant::now();
    while fs::read_dir(work.path()).expect("a folder").next().is_none() && start.elapsed() < Duration::from_secs(20) {
        sleep(Duration::from_millis(10));
    }
    sleep(Duration::from_millis(50));
    assert!(child.try_wait().expect("a state").is_none(), "the export is too quick to be interrupted");
    let since = Instant::now();
    Command::new("kill").arg(signal).arg(child.id().to_string()).status().expect("kill");
    let status = child.wait().expect("an end");
    assert!(since.elapsed() < Duration::from_secs(20), "it took {:?} to stop", since.elapsed());
    assert!(!status.success());
    let left: Vec<_> =
        fs::read_dir(work.path()).expect("a folder").filter_map(Result::ok).map(|entry| entry.file_name()).collect();
    assert!(left.is_empty(), "left behind: {left:?}");
}

#[cfg(unix)]
#[test]
fn an_archive() {
    check("zip", "-INT");
}

#[cfg(unix)]
#[test]
fn a_folder() {
    check("dir", "-INT");
}

#[cfg(unix)]
#[test]
fn termination() {
    check("zip", "-TERM");
}
