//! Where the bytes of a source are: in a folder, or another provider that reads by path (a commit's objects, an
//! archive, memory).

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Diagnostic, limits};

/// Where the bytes of a tree's files are.
#[derive(Clone, Debug)]
pub enum Contents {
    /// In a folder, at their paths.
    Folder(PathBuf),
    /// Elsewhere.
    Elsewhere(Arc<dyn FileReader>),
}

/// The files of an archive or a commit, as they were listed.
#[derive(Debug)]
pub struct StoredFiles {
    /// Path and size of each.
    pub list: Vec<(String, u64)>,
    /// Where their bytes are.
    pub contents: Arc<dyn FileReader>,
    /// What is wrong with those that are left out.
    pub problems: Vec<Diagnostic>,
}

/// Reads the bytes of files on request, from any thread. Nothing has to be held in memory.
pub trait FileReader: fmt::Debug + Send + Sync {
    /// The bytes of a file into `bytes`, which is empty, if there are at most `limit` of them.
    ///
    /// # Errors
    /// There is no such file (`NotFound`), it cannot be read, or it is larger (`FileTooLarge`; [`too_large_error`]).
    fn read_into(&self, path: &str, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()>;
}

impl Default for Contents {
    fn default() -> Self {
        Self::Folder(PathBuf::new())
    }
}

impl Contents {
    /// The bytes of a file into a buffer; what it held is gone.
    ///
    /// # Errors
    /// As for [`FileReader::read_into`]; in a folder, also what is no regular file any more.
    pub fn read_into(&self, path: &str, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        match self {
            Self::Folder(folder) => read_file(&folder.join(path), limit, bytes),
            Self::Elsewhere(files) => files.read_into(path, limit, bytes),
        }
    }

    /// The folder, if it is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Elsewhere(_) => None,
        }
    }
}

fn read_file(path: &Path, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file any more"));
    }
    // one byte more, so that the end is seen without growing
    bytes.reserve(usize::try_from(metadata.len().min(limit)).unwrap_or(0) + 1);
    file.take(limit.saturating_add(1)).read_to_end(bytes)?;
    if bytes.len() as u64 > limit { Err(too_large_error(limit)) } else { Ok(()) }
}

/// The diagnostic of an entry of a source that is no file.
pub fn not_a_file(path: String, kind: &str) -> Diagnostic {
    let message = format!("`{path}` is {kind}; it is left out");
    Diagnostic::new("not-a-file", message).at(path, 0, 0).hint("replace it by the file itself")
}

/// The diagnostic of a file that cannot be used because of its name.
pub fn unusable_name(path: String, why: &str) -> Diagnostic {
    let message = format!("the name of `{path}` {why}; the file is left out");
    Diagnostic::new("file-name", message).at(path, 0, 0).hint("rename the file")
}

/// The error for a file that is larger than the limit.
pub fn too_large_error(limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {}", limits::format_byte_size(limit)))
}

/// Files in memory.
#[derive(Clone, Default)]
pub struct HeldFiles(BTreeMap<String, Vec<u8>>);

impl HeldFiles {
    /// The paths and sizes, for [`StoredFiles`].
    pub fn list(&self) -> Vec<(String, u64)> {
        self.0.iter().map(|(path, bytes)| (path.clone(), bytes.len() as u64)).collect()
    }
}

impl FromIterator<(String, Vec<u8>)> for HeldFiles {
    fn from_iter<I: IntoIterator<Item = (String, Vec<u8>)>>(files: I) -> Self {
        Self(files.into_iter().collect())
    }
}

impl fmt::Debug for HeldFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Held({} files)", self.0.len())
    }
}

impl FileReader for HeldFiles {
    fn read_into(&self, path: &str, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        let held = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
        if held.len() as u64 > limit {
            return Err(too_large_error(limit));
        }
        bytes.extend_from_slice(held);
        Ok(())
    }
}
