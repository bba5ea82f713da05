//! SHA-256 of what is read.

use std::io::{self, Read};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hex::to_hex;

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
}
