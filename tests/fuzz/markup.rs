//! Text of pages to trees.

use offprint::base::printable::printable;
use offprint::base::{FileId, Place, limits};
use offprint::markup::tree::Node;
use offprint::markup::{parse_markdown, parse_mdx};

/// The line of the file at which the text begins.
const FIRST_LINE: u32 = 5;

/// MDX and Markdown: no placeholder of the scanner is left in a tree, trees are not deeper than the limit, and problems
/// stand within the text.
pub(super) fn mdx(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let text = printable(&text);
    for document in [parse_mdx(&text, FileId(0), FIRST_LINE), parse_markdown(&text, FileId(0), FIRST_LINE)] {
        let shown = format!("{:?}", document.nodes);
        assert!(!shown.contains("\\u{fdd0}") && !shown.contains("\\u{fdd1}"), "a placeholder: {shown}");
        assert!(depth(&document.nodes) <= limits::NESTING + 1, "{} levels", depth(&document.nodes));
        document.problems.iter().for_each(|problem| assert_within(&text, problem.place));
    }
}

/// Levels of blocks and elements.
fn depth(nodes: &[Node]) -> usize {
    let (mut deepest, mut todo) = (0, vec![(nodes, 1)]);
    while let Some((nodes, depth)) = todo.pop() {
        deepest = deepest.max(depth);
        todo.extend(nodes.iter().filter_map(|node| match node {
            Node::Block(block) => Some((block.children.as_slice(), depth + 1)),
            Node::Element(element) => Some((element.children.as_slice(), depth + 1)),
            _ => None,
        }));
    }
    deepest
}

fn assert_within(text: &str, place: Place) {
    let line = place.line.checked_sub(FIRST_LINE).and_then(|line| text.split('\n').nth(line as usize));
    let columns = line.unwrap_or_else(|| panic!("there is no line {}", place.line)).chars().count();
    assert!((1..=columns + 1).contains(&(place.column as usize)), "line {} has no column {}", place.line, place.column);
}

/// Pages with mistakes, and pages of the documentation.
pub(super) fn pages() -> Vec<Vec<u8>> {
    let folders = ["hostile/broken", "hostile/links", "hostile/snippets", "docs/components", "docs/format"];
    folders.iter().flat_map(|folder| super::files(&super::root().join("fixtures").join(folder))).collect()
}
