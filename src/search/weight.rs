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
