//! The data part of JavaScript that documents use: literals, arrays, objects, template strings, names, members and static
//! JSX. Read without any JavaScript engine; what needs one is kept as `Expr::Script`.

use std::sync::Arc;

use crate::base::FileId;

use super::tree::{Node, Value};

/// An expression of a page, before expansion.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A literal.
    Literal(Value),
    /// A name.
    Name(String),
    /// `object.field`, `object?.field` and `object["field"]`.
    Member(Box<Expr>, String),
    /// A template string: text, then (expression, text) pairs.
    Template(String, Vec<(Expr, String)>),
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `{a: 1}`.
    Object(Vec<(String, Expr)>),
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
    /// `() => <div>…</div>`: static content.
    Static(Vec<Node>),
    /// `({a, b}) => <></>`: only names the props of the snippet it stands in.
    Named(Vec<String>),
    /// A component that needs JavaScript: name and the first line of its source.
    Script(Arc<str>),
}
