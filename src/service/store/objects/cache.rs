//! Copies of archives that are kept elsewhere, on the disk of this machine: as many as fit into a number of bytes, the
//! least recently used one goes first. A copy is what its digest says: that is checked when it is made, and once more
//! when it is first used after a start. Requests for the same archive share one download.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::{ObjectError, Objects, checked, object_store_error};
use base::hex::to_hex;

/// Bytes that are read at a time to check a copy.
const PIECE_BYTES: usize = 256 << 10;
/// How long a copy may take, beside the time for its bytes at the least speed that is waited for.
const FETCH_TIMEOUT: Duration = Duration::from_secs(30);
const FETCH_BYTES_PER_SECOND: u64 = 256 << 10;
/// Ending of a copy.
const COPY: &str = "zip";

/// The copies. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ObjectCache(Arc<CacheInner>);

#[derive(Debug)]
struct CacheInner {
    folder: PathBuf,
    max_bytes: u64,
    copies: Mutex<Copies>,
}

#[derive(Debug, Default)]
struct Copies {
    /// Of all.
    bytes: u64,
    /// Count of all uses, as a clock.
    uses: u64,
    by_key: HashMap<String, Copy>,
    /// Archives that are being copied or checked: one task at a time.
    under_way: HashMap<String, Arc<tokio::sync::Mutex<()>>>,
}

#[derive(Debug)]
struct Copy {
    bytes: u64,
    last_use: u64,
    is_checked: bool,
}

impl ObjectCache {
    /// Takes a folder, which is made if it is not there; what an earlier process has left in it is used again.
    ///
    /// # Errors
    /// It cannot be made or read.
    pub fn open(folder: &Path, max_bytes: u64) -> Result<Self, ObjectError> {
        let context = || object_store_error(format!("cannot keep copies in `{}`", folder.display()));
        fs::create_dir_all(folder).map_err(context())?;
        let mut copies = Copies::default();
        for entry in fs::read_dir(folder).map_err(context())?.flatten() {
            match (key_of(&entry.path()), entry.metadata()) {
                (Some(key), Ok(about)) if about.is_file() => copies.add(key, about.len(), false),
                // half a copy, or nothing of ours
                _ => drop(fs::remove_file(entry.path())),
            }
        }
        let inner = CacheInner { folder: folder.to_owned(), max_bytes, copies: Mutex::new(copies) };
        inner.make_room(0);
        Ok(Self(Arc::new(inner)))
    }

    /// A copy of an archive. It may go as soon as others are asked for; whoever has it open keeps it.
    ///
    /// # Errors
    /// There is no such archive, it cannot be had, or what comes is another one.
    pub async fn copy(&self, objects: &Objects, key: &str, size: u64) -> Result<PathBuf, ObjectError> {
        checked(key)?;
        let turn = Arc::clone(self.0.lock().under_way.entry(key.to_owned()).or_default());
        let copied = {
            let _turn = turn.lock().await;
            self.copy_alone(objects, key, size).await
        };
        let mut copies = self.0.lock();
        // others that wait for it have a clone
        if Arc::strong_count(&turn) <= 2 {
            copies.under_way.remove(key);
        }
        copied
    }

    async fn copy_alone(&self, objects: &Objects, key: &str, size: u64) -> Result<PathBuf, ObjectError> {
        let path = self.0.path(key);
        let used = self.0.lock().use_again(key);
        if let Some(is_checked) = used {
            if (is_checked && path.is_file()) || is_whole(path.clone(), key).await.unwrap_or(false) {
                self.0.lock().set_checked(key);
                return Ok(path);
            }
            tracing::warn!(key, "a copy of an archive is gone or damaged: it is made again");
            self.0.forget(key);
        }
        self.0.make_room(size);
        let aside = self.0.folder.join(crate::store::record::new_id("copy_"));
        let fetched = async {
            let most = patience(size);
            tokio::time::timeout(most, objects.fetch(key, &aside)).await.map_err(|_| ObjectError::Failed {
                context: "the object storage did not return the archive".to_owned(),
                cause: format!("it took longer than {} s", most.as_secs()),
            })??;
            if !is_whole(aside.clone(), key).await.map_err(object_store_error("cannot copy an archive"))? {
                return Err(ObjectError::Damaged(key.to_owned()));
            }
            fs::rename(&aside, &path).map_err(object_store_error("cannot copy an archive"))
        };
        if let Err(error) = fetched.await {
            let _ = fs::remove_file(&aside);
            return Err(error);
        }
        let bytes = fs::metadata(&path).map_or(size, |about| about.len());
        self.0.lock().add(key.to_owned(), bytes, true);
        Ok(path)
    }
}

/// How long a copy may take: others wait for it.
fn patience(size: u64) -> Duration {
    FETCH_TIMEOUT + Duration::from_secs(size / FETCH_BYTES_PER_SECOND)
}

impl CacheInner {
    fn lock(&self) -> MutexGuard<'_, Copies> {
        self.copies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.{COPY}"))
    }

    /// Removes copies until so many bytes more have room; one that is larger than all may be alone.
    fn make_room(&self, bytes: u64) {
        loop {
            let oldest = {
                let copies = self.lock();
                if copies.bytes.saturating_add(bytes) <= self.max_bytes {
                    return;
                }
                let oldest = copies.by_key.iter().min_by_key(|(key, copy)| (copy.last_use, *key));
                oldest.map(|(key, _)| key.clone())
            };
            let Some(oldest) = oldest else { return };
            self.forget(&oldest);
        }
    }

    fn forget(&self, key: &str) {
        let mut copies = self.lock();
        if let Some(gone) = copies.by_key.remove(key) {
            copies.bytes = copies.bytes.saturating_sub(gone.bytes);
        }
        // it may be gone already
        let _ = fs::remove_file(self.path(key));
    }
}

impl Copies {
    fn add(&mut self, key: String, bytes: u64, is_checked: bool) {
        self.uses += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.by_key.insert(key, Copy { bytes, last_use: self.uses, is_checked });
    }

    fn set_checked(&mut self, key: &str) {
        if let Some(copy) = self.by_key.get_mut(key) {
            copy.is_checked = true;
        }
    }

    /// Notes a use; whether the copy has been checked, if there is one.
    fn use_again(&mut self, key: &str) -> Option<bool> {
        self.uses += 1;
        let uses = self.uses;
        let copy = self.by_key.get_mut(key)?;
        copy.last_use = uses;
        Some(copy.is_checked)
    }
}

/// Whether a file is what its digest says.
async fn is_whole(path: PathBuf, key: &str) -> io::Result<bool> {
    let read = move || {
        let (mut file, mut digest) = (File::open(path)?, Sha256::new());
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            match file.read(&mut piece)? {
                0 => return Ok(to_hex(&digest.finalize())),
                length => digest.update(&piece[..length]),
            }
        }
    };
    let digest: io::Result<String> =
        tokio::task::spawn_blocking(read).await.unwrap_or_else(|_| Err(io::Error::other("the work was given up")));
    Ok(digest? == key)
}

/// The archive that a file is a copy of, by its name.
fn key_of(path: &Path) -> Option<String> {
    let key = path.file_name()?.to_str()?.strip_suffix(COPY)?.strip_suffix('.')?;
    checked(key).is_ok().then(|| key.to_owned())
}
