//! Repositories of Docusaurus: what configurations, plugins and pages may say beside what `fixtures/docusaurus` has.

use super::site::{Exported, SiteTest};

/// A site with a configuration, whose pages lie in `docs` and begin at the root.
fn site(config: &str) -> SiteTest {
    SiteTest::inline("").file("docusaurus.config.js", config)
}

const ROOT: &str = "presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]]";

/// The pages in the order of the navigation.
fn order(site: &Exported) -> Vec<String> {
    let links = site.text_of("llms.txt").lines().filter_map(|line| line.strip_prefix("- [")?.split_once("]("));
    links.map(|(_, rest)| rest.split(".md)").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn paths_of_sidebars_are_resolved() {
    const SIDEBARS: &str = "module.exports = { docs: ['tide', 'anchor', 'mast'] };\n";
    for head in [
        "const { createRequire } = require('module'); const own = createRequire(__filename); const at = own.resolve('./sidebars.js');",
        "const at = require.resolve('./sidebars.js');",
        "const at = './sidebars.js';",
        "const at = require('path').join(__dirname, 'sidebars.js');",
    ] {
        let config = format!(
            "{head}\nmodule.exports = {{ title: 'Bay', presets: [['classic', {{ docs: {{ routeBasePath: '/', sidebarPath: at }} }}]] }};\n"
        );
        let site = site(&config)
            .file("sidebars.js", SIDEBARS)
            .file("docs/anchor.md", "# Anchor\n")
            .file("docs/mast.md", "# Mast\n")
            .file("docs/tide.md", "# Tide\n")
            .other_diagnostics()
            .run();
        assert_eq!(order(&site), ["tide", "anchor", "mast"], "{head}");
    }
    let module = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nconst versions = require('./order.json');\nexport default { title: `Bay ${versions.length}`, presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: require.resolve('./sidebars.cjs') } }]] };\n";
    let site = SiteTest::inline("")
        .file("docusaurus.config.mjs", module)
        .file("order.json", "[\"a\", \"b\"]\n")
        .file("sidebars.cjs", SIDEBARS)
        .file("docs/anchor.md", "# Anchor\n")
        .file("docs/mast.md", "# Mast\n")
        .file("docs/tide.md", "# Tide\n")
        .other_diagnostics()
        .run();
    assert_eq!(order(&site), ["tide", "anchor", "mast"]);
    assert!(site.text_of("tide.html").contains("<title>Tide - Bay 2</title>"));
}

#[test]
fn code_that_is_mdx_is_part_of_the_page() {
    let page = "import Part from './\\_part.mdx';\n\n```mdx-code-block\nimport Box from '@site/src/Box';\n\nexport const Knot = () => <b>bowline</b>;\n```\n\n# Ropes\n\n<Part/>\n\n| A | B |\n|---|---|\n| x | <Knot/> |\n\n- item\n\n  ```mdx-code-block\n  <Box title=\"In a list\">\n  ```\n\n  Inner words.\n\n  ```mdx-code-block\n  </Box>\n  ```\n\n````md\n```mdx-code-block\nshown\n```\n````\n";
    site(&format!("module.exports = {{ title: 'Bay', {ROOT} }};\n"))
        .file("docs/index.mdx", page)
        .file("docs/_part.mdx", "Words of a part.\n")
        .file(
            "src/Box.js",
            "export default function Box({ title, children }) { return <div><i>{title}</i>{children}</div> }\n",
        )
        .text("index", "Words of a part.")
        .text("index", "bowline")
        .text("index", "In a list Inner words.")
        .text("index", "```mdx-code-block shown ```")
        .nowhere("index", "import Box")
        .no_file("_part.html")
        .run();
}

#[test]
fn names_of_folders_are_those_of_the_bundler() {
    let alias = "() => ({ name: 'a', configureWebpack() { return { resolve: { alias: { '@parts': require('path').resolve(__dirname, 'src/parts') } } } } })";
    for (plugins, beside) in [
        (alias.to_owned(), ("x.txt", "x")),
        (format!("[{alias}, {{}}]"), ("x.txt", "x")),
        (
            "require.resolve('./plugins/alias.js')".to_owned(),
            (
                "plugins/alias.js",
                "module.exports = function () { return { name: 'a', configureWebpack: () => ({ resolve: { alias: { '@parts$': '/none', '@parts': '/src/parts' } } }) } };\n",
            ),
        ),
        (
            "'none'".to_owned(),
            ("tsconfig.json", "{ \"compilerOptions\": { \"paths\": { \"@parts/*\": [\"./src/parts/*\"] } } }\n"),
        ),
    ] {
        site(&format!("module.exports = {{ title: 'Bay', plugins: [{plugins}], {ROOT} }};\n"))
            .file(beside.0, beside.1)
            .file("docs/index.mdx", "import Knot from '@parts/Knot';\n\n# Ropes\n\n<Knot>inside</Knot>\n")
            .file(
                "src/parts/Knot.js",
                "export default function Knot({ children }) { return <b>A knot {children}</b> }\n",
            )
            .text("index", "A knot inside")
            .run();
    }
}

#[test]
fn files_that_are_excluded_are_no_pages() {
    let site = SiteTest::inline("")
        .file(
            "docusaurus.config.js",
            "module.exports = { title: 'Bay', presets: [['classic', { docs: { routeBasePath: '/', exclude: ['**/wip/**', 'old-*.md', '**/*.draft.md'], include: ['**/*.{md,mdx}'] }, blog: { exclude: ['**/private.md'] } }]] };\n",
        )
        .file("docs/index.md", "# Bay\n")
        .file("docs/wip/rope.md", "# Rope\n")
        .file("docs/deep/wip/rope.md", "# Rope\n")
        .file("docs/old-tide.md", "# Old\n")
        .file("docs/deep/old-tide.md", "# Old, deep\n")
        .file("docs/mast.draft.md", "# Mast\n")
        .file("blog/2024-01-02-public.md", "# Public\n")
        .file("blog/private.md", "# Private\n")
        .no_file("wip/rope.html")
        .no_file("deep/wip/rope.html")
        .no_file("old-tide.html")
        .no_file("mast.draft.html")
        .has_file("deep/old-tide.html")
        .no_file("blog/private.html")
        .other_diagnostics()
        .run();
    assert!(site.html().any(|path| path.starts_with("blog/2024/01/02/public")));
}

#[test]
fn quotes_are_alerts_where_a_plugin_makes_them() {
    let page = "# Ropes\n\n> [!WARNING]\n> It **slips**.\n>\n> ```sh\n> tie\n> ```\n\n- item\n\n  > [!tip]\n  > Dry it.\n\n> words\n";
    for (import, list) in [
        ("const a = require('remark-github-admonitions-to-directives');", "beforeDefaultRemarkPlugins: [a]"),
        ("const a = require('remark-github-blockquote-alert').remarkAlert;", "remarkPlugins: [[a, {}]]"),
        ("const { rehypeGithubAlerts } = require('rehype-github-alerts');", "rehypePlugins: [rehypeGithubAlerts]"),
        ("function remarkAlerts() {}", "remarkPlugins: [remarkAlerts]"),
    ] {
        let config = format!(
            "{import}\nmodule.exports = {{ title: 'Bay', presets: [['classic', {{ docs: {{ routeBasePath: '/', {list} }} }}]] }};\n"
        );
        site(&config)
            .file("docs/index.md", page)
            .element("index", "[data-component=Warning] strong")
            .element("index", "[data-component=Warning] pre")
            .element("index", "li [data-component=Tip]")
            .element("index", "blockquote")
            .nowhere("index", "[!")
            .run();
    }
    site(&format!("module.exports = {{ title: 'Bay', {ROOT} }};\n"))
        .file("docs/index.md", page)
        .no_element("index", "[data-component=Warning]")
        .text("index", "[!WARNING] It slips.")
        .run();
}

#[test]
fn lines_are_counted_from_a_number() {
    let page = "# Ropes\n\n```js showLineNumbers=10\nlet a;\n```\n\n```js {1} showLineNumbers={20} title=\"b.js\"\nlet b;\n```\n\n```js showLineNumbers\nlet c;\n```\n";
    site(&format!("module.exports = {{ title: 'Bay', {ROOT} }};\n"))
        .file("docs/index.md", page)
        .element("index", "[data-lines] code[style='counter-reset:line 9']")
        .element("index", "[data-lines] code[style='counter-reset:line 19']")
        .element("index", "[data-lines] code:not([style])")
        .text("index", "b.js")
        .run();
    // other tools have other names for it
    for (files, first) in [
        (
            vec![
                (
                    "astro.config.mjs",
                    "import s from '@astrojs/starlight'; export default { integrations: [s({ title: 'S' })] }",
                ),
                (
                    "src/content/docs/index.md",
                    "---\ntitle: S\n---\n\n```js showLineNumbers startLineNumber=5\na\n```\n",
                ),
            ],
            4,
        ),
        (
            vec![
                ("hugo.toml", "title = 'S'\n"),
                ("content/_index.md", "---\ntitle: S\n---\n\n```js {linenos=table,linenostart=7}\na\n```\n"),
            ],
            6,
        ),
        (vec![(".vitepress/config.js", "export default {}"), ("index.md", "# S\n\n```js:line-numbers=3\na\n```\n")], 2),
        (vec![("mkdocs.yml", "site_name: S\n"), ("docs/index.md", "# S\n\n```js linenums=\"8\"\na\n```\n")], 7),
        (
            vec![
                ("docs.json", "{\"name\":\"S\",\"navigation\":{\"pages\":[\"index\"]}}"),
                ("index.mdx", "---\ntitle: S\n---\n\n```js lines=9\na\n```\n"),
            ],
            8,
        ),
    ] {
        let all = files.iter().fold(SiteTest::inline(""), |site, (path, text)| site.file(path, text));
        all.element("index", &format!("[data-lines] code[style='counter-reset:line {first}']"))
            .other_diagnostics()
            .run();
    }
}

#[test]
fn titles_of_boxes_may_be_elements() {
    site("module.exports = {title: 'D', url: 'https://d.example', baseUrl: '/', presets: [['classic', {docs: {routeBasePath: '/'}, blog: false}]]};")
        .file("docs/index.mdx", "import Admonition from '@theme/Admonition';\nimport BrowserOnly from '@docusaurus/BrowserOnly';\nimport Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n\n# Start\n\n<Admonition type=\"tip\" title={<>Sail <b>high</b></>}>wind</Admonition>\n\n<BrowserOnly fallback={<i>wait</i>}>{() => <b>map</b>}</BrowserOnly>\n\n<BrowserOnly fallback={<i>later</i>}>{() => <b>{window.innerWidth}</b>}</BrowserOnly>\n\n<Tabs values={[{label: 'North', value: 'n'}]}><TabItem value=\"n\" label=\"other\">cold</TabItem></Tabs>\n")
        .element("index", "[data-component=Tip] .callout-title b")
        .text("index", "Sail high wind")
        .text("index", "map")
        .element("index", "[data-component=Tab][data-title=North]")
        .other_diagnostics()
        .run();
}

#[test]
fn comments_that_mark_lines_may_have_other_names() {
    let config = "module.exports = {title: 'D', url: 'https://d.example', baseUrl: '/', presets: [['classic', {docs: {routeBasePath: '/'}, blog: false}]], themeConfig: {prism: {magicComments: [{className: 'x', line: 'point-here', block: {start: 'point-from', end: 'point-to'}}]}}};";
    site(config)
        .file("docs/index.md", "# Start\n\n```js\nlet a;\n// point-here\nlet b;\n/* point-from */\nlet c;\n/* point-to */\nlet pointHere = 'point-here';\n```\n")
        .text("index", "let a; let b; let c; let pointHere = 'point-here';")
        .element("index", ".line.highlighted")
        .nowhere("index", "point-from")
        .run();
}

#[test]
fn entries_of_the_bar_lead_to_pages_without_a_sidebar() {
    let config = "module.exports = {title: 'D', url: 'https://d.example', baseUrl: '/', presets: [['classic', {docs: {}, blog: false}]], plugins: [['@docusaurus/plugin-content-docs', {id: 'api', path: 'api', routeBasePath: 'api', sidebarPath: false}]], themeConfig: {navbar: {items: [{type: 'docSidebar', sidebarId: 'defaultSidebar', label: 'Guides'}, {to: '/api/winch', label: 'Reference'}, {label: 'People', position: 'right', items: [{label: 'Chat', href: 'https://example.com/chat'}]}]}}};";
    let site = site(config)
        .file("docs/a.md", "# A\n")
        .file("docs/b.md", "# B\n")
        .file("api/winch.md", "# Winch\n")
        .has_file("api/winch.html")
        .run();
    let page = site.text_of("docs/a.html");
    for words in ["Reference", "../api/winch.html", "https://example.com/chat"] {
        assert!(page.contains(words), "{words}");
    }
}
