//! Texts cut where a reader has counted bytes, without a panic if it has miscounted. `clippy::string_slice` holds all
//! code to it.

use std::ops::{Bound, RangeBounds};

/// Parts of a text by bytes, as `text[range]` is.
pub trait SliceText {
    /// The part in a range of bytes. Both ends move on to the next boundary of characters, so that parts that adjoin
    /// still make up the whole; beyond the end of the text there is nothing.
    fn slice(&self, range: impl RangeBounds<usize>) -> &str;
}

impl SliceText for str {
    #[inline]
    fn slice(&self, range: impl RangeBounds<usize>) -> &str {
        let start = match range.start_bound() {
            Bound::Included(&at) => at,
            Bound::Excluded(&at) => at.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&at) => at.saturating_add(1),
            Bound::Excluded(&at) => at,
            Bound::Unbounded => self.len(),
        };
        self.get(start..end).unwrap_or_else(|| whole_characters(self, start, end))
    }
}

/// The part between the next boundaries of characters.
#[cold]
fn whole_characters(text: &str, start: usize, end: usize) -> &str {
    let end = text.ceil_char_boundary(end);
    text.get(text.ceil_char_boundary(start).min(end)..end).unwrap_or_default()
}

/// The parts of a text before and after byte `at`. A character that the byte is inside of stays whole, in the first
/// part, so that a loop over the second part always moves on; beyond the end, the second part is empty.
#[inline]
pub fn cut(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(text.ceil_char_boundary(at)).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn characters_stay_whole() {
        assert_eq!(cut("aéb", 1), ("a", "éb"));
        assert_eq!(cut("aéb", 2), ("aé", "b"));
        assert_eq!(cut("aéb", 9), ("aéb", ""));
        assert_eq!(cut("", 0), ("", ""));
    }

    #[test]
    fn parts_are_those_of_an_index() {
        assert_eq!(["aéb".slice(..), "aéb".slice(1..3), "aéb".slice(..=0), "aéb".slice(3..)], ["aéb", "é", "a", "b"]);
        assert_eq!(["aéb".slice(2..), "aéb".slice(..2), "aéb".slice(9..)], ["b", "aé", ""]);
        let (start, end) = (3, 1);
        assert_eq!("aéb".slice(start..end), "");
        assert_eq!("aéb".slice(..usize::MAX), "aéb");
    }

    proptest! {
        #[test]
        fn adjoining_parts_make_up_the_whole(text in "\\PC{0,8}", ends in proptest::array::uniform2(0..40_usize)) {
            let [first, second] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
            let parts = [text.slice(..first), text.slice(first..second), text.slice(second..)];
            prop_assert_eq!(parts.concat(), text);
        }

        #[test]
        fn no_place_panics_and_nothing_is_lost(text in "\\PC{0,8}", at in 0..40_usize) {
            let (before, after) = cut(&text, at);
            prop_assert_eq!([before, after].concat(), text.clone());
            prop_assert!(at == 0 || text.is_empty() || !before.is_empty());
        }
    }
}
