//! The configuration of Hugo: one file, or a folder of them, as TOML, YAML or JSON, whose keys have no case.

use serde_json::{Map, Value};

use load::tool::{FolderView, ToolInput};
use site::yaml::parse_yaml;

/// Names of files that may stand in a folder of configurations, for where it cannot be listed.
const PARTS: [&str; 5] = ["hugo", "config", "module", "languages", "params"];
/// Folders of configurations, of which the later count more: that of the environment in which sites are published.
const FOLDERS: [&str; 2] = ["config/_default", "config/production"];
/// Endings of configurations.
pub(super) const ENDINGS: [&str; 4] = [".toml", ".yaml", ".yml", ".json"];

/// Reads the configuration: its file and those in the folders for it. Returns their paths too.
pub(super) fn read_hugo_config(source: &ToolInput<'_>) -> (Value, Vec<String>) {
    let root = super::project_folder(source.config);
    let is_config = |path: &str| ENDINGS.iter().any(|ending| path.ends_with(ending));
    let folders = FOLDERS.map(|folder| format!("{root}{folder}"));
    let parts = folders.iter().flat_map(|folder| source.tree.below(folder)).map(|(_, file)| file.path.clone());
    let paths = std::iter::once(source.config.to_owned()).chain(parts.filter(|path| is_config(path)));
    put_together(paths, &|path| source.text(path))
}

/// The same of a folder that is only looked at, as far as the folders of pages are concerned.
pub(super) fn read_hugo_config_of_view(view: &FolderView<'_>, config: &str) -> Value {
    let root = super::project_folder(config);
    let names = FOLDERS.iter().flat_map(|folder| PARTS.iter().map(move |part| format!("{root}{folder}/{part}")));
    let parts = names.flat_map(|name| ENDINGS.iter().map(move |ending| format!("{name}{ending}")));
    put_together(std::iter::once(config.to_owned()).chain(parts), &|path| view.text(path)).0
}

/// What files say, each of which counts more than those before it.
fn put_together(paths: impl Iterator<Item = String>, text_of: &dyn Fn(&str) -> Option<String>) -> (Value, Vec<String>) {
    let mut value = Value::Object(Map::new());
    let mut files = Vec::new();
    for path in paths {
        if files.contains(&path) {
            continue;
        }
        let Some(text) = text_of(&path) else { continue };
        let own = parse_hugo_data(&path, &text);
        let own = part_keys(&path).into_iter().rev().fold(own, |inner, key| {
            let key = if key == "menu" { "menus" } else { key };
            Value::Object(Map::from_iter([(key.to_owned(), inner)]))
        });
        override_with(&mut value, with_menus(own));
        files.push(path);
    }
    (value, files)
}

/// The keys below which a file of a folder of configurations stands: `params.toml` is `params`, `menus.en.toml` is
/// `languages.en.menus`, `languages.en.toml` is `languages.en`. None for the configuration itself.
fn part_keys(path: &str) -> Vec<&str> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_part = FOLDERS.iter().any(|known| {
        let rest = folder.split_once(known).map(|(_, rest)| rest);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    if !is_part || matches!(stem, "hugo" | "config") {
        return Vec::new();
    }
    match stem.split_once('.') {
        Some((part @ ("params" | "menus" | "menu"), code)) => vec!["languages", code, part],
        Some((_, code)) => vec!["languages", code],
        None => vec![stem],
    }
}

/// A configuration whose menus have their newer name, in languages too.
fn with_menus(mut value: Value) -> Value {
    let rename = |value: &mut Value| {
        let menu = value.as_object_mut().and_then(|all| all.remove("menu"));
        if let Some(menu) = menu {
            override_with(value, Value::Object(Map::from_iter([("menus".to_owned(), menu)])));
        }
    };
    rename(&mut value);
    for (_, language) in value.get_mut("languages").and_then(Value::as_object_mut).into_iter().flatten() {
        rename(language);
    }
    value
}

/// Puts values in the places of those that are there; mappings are put together. Recursion is bounded by the parsers.
fn override_with(into: &mut Value, own: Value) {
    match (into, own) {
        (Value::Object(there), Value::Object(own)) => {
            for (key, value) in own {
                override_with(there.entry(key).or_insert(Value::Null), value);
            }
        }
        (_, Value::Null) => {}
        (into, own) => *into = own,
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
    // modules lie in the folder for them, or are themes
    let imports = value_at_path(value, "module.imports").and_then(Value::as_array).into_iter().flatten();
    for path in imports.filter_map(|import| text_at(import, "path")) {
        layers.extend(["_vendor", "themes"].map(|below| format!("{folder}{below}/{path}/")));
    }
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
        text.parse::<toml::Table>().ok().map(|table| json_of_toml(toml::Value::Table(table)))
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

/// A value of TOML, dates as texts. Recursion is bounded by the parser.
fn json_of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Boolean(on) => Value::Bool(on),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(all) => all.into_iter().map(json_of_toml).collect(),
        toml::Value::Table(all) => all.into_iter().map(|(key, value)| (key, json_of_toml(value))).collect(),
    }
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
        assert_eq!(parse_hugo_data("a.toml", "day = 2026-01-02\n"), serde_json::json!({ "day": "2026-01-02" }));
        assert_eq!(parse_hugo_data("hugo.toml", "= ="), Value::Null);
        for (path, keys) in [
            ("hugo.toml", &[][..]),
            ("site/config/_default/hugo.yaml", &[]),
            ("config/_default/params.toml", &["params"]),
            ("config/_default/menus.en.toml", &["languages", "en", "menus"]),
            ("config/production/more/languages.zh-cn.json", &["languages", "zh-cn"]),
            ("config/_defaults/params.toml", &[]),
        ] {
            assert_eq!(part_keys(path), keys, "{path}");
        }
        assert_eq!(parse_hugo_data("data.yaml", "- A: 1\n- b\n"), serde_json::json!([{ "a": 1 }, "b"]));
    }
}
