//! The bodies of answers: nothing, bytes in memory, or pieces that are read out of the archive as the client takes
//! them.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use flate2::{Decompress, FlushDecompress, Status};
use hyper::body::{Bytes, Frame, SizeHint};

use bundle::reader::{BundleReader, EntryMethod};

/// Bytes of an archive that are read, and given to the connection, at a time.
const PIECE_BYTES: usize = 64 << 10;

/// What stands before a raw deflate stream to make it gzip: no name, no time, no system.
pub(super) const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// What stands after it: checksum and size of the content.
pub(super) fn gzip_tail(crc32: u32, size: u64) -> [u8; 8] {
    let mut tail = [0; 8];
    tail[..4].copy_from_slice(&crc32.to_le_bytes());
    // RFC 1952: the size modulo 2^32
    tail[4..].copy_from_slice(&(size as u32).to_le_bytes());
    tail
}

type Pieces = Box<dyn Iterator<Item = io::Result<Bytes>> + Send>;

/// The body of an answer. Its length is known from the beginning.
pub struct ReplyBody(BodyInner);

enum BodyInner {
    Empty,
    Whole(Bytes),
    Pieces { left: u64, pieces: Pieces },
}

impl std::fmt::Debug for ReplyBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Body({} bytes)", self.left())
    }
}

impl ReplyBody {
    /// Nothing.
    pub fn empty() -> Self {
        Self(BodyInner::Empty)
    }

    /// Bytes that are in memory.
    pub fn whole(bytes: impl Into<Bytes>) -> Self {
        Self(BodyInner::Whole(bytes.into()))
    }

    /// Pieces that are `length` bytes together.
    pub(super) fn pieces(length: u64, pieces: impl Iterator<Item = io::Result<Bytes>> + Send + 'static) -> Self {
        Self(BodyInner::Pieces { left: length, pieces: Box::new(pieces) })
    }

    /// Bytes that are still to come.
    pub fn left(&self) -> u64 {
        match &self.0 {
            BodyInner::Empty => 0,
            BodyInner::Whole(bytes) => bytes.len() as u64,
            BodyInner::Pieces { left, .. } => *left,
        }
    }
}

impl hyper::body::Body for ReplyBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let next = match std::mem::replace(&mut self.0, BodyInner::Empty) {
            BodyInner::Empty => None,
            BodyInner::Whole(bytes) => (!bytes.is_empty()).then_some(Ok(bytes)),
            BodyInner::Pieces { left, mut pieces } => match pieces.next() {
                Some(Ok(piece)) => {
                    let left = left.saturating_sub(piece.len() as u64);
                    self.0 = if left == 0 { BodyInner::Empty } else { BodyInner::Pieces { left, pieces } };
                    Some(Ok(piece))
                }
                // the length has been sent: the connection has to be aborted
                None if left > 0 => Some(Err(io::ErrorKind::UnexpectedEof.into())),
                end => end,
            },
        };
        Poll::Ready(next.map(|piece| piece.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.left() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left())
    }
}

/// A part of an entry as it stands in the archive, piece by piece.
pub(super) struct RawPiece {
    archive: Arc<BundleReader>,
    entry: usize,
    at: u64,
    end: u64,
}

impl RawPiece {
    /// The bytes from `at` to before `end`.
    pub(super) fn new(archive: Arc<BundleReader>, entry: usize, at: u64, end: u64) -> Self {
        Self { archive, entry, at, end }
    }
}

impl Iterator for RawPiece {
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        let length = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(PIECE_BYTES).min(PIECE_BYTES);
        let entry = self.archive.entries().get(self.entry).filter(|_| length > 0)?;
        let mut bytes = vec![0; length];
        let read = self.archive.read_raw_at(entry, self.at, &mut bytes);
        self.at += length as u64;
        Some(read.map(|()| bytes.into()))
    }
}

/// A part of the content of a deflated entry, inflated as it is taken. What lies before the part is inflated and thrown
/// away.
pub(super) struct Inflated {
    raw: RawPiece,
    state: Decompress,
    packed: Bytes,
    skip: u64,
    left: u64,
}

impl Inflated {
    /// The bytes from `at` to before `end` of the content.
    pub(super) fn new(archive: Arc<BundleReader>, entry: usize, at: u64, end: u64) -> Self {
        let packed_size = archive.entries().get(entry).map_or(0, |entry| entry.packed_size());
        let raw = RawPiece::new(archive, entry, 0, packed_size);
        Self { raw, state: Decompress::new(false), packed: Bytes::new(), skip: at, left: end.saturating_sub(at) }
    }

    fn inflate(&mut self) -> io::Result<Bytes> {
        let mut out = vec![0; PIECE_BYTES];
        loop {
            if self.packed.is_empty() {
                self.packed = self.raw.next().transpose()?.unwrap_or_default();
            }
            let (taken, given) = (self.state.total_in(), self.state.total_out());
            let status =
                self.state.decompress(&self.packed, &mut out, FlushDecompress::None).map_err(io::Error::other)?;
            let taken = usize::try_from(self.state.total_in() - taken).unwrap_or_default();
            let given = usize::try_from(self.state.total_out() - given).unwrap_or_default();
            self.packed = self.packed.slice(taken..);
            if given > 0 {
                out.truncate(given);
                return Ok(out.into());
            }
            if status == Status::StreamEnd || taken == 0 && (self.packed.is_empty() || status == Status::BufError) {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

impl Iterator for Inflated {
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.left > 0 {
            let mut piece = match self.inflate() {
                Ok(piece) => piece,
                Err(error) => {
                    self.left = 0;
                    return Some(Err(error));
                }
            };
            let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(piece.len());
            self.skip -= skipped as u64;
            piece = piece.slice(skipped..);
            piece.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
            if !piece.is_empty() {
                self.left -= piece.len() as u64;
                return Some(Ok(piece));
            }
        }
        None
    }
}

/// A part of an entry's content.
pub(super) fn entry_body(archive: &Arc<BundleReader>, entry: usize, at: u64, end: u64) -> ReplyBody {
    let archive = Arc::clone(archive);
    let is_stored = archive.entries().get(entry).is_some_and(|entry| entry.method() == EntryMethod::Stored);
    let length = end.saturating_sub(at);
    if is_stored {
        ReplyBody::pieces(length, RawPiece::new(archive, entry, at, end))
    } else {
        ReplyBody::pieces(length, Inflated::new(archive, entry, at, end))
    }
}
