//! How readers move through the navigation of a site.

use crate::testing::{Fixture, site};
use nav::NodeKind;

fn loaded() -> Fixture {
    site(&[
        (
            "docs.json",
            r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"versions": [
                    {"version": "v1", "tabs": [{"tab": "Old", "pages": ["old"]}]},
                    {"version": "v2", "default": true, "products": [{"product": "p", "name": "Product", "groups": [
                        {"group": "", "pages": ["a", {"group": "Nested", "root": "n/index", "pages": ["n/x", {"group": "Secret", "hidden": true, "pages": ["s"]}, "n/y"]}]},
                        {"group": "Second", "pages": ["b", "a", "old"]}
                    ]}, {"product": "q", "pages": ["q"]}]}
                ]}}"##,
        ),
        ("a.mdx", "---\ntitle: A\nsidebarTitle: Short A\n---"),
        ("b.mdx", ""),
        ("n/index.mdx", "---\ntitle: nested\n---"),
        ("n/x.mdx", ""),
        ("n/y.mdx", ""),
        ("old.mdx", ""),
        ("q.mdx", ""),
        ("s.mdx", ""),
        ("outside.mdx", ""),
    ])
}

#[test]
fn order_and_places() {
    let it = loaded();
    let order: Vec<&str> = it.navigation.order.iter().map(|page| it.slug(*page)).collect();
    assert_eq!(order, ["a", "n/index", "n/x", "s", "n/y", "b", "old", "q"]);
    assert_eq!(it.navigation.place_of(it.page("outside")), None);
    assert_eq!(it.navigation.home.map(|page| it.slug(page)), Some("a"));
}

#[test]
fn divisions_and_breadcrumbs() {
    let it = loaded();
    let path = |slug: &str| -> Vec<String> {
        it.navigation.division_path(it.page(slug)).iter().map(|id| it.navigation.node(*id).key.clone()).collect()
    };
    assert_eq!(path("n/x"), ["v2", "p"]);
    assert_eq!(path("old"), ["v2", "p"]);
    assert!(path("outside").is_empty());
    let crumbs = |slug: &str| -> Vec<String> {
        let page = it.page(slug);
        it.navigation
            .breadcrumbs(page, &it.site.page(page).meta.title)
            .iter()
            .map(|id| it.navigation.node(*id).label.clone())
            .collect()
    };
    assert_eq!(crumbs("n/x"), ["Product", "Nested"]);
    assert_eq!(crumbs("n/index"), ["Product"]);
    assert_eq!(crumbs("s"), ["Product", "Nested", "Secret"]);
    assert_eq!(it.navigation.node(it.navigation.branch_of(it.page("n/y"))).key, "p");
    assert_eq!(it.navigation.node(it.navigation.branch_of(it.page("outside"))).kind, NodeKind::Root);
}

#[test]
fn neighbors_stay_in_their_branch() {
    let it = loaded();
    let neighbors = |slug: &str| {
        let (previous, next) = it.navigation.neighbors(it.page(slug));
        (previous.map(|page| it.slug(page)), next.map(|page| it.slug(page)))
    };
    assert_eq!(neighbors("a"), (None, Some("n/index")));
    assert_eq!(neighbors("n/index"), (Some("a"), Some("n/x")));
    assert_eq!(neighbors("n/x"), (Some("n/index"), Some("n/y")));
    assert_eq!(neighbors("s"), (None, None));
    assert_eq!(neighbors("n/y"), (Some("n/x"), Some("b")));
    assert_eq!(neighbors("b"), (Some("n/y"), Some("old")));
    assert_eq!(neighbors("old"), (Some("b"), None));
    assert_eq!(neighbors("outside"), (None, None));
}

#[test]
fn flags_reach_the_pages() {
    let it = loaded();
    let page = |slug: &str| it.site.page(it.page(slug));
    assert!(page("s").hidden && page("s").in_navigation);
    assert!(!page("a").hidden && page("a").in_navigation);
    assert!(!page("outside").in_navigation);
    let place = it.navigation.place_of(it.page("a")).unwrap();
    assert_eq!(it.navigation.node(place).label, "Short A");
    let first: Vec<Option<&str>> = it
        .navigation
        .nodes
        .iter()
        .filter(|node| node.kind.is_division())
        .map(|node| node.page.map(|page| it.slug(page)))
        .collect();
    assert_eq!(first, [Some("old"), Some("old"), Some("a"), Some("a"), Some("q")]);
}

/// `Label: page` of every division, and where the page `shared` is at home.
#[track_caller]
fn check_landings(navigation: &str, expect: &[&str], home: &[&str]) {
    let docs = format!(
        "{{\"theme\": \"mint\", \"name\": \"N\", \"colors\": {{\"primary\": \"#000\"}}, \"navigation\": {navigation}}}"
    );
    let it = site(&[("docs.json", &docs), ("shared.mdx", ""), ("a.mdx", ""), ("b.mdx", ""), ("c.mdx", "")]);
    let division = |node: &nav::NavNode| format!("{}: {}", node.label, node.page.map_or("", |page| it.slug(page)));
    let landings: Vec<String> =
        it.navigation.nodes.iter().filter(|node| node.kind.is_division()).map(division).collect();
    assert_eq!(landings, expect);
    let path: Vec<&str> = it
        .navigation
        .division_path(it.page("shared"))
        .iter()
        .map(|id| it.navigation.node(*id).label.as_str())
        .collect();
    assert_eq!(path, home);
}

#[test]
fn divisions_lead_to_pages_of_their_own() {
    check_landings(
        r#"{"tabs": [{"tab": "1", "pages": ["shared", "a"]}, {"tab": "2", "pages": [{"group": "G", "root": "shared", "pages": ["b"]}]}, {"tab": "3", "pages": ["shared"]}]}"#,
        &["1: shared", "2: b", "3: shared"],
        &["1"],
    );
    check_landings(
        r#"{"products": [{"product": "p", "tabs": [{"tab": "1", "pages": ["shared"]}]}, {"product": "q", "tabs": [{"tab": "2", "pages": ["shared"]}, {"tab": "3", "pages": ["a"]}]}]}"#,
        &["p: shared", "1: shared", "q: a", "2: shared", "3: a"],
        &["p", "1"],
    );
}

#[test]
fn shared_pages_are_at_home_in_the_default() {
    check_landings(
        r#"{"versions": [{"version": "1", "pages": ["shared", "a"]}, {"version": "2", "default": true, "pages": ["shared", "b"]}]}"#,
        &["1: a", "2: shared"],
        &["2"],
    );
    check_landings(
        r#"{"tabs": [{"tab": "T", "languages": [{"language": "de", "pages": ["shared", "a"]}, {"language": "en", "default": true, "pages": ["b", "shared"]}]}]}"#,
        &["T: b", "de: a", "en: b"],
        &["T", "en"],
    );
}
