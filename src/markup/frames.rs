//! What is open while events become a tree, what becomes of its children when it ends, and where the text stands.

use std::cell::OnceCell;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use base::cut::SliceText as _;
use base::{Place, html};

use super::tree::{BlockKind, CodeFence, JsxElement, Node};

/// A kind of node that is open while the tree is built.
pub(super) enum FrameKind {
    Root,
    Block(BlockKind),
    Fence(CodeFence),
    /// A JSX element; the offset of its content in the source, if the source text is needed.
    Jsx(Box<JsxElement>, Option<usize>),
}

/// An open construct, and its children so far.
pub(super) struct OpenFrame {
    pub(super) kind: FrameKind,
    pub(super) children: Vec<Node>,
    pub(super) place: Place,
}

impl OpenFrame {
    pub(super) fn is_heading(&self) -> bool {
        matches!(self.kind, FrameKind::Block(BlockKind::Heading { .. }))
    }
}

/// What is known of the HTML around the place that is being read.
#[derive(Debug, Default)]
pub(super) struct Owned {
    /// Where the element ends that was taken as a whole last: what the parser finds before is its content.
    pub(super) end: usize,
    /// Where each of the open Markdown constructs ends.
    pub(super) ends: Vec<usize>,
    /// The lines of the block of HTML so far: they belong together.
    pub(super) block: String,
    /// Where the node starts.
    pub(super) place: Place,
    /// Lines of which none is empty.
    pub(super) filled: Range<usize>,
    /// Names of elements that are not closed before an offset: they are not looked for again.
    pub(super) unclosed: FxHashMap<String, usize>,
}

/// Where the events are in the scanned text. They come in order, but for link targets.
pub(super) struct EventCursor {
    /// Position of the line in the scanned lines.
    line: usize,
    /// A known offset in it, and its column.
    known: (usize, u32),
}

impl Default for EventCursor {
    fn default() -> Self {
        Self { line: 0, known: (0, 1) }
    }
}

impl EventCursor {
    /// The place of an offset in `text`, whose `lines` start at these offsets.
    pub(super) fn place(&mut self, lines: &[(usize, Place)], text: &str, offset: usize) -> Place {
        if lines.get(self.line).is_some_and(|(start, _)| *start > offset) {
            self.line = lines.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        }
        while lines.get(self.line + 1).is_some_and(|(start, _)| *start <= offset) {
            self.line += 1;
        }
        let Some((start, mut place)) = lines.get(self.line).copied() else { return Place::default() };
        // a line may be as long as the page: only what is new is counted
        let (from, column) = if (start..=offset).contains(&self.known.0) { self.known } else { (start, place.column) };
        let read = text.get(from..offset).unwrap_or_default();
        // a line is known from behind the markers of its lists, quotes and footnotes on: these are its own, too
        let next = lines.get(self.line + 1).filter(|_| memchr::memchr(b'\n', read.as_bytes()).is_some());
        if let Some((start, mut place)) = next.copied() {
            let markers = text.get(offset..start).map_or(0, |text| text.chars().count() as u32);
            place.column = place.column.saturating_sub(markers).max(1);
            return place;
        }
        place.column = column + read.chars().count() as u32;
        self.known = (offset, place.column);
        place
    }
}

/// The names in the closing tags of a text, read at the first question.
pub(super) struct ClosingTags<'a> {
    source: &'a str,
    names: OnceCell<FxHashSet<&'a str>>,
}

impl<'a> ClosingTags<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, names: OnceCell::new() }
    }

    /// Whether the text holds a closing tag of this name at all.
    pub(super) fn have(&self, name: &str) -> bool {
        let names = self.names.get_or_init(|| {
            let starts = memchr::memmem::find_iter(self.source.as_bytes(), b"</").map(|at| self.source.slice(at + 2..));
            let end = |rest: &str| rest.find(|c: char| c == '>' || c.is_whitespace()).unwrap_or(rest.len());
            starts.map(|rest| rest.slice(..end(rest))).collect()
        });
        names.contains(name)
    }
}

/// The name of the element that carries a heading's own id until the heading ends.
pub(super) const HEADING_ID: &str = "#id";

pub(super) fn take_heading_id(children: &mut Vec<Node>, id: &mut Option<String>) {
    if let Some(Node::Element(element)) = children.last()
        && element.name == HEADING_ID
    {
        *id = element.raw.as_deref().map(str::to_owned).filter(|id| !id.is_empty());
        children.pop();
    }
    while let Some(Node::Text(text)) = children.last_mut() {
        text.truncate(text.trim_end().len());
        if !text.is_empty() {
            break;
        }
        children.pop();
    }
}

/// A `<summary>` at the start of a paragraph, because its author left no blank line behind it, is none of the
/// paragraph's words.
pub(super) fn lead_with_summary(children: &mut Vec<Node>) {
    let Some(first) = children.iter().position(|child| !is_blank(child)) else { return };
    let Node::Block(paragraph) = &mut children[first] else { return };
    let at = paragraph.children.iter().position(|child| !is_blank(child));
    let is_summary = |node: &Node| matches!(node, Node::Element(element) if element.name == "summary");
    let Some(at) = at.filter(|at| paragraph.kind == BlockKind::Paragraph && is_summary(&paragraph.children[*at]))
    else {
        return;
    };
    let mut rest = paragraph.children.split_off(at + 1);
    let text = rest.iter().position(|child| !is_blank(child)).unwrap_or(rest.len());
    rest.drain(..text);
    let summary = paragraph.children.pop();
    paragraph.children = rest;
    if paragraph.children.is_empty() {
        children.remove(first);
    }
    children.splice(first..first, summary);
}

/// A part of a list of terms, as other generators write it (`Term`, below it `: What it means`).
pub(super) fn terms(name: &str) -> FrameKind {
    FrameKind::Jsx(Box::new(JsxElement { name: name.to_owned(), ..JsxElement::default() }), None)
}

pub(super) fn is_jsx(frame: &OpenFrame) -> bool {
    matches!(frame.kind, FrameKind::Jsx(..))
}

pub(super) fn is_blank(node: &Node) -> bool {
    match node {
        Node::Text(text) => text.trim().is_empty(),
        Node::Break { .. } => true,
        _ => false,
    }
}

/// A paragraph of nothing but elements and expressions is no paragraph.
pub(super) fn is_only_jsx(children: &[Node]) -> bool {
    let jsx = |node: &Node| matches!(node, Node::Element(_) | Node::Expr(_)) || is_display_math(node);
    children.iter().any(jsx) && children.iter().all(|node| jsx(node) || is_blank(node))
}

/// Where other generators put a page's contents; ours stand beside it.
pub(super) fn is_place_of_contents(children: &[Node]) -> bool {
    matches!(children, [Node::Text(text)] if ["[toc]", "[[toc]]", "[[_toc_]]"].contains(&text.trim().to_ascii_lowercase().as_str()))
}

/// Math that stands in a row of its own.
pub(super) fn is_display_math(node: &Node) -> bool {
    matches!(node, Node::Math { display: true, .. })
}

/// Whether an element that nothing closes is a word in angle brackets. What begins with a capital letter may be a
/// component, which is only known later.
pub(super) fn is_word(element: &JsxElement) -> bool {
    element.name.starts_with(|c: char| c.is_lowercase())
        && match html::is_html_tag(&element.name) {
            true => element.props.0.is_empty() && element.inline && html::may_be_word(&element.name),
            false => element.as_words().is_some(),
        }
}

/// The form in which labels are compared: without differences of case and white space.
pub(super) fn fold_label(label: &str) -> String {
    let words = label.split_whitespace().collect::<Vec<_>>().join(" ");
    // by way of the capitals, `ß` is `ss`, and the two small sigmas are one letter
    words.to_uppercase().to_lowercase()
}
