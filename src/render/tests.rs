//! Every component and construct, from hand-built trees: what is written, and that no parser has to repair it.

use std::sync::LazyLock;

use super::well_formed::faults;
use super::*;
use markup::tree::{Align, BlockKind, CodeFence, JsxElement, MarkdownBlock, PropValue, Props};

/// A site where every link and load resolves to itself, but for refused schemes.
pub(crate) struct Anywhere;

impl PageResolver for Anywhere {
    fn href(&self, href: &str, _: Place, _: &mut Vec<Diagnostic>) -> Href {
        if href.trim().to_ascii_lowercase().starts_with("javascript:") {
            return Href::default();
        }
        Href { url: href.to_owned(), external: href.contains(':') }
    }
    fn source(&self, src: &str, _: LoadKind, _: Place, _: &mut Vec<Diagnostic>) -> LoadSource {
        let external = src.contains("//");
        if src.starts_with("javascript:") {
            return LoadSource::default();
        }
        LoadSource {
            url: src.trim_start_matches('/').to_owned(),
            external,
            absent: src.contains("absent"),
            size: (!external && src.ends_with(".png")).then_some((800, 400)),
        }
    }
    fn file_text(&self, _: &str, _: Place) -> Option<String> {
        None
    }
    fn file_name(&self, _: Place) -> String {
        "page.mdx".to_owned()
    }
}

/// One for all tests: grammars and palettes take longer to read than most pages to write.
pub(crate) fn kit() -> &'static Kit {
    static KIT: LazyLock<Kit> = LazyLock::new(|| Kit {
        highlighter: Default::default(),
        formulas: Default::default(),
        icons: IconLibrary::Lucide,
        code_style: CodeStyle::System,
        variations: vec![("a".into(), "A".into()), ("b".into(), "B".into())],
    });
    &KIT
}

fn page(nodes: &[Node]) -> RenderedPage {
    let page = Renderer::new(kit(), &Anywhere).document(nodes);
    assert_eq!(faults(&page.html), Vec::<String>::new(), "{}", page.html);
    assert_eq!(faults(&page.aside), Vec::<String>::new(), "{}", page.aside);
    page
}

fn page_with(outer: &str, middle: &str, nodes: &[Node]) {
    let page = Renderer::new(kit(), &Anywhere).document(nodes);
    for html in [&page.html, &page.aside] {
        assert_eq!(faults(html), Vec::<String>::new(), "{outer} > {middle}: {html}");
    }
}

#[track_caller]
fn check(nodes: &[Node], expect: &str) {
    assert_eq!(page(nodes).html.replace('\n', ""), expect);
}

#[track_caller]
fn check_has(nodes: &[Node], expect: &[&str]) -> RenderedPage {
    let page = page(nodes);
    for part in expect {
        assert!(page.html.contains(part), "{part}\nis not in\n{}", page.html);
    }
    page
}

pub(crate) fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}
pub(crate) fn block(kind: BlockKind, children: Vec<Node>) -> Node {
    Node::Block(Box::new(MarkdownBlock { kind, children, place: Place::default() }))
}
pub(crate) fn p(words: &str) -> Node {
    block(BlockKind::Paragraph, vec![text(words)])
}
pub(crate) fn heading(level: u8, words: &str) -> Node {
    block(BlockKind::Heading { level, id: None }, vec![text(words)])
}
pub(crate) fn el(name: &str, props: &[(&str, &str)], children: Vec<Node>) -> Node {
    let props =
        Props(props.iter().map(|(name, value)| ((*name).to_owned(), PropValue::String((*value).to_owned()))).collect());
    Node::Element(Box::new(JsxElement { name: name.to_owned(), props, children, ..JsxElement::default() }))
}
fn with(node: Node, name: &str, value: PropValue) -> Node {
    match node {
        Node::Element(mut element) => {
            element.props.set(name, value);
            Node::Element(element)
        }
        other => other,
    }
}
fn fence(lang: &str, meta: &str, code: &str) -> Node {
    Node::Fence(Box::new(CodeFence { lang: lang.into(), meta: meta.into(), code: code.into(), ..CodeFence::default() }))
}
fn link(href: &str, words: &str) -> Node {
    block(BlockKind::Link { href: href.into(), title: String::new() }, vec![text(words)])
}

#[test]
fn markdown_becomes_semantic_html() {
    check(&[p("a <b> & c")], "<p>a &lt;b&gt; &amp; c</p>");
    check(
        &[block(
            BlockKind::Paragraph,
            vec![
                link("x.html", "x"),
                text(" "),
                link("https://e.org", "e"),
                text(" "),
                link("javascript:alert(1)", "j"),
            ],
        )],
        "<p><a href=\"x.html\">x</a> <a href=\"https://e.org\" target=\"_blank\" rel=\"noopener\">e</a> j</p>",
    );
    let item = |checked, words: &str| block(BlockKind::Item { checked }, vec![text(words)]);
    check(&[block(BlockKind::List { start: Some(3) }, vec![item(None, "a")])], "<ol start=\"3\"><li>a</li></ol>");
    check_has(
        &[block(BlockKind::List { start: None }, vec![item(Some(true), "a")])],
        &["<input type=\"checkbox\" disabled checked aria-label=\"Done\">"],
    );
}

#[test]
fn pages_in_frames_keep_their_words() {
    let frame = |page: &str| el("iframe", &[("srcDoc", page), ("title", "T")], Vec::new());
    let page = check_has(
        &[frame("<style>p {}</style><p onclick='a()'>a <b>b</b></p><script>x</script><img src=/a.png onerror=b()>")],
        &["<p>a <b>b</b></p>"],
    );
    assert!(
        !page.html.contains("onclick") && !page.html.contains("<img") && !page.html.contains("<style"),
        "{}",
        page.html
    );
    assert_eq!(page.diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>(), ["frame-content"]);
    check_has(
        &[frame("<canvas id=c></canvas><script>x</script>")],
        &["media-placeholder\"><span class=\"media-words\"><span class=\"media-title\">T</span>"],
    );
}

#[test]
fn styles_of_drawings_load_as_other_styles_do() {
    let masked = |name: &str| el(name, &[("style", "mask-image:url('/images/a.svg');fill:url(#g)")], Vec::new());
    check_has(&[masked("svg")], &["style=\"mask-image:url(&quot;images/a.svg&quot;);fill:url(&quot;#g&quot;)\""]);
    check_has(
        &[el("svg", &[], vec![masked("path")])],
        &["style=\"mask-image:url(&quot;images/a.svg&quot;);fill:url(&quot;#g&quot;)\""],
    );
    // elsewhere an address could only name what stands in the drawing
    check_has(
        &[el("svg", &[], vec![el("path", &[("fill", "url(/images/a.svg#x)")], Vec::new())])],
        &["fill=\"url()\""],
    );
}

#[test]
fn headings_count_their_anchors_and_enter_the_contents() {
    let page = check_has(
        &[
            heading(2, "Setup"),
            heading(3, "Setup"),
            block(BlockKind::Heading { level: 2, id: Some("own".into()) }, vec![text("X")]),
            heading(5, "Deep"),
        ],
        &[
            "<h2 id=\"setup\"><a class=\"heading-anchor\" href=\"#setup\"",
            "<h3 id=\"setup-2\">",
            "<h2 id=\"own\">",
            "<h5 id=\"deep\">",
        ],
    );
    assert_eq!(
        page.toc.iter().map(|entry| (entry.level, entry.id.as_str())).collect::<Vec<_>>(),
        [(2, "setup"), (3, "setup-2"), (2, "own")]
    );
}

#[test]
fn anchors_of_headings_win_over_other_ids() {
    check_has(
        &[el("Accordion", &[("title", "Setup")], vec![]), el("div", &[("id", "setup")], vec![]), heading(2, "Setup")],
        &[
            "<h2 id=\"setup\">",
            "<details class=\"accordion\" data-component=\"Accordion\" id=\"setup-1\">",
            "<div></div>",
        ],
    );
}

#[test]
fn a_first_level_heading_leaves_the_title_alone() {
    check_has(&[heading(1, "One")], &["<h2 class=\"h1\" id=\"one\">"]);
}

#[test]
fn paragraphs_are_split_around_blocks() {
    check(
        &[block(BlockKind::Paragraph, vec![text("a "), el("div", &[], vec![text("b")]), text(" c")])],
        "<p>a </p><div>b</div><p> c</p>",
    );
    check(
        &[block(BlockKind::Paragraph, vec![el("Note", &[], vec![text("n")])])].map(|node| node),
        "<div class=\"callout\" data-component=\"Note\" data-kind=\"note\" role=\"note\" aria-label=\"Note\"><div class=\"callout-body\"><p>n</p></div></div>",
    );
    // a span that holds a block leaves the paragraph with it
    check(&[block(BlockKind::Paragraph, vec![text("a"), el("span", &[], vec![p("b")])])], "<p>a</p><span>b</span>");
    check(&[el("p", &[], vec![p("x")])], "<p>x</p>");
    check(&[el("p", &[], vec![p("x"), p("y")])], "<div class=\"p\"><p>x</p><p>y</p></div>");
}

#[test]
fn links_are_never_nested() {
    check(&[el("a", &[("href", "x")], vec![link("y", "words")])], "<p><a href=\"x\">words</a></p>");
    check(
        &[el("a", &[("href", "x")], vec![el("button", &[("className", "big")], vec![text("go")])])],
        "<p><a href=\"x\"><span class=\"button big\">go</span></a></p>",
    );
    check_has(
        &[el("Card", &[("title", "T"), ("href", "x")], vec![block(BlockKind::Paragraph, vec![link("y", "inner")])])],
        &["<div class=\"card\" data-component=\"Card\" data-linked>", "<a href=\"x\">T</a>", "<a href=\"y\">inner</a>"],
    );
    check_has(
        &[el("Card", &[("title", "T"), ("href", "https://e.org")], vec![p("w")])],
        &[
            "<a class=\"card\" data-component=\"Card\" href=\"https://e.org\" target=\"_blank\" rel=\"noopener\" data-arrow>",
        ],
    );
}

#[test]
fn tables_are_whole() {
    let cell = |words: &str| block(BlockKind::Cell, vec![text(words)]);
    let row = |head, cells: [&str; 2]| block(BlockKind::Row { head }, cells.map(cell).to_vec());
    check(
        &[block(
            BlockKind::Table { align: vec![Align::None, Align::Right] },
            vec![row(true, ["n", "v"]), row(false, ["a", "1,200 ms"])],
        )],
        "<table><thead><tr><th>n</th><th data-align=\"right\">v</th></tr></thead><tbody><tr><td>a</td><td data-align=\"right\" data-numeric>1,200 ms</td></tr></tbody></table>",
    );
    check(
        &[el(
            "table",
            &[],
            vec![
                text("\n "),
                el("tr", &[], vec![el("td", &[], vec![text("a")]), text(" "), el("b", &[], vec![text("c")])]),
                p("stray"),
            ],
        )],
        "<p>stray</p><table><tbody><tr><td>a</td><td><b>c</b></td></tr></tbody></table>",
    );
    check(&[el("td", &[], vec![text("lost")])], "<div>lost</div>");
    // a column of sentences has its width from its first cell, one of short words has none
    check_has(
        &[block(
            BlockKind::Table { align: vec![] },
            vec![row(true, ["name", "what"]), row(false, ["short", "a_rather_long_name of something"])],
        )],
        &["<tr><th>name</th><th data-wordy>what</th></tr>", "<tr><td>short</td><td>a_rather_long_name"],
    );
    check_has(
        &[el(
            "table",
            &[],
            vec![el(
                "tr",
                &[],
                vec![
                    el("td", &[("className", "a")], vec![text("a_rather_long_name_of_something")]),
                    el("td", &[], vec![text("b")]),
                ],
            )],
        )],
        // only the first column may be broken: on a phone, the others would be out of sight
        &["<td data-wordy class=\"a\">a_<wbr class=\"seam\">rather_<wbr class=\"seam\">long", "<td>b</td>"],
    );
    let sentence = "a cell with a whole sentence in it, which would make a row high if it were narrow";
    check_has(
        &[el("table", &[], vec![el("tr", &[], vec![el("td", &[], vec![text(sentence)])])])],
        &["<td data-wordy=\"long\">"],
    );
    check_has(
        &[el(
            "table",
            &[],
            vec![el(
                "tr",
                &[],
                vec![el("td", &[], vec![text("a_rather_long_name_of_something")]), el("td", &[], vec![])],
            )],
        )],
        &["<div class=\"table-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table 1\">"],
    );
}

#[test]
fn tags_are_brought_into_shape() {
    check(
        &[el("ul", &[], vec![text(" "), el("li", &[], vec![text("a")]), text("b")])],
        "<ul><li>a</li><li>b</li></ul>",
    );
    check(&[el("li", &[], vec![text("a")])], "<div>a</div>");
    check(
        &[el("div", &[("onClick", "x()"), ("className", "a"), ("style", "color:red")], vec![])],
        "<div style=\"color:red\" class=\"a\"></div>",
    );
    check(&[el("script", &[], vec![text("alert(1)")]), el("my-thing", &[], vec![text("kept")])], "<p>kept</p>");
    check(&[el("h1", &[("id", "x")], vec![p("Big")])], "<h2 id=\"x\" class=\"h1\">Big</h2>");
    check(
        &[el("details", &[], vec![el("summary", &[], vec![el("div", &[], vec![text("s")])]), p("x")])],
        "<details><summary><span>s</span></summary><div class=\"details-body\"><p>x</p></div></details>",
    );
    check(
        &[el("fieldset", &[], vec![text("x"), el("legend", &[], vec![p("Which?")])])],
        "<fieldset><legend>Which?</legend>x</fieldset>",
    );
    check(&[el("legend", &[], vec![text("alone")])], "<div>alone</div>");
    check(
        &[el("iframe", &[("src", "https://www.youtube.com/embed/abc?x=1"), ("title", "Film")], vec![])],
        "<a class=\"media-placeholder\" href=\"https://www.youtube.com/watch?v=abc\" target=\"_blank\" rel=\"noopener\"><span class=\"media-words\"><span class=\"media-title\">Film</span><span class=\"media-host\" data-chrome>youtube.com</span></span></a>",
    );
    check(
        &[el("video", &[("src", "/a.mp4"), ("autoPlay", "")], vec![])],
        "<video src=\"a.mp4\" autoplay playsinline loop muted></video>",
    );
    check(
        &[el("img", &[("src", "/a.png"), ("width", "400")], vec![])],
        "<img src=\"a.png\" alt=\"\" width=\"400\" height=\"200\" decoding=\"async\">",
    );
}

#[test]
fn drawings_get_ids_of_their_own() {
    let svg = || {
        el(
            "svg",
            &[("viewBox", "0 0 1 1"), ("strokeWidth", "2")],
            vec![
                el("linearGradient", &[("id", "g")], vec![]),
                el("path", &[("fill", "url(#g)"), ("onclick", "x")], vec![]),
                el("script", &[], vec![text("x")]),
            ],
        )
    };
    check(
        &[svg(), svg()],
        "<svg aria-hidden=\"true\" viewBox=\"0 0 1 1\" stroke-width=\"2\"><linearGradient id=\"g\"/><path fill=\"url(#g)\"/></svg><svg aria-hidden=\"true\" viewBox=\"0 0 1 1\" stroke-width=\"2\"><linearGradient id=\"g-2\"/><path fill=\"url(#g-2)\"/></svg>",
    );
}

#[test]
fn raw_html_is_balanced_where_it_stands() {
    let raw = |markup: &str| Node::Html { markup: markup.to_owned(), place: Place::default() };
    check(&[raw("<div onclick=x>"), p("a"), raw("</div></div></main>")], "<div><p>a</p></div>");
    check(&[raw("<details><summary>S</summary>"), p("a")], "<details><summary>S</summary><p>a</p></details>");
    check(&[block(BlockKind::Paragraph, vec![text("a"), raw("<b>"), text("c")])], "<p>a<b>c</b></p>");
    check(&[raw("<p align=\"center\">"), p("x"), raw("</p>")], "<div align=\"center\" class=\"p\"><p>x</p></div>");
    check(&[raw("<!-- no --><script>alert(1)</script><a href=\"javascript:x\">y</a> &copy;")], "<span>y</span> ©");
}

#[test]
fn tabs_stand_under_their_titles() {
    let tab = |title: &str, words: &str| el("Tab", &[("title", title)], vec![heading(3, words)]);
    let page = check_has(
        &[el("Tabs", &[], vec![tab("First `one`", "In one"), text("\n"), tab("npm", "In two")])],
        &[
            "<div class=\"tabs\" data-component=\"Tabs\" data-sync>",
            "<div class=\"tab-list\" role=\"tablist\" aria-label=\"Tabs: First one, npm\" hidden><button type=\"button\" role=\"tab\" id=\"tabs-1-tab-1\" aria-controls=\"first-one\" aria-selected=\"true\" tabindex=\"0\">First <code>one</code></button>",
            "<div class=\"tab-panel\" data-component=\"Tab\" role=\"tabpanel\" aria-labelledby=\"tabs-1-tab-2\" id=\"npm\" data-title=\"npm\" data-idle>",
            "<p class=\"tab-title\">npm</p>",
        ],
    );
    assert_eq!(
        page.toc.iter().map(|entry| entry.within.as_deref()).collect::<Vec<_>>(),
        [Some("first-one"), Some("npm")]
    );
}

#[test]
fn icons_of_tabs_share_no_ids() {
    let svg = "<svg viewBox=\"0 0 8 8\"><defs><clipPath id=\"c\"><path d=\"M0 0\"/></clipPath></defs><g clip-path=\"url(#c)\"/></svg>";
    let page = page(&[el("Tabs", &[], vec![el("Tab", &[("title", "A"), ("icon", svg)], vec![p("a")])])]);
    for id in ["icon-c", "icon-2-c"] {
        assert_eq!(page.html.matches(&format!("id=\"{id}\"")).count(), 1, "{}", page.html);
    }
}

#[test]
fn code_groups_are_tabs_named_by_title() {
    check_has(
        &[el("CodeGroup", &[], vec![fence("bash", "npm", "npm i"), fence("bash", "title=\"yarn\"", "yarn add")])],
        &["data-component=\"CodeGroup\" data-sync>", ">npm</button>", ">yarn</button>", "data-component=\"CodeBlock\""],
    );
    let one = page(&[el("CodeGroup", &[], vec![fence("bash", "npm", "npm i")])]);
    assert!(!one.html.contains("tablist"));
}

#[test]
fn steps_number_and_size_their_titles() {
    let page = check_has(
        &[el(
            "Steps",
            &[("titleSize", "h3")],
            vec![el("Step", &[("title", "Go **on**")], vec![p("x")]), el("Step", &[("title", "Go on")], vec![])],
        )],
        &[
            "role=\"list\"",
            "<h3 id=\"go-on\" class=\"step-title\">",
            "Go <strong>on</strong></h3>",
            "id=\"go-on-2\"",
            "data-chrome>2</div>",
        ],
    );
    assert_eq!(page.toc.len(), 2);
}

#[test]
fn fields_say_what_they_are() {
    let field = || {
        el(
            "ParamField",
            &[("query", "userId"), ("type", "string"), ("required", ""), ("default", "me")],
            vec![p("Who.")],
        )
    };
    check_has(
        &[field(), field(), with(el("ResponseField", &[("name", "ok")], vec![]), "default", PropValue::Bool(false))],
        &[
            "id=\"param-user-id\"",
            "id=\"param-user-id_1\"",
            "<code class=\"field-name\">userId</code>",
            "field-required\">required",
            "<code>me</code>",
            "<code>false</code>",
        ],
    );
}

#[test]
fn examples_go_to_the_right_column() {
    let example = |words: &str| el("RequestExample", &[], vec![fence("json", "", words)]);
    let page = page(&[p("a"), example("1"), example("2")]);
    assert!(page.html.contains(">1<") && !page.aside.contains(">1<"), "{}", page.html);
    assert!(page.aside.contains("id=\"request-example\"") && page.aside.contains(">2<"), "{}", page.aside);
    let mut wide = Renderer::new(kit(), &Anywhere);
    wide.mode = PageMode::Wide;
    let wide = wide.document(&[el("Panel", &[], vec![p("x")])]);
    assert!(wide.aside.is_empty() && wide.html.is_empty(), "{}", wide.html);
    assert_eq!(wide.diagnostics.iter().map(|one| one.code).collect::<Vec<_>>(), ["panel-suppressed"]);
}

#[test]
fn tooltips_can_be_read_without_a_pointer() {
    check(
        &[block(
            BlockKind::Paragraph,
            vec![text("an "), el("Tooltip", &[("tip", "Application `x`"), ("headline", "H")], vec![text("API")])],
        )],
        "<p>an <span class=\"tooltip\" data-component=\"Tooltip\"><span class=\"tooltip-word\" tabindex=\"0\" aria-describedby=\"tip-1\">API</span><span class=\"tooltip-tip\" role=\"tooltip\" id=\"tip-1\" aria-label=\"H: Application x\" data-headline=\"H\" data-tip=\"Application x\"></span></span></p>",
    );
}

#[test]
fn unknown_components_keep_their_children_and_are_reported_once() {
    let page = page(&[el("Wraning", &[], vec![p("a")]), el("Wraning", &[], vec![p("b")])]);
    assert_eq!(page.html.replace('\n', ""), "<p>a</p><p>b</p>");
    assert_eq!(page.diagnostics.len(), 1);
    assert!(page.diagnostics[0].hint.as_deref().is_some_and(|hint| hint.contains("`Warning`")));
}

#[test]
fn footnotes_lead_both_ways() {
    check_has(
        &[
            block(
                BlockKind::Paragraph,
                vec![text("a"), Node::FootnoteRef("n".into()), text(" b"), Node::FootnoteRef("n".into())],
            ),
            block(BlockKind::FootnoteDef { label: "n".into() }, vec![p("Note.")]),
        ],
        &[
            "<a id=\"fnref-1\" href=\"#fn-1\"",
            "id=\"fnref-1-2\"",
            "<li id=\"fn-1\"><p>Note. <a class=\"footnote-back\" href=\"#fnref-1\"",
            "</a></p></li>",
        ],
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "a list of all components")]
fn every_component_is_whole_in_every_place() {
    const NAMES: [&str; 62] = [
        "Accordion",
        "AccordionGroup",
        "Badge",
        "Banner",
        "Note",
        "Warning",
        "Callout",
        "Card",
        "CardGroup",
        "Columns",
        "Column",
        "CodeGroup",
        "CodeBlock",
        "Color",
        "Color.Row",
        "Color.Item",
        "RequestExample",
        "ResponseExample",
        "Panel",
        "Expandable",
        "ParamField",
        "Param",
        "ResponseField",
        "Frame",
        "Example",
        "GitHub.Repo",
        "Icon",
        "Latex",
        "Heading",
        "Link",
        "Mermaid",
        "Prompt",
        "Steps",
        "Step",
        "Tabs",
        "Tab",
        "Tile",
        "Tooltip",
        "Tree",
        "Tree.Folder",
        "Tree.File",
        "Update",
        "Variation",
        "View",
        "Visibility",
        "MDX",
        "Nope",
        "div",
        "p",
        "ul",
        "table",
        "tr",
        "a",
        "button",
        "summary",
        "details",
        "h1",
        "h4",
        "label",
        "span",
        "svg",
        "pre",
    ];
    let props = [
        ("title", "T **b**"),
        ("name", "n"),
        ("label", "L"),
        ("href", "x.html"),
        ("tip", "t"),
        ("icon", "star"),
        ("id", "same"),
        ("for", "humans"),
        ("repo", "a/b"),
        ("is", "b"),
        ("cta", "c"),
        ("description", "d [l](y)"),
        ("caption", "c [l](y)"),
        ("query", "q"),
        ("value", "#fff"),
    ];
    let inner: [fn() -> Vec<Node>; 5] = [
        || vec![text("words")],
        || vec![p("words"), fence("js", "title", "x < y")],
        || {
            vec![block(
                BlockKind::Paragraph,
                vec![text("a "), link("z", "l"), el("Card", &[("href", "h"), ("title", "t")], vec![])],
            )]
        },
        || {
            vec![block(
                BlockKind::List { start: None },
                vec![block(BlockKind::Item { checked: Some(false) }, vec![text("i")])],
            )]
        },
        || vec![heading(2, "Head"), el("Tab", &[("title", "x")], vec![p("y")])],
    ];
    let mut pair = 0;
    for outer in NAMES {
        for middle in NAMES {
            // each pair with one kind of content, all kinds over the pairs: all of them would take ten seconds
            pair += 1;
            let children = inner[pair % inner.len()];
            page_with(outer, middle, &[el(outer, &props, vec![el(middle, &props, children())])]);
            page_with(
                outer,
                middle,
                &[block(
                    BlockKind::Paragraph,
                    vec![text("a "), el(outer, &props, vec![el(middle, &[], children())]), text(" b")],
                )],
            );
            page_with(
                outer,
                middle,
                &[block(
                    BlockKind::Heading { level: 2, id: None },
                    vec![el(outer, &props, vec![el(middle, &props, children())])],
                )],
            );
        }
    }
}

#[test]
fn deep_nesting_is_flattened() {
    let mut node = text("deep");
    for _ in 0..400 {
        node = el("div", &[], vec![node]);
    }
    let page = page(&[node]);
    assert!(page.html.contains("deep") && page.html.matches("<div>").count() <= limits());
}

fn limits() -> usize {
    base::limits::NESTING
}

/// Pieces that raw HTML of plain Markdown is made of, well-meant and not.
const PIECES: [&str; 26] = [
    "<div>",
    "</div>",
    "<b onclick=alert(1)>",
    "</b>",
    "<a href=\"javascript:alert(1)\">",
    "<a href='x'>",
    "</a>",
    "<p align=center>",
    "</p>",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "<script>",
    "<!-- ",
    "-->",
    "words & <",
    "\"",
    "'",
    "=",
    ">",
    "</main></body>",
    "<svg><script>x</script></svg>",
    "<details><summary>s</summary>",
    "<table><tr><td>",
    "<iframe src=//x srcdoc=y>",
    "<style>*{}</style>",
    "<button>",
];

proptest::proptest! {
    #[test]
    fn raw_html_never_leaves_its_place(picks in proptest::collection::vec(0..PIECES.len(), 0..14), cut in 0..14_usize) {
        let markup = |range: &[usize]| Node::Html { markup: range.iter().map(|at| PIECES[*at]).collect(), place: Place::default() };
        let cut = cut.min(picks.len());
        let nodes = [markup(&picks[..cut]), p("between"), block(BlockKind::Paragraph, vec![text("a"), markup(&picks[cut..]), text("b")])];
        let page = Renderer::new(kit(), &Anywhere).document(&nodes);
        // what stands where it may not is the author's own affair; what would reach beyond it is not
        let faults: Vec<String> = faults(&page.html).into_iter().filter(|fault| !fault.contains(" in [") && !fault.starts_with("text in")).collect();
        proptest::prop_assert_eq!(faults, Vec::<String>::new(), "{}", page.html);
        proptest::prop_assert!(!page.html.contains("<script") && !page.html.contains("<iframe"));
    }
}
