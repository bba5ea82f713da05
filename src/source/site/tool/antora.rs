//! Antora: AsciiDoc, which is not read.

use super::{Tool, View};

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

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        folder.first(["antora.yml", "antora-playbook.yml", "docs/antora.yml"])
    }

    fn refusal(&self) -> Option<&'static str> {
        Some(
            "this is an Antora site, whose AsciiDoc pages are not read; `--from plain` exports the Markdown files beside them as they are",
        )
    }
}
