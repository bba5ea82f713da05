//! GitBook: a `SUMMARY.md`, and `.gitbook.yaml`, which may say where it lies.

use super::{Tool, View};

/// GitBook.
#[derive(Debug)]
pub(super) struct GitBook;

impl Tool for GitBook {
    fn name(&self) -> &'static str {
        "gitbook"
    }

    fn title(&self) -> &'static str {
        "GitBook"
    }

    fn is_certain(&self) -> bool {
        false
    }

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        let has_list = |path: &&str| folder.text(path).is_some_and(|text| text.contains("]("));
        folder
            .first([".gitbook.yaml", ".gitbook.yml"])
            .or_else(|| ["SUMMARY.md"].iter().find(|path| has_list(path)).map(|path| (*path).to_owned()))
    }
}
