//! Reads JSON strictly: duplicate members, too much nesting and anything that RFC 8259 does not have are errors
//! (contract, E-HTTP-7).

use serde_json::{Map, Number, Value};
use sha2::{Digest as _, Sha256};

/// Deepest nesting of objects and arrays.
const DEPTH: usize = 128;

/// Reads one value.
///
/// # Errors
/// A sentence.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, &'static str> {
    let text = std::str::from_utf8(bytes).map_err(|_| "the body is not UTF-8")?;
    let mut reader = Reader { text, at: 0, depth: 0 };
    let value = reader.value()?;
    reader.space();
    if reader.at == text.len() { Ok(value) } else { Err(MALFORMED) }
}

const MALFORMED: &str = "the body is not JSON";

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
    }

    /// The next byte that is not space; nothing at the end.
    fn peek(&mut self) -> Option<u8> {
        self.space();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Result<(), &'static str> {
        if self.peek() != Some(byte) {
            return Err(MALFORMED);
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> Result<Value, &'static str> {
        match self.peek().ok_or(MALFORMED)? {
            b'{' => self.nested(Self::object),
            b'[' => self.nested(Self::array),
            b'"' => self.string().map(Value::String),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => self.number(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, &'static str>) -> Result<Value, &'static str> {
        if self.depth == DEPTH {
            return Err("the body is nested too deeply");
        }
        self.at += 1;
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Result<Value, &'static str> {
        let mut members = Map::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.take(b':')?;
            let value = self.value()?;
            if members.insert(name, value).is_some() {
                return Err("the body has a member twice");
            }
            match self.peek() {
                Some(b',') => self.at += 1,
                _ => return self.take(b'}').map(|()| Value::Object(members)),
            }
        }
    }

    fn array(&mut self) -> Result<Value, &'static str> {
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value()?);
            match self.peek() {
                Some(b',') => self.at += 1,
                _ => return self.take(b']').map(|()| Value::Array(items)),
            }
        }
    }

    /// Finds the end of a string; what is in it is for the library to read.
    fn string(&mut self) -> Result<String, &'static str> {
        let rest = self.text.as_bytes().get(self.at..).ok_or(MALFORMED)?;
        if rest.first() != Some(&b'"') {
            return Err(MALFORMED);
        }
        let mut end = 1;
        loop {
            match rest.get(end).ok_or(MALFORMED)? {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        let written = self.text.get(self.at..=self.at + end).ok_or(MALFORMED)?;
        self.at += end + 1;
        serde_json::from_str(written).map_err(|_| MALFORMED)
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, &'static str> {
        let found = self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        self.at += word.len();
        if found { Ok(value) } else { Err(MALFORMED) }
    }

    fn number(&mut self) -> Result<Value, &'static str> {
        let rest = &self.text.as_bytes()[self.at..];
        let length =
            rest.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')).count();
        let written = &self.text[self.at..self.at + length];
        self.at += length;
        written.parse::<Number>().map(Value::Number).map_err(|_| MALFORMED)
    }
}

/// A digest of a value that does not depend on the order of members or on how it was written.
pub(super) fn digest(value: &Value) -> [u8; 32] {
    let mut sha = Sha256::new();
    feed(&mut sha, value);
    sha.finalize().into()
}

fn feed(sha: &mut Sha256, value: &Value) {
    match value {
        Value::Null => sha.update(b"n"),
        Value::Bool(on) => sha.update(if *on { b"t" } else { b"f" }),
        Value::Number(number) => text(sha, b'#', &canonical(number)),
        Value::String(string) => text(sha, b'"', string),
        Value::Array(items) => {
            length(sha, b'[', items.len());
            items.iter().for_each(|item| feed(sha, item));
        }
        Value::Object(members) => {
            length(sha, b'{', members.len());
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            for (name, value) in members {
                text(sha, b'"', name);
                feed(sha, value);
            }
        }
    }
}

fn text(sha: &mut Sha256, kind: u8, text: &str) {
    length(sha, kind, text.len());
    sha.update(text);
}

fn length(sha: &mut Sha256, kind: u8, length: usize) {
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
            "[1,]",
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
            "[,]",
            "\"\\",
        ] {
            assert!(parse(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(parse(b"{\"a\":\"\xff\"}").is_err());
        assert_eq!(parse(b"{\"a\":1,\"a\":1}"), Err("the body has a member twice"));
        assert_eq!(parse(b"{\"a\":1,\"\\u0061\":1}"), Err("the body has a member twice"));
    }

    #[test]
    fn nesting_ends_at_128() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(nested(128).as_bytes()).is_ok());
        assert!(parse(nested(129).as_bytes()).is_err());
        assert!(parse("[".repeat(65_536).as_bytes()).is_err());
    }

    #[test]
    fn equal_values_have_equal_digests() {
        let of = |text: &str| digest(&parse(text.as_bytes()).unwrap());
        assert_eq!(of("{\"a\":1,\"b\":[true,null]}"), of(" { \"b\" : [ true, null ], \"\\u0061\": 1.0 }"));
        assert_ne!(of("{\"a\":1}"), of("{\"a\":\"1\"}"));
        assert_ne!(of("[[1],[2]]"), of("[[1,2],[]]"));
        assert_ne!(of("{}"), of("[]"));
    }

    proptest! {
        #[test]
        fn agrees_with_the_library(text in "[\\[\\]{}:,\"\\\\ a0-9.eE+tnu-]{0,24}") {
            // the library takes duplicate members and is one level short of ours; nothing else may differ
            let ours = parse(text.as_bytes());
            let theirs = serde_json::from_str::<Value>(&text);
            match (ours, theirs) {
                (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
                (Err(message), Ok(_)) => prop_assert!(message.contains("twice"), "{}", message),
                (Ok(ours), Err(error)) => prop_assert!(false, "{ours}: {error}"),
                (Err(_), Err(_)) => {}
            }
        }
    }
}
