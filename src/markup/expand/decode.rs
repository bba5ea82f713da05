//! The sandbox's JSON back to trees and values.

use serde_json::Value as Json;

use crate::component::{self, IslandChildren};
use crate::js::json::{self, parse_script_json};
use crate::tree::{Flaw, Island, IslandPart, IslandPartKind, JsxElement, Node, PropValue, Props};
use base::Place;

use super::element::push_plain_element;
use super::island::IslandDraft;
use super::script::SandboxCall;
use super::{Env, Expander};

/// What a script returned.
struct ScriptOutput {
    out: Json,
    /// Whether the output holds state or handlers.
    alive: bool,
    /// Whether the script read the clock.
    timed: bool,
    /// Components in it that threw, with the reason.
    failed: Vec<(String, String)>,
    /// Components in it that used an API of the browser, with the API.
    asks: Vec<(String, String)>,
    /// The number under which the sandbox keeps the value, because it holds functions.
    live_number: Option<u32>,
}

impl ScriptOutput {
    fn read(text: &str) -> Result<Self, String> {
        let Json::Object(mut fields) = parse_script_json(text).map_err(|error| error.to_string())? else {
            return Err(json::Unread::Broken.to_string());
        };
        let (failed, asks) = (decode_pairs(fields.get("failed")), decode_pairs(fields.get("asks")));
        let live_number = fields.get("kept").and_then(Json::as_u64).and_then(|number| u32::try_from(number).ok());
        let is = |name| fields.get(name).and_then(Json::as_bool).unwrap_or_default();
        let (alive, timed) = (is("alive"), is("timed"));
        Ok(Self {
            out: fields.get_mut("out").map(Json::take).unwrap_or_default(),
            alive,
            timed,
            failed,
            asks,
            live_number,
        })
    }
}

fn decode_pairs(list: Option<&Json>) -> Vec<(String, String)> {
    let list = list.and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .filter_map(|pair| Some((pair.get(0)?.as_str()?.to_owned(), pair.get(1)?.as_str()?.to_owned())))
        .collect()
}

impl Expander<'_> {
    /// The nodes that a component rendered. `used` is the element that called it.
    pub(super) fn decode_nodes(
        &mut self,
        text: &str,
        call: &SandboxCall,
        used: &JsxElement,
        env: &Env,
    ) -> Result<Vec<Node>, String> {
        let output = ScriptOutput::read(text)?;
        for (name, reason) in &output.failed {
            let name = if name.is_empty() { format!("<{}>", used.name) } else { format!("<{name}>") };
            self.script_failed(&name, reason, used.place);
        }
        for (name, api) in &output.asks {
            self.asks_browser(if name.is_empty() { &used.name } else { name }, api, used.place);
        }
        if output.timed && !output.alive {
            self.asks_time(&format!("<{}>", used.name), used.place);
        }
        let Json::Array(list) = output.out else { return Err("it did not return an element".to_owned()) };
        let island = output.alive.then(|| IslandDraft::of(call, self.modules.number(call.file)));
        let mut reader = TreeReader {
            expander: self,
            place: used.place,
            inline: used.inline,
            env: Some(env),
            island,
            within: IslandDrawer::Script,
        };
        let mut nodes = reader.nodes(list);
        if reader.island.is_some() {
            let mut spare = reader.spare();
            let call = reader.island.take().map(|draft| draft.call).unwrap_or_default();
            spare.extend(self.looks());
            nodes = vec![Node::Island(Box::new(Island { children: nodes, call, spare }))];
            self.scripts.has_islands = true;
        }
        if self.nodes > self.most_nodes {
            return Err("it makes too many elements".to_owned());
        }
        Ok(nodes)
    }

    /// The value of an expression or of a module's name, which messages call `what`.
    pub(super) fn decode_value(&mut self, text: &str, what: &str, place: Place) -> Result<PropValue, String> {
        let output = ScriptOutput::read(text)?;
        for (name, reason) in &output.failed {
            self.script_failed(&format!("<{name}>"), reason, place);
        }
        for (name, api) in &output.asks {
            self.asks_browser(name, api, place);
        }
        if output.timed && output.live_number.is_none() {
            self.asks_time(what, place);
        }
        let value =
            TreeReader { expander: self, place, inline: false, env: None, island: None, within: IslandDrawer::Script }
                .value(output.out);
        Ok(match output.live_number {
            Some(number) => PropValue::Live(number, Box::new(value)),
            None => value,
        })
    }
}

struct TreeReader<'e, 'a> {
    expander: &'e mut Expander<'a>,
    place: Place,
    inline: bool,
    /// Where snippets that a component uses are expanded.
    env: Option<&'e Env>,
    /// The island that is being read.
    island: Option<IslandDraft>,
    /// Who draws what is being read.
    within: IslandDrawer,
}

/// Who draws a part of an island.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IslandDrawer {
    /// The script of an island draws it.
    Script,
    /// We, as a child that was written between its tags.
    Child,
    /// We, as a component of ours that its script uses.
    Component,
}

impl TreeReader<'_, '_> {
    fn nodes(&mut self, list: Vec<Json>) -> Vec<Node> {
        let mut out = Vec::with_capacity(list.len());
        for node in list {
            self.node(node, &mut out);
        }
        out
    }

    /// Takes the nodes that the first state of the island does not show.
    fn spare(&mut self) -> Vec<(String, Vec<Node>)> {
        let Some(draft) = &mut self.island else { return Vec::new() };
        let spare: Vec<(u32, Json)> =
            std::mem::take(&mut draft.spare).into_iter().filter(|(number, _)| !draft.shown.contains(number)).collect();
        self.within = IslandDrawer::Child;
        spare.into_iter().map(|(number, node)| (number.to_string(), self.nodes(vec![node]))).collect()
    }

    fn node(&mut self, node: Json, out: &mut Vec<Node>) {
        self.expander.nodes += 1;
        let parts = match node {
            Json::String(text) => {
                self.expander.bytes += text.len();
                out.push(Node::Text(text));
                return;
            }
            Json::Array(parts) => parts,
            _ => return,
        };
        let Ok([Json::String(name), props, Json::Array(kids), held]) = <[Json; 4]>::try_from(parts) else { return };
        if name == "$live" {
            return self.live(kids, held.as_u64().map(|number| number as u32), out);
        }
        let shell = held.as_u64().and_then(|held| self.expander.scripts.held.get(held as usize).cloned());
        let props = match self.value(props) {
            PropValue::Object(fields) => Props(fields),
            _ => Props::default(),
        };
        let number = held.as_u64().map(|held| held as u32);
        match self.part(&name, number, shell.is_some()) {
            Some(kind) => {
                let outer = self.within;
                let is_open = kind == IslandPartKind::Component
                    && component::children_of(&name) == IslandChildren::Open
                    && !kids.is_empty();
                self.within = match kind {
                    _ if is_open => IslandDrawer::Script,
                    IslandPartKind::Child(_) => IslandDrawer::Child,
                    _ => IslandDrawer::Component,
                };
                let mut children = self.nodes(kids);
                if is_open {
                    children = vec![Node::Part(Box::new(IslandPart { kind: IslandPartKind::Children, children }))];
                }
                self.within = outer;
                let mut inside = Vec::new();
                self.element(name, props, children, shell, &mut inside);
                out.push(Node::Part(Box::new(IslandPart { kind, children: inside })));
            }
            None => {
                let children = self.nodes(kids);
                self.element(name, props, children, shell, out);
            }
        }
    }

    /// What a script drew. Inside a child it has a place of its own, where the script goes on drawing.
    fn live(&mut self, kids: Vec<Json>, number: Option<u32>, out: &mut Vec<Node>) {
        let first = self.island.as_ref().filter(|_| self.within == IslandDrawer::Child).map(|draft| draft.first);
        let Some(number) = first.and_then(|first| number?.checked_sub(first)) else {
            out.extend(self.nodes(kids));
            return;
        };
        self.within = IslandDrawer::Script;
        let children = self.nodes(kids);
        self.within = IslandDrawer::Child;
        out.push(Node::Part(Box::new(IslandPart { kind: IslandPartKind::Live(number), children })));
    }

    /// Whether a node is a part of the island that its script leaves to us.
    fn part(&mut self, name: &str, held: Option<u32>, has_shell: bool) -> Option<IslandPartKind> {
        let draft = self.island.as_mut().filter(|_| self.within == IslandDrawer::Script)?;
        match held.filter(|_| has_shell).and_then(|held| held.checked_sub(draft.first)) {
            Some(number) if draft.is_whole(number) => {
                draft.shown.insert(number);
                Some(IslandPartKind::Child(number))
            }
            _ => name.starts_with(|c: char| c.is_uppercase() || c == '$').then_some(IslandPartKind::Component),
        }
    }

    fn element(&mut self, name: String, props: Props, children: Vec<Node>, shell: Option<Node>, out: &mut Vec<Node>) {
        let element = match shell {
            Some(Node::Block(mut block)) => {
                block.children = children;
                out.push(Node::Block(block));
                return;
            }
            Some(Node::Fence(mut fence)) => {
                let code = Node::text_of(&children);
                if !code.is_empty() {
                    fence.code = code; // a script may fill in values
                }
                out.push(Node::Fence(fence));
                return;
            }
            Some(Node::Code(_)) => {
                out.push(Node::Code(Node::text_of(&children)));
                return;
            }
            Some(Node::Element(shell)) => JsxElement { props, children, ..*shell },
            Some(node) => {
                out.push(node);
                return;
            }
            None => JsxElement {
                name,
                props,
                children,
                place: self.place,
                inline: self.inline,
                raw: None,
                flaw: Flaw::None,
            },
        };
        let snippet = element
            .name
            .strip_prefix("$snippet:")
            .and_then(|number| self.expander.modules.numbered(number.parse().ok()?));
        match (snippet, self.env) {
            (Some(file), Some(env)) => self.expander.snippet(file, element, env, out),
            (Some(_), None) => out.extend(element.children),
            (None, _) => push_plain_element(element, out),
        }
    }

    fn value(&mut self, json: Json) -> PropValue {
        match json {
            Json::Null => PropValue::Null,
            Json::Bool(on) => PropValue::Bool(on),
            Json::Number(number) => number.as_f64().map_or(PropValue::Undefined, PropValue::Number),
            Json::String(text) => PropValue::String(text),
            Json::Object(_) => PropValue::Undefined,
            Json::Array(mut parts) => {
                let tag = if parts.is_empty() { Json::Null } else { parts.remove(0) };
                match tag.as_str() {
                    Some("a") => PropValue::Array(parts.into_iter().map(|part| self.value(part)).collect()),
                    Some("o") => {
                        let mut fields = Vec::with_capacity(parts.len() / 2);
                        let mut parts = parts.into_iter();
                        while let (Some(Json::String(name)), Some(value)) = (parts.next(), parts.next()) {
                            fields.push((name, self.value(value)));
                        }
                        PropValue::Object(fields)
                    }
                    Some("n") => PropValue::Nodes(self.nodes(parts)),
                    _ => PropValue::Undefined,
                }
            }
        }
    }
}
