//! The chapters that `SUMMARY.md` lists, and the addresses of their pages.

use percent_encoding::percent_decode_str;
use rustc_hash::FxHashMap;

use base::Diagnostic;
use load::tool::{ToolInput, path_in_source_root};
use nav::summary::{BookEntry, parse_summary};
use site::problems::{LoadProblems, line_column};

/// What the list holds.
#[derive(Debug, Default)]
pub(super) struct Chapters {
    /// Its path.
    pub(super) list: String,
    /// Its entries, in order; none if there is no list.
    pub(super) items: Vec<BookEntry>,
    /// The names of chapters, by the paths of their files.
    names: FxHashMap<String, String>,
}

impl Chapters {
    /// Reads the list in the folder of the pages, and says which of its files are missing.
    pub(super) fn read(source: &ToolInput<'_>, pages: &str, problems: &mut LoadProblems) -> Self {
        let list = path_in_source_root(pages, "SUMMARY.md").unwrap_or_default();
        let text = source.text(&list).unwrap_or_default();
        let mut chapters = Self { items: parse_summary(&text), list, names: FxHashMap::default() };
        for item in chapters.items.iter().filter(|item| !item.target.is_empty()) {
            let Some(path) = chapter_path(pages, &item.target) else { continue };
            if source.tree.find(&path).is_some() {
                chapters.names.entry(path).or_insert_with(|| item.label.clone());
                continue;
            }
            let (line, column) = text.find(&item.target).map_or((0, 0), |at| line_column(&text, at));
            let message = format!("`{}` is listed in the navigation, but the file does not exist", item.target);
            let hint = format!("create `{path}`, or remove the entry");
            let problem = Diagnostic::new("nav-missing-page", message).at(chapters.list.as_str(), line, column);
            problems.found.push(problem.hint(hint));
        }
        chapters
    }

    /// The name of the chapter that a file holds.
    pub(super) fn of_file(&self, path: &str) -> Option<&str> {
        self.names.get(path).map(String::as_str)
    }
}

/// The file that an entry names; `None` if it leads elsewhere.
pub(super) fn chapter_path(pages: &str, target: &str) -> Option<String> {
    let target = target.split(['#', '?']).next().filter(|target| !target.is_empty() && !target.contains("://"))?;
    path_in_source_root(pages, &percent_decode_str(target).decode_utf8().ok()?)
}

/// The address of a file, by its path from the folder of the pages: a `README` is the page of its folder.
pub(super) fn chapter_address(path: &str) -> String {
    let stem = path.strip_suffix(".md").unwrap_or(path);
    let (folder, name) = stem.rsplit_once('/').map_or(("", stem), |(folder, name)| (folder, name));
    let name = if name.eq_ignore_ascii_case("readme") { "index" } else { name };
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_files() {
        for (path, expect) in
            [("a/b.md", "a/b"), ("README.md", "index"), ("a/readme.md", "a/index"), ("a/README-x.md", "a/README-x")]
        {
            assert_eq!(chapter_address(path), expect);
        }
        assert_eq!(chapter_path("src", "./a%20b.md#x").as_deref(), Some("src/a b.md"));
        assert_eq!((chapter_path("src", "https://x.y/z.md"), chapter_path("src", "")), (None, None));
    }
}
