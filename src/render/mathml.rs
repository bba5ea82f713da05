//! Formulas that authors write in MathML.

use base::limits;
use markup::tree::{JsxElement, Node};

use super::{Renderer, attributes};

/// The elements of MathML Core, and those of MathML 3 that browsers draw or leave out with their content.
const ELEMENTS: [&str; 38] = [
    "annotation",
    "annotation-xml",
    "maction",
    "maligngroup",
    "malignmark",
    "math",
    "menclose",
    "merror",
    "mfenced",
    "mfrac",
    "mi",
    "mlabeledtr",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "none",
    "semantics",
    "mglyph",
    "mlongdiv",
];

/// Writes `<math>`.
pub(super) fn write_mathml(r: &mut Renderer<'_>, element: &JsxElement) {
    r.state.phrasing += 1;
    r.state.in_code += 1;
    write_mathml_element(r, element, 0);
    r.state.in_code -= 1;
    r.state.phrasing -= 1;
}

fn write_mathml_element(r: &mut Renderer<'_>, element: &JsxElement, depth: usize) {
    let name = element.name.to_ascii_lowercase();
    if depth >= limits::NESTING || !ELEMENTS.contains(&name.as_str()) {
        // HTML in a text of the formula
        return r.nodes(std::slice::from_ref(&Node::Element(Box::new(element.clone()))));
    }
    attributes::open_element(r, &name, element, "");
    write_children(r, &element.children, depth + 1);
    r.raw(&format!("</{name}>"));
}

fn write_children(r: &mut Renderer<'_>, nodes: &[Node], depth: usize) {
    for node in nodes {
        match node {
            Node::Element(child) => write_mathml_element(r, child, depth),
            // lines of MDX may have become a paragraph
            Node::Block(block) if depth < limits::NESTING => write_children(r, &block.children, depth + 1),
            Node::Text(text) if text.trim().is_empty() => {}
            Node::Text(text) => r.text(text),
            Node::Break { .. } => {}
            node => r.nodes(std::slice::from_ref(node)),
        }
    }
}
