//! Values of expressions that are data, names and members; the rest is the sandbox's.

use std::sync::Arc;

use crate::component::is_known_component;
use crate::expr::{Function, PageExpr};
use crate::tree::{Node, PropValue};
use base::{Place, Problem};

use super::{Env, Expander};

impl Expander<'_> {
    /// What a name is, with those that the format defines.
    pub(super) fn named(&mut self, name: &str, env: &Env) -> Option<PropValue> {
        self.lookup(name, env).or_else(|| match name {
            "props" => Some(PropValue::Object(
                env.props.iter().flatten().map(|(name, value)| (name.clone(), value.clone())).collect(),
            )),
            "user" => Some(PropValue::Object(Vec::new())), // a bundle has no accounts
            // a part of a page has its own, or that of the page
            "frontmatter" | "frontMatter" => {
                self.modules.front_matter(env.file).or_else(|| self.modules.front_matter(self.scripts.page()))
            }
            name => is_known_component(name).then(|| PropValue::Function(Arc::new(Function::Builtin(name.to_owned())))),
        })
    }

    /// What a name of a module, or a member of it, is called in its module.
    pub(super) fn exported_by(&mut self, expr: &PageExpr, env: &Env) -> Option<PropValue> {
        let value = match expr {
            PageExpr::Name(name) => self.named(name, env)?,
            PageExpr::Member(object, key) => member(&self.exported_by(object, env)?, key)?,
            _ => return None,
        };
        matches!(&value, PropValue::Function(function) if matches!(**function, Function::Exported(..))).then_some(value)
    }

    /// The value of an expression; `None` if it needs an engine (reported) or names nothing.
    pub(super) fn eval(&mut self, expr: &PageExpr, env: &Env, place: Place) -> Option<PropValue> {
        match expr {
            PageExpr::Literal(value) => Some(value.clone()),
            PageExpr::Name(name) => match self.named(name, env) {
                Some(PropValue::Function(function)) => match &*function {
                    Function::Exported(file, name) => self.exported_value(*file, name, place),
                    _ => Some(PropValue::Function(function)),
                },
                Some(value) => Some(value),
                None => {
                    if !self.reported_names.contains(&(env.file, name.clone())) {
                        self.undefined(name, place);
                    }
                    None
                }
            },
            PageExpr::Member(object, key) => match value_data(self.eval(object, env, place)?) {
                PropValue::Array(items) if key == "length" => Some(PropValue::Number(items.len() as f64)),
                // as JavaScript counts
                PropValue::String(text) if key == "length" => {
                    Some(PropValue::Number(text.encode_utf16().count() as f64))
                }
                PropValue::Array(mut items) => {
                    key.parse::<usize>().ok().filter(|at| *at < items.len()).map(|at| items.swap_remove(at))
                }
                value => match member(&value, key) {
                    Some(member) => Some(member),
                    None if matches!(root_name(object), Some("user" | "props" | "frontmatter" | "frontMatter"))
                        || matches!(value, PropValue::Nodes(_) | PropValue::Function(_)) =>
                    {
                        Some(PropValue::Undefined)
                    }
                    None => {
                        self.undefined(key, place);
                        None
                    }
                },
            },
            PageExpr::Template(first, parts) => {
                let mut text = first.clone();
                for (part, tail) in parts {
                    let value = self.eval(part, env, place)?;
                    text.push_str(&value.to_text().unwrap_or_default());
                    text.push_str(tail);
                    if text.len() > self.most_bytes {
                        return None;
                    }
                }
                Some(PropValue::String(text))
            }
            PageExpr::Array(items) => Some(PropValue::Array(
                items.iter().map(|item| self.eval(item, env, place).unwrap_or(PropValue::Undefined)).collect(),
            )),
            PageExpr::Object(fields) => {
                let fields = fields
                    .iter()
                    .map(|(key, value)| (key.clone(), self.eval(value, env, place).unwrap_or(PropValue::Undefined)));
                Some(PropValue::Object(fields.collect()))
            }
            PageExpr::Jsx(nodes) => Some(PropValue::Nodes(self.nodes(place_nodes(nodes.clone(), place), env))),
            PageExpr::Function(function) => Some(PropValue::Function(function.clone())),
            PageExpr::Script(source) => self.script_value(source, env, place),
        }
    }

    pub(super) fn undefined(&mut self, name: &str, place: Place) {
        if name != "React" {
            self.report(
                name,
                Problem::new(
                    "undefined-name",
                    format!("`{name}` is neither exported nor imported on this page; nothing is shown in its place"),
                    place,
                )
                .hint("export it (`export const …`), import it, or write `\\{` for a plain brace"),
            );
        }
    }
}

/// A member of a value. Components have some: `Tree.Folder`.
pub(super) fn member(value: &PropValue, key: &str) -> Option<PropValue> {
    let PropValue::Function(function) = value else { return value.field(key).cloned() };
    let function = match &**function {
        Function::Exported(file, path) if path == "*" => Function::Exported(*file, key.to_owned()),
        Function::Exported(file, path) => Function::Exported(*file, format!("{path}.{key}")),
        Function::Builtin(name) => {
            Some(format!("{name}.{key}")).filter(|name| is_known_component(name)).map(Function::Builtin)?
        }
        _ => return None,
    };
    Some(PropValue::Function(Arc::new(function)))
}

/// The name that a chain of members starts with.
fn root_name(mut expr: &PageExpr) -> Option<&str> {
    while let PageExpr::Member(object, _) = expr {
        expr = object;
    }
    if let PageExpr::Name(name) = expr { Some(name) } else { None }
}

/// What of a value is data.
fn value_data(value: PropValue) -> PropValue {
    if let PropValue::Live(_, data) = value { *data } else { value }
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
