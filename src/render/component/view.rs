//! Parts of a page that depend on the reader: `View`, `Variation`, `Visibility`.

use crate::phrasing::all_phrasing;
use crate::{Renderer, inline};
use base::Diagnostic;
use base::diagnostic::list_in_backticks;
use base::html::escape_html_text;
use markup::tree::JsxElement;

use super::open_tag::open_component_tag;
use super::{accordion, icon};

/// Writes a view, a variation, or what only some readers see.
pub(super) fn write_view_component(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "View" => write_view(r, element),
        "Variation" => write_variation(r, element),
        _ => write_visibility(r, element),
    }
}

/// Writes `View`: every view stands under its title; a script shows one at a time.
fn write_view(r: &mut Renderer<'_>, element: &JsxElement) {
    let props = &element.props;
    let text = inline::prop_text(props, "title");
    let title = r.prop_plain(props, "title");
    let icon = icon::prop(r, element, "icon", 16.0).unwrap_or_default();
    let id = match props.text("id") {
        Some(id) => r.ids.claim(id.trim().to_owned(), '-', 1),
        None => accordion::titled_id(r, element, "view").unwrap_or_default(),
    };
    open_component_tag(r, "div", "view", element);
    r.attr("id", &id);
    r.raw(">\n");
    if let Some(title) = title {
        r.raw(&format!("<p class=\"view-title\">{icon}{title}</p>\n"));
    }
    r.page.views.push((id.clone(), text.trim().to_owned(), icon));
    let within = r.within.replace(id);
    r.flow(&element.children);
    r.within = within;
    r.raw("</div>\n");
}

/// Writes `Variation`: every part stands under the names of its variations; a script shows those of the one that is
/// chosen.
fn write_variation(r: &mut Renderer<'_>, element: &JsxElement) {
    let requested = element.props.list("is");
    let (ids, labels): (Vec<&str>, Vec<&str>) = r
        .kit
        .variations
        .iter()
        .filter(|(id, _)| requested.contains(id))
        .map(|(id, label)| (id.as_str(), label.as_str()))
        .unzip();
    let in_sentence = r.state.phrasing > 0 || element.inline && all_phrasing(&element.children);
    if ids.is_empty() {
        warn_unknown(r, element, &requested);
        return if in_sentence { r.nodes(&element.children) } else { r.flow(&element.children) };
    }
    r.page.has_variations = true;
    open_component_tag(r, if in_sentence { "span" } else { "div" }, "variation", element);
    let id = r.serial_id("variation");
    r.attr("id", &id);
    r.attr("data-variation", &ids.join(" "));
    // the first variation is what a site shows at first
    if !r.kit.variations.first().is_some_and(|(first, _)| ids.contains(&first.as_str())) {
        r.raw(" data-idle");
    }
    let label = escape_html_text(&labels.join(", "));
    if in_sentence {
        r.raw(&format!("><span class=\"variation-title\" data-chrome>({label}) </span>"));
        r.nodes(&element.children);
        return r.raw("</span>");
    }
    r.raw(&format!(">\n<p class=\"variation-title\" data-chrome>{label}</p>\n"));
    let within = r.within.replace(id);
    r.flow(&element.children);
    r.within = within;
    r.raw("</div>\n");
}

/// A variation that the site does not have is shown to all: nothing could ever show it otherwise.
fn warn_unknown(r: &mut Renderer<'_>, element: &JsxElement, requested: &[String]) {
    if r.kit.variations.is_empty() {
        return;
    }
    let known = list_in_backticks(r.kit.variations.iter().map(|(id, _)| id.as_str()));
    let message = match requested {
        [] => "`<Variation>` does not say which variation it `is`".to_owned(),
        ids => format!("the site has no variation `{}`", ids.join("`, `")),
    };
    r.warn(element.place, Diagnostic::new("unknown-variation", message).hint(format!("`docs.json` lists {known}")));
}

/// Writes `Visibility`: only what is for humans is shown.
fn write_visibility(r: &mut Renderer<'_>, element: &JsxElement) {
    if element.props.text("for").as_deref() != Some("humans") {
        return;
    }
    if all_phrasing(&element.children) { r.nodes(&element.children) } else { r.flow(&element.children) }
}
