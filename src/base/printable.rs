//! Characters that no text shows: control characters, and the noncharacters that Unicode keeps for a program's own use.
//! XML forbids most of them, browsers replace some. Source text is read without them, so the marks that stages put into
//! a text cannot come from an author.

use std::borrow::Cow;

use crate::cut::SliceText as _;

/// What stands in the place of each.
pub const REPLACEMENT: char = '\u{fffd}';

/// Bytes that are looked at together.
const CHUNK: usize = 64;

/// Whether a character is one of them; tabs and line breaks are not.
pub fn is_unprintable(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fdd0}'..='\u{fdef}' => true,
        c => c as u32 & 0xfffe == 0xfffe,
    }
}

/// A text with the replacement character for each of them.
pub fn printable(text: &str) -> Cow<'_, str> {
    let Some(first) = find_unprintable(text) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(text.slice(..first));
    out.extend(text.slice(first..).chars().map(|c| if is_unprintable(c) { REPLACEMENT } else { c }));
    Cow::Owned(out)
}

/// The same for a text that is owned.
pub fn into_printable(text: String) -> String {
    match printable(&text) {
        Cow::Owned(text) => text,
        Cow::Borrowed(_) => text,
    }
}

/// Where the first of them stands.
fn find_unprintable(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    for (number, chunk) in bytes.chunks(CHUNK).enumerate() {
        // most texts hold none of these bytes, and all of a chunk are compared at once
        if !chunk.iter().fold(false, |found, byte| found | may_begin(*byte)) {
            continue;
        }
        let from = number * CHUNK;
        let found = chunk
            .iter()
            .enumerate()
            .find(|(at, byte)| may_begin(**byte) && text.slice(from + at..).chars().next().is_some_and(is_unprintable));
        if let Some((at, _)) = found {
            return Some(from + at);
        }
    }
    None
}

/// Whether one of them may begin with a byte. No such byte stands inside a character.
fn may_begin(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r')
        | (byte == 0x7f)
        | (byte == 0xc2)
        | (byte >= 0xef)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn controls_and_noncharacters_are_replaced() {
        for (text, expect) in [
            ("a\0b\u{1b}[0m\u{8}c", "a\u{fffd}b\u{fffd}[0m\u{fffd}c"),
            ("a\u{7f}b\u{85}c\u{9f}d\u{a0}e·", "a\u{fffd}b\u{fffd}c\u{fffd}d\u{a0}e·"),
            (
                "\u{fdd0}\u{fdef}\u{fdf0}\u{fffe}\u{ffff}\u{1fffe}😀",
                "\u{fffd}\u{fffd}\u{fdf0}\u{fffd}\u{fffd}\u{fffd}😀",
            ),
        ] {
            assert_eq!(printable(text), expect);
        }
        assert!(matches!(printable("a\tb\r\nc é 日本語、 ﷺ 😀"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn the_first_is_found_wherever_it_stands(text in "[a-zé日·、😀\n]{0,90}[\\x00-\\x1f\u{fdd0}\u{fffe}\u{81}]?[a-zé日·、😀]{0,90}") {
            prop_assert_eq!(find_unprintable(&text), text.char_indices().find(|(_, c)| is_unprintable(*c)).map(|(at, _)| at));
        }
    }
}
