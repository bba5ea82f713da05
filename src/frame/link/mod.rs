//! Where links lead: written forms to pages, anchors, assets and the outside.
//!
//! A [`LinkResolver`] knows the whole site; `page` uses it for one page and turns results into relative URLs. Anchors
//! of the pages that others link into are known before rendering (`LinkResolver::set_anchors`), so no link ever names a
//! missing one.

mod anchors;
mod generated;
mod page;
mod redirect;
mod rewrite;
mod site;
mod suggestion;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use percent_encoding::percent_decode_str;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

pub use anchors::Anchors;
pub use generated::{GeneratedFiles, feed_path};
pub use page::{PageLinks, is_repaired, repaired_anchor};
pub use redirect::{RedirectTable, Redirects, TABLE_PATH, is_redirect_pattern, redirect_pattern_matches};
pub use rewrite::{add_second_ids, append_to_head, rewrite_hrefs};
pub use site::ThemeLinks;

use crate::asset::{Assets, Remote};
use ::site::ConfigKind;
use ::site::page::unnumbered;
use ::site::tree::{composed, folder, folders_to};
use base::refs::is_refused_address;
use base::{BundlePath, FileId, PageId};
use load::Site;

/// What a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolvedTarget {
    /// A page.
    Page {
        /// Which one.
        page: PageId,
        /// `?x`, or empty.
        query: String,
        /// Decoded, may be empty.
        fragment: String,
    },
    /// `#fragment` of the page itself.
    Here(String),
    /// A file of the source.
    Asset(FileId),
    /// A file that the export writes beside the pages.
    Generated(BundlePath),
    /// Another server: the URL.
    Outside(String),
    /// `mailto:`, `tel:`, `cursor://` …: the URL.
    Other(String),
    /// A scheme that could run code.
    Refused,
    /// A page or file that is left out because only some user groups may see it.
    Restricted,
    /// Nothing.
    Missing,
}

/// Ids that headings get beside their own, each with the id of its heading.
pub type SecondNames = BTreeMap<String, String>;

/// Resolves links for all pages of a site.
#[derive(Debug)]
pub struct LinkResolver<'a> {
    site: &'a Site,
    home: Option<PageId>,
    redirects: Redirects,
    /// Folders of a plain folder that another tool makes a site of, for links that begin with `/`.
    roots: Vec<String>,
    /// Files that are served under other paths than their own, by these.
    served: FxHashMap<String, FileId>,
    /// Bundle path of each page; `None` for pages that are not exported.
    paths: Vec<Option<BundlePath>>,
    anchors: RwLock<FxHashMap<PageId, Arc<Anchors<'static>>>>,
    /// Names that links call headings by though they have other ids; see [`LinkResolver::name_headings`].
    second_names: FxHashMap<PageId, SecondNames>,
    /// What broken links may have meant: made for the first of them.
    endings: OnceLock<suggestion::Endings>,
    /// Local files: names in the bundle, sizes.
    pub assets: &'a Assets<'a>,
    /// Assets of other servers; `None` if they stay there.
    pub remote: Option<&'a Remote>,
    /// What the export writes beside the pages.
    pub generated: GeneratedFiles,
}

/// The name of a page's file without its extension. A start page that is called `Index` takes the start page's own: the
/// two cannot stand side by side on every system.
fn file_stem(site: &Site, page: PageId, home: Option<PageId>) -> &str {
    let slug = site.page(page).slug.as_str();
    if home == Some(page) && slug.eq_ignore_ascii_case("index") { "index" } else { slug }
}

/// The files of a project that are served under other paths than their own.
fn served(site: &Site) -> FxHashMap<String, FileId> {
    if !site.is_moved() {
        return FxHashMap::default();
    }
    let files = site.tree.iter().filter(|(_, file)| !file.ignored);
    files.filter_map(|(id, file)| Some((site.served(&file.path)?.into_owned(), id))).collect()
}

impl<'a> LinkResolver<'a> {
    /// A resolver for the pages that are exported.
    pub fn new(
        site: &'a Site,
        home: Option<PageId>,
        exported: impl Fn(PageId) -> bool + Sync,
        assets: &'a Assets<'a>,
    ) -> Self {
        let paths = (0..site.pages.len() as u32).into_par_iter().map(PageId);
        let paths = paths
            .map(|id| exported(id).then(|| BundlePath::sanitize(&format!("{}.html", file_stem(site, id, home)))))
            .collect();
        Self {
            site,
            home,
            redirects: Redirects::written(&site.config.redirects),
            roots: site.roots(),
            served: served(site),
            paths,
            anchors: RwLock::default(),
            second_names: FxHashMap::default(),
            endings: OnceLock::new(),
            assets,
            remote: None,
            generated: GeneratedFiles::default(),
        }
    }

    /// The site that links lead through.
    pub fn site(&self) -> &'a Site {
        self.site
    }

    /// What to do about a link that leads nowhere.
    fn advice(&self, href: &str) -> String {
        let endings = self.endings.get_or_init(|| suggestion::endings(self.site, |page| self.path(page).is_some()));
        suggestion::suggest(href, self.site, endings)
    }

    /// The redirects of the site.
    pub fn redirects(&self) -> &Redirects {
        &self.redirects
    }

    /// The bundle path of a page; `None` if it is not exported.
    pub fn path(&self, page: PageId) -> Option<&BundlePath> {
        self.paths[page.0 as usize].as_ref()
    }

    /// Makes the anchors of a page known, as [`Anchors::new`] takes them. Links to anchors of pages whose anchors are
    /// not known are taken as they are.
    pub fn set_anchors(&self, page: PageId, ids: Vec<String>, headings: &[(String, String)], is_open: bool) {
        let anchors = Arc::new(Anchors::new(self.site.kind, Cow::Owned(ids), headings, is_open));
        // a map is complete between two calls, whatever befell the thread that held it
        self.anchors.write().unwrap_or_else(PoisonError::into_inner).insert(page, anchors);
    }

    /// Makes the anchors of a page unknown: its file has changed.
    pub fn forget_anchors(&self, page: PageId) {
        self.anchors.write().unwrap_or_else(PoisonError::into_inner).remove(&page);
    }

    /// Whether the anchors of a page are known.
    pub fn knows_anchors(&self, page: PageId) -> bool {
        self.anchors.read().unwrap_or_else(PoisonError::into_inner).contains_key(&page)
    }

    /// Has headings keep the names that only GitHub gives them, where links ask for these: the links stay as they are
    /// written, and the pages get these ids too. `wanted` are fragments that links into a page have.
    pub fn name_headings(&mut self, wanted: impl IntoIterator<Item = (PageId, String)>) {
        let known = self.anchors.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (page, fragment) in wanted {
            let heading = known.get(&page).and_then(|anchors| anchors.heading_by_second_name(&fragment));
            if let Some(heading) = heading.map(str::to_owned) {
                self.second_names.entry(page).or_default().insert(fragment, heading);
            }
        }
    }

    /// The ids that the headings of a page get beside their own.
    pub fn second_names(&self, page: PageId) -> Option<&SecondNames> {
        self.second_names.get(&page)
    }

    /// The anchor of a page that a fragment means: itself, or the one that the same rules make of it. `None` if it is
    /// missing.
    pub fn anchor(&self, page: PageId, fragment: &str) -> Option<String> {
        if self.second_names(page).is_some_and(|names| names.contains_key(fragment)) {
            return Some(fragment.to_owned());
        }
        let anchors = self.anchors.read().unwrap_or_else(PoisonError::into_inner).get(&page).cloned();
        anchors.map_or_else(|| Some(fragment.to_owned()), |anchors| anchors.find(fragment))
    }

    /// What a link in `file` (perhaps a snippet) means on the page `slug`.
    pub fn resolve(&self, href: &str, file: Option<FileId>, slug: &str) -> ResolvedTarget {
        let href = href.trim();
        // a Markdown autolink that was put into a property
        let href = href.strip_prefix('<').and_then(|href| href.strip_suffix('>')).unwrap_or(href);
        if has_scheme(href) {
            return outside(href);
        }
        if let Some(rest) = href.strip_prefix("//") {
            return ResolvedTarget::Outside(format!("https://{rest}"));
        }
        let (rest, fragment) = href.split_once('#').unwrap_or((href, ""));
        let fragment = decode_percent(fragment).into_owned();
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let query = if query.is_empty() { String::new() } else { format!("?{query}") };
        if path.is_empty() {
            return if href.is_empty() { ResolvedTarget::Missing } else { ResolvedTarget::Here(fragment) };
        }
        // Docusaurus' name of its root
        let path = path
            .strip_prefix("@site")
            .filter(|rest| rest.starts_with('/') && self.site.kind == ConfigKind::Plain)
            .unwrap_or(path);
        let path = if path.contains('\\') { Cow::Owned(path.replace('\\', "/")) } else { Cow::Borrowed(path) };
        // names of files are composed: some systems write their accents as letters of their own
        let path = decode_percent(&path);
        let path = composed(&path);
        let file_folder = file.map_or("", |file| folder(self.site.tree.path(file)));
        let bases: &[&str] = match path.as_bytes()[0] {
            b'/' => &[""],
            b'.' => &[file_folder, folder(slug)],
            _ => &[file_folder, folder(slug), ""],
        };
        // what a browser takes on the built site comes first
        let of_address = self.site.project.as_ref().filter(|_| !path.starts_with('/') && file.is_some());
        let of_address = of_address.and_then(|project| project.folder_of_address(slug));
        let bases: Vec<&str> = of_address.into_iter().chain(bases.iter().copied()).collect();
        let bases = bases.as_slice();
        for base in bases {
            if let Some(target) = self.look_up(&normalise(base, &path), &query, &fragment) {
                return target;
            }
        }
        let elsewhere = || self.look_up_elsewhere(bases, file_folder, slug, &path, &query, &fragment);
        if let Some(target) = (self.site.kind == ConfigKind::Plain).then(elsewhere).flatten() {
            return target;
        }
        let is_restricted =
            !self.site.restricted.is_empty() && bases.iter().any(|base| self.is_restricted(&normalise(base, &path)));
        if is_restricted { ResolvedTarget::Restricted } else { ResolvedTarget::Missing }
    }

    /// Whether a path that leads to nothing would lead to what only some user groups may see.
    fn is_restricted(&self, path: &str) -> bool {
        let is_restricted =
            |path: &str| self.site.is_restricted(path) || self.site.is_restricted(strip_extension(path));
        let to = || [path, strip_extension(path)].iter().find_map(|path| self.redirects.follow(path, is_restricted));
        is_restricted(path) || to().is_some_and(|to| is_restricted(to.split('#').next().unwrap_or_default()))
    }

    /// What other generators mean by a link of a plain folder: a page without the numbers that order its files
    /// (Docusaurus), a folder, and what the first `/` stands for, which is the folder of the pages or of the files
    /// beside them, with or without the name that their site is served under (`/docs/…`).
    fn look_up_elsewhere(
        &self,
        bases: &[&str],
        file_folder: &str,
        slug: &str,
        path: &str,
        query: &str,
        fragment: &str,
    ) -> Option<ResolvedTarget> {
        let loose = |path: &str| {
            self.look_up(&unnumbered(path), query, fragment).or_else(|| self.first_of(path, query, fragment))
        };
        if let Some(found) = bases.iter().find_map(|base| loose(&normalise(base, path))) {
            return Some(found);
        }
        // pages of other tools are folders: `../install/`
        if path.ends_with('/')
            && path.starts_with('.')
            && let Some(found) = self.look_up(&normalise(slug, path), query, fragment)
        {
            return Some(found);
        }
        let whole = path.strip_prefix('/').map(|path| normalise("", path))?;
        let served = whole.split_once('/').map(|(_, rest)| rest);
        let roots = || std::iter::once("").chain(folders_to(file_folder)).chain(self.roots.iter().map(String::as_str));
        let found = |path: &str, root: &str| {
            let files = || {
                ["static", "public"].iter().find_map(|files| self.file(&normalise(root, &format!("{files}/{path}"))))
            };
            let whole = normalise(root, path);
            self.look_up(&whole, query, fragment).or_else(|| loose(&whole)).or_else(files)
        };
        [Some(whole.as_str()), served]
            .into_iter()
            .flatten()
            .filter(|path| !path.is_empty())
            .find_map(|path| roots().find_map(|root| found(path, root)))
    }

    /// The first page of a folder that has no page of its own.
    fn first_of(&self, folder: &str, query: &str, fragment: &str) -> Option<ResolvedTarget> {
        let page = self.site.first_pages.get(folder).copied().filter(|page| self.path(*page).is_some())?;
        Some(ResolvedTarget::Page { page, query: query.to_owned(), fragment: fragment.to_owned() })
    }

    fn look_up(&self, path: &str, query: &str, fragment: &str) -> Option<ResolvedTarget> {
        let page = |page: PageId| ResolvedTarget::Page { page, query: query.to_owned(), fragment: fragment.to_owned() };
        let stem = strip_extension(path);
        if let Some(found) = self.page(stem) {
            return Some(page(found));
        }
        if let Some(url) = self.site.url_pages.get(stem) {
            if has_scheme(url) || url.starts_with("//") {
                return Some(outside(url));
            }
            // an entry that stands for another page, or a part of it
            let (target, part) = url.split_once('#').unwrap_or((url, ""));
            if let Some(found) = self.page(strip_extension(target.trim_matches('/'))) {
                let fragment =
                    if fragment.is_empty() { decode_percent(part).into_owned() } else { fragment.to_owned() };
                return Some(ResolvedTarget::Page { page: found, query: query.to_owned(), fragment });
            }
        }
        if let Some(file) = self.file(path) {
            return Some(file);
        }
        if let Some(found) =
            self.site.by_folded_slug.get(&stem.to_lowercase()).copied().filter(|id| self.path(*id).is_some())
        {
            return Some(page(found));
        }
        let is_page = |path: &str| self.page_or_stem(path).is_some();
        let to = self.redirects.follow(path, is_page).or_else(|| self.redirects.follow(stem, is_page))?;
        if has_scheme(&to) {
            return Some(outside(&to));
        }
        let (to, hash) = to.split_once('#').unwrap_or((&to, ""));
        let fragment = if hash.is_empty() { fragment.to_owned() } else { decode_percent(hash).into_owned() };
        match self.page_or_stem(to) {
            Some(page) => Some(ResolvedTarget::Page { page, query: query.to_owned(), fragment }),
            None => self.file(to),
        }
    }

    /// A file of the source, or one that the export writes.
    fn file(&self, path: &str) -> Option<ResolvedTarget> {
        let file = self.site.tree.find(path).or_else(|| self.site.tree.find(&format!("public/{path}")));
        let file = file.or_else(|| self.served.get(path).copied());
        let own = file.filter(|file| self.assets.is_asset(*file)).map(ResolvedTarget::Asset);
        own.or_else(|| self.generated_file(path).map(ResolvedTarget::Generated))
    }

    /// The exported page of a path, perhaps with an extension.
    fn page_or_stem(&self, path: &str) -> Option<PageId> {
        self.page(path).or_else(|| self.page(strip_extension(path)))
    }

    /// The exported page of a path without extension; the empty path is the start page.
    fn page(&self, stem: &str) -> Option<PageId> {
        let known = |slug: &str| self.site.by_slug.get(slug).copied();
        let found = if stem.is_empty() { known("index").or(self.home) } else { None };
        let found = found
            .or_else(|| known(stem))
            .or_else(|| known(&format!("{stem}/index")))
            .or_else(|| stem.strip_suffix("/index").and_then(known));
        let found = found.or_else(|| self.site.aliases.get(stem).copied());
        found.filter(|id| self.path(*id).is_some())
    }
}

/// `scheme:` as RFC 3986 spells it.
pub fn has_scheme(href: &str) -> bool {
    let Some(colon) = href.find(':') else { return false };
    let scheme = &href.as_bytes()[..colon];
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(byte))
}

fn outside(url: &str) -> ResolvedTarget {
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    match scheme.as_str() {
        "http" | "https" => ResolvedTarget::Outside(url.to_owned()),
        _ if is_refused_address(url) => ResolvedTarget::Refused,
        _ if has_scheme(url) => ResolvedTarget::Other(url.to_owned()),
        _ => ResolvedTarget::Outside(url.to_owned()),
    }
}

fn decode_percent(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8().unwrap_or(Cow::Borrowed(text))
}

/// `base/path` with `.` and `..` resolved; it cannot leave the root.
fn normalise(base: &str, path: &str) -> String {
    let mut out = String::with_capacity(base.len() + 1 + path.len());
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => out.truncate(out.rfind('/').unwrap_or(0)),
            part => {
                if !out.is_empty() {
                    out.push('/');
                }
                out.push_str(part);
            }
        }
    }
    out
}

fn strip_extension(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, extension)) if ["mdx", "md", "html"].iter().any(|known| extension.eq_ignore_ascii_case(known)) => {
            stem
        }
        _ => path,
    }
}
