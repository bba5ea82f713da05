//! MDX source against what it says, in the canonical form of `html::canonical`. All cases are pages of one site, so the table may be long.

use crate::html::canonical_of;
use crate::site::SiteTest;

/// (name, source, canonical HTML).
const CASES: &[(&str, &str, &str)] = &[
    // text
    ("paragraphs", "One.\n\nTwo\nlines.", "<p>One.</p><p>Two lines.</p>"),
    (
        "emphasis",
        "*a* **b** ***c*** ~~d~~ ~e~ `f`",
        "<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em> <del>d</del> <del>e</del> <code>f</code></p>",
    ),
    ("emphasis before a wide letter", "**注意：**この*「名」*は", "<p><strong>注意：</strong>この<em>「名」</em>は</p>"),
    ("emphasis around a component before a wide letter", "**鍵<Badge>b</Badge>：**非対称", "<p><strong>鍵<Badge>b</Badge>：</strong>非対称</p>"),
    ("emphasis by its rules elsewhere", "**a:**b\n\n**(c)**d", "<p>**a:**b</p><p>**(c)**d</p>"),
    ("code and links beside wide letters", "対**`、**`**対 [は](https://x.org/は**)", "<p>対<strong><code>、**</code></strong>対 <a href=\"https://x.org/は**\">は</a></p>"),
    ("mail address in angle brackets", "<a.b@x.org> <https://x.org>", "<p><a href=\"mailto:a.b@x.org\">a.b@x.org</a> <a href=\"https://x.org\">https://x.org</a></p>"),
    ("hard breaks", "a\\\nb  \nc", "<p>a<br>b<br>c</p>"),
    ("smart punctuation", "\"a\" 'b' it's -- ...", "<p>“a” ‘b’ it’s — …</p>"),
    ("punctuation in code stays", "`\"a\" -- ...`", "<p><code>\"a\" -- ...</code></p>"),
    ("escapes", "\\*a\\* \\<b\\> \\{c\\}", "<p>*a* &lt;b&gt; {c}</p>"),
    ("entities", "&amp; &copy; &#65;", "<p>&amp; © A</p>"),
    ("rule", "a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"),
    ("no indented code", "a\n\n    b", "<p>a</p><p>b</p>"),
    // headings
    ("heading levels", "## A\n\n### B\n\n#### C\n\n##### D", "<h2>A</h2><h3>B</h3><h4>C</h4><h5>D</h5>"),
    ("underlined heading", "A\n---", "<h2>A</h2>"),
    ("heading with markup", "## A *b* `c` [d](https://x.org)", "<h2>A <em>b</em> <code>c</code> <a href=\"https://x.org\">d</a></h2>"),
    ("heading with an id", "## News {#my-news}", "<h2>News</h2>"),
    // lists
    ("tight list", "- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
    ("loose list", "- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"),
    ("ordered list", "3. a\n4. b", "<ol start=\"3\"><li>a</li><li>b</li></ol>"),
    ("nested list", "- a\n  1. b\n  2. c\n- d", "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>"),
    ("code in a list", "1. a\n\n   ```\n   b\n   ```\n\n2. c", "<ol><li><p>a</p><CodeBlock><pre>b</pre></CodeBlock></li><li><p>c</p></li></ol>"),
    ("deeply indented item", "-   a\n\n    b", "<ul><li><p>a</p><p>b</p></li></ul>"),
    // quotes and tables
    ("quote", "> a\n> b\n\nc", "<blockquote><p>a b</p></blockquote><p>c</p>"),
    (
        "table",
        "| a | b |\n|---|--:|\n| 1 | `x\\|y` |",
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>x|y</code></td></tr></tbody></table>",
    ),
    (
        "table with a component",
        "| a |\n|---|\n| <Badge>b</Badge> |",
        "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><Badge>b</Badge></td></tr></tbody></table>",
    ),
    // links
    ("outside link", "[a](https://x.org/?q=1&r=2 \"t\")", "<p><a href=\"https://x.org/?q=1&amp;r=2\">a</a></p>"),
    ("bare address", "see https://x.org/a.", "<p>see <a href=\"https://x.org/a\">https://x.org/a</a>.</p>"),
    ("page link", "[a](/other/page)", "<p><a href=\"../other/page.html\">a</a></p>"),
    ("page link with an ending", "[a](/other/page.mdx#part)", "<p><a href=\"../other/page.html#part\">a</a></p>"),
    ("relative link", "[a](../other/page)", "<p><a href=\"../other/page.html\">a</a></p>"),
    ("reference link", "[a][r]\n\n[r]: /other/page", "<p><a href=\"../other/page.html\">a</a></p>"),
    ("mail link", "[a](mailto:a@x.org)", "<p><a href=\"mailto:a@x.org\">a</a></p>"),
    ("link on this page", "[a](#b)\n\n## B", "<p><a href=\"#b\">a</a></p><h2>B</h2>"),
    ("html link", "<a href=\"/other/page\">a</a>", "<p><a href=\"../other/page.html\">a</a></p>"),
    // components
    ("block component", "<Note>\n  a\n\n  b\n</Note>", "<Note><p>a</p><p>b</p></Note>"),
    ("component on one line", "<Note>a *b*</Note>", "<Note><p>a <em>b</em></p></Note>"),
    ("component in a sentence", "a <Badge>b</Badge> c", "<p>a <Badge>b</Badge> c</p>"),
    ("self-closing", "<Card title=\"a\" />", "<Card>a</Card>"),
    ("indented component content", "<Note>\n      a\n</Note>", "<Note><p>a</p></Note>"),
    (
        "code in a component is dedented",
        "<Note>\n  ```js\n  if (a) {\n    b();\n  }\n  ```\n</Note>",
        "<Note><CodeBlock><pre>if (a) {\n  b();\n}</pre></CodeBlock></Note>",
    ),
    ("list in a component", "<Note>\n  - a\n  - b\n</Note>", "<Note><ul><li>a</li><li>b</li></ul></Note>"),
    ("component in a list", "- a\n\n  <Note>b</Note>\n- c", "<ul><li><p>a</p><Note><p>b</p></Note></li><li><p>c</p></li></ul>"),
    ("component in a quote", "> <Note>\n> a\n> </Note>", "<blockquote><Note><p>a</p></Note></blockquote>"),
    (
        "nested components",
        "<CardGroup cols={2}>\n  <Card title=\"a\">b</Card>\n  <Card title=\"c\">d</Card>\n</CardGroup>",
        "<CardGroup><Card>a<p>b</p></Card><Card>c<p>d</p></Card></CardGroup>",
    ),
    ("attributes over lines", "<Card\n  title=\"a\"\n  icon=\"rocket\"\n>\n  b\n</Card>", "<Card>a<p>b</p></Card>"),
    ("a greater-than in an attribute", "<Card title=\"a > b\">c</Card>", "<Card>a &gt; b<p>c</p></Card>"),
    ("markdown in a title", "<Accordion title=\"a `b`\">c</Accordion>", "<Accordion><summary>a <code>b</code></summary><p>c</p></Accordion>"),
    ("fragment", "<>\n  a\n</>", "<p>a</p>"),
    // html
    ("html in a sentence", "H<sub>2</sub>O <kbd>K</kbd>", "<p>H<sub>2</sub>O <kbd>K</kbd></p>"),
    ("html block", "<div className=\"x\">\n  **a**\n</div>", "<p><strong>a</strong></p>"),
    ("html block without blank lines", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>", "<ul><li>a</li><li>b</li></ul>"),
    ("void elements", "a<br />b", "<p>a<br>b</p>"),
    ("disclosure", "<details>\n<summary>a</summary>\n\nb\n\n</details>", "<details><summary>a</summary><p>b</p></details>"),
    // expressions
    ("string expression", "{\"a < b\"}", "<p>a &lt; b</p>"),
    ("number expression", "n = {42}", "<p>n = 42</p>"),
    ("comment", "a {/* b */} c\n\n{/*\n\nd\n\n*/}\n\ne", "<p>a c</p><p>e</p>"),
    ("constant", "export const a = \"b\";\n\n{a}, again {a}", "<p>b, again b</p>"),
    ("object", "export const o = { a: { b: [\"x\", \"y\"] } };\n\nit is {o.a.b[1]}", "<p>it is y</p>"),
    ("template string", "export const a = \"b\";\n\nit is {`${a}-c`}", "<p>it is b-c</p>"),
    ("static element", "export const E = <strong>a</strong>;\n\nit is {E}", "<p>it is <strong>a</strong></p>"),
    ("own static component", "export const C = () => <em>a</em>;\n\nit is <C />", "<p>it is <em>a</em></p>"),
    ("a space", "a{\" \"}b", "<p>a b</p>"),
    ("nothing to show", "a{null}{undefined}{true}{false}b", "<p>ab</p>"),
    ("braces in code", "`{a}` and\n\n```\n{b}\n```", "<p><code>{a}</code> and</p><CodeBlock><pre>{b}</pre></CodeBlock>"),
    ("tags in code", "`<Note>` and\n\n```\n<Note>\n```", "<p><code>&lt;Note&gt;</code> and</p><CodeBlock><pre>&lt;Note&gt;</pre></CodeBlock>"),
    // code
    ("fence", "```js\na < b;\n```", "<CodeBlock><pre>a &lt; b;</pre></CodeBlock>"),
    ("tilde fence", "~~~\n```\n~~~", "<CodeBlock><pre>```</pre></CodeBlock>"),
    ("empty fence", "```\n```", "<CodeBlock><pre></pre></CodeBlock>"),
    ("blank lines in code", "```\na\n\n\nb\n```", "<CodeBlock><pre>a\n\n\nb</pre></CodeBlock>"),
    ("differences lose their marks", "```js\na(); // [!code --]\nb(); // [!code ++]\n```", "<CodeBlock><pre>a();\nb();</pre></CodeBlock>"),
    ("snippet", "import S from \"/snippets/s.mdx\";\n\n<S word=\"w\" />", "<p>snippet w</p>"),
    ("snippet props in code", "import S from \"/snippets/code.mdx\";\n\n<S word=\"w\" />", "<CodeBlock><pre>run w</pre></CodeBlock>"),
    ("named import", "import { v } from \"/snippets/s.mdx\";\n\nit is {v}", "<p>it is exported</p>"),
    ("renamed import", "import { v as w } from \"/snippets/s.mdx\";\n\nit is {w}", "<p>it is exported</p>"),
    ("legacy snippet", "<Snippet file=\"old.mdx\" />", "<p>old</p>"),
    ("variable", "version {{release}} in `{{release}}`", "<p>version 0.1 in <code>0.1</code></p>"),
    ("task list", "- [x] a\n- [ ] b", "<ul><li><input checked=\"\">a</li><li><input>b</li></ul>"),
];

const CONFIG: &str = r##"{"theme": "mint", "name": "Cases", "colors": {"primary": "#0F766E"}, "variables": {"release": "0.1"}, "navigation": {"pages": ["other/page"]}}"##;

#[test]
fn sources_say_what_they_should() {
    let mut site = SiteTest::inline("")
        .file("docs.json", CONFIG)
        .file("other/page.mdx", "---\ntitle: Other\n---\n\n## Part\n")
        .file("snippets/s.mdx", "export const v = \"exported\";\n\nsnippet {word}\n")
        .file("snippets/code.mdx", "```sh\nrun {word}\n```\n")
        .file("_snippets/old.mdx", "old\n");
    for (index, (name, source, _)) in CASES.iter().enumerate() {
        site = site.file(&format!("case/c{index}.mdx"), format!("---\ntitle: \"{name}\"\n---\n\n{source}\n"));
    }
    let site = site.arg("--no-highlight").run();
    let mut wrong = Vec::new();
    for (index, (name, source, expected)) in CASES.iter().enumerate() {
        let found = site.page(&format!("case/c{index}")).canonical();
        if found != *expected {
            wrong.push(format!("{name}\n  source   {source:?}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases\n\n{}\n", wrong.len(), CASES.len(), wrong.join("\n\n"));
}

/// The canonical form itself: what it drops and what it keeps.
#[test]
fn canonical_form() {
    #[track_caller]
    fn check(html: &str, expect: &str) {
        assert_eq!(canonical_of(html), expect);
    }
    check("<div class=x> <p>a\n b</p>\n </div>", "<p>a b</p>");
    check("<p>a <span>b</span> <b>c</b></p>", "<p>a b <b>c</b></p>");
    check("<div data-component=Card><h2>t <a href='#t'></a></h2></div>", "<Card><h2>t</h2></Card>");
    check("<pre><code><span>a\n  </span>b\n</code></pre>", "<pre>a\n  b</pre>");
    check("<p>x<button>Copy</button><svg><text>y</text></svg></p>", "<p>x</p>");
    check("<p>a&lt;b &amp; c</p>", "<p>a&lt;b &amp; c</p>");
}

#[test]
fn heading_anchors() {
    let headings = [
        ("Getting started", "getting-started"),
        ("Config.json options", "config-json-options"),
        ("What's new", "what’s-new"),
        ("Rate limits (per minute)", "rate-limits-per-minute"),
        ("Read/write access", "read/write-access"),
        ("Fees & billing", "fees-&-billing"),
        ("C++ API", "c++-api"),
        ("C# SDK", "c#-sdk"),
        ("100% coverage", "100%-coverage"),
        ("v1.2.3", "v1-2-3"),
        ("日本語の見出し", "日本語の見出し"),
        ("Über uns", "über-uns"),
        ("snake_case name", "snake_case-name"),
        ("FAQ?", "faq"),
        ("A / B", "a-/-b"),
        ("Same", "same"),
        ("Same", "same-2"),
        ("Same", "same-3"),
        ("Own {#chosen}", "chosen"),
        ("`code` in it", "code-in-it"),
        ("a [link](https://x.org)", "a-link"),
    ];
    let body: String = headings.iter().map(|(heading, _)| format!("## {heading}\n\n")).collect();
    let site = SiteTest::page(&body).run();
    let page = site.page("index");
    let found: Vec<_> = page.select("main h2").iter().map(|heading| heading.attr("id").unwrap_or_default().to_owned()).collect();
    let expected: Vec<_> = headings.iter().map(|(_, id)| (*id).to_owned()).collect();
    assert_eq!(found, expected);
    let toc: Vec<_> = page.select("#table-of-contents a").iter().map(|link| link.attr("href").unwrap_or_default().to_owned()).collect();
    assert_eq!(toc.len(), expected.len(), "{toc:?}");
}

#[test]
fn contents_leave_out_what_is_folded() {
    SiteTest::page("## A\n\n<Accordion title=\"x\">\n\n## Inside\n\n</Accordion>\n\n### B\n\n##### Five")
        .element("index", "#table-of-contents a[href='#a']")
        .element("index", "#table-of-contents a[href='#b']")
        .no_element("index", "#table-of-contents a[href='#inside']")
        .no_element("index", "#table-of-contents a[href='#five']")
        .run();
}
