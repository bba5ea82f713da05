//! The registry of diagnostic codes: every code of the source has a row, every row a use, and the reference page says
//! what the registry says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use offprint::base::codes::{AREAS, CodeArea, CodeRow, Level};

use super::code_examples::example_files;

const PAGE: &str = "fixtures/docs/export/diagnostic-codes.mdx";
/// What stands above it on the page is written by hand.
const MARK: &str = "{/* The rest of this page is generated from src/base/codes: UPDATE_DOCS=1 cargo test --test all suite::codes */}\n";

fn rows() -> BTreeMap<&'static str, &'static CodeRow> {
    AREAS.iter().flat_map(|area| area.codes).map(|code| (code.name, code)).collect()
}

#[test]
fn rows_are_sorted_and_unique_and_consistent() {
    assert_eq!(rows().len(), AREAS.iter().map(|area| area.codes.len()).sum::<usize>());
    for area in AREAS {
        assert!(area.codes.is_sorted_by_key(|code| code.name), "{}", area.title);
        for code in area.codes {
            assert!(code.meaning.ends_with('.') && code.remedy.ends_with('.'), "{}", code.name);
            assert!(
                code.export != Level::Error || code.check == Level::Error,
                "{}: an error of an export is an error of a check",
                code.name
            );
        }
    }
}

/// The product's own code: each file without its unit tests, which make up codes of their own.
fn sources(folder: &Path, out: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.parent().is_some_and(|folder| folder.ends_with("base/codes"))
        {
            let text = std::fs::read_to_string(&path).unwrap();
            let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
            out.push((path, text[..end].to_owned()));
        }
    }
}

/// The string literal after each `before`, if one follows.
fn literals<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
    let rest = text.match_indices(before).map(|(at, _)| text[at + before.len()..].trim_start());
    rest.filter_map(|rest| rest.strip_prefix('"')?.split('"').next()).filter(|code| !code.is_empty()).collect()
}

#[test]
fn every_code_of_the_source_has_a_row() {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    sources(&root, &mut files);
    assert!(files.len() > 300, "{} files", files.len());
    let rows = rows();
    let mut wrong = BTreeSet::new();
    for (path, text) in &files {
        // below `src` alone: a checkout may lie in a folder of any name
        let path = path.strip_prefix(&root).unwrap();
        let is_check = path.starts_with("check") && !path.starts_with("check/census") || path.starts_with("spec/lint");
        let shown = path.display();
        for (before, severity) in [
            ("Diagnostic::new(", None),
            ("Diagnostic::warning(", Some(Level::Warning)),
            ("Diagnostic::error(", Some(Level::Error)),
        ] {
            for name in literals(text, before) {
                let Some(code) = rows.get(name) else {
                    wrong.insert(format!("{shown}: `{name}` has no row in src/base/codes"));
                    continue;
                };
                let level = if is_check { code.check } else { code.export };
                let is_right = match severity {
                    None => matches!(level, Level::Error | Level::Warning),
                    Some(severity) => level == Level::Either || level == Level::Silent || is_check && level == severity,
                };
                if !is_right {
                    wrong.insert(format!("{shown}: `{before}\"{name}\"`, but its row says {level:?}; use Diagnostic::new for codes with one severity"));
                }
            }
        }
        if ["markup", "expand"].iter().any(|part| path.components().any(|component| component.as_os_str() == *part)) {
            let unknown = literals(text, "code:").into_iter().filter(|name| !rows.contains_key(name));
            wrong.extend(unknown.map(|name| format!("{shown}: `{name}` has no row in src/base/codes")));
        }
    }
    let is_used = |name: &str| files.iter().any(|(_, text)| text.contains(&format!("\"{name}\"")));
    wrong.extend(rows.keys().filter(|name| !is_used(name)).map(|name| format!("`{name}` has a row, but no use")));
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Either => "either",
        Level::Silent => "–",
    }
}

fn reference() -> String {
    let mut out = String::new();
    for area in AREAS {
        let _ = write!(
            out,
            "\n## {}\n\n| Code | `export` | `check` | Meaning | What to do |\n|---|---|---|---|---|\n",
            area.title
        );
        for code in area.codes {
            let cell = |text: &str| text.replace('|', "\\|");
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | {} | {} |",
                code.name,
                word(code.export),
                word(code.check),
                cell(code.meaning),
                cell(code.remedy)
            );
        }
        let _ = write!(out, "{}", examples(area));
    }
    out
}

/// The examples of an area, each closed until its code is chosen.
fn examples(area: &CodeArea) -> String {
    let with_example: Vec<&CodeRow> = area.codes.iter().filter(|code| !code.example.is_empty()).collect();
    if with_example.is_empty() {
        return String::new();
    }
    let mut out = String::from("\n<AccordionGroup>\n");
    for code in with_example {
        let _ = write!(out, "\n<Accordion title=\"Example of {0}\" id=\"{0}\">\n\n", code.name);
        if !code.options.is_empty() {
            let _ = write!(out, "With `{}`:\n\n", code.options);
        }
        for (path, text) in example_files(code.example) {
            let language = path.trim_end_matches(" …").rsplit('.').next().unwrap_or_default();
            let language = if ["bin", "rst", "mintignore", "lock"].contains(&language) { "text" } else { language };
            let fence = if text.contains("```") { "````" } else { "```" };
            let _ = write!(out, "{fence}{language} {path}\n{}\n{fence}\n\n", text.trim_matches('\n'));
        }
        out.push_str("</Accordion>\n");
    }
    out.push_str("\n</AccordionGroup>\n");
    out
}

#[test]
fn the_reference_page_lists_the_registry() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let written = std::fs::read_to_string(&path).unwrap();
    let (head, found) = written.split_once(MARK).expect("the page has the mark");
    let expected = reference();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{head}{MARK}{expected}")).unwrap();
        return;
    }
    assert!(
        found == expected,
        "{PAGE} is not what src/base/codes says: run `UPDATE_DOCS=1 cargo test --test all suite::codes`"
    );
}
