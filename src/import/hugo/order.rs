//! The order of Hugo's pages: sections by weight, date and title, the sections of the main menu as tabs, languages.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use base::PageId;
use load::Site;
use nav::NodeKind;
use nav::order::MenuItem;
use site::page::{PageEntry, title_of_slug};

use super::HugoSettings;
use super::front::{DATE, LINK, MENU_WEIGHT, SECTION};

/// Sections deeper than this are shown in the deepest that is a group.
const MAX_HUGO_SECTION_DEPTH: usize = 16;
/// Most sections beside those of the main menu that become tabs too.
const MAX_OTHER_TABS: usize = 3;

/// A section.
#[derive(Debug, Default)]
struct HugoSection {
    index: Option<PageId>,
    pages: Vec<PageId>,
    sections: BTreeMap<String, HugoSection>,
}

/// The entries of the whole site.
pub(super) fn hugo_menu(settings: &HugoSettings, site: &Site) -> Vec<MenuItem> {
    let mut top: BTreeMap<String, HugoSection> = BTreeMap::new();
    for (id, page) in site.iter().filter(|(_, page)| page.file.is_some()) {
        let Some((prefix, mut parts, mut is_index)) = page_position(settings, site, page) else { continue };
        // a section without a page of its own has the file of another
        if settings.extra(site, id, SECTION).is_some() {
            parts.truncate(1);
            is_index = true;
        }
        let start = top.entry(prefix).or_default();
        let section = parts
            .iter()
            .take(MAX_HUGO_SECTION_DEPTH)
            .fold(start, |section, part| section.sections.entry(part.clone()).or_default());
        if is_index {
            section.index = Some(id);
        } else {
            section.pages.push(id);
        }
    }
    let languages: Vec<_> =
        settings.languages.iter().filter(|language| top.contains_key(&settings.prefix_of(&language.code))).collect();
    if languages.len() < 2 {
        let mut items = Vec::new();
        for (_, section) in top {
            items.extend(entries_of_site(settings, site, section));
        }
        return items;
    }
    let mut items = Vec::new();
    for language in languages {
        let Some(section) = top.remove(&settings.prefix_of(&language.code)) else { continue };
        items.push(MenuItem {
            kind: NodeKind::Language,
            label: language.code.clone(),
            key: language.code.clone(),
            default: language.code == settings.default_language,
            children: entries_of_site(settings, site, section),
            ..MenuItem::default()
        });
    }
    items
}

/// Where a page stands: what its language puts before its address, its sections, and whether it is that of a section.
fn page_position(settings: &HugoSettings, site: &Site, page: &PageEntry) -> Option<(String, Vec<String>, bool)> {
    let found = settings.found(page, &site.tree)?;
    let own = match found.prefix.as_str() {
        "" => found.address.as_str(),
        prefix => found.address.strip_prefix(prefix)?.trim_start_matches('/'),
    };
    let mut parts: Vec<String> = own.split('/').map(str::to_owned).collect();
    let name = parts.pop()?;
    if name == "index" && !found.is_section {
        // a page with files beside it
        parts.pop();
    }
    Some((found.prefix, parts, found.is_section || parts_are_home(&name, own)))
}

fn parts_are_home(name: &str, own: &str) -> bool {
    name == "index" && own == "index"
}

/// The entries of a language: its start page, then its sections, those of the main menu as tabs.
fn entries_of_site(settings: &HugoSettings, site: &Site, mut top: HugoSection) -> Vec<MenuItem> {
    let home = top.index.take();
    let sections = std::mem::take(&mut top.sections);
    let weight = |section: &HugoSection| {
        let extra = |page: PageId| settings.extra(site, page, MENU_WEIGHT);
        section.index.and_then(extra).and_then(|weight| weight.parse::<f64>().ok())
    };
    let menu_weight = |name: &str, section: &HugoSection| weight(section).or_else(|| settings.menu_weight(name));
    let mut tabs: Vec<(f64, String, HugoSection)> = Vec::new();
    let mut others: BTreeMap<String, HugoSection> = BTreeMap::new();
    for (name, section) in sections {
        match menu_weight(&name, &section) {
            Some(weight) => tabs.push((weight, name, section)),
            None => {
                others.insert(name, section);
            }
        }
    }
    let other_count = others.values().filter(|section| section.size() > 0).count();
    let has_tabs = !tabs.is_empty() && tabs.len() + other_count > 1 && other_count <= MAX_OTHER_TABS;
    if !has_tabs {
        others.extend(tabs.into_iter().map(|(_, name, section)| (name, section)));
        top.sections = others;
        let mut items: Vec<MenuItem> = home.map(MenuItem::of_page).into_iter().collect();
        let mut entries = section_entries(settings, site, top);
        // one section alone is the site
        if entries.len() == 1 && entries[0].kind == NodeKind::Group {
            let section = entries.remove(0);
            items.extend(section.page.map(MenuItem::of_page));
            entries = section.children;
        }
        items.extend(entries);
        return items;
    }
    let own_weight = |section: &HugoSection| section.index.and_then(|page| site.page(page).meta.position);
    let weighed =
        |(name, section): (String, HugoSection)| (own_weight(&section).unwrap_or(f64::INFINITY), name, section);
    tabs.extend(others.into_iter().map(weighed));
    // pages of the main menu are tabs too
    let in_menu =
        |page: &PageId| settings.extra(site, *page, MENU_WEIGHT).and_then(|weight| weight.parse::<f64>().ok());
    for (weight, page) in top.pages.extract_if(.., |page| in_menu(page).is_some()).map(|page| (in_menu(&page), page)) {
        let section = HugoSection { index: Some(page), ..HugoSection::default() };
        tabs.push((weight.unwrap_or(0.0), site.page(page).slug.clone(), section));
    }
    tabs.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    let mut items: Vec<MenuItem> =
        tabs.into_iter().map(|(_, name, section)| section_tab(settings, site, &name, section)).collect();
    if let Some(first) = items.first_mut() {
        first.children.splice(..0, home.map(MenuItem::of_page));
    }
    // pages beside the sections stand with the last of them
    let loose = section_entries(settings, site, top);
    items.last_mut().into_iter().for_each(|last| last.children.extend(loose.iter().cloned()));
    items
}

fn section_tab(settings: &HugoSettings, site: &Site, name: &str, section: HugoSection) -> MenuItem {
    let label = section_label(site, name, section.index);
    let mut children: Vec<MenuItem> = section.index.map(MenuItem::of_page).into_iter().collect();
    children.extend(section_entries(settings, site, HugoSection { index: None, ..section }));
    MenuItem { kind: NodeKind::Tab, label, children, ..MenuItem::default() }
}

/// What a section is called.
fn section_label(site: &Site, name: &str, index: Option<PageId>) -> String {
    let of_page = index.map(|page| {
        let meta = &site.page(page).meta;
        meta.sidebar_title.clone().unwrap_or_else(|| meta.title.clone())
    });
    of_page.unwrap_or_else(|| title_of_slug(name))
}

impl HugoSection {
    /// The latest date of its pages and of those below.
    fn latest(&self, settings: &HugoSettings, site: &Site) -> String {
        let date = |page: &PageId| settings.extra(site, *page, DATE).map(str::to_owned);
        let own = self.index.iter().chain(&self.pages).filter_map(date);
        own.chain(self.sections.values().map(|section| section.latest(settings, site))).max().unwrap_or_default()
    }

    /// Pages in it and below.
    fn size(&self) -> usize {
        usize::from(self.index.is_some()) + self.pages.len() + self.sections.values().map(Self::size).sum::<usize>()
    }
}

/// An entry with what it is ordered by.
struct RankedEntry {
    weight: Option<f64>,
    date: String,
    title: String,
    path: String,
    item: MenuItem,
}

/// The pages and sections of a section, in Hugo's order: by weight, then by date, the latest first, then by title.
/// Recursion is bounded by [`MAX_HUGO_SECTION_DEPTH`].
fn section_entries(settings: &HugoSettings, site: &Site, section: HugoSection) -> Vec<MenuItem> {
    let mut all: Vec<RankedEntry> = Vec::new();
    for page in section.pages {
        all.push(ranked(
            settings,
            site,
            Some(page),
            "",
            MenuItem { hidden: is_hidden_page(site, page), ..MenuItem::of_page(page) },
        ));
    }
    for (name, below) in section.sections {
        let index = below.index;
        let title = section_label(site, &name, index);
        // a section without a date has that of its latest page
        let latest = below.latest(settings, site);
        let children = section_entries(settings, site, below);
        let item = match (index, children.is_empty()) {
            (Some(page), true) => MenuItem { label: title.clone(), ..MenuItem::of_page(page) },
            _ => MenuItem { page: index, ..MenuItem::group(&title, children) },
        };
        let item = MenuItem { hidden: index.is_some_and(|page| is_hidden_page(site, page)), ..item };
        let mut ranked = ranked(settings, site, index, &title, item);
        if ranked.date.is_empty() {
            ranked.date = latest;
        }
        all.push(ranked);
    }
    all.sort_by(|a, b| {
        let weight = |it: &RankedEntry| it.weight.unwrap_or(f64::INFINITY);
        weight(a)
            .total_cmp(&weight(b))
            .then_with(|| b.date.cmp(&a.date))
            .then_with(|| by_words(&a.title, &b.title))
            .then_with(|| a.path.cmp(&b.path))
    });
    all.into_iter().map(|ranked| ranked.item).collect()
}

fn is_hidden_page(site: &Site, page: PageId) -> bool {
    site.page(page).meta.hidden == Some(true)
}

fn ranked(settings: &HugoSettings, site: &Site, page: Option<PageId>, title: &str, mut item: MenuItem) -> RankedEntry {
    let Some(page) = page else {
        return RankedEntry {
            weight: None,
            date: String::new(),
            title: title.to_owned(),
            path: title.to_owned(),
            item,
        };
    };
    let entry = site.page(page);
    if let Some(link) = settings.extra(site, page, LINK).filter(|_| item.children.is_empty()) {
        item = MenuItem {
            kind: NodeKind::Link,
            label: section_label(site, "", Some(page)),
            href: Some(link.to_owned()),
            hidden: item.hidden,
            ..MenuItem::default()
        };
    }
    RankedEntry {
        weight: entry.meta.position,
        date: settings.extra(site, page, DATE).unwrap_or_default().to_owned(),
        title: section_label(site, "", Some(page)),
        path: entry.slug.clone(),
        item,
    }
}

/// Titles as a dictionary has them, before their bytes count.
fn by_words(a: &str, b: &str) -> Ordering {
    a.to_lowercase().cmp(&b.to_lowercase()).then_with(|| a.cmp(b))
}
