//! Islands: components that stay interactive in the browser. Their first state is written here;
//! `templates/vendor/entry/islands.js` takes over.

use markup::tree::{BlockKind, Island, IslandPart, IslandPartKind, Node};

use super::Renderer;
use super::phrasing::all_phrasing;

/// Writes an island's first state; what it may show later goes along with its call, as HTML: `[module, name, props,
/// children, {number: html}]`.
pub(super) fn write_island(r: &mut Renderer<'_>, island: &Island) {
    let tag = if r.state.phrasing > 0 || all_phrasing(&island.children) { "span" } else { "div" };
    write_between(
        r,
        island,
        |number| format!("<{tag} data-island=\"{number}\">"),
        &format!("</{tag}>"),
        &|r, nodes| r.nodes(nodes),
    );
}

/// Writes an island among the items of a list, where no element may stand around them.
pub(super) fn write_in_list(r: &mut Renderer<'_>, island: &Island, items: &dyn Fn(&mut Renderer<'_>, &[Node])) {
    write_between(r, island, |number| format!("<template data-island=\"{number}\"></template>"), END, items);
}

/// The end of what a script draws behind a `<template>`.
const END: &str = "<template data-end></template>\n";

fn write_between(
    r: &mut Renderer<'_>,
    island: &Island,
    open: impl Fn(usize) -> String,
    close: &str,
    write: &dyn Fn(&mut Renderer<'_>, &[Node]),
) {
    let number = r.page.islands.len();
    r.page.islands.push(String::new()); // an island inside comes later
    r.raw(&open(number));
    let outer = std::mem::replace(&mut r.state.notes_loads, true);
    let first = r.state.family.step();
    write(r, &island.children);
    let next = r.state.family.step();
    r.state.notes_loads = outer;
    r.raw(close);
    let mut spare = serde_json::Map::new();
    r.toc_off += 1;
    for (part, nodes) in &island.spare {
        // it comes in the place of what is shown
        r.state.family.set_step(first);
        spare.insert(part.clone(), r.capture(|r| write(r, nodes)).into());
    }
    r.state.family.set_step(next);
    r.toc_off -= 1;
    let call = island.call.strip_suffix(']').unwrap_or("[null");
    r.page.islands[number] = format!("{call},{}]", serde_json::Value::Object(spare));
}

/// Writes a part among the items of a list. `item` writes one of them.
pub(super) fn write_part_in_list(r: &mut Renderer<'_>, part: &IslandPart, item: &dyn Fn(&mut Renderer<'_>, &Node)) {
    match (part.kind, part.children.as_slice()) {
        (IslandPartKind::Live(number), nodes) => {
            r.raw(&format!("<template data-live=\"{number}\"></template>"));
            nodes.iter().for_each(|node| item(r, node));
            r.raw(END);
        }
        (IslandPartKind::Child(number), [only]) if is_item(only) => {
            let at = r.out.len();
            item(r, only);
            r.out.insert_str(at + "<li".len(), &format!(" data-part=\"{number}\""));
        }
        _ => {
            r.raw("<li>");
            write_island_part(r, part);
            r.raw("</li>\n");
        }
    }
}

/// Whether a node is an item of a list.
pub(super) fn is_item(node: &Node) -> bool {
    match node {
        Node::Element(element) => element.name == "li",
        Node::Block(block) => matches!(block.kind, BlockKind::Item { .. }),
        _ => false,
    }
}

/// Writes a part of an island.
pub(super) fn write_island_part(r: &mut Renderer<'_>, part: &IslandPart) {
    let tag = if r.state.phrasing > 0 || all_phrasing(&part.children) { "span" } else { "div" };
    match part.kind {
        IslandPartKind::Component => r.raw(&format!("<{tag} data-part>")),
        IslandPartKind::Child(number) => r.raw(&format!("<{tag} data-part=\"{number}\">")),
        IslandPartKind::Children => r.raw(&format!("<{tag} data-children>")),
        IslandPartKind::Live(number) => r.raw(&format!("<{tag} data-live=\"{number}\" data-children>")),
    }
    // what a part of ours loads is written already
    let is_open = r.state.notes_loads;
    r.state.notes_loads =
        is_open && part.kind == IslandPartKind::Children || matches!(part.kind, IslandPartKind::Live(_));
    r.nodes(&part.children);
    r.state.notes_loads = is_open;
    r.raw(&format!("</{tag}>"));
}
