//! Lines that were highlighted before.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use siphasher::sip128::{Hasher128, SipHasher13};

use base::cut::SliceText as _;

use textmate::StateId;

/// Results by (state before the line, line). Results do not depend on what is in the cache, only the time does.
pub(super) struct LineCache {
    /// With random keys: 128 bits that cannot be aimed at.
    hasher: SipHasher13,
    shards: Vec<Mutex<LineShard>>,
}

#[derive(Default)]
struct LineShard {
    lines: FxHashMap<(u64, u64), CachedLine>,
    html: String,
}

#[derive(Clone, Copy)]
struct CachedLine {
    html: (u32, u32),
    next: StateId,
    work: u32,
}

/// What a line was worth: its work, and the state that it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineResult {
    pub next: StateId,
    pub work: u32,
}

/// The key of a line.
#[derive(Clone, Copy)]
pub(super) struct LineKey(u64, u64);

const SHARDS: usize = 16;
/// Memory of the cache; when it is full nothing is added.
const MAX_LINE_CACHE_BYTES: usize = 32 << 20;
/// Memory that an entry of the cache takes beside its HTML.
const ENTRY_BYTES: usize = 56;

impl LineCache {
    pub(super) fn new() -> Self {
        let random = RandomState::new();
        Self {
            hasher: SipHasher13::new_with_keys(random.hash_one(0), random.hash_one(1)),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }

    pub(super) fn key(&self, state: StateId, first: bool, line: &str) -> LineKey {
        let mut hasher = self.hasher;
        (state, first, line).hash(&mut hasher);
        let digest = hasher.finish128();
        LineKey(digest.h1, digest.h2)
    }

    /// Writes a known line.
    pub(super) fn write(&self, key: LineKey, out: &mut String) -> Option<LineResult> {
        let shard = self.shards[key.0 as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner);
        let line = shard.lines.get(&(key.0, key.1))?;
        out.push_str(shard.html.slice(line.html.0 as usize..line.html.1 as usize));
        Some(LineResult { next: line.next, work: line.work })
    }

    /// Remembers a line.
    pub(super) fn keep(&self, key: LineKey, html: &str, known: LineResult) {
        let mut shard = self.shards[key.0 as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner);
        if shard.html.len() + html.len() + (shard.lines.len() + 1) * ENTRY_BYTES > MAX_LINE_CACHE_BYTES / SHARDS {
            return;
        }
        let from = shard.html.len() as u32;
        shard.html.push_str(html);
        let line = CachedLine { html: (from, shard.html.len() as u32), next: known.next, work: known.work };
        shard.lines.insert((key.0, key.1), line);
    }
}
