//! API descriptions that no entry of the navigation names: those of a folder without a configuration, and those that
//! only `api` names. Each gets a group of its own.

use serde_json::Value;

use base::Diagnostic;
use site::page::PageEntry;
use spec::{OpenSpecs, join_slug_parts, slug_part};

use super::draft::{API_DIRECTORY, ApiSource, EntryTarget, NavDraft};
use super::{NavNode, NodeId, NodeKind};

/// Most descriptions of a folder without a configuration that get pages without being asked for.
const MAX_UNLISTED: usize = 20;

/// Adds groups for the descriptions that `api` names, or without any for those whose file names say what they are, if
/// the pages and the navigation use none at all. `is_plain`: there is no written navigation. `is_served`: whether the
/// site has the file at a path; a repository may hold descriptions that are none of its readers' business.
pub fn add_unlisted_specs(
    draft: &mut NavDraft,
    named: &[&str],
    is_plain: bool,
    pages: &[PageEntry],
    is_served: &dyn Fn(&str) -> bool,
    open: &mut OpenSpecs,
) {
    let is_used = |target: &EntryTarget| matches!(target, EntryTarget::Operation(..));
    let is_own = |page: &PageEntry| page.endpoint.is_some() || page.meta.reference.is_some();
    let has_entries = draft.destinations.iter().flatten().any(|destination| is_used(&destination.target));
    // beside divisions there is no place for a group
    let root = draft.nodes[0].children.iter().map(|child| &draft.nodes[child.0 as usize]);
    let has_divisions = root.clone().any(|node| node.kind.is_division() && !node.global);
    if !draft.sources.is_empty() || has_entries || has_divisions || pages.iter().any(is_own) {
        return;
    }
    let numbers: Vec<usize> = match named {
        [] if is_plain => {
            let (served, others): (Vec<usize>, Vec<usize>) =
                open.specs.conventional().into_iter().partition(|number| is_served(open.specs.path(*number)));
            for number in others {
                let path = open.specs.path(number);
                let message =
                    format!("`{path}` is outside of the folders that the site serves; its operations have no pages");
                let hint = "put it beside the pages if readers are meant to see it";
                open.problems.found.push(Diagnostic::new("openapi-outside", message).at(path, 0, 0).hint(hint));
            }
            served
        }
        named => named.iter().filter_map(|name| open.specs.locate(name)).collect(),
    };
    let mut found: Vec<(usize, String, bool)> = Vec::new();
    for number in numbers.into_iter().take(MAX_UNLISTED) {
        let document = open.document(number);
        let is_async = document.get("asyncapi").is_some();
        let has_pages =
            if is_async { !spec::channels(&document).is_empty() } else { !spec::operations(&document).is_empty() };
        if has_pages && found.iter().all(|(known, ..)| *known != number) {
            found.push((number, spec_title(&document).unwrap_or_else(|| "API".to_owned()), is_async));
        }
    }
    let is_alone = found.len() == 1;
    for (number, title, is_async) in found {
        let part = if is_alone { String::new() } else { slug_part(&title) };
        let group = NavNode { kind: NodeKind::Group, label: title.clone(), key: title, ..NavNode::default() };
        let node = draft.add(group, None, NodeId(0));
        draft.sources.push(ApiSource {
            node,
            source: open.specs.path(number).to_owned(),
            overlays: None,
            directory: join_slug_parts(&[API_DIRECTORY, &part]),
            is_async,
            picked: false,
            at: site::json::JsonSpot::default(),
        });
    }
}

fn spec_title(document: &Value) -> Option<String> {
    let title = document.get("info")?.get("title")?.as_str()?.trim();
    (!title.is_empty()).then(|| title.to_owned())
}
