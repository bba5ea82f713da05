//! What operations say wrong: identifiers that stand twice, path parameters that do not fit their path, security
//! schemes that do not exist.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::operation::{Operation, escape_pointer_segment, item_reference, operations_of};
use crate::places::PartProblem;
use crate::reference::pointer;

/// References that are followed one after the other.
const MAX_OPERATION_REFERENCES: usize = 8;

/// An operation and where it stands.
struct FoundOperation<'a> {
    pointer: String,
    /// The pointer of the path item that the operation stands in.
    item: String,
    is_webhook: bool,
    operation: Operation<'a>,
}

pub(super) fn lint_operations(document: &Value) -> Vec<PartProblem> {
    let operations = operations(document);
    let mut problems = Vec::new();
    duplicate_ids(&operations, &mut problems);
    for found in &operations {
        if !found.is_webhook {
            path_parameters(document, found, &mut problems);
        }
        let security = found.operation.about.get("security");
        unknown_schemes(document, security, &found.pointer, &mut problems);
    }
    unknown_schemes(document, document.get("security"), "", &mut problems);
    problems
}

fn operations(document: &Value) -> Vec<FoundOperation<'_>> {
    let mut all = Vec::new();
    for (key, is_webhook) in [("paths", false), ("webhooks", true)] {
        for (path, entry) in document.get(key).and_then(Value::as_object).into_iter().flatten() {
            for (method, operation) in operations_of(document, path, entry, is_webhook) {
                let (item, pointer) =
                    operation_place(document, format!("/{key}/{}", escape_pointer_segment(path)), method);
                all.push(FoundOperation { pointer, item, is_webhook, operation });
            }
        }
    }
    all
}

/// Where what stands under a path has a method, and where that operation stands.
fn operation_place(document: &Value, mut item: String, method: &str) -> (String, String) {
    for _ in 0..MAX_OPERATION_REFERENCES {
        let Some(members) = document.pointer(&item).and_then(Value::as_object) else { break };
        for place in [
            format!("{item}/{}", escape_pointer_segment(method)),
            format!("{item}/additionalOperations/{}", escape_pointer_segment(method)),
        ] {
            if let Some(operation) = document.pointer(&place) {
                let elsewhere = operation.as_object().and_then(item_reference).and_then(pointer);
                return (item, elsewhere.map_or(place, |pointer| pointer.into_owned()));
            }
        }
        match item_reference(members).and_then(pointer) {
            Some(next) => item = next.into_owned(),
            None => break,
        }
    }
    (item.clone(), item)
}

fn duplicate_ids(operations: &[FoundOperation<'_>], problems: &mut Vec<PartProblem>) {
    let mut known: FxHashMap<&str, &FoundOperation<'_>> = FxHashMap::default();
    for found in operations {
        let Some(id) = found.operation.text("operationId") else { continue };
        match known.get(id) {
            // two paths may share what stands under them
            Some(first) if first.pointer != found.pointer => {
                let of_first = format!("{} {}", first.operation.method.to_uppercase(), first.operation.path);
                let message = format!("`operationId: {id}` is that of `{of_first}` too");
                problems.push(PartProblem::new(
                    "openapi-duplicate-id",
                    message,
                    format!("{}/operationId", found.pointer),
                ));
            }
            Some(_) => {}
            None => drop(known.insert(id, found)),
        }
    }
}

/// The names in braces of a path.
fn path_parameter_names(path: &str) -> Vec<&str> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

fn path_parameters(document: &Value, found: &FoundOperation<'_>, problems: &mut Vec<PartProblem>) {
    let own = found.operation.about.get("parameters").map(|list| (list, format!("{}/parameters", found.pointer)));
    let shared = found.operation.shared_parameters().map(|list| (list, format!("{}/parameters", found.item)));
    let names: BTreeSet<&str> = path_parameter_names(found.operation.path).into_iter().collect();
    let mut described: FxHashSet<&str> = FxHashSet::default();
    for (list, place) in own.into_iter().chain(shared) {
        for (at, parameter) in list.as_array().into_iter().flatten().enumerate() {
            let parameter = follow_ref(document, parameter);
            let text = |key: &str| parameter.get(key).and_then(Value::as_str);
            let (Some(name), Some("path")) = (text("name"), text("in")) else { continue };
            described.insert(name);
            if !names.contains(name) {
                let message = format!("the path parameter `{name}` is not in `{}`", found.operation.path);
                problems.push(PartProblem::new("openapi-parameter", message, format!("{place}/{at}")));
            }
        }
    }
    let missing: BTreeSet<&str> = names.into_iter().filter(|name| !described.contains(name)).collect();
    for name in missing {
        let message = format!("`{{{name}}}` of `{}` has no parameter that describes it", found.operation.path);
        problems.push(PartProblem::new("openapi-parameter", message, found.pointer.clone()));
    }
}

fn unknown_schemes(document: &Value, security: Option<&Value>, place: &str, problems: &mut Vec<PartProblem>) {
    if document.get("openapi").is_none() {
        return;
    }
    let schemes = document.pointer("/components/securitySchemes").and_then(Value::as_object);
    for (at, row) in security.and_then(Value::as_array).into_iter().flatten().enumerate() {
        for name in row.as_object().into_iter().flat_map(serde_json::Map::keys) {
            if schemes.is_none_or(|schemes| !schemes.contains_key(name)) {
                let message = format!("`security` asks for `{name}`, which `components.securitySchemes` does not have");
                let pointer = format!("{place}/security/{at}/{}", escape_pointer_segment(name));
                problems.push(PartProblem::new("openapi-security", message, pointer));
            }
        }
    }
}

/// What a value is, or what its references lead to.
pub(super) fn follow_ref<'a>(document: &'a Value, mut value: &'a Value) -> &'a Value {
    for _ in 0..MAX_OPERATION_REFERENCES {
        let next = value.as_object().and_then(item_reference).and_then(pointer);
        match next.and_then(|pointer| document.pointer(&pointer)) {
            Some(next) => value = next,
            None => break,
        }
    }
    value
}
