//! Letters and digits of ASCII, eight bytes at a time, and hashes that distinguish words.

use base::bytes::repeat_byte;

/// Bytes that are looked at together, as one number.
pub(super) const BLOCK: usize = 8;
/// What the hash of a word begins with.
pub(super) const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const FACTOR: u64 = 0xa076_1d64_78bd_642f;

/// A hash that distinguishes words, together with their length. Of ten million different words of one length, two share
/// 64 bits once in three hundred thousand sites; a page with the one would then also be found by the other, and its
/// result would mark nothing. Comparing letters as well takes a tenth of the time of the index.
pub(super) fn hash(word: &[u8]) -> u64 {
    word.chunks(BLOCK).fold(SEED, |hash, chunk| mixed(hash, load_bytes(chunk)))
}

/// The hash of a word that goes on with a block.
pub(super) fn mixed(hash: u64, block: u64) -> u64 {
    let product = u128::from(hash ^ block) * u128::from(FACTOR);
    product as u64 ^ (product >> 64) as u64
}

/// The first bytes as a number, the first one lowest; zeros where there are none.
fn load_bytes(bytes: &[u8]) -> u64 {
    let mut block = [0; BLOCK];
    let len = bytes.len().min(BLOCK);
    block[..len].copy_from_slice(&bytes[..len]);
    u64::from_le_bytes(block)
}

/// The letters and digits that some bytes begin with.
pub(super) struct PrefixBlock {
    pub(super) len: usize,
    /// The first letters of the word as small letters, with zeros after the last.
    pub(super) small: u64,
    /// Not zero if some are capitals.
    pub(super) capitals: u64,
}

impl PrefixBlock {
    /// Each step below does the same to eight bytes: with their highest bit away, no sum reaches the next byte.
    #[inline]
    pub(super) fn of(bytes: &[u8], at: usize) -> Self {
        const HIGH: u64 = repeat_byte(0x80);
        let rest = bytes.get(at..).unwrap_or_default();
        let block = rest.first_chunk().map_or_else(|| load_bytes(rest), |block| u64::from_le_bytes(*block));
        let low = block & !HIGH;
        // the highest bit of each byte that is at least `from` and at most `to`
        let within = |value: u64, from: u8, to: u8| {
            (value + repeat_byte(0x80 - from)) & !(value + repeat_byte(0x7f - to)) & HIGH
        };
        let letters = within(low | repeat_byte(0x20), b'a', b'z');
        let ends = (!(letters | within(low, b'0', b'9')) | block) & HIGH;
        // all bits below the first end
        let mask = ((ends & ends.wrapping_neg()) >> 7).wrapping_sub(1);
        Self {
            len: ends.trailing_zeros() as usize / 8,
            small: (low | letters >> 2) & mask,
            capitals: letters >> 2 & !low & mask,
        }
    }
}
