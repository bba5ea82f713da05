//! What stands in a line: words, marks, links, pictures, elements.
//!
//! A line is written as people write it, and then read again. Marks of emphasis mean something else beside some
//! characters; a line that does not come back as it was gets elements in their place.

use base::FileId;
use base::cut::SliceText as _;
use base::html::is_void;
use markup::tree::{BlockKind, JsxElement, MarkdownBlock, Node};
use markup::{parse_mdx_as_written, push_linked};
use render::phrasing::is_blank;

use super::canon::{canon, canon_in};
use super::jsx;
use super::text::{TextSurroundings, link_title, mdx_link_destination, push_code, push_escaped, without_block_starts};

/// The text of a paragraph.
pub(super) fn paragraph_to_mdx(nodes: &[Node]) -> String {
    let write = |is_safe: bool| {
        let mut line = InlineLine { is_safe, ..InlineLine::of(nodes) };
        line.nodes(nodes, None);
        without_block_starts(line.finish().trim())
    };
    let reads =
        |text: &str| canon(&parse_mdx_as_written(text, FileId::default(), 1).nodes) == canon_in("paragraph", nodes);
    first_that_reads(nodes, write, reads)
}

/// The text of a heading, of one line.
pub(super) fn heading_to_mdx(nodes: &[Node]) -> String {
    let write = |is_safe: bool| {
        let mut line = InlineLine { is_safe, on_one_line: true, ..InlineLine::of(nodes) };
        line.nodes(nodes, None);
        let mut text = line.finish().trim().to_owned();
        // marks at the end of a heading close it
        if text.ends_with('#') {
            text.insert(text.trim_end_matches('#').len(), '\\');
        }
        text
    };
    let reads = |text: &str| match parse_mdx_as_written(&format!("# {text}"), FileId::default(), 1).nodes.as_slice() {
        [Node::Block(block)] if matches!(block.kind, BlockKind::Heading { id: None, .. }) => {
            canon_in("heading", &block.children) == canon_in("heading", nodes)
        }
        _ => false,
    };
    first_that_reads(nodes, write, reads)
}

/// The text of a cell.
pub(super) fn cell(nodes: &[Node]) -> String {
    let write = |is_safe: bool| {
        let line = InlineLine::of(nodes);
        let around = TextSurroundings { in_cell: true, ..line.around };
        let mut line = InlineLine { is_safe, on_one_line: true, around, ..line };
        line.nodes(nodes, None);
        line.finish().trim().to_owned()
    };
    let reads = |text: &str| {
        let table = parse_mdx_as_written(&format!("| {text} |\n| --- |"), FileId::default(), 1).nodes;
        canon(&table) == format!("<table None><row head>{}</></>", canon_in("cell", nodes))
    };
    first_that_reads(nodes, write, reads)
}

fn first_that_reads(nodes: &[Node], write: impl Fn(bool) -> String, reads: impl Fn(&str) -> bool) -> String {
    let text = write(false);
    // without its note, the mark of a footnote reads as text
    if has_notes(nodes) || reads(&text) { text } else { write(true) }
}

fn has_notes(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::FootnoteRef(_) => true,
        Node::Block(block) => has_notes(&block.children),
        Node::Element(element) => has_notes(&element.children),
        _ => false,
    })
}

/// A line of words, without escapes for what it may begin with.
pub(super) fn words_to_mdx(nodes: &[Node]) -> String {
    let mut line = InlineLine { on_one_line: true, ..InlineLine::of(nodes) };
    line.nodes(nodes, None);
    line.finish()
}

#[derive(Default)]
struct InlineLine {
    out: String,
    around: TextSurroundings,
    /// Marks are written as elements, and more is escaped.
    is_safe: bool,
    on_one_line: bool,
    in_link: bool,
}

impl InlineLine {
    fn of(nodes: &[Node]) -> Self {
        let text = Node::text_of(nodes);
        let count = |mark: char| text.matches(mark).take(2).count();
        let around = TextSurroundings { has_dollars: count('$') > 1, has_tildes: count('~') > 1, in_cell: false };
        Self { around, ..Self::default() }
    }

    /// What was written, without breaks at its end, which would break nothing.
    fn finish(self) -> String {
        let mut out = self.out;
        while let Some(rest) = out.strip_suffix("\\\n") {
            out.truncate(rest.len());
        }
        out
    }

    /// `after`: the first character of what follows, if something does.
    fn nodes(&mut self, nodes: &[Node], after: Option<char>) {
        for (at, node) in nodes.iter().enumerate() {
            let rest = &nodes[at + 1..];
            let next = rest.iter().find_map(first_char).or(after);
            let is_beside_tag = |node: Option<&Node>| matches!(node, Some(Node::Element(_) | Node::Html { .. }));
            match node {
                // a tag alone in its line would be a block
                Node::Break { hard: false } => {
                    let stays = is_beside_tag(rest.first()) || is_beside_tag(at.checked_sub(1).map(|at| &nodes[at]));
                    self.push_break(stays);
                }
                node => self.node(node, next),
            }
        }
    }

    fn push_break(&mut self, stays_on_line: bool) {
        let trimmed_len = self.out.trim_end_matches(' ').len();
        self.out.truncate(trimmed_len);
        self.out.push(if stays_on_line || self.on_one_line { ' ' } else { '\n' });
    }

    fn node(&mut self, node: &Node, next: Option<char>) {
        match node {
            Node::Text(text) => self.text(text, next),
            Node::Code(code) => push_code(&mut self.out, code, self.around.in_cell),
            Node::Break { .. } if self.on_one_line => self.out.push_str("<br />"),
            Node::Break { .. } => {
                let trimmed_len = self.out.trim_end_matches(' ').len();
                self.out.truncate(trimmed_len);
                self.out.push_str("\\\n");
            }
            Node::Math { display, tex, .. } => {
                let mark = if *display || next.is_some_and(|next| next.is_ascii_digit()) { "$$" } else { "$" };
                let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
                self.out.push_str(&format!("{mark}{tex}{mark}"));
            }
            Node::FootnoteRef(label) => self.out.push_str(&format!("[^{label}]")),
            Node::Html { markup, .. } => self.out.push_str(&comment_to_mdx(markup)),
            Node::Fence(fence) => push_code(&mut self.out, &fence.code, self.around.in_cell),
            Node::Rule => {}
            Node::Block(block) => self.block(block, next),
            Node::Element(element) => self.element(element),
            Node::Island(island) => self.nodes(&island.children, next),
            Node::Part(part) => self.nodes(&part.children, next),
            Node::Expr(_) => {}
        }
    }

    fn text(&mut self, text: &str, next: Option<char>) {
        let flat;
        let text = if text.contains('\n') {
            flat = text.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
            &flat
        } else {
            text
        };
        let is_at_start = self.out.is_empty() || self.out.ends_with('\n');
        let text = if is_at_start { text.trim_start_matches([' ', '\t']) } else { text };
        let around = TextSurroundings {
            has_dollars: self.around.has_dollars || self.is_safe,
            has_tildes: self.around.has_tildes || self.is_safe,
            ..self.around
        };
        push_escaped(&mut self.out, text, next, around);
    }

    fn block(&mut self, block: &MarkdownBlock, next: Option<char>) {
        match &block.kind {
            BlockKind::Emphasis => self.marked(&["*", "_"], "em", &block.children, next),
            BlockKind::Strong => self.marked(&["**"], "strong", &block.children, next),
            BlockKind::Strike => self.marked(&["~~"], "del", &block.children, next),
            BlockKind::Link { href, title } => self.link(href, title, &block.children),
            BlockKind::Image { src, title } => {
                self.out.push_str("![");
                let alt = Node::text_of(&block.children);
                push_escaped(
                    &mut self.out,
                    &alt.split_whitespace().collect::<Vec<_>>().join(" "),
                    Some(']'),
                    self.around,
                );
                self.out.push_str(&format!(
                    "]({}{})",
                    mdx_link_destination(src),
                    link_title(title, self.around.in_cell)
                ));
            }
            // blocks in a line
            BlockKind::Paragraph if block.children.iter().all(|child| !matches!(child, Node::Fence(_))) => {
                self.nodes(&block.children, next);
                self.out.push(' ');
            }
            _ => self.out.push_str(&jsx::static_node(&Node::Block(Box::new(block.clone())))),
        }
    }

    /// Words between two marks, the first of these that mean it here, or in an element.
    fn marked(&mut self, marks: &[&str], name: &str, nodes: &[Node], next: Option<char>) {
        if is_blank(nodes) {
            return self.nodes(nodes, next);
        }
        let inside = self.inside(nodes);
        let words = inside.trim();
        let (lead, trail) = edges(&inside);
        self.push_space(lead);
        let before = self.out.chars().next_back();
        let after = trail.chars().next().or(next);
        let mark = marks.iter().find(|mark| !self.is_safe && flanks(before, mark, words, after));
        match mark {
            Some(mark) => self.out.push_str(&format!("{mark}{words}{mark}")),
            None => self.out.push_str(&format!("<{name}>{words}</{name}>")),
        }
        self.out.push_str(trail);
    }

    /// Nodes written apart.
    fn inside(&self, nodes: &[Node]) -> String {
        let Self { around, is_safe, on_one_line, in_link, .. } = *self;
        // behind a letter, so that white space at the start stays
        let mut line = Self { out: "x".to_owned(), around, is_safe, on_one_line, in_link };
        line.nodes(nodes, None);
        line.finish().slice(1..).to_owned()
    }

    fn link(&mut self, href: &str, title: &str, nodes: &[Node]) {
        if let ([Node::Text(text)], "", false) = (nodes, title, self.is_safe || self.in_link)
            && !self.out.ends_with(|c: char| c.is_alphanumeric())
            && is_bare(text, href)
        {
            return self.out.push_str(text);
        }
        let outer = std::mem::replace(&mut self.in_link, true);
        let inside = self.inside(nodes);
        self.in_link = outer;
        let words = inside.trim();
        let (lead, trail) = edges(&inside);
        self.push_space(lead);
        let title = link_title(title, self.around.in_cell);
        self.out.push_str(&format!("[{words}]({}{title}){trail}", mdx_link_destination(href)));
    }

    /// White space, unless there is some already.
    fn push_space(&mut self, space: &str) {
        if !self.out.is_empty() && !self.out.ends_with([' ', '\n']) {
            self.out.push_str(space);
        }
    }

    fn element(&mut self, element: &JsxElement) {
        if matches!(element.name.as_str(), "svg" | "style" | "pre") {
            return self.out.push_str(&jsx::static_node(&Node::Element(Box::new(element.clone()))));
        }
        let start = jsx::write_start_tag(element);
        self.out.push_str(&start);
        if element.children.is_empty() || is_void(&element.name) {
            return self.out.push_str(" />");
        }
        self.out.push('>');
        let outer = std::mem::replace(&mut self.on_one_line, true);
        let inside = self.inside(&element.children);
        self.on_one_line = outer;
        self.out.push_str(&inside);
        self.out.push_str(&format!("</{}>", element.name));
    }
}

/// The white space at the edges of a text, on one line.
fn edges(text: &str) -> (&'static str, &'static str) {
    if text.trim().is_empty() {
        return ("", "");
    }
    let space = |is_there: bool| if is_there { " " } else { "" };
    (space(text.starts_with(char::is_whitespace)), space(text.ends_with(char::is_whitespace)))
}

/// Whether an address alone, in text, is a link to it.
fn is_bare(text: &str, href: &str) -> bool {
    let mut nodes = Vec::new();
    push_linked(text, &mut nodes)
        && matches!(nodes.as_slice(), [Node::Block(block)] if matches!(&block.kind, BlockKind::Link { href: found, .. } if found == href))
        && !text.contains(['*', '_', '~', '`', '{', '<', '[', '\\', '$'])
}

/// Whether marks around words open and close there, by the rules of CommonMark.
fn flanks(before: Option<char>, mark: &str, words: &str, after: Option<char>) -> bool {
    let sign = mark.chars().next().unwrap_or('*');
    let (Some(first), Some(last)) = (words.chars().next(), words.chars().next_back()) else { return false };
    let is_punctuation = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    let is_apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let meets = [before, Some(first), Some(last), after].contains(&Some(sign));
    let opens = !is_punctuation(first) || is_apart(before);
    let closes = !is_punctuation(last) || is_apart(after);
    let is_word = sign != '_' || is_apart(before) && is_apart(after);
    !meets && opens && closes && is_word
}

/// The first character that a node is written with.
fn first_char(node: &Node) -> Option<char> {
    Some(match node {
        Node::Text(text) => text.chars().next()?,
        Node::Code(_) | Node::Fence(_) => '`',
        Node::Break { hard } => {
            if *hard {
                '\\'
            } else {
                ' '
            }
        }
        Node::Math { .. } => '$',
        Node::FootnoteRef(_) => '[',
        Node::Block(block) => match block.kind {
            BlockKind::Emphasis | BlockKind::Strong => '*',
            BlockKind::Strike => '~',
            BlockKind::Link { .. } => '[',
            BlockKind::Image { .. } => '!',
            _ => return block.children.iter().find_map(first_char),
        },
        Node::Element(_) | Node::Html { .. } => '<',
        Node::Island(island) => return island.children.iter().find_map(first_char),
        Node::Part(part) => return part.children.iter().find_map(first_char),
        Node::Rule | Node::Expr(_) => return None,
    })
}

/// A comment of HTML as one of MDX.
pub(super) fn comment_to_mdx(markup: &str) -> String {
    let inside = markup.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")).unwrap_or(markup);
    format!("{{/*{}*/}}", inside.replace("*/", "* /"))
}
