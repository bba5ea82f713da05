//! The process that has the network: it gets the source, and what pages load from elsewhere, for the one that reads
//! them. It is the only one that knows the source's address and its credentials, and writes into the work's folder
//! alone.

use std::fs::DirBuilder;
use std::io::{self, BufReader, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use confine::{FileSystemView, Layers, Programs, confine_fetcher};
use fetch::archive;
use fetch::git::{self, Protocol};
use fetch::{Client, DownloadLimits, FetchPolicy, System, read_line, serve_downloads, write_line};

use super::bounds::{end_with, take_limits};
use super::line::{LocalSource, ProcessBounds, ProcessLine, RendererSetup, Rendering, Request};
use super::tell::{LineTeller, TellFailure, failed_archive, failed_git, system};
use super::{ARCHIVE, Cause, ChildWork, JobSource, RENDERER, own_program};

/// How long a repository may take to name its branches, seconds: that is beside the work.
const LISTING_SECONDS: u64 = 30;
/// Folders within the work's: what is fetched, what is rendered, and an empty one.
const FETCHED: &str = "fetched";
const RENDERED: &str = "rendered";
const ROOT: &str = "root";
/// What is fetched.
const REPOSITORY: &str = "repository";
const BRANCHES: &str = "branches";
const DOWNLOAD: &str = "source";
/// Folders that are looked at on the way up to the one with the repository.
const MAX_FOLDERS: usize = 64;

/// What the process finds around it.
#[derive(Debug, Default)]
pub struct FetcherHome {
    /// Certificates of the authorities that sign those of servers, if they are not the system's.
    pub certificates: Option<PathBuf>,
    /// The folder of its user, with keys for `ssh`.
    pub home: Option<PathBuf>,
}

/// Does the work that `input` describes, and reports progress with `say`, line by line. `input` stays open for as long
/// as the work is not canceled.
///
/// # Errors
/// There was no request that makes sense: this is not for people to call. Failures of the work are said, not returned.
pub fn serve_fetcher(
    input: impl Read + Send + 'static,
    say: impl Fn(&str) + Sync,
    around: &FetcherHome,
) -> Result<(), String> {
    let mut input = BufReader::new(input);
    let request: Option<Request> = read_line(&mut input).ok().flatten();
    let request = request.ok_or("this command is for the service alone: it reads its work from standard input")?;
    take_limits(&request.bounds).map_err(|error| format!("cannot take on limits: {error}"))?;
    let tell = LineTeller::new(&say);
    if let Err((cause, message)) = perform_fetch(request, input, around, &tell) {
        tell.line(&ProcessLine::Failed { cause, message });
    }
    Ok(())
}

fn perform_fetch(
    request: Request,
    input: impl Read + Send + 'static,
    around: &FetcherHome,
    tell: &LineTeller<'_>,
) -> Result<(), TellFailure> {
    let Request { work, bounds, layers } = request;
    let places = ProcessPlaces::make(&work)?;
    let policy = super::policy(&work.allow_private)?;
    let mut renderer = RendererProcess::start(&places, layers, bounds)?;
    confine(&work, &places, around, layers)?;
    end_with(input);
    let obtained = obtain(&work, &bounds, &places, &policy, tell);
    let outcome = obtained.and_then(|local| {
        tell.line(&ProcessLine::Fetched);
        let work = ChildWork {
            source: JobSource::Folder { path: places.source.clone() },
            folder: places.rendered.clone(),
            ..work.clone()
        };
        renderer.serve(&Rendering { work, local })
    });
    renderer.end(tell)?;
    outcome?;
    // one that left nothing has said why
    let _ = std::fs::rename(places.rendered.join(ARCHIVE), work.folder.join(ARCHIVE));
    Ok(())
}

/// Where things are.
struct ProcessPlaces {
    /// The source, once it is there.
    source: PathBuf,
    /// What belongs to it and lies elsewhere: the repository around a folder.
    around: Option<PathBuf>,
    fetched: PathBuf,
    rendered: PathBuf,
    root: PathBuf,
}

impl ProcessPlaces {
    fn make(work: &ChildWork) -> Result<Self, TellFailure> {
        let failed = |error: io::Error| (Cause::of(&error), format!("cannot create the work's folders: {error}"));
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700).create(&work.folder).map_err(failed)?;
        let folder = work.folder.canonicalize().map_err(failed)?;
        let [fetched, rendered, root] = [FETCHED, RENDERED, ROOT].map(|name| folder.join(name));
        [&fetched, &rendered, &root].into_iter().try_for_each(|path| builder.create(path)).map_err(failed)?;
        let mut around = None;
        let source = match &work.source {
            JobSource::Folder { path } => {
                let given = import::find_source_root(path).map_err(|message| (Cause::Source, message))?;
                // the configuration may stand in a folder around
                let given = import::project_root(&given, work.tool());
                let source = given.canonicalize().ok().filter(|path| path.is_dir());
                let source = source.ok_or_else(|| (Cause::Source, "the source folder is not there".to_owned()))?;
                let above = source.ancestors().take(MAX_FOLDERS).map(|folder| folder.join(".git"));
                around = above.skip(1).find(|repository| repository.is_dir());
                source
            }
            JobSource::Git { .. } => fetched.join(REPOSITORY),
            JobSource::Archive { .. } => fetched.join(DOWNLOAD),
        };
        Ok(Self { source, around, fetched, rendered, root })
    }

    /// What the renderer sees.
    fn view(&self) -> FileSystemView {
        let is_fetched = self.source.starts_with(&self.fetched);
        let source = if is_fetched { &self.fetched } else { &self.source };
        let read = std::iter::once(source).chain(&self.around).cloned().collect();
        FileSystemView { read, write: vec![self.rendered.clone()], root: self.root.clone() }
    }
}

/// Confines this process, which has one thread yet.
fn confine(work: &ChildWork, places: &ProcessPlaces, around: &FetcherHome, layers: Layers) -> Result<(), TellFailure> {
    let mut read: Vec<PathBuf> = around.certificates.iter().cloned().collect();
    let mut programs = Programs::None;
    if let JobSource::Git { url, protocols, .. } = &work.source {
        // an address that is none is reported when it is fetched from
        match git::RemoteUrl::parse(url, protocols).ok().map(|address| address.protocol()) {
            Some(Protocol::Ssh) => {
                programs = Programs::Any;
                read.extend(around.home.as_ref().map(|home| home.join(".ssh")));
            }
            Some(Protocol::File) => {
                programs = Programs::Any;
                read.push(PathBuf::from(url.strip_prefix("file://").unwrap_or(url)));
            }
            Some(Protocol::Https) | None => {}
        }
    }
    let view = FileSystemView { read, write: vec![work.folder.clone()], root: places.root.clone() };
    confine_fetcher(&view, layers, programs)
        .map_err(|why| (Cause::System, format!("the fetcher cannot be confined: {why}")))
}

/// The process that renders, and the way to it.
struct RendererProcess {
    process: Child,
    channel: UnixStream,
}

impl RendererProcess {
    /// Starts it, before this process is confined; it confines itself and waits.
    fn start(places: &ProcessPlaces, layers: Layers, bounds: ProcessBounds) -> Result<Self, TellFailure> {
        let started = || -> io::Result<Self> {
            let (mut channel, theirs) = UnixStream::pair()?;
            let mut command = Command::new(own_program());
            command.args(["job", RENDERER]).env_clear().stdin(Stdio::from(OwnedFd::from(theirs)));
            let process = command.spawn()?;
            let setup = RendererSetup { view: places.view(), layers, bounds, is_trial: false };
            write_line(&mut channel, &setup, &[])?;
            Ok(Self { process, channel })
        };
        started().map_err(|error| (Cause::of(&error), format!("cannot start the renderer: {error}")))
    }

    /// Has it render, and fetches what it asks for until it ends.
    fn serve(&mut self, rendering: &Rendering) -> Result<(), TellFailure> {
        let failed = |error: &dyn std::fmt::Display| (Cause::System, format!("cannot serve the renderer: {error}"));
        // one that has gone is asked how
        if write_line(&mut self.channel, rendering, &[]).is_err() {
            return Ok(());
        }
        // what is allowed for the source is not allowed for what its pages load
        let client = || Client::new(FetchPolicy::default(), DownloadLimits::default(), Arc::new(System));
        let input = self.channel.try_clone().map_err(|error| failed(&error))?;
        let output = self.channel.try_clone().map_err(|error| failed(&error))?;
        serve_downloads(BufReader::new(input), output, client).map_err(|error| failed(&error))
    }

    /// Waits for its end, and says if it is not as it should be.
    fn end(mut self, tell: &LineTeller<'_>) -> Result<(), TellFailure> {
        let _ = self.channel.shutdown(std::net::Shutdown::Both);
        let status = self.process.wait().map_err(|error| system(&error))?;
        if !status.success() {
            tell.line(&ProcessLine::Died { signal: status.signal(), status: status.code() });
        }
        Ok(())
    }
}

/// Gets the source.
fn obtain(
    work: &ChildWork,
    bounds: &ProcessBounds,
    places: &ProcessPlaces,
    policy: &FetchPolicy,
    tell: &LineTeller<'_>,
) -> Result<LocalSource, TellFailure> {
    match &work.source {
        JobSource::Folder { .. } => Ok(LocalSource::Folder),
        JobSource::Git { url, branch, subdir, since, protocols, shown } => {
            tell.line(&ProcessLine::Stage { name: "fetch".to_owned() });
            let address = git::RemoteUrl::parse(url, protocols).map_err(failed_git)?;
            let target =
                git::FetchTarget { address: &address, branch: branch.as_deref(), since: since.as_deref(), policy };
            let limits = git::FetchBounds {
                seconds: bounds.seconds,
                bytes: bounds.fetch_bytes,
                threads: bounds.threads.unwrap_or(2),
            };
            let fetched = git::FetchedCommit::fetch(&target, &places.source, limits, &AtomicBool::new(false));
            if !shown.is_empty() && matches!(fetched, Ok(_) | Err(git::GitError::NoBranch(_))) {
                tell_gone(&address, shown, policy, &places.fetched.join(BRANCHES), limits, tell);
            }
            let fetched = fetched.map_err(failed_git)?.fetched();
            Ok(LocalSource::Commit { fetched, subdir: subdir.clone().unwrap_or_default() })
        }
        JobSource::Archive { url, subdir } => {
            tell.line(&ProcessLine::Stage { name: "fetch".to_owned() });
            let limits = archive::ArchiveBounds { seconds: bounds.seconds, bytes: bounds.fetch_bytes };
            archive::fetch(url, &places.source, limits, policy.clone()).map_err(failed_archive)?;
            Ok(LocalSource::Archive { subdir: subdir.clone().unwrap_or_default() })
        }
    }
}

/// Reports which branches are gone. A failure does not end the work: the next fetch tries again.
fn tell_gone(
    address: &git::RemoteUrl,
    shown: &[String],
    policy: &FetchPolicy,
    folder: &Path,
    limits: git::FetchBounds,
    tell: &LineTeller<'_>,
) {
    let limits = git::FetchBounds { seconds: limits.seconds.min(LISTING_SECONDS), ..limits };
    if let Ok(branches) = git::deleted_branches(address, shown, policy, folder, limits)
        && !branches.is_empty()
    {
        tell.line(&ProcessLine::Gone { branches });
    }
}
