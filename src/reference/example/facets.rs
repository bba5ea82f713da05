//! What a schema says together with all that it refers to and consists of.

use std::borrow::Cow;
use std::cell::Cell;

use percent_encoding::percent_decode_str;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use super::pattern::text_matching_pattern;
use crate::document::member;
use spec::spelled_number;

/// How many schemas are looked at for an example.
const MAX_WORK: usize = 50_000;
/// How many schemas one may consist of.
const MAX_COMPOSED_SCHEMAS: usize = 300;
/// How often a reference may lead to another one, and how deep compositions may be.
const MAX_FACET_REFERENCES: usize = 32;

type ExampleObject = Map<String, Value>;

/// A type of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FacetKind {
    Object,
    Array,
    String,
    Integer,
    Number,
    Boolean,
    Null,
    /// Any.
    Any,
}

/// Reads schemas of a document.
pub(super) struct SchemaReader<'a> {
    document: &'a Value,
    work: Cell<usize>,
}

/// The schemas that a value has to satisfy at once.
#[derive(Default)]
pub(super) struct Facets<'a> {
    parts: Vec<FacetPart<'a>>,
    /// The references that led to them, in their order.
    references: Vec<&'a str>,
    /// The reference of the alternative that was chosen.
    chosen: Option<&'a str>,
    /// Whether one of the alternatives is null.
    null_alternative: bool,
    /// Whether all alternatives are being made already.
    circular: bool,
}

/// One of several alternatives.
enum AlternativeChoice<'a> {
    Free(&'a Value),
    Circular(&'a Value),
    None,
}

struct FacetPart<'a> {
    map: &'a ExampleObject,
    /// Whether an example of it is one of the whole.
    own: bool,
    /// Whether it is one of several alternatives.
    alternative: bool,
}

impl<'a> SchemaReader<'a> {
    pub(super) fn new(document: &'a Value) -> Self {
        Self { document, work: Cell::new(0) }
    }

    /// Whether more work would be too much.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work.get() >= MAX_WORK
    }

    /// How many schemas were looked at.
    #[cfg(test)]
    pub(super) fn work(&self) -> usize {
        self.work.get()
    }

    fn spend(&self) {
        self.work.set(self.work.get() + 1);
    }

    fn resolve(&self, reference: &str) -> Option<&'a Value> {
        let pointer = percent_decode_str(reference.strip_prefix('#')?).decode_utf8().ok()?;
        self.document.pointer(&pointer)
    }

    /// A schema and those that its references lead to.
    pub(super) fn chain(&self, schema: &'a Value) -> Vec<&'a ExampleObject> {
        let mut maps: Vec<&'a ExampleObject> = Vec::new();
        let mut next = Some(schema);
        while let Some(map) = next.and_then(Value::as_object) {
            self.spend();
            if maps.len() >= MAX_FACET_REFERENCES
                || self.is_exhausted()
                || maps.iter().any(|known| std::ptr::eq(*known, map))
            {
                break;
            }
            maps.push(map);
            next = member(map, "$ref").and_then(Value::as_str).and_then(|reference| self.resolve(reference));
        }
        maps
    }

    /// All that these schemas say; of alternatives, the first that is not null and not being made already.
    pub(super) fn facets(&self, schemas: &[&'a Value], active: &[*const ExampleObject]) -> Facets<'a> {
        let mut facets = Facets::default();
        for schema in schemas {
            self.add(schema, (true, false), 0, &mut facets, active);
        }
        facets
    }

    fn add(
        &self,
        schema: &'a Value,
        (own, alternative): (bool, bool),
        depth: usize,
        facets: &mut Facets<'a>,
        active: &[*const ExampleObject],
    ) {
        if depth > MAX_FACET_REFERENCES {
            return;
        }
        let start = facets.parts.len();
        for map in self.chain(schema) {
            if facets.parts.len() >= MAX_COMPOSED_SCHEMAS || facets.parts.iter().any(|part| std::ptr::eq(part.map, map))
            {
                break;
            }
            facets.parts.push(FacetPart { map, own, alternative });
            facets.references.extend(member(map, "$ref").and_then(Value::as_str));
        }
        for index in start..facets.parts.len() {
            let map = facets.parts[index].map;
            let alone = own && member(map, "properties").is_none();
            if let Some(members) = array(map, "allOf") {
                for member in members {
                    self.add(member, (alone && members.len() == 1, alternative), depth + 1, facets, active);
                }
            }
            for keyword in ["oneOf", "anyOf"] {
                let Some(alternatives) = array(map, keyword) else { continue };
                facets.null_alternative |= alternatives.iter().any(|alternative| self.is_null(alternative));
                let chosen = match self.choose(alternatives, active) {
                    AlternativeChoice::Free(alternative) => alternative,
                    AlternativeChoice::Circular(alternative) => {
                        facets.circular = true;
                        alternative
                    }
                    AlternativeChoice::None => continue,
                };
                facets.chosen = facets.chosen.or(chosen.get("$ref").and_then(Value::as_str));
                self.add(chosen, (alone, true), depth + 1, facets, active);
            }
            if let Some(child) = self.child(map, facets, active) {
                self.add(child, (false, true), depth + 1, facets, active);
            }
        }
    }

    /// The first schema that extends one with a discriminator, unless that is read as a part of such a schema.
    fn child(
        &self,
        base: &'a ExampleObject,
        facets: &mut Facets<'a>,
        active: &[*const ExampleObject],
    ) -> Option<&'a Value> {
        let discriminator = member(base, "discriminator")?.as_object()?;
        let extends = |object: &'a ExampleObject| {
            let parts = array(object, "allOf").into_iter().flatten();
            parts.filter_map(|part| part.get("$ref")?.as_str()).any(|reference| {
                self.spend();
                self.resolve(reference).and_then(Value::as_object).is_some_and(|target| std::ptr::eq(target, base))
            })
        };
        if array(base, "oneOf").is_some()
            || array(base, "anyOf").is_some()
            || facets.parts.iter().any(|part| extends(part.map))
        {
            return None;
        }
        let schemas = || self.document.get("components")?.get("schemas")?.as_object();
        let mapping = discriminator.get("mapping").and_then(Value::as_object);
        let mapped = mapping.into_iter().flatten().filter_map(|(_, target)| {
            let target = target.as_str()?;
            if target.starts_with('#') { self.resolve(target) } else { schemas()?.get(target) }
        });
        let is_free = |schema: &&'a Value| {
            self.chain(schema)
                .iter()
                .all(|map| !active.contains(&std::ptr::from_ref(*map)) && !std::ptr::eq(*map, base))
        };
        let mut found = mapped.filter(is_free);
        if let Some(child) = found.next() {
            return Some(child);
        }
        let (name, child) = schemas()?
            .iter()
            .find(|(_, schema)| !self.is_exhausted() && schema.as_object().is_some_and(extends) && is_free(schema))?;
        facets.chosen = facets.chosen.or(Some(name));
        Some(child)
    }

    /// The first alternative that is neither null nor being made, or else the first that is being made.
    fn choose(&self, alternatives: &'a [Value], active: &[*const ExampleObject]) -> AlternativeChoice<'a> {
        let mut circular = None;
        for alternative in alternatives.iter().filter(|alternative| !self.is_null(alternative)) {
            if self.chain(alternative).iter().all(|map| !active.contains(&std::ptr::from_ref(*map))) {
                return AlternativeChoice::Free(alternative);
            }
            circular = circular.or(Some(alternative));
        }
        circular.map_or(AlternativeChoice::None, AlternativeChoice::Circular)
    }

    fn is_null(&self, schema: &'a Value) -> bool {
        self.chain(schema).iter().any(|map| {
            let is_only = |value: &Value| {
                value.as_array().is_some_and(|list| list.iter().all(Value::is_null) && !list.is_empty())
            };
            member(map, "type").is_some_and(|kind| {
                kind == "null" || kind.as_array().is_some_and(|kinds| kinds.iter().all(|kind| kind == "null"))
            }) || member(map, "const").is_some_and(Value::is_null)
                || member(map, "enum").is_some_and(is_only)
        })
    }

    /// The values that a schema lists.
    pub(super) fn choices(&self, schema: &'a Value) -> Vec<&'a Value> {
        self.facets(&[schema], &[])
            .parts
            .iter()
            .find_map(|part| array(part.map, "enum"))
            .into_iter()
            .flatten()
            .collect()
    }
}

fn array<'a>(map: &'a ExampleObject, keyword: &str) -> Option<&'a [Value]> {
    member(map, keyword)?.as_array().map(Vec::as_slice)
}

impl<'a> Facets<'a> {
    fn all(&self, keyword: &'a str) -> impl Iterator<Item = &'a Value> {
        self.parts.iter().filter_map(move |part| member(part.map, keyword))
    }

    fn own(&self, keyword: &'a str) -> impl Iterator<Item = &'a Value> {
        self.parts.iter().filter(|part| part.own).filter_map(move |part| member(part.map, keyword))
    }

    /// The schemas of alternatives.
    pub(super) fn alternatives(&self) -> impl Iterator<Item = *const ExampleObject> {
        self.parts.iter().filter(|part| part.alternative).map(|part| std::ptr::from_ref(part.map))
    }

    /// Whether a value would contain others of the same schema without an end.
    pub(super) fn is_circular(&self) -> bool {
        self.circular
    }

    /// Whether a keyword is true.
    pub(super) fn is_set(&self, keyword: &'static str) -> bool {
        self.all(keyword).any(|value| *value == Value::Bool(true))
    }

    /// The largest of a lower bound.
    pub(super) fn count(&self, keyword: &'static str) -> usize {
        self.all(keyword).filter_map(whole_number).max().unwrap_or(0)
    }

    /// The smallest of an upper bound.
    pub(super) fn most(&self, keyword: &'static str) -> usize {
        self.all(keyword).filter_map(whole_number).min().unwrap_or(usize::MAX)
    }

    /// The numbers of a keyword.
    pub(super) fn numbers(&self, keyword: &'static str) -> impl Iterator<Item = f64> {
        self.all(keyword).filter_map(Value::as_f64)
    }

    /// The first text of a keyword.
    pub(super) fn text(&self, keyword: &'static str) -> Option<&'a str> {
        self.all(keyword).find_map(Value::as_str)
    }

    /// Whether null is accepted.
    pub(super) fn allows_null(&self) -> bool {
        let says_null = |part: &FacetPart<'_>| {
            member(part.map, "nullable") == Some(&Value::Bool(true))
                || kinds(part.map).is_some_and(|kinds| kinds.contains(&FacetKind::Null))
        };
        let refuses = |part: &FacetPart<'_>| member(part.map, "type").is_some() && !says_null(part);
        let own_says = self.parts.iter().any(|part| part.own && says_null(part));
        self.null_alternative || own_says && !self.parts.iter().any(|part| part.own && refuses(part))
    }

    /// The type of the example: the first that is not null and that all parts accept.
    pub(super) fn kind(&self) -> FacetKind {
        let is_only_null = |part: &FacetPart<'_>| {
            member(part.map, "const").is_some_and(Value::is_null)
                || array(part.map, "enum").is_some_and(|values| !values.is_empty() && values.iter().all(Value::is_null))
        };
        if self.parts.iter().any(is_only_null) {
            return FacetKind::Null;
        }
        let mut lists = self.parts.iter().filter_map(|part| kinds(part.map));
        let Some(first) = lists.next() else { return self.implied_kind() };
        let mut common = first;
        for list in lists {
            let narrowed: Vec<FacetKind> = common.iter().filter_map(|kind| meet(*kind, &list)).collect();
            // types that contradict each other: those of the first part
            if !narrowed.is_empty() {
                common = narrowed;
            }
        }
        common.iter().find(|kind| **kind != FacetKind::Null).or(common.first()).copied().unwrap_or(FacetKind::Any)
    }

    fn implied_kind(&self) -> FacetKind {
        let says = |keywords: &[&'static str]| keywords.iter().any(|keyword| self.all(keyword).next().is_some());
        if says(&["properties", "additionalProperties", "patternProperties", "required", "minProperties"]) {
            FacetKind::Object
        } else if says(&["items", "prefixItems", "minItems", "maxItems"]) {
            FacetKind::Array
        } else if says(&["pattern", "format", "minLength", "maxLength"]) {
            FacetKind::String
        } else if says(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) {
            FacetKind::Number
        } else {
            FacetKind::Any
        }
    }

    /// A value that the schema names, and of how many values it consists.
    pub(super) fn given(&self, most_values: usize) -> Option<(Value, usize)> {
        let kind = self.kind();
        let first = |value: &'a Value| value.as_array().and_then(|list| list.iter().find(|value| !value.is_null()));
        let own = (self.own("example"))
            .chain(self.own("examples").filter_map(first))
            .chain(self.own("const"))
            .chain(self.own("default"))
            .chain(self.own("enum").flat_map(|list| list.as_array().into_iter().flatten()));
        let parts = self.all("const").chain(self.all("enum").flat_map(|list| list.as_array().into_iter().flatten()));
        let scalar = !matches!(kind, FacetKind::Object | FacetKind::Array | FacetKind::Any);
        let hints = self.all("example").chain(self.all("default")).filter(|_| scalar);
        own.chain(parts).chain(hints).find_map(|value| {
            let value = fit(value, kind)?;
            let size = count_nested_values(&value, most_values)?;
            (self.lists(&value) && (!value.is_null() || kind == FacetKind::Null)).then(|| (value.into_owned(), size))
        })
    }

    /// Whether no part lists values without this one.
    fn lists(&self, value: &Value) -> bool {
        self.all("const").all(|only| only == value)
            && self.all("enum").filter_map(Value::as_array).all(|list| list.is_empty() || list.contains(value))
    }

    /// The names of properties that have to be there.
    pub(super) fn required(&self) -> Vec<&'a str> {
        let mut seen = FxHashSet::default();
        let names = self.all("required").filter_map(Value::as_array).flatten().filter_map(Value::as_str);
        names.filter(|name| seen.insert(*name)).take(super::MAX_VALUES).collect()
    }

    /// The names of the properties, in their order.
    pub(super) fn property_names(&self) -> Vec<&'a str> {
        let mut seen = FxHashSet::default();
        let maps = self.all("properties").filter_map(Value::as_object);
        maps.flat_map(Map::keys).map(String::as_str).filter(|name| seen.insert(*name)).take(super::MAX_VALUES).collect()
    }

    /// The schemas of a property.
    pub(super) fn property(&self, name: &str) -> Vec<&'a Value> {
        self.all("properties").filter_map(|properties| properties.get(name)).collect()
    }

    /// What properties without a schema of their own have to be; `None` where nothing is said.
    pub(super) fn further_properties(&self) -> Option<&'a Value> {
        let patterns = self.all("patternProperties").filter_map(Value::as_object).find_map(|map| map.values().next());
        let schemas = self.all("additionalProperties").chain(self.all("unevaluatedProperties"));
        patterns.or_else(|| {
            schemas.filter(|schema| schema.is_object() || schema.is_boolean()).min_by_key(|schema| match schema {
                Value::Bool(false) => 0,
                Value::Object(_) => 1,
                _ => 2,
            })
        })
    }

    /// Whether the schema says that there are properties which it does not name.
    pub(super) fn is_open(&self) -> bool {
        self.further_properties().is_some()
    }

    /// The name of a property that the schema does not name.
    pub(super) fn further_name(&self, index: usize) -> String {
        let patterns = self.all("patternProperties").filter_map(Value::as_object).find_map(|map| map.keys().next());
        let names = self.all("propertyNames").find_map(Value::as_object);
        let listed = names.and_then(|names| array(names, "enum")).and_then(|list| list.get(index - 1));
        if let Some(name) = listed.and_then(Value::as_str) {
            return name.to_owned();
        }
        let pattern = patterns.map(String::as_str).or_else(|| names?.get("pattern")?.as_str());
        let number = if index == 1 { String::new() } else { index.to_string() };
        match pattern.and_then(|pattern| text_matching_pattern(pattern, 0, usize::MAX)) {
            Some(name) if index == 1 => name,
            _ => format!("key{number}"),
        }
    }

    /// The schemas of the first items, and that of the others.
    pub(super) fn items(&self) -> (Vec<&'a Value>, Option<&'a Value>) {
        let places = self.all("prefixItems").chain(self.all("items")).find_map(Value::as_array);
        let items = self.all("items").find(|items| !items.is_array()).or_else(|| self.all("contains").next());
        (places.into_iter().flatten().take(super::MAX_VALUES).collect(), items)
    }

    /// Sets the property that tells alternatives apart.
    pub(super) fn discriminate(&self, out: &mut ExampleObject) {
        for discriminator in self.all("discriminator") {
            let Some(name) = discriminator.get("propertyName").and_then(Value::as_str) else { continue };
            let mapping = discriminator.get("mapping").and_then(Value::as_object);
            let mapped = self.references.iter().find_map(|reference| {
                let same = |target: &Value| {
                    target.as_str().is_some_and(|target| schema_name(target) == schema_name(reference))
                };
                mapping?.iter().find(|(_, target)| same(target)).map(|(value, _)| value.as_str())
            });
            let named = out.get(name);
            let is_open = named.is_none_or(|value| *value == scalar_placeholder());
            let lists = |value: &str| {
                let listed = |schema: &&Value| {
                    let list = schema
                        .get("const")
                        .map_or(schema.get("enum").and_then(Value::as_array).map(Vec::as_slice), |only| {
                            Some(std::slice::from_ref(only))
                        });
                    list.is_none_or(|list| list.iter().any(|listed| listed == value))
                };
                self.property(name).iter().all(listed)
            };
            let value = match mapped {
                // the schema of the property may pin it, in another spelling
                Some(value) if lists(value) && named.is_none_or(Value::is_string) => value.to_owned(),
                None if is_open => {
                    let first = || mapping?.keys().next().map(|value| Cow::from(value.as_str()));
                    let Some(value) = self
                        .chosen
                        .map(schema_name)
                        .or_else(first)
                        .or_else(|| self.references.first().map(|reference| schema_name(reference)))
                    else {
                        continue;
                    };
                    value.into_owned()
                }
                _ => continue,
            };
            out.insert(name.to_owned(), value.into());
        }
    }
}

fn scalar_placeholder() -> Value {
    super::TEXT.into()
}

/// The name of the schema that a reference leads to.
fn schema_name(reference: &str) -> Cow<'_, str> {
    let last = reference.rsplit('/').next().unwrap_or(reference);
    let last = [".yaml", ".yml", ".json"].iter().find_map(|extension| last.strip_suffix(extension)).unwrap_or(last);
    percent_decode_str(last).decode_utf8_lossy()
}

fn whole_number(value: &Value) -> Option<usize> {
    value
        .as_u64()
        .or_else(|| value.as_f64().filter(|number| *number >= 0.0).map(|number| number as u64))
        .and_then(|number| usize::try_from(number).ok())
}

fn kind_of(name: &str) -> Option<FacetKind> {
    Some(match name {
        "object" => FacetKind::Object,
        "array" => FacetKind::Array,
        "string" | "file" => FacetKind::String,
        "integer" => FacetKind::Integer,
        "number" => FacetKind::Number,
        "boolean" => FacetKind::Boolean,
        "null" => FacetKind::Null,
        _ => return None,
    })
}

/// The types that a schema names.
fn kinds(map: &ExampleObject) -> Option<Vec<FacetKind>> {
    let kinds: Vec<FacetKind> = match member(map, "type")? {
        Value::String(name) => kind_of(name).into_iter().collect(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).filter_map(kind_of).collect(),
        _ => Vec::new(),
    };
    (!kinds.is_empty()).then_some(kinds)
}

/// What is of both a type and one of others.
fn meet(kind: FacetKind, others: &[FacetKind]) -> Option<FacetKind> {
    if others.contains(&kind) {
        return Some(kind);
    }
    match kind {
        FacetKind::Integer if others.contains(&FacetKind::Number) => Some(FacetKind::Integer),
        FacetKind::Number if others.contains(&FacetKind::Integer) => Some(FacetKind::Integer),
        _ => None,
    }
}

/// A value that an author gives, as one of the type: in YAML, `example: 12` is easily said of a string.
fn fit(value: &Value, kind: FacetKind) -> Option<Cow<'_, Value>> {
    let same = Some(Cow::Borrowed(value));
    let owned = |value: Value| Some(Cow::Owned(value));
    match (kind, value) {
        (FacetKind::Any, _)
        | (FacetKind::Object, Value::Object(_))
        | (FacetKind::Array, Value::Array(_))
        | (FacetKind::String, Value::String(_))
        | (FacetKind::Number, Value::Number(_))
        | (FacetKind::Boolean, Value::Bool(_))
        | (FacetKind::Null, Value::Null) => same,
        (FacetKind::Integer | FacetKind::Number, value) if spelled_number(value).is_some() => same,
        (FacetKind::Integer, Value::Number(number)) if number.is_i64() || number.is_u64() => same,
        (FacetKind::Integer, Value::Number(number)) => {
            let number = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9e15)?;
            owned((number as i64).into())
        }
        (FacetKind::String, Value::Number(_) | Value::Bool(_)) => owned(value.to_string().into()),
        (
            FacetKind::Integer | FacetKind::Number | FacetKind::Boolean | FacetKind::Object | FacetKind::Array,
            Value::String(text),
        ) => {
            let parsed: Value = serde_json::from_str(text).ok().filter(|parsed: &Value| !parsed.is_string())?;
            owned(fit(&parsed, kind)?.into_owned())
        }
        _ => None,
    }
}

/// How many values there are within a value, if not more than these.
pub(super) fn count_nested_values(value: &Value, most: usize) -> Option<usize> {
    let mut left = most;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => {
                left = left.checked_sub(items.len())?;
                open.extend(items);
            }
            Value::Object(members) => {
                left = left.checked_sub(members.len())?;
                open.extend(members.values());
            }
            _ => {}
        }
    }
    Some(most - left)
}
