//! What the attributes of an element mean.

use crate::cut::SliceText as _;

use super::tag::{AttributeName, RefTag};
use super::{AddressCoding, RawAddress, ReferenceKind, Visitor, address, css::scan_css, html};

/// Most pages that stand in the attributes of each other (`srcdoc`).
const MAX_SRCDOC_DEPTH: usize = 4;

/// The class of links that stand in place of outside media.
const STAND_IN: &str = "media-placeholder";

/// Elements of drawings that take something from another file.
const DRAWING: [&str; 22] = [
    "image",
    "use",
    "feimage",
    "lineargradient",
    "radialgradient",
    "pattern",
    "textpath",
    "mpath",
    "filter",
    "tref",
    "cursor",
    "font-face-uri",
    "glyphref",
    "altglyph",
    "color-profile",
    "mask",
    "clippath",
    "marker",
    "hatch",
    "mesh",
    "meshgradient",
    "foreignobject",
];
/// Elements that change an attribute later.
const ANIMATIONS: [&str; 5] = ["animate", "set", "animatetransform", "animatemotion", "animatecolor"];

/// Passes the references of an element to a visitor.
pub(super) fn visit<V: Visitor>(tag: &RefTag<'_, '_>, depth: usize, visitor: &mut V) {
    for (name, value) in tag.attributes {
        match name {
            // nothing is loaded without a function or an escape that may be one
            AttributeName::Style | AttributeName::Paint if memchr::memchr3(b'(', b'\\', b'&', value).is_some() => {
                scan_css(&address::decode_markup(value), AddressCoding::Plain, tag.at, visitor);
            }
            AttributeName::Id if V::DETAILS => visitor.id(RawAddress::new(value, AddressCoding::Markup), tag.at),
            AttributeName::Background => {
                visitor.reference(ReferenceKind::Image, RawAddress::new(value, AddressCoding::Markup), tag.at)
            }
            AttributeName::Ping => attribute_words(value)
                .iter()
                .for_each(|url| visitor.reference(ReferenceKind::Other, plain_address(url), tag.at)),
            _ => {}
        }
    }
    // most elements name nothing else
    if !V::DETAILS && !tag.attributes.iter().any(|(name, _)| name.is_address()) {
        return;
    }
    let mut buffer = [0; 20];
    let Some(name) = local_name(tag, &mut buffer) else { return };
    let mut one = |attribute: AttributeName, kind: ReferenceKind| {
        if let Some(value) = tag.get(attribute) {
            visitor.reference(kind, RawAddress::new(value, AddressCoding::Markup), tag.at);
        }
    };
    match name {
        "a" | "area" => {
            let is_written = |class: &[u8]| {
                memchr::memchr(b'&', class).is_some() || memchr::memmem::find(class, STAND_IN.as_bytes()).is_some()
            };
            let may_stand_in = |class: &&[u8]| class.len() >= STAND_IN.len() && is_written(class);
            let stands_in = tag
                .get(AttributeName::Class)
                .filter(may_stand_in)
                .is_some_and(|class| attribute_words(class).iter().any(|word| word == STAND_IN));
            one(AttributeName::Href, if stands_in { ReferenceKind::Placeholder } else { ReferenceKind::Link });
            if V::DETAILS
                && let Some(id) = tag.get(AttributeName::Called)
            {
                visitor.id(RawAddress::new(id, AddressCoding::Markup), tag.at);
            }
        }
        "form" | "button" => one(AttributeName::Action, ReferenceKind::Link),
        "input" => {
            one(AttributeName::Action, ReferenceKind::Link);
            one(AttributeName::Src, ReferenceKind::Image);
        }
        "script" => {
            one(AttributeName::Src, ReferenceKind::Script);
            one(AttributeName::Href, ReferenceKind::Script);
        }
        "img" => visit_picture(tag, visitor),
        "source" => {
            one(AttributeName::Src, ReferenceKind::Media);
            candidates(tag, visitor);
        }
        "video" => {
            one(AttributeName::Src, ReferenceKind::Media);
            one(AttributeName::Poster, ReferenceKind::Image);
        }
        "audio" | "track" | "bgsound" => one(AttributeName::Src, ReferenceKind::Media),
        "iframe" | "frame" | "embed" | "portal" | "fencedframe" => {
            one(AttributeName::Src, ReferenceKind::Frame);
            if let Some(document) = tag.get(AttributeName::SrcDoc).filter(|_| depth < MAX_SRCDOC_DEPTH) {
                html::read_within(&address::decode_markup(document), tag.at, depth + 1, visitor);
            }
        }
        "object" => one(AttributeName::Data, ReferenceKind::Frame),
        "base" => one(AttributeName::Href, ReferenceKind::Other),
        "html" => one(AttributeName::Manifest, ReferenceKind::Other),
        "link" => visit_link(tag, visitor),
        "meta" => meta(tag, visitor),
        name if ANIMATIONS.contains(&name) => animation(tag, visitor),
        name if DRAWING.contains(&name) => one(AttributeName::Href, ReferenceKind::Image),
        _ => {}
    }
}

fn plain_address(url: &str) -> RawAddress<'_> {
    RawAddress::new(url.as_bytes(), AddressCoding::Plain)
}

fn attribute_words(raw: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(&address::decode_markup(raw)).split_ascii_whitespace().map(str::to_owned).collect()
}

/// The element's name in lower case, in XML without its prefix; `None` for names that mean nothing here.
fn local_name<'b>(tag: &RefTag<'_, '_>, buffer: &'b mut [u8; 20]) -> Option<&'b str> {
    let name = match tag.name.iter().rposition(|byte| *byte == b':') {
        Some(colon) if tag.coding == AddressCoding::Plain => &tag.name[colon + 1..],
        _ => tag.name,
    };
    let lower = buffer.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).ok()
}

fn visit_picture<V: Visitor>(tag: &RefTag<'_, '_>, visitor: &mut V) {
    let src = tag.get(AttributeName::Src).map(|src| RawAddress::new(src, AddressCoding::Markup));
    if let Some(src) = src {
        visitor.reference(ReferenceKind::Image, src, tag.at);
    }
    candidates(tag, visitor);
    let is_decoration = || {
        tag.word(AttributeName::Hidden).as_deref() == Some("true")
            || matches!(tag.word(AttributeName::Role).as_deref(), Some("presentation" | "none"))
    };
    if V::DETAILS && !is_decoration() {
        visitor.image(tag.get(AttributeName::Alt).map(|alt| RawAddress::new(alt, AddressCoding::Markup)), src, tag.at);
    }
}

/// The pictures of `srcset`.
fn candidates<V: Visitor>(tag: &RefTag<'_, '_>, visitor: &mut V) {
    let Some(set) = tag.get(AttributeName::SrcSet) else { return };
    let set = address::decode_markup(set);
    source_set(&String::from_utf8_lossy(&set), |url| {
        visitor.reference(ReferenceKind::Image, plain_address(url), tag.at)
    });
}

/// The addresses of a `srcset`, as HTML says to read it: commas inside addresses and in parentheses part nothing.
pub(super) fn source_set(set: &str, mut found: impl FnMut(&str)) {
    let mut rest = set;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let url = rest.slice(..end);
        if url.is_empty() {
            return;
        }
        found(url.trim_end_matches(','));
        rest = rest.slice(end..);
        if url.ends_with(',') {
            continue;
        }
        let mut depth = 0u32;
        let descriptors = rest.bytes().position(|byte| match byte {
            b'(' => {
                depth += 1;
                false
            }
            b')' => {
                depth = depth.saturating_sub(1);
                false
            }
            byte => byte == b',' && depth == 0,
        });
        rest = rest.slice(descriptors.unwrap_or(rest.len())..);
    }
}

fn visit_link<V: Visitor>(tag: &RefTag<'_, '_>, visitor: &mut V) {
    let rel = tag.word(AttributeName::Rel).unwrap_or_default();
    let mut kind = ReferenceKind::Relation;
    for word in rel.split_ascii_whitespace() {
        kind = match word {
            "stylesheet" => ReferenceKind::Style,
            "icon"
            | "apple-touch-icon"
            | "apple-touch-icon-precomposed"
            | "mask-icon"
            | "apple-touch-startup-image"
            | "fluid-icon" => ReferenceKind::Image,
            "preconnect" | "dns-prefetch" => ReferenceKind::Hint,
            "preload" | "modulepreload" => match tag.word(AttributeName::As).as_deref() {
                Some("style") => ReferenceKind::Style,
                Some("font") => ReferenceKind::Font,
                Some("image") => ReferenceKind::Image,
                Some("video" | "audio" | "track") => ReferenceKind::Media,
                Some("script") => ReferenceKind::Script,
                None if word == "modulepreload" => ReferenceKind::Script,
                _ => ReferenceKind::Other,
            },
            "prefetch"
            | "prerender"
            | "manifest"
            | "pingback"
            | "compression-dictionary"
            | "import"
            | "subresource" => ReferenceKind::Other,
            _ => continue,
        };
        // a style sheet stays one, whatever else it is called
        if kind == ReferenceKind::Style {
            break;
        }
    }
    if let Some(href) = tag.get(AttributeName::Href) {
        visitor.reference(kind, RawAddress::new(href, AddressCoding::Markup), tag.at);
    }
    candidates(tag, visitor);
}

fn meta<V: Visitor>(tag: &RefTag<'_, '_>, visitor: &mut V) {
    let Some(content) = tag.get(AttributeName::Content) else { return };
    match tag.word(AttributeName::HttpEquiv).as_deref() {
        Some("refresh") => {
            let content = address::decode_markup(content);
            if let Some(url) = refresh(&String::from_utf8_lossy(&content)) {
                visitor.reference(ReferenceKind::Redirect, plain_address(url), tag.at);
            }
        }
        Some("content-security-policy") if V::DETAILS => {
            visitor.policy(RawAddress::new(content, AddressCoding::Markup))
        }
        _ => {}
    }
    if V::DETAILS
        && tag.word(AttributeName::Called).as_deref() == Some("robots")
        && String::from_utf8_lossy(content).to_ascii_lowercase().contains("noindex")
    {
        visitor.hidden();
    }
}

/// The address of a `meta refresh`, as HTML says to read it; `None` if it only loads the page again.
pub(super) fn refresh(content: &str) -> Option<&str> {
    let rest = content.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start();
    let after = rest
        .get(..3)
        .filter(|word| word.eq_ignore_ascii_case("url"))
        .and_then(|_| rest.slice(3..).trim_start().strip_prefix('='));
    let rest = after.map_or(rest, str::trim_start);
    let url = match rest.chars().next()? {
        quote @ ('"' | '\'') => rest.slice(1..).split(quote).next().unwrap_or_default(),
        _ => rest,
    };
    Some(url.trim()).filter(|url| !url.is_empty())
}

/// What an animation may write into an address.
fn animation<V: Visitor>(tag: &RefTag<'_, '_>, visitor: &mut V) {
    let target = tag.word(AttributeName::Animates).unwrap_or_default();
    let values = tag.attributes.iter().filter(|(name, _)| *name == AttributeName::Animated);
    for (_, value) in values {
        let value = address::decode_markup(value);
        if target.ends_with("href") || target == "src" {
            for url in String::from_utf8_lossy(&value).split(';') {
                visitor.reference(ReferenceKind::Image, plain_address(url), tag.at);
            }
        } else if memchr::memchr2(b'(', b'\\', &value).is_some() {
            scan_css(&value, AddressCoding::Plain, tag.at, visitor);
        }
    }
    // an animation may name what it moves along or belongs to
    if let Some(href) = tag.get(AttributeName::Href) {
        visitor.reference(ReferenceKind::Image, RawAddress::new(href, AddressCoding::Markup), tag.at);
    }
}
