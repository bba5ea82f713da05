//! Which paths the files of an archive have as a source.

use rustc_hash::FxHashMap;

use base::Diagnostic;
use base::contents::{not_a_file, unusable_name};
use base::links::{SourceLink, resolve_links};

use super::stored::StoredPlace;
use super::{ArchiveEntryKind, ArchiveError, SourceEntry};

/// What an archive holds, as a source.
#[derive(Debug)]
pub(super) struct Laid {
    /// Sorted by path, each path once.
    pub(super) files: Vec<(String, StoredPlace)>,
    pub(super) problems: Vec<Diagnostic>,
}

/// Adds the files that links stand for, and what is wrong with the others.
fn add_links(named: &mut Vec<(String, Result<StoredPlace, Diagnostic>)>, links: &[SourceLink]) {
    let places: FxHashMap<&str, &StoredPlace> =
        named.iter().filter_map(|(path, place)| Some((path.as_str(), place.as_ref().ok()?))).collect();
    let (found, left) = resolve_links(links, places.keys().copied());
    let linked: Vec<_> = found.iter().filter_map(|(_, file)| places.get(file.as_str()).map(|place| **place)).collect();
    named.extend(found.into_iter().map(|(path, _)| path).zip(linked.into_iter().map(Ok)));
    named.extend(left.into_iter().map(|problem| (problem.file.clone(), Err(problem))));
}

/// Names the files relative to the folder `subdir`, which is below the single folder around everything, if there is
/// one.
pub(super) fn lay(entries: Vec<SourceEntry>, subdir: &str) -> Result<Laid, ArchiveError> {
    let mut named: Vec<(String, Result<StoredPlace, Diagnostic>)> = Vec::with_capacity(entries.len());
    let mut links = Vec::new();
    for SourceEntry { name, kind } in entries {
        let shown = String::from_utf8_lossy(&name).into_owned();
        match (path_in_source(&name), kind) {
            (Ok(path), _) if is_litter(&path) => {}
            (Ok(path), ArchiveEntryKind::File(place)) => named.push((path, Ok(place))),
            (Ok(path), ArchiveEntryKind::Link(target)) => links.push(SourceLink { path, target }),
            (Ok(path), ArchiveEntryKind::Other(what)) => named.push((path.clone(), Err(not_a_file(path, what)))),
            (Err(why), _) => named.push((String::new(), Err(unusable_name(shown, why)))),
        }
    }
    if !links.is_empty() {
        add_links(&mut named, &links);
    }
    let around = single_folder(&named).map(|folder| format!("{folder}/")).unwrap_or_default();
    let below: String =
        subdir.split('/').filter(|part| !matches!(*part, "" | ".")).map(|part| format!("{part}/")).collect();
    let prefix = format!("{around}{below}");
    let mut laid = Laid { files: Vec::new(), problems: Vec::new() };
    for (path, what) in named {
        match (path.strip_prefix(&prefix), what) {
            (_, Err(problem)) if path.is_empty() => laid.problems.push(problem),
            (Some(path), Ok(place)) => laid.files.push((path.to_owned(), place)),
            (Some(path), Err(mut problem)) => {
                // its place is reported as the files' are
                path.clone_into(&mut problem.file);
                laid.problems.push(problem);
            }
            (None, _) => {}
        }
    }
    if laid.files.is_empty() && !below.is_empty() {
        return Err(ArchiveError::NoFolder(subdir.to_owned()));
    }
    // of two entries with one name the later one counts, as with tools that unpack
    laid.files.reverse();
    laid.files.sort_by(|a, b| a.0.cmp(&b.0));
    laid.files.dedup_by(|a, b| a.0 == b.0);
    Ok(laid)
}

/// A name as a path inside of the source.
fn path_in_source(name: &[u8]) -> Result<String, &'static str> {
    let name = std::str::from_utf8(name).map_err(|_| "is not UTF-8")?;
    if name.contains('\\') || name.contains('\0') {
        return Err("has a character that no name has here");
    }
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "." => {}
            "" | ".." => return Err("leads out of the archive"),
            part => parts.push(part),
        }
    }
    if parts.is_empty() { Err("is empty") } else { Ok(parts.join("/")) }
}

/// What systems add to archives by themselves.
fn is_litter(path: &str) -> bool {
    path.starts_with("__MACOSX/") || path.rsplit('/').next() == Some(".DS_Store")
}

/// The folder that everything is in.
fn single_folder(named: &[(String, Result<StoredPlace, Diagnostic>)]) -> Option<String> {
    let mut folders = named
        .iter()
        .map(|(path, _)| path)
        .filter(|path| !path.is_empty())
        .map(|path| path.split_once('/').map(|(folder, _)| folder));
    let first = folders.next()??;
    folders.all(|folder| folder == Some(first)).then(|| first.to_owned())
}
