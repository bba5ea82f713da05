//! The content of one entry: inflated as it is read, never longer than the directory says, and compared with its
//! checksum at its end.

use std::fs::File;
use std::io::{self, Read};

use flate2::{Crc, Decompress, FlushDecompress, Status};

use base::read_at;

use super::refusal::{EntryRefusal, ReadError};
use super::{BundledFile, EntryMethod};

/// Compressed bytes that are read at a time.
const STEP_BYTES: usize = 32 << 10;

/// An entry's bytes as they stand in the archive: for a deflated one a raw deflate stream.
#[derive(Debug)]
pub struct DeflatedContent<'a> {
    file: &'a File,
    at: u64,
    left: u64,
}

impl<'a> DeflatedContent<'a> {
    pub(super) fn new(file: &'a File, entry: &BundledFile) -> Self {
        Self { file, at: entry.offset, left: entry.packed }
    }
}

impl Read for DeflatedContent<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if length == 0 {
            return Ok(0);
        }
        let read = read_at::read_at(self.file, &mut bytes[..length], self.at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}

/// An entry's content. Read to its end without an error, it is exactly what the directory states;
/// refusals come as [`io::Error`]s that hold a [`ReadError`].
#[derive(Debug)]
pub struct EntryContent<'a> {
    source: ContentReader<'a>,
    /// The entry's name, for errors.
    name: &'a str,
    size: u64,
    crc32: Option<u32>,
    /// Bytes given out so far.
    given: u64,
    crc: Crc,
    is_done: bool,
}

#[derive(Debug)]
enum ContentReader<'a> {
    Stored(DeflatedContent<'a>),
    Deflated(Box<Inflate<'a>>),
    File(File),
}

#[derive(Debug)]
struct Inflate<'a> {
    raw: DeflatedContent<'a>,
    state: Decompress,
    buffer: Vec<u8>,
    /// The part of the buffer that is still to be inflated.
    at: usize,
}

impl<'a> EntryContent<'a> {
    /// Of an entry of an archive.
    pub(super) fn packed(file: &'a File, entry: &'a BundledFile) -> Self {
        let raw = DeflatedContent::new(file, entry);
        let source = match entry.method {
            EntryMethod::Stored => ContentReader::Stored(raw),
            EntryMethod::Deflated => ContentReader::Deflated(Box::new(Inflate {
                raw,
                state: Decompress::new(false),
                buffer: Vec::new(),
                at: 0,
            })),
        };
        Self::new(source, entry)
    }

    /// Of a file in a folder.
    pub(super) fn file(file: File, entry: &'a BundledFile) -> Self {
        Self::new(ContentReader::File(file), entry)
    }

    fn new(source: ContentReader<'a>, entry: &'a BundledFile) -> Self {
        let BundledFile { path, size, crc32, .. } = entry;
        Self { source, name: path.as_str(), size: *size, crc32: *crc32, given: 0, crc: Crc::new(), is_done: false }
    }

    fn refused(&self, refusal: EntryRefusal) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, ReadError::entry(self.name, refusal))
    }

    /// Reads everything.
    pub(super) fn read_all(mut self) -> Result<Vec<u8>, ReadError> {
        // the size was checked against what the archive holds of it, so a few bytes cannot claim a huge size
        let mut bytes =
            vec![0; usize::try_from(self.size).map_err(|_| ReadError::entry(self.name, EntryRefusal::TooLargeToHold))?];
        let mut done = 0;
        loop {
            match self.read(bytes.get_mut(done..).filter(|rest| !rest.is_empty()).unwrap_or(&mut [0])) {
                Ok(0) => return Ok(bytes),
                Ok(read) => done += read,
                Err(error) => return Err(into_read_error(error, self.name)),
            }
        }
    }
}

/// A failure to read: a refusal that was carried as an I/O error, or an I/O error.
pub(super) fn into_read_error(error: io::Error, name: &str) -> ReadError {
    match error.downcast::<ReadError>() {
        Ok(error) => error,
        Err(error) => ReadError::io(format!("cannot read `{name}`"))(error),
    }
}

impl Read for EntryContent<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.is_done || bytes.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.source {
            ContentReader::Stored(raw) => raw.read(bytes)?,
            ContentReader::File(file) => file.read(bytes)?,
            ContentReader::Deflated(inflate) => match inflate.read(bytes) {
                Ok(read) => read,
                Err(None) => return Err(self.refused(EntryRefusal::Deflate)),
                Err(Some(error)) => return Err(error),
            },
        };
        self.given += read as u64;
        if self.given > self.size {
            return Err(self.refused(EntryRefusal::Length));
        }
        if self.crc32.is_some() {
            self.crc.update(&bytes[..read]);
        }
        if read == 0 {
            self.is_done = true;
            if self.given != self.size {
                return Err(self.refused(EntryRefusal::Length));
            }
            if self.crc32.is_some_and(|crc| crc != self.crc.sum()) {
                return Err(self.refused(EntryRefusal::Checksum));
            }
        }
        Ok(read)
    }
}

impl Inflate<'_> {
    /// Inflates some bytes; 0 when the stream has ended, with its last byte the entry's last. An error without a cause:
    /// the stream is broken.
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Option<io::Error>> {
        loop {
            if self.at == self.buffer.len() && self.raw.left > 0 {
                self.buffer.resize(STEP_BYTES.min(usize::try_from(self.raw.left).unwrap_or(STEP_BYTES)), 0);
                let read = self.raw.read(&mut self.buffer).map_err(Some)?;
                self.buffer.truncate(read);
                self.at = 0;
            }
            let input = self.buffer.get(self.at..).unwrap_or_default();
            let (in_before, out_before) = (self.state.total_in(), self.state.total_out());
            let status = self.state.decompress(input, bytes, FlushDecompress::None).map_err(|_| None)?;
            let taken = usize::try_from(self.state.total_in() - in_before).unwrap_or_default();
            let given = usize::try_from(self.state.total_out() - out_before).unwrap_or_default();
            self.at += taken;
            match status {
                _ if given > 0 => return Ok(given),
                Status::StreamEnd if self.at == self.buffer.len() && self.raw.left == 0 => return Ok(0),
                Status::StreamEnd => return Err(None),
                // neither more input nor room for output would help
                _ if taken == 0 && self.at == self.buffer.len() && self.raw.left == 0 => return Err(None),
                _ if taken == 0 && self.at < self.buffer.len() => return Err(None),
                _ => {}
            }
        }
    }
}
