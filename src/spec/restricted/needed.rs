//! Components and tags that only closed parts needed.

use rustc_hash::FxHashSet;
use serde_json::Value;

use crate::{escape_pointer_segment, unescape_pointer_segment};

/// Takes the components and tags out of `after` that were needed in `before` and are no longer. What nothing needed
/// before stays.
pub(super) fn drop_unneeded(before: &Value, after: &mut Value) {
    let roots = roots(before);
    let needed = reached(after, &roots);
    let gone: Vec<String> =
        reached(before, &roots).into_iter().filter(|component| !needed.contains(component)).collect();
    if let Some(components) = after.get_mut("components").and_then(Value::as_object_mut) {
        for component in gone {
            let mut names = component.split('/').skip(2).map(unescape_pointer_segment);
            let (Some(kind), Some(name)) = (names.next(), names.next()) else { continue };
            components.get_mut(&kind).and_then(Value::as_object_mut).map(|parts| parts.shift_remove(&name));
        }
        let was_empty = |kind: &str| {
            before
                .pointer(&format!("/components/{kind}"))
                .and_then(Value::as_object)
                .is_some_and(serde_json::Map::is_empty)
        };
        components.retain(|kind, parts| was_empty(kind) || parts.as_object().is_none_or(|parts| !parts.is_empty()));
        if components.is_empty()
            && before.get("components").and_then(Value::as_object).is_some_and(|components| !components.is_empty())
        {
            after.as_object_mut().map(|members| members.shift_remove("components"));
        }
    }
    drop_tags(before, after);
}

/// The components that nothing else of the description needs, but that bring others.
fn roots(document: &Value) -> FxHashSet<String> {
    let outside = reached(document, &FxHashSet::default());
    let orphans: Vec<String> = components(document).filter(|component| !outside.contains(component)).collect();
    let mut referred: FxHashSet<String> = FxHashSet::default();
    for orphan in &orphans {
        referred.extend(
            document.pointer(orphan).into_iter().flat_map(component_references).filter(|reference| reference != orphan),
        );
    }
    let mut roots: FxHashSet<String> = orphans.iter().filter(|orphan| !referred.contains(*orphan)).cloned().collect();
    // those that need each other in a circle
    let known = reached(document, &roots);
    roots.extend(orphans.into_iter().filter(|orphan| !known.contains(orphan)));
    roots
}

/// Pointers of all components: `/components/schemas/Pet`.
fn components(document: &Value) -> impl Iterator<Item = String> {
    let kinds = document.get("components").and_then(Value::as_object).into_iter().flatten();
    kinds.flat_map(|(kind, parts)| {
        parts.as_object().into_iter().flatten().map(move |(name, _)| component_pointer(kind, name))
    })
}

fn component_pointer(kind: &str, name: &str) -> String {
    format!("/components/{kind}/{}", escape_pointer_segment(name))
}

/// The components that the description needs outside of its components, or that some of those (`roots`) need, with
/// these.
fn reached(document: &Value, roots: &FxHashSet<String>) -> FxHashSet<String> {
    let outside =
        document.as_object().into_iter().flatten().filter(|(key, _)| *key != "components").map(|(_, member)| member);
    let mut open: Vec<&Value> = outside.chain(roots.iter().filter_map(|root| document.pointer(root))).collect();
    // the requirements of the whole description stand at its root
    let mut found: Vec<String> = document.get("security").map(schemes).unwrap_or_default();
    let mut reached: FxHashSet<String> = roots.clone();
    loop {
        found.extend(open.drain(..).flat_map(component_references));
        let Some(component) = found.pop() else { return reached };
        if reached.insert(component.clone()) {
            open.extend(document.pointer(&component));
        }
    }
}

/// The components that a value refers to, in every way that the formats know.
fn component_references(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str).and_then(referred));
                found.extend(members.get("security").map(schemes).unwrap_or_default());
                let mapping = members
                    .get("discriminator")
                    .and_then(|discriminator| discriminator.get("mapping"))
                    .and_then(Value::as_object);
                let targets = mapping.into_iter().flat_map(|rows| rows.values()).filter_map(Value::as_str);
                found.extend(
                    targets.map(|target| referred(target).unwrap_or_else(|| component_pointer("schemas", target))),
                );
                open.extend(members.values());
            }
            _ => {}
        }
    }
    found
}

/// The component that a reference leads to or into.
fn referred(reference: &str) -> Option<String> {
    let pointer = crate::pointer(reference)?;
    let mut segments = pointer.strip_prefix("/components/")?.split('/');
    Some(format!("/components/{}/{}", segments.next()?, segments.next()?))
}

/// The schemes that a list of requirements names.
fn schemes(requirements: &Value) -> Vec<String> {
    let names = requirements.as_array().into_iter().flatten().filter_map(Value::as_object).flat_map(|row| row.keys());
    names.map(|name| component_pointer("securitySchemes", name)).collect()
}

/// Takes out the tags that only closed operations had.
fn drop_tags(before: &Value, after: &mut Value) {
    let of = |document: &Value| -> FxHashSet<String> {
        let tags = crate::operations(document)
            .into_iter()
            .filter_map(|operation| operation.about.get("tags")?.as_array())
            .flatten();
        tags.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (had, has) = (of(before), of(after));
    let is_gone = |name: Option<&str>| name.is_some_and(|name| had.contains(name) && !has.contains(name));
    let Some(members) = after.as_object_mut() else { return };
    drop_from(members, "tags", |tag| is_gone(tag.get("name").and_then(Value::as_str)));
    if let Some(groups) = members.get_mut("x-tagGroups").and_then(Value::as_array_mut) {
        for group in groups.iter_mut().filter_map(Value::as_object_mut) {
            drop_from(group, "tags", |tag| is_gone(tag.as_str()));
        }
        groups.retain(|group| group.get("tags").is_some());
    }
}

/// Takes items out of a list, and the list if none are left.
fn drop_from(members: &mut serde_json::Map<String, Value>, key: &str, is_gone: impl Fn(&Value) -> bool) {
    let Some(items) = members.get_mut(key).and_then(Value::as_array_mut) else { return };
    let had = items.len();
    items.retain(|item| !is_gone(item));
    if items.is_empty() && had > 0 {
        members.shift_remove(key);
    }
}
