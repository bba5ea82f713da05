//! Which files change below a folder. Only folders that belong to the site are watched, each by itself: a system's
//! watchers are few, and ignored folders may hold very many others. The folder that the root lies in is watched too,
//! for the root itself may be replaced.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// How long nothing must happen until a change counts as complete: editors write a file in several steps, a millisecond
/// or so apart.
const SETTLE_TIME: Duration = Duration::from_millis(12);
/// How long a change is waited for at most: some programs never stop writing.
const MAX_SETTLE_TIME: Duration = Duration::from_millis(120);

enum WatchSignal {
    Seen(notify::Result<notify::Event>),
    Stop,
}

/// A folder that is watched.
pub(super) struct FolderWatch {
    root: PathBuf,
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
    signals: Receiver<WatchSignal>,
}

/// Ends a watch.
pub(super) struct Stopper(Sender<WatchSignal>);

/// Files that changed together.
#[derive(Debug, Default)]
pub(super) struct ChangeBatch {
    /// Paths relative to the root, `/`-separated, in order.
    pub(super) paths: Vec<String>,
    /// Changes were lost: anything may have changed.
    pub(super) lost: bool,
    /// Some folders could not be watched: why.
    pub(super) trouble: Option<String>,
}

impl Stopper {
    /// Ends the watch at once.
    pub(super) fn stop(self) {
        // it may have ended by itself
        let _ = self.0.send(WatchSignal::Stop);
    }
}

impl FolderWatch {
    /// Watches a folder, which is resolved: no part of its path is a link.
    pub(super) fn start(root: &Path) -> notify::Result<(Self, Stopper)> {
        let (sender, signals) = mpsc::channel();
        let stopper = Stopper(sender.clone());
        let watcher = notify::recommended_watcher(move |event| {
            // the receiver is gone when the program ends
            let _ = sender.send(WatchSignal::Seen(event));
        })?;
        let mut watch = Self { root: root.to_owned(), watcher, watched: BTreeSet::new(), signals };
        watch.cover()?;
        Ok((watch, stopper))
    }

    /// Waits for changes; `None` at the end.
    pub(super) fn wait(&mut self) -> Option<ChangeBatch> {
        loop {
            let mut seen = WatchedChange::default();
            seen.add(self.signals.recv().ok()?, &self.root)?;
            let deadline = Instant::now() + MAX_SETTLE_TIME;
            while !seen.is_empty() {
                let wait = SETTLE_TIME.min(deadline.saturating_duration_since(Instant::now()));
                match self.signals.recv_timeout(wait) {
                    Ok(signal) => seen.add(signal, &self.root)?,
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            }
            if !seen.is_empty() {
                return Some(self.batch(seen));
            }
        }
    }

    fn batch(&mut self, seen: WatchedChange) -> ChangeBatch {
        if seen.moved {
            // another folder has the root's name, or none: what was watched is no part of the site any more
            self.leave();
        }
        let is_folder = |path: &PathBuf| self.watched.contains(path) || path.is_dir();
        let is_rule = |path: &PathBuf| {
            path.file_name().is_some_and(|name| {
                name == ".mintignore" || name == ".gitignore" || name == "docs.json" || name == "mint.json"
            })
        };
        let covered = if seen.moved || seen.lost || seen.paths.iter().any(|path| is_folder(path) || is_rule(path)) {
            self.cover()
        } else {
            Ok(())
        };
        let relative = seen.paths.iter().filter_map(|path| path.strip_prefix(&self.root).ok()?.to_str());
        let paths =
            relative.filter(|path| !path.is_empty()).map(|path| path.replace(std::path::MAIN_SEPARATOR, "/")).collect();
        ChangeBatch { paths, lost: seen.lost || seen.moved, trouble: covered.err().map(|error| explained(&error)) }
    }

    /// Watches nothing any more.
    fn leave(&mut self) {
        for folder in std::mem::take(&mut self.watched) {
            // most are gone
            let _ = self.watcher.unwatch(&folder);
        }
    }

    /// Watches the folders that are there now, and the one above them, where the root comes back if it goes.
    fn cover(&mut self) -> notify::Result<()> {
        let above = self.root.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_owned);
        // one that may not be read cannot be watched, and then the root stays what it is
        let above = above.filter(|folder| self.watcher.watch(folder, RecursiveMode::NonRecursive).is_ok());
        let found: BTreeSet<PathBuf> = site::folders::folders_to_watch(&self.root).into_iter().collect();
        let mut paths = self.watcher.paths_mut();
        let mut failed = None;
        let mut watched: BTreeSet<PathBuf> = above.into_iter().collect();
        for folder in found {
            // asking twice does no harm, and a folder that was replaced is another one to the system
            match paths.add(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => drop(watched.insert(folder)),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        for gone in self.watched.difference(&watched) {
            // most are gone with their folders
            let _ = paths.remove(gone);
        }
        paths.commit()?;
        self.watched = watched;
        failed.map_or(Ok(()), Err)
    }
}

/// What the system reported of one change.
#[derive(Default)]
struct WatchedChange {
    paths: BTreeSet<PathBuf>,
    lost: bool,
    /// The root, or a folder that it lies in, has come or gone.
    moved: bool,
}

impl WatchedChange {
    fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.lost && !self.moved
    }

    /// Adds a report, as far as it is about the root, what is below it, or a folder that it lies in; `None` at the end.
    fn add(&mut self, signal: WatchSignal, root: &Path) -> Option<()> {
        match signal {
            WatchSignal::Stop => return None,
            WatchSignal::Seen(Ok(event)) => {
                self.lost |= event.need_rescan();
                // some systems report every change in a folder as a change of the folder
                let is_move = matches!(
                    event.kind,
                    EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
                );
                self.moved |= is_move && event.paths.iter().any(|path| root.starts_with(path));
                if matters(event.kind) {
                    self.paths.extend(event.paths.into_iter().filter(|path| path.starts_with(root)));
                }
            }
            WatchSignal::Seen(Err(_)) => self.lost = true,
        }
        Some(())
    }
}

/// Reading changes nothing, and neither do permissions; the program itself reads all the time.
fn matters(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        EventKind::Modify(ModifyKind::Metadata(_)) => false,
        _ => true,
    }
}

/// What can be done about a failed watcher.
pub(super) fn explained(error: &notify::Error) -> String {
    match error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the limit of watched folders is reached; on Linux, raise fs.inotify.max_user_watches".to_owned()
        }
        _ => error.to_string(),
    }
}
