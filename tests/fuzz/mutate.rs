//! Inputs of the short form: seeds with small changes, the same in every run.

/// Numbers at which formats and their readers change what they do.
const EDGES: [u64; 9] = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX];
/// Most changes of one input.
const MAX_CHANGES: u64 = 5;
/// Most bytes that one change removes, repeats or takes from another seed.
const MAX_RANGE_BYTES: u64 = 64;
/// Longest input, bytes: what a change adds beyond is cut off.
const MAX_BYTES: usize = 64 << 10;

/// Makes one input after the other out of seeds.
pub(super) struct Mutator<'a> {
    seeds: &'a [Vec<u8>],
    state: u64,
}

impl<'a> Mutator<'a> {
    /// Of a target's seeds, of which there is one at least.
    pub(super) fn new(seeds: &'a [Vec<u8>]) -> Self {
        Self { seeds, state: 0 }
    }

    /// The next input.
    pub(super) fn input(&mut self) -> Vec<u8> {
        let mut bytes = self.seed().to_vec();
        for _ in 0..=self.below(MAX_CHANGES) {
            self.change(&mut bytes);
        }
        bytes.truncate(MAX_BYTES);
        bytes
    }

    /// A number below another one (SplitMix64).
    fn below(&mut self, end: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.state;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (number ^ (number >> 31)) % end.max(1)
    }

    fn place(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    fn seed(&mut self) -> &'a [u8] {
        let at = self.place(self.seeds.len());
        &self.seeds[at]
    }

    /// A short range within so many bytes.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.place(length);
        start..length.min(start + 1 + self.below(MAX_RANGE_BYTES) as usize)
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let at = self.place(bytes.len());
        match self.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            1 if at < bytes.len() => bytes[at] = self.below(256) as u8,
            2 => {
                let removed = self.range(bytes.len());
                bytes.drain(removed);
            }
            3 => {
                let repeated = bytes[self.range(bytes.len())].to_vec();
                bytes.splice(at..at, repeated);
            }
            // a number of a binary format
            4 => {
                let width = 1 << self.below(4);
                let number = EDGES[self.place(EDGES.len())].to_le_bytes();
                bytes.iter_mut().skip(at).zip(&number[..width]).for_each(|(byte, new)| *byte = *new);
            }
            // a number of a text
            5 => {
                let is_digit = |byte: &u8| byte.is_ascii_digit();
                let Some(start) = bytes[at..].iter().position(is_digit).map(|start| at + start) else { return };
                let length = bytes[start..].iter().take_while(|byte| is_digit(byte)).count();
                let number = EDGES[self.place(EDGES.len())].to_string();
                bytes.splice(start..start + length, number.into_bytes());
            }
            // a part of a seed, in the place of a part or between two
            kind => {
                let other = self.seed();
                let part = other[self.range(other.len())].to_vec();
                let end = if kind == 6 { bytes.len().min(at + part.len()) } else { at };
                bytes.splice(at..end, part);
            }
        }
    }
}
