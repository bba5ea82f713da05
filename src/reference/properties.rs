//! The properties of a schema, in the order of its text and found by name: a description may have a hundred thousand.

use rustc_hash::FxHashMap;
use serde_json::Value;

/// A schema: parts that all hold. One, unless several parts of an `allOf` have the same property.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schema<'a>(pub(super) Vec<&'a Value>);

impl<'a> Schema<'a> {
    /// The schema that stands in a description; none is one that says nothing.
    pub(crate) fn of(value: Option<&'a Value>) -> Self {
        Self(value.into_iter().collect())
    }

    /// Whether it is made of the same parts.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(one, two)| std::ptr::eq(*one, *two))
    }

    /// Adds a part.
    pub(super) fn add(&mut self, value: &'a Value) {
        if !self.0.iter().any(|known| std::ptr::eq(*known, value)) {
            self.0.push(value);
        }
    }
}

/// Names and what their values are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Properties<'a> {
    all: Vec<(&'a str, Schema<'a>)>,
    places: FxHashMap<&'a str, usize>,
}

impl<'a> Properties<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Schema<'a>> {
        self.places.get(name).map(|at| &self.all[*at].1)
    }

    /// Adds what a part of the schema says of a property.
    pub(crate) fn add(&mut self, name: &'a str, value: &'a Value) {
        match self.places.get(name) {
            Some(at) => self.all[*at].1.add(value),
            None => self.insert(name, Schema::of(Some(value))),
        }
    }

    /// Adds a property that is not there yet.
    pub(crate) fn add_missing(&mut self, name: &'a str, schema: &Schema<'a>) {
        if !self.places.contains_key(name) {
            self.insert(name, schema.clone());
        }
    }

    fn insert(&mut self, name: &'a str, schema: Schema<'a>) {
        self.places.insert(name, self.all.len());
        self.all.push((name, schema));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'a str, &Schema<'a>)> {
        self.all.iter().map(|(name, schema)| (*name, schema))
    }
}
