//! Finished archives, kept under the digest of their bytes: in a folder that we serve ourselves by signed links
//! ([`link`]), or in a bucket of an S3-compatible store, which signs its own.
//!
//! 1. An archive is put once under the digest of its bytes; putting it again changes nothing.
//! 2. A reader gets a link that ends: [`Objects::presign`] where the store can sign, else [`link::sign`].
//! 3. A process that serves what a bucket keeps has copies in an [`ObjectCache`].
//! 4. Retention lists and deletes.
//!
//! A key is a digest and nothing else, so no name of a tenant ever becomes a path.

mod bucket;
mod bucket_error;
mod cache;
mod folder;
pub mod link;

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::hex;

pub use bucket::Bucket;
pub use cache::ObjectCache;
pub use folder::ArchiveFolder;

/// Longest life of a link, ours or a store's, seconds: seven days (contract E-LNK-4, and what S3 allows).
pub const LINK_SECONDS: u64 = 604_800;

/// Where finished archives are kept. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Objects {
    /// A folder of this machine.
    Folder(ArchiveFolder),
    /// A bucket of an object store.
    Bucket(Bucket),
}

/// An archive that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObject {
    /// SHA-256 of its bytes, lower-case hexadecimal.
    pub key: String,
    /// Bytes.
    pub size: u64,
    /// When it was put, seconds since 1970.
    pub since: u64,
}

/// Why an archive cannot be kept, found or given away.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    /// The key is no digest.
    #[error("`{0}` is not the digest of an archive")]
    Key(String),
    /// Nothing is kept under the key.
    #[error("there is no archive `{0}`")]
    Missing(String),
    /// What is kept under the key is not what was put.
    #[error("what is kept as the archive `{0}` has other bytes than were put")]
    Damaged(String),
    /// The settings of the store are of no use.
    #[error("the object storage cannot be used: {0}")]
    Settings(String),
    /// There is too little space left.
    #[error("there is no space left for archives")]
    Full,
    /// Reading or writing failed; it may work later.
    #[error("{context}: {cause}")]
    Failed {
        /// What was being done.
        context: String,
        /// Why it failed, without secrets.
        cause: String,
    },
}

impl Objects {
    /// Keeps archives in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// It cannot be made or written.
    pub fn folder(path: &Path) -> Result<Self, ObjectError> {
        ArchiveFolder::open(path).map(Self::Folder)
    }

    /// Keeps archives in a bucket. `url` is `s3://bucket/prefix`; `variables` are those of the environment, of which
    /// the `AWS_…` count: end point, region, credentials, `AWS_ALLOW_HTTP`.
    ///
    /// # Errors
    /// The URL or the variables are of no use. No request is made yet.
    pub fn bucket(url: &str, variables: impl IntoIterator<Item = (String, String)>) -> Result<Self, ObjectError> {
        Bucket::open(url, variables).map(Self::Bucket)
    }

    /// Keeps a file under its digest. The file stays where it is.
    ///
    /// # Errors
    /// It cannot be read or kept; nothing of it is left under the key then.
    pub async fn put(&self, key: &str, file: &Path) -> Result<(), ObjectError> {
        checked(key)?;
        let done = match self {
            Self::Folder(folder) => folder.put(key, file).await,
            Self::Bucket(bucket) => bucket.put(key, file).await,
        };
        counted("put", done)
    }

    /// Whether the store can be asked now. It says so soon.
    ///
    /// # Errors
    /// The store is unavailable, or does not let archives be listed.
    pub async fn probe(&self) -> Result<(), ObjectError> {
        let done = match self {
            // what a disk lacks is seen where there is more than archives to write
            Self::Folder(_) => Ok(()),
            Self::Bucket(bucket) => bucket.probe().await,
        };
        counted("probe", done)
    }

    /// The size of an archive, if it is kept.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, ObjectError> {
        checked(key)?;
        let done = match self {
            Self::Folder(folder) => folder.size(key).await,
            Self::Bucket(bucket) => bucket.size(key).await,
        };
        counted("size", done)
    }

    /// Where the file of an archive is, for the process that serves it; `None` if a store elsewhere keeps it: then
    /// readers get [`Self::presign`]'s link.
    ///
    /// # Errors
    /// There is no such archive.
    pub fn open(&self, key: &str) -> Result<Option<PathBuf>, ObjectError> {
        checked(key)?;
        match self {
            Self::Folder(folder) => folder.path_of(key).map(Some),
            Self::Bucket(_) => Ok(None),
        }
    }

    /// Copies an archive to a file of its own: for processes that need it here and keep archives elsewhere.
    ///
    /// # Errors
    /// There is no such archive, or it cannot be read or written.
    pub async fn fetch(&self, key: &str, target: &Path) -> Result<(), ObjectError> {
        checked(key)?;
        let done = match self {
            Self::Folder(folder) => folder.fetch(key, target).await,
            Self::Bucket(bucket) => bucket.fetch(key, target).await,
        };
        counted("fetch", done)
    }

    /// The store's own link to an archive, which ends after `life` (at most [`LINK_SECONDS`]) and downloads as `name`;
    /// `None` if links are ours to sign.
    ///
    /// # Errors
    /// The store's credentials cannot be had.
    pub async fn presign(&self, key: &str, name: &str, life: Duration) -> Result<Option<String>, ObjectError> {
        checked(key)?;
        match self {
            Self::Folder(_) => Ok(None),
            Self::Bucket(bucket) => {
                let signed = bucket.presign(key, name, life.min(Duration::from_secs(LINK_SECONDS))).await;
                counted("presign", signed).map(Some)
            }
        }
    }

    /// Removes an archive. That there is none is no error.
    ///
    /// # Errors
    /// It cannot be removed.
    pub async fn delete(&self, key: &str) -> Result<(), ObjectError> {
        checked(key)?;
        let done = match self {
            Self::Folder(folder) => folder.delete(key).await,
            Self::Bucket(bucket) => bucket.delete(key).await,
        };
        counted("delete", done)
    }

    /// All archives, sorted by key. Other objects are left out.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn list(&self) -> Result<Vec<StoredObject>, ObjectError> {
        let mut objects = match self {
            Self::Folder(folder) => counted("list", folder.list().await)?,
            Self::Bucket(bucket) => counted("list", bucket.list().await)?,
        };
        objects.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        Ok(objects)
    }
}

/// Counts what the store did not do. That it does not have an archive is an answer.
fn counted<T>(operation: &'static str, done: Result<T, ObjectError>) -> Result<T, ObjectError> {
    if matches!(done, Err(ObjectError::Full | ObjectError::Failed { .. })) {
        metrics::counter!("offprint_storage_errors_total", "operation" => operation).increment(1);
    }
    done
}

/// Refuses what is no digest before it becomes part of a path.
fn checked(key: &str) -> Result<(), ObjectError> {
    if hex::from_hex(key).is_some() { Ok(()) } else { Err(ObjectError::Key(key.chars().take(80).collect())) }
}

fn object_store_error(context: impl Into<String>) -> impl FnOnce(std::io::Error) -> ObjectError {
    let context = context.into();
    move |error| match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => ObjectError::Full,
        _ => ObjectError::Failed { context, cause: error.to_string() },
    }
}

#[cfg(test)]
mod tests;
