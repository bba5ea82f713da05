//! `<page>.md`: a page as Markdown, for agents and for readers.

use std::borrow::Cow;

use base::cut::cut;
use base::url::{self, relative_url};
use base::{BundlePath, Diagnostic, FileId, PageId, Place};
use frame::link::ResolvedTarget;
use load::Site;
use markup::html::{fragment, until_close};
use markup::tree::{BlockKind, Node};
use render::markdown::same_words;
use render::phrasing::is_blank;
use site::page::PageEntry;
use templates::words::Words;

use super::markdown::{LinkAddresses, MarkdownWriter, collapse_whitespace};
use super::{SiteContext, element};

/// A page as Markdown.
#[derive(Debug, Default)]
pub struct MarkdownPage {
    /// Its title as a heading, with the line end.
    pub head: String,
    /// Description and content after an empty line, with the line end; empty if there is neither.
    pub body: String,
    /// What the site says to agents.
    pub tail: String,
}

/// What stands around the text of a page in its script. A function knows its own source text, comments included, so the
/// Markdown stands there as it is, and its compressed form is that of the Markdown file.
pub const TEXT_START: &str = "__opText(function(){/*";
/// What stands behind the Markdown.
pub const TEXT_END: &str = "*/})\n";

/// A text without ends of comments: `*/` becomes `*\/`, and what looks like that gets one backslash more. The script of
/// the menu undoes it.
fn escape_comment_ends(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut from = 0;
    for star in memchr::memchr_iter(b'*', text.as_bytes()) {
        let (_, rest) = cut(text, star + 1);
        if rest.trim_start_matches('\\').starts_with('/') {
            out.push_str(text.get(from..=star).unwrap_or_default());
            out.push('\\');
            from = star + 1;
        }
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(cut(text, from).1);
    Cow::Owned(out)
}

/// What parts the pages of `llms-full.txt`.
pub const PAGE_GAP: &str = "\n";

impl MarkdownPage {
    /// Whether there is no page behind it.
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    /// The text of the file.
    pub fn file(&self) -> String {
        [self.head.as_str(), &self.body, &self.tail].concat()
    }

    /// The script that holds the text of the file, for the page's menu.
    pub fn script(&self) -> String {
        [TEXT_START, &escape_comment_ends(&self.file()), TEXT_END].concat()
    }

    /// Whether the text can stand in a comment of a script as it is.
    pub fn fits_a_comment(&self) -> bool {
        [&self.head, &self.body, &self.tail].iter().all(|part| matches!(escape_comment_ends(part), Cow::Borrowed(_)))
    }

    /// What stands before the body in `llms-full.txt`: title and address.
    pub fn lead(&self, address: &str) -> String {
        [self.head.as_str(), "Source: ", address, "\n"].concat()
    }
}

/// What the site says to agents, as a quotation; empty if it says nothing.
pub(super) fn instructions(paragraphs: &[String]) -> String {
    if paragraphs.is_empty() {
        return String::new();
    }
    let mut out = "> ## Agent Instructions\n".to_owned();
    for paragraph in paragraphs {
        out.push_str(">\n");
        for line in paragraph.lines() {
            out.push_str(format!("> {line}").trim_end());
            out.push('\n');
        }
    }
    out
}

pub(super) fn write_markdown_page(
    source: &SiteContext<'_>,
    page: PageId,
    path: &BundlePath,
    nodes: &[Node],
    words: &Words,
    diagnostics: &mut Vec<Diagnostic>,
) -> MarkdownPage {
    let entry = source.page(page);
    let path = path.markdown_page();
    let addresses = Outward { source, page, path: path.as_str() };
    let mut writer = MarkdownWriter::new(&addresses);
    if let Some(endpoint) = &entry.endpoint {
        writer.raw(&format!("`{} {}`", endpoint.method, endpoint.path));
        writer.part(2);
    }
    // the heading that is the title stands above already
    let own_title = nodes
        .iter()
        .enumerate()
        .filter(|(at, _)| entry.title_in_body || is_blank(&nodes[..*at]))
        .find_map(|(at, node)| Some((at, without_title(node, entry.shown_title())?)));
    match own_title {
        Some((at, rest)) => {
            writer.flow(&nodes[..at]);
            writer.flow(rest.as_slice());
            writer.flow(&nodes[at + 1..]);
        }
        None => writer.flow(nodes),
    }
    if let Some(json) = entry.endpoint.as_ref().and_then(|endpoint| source.excerpts.operation(endpoint)) {
        writer.part(2);
        writer.raw("## OpenAPI");
        writer.part(2);
        writer.code_block("json", &json);
    } else if let Some(list) = source.references.field_list(page, words) {
        diagnostics.extend(list.is_cut.then(|| too_long(entry, source.site)));
        writer.part(2);
        writer.raw(list.text.trim_end());
    }
    let content = writer.finish();
    let mut body = String::with_capacity(content.len() + 200);
    let description = entry.meta.description.as_ref().map(|text| {
        collapse_whitespace(&element::with_links(&addresses, text.source(), Place::default())).into_owned()
    });
    if let Some(description) = description.filter(|text| !text.is_empty()) {
        body.push_str(&format!("\n> {description}\n"));
    }
    if !content.is_empty() {
        body.push('\n');
        body.push_str(&content);
        body.push('\n');
    }
    let tail = instructions(&source.site.config.markdown.instructions);
    let tail = if tail.is_empty() { tail } else { format!("\n---\n\n{tail}") };
    MarkdownPage { head: format!("# {}\n", collapse_whitespace(entry.shown_title())), body, tail }
}

/// The list of a page's fields ends before all are there.
fn too_long(entry: &PageEntry, site: &Site) -> Diagnostic {
    let message = format!("the Markdown version of `{}` lists only the first fields of its description", entry.slug);
    let problem = Diagnostic::new("openapi-too-long", message)
        .hint("the limit is 100,000 bytes; shorten the schemas, or refer to fewer of them");
    let found = entry.endpoint.as_ref().and_then(|endpoint| site.descriptions.operation(endpoint));
    match found {
        Some((id, ..)) => problem.at(site.descriptions.path(id), 0, 0),
        None => problem,
    }
}

/// What is left of a node that says the title; nothing if it does not.
fn without_title(node: &Node, title: &str) -> Option<Option<Node>> {
    match node {
        Node::Block(block)
            if matches!(block.kind, BlockKind::Heading { level: 1, .. })
                && same_words(&Node::text_of(&block.children), title) =>
        {
            Some(None)
        }
        Node::Html { markup, place } => {
            let (before, heading) = cut(markup, ["<h1", "<H1"].iter().find_map(|tag| markup.find(tag))?);
            let (inside, after) = until_close(heading.split_once('>')?.1, "h1");
            let rest = format!("{before}{after}");
            same_words(&Node::text_of(&fragment(inside, "h1", *place)), title)
                .then_some(Some(Node::Html { markup: rest, place: *place }))
        }
        _ => None,
    }
}

/// Links of a page's Markdown: to the Markdown of other pages, whole if the site's address is known.
struct Outward<'a> {
    source: &'a SiteContext<'a>,
    page: PageId,
    /// The file that they are written in.
    path: &'a str,
}

impl Outward<'_> {
    fn file(&self, path: &BundlePath) -> String {
        match self.source.base {
            "" => relative_url(self.path, path.as_str()),
            base => format!("{base}/{}", url::encode_path(path.as_str())),
        }
    }
}

impl LinkAddresses for Outward<'_> {
    fn link(&self, href: &str, place: Place) -> String {
        match resolve_markdown_link(self.source, self.page, href, place) {
            ResolvedTarget::Page { page, fragment, query: _ } if page == self.page && !fragment.is_empty() => {
                format!("#{}", url::encode_fragment(&fragment))
            }
            ResolvedTarget::Page { page, query, fragment } => {
                let Some(path) = self.source.resolver.path(page) else { return String::new() };
                let mut out = self.file(&path.markdown_page());
                out.push_str(&query);
                if let Some(anchor) = self.source.resolver.anchor(page, &fragment).filter(|anchor| !anchor.is_empty()) {
                    out.push('#');
                    out.push_str(&url::encode_fragment(&anchor));
                }
                out
            }
            ResolvedTarget::Here(fragment) => format!("#{}", url::encode_fragment(&fragment)),
            other => self.elsewhere(&other),
        }
    }

    fn load(&self, src: &str, place: Place) -> String {
        if src.starts_with("data:") {
            return String::new();
        }
        self.elsewhere(&resolve_markdown_link(self.source, self.page, src, place))
    }
}

impl Outward<'_> {
    fn elsewhere(&self, target: &ResolvedTarget) -> String {
        match target {
            ResolvedTarget::Asset(file) => {
                self.source.resolver.assets.mark_used(*file);
                self.file(self.source.resolver.assets.path(*file))
            }
            ResolvedTarget::Generated(path) => self.file(path),
            ResolvedTarget::Outside(url) | ResolvedTarget::Other(url) => url.clone(),
            _ => String::new(),
        }
    }
}

/// What a link means on a page. Content that was made, not written, has no place: it belongs to the page.
pub(super) fn resolve_markdown_link(
    source: &SiteContext<'_>,
    page: PageId,
    href: &str,
    place: Place,
) -> ResolvedTarget {
    let entry = source.page(page);
    let file: Option<FileId> = if place.line == 0 { entry.file } else { Some(place.file) };
    source.resolver.resolve(href, file, &entry.slug)
}
