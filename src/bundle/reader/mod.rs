//! Reading bundles that others may have made: an archive, or an exported folder, without unpacking it.
//!
//! [`BundleReader::open`] refuses whatever the exporter would not have written, before anything is inflated: names that
//! are unsafe on some system or collide on another, entries that share bytes or leave some out, headers that contradict
//! the directory, links, bombs. What it lists can be read from several threads at once; a content that was read to its
//! end is what the directory states.
//!
//! The bundle's own record, the manifest with its digests and signature, is checked by [`super::verify`].

mod content;
mod directory;
mod folder;
mod refusal;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use base::{BundlePath, limits, read_at};

pub use content::{DeflatedContent, EntryContent};
pub use refusal::{EntryRefusal, NameFault, ReadError};

use directory::read_archive_directory;
use folder::BundleFolder;

/// How an entry's bytes stand in the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryMethod {
    /// As they are.
    Stored,
    /// As a raw deflate stream (RFC 1951): with a header before it and checksum and size after it, that is gzip.
    Deflated,
}

/// A file of a bundle.
#[derive(Clone, Debug)]
pub struct BundledFile {
    pub(super) path: BundlePath,
    size: u64,
    packed: u64,
    method: EntryMethod,
    crc32: Option<u32>,
    offset: u64,
}

impl BundledFile {
    /// Its name, safe on every system.
    pub fn name(&self) -> &str {
        self.path.as_str()
    }

    /// Bytes of its content.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Bytes that it takes in the archive, without headers; in a folder the same as [`BundledFile::size`].
    pub fn packed_size(&self) -> u64 {
        self.packed
    }

    /// How its bytes stand in the archive; in a folder they are stored.
    pub fn method(&self) -> EntryMethod {
        self.method
    }

    /// CRC-32 of its content, as gzip has it; nothing in a folder.
    pub fn crc32(&self) -> Option<u32> {
        self.crc32
    }
}

/// A bundle that is open for reading; several threads may share it.
#[derive(Debug)]
pub struct BundleReader {
    path: PathBuf,
    source: BundleContainer,
    entries: Vec<BundledFile>,
    /// Positions in `entries`, sorted by name.
    by_name: Vec<u32>,
}

#[derive(Debug)]
enum BundleContainer {
    Zip(File),
    Folder(BundleFolder),
}

impl BundleReader {
    /// Opens an archive, or a folder that holds what an archive would.
    ///
    /// # Errors
    /// It cannot be read, or nothing that the exporter writes looks like it.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let shown = path.display().to_string();
        let context = || ReadError::io(format!("cannot read `{shown}`"));
        let metadata = std::fs::metadata(path).map_err(context())?;
        if metadata.is_dir() {
            let (folder, entries) = BundleFolder::open(path)?;
            return Ok(Self::new(path, BundleContainer::Folder(folder), entries));
        }
        // opening a pipe would block until it has a writer
        if !metadata.is_file() {
            return Err(ReadError::archive(EntryRefusal::NotAnArchive));
        }
        let file = File::open(path).map_err(context())?;
        let entries = read_archive_directory(&file, &shown)?;
        Ok(Self::new(path, BundleContainer::Zip(file), entries))
    }

    fn new(path: &Path, source: BundleContainer, entries: Vec<BundledFile>) -> Self {
        let mut by_name: Vec<u32> = (0u32..).zip(&entries).map(|(index, _)| index).collect();
        by_name.sort_unstable_by(|a, b| entries[*a as usize].path.cmp(&entries[*b as usize].path));
        Self { path: path.to_owned(), source, entries, by_name }
    }

    /// Where it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is a folder rather than an archive.
    pub fn is_folder(&self) -> bool {
        matches!(self.source, BundleContainer::Folder(_))
    }

    /// Its files, in the order of the archive; those of a folder sorted.
    pub fn entries(&self) -> &[BundledFile] {
        &self.entries
    }

    /// The file of this name.
    pub fn find(&self, name: &str) -> Option<&BundledFile> {
        self.entries.get(self.position(name)?)
    }

    /// The position in [`BundleReader::entries`] of the file of this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        let found = self.by_name.binary_search_by(|index| self.entries[*index as usize].name().cmp(name)).ok()?;
        self.by_name.get(found).map(|index| *index as usize)
    }

    /// The files, sorted by name.
    pub fn sorted(&self) -> impl ExactSizeIterator<Item = &BundledFile> {
        self.by_name.iter().map(|index| &self.entries[*index as usize])
    }

    /// A file's content, checked.
    ///
    /// # Errors
    /// It cannot be read, is damaged, or larger than [`limits::BUNDLE_HELD_BYTES`].
    pub fn read(&self, entry: &BundledFile) -> Result<Vec<u8>, ReadError> {
        if entry.size > limits::BUNDLE_HELD_BYTES {
            return Err(ReadError::entry(entry.name(), EntryRefusal::TooLargeToHold));
        }
        self.content(entry)?.read_all()
    }

    /// A file's content, piece by piece; checked when it has been read to its end.
    ///
    /// # Errors
    /// It cannot be opened. Reading reports the rest.
    pub fn content<'a>(&'a self, entry: &'a BundledFile) -> Result<EntryContent<'a>, ReadError> {
        match &self.source {
            BundleContainer::Zip(file) => Ok(EntryContent::packed(file, entry)),
            BundleContainer::Folder(folder) => Ok(EntryContent::file(folder.file(entry)?, entry)),
        }
    }

    /// Hands a file's content, checked to its end, to a function in pieces. The pieces count only if there was no
    /// error.
    ///
    /// # Errors
    /// It cannot be read or is damaged.
    pub fn each_piece(&self, entry: &BundledFile, mut take: impl FnMut(&[u8])) -> Result<(), ReadError> {
        let mut content = self.content(entry)?;
        let mut buffer = vec![0; usize::try_from(entry.size).unwrap_or(PIECE_BYTES).clamp(1, PIECE_BYTES)];
        loop {
            match content.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => take(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(content::into_read_error(error, entry.name())),
            }
        }
    }

    /// A file's bytes as they stand in the archive, unchecked; nothing for a folder.
    pub fn raw(&self, entry: &BundledFile) -> Option<DeflatedContent<'_>> {
        match &self.source {
            BundleContainer::Zip(file) => Some(DeflatedContent::new(file, entry)),
            BundleContainer::Folder(_) => None,
        }
    }

    /// Fills `bytes` with a file's bytes as they stand in the archive, from `at` on, unchecked: for callers that cannot
    /// hold a [`DeflatedContent`] open.
    ///
    /// # Errors
    /// The archive cannot be read, the file ends before that, or the bundle is a folder.
    pub fn read_raw_at(&self, entry: &BundledFile, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let BundleContainer::Zip(file) = &self.source else { return Err(io::ErrorKind::Unsupported.into()) };
        let is_within = at.checked_add(bytes.len() as u64).is_some_and(|end| end <= entry.packed);
        if !is_within {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        read_at::read_exact_at(file, bytes, entry.offset + at)
    }
}

/// Bytes that [`BundleReader::each_piece`] hands out at a time.
const PIECE_BYTES: usize = 64 << 10;

#[cfg(test)]
mod tests;
