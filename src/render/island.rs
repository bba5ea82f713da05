//! Islands: components that live on in the reader's browser. Their first state is written here; `templates/vendor/entry/islands.js` takes over.

use crate::markup::tree::{Island, Part, PartKind};

use super::Renderer;
use super::phrasing::all_phrasing;

/// Writes an island's first state; what it may show later goes along with its call, as HTML: `[module, name, props, children, {number: html}]`.
pub(super) fn write(r: &mut Renderer<'_>, island: &Island) {
    let number = r.islands.len();
    r.islands.push(String::new()); // an island inside comes later
    let tag = if r.state.phrasing > 0 || all_phrasing(&island.children) { "span" } else { "div" };
    r.raw(&format!("<{tag} data-island=\"{number}\">"));
    let outer = std::mem::replace(&mut r.state.notes_loads, true);
    r.nodes(&island.children);
    r.state.notes_loads = outer;
    r.raw(&format!("</{tag}>"));
    let mut spare = serde_json::Map::new();
    r.toc_off += 1;
    for (part, nodes) in &island.spare {
        spare.insert(part.clone(), r.capture(|r| r.nodes(nodes)).into());
    }
    r.toc_off -= 1;
    let call = island.call.strip_suffix(']').unwrap_or("[null");
    r.islands[number] = format!("{call},{}]", serde_json::Value::Object(spare));
}

/// Writes a part of an island.
pub(super) fn write_part(r: &mut Renderer<'_>, part: &Part) {
    let tag = if r.state.phrasing > 0 || all_phrasing(&part.children) { "span" } else { "div" };
    match part.kind {
        PartKind::Component => r.raw(&format!("<{tag} data-part>")),
        PartKind::Child(number) => r.raw(&format!("<{tag} data-part=\"{number}\">")),
        PartKind::Children => r.raw(&format!("<{tag} data-children>")),
    }
    // what a part of ours loads is written already
    let is_open = r.state.notes_loads;
    r.state.notes_loads = is_open && part.kind == PartKind::Children;
    r.nodes(&part.children);
    r.state.notes_loads = is_open;
    r.raw(&format!("</{tag}>"));
}
