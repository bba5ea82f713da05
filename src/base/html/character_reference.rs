//! Character references: `&eacute;`, `&#233;`, `&#xe9;`. The names are those of the HTML standard, all of them.

use std::borrow::Cow;

use memchr::memchr;

use crate::cut::SliceText as _;
use crate::printable::{REPLACEMENT, is_unprintable};

/// Most bytes between `&` and `;` of a reference: no name is longer, and no number that is not mostly zeros.
pub const MAX_REFERENCE_BYTES: usize = 40;

/// The text of a name, as between `&` and `;`; `None` if HTML has no such name.
pub fn named_reference(name: &str) -> Option<&'static str> {
    // most references are those that writers of HTML cannot do without
    match name {
        "amp" => return Some("&"),
        "lt" => return Some("<"),
        "gt" => return Some(">"),
        "quot" => return Some("\""),
        "nbsp" => return Some("\u{a0}"),
        _ => {}
    }
    if name.is_empty() || name.len() > MAX_REFERENCE_BYTES {
        return None;
    }
    let text = htmlize::ENTITIES.get(format!("&{name};").as_bytes())?;
    std::str::from_utf8(text).ok()
}

/// The character of a number, as between `&` and `;`: `#65`, `#x41`.
pub fn numeric_reference(name: &str) -> Option<char> {
    let number = name.strip_prefix('#')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
}

/// The five names that XML has without a document type, and numbers, as between `&` and `;`.
pub fn xml_reference(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => return numeric_reference(name),
    })
}

/// Text with its character references decoded. What is none stays as it is written; a number that no text may hold
/// becomes the replacement character.
pub fn decode_character_references(text: &str) -> Cow<'_, str> {
    if memchr(b'&', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    push_decoded(&mut out, text);
    Cow::Owned(out)
}

/// Appends text with its character references decoded.
pub fn push_decoded(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(rest.slice(..at));
        rest = rest.slice(at + 1..);
        let end = rest.bytes().take(MAX_REFERENCE_BYTES + 1).position(|byte| byte == b';');
        match end.filter(|end| push_reference(out, rest.slice(..*end))) {
            Some(end) => rest = rest.slice(end + 1..),
            None => out.push('&'),
        }
    }
    out.push_str(rest);
}

/// Whether what stands between `&` and `;` is a reference; its text is appended then.
fn push_reference(out: &mut String, name: &str) -> bool {
    if let Some(text) = named_reference(name) {
        out.push_str(text);
        return true;
    }
    let character = numeric_reference(name);
    out.extend(character.map(|c| if is_unprintable(c) { REPLACEMENT } else { c }));
    character.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(decode_character_references(text), expect);
    }

    #[test]
    fn references_are_decoded() {
        check("a &amp; b &lt;c&gt; &#65; &#x42; &copy;", "a & b <c> A B ©");
        check("Espa&ntilde;a, &Aring;rhus, &CounterClockwiseContourIntegral;", "España, Århus, ∳");
        check("&NotEqualTilde;", "≂̸");
    }

    #[test]
    fn what_is_no_reference_stays() {
        for text in ["AT&T &nosuch; &", "&;", "&#;", "&#x;", "&ntilde", "a=1&b=2;", "&é;", "&#1114112;"] {
            check(text, text);
        }
        check(&format!("&{};", "a".repeat(MAX_REFERENCE_BYTES)), &format!("&{};", "a".repeat(MAX_REFERENCE_BYTES)));
        check("&&amp;&#1;", "&&\u{fffd}");
    }
}
