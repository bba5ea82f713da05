//! `Tooltip`: a word with an explanation that shows on hover and focus, without a script too.

use crate::phrasing::all_phrasing;
use crate::{Href, Renderer, inline};
use markup::tree::JsxElement;

use super::open_tag::open_component_tag;

pub(super) fn write_tooltip(r: &mut Renderer<'_>, element: &JsxElement) {
    let says_something =
        ["headline", "tip", "cta"].iter().any(|prop| !inline::prop_text(&element.props, prop).trim().is_empty());
    if !says_something {
        open_component_tag(r, "span", "tooltip", element);
        r.raw(">");
        r.nodes(&element.children);
        return r.raw("</span>");
    }
    if r.state.in_heading > 0 || r.state.in_link > 0 {
        return write_titled(r, element);
    }
    let id = r.serial_id("tip");
    open_component_tag(r, "span", "tooltip", element);
    r.raw(&format!("><span class=\"tooltip-word\" tabindex=\"0\" aria-describedby=\"{id}\">"));
    let reduced = u32::from(!all_phrasing(&element.children));
    r.state.phrasing += reduced;
    r.state.in_link += 1;
    r.nodes(&element.children);
    r.state.in_link -= 1;
    r.state.phrasing -= reduced;
    r.raw("</span>");
    write_tip(r, element, &id);
    r.raw("</span>");
}

/// Writes the explanation. Its words stand in attributes, from where the style sheet shows them: they are no part of
/// the sentence around them, neither for readers of the text nor for a search.
fn write_tip(r: &mut Renderer<'_>, element: &JsxElement, id: &str) {
    let props = &element.props;
    let [headline, tip, cta] = ["headline", "tip", "cta"].map(|prop| inline::prop_text(props, prop).trim().to_owned());
    let target = match props.text("href") {
        Some(href) => r.resolve(&href, element.place),
        None => Href::default(),
    };
    r.raw(&format!("<span class=\"tooltip-tip\" role=\"tooltip\" id=\"{id}\""));
    if headline.is_empty() {
        r.attr("aria-label", if tip.is_empty() { &cta } else { &tip });
    } else {
        r.attr("aria-label", &format!("{headline}: {tip}"));
        r.attr("data-headline", &headline);
        r.attr("data-tip", &tip);
    }
    r.raw(">");
    if !target.url.is_empty() {
        r.raw("<a class=\"tooltip-link\"");
        r.href_attr(&target);
        r.attr("aria-label", if cta.is_empty() { "Read more" } else { &cta });
        r.raw("></a>");
    } else if !cta.is_empty() && !tip.is_empty() {
        r.raw("<span class=\"tooltip-link\"");
        r.attr("data-label", &cta);
        r.raw("></span>");
    }
    r.raw("</span>");
}

/// Inside a link nothing else may take focus, and the words of a heading are its own: there the explanation is a title.
fn write_titled(r: &mut Renderer<'_>, element: &JsxElement) {
    let texts = ["headline", "tip", "cta"].map(|prop| inline::prop_text(&element.props, prop));
    let title: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    open_component_tag(r, "span", "tooltip", element);
    r.attr("title", &title.join(" – "));
    r.raw(">");
    r.nodes(&element.children);
    r.raw("</span>");
}
