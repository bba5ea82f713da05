//! Components written in JavaScript, from the source to the bundle: what is alive brings its scripts, what is not
//! brings none.

use crate::suite::site::SiteTest;

const PARTS: &str = "export const Still = ({ title }) => <section className=\"still\"><h3>{title.toUpperCase()}</h3></section>
export const Alive = ({ to, children }) => { const [n, set] = useState(1); return <p className=\"alive\"><a href={to}>{n}</a><button onClick={() => set(n + 1)}>more</button>{children}</p> }
export const Browser = () => { const wide = window.innerWidth; return <i>{wide}</i> }
";

#[test]
fn what_is_still_ships_no_script() {
    SiteTest::pages(&[("index", "import { Still } from '/snippets/parts.jsx'\n\n<Still title=\"abc\"/>")])
        .file("snippets/parts.jsx", PARTS)
        .element("index", "section.still h3")
        .text("index", "ABC")
        .no_element("index", "[data-island], #op-islands, script[src*=islands]")
        .run();
}

/// Equal pages are equal bytes, whatever other files lie beside them.
#[test]
fn other_files_change_no_scripts() {
    let pages = [
        (
            "index",
            "import { Alive } from '/snippets/parts.jsx'\nimport S from '/snippets/s.mdx'\n\n<Alive to=\"/b\">a <S /></Alive>",
        ),
        (
            "b",
            "export const Own = () => { const [n, set] = useState(0); return <b onClick={() => set(n + 1)}>{n}</b> }\n\n<Own />",
        ),
    ];
    let site = || SiteTest::pages(&pages).file("snippets/parts.jsx", PARTS).file("snippets/s.mdx", "snippet\n");
    let (one, other) = (site().run(), site().file("a.zip", "x").file("images/aaa.png", "x").other_diagnostics().run());
    let changed = one
        .files
        .iter()
        .filter(|(name, bytes)| !name.ends_with("manifest.json") && other.files.get(*name) != Some(*bytes));
    assert_eq!(changed.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn what_is_alive_finds_its_scripts_from_every_folder() {
    let site = SiteTest::pages(&[
        ("index", "import { Alive } from '/snippets/parts.jsx'\n\n<Alive to=\"/guide/deep\">a *b*</Alive>"),
        ("guide/deep", "import { Alive } from '../snippets/parts.jsx'\n\n<Alive to=\"/\">x</Alive>"),
    ])
    .file("snippets/parts.jsx", PARTS)
    .element("index", "[data-island=\"0\"] .alive a[href=\"guide/deep.html\"]")
    .element("guide/deep", "[data-island=\"0\"] .alive a[href=\"../index.html\"]")
    .run();
    let scripts: Vec<String> = site
        .files
        .keys()
        .filter(|name| name.starts_with("_offprint/script-") || name.starts_with("_offprint/islands-"))
        .cloned()
        .collect();
    assert_eq!(scripts.len(), 2, "one runtime and one module for both pages: {scripts:?}");
    for (page, root) in [("index", ""), ("guide/deep", "../")] {
        let sources: Vec<String> = site
            .page(page)
            .select("script[src]")
            .iter()
            .filter_map(|script| script.attr("src").map(str::to_owned))
            .collect();
        for script in &scripts {
            assert!(sources.contains(&format!("{root}{script}")), "{script} on {page}: {sources:?}");
        }
    }
}

#[test]
fn what_needs_a_browser_is_left_to_it() {
    SiteTest::pages(&[("index", "import { Browser } from '/snippets/parts.jsx'\n\nBefore.\n\n<Browser/>\n\nAfter.")])
        .file("snippets/parts.jsx", PARTS)
        .diagnostic("component-browser", "index.mdx:9")
        .text("index", "1280")
        .element("index", "[data-island]")
        .text("index", "Before.")
        .text("index", "After.")
        .run();
}

#[test]
fn what_asks_for_the_time_is_told() {
    let site = || SiteTest::pages(&[("index", "Copyright {new Date().getFullYear()}.")]);
    site().diagnostic("script-time", "index.mdx:5").text("index", "Copyright 2026.").run();
    site().arg("--exported-at").arg("2031-05-06T07:08:09Z").text("index", "Copyright 2031.").run();
}

#[test]
fn data_cannot_end_its_script() {
    let site = SiteTest::pages(&[(
        "index",
        "import { Alive } from '/snippets/parts.jsx'\n\n<Alive to=\"</script><script>alert(1)</script><!--\">x</Alive>",
    )])
    .file("snippets/parts.jsx", PARTS)
    .other_diagnostics()
    .run();
    assert!(!site.text_of("index.html").contains("<script>alert"), "the data ends early");
    assert_eq!(site.page("index").select("#op-islands").len(), 1);
}

#[test]
fn calls_for_the_network_are_named() {
    SiteTest::pages(&[("index", "text\n\nexport const Stars = () => {\n  const [n, set] = useState(0);\n  useEffect(() => { fetch('https://api.x.example/stars').then(set) }, []);\n  return <b>{n}</b>\n};\n\n<Stars/>")])
        .diagnostic("component-request", "index.mdx:9")
        .element("index", "[data-island]")
        .run();
}

#[test]
fn what_a_later_state_shows_comes_along() {
    let site = SiteTest::pages(&[("index", "export const Os = () => {
  const [os, set] = useState('mac');
  return <div><button onClick={() => set('win')}>w</button>{os === 'mac' ? <CodeBlock language=\"bash\">brew install x</CodeBlock> : <CodeBlock language=\"bash\">choco install x</CodeBlock>}
    {os === 'win' && <Warning>Only for {os}</Warning>}<Icon icon={os === 'mac' ? 'apple' : 'star'} /><Badge color={os}>x</Badge></div>
};

<Os/>")])
        .diagnostic("component-frozen", "index.mdx:8")
        .run();
    let data = site
        .page("index")
        .select("#op-islands")
        .first()
        .map(|script| script.text().collect::<String>())
        .unwrap_or_default();
    for key in
        ["CodeBlock{children:\\\"choco install x\\\",language:\\\"bash\\\"}", "Warning{}", "Icon{icon:\\\"star\\\"}"]
    {
        assert!(data.contains(key), "{key} is not in {data}");
    }
}

#[test]
fn what_stands_elsewhere_is_named_for_the_script() {
    let site = SiteTest::pages(&[("index", "export const Film = ({ id }) => {
  const [n, set] = useState(0);
  return <div><iframe src={`https://www.youtube.com/embed/${id}`} title=\"F\"/><img src={`/images/${id}.png`} alt=\"a\"/><button onClick={() => set(n + 1)}>{n}</button></div>
};

<Film id=\"abc\"/>")])
        .file("images/abc.png", "not a picture")
        .element("index", "[data-island] a.media-placeholder")
        .run();
    let data = site
        .page("index")
        .select("#op-islands")
        .first()
        .map(|script| script.text().collect::<String>())
        .unwrap_or_default();
    assert!(data.contains("\"loads\":{\"/images/abc.png\":[\"images/abc.png\"]}"), "{data}");
}

/// A button of the page itself does what its handler says, with the script that the page exports it from.
#[test]
fn handlers_of_a_page_bring_its_script() {
    SiteTest::pages(&[("index", "export const open = () => window.alert('opened')\n\n<button className=\"go\" onClick={open}>Go *on*</button>\n\n<Card title=\"Lost\" onClick={open}>x</Card>")])
        .diagnostic("handler-lost", "index.mdx")
        .element("index", "[data-island=\"0\"] button.go em")
        .element("index", "#op-islands")
        .element("index", "script[src*=script-]")
        .run();
}

const HOLDERS: &str = "export const limit = \"1000\"

export const W = ({children}) => { const [n, set] = useState(0); return <div>{children}</div> }

export const L = ({children}) => { const [n, set] = useState(0); return <b>{children}</b> }

export const B = ({agent, children}) => { const [p, set] = useState(\"none\"); return agent === p ? <>{children}</> : null }

";

/// What may stand inside a component with a state: `%` is where something lives, or not.
const CONTENTS: &[&str] = &[
    "- one\n- two %\n- three",
    "1. one\n2. two %\n   - inner %\n   - other\n3. three",
    "- [x] done %\n- [ ] open",
    "- `v` verbose %\n- `c` count\n- `f` force",
    "| Plan | Limit |\n| :--- | ---: |\n| `v` | % |\n| Pro | 20 |",
    "## Heading %\n\nText with *emphasis %* and [a link](https://x.example/).",
    "> a quote %\n\n```js title=\"a.js\"\nconst v = 1\n```\n\nAfter %.",
    "<ul>\n<li>one</li>\n<li>two %</li>\n</ul>",
    "<table><tbody><tr><td>a</td><td>%</td></tr><tr><td>b</td><td>c</td></tr></tbody></table>",
    "<Steps>\n<Step title=\"First\">\n\na %\n\n</Step>\n<Step title=\"Second\">\n\nb\n\n</Step>\n</Steps>",
    "<Note>note %</Note>\n\n<Card title=\"Card\">card %</Card>",
    "<Tabs>\n<Tab title=\"X\">x %</Tab>\n<Tab title=\"Y\">y</Tab>\n</Tabs>",
    "<AccordionGroup>\n<Accordion title=\"X\">x %</Accordion>\n<Accordion title=\"Y\">y</Accordion>\n</AccordionGroup>",
    "<Columns cols={2}>\n<Card title=\"X\">x %</Card>\n<Card title=\"Y\">y</Card>\n</Columns>",
];

#[test]
fn whatever_stands_inside_a_state_comes_out() {
    const PARTS: &[&str] = &[
        "li",
        "li li",
        "td",
        "th",
        "tr",
        "h2[id]",
        "blockquote",
        "pre",
        "[data-component=Step]",
        "[data-component=Note]",
        "[data-component=Card]",
        "[role=tab]",
        "details",
        "main p",
    ];
    for live in ["1000", "{limit}", "<L>1000</L>"] {
        for content in CONTENTS {
            let content = content.replace('%', live);
            let pages = [
                ("index", format!("{HOLDERS}<W>\n\n{content}\n\n</W>\n\nAfter.")),
                ("plain", format!("{HOLDERS}{content}\n\nAfter.")),
            ];
            let pages: Vec<(&str, &str)> = pages.iter().map(|(name, text)| (*name, text.as_str())).collect();
            let site = SiteTest::pages(&pages).other_diagnostics().run();
            let words = |page: &str| {
                site.page(page).content_text().split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".")
            };
            assert_eq!(words("index").replace("index", "plain"), words("plain"), "{content}");
            for part in PARTS {
                assert_eq!(
                    site.page("index").select(part).len(),
                    site.page("plain").select(part).len(),
                    "{part} of {content}"
                );
            }
            assert_eq!(site.text_of("index.md").replace("index", "plain"), site.text_of("plain.md"), "{content}");
        }
    }
}

#[test]
fn islands_among_the_parts_of_a_whole_stay_alive() {
    let steps = "<Steps>\n<Step title=\"S1\">1</Step>\n<B agent=\"none\"><Step title=\"S2\">2</Step></B>\n<B agent=\"x\"><Step title=\"S2x\">2x</Step></B>\n<Step title=\"S3\">3</Step>\n</Steps>";
    let list = "<ul>\n<li>one</li>\n<B agent=\"none\"><li>two</li></B>\n<B agent=\"x\"><li>two of x</li></B>\n<li>three</li>\n</ul>";
    let site = SiteTest::pages(&[("index", &format!("{HOLDERS}{steps}\n\n{list}"))])
        .element("index", ".steps > [data-island=\"0\"] [data-part] > .step")
        .element("index", "ul > template[data-island=\"2\"] + li[data-part=\"0\"]")
        .no_element("index", "li li, ul > div, ul > span")
        .run();
    let numbers: Vec<String> =
        site.page("index").select(".step-number").iter().map(|number| number.text().collect()).collect();
    assert_eq!(numbers, ["1", "2", "3"]);
    let data = site
        .page("index")
        .select("#op-islands")
        .first()
        .map(|script| script.text().collect::<String>())
        .unwrap_or_default();
    assert!(data.contains("S2x") && data.contains("\\u003cli>two of x"), "{data}");
    assert!(site.text_of("index.md").contains("- one\n- two\n- three"), "{}", site.text_of("index.md"));
}

#[test]
fn what_cannot_live_among_tabs_is_named() {
    SiteTest::pages(&[(
        "index",
        &format!("{HOLDERS}<Tabs>\n<Tab title=\"X\">x</Tab>\n<B agent=\"none\"><Tab title=\"Y\">yy</Tab></B>\n</Tabs>"),
    )])
    .diagnostic("component-frozen", "index.mdx:13")
    .element("index", "[role=tab] + [role=tab]")
    .run();
}

#[test]
fn children_of_tabs_that_change_are_named_and_items_of_a_filtered_list_are_not() {
    SiteTest::pages(&[(
        "index",
        "export const T = () => {
  const [v, set] = useState('a');
  return <Tabs><Tab title=\"X\">{v}</Tab><Tab title=\"Y\">yy</Tab></Tabs>
};

<T/>",
    )])
    .diagnostic("component-frozen", "index.mdx:7")
    .run();
    SiteTest::pages(&[(
        "index",
        "export const F = ({ items }) => {
  const [q, set] = useState('');
  const found = items.filter((item) => item.name.includes(q));
  return <div>{found.map((item) => item.badges.map((b) => <Badge color={b.color || 'gray'}>{b.name}</Badge>))}</div>
};

<F items={[{ name: 'a', badges: [{ name: 'n', color: 'red' }] }]} />",
    )])
    .text("index", "n")
    .run();
}
