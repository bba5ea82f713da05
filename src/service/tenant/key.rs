//! Keys: what they look like, what is kept of them, what they open.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::Organization;
use http::peer::NetworkList;

/// How every key begins (contract, S-AUT-2).
const PREFIX: &str = "opk_";
/// Characters after it: 43 of 62 are 256 bits.
const SECRET_CHARS: usize = 43;

/// A key of an organization. The key itself is nowhere: only its digest is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrganizationKey {
    /// Stands in logs instead of the key.
    pub id: String,
    /// SHA-256 of the key.
    pub hash: [u8; 32],
    /// What it opens.
    pub scopes: KeyScopes,
    /// Seconds since 1970 from which it is nothing; `None`: it stays.
    pub expires_at: Option<u64>,
    /// Where it may be used from.
    pub allow: NetworkList,
    /// Whose it is.
    pub organization: Arc<Organization>,
}

/// What a key opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyScopes {
    /// `GET` and `HEAD`.
    pub read: bool,
    /// Everything else; implies `read`.
    pub write: bool,
}

impl KeyScopes {
    /// Both.
    pub const ALL: Self = Self { read: true, write: true };
}

impl OrganizationKey {
    /// Whether this is the key with that digest, found out in a time that says nothing about how much of it is right.
    pub(super) fn is(&self, hash: &[u8; 32]) -> bool {
        self.hash.ct_eq(hash).into()
    }

    /// Whether it has expired at a moment, in seconds since 1970.
    pub fn has_expired(&self, now: u64) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

/// The digest of a text that has the shape of a key.
pub fn key_digest(token: &str) -> Option<[u8; 32]> {
    let secret = token.strip_prefix(PREFIX)?;
    let well_formed = secret.len() == SECRET_CHARS && secret.bytes().all(|byte| byte.is_ascii_alphanumeric());
    well_formed.then(|| Sha256::digest(token.as_bytes()).into())
}

/// A new key and its digest.
///
/// # Errors
/// The system has no randomness to give.
pub fn generate() -> Result<(String, [u8; 32]), getrandom::Error> {
    const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut key = PREFIX.to_owned();
    let mut bytes = [0; 64];
    while key.len() < PREFIX.len() + SECRET_CHARS {
        getrandom::fill(&mut bytes)?;
        // 248 = 4 · 62: bytes from there on would make some letters likelier than others
        let even = bytes.iter().filter(|byte| **byte < 248);
        let missing = PREFIX.len() + SECRET_CHARS - key.len();
        key.extend(even.take(missing).map(|byte| char::from(LETTERS[usize::from(byte % 62)])));
    }
    let hash = Sha256::digest(key.as_bytes()).into();
    Ok((key, hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_one_shape() {
        let (key, hash) = generate().unwrap();
        assert_eq!(key_digest(&key), Some(hash));
        assert_ne!(generate().unwrap().0, key);
        let secret = &key[4..];
        for bad in [
            secret.to_owned(),
            format!("OPK_{secret}"),
            format!("{key}a"),
            key[..46].to_owned(),
            format!("opk_{}-", &secret[1..]),
            format!("opk_{}é", &secret[2..]),
            String::new(),
        ] {
            assert_eq!(key_digest(&bad), None, "{bad}");
        }
    }

    #[test]
    fn every_letter_is_as_likely() {
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..400 {
            for letter in generate().unwrap().0[4..].chars() {
                *counts.entry(letter).or_insert(0) += 1;
            }
        }
        // 17,200 letters, 277 of each expected with a deviation of 16.5: ten of those never happen
        assert_eq!(counts.len(), 62);
        assert!(counts.values().all(|count| (112..442).contains(count)), "{counts:?}");
    }
}
