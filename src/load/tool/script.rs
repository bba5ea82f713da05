//! Configurations that are programs: what runs them stands in a crate above.

use serde_json::Value;

use base::Diagnostic;
use site::problems::LoadProblems;
use site::tree;

use super::ToolInput;

/// A program that gives a configuration.
pub struct ConfigScript<'a> {
    /// Its path.
    pub path: &'a str,
    /// The text of a file that it imports or reads, by its path from the root of the source.
    pub read: &'a dyn Fn(&str) -> Option<String>,
    /// The names in a folder, by the same.
    pub list: &'a dyn Fn(&str) -> Option<Vec<String>>,
}

impl std::fmt::Debug for ConfigScript<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConfigScript").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Runs programs that give a configuration, within bounds and without any access but to the files of the source.
pub trait Evaluate: std::fmt::Debug + Sync {
    /// The default export of a program (or `module.exports`), as JSON. What cannot be said in JSON, as functions, is
    /// left out. A call of an imported package is `{"$call": name, "$from": package, "$with": [arguments]}`.
    ///
    /// # Errors
    /// A sentence: it cannot be run.
    fn evaluate(&self, script: &ConfigScript<'_>) -> Result<Value, String>;
}

/// The value of a program of the source; what is wrong with it is reported, and it is `null` then.
pub fn run_config_script(source: &ToolInput<'_>, path: &str, problems: &mut LoadProblems) -> Value {
    let Some(evaluate) = source.evaluate else { return Value::Null };
    if path.is_empty() {
        return Value::Null;
    }
    let list = |folder: &str| {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below = source.tree.files.iter().filter_map(|file| file.path.strip_prefix(&prefix));
        let mut names: Vec<String> = below.map(|rest| rest.split('/').next().unwrap_or_default().to_owned()).collect();
        names.dedup();
        (!names.is_empty()).then_some(names)
    };
    let script = ConfigScript { path, read: &|path| source.text(path), list: &list };
    evaluate.evaluate(&script).unwrap_or_else(|why| {
        let message = format!("`{}` cannot be evaluated: {why}", tree::composed(path));
        problems.found.push(
            Diagnostic::new("config-script", message)
                .at(path, 0, 0)
                .hint("the pages are exported in the order of their folders; write what depends on the environment as plain values"),
        );
        Value::Null
    })
}

/// The value at a path of keys.
pub fn json_at_path<'v>(value: &'v Value, keys: &[&str]) -> &'v Value {
    static NOTHING: Value = Value::Null;
    keys.iter().try_fold(value, |value, key| value.get(key)).unwrap_or(&NOTHING)
}

/// The values of a list at a path of keys; none if it is no list.
pub fn list_at_path<'v>(value: &'v Value, keys: &[&str]) -> &'v [Value] {
    json_at_path(value, keys).as_array().map_or(&[], Vec::as_slice)
}

/// The text of a value, or the words of one that is an element of JSX.
pub fn element_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(all) => all.iter().map(element_words).collect(),
        // `stub` in the realm that runs configurations notes elements so, with properties and children
        Value::Object(call) if call.get("$from").and_then(Value::as_str) == Some("element") => {
            call.get("$with").and_then(|with| with.get(1)).map(element_words).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// A text at a path of keys.
pub fn text_at<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v str> {
    json_at_path(value, keys).as_str().map(str::trim).filter(|text| !text.is_empty())
}
