//! Emoji by their names on GitHub: `:rocket:`. Markdown of plain folders is written for hosts that show them.

use std::borrow::Cow;

use crate::cut::SliceText as _;

/// The longest names that are looked up, bytes; the longest that exist have about 40.
const MAX_NAME_BYTES: usize = 64;

/// A text with emoji in place of their names. A name counts where it stands apart from letters, digits and what
/// addresses, times and code are made of.
pub fn replace_emoji_names(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(b':', &text.as_bytes()[at..]) {
        at += found;
        let is_apart = (at > 0 && at == copied) || !text.slice(..at).ends_with(is_joined);
        match leading_emoji(text.slice(at..)).filter(|_| is_apart) {
            Some((sign, length)) if ends(text.slice(at + length..)) => {
                out.push_str(text.slice(copied..at));
                out.push_str(sign);
                at += length;
                copied = at;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return text.into();
    }
    out.push_str(text.slice(copied..));
    out.into()
}

/// What a name must not stand against.
fn is_joined(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, ':' | '_' | '-' | '/' | '\\' | '@' | '#' | '=' | '.' | '<')
}

/// Whether a name may end before this text. The end of a sentence may follow, and so may the next emoji.
fn ends(rest: &str) -> bool {
    match rest.strip_prefix('.') {
        Some(rest) => !rest.starts_with(is_joined),
        None => !rest.starts_with(is_joined) || leading_emoji(rest).is_some(),
    }
}

/// The emoji that a text starts with the name of, and the length of that name with its colons.
fn leading_emoji(text: &str) -> Option<(&'static str, usize)> {
    let inside = text.strip_prefix(':')?;
    let end = inside
        .bytes()
        .take(MAX_NAME_BYTES)
        .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-')))?;
    let emoji = emojis::get_by_shortcode(inside.slice(..end)).filter(|_| inside.slice(end..).starts_with(':'))?;
    Some((emoji.as_str(), end + 2))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(replace_emoji_names(text), expect);
    }

    #[test]
    fn names_of_github_become_emoji() {
        check(":rocket: :+1: :warning:", "🚀 👍 ⚠️");
        check("Done :white_check_mark:.", "Done ✅.");
        check("(:tada::rocket:)", "(🎉🚀)");
        check("注意:warning:です", "注意⚠️です");
    }

    #[test]
    fn other_words_between_colons_stay() {
        for text in [
            "10:30:00",
            "1:100:2",
            "a:b:c",
            "::note::",
            ":no-such-name:",
            ":rocket",
            "rocket:",
            "x/:b:/y",
            "a::b::c",
            ":a:=1",
            ":",
            "::",
            "",
        ] {
            check(text, text);
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "([:.é a]|:a:|rocket){0,30}") {
            let _ = replace_emoji_names(&text);
        }
    }
}
