//! HTML: escaping, which is the only way source text reaches it, its elements, its tags, and its character
//! references.

mod character_reference;
mod element;
mod rewrite;
pub mod tag;

pub use character_reference::{
    MAX_REFERENCE_BYTES, decode_character_references, named_reference, numeric_reference, push_decoded, xml_reference,
};
pub use element::{
    is_code_element, is_html_tag, is_phrasing, is_verbatim, is_void, may_be_word, owns_content, parts_words,
};
pub use rewrite::{read_html, rewrite_html};

use crate::cut::SliceText as _;

use super::bytes::find_byte;

/// Appends `text` as HTML text: `&`, `<` and `>` escaped.
#[inline]
pub fn push_html_text(out: &mut String, text: &str) {
    push_escaped(out, text, false);
}

/// Appends `text` as the inside of a double-quoted attribute.
pub fn push_attr(out: &mut String, text: &str) {
    push_escaped(out, text, true);
}

/// `text` as HTML text.
pub fn escape_html_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push_html_text(&mut out, text);
    out
}

/// `text` as the inside of a double-quoted attribute.
pub fn attr(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push_attr(&mut out, text);
    out
}

fn push_escaped(out: &mut String, text: &str, in_attribute: bool) {
    let mut rest = text;
    // all text passes here, and most of it holds nothing to escape
    while let Some(at) = find_byte(rest.as_bytes(), *b"&<>\"") {
        let entity = match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ if in_attribute => "&quot;",
            _ => "\"",
        };
        out.push_str(rest.slice(..at));
        out.push_str(entity);
        rest = rest.slice(at + 1..);
    }
    out.push_str(rest);
}

/// `json` for the inside of a `<script>`: no `<`, `>`, `&`, U+2028 or U+2029 survives.
pub fn script_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 16);
    let mut copied = 0;
    let mut at = 0;
    // both line ends begin with the same byte, as much else does
    while let Some(found) = find_byte(&json.as_bytes()[at..], *b"<>&\xe2") {
        at += found;
        let (escape, length) = match &json.as_bytes()[at..] {
            [b'<', ..] => ("\\u003c", 1),
            [b'>', ..] => ("\\u003e", 1),
            [b'&', ..] => ("\\u0026", 1),
            [0xe2, 0x80, 0xa8, ..] => ("\\u2028", 3),
            [0xe2, 0x80, 0xa9, ..] => ("\\u2029", 3),
            _ => {
                at += 1;
                continue;
            }
        };
        out.push_str(json.slice(copied..at));
        out.push_str(escape);
        at += length;
        copied = at;
    }
    out.push_str(json.slice(copied..));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_escape_quotes_and_text_does_not() {
        assert_eq!(attr("a\"<b>&"), "a&quot;&lt;b&gt;&amp;");
        assert_eq!(escape_html_text("a\"<b>&"), "a\"&lt;b&gt;&amp;");
    }

    #[test]
    fn inline_data_cannot_close_its_script() {
        assert_eq!(script_json("\"</script>\u{2028}\""), "\"\\u003c/script\\u003e\\u2028\"");
        assert_eq!(script_json("“a” & b…\u{2029}"), "“a” \\u0026 b…\\u2029");
    }
}
