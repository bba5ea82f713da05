//! `Tooltip`: a word with an explanation that shows on hover and focus, without a script too.

use crate::markup::tree::Element;
use crate::render::phrasing::all_phrasing;
use crate::render::{Href, Renderer};

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
    start(r, "span", "tooltip", element);
    r.raw(&format!("><span class=\"tooltip-word\" tabindex=\"0\" aria-describedby=\"{id}\">"));
    r.state.phrasing += u32::from(!all_phrasing(&element.children));
    r.state.in_link += 1;
    r.nodes(&element.children);
    r.state.in_link -= 1;
    r.state.phrasing -= u32::from(!all_phrasing(&element.children));
    r.raw(&format!("</span><span class=\"tooltip-tip\" role=\"tooltip\" id=\"{id}\">"));
    if let Some(headline) = headline {
        r.raw(&format!("<strong class=\"tooltip-headline\">{headline}</strong> "));
    }
    if let Some(tip) = tip {
        r.raw(&format!("<span class=\"tooltip-text\">{tip}</span>"));
    }
    if !target.url.is_empty() {
        r.raw(" <a class=\"tooltip-link\"");
        r.href_attr(&target);
        r.raw(">");
        match &cta {
            Some(cta) => r.raw(cta),
            None => r.raw("<span data-chrome>Read more</span>"),
        }
        r.raw("</a>");
    } else if let Some(cta) = cta {
        r.raw(&format!(" <span class=\"tooltip-link\">{cta}</span>"));
    }
    r.raw("</span></span>");
}

/// Inside a link nothing else may take focus, and the words of a heading are its own: there the explanation is a title.
fn write_titled(r: &mut Renderer<'_>, element: &Element) {
    let texts = ["headline", "tip", "cta"].map(|prop| crate::render::inline::prop_text(&element.props, prop));
    let title: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    start(r, "span", "tooltip", element);
    r.attr("title", &title.join(" – "));
    r.raw(">");
    r.nodes(&element.children);
    r.raw("</span>");
}
