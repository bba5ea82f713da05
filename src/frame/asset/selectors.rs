//! Selectors of authors' style sheets: elements that a page writes in another way than its author did are found all the
//! same.
//!
//! A page has one `<h1>`, its title (`theme-contract.md`), so one in its content is written as `<h2 class="h1">`. A
//! rule for `h1` means both: `:is(h1,:where(.h1))` weighs as much as `h1` does. So do the names that hosted
//! documentation has for what the theme calls otherwise ([`super::hooks`]).

use super::css::{opaque, skip_blanks};
use super::hooks::theme_selector;
use base::cut::cut;

/// What stands for `h1` in a selector.
const FIRST_HEADING: &str = ":is(h1,:where(.h1))";

/// The sheet with its selectors widened. Comments, strings, names of classes and declarations stay.
pub fn widen_selectors(css: &str) -> String {
    let mut out = String::with_capacity(css.len() + 64);
    // a selector if a block follows it
    let mut open = css;
    let mut rest = css;
    while let Some(first) = rest.chars().next() {
        let (_, after) = cut(rest, opaque(rest).unwrap_or(first.len_utf8()));
        match first {
            '{' => {
                push_prelude(&mut out, text_before(open, rest));
                out.push('{');
                open = after;
            }
            '}' | ';' => {
                out.push_str(text_before(open, after));
                open = after;
            }
            _ => {}
        }
        rest = after;
    }
    out.push_str(open);
    out
}

/// A text without its end `after`.
fn text_before<'a>(text: &'a str, after: &str) -> &'a str {
    cut(text, text.len() - after.len()).0
}

/// Writes what stands before a block: a list of selectors, or the name of an at-rule.
fn push_prelude(out: &mut String, prelude: &str) {
    if skip_blanks(prelude).starts_with('@') {
        return out.push_str(prelude);
    }
    let mut rest = prelude;
    while let Some(first) = rest.chars().next() {
        let length = if first == '[' {
            rest.find(']').map_or(rest.len(), |end| end + 1)
        } else if let Some(length) = opaque(rest) {
            length
        } else {
            // a name with what makes it more than the name of an element
            let marks = rest.bytes().take_while(|byte| matches!(byte, b'.' | b'#' | b':')).count();
            let name = rest.bytes().skip(marks).take_while(|byte| is_selector_name_byte(*byte)).count();
            if marks + name == 0 { first.len_utf8() } else { marks + name }
        };
        let (token, after) = cut(rest, length);
        let before = text_before(prelude, rest);
        let is_whole = !after.starts_with('\\') && (!first.is_ascii_alphabetic() || starts_element(before));
        match theme_selector(token).filter(|_| is_whole) {
            _ if is_whole && token.eq_ignore_ascii_case("h1") => out.push_str(FIRST_HEADING),
            Some(ours) => out.extend([":is(", token, ",:where(", ours, "))"]),
            None => out.push_str(token),
        }
        rest = after;
    }
}

/// Whether a name that follows `before` is that of an element, and no part of a longer one or of another argument.
fn starts_element(before: &str) -> bool {
    const TAKE_SELECTORS: [&str; 5] = ["is(", "where(", "not(", "has(", "any("];
    match before.chars().next_back() {
        Some('(') => TAKE_SELECTORS.iter().any(|name| before.ends_with(name)),
        last => last.is_none_or(|c| c.is_whitespace() || matches!(c, ',' | '>' | '+' | '~' | '/')),
    }
}

fn is_selector_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(css: &str, expect: &str) {
        assert_eq!(widen_selectors(css), expect.replace('¹', FIRST_HEADING), "{css}");
    }

    #[test]
    fn rules_for_first_headings_mean_both() {
        check("h1{color:red}", "¹{color:red}");
        check(".hero h1, H1.big > em{a:b}", ".hero ¹, ¹.big > em{a:b}");
        check("@media (width>1px){:not(h1)~p{a:b}h1{c:d}}", "@media (width>1px){:not(¹)~p{a:b}¹{c:d}}");
        check(".a{h1{b:c}&>h1{d:e}f:g}", ".a{¹{b:c}&>¹{d:e}f:g}");
        check("@import \"h1{\";p{}h1{}", "@import \"h1{\";p{}¹{}");
    }

    #[test]
    fn names_of_hosted_documentation_mean_the_parts_of_the_theme() {
        check(".nav-tag-pill:hover,.a{b:c}", ":is(.nav-tag-pill,:where(.op-tree .op-tag)):hover,.a{b:c}");
        check("#panel>p{a:b}", ":is(#panel,:where(.op-aside))>p{a:b}");
        check("card,.card{a:b}", ":is(card,:where(.card)),.card{a:b}");
        check(
            "[data-component-part=\"step-title\"]{a:b}",
            ":is([data-component-part=\"step-title\"],:where(.step-title)){a:b}",
        );
        check(
            "[data-component-part*=\"step\"] .panels,.x-link{a:b}",
            "[data-component-part*=\"step\"] .panels,.x-link{a:b}",
        );
    }

    #[test]
    fn other_names_stay() {
        let stays = ".cards,#card,:card,card\\:x,.x\\:card,.x\\:h1,::part(card),.h1,#h1,h1x,x-h1,[h1],[a=\"h1\"],\\h1,:h1{font:h1;content:\"h1{\"}/* h1{ */@keyframes h1{from{a:b}}";
        check(stays, stays);
        check("p{a:b", "p{a:b");
        check("h1", "h1");
    }

    proptest! {
        /// Nothing is lost, whatever the sheet.
        #[test]
        fn any_sheet_keeps_its_text(css in "(h1|h2|\\.|#|:|\\{|\\}|;|\"|'|/\\*|\\*/|\\\\|\\[|\\]|@media|é|[a-z ]){0,40}") {
            prop_assert_eq!(widen_selectors(&css).replace(FIRST_HEADING, "h1").to_lowercase(), css.to_lowercase());
        }
    }
}
