//! Bytes as scripts: numbers, deflate, and an alphabet of 91 characters, because pages opened from a disk can load
//! scripts only.
//!
//! A file is `__op("name","…")`. Its text is raw deflate (RFC 1951) in which two characters carry 13 bits, lowest
//! first: 23 % more than bytes, where base64 is 33 %.

use std::cell::RefCell;
use std::io::Read;

use libdeflater::{CompressionLvl, Compressor};

use base::limits;

/// Printable ASCII without the space and what scripts would have to escape.
const ALPHABET: &[u8; 91] =
    b"!#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// Deflate's level: the next one costs half as much again for one per cent.
const LEVEL: i32 = 1;

/// Appends a number, seven bits to a byte, lowest first.
#[inline]
pub(super) fn pack_number(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a sorted list's next word: how many bytes it shares with the one before, how many follow, and these.
pub(super) fn front_coded(out: &mut Vec<u8>, before: &str, word: &str) {
    let shared = before.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
    pack_number(out, shared as u32);
    pack_number(out, (word.len() - shared) as u32);
    out.extend_from_slice(&word.as_bytes()[shared..]);
}

/// The script that gives `bytes` to the client under a name.
pub(super) fn pack_script(name: &str, bytes: &[u8]) -> Vec<u8> {
    let deflated = deflate(bytes);
    let mut out = Vec::with_capacity(deflated.len() * 16 / 13 + name.len() + 16);
    out.extend_from_slice(format!("__op(\"{name}\",\"").as_bytes());
    push_script_text(&mut out, &deflated);
    out.extend_from_slice(b"\")\n");
    out
}

/// The bytes that a script carries; `None` if it is none of ours.
pub(super) fn unscript(script: &str) -> Option<Vec<u8>> {
    let text = script.trim_end().strip_suffix("\")")?.rsplit_once('"')?.1;
    let deflated = from_text(text)?;
    let mut out = Vec::new();
    // nothing that we wrote is larger
    let most = limits::EXPANDED_BYTES as u64 * 4;
    flate2::read::DeflateDecoder::new(deflated.as_slice()).take(most).read_to_end(&mut out).ok()?;
    Some(out)
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    thread_local! {
        static COMPRESSOR: RefCell<Option<Compressor>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|cached| {
        let compressor = cached.get_or_insert_with(|| Compressor::new(CompressionLvl::new(LEVEL).unwrap_or_default()));
        let mut out = vec![0; compressor.deflate_compress_bound(bytes.len())];
        let length = compressor.deflate_compress(bytes, &mut out);
        debug_assert!(length.is_ok(), "the bound is large enough");
        out.truncate(length.unwrap_or(0));
        out
    })
}

fn push_script_text(out: &mut Vec<u8>, bytes: &[u8]) {
    let (mut bits, mut count) = (0_u32, 0);
    let mut pair = |bits: u32| out.extend_from_slice(&[ALPHABET[(bits % 91) as usize], ALPHABET[(bits / 91) as usize]]);
    for byte in bytes {
        bits |= u32::from(*byte) << count;
        count += 8;
        if count >= 13 {
            pair(bits & 0x1fff);
            bits >>= 13;
            count -= 13;
        }
    }
    if count > 0 {
        pair(bits);
    }
}

fn from_text(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| ALPHABET.iter().position(|known| *known == c).and_then(|at| u32::try_from(at).ok());
    let mut out = Vec::with_capacity(text.len() * 13 / 16);
    let (mut bits, mut count) = (0_u32, 0);
    for pair in text.as_bytes().chunks_exact(2) {
        bits |= (digit(pair[0])? + 91 * digit(pair[1])?) << count;
        count += 13;
        while count >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            count -= 8;
        }
    }
    Some(out)
}

/// Reads what the functions above wrote. What is missing reads as nothing: damaged files give fewer results and no
/// panic.
pub(super) struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    #[inline]
    pub(super) fn number(&mut self) -> u32 {
        let mut value = 0_u32;
        for shift in (0..35).step_by(7) {
            let byte = self.byte();
            value |= u32::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    pub(super) fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(length.min(self.bytes.len()));
        self.bytes = rest;
        taken
    }

    /// The next word of a list, from the one before.
    pub(super) fn front_coded(&mut self, before: &mut Vec<u8>) {
        let (shared, more) = (self.number() as usize, self.number() as usize);
        before.truncate(shared);
        before.extend_from_slice(self.take(more));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_alphabet_needs_no_escapes() {
        let mut letters = ALPHABET.to_vec();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), 91);
        assert!(!ALPHABET.iter().any(|c| b"\"\\< ".contains(c)));
    }

    #[test]
    fn scripts_carry_bytes() {
        let script = String::from_utf8(pack_script("0", b"hello hello hello")).unwrap();
        assert!(script.starts_with("__op(\"0\",\"") && script.ends_with("\")\n"));
        assert_eq!(unscript(&script).unwrap(), b"hello hello hello");
        assert_eq!(unscript("alert(1)"), None);
        assert_eq!(unscript("__op(\"0\",\"é\")"), None);
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let script = String::from_utf8(pack_script("a", &bytes)).unwrap();
            prop_assert_eq!(unscript(&script), Some(bytes));
        }

        #[test]
        fn any_numbers_come_back(values in proptest::collection::vec(any::<u32>(), 0..40)) {
            let mut out = Vec::new();
            values.iter().for_each(|value| pack_number(&mut out, *value));
            let mut input = Input::new(&out);
            prop_assert_eq!(values.iter().map(|_| input.number()).collect::<Vec<_>>(), values);
            prop_assert!(input.is_empty());
        }

        /// Damaged input ends.
        #[test]
        fn any_input_ends(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let mut input = Input::new(&bytes);
            let mut word = Vec::new();
            for _ in 0..100 {
                input.front_coded(&mut word);
                input.number();
            }
            prop_assert!(input.is_empty());
            let _ = unscript(&String::from_utf8_lossy(&bytes));
        }
    }
}
