use super::*;
use crate::icon::tests::{Files, rendered};

/// The HTML of a diagram and the problems found.
fn written(source: &str) -> (String, Vec<Diagnostic>) {
    rendered(&Files::default(), |r| write_diagram(r, source, "", Place { line: 7, column: 1, ..Place::default() }))
}

#[track_caller]
pub(super) fn drawn(source: &str) -> String {
    let (html, diagnostics) = written(source);
    assert_eq!(diagnostics, [], "{source}");
    assert!(
        html.starts_with("<figure class=\"mermaid\" data-component=\"Mermaid\"") && html.ends_with("</svg></figure>"),
        "{html}"
    );
    html
}

const FLOW: &str = "flowchart LR\n  A[Start here] -->|yes & no| B{Choice}\n  B --> C((End))";

#[test]
fn a_drawing_is_complete_and_stands_alone() {
    let html = drawn(FLOW);
    for label in ["Start", "yes", "Choice", "End"] {
        assert!(html.contains(label), "{label}: {html}");
    }
    assert!(html.contains("role=\"img\" aria-label=\"Flowchart: "), "{html}");
    for foreign in ["foreignObject", "<script", "http:", "https:", "<image", "xlink", " on"] {
        assert!(!html.contains(foreign), "{foreign}: {html}");
    }
}

#[test]
fn colors_are_the_pages() {
    let html = drawn(FLOW);
    for color in ["var(--op-ink)", "var(--op-muted)", "var(--op-line-strong)", "var(--op-raised)"] {
        assert!(html.contains(color), "{color}: {html}");
    }
    let html = drawn("pie\n \"Dogs\" : 3\n \"Cats\" : 5");
    assert!(html.contains("<style>#diagram{--m0:") && html.contains("}.dark #diagram{--m0:"), "{html}");
}

#[test]
fn each_diagram_of_a_page_has_ids_of_its_own() {
    let (html, _) = rendered(&Files::default(), |r| {
        write_diagram(r, FLOW, "", Place::default());
        write_diagram(r, FLOW, "", Place::default());
    });
    let ids: Vec<&str> =
        html.match_indices(" id=\"").map(|(at, _)| html[at + 5..].split('"').next().unwrap_or_default()).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(ids.len(), unique.len(), "{ids:?}");
    assert!(ids.contains(&"diagram") && ids.contains(&"diagram-2"), "{ids:?}");
}

#[test]
fn the_same_source_gives_the_same_drawing() {
    for source in [
        FLOW,
        "gitGraph\n commit\n branch b\n commit\n checkout main\n merge b",
        "mindmap\n root\n  a\n  b",
        "flowchart TD\n A((x))",
    ] {
        assert_eq!(drawn(source), drawn(source), "{source}");
    }
}

#[test]
fn every_family_keeps_its_labels() {
    for (source, labels) in [
        (
            "sequenceDiagram\n actor U as User\n participant B\n U->>B: hello\n Note right of B: a note",
            ["User", "hello", "a note"],
        ),
        ("classDiagram\n class Duck{\n +String beak\n +swim()\n }", ["Duck", "+String beak", "+swim()"]),
        ("stateDiagram-v2\n [*] --> Still\n Still --> Moving : go", ["Still", "Moving", "go"]),
        ("erDiagram\n CUSTOMER ||--o{ ORDER : places", ["CUSTOMER", "ORDER", "places"]),
        ("gantt\n title T\n dateFormat YYYY-MM-DD\n section S\n Task one :a1, 2014-01-01, 30d", ["T", "S", "Task one"]),
        ("mindmap\n root((core))\n  left\n  right", ["core", "left", "right"]),
        ("timeline\n title T\n 2002 : LinkedIn", ["T", "2002", "LinkedIn"]),
        ("block-beta\n a[\"one\"] b[\"two\"] c[\"three\"]", ["one", "two", "three"]),
        ("kanban\n todo[To do]\n  a[Write]\n  b[Read]", ["To do", "Write", "Read"]),
        ("journey\n title Day\n section Work\n  Make tea: 5: Me", ["Day", "Work", "Make tea"]),
    ] {
        let html = drawn(source);
        let text: String = html.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text).collect();
        for label in labels {
            assert!(text.contains(label), "{label}: {html}");
        }
    }
}

/// Marks and character references in labels are shown as what they mean.
#[test]
fn labels_show_no_markup() {
    for (label, expect) in [
        ("<b>Bold</b> x", "<tspan font-weight=\"bold\">Bold</tspan> x</tspan>"),
        ("a <i>it</i>", "<tspan font-style=\"italic\"> it</tspan></tspan>"),
        ("<font color='red'>y</font>", ">y</tspan>"),
        ("Hex #quot;q#quot;", ">Hex \"q\"</tspan>"),
        ("#35;1 #9829;", ">#1 \u{2665}</tspan>"),
    ] {
        let html = drawn(&format!("flowchart LR\n  A --> B{{{{\"{label}\"}}}}"));
        assert!(html.contains(expect), "{label}: {html}");
    }
    let width = |label: &str| {
        drawn(&format!("flowchart LR\n  A[\"{label}\"]"))
            .split(" width=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next().map(str::to_owned))
    };
    assert_eq!(width("a longer one with #quot;q#quot;"), width("a longer one with &quot;q&quot;"));
}

#[test]
fn an_author_may_describe_a_diagram() {
    let html = drawn("flowchart LR\n  accTitle: How it works\n  accDescr: From A to B\n  A --> B");
    assert!(html.contains("aria-label=\"How it works. From A to B\""), "{html}");
    assert!(!html.contains("<title"), "{html}");
}

#[test]
fn an_authors_own_colors_keep_their_ground() {
    let html = drawn(
        "%%{init: {'theme':'base','themeVariables':{'primaryColor':'#BB2528','primaryTextColor':'#fff'}}}%%\nflowchart LR\n  A --> B",
    );
    assert!(
        html.contains(" data-ground=\"light\"") && html.contains("#BB2528") && !html.contains("--op-ink"),
        "{html}"
    );
    // a theme alone is the page's affair
    let html = drawn("%%{init: {'theme':'dark'}}%%\nflowchart LR\n  A --> B");
    assert!(!html.contains("data-ground") && html.contains("var(--op-ink)"), "{html}");
}

#[test]
fn links_are_resolved_and_scripts_are_not() {
    let html =
        drawn("flowchart LR\n  A --> B\n  click A href \"/guides/start\"\n  click B href \"javascript:alert(1)\"");
    assert!(!html.contains("javascript"), "{html}");
    assert!(html.contains(" href=\"/guides/start\">") && html.contains(" role=\"group\" "), "{html}");
    assert_eq!(html.matches("<a ").count(), 1, "{html}");
    assert_eq!(html.matches(" transform=\"translate(68").count(), 1, "a node keeps its place: {html}");
}

#[test]
fn what_cannot_be_drawn_stays_readable() {
    for source in [
        "// Your diagram <here>",
        "flowchart LR\n  A[",
        "",
        &"A-->B\n".repeat(10_000),
        &format!("graph TD\nA[{}]", "x".repeat(5_000)),
    ] {
        let (html, diagnostics) = written(source);
        assert!(
            html.starts_with(
                "<div class=\"mermaid mermaid-source\" data-component=\"Mermaid\"><pre tabindex=\"0\"><code>"
            ),
            "{html}"
        );
        assert!(html.contains(&html::escape_html_text(source)), "{html}");
        let [problem] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
        assert_eq!((problem.code, problem.file.as_str(), problem.line), ("diagram-failed", "guides/start.mdx", 7));
    }
}

#[test]
fn placement_and_actions_are_kept() {
    let (html, _) = rendered(&Files::default(), |r| {
        write_diagram(r, FLOW, "placement=\"top-left\" actions={false} x=\"<\"", Place::default())
    });
    assert!(html.contains(" data-placement=\"top-left\" data-actions=\"false\""), "{html}");
    let (html, _) =
        rendered(&Files::default(), |r| write_diagram(r, FLOW, "placement=\"><script>\"", Place::default()));
    assert!(!html.contains("data-placement") && !html.contains("<script"), "{html}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(96))]
    #[test]
    fn any_source_is_drawn_or_shown(kind in "(flowchart TD|sequenceDiagram|classDiagram|stateDiagram-v2|pie|mindmap|graph LR)", body in "(\n ?([A-C]|-->|--|[:\\[\\](){}|\"<>&#;é]|end|style A fill:#f9f|<script>|x y)){0,14}") {
        let source = format!("{kind}{body}");
        let (html, diagnostics) = written(&source);
        proptest::prop_assert!(html.starts_with("<figure class=\"mermaid\"") || diagnostics.len() == 1, "{}", html);
        proptest::prop_assert!(!html.contains("<script"), "{}", html);
    }
}
