//! YAML to a document. What JSON has no word for costs itself and is told; only a text that is no YAML is refused.
//!
//! Written on the events of the parser, because deserializers end at the first value that they cannot hold, and make
//! numbers of what the author wrote as text (see [`number`](super::number)).

use std::borrow::Cow;

use granit_parser::{Event, Options, Parser, ScalarStyle, Span, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};

use base::limits::DESCRIPTION_NODES;
use base::printable::{into_printable, printable};

use super::number::yaml_number;
use super::unreadable::{
    DocumentWithOddities, MAX_NESTING, NodePosition, Oddity, UnreadableDescription, count_values, oddity,
};

/// Levels that are parsed: what lies deeper than is read is skipped.
const PARSED_NESTING: usize = 100_000;
/// What a description has, or an overlay of one.
pub(super) const DESCRIPTION_KEYS: [&str; 4] = ["openapi", "asyncapi", "swagger", "overlay"];
/// Letters that a key may have.
const MAX_KEY_CHARS: usize = 64_000;

/// Reads a text: the first of its documents that is a description, or else the first that says something.
pub(super) fn compose_yaml(text: &str) -> Result<DocumentWithOddities, UnreadableDescription> {
    let mut options = Options::default();
    options.emit_unresolved_aliases = true;
    options.set_emit_comments(false);
    options.simple_key_max_lookahead = MAX_KEY_CHARS;
    (options.flow_nesting_limit, options.block_nesting_limit) = (PARSED_NESTING, PARSED_NESTING);
    let mut composer = Composer::default();
    let mut first: Option<(Value, usize)> = None;
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = match event {
            Ok(event) => event,
            Err(_) if first.is_some() => break,
            Err(error) => {
                let position = (narrow(error.marker().line()), narrow(error.marker().col() + 1));
                return Err(UnreadableDescription { reason: format!("it is not YAML: {}", error.info()), position });
            }
        };
        let done = composer.event(event, span);
        if composer.values > DESCRIPTION_NODES {
            return Err(UnreadableDescription::whole(format!("it has more than {DESCRIPTION_NODES} values")));
        }
        let Some(document) = done else { continue };
        if DESCRIPTION_KEYS.iter().any(|key| document.get(key).is_some()) {
            return Ok((document, composer.odd));
        }
        composer.anchors.clear();
        if first.is_none() && !document.is_null() {
            first = Some((document, composer.odd.len()));
        }
    }
    let (document, told) = first.unwrap_or_default();
    composer.odd.truncate(told);
    Ok((document, composer.odd))
}

/// A list or mapping that is being read.
struct OpenCollection {
    anchor: usize,
    at: NodePosition,
    kind: ComposeKind,
}

enum ComposeKind {
    List(Vec<Value>),
    Map(OpenMap),
}

#[derive(Default)]
struct OpenMap {
    members: Map<String, Value>,
    /// Members that came from other mappings: own ones replace them.
    merged: FxHashSet<String>,
    /// The key whose value comes next.
    key: Option<ComposeKey>,
}

enum ComposeKey {
    Name(String, NodePosition),
    /// `<<`
    Merge,
    /// A list or a mapping, which JSON cannot have as a name; its value is left out.
    Lost,
}

#[derive(Default)]
struct Composer {
    odd: Vec<Oddity>,
    open: Vec<OpenCollection>,
    anchors: FxHashMap<usize, Value>,
    /// Levels below the deepest one that is read.
    skipped: usize,
    values: usize,
}

impl Composer {
    /// The document, where an event ends it.
    fn event(&mut self, event: Event<'_>, span: Span) -> Option<Value> {
        let at = (narrow(span.start.line()), narrow(span.start.col() + 1));
        match event {
            Event::SequenceStart(_, anchor, _) => self.start(anchor, at, ComposeKind::List(Vec::new())),
            Event::MappingStart(_, anchor, _) => self.start(anchor, at, ComposeKind::Map(OpenMap::default())),
            Event::SequenceEnd | Event::MappingEnd if self.skipped > 1 => self.skipped -= 1,
            Event::SequenceEnd | Event::MappingEnd if self.skipped == 1 => {
                self.skipped = 0;
                return self.take(Value::Null, at);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let OpenCollection { anchor, at, kind } = self.open.pop()?;
                let value = match kind {
                    ComposeKind::List(items) => Value::Array(items),
                    ComposeKind::Map(map) => Value::Object(map.members),
                };
                self.remember(anchor, &value);
                return self.take(value, at);
            }
            _ if self.skipped > 0 => {}
            Event::Scalar(text, style, anchor, tag) => {
                self.values += 1;
                let is_plain = style == ScalarStyle::Plain;
                if self.awaits_key() && anchor == 0 {
                    self.set_key(scalar_key(text, is_plain), at);
                    return None;
                }
                let value = scalar(text, is_plain, tag.as_deref());
                self.remember(anchor, &value);
                return self.take(value, at);
            }
            Event::Alias(anchor) => {
                let value = self.anchors.get(&anchor).cloned();
                if value.is_none() {
                    self.tell("an alias stands inside of what it names; it is left out", at);
                }
                let value = value.unwrap_or_default();
                self.values += count_values(&value);
                return self.take(value, at);
            }
            Event::UnresolvedAlias(name) => {
                self.tell(&format!("nothing before the alias `*{name}` has that name; it is left out"), at);
                return self.take(Value::Null, at);
            }
            // a document without anything
            Event::DocumentEnd => return Some(Value::Null),
            _ => {}
        }
        None
    }

    fn start(&mut self, anchor: usize, at: NodePosition, kind: ComposeKind) {
        self.values += 1;
        if self.skipped > 0 || self.open.len() >= MAX_NESTING {
            if self.skipped == 0 {
                self.tell(&format!("what stands deeper than {MAX_NESTING} levels is left out"), at);
            }
            self.skipped += 1;
            return;
        }
        self.open.push(OpenCollection { anchor, at, kind });
    }

    fn remember(&mut self, anchor: usize, value: &Value) {
        if anchor > 0 {
            self.values += count_values(value);
            self.anchors.insert(anchor, value.clone());
        }
    }

    fn awaits_key(&self) -> bool {
        matches!(self.open.last(), Some(OpenCollection { kind: ComposeKind::Map(OpenMap { key: None, .. }), .. }))
    }

    fn set_key(&mut self, next: ComposeKey, at: NodePosition) {
        let Some(OpenCollection { kind: ComposeKind::Map(map), .. }) = self.open.last_mut() else { return };
        map.key = Some(match next {
            ComposeKey::Name(name, _) => ComposeKey::Name(name, at),
            other => other,
        });
    }

    /// Puts a value where it belongs. Returns it if it is the document.
    fn take(&mut self, value: Value, at: NodePosition) -> Option<Value> {
        if self.awaits_key() {
            let key = self.key_of(value, at);
            self.set_key(key, at);
            return None;
        }
        let Some(around) = self.open.last_mut() else { return Some(value) };
        match &mut around.kind {
            ComposeKind::List(items) => items.push(value),
            ComposeKind::Map(map) => match map.key.take() {
                Some(ComposeKey::Name(name, at)) => {
                    let was_merged = map.merged.remove(&name);
                    if map.members.contains_key(&name) && !was_merged {
                        let shown = name.clone();
                        map.members.insert(name, value);
                        self.tell(&format!("`{shown}` stands twice in one mapping; the last counts"), at);
                        return None;
                    }
                    map.members.insert(name, value);
                }
                Some(ComposeKey::Merge) => merge(map, value),
                Some(ComposeKey::Lost) | None => {}
            },
        }
        None
    }

    /// The key that a value is. A list of words is called by them.
    fn key_of(&mut self, value: Value, at: NodePosition) -> ComposeKey {
        let name = match value {
            Value::String(text) => super::number::written_text(text),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
            Value::Array(items) if items.iter().all(|item| !item.is_array() && !item.is_object()) => {
                let words = items.into_iter().map(|item| match item {
                    Value::String(text) => super::number::written_text(text),
                    other => other.to_string(),
                });
                words.collect::<Vec<_>>().join(",")
            }
            Value::Array(_) | Value::Object(_) => {
                self.tell("a key is a list or a mapping; it is left out with its value", at);
                return ComposeKey::Lost;
            }
        };
        ComposeKey::Name(name, at)
    }

    fn tell(&mut self, message: &str, position: NodePosition) {
        self.odd.push(oddity(message, position));
    }
}

/// The members of a mapping, or of several, that a mapping does not have itself.
fn merge(map: &mut OpenMap, value: Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if !map.members.contains_key(&name) {
                    map.merged.insert(name.clone());
                    map.members.insert(name, member);
                }
            }
        }
        Value::Array(several) => several.into_iter().filter(Value::is_object).for_each(|one| merge(map, one)),
        _ => {}
    }
}

fn scalar_key(text: Cow<'_, str>, is_plain: bool) -> ComposeKey {
    match &*text {
        "<<" if is_plain => ComposeKey::Merge,
        // as programs read it whose mappings have texts as keys
        "" | "~" if is_plain => ComposeKey::Name("null".to_owned(), (0, 0)),
        _ => ComposeKey::Name(text.into_owned(), (0, 0)),
    }
}

fn scalar(text: Cow<'_, str>, is_plain: bool, tag: Option<&Tag>) -> Value {
    match tag.map(Tag::core_suffix) {
        None if !is_plain => return into_printable(text.into_owned()).into(),
        // of `!!binary`, `!!timestamp` and others, what is written
        Some(None | Some("str")) => return into_printable(text.into_owned()).into(),
        Some(Some("null")) => return Value::Null,
        _ => {}
    }
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => true.into(),
        "false" | "False" | "FALSE" => false.into(),
        text => yaml_number(text).unwrap_or_else(|| printable(text).into()),
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str, problems: &[&str]) {
        let (mut document, odd) = compose_yaml(text).unwrap_or_else(|error| panic!("{text}: {}", error.reason));
        super::super::settle::settle(&mut document);
        assert_eq!(document.to_string(), expect, "{text}");
        let told: Vec<String> = odd.iter().map(|it| format!("{}:{} {}", it.place.0, it.place.1, it.message)).collect();
        assert_eq!(told, problems, "{text}");
    }

    #[test]
    fn scalars() {
        check(
            "[null, ~, true, FALSE, yes, 7, 0o17, 2024-01-02, .inf, -.inf, .nan]",
            // what is not written as JSON has it is marked until its schema is known
            "[null,null,true,false,\"yes\",7,\"\u{fdd0}0o17\",\"2024-01-02\",\".inf\",\"-.inf\",\".nan\"]",
            &[],
        );
        check(
            "a: !!str 012\nb: !!int '7'\nc: !!binary aGk=\nd: !Own x\ne: !!null x\nf: '012'\ng: !!float 1e2\nh: !!bool 'true'",
            r#"{"a":"012","b":7,"c":"aGk=","d":"x","e":null,"f":"012","g":100,"h":true}"#,
            &[],
        );
        check("---\na: 1\n---\nb: 2", r#"{"a":1}"#, &[]);
        check("---\n# none\n---\na: 1\n--- [", r#"{"a":1}"#, &[]);
        check(
            "a: 1\na: 2\n---\nopenapi: '3.1'\n",
            r#"{"openapi":"3.1"}"#,
            &["2:1 `a` stands twice in one mapping; the last counts"],
        );
        check("", "null", &[]);
        check("\u{feff}a: 1", r#"{"a":1}"#, &[]);
        check("a:\t1\t\nb: \"x\"\t# c\n\t\nc: [1,\t2]", r#"{"a":1,"b":"x","c":[1,2]}"#, &[]);
    }

    #[test]
    fn keys() {
        check(
            "null: 1\n~: 2\n3: 4\n1.0: a\n0200: b\ntrue: c\n'': d\n? e\n: f",
            r#"{"null":2,"3":4,"1.0":"a","0200":"b","true":"c","":"d","e":"f"}"#,
            &["2:1 `null` stands twice in one mapping; the last counts"],
        );
        check(
            "? [a, 01]\n: 1\n? {b: c}\n: 2\n? [[d]]\n: 3\n? &x k\n: 4\n*x : 5\nz: *x",
            r#"{"a,01":1,"k":5,"z":"k"}"#,
            &[
                "3:3 a key is a list or a mapping; it is left out with its value",
                "5:3 a key is a list or a mapping; it is left out with its value",
                "9:1 `k` stands twice in one mapping; the last counts",
            ],
        );
    }

    #[test]
    fn anchors_and_merged_mappings() {
        check(
            "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc:\n  y: 4\n  <<: [*a, {x: 5, z: 6}]\nd: *a",
            r#"{"a":{"x":1,"y":2},"b":{"x":1,"y":3},"c":{"y":4,"x":1,"z":6},"d":{"x":1,"y":2}}"#,
            &[],
        );
        check(
            "a: &a [*a]\nb: *none\nc: '<<'",
            r#"{"a":[null],"b":null,"c":"<<"}"#,
            &[
                "1:8 an alias stands inside of what it names; it is left out",
                "2:4 nothing before the alias `*none` has that name; it is left out",
            ],
        );
    }

    #[test]
    fn depth_and_size_are_bounded() {
        let deep = format!("a: {}1{}\nb: 2", "[".repeat(2_000), "]".repeat(2_000));
        let (document, odd) = compose_yaml(&deep).unwrap();
        assert_eq!((document["b"].as_i64(), odd.len()), (Some(2), 1));
        let deep = format!("a: {}1{}\nb: 2", "{x: ".repeat(300), "}".repeat(300));
        assert!(compose_yaml(&deep).unwrap().1.is_empty());
        let block: String = (0..400).map(|level| format!("{}x:\n", " ".repeat(level))).collect();
        assert!(compose_yaml(&block).unwrap().1.is_empty());
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let before = level - 1;
            bomb.push_str(&format!("a{level}: &a{level} [{}]\n", [format!("*a{before}").as_str(); 10].join(", ")));
        }
        assert!(compose_yaml(&bomb).is_err());
    }
}
