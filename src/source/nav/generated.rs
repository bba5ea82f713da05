//! Pages that no file holds: operations that the navigation names (`GET /users`), and all operations of a description
//! that a container brings.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::base::numbering::Numbering;
use crate::base::{Description, Diagnostic};
use crate::source::site::meta::{self, Context};
use crate::source::site::page::{Dialect, Endpoint, FrontMatter, PageEntry};
use crate::source::site::problems::Problems;
use crate::source::site::restricted;
use crate::source::site::spec::{self, Operation, Specs, channel_slug, channels, joined, slug_part};
use crate::source::site::tree::SourceTree;
use crate::source::site::yaml::{Entry, Yaml};

use super::draft::{API_DIRECTORY, ApiSource, Draft, Target, Wanted};
use super::{NavNode, NodeId, NodeKind};

/// Makes the pages and hangs them into the navigation. `written` holds the slugs of pages with files: those win.
/// Operations and channels that readers may not see have no pages; `grouped` gets the slugs that those would have.
pub(crate) fn generate(
    draft: &mut Draft,
    specs: &mut Specs,
    tree: &SourceTree,
    written: &FxHashSet<String>,
    grouped: &mut FxHashSet<String>,
    problems: &mut Problems,
) -> Vec<PageEntry> {
    let mut generator = Generator {
        specs,
        tree,
        written,
        grouped,
        problems,
        told: FxHashSet::default(),
        used: FxHashSet::default(),
        numbering: Numbering::default(),
        known: FxHashMap::default(),
        pages: Vec::new(),
    };
    for source in draft.sources.clone() {
        if !source.picked {
            generator.whole_description(draft, &source);
        }
    }
    for index in 0..draft.nodes.len() {
        let Some(Wanted { target: Target::Operation(endpoint, source), at }) = draft.wanted[index].clone() else {
            continue;
        };
        let source = source.map(|source| draft.sources[source].clone());
        let slug = generator.named_operation(endpoint, source.as_ref(), at);
        draft.wanted[index] = slug.map(|slug| Wanted { target: Target::Page(slug), at });
    }
    generator.pages
}

struct Generator<'a> {
    specs: &'a mut Specs,
    tree: &'a SourceTree,
    written: &'a FxHashSet<String>,
    grouped: &'a mut FxHashSet<String>,
    problems: &'a mut Problems,
    /// Sources that cannot be used: each is told once.
    told: FxHashSet<String>,
    /// Slugs of generated pages.
    used: FxHashSet<String>,
    numbering: Numbering,
    /// Slug by (description, method, path, directory): an operation that stands in two places is one page.
    known: FxHashMap<(Option<usize>, String, String, String), String>,
    pages: Vec<PageEntry>,
}

impl Generator<'_> {
    /// A slug of its own: `base`, `base-1`, `base-2` …
    fn claim(&mut self, base: String) -> String {
        self.numbering.first_free(base, '-', 1, |slug| self.used.insert(slug.to_owned()))
    }

    /// The parsed description of a source; says why there is none.
    fn description(&mut self, source: &str, at: crate::source::site::json::Spot) -> Option<usize> {
        let number = self.specs.locate(source);
        // why there is nothing at an address has been told
        if number.is_none() && !spec::is_remote(source) && self.told.insert(source.to_owned()) {
            self.problems.at(at, spec::missing_file(source, self.tree));
        }
        let number = number?;
        self.specs.mark_named(number);
        let usable = !self.specs.document(number, self.tree, &mut self.problems.found).is_null();
        usable.then_some(number)
    }

    /// Every operation or channel of a description, below its container, in groups by tag.
    fn whole_description(&mut self, draft: &mut Draft, source: &ApiSource) {
        let Some(number) = self.description(&source.source, source.at) else { return };
        let document = self.specs.document(number, self.tree, &mut self.problems.found);
        let path = self.specs.path(number).to_owned();
        let mut groups: FxHashMap<String, NodeId> = FxHashMap::default();
        self.grouped.extend(self.specs.closed(number).iter().map(|closed| closed.slug(&source.directory)));
        if source.is_async {
            for (id, about) in channels(&document) {
                let page = channel_page(&path, id, about, &source.directory);
                self.hang(draft, page, "Websockets".to_owned(), &mut groups, source, false);
            }
            return;
        }
        let of_tags = groups_of_tags(&document);
        for operation in spec::operations(&document) {
            let key = (Some(number), operation.method.to_owned(), operation.path.to_owned(), source.directory.clone());
            let mut page = operation_page(&operation, &path, &source.directory, &mut self.problems.found);
            page.preface = self.specs.preface(number, &operation, self.tree);
            let group = group_label(&operation, &of_tags);
            let slug = self.hang(draft, page, group, &mut groups, source, operation.flag("x-hidden"));
            self.known.insert(key, slug);
        }
    }

    /// Adds a page and, unless it is to be hidden, its entry.
    fn hang(
        &mut self,
        draft: &mut Draft,
        mut page: PageEntry,
        group: String,
        groups: &mut FxHashMap<String, NodeId>,
        source: &ApiSource,
        hidden: bool,
    ) -> String {
        page.slug = self.claim(page.slug);
        page.hidden = hidden;
        let slug = page.slug.clone();
        if !self.written.contains(&slug) {
            self.pages.push(page);
        }
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
            draft.add(node, Some(Wanted { target: Target::Page(slug.clone()), at: source.at }), parent);
        }
        slug
    }

    /// The page of an operation that the navigation names; `None` if it is not visible.
    fn named_operation(
        &mut self,
        mut endpoint: Endpoint,
        source: Option<&ApiSource>,
        at: crate::source::site::json::Spot,
    ) -> Option<String> {
        let directory = source.map_or(API_DIRECTORY, |source| source.directory.as_str()).to_owned();
        let named = endpoint.spec.clone().or_else(|| source.map(|source| source.source.clone()));
        let first = named.as_ref().and_then(|name| self.description(name, at));
        let numbers = match &named {
            Some(_) if first.is_none() => Vec::new(),
            Some(name) => self.specs.matches(name),
            None => self.specs.numbers().collect(),
        };
        let number = numbers.iter().copied().find(|number| {
            let document = self.specs.document(*number, self.tree, &mut self.problems.found);
            spec::operation(&document, &endpoint).is_some()
        });
        if number.is_none()
            && let Some(closed) = self.specs.find_closed(&numbers, &endpoint)
        {
            self.grouped.insert(closed.slug(&directory));
            return None;
        }
        let number = number.or(first);
        let key = (number, endpoint.method.to_lowercase(), endpoint.path.clone(), directory.clone());
        if let Some(slug) = self.known.get(&key) {
            return Some(slug.clone());
        }
        let document =
            number.map(|number| self.specs.document(number, self.tree, &mut self.problems.found)).unwrap_or_default();
        let mut page = if let Some(operation) = spec::operation(&document, &endpoint) {
            if operation.flag("x-excluded") {
                return None;
            }
            let path = number.map(|number| self.specs.path(number).to_owned()).unwrap_or_default();
            let page = operation_page(&operation, &path, &directory, &mut self.problems.found);
            PageEntry { preface: number.and_then(|number| self.specs.preface(number, &operation, self.tree)), ..page }
        } else {
            if number.is_some() || named.is_none() {
                self.problems.at(at, spec::missing_operation(&endpoint, named.as_deref(), &document));
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

fn made_up(slug: String, meta: FrontMatter, endpoint: Option<Endpoint>) -> PageEntry {
    PageEntry {
        slug,
        file: None,
        dialect: Dialect::Mdx,
        body_offset: 0,
        body_line: 1,
        meta: Box::new(meta),
        title_in_body: false,
        endpoint,
        preface: None,
        in_navigation: false,
        hidden: false,
        visibility: crate::source::site::Visibility::default(),
    }
}

/// The page of an operation: its summary, description and state, then what `x-mint.metadata` says instead.
fn operation_page(operation: &Operation<'_>, spec: &str, directory: &str, problems: &mut Vec<Diagnostic>) -> PageEntry {
    let own = operation.mint("metadata").and_then(Value::as_object);
    let entries: Vec<Entry> = own
        .into_iter()
        .flatten()
        .filter(|(key, _)| *key != "openapi")
        .map(|(key, value)| Entry { key: key.clone(), value: Yaml::from(value), line: 0 })
        .collect();
    let (mut meta, _) = meta::read(&entries, &mut Context { file: spec, block_line: 0, problems });
    let endpoint = Endpoint {
        method: operation.method.to_uppercase(),
        path: operation.path.to_owned(),
        spec: Some(spec.to_owned()),
        line: 0,
    };
    if !meta.title_given {
        meta.title =
            operation.text("summary").map_or_else(|| format!("{} {}", endpoint.method, endpoint.path), str::to_owned);
        meta.title_given = operation.text("summary").is_some();
    }
    meta.description = meta.description.or_else(|| operation.text("description").map(Description::from));
    meta.deprecated |= operation.flag("deprecated");
    meta.groups = operation.groups();
    made_up(operation.slug(directory), meta, Some(endpoint))
}

/// The page of an operation that no description has.
fn bare_page(endpoint: Endpoint, directory: &str) -> PageEntry {
    let name = format!("{}-{}", endpoint.method.to_lowercase(), slug_part(&endpoint.path));
    let meta = FrontMatter { title: format!("{} {}", endpoint.method, endpoint.path), ..FrontMatter::default() };
    made_up(joined(&[&crate::source::site::page::slug_of(directory), &name]), meta, Some(endpoint))
}

/// The page of a channel of an AsyncAPI description.
fn channel_page(spec: &str, id: &str, about: &Value, directory: &str) -> PageEntry {
    let text = |key: &str| about.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let meta = FrontMatter {
        title: text("title").unwrap_or(id).to_owned(),
        title_given: true,
        description: text("description").or_else(|| text("summary")).map(Description::from),
        reference: Some(("asyncapi".to_owned(), format!("{spec} {id}"))),
        groups: about.as_object().map(restricted::groups_of).unwrap_or_default(),
        ..FrontMatter::default()
    };
    made_up(channel_slug(id, text("title"), directory), meta, None)
}

/// The groups that tags say they belong to (`x-group`), by the tag's name. Of two tags of one name, the first counts.
fn groups_of_tags(document: &Value) -> FxHashMap<&str, &str> {
    let mut groups = FxHashMap::default();
    for tag in document.get("tags").and_then(Value::as_array).into_iter().flatten() {
        if let Some(name) = tag.get("name").and_then(Value::as_str) {
            groups.entry(name).or_insert_with(|| tag.get("x-group").and_then(Value::as_str).unwrap_or(name));
        }
    }
    groups
}

/// The group of an operation: its first tag, by the tag's group if it has one.
fn group_label(operation: &Operation<'_>, of_tags: &FxHashMap<&str, &str>) -> String {
    operation.tag().map_or("API Reference", |tag| of_tags.get(tag).copied().unwrap_or(tag)).to_owned()
}

#[cfg(test)]
mod tests {
    use crate::base::Description;
    use crate::source::site::LoadOptions;
    use crate::source::site::testing::{Fixture, try_site};

    const PETS: &str = "openapi: 3.1.0
tags:
  - name: Pet Store
    x-group: Pets!
paths:
  /pets:
    get: {summary: List (all) pets, tags: [Pet Store], description: All of them}
    post: {summary: List (all) pets, tags: [Pet Store], deprecated: true}
  /pets/{petId}:
    get: {tags: [Pet Store]}
    delete: {summary: Gone, x-excluded: true}
    put: {summary: Unlisted, x-hidden: true}
    patch: {summary: Moved, x-mint: {href: /elsewhere/moved, metadata: {title: Own title, icon: star}}}
    head: {summary: For staff, x-mint: {groups: [staff]}}
webhooks:
  happened:
    post: {summary: It happened}
";

    fn with(navigation: &str, options: &LoadOptions<'_>) -> Fixture {
        with_file(navigation, options, ("index.mdx", ""))
    }

    fn with_file(navigation: &str, options: &LoadOptions<'_>, file: (&str, &str)) -> Fixture {
        let docs = format!(
            "{{\"theme\": \"mint\", \"name\": \"N\", \"colors\": {{\"primary\": \"#000\"}}, \"navigation\":\n{navigation}}}"
        );
        let chat = "asyncapi: 3.0.0\nchannels:\n  signedUp: {title: User signed up}\n  a/b: {}\n";
        let files =
            [("docs.json", docs.as_str()), ("specs/pets.yaml", PETS), ("chat.yml", chat), ("index.mdx", ""), file];
        try_site(&files, options).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The entries with the slugs of their pages.
    fn entries(it: &Fixture) -> Vec<String> {
        let entry = |node: &crate::source::nav::NavNode| {
            format!(
                "{} {} {}",
                node.method.as_deref().unwrap_or("-"),
                node.label,
                node.page.map_or("", |page| it.slug(page))
            )
        };
        it.navigation.nodes.iter().filter(|node| node.kind != crate::source::nav::NodeKind::Root).map(entry).collect()
    }

    #[test]
    fn a_whole_description() {
        let it = with(r#"{"tabs": [{"tab": "API", "openapi": "specs/pets.yaml"}]}"#, &LoadOptions::default());
        assert!(it.diagnostics.is_empty(), "{:?}", it.problems());
        assert_eq!(
            entries(&it),
            [
                "- API api-reference/pet-store/list-all-pets",
                "- Pets! ",
                "GET List (all) pets api-reference/pet-store/list-all-pets",
                "POST List (all) pets api-reference/pet-store/list-all-pets-1",
                "GET GET /pets/{petId} api-reference/pet-store/get-pets",
                "- API Reference ",
                "PATCH Own title elsewhere/moved",
                "WEBHOOK It happened api-reference/it-happened",
            ]
        );
        let page = |slug: &str| it.site.page(it.page(slug));
        assert_eq!(
            page("api-reference/pet-store/list-all-pets").meta.description,
            Some(Description::from("All of them"))
        );
        assert!(page("api-reference/pet-store/list-all-pets-1").meta.deprecated);
        assert!(page("api-reference/unlisted").hidden && !page("api-reference/unlisted").in_navigation);
        assert_eq!(page("elsewhere/moved").meta.icon.as_ref().map(|icon| icon.name.as_str()), Some("star"));
        assert!(!it.slugs().contains(&"api-reference/for-staff"));
    }

    #[test]
    fn access_groups() {
        let it = with(
            r#"{"tabs": [{"tab": "API", "openapi": "specs/pets.yaml"}]}"#,
            &LoadOptions { groups: &["staff".to_owned()], ..LoadOptions::default() },
        );
        assert!(it.slugs().contains(&"api-reference/for-staff"));
    }

    #[test]
    fn picked_operations() {
        let it = with(
            r#"{"tabs": [{"tab": "API", "openapi": {"source": "/specs/pets.yaml", "directory": "ref"}, "pages": ["get /pets/", "webhook happened"]}, {"tab": "Again", "pages": ["pets.yaml GET /pets", "POST /pets"]}]}"#,
            &LoadOptions::default(),
        );
        assert!(it.diagnostics.is_empty(), "{:?}", it.problems());
        let expect = [
            "- API ref/pet-store/list-all-pets",
            "GET List (all) pets ref/pet-store/list-all-pets",
            "WEBHOOK It happened ref/it-happened",
            "- Again api-reference/pet-store/list-all-pets",
            "GET List (all) pets api-reference/pet-store/list-all-pets",
            "POST List (all) pets api-reference/pet-store/list-all-pets-1",
        ];
        assert_eq!(entries(&it), expect);
    }

    #[test]
    fn channels_of_asyncapi() {
        let it = with(r#"{"groups": [{"group": "Events", "asyncapi": "chat.yml"}]}"#, &LoadOptions::default());
        assert_eq!(
            entries(&it),
            ["- Events ", "- Websockets ", "- User signed up api-reference/user-signed-up", "- a/b api-reference/a-b"]
        );
        let reference = it.site.page(it.page("api-reference/a-b")).meta.reference.clone();
        assert_eq!(reference, Some(("asyncapi".to_owned(), "chat.yml a/b".to_owned())));
    }

    #[test]
    fn what_does_not_exist_is_told() {
        let it = with_file(
            r#"{"tabs": [{"tab": "A", "openapi": "no.json"}, {"tab": "B", "openapi": "https://x/o.json"}, {"tab": "E", "openapi": "https://x/o.json"}, {"tab": "C", "pages": ["index", "PUT /none", "pets.yaml PUT /none"]}, {"tab": "D", "openapi": "broken.json"}]}"#,
            &LoadOptions::default(),
            ("broken.json", "{\"openapi\": \"3.0.0\",\n}"),
        );
        assert_eq!(
            it.problems(),
            [
                "openapi-remote docs.json:2:71 the API description `https://x/o.json` is on another server and is not fetched; its operations have no pages",
                "openapi-file broken.json:2:1 `broken.json` is not used: it is not JSON: trailing comma",
                "openapi-missing-file docs.json:2:35 the API description `no.json` does not exist",
                "openapi-missing-operation docs.json:2:169 no API description has `PUT /none`",
                "openapi-missing-operation docs.json:2:182 `pets.yaml` has no `PUT /none`",
            ]
        );
        let swagger = with_file(
            r#"{"tabs": [{"tab": "A", "openapi": "/old.json"}]}"#,
            &LoadOptions::default(),
            ("old.json", "{\"swagger\": \"1.2\"}"),
        );
        assert_eq!(
            swagger.problems(),
            [
                "openapi-missing-file docs.json:2:35 `/old.json` is not an API description: it is Swagger 1.2; Swagger 2.0 and OpenAPI 3 are supported"
            ]
        );
        assert_eq!(
            entries(&it),
            [
                "- C index",
                "- Index index",
                "PUT PUT /none api-reference/put-none",
                "PUT PUT /none api-reference/put-none-1"
            ]
        );
    }
}
