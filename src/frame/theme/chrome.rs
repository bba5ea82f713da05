//! Top bar, switches, banner and footer: rendered once per branch, shared by its pages.

use pulldown_cmark::{Event, Options as Markdown, Parser, Tag, TagEnd};
use serde::Serialize;
use tera::{Context, Tera, Value};

use super::fragment::{Fragment, FragmentGap, ROOT, clean_fragment, slot};
use super::icons;
use super::language::{division_key, language_node, language_tag, own_name};
use super::search::Button;
use super::source::ChromeInput;
use super::structure::{Branch, Structure};
use super::theme_file::digest8;
use base::html::{self, push_html_text};
use nav::{NavNode, NodeId, NodeKind};
use site::config::{Banner, ColorScheme, Footer, LanguageOverride, Navbar, NavbarLink};
use templates::words::{self, FrameWords};

/// Most items of one switch; sites with more show the nearest ones and a link to all pages.
const MAX_SWITCH_ITEMS: usize = 60;

/// The shared pieces of a branch.
#[derive(Debug)]
pub(super) struct Chrome {
    /// `#banner`.
    pub(super) banner: Fragment,
    /// `#header`; has a mark per language and version for the page's counterpart.
    pub(super) header: Fragment,
    /// Dropdowns, anchors and inner tabs on top of the page tree.
    pub(super) sidebar_top: Fragment,
    /// Top bar links for the drawer.
    pub(super) sidebar_end: Fragment,
    pub(super) footer: Fragment,
    /// Digest of a banner that can be closed.
    pub(super) banner_key: Option<String>,
    /// Language tag.
    pub(super) lang: String,
    /// The words of that language, for templates.
    pub(super) words: Value,
}

/// An item of a switch.
#[derive(Debug, Default, Serialize)]
struct SwitchItem {
    label: String,
    url: String,
    /// HTML.
    icon: String,
    description: Option<String>,
    tag: Option<String>,
    /// Language of the label, if not the page's.
    lang: Option<String>,
    current: bool,
    outside: bool,
    /// Stands at the end of the row.
    at_end: bool,
    menu: Vec<SwitchItem>,
}

/// A set of divisions of one kind, one of which the reader is in.
#[derive(Debug, Serialize)]
struct Switch {
    /// `language`, `version`, `product`, `dropdown`, `tab`, `anchor`.
    kind: &'static str,
    /// Accessible name.
    name: &'static str,
    /// The label of the division that the reader is in; empty if it is none of them.
    label: String,
    /// HTML.
    icon: String,
    items: Vec<SwitchItem>,
}

/// Renders the chrome of a branch.
pub(super) fn build_chrome(
    source: &ChromeInput<'_>,
    structure: &Structure,
    branch: &Branch,
    search: Option<&Button>,
    tera: &Tera,
) -> Chrome {
    let config = source.config();
    let language = language_node(source, branch);
    let code = language.map_or("en", |id| division_key(source.node(id)));
    let lang = language_tag(code);
    let words = &words::for_language(&lang).frame;
    let own: Option<&LanguageOverride> =
        language.and_then(|_| config.languages.iter().find(|own| own.language == code));
    let navbar = own.and_then(|own| own.navbar.as_ref()).unwrap_or(&config.navbar);
    let footer = own.and_then(|own| own.footer.as_ref()).unwrap_or(&config.footer);
    let banner = own.and_then(|own| own.banner.as_ref()).or(config.banner.as_ref());

    let switches = switches(source, structure, branch, words);
    let (top, inner) = place_switches(switches);
    let shared_words = Value::from_serializable(words);
    let mut context = Context::new();
    context.insert_value("w", shared_words.clone());
    context.insert("root", &ROOT.to_string());
    context.insert("switches", &top.bar);
    context.insert("language", &top.language);
    context.insert("tabs", &top.tabs);
    context.insert("search", &search);
    context.insert("inner", &inner);
    context.insert("search_endpoint", &source.options.search_endpoint);
    context.insert("assistant_endpoint", &source.options.assistant_endpoint);
    // beside the search in the bundle the one elsewhere says what it is
    let own_prompt = config.search_prompt.as_deref().filter(|_| search.is_none());
    context.insert("service_prompt", &clean_fragment(own_prompt.unwrap_or("Search online")));
    insert_navbar(&mut context, source, navbar);
    insert_logo(&mut context, source, &home_url(source, structure, language));
    let banner_key = insert_banner(&mut context, source, banner);
    insert_footer(&mut context, source, footer);
    let render = |name| {
        Fragment::parse(&tera.render(name, &context).unwrap_or_else(|error| super::template_failed(source, &error)))
    };
    Chrome {
        banner: render("banner.html"),
        header: render("header.html"),
        sidebar_top: render("sidebar_top.html"),
        sidebar_end: render("sidebar_end.html"),
        footer: render("footer.html"),
        banner_key,
        lang,
        words: shared_words,
    }
}

/// Where switches stand.
#[derive(Default)]
struct Top {
    bar: Vec<Switch>,
    language: Option<Switch>,
    tabs: Option<Switch>,
}

/// Versions, products and the language into the bar, the outermost tabs under it, all else on top of the sidebar.
fn place_switches(switches: Vec<Switch>) -> (Top, Vec<Switch>) {
    let mut top = Top::default();
    let mut inner = Vec::new();
    for switch in switches {
        match switch.kind {
            "language" if top.language.is_none() => top.language = Some(switch),
            "version" | "product" => top.bar.push(switch),
            "tab" if top.tabs.is_none() => top.tabs = Some(switch),
            _ => inner.push(switch),
        }
    }
    (top, inner)
}

fn kind_name(kind: NodeKind, words: &FrameWords) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        NodeKind::Language => ("language", words.language),
        NodeKind::Version => ("version", words.version),
        NodeKind::Product => ("product", words.product),
        NodeKind::Dropdown => ("dropdown", words.sections),
        NodeKind::Tab => ("tab", words.sections),
        NodeKind::Anchor | NodeKind::Link => ("anchor", words.links),
        _ => return None,
    })
}

fn switches(source: &ChromeInput<'_>, structure: &Structure, branch: &Branch, words: &FrameWords) -> Vec<Switch> {
    let mut out: Vec<Switch> = Vec::new();
    let mut parent = NodeId(0);
    for current in &branch.chain {
        let kind = source.node(*current).kind;
        let siblings: Vec<NodeId> =
            source.node(parent).children.iter().copied().filter(|id| is_visible_node(source, *id, kind)).collect();
        parent = *current;
        let Some((kind, name)) = kind_name(kind, words) else { continue };
        let items: Vec<SwitchItem> = nearest_siblings(&siblings, *current)
            .iter()
            .filter_map(|id| chrome_item(source, structure, *id, branch))
            .collect();
        if items.len() > 1 {
            let node = source.node(*current);
            out.push(Switch { kind, name, label: node_label(node), icon: source.icon_of(node), items });
        }
    }
    for id in globals(source, branch) {
        let node = source.node(id);
        let (Some((kind, name)), Some(item)) =
            (kind_name(node.kind, words), chrome_item(source, structure, id, branch))
        else {
            continue;
        };
        match out.iter_mut().find(|switch| switch.kind == kind) {
            Some(switch) => switch.items.push(item),
            None => out.push(Switch { kind, name, label: String::new(), icon: String::new(), items: vec![item] }),
        }
    }
    out
}

/// Entries of `global`, and divisions that only link: every page below their container shows them. Those beside
/// divisions of their kind stand among them.
fn globals(source: &ChromeInput<'_>, branch: &Branch) -> Vec<NodeId> {
    let mut out = Vec::new();
    for (depth, container) in std::iter::once(NodeId(0)).chain(branch.chain.iter().copied()).enumerate() {
        let beside = branch.chain.get(depth).map(|id| source.node(*id).kind);
        let children = source.navigation.nodes.get(container.0 as usize).map_or(&[][..], |node| &node.children);
        out.extend(children.iter().copied().filter(|id| {
            let node = source.node(*id);
            node.global && !node.hidden && beside != Some(node.kind)
        }));
    }
    out
}

fn is_visible_node(source: &ChromeInput<'_>, id: NodeId, kind: NodeKind) -> bool {
    source.navigation.nodes.get(id.0 as usize).is_some_and(|node| node.kind == kind && !node.hidden)
}

fn nearest_siblings(siblings: &[NodeId], current: NodeId) -> &[NodeId] {
    let at = siblings.iter().position(|id| *id == current).unwrap_or(0);
    let from = at.saturating_sub(MAX_SWITCH_ITEMS / 2).min(siblings.len().saturating_sub(MAX_SWITCH_ITEMS));
    &siblings[from..(from + MAX_SWITCH_ITEMS).min(siblings.len())]
}

fn node_label(node: &NavNode) -> String {
    let label = if node.kind == NodeKind::Language { own_name(division_key(node)) } else { node.label.as_str() };
    clean_fragment(label).into_owned()
}

fn chrome_item(source: &ChromeInput<'_>, structure: &Structure, id: NodeId, branch: &Branch) -> Option<SwitchItem> {
    let node = source.node(id);
    let children = node.children.iter().copied();
    let children = children.filter(|child| is_visible_node(source, *child, NodeKind::MenuItem)).take(MAX_SWITCH_ITEMS);
    let menu: Vec<SwitchItem> = children.filter_map(|child| menu_item(source, structure, child, branch)).collect();
    let mut outside = false;
    // the same page in another language or version: known only per page
    let by_page = matches!(node.kind, NodeKind::Language | NodeKind::Version) && node.href.is_none();
    let url = match &node.href {
        Some(href) => {
            let link = source.href(href, "navigation")?;
            outside = link.outside;
            link.url
        }
        None if by_page => structure.first_page[id.0 as usize].map(|_| slot(FragmentGap::Address(id)))?,
        None => match structure.first_page[id.0 as usize].and_then(|page| source.page_url(page)) {
            Some(url) => url,
            // nothing but a menu of links
            None => {
                let first = menu.first()?;
                outside = first.outside;
                first.url.clone()
            }
        },
    };
    Some(SwitchItem {
        label: node_label(node),
        url,
        icon: source.icon_of(node),
        description: node.description.as_deref().map(|text| clean_fragment(text).into_owned()),
        tag: node.tag.as_deref().map(|text| clean_fragment(text).into_owned()),
        lang: (node.kind == NodeKind::Language).then(|| language_tag(division_key(node))),
        current: branch.chain.contains(&id),
        outside,
        at_end: node.align_end,
        menu,
    })
}

/// An item of a tab's or product's menu; menus do not nest.
fn menu_item(source: &ChromeInput<'_>, structure: &Structure, id: NodeId, branch: &Branch) -> Option<SwitchItem> {
    let node = source.node(id);
    let (url, outside) = match &node.href {
        Some(href) => source.href(href, "navigation").map(|link| (link.url, link.outside))?,
        None => (structure.first_page[id.0 as usize].and_then(|page| source.page_url(page))?, false),
    };
    Some(SwitchItem {
        label: node_label(node),
        url,
        outside,
        icon: source.icon_of(node),
        description: node.description.as_deref().map(|text| clean_fragment(text).into_owned()),
        current: branch.chain.contains(&id),
        ..SwitchItem::default()
    })
}

#[derive(Serialize)]
struct ChromeLink {
    label: String,
    url: String,
    icon: String,
    outside: bool,
}

fn insert_navbar(context: &mut Context, source: &ChromeInput<'_>, navbar: &Navbar) {
    let link = |link: &NavbarLink| {
        let target = source.href(&link.href, "top bar")?;
        let (drawing, name) = match link.kind.as_deref() {
            Some(kind @ ("github" | "discord")) => icons::social(source, kind),
            _ => (source.icon(link.icon.as_ref()), String::new()),
        };
        let label =
            if link.label.is_empty() { fallback_label(&name, link) } else { clean_fragment(&link.label).into_owned() };
        Some(ChromeLink { label, url: target.url, icon: drawing, outside: target.outside })
    };
    let links: Vec<ChromeLink> = navbar.links.iter().take(MAX_SWITCH_ITEMS).filter_map(link).collect();
    context.insert("navbar_links", &links);
    context.insert("primary", &navbar.primary.as_ref().and_then(link));
}

/// The name of a link without a label: its platform, its icon's name, or its address.
fn fallback_label(platform: &str, link: &NavbarLink) -> String {
    if !platform.is_empty() {
        return platform.to_owned();
    }
    let named = link
        .icon
        .as_ref()
        .map(|icon| icon.name.replace('-', " "))
        .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == ' '));
    let name = named.unwrap_or_else(|| link.href.trim_start_matches("https://").to_owned());
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[derive(Serialize)]
struct NavbarPicture {
    url: String,
    size: Option<(u32, u32)>,
}

/// The start page of a language: that of the site if it is in that language.
fn home_url(source: &ChromeInput<'_>, structure: &Structure, language: Option<NodeId>) -> String {
    let navigation = source.navigation;
    let of_home = navigation.home.map(|page| navigation.division_path(page)).unwrap_or_default();
    let of_home = of_home.into_iter().map(|id| source.node(id)).find(|node| node.kind == NodeKind::Language);
    let is_of_home = |id: &NodeId| {
        of_home.map_or(source.node(*id).default, |home| division_key(home) == division_key(source.node(*id)))
    };
    let first = language.filter(|id| !is_of_home(id)).and_then(|id| structure.first_page[id.0 as usize]);
    first.and_then(|page| source.page_url(page)).unwrap_or_else(|| format!("{ROOT}index.html"))
}

fn insert_logo(context: &mut Context, source: &ChromeInput<'_>, home: &str) {
    let config = source.config();
    let picture = |src: &str| {
        (!src.is_empty())
            .then(|| source.asset(src, "logo"))
            .flatten()
            .map(|url| NavbarPicture { url, size: source.links.image_size(src) })
    };
    let logo = config.logo.as_ref();
    let light = logo.and_then(|logo| picture(&logo.image.light));
    let dark = logo.filter(|logo| logo.image.light != logo.image.dark).and_then(|logo| picture(&logo.image.dark));
    // a logo with one usable form shows it in both schemes
    let (light, dark) = if light.is_none() { (dark, None) } else { (light, dark) };
    let href = logo.and_then(|logo| logo.href.as_deref()).and_then(|href| source.href(href, "logo"));
    context.insert("logo_name", &logo.is_some_and(|logo| logo.with_name));
    context.insert("logo", &light);
    context.insert("logo_dark", &dark);
    let ground =
        logo.and_then(|logo| logo.unseen_in).map(|scheme| if scheme == ColorScheme::Light { "dark" } else { "light" });
    context.insert("logo_ground", &ground);
    context.insert("logo_href", href.as_ref().map_or(home, |link| link.url.as_str()));
}

/// The banner's Markdown, and the digest under which its closing is remembered.
fn insert_banner(context: &mut Context, source: &ChromeInput<'_>, banner: Option<&Banner>) -> Option<String> {
    let link = |href: &str| source.href(href, "banner").map(|link| link.url);
    let content = banner.map(|banner| basic_markdown(&banner.content, link)).unwrap_or_default();
    let key = banner
        .filter(|banner| banner.dismissible && !content.is_empty())
        .map(|banner| digest8(banner.content.as_bytes()));
    context.insert("banner", &content);
    context.insert("banner_closes", &key.is_some());
    context.insert(
        "banner_kind",
        banner.map_or("info", |banner| match banner.kind.as_str() {
            "warning" => "warning",
            "critical" => "critical",
            _ => "info",
        }),
    );
    key
}

/// Bold, italic, code, strike and links as `link` resolves them; whatever else stands there is text.
fn basic_markdown(text: &str, link: impl Fn(&str) -> Option<String>) -> String {
    let text = clean_fragment(text);
    let mut out = String::with_capacity(text.len() + 32);
    for event in Parser::new_ext(&text, Markdown::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::Strong) => out.push_str("<strong>"),
            Event::End(TagEnd::Strong) => out.push_str("</strong>"),
            Event::Start(Tag::Emphasis) => out.push_str("<em>"),
            Event::End(TagEnd::Emphasis) => out.push_str("</em>"),
            Event::Start(Tag::Strikethrough) => out.push_str("<del>"),
            Event::End(TagEnd::Strikethrough) => out.push_str("</del>"),
            Event::Start(Tag::Link { dest_url, .. }) => {
                // a link that leads nowhere keeps its words
                let url = link(&clean_fragment(&dest_url));
                out.push_str(if url.is_some() { "<a href=\"" } else { "<a" });
                if let Some(url) = url {
                    html::push_attr(&mut out, &url);
                    out.push('"');
                }
                out.push('>');
            }
            Event::End(TagEnd::Link) => out.push_str("</a>"),
            // a reference can stand for any character
            Event::Text(text) => push_html_text(&mut out, &clean_fragment(&text)),
            Event::Code(code) => {
                out.push_str("<code>");
                push_html_text(&mut out, &code);
                out.push_str("</code>");
            }
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Paragraph) => out.push(' '),
            _ => {}
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[derive(Serialize)]
struct NavbarColumn {
    header: Option<String>,
    items: Vec<ChromeLink>,
}

fn insert_footer(context: &mut Context, source: &ChromeInput<'_>, footer: &Footer) {
    let link = |(label, href): &(String, String)| {
        let target = source.href(href, "footer")?;
        Some(ChromeLink {
            label: clean_fragment(label).into_owned(),
            url: target.url,
            icon: String::new(),
            outside: target.outside,
        })
    };
    let columns: Vec<NavbarColumn> = footer
        .columns
        .iter()
        .take(MAX_SWITCH_ITEMS)
        .map(|column| NavbarColumn {
            header: column.header.as_deref().map(|header| clean_fragment(header).into_owned()),
            items: column.items.iter().take(MAX_SWITCH_ITEMS).filter_map(link).collect(),
        })
        .filter(|column| !column.items.is_empty())
        .collect();
    let social = |(platform, href): &(String, String)| {
        let target = source.href(href, "footer")?;
        let (icon, label) = icons::social(source, platform);
        Some(ChromeLink { label: clean_fragment(&label).into_owned(), url: target.url, icon, outside: target.outside })
    };
    let socials: Vec<ChromeLink> = footer.socials.iter().take(MAX_SWITCH_ITEMS).filter_map(social).collect();
    context.insert("note", &footer.note.as_deref().map(|note| clean_fragment(note).into_owned()));
    context.insert("columns", &columns);
    context.insert("socials", &socials);
}
