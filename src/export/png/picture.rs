//! What the chunks of a PNG file say, without decoding it; and its first rows as a file of their own.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc, Decompress, FlushDecompress};

/// Smaller files gain too little to be worth the time.
pub(super) const MIN_BYTES: usize = 200_000;
/// Larger files would hold up the export.
pub(super) const MAX_PNG_BYTES: usize = 16 << 20;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A PNG file that may be worth optimizing: large, well formed as far as its head, not animated.
pub(super) struct PngPicture<'a> {
    bytes: &'a [u8],
    height: usize,
    /// Bytes of a row, without the byte of its filter.
    row_bytes: usize,
    is_interlaced: bool,
}

/// The first rows of a picture.
#[derive(Debug)]
pub(super) struct PngRows {
    /// Bytes that they take in the picture.
    pub(super) packed_bytes: u64,
    /// Bytes of the whole picture.
    pub(super) picture_bytes: u64,
    /// How many rows they are, and how many the picture has.
    pub(super) rows_of: (u64, u64),
    /// A PNG file of them alone, not compressed.
    pub(super) png: Vec<u8>,
}

impl<'a> PngPicture<'a> {
    /// Reads the head of a file.
    pub(super) fn candidate(bytes: &'a [u8]) -> Option<Self> {
        if !(MIN_BYTES..=MAX_PNG_BYTES).contains(&bytes.len()) || !bytes.starts_with(SIGNATURE) {
            return None;
        }
        let (b"IHDR", head) = chunks(bytes).next()? else { return None };
        let [w1, w2, w3, w4, h1, h2, h3, h4, depth, color, _, _, interlace] = *head else { return None };
        let channels = match color {
            0 | 3 => 1,
            4 => 2,
            2 => 3,
            6 => 4,
            _ => return None,
        };
        let width = usize::try_from(u32::from_be_bytes([w1, w2, w3, w4])).ok()?;
        let height = usize::try_from(u32::from_be_bytes([h1, h2, h3, h4])).ok()?;
        let row_bytes = width.checked_mul(channels * usize::from(depth))?.div_ceil(8);
        row_bytes.checked_mul(height)?;
        let is_animated = chunks(bytes).take_while(|(kind, _)| *kind != b"IDAT").any(|(kind, _)| kind == b"acTL");
        (!is_animated).then_some(Self { bytes, height, row_bytes, is_interlaced: interlace != 0 })
    }

    /// Bytes of its pixels in memory.
    pub(super) fn pixel_bytes(&self) -> usize {
        self.row_bytes * self.height
    }

    /// As many of its first rows as have at most `limit` bytes; `None` for damaged and interlaced files.
    pub(super) fn first_rows(&self, limit: usize) -> Option<PngRows> {
        let with_filter = self.row_bytes + 1;
        let rows = (limit / with_filter).min(self.height);
        if rows == 0 || self.is_interlaced {
            return None;
        }
        let (pixels, packed_bytes) = self.unpack(rows * with_filter)?;
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::none());
        packed.write_all(&pixels).ok()?;
        let packed = packed.finish().ok()?;
        let mut png = SIGNATURE.to_vec();
        for (kind, data) in chunks(self.bytes).take_while(|(kind, _)| *kind != b"IDAT") {
            match kind {
                b"IHDR" => {
                    let height = u32::try_from(rows).ok()?.to_be_bytes();
                    push_chunk(&mut png, kind, &[data.get(..4)?, &height, data.get(8..)?].concat());
                }
                b"PLTE" | b"tRNS" => push_chunk(&mut png, kind, data),
                _ => {}
            }
        }
        push_chunk(&mut png, b"IDAT", &packed);
        push_chunk(&mut png, b"IEND", b"");
        let rows_of = (rows as u64, self.height as u64);
        Some(PngRows { packed_bytes, picture_bytes: self.bytes.len() as u64, rows_of, png })
    }

    /// The first `length` bytes of its rows, and the number of compressed bytes that hold them.
    fn unpack(&self, length: usize) -> Option<(Vec<u8>, u64)> {
        let mut pixels = vec![0; length];
        let mut at = 0;
        let mut stream = Decompress::new(true);
        for (_, mut data) in chunks(self.bytes).filter(|(kind, _)| *kind == b"IDAT") {
            while !data.is_empty() && at < length {
                let (read, written) = (stream.total_in(), stream.total_out());
                stream.decompress(data, pixels.get_mut(at..)?, FlushDecompress::None).ok()?;
                let read = usize::try_from(stream.total_in() - read).ok()?;
                let written = usize::try_from(stream.total_out() - written).ok()?;
                if read == 0 && written == 0 {
                    return None;
                }
                at += written;
                data = data.get(read..)?;
            }
        }
        (at == length).then(|| (pixels, stream.total_in()))
    }
}

/// The chunks of a file as far as they are whole: kinds and data.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut rest = bytes.get(SIGNATURE.len()..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (kind, after) = after.split_first_chunk::<4>()?;
        let (data, after) = after.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
        // the checksum
        rest = after.get(4..)?;
        Some((kind, data))
    })
}

/// Writes a chunk.
pub(super) fn push_chunk(png: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    let mut crc = Crc::new();
    crc.update(kind);
    crc.update(data);
    png.extend_from_slice(&u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    png.extend_from_slice(kind);
    png.extend_from_slice(data);
    png.extend_from_slice(&crc.sum().to_be_bytes());
}
