//! JSX as authors write it who know React better than HTML: strings of HTML, components as values, what only browsers have.

use crate::site::SiteTest;

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
export const Terms = () => <dl><dt dangerouslySetInnerHTML={{ __html: 'term' }} /><dd dangerouslySetInnerHTML={{ __html: 'what <b>it</b> is' }} /></dl>;"#;
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
        "td > b", "ul > li > i", "dl > dt", "dl > dd > b", "a[href='https://x.org'] > em", "code", "strong.s", "h3#own", "p > a[href='https://y.org']", "pre", "blockquote",
        "details > summary", "ul > li", "svg[viewBox='0 0 2 2'] > path", "div > p + p",
    ];
    let mut site = with_parts(parts, body);
    for selector in selectors {
        site = site.element("index", &format!("#content {selector}"));
    }
    let site = site.run();
    let twin = site.text_of("index.md");
    for words in ["| a **cell** |", "- an *item*", "term", "what **it** is", "[a *link*](https://x.org)", "`let x`", "**loud**", "### A heading", "words & more [y](https://y.org)", "one\ntwo", "> said", "inside", "- own item", "first\n\nsecond"] {
        assert!(twin.contains(words), "no `{words}` in\n{twin}");
    }
    assert!(!twin.contains("__html") && !twin.contains("dangerously"), "{twin}");
}

/// Data for search engines is no text, however it is written.
#[test]
fn scripts_are_left_out_however_they_are_written() {
    let parts = "export const Data = ({ data }) => <script type=\"application/ld+json\" dangerouslySetInnerHTML={{ __html: JSON.stringify(data) }} />;";
    let body = "import { Data } from '/snippets/parts.jsx'\n\nWords.\n\n<script type=\"application/ld+json\" dangerouslySetInnerHTML={{__html: JSON.stringify({\"@type\": \"Secret\"})}} />\n\n<Data data={{ '@type': 'Secret' }} />\n\n<style dangerouslySetInnerHTML={{__html: '.own > b { color: red }'}} />";
    let site = with_parts(parts, body).diagnostic("script-dropped", "index.mdx:9:1").nowhere("index", "Secret").element("index", "#content style").run();
    assert!(!site.text_of("index.md").contains("Secret"));
}
