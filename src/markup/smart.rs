//! Smart punctuation: `"quotes"`, `--` and `...` in prose become typographic; code stays.

use base::bytes::find_byte;
use base::cut::SliceText as _;
use load::tool::Dashes;

/// How far a quote looks for its partner.
const NEAR_BYTES: usize = 400;

/// Appends `text` with smart punctuation; `None` for `dashes` keeps them. `before` is the character that precedes it in
/// the paragraph (across inline nodes). Returns the last character that was written, for the next call: a quote tells
/// the one behind it whether it opened.
pub fn push_smart(out: &mut String, text: &str, before: Option<char>, dashes: Option<Dashes>) -> Option<char> {
    let all = text.as_bytes();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = find_byte(&all[at..], *b"\"'-.") {
        at += found;
        let last = || match copied == at {
            true if at > 0 => out.chars().next_back(),
            _ => text.slice(..at).chars().next_back().or(before),
        };
        let is_open = |open: char, close: char| {
            let near = out.get(out.floor_char_boundary(out.len().saturating_sub(NEAR_BYTES))..).unwrap_or_default();
            near.rfind(open) > near.rfind(close)
        };
        let opens = || opens(last(), text.slice(at..), &is_open);
        let rest = &all[at..];
        let (length, instead) = match rest[0] {
            b'-' if rest.starts_with(b"--") && last() != Some('-') && dashes.is_some() => {
                match (dashes, rest.iter().take_while(|byte| **byte == b'-').count()) {
                    (Some(Dashes::Long), 2) => (2, "—"),
                    (Some(Dashes::Both | Dashes::BothInText), 2) => (2, "–"),
                    (Some(Dashes::Both | Dashes::BothInText), 3) => (3, "—"),
                    (_, count) => {
                        at += count;
                        continue;
                    }
                }
            }
            b'.' if rest.starts_with(b"...") => (3, "…"),
            b'"' => (1, if opens() { "“" } else { "”" }),
            b'\'' => (1, if opens() && !is_decade(text.slice(at + 1..)) { "‘" } else { "’" }),
            _ => {
                at += 1;
                continue;
            }
        };
        out.push_str(text.slice(copied..at));
        out.push_str(instead);
        at += length;
        copied = at;
    }
    out.push_str(text.slice(copied..));
    if text.is_empty() { before } else { out.chars().next_back() }
}

/// A quote, with which `text` begins, opens after white space, brackets, dashes and quotes that open, and not before
/// white space; after other signs, before a word. Where the text ends, something else follows: emphasis, a link, code.
/// `is_open`: whether a quote of two forms is open, which decides in writing without spaces, and behind a sign.
fn opens(before: Option<char>, text: &str, is_open: &dyn Fn(char, char) -> bool) -> bool {
    let mut chars = text.chars();
    let (quote, after) = (chars.next(), chars.next());
    match before {
        // a pair with nothing in it
        Some('“') if quote == Some('"') => false,
        Some('‘') if quote == Some('\'') => false,
        Some(c) if "/=|+&<>~*#@".contains(c) => match (after, quote) {
            (Some(after), _) => after.is_alphanumeric(),
            // `'<'`
            (None, Some('\'')) => !is_open('‘', '’'),
            (None, _) => !is_open('“', '”'),
        },
        Some(c) if ":;,：；，、".contains(c) => after.is_some_and(char::is_alphanumeric),
        Some('…') if quote == Some('\'') => after.is_some_and(char::is_alphanumeric) && ends_later(text.slice(1..)),
        Some('…' | '\u{2e80}'..='\u{2fff}' | '\u{3005}'..='\u{fdff}') if quote == Some('"') => {
            after.is_some_and(char::is_alphanumeric) && !is_open('“', '”')
        }
        Some(c) if !c.is_whitespace() && !"([{—–“‘-（【《「".contains(c) => false,
        _ => after.is_none_or(|c| !c.is_whitespace()),
    }
}

/// Whether a single quote not far behind the start of a text ends something: no letter or digit follows it.
fn ends_later(text: &str) -> bool {
    text.slice(..text.floor_char_boundary(NEAR_BYTES))
        .match_indices('\'')
        .any(|(at, _)| !text.slice(at + 1..).chars().next().is_some_and(char::is_alphanumeric))
}

/// `90s` as in `'90s`.
fn is_decade(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 2 || !bytes[0].is_ascii_digit() || !bytes[1].is_ascii_digit() {
        return false;
    }
    let rest = text.slice(2..).strip_prefix('s').unwrap_or(text.slice(2..));
    !rest.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_with(dashes: Option<Dashes>, text: &str, expect: &str) {
        let mut out = String::new();
        push_smart(&mut out, text, None, dashes);
        assert_eq!(out, expect);
    }

    #[track_caller]
    fn check(text: &str, expect: &str) {
        check_with(Some(Dashes::Long), text, expect);
    }

    #[test]
    fn tools_have_two_dashes() {
        check_with(Some(Dashes::Both), "a -- b --- c ---- 1--2 -x", "a – b — c ---- 1–2 -x");
        check_with(None, "\"a\" -- b...", "“a” -- b…");
    }

    #[test]
    fn quotes_dashes_and_ellipses() {
        check("What's \"new\"...", "What’s “new”…");
        check("a -- b --- c --flag", "a — b --- c —flag");
        check("the '90s and 'quoted'", "the ’90s and ‘quoted’");
        check("(\"x\")", "(“x”)");
    }

    #[test]
    fn quotes_in_quotes() {
        for (text, expect) in [
            ("\"… 'x'\"", "“… ‘x’”"),
            ("\"...'x'\"", "“…‘x’”"),
            ("she said \"he wrote 'kiln'\"", "she said “he wrote ‘kiln’”"),
            ("\"'Quoted' first\"", "“‘Quoted’ first”"),
            ("'it \"nested\"'", "‘it “nested”’"),
            ("'\"a\" b'", "‘“a” b’"),
            ("\"a 'b \"c\"'\"", "“a ‘b “c”’”"),
            ("(\"a 'b'\")", "(“a ‘b’”)"),
            ("\"a 'b'.\" c", "“a ‘b’.” c"),
            ("\"it's 'x'\"", "“it’s ‘x’”"),
            ("\"\" and ''", "“” and ‘’"),
            ("\"a\"/\"b\",\"c\"", "“a”/“b”,“c”"),
            ("key:\"value\"", "key:“value”"),
            ("写法：\"了解……\"而不是\"本页……\"，\"好\"", "写法：“了解……”而不是“本页……”，“好”"),
            ("she...\"and\" \"wait...\"then", "she…“and” “wait…”then"),
            ("rock 'n' roll…\"", "rock ‘n’ roll…”"),
            ("wait…'cause", "wait…’cause"),
            ("5\" and 6' long", "5” and 6’ long"),
        ] {
            check(text, expect);
        }
    }

    #[test]
    fn quotes_over_several_pieces() {
        let pieces = |pieces: &[&str]| {
            let (mut out, mut last) = (String::new(), None);
            for piece in pieces {
                last = push_smart(&mut out, piece, last, None);
            }
            out
        };
        assert_eq!(pieces(&["\"'", "x", "'\""]), "“‘x’”");
        assert_eq!(pieces(&["\"", "", "x", "\""]), "“x”");
        assert_eq!(pieces(&["OPERATOR '", "<", "'"]), "OPERATOR ‘<’");
        assert_eq!(pieces(&["\"*\" or '", "/", "'"]), "“*” or ‘/’");
        assert_eq!(pieces(&["url=\"", "x", "\", \"so,\""]), "url=“x”, “so,”");
    }
}
