//! `Accordion` and `Expandable`: `<details>`, which opens without a script.

use crate::Renderer;
use markup::slug;
use markup::tree::{JsxElement, Node, PropValue};

use super::icon;
use super::open_tag::open_component_tag;

pub(super) fn write_accordion(r: &mut Renderer<'_>, element: &JsxElement) {
    let props = &element.props;
    let is_accordion = element.name == "Accordion";
    let title = r.prop_html(props, "title", false);
    let description = r.prop_html(props, "description", false);
    let icon = icon::prop(r, element, "icon", 16.0);
    let id = match props.text("id") {
        Some(id) => Some(r.ids.claim(id.trim().to_owned(), '-', 1)),
        None if is_accordion => titled_id(r, element, ""),
        None => None,
    };
    let class = if is_accordion { "accordion" } else { "expandable" };
    open_component_tag(r, "details", class, element);
    if let Some(id) = id.filter(|id| !id.is_empty()) {
        r.attr("id", &id);
    }
    if props.flag("defaultOpen") {
        r.raw(" open");
    }
    r.raw(">\n<summary>");
    if let Some(icon) = icon {
        r.raw(&icon);
    }
    match (title, is_accordion) {
        (Some(title), _) => r.raw(&format!("<span class=\"{class}-title\">{title}</span>")),
        (None, true) => r.raw("<span class=\"accordion-title\" data-chrome>Details</span>"),
        (None, false) => r.raw("<span class=\"expandable-title\" data-chrome>Child attributes</span>"),
    }
    if let Some(description) = description {
        r.raw(&format!("<span class=\"{class}-description\">{description}</span>"));
    }
    r.raw(&format!("</summary>\n<div class=\"{class}-body\">\n"));
    r.toc_off += 1;
    r.flow(&element.children);
    r.toc_off -= 1;
    r.raw("</div></details>\n");
}

/// The id that the title of an accordion or view gives. Titles that have no letter of the anchor alphabet are counted:
/// the first gets `otherwise` (none if that is empty), the next `-1`, `-2` …, as if their slug were empty.
pub(super) fn titled_id(r: &mut Renderer<'_>, element: &JsxElement, otherwise: &str) -> Option<String> {
    let title = title_text(element);
    let base = slug::accordion_slug(&title);
    if !base.is_empty() {
        return Some(r.ids.claim(base, '-', 1));
    }
    if !title.trim().is_empty() {
        let untitled = r.state.serial.entry(if otherwise.is_empty() { "accordion" } else { "view" }).or_insert(0);
        let number = *untitled;
        *untitled += 1;
        if number > 0 {
            return Some(r.ids.claim(format!("-{number}"), '-', 1));
        }
    }
    (!otherwise.is_empty()).then(|| r.ids.claim(otherwise.to_owned(), '-', 1))
}

/// The title as the anchor rule of accordions and views takes it: as written.
fn title_text(element: &JsxElement) -> String {
    match element.props.value("title") {
        Some(PropValue::Nodes(nodes)) => Node::text_of(nodes),
        Some(value) => value.to_text().unwrap_or_default(),
        None => String::new(),
    }
}
