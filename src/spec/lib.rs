//! The API descriptions of a site: which files are ones, and what navigation needs of them. They are parsed only when
//! something asks.
//!
//! `read` parses a file, `convert` brings older formats up to date, `bundle` puts the files of a description together,
//! `overlay` applies overlays; `operation` and `reference` find their way in a document; [`restricted`] takes out what
//! only user groups may see that the export does not include ([`groups`]); `lint` says what is wrong.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod anchor;
mod bundle;
mod compose;
mod convert;
mod dangling;
mod descriptions;
mod examples;
pub mod groups;
mod lint;
mod messages;
mod near;
mod number;
mod open;
mod operation;
mod original;
mod overlay;
mod places;
mod read;
mod reference;
pub mod restricted;
mod settle;
mod shape;
mod slug;
mod sniff;
mod unreadable;
mod words;

use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Map, Value};

use crate::original::Original;
use base::cut::SliceText as _;
use base::limits::DESCRIPTION_BYTES;
use base::{Diagnostic, FileId};
use site::page::{Endpoint, Preface};
use site::tree::SourceTree;

use bundle::ParsedFiles;
use descriptions::parts_gone;
use near::{beside, distance};
use overlay::AppliedOverlays;
use places::{PartPlaces, PartProblem, place_spec_problems};
use sniff::{SpecFormat, format_of_extension, is_description, is_overlay, is_swagger, name_groups, path_file_name};
use unreadable::UnreadableDescription;

pub use descriptions::Descriptions;
pub use descriptions::{DescriptionId, DescriptionTexts, ReferredKind};
pub use messages::{is_remote, missing_file, missing_operation, not_fetched};
pub use number::{spelled_number, unquote_spelled_numbers};
pub use open::OpenSpecs;
pub use operation::{ADDITIONAL, is_method, item_reference, operations_of, path_items};
pub use operation::{DescriptionMembers, Operation, channels, escape_pointer_segment, operation, operations};
pub use reference::{FILES, pointer, unescape_pointer_segment};
pub use reference::{drop_unneeded_files, has_names, unbundled};
pub use slug::{channel_slug, join_slug_parts, slug_part};
pub use sniff::{judge, opens_object};

/// Where an operation says what stands before the content of its page, in `x-mint`.
const CONTENT: &str = "content";

/// The descriptions of a site.
#[derive(Debug, Default)]
pub struct Specs {
    list: Vec<Spec>,
    /// Other JSON and YAML files whose text names user groups: descriptions may be put together from them.
    naming_groups: Vec<FileId>,
    /// Overlays of descriptions, in the order of their paths.
    overlays: Vec<FileId>,
    /// Files that descriptions refer to.
    parts: ParsedFiles,
}

#[derive(Debug)]
struct Spec {
    file: FileId,
    path: String,
    /// `None` until it is parsed; null if it cannot be.
    document: Option<Arc<Value>>,
    /// `None` until a place in it is asked for.
    original: Option<Original>,
    /// It is of the format before OpenAPI 3.
    is_swagger: bool,
    /// Its text names user groups.
    names_groups: bool,
    /// The overlays that a list names. Without one, those that extend it are applied.
    listed_overlays: Option<Vec<FileId>>,
    /// The overlays that were applied.
    overlays: Vec<FileId>,
    /// The other files that its document has parts of.
    reached: Vec<FileId>,
    /// The navigation names it.
    is_named: bool,
    /// Operations and channels that are cut out of the document.
    closed: Vec<Closed>,
    /// Schemas and channels that are.
    closed_parts: Vec<(ReferredKind, String)>,
}

/// What a JSON or YAML file is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Description,
    Overlay,
    Other,
}

impl Spec {
    fn new(file: FileId, path: &str, is_swagger: bool, names_groups: bool) -> Self {
        Self {
            file,
            is_swagger,
            path: path.to_owned(),
            document: None,
            original: None,
            names_groups,
            listed_overlays: None,
            overlays: Vec::new(),
            reached: Vec::new(),
            is_named: false,
            closed: Vec::new(),
            closed_parts: Vec::new(),
        }
    }
}

/// An operation or channel that the readers may not see.
#[derive(Clone, Debug)]
pub struct Closed {
    /// Lower-case method, or `webhook`; empty for a channel.
    pub method: String,
    /// Path, name or id.
    pub path: String,
    /// The members of the operation or channel in its description.
    pub about: Map<String, Value>,
}

impl Closed {
    /// Whether an entry of the navigation or a page means this operation.
    fn is(&self, endpoint: &Endpoint) -> bool {
        self.method.eq_ignore_ascii_case(&endpoint.method)
            && self.path.trim_end_matches('/') == endpoint.path.trim_end_matches('/')
    }

    /// The slug that its page has where it has one.
    pub fn slug(&self, directory: &str) -> String {
        if self.method.is_empty() {
            let title =
                self.about.get("title").and_then(Value::as_str).map(str::trim).filter(|title| !title.is_empty());
            return channel_slug(&self.path, title, directory);
        }
        Operation::alone(&self.method, &self.path, &self.about).slug(directory)
    }
}

impl Specs {
    /// Finds the descriptions: JSON and YAML files with `openapi` or `asyncapi` among their top-level keys.
    pub fn find(tree: &SourceTree, configuration: Option<FileId>) -> Self {
        let candidates: Vec<(FileId, &str)> = tree
            .iter()
            .filter(|(id, file)| !file.ignored && Some(*id) != configuration && file.size <= DESCRIPTION_BYTES)
            .map(|(id, file)| (id, file.path.as_str()))
            .filter(|(_, path)| format_of_extension(path).is_some())
            .collect();
        let look = |(file, path)| {
            let text = tree.read_text(file, DESCRIPTION_BYTES).unwrap_or_default();
            let bytes = text.as_bytes();
            let is_json = format_of_extension(path) == Some(SpecFormat::Json);
            let kind = match () {
                () if is_description(bytes, is_json) => FileKind::Description,
                () if is_overlay(bytes, is_json) => FileKind::Overlay,
                () => FileKind::Other,
            };
            (file, path, kind, is_swagger(bytes, is_json), name_groups(bytes))
        };
        let mut specs = Self::default();
        for (file, path, kind, is_swagger, names_groups) in candidates.into_par_iter().map(look).collect::<Vec<_>>() {
            if kind == FileKind::Description {
                specs.list.push(Spec::new(file, path, is_swagger, names_groups));
                continue;
            }
            if kind == FileKind::Overlay {
                specs.overlays.push(file);
            }
            if names_groups {
                specs.naming_groups.push(file);
            }
        }
        specs
    }

    /// Adds one that is none of those that were found.
    pub fn add(&mut self, file: FileId, path: &str, bytes: &[u8]) {
        let is_json = opens_object(bytes);
        self.list.push(Spec::new(file, path, is_swagger(bytes, is_json), name_groups(bytes)));
    }

    /// The files whose text names user groups; of descriptions with their number.
    pub fn naming_groups(&self) -> Vec<(FileId, Option<usize>)> {
        let described = self
            .list
            .iter()
            .enumerate()
            .filter(|(_, spec)| spec.names_groups)
            .map(|(number, spec)| (spec.file, Some(number)));
        described.chain(self.naming_groups.iter().map(|file| (*file, None))).collect()
    }

    /// Puts what may be seen of a description in its place. `written` is its file, which has the places of its texts.
    pub fn replace(&mut self, number: usize, document: Value, closed: Vec<Closed>, written: String) {
        let spec = &mut self.list[number];
        spec.closed_parts = spec.document.as_ref().map(|before| parts_gone(before, &document)).unwrap_or_default();
        spec.document = Some(Arc::new(document));
        spec.original = Some(Original::new(written, CONTENT));
        spec.closed = closed;
    }

    /// Whether some operation or channel is cut out.
    pub fn any_closed(&self) -> bool {
        self.list.iter().any(|spec| !spec.closed.is_empty() || !spec.closed_parts.is_empty())
    }

    /// What is cut out of a description.
    pub fn closed(&self, number: usize) -> &[Closed] {
        &self.list[number].closed
    }

    fn closed_parts(&self, number: usize) -> &[(ReferredKind, String)] {
        &self.list[number].closed_parts
    }

    /// Whether an operation is cut out of one of these descriptions.
    pub fn has_closed(&self, numbers: &[usize], endpoint: &Endpoint) -> bool {
        self.find_closed(numbers, endpoint).is_some()
    }

    /// The operation that is cut out of one of these descriptions.
    pub fn find_closed(&self, numbers: &[usize], endpoint: &Endpoint) -> Option<&Closed> {
        numbers.iter().flat_map(|number| &self.list[*number].closed).find(|closed| closed.is(endpoint))
    }

    /// The files.
    pub fn files(&self) -> Vec<FileId> {
        self.list.iter().map(|spec| spec.file).collect()
    }

    /// The file of a description.
    pub fn file(&self, number: usize) -> FileId {
        self.list[number].file
    }

    /// The other files that a description has parts of, as far as it has been read.
    pub fn reached(&self, number: usize) -> &[FileId] {
        &self.list[number].reached
    }

    /// The number of the description that a source means, the first of [`Specs::matches`].
    pub fn locate(&self, source: &str) -> Option<usize> {
        self.matches(source, "").first().copied()
    }

    /// The descriptions in a folder, if a source names one and no file.
    pub fn of_folder(&self, source: &str) -> Option<Vec<usize>> {
        let folder = source.trim_start_matches("./").trim_matches('/');
        let is_in = |number: &usize| {
            let path = self.list[*number].path.strip_prefix(folder);
            folder.is_empty() || path.is_some_and(|rest| rest.starts_with('/'))
        };
        let names_file = || {
            let stem = |path: &str| path.rsplit_once('.').map_or(path.len(), |(stem, _)| stem.len());
            self.list.iter().any(|spec| spec.path == folder || spec.path.slice(..stem(&spec.path)) == folder)
        };
        if is_remote(source) || source.is_empty() || names_file() {
            return None;
        }
        let found: Vec<usize> = self.numbers().filter(is_in).collect();
        (!found.is_empty()).then_some(found)
    }

    /// The descriptions whose names say that they are ones: `openapi.yaml`, `shop.swagger.json`.
    pub fn conventional(&self) -> Vec<usize> {
        let is_conventional = |number: &usize| {
            let name = path_file_name(&self.list[*number].path).to_ascii_lowercase();
            let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
            let mut words = stem.split(['.', '-', '_']);
            words.any(|word| matches!(word, "openapi" | "swagger" | "asyncapi"))
        };
        self.numbers().filter(is_conventional).collect()
    }

    /// The numbers of the descriptions that a source may mean, the likeliest first: the one of this path; those of this
    /// path without its extension; those of this file name, with or without its extension; those whose path contains
    /// the source; those of the same file name in another folder. Of equals, the nearest to a page.
    pub fn matches(&self, source: &str, near: &str) -> Vec<usize> {
        if is_remote(source) {
            return self.numbers().filter(|number| self.list[*number].path == source).collect();
        }
        let beside = beside(source, near);
        let source = source.trim_start_matches("./").trim_start_matches('/');
        if source.is_empty() {
            return Vec::new();
        }
        let name = path_file_name(source);
        let has_stem = |path: &str| path.rsplit_once('.').is_some_and(|(stem, _)| stem == source);
        let rank = |path: &str| match path {
            _ if beside.as_deref() == Some(path) => Some(0),
            _ if path == source => Some(1),
            _ if has_stem(path) => Some(2),
            _ if path_file_name(path) == source || has_stem(path_file_name(path)) => Some(3),
            _ if path.contains(source) => Some(4),
            _ if path_file_name(path) == name => Some(5),
            _ => None,
        };
        let ranked = self.list.iter().enumerate().filter_map(|(number, spec)| Some((rank(&spec.path)?, number)));
        self.sorted(ranked.collect(), near)
    }

    /// Descriptions by their rank; of equals the nearest to a page first, and those of the current format.
    fn sorted(&self, mut ranked: Vec<(u8, usize)>, near: &str) -> Vec<usize> {
        ranked.sort_by_cached_key(|(rank, number)| {
            let spec = &self.list[*number];
            (*rank, distance(&spec.path, near), spec.is_swagger, *number)
        });
        ranked.into_iter().map(|(_, number)| number).collect()
    }

    /// The numbers of the descriptions in which an operation is looked for: those that its source may mean, or all.
    pub fn of_operation(&self, endpoint: &Endpoint) -> Vec<usize> {
        self.of_source(endpoint.spec.as_deref(), &endpoint.near)
    }

    /// The numbers of the descriptions that a source may mean; without one, of all. The nearest to a page come first.
    pub fn of_source(&self, source: Option<&str>, near: &str) -> Vec<usize> {
        let all = || self.sorted(self.numbers().map(|number| (0, number)).collect(), near);
        source.map_or_else(all, |source| self.matches(source, near))
    }

    /// What an operation of a description puts before the content of its page.
    pub fn preface(&mut self, number: usize, operation: &Operation<'_>, tree: &SourceTree) -> Option<Box<Preface>> {
        let text = operation.mint(CONTENT)?.as_str().filter(|text| !text.trim().is_empty())?.replace("\r\n", "\n");
        let Spec { file, original, .. } = &mut self.list[number];
        let file = *file;
        let original = original
            .get_or_insert_with(|| Original::new(tree.read_text(file, DESCRIPTION_BYTES).unwrap_or_default(), CONTENT));
        let (line, in_lines) = original.line_of(&text);
        Some(Box::new(Preface { text, file, line, in_lines }))
    }

    /// Shows what is wrong with the front matter that an operation has for its page at its line of the description.
    pub fn place_in_metadata(
        &self,
        found: Vec<Diagnostic>,
        number: usize,
        operation: &Operation<'_>,
        tree: &SourceTree,
    ) -> Vec<Diagnostic> {
        if found.is_empty() {
            return found;
        }
        let list = if operation.method == "webhook" { "webhooks" } else { "paths" };
        let pointer = format!(
            "/{list}/{}/{}/x-mint/metadata",
            escape_pointer_segment(operation.path),
            escape_pointer_segment(operation.http_method)
        );
        let (path, line, column) = PartPlaces::new(tree).find(self.list[number].file, &pointer);
        found.into_iter().map(|what| what.at(path, line, column)).collect()
    }

    /// A description's path.
    pub fn path(&self, number: usize) -> &str {
        &self.list[number].path
    }

    /// All numbers.
    pub fn numbers(&self) -> std::ops::Range<usize> {
        0..self.list.len()
    }

    /// A description that has been parsed, and can be used.
    pub fn parsed(&self, number: usize) -> Option<&Arc<Value>> {
        self.list.get(number)?.document.as_ref().filter(|document| !document.is_null())
    }

    /// Drops what only the load needed: the documents that are not needed, and where texts stand in files.
    fn forget_others(&mut self, is_needed: &[bool]) {
        for (spec, is_needed) in self.list.iter_mut().zip(is_needed) {
            spec.original = None;
            if !is_needed && !spec.is_named {
                spec.document = None;
            }
        }
        self.naming_groups = Vec::new();
        self.parts.clear();
    }

    /// Marks a description that the navigation names.
    pub fn mark_named(&mut self, number: usize) {
        self.list[number].is_named = true;
    }

    /// A description, parsed on first use. Null if it cannot be; that is told once.
    fn document(&mut self, number: usize, tree: &SourceTree) -> Arc<Value> {
        if let Some(document) = &self.list[number].document {
            return Arc::clone(document);
        }
        let file = self.list[number].file;
        let (mut document, mut wrong) = self.read(number, tree).unwrap_or_else(|error| {
            self.parts.found.push(error.diagnostic(tree.path(file)));
            (Value::Null, Vec::new())
        });
        wrong.extend(shape::tidy(&mut document));
        wrong.extend(dangling::lost_references(&document, tree));
        self.parts.found.extend(place_spec_problems(wrong, file, tree));
        let document = Arc::new(document);
        self.list[number].document = Some(Arc::clone(&document));
        document
    }

    /// Reads a description with all that it refers to, in its current format, and says what that has no place for.
    fn read(&mut self, number: usize, tree: &SourceTree) -> Result<(Value, Vec<PartProblem>), UnreadableDescription> {
        let file = self.list[number].file;
        let mut document = self.parts.take(file, tree)?;
        self.overlay(&mut document, number, tree);
        self.list[number].reached = self.parts.bundle(&mut document, file, tree);
        let lost = convert::lost_values(&document);
        let mut document = convert::to_current(document).map_err(UnreadableDescription::whole)?;
        settle::settle(&mut document);
        Ok((document, lost))
    }

    /// Applies the overlays of a description.
    fn overlay(&mut self, document: &mut Value, number: usize, tree: &SourceTree) {
        let candidates = self.list[number].listed_overlays.clone().unwrap_or_else(|| self.overlays.clone());
        let is_listed = self.list[number].listed_overlays.is_some();
        let mut applied = AppliedOverlays::new(document);
        for file in candidates {
            let Some(overlay) = self.parts.read(file, tree) else { continue };
            let spec = &mut self.list[number];
            if is_listed || overlay::extended(&overlay, tree.path(file)).as_deref() == Some(&spec.path) {
                spec.overlays.push(file);
                self.parts.found.extend(place_spec_problems(applied.apply(&overlay), file, tree));
            }
        }
    }

    /// What is wrong with the descriptions that were read since this was asked last.
    fn take_found(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.parts.found)
    }

    /// Lists the overlays of a description; whether it can: no other list was given before.
    pub fn list_overlays(&mut self, number: usize, overlays: Vec<FileId>) -> bool {
        let listed = &mut self.list[number].listed_overlays;
        let is_first = listed.as_ref().is_none_or(|listed| *listed == overlays);
        if is_first {
            *listed = Some(overlays);
        }
        is_first
    }

    /// The overlays that were applied to a description.
    pub fn overlays(&self, number: usize) -> &[FileId] {
        &self.list[number].overlays
    }

    /// A file that is no description, with all that it refers to.
    ///
    /// # Errors
    /// It cannot be read.
    fn part(&mut self, file: FileId, tree: &SourceTree) -> Result<Value, UnreadableDescription> {
        let mut document = self.parts.take(file, tree)?;
        self.parts.bundle(&mut document, file, tree);
        settle::settle(&mut document);
        Ok(document)
    }
}

#[cfg(test)]
mod tests;
