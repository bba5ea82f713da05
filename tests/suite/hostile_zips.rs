//! Archives that are made to harm whoever opens them: each is refused for its own reason by every command that reads
//! bundles, within a moment, with little memory, and nothing is written.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::shared::zips::{
    File, all, bundle, deflated, field, named, noise, overlapping, quoting, stored, with_end_64, zeros, zip,
};
use crate::suite::site::offprint;

/// Runs a command in a folder; gives its exit code, standard output and elapsed time.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, Duration) {
    let start = Instant::now();
    let output = offprint().current_dir(folder).args(arguments).output().expect("the program starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), start.elapsed())
}

/// Checks one archive: its reason, and that no command writes anything. Returns what is wrong.
fn check(name: &str, bytes: &[u8], expect: &str) -> Vec<String> {
    let folder = TempDir::with_prefix("offprint-hostile-").expect("a temporary folder");
    fs::write(folder.path().join("x.zip"), bytes).expect("an archive");
    let mut wrong = Vec::new();
    let (code, output, time) = run(folder.path(), &["verify", "x.zip", "--format", "json"]);
    let answer: Value = serde_json::from_str(&output).unwrap_or_default();
    let found = answer["problems"][0]["code"].as_str().unwrap_or_default();
    if code != Some(1) || found != expect || answer["intact"] != false {
        wrong.push(format!("{name}: {code:?} {found} instead of {expect}"));
    }
    if time > Duration::from_millis(900) {
        wrong.push(format!("{name}: {time:?}"));
    }
    for arguments in
        [&["verify", "x.zip"][..], &["apply", "x.zip", "x.zip", "-o", "y.zip"], &["diff", "x.zip", "x.zip"]]
    {
        let (code, ..) = run(folder.path(), arguments);
        let is_content = arguments[0] == "diff" && matches!(expect, "length" | "deflate" | "checksum" | "digest");
        if !matches!(code, Some(1 | 2)) && !is_content {
            wrong.push(format!("{name}: {arguments:?} gives {code:?}"));
        }
    }
    if fs::read_dir(folder.path()).expect("a folder").count() != 1 {
        wrong.push(format!("{name}: something was written"));
    }
    wrong
}

#[test]
fn every_one_is_refused_and_nothing_written() {
    let all = all();
    assert!(all.len() >= 60, "{} archives", all.len());
    let wrong: Vec<String> = all.iter().flat_map(|(name, bytes, expect)| check(name, bytes, expect)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_they_are_made_of_is_fine_otherwise() {
    let text = b"<p>content</p>".repeat(50);
    let folder = TempDir::new().expect("a temporary folder");
    for file in [deflated("a.html", &text), stored("ü/a.html", &text), File { attributes: 0, ..stored("b", &text) }] {
        fs::write(folder.path().join("x.zip"), bundle(file, &text)).expect("an archive");
        assert_eq!(run(folder.path(), &["verify", "x.zip"]).0, Some(0));
    }
    // as an archive it is fine, as a bundle not
    fs::write(folder.path().join("x.zip"), with_end_64(named("a.html"), 2, 2 * 46 + 16, 2 * 30 + 21))
        .expect("an archive");
    assert!(run(folder.path(), &["verify", "x.zip", "--format", "json"]).1.contains("no-manifest"));
}

#[test]
fn more_than_a_disk_holds_is_refused_by_its_size() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("x.zip");
    let size = 11u64 << 30;
    let sizes = field(1, &[size.to_le_bytes(), size.to_le_bytes()].concat());
    let file =
        File { size: u32::MAX, packed: u32::MAX, extra: sizes.clone(), local_extra: sizes, ..stored("a.bin", b"") };
    let archive = zip(&[file]);
    let header = 30 + 5 + 20;
    let directory = &archive[header..archive.len() - 22];
    let tail = with_end_64([directory, &[0; 22]].concat(), 1, directory.len() as u64, header as u64 + size);
    // the locator names a place in the whole file
    let locator = tail.len() - 22 - 20 + 8;
    let at = header as u64 + size + directory.len() as u64;
    let tail = [&tail[..locator], &at.to_le_bytes(), &tail[locator + 8..]].concat();
    let mut out = fs::File::create(&path).expect("an archive");
    out.write_all(&archive[..header]).expect("written");
    out.set_len(header as u64 + size).expect("a file with a hole");
    let mut out = fs::File::options().append(true).open(&path).expect("an archive");
    out.write_all(&tail).expect("written");
    let (code, output, _) = run(folder.path(), &["verify", "x.zip", "--format", "json"]);
    assert!(code == Some(1) && output.contains("\"too-large\""), "{output}");
}

/// Bombs with the numbers of the threat model: 42 kB and 10 MB, refused within 100 ms of the program's own start, in
/// little memory.
#[cfg(target_os = "linux")]
#[test]
fn bombs_cost_neither_time_nor_memory() {
    let folder = TempDir::new().expect("a temporary folder");
    let start = (0..3).map(|_| run(folder.path(), &["--version"]).2).min().unwrap_or_default();
    for (name, bytes) in [
        ("42 kB", overlapping(250, &zeros(21 << 20))),
        ("quoted", quoting(1000)),
        ("10 MB", overlapping(60_000, &noise(7 << 20))),
    ] {
        fs::write(folder.path().join("x.zip"), &bytes).expect("an archive");
        let budget = Duration::from_millis(if cfg!(debug_assertions) { 400 } else { 100 });
        // other tests run beside this one: what matters is that it can be so quick
        let is_quick = (0..20).any(|_| run(folder.path(), &["verify", "x.zip"]).2 < start + budget);
        assert!(is_quick, "{name}: never within {budget:?} more than {start:?}, which the program alone takes");
        // a limit on data, which counts what is asked for, not what is used
        let limited = format!(
            "ulimit -d 98304; exec '{}' verify x.zip --format json",
            offprint().get_program().to_string_lossy()
        );
        let output = Command::new("sh").args(["-c", &limited]).current_dir(folder.path()).output().expect("a shell");
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("\"intact\":false"),
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
