//! Components that live on in the reader's browser: what of them goes there.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value as Json, json};

use crate::base::FileId;
use crate::js::json::read;

use super::script::Call;

/// What the islands of a page need.
#[derive(Clone, Debug, Default)]
pub struct Alive {
    /// Modules in the order in which they are evaluated.
    pub modules: Vec<Module>,
    /// The page's own module, compiled.
    pub own: Option<(FileId, String)>,
    /// Expressions of the page whose values hold functions.
    pub thunks: Vec<Thunk>,
}

impl Alive {
    /// Whether the page has islands.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }
}

/// A module, and what it is given: `names` and `stars` as for the sandbox, in its JSON.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Its file.
    pub file: FileId,
    /// `[[local name, value], …]`
    pub names: String,
    /// `[module, …]`
    pub stars: String,
}

/// An expression, compiled, and the values of its free names in the sandbox's JSON.
#[derive(Clone, Debug, Default)]
pub struct Thunk {
    /// Its code.
    pub code: String,
    /// `[value, …]`
    pub names: String,
}

/// An island while its first state is read.
#[derive(Debug)]
pub(super) struct Draft {
    /// How the browser calls it.
    pub(super) call: String,
    /// The number of the first node held for it.
    pub(super) first: u32,
    /// Children that the first state shows.
    pub(super) shown: FxHashSet<u32>,
    /// Children and their children, which it may show later: (number, node as the sandbox would give it back).
    pub(super) spare: Vec<(u32, Json)>,
    /// Held nodes in which no script lives.
    whole: FxHashMap<u32, ()>,
}

impl Draft {
    pub(super) fn of(call: &Call, module: u32) -> Self {
        let mut draft = Self { call: String::new(), first: call.held as u32, shown: FxHashSet::default(), spare: Vec::new(), whole: FxHashMap::default() };
        let children: Json = read(&call.children).unwrap_or_default();
        let props: Json = read(&call.props).unwrap_or_default();
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

    /// A node as the browser gets it: what no script lives in is `["h", number, type, props, children]`.
    fn node(&mut self, node: Json, depth: usize) -> Json {
        let lives = has_script(&node);
        let Json::Array(parts) = node else { return node };
        match <[Json; 5]>::try_from(parts) {
            Ok([_, name, props, kids, held]) => {
                let number = held.as_u64().and_then(|held| (held as u32).checked_sub(self.first));
                match number.filter(|_| !lives) {
                    Some(number) => {
                        self.whole.insert(number, ());
                        if depth < 2 {
                            self.spare.push((number, outward(&name, &props, &kids, &held)));
                        }
                        json!(["h", number, name, props, self.children(kids, depth + 1)])
                    }
                    None => json!(["e", name, self.value(props), self.children(kids, depth), -1]),
                }
            }
            // `["v", value]`
            Err(mut parts) => {
                if let Some(value) = parts.get_mut(1) {
                    *value = self.value(value.take());
                }
                Json::Array(parts)
            }
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

/// Whether a script lives in a node: a component of the author's, or a value.
fn has_script(node: &Json) -> bool {
    match node {
        Json::Array(parts) => match parts.first().and_then(Json::as_str) {
            Some("c" | "f" | "v") => true,
            _ => parts.iter().any(has_script),
        },
        _ => false,
    }
}

/// An inward node in its outward form: `[type, props, children, held]`.
fn outward(name: &Json, props: &Json, kids: &Json, held: &Json) -> Json {
    let name = match name {
        Json::Array(parts) => parts.get(1).cloned().unwrap_or_default(),
        name => name.clone(),
    };
    let kids = kids.as_array().map(|kids| {
        let kids = kids.iter().map(|kid| match kid.as_array().map(Vec::as_slice) {
            Some([_, name, props, kids, held]) => outward(name, props, kids, held),
            _ => kid.clone(),
        });
        kids.collect::<Vec<_>>()
    });
    json!([name, props, kids.unwrap_or_default(), held])
}

/// Components whose children may be anything: a script can go on rendering them. The others read the elements they hold.
pub(super) fn takes_children(name: &str) -> bool {
    matches!(name, "Card" | "Note" | "Warning" | "Info" | "Tip" | "Check" | "Danger" | "Callout" | "Accordion" | "Frame" | "Column" | "Panel" | "Expandable" | "Badge")
}
