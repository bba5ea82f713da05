//! The fingerprint of a file, without reading it: with another fingerprint its content may be another one.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

/// Time, size and identity of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    modified: Option<SystemTime>,
    bytes: u64,
    identity: (u64, u64),
}

impl Fingerprint {
    pub(super) fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let identity = (0, 0);
        Self { modified: metadata.modified().ok(), bytes: metadata.len(), identity }
    }

    /// Of the file that a path leads to, if there is one.
    pub(super) fn at(path: &Path) -> Option<Self> {
        std::fs::metadata(path).ok().map(|metadata| Self::of(&metadata))
    }
}
