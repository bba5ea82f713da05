//! Where pages of a site show.

use crate::testing::site;
use site::page::Visibility;

/// Letters for what is on: navigation, search, map, robots tag, llms.txt.
fn shown(visibility: Visibility) -> String {
    let Visibility { nav, search, sitemap, noindex, llms } = visibility;
    [(nav, 'n'), (search, 's'), (sitemap, 'm'), (noindex, 'r'), (llms, 'l')]
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, letter)| letter)
        .collect()
}

const NAVIGATION: &str = r#"{"groups": [
        {"group": "G", "pages": ["hidden", "noindex", "unsearchable", "robots", "plain"]},
        {"group": "Closed", "hidden": true, "pages": ["in-closed", "put-back"]},
        {"group": "Open", "hidden": true, "searchable": true, "pages": ["in-open"]},
        {"group": "Quiet", "searchable": false, "pages": ["in-quiet"]}]}"#;

#[track_caller]
fn check(seo: &str, expect: &[(&str, &str)]) {
    let docs = format!(
        r##"{{"theme": "mint", "name": "N", "colors": {{"primary": "#000"}}, "seo": {seo}, "navigation": {NAVIGATION}}}"##
    );
    let pages = [
        ("docs.json", docs.as_str()),
        ("hidden.mdx", "---\nhidden: true\n---"),
        ("noindex.mdx", "---\nnoindex: true\n---"),
        ("unsearchable.mdx", "---\nsearchable: false\n---"),
        ("robots.mdx", "---\nrobots: noindex, nofollow\n---"),
        ("plain.mdx", ""),
        ("in-closed.mdx", ""),
        ("put-back.mdx", "---\nhidden: false\n---"),
        ("in-open.mdx", ""),
        ("in-quiet.mdx", ""),
        ("unlisted.mdx", ""),
        ("folder/tagged.mdx", ""),
    ];
    let fixture = site(&pages);
    for (slug, letters) in expect {
        assert_eq!(shown(fixture.site.page(fixture.page(slug)).visibility), *letters, "{slug}");
    }
}

#[test]
fn the_matrix() {
    check(
        "{}",
        &[
            ("hidden", "r"),
            ("unlisted", ""),
            ("noindex", "nr"),
            ("unsearchable", "nml"),
            ("in-open", "sml"),
            ("in-closed", "r"),
            ("put-back", "sml"),
            ("in-quiet", "nml"),
            ("robots", "nsr"),
            ("plain", "nsml"),
        ],
    );
}

#[test]
fn a_site_that_opens_everything() {
    check(
        r#"{"indexing": "all", "paths": [{"path": "folder", "metatags": {"robots": "noindex"}}]}"#,
        &[
            ("hidden", "sml"),
            ("unlisted", "sml"),
            ("noindex", "nr"),
            ("in-closed", "sml"),
            ("plain", "nsml"),
            ("folder/tagged", "sr"),
        ],
    );
}

#[test]
fn a_site_that_closes_everything() {
    check(
        r#"{"metatags": {"robots": "noindex"}}"#,
        &[("plain", "nsr"), ("in-open", "sr"), ("hidden", "r"), ("unlisted", "r")],
    );
}

#[test]
fn only_the_default_language_and_version_are_for_models() {
    let docs = r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"languages": [
            {"language": "en", "versions": [{"version": "1", "pages": ["one", "both"]}, {"version": "2", "default": true, "pages": ["two", "both"]}]},
            {"language": "de", "pages": ["de"]}]}}"##;
    let fixture = site(&[("docs.json", docs), ("one.mdx", ""), ("two.mdx", ""), ("both.mdx", ""), ("de.mdx", "")]);
    let letters = |slug: &str| shown(fixture.site.page(fixture.page(slug)).visibility);
    assert_eq!([letters("one"), letters("two"), letters("both"), letters("de")], ["nsm", "nsml", "nsml", "nsm"]);
}
