//! What is in a zip archive, and where.

use std::fs::File;
use std::io::BufReader;

use zip::{CompressionMethod, ZipArchive};

use super::stored::{Coding, Place};
use super::{ArchiveEntry, Bounds, Error, Kind, MAX_ENTRY_RATIO, MAX_FILES, MAX_RATIO, MIN_RATIO_BYTES};

/// Bytes of an entry before its name.
const LOCAL_HEADER_BYTES: u64 = 30;

/// Lists an archive.
pub(super) fn list_zip(file: &File, bounds: Bounds) -> Result<Vec<ArchiveEntry>, Error> {
    let broken = |error: zip::result::ZipError| Error::Broken(error.to_string());
    let archive_bytes = file.metadata()?.len();
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(broken)?;
    if archive.len() > MAX_FILES {
        return Err(Error::TooManyFiles(MAX_FILES));
    }
    let mut entries = Vec::with_capacity(archive.len());
    let mut spans = Vec::with_capacity(archive.len());
    let mut total = 0_u64;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(broken)?;
        let at = entry.data_start().ok_or_else(|| Error::Broken("an entry has no position".to_owned()))?;
        let (packed, size) = (entry.compressed_size(), entry.size());
        spans.push((entry.header_start(), at.saturating_add(packed)));
        total = total.saturating_add(size);
        if size > MIN_RATIO_BYTES && size / MAX_ENTRY_RATIO > packed {
            return Err(Error::Broken("a file of it is compressed more than any file is".to_owned()));
        }
        if entry.is_dir() {
            continue;
        }
        let place =
            |deflated| Kind::File(Place { at, packed, size, coding: Coding::Zip { deflated, crc: entry.crc32() } });
        let kind = match entry.compression() {
            _ if entry.is_symlink() => Kind::Other("a link"),
            _ if entry.unix_mode().is_some_and(|mode| !matches!(mode & 0o170_000, 0 | 0o100_000)) => {
                Kind::Other("not a regular file")
            }
            _ if entry.encrypted() => Kind::Other("encrypted"),
            CompressionMethod::Stored => place(false),
            CompressionMethod::Deflated => place(true),
            _ => Kind::Other("compressed in a way that is not read here"),
        };
        entries.push(ArchiveEntry { name: entry.name_raw().to_vec(), kind });
    }
    if total > bounds.bytes {
        return Err(Error::TooLarge(bounds.bytes));
    }
    if total > MIN_RATIO_BYTES && total / MAX_RATIO > archive_bytes {
        return Err(Error::Broken("it is compressed more than any archive is".to_owned()));
    }
    check_apart(&mut spans, archive_bytes)?;
    Ok(entries)
}

/// Entries that share bytes are how a small archive becomes a large one.
fn check_apart(spans: &mut [(u64, u64)], archive_bytes: u64) -> Result<(), Error> {
    spans.sort_unstable();
    let overlap = spans.windows(2).any(|pair| pair[1].0 < pair[0].1.max(pair[0].0 + LOCAL_HEADER_BYTES));
    let beyond = spans.iter().any(|(_, end)| *end > archive_bytes);
    if overlap || beyond { Err(Error::Broken("its entries overlap".to_owned())) } else { Ok(()) }
}
