//! What readers can do with a page: the menu that `contextual` asks for, and links to its source.

use serde_json::{Value, json};

use crate::suite::site::{Exported, SiteTest};

/// A site with this `contextual`, and pages `index` and `guides/start`.
fn site(contextual: Value) -> SiteTest {
    let docs = json!({
        "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "contextual": contextual,
        "navigation": { "pages": ["index", "guides/start"] },
    });
    SiteTest::inline("")
        .file("docs.json", docs.to_string())
        .file("index.mdx", "---\ntitle: Home\n---\n\nText.\n\n## Part\n\nMore.\n")
        .file("guides/start.mdx", "---\ntitle: Start\n---\n\nGo on.\n")
}

/// What the menu of a page offers: labels of buttons, labels and addresses of links.
fn menu(site: &Exported, page: &str) -> Vec<String> {
    let page = site.page(page);
    let items = page.select(".op-actions .op-menu-list :is(a, button)");
    items
        .iter()
        .map(|item| {
            format!("{} {}", item.text().collect::<String>(), item.attr("href").unwrap_or_default()).trim().to_owned()
        })
        .collect()
}

/// The text that the script beside a page hands to its menu.
fn copied(site: &Exported, page: &str) -> String {
    let script = site.text_of(&format!("{page}.md.js")).to_owned();
    let text = script
        .strip_prefix("__opText(function(){/*")
        .and_then(|rest| rest.strip_suffix("*/})\n"))
        .expect("a call with a comment")
        .to_owned();
    assert!(!text.contains("*/"), "the comment ends early: {text}");
    // as the script of the menu does
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(star) = rest.find("*\\") {
        let after = &rest[star + 2..];
        out.push_str(&rest[..=star]);
        if !after.trim_start_matches('\\').starts_with('/') {
            out.push('\\');
        }
        rest = after;
    }
    out + rest
}

#[test]
fn the_first_option_is_a_button_and_the_menu_has_all() {
    let site = site(json!({"options": ["copy", "view", "download-pdf"]}))
        .element(
            "index",
            ".op-page-head .op-title > #page-title + .op-actions[data-chrome] > button[data-action=copy]:first-child",
        )
        .element("index", ".op-actions[data-text='index.md.js'] > details.op-menu > summary[aria-label='More actions']")
        .element("guides/start", ".op-actions[data-text='start.md.js']")
        .run();
    assert_eq!(menu(&site, "guides/start"), ["Copy page", "View as Markdown start.md", "Print or save as PDF"]);
}

#[test]
fn what_is_copied_is_the_markdown_of_the_page() {
    let site = site(json!({"options": ["copy"]}))
        .file(
            "guides/start.mdx",
            "---\ntitle: Start\n---\n\n```js\n/* a */ b *\\/ c *\\\\/ ** \\* /** d **/\n```\n\nEmphasis ***x***/y.\n",
        )
        .no_element("index", ".op-menu-list")
        .run();
    for page in ["index", "guides/start"] {
        assert_eq!(copied(&site, page), site.text_of(&format!("{page}.md")), "{page}");
    }
    assert!(site.text_of("guides/start.md").contains("/* a */ b *\\/ c *\\\\/ ** \\* /** d **/"));
}

#[test]
fn a_site_without_the_option_has_nothing_of_it() {
    let site = site(json!({"options": []})).no_file("index.md.js").no_element("index", ".op-actions").run();
    for (path, bytes) in &site.files {
        if path.ends_with(".js") || path.ends_with(".css") || path.ends_with(".html") {
            let text = String::from_utf8_lossy(bytes);
            assert!(!text.contains("op-actions") && !text.contains("__opText") && !text.contains("op-title"), "{path}");
        }
    }
}

#[test]
fn services_are_offered_where_the_deployment_and_the_address_allow_it() {
    let options = json!({"options": [
        "chatgpt", "claude", "perplexity", "grok", "aistudio", "devin", "mcp", "add-mcp", "cursor", "vscode", "assistant",
        {"title": "Ask", "href": {"base": "https://ask.example.com/?a=1", "query": [{"key": "q", "value": "See $page & $path"}]}},
        {"title": "Wish", "description": "A feature", "icon": "plus", "href": "https://example.com/wishes"},
        {"title": "Start here", "href": "/guides/start"},
    ]});
    let plain = ["Wish A feature https://example.com/wishes", "Start here guides/start.html"]
        .map(|item| item.replace("Wish A", "WishA"));
    for (deployment, domain) in [("air-gapped", Some("docs.example.com")), ("cloud", None)] {
        let mut test = site(options.clone()).arg(&format!("--deployment={deployment}"));
        if let Some(domain) = domain {
            test = test.arg(&format!("--domain={domain}"));
        }
        assert_eq!(menu(&test.run(), "index"), plain, "{deployment}, {domain:?}");
    }
    let site = site(options)
        .arg("--deployment=cloud")
        .arg("--domain=docs.example.com")
        .arg("--assistant-endpoint=https://assist.example.com/")
        .run();
    let prompt =
        "Read%20https%3A%2F%2Fdocs.example.com%2Findex.md%20so%20that%20I%20can%20ask%20questions%20about%20it.";
    assert_eq!(
        menu(&site, "index"),
        [
            format!("Open in ChatGPT https://chatgpt.com/?hints=search&q={prompt}"),
            format!("Open in Claude https://claude.ai/new?q={prompt}"),
            format!("Open in Perplexity https://www.perplexity.ai/search?q={prompt}"),
            format!("Open in Grok https://grok.com/?q={prompt}"),
            format!("Open in Google AI Studio https://aistudio.google.com/prompts/new_chat?prompt={prompt}"),
            "Copy MCP server address".to_owned(),
            "Copy MCP install command".to_owned(),
            "Connect to Cursor cursor://anysphere.cursor-deeplink/mcp/install?name=Test&config=eyJ1cmwiOiJodHRwczovL2RvY3MuZXhhbXBsZS5jb20vbWNwIn0%3D".to_owned(),
            "Connect to VS Code vscode:mcp/install?%7B%22name%22%3A%22Test%22%2C%22type%22%3A%22http%22%2C%22url%22%3A%22https%3A%2F%2Fdocs.example.com%2Fmcp%22%7D".to_owned(),
            "Ask the assistant https://assist.example.com/".to_owned(),
            "Ask https://ask.example.com/?a=1&q=See%20https%3A%2F%2Fdocs.example.com%2Findex.md%20%26%20%2Findex".to_owned(),
            plain[0].clone(),
            plain[1].clone(),
        ]
    );
    let values: Vec<_> = site
        .page("index")
        .select(".op-menu-list [data-value]")
        .iter()
        .map(|item| item.attr("data-value").unwrap_or_default().to_owned())
        .collect();
    assert_eq!(values, ["https://docs.example.com/mcp", "npx add-mcp https://docs.example.com/mcp"]);
}

#[test]
fn a_page_may_have_a_menu_of_its_own() {
    let front = |contextual: &str| format!("---\ntitle: T\n{contextual}\n---\n\nText.\n");
    let site = site(json!({"options": ["copy", "view"]}))
        .file("none.mdx", front("contextual:\n  options: []"))
        .file("own.mdx", front("contextual:\n  options:\n    - view\n    - download-pdf"))
        .file("wrong.mdx", front("contextual:\n  options: [cpoy]"))
        .file("bare.mdx", front("mode: custom"))
        .diagnostic("front-matter-value", "wrong.mdx:4:1")
        .no_element("none", ".op-actions")
        .no_element("bare", ".op-actions")
        .no_file("none.md.js")
        .no_file("own.md.js")
        .no_file("bare.md.js")
        .element("own", ".op-actions:not([data-text]) > a[href='own.md']")
        .run();
    assert_eq!(menu(&site, "own"), ["View as Markdown own.md", "Print or save as PDF"]);
    assert_eq!(menu(&site, "wrong"), ["Copy page", "View as Markdown wrong.md"]);
}

#[test]
fn a_menu_in_the_contents_column_is_beside_the_title_where_there_is_none() {
    site(json!({"options": ["copy", "view"], "display": "toc"}))
        .element("index", "#table-of-contents > .op-actions:not(.op-actions-narrow)")
        .element("index", ".op-page-head .op-actions-narrow")
        .no_element("guides/start", "#table-of-contents")
        .element("guides/start", ".op-page-head .op-actions:not(.op-actions-narrow)")
        .run();
}

#[test]
fn pages_of_operations_offer_their_description() {
    let spec = r#"{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/pets": {"get": {"summary": "Pets", "responses": {}}}}}"#;
    let test = || {
        site(json!({"options": ["copy", "download-spec"]}))
            .file("api/pets.json", spec)
            .file("guides/start.mdx", "---\ntitle: Pets\nopenapi: GET /pets\n---\n\nText.\n")
            .no_element("index", ".op-menu-list")
    };
    let found = test().run();
    assert_eq!(menu(&found, "guides/start"), ["Copy page", "Download API description ../api/pets.json"]);
    assert_eq!(found.page("guides/start").count("a[download][href='../api/pets.json']"), 1);
}

#[test]
fn without_a_menu_pages_of_descriptions_link_to_them_at_their_end() {
    let spec = r#"{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/pets": {"get": {"summary": "Pets", "responses": {}}}}, "components": {"schemas": {"Pet": {"type": "object"}}}}"#;
    let found = site(json!({"options": ["copy"]}))
        .file("api/pets.json", spec)
        .file("guides/start.mdx", "---\ntitle: Pets\nopenapi: GET /pets\n---\n\nText.\n")
        .file("index.mdx", "---\ntitle: Pet\nopenapi-schema: Pet\n---\n\nText.\n")
        .run();
    let link = |page: &str| {
        found
            .page(page)
            .select(".op-source-links > a[download]")
            .first()
            .and_then(|link| link.attr("href").map(str::to_owned))
    };
    assert_eq!(link("guides/start").as_deref(), Some("../api/pets.json"));
    assert_eq!(link("index").as_deref(), Some("api/pets.json"));
}

#[test]
fn the_menu_speaks_the_language_of_its_page() {
    let docs = json!({
        "theme": "mint", "name": "T", "colors": { "primary": "#0F766E" }, "contextual": {"options": ["copy", "view"]},
        "navigation": { "languages": [{"language": "en", "pages": ["index"]}, {"language": "de", "pages": ["de/index"]}] },
    });
    let site = SiteTest::inline("")
        .file("docs.json", docs.to_string())
        .file("index.mdx", "---\ntitle: Home\n---\n\nText.\n")
        .file("de/index.mdx", "---\ntitle: Anfang\n---\n\nText.\n")
        .run();
    assert_eq!(menu(&site, "de/index"), ["Seite kopieren", "Als Markdown ansehen index.md"]);
    assert_eq!(site.page("de/index").count(".op-actions[data-copied=Kopiert]"), 1);
}

/// Runs git in a folder, without any configuration but the repository's; nothing where there is no such program.
fn git(folder: &std::path::Path, date: &str, arguments: &[&str]) -> bool {
    let mut command = std::process::Command::new("git");
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_COMMITTER_DATE", date)
        .env("GIT_AUTHOR_DATE", date);
    let done = command
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
        .args(arguments)
        .output();
    done.is_ok_and(|output| output.status.success())
}

/// A repository with the site in `docs`: `one` was changed later than `two`.
fn repository(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let docs = folder.path().join("docs");
    std::fs::create_dir_all(&docs).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(docs.join(name), text).expect("a file");
    write(
        "docs.json",
        &format!(
            r##"{{"theme":"mint","name":"T","colors":{{"primary":"#0F766E"}},"navigation":{{"pages":["index","one","two","own","off"]}}{config}}}"##
        ),
    );
    write("one.mdx", "---\ntitle: One\n---\n\nText.\n");
    write("two.mdx", "---\ntitle: Two\n---\n\nText.\n");
    write("own.mdx", "---\ntitle: Own\nlastUpdatedDate: 2025-01-02\n---\n\nText.\n");
    write("off.mdx", "---\ntitle: Off\ntimestamp: false\n---\n\nText.\n");
    assert!(
        git(&docs, "", &["init", "-q", "-b", "main", ".."])
            && git(&docs, "2026-03-09T23:30:00Z", &["add", "."])
            && git(&docs, "2026-03-09T23:30:00Z", &["commit", "-qm", "1"])
    );
    write("one.mdx", "---\ntitle: One\n---\n\nMore.\n");
    assert!(git(&docs, "2026-04-10T00:00:00+02:00", &["commit", "-qam", "2"]));
    write("index.mdx", "---\ntitle: Never committed\n---\n\nText.\n");
    folder
}

#[test]
fn pages_show_when_git_last_saw_a_change() {
    let folder = repository(r#","metadata":{"timestamp":true}"#);
    let site = Exported::of(&folder.path().join("docs"), &[]);
    let date = |page: &str| {
        site.page(page).select(".last-modified time").first().and_then(|time| time.attr("datetime").map(str::to_owned))
    };
    let dates = ["one", "two", "own", "off", "index"].map(date);
    assert_eq!(
        dates,
        [Some("2026-04-09".to_owned()), Some("2026-03-09".to_owned()), Some("2025-01-02".to_owned()), None, None]
    );
    // a copy without history would date every page to its only commit
    let shallow = tempfile::tempdir().expect("a folder");
    let from = format!("file://{}", folder.path().display());
    assert!(git(shallow.path(), "", &["clone", "-q", "--depth=1", &from, "."]));
    let site = Exported::of(&shallow.path().join("docs"), &[]);
    assert_eq!(site.page("one").count(".last-modified"), 0);
}

#[test]
fn pages_link_to_their_source() {
    let links = |site: &Exported| {
        site.page("one")
            .select(".op-source-links a")
            .iter()
            .map(|link| link.attr("href").unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let folder = repository(r#","feedback":{"suggestEdit":true,"raiseIssue":true,"thumbsRating":true}"#);
    let docs = folder.path().join("docs");
    let export = || Exported::of(&docs, &[]);
    assert_eq!(links(&export()), Vec::<String>::new(), "nothing is known of the repository");
    assert!(git(&docs, "", &["remote", "add", "origin", "https://x-access-token:ghs_secret@github.com/acme/site.git"]));
    let site = export();
    assert_eq!(
        links(&site),
        [
            "https://github.com/acme/site/edit/main/docs/one.mdx",
            "https://github.com/acme/site/issues/new?title=One&body=File%3A%20docs%2Fone.mdx"
        ]
    );
    assert!(site.files.iter().all(|(_, bytes)| !String::from_utf8_lossy(bytes).contains("ghs_secret")), "a secret");
    assert!(git(&docs, "", &["remote", "set-url", "origin", "https://git.internal.example/acme/site.git"]));
    let site = export();
    assert!(
        links(&site).is_empty()
            && site.files.iter().all(|(_, bytes)| !String::from_utf8_lossy(bytes).contains("git.internal.example")),
        "a private host"
    );
    let named = repository(
        r#","feedback":{"suggestEdit":true,"repository":"https://gitlab.example.com/g/docs.git","branch":"next","directory":"/site/"}"#,
    );
    assert_eq!(
        links(&Exported::of(&named.path().join("docs"), &[])),
        ["https://gitlab.example.com/g/docs/-/edit/next/site/one.mdx"]
    );
}
