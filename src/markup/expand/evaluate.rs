//! Values of expressions that are data, names and members; the rest is the sandbox's.

use std::sync::Arc;

use crate::Problem;
use crate::component::is_known_component;
use crate::expr::{Expr, Function};
use crate::tree::{Node, Value};
use base::Place;

use super::{Env, Expander};

impl Expander<'_> {
    /// What a name is, with those that the format defines.
    pub(super) fn named(&mut self, name: &str, env: &Env) -> Option<Value> {
        self.lookup(name, env).or_else(|| match name {
            "props" => Some(Value::Object(
                env.props.iter().flatten().map(|(name, value)| (name.clone(), value.clone())).collect(),
            )),
            "user" => Some(Value::Object(Vec::new())), // a bundle has no accounts
            // a part of a page has its own, or that of the page
            "frontmatter" | "frontMatter" => {
                self.modules.front_matter(env.file).or_else(|| self.modules.front_matter(self.scripts.page()))
            }
            name => is_known_component(name).then(|| Value::Function(Arc::new(Function::Builtin(name.to_owned())))),
        })
    }

    /// What a name of a module, or a member of it, is called in its module.
    pub(super) fn exported_by(&mut self, expr: &Expr, env: &Env) -> Option<Value> {
        let value = match expr {
            Expr::Name(name) => self.named(name, env)?,
            Expr::Member(object, key) => member(&self.exported_by(object, env)?, key)?,
            _ => return None,
        };
        matches!(&value, Value::Function(function) if matches!(**function, Function::Exported(..))).then_some(value)
    }

    /// The value of an expression; `None` if it needs an engine (reported) or names nothing.
    pub(super) fn eval(&mut self, expr: &Expr, env: &Env, place: Place) -> Option<Value> {
        match expr {
            Expr::Literal(value) => Some(value.clone()),
            Expr::Name(name) => match self.named(name, env) {
                Some(Value::Function(function)) => match &*function {
                    Function::Exported(file, name) => self.exported_value(*file, name, place),
                    _ => Some(Value::Function(function)),
                },
                Some(value) => Some(value),
                None => {
                    if !self.reported_names.contains(&(env.file, name.clone())) {
                        self.undefined(name, place);
                    }
                    None
                }
            },
            Expr::Member(object, key) => match value_data(self.eval(object, env, place)?) {
                Value::Array(items) if key == "length" => Some(Value::Number(items.len() as f64)),
                // as JavaScript counts
                Value::String(text) if key == "length" => Some(Value::Number(text.encode_utf16().count() as f64)),
                Value::Array(mut items) => {
                    key.parse::<usize>().ok().filter(|at| *at < items.len()).map(|at| items.swap_remove(at))
                }
                value => match member(&value, key) {
                    Some(member) => Some(member),
                    None if matches!(root_name(object), Some("user" | "props" | "frontmatter" | "frontMatter"))
                        || matches!(value, Value::Nodes(_) | Value::Function(_)) =>
                    {
                        Some(Value::Undefined)
                    }
                    None => {
                        self.undefined(key, place);
                        None
                    }
                },
            },
            Expr::Template(first, parts) => {
                let mut text = first.clone();
                for (part, tail) in parts {
                    let value = self.eval(part, env, place)?;
                    text.push_str(&value.to_text().unwrap_or_default());
                    text.push_str(tail);
                    if text.len() > self.most_bytes {
                        return None;
                    }
                }
                Some(Value::String(text))
            }
            Expr::Array(items) => Some(Value::Array(
                items.iter().map(|item| self.eval(item, env, place).unwrap_or(Value::Undefined)).collect(),
            )),
            Expr::Object(fields) => {
                let fields = fields
                    .iter()
                    .map(|(key, value)| (key.clone(), self.eval(value, env, place).unwrap_or(Value::Undefined)));
                Some(Value::Object(fields.collect()))
            }
            Expr::Jsx(nodes) => Some(Value::Nodes(self.nodes(place_nodes(nodes.clone(), place), env))),
            Expr::Function(function) => Some(Value::Function(function.clone())),
            Expr::Script(source) => self.script_value(source, env, place),
        }
    }

    pub(super) fn undefined(&mut self, name: &str, place: Place) {
        if name != "React" {
            self.report(
                name,
                Problem {
                    code: "undefined-name",
                    message: format!(
                        "`{name}` is neither exported nor imported on this page; nothing is shown in its place"
                    ),
                    hint: Some("export it (`export const …`), import it, or write `\\{` for a plain brace".to_owned()),
                    place,
                },
            );
        }
    }
}

/// A member of a value. Components have some: `Tree.Folder`.
pub(super) fn member(value: &Value, key: &str) -> Option<Value> {
    let Value::Function(function) = value else { return value.field(key).cloned() };
    let function = match &**function {
        Function::Exported(file, path) if path == "*" => Function::Exported(*file, key.to_owned()),
        Function::Exported(file, path) => Function::Exported(*file, format!("{path}.{key}")),
        Function::Builtin(name) => {
            Some(format!("{name}.{key}")).filter(|name| is_known_component(name)).map(Function::Builtin)?
        }
        _ => return None,
    };
    Some(Value::Function(Arc::new(function)))
}

/// The name that a chain of members starts with.
fn root_name(mut expr: &Expr) -> Option<&str> {
    while let Expr::Member(object, _) = expr {
        expr = object;
    }
    if let Expr::Name(name) = expr { Some(name) } else { None }
}

/// What of a value is data.
fn value_data(value: Value) -> Value {
    if let Value::Live(_, data) = value { *data } else { value }
}

/// Elements of expressions know no place of their own: they get the expression's.
pub(super) fn place_nodes(mut nodes: Vec<Node>, place: Place) -> Vec<Node> {
    for node in &mut nodes {
        if let Node::Element(element) = node {
            element.place = place;
            element.children = place_nodes(std::mem::take(&mut element.children), place);
        }
    }
    nodes
}
