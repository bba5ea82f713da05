//! Addresses as they stand in a file: bytes, perhaps with character references or CSS escapes in them.

use std::borrow::Cow;

use crate::html::{MAX_REFERENCE_BYTES, named_reference};

/// How an address is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressCoding {
    /// As it is.
    Plain,
    /// With the character references of HTML or XML.
    Markup,
    /// With the escapes of CSS.
    Css,
}

/// An address, not decoded yet: most are never looked at closely.
#[derive(Clone, Copy, Debug)]
pub struct RawAddress<'a> {
    raw: &'a [u8],
    coding: AddressCoding,
}

impl<'a> RawAddress<'a> {
    /// An address as it stands in the file.
    pub fn new(raw: &'a [u8], coding: AddressCoding) -> Self {
        Self { raw, coding }
    }

    /// The decoded bytes.
    pub fn bytes(self) -> Cow<'a, [u8]> {
        match self.coding {
            AddressCoding::Plain => Cow::Borrowed(self.raw),
            AddressCoding::Markup => decode_markup(self.raw),
            AddressCoding::Css => decode_css(self.raw),
        }
    }

    /// The decoded text as it was written.
    pub fn text(self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    /// The address as a browser understands it: without white space around it, line ends or tabs.
    pub fn url(self) -> String {
        let text = self.text();
        let text = text.trim_matches(|c: char| c <= ' ');
        if text.contains(['\n', '\r', '\t']) { text.replace(['\n', '\r', '\t'], "") } else { text.to_owned() }
    }

    /// Whether a browser would leave the bundle for it: another host, or another scheme than `data:` and its like.
    pub fn is_outside(self) -> bool {
        let escaped = match self.coding {
            AddressCoding::Plain => false,
            AddressCoding::Markup => memchr::memchr(b'&', self.raw).is_some(),
            AddressCoding::Css => memchr::memchr(b'\\', self.raw).is_some(),
        };
        if escaped { is_outside(&self.bytes()) } else { is_outside(self.raw) }
    }
}

/// Schemes that cause no request.
const LOCAL: [&str; 6] = ["data", "about", "blob", "javascript", "vbscript", "cid"];

fn is_outside(raw: &[u8]) -> bool {
    // browsers take these out before they read an address
    let bytes =
        raw.iter().copied().skip_while(|byte| *byte <= b' ').filter(|byte| !matches!(byte, b'\n' | b'\r' | b'\t'));
    let mut two = bytes.clone();
    if matches!(two.next(), Some(b'/' | b'\\')) {
        return matches!(two.next(), Some(b'/' | b'\\'));
    }
    scheme(bytes).is_some_and(|scheme| !LOCAL.contains(&scheme.as_str()))
}

/// `scheme:` in lower case.
fn scheme(bytes: impl Iterator<Item = u8> + Clone) -> Option<String> {
    bytes.clone().next().filter(u8::is_ascii_alphabetic)?;
    // most addresses have none, and nothing is made for them
    let (length, end) = bytes
        .clone()
        .enumerate()
        .find(|(_, byte)| !byte.is_ascii_alphanumeric() && !matches!(byte, b'+' | b'-' | b'.'))?;
    (end == b':').then(|| bytes.take(length).map(|byte| byte.to_ascii_lowercase() as char).collect())
}

/// The scheme of a decoded address, in lower case.
pub fn scheme_of(url: &str) -> Option<String> {
    scheme(url.bytes())
}

/// Schemes of addresses that no page, menu, redirect or tag of a bundle may lead to: they are programs or texts of
/// their own, or what lies on the reader's disk.
const REFUSED: [&str; 5] = ["javascript", "vbscript", "data", "file", "blob"];

/// Whether a bundle may not lead to a decoded address, however that is spelled for browsers.
pub fn is_refused_address(url: &str) -> bool {
    let bytes = url.bytes().skip_while(|byte| *byte <= b' ').filter(|byte| !matches!(byte, b'\n' | b'\r' | b'\t'));
    scheme(bytes).is_some_and(|scheme| REFUSED.contains(&scheme.as_str()))
}

/// Replaces the character references.
pub(super) fn decode_markup(raw: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'&', raw) else { return Cow::Borrowed(raw) };
    let mut out = raw[..first].to_vec();
    let mut at = first;
    while let Some(next) = memchr::memchr(b'&', &raw[at..]) {
        out.extend_from_slice(&raw[at..at + next]);
        at += next;
        match decode_character_reference(&raw[at + 1..]) {
            Some((text, length)) => {
                out.extend_from_slice(text.as_bytes());
                at += 1 + length;
            }
            None => {
                out.push(b'&');
                at += 1;
            }
        }
    }
    out.extend_from_slice(&raw[at..]);
    Cow::Owned(out)
}

/// A reference behind its `&`: the text and the length.
fn decode_character_reference(rest: &[u8]) -> Option<(Cow<'static, str>, usize)> {
    if rest.first() == Some(&b'#') {
        let hex = matches!(rest.get(1), Some(b'x' | b'X'));
        let start = if hex { 2 } else { 1 };
        let digits = rest[start..]
            .iter()
            .take_while(|byte| if hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() })
            .count();
        let code = std::str::from_utf8(&rest[start..start + digits.min(10)]).ok()?;
        let code = u32::from_str_radix(code, if hex { 16 } else { 10 }).ok()?;
        let length = start + digits;
        let length = length + usize::from(rest.get(length) == Some(&b';'));
        let c = char::from_u32(code).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER);
        return Some((c.to_string().into(), length));
    }
    let length = rest.iter().take(MAX_REFERENCE_BYTES).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, semicolon) = (std::str::from_utf8(&rest[..length]).ok()?, rest.get(length) == Some(&b';'));
    // these four may do without a semicolon, unless they look like a parameter of the address
    let bare =
        matches!(name, "amp" | "AMP" | "lt" | "LT" | "gt" | "GT" | "quot" | "QUOT") && rest.get(length) != Some(&b'=');
    let text = named_reference(name).filter(|_| semicolon || bare)?;
    Some((text.into(), length + usize::from(semicolon)))
}

/// Replaces `\41 ` and `\x`; a line end behind a backslash vanishes.
pub(super) fn decode_css(raw: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'\\', raw) else { return Cow::Borrowed(raw) };
    let mut out = raw[..first].to_vec();
    let mut at = first;
    while let Some(byte) = raw.get(at) {
        at += 1;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        let digits = raw[at..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if digits > 0 {
            let code =
                std::str::from_utf8(&raw[at..at + digits]).ok().and_then(|digits| u32::from_str_radix(digits, 16).ok());
            let c = code.and_then(char::from_u32).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER);
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            at += digits;
            at += match raw[at..] {
                [b'\r', b'\n', ..] => 2,
                [b' ' | b'\t' | b'\n' | b'\r' | b'\x0c', ..] => 1,
                _ => 0,
            };
        } else {
            match raw[at..] {
                [b'\r', b'\n', ..] => at += 2,
                [b'\n' | b'\r' | b'\x0c', ..] => at += 1,
                [byte, ..] => {
                    out.push(byte);
                    at += 1;
                }
                [] => {}
            }
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, coding: AddressCoding, url: &str, outside: bool) {
        let address = RawAddress::new(raw.as_bytes(), coding);
        assert_eq!((address.url().as_str(), address.is_outside()), (url, outside), "{raw}");
    }

    #[test]
    fn the_outside_cannot_hide() {
        check("https://a.b/c", AddressCoding::Plain, "https://a.b/c", true);
        check("  \n//a.b", AddressCoding::Plain, "//a.b", true);
        check("\\/a.b", AddressCoding::Plain, "\\/a.b", true);
        check("/a", AddressCoding::Plain, "/a", false);
        check("ht\ntps://a", AddressCoding::Plain, "https://a", true);
        check("&#104;ttp&colon;&sol;&#x2F;a", AddressCoding::Markup, "http://a", true);
        check("&#104ttps:a", AddressCoding::Markup, "https:a", true);
        check("\\68 ttp\\3a//a", AddressCoding::Css, "http://a", true);
        check("FILE:///etc/passwd", AddressCoding::Plain, "FILE:///etc/passwd", true);
        check("mailto:a@b.c", AddressCoding::Plain, "mailto:a@b.c", true);
    }

    #[test]
    fn the_inside_stays() {
        check("a/b:c.html", AddressCoding::Plain, "a/b:c.html", false);
        check("./a:b", AddressCoding::Plain, "./a:b", false);
        check("#a:b", AddressCoding::Plain, "#a:b", false);
        check("data:image/png;base64,AA", AddressCoding::Plain, "data:image/png;base64,AA", false);
        check("a.html?x=1&amp;y=2&copy=3", AddressCoding::Markup, "a.html?x=1&y=2&copy=3", false);
        check("a?b&amp=c&ltx", AddressCoding::Markup, "a?b&amp=c&ltx", false);
        check("", AddressCoding::Markup, "", false);
    }
}
