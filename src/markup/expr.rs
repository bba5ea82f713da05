//! The data part of JavaScript that documents use: literals, arrays, objects, template strings, names, members and
//! static JSX. Read without any JavaScript engine; what needs one is kept as `PageExpr::Script`.

use std::sync::Arc;

use base::cut::SliceText as _;
use base::html::decode_character_references;
use base::limits::NESTING;
use base::printable::{REPLACEMENT, is_unprintable};
use base::{FileId, Place};

use super::script::{expression_end, skip_space};
use super::tag::{TagKind, parse_tag_within};
use super::tree::{JsxElement, Node, PropValue};

/// An expression of a page, before expansion.
#[derive(Clone, Debug)]
pub enum PageExpr {
    /// A literal.
    Literal(PropValue),
    /// A name.
    Name(String),
    /// `object.field`, `object?.field` and `object["field"]`.
    Member(Box<PageExpr>, String),
    /// A template string: text, then (expression, text) pairs.
    Template(String, Vec<(PageExpr, String)>),
    /// `[a, b]`.
    Array(Vec<PageExpr>),
    /// `{a: 1}`.
    Object(Vec<(String, PageExpr)>),
    /// `<b>…</b>`, elements with unexpanded children.
    Jsx(Vec<Node>),
    /// `(props) => …`.
    Function(Arc<Function>),
    /// What needs a JavaScript engine: the source text.
    Script(Arc<str>),
}

/// Something in scope that is used as a component.
#[derive(Clone, Debug)]
pub enum Function {
    /// An MDX file: its body, with props as names.
    Snippet(FileId),
    /// `export const X = () => <div>…</div>`: static content, and once it is in scope what the module that declares it
    /// calls it.
    Static(Vec<Node>, Option<(FileId, String)>),
    /// `({a, b}) => <></>`: only names the props of the snippet it stands in.
    Named(Vec<String>),
    /// A component that needs JavaScript: the first line of its source.
    Script(Arc<str>),
    /// A component of the library under another name.
    Builtin(String),
    /// A name of a module that needs JavaScript, component or data, as `expand` finds it in scope.
    Exported(FileId, String),
}

impl PageExpr {
    /// Whether evaluating it takes a JavaScript engine, given which names do.
    pub fn is_dynamic(&self, name: &dyn Fn(&str) -> bool) -> bool {
        let any = |nodes: &[Node]| nodes.iter().any(|node| node.is_dynamic(name));
        match self {
            Self::Literal(_) => false,
            Self::Name(used) => name(used),
            Self::Script(_) => true,
            Self::Member(object, _) => object.is_dynamic(name),
            Self::Template(_, parts) => parts.iter().any(|(part, _)| part.is_dynamic(name)),
            Self::Array(items) => items.iter().any(|item| item.is_dynamic(name)),
            Self::Object(fields) => fields.iter().any(|(_, value)| value.is_dynamic(name)),
            Self::Jsx(nodes) => any(nodes),
            Self::Function(function) => match &**function {
                Function::Script(_) | Function::Exported(..) => true,
                Function::Static(nodes, _) => any(nodes),
                Function::Snippet(_) | Function::Named(_) | Function::Builtin(_) => false,
            },
        }
    }
}

/// An expression's source to an expression: `Script` if it is more than data.
pub fn parse_expression(source: &str) -> PageExpr {
    parse_within(source, 0)
}

/// The same as the value of a name that a module declares: there, functions that return what is static are components.
pub(super) fn parse_declared(source: &str) -> PageExpr {
    parse_whole(ExprParser { source, at: 0, depth: 0, is_declared: true })
}

/// The same `depth` levels deep in other expressions and elements. What is too deep to be read here is `Script`.
fn parse_within(source: &str, depth: usize) -> PageExpr {
    parse_whole(ExprParser { source, at: 0, depth, is_declared: false })
}

fn parse_whole(mut parser: ExprParser<'_>) -> PageExpr {
    match parser.expr() {
        Some(expr) if skip_space(parser.source, parser.at) == parser.source.len() => expr,
        _ => PageExpr::Script(parser.source.trim().into()),
    }
}

/// The same as a prop's value: literals at once, the rest to be evaluated on expansion.
pub(super) fn parse_value(source: &str, depth: usize) -> PropValue {
    match parse_within(source, depth) {
        PageExpr::Literal(value) => value,
        expr => PropValue::Expr(Box::new(expr)),
    }
}

/// The JSX element (or fragment, as its children) that starts with `<` at `at`, `depth` elements deep in others, and
/// where it ends.
pub(super) fn parse_jsx(source: &str, at: usize, depth: usize) -> Option<(Vec<Node>, usize)> {
    let mut parser = ExprParser { source, at, depth, is_declared: false };
    let nodes = parser.jsx()?;
    Some((nodes, parser.at))
}

struct ExprParser<'a> {
    source: &'a str,
    at: usize,
    depth: usize,
    /// What stands outermost is declared by a module.
    is_declared: bool,
}

impl ExprParser<'_> {
    fn peek(&mut self) -> Option<u8> {
        self.at = skip_space(self.source, self.at);
        self.source.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn expr(&mut self) -> Option<PageExpr> {
        if self.depth >= NESTING {
            return None;
        }
        self.depth += 1;
        let expr = self.primary().and_then(|first| self.members(first));
        self.depth -= 1;
        expr
    }

    fn primary(&mut self) -> Option<PageExpr> {
        match self.peek()? {
            quote @ (b'"' | b'\'') => self.string(quote).map(|text| PageExpr::Literal(PropValue::String(text))),
            b'`' => self.template(),
            b'[' => self.array(),
            b'{' => self.object(),
            b'<' => self.jsx().map(PageExpr::Jsx),
            b'(' => self.arrow().or_else(|| self.group()),
            b'-' | b'0'..=b'9' | b'.' => self.number(),
            _ => {
                let name = self.name()?;
                Some(match name.as_str() {
                    "true" => PageExpr::Literal(PropValue::Bool(true)),
                    "false" => PageExpr::Literal(PropValue::Bool(false)),
                    "null" => PageExpr::Literal(PropValue::Null),
                    "undefined" => PageExpr::Literal(PropValue::Undefined),
                    "Infinity" | "NaN" => PageExpr::Literal(PropValue::String(name.to_string())),
                    "function" | "async" | "new" | "typeof" | "await" | "class" => return None,
                    _ => PageExpr::Name(name),
                })
            }
        }
    }

    fn members(&mut self, mut expr: PageExpr) -> Option<PageExpr> {
        // longer chains are left to the engine: what is read here is as deep as it is long
        for _ in 0..NESTING {
            match self.peek() {
                Some(b'.') => {
                    self.at += 1;
                    let name = self.name()?;
                    expr = PageExpr::Member(Box::new(expr), name);
                }
                Some(b'?') if self.source.slice(self.at..).starts_with("?.") => {
                    self.at += 2;
                    let name = self.name()?;
                    expr = PageExpr::Member(Box::new(expr), name);
                }
                Some(b'[') => {
                    self.at += 1;
                    let key = match self.expr()? {
                        PageExpr::Literal(value) => value.to_text()?,
                        _ => return None,
                    };
                    if !self.eat(b']') {
                        return None;
                    }
                    expr = PageExpr::Member(Box::new(expr), key);
                }
                _ => return Some(expr),
            }
        }
        None
    }

    fn name(&mut self) -> Option<String> {
        self.peek()?;
        let rest = self.source.slice(self.at..);
        let length = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(rest.len());
        if length == 0 || rest.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.at += length;
        Some(rest.slice(..length).to_owned())
    }

    fn number(&mut self) -> Option<PageExpr> {
        let rest = self.source.slice(self.at..);
        let sign = usize::from(rest.starts_with('-'));
        let length = rest
            .slice(sign..)
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'))
            .unwrap_or(rest.len() - sign)
            + sign;
        let digits = rest.slice(sign..length).replace('_', "");
        let magnitude = match digits.get(..2) {
            Some("0x" | "0X") => u64::from_str_radix(digits.slice(2..), 16).ok()? as f64,
            _ if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => digits.parse::<f64>().ok()?,
            _ => return None,
        };
        self.at += length;
        Some(PageExpr::Literal(PropValue::Number(if sign == 1 { -magnitude } else { magnitude })))
    }

    fn string(&mut self, quote: u8) -> Option<String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let c = self.source.slice(self.at..).chars().next()?;
            self.at += c.len_utf8();
            match c {
                '\\' => self.escape(&mut out)?,
                '\n' => return None,
                c if c == quote as char => return Some(out),
                c => out.push(c),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Option<()> {
        let c = self.source.slice(self.at..).chars().next()?;
        self.at += c.len_utf8();
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            '0' => out.push(REPLACEMENT),
            '\n' => {}
            'u' | 'x' => {
                let rest = self.source.slice(self.at..);
                let (digits, length) = if c == 'x' {
                    (rest.get(..2)?, 2)
                } else if let Some(braced) = rest.strip_prefix('{') {
                    let end = braced.find('}')?;
                    (braced.slice(..end), end + 2)
                } else {
                    (rest.get(..4)?, 4)
                };
                out.push(
                    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
                        .filter(|c| !is_unprintable(*c))
                        .unwrap_or(REPLACEMENT),
                );
                self.at += length;
            }
            c => out.push(c),
        }
        Some(())
    }

    fn template(&mut self) -> Option<PageExpr> {
        self.at += 1;
        let mut first = None;
        let mut parts: Vec<(PageExpr, String)> = Vec::new();
        let mut text = String::new();
        loop {
            let c = self.source.slice(self.at..).chars().next()?;
            let opens = self.source.slice(self.at..).starts_with("${");
            self.at += c.len_utf8();
            match c {
                '\\' => self.escape(&mut text)?,
                '$' if opens => {
                    self.at += 1;
                    let done = std::mem::take(&mut text);
                    match parts.last_mut() {
                        Some((_, tail)) => *tail = done,
                        None => first = Some(done),
                    }
                    let expr = self.expr()?;
                    if !self.eat(b'}') {
                        return None;
                    }
                    parts.push((expr, String::new()));
                }
                '`' => {
                    match parts.last_mut() {
                        Some((_, tail)) => *tail = text,
                        None => return Some(PageExpr::Literal(PropValue::String(text))),
                    }
                    return Some(PageExpr::Template(first.unwrap_or_default(), parts));
                }
                c => text.push(c),
            }
        }
    }

    fn array(&mut self) -> Option<PageExpr> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.eat(b']') {
            items.push(self.expr()?);
            if !self.eat(b',') {
                return self.eat(b']').then(|| fold_array(items));
            }
        }
        Some(fold_array(items))
    }

    fn object(&mut self) -> Option<PageExpr> {
        self.at += 1;
        let mut fields = Vec::new();
        while !self.eat(b'}') {
            let key = match self.peek()? {
                quote @ (b'"' | b'\'') => self.string(quote)?,
                b'0'..=b'9' => match self.number()? {
                    PageExpr::Literal(value) => value.to_text()?,
                    _ => return None,
                },
                _ => self.name()?,
            };
            let value = if self.eat(b':') { self.expr()? } else { PageExpr::Name(key.clone()) };
            fields.push((key, value));
            if !self.eat(b',') {
                return self.eat(b'}').then(|| fold_object(fields));
            }
        }
        Some(fold_object(fields))
    }

    fn group(&mut self) -> Option<PageExpr> {
        self.at += 1;
        let expr = self.expr()?;
        self.eat(b')').then_some(expr)
    }

    /// `() => <jsx/>` and `({a, b}) => <></>` that a module declares; anything else that is a function needs an engine,
    /// for it may be called.
    fn arrow(&mut self) -> Option<PageExpr> {
        if !self.is_declared || self.depth > 1 {
            return None;
        }
        let start = self.at;
        let function = self.static_arrow();
        if function.is_none() {
            self.at = start;
        }
        function.map(|function| PageExpr::Function(Arc::new(function)))
    }

    fn static_arrow(&mut self) -> Option<Function> {
        self.at += 1;
        let mut names = Vec::new();
        let mut parameters = false;
        if self.eat(b'{') {
            parameters = true;
            while !self.eat(b'}') {
                names.push(self.name()?);
                if self.eat(b'=') {
                    self.expr()?;
                }
                if !self.eat(b',') && self.peek() != Some(b'}') {
                    return None;
                }
            }
        }
        if !self.eat(b')') || !self.eat(b'=') || self.source.as_bytes().get(self.at) != Some(&b'>') {
            return None;
        }
        self.at += 1;
        let grouped = self.eat(b'(');
        if self.peek() != Some(b'<') {
            return None;
        }
        let nodes = self.jsx()?;
        if grouped && !self.eat(b')') {
            return None;
        }
        match (parameters, nodes.is_empty()) {
            (_, true) => Some(Function::Named(names)),
            (false, false) => Some(Function::Static(nodes, None)),
            (true, false) => None,
        }
    }

    /// An element as one node, a fragment as its children.
    fn jsx(&mut self) -> Option<Vec<Node>> {
        if self.depth >= NESTING {
            return None;
        }
        self.depth += 1;
        let nodes = self.jsx_inner();
        self.depth -= 1;
        nodes
    }

    fn jsx_inner(&mut self) -> Option<Vec<Node>> {
        let tag = parse_tag_within(self.source, self.at, self.depth)?;
        self.at = tag.end;
        let children = match tag.kind {
            TagKind::Close => return None,
            TagKind::Empty => Vec::new(),
            TagKind::Open => self.jsx_children(&tag.name)?,
        };
        if tag.name.is_empty() {
            return Some(children);
        }
        let element = JsxElement { name: tag.name, props: tag.props, children, ..JsxElement::default() };
        Some(vec![Node::Element(Box::new(element))])
    }

    fn jsx_children(&mut self, name: &str) -> Option<Vec<Node>> {
        let mut children = Vec::new();
        loop {
            let length = self.source.slice(self.at..).find(['<', '{'])?;
            let text = jsx_text(self.source.slice(self.at..self.at + length));
            if !text.is_empty() {
                children.push(Node::Text(text));
            }
            self.at += length;
            if self.source.as_bytes()[self.at] == b'{' {
                let end = expression_end(self.source, self.at)?;
                let inside = self.source.slice(self.at + 1..end - 1);
                if skip_space(inside, 0) < inside.len() {
                    children.push(Node::Expr(Box::new((parse_within(inside, self.depth), Place::default()))));
                }
                self.at = end;
            } else if self.source.slice(self.at..).starts_with("</") {
                let tag = parse_tag_within(self.source, self.at, self.depth)?;
                self.at = tag.end;
                return (tag.name == name).then_some(children);
            } else {
                children.extend(self.jsx()?);
            }
        }
    }
}

/// Text between tags as JSX reads it: lines trimmed, blank ones dropped, the rest joined by a space.
fn jsx_text(raw: &str) -> String {
    if !raw.contains('\n') {
        return decode_character_references(&raw.replace('\t', " ")).into_owned();
    }
    let lines: Vec<&str> = raw.split('\n').collect();
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        let line = if at > 0 { line.trim_start() } else { line };
        let line = if at + 1 < lines.len() { line.trim_end() } else { line };
        if line.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(line);
    }
    decode_character_references(&out).into_owned()
}

fn fold_array(items: Vec<PageExpr>) -> PageExpr {
    if items.iter().all(|item| matches!(item, PageExpr::Literal(_))) {
        let values =
            items.into_iter().filter_map(|item| if let PageExpr::Literal(value) = item { Some(value) } else { None });
        return PageExpr::Literal(PropValue::Array(values.collect()));
    }
    PageExpr::Array(items)
}

fn fold_object(fields: Vec<(String, PageExpr)>) -> PageExpr {
    if fields.iter().all(|(_, value)| matches!(value, PageExpr::Literal(_))) {
        let fields = fields
            .into_iter()
            .filter_map(|(key, value)| if let PageExpr::Literal(value) = value { Some((key, value)) } else { None });
        return PageExpr::Literal(PropValue::Object(fields.collect()));
    }
    PageExpr::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expect: &str) {
        assert_eq!(format!("{:?}", parse_expression(source)), expect);
    }

    #[test]
    fn data_is_read() {
        check("\"a\\nb\"", "Literal(String(\"a\\nb\"))");
        check(" [1, -2.5, 'x',] ", "Literal(Array([Number(1.0), Number(-2.5), String(\"x\")]))");
        check("{a: true, 'b-c': null}", "Literal(Object([(\"a\", Bool(true)), (\"b-c\", Null)]))");
        check("user?.name.first", "Member(Member(Name(\"user\"), \"name\"), \"first\")");
        check("`a ${b} c`", "Template(\"a \", [(Name(\"b\"), \" c\")])");
        check("/* x */ a", "Name(\"a\")");
    }

    #[test]
    fn more_than_data_needs_an_engine() {
        for source in [
            "a + b",
            "f(x)",
            "a ? b : c",
            "items.map(x => x)",
            "x => 1",
            "() => { return 1 }",
            "({a}) => <b>{a}</b>",
            "() => <b/>",
            "[() => <b/>]",
        ] {
            assert!(matches!(parse_expression(source), PageExpr::Script(_)), "{source}");
        }
    }

    #[test]
    fn static_components_are_content() {
        let PageExpr::Function(function) = parse_declared("() => (<div>a <b>c</b></div>)") else {
            panic!("a function")
        };
        assert!(matches!(&*function, Function::Static(nodes, None) if nodes.len() == 1));
        let PageExpr::Function(function) = parse_declared("({ name, other = 1 }) => <></>") else {
            panic!("a function")
        };
        assert!(matches!(&*function, Function::Named(names) if names == &["name", "other"]));
    }
}
