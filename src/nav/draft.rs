//! The navigation as `docs.json` writes it: containers with their fields, and entries that still name pages by their
//! slugs.

use base::Diagnostic;
use site::config::LanguageOverride;
use site::docs_chrome::language_override;
use site::docs_json::api_source;
use site::fields::{FieldPath, ObjectFields, UnreadKeys};
use site::json::{Json, JsonSpot};
use site::page::{Endpoint, slug_of};
use site::problems::LoadProblems;
use site::read_values::{hex_pair, read_icon};

use super::{DirectoryMode, NavNode, NodeId, NodeKind};

/// Where generated pages go unless a source says otherwise.
pub const API_DIRECTORY: &str = "api-reference";

/// The navigation before its pages are known.
#[derive(Debug, Default)]
pub struct NavDraft {
    /// All nodes, parents before children; `nodes[0]` is the root.
    pub nodes: Vec<NavNode>,
    /// What each node leads to, by node.
    pub destinations: Vec<Option<Destination>>,
    /// Containers that bring an API description, in order.
    pub sources: Vec<ApiSource>,
    /// Settings of the site that languages have of their own.
    pub languages: Vec<LanguageOverride>,
}

/// The page that an entry, or a group by its `root`, leads to.
#[derive(Clone, Debug)]
pub struct Destination {
    /// The page, operation or address that the entry names.
    pub target: EntryTarget,
    /// Where it is written.
    pub at: JsonSpot,
}

/// What an entry names.
#[derive(Clone, Debug)]
pub enum EntryTarget {
    /// A page, by slug.
    Page(String),
    /// `METHOD /path`; the numbers of the container's `ApiSource`s.
    Operation(Endpoint, std::ops::Range<usize>),
}

/// `openapi` or `asyncapi` of a container.
#[derive(Clone, Debug)]
pub struct ApiSource {
    /// The container.
    pub node: NodeId,
    /// Path or URL.
    pub source: String,
    /// The list of its overlays with their places, and where it stands.
    pub overlays: Option<(Vec<(String, JsonSpot)>, JsonSpot)>,
    /// Folder of the generated pages.
    pub directory: String,
    /// `asyncapi`.
    pub is_async: bool,
    /// An entry below the container names an operation: the author picks, nothing is generated. Nor is it where the
    /// container has no place in the navigation.
    pub picked: bool,
    /// Where it is written.
    pub at: JsonSpot,
}

/// A kind of container: list key, name key, kind, and what messages call it.
type ContainerKind = (&'static str, &'static str, NodeKind, &'static str);

const CONTAINERS: [ContainerKind; 8] = [
    ("products", "product", NodeKind::Product, "a product"),
    ("languages", "language", NodeKind::Language, "a language"),
    ("versions", "version", NodeKind::Version, "a version"),
    ("tabs", "tab", NodeKind::Tab, "a tab"),
    ("dropdowns", "dropdown", NodeKind::Dropdown, "a dropdown"),
    ("anchors", "anchor", NodeKind::Anchor, "an anchor"),
    ("groups", "group", NodeKind::Group, "a group"),
    ("menu", "item", NodeKind::MenuItem, "a menu item"),
];

const GROUP: ContainerKind = CONTAINERS[6];

/// Codes that `language` may have.
const LANGUAGES: [&str; 40] = [
    "en", "cn", "zh", "zh-Hans", "zh-Hant", "zh-CN", "zh-TW", "es", "fr", "fr-CA", "fr-ca", "ja", "jp", "ja-jp",
    "ja-JP", "pt", "pt-BR", "de", "ko", "it", "ru", "ro", "cs", "id", "ar", "tr", "hi", "sv", "no", "da", "lv", "nl",
    "uk", "vi", "pl", "uz", "he", "ca", "fi", "hu",
];

/// A child list of a container.
struct ChildList<'a> {
    /// What it lists; `Page` for `pages`.
    kind: NodeKind,
    field: FieldPath<'a>,
    nodes: Vec<NodeId>,
}

/// Says that a container has no name; what it is called then: what stands under another key, or where it leads.
fn unnamed(
    field: &FieldPath<'_>,
    fields: &mut ObjectFields<'_>,
    (_, name_key, _, name): ContainerKind,
    problems: &mut LoadProblems,
) -> String {
    let mut keys =
        ["name", "title"].into_iter().chain(CONTAINERS.map(|container| container.1)).filter(|key| *key != name_key);
    let other = keys.find(|key| field.json.member(key).is_some_and(|json| json.as_str().is_some()));
    let expected = format!("{name} with `{name_key}`");
    match other {
        Some(key) => field.wrong_with(&expected, format!("call it `{name_key}` instead of `{key}`"), problems),
        None => field.wrong(&expected, problems),
    }
    let text = other.and_then(|key| fields.text(key, problems)).filter(|text| !text.is_empty());
    text.or_else(|| field.json.member("href")?.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The settings that a container hands down to all nodes in it.
#[derive(Clone, Copy, Debug, Default)]
struct InheritedSettings {
    /// The first of the nearest `ApiSource`s, and the one after the last.
    sources: (usize, usize),
    directory: DirectoryMode,
    boost: Option<f64>,
}

impl NavDraft {
    /// Reads `navigation`: an object of containers, or (as in old files) a list of groups.
    pub fn read(navigation: &Json, problems: &mut LoadProblems) -> Self {
        Self::read_field(&FieldPath { path: "navigation".to_owned(), json: navigation, log: None }, problems)
    }

    /// Reads `navigation` as a value that may note which keys it is asked for.
    pub fn read_field(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Self {
        let mut draft = Self::empty();
        if field.json.as_array().is_some() {
            for group in field.list(problems) {
                draft.container(&group, GROUP, NodeId(0), InheritedSettings::default(), problems);
            }
        } else if let Some(mut fields) = field.object(problems) {
            let inherited = draft.display(&mut fields, NodeId(0), InheritedSettings::default(), problems);
            let inherited = draft.api_sources(&mut fields, NodeId(0), inherited, problems);
            draft.children(&mut fields, NodeId(0), inherited, problems);
            fields.finish("`navigation`", UnreadKeys::Warn, problems);
        }
        draft
    }

    /// A navigation with a root and nothing in it.
    pub fn empty() -> Self {
        Self { nodes: vec![NavNode::default()], destinations: vec![None], ..Self::default() }
    }

    /// The language that a node stands in, as docs.json names it; empty if the site has one only.
    pub fn language(&self, mut node: NodeId) -> &str {
        while node.0 != 0 {
            let inside = &self.nodes[node.0 as usize];
            if inside.kind == NodeKind::Language {
                return &inside.key;
            }
            node = inside.parent;
        }
        ""
    }

    /// Adds a node below a parent.
    pub fn add(&mut self, mut node: NavNode, destination: Option<Destination>, parent: NodeId) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        node.parent = parent;
        self.nodes[parent.0 as usize].children.push(id);
        self.nodes.push(node);
        self.destinations.push(destination);
        id
    }

    /// The slugs of all pages that are named, in no order.
    pub fn slugs(&self) -> impl Iterator<Item = &str> {
        self.destinations.iter().flatten().filter_map(|destination| {
            if let EntryTarget::Page(slug) = &destination.target { Some(slug.as_str()) } else { None }
        })
    }

    /// The child lists of a container, in reading order, and its `global` entries.
    fn children(
        &mut self,
        fields: &mut ObjectFields<'_>,
        parent: NodeId,
        inherited: InheritedSettings,
        problems: &mut LoadProblems,
    ) {
        let mut lists = Vec::new();
        for container in CONTAINERS {
            let Some(field) = fields.take(container.0) else { continue };
            let from = self.nodes[parent.0 as usize].children.len();
            for item in field.list(problems) {
                self.container(&item, container, parent, inherited, problems);
            }
            lists.push(ChildList {
                kind: container.2,
                field,
                nodes: self.nodes[parent.0 as usize].children[from..].to_vec(),
            });
        }
        if let Some(field) = fields.take("pages") {
            let from = self.nodes[parent.0 as usize].children.len();
            for item in field.list(problems) {
                self.entry(&item, parent, inherited, problems);
            }
            lists.push(ChildList {
                kind: NodeKind::Page,
                field,
                nodes: self.nodes[parent.0 as usize].children[from..].to_vec(),
            });
        }
        self.keep_one(parent, lists, problems);
        if let Some(mut global) = fields.object("global", problems) {
            for container in
                CONTAINERS.into_iter().filter(|(_, _, kind, _)| !matches!(kind, NodeKind::Group | NodeKind::MenuItem))
            {
                for field in global.list(container.0, problems) {
                    if let Some(node) = self.container(&field, container, parent, inherited, problems) {
                        self.nodes[node.0 as usize].global = true;
                    }
                }
            }
            global.finish("`global`", UnreadKeys::Refuse, problems);
        }
        self.mark_default(parent);
    }

    /// Of several lists that hold more than links a container shows one: the first in the order of the format. `groups`
    /// and `pages` make one sidebar. What the others hold is exported, but has no entry.
    fn keep_one(&mut self, parent: NodeId, mut lists: Vec<ChildList<'_>>, problems: &mut LoadProblems) {
        // links find their place beside anything: divisions that only link are shown as those of `global` are
        let links: Vec<ChildList<'_>> =
            lists.extract_if(.., |list| list.nodes.iter().all(|id| self.nodes[id.0 as usize].href.is_some())).collect();
        for list in links.iter().filter(|list| list.kind.is_division() && list.kind != NodeKind::MenuItem) {
            list.nodes.iter().for_each(|id| self.nodes[id.0 as usize].global = true);
        }
        let chosen = lists.iter().position(|list| list.kind.is_division()).unwrap_or(0);
        if lists.is_empty() {
            return;
        }
        let used = lists.remove(chosen);
        lists.retain(|list| used.kind.is_division() || list.kind.is_division());
        for list in lists {
            let message = format!(
                "`{}` is not used, because `{}` is in the same object; its pages have no navigation entry",
                list.field.path, used.field.path
            );
            problems.at(
                list.field.json.at,
                Diagnostic::new("nav-two-lists", message)
                    .hint("keep one of the two, or put one inside an entry of the other"),
            );
            // what one list adds stands in a row
            let (Some(first), Some(last)) = (list.nodes.first(), list.nodes.last()) else { continue };
            self.nodes[parent.0 as usize].children.retain(|child| !(first..=last).contains(&child));
            for node in &list.nodes {
                self.generate_nothing_below(*node);
            }
        }
    }

    /// What a container without an entry says of descriptions makes no pages: no other place would lead to them.
    fn generate_nothing_below(&mut self, container: NodeId) {
        let mut open = vec![container];
        while let Some(node) = open.pop() {
            self.sources.iter_mut().filter(|source| source.node == node).for_each(|source| source.picked = true);
            let destination = &mut self.destinations[node.0 as usize];
            destination.take_if(|destination| matches!(destination.target, EntryTarget::Operation(..)));
            open.extend(self.nodes[node.0 as usize].children.iter().copied());
        }
    }

    /// The first version and the first language are the default, unless another says so.
    fn mark_default(&mut self, parent: NodeId) {
        for kind in [NodeKind::Version, NodeKind::Language] {
            let children = self.nodes[parent.0 as usize].children.clone();
            let mut siblings = children.into_iter().filter(|child| self.nodes[child.0 as usize].kind == kind);
            let Some(first) = siblings.next() else { continue };
            let any =
                self.nodes[first.0 as usize].default || siblings.any(|child| self.nodes[child.0 as usize].default);
            self.nodes[first.0 as usize].default |= !any;
        }
    }

    /// One container. Recursion is bounded by the depth of the JSON.
    fn container(
        &mut self,
        field: &FieldPath<'_>,
        container: ContainerKind,
        parent: NodeId,
        inherited: InheritedSettings,
        problems: &mut LoadProblems,
    ) -> Option<NodeId> {
        let (_, name_key, kind, name) = container;
        let mut fields = field.object(problems)?;
        let key = fields.take(name_key);
        if let Some(language) = key.as_ref().filter(|_| kind == NodeKind::Language) {
            language.doubt_unless(&LANGUAGES, problems);
        }
        let key =
            key.and_then(|key| key.text(problems)).unwrap_or_else(|| unnamed(field, &mut fields, container, problems));
        let display = if kind == NodeKind::Product {
            fields.text("name", problems).filter(|name| !name.is_empty())
        } else {
            None
        };
        let nested = self.nodes[parent.0 as usize].kind == NodeKind::Group;
        let node = NavNode {
            kind,
            label: display.unwrap_or_else(|| key.clone()),
            icon: read_icon(&mut fields, problems),
            description: fields.text("description", problems).filter(|text| !text.is_empty()),
            tag: fields.text("tag", problems).filter(|text| !text.is_empty()),
            color: fields.take("color").and_then(|color| hex_pair(&color, "a color", problems)),
            href: fields.text("href", problems).filter(|href| !href.is_empty()),
            hidden: fields.flag("hidden", problems).unwrap_or(false),
            searchable: fields.flag("searchable", problems),
            expanded: fields.flag("expanded", problems).unwrap_or(false) && nested,
            default: fields.flag("default", problems).unwrap_or(false),
            align_end: fields.choice("align", &[("start", false), ("end", true)], problems).unwrap_or(false),
            key,
            ..NavNode::default()
        };
        let root = fields.take("root").and_then(|root| Some((root.text(problems)?, root.json.at)));
        let destination = root
            .filter(|(root, _)| !root.is_empty())
            .map(|(root, at)| Destination { target: EntryTarget::Page(slug_of(&root)), at });
        if kind == NodeKind::Language {
            self.languages.extend(language_override(&node.key, &mut fields, problems));
        }
        let id = self.add(node, destination, parent);
        // known, and without effect in a bundle
        fields.skip(&["public", "graphql", "sdk"]);
        let inherited = self.display(&mut fields, id, inherited, problems);
        let inherited = self.api_sources(&mut fields, id, inherited, problems);
        self.children(&mut fields, id, inherited, problems);
        fields.finish(name, UnreadKeys::Warn, problems);
        Some(id)
    }

    fn display(
        &mut self,
        fields: &mut ObjectFields<'_>,
        node: NodeId,
        mut inherited: InheritedSettings,
        problems: &mut LoadProblems,
    ) -> InheritedSettings {
        const DIRECTORIES: [(&str, DirectoryMode); 3] =
            [("none", DirectoryMode::None), ("accordion", DirectoryMode::Accordion), ("card", DirectoryMode::Card)];
        inherited.directory = fields.choice("directory", &DIRECTORIES, problems).unwrap_or(inherited.directory);
        inherited.boost = fields.number("boost", problems).or(inherited.boost);
        let node = &mut self.nodes[node.0 as usize];
        (node.directory, node.boost) = (inherited.directory, inherited.boost);
        inherited
    }

    fn api_sources(
        &mut self,
        fields: &mut ObjectFields<'_>,
        node: NodeId,
        mut inherited: InheritedSettings,
        problems: &mut LoadProblems,
    ) -> InheritedSettings {
        let first = self.sources.len();
        for (key, is_async) in [("openapi", false), ("asyncapi", true)] {
            for field in fields.take(key).map(|field| field.one_or_many()).unwrap_or_default() {
                let Some(named) = api_source(&field, problems) else { continue };
                let directory = named.directory.unwrap_or_else(|| API_DIRECTORY.to_owned());
                let (source, overlays, at) = (named.source, named.overlays, field.json.at);
                self.sources.push(ApiSource { node, source, overlays, directory, is_async, picked: false, at });
            }
        }
        if self.sources.len() > first {
            inherited.sources = (first, self.sources.len());
        }
        inherited
    }

    /// An entry of `pages`: a page, an operation, a link, or a group.
    fn entry(
        &mut self,
        field: &FieldPath<'_>,
        parent: NodeId,
        inherited: InheritedSettings,
        problems: &mut LoadProblems,
    ) {
        let Some(text) = field.as_str() else {
            if field.json.as_object().is_some() {
                self.container(field, GROUP, parent, inherited, problems);
            } else {
                field.wrong("the path of a page or a group", problems);
            }
            return;
        };
        let node = NavNode {
            kind: NodeKind::Page,
            directory: inherited.directory,
            boost: inherited.boost,
            ..NavNode::default()
        };
        let at = field.json.at;
        if let Some(endpoint) = Endpoint::parse(text) {
            let sources = inherited.sources.0..inherited.sources.1;
            for source in &mut self.sources[sources.clone()] {
                // entries name operations, never channels
                source.picked |= !source.is_async;
            }
            let target = EntryTarget::Operation(endpoint, sources);
            self.add(node, Some(Destination { target, at }), parent);
            return;
        }
        if text.starts_with("https://") || text.starts_with("http://") {
            let message = format!("`{}` is a link, not a page; its title is the address", field.path);
            problems.at(
                at,
                Diagnostic::new("nav-link", message)
                    .hint("write a page with `url:` in its front matter, which gives the link a title"),
            );
            let (label, href) = (text.trim().to_owned(), Some(text.trim().to_owned()));
            self.add(NavNode { kind: NodeKind::Link, label, href, ..node }, None, parent);
            return;
        }
        let slug = slug_of(text);
        if slug.is_empty() {
            field.wrong("the path of a page", problems);
            return;
        }
        self.add(node, Some(Destination { target: EntryTarget::Page(slug), at }), parent);
    }
}
