//! One page: its head, its marks in the shared chrome, and everything around its content.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memmem;
use serde::Serialize;
use tera::Context;

use super::actions::{self, page_actions_html};
use super::fragment::{BranchPiece, FragmentGap, PagePlace, ROOT, clean_fragment, safe};
use super::frame::{FrameShape, FrameSheet};
use super::head::{self, Meta, head_meta_html};
use super::json_ld;
use super::language::date_in_words;
use super::own::Own;
use super::policy::{self, policy_for_pages};
use super::source::ChromeInput;
use super::source_links::source_links_html;
use super::structure::{PageSpot, own_page};
use super::styles::{ENDPOINT_MARK, LATER_MARKS, MODE_MARK, NOTICE_MARK, Styles};
use super::theme_file::{HEAD_SCRIPT, ThemeFile};
use super::toc::Toc;
use super::utilities::utilities_path;
use super::{SiteTheme, template_failed};
use base::html::{self, escape_html_text};
use base::seams::label_with_seams;
use base::{PageId, url};

use nav::{DirectoryMode, NodeId, NodeKind};
use render::playground::Playground;
use site::address::base_folder;
use site::canonical::CanonicalTarget;
use site::config::ColorScheme;
use site::contextual::BuiltIn;
use site::page::PageEntry;
use site::page::PageMode;
use site::theme_family::{THEME_FAMILIES, ThemeFamily};

/// A page to be put into its frame.
#[derive(Clone, Copy, Debug)]
pub struct PageView<'a> {
    /// The page.
    pub id: PageId,
    /// Its file in the bundle, not encoded: `guides/start.html`; the start page is also written as `index.html`.
    pub path: &'a str,
    /// The page in the source.
    pub page: &'a PageEntry,
    /// Its rendered content.
    pub content: &'a render::RenderedPage,
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
    /// The description of its operation, if the bundle has it: from the root, percent-encoded.
    pub spec: Option<&'a str>,
    /// The feed of its change log, relative to the page, percent-encoded.
    pub feed: Option<&'a str>,
    /// A picture that was drawn of it.
    pub social: Option<SocialPicture<'a>>,
}

/// A picture that social networks show of a page.
#[derive(Clone, Copy, Debug)]
pub struct SocialPicture<'a> {
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

#[derive(Serialize)]
struct Crumb {
    label: String,
    url: Option<String>,
}

#[derive(Serialize)]
struct ViewChoice<'a> {
    id: &'a str,
    title: &'a str,
    /// HTML.
    icon: &'a str,
}

/// What a group's root page lists below its content.
#[derive(Serialize)]
struct PageListing {
    /// `card` or `accordion`.
    style: &'static str,
    items: Vec<ListedPage>,
}

#[derive(Default, Serialize)]
struct ListedPage {
    label: String,
    url: Option<String>,
    /// HTML.
    icon: String,
    description: Option<String>,
    items: Vec<ListedPage>,
}

/// Decorations that the style sheet draws.
pub(super) const DECORATIONS: [&str; 3] = ["gradient", "grid", "windows"];

/// Theme families that the style sheet sets apart from the others of their frame.
pub(super) fn distinct_themes() -> impl Iterator<Item = &'static ThemeFamily> {
    THEME_FAMILIES.iter().filter(|family| family.has_own_rules)
}

/// Gives a template what is the same on all pages.
pub(super) fn insert_constants(
    context: &mut Context,
    source: &ChromeInput<'_>,
    js: &ThemeFile,
    icon: &ThemeFile,
    font: Option<String>,
) {
    let config = source.config();
    context.insert("site_id", &*clean_fragment(&source.options.site_id));
    context.insert("site_name", &*clean_fragment(&config.name));
    context.insert("theme", &config.theme);
    context.insert("scheme", &config.appearance.default);
    context.insert("strict", &config.appearance.strict);
    context.insert("dark", &(config.appearance.default == ColorScheme::Dark));
    context.insert("decoration", &config.background.decoration.as_deref().filter(|name| DECORATIONS.contains(name)));
    context.insert("backdrop", &config.background.image.is_some());
    context.insert_value("policy", safe(&policy_for_pages(source.options.reach)));
    context.insert_value("head_script", safe(HEAD_SCRIPT.trim_end()));
    context.insert("js", &url::encode_path(js.path.as_str()));
    context.insert("font", &font);
    context.insert("styles", &source.options.styles);
    context.insert("scripts", &source.options.scripts);
    context.insert("sitemap", &source.options.sitemap);
    context.insert_value("head_tags", safe(&source.options.head));
    context.insert("generator", &concat!("offprint ", env!("CARGO_PKG_VERSION")));
    let own =
        |src: &str| (!src.is_empty()).then(|| source.asset(src, "favicon")).flatten().map(|url| url.replace(ROOT, ""));
    let light = config.favicon.as_ref().and_then(|pair| own(&pair.light));
    let dark = config.favicon.as_ref().filter(|pair| pair.light != pair.dark).and_then(|pair| own(&pair.dark));
    // what phones put on their home screens: they take PNG alone
    let square =
        |src: &str| source.links.image_size(src).is_some_and(|(width, height)| width == height && width >= 120);
    let is_touch_icon = config
        .favicon
        .as_ref()
        .is_some_and(|pair| pair.light.to_ascii_lowercase().ends_with(".png") && square(&pair.light));
    let touch_icon = source.options.touch_icon.or(light.as_deref().filter(|_| is_touch_icon));
    context.insert("touch_icon", &touch_icon);
    context.insert("ico", &source.options.ico);
    context.insert("icon_dark", &dark);
    context.insert("icon", &light.or(dark).unwrap_or_else(|| url::encode_path(icon.path.as_str())));
}

pub(super) fn mode_name(mode: PageMode) -> &'static str {
    match mode {
        PageMode::Default => "default",
        PageMode::Wide => "wide",
        PageMode::Custom => "custom",
        PageMode::Frame => "frame",
        PageMode::Center => "center",
        PageMode::Assistant => "assistant",
    }
}

/// Renders a page of the site.
pub(super) fn render_page(theme: &SiteTheme<'_>, view: &PageView<'_>) -> (String, Option<Arc<ThemeFile>>) {
    let PageView { page, content, .. } = view;
    let spot = theme.spot(view.id);
    let mode = page.meta.mode;
    let mut sheet = theme.sheet(view.path, spot, &page.meta.title);
    sheet.shape.mode = mode_name(mode);
    // without a page tree at its side a page has a bar on top in every theme
    sheet.shape.tree_menu = matches!(mode, PageMode::Center | PageMode::Custom) && sheet.shape.layout == "sidebar";
    if sheet.shape.tree_menu {
        sheet.shape.layout = "tabs";
    }
    theme.say_about(&mut sheet, view);
    sheet.say(Own::Feed, view.feed.unwrap_or_default());
    sheet.shape.feed_shown = view.feed.is_some() && page.meta.rss;
    sheet.shape.shows_title = content.shows_title;
    // a blank canvas has no visible title: its author draws one
    sheet.shape.bare = matches!(mode, PageMode::Custom | PageMode::Frame);
    if !sheet.shape.bare {
        theme.say_place(&mut sheet, spot, &page.meta.title);
        theme.say_header(&mut sheet, spot, view);
        theme.say_footer(&mut sheet, spot, view);
    }
    let has_column = mode == PageMode::Default;
    let aside = if has_column { content.aside.as_str() } else { "" };
    if has_column && aside.is_empty() || mode == PageMode::Assistant {
        let toc = Toc::of(&content.toc);
        sheet.shape.toc_is_short = toc.is_short();
        sheet.say(Own::Toc, toc.html);
    }
    theme.say_actions(&mut sheet, spot, view);
    let is_drawn_later = !view.islands.is_empty() || !theme.source.options.scripts.is_empty();
    let later = if is_drawn_later { LATER_MARKS } else { "" };
    let described = view.description_html.unwrap_or_default();
    let notice = if mode == PageMode::Assistant { NOTICE_MARK } else { "" };
    let endpoint = if page.endpoint.is_some() { ENDPOINT_MARK } else { "" };
    let has_no_tree = matches!(mode, PageMode::Center | PageMode::Custom | PageMode::Frame);
    let canvas = if has_no_tree { MODE_MARK } else { "" };
    let directory = sheet.said(Own::Directory);
    let contents = [content.html.as_str(), aside, described, later, notice, endpoint, canvas, directory];
    let mut styles = theme.rare_styles.of_content(&contents, view.islands);
    if [&content.html, &content.aside, view.title_html]
        .iter()
        .any(|html| memmem::find(html.as_bytes(), b"<math").is_some())
    {
        styles.add(Styles::MATH);
    }
    let style = theme.say_styles(&mut sheet, styles, &content.classes);
    if !view.scripts.is_empty() {
        let scripts = theme.part(spot, "page_scripts.html", |context| {
            context.insert("root", sheet.place.root());
            context.insert("page_scripts", view.scripts);
        });
        sheet.say(Own::Scripts, scripts);
    }
    sheet.say(Own::H1, view.title_html);
    sheet.say(Own::Description, view.description_html.unwrap_or_default());
    sheet.say(Own::Content, &content.html);
    sheet.say(Own::Aside, aside);
    sheet.say(Own::Islands, view.islands);
    (give_way(theme.write(&sheet, spot, Some(view.id)), &content.ids), style)
}

/// Tags of the frame with the ids that the theme contract requires, as they are written, and without them.
const GIVING_WAY: [(&str, &[(&str, &str)]); 14] = [
    ("body-content", &[("<div id=\"body-content\" class=\"op-page", "<div class=\"op-page")]),
    ("banner", &[("<div id=\"banner\" class=\"op-announcement\"", "<div class=\"op-announcement\"")]),
    (
        "content",
        &[
            ("<a class=\"skip-link\" href=\"#content\"", "<a class=\"skip-link\" href=\"#op-content\""),
            ("<main id=\"content\" data-content", "<main id=\"op-content\" data-content"),
        ],
    ),
    ("content-area", &[("<div id=\"content-area\" data-content-area", "<div data-content-area")]),
    ("footer", &[("<footer id=\"footer\" class=\"op-foot\"", "<footer class=\"op-foot\"")]),
    ("header", &[("<header id=\"header\" class=\"op-bar\"", "<header class=\"op-bar\"")]),
    ("navbar", &[("<div id=\"navbar\" class=\"op-bar-row\"", "<div class=\"op-bar-row\"")]),
    ("page-title", &[("<h1 id=\"page-title\" class=\"op-page-title", "<h1 class=\"op-page-title")]),
    ("pagination", &[("<nav id=\"pagination\" class=\"op-pagination\"", "<nav class=\"op-pagination\"")]),
    (
        "search-bar-entry",
        &[(
            "<button type=\"button\" id=\"search-bar-entry\" class=\"search-entry\"",
            "<button type=\"button\" class=\"search-entry\"",
        )],
    ),
    (
        "sidebar",
        &[
            (" aria-controls=\"sidebar\"", " aria-controls=\"op-tree\""),
            ("<nav id=\"sidebar\" class=\"op-tree\"", "<nav id=\"op-tree\" class=\"op-tree\""),
        ],
    ),
    ("sidebar-content", &[("<div id=\"sidebar-content\" class=\"op-tree-inner\"", "<div class=\"op-tree-inner\"")]),
    ("table-of-contents", &[("<nav id=\"table-of-contents\" class=\"toc\"", "<nav class=\"toc\"")]),
    ("tabs", &[("<nav id=\"tabs\" class=\"op-tabs\"", "<nav class=\"op-tabs\"")]),
];

/// A heading or an anchor of the content may be called like a part of the frame, and links lead to it: the part goes
/// without its id there, or takes one of its own.
fn give_way(mut html: String, ids: &[String]) -> String {
    for (_, tags) in GIVING_WAY.iter().filter(|(id, _)| ids.binary_search_by(|known| known.as_str().cmp(id)).is_ok()) {
        for (tag, without) in *tags {
            html = html.replacen(tag, without, 1);
        }
    }
    html
}

/// Renders a page that says that it could not be rendered.
pub(super) fn render_failed_page(theme: &SiteTheme<'_>, id: PageId, path: &str, reason: &str) -> String {
    let title = theme.source.site.pages.get(id.0 as usize).map_or("", |page| page.meta.title.as_str());
    let spot = theme.spot(id);
    let mut sheet = theme.sheet(path, spot, title);
    theme.say_place(&mut sheet, spot, title);
    sheet.say(Own::Metas, head_meta_html(&[Meta::noindex()], sheet.place.root()));
    sheet.say(Own::H1, escape_html_text(title));
    let notice = theme.part(spot, "notice.html", |context| context.insert("reason", reason));
    theme.say_styles(&mut sheet, theme.rare_styles.of_content(&[&notice], ""), &[]);
    sheet.say(Own::Content, notice);
    theme.write(&sheet, spot, Some(id))
}

/// Renders a page that the theme itself makes up, in the frame of a branch.
pub(super) fn render_generated_page(
    theme: &SiteTheme<'_>,
    path: &str,
    branch: u32,
    title: &str,
    content: &str,
) -> String {
    let spot = PageSpot { branch, entry: None };
    let mut sheet = theme.sheet(path, spot, title);
    sheet.say(Own::Metas, head_meta_html(&[Meta::noindex()], sheet.place.root()));
    sheet.shape.mode = "wide";
    theme.say_styles(&mut sheet, theme.rare_styles.of_content(&[content], ""), &[]);
    sheet.say(Own::H1, escape_html_text(title));
    sheet.say(Own::Content, content);
    theme.write(&sheet, spot, None)
}

impl SiteTheme<'_> {
    /// The language tag of a page.
    pub fn language(&self, page: PageId) -> &str {
        &self.chromes[self.spot(page).branch as usize].lang
    }

    pub(super) fn spot(&self, id: PageId) -> PageSpot {
        self.structure.spots.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// The links to style sheets; returns the one that is made for pages of these needs. `classes`: the author's, sorted,
    /// which may be utilities.
    fn say_styles(&self, sheet: &mut FrameSheet<'_>, styles: Styles, classes: &[String]) -> Option<Arc<ThemeFile>> {
        let root = sheet.place.root();
        let page = self.rare_styles.of_page(styles, classes.len());
        let math = self.math.first().filter(|_| styles.has(Styles::MATH)).map(|file| file.path.to_string());
        let utilities = (!classes.is_empty()).then(|| utilities_path(classes));
        let encoded = |path: String| url::encode_path(&path);
        let links: String = std::iter::once(encoded(page.theme))
            .chain(math.map(encoded))
            .chain(utilities)
            .chain(page.rare.into_iter().map(encoded))
            .map(|path| format!("<link rel=\"stylesheet\" href=\"{root}{path}\">\n"))
            .collect();
        sheet.say(Own::Styles, links);
        page.joined_sheet
    }

    /// A sheet with nothing but its surroundings.
    fn sheet<'s>(&'s self, path: &str, spot: PageSpot, title: &str) -> FrameSheet<'s> {
        let chrome = &self.chromes[spot.branch as usize];
        let name = &self.source.config().name;
        let title = match (title, name.as_str()) {
            (title, "") => title.to_owned(),
            ("", name) => name.to_owned(),
            // the start page has the name of the site
            (title, name) if title == name => name.to_owned(),
            (title, name) => format!("{title} - {name}"),
        };
        let slug = path.strip_suffix(".html").unwrap_or(path);
        let shape = FrameShape {
            language: self.languages[spot.branch as usize],
            mode: "default",
            layout: self.source.config().theme.frame,
            tree_menu: false,
            bare: false,
            shows_title: false,
            deprecated: false,
            feed_shown: false,
            toc_is_short: false,
        };
        let mut sheet = FrameSheet::new(shape, PagePlace::of(path));
        sheet.say(Own::Title, clean_fragment(&title).into_owned());
        sheet.say(Own::CurrentPath, if slug == "index" { "/".to_owned() } else { format!("/{slug}") });
        sheet.say(Own::BannerKey, chrome.banner_key.as_deref().unwrap_or_default());
        if let Some(script) = &self.nav_scripts[spot.branch as usize] {
            sheet.say(Own::NavScript, sheet.place.to(&url::encode_path(script)));
        }
        sheet
    }

    /// What search engines and link previews read.
    fn say_about<'s>(&'s self, sheet: &mut FrameSheet<'s>, view: &PageView<'s>) {
        let PageView { id, page, .. } = *view;
        let is_home = self.source.navigation.home == Some(id);
        let canonical = self.canonical_url(page, is_home).map(|url| clean_fragment(&url).into_owned());
        let metas =
            head::metas(&self.source, &self.base_url, page, sheet.said(Own::Title), canonical.as_deref(), view.social);
        let metas = head_meta_html(&metas, sheet.place.root());
        sheet.say(Own::Metas, metas);
        if let Some(address) = canonical.as_deref().filter(|_| !self.json_ld.is_empty() && !page.visibility.noindex) {
            let crumbs = self.source.navigation.breadcrumbs(id, &page.meta.title);
            let crumbs = crumbs
                .into_iter()
                .map(|id| {
                    (clean_fragment(&self.source.node(id).label).into_owned(), self.structure.first_page[id.0 as usize])
                })
                .collect();
            let lang = self.chromes[sheet.shape.language as usize].lang.as_str();
            let about = json_ld::PageGraph { page, id, address, lang, crumbs };
            sheet.say(Own::JsonLd, json_ld::graph(&self.source, &self.base_url, &self.json_ld, &about));
        }
        let local =
            || self.canonical_page(page).and_then(|id| self.source.links.page(id)).map(|url| sheet.place.to(url));
        let canonical = canonical.or_else(local).unwrap_or_default();
        sheet.say(Own::Canonical, canonical);
    }

    /// The address that search engines know a page by: the author's own for it, else where it is served; `None` if that
    /// is not known.
    fn canonical_url(&self, page: &PageEntry, is_home: bool) -> Option<String> {
        let (config, base) = (self.source.config(), self.base_url.as_str());
        match page.canonical() {
            Some(CanonicalTarget::Address(url)) => Some(url.into_owned()),
            _ if base.is_empty() => None,
            None => Some(config.page_url(base, &page.slug, is_home)),
            Some(CanonicalTarget::Path(path)) => Some(match self.canonical_page(page) {
                Some(id) => {
                    let target = self.source.site.page(id);
                    config.page_url(base, &target.slug, self.source.navigation.home == Some(id))
                }
                None => config.path_url(base, &path),
            }),
        }
    }

    /// The page of the site that an author names as the one to be found instead of this page.
    fn canonical_page(&self, page: &PageEntry) -> Option<PageId> {
        let Some(CanonicalTarget::Path(path)) = page.canonical() else { return None };
        let site = self.source.site;
        let below = |folder: &str| site.find_page(path.strip_prefix(folder)?.strip_prefix('/')?);
        match path.as_str() {
            "" => self.source.navigation.home,
            path => site.find_page(path).or_else(|| base_folder(&self.base_url).and_then(below)),
        }
    }

    /// What stands beside and below the title.
    fn say_header<'s>(&'s self, sheet: &mut FrameSheet<'s>, spot: PageSpot, view: &PageView<'s>) {
        let PageView { page, content, .. } = *view;
        sheet.shape.deprecated = page.meta.deprecated;
        sheet.say(Own::Tag, page.meta.tag.as_deref().map(clean_fragment).unwrap_or_default());
        if let Some(endpoint) = &page.endpoint {
            sheet.say(Own::EndpointMethod, endpoint.method.as_str());
            sheet.say(Own::EndpointPath, endpoint.path.as_str());
            if let Some(button) = self.console_button(view.id, content) {
                sheet.say(Own::TryIt, button);
                let origins = content.playground.as_ref().map(Playground::origins).unwrap_or_default();
                let policy = policy::of_console(self.source.options.reach, &origins);
                sheet.say(Own::Policy, policy.unwrap_or_default());
            }
        }
        let variations = if content.has_variations { self.source.config().variations.as_slice() } else { &[] };
        if !(content.views.is_empty() && variations.is_empty() && content.update_tags.is_empty()) {
            let views: Vec<ViewChoice<'_>> =
                content.views.iter().map(|(id, title, icon)| ViewChoice { id, title, icon }).collect();
            let switchers = self.part(spot, "switchers.html", |context| {
                context.insert("views", &views);
                context.insert("variations", variations);
                context.insert("update_tags", &content.update_tags);
            });
            sheet.say(Own::Switchers, switchers);
        }
    }

    /// The menu beside the title; one in the contents column stands there too, for windows without that column.
    fn say_actions<'s>(&'s self, sheet: &mut FrameSheet<'s>, spot: PageSpot, view: &PageView<'s>) {
        let menu = self.source.site.contextual(view.page);
        if menu.options.is_empty() {
            return;
        }
        let lang = &self.chromes[spot.branch as usize].lang;
        let about = actions::MenuSubject {
            page: view.page,
            path: view.path,
            place: &sheet.place,
            lang,
            spec: view.spec,
            base_url: &self.base_url,
        };
        let html = page_actions_html(&self.source, menu, &about);
        if menu.in_contents && !sheet.said(Own::Toc).is_empty() && sheet.shape.layout != "center" && !html.is_empty() {
            sheet.say(Own::Actions, html.replacen("op-actions", "op-actions op-actions-narrow", 1));
            sheet.say(Own::ContentsActions, html);
        } else {
            sheet.say(Own::Actions, html);
        }
    }

    /// What stands below the content.
    fn say_footer<'s>(&'s self, sheet: &mut FrameSheet<'s>, spot: PageSpot, view: &PageView<'s>) {
        let meta = &view.page.meta;
        if let Some(directory) = listing(self, spot, &sheet.place) {
            sheet.say(
                Own::Directory,
                self.part(spot, "directory.html", |context| context.insert("directory", &directory)),
            );
        }
        if !view.related.is_empty() {
            sheet.say(Own::Related, self.part(spot, "related.html", |context| context.insert("related", view.related)));
        }
        let date = meta.last_updated.as_deref().or(view.last_modified).filter(|_| view.last_modified.is_some());
        if let Some(iso) = date {
            sheet.say(Own::ModifiedIso, iso);
            sheet.say(Own::Modified, date_in_words(iso, &self.chromes[spot.branch as usize].lang));
        }
        // one link is enough
        let is_in_menu = self.source.site.contextual(view.page).has(BuiltIn::DownloadSpec);
        let spec = view.spec.filter(|_| !is_in_menu).map(|path| sheet.place.to(path));
        let lang = &self.chromes[spot.branch as usize].lang;
        sheet.say(Own::SourceLinks, source_links_html(&self.source, view.page, lang, spec.as_deref()));
        if !meta.hide_pagination {
            let (previous, next) = self.source.navigation.neighbors(view.id);
            for (page, url, label) in [(previous, Own::PreviousUrl, Own::Previous), (next, Own::NextUrl, Own::Next)] {
                if let Some((address, text)) = self.neighbor(page, &sheet.place) {
                    sheet.say(url, address);
                    sheet.say(label, label_with_seams(&text));
                }
            }
        }
    }

    /// A part of the frame that few pages have.
    fn part(&self, spot: PageSpot, template: &str, say: impl FnOnce(&mut Context)) -> String {
        let mut context = Context::new();
        context.insert_value("w", self.chromes[spot.branch as usize].words.clone());
        say(&mut context);
        self.tera.render(template, &context).unwrap_or_else(|error| template_failed(&self.source, &error))
    }

    /// Address and label.
    fn neighbor(&self, page: Option<PageId>, place: &PagePlace) -> Option<(String, Cow<'_, str>)> {
        let page = page?;
        let node = self.source.navigation.place.get(page.0 as usize).copied().flatten()?;
        let node = self.source.node(node);
        // the label of a group is not that of its own page
        let meta = &self.source.site.page(page).meta;
        let label =
            if node.kind == NodeKind::Page { &node.label } else { meta.sidebar_title.as_ref().unwrap_or(&meta.title) };
        Some((place.to(self.source.links.page(page)?), clean_fragment(label)))
    }

    fn write(&self, sheet: &FrameSheet<'_>, spot: PageSpot, page: Option<PageId>) -> String {
        let chrome = &self.chromes[spot.branch as usize];
        let around = self.ancestors(spot);
        let fill = |ask: FragmentGap, out: &mut String| match ask {
            FragmentGap::Current(node) if around.first() == Some(&node) && own_page(self.source.node(node)) == page => {
                out.push_str(" aria-current=\"page\" data-active")
            }
            FragmentGap::Open(node) if around.contains(&node) => out.push_str(" open"),
            FragmentGap::Active(node) if around.contains(&node) => out.push_str(" data-active"),
            FragmentGap::Address(division) => html::push_attr(out, &self.counterpart(page, division, &sheet.place)),
            _ => {}
        };
        let fragment = |piece| match piece {
            BranchPiece::Banner => Some(&chrome.banner),
            BranchPiece::Header => Some(&chrome.header),
            BranchPiece::SidebarTop => Some(&chrome.sidebar_top),
            BranchPiece::Sidebar => self.sidebars[spot.branch as usize].fragment(spot.entry),
            BranchPiece::SidebarEnd => Some(&chrome.sidebar_end),
            BranchPiece::Footer => Some(&chrome.footer),
        };
        let written = self.framed(sheet, |piece, out| {
            if let Some(fragment) = fragment(piece) {
                fragment.write(out, &sheet.place, fill);
            }
        });
        // a frame that fails must not take the content with it
        written.unwrap_or_else(|error| {
            let (title, lang) = (escape_html_text(sheet.said(Own::Title)), html::attr(&chrome.lang));
            let (h1, content) = (sheet.said(Own::H1), sheet.said(Own::Content));
            let _ = template_failed(&self.source, &error);
            let policy = policy_for_pages(self.source.options.reach);
            format!("<!doctype html>\n<html lang=\"{lang}\"><meta charset=\"utf-8\">{policy}<title>{title}</title><main id=\"content\" data-content><h1 id=\"page-title\">{h1}</h1>{content}</main></html>\n")
        })
    }

    /// The page's own node, then the groups around it.
    fn ancestors(&self, spot: PageSpot) -> Vec<NodeId> {
        let entries = &self.structure.branches[spot.branch as usize].entries;
        let mut out = Vec::new();
        let mut at = spot.entry;
        while let Some(entry) = at.and_then(|at| entries.get(at as usize)) {
            out.push(entry.node);
            at = entry.parent;
        }
        out
    }

    /// Eyebrow or breadcrumbs: the names of divisions (languages and versions apart) and groups around the page.
    fn say_place<'s>(&'s self, sheet: &mut FrameSheet<'s>, spot: PageSpot, title: &str) {
        let source = &self.source;
        if spot.entry.is_none() {
            return;
        }
        let groups: Vec<NodeId> = self.ancestors(spot).into_iter().skip(1).collect();
        let divisions = &self.structure.branches[spot.branch as usize].chain;
        if !source.config().styling.breadcrumbs {
            let section = groups.last().or(divisions.last()).map(|id| source.node(*id));
            // a name that the title repeats says nothing
            let section = section
                .filter(|node| !matches!(node.kind, NodeKind::Language | NodeKind::Version) && node.label != title);
            sheet.say(Own::Eyebrow, section.map(|node| clean_fragment(&node.label)).unwrap_or_default());
            return;
        }
        let nodes = divisions.iter().chain(groups.iter().rev()).map(|id| (*id, source.node(*id)));
        let named = nodes
            .filter(|(_, node)| !matches!(node.kind, NodeKind::Language | NodeKind::Version) && !node.label.is_empty());
        let crumbs: Vec<Crumb> = named
            .map(|(id, node)| {
                let first = self.structure.first_page[id.0 as usize];
                let url = first.and_then(|page| source.links.page(page)).map(|url| sheet.place.to(url));
                Crumb { label: clean_fragment(&node.label).into_owned(), url }
            })
            .collect();
        if !crumbs.is_empty() {
            sheet.say(
                Own::Breadcrumbs,
                self.part(spot, "breadcrumbs.html", |context| context.insert("breadcrumbs", &crumbs)),
            );
        }
    }

    /// Where a language or version leads from this page: to the page there whose path says the same, else to the first
    /// page of that part of it that is in the same language and version otherwise, else to its first page.
    fn counterpart(&self, page: Option<PageId>, division: NodeId, place: &PagePlace) -> String {
        let structure = &self.structure;
        let chain = page.map(|page| structure.branches[self.spot(page).branch as usize].chain.as_slice());
        let kind = self.source.node(division).kind;
        let own = chain.into_iter().flatten().find(|id| self.source.node(**id).kind == kind).copied();
        let counterpart = page.zip(own).and_then(|(page, own)| match own == division {
            true => Some(page),
            false => structure.counterparts.find(self.source.site, page, own, division),
        });
        let target = counterpart
            .filter(|page| self.source.links.page(*page).is_some())
            .or_else(|| self.first_page_like(chain.unwrap_or_default(), division));
        target.and_then(|page| self.source.links.page(page)).map(|url| place.to(url)).unwrap_or_default()
    }

    /// The first page of a division: of the language or version in it that has the name of one in `chain`, if there is
    /// such.
    fn first_page_like(&self, chain: &[NodeId], division: NodeId) -> Option<PageId> {
        let source = &self.source;
        let like = |id: &&NodeId| {
            let node = source.node(**id);
            let is_switch = matches!(node.kind, NodeKind::Language | NodeKind::Version);
            is_switch
                && chain.iter().map(|own| source.node(*own)).any(|own| own.kind == node.kind && own.label == node.label)
        };
        let within = source.node(division).children.iter().find(like);
        let first = |id: &NodeId| self.structure.first_page[id.0 as usize];
        within.and_then(first).or_else(|| first(&division))
    }
}

/// What a group's root page lists below its content, if the navigation says so.
fn listing(theme: &SiteTheme<'_>, spot: PageSpot, place: &PagePlace) -> Option<PageListing> {
    let entry = theme.structure.branches[spot.branch as usize].entries.get(spot.entry? as usize)?;
    let group = theme.source.node(entry.node);
    let style = match (group.kind, group.directory) {
        (NodeKind::Group, DirectoryMode::Card) => "card",
        (NodeKind::Group, DirectoryMode::Accordion) => "accordion",
        _ => return None,
    };
    let nested = style == "accordion";
    let items: Vec<ListedPage> =
        group.children.iter().filter_map(|child| listed_entry(theme, *child, place, nested)).collect();
    (!items.is_empty()).then_some(PageListing { style, items })
}

fn listed_entry(theme: &SiteTheme<'_>, id: NodeId, place: &PagePlace, nested: bool) -> Option<ListedPage> {
    let source = &theme.source;
    let node = source.navigation.nodes.get(id.0 as usize).filter(|node| !node.hidden)?;
    let url = match &node.href {
        Some(href) => Some(source.href(href, "navigation")?.url.replace(ROOT, place.root())),
        None => {
            theme.structure.first_page[id.0 as usize].and_then(|page| source.links.page(page)).map(|url| place.to(url))
        }
    };
    let page =
        node.page.or(theme.structure.first_page[id.0 as usize]).and_then(|page| source.site.pages.get(page.0 as usize));
    let children = if nested && node.kind == NodeKind::Group { node.children.as_slice() } else { &[] };
    Some(ListedPage {
        label: clean_fragment(&node.label).into_owned(),
        url: Some(url?),
        icon: source.icon_of(node).replace(ROOT, place.root()),
        description: page
            .filter(|_| node.kind == NodeKind::Page || node.page.is_some())
            .and_then(|page| page.meta.description.as_ref().map(|text| text.words().to_owned())),
        items: children.iter().filter_map(|child| listed_entry(theme, *child, place, false)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::GIVING_WAY;
    use render::OWN_IDS;

    /// Text files of a folder of the templates, with their names; folders in it only if `deep`.
    fn files(folder: &Path, deep: bool) -> Vec<(PathBuf, String)> {
        let entries =
            std::fs::read_dir(folder).expect("a folder of templates").map(|entry| entry.expect("an entry").path());
        let read = |path: PathBuf| match path.is_dir() {
            true if deep => files(&path, deep),
            true => Vec::new(),
            false => std::fs::read_to_string(&path).map(|text| (path, text)).into_iter().collect(),
        };
        entries.flat_map(read).collect()
    }

    #[test]
    fn ids_of_the_frame_are_known() {
        let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates");
        let mut found = 0;
        for (path, text) in files(&templates, false) {
            for id in text.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                found += 1;
                let gives_way = GIVING_WAY.iter().any(|(known, _)| *known == id);
                assert!(
                    gives_way != OWN_IDS.contains(&id),
                    "{}: `{id}` is in exactly one of the lists",
                    path.display()
                );
            }
        }
        assert!(found > 10, "{found}");
        for (id, tags) in GIVING_WAY {
            for (tag, without) in tags {
                assert!(files(&templates, false).iter().any(|(_, text)| text.contains(tag)), "{id}: {tag}");
                assert!(
                    !without.contains(&format!("\"{id}\"")) && !without.contains(&format!("\"#{id}\"")),
                    "{id}: {without}"
                );
            }
        }
    }

    #[test]
    fn scripts_and_styles_need_no_id_that_gives_way() {
        let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates");
        for folder in ["js", "search", "dev", "css"] {
            for (path, text) in files(&templates.join(folder), true) {
                for (id, _) in GIVING_WAY {
                    let end = |rest: &&str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
                    let selected = text.split(&format!("#{id}")).skip(1).find(end);
                    let is_looked_up =
                        ['"', '\''].iter().any(|quote| text.contains(&format!("getElementById({quote}{id}{quote})")));
                    assert!(selected.is_none() && !is_looked_up, "{}: {id}", path.display());
                }
            }
        }
    }
}
