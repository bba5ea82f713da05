//! What the readers of a bundle may not see, because it names user groups that the export does not include.
//!
//! 1. [`Readers`] decides: pages by their front matter, parts of API descriptions by `x-mint`. Groups that cannot be
//!    read close what they stand at.
//! 2. [`cut_restricted_specs`] looks at every JSON and YAML file whose text names groups and puts what may be seen in
//!    its place (`cut`, written by `text`). From then on the tree has no more of it, so that no later stage can show
//!    it: pages, their Markdown, the published copy of the file.
//! 3. [`close_pages`] takes out the pages about operations that are gone.

mod cut;
mod examples;
mod needed;
#[cfg(test)]
mod tests;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::base::cut::SliceText as _;
use crate::base::{Diagnostic, FileId};

use super::inventory::Inventory;
use super::meta::access_groups;
use super::problems::Problems;
use super::spec::{self, Members, PartKind, Specs};
use super::tree::SourceTree;
use super::yaml::Yaml;
use cut::cut_restricted;

/// The user groups whose readers a bundle is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Readers<'a>(pub(crate) &'a [String]);

/// The group that stands for any.
const ANY: &str = "*";

impl Readers<'_> {
    /// Whether they see what has these access groups (as [`access_groups`] reads them): it has none, or one is theirs
    /// and none of those is excluded (`!name`). `*` is any group.
    pub(crate) fn may_see(self, groups: &[String]) -> bool {
        if groups.is_empty() {
            return true;
        }
        let (excludes, includes): (Vec<&str>, Vec<&str>) =
            groups.iter().map(String::as_str).partition(|group| group.starts_with('!'));
        let excluded = excludes.iter().any(|group| self.has(group.slice(1..)));
        let included = includes.is_empty() || includes.iter().any(|group| *group == ANY || self.has(group));
        let is_readable = !groups.iter().any(String::is_empty);
        !self.0.is_empty() && is_readable && included && !excluded
    }

    fn has(self, name: &str) -> bool {
        self.0.iter().any(|group| group == name)
    }

    /// What is left of the access groups of a part that they see: names of their own groups, or any. Other groups are
    /// not for them.
    fn own(self, groups: &[String]) -> Value {
        let own: Vec<&str> = groups.iter().map(String::as_str).filter(|group| self.has(group)).collect();
        if own.is_empty() { vec![ANY].into() } else { own.into() }
    }
}

/// The access groups of an object of a description.
pub(crate) fn groups_of(members: Members<'_>) -> Vec<String> {
    members.get("x-mint").and_then(groups_in).map(list_access_groups).unwrap_or_default()
}

/// The member of `x-mint`, or of its `metadata`, that names groups, in any case.
pub(crate) fn groups_in(mint: &Value) -> Option<&Value> {
    mint.as_object()?.iter().find(|(key, _)| is_groups(key)).map(|(_, groups)| groups)
}

fn is_groups(key: &str) -> bool {
    key.eq_ignore_ascii_case("groups")
}

/// Access groups as an API description has them.
pub(super) fn list_access_groups(groups: &Value) -> Vec<String> {
    access_groups(&Yaml::from(groups))
}

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
pub(super) fn cut_restricted_specs(
    specs: &mut Specs,
    tree: &mut SourceTree,
    readers: Readers<'_>,
    problems: &mut Problems,
) -> Vec<String> {
    let mut withheld: BTreeSet<FileId> = BTreeSet::new();
    let mut published: BTreeMap<FileId, Vec<u8>> = BTreeMap::new();
    let mut reached: [BTreeSet<FileId>; 2] = Default::default();
    for (file, number) in files_to_close(specs, tree, problems) {
        let path = tree.path(file).to_owned();
        let document = match number {
            Some(number) => specs.document(number, tree, &mut problems.found),
            None => specs
                .part(file, tree, &mut problems.found)
                .unwrap_or_else(|error| {
                    let message =
                        format!("`{path}` is left out: it names user groups, and cannot be read: {}", error.reason);
                    problems.found.push(Diagnostic::new("openapi-file", message).at(
                        path.as_str(),
                        error.line,
                        error.column,
                    ));
                    Value::Null
                })
                .into(),
        };
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
        let written = tree.read_text(file, crate::base::limits::DESCRIPTION_BYTES).unwrap_or_default();
        let left = spec::unbundled(&cut.document, &path);
        // what is closed may stand in other files alone
        if left != spec::unbundled(&document, &path) {
            published.insert(file, text::like(written.as_bytes(), &left));
        }
        if cut.is_empty {
            withheld.insert(file);
        }
        if let Some(number) = number {
            specs.replace(number, cut.document, cut.closed, written);
        }
    }
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

/// The files that have to be looked at: those whose text names groups, the descriptions that have parts of them, and
/// all that these have parts of. Of descriptions with their number.
fn files_to_close(specs: &mut Specs, tree: &SourceTree, problems: &mut Problems) -> BTreeMap<FileId, Option<usize>> {
    let named: BTreeMap<FileId, Option<usize>> = specs.naming_groups().into_iter().collect();
    let mut files = named.clone();
    if named.is_empty() {
        return files;
    }
    let mut parts: BTreeSet<FileId> = BTreeSet::new();
    for number in specs.numbers() {
        specs.document(number, tree, &mut problems.found);
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
    let files = document.get(spec::FILES).and_then(Value::as_object).into_iter().flatten();
    files.filter_map(|(path, _)| tree.find_any(path)).collect()
}

/// Takes out the pages about an operation that no description has any more: they are as restricted as the operation.
pub(super) fn close_pages(inventory: &mut Inventory, specs: &mut Specs, tree: &SourceTree, problems: &mut Problems) {
    if !specs.any_closed() {
        return;
    }
    let Inventory { pages, grouped, .. } = inventory;
    pages.retain(|page| {
        let part = page.meta.reference.as_ref().and_then(|(key, text)| Some((PartKind::of_key(key)?, text)));
        if let Some((kind, text)) = part
            && specs.has_closed_part(kind, text, &page.slug)
            && specs.find_part(kind, text, &page.slug, tree, &mut problems.found).is_none()
        {
            grouped.insert(page.slug.clone());
            return false;
        }
        // `api` describes an operation by itself
        let Some(endpoint) = page.endpoint.as_ref().filter(|endpoint| endpoint.line > 0) else { return true };
        let numbers = specs.of_operation(endpoint);
        let is_closed = specs.has_closed(&numbers, endpoint)
            && numbers
                .iter()
                .all(|number| spec::operation(&specs.document(*number, tree, &mut problems.found), endpoint).is_none());
        if is_closed {
            grouped.insert(page.slug.clone());
        }
        !is_closed
    });
}
