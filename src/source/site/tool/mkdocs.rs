//! MkDocs: `mkdocs.yml` above the folder of the pages. Read are `site_name`, `docs_dir`, and `nav`, the order and names
//! of the pages.

use crate::source::nav::order::Order;
use crate::source::nav::summary::Item;
use crate::source::site::Site;
use crate::source::site::config::Config;
use crate::source::site::problems::Problems;
use crate::source::site::tree::{self, SourceTree};
use crate::source::site::yaml::{self, Yaml};

use super::layout::inside;
use super::{Layout, Opening, Project, Tool, View};

/// MkDocs, with any theme.
#[derive(Debug)]
pub(super) struct MkDocs;

impl Tool for MkDocs {
    fn name(&self) -> &'static str {
        "mkdocs"
    }

    fn title(&self) -> &'static str {
        "MkDocs"
    }

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        folder.first(["mkdocs.yml", "mkdocs.yaml"])
    }

    fn stands_for(&self, project: &View<'_>, config: &str, folder: &str) -> bool {
        let text = project.text(config).unwrap_or_default();
        inside(tree::folder(config), &docs_dir(&text)).is_some_and(|pages| pages == folder)
    }

    fn open(&self, source: &Opening<'_>, _problems: &mut Problems) -> Option<Box<dyn Project>> {
        let text = source.text(source.config).unwrap_or_default();
        let folder = inside(source.folder(), &docs_dir(&text))?;
        let mut items = Vec::new();
        if let Some(Yaml::List(list)) = setting(&text, "nav") {
            push_list(&mut items, &list, 0);
        }
        let name = text_setting(&text, "site_name");
        Some(Box::new(Manual { name, items, layout: Layout::of_folder(&folder) }))
    }
}

#[derive(Debug)]
struct Manual {
    name: Option<String>,
    /// The entries of its navigation, in order; none if the pages are not listed.
    items: Vec<Item>,
    layout: Layout,
}

impl Project for Manual {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn configure(&self, config: &mut Config, _tree: &SourceTree) {
        if let Some(name) = &self.name {
            config.name.clone_from(name);
        }
    }

    fn navigation(&self, _site: &Site) -> Order {
        if self.items.is_empty() { Order::Folders } else { Order::List(self.items.clone()) }
    }
}

fn docs_dir(text: &str) -> String {
    text_setting(text, "docs_dir").unwrap_or_else(|| "docs".to_owned())
}

fn text_setting(text: &str, key: &str) -> Option<String> {
    let value = setting(text, key)?;
    value.as_text().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// One setting of the top level. The rest of the file may hold tags that only Python knows, and is not read.
fn setting(text: &str, key: &str) -> Option<Yaml> {
    let starts = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
    let is_inside = |line: &&str| line.trim().is_empty() || line.starts_with([' ', '\t', '-', '#']);
    let mut lines = text.lines().skip_while(|line| !starts(line));
    let block: Vec<&str> = lines.next().into_iter().chain(lines.take_while(is_inside)).collect();
    yaml::parse(&block.join("\n"), true).ok()?.into_iter().next().map(|entry| entry.value)
}

/// Recursion is bounded by the parser.
fn push_list(items: &mut Vec<Item>, list: &[Yaml], depth: usize) {
    let item =
        |label: &str, target: &str| Item { depth, label: label.to_owned(), target: target.to_owned(), in_list: true };
    for entry in list {
        match entry {
            Yaml::Text(target) => items.push(item("", target)),
            Yaml::Map(members) => {
                for (label, value) in members {
                    match value {
                        Yaml::List(list) => {
                            items.push(item(label, ""));
                            push_list(items, list, depth + 1);
                        }
                        value => items.push(item(label, value.as_text().unwrap_or_default())),
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_listed() {
        let text = "site_name: S\nplugins:\n  - x: !!python/name:a.b\nnav:\n  - Home: index.md\n  # a comment\n  - Guide:\n      - a/b.md\n      - Out: https://x.y/\n\ntheme:\n  name: m\n";
        let mut items = Vec::new();
        let Some(Yaml::List(list)) = setting(text, "nav") else { panic!("no list") };
        push_list(&mut items, &list, 0);
        let shown: Vec<String> =
            items.iter().map(|item| format!("{} {} {}", item.depth, item.label, item.target)).collect();
        assert_eq!(shown, ["0 Home index.md", "0 Guide ", "1  a/b.md", "1 Out https://x.y/"]);
        assert_eq!(text_setting(text, "site_name").as_deref(), Some("S"));
        assert_eq!((docs_dir(text), docs_dir("docs_dir: ./manual\n")), ("docs".to_owned(), "./manual".to_owned()));
        assert_eq!(setting("nav: [\n", "nav"), None);
    }
}
