//! Components that pages use without importing them: those that `mdx-components` or `components/mdx` names.

use crate::imports::{length_of, parse_import, written};
use load::tool::ToolInput;
use site::tree::{self, SourceTree};

/// Files that say which components pages have, from the folder of the project.
const FILES: [&str; 8] = [
    "mdx-components",
    "src/mdx-components",
    "components/mdx",
    "src/components/mdx",
    "components/mdx-components",
    "src/components/mdx-components",
    "lib/mdx-components",
    "theme.config",
];
/// Endings of modules, as bundlers try them.
const ENDINGS: [&str; 14] = [
    "",
    ".tsx",
    ".ts",
    ".jsx",
    ".js",
    ".mjs",
    ".mdx",
    ".md",
    ".json",
    "/index.tsx",
    "/index.ts",
    "/index.jsx",
    "/index.js",
    "/index.mdx",
];

/// A component of every page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageComponent {
    /// How pages call it.
    pub(super) name: String,
    /// How its module calls it.
    exported: String,
    /// Its module.
    path: String,
}

impl PageComponent {
    /// The statement that imports it.
    pub(super) fn import(&self) -> String {
        written(&[(&self.exported, &self.name)], &format!("/{}", self.path))
    }
}

/// How modules of a project are named.
#[derive(Clone, Debug, Default)]
pub(super) struct ModuleNames {
    /// What names of modules begin with, and the folders that they stand for.
    pub(super) folders: Vec<(String, String)>,
    /// The folder of the project.
    pub(super) root: String,
}

impl ModuleNames {
    /// The file that a module of the project lies in, by its name in another file.
    pub(super) fn find(&self, files: &SourceTree, path: &str, from: &str) -> Option<String> {
        let first = |at: &str, endings: &[&str]| {
            let mut paths = endings.iter().map(|ending| format!("{at}{ending}"));
            paths.find(|path| files.find_any(path).is_some())
        };
        let of_folder = self.folders.iter().find_map(|(name, folder)| {
            let rest = from.strip_prefix(name.as_str())?;
            let at = format!("{}/{rest}", folder.trim_end_matches('/'));
            first(at.trim_start_matches('/'), &ENDINGS)
        });
        of_folder.or_else(|| match from.chars().next()? {
            // what bundlers find without its ending
            '.' => {
                let at = tree::join_document_path(tree::folder(path), from)?;
                // programs in TypeScript name what they will be compiled to
                first(&at, &ENDINGS).or_else(|| first(at.strip_suffix(".js")?, &[".ts", ".tsx"]))
            }
            '@' => None,
            // modules may be named from the root of the project
            _ => first(&tree::join_document_path(&self.root, from)?, ENDINGS.get(1..)?),
        })
    }
}

/// The components of every page: what those files import from modules of the project and give on.
pub(super) fn read_page_components(source: &ToolInput<'_>, names: &ModuleNames) -> Vec<PageComponent> {
    let mut found: Vec<PageComponent> = Vec::new();
    let paths = FILES.iter().flat_map(|file| {
        let at = tree::join_document_path(&names.root, file).unwrap_or_default();
        [".tsx", ".jsx", ".ts", ".js"].map(|ending| format!("{at}{ending}"))
    });
    for path in paths {
        let Some(text) = source.text(&path) else { continue };
        for component in components_of(source, names, &path, &text) {
            if !found.iter().any(|known| known.name == component.name) {
                found.push(component);
            }
        }
    }
    found
}

fn components_of(source: &ToolInput<'_>, names: &ModuleNames, path: &str, text: &str) -> Vec<PageComponent> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("import ")) {
        let Some(length) = lines.get(at..).and_then(length_of) else { continue };
        let statement = lines.get(at..=at + length).unwrap_or_default().join("\n");
        let Some(import) = parse_import(&statement).filter(|_| !line.starts_with("import type ")) else { continue };
        let Some(module) = names.find(source.tree, path, &import.from) else { continue };
        let component = |name: &str, exported: &str| PageComponent {
            name: name.to_owned(),
            exported: exported.to_owned(),
            path: module.clone(),
        };
        for (exported, local) in import.names {
            if exported == "*" {
                // `...Blocks`: all that the module exports
                let names = source.text(&module).map(|text| exported_names(&text)).unwrap_or_default();
                found.extend(names.iter().map(|name| component(name, name)));
            } else if local.starts_with(|c: char| c.is_ascii_uppercase()) {
                let given = names_given(text, local);
                found.push(component(given.as_deref().unwrap_or(local), exported));
            }
        }
    }
    found
}

/// The name that an object gives to a component: `Box: MyBox`.
fn names_given(text: &str, local: &str) -> Option<String> {
    text.match_indices(local).find_map(|(at, _)| {
        let after = text.get(at + local.len()..)?;
        let is_whole = !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '('));
        let name = text.get(..at)?.trim_end().strip_suffix(':').filter(|_| is_whole)?;
        let name = name.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()?;
        name.starts_with(|c: char| c.is_ascii_uppercase()).then(|| name.to_owned())
    })
}

/// The names of the components that a module exports.
fn exported_names(text: &str) -> Vec<String> {
    let words = text.lines().filter_map(|line| {
        let rest = line.strip_prefix("export ")?;
        let rest = ["function ", "const ", "class ", "let "].iter().find_map(|word| rest.strip_prefix(word))?;
        rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()
    });
    words.filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase())).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_name_components() {
        let text = "return { ...all, Box: MyBox, h1: Title,\n  'a': Link, Other }";
        assert_eq!(names_given(text, "MyBox").as_deref(), Some("Box"));
        assert_eq!(
            (names_given(text, "Title"), names_given(text, "Other"), names_given(text, "My")),
            (None, None, None)
        );
        assert_eq!(
            exported_names("export function Kiln() {}\nexport const wheel = 1\nexport const Clay = 2"),
            ["Kiln", "Clay"]
        );
    }
}
