//! Components that stay interactive in the browser (islands): the data that the browser needs.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value as Json, json};

use crate::js::json::parse_script_json;
use crate::tree::number_text;

use super::script::SandboxCall;

/// An island while its first state is read.
#[derive(Debug)]
pub(super) struct IslandDraft {
    /// How the browser calls it.
    pub(super) call: String,
    /// The number of the first node held for it.
    pub(super) first: u32,
    /// Children that the first state shows.
    pub(super) shown: FxHashSet<u32>,
    /// Children and their children, which it may show later: (number, node as the sandbox would give it back).
    pub(super) spare: Vec<(u32, Json)>,
    /// Held nodes without a script.
    whole: FxHashMap<u32, ()>,
}

impl IslandDraft {
    pub(super) fn of(call: &SandboxCall, module: u32) -> Self {
        let mut draft = Self {
            call: String::new(),
            first: call.held as u32,
            shown: FxHashSet::default(),
            spare: Vec::new(),
            whole: FxHashMap::default(),
        };
        let children: Json = parse_script_json(&call.children).unwrap_or_default();
        let props: Json = parse_script_json(&call.props).unwrap_or_default();
        let children = draft.children(children, 0);
        let props = draft.value(props);
        draft.call = json!([module, call.name, props, children]).to_string();
        draft
    }

    pub(super) fn is_whole(&self, number: u32) -> bool {
        self.whole.contains_key(&number)
    }

    fn children(&mut self, list: Json, depth: usize) -> Json {
        let Json::Array(list) = list else { return list };
        Json::Array(list.into_iter().map(|node| self.node(node, depth)).collect())
    }

    /// A node as the browser gets it: what the exporter keeps is `["h", number, type, props, children]`, what a script
    /// draws in it `["l", number, node]`.
    fn node(&mut self, node: Json, depth: usize) -> Json {
        let lives = lives(&node);
        let Json::Array(mut parts) = node else { return node };
        let live = live_number(&parts).map(|live| live.saturating_sub(self.first));
        let node = match parts.as_mut_slice() {
            [_, name, props, kids, held, ..] => {
                let (name, props, kids, held) = (name.take(), props.take(), kids.take(), held.take());
                let number = held.as_u64().and_then(|held| (held as u32).checked_sub(self.first));
                match number.filter(|_| !lives && live.is_none()) {
                    Some(number) => {
                        self.whole.insert(number, ());
                        if depth < 2 {
                            self.spare.push((number, outward(&name, &props, &kids, &held)));
                        }
                        json!(["h", number, name, props, self.children(kids, depth + 1)])
                    }
                    // its children may be shown without it
                    None => json!(["e", name, self.value(props), self.children(kids, 0), -1]),
                }
            }
            [_, value, ..] => json!(["v", self.value(value.take())]),
            _ => return Json::Array(parts),
        };
        match live {
            Some(live) => json!(["l", live, node]),
            None => node,
        }
    }

    /// A value: nodes in it are nodes for the browser too.
    fn value(&mut self, value: Json) -> Json {
        let Json::Array(mut parts) = value else { return value };
        match parts.first().and_then(Json::as_str) {
            Some("n") => {
                for part in parts.iter_mut().skip(1) {
                    *part = self.node(part.take(), 0);
                }
            }
            Some("a" | "o") => {
                for part in parts.iter_mut().skip(1) {
                    *part = self.value(part.take());
                }
            }
            _ => {}
        }
        Json::Array(parts)
    }
}

/// Whether a script runs in a node where the exporter cannot leave a place for its output: a component of the
/// author's, or a value.
fn lives(node: &Json) -> bool {
    let Json::Array(parts) = node else { return false };
    match parts.as_slice() {
        _ if live_number(parts).is_some() => false,
        [_, name, props, kids, ..] => {
            holds_script(name) || holds_script(props) || kids.as_array().is_some_and(|kids| kids.iter().any(lives))
        }
        [_, value] => holds_script(value),
        _ => false,
    }
}

/// Whether a value holds functions. Its first part says what it is; text is never an array.
fn holds_script(value: &Json) -> bool {
    let Json::Array(parts) = value else { return false };
    let Some((tag, rest)) = parts.split_first() else { return false };
    match tag.as_str() {
        Some("c" | "f") => true,
        Some("a" | "o") => rest.iter().any(holds_script),
        Some("n") => rest.iter().any(lives),
        _ => false,
    }
}

/// The number of what a script draws inside a node that is held.
fn live_number(node: &[Json]) -> Option<u32> {
    let live = match node {
        [_, _, live] | [_, _, _, _, _, live] => live.as_u64(),
        _ => None,
    };
    live.and_then(|live| u32::try_from(live).ok())
}

/// An inward node in its outward form: `[type, props, children, held]`.
fn outward(name: &Json, props: &Json, kids: &Json, held: &Json) -> Json {
    let name = match name {
        Json::Array(parts) => parts.get(1).cloned().unwrap_or_default(),
        name => name.clone(),
    };
    let mut out = Vec::new();
    kids.as_array().into_iter().flatten().for_each(|kid| push_outward(kid, &mut out));
    json!([name, props, out, held])
}

fn push_outward(node: &Json, out: &mut Vec<Json>) {
    match node.as_array().map(Vec::as_slice) {
        Some(parts) if let Some(live) = live_number(parts) => out.push(json!(["$live", ["o"], [], live])),
        Some([_, name, props, kids, held, ..]) => out.push(outward(name, props, kids, held)),
        Some([_, value]) => push_shown(value, out),
        _ => out.push(node.clone()),
    }
}

/// What a value shows.
fn push_shown(value: &Json, out: &mut Vec<Json>) {
    match value {
        Json::String(_) => out.push(value.clone()),
        Json::Number(number) => out.push(number.as_f64().map(number_text).into()),
        Json::Array(parts) => match parts.split_first() {
            Some((tag, nodes)) if tag == "n" => nodes.iter().for_each(|node| push_outward(node, out)),
            Some((tag, items)) if tag == "a" => items.iter().for_each(|item| push_shown(item, out)),
            _ => {}
        },
        _ => {}
    }
}
