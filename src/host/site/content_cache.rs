//! Contents of files that are deflated in their archives, for clients that take no gzip: inflated once and kept, so that
//! such a request costs no more than one for the stored stream.
//!
//! All sites of a server share one cache. Its bound holds for all contents that are in memory because of it, be they
//! kept or only on their way to a slow client; where there is no room, a file is inflated piece by piece as it is sent.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hyper::body::Bytes;
use rustc_hash::FxHashMap;

/// Bytes of a cache unless another number is given.
pub const CONTENT_BYTES: usize = 64 << 20;
/// Largest file that is inflated in one piece and kept, bytes: more than a page, far less than an archive can claim.
const MAX_CONTENT_BYTES: u64 = 1 << 20;
/// What a content takes in memory beside its bytes, about.
const OVERHEAD_BYTES: usize = 256;

/// The contents of one bundle in the cache.
#[derive(Debug)]
pub(super) struct BundleContents {
    cache: Arc<ContentCache>,
    /// Tells this bundle from all others that have used the cache, other generations of the same site among them.
    bundle: u64,
}

/// A bundle's number and the position of a file in its archive.
type ContentKey = (u64, usize);

/// Inflated contents, bounded in bytes.
#[derive(Debug)]
pub struct ContentCache {
    max_bytes: usize,
    /// Bytes of contents that are in memory.
    used_bytes: Arc<AtomicUsize>,
    kept: Mutex<Kept>,
    bundles: AtomicU64,
}

/// What is kept, in the order of the clock: a content that was requested since the hand passed it stays for another
/// turn.
#[derive(Debug, Default)]
struct Kept {
    contents: FxHashMap<ContentKey, CacheSlot>,
    clock: VecDeque<ContentKey>,
}

#[derive(Debug)]
struct CacheSlot {
    content: Arc<Reserved>,
    is_requested: bool,
}

/// A part of the bound, given back when it is dropped.
#[derive(Debug)]
struct Reservation {
    used_bytes: Arc<AtomicUsize>,
    bytes: usize,
}

/// A content with the room that it takes.
#[derive(Debug)]
struct Reserved {
    content: Vec<u8>,
    _room: Reservation,
}

impl Default for ContentCache {
    fn default() -> Self {
        Self::new(CONTENT_BYTES)
    }
}

/// What an answer holds of a content. [`Bytes`] do not say how many share an owner, which is why each answer is one.
struct Taken(Arc<Reserved>);

impl ContentCache {
    /// An empty cache of at most so many bytes; 0 keeps nothing.
    pub fn new(max_bytes: usize) -> Self {
        Self { max_bytes, used_bytes: Arc::default(), kept: Mutex::default(), bundles: AtomicU64::new(0) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for a content, made by dropping others if need be.
    fn reserve(&self, bytes: usize) -> Option<Reservation> {
        let mut kept = self.kept();
        let add = |used: usize| used.checked_add(bytes).filter(|sum| *sum <= self.max_bytes);
        while self.used_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_err() {
            if !kept.drop_one() {
                return None;
            }
        }
        Some(Reservation { used_bytes: Arc::clone(&self.used_bytes), bytes })
    }
}

impl Kept {
    /// Drops the first content that was not requested in the last turn of the clock. One that a client is still being
    /// sent stays: dropping it would free nothing. Whether there was one.
    fn drop_one(&mut self) -> bool {
        for _ in 0..2 * self.clock.len() {
            let Some(key) = self.clock.pop_front() else { return false };
            let is_needed = self
                .contents
                .get_mut(&key)
                .is_some_and(|slot| std::mem::take(&mut slot.is_requested) || Arc::strong_count(&slot.content) > 1);
            if !is_needed {
                self.contents.remove(&key);
                return true;
            }
            self.clock.push_back(key);
        }
        false
    }
}

impl BundleContents {
    /// No contents yet.
    pub(super) fn new(cache: Arc<ContentCache>) -> Self {
        let bundle = cache.bundles.fetch_add(1, Ordering::Relaxed);
        Self { cache, bundle }
    }

    /// The content of a file, kept or inflated now; `None` if it is too large or if there is no room for it. Nothing is
    /// locked while it is inflated, so simultaneous requests may do it twice.
    ///
    /// # Errors
    /// It cannot be inflated.
    pub(super) fn find_or_inflate<E>(
        &self,
        file: usize,
        size: u64,
        inflate: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Option<Bytes>, E> {
        let key = (self.bundle, file);
        if let Some(slot) = self.cache.kept().contents.get_mut(&key) {
            slot.is_requested = true;
            return Ok(Some(Bytes::from_owner(Taken(Arc::clone(&slot.content)))));
        }
        let size = usize::try_from(size).ok().filter(|_| size <= MAX_CONTENT_BYTES);
        let Some(room) = size.and_then(|size| self.cache.reserve(size + OVERHEAD_BYTES)) else { return Ok(None) };
        let content = Arc::new(Reserved { content: inflate()?, _room: room });
        let bytes = Bytes::from_owner(Taken(Arc::clone(&content)));
        let mut kept = self.cache.kept();
        let slot = CacheSlot { content, is_requested: false };
        if kept.contents.insert(key, slot).is_none() {
            kept.clock.push_back(key);
        }
        Ok(Some(bytes))
    }
}

impl Drop for BundleContents {
    fn drop(&mut self) {
        let mut kept = self.cache.kept();
        kept.contents.retain(|(bundle, _), _| *bundle != self.bundle);
        kept.clock.retain(|(bundle, _)| *bundle != self.bundle);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.used_bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl AsRef<[u8]> for Taken {
    fn as_ref(&self) -> &[u8] {
        &self.0.content
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 1_000;
    const CHARGED: usize = SIZE + OVERHEAD_BYTES;

    fn cache_for(contents: usize) -> Arc<ContentCache> {
        Arc::new(ContentCache::new(contents * CHARGED))
    }

    /// What a request for a file gets, and whether it was inflated for it.
    fn request(contents: &BundleContents, file: usize) -> (Option<Bytes>, bool) {
        let mut is_inflated = false;
        let found = contents.find_or_inflate(file, SIZE as u64, || {
            is_inflated = true;
            Ok::<_, ()>(vec![file as u8; SIZE])
        });
        (found.unwrap(), is_inflated)
    }

    fn inflates(contents: &BundleContents, file: usize) -> bool {
        let (found, is_inflated) = request(contents, file);
        assert!(found.is_some_and(|bytes| bytes[..] == vec![file as u8; SIZE]));
        is_inflated
    }

    #[test]
    fn a_content_is_inflated_once() {
        let contents = BundleContents::new(cache_for(4));
        assert!(inflates(&contents, 1));
        assert!(!inflates(&contents, 1));
    }

    #[test]
    fn what_is_requested_outlasts_what_is_not() {
        let contents = BundleContents::new(cache_for(4));
        for file in 0..100 {
            inflates(&contents, 200);
            inflates(&contents, file);
        }
        assert!(!inflates(&contents, 200));
        assert!(inflates(&contents, 0));
        assert_eq!(contents.cache.used_bytes.load(Ordering::Relaxed), 4 * CHARGED);
    }

    #[test]
    fn the_bound_holds_for_what_clients_still_take() {
        let contents = BundleContents::new(cache_for(3));
        let taken: Vec<_> = (0..3).map(|file| request(&contents, file).0.unwrap()).collect();
        assert_eq!(request(&contents, 3), (None, false));
        assert!(!inflates(&contents, 0), "what is taken stays");
        drop(taken);
        assert!(inflates(&contents, 3));
    }

    #[test]
    fn what_cannot_be_kept_is_not_inflated() {
        let contents = BundleContents::new(cache_for(2));
        for size in [u64::MAX, MAX_CONTENT_BYTES + 1, 2 * CHARGED as u64] {
            assert_eq!(contents.find_or_inflate(0, size, || -> Result<_, ()> { unreachable!() }), Ok(None));
        }
        assert_eq!(contents.find_or_inflate(0, SIZE as u64, || Err("damaged")), Err("damaged"));
        assert_eq!(contents.cache.used_bytes.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn bundles_have_contents_of_their_own() {
        let cache = cache_for(4);
        let [one, other] = [(); 2].map(|()| BundleContents::new(Arc::clone(&cache)));
        assert!(inflates(&one, 1) && inflates(&other, 1));
        drop(one);
        assert_eq!(cache.used_bytes.load(Ordering::Relaxed), CHARGED);
        assert!(!inflates(&other, 1));
    }
}
