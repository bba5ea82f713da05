//! The navigation as `docs.json` writes it.
//!
//! Other tools mix pages, groups and links in one list and call one page differently in two places. The format has no
//! entries for links: each becomes a page of its own with nothing but an address (`url`).

use serde_json::{Map, Value, json};

use base::PageId;
use frame::link::LinkResolver;
use load::Site;
use nav::{DirectoryMode, NavNode, Navigation, NodeId, NodeKind};

use super::addresses::PageAddresses;
use super::{config, front};

/// Where pages that hold nothing but an address lie.
const LINKS_FOLDER: &str = "links";

/// Writes `navigation`, and the pages that its links need: path and text.
pub(super) fn write_navigation(
    site: &Site,
    navigation: &Navigation,
    addresses: &mut PageAddresses,
    resolver: &LinkResolver<'_>,
) -> (Value, Vec<(String, String)>) {
    let mut builder = MigratedNavigation { site, navigation, addresses, resolver, pages: Vec::new() };
    let mut root = Map::new();
    builder.children(NodeId(0), DirectoryMode::None, &mut root);
    (Value::Object(root), builder.pages)
}

struct MigratedNavigation<'a> {
    site: &'a Site,
    navigation: &'a Navigation,
    addresses: &'a mut PageAddresses,
    resolver: &'a LinkResolver<'a>,
    pages: Vec<(String, String)>,
}

/// The key of a list of containers, and that of their names.
fn keys(kind: NodeKind) -> (&'static str, &'static str) {
    match kind {
        NodeKind::Language => ("languages", "language"),
        NodeKind::Version => ("versions", "version"),
        NodeKind::Product => ("products", "product"),
        NodeKind::MenuItem => ("menu", "item"),
        NodeKind::Dropdown => ("dropdowns", "dropdown"),
        NodeKind::Anchor => ("anchors", "anchor"),
        NodeKind::Group => ("groups", "group"),
        _ => ("tabs", "tab"),
    }
}

impl MigratedNavigation<'_> {
    /// Enters what a node holds. Entries for readers only: a page without one stays a page.
    fn children(&mut self, id: NodeId, directory: DirectoryMode, out: &mut Map<String, Value>) {
        let navigation = self.navigation;
        let shown = navigation.node(id).children.iter().copied().filter(|child| {
            let node = navigation.node(*child);
            !(node.hidden && matches!(node.kind, NodeKind::Page | NodeKind::Link))
        });
        let (global, own): (Vec<NodeId>, Vec<NodeId>) = shown.partition(|child| navigation.node(*child).global);
        let divisions: Vec<NodeId> =
            own.iter().copied().filter(|child| navigation.node(*child).kind.is_division()).collect();
        if let Some(first) = divisions.first() {
            // one kind beside another stands as if it were of that kind
            let kind = navigation.node(*first).kind;
            let mut list: Vec<Value> = divisions.iter().map(|child| self.container(*child, kind, directory)).collect();
            let rest: Vec<NodeId> = own.iter().copied().filter(|child| !divisions.contains(child)).collect();
            if !rest.is_empty() {
                let mut more = Map::new();
                more.insert(keys(kind).1.to_owned(), self.site.config.name.clone().into());
                more.insert("pages".to_owned(), self.entries(&rest, directory));
                list.push(Value::Object(more));
            }
            out.insert(keys(kind).0.to_owned(), Value::Array(list));
        } else if own.iter().all(|child| navigation.node(*child).kind == NodeKind::Group) && !own.is_empty() {
            let groups = own.iter().map(|child| self.container(*child, NodeKind::Group, directory)).collect();
            out.insert("groups".to_owned(), Value::Array(groups));
        } else {
            out.insert("pages".to_owned(), self.entries(&own, directory));
        }
        let mut of_all = Map::new();
        for child in global {
            let kind = navigation.node(child).kind;
            let entry = self.container(child, kind, directory);
            let list = of_all.entry(keys(kind).0.to_owned()).or_insert_with(|| json!([]));
            if let Value::Array(list) = list {
                list.push(entry);
            }
        }
        if !of_all.is_empty() {
            out.insert("global".to_owned(), Value::Object(of_all));
        }
    }

    fn entries(&mut self, nodes: &[NodeId], directory: DirectoryMode) -> Value {
        let entries = nodes.iter().filter_map(|id| {
            let node = self.navigation.node(*id);
            match (node.kind, node.page, &node.href) {
                (NodeKind::Group, ..) => Some(self.container(*id, NodeKind::Group, directory)),
                (NodeKind::Page, Some(page), _) if self.is_called_so(*id, page) => {
                    Some(self.addresses.slug(self.site, page).into())
                }
                (NodeKind::Page, Some(page), _) => {
                    let address = self.addresses.of_page(self.site, page);
                    Some(self.link(node, &address).into())
                }
                (_, _, Some(href)) => {
                    let address = self.addresses.of_link(href, self.resolver);
                    Some(self.link(node, &address).into())
                }
                _ => None,
            }
        });
        Value::Array(entries.collect())
    }

    /// Whether an entry calls its page as the page's file does.
    fn is_called_so(&self, id: NodeId, page: PageId) -> bool {
        match self.navigation.place_of(page) {
            Some(place) if place != id => {
                let (here, first) = (self.navigation.node(id), self.navigation.node(place));
                // a group is called as it is, whatever its page is called
                let label = if first.kind == NodeKind::Page { &first.label } else { &self.site.page(page).meta.title };
                here.label == *label
            }
            _ => true,
        }
    }

    /// A page that leads to an address; its name.
    fn link(&mut self, node: &NavNode, address: &str) -> String {
        let name: String = node
            .label
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join("-");
        let name = if name.is_empty() { "link".to_owned() } else { name };
        let name = self.addresses.free(&format!("{LINKS_FOLDER}/{name}"));
        self.pages.push((format!("{name}.mdx"), front::of_link(node, address)));
        name
    }

    fn container(&mut self, id: NodeId, kind: NodeKind, inherited: DirectoryMode) -> Value {
        let node = self.navigation.node(id);
        let mut out = Map::new();
        let name = match node.kind {
            NodeKind::Language => language_code(&node.key),
            NodeKind::Product => node.key.clone(),
            _ => node.label.clone(),
        };
        if node.kind == NodeKind::Product && node.label != node.key {
            out.insert("name".to_owned(), node.label.clone().into());
        }
        out.insert(keys(kind).1.to_owned(), name.into());
        let texts = [("description", &node.description), ("tag", &node.tag)];
        for (key, text) in texts {
            if let Some(text) = text {
                out.insert(key.to_owned(), text.clone().into());
            }
        }
        if let Some(icon) = &node.icon {
            out.insert("icon".to_owned(), config::migrated_icon(icon, self.addresses, self.resolver));
        }
        if let Some(color) = &node.color {
            out.insert("color".to_owned(), json!({"light": color.light, "dark": color.dark}));
        }
        for (key, on) in [("hidden", node.hidden), ("expanded", node.expanded && kind == NodeKind::Group)] {
            if on {
                out.insert(key.to_owned(), true.into());
            }
        }
        if node.default && matches!(kind, NodeKind::Language | NodeKind::Version) {
            out.insert("default".to_owned(), true.into());
        }
        if node.align_end {
            out.insert("align".to_owned(), "end".into());
        }
        if let Some(searchable) = node.searchable {
            out.insert("searchable".to_owned(), searchable.into());
        }
        if kind == NodeKind::Language {
            config::migrated_language(self.site, &node.key, self.addresses, self.resolver, &mut out);
        }
        if node.directory != inherited {
            let directory = match node.directory {
                DirectoryMode::None => "none",
                DirectoryMode::Accordion => "accordion",
                DirectoryMode::Card => "card",
            };
            out.insert("directory".to_owned(), directory.into());
        }
        if let Some(href) = &node.href {
            let address = self.addresses.of_link(href, self.resolver);
            out.insert("href".to_owned(), address.into());
        }
        if let (NodeKind::Group, Some(page)) = (kind, node.page) {
            out.insert("root".to_owned(), self.addresses.slug(self.site, page).into());
        }
        if kind == NodeKind::Group {
            let children = node.children.clone();
            let entries = self.entries(&children, node.directory);
            out.insert("pages".to_owned(), entries);
        } else if !node.children.is_empty() {
            self.children(id, node.directory, &mut out);
        }
        Value::Object(out)
    }
}

/// A code of a language as the format has it.
fn language_code(key: &str) -> String {
    const CODES: [&str; 36] = [
        "en", "cn", "zh", "zh-Hans", "zh-Hant", "zh-CN", "zh-TW", "es", "fr", "fr-CA", "ja", "jp", "pt", "pt-BR", "de",
        "ko", "it", "ru", "ro", "cs", "id", "ar", "tr", "hi", "sv", "no", "da", "lv", "nl", "uk", "vi", "pl", "uz",
        "he", "ca", "fi",
    ];
    let found = CODES.iter().find(|code| code.eq_ignore_ascii_case(key));
    let general = key.split('-').next().unwrap_or_default();
    let found = found.or_else(|| CODES.iter().find(|code| code.eq_ignore_ascii_case(general)));
    found.map_or_else(|| key.to_owned(), |code| (*code).to_owned())
}
