//! OpenAPI Overlay 1.0: changes to a description that stand in files of their own.
//!
//! A source may list its overlays. Of the others, those whose `extends` names the description are applied, in the order
//! of their paths. All of it happens to the description as it is written, before its references are followed.

use serde_json::Value;
use serde_json_path::JsonPath;

use base::limits::DESCRIPTION_NODES;

use super::places::PartProblem;
use super::reference::{ReferenceTarget, unescape_pointer_segment};
use super::unreadable::count_values;

/// Most actions of an overlay.
const MAX_ACTIONS: usize = 10_000;
/// Longest target, bytes; its brackets and steps to all descendants are bounded too, because they cost time.
const MAX_TARGET_BYTES: usize = 2_000;
const MAX_BRACKETS: usize = 32;
const MAX_DESCENTS: usize = 2;
/// Most values that the overlays of one description may add.
const MAX_ADDED_NODES: usize = DESCRIPTION_NODES / 4;

/// The path or address of the description that an overlay extends, as descriptions are named.
pub(super) fn extended(overlay: &Value, path: &str) -> Option<String> {
    let extends = overlay.get("extends")?.as_str()?.trim();
    match ReferenceTarget::read(extends, path, true) {
        ReferenceTarget::Part(path, _) => Some(path),
        ReferenceTarget::Remote => Some(extends.to_owned()),
        ReferenceTarget::Anchor | ReferenceTarget::Outside => None,
    }
}

/// The overlays of one description, while they are applied to it.
pub(super) struct AppliedOverlays<'d> {
    document: &'d mut Value,
    /// Values that they have added.
    added: usize,
}

impl<'d> AppliedOverlays<'d> {
    pub(super) fn new(document: &'d mut Value) -> Self {
        Self { document, added: 0 }
    }

    /// Applies the actions of an overlay, in order. Returns what is wrong with those that are not applied, at their
    /// places in the overlay.
    pub(super) fn apply(&mut self, overlay: &Value) -> Vec<PartProblem> {
        let mut problems = Vec::new();
        let actions = overlay.get("actions").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for (at, action) in actions.iter().enumerate().take(MAX_ACTIONS) {
            if let Err(why) = self.act(action) {
                let message = format!("an action is not applied: {why}");
                problems.push(PartProblem::new("openapi-overlay", message, format!("/actions/{at}/target")));
            }
            if self.added > MAX_ADDED_NODES {
                break;
            }
        }
        if actions.is_empty() {
            problems.push(PartProblem::new("openapi-overlay", "the overlay has no `actions`", String::new()));
        }
        problems
    }

    /// One action: takes out what its target finds, or puts something in there.
    fn act(&mut self, action: &Value) -> Result<(), String> {
        let target = action.get("target").and_then(Value::as_str).ok_or("it has no `target`")?;
        let places = find_json_path(self.document, target)?;
        if action.get("remove").and_then(Value::as_bool) == Some(true) {
            // what stands last goes first, so that the others keep their places
            places.iter().rev().for_each(|place| remove_at_pointer(self.document, place));
            return Ok(());
        }
        let update = match (action.get("update"), action.get("copy").and_then(Value::as_str)) {
            (Some(update), _) => update.clone(),
            (None, Some(from)) => match find_json_path(self.document, from)?.as_slice() {
                [one] => self.document.pointer(one).cloned().unwrap_or_default(),
                others => return Err(format!("`copy` finds {} parts, not one", others.len())),
            },
            (None, None) => return Err("it has neither `update` nor `remove`".to_owned()),
        };
        self.added = self.added.saturating_add(count_values(&update).saturating_mul(places.len()));
        if self.added > MAX_ADDED_NODES {
            return Err(format!(
                "overlays may add {MAX_ADDED_NODES} values to a description, and this is one too many"
            ));
        }
        for place in places {
            if let Some(value) = self.document.pointer_mut(&place) {
                merge_overlay_update(value, &update);
            }
        }
        Ok(())
    }
}

/// The places that a JSONPath finds, as pointers, in the order of the document.
fn find_json_path(document: &Value, path: &str) -> Result<Vec<String>, String> {
    let brackets = path.bytes().filter(|byte| matches!(byte, b'(' | b'[' | b'!')).count();
    if path.len() > MAX_TARGET_BYTES || brackets > MAX_BRACKETS || path.matches("..").count() > MAX_DESCENTS {
        return Err("its JSONPath is too long or asks for too much".to_owned());
    }
    let parsed = JsonPath::parse(path.trim()).map_err(|error| format!("`{path}` is no JSONPath: {error}"))?;
    let mut places: Vec<String> =
        parsed.query_located(document).into_iter().map(|node| node.location().to_json_pointer()).collect();
    let mut known = rustc_hash::FxHashSet::default();
    places.retain(|place| known.insert(place.clone()));
    Ok(places)
}

fn remove_at_pointer(document: &mut Value, place: &str) {
    let Some((around, last)) = place.rsplit_once('/') else { return };
    match document.pointer_mut(around) {
        Some(Value::Object(members)) => drop(members.shift_remove(&unescape_pointer_segment(last))),
        Some(Value::Array(items)) => {
            if let Some(at) = last.parse::<usize>().ok().filter(|at| *at < items.len()) {
                items.remove(at);
            }
        }
        _ => {}
    }
}

/// Objects take the members, lists the items; everything else is replaced.
fn merge_overlay_update(value: &mut Value, update: &Value) {
    match (value, update) {
        (Value::Object(members), Value::Object(update)) => {
            for (key, update) in update {
                match members.get_mut(key) {
                    Some(member) => merge_overlay_update(member, update),
                    None => drop(members.insert(key.clone(), update.clone())),
                }
            }
        }
        (Value::Array(items), Value::Array(update)) => items.extend(update.iter().cloned()),
        (Value::Array(items), update) => items.push(update.clone()),
        (value, update) => value.clone_from(update),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(actions: &[Value], expect: Result<Value, &str>) {
        let mut document = json!({
            "info": {"title": "T"},
            "tags": [{"name": "a"}],
            "paths": {"/a": {"get": {"tags": ["a"], "x-internal": true}, "post": {"parameters": [1, 2, 3]}}, "/b": {"get": {}}},
        });
        let mut overlays = AppliedOverlays::new(&mut document);
        let done = actions.iter().try_for_each(|action| overlays.act(action));
        match expect {
            Ok(expect) => assert_eq!((done, document), (Ok(()), expect)),
            Err(why) => assert!(done.as_ref().is_err_and(|error| error.contains(why)), "{done:?}"),
        }
    }

    #[test]
    fn actions_are_applied_in_order() {
        check(
            &[
                json!({"target": "$.info", "update": {"title": "New", "x": {"y": 1}}}),
                json!({"target": "$.info.x", "update": {"z": 2}}),
                json!({"target": "$.tags", "update": {"name": "b"}}),
                json!({"target": "$.tags[0]", "update": {"description": "A"}}),
                json!({"target": "$.paths.*[?@.x-internal == true]", "remove": true}),
            ],
            Err("is no JSONPath"),
        );
        check(
            &[
                json!({"target": "$.info", "update": {"title": "New", "x": {"y": 1}}}),
                json!({"target": "$.info.x", "update": {"z": 2}}),
                json!({"target": "$.tags", "update": {"name": "b"}}),
                json!({"target": "$.tags[0]", "update": {"description": "A"}}),
                json!({"target": "$.paths.*[?@['x-internal'] == true]", "remove": true}),
                json!({"target": "$.paths['/a'].post.parameters[?@ < 3]", "remove": true}),
                json!({"target": "$.none", "remove": true}),
                json!({"target": "$.paths['/b'].get", "copy": "$.paths['/a'].post"}),
            ],
            Ok(json!({
                "info": {"title": "New", "x": {"y": 1, "z": 2}},
                "tags": [{"name": "a", "description": "A"}, {"name": "b"}],
                "paths": {"/a": {"post": {"parameters": [3]}}, "/b": {"get": {"parameters": [3]}}},
            })),
        );
    }

    #[test]
    fn actions_that_cannot_be_applied_say_why() {
        check(&[json!({"update": 1})], Err("no `target`"));
        check(&[json!({"target": "$.info"})], Err("neither `update` nor `remove`"));
        check(&[json!({"target": "info", "update": 1})], Err("is no JSONPath"));
        check(&[json!({"target": "$..a..b..c..d", "update": 1})], Err("asks for too much"));
        check(&[json!({"target": "$.info", "copy": "$.paths.*"})], Err("finds 2 parts"));
        let large = vec![Value::Null; MAX_ADDED_NODES];
        check(&[json!({"target": "$.info", "update": large})], Err("one too many"));
    }
}
