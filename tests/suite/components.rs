//! Every component of the format at least once: what its markup promises to readers, scripts and style sheets.

use std::collections::BTreeSet;

use crate::suite::site::{SiteTest, fixture};

/// One page with `body`; every selector has to match in its content.
#[track_caller]
fn check(body: &str, selectors: &[&str]) {
    let mut site = SiteTest::page(body).file(
        "images/a.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\"><rect width=\"40\" height=\"20\"/></svg>",
    );
    for selector in selectors {
        site = site.element(
            "index",
            &selector.split(',').map(|part| format!("body {}", part.trim())).collect::<Vec<_>>().join(","),
        );
    }
    let exported = site.run();
    let wrong = crate::suite::contract::violations(&exported.files);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Generated references link the names and types of their fields.
#[test]
fn fields_take_markup_as_name_and_type() {
    check(
        "<ParamField body={<a href=\"https://x.org/n\">name</a>} type={<span><a href=\"https://x.org/t\">Type</a></span>} />",
        &[".field .field-name a[href='https://x.org/n']", ".field .field-type a[href='https://x.org/t']"],
    );
}

#[test]
fn accordion() {
    check(
        "<Accordion title=\"T\" description=\"D\" icon=\"rocket\" defaultOpen>Text.</Accordion>",
        &["details.accordion[open][data-component=Accordion]#t", "details.accordion > summary"],
    );
    check(
        "<AccordionGroup>\n  <Accordion title=\"A\" id=\"own\">x</Accordion>\n  <Accordion title=\"A\">y</Accordion>\n</AccordionGroup>",
        &[".accordion-group[data-component=AccordionGroup] details#own", "details#a"],
    );
}

#[test]
fn badge() {
    check(
        "a <Badge color=\"green\" size=\"lg\" shape=\"pill\" icon=\"check\">b</Badge>",
        &["p [data-component=Badge][data-badge][data-color=green]"],
    );
}

#[test]
fn callouts() {
    for name in ["Note", "Info", "Tip", "Check", "Warning", "Danger"] {
        check(&format!("<{name}>Text.</{name}>"), &[&format!(".callout[data-component={name}]")]);
    }
    check(
        "<Callout icon=\"leaf\" color=\"#15803D\" title=\"T\">Text.</Callout>",
        &[".callout[data-component=Callout]"],
    );
}

#[test]
fn card() {
    check(
        "<Card title=\"T\" icon=\"rocket\" href=\"https://x.org\">Text.</Card>",
        &[".card[data-component=Card][href='https://x.org'], .card[data-component=Card] a[href='https://x.org']"],
    );
    check(
        "<Card title=\"T\" img=\"/images/a.svg\" horizontal cta=\"Go\" arrow href=\"https://x.org\">Text.</Card>",
        &[".card img[width][height][alt]"],
    );
    check("<CardGroup cols={3}><Card title=\"A\" /></CardGroup>", &[".card-group[data-component=CardGroup] .card"]);
    check(
        "<Columns cols={2}><Column>A</Column></Columns>",
        &[".columns[data-component=Columns] [data-component=Column]"],
    );
}

#[test]
fn tile() {
    check(
        "<Tile href=\"/index\" title=\"T\" description=\"D\"><img src=\"/images/a.svg\" alt=\"\" /></Tile>",
        &[".tile[data-component=Tile] img"],
    );
}

#[test]
fn code() {
    check(
        "```js title.js lines {1}\na();\nb();\n```",
        &["div.code-block[data-component=CodeBlock] > pre[tabindex='0'] > code", "div.code-block button[data-copy]"],
    );
    check("```js nocopy\na();\n```", &["div.code-block[data-nocopy]"]);
    check(
        "<CodeBlock language=\"js\" filename=\"a.js\">\n{`a();`}\n</CodeBlock>",
        &["div.code-block[data-component=CodeBlock] > pre > code"],
    );
    SiteTest::page("```js nocopy\na();\n```").no_element("index", "div.code-block button[data-copy]").run();
}

#[test]
fn code_group() {
    let body = "<CodeGroup>\n\n```js A\na();\n```\n\n```py B\nb()\n```\n\n</CodeGroup>";
    check(
        body,
        &[
            ".code-group[data-component=CodeGroup] [role=tablist][aria-label] > button[role=tab][aria-selected][aria-controls][id]",
            ".code-group [role=tabpanel][aria-labelledby][id] pre",
        ],
    );
    check(&body.replace("CodeGroup", "SnippetGroup"), &[".code-group pre"]);
}

/// A menu in place of the tabs; without scripts it is hidden, and the panels are not.
#[test]
fn code_group_with_a_menu() {
    let group = |name: &str| format!("<{name} dropdown>\n\n```js A & B\na();\n```\n\n```py C\nb()\n```\n\n</{name}>");
    for (name, class) in [("CodeGroup", "code-group"), ("RequestExample", "example"), ("ResponseExample", "example")] {
        let site = SiteTest::page(&group(name))
            .element("index", &format!(".{class}[data-component={name}] .tab-menu[hidden] > select[aria-label] > option:first-child[selected]"))
            .element("index", &format!(".{class} .tab-panel[role=group][aria-label='A & B'][data-title='A & B']:not([hidden]) pre"))
            .element("index", &format!(".{class} .tab-panel[role=group][aria-label=C][id] .tab-title"))
            .no_element("index", "[role=tablist], [role=tabpanel]")
            .run();
        assert!(crate::suite::contract::violations(&site.files).is_empty());
    }
}

#[test]
fn tabs() {
    check(
        "<Tabs defaultTabIndex={1} sync={false} borderBottom>\n  <Tab title=\"A\" icon=\"rocket\">x</Tab>\n  <Tab title=\"B\" id=\"own\">y</Tab>\n</Tabs>",
        &[
            ".tabs[data-component=Tabs] [role=tablist][aria-label] > button[role=tab][aria-selected=true][aria-controls][id]",
            "[role=tabpanel][data-component=Tab][aria-labelledby]#own",
        ],
    );
}

#[test]
fn steps() {
    check(
        "<Steps titleSize=\"h3\">\n  <Step title=\"A\" icon=\"rocket\">x</Step>\n  <Step title=\"B\" stepNumber={5} id=\"own\">y</Step>\n</Steps>",
        &[".steps[data-component=Steps] .step[data-component=Step]", "#own", "#a", "#table-of-contents a[href='#a']"],
    );
}

#[test]
fn frame() {
    check(
        "<Frame caption=\"A *c*\" hint=\"H\"><img src=\"/images/a.svg\" alt=\"x\" /></Frame>",
        &[".frame[data-component=Frame] img[width='40'][height='20']", ".frame em"],
    );
    check("<Example caption=\"c\">![x](/images/a.svg)</Example>", &[".frame img"]);
}

#[test]
fn fields() {
    check(
        "<ParamField path=\"userId\" type=\"string\" required default=\"x\">Text.</ParamField>\n\n<Param query=\"q\" type=\"string\" deprecated>Text.</Param>\n\n<ResponseField name=\"X-API-Key\" type=\"string\" pre={[\"p\"]} post={[\"q\"]}>\n  <Expandable title=\"more\" defaultOpen>\n    <ResponseField name=\"inner\">z</ResponseField>\n  </Expandable>\n</ResponseField>",
        &[
            ".field[data-component=ParamField]#param-user-id",
            "#param-q",
            ".field[data-component=ResponseField]#param-x-api-key",
            "details.expandable[data-component=Expandable][open] #param-inner",
        ],
    );
}

#[test]
fn examples_and_panel() {
    check(
        "<RequestExample>\n\n```sh A\na\n```\n\n</RequestExample>\n\n<ResponseExample>\n\n```json 200\n{}\n```\n\n</ResponseExample>",
        &[
            "#request-example pre",
            "#response-example pre",
            "[data-component=RequestExample]",
            "[data-component=ResponseExample]",
        ],
    );
    check("<Panel>\n  Beside.\n</Panel>\n\nText.", &["[data-component=Panel]"]);
}

#[test]
fn inline_pieces() {
    check(
        "a <Tooltip tip=\"what it is\" headline=\"H\" cta=\"Go\" href=\"/index\">word</Tooltip>",
        &[".tooltip[data-component=Tooltip]"],
    );
    check("a <Icon icon=\"rocket\" size={24} color=\"#0F766E\" />", &["[data-component=Icon] svg.icon"]);
    check("<Heading level={3} id=\"own\">Title</Heading>", &["h3#own"]);
    check("<Link href=\"https://x.org\">a</Link>", &["a[href='https://x.org'][data-component=Link]"]);
}

#[test]
fn icons_from_elsewhere_are_left_out() {
    SiteTest::page(
        "a <Icon icon=\"https://x.org/a.svg\" /> <Icon src=\"https://x.org/b.png\" /> ![kept](https://x.org/c.png)",
    )
    .diagnostic("outside-load", "index.mdx:5:3")
    .diagnostic("outside-load", "index.mdx:5:")
    .diagnostic("outside-load", "index.mdx:5:82")
    .element("index", "img[src='https://x.org/c.png']")
    .no_element("index", "[data-component=Icon] img")
    .run();
}

#[test]
fn own_code_theme() {
    SiteTest::page("```js a.js theme=nord twoslash\nlet a = 1; // ^?\n```\n\n```js theme=nope\nlet a = 1;\n```\n\n```js theme=nope\nlet a = 1;\n```")
        .diagnostic("code-theme", "index.mdx:9:1")
        .element("index", ".code-block[data-own-theme][style*='--op-code-ground:#2e3440'] i[style]")
        .check(|site| {
            let page = site.page("index");
            let titles: Vec<String> = page.select(".code-title").iter().map(|title| title.text().collect()).collect();
            if titles == ["a.js"] && page.count("[data-own-theme]") == 1 { Vec::new() } else { vec![format!("titles {titles:?}")] }
        })
        .run();
}

#[test]
fn trees() {
    check(
        "<Tree>\n  <Tree.Folder name=\"a\" defaultOpen>\n    <Tree.File name=\"b.txt\" highlight />\n    <Tree.Folder name=\"c\" openable={false} />\n  </Tree.Folder>\n</Tree>",
        &["[data-component=Tree] [data-component='Tree.Folder'] [data-component='Tree.File']"],
    );
    check("<FileTree>\n- a/\n  - b.txt\n- c.txt\n</FileTree>", &["[data-component=FileTree], [data-component=Tree]"]);
}

#[test]
fn colors() {
    check(
        "<Color variant=\"compact\"><Color.Item name=\"A\" value=\"#0F766E\" /></Color>",
        &["[data-component=Color] [data-component='Color.Item']"],
    );
    check(
        "<Color variant=\"table\"><Color.Row title=\"R\"><Color.Item name=\"A\" value={{ light: \"#fff\", dark: \"#000\" }} /></Color.Row></Color>",
        &["[data-component=Color] [data-component='Color.Row'] [data-component='Color.Item']"],
    );
}

#[test]
fn math_and_diagrams() {
    check(
        "a $x^2$ b\n\n$$\ny\n$$\n\n<Latex>{\"z\"}</Latex>",
        &["p math", "math[display=block]", "[data-component=Latex] math, [data-component=Math] math"],
    );
    check("```mermaid\nflowchart LR\n  A --> B\n```", &[".mermaid[data-component=Mermaid] svg"]);
}

#[test]
fn prompt() {
    check(
        "<Prompt description=\"Do *it*\" icon=\"pen\" actions={[\"copy\", \"cursor\"]}>\n# A **b**\n\n- {\"c\"}\n</Prompt>",
        &["[data-component=Prompt] button", "[data-component=Prompt] em", "[data-component=Prompt] pre"],
    );
}

#[test]
fn update() {
    check(
        "<Update label=\"v1.0\" description=\"May\" tags={[\"A\", \"B\"]}>\n  ## Inside\n</Update>\n\n<Update label=\"v0.9\" rss={{ title: \"x\" }}>Old.</Update>",
        &[".update[data-component=Update]", "[id='v1-0']", "#table-of-contents a[href='#v1-0']"],
    );
}

#[test]
fn views() {
    check(
        "<View title=\"A\" icon=\"rocket\">\n\n## In A\n\n</View>\n\n<View title=\"B\">\n\n## In B\n\n</View>",
        &["[data-component=View]", "#in-a", "#in-b"],
    );
}

#[test]
fn visibility() {
    SiteTest::page(
        "<Visibility for=\"humans\">For people.</Visibility>\n\n<Visibility for=\"agents\">For programs.</Visibility>",
    )
    .text("index", "For people.")
    .nowhere("index", "For programs.")
    .run();
}

#[test]
fn variation() {
    let site = crate::suite::contract::family("willow").run();
    let page = site.page("index");
    assert_eq!(page.count("[data-component=Variation]"), 4);
    assert_eq!(page.count(".variation-switcher[role=group][aria-label] > button[data-show][aria-pressed]"), 2);
    // without scripts everything is there, under its name
    let text: String = page.select(".mdx-content").iter().flat_map(|content| content.text()).collect();
    for words in [
        "Cloud\nText of the cloud variation.",
        "Self-hosted\nText of the self-hosted variation.",
        "(Self-hosted) your own machine",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert_eq!(page.count("p > span.variation[data-idle]"), 1);
    assert_eq!(
        site.page("guides/install").count(".variation-switcher"),
        0,
        "a page without variations has nothing to choose"
    );
    // other themes have no variations: the text stays, without names
    assert_eq!(
        crate::suite::contract::family("mint")
            .run()
            .page("index")
            .count(".variation, .variation-title, .variation-switcher"),
        0
    );
}

#[test]
fn unknown_variation() {
    let config = r##"{"theme":"willow","name":"T","colors":{"primary":"#0F766E"},"navigation":{"pages":["index"]},"variations":{"options":[{"id":"a","label":"A"}]}}"##;
    SiteTest::inline("")
        .file("docs.json", config)
        .file("index.mdx", "---\ntitle: T\n---\n\n<Variation is=\"b\">\n  Kept.\n</Variation>\n")
        .diagnostic("unknown-variation", "index.mdx:5:1")
        .text("index", "Kept.")
        .no_element("index", ".variation, .variation-switcher")
        .run();
}

#[test]
fn repository_card() {
    check(
        "<GitHub.Repo repo=\"a/b\" />",
        &[
            "[data-component='GitHub.Repo'][href='https://github.com/a/b'], [data-component='GitHub.Repo'] a[href='https://github.com/a/b']",
        ],
    );
}

#[test]
fn media() {
    check("<iframe src=\"https://www.youtube.com/embed/x\" title=\"A film\" />", &["main a[href*='youtube.com']"]);
    SiteTest::page("<iframe src=\"https://www.youtube.com/embed/x\" title=\"A film\" />")
        .no_element("index", "iframe[src]")
        .text("index", "A film")
        .run();
    check(
        "<img className=\"block dark:hidden\" src=\"/images/a.svg\" alt=\"x\" />\n<img className=\"hidden dark:block\" src=\"/images/a.svg\" alt=\"x\" />",
        &["img[width='40'][alt=x]"],
    );
}

#[test]
fn mdx_in_an_expression() {
    SiteTest::page("<div>{<MDX>a **b**</MDX>}</div>").element("index", "main strong").run();
}

/// The documentation shows every component of the format, so the browser tests see each of them.
#[test]
fn the_documentation_uses_every_component() {
    const NAMES: &str = "Accordion AccordionGroup Badge Note Warning Info Tip Check Danger Callout Card CardGroup Columns Column CodeGroup SnippetGroup CodeBlock Color Color.Row \
        Color.Item RequestExample ResponseExample Expandable ParamField Param ResponseField Frame Example GitHub.Repo Icon Latex Heading Link Panel Prompt Snippet Steps Step Tabs Tab Tile \
        Tooltip Tree Tree.Folder Tree.File FileTree Update View Visibility MDX";
    let mut used = BTreeSet::new();
    for entry in walkdir::WalkDir::new(fixture("docs"))
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "mdx"))
    {
        let mut in_fence = false;
        for line in std::fs::read_to_string(entry.path()).expect("a page").lines() {
            if line.trim_start().starts_with("```") {
                in_fence = !in_fence;
            } else if !in_fence {
                for piece in line.split('<').skip(1) {
                    used.insert(
                        piece.split(|c: char| !(c.is_alphanumeric() || c == '.')).next().unwrap_or_default().to_owned(),
                    );
                }
            }
        }
    }
    let missing: Vec<_> = NAMES.split_whitespace().filter(|name| !used.contains(*name)).collect();
    assert!(missing.is_empty(), "fixtures/docs does not show {missing:?}");
}

/// A page has one first heading, its title; rules that an author wrote for those of the content hold all the same.
#[test]
fn rules_for_first_headings_hold_in_the_content() {
    let site = SiteTest::pages(&[("index", "<section className=\"hero\"><h1>Own</h1></section>")])
        .file("style.css", ".hero h1, section > h1 { color: red; }\n")
        .element("index", "section.hero > h2.h1")
        .run();
    assert!(
        site.text_of("style.css").starts_with(".hero :is(h1,:where(.h1)), section > :is(h1,:where(.h1)) {"),
        "{}",
        site.text_of("style.css")
    );
}

/// A drawing as an icon has the size of the place, and its color where it has none.
#[test]
fn drawings_as_icons_have_the_size_of_the_place() {
    SiteTest::pages(&[("index", "<Card title=\"x\" icon={<svg viewBox=\"0 0 256 256\"><circle cx=\"128\" cy=\"128\" r=\"120\"/></svg>}>y</Card>")])
        .element("index", ".box-icon > svg.icon[width=\"24\"][height=\"24\"]:not([fill])")
        .run();
}

/// What is in sight at first is not put off, and nothing holds up the page.
#[test]
fn the_first_picture_of_a_page_is_loaded_at_once_and_the_others_late() {
    let picture = crate::suite::servers::png(8, 4);
    SiteTest::pages(&[(
        "index",
        "<Card title=\"A\" img=\"/a.png\">First.</Card>\n\n![B](/a.png)\n\n<p><img src=\"/a.png\" alt=\"C\"></p>",
    )])
    .file("a.png", &picture)
    .element("index", "img.box-image[width='8'][height='4'][decoding='async']:not([loading])")
    .element("index", "img[alt='B'][width='8'][height='4'][decoding='async'][loading='lazy']")
    .element("index", "img[alt='C'][width='8'][height='4'][decoding='async'][loading='lazy']")
    .run();
}

/// Elsewhere an icon is a mask over its background, so authors color it by that; here it has the color of text.
#[test]
fn backgrounds_of_icons_are_their_color() {
    let site = SiteTest::page("<Icon icon=\"flag\" className=\"bg-red-500 dark:bg-white size-6\" />\n\n<span className=\"bg-red-500\">box</span>")
        .element("index", "svg.icon.text-red-500.size-6")
        .no_element("index", "svg.bg-red-500")
        .element("index", "span.bg-red-500")
        .run();
    let sheet = site
        .files
        .keys()
        .filter(|path| path.ends_with(".css"))
        .map(|path| site.text_of(path))
        .find(|css| css.contains(".text-red-500"))
        .unwrap_or_default();
    assert!(sheet.contains(".bg-red-500"), "the sheet has the classes of both");
}

#[test]
fn titles_and_labels_take_every_character_reference_of_html() {
    SiteTest::page(
        "<Card title=\"Espa&ntilde;a &amp; &Aring;land\">x</Card>\n\n<Tabs><Tab title='&Zcaron;i&zcaron;ka'>y</Tab></Tabs>\n\n<Note title=\"5 &lt; &frac12; &nosuch;\">z</Note>\n",
    )
    .text("index", "España & Åland")
    .text("index", "Žižka")
    .text("index", "5 < ½ &nosuch;")
    .nowhere("index", "ntilde")
    .run();
}
