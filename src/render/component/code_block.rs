//! Code: fences and `CodeBlock`.

use crate::Renderer;
use crate::code;
use crate::phrasing::unwrapped_children;
use base::{Diagnostic, Place};
use markup::fence_info::{BlockOptions, LineSet};
use markup::tree::{CodeFence, JsxElement, Node};

use super::icon::write_named_icon;

/// Writes a fence; `title_shown` is off where a tab says the title.
pub(crate) fn write_fence(r: &mut Renderer<'_>, fence: &CodeFence, title_shown: bool) {
    let options = BlockOptions::of_fence(fence);
    write_options(r, &fence.code, &options, title_shown, fence.place);
}

fn write_options(r: &mut Renderer<'_>, code: &str, options: &BlockOptions, title_shown: bool, place: Place) {
    let icon = match &options.icon {
        Some(name) => r.capture(|r| write_named_icon(r, name, 16.0, place)),
        None => String::new(),
    };
    let themes = &r.kit.highlighter;
    if let Some(name) = options.theme.as_deref().filter(|name| !themes.has_theme(name)) {
        let message = format!("there is no code theme `{name}`; the site's is used");
        let hint = "`theme=` takes the names of Shiki's themes, such as `github-dark` or `nord`";
        r.warn_once(&format!("code-theme {name}"), place, || Diagnostic::new("code-theme", message).hint(hint));
    }
    // a link may hold no button
    let hidden = LineSet::default();
    let without_copy =
        (r.state.in_link > 0).then(|| BlockOptions { nocopy: true, expandable: false, hidden, ..options.clone() });
    code::write_code(
        r,
        &code::CodeBlock { code, options: without_copy.as_ref().unwrap_or(options), icon: &icon, title_shown },
    );
    r.raw("\n");
}

/// Writes `CodeBlock`: a fence in it with the props as its options, or its own text as the code.
pub(super) fn write_code_block(r: &mut Renderer<'_>, element: &JsxElement) {
    write_code_block_with(r, element, true);
}

pub(super) fn write_code_block_with(r: &mut Renderer<'_>, element: &JsxElement, title_shown: bool) {
    let own = BlockOptions::of_props(&element.props);
    let children = unwrapped_children(&element.children);
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
            first_line: inner.first_line.or(own.first_line),
            wrap: own.wrap || inner.wrap,
            expandable: own.expandable || inner.expandable,
            nocopy: own.nocopy || inner.nocopy,
            highlight: if inner.highlight.is_empty() { own.highlight } else { inner.highlight },
            theme: inner.theme.or(own.theme),
            focus: if inner.focus.is_empty() { own.focus } else { inner.focus },
            added: if inner.added.is_empty() { own.added } else { inner.added },
            removed: if inner.removed.is_empty() { own.removed } else { inner.removed },
            hidden: inner.hidden,
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
