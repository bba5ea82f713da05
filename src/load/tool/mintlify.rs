//! `docs.json` and `mint.json`: the format that all of offprint is made for. `site::load_site` reads it, without a
//! project.

use super::{FolderView, Tool};

/// Mintlify.
#[derive(Debug)]
pub(crate) struct Mintlify;

impl Tool for Mintlify {
    fn name(&self) -> &'static str {
        "mintlify"
    }

    fn title(&self) -> &'static str {
        "Mintlify"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        folder.first(["docs.json", "mint.json"])
    }
}
