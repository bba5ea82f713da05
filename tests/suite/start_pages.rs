//! Start pages, names and logos of repositories of other tools.

use super::site::SiteTest;

#[test]
fn start_pages_have_their_picture() {
    for (files, selector) in [
        (
            vec![
                (".vitepress/config.js", "export default {}"),
                ("index.md", "---\nlayout: home\nhero:\n  name: S\n  image: { src: /a.svg, alt: A mark }\n---\n"),
                ("public/a.svg", SVG),
            ],
            "main img[src='a.svg'][alt='A mark']",
        ),
        (
            vec![
                (".vitepress/config.js", "export default {}"),
                ("index.md", "---\nlayout: home\nhero:\n  name: S\n  image: { light: /a.svg, dark: /b.svg }\n---\n"),
                ("public/a.svg", SVG),
                ("public/b.svg", SVG),
            ],
            "main img[src='b.svg']",
        ),
        (
            vec![
                (
                    "astro.config.mjs",
                    "import s from '@astrojs/starlight'; export default { integrations: [s({ title: 'S' })] }",
                ),
                (
                    "src/content/docs/index.mdx",
                    "---\ntitle: S\ntemplate: splash\nhero:\n  tagline: T\n  image:\n    file: ../../assets/a.svg\n---\n\nWords.\n",
                ),
                ("src/assets/a.svg", SVG),
            ],
            "main img[src='assets/a.svg']",
        ),
    ] {
        let all = files.iter().fold(SiteTest::inline(""), |site, (path, text)| site.file(path, text));
        all.element("index", selector).run();
    }
}

const SVG: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><path fill=\"#fff\" d=\"M0 0h8v8z\"/></svg>";

#[test]
fn logos_are_seen_in_both_schemes() {
    let site = |files: &[(&str, &str)]| {
        let site = SiteTest::inline("")
            .file("mkdocs.yml", "site_name: S\ntheme:\n  name: material\n  logo: logo-white.svg\n")
            .file("docs/index.md", "# S\n\nWords.\n");
        files.iter().fold(site, |site, (path, text)| site.file(path, text))
    };
    let colored = SVG.replace("#fff", "#a2441f");
    site(&[("docs/logo-white.svg", SVG)]).element("index", ".op-logo img[data-ground=dark]").run();
    site(&[("docs/logo-white.svg", &colored)]).no_element("index", ".op-logo img[data-ground]").run();
    site(&[("docs/logo-white.svg", SVG), ("docs/logo-black.svg", &SVG.replace("#fff", "#000"))])
        .element("index", ".op-logo img.logo-light[src='logo-black.svg']")
        .element("index", ".op-logo img.logo-dark[src='logo-white.svg']")
        .run();
}

#[test]
fn titles_and_names_stand_once() {
    let site = SiteTest::inline("").file("README.md", "# Ropes\n\nWords.\n").file("a.md", "# A\n").run();
    assert!(site.text_of("index.html").contains("<title>Ropes</title>"));
    assert!(site.text_of("a.html").contains("<title>A - Ropes</title>"));
}

#[test]
fn pages_without_words_are_told() {
    SiteTest::inline("")
        .file(".vitepress/config.js", "export default { title: 'S' }\n")
        .file("index.md", "---\nlayout: page\n---\n<script setup>\nconst a = 1;\n</script>\n\n<div></div>\n")
        .file("a.md", "# A\n\nWords.\n")
        .file("b.md", "# B\n")
        .diagnostic("page-empty", "index.md")
        .run();
}

#[test]
fn the_first_action_of_a_start_page_is_its_main_button() {
    for files in [
        [
            (".vitepress/config.js", "export default {}"),
            (
                "index.md",
                "---\nlayout: home\nhero:\n  name: S\n  actions:\n    - { text: Begin, link: /a }\n    - { theme: alt, text: Look, link: https://example.com/x }\n---\n",
            ),
            ("a.md", "# A\n"),
        ],
        [
            (
                "astro.config.mjs",
                "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'S' })] }",
            ),
            (
                "src/content/docs/index.mdx",
                "---\ntitle: S\ntemplate: splash\nhero:\n  actions:\n    - { text: Begin, link: /a/ }\n    - { text: Look, link: https://example.com/x, variant: minimal }\n---\n\nWords.\n",
            ),
            ("src/content/docs/a.md", "---\ntitle: A\n---\n\nA.\n"),
        ],
    ] {
        let site = files.iter().fold(SiteTest::inline(""), |site, (path, text)| site.file(path, text));
        site.element("index", "main p > a.button.button-primary[href='a.html']")
            .element("index", "main p > a.button:not(.button-primary)[href='https://example.com/x']")
            .text("index", "Begin Look")
            .run();
    }
}
