//! SHA-256 of what is read, and with a key of what is signed.

use std::io::{self, Read};

use hmac::digest::Key;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 256 << 10;

/// SHA-256 of all that can be read, and its bytes.
///
/// # Errors
/// Reading failed.
pub fn sha256(mut from: impl Read) -> io::Result<([u8; 32], u64)> {
    let (mut digest, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; PIECE_BYTES]);
    loop {
        match from.read(&mut piece) {
            Ok(0) => return Ok((digest.finalize().into(), bytes)),
            Ok(read) => {
                digest.update(&piece[..read]);
                bytes += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// HMAC-SHA-256 (RFC 2104) of texts, one after another as they are, with a key of any length.
pub fn hmac_sha256(key: &[u8], texts: &[&str]) -> [u8; 32] {
    let mut mac = keyed(key);
    texts.iter().for_each(|text| mac.update(text.as_bytes()));
    mac.finalize().into_bytes().into()
}

/// HMAC-SHA-256 of values, each with its length before it (bytes, a big-endian `u64`), so that no two lists of values
/// are the same message. The first value says what it is for: none that is made for one purpose serves another.
pub fn hmac_sha256_of_values(key: &[u8], values: &[&str]) -> [u8; 32] {
    let mut mac = keyed(key);
    add_values(&mut mac, values);
    mac.finalize().into_bytes().into()
}

/// SHA-256 of values, each with its length before it: see [`hmac_sha256_of_values`].
pub fn sha256_of_values(values: &[&str]) -> [u8; 32] {
    let mut digest = Sha256::new();
    add_values(&mut digest, values);
    digest.finalize().into()
}

fn add_values<D: hmac::digest::Update>(digest: &mut D, values: &[&str]) {
    for value in values {
        digest.update(&(value.len() as u64).to_be_bytes());
        digest.update(value.as_bytes());
    }
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    // the constructor that cannot fail takes a whole block; RFC 2104 fills a shorter key with zeros and replaces a longer
    // one by its digest
    let mut block = Key::<Hmac<Sha256>>::default();
    match block.get_mut(..key.len()) {
        Some(start) => start.copy_from_slice(key),
        None => block[..32].copy_from_slice(&Sha256::digest(key)),
    }
    <Hmac<Sha256>>::new(&block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex::to_hex;

    #[test]
    fn of_nothing_and_of_more_than_a_piece() {
        let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(
            sha256(io::empty()).map(|(digest, bytes)| (to_hex(&digest), bytes)).unwrap(),
            (of_nothing.to_owned(), 0)
        );
        let much = vec![b'a'; PIECE_BYTES + 7];
        assert_eq!(sha256(much.as_slice()).unwrap(), (Sha256::digest(&much).into(), much.len() as u64));
    }

    #[test]
    fn keyed_digests_are_those_of_rfc_4231() {
        // test cases 1, 2 and 6
        for (key, text, digest) in [
            (vec![0x0b; 20], "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                b"Jefe".to_vec(),
                "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                vec![0xaa; 131],
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ] {
            assert_eq!(to_hex(&hmac_sha256(&key, &[text])), digest);
            let (start, end) = crate::cut::cut(text, 4);
            assert_eq!(to_hex(&hmac_sha256(&key, &[start, end])), digest, "in parts");
        }
    }

    #[test]
    fn values_have_their_lengths_before_them() {
        let message = b"\0\0\0\0\0\0\0\x01a\0\0\0\0\0\0\0\x02bc";
        assert_eq!(sha256_of_values(&["a", "bc"]), <[u8; 32]>::from(Sha256::digest(message)));
        let text = std::str::from_utf8(message).unwrap();
        assert_eq!(hmac_sha256_of_values(b"key", &["a", "bc"]), hmac_sha256(b"key", &[text]));
    }

    #[test]
    fn no_two_lists_of_values_are_one_message() {
        let lists: [&[&str]; 6] = [&[], &[""], &["ab"], &["a", "b"], &["ab", ""], &["", "ab"]];
        let mut digests = lists.map(|values| hmac_sha256_of_values(b"key", values)).to_vec();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), lists.len());
    }
}
