//! Repositories of VitePress: a site that uses what real ones use (`fixtures/vitepress`), as VitePress itself builds it.

use super::site::SiteTest;

#[test]
fn a_site_of_vitepress() {
    let site = SiteTest::fixture("vitepress")
        .diagnostic("template-expression", "docs/guide/values.md:23")
        .diagnostic("template-expression", "docs/guide/values.md:32")
        // addresses, with `rewrites`; what is excluded is no page
        .has_file("packages/alpha/readme.html")
        .has_file("zh/guide/index.html")
        .has_file("mark.svg")
        .no_file("drafts/new.html")
        .no_file("package.json")
        // values
        .text("guide/values", "Values of Big Bertha")
        .text("guide/values", "Release 3.1, version v2.4.0, 4 shelves in Delft.")
        .text("guide/values", "Clicked clicks.toFixed(0) times.")
        .text("guide/values", "Only in browsers.")
        .text("guide/values", "Braces {{ stay }} here.")
        .nowhere("guide/values", "useData")
        // anchors
        .element("guide/index", "h3#a-thermocouple-type-k")
        .element("guide/index", "h2#programs")
        .element("guide/index", "h2#what-you-need-1")
        .element("guide/index", "main a[href='#a-thermocouple-type-k']")
        .element("reference/options", "h2#heat-max-co")
        .element("reference/options", "h2#最大-温度")
        .element(
            "guide/values",
            "h1#frontmatter-title-of-frontmatter-kiln-name, [id='frontmatter-title-of-frontmatter-kiln-name']",
        )
        // boxes and code
        .element("guide/markdown", "[data-component='Tip'] .callout-title")
        .text("guide/markdown", "TIP")
        .element("guide/markdown", "[data-component='Warning'] .callout-title strong")
        .element("guide/markdown", "li [data-component='Danger']")
        .element("guide/markdown", "details[open]")
        .element("guide/markdown", "[data-component='CodeGroup']")
        .text("guide/markdown", "export function ramp(from: number) {")
        .text("guide/markdown", "{{ kept }}")
        .nowhere("guide/markdown", "[!code")
        // links and look
        .element("guide/index", "a[href='../reference/options.html']")
        .element("guide/index", ".op-logo-name")
        .text("zh/guide/index", "你好")
        .run();
    let page = site.text_of("guide/index.html");
    for words in ["https://github.com/acme/kiln/edit/main/docs/guide/index.md", "Released under the MIT License."] {
        assert!(page.contains(words), "{words}");
    }
    assert!(page.contains("#a2441f"), "the accent of the theme");
}

#[test]
fn the_order_of_sidebars_is_kept() {
    let site = SiteTest::fixture("vitepress").other_diagnostics().run();
    let list = site.text_of("llms.txt");
    let places: Vec<usize> = [
        "guide/index.md",
        "guide/markdown.md",
        "guide/values.md",
        "guide/last.md",
        "reference/options.md",
        "reference/plugins.md",
        "packages/alpha/readme.md",
    ]
    .iter()
    .map(|page| list.find(page).unwrap_or_else(|| panic!("no {page} in {list}")))
    .collect();
    assert!(places.is_sorted(), "{list}");
}

#[test]
fn programs_that_make_pages_are_told() {
    SiteTest::inline("")
        .file(
            ".vitepress/config.js",
            "export default { title: 'T', themeConfig: { sidebar: [{ text: 'A', link: '/a' }] } }\n",
        )
        .file("a.md", "# A\n\n<Chart :data=\"x\">In the slot.</Chart>\n")
        .file("[pkg].md", "# {{ $params.pkg }}\n")
        .diagnostic("page-template", "[pkg].md")
        .diagnostic("unknown-component", "a.md:3")
        .text("a", "In the slot.")
        .run();
}
