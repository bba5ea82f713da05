//! A bundle that is to be shown: everything that has to be true of it first.

use std::fs;
use std::path::Path;

use base::hex::to_hex;
use base::{digest, limits};
use bundle::reader::{BundleReader, ReadError};

use super::catalog::Catalog;
use super::site::{HostedSite, OpenError, ServeOptions};
use super::{Expect, UpdateFailure};

/// A candidate that may be served.
pub(super) struct CheckedBundle {
    pub(super) site: HostedSite,
    pub(super) sha256: String,
}

pub(super) fn candidate_too_large(limit: u64) -> UpdateFailure {
    UpdateFailure::Refused(format!(
        "it is larger than {}, which is the limit (`--max-bytes`)",
        limits::format_byte_size(limit)
    ))
}

/// Whether a file ends as archives do.
pub(super) fn is_whole(path: &Path) -> bool {
    BundleReader::open(path).is_ok()
}

/// The digest of an archive that is not too large.
pub(super) fn digest_of(path: &Path, limit: u64) -> Result<String, UpdateFailure> {
    let file = fs::File::open(path).map_err(|error| unreadable(&error))?;
    if file.metadata().map_err(|error| unreadable(&error))?.len() > limit {
        return Err(candidate_too_large(limit));
    }
    digest::sha256(file).map(|(sha256, _)| to_hex(&sha256)).map_err(|error| unreadable(&error))
}

fn unreadable(error: &std::io::Error) -> UpdateFailure {
    UpdateFailure::Unavailable(format!("the bundle cannot be read: {error}"))
}

/// Checks all of a candidate with this digest: directory, every file, signature, label.
pub(super) fn open_candidate(
    path: &Path,
    sha256: String,
    expect: &Expect,
    served: ServeOptions,
) -> Result<CheckedBundle, UpdateFailure> {
    if let Some(expected) = expect.sha256.as_ref().filter(|expected| **expected != sha256) {
        return Err(UpdateFailure::Refused(format!("its SHA-256 is {sha256}, not {expected}")));
    }
    let site = HostedSite::open(path, served, expect.key.as_ref()).map_err(|error| match error {
        OpenError::Read(ReadError::Io { .. }) => UpdateFailure::Unavailable(error.to_string()),
        error => UpdateFailure::Refused(error.to_string()),
    })?;
    match expect.version.as_deref().filter(|expected| site.version() != Some(expected)) {
        Some(expected) => Err(UpdateFailure::Refused(match site.version() {
            Some(version) => format!("its version is {version}, not {expected}"),
            None => format!("it has no version, and {expected} is asked for"),
        })),
        None => Ok(CheckedBundle { site, sha256 }),
    }
}

/// Checks that a candidate is not older than what was shown before.
pub(super) fn refuse_older(site: &HostedSite, expect: &Expect, catalog: &Catalog) -> Result<(), UpdateFailure> {
    if expect.sha256.is_some() || expect.version.is_some() || expect.allow_downgrade {
        return Ok(());
    }
    match site.exported_at().and_then(|this| Some((this, catalog.newer_than(this)?))) {
        Some((this, newest)) => Err(UpdateFailure::Refused(format!(
            "it was exported at {this}, before the newest one that was shown ({newest}); `--allow-downgrade` lets it pass"
        ))),
        None => Ok(()),
    }
}
