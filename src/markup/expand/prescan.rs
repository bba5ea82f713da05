//! The prescan of interactive components: what components of the library look like that a later state may show, and
//! what will not work in the browser.

use crate::component::{self, IslandChildren, find_component};
use crate::js::live::{LiteralProp, LiveElement, LiveModule};
use crate::tree::{IslandPart, IslandPartKind, JsxElement, Node, PropValue, Props, number_text};
use base::{FileId, Place, Problem};

use super::Expander;
use super::element::push_plain_element;
use super::wire::push_json_string;

/// The code of the diagnostic for a component that sends requests to another server.
pub const COMPONENT_REQUEST: &str = "component-request";

impl Expander<'_> {
    /// The looks of components of ours that the modules of islands name: what `templates/vendor/entry/islands.js` calls
    /// their key, and the nodes. What will not work there is reported.
    pub(super) fn looks(&mut self) -> Vec<(String, Vec<Node>)> {
        let files: Vec<FileId> =
            self.scripts.given.iter().skip(self.scripts.prescanned).map(|module| module.file).collect();
        self.scripts.prescanned = self.scripts.given.len();
        let mut looks = Vec::new();
        for file in files {
            let Some(compiled) = self.compiled(file) else { continue };
            let Ok(module) = &*compiled else { continue };
            self.warn_of(file, &module.live, &module.builtins);
            for look in
                module.live.looks.iter().filter(|look| module.builtins.contains(&look.name) && may_be_prescanned(look))
            {
                let place = Place { file, line: look.line + self.lines_before(file), column: 1 };
                looks.push((element_key(look), vec![node(look, place)]));
            }
        }
        looks
    }

    fn warn_of(&mut self, file: FileId, live: &LiveModule, ours: &[String]) {
        if live.requests.is_empty() && live.frozen.is_empty() {
            return;
        }
        let before = self.lines_before(file);
        let place = |line: u32| Place { file, line: line + before, column: 1 };
        for (name, line) in &live.requests {
            self.report(
                &format!("{name} {} {line}", file.0),
                Problem::new(
                    COMPONENT_REQUEST,
                    format!(
                        "a component calls `{name}`, which requests another server; in an air-gapped bundle this fails"
                    ),
                    place(*line),
                )
                .hint("import the data from a file, or handle the failure of the request"),
            );
        }
        for (name, prop, line) in live.frozen.iter().filter(|(name, ..)| ours.contains(name)) {
            let message = format!(
                "`{prop}` of `<{name}>` depends on the state of a component; the bundle shows its first value only"
            );
            let hint = match prop.as_str() {
                "children" => {
                    "use HTML elements, or a component that shows all of its content, such as `<Card>`".to_owned()
                }
                _ => {
                    format!("choose between literal values (`{prop}={{on ? \"a\" : \"b\"}}`), or use an HTML element")
                }
            };
            let problem = Problem::new("component-frozen", message, place(*line)).hint(hint);
            self.report(&format!("{} {name} {prop}", file.0), problem);
        }
    }
}

/// Whether an element can be drawn before it is needed: it says the same wherever it stands, and holds text alone or
/// what its script draws.
fn may_be_prescanned(look: &LiveElement) -> bool {
    let Some(component) = find_component(&look.name) else { return false };
    component.is_prescanned && (component.children == IslandChildren::Open || look.text.is_some() || !look.has_children)
}

/// Whether a script goes on rendering the children of a component.
fn is_open(name: &str) -> bool {
    component::children_of(name) == IslandChildren::Open
}

/// What `keyOf` makes of the element in the browser.
fn element_key(look: &LiveElement) -> String {
    let text = look.text.as_ref().filter(|_| !is_open(&look.name)).map(|text| LiteralProp::Text(text.clone()));
    let children = text.map(|text| ("children".to_owned(), text));
    let mut props: Vec<_> =
        look.props.iter().map(|(name, value)| (name.clone(), value.clone())).chain(children).collect();
    props.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut out = format!("{}{{", look.name);
    for (at, (name, value)) in props.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str(name);
        out.push(':');
        match value {
            LiteralProp::Bool(on) => out.push_str(if *on { "true" } else { "false" }),
            LiteralProp::Number(number) => out.push_str(&number_text(*number)),
            LiteralProp::Text(text) => push_json_string(text, &mut out),
        }
    }
    out.push('}');
    out
}

fn node(look: &LiveElement, place: Place) -> Node {
    let value = |value: &LiteralProp| match value {
        LiteralProp::Bool(on) => PropValue::Bool(*on),
        LiteralProp::Number(number) => PropValue::Number(*number),
        LiteralProp::Text(text) => PropValue::String(text.clone()),
    };
    let props = Props(look.props.iter().map(|(name, literal)| (name.clone(), value(literal))).collect());
    let children = match &look.text {
        _ if is_open(&look.name) && look.has_children => {
            vec![Node::Part(Box::new(IslandPart { kind: IslandPartKind::Children, children: Vec::new() }))]
        }
        Some(text) => vec![Node::Text(text.clone())],
        None => Vec::new(),
    };
    let mut out = Vec::new();
    push_plain_element(
        JsxElement { name: look.name.clone(), props, children, place, ..JsxElement::default() },
        &mut out,
    );
    out.pop().unwrap_or(Node::Break { hard: false })
}
