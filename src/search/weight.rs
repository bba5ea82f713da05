//! How much a word matters on a page, in four bits: steps of 28 %, from a mere mention to a title of one word.

/// A step, 0 to 15.
pub(super) type Weight = u8;

/// What the lowest step is worth.
const LEAST: f32 = 0.25;
/// From one step to the next. `templates/search/search.js` has the same numbers.
const STEP: f32 = 1.28;

/// Where each step after the lowest begins: half-way from the one before.
const STARTS: [f32; 15] = {
    let mut out = [0.0; 15];
    let mut value = LEAST;
    let mut step = 0;
    while step < 15 {
        out[step] = value * 1.131;
        value *= STEP;
        step += 1;
    }
    out
};

/// The step nearest to a worth.
#[inline]
pub(super) fn nearest_weight(worth: f32) -> Weight {
    // all fifteen comparisons together take less time than one branch that is guessed wrong
    STARTS.iter().map(|start| u8::from(worth > *start)).sum()
}

/// What a step is worth.
pub(super) fn worth(weight: Weight) -> f64 {
    let mut value = 0.25;
    for _ in 0..weight.min(15) {
        value *= 1.28;
    }
    value
}

/// What a name that is the whole question names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    /// A page, in its title or in the sidebar.
    Title {
        /// Its file has the same name.
        is_address: bool,
        /// It describes an operation of an API.
        has_endpoint: bool,
    },
    /// The file of a page that has another title.
    Address {
        /// It describes an operation of an API.
        has_endpoint: bool,
    },
    /// A section.
    Heading,
}

impl NameKind {
    /// What stands in the index instead of how much the word matters.
    pub(super) fn weight(self) -> Weight {
        match self {
            Self::Title { is_address: true, has_endpoint: false } => 15,
            Self::Title { is_address: false, has_endpoint: false } => 11,
            Self::Title { is_address: true, has_endpoint: true } => 10,
            Self::Title { is_address: false, has_endpoint: true } => 9,
            Self::Address { has_endpoint: false } => 8,
            Self::Heading => 6,
            Self::Address { has_endpoint: true } => 5,
        }
    }
}

/// How much more a page counts if the question is a name of this weight.
pub(super) fn name_factor(weight: Weight) -> f64 {
    1.0 + f64::from(weight) * f64::from(weight) / 160.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_near() {
        for worth_in in [0.25_f32, 0.4, 0.9, 1.0, 2.2, 5.0, 9.9] {
            let out = worth(nearest_weight(worth_in));
            assert!((out / f64::from(worth_in) - 1.0).abs() < 0.14, "{worth_in} -> {out}");
        }
        assert_eq!((nearest_weight(0.0), nearest_weight(1000.0)), (0, 15));
    }
}
