//! Where a value stands, and what is wrong there.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

use base::cut::SliceText as _;
use service::tenant::is_id;

/// A value and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) origin: ValueOrigin,
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub(super) enum ValueOrigin {
    /// Bytes of the file.
    File(Range<usize>),
    /// A variable of the environment.
    Variable(String),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = toml::Spanned::<T>::deserialize(deserializer)?;
        let origin = ValueOrigin::File(spanned.span());
        Ok(Self { value: spanned.into_inner(), origin })
    }
}

/// In a file, the value alone.
impl<T: JsonSchema> JsonSchema for At<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<T> At<T> {
    /// Another value at the same place.
    pub(super) fn with<U>(&self, value: U) -> At<U> {
        At { value, origin: self.origin.clone() }
    }
}

/// Something that is wrong with the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The file.
    pub file: PathBuf,
    /// Line and column, both from 1, if it is a place of the file.
    pub place: Option<(usize, usize)>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match self.place {
            Some((line, column)) => write!(out, "{file}:{line}:{column}: {}", self.message),
            None => write!(out, "{file}: {}", self.message),
        }
    }
}

/// Collects what is wrong.
pub(super) struct ConfigProblems<'a> {
    file: &'a Path,
    text: &'a str,
    found: Vec<ConfigProblem>,
}

impl<'a> ConfigProblems<'a> {
    pub(super) fn new(file: &'a Path, text: &'a str) -> Self {
        Self { file, text, found: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Reports what is no id.
    pub(super) fn check_id(&mut self, id: &At<String>) {
        if !is_id(&id.value) {
            self.add(id, format_args!("`{}` is no id: 1 to 64 letters, digits, `_` or `-`", id.value));
        }
    }

    /// Something is wrong where a value stands.
    pub(super) fn add<T>(&mut self, at: &At<T>, message: impl fmt::Display) {
        match &at.origin {
            ValueOrigin::File(bytes) => self.add_bytes(Some(bytes.clone()), message),
            ValueOrigin::Variable(name) => self.add_bytes(None, format_args!("{name}: {message}")),
        }
    }

    /// The value, or a problem where it stands.
    pub(super) fn check<T, U>(&mut self, at: &At<T>, checked: Result<U, impl fmt::Display>) -> Option<U> {
        checked.map_err(|message| self.add(at, message)).ok()
    }

    pub(super) fn add_bytes(&mut self, bytes: Option<Range<usize>>, message: impl fmt::Display) {
        let place = bytes.and_then(|bytes| self.text.get(..bytes.start)).map(|before| {
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            (before.matches('\n').count() + 1, before.slice(line_start..).chars().count() + 1)
        });
        self.found.push(ConfigProblem { file: self.file.to_owned(), place, message: message.to_string() });
    }

    pub(super) fn all(mut self) -> Vec<ConfigProblem> {
        self.found.sort_by_key(|problem| problem.place);
        self.found
    }
}
