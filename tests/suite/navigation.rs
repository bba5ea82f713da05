//! Every page can be reached from the start page by plain links, and the divisions show what they should.

use std::collections::BTreeSet;

use crate::contract::{reachable, resolve};
use crate::site::{Exported, SiteTest};

/// Every page of the bundle, except those named, can be reached without a script.
#[track_caller]
fn check(site: &Exported, except: &[&str]) {
    let reached = reachable(site);
    let missed: BTreeSet<_> = site.html().filter(|path| !reached.contains(*path) && !except.contains(path) && *path != "404.html").collect();
    let missed: Vec<_> = missed.into_iter().filter(|path| site.page(path.trim_end_matches(".html")).count("meta[http-equiv=refresh]") == 0).collect();
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
    for slug in ["quickstart", "format/code", "roadmap/api-reference", "de/quickstart"] {
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
fn neighbours_follow_the_navigation() {
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
    SiteTest::inline("//- a.md\n---\ntitle: A\nrelated: [\"b\", {\"More\": \"https://x.org\"}]\n---\nText\n//- b.md\n---\ntitle: The other\n---\nText\n")
        .element("a", ".op-related a[href='b.html']")
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
