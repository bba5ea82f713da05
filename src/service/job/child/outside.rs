//! The service's side: the processes of a job are started, heard, and ended.

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::oneshot;
use tokio::time::{Instant, MissedTickBehavior};

use crate::job::process::{keep_end, kill_group};
use crate::store::{Finding, Findings, Time};
use base::digest;
use base::hex::to_hex;

use super::line::{LINE_BYTES, ProcessBounds, ProcessLine, Request};
use super::memory::JobGroup;
use super::usage::{FilesInMemory, WrittenFiles, await_too_much_written, count_written, memory_of_group};
use super::{
    ARCHIVE, Built, Cause, ChildProgress, ChildWork, CommitRecord, ExportFailure, LOG_CHARS, LOG_LINES, MAX_FINDINGS,
    MachineLimits,
};

/// Bytes of standard error that are kept, from its end.
const TAIL_BYTES: usize = 16 << 10;
/// Lines of it that the log gets.
const TAIL_LINES: usize = 20;
/// How often time and memory are looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Most lines that a child may say: ten a second for the longest job, and its log.
const MAX_CHILD_LINES: usize = 100_000;

/// The program that runs: the same file even if another took its name meanwhile.
pub fn own_program() -> PathBuf {
    if cfg!(target_os = "linux") {
        PathBuf::from("/proc/self/exe")
    } else {
        std::env::current_exe().unwrap_or_default()
    }
}

/// Has a child do its work. When `cancel` is ready, or when this future is dropped, the child and all that it started
/// are killed.
///
/// # Errors
/// There is no archive, and why.
pub async fn run_child(
    work: &ChildWork,
    limits: &MachineLimits,
    progress: impl Fn(ChildProgress) + Send + Sync,
    cancel: impl Future<Output = ()> + Send,
) -> Result<Built, ExportFailure> {
    let mut listener = ChildListener {
        progress: &progress,
        logs: Vec::new(),
        findings: Findings::default(),
        is_fetched: false,
        source: None,
        done: 0,
        last: None,
        died: None,
        lines: 0,
    };
    let outcome = match exchange_with_child(work, limits, &mut listener, cancel).await {
        Ok(errors) => settle(work, &mut listener, &errors, limits).await,
        Err(stop) => Err(stop),
    };
    if let Ok(built) = &outcome {
        listener.log(&format!("the bundle is made: {} pages, {} bytes", built.pages, built.size));
    }
    let ChildListener { logs, findings, .. } = listener;
    match outcome {
        Ok(built) => Ok(Built { logs, findings, ..built }),
        Err((cause, message)) => Err(ExportFailure { cause, message: bounded_line(&message), logs }),
    }
}

/// Why there is no archive.
type Stop = (Cause, String);

/// How a child ended by itself.
struct ChildExit {
    status: io::Result<ExitStatus>,
    errors: String,
}

/// Starts a child and reads its messages until it ends.
async fn exchange_with_child<P: Fn(ChildProgress) + Send + Sync>(
    work: &ChildWork,
    limits: &MachineLimits,
    listener: &mut ChildListener<'_, P>,
    cancel: impl Future<Output = ()> + Send,
) -> Result<ChildExit, Stop> {
    let (mut child, group) = start_child(work, limits)
        .map_err(|error| (Cause::of(&error), format!("cannot start the exporter: {error}")))?;
    let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err((Cause::System, "cannot talk to the exporter".to_owned()));
    };
    let held = hold_child_input(input, request(work, limits));
    let tail = tokio::spawn(tail(errors));
    let (mut output, mut line) = (BufReader::new(output), Vec::new());
    let in_memory = FilesInMemory::default();
    let mut cancel = pin!(cancel);
    let most = WrittenFiles { files: limits.written_files, bytes: limits.written_bytes };
    let mut written = pin!(await_too_much_written(work.folder.clone(), most, in_memory.clone()));
    let (begun, mut heard) = (Instant::now(), Instant::now());
    let mut look = tokio::time::interval(POLL_INTERVAL);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let stop = loop {
        let said = tokio::select! {
            biased;
            () = &mut cancel => break Some((Cause::Canceled, "canceled".to_owned())),
            message = &mut written => break Some((Cause::Limit, message)),
            said = read_output_line(&mut output, &mut line) => said,
            _ = look.tick() => match group.exceeds(limits, &in_memory, begun, heard) {
                Some(stop) => break Some(stop),
                None => continue,
            },
        };
        match said {
            Ok(true) => heard = Instant::now(),
            Ok(false) => break None,
            Err(error) => break Some((Cause::Crash, format!("the exporter cannot be understood: {error}"))),
        }
        if let Err(stop) = listener.hear(&line) {
            break Some(stop);
        }
        line.clear();
    };
    // its output ends with it; whatever it started ends now, too
    group.kill();
    let status = child.wait().await;
    drop(held);
    let errors = tail.await.unwrap_or_default();
    let has_exceeded_memory = group.enclosed.as_ref().is_some_and(JobGroup::has_exceeded_memory);
    let mut stop = stop.or_else(|| has_exceeded_memory.then(|| too_much_memory(limits)));
    if stop.is_none() {
        // what was written since it was counted
        let message = count_written(work.folder.clone(), most, in_memory).await;
        stop = message.map(|message| (Cause::Limit, message));
    }
    stop.map_or(Ok(ChildExit { status, errors }), Err)
}

fn start_child(work: &ChildWork, limits: &MachineLimits) -> io::Result<(Child, ProcessGroup)> {
    make_private(&work.folder)?;
    let mut command = Command::new(&limits.program);
    command.arg("job").env_clear().current_dir(&work.folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    if let Some(certificates) = &limits.certificates {
        command.env("SSL_CERT_FILE", certificates);
    }
    #[cfg(unix)]
    command.process_group(0);
    let child = command.spawn()?;
    super::super::priority::lower(child.id(), limits.niceness);
    let enclosed = child.id().zip(limits.group.as_ref()).map(|(id, group)| group.enclose(id, limits.memory_bytes));
    let enclosed = enclosed
        .and_then(|enclosed| enclosed.inspect_err(|error| tracing::warn!(%error, "a job has no control group")).ok());
    let group = ProcessGroup { leader: child.id(), enclosed };
    Ok((child, group))
}

/// Makes the work's folder, readable by this user alone.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn request(work: &ChildWork, limits: &MachineLimits) -> Vec<u8> {
    let request = Request { work: work.clone(), bounds: ProcessBounds::of(limits), layers: limits.layers };
    let mut text = serde_json::to_vec(&request).unwrap_or_default();
    text.push(b'\n');
    text
}

/// Writes the request and holds the child's input open until the result is dropped.
fn hold_child_input(mut input: ChildStdin, request: Vec<u8>) -> oneshot::Sender<()> {
    let (held, released) = oneshot::channel::<()>();
    tokio::spawn(async move {
        // one that does not read it says why by its end
        let _ = input.write_all(&request).await;
        let _ = input.flush().await;
        drop(request);
        let _ = released.await;
    });
    held
}

/// A child and all that it started.
struct ProcessGroup {
    leader: Option<u32>,
    enclosed: Option<JobGroup>,
}

impl ProcessGroup {
    fn kill(&self) {
        kill_group(self.leader);
    }

    /// What it takes more of than it may.
    fn exceeds(
        &self,
        limits: &MachineLimits,
        in_memory: &FilesInMemory,
        begun: Instant,
        heard: Instant,
    ) -> Option<Stop> {
        let now = Instant::now();
        if now.duration_since(begun) >= Duration::from_secs(limits.seconds) {
            return Some((Cause::Limit, format!("the export took longer than {} s", limits.seconds)));
        }
        if now.duration_since(heard) >= Duration::from_secs(limits.silent_seconds) {
            return Some((Cause::Limit, format!("the export made no progress for {} s", limits.silent_seconds)));
        }
        let memory = memory_of_group(self.leader?, in_memory)?;
        (memory > limits.memory_bytes).then(|| too_much_memory(limits))
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

fn too_much_memory(limits: &MachineLimits) -> Stop {
    (Cause::Limit, format!("the export needs more than {} MB of memory", limits.memory_bytes >> 20))
}

/// Adds what comes up to the end of a line; `false` at the end of all. May be dropped and called again.
async fn read_output_line(output: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let piece = output.fill_buf().await?;
        if piece.is_empty() {
            return Ok(false);
        }
        let end = memchr::memchr(b'\n', piece);
        let taken = end.map_or(piece.len(), |end| end + 1);
        line.extend_from_slice(&piece[..taken]);
        output.consume(taken);
        if line.len() > LINE_BYTES {
            return Err(io::Error::other("a line is too long"));
        }
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// The end of what is written to standard error.
async fn tail(errors: impl AsyncRead + Unpin) -> String {
    let mut end = Vec::new();
    // what came until it failed is all there is
    let _ = keep_end(errors, TAIL_BYTES, &mut end).await;
    String::from_utf8_lossy(&end).into_owned()
}

/// How a process ended that did not end well.
#[derive(Clone, Copy)]
struct Death {
    process: &'static str,
    signal: Option<i32>,
    status: Option<i32>,
}

/// Reads a message of a child. It may be anything: a hostile source may control the process.
struct ChildListener<'a, P> {
    progress: &'a P,
    logs: Vec<String>,
    findings: Findings,
    is_fetched: bool,
    source: Option<(String, Option<CommitRecord>)>,
    done: u64,
    last: Option<ProcessLine>,
    /// How the renderer ended, if not well.
    died: Option<Death>,
    lines: usize,
}

impl<P: Fn(ChildProgress)> ChildListener<'_, P> {
    fn hear(&mut self, line: &[u8]) -> Result<(), Stop> {
        let nonsense = || (Cause::Crash, "the exporter says what makes no sense".to_owned());
        self.lines += 1;
        let line = serde_json::from_slice(line).map_err(|_| nonsense())?;
        let is_last = matches!(line, ProcessLine::Died { .. }) && self.died.is_none();
        if self.lines > MAX_CHILD_LINES || self.last.is_some() && !is_last {
            return Err(nonsense());
        }
        match line {
            ProcessLine::Stage { name } => {
                let name = bounded_line(&name);
                self.log(stage_in_words(&name));
                (self.progress)(ChildProgress::Stage(name));
            }
            // a source may have taken the renderer over by then
            ProcessLine::Gone { branches } if !self.is_fetched => (self.progress)(ChildProgress::Gone(branches)),
            ProcessLine::Fetched if !self.is_fetched => self.is_fetched = true,
            ProcessLine::Gone { .. } | ProcessLine::Fetched | ProcessLine::Confined { .. } => return Err(nonsense()),
            ProcessLine::Died { signal, status } => self.died = Some(Death { process: "renderer", signal, status }),
            ProcessLine::Source { version, commit } => {
                let is_label = (1..=64).contains(&version.len())
                    && version.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'));
                let is_named = commit.as_ref().is_none_or(|commit| {
                    commit.sha.len() == 40 && commit.sha.bytes().all(|byte| byte.is_ascii_hexdigit())
                });
                if !is_label || !is_named || self.source.is_some() {
                    return Err(nonsense());
                }
                self.log(&match &commit {
                    Some(CommitRecord { sha, reference, message, .. }) => {
                        format!("the source is commit {sha} of {reference}: {message}")
                    }
                    None => format!("the source is version {version}"),
                });
                self.source = Some((version.clone(), commit.clone()));
                (self.progress)(ChildProgress::Source { version, commit });
            }
            ProcessLine::Pages { done, total } if done >= self.done && done <= total => {
                self.done = done;
                if done == total {
                    self.log(&format!("{done} pages are rendered"));
                }
                (self.progress)(ChildProgress::Pages { done, total });
            }
            ProcessLine::Pages { .. } => return Err(nonsense()),
            ProcessLine::Found { errors, warnings } => {
                (self.findings.errors, self.findings.warnings) = (errors, warnings);
            }
            ProcessLine::Finding(finding) => self.find(finding)?,
            last @ (ProcessLine::Built { .. } | ProcessLine::Failed { .. }) => self.last = Some(last),
        }
        Ok(())
    }

    /// Keeps a problem of the content, and says it in the log.
    fn find(&mut self, finding: Finding) -> Result<(), Stop> {
        let Findings { errors, warnings, first } = &mut self.findings;
        let most = errors.saturating_add(*warnings);
        if first.len() >= MAX_FINDINGS || first.len() as u64 >= most {
            return Err((Cause::Crash, "the exporter finds more than it says".to_owned()));
        }
        let finding = Finding {
            code: bounded_line(&finding.code),
            message: bounded_line(&finding.message),
            file: bounded_line(&finding.file),
            ..finding
        };
        let text = in_words(&finding);
        first.push(finding);
        let left = most - first.len() as u64;
        let is_last = first.len() == MAX_FINDINGS && left > 0;
        self.log(&text);
        if is_last {
            self.log(&format!("{left} more"));
        }
        Ok(())
    }

    /// Writes a line with its time.
    fn log(&mut self, text: &str) {
        if self.logs.len() < LOG_LINES {
            self.logs.push(format!("{} {}", Time::now(), bounded_line(text)));
        }
    }
}

/// What a stage of an export does; one that is not known here is called by its name.
fn stage_in_words(name: &str) -> &str {
    match name {
        "fetch" => "the source is fetched",
        "load" => "configuration and pages are read",
        "anchors" => "headings are collected, so that links can be checked",
        "theme" => "styles and scripts are prepared",
        "pages" => "pages are rendered",
        "search" => "the search index is made",
        "utilities" => "styles that pages use are made",
        "side" => "files beside the pages are made",
        "assets" => "pictures and other files are added",
        "finish" => "the bundle is written and checked",
        other => other,
    }
}

/// A problem of the content as a line of the log.
fn in_words(finding: &Finding) -> String {
    let Finding { is_error, code, message, file, line, column } = finding;
    let kind = if *is_error { "error" } else { "warning" };
    let place = match (file.as_str(), line) {
        ("", _) => String::new(),
        (file, 0) => format!(" {file}:"),
        (file, line) => format!(" {file}:{line}:{column}:"),
    };
    format!("{kind}[{code}]{place} {message}")
}

/// One line of bounded length without control characters.
fn bounded_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LOG_CHARS).collect()
}

/// Judges what a child that ended has left.
async fn settle<P: Fn(ChildProgress)>(
    work: &ChildWork,
    listener: &mut ChildListener<'_, P>,
    ended: &ChildExit,
    limits: &MachineLimits,
) -> Result<Built, Stop> {
    match (listener.last.take(), listener.source.take()) {
        (Some(ProcessLine::Built { pages, sha256, size }), Some((version, commit))) => {
            let archive = work.folder.join(ARCHIVE);
            let measured = make_archive_durable(archive.clone())
                .await
                .map_err(|error| (Cause::of(&error), format!("the bundle cannot be kept: {error}")))?;
            if measured != (sha256, size) {
                return Err((Cause::Crash, "the bundle is not the one that was made".to_owned()));
            }
            Ok(Built {
                archive,
                sha256: measured.0,
                size,
                pages,
                version,
                commit,
                logs: Vec::new(),
                findings: Findings::default(),
                signed_by: None,
            })
        }
        (Some(ProcessLine::Failed { cause, message }), _) if !message.trim().is_empty() => Err((cause, message)),
        _ => {
            let death = listener.died.unwrap_or_else(|| {
                let status = ended.status.as_ref().ok();
                Death { process: "fetcher", signal: signal(&ended.status), status: status.and_then(ExitStatus::code) }
            });
            let (cause, message) = explain(death, &ended.errors, limits);
            let Death { process, signal, status } = death;
            let job = work.folder.file_name().map(|name| name.to_string_lossy().into_owned());
            tracing::warn!(job, process, signal, status, why = message, "a process of a job has died");
            // for the operator alone: it may name anything of this machine
            for line in ended.errors.lines().rev().take(TAIL_LINES).collect::<Vec<_>>().into_iter().rev() {
                tracing::warn!(job, process, line = bounded_line(line), "it has said");
            }
            Err((cause, message))
        }
    }
}

/// Makes an archive durable, and counts what it is.
async fn make_archive_durable(archive: PathBuf) -> io::Result<(String, u64)> {
    let counted = tokio::task::spawn_blocking(move || {
        if !std::fs::symlink_metadata(&archive)?.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        let file = std::fs::File::open(&archive)?;
        file.sync_all()?;
        let (sha256, size) = digest::sha256(file)?;
        Ok((to_hex(&sha256), size))
    });
    counted.await.unwrap_or_else(|_| Err(io::Error::other("the work was given up")))
}

/// Why a process ended without a last word.
fn explain(death: Death, errors: &str, limits: &MachineLimits) -> Stop {
    let Death { process, signal, status } = death;
    if errors.contains("memory allocation of") || errors.contains("out of memory") {
        return too_much_memory(limits);
    }
    if errors.contains("overflowed its stack") {
        return (Cause::Crash, format!("the {process} crashed: its stack overflowed"));
    }
    match signal {
        Some(24) => (Cause::Limit, format!("the export used more than {} s of processor time", limits.cpu_seconds)),
        Some(25) => (Cause::Limit, format!("the export wrote a file of more than {} MB", limits.file_bytes >> 20)),
        Some(9) => (Cause::Crash, format!("the {process} was killed")),
        // on the processors that confinement knows
        Some(31) => (Cause::Crash, format!("the {process} made a system call that it may not make, and was killed")),
        Some(signal) => (Cause::Crash, format!("the {process} crashed (signal {signal})")),
        None => {
            let status = status.map_or_else(|| "without a status".to_owned(), |code| format!("with status {code}"));
            (Cause::Crash, format!("the {process} ended too early, {status}"))
        }
    }
}

/// The signal that ended a process; the numbers of those that matter are the same on all systems.
fn signal(status: &io::Result<ExitStatus>) -> Option<i32> {
    #[cfg(unix)]
    return status.as_ref().ok().and_then(std::os::unix::process::ExitStatusExt::signal);
    #[cfg(not(unix))]
    return status.as_ref().ok().and(None);
}
