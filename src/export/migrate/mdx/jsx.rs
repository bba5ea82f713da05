//! Tags, attributes and values as JSX.

use base::cut::SliceText as _;
use base::html::is_void;
use markup::expr::PageExpr;
use markup::tree::{BlockKind, CodeFence, JsxElement, MarkdownBlock, Node, PropValue, Props, number_text};

/// The start of an element's tag: name and attributes, without what closes it.
pub(super) fn write_start_tag(element: &JsxElement) -> String {
    format!("<{}{}", element.name, attributes(&element.props))
}

/// Attributes, each with a space before it; of two equal names the last counts.
fn attributes(props: &Props) -> String {
    let mut out = String::new();
    for (at, (name, value)) in props.0.iter().enumerate() {
        if props.0[at + 1..].iter().any(|(later, _)| later == name) || !is_attribute_name(name) {
            continue;
        }
        let text = match value {
            PropValue::Undefined | PropValue::Function(_) | PropValue::Live(..) => continue,
            PropValue::Bool(true) => String::new(),
            PropValue::String(text) if fits_attribute_quotes(text) => format!("=\"{text}\""),
            value => match value_to_expression(value) {
                Some(text) => format!("={{{text}}}"),
                None => continue,
            },
        };
        out.push(' ');
        out.push_str(name);
        out.push_str(&text);
    }
    out
}

/// Whether a name can be that of an attribute.
fn is_attribute_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'))
}

/// Whether a text can stand between the quotes of an attribute.
fn fits_attribute_quotes(text: &str) -> bool {
    !text.contains(['"', '\n', '\r', '\t'])
        && !text.match_indices('&').any(|(at, _)| text.slice(at..).bytes().take(40).any(|byte| byte == b';'))
}

/// A value as an expression; `None` for what is no data.
pub(super) fn value_to_expression(value: &PropValue) -> Option<String> {
    Some(match value {
        PropValue::Undefined => "undefined".to_owned(),
        PropValue::Null => "null".to_owned(),
        PropValue::Bool(on) => on.to_string(),
        PropValue::Number(number) => number_text(*number),
        PropValue::String(text) => quote_javascript(text),
        PropValue::Array(items) => array_expression(items.iter().filter_map(value_to_expression)),
        PropValue::Object(fields) => object_expression(
            fields.iter().filter_map(|(name, value)| Some((name.as_str(), value_to_expression(value)?))),
        ),
        PropValue::Nodes(nodes) => static_nodes(nodes),
        PropValue::Expr(expr) => of_expr(expr)?,
        PropValue::Function(_) | PropValue::Live(..) => return None,
    })
}

fn of_expr(expr: &PageExpr) -> Option<String> {
    Some(match expr {
        PageExpr::Literal(value) => value_to_expression(value)?,
        PageExpr::Array(items) => array_expression(items.iter().filter_map(of_expr)),
        PageExpr::Object(fields) => {
            object_expression(fields.iter().filter_map(|(name, value)| Some((name.as_str(), of_expr(value)?))))
        }
        PageExpr::Jsx(nodes) => static_nodes(nodes),
        _ => return None,
    })
}

fn array_expression(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn object_expression<'f>(fields: impl Iterator<Item = (&'f str, String)>) -> String {
    let is_identifier = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let fields = fields.map(|(name, value)| match is_identifier(name) {
        true => format!("{name}: {value}"),
        false => format!("{}: {value}", quote_javascript(name)),
    });
    format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
}

/// A text as a literal of JavaScript.
pub(super) fn quote_javascript(text: &str) -> String {
    // JSON has no other escapes than JavaScript; these two end a line there
    serde_json::Value::from(text).to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Nodes in an expression, where nothing is Markdown.
fn static_nodes(nodes: &[Node]) -> String {
    let shown: Vec<&Node> =
        nodes.iter().filter(|node| !matches!(node, Node::Text(text) if text.trim().is_empty())).collect();
    match shown.as_slice() {
        [Node::Element(element)] => static_element(element),
        _ => format!("<>{}</>", static_children(nodes)),
    }
}

pub(super) fn static_children(nodes: &[Node]) -> String {
    nodes.iter().map(static_node).collect()
}

/// A node as JSX alone: its Markdown as elements.
pub(super) fn static_node(node: &Node) -> String {
    match node {
        Node::Text(text) => static_text(text),
        Node::Code(code) => format!("<code>{}</code>", static_text(code)),
        Node::Break { hard: true } => "<br />".to_owned(),
        Node::Break { hard: false } => " ".to_owned(),
        Node::Rule => "<hr />".to_owned(),
        Node::Fence(fence) => static_fence(fence),
        Node::Math { tex, .. } => format!("<code>{}</code>", static_text(tex)),
        Node::Block(block) => static_block(block),
        Node::Element(element) => static_element(element),
        Node::Island(island) => static_children(&island.children),
        Node::Part(part) => static_children(&part.children),
        Node::Html { .. } | Node::FootnoteRef(_) | Node::Expr(_) => String::new(),
    }
}

/// Text between tags, which MDX reads as Markdown: an expression unless it has nothing but words.
fn static_text(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | ';' | '(' | ')' | '%' | '?');
    let is_plain = text.chars().all(is_word) && text.trim() == text && !text.starts_with(|c: char| c.is_ascii_digit());
    if is_plain && !text.contains("www.") { text.to_owned() } else { format!("{{{}}}", quote_javascript(text)) }
}

fn static_fence(fence: &CodeFence) -> String {
    format!("<pre><code>{{{}}}</code></pre>", quote_javascript(&fence.code))
}

fn static_block(block: &MarkdownBlock) -> String {
    let inside = || static_children(&block.children);
    let within = |name: &str| format!("<{name}>{}</{name}>", inside());
    match &block.kind {
        BlockKind::Paragraph | BlockKind::FootnoteDef { .. } => within("p"),
        BlockKind::Heading { level, .. } => within(&format!("h{level}")),
        BlockKind::Quote => within("blockquote"),
        BlockKind::List { start: None } => within("ul"),
        BlockKind::List { .. } => within("ol"),
        BlockKind::Item { .. } => within("li"),
        BlockKind::Table { .. } => format!("<table><tbody>{}</tbody></table>", inside()),
        BlockKind::Row { .. } => within("tr"),
        BlockKind::Cell => within("td"),
        BlockKind::Emphasis => within("em"),
        BlockKind::Strong => within("strong"),
        BlockKind::Strike => within("del"),
        BlockKind::Link { href, title } => {
            let mut props = Props::default();
            props.set("href", PropValue::String(href.clone()));
            if !title.is_empty() {
                props.set("title", PropValue::String(title.clone()));
            }
            format!("<a{}>{}</a>", attributes(&props), inside())
        }
        BlockKind::Image { .. } => static_element(&picture_element(block)),
    }
}

/// A picture of Markdown as an element.
pub(super) fn picture_element(block: &MarkdownBlock) -> JsxElement {
    let BlockKind::Image { src, title } = &block.kind else { return JsxElement::default() };
    let mut props = Props::default();
    props.set("src", PropValue::String(src.clone()));
    props.set("alt", PropValue::String(Node::text_of(&block.children)));
    if !title.is_empty() {
        props.set("title", PropValue::String(title.clone()));
    }
    JsxElement { name: "img".to_owned(), props, inline: true, place: block.place, ..JsxElement::default() }
}

fn static_element(element: &JsxElement) -> String {
    let start = write_start_tag(element);
    if element.children.is_empty() || is_void(&element.name) {
        return format!("{start} />");
    }
    format!("{start}>{}</{}>", static_children(&element.children), element.name)
}
