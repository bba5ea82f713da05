//! Small sites for tests, from a navigation as docs.json writes it.

use serde_json::Value;

use super::{ConfigTarget, SiteLinks};
use base::PageId;

use load::Site;
use nav::{DirectoryMode, NavNode, Navigation, NodeId, NodeKind};
use site::config::{Colors, Icon};
use site::page::FrontMatter;
use site::page::PageEntry;
use site::{Config, ConfigKind};

/// A site with its navigation and links.
pub(super) struct SiteSample {
    pub(super) site: Site,
    pub(super) navigation: Navigation,
    urls: Vec<String>,
}

const KINDS: [(&str, &str, NodeKind); 8] = [
    ("languages", "language", NodeKind::Language),
    ("versions", "version", NodeKind::Version),
    ("products", "product", NodeKind::Product),
    ("tabs", "tab", NodeKind::Tab),
    ("dropdowns", "dropdown", NodeKind::Dropdown),
    ("anchors", "anchor", NodeKind::Anchor),
    ("menu", "item", NodeKind::MenuItem),
    ("groups", "group", NodeKind::Group),
];

impl SiteSample {
    /// Builds a site whose pages are those of the navigation (titles from their paths) and `strays`.
    pub(super) fn new(navigation: &Value, strays: &[&str]) -> Self {
        let mut slugs: Vec<String> = strays.iter().map(|slug| (*slug).to_owned()).collect();
        collect_slugs(navigation, &mut slugs);
        slugs.sort();
        slugs.dedup();
        let pages: Vec<PageEntry> = slugs.iter().map(|slug| sample_entry(slug)).collect();
        let by_slug = slugs.iter().zip(0..).map(|(slug, id)| (slug.clone(), PageId(id))).collect();
        let config = Config {
            name: "Acme".into(),
            description: Some("All about Acme".into()),
            colors: Colors { primary: "#7549F2".into(), light: "#B3A7FF".into(), dark: "#7549F2".into() },
            ..Config::default()
        };
        let site = Site { config, kind: ConfigKind::Docs, pages, by_slug, ..Site::default() };
        let mut tree = Navigation { nodes: vec![NavNode::default()], ..Navigation::default() };
        grow(&mut tree, &site, NodeId(0), navigation);
        if let Some(global) = navigation.get("global") {
            let from = tree.nodes.len();
            grow(&mut tree, &site, NodeId(0), global);
            tree.nodes[from..].iter_mut().for_each(|node| node.global = true);
        }
        let tree = tree.complete(site.nav_pages());
        let urls = site.pages.iter().map(|page| base::url::encode_path(&format!("{}.html", page.slug))).collect();
        Self { site, navigation: tree, urls }
    }

    pub(super) fn id(&self, slug: &str) -> PageId {
        self.site.by_slug[slug]
    }
}

/// Content with a few headings.
pub(super) fn sample_content() -> render::RenderedPage {
    let heading = |level, id: &str| render::TocEntry { level, id: id.into(), text: id.into(), within: None };
    render::RenderedPage {
        html: "<p>Words.</p><h2 id=\"one\">one</h2><h3 id=\"two\">two</h3><h2 id=\"three\">three</h2>".into(),
        toc: vec![heading(2, "one"), heading(3, "two"), heading(2, "three")],
        ..render::RenderedPage::default()
    }
}

impl SiteLinks for SiteSample {
    fn href(&self, href: &str) -> ConfigTarget {
        if href.contains(':') {
            return ConfigTarget::Outside(href.to_owned());
        }
        match self.site.by_slug.get(href.trim_matches('/')) {
            Some(page) => ConfigTarget::Inside(self.urls[page.0 as usize].clone()),
            None => ConfigTarget::Broken,
        }
    }
    fn asset(&self, src: &str) -> ConfigTarget {
        if src.contains("missing") {
            ConfigTarget::Broken
        } else if src.contains("://") {
            ConfigTarget::Outside(src.to_owned())
        } else {
            ConfigTarget::Inside(src.trim_start_matches('/').to_owned())
        }
    }
    fn page(&self, page: PageId) -> Option<&str> {
        self.urls.get(page.0 as usize).map(String::as_str)
    }
}

fn sample_entry(slug: &str) -> PageEntry {
    let title = slug.rsplit('/').next().unwrap_or(slug).to_owned();
    let meta = FrontMatter {
        title,
        title_given: true,
        description: Some(format!("About {slug}").as_str().into()),
        ..FrontMatter::default()
    };
    PageEntry { in_navigation: true, ..PageEntry::generated(slug.to_owned(), meta) }
}

fn collect_slugs(value: &Value, slugs: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_slugs(item, slugs)),
        Value::Object(fields) => {
            slugs.extend(fields.get("root").and_then(Value::as_str).map(str::to_owned));
            for (key, child) in fields {
                match child {
                    Value::Array(items) if key == "pages" => {
                        slugs.extend(
                            items.iter().filter_map(Value::as_str).map(|slug| slug.trim_matches('/').to_owned()),
                        );
                        collect_slugs(child, slugs);
                    }
                    _ => collect_slugs(child, slugs),
                }
            }
        }
        _ => {}
    }
}

fn push_sample_node(tree: &mut Navigation, parent: NodeId, node: NavNode) -> NodeId {
    let id = NodeId(u32::try_from(tree.nodes.len()).unwrap());
    tree.nodes.push(NavNode { parent, ..node });
    tree.nodes[parent.0 as usize].children.push(id);
    id
}

fn grow(tree: &mut Navigation, site: &Site, parent: NodeId, value: &Value) {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    for (list, name, kind) in KINDS {
        for item in value.get(list).and_then(Value::as_array).into_iter().flatten() {
            let page = text(item, "root").and_then(|root| site.by_slug.get(&root).copied());
            let label = text(item, name).unwrap_or_default();
            let node = NavNode {
                kind,
                key: label.clone(),
                label,
                icon: text(item, "icon").map(|name| Icon { name, ..Icon::default() }),
                href: text(item, "href"),
                tag: text(item, "tag"),
                description: text(item, "description"),
                hidden: item.get("hidden").and_then(Value::as_bool).unwrap_or(false),
                expanded: item.get("expanded").and_then(Value::as_bool).unwrap_or(false),
                directory: if text(item, "directory").is_some() { DirectoryMode::Card } else { DirectoryMode::None },
                page,
                ..NavNode::default()
            };
            let id = push_sample_node(tree, parent, node);
            grow(tree, site, id, item);
        }
    }
    for item in value.get("pages").and_then(Value::as_array).into_iter().flatten() {
        match item.as_str().map(|slug| slug.trim_matches('/')) {
            Some(slug) => {
                let page = site.by_slug[slug];
                let meta = &site.page(page).meta;
                let label = meta.sidebar_title.clone().unwrap_or_else(|| meta.title.clone());
                push_sample_node(
                    tree,
                    parent,
                    NavNode { kind: NodeKind::Page, label, page: Some(page), ..NavNode::default() },
                );
            }
            None => grow(tree, site, parent, &serde_json::json!({ "groups": [item] })),
        }
    }
}
