//! The folder that keeps verified bundles: each under its digest, the newest first in a list. What is there needs no network.

use std::fs::{self, File};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Where the list of bundles lies in the folder, and where downloads that are not complete do.
const LIST: &str = "bundles.json";
const PARTS: &str = "parts";
/// Largest list that is read, bytes.
const LIST_BYTES: u64 = 1 << 20;

/// Age of a file that nobody works on any more.
const LEFT_BEHIND: Duration = Duration::from_secs(7 * 24 * 3600);

/// A bundle that was verified before it was put here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Kept {
    /// Of the archive.
    pub(super) sha256: String,
    /// Its bytes.
    pub(super) size: u64,
    /// The bundle's label.
    pub(super) version: Option<String>,
    /// The version that the server named.
    pub(super) tag: Option<String>,
    /// A name of the address that it came from, which does not tell the address.
    pub(super) from: Option<String>,
}

/// The folder.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    keep: usize,
    /// Ends with the process.
    is_temporary: bool,
}

impl Cache {
    /// A folder that stays, or one for this process.
    pub(super) fn open(folder: Option<&Path>, keep: usize) -> io::Result<Self> {
        let (folder, is_temporary) = match folder {
            Some(folder) => (folder.to_owned(), false),
            None => (temporary(), true),
        };
        fs::create_dir_all(&folder)?;
        let cache = Self { folder, keep: keep.max(1), is_temporary };
        cache.clear();
        Ok(cache)
    }

    /// Removes what processes that were killed left behind. What is younger may be another one's work.
    fn clear(&self) {
        let is_old = |entry: &fs::DirEntry| entry.metadata().and_then(|file| file.modified()).is_ok_and(|time| time.elapsed().is_ok_and(|age| age > LEFT_BEHIND));
        fs::read_dir(self.parts()).into_iter().flatten().flatten().filter(is_old).for_each(|entry| drop(fs::remove_file(entry.path())));
    }

    /// Whether it outlives the process.
    pub(super) fn is_lasting(&self) -> bool {
        !self.is_temporary
    }

    /// Where downloads are put together.
    pub(super) fn parts(&self) -> PathBuf {
        self.folder.join(PARTS)
    }

    /// Where a bundle lies.
    pub(super) fn path(&self, sha256: &str) -> PathBuf {
        self.folder.join(format!("{sha256}.zip"))
    }

    /// The bundles, the newest first. A list that cannot be read is empty: what it named is fetched again.
    pub(super) fn list(&self) -> Vec<Kept> {
        let path = self.folder.join(LIST);
        let is_short = fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= LIST_BYTES);
        let list = is_short.then(|| fs::read(&path).ok()).flatten().and_then(|bytes| serde_json::from_slice::<Vec<Kept>>(&bytes).ok());
        let is_there = |kept: &Kept| crate::base::hex::from_hex(&kept.sha256).is_some() && fs::metadata(self.path(&kept.sha256)).is_ok_and(|file| file.len() == kept.size);
        list.unwrap_or_default().into_iter().filter(is_there).collect()
    }

    /// Takes a verified archive in, as the newest, and forgets the oldest.
    pub(super) fn put(&self, archive: &Path, kept: Kept) -> io::Result<()> {
        let path = self.path(&kept.sha256);
        if archive != path {
            fs::rename(archive, &path)?;
        }
        self.first(kept)
    }

    /// Makes a bundle that is here the newest.
    pub(super) fn first(&self, kept: Kept) -> io::Result<()> {
        let mut list = self.list();
        list.retain(|other| other.sha256 != kept.sha256);
        list.insert(0, kept);
        let forgotten = list.split_off(self.keep.min(list.len()));
        self.write(&list)?;
        // whoever still serves one of them holds it open
        forgotten.iter().for_each(|kept| drop(fs::remove_file(self.path(&kept.sha256))));
        Ok(())
    }

    /// Forgets a bundle that turned out to be damaged.
    pub(super) fn forget(&self, sha256: &str) {
        let _ = fs::remove_file(self.path(sha256));
        let _ = self.write(&self.list());
    }

    /// Replaces the list in one step, durably.
    fn write(&self, list: &[Kept]) -> io::Result<()> {
        let path = self.folder.join(format!("{LIST}.{}", own_name()));
        let mut file = File::create(&path)?;
        file.write_all(&serde_json::to_vec_pretty(list)?)?;
        file.sync_all()?;
        fs::rename(&path, self.folder.join(LIST))?;
        // a folder that cannot be opened, as on Windows, needs no more
        let _ = File::open(&self.folder).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        if self.is_temporary {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// A folder for this process.
fn temporary() -> PathBuf {
    std::env::temp_dir().join(format!("offprint-host-{}", own_name()))
}

/// A name that nobody else chooses: replicas that share a folder have the same process number, each in its container.
pub(super) fn own_name() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(digit: char, size: u64) -> Kept {
        Kept { sha256: digit.to_string().repeat(64), size, version: Some(format!("v{digit}")), tag: None, from: None }
    }

    fn put(cache: &Cache, digit: char) {
        let part = cache.folder.join("x");
        fs::write(&part, [b'x'; 3]).unwrap();
        cache.put(&part, kept(digit, 3)).unwrap();
    }

    fn versions(cache: &Cache) -> Vec<String> {
        cache.list().into_iter().filter_map(|kept| kept.version).collect()
    }

    #[test]
    fn the_last_ones_stay_and_the_newest_is_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(folder.path()), 2).unwrap();
        ['1', '2', '3'].into_iter().for_each(|digit| put(&cache, digit));
        assert_eq!(versions(&cache), ["v3", "v2"]);
        assert!(!cache.path(&"1".repeat(64)).exists());
        cache.first(kept('2', 3)).unwrap();
        assert_eq!(versions(&Cache::open(Some(folder.path()), 2).unwrap()), ["v2", "v3"]);
    }

    #[test]
    fn what_is_gone_or_shorter_is_not_listed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(folder.path()), 3).unwrap();
        ['1', '2', '3'].into_iter().for_each(|digit| put(&cache, digit));
        fs::write(cache.path(&"2".repeat(64)), "x").unwrap();
        cache.forget(&"3".repeat(64));
        assert_eq!(versions(&cache), ["v1"]);
        fs::write(folder.path().join(LIST), "[{").unwrap();
        assert!(cache.list().is_empty());
        fs::write(folder.path().join(LIST), r#"[{"sha256":"../../etc/passwd","size":3}]"#).unwrap();
        assert!(cache.list().is_empty());
    }

    #[test]
    fn a_temporary_folder_goes_with_its_owner() {
        let cache = Cache::open(None, 1).unwrap();
        let folder = cache.folder.clone();
        put(&cache, '1');
        assert!(folder.is_dir() && !cache.is_lasting());
        drop(cache);
        assert!(!folder.exists());
    }
}
