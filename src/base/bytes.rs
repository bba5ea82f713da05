//! Sets of bytes, and the search for some of them, for loops that look at every byte of a text.

/// By byte: whether it is one of `members`.
pub const fn byte_set(members: &[u8]) -> [bool; 256] {
    let mut set = [false; 256];
    let mut rest = members;
    while let [first, others @ ..] = rest {
        set[*first as usize] = true;
        rest = others;
    }
    set
}

/// A byte eight times, as a number: what is done with it is done to eight bytes.
pub const fn repeat_byte(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// Where the first of some bytes stands. Text runs are too short for the vector searches of `memchr`, and it knows
/// three bytes at most.
#[inline]
pub fn find_byte<const N: usize>(text: &[u8], bytes: [u8; N]) -> Option<usize> {
    const LOW: u64 = repeat_byte(1);
    const HIGH: u64 = repeat_byte(0x80);
    // plain loops: the closures of `map` and `fold` are not inlined from one codegen unit into another
    let mut patterns = [0; N];
    for (pattern, byte) in patterns.iter_mut().zip(bytes) {
        *pattern = repeat_byte(byte);
    }
    let (blocks, rest) = text.as_chunks::<8>();
    for (number, block) in blocks.iter().enumerate() {
        let block = u64::from_le_bytes(*block);
        // the lowest marked byte is one that is zero after the exclusive or; marks above it may be wrong
        let mut found = 0;
        for pattern in patterns {
            let difference = block ^ pattern;
            found |= difference.wrapping_sub(LOW) & !difference & HIGH;
        }
        if found != 0 {
            return Some(number * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|byte| bytes.contains(byte)).map(|at| blocks.len() * 8 + at)
}

/// Where two bytes stand side by side. To look through a sentence for them costs less than to set up a search by
/// `memmem`.
pub fn find_pair(text: &[u8], [first, second]: [u8; 2]) -> Option<usize> {
    memchr::memchr_iter(first, text).find(|at| text.get(at + 1) == Some(&second))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_pair_is_found(text in "[ab\n]{0,20}") {
            let expect = text.as_bytes().windows(2).position(|pair| pair == b"\n\n");
            prop_assert_eq!(find_pair(text.as_bytes(), *b"\n\n"), expect);
        }

        #[test]
        fn the_first_is_found(text in "[a-z\"'&`!#%\\x00\\x01ü]{0,40}") {
            let bytes = *b"\"'&\x00";
            prop_assert_eq!(find_byte(text.as_bytes(), bytes), text.bytes().position(|byte| bytes.contains(&byte)));
        }
    }
}
