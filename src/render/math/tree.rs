//! The elements of a formula: read from KaTeX's markup, written as HTML. Nothing else than the elements and attributes
//! of MathML named here passes, properly nested; all text is escaped.

use std::borrow::Cow;

use base::cut::{SliceText as _, cut};
use base::html::{self, decode_character_references, push_html_text};

/// Deepest nesting of elements.
const MAX_FORMULA_DEPTH: usize = 200;

const ELEMENTS: [&str; 24] = [
    "math",
    "menclose",
    "mfrac",
    "mi",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
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
];
const ATTRIBUTES: [&str; 33] = [
    "accent",
    "accentunder",
    "class",
    "columnalign",
    "columnlines",
    "columnspacing",
    "depth",
    "display",
    "displaystyle",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathbackground",
    "mathcolor",
    "mathsize",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "notation",
    "rowlines",
    "rowspacing",
    "rspace",
    "scriptlevel",
    "separator",
    "stretchy",
    "style",
    "symmetric",
    "voffset",
    "width",
];

/// An element or a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MathNode {
    Element(MathElement),
    Text(String),
}

/// An element of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MathElement {
    pub(super) name: &'static str,
    pub(super) attributes: Vec<(&'static str, Cow<'static, str>)>,
    pub(super) children: Vec<MathNode>,
}

impl MathElement {
    pub(super) fn new(name: &'static str, children: Vec<MathNode>) -> Self {
        Self { name, attributes: Vec::new(), children }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_ref())
    }

    /// Takes an attribute away.
    pub(super) fn take(&mut self, name: &str) -> Option<Cow<'static, str>> {
        let at = self.attributes.iter().position(|(known, _)| *known == name)?;
        Some(self.attributes.remove(at).1)
    }

    pub(super) fn add_class(&mut self, class: &str) {
        let classes = self.take("class");
        let classes = classes.map_or_else(|| class.to_owned(), |known| format!("{known} {class}"));
        self.attributes.push(("class", classes.into()));
    }

    /// An element of characters only: a name, number, operator or text.
    pub(super) fn is_token(&self) -> bool {
        matches!(self.name, "mi" | "mn" | "mo" | "mtext" | "ms")
    }

    /// The texts directly in the node.
    pub(super) fn text(&self) -> String {
        self.children.iter().filter_map(MathNode::as_text).collect()
    }

    /// Writes it as HTML.
    pub(super) fn write(&self, out: &mut String) {
        out.push('<');
        out.push_str(self.name);
        for (name, value) in &self.attributes {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            html::push_attr(out, value);
            out.push('"');
        }
        out.push('>');
        for child in &self.children {
            match child {
                MathNode::Element(element) => element.write(out),
                MathNode::Text(text) => push_html_text(out, text),
            }
        }
        // HTML knows no empty elements but its own
        out.push_str("</");
        out.push_str(self.name);
        out.push('>');
    }
}

impl MathNode {
    pub(super) fn as_element(&self) -> Option<&MathElement> {
        if let Self::Element(element) = self { Some(element) } else { None }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The element, if it is of this name.
    pub(super) fn named(&self, name: &str) -> Option<&MathElement> {
        self.as_element().filter(|element| element.name == name)
    }
}

/// Reads markup that is one element; `None` if it is anything else, or too deep. Unknown attributes are left out, of
/// unknown elements the children stay.
pub(super) fn parse_math_markup(markup: &str) -> Option<MathElement> {
    let mut open: Vec<(&str, MathElement)> = vec![("", MathElement::default())];
    let mut rest = markup;
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        let (text, tag) = cut(rest, at);
        let (tag, after) = tag.slice(1..).split_once('>')?;
        rest = after;
        let parent = &mut open.last_mut()?.1;
        if !text.is_empty() {
            push_math_child(parent, MathNode::Text(decode_character_references(text).into_owned()));
        }
        if let Some(name) = tag.strip_prefix('/') {
            let (opened, element) = open.pop()?;
            (opened == name).then_some(())?;
            close_math_element(&mut open.last_mut()?.1, element);
        } else {
            let (name, element) = parse_math_start_tag(tag.strip_suffix('/').unwrap_or(tag))?;
            if tag.ends_with('/') {
                close_math_element(parent, element);
            } else {
                open.push((name, element));
                (open.len() <= MAX_FORMULA_DEPTH).then_some(())?;
            }
        }
    }
    let (_, root) = open.pop().filter(|_| open.is_empty() && rest.is_empty())?;
    match <[MathNode; 1]>::try_from(root.children) {
        Ok([MathNode::Element(element)]) => Some(element),
        _ => None,
    }
}

/// Puts a finished element into its parent, or its children if it is none of MathML.
fn close_math_element(parent: &mut MathElement, element: MathElement) {
    if element.name.is_empty() {
        element.children.into_iter().for_each(|child| push_math_child(parent, child));
    } else {
        push_math_child(parent, MathNode::Element(element));
    }
}

/// Adds a child; text side by side is one text.
fn push_math_child(parent: &mut MathElement, child: MathNode) {
    match (parent.children.last_mut(), child) {
        (Some(MathNode::Text(before)), MathNode::Text(text)) => before.push_str(&text),
        (_, child) => parent.children.push(child),
    }
}

/// The inside of a start tag: its name as written, and the element, which has no name if it is none of MathML.
fn parse_math_start_tag(tag: &str) -> Option<(&str, MathElement)> {
    let (name, mut rest) = cut(tag, tag.find(' ').unwrap_or(tag.len()));
    let mut element =
        MathElement::new(ELEMENTS.into_iter().find(|known| *known == name).unwrap_or_default(), Vec::new());
    while let Some((attribute, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"')?;
        if let Some(known) = ATTRIBUTES.into_iter().find(|known| *known == attribute.trim()) {
            element.attributes.push((known, decode_character_references(value).into_owned().into()));
        }
        rest = after;
    }
    rest.trim().is_empty().then_some((name, element))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(markup: &str, expect: Option<&str>) {
        let written = parse_math_markup(markup).map(|element| {
            let mut out = String::new();
            element.write(&mut out);
            out
        });
        assert_eq!(written.as_deref(), expect, "{markup}");
    }

    #[test]
    fn mathml_passes() {
        check(
            "<math display=\"block\"><mo>&lt;</mo><mspace width=\"1em\"/></math>",
            Some("<math display=\"block\"><mo>&lt;</mo><mspace width=\"1em\"></mspace></math>"),
        );
        check(
            "<math><mtd class =\"a\">&amp;lt; &#x27;</mtd></math>",
            Some("<math><mtd class=\"a\">&amp;lt; '</mtd></math>"),
        );
    }

    #[test]
    fn all_else_does_not() {
        check("<math><script>a</script><mi onclick=\"x\" href=\"y\">b</mi></math>", Some("<math>a<mi>b</mi></math>"));
        check("<math><mglyph src=\"x\"/></math>", Some("<math></math>"));
        for markup in [
            "",
            "a",
            "<math>",
            "<math></math><math></math>",
            "<math><mrow></math></mrow>",
            "<math></mrow></math>",
            "<math a=\"></math>",
            "<math",
            "</math>",
            "x<math></math>",
        ] {
            check(markup, None);
        }
        check(&format!("<math>{}{}</math>", "<mrow>".repeat(300), "</mrow>".repeat(300)), None);
    }

    proptest::proptest! {
        #[test]
        fn what_is_read_reads_the_same_again(markup in "<math>(</?(mi|mo|mrow|img|script)( (class|style|on)=\"[a-z:;&]{0,4}\")?/?>|[a-z&;>\" ]){0,12}</math>") {
            if let Some(element) = parse_math_markup(&markup) {
                let mut out = String::new();
                element.write(&mut out);
                proptest::prop_assert!(!out.contains("<img") && !out.contains("<script"), "{}", out);
                proptest::prop_assert_eq!(parse_math_markup(&out), Some(element));
            }
        }
    }
}
