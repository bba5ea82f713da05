//! The process that reads a source: it has no network, and sees nothing but the source and the folder that it writes.
//!
//! 1. It is told how to confine itself, does that, and waits for the source.
//! 2. It exports the source as the command line would, and says how far it is. What pages load from elsewhere is
//!    fetched by the other process ([`Broker`]).

use std::fs::File;
use std::io::{self, BufReader};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use base::hex::to_hex;
use base::{Diagnostic, digest};
use bundle::{Availability, BundleFeature, BundleFormat, Revision};
use confine::confine_renderer;
use export::{BundleOutput, ExportOptions, ListedRoot, Services};
use fetch::archive::{self, open_archive};
use fetch::git;
use fetch::{Broker, FetchPolicy, read_line};
use frame::asset::remote;
use site::tree::SourceTree;

use super::bounds::take_limits;
use super::line::{LocalSource, ProcessBounds, ProcessLine, RendererSetup, Rendering};
use super::tell::{LineTeller, TellFailure, failed_archive, failed_git, system};
use super::{ARCHIVE, Cause, ChildWork, CommitRecord, JobSource};

/// What it keeps of assets from elsewhere.
const CACHE: &str = "cache";

/// Renders what is described on standard input, which is a connection to the process that fetches, and reports with
/// `say`, line by line.
///
/// # Errors
/// There was no description that makes sense: this is not for people to call. Failures of the work are said, not
/// returned.
pub fn render_from_input(say: impl Fn(&str) + Sync) -> Result<(), String> {
    let failed = |error: io::Error| error.to_string();
    let channel = File::from(io::stdin().as_fd().try_clone_to_owned().map_err(failed)?);
    let mut input = BufReader::new(channel.try_clone().map_err(failed)?);
    let setup: Option<RendererSetup> = read_line(&mut input).ok().flatten();
    let RendererSetup { view, layers, mut bounds, is_trial } =
        setup.ok_or("this command is for the service alone: it reads its work from standard input")?;
    // the files that say it are out of sight later
    bounds.threads = bounds.threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from));
    take_limits(&bounds).map_err(|error| format!("cannot take on limits: {error}"))?;
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
        .map_err(|error| error.to_string())?;
    let tell = LineTeller::new(&say);
    match confine_renderer(&view, layers) {
        Err(why) => {
            tell.line(&ProcessLine::Failed {
                cause: Cause::System,
                message: format!("the renderer cannot be confined: {why}"),
            });
            return Ok(());
        }
        Ok(landlock) if is_trial => {
            tell.line(&ProcessLine::Confined { landlock });
            return Ok(());
        }
        Ok(_) => {}
    }
    // without a source the other process has said why
    let Some(rendering) = read_line::<Rendering>(&mut input).map_err(failed)? else { return Ok(()) };
    let broker = Broker::start(input, channel, || std::process::exit(1)).map_err(failed)?;
    match perform_rendering(&rendering, &bounds, broker, &tell) {
        Ok(built) => tell.line(&built),
        Err((cause, message)) => tell.line(&ProcessLine::Failed { cause, message }),
    }
    Ok(())
}

fn perform_rendering(
    rendering: &Rendering,
    bounds: &ProcessBounds,
    broker: Broker,
    tell: &LineTeller<'_>,
) -> Result<ProcessLine, TellFailure> {
    let work = &rendering.work;
    let JobSource::Folder { path: root } = &work.source else {
        return Err((Cause::System, "the source is not here".to_owned()));
    };
    let (listed, commit) = list_local_source(&rendering.local, root, work, bounds)?;
    let version = match (&work.version, &commit) {
        (Some(version), _) => version.clone(),
        (None, Some(commit)) => first_digits(&commit.sha),
        (None, None) => first_digits(&to_hex(
            &listed.tree.digest().map_err(|error| (Cause::Source, format!("the source cannot be read: {error}")))?,
        )),
    };
    tell.line(&ProcessLine::Source { version: version.clone(), commit });
    let options = export_options(work, bounds, root.clone(), version, broker);
    let report = export::export_listed(listed, &options, &|event| tell.event(event), &AtomicBool::new(false))
        .map_err(failed_export)?;
    // what all deployments of a kind have needs no switch
    let is_usual = BundleFeature::Analytics.availability(work.deployment) == Availability::Yes;
    let findings: Vec<&Diagnostic> =
        report.diagnostics.iter().filter(|diagnostic| !is_usual || diagnostic.code != "analytics-empty").collect();
    tell.findings(&findings);
    let (sha256, size) = File::open(&options.output.path).and_then(digest::sha256).map_err(|error| system(&error))?;
    Ok(ProcessLine::Built { pages: report.pages, sha256: to_hex(&sha256), size })
}

/// Lists the files of a source.
fn list_local_source(
    local: &LocalSource,
    root: &Path,
    work: &ChildWork,
    bounds: &ProcessBounds,
) -> Result<(ListedRoot, Option<CommitRecord>), TellFailure> {
    match local {
        LocalSource::Folder => {
            let (tree, problems) = SourceTree::list(root);
            Ok((ListedRoot { tree, problems, revision: None }, None))
        }
        LocalSource::Commit { fetched, subdir } => {
            let repository = git::FetchedCommit::open(root, fetched).map_err(failed_git)?;
            // the configuration may stand in a folder around
            let subdir = import::root_within(&repository.lookup(), subdir, work.tool());
            let (tree, problems) = SourceTree::of_stored(repository.files(&subdir).map_err(failed_git)?);
            let commit = repository.commit(&subdir).map_err(failed_git)?;
            let revision = Some(Revision { commit: commit.sha.clone(), dirty: false });
            Ok((ListedRoot { tree, problems, revision }, Some(commit)))
        }
        LocalSource::Archive { subdir } => {
            let limits = archive::ArchiveBounds { seconds: bounds.seconds, bytes: bounds.fetch_bytes };
            let opened = |folder: &str| {
                let files = open_archive(root, &work.folder, folder, limits, &AtomicBool::new(false));
                files.map(SourceTree::of_stored)
            };
            let whole = if subdir.is_empty() { None } else { opened("").ok() };
            let folder =
                whole.map_or_else(|| subdir.clone(), |(tree, _)| import::root_within(&tree, subdir, work.tool()));
            let (tree, problems) = opened(&folder).map_err(failed_archive)?;
            Ok((ListedRoot { tree, problems, revision: None }, None))
        }
    }
}

/// The options of the same export on the command line.
fn export_options(
    work: &ChildWork,
    bounds: &ProcessBounds,
    source: PathBuf,
    version: String,
    broker: Broker,
) -> ExportOptions {
    ExportOptions {
        domain: work.domain.clone(),
        version: Some(version),
        // names of pages, not patterns
        paths: work.paths.iter().map(|path| globset::escape(path)).collect(),
        groups: work.groups.clone(),
        every_path: true,
        jobs: bounds.threads,
        optimize_png: work.optimize_png,
        from: work.tool(),
        services: Services {
            deployment: work.deployment,
            search: work.search.clone(),
            assistant: work.assistant.clone(),
            playground: work.features.playground,
            analytics: work.features.analytics,
            offline_search: work.features.offline_search,
        },
        remote: remote::RemoteOptions {
            mode: remote::RemoteMode::On,
            only_descriptions: false,
            offline: false,
            policy: FetchPolicy::default(),
            lock: None,
            lock_only_read: true,
            cache: Some(work.folder.join(CACHE)),
            limits: fetch::DownloadLimits::default(),
            fonts: None,
            broker: Some(broker),
        },
        ..ExportOptions::new(source, BundleOutput { path: work.folder.join(ARCHIVE), format: BundleFormat::Zip })
    }
}

fn first_digits(digest: &str) -> String {
    digest.chars().take(12).collect()
}

fn failed_export(error: export::ExportError) -> TellFailure {
    let cause = match &error {
        export::ExportError::Source(_) | export::ExportError::Config(_) => Cause::Content,
        // they are the service's own, and so is the folder of the work
        export::ExportError::Options(_) => Cause::System,
        export::ExportError::Io { source, .. } => Cause::of(source),
        export::ExportError::Canceled => Cause::Canceled,
    };
    let why = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
    (cause, format!("{error}{why}"))
}
