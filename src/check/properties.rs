//! Properties that their component does not have, found in the source: an export leaves them out without a word, because
//! a repository may use them for scripts of its own.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use base::diagnostic::list_in_backticks;
use base::{Diagnostic, FileId, Place, spelling};
use load::Site;
use markup::component::{ComponentRow, find_component};
use markup::expr::{Function, PageExpr};
use markup::property::is_universal_property;
use markup::tag::SPREAD;
use markup::tree::{JsxElement, Node, PropValue};
use site::ConfigKind;

use super::source_document::{parse_body, text_files};

/// Most characters of a name that a message shows.
const MAX_SHOWN_CHARS: usize = 80;

/// One finding for each unknown property of a component in each file. Components of the author's own take any, and so do
/// those of other tools.
pub fn unknown_properties(site: &Site) -> Vec<Diagnostic> {
    if site.kind == ConfigKind::Plain {
        return Vec::new();
    }
    let files: Vec<FileId> = text_files(site).into_iter().filter_map(|(file, is_mdx)| is_mdx.then_some(file)).collect();
    files.into_par_iter().flat_map_iter(|file| unknown_in_file(site, file)).collect()
}

fn unknown_in_file(site: &Site, file: FileId) -> Vec<Diagnostic> {
    let Some(text) = site.tree.text(file) else { return Vec::new() };
    let document = parse_body(site, file, &text, true);
    let imported = document.module.imports.iter().map(|import| import.local.as_str());
    let declared = document.module.declared.iter().map(|(name, _)| name.as_str());
    let own: FxHashSet<&str> = imported.chain(declared).collect();
    let mut found: Vec<(&ComponentRow, &str, Place)> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut unread = UnreadNodes::default();
    unread.add_nodes(&document.nodes, Place { file, line: 0, column: 0 });
    unread
        .expressions
        .extend(document.module.declared.iter().map(|(_, value)| (value, Place { file, line: 0, column: 0 })));
    while let Some((element, place)) = unread.next_element() {
        let name = element.name.split('.').next().unwrap_or_default();
        let Some(component) = find_component(&element.name).filter(|_| !own.contains(name)) else { continue };
        if component.takes_any {
            continue;
        }
        for (property, _) in &element.props.0 {
            let is_known = property == SPREAD
                || is_universal_property(property)
                || component.properties().any(|known| known.name == property);
            if !is_known {
                found.push((component, property, place));
            }
        }
    }
    found.sort_by_key(|(_, _, place)| (place.line, place.column));
    found.retain(|(component, property, _)| seen.insert((component.name, *property)));
    let path = site.tree.path(file);
    found
        .into_iter()
        .map(|(component, property, place)| unknown_property(component, property).at(path, place.line, place.column))
        .collect()
}

fn unknown_property(component: &ComponentRow, property: &str) -> Diagnostic {
    let name = component.name;
    let names = || component.properties().map(|known| known.name);
    let hint = match spelling::nearest_word(property, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names().next().is_none() => {
            format!("it has no effect: `<{name}>` has no properties of its own; call it `data-…` if a script reads it")
        }
        None => {
            format!(
                "it has no effect: `<{name}>` has {}; call it `data-…` if a script reads it",
                list_in_backticks(names())
            )
        }
    };
    let shown: String = property.chars().take(MAX_SHOWN_CHARS).collect();
    Diagnostic::warning("unknown-property", format!("`<{name}>` has no property `{shown}`")).hint(hint)
}

/// What of a document has not been looked at. What stands in an expression has no place but that of the expression.
#[derive(Default)]
struct UnreadNodes<'d> {
    nodes: Vec<(&'d Node, Place)>,
    expressions: Vec<(&'d PageExpr, Place)>,
}

impl<'d> UnreadNodes<'d> {
    fn add_nodes(&mut self, nodes: &'d [Node], place: Place) {
        self.nodes.extend(nodes.iter().map(|node| (node, place)));
    }

    /// Any element that is left, also in expressions and properties, and where it stands.
    fn next_element(&mut self) -> Option<(&'d JsxElement, Place)> {
        loop {
            while let Some((expression, place)) = self.expressions.pop() {
                self.add_expression(expression, place);
            }
            let (node, around) = self.nodes.pop()?;
            match node {
                Node::Block(block) => self.add_nodes(&block.children, around),
                Node::Expr(inner) => self.expressions.push((&inner.0, inner.1)),
                Node::Element(element) => {
                    let place = if element.place.line > 0 { element.place } else { around };
                    self.add_nodes(&element.children, place);
                    for (_, value) in &element.props.0 {
                        match value {
                            PropValue::Expr(expression) => self.expressions.push((expression, place)),
                            PropValue::Nodes(nodes) => self.add_nodes(nodes, place),
                            _ => {}
                        }
                    }
                    return Some((element, place));
                }
                _ => {}
            }
        }
    }

    fn add_expression(&mut self, expression: &'d PageExpr, place: Place) {
        match expression {
            PageExpr::Jsx(nodes) => self.add_nodes(nodes, place),
            PageExpr::Array(items) => self.expressions.extend(items.iter().map(|item| (item, place))),
            PageExpr::Object(fields) => self.expressions.extend(fields.iter().map(|(_, value)| (value, place))),
            PageExpr::Function(function) => {
                if let Function::Static(nodes, _) = &**function {
                    self.add_nodes(nodes, place);
                }
            }
            _ => {}
        }
    }
}
