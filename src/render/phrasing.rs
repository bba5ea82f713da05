//! Which nodes may stand inside a paragraph: what decides where paragraphs are opened, so that no block ever ends up in
//! `<p>`.

use base::html;
use markup::component::{self, HtmlRole, find_component};
use markup::tree::{BlockKind, JsxElement, Node};

use super::tags::{self, is_allowed_tag};

/// Whether a node, with all that is in it, is phrasing content.
pub fn is_phrasing(node: &Node) -> bool {
    match node {
        Node::Text(_) | Node::Code(_) | Node::Break { .. } | Node::FootnoteRef(_) | Node::Expr(_) => true,
        Node::Math { display, .. } => !display,
        Node::Html { markup, .. } => !tags::starts_block(markup),
        Node::Rule | Node::Fence(_) => false,
        Node::Block(block) => match block.kind {
            BlockKind::Emphasis | BlockKind::Strong | BlockKind::Strike | BlockKind::Link { .. } => {
                all_phrasing(&block.children)
            }
            BlockKind::Image { .. } => true,
            _ => false,
        },
        Node::Element(element) => element_is_phrasing(element),
        Node::Island(island) => all_phrasing(&island.children),
        Node::Part(part) => all_phrasing(&part.children),
    }
}

/// Whether all nodes are phrasing content.
pub fn all_phrasing(nodes: &[Node]) -> bool {
    nodes.iter().all(is_phrasing)
}

fn element_is_phrasing(element: &JsxElement) -> bool {
    match element.name.as_str() {
        "area" | "audio" | "br" | "button" | "datalist" | "img" | "input" | "label" | "math" | "meter" | "picture"
        | "progress" | "script" | "select" | "style" | "svg" | "template" | "textarea" | "title" | "video" | "wbr" => {
            true
        }
        "map" | "object" | "canvas" | "noscript" | "output" => all_phrasing(&element.children),
        "iframe" | "embed" => false,
        name if html::is_phrasing(name) => all_phrasing(&element.children),
        name => match find_component(name).map(|known| known.role) {
            Some(HtmlRole::Inline | HtmlRole::InlineInteractive | HtmlRole::Fragment) => {
                all_phrasing(&element.children)
            }
            Some(HtmlRole::Conditional) => element.inline && all_phrasing(&element.children),
            Some(HtmlRole::Block | HtmlRole::Interactive | HtmlRole::Transparent) => false,
            // tags that HTML does not have leave no trace of their own
            None => !is_allowed_tag(name) && all_phrasing(&element.children),
        },
    }
}

/// Whether something in these nodes takes clicks or focus itself, so that no link may be put around them.
pub(crate) fn has_interactive(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Fence(_) | Node::FootnoteRef(_) | Node::Html { .. } => true,
        Node::Math { display, .. } => *display,
        Node::Block(block) => {
            matches!(
                block.kind,
                BlockKind::Link { .. } | BlockKind::Table { .. } | BlockKind::Item { checked: Some(_) }
            ) || has_interactive(&block.children)
        }
        Node::Element(element) => match element.name.as_str() {
            "a" | "button" | "input" | "select" | "textarea" | "video" | "audio" | "iframe" | "embed" | "details"
            | "label" | "table" => true,
            name if find_component(name).is_some_and(|known| known.role.is_interactive()) => true,
            // a card in a card
            name if find_component(name).is_some() && leads_somewhere(element) => true,
            _ => has_interactive(&element.children),
        },
        Node::Island(_) => true,
        Node::Part(part) => has_interactive(&part.children),
        _ => false,
    })
}

/// Whether a component is a link.
fn leads_somewhere(element: &JsxElement) -> bool {
    let props: &[&str] = if element.name.ends_with(".Repo") { &["repo", "url"] } else { &["href"] };
    props.iter().any(|prop| element.props.text(prop).is_some_and(|text| !text.trim().is_empty()))
}

/// Children with fragments and paragraphs around elements taken away: what `Tabs`, `Steps` and tables look through to
/// find their parts. Text that is only space is left out.
pub fn unwrapped_children(nodes: &[Node]) -> Vec<&Node> {
    fn collect<'n>(nodes: &'n [Node], out: &mut Vec<&'n Node>, depth: usize) {
        for node in nodes {
            match node {
                Node::Text(text) if text.trim().is_empty() => {}
                Node::Break { .. } | Node::Expr(_) => {}
                Node::Block(block)
                    if block.kind == BlockKind::Paragraph && depth > 0 && holds_only_elements(&block.children) =>
                {
                    collect(&block.children, out, depth - 1);
                }
                Node::Element(element) if depth > 0 && component::is_fragment(&element.name) => {
                    collect(&element.children, out, depth - 1);
                }
                node => out.push(node),
            }
        }
    }
    let mut out = Vec::with_capacity(nodes.len());
    collect(nodes, &mut out, 32);
    out
}

fn holds_only_elements(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Element(_) | Node::Expr(_) | Node::Break { .. } => true,
        Node::Text(text) => text.trim().is_empty(),
        _ => false,
    })
}

/// Whether nodes show nothing.
pub fn is_blank(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Text(text) => text.trim().is_empty(),
        Node::Break { hard } => !hard,
        Node::Expr(_) => true,
        Node::Block(block) if block.kind == BlockKind::Paragraph => is_blank(&block.children),
        Node::Element(element) if element.name.is_empty() => is_blank(&element.children),
        _ => false,
    })
}
