use proptest::prelude::*;

use super::canon::canon;
use super::*;
use base::FileId;
use markup::{parse_markdown, parse_mdx_as_written};
use site::page::Dialect;

fn mdx(text: &str) -> Vec<Node> {
    parse_mdx_as_written(text, FileId::default(), 1).nodes
}

fn written(nodes: &[Node]) -> String {
    MdxWriter::new(None).page(nodes).trim_end().to_owned()
}

/// The tree of plain Markdown.
fn plain(text: &str) -> Vec<Node> {
    let mut nodes = prepare_nodes(parse_markdown(text, FileId::default(), 1).nodes, Dialect::Markdown, &mut Vec::new());
    show_emoji(&mut nodes);
    nodes
}

/// What plain Markdown becomes.
#[track_caller]
fn check(markdown: &str, expect: &str) {
    let nodes = plain(markdown);
    let text = written(&nodes);
    assert_eq!(text, expect);
    assert_eq!(canon(&mdx(&text)), canon(&nodes), "{text}");
}

/// MDX that comes back as it is.
#[track_caller]
fn check_same(text: &str) {
    assert_eq!(written(&prepare_nodes(mdx(text), Dialect::Mdx, &mut Vec::new())), text);
}

#[test]
fn markdown_comes_back() {
    check_same(
        "# One\n\nTwo *three* **four** ~~five~~ `six`\nseven.\n\n---\n\n> Quote\n>\n> more\n\n![alt](/a.png \"T\")",
    );
    check_same("- a\n- b\n  1. c\n  2. d\n- [x] e");
    check_same("- a\n\n  more\n\n- b");
    check_same("3. a\n4. b");
    check_same("| A | B |\n| :-- | --: |\n| `a\\|b` | c d |");
    check_same("```js title=\"x\" {1}\nlet a = 1;\n\nb\n```");
    check_same("````md\n```\ncode\n```\n````");
    check_same("$$\na+b\n$$\n\nand $x$ text[^1]\n\n[^1]: a note");
    check_same("[text](https://x.example/a_b) and https://x.example/c.");
    check_same("## Two words {#own-id}");
    check_same("a\\\nb");
    check_same("_**a** b_");
}

#[test]
fn components_come_back() {
    check_same("<Card title=\"A\" icon=\"star\" href=\"/b\" horizontal cols={2}>\n  Text\n\n  more\n</Card>");
    check_same(
        "<Steps>\n  <Step title={\"Say \\\"x\\\"\"}>\n    Go\n\n    ```sh\n    run\n\n    it\n    ```\n  </Step>\n</Steps>",
    );
    check_same("A <Tooltip tip=\"t\">word</Tooltip> and <Icon icon=\"x\" /> <Badge>new</Badge>.");
    check_same("<div className=\"a\" style={{ color: \"red\" }}>words *and* more</div>");
    check_same("<Frame><img src=\"/a.png\" alt=\"A\" /></Frame>");
    check_same("<Note>\n  - a\n  - b\n</Note>\n\n- c\n  <Note>d</Note>");
}

#[test]
fn html_becomes_jsx() {
    check(
        "<div class=\"a\" align=center><b>x</b><br>y</div>",
        "<div className=\"a\" align=\"center\"><b>x</b><br />y</div>",
    );
    check("<div>\n\n**x**\n\n</div>\n\ny", "<div>\n  **x**\n</div>\n\ny");
    check("a <kbd>Ctrl</kbd>+<kbd>C</kbd><br>b", "a <kbd>Ctrl</kbd>+<kbd>C</kbd><br />b");
    check("<img src=a.png width=10>", "<img src=\"a.png\" width=\"10\" />");
    check("<p align=\"center\">\n  <img src=\"a.png\">\n</p>", "<p align=\"center\"><img src=\"a.png\" /></p>");
    check("<table><tr><td>a<td>b</table>", "<table>\n  <tr>\n    <td>a</td>\n\n    <td>b</td>\n  </tr>\n</table>");
    check(
        "<details><summary>More</summary>\n\nText\n\n</details>",
        "<details>\n  <summary>More</summary>\n\n  Text\n</details>",
    );
    check("<!-- a note -->\n\ntext <!-- b -->", "{/* a note */}\n\ntext {/* b */}");
    check("<pre><code class=\"language-sh\">a &lt;b>\n c</code></pre>", "```sh\na <b>\n c\n```");
    check("<foo>a</foo> Vec<T>", "a Vec\\<T>");
    check("<script>x</script>", "");
    check(
        "<iframe src=\"https://v.example\" allowfullscreen></iframe>",
        "<iframe src=\"https://v.example\" allowFullScreen />",
    );
}

#[test]
fn text_stays_text() {
    check("a {b} <= c", "a \\{b} \\<= c");
    check("\\*a\\* \\_b\\_ \\`c\\` 2 * 3 snake_case", "\\*a\\* \\_b\\_ \\`c\\` 2 * 3 snake_case");
    check("costs $5", "costs $5");
    check("from 5$ to 10$", "from 5\\$ to 10\\$");
    check("1\\. a\n\n\\- b\n\n\\# c\n\n\\> d", "1\\. a\n\n\\- b\n\n\\# c\n\n\\> d");
    check("import x from y", "&#105;mport x from y");
    check("a&nbsp;b &lt;c&gt; &amp;amp;", "a&nbsp;b \\<c> \\&amp;");
    check("    code\n", "```\ncode\n```");
    check("Title\n=====\n", "# Title");
    check("<https://a.example/b> and <c@d.example>", "https://a.example/b and c@d.example");
    check("[a][b]\n\n[b]: /c \"T\"", "[a](/c \"T\")");
    check("[a](</b c(d>)", "[a](</b c(d>)");
    check(":rocket: `:rocket:`", "🚀 `:rocket:`");
    check("# C#", "# C\\#");
    check("a**b**c", "a**b**c");
    check("- a\n\n* b\n\n1. c\n\n1) d", "- a\n\n* b\n\n1. c\n\n1) d");
    check("| a |\n|---|\n| b \\| c <br> d |", "| a |\n| --- |\n| b \\| c <br /> d |");
}

#[test]
fn lines_of_the_author_stay() {
    let text = "Some _words_ and\n[a link](../b.md \"T\").\n\n* one\n* two, [x](../b.md#c)\n\n|a|b|\n|-|:-|\n|c|d|\n\nA <br> B _c_\n";
    let moved: rustc_hash::FxHashMap<String, String> = [("../b.md", "/b"), ("../b.md#c", "/b#c")]
        .map(|(old, new)| (old.to_owned(), new.to_owned()))
        .into_iter()
        .collect();
    let mut nodes = plain(text);
    fn move_links(nodes: &mut [Node], moved: &rustc_hash::FxHashMap<String, String>) {
        for node in nodes {
            let Node::Block(block) = node else { continue };
            if let BlockKind::Link { href, .. } = &mut block.kind {
                *href = moved[href.as_str()].clone();
            }
            move_links(&mut block.children, moved);
        }
    }
    move_links(&mut nodes, &moved);
    let source = MigratedText::new(FileId::default(), text, &moved);
    assert_eq!(
        MdxWriter::new(Some(&source)).page(&nodes),
        "Some _words_ and\n[a link](/b \"T\").\n\n* one\n* two, [x](/b#c)\n\n|a|b|\n|-|:-|\n|c|d|\n\nA <br /> B *c*\n"
    );
}

/// Blocks of Markdown that mean something to MDX, in any order and nesting. Delimiters of emphasis stand in words as authors
/// write them; runs of them that pair across tags are not written back as they were.
fn markdown() -> impl Strategy<Value = String> {
    let word = "[a-zA-Z0-9é.,;!?(){}+=-]{1,8}";
    let inline = prop_oneof![
        4 => word.prop_map(|word| word),
        1 => word.prop_map(|word| format!("*{word}*")),
        1 => word.prop_map(|word| format!("**{word}**")),
        1 => word.prop_map(|word| format!("`{word}`")),
        1 => word.prop_map(|word| format!("[{word}](/a/b)")),
        1 => prop_oneof![Just("$x$"), Just("snake_case_name"), Just("2 * 3"), Just("\\*"), Just("~5"), Just("$5")].prop_map(str::to_owned),
        1 => Just("<br>".to_owned()),
        1 => word.prop_map(|word| format!("<kbd>{word}</kbd>")),
    ];
    let line = proptest::collection::vec(inline, 1..6).prop_map(|words| words.join(" "));
    let leaf = prop_oneof![
        4 => proptest::collection::vec(line.clone(), 1..3).prop_map(|lines| lines.join("\n")),
        1 => line.clone().prop_map(|line| format!("## {line}")),
        1 => line.clone().prop_map(|line| format!("| {line} | b |\n| --- | :-: |\n| c | {line} |")),
        1 => line.clone().prop_map(|line| format!("```js\n{line}\n\n  x\n```")),
        1 => Just("---".to_owned()),
    ];
    let block = leaf.prop_recursive(3, 16, 3, move |inner| {
        let blocks = proptest::collection::vec(inner, 1..3).prop_map(|blocks| blocks.join("\n\n"));
        let indent =
            |text: &str, by: &str| text.split('\n').map(|line| format!("{by}{line}")).collect::<Vec<_>>().join("\n");
        prop_oneof![
            blocks.clone().prop_map(move |text| format!("- {}\n- z", indent(&text, "  ").trim_start())),
            blocks.clone().prop_map(move |text| format!("1. {}", indent(&text, "   ").trim_start())),
            blocks.clone().prop_map(move |text| indent(&text, "> ")),
            blocks.prop_map(|text| format!("<div>\n\n{text}\n\n</div>")),
        ]
    });
    proptest::collection::vec(block, 1..4).prop_map(|blocks| blocks.join("\n\n"))
}

/// The text of nodes without white space.
fn letters(nodes: &[Node]) -> String {
    let canon = canon(nodes);
    let texts = canon.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
    texts.flat_map(str::chars).filter(|c| !c.is_whitespace()).collect()
}

proptest! {
    /// What is written is read without a problem, and with every letter. That the tree is the same is shown by examples:
    /// odd nestings of raw HTML may come back with a paragraph more or less.
    #[test]
    fn letters_come_back(text in markdown()) {
        let nodes = plain(&text);
        let out = written(&nodes);
        let read = parse_mdx_as_written(&out, FileId::default(), 1);
        prop_assert_eq!(&read.problems, &Vec::new(), "{}\n--- from\n{}", out, text);
        prop_assert_eq!(letters(&read.nodes), letters(&nodes), "{}\n--- from\n{}", out, text);
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,200}") {
        let _ = written(&plain(&text));
        let _ = written(&prepare_nodes(mdx(&text), Dialect::Mdx, &mut Vec::new()));
    }
}
