//! YAML whose scalars stay text: `012`, `1.10`, `2024-01-02` and `yes` are what the author wrote.

use std::fmt;

use rustc_hash::FxHashSet;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Spanned};

use base::cut::SliceText as _;

/// Keys and values in their order.
pub type YamlMembers = Vec<(String, Yaml)>;

/// A value of front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Yaml {
    /// `null`, `~` or nothing.
    Null,
    /// A scalar, as written, without quotes.
    Text(String),
    /// A sequence.
    List(Vec<Yaml>),
    /// A mapping, in order.
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// A scalar.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
    /// The value of a key, if it is a mapping that has it.
    pub fn member(&self, name: &str) -> Option<&Self> {
        let Self::Map(members) = self else { return None };
        members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }
    /// Changes every scalar. Recursion is bounded by the parser.
    pub fn for_texts(&mut self, change: &impl Fn(&mut String)) {
        match self {
            Self::Null => {}
            Self::Text(text) => change(text),
            Self::List(items) => items.iter_mut().for_each(|item| item.for_texts(change)),
            Self::Map(members) => members.iter_mut().for_each(|(_, value)| value.for_texts(change)),
        }
    }
    /// The value as JSON; what reads as a number or a truth value is one.
    pub fn to_typed_json(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Text(text) => typed_scalar(text),
            Self::List(items) => items.iter().map(Self::to_typed_json).collect(),
            Self::Map(members) => members.iter().map(|(key, value)| (key.clone(), value.to_typed_json())).collect(),
        }
    }
    /// The value as JSON; scalars as strings.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Text(text) => text.as_str().into(),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Map(members) => members.iter().map(|(key, value)| (key.clone(), value.to_json())).collect(),
        }
    }
}

/// A scalar as JSON: a number where it is written as JavaScript writes one, so that `1.10` stays a text.
fn typed_scalar(text: &str) -> serde_json::Value {
    match text {
        "true" => true.into(),
        "false" => false.into(),
        text => match text.parse::<serde_json::Number>() {
            Ok(number) if number.to_string() == text => number.into(),
            _ => text.into(),
        },
    }
}

/// A key of a block of front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlEntry {
    /// Its name.
    pub key: String,
    /// Its value.
    pub value: Yaml,
    /// Line within the block, from 0.
    pub line: u32,
}

/// Why a text is not used as YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    /// What is wrong.
    pub message: String,
    /// Line within the text, from 0.
    pub line: u32,
    /// The text is YAML but for a key that stands twice.
    pub repeated_key: bool,
}

/// Parses a mapping. With `last_wins`, the last of equal keys counts; otherwise they are an error.
pub fn parse_yaml(text: &str, last_wins: bool) -> Result<Vec<YamlEntry>, YamlError> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        duplicate_keys: if last_wins { DuplicateKeyPolicy::LastWins } else { DuplicateKeyPolicy::Error },
    };
    let shape: Spanned<YamlShape> = serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let repeated_key = matches!(error.without_snippet(), serde_saphyr::Error::DuplicateMappingKey { .. });
        let line = error.location().map_or(1, |location| location.line());
        YamlError {
            message: message_of(&error),
            line: u32::try_from(line.saturating_sub(1)).unwrap_or(0),
            repeated_key,
        }
    })?;
    match shape.value {
        YamlShape::Null => Ok(Vec::new()),
        YamlShape::Map(members) => {
            Ok(last_of_each(members).into_iter().map(|(key, value)| yaml_entry(key, value, text)).collect())
        }
        _ => Err(YamlError {
            message: "it is not a list of `key: value` lines".to_owned(),
            line: 0,
            repeated_key: false,
        }),
    }
}

/// The first line of a message, without the place that the caller shows in its own way.
pub fn message_of(error: &serde_saphyr::Error) -> String {
    let message = error.without_snippet().to_string();
    let message = message.lines().next().unwrap_or_default();
    message.rfind(" at line ").map_or(message, |place| message.slice(..place)).to_owned()
}

fn yaml_entry(key: String, value: Spanned<YamlShape>, text: &str) -> YamlEntry {
    let line = u32::try_from(value.referenced.line().saturating_sub(1)).unwrap_or(0);
    YamlEntry { key, value: to_yaml_value(value, text), line }
}

/// Recursion is bounded by the parser's budget (64 levels).
fn to_yaml_value(shape: Spanned<YamlShape>, text: &str) -> Yaml {
    match shape.value {
        YamlShape::Null => Yaml::Null,
        YamlShape::Text(text) => Yaml::Text(text),
        YamlShape::Typed(otherwise) => {
            let span = shape.defined.span();
            let from = span.byte_offset().and_then(|from| usize::try_from(from).ok());
            let len = span.byte_len().and_then(|len| usize::try_from(len).ok());
            let written = from
                .zip(len)
                .and_then(|(from, len)| text.get(from..from + len))
                .map(str::trim)
                .filter(|written| !written.is_empty());
            Yaml::Text(written.map_or(otherwise, str::to_owned))
        }
        YamlShape::List(items) => Yaml::List(items.into_iter().map(|item| to_yaml_value(item, text)).collect()),
        YamlShape::Map(members) => {
            Yaml::Map(last_of_each(members).into_iter().map(|(key, value)| (key, to_yaml_value(value, text))).collect())
        }
    }
}

/// Drops all but the last of equal keys (the parser streams them all unless they are an error).
fn last_of_each(mut members: Vec<(String, Spanned<YamlShape>)>) -> Vec<(String, Spanned<YamlShape>)> {
    let mut seen = FxHashSet::default();
    members.reverse();
    members.retain(|(key, _)| seen.insert(key.clone()));
    members.reverse();
    members
}

/// What the deserializer reports of a node. `Typed` is a number or truth value, printed; its source text is taken by
/// its span.
enum YamlShape {
    Null,
    Text(String),
    Typed(String),
    List(Vec<Spanned<YamlShape>>),
    Map(Vec<(String, Spanned<YamlShape>)>),
}

impl<'de> Deserialize<'de> for YamlShape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShapeVisitor)
    }
}

struct ShapeVisitor;

impl<'de> Visitor<'de> for ShapeVisitor {
    type Value = YamlShape;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E>(self) -> Result<YamlShape, E> {
        Ok(YamlShape::Null)
    }
    fn visit_none<E>(self) -> Result<YamlShape, E> {
        Ok(YamlShape::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<YamlShape, D::Error> {
        YamlShape::deserialize(deserializer)
    }
    fn visit_bool<E>(self, on: bool) -> Result<YamlShape, E> {
        Ok(YamlShape::Typed(on.to_string()))
    }
    fn visit_i64<E>(self, number: i64) -> Result<YamlShape, E> {
        Ok(YamlShape::Typed(number.to_string()))
    }
    fn visit_u64<E>(self, number: u64) -> Result<YamlShape, E> {
        Ok(YamlShape::Typed(number.to_string()))
    }
    fn visit_i128<E>(self, number: i128) -> Result<YamlShape, E> {
        Ok(YamlShape::Typed(number.to_string()))
    }
    fn visit_u128<E>(self, number: u128) -> Result<YamlShape, E> {
        Ok(YamlShape::Typed(number.to_string()))
    }
    fn visit_f64<E>(self, number: f64) -> Result<YamlShape, E> {
        Ok(YamlShape::Typed(number.to_string()))
    }
    fn visit_str<E>(self, text: &str) -> Result<YamlShape, E> {
        Ok(YamlShape::Text(text.to_owned()))
    }
    fn visit_string<E>(self, text: String) -> Result<YamlShape, E> {
        Ok(YamlShape::Text(text))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<YamlShape, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(YamlShape::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<YamlShape, A::Error> {
        let mut map = Vec::new();
        while let Some(member) = members.next_entry()? {
            map.push(member);
        }
        Ok(YamlShape::Map(map))
    }
}

/// The same for a value of JSON or TOML.
impl From<&serde_json::Value> for Yaml {
    fn from(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(on) => Self::Text(on.to_string()),
            serde_json::Value::Number(number) => Self::Text(number.to_string()),
            serde_json::Value::String(text) => Self::Text(text.clone()),
            serde_json::Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            serde_json::Value::Object(members) => {
                Self::Map(members.iter().map(|(key, value)| (key.clone(), value.into())).collect())
            }
        }
    }
}

impl From<&toml::Value> for Yaml {
    fn from(value: &toml::Value) -> Self {
        match value {
            toml::Value::String(text) => Self::Text(text.clone()),
            toml::Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            toml::Value::Table(members) => {
                Self::Map(members.iter().map(|(key, value)| (key.clone(), value.into())).collect())
            }
            other => Self::Text(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[(&str, Yaml)]) {
        let entries: Vec<(String, Yaml)> =
            parse_yaml(text, false).unwrap().into_iter().map(|entry| (entry.key, entry.value)).collect();
        let expect: Vec<(String, Yaml)> =
            expect.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        assert_eq!(entries, expect);
    }

    fn text(text: &str) -> Yaml {
        Yaml::Text(text.to_owned())
    }

    #[test]
    fn scalars_stay_as_written() {
        for written in
            ["012", "0777", "1.10", "2024-01-02", "yes", "on", "true", "1e3", "0x1F", "-0", "12_000", "1:30", "No"]
        {
            check(&format!("a: {written}"), &[("a", text(written))]);
            check(&format!("a: {written} # why"), &[("a", text(written))]);
            check(&format!("a: [{written}, x]"), &[("a", Yaml::List(vec![text(written), text("x")]))]);
        }
        check("a: &x 012\nb: *x", &[("a", text("012")), ("b", text("012"))]);
        check("é: ü\na: 012", &[("é", text("ü")), ("a", text("012"))]);
    }

    #[test]
    fn other_shapes() {
        check("a: ~\nb:\nc: \"\"", &[("a", Yaml::Null), ("b", Yaml::Null), ("c", text(""))]);
        check(
            "\"og:title\": x\na: {b: [1]}",
            &[("og:title", text("x")), ("a", Yaml::Map(vec![("b".to_owned(), Yaml::List(vec![text("1")]))]))],
        );
        check("a: |\n  x\n  y\nb: >-\n  x\n  y", &[("a", text("x\ny\n")), ("b", text("x y"))]);
        check("", &[]);
        check("# nothing", &[]);
    }

    #[test]
    fn what_is_not_yaml_is_told_with_its_line() {
        let error = parse_yaml("a: b\nc: d: e\n", false).unwrap_err();
        assert_eq!((error.line, error.repeated_key), (1, false), "{error:?}");
        let error = parse_yaml("a: b\nx: y\na: c\n", false).unwrap_err();
        assert_eq!((error.line, error.repeated_key), (2, true), "{error:?}");
        let last: Vec<Yaml> = parse_yaml("a: b\nx: y\na: c\n", true)
            .unwrap()
            .into_iter()
            .filter(|entry| entry.key == "a")
            .map(|entry| entry.value)
            .collect();
        assert_eq!(last, [text("c")]);
        assert!(parse_yaml("- a\n- b", false).is_err());
    }

    #[test]
    fn aliases_cannot_blow_up() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let before = format!("*a{}", level - 1);
            bomb.push_str(&format!("a{level}: &a{level} [{}]\n", vec![before; 9].join(", ")));
        }
        assert!(parse_yaml(&bomb, false).is_err());
    }
}
