//! What the attributes of an element mean.

use crate::cut::SliceText as _;

use super::tag::{Name, Tag};
use super::{Address, Coding, Kind, Visitor, address, css::scan_css, html};

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
pub(super) fn visit<V: Visitor>(tag: &Tag<'_, '_>, depth: usize, visitor: &mut V) {
    for (name, value) in tag.attributes {
        match name {
            // nothing is loaded without a function or an escape that may be one
            Name::Style | Name::Paint if memchr::memchr3(b'(', b'\\', b'&', value).is_some() => {
                scan_css(&address::decode_markup(value), Coding::Plain, tag.at, visitor);
            }
            Name::Id if V::DETAILS => visitor.id(Address::new(value, Coding::Markup), tag.at),
            Name::Background => visitor.reference(Kind::Image, Address::new(value, Coding::Markup), tag.at),
            Name::Ping => {
                attribute_words(value).iter().for_each(|url| visitor.reference(Kind::Other, plain_address(url), tag.at))
            }
            _ => {}
        }
    }
    // most elements name nothing else
    if !V::DETAILS && !tag.attributes.iter().any(|(name, _)| name.is_address()) {
        return;
    }
    let mut buffer = [0; 20];
    let Some(name) = local_name(tag, &mut buffer) else { return };
    let mut one = |attribute: Name, kind: Kind| {
        if let Some(value) = tag.get(attribute) {
            visitor.reference(kind, Address::new(value, Coding::Markup), tag.at);
        }
    };
    match name {
        "a" | "area" => {
            let is_written = |class: &[u8]| {
                memchr::memchr(b'&', class).is_some() || memchr::memmem::find(class, STAND_IN.as_bytes()).is_some()
            };
            let may_stand_in = |class: &&[u8]| class.len() >= STAND_IN.len() && is_written(class);
            let stands_in = tag
                .get(Name::Class)
                .filter(may_stand_in)
                .is_some_and(|class| attribute_words(class).iter().any(|word| word == STAND_IN));
            one(Name::Href, if stands_in { Kind::Placeholder } else { Kind::Link });
            if V::DETAILS
                && let Some(id) = tag.get(Name::Called)
            {
                visitor.id(Address::new(id, Coding::Markup), tag.at);
            }
        }
        "form" | "button" => one(Name::Action, Kind::Link),
        "input" => {
            one(Name::Action, Kind::Link);
            one(Name::Src, Kind::Image);
        }
        "script" => {
            one(Name::Src, Kind::Script);
            one(Name::Href, Kind::Script);
        }
        "img" => visit_picture(tag, visitor),
        "source" => {
            one(Name::Src, Kind::Media);
            candidates(tag, visitor);
        }
        "video" => {
            one(Name::Src, Kind::Media);
            one(Name::Poster, Kind::Image);
        }
        "audio" | "track" | "bgsound" => one(Name::Src, Kind::Media),
        "iframe" | "frame" | "embed" | "portal" | "fencedframe" => {
            one(Name::Src, Kind::Frame);
            if let Some(document) = tag.get(Name::SrcDoc).filter(|_| depth < MAX_SRCDOC_DEPTH) {
                html::read_within(&address::decode_markup(document), tag.at, depth + 1, visitor);
            }
        }
        "object" => one(Name::Data, Kind::Frame),
        "base" => one(Name::Href, Kind::Other),
        "html" => one(Name::Manifest, Kind::Other),
        "link" => visit_link(tag, visitor),
        "meta" => meta(tag, visitor),
        name if ANIMATIONS.contains(&name) => animation(tag, visitor),
        name if DRAWING.contains(&name) => one(Name::Href, Kind::Image),
        _ => {}
    }
}

fn plain_address(url: &str) -> Address<'_> {
    Address::new(url.as_bytes(), Coding::Plain)
}

fn attribute_words(raw: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(&address::decode_markup(raw)).split_ascii_whitespace().map(str::to_owned).collect()
}

/// The element's name in lower case, in XML without its prefix; `None` for names that mean nothing here.
fn local_name<'b>(tag: &Tag<'_, '_>, buffer: &'b mut [u8; 20]) -> Option<&'b str> {
    let name = match tag.name.iter().rposition(|byte| *byte == b':') {
        Some(colon) if tag.coding == Coding::Plain => &tag.name[colon + 1..],
        _ => tag.name,
    };
    let lower = buffer.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).ok()
}

fn visit_picture<V: Visitor>(tag: &Tag<'_, '_>, visitor: &mut V) {
    let src = tag.get(Name::Src).map(|src| Address::new(src, Coding::Markup));
    if let Some(src) = src {
        visitor.reference(Kind::Image, src, tag.at);
    }
    candidates(tag, visitor);
    let is_decoration = || {
        tag.word(Name::Hidden).as_deref() == Some("true")
            || matches!(tag.word(Name::Role).as_deref(), Some("presentation" | "none"))
    };
    if V::DETAILS && !is_decoration() {
        visitor.image(tag.get(Name::Alt).map(|alt| Address::new(alt, Coding::Markup)), src, tag.at);
    }
}

/// The pictures of `srcset`.
fn candidates<V: Visitor>(tag: &Tag<'_, '_>, visitor: &mut V) {
    let Some(set) = tag.get(Name::SrcSet) else { return };
    let set = address::decode_markup(set);
    source_set(&String::from_utf8_lossy(&set), |url| visitor.reference(Kind::Image, plain_address(url), tag.at));
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

fn visit_link<V: Visitor>(tag: &Tag<'_, '_>, visitor: &mut V) {
    let rel = tag.word(Name::Rel).unwrap_or_default();
    let mut kind = Kind::Relation;
    for word in rel.split_ascii_whitespace() {
        kind = match word {
            "stylesheet" => Kind::Style,
            "icon"
            | "apple-touch-icon"
            | "apple-touch-icon-precomposed"
            | "mask-icon"
            | "apple-touch-startup-image"
            | "fluid-icon" => Kind::Image,
            "preconnect" | "dns-prefetch" => Kind::Hint,
            "preload" | "modulepreload" => match tag.word(Name::As).as_deref() {
                Some("style") => Kind::Style,
                Some("font") => Kind::Font,
                Some("image") => Kind::Image,
                Some("video" | "audio" | "track") => Kind::Media,
                Some("script") => Kind::Script,
                None if word == "modulepreload" => Kind::Script,
                _ => Kind::Other,
            },
            "prefetch"
            | "prerender"
            | "manifest"
            | "pingback"
            | "compression-dictionary"
            | "import"
            | "subresource" => Kind::Other,
            _ => continue,
        };
        // a style sheet stays one, whatever else it is called
        if kind == Kind::Style {
            break;
        }
    }
    if let Some(href) = tag.get(Name::Href) {
        visitor.reference(kind, Address::new(href, Coding::Markup), tag.at);
    }
    candidates(tag, visitor);
}

fn meta<V: Visitor>(tag: &Tag<'_, '_>, visitor: &mut V) {
    let Some(content) = tag.get(Name::Content) else { return };
    match tag.word(Name::HttpEquiv).as_deref() {
        Some("refresh") => {
            let content = address::decode_markup(content);
            if let Some(url) = refresh(&String::from_utf8_lossy(&content)) {
                visitor.reference(Kind::Redirect, plain_address(url), tag.at);
            }
        }
        Some("content-security-policy") if V::DETAILS => visitor.policy(Address::new(content, Coding::Markup)),
        _ => {}
    }
    if V::DETAILS
        && tag.word(Name::Called).as_deref() == Some("robots")
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
fn animation<V: Visitor>(tag: &Tag<'_, '_>, visitor: &mut V) {
    let target = tag.word(Name::Animates).unwrap_or_default();
    let values = tag.attributes.iter().filter(|(name, _)| *name == Name::Animated);
    for (_, value) in values {
        let value = address::decode_markup(value);
        if target.ends_with("href") || target == "src" {
            for url in String::from_utf8_lossy(&value).split(';') {
                visitor.reference(Kind::Image, plain_address(url), tag.at);
            }
        } else if memchr::memchr2(b'(', b'\\', &value).is_some() {
            scan_css(&value, Coding::Plain, tag.at, visitor);
        }
    }
    // an animation may name what it moves along or belongs to
    if let Some(href) = tag.get(Name::Href) {
        visitor.reference(Kind::Image, Address::new(href, Coding::Markup), tag.at);
    }
}
