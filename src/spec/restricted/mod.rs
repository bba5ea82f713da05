//! What the readers of a bundle may not see, because it names user groups that the export does not include.
//!
//! 1. [`ReaderGroups`] decides: pages by their front matter, parts of API descriptions by `x-mint` (`groups`). Groups
//!    that cannot be read close what they stand at.
//! 2. [`cut_restricted_specs`] looks at every JSON and YAML file whose text names groups and puts what may be seen in
//!    its place (`cut`, written by `text`). From then on the tree has no more of it, so that no later stage can show
//!    it: pages, their Markdown, the published copy of the file.
//! 3. `load` takes out the pages about operations that are gone.

mod cut;
mod examples;
mod needed;
#[cfg(test)]
mod tests;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::OpenSpecs;
use crate::groups::ReaderGroups;
use base::{Diagnostic, FileId};
use site::tree::SourceTree;

use cut::cut_restricted;

/// What is said of a link to what is left out. `link` names it.
pub fn restricted_link(link: &str) -> Diagnostic {
    let message = format!("{link} leads to what this export leaves out: it is restricted to user groups");
    Diagnostic::new("restricted-link", message)
        .hint("remove the link, or export with `--group` for readers of one of these groups")
}

/// Cuts out of descriptions, and of the files that they may be put together from, what the readers may not see. Returns
/// the paths of those of which nothing is left.
///
/// What a file refers to in others may be closed there: each file is cut together with all that it refers to.
pub fn cut_restricted_specs(open: &mut OpenSpecs, readers: ReaderGroups<'_>) -> Vec<String> {
    let mut withheld: BTreeSet<FileId> = BTreeSet::new();
    let mut published: BTreeMap<FileId, Vec<u8>> = BTreeMap::new();
    let mut reached: [BTreeSet<FileId>; 2] = Default::default();
    for (file, number) in files_to_close(open) {
        let document = match number {
            Some(number) => open.document(number),
            None => open_part(file, open).into(),
        };
        let OpenSpecs { specs, tree, .. } = &mut *open;
        let path = tree.path(file);
        if document.is_null() {
            withheld.insert(file);
            continue;
        }
        let cut = cut_restricted(&document, readers);
        let left = cut.as_ref().map_or(&*document, |cut| &cut.document);
        if number.is_some() {
            reached[0].extend(files_of(&document, tree));
            reached[1].extend(files_of(left, tree));
        }
        let Some(cut) = cut else { continue };
        // overlays may be about what is closed, and what they change is published with the description
        withheld.extend(number.into_iter().flat_map(|number| specs.overlays(number)));
        let written = tree.read_text(file, base::limits::DESCRIPTION_BYTES).unwrap_or_default();
        let left = crate::unbundled(&cut.document, path);
        // what is closed may stand in other files alone
        if left != crate::unbundled(&document, path) {
            published.insert(file, text::like(written.as_bytes(), &left));
        }
        if cut.is_empty {
            withheld.insert(file);
        }
        if let Some(number) = number {
            specs.replace(number, cut.document, cut.closed, written);
        }
    }
    let tree = &mut open.tree;
    // what only closed parts referred to goes with them
    withheld.extend(reached[0].difference(&reached[1]));
    for file in &withheld {
        published.remove(file);
        tree.restrict(*file, None);
    }
    for (file, text) in published {
        tree.restrict(file, Some(text));
    }
    withheld.into_iter().map(|file| tree.path(file).to_owned()).collect()
}

/// A file that is no description; null if it cannot be read, which is told.
fn open_part(file: FileId, open: &mut OpenSpecs) -> Value {
    open.part(file).unwrap_or_else(|error| {
        let (path, (line, column)) = (open.tree.path(file), error.position);
        let message = format!("`{path}` is left out: it names user groups, and cannot be read: {}", error.reason);
        open.problems.found.push(Diagnostic::new("openapi-file", message).at(path, line, column));
        Value::Null
    })
}

/// The files that have to be looked at: those whose text names groups, the descriptions that have parts of them, and
/// all that these have parts of. Of descriptions with their number.
fn files_to_close(open: &mut OpenSpecs) -> BTreeMap<FileId, Option<usize>> {
    let named: BTreeMap<FileId, Option<usize>> = open.specs.naming_groups().into_iter().collect();
    let mut files = named.clone();
    if named.is_empty() {
        return files;
    }
    let mut parts: BTreeSet<FileId> = BTreeSet::new();
    for number in open.specs.numbers() {
        open.document(number);
        let specs = &open.specs;
        let (reached, own) = (specs.reached(number), [specs.file(number)]);
        let mut sources = reached.iter().chain(specs.overlays(number)).chain(&own);
        if sources.any(|file| named.contains_key(file)) {
            files.insert(specs.file(number), Some(number));
            parts.extend(reached);
        }
    }
    for file in parts {
        files.entry(file).or_insert(None);
    }
    // descriptions first: their overlays may go with them
    files
}

/// The other files that a document has parts of.
fn files_of(document: &Value, tree: &SourceTree) -> Vec<FileId> {
    let files = document.get(crate::FILES).and_then(Value::as_object).into_iter().flatten();
    files.filter_map(|(path, _)| tree.find_any(path)).collect()
}
