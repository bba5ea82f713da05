//! What pages of VuePress, Docsify, Obsidian, Nextra and Fumadocs hold, beside what their fixtures show.

use super::site::SiteTest;
use super::young_tools::order;

#[test]
fn a_site_of_the_second_vuepress() {
    let site = SiteTest::fixture("vuepress-2")
        .text("index", "Grind a mirror, see the rings.")
        .text("index", "MIT Licensed | Copyright Acme")
        .element("index", "main img[src='images/dark.svg']")
        .element("index", "[data-component=CodeGroup]")
        .text("guide/index", "A mirror of 150 mm at f/8")
        .element("guide/index", "main a[href='../finder.html#align']")
        .text("guide/index", "1 + 1 is 2.")
        .text("guide/mirror", "export const strokes = 600")
        .text("guide/mirror", "return mirror.depth + strokes / 1000")
        .nowhere("guide/mirror", "no-line-numbers")
        .text("guide/mirror", "Look at a star.")
        .element("guide/mirror", "[data-component=Tab][data-title='By night']")
        .text("de/guide/index", "Achtung")
        .element("guide/first-light", "#_2-stars-1")
        .run();
    let pages = order(&site);
    assert_eq!(
        pages.get(..8).unwrap_or_default(),
        [
            "guide/index",
            "guide/mirror",
            "guide/first-light",
            "guide/seeing",
            "finder",
            "reference/mounts",
            "reference/settings",
            "notes/index"
        ],
    );
}

#[test]
fn a_site_of_the_fourth_nextra() {
    let site = SiteTest::fixture("nextra-4")
        .text("index", "This book bakes 3 loaves, Rye crumb: dark ones too.")
        .element("index", "[data-component=Tip] .callout-title")
        .text("index", "The scale shows 500 g.")
        .text("index", "A part of the page for bakers.")
        .text("index", "yarn add bread")
        .element("index", "h2#own")
        .element("start/flour", "main a[href='water.html']")
        .text("api/bake", "bake(minutes)")
        .run();
    let pages = order(&site);
    assert_eq!(
        pages.get(..7).unwrap_or_default(),
        [
            "index",
            "start/flour",
            "start/water",
            "start/salt-and-more",
            "advanced/index",
            "advanced/sourdough",
            "advanced/ovens/brick"
        ],
    );
    assert!(site.text_of("llms.txt").contains("[Salt and More]"), "{}", site.text_of("llms.txt"));
}

#[test]
fn components_of_all_pages_are_imported() {
    for (path, text) in [
        (
            "mdx-components.tsx",
            "import { Box } from '@/parts/box'\nimport * as all from './parts/all.js'\nexport function useMDXComponents(own) {\n  return { Crate: Box, ...all, ...own }\n}\n",
        ),
        (
            "src/components/mdx.tsx",
            "import { Box as Crate } from '../../parts/box'\nimport { Lid } from '../../parts/all'\nexport const getMDXComponents = () => ({ Crate, Lid })\n",
        ),
    ] {
        SiteTest::inline("")
            .file("source.config.ts", "import { defineDocs } from 'fumadocs-mdx/config'\nexport const docs = defineDocs({ dir: 'content/docs' })\n")
            .file("tsconfig.json", "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./*\"] } } }")
            .file(path, text)
            .file("parts/box.tsx", "export function Box({ children }) {\n  return <p>In a box: {children}</p>\n}\n")
            .file("parts/all.tsx", "export function Lid() {\n  return <b>a lid</b>\n}\n")
            .file("content/docs/index.mdx", "---\ntitle: Start\n---\n\n<Crate>nails</Crate>\n\nWith <Lid />.\n")
            .file("content/docs/own.mdx", "---\ntitle: Own\n---\n\nexport const Crate = () => <i>own words</i>\n\n<Crate />\n")
            .text("docs/index", "In a box: nails")
            .text("docs/index", "With a lid.")
            .text("docs/own", "own words")
            .run();
    }
}

#[test]
fn pages_of_operations_are_made() {
    SiteTest::inline("")
        .file("docs/source.config.ts", "import { defineDocs } from 'fumadocs-mdx/config'\nexport const docs = defineDocs({ dir: 'content/docs' })\n")
        .file("docs/openapi.json", "{ \"openapi\": \"3.1.0\", \"info\": { \"title\": \"Pets\", \"version\": \"1\" }, \"paths\": { \"/pets\": { \"get\": { \"summary\": \"List pets\", \"parameters\": [{ \"name\": \"limit\", \"in\": \"query\", \"schema\": { \"type\": \"integer\" }, \"description\": \"How many\" }], \"responses\": { \"200\": { \"description\": \"Some\" } } } } } }")
        .file("docs/content/docs/index.mdx", "---\ntitle: Start\n---\n\nWords.\n")
        .file("docs/content/docs/list.mdx", "---\ntitle: List pets\nfull: true\n_openapi:\n  method: GET\n---\n\n<APIPage\n  document={\"./openapi.json\"}\n  operations={[{\"path\":\"/pets\",\"method\":\"get\"}]}\n  webhooks={[]}\n/>\n\nAnd more words.\n")
        .text("docs/list", "How many")
        .text("docs/list", "And more words.")
        .run();
}

#[test]
fn options_of_docsify_lie_beside_its_page() {
    let page = "<html><body><div id=app></div><script src=\"js/options.js\"></script><script src=\"//cdn.example.com/docsify@4/lib/docsify.min.js\"></script></body></html>";
    SiteTest::inline("")
        .file("docs/index.html", page)
        .file(
            "docs/js/options.js",
            "window.$docsify = { name: 'Kites', loadSidebar: 'menu.md', alias: { '/news': '/_parts/news.md' } };\n",
        )
        .file("docs/menu.md", "- [B](b.md)\n- [News](news)\n- [A](a.md)\n")
        .file("docs/README.md", "# Kites :id=top\n\nFly.\n\n[b](_none.md ':include')\n")
        .file("docs/a.md", "# A <!-- {docsify-ignore} -->\n\nWords.\n")
        .file("docs/b.md", "# 2. B\n\n[up](#_2-b)\n")
        .file("docs/_parts/news.md", "# News\n\nWind.\n")
        .diagnostic("include-unread", "docs/README.md:5")
        .element("index", "title")
        .nowhere("index", ":id=")
        .nowhere("a", "docsify-ignore")
        .text("news", "Wind.")
        .run();
}

#[test]
fn queries_and_canvases_of_obsidian_are_told() {
    SiteTest::inline("")
        .file(".obsidian/app.json", "{ \"attachmentFolderPath\": \"Files\" }")
        .file(
            "Home.md",
            "Words.\n\n```dataview\nLIST FROM #boat\n```\n\n```js\nlet dataview;\n```\n\n![[map.canvas]]\n",
        )
        .file(
            "map.canvas",
            "{ \"nodes\": [{ \"id\": \"1\", \"type\": \"text\", \"text\": \"Harbour\" }], \"edges\": [] }",
        )
        .diagnostic("query-block", "Home.md:3")
        .diagnostic("unread-documents", "map.canvas")
        .text("Home", "LIST FROM #boat")
        .other_diagnostics()
        .run();
}

#[test]
fn a_vault_says_what_obsidian_says() {
    let note = "---\naliases: [Rigging]\ntags: [boat, boat/sail]\ncssclasses: [wide]\n---\n\nSee [[Knots & ropes#What's new? (2024)|the news]], [[Log/2024-05-01|May]], [[Mast#^strong|why]] and [plain](Log/2024-05-01.md).\n\n- item\n  > [!warning]- Wet\n  > It slips.\n  >\n  > > [!note] Deep\n  > > Very ==deep==.\n- [/] half done\n- [x] done #boat/sail\n\n| A | B |\n| - | - |\n| ![[sail.svg\\|40]] | [[Mast\\|the mast]] |\n\n%%\nnot shown\n%%\n\n![[Mast#Wood]]\n\n![[Mast#^strong]]\n\n> [!custom-kind]+\n> Own words.\n\nEnd of it.[^1]\n\n[^1]: A footnote.\n";
    let site = SiteTest::inline("")
        .file("vault/.obsidian/app.json", "{ \"attachmentFolderPath\": \"Files\", \"strictLineBreaks\": true }")
        .file("vault/Start.md", note)
        .file("vault/Knots & ropes.md", "# Knots & ropes\n\n## What's new? (2024)\n\nA hitch.\n")
        .file(
            "vault/Mast.md",
            "The mast.\n\n## Wood\n\nSpruce it is.\n\n- oak is strong ^strong\n- ash bends\n\n## Metal\n\nHeavy.\n",
        )
        .file("vault/Log/2024-05-01.md", "Sailed.\n")
        .file("vault/Private.md", "---\npublish: false\n---\n\nSecret.\n")
        .file(
            "vault/Files/sail.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><path d=\"M0 0h8v8z\"/></svg>",
        )
        .diagnostic("page-draft", "vault/Private.md")
        .element("Start", "main a[href='Knots%20&%20ropes.html#whats-new-2024']")
        .element("Start", "main a[href='Log/2024-05-01.html']")
        .element("Start", "main a[href='Mast.html#%5Estrong']")
        .element("Start", "main li details")
        .text("Start", "It slips.")
        .element("Start", "main li [data-component=Note] mark")
        .element("Start", "td img[width='40']")
        .element("Start", "td a[href='Mast.html']")
        .nowhere("Start", "not shown")
        .nowhere("Start", "%%")
        .text("Start", "Spruce it is.")
        .text("Start", "oak is strong")
        .nowhere("Start", "Heavy.")
        .text("Start", "Custom kind")
        .text("Start", "A footnote.")
        .no_file("Private.html")
        .run();
    assert_eq!(order(&site), ["Start", "Log/2024-05-01", "Knots & ropes", "Mast"]);
}

#[test]
fn titles_have_the_values_of_expressions() {
    let site = SiteTest::inline("")
        .file(".vitepress/config.ts", "export default { title: 'S' };\n")
        .file("index.md", "---\nboats: 4\n---\n\n# Sum {{ 1 + 1 }} of {{ $frontmatter.boats }}\n\nWords.\n")
        .text("index", "Sum 2 of 4")
        .run();
    assert!(site.text_of("index.html").contains("<title>Sum 2 of 4"), "{}", site.text_of("index.html"));
    assert!(site.text_of("llms.txt").contains("[Sum 2 of 4]"));
    let site = SiteTest::inline("")
        .file(
            "docs.json",
            "{ \"name\": \"S\", \"colors\": { \"primary\": \"#123456\" }, \"navigation\": { \"pages\": [\"index\"] } }",
        )
        .file("index.mdx", "# Sum {1 + 1}\n\nWords.\n")
        .other_diagnostics()
        .run();
    assert!(site.text_of("index.html").contains("<title>Sum 2"), "{}", site.text_of("index.html"));
}

#[test]
fn modules_with_words_of_statements_in_their_names_are_found() {
    // the words that statements are made of, quotes and comments are parts of names
    let page = "import from from './import-from-default.mdx'\nimport { default as As, other as as } from \"./it's from.jsx\" // from 'x'\nimport /* from './none' */ Part from './as from as.mdx'\n\n# Start\n\n<from />\n\n<As />\n\n<Part />\n";
    let files = [
        ("import-from-default.mdx", "Install it from source.\n"),
        ("it's from.jsx", "export default function As() {\n  return <p>As it is.</p>\n}\nexport const other = 1\n"),
        ("as from as.mdx", "A part of it.\n"),
    ];
    for (config, text, folder) in [
        (
            "docusaurus.config.js",
            "module.exports = { title: 'S', presets: [['classic', { docs: { routeBasePath: '/' } }]] };\n",
            "docs",
        ),
        (
            "astro.config.mjs",
            "import s from '@astrojs/starlight'; export default { integrations: [s({ title: 'S' })] }\n",
            "src/content/docs",
        ),
        (
            "source.config.ts",
            "import { defineDocs } from 'fumadocs-mdx/config'\nexport const docs = defineDocs({ dir: 'content' })\n",
            "content",
        ),
    ] {
        let page = page.replace("import from from", "import From from").replace("<from />", "<From />");
        let site = SiteTest::inline("")
            .file(config, text)
            .file(&format!("{folder}/index.mdx"), format!("---\ntitle: Start\n---\n{page}"));
        let site = files.iter().fold(site, |site, (name, text)| site.file(&format!("{folder}/{name}"), *text));
        site.text("index", "Install it from source.")
            .text("index", "As it is.")
            .text("index", "A part of it.")
            .other_diagnostics()
            .run();
    }
}

#[test]
fn data_that_is_not_read_is_told() {
    SiteTest::inline("")
        .file("hugo.toml", "title = 'S'\n[[module.mounts]]\nsource = 'content'\ntarget = 'content'\n[[module.mounts]]\nsource = 'words'\ntarget = 'i18n'\n[[module.mounts]]\nsource = 'shared'\ntarget = 'layouts'\n[[module.mounts]]\nsource = 'short'\ntarget = 'layouts/shortcodes'\n")
        .file("content/_index.md", "---\ntitle: Start\n---\n\n{{< hello >}} {{< bye >}}\n")
        .file("words/en.toml", "greeting = 'Good day'\n")
        .file("shared/shortcodes/hello.html", "{{ i18n \"greeting\" }}, sailor.")
        .file("short/bye.html", "So long.")
        .file("data/tides.xml", "<tides><tide>3</tide></tides>\n")
        .file("data/boats.json", "{ \"a\": 1 }\n")
        .diagnostic("data-unread", "data/tides.xml")
        .text("index", "Good day, sailor. So long.")
        .run();
}

#[test]
fn titles_with_marks_stand_once() {
    for (config, folder) in [
        ("mkdocs.yml", "docs"),
        (".vitepress/config.js", ""),
        ("docusaurus.config.js", "docs"),
        ("docs/index.html", "docs"),
    ] {
        let text = match config {
            "mkdocs.yml" => "site_name: S\n",
            "docs/index.html" => "<script>window.$docsify = {}</script>",
            _ => "module.exports = { title: 'S', presets: [['classic', { docs: { routeBasePath: '/' } }]] };\n",
        };
        let page = if folder.is_empty() { "index.md".to_owned() } else { format!("{folder}/index.md") };
        for heading in
            ["# Use `tide` & *wind*", "# Use tide &amp; [wind](https://example.com)", "Use `tide` & wind\n==="]
        {
            let site = SiteTest::inline("")
                .file(config, text)
                .file(&page, format!("---\ntitle: Use `tide` & wind\n---\n\nWords before.\n\n{heading}\n\nWords.\n"))
                .other_diagnostics()
                .run();
            let shown = site.page("index");
            let all = shown.select("#page-title:not(.visually-hidden), main h2.h1");
            assert_eq!(all.len(), 1, "{config}: {heading}");
        }
    }
}

#[test]
fn components_that_load_later_are_there() {
    for lazy in [
        "const Chart = React.lazy(() => import('/snippets/chart.jsx'));",
        "const Chart = lazy(() => import('./chart.jsx').then((module) => ({ default: module.Chart })));",
    ] {
        SiteTest::inline("")
            .file("docs.json", "{ \"name\": \"S\", \"colors\": { \"primary\": \"#123456\" }, \"navigation\": { \"pages\": [\"index\"] } }")
            .file("index.mdx", "---\ntitle: T\n---\n\nimport { Board } from '/snippets/board.jsx'\n\n<Board />\n")
            .file("snippets/chart.jsx", "export const Chart = ({ of }) => <p>A chart of {of}</p>;\nexport default Chart;\n")
            .file(
                "snippets/board.jsx",
                format!("import React, {{ Suspense, lazy }} from 'react';\n{lazy}\nexport const Board = () => <Suspense fallback={{<i>wait</i>}}><Chart of=\"tides\" /></Suspense>;\n"),
            )
            .text("index", "A chart of tides")
            .other_diagnostics()
            .run();
    }
}

#[test]
fn entries_of_nextra_may_be_elements_and_menus() {
    let site = SiteTest::inline("")
        .file("next.config.mjs", "import nextra from 'nextra'\nexport default nextra({ theme: 'nextra-theme-docs' })()\n")
        .file("pages/_meta.jsx", "export default { index: { type: 'page', display: 'hidden' }, docs: { type: 'page', title: <em>The <b>books</b></em> }, more: { type: 'menu', title: 'More', items: { x: { title: 'Forum', href: 'https://example.com/forum' } } } }\n")
        .file("pages/docs/_meta.js", "export default { b: '', '#': { type: 'separator', title: <i>Later on</i> }, a: { title: <>Ay</> } }\n")
        .file("pages/index.mdx", "import { Table, Tabs } from 'nextra/components'\n\n# Start\n\n<Table><tbody><Table.Tr><Table.Td>cell</Table.Td></Table.Tr></tbody></Table>\n\n<Tabs items={[<b>One</b>, { label: 'Two', disabled: true }]}><Tabs.Tab>first</Tabs.Tab><Tabs.Tab>second</Tabs.Tab></Tabs>\n")
        .file("pages/404.mdx", "# Gone\n")
        .file("pages/docs/a.mdx", "# A\n")
        .file("pages/docs/b.mdx", "# B\n")
        .element("index", "table td")
        .element("index", "[data-component=Tab][data-title=One]")
        .element("index", "[data-component=Tab][data-title=Two]")
        .other_diagnostics()
        .run();
    assert_eq!(order(&site)[..2], ["docs/b", "docs/a"]);
    let page = site.text_of("docs/a.html");
    for words in ["The books", "Later on", "Ay", "https://example.com/forum"] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("404.html"), "what hosts show for other addresses is no entry");
}

#[test]
fn the_start_page_of_the_default_language_comes_first() {
    let site = SiteTest::inline("")
        .file("next.config.mjs", "import nextra from 'nextra'\nexport default nextra({ theme: 'nextra-theme-docs' })({ i18n: { locales: ['en', 'de'], defaultLocale: 'de' } })\n")
        .file("pages/de/_meta.ts", "export default { index: { type: 'page', display: 'hidden' }, docs: { type: 'page', title: 'Buch' } }\n")
        .file("pages/de/index.mdx", "# Anfang\n")
        .file("pages/de/docs/b.mdx", "# B\n")
        .file("pages/en/index.mdx", "# Start\n")
        .file("pages/en/docs/b.mdx", "# B en\n")
        .other_diagnostics()
        .run();
    assert!(site.text_of("index.html").contains("Anfang"), "the start page of the site");
}

#[test]
fn parts_and_code_of_fumadocs() {
    SiteTest::inline("")
        .file("source.config.ts", "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n")
        .file("content/docs/index.mdx", "---\ntitle: Start\n---\n\n<include>./part.mdx#kiln</include>\n\n<DynamicCodeBlock lang=\"ts\" code=\"let clay\" />\n\n<Tabs defaultValue=\"w\">\n  <TabsList>\n    <TabsTrigger value=\"w\">Wheel</TabsTrigger>\n  </TabsList>\n  <TabsContent value=\"w\">turns</TabsContent>\n</Tabs>\n")
        .file("content/docs/part.mdx", "---\ntitle: Part\n---\n\nbefore\n\n<section id=\"kiln\">\n\nhot words\n\n</section>\n\nafter\n")
        .text("docs/index", "hot words")
        .nowhere("docs/index", "before")
        .nowhere("docs/index", "after")
        .element("docs/index", "pre code")
        .text("docs/index", "let clay")
        .element("docs/index", "[data-component=Tab][data-title=Wheel]")
        .run();
}

#[test]
fn what_gitbook_makes_is_told() {
    SiteTest::inline("")
        .file(".gitbook.yaml", "root: ./\n")
        .file("SUMMARY.md", "# Contents\n\n* [Start](README.md)\n* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n  ```\n")
        .file("README.md", "# Start\n\n{% tabs %}\n{% tab title=\"The \\\"big\\\" one\" %}\nwords\n{% endtab %}\n{% endtabs %}\n\n{% content-ref url=\"./\" %}\n[.](./)\n{% endcontent-ref %}\n")
        .diagnostic("page-template", "SUMMARY.md:5:3")
        .element("index", "[data-component=Tab][data-title='The “big” one']")
        .element("index", "main .card[href='index.html']")
        .run();
}

#[test]
fn alerts_of_docsify_have_options() {
    SiteTest::inline("")
        .file("index.html", "<script>window.$docsify = { name: 'Sea' }</script><script src=\"//unpkg.com/docsify\"></script>")
        .file("README.md", "# Sea\n\n> [!WARNING|style:flat|label:Mind the **tide**]\n> It `rises`.\n\n<!-- tabs:start -->\n\n#### **Ebb**\n\n?> low\n\nstill ebb\n\n#### **Flow**\n\nhigh\n\n<!-- tabs:end -->\n")
        .element("index", "[data-component=Warning] .callout-title")
        .text("index", "It rises.")
        .nowhere("index", "style:flat")
        .element("index", "[data-component=Tab][data-title=Ebb] [data-component=Info]")
        .element("index", "[data-component=Tab][data-title=Flow]")
        .run();
}

#[test]
fn parts_of_the_frame_of_docsify_are_no_pages() {
    SiteTest::inline("")
        .file("index.html", "<script>window.$docsify = { name: 'Sea', loadNavbar: 'bar.md', loadSidebar: 'side', coverpage: 'top.md' }</script><script src=\"//unpkg.com/docsify\"></script>")
        .file("README.md", "# Sea\n")
        .file("bar.md", "* [Sea](/)\n")
        .file("side.md", "* [Sea](/)\n* [Bay](bay.md)\n")
        .file("top.md", "# Salt\n")
        .file("bay.md", "# Bay\n")
        .no_file("bar.html")
        .no_file("side.html")
        .no_file("top.html")
        .text("index", "Salt")
        .run();
}

#[test]
fn values_of_books_and_signs_of_tasks() {
    SiteTest::inline("")
        .file("book.toml", "[book]\ntitle = 'Bees'\n[preprocessor.variables.variables]\nhive = 'Langstroth'\n")
        .file("src/SUMMARY.md", "- [Start](start.md)\n")
        .file("src/start.md", "# Start\n\nA {{hive}} and {{ hive }}, {{other}}.\n\n```sh\nopen {{hive}}\n```\n")
        .text("start", "A Langstroth and Langstroth, {{other}}.")
        .text("start", "open Langstroth")
        .run();
    let site = SiteTest::inline("")
        .file(".obsidian/app.json", "{}")
        .file(
            "Home.md",
            "# Home\n\n- [-] dropped\n- [/] begun\n- [ ] open\n- [a](https://example.com)\n1. [!] urgent\n",
        )
        .nowhere("Home", "[-]")
        .nowhere("Home", "[!]")
        .other_diagnostics()
        .run();
    assert_eq!(site.page("Home").count("main input[type=checkbox]"), 4);
}
