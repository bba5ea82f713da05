//! What becomes of a child process, whatever happens to it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use offprint::service::job::child::{
    self, Built, Cause, ChildProgress, ChildWork, ExportFailure, JobSource, MachineLimits,
};
use tempfile::TempDir;

use super::{Job, PROGRAM, SITE, runtime, write};

/// How long a test waits for what has to happen.
const PATIENCE: Duration = Duration::from_secs(120);

/// A site that keeps an exporter busy.
pub(super) fn large_site(pages: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "Words of a *long* page with `code` and [links](/p1).\n\n```js\nconst answer = () => 42;\n```\n\n".repeat(60);
    for number in 0..pages {
        fs::write(folder.path().join(format!("p{number}.md")), format!("# Page {number}\n\n{text}")).unwrap();
    }
    folder
}

/// The processes that a process has started: id and arguments.
pub(super) fn children(of: u32) -> Vec<(u32, String)> {
    let stat = |id: u32| fs::read_to_string(format!("/proc/{id}/stat")).ok();
    let ids =
        fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = |id: u32| stat(id)?.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse::<u32>().ok();
    ids.filter(|id| parent(*id) == Some(of))
        .map(|id| (id, fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default().replace('\0', " ")))
        .collect()
}

/// Whether a process runs; one that ended and that nobody asked for yet does not.
fn runs(id: u32) -> bool {
    fs::read_to_string(format!("/proc/{id}/stat"))
        .is_ok_and(|stat| !stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z')))
}

/// The child that has this folder for its own.
pub(super) fn child_in(folder: &Path) -> Option<u32> {
    let in_folder = |id: &u32| fs::read_link(format!("/proc/{id}/cwd")).is_ok_and(|cwd| cwd == folder);
    children(std::process::id()).into_iter().map(|(id, _)| id).find(in_folder)
}

#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(super) fn signal(id: u32, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &id.to_string()]).status().unwrap().success());
}

/// Runs a job and does something to its child once it is at the pages.
fn run_and(job: &Job, act: impl Fn(u32) + Send + Sync) -> Result<Built, ExportFailure> {
    let done = Mutex::new(false);
    job.run_telling(|progress| {
        let mut done = done.lock().unwrap();
        if !*done && matches!(progress, ChildProgress::Stage(ref name) if name == "pages") {
            *done = true;
            act(child_in(&job.work.folder).expect("a child"));
        }
    })
}

#[test]
fn s31_a_child_that_is_killed_ends_its_job_alone() {
    let site = large_site(400);
    let job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    for (name, expect) in [("KILL", "was killed"), ("ABRT", "signal 6"), ("TERM", "signal 15")] {
        let failure = run_and(&job, |child| signal(child, name)).unwrap_err();
        assert_eq!(failure.cause, Cause::Crash, "{failure:?}");
        assert!(failure.message.contains(expect), "{failure:?}");
    }
    assert!(job.run().is_ok(), "the next one is as if nothing had been");
}

#[test]
fn s31_a_child_that_says_nothing_is_killed() {
    let site = large_site(400);
    let mut job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    job.limits.silent_seconds = 2;
    let stopped = Mutex::new(0);
    let failure = run_and(&job, |child| {
        *stopped.lock().unwrap() = child;
        signal(child, "STOP");
    });
    let failure = failure.unwrap_err();
    assert!(failure.cause == Cause::Limit && failure.message.contains("no progress for 2 s"), "{failure:?}");
    assert!(!runs(*stopped.lock().unwrap()));
}

#[test]
fn s31_time_processor_memory_and_files_are_bounded() {
    type Change = fn(&mut MachineLimits);
    let site = large_site(3000);
    let limited = |change: Change| {
        let mut job = Job::new(JobSource::Folder { path: site.path().to_owned() });
        change(&mut job.limits);
        job.run().unwrap_err()
    };
    let cases: [(Change, &str); 6] = [
        (|limits| limits.seconds = 1, "took longer than 1 s"),
        (|limits| limits.cpu_seconds = 1, "more than 1 s of processor time"),
        (|limits| limits.memory_bytes = 16 << 20, "more than 16 MB of memory"),
        (|limits| limits.file_bytes = 64 << 10, "a file of more than"),
        (|limits| limits.written_bytes = 1 << 20, "wrote more than 1 MB"),
        (|limits| limits.written_files = 3, "made more than 3 files"),
    ];
    for (change, expect) in cases {
        let failure = limited(change);
        assert_eq!(failure.cause, Cause::Limit, "{failure:?}");
        assert!(failure.message.contains(expect), "{failure:?}");
    }
}

/// A child with so little room for its stack that an ordinary site is too much.
#[test]
fn s31_a_stack_that_overflows_ends_its_job_alone() {
    let site = large_site(3);
    let mut job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    let small = job.home.path().join("small");
    fs::write(&small, format!("#!/bin/sh\nulimit -s 64\nexec {PROGRAM} \"$@\"\n")).unwrap();
    fs::set_permissions(&small, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    job.limits.program = small;
    let failure = job.fails(Cause::Crash, "its stack overflowed");
    assert!(!failure.message.contains(PROGRAM), "{failure:?}");
    job.limits.program = PROGRAM.into();
    assert!(job.run().is_ok(), "the next one is as if nothing had been");
}

/// Scripts of a page that go on for ever, each in its own way.
#[test]
fn s31_pages_that_never_end_lose_their_scripts_and_nothing_else() {
    let site = large_site(3);
    let endless = [
        "export const Loop = () => { while (true) {} }\n\n<Loop />",
        "{(() => { let all = []; while (true) all.push(all) })()}",
        "{(function calls() { return calls() + calls() })()}",
        "{'a'.repeat(100).replace(/(a+)+b/, 'x')}",
    ];
    for (number, script) in endless.iter().enumerate() {
        fs::write(
            site.path().join(format!("endless{number}.mdx")),
            format!("---\ntitle: Endless\n---\n\nWords.\n\n{script}\n"),
        )
        .unwrap();
    }
    let mut job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    job.limits.seconds = 60;
    let built = job.run().unwrap();
    assert_eq!(built.pages, 7);
    for number in 0..endless.len() {
        assert!(
            built
                .logs
                .iter()
                .any(|line| line.contains("script-failed") && line.contains(&format!("endless{number}.mdx"))),
            "{number}: {:?}",
            built.logs
        );
        assert!(super::page(&built, &format!("endless{number}.html")).contains("Words."));
    }
}

#[test]
fn canceling_ends_the_child() {
    let site = large_site(400);
    let job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    let (cancel, canceled) = tokio::sync::oneshot::channel::<()>();
    let (cancel, child) = (Mutex::new(Some(cancel)), Mutex::new(0));
    let failure = runtime().block_on(child::run_child(
        &job.work,
        &job.limits,
        |progress| {
            if matches!(progress, ChildProgress::Pages { .. })
                && let Some(cancel) = cancel.lock().unwrap().take()
            {
                *child.lock().unwrap() = child_in(&job.work.folder).expect("a child");
                cancel.send(()).unwrap();
            }
        },
        async { canceled.await.unwrap() },
    ));
    let failure = failure.unwrap_err();
    assert_eq!((failure.cause, failure.message.as_str()), (Cause::Canceled, "canceled"));
    assert!(!runs(*child.lock().unwrap()));
}

#[test]
fn a_child_whose_future_is_dropped_ends() {
    let site = large_site(400);
    let job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    let runtime = runtime();
    let (work, limits) = (job.work.clone(), job.limits.clone());
    let task = runtime.spawn(async move { child::run_child(&work, &limits, |_| {}, std::future::pending()).await });
    wait_until("a child", || child_in(&job.work.folder).is_some());
    let child = child_in(&job.work.folder).unwrap();
    task.abort();
    wait_until("its end", || !runs(child));
}

#[test]
fn s19_a_child_has_no_environment_and_ends_with_its_parent() {
    let site = large_site(400);
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("job");
    fs::create_dir(&folder).unwrap();
    let job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    let environment = Mutex::new(None);
    let mut limited = Job { limits: MachineLimits { silent_seconds: 1, ..job.limits.clone() }, ..job };
    limited.limits.program = PROGRAM.into();
    let failure = run_and(&limited, |child| {
        *environment.lock().unwrap() = fs::read(format!("/proc/{child}/environ")).ok();
        signal(child, "STOP");
    });
    assert_eq!(failure.unwrap_err().cause, Cause::Limit);
    // others of the same user may not even look
    assert!(environment.into_inner().unwrap().is_none_or(|environment| environment.is_empty()));

    // the same program by hand: its input ends while it works
    let request = serde_json::json!({
        "work": ChildWork { folder: folder.clone(), ..limited.work.clone() },
        "bounds": { "seconds": 600, "cpuSeconds": 600, "memoryBytes": 1_u64 << 30, "fetchBytes": 1 << 20, "fileBytes": 1_u64 << 30, "threads": 1 },
    });
    let mut command = Command::new(PROGRAM);
    command.arg("job").env_clear().current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{request}\n").as_bytes()).unwrap();
    let mut output = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    assert!(output.any(|line| line.unwrap().contains("\"pages\"")), "it never got to the pages");
    drop(input);
    assert!(!output.any(|line| line.unwrap().contains("\"built\"")), "it went on without its parent");
    assert!(!child.wait().unwrap().success());
}

#[test]
fn the_command_is_for_the_service_alone() {
    for text in ["", "\n", "{}\n", "hello\n"] {
        let mut child = Command::new(PROGRAM)
            .arg("job")
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).contains("for the service alone"));
    }
    let help = Command::new(PROGRAM).arg("--help").env_clear().output().unwrap();
    assert!(!String::from_utf8_lossy(&help.stdout).contains("  job"));
}

/// A stand-in for the program: whatever it says, the service believes none of it.
#[test]
fn a_child_that_was_taken_over_is_not_believed() {
    let home = tempfile::tempdir().unwrap();
    let site = tempfile::tempdir().unwrap();
    write(site.path(), &SITE);
    let script = |text: &str| {
        let path: PathBuf = home.path().join("program");
        // written by another process: a child of another test that is just being started would hold a file that this
        // one writes, and a file that is open for writing cannot be run
        let write = "printf '%s' \"$2\" > \"$1\" && chmod 755 \"$1\"";
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", write, "sh"]).arg(&path).arg(format!("#!/bin/sh\nread request\n{text}\n"));
        assert!(shell.status().unwrap().success());
        path
    };
    let digest = "ab".repeat(32);
    let source = r#"echo '{"event":"source","version":"v1","commit":null}'"#;
    for (text, cause) in [
        ("exit 3".to_owned(), Cause::Crash),
        ("echo thread panicked at /root/secret.rs:1:2 >&2; exit 101".to_owned(), Cause::Crash),
        ("echo no json".to_owned(), Cause::Crash),
        ("echo '{\"event\":\"other\"}'".to_owned(), Cause::Crash),
        ("yes | tr -d '\\n' | head -c 9000000".to_owned(), Cause::Crash),
        (r#"echo '{"event":"source","version":"../../x","commit":null}'"#.to_owned(), Cause::Crash),
        (
            format!("{source}; echo '{{\"event\":\"built\",\"pages\":1,\"sha256\":\"{digest}\",\"size\":1}}'"),
            Cause::System,
        ),
        (
            format!(
                "{source}; echo x > bundle.zip; echo '{{\"event\":\"built\",\"pages\":1,\"sha256\":\"{digest}\",\"size\":2}}'"
            ),
            Cause::Crash,
        ),
        (
            format!(
                "{source}; ln -s /etc/passwd bundle.zip; echo '{{\"event\":\"built\",\"pages\":1,\"sha256\":\"{digest}\",\"size\":2}}'"
            ),
            Cause::System,
        ),
        (r#"echo '{"event":"pages","done":3,"total":2}'"#.to_owned(), Cause::Crash),
        (r#"echo '{"event":"failed","cause":"content","message":""}'"#.to_owned(), Cause::Crash),
    ] {
        let mut job = Job::new(JobSource::Folder { path: site.path().to_owned() });
        job.limits.program = script(&text);
        let failure = job.run().unwrap_err();
        assert_eq!(failure.cause, cause, "{text}: {failure:?}");
        assert!(!failure.message.is_empty() && !format!("{failure:?}").contains("secret.rs"), "{failure:?}");
    }
}
