//! A folder as detection sees it: on disk, in a tree that has been listed, or in a commit.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use base::lookup::FileLookup;
use site::tree::{SourceTree, read_below};

/// A folder on disk.
struct DiskFolder(PathBuf);

impl FileLookup for DiskFolder {
    fn has(&self, path: &str) -> bool {
        self.0.join(path).is_file()
    }

    fn has_folder(&self, path: &str) -> bool {
        self.0.join(path).is_dir()
    }

    fn text(&self, path: &str) -> Option<String> {
        read_below(&self.0, path)
    }
}

/// A folder whose files are looked for by name.
pub struct FolderView<'a> {
    files: ViewedFolder<'a>,
    /// What the paths of its files begin with: empty, or with a slash at its end.
    prefix: String,
}

enum ViewedFolder<'a> {
    Own(DiskFolder),
    Other(&'a dyn FileLookup),
}

impl Debug for FolderView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FolderView").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl<'a> FolderView<'a> {
    /// A folder on disk.
    pub fn of_folder(folder: &Path) -> Self {
        Self { files: ViewedFolder::Own(DiskFolder(folder.to_owned())), prefix: String::new() }
    }

    /// The root of a tree.
    pub fn of_tree(tree: &'a SourceTree) -> Self {
        Self::within(tree, "")
    }

    /// A folder of some files; empty for their root.
    pub fn within(files: &'a dyn FileLookup, folder: &str) -> Self {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        Self { files: ViewedFolder::Other(files), prefix }
    }

    fn files(&self) -> &dyn FileLookup {
        match &self.files {
            ViewedFolder::Own(disk) => disk,
            ViewedFolder::Other(files) => *files,
        }
    }

    /// Whether there is a file.
    pub fn has(&self, path: &str) -> bool {
        self.files().has(&format!("{}{path}", self.prefix))
    }

    /// Whether there is a folder.
    pub fn has_folder(&self, path: &str) -> bool {
        self.files().has_folder(&format!("{}{path}", self.prefix))
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<String> {
        self.files().text(&format!("{}{path}", self.prefix))
    }

    /// The first of some files that is there.
    pub fn first<'n>(&self, paths: impl IntoIterator<Item = &'n str>) -> Option<String> {
        paths.into_iter().find(|path| self.has(path)).map(str::to_owned)
    }

    /// The first file of a name with one of some endings.
    pub fn first_of(&self, folders: &[&str], name: &str, endings: &[&str]) -> Option<String> {
        let paths =
            folders.iter().flat_map(|folder| endings.iter().map(move |ending| format!("{folder}{name}{ending}")));
        paths.into_iter().find(|path| self.has(path))
    }
}

/// The endings of scripts that configure something.
pub const SCRIPTS: [&str; 6] = [".js", ".ts", ".mjs", ".mts", ".cjs", ".cts"];
