//! `Tooltip`: a word with an explanation that shows on hover and focus, without a script too.

use crate::markup::tree::{Element, Value};
use crate::render::phrasing::all_phrasing;
use crate::render::{Href, Renderer, inline};

use super::start;

pub(super) fn write(r: &mut Renderer<'_>, element: &Element) {
    let props = &element.props;
    let headline = r.prop_html(props, "headline", false);
    let tip = r.prop_html(props, "tip", false);
    let cta = r.prop_html(props, "cta", false);
    if headline.is_none() && tip.is_none() && cta.is_none() {
        start(r, "span", "tooltip", element);
        r.raw(">");
        r.nodes(&element.children);
        return r.raw("</span>");
    }
    if r.state.in_heading > 0 || r.state.in_link > 0 {
        return write_titled(r, element);
    }
    let target = match props.text("href") {
        Some(href) => r.resolve(&href, element.place),
        None => Href::default(),
    };
    let id = r.serial_id("tip");
    // the explanation stands in an attribute, from where the style sheet shows it: it is no part of the sentence around it,
    // neither for readers of the text nor for a search
    let plain = inline::prop_text(props, "tip");
    let in_attribute = tip.is_some() && !matches!(props.value("tip"), Some(Value::Nodes(_)));
    start(r, "span", "tooltip", element);
    r.raw("><span class=\"tooltip-word\" tabindex=\"0\" aria-describedby=\"");
    r.raw(&if headline.is_some() { format!("{id}-title {id}\">") } else { format!("{id}\">") });
    let reduced = u32::from(!all_phrasing(&element.children));
    r.state.phrasing += reduced;
    r.state.in_link += 1;
    r.nodes(&element.children);
    r.state.in_link -= 1;
    r.state.phrasing -= reduced;
    r.raw(&format!("</span><span class=\"tooltip-tip\" role=\"tooltip\" id=\"{id}\""));
    if in_attribute {
        r.attr("aria-label", plain.trim());
    }
    r.raw(">");
    if let Some(headline) = headline {
        r.raw(&format!("<strong class=\"tooltip-headline\" id=\"{id}-title\">{headline}</strong>"));
    }
    if let Some(tip) = tip.filter(|_| !in_attribute) {
        r.raw(&format!("<span class=\"tooltip-text\">{tip}</span>"));
    }
    if !target.url.is_empty() {
        r.raw("<a class=\"tooltip-link\"");
        r.href_attr(&target);
        r.raw(">");
        r.raw(cta.as_deref().unwrap_or("<span data-chrome>Read more</span>"));
        r.raw("</a>");
    } else if let Some(cta) = cta {
        r.raw(&format!("<span class=\"tooltip-link\">{cta}</span>"));
    }
    r.raw("</span></span>");
}

/// Inside a link nothing else may take focus, and the words of a heading are its own: there the explanation is a title.
fn write_titled(r: &mut Renderer<'_>, element: &Element) {
    let texts = ["headline", "tip", "cta"].map(|prop| inline::prop_text(&element.props, prop));
    let title: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    start(r, "span", "tooltip", element);
    r.attr("title", &title.join(" – "));
    r.raw(">");
    r.nodes(&element.children);
    r.raw("</span>");
}
