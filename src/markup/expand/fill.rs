//! `{name}` in the code of a snippet: code has no expressions, but a snippet's props are put into it.

use memchr::memchr2;

use base::cut::SliceText as _;

/// Replaces `{name}` in code by a snippet's props, which are sorted by name. All other braces stay.
pub(super) fn fill_snippet_props(code: &mut String, fills: &[(String, String)]) {
    if fills.is_empty() || !code.contains('{') {
        return;
    }
    let mut out = String::with_capacity(code.len());
    let mut rest = code.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        // no name has a brace: what is between two of them is looked at once
        let hole = memchr2(b'{', b'}', after.as_bytes())
            .filter(|end| after.as_bytes()[*end] == b'}')
            .map(|end| (after.slice(..end).trim(), end));
        let value = hole.and_then(|(name, end)| Some((value_of(name, fills)?, end)));
        rest = match value {
            Some((value, end)) => {
                out.push_str(value);
                after.slice(end + 1..)
            }
            None => {
                out.push('{');
                after
            }
        };
    }
    out.push_str(rest);
    *code = out;
}

fn value_of<'f>(name: &str, fills: &'f [(String, String)]) -> Option<&'f str> {
    let at = fills.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
    Some(&fills[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_without_a_name_stay() {
        let fills = [("a".to_owned(), "1".to_owned()), ("b".to_owned(), "{a}".to_owned())];
        for (code, expect) in [
            ("{a}{ b }", "1{a}"),
            ("{c} {a", "{c} {a"),
            ("{{a}} {x {a}", "{1} {x 1"),
            ("}{\n a\n}{", "}1{"),
            ("é{a}é", "é1é"),
            ("{}", "{}"),
        ] {
            let mut filled = code.to_owned();
            fill_snippet_props(&mut filled, &fills);
            assert_eq!(filled, expect, "{code}");
        }
    }
}
