//! Every page can be reached from the start page by plain links, and the divisions show what they should.

use std::collections::BTreeSet;

use crate::suite::contract::{reachable, resolve};
use crate::suite::site::{Exported, SiteTest};

/// Every page of the bundle, except those named, can be reached without a script.
#[track_caller]
fn check(site: &Exported, except: &[&str]) {
    let reached = reachable(&site.files);
    let missed: BTreeSet<_> =
        site.html().filter(|path| !reached.contains(*path) && !except.contains(path) && *path != "404.html").collect();
    let missed: Vec<_> = missed
        .into_iter()
        .filter(|path| site.page(path.trim_end_matches(".html")).count("meta[http-equiv=refresh]") == 0)
        .collect();
    assert!(missed.is_empty(), "nothing leads to {missed:?}");
}

#[test]
fn docs() {
    check(&SiteTest::fixture("docs").run(), &[]);
}

#[test]
fn plain_folder() {
    check(&SiteTest::fixture("plain").other_diagnostics().run(), &[]);
}

#[test]
fn mint_json() {
    check(&SiteTest::fixture("mint").other_diagnostics().run(), &[]);
}

#[test]
fn every_division() {
    let site = SiteTest::fixture("navigation").other_diagnostics().run();
    check(&site, &["alpha/v2/en/secret.html", "gamma/outside.html"]);
}

#[test]
fn the_current_page_is_marked_once() {
    let site = SiteTest::fixture("docs").run();
    for slug in ["quickstart", "format/code", "format/api-descriptions", "de/quickstart"] {
        let page = site.page(slug);
        let current = page.select("#sidebar [aria-current=page]");
        assert_eq!(current.len(), 1, "{slug}");
        let path = format!("{slug}.html");
        assert_eq!(resolve(&path, current[0].attr("href").unwrap_or_default()), Some(path), "{slug}");
        assert_eq!(page.select("html")[0].attr("data-current-path"), Some(format!("/{slug}").as_str()));
    }
}

#[test]
fn languages_say_which_they_are() {
    let site = SiteTest::fixture("docs").run();
    assert_eq!(site.page("de/index").select("html")[0].attr("lang"), Some("de"));
    assert_eq!(site.page("index").select("html")[0].attr("lang"), Some("en"));
    let arabic = SiteTest::fixture("navigation").other_diagnostics().run().page("alpha/v2/ar/start");
    assert_eq!(arabic.select("html")[0].attr("lang"), Some("ar"));
    assert_eq!(arabic.select("html")[0].attr("dir"), Some("rtl"));
}

#[test]
fn neighbors_follow_the_navigation() {
    let site = SiteTest::fixture("docs").run();
    let page = site.page("quickstart");
    assert_eq!(page.select("#pagination .pagination-prev")[0].attr("href"), Some("index.html"));
    assert_eq!(page.select("#pagination .pagination-next")[0].attr("href"), Some("how-it-works.html"));
    assert_eq!(site.page("index").count("#pagination .pagination-prev"), 0);
}

#[test]
fn hidden_pages_exist_without_an_entry() {
    SiteTest::fixture("navigation")
        .other_diagnostics()
        .has_file("alpha/v2/en/secret.html")
        .has_file("gamma/outside.html")
        .no_file("gamma/elsewhere.html")
        .no_element("alpha/v2/en/start", "#sidebar a[href='secret.html']")
        .run();
}

#[test]
fn a_missing_page_is_reported() {
    SiteTest::inline(
        r##"//- docs.json
{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "gone"]}}
//- index.mdx
Here.
"##,
    )
    .diagnostic("nav-missing-page", "docs.json")
    .run();
}

#[test]
fn links_skip_redirects() {
    SiteTest::fixture("docs")
        .element("format/links", "main a[href='../quickstart.html']")
        .no_element("format/links", "main a[href$='start.html']:not([href$='quickstart.html'])")
        .run();
}

#[test]
fn related_pages_are_listed() {
    SiteTest::inline("//- a.md\n---\ntitle: A\nrelated: [\"b\", {\"More\": \"https://x.org\"}]\n---\nText\n\n## Related topics\n\nMore.\n//- b.md\n---\ntitle: The other\n---\nText\n")
        .element("a", ".op-related a[href='b.html']")
        .element("a", "main h2#related-topics")
        .no_element("a", ".op-related [id]")
        .element("a", ".op-related a[href='https://x.org']")
        .run();
}

#[test]
fn a_pattern_chooses_pages() {
    SiteTest::fixture("docs")
        .arg("--paths")
        .arg("components/**")
        .other_diagnostics()
        .has_file("components/cards.html")
        .has_file("index.html")
        .no_file("quickstart.html")
        .run();
}

/// Of the pages that are chosen, the first of the navigation is the start page.
#[test]
fn the_start_page_of_a_choice_is_its_first() {
    let site = with_navigation(r#"{"pages": ["index", "g/zeta", "g/alpha"]}"#, &["index", "g/zeta", "g/alpha"])
        .arg("--paths")
        .arg("g/*")
        .other_diagnostics()
        .run();
    assert_eq!(site.page("index").select("h1")[0].text().collect::<String>(), "Zeta");
}

/// A site with this navigation; pages hold one word.
fn with_navigation(navigation: &str, pages: &[&str]) -> SiteTest {
    let docs = format!(
        "//- docs.json\n{{\"theme\": \"mint\", \"name\": \"T\", \"colors\": {{\"primary\": \"#0F766E\"}}, \"navigation\": {navigation}}}\n"
    );
    SiteTest::inline(&pages.iter().fold(docs, |files, page| format!("{files}//- {page}.mdx\nHere.\n")))
}

#[test]
fn divisions_that_share_their_first_page() {
    let versions = with_navigation(
        r#"{"versions": [{"version": "v2", "pages": ["index", "new"]}, {"version": "v1", "pages": ["index", "old"]}]}"#,
        &["index", "new", "old"],
    )
    .element("index", "header a[href='old.html']")
    .element("new", "header a[href='old.html']")
    .element("old", "header a[href='index.html']")
    .run();
    check(&versions, &[]);
    let tabs = with_navigation(
        r#"{"tabs": [{"tab": "T1", "pages": ["index", "common", "a"]}, {"tab": "T2", "pages": ["common", "b", "c"]}]}"#,
        &["index", "common", "a", "b", "c"],
    )
    .element("index", "header a[href='b.html']")
    .element("b", "#sidebar a[href='c.html']")
    .run();
    check(&tabs, &[]);
    let products = with_navigation(
        r#"{"products": [{"product": "P", "pages": ["index", "a"]}, {"product": "Q", "pages": ["index", "b"]}]}"#,
        &["index", "a", "b"],
    )
    .element("a", "header a[href='b.html']")
    .run();
    check(&products, &[]);
    let languages = with_navigation(
        r#"{"languages": [{"language": "en", "pages": ["index", "a"]}, {"language": "de", "pages": ["index", "b"]}]}"#,
        &["index", "a", "b"],
    )
    .element("a", "header a[href='b.html']")
    .run();
    check(&languages, &[]);
}

#[test]
fn older_versions_share_groups() {
    let site = SiteTest::inline(
        r##"//- mint.json
{"name": "T", "colors": {"primary": "#0F766E"}, "versions": ["v1", {"name": "v2", "default": true}],
 "navigation": [{"group": "All", "pages": ["index"]}, {"group": "New", "version": "v2", "pages": ["new"]}, {"group": "Old", "version": "v1", "pages": ["old"]}]}
//- index.mdx
Here.
//- new.mdx
Here.
//- old.mdx
Here.
"##,
    )
    .element("index", "#sidebar a[href='new.html']")
    .element("index", "header a[href='old.html']")
    .other_diagnostics()
    .run();
    check(&site, &[]);
}

/// Where the switch of languages or versions leads to from a page, for a label of the switch.
fn switched(site: &Exported, page: &str, address: &str) -> bool {
    site.page(page).select("header a").iter().any(|link| link.attr("href") == Some(address))
}

#[test]
fn switches_lead_to_the_page_whose_path_says_the_same() {
    let pages = [
        "index",
        "guides/kiln",
        "api/fire",
        "fr/index",
        "fr/guides/kiln",
        "fr/api/fire",
        "fr/note",
        "de/index",
        "de/guides/kiln",
    ];
    // a French page stands in the English navigation, and an English one in the French
    let navigation = r#"{"languages": [
        {"language": "en", "default": true, "pages": ["index", "guides/kiln", "api/fire", "fr/note"]},
        {"language": "fr", "pages": ["fr/index", "fr/guides/kiln", "fr/api/fire", "api/fire"]},
        {"language": "de", "pages": ["de/index", "de/guides/kiln"]}]}"#;
    let site = with_navigation(navigation, &pages).other_diagnostics().run();
    for (page, address) in [
        ("guides/kiln", "../fr/guides/kiln.html"),
        ("guides/kiln", "../de/guides/kiln.html"),
        ("api/fire", "../fr/api/fire.html"),
        ("fr/guides/kiln", "../../guides/kiln.html"),
        ("fr/guides/kiln", "../../de/guides/kiln.html"),
        ("fr/api/fire", "../../api/fire.html"),
        ("de/guides/kiln", "../../fr/guides/kiln.html"),
        // what is not there in German
        ("fr/api/fire", "../../de/index.html"),
    ] {
        assert!(switched(&site, page, address), "{page} has no switch to {address}");
    }
}

#[test]
fn switches_of_languages_and_versions_keep_the_other() {
    let pages = [
        "index",
        "kiln",
        "v1/index",
        "v1/kiln",
        "v1/old",
        "fr/index",
        "fr/kiln",
        "v1/fr/index",
        "v1/fr/kiln",
        "v1/fr/old",
    ];
    let navigation = r#"{"languages": [
        {"language": "en", "default": true, "versions": [
            {"version": "2", "default": true, "pages": ["index", "kiln"]},
            {"version": "1", "pages": ["v1/index", "v1/kiln", "v1/old"]}]},
        {"language": "fr", "versions": [
            {"version": "2", "default": true, "pages": ["fr/index", "fr/kiln"]},
            {"version": "1", "pages": ["v1/fr/index", "v1/fr/kiln", "v1/fr/old"]}]}]}"#;
    let site = with_navigation(navigation, &pages).other_diagnostics().run();
    for (page, address) in [
        ("kiln", "v1/kiln.html"),
        ("kiln", "fr/kiln.html"),
        ("v1/kiln", "../kiln.html"),
        ("v1/kiln", "fr/kiln.html"),
        ("fr/kiln", "../v1/fr/kiln.html"),
        ("v1/fr/kiln", "../kiln.html"),
        ("v1/fr/kiln", "../../fr/kiln.html"),
        // only the older version has it
        ("v1/fr/old", "../../fr/index.html"),
        ("v1/fr/old", "../old.html"),
    ] {
        assert!(switched(&site, page, address), "{page} has no switch to {address}");
    }
}

#[test]
fn shared_pages_are_shown_in_the_default() {
    for (list, name) in [("versions", "version"), ("languages", "language")] {
        let navigation = format!(
            r#"{{"{list}": [{{"{name}": "de", "pages": ["index", "de/a"]}}, {{"{name}": "en", "default": true, "pages": ["index", "en/a"]}}]}}"#
        );
        let site = with_navigation(&navigation, &["index", "de/a", "en/a"])
            .element("index", "#sidebar a[href='en/a.html']")
            .no_element("index", "#sidebar a[href='de/a.html']")
            .element("index", "header a[href='de/a.html']")
            .run();
        check(&site, &[]);
        let header = site.text_of("index.html");
        let (first, second) = if list == "versions" { (">de<", ">en<") } else { ("Deutsch", "English") };
        assert!(header.rfind(first) < header.rfind(second), "the order is the author's");
    }
}

#[test]
fn the_logo_leads_to_the_start_of_the_language() {
    let languages = r#"{"languages": [{"language": "en", "pages": ["index", "a"]}, {"language": "es", "pages": ["es/index", "es/b"]}]}"#;
    with_navigation(languages, &["index", "a", "es/index", "es/b"])
        .element("es/b", "header a.op-logo[href='index.html']")
        .element("a", "header a.op-logo[href='index.html']")
        .no_element("es/b", "header a.op-logo[href='../index.html']")
        .run();
    let versions = r#"{"versions": [{"version": "2", "languages": [{"language": "en", "pages": ["index"]}]}, {"version": "1", "languages": [{"language": "en", "pages": ["one/a"]}, {"language": "es", "pages": ["one/es", "one/b"]}]}]}"#;
    with_navigation(versions, &["index", "one/a", "one/es", "one/b"])
        .element("one/a", "header a.op-logo[href='../index.html']")
        .element("one/b", "header a.op-logo[href='es.html']")
        .run();
}

#[test]
fn a_group_with_nothing_but_a_root_is_a_link() {
    let groups = r#"{"groups": [{"group": "X", "pages": ["a", {"group": "Y", "root": "e", "pages": []}]}, {"group": "Z", "root": "f", "pages": []}]}"#;
    let site = with_navigation(groups, &["a", "e", "f"])
        .no_element("a", "#sidebar details")
        .no_element("a", "#sidebar ul:empty")
        .run();
    for (page, path) in [("e", "e.html"), ("f", "f.html")] {
        let page = site.page(page);
        assert_eq!(page.select(&format!("#sidebar li > a[href='{path}'][aria-current=page]")).len(), 1, "{path}");
    }
    SiteTest::inline("//- README.md\n# Start\n//- docs/intro.md\n# Intro\n//- docs/zh/README.md\n# Chinese\n")
        .no_element("index", "#sidebar details")
        .element("index", "#sidebar li > a[href='docs/zh/index.html']")
        .run();
}

#[test]
fn two_lists_are_told() {
    with_navigation(
        r#"{"tabs": [{"tab": "T", "pages": ["a"]}], "groups": [{"group": "G", "pages": ["b"]}]}"#,
        &["a", "b"],
    )
    .diagnostic("nav-two-lists", "docs.json:1:131")
    .has_file("b.html")
    .run();
}

#[test]
fn links_lead_to_files_that_are_made() {
    let files = r##"//- docs.json
{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "log/all", "plain"]}, "redirects": [{"source": "/agents", "destination": "/llms.txt"}]}
//- index.mdx
[a](/llms.txt) [b](/llms-full.txt) [c](/robots.txt) [d](/.well-known/llms.txt) <Card title="All" href="/llms-full.txt" />
[e](/agents)
//- log/all.mdx
[map](/sitemap.xml) [feed](/log/all/rss.xml)

<Update label="May 2026">
News.
</Update>
//- plain.mdx
[no feed](/plain/rss.xml)
"##;
    SiteTest::inline(files)
        .arg("--domain")
        .arg("docs.example.com")
        .element("index", "main a[href='llms.txt']")
        .element("index", "main a.card[href='llms-full.txt']")
        .element("index", "main a[href='.well-known/llms.txt']")
        .element("log/all", "main a[href='../sitemap.xml']")
        .element("log/all", "main a[href='all/rss.xml']")
        .diagnostic("broken-link", "plain.mdx:1:1")
        .run();
    SiteTest::inline(files)
        .element("index", "main a[href='robots.txt']")
        .diagnostic("broken-link", "log/all.mdx:1:1")
        .diagnostic("broken-link", "log/all.mdx:1:21")
        .diagnostic("broken-link", "plain.mdx:1:1")
        .run();
}

#[test]
fn links_skip_redirects_however_they_are_spelled() {
    SiteTest::inline(
        r##"//- docs.json
{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "a"]},
 "redirects": [{"source": "/old.html", "destination": "/a"}, {"source": "/%C3%BCber", "destination": "/a"}, {"source": "/older", "destination": "/old.html"}, {"source": "/far", "destination": "/a.html"}]}
//- index.mdx
[x](/old.html) [y](/über) [z](/%C3%BCber) [v](/older) [w](/far)
//- a.mdx
Here.
"##,
    )
    .check(|site| {
        let page = site.page("index");
        let count = page.count("main .content a[href='a.html'], main p a[href='a.html']");
        if count == 5 { vec![] } else { vec![format!("{count} links lead to the page")] }
    })
    .run();
}

#[test]
fn variables_stand_in_titles() {
    SiteTest::inline(
        r##"//- docs.json
{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "variables": {"ver": "2.0"}, "navigation": {"pages": ["index"]}}
//- index.mdx
---
title: "Release {{ver}}"
description: What {{ver}} brings, {{unknown}} too
---
Text
"##,
    )
    .element("index", "#sidebar a[href='index.html']")
    .check(|site| {
        let html = site.text_of("index.html");
        let missed = ["<title>Release 2.0", ">Release 2.0</h1>", "What 2.0 brings, {{unknown}} too"].into_iter().filter(|words| !html.contains(words));
        missed.map(str::to_owned).chain(html.contains("{{ver}}").then(|| "{{ver}} stays".to_owned())).collect()
    })
    .run();
}

#[test]
fn global_links_stand_on_all_pages_of_their_container() {
    for (list, name) in [
        ("languages", "language"),
        ("versions", "version"),
        ("tabs", "tab"),
        ("products", "product"),
        ("dropdowns", "dropdown"),
        ("anchors", "anchor"),
    ] {
        let navigation = format!(
            r#"{{"{list}": [
                {{"{name}": "en", "global": {{"anchors": [{{"anchor": "Blog", "href": "https://b.x"}}]}}, "groups": [{{"group": "G", "pages": ["index", "a"]}}]}},
                {{"{name}": "fr", "pages": ["b"]}}],
                "global": {{"anchors": [{{"anchor": "All", "href": "https://all.x"}}]}}}}"#
        );
        let site = with_navigation(&navigation, &["index", "a", "b"]).run();
        let links = |slug: &str, href: &str| site.page(slug).count(&format!("a[href='{href}']"));
        assert_eq!(["index", "a", "b"].map(|slug| links(slug, "https://b.x")), [1, 1, 0], "{list}");
        assert_eq!(["index", "a", "b"].map(|slug| links(slug, "https://all.x")), [1, 1, 1], "{list}");
    }
}

#[test]
fn divisions_that_only_link_stand_beside_others() {
    let navigation = r#"{"tabs": [{"tab": "A", "pages": ["index"]}, {"tab": "B", "pages": ["a"]}], "anchors": [{"anchor": "Ext", "href": "https://x.org"}]}"#;
    with_navigation(navigation, &["index", "a"])
        .element("index", ".op-anchors a[href='https://x.org']")
        .element("a", ".op-anchors a[href='https://x.org']")
        .run();
    with_navigation(r#"{"anchors": [{"anchor": "Ext", "href": "https://x.org"}], "pages": ["index"]}"#, &["index"])
        .element("index", ".op-anchors a[href='https://x.org']")
        .run();
}

#[test]
fn anchors_of_mint_json_stand_on_every_page() {
    let site = SiteTest::inline(
        r##"//- mint.json
{"name": "T", "theme": "mint", "colors": {"primary": "#0F766E"},
 "tabs": [{"name": "API", "url": "api"}],
 "anchors": [{"name": "Discord", "url": "https://d.x"}, {"name": "SDK", "url": "sdk"}, {"name": "Go", "url": "/go"}, {"name": "Lost", "url": "lost"}],
 "redirects": [{"source": "/go", "destination": "https://go.x"}],
 "navigation": [{"group": "Intro", "pages": ["index"]}, {"group": "Api", "pages": ["api/one"]}, {"group": "Sdk", "pages": ["sdk/one"]}]}
//- index.mdx
Here.
//- api/one.mdx
Here.
//- sdk/one.mdx
Here.
"##,
    )
    .diagnostic("broken-link", "mint.json:3:142")
    .run();
    for slug in ["index", "api/one", "sdk/one"] {
        for href in ["https://d.x", "https://go.x"] {
            assert_eq!(site.page(slug).count(&format!("a[href='{href}']")), 1, "{slug} {href}");
        }
    }
}
