//! The text of a program as characters: where its strings, comments and braces end. What parses programs stands in a
//! crate above; here only as much is known as it takes to find an expression in a template.

use base::cut::SliceText as _;

/// Templates in each other.
const MAX_TEMPLATE_LITERAL_DEPTH: usize = 32;
/// Words behind which an operand begins.
const BEFORE_OPERANDS: [&str; 13] =
    ["return", "typeof", "case", "do", "else", "in", "of", "instanceof", "new", "void", "delete", "yield", "await"];

/// What the last token was: whether `/` begins a regular expression and `<` an element behind it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PreviousToken {
    /// It was the end of an operand: `/` divides, `<` compares.
    pub(super) is_operand: bool,
}

/// A token, as far as it matters: its end, and what it is to the next.
pub(super) fn past_token(text: &str, at: usize, before: PreviousToken) -> Option<(usize, PreviousToken)> {
    next_js_token(text, at, before, 0)
}

fn next_js_token(text: &str, at: usize, before: PreviousToken, depth: usize) -> Option<(usize, PreviousToken)> {
    let bytes = text.as_bytes();
    let operand = |end: usize| Some((end, PreviousToken { is_operand: true }));
    match *bytes.get(at)? {
        quote @ (b'"' | b'\'') => operand(past_string(bytes, at + 1, quote)?),
        b'`' => operand(past_template(text, at + 1, depth)?),
        b'/' if bytes.get(at + 1) == Some(&b'/') => {
            Some((text.slice(at..).find('\n').map_or(text.len(), |length| at + length), before))
        }
        b'/' if bytes.get(at + 1) == Some(&b'*') => {
            Some((text.slice(at + 2..).find("*/").map_or(text.len(), |length| at + length + 4), before))
        }
        b'/' if !before.is_operand => operand(past_expression(bytes, at + 1)?),
        byte if is_js_word_byte(byte) => {
            let end = at + bytes[at..].iter().take_while(|byte| is_js_word_byte(**byte)).count();
            let is_member = at > 0 && bytes[at - 1] == b'.';
            Some((end, PreviousToken { is_operand: is_member || !BEFORE_OPERANDS.contains(&text.slice(at..end)) }))
        }
        byte if byte.is_ascii_whitespace() => Some((at + 1, before)),
        byte => Some((at + 1, PreviousToken { is_operand: matches!(byte, b')' | b']') })),
    }
}

/// Bytes of names; all that is not ASCII is taken for such.
fn is_js_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn past_string(bytes: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            b'\n' => return None,
            _ => at += 1,
        }
    }
}

fn past_template(text: &str, mut at: usize, depth: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    if depth >= MAX_TEMPLATE_LITERAL_DEPTH {
        return None;
    }
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            b'`' => return Some(at + 1),
            b'$' if bytes.get(at + 1) == Some(&b'{') => at = past_block(text, at + 2, depth + 1)?,
            _ => at += 1,
        }
    }
}

/// Past a regular expression.
fn past_expression(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut in_class = false;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 1,
            b'\n' => return None,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => {
                return Some(at + 1 + bytes[at + 1..].iter().take_while(|byte| is_js_word_byte(**byte)).count());
            }
            _ => {}
        }
        at += 1;
    }
}

/// Past the brace that closes the one before `at`.
pub(super) fn past_braces(text: &str, at: usize) -> Option<usize> {
    past_block(text, at, 0)
}

fn past_block(text: &str, mut at: usize, depth: usize) -> Option<usize> {
    let mut open = 1;
    let mut before = PreviousToken::default();
    while open > 0 {
        match *text.as_bytes().get(at)? {
            b'{' => open += 1,
            b'}' => open -= 1,
            _ => {}
        }
        (at, before) = next_js_token(text, at, before, depth)?;
    }
    Some(at)
}

/// Past the operand of `await`: a name, a text or what stands in brackets, with its members and calls.
fn past_operand(text: &str, mut at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    if !(is_js_word_byte(*bytes.get(at)?) || matches!(bytes[at], b'(' | b'`')) {
        return None;
    }
    loop {
        at = match bytes.get(at) {
            Some(b'(' | b'[') => past_bracket(text, at)?,
            _ => past_token(text, at, PreviousToken::default())?.0,
        };
        let rest = text.get(at..)?;
        let next = at + (rest.len() - rest.trim_start().len());
        match bytes.get(next) {
            Some(b'.') => at = next + 1,
            Some(b'?') if bytes.get(next + 1) == Some(&b'.') => at = next + 2,
            Some(b'(' | b'[' | b'`') if next == at => {}
            _ => return Some(at),
        }
    }
}

/// Past the bracket that closes the one at a place.
fn past_bracket(text: &str, mut at: usize) -> Option<usize> {
    let mut open = 0_usize;
    let mut before = PreviousToken::default();
    loop {
        match *text.as_bytes().get(at)? {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.checked_sub(1)?,
            _ => {}
        }
        (at, before) = past_token(text, at, before)?;
        if open == 0 {
            return Some(at);
        }
    }
}

/// A program that waits for nothing: `async` is left out, and what follows `await` is given to `$try`, because most of
/// it asks for what is not there. `None` if it cannot be read.
pub(super) fn without_waiting(text: &str) -> Option<String> {
    if !text.contains("await") && !text.contains("async") {
        return Some(text.to_owned());
    }
    let mut out = String::with_capacity(text.len());
    write_without_waiting(text, 0, &mut out)?;
    Some(out)
}

fn write_without_waiting(text: &str, depth: usize, out: &mut String) -> Option<()> {
    if depth > MAX_TEMPLATE_LITERAL_DEPTH {
        return None;
    }
    let bytes = text.as_bytes();
    let (mut at, mut before) = (0, PreviousToken::default());
    while at < text.len() {
        let (end, next) = past_token(text, at, before)?;
        let token = text.get(at..end)?;
        let is_member = at > 0 && bytes[at - 1] == b'.';
        match token {
            "await" | "async" if !is_member => {
                let rest = text.slice(end..).trim_start();
                let is_name = rest.starts_with([':', ',', '=', ')', '}', ';', '.']) || rest.is_empty();
                let is_arrow = token == "async" && rest.starts_with("=>");
                let from = end + (text.slice(end..).len() - rest.len());
                if token == "await" && out.ends_with("for ") {
                    (at, before) = (from, PreviousToken::default());
                    continue;
                }
                if is_name || is_arrow {
                    out.push_str(token);
                } else if let Some(to) = past_operand(text, from).filter(|_| token == "await") {
                    // `const { a } = await b`: there is something to take from
                    let otherwise =
                        if out.trim_end().strip_suffix('=').is_some_and(|left| left.trim_end().ends_with('}')) {
                            "{}"
                        } else {
                            "undefined"
                        };
                    out.push_str("$try(() => (");
                    write_without_waiting(text.get(from..to)?, depth + 1, out)?;
                    out.push_str(&format!("), {otherwise})"));
                    (at, before) = (to, PreviousToken { is_operand: true });
                    continue;
                } else {
                    // `return async x` may not become two words in one
                    out.push(' ');
                    (at, before) = (from, PreviousToken::default());
                    continue;
                }
            }
            _ if token.starts_with('`') && token.contains("${") => write_template(token, depth, out)?,
            _ => out.push_str(token),
        }
        (at, before) = (end, next);
    }
    Some(())
}

fn write_template(token: &str, depth: usize, out: &mut String) -> Option<()> {
    let bytes = token.as_bytes();
    let (mut at, mut from) = (1, 0);
    while at < token.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'$' if bytes.get(at + 1) == Some(&b'{') => {
                let end = past_braces(token, at + 2)?;
                out.push_str(token.get(from..at + 2)?);
                write_without_waiting(token.get(at + 2..end - 1)?, depth + 1, out)?;
                (at, from) = (end, end - 1);
            }
            _ => at += 1,
        }
    }
    out.push_str(token.get(from..)?);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_in_strings_and_comments_close_nothing() {
        for text in [
            "a}",
            "{a: '}'}}",
            "`}${ `${{a: 1}}` }`}",
            "/* } */ a // }\n}",
            "/[}/]\\}/g.test(a)}",
            "a / b / c}",
            "x => { return /}/ }}",
        ] {
            assert_eq!(past_braces(text, 0), Some(text.len()), "{text}");
        }
        for text in ["a", "'}", "`}", "`${`${", "/* }"] {
            assert_eq!(past_braces(text, 0), None, "{text}");
        }
        assert_eq!(past_braces(&"`${".repeat(1_000), 0), None);
    }

    #[test]
    fn programs_wait_for_nothing() {
        for (text, expect) in [
            ("const a = await b();", "const a = $try(() => (b()), undefined);"),
            (
                "const { a } = await b\n  .c(await d)[0];",
                "const { a } = $try(() => (b\n  .c($try(() => (d), undefined))[0]), {});",
            ),
            (
                "const f = async (a) => { return await g(a) + 1 }",
                "const f =  (a) => { return $try(() => (g(a)), undefined) + 1 }",
            ),
            ("export async function f() {}", "export  function f() {}"),
            ("x.await; ({ async: 1 }); 'await b'; // await c", "x.await; ({ async: 1 }); 'await b'; // await c"),
            ("`a ${await b} await`", "`a ${$try(() => (b), undefined)} await`"),
            ("for await (const a of b) {}", "for (const a of b) {}"),
            ("async => 1", "async => 1"),
        ] {
            assert_eq!(without_waiting(text).as_deref(), Some(expect));
        }
    }
}
