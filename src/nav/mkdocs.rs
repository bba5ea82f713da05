//! `mkdocs.yml` of MkDocs: `docs_dir`, where its pages lie, and `nav`, their order and names.

use crate::site::yaml::{self, Yaml};

use super::summary::Item;

/// The entries, in order, each with its target from the folder of the configuration; none if the pages are not listed.
pub(super) fn read(text: &str) -> Vec<Item> {
    let (mut folder, mut items) = ("docs".to_owned(), Vec::new());
    for entry in [setting(text, "docs_dir"), setting(text, "nav")].into_iter().flatten() {
        match entry {
            Yaml::Text(docs) => docs.trim().trim_matches(['.', '/']).clone_into(&mut folder),
            Yaml::List(list) => push_list(&mut items, &list, &folder, 0),
            _ => {}
        }
    }
    items
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
        let shown: Vec<String> = read(text).iter().map(|item| format!("{} {} {}", item.depth, item.label, item.target)).collect();
        assert_eq!(shown, ["0 Home docs/index.md", "0 Guide ", "1  docs/a/b.md", "1 Out https://x.y/"]);
        assert_eq!(read("docs_dir: ./manual\nnav:\n- a.md\n")[0].target, "manual/a.md");
        assert_eq!(read("docs_dir: .\nnav:\n- a.md\n")[0].target, "a.md");
        assert_eq!(read("site_name: S\n"), []);
        assert_eq!(read("nav: [\n"), []);
    }
}
