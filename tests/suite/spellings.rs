//! What is written in more than one way: labels, letters with accents, anchors, ends of lines, dollars, marks in code.

use super::site::SiteTest;

/// Labels of footnotes and of references are compared without case, in every dialect.
#[test]
fn labels_have_no_case() {
    let body = "Glaze it.[^Ash  Glaze] Sieve[^STRASSE] [it][Long\nLabel].\n\n[^ash glaze]: Of wood ash.\n[^straße]: Twice.\n[LONG label]: https://a.example/x\n";
    for site in [
        SiteTest::page(body),
        SiteTest::inline("").file("index.md", format!("# T\n\n{body}")),
        SiteTest::inline("")
            .file(".vitepress/config.ts", "export default { title: 'N' }")
            .file("index.md", format!("# T\n\n{body}")),
        SiteTest::inline("")
            .file("mkdocs.yml", "site_name: N\nmarkdown_extensions:\n  - footnotes\n")
            .file("docs/index.md", format!("# T\n\n{body}")),
    ] {
        site.text("index", "Of wood ash.")
            .text("index", "Twice.")
            .element("index", "main a[href='https://a.example/x']")
            .run();
    }
}

/// Accents are letters of their own on some systems, and parts of letters on others.
#[test]
fn letters_with_accents_have_one_form() {
    let (composed, apart) = ("caf\u{e9}", "cafe\u{301}");
    let site = SiteTest::pages(&[("index", &format!("[a](/{apart}) [b](./{apart}#gru\u{308}n) [c](/{composed}#gr\u{fc}n) ![p](/{apart}.png) [d](#ro\u{301}t)\n\n## R\u{f3}t"))])
        .file(&format!("{composed}.mdx"), "---\ntitle: C\n---\n\n## Gru\u{308}n\n\nWords.\n")
        .file(&format!("{composed}.png"), "p")
        .file("re\u{301}sume\u{301}.mdx", "---\ntitle: R\n---\n\nWords.\n")
        .file("docs.json", format!(r##"{{"theme": "mint", "name": "N", "colors": {{"primary": "#0F766E"}}, "navigation": {{"pages": ["index", "{apart}", "résumé"]}}}}"##))
        .run();
    let page = site.page("index");
    let hrefs: Vec<&str> = page.select("main p a").iter().filter_map(|link| link.attr("href")).collect();
    let [a, b, c, d] = hrefs.as_slice() else { panic!("{hrefs:?}") };
    assert!(a.ends_with("caf%C3%A9.html"), "{a}");
    assert_eq!(b, c);
    assert!(b.contains(".html#gr"), "{b}");
    assert_eq!(*d, "#r%C3%B3t");
    assert_eq!(page.count("main img[alt='p']"), 1);
}

/// The export leads links to the anchors that they mean; other programs do not.
#[test]
fn repaired_anchors_are_told() {
    let site = SiteTest::pages(&[
        ("index", "[a](/b#Step-1:-wet-it) [b](/b#step-1-wet-it) [c](#Dry-it) [d](#top)\n\n## Dry it"),
        ("b", "## Step 1: Wet it\n\nWords."),
    ])
    .diagnostic("link-anchor", "index.mdx:5:1")
    .diagnostic("link-anchor", "index.mdx:5:46")
    .run();
    assert_eq!(site.page("index").count("main p a[href='b.html#step-1-wet-it']"), 2);
    assert_eq!(site.page("index").count("main p a[href='#dry-it']"), 1);
}

/// A heading gets the name that GitHub has for it as a second one, where a link asks for it: the link stays as it is
/// written, whether it comes from the page, another page or a redirect.
#[test]
fn headings_keep_the_names_that_github_has_for_them() {
    let site = SiteTest::pages(&[
        ("index", "[a](/b#mix--pour) [b](/b#mix-%26-pour) [c](/b#v12-notes) [d](/b#nowhere)"),
        ("b", "## Mix & pour\n\n[own](#qa) [twice](#mix--pour)\n\n### v1.2 notes\n\n## Q/A\n\n## Plain one"),
    ])
    .file(
        "docs.json",
        r##"{"theme": "mint", "name": "N", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "b"]},
            "redirects": [{"source": "/old", "destination": "/b#plain-one"}, {"source": "/older", "destination": "/b#qa"}]}"##,
    )
    .diagnostic("link-anchor", "index.mdx:5:1")
    .diagnostic("link-anchor", "index.mdx:5:40")
    .diagnostic("broken-anchor", "index.mdx:5:58")
    .diagnostic("link-anchor", "b.mdx:7:1")
    .diagnostic("link-anchor", "b.mdx:7:12")
    .run();
    let (index, page) = (site.page("index"), site.page("b"));
    let hrefs: Vec<&str> = index.select("main p a").iter().filter_map(|link| link.attr("href")).collect();
    assert_eq!(hrefs, ["b.html#mix--pour", "b.html#mix-&-pour", "b.html#v12-notes", "b.html"]);
    let own: Vec<&str> = page.select("main p a").iter().filter_map(|link| link.attr("href")).collect();
    assert_eq!(own, ["#qa", "#mix--pour"]);
    for (heading, names) in
        [("h2[id='mix-&-pour']", "mix--pour"), ("h3[id='v1-2-notes']", "v12-notes"), ("h2[id='q/a']", "qa")]
    {
        assert_eq!(page.count(&format!("{heading} > span[id='{names}']:empty")), 1, "{heading}");
    }
    assert_eq!(page.count("main h2 > span[id]") + page.count("main h3 > span[id]"), 3);
}

/// In a plain folder, anchors are those that GitHub shows: others link to them.
#[test]
fn anchors_of_a_plain_folder_are_those_of_github() {
    SiteTest::inline("")
        .file(
            "README.md",
            "# Clay\n\n## Wet\n\n## Wet\n\n### v2.0 (rc)\n\n## Wet\n\n<h2>Raw & dry</h2>\n\n[a](#wet-2) [b](#v20-rc)\n",
        )
        .element("index", "h2#wet")
        .element("index", "h2#wet-1")
        .element("index", "h2#wet-2")
        .element("index", "h3#v20-rc")
        .element("index", "h2#raw--dry")
        .run();
}

/// Old systems end lines with carriage returns alone.
#[test]
fn carriage_returns_end_lines() {
    SiteTest::pages(&[("index", ""), ("mixed", "")])
        .file("index.mdx", "---\rtitle: Old pots\r---\r\rOne.\r\r## Two\r\r- a\r- b\r")
        .file("mixed.mdx", "---\r\ntitle: Mixed\rdescription: Two ends\n---\r\n\r\nOne.\r\r## Two\n")
        .text("index", "Old pots")
        .nowhere("index", "title: Old")
        .element("index", "h2#two")
        .element("index", "main li + li")
        .text("mixed", "Two ends")
        .element("mixed", "h2#two")
        .run();
}

/// What YAML takes for a tag or an anchor is a word of the title.
#[test]
fn titles_may_begin_with_signs_of_yaml() {
    let mut site = SiteTest::pages(&[("index", "Words.")]);
    let titles = ["!vital words", "! now", "!!! Stop", "!one", "!it's so # why", "&vital words", "& now", "&one"];
    for (number, title) in titles.iter().enumerate() {
        site = site.file(&format!("c{number}.mdx"), format!("---\ntags: [a, b]\ntitle: {title}\n---\n\nWords.\n"));
    }
    let site = site.other_diagnostics().run();
    for (number, title) in titles.iter().enumerate() {
        let shown = title.split(" #").next().unwrap_or_default().replace('\'', "’");
        let page = site.page(&format!("c{number}"));
        let found: String = page.select("h1").iter().flat_map(|heading| heading.text()).collect();
        assert_eq!(found.replace('\'', "’"), shown);
    }
}

/// A backslash makes a dollar one of the formula, and an empty line does not end a display formula.
#[test]
fn formulas_hold_dollars_and_empty_lines() {
    let inline = "Costs $\\$12 + y$ here, and $\\alpha$ too.";
    let display = "$$\n\\begin{aligned}\na &= b \\\\\n\nc &= d\n\\end{aligned}\n$$\n\nBelow.\n\n- in an item\n\n  $$\n  x\n\n  y\n  $$\n";
    for (site, page) in [
        (SiteTest::page(&format!("{inline}\n\n{display}")), "index"),
        (SiteTest::inline("").file("index.md", format!("# T\n\n{inline}\n\n{display}")), "index"),
        (
            SiteTest::inline("")
                .file(".vitepress/config.ts", "export default { title: 'N', markdown: { math: true } }")
                .file("index.md", format!("# T\n\n{inline}\n\n{display}")),
            "index",
        ),
    ] {
        let site = site.run();
        let page = site.page(page);
        assert_eq!(page.count("main math"), 4);
        assert_eq!(page.count("main math[display='block']"), 2);
        assert_eq!(page.count("main li math"), 1);
        assert!(!page.content_text().contains("$$"), "{}", page.content_text());
    }
}

/// Marks of code keep the words of their comment, and are shown where two spaces or quotes say so.
#[test]
fn marks_in_comments_keep_the_comment() {
    let site = SiteTest::page("```js\nwet() // [!code ++] at first\nconst s = \"[!code hl]\"\ndry() // [!code  hl]\nrest() // [!code --]\n```")
        .text("index", "wet() // at first")
        .text("index", "const s = \"[!code hl]\"")
        .text("index", "dry() // [!code hl]")
        .nowhere("index", "[!code --]")
        .run();
    assert!(site.page("index").content_text().contains("rest()"));
}

/// `v-pre` protects its element, and nothing else.
#[test]
fn braces_in_v_pre_stay() {
    SiteTest::inline("")
        .file(".vitepress/config.ts", "export default { title: 'N' }")
        .file(
            "index.md",
            "---\nrelease: 7.1\n---\n\n# T\n\nSay <code v-pre>{{ jar }}</code> in {{ $frontmatter.release }}, `<b v-pre>`.\n\n<div v-pre>\n\n{{ pot }}\n\n<div>{{ cup }}</div>\n\n</div>\n\nNow {{ $frontmatter.release }}.\n",
        )
        .text("index", "Say {{ jar }} in 7.1, <b v-pre>.")
        .text("index", "{{ pot }}")
        .text("index", "{{ cup }}")
        .text("index", "Now 7.1.")
        .run();
}

/// Punctuation of Chinese ends an address.
#[test]
fn wide_punctuation_ends_addresses() {
    SiteTest::inline("")
        .file("index.md", "# T\n\n见 https://a.example/陶。再见（https://b.example），www.c.example\n")
        .element("index", "main a[href='https://a.example/%E9%99%B6'], main a[href='https://a.example/陶']")
        .element("index", "main a[href='https://b.example']")
        .element("index", "main a[href='http://www.c.example']")
        .run();
}
