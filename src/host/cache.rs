//! The folder that keeps verified bundles: each under its digest, and the catalog that lists them. What is there needs
//! no network.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use base::atomic_file::{self, Guarantees, unique_name};
use base::hex::from_hex;
use bundle::reader::BundleReader;
use bundle::{MANIFEST_PATH, Manifest};

use super::catalog::{CachedBundle, Catalog};

/// Where the catalog lies in the folder, and where downloads that are not complete do.
const LIST: &str = "bundles.json";
const PARTS: &str = "parts";
/// Largest catalog that is read, bytes.
const LIST_BYTES: u64 = 1 << 20;

/// Age from which a file is taken for abandoned.
const MIN_ABANDONED_AGE: Duration = Duration::from_secs(7 * 24 * 3600);

/// The folder.
#[derive(Debug)]
pub(super) struct BundleCache {
    folder: PathBuf,
    keep: usize,
    /// Ends with the process.
    is_temporary: bool,
    /// A catalog that is not written down: that of a folder that ends with the process, or one for which there was no
    /// room.
    held: Mutex<Option<Catalog>>,
}

impl BundleCache {
    /// A folder that stays, or one for this process, which is made when something is put there.
    pub(super) fn open(folder: Option<&Path>, keep: usize) -> io::Result<Self> {
        let (folder, is_temporary) = match folder {
            Some(folder) => (folder.to_owned(), false),
            None => (temporary(), true),
        };
        if !is_temporary {
            let named = |error: io::Error| io::Error::new(error.kind(), format!("`{}`: {error}", folder.display()));
            fs::create_dir_all(&folder).map_err(named)?;
        }
        let cache = Self { folder, keep: keep.max(1), is_temporary, held: Mutex::default() };
        cache.clear();
        Ok(cache)
    }

    /// Removes what processes that were killed left behind. What is younger may be another one's work.
    fn clear(&self) {
        let is_old = |entry: &fs::DirEntry| {
            entry
                .metadata()
                .and_then(|file| file.modified())
                .is_ok_and(|time| time.elapsed().is_ok_and(|age| age > MIN_ABANDONED_AGE))
        };
        fs::read_dir(self.parts())
            .into_iter()
            .flatten()
            .flatten()
            .filter(is_old)
            .for_each(|entry| drop(fs::remove_file(entry.path())));
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

    /// The catalog, with the bundles that are there.
    pub(super) fn catalog(&self) -> Catalog {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        self.whole(held.clone())
    }

    /// Changes the catalog and writes it down.
    ///
    /// # Errors
    /// It cannot be written down; the change counts until the process ends.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Catalog) -> T) -> (T, io::Result<()>) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let mut catalog = self.whole(held.take());
        let done = change(&mut catalog);
        let written = if self.is_temporary { Ok(()) } else { self.write(&catalog) };
        *held = (self.is_temporary || written.is_err()).then_some(catalog);
        (done, written)
    }

    fn whole(&self, held: Option<Catalog>) -> Catalog {
        let mut catalog = held.or_else(|| self.read()).unwrap_or_else(|| self.rebuilt());
        let is_there = |bundle: &CachedBundle| {
            from_hex(&bundle.sha256).is_some()
                && fs::metadata(self.path(&bundle.sha256)).is_ok_and(|file| file.len() == bundle.size)
        };
        catalog.bundles.retain(is_there);
        catalog
    }

    fn read(&self) -> Option<Catalog> {
        let path = self.folder.join(LIST);
        let is_short = fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= LIST_BYTES);
        is_short.then(|| fs::read(&path).ok()).flatten().and_then(|bytes| Catalog::parse(&bytes))
    }

    /// A catalog that is gone or damaged, as far as the bundles themselves show: their files have their digests for
    /// names.
    fn rebuilt(&self) -> Catalog {
        let mut found: Vec<(SystemTime, CachedBundle, Option<String>)> = fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| cached_bundle(&entry))
            .collect();
        found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.sha256.cmp(&b.1.sha256)));
        let mut catalog = Catalog::default();
        // the last one that is said to be shown is the newest
        found.iter().rev().for_each(|(_, bundle, exported_at)| catalog.show(&bundle.sha256, exported_at.as_deref()));
        catalog.bundles = found.into_iter().map(|(_, bundle, _)| bundle).collect();
        catalog
    }

    /// Moves a verified archive to its place.
    pub(super) fn take_in(&self, archive: &Path, sha256: &str) -> io::Result<()> {
        fs::rename(archive, self.path(sha256))
    }

    /// A bundle is shown, which came in as the newest if it is one that is kept; the oldest is deleted.
    pub(super) fn show(&self, sha256: &str, exported_at: Option<&str>, newest: Option<CachedBundle>) -> io::Result<()> {
        let (forgotten, written) = self.change(|catalog| {
            let forgotten = newest.map(|bundle| catalog.put(bundle, self.keep));
            catalog.show(sha256, exported_at);
            forgotten.unwrap_or_default()
        });
        // a process that still serves one of them holds it open
        self.remove(&forgotten);
        written
    }

    /// Makes room: only the bundle that is shown and the one before it stay. Gives how many went.
    pub(super) fn make_room(&self) -> usize {
        let (others, _) = self.change(Catalog::give_up_others);
        self.remove(&others);
        others.len()
    }

    /// Forgets a bundle that turned out to be damaged.
    pub(super) fn forget(&self, sha256: &str) {
        let _ = fs::remove_file(self.path(sha256));
        let _ = self.change(|catalog| catalog.bundles.retain(|bundle| bundle.sha256 != sha256));
    }

    fn remove(&self, list: &[CachedBundle]) {
        list.iter().for_each(|bundle| drop(fs::remove_file(self.path(&bundle.sha256))));
    }

    /// Replaces the catalog in one step, durably.
    fn write(&self, catalog: &Catalog) -> io::Result<()> {
        let bytes = serde_json::to_vec_pretty(catalog)?;
        let guarantees = Guarantees { is_durable: true, is_private: false };
        atomic_file::replace(&self.folder.join(LIST), guarantees, |out| out.write_all(&bytes))
    }
}

impl Drop for BundleCache {
    fn drop(&mut self) {
        if self.is_temporary {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// A bundle of the folder that no catalog lists: when it came, what it is, and when it was exported.
fn cached_bundle(entry: &fs::DirEntry) -> Option<(SystemTime, CachedBundle, Option<String>)> {
    let path = entry.path();
    let sha256 = path.file_name()?.to_str()?.strip_suffix(".zip").filter(|name| from_hex(name).is_some())?.to_owned();
    let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
    let archive = BundleReader::open(&path).ok()?;
    let manifest = Manifest::parse(&archive.read(archive.find(MANIFEST_PATH)?).ok()?).ok()?;
    let bundle = CachedBundle { sha256, size: metadata.len(), version: manifest.version, tag: None, from: None };
    Some((metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), bundle, manifest.exported_at))
}

/// Whether there is no room on a volume.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// A folder for this process.
fn temporary() -> PathBuf {
    std::env::temp_dir().join(format!("offprint-host-{}", unique_name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(digit: char, size: u64) -> CachedBundle {
        CachedBundle {
            sha256: digit.to_string().repeat(64),
            size,
            version: Some(format!("v{digit}")),
            tag: None,
            from: None,
        }
    }

    fn put(cache: &BundleCache, digit: char) {
        fs::create_dir_all(&cache.folder).unwrap();
        let part = cache.folder.join("x");
        fs::write(&part, [b'x'; 3]).unwrap();
        cache.take_in(&part, &bundle(digit, 3).sha256).unwrap();
        cache.show(&bundle(digit, 3).sha256, None, Some(bundle(digit, 3))).unwrap();
    }

    fn versions(cache: &BundleCache) -> Vec<String> {
        cache.catalog().bundles.into_iter().filter_map(|bundle| bundle.version).collect()
    }

    #[test]
    fn the_last_ones_stay_and_the_newest_is_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = BundleCache::open(Some(folder.path()), 2).unwrap();
        ['1', '2', '3'].into_iter().for_each(|digit| put(&cache, digit));
        assert_eq!(versions(&cache), ["v3", "v2"]);
        assert!(!cache.path(&"1".repeat(64)).exists());
        put(&cache, '2');
        assert_eq!(versions(&BundleCache::open(Some(folder.path()), 2).unwrap()), ["v2", "v3"]);
    }

    #[test]
    fn what_is_gone_or_shorter_is_not_listed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = BundleCache::open(Some(folder.path()), 3).unwrap();
        ['1', '2', '3'].into_iter().for_each(|digit| put(&cache, digit));
        fs::write(cache.path(&"2".repeat(64)), "x").unwrap();
        cache.forget(&"3".repeat(64));
        assert_eq!(versions(&cache), ["v1"]);
        // no catalog: these are no bundles
        fs::write(folder.path().join(LIST), "[{").unwrap();
        assert!(versions(&cache).is_empty());
        fs::write(folder.path().join(LIST), r#"[{"sha256":"../../etc/passwd","size":3}]"#).unwrap();
        assert!(versions(&cache).is_empty());
    }

    #[test]
    fn room_is_made_by_what_is_not_needed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = BundleCache::open(Some(folder.path()), 9).unwrap();
        ['1', '2', '3', '4'].into_iter().for_each(|digit| put(&cache, digit));
        assert_eq!(
            (cache.make_room(), cache.make_room(), versions(&cache)),
            (2, 0, vec!["v4".to_owned(), "v3".to_owned()])
        );
        assert!(!cache.path(&"1".repeat(64)).exists());
    }

    #[test]
    fn a_book_that_cannot_be_written_is_kept_in_mind() {
        let folder = tempfile::tempdir().unwrap();
        let cache = BundleCache::open(Some(folder.path()), 3).unwrap();
        put(&cache, '1');
        fs::remove_file(folder.path().join(LIST)).unwrap();
        fs::create_dir(folder.path().join(LIST)).unwrap();
        let turned = cache.change(|catalog| catalog.turn_away("x".to_owned(), None));
        assert!(turned.1.is_err() && cache.catalog().has_turned_away("x"));
        fs::remove_dir(folder.path().join(LIST)).unwrap();
        assert!(
            cache.show("y", None, None).is_ok()
                && BundleCache::open(Some(folder.path()), 3).unwrap().catalog().has_turned_away("x")
        );
    }

    #[test]
    fn a_temporary_folder_goes_with_its_owner() {
        let cache = BundleCache::open(None, 1).unwrap();
        let folder = cache.folder.clone();
        assert!(!folder.exists(), "it is made when it is needed");
        put(&cache, '1');
        assert!(folder.is_dir() && !cache.is_lasting() && versions(&cache) == ["v1"]);
        drop(cache);
        assert!(!folder.exists());
    }
}
