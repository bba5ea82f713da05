//! Resolves imports, snippets, expressions and the author's own components: what is left is plain elements with plain props.
//!
//! A file's names are its imports and exports; a snippet's body also sees the props of its use. Data and static JSX are read
//! as they are; the rest runs in the sandbox (`script`, with `encode` and `decode` between trees and its JSON). What fails
//! there keeps its children and is reported once per name.

mod decode;
mod encode;
mod foresight;
mod island;
mod script;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::extension::has_extension;
use crate::base::html::is_tag;
use crate::base::limits::{EXPANDED_BYTES, IMPORT_DEPTH, PAGE_NODES, SNIPPET_DEPTH};
use crate::base::{FileId, Place};

use crate::js::compile::{self, SyntaxError};
use crate::markup::esm::Import;
use crate::markup::expr::{Expr, Function};
use crate::markup::tag::SPREAD;
use crate::markup::tree::{BlockKind, Element, Flaw, Node, Props, Value};
use crate::markup::{self, Document, Problem, component, html};

pub use island::{Alive, Module};
use script::Scripts;

/// The other files of the site, parsed once and shared.
pub trait Modules {
    /// The parsed file, MDX or script.
    fn document(&self, file: FileId) -> Option<Arc<Document>>;
    /// The file that an import path in `from` names.
    fn resolve(&self, from: FileId, path: &str) -> Option<FileId>;
    /// Whether a file is Markdown (its default export is its content) rather than a script.
    fn is_markdown(&self, file: FileId) -> bool;
    /// The module statements of a file, compiled.
    fn script(&self, file: FileId) -> Option<Arc<Result<compile::Module, SyntaxError>>>;
    /// A file's path, for messages.
    fn path(&self, file: FileId) -> &str;
    /// What scripts call a file: pages hold it, so it must not depend on what other files there are.
    fn number(&self, file: FileId) -> u32 {
        file.0
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
    /// Whether its scripts ran until their time was over: how far they came then depends on the machine, so the page is to be expanded
    /// again by [`expand_still`].
    pub is_late: bool,
}

/// A page by itself: it can import nothing.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Modules for Alone {
    fn document(&self, _: FileId) -> Option<Arc<Document>> {
        None
    }
    fn resolve(&self, _: FileId, _: &str) -> Option<FileId> {
        None
    }
    fn is_markdown(&self, _: FileId) -> bool {
        false
    }
    fn script(&self, _: FileId) -> Option<Arc<Result<compile::Module, SyntaxError>>> {
        None
    }
    fn path(&self, _: FileId) -> &str {
        "page.mdx"
    }
}

/// Expands a page.
pub fn expand(document: Document, file: FileId, modules: &dyn Modules) -> Expanded {
    let scripts = Scripts::of_page(file, &document.module);
    expand_with(scripts, document, file, modules)
}

/// Expands a page whose scripts take too long: none of them is run.
pub fn expand_still(document: Document, file: FileId, modules: &dyn Modules) -> Expanded {
    let scripts = Scripts::still(file, &document.module);
    expand_with(scripts, document, file, modules)
}

fn expand_with(scripts: Scripts, document: Document, file: FileId, modules: &dyn Modules) -> Expanded {
    let mut expander = Expander {
        modules,
        problems: document.problems,
        scopes: FxHashMap::default(),
        reported: FxHashSet::default(),
        missing: FxHashSet::default(),
        told: FxHashSet::default(),
        scripts,
        nodes: 0,
        bytes: 0,
        depth: 0,
        imports: 0,
    };
    let dynamic = !document.module.imports.is_empty() || !document.module.declared.is_empty() || document.nodes.iter().any(needs_expansion);
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
                || element.props.0.iter().any(|(_, value)| matches!(value, Value::Expr(_)))
                || element.children.iter().any(needs_expansion)
        }
        _ => false,
    }
}

type Scope = Arc<FxHashMap<String, Value>>;

/// Where an expression is evaluated.
struct Env {
    file: FileId,
    scope: Scope,
    /// The props of the snippet that is being expanded, with `children`.
    props: Option<FxHashMap<String, Value>>,
    /// `{name}` in code of a snippet.
    fills: Vec<(String, String)>,
}

struct Expander<'a> {
    modules: &'a dyn Modules,
    problems: Vec<Problem>,
    scopes: FxHashMap<FileId, Scope>,
    reported: FxHashSet<String>,
    /// Names that a file imports from where nothing is.
    missing: FxHashSet<(FileId, String)>,
    /// Those of them that the author has been told about.
    told: FxHashSet<(FileId, String)>,
    scripts: Scripts,
    nodes: usize,
    bytes: usize,
    depth: usize,
    /// Files that wait for the ones they import.
    imports: usize,
}

impl Expander<'_> {
    // -- scopes

    fn scope_of(&mut self, file: FileId, imports: &[Import], declared: &[(String, Expr)]) -> Scope {
        if let Some(scope) = self.scopes.get(&file) {
            return scope.clone();
        }
        self.scopes.insert(file, Scope::default()); // an import cycle sees nothing
        if self.imports >= IMPORT_DEPTH {
            return Scope::default();
        }
        self.imports += 1;
        let scope = self.read_scope(file, imports, declared);
        self.imports -= 1;
        self.scopes.insert(file, scope.clone());
        scope
    }

    fn read_scope(&mut self, file: FileId, imports: &[Import], declared: &[(String, Expr)]) -> Scope {
        let mut names: FxHashMap<String, Value> = FxHashMap::default();
        for import in imports {
            match self.import(file, import) {
                Some(value) => drop(names.insert(import.local.clone(), value)),
                None => drop(self.missing.insert((file, import.local.clone()))),
            }
        }
        let partial = Env { file, scope: Arc::new(names), props: None, fills: Vec::new() };
        let mut env = partial;
        for (name, expr) in declared {
            let computed = |name: &str| match env.scope.get(name) {
                Some(Value::Function(function)) => matches!(**function, Function::Exported(..)),
                Some(_) => false,
                None => compile::is_of_browser(name),
            };
            let value = match expr.is_dynamic(&computed) {
                true => Some(Value::Function(Arc::new(Function::Exported(file, name.clone())))),
                false => self.eval(expr, &env, Place { file, line: 0, column: 0 }),
            };
            if let Some(names) = Arc::get_mut(&mut env.scope) {
                names.insert(name.clone(), value.unwrap_or(Value::Undefined));
            }
        }
        env.scope
    }

    fn import(&mut self, from: FileId, import: &Import) -> Option<Value> {
        let (path, exported) = (import.from.as_str(), import.exported.as_str());
        let Some(target) = self.modules.resolve(from, path) else {
            let local = path.starts_with(['.', '/']) || path.starts_with("@/");
            // Docusaurus' own parts have their like among the components
            if local || !(path == "react" || path.starts_with("@mintlify/") || path.starts_with("@theme/")) {
                let (message, hint) = if local {
                    (format!("the imported file `{path}` does not exist"), "write the path from the site's root (`/snippets/x.mdx`) or relative to this file, with its extension")
                } else {
                    (format!("`{path}` is a package; only files of the site can be imported"), "copy what you need of it into `snippets/`")
                };
                self.report(path, Problem {
                    code: "import-missing",
                    message,
                    hint: Some(hint.to_owned()),
                    place: if import.place.line == 0 { Place { file: from, line: 1, column: 1 } } else { import.place },
                });
            }
            return None;
        };
        let file = self.modules.path(target);
        if !is_module(file) {
            return self.import_data(from, file, import);
        }
        let markdown = self.modules.is_markdown(target);
        if markdown && exported == "default" {
            return Some(Value::Function(Arc::new(Function::Snippet(target))));
        }
        let document = self.modules.document(target)?;
        let scope = self.scope_of(target, &document.module.imports, &document.module.declared);
        let exports = |name: &str| matches!(self.modules.script(target).as_deref(), Some(Ok(module)) if module.names.iter().any(|known| known == name));
        let value = scope.get(exported).cloned().or_else(|| {
            // a script's only export also answers to `default`
            (exported == "default").then(|| document.module.declared.first()).flatten().and_then(|(name, _)| scope.get(name).cloned())
        });
        let value = match value {
            Some(value) => value,
            None if exported == "*" || exports(exported) => Value::Function(Arc::new(Function::Exported(target, exported.to_owned()))),
            None => return None,
        };
        match &value {
            Value::Function(function) if markdown && matches!(**function, Function::Named(_)) => Some(Value::Function(Arc::new(Function::Snippet(target)))),
            _ => Some(value),
        }
    }

    /// What an imported file is that is no module: a picture is its path, of anything else nothing is known.
    fn import_data(&mut self, from: FileId, file: &str, import: &Import) -> Option<Value> {
        if is_media(file) {
            return Some(Value::String(format!("/{file}")));
        }
        self.told.insert((from, import.local.clone()));
        self.report(&import.from, Problem {
            code: "import-kind",
            message: format!("`{}` cannot be imported: it is neither Markdown nor a script nor a picture", import.from),
            hint: Some("export what is in it from a .jsx or .mdx file, and import that".to_owned()),
            place: import.place,
        });
        None
    }

    fn lookup(&mut self, name: &str, env: &Env) -> Option<Value> {
        if let Some(value) = env.props.as_ref().and_then(|props| props.get(name)).or_else(|| env.scope.get(name)) {
            return Some(value.clone());
        }
        self.declares(env.file, name).then(|| Value::Function(Arc::new(Function::Exported(env.file, name.to_owned()))))
    }

    // -- nodes

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
                    Some(Value::Function(function)) => {
                        if let Function::Builtin(name) = &*function {
                            self.undefined(name, place);
                        }
                    }
                    Some(value) => self.show(value, out),
                    None => {}
                }
            }
            Node::Block(mut block) => {
                block.children = self.nodes(block.children, env);
                if let BlockKind::Paragraph = block.kind
                    && !block.children.is_empty()
                    && block.children.iter().all(|child| matches!(child, Node::Block(inner) if !is_phrasing(&inner.kind)))
                {
                    out.extend(block.children); // a snippet that stood alone in its paragraph
                    return;
                }
                out.push(Node::Block(block));
            }
            Node::Element(element) => self.element(*element, env, out),
            Node::Fence(mut fence) => {
                fill(&mut fence.code, &env.fills);
                self.bytes += fence.code.len();
                out.push(Node::Fence(fence));
            }
            Node::Code(mut code) => {
                fill(&mut code, &env.fills);
                out.push(Node::Code(code));
            }
            Node::Text(text) => {
                self.bytes += text.len();
                out.push(Node::Text(text));
            }
            node => out.push(node),
        }
    }

    fn element(&mut self, element: Element, env: &Env, out: &mut Vec<Node>) {
        match self.component(&element.name, env) {
            Some(Value::Function(function)) => return self.call(&function, element, env, out),
            Some(Value::Nodes(nodes)) => return self.unfold(nodes, &element, env, out),
            // `import Logo from './logo.svg'`, as some bundlers read it
            Some(Value::String(path)) if is_media(&path) => {
                let mut picture = element;
                "img".clone_into(&mut picture.name);
                picture.props.set("src", Value::String(path));
                return self.known(picture, env, out);
            }
            Some(Value::Array(_) | Value::String(_)) => return,
            _ => {}
        }
        self.known(element, env, out);
    }

    /// An element whose name nobody declares: HTML's, the library's, or nobody's.
    fn known(&mut self, mut element: Element, env: &Env, out: &mut Vec<Node>) {
        element.props = self.props(element.props, env, element.place);
        let base = element.name.split('.').next().unwrap_or_default();
        if self.missing.contains(&(env.file, base.to_owned())) {
            element.flaw = Flaw::NotImported;
        }
        self.check_spelling(&element, env);
        if matches!(element.name.as_str(), "Tab" | "TabItem" | "Tabs.Tab") {
            adopt_tab(&mut element);
        }
        if element.name == "Snippet" {
            return self.legacy_snippet(element, env, out);
        }
        let is_computed = is_computed_code(&element);
        element.children = self.nodes(element.children, env);
        match &mut element.raw {
            raw if is_computed && !Node::text_of(&element.children).is_empty() => *raw = None,
            Some(raw) if element.name == "CodeBlock" && !env.fills.is_empty() => {
                let mut code = raw.to_string();
                fill(&mut code, &env.fills);
                *raw = code.into();
            }
            _ => {}
        }
        if element.name == "Tabs" {
            name_tabs(&mut element);
        }
        plain(element, out);
    }

    /// A component whose name begins with a small letter is a tag of HTML to everybody else.
    fn check_spelling(&mut self, element: &Element, env: &Env) {
        let name = element.name.as_str();
        if !name.starts_with(char::is_lowercase) || is_tag(name) || !matches!(env.scope.get(name), Some(Value::Function(_))) {
            return;
        }
        let capital: String = name.chars().take(1).flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect();
        self.report(name, Problem {
            code: "component-case",
            message: format!("`<{name}>` shows nothing: the name of a component begins with a capital letter"),
            hint: Some(format!("call it `{capital}` where it is imported or exported, and write `<{capital}>`")),
            place: element.place,
        });
    }

    /// What a capital name in a tag, or one with members, stands for in this file, if it is declared or imported.
    fn component(&mut self, name: &str, env: &Env) -> Option<Value> {
        let mut parts = name.split('.');
        let base = parts.next().filter(|base| base.starts_with(char::is_uppercase) || base.len() < name.len())?;
        let value = self.lookup(base, env)?;
        parts.try_fold(value, |value, key| member(&value, key))
    }

    fn props(&mut self, props: Props, env: &Env, place: Place) -> Props {
        if !props.0.iter().any(|(name, value)| name == SPREAD || matches!(value, Value::Expr(_))) {
            return props;
        }
        let mut out = Props::default();
        for (name, value) in props.0 {
            let value = match value {
                Value::Expr(_) if is_handler(&name) => continue,
                Value::Expr(expr) => match self.eval(&expr, env, place) {
                    Some(Value::Live(_, data)) => *data,
                    Some(value) => value,
                    None => continue,
                },
                value => value,
            };
            match (name == SPREAD, value) {
                (true, Value::Object(fields)) => out.0.extend(fields),
                (true, _) => {}
                (false, value) => out.0.push((name, value)),
            }
        }
        out
    }

    /// `<Name …>`, where `Name` is in scope.
    fn call(&mut self, function: &Function, mut element: Element, env: &Env, out: &mut Vec<Node>) {
        match function {
            Function::Snippet(file) => {
                element.props = self.props(element.props, env, element.place);
                self.snippet(*file, element, env, out);
            }
            Function::Static(nodes) => self.unfold(placed(nodes.clone(), element.place), &element, env, out),
            Function::Named(_) | Function::Script(_) => {}
            Function::Builtin(name) => {
                element.name.clone_from(name);
                self.known(element, env, out);
            }
            Function::Exported(file, name) => self.script_component(*file, name, element, env, out),
        }
    }

    /// Expands what an element's name stands for, which may use that name again.
    fn unfold(&mut self, nodes: Vec<Node>, element: &Element, env: &Env, out: &mut Vec<Node>) {
        if self.may_unfold(element) {
            self.depth += 1;
            out.extend(self.nodes(nodes, env));
            self.depth -= 1;
        }
    }

    /// Whether there is room for what an element's name stands for.
    fn may_unfold(&mut self, element: &Element) -> bool {
        if self.depth >= SNIPPET_DEPTH {
            self.report("snippet-depth", Problem {
                code: "snippet-depth",
                message: format!("`<{}>` includes snippets more than {SNIPPET_DEPTH} deep", element.name),
                hint: Some("a snippet must not include itself".to_owned()),
                place: element.place,
            });
            return false;
        }
        if self.nodes > PAGE_NODES || self.bytes > EXPANDED_BYTES {
            self.over_budget(element.place);
            return false;
        }
        true
    }

    fn snippet(&mut self, file: FileId, element: Element, env: &Env, out: &mut Vec<Node>) {
        if !self.may_unfold(&element) {
            return;
        }
        let Some(document) = self.modules.document(file) else { return };
        let scope = self.scope_of(file, &document.module.imports, &document.module.declared);
        let mut props: FxHashMap<String, Value> = element.props.0.into_iter().collect();
        let children = self.nodes(element.children, env);
        if !children.is_empty() {
            props.insert("children".to_owned(), Value::Nodes(children));
        }
        let mut fills: Vec<(String, String)> =
            props.iter().filter_map(|(name, value)| Some((name.clone(), value.to_text()?))).collect();
        fills.sort();
        for problem in &document.problems {
            self.report(&format!("{:?}", problem.place), problem.clone());
        }
        let inner = Env { file, scope, props: Some(props), fills };
        self.depth += 1;
        let body = self.nodes(document.nodes.clone(), &inner);
        self.depth -= 1;
        match <[Node; 1]>::try_from(body) {
            // in a sentence, a snippet of one paragraph is its text
            Ok([Node::Block(block)]) if element.inline && block.kind == BlockKind::Paragraph => out.extend(block.children),
            Ok([node]) => out.push(node),
            Err(body) => out.extend(body),
        }
    }

    /// `<Snippet file="x.mdx" />`, the form before imports.
    fn legacy_snippet(&mut self, mut element: Element, env: &Env, out: &mut Vec<Node>) {
        let file = element.props.text("file").unwrap_or_default().into_owned();
        let below = file.trim_start_matches('/');
        // some write the whole path
        let target = ["/snippets/", "/_snippets/", "/"].iter().find_map(|folder| self.modules.resolve(env.file, &format!("{folder}{below}")));
        element.props.0.retain(|(name, _)| name != "file");
        match target {
            Some(target) => self.snippet(target, element, env, out),
            None => {
                let (message, hint) = match &*file {
                    "" => ("`<Snippet>` names no file".to_owned(), "say which: `<Snippet file=\"name.mdx\" />`, a file under `snippets/`"),
                    _ => (format!("the snippet `{file}` does not exist"), "put it under `snippets/` or correct the name"),
                };
                self.report(&file, Problem { code: "snippet-missing", message, hint: Some(hint.to_owned()), place: element.place });
                let children = self.nodes(element.children, env);
                out.extend(children);
            }
        }
    }

    /// What `{value}` shows.
    fn show(&mut self, value: Value, out: &mut Vec<Node>) {
        match value {
            Value::Nodes(nodes) => out.extend(nodes),
            Value::Array(items) => items.into_iter().for_each(|item| self.show(item, out)),
            Value::Live(_, data) => self.show(*data, out),
            value => {
                if let Some(text) = value.to_text() {
                    self.bytes += text.len();
                    out.push(Node::Text(text));
                }
            }
        }
    }

    // -- expressions

    /// What a name is, with those that the format defines.
    fn named(&mut self, name: &str, env: &Env) -> Option<Value> {
        self.lookup(name, env).or_else(|| match name {
            "props" => Some(Value::Object(env.props.iter().flatten().map(|(name, value)| (name.clone(), value.clone())).collect())),
            "user" => Some(Value::Object(Vec::new())), // nobody is logged in
            name => component::is_known(name).then(|| Value::Function(Arc::new(Function::Builtin(name.to_owned())))),
        })
    }

    /// The value of an expression; `None` if it needs an engine (reported) or names nothing.
    fn eval(&mut self, expr: &Expr, env: &Env, place: Place) -> Option<Value> {
        match expr {
            Expr::Literal(value) => Some(value.clone()),
            Expr::Name(name) => match self.named(name, env) {
                Some(Value::Function(function)) => match &*function {
                    Function::Exported(file, name) => self.exported_value(*file, name, place),
                    _ => Some(Value::Function(function)),
                },
                Some(value) => Some(value),
                None => {
                    if !self.told.contains(&(env.file, name.clone())) {
                        self.undefined(name, place);
                    }
                    None
                }
            },
            Expr::Member(object, key) => match data(self.eval(object, env, place)?) {
                Value::Array(items) if key == "length" => Some(Value::Number(items.len() as f64)),
                Value::Array(mut items) => key.parse::<usize>().ok().filter(|at| *at < items.len()).map(|at| items.swap_remove(at)),
                value => match member(&value, key) {
                    Some(member) => Some(member),
                    None if matches!(root(object), Some("user" | "props")) || matches!(value, Value::Nodes(_) | Value::Function(_)) => Some(Value::Undefined),
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
                    if text.len() > EXPANDED_BYTES {
                        return None;
                    }
                }
                Some(Value::String(text))
            }
            Expr::Array(items) => Some(Value::Array(items.iter().map(|item| self.eval(item, env, place).unwrap_or(Value::Undefined)).collect())),
            Expr::Object(fields) => {
                let fields = fields.iter().map(|(key, value)| (key.clone(), self.eval(value, env, place).unwrap_or(Value::Undefined)));
                Some(Value::Object(fields.collect()))
            }
            Expr::Jsx(nodes) => Some(Value::Nodes(self.nodes(placed(nodes.clone(), place), env))),
            Expr::Function(function) => Some(Value::Function(function.clone())),
            Expr::Script(source) => self.script_value(source, env, place),
        }
    }

    // -- problems

    fn undefined(&mut self, name: &str, place: Place) {
        if name != "React" {
            self.report(name, Problem {
                code: "undefined-name",
                message: format!("`{name}` is neither exported nor imported on this page; it shows nothing"),
                hint: Some("export it (`export const …`), import it, or write `\\{` for a plain brace".to_owned()),
                place,
            });
        }
    }

    /// Snippets are left out from here on; the page's own text stays.
    fn over_budget(&mut self, place: Place) {
        self.report("page-too-large", Problem {
            code: "page-too-large",
            message: "the page grows beyond its bounds when its snippets are expanded; further ones are left out".to_owned(),
            hint: Some("a snippet must not include itself, directly or through others".to_owned()),
            place,
        });
    }

    fn report(&mut self, key: &str, problem: Problem) {
        if self.reported.insert(format!("{} {key}", problem.code)) {
            self.problems.push(problem);
        }
    }
}

/// Whether other generators have another way to name this tab, or these.
fn is_to_be_named(element: &Element) -> bool {
    match element.name.as_str() {
        "TabItem" | "Tabs.Tab" => true,
        "Tab" => element.props.value("title").is_none(),
        "Tabs" => element.props.value("items").is_some(),
        _ => false,
    }
}

/// A tab as Docusaurus, Fumadocs and Nextra know it: `label` is its title, `value` stands in for it.
fn adopt_tab(element: &mut Element) {
    "Tab".clone_into(&mut element.name);
    let label = ["label", "value"].iter().find_map(|name| element.props.text(name).map(|label| label.into_owned()));
    if let Some(label) = label.filter(|_| element.props.value("title").is_none()) {
        element.props.set("title", Value::String(label));
    }
}

/// Tabs may be named, and one of them chosen, where they are put together: `values={[{value, label}]}` and `defaultValue` (Docusaurus), or
/// `items={["a", "b"]}` (Fumadocs, Nextra).
fn name_tabs(element: &mut Element) {
    let text = |value: &Value, name: &str| value.field(name).and_then(|field| field.to_text());
    let mut labels: Vec<(String, String)> = Vec::new();
    if let Some(Value::Array(values)) = element.props.value("values") {
        labels.extend(values.iter().filter_map(|value| Some((text(value, "value")?, text(value, "label")?))));
    }
    let items: Vec<Value> = match element.props.value("items") {
        Some(Value::Array(items)) => items.clone(),
        _ => Vec::new(),
    };
    let chosen = element.props.text("defaultValue").map(|value| value.into_owned());
    let mut default = None;
    let tabs = element.children.iter_mut().filter_map(|child| match child {
        Node::Element(tab) if tab.name == "Tab" => Some(tab),
        _ => None,
    });
    for (at, tab) in tabs.enumerate() {
        if let Some(Value::String(item)) = items.get(at).filter(|_| tab.props.value("title").is_none()) {
            tab.props.set("title", Value::String(item.clone()));
        }
        let Some(value) = tab.props.text("value").map(|value| value.into_owned()) else { continue };
        if chosen.as_ref() == Some(&value) || tab.props.flag("default") {
            default = Some(at);
        }
        if let Some((_, label)) = labels.iter().find(|(known, _)| *known == value).filter(|_| tab.props.value("label").is_none()) {
            tab.props.set("title", Value::String(label.clone()));
        }
    }
    if let Some(at) = default.filter(|_| element.props.value("defaultTabIndex").is_none()) {
        element.props.set("defaultTabIndex", Value::Number(at as f64));
    }
}

/// An element whose props and children are expanded.
fn plain(mut element: Element, out: &mut Vec<Node>) {
    set_inner_html(&mut element);
    if element.name == "MDX" && !element.children.is_empty() && element.children.iter().all(|child| matches!(child, Node::Text(_))) {
        // Markdown inside an expression, which reads as text
        let text = Node::text_of(&element.children);
        element.children = markup::parse_mdx(&text, element.place.file, element.place.line).nodes;
    }
    if matches!(element.name.as_str(), "" | "Fragment" | "React.Fragment") {
        out.extend(element.children);
        return;
    }
    if element.children.is_empty()
        && let Some(Value::Nodes(children)) = element.props.value("children")
    {
        element.children = children.clone();
    }
    if reads_its_children(&element.name) && element.children.iter().any(|child| matches!(child, Node::Island(_))) {
        // a component of ours that arranges its children cannot arrange an island: its first state stays
        let children = std::mem::take(&mut element.children);
        element.children = children.into_iter().flat_map(|child| if let Node::Island(island) = child { island.children } else { vec![child] }).collect();
    }
    out.push(Node::Element(Box::new(element)));
}

/// `dangerouslySetInnerHTML={{__html: "…"}}`: the element holds what a browser would make of the string.
fn set_inner_html(element: &mut Element) {
    const PROP: &str = "dangerouslySetInnerHTML";
    let Some(value) = element.props.value(PROP).filter(|_| !element.name.starts_with(char::is_uppercase)) else { return };
    if let Some(markup) = value.field("__html").and_then(Value::to_text) {
        element.children = if html::is_verbatim(&element.name) { html::verbatim(&element.name, &markup) } else { html::fragment(&markup, &element.name, element.place) };
    }
    element.props.0.retain(|(name, _)| name != PROP);
}

fn reads_its_children(name: &str) -> bool {
    matches!(name, "Tabs" | "CodeGroup" | "SnippetGroup" | "Steps" | "Tree" | "FileTree" | "Tree.Folder" | "RequestExample" | "ResponseExample" | "Color" | "Color.Row" | "table" | "ul" | "ol" | "dl" | "select")
}

/// Whether a file can export something.
fn is_module(path: &str) -> bool {
    has_extension(path, &["mdx", "md", "jsx", "tsx", "js", "ts", "mjs", "mts", "cjs", "cts"])
}

/// Whether a file is shown rather than read.
fn is_media(path: &str) -> bool {
    has_extension(path, &["png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp", "mp4", "webm", "mov", "mp3", "wav", "ogg", "pdf"])
}

/// A member of a value. Components have some: `Tree.Folder`.
fn member(value: &Value, key: &str) -> Option<Value> {
    let Value::Function(function) = value else { return value.field(key).cloned() };
    let function = match &**function {
        Function::Exported(file, path) if path == "*" => Function::Exported(*file, key.to_owned()),
        Function::Exported(file, path) => Function::Exported(*file, format!("{path}.{key}")),
        Function::Builtin(name) => Some(format!("{name}.{key}")).filter(|name| component::is_known(name)).map(Function::Builtin)?,
        _ => return None,
    };
    Some(Value::Function(Arc::new(function)))
}

/// The name that a chain of members starts with.
fn root(mut expr: &Expr) -> Option<&str> {
    while let Expr::Member(object, _) = expr {
        expr = object;
    }
    if let Expr::Name(name) = expr { Some(name) } else { None }
}

/// Whether a `CodeBlock` holds nothing but expressions: its code is what they give. What is no JavaScript is the code itself.
fn is_computed_code(element: &Element) -> bool {
    let is_fine = |child: &Node| match child {
        Node::Expr(inner) => !matches!(&inner.0, Expr::Script(source) if compile::expression(source, component::is_known).is_err()),
        Node::Text(text) => text.trim().is_empty(),
        child => matches!(child, Node::Break { .. }),
    };
    element.name == "CodeBlock" && element.children.iter().any(|child| matches!(child, Node::Expr(_))) && element.children.iter().all(is_fine)
}

/// What of a value is data.
fn data(value: Value) -> Value {
    if let Value::Live(_, data) = value { *data } else { value }
}

/// `onClick` and its like.
fn is_handler(name: &str) -> bool {
    name.len() > 2 && name.starts_with("on") && name.as_bytes()[2].is_ascii_uppercase()
}

fn is_phrasing(kind: &BlockKind) -> bool {
    matches!(kind, BlockKind::Emphasis | BlockKind::Strong | BlockKind::Strike | BlockKind::Link { .. } | BlockKind::Image { .. })
}

/// Elements of expressions know no place of their own: they get the expression's.
fn placed(mut nodes: Vec<Node>, place: Place) -> Vec<Node> {
    for node in &mut nodes {
        if let Node::Element(element) = node {
            element.place = place;
            element.children = placed(std::mem::take(&mut element.children), place);
        }
    }
    nodes
}

/// Replaces `{name}` in code by a snippet's props.
fn fill(code: &mut String, fills: &[(String, String)]) {
    if fills.is_empty() || !code.contains('{') {
        return;
    }
    let mut out = String::with_capacity(code.len());
    let mut rest = code.as_str();
    while let Some(start) = rest.find('{') {
        out.push_str(&rest[..start]);
        let inside = rest[start + 1..].find('}').map(|length| &rest[start + 1..start + 1 + length]);
        let value = inside.and_then(|inside| fills.iter().find(|(name, _)| name == inside.trim()).map(|(_, value)| (value, inside.len())));
        match value {
            Some((value, length)) => {
                out.push_str(value);
                rest = &rest[start + length + 2..];
            }
            None => {
                out.push('{');
                rest = &rest[start + 1..];
            }
        }
    }
    out.push_str(rest);
    *code = out;
}
