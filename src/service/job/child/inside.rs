//! The child's side: one request in, one archive out.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::base::{Diagnostic, Severity, digest, hex};
use crate::export::{self, Event, ExportOptions, Listed, Output, Report, Services};
use crate::frame::asset::remote;
use crate::output::bundle::{Availability, Feature, Format, Revision};
use crate::source::archive;
use crate::source::fetch::{self, Policy};
use crate::source::git;
use crate::source::site::{self, SourceTree};

use super::line::{Bounds, Line, Request};
use super::{Cause, Commit, JobSource, LOG_CHARS, LOG_LINES, Work, confine};

/// Longest request, bytes.
const REQUEST_BYTES: u64 = 32 << 20;
/// How often pages are counted aloud.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// How long a repository may take to name its branches, seconds: that is beside the work.
const LISTING_SECONDS: u64 = 30;
/// Files in the work's folder. The archive is the only one that stays.
pub(super) const ARCHIVE: &str = "bundle.zip";
const REPOSITORY: &str = "repository";
const BRANCHES: &str = "branches";
const DOWNLOAD: &str = "source";
const CACHE: &str = "cache";

/// Why there is no archive, for the other side.
type Failed = (Cause, String);

/// Does the work that `input` describes, and reports progress with `say`, line by line. `input` stays open for as long
/// as the work is not canceled.
///
/// # Errors
/// There was no request that makes sense: this is not for people to call. Failures of the work are said, not returned.
pub fn serve(input: impl Read + Send + 'static, say: impl Fn(&str) + Sync) -> Result<(), String> {
    let mut input = BufReader::new(input);
    let mut text = String::new();
    input.by_ref().take(REQUEST_BYTES).read_line(&mut text).map_err(|error| error.to_string())?;
    let request: Request = serde_json::from_str(&text)
        .map_err(|_| "this command is for the service alone: it reads its work from standard input".to_owned())?;
    drop(text);
    confine::end_with(input);
    confine::confine(&request.bounds).map_err(|error| format!("cannot take on limits: {error}"))?;
    let tell = Tell { say: &say, pages: Mutex::new((0, None)) };
    match perform(&request, &tell) {
        Ok(built) => tell.line(&built),
        Err((cause, message)) => tell.line(&Line::Failed { cause, message }),
    }
    Ok(())
}

/// Says lines.
struct Tell<'a> {
    say: &'a (dyn Fn(&str) + Sync),
    /// Pages that were said last, and when.
    pages: Mutex<(u64, Option<Instant>)>,
}

impl Tell<'_> {
    fn line(&self, line: &Line) {
        if let Ok(text) = serde_json::to_string(line) {
            (self.say)(&text);
        }
    }

    fn event(&self, event: Event) {
        match event {
            Event::Stage { name, .. } => self.line(&Line::Stage { name: name.to_owned() }),
            Event::Pages { done, total } => {
                let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
                let is_due = done == total || pages.1.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL);
                // threads may overtake each other
                if done > pages.0 && is_due {
                    *pages = (done, Some(Instant::now()));
                    self.line(&Line::Pages { done, total });
                }
            }
            // the report has them all, in order
            Event::Diagnostic(_) => {}
        }
    }

    /// Says what is wrong with the content, as far as a log has room.
    fn log(&self, found: &[&Diagnostic]) {
        let room = LOG_LINES / 2;
        for diagnostic in found.iter().take(room) {
            self.line(&Line::Log { text: in_words(diagnostic) });
        }
        if found.len() > room {
            self.line(&Line::Log { text: format!("{} more", found.len() - room) });
        }
    }
}

fn in_words(diagnostic: &Diagnostic) -> String {
    let Diagnostic { code, severity, message, file, line, column, .. } = diagnostic;
    let kind = if *severity == Severity::Error { "error" } else { "warning" };
    let place = match (file.as_str(), line) {
        ("", _) => String::new(),
        (file, 0) => format!(" {file}:"),
        (file, line) => format!(" {file}:{line}:{column}:"),
    };
    format!("{kind}[{code}]{place} {message}").chars().take(LOG_CHARS).collect()
}

fn perform(request: &Request, tell: &Tell<'_>) -> Result<Line, Failed> {
    let Request { work, bounds } = request;
    fs::create_dir_all(&work.folder).map_err(|error| system(&error))?;
    let policy = policy(&work.allow_private)?;
    let obtained = obtain(work, bounds, &policy, tell)?;
    let version = match (&work.version, &obtained.commit) {
        (Some(version), _) => version.clone(),
        (None, Some(commit)) => first_digits(&commit.sha),
        (None, None) => first_digits(&hex::hex(
            &obtained
                .listed
                .tree
                .digest()
                .map_err(|error| (Cause::Source, format!("the source cannot be read: {error}")))?,
        )),
    };
    tell.line(&Line::Source { version: version.clone(), commit: obtained.commit });
    let options = options(work, bounds, obtained.root, version, policy);
    let report = export::export_listed(obtained.listed, &options, &|event| tell.event(event), &AtomicBool::new(false))
        .map_err(failed_export)?;
    // what all deployments of a kind have needs no switch
    let is_usual = Feature::Analytics.availability(work.deployment) == Availability::Yes;
    let told: Vec<&Diagnostic> =
        report.diagnostics.iter().filter(|diagnostic| !is_usual || diagnostic.code != "analytics-empty").collect();
    tell.log(&told);
    built(&options.output.path, &report)
}

/// A source that is at hand.
struct Obtained {
    listed: Listed,
    /// Where it came from, on this machine.
    root: PathBuf,
    commit: Option<Commit>,
}

fn obtain(work: &Work, bounds: &Bounds, policy: &Policy, tell: &Tell<'_>) -> Result<Obtained, Failed> {
    match &work.source {
        JobSource::Folder { path } => {
            let root = site::root(path).map_err(|message| (Cause::Source, message))?;
            if !root.is_dir() {
                return Err((Cause::Source, "the source folder is not there".to_owned()));
            }
            // the configuration of another tool may stand in a folder around
            let (tree, problems) = SourceTree::list(&site::tool::project_root(&root, None));
            Ok(Obtained { listed: Listed { tree, problems, revision: None }, root, commit: None })
        }
        JobSource::Git { url, branch, subdir, since, protocols, shown } => {
            tell.line(&Line::Stage { name: "fetch".to_owned() });
            let root = work.folder.join(REPOSITORY);
            let address = git::Address::parse(url, protocols).map_err(failed_git)?;
            let wanted =
                git::FetchTarget { address: &address, branch: branch.as_deref(), since: since.as_deref(), policy };
            let limits = git::Bounds {
                seconds: bounds.seconds,
                bytes: bounds.fetch_bytes,
                threads: bounds.threads.unwrap_or(2),
            };
            let fetched = git::Repository::fetch(&wanted, &root, limits, &AtomicBool::new(false));
            if !shown.is_empty() && matches!(fetched, Ok(_) | Err(git::Error::NoBranch(_))) {
                tell_gone(&address, shown, policy, &work.folder.join(BRANCHES), limits, tell);
            }
            let repository = fetched.map_err(failed_git)?;
            let subdir = subdir.as_deref().unwrap_or_default();
            let (tree, problems) = repository.tree(subdir).map_err(failed_git)?;
            let commit = repository.commit(subdir).map_err(failed_git)?;
            let revision = Some(Revision { commit: commit.sha.clone(), dirty: false });
            Ok(Obtained { listed: Listed { tree, problems, revision }, root, commit: Some(commit) })
        }
        JobSource::Archive { url, subdir } => {
            tell.line(&Line::Stage { name: "fetch".to_owned() });
            let root = work.folder.join(DOWNLOAD);
            let limits = archive::Bounds { seconds: bounds.seconds, bytes: bounds.fetch_bytes };
            archive::fetch(url, &root, limits, policy.clone()).map_err(failed_archive)?;
            let opened = archive::open(
                &root,
                &work.folder,
                subdir.as_deref().unwrap_or_default(),
                limits,
                &AtomicBool::new(false),
            );
            let (tree, problems) = opened.map_err(failed_archive)?;
            Ok(Obtained { listed: Listed { tree, problems, revision: None }, root, commit: None })
        }
    }
}

/// Reports which branches are gone. A failure does not end the work: the next fetch tries again.
fn tell_gone(
    address: &git::Address,
    shown: &[String],
    policy: &Policy,
    folder: &Path,
    limits: git::Bounds,
    tell: &Tell<'_>,
) {
    let limits = git::Bounds { seconds: limits.seconds.min(LISTING_SECONDS), ..limits };
    if let Ok(branches) = git::gone(address, shown, policy, folder, limits)
        && !branches.is_empty()
    {
        tell.line(&Line::Gone { branches });
    }
}

/// The options of the same export on the command line.
fn options(work: &Work, bounds: &Bounds, source: PathBuf, version: String, policy: Policy) -> ExportOptions {
    ExportOptions {
        domain: work.domain.clone(),
        version: Some(version),
        // names of pages, not patterns
        paths: work.paths.iter().map(|path| globset::escape(path)).collect(),
        groups: work.groups.clone(),
        every_path: true,
        jobs: bounds.threads,
        optimize_png: work.optimize_png,
        services: Services {
            deployment: work.deployment,
            search: work.search.clone(),
            assistant: work.assistant.clone(),
            playground: work.features.playground,
            analytics: work.features.analytics,
            offline_search: work.features.offline_search,
        },
        remote: remote::RemoteOptions {
            mode: remote::Mode::On,
            only_descriptions: false,
            offline: false,
            policy,
            lock: None,
            lock_only_read: true,
            cache: Some(work.folder.join(CACHE)),
            limits: fetch::Limits::default(),
            fonts: None,
        },
        ..ExportOptions::new(source, Output { path: work.folder.join(ARCHIVE), format: Format::Zip })
    }
}

fn policy(allow_private: &[String]) -> Result<Policy, Failed> {
    let named = allow_private.iter().filter(|server| *server != "*").map(|server| server.parse());
    let own = named
        .collect::<Result<_, _>>()
        .map_err(|why| (Cause::System, format!("a server that may be private: {why}")))?;
    Ok(Policy { allow_private: allow_private.iter().any(|server| server == "*"), own, ports: Vec::new() })
}

fn built(archive: &Path, report: &Report) -> Result<Line, Failed> {
    let (sha256, size) = fs::File::open(archive).and_then(digest::of).map_err(|error| system(&error))?;
    Ok(Line::Built { pages: report.pages, sha256: hex::hex(&sha256), size })
}

fn first_digits(digest: &str) -> String {
    digest.chars().take(12).collect()
}

fn system(error: &io::Error) -> Failed {
    (cause_of(error), format!("cannot write the bundle: {error}"))
}

fn cause_of(error: &io::Error) -> Cause {
    match error.kind() {
        io::ErrorKind::FileTooLarge => Cause::Limit,
        _ => Cause::System,
    }
}

fn failed_export(error: export::Error) -> Failed {
    let cause = match &error {
        export::Error::Source(_) | export::Error::Config(_) => Cause::Content,
        // they are the service's own, and so is the folder of the work
        export::Error::Options(_) => Cause::System,
        export::Error::Io { source, .. } => cause_of(source),
        export::Error::Canceled => Cause::Canceled,
    };
    let why = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
    (cause, format!("{error}{why}"))
}

fn failed_git(error: git::Error) -> Failed {
    let cause = match error {
        git::Error::NoBranch(_) => Cause::NoBranch,
        git::Error::NoFolder(_) => Cause::Content,
        git::Error::TooManyFiles(_) | git::Error::TooLarge(_) | git::Error::Slow(_) => Cause::Limit,
        git::Error::Canceled => Cause::Canceled,
        _ => Cause::Source,
    };
    (cause, error.to_string())
}

fn failed_archive(error: archive::Error) -> Failed {
    let cause = match &error {
        archive::Error::NoFolder(_) => Cause::Content,
        archive::Error::TooManyFiles(_) | archive::Error::TooLarge(_) => Cause::Limit,
        archive::Error::Kept(error) => cause_of(error),
        archive::Error::Canceled => Cause::Canceled,
        _ => Cause::Source,
    };
    (cause, error.to_string())
}
