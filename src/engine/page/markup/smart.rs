//! Smart punctuation: `"quotes"`, `--` and `...` in prose become typographic; code stays.

use crate::base::bytes::find_byte;
use crate::source::site::tool::Dashes;

/// Appends `text` with smart punctuation; `None` for `dashes` keeps them. `before` is the character that precedes it in
/// the paragraph (across inline nodes). Returns the last character, for the next call.
pub fn push_smart(out: &mut String, text: &str, before: Option<char>, dashes: Option<Dashes>) -> Option<char> {
    let all = text.as_bytes();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = find_byte(&all[at..], *b"\"'-.") {
        at += found;
        let last = || text[..at].chars().next_back().or(before);
        let opens = || opens(last(), text[at + 1..].chars().next());
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
            b'\'' => (1, if opens() && !is_decade(&text[at + 1..]) { "‘" } else { "’" }),
            _ => {
                at += 1;
                continue;
            }
        };
        out.push_str(&text[copied..at]);
        out.push_str(instead);
        at += length;
        copied = at;
    }
    out.push_str(&text[copied..]);
    text.chars().next_back().or(before)
}

/// A quote opens after white space, brackets, dashes and other quotes, and not before white space. Where the text ends,
/// something else follows: emphasis, a link, code.
fn opens(before: Option<char>, after: Option<char>) -> bool {
    let free = before.is_none_or(|c| c.is_whitespace() || "([{—–“‘\"'-".contains(c));
    free && after.is_none_or(|c| !c.is_whitespace())
}

/// `90s` as in `'90s`.
fn is_decade(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 2 || !bytes[0].is_ascii_digit() || !bytes[1].is_ascii_digit() {
        return false;
    }
    let rest = text[2..].strip_prefix('s').unwrap_or(&text[2..]);
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
}
