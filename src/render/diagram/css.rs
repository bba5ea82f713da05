//! The style sheet inside a drawing: only the rules that its elements use.

use rustc_hash::FxHashSet;

use base::cut::SliceText as _;

/// The targets of `url(#…)` in a value or sheet.
pub(super) fn url_references(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("url(").filter_map(|(at, _)| {
        let inside = text.slice(at + 4..);
        let end = inside.find(')')?;
        inside.slice(..end).trim().trim_matches(['"', '\'']).strip_prefix('#')
    })
}

/// A value with every `url(#id)` renamed; other `url()`s are emptied.
pub(super) fn rename_references(value: &str, rename: impl Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(value.len() + 16);
    let mut rest = value;
    while let Some((before, after)) = rest.split_once("url(") {
        let (inside, tail) = after.split_once(')').unwrap_or((after, ""));
        out.push_str(before);
        match inside.trim().trim_matches(['"', '\'']).strip_prefix('#') {
            Some(target) => {
                out.push_str("url(#");
                out.push_str(&rename(target));
                out.push(')');
            }
            None => out.push_str("none"),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// The class names that a sheet's selectors hold.
pub(super) fn classes(sheet: &str) -> FxHashSet<&str> {
    let mut found = FxHashSet::default();
    for (selectors, _) in rules(sheet) {
        for selector in split_selectors(selectors) {
            found.extend(selector_parts(selector).filter_map(|part| match part {
                SelectorPart::Class(class) => Some(class),
                _ => None,
            }));
        }
    }
    found
}

/// The rules whose selectors fit elements with these classes and tags, and the animations that those rules name.
pub(super) fn prune(sheet: &str, root: &str, classes: &FxHashSet<&str>, tags: &FxHashSet<&str>) -> String {
    let mut out = String::new();
    for (selectors, body) in rules(sheet) {
        if selectors.starts_with('@') || body.contains('{') {
            continue;
        }
        let matching: Vec<&str> =
            split_selectors(selectors).filter(|selector| fits(selector, root, classes, tags)).collect();
        let body = declarations(body, root);
        if !matching.is_empty() && !body.is_empty() {
            out.push_str(&matching.join(","));
            out.push('{');
            out.push_str(&body);
            out.push('}');
        }
    }
    let mut animations = String::new();
    for (selectors, body) in rules(sheet) {
        if let Some(name) = selectors.strip_prefix("@keyframes ").map(str::trim)
            && out.contains(&format!("animation:{name} "))
            && !animations.contains(selectors)
        {
            let own = format!("{root}-{name}");
            out = out.replace(&format!("animation:{name} "), &format!("animation:{own} "));
            animations.push_str(&format!("@keyframes {own}{{{body}}}"));
        }
    }
    out.push_str(&animations);
    // the text is inside `<style>`
    if out.contains('<') { out.replace('<', "") } else { out }
}

/// Declarations without those that say nothing: fonts (the root has the font), shadows, loads.
pub(super) fn declarations(text: &str, root: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for declaration in text.split(';') {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        let (name, value) = (name.trim(), value.trim());
        let idle = match name {
            "font-family"
            | "box-shadow"
            | "cursor"
            | "position"
            | "mix-blend-mode"
            | "--mermaid-font-family"
            | "max-width" => true,
            "filter" => value.contains("drop-shadow(") || value == "none",
            "font-weight" => value == "400",
            "stroke-dasharray" => value == "1, 0",
            _ => false,
        };
        if idle
            || name.is_empty()
            || value.is_empty()
            || value.contains(['@', '\\', '<'])
            || value.contains("expression(")
        {
            continue;
        }
        if !out.is_empty() {
            out.push(';');
        }
        out.push_str(name);
        out.push(':');
        if value.contains("url(") {
            let own = |id: &str| if id.starts_with(root) { id.to_owned() } else { format!("{root}-{id}") };
            out.push_str(&rename_references(value, own));
        } else {
            out.push_str(value);
        }
    }
    out
}

/// The `color` of a style attribute.
pub(super) fn text_color(style: &str) -> Option<&str> {
    let color = style.split(';').find_map(|one| one.trim().strip_prefix("color:"))?;
    let color = color.trim().trim_end_matches("!important").trim();
    (!color.is_empty() && !color.contains(['(', '\\', '<']) || color.starts_with("rgb(") || color.starts_with("var(--"))
        .then_some(color)
}

/// The top-level rules of a sheet: (selectors or at-rule, body).
fn rules(sheet: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = sheet;
    std::iter::from_fn(move || {
        let (selectors, after) = rest.split_once('{')?;
        let mut depth = 1_u32;
        let end = after.bytes().position(|byte| {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        rest = after.slice(end + 1..);
        // statements without a block (`@import …;`) are dropped
        let selectors = selectors.rsplit(';').next().unwrap_or_default();
        Some((selectors.trim(), after.slice(..end)))
    })
}

/// Selectors at the commas outside brackets.
fn split_selectors(selectors: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    selectors
        .split(move |c| {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        })
        .map(str::trim)
}

/// A piece of a selector.
#[derive(Debug, PartialEq)]
enum SelectorPart<'a> {
    Class(&'a str),
    Id(&'a str),
    Tag(&'a str),
    /// `[data-look="neo"]`, by the text inside.
    Attribute(&'a str),
    /// `:root`, by the name.
    Pseudo(&'a str),
}

fn selector_parts(selector: &str) -> impl Iterator<Item = SelectorPart<'_>> {
    let mut rest = selector;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '>', '+', '~', '*', ':']);
        let first = rest.chars().next()?;
        if first == '[' {
            let end = rest.find(']').unwrap_or(rest.len());
            let inside = rest.slice(1..end);
            rest = rest.get(end + 1..).unwrap_or_default();
            return Some(SelectorPart::Attribute(inside));
        }
        let marked = matches!(first, '.' | '#');
        let word = rest.slice(usize::from(marked)..);
        let end = word.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(word.len());
        let pseudo = selector.len() > rest.len() && selector.slice(..selector.len() - rest.len()).ends_with(':');
        let name = word.slice(..end);
        rest = word.slice(end..);
        if rest.starts_with('(') {
            rest = rest.split_once(')').map_or("", |(_, after)| after);
        } else if name.is_empty() && !marked {
            // nothing that is known: ends the list
            rest = "";
            return None;
        }
        Some(match first {
            '.' => SelectorPart::Class(name),
            '#' => SelectorPart::Id(name),
            _ if pseudo => SelectorPart::Pseudo(name),
            _ => SelectorPart::Tag(name),
        })
    })
}

/// Whether a selector can fit an element of the drawing. Nested `svg`s, hand-drawn and new looks are never there.
fn fits(selector: &str, root: &str, classes: &FxHashSet<&str>, tags: &FxHashSet<&str>) -> bool {
    selector_parts(selector).all(|part| match part {
        SelectorPart::Class(class) => classes.contains(class),
        SelectorPart::Id(id) => id == root,
        SelectorPart::Tag(tag) => tag != "svg" && tags.contains(tag),
        SelectorPart::Attribute(inside) => !inside.starts_with("data-"),
        SelectorPart::Pseudo(name) => name != "root",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sheet: &str, expect: &str) {
        let classes = FxHashSet::from_iter(["node", "label"]);
        let tags = FxHashSet::from_iter(["rect", "text", "marker"]);
        assert_eq!(prune(sheet, "d", &classes, &tags), expect, "{sheet}");
    }

    #[test]
    fn rules_that_fit_stay() {
        check("#d .node rect,#d .edge rect{fill:red;}", "#d .node rect{fill:red}");
        check("#d .node>text,#d text.label{fill:red}", "#d .node>text,#d text.label{fill:red}");
        check(
            "#d [id$=\"-arrowhead\"] path{fill:red}#d [id$=\"-a,b\"] rect{fill:red}",
            "#d [id$=\"-a,b\"] rect{fill:red}",
        );
        check("#d [data-look=\"neo\"].node rect{fill:red}#d :root{--x:1}#d svg{a:b}#d p{margin:0}", "");
        check("#d{font-family:Inter;fill:red}", "#d{fill:red}");
        check("#d .node:hover rect{fill:red}", "#d .node:hover rect{fill:red}");
    }

    #[test]
    fn animations_are_kept_if_used_under_an_own_name() {
        check(
            "@keyframes dash{to{a:0;}}@keyframes b{to{a:0}}#d .node{animation:dash 5s linear}",
            "#d .node{animation:d-dash 5s linear}@keyframes d-dash{to{a:0;}}",
        );
        check("@keyframes dash{to{a:0}}#d .edge{animation:dash 5s}", "");
    }

    #[test]
    fn sheets_load_and_close_nothing() {
        check("@import url(x);#d .node{fill:url(#g);mask:url(https://x)}", "#d .node{fill:url(#d-g);mask:none}");
        check("#d .node{fill:red}</style>", "#d .node{fill:red}");
        check("#d .node{a:\"</style><script>\"}", "");
    }

    proptest::proptest! {
        #[test]
        fn any_sheet_is_pruned(sheet in "[#.a-d:;{}(),@<> \\[\\]é\"]{0,60}") {
            let out = prune(&sheet, "d", &FxHashSet::from_iter(["a", "b"]), &FxHashSet::from_iter(["c"]));
            proptest::prop_assert!(!out.contains('<'));
            let _ = classes(&sheet);
        }
    }
}
