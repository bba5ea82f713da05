//! Authors' style sheets: every address is made relative to the sheet, and nothing outside is loaded.

use crate::base::Load;

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
pub fn rewrite_css(css: &str, mut resolve: impl FnMut(&str, Load) -> CssTarget) -> String {
    let mut out = String::with_capacity(css.len());
    let mut at = 0;
    let bytes = css.as_bytes();
    while at < bytes.len() {
        let rest = &css[at..];
        if let Some(end) = opaque(rest) {
            out.push_str(&rest[..end]);
            at += end;
        } else if starts_with_word(rest, "@import") {
            let end = import_end(rest);
            write_import(&rest[..end], &mut out, &mut resolve);
            at += end;
        } else if starts_with_word(rest, "@namespace") {
            // the name of a vocabulary: nothing is loaded from there
            let end = import_end(rest);
            out.push_str(&rest[..end]);
            at += end;
        } else if starts_with_word(rest, "url(") {
            let Some((address, end)) = url_argument(&rest[4..]) else {
                out.push_str(&rest[..4]);
                at += 4;
                continue;
            };
            match resolve(address, Load::Style) {
                CssTarget::Inside(url) => out.push_str(&format!("url(\"{url}\")")),
                CssTarget::Keep => out.push_str(&rest[..4 + end]),
                CssTarget::Drop => out.push_str(NOTHING),
            }
            at += 4 + end;
        } else {
            let length = rest[1..].find(['/', '@', 'u', 'U', '"', '\'', '\\']).map_or(rest.len(), |next| next + 1);
            let length =
                if rest.is_char_boundary(length) { length } else { rest.chars().next().map_or(1, char::len_utf8) };
            out.push_str(&rest[..length]);
            at += length;
        }
    }
    without_dropped_fonts(out)
}

fn write_import(statement: &str, out: &mut String, resolve: &mut impl FnMut(&str, Load) -> CssTarget) {
    let rest = statement["@import".len()..].trim_start();
    let found = if starts_with_word(rest, "url(") {
        url_argument(&rest[4..]).map(|(address, end)| (address, &rest[4 + end..]))
    } else {
        let end = string_end(rest);
        rest.get(1..end.saturating_sub(1)).map(|address| (address, &rest[end..]))
    };
    let Some((address, media)) = found else { return };
    match resolve(address, Load::Sheet) {
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
        let end = string_end(inner);
        let close = inner[end..].find(')')?;
        return Some((inner.get(1..end - 1)?, skipped + end + close + 1));
    }
    let close = inner.find(')')?;
    Some((inner[..close].trim(), skipped + close + 1))
}

/// The length of the comment, the string or the escape that a text starts with: no mark means anything in it.
pub(super) fn opaque(rest: &str) -> Option<usize> {
    match rest.as_bytes() {
        [b'/', b'*', ..] => Some(rest[2..].find("*/").map_or(rest.len(), |end| end + 4)),
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
            c if c == quote => return at + 1,
            '\n' => return at,
            _ => {}
        }
    }
    rest.len()
}

fn starts_with_word(rest: &str, word: &str) -> bool {
    rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
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
