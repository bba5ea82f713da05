//! The descriptions that the pages of a site are about: parsed once while the site is loaded, and kept with it.

use std::sync::Arc;

use serde_json::Value;

use crate::original::Original;
use base::cut::SliceText as _;
use base::limits::DESCRIPTION_BYTES;
use base::{Diagnostic, FileId, Place};
use site::fragments::fragments;
use site::page::{Endpoint, PageEntry};
use site::tree::SourceTree;

use super::Specs;
use super::messages::is_remote;
use super::operation::{Operation, operation};

/// A description of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DescriptionId(usize);

/// The descriptions of a site. Those that no page and no entry of the navigation needs have no document.
#[derive(Debug, Default)]
pub struct Descriptions {
    specs: Specs,
}

/// Where the texts of a description stand in its file.
#[derive(Debug)]
pub struct DescriptionTexts {
    file: FileId,
    original: Original,
}

impl DescriptionTexts {
    /// Where a text begins, and whether its lines are lines of the file, as in a block of YAML.
    pub fn place(&self, text: &str) -> (Place, bool) {
        let (line, in_lines) = self.original.folded_line_of(text);
        (Place { file: self.file, line: line.max(1), column: 0 }, in_lines)
    }
}

/// A part of a description that the front matter of a page names.
#[derive(Clone, Debug)]
pub struct DescriptionPart<'a> {
    /// The description.
    pub id: DescriptionId,
    /// The key of the part.
    pub name: &'a str,
    /// The part; it may be a reference (`$ref`) to another.
    pub value: &'a Value,
}

/// What front matter refers to, besides operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferredKind {
    /// `openapi-schema: [file] Name`.
    Schema,
    /// `asyncapi: [file] channelId`.
    Channel,
    /// `openapi-overview: file`: all of it.
    Overview,
}

impl ReferredKind {
    /// The kind that a key of the front matter names.
    pub fn of_key(key: &str) -> Option<Self> {
        match key {
            "openapi-schema" => Some(Self::Schema),
            "asyncapi" => Some(Self::Channel),
            "openapi-overview" => Some(Self::Overview),
            _ => None,
        }
    }

    /// The key of the front matter.
    pub fn key(self) -> &'static str {
        match self {
            Self::Schema => "openapi-schema",
            Self::Channel => "asyncapi",
            Self::Overview => "openapi-overview",
        }
    }

    /// The sources and names that a text may mean, the likeliest first.
    fn splits(self, text: &str) -> Vec<(Option<&str>, &str)> {
        match self {
            Self::Overview => vec![(Some(text.trim()), "")],
            Self::Schema | Self::Channel => splits(text).collect(),
        }
    }

    /// The pointer of the object that holds parts of this kind by their names.
    fn place(self) -> &'static str {
        match self {
            Self::Schema => "/components/schemas",
            Self::Channel => "/channels",
            Self::Overview => "",
        }
    }
}

impl Descriptions {
    /// Keeps what the pages need of what was read, and says what is wrong with descriptions that were not read yet.
    pub fn keep(mut specs: Specs, pages: &[PageEntry], tree: &SourceTree) -> (Self, Vec<Diagnostic>) {
        let mut found = Vec::new();
        let mut is_needed = vec![false; specs.numbers().len()];
        for page in pages {
            let near = page.slug.as_str();
            let of_operation = page.endpoint.as_ref().and_then(|endpoint| {
                let mut numbers = specs.of_operation(endpoint).into_iter();
                numbers.find(|number| operation(&specs.document(*number, tree), endpoint).is_some())
            });
            let reference = page.meta.reference.as_ref();
            let of_part = reference
                .and_then(|(key, text)| Some((ReferredKind::of_key(key)?, text)))
                .and_then(|(kind, text)| specs.find_part(kind, text, near, tree));
            if of_part.is_none() {
                found.extend(specs.missing_part(page, tree));
            }
            for number in of_operation.into_iter().chain(of_part) {
                is_needed[number] = true;
            }
        }
        found.extend(specs.take_found());
        specs.forget_others(&is_needed);
        (Self { specs }, found)
    }

    /// All descriptions of the site, in the order of their paths.
    pub fn ids(&self) -> impl Iterator<Item = DescriptionId> + use<> {
        self.specs.numbers().map(DescriptionId)
    }

    /// The file of a description.
    pub fn file(&self, id: DescriptionId) -> FileId {
        self.specs.file(id.0)
    }

    /// The path or address of a description.
    pub fn path(&self, id: DescriptionId) -> &str {
        self.specs.path(id.0)
    }

    /// Targets of links in what the descriptions say into the anchors of pages.
    pub fn fragments(&self) -> Vec<(FileId, String)> {
        fn look(value: &Value, found: &mut impl FnMut(&str)) {
            match value {
                Value::Array(items) => items.iter().for_each(|item| look(item, found)),
                Value::Object(members) => {
                    for (key, member) in members {
                        match member.as_str() {
                            Some(text) if key == "description" && text.contains('#') => found(text),
                            _ => look(member, found),
                        }
                    }
                }
                _ => {}
            }
        }
        let mut targets = Vec::new();
        for id in self.ids() {
            let Some(document) = self.document(id) else { continue };
            let file = self.file(id);
            look(document, &mut |text| targets.extend(fragments(text).into_iter().map(|target| (file, target))));
        }
        targets
    }

    /// Where the texts of a description stand.
    pub fn texts(&self, id: DescriptionId, tree: &SourceTree) -> DescriptionTexts {
        let file = self.file(id);
        let text = tree.read_text(file, DESCRIPTION_BYTES).unwrap_or_default();
        DescriptionTexts { file, original: Original::new(text, "description") }
    }

    /// A description, if some page or the navigation needs it.
    pub fn document(&self, id: DescriptionId) -> Option<&Arc<Value>> {
        self.specs.parsed(id.0)
    }

    /// The first description that has an operation, of those that it may mean.
    pub fn operation<'a>(&'a self, endpoint: &Endpoint) -> Option<(DescriptionId, &'a Arc<Value>, Operation<'a>)> {
        self.specs.of_operation(endpoint).into_iter().find_map(|number| {
            let document = self.specs.parsed(number)?;
            Some((DescriptionId(number), document, operation(document, endpoint)?))
        })
    }

    /// What the front matter of a page refers to (its key and its value), besides an operation. `near`: the page.
    pub fn part(&self, key: &str, text: &str, near: &str) -> Option<DescriptionPart<'_>> {
        let kind = ReferredKind::of_key(key)?;
        let (number, name) = kind.splits(text).into_iter().find_map(|(source, name)| {
            let mut numbers = self.specs.of_source(source, near).into_iter();
            let has =
                |number: &usize| self.specs.parsed(*number).is_some_and(|document| has_part(document, kind, name));
            Some((numbers.find(has)?, name))
        })?;
        let document = self.specs.parsed(number)?;
        if kind == ReferredKind::Overview {
            return Some(DescriptionPart { id: DescriptionId(number), name: self.specs.path(number), value: document });
        }
        let (name, value) = document.pointer(kind.place())?.as_object()?.get_key_value(name)?;
        Some(DescriptionPart { id: DescriptionId(number), name, value })
    }
}

impl Specs {
    /// The number of the description that has a part, parsing those that may have it.
    pub(super) fn find_part(&mut self, kind: ReferredKind, text: &str, near: &str, tree: &SourceTree) -> Option<usize> {
        kind.splits(text).into_iter().find_map(|(source, name)| {
            let mut numbers = self.of_source(source, near).into_iter();
            numbers.find(|number| has_part(&self.document(*number, tree), kind, name))
        })
    }

    /// What is said of a page whose front matter names a part that no description has. Why a description cannot be
    /// used has been told.
    fn missing_part(&self, page: &PageEntry, tree: &SourceTree) -> Option<Diagnostic> {
        let (key, text) = page.meta.reference.as_ref()?;
        let (kind, file) = (ReferredKind::of_key(key)?, page.file?);
        let (source, name) = kind.splits(text).into_iter().next()?;
        let numbers = self.of_source(source, &page.slug);
        let is_reported = numbers.iter().any(|number| self.parsed(*number).is_none())
            || numbers.is_empty() && source.is_some_and(is_remote);
        if is_reported {
            return None;
        }
        let what = if kind == ReferredKind::Schema { "schema" } else { "channel" };
        let message = match source {
            Some(source) if numbers.is_empty() => format!("the API description `{source}` does not exist"),
            Some(source) => format!("`{source}` has no {what} `{name}`"),
            None => format!("no API description has the {what} `{name}`"),
        };
        let line = page.meta.reference_line;
        Some(Diagnostic::new("openapi-missing-part", message).at(tree.path(file), line, u32::from(line > 0)))
    }

    /// Whether a part that the front matter of a page names is cut out of a description.
    pub fn has_closed_part(&self, kind: ReferredKind, text: &str, near: &str) -> bool {
        kind.splits(text).into_iter().any(|(source, name)| {
            let mut closed = self.of_source(source, near).into_iter().flat_map(|number| self.closed_parts(number));
            closed.any(|(of, closed)| *of == kind && closed == name)
        })
    }
}

/// The parts of a document that another does not have.
pub(super) fn parts_gone(before: &Value, after: &Value) -> Vec<(ReferredKind, String)> {
    let kinds = [ReferredKind::Schema, ReferredKind::Channel].into_iter();
    let parts = kinds.filter_map(|kind| Some((kind, before.pointer(kind.place())?.as_object()?)));
    let names = parts.flat_map(|(kind, parts)| parts.keys().map(move |name| (kind, name)));
    names.filter(|(kind, name)| !has_part(after, *kind, name)).map(|(kind, name)| (kind, name.clone())).collect()
}

fn has_part(document: &Value, kind: ReferredKind, name: &str) -> bool {
    match kind {
        ReferredKind::Overview => document.get("openapi").is_some(),
        _ => document.pointer(kind.place()).is_some_and(|parts| parts.get(name).is_some()),
    }
}

/// The ways to read `[file] name`, in which both may have spaces: the likeliest first.
fn splits(text: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let text = text.trim();
    let at_spaces = text
        .rmatch_indices(char::is_whitespace)
        .map(move |(at, space)| (Some(text.slice(..at).trim_end()), text.slice(at + space.len()..)));
    at_spaces.filter(|(source, _)| source.is_some_and(|source| !source.is_empty())).chain([(None, text)])
}
