//! Texts cut in two where a reader has counted bytes, without a panic if it has miscounted.

/// The parts of a text before and after byte `at`. A character that the byte is inside of stays whole, in the first
/// part, so that a loop over the second part always moves on; beyond the end, the second part is empty.
#[inline]
pub fn cut(text: &str, at: usize) -> (&str, &str) {
    text.split_at(text.ceil_char_boundary(at))
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

    proptest! {
        #[test]
        fn no_place_panics_and_nothing_is_lost(text in "\\PC{0,8}", at in 0..40_usize) {
            let (before, after) = cut(&text, at);
            prop_assert_eq!([before, after].concat(), text.clone());
            prop_assert!(at == 0 || text.is_empty() || !before.is_empty());
        }
    }
}
