//! `Accordion` and `Expandable`: `<details>`, open to everybody without a script.

use crate::markup::slug;
use crate::markup::tree::{Element, Node, Value};
use crate::render::Renderer;

use super::{icon, start};

pub(super) fn write(r: &mut Renderer<'_>, element: &Element) {
    let props = &element.props;
    let is_accordion = element.name == "Accordion";
    let title = r.prop_html(props, "title", false);
    let description = r.prop_html(props, "description", false);
    let icon = icon::prop(r, element, "icon", 16.0);
    let id = match props.text("id") {
        Some(id) => Some(r.ids.claim(id.trim().to_owned(), '-', 1)),
        None if is_accordion => {
            let base = slug::accordion_slug(&title_text(element));
            (!base.is_empty()).then(|| r.ids.claim(base, '-', 1))
        }
        None => None,
    };
    let class = if is_accordion { "accordion" } else { "expandable" };
    start(r, "details", class, element);
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

/// The title as the anchor rule of accordions and views takes it: as written.
pub(super) fn title_text(element: &Element) -> String {
    match element.props.value("title") {
        Some(Value::Nodes(nodes)) => Node::text_of(nodes),
        Some(value) => value.to_text().unwrap_or_default(),
        None => String::new(),
    }
}
