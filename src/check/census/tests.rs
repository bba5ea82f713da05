use proptest::prelude::*;

use super::*;

const SYNTAX: PageSyntax =
    PageSyntax { is_mdx: true, hides_rust: false, is_mintlify: false, fills_code: false, is_vault: false };

fn census(file: &str, html: &str, known: &[Diagnostic]) -> Census {
    let written = CountedFile { path: "a.mdx", file, syntax: SYNTAX };
    let source = Source::read(file, SYNTAX);
    count_page(&written, &source, &Made { html: [html, ""], title: "", later: "" }, known, None)
}

/// What a census reports: code, line, column, message.
fn found(file: &str, html: &str) -> Vec<String> {
    let problems = census(file, html, &[]).problems;
    problems.iter().map(|it| format!("{} {}:{} {}", it.code, it.line, it.column, it.message)).collect()
}

#[test]
fn a_complete_page_has_no_problem() {
    let file = "# One\n\ntwo `three` ![four](five.png) foo**bar** $x$ (c)\n";
    let html = "<h1>One</h1><p>two <code>three</code> <img alt=\"four\" src=\"five-1a2b.png\"> foo<b>bar</b> <span data-component=\"Math\"><math></math></span> ©</p>";
    assert_eq!(found(file, html), [""; 0]);
    assert_eq!(census(file, html, &[]).words, WordCounts { written: 6, found: 6 });
}

#[test]
fn what_is_lost_is_named_with_its_place() {
    assert_eq!(
        found("One two.\n\nThree four.\n", "<p>One two.</p>"),
        ["lost-words 3:1 the page lacks 2 words of its source: “Three four”"]
    );
    assert_eq!(
        found("a b a\n\na c\n", "<p>a b a</p><p>c</p>"),
        ["lost-words 3:1 the page lacks a word of its source: “a”"],
        "of equal words, the one that is not where it was"
    );
    assert_eq!(
        found("![One](a-picture.png)", "<p>One</p>"),
        ["lost-picture 1:1 the page lacks a picture of its source: `a-picture.png`"]
    );
    assert_eq!(
        found("One\n\n```mermaid\nA --> B\n```\n", "<p>One</p>"),
        ["lost-picture 3:1 the page lacks a diagram of its source: `A --> B`"]
    );
    assert_eq!(found("One $x^2 + y$", "<p>One x<sup>2</sup> + y</p>"), [""; 0], "shown as text");
}

#[test]
fn longest_runs_are_lost_first() {
    let file = "the one\n\nthe two\n\nthe three four five\n";
    assert_eq!(
        found(file, "<p>the one</p><p>the two</p>"),
        ["lost-words 5:1 the page lacks 4 words of its source: “the three four five”"]
    );
}

#[test]
fn other_problems_account_for_words() {
    let file = "One[^1]\n\n[^2]: Two three\n\n    four\n\nFive\n";
    let known = [Diagnostic::new("footnote-unused", "m").at("a.mdx", 3, 1)];
    let census = census(file, "<p>One Five</p>", &known);
    assert_eq!((census.problems.len(), census.words), (0, WordCounts { written: 2, found: 2 }));
    let failed = [Diagnostic::new("page-failed", "m").at("a.mdx", 0, 0)];
    assert_eq!(super::tests::census(file, "", &failed).words, WordCounts::default());
}

proptest! {
    /// Whichever word a page lacks, that is found: unless the page says it more often elsewhere.
    #[test]
    fn any_lost_word_is_found(words in prop::collection::vec("alpha|beta|gamma|delta|épsilon|漢字|x1", 1..40), lost: prop::sample::Index) {
        let file = words.join(" ");
        let lost = lost.index(words.len());
        let said: Vec<&str> = words.iter().enumerate().filter(|(at, _)| *at != lost).map(|(_, word)| word.as_str()).collect();
        let html = format!("<p>{}</p>", said.join(" "));
        prop_assert_eq!(census(&file, &html, &[]).problems.len(), 1);
        let whole = format!("<p>{}</p>", words.join("</p><p>"));
        prop_assert_eq!(census(&file, &whole, &[]).problems.len(), 0);
    }

    /// No page is too odd to be counted.
    #[test]
    fn any_page_is_counted(file in "[a-c<>{}`*\n ]{0,40}", html in "(<|>|p|/|a |&|;|<p>|<img alt=\"x\">|</p>|é){0,40}") {
        let words = census(&file, &html, &[]).words;
        prop_assert!(words.found <= words.written);
    }
}
