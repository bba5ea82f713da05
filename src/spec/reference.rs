//! References (`$ref`) of a description: where they stand, and what they mean.
//!
//! A document that is used has only references into itself. What they mean in other files stands below the key
//! [`FILES`], by the path of the file.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use base::cut::SliceText as _;
use site::tree;

use super::operation::{NAMES, REFERENCE, escape_pointer_segment};

/// The key of a document below which the parts of other files stand.
pub const FILES: &str = "x-files";

/// Maps of AsyncAPI whose keys are names, beside those that OpenAPI has.
const ASYNC_NAMES: [&str; 7] =
    ["channels", "messages", "messageTraits", "operationTraits", "operations", "servers", "webhooks"];

/// Keys that hold data, which may look like anything.
const DATA: [&str; 4] = ["const", "default", "enum", "example"];

/// Whether the keys of a member are names that the author chose.
pub fn has_names(key: &str, member: &Value) -> bool {
    // the headers of an AsyncAPI message are a schema
    let is_schema = key == "headers" && member.get("properties").is_some_and(Value::is_object);
    (NAMES.contains(&key) || ASYNC_NAMES.contains(&key)) && !is_schema
}

/// Calls a function for all references below a value. Data and foreign extensions are not looked at.
pub(super) fn for_each_reference(value: &mut Value, found: &mut impl FnMut(&mut String)) {
    each(value, false, found);
}

fn each(value: &mut Value, is_map: bool, found: &mut impl FnMut(&mut String)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, false, found)),
        Value::Object(members) => {
            if !is_map && let Some(Value::String(reference)) = members.get_mut(REFERENCE) {
                found(reference);
            }
            for (key, member) in members.iter_mut() {
                match key.as_str() {
                    key if is_map || is_looked_at(key, member) => {
                        each(member, !is_map && has_names(key, member), found)
                    }
                    "examples" => each_example(member, found),
                    "discriminator" => each_target(member, found),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// The examples of a media type may stand elsewhere; what they show is data.
fn each_example(examples: &mut Value, found: &mut impl FnMut(&mut String)) {
    let Some(examples) = examples.as_object_mut() else { return };
    for example in examples.values_mut() {
        if let Some(Value::String(reference)) = example.get_mut(REFERENCE) {
            found(reference);
        }
    }
}

/// What a discriminator maps to is a reference if it does not look like the name of a schema.
fn each_target(discriminator: &mut Value, found: &mut impl FnMut(&mut String)) {
    let Some(Value::Object(mapping)) = discriminator.get_mut("mapping") else { return };
    for target in mapping.values_mut() {
        if let Value::String(target) = target
            && (target.contains(['#', '/']) || super::sniff::format_of_extension(target).is_some())
        {
            found(target);
        }
    }
}

/// Whether references are looked for below a key of the format.
pub(super) fn is_looked_at(key: &str, member: &Value) -> bool {
    let is_example = key == "examples" && (member.is_object() || member.is_array());
    !DATA.contains(&key) && !is_example && key != "discriminator" && (!key.starts_with("x-") || key == "x-webhooks")
}

/// All references of a document that are no data, each with the pointer of the object that has it.
pub(super) fn document_references(document: &Value) -> Vec<(String, &str)> {
    fn look<'a>(value: &'a Value, is_map: bool, path: &mut String, out: &mut Vec<(String, &'a str)>) {
        match value {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    with_segment(path, &at.to_string(), |path| look(item, false, path, out));
                }
            }
            Value::Object(members) => {
                if !is_map && let Some(reference) = members.get(REFERENCE).and_then(Value::as_str) {
                    out.push((path.clone(), reference));
                }
                for (key, member) in members {
                    if is_map || is_looked_at(key, member) {
                        let names = !is_map && has_names(key, member);
                        with_segment(path, &escape_pointer_segment(key), |path| look(member, names, path, out));
                    } else if key == "examples" {
                        for (name, example) in member.as_object().into_iter().flatten() {
                            if let Some(reference) = example.get(REFERENCE).and_then(Value::as_str) {
                                out.push((format!("{path}/examples/{}", escape_pointer_segment(name)), reference));
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    for (key, member) in document.as_object().into_iter().flatten() {
        let mut path = format!("/{}", escape_pointer_segment(key));
        if key == FILES {
            for (file, part) in member.as_object().into_iter().flatten() {
                with_segment(&mut path, &escape_pointer_segment(file), |path| look(part, false, path, &mut out));
            }
        } else if is_looked_at(key, member) {
            look(member, has_names(key, member), &mut path, &mut out);
        }
    }
    out
}

/// Does something with a path that is one segment longer.
pub(super) fn with_segment(path: &mut String, segment: &str, with: impl FnOnce(&mut String)) {
    let length = path.len();
    path.push('/');
    path.push_str(segment);
    with(path);
    path.truncate(length);
}

/// What a reference that is written in a file means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReferenceTarget {
    /// A part of a file of the repository: its path and the pointer, percent-encoded as it is written.
    Part(String, String),
    /// Something on another server, or by another scheme.
    Remote,
    /// The name of an anchor.
    Anchor,
    /// No path of the repository.
    Outside,
}

impl ReferenceTarget {
    /// Reads a reference of a file. `in_repository`: it stands in a file of the repository.
    pub(super) fn read(reference: &str, file: &str, in_repository: bool) -> Self {
        let (path, fragment) = reference.trim().split_once('#').unwrap_or((reference.trim(), ""));
        if !fragment.is_empty() && !fragment.starts_with('/') && !fragment.starts_with("%2F") {
            return Self::Anchor;
        }
        let fragment = fragment.to_owned();
        if path.is_empty() {
            return Self::Part(file.to_owned(), fragment);
        }
        if has_scheme(path) || path.starts_with("//") || !in_repository {
            return Self::Remote;
        }
        let Ok(decoded) = percent_decode_str(path).decode_utf8() else { return Self::Outside };
        let decoded = decoded.replace('\\', "/");
        let folder = if decoded.starts_with('/') { "" } else { tree::folder(file) };
        match tree::join_document_path(folder, decoded.trim_start_matches('/')) {
            Some(path) => Self::Part(path, fragment),
            None => Self::Outside,
        }
    }
}

/// Whether an address begins with a scheme. A single letter is a drive.
fn has_scheme(address: &str) -> bool {
    let Some((scheme, _)) = address.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// The reference to a part of another file, as the document has it that holds that part.
pub(super) fn to_part(path: &str, pointer: &str) -> String {
    format!("#/{FILES}/{}{pointer}", escape_pointer_segment(path).replace('%', "%25"))
}

/// The file and the pointer that a pointer of a document means: below [`FILES`] another file.
pub(super) fn pointer_origin(pointer: &str) -> Option<(String, &str)> {
    let rest = pointer.strip_prefix("/")?.strip_prefix(FILES)?.strip_prefix('/')?;
    let end = rest.find('/').unwrap_or(rest.len());
    Some((unescape_pointer_segment(rest.slice(..end)), rest.slice(end..)))
}

/// The key that a segment of a JSON pointer means.
pub fn unescape_pointer_segment(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// The JSON pointer of a local reference.
pub fn pointer(reference: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(reference.strip_prefix('#')?).decode_utf8().ok()
}

/// The document as it would stand in a file: without the parts of other files, to which its references lead instead.
pub fn unbundled(document: &Value, file: &str) -> Value {
    let Some(members) = document.as_object() else { return document.clone() };
    let members: Map<String, Value> =
        members.iter().filter(|(key, _)| *key != FILES).map(|(key, member)| (key.clone(), member.clone())).collect();
    let mut document = Value::Object(members);
    for_each_reference(&mut document, &mut |reference| {
        let Some((path, pointer)) = pointer(reference).and_then(|pointer| {
            let (path, pointer) = pointer_origin(&pointer)?;
            Some((path, pointer.to_owned()))
        }) else {
            return;
        };
        *reference = relative_file_path(file, &path);
        if !pointer.is_empty() {
            reference.push('#');
            reference.push_str(&pointer.replace('%', "%25"));
        }
    });
    document
}

/// The way from a file to another.
fn relative_file_path(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let common = from.iter().zip(&to).take(from.len() - 1).take_while(|(a, b)| a == b).count().min(to.len() - 1);
    let up = vec![".."; from.len() - 1 - common];
    let mut path = up.into_iter().chain(to[common..].iter().copied()).collect::<Vec<_>>().join("/");
    if !path.starts_with("..") {
        path.insert_str(0, "./");
    }
    path.replace('%', "%25").replace('#', "%23")
}

/// Takes the parts of other files out that nothing in the document leads to any more.
pub fn drop_unneeded_files(document: &mut Value) {
    if document.get(FILES).is_none() {
        return;
    }
    let all = document_references(document);
    let mut needed = rustc_hash::FxHashSet::default();
    let mut open: Vec<String> = vec![String::new()];
    let mut by_file: rustc_hash::FxHashMap<String, Vec<String>> = rustc_hash::FxHashMap::default();
    for (place, reference) in &all {
        let from = pointer_origin(place).map(|(path, _)| path).unwrap_or_default();
        let to = pointer(reference).and_then(|pointer| pointer_origin(&pointer).map(|(path, _)| path));
        by_file.entry(from).or_default().extend(to);
    }
    while let Some(file) = open.pop() {
        for next in by_file.remove(&file).into_iter().flatten() {
            if needed.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    if let Some(Value::Object(files)) = document.get_mut(FILES) {
        files.retain(|path, _| needed.contains(path));
        if files.is_empty() {
            document.as_object_mut().map(|members| members.shift_remove(FILES));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(reference: &str, expect: &ReferenceTarget) {
        assert_eq!(ReferenceTarget::read(reference, "api/v1/api.yaml", true), *expect, "{reference}");
    }

    fn part(path: &str, pointer: &str) -> ReferenceTarget {
        ReferenceTarget::Part(path.to_owned(), pointer.to_owned())
    }

    #[test]
    fn what_references_mean() {
        check("#/a/b", &part("api/v1/api.yaml", "/a/b"));
        check("#", &part("api/v1/api.yaml", ""));
        check("./x.yaml", &part("api/v1/x.yaml", ""));
        check("../x%20y.json#/a~1b", &part("api/x y.json", "/a~1b"));
        check("/x.yaml#/a", &part("x.yaml", "/a"));
        check("..\\x.yaml", &part("api/x.yaml", ""));
        check("../../../etc/passwd", &ReferenceTarget::Outside);
        check("#pet", &ReferenceTarget::Anchor);
        check("x.yaml#pet", &ReferenceTarget::Anchor);
        for remote in ["https://x.example/a.yaml#/b", "//x.example/a", "file:///etc/passwd", "urn:x:y", "HTTP://x"] {
            check(remote, &ReferenceTarget::Remote);
        }
        assert_eq!(ReferenceTarget::read("x.yaml", "https://x.example/api.yaml", false), ReferenceTarget::Remote);
    }

    #[test]
    fn references_are_told_from_data_and_names() {
        let mut document = json!({
            "paths": {"/a": {"$ref": "1"}, "default": {"$ref": "2"}},
            "components": {"schemas": {
                "$ref": {"$ref": "3"},
                "A": {"properties": {"$ref": {"type": "string"}, "example": {"$ref": "4"}}, "example": {"$ref": "-"}, "enum": [{"$ref": "-"}]},
                "B": {"discriminator": {"propertyName": "p", "mapping": {"a": "x.yaml", "b": "Name"}}, "examples": [{"$ref": "-"}]},
            }},
            "x-foreign": {"$ref": "-"},
            "x-files": {"f.yaml": {"a": {"content": {"x/y": {"examples": {"one": {"$ref": "5"}, "two": {"value": {"$ref": "-"}}}}}}}},
        });
        let found: Vec<(String, String)> = document_references(&document)
            .into_iter()
            .map(|(place, reference)| (place, reference.to_owned()))
            .collect();
        let expect = [
            ("/paths/~1a", "1"),
            ("/paths/default", "2"),
            ("/components/schemas/$ref", "3"),
            ("/components/schemas/A/properties/example", "4"),
            ("/x-files/f.yaml/a/content/x~1y/examples/one", "5"),
        ]
        .map(|(place, reference)| (place.to_owned(), reference.to_owned()));
        assert_eq!(found, expect);
        let mut changed = Vec::new();
        for_each_reference(&mut document, &mut |reference| changed.push(reference.clone()));
        assert_eq!(changed, ["1", "2", "3", "4", "x.yaml"]);
    }

    #[test]
    fn a_document_goes_back_into_its_file() {
        let document = json!({
            "a": {"$ref": "#/x-files/x~1y%25.yaml/a"}, "b": {"$ref": "#/x-files/api~1z.json"}, "c": {"$ref": "#/a"},
            "x-files": {"x/y%.yaml": {"a": 1}},
        });
        assert_eq!(
            unbundled(&document, "api/api.yaml"),
            json!({"a": {"$ref": "../x/y%25.yaml#/a"}, "b": {"$ref": "./z.json"}, "c": {"$ref": "#/a"}})
        );
    }

    #[test]
    fn files_that_nothing_needs_go() {
        let mut document = json!({
            "paths": {"/a": {"$ref": "#/x-files/a.yaml"}},
            "x-files": {"a.yaml": {"get": {"$ref": "#/x-files/b.yaml/x"}}, "b.yaml": {"x": {}}, "c.yaml": {"y": {"$ref": "#/x-files/b.yaml/x"}}},
        });
        drop_unneeded_files(&mut document);
        let left: Vec<&String> = document["x-files"].as_object().unwrap().keys().collect();
        assert_eq!(left, ["a.yaml", "b.yaml"]);
    }
}
