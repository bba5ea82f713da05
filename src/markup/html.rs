//! HTML that stands in a string: its tags, and the nodes that a browser would make of it.

use base::Place;
use base::cut::SliceText as _;
use base::html::{decode_character_references, is_html_tag, is_verbatim, is_void, tag};

use super::tree::{JsxElement, Node, PropValue, Props};

/// Most elements that are kept in each other; what lies deeper stands beside them.
const MAX_ELEMENT_DEPTH: usize = 64;

/// The inside of the element `within`, which stands at `place`: what `innerHTML = markup` would put there.
pub fn fragment(markup: &str, within: &str, place: Place) -> Vec<Node> {
    let mut builder = HtmlBuilder { place, is_drawing: is_drawing(within), ..HtmlBuilder::default() };
    builder.read(markup);
    builder.finish()
}

/// Nodes of plain Markdown with the tags of their raw HTML as elements, which hold what stands between them: a tag may
/// open in one piece of HTML and close in another. Comments stay as they are.
pub fn nest_html_tags(nodes: Vec<Node>) -> Vec<Node> {
    let is_html = |node: &Node| matches!(node, Node::Html { .. });
    if !nodes.iter().any(is_html) {
        return nodes;
    }
    let mut builder = HtmlBuilder { is_nesting: true, ..HtmlBuilder::default() };
    for node in nodes {
        match node {
            Node::Html { markup, place } => {
                builder.place = place;
                builder.read(&markup);
            }
            node => {
                // a heading that is not closed ends where a block begins
                if matches!(&node, Node::Fence(_) | Node::Rule)
                    || matches!(&node, Node::Block(block) if !block.kind.is_phrasing())
                {
                    builder.close_heading();
                }
                builder.push(node);
            }
        }
    }
    builder.finish()
}

fn starts_drawing(tag: &str) -> bool {
    let name = tag.as_bytes().get(1..5);
    name.is_some_and(|name| name[..3].eq_ignore_ascii_case(b"svg") && !name[3].is_ascii_alphanumeric())
}

/// Elements in which names are as they are written, and `/>` ends one.
fn is_drawing(name: &str) -> bool {
    matches!(
        name,
        "svg"
            | "g"
            | "defs"
            | "symbol"
            | "clipPath"
            | "mask"
            | "pattern"
            | "marker"
            | "linearGradient"
            | "radialGradient"
            | "filter"
            | "text"
    )
}

/// Whether HTML stands in an element of drawings.
fn is_html_in_drawing(name: &str) -> bool {
    name.eq_ignore_ascii_case("foreignObject")
}

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Which open elements the start of another ends, unless one of the second kind lies between.
fn ends(name: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match name {
        "li" => (&["li"], &["ul", "ol", "menu", "table"]),
        "dt" | "dd" => (&["dt", "dd"], &["dl", "table"]),
        "td" | "th" => (&["td", "th"], &["tr", "table"]),
        "tr" => (&["tr"], &["table"]),
        "thead" | "tbody" | "tfoot" => (&["thead", "tbody", "tfoot"], &["table"]),
        "option" => (&["option"], &["select"]),
        "address" | "article" | "aside" | "blockquote" | "center" | "details" | "div" | "dl" | "fieldset"
        | "figure" | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hr" | "main"
        | "menu" | "nav" | "ol" | "p" | "pre" | "section" | "table" | "ul" => (&["p"], &["button", "td", "th", "svg"]),
        _ => (&[], &[]),
    }
}

#[derive(Default)]
struct HtmlBuilder {
    open: Vec<JsxElement>,
    nodes: Vec<Node>,
    place: Place,
    /// Whether all of it stands in a drawing.
    is_drawing: bool,
    /// What is read stands among Markdown, with comments that stay.
    is_nesting: bool,
}

impl HtmlBuilder {
    /// Reads markup behind what was read before.
    fn read(&mut self, markup: &str) {
        let mut rest = markup;
        // no tag ends behind this one
        let mut tags = markup.rfind('>').map_or(0, |at| at + 1);
        while let Some(at) = rest.slice(..tags).find('<') {
            self.text(rest.slice(..at));
            let tag = rest.slice(at..);
            let (read, after) = match read_spelled(tag, self.draws() || starts_drawing(tag)) {
                Some((token, after)) => (Some(token), after),
                None => (None, tag.slice(1..)),
            };
            let written = tag.slice(..tag.len() - after.len());
            tags = tags.saturating_sub(rest.len() - after.len());
            rest = after;
            match read {
                None => self.text("<"),
                Some(HtmlToken::Nothing) if self.is_nesting && written.starts_with("<!--") => {
                    self.push(Node::Html { markup: written.to_owned(), place: self.place });
                }
                Some(HtmlToken::Nothing) => {}
                Some(HtmlToken::Close(name)) => self.close(&name),
                Some(HtmlToken::Open(element)) if is_verbatim(&element.name) && !self.draws() => {
                    let (inside, after) = until_close(rest, &element.name);
                    tags = tags.saturating_sub(rest.len() - after.len());
                    rest = after;
                    self.verbatim(element, inside);
                }
                Some(HtmlToken::Open(element)) => self.open(element, written.ends_with("/>")),
            }
        }
        self.text(rest);
    }

    /// Closes what is open.
    fn finish(mut self) -> Vec<Node> {
        self.close_to(0);
        self.nodes
    }

    fn push(&mut self, node: Node) {
        self.open.last_mut().map_or(&mut self.nodes, |parent| &mut parent.children).push(node);
    }

    fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.push(Node::Text(decode_character_references(text).into_owned()));
        }
    }

    /// Whether what comes next stands in a drawing, and in no HTML within it.
    fn draws(&self) -> bool {
        let innermost = self.open.iter().rfind(|element| element.name == "svg" || is_html_in_drawing(&element.name));
        innermost.map_or(self.is_drawing, |element| element.name == "svg")
    }

    fn open(&mut self, mut element: JsxElement, is_empty: bool) {
        element.place = self.place;
        if element.name.eq_ignore_ascii_case("svg") {
            element.name.make_ascii_lowercase();
        }
        let (ended, bounds) = ends(&element.name);
        let at = self
            .open
            .iter()
            .rposition(|open| ended.contains(&open.name.as_str()) || bounds.contains(&open.name.as_str()));
        if let Some(at) = at.filter(|at| ended.contains(&self.open[*at].name.as_str())) {
            self.close_to(at);
        }
        // a component in Markdown (`<Badge text="x" />`) is no tag of HTML, which has no `/>`
        let is_spelled_empty = self.draws() || element.name == "svg" || self.is_nesting && !is_html_tag(&element.name);
        let is_empty = if is_spelled_empty { is_empty } else { is_void(&element.name) };
        if is_empty {
            self.push(Node::Element(Box::new(element)));
        } else if self.open.len() < MAX_ELEMENT_DEPTH {
            self.open.push(element);
        }
    }

    fn verbatim(&mut self, mut element: JsxElement, text: &str) {
        element.place = self.place;
        element.children = verbatim(&element.name, text);
        self.push(Node::Element(Box::new(element)));
    }

    fn close(&mut self, name: &str) {
        // the names in drawings are as they are written, also that of the element that a drawing stands in
        match self.open.iter().rposition(|element| element.name.eq_ignore_ascii_case(name)) {
            Some(at) => self.close_to(at),
            // the end of a heading of another level ends it all the same
            None if is_heading(name) => self.close_heading(),
            None => {}
        }
    }

    fn close_heading(&mut self) {
        if let Some(at) = self.open.iter().rposition(|element| is_heading(&element.name)) {
            self.close_to(at);
        }
    }

    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            let Some(element) = self.open.pop() else { return };
            self.push(Node::Element(Box::new(element)));
        }
    }
}

/// What an element holds whose inside is text.
pub fn verbatim(name: &str, text: &str) -> Vec<Node> {
    match name {
        "script" | "iframe" => Vec::new(),
        "style" => vec![Node::Text(text.to_owned())],
        _ => vec![Node::Text(decode_character_references(text).into_owned())],
    }
}

/// A piece of HTML between `<` and `>`.
pub enum HtmlToken {
    /// A comment or a declaration.
    Nothing,
    /// A start tag.
    Open(JsxElement),
    /// An end tag.
    Close(String),
}

/// Reads a tag at the start of a text, its names in small letters; `None` if there is none.
pub fn read_tag(text: &str) -> Option<(HtmlToken, &str)> {
    read_spelled(text, false)
}

/// Reads a tag, with its names as they are written if they are those of a drawing.
fn read_spelled(text: &str, as_written: bool) -> Option<(HtmlToken, &str)> {
    let spelled = |name: &str| if as_written { name.to_owned() } else { name.to_ascii_lowercase() };
    let (token, after) = tag::read_html_token(text)?;
    let token = match token {
        tag::MarkupToken::Comment => HtmlToken::Nothing,
        tag::MarkupToken::End(tag) => HtmlToken::Close(spelled(tag.name)),
        tag::MarkupToken::Start(tag) => {
            let mut props = Props::default();
            for attribute in tag.attributes() {
                let value = attribute.value.map_or(PropValue::Bool(true), |value| {
                    PropValue::String(decode_character_references(value).into_owned())
                });
                props.set(&spelled(attribute.name), value);
            }
            HtmlToken::Open(JsxElement { name: spelled(tag.name), props, inline: true, ..JsxElement::default() })
        }
    };
    Some((token, after))
}

/// What stands up to the end tag of the element `name` that has just begun, and what follows that tag; `None` if it has
/// none.
pub fn split_content<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let bytes = text.as_bytes();
    let is_named = |at: usize| {
        let found = bytes.get(at..at + name.len());
        let behind = bytes.get(at + name.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
            && !behind.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'_'))
    };
    // elements of the same name that it holds
    let mut inner = 0_usize;
    for at in memchr::memchr_iter(b'<', bytes) {
        if bytes.get(at + 1) == Some(&b'/') {
            match (is_named(at + 2), inner.checked_sub(1)) {
                (false, _) => {}
                (true, Some(left)) => inner = left,
                (true, None) => {
                    let end = at + memchr::memchr(b'>', &bytes[at..])?;
                    return Some((text.slice(..at), text.slice(end + 1..)));
                }
            }
        } else if !is_verbatim(name) && is_named(at + 1) {
            let is_empty =
                |tag: tag::MarkupToken<'_>| matches!(tag, tag::MarkupToken::Start(tag) if tag.is_self_closing());
            inner += usize::from(tag::read_html_token(text.slice(at..)).is_some_and(|(token, _)| !is_empty(token)));
        }
    }
    None
}

/// The text up to an element's end tag, and what follows that tag.
pub fn until_close<'t>(text: &'t str, name: &str) -> (&'t str, &'t str) {
    let mut from = 0;
    while let Some(at) = text.slice(from..).find("</").map(|at| from + at) {
        let rest = &text.as_bytes()[at + 2..];
        if rest.len() >= name.len() && rest[..name.len()].eq_ignore_ascii_case(name.as_bytes()) {
            return (text.slice(..at), text.slice(at..).find('>').map_or("", |end| text.slice(at + end + 1..)));
        }
        from = at + 2;
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(nodes: &[Node]) -> String {
        let node = |node: &Node| match node {
            Node::Element(element) => {
                let props: String = element
                    .props
                    .0
                    .iter()
                    .map(|(name, value)| format!(" {name}={}", value.to_text().unwrap_or_default()))
                    .collect();
                format!("<{}{props}>{}</>", element.name, shown(&element.children))
            }
            Node::Text(text) => text.clone(),
            node => format!("{node:?}"),
        };
        nodes.iter().map(node).collect()
    }

    #[track_caller]
    fn reads(markup: &str, within: &str, expect: &str) {
        assert_eq!(shown(&fragment(markup, within, Place::default())), expect);
    }

    #[test]
    fn elements_nest_as_browsers_nest_them() {
        reads("a <b class=x>c</b> &lt;d>", "div", "a <b class=x>c</> <d>");
        reads("<ul><li>a<li>b <i>c</ul>d", "div", "<ul><li>a</><li>b <i>c</></></>d");
        reads("<tr><td>a<td>b<tr><th>c", "table", "<tr><td>a</><td>b</></><tr><th>c</></>");
        reads("<p>a<p>b<div>c</div></b></p>", "div", "<p>a</><p>b</><div>c</>");
        reads("<p>a<br>b<img src='x'/>c</P>d<!-- e -->", "div", "<p>a<br></>b<img src=x></>c</>d");
        reads("<dt>a<dd>b", "dl", "<dt>a</><dd>b</>");
    }

    #[test]
    fn elements_hold_the_markdown_between_their_tags() {
        let html = |markup: &str| Node::Html { markup: markup.to_owned(), place: Place::default() };
        let text = |text: &str| Node::Text(text.to_owned());
        let read = |nodes: Vec<Node>| shown(&nest_html_tags(nodes));
        assert_eq!(
            read(vec![html("<div><b"), html("<p>"), text("a"), html("</p></div>"), text("b")]),
            "<div><b<p>a</></>b"
        );
        assert_eq!(
            read(vec![html("<kbd>"), text("a"), html("</kbd>"), html("</b>"), html("<br>")]),
            "<kbd>a</><br></>"
        );
        assert_eq!(read(vec![html("<i>"), text("a")]), "<i>a</>");
        assert_eq!(read(vec![html("<h3>a</h2>"), text("b"), html("<h2>c"), Node::Rule]), "<h3>a</>b<h2>c</>Rule");
        assert_eq!(read(vec![html("<Badge text='a' />"), text("b")]), "<badge text=a></>b");
        assert!(
            matches!(nest_html_tags(vec![html("<!-- a -->")]).as_slice(), [Node::Html { markup, .. }] if markup == "<!-- a -->")
        );
    }

    #[test]
    fn drawings_keep_their_spelling() {
        reads(
            "<svg viewBox='0 0 1 1'><path d='M0'/><clipPath id='c'/></svg><br>x",
            "div",
            "<svg viewBox=0 0 1 1><path d=M0></><clipPath id=c></></><br></>x",
        );
        reads("<path d='M0'/><text>a</text>", "svg", "<path d=M0></><text>a</>");
    }

    #[test]
    fn what_holds_no_tags_holds_text() {
        reads(
            "<style>a > b { c: '</d>' }</style><script>if (a < b) '<i>'</script>x<textarea>&lt;<b></textarea>",
            "div",
            "<style>a > b { c: '</d>' }</><script></>x<textarea><<b></>",
        );
    }

    #[test]
    fn broken_markup_loses_no_words() {
        reads("a < b <c", "div", "a < b <c");
        reads("a <b \"c", "div", "a <b \"c");
        let deep = "<div>".repeat(5_000) + "x";
        assert!(shown(&fragment(&deep, "div", Place::default())).contains('x'));
        let many = "<a b='".repeat(50_000);
        assert!(shown(&fragment(&many, "div", Place::default())).contains("<a"));
    }
}
