//! JSX as authors write it who know React better than HTML: strings of HTML, components as values, what only browsers
//! have.

use crate::suite::site::SiteTest;

/// A page with components of `/snippets/parts.jsx`.
fn with_parts(parts: &str, body: &str) -> SiteTest {
    SiteTest::page(body).file("snippets/parts.jsx", parts)
}

/// `dangerouslySetInnerHTML` sets what is in an element; the element stays what it is.
#[test]
fn elements_take_html_as_text() {
    let parts = r#"export const Html = ({ as: T, html, ...rest }) => <T {...rest} dangerouslySetInnerHTML={{ __html: html }} />;
export const Rows = ({ rows }) => <table><tbody>{rows.map((row) => <tr key={row}><td dangerouslySetInnerHTML={{ __html: row }} /></tr>)}</tbody></table>;
export const Items = ({ items }) => <ul>{items.map((item) => <li key={item} dangerouslySetInnerHTML={{ __html: item }} />)}</ul>;
export const Terms = () => <dl><div><dt dangerouslySetInnerHTML={{ __html: 'term' }} /><dd dangerouslySetInnerHTML={{ __html: 'what <b>it</b> is' }} /></div></dl>;"#;
    let body = r#"import { Html, Items, Rows, Terms } from '/snippets/parts.jsx'

<Rows rows={['a <b>cell</b>']} />

<Items items={['an <i>item</i>']} />

<Terms />

<Html as="a" href="https://x.org" html="a <em>link</em>" />
<Html as="code" html="let x" />
<Html as="strong" className="s" html="loud" />
<Html as="h3" id="own" html="A heading" />
<Html as="p" html="words &amp; more <a href='https://y.org'>y</a>" />
<Html as="pre" html="one&#10;two" />
<Html as="blockquote" html="said" />
<Html as="details" html="<summary>More</summary>inside" />
<Html as="ul" html="<li>own item</li>" />
<Html as="svg" viewBox="0 0 2 2" html='<path d="M0 0"/>' />

<div dangerouslySetInnerHTML={{ __html: "<p>first</p><p>second</p>" }} />"#;
    let selectors = [
        "td > b",
        "ul > li > i",
        "dl > div > dt",
        "dl > div > dd > b",
        "a[href='https://x.org'] > em",
        "code",
        "strong.s",
        "h3#own",
        "p > a[href='https://y.org']",
        "pre",
        "blockquote",
        "details > summary",
        "ul > li",
        "svg[viewBox='0 0 2 2'] > path",
        "div > p + p",
    ];
    let mut site = with_parts(parts, body);
    for selector in selectors {
        site = site.element("index", &format!("#content {selector}"));
    }
    let site = site.run();
    let twin = site.text_of("index.md");
    for words in [
        "| a **cell** |",
        "- an *item*",
        "term",
        "what **it** is",
        "[a *link*](https://x.org)",
        "`let x`",
        "**loud**",
        "### A heading",
        "words & more [y](https://y.org)",
        "one\ntwo",
        "> said",
        "inside",
        "- own item",
        "first\n\nsecond",
    ] {
        assert!(twin.contains(words), "no `{words}` in\n{twin}");
    }
    assert!(!twin.contains("__html") && !twin.contains("dangerously"), "{twin}");
}

/// Data for search engines is no text, however it is written.
#[test]
fn scripts_are_left_out_however_they_are_written() {
    let parts = "export const Data = ({ data }) => <script type=\"application/ld+json\" dangerouslySetInnerHTML={{ __html: JSON.stringify(data) }} />;";
    let body = "import { Data } from '/snippets/parts.jsx'\n\nWords.\n\n<script type=\"application/ld+json\" dangerouslySetInnerHTML={{__html: JSON.stringify({\"@type\": \"Secret\"})}} />\n\n<Data data={{ '@type': 'Secret' }} />\n\n<style dangerouslySetInnerHTML={{__html: '.own > b { color: red }'}} />";
    let site = with_parts(parts, body)
        .diagnostic("script-dropped", "index.mdx:9:1")
        .nowhere("index", "Secret")
        .element("index", "#content style")
        .run();
    assert!(!site.text_of("index.md").contains("Secret"));
}

/// Components of the format can be chosen by the script.
#[test]
fn components_are_values() {
    let names = [
        "AccordionGroup",
        "Banner",
        "CardGroup",
        "Color",
        "Column",
        "Danger",
        "Example",
        "Expandable",
        "FileTree",
        "GitHub",
        "Heading",
        "Latex",
        "Link",
        "MDX",
        "Mermaid",
        "Panel",
        "Param",
        "ParamField",
        "Prompt",
        "RequestExample",
        "ResponseExample",
        "ResponseField",
        "Snippet",
        "SnippetGroup",
        "Step",
        "Tab",
        "Tile",
        "Tree",
        "Update",
        "View",
        "Visibility",
        "ZoomImage",
        "Tip",
        "Card",
    ];
    let map: String = names.iter().map(|name| format!("{name}: {name}, ")).collect();
    let parts = format!(
        "const map = {{ {map} }};\nexport const Missing = () => <p>missing: {{Object.keys(map).filter((name) => !map[name]).join() || 'none'}}</p>;\nexport const Pick = ({{ kind, children }}) => {{ const C = map[kind]; return <C title=\"Chosen\">{{children}}</C>; }};"
    );
    let body = "import { Missing, Pick } from '/snippets/parts.jsx'\n\nexport const MyCard = Card\n\nexport const kit = { box: Tip, Tree }\n\n<Missing />\n\n<Pick kind=\"Expandable\">inside</Pick>\n\n<MyCard title=\"Mine\">own words</MyCard>\n\n<kit.box>a tip</kit.box>\n\n<kit.Tree><kit.Tree.File name=\"a.txt\" /></kit.Tree>";
    with_parts(&parts, body)
        .text("index", "missing: none")
        .element("index", "details.expandable")
        .element("index", ".card")
        .element("index", ".callout[data-component=Tip]")
        .element("index", "[data-component=Tree]")
        .run();
    SiteTest::page("A {Card} that nobody filled in.").diagnostic("undefined-name", "index.mdx:5:3").run();
}

/// `<a.B>` is a component, whatever it begins with.
#[test]
fn members_are_components() {
    let parts = "export const ui = { Box: ({ children }) => <b>{children}</b> };";
    let body = "import { ui } from '/snippets/parts.jsx'\n\nexport const lower = { C: () => <i>low</i> }\n\n<ui.Box>boxed</ui.Box> and <lower.C />\n\n<nobody.Box>kept</nobody.Box>";
    with_parts(parts, body)
        .diagnostic("unknown-component", "index.mdx:11:1")
        .element("index", "b")
        .text("index", "boxed and low")
        .text("index", "kept")
        .run();
}

/// A component's name begins with a capital letter; a file is imported that can be.
#[test]
fn imports_that_show_nothing_say_why() {
    SiteTest::page("import createAccount from '/snippets/x.mdx'\n\n<createAccount />\n\nWords.")
        .file("snippets/x.mdx", "Text.")
        .diagnostic("component-case", "index.mdx:7:1")
        .run();
    SiteTest::page("import data from '/data/d.json'\n\nIt is {data.a.b}, {data.c + 1}.")
        .file("data/d.json", "{\"a\": {\"b\": 1}}")
        .diagnostic("import-kind", "index.mdx:5:1")
        .run();
    SiteTest::page("import Logo from './logo.svg'\n\n<img src={Logo} alt=\"one\" />\n\n<Logo alt=\"two\" />")
        .file("logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\"/>")
        .element("index", "img[alt=one][src][width='40']")
        .element("index", "img[alt=two][src]")
        .run();
    SiteTest::page("import Mix from 'snippets/mix.mdx'\n\n<Mix />")
        .file("snippets/mix.mdx", "Mixed in.")
        .text("index", "Mixed in.")
        .run();
}

#[test]
fn empty_elements_may_be_closed() {
    SiteTest::page("one<br></br>two <img src=\"/a.svg\" alt=\"\"></img>\n\n<hr></hr>")
        .file("a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"2\"/>")
        .element("index", "#content br")
        .run();
    SiteTest::page("one</br>two").diagnostic("mdx-stray-close", "index.mdx:5:4").run();
}

/// Where a link and a button are one, the link is what works without a script.
#[test]
fn links_in_buttons_stay_links() {
    SiteTest::pages(&[("index", "<button className=\"x\"><a href=\"/b\">Go</a></button>\n\n<button>See <a href=\"/b\">there</a></button>\n\n<button>No link</button>"), ("b", "Text.")])
        .element("index", "a.x[href='b.html']")
        .element("index", "span.button a[href='b.html']")
        .element("index", "#content button")
        .no_element("index", "button a")
        .run();
}

#[test]
fn fields_take_markup_as_labels() {
    SiteTest::page("<ResponseField name=\"r\" type={[\"string\", \"null\"]} default={<code>d</code>} pre={[<i>before</i>]} post={[<b>after</b>, \"too\"]}>x</ResponseField>")
        .element("index", ".field-label i")
        .element("index", ".field-label b")
        .element("index", ".field-default code")
        .text("index", "string | null")
        .text("index", "too")
        .run();
}
