//! Repositories of VitePress: a site that uses what real ones use (`fixtures/vitepress`), as VitePress itself builds it.

use super::site::SiteTest;

#[test]
fn a_site_of_vitepress() {
    let site = SiteTest::fixture("vitepress")
        // addresses, with `rewrites`; what is excluded is no page
        .has_file("packages/alpha/readme.html")
        .has_file("zh/guide/index.html")
        .has_file("mark.svg")
        .no_file("drafts/new.html")
        .no_file("package.json")
        // values
        .text("guide/values", "Values of Big Bertha")
        .text("guide/values", "Release 3.1, version v2.4.0, 4 shelves in Delft.")
        .text("guide/values", "Clicked 0 times.")
        .text("guide/values", "Shelf 3")
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

#[test]
fn entries_of_known_data_are_written() {
    SiteTest::inline("")
        .file(".vitepress/config.js", "export default { title: 'T' }\n")
        .file("data/kilns.ts", "import rows from './rows'\n\nexport const kilns: Kiln[] = [\n  { name: 'Bertha', link: '/b' }, // the first\n  { name: 'Ember & Co', link: '/c', run: () => 1 },\n]\nexport const more = rows\n")
        .file("data/rows.js", "export default ['one', 'two']\n")
        .file("b.md", "# B\n")
        .file("c.md", "# C\n")
        .file(
            "index.md",
            "# Kilns\n\n<script setup>\nimport {\n  kilns,\n  more as rows\n} from './data/kilns'\nconst sizes = [\n  'small',\n  'large',\n]\n</script>\n\n<ul>\n  <li v-for=\"kiln of kilns\" :key=\"kiln.name\">\n    <a :href=\"kiln.link\">{{ kiln.name }}</a>\n  </li>\n</ul>\n\n<p v-for=\"(size, at) in sizes\">{{ at }}: {{ size }}</p>\n\nFirst {{ rows[0] }}.\n",
        )
        .element("index", "li:nth-child(2) a[href='c.html']")
        .text("index", "Ember & Co")
        .text("index", "1: large")
        .text("index", "First one.")
        .nowhere("index", "v-for")
        .run();
}

#[test]
fn team_pages_have_their_members() {
    SiteTest::inline("")
        .file(".vitepress/config.js", "export default { title: 'T' }\n")
        .file(
            "index.md",
            "---\nlayout: page\n---\n\n<script setup>\nimport { VPTeamPage, VPTeamPageTitle, VPTeamMembers } from 'vitepress/theme'\n\nconst members = [\n  {\n    avatar: '/a.svg',\n    name: 'Ada Ember',\n    title: 'Founder',\n    org: 'Acme',\n    orgLink: 'https://example.org/',\n    desc: 'Fires <b>kilns</b>.',\n    links: [{ icon: 'github', link: 'https://github.com/acme' }],\n  },\n]\n</script>\n\n<VPTeamPage>\n  <VPTeamPageTitle>\n    <template #title>Our Team</template>\n    <template #lead>\n      The people\n      of Acme.\n    </template>\n  </VPTeamPageTitle>\n  <VPTeamMembers\n    size=\"small\"\n    :members=\"members\"\n  />\n  <VPTeamPageSection>\n    <template #title>\n      Former\n    </template>\n    <template #members>\n      <VPTeamMembers :members=\"[{ name: 'Bo' }]\" />\n    </template>\n  </VPTeamPageSection>\n</VPTeamPage>\n",
        )
        .file("public/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"4\"/>")
        .element("index", "h1#our-team, h2#our-team")
        .element("index", "h2#former")
        .element("index", "[data-component='Card'] img[src='a.svg']")
        .element("index", "[data-component='Card'] b")
        .element("index", "[data-component='Card'] a[href='https://github.com/acme']")
        .text("index", "Founder @ Acme")
        .text("index", "The people of Acme.")
        .text("index", "Bo")
        .run();
}

#[test]
fn anchors_are_made_without_what_components_say() {
    SiteTest::inline("")
        .file(".vitepress/config.js", "export default { title: 'T' }\n")
        .file(
            ".vitepress/theme/index.ts",
            "import Mark from './Mark.vue'\nexport default { enhanceApp({ app }) { app.component('Mark', Mark) } }\n",
        )
        .file(".vitepress/theme/Mark.vue", "<template><a href=\"#x\"><b>beta</b></a></template>\n")
        .file("index.md", "# Options\n\n## kiln.`heat` <Mark />\n\n## Own <Mark /> {#mine}\n\n[To it](#kiln-heat)\n\n<i id=\"x\"></i>\n")
        .element("index", "h2#kiln-heat b")
        .element("index", "h2#mine")
        .run();
}

#[test]
fn code_that_an_unknown_component_is_given_is_shown() {
    SiteTest::inline("")
        .file(".vitepress/config.js", "export default { title: 'T' }\n")
        .file(
            ".vitepress/Hero.vue",
            "<script setup>\nimport Group from 'some-theme/Group.vue'\nconst tabs = [\n  { label: 'npm', code: 'npm i <kiln>', prefix: '$ ' },\n  { label: 'codeless' },\n]\n</script>\n\n<template>\n  <div>\n    <Group :tabs=\"tabs\" />\n  </div>\n</template>\n",
        )
        .file("index.md", "<script setup>\nimport Hero from './.vitepress/Hero.vue'\n</script>\n\n# Home\n\n<Hero />\n")
        .other_diagnostics()
        .element("index", "main pre")
        .text("index", "$ npm i <kiln>")
        .nowhere("index", "codeless")
        .run();
}

#[test]
fn components_of_the_project_say_what_their_templates_say() {
    SiteTest::inline("")
        .file(".vitepress/config.js", "export default { title: 'T' }\n")
        .file(
            ".vitepress/theme/index.ts",
            "import Mark from './Mark.vue'\nimport Slotted from './Slotted.vue'\n\nexport default {\n  enhanceApp({ app }) {\n    app.component('Mark', Mark)\n    app.component('Slotted', Slotted)\n  },\n}\n",
        )
        .file(".vitepress/theme/Mark.vue", "<template>\n  <b class=\"x\">beta</b>\n</template>\n\n<style>b { color: red }</style>\n")
        .file(".vitepress/theme/Slotted.vue", "<template><section><slot /></section></template>\n")
        .file(
            ".vitepress/theme/Home.vue",
            "<script setup>\nimport Hero from './Hero.vue'\nconst list = [1, 2]\n</script>\n\n<template>\n  <Hero />\n\n  <ul>\n    <li v-for=\"one in list\">{{ one }}</li>\n    <li>Always {{ 'there' }}</li>\n  </ul>\n  <Slotted><em>Slots</em> too.</Slotted>\n  <Outside heading=\"From a package\" />\n  <template v-if=\"a\">Also this.</template>\n  <p v-else>Not this.</p>\n</template>\n",
        )
        .file(
            ".vitepress/theme/Hero.vue",
            "<template>\n  <h1>A kiln</h1>\n  <a :href=\"'/guide'\" class=\"button\" @click=\"go\">Begin</a>\n  <img src=\"@assets/a.svg\">\n</template>\n",
        )
        .file(
            "index.md",
            "---\nlayout: home\n---\n\n<script setup>\nimport Home from './.vitepress/theme/Home.vue'\n</script>\n\n<Home />\n",
        )
        .file("guide.md", "# Guide\n\nIt is <Mark /> and `<Mark />`.\n\n## More <Mark></Mark>\n\n```vue\n<Mark />\n```\n")
        .diagnostic("unknown-component", "index.md:9")
        .element("index", "main h2")
        .element("index", "main a[href='guide.html']")
        .element("index", "main section em")
        .text("index", "A kiln Begin")
        .text("index", "Always there")
        .text("index", "Slots too.")
        .text("index", "From a package")
        .text("index", "Also this.")
        .nowhere("index", "Not this")
        .nowhere("index", "{{")
        .nowhere("index", "@assets")
        .text("guide", "It is beta and <Mark />.")
        .run();
}

#[test]
fn components_of_the_project_take_their_properties() {
    SiteTest::inline("")
        .file(".vitepress/config.js", "export default { title: 'T' }\n")
        .file(
            ".vitepress/theme/index.ts",
            "import Course from './Course.vue'\nimport Kilns from './Kilns.vue'\nimport Grow from './Grow.vue'\n\nexport default {\n  enhanceApp({ app }) {\n    app.component('Course', Course)\n    app.component('Kilns', Kilns)\n    app.component('Grow', Grow)\n  },\n}\n",
        )
        .file(
            ".vitepress/theme/Course.vue",
            "<script setup lang=\"ts\">\ndefineProps<{ href: string, minutesLong?: number, note?: string }>()\n</script>\n\n<template>\n  <a :href=\"href\" class=\"c\"><slot /></a> <Badge type=\"tip\" text=\"new\" /><i v-if=\"minutesLong\"> ({{ minutesLong }} min)</i><b v-if=\"note\">{{ note }}</b><u v-else-if=\"!minutesLong\"> any time</u><s v-else> once</s>\n</template>\n",
        )
        .file(
            ".vitepress/theme/Kilns.vue",
            "<script setup>\nconst kilns = [{ name: 'Raku', heat: 1000 }, { name: 'Salt', heat: 1300 }]\nconst props = defineProps({ unit: String })\n</script>\n\n<template>\n  <ul><li v-for=\"kiln in kilns\">{{ kiln.name }}: {{ kiln.heat }} {{ props.unit }}</li></ul>\n</template>\n",
        )
        .file(
            ".vitepress/theme/Grow.vue",
            format!("<template><b>{}</b></template>\n", "<slot/>".repeat(8_000)),
        )
        .file(
            "index.md",
            format!(
                "# Kilns\n\nSee <Course href=\"/guide\" :minutes-long=\"12\">the *long* way</Course> or <Course href=\"/guide\">the short</Course>.\n\n<Kilns unit=\"°C\" />\n\nIt <Grow>{}</Grow>\n\nThe end.\n",
                "x".repeat(90)
            ),
        )
        .file("guide.md", "# Guide\n")
        .diagnostic("unknown-component", "index.md:7")
        .element("index", "main a[href='guide.html'] em")
        .element("index", "main [data-component='Badge']")
        .text("index", "See the long way new (12 min) once or the short new any time")
        .text("index", "Raku: 1000 °C")
        .text("index", "Salt: 1300 °C")
        .text("index", "The end.")
        .run();
}

#[test]
fn components_with_large_values_end() {
    let theme =
        "import Many from './Many.vue'\nexport default { enhanceApp({ app }) {\n  app.component('Many', Many)\n} }\n";
    let script =
        format!("const big = ['{}']\ndefineProps<{{ a: string }}>() // {}", "x".repeat(200_000), "y ".repeat(200_000));
    let template = "{{ big }}<i :title=\"big\">{{ gone }}</i><Many :a=\"big\" /><p v-for=\"one in big\">{{ one }}</p>"
        .repeat(2_000);
    SiteTest::inline("")
        .file(".vitepress/config.js", "export default { title: 'T' }\n")
        .file(".vitepress/theme/index.ts", theme)
        .file(
            ".vitepress/theme/Many.vue",
            format!("<script setup>\n{script}\n</script>\n\n<template><div>{template}</div></template>\n"),
        )
        .file("index.md", "# Kilns\n\n<Many />\n\nThe end.\n")
        .text("index", "The end.")
        .other_diagnostics()
        .run();
}

/// Constant expressions have their values, in text, headings, cells and attributes, and in code that says so.
#[test]
fn constants_have_their_values() {
    let page = "---\ntitle: Kilns\ncones: [6, 10]\nmaker: Bertha\nshelves: 4\n---\n\n# Sum {{ 1 + 1 }}\n\n<script setup>\nconst max = 1300\nconst names = ['ash', 'clay']\n</script>\n\nText {{ 2 * 3 + 0.5 }} {{ 'a' + \"b\" }} {{ 'cone ' + $frontmatter.cones[1] }} {{ $frontmatter.shelves + 1 }} {{ max > 1000 ? 'hot' : 'cold' }} {{ names.join(' & ') }} {{ $frontmatter.maker.toUpperCase() }} {{ names.length }}.\n\n- item {{ !true }}\n\n| a |\n|---|\n| {{ max / 2 }} |\n\n```js-vue{1} [kiln.js]\nconst heat = {{ `${max + 1}` }} // {{ unknown(1) }}\n```\n\n````md-vue\n{{ $frontmatter.maker }}\n```js\n{{ 1 + 2 }}\n```\n````\n\n```js\nconst plain = '{{ 1 + 1 }}'\n```\n\n::: v-pre\nStays {{ 1 + 1 }} here.\n:::\n";
    let site = SiteTest::inline("")
        .file("docs/.vitepress/config.mjs", "export default { title: 'K' }")
        .file("docs/index.md", page)
        .diagnostic("template-expression", "docs/index.md")
        .text("index", "Sum 2")
        .text("index", "Text 6.5 ab cone 10 5 hot ash & clay BERTHA 2.")
        .text("index", "item false")
        .text("index", "650")
        .text("index", "const heat = 1301 // {{ unknown(1) }}")
        .text("index", "Bertha")
        .text("index", "const plain = '{{ 1 + 1 }}'")
        .text("index", "Stays {{ 1 + 1 }} here.")
        .run();
    let page = site.text_of("index.html");
    assert!(page.contains("kiln.js") && !page.contains("js-vue") && !page.contains("{{ $frontmatter"), "{page}");
}

/// A site with a page, and files beside it.
fn with_page(page: &str) -> SiteTest {
    SiteTest::inline("").file(".vitepress/config.mjs", "export default { title: 'Mill' }\n").file("index.md", page)
}

#[test]
fn included_text_means_what_it_means_on_the_page() {
    let page = "---\ngrain: rye\n---\n# Mill\n\n[[toc]]\n\n<!--@include: ./parts/stone.md-->\n\n- item\n  <!--@include: ./parts/cost.md-->\n\n<!-- @include: ./parts/long.md#the-sieve -->\n\n<!--@include: ./parts/long.md#own-->\n";
    with_page(page)
        .file("parts/stone.md", "## Stone\n\n::: tip\nGrinds {{ $frontmatter.grain }}.\n:::\n\n> [!WARNING] Hot\n> wheel\n")
        .file("parts/cost.md", "Costs {{ 2 * 21 }}.\n")
        .file("parts/long.md", "## The *hopper*\n\nfull\n\n## The `sieve`\n\nfine\n\n### Mesh\n\nwire\n\n## Sack {#own}\n\nheavy\n\n# End\n\nover\n")
        .element("index", "main a[href='#stone']")
        .text("index", "TIP Grinds rye.")
        .text("index", "Hot wheel")
        .element("index", "li")
        .text("index", "item Costs 42.")
        .text("index", "The sieve fine Mesh wire Sack heavy")
        .nowhere("index", "hopper")
        .nowhere("index", "over")
        .other_diagnostics()
        .run();
}

#[test]
fn groups_of_code_have_the_names_of_their_tabs() {
    let page = "# Mill\n\n::: code-group\n\n```js [a.js]{1} :line-numbers=3\nlet a\n```\n\n<<< ./src/b.ts{1}\n\n<<< @/src/b.ts#part [The part]\n\n:::\n\n<<< ./src/b.ts\n";
    let site = with_page(page)
        .file("src/b.ts", "let b\n// #region part\nlet part\n// #endregion part\n")
        .element("index", "[data-component=CodeGroup] [data-title='a.js']")
        .element("index", "[data-component=CodeGroup] [data-title='b.ts']")
        .element("index", "[data-component=CodeGroup] [data-title='The part']")
        .nowhere("index", "line-numbers")
        .run();
    assert_eq!(site.page("index").count("[data-title]"), 3);
}

#[test]
fn tabs_of_a_plugin_are_tabs() {
    let page = "# Mill\n\n:::tabs key:os\n== Water *wheel*\nwet\n\n```sh\n== no tab\n```\n\n::: tip\ninside\n:::\n== Wind\ndry\n:::\n\nAfter == all.\n\n- item\n\n  ::: tabs\n  == Deep\n  low\n  :::\n\n== Alone\n";
    with_page(page)
        .element("index", "[data-component=Tabs] [data-component=Tab][data-title='Water wheel'] [data-component=Tip]")
        .element("index", "[data-component=Tab][data-title='Wind']")
        .element("index", "li [data-component=Tab][data-title='Deep']")
        .text("index", "== no tab")
        .text("index", "After == all.")
        .text("index", "== Alone")
        .run();
}

#[test]
fn loops_may_begin_within_a_line() {
    let page = "<script setup>\nconst parts = [{ name: 'cog' }, { name: 'shaft' }]\n</script>\n\n# Mill\n\n<ul><li v-for=\"(part, at) in parts\" :key=\"at\">{{ at }} {{ part.name }}</li></ul>\n\nCounts <b v-for=\"i in 3\">{{ i }};</b> done\n\n`<b v-for=\"x in y\">`\n";
    with_page(page)
        .text("index", "0 cog 1 shaft")
        .text("index", "Counts 1;2;3; done")
        .text("index", "<b v-for=\"x in y\">")
        .run();
}

#[test]
fn slots_of_components_have_names() {
    let component = "<template><section><h4>{{ title }}</h4><slot name=\"icon\">plain</slot> <slot /> <slot name=\"foot\"><i>end</i></slot></section></template>\n<script setup>\ndefineProps({ title: String })\n</script>\n";
    with_page("<script setup>\nimport Box from './Box.vue'\n</script>\n\n# Mill\n\n<Box title=\"One\">words</Box>\n\n<Box title=\"Two\"><template #icon>cog</template>more<template v-slot:foot>last</template></Box>\n")
        .file("Box.vue", component)
        .text("index", "One plain words end")
        .text("index", "Two cog more last")
        .other_diagnostics()
        .run();
    // what the reader decides is shown in both ways
    let outer = "<script setup>\nimport Clock from './Clock.vue'\n</script>\n<template><Clock><template #default><p>early</p></template><template #late><p>late</p></template></Clock></template>\n";
    let clock = "<script setup>\nimport { ref } from 'vue'\nconst now = ref(Date.now())\n</script>\n<template><slot v-if=\"now > 9\" name=\"late\" /><slot v-else /></template>\n";
    with_page("<script setup>\nimport Page from './Page.vue'\n</script>\n\n# Mill\n\n<Page />\n")
        .file("Page.vue", outer)
        .file("Clock.vue", clock)
        .text("index", "early")
        .text("index", "late")
        .other_diagnostics()
        .run();
}

#[test]
fn a_component_is_told_once() {
    with_page("# Mill\n\nSee <Sluice gate=\"2\" /> and <Sluice />.\n")
        .diagnostic("unknown-component", "index.md:3:1")
        .run();
}

#[test]
fn features_and_menus_keep_their_links() {
    let config = "export default { title: 'Mill', themeConfig: { nav: [{ text: 'Guide', link: '/a' }, { text: 'Elsewhere', items: [{ text: 'Forum', link: 'https://example.com/forum' }] }], sidebar: { '/': [{ text: 'All', items: [{ text: 'A', link: '/a' }] }] } } }\n";
    let site = SiteTest::inline("")
        .file(".vitepress/config.mjs", config)
        .file("index.md", "---\nlayout: home\nhero: {name: Mill}\nfeatures:\n  - {title: Slow, details: Old, link: /a, linkText: Read on}\n---\n")
        .file("a.md", "# A\n")
        .text("index", "Read on")
        .run();
    let page = site.text_of("a.html");
    assert!(page.contains("https://example.com/forum") && page.contains("Elsewhere"), "a menu of nothing but links");
}
