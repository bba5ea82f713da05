//! The anchors of headings. Tools make them by rules of their own; a heading whose anchor would change says it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::migrate::mdx::{self, mdx_heading_text};
use base::Diagnostic;
use markup::slug::{custom_id, heading_slug};
use markup::tree::{BlockKind, JsxElement, Node, PropValue};
use render::{numbers_by, slug_by};
use site::heading_ids::HeadingIds;
use site::page::Dialect;

/// Gives headings the anchors that they have in the source. `title`: which of the nodes will be no heading any more.
/// Returns its anchor.
pub(super) fn keep_anchors(
    nodes: &mut [Node],
    title: Option<usize>,
    (rule, dialect): (HeadingIds, Dialect),
    mut report: impl FnMut(Diagnostic),
    file: &str,
) -> Option<String> {
    let mut keeper = Keeper {
        rule,
        dialect,
        old: GivenAnchors::default(),
        new: GivenAnchors::default(),
        lost: Vec::new(),
        is_title: false,
    };
    let mut title_anchor = None;
    for (at, node) in nodes.iter_mut().enumerate() {
        keeper.is_title = title == Some(at);
        let anchor = keeper.node(node);
        if keeper.is_title {
            title_anchor = anchor;
        }
    }
    for (anchor, line) in keeper.lost {
        let message = format!("the anchor `#{anchor}` of a heading cannot be written; it gets another one");
        report(
            Diagnostic::new("migrate-anchor", message)
                .at(file, line, 0)
                .hint("links to it lead to the top of the page"),
        );
    }
    title_anchor
}

/// Anchors that are given.
#[derive(Default)]
struct GivenAnchors {
    taken: FxHashSet<String>,
    /// The first number that may be free, by the name before it.
    next: FxHashMap<String, u32>,
}

impl GivenAnchors {
    /// The anchor that the next heading with this base gets.
    fn next(&mut self, base: &str, rule: HeadingIds) -> String {
        if !self.taken.contains(base) {
            return base.to_owned();
        }
        let (separator, from) = numbers_by(rule);
        let number = self.next.entry(base.to_owned()).or_insert(from);
        while self.taken.contains(&format!("{base}{separator}{number}")) {
            *number += 1;
        }
        format!("{base}{separator}{number}")
    }
}

struct Keeper {
    rule: HeadingIds,
    dialect: Dialect,
    old: GivenAnchors,
    new: GivenAnchors,
    lost: Vec<(String, u32)>,
    is_title: bool,
}

impl Keeper {
    /// The anchor of a node, if it is a heading; those in it are kept too.
    fn node(&mut self, node: &mut Node) -> Option<String> {
        match node {
            Node::Block(block) => {
                if let BlockKind::Heading { id, .. } = &mut block.kind {
                    let base = match id {
                        Some(id) => id.clone(),
                        None => slug_by(self.rule, &self.text_of(&block.children)),
                    };
                    let anchor = self.anchor(base)?;
                    if self.is_title {
                        return Some(anchor);
                    }
                    mdx::show_emoji(&mut block.children);
                    let own = id.clone().unwrap_or_else(|| heading_slug(&mdx_heading_text(&block.children)));
                    *id = self.written(&anchor, &own, block.place.line).or_else(|| id.take());
                    return Some(anchor);
                }
                block.children.iter_mut().for_each(|child| drop(self.node(child)));
            }
            Node::Element(element) if is_heading(&element.name) => return self.element(element),
            Node::Element(element) => element.children.iter_mut().for_each(|child| drop(self.node(child))),
            _ => {}
        }
        None
    }

    /// A heading that is a tag: in MDX it has the anchor that its author gave it alone, here and there.
    fn element(&mut self, element: &mut JsxElement) -> Option<String> {
        let own = element.props.text("id").map(std::borrow::Cow::into_owned);
        let anchor = match (&own, self.dialect) {
            (Some(own), _) => {
                self.new.taken.insert(own.clone());
                return self.old.taken.insert(own.clone()).then(|| own.clone());
            }
            (None, Dialect::Mdx) => return None,
            (None, Dialect::Markdown) => self.anchor(slug_by(self.rule, &Node::text_of(&element.children)))?,
        };
        self.new.taken.insert(anchor.clone());
        element.props.set("id", PropValue::String(anchor.clone()));
        Some(anchor)
    }

    /// The text of a heading as the source has it.
    fn text_of(&self, nodes: &[Node]) -> String {
        let mut text = String::new();
        match self.dialect {
            Dialect::Markdown => push_text_of_tags(nodes, &mut text),
            Dialect::Mdx => Node::push_text_of(nodes, &mut text),
        }
        text
    }

    fn anchor(&mut self, base: String) -> Option<String> {
        let anchor = (!base.is_empty()).then(|| self.old.next(&base, self.rule))?;
        self.old.taken.insert(anchor.clone());
        Some(anchor)
    }

    /// The id that has to be written for a heading to have an anchor; `None` if it gets that by itself.
    fn written(&mut self, anchor: &str, own: &str, line: u32) -> Option<String> {
        let natural = self.new.next(own, HeadingIds::Own);
        if natural == anchor {
            self.new.taken.insert(natural);
            return None;
        }
        if custom_id(anchor) != anchor || !self.new.taken.insert(anchor.to_owned()) {
            self.lost.push((anchor.to_owned(), line));
            self.new.taken.insert(natural);
            return None;
        }
        Some(anchor.to_owned())
    }
}

/// The text of a heading with raw HTML: what a badge says in an attribute is none of it.
fn push_text_of_tags(nodes: &[Node], out: &mut String) {
    for node in nodes {
        match node {
            Node::Element(element) if element.name == "Badge" => {}
            Node::Block(block) if !matches!(block.kind, BlockKind::Image { .. }) => {
                push_text_of_tags(&block.children, out)
            }
            node => Node::push_text_of(std::slice::from_ref(node), out),
        }
    }
}

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}
