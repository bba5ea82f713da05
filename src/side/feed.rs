//! `<page>/rss.xml`: the entries of a change log (`<Update>`), for feed readers. RSS 2.0.

use std::fmt::Write as _;

use base::html::{self, escape_html_text};
use base::printable::printable;
use base::time::rfc2822_seconds;
use base::{BundlePath, Description, FileId, PageId, Place, url};
use frame::link::feed_path;
use markup::tree::{BlockKind, JsxElement, MarkdownBlock, Node, PropValue};
use render::anchors;

use super::markdown::{LinkAddresses, MarkdownWriter, collapse_whitespace};
use super::{SiteContext, markdown_page::resolve_markdown_link};

/// The change log of a page. Its dates are not known yet.
#[derive(Debug)]
pub struct Feed {
    /// The path of the feed in the bundle.
    pub path: BundlePath,
    title: String,
    description: String,
    language: Option<String>,
    /// The page's address.
    link: String,
    /// The entries, in the order of the page.
    pub items: Vec<FeedItem>,
}

/// An entry.
#[derive(Debug)]
pub struct FeedItem {
    /// The file and the line (from 1) at which its `<Update>` starts: its date is looked up by them.
    pub written: (FileId, u32),
    /// Its label and description: often one of them is a date.
    pub label: String,
    title: String,
    link: String,
    tags: Vec<String>,
    /// Markdown.
    text: String,
}

/// The feed of a page that has a change log. Feeds name whole addresses, so there is none where that of the site is not
/// known; pages for some readers only have none.
pub(super) fn page_feed(
    source: &SiteContext<'_>,
    page: PageId,
    path: &BundlePath,
    nodes: &[Node],
    ids: &[String],
) -> Option<Feed> {
    let entry = source.page(page);
    if source.base.is_empty() || !entry.meta.groups.is_empty() || source.resolver.path(page) != Some(path) {
        return None;
    }
    let mut updates = Vec::new();
    collect_updates(nodes, &mut updates, 0);
    if updates.is_empty() {
        return None;
    }
    let config = &source.site.config;
    let link = source.page_url(page);
    let known = anchors(nodes);
    let mut reader = UpdateReader { source, page, link: &link, anchors: &known, next: 0, ids, items: Vec::new() };
    updates.into_iter().for_each(|update| reader.update(update));
    let description = entry.meta.description.as_ref().or(config.description.as_ref()).map_or("", Description::words);
    Some(Feed {
        path: feed_path(path),
        title: if entry.meta.title_given {
            format!("{} - {}", entry.meta.title, config.name)
        } else {
            config.name.clone()
        },
        description: collapse_whitespace(description).into_owned(),
        language: feed_language(source, page),
        items: reader.items,
        link,
    })
}

fn feed_language(source: &SiteContext<'_>, page: PageId) -> Option<String> {
    let divisions = source.navigation.division_path(page);
    let language =
        divisions.into_iter().map(|id| source.navigation.node(id)).find(|node| node.kind == nav::NodeKind::Language);
    language.map(|node| node.key.clone()).filter(|key| !key.is_empty())
}

fn collect_updates<'n>(nodes: &'n [Node], updates: &mut Vec<&'n JsxElement>, depth: usize) {
    if depth >= base::limits::NESTING {
        return;
    }
    for node in nodes {
        match node {
            Node::Element(element) if element.name == "Update" => updates.push(element),
            Node::Element(element)
                if element.name == "Visibility" && element.props.text("for").as_deref() != Some("humans") => {}
            Node::Element(element) => collect_updates(&element.children, updates, depth + 1),
            Node::Block(block) => collect_updates(&block.children, updates, depth + 1),
            Node::Island(island) => collect_updates(&island.children, updates, depth + 1),
            Node::Part(part) => collect_updates(&part.children, updates, depth + 1),
            _ => {}
        }
    }
}

/// Reads updates in the order of the page.
struct UpdateReader<'a> {
    source: &'a SiteContext<'a>,
    page: PageId,
    link: &'a str,
    anchors: &'a [(Place, String)],
    /// The anchors before this one have been met.
    next: usize,
    /// Ids that the page really has, sorted.
    ids: &'a [String],
    items: Vec<FeedItem>,
}

impl UpdateReader<'_> {
    fn update(&mut self, update: &JsxElement) {
        let props = &update.props;
        let words = |name: &str| match props.value(name) {
            Some(PropValue::Nodes(nodes)) => collapse_whitespace(&Node::text_of(nodes)).into_owned(),
            Some(value) => value.to_text().map(|text| collapse_whitespace(&text).into_owned()).unwrap_or_default(),
            None => String::new(),
        };
        let anchor = self.anchor(update.place);
        let label = words("label");
        let base = FeedItem {
            written: (update.place.file, update.place.line),
            label: format!("{label}\n{}", words("description")),
            title: label,
            link: anchor,
            tags: props.list("tags"),
            text: words("description"),
        };
        if let Some(rss) = props.value("rss") {
            let field = |name: &str| {
                rss.field(name)
                    .and_then(PropValue::to_text)
                    .map(|text| collapse_whitespace(&text).into_owned())
                    .filter(|text| !text.is_empty())
            };
            let text = field("description").unwrap_or_else(|| self.text(&update.children));
            let title = field("title").unwrap_or_else(|| base.title.clone());
            return self.items.push(FeedItem { title, text, ..base });
        }
        let headings: Vec<(usize, &MarkdownBlock)> =
            update.children.iter().enumerate().filter_map(update_heading).collect();
        if headings.is_empty() {
            let text = [base.text.clone(), self.text(&update.children)].join("\n\n").trim().to_owned();
            return self.items.push(FeedItem { text, ..base });
        }
        let mut from = 0;
        for (index, (at, block)) in headings.iter().enumerate() {
            let end = headings.get(index + 1).map_or(update.children.len(), |(next, _)| *next);
            // what stands before the first heading belongs to it
            let text =
                [&update.children[from..*at], &update.children[at + 1..end]].map(|nodes| self.text(nodes)).join("\n\n");
            from = end;
            let link = self.anchor(block.place);
            let title = collapse_whitespace(&Node::text_of(&block.children)).into_owned();
            self.items.push(FeedItem {
                written: base.written,
                label: base.label.clone(),
                title: if title.is_empty() { base.title.clone() } else { title },
                link,
                tags: base.tags.clone(),
                text: text.trim().to_owned(),
            });
        }
    }

    /// The address of what stands at a place of the page.
    fn anchor(&mut self, place: Place) -> String {
        let found = self.anchors[self.next..].iter().position(|(known, _)| *known == place);
        let Some(at) = found.map(|at| self.next + at) else { return self.link.to_owned() };
        self.next = at + 1;
        let id = &self.anchors[at].1;
        if self.ids.binary_search(id).is_err() {
            return self.link.to_owned();
        }
        format!("{}#{}", self.link, url::encode_fragment(id))
    }

    fn text(&self, nodes: &[Node]) -> String {
        let addresses = FeedLinks { source: self.source, page: self.page, link: self.link };
        let mut writer = MarkdownWriter::pure(&addresses);
        writer.flow(nodes);
        writer.finish()
    }
}

fn update_heading((at, node): (usize, &Node)) -> Option<(usize, &MarkdownBlock)> {
    match node {
        Node::Block(block) if matches!(block.kind, BlockKind::Heading { .. }) => Some((at, block)),
        _ => None,
    }
}

/// Links of a feed: whole addresses of pages.
struct FeedLinks<'a> {
    source: &'a SiteContext<'a>,
    page: PageId,
    link: &'a str,
}

impl LinkAddresses for FeedLinks<'_> {
    fn link(&self, href: &str, place: Place) -> String {
        use frame::link::ResolvedTarget;
        let hash = |fragment: &str| {
            if fragment.is_empty() { String::new() } else { format!("#{}", url::encode_fragment(fragment)) }
        };
        match resolve_markdown_link(self.source, self.page, href, place) {
            ResolvedTarget::Page { page, query, fragment } => {
                format!("{}{query}{}", self.source.page_url(page), hash(&fragment))
            }
            ResolvedTarget::Here(fragment) => format!("{}{}", self.link, hash(&fragment)),
            ResolvedTarget::Asset(file) => {
                self.source.file_url(&url::encode_path(self.source.resolver.assets.path(file).as_str()))
            }
            ResolvedTarget::Generated(path) => self.source.file_url(&url::encode_path(path.as_str())),
            ResolvedTarget::Outside(url) | ResolvedTarget::Other(url) => url,
            ResolvedTarget::Refused | ResolvedTarget::Restricted | ResolvedTarget::Missing => String::new(),
        }
    }

    fn load(&self, src: &str, place: Place) -> String {
        if src.starts_with("data:") { String::new() } else { self.link(src, place) }
    }
}

impl Feed {
    /// The document. `dates`: seconds since 1970 of each item, where they are known.
    pub fn xml(&self, dates: &[Option<i64>]) -> String {
        let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\">\n<channel>\n".to_owned();
        let line = |out: &mut String, tag: &str, text: &str| {
            let _ = writeln!(out, "<{tag}>{}</{tag}>", xml_text(text));
        };
        line(&mut out, "title", &self.title);
        line(&mut out, "link", &self.link);
        line(&mut out, "description", if self.description.is_empty() { &self.title } else { &self.description });
        if let Some(language) = &self.language {
            line(&mut out, "language", language);
        }
        line(&mut out, "generator", concat!("offprint ", env!("CARGO_PKG_VERSION")));
        let _ = writeln!(
            out,
            "<atom:link href=\"{}\" rel=\"self\" type=\"application/rss+xml\" />",
            html::attr(&format!("{}/rss.xml", self.link.trim_end_matches('/')))
        );
        for (index, item) in self.items.iter().enumerate() {
            out.push_str("<item>\n");
            line(&mut out, "title", &item.title);
            line(&mut out, "link", &item.link);
            let _ = writeln!(out, "<guid isPermaLink=\"true\">{}</guid>", xml_text(&item.link));
            if let Some(date) = dates.get(index).copied().flatten().and_then(rfc2822_seconds) {
                line(&mut out, "pubDate", &date);
            }
            item.tags.iter().for_each(|tag| line(&mut out, "category", tag));
            if !item.text.is_empty() {
                line(&mut out, "description", &item.text);
            }
            out.push_str("</item>\n");
        }
        out.push_str("</channel>\n</rss>\n");
        out
    }
}

/// Text of an XML document, which may not hold every character.
fn xml_text(text: &str) -> String {
    escape_html_text(&printable(text))
}
