//! Signatures of manifests, in the form of minisign: its program makes the keys and verifies what is signed here, and
//! the other way round. A signature is made without chance or clock (RFC 8032), so the same manifest and key give the
//! same bytes.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{Ed25519KeyPair, KeyPair as _};

/// Where a bundle keeps the signature of its manifest: beside it, as minisign expects.
pub const SIGNATURE_PATH: &str = "_offprint/manifest.json.minisig";

/// Largest signature or key file that is read, bytes.
pub const KEY_BYTES: u64 = 4096;

/// Why a key cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// No key of minisign's.
    #[error("is not a secret key of minisign")]
    NotASecretKey,
    /// No public key of minisign's.
    #[error("is not a public key of minisign: neither a file nor the 56 characters of a key")]
    NotAPublicKey,
    /// It is encrypted, and there is no password.
    #[error("is encrypted: a password is needed")]
    NeedsPassword,
    /// It is encrypted with another password.
    #[error("cannot be decrypted: the password is wrong")]
    WrongPassword,
}

/// A secret key, ready to sign.
pub struct Signer {
    pair: Ed25519KeyPair,
    /// The two halves of which minisign makes names and files.
    id: [u8; 8],
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // never the key itself
        write!(f, "Signer({})", key_id(&self.id))
    }
}

impl PartialEq for Signer {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.pair.public_key().as_ref() == other.pair.public_key().as_ref()
    }
}

impl Eq for Signer {}

impl Signer {
    /// Whether the text of a key file holds a key that is encrypted with a password.
    pub fn is_encrypted(text: &str) -> bool {
        // "Ed", "Sc" for scrypt, "B2" in base64
        text.lines().nth(1).is_some_and(|line| line.starts_with("RWRTY0Iy"))
    }

    /// Reads the text of a key file as `minisign -G` writes it.
    ///
    /// # Errors
    /// It is no key, or is encrypted with another password.
    pub fn parse(text: &str, password: Option<&str>) -> Result<Self, KeyError> {
        let bytes = match (Self::is_encrypted(text), password) {
            // the pair is checked below; the checksum beside it is one that the program leaves out and its library
            // expects
            (false, _) => text
                .lines()
                .nth(1)
                .and_then(|line| from_base64(line.trim()))
                .filter(|bytes| bytes.starts_with(b"Ed\0\0B2"))
                .ok_or(KeyError::NotASecretKey)?,
            (true, None) => return Err(KeyError::NeedsPassword),
            (true, Some(password)) => {
                let sealed = minisign::SecretKeyBox::from(text.to_owned());
                minisign::SecretKey::from_box(sealed, Some(password.to_owned()))
                    .map_err(|_| KeyError::WrongPassword)?
                    .to_bytes()
            }
        };
        // three algorithms, salt and limits of the password, then: id, seed, public key, checksum
        let (Some(id), Some(seed), Some(public)) = (bytes.get(54..62), bytes.get(62..94), bytes.get(94..126)) else {
            return Err(KeyError::NotASecretKey);
        };
        let pair = Ed25519KeyPair::from_seed_and_public_key(seed, public).map_err(|_| KeyError::NotASecretKey)?;
        Ok(Self { pair, id: id.try_into().map_err(|_| KeyError::NotASecretKey)? })
    }

    /// The public key.
    pub fn public_key(&self) -> PublicKey {
        let bytes = [b"Ed", &self.id[..], self.pair.public_key().as_ref()].concat();
        PublicKey { bytes }
    }

    /// The signature file for some bytes. The comment, one line, is signed too.
    pub fn sign(&self, bytes: &[u8], comment: &str) -> String {
        let comment: String = comment.chars().filter(|c| !c.is_control()).collect();
        let digest = blake2b_simd::blake2b(bytes);
        let signature = self.pair.sign(digest.as_bytes());
        let whole = self.pair.sign(&[signature.as_ref(), comment.as_bytes()].concat());
        let head = [b"ED", &self.id[..], signature.as_ref()].concat();
        let id = key_id(&self.id);
        let (head, whole) = (base64(&head), base64(whole.as_ref()));
        format!(
            "untrusted comment: signature of a bundle's manifest.json by key {id}\n{head}\ntrusted comment: {comment}\n{whole}\n"
        )
    }
}

/// A public key.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    /// `Ed`, the key's id, the key.
    bytes: Vec<u8>,
}

impl std::fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PublicKey({})", self.id())
    }
}

impl PublicKey {
    /// Reads the text of a public key file, or the key alone: its 56 characters.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let is_comment = |line: &&str| line.is_empty() || line.starts_with("untrusted comment:");
        let key = text.lines().map(str::trim).find(|line| !is_comment(line)).ok_or(KeyError::NotAPublicKey)?;
        let key = minisign::PublicKey::from_base64(key).map_err(|_| KeyError::NotAPublicKey)?;
        let bytes = key.to_bytes();
        if bytes.starts_with(b"Ed") { Ok(Self { bytes }) } else { Err(KeyError::NotAPublicKey) }
    }

    /// The id that minisign shows for it: 16 hexadecimal digits.
    pub fn id(&self) -> String {
        key_id(self.bytes.get(2..10).unwrap_or_default())
    }

    /// The key alone, as it is given on a command line.
    pub fn text(&self) -> String {
        base64(&self.bytes)
    }
}

/// The signature of a manifest.
#[derive(Clone)]
pub struct Signature(minisign::SignatureBox);

impl Signature {
    /// Reads a signature file.
    pub fn parse(text: &str) -> Option<Self> {
        minisign::SignatureBox::from_string(text).ok().map(Self)
    }

    /// The id of the key that it says it is from.
    pub fn key_id(&self) -> String {
        key_id(self.0.keynum())
    }

    /// The comment that is signed with it; worth nothing before the signature is checked.
    pub fn comment(&self) -> String {
        self.0.trusted_comment().unwrap_or_default()
    }

    /// Whether it is a signature of these bytes, and of its comment, by this key.
    pub fn is_of(&self, bytes: &[u8], key: &PublicKey) -> bool {
        let Ok(key) = minisign::PublicKey::from_bytes(&key.bytes) else { return false };
        minisign::verify(&key, &self.0, Cursor::new(bytes), true, false, false).is_ok()
    }
}

/// Minisign shows ids as numbers, whose first byte is the last of the id.
fn key_id(id: &[u8]) -> String {
    id.iter().rev().map(|byte| format!("{byte:02X}")).collect()
}

/// Base64 with padding.
fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// What base64 with padding stands for; one form for every value.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Signer, PublicKey) {
        let pair = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
        let signer = Signer::parse(&pair.sk.to_box(None).unwrap().into_string(), None).unwrap();
        let key = PublicKey::parse(&pair.pk.to_box().unwrap().into_string()).unwrap();
        assert_eq!((signer.public_key(), PublicKey::parse(&key.text())), (key.clone(), Ok(key.clone())));
        (signer, key)
    }

    #[test]
    fn what_is_signed_verifies_and_nothing_else() {
        let (signer, key) = pair();
        let text = signer.sign(b"manifest", "bundle v2\n");
        assert_eq!(text, signer.sign(b"manifest", "bundle v2"), "a signature is no matter of chance");
        let signature = Signature::parse(&text).unwrap();
        assert_eq!((signature.comment(), signature.key_id()), ("bundle v2".to_owned(), key.id()));
        assert!(
            signature.is_of(b"manifest", &key)
                && !signature.is_of(b"manifest ", &key)
                && !signature.is_of(b"manifest", &pair().1)
        );
        let other = Signature::parse(&text.replace("bundle v2", "bundle v3")).unwrap();
        assert!(!other.is_of(b"manifest", &key));
    }

    #[test]
    fn bytes_in_base64() {
        for length in 0..40 {
            let bytes: Vec<u8> = (0..length).map(|n| (n * 91) ^ 0x5a).collect();
            assert_eq!(from_base64(&base64(&bytes)), Some(bytes));
        }
        assert!(["Zg", "Zg=", "Zh==", "Z", "Zm9v ", "====", "é"].iter().all(|text| from_base64(text).is_none()));
        assert_eq!(
            ["", "f", "fo", "foo", "foob", "\u{ff}"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "w78="]
        );
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in [
            "",
            "x",
            "untrusted comment: x\n",
            "untrusted comment: x\nRWQAAEIyAAAA",
            "untrusted comment: x\nRWRTY0IyAAAA",
        ] {
            let expect = if Signer::is_encrypted(text) { KeyError::WrongPassword } else { KeyError::NotASecretKey };
            assert_eq!(Signer::parse(text, Some("x")).err(), Some(expect), "{text}");
            assert_eq!(PublicKey::parse(text), Err(KeyError::NotAPublicKey), "{text}");
        }
        assert!(Signature::parse("").is_none() && Signature::parse("a\nb\nc\nd\n").is_none());
        assert_eq!(Signer::parse("untrusted comment: x\nRWRTY0IyAAAA", None).err(), Some(KeyError::NeedsPassword));
        assert!(!format!("{:?}", pair().0).contains("seed"));
    }
}
