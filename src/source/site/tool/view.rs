//! A folder as detection sees it: on disk, or in a tree that has been listed.

use std::path::{Path, PathBuf};

use crate::base::limits::PAGE_BYTES;
use crate::source::site::tree::{SourceTree, read_below};

/// A folder whose files are looked for by name.
#[derive(Debug)]
pub struct View<'a> {
    place: Seen<'a>,
}

#[derive(Debug)]
enum Seen<'a> {
    Disk(PathBuf),
    Tree(&'a SourceTree),
}

impl<'a> View<'a> {
    /// A folder on disk.
    pub(super) fn of_folder(folder: &Path) -> Self {
        Self { place: Seen::Disk(folder.to_owned()) }
    }

    /// The root of a tree. Its ignored files count.
    pub(super) fn of_tree(tree: &'a SourceTree) -> Self {
        Self { place: Seen::Tree(tree) }
    }

    /// Whether there is a file.
    pub(crate) fn has(&self, path: &str) -> bool {
        match &self.place {
            Seen::Disk(folder) => folder.join(path).is_file(),
            Seen::Tree(tree) => tree.find_any(path).is_some(),
        }
    }

    /// Whether there is a folder.
    pub(crate) fn has_folder(&self, path: &str) -> bool {
        match &self.place {
            Seen::Disk(folder) => folder.join(path).is_dir(),
            Seen::Tree(tree) => {
                let prefix = format!("{path}/");
                let at = tree.files.partition_point(|file| file.path < prefix);
                tree.files.get(at).is_some_and(|file| file.path.starts_with(&prefix))
            }
        }
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        match &self.place {
            Seen::Disk(folder) => read_below(folder, path),
            Seen::Tree(tree) => {
                let bytes = tree.read_at_most(tree.find_any(path)?, PAGE_BYTES).ok()?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
        }
    }

    /// The first of some files that is there.
    pub(crate) fn first<'n>(&self, paths: impl IntoIterator<Item = &'n str>) -> Option<String> {
        paths.into_iter().find(|path| self.has(path)).map(str::to_owned)
    }

    /// The first file of a name with one of some endings.
    pub(crate) fn first_of(&self, folders: &[&str], name: &str, endings: &[&str]) -> Option<String> {
        let paths =
            folders.iter().flat_map(|folder| endings.iter().map(move |ending| format!("{folder}{name}{ending}")));
        paths.into_iter().find(|path| self.has(path))
    }
}

/// The endings of scripts that configure something.
pub(crate) const SCRIPTS: [&str; 6] = [".js", ".ts", ".mjs", ".mts", ".cjs", ".cts"];
