//! The navigation: languages, versions, sidebars and blogs as tabs; and the pages that no file holds.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use base::{Description, PageId};
use load::Site;
use load::tool::script;
use nav::order::MenuItem;
use nav::{DirectoryMode, NodeKind};
use site::page::{FrontMatter, PageEntry, PageMode, Preface};
use site::tree::SourceTree;

use super::DocusaurusSettings;
use super::blog;
use super::front::{CARDS, ID};
use super::plugins::{Docs, FolderKind, join_address};
use super::sidebar::{self, Leads, Shelf, SidebarCategory, SidebarItem, Sidebars};

/// What a language puts before addresses.
fn prefix(settings: &DocusaurusSettings, locale: usize) -> &str {
    if locale == 0 { "" } else { &settings.locales[locale].code }
}

/// Languages that have pages.
fn languages_with_pages(settings: &DocusaurusSettings) -> impl Iterator<Item = usize> + '_ {
    (0..settings.locales.len()).filter(|locale| settings.locales[*locale].has_pages)
}

/// The pages that no file holds: those of categories, the lists of blogs, pages that are programs, and pages of a
/// language without a translation, which are shown in the default language.
pub(super) fn generated_pages(settings: &DocusaurusSettings, pages: &[PageEntry], tree: &SourceTree) -> Vec<PageEntry> {
    let mut taken: BTreeSet<String> = pages.iter().map(|page| page.slug.clone()).collect();
    let mut generated: Vec<PageEntry> = Vec::new();
    let mut add = |page: PageEntry, generated: &mut Vec<PageEntry>| {
        if taken.insert(page.slug.clone()) {
            generated.push(page);
        }
    };
    for (number, docs) in settings.docs.iter().enumerate() {
        for version in 0..docs.versions.len() {
            let sidebars = Shelf::new(settings, number, version, pages, tree).sidebars();
            for index in sidebar::index_pages(&sidebars) {
                let slug = join_address(&[&docs.route, &docs.versions[version].path, &index.slug]);
                add(generated_page(slug, &index.title, index.description.as_deref()), &mut generated);
            }
        }
    }
    for blog in &settings.blogs {
        let slug = join_address(&[&blog.route, "index"]);
        add(generated_page(slug, &blog.title, blog.description.as_deref()), &mut generated);
    }
    for path in &settings.scripts {
        let (Some(folder), Some(file)) = (settings.folder_of(path), tree.find_any(&settings.config)) else { continue };
        let Some((stem, _)) = folder.rest(path).and_then(|rest| rest.rsplit_once('.')) else { continue };
        let mut page = generated_page(join_address(&[&folder.base, stem]), &program_page_title(settings, stem), None);
        page.meta.mode = PageMode::Custom;
        let text = format!("import OwnPage from '/{path}'\n\n<OwnPage />\n");
        page.preface = Some(Box::new(Preface { text, file, line: 0, in_lines: false }));
        add(page, &mut generated);
    }
    let originals: Vec<PageEntry> =
        pages.iter().chain(&generated).filter(|page| settings.locale_of(&page.slug) == 0).cloned().collect();
    for locale in languages_with_pages(settings).skip(1) {
        for page in &originals {
            add(
                PageEntry { slug: join_address(&[prefix(settings, locale), &page.slug]), ..page.clone() },
                &mut generated,
            );
        }
    }
    generated
}

/// The name of a page that is a program.
fn program_page_title(settings: &DocusaurusSettings, stem: &str) -> String {
    match stem.strip_suffix("index").map(|folder| folder.trim_end_matches('/')) {
        Some("") => script::text_at(&settings.value, &["title"]).unwrap_or("Home").to_owned(),
        Some(folder) => site::page::title_of_slug(folder),
        None => site::page::title_of_slug(stem),
    }
}

fn generated_page(slug: String, title: &str, description: Option<&str>) -> PageEntry {
    let meta = FrontMatter {
        title: title.to_owned(),
        title_given: true,
        description: description.map(|text| Description::new(text.to_owned())),
        ..FrontMatter::default()
    };
    PageEntry::generated(slug, meta)
}

/// The whole navigation.
pub(super) fn docusaurus_menu(settings: &DocusaurusSettings, site: &Site) -> Vec<MenuItem> {
    let builder = SidebarBuilder::new(settings, site);
    let all: Vec<usize> = languages_with_pages(settings).collect();
    if all.len() < 2 {
        return builder.language(0);
    }
    let language = |locale: usize| MenuItem {
        kind: NodeKind::Language,
        label: settings.locales[locale].code.clone(),
        key: settings.locales[locale].code.clone(),
        default: locale == 0,
        children: builder.language(locale),
        ..MenuItem::default()
    };
    all.into_iter().map(language).collect()
}

struct SidebarBuilder<'s> {
    settings: &'s DocusaurusSettings,
    site: &'s Site,
    /// The sidebars of each version: by use of the plugin and version.
    sidebars: BTreeMap<(usize, usize), Sidebars>,
    /// The names of the sidebars of all versions, by use of the plugin; those of the version that readers come to first
    /// come first.
    names: Vec<Vec<String>>,
    /// Addresses of the pages of categories, by version and the category's key, in order.
    indexes: BTreeMap<(usize, usize), Vec<sidebar::IndexPage>>,
    /// Pages by use of the plugin, version, language and id.
    pages: BTreeMap<(usize, usize, usize, &'s str), PageId>,
}

/// What a tab shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    Sidebar(usize, usize),
    Blog(usize),
    /// A page that no sidebar has.
    Doc(usize, PageId),
}

impl<'s> SidebarBuilder<'s> {
    fn new(settings: &'s DocusaurusSettings, site: &'s Site) -> Self {
        let mut sidebars = BTreeMap::new();
        let mut indexes = BTreeMap::new();
        for (number, docs) in settings.docs.iter().enumerate() {
            for version in 0..docs.versions.len() {
                let all = Shelf::new(settings, number, version, &site.pages, &site.tree).sidebars();
                indexes.insert((number, version), sidebar::index_pages(&all));
                sidebars.insert((number, version), all);
            }
        }
        let mut pages = BTreeMap::new();
        for (page, entry) in site.iter() {
            let Some(file) = entry.file else { continue };
            let Some(folder) = settings.folder_of(site.tree.path(file)) else { continue };
            let FolderKind::Docs(docs, version) = folder.kind else { continue };
            if let Some((_, id)) = entry.meta.extra.iter().find(|(key, _)| *key == ID) {
                pages.insert((docs, version, settings.locale_of(&entry.slug), id.as_str()), page);
            }
        }
        let names = settings.docs.iter().enumerate().map(|(number, docs)| {
            let mut names: Vec<String> = Vec::new();
            for version in (0..docs.versions.len()).map(|at| (last(docs) + at) % docs.versions.len()) {
                let own: &Sidebars = &sidebars[&(number, version)];
                for (name, _) in own {
                    if !names.contains(name) {
                        names.push(name.clone());
                    }
                }
            }
            names
        });
        let names = names.collect();
        Self { settings, site, sidebars, names, indexes, pages }
    }

    /// The entries of a language.
    fn language(&self, locale: usize) -> Vec<MenuItem> {
        let settings = self.settings;
        let Some(main) = settings.docs.iter().position(|docs| docs.versions.len() > 1) else {
            return self.tabs(locale, None);
        };
        let versions = settings.docs[main].versions.iter().enumerate().map(|(at, version)| MenuItem {
            kind: NodeKind::Version,
            label: self.version_word(locale, main, at).unwrap_or(&version.label).to_owned(),
            key: version.name.clone(),
            default: version.is_last,
            children: self.tabs(locale, Some((main, at))),
            ..MenuItem::default()
        });
        versions.collect()
    }

    /// A word of a version's file of messages.
    fn word(&self, locale: usize, docs: usize, version: usize, key: &str) -> Option<&str> {
        let of = &self.settings.docs[docs];
        let folder = match of.id.as_str() {
            "default" => "docusaurus-plugin-content-docs".to_owned(),
            id => format!("docusaurus-plugin-content-docs-{id}"),
        };
        let name = &of.versions[version].name;
        let file = if name == "current" { "current".to_owned() } else { format!("version-{name}") };
        self.settings.locales[locale].word(&format!("{folder}/{file}:{key}"))
    }

    fn version_word(&self, locale: usize, docs: usize, version: usize) -> Option<&str> {
        self.word(locale, docs, version, "version.label")
    }

    /// The tabs of a language, or of a version in it; without names if there is one alone.
    fn tabs(&self, locale: usize, chosen: Option<(usize, usize)>) -> Vec<MenuItem> {
        let all = self.all_tabs();
        let version_of = |docs: usize| match chosen {
            Some((main, version)) if main == docs => version,
            _ => last(&self.settings.docs[docs]),
        };
        // what has no versions stands with the version that readers come to first
        let is_elsewhere = |shows: Shows| match (shows, chosen) {
            (_, None) => false,
            (Shows::Sidebar(docs, _), Some((main, _))) if docs == main => false,
            (_, Some((main, version))) => !self.settings.docs[main].versions[version].is_last,
        };
        let mut items: Vec<MenuItem> = Vec::new();
        for (label, shows) in all {
            let label = self.settings.locales[locale].word(&format!("item.label.{label}")).unwrap_or(&label).to_owned();
            let children = match shows {
                Shows::Blog(blog) => self.posts(blog, locale),
                Shows::Doc(docs, page) => {
                    let at = ItemSpot { sidebar: "", docs, version: version_of(docs), locale };
                    let page = self.id_of(page).and_then(|id| self.page(id, at));
                    page.map(MenuItem::of_page).into_iter().collect()
                }
                Shows::Sidebar(docs, at) => {
                    let version = version_of(docs);
                    let own = &self.sidebars[&(docs, version)];
                    let found = own.iter().find(|(known, _)| self.names[docs].get(at) == Some(known));
                    found.map(|(name, items)| self.items(items, name, docs, version, locale)).unwrap_or_default()
                }
            };
            if !children.iter().any(MenuItem::leads) {
                continue;
            }
            let tab = MenuItem { kind: NodeKind::Tab, label, ..MenuItem::default() };
            items.push(if is_elsewhere(shows) {
                let href = first_page(&children).map(|page| format!("/{}", self.site.page(page).slug));
                MenuItem { href, ..tab }
            } else {
                MenuItem { children, ..tab }
            });
        }
        if let [one] = items.as_mut_slice() {
            return std::mem::take(&mut one.children);
        }
        items
    }

    /// What there are tabs for, in the order of the navigation bar.
    fn all_tabs(&self) -> Vec<(String, Shows)> {
        let mut tabs: Vec<(String, Shows)> = Vec::new();
        let mut bar = Vec::new();
        let items = script::json_at_path(&self.settings.value, &["themeConfig", "navbar", "items"]);
        push_bar(items, &mut bar);
        for item in bar {
            let Some(shows) = self.shown_by(item) else { continue };
            let Some(label) = script::text_at(item, &["label"]) else { continue };
            if !tabs.iter().any(|(_, known)| *known == shows) {
                tabs.push((label.to_owned(), shows));
            }
        }
        for (number, docs) in self.settings.docs.iter().enumerate() {
            let names = &self.names[number];
            for (at, name) in names.iter().enumerate() {
                if !tabs.iter().any(|(_, known)| *known == Shows::Sidebar(number, at)) {
                    tabs.push((sidebar_label(docs, name, names.len()), Shows::Sidebar(number, at)));
                }
            }
        }
        for (number, blog) in self.settings.blogs.iter().enumerate() {
            if !tabs.iter().any(|(_, known)| *known == Shows::Blog(number)) {
                tabs.push((blog.title.clone(), Shows::Blog(number)));
            }
        }
        tabs
    }

    /// The sidebar or blog that an entry of the navigation bar leads to.
    fn shown_by(&self, item: &Value) -> Option<Shows> {
        let text = |key: &str| script::text_at(item, &[key]);
        let id = text("docsPluginId").unwrap_or("default");
        let number = self.settings.docs.iter().position(|docs| docs.id == id);
        let with = |number: usize, id: &str| {
            let versions = 0..self.settings.docs[number].versions.len();
            let all = versions.filter_map(|version| self.sidebars.get(&(number, version))).flatten();
            let mut named = all.filter(|(_, items)| sidebar::ids(items).contains(&id)).map(|(name, _)| name);
            let name = named.next()?;
            Some(Shows::Sidebar(number, self.names[number].iter().position(|known| known == name)?))
        };
        match text("type") {
            Some("docSidebar") => {
                let number = number?;
                let at = self.names[number].iter().position(|name| Some(name.as_str()) == text("sidebarId"))?;
                Some(Shows::Sidebar(number, at))
            }
            Some("doc") => {
                let (number, id) = (number?, text("docId")?);
                let at = ItemSpot { sidebar: "", docs: number, version: last(&self.settings.docs[number]), locale: 0 };
                with(number, id).or_else(|| Some(Shows::Doc(number, self.page(id, at)?)))
            }
            None | Some("default") => {
                let to = text("to").or_else(|| text("href")).filter(|to| !to.contains("://"))?;
                let to = join_address(&[to.split(['#', '?']).next().unwrap_or_default()]);
                if let Some(at) = self.settings.blogs.iter().position(|blog| blog.route == to) {
                    return Some(Shows::Blog(at));
                }
                let page = self.site.by_slug.get(&to).or_else(|| self.site.by_slug.get(&format!("{to}/index")))?;
                let entry = self.site.page(*page);
                let (_, id) = entry.meta.extra.iter().find(|(key, _)| *key == ID)?;
                let folder = self.settings.folder_of(self.site.tree.path(entry.file?))?;
                let FolderKind::Docs(number, _) = folder.kind else { return None };
                with(number, id).or(Some(Shows::Doc(number, *page)))
            }
            Some(_) => None,
        }
    }

    /// The name of a page among the documents.
    fn id_of(&self, page: PageId) -> Option<&str> {
        let extra = &self.site.page(page).meta.extra;
        extra.iter().find(|(key, _)| *key == ID).map(|(_, id)| id.as_str())
    }

    /// The page that lists the posts of a blog, with the posts below it.
    fn posts(&self, blog: usize, locale: usize) -> Vec<MenuItem> {
        let slug = join_address(&[prefix(self.settings, locale), &self.settings.blogs[blog].route, "index"]);
        let posts = blog::posts(self.settings, self.site, blog, locale);
        let children: Vec<MenuItem> = posts.into_iter().map(|(_, page)| MenuItem::of_page(page)).collect();
        let page = self.site.by_slug.get(&slug).copied();
        vec![MenuItem {
            page,
            directory: DirectoryMode::Card,
            ..MenuItem::group(&self.settings.blogs[blog].title, children)
        }]
    }

    fn items(&self, items: &[SidebarItem], sidebar: &str, docs: usize, version: usize, locale: usize) -> Vec<MenuItem> {
        let at = ItemSpot { sidebar, docs, version, locale };
        items.iter().filter_map(|item| self.entry(item, at)).collect()
    }

    fn page(&self, id: &str, at: ItemSpot<'_>) -> Option<PageId> {
        self.pages.get(&(at.docs, at.version, at.locale, id)).copied()
    }

    /// Recursion is bounded by the depth of the sidebars.
    fn entry(&self, item: &SidebarItem, at: ItemSpot<'_>) -> Option<MenuItem> {
        match item {
            SidebarItem::Doc { id, label } => {
                let page = self.page(id, at)?;
                let word = label.as_ref().map(|label| {
                    self.word(at.locale, at.docs, at.version, &format!("sidebar.{}.doc.{label}", at.sidebar))
                        .unwrap_or(label)
                });
                let entry = self.site.page(page);
                let hidden = entry.meta.hidden == Some(true);
                Some(MenuItem { label: word.unwrap_or_default().to_owned(), hidden, ..MenuItem::of_page(page) })
            }
            SidebarItem::Link { label, href } => {
                let word = self.word(at.locale, at.docs, at.version, &format!("sidebar.{}.link.{label}", at.sidebar));
                Some(MenuItem {
                    kind: NodeKind::Link,
                    label: word.unwrap_or(label).to_owned(),
                    href: Some(href.clone()),
                    ..MenuItem::default()
                })
            }
            SidebarItem::Category(category) => Some(self.category(category, at)),
        }
    }

    fn category(&self, category: &SidebarCategory, at: ItemSpot<'_>) -> MenuItem {
        let children: Vec<MenuItem> = category.items.iter().filter_map(|item| self.entry(item, at)).collect();
        let key = format!("sidebar.{}.category.{}", at.sidebar, category.key);
        let label = self.word(at.locale, at.docs, at.version, &key).unwrap_or(&category.label);
        let page = match &category.link {
            Leads::Nowhere => None,
            Leads::Doc(id) => self.page(id, at),
            Leads::Index { .. } => {
                let of = &self.settings.docs[at.docs];
                let known = self.indexes[&(at.docs, at.version)].iter().find(|index| index.key == category.key);
                known.and_then(|index| {
                    let base =
                        [prefix(self.settings, at.locale), &of.route, &of.versions[at.version].path, &index.slug];
                    self.site.by_slug.get(&join_address(&base)).copied()
                })
            }
        };
        let is_listed = page.is_some_and(|page| {
            let entry = self.site.page(page);
            entry.file.is_none() || entry.meta.extra.iter().any(|(key, _)| *key == CARDS)
        });
        MenuItem {
            page,
            expanded: category.is_open,
            directory: if is_listed { DirectoryMode::Card } else { DirectoryMode::None },
            ..MenuItem::group(label, children)
        }
    }
}

/// Where an item stands.
#[derive(Clone, Copy, Debug)]
struct ItemSpot<'n> {
    sidebar: &'n str,
    docs: usize,
    version: usize,
    locale: usize,
}

/// The version that readers come to first.
fn last(docs: &Docs) -> usize {
    docs.versions.iter().position(|version| version.is_last).unwrap_or(0)
}

fn first_page(items: &[MenuItem]) -> Option<PageId> {
    items.iter().find_map(|item| item.page.or_else(|| first_page(&item.children)))
}

/// The entries of the navigation bar, those of its menus behind them.
pub(super) fn push_bar<'v>(items: &'v Value, bar: &mut Vec<&'v Value>) {
    let list = script::list_at_path(items, &[]);
    bar.extend(list);
    for item in list {
        if let Some(below) = item.get("items").and_then(Value::as_array) {
            bar.extend(below);
        }
    }
}

/// What a sidebar is called that the navigation bar does not name: `apiSidebar` is `Api`.
fn sidebar_label(docs: &Docs, name: &str, count: usize) -> String {
    if count == 1 {
        return if docs.id == "default" { "Docs".to_owned() } else { site::page::title_of_slug(&docs.id) };
    }
    let bare = name.strip_suffix("Sidebar").or_else(|| name.strip_suffix("sidebar")).unwrap_or(name);
    let mut words = String::new();
    for c in bare.trim_matches(['-', '_']).chars() {
        if c.is_uppercase() && !words.is_empty() && !words.ends_with(char::is_uppercase) {
            words.push(' ');
        }
        words.push(c);
    }
    site::page::title_of_slug(&words)
}
