//! Asks both matchers, for tests.

use onig::{MatchParam, Region};

use super::match_place::{Groups, MatchPlace};
use super::matcher::{MatchInput, MatchVerdict, Matcher};
use super::pattern::GrammarPattern;

/// Compares what both matchers say of a pattern at each place of a text. False: there is nothing to compare, because the
/// pattern has no program or that leaves all to Oniguruma.
///
/// # Panics
///
/// If they differ.
pub fn compare_matchers(source: &str, text: &str) -> bool {
    let pattern = GrammarPattern::shared(source);
    let Some(program) = pattern.program() else { return false };
    assert!(pattern.regex().is_some(), "Oniguruma refuses {source:?}");
    let mut matcher = Matcher::default();
    let mut compared = false;
    for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
        for anchored in [false, true] {
            let input = MatchInput { text: text.as_bytes(), anchor: anchored.then_some(at) };
            let verdict = matcher.matches(program, input, at);
            let place = MatchPlace { at, anchored, first_line: true };
            compared |= expect_agreement(&pattern, text, place, &matcher, verdict);
        }
    }
    compared
}

/// Compares what our matcher has just found at a place with what Oniguruma finds there. False: it leaves that to
/// Oniguruma.
///
/// # Panics
///
/// If they differ.
pub(super) fn expect_agreement(
    pattern: &GrammarPattern,
    text: &str,
    place: MatchPlace,
    matcher: &Matcher,
    verdict: MatchVerdict,
) -> bool {
    let MatchPlace { at, anchored, .. } = place;
    let ours = match verdict {
        MatchVerdict::Match(to) => Some(matcher.groups(at, to).collect::<Groups>()),
        MatchVerdict::NoMatch => None,
        MatchVerdict::Unknown => return false,
    };
    let source = &pattern.source;
    let mut region = Region::new();
    let theirs = pattern
        .regex()
        .unwrap_or_else(|| panic!("Oniguruma refuses {source:?}"))
        .match_with_param(text, at, place.options(), Some(&mut region), MatchParam::default())
        .unwrap_or_else(|error| panic!("{source:?} on {text:?}: {error}"))
        .map(|_| (0..region.len()).map(|group| region.pos(group)).collect::<Groups>());
    assert_eq!(ours, theirs, "{source:?} at {at} of {text:?}, anchored: {anchored}");
    true
}
