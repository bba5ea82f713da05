//! `offprint export --confine`: the same bundle, made by a process that sees nothing but the source.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use crate::suite::servers::Server;

/// The program, with arguments, in a folder.
fn offprint(folder: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_offprint");
    Command::new(program).current_dir(folder).args(arguments).arg("--progress=none").output().unwrap()
}

/// Whether this machine has what it needs; else it has to say so.
fn is_possible(output: &Output) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || said.contains("`--confine` is not possible on this machine"), "{said}");
    output.status.success()
}

fn site() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let docs = home.path().join("docs");
    fs::create_dir(&docs).unwrap();
    fs::write(home.path().join("secret.md"), "the canary").unwrap();
    fs::write(docs.join("index.md"), "# Home\n\n[Start](start.md)\n").unwrap();
    fs::write(docs.join("start.md"), "# Start\n\n`code`\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.md", docs.join("link.md")).unwrap();
    home
}

#[test]
fn the_bundle_is_the_same_and_nothing_else_is_left() {
    let home = site();
    assert!(offprint(home.path(), &["export", "docs", "-o", "a.zip", "--report", "a.json"]).status.success());
    let confined = offprint(home.path(), &["export", "docs", "-o", "b.zip", "--report", "b.json", "--confine"]);
    if !is_possible(&confined) {
        return;
    }
    assert!(fs::read(home.path().join("a.zip")).unwrap() == fs::read(home.path().join("b.zip")).unwrap());
    let report: serde_json::Value = serde_json::from_slice(&fs::read(home.path().join("b.json")).unwrap()).unwrap();
    assert_eq!((&report["output"], &report["pages"]), (&"b.zip".into(), &2.into()));
    // from within the source, into a folder, and once more over it
    for _ in 0..2 {
        let output = offprint(&home.path().join("docs"), &["export", "--confine", "-o", "../c/"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let page = fs::read_to_string(home.path().join("c/index.html")).unwrap();
    assert!(page.contains("Home") && !page.contains("canary"));
    let mut left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.json", "a.zip", "b.json", "b.zip", "c", "docs", "secret.md"]);
}

#[test]
fn what_does_not_go_together_is_said() {
    let home = site();
    let code = |arguments: &[&str], expect: &str| {
        let output = offprint(home.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(expect), "{arguments:?}: {said}");
    };
    code(&["export", "docs", "--confine", "--sign", "key"], "cannot be used with");
    code(&["export", "docs", "--confine", "--cache-dir", "c"], "cannot be used with");
    code(&["export", "docs", "--confined"], "is for `--confine` alone");
    fs::write(home.path().join("other.zip"), "another file").unwrap();
    code(&["export", "docs", "--confine", "-o", "other.zip"], "other.zip");
    assert_eq!(fs::read(home.path().join("other.zip")).unwrap(), b"another file");
    code(&["export", "nothing", "--confine"], "nothing");
}

#[test]
fn assets_of_other_servers_are_fetched_by_another_process() {
    let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"2\"><path d=\"M0 0h4v2z\"/></svg>";
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\nContent-Length: {}\r\n\r\n", picture.len());
    let server = Server::start(move |_, stream| {
        let _ = stream.write_all(format!("{head}{picture}").as_bytes());
    });
    let home = site();
    let text = format!("# Home\n\n![a]({}) ![b]({})\n", server.url("/a.svg"), server.url("/b.svg?x=1"));
    fs::write(home.path().join("docs/index.md"), text).unwrap();
    let allowed = format!("--allow-private={}", server.address);
    let output = offprint(home.path(), &["export", "docs", "-o", "out/", "--confine", &allowed]);
    if is_possible(&output) {
        let page = fs::read_to_string(home.path().join("out/index.html")).unwrap();
        assert!(page.contains("_offprint/") && !page.contains("src=\"http"), "{page}");
        assert_eq!(server.requests().len(), 2);
    }
}
