//! Repositories of MkDocs: a site that uses what real ones use (`fixtures/mkdocs`), as Material for MkDocs builds it.

use super::site::SiteTest;

/// The places of pages in the list of a bundle.
#[track_caller]
fn in_order(list: &str, pages: &[&str]) {
    let places: Vec<usize> =
        pages.iter().map(|page| list.find(page).unwrap_or_else(|| panic!("no {page} in {list}"))).collect();
    assert!(places.is_sorted(), "{list}");
}

#[test]
fn a_site_of_mkdocs() {
    let site = SiteTest::fixture("mkdocs")
        .diagnostic("config-program", "mkdocs.yml")
        .diagnostic("page-draft", "docs/blog/posts/draft.md")
        // pages
        .has_file("guide/syntax.html")
        .has_file("blog/2024/03/01/the-first-ship.html")
        .has_file("blog/2025/01/31/storm.html")
        .no_file("drafts/a.html")
        .no_file("hooks.py")
        .text("index", "version 4.2, by the Dock crew")
        .text("index", "Braces {{ stay }} here.")
        .element("index", "a.button[href='guide/index.html']")
        .element("index", "a.button svg")
        // words
        .element("guide/syntax", "mark")
        .element("guide/syntax", "ins")
        .element("guide/syntax", "sub")
        .element("guide/syntax", "sup")
        .element("guide/syntax", "kbd")
        .element("guide/syntax", "abbr[title='HyperText Markup Language']")
        .element("guide/syntax", "a[href='https://github.com/acme/harbor/issues/12']")
        .element("guide/syntax", "#anchored")
        .element("guide/syntax", "li li li")
        .element("guide/syntax", "dl dd p")
        .element("guide/syntax", "li input[type=checkbox]")
        .element("guide/syntax", "figure figcaption")
        .element("guide/syntax", "td svg.icon")
        .text("guide/syntax", "prices like $5 and 1 + 1 == 2 stay")
        .text("guide/syntax", "- no list")
        .text("guide/syntax", "1) no list either")
        .text("guide/syntax", "Ships wait outside, see the guide")
        .nowhere("guide/syntax", "material-anchor")
        .nowhere("guide/syntax", "a comment")
        // anchors
        .element("guide/syntax", "h2#own-id")
        .element("guide/syntax", "h3#heading-twice")
        .element("guide/syntax", "h3#heading-twice_1")
        .element("guide/syntax", "h3#code-more-20")
        .element("guide/syntax", "[id='_1']")
        .element("guide/syntax", "[id='_2']")
        .element("guide/syntax", "h2#set")
        .element("api/reference", "a[href='../guide/syntax.html#heading-twice_1']")
        .element("api/reference", "a[href='../guide/index.html']")
        .element("api/reference", "main img[src]")
        // boxes, tabs, code
        .element("guide/boxes", "[data-component='Tip'] .callout-icon svg.icon")
        .element("guide/boxes", "[data-component='Tip'] [data-component='Danger']")
        .element("guide/boxes", "details[open] [data-component='Tabs'] [data-component='Tabs']")
        .element("guide/boxes", "h2#heading-in-a-tab")
        .element("guide/boxes", "[id='boxes-and-tabs-one']")
        .element("guide/boxes", "li [data-component='Warning']")
        .text("guide/code", "def lift(load):")
        .element("guide/code", "pre a.code-note[href='#code-note-1-2'][data-note='2']")
        .element("guide/code", "li [id='code-note-1-2']")
        .element("guide/code", "li [id='code-note-2-1']")
        .element("guide/code", "li li [id='code-note-3-1']")
        .text("guide/code", "crane lower # as in , not (3)")
        .nowhere("guide/code", "[!code")
        .nowhere("guide/code", "(1)!")
        .text("guide/code", "--8<-- \"crane.py\"")
        .text("guide/code", "{{ kept }}")
        .nowhere("guide/code", "import time")
        .element("tags", "h2 [id='tag:first']")
        .element("tags", "h2 [id='tag:second']")
        .element("tags", "main li a[href='guide/index.html']")
        .element("guide/grids", "[data-component='CardGroup'] [data-component='Card'] .box-title")
        .element("guide/grids", "[data-component='Columns'] [data-component='Tabs']")
        // look
        .element("index", "link[rel=canonical][href='https://harbor.example/manual/']")
        .run();
    let twin = site.text_of("guide/code.md");
    assert!(twin.contains("name: material # (1)") && !twin.contains("[!code"), "{twin}");
    let page = site.text_of("guide/index.html");
    for words in [
        "https://github.com/acme/harbor/edit/main/docs/guide/index.md",
        "© 2026 Acme",
        "The new crane is here",
        "#009485",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let redirects = site.text_of("_offprint/redirects.json");
    assert!(redirects.contains("/old/start") && redirects.contains("https://example.com/gone"), "{redirects}");
    in_order(
        site.text_of("llms.txt"),
        &[
            "manual/index.md)",
            "guide/index.md",
            "guide/syntax.md",
            "guide/boxes.md",
            "guide/code.md",
            "guide/grids.md",
            "api/reference.md",
            "manual/tags.md",
            "blog/index.md",
            "storm.md",
            "the-first-ship.md",
        ],
    );
}

#[test]
fn without_a_list_folders_are_in_order() {
    let site = SiteTest::inline("")
        .file("mkdocs.yml", "site_name: S\n")
        .file("docs/README.md", "# Start\n")
        .file("docs/b.md", "# B\n")
        .file("docs/a-folder/z.md", "# Z\n")
        .file("docs/a-folder/index.md", "# I\n")
        .file("docs/a.md", "# A\n")
        .run();
    in_order(site.text_of("llms.txt"), &["(index.md)", "(a.md)", "(b.md)", "a-folder/index.md", "a-folder/z.md"]);
}

#[test]
fn folders_may_say_their_order() {
    let site = SiteTest::inline("")
        .file("mkdocs.yml", "site_name: S\nplugins:\n  - awesome-pages\n")
        .file("docs/.pages", "nav:\n  - last.md\n  - ...\n  - sub\n")
        .file("docs/index.md", "# Start\n")
        .file("docs/a.md", "# A\n")
        .file("docs/last.md", "# Last\n")
        .file("docs/sub/.pages", "title: Below\norder: desc\n")
        .file("docs/sub/x.md", "# X\n")
        .file("docs/sub/y.md", "# Y\n")
        .run();
    assert!(site.text_of("a.html").contains("Below"));
    in_order(site.text_of("llms.txt"), &["(last.md)", "(index.md)", "(a.md)", "sub/y.md", "sub/x.md"]);
    let site = SiteTest::inline("")
        .file("mkdocs.yml", "site_name: S\nplugins: [literate-nav]\n")
        .file("docs/SUMMARY.md", "* [Start](index.md)\n* More\n    * b/\n    * [Rest](b/)\n* *.md\n")
        .file("docs/index.md", "# I\n")
        .file("docs/z.md", "# Z\n")
        .file("docs/b/one.md", "# One\n")
        .no_file("SUMMARY.html")
        .run();
    in_order(site.text_of("llms.txt"), &["(index.md)", "b/one.md", "(z.md)"]);
}

#[test]
fn languages_have_addresses() {
    let site = SiteTest::inline("")
        .file(
            "mkdocs.yml",
            "site_name: S\nplugins:\n  - i18n:\n      docs_structure: suffix\n      languages:\n        - locale: en\n          default: true\n          name: English\n        - locale: fr\n          name: Français\n          nav_translations:\n            Guide: Manuel\nnav:\n  - index.md\n  - Guide:\n      - a.md\n      - b.md\n",
        )
        .file("docs/index.md", "# Start\n")
        .file("docs/index.fr.md", "# Début\n")
        .file("docs/a.md", "# A\n")
        .file("docs/a.fr.md", "# Ah\n")
        .file("docs/b.md", "# B\n")
        .text("fr/index", "Début")
        .text("fr/b", "B")
        .has_file("a.html")
        .no_file("a.fr.html")
        .run();
    assert!(site.text_of("a.html").contains("Guide") && site.text_of("fr/a.html").contains("Manuel"));
}

#[test]
fn a_mistake_in_the_configuration_costs_one_setting() {
    let site = SiteTest::inline("")
        .file("mkdocs.yml", "site_name: Kept\ncopyright: [\nnav:\n  - Renamed: a.md\n")
        .file("docs/a.md", "# A\n")
        .diagnostic("config-value", "mkdocs.yml")
        .run();
    let page = site.text_of("a.html");
    assert!(page.contains("Renamed") && page.contains("Kept"), "{page}");
}

#[test]
fn what_needs_python_is_told_once() {
    SiteTest::inline("")
        .file(
            "mkdocs.yml",
            "site_name: S\nplugins:\n  - macros\n  - mkdocstrings\nextra:\n  version: 2\nmarkdown_extensions: [admonition]\nhooks: [a.py]\n",
        )
        .file("docs/a.md", "# A\n\nOf {{ version }}.\n\n{{ tide(\"noon\") }} and {{ other() }}\n\n::: a.b.C\n")
        .diagnostic("config-program", "mkdocs.yml")
        .diagnostic("template-expression", "docs/a.md:5")
        .diagnostic("reference-unread", "docs/a.md:7")
        .text("a", "Of 2.")
        .text("a", "tide(\"noon\") and other()")
        .run();
}

#[test]
fn plugins_that_include_files_do_so() {
    SiteTest::inline("")
        .file(
            "mkdocs.yml",
            "site_name: S\nplugins: [include-markdown]\nmarkdown_extensions:\n  - mdx_include\n  - markdown_include_variants\n  - pymdownx.progressbar\n",
        )
        .file(
            "README.md",
            "Of the **readme**, see [it](docs/b.md#x) and [the rest](CHANGES.md).\n\n## Use\n\n<!--start-->\nPart of it.\n<!--end-->\n",
        )
        .file("src/a.py", "import x\ny = 1\nz = 2\n")
        .file("docs/b.md", "# B\n\n## X\n")
        .file(
            "docs/a.md",
            "# A\n\n{% include-markdown \"../README.md\" heading-offset=1 %}\n\n- item\n\n    {%\n       include-markdown \"../README.md\"\n       start=\"<!--start-->\"\n       end=\"<!--end-->\"\n    %}\n\n```python\n{!../src/a.py!}\n```\n\n{* ../src/a.py ln[2:3] hl[2] *}\n\n[=85% \"Nearly\"] `{% include \"b.md\" %}`\n\n{% include \"gone.md\" %}\n",
        )
        .diagnostic("include-unread", "docs/a.md:21")
        .diagnostic("broken-link", "docs/a.md:3")
        .text("a", "Of the readme, see it")
        .element("a", "main a[href='b.html#x']")
        .element("a", "h3#use")
        .text("a", "item Part of it.")
        .text("a", "import x y = 1 z = 2 y = 1 z = 2 Nearly {% include \"b.md\" %}")
        .nowhere("a", "include-markdown")
        .run();
}

#[test]
fn patterns_of_a_folder_list_what_is_in_it() {
    for plugin in ["literate-nav", "awesome-nav"] {
        let site = SiteTest::inline("")
            .file(
                "mkdocs.yml",
                format!("site_name: Wood\nplugins: [{plugin}]\nnav:\n  - index.md\n  - Tools: [tools/saw.md, 'tools/*']\n  - 'rest/**/*.md'\n"),
            )
            .file("docs/index.md", "# Start\n")
            .file("docs/tools/axe.md", "# Axe\n")
            .file("docs/tools/saw.md", "# Saw\n")
            .file("docs/tools/blades/steel.md", "# Steel\n")
            .file("docs/rest/oak.md", "# Oak\n")
            .other_diagnostics()
            .run();
        let list = site.text_of("_offprint/contents.html");
        in_order(list, &["index.html", "tools/saw.html", "tools/axe.html", "tools/blades/steel.html", "rest/oak.html"]);
        assert_eq!(list.matches("<p>Tools<").count(), 1, "{plugin}: no section in the section");
    }
}
