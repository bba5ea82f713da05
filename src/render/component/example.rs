//! What stands in the right column: `RequestExample`, `ResponseExample`, `Panel`.

use crate::Renderer;
use base::Diagnostic;
use markup::tree::JsxElement;
use site::page::PageMode;

use super::open_tag::open_component_tag;
use super::tabs;

/// Writes an example of a request or a response, or a panel.
pub(super) fn write_example_component(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "Panel" => write_panel(r, element),
        _ => write_example(r, element),
    }
}

/// Writes `RequestExample` and `ResponseExample`: in the right column if it is the last of its kind on a page without a
/// panel, else where it stands.
fn write_example(r: &mut Renderer<'_>, element: &JsxElement) {
    let hoist = &mut r.state.hoist;
    let left = if element.name == "RequestExample" { &mut hoist.requests } else { &mut hoist.responses };
    *left = left.saturating_sub(1);
    let hoisted = *left == 0 && hoist.panels == 0 && !hoist.inside && r.mode == PageMode::Default;
    if hoisted {
        let html = aside(r, |r| write_here(r, element, true));
        r.page.aside.push_str(&html);
    } else {
        write_here(r, element, r.state.hoist.inside);
    }
}

fn write_here(r: &mut Renderer<'_>, element: &JsxElement, with_id: bool) {
    let (id, label) = match element.name.as_str() {
        "RequestExample" => ("request-example", r.words.request_example),
        _ => ("response-example", r.words.response_example),
    };
    open_component_tag(r, "div", "example", element);
    if with_id {
        r.state.hoist.written[usize::from(element.name != "RequestExample")] = true;
        if let Some(id) = r.ids.explicit(id) {
            r.attr("id", &id);
        }
    }
    r.raw(">\n");
    tabs::write_code_tabs(r, &element.children, label, element.props.flag("dropdown"));
    r.raw("</div>\n");
}

/// Writes `Panel`: the right column's content. Modes without that column show none.
fn write_panel(r: &mut Renderer<'_>, element: &JsxElement) {
    if r.mode != PageMode::Default {
        return r.warn_once("panel-suppressed", element.place, || {
            let message = "pages of this mode have no right column: the `<Panel>` is not shown";
            Diagnostic::new("panel-suppressed", message)
                .hint("move its content into the text, or remove `mode` from the front matter")
        });
    }
    let hoisted = !r.state.hoist.inside;
    let html = aside(r, |r| {
        open_component_tag(r, "div", "panel", element);
        r.raw(">\n");
        r.flow(&element.children);
        r.raw("</div>\n");
    });
    if hoisted { r.page.aside.push_str(&html) } else { r.raw(&html) }
}

/// What is written in the right column: not in the page's contents, not in the page's links or sentences.
fn aside(r: &mut Renderer<'_>, write: impl FnOnce(&mut Renderer<'_>)) -> String {
    let inside = std::mem::replace(&mut r.state.hoist.inside, true);
    let in_link = std::mem::take(&mut r.state.in_link);
    r.toc_off += 1;
    let html = r.capture(|r| r.raw_scope(write));
    r.toc_off -= 1;
    r.state.in_link = in_link;
    r.state.hoist.inside = inside;
    html
}
