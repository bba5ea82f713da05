//! `Color`: swatches whose values can be copied.

use crate::Renderer;
use crate::attributes::safe_color;
use base::html;
use markup::tree::{JsxElement, PropValue};

use super::open_tag::open_component_tag;

pub(super) fn write_color(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "Color.Item" => write_color_item(r, element),
        "Color.Row" => {
            let title = r.prop_html(&element.props, "title", false);
            open_component_tag(r, "div", "color-row", element);
            r.raw(">\n");
            if let Some(title) = title {
                r.raw(&format!("<p class=\"color-row-title\">{title}</p>\n"));
            }
            r.raw("<div class=\"color-items\">\n");
            r.nodes(&element.children);
            r.raw("</div></div>\n");
        }
        _ => {
            let table = element.props.text("variant").as_deref() == Some("table");
            open_component_tag(r, "div", "color", element);
            r.raw(if table {
                " data-variant=\"table\">\n"
            } else {
                " data-variant=\"compact\">\n<div class=\"color-items\">\n"
            });
            r.nodes(&element.children);
            r.raw(if table { "</div>\n" } else { "</div></div>\n" });
        }
    }
}

fn write_color_item(r: &mut Renderer<'_>, element: &JsxElement) {
    let name = element.props.text("name").unwrap_or_default();
    let values: Vec<(&str, String)> = match element.props.value("value") {
        Some(PropValue::Object(fields)) => {
            fields.iter().filter_map(|(scheme, value)| Some((scheme.as_str(), value.to_text()?))).collect()
        }
        Some(value) => value.to_text().map(|value| ("", value)).into_iter().collect(),
        None => Vec::new(),
    };
    // in a sentence only phrasing content is valid
    open_component_tag(r, "span", "color-item", element);
    r.raw(">");
    let by_scheme = |target: &str| values.iter().find(|(scheme, _)| *scheme == target).or(values.first());
    let light = by_scheme("light").and_then(|(_, value)| safe_color(value));
    let dark = by_scheme("dark").and_then(|(_, value)| safe_color(value));
    r.raw("<span class=\"color-swatch\" aria-hidden=\"true\"");
    if let (Some(light), Some(dark)) = (light, dark) {
        r.raw(&format!(" style=\"--light:{};--dark:{}\"", html::attr(light), html::attr(dark)));
    }
    r.raw("></span><span class=\"color-words\">");
    if !name.is_empty() {
        r.raw("<span class=\"color-name\">");
        r.text(&name);
        r.raw("</span> ");
    }
    for (at, (scheme, value)) in values.iter().enumerate() {
        if at > 0 {
            r.raw(" ");
        }
        r.raw("<code class=\"color-value\"");
        if !scheme.is_empty() {
            r.attr("data-scheme", scheme);
        }
        r.raw(">");
        r.text(value);
        r.raw("</code>");
    }
    r.raw("</span></span>\n");
}
