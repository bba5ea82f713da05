//! The navigation of a folder without a configuration.

use crate::testing::site;
use nav::{NavNode, NodeId};

#[test]
fn folders_become_groups() {
    let it = site(&[
        ("README.md", "# The project\n"),
        ("guides/02-later.md", "# Later\n"),
        ("guides/01-basics/a.md", ""),
        ("guides/10-last.md", ""),
        ("guides/README.md", "# All guides\n"),
        ("zeta.md", "text"),
        ("api/reference.md", "---\ntitle: Reference\nicon: x\n---\n"),
    ]);
    let shown: Vec<String> = it
        .navigation
        .iter()
        .skip(1)
        .map(|(id, node)| format!("{}{}", "  ".repeat(it.navigation.ancestors(id).len() - 1), node.label))
        .collect();
    assert_eq!(
        shown,
        ["The project", "Zeta", "Api", "  Reference", "All guides", "  Basics", "    A", "  Later", "  Last"]
    );
    let order: Vec<&str> = it.navigation.order.iter().map(|page| it.slug(*page)).collect();
    assert_eq!(
        order,
        ["index", "zeta", "api/reference", "guides/index", "guides/01-basics/a", "guides/02-later", "guides/10-last"]
    );
    assert_eq!(it.navigation.home.map(|page| it.slug(page)), Some("index"));
}

#[track_caller]
fn check(files: &[(&str, &str)], expect: &[&str]) {
    let it = site(files);
    let shown = |(id, node): (NodeId, &NavNode)| {
        let target = node.page.map(|page| it.slug(page)).or(node.href.as_deref()).unwrap_or_default();
        let label = if node.hidden { "(hidden)" } else { node.label.as_str() };
        format!("{}{label}: {target}", "  ".repeat(it.navigation.ancestors(id).len() - 1))
    };
    assert_eq!(it.navigation.iter().skip(1).map(shown).collect::<Vec<_>>(), expect);
}

#[test]
fn a_summary_says_the_order_and_the_names() {
    check(
        &[
            (
                "SUMMARY.md",
                "# Summary\n\n[Hello](README.md)\n\n# Use\n\n- [Second](b.md)\n  - [Inside](c/d.md#x)\n- [First](a.md)\n- [Again](a.md)\n- [Gone](gone.md)\n- [Site](https://x.y)\n",
            ),
            ("README.md", "# The project\n"),
            ("a.md", "# A\n"),
            ("b.md", "# B\n"),
            ("c/d.md", "# D\n"),
            ("c/e.md", "# E\n"),
            ("z.md", "# Z\n"),
        ],
        &[
            "(hidden): SUMMARY",
            "Hello: index",
            "Use: ",
            "  Second: b",
            "    Inside: c/d",
            "  First: a",
            "  Site: https://x.y",
            "Z: z",
            "C: ",
            "  E: c/e",
        ],
    );
    check(
        &[
            ("README.md", "# Top\n"),
            ("src/SUMMARY.md", "- [One](one.md)\n- [Start](README.md)\n"),
            ("src/README.md", "# Book\n"),
            ("src/one.md", "# 1\n"),
            ("src/a.md", "# A\n"),
        ],
        &["Top: index", "Book: src/index", "  (hidden): src/SUMMARY", "  One: src/one", "  A: src/a"],
    );
    // a page of that name that lists nothing is a page
    check(
        &[("README.md", "# Top\n"), ("SUMMARY.md", "# What it is\n\n[Out](https://x.y)\n")],
        &["Top: index", "What it is: SUMMARY"],
    );
}

#[test]
fn categories_say_labels_and_positions() {
    check(
        &[
            ("intro.md", "---\nsidebar_position: 2\nsidebar_label: Begin\n---\n# Introduction\n"),
            ("other.md", "# Other\n"),
            (
                "basics/_category_.json",
                "{\"label\": \"The basics\", \"position\": 1, \"link\": {\"type\": \"generated-index\"}}",
            ),
            ("basics/x.md", "# X\n"),
            ("deep/_category_.yml", "label: Deeper\nposition: 2.5\n"),
            ("deep/y.md", "# Y\n"),
            ("broken/_category_.json", "{]"),
            ("broken/z.md", "# Z\n"),
        ],
        &[
            "The basics: ",
            "  X: basics/x",
            "Begin: intro",
            "Deeper: ",
            "  Y: deep/y",
            "Other: other",
            "Broken: ",
            "  Z: broken/z",
        ],
    );
}
