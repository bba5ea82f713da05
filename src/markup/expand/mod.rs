//! Resolves imports, snippets, expressions and the author's own components: what is left is plain elements with plain
//! props.
//!
//! A file's names are its imports and exports; a snippet's body also sees the props of its use. Data and static JSX are
//! read as they are (`scope`, `element`, `evaluate`); the rest runs in the sandbox (`script`, with `encode` and
//! `decode` between trees and its JSON). What fails there keeps its children and is reported once per name.

mod alive;
mod decode;
mod element;
mod encode;
mod evaluate;
mod fill;
mod island;
mod prescan;
mod scope;
mod script;
mod tabs;
#[cfg(test)]
mod tests;
mod wire;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ParsedFile;
use crate::expr::Function;
use crate::js::compile::{self, ScriptError};
use crate::tree::{BlockKind, Node, PropValue};
use base::{FileId, Place, Problem, limits};

pub use alive::{Alive, LiveImport};
use fill::fill_snippet_props;
pub use prescan::COMPONENT_REQUEST;
use script::Scripts;
use tabs::is_to_be_named;

/// The other files of the site, parsed once and shared.
pub trait Modules {
    /// The parsed file, MDX or script.
    fn document(&self, file: FileId) -> Option<Arc<ParsedFile>>;
    /// The file that an import path in `from` names.
    fn resolve(&self, from: FileId, path: &str) -> Option<FileId>;
    /// Whether a file is Markdown (its default export is its content) rather than a script.
    fn is_markdown(&self, file: FileId) -> bool;
    /// Whether a file that is no script is run as one: a component of another tool.
    fn runs(&self, _file: FileId) -> bool {
        false
    }
    /// What a project knows under a name, as a text of JSON: scripts that were made for it import it.
    fn known(&self, _name: &str) -> Option<Arc<str>> {
        None
    }
    /// The module statements of a file, compiled.
    fn script(&self, file: FileId) -> Option<Arc<Result<compile::CompiledModule, ScriptError>>>;
    /// What the front matter of a file says; `None` if it has none.
    fn front_matter(&self, _file: FileId) -> Option<PropValue> {
        None
    }
    /// A file's path, for messages.
    fn path(&self, file: FileId) -> &str;
    /// What scripts call a file: pages hold it, so it must not depend on what other files there are.
    fn number(&self, file: FileId) -> u32 {
        file.0
    }
    /// The time that scripts are given, seconds since 1970, if the export has one.
    fn now(&self) -> Option<u64> {
        None
    }
    /// The file that scripts call so.
    fn numbered(&self, number: u32) -> Option<FileId> {
        Some(FileId(number))
    }
}

/// An expanded page.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// The body: no expressions, no snippets.
    pub nodes: Vec<Node>,
    /// Problems of the page and of the snippets as used here.
    pub problems: Vec<Problem>,
    /// What the islands of the page need in the reader's browser.
    pub alive: Alive,
    /// Whether its scripts ran until their time was over: how far they came then depends on the machine, so the page is
    /// to be expanded again by [`expand_still`].
    pub is_late: bool,
}

/// A page by itself: it can import nothing. Sites have their own `Modules`; this is for benches and tests.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Modules for Alone {
    fn document(&self, _: FileId) -> Option<Arc<ParsedFile>> {
        None
    }
    fn resolve(&self, _: FileId, _: &str) -> Option<FileId> {
        None
    }
    fn is_markdown(&self, _: FileId) -> bool {
        false
    }
    fn script(&self, _: FileId) -> Option<Arc<Result<compile::CompiledModule, ScriptError>>> {
        None
    }
    fn path(&self, _: FileId) -> &str {
        "page.mdx"
    }
}

/// Expands a page.
pub fn expand_document(document: ParsedFile, file: FileId, modules: &dyn Modules) -> Expanded {
    let scripts = Scripts::of_page(file, &document);
    expand_with(scripts, document, file, modules)
}

/// Expands a page whose scripts take too long: none of them is run.
pub fn expand_still(document: ParsedFile, file: FileId, modules: &dyn Modules) -> Expanded {
    let scripts = Scripts::still(file, &document);
    expand_with(scripts, document, file, modules)
}

fn expand_with(scripts: Scripts, document: ParsedFile, file: FileId, modules: &dyn Modules) -> Expanded {
    let grown = |bound| limits::grown(bound, document.source_bytes, limits::MOST_HELD_GROWTH);
    let mut expander = Expander {
        modules,
        most_nodes: grown(limits::PAGE_NODES),
        most_bytes: grown(limits::EXPANDED_BYTES),
        problems: document.problems,
        scopes: FxHashMap::default(),
        reported: FxHashSet::default(),
        missing: FxHashSet::default(),
        reported_names: FxHashSet::default(),
        scripts,
        nodes: 0,
        bytes: 0,
        depth: 0,
        imports: 0,
    };
    let dynamic = !document.module.imports.is_empty()
        || !document.module.declared.is_empty()
        || document.nodes.iter().any(needs_expansion);
    if !dynamic {
        return Expanded { nodes: document.nodes, problems: expander.problems, ..Expanded::default() };
    }
    let scope = expander.scope_of(file, &document.module.imports, &document.module.declared);
    let env = Env { file, scope, props: None, fills: Vec::new() };
    let nodes = expander.nodes(document.nodes, &env);
    let is_late = expander.scripts.is_late();
    Expanded { nodes, alive: expander.scripts.into_alive(), problems: expander.problems, is_late }
}

/// Whether a node holds anything that expansion would change.
fn needs_expansion(node: &Node) -> bool {
    match node {
        Node::Expr(_) => true,
        Node::Block(block) => block.children.iter().any(needs_expansion),
        Node::Element(element) => {
            element.name == "Snippet"
                || is_to_be_named(element)
                || element.name == "user"
                || element.props.0.iter().any(|(_, value)| matches!(value, PropValue::Expr(_)))
                || element.children.iter().any(needs_expansion)
        }
        _ => false,
    }
}

type ExpansionScope = Arc<FxHashMap<String, PropValue>>;

/// Where an expression is evaluated.
struct Env {
    file: FileId,
    scope: ExpansionScope,
    /// The props of the snippet that is being expanded, with `children`.
    props: Option<FxHashMap<String, PropValue>>,
    /// `{name}` in code of a snippet, sorted by name.
    fills: Vec<(String, String)>,
}

struct Expander<'a> {
    modules: &'a dyn Modules,
    problems: Vec<Problem>,
    scopes: FxHashMap<FileId, ExpansionScope>,
    reported: FxHashSet<String>,
    /// Names that a file imports from where nothing is.
    missing: FxHashSet<(FileId, String)>,
    /// The missing names that were reported.
    reported_names: FxHashSet<(FileId, String)>,
    scripts: Scripts,
    nodes: usize,
    bytes: usize,
    /// How many nodes, and bytes of text, the page may grow to.
    most_nodes: usize,
    most_bytes: usize,
    depth: usize,
    /// Files that wait for the ones they import.
    imports: usize,
}

impl Expander<'_> {
    fn nodes(&mut self, nodes: Vec<Node>, env: &Env) -> Vec<Node> {
        let mut out = Vec::with_capacity(nodes.len());
        for node in nodes {
            self.node(node, env, &mut out);
        }
        out
    }

    fn node(&mut self, node: Node, env: &Env, out: &mut Vec<Node>) {
        self.nodes += 1;
        match node {
            Node::Expr(inner) => {
                let (expr, place) = *inner;
                match self.eval(&expr, env, place) {
                    // `{Card}`: a placeholder that happens to be called like a component
                    Some(PropValue::Function(function)) => {
                        if let Function::Builtin(name) = &*function {
                            self.undefined(name, place);
                        }
                    }
                    // elements that do something in the browser
                    Some(PropValue::Live(number, data)) if holds_nodes(&data) => {
                        let value = self
                            .exported_by(&expr, env)
                            .unwrap_or_else(|| PropValue::Live(number, Box::new(PropValue::Undefined)));
                        self.live_value(&value, *data, place, env, out);
                    }
                    Some(value) => self.show(value, out),
                    None => {}
                }
            }
            Node::Block(mut block) => {
                block.children = self.nodes(block.children, env);
                if let BlockKind::Paragraph = block.kind
                    && !block.children.is_empty()
                    && block
                        .children
                        .iter()
                        .all(|child| matches!(child, Node::Block(inner) if !inner.kind.is_phrasing()))
                {
                    out.extend(block.children); // a snippet that stood alone in its paragraph
                    return;
                }
                out.push(Node::Block(block));
            }
            Node::Element(element) => self.element(*element, env, out),
            Node::Fence(mut fence) => {
                fill_snippet_props(&mut fence.code, &env.fills);
                self.bytes += fence.code.len();
                out.push(Node::Fence(fence));
            }
            Node::Code(mut code) => {
                fill_snippet_props(&mut code, &env.fills);
                out.push(Node::Code(code));
            }
            Node::Text(text) => {
                self.bytes += text.len();
                out.push(Node::Text(text));
            }
            node => out.push(node),
        }
    }

    /// Writes what `{value}` shows on a page.
    fn show(&mut self, value: PropValue, out: &mut Vec<Node>) {
        match value {
            PropValue::Nodes(nodes) => out.extend(nodes),
            PropValue::Array(items) => items.into_iter().for_each(|item| self.show(item, out)),
            PropValue::Live(_, data) => self.show(*data, out),
            value => {
                if let Some(text) = value.to_text() {
                    self.bytes += text.len();
                    out.push(Node::Text(text));
                }
            }
        }
    }

    /// Snippets are left out from here on; the page's own text stays.
    fn over_budget(&mut self, place: Place) {
        self.report(
            "page-too-large",
            Problem::new(
                "page-too-large",
                "the page exceeds the size limit when its snippets are expanded; further snippets are left out",
                place,
            )
            .hint("check that no snippet includes itself, directly or through others"),
        );
    }

    fn report(&mut self, key: &str, problem: Problem) {
        if self.reported.insert(format!("{} {key}", problem.code)) {
            self.problems.push(problem);
        }
    }
}

fn holds_nodes(value: &PropValue) -> bool {
    match value {
        PropValue::Nodes(nodes) => !nodes.is_empty(),
        PropValue::Array(items) => items.iter().any(holds_nodes),
        _ => false,
    }
}
