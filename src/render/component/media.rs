//! Films, sounds and frames: local ones stay, outside ones become a link with a title; nothing loads by itself.

use crate::image::write_image_element;
use crate::phrasing::unwrapped_children;
use crate::{Renderer, attributes};
use base::{Diagnostic, LoadKind, limits};
use markup::html::fragment;
use markup::tree::{JsxElement, Node, PropValue};

use crate::host_name::host_name;

/// Writes `<iframe>` and `<embed>` (never as one: it would load).
pub(crate) fn write_frame(r: &mut Renderer<'_>, element: &JsxElement, what: &str) {
    match element.props.text("src") {
        Some(src) => placeholder(r, element, &src, what),
        None => match inner_page(element) {
            Some(words) => write_inner_page(r, element, &words),
            None => r.nodes(&element.children),
        },
    }
}

/// What the page says that stands in the `srcDoc` of a frame, without its styles: they are not meant for this page. Its
/// scripts and drawings go too.
pub fn inner_page(element: &JsxElement) -> Option<Vec<Node>> {
    fn said(nodes: Vec<Node>, depth: usize) -> Vec<Node> {
        let keeps = |node: &Node| match node {
            Node::Element(inner) => {
                depth < limits::NESTING
                    && !matches!(
                        inner.name.as_str(),
                        "style"
                            | "script"
                            | "head"
                            | "title"
                            | "link"
                            | "meta"
                            | "svg"
                            | "canvas"
                            | "template"
                            | "iframe"
                            | "img"
                    )
            }
            _ => true,
        };
        let mut retained: Vec<Node> = nodes.into_iter().filter(keeps).collect();
        for node in &mut retained {
            if let Node::Element(inner) = node {
                inner.props.0.retain(|(name, _)| name == "href");
                inner.children = said(std::mem::take(&mut inner.children), depth + 1);
            }
        }
        retained
    }
    let page = element.props.text("srcDoc").or_else(|| element.props.text("srcdoc"))?;
    Some(said(fragment(&page, "div", element.place), 0))
}

fn write_inner_page(r: &mut Renderer<'_>, element: &JsxElement, words: &[Node]) {
    r.warn_once("srcDoc", element.place, || {
        Diagnostic::new(
            "frame-content",
            "the `srcDoc` of an `<iframe>` is shown as text, without its styles and scripts",
        )
        .hint("write the content on the page, or link to an .html file of the source")
    });
    let says_something = !Node::text_of(words).trim().is_empty();
    match r.state.phrasing {
        _ if !says_something => title_alone(r, element),
        0 => r.flow(words),
        _ => r.text(Node::text_of(words).trim()),
    }
}

/// The box of a frame that leads nowhere.
fn title_alone(r: &mut Renderer<'_>, element: &JsxElement) {
    r.raw("<span class=\"media-placeholder\"><span class=\"media-words\"><span class=\"media-title\"");
    match element.props.text("title") {
        Some(title) => {
            r.raw(">");
            r.text(title.trim());
        }
        None => r.raw(" data-chrome>Embedded page"),
    }
    r.raw("</span></span></span>\n");
}

/// Writes a picture or a video.
pub(super) fn write_media_component(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "OptimizedVideo" => write_local_or_placeholder(r, element),
        _ => write_image_element(r, element),
    }
}

/// Writes `<video>` and `<audio>`.
pub(crate) fn write_local_or_placeholder(r: &mut Renderer<'_>, element: &JsxElement) {
    let tag = if element.name == "audio" { "audio" } else { "video" };
    let children = unwrapped_children(&element.children);
    let sources: Vec<&JsxElement> = children
        .iter()
        .filter_map(|child| match child {
            Node::Element(child) if child.name == "source" || child.name == "track" => Some(&**child),
            _ => None,
        })
        .collect();
    let own = element.props.text("src");
    let first = own.clone().or_else(|| sources.iter().find_map(|source| source.props.text("src")));
    let Some(first) = first else { return r.nodes(&element.children) };
    let load = if tag == "audio" { LoadKind::Sound } else { LoadKind::Film };
    let resolved = r.load(&first, load, element.place);
    if resolved.url.is_empty() {
        return;
    }
    // where the first of several forms is too large for the bundle, a smaller one may do
    let others = if own.is_none() { sources.get(1..).unwrap_or_default() } else { &[] };
    let is_outside = resolved.external
        && others.iter().all(|source| {
            source.name != "source"
                || source.props.text("src").is_none_or(|src| r.load(&src, load, source.place).external)
        });
    if is_outside || r.state.in_link > 0 {
        return placeholder(r, element, &first, if tag == "audio" { "Audio" } else { "Video" });
    }
    r.raw("<");
    r.raw(tag);
    if own.is_some() {
        r.attr("src", &resolved.url);
    }
    let plays = element.props.flag("autoPlay") || element.props.flag("autoplay");
    if plays && tag == "video" {
        r.raw(" autoplay playsinline loop muted");
    }
    // a film that does not play by itself needs its controls
    if !plays || tag == "audio" || element.props.flag("controls") {
        r.raw(" controls");
    }
    if !plays {
        r.raw(" preload=\"metadata\"");
    }
    let ours = ["src", "autoplay", "playsinline", "loop", "muted", "controls", "preload"];
    attributes::write_attributes(
        r,
        tag,
        element,
        "",
        if plays { &ours } else { &["src", "autoplay", "controls", "preload"] },
    );
    r.raw(">");
    for source in sources {
        write_media_source(r, source, load);
    }
    r.raw(&format!("</{tag}>\n"));
}

fn write_media_source(r: &mut Renderer<'_>, element: &JsxElement, load: LoadKind) {
    let Some(src) = element.props.text("src") else { return };
    let source = r.load(&src, load, element.place);
    if source.external || source.url.is_empty() {
        return;
    }
    r.raw("<");
    r.raw(&element.name);
    r.attr("src", &source.url);
    attributes::write_attributes(r, &element.name, element, "", &["src"]);
    r.raw(">");
}

/// A card that says what would be there, and leads to it.
fn placeholder(r: &mut Renderer<'_>, element: &JsxElement, src: &str, what: &str) {
    let target = if r.state.in_link > 0 { crate::Href::default() } else { r.resolve(&link_of(src), element.place) };
    let title = match element.props.value("title") {
        Some(PropValue::String(title)) if !title.trim().is_empty() => base::html::escape_html_text(title.trim()),
        _ => String::new(),
    };
    let tag = if target.url.is_empty() { "span" } else { "a" };
    r.raw("<");
    r.raw(tag);
    r.raw(" class=\"media-placeholder\"");
    if tag == "a" {
        r.href_attr(&target);
    }
    r.raw("><span class=\"media-words\">");
    if title.is_empty() {
        r.raw(&format!("<span class=\"media-title\" data-chrome>{what}</span>"));
    } else {
        r.raw(&format!("<span class=\"media-title\">{title}</span>"));
    }
    r.raw(&format!("<span class=\"media-host\" data-chrome>{}</span></span></{tag}>\n", host_name(src)));
}

/// Where people watch what an embedding address plays.
fn link_of(src: &str) -> String {
    let src = if src.starts_with("//") { format!("https:{src}") } else { src.to_owned() };
    for prefix in ["youtube.com/embed/", "youtube-nocookie.com/embed/"] {
        if let Some((_, rest)) = src.split_once(prefix) {
            let id: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
            if !id.is_empty() && id != "videoseries" {
                return format!("https://www.youtube.com/watch?v={id}");
            }
        }
    }
    if let Some((_, rest)) = src.split_once("player.vimeo.com/video/") {
        return format!("https://vimeo.com/{rest}");
    }
    if let Some((start, rest)) = src.split_once("loom.com/embed/") {
        return format!("{start}loom.com/share/{rest}");
    }
    src
}
