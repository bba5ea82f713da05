//! Files by their names, without a list of them: on disk, in a tree that has been listed, or in a commit.

/// Files that are looked up by their paths, `/`-separated.
pub trait FileLookup {
    /// Whether there is a file.
    fn has(&self, path: &str) -> bool;

    /// Whether there is a folder.
    fn has_folder(&self, path: &str) -> bool;

    /// The text of a file that is not too large.
    fn text(&self, path: &str) -> Option<String>;
}
