//! The source tree of a site: configuration, front matter, pages.

pub mod config;
pub mod page;
pub mod tree;

use rustc_hash::FxHashMap;

pub use config::Config;
pub use page::{Dialect, PageEntry};
pub use tree::{SourceFile, SourceTree};

use crate::base::{FileId, PageId};

/// Where the configuration came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigKind {
    /// `docs.json`.
    Docs,
    /// `mint.json`.
    Mint,
    /// None: a plain folder of Markdown.
    Plain,
}

/// A documentation site as its source tells it.
#[derive(Debug)]
pub struct Site {
    /// The files.
    pub tree: SourceTree,
    /// The configuration, defaults filled in.
    pub config: Config,
    /// Where it came from.
    pub kind: ConfigKind,
    /// Pages to render, sorted by slug. Snippets, ignored files, `url:` and access-grouped pages are not among them.
    pub pages: Vec<PageEntry>,
    /// Pages by slug.
    pub by_slug: FxHashMap<String, PageId>,
    /// Pages by lower-case slug.
    pub by_folded_slug: FxHashMap<String, PageId>,
    /// Slugs of `url:` pages and their targets.
    pub url_pages: FxHashMap<String, String>,
    /// Files that some page or snippet imports.
    pub imported: Vec<FileId>,
    /// API descriptions among the files (top-level `openapi` or `asyncapi` key).
    pub specs: Vec<FileId>,
}

impl Site {
    /// A page.
    pub fn page(&self, id: PageId) -> &PageEntry {
        &self.pages[id.0 as usize]
    }
}
