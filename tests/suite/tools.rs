//! Formulas and utility classes: what KaTeX and Tailwind make of them stands in the bundle, and pages load it only
//! where they need it.

use crate::suite::site::{Exported, SiteTest};

/// The style sheet of utilities that a page links.
#[track_caller]
fn utilities<'e>(exported: &'e Exported, page: &str) -> &'e str {
    let page = exported.page(page);
    let link = page.select("link[href*=utilities]");
    let href = link.first().and_then(|link| link.attr("href")).expect("a link").trim_start_matches("../");
    exported.text_of(href)
}

/// Whether a bundle has style sheets of utilities.
fn has_utilities(exported: &Exported) -> bool {
    exported.files.keys().any(|path| path.starts_with("_offprint/utilities"))
}

#[track_caller]
fn holds(exported: &Exported) {
    let wrong = crate::suite::contract::violations(&exported.files);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_load_the_utilities_that_they_use() {
    let exported = SiteTest::pages(&[
        ("index", "<div className=\"flex dark:mt-4 no-such-class\">a</div>\n\n<Card title=\"b\" className=\"md:hidden\">c</Card>"),
        ("pair", "<span className=\"block dark:hidden\">light</span><span className=\"hidden dark:block\">dark</span>"),
        ("deep/grid", "<div className=\"grid\">a</div>"),
        ("deep/same", "<p className=\"grid\">b</p>"),
        ("plain", "Text."),
    ])
    .element("index", "link[rel=stylesheet][href^='_offprint/utilities-']")
    .element("deep/grid", "link[rel=stylesheet][href^='../_offprint/utilities-']")
    .element("index", ".no-such-class")
    .no_element("pair", "link[href*=utilities]")
    .no_element("plain", "link[href*=utilities]")
    .run();
    holds(&exported);
    let sheet = utilities(&exported, "index");
    for rule in [
        ".flex{display:flex}",
        ".dark\\:mt-4:where(.dark,.dark *){",
        "@media (width>= 48rem){.md\\:hidden{display:none}}",
    ] {
        assert!(sheet.contains(rule), "{rule}: {sheet}");
    }
    assert!(!sheet.contains("no-such-class") && !sheet.contains(".grid"), "{sheet}");
    let grid = utilities(&exported, "deep/grid");
    assert!(grid.contains(".grid{display:grid}") && !grid.contains(".flex"), "{grid}");
    assert_eq!(exported.files.keys().filter(|path| path.starts_with("_offprint/utilities")).count(), 2, "shared");
    assert!(exported.text_of("_offprint/NOTICES.txt").contains("Tailwind"));
}

#[test]
fn without_classes_there_is_no_sheet() {
    let exported = SiteTest::page("Text, **bold**.\n\n<Card title=\"a\">b</Card>").run();
    holds(&exported);
    assert!(!has_utilities(&exported));
    assert!(!exported.text_of("_offprint/NOTICES.txt").contains("Tailwind"));
}

#[test]
fn utilities_load_nothing_from_outside() {
    let exported = SiteTest::page("<div className=\"bg-[url('/a.svg')] p-4\">a</div>\n\n<div className=\"bg-[url(https://x.org/b.svg)] [mask:URL(//x.org/c.svg)]\">b</div>")
        .file("a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .diagnostic("outside-load", "")
        .diagnostic("outside-load", "")
        .has_file("a.svg")
        .run();
    holds(&exported);
    let sheet = utilities(&exported, "index");
    let rules = sheet.split_once('\n').map_or(sheet, |(_, rules)| rules);
    assert!(rules.contains("url(\"../a.svg\")"), "{rules}");
    assert!(!rules.contains("url(https") && !rules.contains("URL("), "{rules}");
}

#[test]
fn strange_classes_cost_themselves_only() {
    let strange = "<div className=\"[&{x}]:flex }body{display:none} content-['</style>'] w-[calc(((] flex\">a</div>";
    let exported = SiteTest::page(&format!("{strange}\n\n{}", "<b className=\"x\">y</b>\n\n".repeat(20))).run();
    holds(&exported);
    let sheet = utilities(&exported, "index");
    assert!(sheet.contains(".flex{display:flex}") && !sheet.contains("body{"), "{sheet}");
}

#[test]
fn formulas_bring_their_sheet_and_font() {
    let exported = SiteTest::pages(&[("index", "$\\frac{a}{b}$ and $\\ce{H2O}$"), ("plain", "It is $5, or $10.")])
        .element("index", "math mfrac")
        .element("index", "link[rel=stylesheet][href^='_offprint/math-']")
        .no_element("plain", "link[href*=math]")
        .has_file("_offprint/stix-two-math-OFL.txt")
        .run();
    holds(&exported);
    let without = SiteTest::page("Text.").no_file("_offprint/stix-two-math-OFL.txt").run();
    holds(&without);
}

#[test]
fn broken_formulas_stay_readable() {
    SiteTest::page("a $\\nosuch{x}$ b")
        .diagnostic("math-failed", "index.mdx:")
        .element("index", "span.math")
        .text("index", "a $\\nosuch{x}$ b")
        .run();
    SiteTest::page("$$\n\\nosuch{x}\n$$")
        .diagnostic("math-failed", "index.mdx:")
        .element("index", "code.math-error")
        .text("index", "\\nosuch{x}")
        .run();
    SiteTest::page("$\\{a} and your \\$\\{b}.")
        .diagnostic("math-failed", "index.mdx:")
        .text("index", "${a} and your ${b}.")
        .run();
}
