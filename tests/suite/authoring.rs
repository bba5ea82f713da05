//! What authors of MDX write around components: titles, links in cards, pictures that cannot be had, tables with cells
//! too many, anchors as GitHub makes them.

use crate::suite::site::SiteTest;

#[test]
fn a_page_without_a_title_takes_its_first_heading() {
    SiteTest::inline("")
        .file("docs.json", r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "guides/a-b", "c", "d", "e", "f"]}}"##)
        .file("index.mdx", "# Firing *clay*\n\nText.\n")
        .file("guides/a-b.mdx", "---\ndescription: D\n---\n\n<Note>n</Note>\n\n## Loading `shelves`\n\nText.\n")
        .file("c.mdx", "Only text.\n")
        .file("d.mdx", "---\ntitle: Own\n---\n\n# Another\n")
        .file("e.mdx", "import A from './x.mdx'\n\n```md\n# Not this\n```\n\nUnderlined\n==========\n")
        .file("f.mdx", "---\ntitle: \"\"\n---\n\n# Empty title\n")
        .element("index", "a[href='guides/a-b.html']")
        .check(|site| {
            let titles = [("index", "Firing clay"), ("guides/a-b", "Loading shelves"), ("c", "C"), ("d", "Own"), ("e", "Underlined"), ("f", "Empty title")];
            let wrong = |(slug, title): &(&str, &str)| {
                let is_title = site.text_of(&format!("{slug}.html")).contains(&format!("<title>{title}"));
                let is_named = site.text_of("index.html").contains(title);
                (!is_title || !is_named).then(|| format!("{slug}: {title}"))
            };
            titles.iter().filter_map(wrong).collect()
        })
        .check(|site| {
            let shown = site.page("index").content_text();
            (shown.matches("Firing clay").count() != 1).then_some(shown).into_iter().collect()
        })
        .other_diagnostics()
        .run();
}

#[test]
fn links_of_cards_in_cards_stay() {
    let body = "<Card title=\"Outer\" href=\"/two\">\n  <Card title=\"Inner\" href=\"/three\">words</Card>\n</Card>\n\n<Card title=\"Row\" href=\"/two\"><Tile title=\"Tile\" href=\"/four\">p</Tile></Card>\n\n<CardGroup><Card href=\"/two\"><Columns><Card title=\"Deep\" href=\"/five\">w <Card title=\"Deepest\" href=\"/six\" /></Card></Columns></Card></CardGroup>\n\n<Card title=\"Badges\" href=\"/two\"><Badge href=\"/seven\">b</Badge></Card>\n\n<Card title=\"Repository\" href=\"/two\"><GitHub.Repo repo=\"acme/kiln\" /></Card>\n\n<Card title=\"Plain\" href=\"/two\"><Card title=\"No link\">x</Card></Card>";
    let pages = ["two", "three", "four", "five", "six", "seven"].map(|name| (name, "Here."));
    let all: Vec<(&str, &str)> = [("index", body)].into_iter().chain(pages).collect();
    let mut site = SiteTest::pages(&all);
    for name in ["three", "four", "five", "six", "seven"] {
        site = site.element("index", &format!("main a[href='{name}.html']"));
    }
    let page = site.element("index", "a[href='https://github.com/acme/kiln']").run();
    assert_eq!(page.page("index").count(".mdx-content a[href='two.html']"), 6);
    assert_eq!(page.page("index").count("a a"), 0);
}

#[test]
fn what_cannot_be_had_leaves_no_empty_frame() {
    let body = "Before.\n\n<Frame><img src=\"/none.png\" /></Frame>\n\n<Frame>![](/none.png)</Frame>\n\n<Frame>\n  <video src=\"/none.mp4\"></video>\n</Frame>\n\n<Frame>\n\n![](/none.png)\n\n</Frame>\n\n<figure><img src=\"/none.png\" /></figure>\n\n<Frame caption=\"A caption\"><img src=\"/none.png\" /></Frame>\n\n<Frame hint=\"A hint\"><img src=\"/none.png\" /></Frame>\n\n<Frame><img src=\"/none.png\" alt=\"A kiln\" /></Frame>\n\nAfter.";
    let page = SiteTest::page(body)
        .text("index", "A caption")
        .text("index", "A hint")
        .text("index", "A kiln")
        .other_diagnostics()
        .run();
    let page = page.page("index");
    assert_eq!((page.count("figure"), page.count(".frame-body:empty, figure:empty")), (3, 0));
}

#[test]
fn cells_beyond_the_header_stay() {
    let table =
        "| A | B |\n|---\t|\t---|\n| 1 | 2 | three *em* |\n| 4 | 5 | `six` | - seven | |\n| 8 | 9 | |\n| 10 | 11 |\n";
    for (name, file) in [("index.mdx", true), ("index.md", false)] {
        let site = SiteTest::inline("").file(name, format!("---\ntitle: T\n---\n\n{table}\nAfter.\n"));
        let site = site
            .diagnostic("table-cells", &format!("{name}:7"))
            .diagnostic("table-cells", &format!("{name}:8"))
            .element("index", "td:nth-child(3) > em")
            .element("index", "td:nth-child(3) > code")
            .text("index", "- seven")
            .no_element("index", "td:nth-child(5)")
            .no_element("index", "tr:nth-child(3) td:nth-child(3)")
            .run();
        assert_eq!(site.page("index").count("table"), 1, "{file}");
    }
    SiteTest::page(&format!("{}\n\n- item\n\n  | a |\n  |\t-\t|\n  | b | <Badge>c</Badge> {{1 + 1}} |\n\n> | d | e |\n> |:-\t|\t-:|\n> | f | g | [h](https://x.org) |\n", table))
        .diagnostic("table-cells", "index.mdx:7")
        .diagnostic("table-cells", "index.mdx:8")
        .diagnostic("table-cells", "index.mdx:17")
        .diagnostic("table-cells", "index.mdx:21")
        .element("index", "li td:nth-child(2) [data-component='Badge']")
        .text("index", "c 2")
        .element("index", "blockquote td:nth-child(3) a[href='https://x.org']")
        .run();
}

/// The title of a block of code, as each info string has it, in MDX and in plain Markdown.
#[test]
fn braces_are_no_title_of_code() {
    for (info, title) in [
        ("java Java {\"LOAD::x#y\"}", "Java"),
        ("js {highlight={1}}", ""),
        ("js {1,3} kiln.js", "kiln.js"),
        ("js{1, 3} kiln.js", "kiln.js"),
        ("python main.py {linenos=table,hl_lines=[\"1-2\"]}", "main.py"),
        ("ts {{ a: { b: 1 } }} kiln.ts", "kiln.ts"),
        ("sh title=\"R&amp;D {a}\" {b}", "R&D {a}"),
        ("sh snake\\_case", "snake_case"),
        ("sh title=\"a \\\"b\\\" c\"", "a \"b\" c"),
        ("http GET /kilns/{id}", "GET /kilns/{id}"),
    ] {
        for name in ["index.mdx", "index.md"] {
            let site =
                SiteTest::inline("").file(name, format!("---\ntitle: T\n---\n\n```{info}\nlet a = 1;\n```\n")).run();
            let page = site.page("index");
            let found: Vec<String> =
                page.select(".code-title").iter().map(|it| it.text().collect::<String>().trim().to_owned()).collect();
            assert_eq!(found.concat(), title, "{info} in {name}");
            assert!(page.content_text().contains("let a = 1;"));
        }
    }
}

/// Quotes in quotes, in text, headings and their anchors.
#[test]
fn quotes_in_quotes_open_and_close() {
    SiteTest::page("She said \"he wrote 'kiln'\" and *\"so 'x'\"*.\n\n## \"Glaze 'ash'\"\n\n<Card title=\"Say &quot;it's 'hot'&quot;\">x</Card>")
        .text("index", "She said “he wrote ‘kiln’” and “so ‘x’”.")
        .element("index", "h2[id='“glaze-‘ash’”']")
        .text("index", "Say “it’s ‘hot’”")
        .run();
}

#[test]
fn a_heading_called_like_an_example_costs_no_example() {
    let api = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://api.example.com"}], "paths": {"/kilns": {"post": {"summary": "Fire", "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"cone": {"type": "integer", "example": 6}}}}}}, "responses": {"200": {"description": "Fired", "content": {"application/json": {"example": {"fired": "well done"}}}}}}}}}"#;
    let config = r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "api": {"openapi": "api.json"}, "navigation": {"pages": ["index", "own", "both"]}}"##;
    let front = "---\ntitle: Fire\nopenapi: POST /kilns\n---\n\n";
    let own = "<ResponseExample>\n\n```json Mine\n{\"mine\": 1}\n```\n\n</ResponseExample>\n";
    SiteTest::inline("")
        .file("docs.json", config)
        .file("api.json", api)
        .file("index.mdx", format!("{front}## Response example\n\nText.\n\n### Request Example\n\nMore.\n"))
        .file("own.mdx", format!("{front}{own}"))
        .file("both.mdx", format!("{front}## Response example\n\n{own}"))
        .element("index", "h2#response-example")
        .element("index", "h3#request-example")
        .text("index", "well done")
        .text("index", "curl")
        .text("own", "mine")
        .nowhere("own", "well done")
        .text("both", "mine")
        .nowhere("both", "well done")
        .run();
}

/// Links to anchors as GitHub makes them find the headings, on the page itself and from others.
#[test]
fn anchors_of_github_are_found() {
    let headings = "## Clay & Glaze\n\n## Load / Unload\n\n## v1.2.3\n\n## What's new?\n\n## Same\n\n## Same\n\n[a](#clay--glaze) [b](#load--unload)";
    let site = SiteTest::pages(&[
        ("index", "[c](/two#clay--glaze) [d](/two#load--unload) [e](/two#v123) [f](/two#whats-new) [g](/two#same-1) [h](/two#gone)"),
        ("two", headings),
    ])
    .diagnostic("broken-anchor", "index.mdx")
    .other_diagnostics()
    .run();
    let (page, two) = (site.page("index"), site.page("two"));
    let ids: Vec<String> =
        two.select("h2[id], h2 > span[id]").iter().filter_map(|it| it.value().attr("id").map(str::to_owned)).collect();
    let hrefs: Vec<String> = page
        .select("main a[href^='two.html#']")
        .iter()
        .filter_map(|it| it.value().attr("href").map(str::to_owned))
        .collect();
    // five of them are second names
    assert_eq!((ids.len(), hrefs.len()), (11, 5), "{ids:?} {hrefs:?}");
    for href in hrefs {
        let anchor = percent_encoding::percent_decode_str(href.split_once('#').unwrap_or_default().1)
            .decode_utf8_lossy()
            .into_owned();
        assert!(ids.contains(&anchor), "{anchor} of {ids:?}");
    }
}
