//! Archives in a folder: `ab/abcd….zip`, two digits for the sub-folder so that no folder grows without end. An archive
//! is written aside, made durable, and takes its name in one step: under a key there is a whole archive or none.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

use super::{ObjectError, StoredObject, checked, object_store_error};
use base::atomic_file::sync_folder;
use base::cut::SliceText as _;

/// Ending of an archive that is still being written.
const UNFINISHED: &str = "unfinished";

/// A folder of archives.
#[derive(Clone, Debug)]
pub struct ArchiveFolder {
    root: Arc<Path>,
}

impl ArchiveFolder {
    /// Opens a folder, makes it if it is not there, and removes what a killed process left half-written in it.
    ///
    /// # Errors
    /// It cannot be made or read.
    pub fn open(root: &Path) -> Result<Self, ObjectError> {
        let context = || format!("cannot keep archives in `{}`", root.display());
        fs::create_dir_all(root).map_err(object_store_error(context()))?;
        let root = fs::canonicalize(root).map_err(object_store_error(context()))?;
        for unfinished in files(&root)
            .map_err(object_store_error(context()))?
            .filter(|file| file.extension().is_some_and(|ending| ending == UNFINISHED))
        {
            // what cannot be removed does no harm
            let _ = fs::remove_file(unfinished);
        }
        Ok(Self { root: root.into() })
    }

    pub(super) async fn put(&self, key: &str, file: &Path) -> Result<(), ObjectError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let (target, file) = (self.place(key), file.to_owned());
        let aside = target.with_extension(format!(
            "{}-{}.{UNFINISHED}",
            std::process::id(),
            NUMBER.fetch_add(1, Ordering::Relaxed)
        ));
        let written = blocking(move || {
            let written = write_object_file(&file, &aside, &target);
            if written.is_err() {
                // it is not there, or no caller is left to report to
                let _ = fs::remove_file(&aside);
            }
            written
        });
        written.await.map_err(object_store_error("cannot keep an archive"))
    }

    pub(super) async fn size(&self, key: &str) -> Result<Option<u64>, ObjectError> {
        let path = self.place(key);
        let found = blocking(move || match fs::metadata(path) {
            Ok(about) => Ok(Some(about.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        });
        found.await.map_err(object_store_error("cannot look for an archive"))
    }

    pub(super) fn path_of(&self, key: &str) -> Result<PathBuf, ObjectError> {
        let path = self.place(key);
        if path.is_file() { Ok(path) } else { Err(ObjectError::Missing(key.to_owned())) }
    }

    pub(super) async fn fetch(&self, key: &str, target: &Path) -> Result<(), ObjectError> {
        let (from, target) = (self.path_of(key)?, target.to_owned());
        blocking(move || fs::hard_link(&from, &target).or_else(|_| fs::copy(&from, &target).map(drop)))
            .await
            .map_err(object_store_error("cannot copy an archive"))
    }

    pub(super) async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        let path = self.place(key);
        let removed = blocking(move || match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        });
        removed.await.map_err(object_store_error("cannot remove an archive"))
    }

    pub(super) async fn list(&self) -> Result<Vec<StoredObject>, ObjectError> {
        let root = Arc::clone(&self.root);
        let listed = blocking(move || Ok(files(&root)?.filter_map(|file| archive_object(&file)).collect()));
        listed.await.map_err(object_store_error("cannot list the archives"))
    }

    fn place(&self, key: &str) -> PathBuf {
        self.root.join(key.slice(..2)).join(format!("{key}.zip"))
    }
}

/// An archive that is kept, if this file is one.
fn archive_object(file: &Path) -> Option<StoredObject> {
    let key = file.file_name()?.to_str()?.strip_suffix(".zip")?;
    checked(key).ok()?;
    let about = fs::symlink_metadata(file).ok().filter(fs::Metadata::is_file)?;
    let since = about.modified().ok()?.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Some(StoredObject { key: key.to_owned(), size: about.len(), since })
}

/// Everything in the sub-folders.
fn files(root: &Path) -> io::Result<impl Iterator<Item = PathBuf>> {
    let below = fs::read_dir(root)?.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    Ok(below
        .filter_map(|folder| fs::read_dir(folder.path()).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path())))
}

fn write_object_file(file: &Path, aside: &Path, target: &Path) -> io::Result<()> {
    let parent = target.parent().unwrap_or(Path::new("."));
    if !parent.is_dir() {
        fs::create_dir_all(parent)?;
        sync_folder(parent.parent().unwrap_or(Path::new(".")))?;
    }
    // a copy of its own, so that no process that still holds the file can change what is kept; file systems that can
    // share the blocks
    fs::copy(file, aside)?;
    let copy = File::options().write(true).open(aside)?;
    copy.sync_all()?;
    fs::rename(aside, target)?;
    sync_folder(parent)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(io::Error::other("the work was given up")))
}
