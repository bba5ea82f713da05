//! What is in a tar archive, and where.

use std::fs::File;
use std::io::{BufReader, Seek as _};

use tar::{Archive, EntryType};

use super::stored::{Coding, Place};
use super::{ArchiveEntry, Bounds, Error, Kind, MAX_FILES};

/// Longest name, bytes.
const NAME_BYTES: usize = 4 << 10;

/// Lists an archive.
pub(super) fn list_tar(file: &File, bounds: Bounds) -> Result<Vec<ArchiveEntry>, Error> {
    let broken = |error: std::io::Error| Error::Broken(error.to_string());
    let archive_bytes = file.metadata()?.len();
    let mut start = file;
    start.rewind()?;
    let mut archive = Archive::new(BufReader::new(start));
    let mut entries = Vec::new();
    let mut total = 0_u64;
    for entry in archive.entries_with_seek().map_err(broken)? {
        let entry = entry.map_err(broken)?;
        let (at, size) = (entry.raw_file_position(), entry.size());
        let place = Place { at, packed: size, size, coding: Coding::Plain };
        let kind = match entry.header().entry_type() {
            EntryType::Directory | EntryType::XGlobalHeader => continue,
            EntryType::Regular | EntryType::Continuous => Kind::File(place),
            EntryType::Symlink => match entry.link_name_bytes().map(|name| String::from_utf8(name.into_owned())) {
                Some(Ok(target)) if target.len() <= NAME_BYTES => Kind::Link(target),
                _ => Kind::Other("a link"),
            },
            EntryType::Link => Kind::Other("a link"),
            _ => Kind::Other("not a regular file"),
        };
        total = total.saturating_add(size);
        if matches!(kind, Kind::File(_)) && at.saturating_add(size) > archive_bytes {
            return Err(Error::Broken("it ends before its last file does".to_owned()));
        }
        if total > bounds.bytes {
            return Err(Error::TooLarge(bounds.bytes));
        }
        let name = entry.path_bytes();
        if name.len() > NAME_BYTES {
            return Err(Error::Broken("a name of it is too long".to_owned()));
        }
        entries.push(ArchiveEntry { name: name.into_owned(), kind });
        if entries.len() > MAX_FILES {
            return Err(Error::TooManyFiles(MAX_FILES));
        }
    }
    Ok(entries)
}
