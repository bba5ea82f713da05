//! Sidebars: what their lists say, and what is made of folders.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use base::github_slug::github_slug;
use load::tool::script;
use site::page::PageEntry;
use site::tree::SourceTree;

use super::DocusaurusSettings;
use super::front::{self, FRONT_TITLE, ID};
use super::plugins::{FolderKind, join_address};

/// Items deeper than this are left out.
const MAX_ITEM_DEPTH: usize = 24;

/// An item of a sidebar.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SidebarItem {
    /// A document.
    Doc { id: String, label: Option<String> },
    /// A link.
    Link { label: String, href: String },
    /// A category.
    Category(Box<SidebarCategory>),
}

/// The sidebars of a version, by name.
pub(super) type Sidebars = Vec<(String, Vec<SidebarItem>)>;

/// A category.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SidebarCategory {
    pub(super) label: String,
    /// Name of its words in other languages.
    pub(super) key: String,
    pub(super) link: Leads,
    pub(super) is_open: bool,
    pub(super) items: Vec<SidebarItem>,
}

/// Where a category leads.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Leads {
    /// Nowhere.
    #[default]
    Nowhere,
    /// To a document.
    Doc(String),
    /// To a page that lists what is in it.
    Index { title: String, description: Option<String>, slug: Option<String> },
}

/// A document, as sidebars see it.
#[derive(Clone, Debug)]
struct SidebarDocument {
    id: String,
    /// The folder and the name of its file, numbers included.
    folder: String,
    stem: String,
    file: String,
    position: Option<f64>,
    label: String,
}

/// The documents of a version.
#[derive(Debug)]
pub(super) struct Shelf<'s> {
    settings: &'s DocusaurusSettings,
    docs: usize,
    version: usize,
    documents: Vec<SidebarDocument>,
}

impl<'s> Shelf<'s> {
    /// The documents of a version in the default language.
    pub(super) fn new(
        settings: &'s DocusaurusSettings,
        docs: usize,
        version: usize,
        pages: &[PageEntry],
        tree: &SourceTree,
    ) -> Self {
        let mut documents = Vec::new();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for page in pages {
            let Some(file) = page.file else { continue };
            let path = tree.path(file);
            let Some(folder) = settings.folder_of(path) else { continue };
            let Some((_, id)) = page.meta.extra.iter().find(|(key, _)| *key == ID) else { continue };
            let Some(rest) = folder.rest(path) else { continue };
            if folder.kind != FolderKind::Docs(docs, version) || folder.locale != 0 || !known.insert(id) {
                continue;
            }
            let (below, stem) = front::split_file_path(rest);
            let title = page.meta.extra.iter().find(|(key, _)| *key == FRONT_TITLE).map(|(_, title)| title.clone());
            let title = title.unwrap_or_else(|| page.meta.title.clone());
            documents.push(SidebarDocument {
                id: id.clone(),
                folder: below.to_owned(),
                stem: stem.to_owned(),
                file: rest.rsplit('/').next().unwrap_or(rest).to_owned(),
                position: page.meta.position,
                label: page.meta.sidebar_title.clone().unwrap_or(title),
            });
        }
        Self { settings, docs, version, documents }
    }

    /// The sidebars, by name.
    pub(super) fn sidebars(&self) -> Sidebars {
        let version = &self.settings.docs[self.docs].versions[self.version];
        match &version.sidebars {
            Some(Value::Object(all)) => {
                all.iter().map(|(name, items)| (name.clone(), self.list(items, name, 0))).collect()
            }
            _ => vec![("defaultSidebar".to_owned(), self.of_folder(".", 0))],
        }
    }

    fn has(&self, id: &str) -> bool {
        self.documents.iter().any(|document| document.id == id)
    }

    /// A list of items, or a mapping from categories to theirs.
    fn list(&self, value: &Value, sidebar: &str, depth: usize) -> Vec<SidebarItem> {
        match value {
            _ if depth > MAX_ITEM_DEPTH => Vec::new(),
            Value::Array(items) => items.iter().flat_map(|item| self.item(item, sidebar, depth)).collect(),
            Value::Object(members) if !members.contains_key("type") => {
                members.iter().filter_map(|(label, items)| self.short_category(label, items, sidebar, depth)).collect()
            }
            one => self.item(one, sidebar, depth),
        }
    }

    fn short_category(&self, label: &str, items: &Value, sidebar: &str, depth: usize) -> Option<SidebarItem> {
        let items = self.list(items, sidebar, depth + 1);
        let category = SidebarCategory {
            label: label.to_owned(),
            key: label.to_owned(),
            is_open: !self.settings.docs[self.docs].is_collapsed,
            items,
            link: Leads::Nowhere,
        };
        finished(category)
    }

    fn item(&self, item: &Value, sidebar: &str, depth: usize) -> Vec<SidebarItem> {
        if let Some(id) = item.as_str() {
            return self.document(id, None).into_iter().collect();
        }
        let text = |key: &str| script::text_at(item, &[key]).map(str::to_owned);
        match script::text_at(item, &["type"]) {
            Some("doc" | "ref") => text("id").and_then(|id| self.document(&id, text("label"))).into_iter().collect(),
            Some("link") => {
                let link = text("href")
                    .map(|href| SidebarItem::Link { label: text("label").unwrap_or_else(|| href.clone()), href });
                link.into_iter().collect()
            }
            Some("autogenerated") => self.of_folder(&text("dirName").unwrap_or_else(|| ".".to_owned()), depth),
            Some("category") => self.category(item, sidebar, depth).into_iter().collect(),
            Some(_) => Vec::new(),
            None => self.list(item, sidebar, depth + 1),
        }
    }

    /// The item of a document, whose id may have been written with the numbers of its path.
    fn document(&self, id: &str, label: Option<String>) -> Option<SidebarItem> {
        let id = if self.has(id) { id.to_owned() } else { front::bare_path(id, true) };
        self.has(&id).then_some(SidebarItem::Doc { id, label })
    }

    fn category(&self, item: &Value, sidebar: &str, depth: usize) -> Option<SidebarItem> {
        let label = script::text_at(item, &["label"])?.to_owned();
        let link = script::json_at_path(item, &["link"]);
        finished(SidebarCategory {
            key: script::text_at(item, &["key"]).unwrap_or(&label).to_owned(),
            link: self.leads(link, &label),
            is_open: self.is_open(item),
            items: self.list(script::json_at_path(item, &["items"]), sidebar, depth + 1),
            label,
        })
    }

    fn is_open(&self, item: &Value) -> bool {
        let flag = |key: &str| item.get(key).and_then(|value| value.as_bool().or_else(|| value.as_str()?.parse().ok()));
        flag("collapsible") == Some(false) || !flag("collapsed").unwrap_or(self.settings.docs[self.docs].is_collapsed)
    }

    fn leads(&self, link: &Value, label: &str) -> Leads {
        match script::text_at(link, &["type"]) {
            Some("doc") => {
                let found = script::text_at(link, &["id"]).and_then(|id| self.document(id, None));
                found.map_or(Leads::Nowhere, |item| {
                    if let SidebarItem::Doc { id, .. } = item { Leads::Doc(id) } else { Leads::Nowhere }
                })
            }
            Some("generated-index") => Leads::Index {
                title: script::text_at(link, &["title"]).unwrap_or(label).to_owned(),
                description: script::text_at(link, &["description"]).map(str::to_owned),
                slug: script::text_at(link, &["slug"]).map(str::to_owned),
            },
            _ => Leads::Nowhere,
        }
    }

    /// The items that are made of a folder.
    fn of_folder(&self, name: &str, depth: usize) -> Vec<SidebarItem> {
        let name = join_address(&[name]);
        let own = |document: &&SidebarDocument| {
            name.is_empty() || document.folder == name || document.folder.starts_with(&format!("{name}/"))
        };
        let inside: Vec<&SidebarDocument> = self.documents.iter().filter(own).collect();
        self.level(&name, &inside, depth).into_iter().map(|ranked| ranked.item).collect()
    }

    fn level(&self, folder: &str, inside: &[&SidebarDocument], depth: usize) -> Vec<RankedItem> {
        if depth > MAX_ITEM_DEPTH {
            return Vec::new();
        }
        let mut ranked: Vec<RankedItem> = Vec::new();
        let mut below: BTreeMap<&str, Vec<&SidebarDocument>> = BTreeMap::new();
        for document in inside {
            let rest =
                if folder.is_empty() { Some(document.folder.as_str()) } else { document.folder.strip_prefix(folder) };
            let rest = rest.unwrap_or_default().trim_start_matches('/');
            match rest.split('/').next().filter(|name| !name.is_empty()) {
                None => ranked.push(RankedItem {
                    position: document.position,
                    name: document.file.clone(),
                    item: SidebarItem::Doc { id: document.id.clone(), label: None },
                }),
                Some(name) => below.entry(name).or_default().push(document),
            }
        }
        for (name, documents) in below {
            ranked.extend(self.folder_category(folder, name, &documents, depth));
        }
        ranked.sort_by(|a, b| {
            let position = |it: &RankedItem| it.position.unwrap_or(f64::INFINITY);
            position(a).total_cmp(&position(b)).then_with(|| a.name.cmp(&b.name))
        });
        ranked
    }

    fn folder_category(
        &self,
        folder: &str,
        name: &str,
        documents: &[&SidebarDocument],
        depth: usize,
    ) -> Option<RankedItem> {
        let path = join_address(&[folder, name]);
        let version = &self.settings.docs[self.docs].versions[self.version];
        let said = self.settings.categories.get(&join_address(&[&version.folder, &path])).unwrap_or(&Value::Null);
        let mut items = self.level(&path, documents, depth + 1);
        let (number, bare) =
            if self.settings.docs[self.docs].keeps_numbers { (None, name) } else { front::number_prefix(name) };
        let explicit = said.get("link");
        let is_doc = |link: &Value| script::text_at(link, &["type"]) == Some("doc");
        let linked = match explicit {
            Some(link) if is_doc(link) => script::text_at(link, &["id"]).and_then(|id| {
                let local = join_address(&[&front::bare_path(&path, true), id]);
                self.documents
                    .iter()
                    .find(|document| document.id == local)
                    .or_else(|| self.documents.iter().find(|document| document.id == id))
            }),
            Some(_) => None,
            None => documents
                .iter()
                .copied()
                .find(|document| document.folder == path && front::is_index(&document.folder, &document.stem)),
        };
        if let Some(linked) = linked {
            items.retain(|ranked| !matches!(&ranked.item, SidebarItem::Doc { id, .. } if *id == linked.id));
        }
        let label = script::text_at(said, &["label"]).map(str::to_owned);
        let label = label.or_else(|| linked.map(|document| document.label.clone())).unwrap_or_else(|| bare.to_owned());
        let number_of = |value: &Value| value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
        let position = said.get("position").and_then(number_of).or_else(|| linked?.position).or(number);
        let link = match linked {
            Some(document) => Leads::Doc(document.id.clone()),
            None => self.leads(explicit.unwrap_or(&Value::Null), &label),
        };
        let category = SidebarCategory {
            key: script::text_at(said, &["key"]).unwrap_or(&label).to_owned(),
            label,
            link,
            is_open: self.is_open(said),
            items: items.into_iter().map(|ranked| ranked.item).collect(),
        };
        Some(RankedItem { position, name: name.to_owned(), item: finished(category)? })
    }
}

/// An item with what it is ordered by.
struct RankedItem {
    position: Option<f64>,
    name: String,
    item: SidebarItem,
}

/// A category without items is the document that it leads to, or nothing.
fn finished(category: SidebarCategory) -> Option<SidebarItem> {
    match (&category.link, category.items.is_empty()) {
        (Leads::Doc(id), true) => Some(SidebarItem::Doc { id: id.clone(), label: Some(category.label) }),
        (_, true) => None,
        _ => Some(SidebarItem::Category(Box::new(category))),
    }
}

/// The pages that categories lead to: (category's label, address below the version, title, description).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IndexPage {
    pub(super) key: String,
    pub(super) slug: String,
    pub(super) title: String,
    pub(super) description: Option<String>,
}

/// The pages that the categories of a version lead to, in order of the sidebars.
pub(super) fn index_pages(sidebars: &[(String, Vec<SidebarItem>)]) -> Vec<IndexPage> {
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    let mut pages = Vec::new();
    for (_, items) in sidebars {
        push_index_pages(items, &mut taken, &mut pages);
    }
    pages
}

/// Recursion is bounded by the depth of the sidebars.
fn push_index_pages(items: &[SidebarItem], taken: &mut BTreeMap<String, u32>, pages: &mut Vec<IndexPage>) {
    for item in items {
        let SidebarItem::Category(category) = item else { continue };
        if let Leads::Index { title, description, slug } = &category.link {
            let slug = slug.clone().unwrap_or_else(|| {
                let base = github_slug(&category.label);
                let count = taken.entry(base.clone()).or_insert(0);
                *count += 1;
                if *count == 1 { format!("category/{base}") } else { format!("category/{base}-{}", *count - 1) }
            });
            let page = IndexPage {
                key: category.key.clone(),
                slug: join_address(&[&slug]),
                title: title.clone(),
                description: description.clone(),
            };
            pages.push(page);
        }
        push_index_pages(&category.items, taken, pages);
    }
}

/// The documents that a sidebar names.
pub(super) fn ids(items: &[SidebarItem]) -> Vec<&str> {
    let mut found = Vec::new();
    for item in items {
        match item {
            SidebarItem::Doc { id, .. } => found.push(id.as_str()),
            SidebarItem::Category(category) => {
                if let Leads::Doc(id) = &category.link {
                    found.push(id);
                }
                found.extend(ids(&category.items));
            }
            SidebarItem::Link { .. } => {}
        }
    }
    found
}
