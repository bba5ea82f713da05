//! Icons of components: the one place that calls `render::icon`.

use crate::markup::tree::{Element, Node, Value};
use crate::render::icon::{self, Look};
use crate::render::{Renderer, svg};
use crate::site::config;

/// The icon of a component's prop (`icon`, `leadIcon` …) as HTML: a name, path or URL with `iconType` and `iconLibrary`, or
/// inline SVG. `size` in pixels.
pub(super) fn prop(r: &mut Renderer<'_>, element: &Element, name: &str, size: f64) -> Option<String> {
    let look = Look { size, color: None, class: "" };
    let html = match element.props.value(name)? {
        Value::Nodes(nodes) => nodes_as_icon(r, nodes, size),
        Value::String(text) => {
            let wanted = described(element, text);
            r.capture(|r| icon::write(r, &wanted, &look, element.place))
        }
        _ => return None,
    };
    (!html.trim().is_empty()).then_some(html)
}

fn described(element: &Element, name: &str) -> config::Icon {
    let props = &element.props;
    let text = |prop: &str| props.text(prop).map(std::borrow::Cow::into_owned);
    config::Icon { name: name.to_owned(), style: text("iconType"), library: text("iconLibrary").or_else(|| text("library")) }
}

/// Static JSX as an icon: drawings and pictures in it, without anything that takes clicks. A drawing without a size has that of the place.
fn nodes_as_icon(r: &mut Renderer<'_>, nodes: &[Node], size: f64) -> String {
    r.capture(|r| {
        r.state.phrasing += 1;
        r.state.in_link += 1;
        match nodes {
            [Node::Element(element)] if element.name == "svg" => {
                let mut drawing = (**element).clone();
                if drawing.props.value("width").is_none() && drawing.props.value("height").is_none() {
                    drawing.props.set("width", Value::Number(size));
                    drawing.props.set("height", Value::Number(size));
                }
                svg::write_with(r, &drawing, "icon");
            }
            nodes => r.nodes(nodes),
        }
        r.state.in_link -= 1;
        r.state.phrasing -= 1;
    })
}

/// Writes `<Icon>`.
pub(super) fn write(r: &mut Renderer<'_>, element: &Element) {
    let props = &element.props;
    let color = props.text("color");
    let class = props.text("className").or_else(|| props.text("class")).unwrap_or_default();
    r.classes.add(&class);
    let look = Look { size: props.number("size").unwrap_or(16.0), color: color.as_deref(), class: &class };
    r.raw("<span class=\"icon-inline\" data-component=\"Icon\">");
    match (props.value("icon"), props.text("src")) {
        (Some(Value::Nodes(nodes)), _) => {
            let html = nodes_as_icon(r, nodes, look.size);
            r.raw(&html);
        }
        (_, Some(src)) => icon::write_picture(r, &src, &look, element.place),
        _ => {
            if let Some(name) = props.text("icon").or_else(|| props.text("name")) {
                let wanted = described(element, &name);
                icon::write(r, &wanted, &look, element.place);
            }
        }
    }
    r.raw("</span>");
}

/// Writes an icon by its name (or path, or URL).
pub(super) fn named(r: &mut Renderer<'_>, name: &str, size: f64, place: crate::base::Place) {
    let wanted = icon::named(name, None);
    icon::write(r, &wanted, &Look { size, color: None, class: "" }, place);
}
