//! The repositories of other documentation tools: one file or folder for each, which says how it is recognized and what
//! its files mean ([`load::tool`]). What several of them need stands beside them: `web`, `js_text`, `included`.
//!
//! A tool is asked through its two traits alone; the list of them goes to a load with its options.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod antora;
mod attribute;
mod docsify;
mod docusaurus;
mod folder_names;
mod gitbook;
mod hugo;
mod imports;
mod included;
mod jekyll;
mod js_text;
mod mdbook;
mod mkdocs;
mod next;
mod obsidian;
mod sphinx;
mod starlight;
mod vitepress;
mod vuepress;
pub mod web;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use base::lookup::FileLookup;
use load::tool::{KnownTools, Tool};

/// The tools, in the order in which they are looked for.
pub const TOOLS: KnownTools = KnownTools(&[
    &docusaurus::Docusaurus,
    &vitepress::VitePress,
    &vuepress::VuePress,
    &starlight::Starlight,
    &next::fumadocs::Fumadocs,
    &next::nextra::Nextra,
    &mkdocs::MkDocs,
    &mdbook::MdBook,
    &hugo::Hugo,
    &antora::Antora,
    &sphinx::Sphinx,
    &jekyll::Jekyll,
    &docsify::Docsify,
    &gitbook::GitBook,
    &obsidian::Obsidian,
]);

/// The tools whose repositories are read; others are only recognized, and refused.
pub fn readable_tools() -> impl Iterator<Item = &'static dyn Tool> {
    TOOLS.0.iter().copied().filter(|tool| tool.refusal().is_none())
}

/// The tool of a name, see [`KnownTools::by_name`].
///
/// # Errors
/// A sentence: there is none.
pub fn tool_by_name(name: &str) -> Result<&'static dyn Tool, String> {
    TOOLS.by_name(name)
}

/// The folder that has to be read for a folder that was named, see [`KnownTools::project_root`].
pub fn project_root(folder: &Path, from: Option<&str>) -> PathBuf {
    TOOLS.project_root(folder, from)
}

/// The same among files that are not on disk, see [`KnownTools::root_within`].
pub fn root_within(files: &dyn FileLookup, folder: &str, from: Option<&str>) -> String {
    TOOLS.root_within(files, folder, from)
}

/// The folder that a path means, see [`load::find_source_root`].
///
/// # Errors
/// A sentence: it names another file, and its neighborhood that was not named.
pub fn find_source_root(path: &Path) -> Result<PathBuf, String> {
    load::find_source_root(path, TOOLS)
}
