//! Optimized pictures of earlier exports, by the digest of what they were made from: `optimized-png/ab/ab12…`.
//!
//! An entry is the digest of its bytes and the bytes; no bytes stand for a picture that cannot be made smaller. Entries
//! appear whole, by a rename, and a damaged one is the same as none. When they are more than [`MAX_TOTAL_BYTES`], those
//! that were not used for the longest time go.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};

use base::atomic_file::{self, Guarantees};
use base::hex::to_hex;
use frame::asset::remote::make_private_folder;

use super::picture::MAX_PNG_BYTES;

/// The folder, in that of the cache.
const FOLDER: &str = "optimized-png";
/// Most bytes of all entries.
const MAX_TOTAL_BYTES: u64 = 512 << 20;
/// What the entries were made by, which is part of their names: other encoders and settings give other bytes.
pub(super) const ENCODER: &str = "oxipng 10.2.1, preset 0";

/// What became of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Optimized {
    /// These bytes.
    Smaller(Vec<u8>),
    /// It stays as it is.
    Unchanged,
}

/// A folder of optimized pictures; without one, nothing is kept between exports.
#[derive(Debug)]
pub(super) struct PngCache {
    root: Option<PathBuf>,
    /// Something was added.
    has_grown: AtomicBool,
}

/// The name of the entry for a picture.
pub(super) struct EntryName(String);

impl EntryName {
    /// The name for the bytes of a picture.
    pub(super) fn of(picture: &[u8]) -> Self {
        Self(to_hex(&Sha256::new().chain_update(ENCODER).chain_update([0]).chain_update(picture).finalize()))
    }
}

impl PngCache {
    /// A cache in a folder, which need not exist.
    pub(super) fn new(cache: Option<&Path>) -> Self {
        Self { root: cache.map(|cache| cache.join(FOLDER)), has_grown: AtomicBool::new(false) }
    }

    /// What an earlier export made of a picture.
    pub(super) fn read(&self, name: &EntryName) -> Option<Optimized> {
        let path = self.path(name)?;
        // no link, no pipe: those would lead elsewhere, or wait for ever
        let limit = (MAX_PNG_BYTES + 32) as u64;
        fs::symlink_metadata(&path).ok().filter(|about| about.is_file() && about.len() <= limit)?;
        let mut file = File::open(&path).ok()?;
        let mut entry = Vec::new();
        (&mut file).take(limit).read_to_end(&mut entry).ok()?;
        let (digest, bytes) = entry.split_at_checked(32)?;
        if Sha256::digest(bytes).as_slice() != digest {
            return None;
        }
        // the entry is used: it is not the next to go. A folder that cannot be written keeps its order
        let _ = file.set_modified(SystemTime::now());
        Some(if bytes.is_empty() { Optimized::Unchanged } else { Optimized::Smaller(bytes.to_vec()) })
    }

    /// Keeps what became of a picture. A cache that cannot be written costs the next export time, and this one nothing.
    pub(super) fn store(&self, name: &EntryName, optimized: &Optimized) {
        let Some(path) = self.path(name) else { return };
        let bytes = match optimized {
            Optimized::Smaller(bytes) => bytes.as_slice(),
            Optimized::Unchanged => &[],
        };
        let folder = path.parent().unwrap_or(Path::new("."));
        let stored = make_private_folder(folder).and_then(|()| {
            atomic_file::replace(&path, Guarantees::default(), |out| {
                out.write_all(&Sha256::digest(bytes))?;
                out.write_all(bytes)
            })
        });
        if stored.is_ok() {
            self.has_grown.store(true, Ordering::Relaxed);
        }
    }

    /// Removes the entries that were not used for the longest time, if all together are too large.
    pub(super) fn shrink(&self) {
        if self.has_grown.load(Ordering::Relaxed) {
            self.shrink_to(MAX_TOTAL_BYTES);
        }
    }

    fn shrink_to(&self, limit: u64) {
        let Some(root) = &self.root else { return };
        let files = walkdir::WalkDir::new(root).min_depth(2).max_depth(2).into_iter().filter_map(Result::ok);
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = files
            .filter_map(|entry| {
                let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some((about.modified().ok()?, about.len(), entry.into_path()))
            })
            .collect();
        let mut total: u64 = entries.iter().map(|(_, size, _)| size).sum();
        entries.sort_unstable();
        for (_, size, path) in entries {
            if total <= limit {
                break;
            }
            if fs::remove_file(&path).is_ok() {
                total -= size;
            }
        }
    }

    fn path(&self, EntryName(name): &EntryName) -> Option<PathBuf> {
        Some(self.root.as_ref()?.join(name.get(..2)?).join(name))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn smaller(bytes: &[u8]) -> Optimized {
        Optimized::Smaller(bytes.to_vec())
    }

    #[test]
    fn entries_come_back_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let cache = PngCache::new(Some(folder.path()));
        let (one, two) = (EntryName::of(b"one"), EntryName::of(b"two"));
        assert_eq!(cache.read(&one), None);
        cache.store(&one, &smaller(b"1"));
        cache.store(&two, &Optimized::Unchanged);
        assert_eq!((cache.read(&one), cache.read(&two)), (Some(smaller(b"1")), Some(Optimized::Unchanged)));
        let path = cache.path(&one).unwrap();
        for damaged in [&b""[..], b"short", &[0; 40]] {
            fs::write(&path, damaged).unwrap();
            assert_eq!(cache.read(&one), None, "{damaged:?}");
        }
        cache.store(&one, &smaller(b"1"));
        assert_eq!(cache.read(&one), Some(smaller(b"1")), "mended");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn those_not_used_for_longest_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = PngCache::new(Some(folder.path()));
        let names = [EntryName::of(b"1"), EntryName::of(b"2"), EntryName::of(b"3")];
        for (age, name) in names.iter().enumerate() {
            cache.store(name, &smaller(&[0; 68]));
            let old = SystemTime::now() - Duration::from_secs(1000 - age as u64);
            File::options().write(true).open(cache.path(name).unwrap()).unwrap().set_modified(old).unwrap();
        }
        assert!(cache.read(&names[0]).is_some(), "it is used, and so the youngest");
        cache.shrink_to(200);
        assert_eq!(names.each_ref().map(|name| cache.read(name).is_some()), [true, false, true]);
    }

    #[test]
    fn without_a_folder_nothing_is_kept() {
        let cache = PngCache::new(None);
        cache.store(&EntryName::of(b"1"), &Optimized::Unchanged);
        assert_eq!(cache.read(&EntryName::of(b"1")), None);
        cache.shrink();
    }

    #[test]
    fn names_change_with_the_encoder() {
        let lock = include_str!("../../../Cargo.lock");
        let version = lock.split("name = \"oxipng\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next());
        assert_eq!(ENCODER.split([' ', ',']).nth(1), version, "the constant names the version that is compiled");
    }
}
