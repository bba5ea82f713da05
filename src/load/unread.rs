//! Files of a source that are not what they seem: documents in formats that are not read, of which a folder looks like
//! documentation whose pages are missing, and pointers of Git LFS in the place of files.

use std::collections::BTreeMap;

use rayon::prelude::*;

use base::extension::file_extension;
use base::pointers::{MAX_POINTER_BYTES, PointerKind};
use base::{Diagnostic, FileId};
use site::ConfigKind;
use site::tree::{SourceFile, SourceTree, folder, join_document_path};

use super::Site;

/// Endings of formats in which documentation is written, beside Markdown.
const ENDINGS: [&str; 17] = [
    "rst",
    "rest",
    "adoc",
    "asciidoc",
    "asc",
    "qmd",
    "rmd",
    "ipynb",
    "org",
    "textile",
    "mediawiki",
    "wiki",
    "creole",
    "rdoc",
    "pod",
    "typ",
    "canvas",
];
/// Endings that the message names.
const MAX_NAMED_ENDINGS: usize = 6;

/// One warning for all of them, with the first.
pub(crate) fn unread_documents(site: &Site) -> Option<Diagnostic> {
    // on a site whose pages are listed, a notebook is there to be downloaded
    let is_download = |ending: &str| ending == "ipynb" && site.kind != ConfigKind::Plain;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut first = None;
    for (_, file) in site.tree.iter().filter(|(_, file)| !file.ignored && site.served(&file.path).is_some()) {
        let ending = file_extension(&file.path).to_ascii_lowercase();
        if ENDINGS.contains(&ending.as_str()) && !is_download(&ending) && !is_about_repository(&file.path) {
            first = first.or(Some(file.path.as_str()));
            *counts.entry(ending).or_default() += 1;
        }
    }
    let first = first?;
    let total: usize = counts.values().sum();
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let named: Vec<String> =
        counts.iter().take(MAX_NAMED_ENDINGS).map(|(ending, count)| format!("{count} `.{ending}`")).collect();
    let more = if counts.len() > MAX_NAMED_ENDINGS { " …" } else { "" };
    let subject = if total == 1 { "1 document is".to_owned() } else { format!("{total} documents are") };
    let message = format!("{subject} in formats that are not read: {}{more}", named.join(", "));
    Some(
        Diagnostic::new("unread-documents", message)
            .at(first, 0, 0)
            .hint("convert them to Markdown; they are no pages of the site"),
    )
}

/// Whether a file is one that repositories have at their top whatever they hold.
fn is_about_repository(path: &str) -> bool {
    const NAMES: [&str; 7] = ["readme", "changelog", "changes", "contributing", "license", "authors", "history"];
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_ascii_lowercase();
    !path.contains('/') && NAMES.contains(&stem.as_str())
}

/// Finds the pointers among the files that a site serves and the texts that it is made of. Only files of a pointer's
/// size are read.
pub(crate) fn find_pointers(site: &Site) -> Vec<Diagnostic> {
    let tree = &site.tree;
    let is_candidate = |(_, file): &(FileId, &SourceFile)| {
        !file.ignored && (1..MAX_POINTER_BYTES).contains(&file.size) && site.served(&file.path).is_some()
    };
    let candidates: Vec<FileId> = tree.iter().filter(is_candidate).map(|(file, _)| file).collect();
    let found: Vec<Option<Diagnostic>> = candidates.into_par_iter().map(|file| pointer_problem(tree, file)).collect();
    found.into_iter().flatten().collect()
}

fn pointer_problem(tree: &SourceTree, file: FileId) -> Option<Diagnostic> {
    let (path, bytes) = (tree.path(file), tree.read_at_most(file, MAX_POINTER_BYTES).ok()?);
    if let Some(kind) = PointerKind::of(&bytes) {
        return Some(kind.diagnostic(path));
    }
    // git writes the target of a link into a file where the system has no links
    let target = std::str::from_utf8(&bytes).ok().filter(|_| file_extension(path).is_empty())?;
    let target = join_document_path(folder(path), target).filter(|target| !target.is_empty())?;
    (!bytes.contains(&b'\n') && tree.below(&target).next().is_some()).then(|| {
        let message =
            format!("`{path}` is a link to the folder `{target}` that was checked out as a text; it is not followed");
        Diagnostic::new("not-a-file", message)
            .at(path, 0, 0)
            .hint("check the repository out with `git config core.symlinks true`, on a system that has links")
    })
}
