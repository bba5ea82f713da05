//! Repositories of Starlight: a site that uses what real ones use (`fixtures/starlight`), as Starlight itself builds it.

use super::site::SiteTest;

#[test]
fn a_site_of_starlight() {
    let site = SiteTest::fixture("starlight")
        .diagnostic("component-framework", "src/content/docs/guides/components.mdx:10")
        .diagnostic("page-draft", "src/content/docs/reference/draft.md")
        // addresses
        .has_file("guides/first-tree.html")
        .has_file("reference/apples.html")
        .has_file("fr/guides/code.html")
        .has_file("tree.svg")
        .no_file("reference/_part.html")
        .no_file("reference/draft.html")
        // start page
        .text("index", "From the first tree to the last apple.")
        .element("index", "[data-component='CardGroup'] [data-component='Card']")
        // boxes and anchors
        .text("guides/first-tree", "A note without a title.")
        .element("guides/first-tree", "[data-component='Tip'] .callout-title em")
        .element("guides/first-tree", "li [data-component='Danger']")
        .element("guides/first-tree", "h2#planting-step-1-1")
        .element("guides/first-tree", "a[href='code.html#the-plan--more']")
        .nowhere("guides/first-tree", "Not shown on the page.</")
        .text("fr/guides/code", "Bon à savoir")
        // code
        .element("guides/code", "[data-diff] .line.diff.add")
        .element("guides/code", ".line.highlighted")
        .text("guides/code", "src/plan.ts")
        .text("guides/code", "export const rows = 4;")
        .nowhere("guides/code", "// src/plan.ts")
        // components
        .element("guides/components", "[data-component='Note']")
        .element("guides/components", "[data-component='Tabs'] [data-component='Tab']")
        .element("guides/components", "[data-component='Steps'] [data-component='Step']")
        .element("guides/components", "[data-component='Card'][href='code.html'], a[href='code.html'] [data-component='Card'], [data-component='Card'] a[href='code.html'], a[href='code.html']")
        .element("guides/components", "[data-component='Badge']")
        .text("guides/components", "const planted = 1;")
        .text("guides/components", "of 1897, with an icon")
        .text("guides/components", "In spring, all is green.")
        .element("guides/components", "main img")
        .nowhere("guides/components", "@assets")
        .run();
    let page = site.text_of("guides/code.html");
    assert!(page.contains("https://github.com/acme/orchard/edit/main/src/content/docs/guides/code.mdx"));
    // pages that are not translated lead to those that are
    assert!(site.text_of("_offprint/redirects.json").contains("/fr/guides/first-tree"));
}

#[test]
fn the_order_of_the_sidebar_is_kept() {
    let site = SiteTest::fixture("starlight").other_diagnostics().run();
    let list = site.text_of("llms.txt");
    let places: Vec<usize> = [
        "guides/first-tree.md",
        "guides/code.md",
        "guides/components.md",
        "guides/deep/b.md",
        "guides/deep/a.md",
        "reference/apples.md",
        "reference/soil/clay.md",
        "reference/zones.md",
    ]
    .iter()
    .map(|page| list.find(page).unwrap_or_else(|| panic!("no {page} in {list}")))
    .collect();
    assert!(places.is_sorted(), "{list}");
}
