//! The files of a source folder, listed once.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

use crate::base::FileId;

/// A file of the source.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path relative to the root, `/`-separated.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Excluded by `.mintignore` or the built-in list: neither page nor asset, links to it are broken.
    pub ignored: bool,
}

/// All regular files below a root, sorted by path; links are not followed.
#[derive(Debug, Default)]
pub struct SourceTree {
    /// The folder.
    pub root: PathBuf,
    /// The files; a `FileId` is an index.
    pub files: Vec<SourceFile>,
    /// Files by path.
    pub by_path: FxHashMap<String, FileId>,
}

impl SourceTree {
    /// The file at a `/`-separated path, if it exists and is not ignored.
    pub fn find(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied().filter(|id| !self.files[id.0 as usize].ignored)
    }
    /// A file's path.
    pub fn path(&self, id: FileId) -> &str {
        &self.files[id.0 as usize].path
    }
    /// A file's bytes.
    ///
    /// # Errors
    /// The file cannot be read, or is no longer a regular file.
    pub fn read(&self, id: FileId) -> std::io::Result<Vec<u8>> {
        std::fs::read(self.root.join(self.path(id)))
    }
}
