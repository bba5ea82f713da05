//! `offprint export --confine`: the export in a process that has no network and sees nothing but the source.
//!
//! 1. This process checks where the bundle goes, and starts itself again with the hidden flag `--confined`. What pages
//!    load from elsewhere it fetches for the other one, and does nothing else: it reads no file of the source.
//! 2. The other one reads a line about what it may see, confines itself, and goes on as any export, which writes into
//!    a folder beside the place of the bundle.
//! 3. When it has ended well, the bundle gets its name.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::net::Shutdown;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use confine::{FileSystemView, Isolation, Layers, close_inherited, confine_renderer};
use fetch::{Broker, Client, System, read_line, serve_downloads, write_line};

use bundle::{BundleOptions, Handover};
use export::ExportOptions;
use service::job::child::{MachineLimits, find_layers, own_program};

use super::scratch::Scratch;
use super::{Exit, cancel_on_signal, tell_error};

/// The flag that makes a process the confined one.
const FLAG: &str = "--confined";
/// Names in the folder that is written.
const CACHE: &str = "cache";
const REPORT: &str = "report";
/// How often a signal is looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// What the confined process is told.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ConfinedSetup {
    view: FileSystemView,
    layers: Layers,
    output: PathBuf,
    folder: PathBuf,
    threads: Option<usize>,
}

/// The export that a confined process makes.
pub(super) struct Confined {
    setup: ConfinedSetup,
    broker: Broker,
}

impl Confined {
    /// Confines this process, which has one thread, as its standard input says.
    ///
    /// # Errors
    /// A sentence: it was not started for that, or a layer is not to be had.
    pub(super) fn enter() -> Result<Self, String> {
        let failed = |error: io::Error| error.to_string();
        close_inherited();
        let channel = File::from(io::stdin().as_fd().try_clone_to_owned().map_err(failed)?);
        let mut input = BufReader::new(channel.try_clone().map_err(failed)?);
        let setup: Option<ConfinedSetup> = read_line(&mut input).ok().flatten();
        let setup = setup.ok_or_else(|| format!("`{FLAG}` is for `--confine` alone"))?;
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
            .map_err(|error| error.to_string())?;
        confine_renderer(&setup.view, setup.layers).map_err(|why| format!("the export cannot be confined: {why}"))?;
        let broker = Broker::start(input, channel, || std::process::exit(i32::from(Exit::Canceled as u8)));
        Ok(Self { setup, broker: broker.map_err(failed)? })
    }

    /// The options, with what they lead to within sight.
    pub(super) fn adapt(&self, mut options: ExportOptions) -> ExportOptions {
        options.output.path.clone_from(&self.setup.output);
        options.jobs = options.jobs.or(self.setup.threads);
        options.remote.broker = Some(self.broker.clone());
        options.remote.cache = Some(self.setup.folder.join(CACHE));
        options.remote.lock_only_read = true;
        options
    }

    /// Where the report goes.
    pub(super) fn report(&self) -> PathBuf {
        self.setup.folder.join(REPORT)
    }
}

/// Has another process export, confined; ends as that ends. `report` has been checked.
///
/// # Errors
/// A sentence: it cannot be confined, or the bundle cannot get its name.
pub(super) fn export_confined(options: &ExportOptions, report: Option<&Path>) -> Result<Exit, String> {
    let layers = find_layers_here()?;
    let root = import::find_source_root(&options.source)?;
    let source = root.canonicalize().map_err(|error| format!("cannot read the source: {error}"))?;
    let bundle =
        BundleOptions { path: options.output.path.clone(), source: root.clone(), format: options.output.format };
    let handover = Handover::begin(&bundle).map_err(|error| super::message_of(&error))?;
    let scratch = Scratch::create("confine").map_err(|error| format!("cannot create a temporary folder: {error}"))?;
    let mut read = vec![source];
    // under the name that it was given, too
    read.extend(std::path::absolute(&root).ok().filter(|path| *path != read[0]));
    read.extend(options.remote.lock.as_deref().and_then(|lock| lock.canonicalize().ok()));
    let setup = ConfinedSetup {
        view: FileSystemView { read, write: vec![handover.folder().to_owned()], root: scratch.0.clone() },
        layers,
        output: handover.place(),
        folder: handover.folder().to_owned(),
        threads: std::thread::available_parallelism().ok().map(usize::from),
    };
    let cancel = cancel_on_signal();
    let status = run_confined(&setup, options, &cancel).map_err(|error| format!("cannot start the export: {error}"))?;
    let exit = match status.code() {
        _ if cancel.load(Ordering::Relaxed) => Exit::Canceled,
        Some(0) => Exit::Done,
        Some(1) => Exit::Errors,
        Some(130) => Exit::Canceled,
        // it has said why
        Some(2) => Exit::Unusable,
        _ => {
            tell_error(format_args!("the export died ({status}); nothing was written"));
            Exit::Unusable
        }
    };
    if matches!(exit, Exit::Done | Exit::Errors) {
        if let Some(report) = report {
            keep_report(&handover.folder().join(REPORT), report)?;
        }
        handover.publish().map_err(|error| super::message_of(&error))?;
    }
    Ok(exit)
}

fn find_layers_here() -> Result<Layers, String> {
    let scratch = Scratch::create("trial").map_err(|error| format!("cannot create a temporary folder: {error}"))?;
    let layers = find_layers(&MachineLimits::default(), Isolation::BestEffort, &scratch.0.join("trial"))?;
    match layers.suffices() {
        true => Ok(layers),
        false => Err(format!("`--confine` is not possible on this machine: {}", layers.lacks().join("; "))),
    }
}

/// Starts the other process with the same arguments, and fetches for it until it ends.
fn run_confined(setup: &ConfinedSetup, options: &ExportOptions, cancel: &Arc<AtomicBool>) -> io::Result<ExitStatus> {
    let (mut channel, theirs) = UnixStream::pair()?;
    let mut arguments = std::env::args_os().skip(1);
    let mut command = Command::new(own_program());
    command.args(arguments.next()).arg(FLAG).args(arguments).stdin(Stdio::from(OwnedFd::from(theirs)));
    let mut child = command.spawn()?;
    // it holds the other end now: when it has gone, reading ends
    drop(command);
    write_line(&mut channel, setup, &[])?;
    let (watched, cancel) = (channel.try_clone()?, Arc::clone(cancel));
    std::thread::spawn(move || {
        while !cancel.load(Ordering::Relaxed) {
            std::thread::sleep(POLL_INTERVAL);
        }
        let _ = watched.shutdown(Shutdown::Both);
    });
    let remote = &options.remote;
    let client = || Client::new(remote.policy.clone(), fetch::DownloadLimits::default(), Arc::new(System));
    serve_downloads(BufReader::new(channel.try_clone()?), channel.try_clone()?, client)?;
    let _ = channel.shutdown(Shutdown::Both);
    child.wait()
}

/// Takes a report that the other process has written to its place.
fn keep_report(written: &Path, place: &Path) -> Result<(), String> {
    let copy = || -> io::Result<()> {
        if !fs::symlink_metadata(written)?.is_file() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let bytes = fs::read(written)?;
        super::report_file::write_report_file(place, |out| io::Write::write_all(out, &bytes))
    };
    copy().map_err(|error| format!("the report `{}` cannot be written: {error}", place.display()))
}
