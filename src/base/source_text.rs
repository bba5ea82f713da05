//! Bytes of a source file to its text: the one place where the encoding of a file is looked at. A byte-order mark says
//! what the encoding is and is no part of the text; files without one are UTF-8.

use std::borrow::Cow;

use super::Diagnostic;

/// The mark of a file in UTF-8.
const UTF8_MARK: &[u8] = "\u{feff}".as_bytes();

/// How the bytes of a text were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEncoding {
    /// As UTF-8, without an invalid byte.
    Utf8,
    /// As UTF-16, which a mark announced.
    Utf16,
    /// As UTF-8 with the replacement character for invalid bytes.
    Invalid,
}

impl TextEncoding {
    /// What is to be said of the file at `path`; `None` for UTF-8.
    pub fn problem(self, path: &str) -> Option<Diagnostic> {
        let message = match self {
            Self::Utf8 => return None,
            Self::Utf16 => format!("`{path}` is not UTF-8: it is read as UTF-16, as its byte-order mark says"),
            Self::Invalid => format!("`{path}` is not UTF-8: invalid bytes are shown as \u{fffd}"),
        };
        Some(Diagnostic::new("not-utf8", message).at(path, 0, 0).hint("save the file as UTF-8"))
    }
}

/// A text without its byte-order mark, and how it was read.
pub fn decode_text(bytes: &[u8]) -> (Cow<'_, str>, TextEncoding) {
    if let Some(text) = decode_marked_utf16(bytes) {
        return (Cow::Owned(text), TextEncoding::Utf16);
    }
    let bytes = without_mark(bytes);
    // checked first: the lossy reading of good text costs three times as much
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), TextEncoding::Utf8),
        Err(_) => (String::from_utf8_lossy(bytes), TextEncoding::Invalid),
    }
}

/// The text of bytes that are owned, which are not copied where they are plain UTF-8.
pub fn into_text(bytes: Vec<u8>) -> String {
    let (text, encoding) = decode_text(&bytes);
    if encoding == TextEncoding::Utf8 && text.len() == bytes.len() {
        return String::from_utf8(bytes).unwrap_or_default();
    }
    text.into_owned()
}

/// Bytes of UTF-8 without their mark.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes)
}

/// UTF-16, in which the more significant byte comes first if `is_big_endian`; a mark is left out. Halves of pairs and
/// a last odd byte become replacement characters.
pub fn decode_utf16(bytes: &[u8], is_big_endian: bool) -> String {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units =
        pairs.iter().map(|pair| if is_big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) });
    let mut text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    if !odd.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    match text.strip_prefix('\u{feff}') {
        Some(unmarked) => unmarked.to_owned(),
        None => text,
    }
}

fn decode_marked_utf16(bytes: &[u8]) -> Option<String> {
    match bytes {
        [0xff, 0xfe, ..] => Some(decode_utf16(bytes, false)),
        [0xfe, 0xff, ..] => Some(decode_utf16(bytes, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn utf16(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes_of).collect()
    }

    #[track_caller]
    fn check(bytes: &[u8], text: &str, encoding: TextEncoding) {
        assert_eq!(decode_text(bytes), (Cow::Borrowed(text), encoding));
        assert_eq!(into_text(bytes.to_vec()), text);
    }

    #[test]
    fn marks_say_what_the_bytes_are_and_are_no_text() {
        check("ofen é".as_bytes(), "ofen é", TextEncoding::Utf8);
        check("\u{feff}ofen é".as_bytes(), "ofen é", TextEncoding::Utf8);
        check("a\u{feff}b".as_bytes(), "a\u{feff}b", TextEncoding::Utf8);
        check(b"", "", TextEncoding::Utf8);
        check(b"caf\xe9", "caf\u{fffd}", TextEncoding::Invalid);
        check(&utf16("\u{feff}ofen 😀", u16::to_le_bytes), "ofen 😀", TextEncoding::Utf16);
        check(&utf16("\u{feff}ofen 😀", u16::to_be_bytes), "ofen 😀", TextEncoding::Utf16);
        check(b"\xff\xfea\0b", "a\u{fffd}", TextEncoding::Utf16);
        check(b"\xff\xfe\x3d\xd8", "\u{fffd}", TextEncoding::Utf16);
        check(b"\xff\xfe", "", TextEncoding::Utf16);
    }

    #[test]
    fn only_other_encodings_are_reported() {
        assert_eq!(TextEncoding::Utf8.problem("a.css"), None);
        for encoding in [TextEncoding::Utf16, TextEncoding::Invalid] {
            let problem = encoding.problem("a.css").expect("a diagnostic");
            assert_eq!((problem.code, problem.file.as_str()), ("not-utf8", "a.css"));
        }
    }

    proptest! {
        #[test]
        fn owned_and_borrowed_bytes_are_the_same_text(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(into_text(bytes.clone()), decode_text(&bytes).0);
        }
    }
}
