//! What was fetched, by the digest of its bytes: `sha256/ab/ab12…`. Files appear whole, by a rename, and are judged by
//! their digest whenever they are read, so a damaged or foreign file is the same as none.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use base::atomic_file::{self, Guarantees};
use base::hex::{from_hex, to_hex};
use base::limits;

/// Largest file that is read, bytes: the largest of all that is fetched.
const MAX_CACHE_FILE_BYTES: u64 = limits::DESCRIPTION_BYTES;

/// A folder of fetched bytes; without one, nothing is kept between exports.
#[derive(Debug)]
pub(crate) struct RemoteCache {
    root: Option<PathBuf>,
}

/// The digest of some bytes, 64 lower-case hexadecimal digits.
pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    to_hex(&Sha256::digest(bytes))
}

/// Whether a text is such a digest: those of lock files name files.
pub(crate) fn is_digest(text: &str) -> bool {
    from_hex(text).is_some()
}

impl RemoteCache {
    /// A cache in a folder, which need not exist.
    pub(crate) fn new(root: Option<PathBuf>) -> Self {
        Self { root }
    }

    /// The bytes of a digest, if they are here and whole.
    pub(crate) fn read(&self, digest: &str) -> Option<Vec<u8>> {
        let path = self.path(digest)?;
        // no link, no pipe: those would lead elsewhere, or wait for ever
        let about =
            fs::symlink_metadata(&path).ok().filter(|about| about.is_file() && about.len() <= MAX_CACHE_FILE_BYTES)?;
        let mut bytes = Vec::with_capacity(about.len() as usize);
        fs::File::open(&path).ok()?.take(MAX_CACHE_FILE_BYTES + 1).read_to_end(&mut bytes).ok()?;
        (hex_digest(&bytes) == digest).then_some(bytes)
    }

    /// Keeps bytes under their digest. `Ok(false)`: there is no cache.
    pub(crate) fn store(&self, digest: &str, bytes: &[u8]) -> io::Result<bool> {
        let (Some(root), Some(path)) = (&self.root, self.path(digest)) else { return Ok(false) };
        if fs::symlink_metadata(&path).is_ok_and(|about| about.is_file() && about.len() == bytes.len() as u64)
            && self.read(digest).is_some()
        {
            return Ok(true);
        }
        make_private_folder(path.parent().unwrap_or(root))?;
        match atomic_file::replace(&path, Guarantees::default(), |out| out.write_all(bytes)) {
            // another thread has kept the same bytes meanwhile
            Err(_) if self.read(digest).is_some() => Ok(true),
            kept => kept.map(|()| true),
        }
    }

    fn path(&self, digest: &str) -> Option<PathBuf> {
        let root = self.root.as_ref().filter(|_| is_digest(digest))?;
        Some(root.join("sha256").join(digest.get(..2)?).join(digest))
    }
}

/// What documentation loads may be private: only its owner can read the cache.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_bytes_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let cache = RemoteCache::new(Some(folder.path().join("c")));
        let name = hex_digest(b"abc");
        assert_eq!(name, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(cache.read(&name), None);
        assert!(cache.store(&name, b"abc").unwrap());
        assert!(cache.store(&name, b"abc").unwrap());
        assert_eq!(cache.read(&name).as_deref(), Some(&b"abc"[..]));
        let path = cache.path(&name).unwrap();
        fs::write(&path, "abd").unwrap();
        assert_eq!(cache.read(&name), None, "damaged");
        assert!(cache.store(&name, b"abc").unwrap());
        assert_eq!(cache.read(&name).as_deref(), Some(&b"abc"[..]), "mended");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn names_are_digests_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let cache = RemoteCache::new(Some(folder.path().to_owned()));
        for name in ["", "../../etc/passwd", &"A".repeat(64), &"../".repeat(22), &"é".repeat(32)] {
            assert_eq!(cache.path(name), None, "{name}");
        }
        assert!(!RemoteCache::new(None).store(&hex_digest(b""), b"").unwrap());
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = RemoteCache::new(Some(folder.path().to_owned()));
        let name = hex_digest(b"abc");
        let path = cache.path(&name).unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(folder.path().join("x"), "abc").unwrap();
        std::os::unix::fs::symlink(folder.path().join("x"), &path).unwrap();
        assert_eq!(cache.read(&name), None);
    }
}
