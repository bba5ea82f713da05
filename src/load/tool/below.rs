//! Projects of tools in the folders below the one that was named: `packages/docs` and `doc/book` of a repository.

use std::collections::BTreeSet;

use base::extension::is_markdown;
use site::tree::{SourceTree, folder};

use super::{FolderView, KnownTools, Located, Tool};

/// How far below a folder a project is looked for.
const MAX_PROJECT_LEVELS: usize = 2;
/// Most folders that are looked into.
const MAX_SEARCHED_FOLDERS: usize = 2000;
/// Names of folders whose projects are not those of the repository: examples, tests, what others wrote.
const OTHERS: [&str; 27] = [
    "archetypes",
    "benchmark",
    "benchmarks",
    "build",
    "cypress",
    "demo",
    "demos",
    "dist",
    "e2e",
    "example",
    "examples",
    "fixture",
    "fixtures",
    "node_modules",
    "playground",
    "playgrounds",
    "sample",
    "samples",
    "starter",
    "starters",
    "target",
    "template",
    "templates",
    "test",
    "tests",
    "themes",
    "vendor",
];
/// Names of folders that hold documentation, beside all in which `doc` stands.
const NAMES: [&str; 12] =
    ["book", "books", "guide", "guides", "handbook", "manual", "pages", "site", "web", "website", "wiki", "www"];
/// Configurations of the format that this program is made for: a repository with one has its documentation there.
const NATIVE: [&str; 2] = ["docs.json", "mint.json"];

/// The project that the documentation of a source is: that of a folder with the name of such, else one that holds most of
/// the pages. `from`: of that tool alone.
pub(crate) fn find_below(tools: KnownTools, tree: &SourceTree, from: Option<&'static dyn Tool>) -> Option<Located> {
    let folders = folders_below(tree);
    let is_native = |folder: &String| NATIVE.iter().any(|name| tree.find(&format!("{folder}/{name}")).is_some());
    if folders.is_empty() || from.is_none() && folders.iter().any(is_native) {
        return None;
    }
    let is_meant = |tool: &&dyn Tool| match from {
        Some(from) => from.name() == tool.name(),
        None => tool.is_certain() && tool.refusal().is_none() && tool.name() != "mintlify",
    };
    let in_folder = |name: &String| {
        let view = FolderView::within(tree, name);
        let found = tools.iter().filter(is_meant).find_map(|tool| Some((tool, tool.detect(&view)?)));
        found.map(|(tool, config)| (name.clone(), Located { tool, config: format!("{name}/{config}") }))
    };
    let mut found: Vec<(String, Located)> = folders.iter().filter_map(in_folder).collect();
    // a tool may look into the folders of the one that it is asked about
    let named = found.iter().position(|(_, located)| is_documentation(folder(&located.config)));
    let chosen = named.or_else(|| found.iter().position(|(folder, _)| from.is_some() || holds_most(tree, folder)))?;
    Some(found.swap_remove(chosen).1)
}

/// The folders of the first levels, those of each level in order of their names.
fn folders_below(tree: &SourceTree) -> Vec<String> {
    let mut levels: [BTreeSet<&str>; MAX_PROJECT_LEVELS] = [BTreeSet::new(), BTreeSet::new()];
    for file in &tree.files {
        let ends = file.path.match_indices('/').filter_map(|(at, _)| file.path.get(..at));
        for (level, folder) in levels.iter_mut().zip(ends) {
            if is_other(folder.rsplit('/').next().unwrap_or(folder)) {
                break;
            }
            level.insert(folder);
        }
    }
    levels.into_iter().flatten().take(MAX_SEARCHED_FOLDERS).map(str::to_owned).collect()
}

/// Whether a project in a folder below is found whatever else there is.
pub(crate) fn is_looked_into(folder: &str) -> bool {
    let names = folder.split('/');
    names.clone().count() <= MAX_PROJECT_LEVELS && !names.clone().any(is_other) && is_documentation(folder)
}

fn is_other(name: &str) -> bool {
    name.starts_with('.') || OTHERS.iter().any(|other| name.eq_ignore_ascii_case(other))
}

fn is_documentation(folder: &str) -> bool {
    folder.split('/').any(|name| {
        let name = name.to_lowercase();
        name.contains("doc") || NAMES.contains(&name.as_str())
    })
}

/// Whether most pages of a source lie in a folder.
fn holds_most(tree: &SourceTree, folder: &str) -> bool {
    let all = tree.files.iter().filter(|file| !file.ignored && is_markdown(&file.path)).count();
    let own = tree.below(folder).filter(|(_, file)| !file.ignored && is_markdown(&file.path)).count();
    own * 2 > all
}
