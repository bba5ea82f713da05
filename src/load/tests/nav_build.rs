//! The written navigation of a site.

use crate::testing::{Fixture, site};
use nav::{DirectoryMode, NavNode};

/// A site with this navigation and empty pages.
fn with(navigation: &str, pages: &[&str]) -> Fixture {
    let docs = format!(
        "{{\"theme\": \"mint\", \"name\": \"N\", \"colors\": {{\"primary\": \"#000\"}}, \"navigation\":\n{navigation}}}"
    );
    let mut files = vec![("docs.json", docs.as_str())];
    files.extend(pages.iter().map(|page| (*page, "")));
    site(&files)
}

#[track_caller]
fn check(navigation: &str, pages: &[&str], expect: &[&str]) -> Fixture {
    let fixture = with(navigation, pages);
    assert_eq!(fixture.outline(), expect, "{:?}", fixture.problems());
    assert!(fixture.diagnostics.is_empty(), "{:?}", fixture.problems());
    fixture
}

#[track_caller]
fn check_problems(navigation: &str, pages: &[&str], expect: &[&str]) {
    assert_eq!(with(navigation, pages).problems(), expect);
}

fn node<'a>(fixture: &'a Fixture, label: &str) -> &'a NavNode {
    fixture
        .navigation
        .nodes
        .iter()
        .find(|node| node.label == label)
        .unwrap_or_else(|| panic!("no {label}: {:?}", fixture.outline()))
}

#[test]
fn containers_nest() {
    check(
        r#"{"languages": [{"language": "en", "versions": [{"version": "v1", "tabs": [
                {"tab": "T", "menu": [{"item": "M", "dropdowns": [{"dropdown": "D", "anchors": [{"anchor": "A", "groups": [{"group": "G", "pages": ["a"]}]}]}]}]},
                {"tab": "L", "href": "/a"}]}]}]}"#,
        &["a.mdx"],
        &[
            "Language en",
            "  Version v1",
            "    Tab T",
            "      MenuItem M",
            "        Dropdown D",
            "          Anchor A",
            "            Group G",
            "              Page A",
            "    Tab L",
        ],
    );
    check(r#"[{"group": "", "pages": ["a"]}]"#, &["a.mdx"], &["Group ", "  Page A"]);
    check(
        r#"{"products": [{"product": "p", "name": "Shown", "pages": ["a"]}]}"#,
        &["a.mdx"],
        &["Product Shown", "  Page A"],
    );
}

#[test]
fn entries_are_spelled_in_many_ways() {
    check(
        r#"{"pages": ["/a", "./b.mdx", "c/../d.md", "e/", "F\\x"]}"#,
        &["a.mdx", "b.mdx", "d.md", "e/index.mdx", "F/x.mdx"],
        &["Page A", "Page B", "Page D", "Page Index", "Page X"],
    );
}

#[test]
fn fields_are_kept_and_handed_down() {
    let it = check(
        r##"{"directory": "card", "tabs": [{"tab": "T", "icon": {"name": "i", "style": "solid"}, "align": "end", "hidden": true, "searchable": true, "boost": 2,
                "groups": [{"group": "G", "root": "a", "tag": "NEW", "expanded": true, "pages": [{"group": "N", "expanded": true, "directory": "none", "boost": 3, "pages": ["b"]}]}]}],
                "global": {"anchors": [{"anchor": "Blog", "href": "https://b", "color": {"light": "#111"}}]}}"##,
        &["a.mdx", "b.mdx"],
        &["Tab T", "  Group G", "    Group N", "      Page B", "Anchor Blog"],
    );
    let tab = node(&it, "T");
    assert_eq!(
        (
            tab.icon.as_ref().and_then(|icon| icon.style.as_deref()),
            tab.align_end,
            tab.hidden,
            tab.searchable,
            tab.boost
        ),
        (Some("solid"), true, true, Some(true), Some(2.0))
    );
    let group = node(&it, "G");
    assert_eq!(
        (group.page, group.tag.as_deref(), group.expanded, group.directory, group.boost),
        (Some(it.page("a")), Some("NEW"), false, DirectoryMode::Card, Some(2.0))
    );
    let nested = node(&it, "N");
    assert_eq!((nested.expanded, nested.directory, node(&it, "B").boost), (true, DirectoryMode::None, Some(3.0)));
    assert!(node(&it, "Blog").global && node(&it, "Blog").page.is_none());
    assert!(it.site.page(it.page("b")).hidden);
}

#[test]
fn one_list_counts() {
    let check = |navigation: &str, expect: &[&str], problem: &str| {
        let it = with(navigation, &["a.mdx", "b.mdx"]);
        assert_eq!(it.outline(), expect);
        let problems: Vec<&str> = it.diagnostics.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(problems, [problem].iter().filter(|problem| !problem.is_empty()).copied().collect::<Vec<_>>());
        assert_eq!(it.slugs(), ["a", "b"]);
    };
    check(
        r#"{"groups": [{"group": "G", "pages": ["b"]}], "tabs": [{"tab": "T", "pages": ["a"]}]}"#,
        &["Tab T", "  Page A"],
        "`navigation.groups` is not used, because `navigation.tabs` is in the same object; its pages have no navigation entry",
    );
    check(
        r#"{"tabs": [{"tab": "T", "menu": [{"item": "M", "pages": ["a"]}], "pages": ["b"]}]}"#,
        &["Tab T", "  MenuItem M", "    Page A"],
        "`navigation.tabs[0].pages` is not used, because `navigation.tabs[0].menu` is in the same object; its pages have no navigation entry",
    );
    check(
        r#"{"anchors": [{"anchor": "Blog", "href": "https://b"}], "pages": ["a", "b"]}"#,
        &["Anchor Blog", "Page A", "Page B"],
        "",
    );
    let it = with(
        r#"{"tabs": [{"tab": "T", "pages": ["a"]}, {"tab": "L", "href": "/b"}], "anchors": [{"anchor": "Ext", "href": "https://x"}]}"#,
        &["a.mdx", "b.mdx"],
    );
    assert_eq!(["T", "L", "Ext"].map(|label| node(&it, label).global), [false, false, true]);
    check(
        r#"{"groups": [{"group": "G", "pages": ["a"]}], "pages": ["b"], "tabs": []}"#,
        &["Group G", "  Page A", "Page B"],
        "",
    );
    check(
        r#"{"groups": [{"group": "G", "pages": ["a"]}], "pages": ["b"], "global": {"anchors": [{"anchor": "B", "href": "https://b"}]}}"#,
        &["Group G", "  Page A", "Page B", "Anchor B"],
        "",
    );
}

#[test]
fn languages_override_what_is_around() {
    let it = check(
        r#"{"languages": [{"language": "fr", "banner": {"content": "Salut"}, "pages": ["a"]}, {"language": "en", "default": true, "pages": ["b"]}]}"#,
        &["a.mdx", "b.mdx"],
        &["Language fr", "  Page A", "Language en", "  Page B"],
    );
    assert_eq!(
        it.site.config.languages.iter().map(|own| (own.language.as_str(), own.banner.is_some())).collect::<Vec<_>>(),
        [("fr", true)]
    );
    assert_eq!((node(&it, "fr").default, node(&it, "en").default), (false, true));
    assert_eq!(it.navigation.home, Some(it.page("b")));
}

#[test]
fn a_tab_of_links_leads_to_the_first() {
    let it = site(&[
        (
            "docs.json",
            r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"tabs": [{"tab": "T", "pages": ["a"]}, {"tab": "CLI", "groups": [{"group": "G", "pages": ["blog", "flags"]}]}]}}"##,
        ),
        ("a.mdx", "## Export"),
        ("blog.mdx", "---\ntitle: Our blog\nurl: /a#export\n---"),
        ("flags.mdx", "---\nurl: https://b\n---"),
    ]);
    assert_eq!(node(&it, "CLI").href.as_deref(), Some("/a#export"));
    assert_eq!(node(&it, "T").href, None);
}

#[test]
fn pages_that_only_link() {
    let it = site(&[
        (
            "docs.json",
            r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"pages": ["a", "blog"]}}"##,
        ),
        ("a.mdx", "---\nopenapi: GET /x\ndeprecated: true\nicon: star\n---"),
        ("blog.mdx", "---\ntitle: Our blog\nurl: https://b\n---"),
    ]);
    assert_eq!(it.outline(), ["Page A", "Link Our blog"]);
    assert_eq!(node(&it, "Our blog").href.as_deref(), Some("https://b"));
    let page = node(&it, "A");
    assert_eq!(
        (page.method.as_deref(), page.deprecated, page.icon.as_ref().map(|icon| icon.name.as_str())),
        (Some("GET"), true, Some("star"))
    );
}

#[test]
fn entries_without_pages_are_told_and_dropped() {
    check_problems(
        r#"{"groups": [{"group": "G", "pages": ["none", "snippets/s", "README"]}, {"group": "H", "pages": ["A"]}]}"#,
        &["a.mdx", "snippets/s.mdx", "README.md"],
        &[
            "nav-missing-page docs.json:2:38 `none` is listed in the navigation, but the file does not exist",
            "nav-missing-page docs.json:2:60 `README` is listed in the navigation, but it is ignored",
            "nav-case docs.json:2:97 `A` is listed in the navigation, but the page is called `a`",
        ],
    );
    check_problems(
        r#"{"groups": [{"group": "G", "root": "none", "pages": ["a"]}]}"#,
        &["a.mdx"],
        &["nav-missing-page docs.json:2:36 `none` is listed in the navigation, but the file does not exist"],
    );
}

#[test]
fn groups_stay_groups_whatever_else_they_name() {
    for key in ["anchor", "tab", "dropdown", "product", "language", "version", "item"] {
        let it = with(
            &format!(
                r#"{{"groups": [{{"group": "Top", "pages": ["index", {{"{key}": "x", "group": "Named", "pages": ["a"]}}]}}]}}"#
            ),
            &["index.mdx", "a.mdx"],
        );
        assert_eq!(it.outline(), ["Group Top", "  Page Index", "  Group Named", "    Page A"], "{key}");
        let problem = format!(
            "config-unknown-key docs.json:2:50 `navigation.groups[0].pages[1].{key}`: a group has no key `{key}`; it has no effect"
        );
        assert_eq!(it.problems(), [problem]);
    }
}

#[test]
fn names_under_other_keys_are_shown() {
    let it = with(
        r#"{"groups": [{"name": "G", "pages": ["a", {"title": "N", "pages": ["b"]}]}], "global": {"anchors": [{"name": "Y", "href": "https://y"}, {"href": "https://z"}]}}"#,
        &["a.mdx", "b.mdx"],
    );
    assert_eq!(it.outline(), ["Group G", "  Page A", "  Group N", "    Page B", "Anchor Y", "Anchor https://z"]);
    let reported: Vec<(&str, Option<&str>)> =
        it.diagnostics.iter().map(|problem| (problem.message.as_str(), problem.hint.as_deref())).collect();
    assert_eq!(
        reported,
        [
            (
                "`navigation.groups[0]` must be a group with `group`, not an object",
                Some("call it `group` instead of `name`")
            ),
            (
                "`navigation.groups[0].pages[1]` must be a group with `group`, not an object",
                Some("call it `group` instead of `title`")
            ),
            (
                "`navigation.global.anchors[0]` must be an anchor with `anchor`, not an object",
                Some("call it `anchor` instead of `name`")
            ),
            ("`navigation.global.anchors[1]` must be an anchor with `anchor`, not an object", None),
        ]
    );
}

#[test]
fn languages_have_codes() {
    let it = with(
        r#"{"languages": [{"language": "zh-hans", "pages": ["a"]}, {"language": "xx", "pages": ["b"]}]}"#,
        &["a.mdx", "b.mdx"],
    );
    let reported: Vec<(&str, Option<&str>)> =
        it.diagnostics.iter().map(|problem| (problem.code, problem.hint.as_deref())).collect();
    assert_eq!(reported, [("config-value", Some("did you mean `zh-Hans`?")), ("config-value", None)]);
    assert!(it.diagnostics.iter().all(|problem| problem.severity == base::Severity::Warning));
}

#[test]
fn listed_snippets_are_pages() {
    let it = check(
        r#"{"pages": ["a", "contribute/snippets/overview", "docs/_snippets/x", "snippets"]}"#,
        &[
            "a.mdx",
            "contribute/snippets/overview.mdx",
            "contribute/snippets/other.mdx",
            "docs/_snippets/x.mdx",
            "snippets/index.mdx",
            "snippets/s.mdx",
        ],
        &["Page A", "Page Overview", "Page X", "Page Index"],
    );
    assert_eq!(it.slugs(), ["a", "contribute/snippets/overview", "docs/_snippets/x", "snippets/index"]);
}

#[test]
fn wrong_navigation_is_told() {
    check_problems(
        r#"{"groups": [{"pages": ["a", 1, ""]}]}"#,
        &["a.mdx"],
        &[
            "config-value docs.json:2:13 `navigation.groups[0]` must be a group with `group`, not an object",
            "config-value docs.json:2:29 `navigation.groups[0].pages[1]` must be the path of a page or a group, not a number",
            "config-value docs.json:2:32 `navigation.groups[0].pages[2]` must be the path of a page, not ``",
        ],
    );
    check_problems(
        r#"{"pages": ["a"], "global": {"tabs": [], "links": []}, "typo": 1}"#,
        &["a.mdx"],
        &[
            "config-unknown-key docs.json:2:41 `navigation.global.links`: `global` has no key `links`",
            "config-unknown-key docs.json:2:55 `navigation.typo`: `navigation` has no key `typo`; it has no effect",
        ],
    );
    check_problems("7", &["a.mdx"], &["config-value docs.json:2:1 `navigation` must be an object, not a number"]);
}
