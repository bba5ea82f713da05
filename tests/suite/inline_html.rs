//! HTML in Markdown and MDX whose content is its own: drawings, formulas, media, forms, and words in angle brackets.

use super::site::SiteTest;

/// A source, selectors of what has to be in the content, and what the content says.
type Case = (&'static str, &'static [&'static str], &'static str);

/// What plain Markdown and MDX read in the same way.
const BOTH: &[Case] = &[
    (
        "Fill <svg width=\"20\" height=\"10\" viewBox=\"0 0 200 100\" preserveAspectRatio=\"none\"><circle cx=\"9\" cy=\"9\" r=\"4\"/></svg> it.",
        &["p > svg[viewBox='0 0 200 100'][preserveAspectRatio='none'] > circle"],
        "Fill it.",
    ),
    (
        "<svg viewBox=\"0 0 9 9\">\n  <linearGradient id=\"a\"><stop offset=\"0\"/></linearGradient>\n  <clipPath id=\"b\"><rect width=\"3\" height=\"3\"/></clipPath>\n</svg>\n\nBelow.",
        &["svg linearGradient > stop", "svg clipPath > rect", "p"],
        "Below.",
    ),
    (
        "| a | b |\n|---|---|\n| <svg viewBox=\"0 0 1 1\"><path d=\"M0 0h1\"/></svg> | two |",
        &["td svg > path"],
        "a b two",
    ),
    ("- one <svg viewBox=\"0 0 1 1\"><path d=\"M0 0h1\"/></svg>\n- two", &["li svg > path", "li + li"], "one two"),
    (
        "## Draw <svg viewBox=\"0 0 1 1\"><path d=\"M0 0h1\"/></svg> it",
        &["h2#draw-it, h2#draw--it", "h2 svg > path"],
        "Draw it",
    ),
    ("*a <svg viewBox=\"0 0 1 1\"><path d=\"M0 0h1\"/></svg> b*", &["p > em > svg > path"], "a b"),
    ("[a <svg viewBox=\"0 0 1 1\"><path d=\"M0 0h1\"/></svg>](https://a.example)", &["p > a > svg > path"], "a"),
    (
        "<div>\n<svg viewBox=\"0 0 1 1\"><title>Glaze</title><desc>Two</desc><style>.q{fill:red}</style><g><path d=\"M0 0h1\"/></g></svg>\n</div>",
        &["div > svg > title", "svg > desc", "svg > style", "svg > g > path"],
        "",
    ),
    (
        "<details><summary>More</summary>\n\n<svg viewBox=\"0 0 1 1\"><path d=\"M0 0h1\"/></svg>\n\n</details>",
        &["details svg > path"],
        "More",
    ),
    (
        "Is <svg viewBox=\"0 0 1 1\"><foreignObject width=\"1\" height=\"1\"><p>wet <b>clay</b></p></foreignObject></svg> here.",
        &["svg > foreignObject b"],
        "Is here.",
    ),
    (
        "Go <svg viewBox=\"0 0 1 1\"><a href=\"https://a.example\"><text>on</text></a></svg>.",
        &["svg > a[href='https://a.example'] > text"],
        "Go .",
    ),
    (
        "Two thirds <math><mfrac><mn>2</mn><mn>3</mn></mfrac></math> of it.",
        &["p > math > mfrac > mn + mn"],
        "Two thirds 2 3 of it.",
    ),
    (
        "<math display=\"block\"><mrow><mi>x</mi><mo>=</mo><msup><mi>y</mi><mn>2</mn></msup></mrow></math>",
        &["math[display='block'] > mrow > msup"],
        "x = y 2",
    ),
    (
        "A <picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"/n.png\" /><img src=\"/d.png\" alt=\"jar\" /></picture> b.",
        &["p > picture > source[data-only='dark'][srcset$='n.png'][media*='dark'] + img[alt='jar']"],
        "A b.",
    ),
    (
        "Hear <audio controls><source src=\"/a.mp3\" type=\"audio/mpeg\" />No sound.</audio> it.",
        &["p audio > source[src$='a.mp3']"],
        "Hear it.",
    ),
    (
        "<video controls width=\"300\"><source src=\"/v.mp4\" type=\"video/mp4\" />No player.</video>\n\nBelow.",
        &["video > source[src$='v.mp4']", "p"],
        "Below.",
    ),
    (
        "Take <select><optgroup label=\"Clay\"><option>Cup</option><option>Jar</option></optgroup></select> now.",
        &["p > select > optgroup > option + option"],
        "Take Cup Jar now.",
    ),
    ("Say <textarea rows=\"2\">wet clay</textarea> now.", &["p > textarea[rows='2']"], "Say wet clay now."),
    (
        "Done <progress value=\"3\" max=\"4\">75 %</progress>, warm <meter value=\"0.6\">60 %</meter>.",
        &["progress[value='3']", "meter[value='0.6']"],
        "Done 75 % , warm 60 % .",
    ),
    (
        "<img src=\"/d.png\" alt=\"kiln\" useMap=\"#m\" />\n\n<map name=\"m\"><area shape=\"rect\" coords=\"0,0,1,1\" href=\"https://a.example\" alt=\"door\" /></map>",
        &["img[usemap='#m']", "map[name='m'] > area[href='https://a.example'][alt='door']"],
        "",
    ),
    ("<object data=\"/d.png\" type=\"image/png\">a jar</object>", &["img[src$='d.png'][alt='a jar']"], ""),
    ("Red <style>.k7{color:red}</style> after.", &["style"], "Red after."),
    ("a <ruby>火<rp>(</rp><rt>hi</rt><rp>)</rp></ruby> b", &["p > ruby > rt"], "a 火 ( hi ) b"),
    ("Type `<svg>` and `</svg>` in code.", &["p > code + code"], "Type <svg> and </svg> in code."),
];

/// What only HTML has: names in any case, and what MDX would not read.
const PLAIN: &[Case] = &[
    (
        "<SVG VIEWBOX=\"0 0 4 4\"><CLIPPATH ID=\"c\"><RECT WIDTH=\"1\" HEIGHT=\"1\"/></CLIPPATH></SVG>",
        &["svg[viewBox='0 0 4 4'] > clipPath > rect"],
        "",
    ),
    (
        "<svg viewBox=\"0 0 1 1\">\n<path d=\"M0 0h1\"/>\n\n<circle r=\"1\"/>\n</svg> and on\n\nBelow.",
        &["svg > path + circle"],
        "and on Below.",
    ),
    (
        "> <svg viewBox=\"0 0 1 1\">\n> <path d=\"M0 0h1\"/>\n> </svg>\n>\n> said",
        &["blockquote svg > path", "blockquote > p"],
        "said",
    ),
    ("Draw <svg\nviewBox=\"0 0 1 1\"><path\nd=\"M0 0h1\"/></svg> it.", &["p > svg > path"], "Draw it."),
    (
        "<svg viewBox=\"0 0 1 1\"><svg x=\"1\"><path d=\"M0 0h1\"/></svg><circle r=\"1\"/></svg>.",
        &["svg > svg + circle"],
        ".",
    ),
    (
        "<video controls>\n\n<source src=\"v.mp4\">\n\nNo player.\n</video>\n\nBelow.",
        &["video > source[src$='v.mp4']"],
        "Below.",
    ),
    ("Words <STYLE>.k8{color:red}</STYLE> after.", &["style"], "Words after."),
    ("Words <template><b>none</b></template> after.", &[], "Words after."),
    ("Left <svg viewBox=\"0 0 1 1\"><text>said</text>", &["svg"], "Left said"),
    (
        "Say <dialog open>yes</dialog> and <center>no</center> again.",
        &["div[open] + p", "div.center + p"],
        "Say yes and no again.",
    ),
    ("Find <search>it</search> <nav>here</nav> <em>now</em>.", &["div + div + p > em"], "Find it here now."),
    ("A <marquee>slow</marquee> <acronym>BBC</acronym> <slot>end</slot>.", &["p:only-child"], "A slow BBC end ."),
];

/// Words in angle brackets, which stay words in every dialect.
const WORDS: &[(&str, &str)] = &[
    ("Run <script-name> now.", "Run <script-name> now."),
    ("Use `pot` -o <dir> here.", "Use pot -o <dir> here."),
    ("Copy <source> to <target>.", "Copy <source> to <target>."),
    ("At <time> in the <path>, **say** <title>.", "At <time> in the <path>, say <title>."),
    ("| a |\n|---|\n| get <token> |", "a get <token>"),
    ("- say <your-name>\n- end", "say <your-name> end"),
    ("## Fire <kind> slowly", "Fire <kind> slowly"),
    ("*to <host>*", "to <host>"),
    ("Write <your own name> here.", "Write <your own name> here."),
    ("| a |\n|---|\n| <two words> |", "a <two words>"),
];

fn site_of(cases: &[&[Case]], extension: &str) -> SiteTest {
    let config =
        r##"{"theme": "mint", "name": "N", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index"]}}"##;
    let mut site = SiteTest::inline("").file("v.mp4", "v").file("a.mp3", "a").file("d.png", "d").file("n.png", "n");
    if extension == "mdx" {
        site = site.file("docs.json", config);
    }
    site = site.file(&format!("index.{extension}"), "# Start\n\nWords.\n");
    let sources = cases.iter().flat_map(|cases| cases.iter()).map(|(source, ..)| *source);
    for (number, source) in sources.chain(WORDS.iter().map(|(source, _)| *source)).enumerate() {
        site = site.file(&format!("c{number}.{extension}"), format!("---\ntitle: Case {number}\n---\n\n{source}\n"));
    }
    site
}

fn compare(cases: &[&[Case]], extension: &str) {
    let site = site_of(cases, extension).arg("--offline").other_diagnostics().run();
    let mut wrong = Vec::new();
    let cases = cases.iter().flat_map(|cases| cases.iter()).copied();
    for (number, (source, selectors, says)) in
        cases.chain(WORDS.iter().map(|(source, says)| (*source, &[][..], *says))).enumerate()
    {
        let page = site.page(&format!("c{number}"));
        for selector in selectors {
            let within: Vec<String> = selector.split(", ").map(|one| format!(".mdx-content {one}")).collect();
            if page.count(&within.join(", ")) == 0 {
                wrong.push(format!("{source:?}: nothing matches `{selector}`"));
            }
        }
        let said = page.content_text();
        let said = said.split_once(&format!("Case {number}")).map_or("", |(_, said)| said.trim());
        if said != says {
            wrong.push(format!("{source:?}: says {said:?}, not {says:?}"));
        }
    }
    assert!(wrong.is_empty(), "{extension}:\n{}", wrong.join("\n"));
}

#[test]
fn elements_of_markdown_own_their_content() {
    compare(&[BOTH, PLAIN], "md");
}

#[test]
fn elements_of_mdx_own_their_content() {
    compare(&[BOTH], "mdx");
}

/// What shows nothing is named, and so is what nothing closes.
#[test]
fn what_is_left_out_is_told() {
    SiteTest::inline("")
        .file("README.md", "# T\n\nA <template>lost</template> b.\n\n<svg viewBox=\"0 0 1 1\"><blink>x</blink></svg> c.\n\nd <video src=\"v.mp4\"> e.\n\n<MyPart />\n")
        .file("v.mp4", "v")
        .diagnostic("element-dropped", "README.md:3:3")
        .diagnostic("element-dropped", "README.md:5:1")
        .diagnostic("mdx-unclosed-tag", "README.md:7:3")
        .diagnostic("unknown-component", "README.md:9:1")
        .element("index", "video[src$='v.mp4']")
        .text("index", "d e.")
        .run();
}

/// Files that controls and drawings name stay.
#[test]
fn elements_that_html_does_not_have_are_told_once() {
    let body = "Between <think> and </think>, <think>again</think>.\n\nNow <end/> of <my-own>it</my-own>, <b>that</b>.";
    let told = |site: SiteTest, file: &str, line: u32| {
        site.diagnostic("unknown-element", &format!("{file}:{line}:9"))
            .diagnostic("unknown-element", &format!("{file}:{}:5", line + 2))
            .text("index", "Between and , again. Now of it, that.")
            .run();
    };
    told(SiteTest::page(body), "index.mdx", 5);
    let plain = format!("{body}\n\nA </stray> and <item no=\"3\"> and that.\n");
    let plain = SiteTest::inline("").file("index.md", plain);
    let plain = ["5:3", "5:16"]
        .iter()
        .fold(plain, |site, place| site.diagnostic("unknown-element", &format!("index.md:{place}")));
    told(plain, "index.md", 1);
}

#[test]
fn local_files_of_controls_and_drawings_stay() {
    let body = "<input type=\"image\" src=\"/k.png\" alt=\"fire\" />\n\n<svg viewBox=\"0 0 1 1\"><use href=\"/parts.svg#pot\" /></svg>";
    SiteTest::page(body)
        .file("k.png", "k")
        .file("parts.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"pot\"/></svg>")
        .element("index", "input[type='image'][src$='k.png']")
        .element("index", "svg > use[href$='parts.svg#pot']")
        .run();
}

/// Descriptions of APIs, of pages and of snippets keep them, too.
#[test]
fn words_in_angle_brackets_stay_in_descriptions() {
    let description = r#"{"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "paths": {"/pot": {"get": {
        "summary": "Get it", "description": "Send <session>.",
        "parameters": [{"name": "k", "in": "query", "description": "Begins with Shop <secret> and more.", "schema": {"type": "string"}}],
        "responses": {"200": {"description": "Yes <ok>", "headers": {"X-A": {"description": "The <dir> of it.", "schema": {"type": "string"}}},
        "content": {"application/json": {"schema": {"type": "object", "properties": {"a": {"type": "string", "description": "A <kiln-id> of one."}}}}}}}}}}}"#;
    SiteTest::pages(&[("index", "Words."), ("op", "")])
        .file("openapi.json", description)
        .file("op.mdx", "---\nopenapi: GET /pot\n---\n")
        .file("index.mdx", "---\ntitle: Say <name>\ndescription: Give it a <word>.\n---\n\nWords.\n")
        .text("op", "Send <session>.")
        .text("op", "Begins with Shop <secret> and more.")
        .text("op", "A <kiln-id> of one.")
        .text("index", "Say <name>")
        .text("index", "Give it a <word>.")
        .other_diagnostics()
        .run();
}
