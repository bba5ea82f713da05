//! The whole page tree of a large branch as one script, so that no page carries it: a function that builds it, and its
//! rows.
//!
//! `__opNav({"d":word for deprecated,"i":[icon HTML…],"n":[row…]})`; a row is `[depth * 8 + kind, label, shared, rest,
//! icon, tag, method, deprecated]` with its empty tail left out. `shared` is how many UTF-16 units of the previous
//! row's URL this one begins with, `rest` what follows them; `icon` counts from 1. Rows stand in reading order, parents
//! before children.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::fragment::{ROOT, clean_fragment};
use super::language::language_of;
use super::source::ChromeInput;
use super::structure::{Branch, SidebarEntry, Structure, own_page};
use super::theme_file::{ThemeFile, fingerprinted, small_script};
use base::html;
use nav::NodeKind;
use templates::words;

/// What makes the tree of the rows. Pages of small sites have no use for it.
const BUILDER: &str = templates::text("js/optional/tree.js");

const PAGE: u32 = 0;
const GROUP: u32 = 1;
const OPEN_GROUP: u32 = 2;
const OUTSIDE: u32 = 3;

/// Writes the script of a branch.
pub(super) fn build_nav_script(
    source: &ChromeInput<'_>,
    structure: &Structure,
    branch: &Branch,
    index: usize,
) -> ThemeFile {
    let mut icons: Vec<String> = Vec::new();
    let mut icon_of: FxHashMap<String, usize> = FxHashMap::default();
    let mut rows = Vec::with_capacity(branch.entries.len());
    let mut before = String::new();
    for (at, entry) in (0..).zip(&branch.entries) {
        let node = source.node(entry.node);
        let (kind, url) = nav_row_target(source, structure, entry, at);
        let mut icon = 0;
        if node.icon.is_some() {
            let drawn = source.icon_of(node);
            if !drawn.is_empty() {
                icon = *icon_of.entry(drawn.clone()).or_insert_with(|| {
                    icons.push(drawn);
                    icons.len()
                });
            }
        }
        let shared = shared_units(&before, &url);
        let rest: String = url.chars().skip(chars_of_units(&url, shared)).collect();
        let mut row = vec![
            json!(entry.depth * 8 + kind),
            json!(clean_fragment(&node.label)),
            json!(shared),
            json!(rest),
            json!(icon),
            json!(node.tag.as_deref().map(clean_fragment).unwrap_or_default()),
            json!(node.method.as_deref().map(clean_fragment).unwrap_or_default()),
            json!(u8::from(node.deprecated)),
        ];
        while row.last().is_some_and(|last| *last == json!(0) || *last == json!("")) {
            row.pop();
        }
        rows.push(Value::Array(row));
        before = url;
    }
    // icons hold the root's mark where they are pictures
    let icons: Vec<Value> = icons.into_iter().map(|icon| json!(icon.replace(ROOT, "\u{1}"))).collect();
    let data =
        json!({ "d": words::for_language(&language_of(source, branch)).frame.deprecated, "i": icons, "n": rows })
            .to_string();
    let script = format!("{}\n__opNav({})\n", small_script(source, BUILDER).trim_end(), html::script_json(&data));
    fingerprinted(&format!("nav-{index}"), "js", script.into_bytes())
}

/// The kind of a row and its URL: relative to the root, or outside; empty if it leads nowhere.
fn nav_row_target(source: &ChromeInput<'_>, structure: &Structure, entry: &SidebarEntry, at: u32) -> (u32, String) {
    let inside = |url: String| url.trim_start_matches(ROOT).to_owned();
    let node = source.node(entry.node);
    let is_leaf = entry.is_leaf(at);
    match node.kind {
        NodeKind::Group => {
            let drilled = (source.config().drilldown == Some(true) || is_leaf)
                .then(|| structure.first_page[entry.node.0 as usize])
                .flatten();
            let url = own_page(node).or(drilled).and_then(|page| source.page_url(page)).map(inside).unwrap_or_default();
            let kind = if node.expanded { OPEN_GROUP } else { GROUP };
            (if is_leaf { PAGE } else { kind }, url)
        }
        NodeKind::Link => match node.href.as_deref().and_then(|href| source.href(href, "navigation")) {
            Some(link) if link.outside => (OUTSIDE, link.url),
            Some(link) => (PAGE, inside(link.url)),
            None => (PAGE, String::new()),
        },
        _ => (PAGE, node.page.and_then(|page| source.page_url(page)).map(inside).unwrap_or_default()),
    }
}

/// UTF-16 units that two texts begin with in common; never half of a surrogate pair.
fn shared_units(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf16()).sum()
}

fn chars_of_units(text: &str, units: usize) -> usize {
    let mut left = units;
    text.chars()
        .take_while(|c| {
            left >= c.len_utf16() && {
                left -= c.len_utf16();
                true
            }
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_fronts_count_in_units_of_scripts() {
        assert_eq!(shared_units("a/𝒳b", "a/𝒳c"), 4);
        assert_eq!(chars_of_units("a/𝒳c", 4), 3);
        assert_eq!(shared_units("", "a"), 0);
    }
}
