//! A documentation site as its source describes it.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use base::{FileId, PageId};
use nav::NavPages;
use site::config::{Config, ConfigKind};
use site::contextual::Contextual;
use site::heading_ids::HeadingIds;
use site::page::{PageEntry, PageMode};
use site::tree::{self, SourceTree};
use spec::Descriptions;

use super::tool::{self, Located, Project};

/// A documentation site as its source describes it.
#[derive(Debug, Default)]
pub struct Site {
    /// The files.
    pub tree: SourceTree,
    /// The configuration, defaults filled in.
    pub config: Config,
    /// The kind of configuration that the site was read from.
    pub kind: ConfigKind,
    /// The tool whose repository it is.
    pub tool: Option<Located>,
    /// What that tool's configuration says of it.
    pub project: Option<Box<dyn Project>>,
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
        if matches!(page.meta.mode, PageMode::Custom | PageMode::Frame) {
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
        let mut roots = docusaurus_folders(&self.tree, self.kind);
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
    pub fn heading_ids(&self) -> HeadingIds {
        match &self.project {
            Some(project) => project.heading_ids(),
            None if self.kind == ConfigKind::Plain => HeadingIds::GitHub,
            None => HeadingIds::Own,
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
        self.nav_pages().find_page(slug)
    }

    /// What a navigation is made of.
    pub fn nav_pages(&self) -> NavPages<'_> {
        let Self { tree, pages, by_slug, by_folded_slug, aliases, .. } = self;
        NavPages { tree, pages, by_slug, by_folded_slug, aliases }
    }
}

/// The folders of Docusaurus sites in a plain folder, each with its slash, where `.md` is MDX too.
pub(crate) fn docusaurus_folders(files: &SourceTree, kind: ConfigKind) -> Vec<String> {
    const NAMES: [&str; 5] = [
        "docusaurus.config.js",
        "docusaurus.config.ts",
        "docusaurus.config.mjs",
        "docusaurus.config.cjs",
        "docusaurus.config.mts",
    ];
    let configs = files.iter().filter(|(_, file)| kind == ConfigKind::Plain && !file.ignored);
    configs
        .filter_map(|(_, file)| NAMES.iter().find_map(|name| file.path.strip_suffix(name)))
        .filter(|folder| folder.is_empty() || folder.ends_with('/'))
        .map(str::to_owned)
        .collect()
}
