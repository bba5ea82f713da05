//! A folder of Markdown that no tool is known to read.

use super::{Tool, View};

/// No tool.
#[derive(Debug)]
pub(crate) struct Plain;

impl Tool for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn title(&self) -> &'static str {
        "plain Markdown"
    }

    fn is_certain(&self) -> bool {
        false
    }

    fn detect(&self, _folder: &View<'_>) -> Option<String> {
        None
    }
}
