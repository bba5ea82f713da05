//! Parts of the JSON that goes to the sandbox: strings, and values that stand for something outside of it.

use base::cut::SliceText as _;

/// A JSON string.
pub(super) fn push_json_string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c < ' ' || c == '"' || c == '\\') {
        out.push_str(rest.slice(..at));
        let c = rest.as_bytes()[at];
        match c {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            c => {
                use std::fmt::Write;
                let _ = write!(out, "\\u{c:04x}"); // to a string: cannot fail
            }
        }
        rest = rest.slice(at + 1..);
    }
    out.push_str(rest);
    out.push('"');
}

/// `["x","text"]`
pub(super) fn tagged(tag: char, text: &str, out: &mut String) {
    out.push_str("[\"");
    out.push(tag);
    out.push_str("\",");
    push_json_string(text, out);
    out.push(']');
}

/// `["c",module,"name"]`
pub(super) fn exported(module: u32, name: &str, out: &mut String) {
    out.push_str("[\"c\",");
    out.push_str(&module.to_string());
    out.push(',');
    push_json_string(name, out);
    out.push(']');
}

/// `["s",module]`
pub(super) fn snippet(module: u32, out: &mut String) {
    out.push_str("[\"s\",");
    out.push_str(&module.to_string());
    out.push(']');
}
