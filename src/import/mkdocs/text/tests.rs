use proptest::prelude::*;

use site::python_slug::PythonSlug;

use super::super::syntax::MkDocsSyntax;
use super::block::MkDocsWriter;
use super::*;

fn syntax() -> MkDocsSyntax {
    MkDocsSyntax {
        attributes: true,
        abbreviations: true,
        mark: true,
        insert: true,
        superscript: true,
        delete: true,
        subscript: true,
        keys: true,
        critic: true,
        math: true,
        symbols: true,
        inline_language: true,
        definitions: true,
        footnotes: true,
        tabs_below_headings: true,
        tab_slug: Some(PythonSlug::Words),
        issues: Some("https://github.com/a/b".to_owned()),
        ..MkDocsSyntax::default()
    }
}

/// A text as it is written, runs of blank lines as one.
fn written(syntax: &MkDocsSyntax, source: &str) -> String {
    let lines: PlacedLines = source.split('\n').map(|line| (line.to_owned(), Place::default())).collect();
    let out = MkDocsWriter::new(syntax, &|tag| tag.to_owned()).page(&lines);
    let mut shown: Vec<&str> = Vec::new();
    for (line, _) in &out {
        let line = line.trim_end();
        if !line.is_empty() || shown.last().is_some_and(|last| !last.is_empty()) {
            shown.push(line);
        }
    }
    shown.join("\n").trim().replace('\u{e001}', "§")
}

#[track_caller]
fn check(source: &str, expect: &str) {
    assert_eq!(written(&syntax(), source), expect, "{source}");
}

#[test]
fn marks_are_tags() {
    check("==a **b**== ^^c^^ x^2^ H~2~O ~~d~~", "<mark>a **b**</mark> <ins>c</ins> x<sup>2</sup> H<sub>2</sub>O ~~d~~");
    check("++ctrl+c++ `++i++` i++ + ++j", "<kbd>Ctrl</kbd>+<kbd>C</kbd> `++i++` i++ + ++j");
    check(
        "{++a++} {--b--} {==c==}{>>d<<} {~~e~>f~~}",
        "<ins>a</ins> <del>b</del> <mark>c</mark><small>d</small> <del>e</del><ins>f</ins>",
    );
    check("a == b, ~/x, $5 \\$6", "a == b, \\~/x, \\$5 \\$6");
    check("(c) a --> b 1/2 21/2 2nd 11th 3th", "© a → b ½ 21/2 2<sup>nd</sup> 11<sup>th</sup> 3th");
    check("x #12 a#12 @me a@b.c", "x [#12](https://github.com/a/b/issues/12) a#12 [@me](https://github.com/me) a@b.c");
    check("`#!py x` and `#!sh`", "`x` and `#!sh`");
    check("$a$ and \\(b\\)\n\n\\[ c \\]", "$a$ and $b$\n\n$$\nc\n$$");
    let plain = MkDocsSyntax::default();
    assert_eq!(written(&plain, "==a== ++b++ $c$ H~2~O (c)"), "==a== ++b++ \\$c\\$ H\\~2\\~O (c)");
}

#[test]
fn icons_keep_their_names() {
    check(":material-home:{ .lg } x :smile: :man_raising_hand:", ":material-home: x :smile: :raising_hand_man:");
}

#[test]
fn attributes_go_or_are_anchors() {
    check("# A b { #c .d }\n\nE { id=\"1.2\" }\n---", "# A b {#c}\n\nE {#1.2}\n---");
    check("**a**{ .b } [c](d.md){ .e target=_blank } f { g }", "**a** [c](d.md) f { g }");
    check("[a](b.md){ .md-button }", "<a class=\"button\" href=\"b.md\">a</a>");
    check(
        "[a][r]{ .md-button .md-button--primary }\n\n[r]: <b.md>",
        "<a class=\"button button-primary\" href=\"b.md\">a</a>\n\n[r]: b.md",
    );
    check("![a](b.png){ width=\"30\" loading=lazy align=left }", "![a](b.png){ width=\"30\" align=\"left\" }");
    check("a [](){ #b } c\n{ .d }", "a <a id=\"b\"></a> c");
    check("![a](b.png#only-dark)", "<img src=\"b.png\" alt=\"a\" class=\"hidden dark:block\">");
    check("a\n{ #b }", "<a id=\"b\"></a>a");
}

#[test]
fn comments_leave_their_anchors() {
    check("# <!-- a -->\n\nb\n# <!-- c -->", "<a id=\"_1\"></a>\n\nb\n\n<a id=\"_2\"></a>");
    check("#### <!-- md:setting a.b -->", "<a id=\"_1\"></a><a id=\"a.b\"></a>**`a.b`**");
    check("<!-- md:option a.b -->\n\n:   c", "<a id=\"a.b\"></a>**`a.b`**\n\nc");
}

#[test]
fn references_stand_at_the_end() {
    check(
        "[a][b] [B], [c][] [no]\n[b]: x.md \"t\"\n\n  [c]: <y z.md>",
        "[a](x.md \"t\") [B](x.md \"t\"), [c](<y z.md>) [no]\n\n[b]: x.md \"t\"\n[c]: <y z.md>",
    );
    check(
        "HTML `HTML` HTMLS [HTML](a)\n\n*[HTML]: H \"M\"",
        "<abbr title=\"H &quot;M&quot;\">HTML</abbr> `HTML` HTMLS [<abbr title=\"H &quot;M&quot;\">HTML</abbr>](a)",
    );
}

#[test]
fn items_are_indented_by_four() {
    check("- a\n    - b\n        - c\n- d", "-   a\n    -   b\n        -   c\n-   d");
    check("1. a\n\n    b\n\n    ```sh\n    c\n    ```\n\n2. d", "1.  a\n\n    b\n\n    ```sh\n    c\n    ```\n\n2.  d");
    check("a\n- b\n\n1) c", "a\n\\- b\n\n1\\) c");
    check("- a\nb\n\nc", "-   a\n    b\n\nc");
    check("* a\n+ b", "-   a\n-   b");
    check("- [x] [a]\n- [ ] b\n\n[a]: c", "-   [x] [a](c)\n-   [ ] b\n\n[a]: c");
    check("a\n\n    b\n\n      c", "a\n\n```\nb\n\n  c\n```");
    check("A\n:   b\n\n    c\n\nD\n\n:   e", "A\n:   b\n\n    c\n\nD\n:   e");
    check("<!-- a -->\n\n:   b\n\n    c", "b\n\nc");
    check("x[^1]\n\n[^1]:\n    a\n\n    b", "x[^1]\n\n[^1]: a\n\n    b");
}

#[test]
fn items_keep_the_indentation_of_what_they_hold() {
    let code = "```yaml\na:\n  b:\n    - c\n```";
    let below = |indent: usize, text: &str| text.replace('\n', &format!("\n{}", " ".repeat(indent)));
    for (mark, indent) in [("-", 2), ("*", 2), ("1.", 3), ("-", 3), ("-", 4), ("1.", 4), ("10.", 4)] {
        for code in [code.to_owned(), code.replace("```", "~~~"), code.replace("```", "````")] {
            let number = mark.trim_end_matches('.').trim();
            let own = if number == "-" || number == "*" {
                "-   ".to_owned()
            } else {
                format!("{:<4}", format!("{number}. "))
            };
            let expect = format!("{own}x\n\n    {}", below(4, &code));
            // apart, and right below the words
            check(&format!("{mark} x\n\n{}{}", " ".repeat(indent), below(indent, &code)), &expect);
            let tight = expect.replace("\n\n", "\n");
            check(&format!("{mark} x\n{}{}", " ".repeat(indent), below(indent, &code)), &tight);
        }
    }
    for (text, expect) in [
        // items in items
        (
            "- a\n  - b\n\n    ```\n    c:\n      d\n    ```",
            "-   a\n\n    -   b\n\n        ```\n        c:\n          d\n        ```",
        ),
        (
            "1. a\n\n   - b\n\n     ```\n     c:\n       d\n     ```",
            "1.  a\n\n    -   b\n\n        ```\n        c:\n          d\n        ```",
        ),
        // behind the mark
        ("- ```\n  c:\n    d\n  ```", "-   ```\n    c:\n      d\n    ```"),
        // blocks of either indentation in one item
        ("- a\n\n    b\n\n  ```\n  c:\n    d\n  ```", "-   a\n\n    b\n\n    ```\n    c:\n      d\n    ```"),
        ("- a\n\n  b\n\n    ```\n    c:\n      d\n    ```", "-   a\n\n    b\n\n    ```\n    c:\n      d\n    ```"),
        // what only looks like an end
        ("- a\n\n  ```\n  ````\n    d\n  ```\n- e", "-   a\n\n    `````\n    ````\n      d\n    `````\n-   e"),
        // elements that keep their lines
        ("- a\n\n  <pre>\n  b:\n    c\n  </pre>", "-   a\n\n    <pre>\n    b:\n      c\n    </pre>"),
        // boxes and tabs
        (
            "- a\n\n  !!! tip\n\n      b\n\n      ```\n      c:\n        d\n      ```",
            "-   a\n\n    §<Tip {\"title\":\"Tip\"}\n\n    b\n\n    ```\n    c:\n      d\n    ```\n\n    §>",
        ),
        (
            "=== \"A\"\n\n    1. a\n\n       ```\n       c:\n         d\n       ```",
            "§<Tabs {}\n\n§<Tab {\"title\":\"A\",\"id\":\"a\"}\n\n1.  a\n\n    ```\n    c:\n      d\n    ```\n\n§>\n\n§>",
        ),
    ] {
        check(text, expect);
    }
}

#[test]
fn definitions_and_notes_may_begin_with_a_block() {
    let tip = "§<Tip {\"title\":\"Tip\"}\n\n    b\n\n    §>";
    check("A\n\n:   !!! tip\n\n        b", &format!("A\n:   <!-- -->\n    {tip}"));
    // in other blocks they are elements
    let list = "<dl>\n<dt>\n\nA\n\n</dt>\n<dd>\n\nb\n\n</dd>\n<dd>\n\nc\n\n</dd>\n</dl>";
    let below = list.replace('\n', "\n    ").replace("\n    \n", "\n\n");
    check("- a\n\n    A\n\n    :   b\n\n    :   c", &format!("-   a\n\n    {below}"));
    check("!!! tip\n    A\n    :   b\n    :   c", &format!("§<Tip {{\"title\":\"Tip\"}}\n\n{list}\n\n§>"));
}

#[test]
fn boxes_are_components() {
    check("!!! note\n    a\n\n    b\nc", "§<Note {\"title\":\"Note\"}\n\na\n\nb\n\n§>\n\nc");
    check("!!! bug \"\"\n    a", "§<Danger {\"icon\":\"bug\"}\n\na\n\n§>");
    check(
        "???+ tip \"==T==\"\n    a",
        "§<Accordion {\"title\":\"<mark>T</mark>\",\"defaultOpen\":\"true\"}\n\na\n\n§>",
    );
    check(
        "# H\n=== \"A\"\n\n    b\n\n===! \"C\"\n\n    d",
        "# H\n\n§<Tabs {}\n\n§<Tab {\"title\":\"A\",\"id\":\"h-a\"}\n\nb\n\n§>\n\n§>\n\n§<Tabs {}\n\n§<Tab {\"title\":\"C\",\"id\":\"h-c\"}\n\nd\n\n§>\n\n§>",
    );
    check(
        "/// details | T\n    open: true\n\na\n///",
        "§<Accordion {\"title\":\"T\",\"defaultOpen\":\"true\"}\n\na\n\n§>",
    );
    check("![a](b)\n\n/// caption\nc\n///", "<figure>\n\n![a](b)\n\n<figcaption>\n\nc\n\n</figcaption>\n</figure>");
    check("wow!!! no\n\n!!!", "wow!!! no\n\n!!!");
}

#[test]
fn quotes_are_boxes_where_a_plugin_has_them() {
    let alerts = MkDocsSyntax { alerts: true, ..syntax() };
    for (text, expect) in [
        ("> [!NOTE]\n> a\n>\n> - b", "§<Note {\"title\":\"Note\"}\n\na\n\n-   b\n\n§>"),
        (">[!warning] Mind *it*\n> a", "§<Warning {\"title\":\"Mind *it*\"}\n\na\n\n§>"),
        ("> [!TIP]- T\n> a", "§<Accordion {\"title\":\"T\"}\n\na\n\n§>"),
    ] {
        assert_eq!(written(&alerts, text), expect, "{text}");
    }
    assert!(!written(&alerts, "> [!a b]\n> c").contains('§'));
    assert!(!written(&syntax(), "> [!NOTE]\n> a").contains('§'));
}

#[test]
fn html_holds_markdown_where_it_says_so() {
    check("<div class=\"a\" markdown>\n*b*\n</div>\nc", "<div class=\"a\">\n\n*b*\n\n</div>\n\nc");
    check("<div>\n\n    <p>*b*\n\n</div>", "<div>\n<p>*b*\n</div>");
    check("<div>\n<pre>\na\n\nb\n</pre>\n</div>", "<div>\n\n<pre>\na\n\nb\n</pre>\n</div>");
    for (text, expect) in [
        (
            "<div class=\"t\">\n\n```sh\n$ a\n\n  <b>\n```\n\n</div>",
            "<div class=\"t\">\n\n```sh\n$ a\n\n  <b>\n```\n\n</div>",
        ),
        ("<div>\n~~~\na\n~~~\n</div>", "<div>\n\n~~~\na\n~~~\n\n</div>"),
        ("<div>\n  <p>a</p>\n\n  ```\n  b\n    c\n  ```\n</div>", "<div>\n<p>a</p>\n\n```\nb\n  c\n```\n\n</div>"),
        ("<div>\n<div>\n\n```\n</div>\n```\n\n</div>\n</div>", "<div>\n<div>\n\n```\n</div>\n```\n\n</div>\n</div>"),
        ("<div>\n```\na\n```\n```\nb\n```\n</div>\nc", "<div>\n\n```\na\n```\n\n```\nb\n```\n\n</div>\n\nc"),
        (
            "<details>\n<summary>a</summary>\n\n```\nb\n```\n</details>",
            "<details>\n<summary>a</summary>\n\n```\nb\n```\n\n</details>",
        ),
        // what does not end is no code
        ("<div>\n```\na\n</div>", "<div>\n\n```\na\n</div>\n```"),
    ] {
        check(text, expect);
    }
    check("a <span markdown=\"1\">*b*</span> <!-- c -->\n\n<!-- d\n\ne -->\nf", "a <span>*b*</span>\n\nf");
    check("`<div markdown>`\n\n```html\n<div markdown>\n```", "`<div markdown>`\n\n```html\n<div markdown>\n```");
    check(
        "<div class=\"grid cards\" markdown>\n\n- :material-home:{ .lg } __A__\n\n    ---\n\n    b\n- *c*\n\n</div>",
        "§<CardGroup {\"cols\":\"2\"}\n\n§<Card {\"title\":\"A\",\"icon\":\"material/home\"}\n\nb\n\n§>\n\n§<Card {}\n\n*c*\n\n§>\n\n§>",
    );
}

#[test]
fn rows_keep_their_cells() {
    check("| a | b |\n|---|---|\n| `x|y` | ==c== { .d } |", "| a | b |\n|---|---|\n| `x\\|y` | <mark>c</mark> |");
}

#[test]
fn words_behind_a_tag_are_words() {
    check("<small>\n  :material-a: **b**\n  c\n</small>", "<small> :material-a: **b**\nc\n</small>");
    check("<br>\na\n\n**b**\n<i>c</i>", "<br> a\n\n**b**\n<i>c</i>");
}

#[test]
fn notes_of_code_are_named() {
    let list = "1.  <a id=\"code-note-1-1\"></a>A\n2.  <a id=\"code-note-1-2\"></a>B\n\n    c";
    check(
        "``` { .py .annotate }\na # (1)!\nb # (2)\nc # (3)\n```\n{ .annotate }\n\n1. A\n2. B\n\n    c",
        &format!("```py\na # [!code note:1-1]\nb # [!code note:1-2]\nc # (3)\n```\n\n{list}"),
    );
    check(
        "a (1)\n{ .annotate }\n\n1. B\n\nc (1)\n\n1. D",
        "a [(1)](#code-note-1-1)\n\n1.  <a id=\"code-note-1-1\"></a>B\n\nc (1)\n\n1.  D",
    );
    check("``` py\na # (1)!\n```\n\n1. A", "```py\na # (1)!\n```\n\n1.  A");
    let all = MkDocsSyntax { annotations: true, ..syntax() };
    let code = "``` py\na # (1)!\n```";
    let block =
        |list: usize| format!("```py\na # [!code note:{list}-1]\n```\n\n1.  <a id=\"code-note-{list}-1\"></a>A");
    assert_eq!(written(&all, &format!("{code}\n\n1. A")), block(1));
    assert_eq!(
        written(&all, &format!("{code}\n\n1. A\n\nb\n\n{code}\n\n1. A")),
        format!("{}\n\nb\n\n{}", block(1), block(2))
    );
    assert_eq!(written(&all, &format!("{code}\n\nb\n\n1. A")), "```py\na # (1)!\n```\n\nb\n\n1.  A");
    assert_eq!(
        written(&all, &format!("{code}\n\n1. ```\n   b\n   ```")),
        "```py\na # [!code note:1-1]\n```\n\n1.  <a id=\"code-note-1-1\"></a>\n    ```\n    b\n    ```"
    );
}

#[test]
fn indented_code_may_name_its_language() {
    let headed = MkDocsSyntax { code_headers: true, ..syntax() };
    for (text, expect) in [
        ("    ::yaml\n    a: 1", "```yaml\na: 1\n```"),
        ("    :::c++\n    a", "```c++\na\n```"),
        ("    #!python\n    a", "```python\na\n```"),
        ("    #!/usr/bin/python\n    a", "```python\n#!/usr/bin/python\na\n```"),
        ("    :yaml\n    a", "```\n:yaml\na\n```"),
        ("    ::a b\n    :::", "```a\n:::\n```"),
    ] {
        assert_eq!(written(&headed, text), expect, "{text}");
    }
    check("    ::yaml\n    a: 1", "```\n::yaml\na: 1\n```");
}

#[test]
fn code_stays_as_it_is() {
    let code = "``` { .py title=\"a b\" }\n!!! note\n    ==a==\n[b]: c\n# d\n```";
    check(code, "```py title=\"a b\"\n!!! note\n    ==a==\n[b]: c\n# d\n```");
    check("````\n```\na\n```\n````", "````\n```\na\n```\n````");
    check("```\na", "```\na\n```");
    check("```\n\n  a\n\n  b\n  \n\n```\n```\n\n```", "```\n  a\n\n  b\n```\n```\n```");
    check("```\n=== \"a\"\n\n    ```\n    b\n    ```\n```\nc", "````\n=== \"a\"\n\n    ```\n    b\n    ```\n````\nc");
    check("::: a.b_c\n    options:\n      x: y\nd", "::: a.b_c\n    options:\n      x: y\n\nd");
}

proptest! {
    /// No text panics, and none takes long.
    #[test]
    fn no_text_panics(source in "(!!! note|=== \"a\"|    |\n|```|- |1. |<div markdown>|</div>|<p>|\\[a\\]|\\(b\\)|\\{ .c \\}|==|\\^|~|\\+\\+|\\$|:material-a:|`|\\||---|é|/// a|///|\\*\\[X\\]: y|> |: |\\[\\^1\\]|<!--|-->|\\\\){0,40}") {
        let _ = written(&syntax(), &source);
    }
}
