//! Callouts: `Note`, `Warning`, `Info`, `Tip`, `Check`, `Danger`, and `Callout` with an icon and color of its own. The
//! preset icons are drawn by the style sheet.

use crate::Renderer;
use crate::attributes::safe_color;
use markup::tree::JsxElement;

use super::icon;
use super::open_tag::open_component_tag;

pub(super) fn write_callout(r: &mut Renderer<'_>, element: &JsxElement) {
    let props = &element.props;
    let kind = match element.name.as_str() {
        "Callout" | "Banner" => {
            callout_kind(props.text("variant").or_else(|| props.text("type")).as_deref().unwrap_or_default())
        }
        name => callout_kind(name),
    };
    let icon = icon::prop(r, element, "icon", 18.0);
    let title = r.prop_html(props, "title", true);
    open_component_tag(r, "div", "callout", element);
    r.attr("data-kind", kind);
    if let Some(color) = props.text("color").as_deref().and_then(safe_color) {
        r.attr("style", &format!("--callout:{color}"));
    }
    r.raw(" role=\"note\"");
    if let Some(label) = callout_label(kind) {
        r.attr("aria-label", label);
    }
    r.raw(">");
    if let Some(icon) = icon {
        r.raw("<div class=\"callout-icon\" aria-hidden=\"true\">");
        r.raw(&icon);
        r.raw("</div>");
    }
    r.raw("<div class=\"callout-body\">\n");
    if let Some(title) = title {
        r.raw(&format!("<p class=\"callout-title\">{title}</p>\n"));
    }
    r.flow(&element.children);
    r.raw("</div></div>\n");
}

fn callout_kind(name: &str) -> &'static str {
    match name.to_ascii_lowercase().as_str() {
        "note" => "note",
        "warning" | "warn" => "warning",
        "info" => "info",
        "tip" => "tip",
        "check" | "success" => "check",
        "danger" | "error" => "danger",
        _ => "custom",
    }
}

fn callout_label(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "note" => "Note",
        "warning" => "Warning",
        "info" => "Info",
        "tip" => "Tip",
        "check" => "Check",
        "danger" => "Danger",
        _ => return None,
    })
}
