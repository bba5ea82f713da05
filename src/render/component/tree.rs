//! `Tree`: folders and files, from components or from a Markdown list.

use crate::Renderer;
use crate::phrasing::unwrapped_children;
use markup::tree::{BlockKind, JsxElement, Node};

use super::open_tag::open_component_tag;

pub(super) fn write_tree(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "Tree.Folder" | "Tree.File" => {
            r.raw("<ul class=\"tree\">\n");
            write_entry(r, element);
            r.raw("</ul>\n");
        }
        _ => {
            open_component_tag(r, "div", "tree-box", element);
            r.raw(">\n");
            write_entries(r, &element.children, "tree");
            r.raw("</div>\n");
        }
    }
}

fn write_entries(r: &mut Renderer<'_>, children: &[Node], class: &str) {
    let children = unwrapped_children(children);
    let is_entry = |node: &Node| match node {
        Node::Element(element) => matches!(element.name.as_str(), "Tree.Folder" | "Tree.File"),
        Node::Block(block) => matches!(block.kind, BlockKind::List { .. }),
        _ => false,
    };
    let (entries, others): (Vec<&Node>, Vec<&Node>) = children.into_iter().partition(|node| is_entry(node));
    for other in others {
        r.flow(std::slice::from_ref(other));
    }
    if entries.is_empty() {
        return;
    }
    r.raw(&format!("<ul class=\"{class}\">\n"));
    for entry in entries {
        match entry {
            Node::Element(entry) => write_entry(r, entry),
            Node::Block(list) => write_items(r, &list.children),
            _ => {}
        }
    }
    r.raw("</ul>\n");
}

fn write_entry(r: &mut Renderer<'_>, element: &JsxElement) {
    let name = r.prop_plain(&element.props, "name").unwrap_or_default();
    let highlight = if element.props.flag("highlight") { " data-highlight" } else { "" };
    r.raw("<li");
    r.attr("data-component", &element.name);
    if element.name == "Tree.File" {
        r.raw(&format!(" class=\"tree-file\"{highlight}><span class=\"tree-name\">{name}</span>"));
        if !unwrapped_children(&element.children).is_empty() {
            r.flow(&element.children);
        }
        return r.raw("</li>\n");
    }
    r.raw(" class=\"tree-folder\">");
    if element.props.maybe_flag("openable") == Some(false) {
        r.raw(&format!("<span class=\"tree-name\"{highlight}>{name}</span>\n"));
        write_entries(r, &element.children, "tree-entries");
    } else {
        r.raw(if element.props.flag("defaultOpen") {
            "<details class=\"tree-toggle\" open>"
        } else {
            "<details class=\"tree-toggle\">"
        });
        r.raw(&format!("<summary class=\"tree-name\"{highlight}>{name}</summary>\n"));
        write_entries(r, &element.children, "tree-entries");
        r.raw("</details>");
    }
    r.raw("</li>\n");
}

/// Items of a Markdown list: what ends in `/` or has a list of its own is a folder, and open.
fn write_items(r: &mut Renderer<'_>, items: &[Node]) {
    for item in items {
        let Node::Block(item) = item else { continue };
        let (lists, words): (Vec<&Node>, Vec<&Node>) = item
            .children
            .iter()
            .partition(|child| matches!(child, Node::Block(block) if matches!(block.kind, BlockKind::List { .. })));
        let name = r.capture(|r| {
            r.state.phrasing += 1;
            for word in words {
                r.nodes(std::slice::from_ref(word));
            }
            r.state.phrasing -= 1;
        });
        let name = name.trim();
        if lists.is_empty() && !name.trim_end_matches("</strong>").ends_with('/') {
            r.raw(&format!("<li class=\"tree-file\"><span class=\"tree-name\">{name}</span></li>\n"));
            continue;
        }
        r.raw(&format!("<li class=\"tree-folder\"><details class=\"tree-toggle\" open><summary class=\"tree-name\">{name}</summary>\n"));
        if !lists.is_empty() {
            r.raw("<ul class=\"tree-entries\">\n");
            for list in lists {
                if let Node::Block(list) = list {
                    write_items(r, &list.children);
                }
            }
            r.raw("</ul>\n");
        }
        r.raw("</details></li>\n");
    }
}
