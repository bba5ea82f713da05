//! The zip archive on disk: files are packed on any thread and written by one.

use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::mpsc::Receiver;

use base::BundlePath;

use super::staging::{Staging, StagingTarget};
use super::steady::IncrementalSync;
use super::worker::Worker;
use super::zip::{self, PackedFile};
use super::{BundleError, MANIFEST_PATH, delta::write_delta, reader};

/// Files with their names, in order.
type NamedFiles = Vec<(BundlePath, PackedFile)>;

/// An archive that grows beside its target.
#[derive(Debug)]
pub(super) struct GrowingArchive {
    /// One batch may wait for it while another is written and the next is offered, so at most three are in memory: the
    /// search index need not wait while `llms-full.txt` is copied.
    // before `staging`: a dropped archive first stops writing, then its file is removed
    writer: Worker<NamedFiles, IncrementalSync>,
    staging: Staging,
}

impl GrowingArchive {
    pub(super) fn create(target: StagingTarget) -> Result<Self, BundleError> {
        let (staging, file) = Staging::file(target)?;
        let write = move |batches: Receiver<NamedFiles>| {
            let mut zip = zip::ZipWriter::new(BufWriter::with_capacity(1 << 20, IncrementalSync::new(file)?));
            for (path, file) in batches.into_iter().flatten() {
                zip.add(path.as_str(), &file)?;
            }
            zip.finish()?.into_inner().map_err(io::IntoInnerError::into_error)
        };
        let writer = Worker::start("bundle", 1, write)
            .map_err(BundleError::io("cannot start the thread that writes the bundle"))?;
        Ok(Self { writer, staging })
    }

    pub(super) fn staging(&self) -> &Staging {
        &self.staging
    }

    pub(super) fn append(&mut self, batch: NamedFiles) -> Result<(), BundleError> {
        if self.writer.give(batch) {
            return Ok(());
        }
        // the receiving end is closed: the thread has ended, with an error
        let outcome = self.writer.end().and_then(|_| Err(io::ErrorKind::BrokenPipe.into()));
        outcome.map_err(BundleError::io(self.staging.context("cannot write")))
    }

    /// Adds the files that close the bundle and publishes it, or the delta from an earlier one. Returns the size of
    /// what is published, bytes.
    pub(super) fn finish(
        mut self,
        last: NamedFiles,
        delta_from: Option<&reader::BundleReader>,
    ) -> Result<u64, BundleError> {
        self.append(last)?;
        let written = self.writer.end().and_then(|file| {
            // what others will read is read once by other code than wrote it, while the disk works
            let (synced, read) = rayon::join(|| file.sync(), || File::open(self.staging.path()).and_then(read_back));
            let bytes = synced?;
            read.map(|()| bytes)
        });
        let bytes = written.map_err(BundleError::io(self.staging.context("cannot write")))?;
        match delta_from {
            None => self.staging.publish_file().map(|()| bytes),
            Some(base) => write_delta(base, &reader::BundleReader::open(self.staging.path())?, self.staging.target()),
        }
    }
}

/// Opens the archive by its directory and reads the manifest, with its checksum.
fn read_back(file: File) -> io::Result<()> {
    let mut archive = ::zip::ZipArchive::new(io::BufReader::new(file))?;
    io::copy(&mut archive.by_name(MANIFEST_PATH)?, &mut io::sink()).map(drop)
}
