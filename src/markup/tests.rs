//! What the parser makes of MDX as people write it. `check` shows trees as nested lists: `p(a b)`, `Card[title=x](…)`.

use super::tree::{BlockKind, Node, PropValue};
use super::*;

fn outline(nodes: &[Node]) -> String {
    nodes.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn show(node: &Node) -> String {
    match node {
        Node::Text(text) => format!("{text:?}"),
        Node::Code(code) => format!("`{code}`"),
        Node::Html { markup, .. } => format!("html:{markup:?}"),
        Node::Break { hard } => if *hard { "br" } else { "/" }.to_owned(),
        Node::Rule => "hr".to_owned(),
        Node::Fence(fence) => format!("fence:{}:{}:{:?}", fence.lang, fence.meta, fence.code),
        Node::Island(_) | Node::Part(_) => String::new(),
        Node::Math { display, tex, .. } => format!("math{}:{tex:?}", if *display { "!" } else { "" }),
        Node::FootnoteRef(label) => format!("fn:{label}"),
        Node::Block(block) => {
            let name = match &block.kind {
                BlockKind::Paragraph => "p".to_owned(),
                BlockKind::Heading { level, id } => {
                    format!("h{level}{}", id.as_deref().map(|id| format!("#{id}")).unwrap_or_default())
                }
                BlockKind::Quote => "quote".to_owned(),
                BlockKind::List { start } => start.map_or("ul".to_owned(), |start| format!("ol{start}")),
                BlockKind::Item { checked } => checked.map_or("li".to_owned(), |checked| format!("li:{checked}")),
                BlockKind::Table { .. } => "table".to_owned(),
                BlockKind::Row { .. } => "tr".to_owned(),
                BlockKind::Cell => "td".to_owned(),
                BlockKind::Emphasis => "em".to_owned(),
                BlockKind::Strong => "strong".to_owned(),
                BlockKind::Strike => "del".to_owned(),
                BlockKind::Link { href, .. } => format!("a:{href}"),
                BlockKind::Image { src, .. } => format!("img:{src}"),
                BlockKind::FootnoteDef { label } => format!("fndef:{label}"),
            };
            format!("{name}({})", outline(&block.children))
        }
        Node::Element(element) => {
            let props: Vec<String> = element
                .props
                .0
                .iter()
                .map(|(name, value)| match value {
                    PropValue::String(text) => format!("{name}={text}"),
                    PropValue::Number(number) => format!("{name}={number}"),
                    PropValue::Bool(true) => name.clone(),
                    value => format!("{name}={value:?}"),
                })
                .collect();
            let props = if props.is_empty() { String::new() } else { format!("[{}]", props.join(",")) };
            format!("{}{props}({})", element.name, outline(&element.children))
        }
        Node::Expr(expr) => format!("{{{:?}}}", expr.0),
    }
}

#[track_caller]
fn check(source: &str, expect: &str) {
    let document = parse_mdx(source, FileId(0), 1);
    assert_eq!(outline(&document.nodes), expect);
    assert_eq!(document.problems, [], "problems");
}

#[track_caller]
fn check_problem(source: &str, expect: &str, code: &str, line: u32) {
    let document = parse_mdx(source, FileId(0), 1);
    assert_eq!(outline(&document.nodes), expect);
    let found: Vec<(&str, u32)> = document.problems.iter().map(|problem| (problem.code, problem.place.line)).collect();
    assert_eq!(found, [(code, line)]);
}

#[test]
fn components_nest_with_indented_markdown() {
    check(
        "<Steps>\n    <Step title=\"One\">\n        Text here\n        that goes on.\n\n        ```bash\n        npm i\n          x\n        ```\n        - a\n          - b\n            ```js\n            y\n            ```\n    </Step>\n</Steps>\n",
        "Steps(Step[title=One](p(\"Text here\" / \"that goes on.\") fence:bash::\"npm i\\n  x\" ul(li(\"a\" ul(li(\"b\" fence:js::\"y\"))))))",
    );
}

#[test]
fn tags_stand_in_sentences_and_items() {
    check(
        "Use <Tooltip tip=\"a > b\">**bold** x</Tooltip> now",
        "p(\"Use \" Tooltip[tip=a > b](strong(\"bold\") \" x\") \" now\")",
    );
    check("1. First\n   <Note>\n   Hello\n   </Note>\n2. Second", "ol1(li(\"First\" Note(\"Hello\")) li(\"Second\"))");
    check("- <Icon icon=\"x\" /> item", "ul(li(Icon[icon=x]() \" item\"))");
    check("## Title <Badge>New</Badge>", "h2(\"Title \" Badge(\"New\"))");
    check(
        "| a | b |\n|---|---|\n| <br/> | {\"x|y\"} |",
        "table(tr(td(\"a\") td(\"b\")) tr(td(br()) td({Literal(String(\"x|y\"))})))",
    );
}

/// As remark reads them.
#[test]
fn tables_begin_and_go_on_as_for_remark() {
    let table = "table(tr(td(\"a\") td(\"b\")) tr(td(\"1\") td(\"2\")))";
    check("Some text\na | b\n--- | ---\n1 | 2", &format!("p(\"Some text\") {table}"));
    check("one\n**two**\na | b\n:--|--:\n1 | 2", &format!("p(\"one\" / strong(\"two\")) {table}"));
    check("> text\n> a | b\n> -|-\n> 1 | 2", &format!("quote(p(\"text\") {table})"));
    check("- item\n  a | b\n  --- | ---\n  1 | 2", &format!("ul(li(\"item\" {table}))"));
    check("text\na |\n-|\nb", "p(\"text\") table(tr(td(\"a\")) tr(td(\"b\")))");
    check("text\na | b\n--- | --- | ---", "p(\"text\" / \"a | b\" / \"--- | --- | ---\")");
    check("text\na | b\nc | d", "p(\"text\" / \"a | b\" / \"c | d\")");
    check(
        "| a | b |\n|---|---|\n| 1 | 2 |\n|\n| 3 | 4 |",
        "table(tr(td(\"a\") td(\"b\")) tr(td(\"1\") td(\"2\")) tr(td() td()) tr(td(\"3\") td(\"4\")))",
    );
    check(
        "| a |\n|---|\n  |  \n| 3 |\n\ntext\n|\nmore",
        "table(tr(td(\"a\")) tr(td()) tr(td(\"3\"))) p(\"text\" / \"|\" / \"more\")",
    );
}

#[test]
fn cells_beyond_the_header_are_told() {
    let tree = "table(tr(td(\"a\") td(\"b\")) tr(td(\"1\") td(\"2\")))";
    let wide = "table(tr(td(\"a\") td(\"b\")) tr(td(\"1\") td(\"2\") td(\"3\") td(\"4\")))";
    check_problem("| a | b |\n|---|---|\n| 1 | 2 | 3 | 4 |", wide, "table-cells", 3);
    check("| a | b |\n|---|---|\n| 1 | 2 | |", tree);
    check("| a | b |\n|---|---|\n| 1 | 2 \\| 3 |", "table(tr(td(\"a\") td(\"b\")) tr(td(\"1\") td(\"2 | 3\")))");
    let places = |document: ParsedFile| {
        document.problems.iter().map(|problem| (problem.place.line, problem.place.column)).collect::<Vec<_>>()
    };
    assert_eq!(places(parse_mdx("x\n\na | b\n--|--\n1 | 2 | 3", FileId(0), 1)), [(5, 9)]);
    assert_eq!(places(parse_markdown("> | a |\n> |---|\n> | 1 | 3 |", FileId(0), 7)), [(9, 9)]);
}

#[test]
fn a_comment_ends_a_paragraph_before_a_definition() {
    check("text\n{/* links */}\n[a]: /x\n[b]: /y\n\n[a] and [b]", "p(\"text\") p(a:/x(\"a\") \" and \" a:/y(\"b\"))");
    check("> text\n> <!-- links -->\n> [a]: /x\n\n[a]", "quote(p(\"text\")) p(a:/x(\"a\"))");
    check("text {/* links */}\n[a]: /x", "p(\"text\" / \"[a]: /x\")");
}

#[test]
fn a_paragraph_of_only_tags_is_no_paragraph() {
    check("<Note>text</Note>", "Note(\"text\")");
    check("<Card title=\"x\">a</Card> <Card>b</Card>", "Card[title=x](\"a\") Card(\"b\")");
    check("<Card\n  title=\"x\"\n  cols={2}\n/>", "Card[title=x,cols=2]()");
    check("text\n<Note>\nx\n</Note>\nmore", "p(\"text\") Note(p(\"x\")) p(\"more\")");
}

#[test]
fn an_element_may_open_in_a_paragraph_and_close_later() {
    check(
        "<Note>Some text\nthat goes on.\n\nMore.\n</Note>\n\nAfter",
        "Note(p(\"Some text\" / \"that goes on.\") p(\"More.\")) p(\"After\")",
    );
    check("Before <b>x\n\ny</b> after", "p(\"Before \") b(p(\"x\") p(\"y\")) p(\" after\")");
}

#[test]
fn indentation_is_never_code() {
    check("    indented", "p(\"indented\")");
    check("a\n\n        # deep", "p(\"a\") h1(\"deep\")");
    check("- a\n\n      para\n\n          - b", "ul(li(p(\"a\") p(\"para\") ul(li(\"b\"))))");
}

#[test]
fn code_keeps_what_looks_like_tags() {
    check("`<Card {x}>` and ``a ` <b>``", "p(`<Card {x}>` \" and \" `a ` <b>`)");
    check("```jsx title=\"x\" {1}\n<Card>\n{x}\n```", "fence:jsx:title=\"x\" {1}:\"<Card>\\n{x}\"");
    check("> ```\n> a\n> ```\n> b", "quote(fence:::\"a\" p(\"b\"))");
    check("````md\n```\nx\n```\n````", "fence:md::\"```\\nx\\n```\"");
}

#[test]
fn expressions_comments_and_escapes() {
    check("{/* gone */}\n\n<!-- gone\n\ntoo -->\nx {/* y */}z", "p(\"x z\")");
    check("a {name} b \\{c\\} \\<d>", "p(\"a \" {Name(\"name\")} \" b {c} <d>\")");
    check("a < b & c", "p(\"a < b & c\")");
    check("<https://a.b/c>", "p(a:https://a.b/c(\"https://a.b/c\"))");
    check("{\" \"}", "{Literal(String(\" \"))}");
}

#[test]
fn headings_take_ids() {
    check("## What's {#my-id}\n### B", "h2#my-id(\"What’s\") h3(\"B\")");
    check("#### `x` y {#a b}", "h4#a-b(`x` \" y\")");
}

#[test]
fn math_and_money() {
    // in a sentence, two dollars are one
    check("$5 and $10, $x^2$ and $$y$$", "p(\"$5 and $10, \" math:\"x^2\" \" and \" math:\"y\")");
    check(
        "| a | b |\n|---|---|\n| ${x} | `y` |\n| ${x} | $z$ |",
        "table(tr(td(\"a\") td(\"b\")) tr(td(\"$\" {Name(\"x\")}) td(`y`)) tr(td(\"$\" {Name(\"x\")}) td(math:\"z\")))",
    );
    check("$\\{a} and \\$\\{b}", "p(math:\"\\\\{a} and \\\\\" \"{b}\")");
    check("$\\alpha $ of $5", "p(math:\"\\\\alpha\" \" of $5\")");
    check("$$\n\\frac{a}{b}\n$$", "math!:\"\\\\frac{a}{b}\"");
}

#[test]
fn modules_leave_the_text() {
    check("import A from \"/a.mdx\"\nexport const b = {\n\n c: 1 }\n\n# T\n\nexport it", "h1(\"T\") p(\"export it\")");
}

#[test]
fn footnotes_tasks_and_links() {
    check("a[^x]\n\n[^x]: note\n\n    more", "p(\"a\" fn:1) fndef:1(p(\"note\") p(\"more\"))");
    check("- [x] done\n- [ ] open", "ul(li:true(\"done\") li:false(\"open\"))");
    check(
        "[a](/b_{c}_d \"t\") ![i](x.png) https://e.f.",
        "p(a:/b_{c}_d(\"a\") \" \" img:x.png(\"i\") \" \" a:https://e.f(\"https://e.f\") \".\")",
    );
    check("[r]\n\n[r]: /x", "p(a:/x(\"r\"))");
}

#[test]
fn lazy_lines_and_siblings() {
    check("- a\nlazy\n- b\n\ntext", "ul(li(\"a\" / \"lazy\") li(\"b\")) p(\"text\")");
    check("> a\nlazy\n\nb", "quote(p(\"a\" / \"lazy\")) p(\"b\")");
    check("1) a\n2) b", "ol1(li(\"a\") li(\"b\"))");
    check("text\n2. no list", "p(\"text\" / \"2. no list\")");
    check("Title\n---\nx", "h2(\"Title\") p(\"x\")");
}

#[test]
fn grammar_errors_cost_little() {
    check_problem("<Note>\na", "Note(p(\"a\"))", "mdx-unclosed-tag", 1);
    check_problem("a\n\n</Note>\n\nb", "p(\"a\") p(\"b\")", "mdx-stray-close", 3);
    check_problem("a { b", "p(\"a { b\")", "mdx-expression", 1);
    check_problem("x <Card title=\"a", "p(\"x <Card title=“a\")", "mdx-tag", 1);
    check_problem("- <Note>\n  a\n\nb", "ul(li(Note(\"a\"))) p(\"b\")", "mdx-unclosed-tag", 1);
}

#[test]
fn hostile_input_ends() {
    for source in [
        "<A>".repeat(20_000),
        "{".repeat(20_000),
        "> ".repeat(20_000),
        "- ".repeat(20_000),
        "[".repeat(20_000),
        "`".repeat(20_000),
        "<a b={".repeat(5_000),
        "*a ".repeat(20_000),
        "<!--".repeat(20_000),
        "$a".repeat(20_000),
        "</A>".repeat(20_000),
        "<A>\n".repeat(20_000),
    ] {
        let started = std::time::Instant::now();
        parse_mdx(&source, FileId(0), 1);
        assert!(started.elapsed().as_secs() < 10, "{}", &source[..20]);
    }
}

#[track_caller]
fn check_markdown(source: &str, expect: &str) {
    assert_eq!(outline(&parse_markdown(source, FileId(0), 1).nodes), expect);
}

#[test]
fn alerts() {
    check_markdown("a\n\n> [!TIP]\n> b\n\nc", "p(\"a\") Tip(p(\"b\")) p(\"c\")");
    check_markdown("- a\n  > [!CAUTION]\n  > b\n  >\n  > - c", "ul(li(\"a\" Danger(p(\"b\") ul(li(\"c\")))))");
}

#[test]
fn boxes_of_other_generators() {
    check_markdown(
        "a\n!!! warning \"Mind `x`\"\n    b\n\n        code\nc",
        "p(\"a\") Warning[title=Mind `x`](p(\"b\") fence:::\"code\") p(\"c\")",
    );
    check_markdown("> q\n!!! note\n    b", "quote(p(\"q\")) Note(p(\"b\"))");
    check_markdown("???+ example\n    b", "Accordion[title=Example,defaultOpen](p(\"b\"))");
    check_markdown("- a\n\n    !!! tip\n        b\n\n- c", "ul(li(p(\"a\") Tip(p(\"b\"))) li(p(\"c\")))");
    check_markdown(":::danger[Oh no]\n- a\n:::\n> [!TIP]\n> b", "Danger[title=Oh no](ul(li(\"a\"))) Tip(p(\"b\"))");
}

#[test]
fn code_in_lists_keeps_what_tabs_indent_it_by() {
    check(
        "- x\n\n\t```go\n\tfunc() {\n\t\treturn\n\n\t}\n\t```",
        "ul(li(p(\"x\") fence:go::\"func() {\\n\\treturn\\n\\n}\"))",
    );
    check("1. x\n\n\t```\n\t\ta\n\t```", "ol1(li(p(\"x\") fence:::\"\\ta\"))");
    check("  ```\n\ta\n b\n  ```", "fence:::\"  a\\nb\"");
    check("- x\n\n  ```\n\ta\n  ```", "ul(li(p(\"x\") fence:::\"  a\"))");
}

#[test]
fn tabs_of_other_generators() {
    let tabs = "=== \"A\"\n\n    ```py\n    x\n    ```\n\n=== \"B\"\n\n    y\n\nz";
    check_markdown(tabs, "Tabs(Tab[title=A](fence:py::\"x\") Tab[title=B](p(\"y\"))) p(\"z\")");
    check_markdown("::: code-group\n```sh [npm]\nx\n```\n:::", "CodeGroup(fence:sh:npm:\"x\")");
}

#[test]
fn quotes_around_inline_nodes() {
    check("'{a}' \"<I/>\" {\" \"}\"x\"", "p(\"‘\" {Name(\"a\")} \"’ “\" I() \"” \" {Literal(String(\" \"))} \"“x”\")");
    check(
        "See \"[a](b)\" and \"`c`\" or '**d**'.",
        "p(\"See “\" a:b(\"a\") \"” and “\" `c` \"” or ‘\" strong(\"d\") \"’.\")",
    );
}

#[test]
fn math_in_plain_markdown() {
    check_markdown(
        "a $x^2$, $`y`$ and\n\n$$\nz\n$$\n",
        "p(\"a \" math:\"x^2\" \", \" math:\"y\" \" and\") math!:\"z\"",
    );
    check_markdown("from $5 to $10, $1/$2, $HOME/$USER and a$b$", "p(\"from $5 to $10, $1/$2, $HOME/$USER and a$b$\")");
}

#[test]
fn attributes_and_icons_of_other_generators() {
    check_markdown("[a](b){ .c } d\n{: .e }", "p(a:b(\"a\") \" d\" /)");
    check_markdown("**:material-x: a {b}**", "p(strong(Icon[icon=material/x]() \" a {b}\"))");
    check_markdown("[TOC]\n\na", "p(\"a\")");
}

#[test]
fn fences_of_other_tools() {
    check_markdown("``` { .python .annotate }\nx\n```", "fence:python::\"x\"");
    check_markdown("```{.bash .x title=\"t\"}\nx\n```", "fence:bash:title=\"t\":\"x\"");
    check_markdown("```{python}\nx\n```", "fence:python::\"x\"");
    check_markdown("```python {.line-numbers}\nx\n```", "fence:python::\"x\"");
    check_markdown("```js {1,3} title=\"a\"\nx\n```", "fence:js:{1,3} title=\"a\":\"x\"");
    check_markdown(
        "```py hl_lines=\"2 4-5\" linenums=\"1\" package=\"p q\" {1}\nx\n```",
        "fence:py:highlight={2,4-5} lines {1}:\"x\"",
    );
    check_markdown("```js file=\"a b.js\" My title\nx\n```", "fence:js:title=\"a b.js\" My title:\"x\"");
    check_markdown("```rust,ignore\nx\n```", "fence:rust::\"x\"");
}

#[test]
fn placeholders_are_told_from_what_authors_write() {
    for (text, expect) in [
        ("<p>&lt;o a=\u{fdd1}6&gt;</p>", true),
        ("<o a=\u{fdd1}6>", true),
        ("x <!--\u{fdd1}12-->", true),
        ("<o6> <o a=6> <!--7--> &lt;o a=6&gt;", false),
        ("\u{fdd1}6 o a= \u{fdd1}6 a=\u{fdd1}", false),
    ] {
        assert_eq!(has_placeholder(text), expect, "{text}");
    }
}

#[test]
fn math_beside_cjk_text_holds_no_mark() {
    let document = parse_markdown("$」です*$ and 」です*x $5", FileId(0), 1);
    let shown = format!("{:?}", document.nodes);
    assert!(shown.contains("tex: \"」です*\"") && !shown.contains("\\u{fdd"), "{shown}");
}

#[test]
fn a_destination_in_angle_brackets_is_no_tag() {
    let document = parse_mdx("[a](</b c(d>) [e](</f> \"g\")", FileId(0), 1);
    let shown = format!("{:?}", document.nodes);
    assert!(shown.contains("href: \"/b c(d\"") && shown.contains("href: \"/f\""), "{shown}");
}

/// What a text may be put together from to confuse the scanner with the parser.
const PIECES: [&str; 40] = [
    "`",
    "``",
    "```",
    "\n",
    "\n\n",
    "\n- ",
    "\n> ",
    "\n1. ",
    "\n## ",
    "\n| a |\n|--|\n| ",
    " | ",
    "<b>",
    "</b>",
    "<Note>",
    "</Note>",
    "<br/>",
    "{x}",
    "{",
    "}",
    "$",
    "$$",
    "$x$",
    "[a](b \"",
    "\")",
    "](",
    "\n[r]: /u \"t\n",
    "*",
    "_",
    "\\",
    "{#i}",
    "&#xFDD1;",
    "&#xFDD0;",
    "日本「",
    "」です",
    "<pre>",
    "</pre>",
    "![i](",
    "    ",
    "---",
    "word ",
];

proptest::proptest! {
    #[test]
    fn no_placeholder_stays_in_a_tree(parts in proptest::collection::vec(0..PIECES.len(), 0..40)) {
        let source: String = parts.iter().map(|part| PIECES[*part]).collect();
        for document in [parse_mdx(&source, FileId(0), 1), parse_markdown(&source, FileId(0), 1)] {
            let shown = format!("{:?}", document.nodes);
            proptest::prop_assert!(!shown.contains("\\u{fdd0}") && !shown.contains("\\u{fdd1}"), "{source:?}: {shown}");
        }
    }
}
