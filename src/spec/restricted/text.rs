//! A description that was cut, as a text like the one that it was: YAML for YAML, JSON with the same indentation for
//! JSON.

use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use crate::opens_object;

/// Writes a document in the manner of a text. Comments of YAML are not kept: they may be about what is gone.
pub(super) fn like(written: &[u8], document: &Value) -> Vec<u8> {
    let start = written.trim_ascii_start();
    let is_json = opens_object(written) || start.starts_with(b"[");
    if !is_json && let Some(yaml) = yaml(document) {
        return yaml;
    }
    let mut text = match indentation(start) {
        Some(indentation) => format_json(document, indentation),
        None => document.to_string().into_bytes(),
    };
    if written.ends_with(b"\n") {
        text.push(b'\n');
    }
    text
}

/// As YAML, if that reads as the same document. Else JSON stands in for it, which is YAML too.
fn yaml(document: &Value) -> Option<Vec<u8>> {
    let text = serde_saphyr::to_string(document).ok()?;
    let options = serde_saphyr::options! { strict_booleans: true, with_snippet: false, duplicate_keys: serde_saphyr::DuplicateKeyPolicy::Error };
    let read: Value = serde_saphyr::from_str_with_options(&text, options).ok()?;
    (read == *document).then(|| text.into_bytes())
}

/// What the first member of a text of JSON is indented with; `None` if all stands in one line. Texts that are YAML get
/// two spaces.
fn indentation(text: &[u8]) -> Option<&[u8]> {
    if !text.starts_with(b"{") && !text.starts_with(b"[") {
        return Some(b"  ");
    }
    let line = memchr::memchr(b'\n', text)? + 1;
    let length = text[line..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    Some(if length == 0 { b"  " } else { &text[line..line + length.min(8)] })
}

fn format_json(document: &Value, indentation: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(indentation));
    // a value in memory can be written to memory
    if document.serialize(&mut serializer).is_err() {
        return document.to_string().into_bytes();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, expect: &str) {
        let document: Value = serde_json::json!({"a": {"b": ["1", "yes", "x: y\nz"], "c": 1.5}});
        assert_eq!(String::from_utf8(like(written.as_bytes(), &document)).unwrap(), expect);
    }

    #[test]
    fn documents_are_written_as_they_were() {
        check("{\"a\": 1}", "{\"a\":{\"b\":[\"1\",\"yes\",\"x: y\\nz\"],\"c\":1.5}}");
        check(
            "{\n \"a\": 1}\n",
            "{\n \"a\": {\n  \"b\": [\n   \"1\",\n   \"yes\",\n   \"x: y\\nz\"\n  ],\n  \"c\": 1.5\n }\n}\n",
        );
        let yaml = String::from_utf8(like(b"a: 1\n", &serde_json::json!({"a": {"b": ["1", "yes"]}}))).unwrap();
        assert!(yaml.starts_with("a:\n") && yaml.contains("- ") && !yaml.contains('{'), "{yaml}");
    }
}
