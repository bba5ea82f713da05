//! Git's index: the files that are going to be the next commit, with what the system said of them when they were last
//! looked at.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;

use super::{Id, hash};
use crate::source::site::tree::SourceTree;

/// Largest index that is read, bytes.
const INDEX_BYTES: u64 = 256 << 20;
/// Deepest folder.
const DEPTH: usize = 256;
/// Kinds of entries.
const LINK: u32 = 0o120_000;
const REPOSITORY: u32 = 0o160_000;

/// An index.
pub(super) struct Index {
    /// Sorted by path.
    entries: Vec<Entry>,
    /// When the index was written: what changed at that moment or later may have changed unnoticed.
    written: SystemTime,
}

struct Entry {
    path: Vec<u8>,
    mode: u32,
    id: Id,
    size: u32,
    modified: (u32, u32),
}

impl Index {
    /// Reads an index of version 2 to 4 without conflicts.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok().filter(|file| file.is_file() && file.len() <= INDEX_BYTES)?;
        let bytes = fs::read(path).ok()?;
        let mut rest = bytes.strip_prefix(b"DIRC")?;
        let version = number(&mut rest)?;
        if !(2..=4).contains(&version) {
            return None;
        }
        let count = number(&mut rest)?;
        let mut entries: Vec<Entry> = Vec::new();
        for _ in 0..count {
            let previous = entries.last().map_or(&[][..], |entry| &entry.path);
            entries.push(Entry::take(&mut rest, version, previous)?);
        }
        Some(Self { entries, written: metadata.modified().ok()? })
    }

    /// The name of the tree that a commit of this index would have.
    pub(super) fn tree(&self) -> Option<Id> {
        tree(&self.entries, 0, 0)
    }

    /// Whether the files of the source below `prefix` are those of the index: the same names, the same bytes.
    pub(super) fn agrees(
        &self,
        files: &SourceTree,
        root: &Path,
        prefix: &str,
        counts: &(dyn Fn(&str) -> bool + Sync),
    ) -> bool {
        let is_below = |entry: &&Entry| {
            entry.path.starts_with(prefix.as_bytes()) && !matches!(entry.mode & 0o170_000, LINK | REPOSITORY)
        };
        let is_missing = |entry: &Entry| {
            let path = std::str::from_utf8(&entry.path[prefix.len()..]).unwrap_or_default();
            !root.join(path).is_file()
        };
        if self.entries.iter().filter(is_below).any(is_missing) {
            return false;
        }
        files.files.par_iter().filter(|file| !file.ignored).all(|file| {
            let path = format!("{prefix}{}", file.path);
            match self.entries.binary_search_by(|entry| entry.path.as_slice().cmp(path.as_bytes())) {
                Ok(at) => self.is_unchanged(&self.entries[at], &root.join(&file.path)),
                Err(_) => !counts(&file.path),
            }
        })
    }

    /// Whether a file is as it was: by size and time of its last change if these tell, else by content.
    fn is_unchanged(&self, entry: &Entry, path: &Path) -> bool {
        let Ok(metadata) = fs::metadata(path) else { return false };
        let modified = metadata.modified().ok();
        let since = modified
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
            .map(|time| (time.as_secs() as u32, time.subsec_nanos()));
        let is_older = modified.is_some_and(|time| time < self.written);
        if is_older && since == Some(entry.modified) && metadata.len() as u32 == entry.size {
            return true;
        }
        fs::read(path).is_ok_and(|bytes| hash("blob", &bytes) == entry.id)
    }
}

impl Entry {
    /// Takes one entry off the front. `previous` is the path of the one before.
    fn take(rest: &mut &[u8], version: u32, previous: &[u8]) -> Option<Self> {
        let start = *rest;
        let numbers: Vec<u32> = (0..10).map(|_| number(rest)).collect::<Option<_>>()?;
        let id: Id = take(rest, 20)?.try_into().ok()?;
        let flags = u16::from_be_bytes(take(rest, 2)?.try_into().ok()?);
        let more = if flags & 0x4000 != 0 { u16::from_be_bytes(take(rest, 2)?.try_into().ok()?) } else { 0 };
        // entries of a conflict, and entries that are announced only
        if flags & 0x3000 != 0 || more & 0x2000 != 0 {
            return None;
        }
        let kept = if version == 4 { previous.len().checked_sub(distance(rest)?)? } else { 0 };
        let length = memchr::memchr(0, rest)?;
        let path = [&previous[..kept], take(rest, length)?].concat();
        let padding = if version == 4 { 1 } else { 8 - (start.len() - rest.len()) % 8 };
        take(rest, padding)?;
        Some(Self { path, mode: numbers[6], id, size: numbers[9], modified: (numbers[2], numbers[3]) })
    }
}

/// The tree of entries that share the first `start` bytes of their paths.
fn tree(entries: &[Entry], start: usize, depth: usize) -> Option<Id> {
    if depth > DEPTH {
        return None;
    }
    let mut content = Vec::new();
    let mut rest = entries;
    while let Some(first) = rest.first() {
        let name = first.path.get(start..)?;
        let (name, mode, id, taken) = match memchr::memchr(b'/', name) {
            None => (name, first.mode, first.id, 1),
            Some(slash) => {
                let folder = &first.path[..=start + slash];
                let taken = rest.iter().take_while(|entry| entry.path.starts_with(folder)).count();
                (&name[..slash], 0o40_000, tree(&rest[..taken], start + slash + 1, depth + 1)?, taken)
            }
        };
        content.extend(format!("{mode:o} ").as_bytes());
        content.extend(name);
        content.push(0);
        content.extend(id);
        rest = &rest[taken..];
    }
    Some(hash("tree", &content))
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(taken)
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    take(rest, 4)?.try_into().ok().map(u32::from_be_bytes)
}

/// How many bytes of the path before are not shared: seven bits a byte, one more for each further byte.
fn distance(rest: &mut &[u8]) -> Option<usize> {
    let mut byte = *take(rest, 1)?.first()?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = *take(rest, 1)?.first()?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
    }
    Some(value)
}
