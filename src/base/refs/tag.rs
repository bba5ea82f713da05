//! The inside of a tag: attributes that matter, as byte ranges of the file.

use super::Coding;

/// Attributes that can hold an address, an id or what decides about them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
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

impl Name {
    /// Whether some element takes an address from it; those that all elements read alike are left out.
    pub(super) fn is_address(self) -> bool {
        use Name::{Action, Animated, Content, Data, Href, Manifest, Poster, Src, SrcDoc, SrcSet};
        matches!(self, Href | Src | SrcSet | Poster | Data | Action | Content | SrcDoc | Manifest | Animated)
    }
}

/// An attribute: its name and its value as it stands in the file.
pub(super) type Attribute<'a> = (Name, &'a [u8]);

/// A start tag with the attributes that matter.
#[derive(Debug)]
pub(super) struct Tag<'a, 'b> {
    /// As written; no prefix in HTML.
    pub(super) name: &'a [u8],
    pub(super) attributes: &'b [Attribute<'a>],
    /// Offset of its `<`.
    pub(super) at: usize,
    /// The element's name is read as XML: with case and prefix.
    pub(super) coding: Coding,
}

impl<'a> Tag<'a, '_> {
    /// The raw value of an attribute.
    pub(super) fn get(&self, name: Name) -> Option<&'a [u8]> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }

    /// The decoded value in lower case.
    pub(super) fn word(&self, name: Name) -> Option<String> {
        let value = super::address::decode_markup(self.get(name)?);
        Some(String::from_utf8_lossy(&value).trim().to_ascii_lowercase())
    }
}

/// The attribute of a name, if it matters.
pub(super) fn attribute_name(raw: &[u8]) -> Option<Name> {
    // most names end here: `class` of a span, `d` of a path, `aria-…`, `data-…`
    if !(2..=16).contains(&raw.len()) {
        return None;
    }
    // the commonest, as most authors write them
    match raw {
        b"class" => return Some(Name::Class),
        b"href" => return Some(Name::Href),
        b"id" => return Some(Name::Id),
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
        b"href" => Name::Href,
        b"src" => Name::Src,
        b"srcset" | b"imagesrcset" => Name::SrcSet,
        b"style" => Name::Style,
        b"id" => Name::Id,
        b"poster" => Name::Poster,
        b"data" => Name::Data,
        b"action" | b"formaction" => Name::Action,
        b"background" => Name::Background,
        b"rel" => Name::Rel,
        b"http-equiv" => Name::HttpEquiv,
        b"content" => Name::Content,
        b"name" => Name::Called,
        b"class" => Name::Class,
        b"ping" => Name::Ping,
        b"srcdoc" => Name::SrcDoc,
        b"alt" => Name::Alt,
        b"as" => Name::As,
        b"manifest" => Name::Manifest,
        b"attributename" => Name::Animates,
        b"to" | b"from" | b"by" | b"values" => Name::Animated,
        b"fill" | b"stroke" | b"filter" | b"mask" | b"clip-path" | b"marker" | b"marker-start" | b"marker-mid"
        | b"marker-end" | b"cursor" => Name::Paint,
        b"role" => Name::Role,
        b"aria-hidden" => Name::Hidden,
        _ => return None,
    })
}
