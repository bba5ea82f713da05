//! Asks both matchers, for tests.

use onig::{MatchParam, Region, SearchOptions};

use super::matcher::{MatchInput, MatchVerdict, Matcher};
use super::pattern::GrammarPattern;
use super::scanner::Groups;

/// `ONIG_OPTION_NOT_BEGIN_POSITION`.
const NO_ANCHOR: SearchOptions = SearchOptions::from_bits_retain(1 << 24);

/// Compares what both matchers say of a pattern at each place of a text. False: there is nothing to compare, because the
/// pattern has no program or that leaves all to Oniguruma.
///
/// # Panics
///
/// If they differ.
pub fn compare_matchers(source: &str, text: &str) -> bool {
    let pattern = GrammarPattern::shared(source);
    let Some(program) = pattern.program() else { return false };
    let regex = pattern.regex().unwrap_or_else(|| panic!("Oniguruma refuses {source:?}"));
    let mut matcher = Matcher::default();
    let mut region = Region::new();
    let mut compared = false;
    for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
        for anchored in [false, true] {
            let input = MatchInput { text: text.as_bytes(), anchor: anchored.then_some(at) };
            let ours = match matcher.matches(program, input, at) {
                MatchVerdict::Match(to) => Some(matcher.groups(at, to).collect::<Groups>()),
                MatchVerdict::NoMatch => None,
                MatchVerdict::Unknown => continue,
            };
            let options = if anchored { SearchOptions::SEARCH_OPTION_NONE } else { NO_ANCHOR };
            let theirs = regex
                .match_with_param(text, at, options, Some(&mut region), MatchParam::default())
                .unwrap_or_else(|error| panic!("{source:?} on {text:?}: {error}"))
                .map(|_| (0..region.len()).map(|group| region.pos(group)).collect::<Groups>());
            assert_eq!(ours, theirs, "{source:?} at {at} of {text:?}, anchored: {anchored}");
            compared = true;
        }
    }
    compared
}
