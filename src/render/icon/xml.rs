//! A reader of SVG text, token by token: enough XML for drawings, and never more than one pass over the text.
//!
//! `roxmltree` reads the drawings of our fixtures and of ten sites alike, but takes 1.3 to 2 times as long, and makes a
//! tree where both callers write as they read. It also refuses `xlink:href` without a declared name space, which
//! drawings have that were copied from pages, and does not tell `<g/>` from `<g></g>`.

use std::borrow::Cow;

use base::cut::SliceText as _;
use base::html::xml_reference;

/// A piece of markup.
pub(crate) enum XmlToken<'a> {
    Open {
        name: &'a str,
        attributes: &'a str,
        empty: bool,
    },
    Close(&'a str),
    /// A comment, declaration, processing instruction or CDATA section.
    Other,
}

/// The text before the next token, the token and what follows; `Some(None)` at the end, `None` if the text is broken
/// off.
#[expect(clippy::option_option, reason = "three outcomes: a token, the end, an error")]
pub(crate) fn next_token(text: &str) -> Option<Option<(&str, XmlToken<'_>, &str)>> {
    let Some(at) = memchr::memchr(b'<', text.as_bytes()) else { return Some(None) };
    let (before, tag) = (text.slice(..at), text.slice(at + 1..));
    for (start, end) in [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")] {
        if let Some(rest) = tag.strip_prefix(start) {
            let end_at = rest.find(end)?;
            return Some(Some((before, XmlToken::Other, rest.slice(end_at + end.len()..))));
        }
    }
    let end = xml_tag_end(tag)?;
    let (inside, after) = (tag.slice(..end), tag.slice(end + 1..));
    if inside.starts_with('!') {
        // entities of an internal subset are not read
        return if inside.contains('[') { None } else { Some(Some((before, XmlToken::Other, after))) };
    }
    if let Some(name) = inside.strip_prefix('/') {
        return Some(Some((before, XmlToken::Close(name.trim_end()), after)));
    }
    let (inside, empty) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
    let name_end = inside.find(|c: char| c.is_ascii_whitespace()).unwrap_or(inside.len());
    Some(Some((
        before,
        XmlToken::Open { name: inside.slice(..name_end), attributes: inside.slice(name_end..), empty },
        after,
    )))
}

/// Where a tag ends: the first `>` outside quotes.
fn xml_tag_end(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// The attributes of a tag, decoded; of equal names the first.
pub(crate) fn attributes_of(text: &str) -> Option<Vec<(&str, Cow<'_, str>)>> {
    let mut out: Vec<(&str, Cow<'_, str>)> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after.slice(1..).split_once(quote)?;
        let name = name.trim();
        if !out.iter().any(|(known, _)| *known == name) {
            out.push((name, decode_xml(value)?));
        }
        rest = after.trim_start();
    }
    Some(out)
}

/// Text with XML's five entities and numeric ones resolved; `None` if it holds another.
pub(crate) fn decode_xml(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('&') {
        return Some(text.into());
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let (entity, after) = after.split_once(';')?;
        out.push(xml_reference(entity).filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))?);
        rest = after;
    }
    out.push_str(rest);
    Some(out.into())
}
