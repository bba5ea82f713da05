//! `Prompt`: a description, and a text for an assistant that is shown on demand and copied as its author wrote it.

use crate::Renderer;
use markup::tree::{JsxElement, Node};

use super::icon;
use super::open_tag::open_component_tag;

pub(super) fn write_prompt(r: &mut Renderer<'_>, element: &JsxElement) {
    let description = r.prop_html(&element.props, "description", true);
    let icon = icon::prop(r, element, "icon", 16.0);
    let source = match &element.raw {
        Some(raw) => raw.trim().to_owned(),
        None => Node::text_of(&element.children).trim().to_owned(),
    };
    open_component_tag(r, "div", "prompt", element);
    r.raw(">\n<div class=\"prompt-head\">");
    if let Some(icon) = icon {
        r.raw(&format!("<span class=\"prompt-icon\" aria-hidden=\"true\">{icon}</span>"));
    }
    if let Some(description) = description {
        r.raw(&format!("<div class=\"prompt-description\">{description}</div>"));
    }
    if r.state.in_link == 0 {
        r.raw("<button type=\"button\" class=\"prompt-copy\" data-chrome hidden>Copy prompt</button>");
    }
    r.raw("</div>\n");
    if !source.is_empty() {
        r.raw("<details class=\"prompt-source\"><summary data-chrome>Show prompt</summary><pre tabindex=\"0\"><code>");
        r.text(&source);
        r.raw("</code></pre></details>\n");
    }
    r.raw("</div>\n");
}
