//! The census of words: what a source says and its page lacks is reported; what both say is counted.

use serde_json::Value;

use crate::suite::site::{Exported, SiteTest, fixture, offprint};

/// A page with a component that drops what stands in it.
const DROPS: &str = "//- docs.json\n{\"name\": \"Test\", \"theme\": \"mint\", \"colors\": {\"primary\": \"#0F766E\"}, \"navigation\": {\"pages\": [\"index\"]}}\n\
    //- index.mdx\n---\ntitle: Start\n---\n\nexport const Empty = () => <p>Nothing</p>\n\nWhat stands here is kept.\n\n<Empty>What was dropped</Empty>\n";

/// What is wrong with a report that has to count all words as found.
fn not_all_found(exported: &Exported) -> Vec<String> {
    let words = &exported.report["words"];
    let written = words["written"].as_u64().unwrap_or_default();
    if written > 0 && words["found"] == words["written"] { Vec::new() } else { vec![format!("words: {words}")] }
}

#[test]
fn a_page_that_says_everything_is_complete() {
    let body = "One **two** `three`.\n\n| a | b |\n|---|---|\n| c | d |\n\n```js\nlet code = 1; // [!code ++]\n```\n\n\
        <Card title=\"A card\">Inside</Card>\n\n{/* a comment */}\n\n<Visibility for=\"agents\">Not for people.</Visibility>\n\n$x^2$ and {1 + 1}\n";
    SiteTest::page(body).check(not_all_found).run();
}

#[test]
fn names_of_html_are_read_in_any_case() {
    SiteTest::inline("")
        .file(
            "index.md",
            "# Start\n\nOne <VIDEO SRC=\"a.mp4\" CONTROLS>No player</VIDEO> two.\n\n<STYLE>.a{color:red}</STYLE>\n",
        )
        .file("a.mp4", "film")
        .element("index", "video[src$='a.mp4']")
        .check(not_all_found)
        .run();
}

#[test]
fn lost_words_are_reported_with_their_place() {
    let exported = SiteTest::inline(DROPS).diagnostic("lost-words", "index.mdx:9:8").run();
    assert_eq!(exported.report["words"], serde_json::json!({ "written": 8, "found": 5 }));
    let message = &exported.diagnostics[0].message;
    assert_eq!(message, "the page lacks 3 words of its source: “What was dropped”");
}

#[test]
fn a_check_fails_on_lost_words() {
    let folder = tempfile::tempdir().unwrap();
    for file in DROPS.split("//- ").filter(|file| !file.is_empty()) {
        let (name, text) = file.split_once('\n').unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let output = offprint().arg("check").arg(folder.path()).args(["--format", "json"]).output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let finding = &json["findings"][0];
    assert_eq!((&finding["code"], &finding["severity"]), (&"lost-words".into(), &"error".into()), "{json:#}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn problems_that_say_so_account_for_what_is_left_out() {
    SiteTest::page("Text.\n\n[^none]: A note that nothing refers to.\n")
        .diagnostic("footnote-unused", "index.mdx:7:1")
        .check(not_all_found)
        .run();
    SiteTest::page("Text.\n\n![Alternative](/images/gone-away.png)\n")
        .diagnostic("missing-file", "index.mdx:7:1")
        .check(not_all_found)
        .run();
}

#[test]
fn fixtures_lose_nothing() {
    for name in ["docs", "hugo", "vitepress", "docusaurus", "mkdocs", "mdbook", "gitbook", "starlight", "plain"] {
        let exported = Exported::of(&fixture(name), &[]);
        let lost: Vec<_> = exported.diagnostics.iter().filter(|it| it.code.starts_with("lost-")).collect();
        assert!(lost.is_empty(), "{name}: {lost:#?}");
        assert_eq!(not_all_found(&exported), [""; 0], "{name}");
    }
}
