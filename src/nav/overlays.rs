//! Which overlays the configuration lists for which API descriptions.

use crate::draft::NavDraft;
use base::{Diagnostic, FileId};
use site::docs_json::api_source;
use site::fields::FieldPath;
use site::json::{Json, JsonSpot};
use site::problems::LoadProblems;
use site::tree::SourceTree;
use spec::OpenSpecs;

/// A description, its overlays with their places, and the place of the list.
type ListedDescription = (String, Vec<(String, JsonSpot)>, JsonSpot);

/// Tells the descriptions of the overlays that `api` and the navigation list for them. Two different lists for one
/// description are an error: its pages can show only one of them.
pub fn assign(api: Option<&Json>, draft: &NavDraft, open: &mut OpenSpecs) {
    let OpenSpecs { specs, tree, problems } = open;
    let mut listed: Vec<ListedDescription> = Vec::new();
    for key in ["openapi", "asyncapi"] {
        let Some(json) = api.and_then(|api| api.member(key)) else { continue };
        for field in (FieldPath { path: format!("api.{key}"), json, log: None }).one_or_many() {
            // what is wrong with it has been told
            if let Some(named) = api_source(&field, &mut LoadProblems::default())
                && let Some((overlays, at)) = named.overlays
            {
                listed.push((named.source, overlays, at));
            }
        }
    }
    for source in &draft.sources {
        listed.extend(source.overlays.clone().map(|(overlays, at)| (source.source.clone(), overlays, at)));
    }
    for (source, overlays, at) in listed {
        let Some(number) = specs.locate(&source) else { continue };
        let overlays: Vec<FileId> =
            overlays.into_iter().filter_map(|(path, at)| find_overlay_file(&path, at, tree, problems)).collect();
        if !specs.list_overlays(number, overlays) {
            let message = format!("`{source}` has another list of `overlays` elsewhere; this one is not used");
            let hint = "give all sources of a description the same list, or only one of them";
            problems.at(at, Diagnostic::error("openapi-overlay", message).hint(hint));
        }
    }
}

/// The file of an overlay.
fn find_overlay_file(path: &str, at: JsonSpot, tree: &SourceTree, problems: &mut LoadProblems) -> Option<FileId> {
    let file = tree.find_any(path.trim_start_matches("./").trim_start_matches('/'));
    if file.is_none() {
        let why = if spec::is_remote(path) { "is on another server and is not fetched" } else { "does not exist" };
        let message = format!("the overlay `{path}` {why}");
        problems.at(at, Diagnostic::error("openapi-overlay", message).hint("name a file of the documentation folder"));
    }
    file
}
