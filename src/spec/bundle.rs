//! Brings what a description refers to in other files of the repository into its document.
//!
//! Only the parts that are referred to come along, each once, below [`FILES`]: a file with the schemas of fifty
//! descriptions costs each of them what it uses. References are followed from a list, not by recursion, so circles and
//! long chains end by themselves.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};

use base::cut::SliceText as _;
use base::limits::{DESCRIPTION_FILES, DESCRIPTION_NODES};
use base::{Diagnostic, FileId};
use site::tree::SourceTree;

use super::read::parse_spec;
use super::reference::{FILES, ReferenceTarget, for_each_reference, pointer, to_part, unescape_pointer_segment};
use super::sniff::format_of_extension;
use super::unreadable::{UnreadableDescription, count_values};

/// Files that descriptions refer to, parsed once for all of them.
#[derive(Debug, Default)]
pub(super) struct ParsedFiles {
    /// `None` for those that cannot be read.
    documents: FxHashMap<FileId, Option<Arc<Value>>>,
    /// What is wrong with what was read, until it is taken.
    pub(super) found: Vec<Diagnostic>,
}

impl ParsedFiles {
    /// A file; says once why it cannot be read.
    pub(super) fn read(&mut self, file: FileId, tree: &SourceTree) -> Option<Arc<Value>> {
        if let Some(known) = self.documents.get(&file) {
            return known.clone();
        }
        let read = self.parse(file, tree);
        let document = read.map_err(|error| self.found.push(error.diagnostic(tree.path(file)))).ok().map(Arc::new);
        self.documents.insert(file, document.clone());
        document
    }

    /// A description, which is not kept here unless others refer to it.
    pub(super) fn take(&mut self, file: FileId, tree: &SourceTree) -> Result<Value, UnreadableDescription> {
        match self.documents.get(&file) {
            Some(Some(known)) => Ok((**known).clone()),
            _ => self.parse(file, tree),
        }
    }

    fn parse(&mut self, file: FileId, tree: &SourceTree) -> Result<Value, UnreadableDescription> {
        let (document, found) = parse_spec(file, tree)?;
        self.found.extend(found);
        Ok(document)
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.documents = FxHashMap::default();
    }

    /// Makes all references of a document local. Returns the files that parts of it come from, in the order of their ids.
    pub(super) fn bundle(&mut self, document: &mut Value, file: FileId, tree: &SourceTree) -> Vec<FileId> {
        let root = tree.path(file);
        let mut bundler = Bundler {
            root,
            in_repository: tree.fetched_file(file).is_none(),
            open: Vec::new(),
            known: FxHashSet::default(),
            files: Map::new(),
            inserted: FxHashSet::default(),
        };
        bundler.localize(document, root);
        let mut reached: BTreeSet<FileId> = BTreeSet::new();
        let (mut nodes, mut is_cut) = (0, false);
        while let Some((path, pointer)) = bundler.open.pop() {
            let found = tree.find_any(&path).filter(|_| format_of_extension(&path).is_some());
            let Some(id) = found.filter(|_| !bundler.has(&path, &pointer)) else { continue };
            let is_new = reached.insert(id);
            if is_new && reached.len() > DESCRIPTION_FILES {
                reached.remove(&id);
                is_cut = true;
                continue;
            }
            let Some(part) = self.read(id, tree) else { continue };
            let Some(value) = part.pointer(&pointer) else {
                // the file is known, but has no such part
                bundler.files.entry(path).or_insert_with(|| Value::Object(Map::new()));
                continue;
            };
            nodes += count_values(value);
            if nodes > DESCRIPTION_NODES {
                is_cut = true;
                break;
            }
            let mut value = value.clone();
            bundler.localize(&mut value, &path);
            bundler.insert(&path, &pointer, value);
        }
        if is_cut {
            let message = format!(
                "`{root}` refers to more than {DESCRIPTION_FILES} files or {DESCRIPTION_NODES} values of other files; it is shown without the others"
            );
            self.found.push(Diagnostic::new("openapi-ref", message).at(root, 0, 0));
        }
        if !bundler.files.is_empty()
            && let Some(members) = document.as_object_mut()
        {
            members.insert(FILES.to_owned(), Value::Object(bundler.files));
        }
        reached.into_iter().collect()
    }
}

/// Puts one document together.
struct Bundler<'a> {
    /// The path of the description.
    root: &'a str,
    /// It is a file of the repository, not one from another server.
    in_repository: bool,
    /// Parts that are still to be brought: path and pointer.
    open: Vec<(String, String)>,
    /// Every part that was ever in `open`, so that none is brought twice.
    known: FxHashSet<(String, String)>,
    /// The parts that were brought, below the path of their file.
    files: Map<String, Value>,
    /// Path and pointer of what was brought.
    inserted: FxHashSet<(String, String)>,
}

impl Bundler<'_> {
    /// Makes the references of a value from a file local, and lists what they lead to.
    fn localize(&mut self, value: &mut Value, path: &str) {
        for_each_reference(value, &mut |reference| {
            let ReferenceTarget::Part(target, fragment) = ReferenceTarget::read(reference, path, self.in_repository)
            else {
                return;
            };
            if target == self.root {
                if !reference.starts_with('#') {
                    *reference = format!("#{fragment}");
                }
                return;
            }
            *reference = to_part(&target, &fragment);
            let Some(pointer) = pointer(&format!("#{fragment}")).map(Cow::into_owned) else { return };
            if self.known.insert((target.clone(), pointer.clone())) {
                self.open.push((target, pointer));
            }
        });
    }

    /// Whether a part has been brought, by itself or inside of a larger one.
    fn has(&self, path: &str, pointer: &str) -> bool {
        let ends = pointer.match_indices('/').map(|(at, _)| at).chain([pointer.len()]);
        ends.into_iter().any(|end| self.inserted.contains(&(path.to_owned(), pointer.slice(..end).to_owned())))
    }

    /// Puts a part where its pointer says.
    fn insert(&mut self, path: &str, pointer: &str, value: Value) {
        self.inserted.insert((path.to_owned(), pointer.to_owned()));
        if pointer.is_empty() {
            self.files.insert(path.to_owned(), value);
            return;
        }
        let mut at = self.files.entry(path.to_owned()).or_insert_with(|| Value::Object(Map::new()));
        for segment in pointer.split('/').skip(1) {
            let Value::Object(members) = at else { return };
            at = members.entry(unescape_pointer_segment(segment)).or_insert_with(|| Value::Object(Map::new()));
        }
        *at = value;
    }
}
