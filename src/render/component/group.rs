//! Layout without words of its own: `CardGroup`, `Columns`, `Column`, `AccordionGroup`.

use crate::Renderer;
use markup::tree::JsxElement;

use super::open_tag::open_component_tag;

pub(super) fn write_group(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "AccordionGroup" => open_component_tag(r, "div", "accordion-group", element),
        "Column" => open_component_tag(r, "div", "column", element),
        name => {
            open_component_tag(r, "div", if name == "CardGroup" { "card-group columns" } else { "columns" }, element);
            let columns = element.props.number("cols").unwrap_or(2.0).clamp(1.0, 4.0) as u8;
            r.raw(&format!(" data-cols=\"{columns}\""));
        }
    }
    r.raw(">\n");
    match element.name.as_str() {
        "Column" => r.flow(&element.children),
        _ => r.nodes(&element.children),
    }
    r.raw("</div>\n");
}
