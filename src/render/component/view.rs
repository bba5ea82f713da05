//! Parts of a page that depend on the reader: `View`, `Variation`, `Visibility`.

use crate::base::html;
use crate::markup::tree::Element;
use crate::render::phrasing::all_phrasing;
use crate::render::{Renderer, inline};

use super::{accordion, icon, start};

/// Writes `View`: every view stands under its title; a script shows one at a time.
pub(super) fn write(r: &mut Renderer<'_>, element: &Element) {
    let props = &element.props;
    let text = inline::prop_text(props, "title");
    let title = r.prop_plain(props, "title");
    let icon = icon::prop(r, element, "icon", 16.0).unwrap_or_default();
    let id = match props.text("id") {
        Some(id) => r.ids.claim(id.trim().to_owned(), '-', 1),
        None => accordion::titled_id(r, element, "view").unwrap_or_default(),
    };
    start(r, "div", "view", element);
    r.attr("id", &id);
    r.raw(">\n");
    if let Some(title) = title {
        r.raw(&format!("<p class=\"view-title\">{icon}{title}</p>\n"));
    }
    r.views.push((id.clone(), text.trim().to_owned(), icon));
    let within = r.within.replace(id);
    r.flow(&element.children);
    r.within = within;
    r.raw("</div>\n");
}

/// Writes `Variation`: shown by script to readers of that variation; without one, every variation is shown.
pub(super) fn write_variation(r: &mut Renderer<'_>, element: &Element) {
    let names = element.props.list("is");
    let known = !names.is_empty() && !r.kit.variations.is_empty() && r.state.phrasing == 0;
    if !known {
        return if all_phrasing(&element.children) { r.nodes(&element.children) } else { r.flow(&element.children) };
    }
    start(r, "div", "variation", element);
    r.attr("data-variation", &names.join(" "));
    // the first variation is what a site shows at first
    let is_first = r.kit.variations.first().is_some_and(|(first, _)| names.contains(first));
    r.raw(if is_first { ">\n" } else { " data-idle>\n" });
    r.flow(&element.children);
    r.raw("</div>\n");
}

/// Writes `Visibility`: only what is for humans is shown.
pub(super) fn write_visibility(r: &mut Renderer<'_>, element: &Element) {
    if element.props.text("for").as_deref() != Some("humans") {
        return;
    }
    if all_phrasing(&element.children) { r.nodes(&element.children) } else { r.flow(&element.children) }
}

/// The host of a URL, for people.
pub(super) fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url.trim_start_matches('/'), |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = rest[..end].rsplit('@').next().unwrap_or_default();
    html::text(host.strip_prefix("www.").unwrap_or(host))
}
