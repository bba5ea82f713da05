//! Whether a bundle is what its manifest says: every file listed, every listed file there, each with its size and
//! digest; and whether the manifest is signed by the key that the caller trusts.

use std::cmp::Ordering;

use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::manifest::{Manifest, ManifestRecord};
use super::reader::{BundleReader, BundledFile, EntryRefusal, ReadError};
use super::sign::{KEY_BYTES, PublicKey, SIGNATURE_PATH, Signature};
use super::{MANIFEST_PATH, RECIPE_PATH};

/// What a verification found.
#[derive(Debug)]
pub struct VerifyVerdict {
    /// What the bundle says of itself, if that can be read.
    pub manifest: Option<Manifest>,
    /// Files in the bundle.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// What there is to say about its signature.
    pub signature: SignatureState,
    /// What is wrong, sorted by file; nothing if the bundle is intact.
    pub problems: Vec<BundleProblem>,
}

/// What there is to say about a signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state", rename_all_fields = "camelCase")]
pub enum SignatureState {
    /// There is none.
    Absent,
    /// There is one, but no key to check it with.
    Unchecked {
        /// Of the key that it says it is from.
        key_id: String,
    },
    /// It is that of the key.
    Valid {
        /// Of the key.
        key_id: String,
        /// The comment that is signed with it.
        comment: String,
    },
    /// It is not a signature, or not that of the key.
    Invalid {
        /// Of the key that it says it is from, if that is another one.
        #[serde(skip_serializing_if = "Option::is_none")]
        key_id: Option<String>,
    },
}

/// Something that is wrong with a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BundleProblem {
    /// Stable kebab-case name of the kind of problem.
    pub code: &'static str,
    /// The file; empty for the bundle as a whole.
    pub file: String,
    /// One sentence, without a full stop.
    pub message: String,
}

impl BundleProblem {
    fn new(code: &'static str, file: &str, message: impl Into<String>) -> Self {
        Self { code, file: file.to_owned(), message: message.into() }
    }

    /// A refusal of the reader.
    pub fn refused(error: &ReadError) -> Self {
        let (name, code) = match error {
            ReadError::Refused { name, refusal } => (name.as_deref().unwrap_or_default(), refusal.code()),
            ReadError::Io { .. } => ("", "unreadable"),
        };
        let message = match error {
            ReadError::Refused { refusal, .. } => refusal.to_string(),
            ReadError::Io { .. } => error.full(),
        };
        Self::new(code, name, message)
    }
}

impl VerifyVerdict {
    /// Whether nothing is wrong.
    pub fn is_intact(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Checks a bundle, on all threads of the current pool. With a key, a manifest that is not signed by it is a problem.
pub fn verify_archive(archive: &BundleReader, key: Option<&PublicKey>) -> VerifyVerdict {
    let files = archive.entries();
    let mut verdict = VerifyVerdict {
        manifest: None,
        files: files.len() as u64,
        bytes: files.iter().map(BundledFile::size).sum(),
        signature: SignatureState::Absent,
        problems: Vec::new(),
    };
    match read_manifest(archive) {
        Ok((bytes, manifest)) => {
            verdict.signature = check_signature(archive, &bytes, key, &mut verdict.problems);
            match manifest {
                Ok(manifest) => {
                    verdict.problems.extend(compare_with_manifest(archive, &manifest));
                    verdict.manifest = Some(manifest);
                }
                Err(message) => verdict.problems.push(BundleProblem::new("manifest", MANIFEST_PATH, message)),
            }
        }
        Err(problem) => verdict.problems.push(problem),
    }
    verdict.problems.sort_by(|a, b| (&a.file, a.code).cmp(&(&b.file, b.code)));
    verdict
}

/// The manifest's bytes, and what they say or why they cannot be understood.
pub(super) fn read_manifest(archive: &BundleReader) -> Result<(Vec<u8>, Result<Manifest, String>), BundleProblem> {
    if archive.find(RECIPE_PATH).is_some() {
        return Err(BundleProblem::refused(&ReadError::archive(EntryRefusal::Delta)));
    }
    let Some(entry) = archive.find(MANIFEST_PATH) else {
        return Err(BundleProblem::new("no-manifest", "", format!("has no `{MANIFEST_PATH}`, so it is not a bundle")));
    };
    let bytes = archive.read(entry).map_err(|error| BundleProblem::refused(&error))?;
    let manifest = Manifest::parse(&bytes);
    Ok((bytes, manifest))
}

fn check_signature(
    archive: &BundleReader,
    manifest: &[u8],
    key: Option<&PublicKey>,
    problems: &mut Vec<BundleProblem>,
) -> SignatureState {
    let Some(entry) = archive.find(SIGNATURE_PATH) else {
        if key.is_some() {
            problems.push(BundleProblem::new("unsigned", SIGNATURE_PATH, "is missing: the bundle is not signed"));
        }
        return SignatureState::Absent;
    };
    let text = if entry.size() > KEY_BYTES {
        None
    } else {
        archive.read(entry).ok().and_then(|bytes| String::from_utf8(bytes).ok())
    };
    let Some(signature) = text.as_deref().and_then(Signature::parse) else {
        problems.push(BundleProblem::new("signature", SIGNATURE_PATH, "is not a signature"));
        return SignatureState::Invalid { key_id: None };
    };
    match key {
        None => SignatureState::Unchecked { key_id: signature.key_id() },
        Some(key) if signature.is_of(manifest, key) => {
            SignatureState::Valid { key_id: key.id(), comment: signature.comment() }
        }
        Some(key) => {
            let other = Some(signature.key_id()).filter(|id| *id != key.id());
            let message = match &other {
                None => format!("is not a signature of this manifest by the key {}", key.id()),
                Some(other) => format!("is by the key {other}, not by {}", key.id()),
            };
            problems.push(BundleProblem::new("signature", SIGNATURE_PATH, message));
            SignatureState::Invalid { key_id: other }
        }
    }
}

/// Compares the files that are there with those that are listed, both sorted by name, and reads those that are both.
fn compare_with_manifest(archive: &BundleReader, manifest: &Manifest) -> Vec<BundleProblem> {
    let mut problems = Vec::new();
    let mut pairs: Vec<(&BundledFile, &ManifestRecord)> = Vec::with_capacity(manifest.files.len());
    let mut there = archive.sorted().filter(|entry| !matches!(entry.name(), MANIFEST_PATH | SIGNATURE_PATH)).peekable();
    let mut listed = manifest.files.iter().peekable();
    loop {
        let order = match (there.peek(), listed.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(entry), Some(record)) => entry.name().cmp(record.path.as_str()),
        };
        let entry = if order.is_le() { there.next() } else { None };
        let record = if order.is_ge() { listed.next() } else { None };
        match (entry, record) {
            (Some(entry), Some(record)) if entry.size() == record.size => pairs.push((entry, record)),
            (Some(entry), Some(record)) => {
                let message = format!("has {} bytes instead of {}", entry.size(), record.size);
                problems.push(BundleProblem::new("size", entry.name(), message));
            }
            (Some(entry), None) => {
                problems.push(BundleProblem::new("unlisted", entry.name(), "is not in the manifest"))
            }
            (None, Some(record)) => problems.push(BundleProblem::new(
                "missing",
                record.path.as_str(),
                "is in the manifest, but not in the bundle",
            )),
            (None, None) => {}
        }
    }
    problems.par_extend(pairs.into_par_iter().filter_map(|(entry, record)| check_digest(archive, entry, record)));
    problems
}

fn check_digest(archive: &BundleReader, entry: &BundledFile, record: &ManifestRecord) -> Option<BundleProblem> {
    let mut digest = Sha256::new();
    match archive.each_piece(entry, |piece| digest.update(piece)) {
        Err(error) => Some(BundleProblem::refused(&error)),
        Ok(()) if <[u8; 32]>::from(digest.finalize()) == record.sha256 => None,
        Ok(()) => Some(BundleProblem::new("digest", entry.name(), "does not have the digest of the manifest")),
    }
}
