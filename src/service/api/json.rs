//! Reads the JSON of request bodies: the library does, and its visitors here find duplicate members, which it takes
//! (contract, E-HTTP-7).

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};
use sha2::{Digest as _, Sha256};

use base::cut::SliceText as _;

const MALFORMED: &str = "the body is not JSON";
const TWICE: &str = "the body has a member twice";

/// Reads an object. Objects and arrays may be nested 128 deep: as deep as the library goes, and the object itself.
///
/// # Errors
/// A sentence with line and column, both from 1.
pub(super) fn read_json_object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).and_then(|before| std::str::from_utf8(before).ok());
        json_syntax_message("the body is not UTF-8", end_of(before.unwrap_or_default()))
    })?;
    let JsonMembers(written) = serde_json::from_str(text).map_err(|error| sentence(&error, (1, 1)))?;
    let mut members = Map::new();
    for (name, value) in written {
        // what the library gives is a part of the text
        let offset = (value.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let start = end_of(text.get(..offset).unwrap_or_default());
        let Strict(value) = serde_json::from_str(value.get()).map_err(|error| sentence(&error, start))?;
        if members.insert(name, value).is_some() {
            return Err(json_syntax_message(TWICE, start));
        }
    }
    Ok(members)
}

/// Line and column of what follows a text, the column in characters.
fn end_of(text: &str) -> (usize, usize) {
    let line_start = text.rfind('\n').map_or(0, |at| at + 1);
    (text.matches('\n').count() + 1, text.slice(line_start..).chars().count() + 1)
}

fn json_syntax_message(what: &str, (line, column): (usize, usize)) -> String {
    format!("{what}: line {line}, column {column}")
}

/// What is wrong with a text that begins at a line and column of the body.
fn sentence(error: &serde_json::Error, start: (usize, usize)) -> String {
    let message = error.to_string();
    let what = if message.starts_with(TWICE) {
        TWICE
    } else if message.starts_with("recursion limit exceeded") {
        "the body is nested too deeply"
    } else if error.is_data() {
        return "the body must be a JSON object".to_owned();
    } else {
        MALFORMED
    };
    let place = match error.line() {
        0 | 1 => (start.0, start.1 + error.column().saturating_sub(1)),
        line => (start.0 + line - 1, error.column()),
    };
    let why = message.split(" at line ").next().filter(|_| what == MALFORMED);
    json_syntax_message(&why.map_or_else(|| what.to_owned(), |why| format!("{what} ({why})")), place)
}

/// The members of an object, not read yet.
struct JsonMembers<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for JsonMembers<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = JsonMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(JsonMembers(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}

/// A value, in whose objects no member stands twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some((name, Strict(value))) = map.next_entry::<String, Strict>()? {
            if members.insert(name, value).is_some() {
                return Err(A::Error::custom(TWICE));
            }
        }
        Ok(Value::Object(members))
    }
}

/// A digest of a value that does not depend on the order of members or on how it was written.
pub(super) fn json_digest(value: &Value) -> [u8; 32] {
    let mut sha = Sha256::new();
    feed(&mut sha, value);
    sha.finalize().into()
}

/// The digest of the members of an object.
pub(super) fn digest_of_object(members: &Map<String, Value>) -> [u8; 32] {
    let mut sha = Sha256::new();
    feed_object(&mut sha, members);
    sha.finalize().into()
}

fn feed(sha: &mut Sha256, value: &Value) {
    match value {
        Value::Null => sha.update(b"n"),
        Value::Bool(on) => sha.update(if *on { b"t" } else { b"f" }),
        Value::Number(number) => hash_text(sha, b'#', &canonical(number)),
        Value::String(string) => hash_text(sha, b'"', string),
        Value::Array(items) => {
            hash_length(sha, b'[', items.len());
            items.iter().for_each(|item| feed(sha, item));
        }
        Value::Object(members) => feed_object(sha, members),
    }
}

fn feed_object(sha: &mut Sha256, members: &Map<String, Value>) {
    hash_length(sha, b'{', members.len());
    let mut members: Vec<_> = members.iter().collect();
    members.sort_unstable_by_key(|(name, _)| *name);
    for (name, value) in members {
        hash_text(sha, b'"', name);
        feed(sha, value);
    }
}

fn hash_text(sha: &mut Sha256, kind: u8, text: &str) {
    hash_length(sha, kind, text.len());
    sha.update(text);
}

fn hash_length(sha: &mut Sha256, kind: u8, length: usize) {
    sha.update([kind]);
    sha.update((length as u64).to_be_bytes());
}

/// `1`, `1.0` and `1e0` are one number.
fn canonical(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if !number.is_i64() && !number.is_u64() && float.fract() == 0.0 && float.abs() < 9e15 => {
            format!("{float:.0}")
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_not_json_is_refused() {
        for bad in [
            "",
            " ",
            "{",
            "}",
            "{\"a\":1,}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":[1,]}",
            "{a:1}",
            "{'a':1}",
            "{\"a\":01}",
            "{\"a\":+1}",
            "{\"a\":.5}",
            "{\"a\":1.}",
            "{\"a\":NaN}",
            "{\"a\":nul}",
            "{\"a\":\"\n\"}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":1}x",
            "{\"a\":\"\\\"}",
            "{\"a\":1e999}",
            "\u{feff}{}",
            "{\"a\":-}",
            "{\"a\"}",
            "{,}",
            "{\"a\":[,]}",
            "\"\\",
        ] {
            let error = read_json_object(bad.as_bytes()).unwrap_err();
            assert!(error.starts_with(MALFORMED) && error.contains(": line "), "{bad}: {error}");
        }
        assert_eq!(read_json_object(b"{\"a\":\"\xff\"}"), Err("the body is not UTF-8: line 1, column 7".to_owned()));
        for bad in ["{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":1}", "{\"a\":[{\"b\":1,\"b\":1}]}"] {
            let error = read_json_object(bad.as_bytes()).unwrap_err();
            assert!(error.starts_with(TWICE), "{bad}: {error}");
        }
        for bad in ["[]", "1", "null", "\"x\"", "true"] {
            assert_eq!(read_json_object(bad.as_bytes()), Err("the body must be a JSON object".to_owned()), "{bad}");
        }
    }

    #[test]
    fn errors_have_a_place() {
        for (text, expect) in [
            ("{\n  \"domain\": docs.example\n}", "the body is not JSON (expected value): line 2, column 13"),
            ("{\"a\": 1,}", "the body is not JSON (trailing comma): line 1, column 9"),
            ("{\"a\":\n [{\"b\": 1,\n \"b\": 1}]}", "the body has a member twice: line 3, column 8"),
            ("{\"a\": [{\"b\": 1, \"b\": 1}]}", "the body has a member twice: line 1, column 23"),
            ("{\"a\": 1,\n \"a\": 2}", "the body has a member twice: line 2, column 7"),
        ] {
            assert_eq!(read_json_object(text.as_bytes()), Err(expect.to_owned()), "{text}");
        }
    }

    #[test]
    fn nesting_ends_at_128() {
        let nested = |depth: usize| format!("{{\"x\":{}1{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
        assert!(read_json_object(nested(128).as_bytes()).is_ok());
        for deep in [129, 30_000] {
            let error = read_json_object(nested(deep).as_bytes()).unwrap_err();
            assert!(error.starts_with("the body is nested too deeply"), "{error}");
        }
        assert!(read_json_object("{\"x\":".repeat(65_536).as_bytes()).is_err());
    }

    #[test]
    fn equal_values_have_equal_digests() {
        let of = |text: &str| digest_of_object(&read_json_object(text.as_bytes()).unwrap());
        assert_eq!(of("{\"a\":1,\"b\":[true,null]}"), of(" { \"b\" : [ true, null ], \"\\u0061\": 1.0 }"));
        assert_ne!(of("{\"a\":1}"), of("{\"a\":\"1\"}"));
        assert_ne!(of("{\"a\":[[1],[2]]}"), of("{\"a\":[[1,2],[]]}"));
        assert_ne!(of("{}"), json_digest(&Value::Array(Vec::new())));
        let members = read_json_object(b"{\"a\":[1,{}]}").unwrap();
        assert_eq!(digest_of_object(&members), json_digest(&Value::Object(members)));
    }

    proptest! {
        #[test]
        fn agrees_with_the_library(inside in "[\\[\\]{}:,\"\\\\ a0-9.eE+tnu-]{0,24}") {
            let text = format!("{{{inside}}}");
            // the library takes duplicate members; nothing else may differ
            match (read_json_object(text.as_bytes()), serde_json::from_str::<Value>(&text)) {
                (Ok(ours), Ok(theirs)) => prop_assert_eq!(Value::Object(ours), theirs),
                (Err(message), Ok(_)) => prop_assert!(message.starts_with(TWICE)),
                (Ok(ours), Err(error)) => prop_assert!(false, "{ours:?}: {error}"),
                (Err(_), Err(_)) => {}
            }
        }
    }
}
