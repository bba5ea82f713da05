//! Sphinx with reStructuredText or MyST, which are not read.

use load::tool::{FolderView, Tool};

/// Sphinx.
#[derive(Debug)]
pub(super) struct Sphinx;

impl Tool for Sphinx {
    fn name(&self) -> &'static str {
        "sphinx"
    }

    fn title(&self) -> &'static str {
        "Sphinx"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        const KEYS: [&str; 5] = ["extensions", "html_theme", "master_doc", "root_doc", "source_suffix"];
        let is_key = |line: &str| {
            KEYS.iter().any(|key| line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('=')))
        };
        const FOLDERS: [&str; 7] = ["", "source/", "docs/", "docs/source/", "doc/", "doc/source/", "documentation/"];
        let has_key = |path: &String| folder.text(path).is_some_and(|text| text.lines().any(is_key));
        let of_sphinx = FOLDERS.iter().map(|folder| format!("{folder}conf.py")).find(has_key);
        // MyST without Sphinx, and Jupyter Book, which has Sphinx inside
        let of_myst = || folder.first(["myst.yml", "docs/myst.yml"]);
        let is_book = |path: &String| folder.text(path).is_some_and(|text| text.contains("format: jb-"));
        let of_book = || ["_toc.yml", "docs/_toc.yml", "book/_toc.yml"].map(str::to_owned).into_iter().find(is_book);
        of_sphinx.or_else(of_myst).or_else(of_book)
    }

    fn refusal(&self) -> Option<&'static str> {
        Some(
            "this is a Sphinx site, whose reStructuredText and MyST pages are not read; `--from plain` exports its Markdown files as they are, without their directives",
        )
    }
}
