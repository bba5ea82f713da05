//! Folders of paths in a source.

/// The folder of a path; empty for files at the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A folder and those around it, from the outermost; the root is none of them.
pub(crate) fn folders_to(folder: &str) -> impl Iterator<Item = &str> {
    folder.match_indices('/').map(|(at, _)| &folder[..at]).chain(Some(folder)).filter(|folder| !folder.is_empty())
}
