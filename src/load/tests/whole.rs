//! Sources as sites: which pages they have, what is said of them, and which are of no use.

use std::path::Path;

use crate::testing::{Fixture, site, try_site};
use crate::{LoadError, LoadOptions, load_site};
use base::Description;
use site::page::Dialect;

const DOCS: &str =
    r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"pages": ["index"]}}"##;

#[track_caller]
fn check_pages(files: &[(&str, &str)], expect: &[&str]) -> Fixture {
    let fixture = site(files);
    assert_eq!(fixture.slugs(), expect, "{:?}", fixture.problems());
    fixture
}

#[track_caller]
fn check_error(files: &[(&str, &str)], expect: &str) {
    let error = try_site(files, &LoadOptions::default()).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains(expect), "{error}");
}

#[test]
fn unusable_sources() {
    check_error(&[("docs.json", "{\n  \"a\": ]")], "docs.json:2:8: `docs.json` is not JSON: expected a value");
    check_error(&[("docs.json", DOCS), ("README.md", "# x")], "has no pages");
    let of_api = r#"{"navigation": {"groups": [{"group": "A", "openapi": "api.yaml"}]}}"#;
    check_error(
        &[("docs.json", of_api), ("api.yaml", "openapi: 3.1.0\ninfo: {title: a: b}\n")],
        "`api.yaml` is not used: it is not YAML",
    );
    assert!(matches!(load_site(Path::new("/no/such/folder"), &LoadOptions::default()), Err(LoadError::NotFound(_))));
    let file = tempfile::NamedTempFile::new().unwrap();
    assert!(matches!(load_site(file.path(), &LoadOptions::default()), Err(LoadError::NotAFolder(_))));
}

#[test]
fn pages_of_a_configured_site() {
    let fixture = check_pages(
        &[
            ("docs.json", DOCS),
            (".mintignore", "drafts/\n"),
            ("index.mdx", "import A from '/parts/a.mdx'\nimport { B } from './b'\n"),
            ("b.jsx", "import c from './parts/c.md'"),
            ("parts/a.mdx", ""),
            ("parts/c.md", ""),
            ("parts/d.md", ""),
            ("drafts/x.mdx", ""),
            ("build/x.mdx", ""),
            ("_snippets/x.mdx", ""),
            ("README.md", ""),
            (".github/x.md", ""),
            ("link.mdx", "---\nurl: https://x\n---\n"),
        ],
        &["index", "parts/d"],
    );
    assert_eq!(fixture.site.url_pages.get("link").map(String::as_str), Some("https://x"));
    let imported: Vec<&str> = fixture.site.imported.iter().map(|id| fixture.site.tree.path(*id)).collect();
    assert_eq!(imported, ["b.jsx", "parts/a.mdx", "parts/c.md"]);
    assert!(fixture.site.pages.iter().all(|page| page.dialect == Dialect::Mdx));
    assert_eq!(
        fixture
            .site
            .tree
            .iter()
            .filter(|(id, _)| fixture.site.is_config(*id))
            .map(|(_, file)| file.path.as_str())
            .collect::<Vec<_>>(),
        [".mintignore", "docs.json"]
    );
    assert!(fixture.diagnostics.is_empty(), "{:?}", fixture.problems());
}

#[test]
fn pages_of_a_plain_folder() {
    let fixture = check_pages(
        &[
            ("README.md", "# The *project*\n\nSee [guide](guide/README.md#start)."),
            ("guide/README.md", "Guide\n=====\n"),
            ("guide/02-next_step.md", "text"),
            ("both/README.md", ""),
            ("both/index.md", "---\ntitle: Both\n---\n# Both\n"),
            ("page.mdx", ""),
            (".gitignore", "out/\n"),
            ("out/x.md", ""),
        ],
        &["both/README", "both/index", "guide/02-next_step", "guide/index", "index", "page"],
    );
    let page = |slug: &str| fixture.site.page(fixture.page(slug));
    assert_eq!(fixture.site.config.name, "The project");
    assert!(
        page("index").title_in_body && page("both/index").title_in_body && !page("guide/02-next_step").title_in_body
    );
    assert_eq!(
        (page("guide/02-next_step").meta.title.as_str(), page("guide/02-next_step").meta.title_given),
        ("Next step", false)
    );
    assert_eq!((page("page").dialect, page("index").dialect), (Dialect::Mdx, Dialect::Markdown));
    assert_eq!(fixture.site.find_page("guide/README").map(|id| fixture.slug(id)), Some("guide/index"));
    assert_eq!(
        fixture
            .site
            .fragments
            .iter()
            .map(|(id, target)| (fixture.site.tree.path(*id), target.as_str()))
            .collect::<Vec<_>>(),
        [("README.md", "guide/README.md#start")]
    );
    assert!(fixture.site.pages.iter().all(|page| page.in_navigation));
}

#[test]
fn names_are_made_unique() {
    let fixture = check_pages(
        &[
            ("docs.json", DOCS),
            ("index.mdx", ""),
            ("Guide.mdx", "---\ntitle: One\n---"),
            ("guide.mdx", ""),
            ("twin.md", ""),
            ("twin.mdx", "---\ntitle: Kept\n---"),
        ],
        &["Guide", "guide-2", "index", "twin"],
    );
    assert_eq!(fixture.site.find_page("guide").map(|id| fixture.slug(id)), Some("guide-2"));
    assert_eq!(fixture.site.page(fixture.page("twin")).meta.title, "Kept");
    let codes: Vec<&str> = fixture.diagnostics.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["page-name", "page-repeated"]);
}

#[test]
fn listed_pages_keep_their_names() {
    let docs = DOCS.replace(r#""index""#, r#""index", "plans", "b/Two""#);
    let fixture = check_pages(
        &[
            ("docs.json", &docs),
            ("PLANS.md", ""),
            ("plans.mdx", "---\ntitle: Plans\n---"),
            ("b/Two.mdx", ""),
            ("b/two.mdx", ""),
            ("index.mdx", ""),
            ("zoo.mdx", ""),
            ("Zoo.mdx", ""),
        ],
        &["PLANS-2", "Zoo", "b/Two", "b/two-2", "index", "plans", "zoo-2"],
    );
    assert_eq!(fixture.site.page(fixture.page("plans")).meta.title, "Plans");
    assert_eq!(fixture.site.find_page("PLANS").map(|id| fixture.slug(id)), Some("PLANS-2"));
    let files: Vec<&str> = fixture.diagnostics.iter().map(|problem| problem.file.as_str()).collect();
    assert_eq!(files, ["b/two.mdx", "PLANS.md", "zoo.mdx"]);
}

#[test]
fn names_that_some_systems_cannot_hold_are_told() {
    let fixture = check_pages(
        &[
            ("docs.json", DOCS),
            ("index.mdx", ""),
            ("levels:append.mdx", ""),
            ("levels-append.mdx", ""),
            ("con.mdx", ""),
            ("e\u{301}.mdx", ""),
        ],
        &["con", "e\u{301}", "index", "levels-append", "levels-append-2"],
    );
    assert_eq!(
        fixture.problems(),
        [
            "page-name levels:append.mdx:0:0 `levels:append.mdx` becomes `levels-append-2`: its name differs from `levels-append.mdx` only by case or by characters that file names cannot hold",
            "page-name con.mdx:0:0 the page `/con` becomes `/con_`: not every system can hold a file of that name",
        ]
    );
    let api =
        r#"{"openapi": "3.1.0", "paths": {"/a": {"get": {"summary": "Users: all"}, "put": {"summary": "Why?"}}}}"#;
    let docs = DOCS.replace(r#""pages": ["index"]"#, r#""groups": [{"group": "G", "openapi": "api.json"}]"#);
    let fixture = check_pages(
        &[("docs.json", &docs), ("api.json", api)],
        &["api-reference/overview", "api-reference/users:-all", "api-reference/why?"],
    );
    assert_eq!(
        fixture.problems(),
        [
            "page-name api.json:0:0 the page `/api-reference/users:-all` becomes `/api-reference/users--all` (and another one): not every system can hold a file of that name"
        ]
    );
}

#[test]
fn access_groups_close_pages() {
    let files = [
        ("docs.json", DOCS),
        ("index.mdx", ""),
        ("a.mdx", "---\ngroups: [staff]\n---"),
        ("b.mdx", "---\ngroups: [{excludes: [guest]}]\n---"),
        ("c.mdx", "---\ngroups: [{includes: ['*']}]\n---"),
        ("url.mdx", "---\ntitle: Link\nurl: https://staff.example\ngroups: [staff]\n---"),
        ("broken.mdx", "+++\ngroups = [\"staff\"\n+++"),
        ("open.mdx", "---\ntitle: Never closed\ngroups: [staff]\n\nText."),
    ];
    let slugs = |groups: &[&str]| {
        let groups: Vec<String> = groups.iter().map(|group| (*group).to_owned()).collect();
        try_site(&files, &LoadOptions { groups: &groups, ..LoadOptions::default() }).unwrap().slugs().join(" ")
    };
    assert_eq!(slugs(&[]), "index");
    assert_eq!(slugs(&["staff"]), "a b c index");
    assert_eq!(slugs(&["guest"]), "c index");
    let links = |groups: &[&str]| {
        let groups: Vec<String> = groups.iter().map(|group| (*group).to_owned()).collect();
        try_site(&files, &LoadOptions { groups: &groups, ..LoadOptions::default() }).unwrap().site.url_pages.len()
    };
    assert_eq!((links(&[]), links(&["staff"])), (0, 1));
}

#[test]
fn an_older_configuration() {
    let fixture = site(&[
        (
            "mint.json",
            r##"{"name": "Old", "theme": "venus", "isWhiteLabeled": true, "colors": {"primary": "#123456"}, "tabs": [{"name": "API", "url": "api"}],
                "navigation": [{"group": "Start", "pages": ["index"]}, {"group": "Calls", "pages": ["api/a", "api/none"]}]}"##,
        ),
        ("index.mdx", ""),
        ("api/a.mdx", ""),
    ]);
    assert_eq!(
        fixture.outline(),
        ["Tab Documentation", "  Group Start", "    Page Index", "Tab API", "  Group Calls", "    Page A"]
    );
    assert_eq!(fixture.site.config.name, "Old");
    assert_eq!(
        fixture.problems(),
        [
            "nav-missing-page mint.json:2:110 `api/none` is listed in the navigation, but the file does not exist",
            "config-unknown-key mint.json:1:35 `isWhiteLabeled`: `mint.json` has no key `isWhiteLabeled`; it has no effect",
        ]
    );
}

#[test]
fn descriptions_that_do_not_exist_are_told_once() {
    let fixture = site(&[
        (
            "docs.json",
            r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"},
                "api": {"openapi": ["a.json", {"source": "gone.json"}, "https://x/o.json", "both.json", "gone.json"], "asyncapi": "chat.yml"},
                "navigation": {"groups": [{"group": "G", "openapi": "both.json", "pages": ["index"]}]}}"##,
        ),
        ("index.mdx", ""),
        ("a.json", r#"{"openapi": "3.1.0", "paths": {}}"#),
    ]);
    assert_eq!(
        fixture.problems(),
        [
            "openapi-remote docs.json:2:72 the API description `https://x/o.json` is on another server and is not fetched; its operations have no pages",
            "openapi-missing-file docs.json:3:69 the API description `both.json` does not exist",
            "openapi-missing-file docs.json:2:47 the API description `gone.json` does not exist",
            "openapi-missing-file docs.json:2:131 the API description `chat.yml` does not exist",
        ]
    );
}

#[test]
fn pages_of_operations_are_described_by_them() {
    let api =
        r#"{"openapi": "3.1.0", "paths": {"/pets": {"get": {"summary": "List", "description": "All **pets**."}}}}"#;
    let fixture = site(&[
        (
            "docs.json",
            r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"pages": ["a", "b", "GET /pets"]}}"##,
        ),
        ("api.json", api),
        ("a.mdx", "---\ntitle: Own\nopenapi: GET /pets\n---\n"),
        ("b.mdx", "---\nopenapi: GET /pets\ndescription: Mine\n---\n"),
    ]);
    let meta = |slug: &str| {
        let meta = &fixture.site.page(fixture.page(slug)).meta;
        (meta.title.as_str(), meta.description.as_ref().map(Description::source))
    };
    assert_eq!(
        ["a", "b", "api-reference/list"].map(meta),
        [("Own", Some("All **pets**.")), ("List", Some("Mine")), ("List", Some("All **pets**."))]
    );
}

#[test]
fn a_configuration_without_navigation() {
    let fixture = site(&[
        ("docs.json", r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}}"##),
        ("index.mdx", ""),
        ("a/b.mdx", ""),
    ]);
    assert_eq!(fixture.outline(), ["Page Index", "Group A", "  Page B"]);
    assert_eq!(
        fixture.problems(),
        ["config-missing-key docs.json:1:1 `navigation` is missing; it is generated from the folders"]
    );
}

#[test]
fn variables_stand_in_front_matter() {
    let fixture = site(&[
        (
            "docs.json",
            r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "variables": {"ver": "2.0", "both": "a: \"b\""}, "navigation": {"pages": ["index"]}}"##,
        ),
        (
            "index.mdx",
            "---\ntitle: \"Release {{ver}}\"\nsidebarTitle: {{ ver }} now\ndescription: 'Has {{both}} and {{none}}'\nkeywords: ['k {{ver}}']\n---\n",
        ),
    ]);
    let meta = &fixture.site.page(fixture.page("index")).meta;
    assert_eq!((meta.title.as_str(), meta.sidebar_title.as_deref()), ("Release 2.0", Some("2.0 now")));
    assert_eq!(
        (meta.description.as_ref().map(Description::source), &*meta.keywords),
        (Some("Has a: \"b\" and {{none}}"), &["k 2.0".to_owned()][..])
    );
    assert_eq!(fixture.outline(), ["Page 2.0 now"]);
    assert!(fixture.diagnostics.is_empty(), "{:?}", fixture.problems());
}

#[test]
fn a_configuration_further_down_is_pointed_at() {
    let fixture = site(&[("docs/docs.json", DOCS), ("docs/index.md", "")]);
    assert_eq!(
        fixture.problems(),
        [
            "config-elsewhere docs/docs.json:0:0 `docs/docs.json` is not used: the configuration has to be at the root of the exported folder"
        ]
    );
}

#[test]
fn foreign_bytes_and_large_files_are_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.md"), b"# caf\xe9").unwrap();
    std::fs::write(folder.path().join("b.md"), vec![b'x'; usize::try_from(base::limits::PAGE_BYTES).unwrap() + 1])
        .unwrap();
    let loaded = load_site(folder.path(), &LoadOptions::default()).unwrap();
    let codes: Vec<(&str, &str)> =
        loaded.diagnostics.iter().map(|problem| (problem.code, problem.file.as_str())).collect();
    assert_eq!(codes, [("unreadable-file", "b.md"), ("not-utf8", "a.md")]);
    assert_eq!(loaded.site.pages[0].meta.title, "caf\u{fffd}");
}
