//! Elements: components of the author and of the library, HTML's, and snippets with their props.

use rustc_hash::FxHashMap;

use crate::component::{self, IslandChildren, is_known_component};
use crate::expr::{Function, PageExpr};
use crate::html;
use crate::js::compile;
use crate::tag::SPREAD;
use crate::tree::{BlockKind, Flaw, JsxElement, Node, PropValue, Props};
use base::html::{is_html_tag, is_verbatim};
use base::limits::SNIPPET_DEPTH;
use base::{FileId, Place, Problem};

use super::evaluate::{member, place_nodes};
use super::fill::fill_snippet_props;
use super::scope::is_media;
use super::tabs::{adopt_tab, name_tabs};
use super::{Env, Expander};

impl Expander<'_> {
    pub(super) fn element(&mut self, element: JsxElement, env: &Env, out: &mut Vec<Node>) {
        match self.component(&element.name, env) {
            Some(PropValue::Function(function)) => return self.call(&function, element, env, out),
            Some(PropValue::Nodes(nodes)) => return self.unfold(nodes, &element, env, out),
            // `import Logo from './logo.svg'`, as some bundlers read it
            Some(PropValue::String(path)) if is_media(&path) => {
                let mut picture = element;
                "img".clone_into(&mut picture.name);
                picture.props.set("src", PropValue::String(path));
                return self.known(picture, env, out);
            }
            Some(PropValue::Array(_) | PropValue::String(_)) => return,
            _ => {}
        }
        self.known(element, env, out);
    }

    /// An element whose name the file does not declare: HTML's, the library's, or an unknown one.
    fn known(&mut self, mut element: JsxElement, env: &Env, out: &mut Vec<Node>) {
        if let Some(handler) = handler(&element) {
            if may_live(&element.name) {
                return self.live_element(element, env, out);
            }
            self.handler_lost(handler, &element);
        }
        element.props = self.props(element.props, env, element.place);
        let base = element.name.split('.').next().unwrap_or_default();
        if self.missing.contains(&(env.file, base.to_owned())) {
            element.flaw = Flaw::NotImported;
        }
        self.check_spelling(&element, env);
        if LOSES_CHILDREN.contains(&element.name.as_str()) && is_component(&element.name, env) {
            // its author means no element of HTML
            let children = self.nodes(element.children, env);
            out.extend(children);
            return;
        }
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
                fill_snippet_props(&mut code, &env.fills);
                *raw = code.into();
            }
            _ => {}
        }
        if element.name == "Tabs" {
            name_tabs(&mut element);
        }
        self.check_islands(&element);
        push_plain_element(element, out);
    }

    /// An element of the page itself with a handler or state: it becomes an island like a component that is this
    /// element alone.
    fn live_element(&mut self, element: JsxElement, env: &Env, out: &mut Vec<Node>) {
        let name = format!("<{}", element.name);
        self.script_component(env.file, &name, element, env, out);
    }

    /// Expands an element of HTML where no script runs: its handlers are left out.
    pub(super) fn still_element(&mut self, mut element: JsxElement, env: &Env, out: &mut Vec<Node>) {
        element.props.0.retain(|(name, _)| !is_handler(name));
        self.known(element, env, out);
    }

    fn handler_lost(&mut self, handler: &str, element: &JsxElement) {
        let name = &element.name;
        self.report(
            &format!("{name} {handler}"),
            Problem::new(
                "handler-lost",
                format!("`{handler}` of `<{name}>` has no effect in the bundle"),
                element.place,
            )
            .hint("put it on an HTML element, such as `<button>` or `<div>`, around or inside the component"),
        );
    }

    /// A component of ours that arranges its children cannot arrange an island.
    fn check_islands(&mut self, element: &JsxElement) {
        if reads_its_children(&element.name) && element.children.iter().any(|child| matches!(child, Node::Island(_))) {
            self.report(
                &format!("{} children", element.name),
                Problem::new(
                    "component-frozen",
                    format!(
                        "a component with state is directly inside `<{}>`; the bundle shows its first state only",
                        element.name
                    ),
                    element.place,
                )
                .hint(format!("put `<{}>` inside the component, or the component inside an item of it", element.name)),
            );
        }
    }

    /// A component whose name begins with a small letter is a tag of HTML to everybody else.
    fn check_spelling(&mut self, element: &JsxElement, env: &Env) {
        let name = element.name.as_str();
        if !name.starts_with(char::is_lowercase)
            || is_html_tag(name) && !LOSES_CHILDREN.contains(&name)
            || !is_component(name, env)
        {
            return;
        }
        let capital: String = name.chars().take(1).flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect();
        self.report(
            name,
            Problem::new(
                "component-case",
                format!("`<{name}>` shows nothing: the name of a component has to begin with a capital letter"),
                element.place,
            )
            .hint(format!("rename it to `{capital}` where it is imported or exported, and write `<{capital}>`")),
        );
    }

    /// What a capital name in a tag, or one with members, stands for in this file, if it is declared or imported.
    pub(super) fn component(&mut self, name: &str, env: &Env) -> Option<PropValue> {
        let mut parts = name.split('.');
        let base = parts.next().filter(|base| base.starts_with(char::is_uppercase) || base.len() < name.len())?;
        let value = self.lookup(base, env)?;
        parts.try_fold(value, |value, key| member(&value, key))
    }

    pub(super) fn props(&mut self, props: Props, env: &Env, place: Place) -> Props {
        if !props.0.iter().any(|(name, value)| name == SPREAD || matches!(value, PropValue::Expr(_))) {
            return props;
        }
        let mut out = Props::default();
        for (name, value) in props.0 {
            let value = match value {
                PropValue::Expr(_) if is_handler(&name) => continue,
                PropValue::Expr(expr) => match self.eval(&expr, env, place) {
                    Some(PropValue::Live(_, data)) => *data,
                    Some(value) => value,
                    None => continue,
                },
                value => value,
            };
            match (name == SPREAD, value) {
                (true, PropValue::Object(fields)) => out.0.extend(fields),
                (true, _) => {}
                (false, value) => out.0.push((name, value)),
            }
        }
        out
    }

    /// `<Name …>`, where `Name` is in scope.
    fn call(&mut self, function: &Function, mut element: JsxElement, env: &Env, out: &mut Vec<Node>) {
        match function {
            Function::Snippet(file) => {
                element.props = self.props(element.props, env, element.place);
                self.snippet(*file, element, env, out);
            }
            Function::Static(nodes, _) => self.unfold(place_nodes(nodes.clone(), element.place), &element, env, out),
            Function::Named(_) | Function::Script(_) => {}
            Function::Builtin(name) => {
                element.name.clone_from(name);
                self.known(element, env, out);
            }
            Function::Exported(file, name) => self.script_component(*file, name, element, env, out),
        }
    }

    /// Expands what an element's name stands for, which may use that name again.
    pub(super) fn unfold(&mut self, nodes: Vec<Node>, element: &JsxElement, env: &Env, out: &mut Vec<Node>) {
        if self.may_unfold(element) {
            self.depth += 1;
            out.extend(self.nodes(nodes, env));
            self.depth -= 1;
        }
    }

    /// Whether there is room for what an element's name stands for.
    pub(super) fn may_unfold(&mut self, element: &JsxElement) -> bool {
        if self.depth >= SNIPPET_DEPTH {
            self.report(
                "snippet-depth",
                Problem::new(
                    "snippet-depth",
                    format!("`<{}>` includes snippets more than {SNIPPET_DEPTH} deep", element.name),
                    element.place,
                )
                .hint("a snippet must not include itself"),
            );
            return false;
        }
        if self.nodes > self.most_nodes || self.bytes > self.most_bytes {
            self.over_budget(element.place);
            return false;
        }
        true
    }

    pub(super) fn snippet(&mut self, file: FileId, element: JsxElement, env: &Env, out: &mut Vec<Node>) {
        if !self.may_unfold(&element) {
            return;
        }
        let Some(document) = self.modules.document(file) else { return };
        let scope = self.scope_of(file, &document.module.imports, &document.module.declared);
        let mut props: FxHashMap<String, PropValue> = element.props.0.into_iter().collect();
        let children = self.nodes(element.children, env);
        if !children.is_empty() {
            props.insert("children".to_owned(), PropValue::Nodes(children));
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
            Ok([Node::Block(block)]) if element.inline && block.kind == BlockKind::Paragraph => {
                out.extend(block.children)
            }
            Ok([node]) => out.push(node),
            Err(body) => out.extend(body),
        }
    }

    /// `<Snippet file="x.mdx" />`, the form before imports.
    fn legacy_snippet(&mut self, mut element: JsxElement, env: &Env, out: &mut Vec<Node>) {
        let file = element.props.text("file").unwrap_or_default().into_owned();
        let below = file.trim_start_matches('/');
        // some write the whole path
        let target = ["/snippets/", "/_snippets/", "/"]
            .iter()
            .find_map(|folder| self.modules.resolve(env.file, &format!("{folder}{below}")));
        element.props.0.retain(|(name, _)| name != "file");
        match target {
            Some(target) => self.snippet(target, element, env, out),
            None => {
                let (message, hint) = match &*file {
                    "" => (
                        "`<Snippet>` has no `file`".to_owned(),
                        "say which: `<Snippet file=\"name.mdx\" />`, a file under `snippets/`",
                    ),
                    _ => (format!("the snippet `{file}` does not exist"), "add it to `snippets/`, or correct the name"),
                };
                self.report(&file, Problem::new("snippet-missing", message, element.place).hint(hint));
                let children = self.nodes(element.children, env);
                out.extend(children);
            }
        }
    }
}

/// Elements of HTML of whose children nothing is shown, or not all.
const LOSES_CHILDREN: [&str; 15] = [
    "area", "base", "col", "colgroup", "link", "meta", "param", "script", "select", "source", "style", "template",
    "textarea", "title", "track",
];

/// Whether a name stands for a component in a file.
fn is_component(name: &str, env: &Env) -> bool {
    matches!(env.scope.get(name), Some(PropValue::Function(_)))
}

/// An element whose props and children are expanded.
pub(super) fn push_plain_element(mut element: JsxElement, out: &mut Vec<Node>) {
    set_inner_html(&mut element);
    if element.name == "MDX"
        && !element.children.is_empty()
        && element.children.iter().all(|child| matches!(child, Node::Text(_)))
    {
        // Markdown inside an expression, which reads as text
        let text = Node::text_of(&element.children);
        element.children = crate::parse_mdx(&text, element.place.file, element.place.line).nodes;
    }
    // what names a slot is looked for by components of other tools
    if component::is_fragment(&element.name) && element.props.value("slot").is_none() {
        out.extend(element.children);
        return;
    }
    if element.children.is_empty()
        && let Some(PropValue::Nodes(children)) = element.props.value("children")
    {
        element.children = children.clone();
    }
    if reads_its_children(&element.name) && element.children.iter().any(|child| matches!(child, Node::Island(_))) {
        // a component of ours that arranges its children cannot arrange an island: its first state stays
        let mut children = Vec::with_capacity(element.children.len());
        std::mem::take(&mut element.children).into_iter().for_each(|child| still(child, &mut children));
        element.children = children;
    }
    out.push(Node::Element(Box::new(element)));
}

/// `dangerouslySetInnerHTML={{__html: "…"}}`: the element holds what a browser would make of the string.
fn set_inner_html(element: &mut JsxElement) {
    const PROP: &str = "dangerouslySetInnerHTML";
    let Some(value) = element.props.value(PROP).filter(|_| !element.name.starts_with(char::is_uppercase)) else {
        return;
    };
    if let Some(markup) = value.field("__html").and_then(PropValue::to_text) {
        element.children = if is_verbatim(&element.name) {
            html::verbatim(&element.name, &markup)
        } else {
            html::fragment(&markup, &element.name, element.place)
        };
    }
    element.props.0.retain(|(name, _)| name != PROP);
}

/// The first state of a node, without what would make it an island.
fn still(node: Node, out: &mut Vec<Node>) {
    match node {
        Node::Island(island) => island.children.into_iter().for_each(|child| still(child, out)),
        Node::Part(part) => part.children.into_iter().for_each(|child| still(child, out)),
        node => out.push(node),
    }
}

/// Whether an element arranges its children by what they are.
fn reads_its_children(name: &str) -> bool {
    matches!(name, "table" | "dl" | "select") || component::children_of(name) == IslandChildren::Read
}

/// Whether a `CodeBlock` holds nothing but expressions: its code is what they give. What is no JavaScript is the code
/// itself.
pub(super) fn is_computed_code(element: &JsxElement) -> bool {
    let is_fine = |child: &Node| match child {
        Node::Expr(inner) => match &inner.0 {
            PageExpr::Script(source) => compile::compile_page_expression(source, is_known_component).is_ok(),
            _ => true,
        },
        Node::Text(text) => text.trim().is_empty(),
        child => matches!(child, Node::Break { .. }),
    };
    element.name == "CodeBlock"
        && element.children.iter().any(|child| matches!(child, Node::Expr(_)))
        && element.children.iter().all(is_fine)
}

/// The first handler of an element that readers would miss: pictures of the bundle load anyway.
pub(super) fn handler(element: &JsxElement) -> Option<&'static str> {
    const HANDLERS: [&str; 30] = [
        "onClick",
        "onDoubleClick",
        "onContextMenu",
        "onChange",
        "onInput",
        "onSubmit",
        "onReset",
        "onInvalid",
        "onKeyDown",
        "onKeyUp",
        "onKeyPress",
        "onMouseDown",
        "onMouseUp",
        "onMouseMove",
        "onMouseEnter",
        "onMouseLeave",
        "onMouseOver",
        "onMouseOut",
        "onPointerDown",
        "onPointerUp",
        "onPointerMove",
        "onPointerEnter",
        "onPointerLeave",
        "onTouchStart",
        "onTouchEnd",
        "onFocus",
        "onBlur",
        "onToggle",
        "onWheel",
        "onDrop",
    ];
    let acts = |name: &str, value: &PropValue| {
        HANDLERS.iter().copied().find(|handler| *handler == name && matches!(value, PropValue::Expr(_)))
    };
    element.props.0.iter().find_map(|(name, value)| acts(name, value))
}

/// Elements that may stand in a box of their own, wherever they are. Parts of lists and tables cannot, and headings
/// would lose their anchors.
pub(super) fn may_live(name: &str) -> bool {
    const NAMES: [&str; 38] = [
        "a", "abbr", "article", "aside", "audio", "b", "button", "code", "details", "div", "em", "figure", "footer",
        "form", "header", "i", "img", "input", "kbd", "label", "main", "mark", "nav", "ol", "p", "section", "select",
        "small", "span", "strong", "sub", "sup", "svg", "table", "textarea", "u", "ul", "video",
    ];
    NAMES.contains(&name)
}

/// `onClick` and its like.
fn is_handler(name: &str) -> bool {
    name.len() > 2 && name.starts_with("on") && name.as_bytes()[2].is_ascii_uppercase()
}
