//! Code outside fences, and what stands in the right column: `CodeBlock`, `RequestExample`, `ResponseExample`, `Panel`.

use crate::base::Diagnostic;
use crate::page::markup::tree::{Element, Fence, Node};
use crate::page::render::Renderer;
use crate::page::render::code::{self, BlockOptions};
use crate::page::render::phrasing::parts;
use crate::source::site::page::Mode;

use super::open_tag::start;
use super::{icon, tabs};

/// Writes a fence; `title_shown` is off where a tab says the title.
pub(crate) fn write_fence(r: &mut Renderer<'_>, fence: &Fence, title_shown: bool) {
    let options = BlockOptions::of_fence(fence);
    write_options(r, &fence.code, &options, title_shown, fence.place);
}

fn write_options(
    r: &mut Renderer<'_>,
    code: &str,
    options: &BlockOptions,
    title_shown: bool,
    place: crate::base::Place,
) {
    let icon = match &options.icon {
        Some(name) => r.capture(|r| icon::named(r, name, 16.0, place)),
        None => String::new(),
    };
    let themes = &r.kit.highlighter;
    if let Some(name) = options.theme.as_deref().filter(|name| !themes.has_theme(name)) {
        let message = format!("there is no code theme `{name}`; the site's is used");
        let hint = "`theme=` takes the names of Shiki's themes, such as `github-dark` or `nord`";
        r.warn_once(&format!("code-theme {name}"), place, || Diagnostic::new("code-theme", message).hint(hint));
    }
    // a link may hold no button
    let without_copy =
        (r.state.in_link > 0).then(|| BlockOptions { nocopy: true, expandable: false, ..options.clone() });
    code::write_code(
        r,
        &code::CodeBlock { code, options: without_copy.as_ref().unwrap_or(options), icon: &icon, title_shown },
    );
    r.raw("\n");
}

/// Writes `CodeBlock`: a fence in it with the props as its options, or its own text as the code.
pub(super) fn write_code(r: &mut Renderer<'_>, element: &Element) {
    write_code_with(r, element, true);
}

pub(super) fn write_code_with(r: &mut Renderer<'_>, element: &Element, title_shown: bool) {
    let own = BlockOptions::of_props(&element.props);
    let children = parts(&element.children);
    let mut fences = children.iter().filter_map(|child| match child {
        Node::Fence(fence) => Some(fence),
        _ => None,
    });
    if let Some(fence) = fences.next() {
        let inner = BlockOptions::of_fence(fence);
        let options = BlockOptions {
            lang: if inner.lang.is_empty() { own.lang } else { inner.lang },
            title: own.title.or(inner.title),
            icon: own.icon.or(inner.icon),
            lines: own.lines || inner.lines,
            wrap: own.wrap || inner.wrap,
            expandable: own.expandable || inner.expandable,
            nocopy: own.nocopy || inner.nocopy,
            highlight: if inner.highlight.is_empty() { own.highlight } else { inner.highlight },
            theme: inner.theme.or(own.theme),
            focus: if inner.focus.is_empty() { own.focus } else { inner.focus },
        };
        write_options(r, &fence.code, &options, title_shown, fence.place);
        for fence in fences {
            write_fence(r, fence, true);
        }
        return;
    }
    let text = match &element.raw {
        Some(raw) => raw.to_string(),
        None => Node::text_of(&element.children),
    };
    let code = text.strip_prefix('\n').unwrap_or(&text).trim_end();
    write_options(r, code, &own, title_shown, element.place);
}

/// Writes `RequestExample` and `ResponseExample`: in the right column if it is the last of its kind on a page without a
/// panel, else where it stands.
pub(super) fn write_example(r: &mut Renderer<'_>, element: &Element) {
    let hoist = &mut r.state.hoist;
    let left = if element.name == "RequestExample" { &mut hoist.requests } else { &mut hoist.responses };
    *left = left.saturating_sub(1);
    let hoisted = *left == 0 && hoist.panels == 0 && !hoist.inside && r.mode == Mode::Default;
    if hoisted {
        let html = aside(r, |r| write_here(r, element, true));
        r.aside.push_str(&html);
    } else {
        write_here(r, element, r.state.hoist.inside);
    }
}

fn write_here(r: &mut Renderer<'_>, element: &Element, with_id: bool) {
    let (id, label) = match element.name.as_str() {
        "RequestExample" => ("request-example", r.words.request_example),
        _ => ("response-example", r.words.response_example),
    };
    start(r, "div", "example", element);
    if let Some(id) = with_id.then(|| r.ids.explicit(id)).flatten() {
        r.attr("id", &id);
    }
    r.raw(">\n");
    tabs::write_code_tabs(r, &element.children, label, element.props.flag("dropdown"));
    r.raw("</div>\n");
}

/// Writes `Panel`: the right column's content. Modes without that column show none.
pub(super) fn write_panel(r: &mut Renderer<'_>, element: &Element) {
    if r.mode != Mode::Default {
        return r.warn_once("panel-suppressed", element.place, || {
            let message = "pages of this mode have no right column: the `<Panel>` is not shown";
            Diagnostic::new("panel-suppressed", message)
                .hint("move its content into the text, or remove `mode` from the front matter")
        });
    }
    let hoisted = !r.state.hoist.inside;
    let html = aside(r, |r| {
        start(r, "div", "panel", element);
        r.raw(">\n");
        r.flow(&element.children);
        r.raw("</div>\n");
    });
    if hoisted { r.aside.push_str(&html) } else { r.raw(&html) }
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
