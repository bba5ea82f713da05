//! The operations, webhooks and channels of a document.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::groups;
use site::page::{Endpoint, slug_of};

use super::slug::{join_slug_parts, slug_part};

/// Methods of a path, in the order in which pages are generated.
pub(super) const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// Where a path has operations of other methods (OpenAPI 3.2), by method.
pub const ADDITIONAL: &str = "additionalOperations";

/// References that are followed from a path to its operations, one after the other: circles end.
const STEPS: usize = 8;

/// Objects whose keys are names that the author chose, no words of the format.
pub(crate) const NAMES: [&str; 19] = [
    "$defs",
    "callbacks",
    "content",
    "definitions",
    "dependentSchemas",
    "encoding",
    "headers",
    "links",
    "mapping",
    "parameters",
    "pathItems",
    "paths",
    "patternProperties",
    "properties",
    "requestBodies",
    "responses",
    "schemas",
    "securitySchemes",
    "variables",
];

/// The key of an object that stands for a part of the document elsewhere.
pub(super) const REFERENCE: &str = "$ref";

/// An object of a description.
pub type DescriptionMembers<'a> = &'a Map<String, Value>;

/// An operation, webhook or channel of a description.
#[derive(Clone, Copy, Debug)]
pub struct Operation<'a> {
    /// Lower-case method, or `webhook`.
    pub method: &'a str,
    /// The method with which it is called, webhooks too: the key that it stands at.
    pub http_method: &'a str,
    /// Path or name.
    pub path: &'a str,
    /// The members of the operation.
    pub about: &'a Map<String, Value>,
    /// What is said about its path, where the operation stands.
    item: &'a Map<String, Value>,
    /// What stands under its path, which may only refer to that.
    pub entry: &'a Map<String, Value>,
}

/// The operations and webhooks of a description, in order, without those it excludes.
pub fn operations(document: &Value) -> Vec<Operation<'_>> {
    let mut operations = Vec::new();
    for (key, is_webhook) in [("paths", false), ("webhooks", true)] {
        for (path, entry) in document.get(key).and_then(Value::as_object).into_iter().flatten() {
            operations
                .extend(operations_of(document, path, entry, is_webhook).into_iter().map(|(_, operation)| operation));
        }
    }
    operations.retain(|operation| !operation.flag("x-excluded"));
    operations
}

/// The operations of what stands under a path, each with the key that it stands at.
pub fn operations_of<'a>(
    document: &'a Value,
    path: &'a str,
    entry: &'a Value,
    is_webhook: bool,
) -> Vec<(&'a str, Operation<'a>)> {
    let items = path_items(document, entry);
    let Some(entry) = items.first().copied() else { return Vec::new() };
    let more = items.iter().filter_map(|item| item.get(ADDITIONAL)?.as_object()).flat_map(Map::keys);
    let methods = METHODS.into_iter().chain(more.map(String::as_str).filter(|method| !is_method(method)));
    let found = methods.filter_map(|http_method| {
        let (about, item) = about(document, &items, http_method)?;
        let method = if is_webhook { "webhook" } else { http_method };
        Some((http_method, Operation { method, http_method, path, about, item, entry }))
    });
    found.collect()
}

/// Whether a key of what stands under a path is a method.
pub fn is_method(key: &str) -> bool {
    METHODS.contains(&key)
}

/// What stands under a path, and what its `$ref` leads to inside the description.
pub fn path_items<'a>(document: &'a Value, entry: &'a Value) -> Vec<DescriptionMembers<'a>> {
    let mut items = Vec::new();
    let mut next = entry.as_object();
    while let Some(item) = next.filter(|_| items.len() < STEPS) {
        items.push(item);
        next = item_reference(item).and_then(|reference| referred(document, reference));
    }
    items
}

/// What the `$ref` of what stands under a path names.
pub fn item_reference(item: &Map<String, Value>) -> Option<&str> {
    item.get(REFERENCE)?.as_str()
}

pub(crate) fn referred<'a>(document: &'a Value, reference: &str) -> Option<&'a Map<String, Value>> {
    pointer_target(document, reference)?.as_object()
}

/// What a reference inside the description leads to.
pub(super) fn pointer_target<'a>(document: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = percent_decode_str(reference.strip_prefix('#')?).decode_utf8().ok()?;
    document.pointer(&pointer)
}

/// What is said about a method, and the item where that stands.
fn about<'a>(
    document: &'a Value,
    items: &[DescriptionMembers<'a>],
    method: &str,
) -> Option<(DescriptionMembers<'a>, DescriptionMembers<'a>)> {
    items.iter().find_map(|item| {
        let written = item.get(method).or_else(|| item.get(ADDITIONAL)?.get(method))?;
        // files are put together in this way, though no version of the format says so
        Some((*path_items(document, written).last()?, *item))
    })
}

/// The operation that an entry names, if the description has it. A slash at the end of the path may be missing or too
/// many.
pub fn operation<'a>(document: &'a Value, endpoint: &Endpoint) -> Option<Operation<'a>> {
    let is_webhook = endpoint.method.eq_ignore_ascii_case("webhook");
    let paths = document.get(if is_webhook { "webhooks" } else { "paths" })?.as_object()?;
    let trimmed = endpoint.path.trim_end_matches('/');
    let same = |path: &str| path.trim_end_matches('/') == trimmed;
    let (path, entry) = paths.get_key_value(&endpoint.path).or_else(|| paths.iter().find(|(path, _)| same(path)))?;
    let mut operations = operations_of(document, path, entry, is_webhook).into_iter();
    operations
        .find(|(method, _)| is_webhook || method.eq_ignore_ascii_case(&endpoint.method))
        .map(|(_, operation)| operation)
}

/// The segment of a JSON pointer that leads to a key.
pub fn escape_pointer_segment(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

impl<'a> Operation<'a> {
    /// An operation of which its own members are known, and not what is said about its path.
    pub(super) fn alone(method: &'a str, path: &'a str, about: DescriptionMembers<'a>) -> Self {
        Self { method, http_method: method, path, about, item: about, entry: about }
    }

    /// What is said about its path, the nearest first: where the operation stands, and what only refers to that.
    pub fn items(&self) -> impl DoubleEndedIterator<Item = DescriptionMembers<'a>> + use<'a> {
        [Some(self.item), Some(self.entry).filter(|entry| !std::ptr::eq(*entry, self.item))].into_iter().flatten()
    }

    /// A text of the operation.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.about.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    /// A flag of the operation or of its path.
    pub fn flag(&self, key: &str) -> bool {
        std::iter::once(self.about)
            .chain(self.items())
            .any(|object| object.get(key).and_then(Value::as_bool) == Some(true))
    }

    /// The parameters of all operations of its path.
    pub fn shared_parameters(&self) -> Option<&'a Value> {
        self.items().find_map(|object| object.get("parameters"))
    }

    /// Its first tag.
    pub fn tag(&self) -> Option<&'a str> {
        self.about.get("tags")?.get(0)?.as_str().filter(|tag| !tag.is_empty())
    }

    /// A key of `x-mint`.
    pub fn mint(&self, key: &str) -> Option<&'a Value> {
        self.about.get("x-mint")?.get(key)
    }

    /// Access groups of the operation, its path and its page.
    pub fn groups(&self) -> Vec<String> {
        let of_page = self.mint("metadata").and_then(groups::groups_in).map(groups::list_access_groups);
        self.items()
            .rev()
            .chain([self.about])
            .flat_map(groups::groups_of)
            .chain(of_page.into_iter().flatten())
            .collect()
    }

    /// The slug of its page: `x-mint.href`, or `<directory>/<tag>/<summary>`; without a summary `<method>-<path>`.
    pub fn slug(&self, directory: &str) -> String {
        if let Some(href) = self.mint("href").and_then(Value::as_str) {
            return slug_of(href);
        }
        let tag = self.tag().map(slug_part).unwrap_or_default();
        let name = self.text("summary").map_or_else(|| format!("{}-{}", self.method, slug_part(self.path)), slug_part);
        join_slug_parts(&[&slug_of(directory), &tag, &name])
    }
}

/// The channels of an AsyncAPI description: (id, what is said about it).
pub fn channels(document: &Value) -> Vec<(&str, &Value)> {
    let channels = document.get("channels").and_then(Value::as_object).into_iter().flatten();
    channels.map(|(id, entry)| (id.as_str(), follow_reference(document, entry))).collect()
}

/// What a value is, or what its references lead to.
fn follow_reference<'a>(document: &'a Value, mut value: &'a Value) -> &'a Value {
    for _ in 0..STEPS {
        let reference = value.as_object().and_then(item_reference);
        let next = reference.and_then(|reference| pointer_target(document, reference));
        match next {
            Some(next) => value = next,
            None => break,
        }
    }
    value
}
