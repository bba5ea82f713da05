//! Fetches from repositories that the real `git` made and serves.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use tempfile::TempDir;

use crate::FetchPolicy;

use super::*;

fn git(folder: &Path, args: &[&str]) -> String {
    let mut git = Command::new("git");
    git.env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::null());
    let output =
        git.arg("-C").arg(folder).args(["-c", "user.name=A", "-c", "user.email=a@b.c"]).args(args).output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A repository with one file on `main`.
fn repository() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q", "-b", "main"]);
    std::fs::write(folder.path().join("a.md"), "# Text\n").unwrap();
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-q", "-m", "one"]);
    folder
}

fn address(folder: &Path) -> RemoteUrl {
    RemoteUrl::parse(&format!("file://{}", folder.display()), &[Protocol::File]).unwrap()
}

fn fetch(
    address: &RemoteUrl,
    branch: Option<&str>,
    bounds: FetchBounds,
    cancel: bool,
) -> Result<FetchedCommit, GitError> {
    let own = tempfile::tempdir().unwrap();
    let fetched = FetchedCommit::fetch(
        &FetchTarget { address, branch, since: None, policy: &FetchPolicy::default() },
        &own.path().join("repository"),
        bounds,
        &AtomicBool::new(cancel),
    );
    if let Ok(repository) = &fetched {
        // read while it is there
        assert!(repository.files("").is_ok());
    }
    fetched
}

const BOUNDS: FetchBounds = FetchBounds { seconds: 60, bytes: 64 << 20, threads: 1 };

#[test]
fn nothing_is_checked_out() {
    let source = repository();
    let own = tempfile::tempdir().unwrap();
    let folder = own.path().join("repository");
    let repository = FetchedCommit::fetch(
        &FetchTarget {
            address: &address(source.path()),
            branch: Some("main"),
            since: None,
            policy: &FetchPolicy::default(),
        },
        &folder,
        BOUNDS,
        &AtomicBool::new(false),
    )
    .unwrap();
    let files = repository.files("").unwrap();
    let mut text = Vec::new();
    files.contents.read_into("a.md", 1 << 10, &mut text).unwrap();
    assert_eq!((files.list.len(), files.problems.len(), text), (1, 0, b"# Text\n".to_vec()));
    let names: Vec<String> = walkdir::WalkDir::new(&folder)
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(!names.iter().any(|name| name == "a.md" || name.ends_with("-hook")), "{names:?}");
    assert_eq!(git(&folder, &["rev-parse", "--is-shallow-repository"]), "true");
}

#[test]
fn fetches_are_bounded() {
    let source = repository();
    let noise: Vec<u8> = (0..3_000_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    std::fs::write(source.path().join("large.bin"), noise).unwrap();
    git(source.path(), &["add", "."]);
    git(source.path(), &["commit", "-q", "-m", "two"]);
    let address = address(source.path());
    assert!(fetch(&address, None, BOUNDS, false).is_ok());
    let outcome = fetch(&address, None, BOUNDS, true).map(|repository| repository.sha());
    // a fetch that is over before anybody looks is whole
    assert!(matches!(outcome, Err(GitError::Canceled) | Ok(_)), "{outcome:?}");
}

/// S25: 3,000 names, most of them made to mean something to a shell, to git or to a file system. Nothing happens but an
/// answer.
#[test]
fn s25_names_of_branches_do_nothing() {
    let source = repository();
    let address = address(source.path());
    let away = tempfile::tempdir().unwrap();
    let canary = away.path().join("canary");
    let touch = format!("touch${{IFS}}{}", canary.display());
    let payloads = [
        format!("$({touch})"),
        format!("`{touch}`"),
        format!(";{touch};"),
        format!("|{touch}"),
        format!("&{touch}&"),
        format!("--upload-pack={touch}"),
        format!("-c{touch}"),
        format!("main;{touch}"),
        format!("main\n{touch}"),
        format!("main --upload-pack={touch}"),
        format!("../../../../{}", canary.display()),
        canary.display().to_string(),
        format!("refs/heads/main:{}", canary.display()),
        format!("main:../../{}", canary.display()),
        "+refs/*:refs/*".into(),
        "@{-1}".into(),
        "HEAD".into(),
        "@".into(),
        "main@{upstream}".into(),
        ":/one".into(),
        "main^{tree}".into(),
        "main~0".into(),
        "refs/pull/1/head".into(),
        "%2e%2e/x".into(),
        "con".into(),
        "main\0x".into(),
        "\u{202e}niam".into(),
        "ma\u{200b}in".into(),
        "MAIN".into(),
        "'main'".into(),
        "\"main\"".into(),
    ];
    let frames = ["", "-", "--", "/", "a/", "refs/heads/", "x;", "$", ".", "..", "@", "é", "a b", "#", "%", "!"];
    let ends = ["", "/", ".lock", ".", "..", "@{0}", " ", "x"];
    let mut tried = 0;
    let mut requested = 0;
    for payload in &payloads {
        for frame in frames {
            for end in ends.iter().take(if payload.len() > 4 { 7 } else { 8 }) {
                tried += 1;
                let name = format!("{frame}{payload}{end}");
                let refused = branch(&name).is_err();
                // one in eight of those that are names is asked for, each takes a process
                if !refused && tried % 8 != 0 {
                    continue;
                }
                requested += usize::from(!refused);
                let outcome = fetch(&address, Some(&name), BOUNDS, false).map(|_| ());
                let expect = if refused {
                    GitError::Branch(name.chars().take(300).collect())
                } else {
                    GitError::NoBranch(name.clone())
                };
                assert_eq!(outcome, Err(expect), "{name:?}");
            }
        }
    }
    assert!(tried >= 3_000 && requested >= 30, "{tried} names, {requested} asked for");
    assert!(!canary.exists());
    assert_eq!(std::fs::read_dir(away.path()).unwrap().count(), 0);
}

#[test]
fn branches_with_unusual_names_are_found() {
    let source = repository();
    let address = address(source.path());
    for name in ["feature/new-nav", "日本語", "$(touch)", "a;b", "HEAD/x", "refs-x", "ünï", "main.x", "it's"] {
        git(source.path(), &["branch", name]);
        let repository = fetch(&address, Some(name), BOUNDS, false).unwrap();
        assert_eq!(repository.reference, name);
    }
    // a branch that is called like the head is none
    assert_eq!(fetch(&address, Some("HEAD"), BOUNDS, false).map(|_| ()), Err(GitError::Branch("HEAD".to_owned())));
}
