//! Traits of AsyncAPI: what they say becomes part of the operations and messages that have them.

use serde_json::{Map, Value};

use super::resolve_local_ref;

/// Merges all traits of a document of AsyncAPI 3. What an operation or message says itself counts.
pub(super) fn merge_traits(document: &mut Value) {
    let places = ["/operations", "/components/operations", "/components/messages"];
    for place in places {
        merge_all(document, place);
    }
    let channels = |place: &str, document: &Value| -> Vec<String> {
        let keys = document.pointer(place).and_then(Value::as_object).into_iter().flat_map(Map::keys);
        keys.map(|key| format!("{place}/{}/messages", crate::operation::escape_pointer_segment(key))).collect()
    };
    let messages = [channels("/channels", document), channels("/components/channels", document)].concat();
    for place in messages {
        merge_all(document, &place);
    }
}

/// Merges the traits of what stands at a place by name.
fn merge_all(document: &mut Value, place: &str) {
    let Some(members) = document.pointer(place).and_then(Value::as_object) else { return };
    let merged: Vec<(String, Value)> = members
        .iter()
        .filter(|(_, it)| it.get("traits").is_some_and(Value::is_array))
        .map(|(name, it)| (name.clone(), with_traits(document, it, false)))
        .collect();
    if let Some(members) = document.pointer_mut(place).and_then(Value::as_object_mut) {
        members.extend(merged);
    }
}

/// An operation or message with what its traits say; `traits_win` where both say something.
pub(super) fn with_traits(whole: &Value, target: &Value, traits_win: bool) -> Value {
    let Some(traits) = target.get("traits").and_then(Value::as_array) else { return target.clone() };
    let mut out = target.clone();
    if let Some(members) = out.as_object_mut() {
        members.shift_remove("traits");
    }
    let own = out.clone();
    for each in traits {
        patch(&mut out, resolve_local_ref(whole, each));
    }
    if !traits_win {
        patch(&mut out, &own);
    }
    out
}

/// A JSON merge patch.
fn patch(target: &mut Value, with: &Value) {
    let Value::Object(with) = with else {
        target.clone_from(with);
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(members) = target.as_object_mut() else { return };
    for (key, value) in with {
        if value.is_null() {
            members.shift_remove(key);
        } else {
            patch(members.entry(key.clone()).or_insert(Value::Null), value);
        }
    }
}
