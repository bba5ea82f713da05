//! The properties of components: rows, writers and the reference say the same, and a check reports what no row has.

use std::fmt::Write as _;
use std::path::Path;

use offprint::markup::component::{ComponentRow, ComponentWriter, components};
use offprint::markup::property::{Property, PropertyKind, is_universal_property};
use serde_json::Value;
use tempfile::TempDir;

use crate::suite::site::{SiteTest, offprint};

const PAGE: &str = "fixtures/docs/components/properties.mdx";
/// What stands above it on the page is written by hand.
const MARK: &str = "{/* The rest of this page is generated from src/markup/component/rows.rs: UPDATE_DOCS=1 cargo test --test all suite::properties */}\n";

/// Readers of properties beside the writers, which several components share.
const SHARED_READERS: [&str; 6] = [
    "markup/fence_info.rs",
    "markup/expand/tabs.rs",
    "markup/expand/element.rs",
    "render/component/icon.rs",
    "render/outline.rs",
    "side/feed.rs",
];

/// A source file without its unit tests.
fn source(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end].to_owned()
}

/// The module of a writer: `CodeBlock` as `code_block`.
fn module(writer: ComponentWriter) -> String {
    let mut out = String::new();
    for c in format!("{writer:?}").chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    format!("render/component/{out}.rs")
}

/// The names of properties that calls in a source text ask for.
fn read_names(text: &str) -> Vec<&str> {
    const CALLS: [&str; 12] = [
        ".text(",
        ".flag(",
        ".maybe_flag(",
        ".number(",
        ".value(",
        ".list(",
        "prop_html(",
        "prop_text(",
        "prop_plain(",
        "icon::prop(",
        "labels(r, props, ",
        " set(",
    ];
    let mut out = Vec::new();
    for call in CALLS {
        // attributes of a drawing that a property holds are not its own
        for (at, _) in text.match_indices(call).filter(|(at, _)| !text[..*at].ends_with("drawing.props")) {
            let arguments = &text[at + call.len()..];
            let arguments = &arguments[..arguments.find(')').unwrap_or(arguments.len())];
            out.extend(arguments.split('"').nth(1));
        }
    }
    out
}

fn rows_of(writer: ComponentWriter) -> Vec<&'static ComponentRow> {
    components().filter(|row| row.writer == writer).collect()
}

#[test]
fn writers_read_what_rows_say() {
    let shared: String = SHARED_READERS.iter().map(|path| source(path)).collect();
    let mut wrong = Vec::new();
    let mut calls = 0;
    for row in components().filter(|row| row.writer != ComponentWriter::None) {
        let path = module(row.writer);
        let text = source(&path);
        let rows = rows_of(row.writer);
        for name in read_names(&text) {
            calls += 1;
            let is_said = is_universal_property(name)
                || rows.iter().any(|row| row.takes_any || row.properties().any(|property| property.name == name));
            if !is_said {
                wrong.push(format!("{path} reads `{name}`, which no row of src/markup/component/rows.rs has"));
            }
        }
        for Property { name, kind, .. } in row.properties() {
            let literal = format!("\"{name}\"");
            if *kind != PropertyKind::Ignored && !text.contains(&literal) && !shared.contains(&literal) {
                wrong.push(format!("<{}> has a property `{name}`, which {path} does not read", row.name));
            }
        }
    }
    assert!(calls > 100, "{calls} calls");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_row_names_a_property_once() {
    for row in components() {
        let mut names: Vec<&str> = row.properties().map(|property| property.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{}", row.name);
        for property in row.properties() {
            assert!(property.says.ends_with('.'), "{} {}", row.name, property.name);
        }
    }
}

/// One table for components of equal properties.
fn reference() -> String {
    let mut out = String::new();
    let mut rows: Vec<&ComponentRow> = components().filter(|row| row.properties().next().is_some()).collect();
    while !rows.is_empty() {
        let properties = rows[0].properties;
        let (alike, others): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.properties == properties);
        rows = others;
        let names: Vec<&str> = alike.iter().map(|row| row.name).collect();
        let _ = write!(out, "\n## {}\n\n| Property | Value | What it does |\n|---|---|---|\n", names.join(", "));
        for property in alike[0].properties() {
            let values: Vec<String> = property.values.iter().map(|value| format!("`{value}`")).collect();
            let value = if values.is_empty() { property.kind.word().to_owned() } else { values.join(", ") };
            let _ = writeln!(out, "| `{}` | {value} | {} |", property.name, property.says);
        }
    }
    out
}

#[test]
fn the_reference_page_lists_the_rows() {
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
        "{PAGE} is not what src/markup/component/rows.rs says: run `UPDATE_DOCS=1 cargo test --test all suite::properties`"
    );
}

const CONFIG: &str = r##"{ "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["index"] } }"##;

/// What a check says of unknown properties in a page and a snippet: place, message, hint.
fn unknown(page: &str, snippet: &str) -> Vec<String> {
    let folder = TempDir::with_prefix("offprint-properties-").expect("a temporary folder");
    std::fs::create_dir(folder.path().join("snippets")).expect("a folder");
    let files = [("docs.json", CONFIG), ("index.mdx", page), ("snippets/part.mdx", snippet)];
    for (path, text) in files {
        std::fs::write(folder.path().join(path), text).expect("a file");
    }
    let output =
        offprint().args(["check", "--format", "json"]).arg(folder.path()).output().expect("the program starts");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = json["findings"].as_array().expect("findings");
    let mut out: Vec<String> = findings
        .iter()
        .filter(|finding| finding["code"] == "unknown-property")
        .map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap_or_default();
            let hint = text("hint").split(':').next().unwrap_or_default();
            format!("{}:{} {} {} ({hint})", text("file"), finding["line"], text("severity"), text("message"))
        })
        .collect();
    out.sort();
    out
}

#[test]
fn a_check_names_the_property_that_was_meant() {
    let page = "---\ntitle: Start\n---\nimport Part from '/snippets/part.mdx'\n\n<Card titel=\"A\" hreff='/'>x</Card>\n\n\
                - <Badge colour=\"red\">b</Badge>\n\n<Note>\n  <Tabs defaulttabindex={1}>\n    <Tab title=\"a\" weight>x</Tab>\n  </Tabs>\n</Note>\n\n\
                {<Frame captoin=\"c\">y</Frame>}\n\n<Part />\n\n<Card titel=\"again\">z</Card>\n";
    let snippet = "<Accordion title=\"t\" defaultopen>x</Accordion>\n\n<Column width=\"2\">y</Column>\n";
    assert_eq!(
        unknown(page, snippet),
        [
            "index.mdx:11 warning `<Tabs>` has no property `defaulttabindex` (did you mean `defaultTabIndex`?)",
            "index.mdx:12 warning `<Tab>` has no property `weight` (it has no effect)",
            "index.mdx:16 warning `<Frame>` has no property `captoin` (did you mean `caption`?)",
            "index.mdx:6 warning `<Card>` has no property `hreff` (did you mean `href`?)",
            "index.mdx:6 warning `<Card>` has no property `titel` (did you mean `title`?)",
            "index.mdx:8 warning `<Badge>` has no property `colour` (did you mean `color`?)",
            "snippets/part.mdx:1 warning `<Accordion>` has no property `defaultopen` (did you mean `defaultOpen`?)",
            "snippets/part.mdx:3 warning `<Column>` has no property `width` (it has no effect)",
        ]
    );
}

#[test]
fn what_every_element_may_have_and_what_authors_declare_is_not_reported() {
    let page = "---\ntitle: Start\n---\nimport { Update } from '/snippets/part.mdx'\n\nexport const Card = ({ titel }) => <b>{titel}</b>\n\n\
                export const rest = { caption: 'c', odd: 1 }\n\n<Card titel=\"A\" />\n\n<Update when=\"today\" />\n\n<Frame {...rest}>x</Frame>\n\n\
                <Note key=\"a\" className=\"b\" class=\"b\" id=\"c\" style={{ color: 'red' }} data-track=\"d\" aria-label=\"e\" onClick={() => go()} onclick=\"go()\">x</Note>\n\n\
                <Tooltip tip=\"t\" side=\"left\">y</Tooltip> <Link href=\"/\" rel=\"me\">z</Link> <div tittle=\"w\">w</div>\n";
    assert_eq!(unknown(page, "Words.\n"), [""; 0]);
}

#[test]
fn an_export_says_nothing_of_unknown_properties() {
    SiteTest::page("<Card titel=\"A\">Words.</Card>\n").text("index", "Words.").run();
}
