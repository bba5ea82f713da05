//! The files of `data`, which templates read: `data/a/b.yaml` is `site.Data.a.b`.

use serde_json::{Map, Value};

use crate::source::site::tool::Opening;

use super::config::{ENDINGS, parse_as_written};

/// Largest file that is read, bytes.
const MAX_FILE_BYTES: usize = 512 << 10;
/// Most bytes of all files that are read.
const MAX_BYTES: usize = 4 << 20;

/// Reads the files. A file that is not read is as if it were not there.
pub(super) fn read_data_folder(source: &Opening<'_>, folder: &str, files: &mut Vec<String>) -> Value {
    let start = format!("{folder}data/");
    let mut data = Value::Object(Map::new());
    let mut left = MAX_BYTES;
    for file in source.tree.files.iter().filter(|file| file.path.starts_with(&start)) {
        let Some(name) = ENDINGS.iter().find_map(|ending| file.path[start.len()..].strip_suffix(ending)) else {
            continue;
        };
        let Some(text) = source.text(&file.path).filter(|text| text.len() <= MAX_FILE_BYTES.min(left)) else {
            continue;
        };
        left -= text.len();
        files.push(file.path.clone());
        put_at_path(&mut data, name, parse_as_written(&file.path, &text));
    }
    data
}

/// The words of a language, which templates ask for by names: `i18n/en.yaml`.
pub(super) fn read_translations(source: &Opening<'_>, folder: &str, language: &str, files: &mut Vec<String>) -> Value {
    let found = ["", &format!("{language}/")].into_iter().find_map(|below| {
        ENDINGS.iter().find_map(|ending| {
            let path = format!("{folder}i18n/{below}{language}{ending}");
            source.text(&path).map(|text| (path, text))
        })
    });
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
    *at = value;
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
    fn files_are_below_their_folders() {
        let mut data = Value::Null;
        put_at_path(&mut data, "a/b", Value::from(1));
        put_at_path(&mut data, "a/c", Value::from(2));
        put_at_path(&mut data, "d", Value::from(3));
        assert_eq!(data, serde_json::json!({ "a": { "b": 1, "c": 2 }, "d": 3 }));
    }
}
