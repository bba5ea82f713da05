//! Which known word an author may have meant.

use strsim::levenshtein;

/// The known word that differs by case, or by at most two letters in a word long enough to tell; of equally near ones
/// the first.
pub fn nearest_word<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const MAX_BYTES: usize = 120;
    /// A letter has at most four bytes.
    const MAX_DIFFERENCE: usize = 2 * 4;
    let lower = word.to_lowercase();
    if lower.len() > MAX_BYTES {
        return None;
    }
    // comparing costs the product of the lengths: words of another length are out at once
    let known = known.filter(|known| known.len().abs_diff(word.len()) <= MAX_DIFFERENCE);
    let (distance, near) =
        known.map(|known| (levenshtein(&lower, &known.to_lowercase()), known)).min_by_key(|(distance, _)| *distance)?;
    let allowed = match near.len() {
        0..=4 => 1,
        _ => 2,
    };
    (distance <= allowed).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expect: Option<&str>) {
        assert_eq!(nearest_word(word, ["navbar", "favicon", "name", "zh-Hans"].into_iter()), expect);
    }

    #[test]
    fn typing_errors_find_their_word() {
        check("navbr", Some("navbar"));
        check("favcion", Some("favicon"));
        check("Name", Some("name"));
        check("nm", None);
        check("zh-hans", Some("zh-Hans"));
        check(&"n".repeat(5_000), None);
    }
}
