//! Antora: AsciiDoc, which is not read.

use load::tool::{FolderView, Tool};

/// Antora.
#[derive(Debug)]
pub(super) struct Antora;

impl Tool for Antora {
    fn name(&self) -> &'static str {
        "antora"
    }

    fn title(&self) -> &'static str {
        "Antora"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        let is_playbook = |path: &&str| {
            let has = |text: &str, key: &str| text.lines().any(|line| line.starts_with(key));
            folder.text(path).is_some_and(|text| has(&text, "content:") && has(&text, "ui:"))
        };
        let playbook = || ["playbook.yml", "site.yml", "docs/playbook.yml"].into_iter().find(is_playbook);
        folder
            .first(["antora.yml", "antora-playbook.yml", "docs/antora.yml", "docs/antora-playbook.yml"])
            .or_else(|| playbook().map(str::to_owned))
    }

    fn refusal(&self) -> Option<&'static str> {
        Some(
            "this is an Antora site, whose AsciiDoc pages are not read; `--from plain` exports the Markdown files beside them as they are",
        )
    }
}
