//! The tree of a page as MDX source: what a migration writes.
//!
//! 1. [`prepare_nodes`] turns what only plain Markdown or another tool has into what MDX has: raw HTML into elements,
//!    names of attributes into those of JSX.
//! 2. [`MigratedText`] holds the lines that the author wrote. A block whose lines mean the same in MDX, with the
//!    addresses of its links replaced, stays as it is: people go on editing these files, and most of what they wrote is
//!    in both formats the same.
//! 3. [`MdxWriter`] writes all other blocks from the tree, their lines broken where they were. Paragraphs, headings and
//!    cells are read again after they are written (`inline`).
//!
//! The tree decides what a page says, so that nothing depends on how a tool spells it; rewriting the text alone would
//! need another parser for each tool, and could not tell whether what it wrote means the same.

mod canon;
mod inline;
mod jsx;
mod page_text;
mod prepare;
mod style;
mod text;

#[cfg(test)]
mod tests;

use base::html::is_void;
use base::lines::fence_around;
use markup::component::{RawContent, find_component};
use markup::tree::{Align, BlockKind, CodeFence, JsxElement, MarkdownBlock, Node};
use render::phrasing::{all_phrasing, is_blank, is_phrasing};

pub(crate) use page_text::MigratedText;
pub(crate) use prepare::{Lost, prepare_nodes, show_emoji};

/// How far the content of an element stands in.
const INDENT: &str = "  ";

/// The slug of a heading's text as a page of this format has it: with the text read again, typographic signs and all.
pub(crate) fn mdx_heading_text(nodes: &[Node]) -> String {
    let text = format!("# {}", inline::heading_to_mdx(nodes));
    let read = markup::parse_mdx(&text, base::FileId::default(), 1).nodes;
    Node::text_of(&read)
}

/// Writes MDX.
pub(crate) struct MdxWriter<'a> {
    source: Option<&'a MigratedText<'a>>,
}

impl<'a> MdxWriter<'a> {
    /// `source`: the lines that its author wrote; `None`: all is written from the tree.
    pub(crate) fn new(source: Option<&'a MigratedText<'a>>) -> Self {
        Self { source }
    }

    /// A whole page, with the line end.
    pub(crate) fn page(&self, nodes: &[Node]) -> String {
        let mut text = self.flow(nodes, self.source.map(MigratedText::end));
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    /// Blocks with a free line between them; words among them become paragraphs. `end`: the line behind the last of
    /// them, if it is known.
    fn flow(&self, nodes: &[Node], end: Option<u32>) -> String {
        self.blocks(nodes, end).join("\n\n")
    }

    fn blocks(&self, nodes: &[Node], end: Option<u32>) -> Vec<String> {
        let following = self.following(nodes, end);
        let mut out: Vec<String> = Vec::new();
        let mut at = 0;
        let mut list_before = None;
        while at < nodes.len() {
            let words = nodes[at..].iter().take_while(|node| is_phrasing(node) && !is_alone(node)).count();
            let (text, list) = if words > 0 {
                let run = &nodes[at..at + words];
                at += words;
                if is_blank(run) {
                    continue;
                }
                (inline::paragraph_to_mdx(run), None)
            } else {
                at += 1;
                self.block(&nodes[at - 1], following[at - 1], list_before)
            };
            if !text.trim().is_empty() {
                out.push(text);
                list_before = list;
            }
        }
        out
    }

    /// For each node, the line at which the next one begins whose line is known.
    fn following(&self, nodes: &[Node], end: Option<u32>) -> Vec<Option<u32>> {
        let mut next = end;
        let mut out = vec![None; nodes.len()];
        for (at, node) in nodes.iter().enumerate().rev() {
            out[at] = next;
            next = self.source.and_then(|source| source.line_of(node)).or(next);
        }
        out
    }

    /// A block; for a list, what the next list must know to be another one.
    fn block(&self, node: &Node, next: Option<u32>, before: Option<MigratedList>) -> (String, Option<MigratedList>) {
        let text = match node {
            Node::Rule => "---".to_owned(),
            Node::Fence(fence) => fence_text(fence),
            Node::Math { tex, .. } => format!("$$\n{}\n$$", tex.trim()),
            Node::Html { markup, .. } => inline::comment_to_mdx(markup),
            Node::Element(element) => self.element(element, next),
            Node::Block(block) => return self.markdown(block, next, before),
            Node::Island(island) => self.flow(&island.children, None),
            Node::Part(part) => self.flow(&part.children, None),
            node => inline::paragraph_to_mdx(std::slice::from_ref(node)),
        };
        (text, None)
    }

    fn markdown(
        &self,
        block: &MarkdownBlock,
        next: Option<u32>,
        before: Option<MigratedList>,
    ) -> (String, Option<MigratedList>) {
        let list = matches!(block.kind, BlockKind::List { .. }).then(|| MigratedList::behind(&block.kind, before));
        // a list beside another one needs other marks
        let may_keep = list.is_none_or(|list| !list.is_other);
        if let Some(lines) = self.source.filter(|_| may_keep).and_then(|source| source.lines(block, next)) {
            return (lines, list);
        }
        let text = match &block.kind {
            BlockKind::Paragraph if !all_phrasing(&block.children) => self.flow(&block.children, None),
            BlockKind::Paragraph => inline::paragraph_to_mdx(&block.children),
            BlockKind::Heading { level, id } => heading_text_line(*level, id.as_deref(), &block.children),
            BlockKind::Quote => prefixed(&self.flow(&block.children, None), "> ", ">"),
            BlockKind::List { .. } => self.list(list.unwrap_or_default(), &block.children),
            BlockKind::Table { align } => table_to_mdx(align, &block.children),
            BlockKind::FootnoteDef { label } => {
                let text = self.flow(&block.children, None);
                hanging(&format!("[^{label}]: "), "    ", &text)
            }
            BlockKind::Item { .. } | BlockKind::Row { .. } | BlockKind::Cell => self.flow(&block.children, None),
            _ => inline::paragraph_to_mdx(std::slice::from_ref(&Node::Block(Box::new(block.clone())))),
        };
        (text, list)
    }

    fn list(&self, list: MigratedList, items: &[Node]) -> String {
        let items: Vec<&MarkdownBlock> =
            items.iter().filter_map(|item| if let Node::Block(item) = item { Some(&**item) } else { None }).collect();
        let is_paragraph = |node: &Node| matches!(node, Node::Block(block) if block.kind == BlockKind::Paragraph);
        // without a free line before it, a table would be words of the block before
        let is_table =
            |node: &Node| matches!(node, Node::Block(block) if matches!(block.kind, BlockKind::Table { .. }));
        let is_loose = items
            .iter()
            .any(|item| item.children.iter().any(is_paragraph) || item.children.iter().skip(1).any(is_table));
        let gap = if is_loose { "\n\n" } else { "\n" };
        let tree_writer = MdxWriter::new(None);
        let mut out: Vec<String> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let mark = list.mark(index as u64);
            let task = match item.kind {
                BlockKind::Item { checked: Some(true) } => "[x] ",
                BlockKind::Item { checked: Some(false) } => "[ ] ",
                _ => "",
            };
            let mut text = tree_writer.blocks(&item.children, None).join(gap);
            if text.starts_with("---") {
                text.replace_range(..3, "***");
            }
            out.push(hanging(&format!("{mark}{task}"), &" ".repeat(mark.len()), &text));
        }
        out.join(gap)
    }

    fn element(&self, element: &JsxElement, next: Option<u32>) -> String {
        let start = jsx::write_start_tag(element);
        let name = &element.name;
        if let Some(fence) = as_fence(element) {
            return fence_text(&fence);
        }
        match name.as_str() {
            // Markdown would break their lines
            "svg" | "pre" => return jsx::static_node(&Node::Element(Box::new(element.clone()))),
            "style" => return style_element(element),
            _ => {}
        }
        let is_raw = find_component(name).is_some_and(|known| known.raw_content == RawContent::Always);
        if let Some(raw) = element.raw.as_deref().filter(|_| is_raw) {
            return format!("{start}>\n{}\n</{name}>", indent_mdx(raw.trim_matches('\n')));
        }
        if is_blank(&element.children) || is_void(name) {
            return format!("{start} />");
        }
        if all_phrasing(&element.children) {
            let words = inline::words_to_mdx(&element.children);
            return format!("{start}>{}</{name}>", words.trim());
        }
        let end = self.source.and_then(|source| source.end_of(element, next));
        format!("{start}>\n{}\n</{name}>", indent_mdx(&self.flow(&element.children, end)))
    }
}

/// A list and what tells it from the one right before it.
#[derive(Clone, Copy, Debug, Default)]
struct MigratedList {
    start: Option<u64>,
    is_other: bool,
}

impl MigratedList {
    /// The list of a kind behind another one.
    fn behind(kind: &BlockKind, before: Option<Self>) -> Self {
        let start = if let BlockKind::List { start } = kind { *start } else { None };
        let is_alike = |before: Self| before.start.is_some() == start.is_some() && !before.is_other;
        Self { start, is_other: before.is_some_and(is_alike) }
    }

    fn mark(self, index: u64) -> String {
        let sign = if self.is_other { ')' } else { '.' };
        match self.start {
            Some(start) => format!("{}{sign} ", start.saturating_add(index)),
            None if self.is_other => "* ".to_owned(),
            None => "- ".to_owned(),
        }
    }
}

/// Whether a node that may stand in a sentence is a block here: an element that its author put apart.
fn is_alone(node: &Node) -> bool {
    match node {
        Node::Element(element) => !element.inline,
        Node::Html { .. } => true,
        _ => false,
    }
}

/// A `CodeBlock` with nothing but a title around one fence, as that fence.
fn as_fence(element: &JsxElement) -> Option<CodeFence> {
    if element.name != "CodeBlock" {
        return None;
    }
    let [Node::Fence(fence)] = element.children.as_slice() else { return None };
    let known = |name: &str| matches!(name, "filename" | "title" | "language" | "lang");
    element.props.0.iter().all(|(name, _)| known(name)).then_some(())?;
    let mut fence = (**fence).clone();
    if let Some(title) = element.props.text("filename").or_else(|| element.props.text("title")) {
        let meta = format!("title={:?} {}", title, fence.meta);
        fence.meta = meta.trim().to_owned();
    }
    Some(fence)
}

fn style_element(element: &JsxElement) -> String {
    let css = Node::text_of(&element.children).replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
    format!("{}>{{`{}`}}</style>", jsx::write_start_tag(element), css.trim_end())
}

fn heading_text_line(level: u8, id: Option<&str>, nodes: &[Node]) -> String {
    let marks = "#".repeat(usize::from(level.clamp(1, 6)));
    let id = id.map(|id| format!(" {{#{id}}}")).unwrap_or_default();
    format!("{marks} {}{id}", inline::heading_to_mdx(nodes))
}

fn fence_text(fence: &CodeFence) -> String {
    let lang = if fence.lang.is_empty() && !fence.meta.is_empty() { "text" } else { &fence.lang };
    let info = format!("{lang} {}", fence.meta).replace('\n', " ");
    // backticks in the line that opens a fence would make it none
    let ticks = fence_around(fence.code.lines(), if info.contains('`') { '~' } else { '`' });
    let code = if fence.code.is_empty() { String::new() } else { format!("{}\n", fence.code) };
    format!("{ticks}{}\n{code}{ticks}", info.trim())
}

fn table_to_mdx(align: &[Align], rows: &[Node]) -> String {
    let cells = |row: &Node| -> Vec<String> {
        let Node::Block(row) = row else { return Vec::new() };
        let cell =
            |cell: &Node| if let Node::Block(cell) = cell { inline::cell(&cell.children) } else { String::new() };
        row.children.iter().map(cell).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut out: Vec<String> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let cell = |column: usize| row.get(column).map_or("", String::as_str);
        out.push(format!("| {} |", (0..width).map(cell).collect::<Vec<_>>().join(" | ")));
        if index == 0 {
            let rule = |column: usize| match align.get(column) {
                Some(Align::Left) => ":--",
                Some(Align::Center) => ":-:",
                Some(Align::Right) => "--:",
                _ => "---",
            };
            out.push(format!("| {} |", (0..width).map(rule).collect::<Vec<_>>().join(" | ")));
        }
    }
    out.join("\n")
}

fn indent_mdx(text: &str) -> String {
    prefixed(text, INDENT, "")
}

/// Text with something before each of its lines.
fn prefixed(text: &str, before: &str, before_empty: &str) -> String {
    let line = |line: &str| if line.is_empty() { before_empty.to_owned() } else { format!("{before}{line}") };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Text behind a mark; its further lines stand in as far as `indent`.
fn hanging(mark: &str, indent: &str, text: &str) -> String {
    let text = prefixed(text, indent, "");
    format!("{mark}{}", text.strip_prefix(indent).unwrap_or(&text)).trim_end().to_owned()
}
