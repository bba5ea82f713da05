//! Files too long to be in memory: they come in pieces, and wait on the disk until their size is known.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

use libdeflater::Crc;
use sha2::{Digest, Sha256};

use base::BundlePath;
use base::refs::Outside;

use super::manifest::ManifestRecord;
use super::piece::TextPiece;
use super::zip::PackedFile;
use super::{Bundle, BundleError, EntryBody, EntryOrigin, PreparedEntry, Sink, deflate};

/// Bytes that are written to the disk together.
const BUFFER_BYTES: usize = 1 << 18;

/// A long file that is being made.
pub struct Long {
    path: BundlePath,
    /// What came so far, deflated for an archive.
    scratch: BufWriter<File>,
    is_archive: bool,
    /// A piece on its way.
    deflated: Vec<u8>,
    sha: Sha256,
    crc: Crc,
    size: u64,
}

impl Bundle {
    /// Starts a long file. Others can be added meanwhile.
    ///
    /// # Errors
    /// Nothing can be written beside the bundle.
    pub fn start_long(&self, path: BundlePath) -> Result<Long, BundleError> {
        let (scratch, is_archive) = match &self.sink {
            Sink::Archive(archive) => (archive.staging().scratch()?, true),
            Sink::Folder(folder) => (folder.staging().scratch()?, false),
        };
        let scratch = BufWriter::with_capacity(BUFFER_BYTES, scratch);
        Ok(Long { path, scratch, is_archive, deflated: Vec::new(), sha: Sha256::new(), crc: Crc::new(), size: 0 })
    }

    /// Adds a long file that is whole.
    ///
    /// # Errors
    /// Writing failed.
    pub fn add_long(&mut self, long: Long) -> Result<(), BundleError> {
        let Long { path, scratch, is_archive, sha, crc, size, .. } = long;
        let end = if is_archive { &deflate::END[..] } else { &[] };
        let (scratch, length) =
            finish_scratch_file(scratch, end).map_err(BundleError::io(format!("cannot write `{path}`")))?;
        let record = ManifestRecord { size, sha256: sha.finalize().into(), path };
        let body = if is_archive {
            EntryBody::Packed(PackedFile::of_long(scratch, length, crc.sum(), size))
        } else {
            EntryBody::Long(scratch)
        };
        self.append(vec![PreparedEntry {
            record,
            origin: EntryOrigin::Exporter,
            body,
            outside: Outside::default(),
            problem: None,
        }])
    }
}

/// The file, at its start, and its length, bytes.
fn finish_scratch_file(mut scratch: BufWriter<File>, end: &[u8]) -> io::Result<(File, u64)> {
    scratch.write_all(end)?;
    let mut file = scratch.into_inner().map_err(io::IntoInnerError::into_error)?;
    let length = file.stream_position()?;
    file.rewind()?;
    Ok((file, length))
}

impl Long {
    /// Adds a piece.
    ///
    /// # Errors
    /// Writing failed.
    pub fn push(&mut self, piece: TextPiece<'_>) -> Result<(), BundleError> {
        let text = piece.text().as_bytes();
        self.size += text.len() as u64;
        self.sha.update(text);
        let written = if self.is_archive {
            self.crc.update(text);
            self.deflated.clear();
            piece.deflate(&mut self.deflated);
            self.scratch.write_all(&self.deflated)
        } else {
            self.scratch.write_all(text)
        };
        written.map_err(BundleError::io(format!("cannot write `{}`", self.path)))
    }
}
