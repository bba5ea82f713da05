//! Files too long to be in memory: they come in parts, which are compressed as they come, and wait on the disk until their size is known.

use std::fs::File;
use std::io::{self, Seek, Write};

use sha2::{Digest, Sha256};

use crate::base::BundlePath;
use crate::refs::Outside;

use super::manifest::Record;
use super::zip::{self, Packed};
use super::{Body, Bundle, Error, Origin, Prepared, Sink};

/// A long file that is being made.
pub struct Long {
    path: BundlePath,
    /// What came so far, deflated for an archive.
    scratch: File,
    is_archive: bool,
    sha: Sha256,
    crc: flate2::Crc,
    size: u64,
}

impl Bundle {
    /// Starts a long file. Others can be added meanwhile.
    ///
    /// # Errors
    /// Nothing can be written beside the bundle.
    pub fn start_long(&self, path: BundlePath) -> Result<Long, Error> {
        let (scratch, is_archive) = match &self.sink {
            Sink::Archive(archive) => (archive.aside().scratch()?, true),
            Sink::Folder(folder) => (folder.aside().scratch()?, false),
        };
        Ok(Long { path, scratch, is_archive, sha: Sha256::new(), crc: flate2::Crc::new(), size: 0 })
    }

    /// Adds a long file that is whole.
    ///
    /// # Errors
    /// Writing failed.
    pub fn add_long(&mut self, long: Long) -> Result<(), Error> {
        let Long { path, mut scratch, is_archive, sha, crc, size } = long;
        let end = if is_archive { &zip::LAST_PART[..] } else { &[] };
        let length = scratch.write_all(end).and_then(|()| scratch.stream_position()).and_then(|length| scratch.rewind().map(|()| length));
        let length = length.map_err(Error::io(format!("cannot write `{path}`")))?;
        let record = Record { size, sha256: sha.finalize().into(), path };
        let body = if is_archive { Body::Packed(Packed::of_parts(scratch, length, crc.sum(), size)) } else { Body::Long(scratch) };
        self.append(vec![Prepared { record, origin: Origin::Exporter, body, outside: Outside::default() }])
    }
}

impl Long {
    /// Adds a part, which should have a megabyte or so.
    ///
    /// # Errors
    /// Writing failed.
    pub fn push(&mut self, part: &[u8]) -> Result<(), Error> {
        self.size += part.len() as u64;
        self.write(part).map_err(Error::io(format!("cannot write `{}`", self.path)))
    }

    fn write(&mut self, part: &[u8]) -> io::Result<()> {
        let sha = &mut self.sha;
        let deflate = || self.is_archive.then(|| zip::deflate_part(part)).transpose();
        let (deflated, ()) = rayon::join(deflate, || sha.update(part));
        let Some((deflated, crc)) = deflated? else { return self.scratch.write_all(part) };
        self.crc.combine(&crc);
        self.scratch.write_all(&deflated)
    }
}
