//! Example values of schemas: those that authors give, else some that the schema accepts.
//!
//! The work is bounded, however schemas refer to each other: what is left out where a bound is reached is optional
//! wherever the schema allows that.

mod facets;
mod pattern;
mod scalar;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use super::document::member;
use super::fields::Direction;
use facets::{FacetKind, Facets, SchemaReader};
use scalar::example_scalar;

/// How deep objects and arrays are within each other.
const MAX_EXAMPLE_DEPTH: usize = 8;
/// How many values an example consists of; as many again may follow where the schema requires them.
const MAX_VALUES: usize = 1_000;
/// How many items with members an array gets for the sake of `minItems`, and an object for that of `minProperties`.
const MAX_EXAMPLE_ITEMS: usize = 3;
/// How many items without members.
const MAX_PLAIN_ITEMS: usize = 16;
/// What stands for text of which nothing is known.
const TEXT: &str = "<string>";
/// What stands for a value of any type.
const ANY: &str = "<any>";

/// An example of a schema, whose references are all into the document.
pub(crate) fn schema_example(document: &Value, schema: &Value, direction: Direction, required_only: bool) -> Value {
    let mut maker = ExampleMaker::new(document, direction, required_only);
    maker.needed(&[schema], 0).unwrap_or_default()
}

/// The same for readers: with what is optional, unless that takes more than so many lines.
pub(crate) fn short_example(document: &Value, schema: &Value, direction: Direction, max_lines: usize) -> Value {
    let mut maker = ExampleMaker { max_generated: max_lines, ..ExampleMaker::new(document, direction, false) };
    let whole = maker.needed(&[schema], 0).filter(|_| maker.generated <= max_lines);
    match whole.filter(|whole| lines(whole) <= max_lines) {
        Some(whole) => whole,
        None => schema_example(document, schema, direction, true),
    }
}

/// Lines of a value as readers see it.
fn lines(value: &Value) -> usize {
    match value {
        Value::Array(items) if !items.is_empty() => 2 + items.iter().map(lines).sum::<usize>(),
        Value::Object(members) if !members.is_empty() => 2 + members.values().map(lines).sum::<usize>(),
        _ => 1,
    }
}

struct ExampleMaker<'a> {
    reader: SchemaReader<'a>,
    direction: Direction,
    required_only: bool,
    values: usize,
    /// Values that stand in the example, each in a line of its own at least.
    generated: usize,
    /// With more of them, the example is of no use.
    max_generated: usize,
    /// The schemas whose values are being made: those within them end there.
    active: Vec<*const Map<String, Value>>,
}

impl<'a> ExampleMaker<'a> {
    fn new(document: &'a Value, direction: Direction, required_only: bool) -> Self {
        let (reader, max_generated) = (SchemaReader::new(document), usize::MAX);
        Self { reader, direction, required_only, values: 0, generated: 0, max_generated, active: Vec::new() }
    }

    /// A value that all these schemas accept; `None` where a bound is reached.
    fn value(&mut self, schemas: &[&'a Value], depth: usize) -> Option<Value> {
        if self.values >= MAX_VALUES || self.generated > self.max_generated || self.reader.is_exhausted() {
            return None;
        }
        self.values += 1;
        let chain: Vec<_> = schemas.iter().flat_map(|schema| self.reader.chain(schema)).collect();
        if chain.iter().any(|map| self.active.contains(&std::ptr::from_ref(*map))) {
            return None;
        }
        let outer = self.active.len();
        self.active.extend(chain.into_iter().map(std::ptr::from_ref));
        let facets = self.reader.facets(schemas, &self.active);
        self.active.extend(facets.alternatives());
        let value = self.of_facets(&facets, depth);
        self.active.truncate(outer);
        self.generated += usize::from(value.is_some());
        value
    }

    fn of_facets(&mut self, facets: &Facets<'a>, depth: usize) -> Option<Value> {
        if let Some((value, size)) = facets.given(MAX_VALUES.saturating_sub(self.values)) {
            self.values += size;
            return Some(value);
        }
        if facets.is_circular() {
            return None;
        }
        match facets.kind() {
            FacetKind::Object if depth < MAX_EXAMPLE_DEPTH => Some(self.object(facets, depth)),
            FacetKind::Array if depth < MAX_EXAMPLE_DEPTH => self.array(facets, depth),
            FacetKind::Object | FacetKind::Array => None,
            kind => Some(example_scalar(facets, kind)),
        }
    }

    /// The same where something has to stand: bounded too, but later.
    fn needed(&mut self, schemas: &[&'a Value], depth: usize) -> Option<Value> {
        self.value(schemas, depth).or_else(|| {
            self.values += 1;
            (self.values < 2 * MAX_VALUES).then(|| self.closing(schemas))
        })
    }

    /// What ends a value where a bound is reached and something has to stand.
    fn closing(&mut self, schemas: &[&'a Value]) -> Value {
        let facets = self.reader.facets(schemas, &self.active);
        if facets.allows_null() {
            return Value::Null;
        }
        match facets.kind() {
            FacetKind::Object => Value::Object(Map::new()),
            FacetKind::Array => Value::Array(Vec::new()),
            kind => example_scalar(&facets, kind),
        }
    }

    fn object(&mut self, facets: &Facets<'a>, depth: usize) -> Value {
        let required = facets.required();
        let must_be: FxHashSet<&str> = required.iter().copied().collect();
        let fewest = facets.count("minProperties").min(MAX_EXAMPLE_ITEMS);
        let mut names: FxHashSet<&'a str> = FxHashSet::default();
        let mut out = Map::new();
        for name in facets.property_names() {
            let schemas = facets.property(name);
            let must = must_be.contains(name);
            if self.is_left_out(&schemas) || schemas.contains(&&Value::Bool(false)) {
                names.insert(name);
                continue;
            }
            if self.required_only && !must && out.len() + must_be.len() >= fewest {
                continue;
            }
            names.insert(name);
            let value = if must { self.needed(&schemas, depth + 1) } else { self.value(&schemas, depth + 1) };
            if let Some(value) = value {
                out.insert(name.to_owned(), value);
            }
        }
        // what has to be there, and is described by what further properties may be
        let further = facets.further_properties();
        for name in required.iter().filter(|name| !names.contains(*name)) {
            let Some(value) = self.needed(further.as_slice(), depth + 1) else { break };
            out.insert((*name).to_owned(), value);
        }
        let described = further.is_some_and(|schema| schema.as_object().is_some_and(|map| !map.is_empty()));
        let is_map = names.is_empty() && further.is_none_or(|schema| *schema != Value::Bool(false)) && facets.is_open();
        let target = if !self.required_only && (described || is_map) {
            (out.len() + 1).min(facets.most("maxProperties"))
        } else {
            0
        };
        let mut index = 0;
        while out.len() < target.max(fewest) && further.is_none_or(|schema| *schema != Value::Bool(false)) {
            index += 1;
            if index > MAX_EXAMPLE_ITEMS * 2 {
                break;
            }
            let name = facets.further_name(index);
            if names.contains(name.as_str()) {
                continue;
            }
            let Some(value) = further.map_or(Some(ANY.into()), |schema| self.value(&[schema], depth + 1)) else {
                break;
            };
            out.insert(name, value);
        }
        facets.discriminate(&mut out);
        Value::Object(out)
    }

    /// Whether a property is not sent in this direction.
    fn is_left_out(&mut self, schemas: &[&'a Value]) -> bool {
        let keyword = match self.direction {
            Direction::Request => "readOnly",
            Direction::Response => "writeOnly",
            Direction::Neither => return false,
        };
        schemas.iter().any(|schema| {
            self.reader.chain(schema).iter().any(|map| member(map, keyword).and_then(Value::as_bool).unwrap_or(false))
        })
    }

    fn array(&mut self, facets: &Facets<'a>, depth: usize) -> Option<Value> {
        let fewest = facets.count("minItems").min(MAX_PLAIN_ITEMS);
        let most = facets.most("maxItems");
        let (places, items) = facets.items();
        let mut out = Vec::new();
        for schema in places.into_iter().take(most) {
            let Some(value) = self.needed(&[schema], depth + 1) else { break };
            out.push(value);
        }
        let target = if out.is_empty() { fewest.max(1) } else { fewest }.min(most);
        if out.len() >= target {
            return Some(Value::Array(out));
        }
        match items {
            Some(Value::Bool(false)) => {}
            None => {
                // nothing says what the items are: none, unless there have to be some
                out.resize(fewest.max(out.len()), ANY.into());
            }
            Some(schema) => match self.value(&[schema], depth + 1) {
                Some(item) => {
                    let unique = facets.is_set("uniqueItems");
                    let others = if unique { self.reader.choices(schema) } else { Vec::new() };
                    let start = out.len();
                    let has_members = item.is_array() || item.is_object();
                    let target = if has_members { target.min(start + MAX_EXAMPLE_ITEMS) } else { target };
                    while out.len() < target {
                        let index = out.len() - start;
                        if index > 0 {
                            let left = MAX_VALUES.saturating_sub(self.values);
                            let Some(size) = facets::count_nested_values(&item, left).filter(|size| *size < left)
                            else {
                                break;
                            };
                            self.values += size + 1;
                        }
                        out.push(match others.get(index) {
                            Some(other) => (*other).clone(),
                            None if unique => scalar::vary(&item, index),
                            None => item.clone(),
                        });
                    }
                }
                None if out.len() < fewest => out.push(self.closing(&[schema])),
                None => {}
            },
        }
        Some(Value::Array(out))
    }
}
