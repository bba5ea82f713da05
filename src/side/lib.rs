//! The files that a site produces besides its pages: what models, search engines, feed readers and hosts read.
//!
//! 1. `markdown` and `element` write an expanded document back as Markdown; `markdown_page` makes `<page>.md` of it, and the
//!    page's part of `llms-full.txt`.
//! 2. `feed` finds the entries of a change log while the page is made, and writes `rss.xml` when their dates are known
//!    (`history`).
//! 3. `picture` draws what social networks show of a page, and icons.
//! 4. `llms`, `search_engines` and `redirects` are made once for all pages.
//!
//! Invariants: nothing here reads a clock or the network; a file that the author wrote is never made; what must name
//! whole addresses is only made where the address of the site is known. Which pages stand where is decided by
//! `site::Visibility` alone.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

// files of others are cut by what is found in them, never by counted bytes

pub mod analytics;
mod api;
mod element;
pub mod favicon;
pub mod feed;
pub mod history;
pub mod llms;
mod markdown;
mod markdown_page;
pub mod picture;
pub mod redirects;
pub mod search_engines;

use base::{BundlePath, Diagnostic, PageId, url};
use frame::link::LinkResolver;
use load::Site;
use markup::tree::Node;
use nav::Navigation;
use reference::ReferencePages;
use site::page::PageEntry;
use templates::words::Words;

pub use api::Excerpts;
pub use feed::Feed;
use feed::page_feed;
use markdown_page::write_markdown_page;
pub use markdown_page::{MarkdownPage, PAGE_GAP, TEXT_END, TEXT_START};

/// All pages of `llms.txt` in one file.
pub const FULL: &str = "llms-full.txt";

/// What all these files are made from.
#[derive(Clone, Copy, Debug)]
pub struct SiteContext<'a> {
    /// The site.
    pub site: &'a Site,
    /// Its navigation.
    pub navigation: &'a Navigation,
    /// Where links lead, and which pages are exported.
    pub resolver: &'a LinkResolver<'a>,
    /// What the API pages of the site are about.
    pub references: &'a dyn ReferencePages,
    /// What pages as Markdown show of API descriptions.
    pub excerpts: &'a Excerpts<'a>,
    /// The start page of the bundle.
    pub home: Option<PageId>,
    /// The address of the site without a slash at the end; empty if it is not known.
    pub base: &'a str,
}

/// What one page brings along.
#[derive(Debug, Default)]
pub struct PageFiles {
    /// The page as Markdown.
    pub markdown: MarkdownPage,
    /// Its change log, if it has one that may be subscribed to.
    pub feed: Option<Feed>,
    /// What the Markdown of the page could not hold.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> SiteContext<'a> {
    /// The Markdown and the feed of a page. `path` is its file, `ids` are the sorted ids of its content, `words` are
    /// those of its language.
    pub fn of_page(&self, page: PageId, path: &BundlePath, nodes: &[Node], ids: &[String], words: &Words) -> PageFiles {
        let mut diagnostics = Vec::new();
        let markdown = write_markdown_page(self, page, path, nodes, words, &mut diagnostics);
        PageFiles { markdown, feed: page_feed(self, page, path, nodes, ids), diagnostics }
    }

    fn page(&self, page: PageId) -> &'a PageEntry {
        self.site.page(page)
    }

    /// Whether the author wrote the file that the bundle has at this path.
    pub fn is_written(&self, path: &str) -> bool {
        self.resolver.assets.has_own(path)
    }

    /// The description that has what a page is about, if the bundle holds it: percent-encoded, from the root.
    pub fn spec_url(&self, page: PageId) -> Option<String> {
        let entry = self.page(page);
        let descriptions = &self.site.descriptions;
        let file = match (&entry.endpoint, &entry.meta.reference) {
            (Some(endpoint), _) => api::description_file(self.site, endpoint)?,
            (None, Some((key, text))) => descriptions.file(descriptions.part(key, text, &entry.slug)?.id),
            (None, None) => return None,
        };
        let assets = self.resolver.assets;
        assets.is_published(file).then(|| url::encode_path(assets.path(file).as_str()))
    }

    /// The address of a page: whole if that of the site is known, else that of its file from the top of the bundle.
    pub fn page_url(&self, page: PageId) -> String {
        match self.base {
            "" => self.resolver.path(page).map(|path| url::encode_path(path.as_str())).unwrap_or_default(),
            base => self.site.config.page_url(base, &self.page(page).slug, self.home == Some(page)),
        }
    }

    /// The address of a page's Markdown, in the same way.
    pub fn twin_url(&self, page: PageId) -> String {
        let path = self.resolver.path(page).map(BundlePath::markdown_page).map(|path| url::encode_path(path.as_str()));
        self.file_url(&path.unwrap_or_default())
    }

    /// The address of a file of the bundle, in the same way. `path` is percent-encoded.
    pub fn file_url(&self, path: &str) -> String {
        if self.base.is_empty() { path.to_owned() } else { format!("{}/{path}", self.base) }
    }

    /// All pages that are exported, in the order in which they are made: `llms-full.txt` and the search index have it
    /// too.
    pub fn all_pages(&self) -> Vec<PageId> {
        self.pages(|_| true)
    }

    /// The pages of a channel, in the order of the navigation; those that it does not list follow by name.
    pub fn pages(&self, is_included: impl Fn(&PageEntry) -> bool) -> Vec<PageId> {
        let chosen = |page: &PageId| self.resolver.path(*page).is_some() && is_included(self.page(*page));
        let mut listed = vec![false; self.site.pages.len()];
        let mut pages: Vec<PageId> = self.navigation.order.iter().copied().filter(chosen).collect();
        for page in &self.navigation.order {
            listed[page.0 as usize] = true;
        }
        pages.extend(
            (0..self.site.pages.len() as u32).map(PageId).filter(|page| !listed[page.0 as usize]).filter(chosen),
        );
        pages
    }
}
