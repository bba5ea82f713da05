//! The files of `data`, which templates read: `data/a/b.yaml` is `site.Data.a.b`.

use serde_json::{Map, Value};

use base::Diagnostic;
use load::tool::ToolInput;
use site::problems::LoadProblems;

use super::HugoSettings;
use super::config::{ENDINGS, layers, parse_as_written, text_at};
use super::mounts::{in_source, mounted_as};

/// Endings of data that is no configuration.
const OTHER_ENDINGS: [&str; 1] = [".csv"];
/// Largest file that is read, bytes.
const MAX_FILE_BYTES: usize = 512 << 10;
/// Most bytes of all files that are read.
const MAX_DATA_FILES_BYTES: usize = 4 << 20;

/// A file of data, whose numbers and switches are no texts.
fn parse_typed_data(path: &str, text: &str) -> Value {
    if path.ends_with(".csv") {
        return parse_csv(text);
    }
    let is_yaml = path.ends_with(".yaml") || path.ends_with(".yml");
    let typed = is_yaml.then(|| serde_saphyr::from_str::<Value>(text).ok()).flatten();
    typed.unwrap_or_else(|| parse_as_written(path, text))
}

/// Rows of texts between commas, as RFC 4180 has them.
fn parse_csv(text: &str) -> Value {
    let mut rows: Vec<Value> = Vec::new();
    let (mut row, mut field) = (Vec::new(), String::new());
    let (mut is_quoted, mut is_begun) = (false, false);
    let mut chars = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if is_quoted || field.is_empty() => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(Value::from(std::mem::take(&mut field))),
            '\r' if !is_quoted && chars.peek() == Some(&'\n') => continue,
            '\n' if !is_quoted => {
                if is_begun {
                    row.push(Value::from(std::mem::take(&mut field)));
                    rows.push(Value::Array(std::mem::take(&mut row)));
                }
                is_begun = false;
                continue;
            }
            c => field.push(c),
        }
        is_begun = true;
    }
    if is_begun {
        row.push(Value::from(field));
        rows.push(Value::Array(row));
    }
    Value::Array(rows)
}

/// The folders of data, and where below the data what they hold appears: those of the project before those of its themes.
fn data_folders(value: &Value, folder: &str) -> Vec<(String, String)> {
    let mut folders = mounted_as(value, folder, "data");
    if folders.is_empty() {
        let own = text_at(value, "datadir").unwrap_or_else(|| "data".to_owned());
        folders.extend(in_source(folder, &own).map(|own| (own, String::new())));
    }
    folders.extend(layers(value, folder).iter().skip(1).map(|layer| (format!("{layer}data"), String::new())));
    folders
}

/// Says which files of data are not read: templates find nothing there.
pub(super) fn tell_unread_data(settings: &HugoSettings, source: &ToolInput<'_>, problems: &mut LoadProblems) {
    for (folder, _) in data_folders(&settings.value, &settings.folder) {
        for file in source.tree.below(&folder).map(|(_, file)| file).filter(|file| !file.ignored) {
            let is_data = ENDINGS.iter().chain(&OTHER_ENDINGS).any(|ending| file.path.ends_with(ending));
            let message = if file.path.to_lowercase().ends_with(".xml") {
                format!("`{}` is data in a format that is not read; what templates show of it is missing", file.path)
            } else if is_data && file.size > MAX_FILE_BYTES as u64 {
                format!("`{}` is larger than the data that is read; what templates show of it is missing", file.path)
            } else {
                continue;
            };
            let hint = "write it as YAML, JSON, TOML or CSV, in files of at most 512 kB";
            problems.found.push(Diagnostic::new("data-unread", message).at(file.path.as_str(), 0, 0).hint(hint));
        }
    }
}

/// Reads the files of the folders of data: what the project says counts more than what its themes say. A file that is not
/// read is as if it were not there.
pub(super) fn read_data_folder(source: &ToolInput<'_>, value: &Value, folder: &str, files: &mut Vec<String>) -> Value {
    let folders = data_folders(value, folder);
    let mut data = Value::Object(Map::new());
    let mut left = MAX_DATA_FILES_BYTES;
    for (folder, at) in folders {
        for file in source.tree.below(&folder).map(|(_, file)| file) {
            let mut endings = ENDINGS.iter().chain(&OTHER_ENDINGS);
            let below = file.path.strip_prefix(&folder).unwrap_or_default().trim_start_matches('/');
            let Some(name) = endings.find_map(|ending| below.strip_suffix(ending)) else { continue };
            let Some(text) = source.text(&file.path).filter(|text| text.len() <= MAX_FILE_BYTES.min(left)) else {
                continue;
            };
            left -= text.len();
            files.push(file.path.clone());
            let name = if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") };
            put_at_path(&mut data, &name, parse_typed_data(&file.path, &text));
        }
    }
    data
}

/// The words of a language, which templates ask for by names: `i18n/en.yaml`.
pub(super) fn read_translations(
    source: &ToolInput<'_>,
    value: &Value,
    folder: &str,
    language: &str,
    files: &mut Vec<String>,
) -> Value {
    let mounted = mounted_as(value, folder, "i18n").into_iter().map(|(folder, _)| format!("{folder}/"));
    let folders: Vec<String> = mounted.chain([format!("{folder}i18n/")]).collect();
    let belows = folders.iter().flat_map(|folder| [folder.clone(), format!("{folder}{language}/")]);
    let mut paths = belows.flat_map(|below| ENDINGS.iter().map(move |ending| format!("{below}{language}{ending}")));
    let found = paths.find_map(|path| source.text(&path).map(|text| (path, text)));
    let Some((path, text)) = found else { return Value::Null };
    let value = parse_as_written(&path, &text);
    files.push(path);
    value
}

/// The word of a name: a text, or the form for any number.
pub(super) fn word<'w>(words: &'w Value, name: &str) -> Option<&'w str> {
    let found = match words {
        // the older form
        Value::Array(all) => {
            let of_name = |entry: &&Value| entry.get("id").and_then(Value::as_str) == Some(name);
            all.iter().find(of_name)?.get("translation")?
        }
        words => words.get(name)?,
    };
    found.as_str().or_else(|| found.get("other")?.as_str())
}

/// Puts a value at a path of names.
fn put_at_path(data: &mut Value, path: &str, value: Value) {
    let mut at = data;
    for name in path.split('/') {
        if !at.is_object() {
            *at = Value::Object(Map::new());
        }
        let Value::Object(members) = at else { return };
        at = members.entry(name).or_insert(Value::Null);
    }
    add_to(at, value);
}

/// Adds data to what is there, which counts more. Recursion is bounded by the parsers.
fn add_to(there: &mut Value, more: Value) {
    match (there, more) {
        (Value::Object(there), Value::Object(more)) => {
            for (key, value) in more {
                add_to(there.entry(key).or_insert(Value::Null), value);
            }
        }
        (there @ Value::Null, more) => *there = more,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_forms() {
        let words = serde_json::json!({ "a": "A", "b": { "one": "B", "other": "Bs" } });
        assert_eq!((word(&words, "a"), word(&words, "b"), word(&words, "c")), (Some("A"), Some("Bs"), None));
        let older = serde_json::json!([{ "id": "a", "translation": "A" }]);
        assert_eq!((word(&older, "a"), word(&older, "b")), (Some("A"), None));
    }

    #[test]
    fn data_has_types() {
        let yaml = "on: false\ncount: 3\nwords: \"3\"\nlist: [1, true, ~]\n";
        let expect = serde_json::json!({ "on": false, "count": 3, "words": "3", "list": [1, true, null] });
        assert_eq!(parse_typed_data("data/a.yaml", yaml), expect);
        let rows = serde_json::json!([["a", "b, \"c\""], ["", "d\ne"], ["f"]]);
        assert_eq!(parse_typed_data("data/a.csv", "a,\"b, \"\"c\"\"\"\r\n\r\n,\"d\ne\"\nf"), rows);
    }

    #[test]
    fn files_are_below_their_folders() {
        let mut data = Value::Null;
        put_at_path(&mut data, "a/b", Value::from(1));
        put_at_path(&mut data, "a/c", Value::from(2));
        put_at_path(&mut data, "d", Value::from(3));
        assert_eq!(data, serde_json::json!({ "a": { "b": 1, "c": 2 }, "d": 3 }));
    }
}
