//! Pictures: always an alternative text, the size where it is known, loaded late, zoomed by script.

use base::Place;
use markup::tree::{JsxElement, Node};

use super::{Href, LoadSource, Renderer, attributes};

impl Renderer<'_> {
    /// Writes a Markdown picture.
    pub(crate) fn markdown_image(&mut self, src: &str, title: &str, alt: &[Node], place: Place) {
        let alt = Node::text_of(alt);
        let source = self.source(src, place);
        let only = only(src);
        if source.url.is_empty() {
            return self.text(&alt);
        }
        if source.absent {
            // the one for light pages stands for both
            if only != Some("dark") {
                write_placeholder(self, &source, alt.trim(), None);
            }
            return;
        }
        self.raw("<img");
        if let Some(only) = only {
            self.attr("data-only", only);
        }
        self.attr("src", &source.url);
        self.attr("alt", alt.trim());
        if !title.is_empty() {
            self.attr("title", title);
        }
        write_size(self, &source, None, None);
        write_loading(self);
        self.raw(">");
    }
}

/// The mode that a picture is for alone, as its address says: `#only-dark` (Material for MkDocs), `#gh-dark-mode-only`
/// (GitHub).
fn only(src: &str) -> Option<&'static str> {
    match src.rsplit_once('#')?.1 {
        "only-light" | "gh-light-mode-only" => Some("light"),
        "only-dark" | "gh-dark-mode-only" => Some("dark"),
        _ => None,
    }
}

/// Writes `<img>`, `ZoomImage` and the like.
pub(crate) fn write_image_element(r: &mut Renderer<'_>, element: &JsxElement) {
    let props = &element.props;
    let alt = props.text("alt").unwrap_or_default();
    let source = props.text("src").map(|src| r.source(&src, element.place)).unwrap_or_default();
    if source.url.is_empty() {
        return r.text(&alt);
    }
    if source.absent {
        return write_placeholder(r, &source, alt.trim(), Some(element));
    }
    r.raw("<img");
    r.attr("src", &source.url);
    r.attr("alt", alt.trim());
    write_size(r, &source, props.text("width").as_deref(), props.text("height").as_deref());
    if props.flag("noZoom") || props.flag("nozoom") || props.flag("data-no-zoom") {
        r.raw(" data-no-zoom");
    }
    if props.text("loading").as_deref() != Some("eager") {
        write_loading(r);
    }
    let in_percent = props.text("width").filter(|width| is_share(width) && props.value("style").is_none());
    if let Some(width) = in_percent {
        r.attr("style", &format!("width:{}", width.trim()));
    }
    attributes::write_attributes(
        r,
        "img",
        element,
        "",
        &["src", "alt", "width", "height", "loading", "decoding", "data-no-zoom"],
    );
    r.raw(">");
}

/// Where a picture would be that the bundle does not have: its words, and a link to where it is. It takes the room that
/// the author gave the picture, and its classes, so that of a light and a dark one only one shows.
fn write_placeholder(r: &mut Renderer<'_>, source: &LoadSource, alt: &str, element: Option<&JsxElement>) {
    let prop = |name: &str| element.and_then(|element| element.props.text(name));
    let (width, height) = (pixels(prop("width").as_deref()), pixels(prop("height").as_deref()));
    let is_icon = [width, height]
        .into_iter()
        .flatten()
        .chain(element.into_iter().flat_map(class_sizes))
        .any(|size| size < MAX_ICON_PIXELS);
    let is_small = is_icon || (width, height) == (None, None) && is_badge(&source.url);
    let style = match (width, height) {
        (Some(size), None) | (None, Some(size)) if is_icon => format!("width:{size}px;height:{size}px"),
        (Some(width), Some(height)) if is_icon => format!("width:{width}px;height:{height}px"),
        (Some(width), Some(height)) if !is_small => {
            format!("width:min(100%,{}px);aspect-ratio:{}/{}", width.round(), width.round(), height.round())
        }
        (Some(width), None) if !is_small => format!("width:min(100%,{}px)", width.round()),
        _ => String::new(),
    };
    let tag = if r.state.in_link > 0 { "span" } else { "a" };
    r.raw(&format!("<{tag}"));
    if tag == "a" {
        r.href_attr(&Href { url: source.url.clone(), external: true });
    }
    let ours = match (is_icon, is_small) {
        // its words are for screen readers: there is no room for letters
        (true, _) => "image-placeholder image-small image-icon",
        (_, true) => "image-placeholder image-small",
        _ => "image-placeholder",
    };
    match element {
        Some(element) => {
            let without = [
                "src",
                "srcset",
                "sizes",
                "alt",
                "width",
                "height",
                "loading",
                "decoding",
                "data-no-zoom",
                "href",
                "style",
            ];
            attributes::write_attributes(r, "span", element, ours, &without);
        }
        None => r.attr("class", ours),
    }
    if !style.is_empty() {
        r.attr("style", &style);
    }
    r.raw("><span class=\"image-words\">");
    if alt.is_empty() {
        r.raw("<span class=\"image-alt\" data-chrome>");
        r.text(&image_file_name(&source.url));
    } else {
        r.raw("<span class=\"image-alt\">");
        r.text(alt);
    }
    r.raw("</span>");
    if !is_small {
        r.raw("<span class=\"image-host\" data-chrome>");
        r.text(&super::host_name::host_name(&source.url));
        r.raw("</span>");
    }
    r.raw(&format!("</span></{tag}>"));
}

/// Pixels below which a picture is an icon or a badge.
const MAX_ICON_PIXELS: f64 = 64.0;

/// Sizes in pixels that utility classes give an element: `w-6`, `size-[24px]`.
fn class_sizes(element: &JsxElement) -> Vec<f64> {
    let classes = element.props.text("className").or_else(|| element.props.text("class")).unwrap_or_default();
    let size = |class: &str| {
        let size = ["w-", "h-", "size-"].iter().find_map(|start| class.strip_prefix(start))?;
        match size.strip_prefix('[').and_then(|size| size.strip_suffix("px]")) {
            Some(pixels) => pixels.parse().ok(),
            // a step of the scale is a quarter of the text's size
            None => size.parse::<f64>().ok().map(|steps| steps * 4.0),
        }
    };
    classes.split_ascii_whitespace().filter_map(size).filter(|size| *size > 0.0).collect()
}

/// Whether a picture without a size is a badge, of which read-me files have whole rows.
fn is_badge(url: &str) -> bool {
    let url = url.to_ascii_lowercase();
    url.contains("badge") || url.contains("//img.shields.io/")
}

/// The last part of an address, as people read it.
fn image_file_name(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy();
    let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    if name.trim().is_empty() { "image".to_owned() } else { name }
}

/// A length in pixels.
fn pixels(text: Option<&str>) -> Option<f64> {
    let text = text?.trim();
    text.strip_suffix("px")
        .unwrap_or(text)
        .trim()
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite() && *number > 0.0)
}

/// `width` and `height`: the author's, completed by the picture's own proportions, so that nothing moves while it
/// loads.
fn write_size(r: &mut Renderer<'_>, source: &LoadSource, width: Option<&str>, height: Option<&str>) {
    let (own_width, own_height) = (pixels(width), pixels(height));
    let sized = match (own_width, own_height, source.size) {
        (Some(width), Some(height), _) => Some((width, height)),
        (Some(width), None, Some((w, h))) if w > 0 => Some((width, width * f64::from(h) / f64::from(w))),
        (None, Some(height), Some((w, h))) if h > 0 => Some((height * f64::from(w) / f64::from(h), height)),
        (None, None, Some((w, h))) if w > 0 && h > 0 => Some((f64::from(w), f64::from(h))),
        _ => None,
    };
    if let Some((width, height)) = sized {
        r.raw(&format!(" width=\"{}\" height=\"{}\"", width.round().max(1.0), height.round().max(1.0)));
    } else if let Some(width) = own_width {
        r.raw(&format!(" width=\"{}\"", width.round().max(1.0)));
    } else if let Some(height) = own_height {
        r.raw(&format!(" height=\"{}\"", height.round().max(1.0)));
    }
}

/// The first picture of a page is likely in sight: it is not put off.
pub(super) fn write_loading(r: &mut Renderer<'_>) {
    r.state.images += 1;
    if r.state.images > 1 {
        r.raw(" loading=\"lazy\"");
    }
    r.raw(" decoding=\"async\"");
}

/// `50%` and the like: no `width` attribute takes it.
fn is_share(width: &str) -> bool {
    let width = width.trim();
    let number = width.trim_end_matches(['%', 'r', 'e', 'm', 'v', 'w']);
    number.len() < width.len() && number.parse::<f64>().is_ok_and(|number| number > 0.0)
}
