//! What nodes say, as one text: equal for trees that show the same, wherever their text stands and however it is
//! broken into lines and pieces.

use markup::tree::{BlockKind, JsxElement, MarkdownBlock, Node};
use render::phrasing::{all_phrasing, is_blank};

use super::jsx;

/// What nodes say.
pub(super) fn canon(nodes: &[Node]) -> String {
    let mut out = Canon::default();
    out.nodes(nodes);
    out.finish()
}

/// What nodes say in a block of a name.
pub(super) fn canon_in(name: &str, nodes: &[Node]) -> String {
    let mut out = Canon::default();
    out.tag(name, nodes);
    out.finish()
}

#[derive(Default)]
struct Canon {
    out: String,
    /// Words that have not been written.
    words: String,
}

impl Canon {
    fn finish(mut self) -> String {
        self.flush();
        self.out
    }

    /// Writes the words so far, with single spaces; those at the edges of what holds them go.
    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        let mut was_space = self.out.ends_with('>') && !self.out.ends_with("</>");
        for c in words.chars() {
            let is_space = matches!(c, ' ' | '\n' | '\t' | '\r');
            match (is_space, was_space) {
                (true, true) => {}
                (true, false) => self.out.push(' '),
                (false, _) => {
                    if matches!(c, '<' | '>' | '\\') {
                        self.out.push('\\');
                    }
                    self.out.push(c);
                    // a sign of text is no sign of a tag
                    if c == '>' {
                        self.out.push('\u{2}');
                    }
                }
            }
            was_space = is_space;
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        // white space between blocks says nothing
        let has_blocks = !all_phrasing(nodes);
        for node in nodes.iter().filter(|node| !has_blocks || !is_blank(std::slice::from_ref(*node))) {
            self.node(node);
        }
    }

    fn tag(&mut self, name: &str, nodes: &[Node]) {
        self.flush();
        self.out.push_str(&format!("<{name}>"));
        self.nodes(nodes);
        self.end();
    }

    fn end(&mut self) {
        self.flush();
        let trimmed_len = self.out.trim_end_matches(' ').len();
        self.out.truncate(trimmed_len);
        self.out.push_str("</>");
    }

    fn atom(&mut self, name: &str, text: &str) {
        self.flush();
        self.out.push_str(&format!("<{name} {text:?}></>"));
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Text(text) => self.words.push_str(text),
            Node::Code(code) => self.atom("code", &code.split_whitespace().collect::<Vec<_>>().join(" ")),
            Node::Html { .. } | Node::Expr(_) => {}
            Node::Break { hard: false } => self.words.push(' '),
            Node::Break { hard: true } => self.tag("br", &[]),
            Node::Rule => self.tag("hr", &[]),
            Node::Fence(fence) => self.atom("fence", &format!("{} {}\n{}", fence.lang, fence.meta, fence.code)),
            Node::Math { tex, .. } => self.atom("math", &tex.split_whitespace().collect::<Vec<_>>().join(" ")),
            Node::FootnoteRef(label) => self.atom("ref", label),
            Node::Block(block) => self.block(block),
            Node::Element(element) => self.element(element),
            Node::Island(island) => self.nodes(&island.children),
            Node::Part(part) => self.nodes(&part.children),
        }
    }

    fn block(&mut self, block: &MarkdownBlock) {
        let nodes = &block.children;
        match &block.kind {
            BlockKind::Paragraph if is_blank(nodes) => {}
            BlockKind::Paragraph => self.tag("paragraph", nodes),
            BlockKind::Heading { level, id } => {
                self.tag(&format!("h{level} {}", id.as_deref().unwrap_or_default()), nodes);
            }
            BlockKind::Quote => self.tag("quote", nodes),
            BlockKind::List { start } => {
                self.tag(&format!("list {}", start.map_or(String::new(), |start| start.to_string())), nodes)
            }
            BlockKind::Item { checked } => self.tag(&format!("item {checked:?}"), nodes),
            BlockKind::Table { align } => {
                let align: Vec<String> = align.iter().map(|align| format!("{align:?}")).collect();
                self.tag(&format!("table {}", align.join(" ")), nodes);
            }
            BlockKind::Row { head } => self.tag(if *head { "row head" } else { "row" }, nodes),
            BlockKind::Cell => self.tag("cell", nodes),
            BlockKind::Emphasis => self.tag("em", nodes),
            BlockKind::Strong => self.tag("strong", nodes),
            BlockKind::Strike => self.tag("del", nodes),
            BlockKind::Link { href, title } => self.tag(&format!("link {href:?} {title:?}"), nodes),
            BlockKind::Image { src, title } => {
                let alt = Node::text_of(nodes);
                let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
                self.atom("image", &format!("{src} {title} {alt}"));
            }
            BlockKind::FootnoteDef { label } => self.tag(&format!("note {label}"), nodes),
        }
    }

    fn element(&mut self, element: &JsxElement) {
        let name = match element.name.as_str() {
            name @ ("em" | "strong" | "del" | "br" | "hr") if element.props.0.is_empty() => name.to_owned(),
            _ => jsx::write_start_tag(element).trim_start_matches('<').replace('>', "\u{1}"),
        };
        self.tag(&name, &element.children);
    }
}
