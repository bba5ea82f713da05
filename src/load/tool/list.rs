//! The tools that are looked for.

use super::mintlify::Mintlify;
use super::plain::PlainTool;
use super::{FolderView, Located, Tool};

/// The tools of others, in the order in which they are looked for: what one of them needs may lie beside the files of
/// another. The format of this program comes before them all, and a plain folder is what is left.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownTools(pub &'static [&'static dyn Tool]);

impl KnownTools {
    /// All that are looked for.
    pub fn iter(self) -> impl Iterator<Item = &'static dyn Tool> {
        let own: &'static dyn Tool = &Mintlify;
        let none: &'static dyn Tool = &PlainTool;
        std::iter::once(own).chain(self.0.iter().copied()).chain([none])
    }

    /// The tool of a name.
    ///
    /// # Errors
    /// A sentence: there is none.
    pub fn by_name(self, name: &str) -> Result<&'static dyn Tool, String> {
        let found = self.iter().find(|tool| tool.name().eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| {
            let names: Vec<&str> = self.iter().map(Tool::name).collect();
            format!("`{name}` is no tool that can be read; one of {}", names.join(", "))
        })
    }

    /// The first tool whose configuration a folder has.
    pub fn detect(self, view: &FolderView<'_>) -> Located {
        let found = self.iter().find_map(|tool| Some(Located { tool, config: tool.detect(view)? }));
        found.unwrap_or(Located { tool: &PlainTool, config: String::new() })
    }
}
