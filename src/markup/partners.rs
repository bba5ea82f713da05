//! Where the other end of a construct is, remembered while a text is scanned: each is looked for once.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

/// The runs of backticks up to the end of a paragraph in which one of them had no partner: what follows need not look
/// again.
#[derive(Debug, Default)]
pub(super) struct Backticks {
    end: usize,
    /// The last run of each length.
    last: FxHashMap<usize, usize>,
}

impl Backticks {
    pub(super) fn between(bytes: &[u8], from: usize, end: usize) -> Self {
        let mut last = FxHashMap::default();
        let mut at = from;
        while let Some(found) = memchr::memchr(b'`', &bytes[at..end]) {
            let length = run_length(&bytes[at + found..]);
            last.insert(length, at + found);
            at += found + length;
        }
        Self { end, last }
    }

    /// Whether it is known that no run of this length follows the one at `at`.
    pub(super) fn rules_out(&self, length: usize, at: usize) -> bool {
        at < self.end && self.last.get(&length).is_none_or(|last| *last <= at)
    }
}

/// How many backticks a text starts with.
pub(super) fn run_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| **byte == b'`').count()
}

/// Where the next closing tag of an element is whose content is no Markdown, by its name, and from where on that is
/// known.
#[derive(Debug, Default)]
pub(super) struct Closings(RefCell<FxHashMap<&'static str, (usize, usize)>>);

impl Closings {
    /// The next closing tag of an element behind `from`.
    pub(super) fn next(&self, bytes: &[u8], name: &'static str, from: usize) -> Option<usize> {
        let mut closings = self.0.borrow_mut();
        let (known, end) = closings.get(name).copied().unwrap_or_default();
        if known <= from && from <= end && end > 0 {
            return (end < bytes.len()).then_some(end);
        }
        let end = memchr::memmem::find(&bytes[from..], format!("</{name}>").as_bytes())
            .map_or(bytes.len(), |found| from + found);
        closings.insert(name, (from, end));
        (end < bytes.len()).then_some(end)
    }
}
