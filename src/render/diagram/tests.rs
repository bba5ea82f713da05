use super::*;
use crate::render::icon::tests::{Files, rendered};

/// The HTML of a diagram and the problems found.
fn written(source: &str) -> (String, Vec<Diagnostic>) {
    rendered(&Files::default(), |r| write(r, source, "", Place { line: 7, column: 1, ..Place::default() }))
}

#[track_caller]
fn drawn(source: &str) -> String {
    let (html, diagnostics) = written(source);
    assert_eq!(diagnostics, [], "{source}");
    assert!(html.starts_with("<figure class=\"mermaid\" data-component=\"Mermaid\"") && html.ends_with("</svg></figure>"), "{html}");
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
fn colours_are_the_pages() {
    let html = drawn(FLOW);
    for color in ["var(--op-ink)", "var(--op-muted)", "var(--op-line-strong)", "var(--op-raised)"] {
        assert!(html.contains(color), "{color}: {html}");
    }
    let html = drawn("pie\n \"Dogs\" : 3\n \"Cats\" : 5");
    assert!(html.contains("<style>#diagram{--m0:") && html.contains("}.dark #diagram{--m0:"), "{html}");
}
