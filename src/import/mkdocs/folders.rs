//! What files beside the pages say of their order: `.pages` (awesome-pages), `.nav.yml` (awesome-nav), `SUMMARY.md`
//! (literate-nav).

use std::collections::BTreeMap;

use base::cut::SliceText as _;
use load::tool::ToolInput;
use nav::summary::{BookEntry, parse_summary};
use site::tree;
use site::yaml::{Yaml, parse_yaml};

use super::config::{MkDocsConfig, flag_of, yaml_at_path, yaml_text};

/// An entry of a navigation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NavEntry {
    /// A page, a folder, a link, or a pattern of paths; with a name if it has one.
    Target(Option<String>, String),
    /// Entries below a name.
    Section(String, Vec<NavEntry>),
    /// What no other entry names.
    Rest,
}

/// What is said of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FolderOrder {
    pub(super) title: Option<String>,
    pub(super) hidden: bool,
    pub(super) entries: Option<Vec<NavEntry>>,
    /// Names come in the reverse of their order.
    pub(super) descending: bool,
    /// `a10` comes behind `a9`.
    pub(super) natural: bool,
    /// Pages that no entry names come behind them.
    pub(super) appends: bool,
    /// Folders stand between the pages, by their names.
    pub(super) mixed: bool,
}

/// By folder, below that of the pages.
pub(super) type Orders = BTreeMap<String, FolderOrder>;

/// Reads them, if a plugin for them is used.
pub(super) fn orders(options: &MkDocsConfig, source: &ToolInput<'_>) -> Orders {
    let is_pages = ["awesome-pages", "awesome-nav"].iter().any(|name| options.plugin(name).is_some());
    let literate = options.plugin("literate-nav");
    let nav_file = literate.and_then(|value| yaml_at_path(value, &["nav_file"])).and_then(yaml_text);
    let nav_file = nav_file.unwrap_or_else(|| "SUMMARY.md".to_owned());
    let own =
        |plugin: &str| options.plugin(plugin).and_then(|value| yaml_at_path(value, &["filename"])).and_then(yaml_text);
    let pages = own("awesome-pages").unwrap_or_else(|| ".pages".to_owned());
    let nav = own("awesome-nav").unwrap_or_else(|| ".nav.yml".to_owned());
    let mut orders = Orders::new();
    if options.plugin("awesome-nav").is_some() {
        // its own order of names
        orders.insert(String::new(), FolderOrder { natural: true, ..FolderOrder::default() });
    }
    for file in &source.tree.files {
        let Some(path) = options.inside(&file.path) else { continue };
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_literate = literate.is_some() && name == nav_file;
        let is_awesome = is_pages && (name == pages || name == nav);
        let Some(text) = (is_literate || is_awesome).then(|| source.text(&file.path)).flatten() else { continue };
        let order = if is_literate {
            FolderOrder { entries: Some(of_summary(&parse_summary(&with_links(&text)))), ..FolderOrder::default() }
        } else {
            awesome(&text, name == nav)
        };
        orders.insert(tree::folder(path).to_owned(), order);
    }
    orders
}

/// `.pages` or `.nav.yml`.
fn awesome(text: &str, is_nav: bool) -> FolderOrder {
    let entries = parse_yaml(text, true).unwrap_or_default();
    let value = Yaml::Map(entries.into_iter().map(|entry| (entry.key, entry.value)).collect());
    let text = |path: &[&str]| yaml_at_path(&value, path).and_then(yaml_text);
    let list = value.member("nav").or_else(|| value.member("arrange"));
    let listed = match list {
        Some(Yaml::List(list)) => Some(entries_of(list)),
        _ => None,
    };
    let is_desc = |path: &[&str]| text(path).as_deref() == Some("desc");
    FolderOrder {
        title: text(&["title"]),
        hidden: value.member("hide").and_then(flag_of) == Some(true),
        entries: listed,
        descending: is_desc(&["order"]) || is_desc(&["sort", "direction"]),
        natural: is_nav && text(&["sort", "type"]).as_deref() != Some("alphabetical")
            || text(&["sort_type"]).as_deref() == Some("natural"),
        appends: value.member("append_unmatched").and_then(flag_of) == Some(true),
        mixed: text(&["sort", "sections"]).as_deref() == Some("mixed"),
    }
}

/// A list of YAML as entries. Recursion is bounded by the parser.
pub(super) fn entries_of(list: &[Yaml]) -> Vec<NavEntry> {
    let mut entries = Vec::new();
    for one in list {
        match one {
            Yaml::Text(target) if target.trim() == "..." => entries.push(NavEntry::Rest),
            Yaml::Text(target) => match target.trim().strip_prefix("... |").map(str::trim) {
                // a pattern behind the dots
                Some(pattern) => entries.push(NavEntry::Target(None, pattern.trim_start_matches("glob=").to_owned())),
                None => entries.push(NavEntry::Target(None, target.trim().to_owned())),
            },
            Yaml::Map(members) if members.iter().any(|(key, _)| key == "glob") => {
                entries.extend(one.member("glob").and_then(yaml_text).map(|pattern| NavEntry::Target(None, pattern)));
            }
            Yaml::Map(members) => {
                for (name, value) in members {
                    entries.push(match value {
                        Yaml::List(list) => NavEntry::Section(name.clone(), entries_of(list)),
                        Yaml::Map(_) => NavEntry::Section(name.clone(), entries_of(std::slice::from_ref(value))),
                        value => NavEntry::Target(Some(name.clone()), yaml_text(value).unwrap_or_default()),
                    });
                }
            }
            _ => {}
        }
    }
    entries
}

/// Patterns in a summary are no links; written as such they are read as entries.
fn with_links(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let words = line.trim_start();
        let indent = line.slice(..line.len() - words.len());
        let target = ["* ", "- ", "+ "].iter().find_map(|mark| words.strip_prefix(mark)).map(str::trim);
        match target {
            Some(target) if target.contains('*') && !target.contains([' ', '[']) => {
                format!("{indent}* [](<{target}>)")
            }
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The entries of a summary by their depth.
fn of_summary(items: &[BookEntry]) -> Vec<NavEntry> {
    let mut entries = Vec::new();
    let mut at = 0;
    while let Some(item) = items.get(at) {
        let below = items[at + 1..].iter().take_while(|other| other.depth > item.depth).count();
        let inner = of_summary(&items[at + 1..at + 1 + below]);
        let label = Some(item.label.clone()).filter(|label| !label.is_empty());
        match (inner.is_empty(), label) {
            (true, label) => entries.push(NavEntry::Target(label, item.target.clone())),
            (false, label) => {
                let own = NavEntry::Target(None, item.target.clone());
                let own = (!item.target.is_empty()).then_some(own);
                entries.push(NavEntry::Section(label.unwrap_or_default(), own.into_iter().chain(inner).collect()));
            }
        }
        at += 1 + below;
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(name: Option<&str>, target: &str) -> NavEntry {
        NavEntry::Target(name.map(str::to_owned), target.to_owned())
    }

    #[test]
    fn folders_say_their_order() {
        let order = awesome(
            "title: T\norder: desc\nnav:\n  - intro.md\n  - ...\n  - More:\n      - a.md\n  - Out: https://x.y\n",
            false,
        );
        assert_eq!((order.title.as_deref(), order.descending), (Some("T"), true));
        assert_eq!(
            order.entries,
            Some(vec![
                target(None, "intro.md"),
                NavEntry::Rest,
                NavEntry::Section("More".to_owned(), vec![target(None, "a.md")]),
                target(Some("Out"), "https://x.y"),
            ])
        );
        assert!(awesome("hide: true\n", false).hidden);
        assert_eq!(awesome("nav:\n  - glob: \"*.md\"\n", true).entries, Some(vec![target(None, "*.md")]));
    }

    #[test]
    fn summaries_say_their_order() {
        let entries = of_summary(&parse_summary(&with_links("* [A](a.md)\n* B\n    * [C](b/)\n    * *.md\n")));
        assert_eq!(
            entries,
            vec![
                target(Some("A"), "a.md"),
                NavEntry::Section("B".to_owned(), vec![target(Some("C"), "b/"), target(None, "*.md")]),
            ]
        );
    }
}
