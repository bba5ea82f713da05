//! Components that write what Markdown has a form for: `Heading`, `Link`, `Latex`, `Mermaid`.

use crate::base::Place;
use crate::markup::tree::{Element, Node};
use crate::render::{Renderer, outline};

pub(super) fn write(r: &mut Renderer<'_>, element: &Element) {
    match element.name.as_str() {
        "Heading" => {
            let level = element.props.number("level").unwrap_or(2.0).clamp(1.0, 6.0) as u8;
            let text = outline::heading_text(&element.children);
            let anchors = r.heading_ids;
            r.heading_ids = anchors && !element.props.flag("noAnchor");
            r.heading_with(level, &outline::heading_base(element), &text, " data-component=\"Heading\"", |r| r.nodes(&element.children));
            r.heading_ids = anchors;
        }
        "Link" => match element.props.text("href").or_else(|| element.props.text("to")) {
            Some(href) => r.link(&href, "", &element.children, element.place),
            None => r.nodes(&element.children),
        },
        "Latex" => math(r, source(element).trim(), false, element.place),
        _ => diagram(r, source(element).trim(), "", element.place),
    }
}

fn source(element: &Element) -> String {
    match (&element.raw, element.props.text("chart").or_else(|| element.props.text("children"))) {
        (Some(raw), _) => raw.to_string(),
        (None, Some(text)) => text.into_owned(),
        (None, None) => Node::text_of(&element.children),
    }
}

/// The one call of `render::math`.
pub(crate) fn math(r: &mut Renderer<'_>, tex: &str, display: bool, _place: Place) {
    r.raw(if display { "<div class=\"math\" data-component=\"Math\"><code>" } else { "<span class=\"math\" data-component=\"Math\"><code>" });
    r.text(tex);
    r.raw(if display { "</code></div>\n" } else { "</code></span>" });
}

/// The one call of `render::diagram`.
pub(crate) fn diagram(r: &mut Renderer<'_>, code: &str, _meta: &str, _place: Place) {
    r.raw("<div class=\"mermaid\" data-component=\"Mermaid\"><pre tabindex=\"0\"><code>");
    r.text(code);
    r.raw("</code></pre></div>\n");
}
