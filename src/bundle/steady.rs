//! A file that goes to the disk while it is written: what is written last waits for the little that is left, not for
//! all of it.

use std::fs::File;
use std::io::{self, Write};

use super::worker::Worker;

/// Bytes after which the written part is synced.
const SYNC_STEP_BYTES: usize = 16 << 20;

/// A file that is synced step by step by a thread of its own, so that writers never block on the disk.
#[derive(Debug)]
pub(super) struct IncrementalSync {
    file: File,
    /// Bytes since the last sync.
    waiting: usize,
    disk: Worker<(), ()>,
}

impl IncrementalSync {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let same = file.try_clone()?;
        let disk = Worker::start("disk", 1, move |turns| turns.into_iter().try_for_each(|()| same.sync_data()))?;
        Ok(Self { file, waiting: 0, disk })
    }

    /// Returns when the disk has everything; the length of the file, bytes.
    pub(super) fn sync(mut self) -> io::Result<u64> {
        // the kernel reports a failed write-back once, to the first sync after it
        self.disk.end()?;
        self.file.sync_all()?;
        Ok(self.file.metadata()?.len())
    }
}

impl Write for IncrementalSync {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.waiting += written;
        // a turn that waits to begin will take these bytes too
        if self.waiting >= SYNC_STEP_BYTES && self.disk.offer(()) {
            self.waiting = 0;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
