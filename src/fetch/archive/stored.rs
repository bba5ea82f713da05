//! The bytes of an archive's files, read in place: several threads share one open file.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use base::contents::{FileReader, too_large_error};
use base::read_at::read_at;

/// Where a file is in its archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredPlace {
    /// Its first byte.
    pub(super) at: u64,
    /// Bytes there.
    pub(super) packed: u64,
    /// Bytes of the file.
    pub(super) size: u64,
    pub(super) coding: EntryCoding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryCoding {
    /// As it is.
    Plain,
    /// Deflated or not, with a checksum.
    Zip { deflated: bool, crc: u32 },
}

/// An archive that was listed.
pub(super) struct Stored {
    pub(super) file: File,
    /// Sorted by path.
    pub(super) files: Vec<(String, StoredPlace)>,
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stored({} files)", self.files.len())
    }
}

impl FileReader for Stored {
    fn read_into(&self, path: &str, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        let at =
            self.files.binary_search_by(|(known, _)| known.as_str().cmp(path)).map_err(|_| io::ErrorKind::NotFound)?;
        let place = self.files[at].1;
        if place.size > limit {
            return Err(too_large_error(limit));
        }
        let packed = FileWindow { file: &self.file, at: place.at, left: place.packed };
        bytes.reserve(usize::try_from(place.size).unwrap_or(0) + 1);
        // one byte more than it says: what is longer is seen and not believed
        match place.coding {
            EntryCoding::Zip { deflated: true, .. } => {
                flate2::read::DeflateDecoder::new(packed).take(place.size + 1).read_to_end(bytes)?
            }
            _ => packed.take(place.size + 1).read_to_end(bytes)?,
        };
        let is_whole = bytes.len() as u64 == place.size;
        let is_intact = match place.coding {
            EntryCoding::Plain => true,
            EntryCoding::Zip { crc, .. } => libdeflater::crc32(bytes) == crc,
        };
        if is_whole && is_intact {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidData, "it is not what the archive says it is"))
        }
    }
}

/// A part of a file.
struct FileWindow<'a> {
    file: &'a File,
    at: u64,
    left: u64,
}

impl Read for FileWindow<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = read_at(self.file, &mut bytes[..length], self.at)?;
        self.at += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}
