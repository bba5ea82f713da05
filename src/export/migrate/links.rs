//! Links and loads of a page: from the root, to the addresses of pages and the places of files.

use rustc_hash::FxHashMap;

use base::{FileId, PageId, Place, url};
use frame::link::{Anchors, LinkResolver, ResolvedTarget};
use load::Site;
use markup::tree::{BlockKind, JsxElement, Node, PropValue};

use super::addresses::PageAddresses;

/// Maps the links of a page.
pub(super) struct MigratedLinks<'a> {
    pub(super) site: &'a Site,
    pub(super) page: PageId,
    pub(super) resolver: &'a LinkResolver<'a>,
    pub(super) addresses: &'a PageAddresses,
    /// Those of the page itself.
    pub(super) anchors: &'a Anchors<'a>,
    /// The anchor of the heading that the page's title stands for now.
    pub(super) title_anchor: Option<String>,
    /// What was written, and what stands in its place.
    pub(super) moved: FxHashMap<String, String>,
}

impl MigratedLinks<'_> {
    /// Maps all links of these nodes.
    pub(super) fn map(&mut self, nodes: &mut [Node]) {
        for node in nodes {
            match node {
                Node::Block(block) => {
                    match &mut block.kind {
                        BlockKind::Link { href, .. } => self.change(href, block.place, false),
                        BlockKind::Image { src, .. } => self.change(src, block.place, true),
                        _ => {}
                    }
                    self.map(&mut block.children);
                }
                Node::Element(element) => self.element(element),
                _ => {}
            }
        }
    }

    fn element(&mut self, element: &mut JsxElement) {
        let place = element.place;
        for (name, value) in &mut element.props.0 {
            match (name.as_str(), value) {
                (_, PropValue::Nodes(nodes)) => self.map(nodes),
                ("href" | "cite", PropValue::String(href)) => self.change(href, place, false),
                ("src" | "poster" | "background" | "img" | "data", PropValue::String(src)) => {
                    self.change(src, place, true)
                }
                ("icon", PropValue::String(src)) if src.starts_with(['/', '.']) => self.change(src, place, true),
                ("srcSet", PropValue::String(set)) => *set = self.source_set(set, place),
                _ => {}
            }
        }
        self.map(&mut element.children);
    }

    fn source_set(&mut self, set: &str, place: Place) -> String {
        let candidate = |candidate: &str| {
            let (src, size) = candidate.split_once(char::is_whitespace).unwrap_or((candidate, ""));
            let mut src = src.to_owned();
            self.change(&mut src, place, true);
            format!("{src} {size}").trim().to_owned()
        };
        set.split(", ").map(str::trim).map(candidate).collect::<Vec<_>>().join(", ")
    }

    fn change(&mut self, href: &mut String, place: Place, is_load: bool) {
        if is_load && href.starts_with("data:") {
            return;
        }
        let new = self.address(href, place);
        if new != *href {
            self.moved.insert(href.clone(), new.clone());
            *href = new;
        }
    }

    /// What is written for a link. One that leads nowhere stays as it is.
    fn address(&self, href: &str, place: Place) -> String {
        let entry = self.site.page(self.page);
        let file: Option<FileId> = if place.line == 0 { entry.file } else { Some(place.file) };
        match self.resolver.resolve(href, file, &entry.slug) {
            ResolvedTarget::Page { page, fragment, query }
                if page == self.page && !fragment.is_empty() && query.is_empty() =>
            {
                self.here(&fragment)
            }
            ResolvedTarget::Page { page, query, fragment } => {
                let anchor =
                    if fragment.is_empty() { None } else { self.resolver.anchor(page, &fragment).or(Some(fragment)) };
                let anchor = anchor.filter(|anchor| !self.addresses.is_title(self.site, page, anchor));
                let anchor = anchor.map(|anchor| format!("#{}", url::encode_fragment(&anchor))).unwrap_or_default();
                format!("{}{query}{anchor}", self.addresses.of_page(self.site, page))
            }
            ResolvedTarget::Here(fragment) => self.here(&fragment),
            ResolvedTarget::Asset(file) => {
                self.resolver.assets.mark_used(file);
                format!("/{}", url::encode_path(self.resolver.assets.path(file).as_str()))
            }
            ResolvedTarget::Generated(path) => format!("/{}", url::encode_path(path.as_str())),
            ResolvedTarget::Outside(_)
            | ResolvedTarget::Other(_)
            | ResolvedTarget::Refused
            | ResolvedTarget::Restricted
            | ResolvedTarget::Missing => href.to_owned(),
        }
    }

    fn here(&self, fragment: &str) -> String {
        let anchor = self.anchors.find(fragment).unwrap_or_else(|| fragment.to_owned());
        if self.title_anchor.as_deref() == Some(anchor.as_str()) {
            return self.addresses.of_page(self.site, self.page);
        }
        format!("#{}", url::encode_fragment(&anchor))
    }
}
