//! A loaded site whose pages and files are made on request, by the stages of an export: what the
//! development server shows.
//!
//! 1. [`open_workspace`] loads the site and prepares what its pages share, as an export does.
//! 2. [`Workspace::answer`] finds out what an address means and makes it. Pages are kept until a file that they are
//!    made of changes.
//! 3. `forget_…` says which files have changed; for changes that concern more, a new workspace is opened.
//!
//! What pages load from elsewhere stays there: the author's browser fetches it, and an export takes it in. API
//! descriptions are fetched, because pages are made of them. Addresses are looked up among the names of the bundle;
//! they never become paths on the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use ::side::favicon::make_favicons;
use ::side::{PageFiles, SiteContext};
use base::diagnostic::tidy;
use base::{BundlePath, Diagnostic, FileId, PageId, url};
use bundle::BundleEntry;
use frame::asset::remote::{self, RemoteDescriptions};
use frame::asset::{Assets, Remote, lower_extension};
use frame::link::{LinkResolver, ResolvedTarget, ThemeLinks};
use frame::theme::{self, SiteTheme, ThemeFile, Utilities};
use load::{LoadError, Site};
use markup::js::ConfigEngine;
use reference::References;
use render::Kit;

use super::assets::still_svg;
use super::dates::Dates;
use super::page::{PageWriter, Timers};
use super::prepare::{PrepareSetup, PreparedSite};
use super::search;
use super::side;
use super::snippets::Snippets;
use super::{
    anchors::{self, anchors_of_pages},
    not_found::not_found_content,
    styles,
};

/// Nothing cancels here. Sheets are never waited for: what stands elsewhere stays there in a preview.
static NEVER: AtomicBool = AtomicBool::new(false);
/// Most pages that are kept.
const MAX_CACHED_PAGES: usize = 256;

/// How a site is shown.
#[derive(Clone, Debug)]
pub struct WorkspaceSettings {
    /// The docs folder.
    pub root: PathBuf,
    /// How API descriptions are fetched. Pages load from where they do.
    pub remote: remote::RemoteOptions,
    /// What was fetched for the last opening: the next one requests only the rest.
    fetched: Arc<Mutex<Option<Remote>>>,
    /// The name of the tool whose repository it is; `None`: its files say.
    pub from: Option<&'static str>,
    /// User groups whose readers are shown restricted pages and parts, too.
    pub groups: Vec<String>,
    /// Show the author's own browser scripts too.
    pub include_js: bool,
    /// Highlight code blocks.
    pub highlight: bool,
}

impl WorkspaceSettings {
    /// A folder, with nothing fetched for it.
    pub fn of(root: PathBuf) -> Self {
        let remote = remote::RemoteOptions { mode: remote::RemoteMode::Off, ..remote::RemoteOptions::default() };
        Self {
            root,
            remote,
            fetched: Arc::default(),
            from: None,
            groups: Vec::new(),
            include_js: false,
            highlight: true,
        }
    }

    /// What decides how the site is prepared: as in an export, but on no host.
    fn setup(&self) -> PrepareSetup<'_> {
        PrepareSetup { domain: None, include_js: self.include_js, highlight: self.highlight, offline_search: true }
    }

    fn load_options<'a>(&'a self, descriptions: &'a RemoteDescriptions<'a>) -> load::LoadOptions<'a> {
        load::LoadOptions {
            groups: &self.groups,
            remote: Some(descriptions),
            tools: import::TOOLS,
            from: self.from,
            evaluate: Some(&ConfigEngine),
        }
    }

    /// Loads the site, and says what is wrong with what it loads from elsewhere.
    fn load(&self) -> Result<(load::Loaded, Vec<Diagnostic>), LoadError> {
        let (tree, found) = load::list_folder(&self.root)?;
        let mut diagnostics = Vec::new();
        let remote = Remote::new(&self.remote, &tree, &mut diagnostics);
        if let Some(earlier) = held(&self.fetched).take() {
            remote.take_over(earlier);
        }
        let descriptions = RemoteDescriptions::new(&remote, &NEVER);
        let loaded = load::load_tree(tree, found, &self.load_options(&descriptions));
        *held(&self.fetched) = Some(remote);
        Ok((loaded?, diagnostics))
    }
}

/// A page as it is shown.
#[derive(Debug)]
pub struct ShownPage {
    /// The whole page.
    pub html: String,
    /// Equal for equal pages.
    pub digest: u64,
    /// What is wrong with it, in order.
    pub diagnostics: Vec<Diagnostic>,
    /// What it brings along.
    side: PageFiles,
    /// `None` for what the program adds.
    page: Option<PageId>,
    /// The pages whose anchors it links to.
    linked_pages: Vec<PageId>,
}

/// What an address means.
#[derive(Clone, Debug)]
pub enum DevReply {
    /// A page.
    Page(Arc<ShownPage>),
    /// Nothing; the page that says so.
    Missing(Arc<ShownPage>),
    /// A file of the theme or of the author.
    File {
        /// Its name in the bundle.
        path: String,
        /// Its bytes.
        bytes: Arc<Vec<u8>>,
    },
    /// It is found elsewhere: a percent-encoded address from the root of the site, or a whole one.
    Elsewhere(String),
}

/// The style sheet of utility classes: of all classes seen so far.
#[derive(Default)]
struct UtilitySheet {
    classes: BTreeSet<String>,
    css: Option<Arc<Vec<u8>>>,
    /// The maker of the next one.
    ready: Option<io::Result<Utilities>>,
    problems: Vec<Diagnostic>,
}

/// The files of the search index, by their names in the bundle.
type IndexFiles = Arc<FxHashMap<String, Arc<Vec<u8>>>>;

/// Pages made so far.
#[derive(Default)]
struct PageCache {
    pages: FxHashMap<String, Arc<ShownPage>>,
    /// Made of all pages, when a reader searches.
    index: Option<IndexFiles>,
    /// How often cached pages were dropped: results begun before are not cached.
    forgotten: u64,
}

/// A site, ready to be shown.
pub struct Workspace<'a> {
    site: &'a Site,
    assets: &'a Assets<'a>,
    resolver: &'a LinkResolver<'a>,
    theme: SiteTheme<'a>,
    side: SiteContext<'a>,
    kit: &'a Kit,
    /// The same, for finding anchors.
    plain: Kit,
    snippets: RwLock<Arc<Snippets<'a>>>,
    /// Pages by their files in the bundle, `index.html` included.
    pages: FxHashMap<String, PageId>,
    /// The author's files by their names in the bundle.
    files: FxHashMap<&'a str, FileId>,
    /// Files of the theme, and of the islands of the pages made so far.
    own_files: RwLock<FxHashMap<String, Arc<Vec<u8>>>>,
    cache: Mutex<PageCache>,
    /// What the page for missing addresses shows.
    not_found: theme::Missing,
    /// Lists of the whole site: names and texts.
    of_site: OnceLock<Vec<(String, String)>>,
    sheet: Mutex<UtilitySheet>,
    /// What is wrong with the site as a whole.
    diagnostics: Vec<Diagnostic>,
    /// What is wrong with the author's style sheets, by their paths.
    sheet_problems: Mutex<BTreeMap<String, Vec<Diagnostic>>>,
}

impl std::fmt::Debug for Workspace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace")
            .field("source", &self.site.tree.contents)
            .field("pages", &self.site.pages.len())
            .finish_non_exhaustive()
    }
}

/// Opens a site for as long as `with` runs. It is loaded by the threads of `pool`, or of the global pool.
///
/// # Errors
/// The folder or its configuration is of no use.
pub fn open_workspace<R>(
    settings: &WorkspaceSettings,
    pool: Option<&rayon::ThreadPool>,
    with: impl FnOnce(&Workspace<'_>) -> R,
) -> Result<R, LoadError> {
    let (loaded, mut diagnostics) = by(pool, || settings.load())?;
    diagnostics.extend_from_slice(&loaded.diagnostics);
    let site = &loaded.site;
    let all = site.iter().map(|(id, _)| id).collect();
    let prepared = PreparedSite::new(&loaded, all, settings.setup(), &mut diagnostics);
    let resolver = prepared.resolver(None);
    let references = References::new(site);
    let side = prepared.source(&resolver, &references);
    let icons = make_favicons(&side, &mut diagnostics);
    // nothing is fetched here: pages load what stands elsewhere from there
    let reach = theme::PageReach { media: true, author_scripts: settings.include_js, ..theme::PageReach::default() };
    let theme_options = theme::ThemeOptions { playground: true, ..prepared.theme_options(&side, &icons, reach) };
    let links = ThemeLinks::new(&resolver);
    let (theme, mut theme_files, problems) =
        by(pool, || SiteTheme::build(site, prepared.navigation, &theme_options, &links));
    diagnostics.extend(problems);
    theme_files.extend_from_slice(theme.math_files());
    theme_files.push(SiteTheme::notices(true, true));
    theme_files.extend(
        site.tree
            .fetched()
            .filter(|(id, _)| !site.tree.file(*id).ignored)
            .map(|(_, file)| ThemeFile { path: file.path().clone(), bytes: file.bytes().to_vec() }),
    );
    theme_files
        .extend(icons.files.into_iter().map(|(name, bytes)| ThemeFile { path: BundlePath::sanitize(name), bytes }));
    let snippets = Snippets::new(site, None);
    let not_found = by(pool, || not_found_content(&side, &prepared.kit, &snippets, &mut diagnostics));
    load::written::place_all(site, &mut diagnostics);
    tidy(&mut diagnostics);

    let ids = site.iter().filter_map(|(id, _)| Some((resolver.path(id)?.as_str().to_owned(), id)));
    let mut pages: FxHashMap<String, PageId> = ids.collect();
    if let Some(home) = prepared.home {
        pages.entry(START.to_owned()).or_insert(home);
    }
    let workspace = Workspace {
        site,
        assets: &prepared.assets,
        resolver: &resolver,
        theme,
        side,
        plain: anchors::without_highlighting(&prepared.kit),
        kit: &prepared.kit,
        snippets: RwLock::new(Arc::new(snippets)),
        not_found,
        pages,
        files: site.tree.iter().map(|(id, _)| (prepared.assets.path(id).as_str(), id)).collect(),
        own_files: RwLock::new(
            theme_files.into_iter().map(|file| (file.path.to_string(), Arc::new(file.bytes))).collect(),
        ),
        cache: Mutex::default(),
        of_site: OnceLock::new(),
        sheet: Mutex::default(),
        diagnostics,
        sheet_problems: Mutex::default(),
    };
    workspace.check_sheets();
    Ok(with(&workspace))
}

/// Works on the threads of a pool, if there is one.
fn by<T: Send>(pool: Option<&rayon::ThreadPool>, work: impl FnOnce() -> T + Send) -> T {
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// The start page's file.
const START: &str = "index.html";
/// Where the search index lies.
const SEARCH: &str = "_offprint/search";
const NOT_FOUND: &str = "404.html";

impl Workspace<'_> {
    /// The site.
    pub fn site(&self) -> &Site {
        self.site
    }

    /// What is wrong with the site as a whole: configuration, navigation, style sheets.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all = self.diagnostics.clone();
        all.extend(held(&self.sheet_problems).values().flatten().cloned());
        all.extend(held(&self.sheet).problems.iter().cloned());
        tidy(&mut all);
        all
    }

    /// What an address means: `path` is decoded and has no leading slash; empty for the start page. Addresses without
    /// `.html` work too.
    pub fn answer(&self, path: &str) -> DevReply {
        // two slashes would name another host
        let path = path.trim_start_matches(['/', '\\']);
        let file = if path.is_empty() { START } else { path };
        let page = self.pages.get_key_value(file).or_else(|| self.pages.get_key_value(format!("{file}.html").as_str()));
        if let Some((file, page)) = page {
            return DevReply::Page(self.page(*page, file));
        }
        if let Some(answer) = self.own_file(file) {
            return answer;
        }
        if let Some(answer) = self.files.get(file).and_then(|file| self.author_file(*file)) {
            return answer;
        }
        if let Some(bytes) = file.starts_with(SEARCH).then(|| self.index().get(file).cloned()).flatten() {
            return DevReply::File { path: file.to_owned(), bytes };
        }
        if let Some(text) = self.side_file(file) {
            return DevReply::File { path: file.to_owned(), bytes: Arc::new(text.into_bytes()) };
        }
        match self.resolver.resolve(&format!("/{}", url::encode_path(path)), None, "") {
            ResolvedTarget::Page { page, query, fragment } if !path.is_empty() => self.resolver.path(page).map_or_else(
                || self.missing(),
                |path| {
                    let fragment =
                        if fragment.is_empty() { fragment } else { format!("#{}", url::encode_fragment(&fragment)) };
                    DevReply::Elsewhere(format!("/{}{query}{fragment}", url::encode_path(path.as_str())))
                },
            ),
            ResolvedTarget::Outside(url) => DevReply::Elsewhere(url),
            ResolvedTarget::Asset(file) if self.assets.path(file).as_str() != path => {
                DevReply::Elsewhere(format!("/{}", url::encode_path(self.assets.path(file).as_str())))
            }
            _ => self.missing(),
        }
    }

    /// The address of a page, from the root.
    pub fn address(&self, page: PageId) -> Option<&BundlePath> {
        self.resolver.path(page)
    }

    /// The address of a page that is shown, from the root, by whichever address it was requested; `None` for what the
    /// program adds.
    pub fn address_of(&self, shown: &ShownPage) -> Option<&BundlePath> {
        self.address(shown.page?)
    }

    /// The page that a file of the source holds.
    pub fn page_of(&self, file: FileId) -> Option<PageId> {
        self.site.iter().find(|(_, page)| page.file == Some(file)).map(|(id, _)| id)
    }

    /// A page's file has changed, but nothing that other pages know of it.
    pub fn forget_page(&self, page: PageId) {
        self.resolver.forget_anchors(page);
        let mut cache = held(&self.cache);
        cache.forgotten += 1;
        cache.index = None;
        cache.pages.retain(|_, shown| shown.page != Some(page) && !shown.linked_pages.contains(&page));
    }

    /// Snippets or scripts that pages import have changed.
    pub fn forget_snippets(&self) {
        *self.snippets.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Snippets::new(self.site, None));
        self.site.iter().for_each(|(page, _)| self.resolver.forget_anchors(page));
        let mut cache = held(&self.cache);
        cache.forgotten += 1;
        cache.index = None;
        cache.pages.clear();
    }

    /// Reads the author's style sheets again for what is wrong with them.
    pub fn check_sheets(&self) {
        let mut problems = BTreeMap::new();
        for file in self.assets.with_extension("css") {
            let mut found = Vec::new();
            if let Ok(bytes) = self.site.tree.read(file) {
                drop(styles::author_sheet(&bytes, file, self.resolver, &NEVER, &mut found));
            }
            problems.insert(self.site.tree.path(file).to_owned(), found);
        }
        *held(&self.sheet_problems) = problems;
    }

    fn page(&self, page: PageId, file: &str) -> Arc<ShownPage> {
        let cache = held(&self.cache);
        if let Some(shown) = cache.pages.get(file) {
            return Arc::clone(shown);
        }
        let begun = cache.forgotten;
        drop(cache);
        let shown = Arc::new(self.make(page, file));
        let mut cache = held(&self.cache);
        if cache.pages.len() >= MAX_CACHED_PAGES {
            cache.pages.clear();
        }
        if cache.forgotten == begun {
            cache.pages.insert(file.to_owned(), Arc::clone(&shown));
        }
        shown
    }

    fn make(&self, page: PageId, file: &str) -> ShownPage {
        let snippets = Arc::clone(&self.snippets.read().unwrap_or_else(PoisonError::into_inner));
        // only an export reads the history
        let dates = Dates::default();
        let writer = PageWriter {
            source: self.side,
            kit: self.kit,
            snippets: &snippets,
            theme: &self.theme,
            dates: &dates,
            has_side_files: true,
            social: None,
            readers: None,
            records: None,
        };
        let path = BundlePath::sanitize(file);
        let mut output = writer.page(page, &path, &Timers::default()).unwrap_or_default();
        let unknown: Vec<PageId> =
            output.linked_pages.iter().copied().filter(|page| !self.resolver.knows_anchors(*page)).collect();
        if !unknown.is_empty() {
            // now its links can be judged
            anchors_of_pages(unknown, self.resolver, self.site, &self.plain, &snippets, self.side.references);
            output = writer.page(page, &path, &Timers::default()).unwrap_or_default();
        }
        let content = &mut output.content;
        self.resolver.set_anchors(page, std::mem::take(&mut content.ids), &content.headings, content.is_open);
        self.note_classes(std::mem::take(&mut content.classes));
        if !output.shared_files.is_empty() {
            let mut own = self.own_files.write().unwrap_or_else(PoisonError::into_inner);
            own.extend(output.shared_files.iter().map(|file| (file.path.to_string(), Arc::new(file.bytes.clone()))));
        }
        tidy(&mut output.content.diagnostics);
        ShownPage {
            digest: stable_digest(&output.html),
            html: output.html,
            diagnostics: output.content.diagnostics,
            side: output.side,
            page: Some(page),
            linked_pages: output.linked_pages,
        }
    }

    /// A file of the theme or of an island.
    fn own_file(&self, path: &str) -> Option<DevReply> {
        // of all classes so far, which do no harm
        if path.starts_with(theme::UTILITIES) {
            return Some(DevReply::File { path: path.to_owned(), bytes: self.utilities() });
        }
        if path == NOT_FOUND {
            return Some(self.missing());
        }
        let own = self.own_files.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = own.get(path)?;
        Some(match std::str::from_utf8(bytes) {
            Ok(html) if path.ends_with(".html") => DevReply::Page(Arc::new(ShownPage::added(html.to_owned()))),
            _ => DevReply::File { path: path.to_owned(), bytes: Arc::clone(bytes) },
        })
    }

    /// The search index of the pages as they are now: the one thing that takes them all, and so made for the first
    /// search only.
    fn index(&self) -> IndexFiles {
        let cache = held(&self.cache);
        if let Some(index) = &cache.index {
            return Arc::clone(index);
        }
        let begun = cache.forgotten;
        // not held while all threads work: one that waits for it could be the one that is waited for
        drop(cache);
        let snippets = Arc::clone(&self.snippets.read().unwrap_or_else(PoisonError::into_inner));
        let mut search = search::ExportSearch::new(self.site, &self.theme);
        // only an export reads the history
        let dates = Dates::default();
        let writer = PageWriter {
            source: self.side,
            kit: &self.plain,
            snippets: &snippets,
            theme: &self.theme,
            dates: &dates,
            has_side_files: false,
            social: None,
            readers: None,
            records: Some(search.records(self.site, self.side.navigation)),
        };
        let record = |page: PageId| writer.page(page, self.resolver.path(page)?, &Timers::default()).ok()?.record;
        let records = self.side.all_pages().into_par_iter().filter_map(record).collect();
        let files: Vec<BundleEntry> = search.add(records).into_iter().chain(search.finish()).collect();
        let index: IndexFiles =
            Arc::new(files.into_iter().map(|file| (file.path.to_string(), Arc::new(file.bytes))).collect());
        let mut cache = held(&self.cache);
        if cache.forgotten == begun {
            cache.index = Some(Arc::clone(&index));
        }
        index
    }

    /// A file of the author, as a bundle would hold it.
    fn author_file(&self, file: FileId) -> Option<DevReply> {
        if !self.assets.is_published(file) {
            return None;
        }
        let bytes = self.site.tree.read(file).ok()?;
        let path = self.site.tree.path(file);
        let bytes = match lower_extension(path).as_str() {
            "css" => styles::author_sheet(&bytes, file, self.resolver, &NEVER, &mut Vec::new()).ok()?,
            "svg" => styles::author_drawing(
                still_svg(bytes, path, &mut Vec::new()),
                file,
                self.resolver,
                &NEVER,
                &mut Vec::new(),
            )
            .ok()?,
            _ => bytes,
        };
        Some(DevReply::File { path: self.assets.path(file).to_string(), bytes: Arc::new(bytes) })
    }

    /// A file that a page brings along, or that is made of the whole site. `llms-full.txt` is not: it takes all pages.
    fn side_file(&self, path: &str) -> Option<String> {
        let page_of = |stem: &str| {
            self.pages.get_key_value(format!("{stem}.html").as_str()).map(|(file, page)| self.page(*page, file))
        };
        if let Some(shown) = path.strip_suffix(".md.js").and_then(page_of) {
            return (!shown.side.markdown.is_empty()).then(|| shown.side.markdown.script());
        }
        if let Some(shown) = path.strip_suffix(".md").and_then(page_of) {
            return (!shown.side.markdown.is_empty()).then(|| shown.side.markdown.file());
        }
        if let Some(shown) = path.strip_suffix("/rss.xml").and_then(page_of) {
            return shown.side.feed.as_ref().map(|feed| side::feed(&self.side, feed));
        }
        self.files_of_site().iter().find(|(name, _)| name == path).map(|(_, text)| text.clone())
    }

    /// The files that are made of all pages.
    ///
    /// They are made before the cell is taken, sometimes by several threads at once. All threads of the pool make them,
    /// and one that waits for the others answers another request meanwhile: if that needed the cell, which the same
    /// thread is filling, neither would end.
    fn files_of_site(&self) -> &[(String, String)] {
        if let Some(files) = self.of_site.get() {
            return files;
        }
        let files = side::of_site(&self.side, &mut Vec::new());
        self.of_site.get_or_init(|| files)
    }

    fn missing(&self) -> DevReply {
        DevReply::Missing(Arc::new(ShownPage::added(self.theme.not_found(&self.not_found))))
    }

    /// Notes classes that may be utilities. Those of pages as they were before stay: they do no harm.
    fn note_classes(&self, classes: Vec<String>) {
        let mut sheet = held(&self.sheet);
        let known = sheet.classes.len();
        sheet.classes.extend(classes);
        if sheet.classes.len() > known {
            sheet.css = None;
            // while the page travels to the browser
            sheet.ready.get_or_insert_with(Utilities::start);
        }
    }

    fn utilities(&self) -> Arc<Vec<u8>> {
        let mut sheet = held(&self.sheet);
        if let Some(css) = &sheet.css {
            return Arc::clone(css);
        }
        let started = sheet.ready.take().unwrap_or_else(Utilities::start);
        let mut problems = Vec::new();
        let css = Arc::new(
            styles::utilities(started, &sheet.classes, self.resolver, &NEVER, &mut problems)
                .unwrap_or_default()
                .into_bytes(),
        );
        sheet.problems = problems;
        sheet.css = Some(Arc::clone(&css));
        css
    }
}

impl ShownPage {
    /// A page that the program adds.
    fn added(html: String) -> Self {
        Self {
            digest: stable_digest(&html),
            html,
            diagnostics: Vec::new(),
            side: PageFiles::default(),
            page: None,
            linked_pages: Vec::new(),
        }
    }
}

/// A digest that is stable within the process.
fn stable_digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// What a lock holds is whole between two calls, whatever befell the thread that held it.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
