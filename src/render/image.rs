//! Pictures: always an alternative text, the size where it is known, loaded late, zoomed by script.

use crate::base::Place;
use crate::markup::tree::{Element, Node};

use super::{Renderer, Source, attributes};

impl Renderer<'_> {
    /// Writes a Markdown picture.
    pub(crate) fn markdown_image(&mut self, src: &str, title: &str, alt: &[Node], place: Place) {
        let alt = Node::text_of(alt);
        let source = self.source(src, place);
        if source.url.is_empty() {
            return self.text(&alt);
        }
        self.raw("<img");
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

/// Writes `<img>`, `ZoomImage` and the like.
pub(crate) fn write_element(r: &mut Renderer<'_>, element: &Element) {
    let props = &element.props;
    let alt = props.text("alt").unwrap_or_default();
    let source = props.text("src").map(|src| r.source(&src, element.place)).unwrap_or_default();
    if source.url.is_empty() {
        return r.text(&alt);
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
    attributes::write(r, "img", element, "", &["src", "alt", "width", "height", "loading", "decoding", "data-no-zoom"]);
    r.raw(">");
}

/// `width` and `height`: the author's, completed by the picture's own proportions, so that nothing moves while it loads.
fn write_size(r: &mut Renderer<'_>, source: &Source, width: Option<&str>, height: Option<&str>) {
    let pixels = |text: Option<&str>| {
        let text = text?.trim();
        text.strip_suffix("px").unwrap_or(text).trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0)
    };
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
fn write_loading(r: &mut Renderer<'_>) {
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
