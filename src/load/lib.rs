//! From a folder to a site and its navigation.
//!
//! A load has phases, each of which owns what the one before had (`phase`): the files are listed, the tool that they
//! belong to is located, its configuration read, every text scanned once, the API descriptions opened, the site put
//! together and its navigation made. What a phase asks stands beside them: `scan` and `inventory` say which files are
//! pages and under which names, `remote`, `operation_pages` and `closed_pages` what descriptions mean for pages,
//! `unconfigured` what a folder without a configuration gets, `unread` what a source holds that is not read.
//!
//! What other tools mean by their files comes with [`LoadOptions`], as [`tool::KnownTools`]; nothing here knows one of them.
//!
//! No problem of the content stops a load: problems are diagnostics. Pages' texts do not stay in memory: a page is
//! read again where its text is needed.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod closed_pages;
mod foreign_syntax;
pub mod inventory;
mod loaded_site;
mod operation_pages;
mod options;
mod overview_pages;
mod phase;
pub mod remote;
mod root;
mod scan;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod tool;
mod unconfigured;
mod unread;
pub mod written;

use std::path::{Path, PathBuf};

use base::Diagnostic;
use nav::Navigation;
use site::tree::SourceTree;

use phase::ListedSource;

pub use loaded_site::Site;
pub use options::LoadOptions;
pub use root::find_source_root;

/// A site with its navigation, and what is wrong with its source.
#[derive(Debug)]
pub struct Loaded {
    /// Configuration, pages, files.
    pub site: Site,
    /// The navigation.
    pub navigation: Navigation,
    /// What is wrong with the source, in order: files, configuration, pages, navigation.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a folder cannot be exported at all.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is nothing at the path.
    #[error("`{0}` does not exist")]
    NotFound(PathBuf),
    /// It is a file.
    #[error("`{0}` is not a folder")]
    NotAFolder(PathBuf),
    /// The configuration is not JSON, or cannot be read.
    #[error("{}: {}", format_problem_place(.0), .0.message)]
    Config(Diagnostic),
    /// No file is a page.
    #[error("{0}")]
    NoPages(String),
    /// It belongs to a tool whose repositories are not read, or not to the one that was named.
    #[error("{0}")]
    OtherTool(String),
}

/// Where a problem is, as far as that is known.
fn format_problem_place(problem: &Diagnostic) -> String {
    let Diagnostic { file, line, column, .. } = problem;
    if *line == 0 { file.clone() } else { format!("{file}:{line}:{column}") }
}

/// Loads the site in a folder.
///
/// # Errors
/// The folder or its configuration is of no use; everything else that is wrong is a diagnostic.
pub fn load_site(root: &Path, options: &LoadOptions<'_>) -> Result<Loaded, LoadError> {
    let (tree, found) = list_folder(root)?;
    load_tree(tree, found, options)
}

/// Lists the files of a folder, for [`load_tree`].
///
/// # Errors
/// It is no folder.
pub fn list_folder(root: &Path) -> Result<(SourceTree, Vec<Diagnostic>), LoadError> {
    let metadata = std::fs::metadata(root).map_err(|_| LoadError::NotFound(root.to_owned()))?;
    if !metadata.is_dir() {
        return Err(LoadError::NotAFolder(root.to_owned()));
    }
    Ok(SourceTree::list(root))
}

/// Loads the site of a tree that has been listed; `found` is what was wrong with that.
///
/// # Errors
/// The tree or its configuration is of no use; everything else that is wrong is a diagnostic.
pub fn load_tree(tree: SourceTree, found: Vec<Diagnostic>, options: &LoadOptions<'_>) -> Result<Loaded, LoadError> {
    let listed = ListedSource::new(tree, found);
    let located = listed.locate(options)?;
    let configured = located.configure(options)?;
    let scanned = configured.scan(options);
    let described = scanned.describe(options)?;
    Ok(described.assemble().navigate().complete())
}
