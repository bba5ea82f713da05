//! `Badge`: a word with a colored ground, in a sentence or alone.

use crate::Renderer;
use markup::property::BADGE_COLORS;
use markup::tree::JsxElement;

use super::icon;
use super::open_tag::open_component_tag;

pub(super) fn write_badge(r: &mut Renderer<'_>, element: &JsxElement) {
    let props = &element.props;
    let target = match props.text("href") {
        Some(href) if r.state.in_link == 0 => r.resolve(&href, element.place),
        _ => crate::Href::default(),
    };
    let tag = if target.url.is_empty() { "span" } else { "a" };
    let before = icon::prop(r, element, "icon", 12.0).or_else(|| icon::prop(r, element, "leadIcon", 12.0));
    let after = icon::prop(r, element, "tailIcon", 12.0);
    open_component_tag(r, tag, "badge", element);
    if tag == "a" {
        r.href_attr(&target);
    }
    let color_name = props.text("color").unwrap_or_default();
    let color = BADGE_COLORS.into_iter().find(|color| *color == color_name).unwrap_or(BADGE_COLORS[0]);
    r.raw(" data-badge");
    r.attr("data-color", color);
    if let Some(size @ ("xs" | "sm" | "lg")) = props.text("size").as_deref() {
        r.attr("data-size", size);
    }
    if props.text("shape").as_deref() == Some("pill") {
        r.raw(" data-shape=\"pill\"");
    }
    if props.flag("stroke") || props.text("variant").as_deref() == Some("outline") {
        r.raw(" data-outline");
    }
    if props.flag("disabled") {
        r.raw(" data-disabled");
    }
    r.raw(">");
    if let Some(icon) = before {
        r.raw(&icon);
    }
    r.state.phrasing += 1;
    r.state.in_link += u32::from(tag == "a");
    r.nodes(&element.children);
    r.state.in_link -= u32::from(tag == "a");
    r.state.phrasing -= 1;
    if let Some(icon) = after {
        r.raw(&icon);
    }
    r.raw(&format!("</{tag}>"));
}
