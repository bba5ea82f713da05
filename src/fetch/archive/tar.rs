//! What is in a tar archive, and where.

use std::fs::File;
use std::io::{BufReader, Seek as _};

use tar::{Archive, EntryType};

use super::stored::{EntryCoding, StoredPlace};
use super::{ArchiveBounds, ArchiveEntryKind, ArchiveError, MAX_ARCHIVE_FILES, SourceEntry};

/// Longest name, bytes.
const NAME_BYTES: usize = 4 << 10;

/// Lists an archive.
pub(super) fn list_tar(file: &File, bounds: ArchiveBounds) -> Result<Vec<SourceEntry>, ArchiveError> {
    let broken = |error: std::io::Error| ArchiveError::Broken(error.to_string());
    let archive_bytes = file.metadata()?.len();
    let mut start = file;
    start.rewind()?;
    let mut archive = Archive::new(BufReader::new(start));
    let mut entries = Vec::new();
    let mut total = 0_u64;
    for entry in archive.entries_with_seek().map_err(broken)? {
        let entry = entry.map_err(broken)?;
        let (at, size) = (entry.raw_file_position(), entry.size());
        let place = StoredPlace { at, packed: size, size, coding: EntryCoding::Plain };
        let kind = match entry.header().entry_type() {
            EntryType::Directory | EntryType::XGlobalHeader => continue,
            EntryType::Regular | EntryType::Continuous => ArchiveEntryKind::File(place),
            EntryType::Symlink => match entry.link_name_bytes().map(|name| String::from_utf8(name.into_owned())) {
                Some(Ok(target)) if target.len() <= NAME_BYTES => ArchiveEntryKind::Link(target),
                _ => ArchiveEntryKind::Other("a link"),
            },
            EntryType::Link => ArchiveEntryKind::Other("a link"),
            _ => ArchiveEntryKind::Other("not a regular file"),
        };
        total = total.saturating_add(size);
        if matches!(kind, ArchiveEntryKind::File(_)) && at.saturating_add(size) > archive_bytes {
            return Err(ArchiveError::Broken("it ends before its last file does".to_owned()));
        }
        if total > bounds.bytes {
            return Err(ArchiveError::TooLarge(bounds.bytes));
        }
        let name = entry.path_bytes();
        if name.len() > NAME_BYTES {
            return Err(ArchiveError::Broken("a name of it is too long".to_owned()));
        }
        entries.push(SourceEntry { name: name.into_owned(), kind });
        if entries.len() > MAX_ARCHIVE_FILES {
            return Err(ArchiveError::TooManyFiles(MAX_ARCHIVE_FILES));
        }
    }
    Ok(entries)
}
