//! Trees and values to the sandbox's JSON (its form is described in `js/realm/render.js`). An element that a script
//! gets as a child becomes an element there too; what only the exporter knows of it is held back and found again by its
//! number.

use crate::expr::Function;
use crate::fence_info::BlockOptions;
use crate::tag::SPREAD;
use crate::tree::{BlockKind, JsxElement, MarkdownBlock, Node, PropValue, Props, number_text};
use base::Place;

use super::element::{handler, is_computed_code, may_live};
use super::wire::{exported, push_json_string, snippet, tagged};
use super::{Env, Expander};

impl Expander<'_> {
    /// Writes props, unexpanded, as an object value. Handlers and functions go along.
    pub(super) fn encode_props(&mut self, props: &Props, env: &Env, place: Place, out: &mut String) {
        out.push_str("[\"o\"");
        for (name, value) in &props.0 {
            let value = match value {
                // a browser finds functions of modules by their names
                PropValue::Expr(expr) if name != SPREAD => match self.exported_by(expr, env) {
                    Some(function) => function,
                    None => self.eval(expr, env, place).unwrap_or(PropValue::Undefined),
                },
                PropValue::Expr(expr) => self.eval(expr, env, place).unwrap_or(PropValue::Undefined),
                value => value.clone(),
            };
            match (name == SPREAD, value) {
                (true, PropValue::Object(fields)) => {
                    fields.iter().for_each(|(name, value)| self.encode_field(name, value, out))
                }
                (true, PropValue::Live(_, data)) => {
                    if let PropValue::Object(fields) = *data {
                        fields.iter().for_each(|(name, value)| self.encode_field(name, value, out));
                    }
                }
                (true, _) => {}
                (false, value) => self.encode_field(name, &value, out),
            }
        }
        out.push(']');
    }

    fn encode_field(&mut self, name: &str, value: &PropValue, out: &mut String) {
        out.push(',');
        push_json_string(name, out);
        out.push(',');
        self.encode_value(value, out);
    }

    /// Writes a value that is expanded.
    pub(super) fn encode_value(&mut self, value: &PropValue, out: &mut String) {
        match value {
            PropValue::Undefined | PropValue::Expr(_) => out.push_str("[\"u\"]"),
            PropValue::Null => out.push_str("null"),
            PropValue::Bool(on) => out.push_str(if *on { "true" } else { "false" }),
            PropValue::Number(number) if number.is_finite() => out.push_str(&number_text(*number)),
            PropValue::Number(_) => out.push_str("null"),
            PropValue::String(text) => push_json_string(text, out),
            PropValue::Array(items) => {
                out.push_str("[\"a\"");
                for item in items {
                    out.push(',');
                    self.encode_value(item, out);
                }
                out.push(']');
            }
            PropValue::Object(fields) => {
                out.push_str("[\"o\"");
                fields.iter().for_each(|(name, value)| self.encode_field(name, value, out));
                out.push(']');
            }
            PropValue::Nodes(nodes) => {
                out.push_str("[\"n\",");
                self.encode_nodes(nodes, None, out);
                if out.ends_with(',') {
                    out.pop();
                }
                out.push(']');
            }
            PropValue::Live(number, _) => {
                out.push_str("[\"f\",");
                out.push_str(&number.to_string());
                out.push(']');
            }
            PropValue::Function(function) => match &**function {
                Function::Exported(file, name) | Function::Static(_, Some((file, name))) => match self.load(*file) {
                    Ok(()) => exported(self.modules.number(*file), name, out),
                    Err(_) => out.push_str("[\"u\"]"),
                },
                Function::Snippet(file) => snippet(self.modules.number(*file), out),
                Function::Builtin(name) => tagged('b', name, out),
                Function::Static(_, None) | Function::Named(_) | Function::Script(_) => out.push_str("[\"u\"]"),
            },
        }
    }

    /// Writes nodes, separated by commas: unexpanded ones with their environment, else expanded ones.
    pub(super) fn encode_nodes(&mut self, nodes: &[Node], env: Option<&Env>, out: &mut String) {
        let start = out.len();
        let mut rest = nodes;
        while let [node, after @ ..] = rest {
            let before = out.len();
            if before > start {
                out.push(',');
            }
            let from = out.len();
            // the lines of a paragraph are one text to scripts
            let run =
                rest.iter().take_while(|node| matches!(node, Node::Text(_) | Node::Break { hard: false })).count();
            if run > 1 {
                let lines: String = rest[..run].iter().map(text_or_line_end).collect();
                push_json_string(&lines, out);
                rest = &rest[run..];
                continue;
            }
            rest = after;
            self.encode_node(node, env, out);
            if out.len() == from {
                out.truncate(before);
            }
        }
    }

    fn encode_node(&mut self, node: &Node, env: Option<&Env>, out: &mut String) {
        match (node, env) {
            (Node::Text(text), _) => push_json_string(text, out),
            (Node::Break { hard: false }, _) => out.push_str("\"\\n\""),
            (Node::Expr(inner), Some(env)) => {
                if let Some(value) = self.eval(&inner.0, env, inner.1) {
                    out.push_str("[\"v\",");
                    self.encode_value(&value, out);
                    self.encode_live(is_live(&value), out);
                    out.push(']');
                }
            }
            (Node::Block(block), _) => {
                let MarkdownBlock { kind, children, place } = &**block;
                let shell =
                    Node::Block(Box::new(MarkdownBlock { kind: kind.clone(), children: Vec::new(), place: *place }));
                let mut props = Vec::new();
                match kind {
                    BlockKind::Link { href, .. } => props.push(("href".to_owned(), PropValue::String(href.clone()))),
                    BlockKind::Image { src, .. } => props.push(("src".to_owned(), PropValue::String(src.clone()))),
                    _ => {}
                }
                self.encode_element(
                    &format!("\"{}\"", tag_of(kind)),
                    &PropValue::Object(props),
                    children,
                    env,
                    shell,
                    out,
                );
            }
            (Node::Element(element), Some(env)) => match self.component(&element.name, env) {
                Some(PropValue::Function(function)) if matches!(&*function, Function::Exported(..)) => {
                    let Function::Exported(file, name) = &*function else { return };
                    if self.load(*file).is_ok() {
                        let mut called = String::new();
                        exported(self.modules.number(*file), name, &mut called);
                        self.encode_living(&called, element, env, out);
                    } else {
                        self.encode_nodes(&element.children, Some(env), out);
                    }
                }
                Some(_) => {
                    let mut expanded = Vec::new();
                    self.element((**element).clone(), env, &mut expanded);
                    self.encode_nodes(&expanded, None, out);
                }
                None if element.name == "Snippet" => {
                    let mut expanded = Vec::new();
                    self.element((**element).clone(), env, &mut expanded);
                    self.encode_nodes(&expanded, None, out);
                }
                // a handler is run by the browser, wherever its element stands
                None if may_live(&element.name) && handler(element).is_some() => {
                    let mut called = String::new();
                    push_json_string(&element.name, &mut called);
                    self.encode_living(&called, element, env, out);
                }
                None => {
                    let props = self.props(element.props.clone(), env, element.place);
                    self.encode_plain(element, props, Some(env), out);
                }
            },
            (Node::Element(element), None) => self.encode_plain(element, element.props.clone(), None, out),
            (Node::Fence(fence), _) => {
                let mut props = vec![("children".to_owned(), PropValue::String(fence.code.clone()))];
                if !fence.lang.is_empty() {
                    props.push(("language".to_owned(), PropValue::String(fence.lang.clone())));
                }
                if let Some(title) = BlockOptions::of_fence(fence).title {
                    props.push(("filename".to_owned(), PropValue::String(title)));
                }
                self.encode_element("[\"b\",\"CodeBlock\"]", &PropValue::Object(props), &[], env, node.clone(), out);
            }
            (Node::Code(code), _) => self.encode_element(
                "\"code\"",
                &PropValue::Object(Vec::new()),
                &[Node::Text(code.clone())],
                env,
                node.clone(),
                out,
            ),
            _ => self.encode_element("\"$node\"", &PropValue::Object(Vec::new()), &[], env, node.clone(), out),
        }
    }

    /// An element that a script draws: a component of the author's, or one with a handler.
    fn encode_living(&mut self, called: &str, element: &JsxElement, env: &Env, out: &mut String) {
        out.push_str("[\"e\",");
        out.push_str(called);
        out.push(',');
        self.encode_props(&element.props, env, element.place, out);
        out.push_str(",[");
        self.encode_children(&element.children, Some(env), false, out);
        out.push_str("],-1");
        self.encode_live(true, out);
        out.push(']');
    }

    /// What stands inside an element, which is held here (`in_plain`) or drawn by a script.
    fn encode_children(&mut self, children: &[Node], env: Option<&Env>, in_plain: bool, out: &mut String) {
        let outer = std::mem::replace(&mut self.scripts.in_plain, in_plain);
        self.encode_nodes(children, env, out);
        self.scripts.in_plain = outer;
    }

    /// An element that is HTML's or the exporter's.
    fn encode_plain(&mut self, element: &JsxElement, props: Props, env: Option<&Env>, out: &mut String) {
        let raw = element.raw.clone().filter(|_| !is_computed_code(element));
        let shell = JsxElement {
            name: element.name.clone(),
            raw,
            inline: element.inline,
            place: element.place,
            ..JsxElement::default()
        };
        let mut name = String::new();
        if element.name.is_empty() {
            name.push_str("[\"r\",\"Fragment\"]");
        } else if element.name.starts_with(char::is_uppercase) {
            tagged('b', &element.name, &mut name);
        } else {
            push_json_string(&element.name, &mut name);
        }
        self.encode_element(
            &name,
            &PropValue::Object(props.0),
            &element.children,
            env,
            Node::Element(Box::new(shell)),
            out,
        );
    }

    fn encode_element(
        &mut self,
        name: &str,
        props: &PropValue,
        children: &[Node],
        env: Option<&Env>,
        shell: Node,
        out: &mut String,
    ) {
        out.push_str("[\"e\",");
        out.push_str(name);
        out.push(',');
        self.encode_value(props, out);
        out.push_str(",[");
        self.encode_children(children, env, true, out);
        out.push_str("],");
        out.push_str(&self.scripts.held.len().to_string());
        out.push(']');
        self.scripts.held.push(shell);
    }

    /// The number of what a script draws inside an element that is held here: what it drew is found again by it.
    fn encode_live(&mut self, is_live: bool, out: &mut String) {
        if is_live && self.scripts.in_plain {
            out.push(',');
            out.push_str(&self.scripts.held.len().to_string());
            self.scripts.held.push(Node::Break { hard: false });
        }
    }
}

/// Whether a value holds functions.
fn is_live(value: &PropValue) -> bool {
    match value {
        PropValue::Live(..) | PropValue::Function(_) => true,
        PropValue::Array(items) => items.iter().any(is_live),
        PropValue::Object(fields) => fields.iter().any(|(_, value)| is_live(value)),
        _ => false,
    }
}

/// The HTML element that scripts see for a Markdown construct.
fn tag_of(kind: &BlockKind) -> &'static str {
    match kind {
        BlockKind::Paragraph => "p",
        BlockKind::Heading { level, .. } => {
            ["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(level.saturating_sub(1)).min(5)]
        }
        BlockKind::Quote => "blockquote",
        BlockKind::List { start: Some(_) } => "ol",
        BlockKind::List { start: None } => "ul",
        BlockKind::Item { .. } => "li",
        BlockKind::Table { .. } => "table",
        BlockKind::Row { .. } => "tr",
        BlockKind::Cell => "td",
        BlockKind::Emphasis => "em",
        BlockKind::Strong => "strong",
        BlockKind::Strike => "del",
        BlockKind::Link { .. } => "a",
        BlockKind::Image { .. } => "img",
        BlockKind::FootnoteDef { .. } => "section",
    }
}

/// A text, or the line break within a paragraph.
fn text_or_line_end(node: &Node) -> &str {
    if let Node::Text(text) = node { text } else { "\n" }
}
