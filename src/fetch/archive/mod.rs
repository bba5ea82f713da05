//! A zip or tar.gz archive as a source: fetched by its address, listed once, read in place, never unpacked to files of
//! its names.
//!
//! 1. [`fetch`] downloads it through the one guarded way to the network, into a file of our own, within bounds of time
//!    and bytes.
//! 2. [`open_archive`] looks at its first bytes. A gzip is decoded into one plain tar beside it, counted as it grows;
//!    `zip` and `tar` list what is in it and where.
//! 3. `layout` says which paths the files have: a single folder around everything is no part of them, as hosts of
//!    repositories make archives.
//!
//! Invariants: a name from an archive is looked up, never opened; a file is as large as its entry says or it is an
//! error; entries never lie over each other; a symbolic link of a tar to a file of it stands for the file, other links
//! and devices are left out with a warning.

mod layout;
mod stored;
mod tar;
mod zip;

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use url::Url;

use crate::{Client, DownloadFailure, DownloadLimits, FetchPolicy, System};
use base::atomic_file::{remove_name, unique_name};
use base::contents::StoredFiles;

use stored::{Stored, StoredPlace};
use tar::list_tar;
use zip::list_zip;

/// How the client calls itself.
const AGENT: &str = concat!("offprint/", env!("CARGO_PKG_VERSION"));
/// Most files of an archive (threat model, default limits).
const MAX_ARCHIVE_FILES: usize = 50_000;
/// How many times larger than in the archive its files may be, together and each; documentation reaches ten.
const MAX_RATIO: u64 = 100;
const MAX_ENTRY_RATIO: u64 = 200;
/// Files below this size are not checked for their compression ratio.
const MIN_RATIO_BYTES: u64 = 16 << 20;

/// How much an archive may take.
#[derive(Clone, Copy, Debug)]
pub struct ArchiveBounds {
    /// Seconds to fetch it.
    pub seconds: u64,
    /// Bytes of it, and of all that is in it.
    pub bytes: u64,
}

/// Why an archive is no source.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Its address is none.
    #[error("the archive's address is not a URL")]
    Address,
    /// It cannot be fetched.
    #[error("the archive cannot be fetched: {0}")]
    Refused(#[from] DownloadFailure),
    /// It is neither a zip nor a tar archive.
    #[error("it is neither a zip nor a tar.gz archive")]
    Kind,
    /// It is damaged, or made to harm.
    #[error("the archive is damaged: {0}")]
    Broken(String),
    /// There is more in it than may be.
    #[error("the archive holds more than {} MB", .0 >> 20)]
    TooLarge(u64),
    /// There are more files in it than may be.
    #[error("the archive has more than {0} files")]
    TooManyFiles(usize),
    /// It has no such folder.
    #[error("the folder `{0}` is not in the archive")]
    NoFolder(String),
    /// The operation was canceled.
    #[error("canceled")]
    Canceled,
    /// Our own file cannot be written or read.
    #[error("the archive cannot be kept: {0}")]
    Io(#[from] io::Error),
}

/// Downloads an archive into a file that is not there yet.
///
/// # Errors
/// The address is refused, there is nothing, or it is too large or too slow. A part of it may stay, for the owner of
/// the folder to remove.
pub fn fetch(address: &str, target: &Path, bounds: ArchiveBounds, policy: FetchPolicy) -> Result<(), ArchiveError> {
    let url = Url::parse(address).map_err(|_| ArchiveError::Address)?;
    let seconds = Duration::from_secs;
    let limits = DownloadLimits {
        bytes: bounds.bytes,
        total: seconds(bounds.seconds),
        head: seconds(30.min(bounds.seconds)),
        idle: seconds(30.min(bounds.seconds)),
        ..DownloadLimits::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut file = File::create_new(target)?;
    runtime.block_on(async {
        let client = Client::new(policy, limits, Arc::new(System))?;
        client.fetch(&url, AGENT, &mut |piece| file.write_all(piece)).await
    })?;
    Ok(())
}

/// The files of an archive below `subdir`, as a source. `beside` is a folder of our own, where a compressed tar is
/// decoded.
///
/// # Errors
/// It is no archive, is broken or too large, or has no such folder.
pub fn open_archive(
    path: &Path,
    beside: &Path,
    subdir: &str,
    bounds: ArchiveBounds,
    cancel: &AtomicBool,
) -> Result<StoredFiles, ArchiveError> {
    let mut file = File::open(path)?;
    let mut start = [0; 512];
    let length = read_start(&mut file, &mut start)?;
    let start = &start[..length];
    let found = if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
        list_zip(&file, bounds)?
    } else if start.starts_with(&[0x1f, 0x8b]) {
        file = decode_gzip(&file, &beside.join(format!("source-{}.tar", unique_name())), bounds, cancel)?;
        list_tar(&file, bounds)?
    } else if start.get(257..262) == Some(b"ustar") {
        list_tar(&file, bounds)?
    } else {
        return Err(ArchiveError::Kind);
    };
    let laid = layout::lay(found, subdir)?;
    let list = laid.files.iter().map(|(path, place)| (path.clone(), place.size)).collect();
    Ok(StoredFiles { list, contents: Arc::new(Stored { file, files: laid.files }), problems: laid.problems })
}

fn read_start(file: &mut File, start: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < start.len() {
        match file.read(&mut start[length..])? {
            0 => break,
            read => length += read,
        }
    }
    Ok(length)
}

/// The tar that a gzip holds, in a file without a name: it goes when it is closed.
fn decode_gzip(packed: &File, path: &Path, bounds: ArchiveBounds, cancel: &AtomicBool) -> Result<File, ArchiveError> {
    use std::io::Seek as _;

    let mut packed = packed;
    packed.rewind()?;
    let packed_bytes = packed.metadata()?.len();
    let mut decoder = flate2::read::MultiGzDecoder::new(io::BufReader::with_capacity(256 << 10, packed));
    let mut plain = File::options().read(true).write(true).create_new(true).open(path)?;
    if cfg!(unix) {
        remove_name(path)?;
    }
    let (mut piece, mut bytes) = (vec![0; 256 << 10], 0_u64);
    loop {
        let read = decoder.read(&mut piece).map_err(|error| ArchiveError::Broken(error.to_string()))?;
        if read == 0 {
            break;
        }
        bytes += read as u64;
        if bytes > bounds.bytes || bytes > MIN_RATIO_BYTES && bytes / MAX_RATIO > packed_bytes {
            return Err(ArchiveError::TooLarge(bounds.bytes.min(bytes)));
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(ArchiveError::Canceled);
        }
        plain.write_all(&piece[..read])?;
    }
    plain.rewind()?;
    Ok(plain)
}

/// An entry as an archive names it.
struct SourceEntry {
    name: Vec<u8>,
    kind: ArchiveEntryKind,
}

enum ArchiveEntryKind {
    File(StoredPlace),
    /// A link, and what it leads to.
    Link(String),
    /// Something else, in words.
    Other(&'static str),
}

#[cfg(test)]
mod tests;
