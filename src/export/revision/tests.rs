use std::path::PathBuf;
use std::process::Command;

use super::*;

/// Runs git in a folder, without any configuration but the repository's.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").current_dir(folder);
    let output =
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn revision(root: &Path) -> Option<(String, bool)> {
    let (files, _) = SourceTree::list(root);
    find_revision(&files, &root.join("site.zip")).map(|revision| (revision.commit, revision.dirty))
}

/// A repository with a docs folder that is committed, and the commit.
fn repository() -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap();
    git(&root, &["init", "-q", "-b", "main"]);
    fs::create_dir_all(root.join("docs/a-b/c")).unwrap();
    fs::create_dir_all(root.join("docs/a")).unwrap();
    for file in ["docs/index.md", "docs/a-b/c/x.md", "docs/a/y.md", "docs/a.md", "other.txt"] {
        fs::write(root.join(file), file).unwrap();
    }
    git(&root, &["add", "."]);
    git(&root, &["commit", "-q", "-m", "one"]);
    let commit = git(&root, &["rev-parse", "HEAD"]);
    (folder, root.join("docs"), commit)
}

#[test]
fn a_committed_source_is_its_commit() {
    let (_folder, docs, commit) = repository();
    assert_eq!(revision(&docs), Some((commit.clone(), false)));
    assert_eq!(revision(docs.parent().unwrap()), Some((commit.clone(), false)));
    // times say nothing where contents are the same
    let file = fs::File::options().append(true).open(docs.join("index.md")).unwrap();
    file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(100)).unwrap();
    fs::write(docs.join("site.zip"), "the bundle itself").unwrap();
    assert_eq!(revision(&docs), Some((commit, false)));
}

#[test]
fn every_kind_of_change_is_seen() {
    type Change = (&'static str, fn(&Path));
    let changes: [Change; 6] = [
        ("changed", |docs| fs::write(docs.join("index.md"), "docs/index.mD").unwrap()),
        ("new", |docs| fs::write(docs.join("new.md"), "x").unwrap()),
        ("deleted", |docs| fs::remove_file(docs.join("a/y.md")).unwrap()),
        ("staged", |docs| {
            fs::write(docs.join("index.md"), "staged").unwrap();
            git(docs, &["add", "."]);
        }),
        ("staged elsewhere", |docs| {
            fs::write(docs.join("../other.txt"), "staged").unwrap();
            git(docs, &["add", "-A"]);
            git(docs, &["add", "../other.txt"]);
        }),
        ("no index", |docs| fs::remove_file(docs.join("../.git/index")).unwrap()),
    ];
    for (name, change) in changes {
        let (_folder, docs, commit) = repository();
        change(&docs);
        assert_eq!(revision(&docs), Some((commit, true)), "{name}");
    }
}

#[test]
fn packed_repositories_detached_heads_and_additional_work_trees() {
    let (folder, docs, first) = repository();
    fs::write(docs.join("index.md"), "two").unwrap();
    git(&docs, &["commit", "-q", "-a", "-m", "two"]);
    let commit = git(&docs, &["rev-parse", "HEAD"]);
    git(&docs, &["gc", "-q"]);
    git(&docs, &["pack-refs", "--all"]);
    assert!(!docs.join("../.git/refs/heads/main").exists());
    assert_eq!(revision(&docs), Some((commit.clone(), false)));
    git(&docs, &["worktree", "add", "-q", "../more", &first]);
    assert_eq!(revision(&docs.join("../more/docs")), Some((first.clone(), false)));
    // where the `.git` file lies
    assert_eq!(revision(&docs.join("../more")), Some((first.clone(), false)));
    fs::write(docs.join("../more/new.md"), "x").unwrap();
    assert_eq!(revision(&docs.join("../more")), Some((first, true)));
    git(&docs, &["update-index", "--index-version", "4"]);
    assert_eq!(revision(&docs), Some((commit, false)));
    drop(folder);
}

#[test]
fn what_is_no_repository_has_no_revision() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.md"), "x").unwrap();
    assert_eq!(revision(folder.path()), None);
    git(folder.path(), &["init", "-q"]);
    for head in ["", "ref: ../../etc/passwd", "ref: refs/heads/none", "x", "ref: refs/../../x"] {
        fs::write(folder.path().join(".git/HEAD"), head).unwrap();
        assert_eq!(revision(folder.path()), None, "{head}");
    }
    fs::write(folder.path().join(".git/HEAD"), "a".repeat(40)).unwrap();
    fs::write(folder.path().join(".git/index"), b"DIRC\0\0\0\x02\xff\xff\xff\xff").unwrap();
    assert_eq!(revision(folder.path()), Some(("a".repeat(40), true)));
}

#[test]
fn the_remote_is_that_called_origin() {
    let (_folder, docs, _) = repository();
    let origin = || {
        let (files, _) = SourceTree::list(&docs);
        super::source_repository(&files).map(|found| (found.web, found.branch, found.folder))
    };
    assert_eq!(origin(), None);
    git(&docs, &["remote", "add", "fork", "https://github.com/someone/docs"]);
    assert_eq!(origin(), None);
    git(&docs, &["remote", "add", "origin", "git@github.com:acme/docs.git"]);
    let found = |branch: &str| Some(("https://github.com/acme/docs".to_owned(), branch.to_owned(), "docs/".to_owned()));
    assert_eq!(origin(), found("main"));
    git(&docs, &["checkout", "-q", "-b", "mine/too"]);
    assert_eq!(origin(), found("mine/too"));
    git(&docs, &["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"]);
    assert_eq!(origin(), found("trunk"));
    git(&docs, &["symbolic-ref", "--delete", "refs/remotes/origin/HEAD"]);
    git(&docs, &["checkout", "-q", "--detach"]);
    assert_eq!(origin(), found("main"));
}
