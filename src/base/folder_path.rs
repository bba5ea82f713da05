//! Folders of paths in a source.

use crate::cut::SliceText as _;

/// The folder of a path; empty for files at the root.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A folder and those around it, from the outermost; the root is none of them.
pub fn folders_to(folder: &str) -> impl Iterator<Item = &str> {
    folder.match_indices('/').map(|(at, _)| folder.slice(..at)).chain(Some(folder)).filter(|folder| !folder.is_empty())
}

/// Joins a path from a document to the folder of the file it stands in and resolves `.` and `..`; a leading `/` means
/// the root. `None` if it leads out of the root.
pub fn join_document_path(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let from = if path.starts_with('/') { "" } else { folder };
    for part in from.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
