//! From a folder to a site and its navigation: the order of the steps, and what makes a folder unusable.
//!
//! Beside `visibility`, which reads the finished navigation, this is the one place of `site` that knows `nav`: which
//! files are pages depends on what the navigation names, and the navigation in turn needs the pages.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::extension::is_markdown;
use crate::base::isolate::LEFT_OUT;
use crate::base::{Diagnostic, FileId, PageId};
use crate::source::nav::draft::Draft;
use crate::source::nav::{self, Navigation};

use super::config::Config;
use super::ignored::IgnoreRules;
use super::inventory::{self, Inventory, take_inventory, unnumbered};
use super::json::Json;
use super::operation_pages::{missing_descriptions, tell_changed_operations, title_operations};
use super::page::PageEntry;
use super::problems::Problems;
use super::remote::{self, RemoteFiles, add_remote_specs, named_remote_specs};
use super::restricted::{self, Readers, cut_restricted_specs};
use super::spec::{Descriptions, Specs};
use super::tool::{self, Evaluate, Located, Opening, tool_by_name};
use super::tree::{SourceTree, folded};
use super::{
    ConfigKind, Site,
    docs_json::{self, read_docs_json},
    mint_json, overlays,
    refs::{self, resolve_json_refs},
    scan, unconfigured, unread,
};

/// What a load depends on besides the folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadOptions<'a> {
    /// User groups whose pages are exported too.
    pub groups: &'a [String],
    /// Gets API descriptions from other servers; without it there are none.
    pub remote: Option<&'a dyn RemoteFiles>,
    /// The name of the tool whose repository it is; without it, its files say.
    pub from: Option<&'a str>,
    /// Runs configurations that are programs; without it, they say nothing.
    pub evaluate: Option<&'a dyn Evaluate>,
}

/// What a load gives.
#[derive(Debug)]
pub struct Loaded {
    /// Configuration, pages, files.
    pub site: Site,
    /// The navigation.
    pub navigation: Navigation,
    /// What is wrong with the source, in order: files, configuration, pages, navigation.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a folder cannot be exported at all.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is nothing at the path.
    #[error("`{0}` does not exist")]
    NotFound(PathBuf),
    /// It is a file.
    #[error("`{0}` is not a folder")]
    NotAFolder(PathBuf),
    /// The configuration is not JSON, or cannot be read.
    #[error("{}: {}", format_problem_place(.0), .0.message)]
    Config(Diagnostic),
    /// No file is a page.
    #[error("{0}")]
    NoPages(String),
    /// It belongs to a tool whose repositories are not read, or not to the one that was named.
    #[error("{0}")]
    OtherTool(String),
}

/// Where a problem is, as far as that is known.
fn format_problem_place(problem: &Diagnostic) -> String {
    let Diagnostic { file, line, column, .. } = problem;
    if *line == 0 { file.clone() } else { format!("{file}:{line}:{column}") }
}

impl LoadOptions<'_> {
    /// Whether a page with these access groups is exported.
    pub(crate) fn may_see(&self, groups: &[String]) -> bool {
        Readers(self.groups).may_see(groups)
    }
}

/// Loads the site in a folder.
///
/// # Errors
/// The folder or its configuration is of no use; everything else that is wrong is a diagnostic.
pub fn load_site(root: &Path, options: &LoadOptions<'_>) -> Result<Loaded, LoadError> {
    let (tree, found) = list_folder(root)?;
    load_tree(tree, found, options)
}

/// Lists the files of a folder, for [`load_tree`].
///
/// # Errors
/// It is no folder.
pub fn list_folder(root: &Path) -> Result<(SourceTree, Vec<Diagnostic>), LoadError> {
    let metadata = std::fs::metadata(root).map_err(|_| LoadError::NotFound(root.to_owned()))?;
    if !metadata.is_dir() {
        return Err(LoadError::NotAFolder(root.to_owned()));
    }
    Ok(SourceTree::list(root))
}

/// Loads the site of a tree that has been listed; `found` is what was wrong with that.
///
/// # Errors
/// The tree or its configuration is of no use; everything else that is wrong is a diagnostic.
pub fn load_tree(mut tree: SourceTree, found: Vec<Diagnostic>, options: &LoadOptions<'_>) -> Result<Loaded, LoadError> {
    let mut problems = Problems::default();
    problems.found.extend(found);
    let located = located(&tree, options.from)?;
    let (kind, config_file) = config_file(&tree, &located);
    ignore(&mut tree, kind, &mut problems);
    let config_name = config_file.map_or_else(|| located.config.clone(), |file| tree.path(file).to_owned());
    let project = if kind == ConfigKind::Plain { project(&tree, &located, options, &mut problems) } else { None };
    let shown = project.as_ref().map(|project| project.layout().shown.clone()).unwrap_or_default();
    tree.show(&shown);
    let read_json = |file| problems.guarded(&config_name, LEFT_OUT, |found| config_json(file, kind, &tree, found));
    let json = config_file.and_then(read_json).transpose()?;
    let read_config = |json| problems.guarded(&config_name, "it sets nothing", |found| read_docs_json(json, found));
    let config = json.as_ref().and_then(read_config).unwrap_or_else(plain_config);
    let navigation = json.as_ref().and_then(|json| json.member("navigation"));
    let read_draft =
        || problems.guarded(&config_name, FROM_FOLDERS, |found| Some(Draft::read(navigation?, found))).flatten();
    // what stands in files does not depend on which of them the navigation names
    let project_of = project.as_deref();
    let (scanned, draft) =
        rayon::join(|| inventory::scan_texts(&tree, kind, &config.variables, project_of), read_draft);
    let written_navigation = navigation.filter(|_| draft.is_some());
    let mut draft = draft.unwrap_or_else(Draft::empty);

    let listed: FxHashSet<String> = draft.slugs().map(str::to_owned).collect();
    let mut inventory = take_inventory(&tree, kind, scanned, &listed, project_of, options);
    problems.found.append(&mut inventory.problems);
    let mut specs = Specs::find(&tree, config_file);
    let api = json.as_ref().and_then(|json| json.member("api"));
    add_remote_specs(
        &named_remote_specs(&draft, &inventory.pages, api),
        options.remote,
        &mut specs,
        &mut tree,
        &mut problems,
    );
    problems.guarded(&config_name, "its overlays change nothing", |found| {
        overlays::assign(api, &draft, &mut specs, &tree, found);
    });
    let withheld = cut_restricted_specs(&mut specs, &mut tree, Readers(options.groups), &mut problems);
    restricted::close_pages(&mut inventory, &mut specs, &tree, &mut problems);
    title_operations(&mut inventory.pages, &mut specs, &tree, &mut problems);
    let of_api: Vec<&str> = api.into_iter().flat_map(remote::of_settings).map(|(source, _)| source).collect();
    let (is_unwritten, pages) = (written_navigation.is_none(), &inventory.pages);
    let layout = project.as_ref().map(|project| project.layout());
    let is_served = |path: &str| layout.is_none_or(|layout| is_served(layout, path));
    let found = (&mut specs, &is_served as &dyn Fn(&str) -> bool);
    nav::unlisted::add_unlisted_specs(&mut draft, &of_api, is_unwritten, pages, found, &tree, &mut problems);
    // a restricted page is in the place of a generated one all the same
    let written: FxHashSet<String> =
        inventory.pages.iter().map(|page| &page.slug).chain(&inventory.grouped).cloned().collect();
    let outcome = "it has no pages of API descriptions";
    let generated = problems.guarded(&config_name, outcome, |found| {
        nav::generated::generate(&mut draft, &mut specs, &tree, &written, &mut inventory.grouped, found)
    });
    let generated = generated.unwrap_or_default();
    tell_changed_operations(&generated, &mut problems);
    if let Some(api) = api {
        missing_descriptions(api, &specs, &tree, &mut problems);
    }
    if let Some(project) = &project {
        let own = project.generated_pages(&inventory.pages, &tree);
        inventory.pages.extend(own);
    }
    if inventory.pages.is_empty() && generated.is_empty() {
        return Err(LoadError::NoPages(no_pages(&tree, kind, &problems.found)));
    }

    let languages = std::mem::take(&mut draft.languages);
    let mut site = assemble(tree, Config { languages, ..config }, kind, &mut inventory, generated);
    site.tool = Some(located);
    site.project = project;
    unconfigured::redirect(&mut site, std::mem::take(&mut inventory.redirects));
    site.specs = specs.files();
    site.descriptions = Descriptions::keep(specs, &site.pages, &site.tree, &mut problems.found);
    site.restricted = inventory.grouped.iter().chain(&withheld).map(|name| folded(name)).collect();
    site.fragments.extend(site.descriptions.fragments());
    let described = site.pages.iter().filter_map(|page| Some((page.file?, page.meta.description.as_ref()?.source())));
    let described = described.flat_map(|(file, text)| scan::fragments(text).into_iter().map(move |it| (file, it)));
    site.fragments.extend(described);
    let prefaces = site.pages.iter().filter_map(|page| page.preface.as_deref());
    site.fragments.extend(
        prefaces.flat_map(|preface| scan::fragments(&preface.text).into_iter().map(|target| (preface.file, target))),
    );
    site.config_files = config_files(&site, &problems);
    let build = |found: &mut Problems| nav::build::build_navigation(&draft, &site, &inventory, found);
    let navigation = match problems.guarded(&config_name, FROM_FOLDERS, build) {
        Some(navigation) if written_navigation.is_some() => navigation,
        of_pages => unconfigured::navigation(&site, &of_pages.unwrap_or_default().nodes),
    };
    mark_pages(&mut site, &navigation);
    super::visibility::mark_visibility(&mut site, &navigation);
    unconfigured::name_plain_site(&mut site, &navigation);
    site.first_pages = unconfigured::first_pages(&site, &navigation);
    if let (Some(json), None) = (&json, written_navigation) {
        let message = "`navigation` is missing; it is generated from the folders";
        problems.at(json.at, Diagnostic::error("config-missing-key", message).hint("list the pages in `navigation`"));
    }
    problems.found.extend(unread::find_pointers(&site));
    problems.found.extend(unread::unread_documents(&site));
    Ok(Loaded { site, navigation, diagnostics: problems.finish() })
}

/// What was looked for in a folder without pages.
fn no_pages(tree: &SourceTree, kind: ConfigKind, found: &[Diagnostic]) -> String {
    let folder = tree.folder().map_or_else(|| "the source".to_owned(), |folder| format!("`{}`", folder.display()));
    let markdown = tree.files.iter().filter(|file| is_markdown(&file.path)).count();
    let config = match kind.file_name() {
        Some(name) => format!("it has a `{name}`, but "),
        None => "it has no `docs.json`, no `mint.json` and ".to_owned(),
    };
    // a description that cannot be read would have had pages
    let description = found.iter().find(|problem| problem.code.starts_with("openapi-"));
    let description =
        description.map(|it| format!("; {}: {}", format_problem_place(it), it.message)).unwrap_or_default();
    match markdown {
        0 => format!(
            "{folder} has no pages: {config}no Markdown file (`.md` or `.mdx`), in subfolders either{description}"
        ),
        count => format!(
            "{folder} has no pages: {config}only Markdown files that are ignored, imported or restricted to a group ({count}){description}"
        ),
    }
}

/// Whether another tool serves a file.
fn is_served(layout: &tool::Layout, path: &str) -> bool {
    let folders = [&layout.mounts, &layout.statics];
    layout.mounts.is_empty() || folders.iter().any(|mounts| tool::mounted_address(mounts, path).is_some())
}

/// What becomes of a navigation that cannot be read.
const FROM_FOLDERS: &str = "the navigation is made from the folders";

/// What another tool makes of its source.
fn project(
    tree: &SourceTree,
    located: &Located,
    options: &LoadOptions<'_>,
    problems: &mut Problems,
) -> Option<Box<dyn tool::Project>> {
    let opening = Opening { tree, config: &located.config, evaluate: options.evaluate };
    let open = |found: &mut Problems| located.tool.open(&opening, found);
    problems.guarded(&located.config, "the folder is read as plain Markdown", open).flatten()
}

/// The tool of a source.
fn located(tree: &SourceTree, from: Option<&str>) -> Result<Located, LoadError> {
    let from = from.map(tool_by_name).transpose().map_err(LoadError::OtherTool)?;
    tool::locate(tree, from).map_err(LoadError::OtherTool)
}

/// The configuration of the site's own format, if it is one of that.
fn config_file(tree: &SourceTree, located: &Located) -> (ConfigKind, Option<FileId>) {
    if !located.is_native() {
        return (ConfigKind::Plain, None);
    }
    let file = |kind: ConfigKind, name: &str| tree.find_any(name).map(|id| (kind, Some(id)));
    file(ConfigKind::Docs, "docs.json")
        .or_else(|| file(ConfigKind::Mint, "mint.json"))
        .unwrap_or((ConfigKind::Plain, None))
}

/// What was read as configuration, and `.mintignore`.
fn config_files(site: &Site, problems: &Problems) -> Vec<FileId> {
    let of_tool = site.project.as_ref().map_or(&[][..], |project| &project.layout().config_files);
    let located = site.tool.as_ref().filter(|_| site.project.is_some()).map(|tool| tool.config.as_str());
    let names = problems.sources.iter().map(|(path, _)| path.as_str()).chain([".mintignore"]);
    let names = names.chain(located).chain(of_tool.iter().map(String::as_str));
    let mut files: Vec<FileId> = names.filter_map(|name| site.tree.find_any(name)).collect();
    files.sort_unstable();
    files.dedup();
    files
}

fn ignore(tree: &mut SourceTree, kind: ConfigKind, problems: &mut Problems) {
    let (rules, found) = IgnoreRules::read(kind, |name| {
        tree.find_any(name).and_then(|id| tree.read_text(id, crate::base::limits::PAGE_BYTES).ok())
    });
    tree.apply(&rules);
    problems.found.extend(found);
    if kind == ConfigKind::Plain {
        let is_config = |path: &str| matches!(path.rsplit_once('/'), Some((_, "docs.json" | "mint.json")));
        if let Some(file) = tree.files.iter().find(|file| !file.ignored && is_config(&file.path)) {
            let message =
                format!("`{}` is not used: the configuration has to be at the root of the exported folder", file.path);
            let hint = format!("export the folder `{}` instead", super::tree::folder(&file.path));
            problems.found.push(Diagnostic::new("config-elsewhere", message).at(file.path.as_str(), 0, 0).hint(hint));
        }
    }
}

fn config_json(file: FileId, kind: ConfigKind, tree: &SourceTree, problems: &mut Problems) -> Result<Json, LoadError> {
    let json = refs::read_json(file, tree, problems).map_err(LoadError::Config)?;
    let json = resolve_json_refs(json, tree.path(file), tree, problems);
    Ok(if kind == ConfigKind::Mint { mint_json::upgrade(&json) } else { json })
}

fn plain_config() -> Config {
    Config { name: "Documentation".to_owned(), colors: docs_json::default_colors(), ..Config::default() }
}

/// Sorts the pages and makes the look-ups.
fn assemble(
    tree: SourceTree,
    config: Config,
    kind: ConfigKind,
    inventory: &mut Inventory,
    generated: Vec<PageEntry>,
) -> Site {
    let mut pages = std::mem::take(&mut inventory.pages);
    pages.extend(generated);
    pages.sort_unstable_by(|a, b| a.slug.cmp(&b.slug));
    let mut site = Site { tree, config, kind, ..Site::default() };
    for (index, page) in pages.iter().enumerate() {
        let id = PageId(u32::try_from(index).unwrap_or(u32::MAX));
        site.by_slug.insert(page.slug.clone(), id);
        site.by_folded_slug.entry(folded(&page.slug)).or_insert(id);
    }
    site.pages = pages;
    let aliases = inventory.aliases.iter().filter(|(name, _)| !site.by_slug.contains_key(name));
    let mut aliases: FxHashMap<String, PageId> =
        aliases.filter_map(|(name, slug)| Some((name.clone(), *site.by_slug.get(slug)?))).collect();
    if site.kind == ConfigKind::Plain {
        for (id, page) in (0..).map(PageId).zip(&site.pages) {
            let bare = unnumbered(&page.slug);
            if bare != page.slug && !site.by_slug.contains_key(&bare) {
                aliases.entry(bare).or_insert(id);
            }
        }
    }
    site.aliases = aliases;
    #[expect(clippy::iter_over_hash_type, reason = "a map into a map: no order")]
    for (slug, page) in &inventory.url_pages {
        site.url_pages.insert(slug.clone(), page.target.clone());
    }
    site.imported = std::mem::take(&mut inventory.imported);
    site.fragments = std::mem::take(&mut inventory.fragments);
    site.facts = std::mem::take(&mut inventory.facts);
    site
}

fn mark_pages(site: &mut Site, navigation: &Navigation) {
    let hidden = navigation.hidden_pages();
    for (index, page) in site.pages.iter_mut().enumerate() {
        let id = PageId(u32::try_from(index).unwrap_or(u32::MAX));
        page.in_navigation = navigation.place_of(id).is_some();
        page.hidden |= page.meta.hidden == Some(true) || hidden.contains(&id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Description;
    use crate::source::site::Dialect;
    use crate::source::site::testing::{Fixture, site, try_site};

    const DOCS: &str =
        r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"pages": ["index"]}}"##;

    #[track_caller]
    fn check_pages(files: &[(&str, &str)], expect: &[&str]) -> Fixture {
        let fixture = site(files);
        assert_eq!(fixture.slugs(), expect, "{:?}", fixture.problems());
        fixture
    }

    #[track_caller]
    fn check_error(files: &[(&str, &str)], expect: &str) {
        let error = try_site(files, &LoadOptions::default()).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(expect), "{error}");
    }

    #[test]
    fn unusable_sources() {
        check_error(&[("docs.json", "{\n  \"a\": ]")], "docs.json:2:8: `docs.json` is not JSON: expected a value");
        check_error(&[("docs.json", DOCS), ("README.md", "# x")], "has no pages");
        let of_api = r#"{"navigation": {"groups": [{"group": "A", "openapi": "api.yaml"}]}}"#;
        check_error(
            &[("docs.json", of_api), ("api.yaml", "openapi: 3.1.0\ninfo: {title: a: b}\n")],
            "`api.yaml` is not used: it is not YAML",
        );
        assert!(matches!(
            load_site(Path::new("/no/such/folder"), &LoadOptions::default()),
            Err(LoadError::NotFound(_))
        ));
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(matches!(load_site(file.path(), &LoadOptions::default()), Err(LoadError::NotAFolder(_))));
    }

    #[test]
    fn pages_of_a_configured_site() {
        let fixture = check_pages(
            &[
                ("docs.json", DOCS),
                (".mintignore", "drafts/\n"),
                ("index.mdx", "import A from '/parts/a.mdx'\nimport { B } from './b'\n"),
                ("b.jsx", "import c from './parts/c.md'"),
                ("parts/a.mdx", ""),
                ("parts/c.md", ""),
                ("parts/d.md", ""),
                ("drafts/x.mdx", ""),
                ("build/x.mdx", ""),
                ("_snippets/x.mdx", ""),
                ("README.md", ""),
                (".github/x.md", ""),
                ("link.mdx", "---\nurl: https://x\n---\n"),
            ],
            &["index", "parts/d"],
        );
        assert_eq!(fixture.site.url_pages.get("link").map(String::as_str), Some("https://x"));
        let imported: Vec<&str> = fixture.site.imported.iter().map(|id| fixture.site.tree.path(*id)).collect();
        assert_eq!(imported, ["b.jsx", "parts/a.mdx", "parts/c.md"]);
        assert!(fixture.site.pages.iter().all(|page| page.dialect == Dialect::Mdx));
        assert_eq!(
            fixture
                .site
                .tree
                .iter()
                .filter(|(id, _)| fixture.site.is_config(*id))
                .map(|(_, file)| file.path.as_str())
                .collect::<Vec<_>>(),
            [".mintignore", "docs.json"]
        );
        assert!(fixture.diagnostics.is_empty(), "{:?}", fixture.problems());
    }

    #[test]
    fn pages_of_a_plain_folder() {
        let fixture = check_pages(
            &[
                ("README.md", "# The *project*\n\nSee [guide](guide/README.md#start)."),
                ("guide/README.md", "Guide\n=====\n"),
                ("guide/02-next_step.md", "text"),
                ("both/README.md", ""),
                ("both/index.md", "---\ntitle: Both\n---\n# Both\n"),
                ("page.mdx", ""),
                (".gitignore", "out/\n"),
                ("out/x.md", ""),
            ],
            &["both/README", "both/index", "guide/02-next_step", "guide/index", "index", "page"],
        );
        let page = |slug: &str| fixture.site.page(fixture.page(slug));
        assert_eq!(fixture.site.config.name, "The project");
        assert!(
            page("index").title_in_body
                && page("both/index").title_in_body
                && !page("guide/02-next_step").title_in_body
        );
        assert_eq!(
            (page("guide/02-next_step").meta.title.as_str(), page("guide/02-next_step").meta.title_given),
            ("Next step", false)
        );
        assert_eq!((page("page").dialect, page("index").dialect), (Dialect::Mdx, Dialect::Markdown));
        assert_eq!(fixture.site.find_page("guide/README").map(|id| fixture.slug(id)), Some("guide/index"));
        assert_eq!(
            fixture
                .site
                .fragments
                .iter()
                .map(|(id, target)| (fixture.site.tree.path(*id), target.as_str()))
                .collect::<Vec<_>>(),
            [("README.md", "guide/README.md#start")]
        );
        assert!(fixture.site.pages.iter().all(|page| page.in_navigation));
    }

    #[test]
    fn names_are_made_unique() {
        let fixture = check_pages(
            &[
                ("docs.json", DOCS),
                ("index.mdx", ""),
                ("Guide.mdx", "---\ntitle: One\n---"),
                ("guide.mdx", ""),
                ("twin.md", ""),
                ("twin.mdx", "---\ntitle: Kept\n---"),
            ],
            &["Guide", "guide-2", "index", "twin"],
        );
        assert_eq!(fixture.site.find_page("guide").map(|id| fixture.slug(id)), Some("guide-2"));
        assert_eq!(fixture.site.page(fixture.page("twin")).meta.title, "Kept");
        let codes: Vec<&str> = fixture.diagnostics.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["page-name", "page-repeated"]);
    }

    #[test]
    fn listed_pages_keep_their_names() {
        let docs = DOCS.replace(r#""index""#, r#""index", "agents", "b/Two""#);
        let fixture = check_pages(
            &[
                ("docs.json", &docs),
                ("AGENTS.md", ""),
                ("agents.mdx", "---\ntitle: Agents\n---"),
                ("b/Two.mdx", ""),
                ("b/two.mdx", ""),
                ("index.mdx", ""),
                ("zoo.mdx", ""),
                ("Zoo.mdx", ""),
            ],
            &["AGENTS-2", "Zoo", "agents", "b/Two", "b/two-2", "index", "zoo-2"],
        );
        assert_eq!(fixture.site.page(fixture.page("agents")).meta.title, "Agents");
        assert_eq!(fixture.site.find_page("AGENTS").map(|id| fixture.slug(id)), Some("AGENTS-2"));
        let files: Vec<&str> = fixture.diagnostics.iter().map(|problem| problem.file.as_str()).collect();
        assert_eq!(files, ["AGENTS.md", "b/two.mdx", "zoo.mdx"]);
    }

    #[test]
    fn names_that_some_systems_cannot_hold_are_told() {
        let fixture = check_pages(
            &[
                ("docs.json", DOCS),
                ("index.mdx", ""),
                ("levels:append.mdx", ""),
                ("levels-append.mdx", ""),
                ("con.mdx", ""),
                ("e\u{301}.mdx", ""),
            ],
            &["con", "e\u{301}", "index", "levels-append", "levels-append-2"],
        );
        assert_eq!(
            fixture.problems(),
            [
                "page-name levels:append.mdx:0:0 `levels:append.mdx` becomes `levels-append-2`: its name differs from `levels-append.mdx` only by case or by characters that file names cannot hold",
                "page-name con.mdx:0:0 the page `/con` becomes `/con_`: not every system can hold a file of that name",
            ]
        );
        let api =
            r#"{"openapi": "3.1.0", "paths": {"/a": {"get": {"summary": "Users: all"}, "put": {"summary": "Why?"}}}}"#;
        let docs = DOCS.replace(r#""pages": ["index"]"#, r#""groups": [{"group": "G", "openapi": "api.json"}]"#);
        let fixture = check_pages(
            &[("docs.json", &docs), ("api.json", api)],
            &["api-reference/users:-all", "api-reference/why?"],
        );
        assert_eq!(
            fixture.problems(),
            [
                "page-name api.json:0:0 the page `/api-reference/users:-all` becomes `/api-reference/users--all` (and another one): not every system can hold a file of that name"
            ]
        );
    }

    #[test]
    fn access_groups_close_pages() {
        let files = [
            ("docs.json", DOCS),
            ("index.mdx", ""),
            ("a.mdx", "---\ngroups: [staff]\n---"),
            ("b.mdx", "---\ngroups: [{excludes: [guest]}]\n---"),
            ("c.mdx", "---\ngroups: [{includes: ['*']}]\n---"),
            ("url.mdx", "---\ntitle: Link\nurl: https://staff.example\ngroups: [staff]\n---"),
            ("broken.mdx", "+++\ngroups = [\"staff\"\n+++"),
            ("open.mdx", "---\ntitle: Never closed\ngroups: [staff]\n\nText."),
        ];
        let slugs = |groups: &[&str]| {
            let groups: Vec<String> = groups.iter().map(|group| (*group).to_owned()).collect();
            try_site(&files, &LoadOptions { groups: &groups, ..LoadOptions::default() }).unwrap().slugs().join(" ")
        };
        assert_eq!(slugs(&[]), "index");
        assert_eq!(slugs(&["staff"]), "a b c index");
        assert_eq!(slugs(&["guest"]), "c index");
        let links = |groups: &[&str]| {
            let groups: Vec<String> = groups.iter().map(|group| (*group).to_owned()).collect();
            try_site(&files, &LoadOptions { groups: &groups, ..LoadOptions::default() }).unwrap().site.url_pages.len()
        };
        assert_eq!((links(&[]), links(&["staff"])), (0, 1));
    }

    #[test]
    fn an_older_configuration() {
        let fixture = site(&[
            (
                "mint.json",
                r##"{"name": "Old", "theme": "venus", "isWhiteLabeled": true, "colors": {"primary": "#123456"}, "tabs": [{"name": "API", "url": "api"}],
                "navigation": [{"group": "Start", "pages": ["index"]}, {"group": "Calls", "pages": ["api/a", "api/none"]}]}"##,
            ),
            ("index.mdx", ""),
            ("api/a.mdx", ""),
        ]);
        assert_eq!(
            fixture.outline(),
            ["Tab Documentation", "  Group Start", "    Page Index", "Tab API", "  Group Calls", "    Page A"]
        );
        assert_eq!(fixture.site.config.name, "Old");
        assert_eq!(
            fixture.problems(),
            [
                "nav-missing-page mint.json:2:110 `api/none` is listed in the navigation, but the file does not exist",
                "config-unknown-key mint.json:1:35 `isWhiteLabeled`: `mint.json` has no key `isWhiteLabeled`; it has no effect",
            ]
        );
    }

    #[test]
    fn descriptions_that_do_not_exist_are_told_once() {
        let fixture = site(&[
            (
                "docs.json",
                r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"},
                "api": {"openapi": ["a.json", {"source": "gone.json"}, "https://x/o.json", "both.json", "gone.json"], "asyncapi": "chat.yml"},
                "navigation": {"groups": [{"group": "G", "openapi": "both.json", "pages": ["index"]}]}}"##,
            ),
            ("index.mdx", ""),
            ("a.json", r#"{"openapi": "3.1.0", "paths": {}}"#),
        ]);
        assert_eq!(
            fixture.problems(),
            [
                "openapi-remote docs.json:2:72 the API description `https://x/o.json` is on another server and is not fetched; its operations have no pages",
                "openapi-missing-file docs.json:3:69 the API description `both.json` does not exist",
                "openapi-missing-file docs.json:2:47 the API description `gone.json` does not exist",
                "openapi-missing-file docs.json:2:131 the API description `chat.yml` does not exist",
            ]
        );
    }

    #[test]
    fn pages_of_operations_are_described_by_them() {
        let api =
            r#"{"openapi": "3.1.0", "paths": {"/pets": {"get": {"summary": "List", "description": "All **pets**."}}}}"#;
        let fixture = site(&[
            (
                "docs.json",
                r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"pages": ["a", "b", "GET /pets"]}}"##,
            ),
            ("api.json", api),
            ("a.mdx", "---\ntitle: Own\nopenapi: GET /pets\n---\n"),
            ("b.mdx", "---\nopenapi: GET /pets\ndescription: Mine\n---\n"),
        ]);
        let meta = |slug: &str| {
            let meta = &fixture.site.page(fixture.page(slug)).meta;
            (meta.title.as_str(), meta.description.as_ref().map(Description::source))
        };
        assert_eq!(
            ["a", "b", "api-reference/list"].map(meta),
            [("Own", Some("All **pets**.")), ("List", Some("Mine")), ("List", Some("All **pets**."))]
        );
    }

    #[test]
    fn a_configuration_without_navigation() {
        let fixture = site(&[
            ("docs.json", r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}}"##),
            ("index.mdx", ""),
            ("a/b.mdx", ""),
        ]);
        assert_eq!(fixture.outline(), ["Page Index", "Group A", "  Page B"]);
        assert_eq!(
            fixture.problems(),
            ["config-missing-key docs.json:1:1 `navigation` is missing; it is generated from the folders"]
        );
    }

    #[test]
    fn variables_stand_in_front_matter() {
        let fixture = site(&[
            (
                "docs.json",
                r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "variables": {"ver": "2.0", "both": "a: \"b\""}, "navigation": {"pages": ["index"]}}"##,
            ),
            (
                "index.mdx",
                "---\ntitle: \"Release {{ver}}\"\nsidebarTitle: {{ ver }} now\ndescription: 'Has {{both}} and {{none}}'\nkeywords: ['k {{ver}}']\n---\n",
            ),
        ]);
        let meta = &fixture.site.page(fixture.page("index")).meta;
        assert_eq!((meta.title.as_str(), meta.sidebar_title.as_deref()), ("Release 2.0", Some("2.0 now")));
        assert_eq!(
            (meta.description.as_ref().map(Description::source), &*meta.keywords),
            (Some("Has a: \"b\" and {{none}}"), &["k 2.0".to_owned()][..])
        );
        assert_eq!(fixture.outline(), ["Page 2.0 now"]);
        assert!(fixture.diagnostics.is_empty(), "{:?}", fixture.problems());
    }

    #[test]
    fn a_configuration_further_down_is_pointed_at() {
        let fixture = site(&[("docs/docs.json", DOCS), ("docs/index.md", "")]);
        assert_eq!(
            fixture.problems(),
            [
                "config-elsewhere docs/docs.json:0:0 `docs/docs.json` is not used: the configuration has to be at the root of the exported folder"
            ]
        );
    }

    #[test]
    fn foreign_bytes_and_large_files_are_told() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.md"), b"# caf\xe9").unwrap();
        std::fs::write(
            folder.path().join("b.md"),
            vec![b'x'; usize::try_from(crate::base::limits::PAGE_BYTES).unwrap() + 1],
        )
        .unwrap();
        let loaded = load_site(folder.path(), &LoadOptions::default()).unwrap();
        let codes: Vec<(&str, &str)> =
            loaded.diagnostics.iter().map(|problem| (problem.code, problem.file.as_str())).collect();
        assert_eq!(codes, [("unreadable-file", "b.md"), ("not-utf8", "a.md")]);
        assert_eq!(loaded.site.pages[0].meta.title, "caf\u{fffd}");
    }
}
