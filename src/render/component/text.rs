//! Components that write what Markdown has a form for: `Heading`, `Link`, `Latex`, `Mermaid`.

use crate::{Renderer, diagram, math, outline};
use markup::tree::{JsxElement, Node};

pub(super) fn write_text_component(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "Heading" => {
            let level = element.props.number("level").unwrap_or(2.0).clamp(1.0, 6.0) as u8;
            let text = outline::heading_node_text(&element.children);
            let anchors = r.heading_ids;
            r.heading_ids = anchors && !element.props.flag("noAnchor");
            r.heading_with(level, &outline::heading_base(element), &text, true, " data-component=\"Heading\"", |r| {
                r.nodes(&element.children)
            });
            r.heading_ids = anchors;
        }
        "Link" => match element.props.text("href").or_else(|| element.props.text("to")) {
            Some(href) => {
                let link = r.capture(|r| r.link(&href, "", &element.children, element.place));
                r.raw(&link.replacen("<a ", "<a data-component=\"Link\" ", 1));
            }
            None => r.nodes(&element.children),
        },
        "Latex" => math::write_formula(r, element_source(element).trim(), false, element.place),
        _ => diagram::write_diagram(r, element_source(element).trim(), "", element.place),
    }
}

fn element_source(element: &JsxElement) -> String {
    match (&element.raw, element.props.text("chart").or_else(|| element.props.text("children"))) {
        (Some(raw), _) => raw.to_string(),
        (None, Some(text)) => text.into_owned(),
        (None, None) => Node::text_of(&element.children),
    }
}
