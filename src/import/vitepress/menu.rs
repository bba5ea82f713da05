//! The navigation of VitePress: entries of the top bar as tabs, sidebars below them, languages around all.

use serde_json::Value;

use crate::web::{menu_below_address, plain_label};
use base::PageId;
use load::Site;
use load::tool::script::{json_at_path, list_at_path, text_at};
use nav::NodeKind;
use nav::order::{MenuItem, PageOrder};

use super::config::{VitePressConfig, VitePressLocale};

/// Entries nested deeper are left out.
const MAX_SIDEBAR_DEPTH: usize = 16;

/// The order of the pages.
pub(super) fn vitepress_order(options: &VitePressConfig, site: &Site) -> PageOrder {
    let inside = options.locales.iter().filter(|locale| locale.outside.is_none());
    if inside.clone().count() == 1 && options.locales.len() == 1 {
        let items = VitePressNavbar { options, site, locale: &options.locales[0] }.items();
        return items.map_or(PageOrder::Folders, PageOrder::Menu);
    }
    let languages = options.locales.iter().map(|locale| {
        let bar = VitePressNavbar { options, site, locale };
        let children = match &locale.outside {
            Some(_) => Vec::new(),
            None => bar.items().unwrap_or_else(|| bar.pages()),
        };
        MenuItem {
            kind: NodeKind::Language,
            label: locale.label.clone(),
            key: locale.code.clone(),
            page: bar.page(&format!("/{}/", locale.prefix)),
            href: locale.outside.clone(),
            default: locale.prefix.is_empty(),
            children,
            ..MenuItem::default()
        }
    });
    PageOrder::Menu(languages.collect())
}

/// The entries of the top bar that are no tabs: label and address.
pub(super) fn nav_links(options: &VitePressConfig, locale: &VitePressLocale) -> Vec<(String, String)> {
    let mut out = Vec::new();
    if !matches!(json_at_path(&locale.theme, &["sidebar"]), Value::Object(_)) {
        for entry in list_at_path(&locale.theme, &["nav"]) {
            push_links(options, &mut out, entry, 0);
        }
    }
    out
}

fn push_links(options: &VitePressConfig, out: &mut Vec<(String, String)>, entry: &Value, depth: usize) {
    if let Some(link) = text_at(entry, &["link"]).filter(|link| *link != "/") {
        out.push((sidebar_label(entry), unbased(options, link)));
    }
    if depth < MAX_SIDEBAR_DEPTH {
        list_at_path(entry, &["items"]).iter().for_each(|entry| push_links(options, out, entry, depth + 1));
    }
}

fn sidebar_label(entry: &Value) -> String {
    plain_label(text_at(entry, &["text"]).unwrap_or_default())
}

fn unbased(options: &VitePressConfig, link: &str) -> String {
    match options.base.as_str() {
        "" => link.to_owned(),
        base => {
            let rest = link.strip_prefix('/').and_then(|rest| rest.strip_prefix(base));
            rest.filter(|rest| rest.starts_with('/')).unwrap_or(link).to_owned()
        }
    }
}

/// A sidebar: what the addresses of its pages begin with, and its entries.
struct VitePressSidebar<'v> {
    prefix: String,
    base: String,
    entries: &'v [Value],
    /// A tab shows it already.
    is_shown: bool,
}

/// The navigation of a language.
struct VitePressNavbar<'a> {
    options: &'a VitePressConfig,
    site: &'a Site,
    locale: &'a VitePressLocale,
}

impl<'a> VitePressNavbar<'a> {
    /// The entries; `None` if the configuration does not list pages.
    fn items(&self) -> Option<Vec<MenuItem>> {
        match json_at_path(&self.locale.theme, &["sidebar"]) {
            Value::Array(entries) if !entries.is_empty() => Some(self.entries(entries, "", None, 0)),
            Value::Object(all) if !all.contains_key("$call") && !all.is_empty() => {
                let sidebars = all.iter().filter_map(|(prefix, value)| self.sidebar(prefix, value)).collect();
                Some(self.tabs(sidebars))
            }
            _ => None,
        }
    }

    /// All pages of the language, by folder.
    fn pages(&self) -> Vec<MenuItem> {
        let prefix = &self.locale.prefix;
        let is_own = |slug: &str| self.options.locale_of(slug).prefix == *prefix;
        menu_below_address(self.site, prefix, |page| is_own(&page.slug))
    }

    fn sidebar(&self, prefix: &str, value: &'a Value) -> Option<VitePressSidebar<'a>> {
        let (entries, base) = match value {
            Value::Array(entries) => (entries.as_slice(), ""),
            Value::Object(_) => (list_at_path(value, &["items"]), text_at(value, &["base"]).unwrap_or_default()),
            _ => return None,
        };
        let prefix = format!("/{}", prefix.trim_start_matches('/'));
        Some(VitePressSidebar { prefix, base: base.to_owned(), entries, is_shown: false })
    }

    /// Entries of the top bar in their order, each with its sidebar; then the sidebars that none leads to.
    fn tabs(&self, mut sidebars: Vec<VitePressSidebar<'a>>) -> Vec<MenuItem> {
        // pages belong to the sidebar with the longest address
        sidebars.sort_by_key(|sidebar| std::cmp::Reverse(sidebar.prefix.matches('/').count()));
        let prefixes: Vec<String> = sidebars.iter().map(|sidebar| sidebar.prefix.clone()).collect();
        let mut out = Vec::new();
        for entry in list_at_path(&self.locale.theme, &["nav"]) {
            out.extend(self.tab(entry, &mut sidebars, &prefixes));
        }
        let mut rest: Vec<&VitePressSidebar<'_>> = sidebars.iter().filter(|sidebar| !sidebar.is_shown).collect();
        rest.sort_by(|a, b| a.prefix.cmp(&b.prefix));
        for sidebar in rest {
            let children = self.of_sidebar(sidebar, &prefixes);
            let first = children.iter().find(|item| !item.label.is_empty()).map(|item| item.label.clone());
            let own = sidebar.prefix.trim_matches('/').rsplit('/').next().unwrap_or_default();
            let named =
                if own.is_empty() || own == self.locale.prefix { first } else { Some(site::page::title_of_slug(own)) };
            out.push(MenuItem {
                kind: NodeKind::Tab,
                label: named.unwrap_or_default(),
                children,
                ..MenuItem::default()
            });
        }
        out
    }

    fn of_sidebar(&self, sidebar: &VitePressSidebar<'_>, prefixes: &[String]) -> Vec<MenuItem> {
        self.entries(sidebar.entries, &sidebar.base, Some((&sidebar.prefix, prefixes)), 0)
    }

    /// An entry of the top bar.
    fn tab(&self, entry: &Value, sidebars: &mut [VitePressSidebar<'_>], prefixes: &[String]) -> Option<MenuItem> {
        let mut item = MenuItem { kind: NodeKind::Tab, label: sidebar_label(entry), ..MenuItem::default() };
        if let Some(link) = text_at(entry, &["link"]) {
            self.lead(&mut item, link, text_at(entry, &["activeMatch"]), sidebars, prefixes);
            return item.leads().then_some(item);
        }
        let mut open: Vec<&Value> = list_at_path(entry, &["items"]).iter().rev().collect();
        while let Some(entry) = open.pop() {
            if let Some(link) = text_at(entry, &["link"]) {
                let mut inner =
                    MenuItem { kind: NodeKind::MenuItem, label: sidebar_label(entry), ..MenuItem::default() };
                self.lead(&mut inner, link, text_at(entry, &["activeMatch"]), sidebars, prefixes);
                item.children.extend(inner.leads().then_some(inner));
            }
            open.extend(list_at_path(entry, &["items"]).iter().rev());
        }
        item.leads().then_some(item)
    }

    /// Where an entry of the top bar leads: to a sidebar that none has led to before, to a page, elsewhere.
    fn lead(
        &self,
        item: &mut MenuItem,
        link: &str,
        pattern: Option<&str>,
        sidebars: &mut [VitePressSidebar<'_>],
        prefixes: &[String],
    ) {
        let page = self.page(link);
        let address = page.map(|page| self.address(page));
        let by_page = address
            .as_deref()
            .and_then(|address| prefixes.iter().position(|prefix| address.starts_with(prefix.as_str())));
        let by_pattern = pattern.and_then(|pattern| {
            let plain = pattern.trim_start_matches('^').trim_end_matches(['$', '*', '.']);
            prefixes
                .iter()
                .position(|prefix| !plain.is_empty() && prefix.trim_end_matches('/') == plain.trim_end_matches('/'))
        });
        let found = by_page.or(by_pattern).filter(|at| !sidebars[*at].is_shown);
        if let Some(at) = found {
            let children = self.of_sidebar(&sidebars[at], prefixes);
            if children.iter().any(MenuItem::leads) {
                sidebars[at].is_shown = true;
                item.children = children;
                return;
            }
        }
        match page.filter(|_| by_page.is_none() && !link.contains('#')) {
            Some(page) => item.children = vec![MenuItem::of_page(page)],
            None => item.href = Some(unbased(self.options, link)),
        }
    }

    /// The entries of a sidebar. `own`: the address of the sidebar and those of all; pages of another one are links here.
    fn entries(&self, entries: &[Value], base: &str, own: Option<(&str, &[String])>, depth: usize) -> Vec<MenuItem> {
        if depth >= MAX_SIDEBAR_DEPTH {
            return Vec::new();
        }
        let mut out = Vec::new();
        for entry in entries {
            let base = text_at(entry, &["base"]).unwrap_or(base);
            let children = self.entries(list_at_path(entry, &["items"]), base, own, depth + 1);
            let link = text_at(entry, &["link"])
                .map(|link| if link.contains("://") { link.to_owned() } else { join_base_link(base, link) });
            let page = link.as_deref().filter(|link| !link.contains('#')).and_then(|link| self.page(link));
            let is_own = page.is_none_or(|page| self.is_of(page, own));
            let label = sidebar_label(entry);
            if json_at_path(entry, &["items"]).is_array() {
                let expanded = json_at_path(entry, &["collapsed"]).as_bool() != Some(true);
                out.push(MenuItem { page: page.filter(|_| is_own), expanded, ..MenuItem::group(&label, children) });
            } else if let Some(page) = page.filter(|_| is_own) {
                out.push(MenuItem { label, ..MenuItem::of_page(page) });
            } else if let Some(link) = link {
                let href = Some(unbased(self.options, &link));
                out.push(MenuItem { kind: NodeKind::Link, label, href, ..MenuItem::default() });
            }
        }
        out
    }

    /// Whether a page is one of a sidebar.
    fn is_of(&self, page: PageId, own: Option<(&str, &[String])>) -> bool {
        let Some((own, prefixes)) = own else { return true };
        let address = self.address(page);
        // a page that has no sidebar at all stands where it is listed
        prefixes.iter().find(|prefix| address.starts_with(prefix.as_str())).is_none_or(|prefix| prefix == own)
    }

    /// The address of a page, as sidebars are found by it.
    fn address(&self, page: PageId) -> String {
        let slug = &self.site.page(page).slug;
        let slug = slug.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(slug);
        format!("/{slug}")
    }

    /// The page that a link leads to.
    fn page(&self, link: &str) -> Option<PageId> {
        if link.contains("://") {
            return None;
        }
        let link = unbased(self.options, link);
        let path = link.split(['#', '?']).next().unwrap_or_default().trim_start_matches("./").trim_matches('/');
        let path = path.strip_suffix(".html").or_else(|| path.strip_suffix(".md")).unwrap_or(path);
        let find = |path: &str| {
            let index = if path.is_empty() { "index".to_owned() } else { format!("{path}/index") };
            let folder = || self.site.by_slug.get(&index).copied();
            self.site.find_page(path).filter(|_| !path.is_empty()).or_else(folder)
        };
        find(path)
    }
}

/// A link of a sidebar below its base.
fn join_base_link(base: &str, link: &str) -> String {
    match base {
        "" => link.to_owned(),
        base => format!("/{}/{}", base.trim_matches('/'), link.trim_start_matches('/')),
    }
}
