//! The navigation: `nav`, or the folders; tabs, pages of sections, languages, posts.

use std::collections::{BTreeMap, BTreeSet};

use base::{PageId, Place};
use load::Site;
use load::tool::RenderedText;
use nav::NodeKind;
use nav::order::MenuItem;
use site::page::PageEntry;
use site::yaml::Yaml;

use super::MkDocsSettings;
use super::awesome::{compare_names, folder_title, is_match, is_path_pattern};
use super::blog;
use super::folders::{FolderOrder, NavEntry, entries_of};
use super::pattern::Patterns;

/// Sections deeper than this are left out.
const MAX_NAV_DEPTH: usize = 16;
/// Most posts that the page of a blog lists.
const MAX_POSTS: usize = 50;

/// Pages of languages without a translation, which show that of the default language.
pub(super) fn generated_pages(settings: &MkDocsSettings, pages: &[PageEntry]) -> Vec<PageEntry> {
    let places = &settings.places;
    if places.languages.len() < 2 || !places.falls_back {
        return Vec::new();
    }
    let others: Vec<&str> = places
        .languages
        .iter()
        .filter(|language| !language.is_default)
        .map(|language| language.code.as_str())
        .collect();
    let is_default = |page: &&PageEntry| {
        !others.iter().any(|code| page.slug.strip_prefix(code).is_some_and(|rest| rest.starts_with('/')))
    };
    let taken: BTreeSet<&str> = pages.iter().map(|page| page.slug.as_str()).collect();
    let mut generated = Vec::new();
    for code in &others {
        for page in pages.iter().filter(is_default) {
            let slug = format!("{code}/{}", page.slug);
            if !taken.contains(slug.as_str()) {
                generated.push(PageEntry { slug, ..page.clone() });
            }
        }
    }
    generated
}

/// The whole navigation.
pub(super) fn mkdocs_menu(settings: &MkDocsSettings, site: &Site) -> Vec<MenuItem> {
    let places = &settings.places;
    if places.languages.len() < 2 {
        return MkDocsNavBuilder::new(settings, site, places.default_language()).items();
    }
    let language = |number: usize| MenuItem {
        kind: NodeKind::Language,
        label: places.languages[number].code.clone(),
        key: places.languages[number].code.clone(),
        default: places.languages[number].is_default,
        children: MkDocsNavBuilder::new(settings, site, number).items(),
        ..MenuItem::default()
    };
    (0..places.languages.len()).map(language).collect()
}

/// The pages of a language.
struct MkDocsNavBuilder<'s> {
    settings: &'s MkDocsSettings,
    site: &'s Site,
    language: usize,
    /// By path below the folder of pages, with the ending.
    pages: BTreeMap<String, PageId>,
    not_listed: Patterns,
}

impl<'s> MkDocsNavBuilder<'s> {
    fn new(settings: &'s MkDocsSettings, site: &'s Site, language: usize) -> Self {
        let places = &settings.places;
        let prefix = places.languages.get(language).filter(|language| !language.is_default);
        let mut pages = BTreeMap::new();
        for (id, page) in site.iter() {
            let Some(path) = page.file.and_then(|file| settings.options.inside(site.tree.path(file))) else { continue };
            let Some(found) = places.find(path) else { continue };
            // the page of another language stands in for one that is not translated
            let is_own = match prefix {
                Some(language) => {
                    page.slug.strip_prefix(language.code.as_str()).is_some_and(|rest| rest.starts_with('/'))
                }
                None => found.language == language && !is_of_other(settings, &page.slug),
            };
            if is_own {
                pages.insert(format!("{}.md", found.stem), id);
            }
        }
        let not_listed =
            Patterns::read(settings.options.at(&["not_in_nav"]).and_then(Yaml::as_text).unwrap_or_default());
        Self { settings, site, language, pages, not_listed }
    }

    fn items(&self) -> Vec<MenuItem> {
        let entries = match self.settings.options.at(&["nav"]) {
            Some(Yaml::List(list)) => Some(entries_of(list)),
            Some(members @ Yaml::Map(_)) => Some(entries_of(std::slice::from_ref(members))),
            _ => None,
        };
        let mut items = match entries {
            Some(entries) => {
                let mut used = BTreeSet::new();
                self.named(&entries, "", &mut used);
                self.entries(&entries, "", &used, 0)
            }
            None => self.folder("", 0),
        };
        self.add_all_posts(&mut items);
        if self.settings.options.has_feature("navigation.tabs") {
            items = items.into_iter().map(|item| self.tab_of(item)).collect();
        }
        items
    }

    /// The paths that entries name, so that others can name the rest.
    fn named(&self, entries: &[NavEntry], folder: &str, used: &mut BTreeSet<String>) {
        for entry in entries {
            match entry {
                NavEntry::Target(_, target) if !is_path_pattern(target) && !target.contains("://") => {
                    used.insert(path_below_folder(folder, target));
                }
                NavEntry::Section(_, entries) => self.named(entries, folder, used),
                _ => {}
            }
        }
    }

    fn entries(&self, entries: &[NavEntry], folder: &str, used: &BTreeSet<String>, depth: usize) -> Vec<MenuItem> {
        let mut used = used.clone();
        let mut items = Vec::new();
        if depth > MAX_NAV_DEPTH {
            return items;
        }
        for entry in entries {
            match entry {
                NavEntry::Section(name, entries) => {
                    let children = self.entries(entries, folder, &used, depth + 1);
                    items.push(self.section(&self.translated(name), children));
                }
                NavEntry::Rest => items.extend(self.rest(folder, "*", &mut used, depth)),
                NavEntry::Target(None, target) if is_path_pattern(target) => {
                    items.extend(self.rest(folder, target, &mut used, depth));
                }
                NavEntry::Target(name, target) => {
                    let label = name.as_ref().map(|name| self.translated(name)).unwrap_or_default();
                    items.extend(self.target(label, target, folder, depth));
                }
            }
        }
        items
    }

    /// A page, a folder or a link.
    fn target(&self, label: String, target: &str, folder: &str, depth: usize) -> Option<MenuItem> {
        if target.contains("://") || target.starts_with("mailto:") {
            let label = if label.is_empty() { target.to_owned() } else { label };
            return Some(MenuItem {
                kind: NodeKind::Link,
                label,
                href: Some(target.to_owned()),
                ..MenuItem::default()
            });
        }
        let path = path_below_folder(folder, target);
        if let Some(page) = self.pages.get(&path).or_else(|| self.pages.get(&format!("{path}.md"))) {
            return Some(MenuItem { label, ..MenuItem::of_page(*page) });
        }
        let is_folder =
            self.pages.keys().any(|page| page.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('/')));
        if is_folder {
            let children = self.folder(&path, depth + 1);
            let label = if label.is_empty() { self.title_of(&path) } else { label };
            return Some(self.section(&label, children));
        }
        // an address of the site
        (!label.is_empty() && !target.is_empty() && !target.ends_with(".md")).then(|| MenuItem {
            kind: NodeKind::Link,
            label,
            href: Some(target.to_owned()),
            ..MenuItem::default()
        })
    }

    fn title_of(&self, folder: &str) -> String {
        let own = self.settings.orders.get(folder).and_then(|order| order.title.clone());
        own.unwrap_or_else(|| self.translated(&folder_title(folder)))
    }

    /// The pages and folders that a pattern names and no entry does.
    fn rest(&self, folder: &str, pattern: &str, used: &mut BTreeSet<String>, depth: usize) -> Vec<MenuItem> {
        // `guides/*` are those in that folder, without a section of their own
        if let Some((base, inner)) =
            pattern.split_once('/').filter(|(base, inner)| !is_path_pattern(base) && !inner.is_empty())
        {
            return self.rest(&path_below_folder(folder, base), inner, used, depth);
        }
        let mut items = Vec::new();
        for (name, is_folder) in self.names(folder) {
            let path = path_below_folder(folder, &name);
            let is_used = used.contains(&path)
                || is_folder && used.iter().any(|one| one.starts_with(&format!("{path}/")) && !is_path_pattern(one));
            let own = if is_folder {
                pattern.trim_end_matches("/*").trim_end_matches("/**").to_owned()
            } else {
                pattern.to_owned()
            };
            let is_matching = is_match(&own, &name) || pattern.starts_with("**");
            if is_used || !is_matching || (is_folder && pattern.ends_with(".md") && !pattern.contains("**")) {
                continue;
            }
            used.insert(path.clone());
            if !is_folder {
                items.extend(self.pages.get(&path).map(|page| MenuItem::of_page(*page)));
            } else if !self.settings.orders.get(&path).is_some_and(|order| order.hidden) {
                items.push(self.section(&self.title_of(&path), self.folder(&path, depth + 1)));
            }
        }
        items
    }

    /// The names in a folder in their order: pages with their ending, and folders.
    fn names(&self, folder: &str) -> Vec<(String, bool)> {
        let order = self.order_of(folder);
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut pages: BTreeSet<&str> = BTreeSet::new();
        let mut folders: BTreeSet<&str> = BTreeSet::new();
        for (path, page) in self.pages.range(prefix.clone()..) {
            let Some(rest) = path.strip_prefix(&prefix) else { break };
            let is_post = self.site.page(*page).meta.extra.iter().any(|(key, _)| *key == blog::DATE);
            if is_post || self.not_listed.matches(path) {
                continue;
            }
            match rest.split_once('/') {
                Some((folder, _)) => folders.insert(folder),
                None => pages.insert(rest),
            };
        }
        let stem = |name: &str| name.trim_end_matches(".md").to_owned();
        let sorted = |names: BTreeSet<&str>| {
            let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            names.sort_by(|a, b| compare_names(&stem(a), &stem(b), order.natural));
            if order.descending {
                names.sort_by(|a, b| {
                    let is_index = |name: &str| matches!(stem(name).as_str(), "index" | "README");
                    is_index(b).cmp(&is_index(a)).then_with(|| compare_names(&stem(b), &stem(a), order.natural))
                });
            }
            names
        };
        let pages = sorted(pages).into_iter().map(|name| (name, false));
        let mut all: Vec<(String, bool)> = pages.chain(sorted(folders).into_iter().map(|name| (name, true))).collect();
        if order.mixed {
            all.sort_by(|a, b| compare_names(&stem(&a.0), &stem(&b.0), order.natural));
        }
        all
    }

    fn order_of(&self, folder: &str) -> FolderOrder {
        let own = self.settings.orders.get(folder).cloned();
        let natural = self.settings.orders.get("").is_some_and(|order| order.natural);
        own.unwrap_or(FolderOrder { natural, ..FolderOrder::default() })
    }

    /// The entries of a folder.
    fn folder(&self, folder: &str, depth: usize) -> Vec<MenuItem> {
        let order = self.order_of(folder);
        let mut used = BTreeSet::new();
        match &order.entries {
            Some(entries) if depth <= MAX_NAV_DEPTH => {
                self.named(entries, folder, &mut used);
                let mut items = self.entries(entries, folder, &used, depth);
                if order.appends {
                    items.extend(self.rest(folder, "*", &mut used, depth));
                }
                items
            }
            _ if depth > MAX_NAV_DEPTH => Vec::new(),
            _ => self.rest(folder, "*", &mut used, depth),
        }
    }

    /// A section; its first page is what it leads to where the theme has it so.
    fn section(&self, label: &str, mut children: Vec<MenuItem>) -> MenuItem {
        let options = &self.settings.options;
        let is_index = |item: &MenuItem| {
            let slug = item.page.map(|page| self.site.page(page).slug.as_str()).unwrap_or_default();
            item.kind == NodeKind::Page && (slug == "index" || slug.ends_with("/index"))
        };
        let index = children.iter().position(is_index).filter(|_| options.has_feature("navigation.indexes"));
        let index = index.map(|at| children.remove(at));
        let expanded = options.has_feature("navigation.expand") || options.has_feature("navigation.sections");
        MenuItem { page: index.and_then(|item| item.page), expanded, ..MenuItem::group(label, children) }
    }

    /// An entry of the first level as a tab. One without words is called as its first page is.
    fn tab_of(&self, item: MenuItem) -> MenuItem {
        let label = if item.label.trim().is_empty() { self.first_title(&item) } else { item.label.clone() };
        match item.kind {
            NodeKind::Group => {
                let own = item.page.map(MenuItem::of_page);
                MenuItem {
                    kind: NodeKind::Tab,
                    label,
                    page: None,
                    children: own.into_iter().chain(item.children).collect(),
                    ..item
                }
            }
            NodeKind::Page => {
                MenuItem { kind: NodeKind::Tab, label, page: None, children: vec![item], ..MenuItem::default() }
            }
            _ => MenuItem { kind: NodeKind::Tab, label, ..item },
        }
    }

    /// The title of the first page of an entry.
    fn first_title(&self, item: &MenuItem) -> String {
        let mut open = vec![item];
        while let Some(item) = open.pop() {
            if let Some(page) = item.page {
                return self.site.page(page).shown_title().to_owned();
            }
            open.extend(item.children.iter().rev());
        }
        String::new()
    }

    fn translated(&self, name: &str) -> String {
        let words = self.settings.places.languages.get(self.language).map(|language| &language.words);
        let found = words.into_iter().flatten().find(|(from, _)| from == name);
        found.map_or_else(|| name.to_owned(), |(_, to)| to.clone())
    }

    /// Puts the posts of blogs below their lists.
    fn add_all_posts(&self, items: &mut Vec<MenuItem>) {
        for blog in &self.settings.places.blogs {
            let listed = listed_pages(items);
            let posts: Vec<PageId> = blog.posts(self.site).into_iter().filter(|post| !listed.contains(post)).collect();
            let index = self.site.find_page(&blog.index());
            let years = by_year(self.site, &posts);
            let group = index.filter(|_| !blog.folder.is_empty()).and_then(|index| group_of(items, index));
            match group {
                Some(group) => group.children.extend(years),
                None => items.extend(years),
            }
        }
    }
}

/// Whether an address is that of another language than the default one.
fn is_of_other(settings: &MkDocsSettings, slug: &str) -> bool {
    let mut others = settings.places.languages.iter().filter(|language| !language.is_default);
    others.any(|language| slug.strip_prefix(language.code.as_str()).is_some_and(|rest| rest.starts_with('/')))
}

/// The pages of entries and of those below them.
fn listed_pages(items: &[MenuItem]) -> BTreeSet<PageId> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&MenuItem> = items.iter().collect();
    while let Some(item) = open.pop() {
        found.extend(item.page);
        open.extend(&item.children);
    }
    found
}

/// Posts in groups of their years.
fn by_year(site: &Site, posts: &[PageId]) -> Vec<MenuItem> {
    let mut years: Vec<MenuItem> = Vec::new();
    for post in posts {
        let date =
            site.page(*post).meta.extra.iter().find(|(key, _)| *key == blog::DATE).map(|(_, date)| date.as_str());
        let year = date.and_then(|date| date.get(..4)).unwrap_or_default();
        if years.last().is_none_or(|group| group.label != year) {
            years.push(MenuItem { expanded: years.is_empty(), ..MenuItem::group(year, Vec::new()) });
        }
        if let Some(group) = years.last_mut() {
            group.children.push(MenuItem::of_page(*post));
        }
    }
    years
}

/// The group that holds the list of a blog, or leads to it.
fn group_of(items: &mut [MenuItem], index: PageId) -> Option<&mut MenuItem> {
    for item in items {
        let is_own = item.kind == NodeKind::Group
            && (item.page == Some(index) || item.children.iter().any(|child| child.page == Some(index)));
        if is_own {
            return Some(item);
        }
        if item.page == Some(index) && item.kind == NodeKind::Page {
            // a page alone becomes a group
            let label = item.label.clone();
            *item = MenuItem { page: Some(index), ..MenuItem::group(&label, Vec::new()) };
            return Some(item);
        }
        if let Some(found) = group_of(&mut item.children, index) {
            return Some(found);
        }
    }
    None
}

/// A path below a folder.
fn path_below_folder(folder: &str, path: &str) -> String {
    let path = path.trim().trim_end_matches('/');
    let path = path.strip_prefix("./").unwrap_or(path);
    let from = if path.starts_with('/') { "" } else { folder };
    site::tree::join_document_path(from, path.trim_start_matches('/')).unwrap_or_default()
}

/// Adds the posts to the page of a blog, and the day to a post.
pub(super) fn add_posts(settings: &MkDocsSettings, text: &RenderedText<'_>, lines: &mut Vec<(String, Place)>) {
    let site = text.site;
    let path = settings.options.inside(site.tree.path(text.file));
    let Some(found) = path.and_then(|path| settings.places.find(path)) else { return };
    for blog in &settings.places.blogs {
        if blog.has(&found.stem)
            && let Some(words) = blog.byline(text.whole)
        {
            let at = lines.iter().position(|(line, _)| line.starts_with("# ")).map_or(0, |at| at + 1);
            lines.splice(at..at, [String::new(), words, String::new()].map(|line| (line, text.start)));
        }
        if found.address != blog.index() {
            continue;
        }
        let last = lines.last().map_or(text.start, |(_, place)| *place);
        for post in blog.posts(site).into_iter().take(MAX_POSTS) {
            let page = site.page(post);
            let date = page
                .meta
                .extra
                .iter()
                .find(|(key, _)| *key == blog::DATE)
                .map(|(_, date)| blog::mkdocs_long_date(date));
            let title = page.shown_title().replace(['[', ']', '`', '*', '_', '<'], "");
            let words =
                page.meta.description.as_ref().map(|words| words.source().trim().to_owned()).unwrap_or_default();
            let entry = [
                String::new(),
                format!("## [{title}](/{})", page.slug.trim_end_matches("/index")),
                String::new(),
                date.unwrap_or_default(),
                String::new(),
                words,
            ];
            lines.extend(entry.map(|line| (line, last)));
        }
    }
}
