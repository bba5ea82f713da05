//! When the entries of a change log were written: by the history of their lines if the source is a Git repository, else
//! by a date in their label. And when files were last changed, by one walk through the history for all of them.
//!
//! The program `git` is run instead of `gix`, whose blame cannot ignore changes of white space (`-w`), and whose walk
//! does not leave out branches that a merge took nothing from, as `git log` does.

use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use base::time::seconds_of_date;

/// Most files whose history is read: each takes a run of the program.
const MAX_HISTORY_FILES: usize = 64;
/// Most lines of one file that are looked up, and most bytes of an answer.
const MAX_HISTORY_LINES: usize = 2_000;
const MAX_OUTPUT_BYTES: u64 = 16 << 20;
/// How long one file may take.
const FILE_TIMEOUT: Duration = Duration::from_secs(20);

/// When lines were last changed, seconds since 1970: for each file (path below `root`) of each line (from 1). `None`
/// where it is not known: no repository, no program, a copy without history, or a change that is not committed. At most
/// so many files and lines are looked up; the rest is not known.
pub fn dates(root: &Path, files: &[(String, Vec<u32>)]) -> Vec<Vec<Option<i64>>> {
    if files.is_empty() || !has_history(root) {
        return unknown(files);
    }
    let dated = files.par_iter().enumerate().map(|(index, (path, lines))| {
        let answer = if index < MAX_HISTORY_FILES {
            blame(root, path, &lines[..lines.len().min(MAX_HISTORY_LINES)])
        } else {
            None
        };
        let Some(answer) = answer else { return vec![None; lines.len()] };
        let known = commit_dates(&answer);
        lines.iter().map(|line| known.iter().find(|(at, _)| at == line).and_then(|(_, date)| *date)).collect()
    });
    dated.collect()
}

/// Most commits that are looked at for the last changes of files.
const MAX_COMMITS: usize = 50_000;
/// How long that may take.
const WALK_TIMEOUT: Duration = Duration::from_secs(60);

/// The history took too long to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late;

/// When files, by their paths below `root`, were last changed by a commit: seconds since 1970. One walk through the
/// history, newest commits first, answers for all of them, and ends as soon as each has been met. Files that no commit
/// holds are not known; nothing is of a copy without history.
///
/// # Errors
/// It takes too long: a part of the answer would depend on the speed of the machine.
pub fn last_changes(root: &Path, mut files: FxHashSet<String>) -> Result<FxHashMap<String, u64>, Late> {
    let mut known = FxHashMap::default();
    if files.is_empty() || !has_history(root) {
        return Ok(known);
    }
    let mut git = git(root);
    git.args([
        "-c",
        "log.showRoot=true",
        "log",
        "-z",
        "--format=%x01%ct",
        "--name-only",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--relative",
    ]);
    git.arg(format!("--max-count={MAX_COMMITS}")).args(["HEAD", "--", "."]);
    let Ok(mut child) = git.spawn() else { return Ok(known) };
    let Some(pipe) = child.stdout.take() else { return Ok(known) };
    let (done, answer) = mpsc::channel();
    std::thread::spawn(move || {
        let mut seconds: Option<u64> = None;
        for token in BufReader::new(pipe).split(0).map_while(Result::ok) {
            let token = token.strip_prefix(b"\n").unwrap_or(&token);
            if let Some(time) = token.strip_prefix(b"\x01") {
                seconds = std::str::from_utf8(time).ok().and_then(|time| time.trim().parse().ok());
            } else if let (Ok(path), Some(seconds)) = (std::str::from_utf8(token), seconds)
                && files.remove(path)
            {
                known.insert(path.to_owned(), seconds);
                if files.is_empty() {
                    break;
                }
            }
        }
        // the receiver may have timed out
        let _ = done.send(known);
    });
    let found = answer.recv_timeout(WALK_TIMEOUT);
    // what it has printed by now is used; the rest is not needed
    let _ = child.kill();
    let _ = child.wait();
    found.map_err(|_| Late)
}

/// Unknown dates for all files, where there is no history.
pub fn unknown(files: &[(String, Vec<u32>)]) -> Vec<Vec<Option<i64>>> {
    files.iter().map(|(_, lines)| vec![None; lines.len()]).collect()
}

/// A copy that was cloned without its history would date every line to its only commit.
fn has_history(root: &Path) -> bool {
    git_output(git(root).args(["rev-parse", "--is-shallow-repository"])).is_some_and(|answer| answer.trim() == "false")
}

/// The program, set up so that nothing in a repository makes it run another one or use the network.
fn git(root: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("--no-pager").arg("-C").arg(root).args([
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "log.showSignature=false",
    ]);
    git.env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_OPTIONAL_LOCKS", "0");
    git.stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
    git
}

fn blame(root: &Path, path: &str, lines: &[u32]) -> Option<String> {
    let mut git = git(root);
    git.args(["blame", "--porcelain", "--no-textconv", "-w"]);
    for line in lines {
        git.arg(format!("-L{line},{line}"));
    }
    git_output(git.arg("--").arg(path))
}

/// What a program prints, if it ends well and in time.
fn git_output(command: &mut Command) -> Option<String> {
    let mut child = command.spawn().ok()?;
    let mut pipe = child.stdout.take()?;
    let (done, answer) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.by_ref().take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes);
        // the receiver may have timed out
        let _ = done.send(read.map(|_| bytes));
    });
    let bytes = answer.recv_timeout(FILE_TIMEOUT);
    let ended_well = end_git_child(&mut child, bytes.is_err());
    let bytes = bytes.ok()?.ok()?;
    ended_well.then(|| String::from_utf8_lossy(&bytes).into_owned())
}

fn end_git_child(child: &mut Child, is_late: bool) -> bool {
    if is_late {
        // it may have ended by itself in the meantime
        let _ = child.kill();
    }
    child.wait().is_ok_and(|status| status.success())
}

/// The lines of an answer of `git blame --porcelain` with their dates.
fn commit_dates(answer: &str) -> Vec<(u32, Option<i64>)> {
    let mut commits: Vec<(&str, Option<i64>)> = Vec::new();
    let mut lines = Vec::new();
    let mut current = None;
    for text in answer.lines() {
        if text.starts_with('\t') {
            continue;
        }
        let mut words = text.split(' ');
        let first = words.next().unwrap_or_default();
        if first.len() >= 40 && first.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let at = commits.iter().position(|(known, _)| *known == first).unwrap_or_else(|| {
                commits.push((first, None));
                commits.len() - 1
            });
            current = Some(at);
            if let Some(line) = words.nth(1).and_then(|line| line.parse().ok()) {
                lines.push((line, at));
            }
        } else if let (Some(at), "author-time", Some(seconds)) = (current, first, words.next()) {
            // a commit of zeros stands for what is not committed
            let committed = !commits[at].0.bytes().all(|byte| byte == b'0');
            commits[at].1 = seconds.parse().ok().filter(|_| committed);
        }
    }
    lines.into_iter().map(|(line, at)| (line, commits[at].1)).collect()
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The date in a label, midnight UTC: `2026-11-20`, `November 20, 2026`, `20 Nov 2026`, `November 2026` (its first
/// day).
pub fn date_in(label: &str) -> Option<i64> {
    let words: Vec<String> =
        label.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let number = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<i8>().ok();
    let is_year = |word: &str| word.len() == 4 && word.parse::<i16>().is_ok_and(|year| (1970..=9999).contains(&year));
    let at = words.iter().position(|word| is_year(word))?;
    let year: i16 = words[at].parse().ok()?;
    let date = |month, day| seconds_of_date(year, month, day).and_then(|seconds| i64::try_from(seconds).ok());
    if let [month, day, ..] = &words[at + 1..]
        && let (Ok(month), Ok(day)) = (month.parse(), day.parse())
    {
        return date(month, day);
    }
    let month = words.iter().position(|word| {
        word.len() >= 3 && word.chars().all(char::is_alphabetic) && MONTHS.iter().any(|name| word.starts_with(name))
    })?;
    let name = MONTHS.iter().position(|name| words[month].starts_with(name))? as i8 + 1;
    // the day stands on one side of the month's name: `20 November`, `November 20th`
    let beside = [month.checked_sub(1), Some(month + 1)].into_iter().flatten().filter(|beside| *beside != at);
    let day =
        beside.filter_map(|beside| words.get(beside).and_then(|word| number(word))).find(|day| (1..=31).contains(day));
    date(name, day.unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::time::rfc2822_seconds;

    #[track_caller]
    fn check(label: &str, expect: Option<&str>) {
        assert_eq!(date_in(label).and_then(rfc2822_seconds).as_deref(), expect, "{label}");
    }

    #[test]
    fn labels_may_be_dates() {
        let day = Some("Fri, 20 Nov 2026 00:00:00 GMT");
        for label in [
            "2026-11-20",
            "November 20, 2026",
            "20 Nov 2026",
            "Nov 20th 2026",
            "v2.1 (2026/11/20)",
            "Friday, 20 November 2026",
            "2026 November 20",
        ] {
            check(label, day);
        }
        check("November 2026", Some("Sun, 01 Nov 2026 00:00:00 GMT"));
        check("29 February 2024", Some("Thu, 29 Feb 2024 00:00:00 GMT"));
        check("1 January 1970", Some("Thu, 01 Jan 1970 00:00:00 GMT"));
        for label in ["", "v1.2.3", "Release 2026", "2026-13-40", "February 30, 2026", "Mayhem 12", "日本語 2026"] {
            check(label, None);
        }
    }

    #[test]
    fn what_is_not_committed_has_no_date() {
        let commit = "a".repeat(40);
        let none = "0".repeat(40);
        let answer = format!(
            "{commit} 1 3 1\nauthor A\nauthor-time 86400\nfilename x\n\ttext\n{none} 4 4 1\nauthor-time 99\n\tauthor-time 7\n{commit} 2 9 1\n\tx\n"
        );
        assert_eq!(commit_dates(&answer), [(3, Some(86_400)), (4, None), (9, Some(86_400))]);
    }

    #[test]
    fn lines_of_a_repository_have_dates() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::write(root.join("a.mdx"), "one\ntwo\n").unwrap();
        let done = |args: &[&str]| {
            let mut command = git(root);
            command
                .args(["-c", "user.name=A", "-c", "user.email=a@b.c"])
                .args(args)
                .env("GIT_AUTHOR_DATE", "2026-11-20T00:00:00Z");
            git_output(&mut command).is_some()
        };
        if !done(&["init", "-q"]) {
            return; // no program here
        }
        assert!(done(&["add", "."]) && done(&["commit", "-q", "-m", "x"]));
        std::fs::write(root.join("a.mdx"), "one\ntwo\nthree\n").unwrap();
        let found = dates(root, &[("a.mdx".to_owned(), vec![2, 3]), ("none.mdx".to_owned(), vec![1])]);
        assert_eq!(found, [vec![Some(1_795_132_800), None], vec![None]]);
    }

    #[test]
    fn files_have_the_date_of_the_last_commit_that_touched_them() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("docs/ä b")).unwrap();
        let write = |path: &str, text: &str| std::fs::write(root.join(path), text).unwrap();
        let done = |date: &str, args: &[&str]| {
            let mut command = git(root);
            command
                .args(["-c", "user.name=A", "-c", "user.email=a@b.c"])
                .args(args)
                .env("GIT_COMMITTER_DATE", date)
                .env("GIT_AUTHOR_DATE", "2020-01-01T00:00:00Z");
            git_output(&mut command).is_some()
        };
        if !done("", &["init", "-q"]) {
            return; // no program here
        }
        let commit =
            |date: &str| assert!(done(date, &["add", "."]) && done(date, &["commit", "-q", "-m", "x"]), "{date}");
        write("docs/one.mdx", "1");
        write("docs/ä b/two.mdx", "1");
        write("other.mdx", "1");
        commit("2026-11-20T00:00:00Z");
        write("docs/one.mdx", "2");
        write("docs/new.mdx", "never committed");
        assert!(done("2026-11-21T00:00:00Z", &["commit", "-q", "-a", "-m", "x"]));
        write("other.mdx", "2");
        assert!(done("2026-11-22T00:00:00Z", &["commit", "-q", "-a", "-m", "x"]));
        let changes = |names: &[&str]| {
            last_changes(&root.join("docs"), names.iter().map(|name| (*name).to_owned()).collect()).unwrap()
        };
        let mut found: Vec<_> = changes(&["one.mdx", "ä b/two.mdx", "new.mdx", "../other.mdx"]).into_iter().collect();
        found.sort();
        assert_eq!(found, [("one.mdx".to_owned(), 1_795_219_200), ("ä b/two.mdx".to_owned(), 1_795_132_800)]);
        let shallow = tempfile::tempdir().unwrap();
        let clone = |path: &Path| {
            Command::new("git")
                .args(["clone", "-q", "--depth=1"])
                .arg(format!("file://{}", root.display()))
                .arg(path)
                .status()
                .is_ok_and(|status| status.success())
        };
        assert!(
            clone(shallow.path())
                && last_changes(shallow.path(), FxHashSet::from_iter(["other.mdx".to_owned()])).unwrap().is_empty()
        );
    }

    proptest::proptest! {
        #[test]
        fn no_label_panics(label in "\\PC{0,40}") {
            let _ = date_in(&label);
        }
    }
}
