//! `Frame`: a figure with a caption below and a hint above.

use crate::Renderer;
use crate::attributes;
use markup::tree::JsxElement;

use super::open_tag::open_component_tag;

pub(super) fn write_frame(r: &mut Renderer<'_>, element: &JsxElement) {
    let hint = r.prop_html(&element.props, "hint", true);
    let caption = r.prop_html(&element.props, "caption", true);
    let body = r.capture(|r| r.nodes(&element.children));
    // what it frames cannot be had: words stay, an empty frame does not
    let is_empty = body.trim().is_empty() && !element.children.is_empty();
    if is_empty && hint.is_none() && caption.is_none() {
        return;
    }
    open_component_tag(r, "figure", "frame", element);
    if let Some(style) = element.props.value("style") {
        let css = attributes::style_text(style);
        let css = attributes::css_urls(r, &css, element.place);
        if !css.is_empty() {
            r.attr("style", &css);
        }
    }
    r.raw(">\n");
    if let Some(hint) = hint {
        r.raw(&format!("<p class=\"frame-hint\">{hint}</p>\n"));
    }
    if !is_empty {
        r.raw("<div class=\"frame-body\">");
        r.raw(&body);
        r.raw("</div>\n");
    }
    if let Some(caption) = caption {
        r.raw(&format!("<figcaption>{caption}</figcaption>\n"));
    }
    r.raw("</figure>\n");
}
