//! The folder that is written: beside its place until it is complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bundle::{BundleFormat, BundleOptions, Handover, resolve_output_path};

use super::super::ExportError;

/// A folder that a migration may write.
pub(super) struct MigrationTarget {
    path: PathBuf,
    source: PathBuf,
    /// What stands there, and is replaced.
    replaces: bool,
}

impl MigrationTarget {
    /// Checks that nothing is lost: the folder is absent or empty, or may be replaced.
    pub(super) fn check(path: &Path, source: &Path, force: bool) -> Result<Self, ExportError> {
        let shown = path.display();
        let resolved =
            resolve_output_path(path).map_err(|error| io_error(format!("cannot resolve `{shown}`"), error))?;
        let source = fs::canonicalize(source).unwrap_or_else(|_| source.to_owned());
        let refused = |why: &str| Err(ExportError::Options(format!("`{shown}` {why}")));
        if source.starts_with(&resolved) {
            return refused("holds the source; name a folder beside it");
        }
        let entries = match fs::read_dir(&resolved) {
            Ok(entries) => entries.count(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(_) if resolved.is_file() => return refused("is a file; name a folder"),
            Err(error) => return Err(io_error(format!("cannot read `{shown}`"), error)),
        };
        match (entries > 0, force) {
            (false, _) => {}
            (true, false) => return refused("is not empty; name another folder, or replace it with `--force`"),
            (true, true) if !resolved.join("docs.json").is_file() => {
                return refused("is not empty and has no `docs.json`: it is no earlier migration, and is not replaced");
            }
            (true, true) => {}
        }
        Ok(Self { path: resolved, source, replaces: entries > 0 })
    }

    /// Starts a folder beside it.
    pub(super) fn begin(self) -> Result<Staged, ExportError> {
        // what is going to be replaced is moved away when the new folder is complete
        let place = if self.replaces { beside(&self.path, "new") } else { self.path.clone() };
        let options = BundleOptions { path: place, format: BundleFormat::Dir, source: self.source.clone() };
        let handover = Handover::begin(&options)?;
        let folder = handover.place();
        fs::create_dir(&folder)
            .map_err(|error| io_error(format!("cannot write beside `{}`", self.path.display()), error))?;
        Ok(Staged { target: self, handover, folder, place: options.path })
    }
}

/// A folder that is being written.
pub(super) struct Staged {
    target: MigrationTarget,
    handover: Handover,
    folder: PathBuf,
    place: PathBuf,
}

impl Staged {
    /// Writes a file. `path` is relative and stays below the folder: it is that of a page or of a file in a bundle.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), ExportError> {
        let path = self.folder.join(path);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, bytes));
        written.map_err(|error| io_error(format!("cannot write `{}`", path.display()), error))
    }

    /// Gives the folder its name.
    pub(super) fn publish(self) -> Result<(), ExportError> {
        self.handover.publish()?;
        let path = &self.target.path;
        if !self.target.replaces {
            return Ok(());
        }
        let cannot = |error| io_error(format!("cannot replace `{}`", path.display()), error);
        let old = beside(path, "old");
        fs::rename(path, &old).map_err(cannot)?;
        if let Err(error) = fs::rename(&self.place, path) {
            // back to how it was
            fs::rename(&old, path).map_err(cannot)?;
            return Err(cannot(error));
        }
        fs::remove_dir_all(&old).map_err(|error| io_error(format!("cannot remove `{}`", old.display()), error))
    }
}

/// A name beside a folder that nothing has.
fn beside(path: &Path, kind: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let candidate = |number: u32| path.with_file_name(format!(".{name}.{kind}-{}-{number}", std::process::id()));
    (0..).map(candidate).find(|path| fs::symlink_metadata(path).is_err()).unwrap_or_else(|| candidate(0))
}

fn io_error(context: String, source: io::Error) -> ExportError {
    ExportError::Io { context, source }
}
