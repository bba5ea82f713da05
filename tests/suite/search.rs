//! Search: what is found, where it leads, who is left out, and what the index weighs. Questions go to the same files
//! that browsers load.

use std::collections::BTreeMap;
use std::path::Path;

use offprint::search::{Areas, Hit, IndexReader, SearchScope};
use tempfile::TempDir;

use crate::suite::site::{SiteTest, fixture, offprint};

/// The files of a bundle's search, by path.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let search = folder.join("_offprint/search");
    let entries = std::fs::read_dir(&search)
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    entries
        .map(|name| (format!("_offprint/search/{name}"), std::fs::read_to_string(search.join(&name)).expect("text")))
        .collect()
}

/// A source as an unpacked bundle.
fn export(source: &Path) -> TempDir {
    let work = TempDir::with_prefix("offprint-search-").expect("a temporary folder");
    let output = offprint()
        .arg("export")
        .arg(source)
        .arg("-o")
        .arg(work.path().join("out"))
        .args(["--format", "dir", "--progress", "none"])
        .output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    work
}

fn ask(files: &BTreeMap<String, String>, index: u32, question: &str) -> Vec<Hit> {
    let load = |path: &str| files.get(path).cloned();
    IndexReader::open(index, &load).map(|reader| reader.query(question, 10)).unwrap_or_default()
}

fn areas(files: &BTreeMap<String, String>, index: u32) -> Areas {
    let load = |path: &str| files.get(path).cloned();
    IndexReader::open(index, &load).map(|reader| reader.areas().clone()).unwrap_or_default()
}

/// The pages that readers of a version find, in the order of their addresses.
fn in_version(files: &BTreeMap<String, String>, index: u32, version: &str, question: &str) -> Vec<String> {
    let load = |path: &str| files.get(path).cloned();
    let reader = IndexReader::open(index, &load).expect("an index");
    let number = reader.areas().versions.iter().position(|name| name == version).expect("the version");
    let scope = SearchScope { version: u32::try_from(number).ok(), section: None };
    let mut found: Vec<String> =
        pages(&reader.query_within(question, 50, scope)).into_iter().map(str::to_owned).collect();
    found.sort();
    found
}

fn pages(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.url.split('#').next().unwrap_or_default().trim_end_matches(".html")).collect()
}

/// A site of written-out files, exported; the editions' files.
fn site(text: &str) -> BTreeMap<String, String> {
    let source = TempDir::with_prefix("offprint-source-").expect("a temporary folder");
    for part in text.split("//- ").skip(1) {
        let (path, text) = part.split_once('\n').expect("a path and a text");
        let path = source.path().join(path.trim());
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    files(&export(source.path()).path().join("out"))
}

#[test]
fn the_documentation_answers_what_people_ask() {
    let work = export(&fixture("docs"));
    let files = files(&work.path().join("out"));
    let table = include_str!("queries.tsv");
    assert!(table.lines().count() >= 30);
    let mut wrong = Vec::new();
    for line in table.lines() {
        let (question, expect) = line.split_once('\t').expect("a question and a page");
        let hits = ask(&files, 0, question);
        let found = pages(&hits);
        if !found.iter().take(3).any(|page| *page == expect) {
            wrong.push(format!("{question}: {expect} is not among {:?}", &found[..found.len().min(6)]));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    for text in files.values() {
        assert!(text.starts_with("__op(\"") && text.is_ascii(), "not a script of ours");
    }
}

#[test]
fn results_lead_to_headings_that_exist() {
    let work = export(&fixture("docs"));
    let out = work.path().join("out");
    let files = files(&out);
    let mut anchored = 0;
    for question in include_str!("queries.tsv").lines().filter_map(|line| line.split('\t').next()) {
        for hit in ask(&files, 0, question) {
            let (path, anchor) = hit.url.split_once('#').unwrap_or((&hit.url, ""));
            let html = std::fs::read_to_string(out.join(path)).expect("the page of a result");
            anchored += usize::from(!anchor.is_empty());
            assert!(anchor.is_empty() || html.contains(&format!("id=\"{anchor}\"")), "{}", hit.url);
        }
    }
    assert!(anchored > 30, "{anchored} results lead to a heading");
}

#[test]
fn who_asks_not_to_be_found_is_not() {
    let files = site(
        r##"
//- docs.json
{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"navigation":{"groups":[
 {"group":"Shown","pages":["index","plain","noindex","unsearchable","hiddenself"]},
 {"group":"Hidden","hidden":true,"pages":["inhidden","unhidden"]},
 {"group":"Found","hidden":true,"searchable":true,"pages":["foundhidden"]}]}}
//- index.mdx
Start zebra.
//- plain.mdx
---
title: Plain
keywords: ["synonymous"]
---
A zebra.
//- noindex.mdx
---
noindex: true
---
A zebra.
//- unsearchable.mdx
---
searchable: false
---
A zebra.
//- hiddenself.mdx
---
hidden: true
---
A zebra.
//- inhidden.mdx
A zebra.
//- unhidden.mdx
---
hidden: false
---
A zebra.
//- foundhidden.mdx
A zebra.
//- stray.mdx
A zebra.
"##,
    );
    let hits = ask(&files, 0, "zebra");
    let mut found = pages(&hits);
    found.sort_unstable();
    assert_eq!(found, ["foundhidden", "index", "plain", "unhidden"]);
    assert_eq!(pages(&ask(&files, 0, "synonymous")), ["plain"]);
}

#[test]
fn languages_and_versions_are_searched_apart() {
    let files = site(
        r##"
//- docs.json
{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"navigation":{"languages":[
 {"language":"en","versions":[{"version":"v2","pages":["index"]},{"version":"v1","pages":["v1/index"]}]},
 {"language":"ja","pages":["ja/index"]}]}}
//- index.mdx
New zebra.
//- v1/index.mdx
Old zebra.
//- ja/index.mdx
---
title: 概要
---
zebra 全文検索のしくみ
"##,
    );
    assert_eq!(in_version(&files, 0, "v2", "zebra"), ["index"]);
    assert_eq!(in_version(&files, 0, "v1", "zebra"), ["v1/index"]);
    assert_eq!(pages(&ask(&files, 1, "zebra")), ["ja/index"]);
    assert!(areas(&files, 1).is_empty(), "one language has no versions");
    assert!(!files.contains_key("_offprint/search/2.js"));
    assert_eq!((ask(&files, 0, "検索").len(), ask(&files, 1, "検索").len()), (0, 1));
}

/// Versions are told apart by their labels, in whatever tab they stand.
#[test]
fn versions_inside_tabs_are_searched_together_with_what_has_none() {
    let work = export(&fixture("versions"));
    let files = files(&work.path().join("out"));
    assert!(!files.contains_key("_offprint/search/1.js"), "one language, one index");
    let areas = areas(&files, 0);
    assert_eq!(areas.versions, ["2.0 (latest)", "1.0", "Draft"]);
    assert_eq!(areas.sections, ["Documentation", "Specification", "SDK", "Registry", "SEPs"]);
    assert_eq!(areas.default_version, 0);
    let of = |version: &str, question: &str| in_version(&files, 0, version, question);
    // pages of no version are in all
    for version in ["2.0 (latest)", "1.0", "Draft"] {
        assert!(of(version, "registry moderation").contains(&"registry/moderation".to_owned()), "{version}");
        assert_eq!(of(version, "SEP-2243"), ["seps/2243"]);
    }
    // a version is what has its label in all tabs, and the default one where a tab does not have it
    assert_eq!(of("2.0 (latest)", "sampling"), ["sdk/2.0/client", "spec/2.0/sampling"]);
    assert_eq!(of("1.0", "sampling"), ["sdk/1.0/client", "spec/1.0/sampling"]);
    assert_eq!(of("Draft", "sampling"), ["sdk/2.0/client", "spec/draft/sampling"]);
    // a page that stands in two versions is found in both
    assert_eq!(of("2.0 (latest)", "security"), ["guides/security"]);
    assert_eq!(of("1.0", "security"), ["guides/security"]);
    assert_eq!(of("Draft", "security").len(), 0);
    // all versions at once
    let everywhere = ask(&files, 0, "sampling");
    assert_eq!(everywhere.len(), 5);
    let versions: std::collections::BTreeSet<(&str, &str)> =
        everywhere.iter().map(|hit| (hit.url.split('/').nth(1).unwrap_or_default(), hit.version.as_str())).collect();
    assert_eq!(versions, [("1.0", "1.0"), ("2.0", "2.0 (latest)"), ("draft", "Draft")].into());
    assert_eq!(ask(&files, 0, "security")[0].version, "", "of several versions");
}

#[test]
fn questions_can_go_to_one_section() {
    let work = export(&fixture("versions"));
    let files = files(&work.path().join("out"));
    let load = |path: &str| files.get(path).cloned();
    let reader = IndexReader::open(0, &load).expect("an index");
    let within = |version, section| pages(&reader.query_within("client", 50, SearchScope { version, section })).len();
    assert_eq!((within(Some(0), Some(2)), within(None, Some(2)), within(None, Some(3))), (1, 2, 0));
}

#[test]
fn buttons_say_which_version_the_reader_is_in() {
    SiteTest::fixture("versions")
        .element("index", "#search-bar-entry[data-index='0']:not([data-version])")
        .element("spec/2.0/roots", "#search-bar-entry[data-index='0'][data-version='0']")
        .element("sdk/1.0/client", "#search-bar-entry[data-index='0'][data-version='1']")
        .element("spec/draft/tasks", "#search-bar-entry[data-index='0'][data-version='2']")
        .run();
}

#[test]
fn pages_have_a_button_that_names_what_it_loads() {
    SiteTest::pages(&[("index", "One."), ("a/b", "Two.")])
        .element("index", "button#search-bar-entry[data-client][data-index='0']")
        .element("a/b", ".search-slot > button#search-bar-entry[data-needs-script]")
        .has_file("_offprint/search/0.js")
        .run();
}

#[test]
fn a_site_without_anything_to_find_has_no_button() {
    SiteTest::inline("//- docs.json\n{\"theme\":\"mint\",\"name\":\"T\",\"colors\":{\"primary\":\"#0F766E\"},\"navigation\":{\"pages\":[\"index\"]}}\n//- index.mdx\n---\nsearchable: false\n---\nx\n")
        .no_element("index", "#search-bar-entry")
        .no_file("_offprint/search/0.js")
        .run();
}

#[test]
fn headings_and_titles_come_before_text() {
    let mut text = String::from(
        "//- docs.json\n{\"theme\":\"mint\",\"name\":\"T\",\"colors\":{\"primary\":\"#0F766E\"},\"navigation\":{\"pages\":[\"index\",\"text\",\"heading\",\"title\",\"card\",\"code\"]}}\n//- index.mdx\nStart.\n",
    );
    text += "//- text.mdx\nA giraffe, a giraffe and another giraffe: giraffe giraffe giraffe.\n";
    text += "//- heading.mdx\n---\ntitle: Heading\n---\nText.\n\n## About a giraffe\n\nMore.\n";
    text += "//- title.mdx\n---\ntitle: Giraffe\n---\nText.\n";
    text += "//- card.mdx\n<Card title=\"Okapi\">Related.</Card>\n";
    text += "//- code.mdx\n```js\nconst okapiCount = feedGiraffes();\n```\n";
    let files = site(&text);
    assert_eq!(pages(&ask(&files, 0, "giraffe "))[..3], ["title", "heading", "text"]);
    assert_eq!(pages(&ask(&files, 0, "okapi ")), ["card", "code"]);
    assert_eq!(pages(&ask(&files, 0, "feedgiraffes")), ["code"]);
    assert_eq!(ask(&files, 0, "giraffe ")[1].url, "heading.html#about-a-giraffe");
}

/// Readers type no signs of vowels and no article, a part of a name, an emoji, or the label of a diagram.
#[test]
fn words_are_found_as_readers_type_them() {
    let text = "//- docs.json\n{\"theme\":\"mint\",\"name\":\"T\",\"colors\":{\"primary\":\"#0F766E\"},\"navigation\":{\"pages\":[\"index\",\"other\"]}}\n\
        //- other.mdx\nNothing.\n\
        //- index.mdx\n\u{634}\u{64e}\u{62c}\u{64e}\u{631}\u{629} \u{627}\u{644}\u{62d}\u{62f}\u{64a}\u{642}\u{629}, a WebSocketServer, done\u{1f389}\n\n```mermaid\nflowchart LR\n A[Ocelot] --> B\n```\n";
    let files = site(text);
    let (tree, garden) = ("\u{634}\u{62c}\u{631}\u{629}", "\u{62d}\u{62f}\u{64a}\u{642}\u{629}");
    for question in [tree, garden, "SocketServer", "server", "WebSocketServer", "\u{1f389}", "ocelot"] {
        assert_eq!(pages(&ask(&files, 0, question)), ["index"], "{question}");
    }
}

/// Operations are found by what readers know of them; pages that are about it come before those that mention it.
#[test]
fn operations_are_found_by_path_field_and_value() {
    let work = export(&fixture("api"));
    let files = files(&work.path().join("out"));
    let mut wrong = Vec::new();
    for (question, expected) in [
        // path, method and path, as written or filled in
        ("/orders/{order_id}/artwork", "api/proofs/upload-artwork"),
        ("orders artwork", "api/proofs/upload-artwork"),
        ("PATCH /orders/{order_id}", "api/orders/update-a-draft"),
        ("/papers", "api/catalog/list-papers"),
        ("DELETE /files/{file_id}", "api-reference/files/delete-a-file"),
        ("POST /payments", "api/payments/pay-an-order"),
        ("/account/departments", "api/account/list-departments"),
        // summary
        ("refund a payment", "api/payments/refund-a-payment"),
        ("list invoices", "api-reference/invoices/list-invoices"),
        // names of fields, and their parts
        ("icc_profile", "api/proofs/upload-artwork"),
        ("icc profile", "api/proofs/upload-artwork"),
        ("Idempotency-Key", "api/orders/create-an-order"),
        ("sheets_per_hour", "events/press-telemetry"),
        ("min_size", "api-reference/files/list-files"),
        // values
        ("web_break", "events/job-status"),
        ("pipeDelimited", ""),
        // events
        ("order.shipped", "api/orders/order-shipped"),
        ("press telemetry", "events/press-telemetry"),
    ] {
        let hits = ask(&files, 0, question);
        let found = pages(&hits);
        let is_first = found.iter().take(2).any(|page| *page == expected || expected.is_empty());
        if expected.is_empty() != found.is_empty() || !is_first && !expected.is_empty() {
            wrong.push(format!("{question}: {expected} is not among {:?}", &found[..found.len().min(6)]));
        }
    }
    // samples in programming languages say nothing of an operation
    for word in ["libcurl", "HttpClient", "curl_setopt"] {
        let hits = ask(&files, 0, word);
        if pages(&hits).iter().any(|page| page.starts_with("api")) {
            wrong.push(format!("{word}: {:?}", pages(&hits)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_are_found_as_they_are_written() {
    let files = site(
        r##"
//- docs.json
{"theme":"mint","name":"Acme","colors":{"primary":"#0F766E"},"navigation":{"pages":["index","errors","sign-in","proxy","tokens","guides/rate-limits","limits"]}}
//- index.mdx
---
title: Welcome
---
A grant that is invalid for a proxy. Rates have limits. Every token of a user.
//- errors.mdx
---
title: Errors
---
The answer `invalid_grant` means that a code was used twice.
//- sign-in.mdx
---
title: How to sign in
sidebarTitle: Login
---
An invalid grant, and a login, and a login.
//- proxy.mdx
---
title: OAuth proxy
---
Text.
//- tokens.mdx
---
title: Tokens
---
`OAuthProxy` is a class, and `OAuthProxy` has options. A refresh is made of a token by hand.

## OAuthProxy options

Login, login, login. Set them.
//- guides/rate-limits.mdx
---
title: Acme rate limits
---
How many requests.
//- limits.mdx
---
title: Limits of rate plans and other limits
---
Rate, limits, rate limits: a refresh token is not limited.
"##,
    );
    let first = |question: &str| pages(&ask(&files, 0, question)).into_iter().next().map(str::to_owned);
    for (question, page) in [
        ("invalid_grant", "errors"),
        ("login", "sign-in"),
        ("OAuthProxy", "proxy"),
        ("oauth-proxy", "proxy"),
        ("rate limits", "guides/rate-limits"),
        ("\"refresh token\"", "limits"),
    ] {
        assert_eq!(first(question).as_deref(), Some(page), "{question}: {:?}", pages(&ask(&files, 0, question)));
    }
    assert_eq!(pages(&ask(&files, 0, "invalid_grant")), ["errors"], "the words stand apart elsewhere");
    assert_eq!(pages(&ask(&files, 0, "\"refresh token\"")), ["limits"]);
    assert!(ask(&files, 0, "\"tokns\"").is_empty(), "quotes mean the word itself");
}
