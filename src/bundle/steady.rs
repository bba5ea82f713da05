//! A file that goes to the disk while it is written: what is written last waits for the little that is left, not for all of it.

use std::fs::File;
use std::io::{self, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Bytes after which the disk is told to take what is there.
const STEP: usize = 16 << 20;

/// A file and a thread that waits for the disk. Nobody who writes does.
#[derive(Debug)]
pub(super) struct Steady {
    file: File,
    /// Bytes since the disk was told.
    waiting: usize,
    disk: Disk,
}

#[derive(Debug)]
struct Disk {
    due: Option<SyncSender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Steady {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let same = file.try_clone()?;
        let (due, turns) = sync_channel(1);
        let thread = std::thread::Builder::new().name("disk".to_owned()).spawn(move || turns.into_iter().try_for_each(|()| same.sync_data()))?;
        Ok(Self { file, waiting: 0, disk: Disk { due: Some(due), thread: Some(thread) } })
    }

    /// Returns when the disk has everything; the length of the file, bytes.
    pub(super) fn sync(mut self) -> io::Result<u64> {
        // a failure to write back is told once, to whoever asks first
        self.disk.end()?;
        self.file.sync_all()?;
        Ok(self.file.metadata()?.len())
    }
}

impl Write for Steady {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.waiting += written;
        // a turn that waits to begin will take these bytes too
        if self.waiting >= STEP && self.disk.due.as_ref().is_some_and(|due| due.try_send(()).is_ok()) {
            self.waiting = 0;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Disk {
    /// Waits for the thread; how its work went.
    fn end(&mut self) -> io::Result<()> {
        self.due = None;
        let ended = self.thread.take().map(JoinHandle::join);
        ended.map_or(Ok(()), |outcome| outcome.unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into())))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // of a file that is thrown away; on some systems it cannot be removed while somebody has it open
        let _ = self.end();
    }
}
