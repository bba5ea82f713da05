//! Pages with many different `style` attributes: tables of colors, diagrams painted node by node, code in a theme of
//! its own. Each of them would have to be named in the page's security policy, which has no room for so many; as rules
//! of one style sheet in the page they take one name together.
//!
//! Only such pages are rewritten, by lol_html; in all others the bytes `style` are counted, and nothing else is done.
//!
//! The rules win where the attributes did: three `:not(#_)` outweigh any selector of the theme's and of most authors'.
//! Pages with many style sheets of their own, one for each diagram, have them in one for the same reason.

use std::cell::RefCell;
use std::fmt::Write as _;

use lol_html::{RewriteStrSettings, element, rewrite_str};
use memchr::memmem;
use rustc_hash::FxHashMap;

use crate::base::refs::{Address, Coding};

/// Most different `style` attributes and style sheets of a page; policies have room for a few more.
const MAX_STYLES: usize = 32;

/// The page with its `style` attributes in a style sheet, if they are many.
pub(super) fn gathered(html: String) -> String {
    // most pages name styles in their head alone
    if memmem::find_iter(html.as_bytes(), b"style").nth(MAX_STYLES).is_none() {
        return html;
    }
    let html = joined(html);
    let most = MAX_STYLES.saturating_sub(memmem::find_iter(html.as_bytes(), b"<style").count());
    if memmem::find_iter(html.as_bytes(), b" style=").nth(most).is_none() {
        return html;
    }
    let found = RefCell::new(Found::default());
    let handler = element!("*[style]", |element| {
        let number = element.get_attribute("style").and_then(|style| found.borrow_mut().number(&style));
        if let Some(number) = number {
            let classes = element.get_attribute("class").map_or_else(String::new, |classes| classes + " ");
            element.remove_attribute("style");
            element.set_attribute("class", &format!("{classes}op-style-{number}"))?;
        }
        Ok(())
    });
    let rewritten = rewrite_str(&html, RewriteStrSettings::new().append_element_content_handler(handler));
    let found = found.into_inner();
    match (rewritten, html.find("</head>")) {
        (Ok(mut page), Some(head_end))
            if found.numbers.len() > most && page.get(..head_end) == html.get(..head_end) =>
        {
            page.insert_str(head_end, &format!("<style>{}</style>\n", found.rules));
            page
        }
        _ => html,
    }
}

/// The page with the style sheets of its body in one, if they are many: in their order, behind those of the theme as
/// before.
fn joined(html: String) -> String {
    const OPEN: &str = "<style>";
    const CLOSE: &str = "</style>";
    let (Some(head_end), Some(body)) = (html.find("</head>"), html.find("<body")) else { return html };
    if memmem::find_iter(&html.as_bytes()[body..], OPEN).nth(MAX_STYLES).is_none() {
        return html;
    }
    let (mut kept, mut sheet) = (String::with_capacity(html.len()), String::new());
    let mut rest = &html[body..];
    let mut is_inert = false;
    while let Some((start, end)) = rest.find(OPEN).and_then(|start| Some((start, start + rest[start..].find(CLOSE)?))) {
        let (before, rules) = (&rest[..start], &rest[start + OPEN.len()..end]);
        // what stands in these applies only sometimes
        let last = |mark: &str| {
            ["noscript", "template"].iter().filter_map(|name| before.rfind(&format!("{mark}{name}"))).max()
        };
        is_inert = match (last("<"), last("</")) {
            (None, None) => is_inert,
            (opened, closed) => opened > closed,
        };
        let is_moved = !is_inert && is_whole(rules);
        kept.push_str(if is_moved { before } else { &rest[..end + CLOSE.len()] });
        if is_moved {
            sheet.push_str(rules.trim());
        }
        rest = &rest[end + CLOSE.len()..];
    }
    if sheet.is_empty() {
        return html;
    }
    format!("{}<style>{sheet}</style>\n{}{kept}{rest}", &html[..head_end], &html[head_end..body])
}

/// Whether a style sheet means the same behind another one and in the head.
fn is_whole(rules: &str) -> bool {
    let lower = rules.to_ascii_lowercase();
    let has_statements = ["/*", "@import", "@charset", "@namespace"].iter().any(|mark| lower.contains(mark));
    is_balanced(rules) && !has_statements && (rules.trim().is_empty() || rules.trim_end().ends_with('}'))
}

#[derive(Default)]
struct Found {
    /// By the attribute as it stands in the page.
    numbers: FxHashMap<String, usize>,
    rules: String,
}

impl Found {
    /// The number of a `style` attribute; `None` for one that stays.
    fn number(&mut self, style: &str) -> Option<usize> {
        if let Some(number) = self.numbers.get(style) {
            return Some(*number);
        }
        let declarations = Address::new(style.as_bytes(), Coding::Markup).bytes().into_owned();
        let declarations = String::from_utf8(declarations).ok().filter(|declarations| is_movable(declarations))?;
        let number = self.numbers.len() + 1;
        self.numbers.insert(style.to_owned(), number);
        let _ = write!(self.rules, ".op-style-{number}:not(#_):not(#_):not(#_){{{}}}", declarations.trim());
        Some(number)
    }
}

/// Whether declarations mean in a rule what they mean in an attribute: nothing in them ends the rule or begins another.
/// What is hidden stays as it is, because scripts of authors show it by taking that back; so does room kept for a
/// video, which the theme's own style sheet looks for.
fn is_movable(declarations: &str) -> bool {
    let packed: String = declarations.split_ascii_whitespace().collect();
    let lower = packed.to_ascii_lowercase();
    if lower.contains("display:none") || lower.contains("padding") && lower.contains('%') || packed.contains("/*") {
        return false;
    }
    !declarations.contains(['{', '}', '[', ']', '@']) && is_balanced(declarations)
}

/// Whether nothing in a text ends what stands around it: quotes and brackets close, and nothing is escaped or a
/// reference, which drawings and attributes decode and style sheets do not.
fn is_balanced(css: &str) -> bool {
    let (mut quote, mut depth) = (None, 0usize);
    for c in css.chars() {
        match (quote, c) {
            (_, '<' | '&' | '\\') | (Some(_), '\n' | '\r' | '\u{c}') => return false,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '(' | '[') => depth += 1,
            (None, '}' | ')' | ']') if depth == 0 => return false,
            (None, '}' | ')' | ']') => depth -= 1,
            (None, _) => {}
        }
    }
    quote.is_none() && depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(body: &str) -> String {
        format!("<html><head><title>x</title></head><body>{body}</body></html>")
    }

    fn many() -> String {
        (0..=MAX_STYLES).map(|n| format!("<i style=\"top:{n}px\"></i>")).collect()
    }

    #[test]
    fn a_few_stay_where_they_are() {
        let some: String = (0..MAX_STYLES).map(|n| format!("<i style=\"top:{n}px\"></i>")).collect();
        for html in [page(&some), page(&"<i style=\"top:0\"></i>".repeat(100)), page("")] {
            assert_eq!(gathered(html.clone()), html);
        }
    }

    #[test]
    fn many_become_rules_and_classes() {
        let html = gathered(page(
            &(many()
                + "<b class=\"a &amp; b\" style=\"top:0px\" id=\"c\">x</b><p style=\"font:&quot;A&quot;,'B';background:url(a.png)\">"),
        ));
        assert!(!html.contains(" style="), "{html}");
        assert!(html.contains("<style>.op-style-1:not(#_):not(#_):not(#_){top:0px}.op-style-2:not(#_)"), "{html}");
        assert!(html.contains("{font:\"A\",'B';background:url(a.png)}</style>\n</head>"), "{html}");
        assert!(html.contains("<b class=\"a &amp; b op-style-1\" id=\"c\">x</b>"), "{html}");
        assert_eq!(html.matches("{top:0px}").count(), 1);
    }

    #[test]
    fn many_style_sheets_become_one() {
        let sheets: String =
            (0..=MAX_STYLES).map(|n| format!("<svg><style>#a{n}{{top:{n}px}}</style><g id=\"a{n}\"/></svg>")).collect();
        let odd = "<style>@import 'x';</style><style>a{</style><style>a{b:c}/* d</style><style>a{b:'&amp;'}</style><noscript><style>n{o:p}</style></noscript>";
        let html = gathered(page(&(sheets.clone() + odd + "<style>z{y:x}</style>")));
        assert!(html.contains("<style>#a0{top:0px}#a1{top:1px}") && html.contains("z{y:x}</style>\n</head>"), "{html}");
        assert!(html.contains("<svg><g id=\"a0\"/></svg>") && html.contains(odd), "{html}");
        assert_eq!(html.matches("<style>").count(), 6);
        let few = page(&(0..MAX_STYLES).map(|n| format!("<style>#a{n}{{}}</style>")).collect::<String>());
        assert_eq!(gathered(few.clone()), few);
    }

    #[test]
    fn what_would_mean_something_else_stays() {
        let odd = [
            "}*{top:0",
            "top:0;}",
            "a:(",
            "a:)",
            "a:'b",
            "a:&amp;b",
            "content:'&lt;/style>'",
            "/*",
            "a:\\",
            "@x",
            "Display: none",
            "a:'\n'",
        ];
        let shown = "<p style=\"display:flex\">";
        let body: String = odd.iter().map(|style| format!("<p style=\"{style}\">")).collect();
        let html = gathered(page(&(many() + &body + shown)));
        odd.iter().for_each(|style| assert!(html.contains(&format!("<p style=\"{style}\">")), "{style}: {html}"));
        assert!(html.contains("op-style-1\"") && !html.contains(shown), "{html}");
    }
}
