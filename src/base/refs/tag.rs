//! The inside of a tag: attributes that matter, as byte ranges of the file.

use super::AddressCoding;

/// Attributes that can hold an address, an id or what decides about them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AttributeName {
    Href,
    Src,
    SrcSet,
    Style,
    Id,
    Poster,
    Data,
    Action,
    Background,
    Rel,
    HttpEquiv,
    Content,
    /// `name`.
    Called,
    Class,
    Ping,
    SrcDoc,
    Alt,
    As,
    Manifest,
    /// `attributeName` of an animation.
    Animates,
    /// `to`, `from`, `by`, `values` of an animation.
    Animated,
    /// `fill`, `filter`, `mask` …: may hold `url(…)`.
    Paint,
    Role,
    Hidden,
}

impl AttributeName {
    /// Whether some element takes an address from it; those that all elements read alike are left out.
    pub(super) fn is_address(self) -> bool {
        use AttributeName::{Action, Animated, Content, Data, Href, Manifest, Poster, Src, SrcDoc, SrcSet};
        matches!(self, Href | Src | SrcSet | Poster | Data | Action | Content | SrcDoc | Manifest | Animated)
    }
}

/// An attribute: its name and its value as it stands in the file.
pub(super) type RefAttribute<'a> = (AttributeName, &'a [u8]);

/// A start tag with the attributes that matter.
#[derive(Debug)]
pub(super) struct RefTag<'a, 'b> {
    /// As written; no prefix in HTML.
    pub(super) name: &'a [u8],
    pub(super) attributes: &'b [RefAttribute<'a>],
    /// Offset of its `<`.
    pub(super) at: usize,
    /// The element's name is read as XML: with case and prefix.
    pub(super) coding: AddressCoding,
}

impl<'a> RefTag<'a, '_> {
    /// The raw value of an attribute.
    pub(super) fn get(&self, name: AttributeName) -> Option<&'a [u8]> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }

    /// The decoded value in lower case.
    pub(super) fn word(&self, name: AttributeName) -> Option<String> {
        let value = super::address::decode_markup(self.get(name)?);
        Some(String::from_utf8_lossy(&value).trim().to_ascii_lowercase())
    }
}

/// The attribute of a name, if it matters.
pub(super) fn attribute_name(raw: &[u8]) -> Option<AttributeName> {
    // most names end here: `class` of a span, `d` of a path, `aria-…`, `data-…`
    if !(2..=16).contains(&raw.len()) {
        return None;
    }
    // the commonest, as most authors write them
    match raw {
        b"class" => return Some(AttributeName::Class),
        b"href" => return Some(AttributeName::Href),
        b"id" => return Some(AttributeName::Id),
        _ if raw.starts_with(b"data-") && memchr::memchr(b':', raw).is_none() => return None,
        _ => {}
    }
    let mut buffer = [0; 16];
    let lower = &mut buffer[..raw.len()];
    lower.copy_from_slice(raw);
    lower.make_ascii_lowercase();
    let local = match lower.iter().rposition(|byte| *byte == b':') {
        Some(colon) => &lower[colon + 1..],
        None => lower,
    };
    Some(match local {
        b"href" => AttributeName::Href,
        b"src" => AttributeName::Src,
        b"srcset" | b"imagesrcset" => AttributeName::SrcSet,
        b"style" => AttributeName::Style,
        b"id" => AttributeName::Id,
        b"poster" => AttributeName::Poster,
        b"data" => AttributeName::Data,
        b"action" | b"formaction" => AttributeName::Action,
        b"background" => AttributeName::Background,
        b"rel" => AttributeName::Rel,
        b"http-equiv" => AttributeName::HttpEquiv,
        b"content" => AttributeName::Content,
        b"name" => AttributeName::Called,
        b"class" => AttributeName::Class,
        b"ping" => AttributeName::Ping,
        b"srcdoc" => AttributeName::SrcDoc,
        b"alt" => AttributeName::Alt,
        b"as" => AttributeName::As,
        b"manifest" => AttributeName::Manifest,
        b"attributename" => AttributeName::Animates,
        b"to" | b"from" | b"by" | b"values" => AttributeName::Animated,
        b"fill" | b"stroke" | b"filter" | b"mask" | b"clip-path" | b"marker" | b"marker-start" | b"marker-mid"
        | b"marker-end" | b"cursor" => AttributeName::Paint,
        b"role" => AttributeName::Role,
        b"aria-hidden" => AttributeName::Hidden,
        _ => return None,
    })
}
