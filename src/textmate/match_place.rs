//! Where the pattern of a grammar is tried, and what a match gives: what both matchers are told, and what both answer.

use onig::SearchOptions;

/// Ranges of the groups of a match, the whole match first.
pub(super) type Groups = Vec<Option<(usize, usize)>>;

/// Where a match is tried.
#[derive(Clone, Copy)]
pub(super) struct MatchPlace {
    pub at: usize,
    /// Whether `\G` holds.
    pub anchored: bool,
    /// Whether the block begins here.
    pub first_line: bool,
}

impl MatchPlace {
    /// The same for Oniguruma.
    pub(super) fn options(self) -> SearchOptions {
        let mut bits = 0;
        if !self.anchored {
            bits |= NOT_BEGIN_POSITION;
        }
        if !self.first_line {
            bits |= NOT_BEGIN_STRING;
        }
        SearchOptions::from_bits_retain(bits)
    }
}

/// Oniguruma's `ONIG_OPTION_NOT_BEGIN_STRING` and `ONIG_OPTION_NOT_BEGIN_POSITION`, which the wrapper does not name.
const NOT_BEGIN_STRING: u32 = 1 << 22;
const NOT_BEGIN_POSITION: u32 = 1 << 24;
