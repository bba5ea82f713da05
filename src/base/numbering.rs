//! Names that are to differ: the second of a kind gets a number.

use rustc_hash::FxHashMap;

/// Counts on where it stopped, so that many equal names cost no more than others.
#[derive(Debug, Default)]
pub struct Numbering {
    /// The first number that may be free, by name, separator and the number to begin with.
    next: FxHashMap<(String, char, u32), u32>,
}

impl Numbering {
    /// `base`, or the first of `base<separator><from>`, … that `take` takes. What it has refused once it refuses for
    /// ever.
    pub fn first_free(
        &mut self,
        base: String,
        separator: char,
        from: u32,
        mut take: impl FnMut(&str) -> bool,
    ) -> String {
        if take(&base) {
            return base;
        }
        let key = (base, separator, from);
        let mut number = self.next.get(&key).copied().unwrap_or(from);
        let mut name = format!("{}{separator}{number}", key.0);
        while !take(&name) {
            number += 1;
            name = format!("{}{separator}{number}", key.0);
        }
        self.next.insert(key, number + 1);
        name
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn taken_names_are_tried_once() {
        let mut given = BTreeSet::from(["a-2".to_owned()]);
        let mut numbering = Numbering::default();
        let mut tries = 0;
        let mut claim = |base: &str, from| {
            numbering.first_free(base.to_owned(), '-', from, |name| {
                tries += 1;
                given.insert(name.to_owned())
            })
        };
        assert_eq!(
            [claim("a", 1), claim("a", 1), claim("a", 1), claim("a", 1), claim("b", 2), claim("b", 2)],
            ["a", "a-1", "a-3", "a-4", "b", "b-2"]
        );
        assert_eq!(tries, 11);
    }
}
