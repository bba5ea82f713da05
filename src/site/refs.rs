//! `$ref` in `docs.json`: parts of the configuration in files of their own.
//!
//! A target is relative to the file that names it and must lie inside the source folder. Siblings of `$ref` override
//! the members of an object; with any other target they are dropped. A reference that cannot be followed is an error;
//! the siblings stay.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use base::Diagnostic;
use base::cut::SliceText as _;
use base::limits::{CONFIG_BYTES, NESTING, PAGE_NODES};
use base::source_text::{TextEncoding, decode_text};

use super::json::{self, Json, JsonValue, Member, parse_json};
use super::problems::{LoadProblems, line_column};
use super::tree::{self, SourceTree};

/// Replaces every `$ref` below `root`, which stands in the file `path`.
pub fn resolve_json_refs(root: Json, path: &str, files: &SourceTree, problems: &mut LoadProblems) -> Json {
    let mut resolver =
        RefResolver { files, problems, parsed: FxHashMap::default(), stack: vec![path.to_owned()], nodes: 0, depth: 0 };
    resolver.value(root, &mut String::new())
}

/// Reads a JSON file of the tree; says what is unusual about it.
///
/// # Errors
/// The message says why it cannot be used.
pub fn read_json(id: base::FileId, files: &SourceTree, problems: &mut LoadProblems) -> Result<Json, Diagnostic> {
    let path = files.path(id);
    let unusable = |reason: String| Diagnostic::new("config-file", format!("`{path}` {reason}")).at(path, 0, 0);
    let bytes = files.read_at_most(id, CONFIG_BYTES).map_err(|error| unusable(format!("cannot be read: {error}")))?;
    let (text, encoding) = decode_text(&bytes);
    if encoding == TextEncoding::Invalid {
        return Err(unusable("is not UTF-8".to_owned()));
    }
    problems.found.extend(encoding.problem(path));
    let source = problems.add_source(path, text.into_owned());
    let text = &problems.sources[source as usize].1;
    let parsed = parse_json(text, source).map_err(|error| {
        // a file that ends too early is shown where it ends, not in the empty line after that
        let offset = if text.slice(error.offset..).trim().is_empty() { text.trim_end().len() } else { error.offset };
        let (line, column) = line_column(text, offset);
        unusable(format!("is not JSON: expected {}", error.message))
            .at(path, line, column)
            .hint(correction(text, &error))
    })?;
    if let Some(spot) = parsed.relaxed_at {
        let message = format!("`{path}` is not valid JSON: it has comments or trailing commas");
        problems
            .at(spot, Diagnostic::new("config-relaxed-json", message).hint("remove them: other tools reject the file"));
    }
    for (key, spot) in parsed.repeated {
        problems.at(
            spot,
            Diagnostic::new("config-repeated-key", format!("`{key}` is repeated in one object; the last one is used")),
        );
    }
    Ok(parsed.json)
}

/// What to do about a text that is no JSON.
fn correction(text: &str, error: &json::JsonError) -> &'static str {
    let rest = text.slice(error.offset..).trim_start();
    match error.message {
        _ if text.trim().is_empty() => "the file is empty; write an object, `{ … }`",
        _ if rest.is_empty() => "the file ends too early; close all brackets and quotes",
        _ if rest.starts_with('\'') => "write double quotes instead of single ones",
        "`,` or `}`" | "`,` or `]`" => "add a comma before it",
        "the closing quote of this string" => "close the string on its line; write a line break in it as `\\n`",
        "`:`" => "add a colon between the key and its value",
        "a key in double quotes or `}`" => "put the key in double quotes",
        "a value" => "write a string in double quotes, a number, `true`, `false`, `null`, an array or an object",
        "the end of the file" => "remove the text after the last bracket",
        _ => "correct it: the file has to be JSON",
    }
}

struct RefResolver<'a> {
    files: &'a SourceTree,
    problems: &'a mut LoadProblems,
    /// Files read so far; `None` for those that are of no use.
    parsed: FxHashMap<String, Option<Rc<Json>>>,
    /// The files whose references are being followed, outermost first.
    stack: Vec<String>,
    /// Values made so far: bounds what references to references may grow to.
    nodes: usize,
    depth: usize,
}

impl RefResolver<'_> {
    fn value(&mut self, json: Json, path: &mut String) -> Json {
        let at = json.at;
        self.nodes += 1;
        if self.nodes == PAGE_NODES || self.depth > NESTING {
            let reason = if self.depth > NESTING { "too deep" } else { "too large" };
            self.problems.at(
                at,
                Diagnostic::new("config-ref", format!("`{path}`: with its `$ref`s, the configuration is {reason}")),
            );
        }
        if self.nodes >= PAGE_NODES || self.depth > NESTING {
            return Json::new(at, JsonValue::Null);
        }
        self.depth += 1;
        let value = match json.value {
            JsonValue::Array(items) => JsonValue::Array(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(index, item)| self.step(&format!("[{index}]"), item, path))
                    .collect(),
            ),
            JsonValue::Object(members) => self.object(members, path),
            other => other,
        };
        self.depth -= 1;
        Json::new(at, value)
    }

    fn step(&mut self, step: &str, json: Json, path: &mut String) -> Json {
        let length = path.len();
        path.push_str(step);
        let json = self.value(json, path);
        path.truncate(length);
        json
    }

    fn member(&mut self, member: Member, path: &mut String) -> Member {
        let step = if path.is_empty() { member.key.clone() } else { format!(".{}", member.key) };
        let json = self.step(&step, member.json, path);
        Member { json, ..member }
    }

    fn object(&mut self, members: Vec<Member>, path: &mut String) -> JsonValue {
        let reference =
            members.iter().find(|member| member.key == "$ref").filter(|member| member.json.as_str().is_some());
        let Some(reference) = reference.map(|member| member.json.clone()) else {
            return JsonValue::Object(members.into_iter().map(|member| self.member(member, path)).collect());
        };
        let mut merged = match self.target(&reference, path) {
            Some(JsonValue::Object(members)) => members,
            Some(other) => return other,
            None => Vec::new(),
        };
        for member in members.into_iter().filter(|member| member.key != "$ref") {
            let member = self.member(member, path);
            match merged.iter_mut().find(|old| old.key == member.key) {
                Some(old) => *old = member,
                None => merged.push(member),
            }
        }
        JsonValue::Object(merged)
    }

    /// The resolved value of a reference's file.
    fn target(&mut self, reference: &Json, path: &mut String) -> Option<JsonValue> {
        let name = reference.as_str().unwrap_or_default();
        let file = match self.locate(name) {
            Ok(file) => file,
            Err(reason) => {
                let message = format!("`{path}`: `$ref` to `{name}` {reason}");
                let hint =
                    "a `$ref` is the path of a JSON file in the documentation folder, relative to the file that has it";
                self.problems.at(reference.at, Diagnostic::new("config-ref", message).hint(hint));
                return None;
            }
        };
        let json = self.file(&file)?;
        self.stack.push(file);
        let resolved = self.value(Json::clone(&json), path);
        self.stack.pop();
        Some(resolved.value)
    }

    fn locate(&self, name: &str) -> Result<String, &'static str> {
        if name.starts_with('/') || name.contains('\\') || name.contains(':') {
            return Err("is not a relative path");
        }
        let here = self.stack.last().map_or("", |file| tree::folder(file));
        let file = tree::join_document_path(here, name).ok_or("leads out of the documentation folder")?;
        if self.stack.contains(&file) {
            return Err("refers to itself");
        }
        if self.files.find_any(&file).is_none() {
            return Err("names a file that does not exist");
        }
        Ok(file)
    }

    fn file(&mut self, file: &str) -> Option<Rc<Json>> {
        if let Some(known) = self.parsed.get(file) {
            return known.clone();
        }
        let id = self.files.find_any(file)?;
        let json = match read_json(id, self.files, self.problems) {
            Ok(json) => Some(Rc::new(json)),
            Err(problem) => {
                self.problems.found.push(problem);
                None
            }
        };
        self.parsed.insert(file.to_owned(), json.clone());
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(files: &[(&str, &str)]) -> (String, Vec<Diagnostic>) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            std::fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        let (tree, _) = SourceTree::list(folder.path());
        let mut problems = LoadProblems::default();
        let json = read_json(tree.find("docs.json").unwrap(), &tree, &mut problems).unwrap();
        let json = resolve_json_refs(json, "docs.json", &tree, &mut problems);
        (json.to_value().to_string(), problems.finish())
    }

    #[track_caller]
    fn check(files: &[(&str, &str)], expect: &str) {
        let (json, problems) = resolved(files);
        assert_eq!((json.as_str(), problems.len()), (expect, 0), "{problems:?}");
    }

    #[track_caller]
    fn check_error(files: &[(&str, &str)], expect: &str, message: &str) {
        let (json, problems) = resolved(files);
        assert_eq!(json, expect);
        assert_eq!(problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>(), [message]);
        assert!(problems[0].line > 0, "{problems:?}");
    }

    #[test]
    fn references_are_relative_to_their_file() {
        check(
            &[
                ("docs.json", r#"{"n": {"$ref": "./config/nav.json", "b": 3}}"#),
                ("config/nav.json", r#"{"a": {"$ref": "deep/x.json"}, "b": 2}"#),
                ("config/deep/x.json", r#"[1, {"$ref": "../y.json"}]"#),
                ("config/y.json", "\"y\""),
            ],
            r#"{"n":{"a":[1,"y"],"b":3}}"#,
        );
    }

    #[test]
    fn siblings_of_other_targets_are_dropped() {
        check(&[("docs.json", r#"{"r": {"$ref": "r.json", "x": 1}}"#), ("r.json", "[1]")], r#"{"r":[1]}"#);
    }

    #[test]
    fn what_cannot_be_followed_is_told() {
        let docs = |to: &str| format!(r#"{{"a": [{{"$ref": "{to}", "x": 1}}]}}"#);
        let rest = r#"{"a":[{"x":1}]}"#;
        check_error(
            &[("docs.json", &docs("../x.json"))],
            rest,
            "`a[0]`: `$ref` to `../x.json` leads out of the documentation folder",
        );
        check_error(&[("docs.json", &docs("/etc/x"))], rest, "`a[0]`: `$ref` to `/etc/x` is not a relative path");
        check_error(
            &[("docs.json", &docs("no.json"))],
            rest,
            "`a[0]`: `$ref` to `no.json` names a file that does not exist",
        );
        check_error(&[("docs.json", &docs("docs.json"))], rest, "`a[0]`: `$ref` to `docs.json` refers to itself");
        check_error(
            &[("docs.json", &docs("b.json")), ("b.json", "{")],
            rest,
            "`b.json` is not JSON: expected a key in double quotes or `}`",
        );
    }

    #[test]
    fn references_cannot_grow_without_bound() {
        let mut files: Vec<(String, String)> = Vec::new();
        for level in 0..12 {
            let next = format!(r#"{{"$ref": "{}.json"}}"#, level + 1);
            let name = if level == 0 { "docs.json".to_owned() } else { format!("{level}.json") };
            files.push((name, format!("[{}]", vec![next; 10].join(","))));
        }
        files.push(("12.json".to_owned(), "1".to_owned()));
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let (_, problems) = resolved(&files);
        assert_eq!(problems.len(), 1, "{:?}", problems.first());
        assert!(problems[0].message.contains("too large"), "{problems:?}");
    }
}
