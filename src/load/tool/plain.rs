//! A folder of Markdown that no tool is known to read.

use super::{FolderView, Tool};

/// No tool.
#[derive(Debug)]
pub(crate) struct PlainTool;

impl Tool for PlainTool {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn title(&self) -> &'static str {
        "plain Markdown"
    }

    fn is_certain(&self) -> bool {
        false
    }

    fn detect(&self, _folder: &FolderView<'_>) -> Option<String> {
        None
    }
}
