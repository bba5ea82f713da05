//! Authors' style sheets: every address is made relative to the sheet, and nothing outside is loaded.

use base::LoadKind;
use base::cut::cut;

use super::font_face::{NOTHING, without_dropped_fonts};

/// Where an address in a style sheet leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CssTarget {
    /// Relative to the sheet, percent-encoded.
    Inside(String),
    /// Stays as it is: `data:`, `#id`.
    Keep,
    /// Not to be loaded.
    Drop,
}

/// Rewrites `url(…)` and `@import`; `resolve` judges each address by its kind of load. Comments and strings
/// elsewhere stay.
pub fn rewrite_css(css: &str, mut resolve: impl FnMut(&str, LoadKind) -> CssTarget) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while !rest.is_empty() {
        let (token, after) = if let Some(end) = opaque(rest) {
            cut(rest, end)
        } else if starts_with_word(rest, "@import") {
            let (statement, after) = cut(rest, import_end(rest));
            write_import(statement, &mut out, &mut resolve);
            ("", after)
        } else if starts_with_word(rest, "@namespace") {
            // the name of a vocabulary: nothing is loaded from there
            cut(rest, import_end(rest))
        } else if let Some(argument) = after_word(rest, "url(") {
            write_url(rest, argument, &mut out, &mut resolve)
        } else {
            let mut others = rest.char_indices().skip(1);
            let next = others.find(|(_, c)| matches!(c, '/' | '@' | 'u' | 'U' | '"' | '\'' | '\\'));
            cut(rest, next.map_or(rest.len(), |(next, _)| next))
        };
        out.push_str(token);
        rest = after;
    }
    without_dropped_fonts(out)
}

/// Writes what stands for `url(…)`, with which `rest` begins. Returns what is left to write of it and what follows.
fn write_url<'a>(
    rest: &'a str,
    argument: &'a str,
    out: &mut String,
    resolve: &mut impl FnMut(&str, LoadKind) -> CssTarget,
) -> (&'a str, &'a str) {
    let head = rest.len() - argument.len();
    let Some((address, end)) = url_argument(argument) else { return cut(rest, head) };
    let (whole, after) = cut(rest, head + end);
    match resolve(address, LoadKind::Style) {
        CssTarget::Inside(url) => out.push_str(&format!("url(\"{url}\")")),
        CssTarget::Keep => return (whole, after),
        CssTarget::Drop => out.push_str(NOTHING),
    }
    ("", after)
}

fn write_import(statement: &str, out: &mut String, resolve: &mut impl FnMut(&str, LoadKind) -> CssTarget) {
    let Some(rest) = after_word(statement, "@import").map(skip_blanks) else { return };
    let found = if let Some(argument) = after_word(rest, "url(") {
        url_argument(argument).map(|(address, end)| (address, cut(argument, end).1))
    } else if rest.starts_with(['"', '\'']) {
        let (string, media) = cut(rest, string_end(rest));
        unquoted(string).map(|address| (address, media))
    } else {
        None
    };
    let Some((address, media)) = found else { return };
    match resolve(address, LoadKind::Sheet) {
        CssTarget::Inside(url) => out.push_str(&format!("@import url(\"{url}\"){media}")),
        // what is in a `data:` address could import in turn
        CssTarget::Keep if !address.is_empty() && !starts_with_word(address, "data:") => out.push_str(statement),
        CssTarget::Keep | CssTarget::Drop => {}
    }
}

/// The end of an `@import` statement, a `;` inside its address not counted.
fn import_end(rest: &str) -> usize {
    let mut quote = None;
    let mut depth = 0i32;
    for (at, c) in rest.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('(', None) => depth += 1,
            (')', None) => depth -= 1,
            (';', None) if depth <= 0 => return at + 1,
            ('{' | '}', None) => return at,
            _ => {}
        }
    }
    rest.len()
}

/// The address of `url(…)` and the offset behind its `)`.
fn url_argument(rest: &str) -> Option<(&str, usize)> {
    let inner = rest.trim_start();
    let skipped = rest.len() - inner.len();
    if inner.starts_with(['"', '\'']) {
        let (string, after) = cut(inner, string_end(inner));
        let close = after.find(')')?;
        return Some((unquoted(string)?, skipped + string.len() + close + 1));
    }
    let (address, _) = inner.split_once(')')?;
    Some((address.trim(), skipped + address.len() + 1))
}

/// What stands in a string. One that the end of its line has cut off loses its last character.
fn unquoted(string: &str) -> Option<&str> {
    let mut inner = string.chars();
    inner.next()?;
    inner.next_back()?;
    Some(inner.as_str())
}

/// The length of the comment, the string or the escape that a text starts with: no mark means anything in it.
pub(super) fn opaque(rest: &str) -> Option<usize> {
    match rest.as_bytes() {
        [b'/', b'*', ..] => Some(cut(rest, 2).1.find("*/").map_or(rest.len(), |end| end + 4)),
        [b'"' | b'\'', ..] => Some(string_end(rest)),
        // an escaped quote in a selector starts no string
        [b'\\', ..] => Some(rest.chars().take(2).map(char::len_utf8).sum()),
        _ => None,
    }
}

/// The offset behind the string that a text starts with.
fn string_end(rest: &str) -> usize {
    let quote = rest.chars().next().unwrap_or('"');
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            '\n' => return at,
            _ => {}
        }
    }
    rest.len()
}

/// What follows white space and comments.
pub(super) fn skip_blanks(rest: &str) -> &str {
    let mut rest = rest.trim_start();
    while let Some(comment) = rest.strip_prefix("/*") {
        rest = comment.split_once("*/").map_or("", |(_, after)| after).trim_start();
    }
    rest
}

fn starts_with_word(rest: &str, word: &str) -> bool {
    after_word(rest, word).is_some()
}

/// What follows a word that a text begins with, in any case.
fn after_word<'a>(rest: &'a str, word: &str) -> Option<&'a str> {
    let (start, after) = rest.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(css: &str, expect: &str) {
        let out = rewrite_css(css, |address, _| match address {
            address if address.starts_with("http") => CssTarget::Drop,
            address if address.starts_with("data:") => CssTarget::Keep,
            address => CssTarget::Inside(format!("R{address}")),
        });
        assert_eq!(out, expect);
    }

    proptest::proptest! {
        #[test]
        fn no_sheet_panics(css in "([aé中\u{feff}\u{2028}😀 (){};:'\"\\\\/*@]|url\\(|@import|@namespace|h1|\\n){0,24}") {
            let out = rewrite_css(&css, |address, _| CssTarget::Inside(address.to_owned()));
            super::super::selectors::widen_selectors(&out);
            // nothing is lost where nothing is rewritten
            let kept = rewrite_css(&css, |_, _| CssTarget::Keep);
            let is_import = css.to_ascii_lowercase().contains("@import");
            proptest::prop_assert!(is_import || kept == css, "{:?} became {:?}", css, kept);
        }
    }

    #[test]
    fn letters_of_every_kind_stand_anywhere() {
        check("\u{feff}a{b:c}", "\u{feff}a{b:c}");
        check("/* é */é{a:url(/x)é}'é'é", "/* é */é{a:url(\"R/x\")é}'é'é");
        check("@import é;中", "中");
        check("@import /* é */ \"x\";", "@import url(\"Rx\");");
        check("a{b:url(\"é", "a{b:url(\"é");
    }

    #[test]
    fn addresses_are_rewritten_and_the_outside_is_dropped() {
        check("a{background:url(/x.png) no-repeat}", "a{background:url(\"R/x.png\") no-repeat}");
        check("a{b:URL( 'y z.svg' )}", "a{b:url(\"Ry z.svg\")}");
        check("@import url('https://f.g/css2?family=A;B');\nb{}", "\nb{}");
        check(
            "@namespace svg url(http://www.w3.org/2000/svg);a{}",
            "@namespace svg url(http://www.w3.org/2000/svg);a{}",
        );
        check("@import \"x.css\" screen;c{}", "@import url(\"Rx.css\") screen;c{}");
        check(
            "/* url(x) */ d{content:\"url(y)\";e:url(data:image/png;base64,AA)}",
            "/* url(x) */ d{content:\"url(y)\";e:url(data:image/png;base64,AA)}",
        );
        check(".a\\'b{c:url(/x.png)}\\", ".a\\'b{c:url(\"R/x.png\")}\\");
        check("f{g:url(https://x.y/z.png)}é url(", "f{g:url(\"data:,\")}é url(");
    }
}
