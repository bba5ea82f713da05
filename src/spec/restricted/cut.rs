//! A description without what its readers may not see.
//!
//! An object with `x-mint.groups` that the readers do not belong to is closed, and so is what refers to it: it is left
//! out of the object or list that it stands in, whatever it is (an operation, field, parameter, response, variant, tag
//! …). An operation has the groups of its path, its own and those of its page together, as its page does. Values of
//! `enum` follow `x-mint-enum`. What names closed parts goes with them: `required`, `discriminator`, `security`,
//! examples (`examples`), and components that nothing else needs (`needed`). Names of groups that the readers do not
//! belong to are left out as well.

use std::borrow::Cow;
use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};

use crate::groups::{ReaderGroups, groups_in, groups_of, is_groups, list_access_groups};
use crate::{Closed, DescriptionMembers, has_names};

use super::needed;

/// References that are followed one after the other, and pointers of references inside of each other: circles end.
const MAX_CUT_REFERENCES: usize = 8;

/// What is left of a description.
#[derive(Debug)]
pub(super) struct DescriptionCut {
    /// It, without what is closed.
    pub(super) document: Value,
    /// Its operations and channels that are closed.
    pub(super) closed: Vec<Closed>,
    /// Nothing is left that anybody could use.
    pub(super) is_empty: bool,
}

/// Cuts a description, or a part of one; `None` if nothing in it is restricted.
pub(super) fn cut_restricted(document: &Value, readers: ReaderGroups<'_>) -> Option<DescriptionCut> {
    if !restricts(document) {
        return None;
    }
    let mut cutter = Cutter {
        whole: document,
        readers,
        examples: examples_by_reference(document),
        pruned: Cell::new(0),
        closed: Vec::new(),
    };
    let Value::Object(members) = document else {
        let document = cutter.value(document, false, &[]);
        return Some(DescriptionCut {
            is_empty: document.as_array().is_some_and(Vec::is_empty),
            document,
            closed: Vec::new(),
        });
    };
    let mut out = cutter.root(members);
    needed::drop_unneeded(document, &mut out);
    crate::drop_unneeded_files(&mut out);
    let is_filled = |value: &Value| value.as_object().is_some_and(|members| !members.is_empty());
    let has_paths =
        |value: &Value| ["paths", "webhooks", "channels"].iter().any(|key| value.get(key).is_some_and(is_filled));
    let has_components =
        out.get("components").and_then(Value::as_object).is_some_and(|components| components.values().any(is_filled));
    let is_empty = cutter.is_own_closed(members) || has_paths(document) && !has_paths(&out) && !has_components;
    Some(DescriptionCut { document: out, closed: cutter.closed, is_empty })
}

/// Whether some part names groups.
fn restricts(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                let mint = members.get("x-mint");
                let names = [mint, mint.and_then(|mint| mint.get("metadata"))]
                    .into_iter()
                    .flatten()
                    .filter_map(groups_in)
                    .any(|groups| !groups.is_null());
                if names || members.contains_key("x-mint-enum") {
                    return true;
                }
                open.extend(members.values());
            }
            _ => {}
        }
    }
    false
}

/// The schemas of examples that are referred to, by the pointers of the examples.
fn examples_by_reference(document: &Value) -> FxHashMap<String, Vec<DescriptionMembers<'_>>> {
    let mut found: FxHashMap<String, Vec<DescriptionMembers<'_>>> = FxHashMap::default();
    let mut open = vec![document];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                if let (Some(schema), Some(examples)) = (
                    members.get("schema").and_then(Value::as_object),
                    members.get("examples").and_then(Value::as_object),
                ) {
                    for pointer in examples
                        .values()
                        .filter_map(Value::as_object)
                        .filter_map(crate::item_reference)
                        .filter_map(crate::pointer)
                    {
                        found.entry(pointer.into_owned()).or_default().push(schema);
                    }
                }
                open.extend(members.values());
            }
            _ => {}
        }
    }
    found
}

/// Looks at one description. Recursion is bounded by the depth that the parsers allow.
pub(super) struct Cutter<'a> {
    pub(super) whole: &'a Value,
    readers: ReaderGroups<'a>,
    /// See [`examples_by_reference`].
    examples: FxHashMap<String, Vec<DescriptionMembers<'a>>>,
    /// Values of examples looked at so far.
    pub(super) pruned: Cell<usize>,
    closed: Vec<Closed>,
}

impl<'a> Cutter<'a> {
    /// Whether an object's own groups close it.
    fn is_own_closed(&self, members: DescriptionMembers<'_>) -> bool {
        !self.readers.may_see(&groups_of(members))
    }

    /// Whether a part is closed: by itself, or because it refers to what is.
    pub(super) fn is_closed(&self, value: &Value) -> bool {
        let mut next = value.as_object();
        for _ in 0..MAX_CUT_REFERENCES {
            let Some(members) = next else { return false };
            if self.is_own_closed(members) {
                return true;
            }
            let Some(pointer) = crate::item_reference(members).and_then(crate::pointer) else { return false };
            if self.leads_into_closed(&pointer) {
                return true;
            }
            next = self.whole.pointer(&pointer).and_then(Value::as_object);
        }
        false
    }

    /// Whether a pointer leads to what is closed or into it.
    fn leads_into_closed(&self, pointer: &str) -> bool {
        let mut at = self.whole;
        for segment in pointer.split('/').skip(1) {
            let name = crate::unescape_pointer_segment(segment);
            let next = match at {
                Value::Object(members) => members.get(&name),
                Value::Array(items) => name.parse::<usize>().ok().and_then(|index| items.get(index)),
                _ => None,
            };
            let Some(next) = next else { return false };
            if next.as_object().is_some_and(|members| self.is_own_closed(members)) {
                return true;
            }
            at = next;
        }
        false
    }

    /// What a reference of a schema leads to.
    pub(super) fn referred(&self, members: DescriptionMembers<'_>) -> Option<(String, DescriptionMembers<'a>)> {
        let pointer = crate::item_reference(members).and_then(crate::pointer)?;
        let target = self.whole.pointer(&pointer)?.as_object()?;
        Some((pointer.into_owned(), target))
    }

    /// The whole description.
    fn root(&mut self, members: DescriptionMembers<'a>) -> Value {
        let is_closed = self.is_own_closed(members);
        // a part of a description may be a schema
        let own = self.hidden_fields(members);
        let hidden: FxHashSet<&str> = own.iter().map(String::as_str).collect();
        let mut out = Map::new();
        for (key, member) in members {
            match (key.as_str(), member) {
                ("openapi" | "asyncapi", version) => out.insert(key.clone(), version.clone()),
                ("paths" | "webhooks", Value::Object(paths)) => {
                    out.insert(key.clone(), self.paths(paths, key == "webhooks", is_closed))
                }
                ("channels", Value::Object(channels)) => out.insert(key.clone(), self.channels(channels, is_closed)),
                _ if is_closed || self.is_closed(member) => None,
                // what is done with a channel goes with it
                ("operations", Value::Object(operations)) if members.contains_key("asyncapi") => {
                    let is_left = |operation: &Value| {
                        !self.is_closed(operation)
                            && !operation.get("channel").is_some_and(|channel| self.is_closed(channel))
                    };
                    let left: Map<String, Value> = operations
                        .iter()
                        .filter(|(_, operation)| is_left(operation))
                        .map(|(name, operation)| (name.clone(), operation.clone()))
                        .collect();
                    out.insert(key.clone(), self.names(&left))
                }
                ("x-mint", mint) => out.insert(key.clone(), self.mint(mint)),
                _ => self.member(key, member, members, &hidden).and_then(|member| out.insert(key.clone(), member)),
            };
        }
        Value::Object(out)
    }

    fn channels(&mut self, channels: DescriptionMembers<'a>, is_closed: bool) -> Value {
        let is_closed = is_closed || self.is_own_closed(channels);
        let (gone, left): (Vec<_>, Vec<_>) =
            channels.iter().partition(|(_, channel)| is_closed || self.is_closed(channel));
        let closed = gone.into_iter().map(|(id, channel)| Closed {
            method: String::new(),
            path: id.clone(),
            about: channel.as_object().cloned().unwrap_or_default(),
        });
        self.closed.extend(closed);
        let left: Map<String, Value> = left.into_iter().map(|(id, channel)| (id.clone(), channel.clone())).collect();
        self.names(&left)
    }

    /// Paths or webhooks. What stands under a path goes when none of its operations is left.
    fn paths(&mut self, paths: DescriptionMembers<'a>, is_webhook: bool, is_closed: bool) -> Value {
        let is_closed = is_closed || self.is_own_closed(paths);
        let mut out = Map::new();
        for (path, entry) in paths {
            let whole = self.whole;
            let operations = crate::operations_of(whole, path, entry, is_webhook);
            let (gone, left): (Vec<_>, Vec<_>) = operations
                .into_iter()
                .partition(|(_, operation)| is_closed || !self.readers.may_see(&operation.groups()));
            let methods: Vec<&str> = gone.iter().map(|(method, _)| *method).collect();
            let closed = gone.iter().map(|(_, operation)| Closed {
                method: operation.method.to_owned(),
                path: path.clone(),
                about: operation.about.clone(),
            });
            self.closed.extend(closed);
            let item = match left.is_empty() {
                _ if is_closed => None,
                _ if path == "x-mint" => Some(self.mint(entry)),
                false => self.item(entry, &methods),
                true => Some(self.value(entry, false, &[])).filter(|_| methods.is_empty() && !self.is_closed(entry)),
            };
            out.extend(item.map(|item| (path.clone(), item)));
        }
        Value::Object(out)
    }

    /// What stands under a path, without some methods. Their groups have been judged together with those of the path,
    /// so that neither closes by itself.
    fn item(&self, entry: &Value, without: &[&str]) -> Option<Value> {
        let chain = crate::path_items(self.whole, entry);
        let (first, others) = chain.split_first()?;
        // what it refers to is shared with other paths: it gets a copy of its own where less may be seen
        let is_copy = !others.is_empty() && (!without.is_empty() || others.iter().any(|item| self.is_own_closed(item)));
        let mut members: Map<String, Value> = (*first).clone();
        if is_copy {
            members.shift_remove("$ref");
            for (key, member) in others.iter().flat_map(|item| item.iter()).filter(|(key, _)| *key != "$ref") {
                members.entry(key.clone()).or_insert_with(|| member.clone());
            }
        }
        let mut out = Map::new();
        for (key, member) in &members {
            match member {
                _ if without.contains(&key.as_str()) => {}
                Value::Object(operation) if crate::is_method(key) => {
                    out.insert(key.clone(), self.object(operation, &[]));
                }
                Value::Object(operations) if key == crate::ADDITIONAL => {
                    let left = operations.iter().filter(|(method, _)| !without.contains(&method.as_str()));
                    let left: Map<String, Value> =
                        left.map(|(method, operation)| (method.clone(), self.value(operation, false, &[]))).collect();
                    out.insert(key.clone(), left.into());
                }
                mint if key == "x-mint" => {
                    out.insert(key.clone(), self.mint(mint));
                }
                member => {
                    if let Some(member) = self.member(key, member, &members, &FxHashSet::default()) {
                        out.insert(key.clone(), member);
                    }
                }
            }
        }
        Some(Value::Object(out))
    }

    /// A value that is not closed itself. `has_names`: its keys are names. `gone`: fields that are closed where it is
    /// put together with others.
    fn value(&self, value: &Value, has_names: bool, gone: &[&str]) -> Value {
        match value {
            Value::Array(items) => {
                items.iter().filter(|item| !self.is_closed(item)).map(|item| self.value(item, false, gone)).collect()
            }
            Value::Object(members) if has_names => self.names(members),
            Value::Object(members) => self.object(members, gone),
            other => other.clone(),
        }
    }

    /// An object whose keys are names.
    fn names(&self, members: DescriptionMembers<'_>) -> Value {
        let left = members.iter().filter(|(_, member)| !self.is_closed(member));
        left.map(|(name, member)| {
            (
                name.clone(),
                if name == "x-mint" && groups_in(member).is_some() {
                    self.mint(member)
                } else {
                    self.value(member, false, &[])
                },
            )
        })
        .collect()
    }

    /// An object whose keys are words of the format.
    fn object(&self, members: DescriptionMembers<'_>, gone: &[&str]) -> Value {
        const FIELDS: [&str; 5] = ["properties", "allOf", "anyOf", "oneOf", "$ref"];
        let own =
            if FIELDS.iter().any(|key| members.contains_key(*key)) { self.hidden_fields(members) } else { Vec::new() };
        let hidden: FxHashSet<&str> = gone.iter().copied().chain(own.iter().map(String::as_str)).collect();
        let left =
            members.iter().filter_map(|(key, member)| Some((key.clone(), self.member(key, member, members, &hidden)?)));
        Value::Object(left.collect())
    }

    /// A member of an object whose keys are words; `None` if it is left out. `hidden`: fields of the object that are
    /// closed.
    fn member(
        &self,
        key: &str,
        member: &Value,
        members: DescriptionMembers<'_>,
        hidden: &FxHashSet<&str>,
    ) -> Option<Value> {
        let is_hidden = |name: &Value| name.as_str().is_some_and(|name| hidden.contains(name));
        match (key, member) {
            ("x-mint", mint) => Some(self.mint(mint)),
            ("x-mint-enum", _) => None,
            ("enum", Value::Array(values)) => {
                let closed = self.closed_values(members);
                let left: Vec<Value> =
                    values.iter().filter(|value| !closed.contains(&enum_value_text(value))).cloned().collect();
                (values.is_empty() || !left.is_empty()).then_some(Value::Array(left))
            }
            ("required", Value::Array(names)) => {
                let left: Vec<Value> = names.iter().filter(|name| !is_hidden(name)).cloned().collect();
                (names.is_empty() || !left.is_empty()).then_some(Value::Array(left))
            }
            ("dependentRequired", Value::Object(rows)) => {
                let rows = rows.iter().filter(|(name, _)| !hidden.contains(name.as_str()));
                let names = |names: &Value| {
                    names
                        .as_array()
                        .map_or(Value::Null, |names| names.iter().filter(|name| !is_hidden(name)).cloned().collect())
                };
                Some(rows.map(|(name, row)| (name.clone(), names(row))).collect())
            }
            ("discriminator", Value::Object(discriminator)) => self.discriminator(discriminator, members, hidden),
            ("example" | "examples" | "default" | "const", _) => self.example(key, member, members),
            _ if self.is_closed(member) => None,
            ("allOf" | "anyOf" | "oneOf", Value::Array(parts)) => {
                let gone: Vec<&str> = hidden.iter().copied().collect();
                let left = self.value(member, false, &gone);
                (parts.is_empty() || left.as_array().is_some_and(|left| !left.is_empty())).then_some(left)
            }
            ("security", Value::Array(rows)) => {
                let is_open = |scheme: &str| !self.is_closed_scheme(scheme);
                let left: Vec<Value> = rows
                    .iter()
                    .filter(|row| row.as_object().is_none_or(|row| row.keys().all(|scheme| is_open(scheme))))
                    .cloned()
                    .collect();
                // an empty list would mean that nothing is required
                (rows.is_empty() || !left.is_empty()).then_some(Value::Array(left))
            }
            _ => Some(self.value(member, has_names(key, member), &[])),
        }
    }

    fn is_closed_scheme(&self, name: &str) -> bool {
        self.whole
            .get("components")
            .and_then(|components| components.get("securitySchemes")?.get(name))
            .is_some_and(|scheme| self.is_closed(scheme))
    }

    /// The discriminator of variants, without those that are gone.
    fn discriminator(
        &self,
        discriminator: DescriptionMembers<'_>,
        members: DescriptionMembers<'_>,
        hidden: &FxHashSet<&str>,
    ) -> Option<Value> {
        if discriminator.get("propertyName").and_then(Value::as_str).is_some_and(|name| hidden.contains(name)) {
            return None;
        }
        let variants = ["oneOf", "anyOf"].into_iter().filter_map(|key| members.get(key)?.as_array()).flatten();
        let closed: Vec<&str> = variants
            .filter(|variant| self.is_closed(variant))
            .filter_map(|variant| crate::item_reference(variant.as_object()?))
            .collect();
        let is_left = |target: &Value| {
            let Some(target) = target.as_str() else { return true };
            let pointer = crate::pointer(target).unwrap_or_else(|| Cow::Owned(format!("/components/schemas/{target}")));
            let is_variant = closed.iter().any(|closed| *closed == target || closed.rsplit('/').next() == Some(target));
            !is_variant
                && !self.leads_into_closed(&pointer)
                && !self.whole.pointer(&pointer).is_some_and(|schema| self.is_closed(schema))
        };
        let keep = |key: &str, member: &Value| match member {
            Value::Object(rows) if key == "mapping" => rows
                .iter()
                .filter(|(_, target)| is_left(target))
                .map(|(name, target)| (name.clone(), target.clone()))
                .collect(),
            other => other.clone(),
        };
        Some(discriminator.iter().map(|(key, member)| (key.clone(), keep(key, member))).collect())
    }

    /// What is written as an example of an object, or in the place of a value.
    fn example(&self, key: &str, member: &Value, members: DescriptionMembers<'_>) -> Option<Value> {
        let schema = members.get("schema").and_then(Value::as_object).unwrap_or(members);
        match member {
            Value::Array(items) if key == "examples" => {
                let is_of_message = members.contains_key("payload");
                let left = items.iter().filter(|item| !(is_of_message && self.is_closed(item)));
                let cut = |item: &Value| {
                    let mut item = item.clone();
                    if !is_of_message {
                        return self.prune(&[schema], &mut item).then_some(item);
                    }
                    for part in ["payload", "headers"] {
                        let (Some(data), Some(schema)) =
                            (item.get_mut(part), members.get(part).and_then(Value::as_object))
                        else {
                            continue;
                        };
                        if !self.prune(&[schema], data) {
                            return None;
                        }
                    }
                    Some(item)
                };
                Some(left.filter_map(cut).collect())
            }
            Value::Object(examples) if key == "examples" => {
                let is_of_components = self
                    .whole
                    .get("components")
                    .and_then(|components| components.get("examples"))
                    .is_some_and(|all| std::ptr::eq(all, member));
                let cut = |(name, example): (&String, &Value)| {
                    let pointer = format!("/components/examples/{}", crate::escape_pointer_segment(name));
                    let elsewhere = if is_of_components { self.examples.get(&pointer) } else { None };
                    let mut example = example.clone();
                    let is_left = match example.get_mut("value") {
                        Some(data) => match elsewhere {
                            Some(schemas) => schemas.iter().all(|schema| self.prune(&[schema], data)),
                            None => self.prune(&[schema], data),
                        },
                        None => true,
                    };
                    is_left.then_some((name.clone(), example))
                };
                Some(examples.iter().filter(|(_, example)| !self.is_closed(example)).filter_map(cut).collect())
            }
            data => {
                let mut data = data.clone();
                self.prune(&[schema], &mut data).then_some(data)
            }
        }
    }

    /// `x-mint`, with no other groups than those of the readers.
    fn mint(&self, mint: &Value) -> Value {
        let own = |members: &Map<String, Value>| -> Map<String, Value> {
            let own = |key: &str, member: &Value| {
                if is_groups(key) && !list_access_groups(member).is_empty() {
                    self.readers.own(&list_access_groups(member))
                } else {
                    member.clone()
                }
            };
            members.iter().map(|(key, member)| (key.clone(), own(key, member))).collect()
        };
        let Some(members) = mint.as_object() else { return mint.clone() };
        let mut out = own(members);
        if let Some(metadata) = out.get_mut("metadata")
            && let Some(members) = metadata.as_object()
        {
            *metadata = Value::Object(own(members));
        }
        Value::Object(out)
    }

    /// The values of an enumeration that the readers may not see.
    pub(super) fn closed_values(&self, members: DescriptionMembers<'_>) -> Vec<String> {
        let Some(rows) = members.get("x-mint-enum") else { return Vec::new() };
        let Some(rows) = rows.as_object() else {
            // it is not known which values are meant
            return members.get("enum").and_then(Value::as_array).into_iter().flatten().map(enum_value_text).collect();
        };
        rows.iter()
            .filter(|(_, groups)| !self.readers.may_see(&list_access_groups(groups)))
            .map(|(value, _)| value.clone())
            .collect()
    }

    /// Names of the fields of a schema that the readers may not see.
    fn hidden_fields(&self, members: DescriptionMembers<'_>) -> Vec<String> {
        self.shape(&[members]).hidden().map(str::to_owned).collect()
    }
}

/// A value of an enumeration as `x-mint-enum` spells it.
pub(super) fn enum_value_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
