//! The files beside the pages: what models, search engines, feed readers and hosts read. Every row of the visibility
//! matrix, with and without a known host.

use serde_json::Value;

use crate::suite::site::{Exported, SiteTest, offprint};

const NAVIGATION: &str = r#"{"groups": [
    {"group": "G", "pages": ["index", "hidden", "noindex", "unsearchable"]},
    {"group": "Closed", "hidden": true, "pages": ["closed"]},
    {"group": "Open", "hidden": true, "searchable": true, "pages": ["open"]}]}"#;

/// A site with a page for every row of the matrix.
fn matrix(seo: &str) -> SiteTest {
    SiteTest::inline("")
        .file("docs.json", format!(r##"{{"theme": "mint", "name": "Matrix", "colors": {{"primary": "#0F766E"}}, "seo": {seo}, "navigation": {NAVIGATION}}}"##))
        .file("index.mdx", "---\ntitle: Home\n---\n\nText.\n")
        .file("hidden.mdx", "---\ntitle: Hidden\nhidden: true\n---\n\nText.\n")
        .file("noindex.mdx", "---\ntitle: No index\nnoindex: true\n---\n\nText.\n")
        .file("unsearchable.mdx", "---\ntitle: Unsearchable\nsearchable: false\n---\n\nText.\n")
        .file("closed.mdx", "---\ntitle: In a hidden group\n---\n\nText.\n")
        .file("open.mdx", "---\ntitle: In a searchable hidden group\n---\n\nText.\n")
        .file("unlisted.mdx", "---\ntitle: Not in docs.json\n---\n\nText.\n")
        .arg("--domain=docs.example.com")
}

/// What a reader of each channel meets of a page: navigation, site map, robots tag, llms.txt, llms-full.txt.
fn channels(site: &Exported, slug: &str) -> String {
    let link = format!("{slug}.html");
    let shown = site.page("index").select("#sidebar a").iter().any(|a| a.attr("href") == Some(link.as_str()));
    let tagged = site.page(slug).select("meta[name=robots]").iter().any(|tag| tag.attr("content") == Some("noindex"));
    let channels = [
        (shown, "nav"),
        (site.text_of("sitemap.xml").contains(&format!("/{slug}</loc>")), "map"),
        (tagged, "tag"),
        (site.text_of("llms.txt").contains(&format!("/{slug}.md)")), "llms"),
        (site.text_of("llms-full.txt").contains(&format!("Source: https://docs.example.com/{slug}\n")), "full"),
    ];
    channels.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_visibility_matrix() {
    let rows = [
        ("hidden", "tag", "map llms full"),
        ("unlisted", "", "map llms full"),
        ("noindex", "nav tag", "nav tag"),
        ("unsearchable", "nav map llms full", "nav map llms full"),
        ("closed", "tag", "map llms full"),
        ("open", "map llms full", "map llms full"),
    ];
    let (usual, all) = (matrix("{}").run(), matrix(r#"{"indexing": "all"}"#).run());
    for (slug, expect, expect_all) in rows {
        assert_eq!(channels(&usual, slug), expect, "{slug}");
        assert_eq!(channels(&all, slug), expect_all, "{slug}, indexing: all");
        assert!(usual.files.contains_key(&format!("{slug}.md")), "every page has its Markdown");
        let has_data = usual.page(slug).count("script[type='application/ld+json']") == 1;
        assert_eq!(has_data, !expect.contains("tag"), "{slug}: data for search engines");
    }
}

#[test]
fn a_site_that_search_engines_leave_alone() {
    let site = matrix(r#"{"metatags": {"robots": "noindex"}}"#)
        .no_file("llms.txt")
        .no_file("llms-full.txt")
        .no_file(".well-known/llms.txt")
        .run();
    assert_eq!(
        site.text_of("robots.txt"),
        "User-agent: *\nContent-Signal: ai-train=no, search=no, ai-input=no\nDisallow: /\n"
    );
    assert!(!site.text_of("sitemap.xml").contains("<loc>"));
    assert_eq!(site.page("index").count("script[type='application/ld+json']"), 0);
}

#[test]
fn without_a_host_nothing_needs_one() {
    let site = SiteTest::pages(&[
        ("index", "[Next](/a/next#part)\n\n![](/p.png)"),
        ("a/next", "## Part\n\n<Update label=\"1\">\n  Text\n</Update>"),
    ])
    .file("p.png", b"\x89PNG\r\n\x1a\n")
    .no_file("sitemap.xml")
    .no_file("a/next/rss.xml")
    .run();
    assert!(site.text_of("llms.txt").contains("- [Page a/next](a/next.md)"));
    assert!(
        site.text_of("index.md").contains("[Next](a/next.md#part)") && site.text_of("index.md").contains("![](p.png)")
    );
    assert!(!site.text_of("robots.txt").contains("Sitemap"));
    assert!(site.text_of("llms-full.txt").contains("Source: a/next.html\n"));
}

#[test]
fn files_of_the_author_win() {
    let mut test = matrix("{}");
    let own = ["llms.txt", "llms-full.txt", "robots.txt", "sitemap.xml"];
    for name in own {
        test = test.file(name, format!("own {name}"));
    }
    let site = test.run();
    for name in own {
        assert_eq!(site.text_of(name), format!("own {name}"));
    }
}

#[test]
fn pages_as_markdown() {
    let site = SiteTest::inline("")
        .file(
            "docs.json",
            r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "variables": {"product": "Thing"},
                "markdown": {"instructions": ["Cite pages.", "Be brief."]}, "navigation": {"pages": ["index", "other"]}}"##,
        )
        .file("snippets/part.mdx", "Use {name} **now**.\n")
        .file("other.mdx", "---\ntitle: Other\n---\n\nText.\n")
        .file(
            "index.mdx",
            r#"---
title: Home
description: About it
---
import Part from "/snippets/part.mdx"

export const Twice = ({ word }) => <p className="x">{word} {word}</p>

{/* a remark */}

<Part name="{{product}}" />

<Twice word="knock" />

<Visibility for="humans">For people.</Visibility>
<Visibility for="agents">For agents.</Visibility>

<Card title="Next" icon="star" href="/other">Read on.</Card>
"#,
        )
        .arg("--domain=docs.example.com")
        .run();
    let expect = "# Home\n\n> About it\n\nUse Thing **now**.\n\nknock knock\n\nFor agents.\n\n\
        <Card title=\"Next\" icon=\"star\" href=\"https://docs.example.com/other.md\">\nRead on.\n</Card>\n\n---\n\n\
        > ## Agent Instructions\n>\n> Cite pages.\n>\n> Be brief.\n";
    assert_eq!(site.text_of("index.md"), expect);
    assert!(site.text_of("llms.txt").starts_with("# T\n\n> ## Agent Instructions\n>\n> Cite pages.\n"));
    let full = site.text_of("llms-full.txt");
    assert!(
        full.starts_with("# Home\nSource: https://docs.example.com\n\n> About it\n")
            && full.contains("# Other\nSource: https://docs.example.com/other\n")
    );
    assert!(!full.contains("Cite pages"), "once is enough, in llms.txt");
}

/// Titles are no Markdown and stand everywhere as they are written; where no marks are read, descriptions are the words
/// that the page shows.
#[test]
fn titles_are_as_written_and_marks_of_descriptions_are_read() {
    let site = SiteTest::inline("")
        .file("docs.json", r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "a"]}}"##)
        .file("index.mdx", "---\ntitle: \"B: $x$ & __init__ `a` --b\"\ndescription: \"See [a](/a) and `code` & **bold**\"\n---\n\nText.\n")
        .file("a.mdx", "---\ntitle: A\n---\n\nText.\n")
        .run();
    let index = site.text_of("index.html");
    for expect in [
        "<title>B: $x$ &amp; __init__ `a` --b - T</title>",
        "<meta property=\"og:title\" content=\"B: $x$ &amp; __init__ `a` --b",
        "aria-current=\"page\" data-active>B: $x$ &amp; __init__ `a` --b</a>",
        "<meta name=\"description\" content=\"See a and code &amp; bold\">",
        "<meta property=\"og:description\" content=\"See a and code &amp; bold\">",
        "B: $x$ &amp; __init__ `a` --b</h1>",
    ] {
        assert!(index.contains(expect), "{expect}");
    }
    assert!(site.text_of("a.html").contains("<span class=\"pagination-title\">B: $x$ &amp; __init__ `a` --b</span>"));
    assert!(
        site.text_of("index.md").starts_with("# B: $x$ & __init__ `a` --b\n\n> See [a](a.md) and `code` & **bold**\n"),
        "{}",
        site.text_of("index.md")
    );
    assert!(
        site.text_of("llms.txt").contains("- [B: $x$ & __init__ `a` --b](index.md): See a and code & bold\n"),
        "{}",
        site.text_of("llms.txt")
    );
}

fn redirecting(redirects: &str) -> SiteTest {
    SiteTest::inline("")
        .file("docs.json", format!(r##"{{"theme": "mint", "name": "T", "colors": {{"primary": "#0F766E"}}, "navigation": {{"pages": ["index", "a/b"]}}, "redirects": {redirects}}}"##))
        .file("index.mdx", "---\ntitle: Home\n---\n\nText.\n")
        .file("a/b.mdx", "---\ntitle: Target & more\n---\n\n## Part\n\nText.\n")
}

#[test]
fn redirects_work_on_every_kind_of_host() {
    let site = redirecting(
        r##"[{"source": "/old/place", "destination": "/a/b#part"}, {"source": "/hop", "destination": "/old/place", "permanent": false},
            {"source": "/away", "destination": "https://elsewhere.example/x"}, {"source": "/a/b", "destination": "/"},
            {"source": "/v1/:slug*", "destination": "/a/:slug*"}, {"source": "/x/concepts-*", "destination": "/a/*"}]"##,
    )
    .arg("--domain=docs.example.com")
    .element("old/place", "meta[http-equiv=refresh][content='0; url=../a/b.html#part']")
    .element("old/place", "link[rel=canonical][href='https://docs.example.com/a/b']")
    .element("old/place", "a[href='../a/b.html#part']")
    .element("hop", "a[href='a/b.html#part']")
    .element("away", "a[href='https://elsewhere.example/x']")
    .no_element("away", "meta[http-equiv=refresh]")
    .element("a/b", "#page-title")
    .run();
    let rules = "/old/place /a/b#part 308\n/hop /a/b#part 307\n/away https://elsewhere.example/x 308\n/v1/* /a/:splat 308\n/x/concepts-* /a/:splat 308\n";
    assert_eq!(site.text_of("_redirects"), rules);
    let table: Value = serde_json::from_str(site.text_of("_offprint/redirects.json")).expect("JSON");
    assert_eq!((table["formatVersion"].as_u64(), table["redirects"].as_array().map(Vec::len)), (Some(1), Some(5)));
    assert_eq!(
        table["redirects"][1],
        serde_json::json!({"source": "/hop", "destination": "/a/b#part", "permanent": false})
    );
}

/// What no system may hold, and what another page is called but for case, is found under the old name on hosts that
/// know rules.
#[test]
fn names_that_were_changed_lead_to_the_new_ones() {
    let site = redirecting("[]")
        .file("index.mdx", "---\ntitle: Home\n---\n\n[one](/levels:append) and [two](/a/B)\n\n![x](/images/a:b.png)\n")
        .file("levels:append.mdx", "---\ntitle: Levels\n---\nText.\n")
        .file("a/star*.mdx", "---\ntitle: Star\n---\nText.\n")
        .file("a/B.mdx", "---\ntitle: Another\n---\nText.\n")
        .file("images/a:b.png", [b"\x89PNG\r\n\x1a\n".to_vec(), vec![0; 32]].concat())
        .diagnostic("page-name", "levels:append.mdx:0:0")
        .diagnostic("page-name", "a/star*.mdx:0:0")
        .diagnostic("page-name", "a/B.mdx:0:0")
        .diagnostic("file-name", "images/a:b.png:0:0")
        .element("index", "a[href='levels-append.html']")
        .element("index", "a[href='a/B-2.html']")
        .element("index", "img[src='images/a-b.png']")
        .run();
    let rules = "/a/B /a/B-2 308\n/a/star%2A /a/star- 308\n/levels%3Aappend /levels-append 308\n/images/a%3Ab.png /images/a-b.png 308\n";
    assert_eq!(site.text_of("_redirects"), rules);
    let table: Value = serde_json::from_str(site.text_of("_offprint/redirects.json")).expect("JSON");
    assert_eq!(
        table["redirects"][2],
        serde_json::json!({"source": "/levels%3Aappend", "destination": "/levels-append", "permanent": true})
    );
}

#[test]
fn redirects_between_texts_for_models() {
    let site = redirecting(r##"[{"source": "/llms.txt", "destination": "/a/b.md"}, {"source": "/old.md", "destination": "/a/b.md"}, {"source": "/v1.0", "destination": "/a/b"}]"##)
        .element("v1.0", "a[href='a/b.html']")
        .no_file("llms.txt.html")
        .no_file("old.md.html")
        .run();
    assert_eq!(site.text_of("_redirects"), "/llms.txt /a/b.md 308\n/old.md /a/b.md 308\n/v1.0 /a/b 308\n");
    assert!(site.text_of("llms.txt").contains("Target"));
}

#[test]
fn redirects_that_lead_nowhere_are_told() {
    redirecting(
        r##"[{"source": "/one", "destination": "/two"},
            {"source": "/two", "destination": "/one"},
            {"source": "/gone", "destination": "/nothing"}]"##,
    )
    .diagnostic("redirect-cycle", "docs.json:1:")
    .diagnostic("redirect-cycle", "docs.json:2:")
    .diagnostic("redirect-dangling", "docs.json:3:")
    .no_file("one.html")
    .no_file("gone.html")
    .no_file("_redirects")
    .run();
}

#[test]
fn change_logs_are_feeds() {
    let site = SiteTest::inline("")
        .file("docs.json", r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "news"]}}"##)
        .file("index.mdx", "---\ntitle: Home\n---\n\nText.\n")
        .file(
            "news.mdx",
            "---\ntitle: News\nrss: true\n---\n\n<Update label=\"2026-11-20\" tags={[\"A&B\"]}>\n  ## First\n\n  One [link](/index) & <Badge>x</Badge>\n\n  ## Second\n\n  ```js\n  code\n  ```\n</Update>\n\n\
             <Update label=\"v1\" description=\"3 March 2025\" rss={{ title: \"Own\", description: \"Words\" }}>\n  ## First\n</Update>\n",
        )
        .arg("--domain=docs.example.com")
        .element("news", "link[rel=alternate][type='application/rss+xml'][href='news/rss.xml']")
        .element("news", "a.op-feed[href='news/rss.xml']")
        .no_element("index", "link[rel=alternate]")
        .run();
    let feed = site.text_of("news/rss.xml");
    let values = |tag: &str| -> Vec<String> {
        feed.split(&format!("<{tag}>"))
            .skip(1)
            .filter_map(|rest| rest.split_once(&format!("</{tag}>")))
            .map(|(text, _)| text.to_owned())
            .collect()
    };
    assert_eq!(values("title"), ["News - T", "First", "Second", "Own"]);
    let page = "https://docs.example.com/news";
    assert_eq!(
        values("link"),
        [page.to_owned(), format!("{page}#first"), format!("{page}#second"), format!("{page}#v1")]
    );
    assert_eq!(
        values("pubDate"),
        ["Fri, 20 Nov 2026 00:00:00 GMT", "Fri, 20 Nov 2026 00:00:00 GMT", "Mon, 03 Mar 2025 00:00:00 GMT"]
    );
    assert_eq!(values("category"), ["A&amp;B", "A&amp;B"]);
    assert_eq!(values("description")[1..], ["One [link](https://docs.example.com) &amp;", "Words"]);
}

#[test]
fn data_for_search_engines_is_a_graph() {
    let site = SiteTest::fixture("docs").arg("--domain=docs.example.com").run();
    let page = site.page("export/command");
    let script = page.select("script[type='application/ld+json']")[0].text().collect::<String>();
    let graph: Value = serde_json::from_str(&script).expect("JSON");
    let parts = graph["@graph"].as_array().expect("a graph");
    let kinds: Vec<&str> = parts.iter().filter_map(|part| part["@type"].as_str()).collect();
    assert_eq!(kinds, ["Organization", "WebSite", "WebPage", "BreadcrumbList", "TechArticle"]);
    let last = parts[3]["itemListElement"].as_array().and_then(|items| items.last()).cloned().unwrap_or_default();
    assert_eq!(last["item"], "https://docs.example.com/export/command");
    let hostile = SiteTest::pages(&[("index", "Text.")])
        .file("x.mdx", "---\ntitle: \"</script><script>alert(1)//\"\n---\n")
        .arg("--domain=docs.example.com")
        .run();
    assert!(!hostile.text_of("x.html").contains("<script>alert"));
}

#[track_caller]
fn refused(args: &[&str], words: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("index.md"), "# A\n").expect("a file");
    let output = offprint()
        .arg("export")
        .arg(folder.path())
        .arg("-o")
        .arg(folder.path().join("out.zip"))
        .args(args)
        .output()
        .expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && stderr.contains(words), "{:?}: {stderr}", output.status);
    assert!(!folder.path().join("out.zip").exists());
}

#[test]
fn what_is_not_available_is_refused() {
    refused(
        &["--feature", "search=on"],
        "search is not available to air-gapped deployments, only to `cloud` and `client-hosted`",
    );
    refused(&["--feature", "analytics=on", "--deployment", "air-gapped"], "only to `cloud` and `client-hosted`");
    refused(&["--search-endpoint", "https://s.example"], "of no use");
    refused(&["--deployment", "cloud", "--feature", "assistant=on"], "--assistant-endpoint URL");
    refused(&["--deployment", "cloud", "--feature", "assistant=off"], "assistant is part of every cloud deployment");
    refused(&["--feature", "magic=on"], "one of `search`");
    refused(&["--deployment", "moon"], "air-gapped");
}

#[test]
fn the_playground_is_where_the_deployment_has_it() {
    let site = |name: &str, api: &str, args: &[&str]| {
        let mut test = SiteTest::inline("")
            .file(
                "docs.json",
                format!(
                    r##"{{"theme": "mint", "name": "T", "colors": {{"primary": "#0F766E"}}, "navigation": {{"pages": ["index", "a", "b"]}}, "api": {api}}}"##
                ),
            )
            .file("index.mdx", "---\ntitle: Home\n---\n\nText.\n")
            .file("a.mdx", "---\ntitle: A\napi: GET /a\n---\n\n<ParamField query=\"q\" type=\"string\">Text.</ParamField>\n")
            .file("b.mdx", "---\ntitle: B\napi: POST /b\nplayground: none\n---\n\nText.\n");
        for arg in args {
            test = test.arg(arg);
        }
        let site = test.run();
        let manifest: Value = serde_json::from_str(site.text_of("_offprint/manifest.json")).expect("JSON");
        let has = |page: &str| site.text_of(page).contains(" data-playground=\"");
        assert!(!has("index.html") && !has("b.html"), "{name}");
        assert_eq!(manifest["features"]["playground"], has("a.html"), "{name}");
        let policy = site
            .text_of("a.html")
            .split("connect-src ")
            .nth(1)
            .and_then(|rest| rest.split(';').next())
            .unwrap_or_default()
            .to_owned();
        (has("a.html"), manifest["playgroundServers"].clone(), policy)
    };
    let api =
        r#"{"mdx": {"server": ["https://api.example.com/v1", "http://10.0.0.1:8080"], "auth": {"method": "bearer"}}}"#;
    let closed = || "'self' data: blob:".to_owned();
    assert_eq!(site("air-gapped", api, &[]), (false, Value::Null, closed()));
    assert_eq!(
        site("air-gapped, asked for", api, &["--feature=playground=on"]),
        (
            true,
            serde_json::json!(["http://10.0.0.1:8080", "https://api.example.com"]),
            "'self' http://10.0.0.1:8080 https://api.example.com data: blob:".to_owned()
        )
    );
    assert_eq!(site("beside the pages", "{}", &["--feature=playground=on"]), (true, Value::Null, closed()));
    for deployment in ["--deployment=cloud", "--deployment=client-hosted"] {
        let (has, _, policy) = site(deployment, api, &[deployment]);
        assert_eq!((has, policy.as_str()), (true, "* data: blob:"), "{deployment}");
        assert!(!site(deployment, api, &[deployment, "--feature=playground=off"]).0, "{deployment}");
        for display in ["simple", "none"] {
            let api = format!(r#"{{"playground": {{"display": "{display}"}}}}"#);
            assert!(!site(display, &api, &[deployment]).0, "{display}");
        }
    }
}

#[test]
fn services_are_only_in_bundles_that_may_call_them() {
    let site = |args: &[&str]| {
        let mut test = SiteTest::inline("")
            .file(
                "docs.json",
                r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index"]}, "integrations": {"plausible": {"domain": "docs.example.com"}}}"##,
            )
            .file("index.mdx", "---\ntitle: Home\n---\n\nText.\n")
            .other_diagnostics();
        for arg in args {
            test = test.arg(arg);
        }
        test.run()
    };
    let manifest =
        |site: &Exported| serde_json::from_str::<Value>(site.text_of("_offprint/manifest.json")).expect("JSON");
    let plain = site(&[]);
    let features = &manifest(&plain)["features"];
    assert_eq!(manifest(&plain)["deployment"], "air-gapped");
    assert!(
        ["search", "assistant", "analytics", "playground"].iter().all(|name| features[name] == false),
        "{features}"
    );
    assert!(!plain.text_of("index.html").contains("plausible"));

    let whole = site(&[
        "--deployment=client-hosted",
        "--feature=analytics=on",
        "--search-endpoint=https://s.example/find",
        "--assistant-endpoint=https://ask.example/",
    ]);
    let features = &manifest(&whole)["features"];
    assert_eq!(manifest(&whole)["deployment"], "client-hosted");
    assert!(["search", "assistant", "analytics"].iter().all(|name| features[name] == true), "{features}");
    let page = whole.page("index");
    assert_eq!(page.count("script[src='https://plausible.io/js/script.js'][data-domain='docs.example.com']"), 1);
    assert_eq!(page.count("form[action='https://s.example/find'] input[name=q]"), 1);
    assert_eq!(page.count("a.op-assistant[href='https://ask.example/']"), 1);
}

const LOGO: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" rx="4" fill="#0F766E"/></svg>"##;

/// Pages with a usual title, one that cannot be drawn, and a picture of their own.
fn pictured() -> SiteTest {
    let pages = ["index", "guides/start", "japanese", "own"].map(|slug| format!("\"{slug}\"")).join(", ");
    let config = format!(
        r##"{{"theme": "mint", "name": "Pictures", "colors": {{"primary": "#0F766E"}}, "logo": "/logo.svg", "favicon": "/logo.svg",
            "navigation": {{"groups": [{{"group": "Group", "pages": [{pages}]}}]}}}}"##
    );
    SiteTest::inline("")
        .file("docs.json", config)
        .file("logo.svg", LOGO)
        .file("index.mdx", "---\ntitle: Home\ndescription: All of it.\n---\n\nText.\n")
        .file("guides/start.mdx", "---\ntitle: \"How to start with a title that is much longer than a line of the picture, or even two of them, could ever be 🚀\"\n---\n\nText.\n")
        .file("japanese.mdx", "---\ntitle: はじめに\n---\n\nText.\n")
        .file("own.mdx", "---\ntitle: Own\n\"og:image\": /logo.svg\n---\n\nText.\n")
        .arg("--domain=docs.example.com")
}

/// The content of a page's tag.
fn tag(site: &Exported, slug: &str, name: &str) -> String {
    let page = site.page(slug);
    let [property, plain] = ["property", "name"].map(|attribute| page.select(&format!("meta[{attribute}='{name}']")));
    property.iter().chain(&plain).filter_map(|tag| tag.attr("content")).next().unwrap_or_default().to_owned()
}

/// Width and height of a PNG file, and whether its palette and its end are there.
fn png(bytes: &[u8]) -> (u32, u32, bool) {
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    let whole = bytes.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR") && bytes.windows(4).any(|name| name == b"IDAT");
    (number(16), number(20), whole && bytes.ends_with(b"IEND\xae\x42\x60\x82"))
}

#[test]
fn pictures_of_pages() {
    let [one, four] = ["--jobs=1", "--jobs=4"].map(|jobs| pictured().arg("--social-images").arg(jobs).run());
    let pictures: Vec<&String> = one.files.keys().filter(|path| path.starts_with("_offprint/social")).collect();
    assert_eq!(pictures.len(), 3, "{pictures:?}: two pages, and one for the title that cannot be drawn");
    for path in pictures {
        assert_eq!(png(&one.files[path]), (1200, 630, true), "{path}");
        assert!(one.files[path].len() < 40_000, "{path}: {} bytes", one.files[path].len());
        assert!(one.files[path] == four.files[path], "{path} is the same with any number of threads");
    }
    for (slug, own) in
        [("index", "/social/index-"), ("guides/start", "/social/guides/start-"), ("japanese", "/social-")]
    {
        let address = tag(&one, slug, "og:image");
        let path = address.strip_prefix("https://docs.example.com/").unwrap_or_default();
        assert!(address.contains(own) && one.files.contains_key(path), "{slug}: {address}");
        assert_eq!(tag(&one, slug, "twitter:image"), address);
        assert_eq!(
            (tag(&one, slug, "og:image:width"), tag(&one, slug, "og:image:height")),
            ("1200".to_owned(), "630".to_owned())
        );
        assert_eq!(tag(&one, slug, "twitter:card"), "summary_large_image");
    }
    assert_eq!(
        (tag(&one, "own", "og:image").as_str(), tag(&one, "own", "og:image:width").as_str()),
        ("https://docs.example.com/logo.svg", "")
    );
}

#[test]
fn pictures_only_where_they_are_wanted_and_have_an_address() {
    let usual = pictured().run();
    assert!(!usual.files.keys().any(|path| path.contains("/social")) && tag(&usual, "index", "og:image").is_empty());
    let nowhere = SiteTest::pages(&[("index", "Text")]).arg("--social-images").diagnostic("social-images", "").run();
    assert!(!nowhere.files.keys().any(|path| path.contains("/social")));
}

#[test]
fn icons_in_the_sizes_that_are_asked_for() {
    let site = pictured().run();
    let ico = &site.files["favicon.ico"];
    let sizes: Vec<(u32, u32, bool)> = (0..usize::from(ico[4]))
        .map(|at| {
            let number = |at: usize| u32::from_le_bytes(ico[at..at + 4].try_into().unwrap()) as usize;
            let (length, start) = (number(6 + 16 * at + 8), number(6 + 16 * at + 12));
            png(&ico[start..start + length])
        })
        .collect();
    assert_eq!(sizes, [(16, 16, true), (32, 32, true), (48, 48, true)]);
    assert_eq!(png(&site.files["apple-touch-icon.png"]), (180, 180, true));
    let page = site.page("guides/start");
    let links = page.select("link[rel=icon], link[rel=apple-touch-icon]");
    let links: Vec<_> = links.iter().filter_map(|link| link.attr("href")).collect();
    assert_eq!(links, ["../favicon.ico", "../logo.svg", "../apple-touch-icon.png"]);
    let own = pictured().file("favicon.ico", "own").file("apple-touch-icon.png", "own").run();
    assert!(own.text_of("favicon.ico") == "own" && own.text_of("apple-touch-icon.png") == "own");
}

#[test]
fn redirects_to_missing_anchors_lead_to_the_page() {
    redirecting(r##"[{"source": "/old", "destination": "/a/b#nowhere"}]"##)
        .diagnostic("broken-anchor", "docs.json:1:")
        .element("old", "a[href='a/b.html']")
        .run();
}

/// As on the page, a heading that says the title again right below it is not repeated.
#[test]
fn a_title_stands_once() {
    let site = SiteTest::inline("")
        .file("docs.json", r##"{"theme": "mint", "name": "N", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "b"]}}"##)
        .file("index.mdx", "---\ntitle: Showcase\n---\n\n# Showcase\n\nText.\n")
        .file("b.mdx", "---\ntitle: Other\n---\n\n# One\n\nText.\n\n# Other\n")
        .run();
    assert_eq!(site.text_of("index.md"), "# Showcase\n\nText.\n");
    assert_eq!(site.text_of("b.md"), "# Other\n\n# One\n\nText.\n\n# Other\n");
}

#[test]
fn files_that_the_author_wrote_win_over_generated_ones() {
    let own = [
        ("robots.txt", "User-agent: own\n"),
        ("sitemap.xml", "<urlset/>"),
        ("llms.txt", "# Own\n"),
        ("favicon.ico", "own icon"),
        ("_redirects", "/a /b 302\n"),
        ("_headers", "/*\n  X-Own: 1\n"),
        ("CNAME", "docs.example.com\n"),
        (".nojekyll", ""),
        (".well-known/security.txt", "Contact: mailto:a@example.com\n"),
        (".well-known/apple-app-site-association", "{}"),
        ("google0123456789abcdef.html", "google-site-verification: google0123456789abcdef.html"),
    ];
    let config = r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "favicon": "/icon.svg", "redirects": [{"source": "/old", "destination": "/"}], "navigation": {"pages": ["index"]}}"##;
    let icon = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>";
    let mint = SiteTest::inline("").file("docs.json", config).file("index.mdx", "Text.").file("icon.svg", icon);
    let starlight = SiteTest::inline("")
        .file("astro.config.mjs", "import { defineConfig } from 'astro/config';\nimport starlight from '@astrojs/starlight';\nexport default defineConfig({ integrations: [starlight({ title: 'T' })] });\n")
        .file("src/content/docs/index.md", "---\ntitle: Home\n---\n\nText.\n");
    for (site, folder) in [(mint, ""), (starlight, "public/")] {
        let site = own.iter().fold(site, |site, (path, text)| site.file(&format!("{folder}{path}"), text));
        let site = site.arg("--domain=docs.example.com").run();
        for (path, text) in own {
            let found = site.files.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            let found = found.unwrap_or_else(|| panic!("{folder}: no {path}"));
            // an HTML file gets the policy of the bundle
            assert!(
                if path.ends_with(".html") { found.contains(text) } else { found == text },
                "{folder}{path}: {found}"
            );
        }
    }
}

#[test]
fn a_canonical_address_may_be_a_path_of_the_site() {
    let pages = [
        ("index", ""),
        ("guides/kiln", "canonical: /guides/ash"),
        ("guides/ash", "canonical: ./kiln"),
        ("start", "canonical: /"),
        ("moved", "canonical: /elsewhere/page"),
        ("whole", "canonical: https://other.example/x?y=1"),
        ("wrong", "canonical: javascript:alert(1)"),
        ("words", "canonical: not an address"),
    ];
    let config = format!(
        r##"{{"theme": "mint", "name": "T", "colors": {{"primary": "#0F766E"}}, "navigation": {{"pages": {}}}}}"##,
        serde_json::json!(pages.map(|(page, _)| page))
    );
    let site = || {
        pages.iter().fold(SiteTest::inline("").file("docs.json", &config), |site, (page, line)| {
            site.file(&format!("{page}.mdx"), format!("---\ntitle: T\n{line}\n---\n\nText.\n"))
        })
    };
    let canonical = |site: &Exported, page: &str| {
        site.page(page).select("link[rel=canonical]").first().and_then(|link| link.attr("href")).map(str::to_owned)
    };
    let wrong = |site: SiteTest| {
        site.diagnostic("front-matter-value", "wrong.mdx:3:1").diagnostic("front-matter-value", "words.mdx:3:1").run()
    };
    let known = wrong(site().arg("--domain=docs.example.com"));
    let unknown = wrong(site());
    for (page, whole, local) in [
        ("guides/kiln", "https://docs.example.com/guides/ash", Some("ash.html")),
        ("guides/ash", "https://docs.example.com/guides/kiln", Some("kiln.html")),
        ("start", "https://docs.example.com", Some("index.html")),
        ("moved", "https://docs.example.com/elsewhere/page", None),
        ("whole", "https://other.example/x?y=1", Some("https://other.example/x?y=1")),
        ("wrong", "https://docs.example.com/wrong", None),
        ("words", "https://docs.example.com/words", None),
    ] {
        assert_eq!(canonical(&known, page).as_deref(), Some(whole), "{page}");
        assert_eq!(canonical(&unknown, page).as_deref(), local, "{page}, no address");
    }
}
