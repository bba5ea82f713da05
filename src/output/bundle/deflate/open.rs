//! A stream of one block, opened so that another can follow: its block is no longer the last one, and an empty stored
//! block (RFC 1951, 3.2.4) leads to the next byte. For that one must know where in its last byte the stream ends.

/// Most bits of a code of lengths, of a code of letters.
const PRE_BITS: usize = 7;
const BITS: usize = 15;
/// The symbol that ends a block.
const END_OF_BLOCK: usize = 256;
/// In which order the lengths of the code of lengths stand.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Opens the stream from `start` on. `false` leaves it as it was: it is none of a single block with its own codes, or
/// its end cannot be told.
pub(super) fn open(out: &mut Vec<u8>, start: usize) -> bool {
    let Some(spare) = spare_bits(&out[start..]) else { return false };
    out[start] &= !1;
    if spare < 3 {
        // the three bits that begin a block do not fit
        out.push(0);
    }
    out.extend([0, 0, 0xff, 0xff]);
    true
}

/// How many bits are left over after the end of a stream; all of them are 0.
fn spare_bits(stream: &[u8]) -> Option<usize> {
    let (code, length) = end_code(stream)?;
    let total = stream.len() * 8;
    let bit = |at: usize| u32::from(stream[at / 8] >> (at % 8) & 1);
    let spare = stream.last()?.leading_zeros() as usize;
    // where the code ends in 0, some of these may be its own
    let ends = |spare: &usize| {
        let from = total.checked_sub(spare + length);
        from.is_some_and(|from| (from..from + length).fold(0, |read, at| read << 1 | bit(at)) == code)
    };
    let mut fits = (0..=spare.min(7)).filter(ends);
    let found = fits.next()?;
    fits.next().is_none().then_some(found)
}

/// The code that ends the last block, and its length in bits, if it is the first one too and has codes of its own.
fn end_code(stream: &[u8]) -> Option<(u32, usize)> {
    let mut bits = Bits { stream, at: 0 };
    if bits.take(1)? != 1 || bits.take(2)? != 2 {
        return None;
    }
    let letters = bits.take(5)? as usize + 257;
    bits.take(5)?;
    let known = bits.take(4)? as usize + 4;
    let mut lengths = [0; ORDER.len()];
    for symbol in ORDER.iter().take(known) {
        lengths[*symbol] = bits.take(3)? as u8;
    }
    let code = PreCode::new(&lengths);
    // the last run may reach into the lengths for distances
    let mut lengths = [0_u8; 288 + 138];
    let mut at = 0;
    while at < letters {
        let (value, times) = match code.read(&mut bits)? {
            16 => (*lengths.get(at.checked_sub(1)?)?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (length, 1),
        };
        lengths.get_mut(at..at + times as usize)?.fill(value);
        at += times as usize;
    }
    let lengths = &lengths[..letters];
    let length = usize::from(lengths[END_OF_BLOCK]);
    let codes = first_codes::<{ BITS + 1 }>(lengths);
    let before = lengths[..END_OF_BLOCK].iter().filter(|other| usize::from(**other) == length).count();
    (length > 0).then_some((codes[length] + before as u32, length))
}

/// The first code of each length, as 3.2.2 defines it.
fn first_codes<const N: usize>(lengths: &[u8]) -> [u32; N] {
    let mut counts = [0; N];
    for length in lengths.iter().filter(|length| **length > 0) {
        counts[usize::from(*length).min(N - 1)] += 1;
    }
    let mut codes = [0; N];
    for length in 1..N {
        codes[length] = (codes[length - 1] + counts[length - 1]) << 1;
    }
    codes
}

/// The code in which the lengths of the other codes are written.
struct PreCode {
    /// Symbol and length of whatever the next seven bits begin with.
    table: [(u8, u8); 1 << PRE_BITS],
}

impl PreCode {
    fn new(lengths: &[u8; ORDER.len()]) -> Self {
        let mut next = first_codes::<{ PRE_BITS + 1 }>(lengths);
        let mut table = [(0, 0); 1 << PRE_BITS];
        for (symbol, length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0) {
            let code = &mut next[usize::from(*length)];
            // codes stand in a stream with their first bit first
            let first = (*code << (u32::BITS - u32::from(*length))).reverse_bits() as usize;
            *code += 1;
            table.iter_mut().skip(first).step_by(1 << length).for_each(|place| *place = (symbol as u8, *length));
        }
        Self { table }
    }

    fn read(&self, bits: &mut Bits<'_>) -> Option<u8> {
        let (symbol, length) = self.table[bits.peek(PRE_BITS) as usize];
        bits.take(usize::from(length)).filter(|_| length > 0).map(|_| symbol)
    }
}

/// Bits of a stream, from the lowest of each byte on.
struct Bits<'a> {
    stream: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    /// The next few, zeros after the end.
    fn peek(&self, count: usize) -> u32 {
        let byte = |offset: usize| u32::from(self.stream.get(self.at / 8 + offset).copied().unwrap_or_default());
        (byte(0) | byte(1) << 8) >> (self.at % 8) & ((1 << count) - 1)
    }

    fn take(&mut self, count: usize) -> Option<u32> {
        let bits = self.peek(count);
        self.at += count;
        (self.at <= self.stream.len() * 8).then_some(bits)
    }
}

#[cfg(test)]
mod tests {
    use libdeflater::{CompressionLvl, Compressor};
    use proptest::prelude::*;

    use super::*;

    fn deflated(text: &[u8]) -> Vec<u8> {
        let mut compressor = Compressor::new(CompressionLvl::new(1).unwrap());
        let mut out = vec![0; compressor.deflate_compress_bound(text.len())];
        let length = compressor.deflate_compress(text, &mut out).unwrap();
        out.truncate(length);
        out
    }

    fn words(count: u32) -> Vec<u8> {
        (0..count).flat_map(|n| format!("{:x} of {n}, ", n.wrapping_mul(2_654_435_761) >> 20).into_bytes()).collect()
    }

    /// Bytes that opening adds; nothing if the stream is refused.
    #[track_caller]
    fn added(stream: &[u8]) -> Option<usize> {
        let mut out = [b"before", stream].concat();
        if !open(&mut out, 6) {
            assert!(out == [b"before", stream].concat(), "left as it was");
            return None;
        }
        assert!(out[7..6 + stream.len()] == stream[1..] && out[6] == stream[0] & !1);
        Some(out.len() - 6 - stream.len())
    }

    #[test]
    fn an_empty_block_follows_wherever_the_stream_ends() {
        let found: Vec<usize> = (100..200).filter_map(|count| added(&deflated(&words(count)))).collect();
        assert_eq!(found.len(), 100);
        // with room for the start of a block in the last byte, and without
        assert!(found.contains(&4) && found.contains(&5) && found.iter().all(|bytes| matches!(bytes, 4 | 5)));
    }

    #[test]
    fn other_streams_are_refused() {
        assert_eq!(added(&deflated(b"a few words")), None, "with the codes that all know");
        assert_eq!(added(&deflated(&words(20_000))), None, "of several blocks");
        assert_eq!(added(&[1, 1, 0, 0xfe, 0xff, b'x']), None, "stored");
        assert_eq!(added(&[]), None);
    }

    proptest! {
        #[test]
        fn no_bytes_break_it(stream in proptest::collection::vec(any::<u8>(), 1..300), is_dynamic: bool) {
            let mut stream = stream;
            if is_dynamic {
                stream[0] = stream[0] & !7 | 5;
            }
            added(&stream);
        }
    }
}
