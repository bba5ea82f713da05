//! The navigation of Starlight: the entries of its sidebar, with generated groups, for each language.

use serde_json::Value;

use crate::web::{icon_name, menu_below_address, plain_label};
use base::PageId;
use load::Site;
use load::tool::script::{json_at_path, list_at_path, text_at};
use nav::NodeKind;
use nav::order::{MenuItem, PageOrder};
use site::config::Icon;
use site::page::PageEntry;

use super::config::{StarlightConfig, StarlightLocale, find_package_call};
use super::front::HIDDEN;

/// Entries nested deeper are left out.
const MAX_ENTRY_DEPTH: usize = 16;

/// The order of the pages.
pub(super) fn starlight_order(options: &StarlightConfig, site: &Site) -> PageOrder {
    let bars = options.locales.iter().map(|locale| StarlightNavbar { options, site, locale });
    // languages without pages of their own show those of the default
    let bars: Vec<StarlightNavbar<'_>> = bars.filter(StarlightNavbar::has_pages).collect();
    if let [bar] = bars.as_slice() {
        return PageOrder::Menu(bar.items());
    }
    let languages = bars.iter().enumerate().map(|(number, bar)| MenuItem {
        kind: NodeKind::Language,
        label: bar.locale.label.clone(),
        key: bar.locale.code.clone(),
        page: bar.find(""),
        default: number == 0,
        children: bar.items(),
        ..MenuItem::default()
    });
    PageOrder::Menu(languages.collect())
}

/// The navigation of a language.
struct StarlightNavbar<'a> {
    options: &'a StarlightConfig,
    site: &'a Site,
    locale: &'a StarlightLocale,
}

impl StarlightNavbar<'_> {
    fn has_pages(&self) -> bool {
        self.site.pages.iter().any(|page| page.file.is_some() && self.is_own(page))
    }

    fn is_own(&self, page: &PageEntry) -> bool {
        self.options.locale_of(&page.slug).prefix == self.locale.prefix
    }

    fn items(&self) -> Vec<MenuItem> {
        let topics = find_package_call(json_at_path(&self.options.own, &["plugins"]), "starlight-sidebar-topics");
        if let Some(topics) = topics.and_then(|given| given.get(0)).and_then(Value::as_array) {
            return topics.iter().map(|topic| self.topic(topic)).collect();
        }
        let home = self.find("");
        let listed = match json_at_path(&self.options.own, &["sidebar"]) {
            Value::Array(entries) => self.entries(entries, 0),
            _ => self.generated("", true),
        };
        // the start page stands in no list, but readers come to it first
        let is_listed = home.is_none_or(|home| leads_to(&listed, home));
        let home = home.filter(|_| !is_listed).map(|home| MenuItem { hidden: true, ..MenuItem::of_page(home) });
        home.into_iter().chain(listed).collect()
    }

    /// A part of the site with a sidebar of its own.
    fn topic(&self, topic: &Value) -> MenuItem {
        let label = self.label(topic);
        let icon = text_at(topic, &["icon"]).map(|name| Icon { name: icon_name(name).to_owned(), ..Icon::default() });
        let children = self.entries(list_at_path(topic, &["items"]), 0);
        let href = text_at(topic, &["link"]).filter(|_| children.is_empty()).map(|link| self.href(link));
        MenuItem { kind: NodeKind::Tab, label, icon, href, tag: self.badge(topic), children, ..MenuItem::default() }
    }

    fn entries(&self, entries: &[Value], depth: usize) -> Vec<MenuItem> {
        if depth >= MAX_ENTRY_DEPTH {
            return Vec::new();
        }
        entries.iter().flat_map(|entry| self.entry(entry, depth)).collect()
    }

    fn entry(&self, entry: &Value, depth: usize) -> Vec<MenuItem> {
        if let Some(slug) = entry.as_str() {
            return self.of_slug(slug, entry).into_iter().collect();
        }
        if let Some(link) = text_at(entry, &["link"]) {
            return vec![self.link(link, entry)];
        }
        if let Some(slug) = entry.get("slug").and_then(Value::as_str) {
            return self.of_slug(slug, entry).into_iter().collect();
        }
        let expanded = json_at_path(entry, &["collapsed"]).as_bool() != Some(true);
        let generated = json_at_path(entry, &["autogenerate"]);
        let children = match text_at(generated, &["directory"]) {
            Some(folder) => {
                let is_open = json_at_path(generated, &["collapsed"]).as_bool() != Some(true);
                self.generated(folder, is_open)
            }
            None => self.entries(list_at_path(entry, &["items"]), depth + 1),
        };
        let label = self.label(entry);
        // a generated list without a name is part of the list around it
        if label.is_empty() && text_at(generated, &["directory"]).is_some() {
            return children;
        }
        vec![MenuItem { expanded, tag: self.badge(entry), ..MenuItem::group(&label, children) }]
    }

    /// An entry of a page that the content has.
    fn of_slug(&self, slug: &str, entry: &Value) -> Option<MenuItem> {
        let slug = if slug == "index" { "" } else { slug.trim_matches('/') };
        let (label, tag) = (self.label(entry), self.badge(entry));
        if let Some(page) = self.find(slug) {
            return Some(MenuItem { label, tag, ..MenuItem::of_page(page) });
        }
        // not translated: the page of the default language
        let first = StarlightNavbar { locale: &self.options.locales[0], ..*self };
        let page = self.site.page(first.find(slug)?);
        let named = if label.is_empty() {
            page.meta.sidebar_title.clone().unwrap_or_else(|| page.meta.title.clone())
        } else {
            label
        };
        let href = Some(format!("/{}", page.slug));
        Some(MenuItem { kind: NodeKind::Link, label: named, tag, href, ..MenuItem::default() })
    }

    fn link(&self, link: &str, entry: &Value) -> MenuItem {
        let (label, tag) = (self.label(entry), self.badge(entry));
        let path = link.split(['#', '?']).next().unwrap_or_default();
        let is_whole = path == link && !link.contains("://");
        if let Some(page) = self.find(path.trim_matches('/')).filter(|_| is_whole) {
            return MenuItem { label, tag, ..MenuItem::of_page(page) };
        }
        MenuItem { kind: NodeKind::Link, label, tag, href: Some(self.href(link)), ..MenuItem::default() }
    }

    /// The address of a link in this language.
    fn href(&self, link: &str) -> String {
        if link.contains("://") || self.locale.prefix.is_empty() {
            return link.to_owned();
        }
        let path = link.split(['#', '?']).next().unwrap_or_default().trim_matches('/');
        let prefix = if self.find(path).is_some() { &self.locale.prefix } else { &self.options.locales[0].prefix };
        format!("/{prefix}/{}", link.trim_start_matches('/')).replace("//", "/")
    }

    /// The pages of a folder. Those that are not translated are links to the ones of the default language.
    fn generated(&self, folder: &str, is_open: bool) -> Vec<MenuItem> {
        let first = &self.options.locales[0];
        if self.locale.prefix == first.prefix {
            return self.own_pages(folder, is_open);
        }
        let mut items = StarlightNavbar { locale: first, ..*self }.own_pages(folder, is_open);
        items.iter_mut().for_each(|item| self.translate(item, first));
        let own = self.own_pages(folder, is_open);
        let own: Vec<MenuItem> = own.into_iter().filter_map(|item| without_pages(item, &items)).collect();
        items.extend(own);
        items
    }

    /// Recursion is bounded by the depth of folders.
    fn translate(&self, item: &mut MenuItem, first: &StarlightLocale) {
        item.children.iter_mut().for_each(|child| self.translate(child, first));
        let Some(page) = item.page else { return };
        let entry = self.site.page(page);
        let below = entry.slug.strip_prefix(first.prefix.as_str()).unwrap_or(&entry.slug).trim_start_matches('/');
        let below = below.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(below);
        item.page = self.find(below.trim_end_matches('/'));
        if item.page.is_none() && item.kind == NodeKind::Page {
            item.kind = NodeKind::Link;
            item.label = entry.meta.sidebar_title.clone().unwrap_or_else(|| entry.meta.title.clone());
            item.href = Some(format!("/{}", entry.slug));
        }
    }

    /// The pages of a folder in this language.
    fn own_pages(&self, folder: &str, is_open: bool) -> Vec<MenuItem> {
        let folder = folder.trim_matches('/');
        let address = match (self.locale.prefix.as_str(), folder) {
            ("", folder) => folder.to_owned(),
            (prefix, "") => prefix.to_owned(),
            (prefix, folder) => format!("{prefix}/{folder}"),
        };
        let is_shown = |page: &PageEntry| self.is_own(page) && !page.meta.extra.iter().any(|(key, _)| *key == HIDDEN);
        let mut items = menu_below_address(self.site, &address, is_shown);
        if !is_open {
            items.iter_mut().filter(|item| item.kind == NodeKind::Group).for_each(|item| item.expanded = false);
        }
        items
    }

    /// The page of an address of this language.
    fn find(&self, slug: &str) -> Option<PageId> {
        let base = self.options.base.as_str();
        let slug = slug
            .strip_prefix(base)
            .and_then(|rest| rest.strip_prefix('/'))
            .filter(|_| !base.is_empty())
            .unwrap_or(slug);
        let prefix = self.locale.prefix.as_str();
        let own = match (prefix, slug) {
            ("", slug) => slug.to_owned(),
            (prefix, "") => prefix.to_owned(),
            (prefix, slug) if slug == prefix || slug.starts_with(&format!("{prefix}/")) => slug.to_owned(),
            (prefix, slug) => format!("{prefix}/{slug}"),
        };
        let index = if own.is_empty() { "index".to_owned() } else { format!("{own}/index") };
        let found = self.site.by_slug.get(&own).or_else(|| self.site.by_slug.get(&index));
        found.or_else(|| self.site.by_folded_slug.get(&own)).copied()
    }

    /// The words for readers of this language.
    fn label(&self, entry: &Value) -> String {
        let code = self.locale.code.as_str();
        let short = code.split('-').next().unwrap_or(code);
        let translated = |code: &str| text_at(entry, &["translations", code]);
        let own = translated(code).or_else(|| translated(short));
        plain_label(own.or_else(|| self.words(json_at_path(entry, &["label"]))).unwrap_or_default())
    }

    /// A text, or the one of this language.
    fn words<'v>(&self, value: &'v Value) -> Option<&'v str> {
        let of = |code: &str| value.get(code).and_then(Value::as_str);
        value.as_str().or_else(|| of(&self.locale.code)).or_else(|| of(&self.options.locales[0].code))
    }

    fn badge(&self, entry: &Value) -> Option<String> {
        let badge = json_at_path(entry, &["badge"]);
        self.words(badge).or_else(|| self.words(json_at_path(badge, &["text"]))).map(str::to_owned)
    }
}

/// An entry without what others have already; `None` if nothing is left of it.
fn without_pages(item: MenuItem, others: &[MenuItem]) -> Option<MenuItem> {
    let page = item.page.filter(|page| !leads_to(others, *page));
    let had_children = !item.children.is_empty();
    let children: Vec<MenuItem> = item.children.into_iter().filter_map(|child| without_pages(child, others)).collect();
    let is_left = if had_children { !children.is_empty() } else { page.is_some() };
    is_left.then_some(MenuItem { page, children, ..item })
}

fn leads_to(items: &[MenuItem], page: PageId) -> bool {
    items.iter().any(|item| item.page == Some(page) || leads_to(&item.children, page))
}
