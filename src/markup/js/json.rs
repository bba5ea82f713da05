//! JSON that scripts made: nested deeper than serde_json takes, and with halves of characters, which it refuses in
//! text. To lift its limit and keep one of its own, and to replace the halves before, would be as long as this.

use serde_json::{Map, Number, Value};

use base::cut::SliceText as _;

/// Deepest nesting of arrays and objects: an element takes two, and trees of this depth are walked by recursion.
const MAX_JSON_DEPTH: usize = 640;

/// Why text is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// More than [`MAX_JSON_DEPTH`] arrays in one another.
    #[error("it is nested too deeply")]
    TooDeep,
    /// It is not JSON.
    #[error("it is not data")]
    Broken,
}

/// An array or object that is open.
enum OpenJson {
    Array(Vec<Value>),
    /// An object, and the key whose value comes next.
    Object(Map<String, Value>, Option<String>),
}

/// Reads JSON. Halves of characters (lone surrogates) become U+FFFD, as when a page is saved.
///
/// # Errors
/// It is not JSON, or too deep.
pub fn parse_script_json(text: &str) -> Result<Value, Unread> {
    let mut reader = JsonReader { text, at: 0 };
    let mut open: Vec<OpenJson> = Vec::new();
    loop {
        let byte = reader.next_byte().ok_or(Unread::Broken)?;
        let mut value = match byte {
            b'[' | b'{' => {
                if open.len() >= MAX_JSON_DEPTH {
                    return Err(Unread::TooDeep);
                }
                open.push(if byte == b'[' { OpenJson::Array(Vec::new()) } else { OpenJson::Object(Map::new(), None) });
                continue;
            }
            b']' | b'}' => match (open.pop(), byte) {
                (Some(OpenJson::Array(items)), b']') => Value::Array(items),
                (Some(OpenJson::Object(fields, None)), b'}') => Value::Object(fields),
                _ => return Err(Unread::Broken),
            },
            b',' | b':' if !open.is_empty() => continue, // what is written by a program has them where they belong
            b'"' => {
                let text = reader.string()?;
                match open.last_mut() {
                    Some(OpenJson::Object(_, key @ None)) => {
                        *key = Some(text);
                        continue;
                    }
                    _ => Value::String(text),
                }
            }
            _ => reader.word()?,
        };
        match open.last_mut() {
            Some(OpenJson::Array(items)) => items.push(value),
            Some(OpenJson::Object(fields, key)) => {
                fields.insert(key.take().ok_or(Unread::Broken)?, value.take());
            }
            None => return if reader.next_byte().is_none() { Ok(value) } else { Err(Unread::Broken) },
        }
    }
}

struct JsonReader<'t> {
    text: &'t str,
    at: usize,
}

impl JsonReader<'_> {
    /// The next byte that is no space.
    fn next_byte(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            self.at += 1;
            if !byte.is_ascii_whitespace() {
                return Some(byte);
            }
        }
    }

    /// A number, `true`, `false` or `null`; its first byte is read already.
    fn word(&mut self) -> Result<Value, Unread> {
        let start = self.at - 1;
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        {
            self.at += 1;
        }
        match self.text.get(start..self.at).ok_or(Unread::Broken)? {
            "null" => Ok(Value::Null),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            word => match word.parse::<i64>() {
                Ok(whole) => Ok(Value::Number(whole.into())),
                Err(_) => word.parse().ok().and_then(Number::from_f64).map(Value::Number).ok_or(Unread::Broken),
            },
        }
    }

    /// A string; its first quote is read already.
    fn string(&mut self) -> Result<String, Unread> {
        let mut out = String::new();
        loop {
            let rest = self.text.slice(self.at..);
            let end = memchr::memchr2(b'"', b'\\', rest.as_bytes()).ok_or(Unread::Broken)?;
            out.push_str(rest.slice(..end));
            self.at += end + 1;
            if rest.as_bytes()[end] == b'"' {
                return Ok(out);
            }
            let escape = *self.text.as_bytes().get(self.at).ok_or(Unread::Broken)?;
            self.at += 1;
            out.push(match escape {
                b'"' | b'\\' | b'/' => char::from(escape),
                b'n' => '\n',
                b't' => '\t',
                b'r' => '\r',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'u' => self.unit()?,
                _ => return Err(Unread::Broken),
            });
        }
    }

    /// The character of `\uXXXX`, or of two of them.
    fn unit(&mut self) -> Result<char, Unread> {
        let first = self.hex(self.at).ok_or(Unread::Broken)?;
        self.at += 4;
        if (0xd800..0xdc00).contains(&first)
            && self.text.as_bytes().get(self.at..self.at + 2) == Some(b"\\u")
            && let Some(second @ 0xdc00..0xe000) = self.hex(self.at + 2)
        {
            self.at += 6;
            return Ok(char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))
                .unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&self, at: usize) -> Option<u32> {
        let digits = self.text.get(at..at + 4)?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Result<Value, Unread>) {
        assert_eq!(parse_script_json(text), expect, "{text}");
    }

    #[test]
    fn data_is_read() {
        for text in [
            "null",
            "[]",
            "{}",
            r#"["a",[1,-2.5,true,false,null],{"b":{"c":[]},"d":"\"\\\/\n\u0041é"}]"#,
            "1e300",
            " [ 1 , 2 ] ",
        ] {
            check(text, Ok(serde_json::from_str(text).unwrap()));
        }
    }

    #[test]
    fn half_characters_are_replaced() {
        check(r#""\ud83d\ude00""#, Ok("\u{1f600}".into()));
        check(r#""a\ud83db""#, Ok("a\u{fffd}b".into()));
        check(r#""\ude00\ud83d""#, Ok("\u{fffd}\u{fffd}".into()));
        check(r#""\ud83d\u0041""#, Ok("\u{fffd}A".into()));
    }

    #[test]
    fn what_is_no_data_is_refused() {
        for text in ["", "[", "]", "{\"a\"}", "[1", "\"a", "\"\\x\"", "\"\\u12\"", "nope", "1 2", "[}", "\"\\u00é\""] {
            check(text, Err(Unread::Broken));
        }
        check(&"[".repeat(1_000), Err(Unread::TooDeep));
        assert!(parse_script_json(&format!("{}{}", "[".repeat(600), "]".repeat(600))).is_ok());
    }
}
