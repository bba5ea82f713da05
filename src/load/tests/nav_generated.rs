//! Pages that API descriptions bring to a site.

use crate::LoadOptions;
use crate::testing::{Fixture, try_site};
use base::Description;

const PETS: &str = "openapi: 3.1.0
tags:
  - name: Pet Store
    x-group: Pets!
paths:
  /pets:
    get: {summary: List (all) pets, tags: [Pet Store], description: All of them}
    post: {summary: List (all) pets, tags: [Pet Store], deprecated: true}
  /pets/{petId}:
    get: {tags: [Pet Store]}
    delete: {summary: Gone, x-excluded: true}
    put: {summary: Unlisted, x-hidden: true}
    patch: {summary: Moved, x-mint: {href: /elsewhere/moved, metadata: {title: Own title, icon: star}}}
    head: {summary: For staff, x-mint: {groups: [staff]}}
webhooks:
  happened:
    post: {summary: It happened}
";

fn with(navigation: &str, options: &LoadOptions<'_>) -> Fixture {
    with_file(navigation, options, ("index.mdx", ""))
}

fn with_file(navigation: &str, options: &LoadOptions<'_>, file: (&str, &str)) -> Fixture {
    let docs = format!(
        "{{\"theme\": \"mint\", \"name\": \"N\", \"colors\": {{\"primary\": \"#000\"}}, \"navigation\":\n{navigation}}}"
    );
    let chat = "asyncapi: 3.0.0\nchannels:\n  signedUp: {title: User signed up}\n  a/b: {}\n";
    let files = [("docs.json", docs.as_str()), ("specs/pets.yaml", PETS), ("chat.yml", chat), ("index.mdx", ""), file];
    try_site(&files, options).unwrap_or_else(|error| panic!("{error}"))
}

/// The entries with the slugs of their pages.
fn entries(it: &Fixture) -> Vec<String> {
    let entry = |node: &nav::NavNode| {
        format!(
            "{} {} {}",
            node.method.as_deref().unwrap_or("-"),
            node.label,
            node.page.map_or("", |page| it.slug(page))
        )
    };
    it.navigation.nodes.iter().filter(|node| node.kind != nav::NodeKind::Root).map(entry).collect()
}

#[test]
fn a_whole_description() {
    let it = with(r#"{"tabs": [{"tab": "API", "openapi": "specs/pets.yaml"}]}"#, &LoadOptions::default());
    assert!(it.diagnostics.is_empty(), "{:?}", it.problems());
    assert_eq!(
        entries(&it),
        [
            "- API api-reference/pet-store/list-all-pets",
            "- Pets! ",
            "GET List (all) pets api-reference/pet-store/list-all-pets",
            "POST List (all) pets api-reference/pet-store/list-all-pets-1",
            "GET GET /pets/{petId} api-reference/pet-store/get-pets",
            "- API Reference ",
            "PATCH Own title elsewhere/moved",
            "WEBHOOK It happened api-reference/it-happened",
        ]
    );
    let page = |slug: &str| it.site.page(it.page(slug));
    assert_eq!(page("api-reference/pet-store/list-all-pets").meta.description, Some(Description::from("All of them")));
    assert!(page("api-reference/pet-store/list-all-pets-1").meta.deprecated);
    assert!(page("api-reference/unlisted").hidden && !page("api-reference/unlisted").in_navigation);
    assert_eq!(page("elsewhere/moved").meta.icon.as_ref().map(|icon| icon.name.as_str()), Some("star"));
    assert!(!it.slugs().contains(&"api-reference/for-staff"));
}

#[test]
fn the_group_of_operations_without_a_tag_is_called_in_the_language_of_its_pages() {
    let it = with(
        r#"{"languages": [{"language": "en", "pages": ["index"]}, {"language": "pt-BR", "tabs": [{"tab": "API", "openapi": "specs/pets.yaml"}]}]}"#,
        &LoadOptions::default(),
    );
    assert!(entries(&it).contains(&"- Referência da API ".to_owned()), "{:?}", entries(&it));
}

#[test]
fn access_groups() {
    let it = with(
        r#"{"tabs": [{"tab": "API", "openapi": "specs/pets.yaml"}]}"#,
        &LoadOptions { groups: &["staff".to_owned()], ..LoadOptions::default() },
    );
    assert!(it.slugs().contains(&"api-reference/for-staff"));
}

#[test]
fn picked_operations() {
    let it = with(
        r#"{"tabs": [{"tab": "API", "openapi": {"source": "/specs/pets.yaml", "directory": "ref"}, "pages": ["get /pets/", "webhook happened"]}, {"tab": "Again", "pages": ["pets.yaml GET /pets", "POST /pets"]}]}"#,
        &LoadOptions::default(),
    );
    assert!(it.diagnostics.is_empty(), "{:?}", it.problems());
    let expect = [
        "- API ref/pet-store/list-all-pets",
        "GET List (all) pets ref/pet-store/list-all-pets",
        "WEBHOOK It happened ref/it-happened",
        "- Again api-reference/pet-store/list-all-pets",
        "GET List (all) pets api-reference/pet-store/list-all-pets",
        "POST List (all) pets api-reference/pet-store/list-all-pets-1",
    ];
    assert_eq!(entries(&it), expect);
}

#[test]
fn channels_of_asyncapi() {
    let it = with(r#"{"groups": [{"group": "Events", "asyncapi": "chat.yml"}]}"#, &LoadOptions::default());
    assert_eq!(
        entries(&it),
        ["- Events ", "- Websockets ", "- User signed up api-reference/user-signed-up", "- a/b api-reference/a-b"]
    );
    let reference = it.site.page(it.page("api-reference/a-b")).meta.reference.clone();
    assert_eq!(reference, Some(("asyncapi".to_owned(), "chat.yml a/b".to_owned())));
}

#[test]
fn what_does_not_exist_is_told() {
    let it = with_file(
        r#"{"tabs": [{"tab": "A", "openapi": "no.json"}, {"tab": "B", "openapi": "https://x/o.json"}, {"tab": "E", "openapi": "https://x/o.json"}, {"tab": "C", "pages": ["index", "PUT /none", "pets.yaml PUT /none"]}, {"tab": "D", "openapi": "broken.json"}]}"#,
        &LoadOptions::default(),
        ("broken.json", "{\"openapi\": \"3.0.0\",\n}"),
    );
    assert_eq!(
        it.problems(),
        [
            "openapi-remote docs.json:2:71 the API description `https://x/o.json` is on another server and is not fetched; its operations have no pages",
            "openapi-file broken.json:2:1 `broken.json` is not used: it is not JSON: trailing comma",
            "openapi-missing-file docs.json:2:35 the API description `no.json` does not exist",
            "openapi-missing-operation docs.json:2:169 no API description has `PUT /none`",
            "openapi-missing-operation docs.json:2:182 `pets.yaml` has no `PUT /none`",
        ]
    );
    let swagger = with_file(
        r#"{"tabs": [{"tab": "A", "openapi": "/old.json"}]}"#,
        &LoadOptions::default(),
        ("old.json", "{\"swagger\": \"1.2\"}"),
    );
    assert_eq!(
        swagger.problems(),
        [
            "openapi-missing-file docs.json:2:35 `/old.json` is not an API description: it is Swagger 1.2; Swagger 2.0 and OpenAPI 3 are supported"
        ]
    );
    assert_eq!(
        entries(&it),
        [
            "- C index",
            "- Index index",
            "PUT PUT /none api-reference/put-none",
            "PUT PUT /none api-reference/put-none-1"
        ]
    );
}

/// The slugs of the pages of a site with this navigation and these descriptions, each of one operation.
#[track_caller]
fn check_slugs(navigation: &str, expect: &[&str]) {
    let docs = format!(
        "{{\"theme\": \"mint\", \"name\": \"N\", \"colors\": {{\"primary\": \"#000\"}}, \"navigation\": {navigation}}}"
    );
    let files = [
        ("docs.json", docs.as_str()),
        ("index.mdx", ""),
        ("specs/a.yaml", "openapi: 3.1.0\npaths: {/a: {get: {summary: A}}, /both: {get: {summary: Both A}}}"),
        (
            "specs/b/b.yaml",
            "openapi: 3.2.0\ntags: [{name: t, summary: T}]\npaths: {/b: {query: {tags: [t]}, additionalOperations: {COPY: {summary: Copy}}}, /both: {get: {summary: Both B}}}",
        ),
        (
            "specs/c.yaml",
            "asyncapi: 3.0.0\nchannels: {c: {$ref: '#/components/channels/c'}}\ncomponents: {channels: {c: {title: See}}}",
        ),
        ("other/d.yaml", "swagger: '2.0'\npaths: {/d: {get: {summary: D}}}"),
    ];
    let it = try_site(&files, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let slugs: Vec<&str> = it.slugs().into_iter().filter(|slug| *slug != "index").collect();
    assert_eq!(slugs, expect, "{:?}", it.problems());
    assert!(it.diagnostics.is_empty(), "{:?}", it.problems());
}

#[test]
fn sources_may_be_lists_and_folders() {
    check_slugs(
        r#"{"groups": [{"group": "A", "openapi": ["specs/a.yaml", {"source": "other/d.yaml", "directory": "old"}]}]}"#,
        &["api-reference/a", "api-reference/both-a", "api-reference/overview", "old/d"],
    );
    check_slugs(
        r#"{"groups": [{"group": "A", "openapi": "specs/", "asyncapi": {"source": "/specs", "directory": "ws"}}]}"#,
        &[
            "api-reference/a",
            "api-reference/api-overview",
            "api-reference/both-a",
            "api-reference/both-b",
            "api-reference/copy",
            "api-reference/overview",
            "api-reference/t/query-b",
            "ws/see",
        ],
    );
}

#[test]
fn entries_are_looked_for_in_all_sources_of_their_container() {
    check_slugs(
        r#"{"groups": [{"group": "A", "openapi": [{"source": "other/d.yaml", "directory": "old"}, "specs/b/b.yaml"], "pages": ["GET /both", "GET /d", "QUERY /b"]}]}"#,
        &["api-reference/both-b", "api-reference/overview", "api-reference/t/query-b", "old/d"],
    );
    check_slugs(
        r#"{"groups": [{"group": "A", "openapi": "specs/a.yaml", "asyncapi": "specs/c.yaml", "pages": ["GET /both"]}]}"#,
        &["api-reference/both-a", "api-reference/see"],
    );
}

#[test]
fn descriptions_that_nothing_names_have_a_group_where_no_navigation_is_written() {
    let api = "openapi: 3.1.0\ninfo: {title: Shop API}\ntags: [{name: Zoo}]\npaths: {/b: {get: {summary: Last, tags: [Zoo]}, post: {summary: First}}}";
    let files = [
        ("README.md", "# Shop"),
        ("guide/start.md", "# Start"),
        ("openapi.yaml", api),
        ("chat/asyncapi.json", r#"{"asyncapi": "2.6.0", "info": {"title": "Chat"}, "channels": {"room": {}}}"#),
        ("tests/data.yaml", "openapi: 3.1.0\npaths: {/x: {get: {}}}"),
        ("empty.openapi.json", r#"{"openapi": "3.1.0"}"#),
    ];
    let it = try_site(&files, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        it.outline(),
        [
            "Page Shop",
            "Group Guide",
            "  Page Start",
            "Group Chat",
            "  Group Websockets",
            "    Page room",
            "Group Shop API",
            "  Group Zoo",
            "    Page Last",
            "  Group API Reference",
            "    Page First",
        ]
    );
    assert_eq!(
        it.slugs(),
        [
            "api-reference/chat/room",
            "api-reference/shop-api/first",
            "api-reference/shop-api/overview",
            "api-reference/shop-api/zoo/last",
            "guide/start",
            "index"
        ]
    );
    let own = [("README.md", "# Shop"), ("a.md", "---\nopenapi: GET /b\n---\n"), ("openapi.yaml", api)];
    let it = try_site(&own, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(it.slugs(), ["a", "index"], "its author writes the pages");
    let alone =
        try_site(&[("swagger.json", r#"{"swagger": "2.0", "paths": {"/a": {"get": {}}}}"#)], &LoadOptions::default());
    assert_eq!(alone.unwrap_or_else(|error| panic!("{error}")).slugs(), ["api-reference/get-a"]);
}

#[test]
fn a_description_that_only_the_settings_name_has_a_group() {
    let docs = |navigation: &str| {
        format!(
            "{{\"theme\": \"mint\", \"name\": \"N\", \"colors\": {{\"primary\": \"#000\"}}, \"api\": {{\"openapi\": \"x.yaml\"}}, \"navigation\": {navigation}}}"
        )
    };
    let slugs = |navigation: &str| {
        let docs = docs(navigation);
        let files = [("docs.json", docs.as_str()), ("index.mdx", ""), ("x.yaml", PETS)];
        let it = try_site(&files, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        it.slugs().len()
    };
    assert_eq!(slugs(r#"{"pages": ["index"]}"#), 8);
    assert_eq!(slugs(r#"{"tabs": [{"tab": "A", "pages": ["index"]}]}"#), 1, "there is no place for it");
    assert_eq!(slugs(r#"{"pages": ["index", "GET /pets"]}"#), 2, "the author picks");
}
