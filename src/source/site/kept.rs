//! Texts that were read for their facts, kept for the pages that are made of them: a file need not be opened twice.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::base::FileId;

/// Some files' bytes as they were when the site was loaded, each until it is asked for. Which ones are kept depends on
/// the threads, what pages are made of does not.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Texts>);

#[derive(Default)]
struct Texts {
    by_file: FxHashMap<FileId, Box<[u8]>>,
    /// Bytes that may still be added.
    room: usize,
}

impl Kept {
    /// Keeps up to `room` bytes.
    pub(crate) fn with_room(room: usize) -> Self {
        Self(Mutex::new(Texts { by_file: FxHashMap::default(), room }))
    }

    /// Keeps a file's bytes, if there is room.
    pub(crate) fn add(&self, file: FileId, bytes: &[u8]) {
        let has_room = {
            let mut texts = self.texts();
            let left = texts.room.checked_sub(bytes.len());
            texts.room = left.unwrap_or(texts.room);
            left.is_some()
        };
        if has_room {
            let bytes = Box::from(bytes);
            self.texts().by_file.insert(file, bytes);
        }
    }

    /// Gives a file's bytes away.
    pub(crate) fn take(&self, file: FileId) -> Option<Vec<u8>> {
        self.texts().by_file.remove(&file).map(Vec::from)
    }

    fn texts(&self) -> std::sync::MutexGuard<'_, Texts> {
        // a map is complete between two calls, whatever befell the thread that held it
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kept({} files)", self.texts().by_file.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_kept_once_and_within_the_room() {
        let kept = Kept::with_room(5);
        kept.add(FileId(1), b"abc");
        kept.add(FileId(2), b"defg");
        kept.add(FileId(3), b"hi");
        assert_eq!((kept.take(FileId(1)).as_deref(), kept.take(FileId(1))), (Some(&b"abc"[..]), None));
        assert_eq!((kept.take(FileId(2)), kept.take(FileId(3)).as_deref()), (None, Some(&b"hi"[..])));
    }

    #[test]
    fn by_default_nothing_is_kept() {
        let kept = Kept::default();
        kept.add(FileId(1), b"a");
        assert_eq!(kept.take(FileId(1)), None);
    }
}
