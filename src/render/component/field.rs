//! Fields of APIs: `ParamField`, `Param`, `ResponseField`.

use crate::Renderer;
use crate::phrasing::is_blank;
use base::html::escape_html_text;
use base::url;
use markup::slug;
use markup::tree::{JsxElement, PropValue, Props, number_text};
use templates::words::EN;

use super::open_tag::open_component_tag;

/// Where a parameter is sent; the prop's value is the field's name.
const LOCATIONS: [&str; 5] = ["query", "path", "body", "header", "cookie"];

pub(super) fn write_field(r: &mut Renderer<'_>, element: &JsxElement) {
    let props = &element.props;
    open_component_tag(r, "div", "field", element);
    if props.flag("hidden") && element.name != "ResponseField" {
        return r.raw(" hidden></div>\n");
    }
    let is_response = element.name == "ResponseField";
    let named =
        |location: &str| props.text(location).is_some() || matches!(props.value(location), Some(PropValue::Nodes(_)));
    let location = LOCATIONS.iter().copied().find(|location| !is_response && named(location));
    let name = props.text(location.unwrap_or("name")).unwrap_or_default();
    let id = match props.text("id") {
        Some(id) => id.trim().to_owned(),
        None if name.is_empty() => String::new(),
        None => slug::param_slug(&name),
    };
    let id = if id.is_empty() { id } else { r.ids.claim(id, '_', 1) };
    if !id.is_empty() {
        r.attr("id", &id);
    }
    r.raw(">\n<div class=\"field-head\">");
    for label in labels(r, props, "pre") {
        label_pill(r, &label);
    }
    // a name may be markup: a link to the type that it names
    if let Some(name) = r.prop_plain(props, location.unwrap_or("name")) {
        // a link holds no other
        let is_link = !id.is_empty() && r.state.in_link == 0 && !name.contains("<a");
        if is_link {
            r.raw("<a class=\"field-link\"");
            r.attr("href", &format!("#{}", url::encode_fragment(&id)));
            r.raw(">");
        }
        r.raw("<code class=\"field-name\">");
        r.raw(&name);
        r.raw(if is_link { "</code></a>" } else { "</code>" });
    }
    if let Some(kind) = kind_html(r, props) {
        r.raw(&format!(" <span class=\"field-type\">{kind}</span>"));
    }
    if let Some(location) = location {
        r.raw(&format!(" <span class=\"field-location\" data-chrome>{location}</span>"));
    }
    if let Some(default) = default_html(r, props) {
        let word = match r.words.default {
            word if word == EN.content.default => format!("{word}: "),
            word => format!("<span data-chrome>{word}: </span>"),
        };
        r.raw(&format!(" <span class=\"field-default\">{word}{default}</span>"));
    }
    if props.flag("required") {
        write_field_mark(r, "field-required", EN.content.required, r.words.required);
    }
    if props.flag("deprecated") {
        write_field_mark(r, "field-deprecated", EN.content.deprecated, r.words.deprecated);
    }
    for label in labels(r, props, "post") {
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

/// Writes a mark in the page's language. The word of the source stays beside a translation, without being shown or read
/// out: whatever compares a page with its source looks for that word.
fn write_field_mark(r: &mut Renderer<'_>, class: &str, english: &str, word: &str) {
    r.raw(&format!(" <span class=\"{class}\">"));
    if word == english {
        r.raw(english);
    } else {
        r.raw(&format!("<span hidden>{english}</span><span data-chrome>{word}</span>"));
    }
    r.raw("</span>");
}

/// Words or markup, one or several of them, as HTML.
fn labels(r: &mut Renderer<'_>, props: &Props, name: &str) -> Vec<String> {
    let items = match props.value(name) {
        Some(PropValue::Array(items)) => items.clone(),
        Some(item) => vec![item.clone()],
        None => Vec::new(),
    };
    items.into_iter().filter_map(|item| r.prop_plain(&Props(vec![(name.to_owned(), item)]), name)).collect()
}

fn label_pill(r: &mut Renderer<'_>, label: &str) {
    r.raw("<span class=\"field-label\">");
    r.raw(label);
    r.raw("</span> ");
}

/// A type may be one of several.
fn kind_html(r: &mut Renderer<'_>, props: &Props) -> Option<String> {
    let kinds = labels(r, props, "type");
    (!kinds.is_empty()).then(|| kinds.join(" | "))
}

/// The default as JavaScript would print it, or its markup; objects and arrays say nothing in a word.
fn default_html(r: &mut Renderer<'_>, props: &Props) -> Option<String> {
    let text = match props.value("default")? {
        PropValue::String(text) => {
            if text.is_empty() {
                "\"\"".to_owned()
            } else {
                text.clone()
            }
        }
        PropValue::Number(number) => number_text(*number),
        PropValue::Bool(on) => on.to_string(),
        PropValue::Nodes(_) => return r.prop_html(props, "default", true),
        _ => return None,
    };
    Some(format!("<code>{}</code>", escape_html_text(&text)))
}
