//! Files on other servers that a site needs while it is loaded: API descriptions that are named by their addresses.
//!
//! The stages below `export` have no network. The caller that loads a site may pass a [`RemoteFiles`], which gets all
//! addresses at once, before the navigation is built; what it gave becomes part of the tree
//! (`SourceTree::add_fetched`), and is read like any other file from then on.

use std::fmt::Debug;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use base::{Diagnostic, FileId, Severity};
use nav::draft::{EntryTarget, NavDraft};
use site::json::{Json, JsonSpot};
use site::page::PageEntry;
use spec::OpenSpecs;

/// Keys of the front matter, besides `openapi`, whose values begin with a description.
const REFERENCES: [&str; 3] = ["openapi-schema", "openapi-overview", "asyncapi"];

/// Gets files from other servers.
pub trait RemoteFiles: Debug + Sync {
    /// What the addresses gave, in their order.
    fn descriptions(&self, addresses: &[&str]) -> Vec<Result<RemoteFile, Diagnostic>>;
}

/// A file from another server.
#[derive(Clone, Debug)]
pub struct RemoteFile {
    /// Its bytes.
    pub bytes: Arc<Vec<u8>>,
    /// What the author should know about the download, if anything.
    pub problem: Option<Diagnostic>,
}

/// An address, and the first place that names it.
pub struct RemoteAddress<'a> {
    address: &'a str,
    by: By,
}

/// Where an address is named.
#[derive(Clone, Copy)]
enum By {
    /// The navigation: without the description its pages are missing.
    Navigation(JsonSpot),
    /// The front matter of a page, in this line if it is known.
    Page(Option<FileId>, u32),
    /// `api` of the configuration.
    Settings(JsonSpot),
}

/// The addresses of the API descriptions that the navigation, the pages and `api` name, each once, in this order.
pub fn named_remote_specs<'a>(
    draft: &'a NavDraft,
    pages: &'a [PageEntry],
    api: Option<&'a Json>,
) -> Vec<RemoteAddress<'a>> {
    let containers = draft.sources.iter().map(|source| (source.source.as_str(), By::Navigation(source.at)));
    let entries = draft.destinations.iter().flatten().filter_map(|destination| match &destination.target {
        EntryTarget::Operation(endpoint, _) => Some((endpoint.spec.as_deref()?, By::Navigation(destination.at))),
        EntryTarget::Page(_) => None,
    });
    let endpoints = pages.iter().filter_map(|page| {
        let endpoint = page.endpoint.as_ref()?;
        Some((endpoint.spec.as_deref()?, By::Page(page.file, endpoint.line)))
    });
    let references = pages.iter().filter_map(|page| {
        let (_, value) = page.meta.reference.as_ref().filter(|(key, _)| REFERENCES.contains(&key.as_str()))?;
        Some((value.split_whitespace().next()?, By::Page(page.file, 0)))
    });
    let settings = api.into_iter().flat_map(of_settings).map(|(source, json)| (source, By::Settings(json.at)));
    let mut known = FxHashSet::default();
    let all = containers.chain(entries).chain(endpoints).chain(references).chain(settings);
    all.filter(|(source, _)| spec::is_remote(source) && known.insert(*source))
        .map(|(address, by)| RemoteAddress { address, by })
        .collect()
}

/// The descriptions that `api` names, each with where it stands.
pub fn of_settings(api: &Json) -> impl Iterator<Item = (&str, &Json)> {
    let lists = ["openapi", "asyncapi"].into_iter().filter_map(|key| api.member(key));
    let sources = lists.flat_map(|list| list.as_array().unwrap_or(std::slice::from_ref(list)));
    let source = |json| -> Option<(&str, &Json)> {
        Some((Json::as_str(json).or_else(|| json.member("source")?.as_str())?.trim(), json))
    };
    sources.filter_map(source).filter(|(source, _)| !source.is_empty())
}

/// Makes the descriptions at these addresses part of the tree, and reports of each of the others why it is not one.
pub fn add_remote_specs(named: &[RemoteAddress<'_>], files: Option<&dyn RemoteFiles>, open: &mut OpenSpecs) {
    let OpenSpecs { specs, tree, problems } = open;
    if named.is_empty() {
        return;
    }
    let addresses: Vec<&str> = named.iter().map(|named| named.address).collect();
    let found = match files {
        Some(files) => files.descriptions(&addresses),
        None => addresses.iter().map(|address| Err(spec::not_fetched(address))).collect(),
    };
    for (RemoteAddress { address, by }, found) in named.iter().zip(found) {
        let problem = match found {
            Ok(RemoteFile { bytes, problem }) => {
                let extension = if spec::opens_object(&bytes) { "json" } else { "yaml" };
                specs.add(tree.add_fetched(address, extension, Arc::clone(&bytes)), address, &bytes);
                problem
            }
            Err(problem) => Some(problem),
        };
        match (problem, by) {
            (None, _) => {}
            (Some(problem), By::Navigation(spot)) => problems.at(*spot, problem),
            // what is there without the description stays
            (Some(problem), By::Settings(spot)) => {
                problems.at(*spot, Diagnostic { severity: Severity::Warning, ..problem })
            }
            (Some(problem), By::Page(file, line)) => {
                let problem = Diagnostic { severity: Severity::Warning, ..problem };
                problems.found.push(problem.at(file.map_or("", |file| tree.path(file)), *line, u32::from(*line > 0)));
            }
        }
    }
}
