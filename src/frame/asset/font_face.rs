//! Fonts of style sheets that cannot be had: a rule names the others, and a rule that has none goes.

/// The address that takes the place of one that is dropped: an empty one, which requests nothing.
pub(super) const NOTHING: &str = "url(\"data:,\")";

/// A style sheet whose `@font-face` rules have no sources that were dropped.
pub(super) fn without_dropped_fonts(css: String) -> String {
    if !css.contains(NOTHING) {
        return css;
    }
    let mut out = String::with_capacity(css.len());
    let mut rest = css.as_str();
    while let Some(start) = find_rule(rest) {
        let Some((before, rule)) = rest.split_at_checked(start) else { break };
        let Some((head, body, after)) = parts_of_rule(rule) else { break };
        out.push_str(before);
        if let Some(body) = without_dropped_sources(body) {
            out.push_str(head);
            out.push_str(&body);
            out.push('}');
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Where the next `@font-face` stands.
fn find_rule(css: &str) -> Option<usize> {
    const NAME: &[u8] = b"@font-face";
    memchr::memchr_iter(b'@', css.as_bytes())
        .find(|at| css.as_bytes().get(*at..*at + NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME)))
}

/// A rule up to its bracket, what stands in the brackets, and what follows them.
fn parts_of_rule(rule: &str) -> Option<(&str, &str, &str)> {
    let open = rule.find('{')?;
    let (head, inside) = rule.split_at_checked(open + 1)?;
    let close = pieces(inside, '}').next()?.len();
    let (body, after) = inside.split_at_checked(close)?;
    Some((head, body, after.strip_prefix('}')?))
}

/// The descriptors of a rule; `None` if none of its sources is left.
fn without_dropped_sources(body: &str) -> Option<String> {
    let mut out = Vec::new();
    let (mut has_source, mut has_dropped) = (false, false);
    for descriptor in pieces(body, ';') {
        let sources = descriptor.split_once(':').filter(|(name, _)| name.trim().eq_ignore_ascii_case("src"));
        let Some((name, sources)) = sources else {
            out.push(descriptor.to_owned());
            continue;
        };
        let kept: Vec<&str> = pieces(sources, ',').filter(|source| !source.trim().starts_with(NOTHING)).collect();
        has_dropped |= kept.len() < pieces(sources, ',').count();
        if !kept.is_empty() {
            has_source = true;
            out.push(format!("{name}:{}", kept.join(",")));
        }
    }
    (has_source || !has_dropped).then(|| out.join(";"))
}

/// The pieces of a text between marks that stand in no string, comment or bracket.
fn pieces(text: &str, mark: char) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (mut quote, mut depth, mut is_escaped, mut in_comment, mut before) = (None, 0_u32, false, false, ' ');
        let end = text.char_indices().find_map(|(at, c)| {
            let last = std::mem::replace(&mut before, c);
            match c {
                '/' if in_comment && last == '*' => (in_comment, before) = (false, ' '),
                _ if in_comment => {}
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                c if quote == Some(c) => quote = None,
                _ if quote.is_some() => {}
                '"' | '\'' => quote = Some(c),
                '*' if last == '/' => (in_comment, before) = (true, ' '),
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                c if c == mark && depth == 0 => return Some(at),
                _ => {}
            }
            None
        });
        let Some(end) = end else { return rest.take() };
        let (piece, after) = text.split_at_checked(end)?;
        rest = after.get(mark.len_utf8()..);
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_that_are_not_there_are_not_named() {
        for (css, expect) in [
            ("a{} @font-face{font-family:K;src:url(\"data:,\") format(\"woff2\")} b{}", "a{}  b{}"),
            (
                "@font-face { font-family: K; src: url(\"data:,\") format('woff2'), url(\"k.woff\") format('woff'); font-weight: 400 }",
                "@font-face { font-family: K; src: url(\"k.woff\") format('woff'); font-weight: 400 }",
            ),
            (
                "@FONT-FACE{src:local('K, L'),url(\"data:,\");font-family:'a;}b'}",
                "@FONT-FACE{src:local('K, L');font-family:'a;}b'}",
            ),
            ("@font-face{src:url(\"data:,\");src:url(\"data:,\"),url(\"data:,\")}", ""),
            ("@font-face{src:url(\"data:,\");src:url(k.woff)}", "@font-face{src:url(k.woff)}"),
            (
                "@font-face{/* ; } */src:url(data:font/woff2;base64,AA==)}a{background:url(\"data:,\")}",
                "@font-face{/* ; } */src:url(data:font/woff2;base64,AA==)}a{background:url(\"data:,\")}",
            ),
            ("@font-face{font-family:K}a{b:url(\"data:,\")}", "@font-face{font-family:K}a{b:url(\"data:,\")}"),
            ("@font-face{src:url(\"data:,\")", "@font-face{src:url(\"data:,\")"),
        ] {
            assert_eq!(without_dropped_fonts(css.to_owned()), expect, "{css}");
        }
    }
}
