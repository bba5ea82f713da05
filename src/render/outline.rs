//! What must be known of a page before its first word is written: which ids its headings will get (nothing else may
//! take them), and which of its examples and panels go to the right column.

use rustc_hash::{FxHashMap, FxHashSet};

use base::{Place, limits};
use markup::component::{ComponentOutline, find_component};
use markup::slug;
use markup::tree::{BlockKind, JsxElement, MarkdownBlock, Node};
use site::heading_ids::{HeadingIds, docsify_slug, vue_slug};
use site::page::PageMode;

use super::{Renderer, inline};

/// What goes to the right column: a panel takes it all; without one, the last example of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hoist {
    /// Panels of the page.
    pub(crate) panels: u32,
    /// `RequestExample`s that are yet to come.
    pub(crate) requests: u32,
    /// `ResponseExample`s that are yet to come.
    pub(crate) responses: u32,
    /// Being inside the right column.
    pub(crate) inside: bool,
    /// Whether an example of a request, and of a response, stands there that the author has written.
    pub(crate) written: [bool; 2],
}

/// Reads a page's tree for `Renderer::document`.
pub(crate) fn prepare_outline(r: &mut Renderer<'_>, nodes: &[Node]) {
    let mut outline = PageOutline { rule: r.ids.rule, ..PageOutline::default() };
    outline.nodes(nodes, "", 0);
    r.ids.reserve(outline.ids);
    // without a right column everything stays where it is
    if matches!(r.mode, PageMode::Default) {
        r.state.hoist = outline.hoist;
    }
}

impl Renderer<'_> {
    /// Whether the right column has an example of a request, or of a response, that the author has written.
    pub fn has_written_example(&self, of_request: bool) -> bool {
        self.state.hoist.written[usize::from(!of_request)]
    }
}

/// The anchors of headings, steps and updates, with the places of these, in the order of the page.
pub fn anchors(nodes: &[Node]) -> Vec<(Place, String)> {
    let mut outline = PageOutline { found: Some(Vec::new()), ..PageOutline::default() };
    outline.nodes(nodes, "", 0);
    outline.found.unwrap_or_default()
}

#[derive(Default)]
struct PageOutline {
    rule: HeadingIds,
    counts: FxHashMap<String, u32>,
    ids: FxHashSet<String>,
    hoist: Hoist,
    /// `None` if only the ids are needed.
    found: Option<Vec<(Place, String)>>,
}

impl PageOutline {
    fn nodes(&mut self, nodes: &[Node], step_size: &str, depth: usize) {
        if depth >= limits::NESTING {
            return;
        }
        for node in nodes {
            match node {
                Node::Block(block) => self.block(block, step_size, depth),
                Node::Element(element) => self.element(element, step_size, depth),
                Node::Island(island) => self.nodes(&island.children, step_size, depth + 1),
                Node::Part(part) => self.nodes(&part.children, step_size, depth + 1),
                _ => {}
            }
        }
    }

    fn block(&mut self, block: &MarkdownBlock, step_size: &str, depth: usize) {
        match &block.kind {
            BlockKind::Heading { id: Some(id), .. } => self.heading(id.clone(), block.place),
            BlockKind::Heading { .. } => {
                self.heading(slug_by(self.rule, &heading_node_text(&block.children)), block.place)
            }
            BlockKind::Paragraph if block.children.iter().all(|child| !matches!(child, Node::Element(_))) => {}
            _ => self.nodes(&block.children, step_size, depth + 1),
        }
    }

    fn element(&mut self, element: &JsxElement, step_size: &str, depth: usize) {
        let mut step_size = step_size;
        let own_size;
        match find_component(&element.name).map_or(ComponentOutline::Content, |known| known.outline) {
            ComponentOutline::Nothing => return,
            ComponentOutline::Audience if element.props.text("for").as_deref() != Some("humans") => return,
            ComponentOutline::Heading => return self.heading(heading_base(element), element.place),
            ComponentOutline::Update => self.heading(update_base(element), element.place),
            ComponentOutline::Step if is_sized(element.props.text("titleSize").as_deref().unwrap_or(step_size)) => {
                self.heading(step_base(element), element.place)
            }
            ComponentOutline::Steps => {
                own_size = element.props.text("titleSize").unwrap_or_default();
                step_size = &own_size;
            }
            ComponentOutline::Panel => self.hoist.panels += 1,
            ComponentOutline::RequestExample => self.hoist.requests += 1,
            ComponentOutline::ResponseExample => self.hoist.responses += 1,
            ComponentOutline::Content | ComponentOutline::Audience | ComponentOutline::Step => {}
        }
        self.nodes(&element.children, step_size, depth + 1);
    }

    /// The same rule as `PageIds::heading`.
    fn heading(&mut self, base: String, place: Place) {
        if base.is_empty() {
            return;
        }
        let count = self.counts.entry(base.clone()).or_insert(0);
        *count += 1;
        let count = *count;
        let (separator, from) = numbers_by(self.rule);
        let id = match counted(self.rule, &base) {
            Some((stem, number)) => format!("{stem}{separator}{}", number + count - 1),
            None if count == 1 => base,
            None => format!("{base}{separator}{}", count - 2 + from),
        };
        if let Some(found) = &mut self.found {
            found.push((place, id.clone()));
        }
        self.ids.insert(id);
    }
}

/// The text of a heading as anchors and contents see it.
pub(crate) fn heading_node_text(nodes: &[Node]) -> String {
    Node::text_of(nodes)
}

/// The anchor of a heading's text by a rule.
pub fn slug_by(rule: HeadingIds, text: &str) -> String {
    match rule {
        HeadingIds::Own => heading_slug(text),
        HeadingIds::GitHub => slug::github_slug(text),
        HeadingIds::Vue => vue_slug(text),
        HeadingIds::Docsify => docsify_slug(text),
        // one of nothing has a number alone
        HeadingIds::Python(rule) => Some(rule.of(text)).filter(|id| !id.is_empty()).unwrap_or_else(|| "_1".to_owned()),
    }
}

/// What stands before the number of a second heading of the same words, and that number.
pub fn numbers_by(rule: HeadingIds) -> (char, u32) {
    match rule {
        HeadingIds::Own => ('-', 2),
        HeadingIds::GitHub | HeadingIds::Vue | HeadingIds::Docsify => ('-', 1),
        HeadingIds::Python(_) => ('_', 1),
    }
}

/// An anchor that ends in a number which Python-Markdown counts up for the second of its kind: what stands before the
/// number, and that.
pub(crate) fn counted(rule: HeadingIds, base: &str) -> Option<(&str, u32)> {
    let (stem, digits) = base.rsplit_once('_').filter(|_| matches!(rule, HeadingIds::Python(_)))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((stem, digits.parse().ok().filter(|number| is_number && *number < u32::MAX / 2)?))
}

/// The anchor of a heading's text.
pub(crate) fn heading_slug(text: &str) -> String {
    slug::heading_slug(text.trim())
}

/// Whether a step's title is a heading.
pub(crate) fn is_sized(title_size: &str) -> bool {
    matches!(title_size, "h2" | "h3" | "h4")
}

/// The anchor, before counting, of a `Heading`.
pub(crate) fn heading_base(element: &JsxElement) -> String {
    match element.props.text("id") {
        Some(id) => id.trim().to_owned(),
        None => heading_slug(&heading_node_text(&element.children)),
    }
}

/// The anchor, before counting, of an `Update`.
pub(crate) fn update_base(element: &JsxElement) -> String {
    own_or_title(element, "label")
}

/// The anchor, before counting, of a sized `Step`.
pub(crate) fn step_base(element: &JsxElement) -> String {
    own_or_title(element, "title")
}

fn own_or_title(element: &JsxElement, title: &str) -> String {
    match element.props.text("id") {
        Some(id) => id.trim().to_owned(),
        None => heading_slug(&inline::prop_text(&element.props, title)),
    }
}
