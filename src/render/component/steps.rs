//! `Steps`: numbered parts on one line; titles are headings if the author gives them a size.

use crate::phrasing::unwrapped_children;
use crate::{Renderer, inline, outline};
use markup::tree::{JsxElement, Node};

use super::icon;
use super::open_tag::open_component_tag;

/// Writes steps, or a step outside of them.
pub(super) fn write_steps_component(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "Steps" => write_steps(r, element),
        _ => write_lone(r, element),
    }
}

fn write_steps(r: &mut Renderer<'_>, element: &JsxElement) {
    let size = element.props.text("titleSize").unwrap_or_default().into_owned();
    let outer_size = std::mem::replace(&mut r.state.family.step_size, size);
    let outer_number = std::mem::replace(&mut r.state.family.step_number, 0);
    let children = unwrapped_children(&element.children);
    let all_steps = children.iter().all(|child| matches!(child, Node::Element(step) if step.name == "Step"));
    open_component_tag(r, "div", "steps", element);
    r.raw(if all_steps { " role=\"list\">\n" } else { ">\n" });
    for child in children {
        match child {
            Node::Element(step) if step.name == "Step" => write_step(r, step, all_steps),
            other => r.flow(std::slice::from_ref(other)),
        }
    }
    r.raw("</div>\n");
    r.state.family.step_size = outer_size;
    r.state.family.step_number = outer_number;
}

/// Writes a `Step` that stands outside `Steps` (or deeper in it).
fn write_lone(r: &mut Renderer<'_>, element: &JsxElement) {
    write_step(r, element, false);
}

fn write_step(r: &mut Renderer<'_>, element: &JsxElement, listed: bool) {
    let props = &element.props;
    r.state.family.step_number += 1;
    let number =
        props.number("stepNumber").map_or(r.state.family.step_number, |number| number.clamp(0.0, 9999.0) as u32);
    r.state.family.step_number = number;
    let size = props.text("titleSize").unwrap_or_else(|| r.state.family.step_size.clone().into()).into_owned();
    let icon = icon::prop(r, element, "icon", 14.0);
    let title = r.prop_html(props, "title", false);
    let sized = outline::is_sized(&size);
    open_component_tag(r, "div", "step", element);
    if listed {
        r.raw(" role=\"listitem\"");
    }
    if props.number("stepNumber").is_some() {
        r.attr("data-number", &number.to_string());
    }
    // a sized step's id is its heading's
    if let Some(id) = props.text("id").filter(|_| !sized || title.is_none()) {
        let id = r.ids.claim(id.trim().to_owned(), '-', 2);
        r.attr("id", &id);
    }
    r.raw(">\n<div class=\"step-number\" aria-hidden=\"true\" data-chrome>");
    match icon {
        Some(icon) => r.raw(&icon),
        None => r.raw(&number.to_string()),
    }
    r.raw("</div>\n<div class=\"step-body\">\n");
    match title {
        Some(title) if sized => {
            let text = inline::prop_text(props, "title");
            let base = outline::step_base(element);
            let level = size.as_bytes()[1] - b'0';
            r.heading_with(level, &base, &text, true, " class=\"step-title\"", |r| r.raw(&title));
        }
        Some(title) => r.raw(&format!("<p class=\"step-title\">{title}</p>\n")),
        None => {}
    }
    r.flow(&element.children);
    r.raw("</div></div>\n");
}
