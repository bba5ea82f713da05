//! Repositories of Starlight: a site that uses what real ones use (`fixtures/starlight`), as Starlight itself builds it.

use super::site::SiteTest;

#[test]
fn a_site_of_starlight() {
    let site = SiteTest::fixture("starlight")
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
fn components_of_astro_run() {
    SiteTest::fixture("starlight")
        .other_diagnostics()
        // data, scripts that wait, other components, slots
        .text("reference/own", "There are 2 kinds.")
        .text("reference/own", "Boskoop since 1856: tart & firm Old")
        .text("reference/own", "Elstar since 1955: sweet")
        .element("reference/own", "main li span em")
        .element("reference/own", "main p[data-name='October']")
        .text("reference/own", "Picked in October & stored.")
        .text("reference/own", "No end > this one.")
        .text("reference/own", "More words follow.")
        .element("reference/own", "main section div em")
        .text("reference/own", "Nothing more.")
        .nowhere("reference/own", "no words")
        .nowhere("reference/own", "color: green")
        // components of Starlight in them, in the order of the component
        .text("reference/own", "JavaScript TypeScript")
        .nowhere("reference/own", "Rust")
        // pages and words of the language
        .element("reference/own", "h3#all-pages")
        .element("reference/own", "main dt a[href='../guides/first-tree.html']")
        .text("reference/own", "All pages")
        .text("fr/reference/own", "Toutes les pages")
        .text("fr/reference/own", "This is /manual/fr/reference/own/.")
        .run();
}

#[test]
fn components_of_astro_that_fail_keep_their_slots() {
    SiteTest::inline("")
        .file("astro.config.mjs", "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'S' })] };\n")
        .file("src/components/Open.astro", "<p>{unclosed</p>\n")
        .file("src/components/Throws.astro", "---\nconst { a } = undefined;\n---\n<p>never</p><slot />\n")
        .file("src/components/Round.astro", "---\nimport Round from './Round.astro';\n---\n<p>round</p><Round />\n")
        .file("src/components/Package.astro", "---\nimport { made } from 'some-package';\nconst gone = await made().then((all) => all.json());\nimport Part from 'other-package';\n---\n<p>words {made('x')}</p><Part><slot /></Part>\n")
        .file(
            "src/content/docs/index.mdx",
            "---\ntitle: T\n---\n\nimport Open from '../../components/Open.astro';\nimport Throws from '../../components/Throws.astro';\nimport Round from '../../components/Round.astro';\nimport Package from '../../components/Package.astro';\n\n<Open>kept one</Open>\n\n<Throws>kept two</Throws>\n\n<Round />\n\n<Package>kept three</Package>\n",
        )
        .other_diagnostics()
        .text("index", "kept one")
        .text("index", "kept two")
        .text("index", "words")
        .text("index", "kept three")
        .nowhere("index", "never")
        .run();
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

#[test]
fn parts_of_pages_give_their_content_and_front_matter() {
    let config = "import s from '@astrojs/starlight'; export default { integrations: [s({ title: 'S' })] }";
    let page = "---\ntitle: Pears\nseason: autumn\n---\nimport One, { Content, frontmatter as own } from './_part.mdx';\nimport { Content as Two } from '../_deep.md';\n\n{frontmatter.title} in {frontmatter.season}, {own.kind}.\n\n<Content />\n\n<One />\n\n<Two />\n";
    let site = SiteTest::inline("")
        .file("astro.config.mjs", config)
        .file("src/content/docs/fruit/pears.mdx", page)
        .file("src/content/docs/fruit/_part.mdx", "---\nkind: soft\n---\n\nWords of a {frontmatter.kind} part.\n")
        .file("src/content/docs/_deep.md", "Deep words.\n")
        .file("src/content/docs/index.md", "---\ntitle: S\n---\n\nStart.\n")
        .text("fruit/pears", "Pears in autumn, soft.")
        .text("fruit/pears", "Deep words.")
        .run();
    assert_eq!(site.text_of("fruit/pears.md").matches("Words of a soft part.").count(), 2);
}

#[test]
fn lists_of_folders_have_what_is_not_translated() {
    let config = "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'Loom', defaultLocale: 'root', locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr' } }, sidebar: [{ label: 'Work', translations: { fr: 'Travail' }, autogenerate: { directory: 'work' } }] })] };\n";
    let page = |title: &str| format!("---\ntitle: {title}\n---\n\nwords\n");
    let site = SiteTest::inline("")
        .file("astro.config.mjs", config)
        .file("src/content/docs/work/dye.md", page("Dye"))
        .file("src/content/docs/work/spin.md", page("Spin"))
        .file("src/content/docs/work/weave.md", page("Weave"))
        .file("src/content/docs/fr/work/spin.md", page("Filer"))
        .file("src/content/docs/fr/work/only.md", page("Seulement"))
        .other_diagnostics()
        .run();
    let french = site.text_of("fr/work/spin.html");
    let places: Vec<Option<usize>> =
        [">Dye<", ">Filer<", ">Weave<", ">Seulement<"].iter().map(|title| french.find(title)).collect();
    assert!(french.contains("Travail") && places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    assert!(french.contains("../../work/dye.html"));
}

#[test]
fn pages_show_the_text_of_files() {
    SiteTest::inline("")
        .file("astro.config.mjs", "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'Loom' })] };\n")
        .file("src/code/warp.ts", "export const warp: number = 4;\n")
        .file("src/content/docs/index.mdx", "---\ntitle: Start\n---\nimport { Code } from '@astrojs/starlight/components';\nimport warp from '../../code/warp.ts?raw';\n\n<Code code={warp} lang=\"ts\" title=\"warp.ts\" />\n")
        .text("index", "export const warp: number = 4;")
        .run();
}
