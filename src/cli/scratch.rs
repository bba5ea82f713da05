//! Temporary folders of commands. Each is locked until its owner ends: what a killed process left is removed
//! by the next one that needs such a folder.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};

/// A temporary folder that goes with its owner.
pub(super) struct Scratch(pub(super) PathBuf, #[expect(dead_code, reason = "it is held, and that is all")] ScratchLock);

/// The folder itself, open and locked. The lock ends with the process, however that ends.
type ScratchLock = File;

/// Folders that are tried.
const MAX_SCRATCH_TRIES: u32 = 1_000;

impl Scratch {
    /// Makes one; `word` says in its name what it is for.
    pub(super) fn create(word: &str) -> io::Result<Self> {
        let parent = std::env::temp_dir();
        Self::create_in(&parent, word)
            .map_err(|error| io::Error::new(error.kind(), format!("in `{}`: {error}", parent.display())))
    }

    fn create_in(parent: &Path, word: &str) -> io::Result<Self> {
        for number in 0..MAX_SCRATCH_TRIES {
            let path = parent.join(format!("offprint-{word}-{}-{number}", std::process::id()));
            match make_scratch_folder(&path) {
                Ok(Some(lock)) => {
                    clear(parent, word, &lock);
                    return Ok(Self(path, lock));
                }
                // another process took it for an abandoned one
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // a folder for temporary files is cleared by its system
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Makes a folder that only this user can read, and locks it. `None`: it is gone already, or another process has it.
fn make_scratch_folder(path: &Path) -> io::Result<Option<ScratchLock>> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    match locked(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        lock => Ok(lock.ok().flatten()),
    }
}

/// The lock of an abandoned folder.
fn locked(path: &Path) -> io::Result<Option<ScratchLock>> {
    let folder = File::open(path)?;
    match folder.try_lock() {
        Err(fs::TryLockError::WouldBlock) => return Ok(None),
        Err(fs::TryLockError::Error(error)) => return Err(error),
        Ok(()) => {}
    }
    // between the two it may have been removed
    Ok(is_same(&folder.metadata()?, &fs::symlink_metadata(path)?).then_some(folder))
}

#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    other.is_dir() && (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, other: &fs::Metadata) -> bool {
    other.is_dir()
}

/// Removes the abandoned folders of this kind that belong to this user, whose new folder is `own`.
fn clear(parent: &Path, word: &str, own: &ScratchLock) {
    let prefix = format!("offprint-{word}-");
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let numbers = name.to_str().and_then(|name| name.strip_prefix(&prefix)?.split_once('-'));
        if !numbers.is_some_and(|(process, number)| is_number(process) && is_number(number)) || !is_mine(&entry, own) {
            continue;
        }
        if let Ok(Some(_lock)) = locked(&entry.path()) {
            // what cannot be removed is for the system to clear
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(unix)]
fn is_mine(entry: &fs::DirEntry, own: &ScratchLock) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    // the entry itself: a link is no folder
    let (Ok(entry), Ok(own)) = (entry.metadata(), own.metadata()) else { return false };
    entry.is_dir() && entry.uid() == own.uid()
}

/// It is not known here, and so nothing is removed.
#[cfg(not(unix))]
fn is_mine(_: &fs::DirEntry, _: &ScratchLock) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_the_dead_have_left_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        for name in [
            "offprint-serve-1-0",
            "offprint-serve-99999999-3",
            "offprint-check-1-0",
            "offprint-serve-x-0",
            "offprint-serve-1",
            "offprint-serve-1-0-x",
            "serve-1-0",
        ] {
            fs::create_dir_all(at(name).join("data")).unwrap();
        }
        fs::write(at("offprint-serve-2-0"), "a file").unwrap();
        std::os::unix::fs::symlink(at("offprint-check-1-0"), at("offprint-serve-3-0")).unwrap();
        let living = Scratch::create_in(parent.path(), "serve").unwrap();
        let another = Scratch::create_in(parent.path(), "serve").unwrap();
        assert_ne!(living.0, another.0);
        let mut left: Vec<_> = fs::read_dir(parent.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.retain(|name| !living.0.ends_with(name) && !another.0.ends_with(name));
        left.sort();
        assert_eq!(
            left,
            [
                "offprint-check-1-0",
                "offprint-serve-1",
                "offprint-serve-1-0-x",
                "offprint-serve-2-0",
                "offprint-serve-3-0",
                "offprint-serve-x-0",
                "serve-1-0"
            ]
        );
        assert!(living.0.is_dir() && another.0.is_dir() && at("offprint-check-1-0/data").is_dir());
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&living.0).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_folder_goes_with_its_owner() {
        let parent = tempfile::tempdir().unwrap();
        drop(Scratch::create_in(parent.path(), "serve").unwrap());
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
