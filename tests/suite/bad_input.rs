//! Mistakes cost a message with its place, and nothing else.

use crate::suite::site::SiteTest;

/// A page of `fixtures/hostile/broken` and the line that has to be named; 0 means that no complaint is needed.
const BROKEN: &[(&str, u64)] = &[
    ("unclosed-component", 7),
    ("unclosed-inline", 7),
    ("unclosed-in-list", 8),
    ("stray-close", 9),
    ("wrong-order", 0),
    ("case-mismatch", 0),
    ("close-across-quote", 0),
    ("unclosed-brace", 7),
    ("unclosed-flow-brace", 7),
    ("stray-close-brace", 0),
    ("bad-expression", 7),
    ("undefined-name", 7),
    ("undefined-member", 9),
    ("bad-attribute", 7),
    ("attribute-without-quotes", 0), // read as HTML reads it
    ("attribute-brace", 7),
    ("duplicate-attribute", 0),
    ("spread", 7),
    ("lone-less-than", 0),
    ("html-comment", 0), // left out, as in Markdown
    ("unfinished-html-comment", 9),
    ("angle-autolink", 0), // a link, as in Markdown
    ("unknown-component", 7),
    ("misspelt-component", 7),
    ("missing-import", 7),
    ("missing-export", 7),
    ("package-import", 8),
    ("outside-import", 7),
    ("import-cycle", 0),
    ("self-import", 0),
    ("script-component", 0),
    ("bad-export", 0), // declares nothing
    ("event-handler", 0),
    ("unclosed-fence", 0),
    ("bad-fence-lines", 0),
    ("bad-math", 0),
    ("bad-mermaid", 0),
    ("bad-table", 0),
    ("void-with-children", 0),
    ("uppercase-html", 0),
    ("namespace", 0),
    ("control-characters", 0),
    ("bidi", 0),
    ("template-syntax", 0),
    ("script-tag", 0),
];

#[test]
fn every_broken_page_survives_and_is_reported() {
    let site = SiteTest::fixture("hostile").other_diagnostics().run();
    let mut wrong = Vec::new();
    for (name, line) in BROKEN {
        let slug = format!("broken/{name}");
        if !site.files.contains_key(&format!("{slug}.html")) {
            wrong.push(format!("{slug}: the page is lost"));
            continue;
        }
        let text = site.page(&slug).content_text();
        for words in ["Before the damage.", "After the damage."] {
            // a fence without an end swallows what follows, as it should: the words are then code
            if !text.contains(words) {
                wrong.push(format!("{slug}: lost `{words}` in: {text}"));
            }
        }
        let file = format!("{slug}.mdx");
        let mut lines = site
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.file == file)
            .map(|diagnostic| (diagnostic.line, diagnostic.column));
        if *line > 0 && !lines.clone().any(|(at, column)| at == *line && column > 0) {
            wrong.push(format!(
                "{slug}: no complaint about line {line}; there are {:?}",
                lines.by_ref().collect::<Vec<_>>()
            ));
        }
    }
    let pages = std::fs::read_dir(crate::suite::site::fixture("hostile/broken")).expect("the folder").count();
    assert_eq!(pages, BROKEN.len(), "a page of fixtures/hostile/broken is not in the table");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn front_matter_is_read_as_far_as_it_goes() {
    let site = SiteTest::fixture("hostile").other_diagnostics().run();
    for name in [
        "not-yaml",
        "unquoted-colon",
        "duplicate-key",
        "never-closed",
        "tabs",
        "wrong-types",
        "typos",
        "anchors",
        "toml",
        "bom-crlf",
        "html-title",
    ] {
        let text = site.page(&format!("matter/{name}")).content_text();
        assert!(text.contains("Body survives."), "matter/{name}: {text}");
    }
    for (name, title) in [
        ("unquoted-colon", "Install: the long way"),
        ("wrong-types", "42"),
        ("html-title", "<script>alert(1)</script> & \"quotes\""),
        ("toml", "TOML"),
        ("bom-crlf", "Byte order mark"),
    ] {
        let page = site.page(&format!("matter/{name}"));
        let heading: String = page.select("#page-title")[0].text().collect();
        assert_eq!(heading.trim(), title, "matter/{name}");
    }
    for name in ["not-yaml", "duplicate-key", "never-closed", "typos"] {
        assert!(
            site.diagnostics
                .iter()
                .any(|diagnostic| diagnostic.file == format!("matter/{name}.mdx") && diagnostic.line > 0),
            "no complaint about matter/{name}"
        );
    }
}

#[test]
fn every_diagnostic_says_what_and_where() {
    let site = SiteTest::fixture("hostile").other_diagnostics().run();
    assert!(site.diagnostics.len() > 40, "{}", site.diagnostics.len());
    for diagnostic in &site.diagnostics {
        assert!(
            !diagnostic.message.is_empty() && !diagnostic.message.ends_with('.') && !diagnostic.message.contains('\n'),
            "{diagnostic:?}"
        );
        assert!(
            diagnostic.code.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{diagnostic:?}"
        );
        assert!(matches!(diagnostic.severity.as_str(), "warning" | "error"), "{diagnostic:?}");
        assert!(!diagnostic.file.starts_with('/') && !diagnostic.file.contains('\\'), "{diagnostic:?}");
        assert!(!diagnostic.message.contains("root:"), "the content of a file outside: {diagnostic:?}");
    }
    let mut sorted = site.diagnostics.clone();
    sorted.sort_by(|a, b| (&a.file, a.line, a.column, &a.code).cmp(&(&b.file, b.line, b.column, &b.code)));
    let order = |list: &[crate::suite::site::Diagnostic]| {
        list.iter().map(|diagnostic| (diagnostic.place(), diagnostic.code.clone())).collect::<Vec<_>>()
    };
    assert_eq!(order(&sorted), order(&site.diagnostics), "diagnostics are sorted by place");
}

#[test]
fn nothing_dangerous_survives() {
    let site = SiteTest::fixture("hostile").other_diagnostics().run();
    let secret = std::fs::read_to_string("/etc/passwd").unwrap_or_else(|_| "root:x:0:0".to_owned());
    let secret = secret.lines().next().unwrap_or("root:x:0:0");
    for (path, bytes) in &site.files {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains(secret), "{path} holds a file from outside the source");
        if !path.ends_with(".html") {
            continue;
        }
        let page = crate::suite::html::Page::parse(&text);
        for element in page.select("main *") {
            for (name, value) in element.value().attrs() {
                assert!(!(name.starts_with("on") && name.len() > 3), "{path}: {name}={value}");
                let value: String = value
                    .chars()
                    .filter(|c| !c.is_ascii_whitespace() && !c.is_control())
                    .collect::<String>()
                    .to_ascii_lowercase();
                let link = matches!(name, "href" | "src" | "action" | "formaction" | "data" | "poster");
                assert!(
                    !(link && ["javascript:", "vbscript:", "data:text"].iter().any(|scheme| value.starts_with(scheme))),
                    "{path}: {name}={value}"
                );
            }
        }
        assert_eq!(page.count("main script"), 0, "{path}");
        assert_eq!(page.count("main object, main embed, main form[action], main iframe[srcdoc]"), 0, "{path}");
    }
    assert!(
        !site.files.keys().any(|path| path.contains("passwd") || path.ends_with("beacon.js")),
        "{:?}",
        site.files.keys()
    );
}

#[test]
fn a_broken_link_keeps_its_text() {
    let site = SiteTest::pages(&[("index", "See [it](/guides/instal)."), ("guides/install", "Here.")])
        .diagnostic("broken-link", "index.mdx:5:5")
        .run();
    assert!(!site.report["diagnostics"][0]["hint"].as_str().unwrap_or_default().is_empty(), "a hint");
    assert!(site.page("index").content_text().contains("See it."));
}

#[test]
fn columns_are_exact_inside_components() {
    SiteTest::page("<Note>See [it](/nowhere).</Note>\n\n<Note>\n  - **See** [it](/nowhere).\n</Note>\n\n| a |\n|---|\n| See [it](/nowhere). |")
        .diagnostic("broken-link", "index.mdx:5:11")
        .diagnostic("broken-link", "index.mdx:8:13")
        .diagnostic("broken-link", "index.mdx:13:7")
        .run();
}

#[test]
fn a_missing_anchor_is_reported() {
    SiteTest::page("See [below](#nowhere).\n\n## Somewhere")
        .diagnostic("broken-anchor", "index.mdx:5:5")
        .text("index", "See below.")
        .run();
}

#[test]
fn a_missing_picture_is_reported() {
    SiteTest::page("![A hill](/images/hill.png)").diagnostic("missing-file", "index.mdx:5:1").run();
}

#[test]
fn a_configuration_that_is_no_json() {
    let site =
        SiteTest::inline("//- docs.json\n{\"theme\": \"mint\",\n  \"name\": }\n//- index.mdx\nHere.\n").exits(2).run();
    assert!(
        site.stderr.contains("docs.json:2:11")
            && site.stderr.contains("2 |   \"name\": }")
            && site.stderr.contains("= help: "),
        "{}",
        site.stderr
    );
}

#[test]
fn an_empty_folder_is_no_site() {
    let site = SiteTest::inline("//- picture.txt\nnothing to show\n").exits(2).run();
    assert!(!site.stderr.is_empty());
}

#[test]
fn problems_beside_the_text_have_lines() {
    SiteTest::inline(
        r##"//- docs.json
{
  "theme": "mint", "name": "T", "colors": {"primary": "#0F766E"},
  "logo": "/no-logo.svg",
  "favicon": "/no-icon.svg",
  "styling": {"codeblocks": "no-theme"},
  "navbar": {"links": [{"label": "A", "href": "/nowhere"}]},
  "navigation": {"pages": ["index"]}
}
//- style.css
.a { color: red }
.b { background: url("gone.png") }
.c { background: url(gone.png) }
//- index.mdx
---
title: T
related: ["missing-page"]
---
<Frame caption="[c](/missing)">
text
</Frame>

<Card title="Lost" href="/a"><Frame caption="[d](/gone)">x</Frame></Card>
"##,
    )
    .diagnostic("missing-asset", "docs.json:3:11")
    .diagnostic("missing-asset", "docs.json:4:14")
    .diagnostic("code-theme", "docs.json:5:29")
    .diagnostic("broken-link", "docs.json:6:47")
    .diagnostic("missing-file", "style.css:2:23")
    .diagnostic("missing-file", "style.css:3:22")
    .diagnostic("broken-link", "index.mdx:3:12")
    .diagnostic("broken-link", "index.mdx:5:1")
    .diagnostic("broken-link", "index.mdx:9:1")
    .diagnostic("broken-link", "index.mdx:9:30")
    .run();
}

#[test]
fn icons_of_pages_are_told_where_they_stand() {
    let front = "---\ntitle: T\nicon: no-such-icon-x\n---\n";
    SiteTest::inline("")
        .file("docs.json", r##"{"theme": "mint", "name": "N", "colors": {"primary": "#0F766E"}, "navigation": {"groups": [{"group": "G", "icon": "no-such-icon-y", "pages": ["a", "b", "c"]}]}}"##)
        .file("a.mdx", front)
        .file("b.mdx", front)
        .file("c.mdx", "---\ntitle: T\n\nicon: /none.svg\n---\n")
        .diagnostic("icon-missing", "a.mdx:3:1")
        .diagnostic("icon-missing", "b.mdx:3:1")
        .diagnostic("missing-asset", "c.mdx:4:1")
        .diagnostic("icon-missing", "docs.json:1:115")
        .run();
}
