//! What HTML embeds in a text: pictures in several forms, maps of links, gauges, files.

use markup::tree::{JsxElement, Node, PropValue};

use super::component::media;
use super::phrasing::{is_blank, unwrapped_children};
use super::{Href, Renderer, attributes, image::write_image_element};

/// Writes `<picture>`: its `<img>` with the other forms that a browser may take.
pub(super) fn write_picture(r: &mut Renderer<'_>, element: &JsxElement) {
    let children = unwrapped_children(&element.children);
    let is_source = |node: &Node| matches!(node, Node::Element(source) if source.name == "source");
    let mut sources = String::new();
    for child in &children {
        if let Node::Element(source) = child
            && is_source(child)
        {
            sources += &r.capture(|r| write_picture_source(r, source));
        }
    }
    let others: Vec<&Node> = children.into_iter().filter(|child| !is_source(child)).collect();
    let picture = r.capture(|r| others.iter().for_each(|child| r.nodes(std::slice::from_ref(*child))));
    // a stand-in for a picture that the bundle does not have has one form
    if sources.is_empty() || !picture.starts_with("<img") {
        return r.raw(&picture);
    }
    attributes::open_element(r, "picture", element, "");
    r.raw(&sources);
    r.raw(&picture);
    r.raw("</picture>");
}

/// Another form of a picture, if the bundle has it.
fn write_picture_source(r: &mut Renderer<'_>, element: &JsxElement) {
    let mut element = element.clone();
    let has_set = element.props.0.iter().any(|(name, _)| name.eq_ignore_ascii_case("srcset"));
    for (name, _) in &mut element.props.0 {
        // as a source of a film has it
        if name == "src" && !has_set {
            "srcset".clone_into(name);
        }
    }
    let tag = r.capture(|r| attributes::write_attributes(r, "source", &element, "", &["src"]));
    if tag.contains(" srcset=\"") {
        let only = element.props.text("media").and_then(|media| scheme_of(&media));
        let only = only.map_or(String::new(), |scheme| format!(" data-only=\"{scheme}\""));
        r.raw(&format!("<source{only}{tag}>"));
    }
}

/// The scheme that a form of a picture is for alone. It follows the switch of the page by its script (`theme.js`).
fn scheme_of(media: &str) -> Option<&'static str> {
    let words: String = media.chars().filter(|c| !c.is_whitespace()).collect();
    ["dark", "light"].into_iter().find(|scheme| words.eq_ignore_ascii_case(&format!("(prefers-color-scheme:{scheme})")))
}

/// Writes `<map>`, whose areas are links on a picture.
pub(super) fn write_map(r: &mut Renderer<'_>, element: &JsxElement) {
    attributes::open_element(r, "map", element, "");
    r.nodes(&element.children);
    r.raw("</map>");
}

/// Writes `<area>`.
pub(super) fn write_area(r: &mut Renderer<'_>, element: &JsxElement) {
    let href = element.props.text("href");
    let target = href.as_ref().map_or_else(Href::default, |href| r.resolve(href, element.place));
    r.raw("<area");
    if !target.url.is_empty() {
        r.href_attr_of(&target, Some(element));
        if element.props.text("alt").is_none() {
            let name = element.props.text("title").or(href).unwrap_or_default();
            r.attr("alt", &name);
        }
    }
    attributes::write_attributes(r, "area", element, "", &["href", "download"]);
    r.raw(">");
}

/// Writes `<progress>` and `<meter>`, with a name.
pub(super) fn write_gauge(r: &mut Renderer<'_>, element: &JsxElement) {
    let text = Node::text_of(&element.children);
    r.raw("<");
    r.raw(&element.name);
    if !["aria-label", "aria-labelledby", "title"].iter().any(|name| element.props.text(name).is_some()) {
        let value = element.props.text("value").unwrap_or_default();
        r.attr("aria-label", Some(text.trim()).filter(|text| !text.is_empty()).unwrap_or(&value));
    }
    attributes::write_attributes(r, &element.name, element, "", &[]);
    r.raw(">");
    r.text(&text);
    r.raw(&format!("</{}>", element.name));
}

/// Writes `<object>`: a picture, or what stands in for its file.
pub(super) fn write_object(r: &mut Renderer<'_>, element: &JsxElement) {
    let Some(data) = element.props.text("data").map(std::borrow::Cow::into_owned) else {
        return r.nodes(&element.children);
    };
    let kind = element.props.text("type").unwrap_or_default();
    let path = data.split(['?', '#']).next().unwrap_or_default();
    let is_picture = kind.starts_with("image/")
        || path.rsplit_once('.').is_some_and(|(_, extension)| {
            ["avif", "gif", "jpeg", "jpg", "png", "svg", "webp"]
                .iter()
                .any(|known| extension.eq_ignore_ascii_case(known))
        });
    if !is_picture && !is_blank(&element.children) {
        return r.nodes(&element.children);
    }
    let words = Node::text_of(&element.children).split_whitespace().collect::<Vec<_>>().join(" ");
    let mut embedded = JsxElement { children: Vec::new(), ..element.clone() };
    embedded.props.0.retain(|(name, _)| name != "data" && name != "type");
    embedded.props.set("src", PropValue::String(data));
    match is_picture {
        true => {
            if embedded.props.text("alt").is_none() {
                embedded.props.set("alt", PropValue::String(words));
            }
            write_image_element(r, &embedded);
        }
        false => media::write_frame(r, &embedded, "Embedded file"),
    }
}
