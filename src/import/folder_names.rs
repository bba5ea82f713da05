//! Names by which scripts call folders: `"@/*": ["./src/*"]` in `tsconfig.json` or `jsconfig.json`.

use serde_json::Value;

use base::cut::SliceText as _;
use load::tool::ToolInput;
use load::tool::script::{json_at_path, text_at};
use site::tree;

/// What names begin with, and the folders that they stand for, from the root of the source. `root` is the folder of the
/// project.
pub(super) fn folder_names(source: &ToolInput<'_>, root: &str) -> Vec<(String, String)> {
    let files = ["tsconfig.json", "jsconfig.json"];
    let text = files.iter().find_map(|name| source.text(&tree::join_document_path(root, name)?)).unwrap_or_default();
    let value = serde_json::from_str::<Value>(&strip_json_comments(&text)).unwrap_or_default();
    let base = text_at(&value, &["compilerOptions", "baseUrl"]).unwrap_or(".");
    let mut names = Vec::new();
    for (name, to) in json_at_path(&value, &["compilerOptions", "paths"]).as_object().into_iter().flatten() {
        let to = to.get(0).and_then(Value::as_str).and_then(|to| to.strip_suffix('*'));
        let folder = to.and_then(|to| tree::join_document_path(root, &format!("{base}/{to}")));
        if let (Some(name), Some(folder)) = (name.strip_suffix('*').filter(|name| !name.is_empty()), folder) {
            names.push((name.to_owned(), folder));
        }
    }
    names
}

/// JSON without lines of comments and commas at the end of lists.
fn strip_json_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let is_last = c == ',' && text.slice(at + 1..).trim_start().starts_with(['}', ']']);
        if !is_last {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn comments_and_last_commas_are_no_json() {
        let text = "{\n  // a\n  \"a\": [1, 2,],\n}";
        assert_eq!(serde_json::from_str::<Value>(&strip_json_comments(text)).ok(), Some(json!({"a": [1, 2]})));
    }
}
