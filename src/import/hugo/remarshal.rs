//! Data in the three forms that Hugo's own documentation shows of a configuration: YAML, TOML and JSON, with sorted keys,
//! as Hugo writes them.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// Deepest data.
const MAX_DATA_DEPTH: usize = 32;

/// Data of any form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RemarshalData {
    Null,
    Bool(bool),
    /// Numbers as they are written, and times of TOML.
    Bare(String),
    /// A day of TOML, which is a text elsewhere.
    Day(String),
    Text(String),
    List(Vec<RemarshalData>),
    Map(BTreeMap<String, RemarshalData>),
}

/// Reads a mapping or list; `None` if it is none.
pub(super) fn parse_remarshal_data(text: &str) -> Option<RemarshalData> {
    let text = text.trim();
    let inner = |mark: &str| Some(text.strip_prefix(mark)?.trim_end().strip_suffix(mark)?.trim());
    let text = inner("+++").or_else(|| inner("---")).unwrap_or(text);
    let is_json = text.starts_with('{') && text.ends_with('}');
    let data = if is_json { serde_json::from_str(text).ok().map(|json| of_json(&json, 0)) } else { None };
    let of_toml = || text.parse::<toml::Table>().ok().map(|table| of_toml(&toml::Value::Table(table), 0));
    let of_yaml = || serde_saphyr::from_str::<Json>(text).ok().map(|json| of_json(&json, 0));
    let data = data.or_else(of_toml).or_else(of_yaml)??;
    matches!(data, RemarshalData::Map(_) | RemarshalData::List(_)).then_some(data)
}

/// Data that was read before.
pub(super) fn of_json(json: &Json, depth: usize) -> Option<RemarshalData> {
    if depth > MAX_DATA_DEPTH {
        return None;
    }
    Some(match json {
        Json::Null => RemarshalData::Null,
        Json::Bool(on) => RemarshalData::Bool(*on),
        Json::Number(number) => RemarshalData::Bare(number.to_string()),
        Json::String(text) => RemarshalData::Text(text.clone()),
        Json::Array(all) => RemarshalData::List(all.iter().map(|one| of_json(one, depth + 1)).collect::<Option<_>>()?),
        Json::Object(all) => {
            let members = all.iter().map(|(key, one)| Some((key.clone(), of_json(one, depth + 1)?)));
            RemarshalData::Map(members.collect::<Option<_>>()?)
        }
    })
}

fn of_toml(value: &toml::Value, depth: usize) -> Option<RemarshalData> {
    if depth > MAX_DATA_DEPTH {
        return None;
    }
    Some(match value {
        toml::Value::String(text) => RemarshalData::Text(text.clone()),
        toml::Value::Integer(number) => RemarshalData::Bare(number.to_string()),
        toml::Value::Float(number) => RemarshalData::Bare(number.to_string()),
        toml::Value::Boolean(on) => RemarshalData::Bool(*on),
        toml::Value::Datetime(time) if time.time.is_none() => RemarshalData::Day(time.to_string()),
        toml::Value::Datetime(time) => RemarshalData::Bare(time.to_string()),
        toml::Value::Array(all) => {
            RemarshalData::List(all.iter().map(|one| of_toml(one, depth + 1)).collect::<Option<_>>()?)
        }
        toml::Value::Table(all) => {
            let members = all.iter().map(|(key, one)| Some((key.clone(), of_toml(one, depth + 1)?)));
            RemarshalData::Map(members.collect::<Option<_>>()?)
        }
    })
}

/// As YAML.
pub(super) fn yaml(data: &RemarshalData) -> String {
    let mut out = String::new();
    match data {
        RemarshalData::List(_) => yaml_list(data, 0, &mut out),
        _ => yaml_map(data, 0, false, &mut out),
    }
    out
}

/// Recursion is bounded by [`MAX_DATA_DEPTH`].
fn yaml_map(data: &RemarshalData, indent: usize, goes_on: bool, out: &mut String) {
    let RemarshalData::Map(members) = data else { return };
    for (number, (key, value)) in members.iter().enumerate() {
        if number > 0 || !goes_on {
            out.push_str(&" ".repeat(indent));
        }
        out.push_str(&yaml_text(key));
        out.push(':');
        yaml_value(value, indent, out);
    }
}

fn yaml_value(value: &RemarshalData, indent: usize, out: &mut String) {
    match value {
        RemarshalData::Map(all) if !all.is_empty() => {
            out.push('\n');
            yaml_map(value, indent + 2, false, out);
        }
        RemarshalData::List(all) if !all.is_empty() => {
            out.push('\n');
            yaml_list(value, indent, out);
        }
        one => {
            out.push(' ');
            yaml_scalar(one, indent + 2, out);
        }
    }
}

fn yaml_list(data: &RemarshalData, indent: usize, out: &mut String) {
    let RemarshalData::List(all) = data else { return };
    for (number, one) in all.iter().enumerate() {
        // the first of a list in a list stands behind its mark
        if number > 0 || !out.ends_with("- ") {
            out.push_str(&" ".repeat(indent));
        }
        out.push_str("- ");
        match one {
            RemarshalData::Map(members) if !members.is_empty() => yaml_map(one, indent + 2, true, out),
            RemarshalData::List(inner) if !inner.is_empty() => yaml_list(one, indent + 2, out),
            one => yaml_scalar(one, indent + 2, out),
        }
    }
}

fn yaml_scalar(value: &RemarshalData, indent: usize, out: &mut String) {
    match value {
        RemarshalData::Null => out.push_str("null"),
        RemarshalData::Bool(on) => out.push_str(if *on { "true" } else { "false" }),
        RemarshalData::Bare(text) => out.push_str(text),
        RemarshalData::Day(text) => out.push_str(&format!("'{text}'")),
        RemarshalData::List(_) => out.push_str("[]"),
        RemarshalData::Map(_) => out.push_str("{}"),
        RemarshalData::Text(text) if text.contains('\n') => {
            out.push_str(if text.ends_with('\n') { "|" } else { "|-" });
            for line in text.trim_end_matches('\n').split('\n') {
                out.push('\n');
                if !line.is_empty() {
                    out.push_str(&" ".repeat(indent));
                    out.push_str(line);
                }
            }
        }
        RemarshalData::Text(text) => out.push_str(&yaml_text(text)),
    }
    out.push('\n');
}

/// A text, with quotes where it would be something else without.
fn yaml_text(text: &str) -> String {
    if needs_quotes(text) { format!("'{}'", text.replace('\'', "''")) } else { text.to_owned() }
}

fn needs_quotes(text: &str) -> bool {
    const WORDS: [&str; 10] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "~"];
    let Some(first) = text.chars().next() else { return true };
    let is_word = WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = digits.contains(|c: char| c.is_ascii_digit())
        && digits.matches('.').count() <= 1
        && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_'));
    let is_other_base =
        digits.len() > 2 && (digits.starts_with("0x") || digits.starts_with("0o") || digits.starts_with("0b"));
    let is_minutes = text.split_once(':').is_some_and(|(hours, minutes)| {
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_digits(hours) && is_digits(minutes)
    });
    let bytes = text.as_bytes();
    let is_date = bytes.len() >= 10
        && bytes[..10]
            .iter()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 4 | 7) { *byte == b'-' } else { byte.is_ascii_digit() });
    is_word
        || is_number
        || is_other_base
        || is_minutes
        || is_date
        || "*&[]{},!|>%'\"@#`".contains(first)
        || text.contains(['#', '\\'])
        || text.contains(": ")
        || text.contains("- ")
        || text.ends_with([':', ' '])
}

/// As TOML.
pub(super) fn toml(data: &RemarshalData) -> String {
    let mut out = String::new();
    toml_table(data, "", 0, &mut out);
    out
}

/// Recursion is bounded by [`MAX_DATA_DEPTH`].
fn toml_table(data: &RemarshalData, path: &str, depth: usize, out: &mut String) {
    let RemarshalData::Map(members) = data else { return };
    let is_map = |value: &RemarshalData| matches!(value, RemarshalData::Map(_));
    let is_tables = |value: &RemarshalData| match value {
        RemarshalData::List(all) => !all.is_empty() && all.iter().all(is_map),
        _ => false,
    };
    let is_table = |value: &RemarshalData| is_map(value) || is_tables(value);
    let indent = "  ".repeat(depth);
    for (key, value) in members.iter().filter(|(_, value)| !is_table(value) && **value != RemarshalData::Null) {
        out.push_str(&format!("{indent}{} = ", toml_key(key)));
        toml_value(value, out);
        out.push('\n');
    }
    for (key, value) in members.iter().filter(|(_, value)| is_table(value)) {
        let key = toml_key(key);
        let below = if path.is_empty() { key } else { format!("{path}.{key}") };
        let inner = "  ".repeat(path.split('.').filter(|part| !part.is_empty()).count());
        match value {
            RemarshalData::List(all) => {
                for one in all {
                    out.push_str(&format!("{inner}[[{below}]]\n"));
                    toml_table(one, &below, depth + 1, out);
                }
            }
            table => {
                out.push_str(&format!("{inner}[{below}]\n"));
                toml_table(table, &below, depth + 1, out);
            }
        }
    }
}

fn toml_key(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if is_bare { key.to_owned() } else { toml_text(key) }
}

fn toml_text(text: &str) -> String {
    if !text.contains('\'') && !text.contains(char::is_control) {
        return format!("'{text}'");
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn toml_value(value: &RemarshalData, out: &mut String) {
    match value {
        RemarshalData::Null => out.push_str("''"),
        RemarshalData::Bool(on) => out.push_str(if *on { "true" } else { "false" }),
        RemarshalData::Bare(text) | RemarshalData::Day(text) => out.push_str(text),
        RemarshalData::Text(text) => out.push_str(&toml_text(text)),
        RemarshalData::List(all) => {
            out.push('[');
            for (number, one) in all.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                toml_value(one, out);
            }
            out.push(']');
        }
        RemarshalData::Map(all) => {
            out.push('{');
            for (number, (key, one)) in all.iter().enumerate() {
                out.push_str(if number > 0 { ", " } else { "" });
                out.push_str(&format!("{} = ", toml_key(key)));
                toml_value(one, out);
            }
            out.push('}');
        }
    }
}

/// As JSON, indented by three.
pub(super) fn remarshal_json(data: &RemarshalData) -> String {
    let mut out = String::new();
    json_value(data, 1, &mut out);
    out.push('\n');
    out
}

fn json_value(value: &RemarshalData, depth: usize, out: &mut String) {
    let inner = "   ".repeat(depth);
    let outer = "   ".repeat(depth - 1);
    match value {
        RemarshalData::Null => out.push_str("null"),
        RemarshalData::Bool(on) => out.push_str(if *on { "true" } else { "false" }),
        RemarshalData::Bare(text) if text.contains(['T', ':']) => out.push_str(&json_text(text)),
        RemarshalData::Bare(text) => out.push_str(text),
        RemarshalData::Day(text) | RemarshalData::Text(text) => out.push_str(&json_text(text)),
        RemarshalData::List(all) if all.is_empty() => out.push_str("[]"),
        RemarshalData::Map(all) if all.is_empty() => out.push_str("{}"),
        RemarshalData::List(all) => {
            out.push_str("[\n");
            for (number, one) in all.iter().enumerate() {
                out.push_str(if number > 0 { ",\n" } else { "" });
                out.push_str(&inner);
                json_value(one, depth + 1, out);
            }
            out.push_str(&format!("\n{outer}]"));
        }
        RemarshalData::Map(all) => {
            out.push_str("{\n");
            for (number, (key, one)) in all.iter().enumerate() {
                out.push_str(if number > 0 { ",\n" } else { "" });
                out.push_str(&format!("{inner}{}: ", json_text(key)));
                json_value(one, depth + 1, out);
            }
            out.push_str(&format!("\n{outer}}}"));
        }
    }
}

/// A text with what Go writes for the marks of HTML.
fn json_text(text: &str) -> String {
    let own = Json::String(text.to_owned()).to_string();
    own.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "title = \"it's\"\nbase = 'a\\b'\nday = 2024-02-07\nflag = true\nlist = ['a', 'on']\n\
        [zed]\nb = 1\n[zed.sub]\nk = 'v: w'\n[[arr]]\nname = 'n'\n[[arr]]\nname = 'm'\n";

    #[test]
    fn data_has_three_forms() {
        let data = parse_remarshal_data(SOURCE).unwrap();
        assert_eq!(
            yaml(&data),
            "arr:\n- name: 'n'\n- name: m\nbase: 'a\\b'\nday: '2024-02-07'\nflag: true\nlist:\n- a\n- 'on'\n\
             title: it's\nzed:\n  b: 1\n  sub:\n    k: 'v: w'\n"
        );
        assert_eq!(
            toml(&data),
            "base = 'a\\b'\nday = 2024-02-07\nflag = true\nlist = ['a', 'on']\ntitle = \"it's\"\n\
             [[arr]]\n  name = 'n'\n[[arr]]\n  name = 'm'\n[zed]\n  b = 1\n  [zed.sub]\n    k = 'v: w'\n"
        );
        assert!(remarshal_json(&data).starts_with("{\n   \"arr\": [\n      {\n         \"name\": \"n\"\n      },\n"));
        assert_eq!(
            parse_remarshal_data("a: 1\nb: \"2\"\n").map(|data| toml(&data)).as_deref(),
            Some("a = 1\nb = '2'\n")
        );
        assert_eq!(
            remarshal_json(&parse_remarshal_data("{\"a\": \"<b>\"}").unwrap()),
            "{\n   \"a\": \"\\u003cb\\u003e\"\n}\n"
        );
    }

    #[test]
    fn texts_have_quotes_where_they_need_them() {
        let quoted =
            ["", "yes", "12", "0x1f", ".5", "10:30", "a # b", "a: b", "- x", "x:", "*x", "{a}", "2024-01-02", "01"];
        assert!(quoted.iter().all(|text| needs_quotes(text)));
        let bare = ["-x", "1.2.3", "12px", "http://x.org", "a:b", "/**", "$x", ":year", "<x", "12:30:45"];
        assert!(!bare.iter().any(|text| needs_quotes(text)));
    }
}
