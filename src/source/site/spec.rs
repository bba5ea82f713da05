//! The API descriptions of a site: which files are ones, and what navigation needs of them. They are parsed only when
//! something asks.

use std::sync::Arc;

use memchr::memmem;
use percent_encoding::percent_decode_str;
use rayon::prelude::*;
use serde_json::{Map, Value};

use crate::base::limits::{DESCRIPTION_BYTES, DESCRIPTION_NODES, NESTING};
use crate::base::printable::into_printable;
use crate::base::{Diagnostic, FileId};

use super::original::{Original, Values};
use super::page::{Endpoint, Preface, slug_of};
use super::restricted;
use super::tree::SourceTree;

/// Methods of a path, in the order in which pages are generated.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// Paths named in a message about an operation that does not exist.
const SUGGESTIONS: usize = 5;

/// References that are followed from a path to its operations, one after the other: circles end.
const STEPS: usize = 8;

/// Where an operation says what stands before the content of its page, in `x-mint`.
const CONTENT: &str = "content";

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

/// What an object has that stands elsewhere.
const REFERENCE: &str = "$ref";

/// What a file has that is a description.
const KEYS: [&str; 2] = ["openapi", "asyncapi"];

/// The descriptions of a site.
#[derive(Debug, Default)]
pub(crate) struct Specs {
    list: Vec<Spec>,
    /// Other JSON and YAML files whose text names user groups: descriptions may be put together from them.
    parts: Vec<FileId>,
}

#[derive(Debug)]
struct Spec {
    file: FileId,
    path: String,
    /// `None` until it is parsed; null if it cannot be.
    document: Option<Arc<Value>>,
    /// `None` until a place in it is asked for.
    original: Option<Original>,
    /// Its text names user groups.
    names_groups: bool,
    /// Operations and channels that are cut out of the document.
    closed: Vec<Closed>,
}

impl Spec {
    fn new(file: FileId, path: &str, names_groups: bool) -> Self {
        Self { file, path: path.to_owned(), document: None, original: None, names_groups, closed: Vec::new() }
    }
}

/// An operation or channel that the readers may not see.
#[derive(Clone, Debug)]
pub(crate) struct Closed {
    /// Lower-case method, or `webhook`; empty for a channel.
    pub(crate) method: String,
    /// Path, name or id.
    pub(crate) path: String,
    /// What is said about it.
    pub(crate) about: Map<String, Value>,
}

impl Closed {
    /// Whether it is what an entry means.
    fn is(&self, endpoint: &Endpoint) -> bool {
        self.method.eq_ignore_ascii_case(&endpoint.method)
            && self.path.trim_end_matches('/') == endpoint.path.trim_end_matches('/')
    }

    /// The slug that its page has where it has one.
    pub(crate) fn slug(&self, directory: &str) -> String {
        if self.method.is_empty() {
            let title =
                self.about.get("title").and_then(Value::as_str).map(str::trim).filter(|title| !title.is_empty());
            return channel_slug(&self.path, title, directory);
        }
        Operation { method: &self.method, path: &self.path, about: &self.about, item: &self.about, entry: &self.about }
            .slug(directory)
    }
}

/// An object of a description.
pub(crate) type Members<'a> = &'a Map<String, Value>;

/// An operation, webhook or channel of a description.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation<'a> {
    /// Lower-case method, or `webhook`.
    pub(crate) method: &'a str,
    /// Path or name.
    pub(crate) path: &'a str,
    /// What is said about it.
    pub(crate) about: &'a Map<String, Value>,
    /// What is said about its path, where the operation stands.
    item: &'a Map<String, Value>,
    /// What stands under its path, which may only refer to that.
    entry: &'a Map<String, Value>,
}

impl Specs {
    /// Finds the descriptions: JSON and YAML files with `openapi` or `asyncapi` among their top-level keys.
    pub(crate) fn find(tree: &SourceTree, configuration: Option<FileId>) -> Self {
        let candidates: Vec<(FileId, &str)> = tree
            .iter()
            .filter(|(id, file)| !file.ignored && Some(*id) != configuration && file.size <= DESCRIPTION_BYTES)
            .map(|(id, file)| (id, file.path.as_str()))
            .filter(|(_, path)| extension(path).is_some())
            .collect();
        let look = |(file, path)| {
            let bytes = tree.read_at_most(file, DESCRIPTION_BYTES).unwrap_or_default();
            (file, path, bytes_have_key(&bytes, extension(path) == Some(Format::Json), &KEYS), name_groups(&bytes))
        };
        let mut specs = Self::default();
        for (file, path, is_spec, names_groups) in candidates.into_par_iter().map(look).collect::<Vec<_>>() {
            if is_spec {
                specs.list.push(Spec::new(file, path, names_groups));
            } else if names_groups {
                specs.parts.push(file);
            }
        }
        specs
    }

    /// Those that were found before.
    pub(crate) fn of_files(tree: &SourceTree, files: &[FileId]) -> Self {
        Self { list: files.iter().map(|file| Spec::new(*file, tree.path(*file), false)).collect(), parts: Vec::new() }
    }

    /// Adds one that is none of those that were found.
    pub(super) fn add(&mut self, file: FileId, path: &str, bytes: &[u8]) {
        self.list.push(Spec::new(file, path, name_groups(bytes)));
    }

    /// The files whose text names user groups; of descriptions with their number.
    pub(super) fn naming_groups(&self) -> Vec<(FileId, Option<usize>)> {
        let described = self
            .list
            .iter()
            .enumerate()
            .filter(|(_, spec)| spec.names_groups)
            .map(|(number, spec)| (spec.file, Some(number)));
        described.chain(self.parts.iter().map(|file| (*file, None))).collect()
    }

    /// Puts what may be seen of a description in its place. `written` is its file, which has the places of its texts.
    pub(super) fn replace(&mut self, number: usize, document: Value, closed: Vec<Closed>, written: &[u8]) {
        let spec = &mut self.list[number];
        spec.document = Some(Arc::new(document));
        spec.original = Some(Original::new(written, CONTENT));
        spec.closed = closed;
    }

    /// Whether some operation or channel is cut out.
    pub(crate) fn any_closed(&self) -> bool {
        self.list.iter().any(|spec| !spec.closed.is_empty())
    }

    /// What is cut out of a description.
    pub(crate) fn closed(&self, number: usize) -> &[Closed] {
        &self.list[number].closed
    }

    /// Whether an operation is cut out of one of these descriptions.
    pub(crate) fn has_closed(&self, numbers: &[usize], endpoint: &Endpoint) -> bool {
        self.find_closed(numbers, endpoint).is_some()
    }

    /// The operation that is cut out of one of these descriptions.
    pub(crate) fn find_closed(&self, numbers: &[usize], endpoint: &Endpoint) -> Option<&Closed> {
        numbers.iter().flat_map(|number| &self.list[*number].closed).find(|closed| closed.is(endpoint))
    }

    /// The files.
    pub(crate) fn files(&self) -> Vec<FileId> {
        self.list.iter().map(|spec| spec.file).collect()
    }

    /// The number of the description that a source means, the first of [`Specs::matches`].
    pub(crate) fn locate(&self, source: &str) -> Option<usize> {
        self.matches(source).first().copied()
    }

    /// The numbers of the descriptions that a source may mean, the likeliest first: the one of this path, and then no
    /// other; those of this path without its extension; those of this file name, with or without its extension; those
    /// whose path contains the source; those of the same file name in another folder.
    pub(crate) fn matches(&self, source: &str) -> Vec<usize> {
        if is_remote(source) {
            return self.numbers().filter(|number| self.list[*number].path == source).collect();
        }
        let source = source.trim_start_matches("./").trim_start_matches('/');
        if source.is_empty() {
            return Vec::new();
        }
        let name = file_name(source);
        let has_stem = |path: &str| path.rsplit_once('.').is_some_and(|(stem, _)| stem == source);
        let rank = |path: &str| match path {
            _ if path == source => Some(0),
            _ if has_stem(path) => Some(1),
            _ if file_name(path) == source || has_stem(file_name(path)) => Some(2),
            _ if path.contains(source) => Some(3),
            _ if file_name(path) == name => Some(4),
            _ => None,
        };
        let mut ranked: Vec<(u8, usize)> =
            self.list.iter().enumerate().filter_map(|(number, spec)| Some((rank(&spec.path)?, number))).collect();
        ranked.sort_unstable();
        if ranked.first().is_some_and(|(rank, _)| *rank == 0) {
            ranked.retain(|(rank, _)| *rank == 0);
        }
        ranked.into_iter().map(|(_, number)| number).collect()
    }

    /// The numbers of the descriptions in which an operation is looked for: those that its source may mean, or all.
    pub(crate) fn of_operation(&self, endpoint: &Endpoint) -> Vec<usize> {
        endpoint.spec.as_deref().map_or_else(|| self.numbers().collect(), |source| self.matches(source))
    }

    /// What an operation of a description puts before the content of its page.
    pub(crate) fn preface(
        &mut self,
        number: usize,
        operation: &Operation<'_>,
        tree: &SourceTree,
    ) -> Option<Box<Preface>> {
        let text = operation.mint(CONTENT)?.as_str().filter(|text| !text.trim().is_empty())?.replace("\r\n", "\n");
        let Spec { file, original, .. } = &mut self.list[number];
        let file = *file;
        let original = original.get_or_insert_with(|| {
            Original::new(&tree.read_at_most(file, DESCRIPTION_BYTES).unwrap_or_default(), CONTENT)
        });
        let (line, in_lines) = original.line_of(&text);
        Some(Box::new(Preface { text, file, line, in_lines }))
    }

    /// A description's path.
    pub(crate) fn path(&self, number: usize) -> &str {
        &self.list[number].path
    }

    /// All numbers.
    pub(crate) fn numbers(&self) -> std::ops::Range<usize> {
        0..self.list.len()
    }

    /// A description, parsed on first use. Null if it cannot be; that is told once.
    pub(crate) fn document(&mut self, number: usize, tree: &SourceTree, problems: &mut Vec<Diagnostic>) -> Arc<Value> {
        let spec = &mut self.list[number];
        let document = spec.document.get_or_insert_with(|| {
            let document = parse(spec.file, tree).unwrap_or_else(|error| {
                let message = format!("`{}` is not used: {}", spec.path, error.reason);
                problems.push(Diagnostic::new("openapi-file", message).at(
                    spec.path.as_str(),
                    error.line,
                    error.column,
                ));
                Value::Null
            });
            problems.extend(in_file(lost_items(&document), spec.file, tree));
            Arc::new(document)
        });
        Arc::clone(document)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Yaml,
}

fn extension(path: &str) -> Option<Format> {
    let (_, extension) = file_name(path).rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "json" => Some(Format::Json),
        "yaml" | "yml" => Some(Format::Yaml),
        _ => None,
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Why a description cannot be read, and where.
pub(super) struct Unreadable {
    pub(super) reason: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// Reads a JSON or YAML file of the tree.
pub(super) fn parse(file: FileId, tree: &SourceTree) -> Result<Value, Unreadable> {
    let mut document = parse_as_written(file, tree)?;
    clean(&mut document);
    Ok(document)
}

/// Takes the characters out of all texts that no text shows.
fn clean(value: &mut Value) {
    match value {
        Value::String(text) => *text = into_printable(std::mem::take(text)),
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(fields) => fields.values_mut().for_each(clean),
        _ => {}
    }
}

fn parse_as_written(file: FileId, tree: &SourceTree) -> Result<Value, Unreadable> {
    let whole = |reason: String| Unreadable { reason, line: 0, column: 0 };
    let bytes =
        tree.read_at_most(file, DESCRIPTION_BYTES).map_err(|error| whole(format!("it cannot be read: {error}")))?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    // the name of an address says nothing
    let is_json = if tree.fetched_file(file).is_some() {
        opens_object(bytes)
    } else {
        extension(tree.path(file)) == Some(Format::Json)
    };
    if bytes.len() / 2 > DESCRIPTION_NODES && (is_json || opens_object(bytes)) && values(bytes) > DESCRIPTION_NODES {
        return Err(whole(format!("it has more than {DESCRIPTION_NODES} values")));
    }
    if !is_json
        && opens_object(bytes)
        && let Ok(document) = serde_json::from_slice(bytes)
    {
        return Ok(document);
    }
    if is_json {
        return serde_json::from_slice(bytes).map_err(|error| {
            let message = error.to_string();
            let message = message.rfind(" at line ").map_or(message.as_str(), |place| &message[..place]);
            let place = |number: usize| u32::try_from(number).unwrap_or(0);
            Unreadable {
                reason: format!("it is not JSON: {message}"),
                line: place(error.line()),
                column: place(error.column()),
            }
        });
    }
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        budget: serde_saphyr::budget! { max_nodes: DESCRIPTION_NODES, max_events: 16_000_000, max_depth: NESTING },
    };
    serde_saphyr::from_slice_with_options(bytes, options).map_err(|error| {
        let place = error.location().map_or((0, 0), |location| (location.line(), location.column()));
        let (line, column) = (u32::try_from(place.0).unwrap_or(0), u32::try_from(place.1).unwrap_or(0));
        Unreadable { reason: format!("it is not YAML: {}", super::yaml::message_of(&error)), line, column }
    })
}

/// Whether a JSON or YAML file has one of some names among its top-level keys.
fn has_key(tree: &SourceTree, file: FileId, names: &[&str]) -> bool {
    let bytes = tree.read_at_most(file, DESCRIPTION_BYTES).unwrap_or_default();
    bytes_have_key(&bytes, extension(tree.path(file)) == Some(Format::Json), names)
}

fn bytes_have_key(bytes: &[u8], is_json: bool, names: &[&str]) -> bool {
    (!is_json && yaml_has_key(bytes, names)) || ((is_json || opens_object(bytes)) && json_has_key(bytes, names))
}

/// Whether a text may name user groups. Most descriptions do not, and are not looked at any closer.
fn name_groups(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"x-mint").is_some()
        && (memmem::find(bytes, b"roups").is_some() || memmem::find(bytes, b"x-mint-enum").is_some())
}

/// About how many values a text of JSON has, counted without making them.
fn values(bytes: &[u8]) -> usize {
    let (mut count, mut at) = (1, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b',' | b'{' | b'[' => count += 1,
            b'"' => at = end_of_string(bytes, at + 1),
            _ => {}
        }
        at += 1;
    }
    count
}

/// Where the quote stands that ends a string of JSON, or the end of the text.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'"') {
        at += if *byte == b'\\' { 2 } else { 1 };
    }
    at
}

/// Whether a text starts as an object of JSON does, which is YAML too.
pub(crate) fn opens_object(bytes: &[u8]) -> bool {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start().starts_with(b"{")
}

/// Whether a JSON object has one of some names among its own keys. Reads no values, so large files cost little.
fn json_has_key(bytes: &[u8], names: &[&str]) -> bool {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let start = at + 1;
                at = end_of_string(bytes, start);
                let is_name = bytes.get(start..at).is_some_and(|key| names.iter().any(|name| name.as_bytes() == key));
                let is_key = bytes.get(at + 1..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"));
                if depth == 1 && is_name && is_key {
                    return true;
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// Whether a line of YAML without indentation is a key of one of some names.
fn yaml_has_key(bytes: &[u8], names: &[&str]) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| {
        let Some(colon) = memchr::memchr(b':', line) else { return false };
        let key = line[..colon].strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line[..colon]).trim_ascii_end();
        let bare =
            [b'"', b'\''].iter().find_map(|quote| key.strip_prefix(&[*quote])?.strip_suffix(&[*quote])).unwrap_or(key);
        names.iter().any(|name| name.as_bytes() == bare)
    })
}

/// Whether bytes that came from an address are a description.
///
/// # Errors
/// What they are instead.
pub(crate) fn judge(bytes: &[u8]) -> Result<(), &'static str> {
    let start = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    match () {
        () if start.is_empty() => Err("empty"),
        () if start.starts_with(b"<") => Err("a web page"),
        () if bytes_have_key(bytes, opens_object(bytes), &KEYS) => Ok(()),
        () if bytes_have_key(bytes, opens_object(bytes), &["swagger"]) => Err("Swagger 2.0"),
        () => Err("a file without a top-level key `openapi` or `asyncapi`"),
    }
}

/// Whether a source is on another server.
pub(crate) fn is_remote(source: &str) -> bool {
    source.starts_with("http://") || source.starts_with("https://")
}

/// What is said of a source on another server that is not fetched.
pub(crate) fn not_fetched(source: &str) -> Diagnostic {
    let message =
        format!("the API description `{source}` is on another server and is not fetched; its operations have no pages");
    Diagnostic::warning("openapi-remote", message)
        .hint("export without `--vendor off`, or put the description into the documentation folder")
}

/// What is said of a source that names no description.
pub(crate) fn missing_file(source: &str, tree: &SourceTree) -> Diagnostic {
    let message = match refusal(source, tree) {
        Some(why) => format!("`{source}` is not an API description: {why}"),
        None => format!("the API description `{source}` does not exist"),
    };
    let hint = "name a JSON or YAML file of the documentation folder with a top-level `openapi` or `asyncapi` key";
    Diagnostic::error("openapi-missing-file", message).hint(hint)
}

/// Why a file that a source names is no description; `None` if there is no such file.
fn refusal(source: &str, tree: &SourceTree) -> Option<String> {
    let id = tree.find_any(source.trim_start_matches("./").trim_start_matches('/'))?;
    let file = tree.file(id);
    let why = if file.ignored {
        "it is excluded by `.mintignore`".to_owned()
    } else if extension(&file.path).is_none() {
        "it is neither JSON nor YAML".to_owned()
    } else if file.size > DESCRIPTION_BYTES {
        format!("it has more than {} MiB", DESCRIPTION_BYTES >> 20)
    } else if has_key(tree, id, &["swagger"]) {
        "it is Swagger 2.0; only OpenAPI 3 is supported".to_owned()
    } else {
        "it has no top-level key `openapi` or `asyncapi`".to_owned()
    };
    Some(why)
}

/// What is said of an operation that a description does not have.
pub(crate) fn missing_operation(endpoint: &Endpoint, source: Option<&str>, document: &Value) -> Diagnostic {
    let what = format!("`{} {}`", endpoint.method, endpoint.path);
    let message =
        source.map_or_else(|| format!("no API description has {what}"), |source| format!("`{source}` has no {what}"));
    let diagnostic = Diagnostic::error("openapi-missing-operation", message);
    let operations = operations(document);
    if operations.is_empty() {
        return diagnostic;
    }
    let mut known: Vec<String> = operations
        .iter()
        .take(SUGGESTIONS)
        .map(|operation| format!("`{} {}`", operation.method.to_uppercase(), operation.path))
        .collect();
    if operations.len() > SUGGESTIONS {
        known.push("…".to_owned());
    }
    diagnostic.hint(format!("it has {}", known.join(", ")))
}

/// The operations and webhooks of a description, in order, without those it excludes.
pub(crate) fn operations(document: &Value) -> Vec<Operation<'_>> {
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
pub(super) fn operations_of<'a>(
    document: &'a Value,
    path: &'a str,
    entry: &'a Value,
    is_webhook: bool,
) -> Vec<(&'static str, Operation<'a>)> {
    let items = items(document, entry);
    let found = METHODS.into_iter().filter_map(|method| {
        let (about, item) = about(&items, method)?;
        Some((
            method,
            Operation { method: if is_webhook { "webhook" } else { method }, path, about, item, entry: items[0] },
        ))
    });
    found.collect()
}

/// Whether a key of what stands under a path is a method.
pub(super) fn is_method(key: &str) -> bool {
    METHODS.contains(&key)
}

/// What stands under a path, and what its `$ref` leads to inside the description.
pub(super) fn items<'a>(document: &'a Value, entry: &'a Value) -> Vec<Members<'a>> {
    let mut items = Vec::new();
    let mut next = entry.as_object();
    while let Some(item) = next.filter(|_| items.len() < STEPS) {
        items.push(item);
        next = reference(item).and_then(|reference| referred(document, reference));
    }
    items
}

pub(super) fn reference(item: &Map<String, Value>) -> Option<&str> {
    item.get(REFERENCE)?.as_str()
}

pub(super) fn referred<'a>(document: &'a Value, reference: &str) -> Option<&'a Map<String, Value>> {
    let pointer = percent_decode_str(reference.strip_prefix('#')?).decode_utf8().ok()?;
    document.pointer(&pointer)?.as_object()
}

/// What is said about a method, and the item where that stands.
fn about<'a>(items: &[Members<'a>], method: &str) -> Option<(Members<'a>, Members<'a>)> {
    items.iter().find_map(|item| Some((item.get(method)?.as_object()?, *item)))
}

/// What is said of paths whose `$ref` leads nowhere: (what it says, problem).
fn lost_items(document: &Value) -> Vec<(String, Diagnostic)> {
    let entries = ["paths", "webhooks"].into_iter().filter_map(|key| document.get(key)?.as_object()).flatten();
    let lost = entries.filter_map(|(path, entry)| {
        let reference = reference(items(document, entry).last()?)?;
        let why = match (reference.starts_with('#'), referred(document, reference)) {
            (false, _) => "is in another file, which is not read",
            (true, None) => "the description does not have",
            (true, Some(_)) => "refers back to it",
        };
        let message = format!("`{path}` refers to `{reference}`, which {why}; its operations have no pages");
        let problem = Diagnostic::new("openapi-ref", message);
        Some((
            reference.to_owned(),
            problem.hint("write the operations below the path, or in `components.pathItems` of the same file"),
        ))
    });
    lost.collect()
}

/// Shows problems at the references of a file that they are about.
fn in_file(problems: Vec<(String, Diagnostic)>, file: FileId, tree: &SourceTree) -> Vec<Diagnostic> {
    if problems.is_empty() {
        return Vec::new();
    }
    let bytes = tree.read_at_most(file, DESCRIPTION_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let references = Values::of(&text, REFERENCE);
    let placed = problems.into_iter().map(|(reference, problem)| {
        let (line, column) = references.find(&text, &reference).unwrap_or_default();
        problem.at(tree.path(file), line, column)
    });
    placed.collect()
}

/// The operation that an entry names, if the description has it. A slash at the end of the path may be missing or too
/// many.
pub(crate) fn operation<'a>(document: &'a Value, endpoint: &'a Endpoint) -> Option<Operation<'a>> {
    let method = METHODS.iter().find(|method| method.eq_ignore_ascii_case(&endpoint.method));
    let paths = document.get(if method.is_some() { "paths" } else { "webhooks" })?.as_object()?;
    let trimmed = endpoint.path.trim_end_matches('/');
    let same = |path: &str| path.trim_end_matches('/') == trimmed;
    let (path, item) = paths.get_key_value(&endpoint.path).or_else(|| paths.iter().find(|(path, _)| same(path)))?;
    let items = items(document, item);
    let (about, item) = match method {
        Some(method) => about(&items, method)?,
        None => METHODS.iter().find_map(|method| about(&items, method))?,
    };
    Some(Operation { method: method.copied().unwrap_or("webhook"), path, about, item, entry: items[0] })
}

impl<'a> Operation<'a> {
    /// A text of the operation.
    pub(crate) fn text(&self, key: &str) -> Option<&'a str> {
        self.about.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    /// What is said about its path, the nearest first.
    fn around(&self) -> impl DoubleEndedIterator<Item = &'a Map<String, Value>> + use<'a> {
        [Some(self.item), Some(self.entry).filter(|entry| !std::ptr::eq(*entry, self.item))].into_iter().flatten()
    }

    /// A flag of the operation or of its path.
    pub(crate) fn flag(&self, key: &str) -> bool {
        std::iter::once(self.about)
            .chain(self.around())
            .any(|object| object.get(key).and_then(Value::as_bool) == Some(true))
    }

    /// The parameters of all operations of its path.
    pub(crate) fn shared_parameters(&self) -> Option<&'a Value> {
        self.around().find_map(|object| object.get("parameters"))
    }

    /// Its first tag.
    pub(crate) fn tag(&self) -> Option<&'a str> {
        self.about.get("tags")?.get(0)?.as_str().filter(|tag| !tag.is_empty())
    }

    /// A key of `x-mint`.
    pub(crate) fn mint(&self, key: &str) -> Option<&'a Value> {
        self.about.get("x-mint")?.get(key)
    }

    /// Access groups of the operation, its path and its page.
    pub(crate) fn groups(&self) -> Vec<String> {
        let of_page = self.mint("metadata").and_then(restricted::groups_in).map(restricted::listed);
        self.around()
            .rev()
            .chain([self.about])
            .flat_map(restricted::groups_of)
            .chain(of_page.into_iter().flatten())
            .collect()
    }

    /// The slug of its page: `x-mint.href`, or `<directory>/<tag>/<summary>`; without a summary `<method>-<path>`.
    pub(crate) fn slug(&self, directory: &str) -> String {
        if let Some(href) = self.mint("href").and_then(Value::as_str) {
            return slug_of(href);
        }
        let tag = self.tag().map(slug_part).unwrap_or_default();
        let name = self.text("summary").map_or_else(|| format!("{}-{}", self.method, slug_part(self.path)), slug_part);
        joined(&[&slug_of(directory), &tag, &name])
    }
}

/// Joins the parts of a slug that are not empty.
pub(crate) fn joined(parts: &[&str]) -> String {
    parts.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
}

/// A summary, tag or path as part of a slug: spaces, slashes and `{parameters}` become `-`, brackets, dots, commas and
/// quotes go, lower case.
pub(crate) fn slug_part(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(open) = rest.find('{') {
        spaced.push_str(&rest[..open]);
        let Some(close) = rest[open..].find('}') else {
            rest = &rest[open..];
            break;
        };
        spaced.push('-');
        rest = &rest[open + close + 1..];
    }
    spaced.push_str(rest);
    let mut slug = String::with_capacity(spaced.len());
    for c in spaced.chars() {
        match c {
            '{' | '}' | '(' | ')' | ',' | '.' | '\'' => {}
            c if (c.is_whitespace() || matches!(c, '/' | '-')) && slug.ends_with('-') => {}
            c if c.is_whitespace() || c == '/' => slug.push('-'),
            c => slug.push(c),
        }
    }
    slug.trim_matches('-').to_lowercase()
}

/// The channels of an AsyncAPI description: (id, what is said about it).
pub(crate) fn channels(document: &Value) -> Vec<(&str, &Value)> {
    document
        .get("channels")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .map(|(id, about)| (id.as_str(), about))
        .collect()
}

/// The slug of a channel's page: `<directory>/<title>`, or its id without a title.
pub(crate) fn channel_slug(id: &str, title: Option<&str>, directory: &str) -> String {
    joined(&[&slug_of(directory), &slug_part(title.unwrap_or(id))])
}

#[cfg(test)]
mod tests;
