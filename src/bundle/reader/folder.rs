//! An exported folder, read as if it were an archive: regular files under safe names, no link followed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::names::EntryNames;
use base::{BundlePath, limits};

use super::refusal::{EntryRefusal, NameFault, ReadError};
use super::{BundledFile, EntryMethod};

type FolderResult<T> = std::result::Result<T, ReadError>;

/// A folder and, where the system lets files be opened below an open folder, that folder.
#[derive(Debug)]
pub(super) struct BundleFolder {
    root: PathBuf,
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    handle: File,
}

impl BundleFolder {
    /// Lists a folder's files, sorted by name.
    pub(super) fn open(root: &Path) -> FolderResult<(Self, Vec<BundledFile>)> {
        let shown = root.display();
        let root = fs::canonicalize(root).map_err(ReadError::io(format!("cannot read `{shown}`")))?;
        let folder = Self {
            #[cfg(any(target_os = "linux", target_os = "macos"))]
            handle: File::open(&root).map_err(ReadError::io(format!("cannot read `{shown}`")))?,
            root,
        };
        let (mut entries, mut names, mut total) = (Vec::<BundledFile>::new(), EntryNames::empty(), 0u64);
        for found in WalkDir::new(&folder.root).sort_by_file_name() {
            let found = found.map_err(|error| ReadError::io(format!("cannot read `{shown}`"))(error.into()))?;
            let Some(path) = folder.name(&found)? else { continue };
            let metadata =
                found.metadata().map_err(|error| ReadError::io(format!("cannot read `{path}`"))(error.into()))?;
            let index = u32::try_from(entries.len()).unwrap_or(u32::MAX);
            if let Err(other) = names.claim(&path, index) {
                let other = entries.get(other as usize).map_or("", |other| other.path.as_str());
                return Err(ReadError::entry(path.as_str(), EntryRefusal::Collision(other.to_owned())));
            }
            total = total.saturating_add(metadata.len());
            if total > limits::BUNDLE_BYTES {
                return Err(ReadError::archive(EntryRefusal::TooLarge { limit: limits::BUNDLE_BYTES }));
            }
            if u64::from(index) >= limits::BUNDLE_FILES {
                return Err(ReadError::archive(EntryRefusal::TooManyEntries {
                    found: u64::from(index) + 1,
                    limit: limits::BUNDLE_FILES,
                }));
            }
            entries.push(BundledFile {
                path,
                size: metadata.len(),
                packed: metadata.len(),
                method: EntryMethod::Stored,
                crc32: None,
                offset: 0,
            });
        }
        Ok((folder, entries))
    }

    /// The name of a file in the bundle; `None` for a folder.
    fn name(&self, found: &walkdir::DirEntry) -> FolderResult<Option<BundlePath>> {
        let below = found.path().strip_prefix(&self.root).unwrap_or(found.path());
        let shown = below.to_string_lossy();
        let kind = found.file_type();
        if kind.is_dir() {
            return Ok(None);
        }
        let refused = |refusal| Err(ReadError::entry(shown.as_ref(), refusal));
        if kind.is_symlink() {
            return refused(EntryRefusal::SymbolicLink);
        }
        if !kind.is_file() {
            return refused(EntryRefusal::Special);
        }
        let segments: Option<Vec<&str>> = below.iter().map(std::ffi::OsStr::to_str).collect();
        let Some(name) = segments.map(|segments| segments.join("/")) else {
            return refused(EntryRefusal::NameEncoding);
        };
        match BundlePath::parse(&name) {
            Some(path) => Ok(Some(path)),
            None => refused(EntryRefusal::Name(NameFault::of(&name))),
        }
    }

    /// Opens a file that was listed. What has become a link or a pipe since then is refused.
    pub(super) fn file(&self, entry: &BundledFile) -> FolderResult<File> {
        let name = entry.path.as_str();
        let file = self.open_below(name).map_err(|error| match error.kind() {
            io::ErrorKind::NotADirectory => ReadError::entry(name, EntryRefusal::SymbolicLink),
            _ => ReadError::io(format!("cannot read `{}`", self.root.join(name).display()))(error),
        })?;
        let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
        if is_file { Ok(file) } else { Err(ReadError::entry(name, EntryRefusal::Special)) }
    }

    /// Opens a file folder by folder, none of which may be a link.
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    fn open_below(&self, name: &str) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        use rustix::io::Errno;

        // what a link is called depends on the system and on whether a folder was expected
        let refused = |error: Errno| {
            if error == Errno::LOOP { io::Error::from(io::ErrorKind::NotADirectory) } else { error.into() }
        };
        let common = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let (folders, file) = name.rsplit_once('/').map_or((None, name), |(folders, file)| (Some(folders), file));
        let mut below = None;
        for folder in folders.iter().flat_map(|folders| folders.split('/')) {
            let at = below.as_ref().unwrap_or(&self.handle);
            below = Some(File::from(openat(at, folder, common | OFlags::DIRECTORY, Mode::empty()).map_err(refused)?));
        }
        let at = below.as_ref().unwrap_or(&self.handle);
        Ok(File::from(openat(at, file, common, Mode::empty()).map_err(refused)?))
    }

    /// Opens a file that is no link at this moment.
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    fn open_below(&self, name: &str) -> io::Result<File> {
        let path = self.root.join(name);
        if fs::symlink_metadata(&path)?.is_symlink() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        File::open(path)
    }
}
