//! Page content and navigation to whole HTML pages.
//!
//! 1. `structure` cuts the navigation into branches: one sidebar, one order of pages each.
//! 2. `chrome` and `sidebar` render what the pages of a branch share, once, with marks where pages differ (`fragment`).
//! 3. `files` makes the style sheet (with the site's `palette`), the script and the icon; `nav_script` the page trees
//!    of large branches.
//! 4. `contents` lists every page with plain links.
//! 5. `page` says what is a page's own, with its `toc`, its `head` and the `styles` that it loads; `frame` joins that
//!    with what it shares with others; `not_found` writes 404.html.
//! 6. `search` makes the client that is loaded when a reader opens it; `search_areas` says which pages are searched
//!    together, and how they are divided.
//! 7. `actions` makes the menu of a page, `source_links` its links to its source.
//!    `console` makes the client of the API console, and says what a page needs to have one.
//! 8. `utilities` makes the style sheet of the utility classes that authors write, once all pages are known; `notices`
//!    the licenses.
//!
//! Invariants: no page holds more of the navigation than its own bounded neighborhood, so bytes per page do not depend
//! on the number of pages. Templates are compiled in, and tenant text is only ever a value of them. Nothing here reads
//! a file, a clock or the environment.

mod actions;
mod chrome;
mod color;
mod console;
mod contents;
mod counterparts;
mod files;
pub mod fonts;
mod fragment;
mod frame;
mod head;
mod icons;
mod json_ld;
mod language;
mod minify;
mod nav_script;
mod not_found;
mod notices;
mod own;
mod page;
mod palette;
mod policy;
mod prune;
#[cfg(test)]
mod sample;
mod search;
mod search_areas;
mod sidebar;
mod source;
mod source_links;
mod structure;
mod styles;
mod subset;
#[cfg(test)]
mod tests;
mod theme_file;
mod toc;
mod utilities;
mod web_fonts;

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tera::Tera;

pub use head::{has_preview, outside_previews};
pub use not_found::{INSIDE, Missing, rooted};
pub use notices::content_licenses;
pub use page::{PageView, Related, SocialPicture};
pub use palette::{Shades, shades};
pub use policy::{PageReach, connections as policy_connections, insert as insert_policy, of_files as policy_of_files};
pub use search_areas::SearchSpot;
pub use source_links::SourceRepository;
pub use subset::UtilityRules;
pub use theme_file::{HEAD_SCRIPT, ThemeFile, fingerprinted};
pub use utilities::{UTILITIES, Utilities, utilities_path};

use crate::asset::remote::SheetText;
use base::{Diagnostic, PageId};
use chrome::{Chrome, build_chrome};
use contents::build_contents;
use fragment::clean_fragment;
use load::Site;
use nav::Navigation;
use nav_script::build_nav_script;
use not_found::render_not_found;
use notices::notices_file;
use page::{render_failed_page, render_page};
use sidebar::{Sidebar, WHOLE, build_sidebar};
use source::ChromeInput;
use structure::{Branch, Structure};

/// What an export decides about its pages.
#[derive(Clone, Debug, Default)]
pub struct ThemeOptions {
    /// Part of the keys of the browser's local storage (`offprint:<site-id>:<name>`).
    pub site_id: String,
    /// Host name of the site, for canonical addresses; without scheme.
    pub domain: Option<String>,
    /// The author's style sheets, in order: percent-encoded URLs relative to the bundle's root.
    pub styles: Vec<String>,
    /// The author's scripts, in order: percent-encoded URLs relative to the bundle's root. Empty unless the site asks
    /// for them.
    pub scripts: Vec<String>,
    /// Rules that color highlighted code; they follow those of code blocks.
    pub code_colors: String,
    /// The bundle has a site map, and it is this one: percent-encoded URL relative to the bundle's root.
    pub sitemap: Option<String>,
    /// `favicon.ico`, if it was made beside the author's icon: URL relative to the bundle's root.
    pub ico: Option<&'static str>,
    /// The icon for home screens, if there is one beside the author's icon: URL relative to the bundle's root.
    pub touch_icon: Option<&'static str>,
    /// Address of a search service, which takes the query as `q`.
    pub search_endpoint: Option<String>,
    /// Address of an assistant.
    pub assistant_endpoint: Option<String>,
    /// The repository that the pages are written in.
    pub repository: Option<SourceRepository>,
    /// Menus of pages may hand a page to services on the internet.
    pub may_leave: bool,
    /// Tags for the head of every page, HTML: the scripts of analytics services.
    pub head: String,
    /// By page: whether search finds it. Empty where the site has no search.
    pub searchable: Vec<bool>,
    /// Pages of operations have a console, unless their authors want none.
    pub playground: bool,
    /// What pages may load and connect to beyond the bundle.
    pub reach: PageReach,
    /// Makes a script smaller; `None` for one that it cannot read.
    pub minify: Option<fn(&str) -> Option<String>>,
}

/// Where a link or load of the configuration leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigTarget {
    /// Percent-encoded URL relative to the bundle's root, e.g. `guides/start.html#x`.
    Inside(String),
    /// A whole URL.
    Outside(String),
    /// A file of another server that the bundle does not have; the warning about it comes from there.
    Absent,
    /// A page that is left out because only some user groups may see it.
    Restricted,
    /// Nowhere.
    Broken,
}

/// Resolves what docs.json refers to.
pub trait SiteLinks: Sync {
    /// A link as written in the configuration.
    fn href(&self, href: &str) -> ConfigTarget;
    /// A picture, font or icon file.
    fn asset(&self, src: &str) -> ConfigTarget;
    /// Percent-encoded URL of a page's file relative to the bundle's root; `None` if the page is not exported.
    fn page(&self, page: PageId) -> Option<&str>;
    /// Width and height in pixels of a picture.
    fn image_size(&self, _src: &str) -> Option<(u32, u32)> {
        None
    }
    /// The style sheet that a font service has for a query (`family=…`); by default nothing is requested.
    fn font_sheet(&self, _query: &str) -> SheetText {
        SheetText::Off
    }
}

/// A page in its frame.
#[derive(Debug)]
pub struct FramedPage {
    /// The HTML of the whole page.
    pub html: String,
    /// A style sheet of it that pages which hold the same components share. It belongs into the bundle, once.
    pub style: Option<Arc<ThemeFile>>,
}

/// The chrome of a site, ready to be put around pages. Shared between threads.
pub struct SiteTheme<'a> {
    source: ChromeInput<'a>,
    tera: Tera,
    frames: frame::Frames,
    structure: Structure,
    search: search::SiteSearch,
    /// By branch: the percent-encoded path of the console's client from the root, if pages may have one.
    consoles: Vec<Option<String>>,
    /// The chrome of each branch.
    chromes: Vec<Chrome>,
    /// For each branch, the first branch of the same language.
    languages: Vec<u32>,
    /// The sidebar of each branch.
    sidebars: Vec<Sidebar>,
    /// Path of the script with the whole page tree, by branch, where it is large.
    nav_scripts: Vec<Option<String>>,
    /// Style sheets of what few pages hold.
    rare_styles: styles::RareStyles,
    /// `https://docs.example.com`, or empty.
    base_url: String,
    /// What pages with formulas load.
    math: Vec<ThemeFile>,
    /// The part of the pages' data that is the same on all of them.
    json_ld: String,
}

impl std::fmt::Debug for SiteTheme<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SiteTheme").field("branches", &self.structure.branches.len()).finish_non_exhaustive()
    }
}

impl<'a> SiteTheme<'a> {
    /// Prepares everything that pages share. The files belong into the bundle as they are.
    pub fn build(
        site: &'a Site,
        navigation: &'a Navigation,
        options: &'a ThemeOptions,
        links: &'a dyn SiteLinks,
    ) -> (Self, Vec<ThemeFile>, Vec<Diagnostic>) {
        let source = ChromeInput::new(site, navigation, options, links);
        let structure = Structure::new(site, navigation);
        let branches = structure.branches.par_iter();
        let script = |(index, branch): (usize, &Branch)| {
            (branch.entries.len() > WHOLE).then(|| build_nav_script(&source, &structure, branch, index))
        };
        // few sites have many branches, and the script of a large one takes as long as all else
        let (scripts, parts): (Vec<Option<ThemeFile>>, ThemeParts) =
            rayon::join(|| branches.enumerate().map(script).collect(), || ThemeParts::build(&source, &structure));
        let ThemeParts { tera, files: mut theme_files, search, consoles, chromes, sidebars, math, rare_styles } = parts;
        let mut first: FxHashMap<&str, u32> = FxHashMap::default();
        let languages =
            (0..).zip(&chromes).map(|(number, chrome)| *first.entry(&chrome.lang).or_insert(number)).collect();
        let nav_scripts = scripts.iter().map(|script| script.as_ref().map(|file| file.path.to_string())).collect();
        theme_files.extend(scripts.into_iter().flatten());
        let base_url = clean_fragment(&site.config.base_url(options.domain.as_deref())).into_owned();
        let json_ld = json_ld::shared(&source, &base_url);
        let theme = Self {
            json_ld,
            source,
            tera,
            frames: frame::Frames::default(),
            structure,
            search,
            consoles,
            chromes,
            languages,
            sidebars,
            nav_scripts,
            rare_styles,
            base_url,
            math,
        };
        theme_files.extend(build_contents(&theme));
        let diagnostics = theme.source.diagnostics();
        (theme, theme_files, diagnostics)
    }

    /// A whole page. Called from many threads at once.
    pub fn page(&self, view: &PageView<'_>) -> FramedPage {
        let (html, style) = render_page(self, view);
        FramedPage { html, style }
    }

    /// What pages with formulas load beside the files of every page.
    pub fn math_files(&self) -> &[ThemeFile] {
        &self.math
    }

    /// The licenses of what a bundle is made of. `utilities`: it has a style sheet of utilities; `islands`: it has
    /// islands.
    pub fn notices(utilities: bool, islands: bool) -> ThemeFile {
        notices_file(utilities, islands)
    }

    /// `404.html`: needs no other file, at whatever depth a host serves it.
    pub fn not_found(&self, page: &Missing) -> String {
        render_not_found(self, page)
    }

    /// A page that says that it could not be rendered, and why. `path` is its file in the bundle.
    pub fn failed_page(&self, id: PageId, path: &str, reason: &str) -> String {
        render_failed_page(self, id, path, reason)
    }
}

/// What pages share but the scripts of their page trees.
struct ThemeParts {
    tera: Tera,
    files: Vec<ThemeFile>,
    search: search::SiteSearch,
    consoles: Vec<Option<String>>,
    chromes: Vec<Chrome>,
    sidebars: Vec<Sidebar>,
    math: Vec<ThemeFile>,
    rare_styles: styles::RareStyles,
}

impl ThemeParts {
    fn build(source: &ChromeInput<'_>, structure: &Structure) -> Self {
        let mut tera = templates();
        let unused = files::Unused::of(source);
        let (style_sheet, fonts) = files::style_sheet(source, &unused);
        // minifying their scripts takes longer than all else
        let (site_script, (search, search_files)) =
            rayon::join(|| files::site_script(source), || search::SiteSearch::new(source, structure));
        let mut files = vec![style_sheet, site_script, files::default_icon(source)];
        page::insert_constants(tera.global_context(), source, &files[1], &files[2], files::text_font(source, &fonts));
        let (consoles, console_files) = console::clients(source, structure, &tera);
        let branches = structure.branches.par_iter();
        let chrome = |(at, branch)| build_chrome(source, structure, branch, search.button(at), &tera);
        let chromes = branches.clone().enumerate().map(chrome).collect();
        let sidebars = branches.map(|branch| build_sidebar(source, structure, branch, &tera)).collect();
        let math = files::math();
        let code_colors = &source.options.code_colors;
        let rare_styles =
            styles::RareStyles::new(&files[0], math.first(), code_colors, &|selector| unused.has(selector));
        files.extend(rare_styles.files().chain(fonts).chain(search_files).chain(console_files));
        Self { tera, files, search, consoles, chromes, sidebars, math, rare_styles }
    }
}

/// All templates, parsed.
fn templates() -> Tera {
    let mut tera = Tera::new();
    tera.autoescape_on([".html"]);
    let added = tera.add_raw_templates([
        ("page.html", const { templates::text("page.html") }),
        ("page_scripts.html", const { templates::text("page_scripts.html") }),
        ("breadcrumbs.html", const { templates::text("breadcrumbs.html") }),
        ("switchers.html", const { templates::text("switchers.html") }),
        ("directory.html", const { templates::text("directory.html") }),
        ("related.html", const { templates::text("related.html") }),
        ("banner.html", const { templates::text("banner.html") }),
        ("header.html", const { templates::text("header.html") }),
        ("sidebar.html", const { templates::text("sidebar.html") }),
        ("sidebar_top.html", const { templates::text("sidebar_top.html") }),
        ("sidebar_end.html", const { templates::text("sidebar_end.html") }),
        ("footer.html", const { templates::text("footer.html") }),
        ("contents.html", const { templates::text("contents.html") }),
        ("notice.html", const { templates::text("notice.html") }),
        ("oauth.html", const { templates::text("oauth.html") }),
        ("not_found.html", const { templates::text("not_found.html") }),
        ("parts.html", const { templates::text("parts.html") }),
    ]);
    // the templates are constants, and every test parses them
    debug_assert!(added.is_ok(), "{added:?}");
    tera
}

/// What stands in for a piece that its template could not render: nothing, and an error that names it.
fn template_failed(source: &ChromeInput<'_>, error: &tera::Error) -> String {
    source.report(Diagnostic::new("template", format!("a part of the page layout cannot be rendered: {error}")));
    String::new()
}
