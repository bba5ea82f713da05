//! Files too long to be in memory: they come in parts, which are compressed in parallel, and wait on the disk until their size is known.

use std::fs::File;
use std::io::{self, Seek, Write};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::base::BundlePath;
use crate::refs::Outside;

use super::manifest::Record;
use super::zip::{self, Packed};
use super::{Body, Bundle, Error, Origin, Prepared, Sink};

impl Bundle {
    /// A file without a name for what is too much for memory; it is gone when it is closed.
    ///
    /// # Errors
    /// Nothing can be written beside the bundle.
    pub fn scratch(&self) -> Result<File, Error> {
        match &self.sink {
            Sink::Archive(archive) => archive.aside().scratch(),
            Sink::Folder(folder) => folder.aside().scratch(),
        }
    }

    /// Adds one long file from its parts, which should have a megabyte or so: some of them are in memory at a time.
    ///
    /// # Errors
    /// Reading a part or writing failed.
    pub fn add_long(&mut self, path: BundlePath, parts: impl Iterator<Item = io::Result<Vec<u8>>>) -> Result<(), Error> {
        let failed = || Error::io(format!("cannot write `{path}`"));
        let mut scratch = self.scratch()?;
        let is_archive = matches!(self.sink, Sink::Archive(_));
        let mut sha = Sha256::new();
        let mut crc = flate2::Crc::new();
        let mut size = 0;
        let mut parts = parts.peekable();
        while parts.peek().is_some() {
            let batch: Vec<Vec<u8>> = parts.by_ref().take(rayon::current_num_threads()).collect::<io::Result<_>>().map_err(failed())?;
            let (deflated, ()) = rayon::join(
                || if is_archive { batch.par_iter().map(|part| zip::deflate_part(part)).collect() } else { Ok(Vec::new()) },
                || batch.iter().for_each(|part| sha.update(part)),
            );
            let deflated: Vec<(Vec<u8>, flate2::Crc)> = deflated.map_err(failed())?;
            size += batch.iter().map(|part| part.len() as u64).sum::<u64>();
            for (data, part) in &deflated {
                crc.combine(part);
                scratch.write_all(data).map_err(failed())?;
            }
            for part in batch.iter().filter(|_| !is_archive) {
                scratch.write_all(part).map_err(failed())?;
            }
        }
        if is_archive {
            scratch.write_all(&zip::LAST_PART).map_err(failed())?;
        }
        let length = scratch.stream_position().and_then(|length| scratch.rewind().map(|()| length)).map_err(failed())?;
        let record = Record { size, sha256: sha.finalize().into(), path };
        let body = if is_archive { Body::Packed(Packed::of_parts(scratch, length, crc.sum(), size)) } else { Body::Long(scratch) };
        self.append(vec![Prepared { record, origin: Origin::Exporter, body, outside: Outside::default() }])
    }
}
