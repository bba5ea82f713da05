//! Examples without the fields and values that their schema closes.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::DescriptionMembers;

use super::cut::{Cutter, enum_value_text};

/// Most values of examples that are looked at in one description; the examples after them are left out.
const MAX_EXAMPLE_VALUES: usize = 2_000_000;

/// What some schemas together say of a value.
#[derive(Default)]
pub(super) struct ValueShape<'s> {
    /// Fields that may be seen, with their schemas.
    open: FxHashMap<&'s str, Vec<DescriptionMembers<'s>>>,
    /// Fields that may not.
    closed: FxHashSet<&'s str>,
    /// Schemas of the items of a list.
    items: Vec<DescriptionMembers<'s>>,
    /// Schemas of fields that `properties` does not name.
    others: Vec<DescriptionMembers<'s>>,
    /// Values that may not be seen.
    closed_values: Vec<String>,
}

impl<'s> ValueShape<'s> {
    /// Fields that may not be seen. One that another schema shows may.
    pub(super) fn hidden(&self) -> impl Iterator<Item = &'s str> {
        self.closed.iter().copied().filter(|name| !self.open.contains_key(name))
    }

    fn is_hidden(&self, name: &str) -> bool {
        self.closed.contains(name) && !self.open.contains_key(name)
    }
}

impl<'a> Cutter<'a> {
    /// What schemas say, with all that they are put together from.
    pub(super) fn shape<'s>(&self, schemas: &[DescriptionMembers<'s>]) -> ValueShape<'s>
    where
        'a: 's,
    {
        let mut shape = ValueShape::default();
        let mut seen: FxHashSet<(String, bool)> = FxHashSet::default();
        let mut next: Vec<(DescriptionMembers<'s>, bool)> = schemas.iter().map(|schema| (*schema, false)).collect();
        while let Some((schema, is_closed)) = next.pop() {
            for (name, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                if is_closed || self.is_closed(field) {
                    shape.closed.insert(name);
                } else {
                    shape.open.entry(name).or_default().extend(field.as_object());
                }
            }
            if !is_closed {
                shape.items.extend(schema.get("items").and_then(Value::as_object));
                shape.others.extend(schema.get("additionalProperties").and_then(Value::as_object));
                shape.others.extend(
                    schema
                        .get("patternProperties")
                        .and_then(Value::as_object)
                        .into_iter()
                        .flat_map(|rows| rows.values())
                        .filter_map(Value::as_object),
                );
                shape.closed_values.extend(self.closed_values(schema));
            }
            let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
            next.extend(parts.filter_map(|part| Some((part.as_object()?, is_closed || self.is_closed(part)))));
            if let Some((pointer, target)) = self.referred(schema)
                && seen.insert((pointer, is_closed))
            {
                next.push((target, is_closed));
            }
        }
        shape
    }

    /// Takes out of an example what its schemas close. `false`: the example itself may not be seen. Recursion is
    /// bounded by the depth of the example.
    pub(super) fn prune(&self, schemas: &[DescriptionMembers<'_>], data: &mut Value) -> bool {
        self.pruned.set(self.pruned.get() + 1);
        if self.pruned.get() > MAX_EXAMPLE_VALUES {
            return false;
        }
        if schemas.is_empty() {
            return true;
        }
        let shape = self.shape(schemas);
        match data {
            Value::Object(members) => {
                members.retain(|name, member| {
                    let inner = shape.open.get(name.as_str()).unwrap_or(&shape.others);
                    !shape.is_hidden(name) && self.prune(inner, member)
                });
                true
            }
            Value::Array(items) => {
                items.retain_mut(|item| self.prune(&shape.items, item));
                true
            }
            Value::Null => true,
            value => !shape.closed_values.contains(&enum_value_text(value)),
        }
    }
}
