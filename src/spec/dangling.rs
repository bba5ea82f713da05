//! References that lead nowhere, and paths whose operations are therefore missing.

use rustc_hash::FxHashSet;
use serde_json::Value;

use site::tree::SourceTree;

use super::operation::{escape_pointer_segment, item_reference, path_items, pointer_target, referred};
use super::places::PartProblem;
use super::reference::{ReferenceTarget, document_references, pointer, pointer_origin};
use super::sniff::format_of_extension;

/// References that are followed one after the other.
const MAX_REFERENCE_STEPS: usize = 20;
/// Most references of one description that are reported one by one.
const MAX_DANGLING_REFERENCES: usize = 20;

/// Says of the references of a document that lead nowhere why they do. Each is told once.
pub(super) fn lost_references(document: &Value, tree: &SourceTree) -> Vec<PartProblem> {
    let mut problems = Vec::new();
    let mut known: FxHashSet<&str> = FxHashSet::default();
    for (place, reference) in document_references(document) {
        let Some(why) = why_lost(document, reference, tree) else { continue };
        if !known.insert(reference) {
            continue;
        }
        let shown = display_reference(reference);
        let path = path_of_pointer(&place);
        let message = match &path {
            Some(path) => format!("`{path}` refers to `{shown}`, {why}; its operations have no pages"),
            None => format!("`$ref: {shown}` leads to nothing, {why}; what it stands for is left out"),
        };
        problems.push(PartProblem::new("openapi-ref", message, place + "/$ref"));
    }
    // a path that leads back to itself is told once
    let circles = circles(document);
    let told: FxHashSet<&str> = circles.iter().map(|problem| problem.place.as_str()).collect();
    problems.retain(|problem| !told.contains(problem.place.as_str()));
    problems.extend(circles);
    let more = problems.len().saturating_sub(MAX_DANGLING_REFERENCES);
    if more > 0 {
        problems.truncate(MAX_DANGLING_REFERENCES);
        let message = format!("{more} more references lead to nothing");
        problems.push(PartProblem::new("openapi-ref", message, String::new()));
    }
    problems
}

/// The path or webhook, if a reference stands in its place.
fn path_of_pointer(place: &str) -> Option<String> {
    let rest = place.strip_prefix("/paths/").or_else(|| place.strip_prefix("/webhooks/"))?;
    (!rest.contains('/')).then(|| super::reference::unescape_pointer_segment(rest))
}

/// A reference as an author knows it.
fn display_reference(reference: &str) -> String {
    let Some((path, rest)) = pointer(reference).and_then(|pointer| {
        let (path, rest) = pointer_origin(&pointer)?;
        Some((path, rest.to_owned()))
    }) else {
        return reference.to_owned();
    };
    if rest.is_empty() { path } else { format!("{path}#{rest}") }
}

/// Why a reference leads nowhere. `None` if it leads somewhere, or if that was told of its file.
fn why_lost(document: &Value, reference: &str, tree: &SourceTree) -> Option<String> {
    if !reference.starts_with('#') {
        let why = match ReferenceTarget::read(reference, "", true) {
            ReferenceTarget::Remote => "which is on another server and is not fetched",
            ReferenceTarget::Anchor => "which names an anchor of another file, and those are not read",
            ReferenceTarget::Outside | ReferenceTarget::Part(..) => "which is outside of the documentation folder",
        };
        return Some(why.to_owned());
    }
    let Some(pointer) = pointer(reference) else { return Some("which is no address".to_owned()) };
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Some("which names an anchor that the description does not have".to_owned());
    }
    if let Some(target) = document.pointer(&pointer) {
        let leads_back = leads_back(document, target, reference);
        return leads_back.then(|| "because it only leads back to itself".to_owned());
    }
    let Some((path, _)) = pointer_origin(&pointer) else {
        return Some("which the description does not have".to_owned());
    };
    match tree.find_any(&path) {
        None => Some("and there is no such file".to_owned()),
        Some(_) if format_of_extension(&path).is_none() => Some("which is neither JSON nor YAML".to_owned()),
        // why a file cannot be read has been told
        Some(_)
            if document
                .pointer(&format!("/{}/{}", super::reference::FILES, escape_pointer_segment(&path)))
                .is_none() =>
        {
            None
        }
        Some(_) => Some("which that file does not have".to_owned()),
    }
}

/// Whether a reference leads to nothing but references, of which one is that again.
fn leads_back<'a>(document: &'a Value, mut target: &'a Value, reference: &str) -> bool {
    for _ in 0..MAX_REFERENCE_STEPS {
        let Some(next) = target.as_object().filter(|it| it.len() == 1).and_then(item_reference) else { return false };
        if next == reference {
            return true;
        }
        let Some(next) = pointer_target(document, next) else { return false };
        target = next;
    }
    false
}

/// Paths that refer to themselves.
fn circles(document: &Value) -> Vec<PartProblem> {
    let entries = ["paths", "webhooks"].into_iter().filter_map(|key| Some((key, document.get(key)?.as_object()?)));
    let mut problems = Vec::new();
    for (key, entries) in entries {
        for (path, entry) in entries {
            let found = path_items(document, entry);
            let Some(reference) = found.last().and_then(|last| item_reference(last)) else { continue };
            if referred(document, reference).is_some() {
                let message = format!(
                    "`{path}` refers to `{}`, which refers back to it; its operations have no pages",
                    display_reference(reference)
                );
                problems.push(PartProblem::new(
                    "openapi-ref",
                    message,
                    format!("/{key}/{}/$ref", escape_pointer_segment(path)),
                ));
            }
        }
    }
    problems
}
