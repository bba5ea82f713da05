//! Statements and scripts of pages: imports in every form, modules that are loaded later, hooks and constants on the page
//! itself.

use std::fmt::Write as _;

use crate::suite::site::SiteTest;

/// A page that has one import, in so many forms, and shows what it imports.
#[test]
fn imports_in_every_form() {
    let forms = [
        ("a", "import Ash from \"/parts/bake-from-clay.mdx\";", "<Ash />"),
        ("b", "import Ash from '/parts/from/from.mdx'", "<Ash />"),
        ("c", "import Ash from \"/parts/it's from here.mdx\"", "<Ash />"),
        ("d", "import Ash from '/parts/it\\'s from here.mdx'", "<Ash />"),
        ("e", "import Ash\nfrom \"/parts/import-as-default.mdx\"", "<Ash />"),
        ("f", "import {\n  Kiln as Ash, // from \"elsewhere\"\n} from './parts/kit from.jsx';", "<Ash />"),
        ("g", "import Extra, { Kiln as Ash } from '/parts/kit from.jsx'", "<Ash /> <Extra />"),
        ("h", "import * as Kit from '/parts/kit from.jsx'", "<Kit.Kiln />"),
        ("i", "import { Kiln } from '/parts/all.jsx'", "<Kiln />"),
        ("j", "import { Oven } from '/parts/all.jsx'", "<Oven.Kiln />"),
        ("k", "import { Renamed } from '/parts/all.jsx'", "<Renamed />"),
        (
            "l",
            "import './style.css'; import Ash from '/parts/from/from.mdx'; export const n = 1, m = 'from';",
            "<Ash /> {m}",
        ),
        ("m", "import Ash from '/parts/from/from.mdx' // from '/parts/none.mdx'\n{/* b */}", "<Ash />"),
        ("n", "import Ash\r\n  from '/parts/from/from.mdx'\r", "<Ash />"),
        ("o", "import { default as Ash } from \"/parts/from/from.mdx\"", "<Ash />"),
        ("p", "export { Kiln as Ash } from '/parts/kit from.jsx'", "<Ash />"),
    ];
    let pages: Vec<(&str, String)> =
        forms.iter().map(|(name, statement, body)| (*name, format!("{statement}\n\nBefore. {body}"))).collect();
    let pages: Vec<(&str, &str)> = pages.iter().map(|(name, body)| (*name, body.as_str())).collect();
    let mut site = SiteTest::pages(&pages)
        .file("parts/kit from.jsx", "export const Kiln = () => <b>Fired well</b>;\nexport default () => <i>more</i>;")
        .file("parts/all.jsx", "export * from './kit from.jsx';\nexport * as Oven from './kit from.jsx';\nexport { Kiln as Renamed } from './kit from.jsx';")
        .file("style.css", "b { color: red }");
    for path in ["bake-from-clay", "from/from", "it's from here", "import-as-default"] {
        site = site.file(&format!("parts/{path}.mdx"), "Fired well\n");
    }
    for (name, statement, _) in &forms {
        let first = statement.lines().next().unwrap_or_default();
        site = site.text(name, "Fired well").text(name, "Before.").nowhere(name, first);
    }
    site.other_diagnostics().run();
}

#[test]
fn prose_that_begins_with_a_word_of_the_language_stays() {
    let paragraphs = [
        "import your glazes from the menu.",
        "import glazes",
        "export it from 'there' at once.",
        "export default settings.",
        "export default glazes",
        "export class diagrams as pictures",
        "export const means that it stays",
        "export type of a kiln",
        "import \"kiln\" by its name",
    ];
    let body = paragraphs.join("\n\n");
    let mut site = SiteTest::page(&format!("import {{ K }} from './k.jsx'; and words behind it\n\n{body}\n\n<K />"))
        .file("k.jsx", "export const K = () => <b>Fired</b>;")
        .text("index", "and words behind it")
        .text("index", "Fired");
    for paragraph in paragraphs {
        site = site.text("index", &paragraph.replace(['\'', '"'], "")[..6]);
    }
    let page = site.run();
    let text = page.page("index").content_text();
    for paragraph in paragraphs {
        let words: Vec<&str> = paragraph.split([' ', '\'', '"']).filter(|word| !word.is_empty()).collect();
        let mut rest = text.as_str();
        for word in words {
            let at = rest.find(word).unwrap_or_else(|| panic!("{paragraph}: {word} in {text}"));
            rest = &rest[at + word.len()..];
        }
    }
}

/// What a script loads later costs no component: a file of the source is there, anything else is told.
#[test]
fn modules_that_are_loaded_later() {
    let parts = r#"import React, { useEffect, useState } from "react";
export const Missing = ({ text }) => { useEffect(() => { import("./none.js").then(m => m.go()) }, []); return <p>{text} one</p> };
export const Package = ({ text }) => { const fire = async () => { const { default: go } = await import('confetti'); go() }; return <p onClick={fire}>{text} two</p> };
export function Named({ text }) { useEffect(() => void import(`./later.js`).then((m) => m.go()), []); return <p>{text} three</p> }
export const Computed = ({ text, name }) => { useEffect(() => { import(`./${name}.js`) }); return <p>{text} four</p> };
export const Meta = ({ text }) => <p>{text} five {import.meta.env.MODE}</p>;
export const Typed = ({ text }: { text: string }) => { useEffect(() => { import("./later.js") }); return <p>{text} six</p> };"#;
    SiteTest::page("import { Missing, Package, Named, Computed, Meta, Typed } from '/parts/parts.tsx'\n\n<Missing text=\"Shown\" />\n\n<Package text=\"Shown\" />\n\n<Named text=\"Shown\" />\n\n<Computed text=\"Shown\" name=\"later\" />\n\n<Meta text=\"Shown\" />\n\n<Typed text=\"Shown\" />")
        .file("parts/parts.tsx", parts)
        .file("parts/later.js", "export const go = () => 1;")
        .diagnostic("script-import", "parts/parts.tsx:2:1")
        .diagnostic("script-import", "parts/parts.tsx:3:1")
        .diagnostic("script-import", "parts/parts.tsx:5:1")
        .text("index", "Shown one")
        .text("index", "Shown two")
        .text("index", "Shown three")
        .text("index", "Shown four")
        .text("index", "Shown five")
        .text("index", "Shown six")
        .run();
}

/// A page is a component itself: its expressions may have hooks.
#[test]
fn expressions_of_a_page_have_hooks() {
    SiteTest::page(
        "{(() => { const [n, setN] = useState(3); return <p onClick={() => setN(n + 1)}>Cone {n}</p> })()}\n\nGlaze {React.useMemo(() => 'blue', [])} at {useState(1200)[0]}.\n\n{(() => { useEffect(() => {}); const kept = useRef(7); return kept.current })()}",
    )
    .text("index", "Cone 3")
    .text("index", "Glaze blue at 1200.")
    .text("index", "7")
    .run();
}

#[test]
fn front_matter_is_a_value() {
    SiteTest::inline("")
        .file("docs.json", r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index"]}}"##)
        .file("index.mdx", "---\ntitle: Kilns\ncones: [6, 10]\nmaker: {name: Bertha}\nshelves: 4\n---\n\nimport Part from '/snippets/part.mdx'\n\n# {frontmatter.title}\n\nBy {frontMatter.maker.name}: {frontmatter.cones.join(' and ')}, {frontmatter.shelves + 1} shelves, {frontmatter.none}none.\n\n<Part />\n")
        .file("snippets/part.mdx", "Part of {frontmatter.title}.\n")
        .text("index", "By Bertha: 6 and 10, 5 shelves, none.")
        .text("index", "Part of Kilns.")
        .run();
}

/// `<pre>` around children keeps the lines that Markdown has, and so does code in it.
#[test]
fn lines_of_preformatted_children_stay() {
    let parts = "import { useState } from 'react';\nexport const Plain = ({ children }) => <pre>{children}</pre>;\nexport const Code = ({ children }) => <pre className=\"c\"><code>{children}</code></pre>;\nexport const Live = ({ children }) => { const [on] = useState(true); return <pre id=\"live\">{on && children}</pre> };\nexport const Deep = ({ children }) => <pre id=\"deep\"><code><span>{children}</span></code></pre>;";
    let body = "import { Plain, Code, Live, Deep } from '/parts.jsx'\nimport Part from '/snippets/part.mdx'\n\n<Plain>\none\ntwo\n\nfour\n</Plain>\n\n<Code>\nfive\nsix\n</Code>\n\n<Live>\nseven\neight\n</Live>\n\n<Deep>\nnine\nten\n</Deep>\n\n<Part>\neleven\ntwelve\n</Part>\n\n<Plain>{`thirteen\n  fourteen`}</Plain>";
    let site = SiteTest::page(body).file("parts.jsx", parts).file("snippets/part.mdx", "<pre>{children}</pre>\n").run();
    let page = site.page("index");
    let texts: Vec<String> =
        page.select("pre").iter().map(|pre| pre.text().collect::<String>().trim().to_owned()).collect();
    for lines in
        ["one\ntwo\n\nfour", "five\nsix", "seven\neight", "nine\nten", "eleven\ntwelve", "thirteen\n  fourteen"]
    {
        assert!(texts.iter().any(|text| text == lines), "{lines:?} in {texts:?}");
    }
}

/// A component that is called like an element shows nothing of its own, and keeps what stands in it.
#[test]
fn children_of_lower_case_components_stay() {
    let names = ["kiln", "title", "select", "link", "template", "noscript", "head", "option", "video", "summary"];
    let parts: String =
        names.iter().map(|name| format!("export const {name} = ({{ children }}) => <b>{{children}}</b>;\n")).collect();
    let mut body = format!("import {{ {} }} from '/parts.jsx'\n\n", names.join(", "));
    for name in names {
        let _ =
            write!(body, "<{name}>inline {name} words</{name}>\n\n<{name}>\n\nblock *{name}* words\n\n</{name}>\n\n");
    }
    let mut site = SiteTest::page(&body).file("parts.jsx", parts).other_diagnostics();
    for name in names {
        site = site.text("index", &format!("inline {name} words")).text("index", &format!("block {name} words"));
    }
    site.run();
}

/// Bounds grow with the page: what is written a thousand times may take a thousand times as much.
#[test]
fn a_component_may_be_used_as_often_as_its_author_writes_it() {
    let rows: String = (0..12).map(|n| format!("    <tr key={{{n}}}><td className=\"cell\">{{name}} {n}</td><td>{{items.filter((item) => item.length > {n}).map((item) => <i key={{item}}>{{item}}</i>)}}</td></tr>\n")).collect();
    let part = format!(
        "export const Field = ({{ name, items = ['a', 'bb', 'ccc', 'dddd'] }}) => {{\n  const words = name.split('-').map((word) => word.toUpperCase());\n  return <div id={{name}}>\n    <h4>{{words.join(' ')}}</h4>\n    <table><tbody>\n{rows}    </tbody></table>\n  </div>;\n}};\n"
    );
    let mut body = String::from("import { Field } from '/field.jsx'\n\n");
    for n in 0..1_700 {
        let _ = write!(body, "<Field name=\"glaze-number-{n}\" items={{['ash', 'clay', 'feldspar', 'silica']}} />\n\n");
    }
    body.push_str("The end.");
    SiteTest::page(&body)
        .file("field.jsx", part)
        .text("index", "GLAZE NUMBER 0")
        .text("index", "GLAZE NUMBER 1699")
        .text("index", "The end.")
        .run();
}
