//! Sphinx with reStructuredText or MyST, which are not read.

use super::{Tool, View};

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

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        const KEYS: [&str; 5] = ["extensions", "html_theme", "master_doc", "root_doc", "source_suffix"];
        let is_key = |line: &str| {
            KEYS.iter().any(|key| line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('=')))
        };
        ["conf.py", "source/conf.py", "docs/conf.py", "docs/source/conf.py", "doc/conf.py", "doc/source/conf.py"]
            .into_iter()
            .find(|path| folder.text(path).is_some_and(|text| text.lines().any(is_key)))
            .map(str::to_owned)
    }

    fn refusal(&self) -> Option<&'static str> {
        Some(
            "this is a Sphinx site, whose reStructuredText and MyST pages are not read; `--from plain` exports its Markdown files as they are, without their directives",
        )
    }
}
