//! The pages that a navigation is made of.

use rustc_hash::FxHashMap;

use base::PageId;
use site::page::{PageEntry, UrlPage};
use site::tree::SourceTree;

/// The pages of a site, and the names that lead to them.
#[derive(Clone, Copy, Debug)]
pub struct NavPages<'a> {
    /// The files.
    pub tree: &'a SourceTree,
    /// The pages, sorted by slug.
    pub pages: &'a [PageEntry],
    /// Pages by slug.
    pub by_slug: &'a FxHashMap<String, PageId>,
    /// Pages by lower-case slug.
    pub by_folded_slug: &'a FxHashMap<String, PageId>,
    /// Other names of pages.
    pub aliases: &'a FxHashMap<String, PageId>,
}

impl<'a> NavPages<'a> {
    /// A page.
    pub fn page(&self, id: PageId) -> &'a PageEntry {
        &self.pages[id.0 as usize]
    }

    /// The page of a slug or of an alias.
    pub fn find_page(&self, slug: &str) -> Option<PageId> {
        self.by_slug.get(slug).or_else(|| self.aliases.get(slug)).copied()
    }
}

/// Why a name that is no page may have none.
pub struct NamesWithoutPages<'a> {
    /// Entries that lead elsewhere, by slug.
    pub url_pages: &'a FxHashMap<String, UrlPage>,
    /// Whether only some user groups may see what has the name.
    pub is_restricted: &'a dyn Fn(&str) -> bool,
}

impl std::fmt::Debug for NamesWithoutPages<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NamesWithoutPages").field("url_pages", self.url_pages).finish_non_exhaustive()
    }
}
