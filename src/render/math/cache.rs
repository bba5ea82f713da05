//! Formulas that were read before.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{MathError, to_mathml};

/// Memory of the cache, bytes; when it is full nothing is added.
const MAX_MATH_CACHE_BYTES: usize = 16 << 20;

type MathResult = Arc<Result<String, MathError>>;

/// The formulas of a site: each is read once, by whichever thread comes first. Results do not depend on what is in
/// here, only the time does. Clones share it.
#[derive(Clone, Default)]
pub struct Formulas(Arc<Mutex<MathCache>>);

#[derive(Default)]
struct MathCache {
    /// By whether they are displayed, and their source.
    formulas: [FxHashMap<Box<str>, MathResult>; 2],
    bytes: usize,
    /// Some formula was MathML.
    drawn: bool,
}

impl Formulas {
    /// The MathML of an expression, as [`to_mathml`].
    pub fn mathml(&self, tex: &str, display: bool) -> MathResult {
        let known = |formulas: &Formulas| {
            formulas.0.lock().unwrap_or_else(PoisonError::into_inner).formulas[usize::from(display)].get(tex).cloned()
        };
        if let Some(read) = known(self) {
            return read;
        }
        let read = Arc::new(to_mathml(tex, display));
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.drawn |= read.is_ok();
        let bytes = tex.len() + read.as_ref().as_ref().map_or(0, String::len) + 64;
        if known.bytes + bytes <= MAX_MATH_CACHE_BYTES {
            known.bytes += bytes;
            known.formulas[usize::from(display)].insert(tex.into(), Arc::clone(&read));
        }
        read
    }

    /// Whether a page has a formula so far.
    pub fn any(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).drawn
    }
}

impl std::fmt::Debug for Formulas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Formulas").finish_non_exhaustive()
    }
}
