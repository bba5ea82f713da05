//! What a page makes its reader download: budgets, in every family of themes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};

use crate::servers::png;
use crate::site::{Exported, SiteTest, fixture};

/// Most bytes of the style sheets of a page and of the rules in it, compressed as servers do it.
const STYLE_BYTES: usize = 14 * 1024;

/// Most bytes of all scripts of an ordinary page.
const SCRIPT_BYTES: usize = 8_000;

const THEMES: [&str; 9] = ["mint", "maple", "palm", "willow", "linden", "almond", "aspen", "luma", "sequoia"];

fn gzipped(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("a buffer takes everything");
    encoder.finish().expect("a buffer takes everything").len()
}

/// The pages whose style sheets are too heavy, with all of them; those of the author are not counted.
fn too_heavy(site: &Exported) -> Vec<String> {
    let mut weights: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for path in site.html() {
        let page = site.page(path.trim_end_matches(".html"));
        let links = page.select("link[rel=stylesheet]");
        let sheets = links.iter().filter_map(|link| link.attr("href")).filter_map(|href| href.find("_offprint/").map(|at| href[at..].to_owned()));
        let mut parts: Vec<(String, usize)> = sheets
            .map(|sheet| {
                let weight = *weights.entry(sheet.clone()).or_insert_with_key(|sheet| gzipped(&site.files[sheet]));
                (sheet, weight)
            })
            .collect();
        parts.extend(page.select("style").iter().map(|style| ("in the page".to_owned(), gzipped(style.text().collect::<String>().as_bytes()))));
        let all: usize = parts.iter().map(|(_, weight)| weight).sum();
        if all > STYLE_BYTES {
            wrong.push(format!("{path}: {all} bytes: {parts:?}"));
        }
    }
    wrong
}

/// Exports a copy of our own documentation in a theme, with other pages beside it.
fn documentation(theme: &str, pages: &[(&str, &str)]) -> Exported {
    let source = tempfile::TempDir::with_prefix("offprint-weight-").expect("a temporary folder");
    for entry in walkdir::WalkDir::new(fixture("docs")).into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file()) {
        let to = source.path().join(entry.path().strip_prefix(fixture("docs")).expect("below the fixture"));
        fs::create_dir_all(to.parent().expect("a parent")).expect("a folder");
        fs::copy(entry.path(), to).expect("a copy");
    }
    for (slug, text) in pages {
        fs::write(source.path().join(format!("{slug}.mdx")), text).expect("a page");
    }
    let config = source.path().join("docs.json");
    let text = fs::read_to_string(&config).expect("a configuration");
    let mut value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    value["theme"] = theme.into();
    fs::write(&config, value.to_string()).expect("a file");
    Exported::of(source.path(), &[])
}

/// A page that holds as many kinds of components as the richest ones of real sites do.
const RICH: &str = r#"---
title: Rich
---
<Note>a</Note>

<Warning>b</Warning>

| Name of the column | What it is good for, in some words |
|---|---|
| `value` | <Badge>new</Badge> |

<CodeGroup>
```js one
let a = 1;
```
```py two
a = 1
```
</CodeGroup>

<Card title="f" icon="star" href="/rich">g</Card>

<AccordionGroup><Accordion title="j">k</Accordion></AccordionGroup>

<ParamField path="m" type="string" required>n</ParamField>
"#;

#[test]
fn style_sheets_of_a_page_stay_within_their_budget_in_every_family() {
    for theme in THEMES {
        let site = documentation(theme, &[("rich", RICH)]);
        assert!(site.html().count() > 50, "{theme}: {}", site.stderr);
        let wrong = too_heavy(&site);
        assert!(wrong.is_empty(), "{theme}: {wrong:#?}");
        // what it needs is one file, and the rules of all pages another
        assert_eq!(site.page("rich").select("link[rel=stylesheet]").len(), 2, "{theme}");
    }
}

/// Every page of every site loads them, so what few pages need does not belong there.
#[test]
fn scripts_of_an_ordinary_page_stay_within_their_budget() {
    let site = SiteTest::fixture("docs").other_diagnostics().run();
    let page = site.page("quickstart");
    let scripts = page.select("script:not([type*=json])");
    let weights: Vec<(String, usize)> = scripts
        .iter()
        .map(|script| match script.attr("src") {
            Some(path) => (path.to_owned(), gzipped(&site.files[path])),
            None => ("in the page".to_owned(), gzipped(script.text().collect::<String>().as_bytes())),
        })
        .collect();
    assert!(weights.len() >= 2, "{weights:?}");
    let all: usize = weights.iter().map(|(_, bytes)| bytes).sum();
    assert!(all <= SCRIPT_BYTES, "{all} bytes: {weights:?}");
}

/// Screenshots come out of editors and browsers far larger than they need to be.
#[test]
fn large_png_files_are_written_again_unless_told_otherwise() {
    let picture = png(300, 300);
    assert!(picture.len() > 200_000);
    let sizes = |args: &[&str]| {
        let site = SiteTest::pages(&[("index", "![A](/large.png) ![B](/small.png)")]).file("large.png", &picture).file("small.png", png(9, 9));
        let site = args.iter().fold(site, |site, arg| site.arg(arg)).run();
        ["large.png", "small.png"].map(|path| site.files[path].len())
    };
    let [large, small] = sizes(&[]);
    assert!(large * 3 <= picture.len() * 2 && small == png(9, 9).len(), "{large} {small}");
    assert_eq!(sizes(&["--no-optimize-png"]), [picture.len(), png(9, 9).len()]);
}

/// What few pages hold or are has its rules in style sheets of their own.
#[test]
fn pages_load_the_rules_of_what_they_show() {
    let site = SiteTest::pages(&[
        ("index", "Text."),
        ("small-table", "| a | b |\n|---|---|\n| c | d |"),
        ("keys", "Press <kbd>a</kbd>."),
        ("canvas", "---\nmode: custom\n---\nText."),
        ("labelled", "---\ntag: NEW\n---\nText."),
        ("operation", "---\napi: GET /a\n---\nText."),
        ("marked", "```js {1}\na\n```"),
        ("changed", "```js\na // [!code ++]\n```"),
        ("titled", "```js a.js\na\n```"),
    ])
    .run();
    for (page, sheets) in [
        ("index", &[][..]),
        ("small-table", &["table"]),
        ("keys", &["elements"]),
        ("canvas", &["modes"]),
        ("labelled", &["labels"]),
        ("operation", &["endpoint"]),
        ("marked", &["code", "lines"]),
        ("changed", &["code", "lines", "diffs"]),
        ("titled", &["code", "headers"]),
    ] {
        let page_html = site.page(page);
        let links = page_html.select("link[rel=stylesheet]");
        let names = links.iter().filter_map(|link| link.attr("href")?.strip_prefix("_offprint/")?.split('-').next());
        assert_eq!(names.filter(|name| *name != "theme").collect::<Vec<_>>(), sheets, "{page}");
    }
}
