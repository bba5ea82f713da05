//! A bundle that somebody would like to be shown: everything that has to be true of it first.

use std::fs;
use std::path::Path;

use crate::base::digest;
use crate::base::hex::hex;
use crate::bundle::reader::{Archive, ReadError};

use super::site::{self, OpenError, Site};
use super::{Failure, SiteOptions};

/// A candidate that may be served.
pub(super) struct Checked {
    pub(super) site: Site,
    pub(super) sha256: String,
}

pub(super) fn too_large(limit: u64) -> Failure {
    Failure::Refused(format!("it is larger than {limit} bytes"))
}

/// Whether a file ends as archives do.
pub(super) fn is_whole(path: &Path) -> bool {
    Archive::open(path).is_ok()
}

/// How a site's bundles are served.
pub(super) fn site_options(options: &SiteOptions) -> site::Options {
    site::Options { noindex: options.noindex, private: options.readers.is_some(), ..site::Options::default() }
}

/// Checks all of a candidate: size, digest, directory, every file, signature, label, and that it is not older than what is shown.
pub(super) fn check(path: &Path, options: &SiteOptions, newest: Option<String>) -> Result<Checked, Failure> {
    let unreadable = |error: std::io::Error| Failure::Unavailable(format!("the bundle cannot be read: {error}"));
    let file = fs::File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.len() > options.max_bytes {
        return Err(too_large(options.max_bytes));
    }
    let (sha256, _) = digest::of(file).map_err(unreadable)?;
    let sha256 = hex(&sha256);
    let expect = &options.expect;
    if let Some(expected) = expect.sha256.as_ref().filter(|expected| **expected != sha256) {
        return Err(Failure::Refused(format!("its SHA-256 is {sha256}, not {expected}")));
    }
    let site = Site::open(path, site_options(options), expect.key.as_ref()).map_err(|error| match error {
        OpenError::Read(ReadError::Io { .. }) => Failure::Unavailable(error.to_string()),
        error => Failure::Refused(error.to_string()),
    })?;
    if let Some(expected) = expect.version.as_deref().filter(|expected| site.version() != Some(expected)) {
        return Err(Failure::Refused(format!("its version is {}, not {expected}", site.version().unwrap_or("not given"))));
    }
    let is_pinned = expect.sha256.is_some() || expect.version.is_some() || expect.allow_downgrade;
    match (site.exported_at(), newest) {
        // both in UTC and of the same form, so their order is that of their letters
        (Some(this), Some(newest)) if !is_pinned && this.len() == newest.len() && *this < *newest => {
            Err(Failure::Refused(format!("it was exported at {this}, before the one that is shown ({newest}); `--allow-downgrade` lets it pass")))
        }
        _ => Ok(Checked { site, sha256 }),
    }
}
