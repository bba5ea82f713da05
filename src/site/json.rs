//! JSON values with their positions, so that a problem deep in `docs.json` can be shown at its line, whichever file
//! it came from.
//!
//! Comments, trailing commas and a byte order mark are read and reported once; everything else must be JSON.
//!
//! Written by hand because of its messages. `jsonc-parser` 0.34 lets a string go on over line breaks, so a quote that
//! is missing would be reported lines below its place; it refuses half surrogate pairs, which tools write; and its
//! errors and places would take half of these lines to translate.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use base::cut::SliceText as _;
use base::limits::NESTING;
use base::printable::into_printable;

/// A place in one of the configuration's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JsonSpot {
    /// Index of the file among those of the configuration, in the order in which they were read.
    pub source: u32,
    /// Offset in bytes.
    pub offset: u32,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Json {
    /// Where it starts.
    pub at: JsonSpot,
    /// What it is.
    pub value: JsonValue,
}

/// JSON's six types. Objects keep their order; of two equal keys the last one wins, at the place of the first.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "JSON's names")]
pub enum JsonValue {
    Null,
    Bool(bool),
    Number(serde_json::Number),
    String(String),
    Array(Vec<Json>),
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name.
    pub key: String,
    /// Where the name stands.
    pub key_at: JsonSpot,
    /// Its value.
    pub json: Json,
}

/// What kept a text from being JSON.
#[derive(Debug, PartialEq, Eq)]
pub struct JsonError {
    /// What was expected.
    pub message: &'static str,
    /// Byte offset.
    pub offset: usize,
}

/// A parsed text.
#[derive(Debug)]
pub struct ParsedJson {
    /// The value.
    pub json: Json,
    /// The first place that is not strict JSON: a comment or a trailing comma.
    pub relaxed_at: Option<JsonSpot>,
    /// The first value that lies too deep, and is null instead.
    pub skipped_at: Option<JsonSpot>,
    /// Keys that stand twice in one object.
    pub repeated: Vec<(String, JsonSpot)>,
}

impl Json {
    /// A value that no author wrote at a place of its own (made while an older configuration is converted).
    pub fn new(at: JsonSpot, value: JsonValue) -> Self {
        Self { at, value }
    }
    /// A string.
    pub fn string(at: JsonSpot, text: impl Into<String>) -> Self {
        Self::new(at, JsonValue::String(text.into()))
    }
    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let JsonValue::String(text) = &self.value { Some(text) } else { None }
    }
    /// A truth value.
    pub fn as_bool(&self) -> Option<bool> {
        if let JsonValue::Bool(on) = self.value { Some(on) } else { None }
    }
    /// The items of an array.
    pub fn as_array(&self) -> Option<&[Json]> {
        if let JsonValue::Array(items) = &self.value { Some(items) } else { None }
    }
    /// The members of an object.
    pub fn as_object(&self) -> Option<&[Member]> {
        if let JsonValue::Object(members) = &self.value { Some(members) } else { None }
    }
    /// The value of a key.
    pub fn member(&self, key: &str) -> Option<&Json> {
        self.as_object()?.iter().find(|member| member.key == key).map(|member| &member.json)
    }
    /// The plain value, without places.
    pub fn to_value(&self) -> serde_json::Value {
        match &self.value {
            JsonValue::Null => serde_json::Value::Null,
            JsonValue::Bool(on) => (*on).into(),
            JsonValue::Number(number) => number.clone().into(),
            JsonValue::String(text) => text.as_str().into(),
            JsonValue::Array(items) => items.iter().map(Self::to_value).collect(),
            JsonValue::Object(members) => {
                members.iter().map(|member| (member.key.clone(), member.json.to_value())).collect()
            }
        }
    }
}

impl JsonValue {
    /// The type as a reader would name it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}

/// How a text is read that is of use even where values of it are not: what lies too deep is skipped, and texts are
/// printable.
#[derive(Clone, Copy, Debug)]
pub struct Leniency {
    /// Levels of arrays and objects.
    pub nesting: usize,
    /// Reads what stands in the place of a number.
    pub number: fn(&str) -> Option<serde_json::Value>,
}

/// Parses `text`, which is file number `source`.
pub fn parse_json(text: &str, source: u32) -> Result<ParsedJson, JsonError> {
    parse(text, source, None)
}

/// The same for a text that is of use even where values of it are not.
pub fn parse_json_with(text: &str, source: u32, leniency: &Leniency) -> Result<ParsedJson, JsonError> {
    parse(text, source, Some(*leniency))
}

fn parse(text: &str, source: u32, leniency: Option<Leniency>) -> Result<ParsedJson, JsonError> {
    let bytes = text.as_bytes();
    let mut parser =
        JsonParser { bytes, text, at: 0, source, leniency, relaxed_at: None, skipped_at: None, repeated: Vec::new() };
    if text.starts_with('\u{feff}') {
        parser.at = '\u{feff}'.len_utf8();
    }
    let json = parser.value(0)?;
    parser.space()?;
    if parser.at < text.len() {
        return Err(parser.error("the end of the file"));
    }
    let JsonParser { relaxed_at, skipped_at, repeated, .. } = parser;
    Ok(ParsedJson { json, relaxed_at, skipped_at, repeated })
}

struct JsonParser<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    source: u32,
    leniency: Option<Leniency>,
    relaxed_at: Option<JsonSpot>,
    skipped_at: Option<JsonSpot>,
    repeated: Vec<(String, JsonSpot)>,
}

impl JsonParser<'_> {
    fn error(&self, message: &'static str) -> JsonError {
        JsonError { message, offset: self.at }
    }

    fn spot(&self, offset: usize) -> JsonSpot {
        JsonSpot { source: self.source, offset: u32::try_from(offset).unwrap_or(u32::MAX) }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn relaxed(&mut self, offset: usize) {
        let spot = self.spot(offset);
        self.relaxed_at.get_or_insert(spot);
    }

    /// Skips white space and comments.
    fn space(&mut self) -> Result<(), JsonError> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'/') => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Result<(), JsonError> {
        let rest = &self.bytes[self.at..];
        let len = match rest.get(1) {
            Some(b'/') => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            Some(b'*') => {
                memchr::memmem::find(&rest[2..], b"*/").ok_or_else(|| self.error("the end of the comment"))? + 4
            }
            _ => return Err(self.error("a value")),
        };
        self.relaxed(self.at);
        self.at += len;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Json, JsonError> {
        self.space()?;
        let start = self.at;
        if depth > self.leniency.map_or(NESTING, |it| it.nesting) {
            if self.leniency.is_none() {
                return Err(self.error("less deeply nested values"));
            }
            if matches!(self.peek(), Some(b'{' | b'[')) {
                self.skip()?;
                let spot = self.spot(start);
                self.skipped_at.get_or_insert(spot);
                return Ok(Json::new(spot, JsonValue::Null));
            }
        }
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') if self.leniency.is_some() => JsonValue::String(into_printable(self.string()?)),
            Some(b'"') => JsonValue::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Json::new(self.spot(start), value))
    }

    /// Skips an array or object.
    fn skip(&mut self) -> Result<(), JsonError> {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                Some(b'{' | b'[') => depth += 1,
                Some(b'}' | b']') => depth -= 1,
                Some(b'"') => {
                    self.string()?;
                    continue;
                }
                Some(_) => {}
                None => return Err(self.error("`}` or `]`")),
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> Result<JsonValue, JsonError> {
        for (word, value) in
            [("true", JsonValue::Bool(true)), ("false", JsonValue::Bool(false)), ("null", JsonValue::Null)]
        {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        if self.leniency.is_some() && self.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            return self.number();
        }
        Err(self.error("a value"))
    }

    fn number(&mut self) -> Result<JsonValue, JsonError> {
        let start = self.at;
        if let Some(leniency) = self.leniency {
            while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')) {
                self.at += 1;
            }
            let read = (leniency.number)(self.text.get(start..self.at).unwrap_or_default());
            return match read {
                Some(serde_json::Value::Number(number)) => Ok(JsonValue::Number(number)),
                Some(serde_json::Value::String(text)) => Ok(JsonValue::String(text)),
                _ => Err(JsonError { message: "a number", offset: start }),
            };
        }
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        self.text
            .slice(start..self.at)
            .parse()
            .map(JsonValue::Number)
            .map_err(|_| JsonError { message: "a number", offset: start })
    }

    fn array(&mut self, depth: usize) -> Result<JsonValue, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.space()?;
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(JsonValue::Array(items));
            }
            items.push(self.value(depth + 1)?);
            self.separator(b']', "`,` or `]`")?;
        }
    }

    fn object(&mut self, depth: usize) -> Result<JsonValue, JsonError> {
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        loop {
            self.space()?;
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(JsonValue::Object(members));
                }
                Some(b'"') => {}
                _ => return Err(self.error("a key in double quotes or `}`")),
            }
            let key_at = self.spot(self.at);
            let key = self.string()?;
            self.space()?;
            if self.peek() != Some(b':') {
                return Err(self.error("`:`"));
            }
            self.at += 1;
            let json = self.value(depth + 1)?;
            match places.entry(key) {
                Entry::Occupied(first) => {
                    members[*first.get()].json = json;
                    self.repeated.push((first.key().clone(), key_at));
                }
                Entry::Vacant(place) => {
                    members.push(Member { key: place.key().clone(), key_at, json });
                    place.insert(members.len() - 1);
                }
            }
            self.separator(b'}', "`,` or `}`")?;
        }
    }

    /// Takes the comma after an item; leaves the closing bracket for the caller.
    fn separator(&mut self, close: u8, expected: &'static str) -> Result<(), JsonError> {
        self.space()?;
        match self.peek() {
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.space()?;
                if self.peek() == Some(close) {
                    self.relaxed(comma);
                }
                Ok(())
            }
            Some(byte) if byte == close => Ok(()),
            _ => Err(self.error(expected)),
        }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        let open = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.bytes[self.at..];
            let Some(len) = memchr::memchr3(b'"', b'\\', b'\n', rest) else {
                return Err(JsonError { message: "the closing quote of this string", offset: open });
            };
            out.push_str(self.text.slice(self.at..self.at + len));
            self.at += len + 1;
            match rest[len] {
                b'"' => return Ok(out),
                b'\\' => out.push(self.escape()?),
                _ => return Err(JsonError { message: "the closing quote of this string", offset: open }),
            }
        }
    }

    /// What follows a backslash. Half surrogate pairs become U+FFFD.
    fn escape(&mut self) -> Result<char, JsonError> {
        let byte = self.peek().ok_or_else(|| self.error("an escape"))?;
        let c = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return Err(self.error("an escape such as `\\n`")),
        };
        self.at += 1;
        Ok(c)
    }

    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let first = self.hex4()?;
        if (0xd800..0xdc00).contains(&first) && self.bytes[self.at..].starts_with(b"\\u") {
            let back = self.at;
            self.at += 2;
            let second = self.hex4()?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let digits = self.bytes.get(self.at..self.at + 4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.ok_or_else(|| self.error("four hexadecimal digits"))?;
        let code = digits.iter().fold(0, |code, digit| code * 16 + char::from(*digit).to_digit(16).unwrap_or(0));
        self.at += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let parsed = parse_json(text, 0).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(parsed.json.to_value().to_string(), expect, "{text}");
    }

    #[track_caller]
    fn check_error(text: &str, message: &str, offset: usize) {
        assert_eq!(
            parse_json(text, 0).map(|_| ()).unwrap_err(),
            JsonError { message: Box::leak(message.into()), offset }
        );
    }

    #[test]
    fn values() {
        check(r#" {"a": [1, -2.5, true, null, "x\n\u00e9\ud83d\ude00"]} "#, r#"{"a":[1,-2.5,true,null,"x\né😀"]}"#);
        check("\u{feff}[]", "[]");
        check(r#""\ud800x""#, "\"\u{fffd}x\"");
    }

    #[test]
    fn comments_and_trailing_commas_are_noted() {
        let parsed = parse_json("// hi\n{\"a\": [1, 2,], /* b */}", 3).unwrap();
        assert_eq!(parsed.json.to_value().to_string(), r#"{"a":[1,2]}"#);
        assert_eq!(parsed.relaxed_at, Some(JsonSpot { source: 3, offset: 0 }));
        assert_eq!(parse_json("[1,]", 0).unwrap().relaxed_at, Some(JsonSpot { source: 0, offset: 2 }));
        assert_eq!(parse_json("[1, 2]", 0).unwrap().relaxed_at, None);
    }

    #[test]
    fn the_last_of_equal_keys_wins() {
        let parsed = parse_json(r#"{"a": 1, "a": 2}"#, 0).unwrap();
        assert_eq!(parsed.json.to_value().to_string(), r#"{"a":2}"#);
        assert_eq!(parsed.repeated, [("a".to_owned(), JsonSpot { source: 0, offset: 9 })]);
    }

    #[test]
    fn errors_stand_where_the_text_breaks() {
        check_error("{\"a\": }", "a value", 6);
        check_error("{\"a\" 1}", "`:`", 5);
        check_error("[1 2]", "`,` or `]`", 3);
        check_error("{a: 1}", "a key in double quotes or `}`", 1);
        check_error("\"abc", "the closing quote of this string", 0);
        check_error("[] x", "the end of the file", 3);
        check_error("", "a value", 0);
        check_error("[01]", "a number", 1);
    }

    #[test]
    fn depth_is_bounded() {
        assert!(parse_json(&"[".repeat(100_000), 0).is_err());
        assert!(parse_json(&format!("{}{}", "[".repeat(NESTING), "]".repeat(NESTING)), 0).is_ok());
    }

    proptest! {
        #[test]
        fn strict_json_reads_as_serde_json_reads_it(text in "[\\[\\]{}:,\"a1e.\\\\u0 tn-]{0,24}") {
            if let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) {
                prop_assert_eq!(parse_json(&text, 0).map(|parsed| parsed.json.to_value()).ok(), Some(value));
            }
        }

        #[test]
        fn no_text_panics(text in ".{0,64}") {
            let _ = parse_json(&text, 0);
        }
    }
}
