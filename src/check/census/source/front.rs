//! Front matter: YAML between dashes, TOML between plus signs, an object of JSON, or lines `name: value` before an empty
//! one, as MkDocs has them.

use base::cut::SliceText as _;

use super::{PageSyntax, script};

/// Where the front matter of a text ends; its start if it has none.
pub(super) fn front_matter_end(text: &str, syntax: PageSyntax) -> usize {
    // some tools let empty lines stand before it
    let rest = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let start = text.len() - rest.len();
    // an object of JSON may begin in the line of its brace
    let mark = rest.lines().next().unwrap_or_default().trim_end();
    if mark == "{" || mark.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"')) {
        let end = script::expression_end(text.as_bytes(), start).0;
        return end.filter(|end| text.slice(*end..).starts_with(['\r', '\n'])).unwrap_or(start);
    }
    if !matches!(mark, "---" | "+++") {
        return if syntax.is_mdx || syntax.is_mintlify { start } else { start + metadata_length(rest) };
    }
    let mut at = start;
    for (number, line) in rest.split_inclusive('\n').enumerate() {
        at += line.len();
        let line = line.trim_end();
        // YAML may end in dots
        if number > 0 && (line == mark || mark == "---" && line == "...") {
            return at;
        }
    }
    start
}

/// How many bytes of a text are lines `name: value` and those that go on with a value.
fn metadata_length(text: &str) -> usize {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let is_metadata = |line: &str| {
        line.split_once(':').is_some_and(|(name, value)| is_name(name) && (value.is_empty() || value.starts_with(' ')))
    };
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        let is_more = length > 0 && line.starts_with([' ', '\t']) && !line.trim().is_empty();
        if !is_more && !is_metadata(line.trim_end()) {
            break;
        }
        length += line.len();
    }
    length
}
