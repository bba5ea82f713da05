//! Rules that no page of a site can use: those of other layouts, decorations and backdrops. They are not written.

use base::cut::SliceText as _;

/// A minified style sheet without the selectors that `is_dead` names; rules without selectors and conditions without
/// rules go too.
pub(super) fn prune_css(sheet: &str, is_dead: &dyn Fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(sheet.len());
    push_live_rules(&mut out, sheet, is_dead, 0);
    out
}

/// Deepest nesting of our own sheets: layer, condition, rule.
const MAX_RULE_DEPTH: usize = 4;

fn push_live_rules(out: &mut String, sheet: &str, is_dead: &dyn Fn(&str) -> bool, depth: usize) {
    let mut rest = sheet;
    while let Some((at, mark)) = next_mark(rest) {
        let (prelude, tail) = (rest.slice(..at), rest.slice(at + 1..));
        if mark != '{' {
            out.push_str(rest.slice(..=at));
            rest = tail;
            continue;
        }
        let end = block_end(tail);
        let body = tail.slice(..end);
        rest = tail.get(end + 1..).unwrap_or_default();
        let holds_rules = ["@media", "@layer", "@supports"].iter().any(|name| prelude.starts_with(name));
        let from = out.len();
        if prelude.starts_with('@') {
            if prelude.starts_with("@keyframes") && is_dead(prelude) {
                continue;
            }
            out.push_str(prelude);
        } else {
            push_selectors(out, prelude, is_dead);
            if out.len() == from {
                continue;
            }
        }
        out.push('{');
        let inside = out.len();
        if holds_rules && depth < MAX_RULE_DEPTH {
            push_live_rules(out, body, is_dead, depth + 1)
        } else {
            out.push_str(body)
        }
        if holds_rules && out.len() == inside {
            out.truncate(from);
            continue;
        }
        out.push('}');
    }
    out.push_str(rest);
}

fn push_selectors(out: &mut String, list: &str, is_dead: &dyn Fn(&str) -> bool) {
    let from = out.len();
    let mut depth = 0usize;
    for selector in list.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    }) {
        if !is_dead(selector) {
            if out.len() > from {
                out.push(',');
            }
            out.push_str(selector);
        }
    }
}

/// The next `{`, `}` or `;` outside strings.
fn next_mark(text: &str) -> Option<(usize, char)> {
    let mut quote = None;
    text.char_indices().find(|(_, c)| match (quote, *c) {
        (Some(open), c) => {
            if c == open {
                quote = None;
            }
            false
        }
        (None, '"' | '\'') => {
            quote = Some(*c);
            false
        }
        (None, c) => matches!(c, '{' | '}' | ';'),
    })
}

/// Where the block ends that `text` is the inside of.
fn block_end(text: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while let Some((next, mark)) = next_mark(text.slice(at..)) {
        at += next;
        match mark {
            '{' => depth += 1,
            '}' if depth == 0 => return at,
            '}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sheet: &str, expect: &str) {
        assert_eq!(prune_css(sheet, &|selector| selector.contains("dead")), expect);
    }

    #[test]
    fn only_what_is_dead_goes() {
        check("@layer a,b;p{x:y}.dead{x:y}.a,.dead b,.c{x:y}", "@layer a,b;p{x:y}.a,.c{x:y}");
        check(":is(.dead,.a) b,c{x:y}", "c{x:y}");
        check("@keyframes dead{to{x:y}}@keyframes a{to{x:y}}", "@keyframes a{to{x:y}}");
        check("@layer l{@media (min-width:1px){.dead{x:y}}q{x:y}}", "@layer l{q{x:y}}");
        check(
            "@font-face{src:url(\"dead;}{\")}p::before{content:\"}.dead{\"}r{x:y}",
            "@font-face{src:url(\"dead;}{\")}p::before{content:\"}.dead{\"}r{x:y}",
        );
        check("p{x:y", "p{x:y}");
    }
}
