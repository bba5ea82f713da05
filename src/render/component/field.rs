//! Fields of APIs: `ParamField`, `Param`, `ResponseField`.

use crate::markup::slug;
use crate::markup::tree::{Element, Value, number_text};
use crate::render::Renderer;
use crate::render::phrasing::is_blank;

use super::start;

/// Where a parameter is sent; the prop's value is the field's name.
const LOCATIONS: [&str; 5] = ["query", "path", "body", "header", "cookie"];

pub(super) fn write(r: &mut Renderer<'_>, element: &Element) {
    let props = &element.props;
    start(r, "div", "field", element);
    if props.flag("hidden") && element.name != "ResponseField" {
        return r.raw(" hidden></div>\n");
    }
    let is_response = element.name == "ResponseField";
    let named = |location: &str| props.text(location).is_some() || matches!(props.value(location), Some(Value::Nodes(_)));
    let location = LOCATIONS.iter().copied().find(|location| !is_response && named(location));
    let name = props.text(location.unwrap_or("name")).unwrap_or_default();
    let id = match props.text("id") {
        Some(id) => id.trim().to_owned(),
        None if name.is_empty() => String::new(),
        None => slug::param_slug(&name),
    };
    if !id.is_empty() {
        let id = r.ids.claim(id, '_', 1);
        r.attr("id", &id);
    }
    r.raw(">\n<div class=\"field-head\">");
    for label in props.list("pre") {
        label_pill(r, &label);
    }
    // a name may be markup: a link to the type that it names
    if let Some(name) = r.prop_plain(props, location.unwrap_or("name")) {
        r.raw("<code class=\"field-name\">");
        r.raw(&name);
        r.raw("</code>");
    }
    if let Some(kind) = r.prop_plain(props, "type") {
        r.raw(&format!(" <span class=\"field-type\">{kind}</span>"));
    }
    if let Some(location) = location {
        r.raw(&format!(" <span class=\"field-location\" data-chrome>{location}</span>"));
    }
    if let Some(default) = default_text(element) {
        r.raw(" <span class=\"field-default\">default: <code>");
        r.text(&default);
        r.raw("</code></span>");
    }
    if props.flag("required") {
        r.raw(" <span class=\"field-required\">required</span>");
    }
    if props.flag("deprecated") {
        r.raw(" <span class=\"field-deprecated\">deprecated</span>");
    }
    for label in props.list("post") {
        r.raw(" ");
        label_pill(r, &label);
    }
    r.raw("</div>\n");
    if !is_blank(&element.children) {
        r.raw("<div class=\"field-body\">\n");
        r.flow(&element.children);
        r.raw("</div>\n");
    }
    r.raw("</div>\n");
}

fn label_pill(r: &mut Renderer<'_>, label: &str) {
    r.raw("<span class=\"field-label\">");
    r.text(label);
    r.raw("</span> ");
}

/// The default as JavaScript would print it; objects and arrays say nothing in a word.
fn default_text(element: &Element) -> Option<String> {
    match element.props.value("default")? {
        Value::String(text) => Some(if text.is_empty() { "\"\"".to_owned() } else { text.clone() }),
        Value::Number(number) => Some(number_text(*number)),
        Value::Bool(on) => Some(on.to_string()),
        _ => None,
    }
}
