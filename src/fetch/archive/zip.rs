//! What is in a zip archive, and where.

use std::fs::File;
use std::io::BufReader;

use zip::{CompressionMethod, ZipArchive};

use super::stored::{EntryCoding, StoredPlace};
use super::{
    ArchiveBounds, ArchiveEntryKind, ArchiveError, MAX_ARCHIVE_FILES, MAX_ENTRY_RATIO, MAX_RATIO, MIN_RATIO_BYTES,
    SourceEntry,
};

/// Bytes of an entry before its name.
const LOCAL_HEADER_BYTES: u64 = 30;

/// Lists an archive.
pub(super) fn list_zip(file: &File, bounds: ArchiveBounds) -> Result<Vec<SourceEntry>, ArchiveError> {
    let broken = |error: zip::result::ZipError| ArchiveError::Broken(error.to_string());
    let archive_bytes = file.metadata()?.len();
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(broken)?;
    if archive.len() > MAX_ARCHIVE_FILES {
        return Err(ArchiveError::TooManyFiles(MAX_ARCHIVE_FILES));
    }
    let mut entries = Vec::with_capacity(archive.len());
    let mut spans = Vec::with_capacity(archive.len());
    let mut total = 0_u64;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(broken)?;
        let at = entry.data_start().ok_or_else(|| ArchiveError::Broken("an entry has no position".to_owned()))?;
        let (packed, size) = (entry.compressed_size(), entry.size());
        spans.push((entry.header_start(), at.saturating_add(packed)));
        total = total.saturating_add(size);
        if size > MIN_RATIO_BYTES && size / MAX_ENTRY_RATIO > packed {
            return Err(ArchiveError::Broken("a file of it is compressed more than any file is".to_owned()));
        }
        if entry.is_dir() {
            continue;
        }
        let place = |deflated| {
            ArchiveEntryKind::File(StoredPlace {
                at,
                packed,
                size,
                coding: EntryCoding::Zip { deflated, crc: entry.crc32() },
            })
        };
        let kind = match entry.compression() {
            _ if entry.is_symlink() => ArchiveEntryKind::Other("a link"),
            _ if entry.unix_mode().is_some_and(|mode| !matches!(mode & 0o170_000, 0 | 0o100_000)) => {
                ArchiveEntryKind::Other("not a regular file")
            }
            _ if entry.encrypted() => ArchiveEntryKind::Other("encrypted"),
            CompressionMethod::Stored => place(false),
            CompressionMethod::Deflated => place(true),
            _ => ArchiveEntryKind::Other("compressed in a way that is not read here"),
        };
        entries.push(SourceEntry { name: entry.name_raw().to_vec(), kind });
    }
    if total > bounds.bytes {
        return Err(ArchiveError::TooLarge(bounds.bytes));
    }
    if total > MIN_RATIO_BYTES && total / MAX_RATIO > archive_bytes {
        return Err(ArchiveError::Broken("it is compressed more than any archive is".to_owned()));
    }
    check_apart(&mut spans, archive_bytes)?;
    Ok(entries)
}

/// Entries that share bytes are how a small archive becomes a large one.
fn check_apart(spans: &mut [(u64, u64)], archive_bytes: u64) -> Result<(), ArchiveError> {
    spans.sort_unstable();
    let overlap = spans.windows(2).any(|pair| pair[1].0 < pair[0].1.max(pair[0].0 + LOCAL_HEADER_BYTES));
    let beyond = spans.iter().any(|(_, end)| *end > archive_bytes);
    if overlap || beyond { Err(ArchiveError::Broken("its entries overlap".to_owned())) } else { Ok(()) }
}
