//! Pages that no file holds: operations that the navigation names (`GET /users`), and all operations of a description
//! that a container brings.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use templates::words;

use base::numbering::Numbering;
use base::{Description, Diagnostic};
use site::json::JsonSpot;
use site::meta::{Context, read_page_meta};
use site::page::{Endpoint, FrontMatter, PageEntry};
use site::yaml::{Yaml, YamlEntry};
use spec::{OpenSpecs, Operation, channel_slug, channels, groups, join_slug_parts, slug_part};

use super::draft::{API_DIRECTORY, ApiSource, Destination, EntryTarget, NavDraft};
use super::{NavNode, NodeId, NodeKind};

/// Makes the pages and hangs them into the navigation. `written` holds the slugs of pages with files: those win.
/// Operations and channels that readers may not see have no pages; `grouped` gets the slugs that those would have.
pub fn generate(
    draft: &mut NavDraft,
    open: &mut OpenSpecs,
    written: &FxHashSet<String>,
    grouped: &mut FxHashSet<String>,
) -> Vec<PageEntry> {
    let mut generator = Generator {
        open,
        written,
        grouped,
        reported: FxHashSet::default(),
        used: FxHashSet::default(),
        numbering: Numbering::default(),
        known: FxHashMap::default(),
        pages: Vec::new(),
    };
    for source in draft.sources.clone() {
        if !source.picked {
            generator.whole_source(draft, &source);
        }
    }
    for index in 0..draft.nodes.len() {
        let Some(Destination { target: EntryTarget::Operation(endpoint, sources), at }) =
            draft.destinations[index].clone()
        else {
            continue;
        };
        let near = near(draft, NodeId(u32::try_from(index).unwrap_or(u32::MAX)));
        let slug = generator.named_operation(Endpoint { near, ..endpoint }, &draft.sources[sources], at);
        draft.destinations[index] = slug.map(|slug| Destination { target: EntryTarget::Page(slug), at });
    }
    generator.pages
}

/// Where a container stands, as far as that says which of several descriptions it means: its language.
fn near(draft: &NavDraft, node: NodeId) -> String {
    match draft.language(node) {
        "" => String::new(),
        language => format!("{language}/"),
    }
}

/// What a generated page is about: description, method, path or name, and the folder of the page.
type GeneratedSubject = (Option<usize>, String, String, String);

struct Generator<'a> {
    open: &'a mut OpenSpecs,
    written: &'a FxHashSet<String>,
    grouped: &'a mut FxHashSet<String>,
    /// Sources that cannot be used: each is reported once.
    reported: FxHashSet<String>,
    /// Slugs of generated pages.
    used: FxHashSet<String>,
    numbering: Numbering,
    /// Slugs: an operation that stands in two places is one page.
    known: FxHashMap<GeneratedSubject, String>,
    pages: Vec<PageEntry>,
}

impl Generator<'_> {
    /// A slug of its own: `base`, `base-1`, `base-2` …
    fn claim(&mut self, base: String) -> String {
        self.numbering.first_free(base, '-', 1, |slug| self.used.insert(slug.to_owned()))
    }

    /// The parsed descriptions of a source: one, or those of a folder. Says why there are none.
    fn descriptions(&mut self, source: &str, near: &str, at: JsonSpot) -> Vec<usize> {
        let located = || self.open.specs.matches(source, near).into_iter().take(1).collect();
        let numbers = self.open.specs.of_folder(source).unwrap_or_else(located);
        // why there is nothing at an address has been told
        if numbers.is_empty() && !spec::is_remote(source) && self.reported.insert(source.to_owned()) {
            self.open.problems.at(at, spec::missing_file(source, &self.open.tree));
        }
        let mut usable = numbers;
        usable.retain(|number| {
            self.open.specs.mark_named(*number);
            !self.open.document(*number).is_null()
        });
        usable
    }

    /// Every operation or channel of the descriptions of a source, below its container, in groups by tag.
    fn whole_source(&mut self, draft: &mut NavDraft, source: &ApiSource) {
        let is_folder = self.open.specs.of_folder(&source.source).is_some();
        let mut groups: FxHashMap<String, NodeId> = FxHashMap::default();
        for number in self.descriptions(&source.source, &near(draft, source.node), source.at) {
            let document = self.open.document(number);
            // a folder may hold both kinds
            if !is_folder || document.get("asyncapi").is_some() == source.is_async {
                self.whole_description(draft, source, number, &document, &mut groups);
            }
        }
    }

    fn whole_description(
        &mut self,
        draft: &mut NavDraft,
        source: &ApiSource,
        number: usize,
        document: &Value,
        groups: &mut FxHashMap<String, NodeId>,
    ) {
        let path = self.open.specs.path(number).to_owned();
        self.grouped.extend(self.open.specs.closed(number).iter().map(|closed| closed.slug(&source.directory)));
        if source.is_async {
            for (id, about) in channels(document) {
                if is_set(about, "x-excluded") {
                    continue;
                }
                let key = (Some(number), String::new(), id.to_owned(), source.directory.clone());
                let page = channel_page(&path, id, about, &source.directory);
                self.hang(draft, (key, page), "Websockets".to_owned(), groups, source, is_set(about, "x-hidden"));
            }
            return;
        }
        let of_tags = groups_of_tags(document);
        let words = words::for_language(draft.language(source.node));
        for operation in spec::operations(document) {
            let key = (Some(number), operation.method.to_owned(), operation.path.to_owned(), source.directory.clone());
            let mut found = Vec::new();
            let mut page = operation_page(&operation, &path, &source.directory, &mut found);
            self.open.problems.found.extend(self.open.specs.place_in_metadata(
                found,
                number,
                &operation,
                &self.open.tree,
            ));
            page.preface = self.open.specs.preface(number, &operation, &self.open.tree);
            let group = group_label(&operation, &of_tags, words.api.reference);
            self.hang(draft, (key, page), group, groups, source, operation.flag("x-hidden"));
        }
    }

    /// Adds a page, unless another container has brought it, and, unless it is to be hidden, its entry.
    fn hang(
        &mut self,
        draft: &mut NavDraft,
        (key, mut page): (GeneratedSubject, PageEntry),
        group: String,
        groups: &mut FxHashMap<String, NodeId>,
        source: &ApiSource,
        hidden: bool,
    ) {
        let slug = if let Some(slug) = self.known.get(&key) {
            slug.clone()
        } else {
            page.slug = self.claim(page.slug);
            page.hidden = hidden;
            let slug = page.slug.clone();
            if !self.written.contains(&slug) {
                self.pages.push(page);
            }
            self.known.insert(key, slug.clone());
            slug
        };
        if !hidden {
            let container = &draft.nodes[source.node.0 as usize];
            let (directory, boost) = (container.directory, container.boost);
            let parent = *groups.entry(group).or_insert_with_key(|label| {
                let node = NavNode {
                    kind: NodeKind::Group,
                    label: label.clone(),
                    key: label.clone(),
                    directory,
                    boost,
                    ..NavNode::default()
                };
                draft.add(node, None, source.node)
            });
            let node = NavNode { kind: NodeKind::Page, directory, boost, ..NavNode::default() };
            draft.add(node, Some(Destination { target: EntryTarget::Page(slug), at: source.at }), parent);
        }
    }

    /// The page of an operation that the navigation names; `None` if it is not visible. Without a description of its
    /// own it is looked for in those of its container.
    fn named_operation(&mut self, mut endpoint: Endpoint, sources: &[ApiSource], at: JsonSpot) -> Option<String> {
        let named: Vec<String> = match &endpoint.spec {
            Some(name) => vec![name.clone()],
            None => sources.iter().filter(|source| !source.is_async).map(|source| source.source.clone()).collect(),
        };
        let mut first = None;
        // each with the source that it is of
        let mut numbers: Vec<(usize, usize)> = Vec::new();
        for (source, name) in named.iter().enumerate() {
            let usable = self.descriptions(name, &endpoint.near, at);
            first = first.or(usable.first().copied());
            let others = if usable.is_empty() { Vec::new() } else { self.open.specs.matches(name, &endpoint.near) };
            let is_new = |number: &usize| !numbers.iter().any(|(known, _)| known == number);
            let new: Vec<usize> = usable.into_iter().chain(others).filter(is_new).collect();
            numbers.extend(new.into_iter().map(|number| (number, source)));
        }
        if named.is_empty() {
            numbers.extend(self.open.specs.of_source(None, &endpoint.near).into_iter().map(|number| (number, 0)));
        }
        let found = numbers.iter().copied().find(|(number, _)| self.open.has_operation(*number, &endpoint));
        let of_source = found.filter(|_| endpoint.spec.is_none()).map_or(0, |(_, source)| source);
        let directory = sources.iter().filter(|source| !source.is_async).nth(of_source).or(sources.first());
        let directory = directory.map_or(API_DIRECTORY, |source| source.directory.as_str()).to_owned();
        let number = found.map(|(number, _)| number);
        let named = named.into_iter().next();
        let numbers: Vec<usize> = numbers.into_iter().map(|(number, _)| number).collect();
        if number.is_none()
            && let Some(closed) = self.open.specs.find_closed(&numbers, &endpoint)
        {
            self.grouped.insert(closed.slug(&directory));
            return None;
        }
        let number = number.or(first);
        let key = (number, endpoint.method.to_lowercase(), endpoint.path.clone(), directory.clone());
        if let Some(slug) = self.known.get(&key) {
            return Some(slug.clone());
        }
        let document = number.map(|number| self.open.document(number)).unwrap_or_default();
        let mut page = if let Some(operation) = spec::operation(&document, &endpoint) {
            if operation.flag("x-excluded") {
                return None;
            }
            let path = number.map(|number| self.open.specs.path(number).to_owned()).unwrap_or_default();
            let mut found = Vec::new();
            let page = operation_page(&operation, &path, &directory, &mut found);
            if let Some(number) = number {
                self.open.problems.found.extend(self.open.specs.place_in_metadata(
                    found,
                    number,
                    &operation,
                    &self.open.tree,
                ));
            }
            PageEntry {
                preface: number.and_then(|number| self.open.specs.preface(number, &operation, &self.open.tree)),
                ..page
            }
        } else {
            if number.is_some() || named.is_none() {
                self.open.problems.at(at, spec::missing_operation(&endpoint, named.as_deref(), &document));
            }
            endpoint.spec = named;
            bare_page(endpoint, &directory)
        };
        page.slug = self.claim(page.slug);
        let slug = page.slug.clone();
        if !self.written.contains(&slug) {
            self.pages.push(page);
        }
        self.known.insert(key, slug.clone());
        Some(slug)
    }
}

/// The page of an operation: its summary, description and state, then what `x-mint.metadata` says instead.
fn operation_page(operation: &Operation<'_>, spec: &str, directory: &str, problems: &mut Vec<Diagnostic>) -> PageEntry {
    let own = operation.mint("metadata").and_then(Value::as_object);
    let entries: Vec<YamlEntry> = own
        .into_iter()
        .flatten()
        .filter(|(key, _)| *key != "openapi")
        .map(|(key, value)| YamlEntry { key: key.clone(), value: Yaml::from(value), line: 0 })
        .collect();
    let (mut meta, _) = read_page_meta(&entries, &mut Context { file: spec, block_line: 0, problems });
    let endpoint = Endpoint {
        method: operation.method.to_uppercase(),
        path: operation.path.to_owned(),
        spec: Some(spec.to_owned()),
        line: 0,
        near: String::new(),
    };
    if !meta.title_given {
        meta.title =
            operation.text("summary").map_or_else(|| format!("{} {}", endpoint.method, endpoint.path), str::to_owned);
        meta.title_given = operation.text("summary").is_some();
    }
    meta.description = meta.description.or_else(|| operation.text("description").map(Description::of_api));
    meta.deprecated |= operation.flag("deprecated");
    meta.groups = operation.groups();
    PageEntry { endpoint: Some(endpoint), ..PageEntry::generated(operation.slug(directory), meta) }
}

/// The page of an operation that no description has.
fn bare_page(endpoint: Endpoint, directory: &str) -> PageEntry {
    let name = format!("{}-{}", endpoint.method.to_lowercase(), slug_part(&endpoint.path));
    let meta = FrontMatter { title: format!("{} {}", endpoint.method, endpoint.path), ..FrontMatter::default() };
    let slug = join_slug_parts(&[&site::page::slug_of(directory), &name]);
    PageEntry { endpoint: Some(endpoint), ..PageEntry::generated(slug, meta) }
}

/// The page of a channel of an AsyncAPI description.
fn channel_page(spec: &str, id: &str, about: &Value, directory: &str) -> PageEntry {
    let text = |key: &str| about.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let meta = FrontMatter {
        title: text("title").unwrap_or(id).to_owned(),
        title_given: true,
        description: text("description").or_else(|| text("summary")).map(Description::from),
        reference: Some(("asyncapi".to_owned(), format!("{spec} {id}"))),
        groups: about.as_object().map(groups::groups_of).unwrap_or_default(),
        ..FrontMatter::default()
    };
    PageEntry::generated(channel_slug(id, text("title"), directory), meta)
}

fn is_set(about: &Value, flag: &str) -> bool {
    about.get(flag).and_then(Value::as_bool) == Some(true)
}

/// The groups that tags say they belong to (`x-group`), by the tag's name. Of two tags of one name, the first counts.
fn groups_of_tags(document: &Value) -> FxHashMap<&str, &str> {
    let mut groups = FxHashMap::default();
    for tag in document.get("tags").and_then(Value::as_array).into_iter().flatten() {
        if let Some(name) = tag.get("name").and_then(Value::as_str) {
            let text = |key: &str| tag.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
            // `summary` is what OpenAPI 3.2 calls a tag by
            groups.entry(name).or_insert_with(|| text("x-group").or_else(|| text("summary")).unwrap_or(name));
        }
    }
    groups
}

/// The group of an operation: its first tag, by the tag's group if it has one. `untagged`: the group of those without.
fn group_label(operation: &Operation<'_>, of_tags: &FxHashMap<&str, &str>, untagged: &str) -> String {
    operation.tag().map_or(untagged, |tag| of_tags.get(tag).copied().unwrap_or(tag)).to_owned()
}
