//! MDX source against what it says, in the canonical form of `html::canonical`. All cases are pages of one site, so the
//! table may be long.

use crate::suite::html::canonical_of;
use crate::suite::site::SiteTest;

/// (name, source, canonical HTML).
const CASES: &[(&str, &str, &str)] = &[
    // text
    ("paragraphs", "One.\n\nTwo\nlines.", "<p>One.</p><p>Two lines.</p>"),
    (
        "emphasis",
        "*a* **b** ***c*** ~~d~~ ~e~ `f`",
        "<p><em>a</em> <strong>b</strong> <em><strong>c</strong></em> <del>d</del> <del>e</del> <code>f</code></p>",
    ),
    (
        "emphasis before a wide letter",
        "**注意：**この*「名」*は",
        "<p><strong>注意：</strong>この<em>「名」</em>は</p>",
    ),
    (
        "emphasis around a component before a wide letter",
        "**鍵<Badge>b</Badge>：**非対称",
        "<p><strong>鍵<Badge>b</Badge>：</strong>非対称</p>",
    ),
    ("emphasis by its rules elsewhere", "**a:**b\n\n**(c)**d", "<p>**a:**b</p><p>**(c)**d</p>"),
    (
        "code and links beside wide letters",
        "対**`、**`**対 [は](https://x.org/は**)",
        "<p>対<strong><code>、**</code></strong>対 <a href=\"https://x.org/は**\">は</a></p>",
    ),
    (
        "mail address in angle brackets",
        "<a.b@x.org> <https://x.org>",
        "<p><a href=\"mailto:a.b@x.org\">a.b@x.org</a> <a href=\"https://x.org\">https://x.org</a></p>",
    ),
    (
        "angle brackets in a property",
        "a <a href=\"<https://x.org/y>\">b</a>",
        "<p>a <a href=\"https://x.org/y\">b</a></p>",
    ),
    ("hard breaks", "a\\\nb  \nc", "<p>a<br>b<br>c</p>"),
    ("smart punctuation", "\"a\" 'b' it's -- ...", "<p>“a” ‘b’ it’s — …</p>"),
    ("punctuation in code stays", "`\"a\" -- ...`", "<p><code>\"a\" -- ...</code></p>"),
    (
        "code over lines that begin with a tag",
        "a `x\n<b>y</b> {z}` c\n\n> d `e\n> <b>f</b>` g\n\n- h `i\n  <b>j</b>` k",
        "<p>a <code>x &lt;b&gt;y&lt;/b&gt; {z}</code> c</p><blockquote><p>d <code>e &lt;b&gt;f&lt;/b&gt;</code> g</p></blockquote><ul><li>h <code>i &lt;b&gt;j&lt;/b&gt;</code> k</li></ul>",
    ),
    (
        "code ends with its block",
        "a `x\n- y` z\n\n## b `x\ny` z",
        "<p>a `x</p><ul><li>y` z</li></ul><h2>b `x</h2><p>y` z</p>",
    ),
    (
        "a title of a link over lines",
        "[a](https://x.org \"t\n<b>u</b>\") z",
        "<p><a href=\"https://x.org\">a</a> z</p>",
    ),
    (
        "names like ours in the text",
        "a `<o6>` \\<o7> `<o a=1>` <!-- 7 --> `<!--7-->` &lt;o0&gt; <b>c</b>",
        "<p>a <code>&lt;o6&gt;</code> &lt;o7&gt; <code>&lt;o a=1&gt;</code> <code>&lt;!--7--&gt;</code> &lt;o0&gt; <b>c</b></p>",
    ),
    (
        "a formula or tag alone on its line",
        "$x$\nmore\n\n$y$\n**z**",
        "<p><Math><math>x</math></Math> more</p><p><Math><math>y</math></Math> <strong>z</strong></p>",
    ),
    (
        "no smart punctuation in code",
        "A <code>\"x\" -- y</code> <kbd>'</kbd> <samp>a...</samp> <tt>--b</tt> \"c\"\n\n| a |\n|---|\n| <code>\"--d\"</code> |",
        "<p>A <code>\"x\" -- y</code> <kbd>'</kbd> a... --b “c”</p><table><thead><tr><th>a</th></tr></thead><tbody><tr><td><code>\"--d\"</code></td></tr></tbody></table>",
    ),
    ("no smart punctuation in fields", "<textarea>\"x\" -- y...</textarea>", "<p>\"x\" -- y...</p>"),
    (
        "dollars pair within a paragraph",
        "- cost $5\n- and$ x\n\n> a $b\n\nc$ d\n\na $x\n## b$ c\n\n> e $x\n> y$ f",
        "<ul><li>cost $5</li><li>and$ x</li></ul><blockquote><p>a $b</p></blockquote><p>c$ d</p><p>a $x</p><h2>b$ c</h2><blockquote><p>e <Math><math>xy</math></Math> f</p></blockquote>",
    ),
    ("escapes", "\\*a\\* \\<b\\> \\{c\\}", "<p>*a* &lt;b&gt; {c}</p>"),
    ("entities", "&amp; &copy; &#65;", "<p>&amp; © A</p>"),
    ("rule", "a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"),
    ("no indented code", "a\n\n    b", "<p>a</p><p>b</p>"),
    // headings
    ("heading levels", "## A\n\n### B\n\n#### C\n\n##### D", "<h2>A</h2><h3>B</h3><h4>C</h4><h5>D</h5>"),
    ("underlined heading", "A\n---", "<h2>A</h2>"),
    (
        "heading with markup",
        "## A *b* `c` [d](https://x.org)",
        "<h2>A <em>b</em> <code>c</code> <a href=\"https://x.org\">d</a></h2>",
    ),
    ("heading with an id", "## News {#my-news}", "<h2>News</h2>"),
    (
        "heading with an id in escaped braces",
        "## News \\{#my-news\\}\n\n## B \\{#c}\n\n[a](#my-news) [b](#c)",
        "<h2>News</h2><h2>B</h2><p><a href=\"#my-news\">a</a> <a href=\"#c\">b</a></p>",
    ),
    // lists
    ("tight list", "- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
    ("loose list", "- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"),
    ("ordered list", "3. a\n4. b", "<ol start=\"3\"><li>a</li><li>b</li></ol>"),
    ("nested list", "- a\n  1. b\n  2. c\n- d", "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>"),
    (
        "code in a list",
        "1. a\n\n   ```\n   b\n   ```\n\n2. c",
        "<ol><li><p>a</p><CodeBlock><pre>b</pre></CodeBlock></li><li><p>c</p></li></ol>",
    ),
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
    (
        "component in a list",
        "- a\n\n  <Note>b</Note>\n- c",
        "<ul><li><p>a</p><Note><p>b</p></Note></li><li><p>c</p></li></ul>",
    ),
    ("component in a quote", "> <Note>\n> a\n> </Note>", "<blockquote><Note><p>a</p></Note></blockquote>"),
    (
        "nested components",
        "<CardGroup cols={2}>\n  <Card title=\"a\">b</Card>\n  <Card title=\"c\">d</Card>\n</CardGroup>",
        "<CardGroup><Card>a<p>b</p></Card><Card>c<p>d</p></Card></CardGroup>",
    ),
    ("attributes over lines", "<Card\n  title=\"a\"\n  icon=\"rocket\"\n>\n  b\n</Card>", "<Card>a<p>b</p></Card>"),
    ("a greater-than in an attribute", "<Card title=\"a > b\">c</Card>", "<Card>a &gt; b<p>c</p></Card>"),
    (
        "markdown in a title",
        "<Accordion title=\"a `b`\">c</Accordion>",
        "<Accordion><summary>a <code>b</code></summary><p>c</p></Accordion>",
    ),
    ("fragment", "<>\n  a\n</>", "<p>a</p>"),
    // html
    ("html in a sentence", "H<sub>2</sub>O <kbd>K</kbd>", "<p>H<sub>2</sub>O <kbd>K</kbd></p>"),
    ("html block", "<div className=\"x\">\n  **a**\n</div>", "<p><strong>a</strong></p>"),
    ("html block without blank lines", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>", "<ul><li>a</li><li>b</li></ul>"),
    ("void elements", "a<br />b", "<p>a<br>b</p>"),
    (
        "disclosure without blank lines",
        "<details>\n<summary>Show **more**</summary>\nHidden *text*\n</details>",
        "<details><summary>Show <strong>more</strong></summary><p>Hidden <em>text</em></p></details>",
    ),
    (
        "disclosure that begins in a line",
        "<details><summary>a</summary>\nb\n\nc\n</details>",
        "<details><summary>a</summary><p>b</p><p>c</p></details>",
    ),
    ("preformatted lines", "<pre>\n├── a\n│   └── b \"q\"\n</pre>", "<pre>├── a\n│   └── b \"q\"</pre>"),
    (
        "preformatted indentation",
        "- <pre>\n  a\n    <b>b</b> *c*\n\n  &lt;d\\{ {`e`}\n  </pre>",
        "<ul><li><pre>a\n  <b>b</b> *c*\n\n&lt;d{ e</pre></li></ul>",
    ),
    ("preformatted backslash at the end", "<pre>\na\nb\\</pre> c", "<pre>a\nb\\</pre><p>c</p>"),
    ("preformatted code", "<pre><code>\n  a\n    b\n</code></pre> after", "<pre>  a\n    b</pre><p>after</p>"),
    ("preformatted Markdown", "<pre>\na **b**\nc\n\nd\n</pre>", "<pre>a <strong>b</strong>\nc\n\nd</pre>"),
    (
        "preformatted expressions",
        "<pre>{`a\n  b`}</pre>\n\nis <code>{\"x {y}\"}</code>",
        "<pre>a\n  b</pre><p>is <code>x {y}</code></p>",
    ),
    (
        "disclosure",
        "<details>\n<summary>a</summary>\n\nb\n\n</details>",
        "<details><summary>a</summary><p>b</p></details>",
    ),
    // expressions
    ("string expression", "{\"a < b\"}", "<p>a &lt; b</p>"),
    ("number expression", "n = {42}", "<p>n = 42</p>"),
    ("comment", "a {/* b */} c\n\n{/*\n\nd\n\n*/}\n\ne", "<p>a c</p><p>e</p>"),
    ("constant", "export const a = \"b\";\n\n{a}, again {a}", "<p>b, again b</p>"),
    ("object", "export const o = { a: { b: [\"x\", \"y\"] } };\n\nit is {o.a.b[1]}", "<p>it is y</p>"),
    (
        "lengths",
        "export const d = { t: \"x😀\", k: [1] };\n\nthere are {d.t.length} {d.k.length} {d.t?.length}",
        "<p>there are 3 1 3</p>",
    ),
    ("template string", "export const a = \"b\";\n\nit is {`${a}-c`}", "<p>it is b-c</p>"),
    ("static element", "export const E = <strong>a</strong>;\n\nit is {E}", "<p>it is <strong>a</strong></p>"),
    ("own static component", "export const C = () => <em>a</em>;\n\nit is <C />", "<p>it is <em>a</em></p>"),
    ("expressions by themselves", "export const a = \"A\";\n\n{a} {\"b\"}\n{a}", "<p>A b A</p>"),
    ("a space", "a{\" \"}b", "<p>a b</p>"),
    ("nothing to show", "a{null}{undefined}{true}{false}b", "<p>ab</p>"),
    (
        "braces in code",
        "`{a}` and\n\n```\n{b}\n```",
        "<p><code>{a}</code> and</p><CodeBlock><pre>{b}</pre></CodeBlock>",
    ),
    (
        "tags in code",
        "`<Note>` and\n\n```\n<Note>\n```",
        "<p><code>&lt;Note&gt;</code> and</p><CodeBlock><pre>&lt;Note&gt;</pre></CodeBlock>",
    ),
    (
        "nobody is logged in",
        "Hi {user.firstName || \"there\"}, {user.x ? \"a\" : \"b\"}{user.a.b}{user?.c?.d}!\n\n{!user.apiKey && <Note>login</Note>}",
        "<p>Hi there, b!</p><Note><p>login</p></Note>",
    ),
    (
        "nobody is logged in, in props and components",
        "export const C = () => { return <p>{user.name || \"you\"}</p> }\n\n<Card title={user.name || \"Def\"} />\n\n<C />",
        "<Card>Def</Card><p>you</p>",
    ),
    // code
    (
        "code component",
        "<CodeBlock language=\"js\">{`const a = 1`}</CodeBlock>",
        "<CodeBlock><pre>const a = 1</pre></CodeBlock>",
    ),
    (
        "code component over lines",
        "<Card title=\"t\">\n  <CodeBlock language=\"js\">\n    {`a {\n      b;\n\n    }`}\n  </CodeBlock>\n</Card>\n\n- <CodeBlock>{`a:\n    b: 1`}</CodeBlock>",
        "<Card>t<CodeBlock><pre>a {\n  b;\n\n}</pre></CodeBlock></Card><ul><li><CodeBlock><pre>a:\n  b: 1</pre></CodeBlock></li></ul>",
    ),
    (
        "code component with names",
        "export const src = \"a\\nb\";\n\n<div><CodeBlock>{src}</CodeBlock></div>\n\n<CodeGroup>\n<CodeBlock filename=\"f\">{\"s\"}</CodeBlock>\n</CodeGroup>",
        "<CodeBlock><pre>a\nb</pre></CodeBlock><CodeGroup><CodeBlock>f<pre>s</pre></CodeBlock></CodeGroup>",
    ),
    (
        "code component with code",
        "<CodeBlock>\nconst a = {b: \"<c>\"};\n\n  d();\n</CodeBlock>",
        "<CodeBlock><pre>const a = {b: \"&lt;c&gt;\"};\n\n  d();</pre></CodeBlock>",
    ),
    (
        "prompt",
        "<Prompt description=\"d\">\nUse {name} and <file> **here**\n</Prompt>\n\nafter",
        "<Prompt>d<details><pre>Use {name} and &lt;file&gt; **here**</pre></details></Prompt><p>after</p>",
    ),
    (
        "code is no formula",
        "We replaced $ref pointing to `#/components` with `#/$defs` now.",
        "<p>We replaced $ref pointing to <code>#/components</code> with <code>#/$defs</code> now.</p>",
    ),
    ("fence", "```js\na < b;\n```", "<CodeBlock><pre>a &lt; b;</pre></CodeBlock>"),
    ("tilde fence", "~~~\n```\n~~~", "<CodeBlock><pre>```</pre></CodeBlock>"),
    ("empty fence", "```\n```", "<CodeBlock><pre></pre></CodeBlock>"),
    ("blank lines in code", "```\na\n\n\nb\n```", "<CodeBlock><pre>a\n\n\nb</pre></CodeBlock>"),
    (
        "differences lose their marks",
        "```js\na(); // [!code --]\nb(); // [!code ++]\n```",
        "<CodeBlock><pre>a();\nb();</pre></CodeBlock>",
    ),
    ("snippet", "import S from \"/snippets/s.mdx\";\n\n<S word=\"w\" />", "<p>snippet w</p>"),
    (
        "snippet props in code",
        "import S from \"/snippets/code.mdx\";\n\n<S word=\"w\" />",
        "<CodeBlock><pre>run w</pre></CodeBlock>",
    ),
    ("named import", "import { v } from \"/snippets/s.mdx\";\n\nit is {v}", "<p>it is exported</p>"),
    (
        "imports with comments",
        "import {\n  // comment\n  v\n} from \"/snippets/s.mdx\"; import S from \"/snippets/s.mdx\"\n\nit is {v}\n\n<S word=\"w\" />",
        "<p>it is exported</p><p>snippet w</p>",
    ),
    ("renamed import", "import { v as w } from \"/snippets/s.mdx\";\n\nit is {w}", "<p>it is exported</p>"),
    ("legacy snippet", "<Snippet file=\"old.mdx\" />", "<p>old</p>"),
    ("legacy snippet by its whole path", "<Snippet file=\"/_snippets/old.mdx\" />", "<p>old</p>"),
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
    let found: Vec<_> =
        page.select("main h2").iter().map(|heading| heading.attr("id").unwrap_or_default().to_owned()).collect();
    let expected: Vec<_> = headings.iter().map(|(_, id)| (*id).to_owned()).collect();
    assert_eq!(found, expected);
    let toc: Vec<_> = page
        .select("#table-of-contents a")
        .iter()
        .map(|link| link.attr("href").unwrap_or_default().to_owned())
        .collect();
    assert_eq!(toc.len(), expected.len(), "{toc:?}");
}

/// A name that nobody knows costs a message with its place: the page never shows what JavaScript makes of it.
#[test]
fn unknown_names_show_nothing_wrong() {
    let pages: &[(&str, &str, &str)] = &[
        (
            "placeholder",
            "Open /projects/{project-id}/keys, {json|yaml} and {foo/bar}.",
            "<p>Open /projects//keys, and .</p>",
        ),
        (
            "sum",
            "<Card title={label + \" guide\"}>b</Card>\n\nit is {count + 1}{[1].map(x => x + other)}.",
            "<Card><p>b</p></Card><p>it is .</p>",
        ),
        ("size", "![a](/i.png){width=50}", ""),
        ("link", "see <a href={base + \"/x\"}>it</a>", "<p>see it</p>"),
        (
            "known",
            "export const a = 2;\n\n{a + 1} {typeof nobody} {Math.max(1, 2)} {(() => a)()}",
            "<p>3 undefined 2 2</p>",
        ),
    ];
    let mut site = SiteTest::pages(&[]).file("docs.json", CONFIG).file("other/page.mdx", "x\n").file("i.png", "");
    for (name, body, _) in pages {
        site = site.file(&format!("{name}.mdx"), format!("---\ntitle: T\n---\n\n{body}\n"));
    }
    let site = site
        .diagnostic("undefined-name", "placeholder.mdx:5:16")
        .diagnostic("undefined-name", "placeholder.mdx:5:35")
        .diagnostic("undefined-name", "placeholder.mdx:5:51")
        .diagnostic("undefined-name", "sum.mdx:5:1")
        .diagnostic("undefined-name", "sum.mdx:7:7")
        .diagnostic("undefined-name", "sum.mdx:7:18")
        .diagnostic("undefined-name", "size.mdx:5:13")
        .diagnostic("undefined-name", "link.mdx:5:5")
        .run();
    for (name, _, expected) in pages.iter().filter(|(_, _, expected)| !expected.is_empty()) {
        assert_eq!(site.page(name).canonical(), *expected, "{name}");
    }
    assert!(!site.page("size").canonical().contains("50"));
}

/// Whatever stands before it in its line or above it, a problem is where its author sees it.
#[test]
fn places_are_those_of_the_source() {
    let config = CONFIG.replace("\"0.1\"", "\"LONGVALUE-LONGVALUE\", \"ml\": \"a\\nb\\nc\"");
    SiteTest::pages(&[])
        .file("docs.json", config)
        .file("other/page.mdx", "---\ntitle: T\n---\n\n{{release}} [x](/missing)\n\n{{ml}} text\n\n[y](/missing2)\n\n日本語 [z](/missing3)\n")
        .diagnostic("broken-link", "other/page.mdx:5:13")
        .diagnostic("broken-link", "other/page.mdx:9:1")
        .diagnostic("broken-link", "other/page.mdx:11:5")
        .run();
}

/// A variable that is not defined stays in code and shows nothing in text; each is named once.
#[test]
fn undefined_variables_are_named() {
    let site = SiteTest::pages(&[])
        .file("docs.json", CONFIG)
        .file("other/page.mdx", "---\ntitle: T\n---\n\nIt is {{some_name}} and {{release}}.\n\n{{alone}}\n\n```\nrun {{some_name}} {{in.code}} ${{ x }}\n```\n")
        .diagnostic("undefined-variable", "other/page.mdx:5:7")
        .diagnostic("undefined-variable", "other/page.mdx:7:1")
        .diagnostic("undefined-variable", "other/page.mdx:10:19")
        .run();
    let expected = "<p>It is and 0.1.</p><CodeBlock><pre>run {{some_name}} {{in.code}} ${{ x }}</pre></CodeBlock>";
    assert_eq!(site.page("other/page").canonical(), expected);
}

#[test]
fn embedded_files_are_links() {
    SiteTest::page("<embed src=\"/a.pdf\" type=\"application/pdf\" />")
        .file("a.pdf", "%PDF-1.4")
        .element("index", "main a.media-placeholder[href$='a.pdf']")
        .run();
}

#[test]
fn contents_leave_out_what_is_folded() {
    SiteTest::page("## A\n\n<Accordion title=\"x\">\n\n## Inside\n\n</Accordion>\n\n### B\n\n##### Five")
        .element("index", "#table-of-contents a[href='#a']")
        .element("index", "#table-of-contents a[href='#b']")
        .no_element("index", "#table-of-contents a[href='#inside']")
        .no_element("index", "#table-of-contents a[href='#five']")
        .run();
    SiteTest::page("<Card title=\"c\">\n\n## In a card\n\n</Card>\n\n<details>\n<summary>s</summary>\n\n### Disclosed\n\n</details>\n\n<Tile href=\"https://x.org\" title=\"t\">\n\n## In a tile\n\n</Tile>")
        .element("index", "#table-of-contents a[href='#in-a-card']")
        .element("index", "#table-of-contents a[href='#disclosed']")
        .run();
}

/// What no text shows is replaced wherever source text goes.
#[test]
fn control_characters_are_replaced() {
    let site = SiteTest::inline("")
        .file("docs.json", r##"{"theme": "mint", "name": "T\u0001", "colors": {"primary": "#0F766E"}, "navigation": {"groups": [{"group": "G\u0002", "pages": ["index", "a"]}]}}"##)
        .file("index.mdx", "---\ntitle: \"A\u{8}B\"\ndescription: \"d\\x01e\"\nrss: true\n---\n\nimport S from \"/snippets/s.mdx\"\n\none\u{0}two \u{1b}[0m `\u{7f}` &#1; &#xFDD0; \u{fdd1}6 \u{fffe} {\"\\u0007\"}\n\n```\n\u{1b}[1m\n```\n\n<Card title=\"x\u{1}y&#2;\">z</Card>\n\n<S />\n\n<Update label=\"L\u{3}\">\nu\u{4}v\n</Update>\n")
        .file("a.mdx", "---\ntitle: A\n---\n\nText.\n")
        .file("snippets/s.mdx", "s\u{5}t\n")
        .arg("--domain=docs.example.com")
        .other_diagnostics()
        .run();
    let wrong = |c: char| matches!(c, '\0'..='\u{8}' | '\u{b}'..='\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}');
    for path in ["index.html", "a.html", "index.md", "llms.txt", "llms-full.txt", "sitemap.xml", "index/rss.xml"] {
        let text = site.text_of(path);
        let found = text.find(wrong).map(|at| text[at.saturating_sub(20)..].chars().take(40).collect::<String>());
        assert_eq!(found, None, "{path}");
    }
    let page = site.text_of("index.html");
    for expect in [
        "A\u{fffd}B</h1>",
        "one\u{fffd}two \u{fffd}[0m <code>\u{fffd}</code> \u{fffd} \u{fffd} \u{fffd}6 \u{fffd}",
        "x\u{fffd}y\u{fffd}",
        "s\u{fffd}t",
        "u\u{fffd}v",
    ] {
        assert!(page.contains(expect), "{expect}");
    }
}

/// Emphasis beside letters without spaces between words is read alike in bodies, titles of components and descriptions.
#[test]
fn emphasis_beside_wide_letters_in_short_texts() {
    let text = "**「名」**です **강조**는 **注意：**この";
    let site = SiteTest::inline("")
        .file("docs.json", r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index"]}}"##)
        .file("index.mdx", format!("---\ntitle: A\ndescription: \"{text}\"\n---\n\n{text}\n\n<Accordion title=\"{text}\" description=\"{text}\">b</Accordion>\n\n<Frame caption=\"{text}\">![i](/i.svg)</Frame>\n"))
        .file("i.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"2\"/>")
        .run();
    let page = site.text_of("index.html");
    let html = "<strong>「名」</strong>です <strong>강조</strong>는 <strong>注意：</strong>この";
    assert_eq!(page.matches(html).count(), 5, "{page}");
    assert!(page.contains("<meta name=\"description\" content=\"「名」です 강조는 注意：この\">"), "{page}");
}

/// `<br/>` is one line break of code, and links to a heading find it without the underscores at its ends.
#[test]
fn line_breaks_in_code_and_underscores_in_anchors() {
    let site = SiteTest::page(
        "<pre>\na<br/>b \"x\" -- c<br/>d\n</pre>\n\n<pre>e<br/>f...</pre>\n\n## `_meta`\n\n[m](#meta) [n](#_meta)",
    )
    .diagnostic("link-anchor", "index.mdx:13:1")
    .run();
    let page = site.text_of("index.html");
    assert!(page.contains(">a<br>b \"x\" -- c<br>d</pre>") && page.contains(">e<br>f...</pre>"), "{page}");
    assert!(page.contains("<h2 id=\"_meta\">") && page.matches("<a href=\"#_meta\">").count() >= 2, "{page}");
}
