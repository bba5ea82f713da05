//! Front matter: YAML between dashes, TOML between plus signs, or an object of JSON.

use super::script;

/// Where the front matter of a text ends; its start if it has none.
pub(super) fn front_matter_end(text: &str) -> usize {
    // some tools let empty lines stand before it
    let rest = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let start = text.len() - rest.len();
    let mark = rest.lines().next().unwrap_or_default().trim_end();
    if mark == "{" {
        let end = script::expression_end(text.as_bytes(), start).0;
        return end.filter(|end| text[*end..].starts_with(['\r', '\n'])).unwrap_or(start);
    }
    if !matches!(mark, "---" | "+++") {
        return start;
    }
    let mut at = start;
    for (number, line) in rest.split_inclusive('\n').enumerate() {
        at += line.len();
        if number > 0 && line.trim_end() == mark {
            return at;
        }
    }
    start
}
