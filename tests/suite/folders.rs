//! Plain folders as GitHub, MkDocs, mdBook, Docusaurus and VitePress read them: anchors, links from the root, titles,
//! names, what is no page.

use crate::suite::html::Page;
use crate::suite::site::SiteTest;

#[track_caller]
fn check_links(page: &Page, expect: &[&str]) {
    let hrefs: Vec<&str> =
        page.select("main p a:not(.heading-anchor)").iter().map(|link| link.attr("href").unwrap_or_default()).collect();
    assert_eq!(hrefs, expect);
}

#[test]
fn equal_headings_are_counted_as_github_counts_them() {
    let site = SiteTest::inline("")
        .file(
            "README.md",
            "# T\n\n[1](#dup) [2](#dup-1) [3](#dup-2) [4](docs/x.md#dup-2) [5](#dup_1)\n\n## Dup\n\n## Dup\n\n## Dup\n",
        )
        .file("docs/x.md", "# X\n\n## Dup\n\n## Dup\n\n## Dup\n")
        .diagnostic("link-anchor", "README.md:3:56")
        .run();
    check_links(&site.page("index"), &["#dup", "#dup-1", "#dup-2", "docs/x.html#dup-2", "#dup-1"]);
    // the headings still lead to themselves
    let own: Vec<String> = site
        .page("index")
        .select("main h2 .heading-anchor")
        .iter()
        .filter_map(|link| link.attr("href"))
        .map(str::to_owned)
        .collect();
    assert_eq!(own, ["#t", "#dup", "#dup-1", "#dup-2"]);
}

#[test]
fn headings_of_the_same_letters_keep_their_anchors() {
    let text = "# T\n\n[a](#readablereadsize) [b](#readable_readsize) [c](#processexitcode) [d](#processexitcode-1) [e](#uber-uns)\n\n## `readable.read([size])`\n\n## `readable._read(size)`\n\n## `process.exit([code])`\n\n## `process.exitCode`\n\n## Über uns\n";
    let site = SiteTest::inline("").file("README.md", text).diagnostic("link-anchor", "README.md:3:94").run();
    let page = site.page("index");
    let ids: Vec<String> = page
        .select("main h2:not(.h1)")
        .iter()
        .filter_map(|heading| heading.attr("id"))
        .map(|id| format!("#{id}"))
        .collect();
    let hrefs: Vec<String> = page
        .select("main p a")
        .iter()
        .filter_map(|link| link.attr("href"))
        .map(|href| href.replace("%C3%BC", "ü"))
        .collect();
    assert_eq!(hrefs, ids);
}

#[test]
fn many_dead_anchors_take_bounded_time() {
    let links: String = (0..10_000).map(|n| format!("[a](#gone{n}) [b](other.md#gone{n})\n")).collect();
    let headings: String = (0..10_000).map(|n| format!("## H {n}\n\n")).collect();
    SiteTest::inline("")
        .bounded("dead anchors")
        .file("README.md", format!("# T\n\n{links}\n{headings}"))
        .file("other.md", format!("# O\n\n{headings}"))
        .other_diagnostics()
        .run();
}

#[test]
fn links_from_the_root_find_pages_and_pictures_of_other_tools() {
    let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"/>";
    let site = SiteTest::inline("")
        .file("README.md", "# T\n\n[1](/nonexistent/) [2](/about/) [3](./docs) [4](/docs/) [5](docs/deep)\n")
        .file("docs/about.md", "# About\n\n[1](/guide/x) [2](/base/guide/x)\n\n![a](/img/a.svg) ![b](/img/b.svg) ![c](/img/c.svg) ![d](/d.svg)\n")
        .file("docs/guide/x.md", "# X\n\n[1](/about)\n")
        .file("docs/deep/er/y.md", "# Y\n")
        .file("static/img/a.svg", picture)
        .file("docs/img/b.svg", picture)
        .file("docs/public/img/c.svg", picture)
        .file("docs/static/d.svg", picture)
        .diagnostic("broken-link", "README.md:3:1")
        .run();
    check_links(&site.page("index"), &["docs/about.html", "docs/about.html", "docs/about.html", "docs/deep/er/y.html"]);
    check_links(&site.page("docs/about"), &["guide/x.html", "guide/x.html"]);
    check_links(&site.page("docs/guide/x"), &["../about.html"]);
    assert_eq!(site.page("docs/about").count("main img[src$='.svg']"), 4);
}

#[test]
fn dead_links_of_raw_html_are_no_links() {
    let site = SiteTest::inline("")
        .file("README.md", "# T\n\nSee <a href=\"./missing\">it</a> now.\n")
        .diagnostic("broken-link", "README.md:3:5")
        .run();
    assert_eq!(site.page("index").count("main p a"), 0);
}

#[test]
fn drafts_and_parts_are_no_pages() {
    let site = SiteTest::inline("")
        .file("README.md", "# T\n\n[u](unlisted.md)\n")
        .file("draft.md", "---\ndraft: true\n---\n# Draft\n")
        .file("old.md", "---\npublished: false\n---\n# Old\n")
        .file("unlisted.md", "---\nunlisted: true\n---\n# Unlisted page\n")
        .file("_part.md", "# Part\n")
        .file("guide/_index.md", "# Guide\n")
        .diagnostic("page-draft", "draft.md")
        .has_file("unlisted.html")
        .has_file("guide/index.html")
        .no_file("draft.html")
        .no_file("old.html")
        .no_file("_part.html")
        .run();
    assert!(!site.text_of("llms.txt").contains("Unlisted") && !site.text_of("llms-full.txt").contains("Unlisted page"));
    assert_eq!(site.page("index").count("#sidebar a[href='unlisted.html']"), 0);
}

#[test]
fn badges_beside_the_title_stay() {
    let site = SiteTest::inline("")
        .file("README.md", "# Site [![CI](x.svg)](https://ci.example)\n\nText.\n")
        .file("x.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"/>")
        .run();
    let page = site.page("index");
    assert_eq!(
        (page.count("h1#page-title.visually-hidden"), page.count("main h2.h1:not(.repeats-title) a img")),
        (1, 1)
    );
}

#[test]
fn the_first_heading_of_the_first_level_is_the_title() {
    let site = SiteTest::inline("")
        .file("README.md", "## Intro\n\nText.\n\n# Real title\n")
        .file("raw.md", "<h1 align=\"center\">Raw title</h1>\n\nText.\n\n<h2>Raw part</h2>\n\n[p](#raw-part)\n")
        .file("logo.md", "# ![The logo](l.svg)\n\n## Part\n")
        .file("both.md", "---\ntitle: For the sidebar\n---\n\n# Shown\n\nText.\n")
        .file("l.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"/>")
        .text("index", "Intro")
        .element("raw", "main h2#raw-part")
        .element("raw", "#table-of-contents a[href='#raw-part']")
        .run();
    let title = |page: &str| site.page(page).select("title")[0].text().collect::<String>();
    assert_eq!((title("index").as_str(), title("logo").as_str()), ("Real title", "The logo - Real title"));
    let raw = site.page("raw");
    assert_eq!((raw.count("h1#page-title.visually-hidden"), raw.count("main h2.h1")), (1, 1));
    assert_eq!(site.text_of("raw.md").matches("Raw title").count(), 1, "{}", site.text_of("raw.md"));
    let both = site.page("both");
    assert!(title("both").starts_with("For the sidebar"));
    assert_eq!(both.select("h1#page-title:not(.visually-hidden)")[0].text().collect::<String>().trim(), "Shown");
    assert_eq!(both.count("main h2.repeats-title"), 1);
    assert_eq!(site.text_of("both.md"), "# Shown\n\nText.\n");
    assert_eq!(both.select("#sidebar a[href='both.html']")[0].text().collect::<String>().trim(), "For the sidebar");
}

#[test]
fn a_site_is_never_called_after_a_part() {
    let site = SiteTest::inline("").file("README.md", "## Installing\n\nText.\n").file("a.md", "# A\n").run();
    assert!(!site.page("a").select("title")[0].text().collect::<String>().contains("Installing"));
}

#[test]
fn mkdocs_says_name_start_page_and_what_is_listed() {
    let site = SiteTest::inline("")
        .file("mkdocs.yml", "site_name: The manual\ndocs_dir: docs\n")
        .file("README.md", "# Repository\n\n[start](docs/index.md)\n")
        .file("CHANGELOG.md", "# Changes\n")
        .file("docs/index.md", "# Welcome\n\n[a](a.md)\n")
        .file("docs/a.md", "# A\n\n[home](/)\n")
        .file("secret.txt", "not part of the site")
        .has_file("a.html")
        // what lies beside the pages is no part of the site
        .no_file("README.html")
        .no_file("secret.txt")
        .run();
    let home = site.page("index");
    assert_eq!(home.select("title")[0].text().collect::<String>(), "Welcome - The manual");
    assert!(home.content_text().contains("Welcome"));
    assert_eq!(home.count("#sidebar a[href='CHANGELOG.html'], #sidebar a[href='README.html']"), 0);
    assert_eq!(home.count("#sidebar a[href='a.html']"), 1);
}

#[test]
fn formulas_in_fences() {
    SiteTest::inline("").file("README.md", "# T\n\n```math\n\\frac{a}{b}\n```\n").element("index", "math mfrac").run();
}

#[test]
fn what_is_made_from_code_is_not_missed() {
    let site = SiteTest::inline("")
        .file("README.md", "# T\n\n[f](api.md#pkg.mod.f) [m](api.md#pkg.mod) [`f`][] and [pkg.mod.f][]\n")
        .file("api.md", "# API\n\n::: pkg.mod\n\n[g](#pkg.mod.g)\n")
        .diagnostic("reference-unread", "api.md:3:1")
        .text("index", "and pkg.mod.f")
        .run();
    check_links(&site.page("index"), &["api.html#pkg.mod", "api.html#pkg.mod"]);
    assert_eq!(site.page("api").count("[id='pkg.mod']"), 1);
}

#[test]
fn labels_of_code_behind_options() {
    SiteTest::inline("")
        .file("README.md", "# T\n\n```js{1} [a.js]\nx\n```\n")
        .text("index", "a.js")
        .nowhere("index", "[a.js]")
        .run();
}

#[test]
fn terms_and_what_they_mean() {
    SiteTest::inline("")
        .file("README.md", "# T\n\nTerm\n:   What it *means*.\n\nEnd.\n")
        .element("index", "dl dt + dd em")
        .text("index", "End.")
        .run();
}

#[test]
fn imports_from_the_root_of_docusaurus() {
    SiteTest::inline("")
        .file("website/docusaurus.config.js", "module.exports = {};\n")
        .file("website/docs/a.md", "import Part from '@site/src/_part.mdx';\n\n# A\n\n<Part />\n")
        .file("website/src/_part.mdx", "Shared words.\n")
        .text("docs/a", "Shared words.")
        .other_diagnostics()
        .run();
}

#[test]
fn empty_alerts_draw_no_box() {
    let site = SiteTest::inline("").file("README.md", "# T\n\n> [!NOTE]\n\nText.\n").run();
    assert_eq!(site.page("index").count("[data-component=Note]"), 0);
}

#[test]
fn what_pymdown_and_python_markdown_add() {
    let site = SiteTest::inline("")
        .file(
            "README.md",
            "# T\n\n/// tip | Do *this*\nBody.\n///\n\n![A cat](cat.svg){ width=\"300\" align=right } words\n",
        )
        .file("cat.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>\n")
        .element("index", "[data-component=Tip]")
        .text("index", "Body.")
        .nowhere("index", "///")
        .nowhere("index", "{ width")
        .run();
    let page = site.page("index");
    let picture = &page.select("main p img")[0];
    assert_eq!(
        (picture.attr("width"), picture.attr("align"), picture.attr("alt")),
        (Some("300"), Some("right"), Some("A cat"))
    );
}

#[test]
fn comments_and_addresses_of_docusaurus() {
    SiteTest::inline("")
        .file("docusaurus.config.js", "module.exports = {};\n")
        .file("docs/a.md", "---\nslug: /begin\n---\n# A\n\n```js\na\n// highlight-next-line\nb\n```\n")
        .file(
            "docs/b.md",
            "---\nslug: second\n---\n# B\n\n[1](/begin) [2](/docs/begin) [3](second) [4](@site/docs/a.md)\n",
        )
        .element(
            "docs/second",
            "main a[href='begin.html'] + a[href='begin.html'] + a[href='second.html'] + a[href='begin.html']",
        )
        .nowhere("docs/begin", "highlight-next-line")
        .element("docs/begin", ".line.highlighted")
        .run();
}
