//! The zip archive: entries are compressed on any thread and copied into the file by one.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use zip::write::{SimpleFileOptions, ZipFileBuilder};
use zip::{CompressionMethod, DateTime, PreparedZipFile, System, ZipWriter};

use super::aside::{Aside, Target};
use super::{Error, extension};

/// zlib's default: 7.4 times smaller on HTML; level 9 takes twice as long for one per cent.
const LEVEL: i64 = 6;

/// Types that are compressed already; deflate would cost time and gain nothing.
const STORED: [&str; 28] = [
    "7z", "aac", "avif", "br", "bz2", "flac", "gif", "gz", "heic", "jpeg", "jpg", "jxl", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "ogg",
    "opus", "png", "tgz", "webm", "webp", "woff", "woff2", "xz", "zip",
];

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
    queue: Option<SyncSender<Vec<PreparedZipFile>>>,
    thread: Option<JoinHandle<Result<File, zip::result::ZipError>>>,
}

impl Archive {
    pub(super) fn create(target: Target) -> Result<Self, Error> {
        let (aside, file) = Aside::file(target)?;
        let (queue, batches) = sync_channel::<Vec<PreparedZipFile>>(0);
        let write = move || {
            let mut zip = ZipWriter::new(Positioned { out: BufWriter::with_capacity(1 << 20, file), at: 0 });
            for batch in batches {
                zip.add_prepared_files(batch)?;
            }
            Ok(zip.finish()?.out.into_inner().map_err(io::IntoInnerError::into_error)?)
        };
        let thread = std::thread::Builder::new().name("bundle".to_owned()).spawn(write);
        let thread = thread.map_err(Error::io("cannot start the thread that writes the bundle"))?;
        Ok(Self { writer: Writer { queue: Some(queue), thread: Some(thread) }, aside })
    }

    pub(super) fn append(&mut self, batch: Vec<PreparedZipFile>) -> Result<(), Error> {
        if self.writer.queue.as_ref().is_some_and(|queue| queue.send(batch).is_ok()) {
            return Ok(());
        }
        // nobody takes batches any more: the thread has ended, with an error
        self.writer.end().map_err(error(self.aside.context("cannot write")))?;
        Err(Error::Io { context: self.aside.context("cannot write"), source: io::ErrorKind::BrokenPipe.into() })
    }

    /// Adds the last entry and publishes. Returns the archive's size in bytes.
    pub(super) fn finish(mut self, last: PreparedZipFile) -> Result<u64, Error> {
        self.append(vec![last])?;
        let file = self.writer.end().map_err(error(self.aside.context("cannot write")))?;
        let file = file.ok_or_else(|| Error::Io { context: self.aside.context("cannot write"), source: io::ErrorKind::BrokenPipe.into() })?;
        file.sync_all().map_err(Error::io(self.aside.context("cannot write")))?;
        let bytes = file.metadata().map_err(Error::io(self.aside.context("cannot read")))?.len();
        self.aside.publish_file()?;
        Ok(bytes)
    }
}

impl Writer {
    /// Lets the thread write what it has and gives its file back; `None` if it was ended before or panicked.
    fn end(&mut self) -> Result<Option<File>, zip::result::ZipError> {
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

/// Compresses a file. What deflate cannot make smaller is stored.
pub(super) fn pack(path: &str, bytes: &[u8]) -> Result<PreparedZipFile, Error> {
    let failed = || error(format!("cannot compress `{path}`"));
    if !is_stored(path) {
        let deflated = PreparedZipFile::from_data(path, options(CompressionMethod::Deflated), bytes).map_err(failed())?;
        if deflated.compressed_size() < deflated.uncompressed_size() {
            return Ok(deflated);
        }
    }
    PreparedZipFile::from_data(path, options(CompressionMethod::Stored), bytes).map_err(failed())
}

/// An entry that is written piece by piece.
pub(super) fn entry(path: &str, method: CompressionMethod) -> Result<ZipFileBuilder, Error> {
    ZipFileBuilder::new(path, options(method)).map_err(error(format!("cannot compress `{path}`")))
}

/// Makes a failure of the archive ours.
pub(super) fn error(context: impl Into<String>) -> impl FnOnce(zip::result::ZipError) -> Error {
    let context = context.into();
    move |error| Error::Io { context, source: error.into() }
}

fn is_stored(path: &str) -> bool {
    STORED.iter().any(|stored| extension(path).eq_ignore_ascii_case(stored))
}

/// Every field that could differ from machine to machine is fixed.
fn options(method: CompressionMethod) -> SimpleFileOptions {
    let options = SimpleFileOptions::default().compression_method(method).last_modified_time(DateTime::DEFAULT);
    let options = options.system(System::Unix).unix_permissions(0o644);
    if method == CompressionMethod::Deflated { options.compression_level(Some(LEVEL)) } else { options }
}

/// A writer that knows where it is. The archive asks before every entry, and asking a `BufWriter` flushes it (13 µs an entry
/// instead of 4).
struct Positioned {
    out: BufWriter<File>,
    at: u64,
}

impl Write for Positioned {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.at += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for Positioned {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if to != SeekFrom::Current(0) {
            self.at = self.out.seek(to)?;
        }
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expect: bool) {
        assert_eq!(is_stored(path), expect, "{path}");
    }

    #[test]
    fn compressed_types_are_stored() {
        check("img/a.PNG", true);
        check("fonts/inter.woff2", true);
        check("png", false);
        check("a.png.html", false);
        check("a.svg", false);
    }

    #[test]
    fn the_list_is_sorted_and_lower_case() {
        assert!(STORED.is_sorted() && STORED.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())));
    }

    #[test]
    fn what_does_not_shrink_is_stored() {
        let packed = pack("a.txt", b"x").unwrap();
        assert_eq!((packed.compressed_size(), packed.uncompressed_size()), (1, 1));
        let packed = pack("a.txt", &[b'x'; 1000]).unwrap();
        assert!(packed.compressed_size() < 50);
    }
}
