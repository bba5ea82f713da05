//! Deflate (RFC 1951), as much of it as a bundle needs: whole files, and streams that another can follow.

use std::cell::RefCell;

use libdeflater::{CompressionLvl, Compressor};
use rayon::prelude::*;

use crate::base::limits;

mod open;

/// For what a site has once: as small as zlib makes it by default.
const LEVEL: i32 = 6;
/// For pages and the Markdown beside them, where a third of the time of an export goes: 4 to 5 % larger than at level
/// 4, in 0.6 of its time; 6 to 7 % larger than at level 6, in 0.45 of its.
const QUICK_LEVEL: i32 = 1;

/// Buffers above this are given back after use, bytes.
const KEPT_BUFFER: usize = 1 << 20;

/// What ends a file of streams that others can follow: an empty block that says that it is the last one.
pub(super) const END: [u8; 2] = [0x03, 0x00];

/// Bytes that are deflated together where another stream follows. A match has at least four bytes, and libdeflate gives
/// a block room for 8,192 of them: what is no longer than this is one block.
const CHUNK: usize = 1 << 15;

/// Most bytes of a block that is stored as it is.
const STORED: usize = 0xffff;

/// Bytes that a thread deflates at a time of what all of them deflate.
const SLICE: usize = 8 * CHUNK;

/// Up to this length a part is stored as it is, bytes: the codes of a block take about as many.
const FEW: usize = 100;

/// What is spent on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Time, for its size.
    Small,
    /// Little time.
    Quick,
    /// Little time, on all cores at once, for what others wait for.
    Wide,
}

/// The deflated form, if it is worth it.
pub(super) fn whole(bytes: &[u8], effort: Effort) -> Option<Vec<u8>> {
    let out = if effort == Effort::Wide {
        side_by_side(bytes)
    } else {
        let mut out = Vec::new();
        deflate(bytes, effort, &mut out).then_some(out)?
    };
    is_worth_it(&out, bytes.len() as u64).then_some(out)
}

/// Whether what deflate made of `size` bytes is smaller than they are, but not so small that readers would take it for
/// a bomb.
pub(super) fn is_worth_it(deflated: &[u8], size: u64) -> bool {
    let length = deflated.len() as u64;
    length < size && size / limits::BUNDLE_RATIO < length
}

/// Slices, each deflated by a thread of its own.
fn side_by_side(bytes: &[u8]) -> Vec<u8> {
    let streams = bytes.par_chunks(SLICE).map(|slice| {
        let mut out = Vec::with_capacity(slice.len() / 2);
        part(slice, &mut out);
        out
    });
    let mut streams: Vec<Vec<u8>> = streams.collect();
    streams.push(END.to_vec());
    streams.concat()
}

/// Appends a quick form that another can follow, or [`END`]: deflated where that is worth it.
pub(super) fn part(bytes: &[u8], out: &mut Vec<u8>) {
    for chunk in bytes.chunks(CHUNK) {
        let start = out.len();
        let is_deflated =
            chunk.len() > FEW && deflate(chunk, Effort::Quick, out) && is_worth_it(&out[start..], chunk.len() as u64);
        if !is_deflated || !open::open(out, start) {
            out.truncate(start);
            stored(chunk, out);
        }
    }
}

/// Appends bytes as they are; another stream, or [`END`], can follow.
fn stored(bytes: &[u8], out: &mut Vec<u8>) {
    for chunk in bytes.chunks(STORED) {
        let length = chunk.len() as u16;
        out.push(0);
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(chunk);
    }
}

/// Appends the deflated form, a whole stream, if it is smaller. Every thread keeps its compressors: making one costs as
/// much as 3 kB of text.
fn deflate(bytes: &[u8], effort: Effort, out: &mut Vec<u8>) -> bool {
    type Kept = RefCell<Option<(Compressor, Vec<u8>)>>;
    thread_local! {
        static DEFLATE: [Kept; 2] = const { [const { RefCell::new(None) }; 2] };
    }
    DEFLATE.with(|kept| {
        let (place, level) = if effort == Effort::Small { (0, LEVEL) } else { (1, QUICK_LEVEL) };
        let mut kept = kept[place].borrow_mut();
        let (compressor, buffer) =
            kept.get_or_insert_with(|| (Compressor::new(CompressionLvl::new(level).unwrap_or_default()), Vec::new()));
        // too small a buffer is how libdeflate is told to give up
        buffer.resize(bytes.len().saturating_sub(1), 0);
        let deflated = compressor.deflate_compress(bytes, buffer).ok().and_then(|length| buffer.get(..length));
        if let Some(deflated) = deflated {
            // and what opens it
            out.reserve(deflated.len() + 5);
            out.extend_from_slice(deflated);
        }
        let is_smaller = deflated.is_some();
        if buffer.len() > KEPT_BUFFER {
            *buffer = Vec::new();
        }
        is_smaller
    })
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
            part(bytes, &mut stream);
        }
        stream.extend(END);
        assert!(inflated(&stream) == parts.concat());
        stream.len()
    }

    #[test]
    fn streams_follow_one_another() {
        let prose =
            "Use `stream_header` to merge every sequential handler in the tenant; it defaults to 415. ".repeat(20);
        let alone = whole(prose.as_bytes(), Effort::Quick).unwrap().len();
        let joined = check(&[prose.as_bytes(); 50]);
        assert!(joined <= 50 * (alone + 5) + END.len(), "{joined} bytes for 50 times {alone}");
    }

    #[test]
    fn what_has_many_matches_is_still_smaller() {
        // matches of four bytes with nothing between them: as many as there can be
        let words: Vec<u8> =
            (0..60_000_u32).flat_map(|n| (n.wrapping_mul(2_654_435_761) >> 24).to_le_bytes()).collect();
        assert!(check(&[&words]) < words.len() / 2);
    }

    #[test]
    fn bytes_that_do_not_shrink_are_stored() {
        let noise: Vec<u8> =
            (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8 ^ (n >> 8) as u8).collect();
        check(&[&noise, b"", b"x", &noise[..STORED + 1]]);
        let mut stream = Vec::new();
        stored(&noise, &mut stream);
        stream.extend(END);
        assert!(inflated(&stream) == noise);
    }

    #[test]
    fn no_part_is_a_bomb() {
        let zeros = vec![0; 10 * CHUNK];
        assert!(check(&[&zeros]) as u64 >= zeros.len() as u64 / limits::BUNDLE_RATIO);
    }

    #[test]
    fn what_all_cores_deflate_is_whole() {
        let lines: String =
            (0..40_000_u32).map(|n| format!("{:08x}: {}\n", n.wrapping_mul(2_654_435_761), n % 7)).collect();
        let stream = whole(lines.as_bytes(), Effort::Wide).unwrap();
        assert!(stream.len() < lines.len() && inflated(&stream) == lines.as_bytes());
    }

    proptest! {
        #[test]
        fn any_parts_can_be_read(parts in proptest::collection::vec("[a-e ]{0,400}|\\PC{0,200}|(ab|abc|\\n){0,900}", 0..6)) {
            let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
            check(&parts);
        }
    }
}
