//! References of JSON Schema to anchors, and to schemas by addresses of their own, become pointers, which is what
//! everything else follows.

use percent_encoding::percent_decode_str;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::operation::{REFERENCE, escape_pointer_segment};
use super::reference::{has_names, is_looked_at, with_segment};

/// A reference whose target depends on the way to it: read as the one that stands in the same file.
const DYNAMIC: &str = "$dynamicRef";
/// Keys that give what has them a name.
const ANCHORS: [&str; 2] = ["$anchor", "$dynamicAnchor"];
/// The address of a schema, and that of a description.
const IDS: [&str; 2] = ["$id", "$self"];

/// Writes the references of a document to anchors and to own addresses as pointers, as far as they lead somewhere.
pub(super) fn resolve_anchors(document: &mut Value) {
    if !has_anchors(document) {
        return;
    }
    let mut named = NamedAnchors { pointers: vec![String::new()], ..NamedAnchors::default() };
    named.collect(document, false, 0, &mut String::new());
    let mut found = Vec::new();
    named.references(document, document, (false, 0), &mut String::new(), &mut found);
    for (place, reference) in found {
        if let Some(Value::Object(members)) = document.pointer_mut(&place) {
            members.insert(REFERENCE.to_owned(), reference.into());
        }
    }
}

fn has_anchors(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_anchors),
        Value::Object(members) => members.iter().any(|(key, member)| {
            key.starts_with('$') && (ANCHORS.contains(&key.as_str()) || IDS.contains(&key.as_str()))
                || has_anchors(member)
        }),
        _ => false,
    }
}

/// What has a name in a document. A resource is a schema with an address of its own, inside of which pointers begin
/// anew; the first is the document.
#[derive(Default)]
struct NamedAnchors {
    /// Where the resources stand in the document, by their numbers.
    pointers: Vec<String>,
    /// The resources by where they stand.
    at: FxHashMap<String, usize>,
    addresses: FxHashMap<String, usize>,
    /// By the last part of their addresses; `None` where several end so.
    endings: FxHashMap<String, Option<usize>>,
    /// Pointers by the number of their resource and their name.
    anchors: FxHashMap<(usize, String), String>,
    /// Those of anchors of any resource, the first of each name.
    first_anchors: FxHashMap<String, String>,
}

impl NamedAnchors {
    /// Recursion is bounded by the depth that the parsers allow.
    fn collect(&mut self, value: &Value, is_map: bool, resource: usize, path: &mut String) {
        let mut resource = resource;
        if let Value::Object(members) = value
            && !is_map
        {
            resource = self.enter(members, resource, path);
            for name in ANCHORS.into_iter().filter_map(|key| members.get(key)?.as_str()) {
                self.anchors.entry((resource, name.to_owned())).or_insert_with(|| path.clone());
                self.first_anchors.entry(name.to_owned()).or_insert_with(|| path.clone());
            }
        }
        each_member(value, is_map, path, &mut |member, is_map, path| self.collect(member, is_map, resource, path));
    }

    /// The number of the resource that an object is or belongs to; a new one gets a number.
    fn enter(&mut self, members: &Map<String, Value>, around: usize, path: &str) -> usize {
        let Some(address) = IDS.into_iter().find_map(|key| members.get(key)?.as_str()) else { return around };
        let address = address.trim_end_matches('#');
        let number = if path.is_empty() { 0 } else { self.pointers.len() };
        if number > 0 {
            self.pointers.push(path.to_owned());
            self.at.insert(path.to_owned(), number);
        }
        self.addresses.entry(address.to_owned()).or_insert(number);
        let same = self.endings.entry(last_part(address).to_owned());
        same.and_modify(|known| *known = None).or_insert(Some(number));
        number
    }

    /// Finds the references that are no pointers, each with the pointer of the object that has it.
    fn references(
        &self,
        document: &Value,
        value: &Value,
        (is_map, resource): (bool, usize),
        path: &mut String,
        found: &mut Vec<(String, String)>,
    ) {
        let mut resource = resource;
        if let Value::Object(members) = value
            && !is_map
        {
            resource = self.at.get(path).copied().unwrap_or(resource);
            let written = members.get(REFERENCE).or_else(|| members.get(DYNAMIC)).and_then(Value::as_str);
            if let Some(pointer) = written.and_then(|reference| self.resolve(document, reference, resource)) {
                found.push((path.clone(), format!("#{}", pointer.replace('%', "%25"))));
            }
        }
        each_member(value, is_map, path, &mut |member, is_map, path| {
            self.references(document, member, (is_map, resource), path, found);
        });
    }

    /// The pointer that a reference means, unless it is one of the document already.
    fn resolve(&self, document: &Value, reference: &str, resource: usize) -> Option<String> {
        let (address, fragment) = reference.trim().split_once('#').unwrap_or((reference.trim(), ""));
        let resource = if address.is_empty() { resource } else { self.of_address(address)? };
        let fragment = percent_decode_str(fragment).decode_utf8().ok()?;
        let pointer = self.pointers.get(resource)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            let is_pointer =
                address.is_empty() && (resource == 0 || document.pointer(&fragment).is_some() && !fragment.is_empty());
            let target = format!("{pointer}{fragment}");
            return (!is_pointer && document.pointer(&target).is_some()).then_some(target);
        }
        let own = self.anchors.get(&(resource, fragment.to_string()));
        own.or_else(|| self.first_anchors.get(&*fragment)).cloned()
    }

    /// The resource of an address, or the only one whose address ends so.
    fn of_address(&self, address: &str) -> Option<usize> {
        let ending = || *self.endings.get(last_part(address)).filter(|_| !address.contains("://"))?;
        self.addresses.get(address).copied().or_else(ending)
    }
}

fn last_part(address: &str) -> &str {
    address.rsplit('/').next().unwrap_or(address)
}

/// Does something with what stands in a list or an object, if that is no data.
fn each_member(value: &Value, is_map: bool, path: &mut String, with: &mut dyn FnMut(&Value, bool, &mut String)) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                with_segment(path, &at.to_string(), |path| with(item, false, path));
            }
        }
        Value::Object(members) => {
            for (key, member) in members.iter().filter(|(key, member)| is_map || is_looked_at(key, member)) {
                let has_names = !is_map && has_names(key, member);
                with_segment(path, &escape_pointer_segment(key), |path| with(member, has_names, path));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_to_names_become_pointers() {
        let mut document = json!({
            "openapi": "3.2.0",
            "$self": "https://reef.example/openapi",
            "components": {"schemas": {
                "Coral": {
                    "$id": "https://reef.example/coral", "$dynamicAnchor": "coral",
                    "properties": {
                        "parts": {"items": {"$dynamicRef": "#coral"}},
                        "tint": {"$ref": "#/$defs/Tint"},
                        "size": {"$ref": "#size"},
                        "whole": {"$ref": "#"},
                        "fish": {"$ref": "#/components/schemas/Fish"},
                        "$id": {"type": "string"},
                    },
                    "$defs": {"Tint": {"type": "string"}, "Size": {"$anchor": "size", "type": "integer"}},
                    "example": {"$ref": "#size"},
                },
                "Fish": {"allOf": [{"$ref": "coral"}, {"$ref": "https://reef.example/coral#size"}, {"$ref": "https://reef.example/openapi#/components/schemas/Fish"}, {"$ref": "#none"}, {"$ref": "other"}]},
            }},
        });
        resolve_anchors(&mut document);
        let at = |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let coral = "/components/schemas/Coral";
        for (place, expect) in [
            ("properties/parts/items/$ref", "#/components/schemas/Coral"),
            ("properties/tint/$ref", "#/components/schemas/Coral/$defs/Tint"),
            ("properties/size/$ref", "#/components/schemas/Coral/$defs/Size"),
            ("properties/whole/$ref", "#/components/schemas/Coral"),
            ("properties/fish/$ref", "#/components/schemas/Fish"),
            ("example/$ref", "#size"),
        ] {
            assert_eq!(at(&format!("{coral}/{place}")), expect, "{place}");
        }
        for (place, expect) in [
            (0, "#/components/schemas/Coral"),
            (1, "#/components/schemas/Coral/$defs/Size"),
            (2, "#/components/schemas/Fish"),
            (3, "#none"),
            (4, "other"),
        ] {
            assert_eq!(at(&format!("/components/schemas/Fish/allOf/{place}/$ref")), expect);
        }
    }
}
