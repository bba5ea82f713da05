//! `mkdocs.yml` of MkDocs: `site_name`, `docs_dir`, where its pages lie, and `nav`, their order and names. `book.toml`
//! of mdBook: the book's title.

use std::path::Path;

use crate::base::limits::PAGE_BYTES;
use crate::source::site::SourceTree;
use crate::source::site::yaml::{self, Yaml};

use super::summary::Item;

const NAMES: [&str; 2] = ["mkdocs.yml", "mkdocs.yaml"];
/// How far above the folder of the pages a configuration may lie.
const MAX_LEVELS_ABOVE: usize = 3;

/// The configuration of another tool for a plain folder.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Manual {
    /// The name of the site.
    pub(crate) name: Option<String>,
    /// Where the pages lie; empty for all of the source.
    pub(crate) folder: String,
    /// The entries of its navigation, in order, each with its target from the source; none if the pages are not listed.
    pub(super) items: Vec<Item>,
}

/// The configuration of a source, or of the folder around it that says that its pages lie here.
pub(crate) fn find(tree: &SourceTree) -> Option<Manual> {
    let text = |name: &str| {
        tree.find(name)
            .and_then(|file| tree.read_at_most(file, PAGE_BYTES).ok())
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    if let Some(text) = NAMES.iter().find_map(|name| text(name)) {
        return Some(read(&text, None));
    }
    if let Some(text) = text("book.toml") {
        return book(&text).map(|(name, _)| Manual { name, ..Manual::default() });
    }
    around(tree.folder()?)
}

/// The configuration further up whose pages are those of `folder`.
fn around(folder: &Path) -> Option<Manual> {
    let folder = folder.canonicalize().ok()?;
    if folder.join(".git").exists() {
        return None; // the folder is a repository of its own
    }
    let read_file = |path: &Path| {
        std::fs::metadata(path)
            .ok()
            .filter(|file| file.is_file() && file.len() <= PAGE_BYTES)
            .and_then(|_| std::fs::read_to_string(path).ok())
    };
    for above in folder.ancestors().skip(1).take(MAX_LEVELS_ABOVE) {
        let inside = folder.strip_prefix(above).ok()?.to_str()?.replace('\\', "/");
        if let Some(text) = NAMES.iter().find_map(|name| read_file(&above.join(name))) {
            return Some(read(&text, Some(&inside))).filter(|_| docs_dir(&text) == inside);
        }
        if let Some(text) = read_file(&above.join("book.toml")) {
            return book(&text)
                .filter(|(_, source)| *source == inside)
                .map(|(name, _)| Manual { name, ..Manual::default() });
        }
        if above.join(".git").exists() {
            break;
        }
    }
    None
}

/// Title and folder of a book.
fn book(text: &str) -> Option<(Option<String>, String)> {
    let table: toml::Table = text.parse().ok()?;
    let text = |key: &str| {
        table.get("book")?.get(key)?.as_str().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    Some((text("title"), text("src").map_or_else(|| "src".to_owned(), |source| inside(&source))))
}

fn docs_dir(text: &str) -> String {
    setting(text, "docs_dir").as_ref().and_then(Yaml::as_text).map_or_else(|| "docs".to_owned(), inside)
}

/// A path from the folder of a configuration.
fn inside(path: &str) -> String {
    path.trim().trim_start_matches("./").trim_matches(['.', '/']).to_owned()
}

/// What a configuration says; `here`: its folder of pages is the whole source.
fn read(text: &str, here: Option<&str>) -> Manual {
    let folder = if here.is_some() { String::new() } else { docs_dir(text) };
    let mut items = Vec::new();
    if let Some(Yaml::List(list)) = setting(text, "nav") {
        push_list(&mut items, &list, &folder, 0);
    }
    let name = setting(text, "site_name")
        .as_ref()
        .and_then(Yaml::as_text)
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty());
    Manual { name, folder, items }
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
fn push_list(items: &mut Vec<Item>, list: &[Yaml], folder: &str, depth: usize) {
    for entry in list {
        match entry {
            Yaml::Text(target) => items.push(item("", target, folder, depth)),
            Yaml::Map(members) => {
                for (label, value) in members {
                    match value {
                        Yaml::List(list) => {
                            items.push(item(label, "", folder, depth));
                            push_list(items, list, folder, depth + 1);
                        }
                        value => items.push(item(label, value.as_text().unwrap_or_default(), folder, depth)),
                    }
                }
            }
            _ => {}
        }
    }
}

fn item(label: &str, target: &str, folder: &str, depth: usize) -> Item {
    let is_inside = !target.is_empty() && !target.contains("://") && !folder.is_empty();
    let target = if is_inside { format!("{folder}/{target}") } else { target.to_owned() };
    Item { depth, label: label.to_owned(), target }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_listed() {
        let text = "site_name: S\nplugins:\n  - x: !!python/name:a.b\nnav:\n  - Home: index.md\n  # a comment\n  - Guide:\n      - a/b.md\n      - Out: https://x.y/\n\ntheme:\n  name: m\n";
        let read = |text: &str| read(text, None);
        let shown: Vec<String> =
            read(text).items.iter().map(|item| format!("{} {} {}", item.depth, item.label, item.target)).collect();
        assert_eq!(shown, ["0 Home docs/index.md", "0 Guide ", "1  docs/a/b.md", "1 Out https://x.y/"]);
        assert_eq!(read("docs_dir: ./manual\nnav:\n- a.md\n").items[0].target, "manual/a.md");
        assert_eq!(read("docs_dir: .\nnav:\n- a.md\n").items[0].target, "a.md");
        assert_eq!(
            read("site_name: S\n"),
            Manual { name: Some("S".to_owned()), folder: "docs".to_owned(), items: Vec::new() }
        );
        assert_eq!(read("nav: [\n").items, []);
        assert_eq!(super::read("nav:\n- a.md\n", Some("docs")).items[0].target, "a.md");
    }

    #[test]
    fn configurations_around_the_pages() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in ["docs/en", "other", "book/text"] {
            std::fs::create_dir_all(at(path)).unwrap();
        }
        std::fs::write(at("mkdocs.yml"), "site_name: S\ndocs_dir: docs/en/\nnav:\n- a.md\n").unwrap();
        std::fs::write(at("book/book.toml"), "[book]\ntitle = \"B\"\nsrc = \"text\"\n").unwrap();
        let name = |path: &str| around(&at(path)).and_then(|manual| manual.name);
        assert_eq!((name("docs/en"), name("book/text")), (Some("S".to_owned()), Some("B".to_owned())));
        assert_eq!((name("docs"), name("other")), (None, None));
    }
}
