//! Repositories of VuePress, Obsidian, Docsify, Nextra and Fumadocs: a fixture for each that uses what real ones use.

use super::site::{Exported, SiteTest};

/// The pages in the order of the navigation.
pub(super) fn order(site: &Exported) -> Vec<String> {
    let links = site.text_of("llms.txt").lines().filter_map(|line| line.strip_prefix("- [")?.split_once("]("));
    links.map(|(_, rest)| rest.split(".md)").next().unwrap_or_default().replace("%20", " ")).collect()
}

#[test]
fn a_site_of_vuepress() {
    let site = SiteTest::fixture("vuepress")
        .text("index", "Weave by hand, thread by thread.")
        .element("index", "main img[src='shuttle.svg']")
        .element("index", "main a.button[href='guide/index.html']")
        .element("guide/index", "main a[href='#parts']")
        .element("guide/index", "[data-component=Tip] .callout-title")
        .element("guide/index", "[data-component=Danger]")
        .element("guide/index", "[data-component=Accordion] em")
        .text("guide/index", "by Ida")
        .element("guide/index", "main a[href='warping.html#beams']")
        .element("guide/index", "main a[href='twill.html']")
        .text("guide/index", "A loom with 12 threads per inch.")
        .element("guide/warping", "[data-component=CodeGroup]")
        .text("guide/warping", "npm install loom")
        .text("guide/warping", "return rows.join('\\n');")
        .element("guide/warping", "img[src='../shuttle.svg']")
        .element("guide/warping", "main a[href='twill.html']")
        .element("guide/plain-weave", "[data-component=Tab][data-title='Right hand']")
        .text("guide/twill", "{{ this stays }}")
        .has_file("reference/all-settings.html")
        .has_file("de/guide/index.html")
        .nowhere("guide/plain-weave", ":::")
        .run();
    assert_eq!(
        order(&site)[..6],
        [
            "guide/index",
            "guide/warping",
            "guide/plain-weave",
            "guide/twill",
            "reference/index",
            "reference/all-settings"
        ]
    );
    let page = site.text_of("guide/index.html");
    for words in ["Warp the loom", "#8a2be2", "https://github.com/acme/loom/edit/main/docs/guide/README.md", "Deutsch"]
    {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn sidebars_of_both_versions_of_vuepress() {
    for (config, expect) in [
        ("module.exports = { themeConfig: { sidebar: ['/', '/b', ['/a', 'First']] } };", vec!["index", "b", "a"]),
        ("module.exports = { themeConfig: { sidebar: [{ title: 'G', children: ['/b', '/a'] }] } };", vec!["b", "a"]),
        (
            "import { defaultTheme } from '@vuepress/theme-default'; import { defineUserConfig } from 'vuepress'; export default defineUserConfig({ theme: defaultTheme({ sidebar: ['/README.md', { text: 'G', prefix: '/c/', collapsible: true, children: ['d.md'] }, '/a.md'] }) });",
            vec!["index", "c/d", "a"],
        ),
        (
            "import { hopeTheme } from 'vuepress-theme-hope'; export default { theme: hopeTheme({ sidebar: 'structure' }) };",
            vec!["index", "a", "b", "c/d"],
        ),
        (
            "import { hopeTheme } from 'vuepress-theme-hope'; export default { theme: hopeTheme({ sidebar: { '/c/': 'structure', '/': ['b'] } }) };",
            vec!["b", "c/d"],
        ),
    ] {
        let site = SiteTest::inline("")
            .file("docs/.vuepress/config.js", config)
            .file("docs/README.md", "# Home\n")
            .file("docs/a.md", "# A\n")
            .file("docs/b.md", "# B\n")
            .file("docs/c/d.md", "# D\n")
            .other_diagnostics()
            .run();
        let mut found = order(&site);
        found.sort_by_key(|page| expect.iter().position(|one| one == page));
        assert_eq!(found, expect, "{config}");
    }
}

#[test]
fn texts_of_vuepress_and_its_plugins() {
    let page = "# Ropes\n\n::: code-tabs#shell\n\n@tab npm\n\n```bash\nnpm i rope\n```\n\n@tab:active yarn\n\n```bash\nyarn add rope\n```\n\n:::\n\n::: tabs\n\n@tab One\n\nFirst.\n\n@tab Two\n\nSecond.\n\n:::\n\n@[code{2-3} js{1}](./part.js)\n\n<RouteLink to=\"/b.html\">To b</RouteLink>\n\n::: center\nIn the middle.\n:::\n";
    SiteTest::inline("")
        .file(".vuepress/config.ts", "export default { title: 'S' };\n")
        .file("README.md", page)
        .file("b.md", "# B\n")
        .file("part.js", "one\ntwo\nthree\nfour\n")
        .element("index", "[data-component=CodeGroup]")
        .text("index", "yarn add rope")
        .element("index", "[data-component=Tab][data-title=Two]")
        .text("index", "First.")
        .text("index", "two three")
        .nowhere("index", "four")
        .element("index", "main a[href='b.html']")
        .text("index", "In the middle.")
        .nowhere("index", "@tab")
        .nowhere("index", ":::")
        .run();
}

#[test]
fn a_vault_of_obsidian() {
    let site = SiteTest::fixture("obsidian")
        .diagnostic("page-draft", "Drafts/Idea.md")
        .diagnostic("broken-link", "Home.md:6")
        .diagnostic("broken-link", "Log book.md")
        .diagnostic("include-unread", "Sails/Main sail.md")
        .element("Home", "main a[href='Knots.html']")
        .element("Home", "main a[href='Sails/Main%20sail.html']")
        .element("Home", "main a[href='Knots.html#bowline']")
        .element("Home", "main a[href='#crew']")
        .text("Home", "Charts are not drawn yet")
        .element("Home", "mark")
        .element("Home", "main p br")
        .nowhere("Home", "names are private")
        .nowhere("Home", "mostly")
        .nowhere("Home", "%%")
        .element("Home", "td a[href='Sails/Main%20sail.html']")
        .element("Home", "img[width='120']")
        .text("Home", "A knot holds by friction.")
        .element("Home", "math")
        .element("Knots", "[data-component=Tip] [data-component=Accordion]")
        .element("Knots", "details[open]")
        .element("Knots", "[id='^rule']")
        .text("Knots", "A note among words")
        .text("Knots", "[[not a link]] %%kept%% ==kept==")
        .element("Knots", "code")
        .text("Log book", "The rabbit comes out of the hole.")
        .element("Log book", "main a[href='Knots.html']")
        .element("Log book", "main a[href='Sails/Main%20sail.html']")
        .element("Log book", "img[alt='A mast'][width='80']")
        .text("Sails/Main sail", "Main sail")
        .no_file("Drafts/Idea.html")
        .no_file(".obsidian/app.json")
        .run();
    assert_eq!(order(&site), ["Home", "Sails/2 Genoa", "Sails/10 Storm jib", "Sails/Main sail", "Knots", "Log book"]);
    assert!(site.text_of("Home.html").contains("#0f7b6c"));
}

#[test]
fn links_of_obsidian_find_the_nearest_note() {
    SiteTest::inline("")
        .file("docs/.obsidian/app.json", "{ \"strictLineBreaks\": true }\n")
        .file("docs/index.md", "# Start\n\n[[b]] [[x/b]] [[B|upper]] [[x/c.md]] [[deep/c#One & two]]\nnext line\n\n- a\n- [[./x/c]]\n\n```\n[[b]]\n```\n\n> [!quote]\n> ![[x/c#One & two]]\n> after\n\n![[x/c#^k]]\n")
        .file("docs/b.md", "# B\n")
        .file("docs/x/b.md", "# XB\n\n[[b]] and [[../b]]\n")
        .file("docs/x/c.md", "# C\n\n## One & two\n\nPart [[b]].\n\n## Other\n\nNot shown. \n\n- item ^k\n")
        .file("docs/y/deep/c.md", "# Deep\n\n## One & two\n")
        .element("index", "main a[href='b.html']")
        .element("index", "main a[href='x/b.html']")
        .element("index", "main a[href='x/c.html']")
        .element("index", "main a[href='y/deep/c.html#one--two']")
        .text("index", "deep/c > One & two next line")
        .no_element("index", "main p br")
        .element("index", "[data-component=Note] h2")
        .text("index", "Part b.")
        .nowhere("index", "Not shown.")
        .text("index", "item")
        .element("x/b", "main a[href='../b.html']")
        .other_diagnostics()
        .run();
}

#[test]
fn a_site_of_docsify() {
    let site = SiteTest::fixture("docsify")
        .text("index", "Keep bees without stings.")
        .element("index", "main a[href='#first-hive']")
        .element("index", "main a[href='guide/hive.html#place']")
        .element("index", "main a[href='guide/tools.html#smoker']")
        .element("index", "h2#first-hive")
        .nowhere("index", "docsify-ignore")
        .element("index", "[data-component=Warning] strong")
        .text("index", "It is never too hot for one.")
        .element("index", "[data-component=Info]")
        .element("index", "img[width='40']")
        .nowhere("index", "?>")
        .element("guide/hive", "h2#place")
        .text("guide/hive", "The entrance looks south.")
        .element("guide/hive", "main a[href='tools.html']")
        .text("guide/hive", "export const weigh = () => scale.read();")
        .element("guide/hive", "[data-component=Tab][data-title=Foam]")
        .nowhere("guide/hive", ":target")
        .no_file("_sidebar.html")
        .no_file("guide/_part.html")
        .has_file("de/index.html")
        .text("guide/hive", "import { scale } from './scale.js'")
        .text("api/weigh", "weigh(hive)")
        .nowhere("api/weigh", "docsify-ignore")
        .element("api/weigh", "main a[href='#_1-options']")
        .element("api/weigh", "#_1-options-1")
        .text("seasons/spring", "Disabled and ignored")
        .text("changes", "Fewer stings")
        .run();
    assert_eq!(
        order(&site),
        [
            "index",
            "guide/hive",
            "guide/tools",
            "seasons/spring",
            "api/index",
            "api/weigh",
            "changes",
            "de/index",
            "de/werkzeug",
            "https://forum.example.com)"
        ]
    );
    let page = site.text_of("index.html");
    for words in ["First hive", "Getting started", "Seasons", "#d9a400", "https://github.com/acme/bees", "German"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn options_of_docsify() {
    for (options, pages) in [
        ("loadSidebar: 'menu.md', homepage: 'start.md'", vec!["b", "a"]),
        (
            "loadSidebar: 'menu', homepage: 'start.md', name: '<b>S</b>', alias: { '/.*/menu.md': '/menu.md' }",
            vec!["b", "a"],
        ),
    ] {
        let html = format!("<html><body><script>\nwindow.$docsify = {{ {options} }}\n</script></body></html>");
        let site = SiteTest::inline("")
            .file("index.html", html)
            .file("menu.md", "- [B](/b)\n- [A](a.md ':ignore')\n")
            .file("start.md", "# Start\n")
            .file("a.md", "# A\n")
            .file("b.md", "# B\n")
            .text("index", "Start")
            .other_diagnostics()
            .run();
        assert_eq!(order(&site)[..2], pages, "{options}");
    }
}

#[test]
fn a_site_of_nextra() {
    let site = SiteTest::fixture("nextra")
        .diagnostic("page-program", "pages/shop.jsx")
        .element("index", "[data-component=Warning] strong")
        .text("index", "1100 degrees")
        .element("index", "[data-component=Note]")
        .element("index", "[data-component=Tab][data-title=Soda]")
        .element("index", "[data-component=Steps] [data-component=Step] h3#melt")
        .element("index", "main .card[href='blowing/first.html']")
        .text("index", "bowl.txt")
        .element("index", "main a[href='furnace.html']")
        .element("index", "main img[width='80']")
        .element("index", "h2#own")
        .element("index", "[data-lines] .line.highlighted")
        .text("index", "melt.js")
        .element("furnace", "main a[href='blowing/first.html']")
        .element("furnace", "main a[href='index.html']")
        .text("blowing/third", "Third")
        .has_file("secret.html")
        .no_file("_app.html")
        .run();
    assert_eq!(order(&site)[..4], ["index", "furnace", "blowing/first", "blowing/second"]);
    let page = site.text_of("index.html");
    for words in ["The craft", "Blowing glass", "Second vessel", "Glass", "https://github.com/acme/glass"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn folders_of_nextra() {
    // the fourth version: `content`, languages as folders, pages of `app`; tabs
    let site = SiteTest::inline("")
        .file("next.config.mjs", "import nextra from 'nextra'\nexport default nextra({ contentDirBasePath: '/docs' })({ reactStrictMode: true })\n")
        .file("content/_meta.js", "export default { index: '', b: { title: 'Bee' }, '*': { display: 'normal' }, guide: { type: 'page', title: 'Guide' } }\n")
        .file("content/index.mdx", "# Start\n")
        .file("content/a.md", "# A\n")
        .file("content/b.md", "# B\n")
        .file("content/guide/one.mdx", "# One\n")
        .file("app/about/page.mdx", "# About\n")
        .has_file("docs/index.html")
        .has_file("docs/guide/one.html")
        .has_file("about/index.html")
        .other_diagnostics()
        .run();
    let found = order(&site);
    assert_eq!(found[..3], ["docs/index", "docs/b", "docs/a"]);
    assert!(site.text_of("docs/index.html").contains("Bee"));
}

#[test]
fn a_site_of_fumadocs() {
    let site = SiteTest::fixture("fumadocs")
        .text("docs/index", "A manual for potters.")
        .element("docs/index", "[data-component=Warning] .callout-title")
        .element("docs/index", "main .card[href='kiln.html']")
        .text("docs/index", "Fire it.")
        .element("docs/index", "[data-component=Step] h3#center")
        .element("docs/index", "[data-component=Tab][data-title=Kick]")
        .text("docs/index", "If glazed.")
        .text("docs/index", "glaze.txt")
        .element("docs/index", "[data-component=ResponseField]")
        .text("docs/index", "pnpm add clay-kit")
        .text("docs/index", "One · a.ts")
        .element("docs/index", "code[style='counter-reset:line 3']")
        .text("docs/index", "Words of a part")
        .element("docs/index", "main a[href='glazes/ash.html']")
        .element("docs/index", "h2#own")
        .element("docs/index", "main a[href='kiln.html#heat']")
        .has_file("docs/throwing.html")
        .has_file("docs/hidden.html")
        .nowhere("docs/index", "[#")
        .text("docs/components", "A bowl of 12 cm: it holds soup.")
        .element("docs/components", "[data-component=Warning] .callout-title")
        .text("docs/components", "Take care")
        .nowhere("docs/components", ":::")
        .element("docs/components", "h2#last")
        .text("docs/components", "pnpm add clay-kit --save-dev")
        .text("docs/reference/hooks/use-wheel", "const turn = useWheel();")
        .nowhere("docs/reference/hooks/use-wheel", "[!code")
        .run();
    assert_eq!(
        order(&site)[..7],
        [
            "docs/index",
            "docs/components",
            "docs/kiln",
            "docs/glazes/celadon",
            "docs/glazes/ash",
            "docs/throwing",
            "docs/firing/index",
        ]
    );
    let page = site.text_of("docs/index.html");
    for words in ["Fire", "Other", "On the wheel", "https://forum.example.com", "https://github.com/acme/clay"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn tools_are_recognized_by_their_files() {
    for (files, title) in [
        (vec![("docs/.vuepress/config.yml", "title: S\n"), ("docs/README.md", "# S\n")], "VuePress"),
        (vec![("vault/.obsidian/workspace.json", "{}"), ("vault/a.md", "# S\n")], "Obsidian"),
        (vec![("quartz.config.ts", "export default {}"), ("content/index.md", "# S\n")], "Obsidian"),
        (vec![("doc/index.html", "<script>window.$docsify = {}</script>"), ("doc/README.md", "# S\n")], "Docsify"),
        (
            vec![
                ("apps/docs/next.config.js", "module.exports = {}"),
                ("apps/docs/package.json", "{\"dependencies\":{\"nextra\":\"2\"}}"),
                ("apps/docs/pages/index.mdx", "# S\n"),
            ],
            "Nextra",
        ),
        (
            vec![
                ("source.config.ts", "import { defineDocs } from 'fumadocs-mdx/config'"),
                ("content/docs/index.mdx", "# S\n"),
            ],
            "Fumadocs",
        ),
        (vec![("next.config.js", "module.exports = {}"), ("README.md", "# S\n")], "plain Markdown"),
        (vec![("index.html", "<p>no tool</p>"), ("README.md", "# S\n")], "plain Markdown"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in &files {
            std::fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        let bundle = folder.path().join("site.zip");
        let ended = super::site::offprint().arg("export").arg(folder.path()).arg("-o").arg(&bundle).output().unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert!(stderr.contains(&format!("read as {title}")), "{files:?}: {stderr}");
    }
}
