//! Deflate (RFC 1951), as much of it as a bundle needs: whole files, and parts that another can follow.
//!
//! All is compressed by libdeflate, which is the fastest but only makes whole streams. A part is cut into pieces of which
//! it makes one block each. Such a block is opened: it is the last one no longer, and an empty stored block follows,
//! after which the next piece begins at a byte.

use std::cell::RefCell;

use libdeflater::{CompressionLvl, Compressor, Decompressor};

use base::limits;

/// For what a site has once: as small as zlib makes it by default.
const LEVEL: i32 = 6;
/// For pages, where a third of the time of an export goes: 4 to 5 % larger than at level 4, in 0.6 of its time; 6 to 7
/// % larger than at level 6, in 0.45 of its. For the manifest too, whose digests hardly become smaller.
const QUICK_LEVEL: i32 = 1;

/// A piece of a part, bytes. libdeflate makes one block of it, at most of 8,192 matches that are four bytes long; a
/// stored block holds it, too.
const PIECE_BYTES: usize = 32 * 1024;
/// A piece shorter than this is stored as it is, bytes: codes of its own save little room in it.
const MIN_DEFLATED_BYTES: usize = 256;

/// Buffers above this are given back after use, bytes.
const MAX_RETAINED_BUFFER_BYTES: usize = 1 << 20;

/// What ends a file of parts: an empty block that says that it is the last one.
pub(super) const END: [u8; 2] = [0x03, 0x00];

/// The bit of the first byte of a block that says that it is the last one (RFC 1951, 3.2.3).
const LAST_BLOCK: u8 = 1;
/// The bits of the last byte of a stream in which the header of the next block would have room.
const HEADER_ROOM: u8 = 0b1110_0000;
/// An empty stored block without the three bits of its header, which are zero: the length, and its complement.
const EMPTY_STORED: [u8; 4] = [0x00, 0x00, 0xff, 0xff];

/// What is spent on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Time, for its size.
    Small,
    /// Little time.
    Quick,
}

/// The deflated form, if it is worth it. Every thread keeps its compressors: making one costs as much as 3 kB of text.
pub(super) fn deflate_whole(bytes: &[u8], effort: Effort) -> Option<Vec<u8>> {
    type CachedCompressor = RefCell<Option<(Compressor, Vec<u8>)>>;
    thread_local! {
        static DEFLATE: [CachedCompressor; 2] = const { [const { RefCell::new(None) }; 2] };
    }
    DEFLATE.with(|compressors| {
        let (place, level) = if effort == Effort::Small { (0, LEVEL) } else { (1, QUICK_LEVEL) };
        let mut cached = compressors[place].borrow_mut();
        let (compressor, buffer) =
            cached.get_or_insert_with(|| (Compressor::new(CompressionLvl::new(level).unwrap_or_default()), Vec::new()));
        // libdeflate gives up when the room is too small; a buffer that shrank would be cleared to grow again
        let room = bytes.len().saturating_sub(1);
        if buffer.len() < room {
            buffer.resize(room, 0);
        }
        let length = compressor.deflate_compress(bytes, &mut buffer[..room]).ok();
        let deflated = length.and_then(|length| buffer.get(..length));
        let out = deflated.filter(|out| is_worth_it(out, bytes.len() as u64)).map(<[u8]>::to_vec);
        if buffer.len() > MAX_RETAINED_BUFFER_BYTES {
            *buffer = Vec::new();
        }
        out
    })
}

/// Whether what deflate made of `size` bytes is smaller than they are, but not so small that readers would take it for
/// a bomb.
pub(super) fn is_worth_it(deflated: &[u8], size: u64) -> bool {
    let length = deflated.len() as u64;
    length < size && length > size / limits::BUNDLE_RATIO
}

/// Appends a quick form that another can follow, or [`END`].
pub(super) fn deflate_part(bytes: &[u8], out: &mut Vec<u8>) {
    for piece in bytes.chunks(PIECE_BYTES) {
        let stream = if piece.len() < MIN_DEFLATED_BYTES { None } else { deflate_whole(piece, Effort::Quick) };
        match stream.filter(|stream| stream[0] & LAST_BLOCK != 0) {
            Some(block) => append_opened(&block, piece.len(), out),
            None => append_stored(piece, out),
        }
    }
}

/// Appends a stream of one block, opened. The three bits of the header of the empty stored block are zero, as are those
/// that fill up the last byte of the stream. Where there are at least three, they are the header; otherwise the next
/// byte holds the rest of it. Where all three are zero, a reader tells whether they are the header: if not, the length
/// does not match its complement. `size`: bytes of the text.
fn append_opened(block: &[u8], size: usize, out: &mut Vec<u8>) {
    thread_local! {
        static READER: RefCell<(Decompressor, Vec<u8>)> =
            RefCell::new((Decompressor::new(), vec![0; PIECE_BYTES]));
    }
    let start = out.len();
    out.extend_from_slice(block);
    out[start] &= !LAST_BLOCK;
    let end = out.len();
    out.extend(EMPTY_STORED);
    let has_header = block[block.len() - 1] & HEADER_ROOM == 0 && {
        out.extend(END);
        let read = READER.with_borrow_mut(|(reader, text)| reader.deflate_decompress(&out[start..], &mut text[..size]));
        out.truncate(out.len() - END.len());
        read == Ok(size)
    };
    if !has_header {
        out.insert(end, 0);
    }
}

/// Appends a stored block (RFC 1951, 3.2.4) that is not the last one.
fn append_stored(piece: &[u8], out: &mut Vec<u8>) {
    const { assert!(PIECE_BYTES <= u16::MAX as usize) };
    let length = piece.len() as u16;
    out.push(0);
    out.extend(length.to_le_bytes());
    out.extend((!length).to_le_bytes());
    out.extend_from_slice(piece);
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;

    /// As another implementation reads it.
    #[track_caller]
    fn inflated(stream: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut decoder = flate2::bufread::DeflateDecoder::new(stream);
        decoder.read_to_end(&mut out).unwrap();
        assert_eq!(decoder.total_in(), stream.len() as u64, "nothing is left over");
        out
    }

    #[track_caller]
    fn check(parts: &[&[u8]]) -> usize {
        let mut stream = Vec::new();
        for bytes in parts {
            deflate_part(bytes, &mut stream);
        }
        stream.extend(END);
        assert!(inflated(&stream) == parts.concat());
        stream.len()
    }

    #[test]
    fn parts_follow_one_another() {
        let prose =
            "Use `stream_header` to merge every sequential handler in the tenant; it defaults to 415. ".repeat(20);
        let alone = check(&[prose.as_bytes()]);
        assert!(alone < prose.len() / 5);
        assert_eq!(check(&[prose.as_bytes(); 50]) - END.len(), 50 * (alone - END.len()));
    }

    /// Whether or not the last byte of the part has room for the header that follows, and however long the part is.
    #[test]
    fn a_part_may_end_at_any_bit() {
        let words = "merge every sequential handler; it defaults to stream_header in the tenant, says page ";
        let prose: String =
            (0..40_000_usize).map(|n| words.as_bytes()[(n * n / 7 + n) % words.len()] as char).collect();
        let mut longer_by = [false; 2];
        for length in (300..400).chain([70_000, 200_000]) {
            let text = &prose.repeat(1 + length / prose.len())[..length];
            let mut part = Vec::new();
            deflate_part(text.as_bytes(), &mut part);
            if let Some(block) = deflate_whole(text.as_bytes(), Effort::Quick).filter(|_| length < 400) {
                longer_by[part.len() - block.len() - EMPTY_STORED.len()] = true;
            }
            check(&[text.as_bytes(), b"x", text.as_bytes()]);
        }
        assert_eq!(longer_by, [true; 2], "both forms are tested");
    }

    #[test]
    fn a_piece_of_many_short_matches_is_one_block() {
        let words: Vec<[u8; 4]> = (1..=256_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let piece: Vec<u8> = (0..PIECE_BYTES / 4).flat_map(|n| words[(n * n / 3 + n) % words.len()]).collect();
        let stream = deflate_whole(&piece, Effort::Quick).unwrap();
        assert!(stream[0] & LAST_BLOCK != 0 && check(&[&piece]) < piece.len() / 2);
    }

    #[test]
    fn parts_that_do_not_shrink_hardly_grow() {
        let noise: Vec<u8> =
            (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8 ^ (n >> 8) as u8).collect();
        assert!(check(&[&noise, b"", b"x", &noise[..0x1_0000]]) < noise.len() + 0x1_0000 + 200);
    }

    #[test]
    fn no_part_is_a_bomb() {
        let zeros = vec![0; 10 << 15];
        assert!(check(&[&zeros]) as u64 >= zeros.len() as u64 / limits::BUNDLE_RATIO);
    }

    proptest! {
        #[test]
        fn any_parts_can_be_read(parts in proptest::collection::vec("[a-e ]{0,400}|\\PC{0,200}|(ab|abc|\\n){0,900}", 0..6)) {
            let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
            check(&parts);
        }
    }
}
