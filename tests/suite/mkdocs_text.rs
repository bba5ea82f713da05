//! Texts of MkDocs through the real program: what is shown is what is written.

use super::site::{Exported, SiteTest};

const CONFIG: &str = "site_name: Dock\ntheme:\n  name: material\n  features: [navigation.tabs]\nmarkdown_extensions:\n  - admonition\n  - attr_list\n  - def_list\n  - footnotes\n  - md_in_html\n  - pymdownx.details\n  - pymdownx.superfences\n  - pymdownx.tabbed:\n      alternate_style: true\n";

/// A site with a page for each text, in one export: `p0`, `p1` …
fn mkdocs(bodies: &[String]) -> Exported {
    let site = SiteTest::inline("").file("mkdocs.yml", CONFIG).file("docs/index.md", "# Dock\n");
    let pages = bodies.iter().enumerate();
    pages.fold(site, |site, (at, body)| site.file(&format!("docs/p{at}.md"), format!("# Page {at}\n\n{body}\n"))).run()
}

/// Every block of code of a page's Markdown, as its text.
fn codes(twin: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for line in twin.lines() {
        let text = line.trim_start();
        match &mut open {
            Some((_, code)) if text.starts_with("```") => {
                found.push(std::mem::take(code));
                open = None;
            }
            Some((indent, code)) => {
                code.push_str(line.get(*indent..).unwrap_or_default());
                code.push('\n');
            }
            None if text.starts_with("```") => open = Some((line.len() - text.len(), String::new())),
            None => {}
        }
    }
    found
}

#[test]
fn code_in_items_is_what_is_written() {
    let code = "kind: Crane\nspec:\n  load: 3\n  ropes:\n    - one\n";
    let mut bodies = Vec::new();
    for (mark, indent) in [("-", "  "), ("1.", "   "), ("*", "    "), ("-", "\t"), ("12.", "    ")] {
        for fence in ["```", "~~~"] {
            let lines = format!("{fence}yaml\n{code}{fence}").replace('\n', &format!("\n{indent}"));
            for (apart, end) in [("\n\n", "\n"), ("\n", "\n"), ("\n\n", "\r\n"), ("\n", "\r\n")] {
                bodies.push(format!("{mark} item{apart}{indent}{lines}{apart}{indent}more").replace('\n', end));
            }
        }
    }
    let site = mkdocs(&bodies);
    for (at, body) in bodies.iter().enumerate() {
        let twin = site.text_of(&format!("p{at}.md"));
        assert_eq!(codes(twin), [code], "{body:?}\n{twin}");
    }
}

#[test]
fn definitions_may_begin_with_a_box() {
    let cases = [
        ("`crane`\n\n:   !!! abstract\n\n        Lifts.", "dl dd [data-component='Note']"),
        ("`crane`\n:   ??? tip \"Mind\"\n\n        Lifts.", "dl dd details"),
        (
            "crane\n\n:   === \"One\"\n\n        Lifts.\n\n    === \"Two\"\n\n        Lowers.",
            "dl dd [data-component='Tabs']",
        ),
        ("crane\n\n:   <div>Lifts.</div>", "dl dd div"),
        ("crane\n\n:   ```\n    Lifts.\n    ```", "dl dd pre"),
        ("crane\n\n:   | A |\n    |---|\n    | Lifts. |", "dl dd"),
        (
            "crane\n\n:   !!! note\n\n        One.\n\n:   !!! note\n\n        Lifts.",
            "dl dd + dd [data-component='Note']",
        ),
        ("- a\n\n    crane\n\n    :   !!! note\n\n            Lifts.", "li dl dd [data-component='Note']"),
        ("x[^1]\n\n[^1]:\n    !!! note\n\n        Lifts.", "[data-component='Note']"),
    ];
    let site = mkdocs(&cases.map(|(body, _)| body.to_owned()));
    for (at, (body, selector)) in cases.iter().enumerate() {
        let twin = site.text_of(&format!("p{at}.md"));
        assert!(site.page(&format!("p{at}")).count(selector) > 0, "{selector}: {body}\n{twin}");
        assert!(twin.contains("Lifts.") && !twin.contains("<!--"), "{body}\n{twin}");
    }
}

#[test]
fn code_in_html_is_code() {
    let cases = [
        ("<div class=\"t\">\n\n```console\n$ lift\n\n---> 9%\n```\n\n</div>", "$ lift\n\n---> 9%\n"),
        ("<div>\n\n~~~sh\n<b>\n~~~\n\n</div>", "<b>\n"),
        ("<div>\n<div>\n\n```\n  a\n\n  b\n```\n</div>\n</div>", "  a\n\n  b\n"),
        ("<details>\n<summary>S</summary>\n\n```py\nif x:\n    y\n```\n\n</details>", "if x:\n    y\n"),
        ("!!! note\n\n    <div>\n\n    ```\n    a\n      b\n    ```\n\n    </div>", "a\n  b\n"),
        ("- a\n\n    <div>\n\n    ```\n    a\n      b\n    ```\n\n    </div>", "a\n  b\n"),
    ];
    let site = mkdocs(&cases.map(|(body, _)| format!("{body}\n\nAfter it.")));
    for (at, (body, code)) in cases.iter().enumerate() {
        let twin = site.text_of(&format!("p{at}.md"));
        assert_eq!(codes(twin), [*code], "{body}\n{twin}");
        assert_eq!(site.page(&format!("p{at}")).count("main pre"), 1, "{body}");
        assert!(twin.contains("After it."), "{body}\n{twin}");
    }
}

#[test]
fn lines_of_metadata_are_front_matter() {
    for text in [
        "title: The dock\nauthors: A Crew\n    and more\n\n# Start\n\nWords.\n",
        "Title:   The dock\r\nDate: today\r\n\r\n# Start\r\n\r\nWords.\r\n",
        "\u{feff}title: The dock\n\n# Start\n\nWords.\n",
        "title: The\ntitle: dock\n\n# Start\n\nWords.\n",
        "---\ntitle: The dock\n...\n# Start\n\nWords.\n",
        "---\ntitle: The dock\n---\n# Start\n\nWords.\n",
    ] {
        let site = SiteTest::inline("").file("mkdocs.yml", "site_name: Dock\n").file("docs/index.md", text).run();
        let twin = site.text_of("index.md");
        assert!(site.text_of("index.html").contains("<title>The dock"), "{text:?}\n{twin}");
        for words in ["authors", "Crew", "today", "title:", "..."] {
            assert!(!twin.contains(words), "{words}: {text:?}\n{twin}");
        }
        assert!(twin.contains("Words."), "{text:?}\n{twin}");
    }
    // no tool but MkDocs has them
    SiteTest::inline("").file("index.md", "note: words stay\n\n# Start\n").text("index", "note: words stay").run();
}

#[test]
fn tabs_of_bare_pages_have_their_titles() {
    let site = SiteTest::inline("")
        .file(
            "mkdocs.yml",
            format!("{CONFIG}nav:\n  - Home: index.md\n  - cranes.md\n  - Learn:\n    - learn/index.md\n  - \"\":\n    - learn/b.md\n  - https://example.com\n"),
        )
        .file("docs/index.md", "# Hi\n\nx\n")
        .file("docs/cranes.md", "# Great cranes\n\nx\n")
        .file("docs/learn/index.md", "# Learn\n\nx\n")
        .file("docs/learn/b.md", "# Berths\n\nx\n")
        .element("index", "a[href='cranes.html']")
        .element("index", "a[href='learn/b.html']")
        .run();
    let page = site.text_of("index.html");
    assert!(page.contains("Great cranes") && page.contains("Berths"), "the names of tabs");
}

#[test]
fn templates_include_files() {
    SiteTest::inline("")
        .file("mkdocs.yml", "site_name: Dock\nplugins:\n  - macros:\n      include_dir: parts\nextra:\n  ship: Ada\n")
        .file("parts/crew.md", "The crew of {{ ship }}.\n\n{% include 'deep/mate.md' %}\n")
        .file("parts/deep/mate.md", "A mate.\n")
        .file(
            "docs/index.md",
            "# Dock\n\n{% include 'crew.md' %}\n\n!!! note\n\n    {%- include \"deep/mate.md\" -%}\n\n{% include ['none.md', 'deep/mate.md'] %}\n\n{% include 'none.md' ignore missing %}\n\n{% raw %}{% include 'crew.md' %}{% endraw %}\n\nIt is {% include 'deep/mate.md' %} here.\n",
        )
        .text("index", "The crew of Ada. A mate.")
        .text("index", "{% include 'crew.md' %}")
        .text("index", "It is A mate. here.")
        .run();
    SiteTest::inline("")
        .file("mkdocs.yml", "site_name: Dock\nplugins: [macros]\n")
        .file("docs/crew.md", "The crew.\n")
        .file("docs/sub/index.md", "# Dock\n\n{% include 'crew.md' %}\n\n{% include 'none.md' %}\n")
        .text("sub/index", "The crew.")
        .diagnostic("include-unread", "docs/sub/index.md:5")
        .run();
}

#[test]
fn code_among_words_names_its_language_with_colons() {
    let site = SiteTest::inline("")
        .file("mkdocs.yml", "site_name: Wood\nplugins: [macros]\nextra: {age: 9}\nmarkdown_extensions: [pymdownx.inlinehilite]\n")
        .file("docs/index.md", "# Start\n\nUse `:::js let x` and `#!py y` in {{ config.site_name }}, {{ age }} or {{ config.extra.age }}.\n")
        .text("index", "Use let x and y in Wood, 9 or 9.")
        .run();
    assert_eq!(site.page("index").count("main code"), 2);
}
