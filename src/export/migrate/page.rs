//! One page as an MDX file.

use rustc_hash::FxHashMap;

use crate::migrate::mdx::{self, Lost, MigratedText};
use base::isolate::{catch_panic, file_failed};
use base::{Diagnostic, FileId, PageId};
use frame::link::{Anchors, LinkResolver, PageLinks};
use load::Site;
use markup::tree::{BlockKind, MarkdownBlock, Node};
use nav::Navigation;
use reference::ReferencePages;
use render::Kit;
use render::markdown::same_words;
use render::phrasing::is_blank;
use site::page::PageEntry;
use templates::words;

use super::super::content::page_content;
use super::super::snippets::Snippets;
use super::addresses::PageAddresses;
use super::links::MigratedLinks;
use super::{file_of, front, headings};

/// What pages are written with.
pub(super) struct MigratedPageWriter<'a> {
    pub(super) site: &'a Site,
    pub(super) navigation: &'a Navigation,
    pub(super) kit: &'a Kit,
    pub(super) resolver: &'a LinkResolver<'a>,
    pub(super) snippets: &'a Snippets<'a>,
    pub(super) references: &'a dyn ReferencePages,
    pub(super) addresses: &'a PageAddresses,
}

/// A page that is written.
#[derive(Debug, Default)]
pub(super) struct WrittenPage {
    /// Its path below the target.
    pub(super) path: String,
    /// Its text.
    pub(super) text: String,
    /// What is wrong with it, and what of it has no place in the format.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl MigratedPageWriter<'_> {
    /// The file of a page. One that fails is copied as it is.
    pub(super) fn page(&self, page: PageId) -> WrittenPage {
        let file = file_of(self.site, page);
        catch_panic(|| self.migrated_page(page)).unwrap_or_else(|| WrittenPage {
            path: format!("{}.mdx", self.addresses.slug(self.site, page)),
            text: self.site.page(page).file.and_then(|file| self.site.tree.text(file)).unwrap_or_default(),
            diagnostics: vec![file_failed(file, "it is copied as it is")],
        })
    }

    fn migrated_page(&self, page: PageId) -> WrittenPage {
        let entry = self.site.page(page);
        let mut out =
            WrittenPage { path: format!("{}.mdx", self.addresses.slug(self.site, page)), ..WrittenPage::default() };
        let Some(path) = self.resolver.path(page) else { return out };
        let page_links = PageLinks::new(self.resolver, page, path);
        let result = page_content(self.site, page, self.kit, &page_links, self.snippets, self.references, &words::EN);
        let content = match result {
            Ok(content) => content,
            Err(problem) => {
                let diagnostic = Diagnostic::new("page-failed", problem).at(file_of(self.site, page), 0, 0);
                out.diagnostics.push(diagnostic);
                return out;
            }
        };
        let rendered = content.page;
        let anchors =
            Anchors::new(self.site.kind, rendered.ids.as_slice().into(), &rendered.headings, rendered.is_open);
        out.diagnostics = rendered.diagnostics.clone();
        let mut lost = Vec::new();
        let mut nodes = mdx::prepare_nodes(content.nodes, entry.dialect, &mut lost);
        let rule = self.site.heading_ids();
        let title = title_at(&nodes, entry);
        let place = (rule, entry.dialect);
        let report = |problem: Diagnostic| out.diagnostics.push(problem);
        let title_anchor = headings::keep_anchors(&mut nodes, title, place, report, file_of(self.site, page));
        if let Some(at) = title {
            take_title(&mut nodes, at);
        }
        mdx::show_emoji(&mut nodes);
        let mut links = MigratedLinks {
            site: self.site,
            page,
            resolver: self.resolver,
            addresses: self.addresses,
            anchors: &anchors,
            title_anchor,
            moved: FxHashMap::default(),
        };
        links.map(&mut nodes);
        let moved = links.moved;
        out.diagnostics.extend(lost.into_iter().map(|lost| self.lost(page, lost)));
        let text = entry.file.and_then(|file| Some((file, self.site.tree.text(file)?)));
        let source = text.as_ref().map(|(file, text)| MigratedText::new(*file, text, &moved));
        let body = mdx::MdxWriter::new(source.as_ref()).page(&nodes);
        out.text = front::matter(entry, self.label(page));
        if !body.is_empty() {
            out.text.push('\n');
            out.text.push_str(&body);
        }
        out
    }

    /// What the navigation calls a page, at its first place.
    fn label(&self, page: PageId) -> Option<&nav::NavNode> {
        let node = self.navigation.node(self.navigation.place_of(page)?);
        (node.kind == nav::NodeKind::Page).then_some(node)
    }

    fn lost(&self, page: PageId, lost: Lost) -> Diagnostic {
        let name = |file: FileId| self.site.tree.path(file);
        match lost {
            Lost::Component(component) => {
                let message =
                    format!("`<{component}>` runs in the browser; what it shows at first is written in its place");
                Diagnostic::new("migrate-component", message)
                    .at(file_of(self.site, page), 0, 0)
                    .hint("write it as a component of the new site, in a file below `snippets/` that the page imports")
            }
            Lost::Script(place) => {
                let diagnostic = Diagnostic::new("migrate-script", "a script in a page is left out");
                let diagnostic = match place.line {
                    0 => diagnostic.at(file_of(self.site, page), 0, 0),
                    line => diagnostic.at(name(place.file), line, place.column),
                };
                diagnostic.hint("put it into a `.js` file of the new site, which all pages then load")
            }
        }
    }
}

/// Which node is the heading that says the title again, for which the title of the front matter stands.
fn title_at(nodes: &[Node], entry: &PageEntry) -> Option<usize> {
    if entry.title_in_body {
        return nodes.iter().position(|node| is_title(node, entry));
    }
    let first = nodes.iter().position(|node| !is_blank(std::slice::from_ref(node)))?;
    is_title(&nodes[first], entry).then_some(first)
}

/// Takes a heading out. What it holds beside its words, such as badges, stays in its place.
fn take_title(nodes: &mut Vec<Node>, at: usize) {
    let (children, place) = match nodes.remove(at) {
        Node::Block(block) => (block.children, block.place),
        Node::Element(element) => (element.children, element.place),
        _ => return,
    };
    let children: Vec<Node> = children.into_iter().filter(|child| !is_word_node(child)).collect();
    if !children.is_empty() {
        nodes.insert(at, Node::Block(Box::new(MarkdownBlock { kind: BlockKind::Paragraph, children, place })));
    }
}

/// Whether a node is a heading of the first level whose words are the title.
fn is_title(node: &Node, entry: &PageEntry) -> bool {
    let children = match node {
        Node::Block(block) if matches!(block.kind, BlockKind::Heading { level: 1, .. }) => &block.children,
        Node::Element(element) if element.name == "h1" => &element.children,
        _ => return false,
    };
    let words: String = children
        .iter()
        .filter(|child| is_word_node(child))
        .map(|child| Node::text_of(std::slice::from_ref(child)))
        .collect();
    same_words(&words, entry.shown_title())
}

/// Whether a part of a heading is no more than its words.
fn is_word_node(node: &Node) -> bool {
    match node {
        Node::Text(_) | Node::Code(_) | Node::Break { .. } => true,
        Node::Block(block) => {
            matches!(block.kind, BlockKind::Emphasis | BlockKind::Strong | BlockKind::Strike)
                && block.children.iter().all(is_word_node)
        }
        Node::Element(element) => {
            matches!(element.name.as_str(), "a" | "span" | "b" | "i" | "em" | "strong" | "code")
                && element.props.value("href").is_none()
                && element.children.iter().all(is_word_node)
        }
        _ => false,
    }
}
