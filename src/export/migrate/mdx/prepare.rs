//! The tree of a page with nothing in it that MDX does not have.

use std::borrow::Cow;

use base::emoji::replace_emoji_names;
use base::html::is_html_tag;
use base::{Place, limits};
use markup::component::is_known_component;
use markup::foreign::badge_of_vitepress;
use markup::html::nest_html_tags;
use markup::tree::{BlockKind, CodeFence, JsxElement, MarkdownBlock, Node, PropValue};
use render::code::marks_of_docusaurus;
use render::phrasing::{all_phrasing, is_blank, is_phrasing};
use site::page::Dialect;

use super::style::adapt_attributes;

/// What of a page has no form in MDX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// A component that runs in the browser: what it shows at first stays.
    Component(String),
    /// A script.
    Script(Place),
}

/// Turns what only plain Markdown or another tool has into what MDX has. `dialect`: that of the page. Names of emoji stay;
/// [`show_emoji`] puts these in their place.
pub(crate) fn prepare_nodes(nodes: Vec<Node>, dialect: Dialect, lost: &mut Vec<Lost>) -> Vec<Node> {
    Preparer { lost, dialect, depth: 0, in_drawing: false }.nodes(nodes)
}

/// Puts emoji in the place of their names, but in code.
pub(crate) fn show_emoji(nodes: &mut [Node]) {
    for node in nodes {
        match node {
            Node::Text(text) => {
                if let Cow::Owned(shown) = replace_emoji_names(text) {
                    *text = shown;
                }
            }
            Node::Block(block) => show_emoji(&mut block.children),
            Node::Element(element) if !is_code_name(&element.name) => show_emoji(&mut element.children),
            _ => {}
        }
    }
}

fn is_code_name(name: &str) -> bool {
    matches!(name, "code" | "kbd" | "pre" | "samp" | "tt" | "var" | "style")
}

struct Preparer<'l> {
    lost: &'l mut Vec<Lost>,
    dialect: Dialect,
    depth: usize,
    in_drawing: bool,
}

impl Preparer<'_> {
    fn nodes(&mut self, nodes: Vec<Node>) -> Vec<Node> {
        if self.depth >= limits::NESTING {
            return vec![Node::Text(Node::text_of(&nodes))];
        }
        self.depth += 1;
        let mut out = Vec::with_capacity(nodes.len());
        for node in nest_html_tags(nodes) {
            self.node(node, &mut out);
        }
        self.depth -= 1;
        out
    }

    fn node(&mut self, node: Node, out: &mut Vec<Node>) {
        match node {
            Node::Fence(mut fence) => {
                if let Some(code) = marks_of_docusaurus(&fence.code) {
                    fence.code = code;
                }
                out.push(Node::Fence(fence));
            }
            Node::Island(island) => {
                let call: serde_json::Value = serde_json::from_str(&island.call).unwrap_or_default();
                let name = call.get(1).and_then(serde_json::Value::as_str).unwrap_or_default();
                self.lost.push(Lost::Component(name.to_owned()));
                out.extend(self.nodes(island.children));
            }
            Node::Part(part) => out.extend(self.nodes(part.children)),
            Node::Block(mut block) => {
                block.children = self.nodes(block.children);
                match block.kind {
                    BlockKind::Paragraph => split_paragraph(*block, out),
                    _ => out.push(Node::Block(block)),
                }
            }
            Node::Element(element) => self.element(*element, out),
            node => out.push(node),
        }
    }

    fn element(&mut self, mut element: JsxElement, out: &mut Vec<Node>) {
        let outer = self.in_drawing;
        self.in_drawing |= element.name == "svg";
        let is_drawn = self.in_drawing;
        element.children = self.nodes(std::mem::take(&mut element.children));
        for (_, value) in &mut element.props.0 {
            if let PropValue::Nodes(nodes) = value {
                *nodes = self.nodes(std::mem::take(nodes));
            }
        }
        self.in_drawing = outer;
        if let Some(badge) = badge_of_vitepress(&element) {
            element = badge;
        }
        move_description(&mut element);
        if let ("pre", Some(Node::Text(text))) = (element.name.as_str(), element.children.first_mut())
            && text.starts_with('\n')
        {
            // HTML has no line end behind this tag
            text.remove(0);
        }
        let is_html = is_drawn || is_html_tag(&element.name);
        match element.name.as_str() {
            "script" => return self.lost.push(Lost::Script(element.place)),
            "noscript" | "template" | "title" | "meta" | "link" | "base" => return,
            // raw HTML of Markdown shows nothing of these
            "style" | "textarea" | "object" | "math" | "select" if self.dialect == Dialect::Markdown && !is_drawn => {
                return;
            }
            "CodeBlock" if only_text(&element.children) => return out.push(code_block(&element)),
            "pre" if only_text(&element.children) => return out.push(fence_of(&element)),
            "code" if is_plain_code(&element) => return out.push(Node::Code(Node::text_of(&element.children))),
            "p" if !all_phrasing(&element.children) => "div".clone_into(&mut element.name),
            "center" => {
                "div".clone_into(&mut element.name);
                element.props.set("align", PropValue::String("center".to_owned()));
            }
            name if !is_html && !is_known_component(name) => return dissolve(element, out),
            _ => {}
        }
        if is_html && !is_known_component(&element.name) {
            adapt_attributes(&mut element);
        }
        out.push(Node::Element(Box::new(element)));
    }
}

/// The description of a card as what it holds.
fn move_description(element: &mut JsxElement) {
    let words = element.props.text("description").map(Cow::into_owned);
    if let (Some(words), "Card", true) = (words, element.name.as_str(), is_blank(&element.children)) {
        element.props.0.retain(|(name, _)| name != "description");
        element.children = vec![Node::Text(words)];
    }
}

/// A paragraph as MDX has it: elements alone stand without one, and blocks in it part it.
fn split_paragraph(block: MarkdownBlock, out: &mut Vec<Node>) {
    let MarkdownBlock { kind, children, place } = block;
    let is_jsx = |node: &Node| matches!(node, Node::Element(_) | Node::Html { .. });
    let is_space = |node: &Node| is_blank(std::slice::from_ref(node));
    if children.iter().any(is_jsx) && children.iter().all(|node| is_jsx(node) || is_space(node)) {
        return out.extend(children.into_iter().filter(|node| !is_space(node)).map(own_block));
    }
    let mut words: Vec<Node> = Vec::new();
    let flush = |words: &mut Vec<Node>, out: &mut Vec<Node>| {
        let children = std::mem::take(words);
        if !is_blank(&children) {
            out.push(Node::Block(Box::new(MarkdownBlock { kind: kind.clone(), children, place })));
        }
    };
    for child in children {
        if is_phrasing(&child) {
            words.push(child);
        } else {
            flush(&mut words, out);
            out.push(own_block(child));
        }
    }
    flush(&mut words, out);
}

/// A node as a block of its own.
fn own_block(mut node: Node) -> Node {
    if let Node::Element(element) = &mut node {
        element.inline = false;
    }
    node
}

/// What an element holds that shows nothing itself. What stood apart still does.
fn dissolve(element: JsxElement, out: &mut Vec<Node>) {
    if element.inline || !all_phrasing(&element.children) {
        return out.extend(element.children);
    }
    if !is_blank(&element.children) {
        let JsxElement { children, place, .. } = element;
        out.push(Node::Block(Box::new(MarkdownBlock { kind: BlockKind::Paragraph, children, place })));
    }
}

/// A `CodeBlock` whose code is text, as a fence.
fn code_block(element: &JsxElement) -> Node {
    let text = |name: &str| element.props.text(name).map(Cow::into_owned);
    let code = element.raw.as_deref().map_or_else(|| code_text(&element.children), str::to_owned);
    let mut meta = Vec::new();
    if let Some(title) = text("filename").or_else(|| text("title")) {
        meta.push(format!("title={}", serde_json::Value::from(title)));
    }
    for name in ["lines", "wrap", "expandable"] {
        meta.extend(element.props.flag(name).then(|| name.to_owned()));
    }
    for name in ["highlight", "focus", "icon"] {
        meta.extend(text(name).map(|value| format!("{name}={}", serde_json::Value::from(value))));
    }
    Node::Fence(Box::new(CodeFence {
        lang: text("language").or_else(|| text("lang")).unwrap_or_default(),
        meta: meta.join(" "),
        code: code.trim_matches('\n').to_owned(),
        place: element.place,
        ..CodeFence::default()
    }))
}

fn only_text(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Text(_) | Node::Code(_) | Node::Break { .. } => true,
        Node::Element(element) => element.name == "code" && only_text(&element.children),
        _ => false,
    })
}

/// `<pre>` with text alone as a fence.
fn fence_of(element: &JsxElement) -> Node {
    let code = element.children.iter().find_map(|node| if let Node::Element(code) = node { Some(code) } else { None });
    let class = code.and_then(|code| code.props.text("className").or_else(|| code.props.text("class")));
    let lang = class
        .and_then(|class| class.split_whitespace().find_map(|name| name.strip_prefix("language-").map(str::to_owned)));
    let text = code_text(&element.children);
    let text = text.strip_prefix('\n').unwrap_or(&text).trim_end().to_owned();
    Node::Fence(Box::new(CodeFence {
        lang: lang.unwrap_or_default(),
        code: text,
        place: element.place,
        ..CodeFence::default()
    }))
}

/// Text with its line breaks.
fn code_text(nodes: &[Node]) -> String {
    let mut out = String::new();
    for node in nodes {
        match node {
            Node::Text(text) | Node::Code(text) => out.push_str(text),
            Node::Break { .. } => out.push('\n'),
            Node::Element(element) => out.push_str(&code_text(&element.children)),
            _ => {}
        }
    }
    out
}

/// Whether an element of code is what backticks make.
fn is_plain_code(element: &JsxElement) -> bool {
    let is_text = |node: &Node| matches!(node, Node::Text(text) if !text.contains('\n') && text.trim() == text);
    element.props.0.is_empty() && element.children.len() == 1 && element.children.iter().all(is_text)
}
