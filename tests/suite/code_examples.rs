//! The example of each diagnostic provokes it, with the severity that its row says.

use std::path::Path;
use std::process::Command;

use offprint::base::codes::{AREAS, CodeRow, Level};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::suite::site::{offprint, split_files};

/// Codes that no small source provokes: they need a server, a clock, a broken disk or an earlier file. The list may only
/// shrink.
const WITHOUT_EXAMPLE: &[&str] = &[
    "history-late",
    "lost-picture",
    "placeholder",
    "page-failed",
    "template",
    "utilities-failed",
    "openapi-too-long",
    "file-failed",
    "large-asset",
    "not-a-file",
    "not-utf8",
    "unreadable-file",
    "cache-lost",
    "cache-unwritable",
    "lock-unwritable",
    "no-network",
    "remote-changed",
    "dead-link",
    "no-config",
    "no-site",
    "migrate-anchor",
];

/// The files of an example: paths as they are shown, and texts.
pub(crate) fn example_files(example: &str) -> Vec<(&str, &str)> {
    let example = example.trim_start_matches('\n');
    let head = if example.starts_with("//- ") { 0 } else { example.find("\n//- ").map_or(example.len(), |at| at + 1) };
    let (body, rest) = (&example[..head], &example[head..]);
    let mut files = split_files(rest);
    if !body.is_empty() {
        files.insert(0, ("index.mdx", body));
    }
    files
}

/// Writes the files of an example, with what it leaves out.
fn write_example(example: &str, folder: &Path) {
    let files = example_files(example);
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    let pages: Vec<&str> = files
        .iter()
        .filter_map(|(path, _)| path.strip_suffix(".mdx"))
        .filter(|path| !path.starts_with("snippets/"))
        .collect();
    let smallest = json!({
        "theme": "mint", "name": "Docs", "colors": { "primary": "#0F766E" }, "navigation": { "pages": pages },
    });
    let is_whole = example.trim_start_matches('\n').starts_with("//- ");
    if !is_whole {
        write("docs.json", &smallest.to_string());
    }
    for (path, text) in files {
        match path.strip_suffix(" …") {
            Some(path) => {
                let mut config = smallest.clone();
                let own: Map<String, Value> = serde_json::from_str(text).expect("an object");
                config.as_object_mut().expect("an object").extend(own);
                write(path, &config.to_string());
            }
            None if path == "index.mdx" && !is_whole => write(path, &format!("---\ntitle: Start\n---\n{text}")),
            None => write(path, text),
        }
    }
}

/// Whether an example is a finished site, which a check reads.
fn is_bundle(example: &str) -> bool {
    example.contains("//- index.html")
}

/// The command that reports a code.
fn command(code: &CodeRow, source: &Path, out: &Path) -> Command {
    let mut command = offprint();
    if code.name.starts_with("migrate-") {
        command.arg("migrate").arg(source).arg("-o").arg(out);
    } else if code.export == Level::Silent || is_bundle(code.example) {
        command.arg("check").arg(source);
    } else {
        command
            .args(["export", "--offline", "--progress", "none"])
            .arg(source)
            .arg("-o")
            .arg(out.with_extension("zip"));
    }
    command.args(code.options.split_whitespace());
    command
}

/// What is wrong with an example.
fn objection(code: &CodeRow) -> Option<String> {
    let folder = TempDir::with_prefix("offprint-example-").expect("a temporary folder");
    let source = folder.path().join("source");
    std::fs::create_dir(&source).expect("a folder");
    write_example(code.example, &source);
    let output = command(code, &source, &folder.path().join("out")).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let level = if code.export == Level::Silent { code.check } else { code.export };
    let expected: &[&str] = match level {
        Level::Error => &["error"],
        Level::Warning => &["warning"],
        Level::Either | Level::Silent => &["error", "warning"],
    };
    let is_told = expected.iter().any(|severity| said.contains(&format!("{severity}[{}]", code.name)));
    (!is_told).then(|| format!("{}: not told as {}\n{said}", code.name, expected.join(" or ")))
}

#[test]
fn examples_provoke_their_codes() {
    let rows: Vec<&CodeRow> = AREAS.iter().flat_map(|area| area.codes).collect();
    let without: Vec<&str> = rows.iter().filter(|code| code.example.is_empty()).map(|code| code.name).collect();
    assert_eq!(without, WITHOUT_EXAMPLE, "a new row needs an example");
    let wrong: Vec<String> =
        rows.into_par_iter().filter(|code| !code.example.is_empty()).filter_map(objection).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
