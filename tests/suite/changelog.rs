//! The page of changes is what `CHANGELOG.md` says.

use std::fmt::Write as _;
use std::path::Path;

const PAGE: &str = "fixtures/docs/changelog.mdx";
/// What stands above it on the page is written by hand.
const MARK: &str = "{/* The rest of this page is generated from CHANGELOG.md: UPDATE_DOCS=1 cargo test --test all suite::changelog */}\n";
/// What is said of a section stands below the headings of its parts.
const PARTS: [&str; 2] = ["New", "Other than before"];

/// One entry for each section, with the tags of the line in italics below its heading.
fn entries(log: &str) -> String {
    let mut out = String::new();
    for section in log.split("\n## ").skip(1) {
        let (title, rest) = section.split_once('\n').expect("a section has a text");
        let (tags, body) = rest
            .trim_start()
            .strip_prefix('*')
            .and_then(|rest| rest.split_once("*\n"))
            .unwrap_or_else(|| panic!("{title}: a line of tags in italics is missing"));
        let tags: Vec<String> = tags.split(", ").map(|tag| format!("\"{tag}\"")).collect();
        let _ = write!(out, "\n<Update label=\"{title}\" tags={{[{}]}}>\n", tags.join(", "));
        for line in body.trim().lines() {
            if let Some(part) = line.strip_prefix("### ") {
                assert!(PARTS.contains(&part), "{title}: {part}");
            }
            let line = line.strip_prefix('#').unwrap_or(line);
            out.push_str(if line.is_empty() { "" } else { "  " });
            out.push_str(line);
            out.push('\n');
        }
        out.push_str("</Update>\n");
    }
    out
}

#[test]
fn the_page_of_changes_is_the_change_log() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let log = std::fs::read_to_string(root.join("CHANGELOG.md")).expect("the change log");
    let version = env!("CARGO_PKG_VERSION");
    assert!(log.contains(&format!("the version is {version}")), "CHANGELOG.md names no version {version}");
    let written = std::fs::read_to_string(root.join(PAGE)).expect("the page");
    let (head, found) = written.split_once(MARK).expect("the page has the mark");
    let expected = entries(&log);
    assert!(expected.matches("<Update").count() > 1);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(root.join(PAGE), format!("{head}{MARK}{expected}")).expect("the page is written");
        return;
    }
    assert!(
        found == expected,
        "{PAGE} is not what CHANGELOG.md says: run `UPDATE_DOCS=1 cargo test --test all suite::changelog`"
    );
}
