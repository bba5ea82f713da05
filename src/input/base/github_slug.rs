//! Anchors as GitHub makes them of headings.

use unicode_normalization::char::is_combining_mark;

/// What GitHub, and what follows it, calls a heading: in lower case, spaces to `-`, without anything else that is no
/// letter, digit, `-` or `_`.
pub fn github_slug(text: &str) -> String {
    let chars = text
        .trim()
        .chars()
        .filter(|c| c.is_alphanumeric() || is_combining_mark(*c) || matches!(c, ' ' | '\n' | '-' | '_'));
    chars.flat_map(char::to_lowercase).map(|c| if matches!(c, ' ' | '\n') { '-' } else { c }).collect()
}
