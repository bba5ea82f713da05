//! The source of a site: configuration, front matter, pages.
//!
//! 1. `tree` lists the files once, of a folder, a commit or an archive, and reads each from where `contents` says;
//!    `ignored` says what is no part of the site.
//! 2. `refs` puts `docs.json` together from its files (`json` keeps the places); `mint_json` rewrites the older form;
//!    `docs_json` reads it into `Config`.
//! 3. `scan` reads every page once: `front_matter` and `meta` for its keys, `title` for its heading; `inventory`
//!    decides which files are pages.
//! 4. `spec` finds API descriptions; `original` knows where in them something stands.
//! 5. `restricted` takes out what only user groups may see that the export does not include.
//! 6. [`tool`] knows the repositories of other documentation tools.
//! 7. `load` runs all this and has the navigation built.
//!
//! No problem of the content stops a load: problems are diagnostics. Pages' texts do not stay in memory: a page is
//! read again where its text is needed.

pub mod address;
pub mod canonical;
mod color;
pub mod config;
pub mod contents;
pub mod contextual;
pub(crate) mod docs_chrome;
pub(crate) mod docs_json;
mod docs_meta;
pub(crate) mod fields;
mod folder_path;
mod folders;
mod foreign_syntax;
pub mod front_matter;
pub mod hero;
pub(crate) mod ignored;
pub mod include;
pub mod inventory;
pub(crate) mod json;
pub(crate) mod links;
mod load;
mod logo;
pub(crate) mod meta;
mod mint_json;
mod mint_nav;
mod object;
mod operation_pages;
mod original;
mod overlays;
pub mod page;
mod pointers;
pub mod problems;
pub(crate) mod read_values;
mod refs;
mod remote;
pub mod restricted;
mod root;
mod scan;
pub mod spec;
#[cfg(test)]
pub(crate) mod testing;
mod text_problem;
mod title;
pub mod tool;
pub mod tree;
mod unconfigured;
mod unread;
pub mod values;
mod visibility;
pub mod written;
pub(crate) mod yaml;

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

pub use config::Config;
pub use contents::{Contents, Files, Held};
pub use folders::folders_to_watch;
pub use inventory::{is_as_loaded, resolve_import};
pub use load::{LoadError, LoadOptions, Loaded, list_folder, load_site, load_tree};
pub use page::{Dialect, Endpoint, FrontMatter, PageEntry, Preface};
pub use remote::{RemoteFile, RemoteFiles};
pub use root::find_source_root;
pub use spec::Descriptions;
pub use tree::{SourceFile, SourceTree};
pub use visibility::Visibility;

use crate::base::{FileId, PageId};
use contextual::Contextual;
use page::Mode;

/// Where the configuration came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConfigKind {
    /// `docs.json`.
    Docs,
    /// `mint.json`.
    Mint,
    /// None: a plain folder of Markdown.
    #[default]
    Plain,
}

impl ConfigKind {
    /// The file that it is, if there is one.
    pub fn file_name(self) -> Option<&'static str> {
        match self {
            Self::Docs => Some("docs.json"),
            Self::Mint => Some("mint.json"),
            Self::Plain => None,
        }
    }
}

/// A documentation site as its source describes it.
#[derive(Debug, Default)]
pub struct Site {
    /// The files.
    pub tree: SourceTree,
    /// The configuration, defaults filled in.
    pub config: Config,
    /// Where it came from.
    pub kind: ConfigKind,
    /// The tool whose repository it is.
    pub tool: Option<tool::Located>,
    /// What that tool's configuration says of it.
    pub project: Option<Box<dyn tool::Project>>,
    /// Pages to render, sorted by slug. Snippets, ignored files, `url:` and access-grouped pages are not among them.
    pub pages: Vec<PageEntry>,
    /// Pages by slug.
    pub by_slug: FxHashMap<String, PageId>,
    /// Pages by lower-case slug.
    pub by_folded_slug: FxHashMap<String, PageId>,
    /// Other names of pages: `guides/README` of a plain folder is the page `guides/index`; names that had to be changed
    /// to be unique.
    pub aliases: FxHashMap<String, PageId>,
    /// In a plain folder: the page that readers come to first in each of its folders.
    pub first_pages: FxHashMap<String, PageId>,
    /// Slugs of `url:` pages and their targets.
    pub url_pages: FxHashMap<String, String>,
    /// Files that some page or snippet imports.
    pub imported: Vec<FileId>,
    /// API descriptions among the files (top-level `openapi` or `asyncapi` key).
    pub specs: Vec<FileId>,
    /// Those of them that pages and the navigation need, parsed.
    pub descriptions: Descriptions,
    /// Targets of links that name an anchor of another page (`guide#steps`), as written, each once per file; outside
    /// links are left out. From this it is known which pages' anchors are needed.
    pub fragments: Vec<(FileId, String)>,
    /// Digests of what was taken from each text: front matter, imports, first heading.
    pub facts: FxHashMap<FileId, u64>,
    /// Files that the configuration was read from, and `.mintignore`; sorted.
    pub config_files: Vec<FileId>,
    /// Names of pages and files that are left out because only some user groups may see them, in lower case.
    pub restricted: FxHashSet<String>,
}

impl Site {
    /// A page.
    pub fn page(&self, id: PageId) -> &PageEntry {
        &self.pages[id.0 as usize]
    }

    /// The menu of a page: its own, or that of the site. Pages without a title have none to put it beside.
    pub fn contextual<'a>(&'a self, page: &'a PageEntry) -> &'a Contextual {
        static NONE: Contextual = Contextual { options: Vec::new(), in_contents: false };
        if matches!(page.meta.mode, Mode::Custom | Mode::Frame) {
            return &NONE;
        }
        page.meta.contextual.as_deref().unwrap_or(&self.config.contextual)
    }

    /// The menus that pages may have.
    pub fn menus(&self) -> impl Iterator<Item = &Contextual> {
        let own = self.pages.iter().filter_map(|page| page.meta.contextual.as_deref());
        std::iter::once(&self.config.contextual).chain(own).filter(|menu| !menu.options.is_empty())
    }

    /// Whether some page may have a menu.
    pub fn has_actions(&self) -> bool {
        self.menus().next().is_some()
    }

    /// All pages with their ids, in order of their slugs.
    pub fn iter(&self) -> impl Iterator<Item = (PageId, &PageEntry)> {
        self.pages.iter().enumerate().map(|(index, page)| (PageId(u32::try_from(index).unwrap_or(u32::MAX)), page))
    }

    /// Folders of a plain folder that another tool makes a site of: those around the configuration of Docusaurus, and
    /// `docs`.
    pub fn roots(&self) -> Vec<String> {
        let mut roots = inventory::docusaurus_folders(&self.tree, self.kind);
        roots.iter_mut().for_each(|root| root.truncate(root.trim_end_matches('/').len()));
        roots.retain(|root| !root.is_empty());
        roots.extend((self.kind == ConfigKind::Plain).then(|| "docs".to_owned()));
        roots
    }

    /// The path that a file has on the site; `None` if the project of its tool does not serve it.
    pub fn served<'p>(&self, path: &'p str) -> Option<Cow<'p, str>> {
        let Some(layout) = self.project.as_ref().map(|project| project.layout()).filter(|it| !it.mounts.is_empty())
        else {
            return Some(Cow::Borrowed(path));
        };
        tool::mounted_address(&layout.statics, path)
            .or_else(|| tool::mounted_address(&layout.mounts, path))
            .map(Cow::Owned)
    }

    /// Whether files are served under other paths than their own.
    pub fn is_moved(&self) -> bool {
        self.project.as_ref().is_some_and(|project| !project.layout().mounts.is_empty())
    }

    /// Whether a file is part of the configuration: `docs.json`, `mint.json`, what they refer to, `.mintignore`.
    pub fn is_config(&self, file: FileId) -> bool {
        self.config_files.binary_search(&file).is_ok()
    }

    /// The file that configures the site, if there is one.
    pub fn config_path(&self) -> Option<&str> {
        self.config_files
            .iter()
            .map(|file| self.tree.path(*file))
            .find(|path| matches!(*path, "docs.json" | "mint.json"))
    }

    /// How headings get their anchors: as the tool of the site has it, and as GitHub does in a plain folder, to which
    /// others link as it is shown there.
    pub fn heading_ids(&self) -> tool::HeadingIds {
        match &self.project {
            Some(project) => project.heading_ids(),
            None if self.kind == ConfigKind::Plain => tool::HeadingIds::GitHub,
            None => tool::HeadingIds::Own,
        }
    }

    /// Whether a path, with or without a slash before it, is that of a page or file that only some user groups may see.
    pub fn is_restricted(&self, path: &str) -> bool {
        if self.restricted.is_empty() {
            return false;
        }
        let path = tree::folded(path.trim_matches('/'));
        let has = |path: &str| self.restricted.contains(path);
        has(&path)
            || has(&format!("{path}/index"))
            || path.strip_suffix("/index").is_some_and(has)
            || path.is_empty() && has("index")
    }

    /// The page of a slug or of an alias.
    pub fn find_page(&self, slug: &str) -> Option<PageId> {
        self.by_slug.get(slug).or_else(|| self.aliases.get(slug)).copied()
    }
}
