//! The zip archive on disk: files are packed on any thread and written by one.

use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use crate::base::BundlePath;

use super::aside::{Aside, Target};
use super::steady::Steady;
use super::zip::{self, Packed};
use super::{Error, MANIFEST_PATH, delta, reader};

/// Files with their names, in order.
type Batch = Vec<(BundlePath, Packed)>;

/// An archive that grows beside its target.
#[derive(Debug)]
pub(super) struct Archive {
    // before `aside`: a dropped archive first stops writing, then its file is removed
    writer: Writer,
    aside: Aside,
}

/// The thread that writes. It takes a batch when it is done with the one before, so at most two batches are in memory.
#[derive(Debug)]
struct Writer {
    queue: Option<SyncSender<Batch>>,
    thread: Option<JoinHandle<io::Result<Steady>>>,
}

impl Archive {
    pub(super) fn create(target: Target) -> Result<Self, Error> {
        let (aside, file) = Aside::file(target)?;
        let (queue, batches) = sync_channel::<Batch>(0);
        let write = move || {
            let mut zip = zip::Writer::new(BufWriter::with_capacity(1 << 20, Steady::new(file)?));
            for (path, file) in batches.into_iter().flatten() {
                zip.add(path.as_str(), &file)?;
            }
            zip.finish()?.into_inner().map_err(io::IntoInnerError::into_error)
        };
        let thread = std::thread::Builder::new().name("bundle".to_owned()).spawn(write);
        let thread = thread.map_err(Error::io("cannot start the thread that writes the bundle"))?;
        Ok(Self { writer: Writer { queue: Some(queue), thread: Some(thread) }, aside })
    }

    pub(super) fn aside(&self) -> &Aside {
        &self.aside
    }

    pub(super) fn append(&mut self, batch: Batch) -> Result<(), Error> {
        if self.writer.queue.as_ref().is_some_and(|queue| queue.send(batch).is_ok()) {
            return Ok(());
        }
        // nobody takes batches any more: the thread has ended, with an error
        let outcome = self.writer.end().and_then(|_| Err(io::ErrorKind::BrokenPipe.into()));
        outcome.map_err(Error::io(self.aside.context("cannot write")))
    }

    /// Adds the files that close the bundle and publishes it, or the delta from an earlier one. Returns the size of what is published, bytes.
    pub(super) fn finish(mut self, last: Batch, delta_from: Option<&reader::Archive>) -> Result<u64, Error> {
        self.append(last)?;
        let written = self.writer.end().and_then(|file| {
            let file = file.ok_or(io::ErrorKind::BrokenPipe)?;
            // what others will read is read once by other code than wrote it, while the disk works
            let (synced, read) = rayon::join(|| file.sync(), || File::open(self.aside.path()).and_then(read_back));
            let bytes = synced?;
            read.map(|()| bytes)
        });
        let bytes = written.map_err(Error::io(self.aside.context("cannot write")))?;
        match delta_from {
            None => self.aside.publish_file().map(|()| bytes),
            Some(base) => delta::write(base, &reader::Archive::open(self.aside.path())?, self.aside.target()),
        }
    }
}

/// Opens the archive by its directory and reads the manifest, with its checksum.
fn read_back(file: File) -> io::Result<()> {
    let mut archive = ::zip::ZipArchive::new(io::BufReader::new(file))?;
    io::copy(&mut archive.by_name(MANIFEST_PATH)?, &mut io::sink()).map(drop)
}

impl Writer {
    /// Lets the thread write what it has and gives its file back; `None` if it was ended before or panicked.
    fn end(&mut self) -> io::Result<Option<Steady>> {
        self.queue = None;
        self.thread.take().and_then(|thread| thread.join().ok()).transpose()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // an unfinished archive is thrown away, so how its writing ended does not matter
        let _ = self.end();
    }
}
