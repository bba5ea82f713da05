//! How large an author's SVG becomes when every `use`, marker, pattern, mask and clip path stands where it is named, and
//! what its style sheets cost: known from the XML alone, before a renderer builds any of it.

use std::collections::HashMap;

use resvg::usvg::roxmltree::{Document, Node, NodeId, ParsingOptions};

use super::not_drawn::NotDrawn;

/// Most elements after everything is put in its place.
const MAX_PICTURE_ELEMENTS: u64 = 100_000;
/// Deepest nesting of elements and of what they refer to.
const MAX_PICTURE_DEPTH: usize = 128;
/// Most attributes of an element: the XML parser compares each with all others.
const MAX_ATTRIBUTES: usize = 2_000;
/// Most declarations of namespaces: elements inherit all of those above them.
const MAX_NAMESPACES: usize = 2_000;
/// Most work of style sheets: their bytes times the elements that they are compared with.
const MAX_SHEET_WORK: u64 = 1 << 29;
/// What would be missing without a word: text needs fonts, pictures in pictures need decoders.
const UNSUPPORTED: [&str; 3] = ["text", "image", "foreignObject"];
/// Colors that the renderer does not know and takes for black.
const UNKNOWN_COLORS: [&str; 6] = ["color(", "color-mix(", "lab(", "lch(", "light-dark(", "var("];
/// The elements whose `href` stands for another element.
const REFERRING: [&str; 6] = ["use", "pattern", "linearGradient", "radialGradient", "filter", "feImage"];

/// Reads the XML of a drawing whose expansion is bounded.
pub(super) fn read_bounded(text: &str) -> Result<Document<'_>, NotDrawn> {
    // entities can grow without end
    if text.contains("<!ENTITY") || UNKNOWN_COLORS.iter().any(|color| text.contains(color)) {
        return Err(NotDrawn::Unsupported);
    }
    if text.split('<').any(|tag| tag.matches('=').count() > MAX_ATTRIBUTES)
        || text.matches("xmlns").count() > MAX_NAMESPACES
    {
        return Err(NotDrawn::Costly("it has too many attributes"));
    }
    let options =
        ParsingOptions { allow_dtd: true, nodes_limit: 4 * MAX_PICTURE_ELEMENTS as u32, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|_| NotDrawn::Unsupported)?;
    if document.descendants().any(|node| UNSUPPORTED.contains(&node.tag_name().name())) {
        return Err(NotDrawn::Unsupported);
    }
    let mut expansion = PictureExpansion::of(&document);
    let size = expansion.size(document.root(), 0)?;
    if size.elements > MAX_PICTURE_ELEMENTS {
        return Err(NotDrawn::Costly("what it refers to multiplies"));
    }
    if size.elements.saturating_mul(expansion.sheets.bytes) > MAX_SHEET_WORK {
        return Err(NotDrawn::Costly("its style sheets have too many rules for its elements"));
    }
    Ok(document)
}

/// What an element with everything in it comes to.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    elements: u64,
    /// Corners of its paths, at most: each may have a marker.
    corners: u64,
}

impl Size {
    fn add(&mut self, other: Self) {
        self.elements = self.elements.saturating_add(other.elements);
        self.corners = self.corners.saturating_add(other.corners);
    }

    fn times(self, count: u64) -> Self {
        Self { elements: self.elements.saturating_mul(count), corners: self.corners.saturating_mul(count) }
    }
}

struct PictureExpansion<'a, 'input> {
    ids: HashMap<&'a str, Node<'a, 'input>>,
    sheets: Sheets<'a>,
    /// `None` while an element is looked into.
    sizes: HashMap<NodeId, Option<Size>>,
}

impl<'a, 'input> PictureExpansion<'a, 'input> {
    fn of(document: &'a Document<'input>) -> Self {
        let mut ids = HashMap::new();
        for node in document.descendants() {
            if let Some(id) = node.attribute("id") {
                ids.entry(id).or_insert(node);
            }
        }
        let sheets = document.descendants().filter(|node| node.tag_name().name() == "style");
        Self { ids, sheets: Sheets::of(sheets.filter_map(|node| node.text())), sizes: HashMap::new() }
    }

    fn size(&mut self, node: Node<'a, 'input>, depth: usize) -> Result<Size, NotDrawn> {
        if depth > MAX_PICTURE_DEPTH {
            return Err(NotDrawn::Costly("it is nested too deeply"));
        }
        match self.sizes.insert(node.id(), None) {
            Some(Some(size)) => {
                self.sizes.insert(node.id(), Some(size));
                return Ok(size);
            }
            Some(None) => return Err(NotDrawn::Costly("it contains itself")),
            None => {}
        }
        let corners = ["d", "points"].into_iter().filter_map(|name| node.attribute(name)).map(str::len).sum::<usize>();
        let mut size = Size { elements: 1, corners: corners as u64 / 2 + 1 };
        for child in node.children().filter(Node::is_element) {
            size.add(self.size(child, depth + 1)?);
        }
        let own = size;
        for (property, id) in self.references(node) {
            let Some(target) = self.ids.get(id).copied() else { continue };
            let target = self.size(target, depth + 1)?;
            // what is inherited stands in every element
            size.add(match property {
                "fill" | "stroke" => target.times(own.elements),
                _ if property.starts_with("marker") => target.times(own.corners),
                _ => target,
            });
        }
        self.sizes.insert(node.id(), Some(size));
        Ok(size)
    }

    /// The properties of an element that refer to others, with their names.
    fn references(&self, node: Node<'a, 'input>) -> Vec<(&'a str, &'a str)> {
        let mut found = Vec::new();
        let name = node.tag_name().name();
        for attribute in node.attributes() {
            match attribute.name() {
                "style" => declared_references(attribute.value(), &mut found),
                "href" if REFERRING.contains(&name) => {
                    found.extend(attribute.value().trim().strip_prefix('#').map(|id| ("href", id)));
                }
                property => found.extend(url_ids(attribute.value()).map(|id| (property, id))),
            }
        }
        self.sheets.matching(&node, &mut found);
        found
    }
}

/// What style sheets refer to, by the parts of selectors that can name an element. Combinations are not looked at: a
/// rule may be taken for one of too many elements, never of too few.
struct Sheets<'a> {
    bytes: u64,
    rules: HashMap<&'a str, Vec<(&'a str, &'a str)>>,
}

impl<'a> Sheets<'a> {
    fn of(sheets: impl Iterator<Item = &'a str>) -> Self {
        let mut all = Self { bytes: 0, rules: HashMap::new() };
        for sheet in sheets {
            all.bytes += sheet.len() as u64;
            for rule in sheet.split('}') {
                let Some((selectors, declarations)) = rule.rsplit_once('{') else { continue };
                let mut found = Vec::new();
                declared_references(declarations, &mut found);
                if found.is_empty() {
                    continue;
                }
                let apart = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'));
                let mut is_named = false;
                for word in selectors.split(apart).filter(|word| !word.is_empty()) {
                    all.rules.entry(word).or_default().extend_from_slice(&found);
                    is_named = true;
                }
                if !is_named || selectors.contains(['*', '[', ':', '\\']) {
                    all.rules.entry("").or_default().extend_from_slice(&found);
                }
            }
        }
        all
    }

    /// Adds what rules say about an element.
    fn matching(&self, node: &Node<'a, '_>, found: &mut Vec<(&'a str, &'a str)>) {
        if self.rules.is_empty() {
            return;
        }
        let classes = node.attribute("class").unwrap_or_default().split_ascii_whitespace();
        for word in classes.chain(["", node.tag_name().name()]).chain(node.attribute("id")) {
            found.extend(self.rules.get(word).into_iter().flatten());
        }
    }
}

/// The declarations of a style that refer to elements.
fn declared_references<'a>(style: &'a str, found: &mut Vec<(&'a str, &'a str)>) {
    for declaration in style.split(';') {
        if let Some((property, value)) = declaration.split_once(':') {
            found.extend(url_ids(value).map(|id| (property.trim(), id)));
        }
    }
}

/// The elements of `url(#id)`.
fn url_ids(value: &str) -> impl Iterator<Item = &str> {
    value.split("url(").skip(1).filter_map(|rest| {
        let inside = rest.split(')').next()?.trim().trim_matches(['"', '\'']);
        inside.trim().strip_prefix('#')
    })
}
