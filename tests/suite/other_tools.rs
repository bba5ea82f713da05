//! Repositories of other documentation tools: which tool they are recognized as, and what becomes of them.

use std::fs;
use std::path::Path;

use super::site::{SiteTest, offprint};

/// Writes files into a folder.
fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        fs::write(folder.join(path), text).unwrap();
    }
}

/// What an export says on standard error, and its exit code.
fn export(source: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = tempfile::tempdir().unwrap();
    let bundle = output.path().join("site.zip");
    let ended = offprint().arg("export").arg(source).arg("-o").arg(&bundle).args(arguments).output().unwrap();
    (String::from_utf8_lossy(&ended.stderr).into_owned(), ended.status.code())
}

#[test]
fn the_summary_says_which_tool_it_was() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("mkdocs.yml", "site_name: S\n"), ("docs/index.md", "# S\n"), ("README.md", "# R\n")]);
    let (stderr, code) = export(folder.path(), &[]);
    assert!(stderr.contains("read as MkDocs, by mkdocs.yml") && code == Some(0), "{stderr}");
    let (stderr, _) = export(&folder.path().join("docs"), &[]);
    assert!(stderr.contains("Exported 1 page ") && stderr.contains("read as MkDocs"), "{stderr}");
    let (stderr, _) = export(folder.path(), &["--from", "plain"]);
    assert!(stderr.contains("Exported 2 pages") && stderr.contains("read as plain Markdown"), "{stderr}");
    let (stderr, code) = export(folder.path(), &["--from", "wiki"]);
    assert!(stderr.contains("`wiki` is no tool that can be read; one of mintlify") && code == Some(2), "{stderr}");
}

#[test]
fn a_tool_is_found_wherever_one_stands() {
    let vitepress = "export default { title: 'V', themeConfig: { sidebar: [{ text: 'Z', link: '/guide/z' }] } }\n";
    type Files<'a> = &'a [(&'a str, &'a str)];
    // files, the folder that is named, what is said of it
    let cases: [(Files<'_>, &str, &str); 9] = [
        (
            &[
                ("packages/docs/.vitepress/config.ts", vitepress),
                ("packages/docs/guide/z.md", "# Z\n"),
                ("README.md", "# R\n"),
            ],
            "",
            "read as VitePress, by packages/docs/.vitepress/config.ts",
        ),
        (
            &[("docs/.vitepress/config.ts", vitepress), ("docs/guide/z.md", "# Z\n")],
            "docs/guide",
            "read as VitePress, by .vitepress/config.ts",
        ),
        (
            &[
                ("doc/book/book.toml", "[book]\n"),
                ("doc/book/src/SUMMARY.md", "- [A](a.md)\n"),
                ("doc/book/src/a.md", "# A\n"),
            ],
            "",
            "read as mdBook, by doc/book/book.toml",
        ),
        (
            &[
                ("doc/book/book.toml", "[book]\n"),
                ("doc/book/src/SUMMARY.md", "- [A](x/a.md)\n"),
                ("doc/book/src/x/a.md", "# A\n"),
            ],
            "doc/book/src/x",
            "read as mdBook, by book.toml",
        ),
        (&[("hugo.toml", ""), ("content/en/docs/a.md", "# A\n")], "content/en/docs", "read as Hugo, by hugo.toml"),
        (
            &[
                ("site/hugo.yaml", "module:\n  mounts:\n    - source: ../plans\n      target: content\n"),
                ("plans/a.md", "# A\n"),
            ],
            "site",
            "read as Hugo, by site/hugo.yaml",
        ),
        (
            &[("mkdocs.yml", "site_name: S\n"), ("docs/a/b/c/d/e/f.md", "# F\n")],
            "docs/a/b/c/d/e",
            "read as MkDocs, by mkdocs.yml",
        ),
        (
            &[("examples/site/mkdocs.yml", "site_name: S\n"), ("examples/site/docs/a.md", "# A\n")],
            "",
            "read as plain Markdown",
        ),
        (&[("mkdocs.yml", "site_name: S\n"), ("other/a.md", "# A\n")], "other", "read as plain Markdown"),
    ];
    for (files, named, expect) in cases {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), files);
        let (stderr, code) = export(&folder.path().join(named), &[]);
        assert!(stderr.contains(expect), "{files:?}: {stderr}");
        assert_eq!(code, Some(0), "{stderr}");
    }
}

#[test]
fn plain_folders_tell_the_syntax_of_tools() {
    for (text, what) in [
        ("{{< alert >}}Mind{{< /alert >}}", "shortcodes of Hugo"),
        ("{% hint style=\"info\" %}\nMind\n{% endhint %}", "blocks of GitBook"),
        ("{% include toc.html %}", "tags of Liquid or Jinja"),
        ("See {ref}`mind`.", "roles and directives of MyST"),
        ("See [[Other page|that]].", "links of a wiki"),
    ] {
        let site = SiteTest::inline("")
            .file("a.md", format!("---\ntitle: A\n---\n\nWords.\n\n{text}\n"))
            .file("b.md", format!("# B\n\n{text}\n\n{text}\n"))
            .file("c.md", format!("# C\n\n````\n{text}\n````\n"))
            .diagnostic("tool-syntax", "a.md:7")
            .run();
        let told: Vec<&str> = site.diagnostics.iter().map(|told| told.message.as_str()).collect();
        assert!(told[0].starts_with(what) && told[0].ends_with("as on another page"), "{what}: {told:?}");
        SiteTest::inline("").file("mkdocs.yml", "site_name: S\n").file("docs/a.md", format!("# A\n\n{text}\n")).run();
    }
}

#[test]
fn some_tools_are_refused_in_a_sentence() {
    const CONF: &str = "project = \"x\"\n\nextensions = [\n    \"myst_parser\",\n]\nhtml_theme = \"furo\"\n";
    // the configuration, what else makes a repository one of the tool, and its name
    for (file, text, beside, name) in [
        ("conf.py", CONF, "index.rst", "Sphinx"),
        ("docs/conf.py", CONF, "docs/Makefile", "Sphinx"),
        ("docs/source/conf.py", CONF, "docs/source/index.rst", "Sphinx"),
        ("myst.yml", "version: 1\nsite:\n  title: x\n", "index.ipynb", "Sphinx"),
        ("_toc.yml", "format: jb-book\nroot: intro\n", "_config.yml", "Sphinx"),
        ("antora.yml", "name: x\nversion: ~\n", "modules/ROOT/pages/index.adoc", "Antora"),
        ("docs/antora.yml", "name: x\n", "docs/modules/ROOT/nav.adoc", "Antora"),
        ("antora-playbook.yml", "site:\n  title: x\n", "package.json", "Antora"),
        ("playbook.yml", "site:\n  title: x\ncontent:\n  sources: []\nui:\n  bundle: {}\n", "x.adoc", "Antora"),
        ("_config.yml", "theme: minima\n", "Gemfile", "Jekyll"),
        ("_config.yml", "title: x\n", "_layouts/default.html", "Jekyll"),
        ("docs/_config.yml", "title: x\nremote_theme: pages-themes/cayman\n", "docs/index.html", "Jekyll"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[(file, text), (beside, ""), ("a.md", "# A\n"), ("b/c.md", "# C\n")]);
        let (stderr, code) = export(folder.path(), &[]);
        let sentence = format!("`{file}`: this is a");
        assert!(
            stderr.contains(&sentence) && stderr.contains(name) && stderr.contains("--from plain"),
            "{file}: {stderr}"
        );
        assert_eq!(stderr.matches("error").count(), 1, "{file}: {stderr}");
        assert_eq!(code, Some(2), "{file}");
        let (stderr, code) = export(folder.path(), &["--from", "plain"]);
        assert!(stderr.contains("Exported 2 pages") && code == Some(0), "{file}: {stderr}");
    }
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("a.md", "# A\n")]);
    for name in ["sphinx", "antora", "jekyll"] {
        let (stderr, code) = export(folder.path(), &["--from", name]);
        assert!(stderr.contains("this is a") && stderr.contains("--from plain") && code == Some(2), "{stderr}");
    }
}

#[test]
fn books_keep_their_chapters() {
    let site = SiteTest::fixture("mdbook").diagnostic("style-left-out", "book.toml").run();
    assert_eq!(
        order(&site),
        [
            "title-page",
            "foreword",
            "guide/index",
            "guide/install",
            "guide/first-firing",
            "guide/schedules",
            "guide/ramps",
            "guide/listings",
            "reference/cones",
            "reference/commands",
            "reference/kiln%20run",
            "glossary",
            "contributors"
        ]
        .map(str::to_owned)
    );
    let home = site.text_of("index.html");
    for words in [
        "The Kiln Book",
        "1.2. The first bisque firing",
        "4. Cones",
        ">3. Remote firing</a>",
        "https://github.com/example/kiln",
    ] {
        assert!(home.contains(words), "{words}");
    }
    let redirects = site.text_of("_offprint/redirects.json");
    for (from, to) in [
        ("/start", "/guide/install"),
        ("/guide/setup", "/guide/install"),
        ("/old/cones", "/reference/cones#by-temperature"),
        ("/forum", "https://example.com/forum"),
        ("/print", "/"),
    ] {
        let entry = format!("\"source\":\"{from}\",\"destination\":\"{to}\"");
        assert!(redirects.contains(&entry), "{entry}: {redirects}");
    }
    assert!(
        site.text_of("guide/ramps.html").contains("https://github.com/example/kiln/edit/main/book/src/guide/ramps.md")
    );
}

#[test]
fn texts_of_books_are_put_together() {
    SiteTest::fixture("mdbook")
        .other_diagnostics()
        .element("guide/first-firing", "[data-hides] .hidden-line")
        .element("guide/first-firing", ".code-expand[hidden]")
        .text("guide/first-firing", "let mut kiln = Kiln::open(\"/dev/kiln0\")?;")
        .text("guide/first-firing", "the first line is fn main() { in full.")
        .text("guide/install", "After the installation, start the service. It needs a schedule.")
        .text("guide/install", "It starts by itself from then on.")
        .element("guide/install", "main a[href='schedules.html']")
        .text("guide/install", "kiln = { version = \"1.4\", features = [\"relay\"] }")
        .text("guide/install", "# this comment stays: it is no Rust")
        .text("guide/install", "{{#include file.rs:2:10}}")
        .nowhere("guide/install", "\\{{#include")
        .text("guide/listings", "# not hidden: the mark is written twice")
        .element("guide/listings", "ul [data-hides] .hidden-line")
        .element("guide/listings", "blockquote [data-hides] .hidden-line")
        .element("guide/listings", "figure#listing-2-1 figcaption code")
        .text("guide/listings", "src/main.rs")
        .nowhere("guide/listings", "should_panic")
        .element("guide/ramps", "[data-hides] .hidden-line")
        .text("guide/ramps", "indented code with $two $dollars")
        .element("guide/ramps", "h2#how-steep")
        .element("guide/schedules", "math")
        .text("guide/schedules", "hours costs $4 or $5, depending on $RATE and $HOURS.")
        .element("guide/index", "h2#what-you-need-1")
        .element("guide/index", "h3#heat--and-how-to-lose-it")
        .element("guide/index", "h3#own-anchor")
        .element("guide/index", "[data-component=Warning] strong")
        .element("guide/index", "details summary")
        .nowhere("guide/index", "{{#title")
        .text("reference/commands", "A directive that is not known stays: {{#unknown thing}} and {{ braces }}.")
        .element("contributors", "#contributors")
        .no_file("unlisted.html")
        .no_file("shared/note.html")
        .no_file("SUMMARY.html")
        .run();
}

#[test]
fn punctuation_is_that_of_the_tool() {
    let page = "# A -- b\n\nIt's \"so\" -- or --- not... `a -- b`\n";
    let typographic = "It’s “so” – or — not… a -- b";
    let typed = "It's \"so\" -- or --- not... a -- b";
    for (files, anchor, words) in [
        (&[("book.toml", ""), ("src/SUMMARY.md", "[A](a.md)\n"), ("src/a.md", page)][..], "a--b", typographic),
        (
            &[
                ("book.toml", "[output.html]\nsmart-punctuation = false\n"),
                ("src/SUMMARY.md", "[A](a.md)\n"),
                ("src/a.md", page),
            ],
            "a----b",
            typed,
        ),
        (&[("hugo.toml", ""), ("content/a.md", page)], "a----b", typographic),
        (
            &[("hugo.toml", "[markup.goldmark.extensions.typographer]\ndisable = true\n"), ("content/a.md", page)],
            "a----b",
            typed,
        ),
        (&[("mkdocs.yml", "site_name: S\nmarkdown_extensions: [smarty]\n"), ("docs/a.md", page)], "a-b", typographic),
        (&[("mkdocs.yml", "site_name: S\n"), ("docs/a.md", page)], "a-b", typed),
        (
            &[
                (
                    "astro.config.mjs",
                    "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'S' })] };",
                ),
                ("src/content/docs/a.md", page),
            ],
            "a--b",
            "It’s “so” — or --- not… a -- b",
        ),
    ] {
        let mut site = SiteTest::inline("");
        for (path, text) in files {
            site = site.file(path, text);
        }
        let site = site.text("a", words).run();
        let html = site.text_of("a.html");
        assert!(html.contains(&format!("id=\"{anchor}\"")), "{files:?}: {html}");
    }
}

#[test]
fn functions_that_give_addresses_of_changes_are_asked() {
    let docusaurus = |address: &str| {
        format!(
            "module.exports = {{ title: 'S', url: 'https://x.example', baseUrl: '/', presets: [['classic', {{ docs: {{ editUrl: (it) => `https://github.com/a/b/edit/main/{address}` }} }}]] }};"
        )
    };
    let vitepress = "export default { title: 'S', themeConfig: { editLink: { pattern: ({ filePath }) => { if (filePath.startsWith('old/')) return ''; return `https://github.com/a/b/edit/main/docs/${filePath}` } } } }";
    for (config, text, page) in [
        ("docusaurus.config.js", docusaurus("${it.versionDocsDirPath}/${it.docPath}"), "docs/a.html"),
        ("docusaurus.config.js", docusaurus("docs/${it.docPath}"), "docs/a.html"),
        ("docs/.vitepress/config.mjs", vitepress.to_owned(), "a.html"),
    ] {
        let site = SiteTest::inline("").file(config, &text).file("docs/a.md", "# A\n\nWords.\n").run();
        assert!(site.text_of(page).contains("https://github.com/a/b/edit/main/docs/a.md"), "{text}");
    }
}

#[test]
fn themes_and_projects_of_hugo_have_more_shortcodes() {
    SiteTest::inline("")
        .file("hugo.yaml", "title: H\n")
        .file("i18n/en.toml", "[whatsnext_heading]\nother = \"What is next\"\n[soon]\nother = \"Soon\"\n")
        .file("layouts/shortcodes/soon.html", "<em>{{ T \"soon\" }}{{ i18n \"none\" }}</em>\n")
        .file("static/examples/pod.yaml", "kind: Pod\n")
        .file("content/docs/b.md", "---\ntitle: B\nweight: 2\n---\nb\n")
        .file("content/docs/c.md", "---\ntitle: C\nweight: 1\ndescription: Of c.\n---\nc\n")
        .file(
            "content/docs/_index.md",
            "---\ntitle: Docs\n---\n{{% children description=\"true\" %}}\n\n## {{% heading \"whatsnext\" %}}\n\nIt comes {{< soon >}}.\n\n{{% code_sample file=\"pod.yaml\" %}}\n\n{{< tabs One Two >}}\n{{% codetab %}}\nFirst.\n{{% /codetab %}}\n{{% codetab %}}\nSecond.\n{{% /codetab %}}\n{{< /tabs >}}\n\n{{< columns >}}\nLeft\n<--->\nRight\n{{< /columns >}}\n\n{{< hextra/feature-card title=\"Card\" subtitle=\"Below it\" >}}\n\n{{< hextra/hero-button text=\"Begin\" link=\"/docs/b\" >}}\n\n{{< hextra/hero-headline >}}Line{{< /hextra/hero-headline >}}\n",
        )
        .text("docs/index", "C Of c. B")
        .element("docs/index", "main li a[href='c.html']")
        .text("docs/index", "What is next It comes Soon.")
        .text("docs/index", "pod.yaml")
        .text("docs/index", "kind: Pod")
        .text("docs/index", "Left Right")
        .text("docs/index", "Card Below it Begin Line")
        .element("docs/index", "[data-component='Tabs'] [data-component='Tab']")
        .nowhere("docs/index", "&lt;--")
        .run();
}

#[test]
fn templates_of_hugo_end_before_they_grow() {
    let double = "{{ $a := \"x\" }}{{ range seq 17 }}{{ $a = printf \"%s%s\" $a $a }}{{ end }}";
    SiteTest::inline("")
        .file("hugo.yaml", "title: H\n")
        .file("layouts/shortcodes/replaced.html", format!("{double}{{{{ replace $a \"x\" $a }}}}"))
        .file("layouts/shortcodes/joined.html", format!("{double}{{{{ delimit (seq 900) $a }}}}"))
        .file("layouts/shortcodes/sorted.html", "{{ range sort (slice \"9\" \"1a\" \"10\") }}{{ . }} {{ end }}")
        .file("content/_index.md", "{{< replaced >}}\n\n{{< joined >}}\n\nIn order: {{< sorted >}}\n\nThe end.\n")
        .text("index", "In order: 10 1a 9")
        .text("index", "The end.")
        .other_diagnostics()
        .run();
}

#[test]
fn templates_of_hugo_search_by_regular_expressions() {
    let functions = "{{ replaceRE `(\\w+)@(\\w+)` \"$2 at ${1}\" (.Get 0) }}, {{ range findRE `[0-9]+` \"a1b22c333\" 2 }}{{ . }};{{ end }} {{ with findRESubmatch `v(\\d)\\.(\\d)` \"v1.2 v3.4\" }}{{ index (index . 1) 2 }}{{ end }}";
    SiteTest::inline("")
        .file("hugo.yaml", "title: H\n")
        .file("layouts/shortcodes/found.html", functions)
        .file("layouts/shortcodes/grown.html", "{{ replaceRE `.` (.Get 0) (.Get 0) }}")
        .file(
            "content/_index.md",
            format!(
                "Found: {{{{< found \"me@home\" >}}}}.\n\n{{{{< grown \"{}\" >}}}}\n\nThe end.\n",
                "x".repeat(60_000)
            ),
        )
        .text("index", "Found: home at me, 1;22; 4.")
        .text("index", "The end.")
        .other_diagnostics()
        .run();
}

#[test]
fn preprocessors_of_books_become_components() {
    let page = "# A\n\n```admonish warning \"Hot *pot*\"\nMind **it**.\n```\n\n```admonish tip title=\"More\", collapsible=true\nInside.\n```\n\n{{#tabs }}\n{{#tab name=\"One\" }}\nFirst.\n{{#endtab }}\n{{#tab name=\"Two\" }}\nSecond.\n{{#endtab }}\n{{#endtabs }}\n\nA word{{footnote: What it *means*.}} here.\n\nSum $a_1$ of it. <i class=\"fa fa-check\"></i>\n";
    SiteTest::inline("")
        .file(
            "docs/book.toml",
            "[book]\ntitle = \"B\"\n[preprocessor.admonish]\n[preprocessor.katex]\n[preprocessor.cmdrun]\n[preprocessor.other]\n",
        )
        .file("docs/src/SUMMARY.md", "- [A](a.md)\n- [Gone](gone.md)\n")
        .file("docs/src/a.md", page)
        .diagnostic("preprocessor-unknown", "docs/book.toml:5:2")
        .diagnostic("nav-missing-page", "docs/src/SUMMARY.md:2:10")
        .element("a", "[data-component=Warning] strong")
        .text("a", "Hot pot")
        .element("a", "[data-component=Accordion]")
        .element("a", "[data-component=Tab][data-title=One]")
        .text("a", "Second.")
        .text("a", "What it means.")
        .element("a", "math")
        .element("a", ".icon")
        .nowhere("a", "{{#")
        .run();
}

#[test]
fn a_space_of_gitbook_keeps_its_pages() {
    let site = SiteTest::fixture("gitbook").other_diagnostics().run();
    let order = order(&site);
    assert_eq!(
        order,
        [
            "index",
            "getting-started/install",
            "blocks",
            "words",
            "changes",
            "api-reference/index",
            "api-reference/bees",
            "api-reference/former",
            "https://status.example.com)"
        ]
        .map(str::to_owned)
    );
    let redirects = site.text_of("_offprint/redirects.json");
    for from in ["/help", "/old/api/bees"] {
        assert!(redirects.contains(&format!("\"source\":\"{from}\"")), "{from}: {redirects}");
    }
    assert!(site.text_of("index.html").contains("https://status.example.com"));
    assert!(!site.text_of("secret.html").is_empty());
}

#[test]
fn a_space_of_gitbook_has_components() {
    SiteTest::fixture("gitbook")
        .diagnostic("shortcode-unknown", "docs/blocks.md")
        .diagnostic("icon-missing", "docs/blocks.md")
        .diagnostic("page-template", "docs/SUMMARY.md:18:3")
        .text("index", "This is version 3.1.4 of its manual.")
        .element("index", ".card img[src='assets/hive%20(1).svg']")
        .element("index", ".box-title a[href='getting-started/install.html']")
        .element("index", ".box-title a[href='api-reference/index.html']")
        .element("index", "a.card[href='getting-started/install.html'][data-horizontal]")
        .element("index", "a.card[href='https://forum.example.com']")
        .text("index", "Ten minutes and a screwdriver.")
        .nowhere("index", ":bolt:")
        .element("index", "main img[src='assets/hive.svg']")
        .text("getting-started/install", "Every apiary needs a license.")
        .element("getting-started/install", "h2#before")
        .element("getting-started/install", "[data-component=Step] pre")
        .text("getting-started/install", "Put the scale below the hive")
        .element("getting-started/install", "figure figcaption")
        .text("getting-started/install", "Terminal")
        .element("blocks", "[data-component=Check] li")
        .element("blocks", "[data-component=Tab][data-title=macOS] [data-component=Warning]")
        .element("blocks", "ol > li [data-component=Info]")
        .element("blocks", "details [data-component=Info]")
        .element("blocks", "[data-component=Columns] [data-component=Column] h3")
        .element("blocks", "a.card[href='assets/weights.csv']")
        .element("blocks", "a.card[href='https://example.com/article']")
        .text("blocks", "Only some readers saw this.")
        .text("blocks", "An unknown block keeps its inside.")
        .text("blocks", "Escaped: {% hint %}.")
        .nowhere("blocks", "endhint %}.")
        .element("words", "math")
        .nowhere("words", "hidden words")
        .nowhere("words", "Secret")
        .text("changes", "January 4, 2026")
        .text("api-reference/index", "GET /bees")
        .nowhere("api-reference/index", "Broken link")
        .element("api-reference/former", "[data-component=ParamField]")
        .text("api-reference/former", "Add a hive")
        .text("api-reference/former", "200: OK The hive")
        .no_file("unlisted.html")
        .run();
}

#[test]
fn programs_that_configure_are_evaluated() {
    let site = SiteTest::inline("")
        .file(
            "website/docusaurus.config.ts",
            "import { title } from './names';\nexport default { title } satisfies object;\n",
        )
        .file("website/names.ts", "export const title: string = 'The ' + 'manual';\n")
        .file("docs/a.md", "# A\n")
        .other_diagnostics()
        .run();
    assert!(site.text_of("docs/a.html").contains("The manual"));
}

#[test]
fn a_program_that_fails_is_told() {
    SiteTest::inline("")
        .file(".vitepress/config.ts", "export default {\n")
        .file("a.md", "# A\n")
        .diagnostic("config-script", ".vitepress/config.ts")
        .run();
}

/// The labels of the navigation with their depth, from the list of all pages for people without scripts.
fn order(site: &super::site::Exported) -> Vec<String> {
    let text = site.text_of("llms.txt");
    let links = text.lines().filter_map(|line| line.strip_prefix("- [")?.split_once("]("));
    links.map(|(_, rest)| rest.split(".md)").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn hugo_sites_keep_addresses_and_order() {
    let site = SiteTest::fixture("hugo")
        .diagnostic("shortcode-unknown", "content/docs/guide/start.md")
        .diagnostic("page-draft", "content/docs/guide/Draft.md")
        .run();
    assert_eq!(
        order(&site)[..18],
        [
            "index",
            "docs/index",
            "docs/guide/index",
            "docs/guide/bundle/index",
            "docs/guide/start",
            "docs/guide/yard/index",
            "docs/reference/index",
            "docs/reference/legacy",
            "reference/settings",
            "docs/ropes/index",
            "docs/ropes/knots/index",
            "docs/ropes/knots/bowline",
            "docs/ropes/knots/clove",
            "blog/index",
            "blog/2024-closing",
            "blog/2023-opening",
            "logs/index",
            "logs/first"
        ]
        .map(str::to_owned)
    );
    // what templates give, and a section that no file has
    let yard = site.text_of("docs/guide/yard/index.md");
    for words in
        ["Release v3.2 is new, v3.1 is old.", "with **cranes**", "hail(\"north\")", "reach: 12", "Chosen: the deep one"]
    {
        assert!(yard.contains(words), "{words}: {yard}");
    }
    assert!(site.text_of("logs/index.md").contains("[First log]"));
    for page in ["de/index", "de/docs/guide/start", "about", "docs/reference/newer"] {
        assert!(!site.text_of(&format!("{page}.html")).is_empty());
    }
    let redirects = site.text_of("_offprint/redirects.json");
    for from in ["/start", "/docs/first-steps", "/en"] {
        assert!(redirects.contains(&format!("\"source\":\"{from}\"")), "{from}: {redirects}");
    }
    assert!(site.text_of("index.html").contains("Harbor manual"));
}

#[test]
fn shortcodes_of_hugo_become_components() {
    SiteTest::fixture("hugo")
        .other_diagnostics()
        .element("docs/guide/start", "[data-component=Warning] li")
        .element("docs/guide/start", "[data-component=Warning] em")
        .element("docs/guide/start", "[data-component=Tab][data-title=Linux] pre")
        .element("docs/guide/start", "[data-component=Tab][data-title=Code] pre")
        .text("docs/guide/start", "1. Ada master of the dock (winch) (rope)")
        .text("docs/guide/start", "2. Bo mate (no tools)")
        .text("docs/guide/start", "moor <here>")
        .text("docs/guide/start", "Berth north, 12 in all. See configuration.")
        .element("docs/guide/start", "main a[href='../../reference/settings.html#keys']")
        .element("docs/guide/start", "ol > li [data-component=Info]")
        .text("docs/guide/start", "With a title")
        .element("docs/guide/start", "[data-component=Tip]")
        .element("docs/guide/start", "h2#install--run")
        .element("docs/guide/start", "h2#install--run-1")
        .text("docs/guide/start", "Again: {{< param “version” >}} is shown, and {{% ref \"x\" %}} too.")
        .text("docs/guide/start", "Signal Q")
        .text("docs/guide/start", "Quarantine, perhaps.")
        .text("docs/guide/start", "since 3.2.1")
        .element("docs/guide/start", "[data-component=Accordion]")
        .text("docs/guide/start", "Kept words of it.")
        .text("docs/guide/start", "Tides come twice a day.")
        .no_file("docs/_common/tides.html")
        .nowhere("docs/guide/start", "Not shown at all.")
        .nowhere("docs/guide/start", "hl_lines")
        .element("docs/guide/bundle/index", "img[alt='A crane']")
        .element("reference/settings", "main table code")
        .element("reference/settings", "h2#whats-new-v20")
        .element("reference/settings", "img[src='../images/flag.svg']")
        .text("about", "With an empty line before.")
        .text("index", "Ships come and go.")
        .run();
}

#[test]
fn blocks_of_gitbook_become_components() {
    let page = "# A page\n\n{% hint style=\"warning\" %}\nMind *this*.\n{% endhint %}\n\n{% tabs %}\n{% tab title=\"One\" %}\n{% code title=\"a.js\" lineNumbers=\"true\" %}\n```js\nlet a = 1;\n```\n{% endcode %}\n{% endtab %}\n\n{% tab title=\"Two\" %}\nSecond.\n{% endtab %}\n{% endtabs %}\n\n{% stepper %}\n{% step %}\n### Begin\n\nFirst.\n{% endstep %}\n{% endstepper %}\n\n{% content-ref url=\"b.md\" %}\n[b.md](b.md)\n{% endcontent-ref %}\n\n{% embed url=\"https://example.com/v\" %}\n\n{% include \".gitbook/includes/part.md\" %}\n\n```liquid\n{% hint %}\n```\n";
    SiteTest::inline("")
        .file("SUMMARY.md", "# Contents\n\n* [A page](README.md)\n* [B](b.md)\n")
        .file(".gitbook.yaml", "structure:\n  readme: README.md\n")
        .file("README.md", page)
        .file("b.md", "# B\n\n{% nothing %}\nKept.\n{% endnothing %}\n")
        .file("part.md", "Taken **along**.\n")
        .diagnostic("shortcode-unknown", "b.md:3:1")
        .diagnostic("include-unread", "README.md")
        .element("index", "[data-component=Warning] em")
        .element("index", "[data-component=Tab][data-title=One] pre")
        .text("index", "a.js")
        .element("index", "[data-component=Tab][data-title=Two]")
        .element("index", "main a[href='b.html']")
        .element("index", "main a[href='https://example.com/v']")
        .element("index", "pre")
        .text("index", "{% hint %}")
        .text("b", "Kept.")
        .nowhere("b", "{%")
        .run();
}

#[test]
fn a_docusaurus_site_keeps_its_addresses_and_its_order() {
    let site = SiteTest::fixture("docusaurus").other_diagnostics().run();
    let next = |page: &str| {
        let text = site.text_of(&format!("{page}.html"));
        let found = text.split_once("rel=\"next\" href=\"").map(|(_, rest)| rest.split('"').next().unwrap_or_default());
        found.unwrap_or_default().to_owned()
    };
    // categories that lead to a page of their own, folders by position and number, an explicit list
    for (page, expect) in [
        ("docs/next/index", "guides/fog-horn.html"),
        ("docs/next/guides/fog-horn", "light.html"),
        ("docs/next/guides/light", "advanced/index.html"),
        ("docs/next/guides/advanced/index", "lens.html"),
        ("docs/next/guides/advanced/lens", "../../install.html"),
        ("docs/next/install", "install/linux.html"),
        ("docs/next/install/windows", "../deep.html"),
        ("docs/next/deep", "deeper.html"),
        ("docs/next/reference/settings", "../cli.html"),
        ("docs/index", "category/guides.html"),
        ("community/team", "meetings.html"),
        ("blog/2024/01/02/storm", "../../../calm.html"),
        ("de/docs/next/index", "guides/fog-horn.html"),
    ] {
        assert_eq!(next(page), expect, "{page}");
    }
    for page in ["about", "index", "docs/next/alone", "docs/next/guides/secret", "blog/index", "de/blog/calm"] {
        assert!(!site.text_of(&format!("{page}.html")).is_empty());
    }
    let redirects = site.text_of("_offprint/redirects.json");
    assert!(redirects.contains("\"source\":\"/old/install\""), "{redirects}");
    let home = site.text_of("docs/index.html");
    for words in
        ["2.0 (next)", "Guides", "Reference", "Community", "Log", "The <a", "soon", "#b3261e", "Copyright © Ida"]
    {
        assert!(home.contains(words), "{words}");
    }
    assert!(site.text_of("de/docs/next/index.html").contains("Einrichten"));
}

#[test]
fn texts_of_docusaurus_are_written_as_components() {
    SiteTest::fixture("docusaurus")
        .diagnostic("page-draft", "docs/01-guides/draft.md")
        .text("index", "Keep ships off the rocks, says Ida.")
        .text("docs/next/index", "A tower -- with a \"lamp\" -- that keeps ships off. Use --flag or --flag.")
        .element("docs/next/index", "main li a[href='#kinds-of-lamps']")
        .element("docs/next/index", "h2#lamp")
        .text("docs/next/index", "The lamp is red. It burns all night.")
        .text("docs/next/index", "Seen by the Mary at night.")
        .text("docs/next/index", "A beam of 30 degrees.")
        .element("docs/next/index", "[data-component=Tip]")
        .element("docs/next/index", "[data-component=Danger] [data-component=Note]")
        .text("docs/next/index", "bun add --dev lighthouse")
        .element("docs/next/index", "img[alt='Again'][src='../../img/lamp.svg']")
        .nowhere("docs/next/index", ":::")
        .text("docs/next/guides/light", "CommonMark, with {braces} and HTML. Flags such as --all stay.")
        .element("docs/next/guides/light", "h2#steps--signs-1")
        .element("docs/next/guides/light", "ol pre .line.highlighted")
        .nowhere("docs/next/guides/light", "highlight-next-line")
        .element("docs/next/guides/light", "main a[href='fog-horn.html#fog']")
        .text("docs/next/guides/fog-horn", "return 'toot '.repeat(times);")
        .text("docs/next/guides/fog-horn", "The horn is heard at 12 miles.")
        .element("docs/next/guides/fog-horn", "[data-component=Warning] b")
        .element("docs/next/guides/fog-horn", "main a[href='../install/linux.html']")
        .text("docs/next/install", "On every system.")
        .element("docs/next/install", "main a[href='install/linux.html']")
        .text("blog/2024/01/02/storm", "January 2, 2024 · Ida Lewis")
        .text("blog/calm", "May 6, 2023 · Grace")
        .element("de/docs/next/index", "main a[href='install/linux.html']")
        // addresses are read as a browser reads them: the page of the same version
        .element("docs/next/deep", "main p a[href='reference/settings.html']")
        // pages that are not translated lead to those of their language, and those that are to what is not
        .element("de/docs/index", "main a[href='guides/light.html#the-wick']")
        .element("de/docs/next/guides/light", "main a[href='../reference/settings.html']")
        .element("de/docs/next/index", "main p a[href='guides/light.html']")
        .no_file("docs/next/guides/draft.html")
        .run();
}

#[test]
fn pages_that_need_packages_are_left_out() {
    SiteTest::inline("")
        .file("docusaurus.config.js", "module.exports = { title: 'S', presets: ['classic'] };\n")
        .file("docs/a.md", "# A\n\n:::own-kind\n\nWords.\n\n:::\n")
        .file("src/pages/index.js", "import Chart from 'charts';\nexport default () => <Chart />;\n")
        .diagnostic("page-program", "src/pages/index.js")
        .text("docs/a", "Own-kind")
        .text("docs/a", "Words.")
        .run();
}

#[test]
fn references_of_gitbook_are_cards() {
    SiteTest::inline("")
        .file("SUMMARY.md", "* [Start](README.md)\n* [Tide](deep/tide.md)\n* [Folder](folder/README.md)\n")
        .file(".gitbook.yaml", "root: ./\n")
        .file(
            "README.md",
            "# Start\n\n{% page-ref page=\"deep/tide.md\" %}\n\n- item\n\n  {% page-ref page='folder/' %}\n\n{% content-ref url=\"deep/tide.md#low\" %}\n[tide.md](deep/tide.md)\n{% endcontent-ref %}\n\n{% page-ref page=\"https://example.com/x\" %}\n",
        )
        .file("deep/tide.md", "# Tides\n\n## Low\n\n{% page-ref page=\"../README.md\" %}\n")
        .file("folder/README.md", "# A folder\n")
        .element("index", "main a.card[href='deep/tide.html']")
        .element("index", "main a.card[href='deep/tide.html#low']")
        .element("index", "li a.card[href='folder/index.html']")
        .element("index", "main a[href='https://example.com/x']")
        .element("deep/tide", "main a.card[href='../index.html']")
        .text("index", "Tides")
        .nowhere("index", "{%")
        .run();
}
