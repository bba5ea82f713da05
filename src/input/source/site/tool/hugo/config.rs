//! The configuration of Hugo: one file, or a folder of them, as TOML, YAML or JSON, whose keys have no case.

use serde_json::{Map, Value};

use crate::source::site::tool::Opening;
use crate::source::site::yaml::parse_yaml;

/// Files beside the configuration of a folder `config/_default` and the key that each stands for; those of one language
/// have its code before the ending.
const PARTS: [&str; 11] = [
    "params",
    "languages",
    "menus",
    "menu",
    "permalinks",
    "module",
    "markup",
    "services",
    "build",
    "taxonomies",
    "outputs",
];
/// Endings of configurations.
pub(super) const ENDINGS: [&str; 4] = [".toml", ".yaml", ".yml", ".json"];

/// Reads the configuration and the files beside it; returns their paths too.
pub(super) fn read_hugo_config(source: &Opening<'_>) -> (Value, Vec<String>) {
    let text = source.text(source.config).unwrap_or_default();
    let mut value = parse_hugo_data(source.config, &text);
    let mut files = vec![source.config.to_owned()];
    let folder = source.folder();
    if folder.ends_with("config/_default") {
        for part in PARTS {
            add_part(source, &format!("{folder}/{part}"), part, &mut value, &mut files);
        }
        of_languages(source, folder, &mut value, &mut files);
    }
    if !value.is_object() {
        value = Value::Object(Map::new());
    }
    // the older name
    if let Some(menu) = value.get("menu").cloned() {
        merge_under_key(&mut value, "menus", menu);
    }
    (value, files)
}

/// `menus.en.toml`, `params.en.toml`: what one language has.
fn of_languages(source: &Opening<'_>, folder: &str, value: &mut Value, files: &mut Vec<String>) {
    for (code, language) in value.get_mut("languages").and_then(Value::as_object_mut).into_iter().flatten() {
        for part in ["menus", "menu", "params"] {
            add_part(source, &format!("{folder}/{part}.{code}"), part, language, files);
        }
    }
}

/// Puts what a file of a part says into a value, if there is one with one of the endings.
fn add_part(source: &Opening<'_>, stem: &str, part: &str, into: &mut Value, files: &mut Vec<String>) {
    let mut paths = ENDINGS.iter().map(|ending| format!("{stem}{ending}"));
    let Some((path, text)) = paths.find_map(|path| source.text(&path).map(|text| (path, text))) else { return };
    let key = if part == "menu" { "menus" } else { part };
    merge_under_key(into, key, parse_hugo_data(&path, &text));
    files.push(path);
}

/// Puts a value under a key, beside what is there.
fn merge_under_key(into: &mut Value, key: &str, own: Value) {
    let Value::Object(all) = into else { return };
    match (all.get_mut(key), own) {
        (Some(Value::Object(there)), Value::Object(own)) => {
            for (name, value) in own {
                there.entry(name).or_insert(value);
            }
        }
        (_, own) => {
            all.insert(key.to_owned(), own);
        }
    }
}

/// Whether brackets behind backslashes are around formulas.
pub(super) fn has_math(value: &Value) -> bool {
    const KEY: &str = "markup.goldmark.extensions.passthrough";
    let mut delimiters = value_at_path(value, &format!("{KEY}.delimiters.inline"))
        .into_iter()
        .chain(value_at_path(value, &format!("{KEY}.delimiters.block")));
    flag_at(value, &format!("{KEY}.enable")) == Some(true)
        && delimiters.any(|pairs| {
            let mut pairs = pairs.as_array().into_iter().flatten().filter_map(Value::as_array);
            pairs.any(|pair| pair.first().and_then(Value::as_str).is_some_and(|open| matches!(open, "\\(" | "\\[")))
        })
}

/// The folders whose layouts count, the project's first: those of its themes follow, and that around a site of a theme
/// that is shown by it.
pub(super) fn layers(value: &Value, folder: &str) -> Vec<String> {
    let mut layers = vec![folder.to_owned()];
    let themes = match value.get("theme") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    layers.extend(themes.iter().map(|name| format!("{folder}themes/{name}/")));
    if !folder.is_empty() {
        layers.push(String::new());
    }
    layers
}

/// A text as data, by the ending of its file; keys in lower case.
pub(super) fn parse_hugo_data(path: &str, text: &str) -> Value {
    lower_keys(parse_as_written(path, text))
}

/// A text as data, by the ending of its file.
pub(super) fn parse_as_written(path: &str, text: &str) -> Value {
    let value = if path.ends_with(".toml") {
        text.parse::<toml::Table>().ok().and_then(|table| serde_json::to_value(table).ok())
    } else if path.ends_with(".json") {
        serde_json::from_str(text).ok()
    } else {
        let entries = parse_yaml(text, true).ok().filter(|entries| !entries.is_empty());
        let mapping =
            entries.map(|entries| entries.into_iter().map(|entry| (entry.key, entry.value.to_json())).collect());
        // a list of data
        let list = || serde_saphyr::from_str::<Value>(text).ok().filter(Value::is_array);
        mapping.or_else(list)
    };
    value.unwrap_or_default()
}

/// Keys in lower case. Recursion is bounded by the parsers.
pub(super) fn lower_keys(value: Value) -> Value {
    match value {
        Value::Object(all) => all.into_iter().map(|(key, value)| (key.to_lowercase(), lower_keys(value))).collect(),
        Value::Array(all) => all.into_iter().map(lower_keys).collect(),
        other => other,
    }
}

/// A text, number or switch as text.
pub(super) fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(on) => Some(on.to_string()),
        _ => None,
    }
}

/// The value at a path of keys in lower case.
pub(super) fn value_at_path<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, key| value.get(key))
}

/// The text at a path of keys in lower case.
pub(super) fn text_at(value: &Value, path: &str) -> Option<String> {
    value_at_path(value, path).and_then(scalar_text)
}

/// A switch, which YAML gives as text.
pub(super) fn flag_at(value: &Value, path: &str) -> Option<bool> {
    match text_at(value, path)?.as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// A number, which YAML gives as text.
pub(super) fn number_at(value: &Value, path: &str) -> Option<f64> {
    text_at(value, path)?.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_say_the_same() {
        let toml = parse_hugo_data("hugo.toml", "baseURL = 'x'\n[params.UI]\nnavbar_logo = true\nweight = 3\n");
        let yaml = parse_hugo_data("hugo.yaml", "baseURL: x\nparams:\n  UI:\n    navbar_logo: true\n    weight: 3\n");
        let json =
            parse_hugo_data("hugo.json", r#"{"baseURL": "x", "params": {"UI": {"navbar_logo": true, "weight": 3}}}"#);
        for value in [toml, yaml, json] {
            assert_eq!(text_at(&value, "baseurl").as_deref(), Some("x"));
            assert_eq!(flag_at(&value, "params.ui.navbar_logo"), Some(true));
            assert_eq!(number_at(&value, "params.ui.weight"), Some(3.0));
        }
        assert_eq!(parse_hugo_data("hugo.toml", "= ="), Value::Null);
        assert_eq!(parse_hugo_data("data.yaml", "- A: 1\n- b\n"), serde_json::json!([{ "a": 1 }, "b"]));
    }
}
