//! Attributes of tags and of what other tools write like tags.

use base::cut::{SliceText as _, cut};

/// The value of an attribute: `name="value"`, `name='value'` or `name=value`.
pub(super) fn find_attribute(text: &str, name: &str) -> Option<String> {
    all_attributes(text).find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

/// The same where `\"` in a value is a quote.
pub(super) fn find_escaped_attribute(text: &str, name: &str) -> Option<String> {
    if !text.contains("\\\"") {
        return find_attribute(text, name);
    }
    const QUOTE: &str = "\u{e002}";
    find_attribute(&text.replace("\\\"", QUOTE), name).map(|value| value.replace(QUOTE, "\""))
}

/// The attributes of a text that have a value, in order. What stands between quotes is part of no name.
pub(super) fn all_attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            let end = rest.find(|c: char| c == '=' || c.is_whitespace() || matches!(c, '"' | '\''))?;
            let (name, after) = cut(rest, end);
            let Some(value) = after.trim_start().strip_prefix('=').filter(|_| !name.is_empty()) else {
                // a word without a value, or quotes that belong to nothing
                let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
                rest = match quote {
                    Some(quote) => after.slice(1..).split_once(quote).map_or("", |(_, rest)| rest),
                    None if name.is_empty() => after.strip_prefix('=').unwrap_or(after),
                    None => after,
                };
                continue;
            };
            let value = value.trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
            let (value, after) = match quote {
                Some(quote) => value.slice(1..).split_once(quote).unwrap_or((value.slice(1..), "")),
                None => cut(value, value.find(char::is_whitespace).unwrap_or(value.len())),
            };
            rest = after;
            return Some((name, value));
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn attributes_are_read() {
        let text = "hint title=\"a b=c\" style='x' lineNumbers=true sub-title = \"no\" \"odd\" end=\"open";
        let of = |name: &str| find_attribute(text, name);
        assert_eq!(
            (of("title"), of("style"), of("lineNumbers"), of("sub-title"), of("end")),
            (Some("a b=c".into()), Some("x".into()), Some("true".into()), Some("no".into()), Some("open".into()))
        );
        assert_eq!((of("none"), of("b"), of("hint")), (None, None, None));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "([a-c]|=|\"|'| |é|>){0,30}") {
            let _ = all_attributes(&text).count();
        }
    }
}
