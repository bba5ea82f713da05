//! One page: its head, its marks in the shared chrome, and everything around its content.

use std::borrow::Cow;

use memchr::memmem;
use serde::Serialize;
use tera::{Context, Value};

use super::files::{HEAD_SCRIPT, LATER_MARKS, RareStyle, ThemeFile};
use super::fragment::{Ask, ROOT, clean, safe};
use super::head::{self, Meta};
use super::json_ld;
use super::source::Source;
use super::structure::{Spot, own_page};
use super::utilities::UTILITIES;
use super::words;
use super::{Theme, template_failed};
use crate::base::{PageId, html, short_text, url};
use crate::nav::{Directory, NodeId, NodeKind};
use crate::render::{self, TocEntry};
use crate::site::PageEntry;
use crate::site::config::{Scheme, ThemeName};
use crate::site::page::Mode;

/// A page to be put into its frame.
#[derive(Clone, Copy, Debug)]
pub struct PageView<'a> {
    /// The page.
    pub id: PageId,
    /// Its file in the bundle, not encoded: `guides/start.html`; the start page is also written as `index.html`.
    pub path: &'a str,
    /// What the source says of it.
    pub page: &'a PageEntry,
    /// Its rendered content.
    pub content: &'a render::Page,
    /// The title as inline HTML.
    pub title_html: &'a str,
    /// The description as inline HTML.
    pub description_html: Option<&'a str>,
    /// ISO date, if it is to be shown.
    pub last_modified: Option<&'a str>,
    /// Related pages, in order.
    pub related: &'a [Related],
    /// Data of the page's islands, JSON that is safe inside `<script>`; may be empty.
    pub islands: &'a str,
    /// Scripts of the page, from the root, percent-encoded.
    pub scripts: &'a [String],
    /// The feed of its change log, relative to the page, percent-encoded.
    pub feed: Option<&'a str>,
    /// A picture that was drawn of it.
    pub social: Option<Social<'a>>,
}

/// A picture that social networks show of a page.
#[derive(Clone, Copy, Debug)]
pub struct Social<'a> {
    /// Its file in the bundle, not encoded.
    pub path: &'a str,
    /// Width and height, pixels.
    pub size: (u32, u32),
}

/// A related page.
#[derive(Clone, Debug, Serialize)]
pub struct Related {
    /// Its title.
    pub title: String,
    /// Where it is: relative to this page, percent-encoded; or a whole URL.
    pub url: String,
    /// Leads out of the bundle.
    pub external: bool,
}

/// What one page says to the template beside its content.
struct Sheet<'a> {
    lang: &'a str,
    rtl: bool,
    /// `/guides/start`; `/` for the start page.
    current_path: String,
    /// `../`
    root: String,
    mode: &'static str,
    /// The frame.
    layout: &'static str,
    /// The page tree is a menu in every window.
    tree_menu: bool,
    title: String,
    metas: Vec<Meta>,
    canonical: Option<String>,
    /// JSON, safe inside `<script>`; empty where search engines are to stay away.
    json_ld: String,
    /// The page's feed, relative to the page.
    feed: Option<&'a str>,
    /// The feed has a button.
    feed_shown: bool,
    /// Style sheets of the program that this page needs beside the theme's, from the bundle's root.
    styles_needed: Vec<Cow<'a, str>>,
    banner_key: Option<&'a str>,
    nav_script: Option<String>,
    /// The page has no header; its title is for screen readers only.
    bare: bool,
    /// The title is for screen readers only: it stands in the content.
    shows_title: bool,
    eyebrow: Option<Cow<'a, str>>,
    breadcrumbs: Vec<Crumb>,
    tag: Option<Cow<'a, str>>,
    deprecated: bool,
    endpoint: Option<Endpoint<'a>>,
    toc: Vec<TocItem<'a>>,
    views: Vec<View<'a>>,
    /// What a reader can choose among on this page: (id, label).
    variations: &'a [(String, String)],
    update_tags: &'a [String],
    directory: Option<Listing>,
    page_scripts: &'a [String],
    related: &'a [Related],
    modified: Option<Modified>,
    previous: Option<Neighbour>,
    next: Option<Neighbour>,
}

#[derive(Serialize)]
struct Crumb {
    label: String,
    url: Option<String>,
}

#[derive(Serialize)]
struct Endpoint<'a> {
    method: &'a str,
    path: &'a str,
}

#[derive(Serialize)]
struct TocItem<'a> {
    id: String,
    text: &'a str,
    within: Option<&'a str>,
    children: Vec<TocItem<'a>>,
}

#[derive(Serialize)]
struct View<'a> {
    id: &'a str,
    title: &'a str,
    /// HTML.
    icon: &'a str,
}

#[derive(Serialize)]
struct Modified {
    iso: String,
    text: String,
}

#[derive(Serialize)]
struct Neighbour {
    url: String,
    label: String,
}

/// What a group's root page lists below its content.
#[derive(Serialize)]
struct Listing {
    /// `card` or `accordion`.
    style: &'static str,
    items: Vec<Listed>,
}

#[derive(Default, Serialize)]
struct Listed {
    label: String,
    url: Option<String>,
    /// HTML.
    icon: String,
    description: Option<String>,
    items: Vec<Listed>,
}

/// Decorations that the style sheet draws.
pub(super) const DECORATIONS: [&str; 3] = ["gradient", "grid", "windows"];

/// Themes that the style sheet sets apart from the others of their family.
pub(super) const DISTINCT_THEMES: [(&str, ThemeName); 6] = [
    ("almond", ThemeName::Almond),
    ("aspen", ThemeName::Aspen),
    ("linden", ThemeName::Linden),
    ("luma", ThemeName::Luma),
    ("palm", ThemeName::Palm),
    ("sequoia", ThemeName::Sequoia),
];

/// What no page changes.
pub(super) fn insert_constants(context: &mut Context, source: &Source<'_>, css: &ThemeFile, js: &ThemeFile, icon: &ThemeFile) {
    let config = source.config();
    context.insert("site_id", &*clean(&source.options.site_id));
    context.insert("site_name", &*clean(&config.name));
    context.insert("theme", &config.theme);
    context.insert("scheme", &config.appearance.default);
    context.insert("strict", &config.appearance.strict);
    context.insert("dark", &(config.appearance.default == Scheme::Dark));
    context.insert("decoration", &config.background.decoration.as_deref().filter(|name| DECORATIONS.contains(name)));
    context.insert("backdrop", &config.background.image.is_some());
    context.insert_value("head_script", safe(HEAD_SCRIPT.trim_end()));
    context.insert("css", &url::encode_path(css.path.as_str()));
    context.insert("js", &url::encode_path(js.path.as_str()));
    context.insert("styles", &source.options.styles);
    context.insert("scripts", &source.options.scripts);
    context.insert("sitemap", &source.options.sitemap);
    context.insert_value("head_tags", safe(&source.options.head));
    context.insert("generator", &concat!("offprint ", env!("CARGO_PKG_VERSION")));
    let own = |src: &str| (!src.is_empty()).then(|| source.asset(src, "favicon")).flatten().map(|url| url.replace(ROOT, ""));
    let light = config.favicon.as_ref().and_then(|pair| own(&pair.light));
    let dark = config.favicon.as_ref().filter(|pair| pair.light != pair.dark).and_then(|pair| own(&pair.dark));
    // what phones put on their home screens: they take PNG alone
    let square = |src: &str| source.links.image_size(src).is_some_and(|(width, height)| width == height && width >= 120);
    let is_touch_icon = config.favicon.as_ref().is_some_and(|pair| pair.light.to_ascii_lowercase().ends_with(".png") && square(&pair.light));
    let touch_icon = source.options.touch_icon.or(light.as_deref().filter(|_| is_touch_icon));
    context.insert("touch_icon", &touch_icon);
    context.insert("ico", &source.options.ico);
    context.insert("icon_dark", &dark);
    context.insert("icon", &light.or(dark).unwrap_or_else(|| url::encode_path(icon.path.as_str())));
}

/// The frame of a theme: `tabs` (under the top bar), `sidebar` (no top bar of its own) or `center`.
pub(super) fn layout(theme: ThemeName) -> &'static str {
    match theme {
        ThemeName::Mint | ThemeName::Aspen | ThemeName::Luma | ThemeName::Linden | ThemeName::Sequoia => "tabs",
        ThemeName::Maple | ThemeName::Palm => "sidebar",
        ThemeName::Willow | ThemeName::Almond => "center",
    }
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Default => "default",
        Mode::Wide => "wide",
        Mode::Custom => "custom",
        Mode::Frame => "frame",
        Mode::Center => "center",
        Mode::Assistant => "assistant",
    }
}

/// Renders a page of the site.
pub(super) fn render(theme: &Theme<'_>, view: &PageView<'_>) -> String {
    let PageView { page, content, .. } = view;
    let spot = theme.spot(view.id);
    let mode = page.meta.mode;
    let is_home = theme.source.navigation.home == Some(view.id);
    let mut sheet = theme.sheet(view.path, spot, &page.meta.title);
    sheet.mode = mode_name(mode);
    // without a page tree at its side a page has a bar on top in every theme
    sheet.tree_menu = matches!(mode, Mode::Center | Mode::Custom) && sheet.layout == "sidebar";
    if sheet.tree_menu {
        sheet.layout = "tabs";
    }
    sheet.canonical = theme.source.config().canonical_url(&theme.base_url, page, is_home).map(|url| clean(&url).into_owned());
    sheet.metas = head::metas(&theme.source, &theme.base_url, page, &sheet.title, sheet.canonical.as_deref(), view.social);
    for meta in &mut sheet.metas {
        meta.set_root(&sheet.root);
    }
    if let Some(address) = sheet.canonical.as_deref().filter(|_| !theme.json_ld.is_empty() && !page.visibility.noindex) {
        let crumbs = theme.source.navigation.breadcrumbs(view.id, &page.meta.title);
        let crumbs = crumbs.into_iter().map(|id| (clean(&theme.source.node(id).label).into_owned(), theme.structure.first_page[id.0 as usize])).collect();
        let about = json_ld::About { page, id: view.id, address, lang: sheet.lang, crumbs };
        sheet.json_ld = json_ld::graph(&theme.source, &theme.base_url, &theme.json_ld, &about);
    }
    sheet.feed = view.feed;
    sheet.feed_shown = view.feed.is_some() && page.meta.rss;
    if [&content.html, &content.aside, view.title_html].iter().any(|html| memmem::find(html.as_bytes(), b"<math").is_some()) {
        let math = theme.math.first().map(|sheet| url::encode_path(sheet.path.as_str()));
        sheet.styles_needed.extend(math.map(Cow::Owned));
    }
    if !content.classes.is_empty() {
        sheet.styles_needed.push(UTILITIES.into());
    }
    // a blank canvas has no visible title: its author draws one
    sheet.bare = matches!(mode, Mode::Custom | Mode::Frame);
    if !sheet.bare {
        sheet.place(theme, spot);
        sheet.tag = page.meta.tag.as_deref().map(clean);
        sheet.deprecated = page.meta.deprecated;
        sheet.endpoint = page.endpoint.as_ref().map(|endpoint| Endpoint { method: &endpoint.method, path: &endpoint.path });
        sheet.directory = listing(theme, spot, &sheet.root);
        sheet.related = view.related;
        let date = page.meta.last_updated.as_deref().or(view.last_modified).filter(|_| view.last_modified.is_some());
        sheet.modified = date.map(|iso| Modified { iso: iso.to_owned(), text: words::date(iso, sheet.lang) });
    }
    if !sheet.bare && !page.meta.hide_pagination {
        let (previous, next) = theme.source.navigation.neighbours(view.id);
        sheet.previous = theme.neighbour(previous, &sheet.root);
        sheet.next = theme.neighbour(next, &sheet.root);
    }
    let has_column = mode == Mode::Default;
    let aside = if has_column { content.aside.as_str() } else { "" };
    if has_column && aside.is_empty() || mode == Mode::Assistant {
        sheet.toc = toc(&content.toc);
    }
    let later = if view.islands.is_empty() { "" } else { LATER_MARKS };
    let rare = RareStyle::urls_for(&theme.rare_styles, &[&content.html, aside, later], view.islands);
    sheet.styles_needed.extend(rare.map(Cow::Borrowed));
    sheet.shows_title = content.shows_title;
    sheet.views = content.views.iter().map(|(id, title, icon)| View { id, title, icon }).collect();
    if content.has_variations {
        sheet.variations = &theme.source.config().variations;
    }
    sheet.update_tags = &content.update_tags;
    sheet.page_scripts = view.scripts;
    let body = Body { title: view.title_html, description: view.description_html, content: &content.html, aside, islands: view.islands };
    give_way(theme.write(&sheet, spot, Some(view.id), &body), &content.ids)
}

/// Parts of the frame whose id no script needs, as their tags are written.
const FURNITURE: [(&str, &str); 7] = [
    ("banner", "<div id=\"banner\""),
    ("footer", "<footer id=\"footer\""),
    ("header", "<header id=\"header\""),
    ("navbar", "<div id=\"navbar\""),
    ("pagination", "<nav id=\"pagination\""),
    ("tabs", "<nav id=\"tabs\""),
    ("table-of-contents", "<nav id=\"table-of-contents\""),
];

/// A heading may be called like a part of the frame, and links lead to the heading: the part goes without its id there.
fn give_way(mut html: String, ids: &[String]) -> String {
    for (id, tag) in FURNITURE.iter().filter(|(id, _)| ids.binary_search_by(|known| known.as_str().cmp(id)).is_ok()) {
        let without = tag.replace(&format!(" id=\"{id}\""), "");
        html = html.replacen(tag, &without, 1);
    }
    html
}

/// Renders a page that says that it could not be rendered.
pub(super) fn failed(theme: &Theme<'_>, id: PageId, path: &str, reason: &str) -> String {
    let title = theme.source.site.pages.get(id.0 as usize).map_or("", |page| page.meta.title.as_str());
    let spot = theme.spot(id);
    let mut sheet = theme.sheet(path, spot, title);
    sheet.place(theme, spot);
    sheet.metas = vec![Meta::noindex()];
    let mut context = Context::new();
    context.insert("reason", reason);
    context.insert_value("w", theme.chromes[spot.branch as usize].words.clone());
    let content = theme.tera.render("notice.html", &context).unwrap_or_else(|error| template_failed(&theme.source, &error));
    theme.write(&sheet, spot, Some(id), &Body { title: &html::text(title), description: None, content: &content, aside: "", islands: "" })
}

/// Renders a page that the theme itself makes up, in the frame of a branch.
pub(super) fn made_up(theme: &Theme<'_>, path: &str, branch: u32, title: &str, content: &str) -> String {
    let spot = Spot { branch, entry: None };
    let mut sheet = theme.sheet(path, spot, title);
    sheet.metas = vec![Meta::noindex()];
    sheet.mode = "wide";
    sheet.styles_needed.extend(RareStyle::urls_for(&theme.rare_styles, &[content], "").map(Cow::Borrowed));
    theme.write(&sheet, spot, None, &Body { title: &html::text(title), description: None, content, aside: "", islands: "" })
}

/// HTML that a page brings with it.
struct Body<'a> {
    title: &'a str,
    description: Option<&'a str>,
    content: &'a str,
    aside: &'a str,
    islands: &'a str,
}

impl Theme<'_> {
    fn spot(&self, id: PageId) -> Spot {
        self.structure.spots.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// A sheet with nothing but its surroundings.
    fn sheet<'s>(&'s self, path: &str, spot: Spot, title: &str) -> Sheet<'s> {
        let chrome = &self.chromes[spot.branch as usize];
        let name = &self.source.config().name;
        let title = match (title, name.as_str()) {
            (title, "") => title.to_owned(),
            ("", name) => name.to_owned(),
            (title, name) => format!("{title} - {name}"),
        };
        let title = clean(&title).into_owned();
        let root = url::to_root(path);
        let nav_script = self.nav_scripts[spot.branch as usize].as_ref().map(|script| root.clone() + &url::encode_path(script));
        let slug = path.strip_suffix(".html").unwrap_or(path);
        Sheet {
            lang: &chrome.lang,
            rtl: words::is_rtl(&chrome.lang),
            current_path: if slug == "index" { "/".to_owned() } else { format!("/{slug}") },
            root,
            mode: "default",
            layout: layout(self.source.config().theme),
            tree_menu: false,
            title,
            metas: Vec::new(),
            json_ld: String::new(),
            feed: None,
            feed_shown: false,
            canonical: None,
            styles_needed: Vec::new(),
            banner_key: chrome.banner_key.as_deref(),
            nav_script,
            bare: false,
            shows_title: false,
            eyebrow: None,
            breadcrumbs: Vec::new(),
            tag: None,
            deprecated: false,
            endpoint: None,
            toc: Vec::new(),
            views: Vec::new(),
            variations: &[],
            update_tags: &[],
            directory: None,
            related: &[],
            page_scripts: &[],
            modified: None,
            previous: None,
            next: None,
        }
    }

    fn neighbour(&self, page: Option<PageId>, root: &str) -> Option<Neighbour> {
        let page = page?;
        let node = self.source.navigation.place.get(page.0 as usize).copied().flatten()?;
        let node = self.source.node(node);
        // the label of a group is not that of its own page
        let meta = &self.source.site.page(page).meta;
        let label = if node.kind == NodeKind::Page { &node.label } else { meta.sidebar_title.as_ref().unwrap_or(&meta.title) };
        Some(Neighbour { url: format!("{root}{}", self.source.links.page(page)?), label: clean(label).into_owned() })
    }

    fn write(&self, sheet: &Sheet<'_>, spot: Spot, page: Option<PageId>, body: &Body<'_>) -> String {
        let chrome = &self.chromes[spot.branch as usize];
        let root = sheet.root.as_str();
        let around = self.ancestors(spot);
        let fill = |ask: Ask, out: &mut String| match ask {
            Ask::Current(node) if around.first() == Some(&node) && own_page(self.source.node(node)) == page => out.push_str(" aria-current=\"page\" data-active"),
            Ask::Open(node) if around.contains(&node) => out.push_str(" open"),
            Ask::Address(division) => html::push_attr(out, &self.counterpart(page, division, root)),
            _ => {}
        };
        let tree = self.sidebars[spot.branch as usize].fragment(spot.entry);
        let mut context = sheet.context();
        context.insert_value("w", chrome.words.clone());
        context.insert_value("banner", safe(&chrome.banner.write(root, fill)));
        context.insert_value("header", safe(&chrome.header.write(root, fill)));
        context.insert_value("sidebar_top", safe(&chrome.sidebar_top.write(root, fill)));
        context.insert_value("sidebar", safe(&tree.map(|tree| tree.write(root, fill)).unwrap_or_default()));
        context.insert_value("sidebar_end", safe(&chrome.sidebar_end.write(root, fill)));
        context.insert_value("footer", safe(&chrome.footer.write(root, fill)));
        context.insert_value("h1", safe(body.title));
        context.insert_value("description", body.description.filter(|text| !text.is_empty()).map_or_else(Value::none, safe));
        context.insert_value("content", safe(body.content));
        context.insert_value("aside", safe(body.aside));
        context.insert_value("islands", safe(body.islands));
        // a frame that fails must not take the content with it
        self.tera.render("page.html", &context).unwrap_or_else(|error| {
            let (title, h1, content, lang) = (html::text(&sheet.title), body.title, body.content, html::attr(sheet.lang));
            let _ = template_failed(&self.source, &error);
            format!("<!doctype html>\n<html lang=\"{lang}\"><meta charset=\"utf-8\"><title>{title}</title><main id=\"content\"><h1 id=\"page-title\">{h1}</h1>{content}</main></html>\n")
        })
    }

    /// The page's own node, then the groups around it.
    fn ancestors(&self, spot: Spot) -> Vec<NodeId> {
        let entries = &self.structure.branches[spot.branch as usize].entries;
        let mut out = Vec::new();
        let mut at = spot.entry;
        while let Some(entry) = at.and_then(|at| entries.get(at as usize)) {
            out.push(entry.node);
            at = entry.parent;
        }
        out
    }

    /// Where a language or version leads from this page: to the same page there if its path says which, else to its first page.
    fn counterpart(&self, page: Option<PageId>, division: NodeId, root: &str) -> String {
        let structure = &self.structure;
        let twin = page.and_then(|page| {
            let chain = &structure.branches[self.spot(page).branch as usize].chain;
            let kind = self.source.node(division).kind;
            let own = chain.iter().find(|id| self.source.node(**id).kind == kind)?;
            if *own == division {
                return Some(page);
            }
            let slug = self.source.site.pages.get(page.0 as usize)?.slug.as_str();
            let rest = slug.strip_prefix(structure.prefixes[own.0 as usize].as_str())?;
            let there = format!("{}{rest}", structure.prefixes[division.0 as usize]);
            let is_there = |twin: &PageId| structure.branches[self.spot(*twin).branch as usize].chain.contains(&division);
            self.source.site.by_slug.get(&there).copied().filter(|twin| *twin != page && is_there(twin))
        });
        let target = twin.filter(|page| self.source.links.page(*page).is_some()).or(structure.first_page[division.0 as usize]);
        target.and_then(|page| self.source.links.page(page)).map(|url| format!("{root}{url}")).unwrap_or_default()
    }
}

/// A context with the fields of a structure, all of them, under their names. Serialising it as a whole would copy every name for every page.
macro_rules! context_of {
    ($sheet:expr, $type:ident { $($field:ident),* $(,)? }) => {{
        let $type { $($field),* } = $sheet;
        let mut context = Context::new();
        $(context.insert(stringify!($field), $field);)*
        context
    }};
}

impl<'s> Sheet<'s> {
    fn context(&self) -> Context {
        context_of!(self, Sheet {
            lang, rtl, current_path, root, mode, layout, tree_menu, title, metas, canonical, json_ld, feed, feed_shown, styles_needed, banner_key, nav_script, bare,
            shows_title, eyebrow, breadcrumbs, tag, deprecated, endpoint, toc, views, variations, update_tags, directory, page_scripts, related, modified, previous, next,
        })
    }

    /// Eyebrow or breadcrumbs: the names of divisions (languages and versions apart) and groups around the page.
    fn place(&mut self, theme: &'s Theme<'_>, spot: Spot) {
        let source = &theme.source;
        let groups: Vec<NodeId> = theme.ancestors(spot).into_iter().skip(1).collect();
        if spot.entry.is_none() {
            return;
        }
        if !source.config().styling.breadcrumbs {
            let section = groups.last().or(theme.structure.branches[spot.branch as usize].chain.last());
            let label = section.map(|id| source.node(*id)).filter(|node| !matches!(node.kind, NodeKind::Language | NodeKind::Version));
            self.eyebrow = label.map(|node| clean(&node.label)).filter(|label| !label.is_empty());
            return;
        }
        let divisions = theme.structure.branches[spot.branch as usize].chain.iter().copied();
        for id in divisions.chain(groups.into_iter().rev()) {
            let node = source.node(id);
            if matches!(node.kind, NodeKind::Language | NodeKind::Version) || node.label.is_empty() {
                continue;
            }
            let first = theme.structure.first_page[id.0 as usize];
            let url = first.and_then(|page| source.links.page(page)).map(|url| format!("{}{url}", self.root));
            self.breadcrumbs.push(Crumb { label: clean(&node.label).into_owned(), url });
        }
    }
}

/// Two levels of headings: level 1 and 2 on top, the rest below the one before them, if that is a larger heading.
fn toc(entries: &[TocEntry]) -> Vec<TocItem<'_>> {
    let mut out: Vec<TocItem<'_>> = Vec::new();
    let mut above = u8::MAX;
    for entry in entries {
        let item = TocItem { id: url::encode_fragment(&entry.id), text: &entry.text, within: entry.within.as_deref(), children: Vec::new() };
        match out.last_mut() {
            Some(last) if entry.level > above.max(2) => last.children.push(item),
            _ => {
                above = entry.level;
                out.push(item);
            }
        }
    }
    out
}

/// What a group's root page lists below its content, if the navigation says so.
fn listing(theme: &Theme<'_>, spot: Spot, root: &str) -> Option<Listing> {
    let entry = theme.structure.branches[spot.branch as usize].entries.get(spot.entry? as usize)?;
    let group = theme.source.node(entry.node);
    let style = match (group.kind, group.directory) {
        (NodeKind::Group, Directory::Card) => "card",
        (NodeKind::Group, Directory::Accordion) => "accordion",
        _ => return None,
    };
    let nested = style == "accordion";
    let items: Vec<Listed> = group.children.iter().filter_map(|child| listed(theme, *child, root, nested)).collect();
    (!items.is_empty()).then_some(Listing { style, items })
}

fn listed(theme: &Theme<'_>, id: NodeId, root: &str, nested: bool) -> Option<Listed> {
    let source = &theme.source;
    let node = source.navigation.nodes.get(id.0 as usize).filter(|node| !node.hidden)?;
    let url = match &node.href {
        Some(href) => Some(source.href(href, "navigation")?.url.replace(ROOT, root)),
        None => theme.structure.first_page[id.0 as usize].and_then(|page| source.links.page(page)).map(|url| format!("{root}{url}")),
    };
    let page = node.page.or(theme.structure.first_page[id.0 as usize]).and_then(|page| source.site.pages.get(page.0 as usize));
    let children = if nested && node.kind == NodeKind::Group { node.children.as_slice() } else { &[] };
    Some(Listed {
        label: clean(&node.label).into_owned(),
        url: Some(url?),
        icon: source.icon_of(node).replace(ROOT, root),
        description: page.filter(|_| node.kind == NodeKind::Page || node.page.is_some()).and_then(|page| page.meta.description.as_deref().map(|text| short_text::words(text).into_owned())),
        items: children.iter().filter_map(|child| listed(theme, *child, root, false)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{FURNITURE, toc};
    use crate::render::{FRAME_IDS, TocEntry};

    /// Text files of a folder of the templates, with their names; folders in it only if `deep`.
    fn files(folder: &Path, deep: bool) -> Vec<(PathBuf, String)> {
        let entries = std::fs::read_dir(folder).expect("a folder of templates").map(|entry| entry.expect("an entry").path());
        let read = |path: PathBuf| match path.is_dir() {
            true if deep => files(&path, deep),
            true => Vec::new(),
            false => std::fs::read_to_string(&path).map(|text| (path, text)).into_iter().collect(),
        };
        entries.flat_map(read).collect()
    }

    #[test]
    fn headings_stand_below_larger_ones() {
        for (levels, expect) in [
            ([2, 3, 4, 2], [0, 1, 1, 0]),
            ([3, 3, 2, 3], [0, 0, 0, 1]),
            ([4, 3, 4, 3], [0, 0, 1, 0]),
            ([1, 2, 3, 1], [0, 0, 1, 0]),
        ] {
            let entries = levels.map(|level| TocEntry { level, ..TocEntry::default() });
            let shown: Vec<usize> = toc(&entries).iter().flat_map(|item| std::iter::once(0).chain(item.children.iter().map(|_| 1))).collect();
            assert_eq!(shown, expect, "{levels:?}");
        }
    }

    #[test]
    fn ids_of_the_frame_are_known() {
        let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        let mut found = 0;
        for (path, text) in files(&templates, false) {
            for id in text.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                found += 1;
                let gives_way = FURNITURE.iter().any(|(known, _)| *known == id);
                assert!(gives_way != FRAME_IDS.contains(&id), "{}: `{id}` is in one of the lists, or it is none that a heading could have", path.display());
            }
        }
        assert!(found > 10, "{found}");
        for (id, tag) in FURNITURE {
            assert!(files(&templates, false).iter().any(|(_, text)| text.contains(tag)), "{id}");
        }
    }

    #[test]
    fn scripts_need_no_id_that_gives_way() {
        let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        for folder in ["js", "search", "dev", "css"] {
            for (path, text) in files(&templates.join(folder), true) {
                for (id, _) in FURNITURE {
                    let end = |rest: &&str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
                    let selected = text.split(&format!("#{id}")).skip(1).find(end);
                    let asked = ['"', '\''].iter().any(|quote| text.contains(&format!("getElementById({quote}{id}{quote})")));
                    assert!(selected.is_none() && !asked, "{}: {id}", path.display());
                }
            }
        }
    }
}
