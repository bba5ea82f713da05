//! Anchors as GitHub makes them of headings.

use std::ops::RangeInclusive;

use unicode_normalization::char::is_combining_mark;

/// What GitHub, and what follows it, calls a heading: in lower case, spaces to `-`, without anything else that is no
/// letter, digit, `-` or `_`.
pub fn github_slug(text: &str) -> String {
    let chars = text.trim().chars().filter(|c| is_word_char(*c) || matches!(c, ' ' | '\n' | '-' | '_'));
    chars.flat_map(char::to_lowercase).map(|c| if matches!(c, ' ' | '\n') { '-' } else { c }).collect()
}

/// Whether a character is a letter, a mark or a digit of a decimal system.
fn is_word_char(c: char) -> bool {
    c.is_alphabetic() || is_combining_mark(c) || c.is_numeric() && !OTHER_NUMBERS.iter().any(|range| range.contains(&c))
}

/// Numbers that are no digits (the category No of the basic plane): fractions, numbers in circles, raised ones.
const OTHER_NUMBERS: [RangeInclusive<char>; 30] = [
    '\u{b2}'..='\u{b3}',
    '\u{b9}'..='\u{b9}',
    '\u{bc}'..='\u{be}',
    '\u{9f4}'..='\u{9f9}',
    '\u{b72}'..='\u{b77}',
    '\u{bf0}'..='\u{bf2}',
    '\u{c78}'..='\u{c7e}',
    '\u{d58}'..='\u{d5e}',
    '\u{d70}'..='\u{d78}',
    '\u{f2a}'..='\u{f33}',
    '\u{1369}'..='\u{1371}',
    '\u{17f0}'..='\u{17f9}',
    '\u{19da}'..='\u{19da}',
    '\u{2070}'..='\u{2070}',
    '\u{2074}'..='\u{2079}',
    '\u{2080}'..='\u{2089}',
    '\u{2150}'..='\u{215f}',
    '\u{2189}'..='\u{2189}',
    '\u{2460}'..='\u{249b}',
    '\u{24ea}'..='\u{24ff}',
    '\u{2776}'..='\u{2793}',
    '\u{2cfd}'..='\u{2cfd}',
    '\u{3192}'..='\u{3195}',
    '\u{3220}'..='\u{3229}',
    '\u{3248}'..='\u{324f}',
    '\u{3251}'..='\u{325f}',
    '\u{3280}'..='\u{3289}',
    '\u{32b1}'..='\u{32bf}',
    '\u{a830}'..='\u{a835}',
    '\u{10107}'..='\u{10133}',
];
