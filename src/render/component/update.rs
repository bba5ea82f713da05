//! `Update`: an entry of a change log.

use crate::{Renderer, inline, outline};
use markup::tree::JsxElement;

use super::open_tag::open_component_tag;

pub(super) fn write_update(r: &mut Renderer<'_>, element: &JsxElement) {
    let props = &element.props;
    let label = r.prop_html(props, "label", false);
    let description = r.prop_html(props, "description", true);
    let base = outline::update_base(element);
    let id = if base.is_empty() { String::new() } else { r.ids.heading(&base) };
    let tags = props.list("tags");
    for tag in &tags {
        if !r.page.update_tags.contains(tag) {
            r.page.update_tags.push(tag.clone());
        }
    }
    open_component_tag(r, "div", "update", element);
    if !id.is_empty() {
        r.attr("id", &id);
    }
    if !tags.is_empty() {
        r.attr("data-tags", &tags.join(","));
    }
    r.raw(">\n<div class=\"update-head\">");
    if let Some(label) = label {
        r.raw("<p class=\"update-label\">");
        if id.is_empty() || r.state.in_link > 0 {
            r.raw(&label);
        } else {
            r.raw(&format!("<a href=\"#{}\">{label}</a>", base::html::attr(&base::url::encode_fragment(&id))));
        }
        r.raw("</p>");
    }
    if !tags.is_empty() {
        r.raw("<ul class=\"update-tags\">");
        for tag in &tags {
            r.raw("<li>");
            r.text(tag);
            r.raw("</li>");
        }
        r.raw("</ul>");
    }
    if let Some(description) = description {
        r.raw(&format!("<p class=\"update-description\">{description}</p>"));
    }
    r.raw("</div>\n<div class=\"update-body\">\n");
    r.contents_entry(1, id, &inline::prop_text(props, "label"));
    r.toc_off += 1;
    r.flow(&element.children);
    r.toc_off -= 1;
    r.raw("</div></div>\n");
}
