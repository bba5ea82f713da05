//! What a schema says, whatever place it stands in: its references followed, `allOf` merged, `null` taken out of its
//! alternatives.

use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use serde_json::Value;

use spec::spelled_number;

use super::conditions::{Condition, read_conditions};
use super::document::{DescriptionDocument, DocumentMembers, member, object_reference, reference_name};
use super::inheritance::{Child, Hierarchy};
use super::limits::{self, ValueLimit, read_limits};
use super::properties::Properties;
pub(crate) use super::properties::Schema;

/// Parts that one schema may be put together from.
const MAX_SCHEMA_PARTS: usize = 400;
/// Schemas that are looked into from inside each other: arrays of arrays.
const MAX_ARRAY_DEPTH: usize = 40;
/// Schemas of a description that are kept. Of `allOf`, as many combinations as its pages need are schemas.
const MAX_KEPT_SCHEMAS: usize = 200_000;

/// The type of a JSON value. `File` is what is sent as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonType {
    String,
    Integer,
    Number,
    Boolean,
    Object,
    Array,
    File,
}

impl JsonType {
    /// The type that a description names.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "string" | "date" => Self::String,
            "integer" | "int" => Self::Integer,
            "number" | "float" | "double" => Self::Number,
            "boolean" | "bool" => Self::Boolean,
            "object" => Self::Object,
            "array" => Self::Array,
            "file" => Self::File,
            _ => return None,
        })
    }

    /// The type of a value that is not null.
    fn of_value(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Null => return None,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_f64() => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::String(_) => match spelled_number(value) {
                Some(digits) if digits.contains(['.', 'e', 'E']) => Self::Number,
                Some(_) => Self::Integer,
                None => Self::String,
            },
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        })
    }

    /// How readers know it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Object => "object",
            Self::Array => "array",
            Self::File => "file",
        }
    }
}

/// One of several schemas that a value may have.
#[derive(Clone, Debug)]
pub(crate) struct Alternative<'a> {
    /// Its schema.
    pub(crate) schema: Schema<'a>,
    /// What tells it from the others.
    pub(crate) mark: DiscriminatorMark<'a>,
}

/// What a discriminator says of an alternative.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DiscriminatorMark<'a> {
    /// The property that has the value; empty where none is named.
    pub(crate) property: &'a str,
    /// The value of the discriminator that stands for it.
    pub(crate) value: Option<&'a str>,
    /// It extends the schema whose alternative it is: what that has is not said again.
    pub(crate) is_child: bool,
    /// It is meant by values that stand for no other (`defaultMapping`).
    pub(crate) is_default: bool,
}

/// What values of properties without a name of their own are.
#[derive(Clone, Debug)]
pub(crate) struct MapValues<'a> {
    /// Their schema.
    pub(crate) schema: Schema<'a>,
    /// The pattern of their names.
    pub(crate) pattern: Option<&'a str>,
}

/// What a schema says.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaFacts<'a> {
    /// Its types, `null` apart.
    pub(crate) types: Vec<JsonType>,
    /// `null` is a value too.
    pub(crate) is_nullable: bool,
    /// `null` is the only value.
    pub(crate) is_null: bool,
    /// Of an array: what its items are.
    pub(crate) item: Option<Arc<SchemaFacts<'a>>>,
    /// Of an array: what its first items are, one by one.
    pub(crate) tuple: Vec<Schema<'a>>,
    /// `format`, or how a string holds bytes.
    pub(crate) format: Option<&'a str>,
    /// The objects that it is made of, by their addresses: a schema that contains itself is found by them.
    pub(crate) identity: Vec<usize>,
    /// The name of the schema that it refers to.
    pub(crate) name: Option<String>,
    /// `title`.
    pub(crate) title: Option<&'a str>,
    /// `description`, Markdown.
    pub(crate) description: Option<&'a str>,
    /// Properties that must be there.
    pub(crate) required: FxHashSet<&'a str>,
    /// Properties of the object, or of the objects in the array, in their order.
    pub(crate) properties: Properties<'a>,
    /// What values of other properties are: those of any name first, then those whose names have patterns.
    pub(crate) maps: Vec<MapValues<'a>>,
    /// Each a choice among several schemas.
    pub(crate) unions: Vec<Vec<Alternative<'a>>>,
    /// The values that it may have; empty if it may have any.
    pub(crate) values: Vec<&'a Value>,
    /// The only value comes from `const`.
    pub(crate) is_const: bool,
    /// What values mean, by the value's text.
    pub(crate) value_notes: Vec<(String, &'a str)>,
    /// What programs call values, by the value's text.
    pub(crate) value_names: Vec<(String, &'a str)>,
    /// What it says of values that no field shows, by its keys.
    pub(crate) conditions: Vec<Condition<'a>>,
    /// `default`.
    pub(crate) default: Option<&'a Value>,
    /// `example`, or the first of `examples`.
    pub(crate) example: Option<&'a Value>,
    /// The others of `examples`.
    pub(crate) other_examples: Vec<&'a Value>,
    /// What the console starts with (`x-default`).
    pub(crate) prefill: Option<&'a Value>,
    /// Bounds of its values.
    pub(crate) limits: Vec<ValueLimit<'a>>,
    /// Words of `x-mint`: labels before and after the name.
    pub(crate) labels: [Vec<&'a str>; 2],
    pub(crate) is_deprecated: bool,
    pub(crate) is_read_only: bool,
    pub(crate) is_write_only: bool,
    /// The schema's own node, for examples.
    pub(crate) source: Option<&'a Value>,
    /// Its type in words, made when it is first shown (`fields::type_text`).
    pub(crate) type_text: OnceLock<Arc<str>>,
}

impl SchemaFacts<'_> {
    /// Whether nothing is known of its values.
    pub(crate) fn is_any(&self) -> bool {
        self.types.is_empty()
            && self.properties.is_empty()
            && self.maps.is_empty()
            && self.unions.is_empty()
            && self.values.is_empty()
            && !self.is_null
    }

    /// Whether it is an array.
    pub(crate) fn is_array(&self) -> bool {
        self.types.contains(&JsonType::Array)
    }

    /// Whether fields stand below it.
    pub(crate) fn has_fields(&self) -> bool {
        !self.properties.is_empty() || !self.maps.is_empty()
    }
}

/// The schemas of a description, each read once for all pages.
#[derive(Debug)]
pub(crate) struct Schemas<'a> {
    document: DescriptionDocument<'a>,
    /// By the addresses of their parts.
    known: DashMap<SchemaAddresses, Arc<SchemaFacts<'a>>, FxBuildHasher>,
    /// Which schemas extend which.
    hierarchy: OnceLock<Hierarchy<'a>>,
}

type SchemaAddresses = Box<[usize]>;

/// What is known while the parts of a schema are looked for.
#[derive(Default)]
struct SchemaReading<'a> {
    parts: Vec<SchemaPart<'a>>,
    seen: FxHashSet<usize>,
    /// The schemas whose `allOf` is being looked at.
    within: Vec<usize>,
}

/// A part of a schema.
struct SchemaPart<'a> {
    members: DocumentMembers<'a>,
    /// One of several members of an `allOf`: what it says of itself alone (`readOnly`, `nullable`) is not said of the
    /// whole.
    is_one_of_several: bool,
}

impl<'a> Schemas<'a> {
    /// The schemas of a description.
    pub(crate) fn new(document: DescriptionDocument<'a>) -> Self {
        Self { document, known: DashMap::default(), hierarchy: OnceLock::new() }
    }

    /// The description.
    pub(crate) fn document(&self) -> DescriptionDocument<'a> {
        self.document
    }

    /// What a schema says.
    pub(crate) fn facts(&self, schema: &Schema<'a>) -> Arc<SchemaFacts<'a>> {
        self.facts_within(schema, &mut Vec::new())
    }

    /// The same of what stands in arrays that are being read (`around`).
    ///
    /// What is kept does not depend on `around`, so pages say the same in whatever order they are made: arrays within
    /// arrays are read anew.
    fn facts_within(&self, schema: &Schema<'a>, around: &mut Vec<SchemaAddresses>) -> Arc<SchemaFacts<'a>> {
        let key: SchemaAddresses = schema.0.iter().map(|value| std::ptr::from_ref::<Value>(value).addr()).collect();
        let is_cacheable = |facts: &SchemaFacts<'_>, around: &[SchemaAddresses]| around.is_empty() || !facts.is_array();
        if let Some(facts) = self.known.get(&key).filter(|facts| is_cacheable(facts, around)) {
            return Arc::clone(&facts);
        }
        // the items of an array of itself say nothing
        if around.len() > MAX_ARRAY_DEPTH || around.contains(&key) {
            return Arc::default();
        }
        around.push(key);
        let facts = Arc::new(self.read(schema, around));
        let key = around.pop().unwrap_or_default();
        if is_cacheable(&facts, around) && self.known.len() < MAX_KEPT_SCHEMAS {
            self.known.insert(key, Arc::clone(&facts));
        }
        facts
    }

    fn read(&self, schema: &Schema<'a>, around: &mut Vec<SchemaAddresses>) -> SchemaFacts<'a> {
        let mut facts = SchemaFacts { source: schema.0.first().copied(), ..SchemaFacts::default() };
        let mut read = SchemaReading::default();
        let several = schema.0.len() > 1;
        for value in &schema.0 {
            self.parts(value, several, &mut facts, &mut read);
        }
        let parts = read.parts;
        let mut lists: Vec<Vec<&'a Value>> = Vec::new();
        let mut items = Schema::default();
        let mut is_not_nullable = false;
        for part in &parts {
            read_part(&mut facts, part, &mut lists, &mut items, &mut is_not_nullable);
        }
        facts.is_nullable &= !is_not_nullable;
        facts.values = allowed_values(lists);
        infer_types(&mut facts, !items.0.is_empty());
        facts.is_null &= facts.types.is_empty() && facts.unions.is_empty();
        if facts.is_array() {
            self.take_items(&mut facts, &items, around);
        }
        facts
    }

    /// The fields of an array's items stand directly below the array.
    fn take_items(&self, facts: &mut SchemaFacts<'a>, items: &Schema<'a>, around: &mut Vec<SchemaAddresses>) {
        let item = self.facts_within(items, around);
        facts.identity.extend(&item.identity);
        item.properties.iter().for_each(|(name, schema)| facts.properties.add_missing(name, schema));
        facts.required.extend(&item.required);
        if facts.maps.is_empty() {
            facts.maps.clone_from(&item.maps);
        }
        facts.unions.extend(item.unions.iter().cloned());
        if facts.values.is_empty() {
            facts.values.clone_from(&item.values);
            facts.value_notes.clone_from(&item.value_notes);
            facts.value_names.clone_from(&item.value_names);
        }
        facts.item = Some(item);
    }

    /// The parts of a schema, the outermost first: itself, what it refers to, the members of its `allOf`. Alternatives
    /// are kept apart; one that is alone beside `null` is a part.
    fn parts(
        &self,
        value: &'a Value,
        is_one_of_several: bool,
        facts: &mut SchemaFacts<'a>,
        read: &mut SchemaReading<'a>,
    ) {
        let Some(members) = value.as_object() else { return };
        let address = std::ptr::from_ref(members).addr();
        if read.parts.len() >= MAX_SCHEMA_PARTS || !read.seen.insert(address) {
            return;
        }
        if !is_one_of_several {
            facts.identity.push(address);
        }
        read.parts.push(SchemaPart { members, is_one_of_several });
        let hierarchy = self.hierarchy.get_or_init(|| Hierarchy::new(self.document));
        if let Some((property, children)) = hierarchy.children(self.document, members, &read.within) {
            let alternative = |Child { schema, value, is_default }: Child<'a>| {
                let mark = DiscriminatorMark { property, value: Some(value), is_child: true, is_default };
                Alternative { schema: Schema(vec![schema]), mark }
            };
            facts.unions.push(children.into_iter().map(alternative).collect());
        }
        if let Some(reference) = object_reference(members) {
            if !is_one_of_several && facts.name.is_none() {
                facts.name = Some(reference_name(reference));
            }
            if let Some(target) = self.document.at(reference) {
                self.parts(target, is_one_of_several, facts, read);
            }
        }
        read.within.push(address);
        let merged = member(members, "allOf").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let is_several = merged.iter().filter(|member| is_structural(member)).count() > 1
            || member(members, "properties").is_some_and(Value::is_object)
            || hierarchy.is_child(members);
        for member in merged {
            let is_one = is_one_of_several || is_several && is_structural(member);
            self.parts(member, is_one, facts, read);
        }
        read.within.pop();
        for key in ["oneOf", "anyOf"] {
            self.alternatives(key, members, is_one_of_several, facts, read);
        }
    }

    fn alternatives(
        &self,
        key: &str,
        members: DocumentMembers<'a>,
        is_one_of_several: bool,
        facts: &mut SchemaFacts<'a>,
        read: &mut SchemaReading<'a>,
    ) {
        let Some(all) = member(members, key).and_then(Value::as_array) else { return };
        let is_schema = |value: &&Value| value.is_object() || value.as_bool() == Some(true);
        let others: Vec<&'a Value> = all.iter().filter(is_schema).filter(|value| !self.is_null(value)).collect();
        if others.len() < all.len() {
            facts.is_nullable |= !is_one_of_several && all.iter().any(|value| self.is_null(value));
        }
        match others.as_slice() {
            [] => {}
            [only] => self.parts(only, is_one_of_several, facts, read),
            others => {
                let discriminator = member(members, "discriminator");
                let mapping = discriminator.and_then(|it| it.get("mapping")).and_then(Value::as_object);
                let property = discriminator.and_then(|it| it.get("propertyName")).and_then(Value::as_str);
                let mapped = |value: &'a Value| {
                    let name = reference_name(object_reference(value.as_object()?)?);
                    let mut entries = mapping?.iter();
                    entries
                        .find(|(_, target)| target.as_str().is_some_and(|it| reference_name(it) == name))
                        .map(|(key, _)| key.as_str())
                };
                let fallback = discriminator.and_then(|it| it.get("defaultMapping")).and_then(Value::as_str);
                let alternative = |value: &&'a Value| {
                    let name = value.as_object().and_then(object_reference).map(reference_name);
                    let mark = DiscriminatorMark {
                        property: property.unwrap_or_default(),
                        value: mapped(value),
                        is_default: fallback.is_some_and(|it| name == Some(reference_name(it))),
                        ..DiscriminatorMark::default()
                    };
                    Alternative { schema: Schema(vec![*value]), mark }
                };
                facts.unions.push(others.iter().map(alternative).collect());
            }
        }
    }

    /// Whether a schema is that of `null` alone.
    fn is_null(&self, value: &'a Value) -> bool {
        let object = self.document.object(value);
        match object.get("type") {
            Some(Value::String(name)) => name == "null",
            Some(Value::Array(names)) => matches!(names.as_slice(), [name] if name == "null"),
            _ => {
                object.get("const").is_some_and(Value::is_null)
                    || object
                        .get("enum")
                        .and_then(Value::as_array)
                        .is_some_and(|it| matches!(it.as_slice(), [Value::Null]))
            }
        }
    }
}

/// Whether a schema says more than words.
fn is_structural(value: &Value) -> bool {
    const KEYS: [&str; 9] =
        ["$ref", "properties", "oneOf", "anyOf", "allOf", "items", "type", "enum", "additionalProperties"];
    value.as_object().is_some_and(|members| KEYS.iter().any(|key| members.contains_key(*key)))
}

fn read_part<'a>(
    facts: &mut SchemaFacts<'a>,
    part: &SchemaPart<'a>,
    lists: &mut Vec<Vec<&'a Value>>,
    items: &mut Schema<'a>,
    is_not_nullable: &mut bool,
) {
    let members = part.members;
    let text = |key: &str| member(members, key)?.as_str().map(str::trim).filter(|text| !text.is_empty());
    let flag = |key: &str| member(members, key).and_then(Value::as_bool);
    let types: Vec<&str> = match member(members, "type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if facts.types.is_empty() {
        facts.types.extend(types.iter().filter_map(|name| JsonType::named(name)));
    }
    facts.is_null |= !types.is_empty() && types.iter().all(|name| *name == "null");
    facts.is_nullable |= !part.is_one_of_several && (flag("nullable") == Some(true) || types.contains(&"null"));
    *is_not_nullable |= flag("nullable") == Some(false);
    if let Some(values) = member(members, "enum").and_then(Value::as_array) {
        let others: Vec<&Value> = values.iter().filter(|value| !value.is_null()).collect();
        // what has no type has that of its values
        facts.is_nullable |= types.is_empty() && !part.is_one_of_several && others.len() < values.len();
        facts.is_null |= others.is_empty() && !values.is_empty();
        if !values.is_empty() {
            lists.push(if others.is_empty() { values.iter().collect() } else { others });
        }
    }
    if let Some(value) = member(members, "const") {
        facts.is_null |= value.is_null();
        lists.push(vec![value]);
        facts.is_const = true;
    }
    read_words(facts, members);
    read_conditions(&mut facts.conditions, members);
    facts.is_deprecated |= !part.is_one_of_several && flag("deprecated") == Some(true);
    facts.is_read_only |= !part.is_one_of_several && flag("readOnly") == Some(true);
    facts.is_write_only |= !part.is_one_of_several && flag("writeOnly") == Some(true);
    facts.format = facts.format.or_else(|| text("format"));
    if facts.format.is_none() && (members.contains_key("contentEncoding") || members.contains_key("contentMediaType")) {
        facts.format = text("contentEncoding").filter(|it| *it != "binary").or(Some("binary"));
    }
    facts
        .required
        .extend(member(members, "required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str));
    read_limits(&mut facts.limits, members);
    for (name, value) in member(members, "properties").and_then(Value::as_object).into_iter().flatten() {
        if !value.is_object() && value.as_bool() != Some(true) {
            continue;
        }
        facts.properties.add(name, value);
    }
    read_map(facts, members);
    match member(members, "items") {
        Some(value @ Value::Object(_)) => items.add(value),
        // of old drafts: what the first items are
        Some(Value::Array(list)) if facts.tuple.is_empty() => {
            facts.tuple.extend(list.iter().map(|it| Schema(vec![it])))
        }
        _ => {}
    }
    if let Some(list) = member(members, "prefixItems").and_then(Value::as_array).filter(|_| facts.tuple.is_empty()) {
        facts.tuple.extend(list.iter().map(|value| Schema(vec![value])));
    }
}

/// What a part says in words and examples.
fn read_words<'a>(facts: &mut SchemaFacts<'a>, members: DocumentMembers<'a>) {
    let text = |key: &str| member(members, key)?.as_str().map(str::trim).filter(|text| !text.is_empty());
    facts.title = facts.title.or_else(|| text("title"));
    facts.description = facts.description.or_else(|| text("description"));
    facts.default = facts.default.or_else(|| member(members, "default").filter(|value| !value.is_null()));
    facts.prefill = facts.prefill.or_else(|| member(members, "x-default"));
    let examples: Vec<&Value> = match member(members, "examples") {
        Some(Value::Array(items)) => items.iter().collect(),
        Some(Value::Object(named)) => named.values().map(|it| it.get("value").unwrap_or(it)).collect(),
        _ => Vec::new(),
    };
    if facts.example.is_none() {
        let mut all = member(members, "example").into_iter().chain(examples);
        facts.example = all.next();
        facts.other_examples = all.collect();
    }
    for key in ["x-enumDescriptions", "x-enum-descriptions"] {
        match member(members, key) {
            Some(Value::Object(notes)) => {
                facts.value_notes.extend(notes.iter().filter_map(|(value, note)| Some((value.clone(), note.as_str()?))))
            }
            Some(Value::Array(notes)) => {
                let values = member(members, "enum").and_then(Value::as_array).into_iter().flatten();
                facts.value_notes.extend(
                    values.zip(notes).filter_map(|(value, note)| Some((limits::value_text(value), note.as_str()?))),
                );
            }
            _ => {}
        }
    }
    for key in ["x-enumNames", "x-enum-varnames", "x-enum-names"] {
        let names = member(members, key).and_then(Value::as_array).into_iter().flatten();
        let values = member(members, "enum").and_then(Value::as_array).into_iter().flatten();
        let named = values.zip(names).filter_map(|(value, name)| Some((limits::value_text(value), name.as_str()?)));
        facts.value_names.extend(named.filter(|(value, name)| value != name));
    }
    if let Some(mint) = member(members, "x-mint") {
        for (at, key) in ["pre", "post"].into_iter().enumerate() {
            let words = mint.get(key);
            let list = words.and_then(Value::as_array).into_iter().flatten().chain(words);
            facts.labels[at].extend(list.filter_map(Value::as_str));
        }
    }
}

fn read_map<'a>(facts: &mut SchemaFacts<'a>, members: DocumentMembers<'a>) {
    let of_any_name = match member(members, "additionalProperties") {
        Some(value @ Value::Object(_)) => Some(Schema(vec![value])),
        Some(Value::Bool(true)) => Some(Schema::default()),
        _ => None,
    };
    if let Some(schema) = of_any_name.filter(|_| facts.maps.iter().all(|known| known.pattern.is_some())) {
        facts.maps.insert(0, MapValues { schema, pattern: None });
    }
    for (pattern, value) in member(members, "patternProperties").and_then(Value::as_object).into_iter().flatten() {
        let is_known = facts.maps.iter().any(|known| known.pattern == Some(pattern.as_str()));
        if !is_known && *value != Value::Bool(false) {
            facts.maps.push(MapValues { schema: Schema(vec![value]), pattern: Some(pattern) });
        }
    }
}

/// Of several lists of allowed values, what they have in common; else the first.
fn allowed_values(lists: Vec<Vec<&Value>>) -> Vec<&Value> {
    let mut lists = lists.into_iter();
    let Some(first) = lists.next() else { return Vec::new() };
    let mut common = first.clone();
    for list in lists {
        let list: FxHashSet<String> = list.into_iter().map(Value::to_string).collect();
        common.retain(|value| list.contains(&value.to_string()));
    }
    if common.is_empty() { first } else { common }
}

/// The types that a schema without `type` has by what else it says.
fn infer_types(facts: &mut SchemaFacts<'_>, has_items: bool) {
    if facts.types.is_empty() {
        if facts.has_fields() {
            facts.types.push(JsonType::Object);
        } else if has_items || !facts.tuple.is_empty() {
            facts.types.push(JsonType::Array);
        } else {
            for found in facts.values.iter().filter_map(|value| JsonType::of_value(value)) {
                if !facts.types.contains(&found) {
                    facts.types.push(found);
                }
            }
        }
    }
    if facts.types.contains(&JsonType::Number) {
        facts.types.retain(|it| *it != JsonType::Integer);
    }
    if facts.format == Some("binary") {
        facts.types.iter_mut().filter(|it| **it == JsonType::String).for_each(|it| *it = JsonType::File);
    }
}
