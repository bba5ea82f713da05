//! Folders of Markdown that other generators and hosts were meant to show.

use crate::suite::html::Page;
use crate::suite::site::SiteTest;

#[test]
fn anchors_as_github_makes_them() {
    let site = SiteTest::inline("")
        .file(
            "README.md",
            "# T\n\n[a](#faq--help) [b](#c-api) [c](#v123) [d](#again-1) [e](docs/x.md#nodejs--bun) [f](#Über-uns) [g](#-h-x)\n\n## FAQ & Help\n\n## C++ API\n\n## v1.2.3\n\n## Again\n\n## Again\n\n## Über uns\n\n## ② H₂ x²\n",
        )
        .file("docs/x.md", "# X\n\n## Node.js & Bun\n\n[back](../README.md#c-api)\n")
        .diagnostic("link-anchor", "README.md:3")
        .run();
    let page = site.page("index");
    let hrefs: Vec<&str> = page.select("main p a").iter().filter_map(|link| link.attr("href")).collect();
    assert_eq!(
        hrefs,
        ["#faq--help", "#c-api", "#v123", "#again-1", "docs/x.html#nodejs--bun", "#%C3%BCber-uns", "#-h-x"]
    );
    assert!(
        site.page("docs/x").select("main p a")[0].attr("href").is_some_and(|href| href.ends_with("index.html#c-api"))
    );
}

/// `INDEX.html` cannot stand beside the start page on every system.
#[test]
fn a_start_page_in_capitals_is_the_start_page() {
    let plain = SiteTest::inline("")
        .file("INDEX.md", "# Start\n\n[b](b.md)\n")
        .file("b.md", "# B\n\n[start](INDEX.md)\n")
        .run();
    assert_eq!(plain.page("b").select("main p a")[0].attr("href"), Some("index.html"));
    let config = r##"{"theme": "mint", "name": "N", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["b", "Index"]}}"##;
    let site = SiteTest::inline("")
        .file("docs.json", config)
        .file("Index.mdx", "---\ntitle: Start\n---\n\nWelcome.\n")
        .file("b.mdx", "---\ntitle: B\n---\n\n[start](/Index)\n")
        .text("index", "Welcome.")
        .run();
    assert_eq!(site.page("b").select("main p a")[0].attr("href"), Some("index.html"));
}

/// A title is seen once: above the page, or where its author put it below a logo.
#[test]
fn a_title_is_seen_once() {
    let site = SiteTest::inline("")
        .file(
            "README.md",
            "<div align=\"center\">\n\n![logo](l.svg)\n\n# My tool\n\n</div>\n\nText.\n\n## Use\n\n# My tool\n",
        )
        .file("l.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"/>")
        .file("guide.md", "# Guide\n\nText.\n\n## Use\n")
        .run();
    let (logo, guide) = (site.page("index"), site.page("guide"));
    let contents = |page: &Page| {
        page.select("#table-of-contents a").iter().map(|link| link.text().collect::<String>()).collect::<Vec<_>>()
    };
    assert_eq!(logo.select("h1#page-title.visually-hidden").len(), 1);
    assert_eq!(logo.select("main h2.h1:not(.repeats-title)").len(), 2);
    assert_eq!(contents(&logo), ["My tool", "Use", "My tool"]);
    assert_eq!(guide.select("h1#page-title:not(.visually-hidden)").len(), 1);
    assert_eq!(guide.select("main h2#guide.h1.repeats-title").len(), 1);
    assert_eq!(contents(&guide), ["Use"]);
}

#[test]
fn badges_that_are_not_there_stay_small() {
    let site = SiteTest::inline("")
        .file("README.md", "# T\n\n[![Build](https://a.b/x/badge.svg)](https://a.b) ![License](https://img.shields.io/l.svg) ![Screen](https://a.b/screen.png)\n")
        .arg("--offline")
        .other_diagnostics()
        .run();
    assert_eq!(
        (site.page("index").count("main .image-small"), site.page("index").count("main .image-placeholder")),
        (2, 3)
    );
}

/// `<source>` and the like hold nothing, whoever leaves them open.
#[test]
fn tags_that_hold_nothing() {
    let source = "# T\n\n<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"d.png\">\n  <img src=\"l.png\" alt=\"x\">\n</picture>\n\n<table><colgroup><col width=\"9\"><col></colgroup><tr><td>a<wbr>b</td></tr></table>\n\n<map name=\"m\"><area href=\"#t\"></map> <object><param name=\"a\"></object> <source src=\"d.png\"> <track>\n";
    let site =
        SiteTest::inline("").file("README.md", source).file("d.png", "x").file("l.png", "x").other_diagnostics().run();
    let html = site.text_of("index.html");
    for tag in ["source", "col", "area", "param", "track", "wbr", "embed"] {
        assert!(!html.contains(&format!("</{tag}>")), "{tag}: {html}");
    }
    for (selector, count) in [
        ("main picture > source[srcset] + img", 1),
        ("main source", 1),
        ("main colgroup > col", 2),
        ("main map > area", 1),
        ("main param, main track", 0),
    ] {
        assert_eq!(site.page("index").count(selector), count, "{selector}: {html}");
    }
}

/// GitHub shows emoji by name; contents and anchors are those of its pages.
#[test]
fn emoji_of_github() {
    let source = "# :sparkles: Tool\n\n[a](#rocket-start) :+1: `:+1:` <code>:+1:</code> 10:30:00 :nothing: [:tada: x](#rocket-start)\n\n## :rocket: Start\n\n```\n:+1:\n```\n";
    let site = SiteTest::inline("")
        .file("README.md", source)
        .text("index", "a 👍 :+1: :+1: 10:30:00 :nothing: 🎉 x")
        .element("index", "main h2#rocket-start")
        .run();
    let page = site.page("index");
    let words =
        |selector: &str| page.select(selector).iter().map(|found| found.text().collect::<String>()).collect::<Vec<_>>();
    assert_eq!(
        (words("h1"), words("#table-of-contents a"), words("main pre")),
        (vec!["✨ Tool".to_owned()], vec!["🚀 Start".to_owned()], vec![":+1:".to_owned()])
    );
    SiteTest::page(":rocket:").text("index", ":rocket:").run();
}

/// The list in whose place kramdown puts the contents of a page, which stand beside it here.
#[test]
fn the_place_of_contents_is_empty() {
    let source =
        "# T\n\n1. TOC\n{:toc}\n\n- Contents\n  {: toc .x }\n\n* one\n{: .toc}\n\n+ two\n+ three\n{:toc}\n\nEnd.\n";
    SiteTest::inline("").file("README.md", source).text("index", "T one two three End.").run();
}

#[test]
fn footnotes_that_nothing_refers_to_are_told() {
    let site = SiteTest::inline("")
        .file("README.md", "# T\n\nA[^1].\n\n[^1]: used\n[^2]: unused\n")
        .diagnostic("footnote-unused", "README.md:6:1")
        .run();
    assert_eq!(site.page("index").count(".footnotes li"), 1);
    let alone = SiteTest::inline("")
        .file("README.md", "# T\n\nA.\n\n[^2]: unused\n")
        .diagnostic("footnote-unused", "README.md:5:1")
        .run();
    assert_eq!(alone.page("index").count(".footnotes"), 0);
    SiteTest::inline("")
        .file("README.mdx", "# T\n\nA.\n\n[^2]: unused\n")
        .diagnostic("footnote-unused", "README.mdx:5:1")
        .run();
}

#[test]
fn alerts_of_github() {
    SiteTest::inline("")
        .file("README.md", "# T\n\n> [!IMPORTANT]\n> Read *this*.\n\nAfter.\n")
        .element("index", "[data-component=Info] em")
        .text("index", "Read this.")
        .text("index", "After.")
        .run();
}

#[test]
fn boxes_and_tabs_of_mkdocs() {
    SiteTest::inline("")
        .file(
            "README.md",
            "# T\n\n!!! warning \"Mind this\"\n    Body with `code`.\n\n    - item\n\n??? question\n    Hidden.\n\n=== \"Python\"\n\n    ```py\n    import x\n    ```\n\n=== \"Rust\"\n\n    ```rust\n    use x;\n    ```\n\nAfter.\n",
        )
        .text("index", "Mind this")
        .element("index", "[data-component=Warning] li")
        .element("index", "details[data-component=Accordion]")
        .element("index", "[data-component=Tabs] [data-component=Tab][data-title=Python] pre")
        .element("index", "[data-component=Tabs] [data-component=Tab][data-title=Rust] pre")
        .run();
}

#[test]
fn problems_in_boxes_have_their_place() {
    SiteTest::inline("")
        .file("README.md", "# T\n\n!!! note\n\n    See\n    [it](nowhere.md).\n")
        .diagnostic("broken-link", "README.md:6:5")
        .run();
}

#[test]
fn pages_of_docusaurus() {
    let page = "---\nsidebar_position: 1\n---\n\nimport Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n\n# The start\n\n:::tip[Do *this*]\n\nBody.\n\n:::\n\n<!-- gone -->\n<Tabs>\n  <TabItem value=\"a\" label=\"Apple\" default>\n    One\n  </TabItem>\n  <TabItem value=\"orange\">\n    Two\n  </TabItem>\n</Tabs>\n\n<Tabs\n  defaultValue=\"cs\"\n  values={[\n    { label: 'XAML', value: 'xaml' },\n    { label: 'C#', value: 'cs', },\n  ]}\n>\n<TabItem value=\"xaml\">\n\nMarkup\n\n</TabItem>\n<TabItem value=\"cs\">\n\nCode\n\n</TabItem>\n</Tabs>\n\nexport const Red = ({children}) => <b>{children}</b>;\n\n<Red>red</Red>\n";
    SiteTest::inline("")
        .file("website/docusaurus.config.js", "module.exports = {};\n")
        .file("website/docs/start.md", page)
        .file("README.md", "# Read me\n\nA `{brace}` and {another}, Vec<T>.\n")
        .text("docs/start", "The start")
        .element("docs/start", "[data-component=Tip]")
        .element("docs/start", "[data-component=Tab][data-title=Apple]")
        .element("docs/start", "[data-component=Tab][data-title=orange]")
        .element("docs/start", "[data-component=Tab][data-title=XAML]")
        .element("docs/start", "[data-component=Tab][data-title='C#']:not([data-idle])")
        .element("docs/start", "main b")
        .nowhere("docs/start", "Read me")
        .no_file("README.html")
        .other_diagnostics()
        .run();
}

#[test]
fn tabs_of_fumadocs_and_nextra() {
    SiteTest::page("<Tabs items={['npm', 'pnpm']}>\n<Tab>One</Tab>\n<Tab value=\"p\">Two</Tab>\n</Tabs>\n\n<Tabs items={[\"a\", \"b\"]}>\n<Tabs.Tab>Three</Tabs.Tab>\n<Tabs.Tab>Four</Tabs.Tab>\n</Tabs>")
        .element("index", "[data-component=Tab][data-title=npm]")
        .element("index", "[data-component=Tab][data-title=p]")
        .element("index", "[data-component=Tab][data-title=b]")
        .run();
}

#[test]
fn markdown_that_is_mdx_reads_as_such() {
    SiteTest::inline("")
        .file(
            "README.md",
            "# T\n\n{/* A note to authors. */}\n\n<div style={{ color: 'red' }}>\n\n**bold** {1 + 1}\n\n</div>\n",
        )
        .file("other.md", "# O\n\nIn Markdown `{/* a */}` and {braces} stay.\n")
        .text("index", "T bold 2")
        .text("other", "{/* a */} and {braces} stay.")
        .run();
}

#[test]
fn pages_stand_as_mkdocs_lists_them() {
    SiteTest::inline("")
        .file("mkdocs.yml", "site_name: S\nmarkdown_extensions:\n  - x: !!python/name:y\nnav:\n  - First: z.md\n  - Group:\n      - a.md\n      - Outside: https://example.com/\n")
        .file("docs/a.md", "# Title of a\n")
        .file("docs/z.md", "# Z\n")
        .file("docs/m.md", "# Rest\n")
        .has_file("m.html")
        .check(|site| {
            let expect = ["z.html", "a.html"];
            let text = site.text_of("llms.txt");
            let at: Vec<Option<usize>> = expect.iter().map(|page| text.find(&page.replace(".html", ".md"))).collect();
            if at.iter().all(Option::is_some) && at.is_sorted() { Vec::new() } else { vec![format!("not in the order of the list: {text}")] }
        })
        .run();
}

#[test]
fn pages_named_in_examples_are_pages() {
    SiteTest::page("```ts\nimport { a } from './other'\n```\n\n[o](/other)")
        .file("other.mdx", "---\ntitle: Other\n---\n\nText.\n")
        .has_file("other.html")
        .run();
    SiteTest::inline("")
        .file("README.md", "# T\n\n    import { a } from './b'\n")
        .file("b.mdx", "# B\n")
        .has_file("b.html")
        .run();
}

#[test]
fn links_with_the_prefix_and_without_the_numbers_of_other_tools() {
    SiteTest::inline("")
        .file("README.md", "# T\n\n[a](/docs/guide/two#x) [b](/docs/01-guide/02-two.md) [c](guide/two)\n")
        .file("01-guide/02-two.md", "# Two\n\n## X\n\n[d](./three)\n")
        .file("01-guide/03-three.md", "# Three\n")
        .element("index", "a[href='01-guide/02-two.html#x']")
        .element("index", "a[href='01-guide/02-two.html'] + a[href='01-guide/02-two.html']")
        .element("01-guide/02-two", "main a[href='03-three.html']")
        .run();
}

#[test]
fn names_of_code_in_brackets_keep_their_words() {
    SiteTest::inline("")
        .file("README.md", "# T\n\nSee [`Runner`][agents.run.Runner] and [text][no such].\n\n#### Symbol.asyncDispose\n\n<a id=\"symbolAsyncDispose\"></a>\n\n[a](#symbolasyncdispose)\n")
        .text("index", "See Runner and [text][no such].")
        .run();
}

#[test]
fn descriptions_of_several_paragraphs_are_markdown() {
    SiteTest::inline("")
        .file("README.md", "---\ntitle: T\ndescription: |\n  First *one*.\n\n  - a\n  - b\n---\n\nText.\n")
        .element("index", ".page-description ul li")
        .element("index", ".page-description p em")
        .element("index", "meta[name=description][content='First one.']")
        .run();
}

#[test]
fn style_sheets_of_other_tools_stay_files() {
    let site = SiteTest::inline("")
        .file("README.md", "# T\n")
        .file("extra.css", "a { color: yellow }\n")
        .has_file("extra.css")
        .run();
    assert!(!site.text_of("index.html").contains("extra.css"));
}

#[test]
fn pictures_for_one_mode() {
    SiteTest::inline("")
        .file("README.md", "# T\n\n![A](a.svg#only-light)![A](a.svg#gh-dark-mode-only)\n")
        .file("a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>\n")
        .element("index", "img[data-only=light] + img[data-only=dark]")
        .run();
}

#[test]
fn files_that_other_generators_include() {
    SiteTest::inline("")
        .file("src/SUMMARY.md", "- [One](ch/one.md)\n- [Two](ch/two.md)\n")
        .file("src/ch/one.md", "# One\n\n```rust\n{{#rustdoc_include ../../listings/main.rs:here}}\n```\n\n--8<-- \"listings/note.md\"\n\n{{#include gone.md}}\n")
        .file("src/ch/two.md", "# Two\n\n<<< @/listings/main.rs#L{1}\n\n<!--@include: ../../listings/part.txt-->\n")
        .file("listings/main.rs", "fn unseen() {}\n// ANCHOR: here\nfn shown() {}\n// ANCHOR_END: here\n// #region L\nlet region = 1;\n// #endregion L\n")
        .file("listings/note.md", "---\ntitle: Note\n---\nTaken **along**, [two](../src/ch/two.md), [no](no.md).\n")
        .file("listings/part.txt", "Also *this*.\n")
        .text("src/ch/one", "fn shown() {}")
        .nowhere("src/ch/one", "unseen")
        .nowhere("src/ch/one", "ANCHOR")
        .element("src/ch/one", "p strong")
        .element("src/ch/one", "p a[href='two.html']")
        .nowhere("src/ch/one", "title: Note")
        .diagnostic("include-unread", "src/ch/one.md:9:1")
        .diagnostic("broken-link", "listings/note.md:4:")
        .text("src/ch/two", "let region = 1;")
        .element("src/ch/two", "p em")
        .run();
}

#[test]
fn start_pages_made_of_front_matter() {
    SiteTest::inline("")
        .file(
            "index.md",
            "---\nlayout: home\nhero:\n  name: Engine\n  text: It runs.\n  tagline: On every road.\n  actions:\n    - text: Get going\n      link: /guide\nfeatures:\n  - title: Quiet\n    details: You hear *nothing*.\n---\n",
        )
        .file("guide.md", "# Guide\n\n## Part <Badge type=\"tip\" text=\"new\" />\n\n```js:line-numbers{2}\na\nb\n```\n")
        .text("index", "Engine It runs.")
        .element("index", "a.button[href='guide.html']")
        .element("index", ".card .box-text em")
        .text("index", "On every road.")
        .element("guide", "[data-lines]")
        .element("guide", "h2 [data-badge][data-color=green]")
        .run();
}

#[test]
fn what_mkdocs_adds_to_markdown() {
    SiteTest::inline("")
        .file(
            "README.md",
            "# T\n\n[TOC]\n\n[Start](other.md){ .md-button }\n\n<figure markdown=\"span\">\n  ![A cat](cat.svg){ width=\"300\" }\n</figure>\n\nThe $x^2$ of $5.\n\n$$\n\\frac{a}{b}\n$$\n\n--8<-- \"lost.md\"\n\nEnd.\n",
        )
        .file("other.md", "# O\n\nText.\n")
        .file("cat.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>\n")
        .diagnostic("include-unread", "README.md:17:1")
        .element("index", "figure img[alt='A cat']")
        .element("index", "math mfrac")
        .element("index", "p math msup")
        .text("index", "Start")
        .text("index", "of $5.")
        .nowhere("index", ".md-button")
        .nowhere("index", "[TOC]")
        .run();
}

#[test]
fn words_in_angle_brackets_stay() {
    SiteTest::page("Use <YOUR_KEY> as the key of a Map<Name>.\n\nNext **paragraph**.")
        .diagnostic("mdx-unclosed-tag", "index.mdx:5:5")
        .diagnostic("mdx-unclosed-tag", "index.mdx:5:35")
        .text("index", "Use <YOUR_KEY> as the key of a Map<Name>.")
        .element("index", "main p strong")
        .run();
}

#[test]
fn a_missing_import_is_said_once() {
    SiteTest::page("import Gone from '/snippets/gone.mdx'\n\n<Gone>Kept.</Gone>")
        .diagnostic("import-missing", "index.mdx:5:1")
        .text("index", "Kept.")
        .run();
}

#[test]
fn snippets_may_say_props() {
    SiteTest::inline("")
        .file(
            "docs.json",
            r##"{"name": "S", "theme": "mint", "colors": {"primary": "#16A34A"}, "navigation": {"pages": ["index"]}}"##,
        )
        .file("snippets/a.mdx", "Hello {props.name}{props.other}.\n")
        .file("index.mdx", "---\ntitle: I\n---\nimport A from '/snippets/a.mdx'\n\n<A name=\"Ada\" />\n\n<A />\n")
        .text("index", "Hello Ada.")
        .text("index", "Hello .")
        .run();
}

#[test]
fn a_book_has_the_order_of_its_summary() {
    SiteTest::inline("//- SUMMARY.md\n# Summary\n\n- [Last first](z.md)\n- [Then](a.md)\n  - [Inside](b/c.md)\n//- README.md\n# Book\n//- a.md\n# A\n//- b/c.md\n# C\n//- z.md\n# Z\n//- left.md\n# Left\n")
        .check(|site| {
            let page = site.page("index");
            let links: Vec<String> = page.select("#sidebar .sidebar-group a, #sidebar a.sidebar-title").iter().map(|link| link.attr("href").unwrap_or_default().to_owned()).collect();
            let expect = ["index.html", "z.html", "a.html", "b/c.html", "left.html"];
            if links == expect { vec![] } else { vec![format!("{links:?}")] }
        })
        .has_file("SUMMARY.html")
        .element("z", "#pagination .pagination-next[href='a.html']")
        .run();
}

/// Programs and hosts of repositories read these files; pages of those names are for readers.
#[test]
fn files_for_those_who_work_on_a_repository_are_no_pages() {
    let for_others = |site: SiteTest| {
        ["AGENTS.md", "CLAUDE.md", "CODE_OF_CONDUCT.md", "docs/CLAUDE.md", ".github/PULL_REQUEST_TEMPLATE.md"]
            .into_iter()
            .fold(site, |site, name| site.file(name, "# Not for readers\n"))
    };
    let pages = |site: SiteTest| {
        let site = site.run();
        site.html().filter(|path| !path.starts_with("_offprint/") && *path != "404.html").collect::<Vec<_>>().join(" ")
    };
    let plain = for_others(SiteTest::inline("").file("README.md", "# Start\n").file("docs/agents.md", "# Agents\n"));
    assert_eq!(pages(plain), "docs/agents.html index.html");
    let site = for_others(SiteTest::pages(&[("index", "Start."), ("guides/agents", "Agents.")]));
    assert_eq!(pages(site), "guides/agents.html index.html");
}

#[test]
fn what_the_navigation_lists_is_a_page_whatever_its_name() {
    let config = r##"{"theme":"mint","name":"Test","colors":{"primary":"#123456"},"navigation":{"pages":["index","CODE_OF_CONDUCT"]}}"##;
    SiteTest::inline("")
        .file("docs.json", config)
        .file("index.md", "---\ntitle: Start\n---\n\nStart.\n")
        .file("CODE_OF_CONDUCT.md", "---\ntitle: Conduct\n---\n\nBe kind.\n")
        .text("CODE_OF_CONDUCT", "Be kind.")
        .run();
    SiteTest::inline("")
        .file("book.toml", "[book]\ntitle = \"Book\"\n")
        .file("src/SUMMARY.md", "# Summary\n\n- [Start](start.md)\n- [Conduct](CODE_OF_CONDUCT.md)\n")
        .file("src/start.md", "# Start\n")
        .file("src/CODE_OF_CONDUCT.md", "# Conduct\n\nBe kind.\n")
        .text("CODE_OF_CONDUCT", "Be kind.")
        .run();
}
